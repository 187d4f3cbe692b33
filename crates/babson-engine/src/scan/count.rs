//! Counting the games of the inputs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use babson_input::chunk::{Chunk, Cutter, MAX_CHUNK, RowChoice};
use babson_input::{Input, InputError};

use crate::error::Error;
use crate::limits::MAX_THREADS;
use crate::task::Settings;
use crate::threads::share;

/// The number of games of the inputs, counted by this number of threads, or by as many as the
/// system starts. Plain files are mapped or read:
/// see [`Settings::mapped`](crate::Settings::mapped).
///
/// # Errors
/// An input cannot be read, or is standard input, which cannot be read twice.
pub fn count(inputs: &[Input], threads: usize, mapped: bool) -> Result<u64, Error> {
    count_until(inputs, &Settings { threads, mapped, ..Settings::default() })
}

/// The number of games of the inputs, for a scan with these settings, which may stop it.
///
/// # Errors
/// As [`count`]; or the scan is stopped.
pub(super) fn count_until(inputs: &[Input], settings: &Settings) -> Result<u64, Error> {
    let &Settings { threads, mapped, ref stop, .. } = settings;
    if let Some(stream) = inputs.iter().find(|input| input.size().is_none()) {
        return Err(Error::Uncountable { input: stream.name() });
    }
    let cutter = Mutex::new(Cutter::new(inputs, MAX_CHUNK as usize).with_mapping(mapped));
    let games = AtomicU64::new(0);
    let failure = Mutex::new(None);
    let fail = |error: Error| {
        if let Ok(mut failure) = failure.lock() {
            failure.get_or_insert(error);
        }
    };
    let count_chunks = || {
        // The guard must not live as long as the chunk is counted.
        let failed = || failure.lock().map_or(true, |failure| failure.is_some());
        let next = || cutter.lock().ok()?.next().filter(|_| !failed());
        while let Some(cut) = next() {
            if let Some(stopped) = stop.stopped() {
                return fail(stopped.into());
            }
            match cut {
                Ok(cut) => {
                    let counted = Chunk::of(cut, &RowChoice::None).and_then(|chunk| {
                        games.fetch_add(chunk.games() as u64, Ordering::Relaxed);
                        chunk.check()
                    });
                    match counted {
                        // The search tells of it.
                        Ok(()) | Err(InputError::NotPgn { .. }) => {}
                        Err(error) => fail(error.into()),
                    }
                }
                Err(error) => fail(error.error.into()),
            }
        }
    };
    share(threads.clamp(1, MAX_THREADS) - 1, count_chunks)?;
    failure.into_inner().ok().flatten().map_or(Ok(games.into_inner()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_together() {
        let folder = tempfile::tempdir().unwrap();
        let game = format!("[Event \"a\"]\n\n1. e4 {{{}}} e5 *\n\n", "x".repeat(5_000));
        let inputs = [100, 1, 200].map(|games| {
            let path = folder.path().join(format!("{games}.pgn"));
            std::fs::write(&path, game.repeat(games)).unwrap();
            Input::File(path)
        });
        for threads in [1, 2, 5] {
            assert_eq!(count(&inputs, threads, true).unwrap(), 301);
        }
        assert_eq!(count(&[], 2, true).unwrap(), 0);
        let error = count(&[inputs[0].clone(), Input::Stdin], 3, true).unwrap_err();
        assert!(matches!(&error, Error::Uncountable { input } if input == "<stdin>"), "{error:?}");
    }
}
