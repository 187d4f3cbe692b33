//! The choices between the two readings of a token, and those that type checking rejects in one
//! tree. `speculation` makes them.

use crate::diagnostic::{Diagnostic, Span};

/// What a choice is between: the first reading, which is tried first, and the second one. The tests
/// have an example of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ChoiceKind {
    /// A dash in a `path` has what it touches on its left as its operand, or is another
    /// constituent: `path check--`.
    LeftOperand,
    /// An operator in a `path` belongs to the last constituent, or the path ends before it:
    /// `path -- check > 5`.
    PathOperator,
    /// A `-` after an operand is a difference, or begins a filter: `K -1`.
    Difference,
    /// A name where a range can stand is a bound of it, or the operand: `up s K`.
    Bound,
    /// A `:` after the operand of a parameter ends the parameters, or belongs to the operand:
    /// `move from here:K`.
    OperandColon,
    /// A `[x]` is a capture, or a key or an index: `s[x]`.
    Capture,
    /// A string after a filter in a message is the text that the filter searches for, or an item:
    /// `message(#event "E")`.
    SearchText,
}

impl ChoiceKind {
    /// The choice of this kind at a token.
    pub(crate) fn at(self, token: Span) -> Choice {
        Choice { offset: token.start, kind: self }
    }
}

/// A choice between two readings: its kind, and the offset at which its token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Choice {
    pub(crate) offset: u32,
    kind: ChoiceKind,
}

/// Why a check does not accept a tree.
pub(crate) enum CheckFailure {
    /// The first reading of these choices, at least one. The diagnostic is the error if the second
    /// reading of the first one does not parse.
    Rejected(Vec<Choice>, Box<Diagnostic>),
    /// The errors of the query.
    Errors(Vec<Diagnostic>),
}

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
