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
    /// The bytes of each remote table that are kept in memory.
    pub(crate) cache: Option<u64>,
}

impl InputConfig {
    /// `--gamenumber`: no game has a number less than 1.
    pub(crate) fn set_range(&mut self, (low, high): (i64, i64)) {
        self.range = Some((low.max(0).unsigned_abs(), high.max(0).unsigned_abs()));
    }
}

/// The value of `--cache`: a number of bytes, with K, M or G for a power of 1024.
pub(crate) fn bytes(word: &str) -> Result<u64, String> {
    let (digits, shift) = match word.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&word[..word.len() - 1], 10),
        Some(b'M') => (&word[..word.len() - 1], 20),
        Some(b'G') => (&word[..word.len() - 1], 30),
        Some(_) | None => (word, 0),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.ok_or_else(|| format!("'{word}' is not a number of bytes, such as 64M or 1G"))
}
