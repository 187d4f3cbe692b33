//! In place of open game tables, in a build without them: there are no such values.

use crate::error::Error;

#[derive(Debug)]
pub(crate) enum OpenTable {}

impl OpenTable {
    pub(crate) fn verify(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn rows(&self) -> u64 {
        match *self {}
    }
}
