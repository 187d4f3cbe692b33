//! `pin` (`docs/src/language/attacks.md`).

use babson_chess::attacks as table;
use babson_chess::{Color, Kind, Square, SquareSet};
use babson_lang::hir::PinValue;

use super::PieceSets;

/// The pinning, pinned or target squares of all pins that fit the three sets.
///
/// A queen, rook or bishop on `from` looks along its line at a square of `to` that is empty or
/// holds a piece of the other color; the only piece in between is of that color and on `through`.
pub fn pin(
    board: &impl PieceSets,
    from: SquareSet,
    through: SquareSet,
    to: SquareSet,
    value: PinValue,
) -> SquareSet {
    let occupied = board.occupied();
    let mut found = SquareSet::EMPTY;
    let mut note = |pinning: Square, pinned: Square, target: Square| {
        found.insert(match value {
            PinValue::From => pinning,
            PinValue::Through => pinned,
            PinValue::To => target,
        });
    };
    for color in Color::ALL {
        let pieces = |kind| board.pieces(color, kind) & from;
        let rooks = pieces(Kind::Rook) | pieces(Kind::Queen);
        let bishops = pieces(Kind::Bishop) | pieces(Kind::Queen);
        let through = through & board.color(color.not());
        let to = to - board.color(color);
        if (rooks | bishops).is_empty() || through.is_empty() || to.is_empty() {
            continue;
        }
        if to.len() <= 2 {
            for target in to {
                let aligned =
                    table::rook_rays(target) & rooks | table::bishop_rays(target) & bishops;
                for pinning in aligned {
                    let blockers = table::between(pinning, target) & occupied;
                    if let Some(pinned) = blockers.single()
                        && through.contains(pinned)
                    {
                        note(pinning, pinned, target);
                    }
                }
            }
            continue;
        }
        for (sliders, reach) in [
            (rooks, table::rook as fn(Square, SquareSet) -> SquareSet),
            (bishops, table::bishop as fn(Square, SquareSet) -> SquareSet),
        ] {
            for pinning in sliders {
                let seen = reach(pinning, occupied);
                for pinned in seen & through {
                    // What comes into sight when the pinned piece is taken away.
                    for target in (reach(pinning, occupied - pinned.into()) - seen) & to {
                        note(pinning, pinned, target);
                    }
                }
            }
        }
    }
    found
}
