//! The output of the CQL 3 grammar: lists of keywords and values, without their meaning.

use babson_lang::Span;
use babson_lang::hir::GameResult;

/// A list in parentheses.
#[derive(Clone, Debug)]
pub(crate) struct Form<'s> {
    pub(crate) opening: Opening,
    /// The span of the opening.
    pub(crate) begin: Span,
    /// The values before the first keyword.
    pub(crate) values: Vec<FormValue<'s>>,
    pub(crate) phrases: Vec<Phrase<'s>>,
    /// The span of the closing parenthesis. It is empty if the text does not have it.
    pub(crate) end: Span,
}

/// The beginning of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// `(match`
    Match,
    /// `(position`
    Position,
    /// `(`
    Bare,
}

/// A keyword and the values up to the next keyword. Some of them may not be its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Phrase<'s> {
    /// The name of the keyword, without the colon.
    pub(crate) name: &'static str,
    /// The span of the keyword.
    pub(crate) span: Span,
    pub(crate) values: Vec<FormValue<'s>>,
}

/// A value with its span.
#[derive(Clone, Debug)]
pub(crate) struct FormValue<'s> {
    pub(crate) kind: ValueKind<'s>,
    pub(crate) span: Span,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum ValueKind<'s> {
    /// An atom with its text, without the quotes around it.
    Atom(AtomKind, &'s str),
    List(Form<'s>),
}

/// The lexical form of an atom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum AtomKind {
    Int(i32),
    Result(GameResult),
    Designator,
    /// A text in quotes.
    Text,
    Other,
}

impl<'s> FormValue<'s> {
    /// The list, if the value is one.
    pub(crate) fn list(&self) -> Option<&Form<'s>> {
        match &self.kind {
            ValueKind::List(list) => Some(list),
            ValueKind::Atom(..) => None,
        }
    }

    /// The text of a value that is not a list, without the quotes around it.
    pub(crate) fn name(&self) -> Option<&'s str> {
        match self.kind {
            ValueKind::Atom(_, text) => Some(text),
            ValueKind::List(_) => None,
        }
    }

    /// The span that a message about the value shows. For a list it is the opening.
    pub(crate) fn shown_span(&self) -> Span {
        self.list().map_or(self.span, |list| list.begin)
    }
}
