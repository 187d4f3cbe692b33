//! The choices that type checking rejects in one tree.

use super::{CheckFailure, Choice};
use crate::diagnostic::Diagnostic;

/// The rejected choices, each with the error of its first reading.
#[derive(Default)]
pub(crate) struct Rejections {
    /// The choice at which type checking stops.
    last: Option<(Choice, Diagnostic)>,
    /// Choices in parts that bind no names. Type checking went on after them.
    earlier: Vec<(Choice, Diagnostic)>,
}

impl Rejections {
    /// Rejects the first reading of a choice. Type checking stops, unless it can
    /// [go on](Self::go_on). The first of several choices counts.
    pub(crate) fn reject(&mut self, choice: Choice, error: Diagnostic) {
        self.last.get_or_insert((choice, error));
    }

    /// Whether type checking stops.
    pub(crate) fn stop(&self) -> bool {
        self.last.is_some()
    }

    /// Lets type checking go on after a rejected choice, to find more.
    pub(crate) fn go_on(&mut self) {
        self.earlier.extend(self.last.take());
    }

    /// Whether type checking went on after a rejected choice.
    pub(crate) fn went_on(&self) -> bool {
        !self.earlier.is_empty()
    }

    /// The rejected choices as the result of the check, if there are any.
    pub(crate) fn take(&mut self) -> Option<CheckFailure> {
        self.go_on();
        let (choices, errors): (Vec<_>, Vec<_>) = self.earlier.drain(..).unzip();
        let first = errors.into_iter().next()?;
        Some(CheckFailure::Rejected(choices, Box::new(first)))
    }
}
