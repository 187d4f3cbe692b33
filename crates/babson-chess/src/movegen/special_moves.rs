//! Castling and en passant captures: whether the board allows them.

use crate::{CastlingRights, CastlingSide, Color, Kind, Move, Position, Rules, Square, attacks};

/// The target of an en passant capture and the square of the captured pawn, if the recorded square
/// fits the side to move: it is empty, and an enemy pawn stands in front of it.
pub fn en_passant(position: &Position) -> Option<(Square, Square)> {
    let to = position.ep()?;
    let us = position.side();
    if to.rank() != us.relative_rank(5) || position.occupied().contains(to) {
        return None;
    }
    let victim = Square::at(to.file(), us.relative_rank(4));
    position.pieces(us.not(), Kind::Pawn).contains(victim).then_some((to, victim))
}

/// The castling move of the color to the side, if the right is recorded and castling is possible on
/// the board. The side to move does not matter.
pub(crate) fn castling_move(
    position: &Position,
    rules: &Rules,
    color: Color,
    side: CastlingSide,
) -> Option<Move> {
    if position.castling().0 & CastlingRights::of(color, side).0 == 0 {
        return None;
    }
    let king = position.king(color)?;
    let rook = rules.rook(color, side);
    let in_place = king.rank() == color.back_rank()
        && rook.rank() == king.rank()
        && (rules.chess960 || king.file() == 4)
        && (rook > king) == (side == CastlingSide::King)
        && position.pieces(color, Kind::Rook).contains(rook);
    (in_place && path_is_free(position, color, king, rook)).then(|| Move::castling(king, rook))
}

/// Whether the board allows castling, without regard to castling rights: the king is on e1 or e8
/// and a rook of its color in the corner, the squares between them are empty, and no enemy attacks
/// the square of the king, the one that it passes or its target
/// (`docs/src/language/odd-positions.md#castling-without-a-right`).
pub(crate) fn castling_path_ok(position: &Position, color: Color, side: CastlingSide) -> bool {
    let rank = color.back_rank();
    let corner = Square::at(if side == CastlingSide::King { 7 } else { 0 }, rank);
    let king = Square::at(4, rank);
    position.king(color) == Some(king)
        && position.pieces(color, Kind::Rook).contains(corner)
        && path_is_free(position, color, king, corner)
}

fn path_is_free(position: &Position, color: Color, king: Square, rook: Square) -> bool {
    let mv = Move::castling(king, rook);
    let (Some(king_to), Some(rook_to)) = (mv.king_to(), mv.rook_to()) else {
        return false;
    };
    let king_path = attacks::between(king, king_to) | king_to.into();
    let rook_path = attacks::between(rook, rook_to) | rook_to.into();
    let others = position.occupied() - king.into() - rook.into();
    if others.intersects(king_path | rook_path) {
        return false;
    }
    let attacked =
        |square, occupied| !position.attackers_of(color.not(), square, occupied).is_empty();
    let shelters = position.shelters(color);
    let walk = (attacks::between(king, king_to) | king.into()) - shelters;
    // In Chess960 the rook may have shielded the target of the king: test it after castling.
    let without_king = others | rook.into();
    let castled = others | rook_to.into() | king_to.into();
    !walk.iter().any(|square| attacked(square, without_king))
        && (shelters.contains(king_to) || !attacked(king_to, castled))
}
