//! The types of the language.

/// The type of an expression (docs/src/language/index.md#types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Matches or does not.
    Bool,
    /// A wrapping 32-bit integer.
    Number,
    /// A set of squares; matches when not empty.
    Set,
    /// A string of bytes.
    String,
    /// A position of the game (or, under CQLi, a saved one).
    Position,
    /// The identity of one piece; only variables have this type.
    Piece,
}

impl Type {
    /// The type as the book names it.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Bool => "condition",
            Type::Number => "number",
            Type::Set => "set",
            Type::String => "string",
            Type::Position => "position",
            Type::Piece => "piece",
        }
    }

    /// The type with its article, for messages.
    pub(crate) const fn with_article(self) -> &'static str {
        match self {
            Type::Bool => "a condition",
            Type::Number => "a number",
            Type::Set => "a set of squares",
            Type::String => "a string",
            Type::Position => "a position",
            Type::Piece => "a piece",
        }
    }
}
