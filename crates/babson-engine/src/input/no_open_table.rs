//! In place of open game tables, in a build without them: there are no such values.

use crate::input_error::InputError;

#[derive(Debug)]
pub(crate) enum OpenTable {}

impl OpenTable {
    pub(crate) fn verify(&self) -> Result<(), InputError> {
        match *self {}
    }

    pub(crate) fn rows(&self) -> u64 {
        match *self {}
    }
}
