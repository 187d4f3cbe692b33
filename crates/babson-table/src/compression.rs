//! How tables are compressed.

/// How the columns of a table are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all: the file is read without a copy.
    None,
    /// With zstd: the file is smaller, and each column is decompressed to be read. An error without
    /// the feature `zstd`.
    Zstd,
}

/// The level of zstd. Lower levels are faster; from here on, higher ones save little.
pub(crate) const ZSTD_LEVEL: i32 = 7;
