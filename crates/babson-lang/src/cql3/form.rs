//! What the grammar of CQL 3 makes: lists, their keywords and values, whatever they mean.

use crate::diagnostic::Span;
use crate::hir::GameResult;

/// A list in parentheses.
#[derive(Clone, Debug)]
pub(crate) struct Form<'s> {
    pub(crate) opening: Opening,
    /// The place of the opening.
    pub(crate) begin: Span,
    /// What stands before the first keyword.
    pub(crate) values: Vec<Value<'s>>,
    pub(crate) phrases: Vec<Phrase<'s>>,
    /// The place of the closing parenthesis; empty if it is missing in the text.
    pub(crate) end: Span,
}

/// How a list begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// `(match`
    Match,
    /// `(position`
    Position,
    /// `(`
    Bare,
}

/// A keyword and all values up to the next one. Not all of them need be its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Phrase<'s> {
    /// The name of the keyword, without the colon.
    pub(crate) name: &'static str,
    /// The place of the keyword.
    pub(crate) span: Span,
    pub(crate) values: Vec<Value<'s>>,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Value<'s> {
    pub(crate) kind: ValueKind<'s>,
    pub(crate) span: Span,
}

/// What a value looks like.
#[derive(Clone, Debug)]
pub(crate) enum ValueKind<'s> {
    Int(i32, &'s str),
    Result(GameResult, &'s str),
    Designator(&'s str),
    Text(&'s str),
    Atom(&'s str),
    List(Form<'s>),
}

impl<'s> Value<'s> {
    /// The list, if the value is one.
    pub(crate) fn list(&self) -> Option<&Form<'s>> {
        match &self.kind {
            ValueKind::List(list) => Some(list),
            ValueKind::Int(..)
            | ValueKind::Result(..)
            | ValueKind::Designator(_)
            | ValueKind::Text(_)
            | ValueKind::Atom(_) => None,
        }
    }

    /// The text of a value that is not a list, without the quotes around it.
    pub(crate) fn name(&self) -> Option<&'s str> {
        match self.kind {
            ValueKind::Int(_, text)
            | ValueKind::Result(_, text)
            | ValueKind::Designator(text)
            | ValueKind::Text(text)
            | ValueKind::Atom(text) => Some(text),
            ValueKind::List(_) => None,
        }
    }

    /// What a message about the value shows: of a list its opening.
    pub(crate) fn place(&self) -> Span {
        self.list().map_or(self.span, |list| list.begin)
    }
}
