//! Reading and writing SAN.
//!
//! There are two paths for reading. [`step`], the fast path, reads ordinary tokens without a list
//! of moves, and gives up on all others. [`read`], the careful path, accepts every spelling and
//! reports what is wrong.

mod careful;
mod fast;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub use careful::read;
pub use fast::{fast, step, step_word};
pub use text::SanText;
pub use write::{write, write_between, write_in_line};

use crate::{Move, Position, Rules};

/// Why a token is not a move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SanError {
    /// The token has the form of a move, but no legal move fits.
    #[error("illegal move")]
    IllegalMove,
    /// More than one legal move fits.
    #[error("ambiguous move")]
    Ambiguous,
    /// The token does not have the form of a move.
    #[error("unreadable move")]
    Unreadable,
}

/// A move that was read from a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsedMove {
    /// The move.
    pub mv: Move,
    /// Whether this is castling that the rights of the position forbid but its board allows
    /// (`docs/src/language/odd-positions.md#castling-without-a-right`).
    pub without_right: bool,
}

/// The move of a token, read on the careful path.
///
/// ```
/// use babson_chess::{san, Move, Position, Rules, SanError, Square};
/// let (start, rules) = (Position::start(), Rules::STANDARD);
/// assert_eq!(san::parse(&start, &rules, b"Ng1-f3!").unwrap().to().to_string(), "f3");
/// assert_eq!(san::parse(&start, &rules, b"--"), Ok(Move::NULL));
/// assert_eq!(san::parse(&start, &rules, b"e5"), Err(SanError::IllegalMove));
/// assert_eq!(san::parse(&start, &rules, b"hello"), Err(SanError::Unreadable));
/// ```
pub fn parse(position: &Position, rules: &Rules, token: &[u8]) -> Result<Move, SanError> {
    read(position, rules, token).map(|read| read.mv)
}

/// Reads the move of a token and sets `next` to the position after it. Uses the fast path if it can
/// read the token, else the careful one. After an error `next` is unspecified.
#[inline]
pub fn play(
    position: &Position,
    rules: &Rules,
    token: &[u8],
    next: &mut Position,
) -> Result<ParsedMove, SanError> {
    if let Some(mv) = step(position, token, next) {
        return Ok(ParsedMove { mv, without_right: false });
    }
    play_carefully(position, rules, token, next)
}

#[cold]
fn play_carefully(
    position: &Position,
    rules: &Rules,
    token: &[u8],
    next: &mut Position,
) -> Result<ParsedMove, SanError> {
    let read = read(position, rules, token)?;
    *next = position.make(read.mv, rules);
    Ok(read)
}
