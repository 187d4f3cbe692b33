//! Inputs that the caller reads: any `Read`, with a name.

use std::io::Read;

use crate::used_once::UsedOnce;

/// A reader as an input, with its name in messages. It can be read once. Clones share the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputReader(UsedOnce<dyn Read + Send>);

impl InputReader {
    pub(super) fn new(name: String, reader: Box<dyn Read + Send>) -> InputReader {
        InputReader(UsedOnce::new(name, reader))
    }

    /// The name in messages.
    pub(super) fn name(&self) -> &str {
        self.0.name()
    }

    /// The reader, if it was not taken before.
    pub(super) fn take(&self) -> Option<Box<dyn Read + Send>> {
        self.0.take()
    }
}
