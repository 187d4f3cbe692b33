//! Inputs that the caller reads: any `Read`, with a name.

use std::fmt;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

/// A reader as an input, with its name in messages. It can be read once. Clones share the reader.
#[derive(Clone)]
pub struct InputReader {
    name: String,
    /// `None` if the input was opened before.
    reader: Arc<Mutex<Option<Box<dyn Read + Send>>>>,
}

impl InputReader {
    pub(super) fn new(name: String, reader: Box<dyn Read + Send>) -> InputReader {
        InputReader { name, reader: Arc::new(Mutex::new(Some(reader))) }
    }

    /// The name in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The reader, if it was not taken before.
    pub(super) fn take(&self) -> Option<Box<dyn Read + Send>> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for InputReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputReader").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Clones of a reader are equal.
impl PartialEq for InputReader {
    fn eq(&self, other: &InputReader) -> bool {
        Arc::ptr_eq(&self.reader, &other.reader)
    }
}

impl Eq for InputReader {}
