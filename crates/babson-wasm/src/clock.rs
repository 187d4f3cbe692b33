//! The time of work that is done in slices.

/// The clock of such work, in milliseconds. The caller gives the time: the crate has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SliceClock {
    /// How long all of it may take.
    timeout: Option<f64>,
    /// The time of the first slice.
    began: Option<f64>,
    /// When the slice ends.
    slice_end: f64,
    now: f64,
}

impl SliceClock {
    /// The clock of work that may take this number of seconds.
    pub(crate) fn new(timeout: Option<f64>) -> SliceClock {
        let timeout = timeout.map(|seconds| seconds * 1000.0);
        SliceClock { timeout, ..SliceClock::default() }
    }

    /// Begins a slice.
    pub(crate) fn begin(&mut self, milliseconds: f64, now: f64) {
        self.began.get_or_insert(now);
        self.slice_end = now + milliseconds;
        self.now = now;
    }

    /// Notes the time.
    pub(crate) fn look(&mut self, now: f64) {
        self.now = now;
    }

    /// Whether the slice is over.
    pub(crate) fn is_over(&self) -> bool {
        self.now >= self.slice_end
    }

    /// Whether all of it has taken longer than it may.
    pub(crate) fn is_late(&self) -> bool {
        self.timeout.is_some_and(|timeout| self.milliseconds() >= timeout)
    }

    /// Seconds since the first slice began.
    pub(crate) fn seconds(&self) -> f64 {
        self.milliseconds() / 1000.0
    }

    fn milliseconds(&self) -> f64 {
        self.began.map_or(0.0, |began| self.now - began)
    }
}
