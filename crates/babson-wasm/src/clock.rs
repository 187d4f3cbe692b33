//! The time of work that is done in slices.

use crate::limits::STEPS_A_LOOK;

/// The clock of such work, in milliseconds. The caller gives the time: the crate has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SliceClock {
    /// How long all of it may take.
    timeout: Option<f64>,
    /// The time of the first slice.
    began: Option<f64>,
    /// The time of the last look at the clock.
    now: f64,
}

/// How a slice has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceEnd {
    /// The work is done.
    Done,
    /// All of it has taken longer than it may.
    Late,
    /// The time of the slice is over.
    Over,
}

impl SliceClock {
    /// The clock of work that may take this number of seconds.
    pub(crate) fn new(timeout: Option<f64>) -> SliceClock {
        let timeout = timeout.map(|seconds| seconds * 1000.0);
        SliceClock { timeout, ..SliceClock::default() }
    }

    /// Does a slice of the work. `step` does a bit of it, and says whether all is done. Some steps
    /// are done even if the time is up.
    pub(crate) fn slice(
        &mut self,
        milliseconds: f64,
        now: &dyn Fn() -> f64,
        mut step: impl FnMut() -> bool,
    ) -> SliceEnd {
        let begin = now();
        self.began.get_or_insert(begin);
        loop {
            let is_done = (0..STEPS_A_LOOK).any(|_| step());
            self.now = now();
            if is_done {
                return SliceEnd::Done;
            }
            if self.timeout.is_some_and(|timeout| self.milliseconds() >= timeout) {
                return SliceEnd::Late;
            }
            if self.now >= begin + milliseconds {
                return SliceEnd::Over;
            }
        }
    }

    /// Seconds since the first slice began.
    pub(crate) fn seconds(&self) -> f64 {
        self.milliseconds() / 1000.0
    }

    fn milliseconds(&self) -> f64 {
        self.began.map_or(0.0, |began| self.now - began)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_slice_ends_with_the_work_or_with_its_time() {
        let time = Cell::new(0.0);
        let now = || {
            time.set(time.get() + 1.0);
            time.get()
        };
        let mut clock = SliceClock::new(Some(0.01));
        let mut steps = 0;
        let end = clock.slice(2.0, &now, || {
            steps += 1;
            false
        });
        assert_eq!((end, steps), (SliceEnd::Over, 2 * STEPS_A_LOOK));
        assert_eq!(clock.slice(2.0, &now, || true), SliceEnd::Done);
        assert_eq!(clock.seconds(), 0.004);
        assert_eq!(clock.slice(100.0, &now, || false), SliceEnd::Late);
        assert_eq!(clock.slice(100.0, &now, || true), SliceEnd::Done);
    }
}
