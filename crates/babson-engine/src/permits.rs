//! Permits, which bound how many chunks are in progress.
//!
//! A chunk is taken only with a permit, and its permit returns when its results were taken in the
//! order of the chunks. So few results wait for an earlier one, whatever the size of the inputs.

use crate::channels::{Receiver, Sender, bounded};

/// The permits of this number of threads, and where they return to. Threads that wait for a permit
/// end when the sender is dropped.
pub(crate) fn permits(threads: usize) -> (Sender<()>, Receiver<()>) {
    let count = 2 * threads + 2;
    let (permit_return, permits) = bounded(count);
    for _ in 0..count {
        // The channel has room for all permits.
        let _ = permit_return.try_send(());
    }
    (permit_return, permits)
}
