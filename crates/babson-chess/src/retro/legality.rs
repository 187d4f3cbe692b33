//! `legalposition`: whether a board is legal (`docs/src/retro.md#legal`).
//!
//! Only the placement and the side to move matter.

use std::fmt;

use super::format::{self, SquareList, s};
use crate::{Color, Kind, Position, Square, SquareSet};

/// A reason why a position is illegal, in the order in which reasons are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegality {
    /// The color has no king.
    NoKing(Color),
    /// The color has more than one king; the squares of the kings.
    ManyKings(Color, SquareSet),
    /// Both single kings are attacked.
    BothInCheck,
    /// The single king of the side that is not to move is attacked; the other king is not.
    OppositeInCheck(Color),
    /// There are pawns on the rank, 0 or 7; their squares.
    PawnsOnRank(u8, SquareSet),
    /// The color has more than eight pawns; their squares.
    TooManyPawns(Color, SquareSet),
    /// The color has more than fifteen pieces other than kings; how many.
    TooManyPieces(Color, u32),
    /// The initial array with Black to move.
    BlackToStart,
    /// The single king of the side to move is attacked by more than two pieces.
    ManyCheckers {
        /// The color of the king.
        color: Color,
        /// The square of the king.
        king: Square,
        /// The squares of the attackers.
        checkers: SquareSet,
    },
}

impl fmt::Display for Illegality {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use format::color as name;
        match *self {
            Illegality::NoKing(color) => {
                write!(out, "{} King not present on board", name(color))
            }
            Illegality::ManyKings(color, kings) => {
                let color = name(color);
                write!(out, "Multiple {color} Kings on board ({})", SquareList(kings))
            }
            Illegality::BothInCheck => out.write_str("Both sides are in check"),
            Illegality::OppositeInCheck(color) => {
                write!(out, "Opposite side ({}) is in check", name(color))
            }
            Illegality::PawnsOnRank(rank, pawns) => {
                let (s, rank) = (s(pawns.len()), rank + 1);
                write!(out, "Pawn{s} present on Rank {rank} ({})", SquareList(pawns))
            }
            Illegality::TooManyPawns(color, pawns) => {
                let (color, count) = (name(color), pawns.len());
                write!(out, "Too many {color} Pawns ({count}) on board ({})", SquareList(pawns))
            }
            Illegality::TooManyPieces(color, count) => {
                write!(out, "Too many {} pieces ({count}) on board", name(color))
            }
            Illegality::BlackToStart => out.write_str("Black to move in starting position"),
            Illegality::ManyCheckers { color, king, checkers } => write!(
                out,
                "{} King on square {king} is attacked by {} pieces ({})",
                name(color),
                checkers.len(),
                SquareList(checkers)
            ),
        }
    }
}

/// Whether a position is legal. Displays the text of `legalposition`.
///
/// ```
/// use babson_chess::{fen, retro};
/// let (position, _) = fen::parse("4k3/8/8/8/4R3/8/8/K7 w").unwrap();
/// let legality = retro::legality(&position);
/// assert!(!legality.is_legal());
/// assert_eq!(
///     legality.to_string(),
///     "<Illegal position: Opposite side (Black) is in check>"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Legality {
    /// Everything that is wrong, in the order of the text.
    pub reasons: Vec<Illegality>,
}

impl Legality {
    /// Whether nothing is wrong.
    pub fn is_legal(&self) -> bool {
        self.reasons.is_empty()
    }
}

impl fmt::Display for Legality {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        format::verdict(out, ["Legal", "Illegal"], &self.reasons)
    }
}

/// Everything that is wrong with the position.
pub fn legality(position: &Position) -> Legality {
    let mut reasons = Vec::new();
    each(position, &mut |reason| {
        reasons.push(reason);
        true
    });
    Legality { reasons }
}

/// Whether nothing is wrong with the position.
pub fn is_legal(position: &Position) -> bool {
    is_legal_but_for_numbers(position) && !is_crowded(position)
}

