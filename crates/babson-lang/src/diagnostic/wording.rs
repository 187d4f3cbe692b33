//! The wording of mistakes that several parts of the analysis find.

use super::{Code, Diagnostic, Fix, Help, Span};

/// The word in backticks, as messages quote words of the language.
pub fn quoted(word: &str) -> String {
    format!("`{word}`")
}

impl Diagnostic {
    /// A name that nothing has assigned.
    pub(crate) fn unknown_name(span: Span, name: &str) -> Diagnostic {
        Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`"))
    }

    /// A word that is only a part of filters.
    pub(crate) fn not_a_filter(span: Span, word: &str) -> Diagnostic {
        Diagnostic::new(Code::NotAFilter, span, format!("`{word}` is not a filter"))
    }

    /// A slice of a dictionary.
    pub(crate) fn no_slices(span: Span) -> Diagnostic {
        Diagnostic::new(Code::NotIndexable, span, "a dictionary has no slices")
    }

    /// A position in a dictionary that outlives the game.
    pub(crate) fn stored_position(span: Span) -> Diagnostic {
        let message = "only a `local` dictionary can hold positions";
        Diagnostic::new(Code::StoredPosition, span, message)
    }

    /// A parameter occurs twice; `what` is its quoted word or what it is.
    pub fn duplicate(span: Span, what: &str) -> Diagnostic {
        Diagnostic::new(Code::DuplicateParameter, span, format!("{what} is written twice"))
    }

    /// Two parameters exclude each other; both are quoted words or what they are.
    pub fn excluding(span: Span, one: &str, other: &str) -> Diagnostic {
        let message = format!("{one} cannot be combined with {other}");
        Diagnostic::new(Code::ExcludingParameters, span, message)
    }

    /// The filter `of` does not take the parameter.
    pub(crate) fn not_a_parameter(span: Span, what: &str, of: &str) -> Diagnostic {
        let message = format!("{what} is not a parameter of `{of}`");
        Diagnostic::new(Code::UnknownParameter, span, message)
    }

    /// The parameters of a filter are not complete.
    pub(crate) fn missing(span: Span, word: &str, what: &str) -> Diagnostic {
        Diagnostic::new(Code::MissingParameter, span, format!("`{word}` needs {what}"))
    }

    /// A condition is an operand of what needs a value.
    pub(crate) fn value_needed(span: Span, what: &str) -> Diagnostic {
        let message = format!("{what} needs a value, but this is a condition");
        Diagnostic::new(Code::ConditionAsValue, span, message)
    }

    /// A text is computed, or not in quotes.
    pub(crate) fn literal_needed(span: Span, what: &str) -> Diagnostic {
        Diagnostic::new(Code::NotALiteral, span, format!("{what} must be a string literal"))
    }

    /// A name is of another kind than the query needs; `is` and `wanted` are kinds of names with
    /// their articles.
    pub(crate) fn wrong_kind(span: Span, name: &str, is: &str, wanted: &str) -> Diagnostic {
        let message = format!("`{name}` is {is}, not {wanted}");
        Diagnostic::new(Code::WrongKindOfName, span, message)
    }

    /// What `promote` or a promotion names is not a kind of piece.
    pub(crate) fn not_promotion_pieces(span: Span) -> Diagnostic {
        let message = "a promotion needs a piece designator without squares";
        Diagnostic::new(Code::NotPromotionPieces, span, message)
    }

    /// An opening bracket without a closing one.
    pub(crate) fn never_closed(span: Span, bracket: &str, closing: &str) -> Diagnostic {
        let message = format!("`{bracket}` is never closed");
        let help = format!("write `{closing}` where it ends");
        Diagnostic::new(Code::UnclosedBracket, span, message).with_help(help)
    }

    /// A closing bracket without an opening one.
    pub fn closes_nothing(span: Span, bracket: &str) -> Diagnostic {
        let error =
            Diagnostic::new(Code::UnmatchedBracket, span, format!("`{bracket}` closes nothing"));
        error.with_help(Help::from("remove it").with(Fix::replace(span, "")))
    }

    /// Something else was expected.
    pub fn unexpected(span: Span, found: &str, wanted: &str) -> Diagnostic {
        let message = format!("unexpected `{found}`: expected {wanted}");
        Diagnostic::new(Code::UnexpectedToken, span, message)
    }

    /// `what` is nested more than `most` deep.
    pub fn nested_too_deep(span: Span, what: &str, most: impl std::fmt::Display) -> Diagnostic {
        let message = format!("{what} nested more than {most} deep");
        Diagnostic::new(Code::NestedTooDeep, span, message)
    }

    /// The transforms up to here make more copies than the limit.
    pub fn too_many_copies(span: Span) -> Diagnostic {
        let message = "the transforms up to here make too many copies";
        Diagnostic::new(Code::TooManyCopies, span, message)
    }

    /// Offsets into the query have 32 bits.
    pub fn query_too_long() -> Diagnostic {
        Diagnostic::new(Code::QueryTooLong, Span::default(), "the query is too long")
    }
}
