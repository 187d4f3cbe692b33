//! What is wrong with a game: errors are data, not control flow.

use std::fmt;

/// Why a game, or a part of it, could not be read as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The move is not possible in its position.
    IllegalMove,
    /// Several moves fit the text.
    AmbiguousMove,
    /// A word that means nothing in PGN.
    UnknownWord,
    /// `}` without `{`.
    StrayBrace,
    /// `)` without `(`.
    StrayParenthesis,
    /// `{` without `}`: the comment reaches to the end of the game.
    UnterminatedComment,
    /// `(` without `)`: the variation reaches to the end of the game.
    UnterminatedVariation,
    /// A variation that stands before any move of its line.
    VariationBeforeMove,
    /// A tag line without a proper end.
    MalformedTag,
    /// The `FEN` tag cannot be read.
    BadFen,
    /// The `Variant` tag names a variant that is not known.
    UnknownVariant,
    /// A NUL byte.
    NulByte,
    /// More positions than the reader's limit.
    TooManyPositions,
    /// A line of more than 65 535 plies.
    LineTooLong,
    /// More than 4 GiB of text.
    TextTooLong,
    /// Text after the result that is no game of its own.
    TextAfterResult,
    /// More than four million comments or glyphs; the rest is ignored.
    TooManyAnnotations,
    /// Castling that the position's rights forbid, played nevertheless: a note, nothing is lost.
    CastlingWithoutRight,
}

impl Reason {
    /// Whether this is only a note: the game is not damaged.
    pub const fn is_note(self) -> bool {
        matches!(self, Reason::CastlingWithoutRight)
    }

    /// Whether the rest of the line (main line or variation) was lost. Other damage is reported
    /// and reading goes on.
    pub const fn ends_line(self) -> bool {
        matches!(
            self,
            Reason::IllegalMove
                | Reason::AmbiguousMove
                | Reason::UnterminatedComment
                | Reason::UnterminatedVariation
                | Reason::BadFen
                | Reason::UnknownVariant
                | Reason::TooManyPositions
                | Reason::LineTooLong
                | Reason::TextTooLong
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::IllegalMove => "illegal move",
            Reason::AmbiguousMove => "ambiguous move",
            Reason::UnknownWord => "unknown word",
            Reason::StrayBrace => "'}' without '{'",
            Reason::StrayParenthesis => "')' without '('",
            Reason::UnterminatedComment => "comment without end",
            Reason::UnterminatedVariation => "variation without end",
            Reason::VariationBeforeMove => "variation before any move",
            Reason::MalformedTag => "malformed tag",
            Reason::BadFen => "bad FEN",
            Reason::UnknownVariant => "unknown variant",
            Reason::NulByte => "NUL byte",
            Reason::TooManyPositions => "too many positions",
            Reason::LineTooLong => "line too long",
            Reason::TextTooLong => "game text too long",
            Reason::TextAfterResult => "text after the result",
            Reason::TooManyAnnotations => "too many comments or glyphs",
            Reason::CastlingWithoutRight => "castling without the right to it",
        })
    }
}

/// One damage of a game. `start..end` are byte offsets into the game's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Damage {
    /// Where the offending text begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is wrong.
    pub reason: Reason,
    /// Whether it stands in the main line (or the tags) and not inside a variation.
    pub main_line: bool,
}
