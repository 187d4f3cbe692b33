//! Damage: what is wrong with a game. Damage does not stop the reader.

use std::fmt;

/// Makes the enum of a table: each reason with its sentence.
macro_rules! damage_reasons {
    ($($(#[$doc:meta])* $name:ident = $sentence:literal,)*) => {
        /// Why a part of a game could not be read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum DamageReason {
            $($(#[$doc])* $name,)*
        }

        impl DamageReason {
            /// All reasons.
            pub const ALL: &[DamageReason] = &[$(DamageReason::$name),*];

            /// What is wrong, in a few words, as its [`Display`](fmt::Display) has it.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(DamageReason::$name => $sentence,)*
                }
            }
        }
    };
}

damage_reasons! {
    /// The move is not legal in its position.
    IllegalMove = "illegal move",
    /// Several legal moves fit the text.
    AmbiguousMove = "ambiguous move",
    /// A word has no meaning in PGN.
    UnknownWord = "unknown word",
    /// `}` without `{`.
    StrayBrace = "'}' without '{'",
    /// `)` without `(`.
    StrayParenthesis = "')' without '('",
    /// `{` without `}`: the comment extends to the end of the game.
    UnterminatedComment = "comment without end",
    /// `(` without `)`: the variation extends to the end of the game.
    UnterminatedVariation = "variation without end",
    /// A variation is before the first move of its line.
    VariationBeforeMove = "variation before any move",
    /// A tag has no proper end.
    MalformedTag = "malformed tag",
    /// The `FEN` tag cannot be read.
    BadFen = "bad FEN",
    /// The `Variant` tag has an unknown name.
    UnknownVariant = "unknown variant",
    /// There is a NUL byte.
    NulByte = "NUL byte",
    /// The game has more positions than the limit of the reader.
    TooManyPositions = "too many positions",
    /// A line has more than 65,535 plies.
    LineTooLong = "line too long",
    /// The game has more than 4 GiB of text.
    TextTooLong = "game text too long",
    /// There is text after the result that is not a game of its own.
    TextAfterResult = "text after the result",
    /// The game has more than four million comments or glyphs; the others are ignored.
    TooManyAnnotations = "too many comments or glyphs",
    /// A side castled without the right to it. The move is played; this is only a note
    /// (`docs/src/language/odd-positions.md#castling-without-a-right`).
    CastlingWithoutRight = "castling without the right to it",
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
        out.write_str(self.sentence())
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
