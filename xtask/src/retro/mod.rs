//! How sound and how sharp retro-analysis is.

use std::path::Path;
use std::thread;
use std::{fs, io};

use babson_pgn::{Games, Needs, Reader, find_boundary};

use crate::about;

pub(crate) mod sharpness;
pub(crate) mod soundness;

/// A small generator of numbers that only have to look random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
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
