//! A scan on several threads: one that cuts, some that search, and this one, which merges.
//!
//! At most a few chunks a thread are under way, whatever the file's size. Tokens see to it: a chunk
//! is cut only when a token is free, and its token comes back when its results are merged. Results
//! that are large are handed on in parts, each when all before it are merged.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam::channel::{Receiver, Sender, bounded, unbounded};

use super::Wanted;
use crate::chunk::Chunk;
use crate::error::Error;
use crate::merge::Merger;
use crate::turn::{PartNumber, Turn, Turns};
use crate::worker::{Found, Worker};

/// What a thread hands to the merging thread.
enum Message {
    /// The results of a part of a chunk.
    Found(PartNumber, Arc<Chunk>, Found),
    /// Why there are none from this part on.
    Failed(PartNumber, Error),
    /// A thread has panicked: its part never comes.
    Panicked,
}

/// Tells the merging thread of a panic.
struct PanicNotice(Sender<Message>);

impl Drop for PanicNotice {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Message::Panicked);
        }
    }
}

/// Cuts the inputs into chunks, as long as there are tokens.
fn cut(
    mut chunks: Wanted<'_>,
    token: &Receiver<()>,
    turn: &Turn,
    tasks: &Sender<Chunk>,
    out: &Sender<Message>,
) {
    let mut next = 0;
    while token.recv().is_ok() && turn.is_open() {
        let Some(chunk) = chunks.next() else { return };
        match chunk {
            Ok(chunk) => {
                next = chunk.index + 1;
                if tasks.send(chunk).is_err() {
                    return;
                }
            }
            Err(error) => {
                let _ = out.send(Message::Failed((next, 0), error));
                return;
            }
        }
    }
}

/// Searches chunks until there are no more. A part that is too large to wait in memory waits for
/// its turn here.
fn search(worker: &mut Worker<'_>, tasks: &Receiver<Chunk>, turn: &Turn, out: &Sender<Message>) {
    for chunk in tasks {
        let chunk = Arc::new(chunk);
        let mut goes_on = turn.is_open();
        let mut part = (chunk.index, 0);
        if goes_on {
            worker.search(&chunk, |found| {
                goes_on = !found.is_large() || turn.wait(part);
                let message = match chunk.check() {
                    Ok(()) => Message::Found(part, Arc::clone(&chunk), found),
                    Err(error) => Message::Failed(part, error),
                };
                goes_on = goes_on && out.send(message).is_ok();
                part.1 += 1;
                goes_on
            });
        }
        if !goes_on {
            return;
        }
    }
}

/// Takes the parts in their order, until all have come or no more counts.
fn merge(
    messages: &Receiver<Message>,
    worker: &mut Worker<'_>,
    merger: &mut Merger<'_>,
    turns: &Turns<'_>,
    token_back: &Sender<()>,
) -> Result<(), Error> {
    // The tokens bound how many results can wait here for an earlier one.
    let mut waiting = BTreeMap::new();
    let mut next = (0, 0);
    for message in messages {
        match message {
            Message::Found(part, chunk, found) => waiting.insert(part, Ok((chunk, found))),
            Message::Failed(part, error) => waiting.insert(part, Err(error)),
            // The panic goes on where the thread is joined.
            Message::Panicked => return Ok(()),
        };
        while let Some(found) = waiting.remove(&next) {
            let (chunk, mut found) = found?;
            worker.join(&chunk, &mut found, |job| merger.runs(job));
            let is_last = found.is_last;
            merger.take(found)?;
            worker.tell(|job| merger.runs(job));
            if merger.is_done() {
                return Ok(());
            }
            if is_last {
                next = (next.0 + 1, 0);
                let _ = token_back.send(());
            } else {
                next.1 += 1;
            }
            turns.set(next);
        }
    }
    Ok(())
}

/// Forks of the worker search the chunks; what their games leave behind is joined in it.
pub(super) fn many_threads(
    chunks: Wanted<'_>,
    worker: &mut Worker<'_>,
    merger: &mut Merger<'_>,
    threads: usize,
) -> Result<(), Error> {
    let turn = &Turn::new();
    std::thread::scope(|scope| {
        let tokens = 2 * threads + 2;
        let (token_back, token) = bounded::<()>(tokens);
        for _ in 0..tokens {
            // There is room: the channel is as long as there are tokens.
            let _ = token_back.try_send(());
        }
        let (task_in, task_out) = bounded::<Chunk>(tokens);
        let (found_in, found_out) = unbounded::<Message>();
        let out = found_in.clone();
        scope.spawn(move || {
            let _notice = PanicNotice(out.clone());
            cut(chunks, &token, turn, &task_in, &out);
        });
        let mut forks = Vec::new();
        for _ in 0..threads {
            let (tasks, out) = (task_out.clone(), found_in.clone());
            let mut fork = worker.fork();
            forks.push(scope.spawn(move || {
                let _notice = PanicNotice(out.clone());
                search(&mut fork, &tasks, turn, &out);
                fork.close()
            }));
        }
        drop((task_out, found_in));
        let turns = Turns(turn);
        let mut outcome = merge(&found_out, worker, merger, &turns, &token_back);
        drop((turns, token_back, found_out));
        for searching in forks {
            match searching.join() {
                Ok(closed) if outcome.is_ok() => outcome = merger.take_blocks(closed),
                Ok(_) => {}
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcome
    })
}
