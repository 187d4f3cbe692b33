//! Where the bytes of an output go: a file, many files, standard output.

use std::path::PathBuf;

use crate::pattern::NamePattern;

/// Where bytes go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A file. It is replaced when the run is complete.
    File(PathBuf),
    /// A file to which the output is appended when the run is complete.
    Append(PathBuf),
    /// Many files: one for each name that the pattern gives to a game.
    Split {
        /// The names of the files.
        pattern: NamePattern,
        /// Whether the files are appended to, as with [`Destination::Append`].
        append: bool,
    },
    /// Standard output. On a terminal, control characters are escaped.
    Stdout,
}

impl Destination {
    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Destination::File(path) | Destination::Append(path) => path.display().to_string(),
            Destination::Split { pattern, .. } => pattern.text().to_owned(),
            Destination::Stdout => "stdout".to_owned(),
        }
    }

    /// The pattern of the names, if the output is many files.
    pub(crate) fn pattern(&self) -> Option<&NamePattern> {
        match self {
            Destination::Split { pattern, .. } => Some(pattern),
            Destination::File(_) | Destination::Append(_) | Destination::Stdout => None,
        }
    }
}

/// Where the part of a slice goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartDestination {
    /// A file. It is replaced when the part is complete.
    File(PathBuf),
    /// Standard output.
    Stdout,
}

impl From<&PartDestination> for Destination {
    fn from(part: &PartDestination) -> Destination {
        match part {
            PartDestination::File(path) => Destination::File(path.clone()),
            PartDestination::Stdout => Destination::Stdout,
        }
    }
}

/// How the files of a [`Destination::Split`] are made.
#[derive(Clone, Copy, Debug)]
pub struct SplitRules {
    /// Whether missing folders are created.
    pub create_directories: bool,
    /// Whether a file that already exists is an error.
    pub no_clobber: bool,
    /// How many files are open at a time, at least 1. The others are reopened for their next game.
    pub max_open: usize,
    /// Whether the files are only named and counted. No output of the scan is written then.
    pub dry_run: bool,
}

impl Default for SplitRules {
    fn default() -> SplitRules {
        SplitRules { create_directories: false, no_clobber: false, max_open: 100, dry_run: false }
    }
}
