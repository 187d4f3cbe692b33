//! `attacks` and `attackedby` (`docs/src/language/attacks.md`).
//!
//! The attacks of leapers are shifts of whole sets. Those of sliders take one lookup for each
//! piece, or for each target if there are fewer targets.

use babson_chess::attacks as table;
use babson_chess::{Color, Direction, Kind, Square, SquareSet};

use super::PieceSets;

/// All squares a knight's move away from some square of the set.
#[inline(always)]
pub fn knight_steps(set: SquareSet) -> SquareSet {
    let (east, west) = (set.shift(Direction::East), set.shift(Direction::West));
    let near = east | west;
    let far = east.shift(Direction::East) | west.shift(Direction::West);
    let far_up = far.shift(Direction::North) | far.shift(Direction::South);
    far_up | SquareSet(near.0 << 16 | near.0 >> 16)
}

/// All squares adjacent to some square of the set.
#[inline(always)]
pub fn king_steps(set: SquareSet) -> SquareSet {
    let row = set.shift(Direction::East) | set.shift(Direction::West);
    let wide = row | set;
    row | wide.shift(Direction::North) | wide.shift(Direction::South)
}

/// All squares attacked by pawns of the color on the set.
#[inline(always)]
pub fn pawn_attacks(color: Color, set: SquareSet) -> SquareSet {
    let wide = set.shift(Direction::East) | set.shift(Direction::West);
    match color {
        Color::White => wide.shift(Direction::North),
        Color::Black => wide.shift(Direction::South),
    }
}

/// All pieces of both colors that attack the square. `occupied` decides how far sliders reach, the
/// board what pieces there are.
#[inline]
pub fn attackers_to(board: &impl PieceSets, square: Square, occupied: SquareSet) -> SquareSet {
    let pawns = table::pawn(Color::Black, square) & board.pieces(Color::White, Kind::Pawn)
        | table::pawn(Color::White, square) & board.pieces(Color::Black, Kind::Pawn);
    pawns
        | table::knight(square) & board.kind(Kind::Knight)
        | table::king(square) & board.kind(Kind::King)
        | table::rook(square, occupied) & board.orthogonal()
        | table::bishop(square, occupied) & board.diagonal()
}

/// Whether the king of the color is attacked; false for a side without exactly one king.
#[inline]
pub fn in_check(board: &impl PieceSets, color: Color) -> bool {
    board.king(color).is_some_and(|king| {
        attackers_to(board, king, board.occupied()).intersects(board.color(color.not()))
    })
}

/// What the piece on the square attacks; nothing for an empty square.
#[inline]
pub fn from_square(board: &impl PieceSets, square: Square) -> SquareSet {
    let [orthogonal, diagonal] =
        [board.orthogonal(), board.diagonal()].map(|set| set.contains(square));
    if orthogonal || diagonal {
        let occupied = board.occupied();
        let straight = if orthogonal { table::rook(square, occupied) } else { SquareSet::EMPTY };
        let slanting = if diagonal { table::bishop(square, occupied) } else { SquareSet::EMPTY };
        straight | slanting
    } else if board.kind(Kind::Knight).contains(square) {
        table::knight(square)
    } else if board.kind(Kind::King).contains(square) {
        table::king(square)
    } else if board.pieces(Color::White, Kind::Pawn).contains(square) {
        table::pawn(Color::White, square)
    } else if board.pieces(Color::Black, Kind::Pawn).contains(square) {
        table::pawn(Color::Black, square)
    } else {
        SquareSet::EMPTY
    }
}

/// What the knights, kings and pawns among the pieces attack.
#[inline(always)]
pub(crate) fn leaper_map(board: &impl PieceSets, from: SquareSet) -> SquareSet {
    let pawns = |color| pawn_attacks(color, from & board.pieces(color, Kind::Pawn));
    pawns(Color::White)
        | pawns(Color::Black)
        | knight_steps(from & board.kind(Kind::Knight))
        | king_steps(from & board.kind(Kind::King))
}

