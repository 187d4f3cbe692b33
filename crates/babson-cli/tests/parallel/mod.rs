//! Checking many cases on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `check` says of the cases that are wrong, in the order of the cases.
pub(crate) fn failures<C: Sync>(
    cases: &[C],
    check: impl Fn(&C) -> Result<(), String> + Sync,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else {
                        return;
                    };
                    if let Err(message) = check(case) {
                        failures.lock().expect("no worker panics").push((index, message));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    failures.into_iter().map(|(_, message)| message).collect()
}
