//! The limits of the crate, with their reasons.

/// Bytes of a project file. One with every setting has a few hundred.
pub const MAX_PROJECT_FILE: usize = 1 << 20;

/// The mistakes of a project file that are reported. More are hardly read.
pub const MAX_PROBLEMS: usize = 20;
