//! Literals that several stages share: contents of squares, results of games, and NAGs.

use std::fmt;

use babson_chess::SquareSet;

/// Piece content of a square, as a bit set: bit `color * 6 + kind` (White 0, Black 1; pawn 0 … king
/// 5), bit 12 for the empty square. It prints as the piece part of a designator
/// (docs/src/language/pieces.md).
///
/// ```
/// use babson_lang::hir::Content;
///
/// assert_eq!(Content::WHITE.to_string(), "A");
/// assert_eq!(Content(Content::BLACK.0 | 0b1010).to_string(), "[aNR]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Content(pub u16);

impl Content {
    /// The letters in bit order; `_` is the empty square.
    pub const LETTERS: &'static [u8; 13] = b"PNBRQKpnbrqk_";
    /// Any white piece (`A`).
    pub const WHITE: Content = Content(0b11_1111);
    /// Any black piece (`a`).
    pub const BLACK: Content = Content(0b11_1111 << 6);
    /// The empty square (`_`).
    pub const EMPTY: Content = Content(1 << 12);
    /// Any content, including the empty square (`[Aa_]`).
    pub const ANY: Content = Content(0x1fff);

    /// The content that one of [`Content::LETTERS`] stands for.
    pub fn of_letter(letter: u8) -> Option<Content> {
        let bit = Content::LETTERS.iter().position(|&known| known == letter)?;
        Some(Content(1 << bit))
    }

    /// Exchanges White and Black; the empty square is unchanged.
    pub fn swap_colors(self) -> Content {
        Content(((self.0 & 0x3f) << 6) | ((self.0 >> 6) & 0x3f) | (self.0 & (1 << 12)))
    }
}

impl fmt::Display for Content {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = String::new();
        let mut left = self.0;
        for (all, letter) in [(Content::WHITE.0, 'A'), (Content::BLACK.0, 'a')] {
            if left & all == all {
                letters.push(letter);
                left &= !all;
            }
        }
        for (bit, &letter) in Content::LETTERS.iter().enumerate() {
            if left >> bit & 1 == 1 {
                letters.push(char::from(letter));
            }
        }
        if letters.len() == 1 { out.write_str(&letters) } else { write!(out, "[{letters}]") }
    }
}

/// A game result that a query can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 3] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];

    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The result with this spelling.
    pub fn of_name(name: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.name() == name)
    }

    /// Exchanges White and Black.
    pub(crate) fn swap_colors(self) -> GameResult {
        match self {
            GameResult::WhiteWins => GameResult::BlackWins,
            GameResult::BlackWins => GameResult::WhiteWins,
            GameResult::Draw => GameResult::Draw,
        }
    }
}

/// The names of the squares of a mask (bit 0 = a1, bit 63 = h8) in that order.
pub fn square_names(mask: u64) -> Vec<String> {
    SquareSet(mask).iter().map(|square| square.to_string()).collect()
}

/// The number of a NAG in the syntax of `originalcomment`. The error is for a text that has the
/// form of a NAG and an invalid number.
pub(crate) fn nag_number(text: &str) -> Option<Result<u8, ()>> {
    let n = match text {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "=" => 10,
        "+/=" => 14,
        "=/+" => 15,
        "+/-" => 16,
        "-/+" => 17,
        "+-" => 18,
        "-+" => 19,
        _ => {
            let digits = text.strip_prefix('$')?;
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            return Some(digits.parse().ok().filter(|&n| n > 0).ok_or(()));
        }
    };
    Some(Ok(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nags() {
        assert_eq!(nag_number("!"), Some(Ok(1)));
        assert_eq!(nag_number("-+"), Some(Ok(19)));
        assert_eq!(nag_number("$146"), Some(Ok(146)));
        assert_eq!(nag_number("$0"), Some(Err(())));
        assert_eq!(nag_number("$256"), Some(Err(())));
        assert_eq!(nag_number("main"), None);
        assert_eq!(nag_number("$"), None);
    }
}