/// Whether nothing is wrong with the position, except that it may be [crowded](is_crowded).
pub(super) fn is_legal_but_for_numbers(position: &Position) -> bool {
    if !position.is_ordinary() {
        return checkers_if_kings_are_legal(position).is_some();
    }
    let checkers = match position.in_check() {
        true => position.checkers(),
        false => SquareSet::EMPTY,
    };
    checkers.len() <= 2 && !is_initial_of_black(position)
}

/// Whether a color has more than eight pawns or sixteen pieces.
pub(super) fn is_crowded(position: &Position) -> bool {
    let pawns = position.kind(Kind::Pawn);
    Color::ALL.into_iter().any(|color| {
        let pieces = position.color(color);
        pieces.len() > 16 || (pawns & pieces).len() > 8
    })
}

/// Whether this is the initial array with Black to move.
fn is_initial_of_black(position: &Position) -> bool {
    position.side() == Color::Black && position.same_placement(&Position::start())
}

/// The pieces that give check to the side to move; `None` if the position is illegal. The flags of
/// the position need not be up to date.
pub(super) fn checkers_if_legal(position: &Position) -> Option<SquareSet> {
    checkers_if_kings_are_legal(position).filter(|_| !is_crowded(position))
}

/// [`checkers_if_legal`] without a test of the number of pieces.
fn checkers_if_kings_are_legal(position: &Position) -> Option<SquareSet> {
    let side = position.side();
    let [king, other] = [position.king(side)?, position.king(side.not())?];
    let occupied = position.occupied();
    if position.kind(Kind::Pawn).intersects(SquareSet::BACK_RANKS)
        || !position.attackers_of(side, other, occupied).is_empty()
        || is_initial_of_black(position)
    {
        return None;
    }
    let checkers = position.attackers_of(side.not(), king, occupied);
    (checkers.len() <= 2).then_some(checkers)
}

/// Calls `f` with each reason, in order, until it returns false.
fn each(position: &Position, f: &mut impl FnMut(Illegality) -> bool) -> Option<()> {
    let mut report = |reason| f(reason).then_some(());
    let side = position.side();
    let [pawns, kings] = [Kind::Pawn, Kind::King].map(|kind| position.kind(kind));
    for color in Color::ALL {
        if (kings & position.color(color)).is_empty() {
            report(Illegality::NoKing(color))?;
        }
    }
    for color in Color::ALL {
        let kings = kings & position.color(color);
        if kings.is_many() {
            report(Illegality::ManyKings(color, kings))?;
        }
    }
    let checkers = |color: Color| match position.king(color) {
        Some(king) => position.attackers_of(color.not(), king, position.occupied()),
        None => SquareSet::EMPTY,
    };
    let checkers_of_side = checkers(side);
    if !checkers(side.not()).is_empty() {
        report(match checkers_of_side.is_empty() {
            false => Illegality::BothInCheck,
            true => Illegality::OppositeInCheck(side.not()),
        })?;
    }
    for rank in [0, 7] {
        let pawns = pawns & SquareSet::rank(rank);
        if !pawns.is_empty() {
            report(Illegality::PawnsOnRank(rank, pawns))?;
        }
    }
    for color in Color::ALL {
        let pawns = pawns & position.color(color);
        if pawns.len() > 8 {
            report(Illegality::TooManyPawns(color, pawns))?;
        }
    }
    for color in Color::ALL {
        let pieces = (position.color(color) - kings).len();
        if pieces > 15 {
            report(Illegality::TooManyPieces(color, pieces))?;
        }
    }
    if is_initial_of_black(position) {
        report(Illegality::BlackToStart)?;
    }
    if let Some(king) = position.king(side)
        && checkers_of_side.len() > 2
    {
        report(Illegality::ManyCheckers { color: side, king, checkers: checkers_of_side })?;
    }
    Some(())
}
