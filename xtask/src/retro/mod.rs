//! How sound and how sharp retro-analysis is.

use std::path::Path;
use std::thread;
use std::{fs, io};

use babson_pgn::{Games, Needs, Reader, find_boundary};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use crate::about;

pub(crate) mod sharpness;
pub(crate) mod soundness;

/// Random numbers that are the same in every run.
struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(SplitMix64::seed_from_u64(seed))
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }
}

/// How many threads there are to use.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on this many threads, given the thread's number, and hands back all results.
fn parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let running: Vec<_> = (0..count)
            .map(|index| {
                let work = &work;
                scope.spawn(move || work(index))
            })
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, T>| thread.join();
        running
            .into_iter()
            .map(|thread| join(thread).unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Hands the games of a file to `each`, which gets a state of its own on each thread.
fn each_game<T: Default + Send>(
    pgn: &Path,
    each: impl Fn(&mut T, &babson_pgn::Game<'_>) + Sync,
) -> io::Result<Vec<T>> {
    let bytes = fs::read(pgn).map_err(|error| about(pgn, &error))?;
    let count = threads();
    let cut = |index: usize| match index {
        0 => 0,
        _ => find_boundary(&bytes, bytes.len() / count * index).unwrap_or(bytes.len()),
    };
    let cuts: Vec<usize> = (0..count).map(cut).chain([bytes.len()]).collect();
    Ok(parallel(count, |index| {
        let mut state = T::default();
        let mut reader = Reader::new();
        let needs = Needs { variations: true, ..Needs::MAIN_LINE };
        for (_, text) in Games::new(&bytes[cuts[index]..cuts[index + 1]]) {
            each(&mut state, &reader.read(text, needs));
        }
        state
    }))
}
