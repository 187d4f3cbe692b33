//! SAN, read on two paths and written.
//!
//! [`step`] decodes ordinary tokens without lists and answers yes or 'look again'; [`read`] is
//! the careful path that takes every spelling and says what is wrong.

mod careful;
mod fast;
#[cfg(test)]
mod tests;
mod write;

pub use careful::read;
pub use fast::{fast, step, step_word};
pub use write::{write, write_between, write_into};

use crate::{Move, Position, Rules};

/// Why a token is no move of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SanError {
    /// It is written like a move, but no legal move fits.
    #[error("illegal move")]
    IllegalMove,
    /// More than one legal move fits.
    #[error("ambiguous move")]
    Ambiguous,
    /// It is not written like a move.
    #[error("unreadable move")]
    Unreadable,
}

/// A move and how it was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The move.
    pub mv: Move,
    /// Castling that the position's rights forbid but its geometry allows
    /// (evaluation-and-output.md, section 9).
    pub without_right: bool,
}

/// The move of a token, by the careful path.
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

/// Plays a token into `next`: by the fast path if it will do, else by the careful one. `next`
/// is left unspecified on error.
#[inline]
pub fn play(
    position: &Position,
    rules: &Rules,
    token: &[u8],
    next: &mut Position,
) -> Result<Read, SanError> {
    if let Some(mv) = step(position, token, next) {
        return Ok(Read { mv, without_right: false });
    }
    play_carefully(position, rules, token, next)
}

#[cold]
fn play_carefully(
    position: &Position,
    rules: &Rules,
    token: &[u8],
    next: &mut Position,
) -> Result<Read, SanError> {
    let read = read(position, rules, token)?;
    *next = position.make(read.mv, rules);
    Ok(read)
}
