//! A scan on several threads: each takes chunks from the queue and searches them, and the calling
//! thread merges.
//!
//! A few chunks for each thread are in progress at a time, whatever the size of the file:
//! [`permits`] bound their number. Large results are sent in batches, each after all batches before
//! it are merged.

use std::collections::BTreeMap;
use std::sync::Arc;

use babson_input::chunk::Chunk;
use babson_vm::Stopped;

use super::BatchTaker;
use super::queue::{ChunkQueue, QueueItem, UnreadInput};
use crate::channels::{Receiver, Sender, unbounded};
use crate::error::Error;
use crate::permits::permits;
use crate::threads::Starter;
use crate::turn::{BatchNumber, Turn, TurnSetter};
use crate::worker::{ChunkResult, Worker};

/// A message to the merging thread.
enum Message {
    /// A batch of the results of a chunk.
    Result(BatchNumber, Arc<Chunk>, ChunkResult),
    /// An input that could not be read to its end, instead of this batch.
    Broken(BatchNumber, UnreadInput),
    /// An error instead of this batch and all later ones.
    Failed(BatchNumber, Error),
    /// The scan is stopped: the batch will never come.
    Stopped(Stopped),
    /// A thread has panicked: its batch will never come.
    Panicked,
}

/// A batch that waits to be merged.
enum Batch {
    Result(Arc<Chunk>, ChunkResult),
    Broken(UnreadInput),
}

/// Sends [`Message::Panicked`] if its thread panics.
struct PanicNotice(Sender<Message>);

impl Drop for PanicNotice {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Message::Panicked);
        }
    }
}

/// Searches chunks until there are no more, each with a permit. A thread with a batch that is too
/// large to wait in memory waits for its turn here.
fn search(
    queue: &ChunkQueue<'_>,
    worker: &mut Worker<'_>,
    permit: &Receiver<()>,
    turn: &Turn,
    out: &Sender<Message>,
) {
    while permit.recv().is_ok() && turn.is_open() {
        if let Some(stopped) = worker.stopped() {
            let _ = out.send(Message::Stopped(stopped));
            return;
        }
        let chunk = match queue.take() {
            Some(Ok(QueueItem::Chunk(chunk))) => Arc::new(chunk),
            Some(Ok(QueueItem::Broken(index, input))) => {
                if out.send(Message::Broken((index, 0), input)).is_err() {
                    return;
                }
                continue;
            }
            Some(Err((index, error))) => {
                let _ = out.send(Message::Failed((index, 0), error));
                return;
            }
            None => return,
        };
        let mut batch = (chunk.index, 0);
        let mut goes_on = true;
        let searched = worker.search(&chunk, |result| {
            goes_on = !result.is_large() || turn.wait(batch);
            let message = match chunk.check() {
                Ok(()) => Message::Result(batch, Arc::clone(&chunk), result),
                Err(error) => Message::Failed(batch, error.into()),
            };
            goes_on = goes_on && out.send(message).is_ok();
            batch.1 += 1;
            goes_on
        });
        if let Err(stopped) = searched {
            let _ = out.send(Message::Stopped(stopped));
            return;
        }
        if !goes_on {
            return;
        }
    }
}

/// Merges the batches in order, until all have come or all jobs have ended.
fn merge(
    messages: &Receiver<Message>,
    worker: &mut Worker<'_>,
    taker: &mut dyn BatchTaker<'_>,
    turns: &TurnSetter<'_>,
    permit_return: &Sender<()>,
) -> Result<(), Error> {
    // The permits bound how many results can wait here for an earlier one.
    let mut waiting = BTreeMap::new();
    let mut next = (0, 0);
    for message in messages {
        match message {
            Message::Result(batch, chunk, result) => {
                waiting.insert(batch, Ok(Batch::Result(chunk, result)))
            }
            Message::Broken(batch, input) => waiting.insert(batch, Ok(Batch::Broken(input))),
            Message::Failed(batch, error) => waiting.insert(batch, Err(error)),
            Message::Stopped(stopped) => return Err(stopped.into()),
            // The panic becomes an error where the thread is joined.
            Message::Panicked => return Ok(()),
        };
        while let Some(result) = waiting.remove(&next) {
            let is_last = match result? {
                Batch::Result(chunk, mut result) => {
                    taker.join(worker, &chunk, &mut result);
                    if let Some(stopped) = worker.stopped() {
                        return Err(stopped.into());
                    }
                    let is_last = result.is_last;
                    taker.take(result)?;
                    is_last
                }
                Batch::Broken(input) => {
                    taker.take_broken(input)?;
                    true
                }
            };
            worker.tell(|job| taker.runs(job));
            if taker.is_done() {
                return Ok(());
            }
            if is_last {
                next = (next.0 + 1, 0);
                let _ = permit_return.send(());
            } else {
                next.1 += 1;
            }
            turns.set(next);
        }
    }
    Ok(())
}

/// Searches the chunks with forks of the worker and joins their persistent state into it. Returns
/// how many threads searched.
///
/// # Errors
/// The first error in the order of the chunks; or the system starts no thread at all.
pub(crate) fn many_threads<'p>(
    queue: &ChunkQueue<'_>,
    worker: &mut Worker<'p>,
    taker: &mut dyn BatchTaker<'p>,
    threads: usize,
) -> Result<usize, Error> {
    if taker.is_done() {
        return Ok(threads);
    }
    let turn = &Turn::new();
    std::thread::scope(|scope| {
        let (permit_return, permit) = permits(threads);
        let (result_in, result_out) = unbounded::<Message>();
        let mut forks = Vec::new();
        let starter = Starter::of(threads);
        for _ in 0..threads {
            let (permit, out) = (permit.clone(), result_in.clone());
            let mut fork = worker.fork(taker.fillers());
            let started = starter.start(scope, move || {
                let _notice = PanicNotice(out.clone());
                search(queue, &mut fork, &permit, turn, &out);
                fork.close()
            });
            match started {
                Ok(started) => forks.push(started),
                Err(source) if forks.is_empty() => return Err(Error::Threads { source }),
                // After the first refusal the next ones would follow.
                Err(_) => break,
            }
        }
        let started = forks.len();
        drop((permit, result_in));
        let turns = TurnSetter(turn);
        let told = match started < threads {
            true => taker.fewer_threads(started, threads),
            false => Ok(()),
        };
        let mut outcome = told.and_then(|()| match taker.is_done() {
            true => Ok(()),
            false => merge(&result_out, worker, taker, &turns, &permit_return),
        });
        drop((turns, permit_return, result_out));
        for searching in forks {
            match searching.join() {
                Ok(closed) => taker.take_closed(closed),
                Err(panic) => outcome = Err(Error::of_panic(panic)),
            }
        }
        outcome.map(|()| started)
    })
}
