//! Why a command line cannot be read.

/// Why a command line, or the file of default options, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OptionError {
    /// A word is wrong. One sentence.
    Usage(String),
    /// The file of default options cannot be read.
    Unreadable(String),
}