/// All squares that some piece of the set attacks.
pub fn map(board: &impl PieceSets, from: SquareSet) -> SquareSet {
    let occupied = board.occupied();
    let mut sum = leaper_map(board, from);
    for square in from & board.orthogonal() {
        sum |= table::rook(square, occupied);
    }
    for square in from & board.diagonal() {
        sum |= table::bishop(square, occupied);
    }
    sum
}

/// The squares of `from` with a piece that attacks some square of `to`.
pub fn attacks(board: &impl PieceSets, from: SquareSet, to: SquareSet) -> SquareSet {
    let from = from & board.occupied();
    if from.is_empty() || to.is_empty() {
        return SquareSet::EMPTY;
    }
    let occupied = board.occupied();
    if let Some(square) = from.single() {
        let hits = from_square(board, square).intersects(to);
        return if hits { from } else { SquareSet::EMPTY };
    }
    if let Some(target) = to.single() {
        return attackers_to(board, target, occupied) & from;
    }
    // A pawn attacks the target from where a pawn of the other color on the target would attack.
    let pawns =
        |color: Color| pawn_attacks(color.not(), to) & from & board.pieces(color, Kind::Pawn);
    let mut found = pawns(Color::White)
        | pawns(Color::Black)
        | knight_steps(to) & from & board.kind(Kind::Knight)
        | king_steps(to) & from & board.kind(Kind::King);
    let (rooks, bishops) = (from & board.orthogonal(), from & board.diagonal());
    // Look up the attacks of the smaller set.
    if has_no_more(to, rooks) {
        for square in to {
            found |= table::rook(square, occupied) & rooks;
        }
    } else {
        for square in rooks {
            if table::rook(square, occupied).intersects(to) {
                found.insert(square);
            }
        }
    }
    if has_no_more(to, bishops) {
        for square in to {
            found |= table::bishop(square, occupied) & bishops;
        }
    } else {
        for square in bishops {
            if table::bishop(square, occupied).intersects(to) {
                found.insert(square);
            }
        }
    }
    found
}

/// Whether `a` has at most as many squares as `b`. It takes as many steps as the smaller set has
/// squares, which is usually less than to count the bits of both.
#[inline]
fn has_no_more(mut a: SquareSet, mut b: SquareSet) -> bool {
    loop {
        if a.is_empty() {
            return true;
        }
        if b.is_empty() {
            return false;
        }
        a.0 &= a.0 - 1;
        b.0 &= b.0 - 1;
    }
}

/// The squares of `targets` that some piece of `attackers` attacks.
pub fn attacked_by(board: &impl PieceSets, targets: SquareSet, attackers: SquareSet) -> SquareSet {
    let attackers = attackers & board.occupied();
    if targets.is_empty() || attackers.is_empty() {
        return SquareSet::EMPTY;
    }
    let occupied = board.occupied();
    if let Some(square) = attackers.single() {
        return from_square(board, square) & targets;
    }
    if let Some(target) = targets.single() {
        let hit = attackers_to(board, target, occupied).intersects(attackers);
        return if hit { targets } else { SquareSet::EMPTY };
    }
    let mut found = leaper_map(board, attackers) & targets;
    let rooks = attackers & board.orthogonal();
    let bishops = attackers & board.diagonal();
    let left = targets - found;
    if has_no_more(left, rooks) && has_no_more(left, bishops) {
        for square in left {
            if table::rook(square, occupied).intersects(rooks)
                || table::bishop(square, occupied).intersects(bishops)
            {
                found.insert(square);
            }
        }
    } else {
        for square in rooks {
            found |= table::rook(square, occupied) & left;
        }
        for square in bishops {
            found |= table::bishop(square, occupied) & left;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_sets_are_compared() {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (!0, !0), (!0, !1), (!1, !0), (0b101, 1 << 63)] {
            let (a, b) = (SquareSet(a), SquareSet(b));
            assert_eq!(has_no_more(a, b), a.len() <= b.len(), "{a:?} {b:?}");
        }
    }
}
