//! Values that a forked process does not share with the process that it was forked from.

use std::mem;
use std::sync::OnceLock;

/// A value of this process.
///
/// A forked process has none of the other threads of the process before it: what it waits for them
/// to do never happens, and the locks that they held stay locked. So it gets a value of its own and
/// leaves the other one alone.
#[derive(Default)]
pub(super) struct PerProcess<T> {
    /// The value, and the process that it belongs to.
    own: OnceLock<(u32, T)>,
    /// The values of processes that were forked later.
    next: OnceLock<Box<PerProcess<T>>>,
}

impl<T: Default> PerProcess<T> {
    pub(super) const fn new() -> PerProcess<T> {
        PerProcess { own: OnceLock::new(), next: OnceLock::new() }
    }

    /// The value of this process, at first the default one. The default must be made in no time,
    /// since the process may be forked meanwhile.
    pub(super) fn get(&self) -> &T {
        let process = std::process::id();
        let mut at = self;
        loop {
            let (owner, value) = at.own.get_or_init(|| (process, T::default()));
            if *owner == process {
                return value;
            }
            at = at.next.get_or_init(|| Box::new(PerProcess::new()));
        }
    }
}

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        // The value of another process is not dropped: that might wait for a thread of it.
        if let Some((_, value)) = self.own.take().filter(|(owner, _)| *owner != std::process::id())
        {
            mem::forget(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_value_of_another_process_is_left_alone() {
        let other = Arc::new(());
        let own = OnceLock::from((std::process::id() + 1, Some(Arc::clone(&other))));
        let values = PerProcess { own, next: OnceLock::new() };
        assert!(values.get().is_none());
        assert!(std::ptr::eq(values.get(), values.get()));
        drop(values);
        assert_eq!(Arc::strong_count(&other), 2);
    }
}
