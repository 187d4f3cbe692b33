//! Damage: what is wrong with a game. Damage does not stop the reader.

use std::fmt;

/// Why a part of a game could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DamageReason {
    /// The move is not legal in its position.
    IllegalMove,
    /// Several legal moves fit the text.
    AmbiguousMove,
    /// A word has no meaning in PGN.
    UnknownWord,
    /// `}` without `{`.
    StrayBrace,
    /// `)` without `(`.
    StrayParenthesis,
    /// `{` without `}`: the comment extends to the end of the game.
    UnterminatedComment,
    /// `(` without `)`: the variation extends to the end of the game.
    UnterminatedVariation,
    /// A variation is before the first move of its line.
    VariationBeforeMove,
    /// A tag has no proper end.
    MalformedTag,
    /// The `FEN` tag cannot be read.
    BadFen,
    /// The `Variant` tag has an unknown name.
    UnknownVariant,
    /// There is a NUL byte.
    NulByte,
    /// The game has more positions than the limit of the reader.
    TooManyPositions,
    /// A line has more than 65,535 plies.
    LineTooLong,
    /// The game has more than 4 GiB of text.
    TextTooLong,
    /// There is text after the result that is not a game of its own.
    TextAfterResult,
    /// The game has more than four million comments or glyphs; the others are ignored.
    TooManyAnnotations,
    /// A side castled without the right to it. The move is played; this is only a note
    /// (`docs/src/language/odd-positions.md#castling-without-a-right`).
    CastlingWithoutRight,
}

impl DamageReason {
    /// Whether this is only a note: the game is not damaged.
    pub const fn is_note(self) -> bool {
        matches!(self, DamageReason::CastlingWithoutRight)
    }

    /// Whether the rest of the line (main line or variation) is lost. After other damage the reader
    /// goes on.
    pub(crate) const fn ends_line(self) -> bool {
        matches!(
            self,
            DamageReason::IllegalMove
                | DamageReason::AmbiguousMove
                | DamageReason::UnterminatedComment
                | DamageReason::UnterminatedVariation
                | DamageReason::BadFen
                | DamageReason::UnknownVariant
                | DamageReason::TooManyPositions
                | DamageReason::LineTooLong
                | DamageReason::TextTooLong
        )
    }
}

impl fmt::Display for DamageReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            DamageReason::IllegalMove => "illegal move",
            DamageReason::AmbiguousMove => "ambiguous move",
            DamageReason::UnknownWord => "unknown word",
            DamageReason::StrayBrace => "'}' without '{'",
            DamageReason::StrayParenthesis => "')' without '('",
            DamageReason::UnterminatedComment => "comment without end",
            DamageReason::UnterminatedVariation => "variation without end",
            DamageReason::VariationBeforeMove => "variation before any move",
            DamageReason::MalformedTag => "malformed tag",
            DamageReason::BadFen => "bad FEN",
            DamageReason::UnknownVariant => "unknown variant",
            DamageReason::NulByte => "NUL byte",
            DamageReason::TooManyPositions => "too many positions",
            DamageReason::LineTooLong => "line too long",
            DamageReason::TextTooLong => "game text too long",
            DamageReason::TextAfterResult => "text after the result",
            DamageReason::TooManyAnnotations => "too many comments or glyphs",
            DamageReason::CastlingWithoutRight => "castling without the right to it",
        })
    }
}

/// One damage of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Damage {
    /// The byte offset in the text of the game where the damaged text begins.
    pub start: usize,
    /// The byte offset where it ends.
    pub end: usize,
    /// What is wrong.
    pub reason: DamageReason,
    /// Whether it is in the tags or the main line, not in a variation.
    pub main_line: bool,
}
