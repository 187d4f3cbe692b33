//! Work on chunks on several threads whose results are taken in the order of the chunks.
//!
//! [`permits`] bound the number of chunks in progress, as in a search.

use std::collections::BTreeMap;
use std::thread;

use super::packer::{PackedChunk, Packer};
use crate::channels::{Receiver, Sender, unbounded};
use crate::drive::{ChunkQueue, QueueItem};
use crate::error::Error;
use crate::permits::permits;
use crate::threads::Starter;
use babson_vm::InputFailure;

/// The index of a chunk with its result, or `None` with the panic of a thread.
type PackMessage = (Option<u64>, Result<PackedChunk, Error>);

/// Packs the chunks of the queue. `take` gets the results in order, on this thread. Before that
/// `begun` gets the number of threads that the system started.
///
/// # Errors
/// The first error, in the order of the chunks, of the queue or of `take`; the panic of a thread;
/// or the system starts no thread at all.
pub(super) fn in_order<'n>(
    queue: &ChunkQueue<'_>,
    threads: usize,
    packer: impl Fn() -> Packer<'n> + Sync,
    begun: impl FnOnce(usize),
    mut take: impl FnMut(PackedChunk) -> Result<(), Error>,
) -> Result<(), Error> {
    let (permit_return, permits) = permits(threads);
    let (out, results) = unbounded::<PackMessage>();
    thread::scope(|scope| {
        // It ends with this closure, also by an error or a panic: only then do threads end that
        // wait for a permit.
        let permit_return = permit_return;
        let mut started = 0;
        let starter = Starter::of(threads);
        for _ in 0..threads {
            let (permits, out, packer) = (permits.clone(), out.clone(), &packer);
            let thread = starter.start(scope, move || {
                if let Err(panic) = Error::catch(|| {
                    work(queue, packer(), &permits, &out);
                    Ok(())
                }) {
                    let _ = out.send((None, Err(panic)));
                }
            });
            match thread {
                Ok(_) => started += 1,
                Err(source) if started == 0 => return Err(Error::Threads { source }),
                // After the first refusal the next ones would follow.
                Err(_) => break,
            }
        }
        begun(started);
        drop((out, permits));
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            let Some(index) = index else { return result.map(drop) };
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                take(result?)?;
                next += 1;
                let _ = permit_return.send(());
            }
        }
        Ok(())
    })
}

/// Packs chunks until there are no more, each with a permit.
fn work(
    queue: &ChunkQueue<'_>,
    mut packer: Packer<'_>,
    permits: &Receiver<()>,
    out: &Sender<PackMessage>,
) {
    while permits.recv().is_ok() {
        let message = match queue.take() {
            Some(Ok(QueueItem::Chunk(chunk))) => {
                let packed = packer.pack(&chunk);
                (Some(chunk.index), chunk.check().map_err(Error::from).and(packed))
            }
            Some(Ok(QueueItem::Broken(index, input)))
                if input.report.failure == InputFailure::NotPgn =>
            {
                (Some(index), Ok(PackedChunk { not_pgn: Some(input), ..PackedChunk::default() }))
            }
            // A table has all games of its inputs or is not written.
            Some(Ok(QueueItem::Broken(index, input))) => (Some(index), Err(input.error)),
            Some(Err((index, error))) => (Some(index), Err(error)),
            None => return,
        };
        if out.send(message).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use babson_input::Input;
    use babson_input::chunk::Cutter;

    use super::*;

    /// An error, or a panic, while all threads wait for permits: they must end.
    #[test]
    fn threads_that_wait_for_a_permit_end_with_an_error() {
        let text = "[White \"A\"]\n\n1. e4 *\n\n".repeat(1000);
        let fail = || Err(Error::NoParts);
        for outcome in [fail, || panic!("poisoned")] {
            let inputs = [Input::bytes("a.pgn", text.as_bytes())];
            let queue = ChunkQueue::new(Cutter::new(&inputs, 64), u64::MAX);
            let packed = Error::catch(|| {
                in_order(
                    &queue,
                    2,
                    || Packer::new(&[]),
                    |started| assert_eq!(started, 2),
                    |_| {
                        // Long enough for the threads to use up all permits.
                        thread::sleep(Duration::from_millis(200));
                        outcome()
                    },
                )
            });
            assert!(matches!(packed, Err(Error::NoParts | Error::Panicked(_))));
        }
    }
}
