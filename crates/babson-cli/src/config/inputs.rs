//! Which games are read.

use std::ffi::OsString;
use std::path::PathBuf;

/// Which games are read, and how.
#[derive(Default)]
pub(crate) struct InputConfig {
    /// The inputs that the command line names.
    pub(crate) names: Vec<OsString>,
    /// Whether plain files are read instead of mapped.
    pub(crate) unmapped: bool,
    /// Whether games that are equal to earlier ones are left out.
    pub(crate) unique: bool,
    /// The folder of the parts of finished slices.
    pub(crate) resume: Option<PathBuf>,
    /// The numbers of the first and the last game.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) skip_unknown_variants: bool,
}

impl InputConfig {
    /// `--gamenumber`: no game has a number less than 1.
    pub(crate) fn set_range(&mut self, (low, high): (i64, i64)) {
        self.range = Some((low.max(0).unsigned_abs(), high.max(0).unsigned_abs()));
    }
}
