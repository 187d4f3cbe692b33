//! Conversions to and from cozy-chess, with which tests compare the attack tables and move
//! generation.

use crate::{
    CastlingRights, CastlingSide, Color, Kind, Move, Piece, Position, Rules, Square, Variant,
};

/// cozy-chess accepts only legal positions, and this position is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cozy-chess cannot hold this position")]
pub(crate) struct NotRepresentable;

const KINDS: [cozy_chess::Piece; 6] = [
    cozy_chess::Piece::Pawn,
    cozy_chess::Piece::Knight,
    cozy_chess::Piece::Bishop,
    cozy_chess::Piece::Rook,
    cozy_chess::Piece::Queen,
    cozy_chess::Piece::King,
];

/// The color as cozy-chess has it.
pub(crate) fn color_to_cozy(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// The square as cozy-chess has it.
pub(crate) fn square_to_cozy(square: Square) -> cozy_chess::Square {
    cozy_chess::Square::index(square.index())
}

/// The square of a square of cozy-chess.
pub(crate) fn square_from_cozy(square: cozy_chess::Square) -> Square {
    Square::from_index(square as usize)
}

/// The move as cozy-chess has it; `None` for the null move.
pub(crate) fn move_to_cozy(mv: Move) -> Option<cozy_chess::Move> {
    (!mv.is_null()).then(|| cozy_chess::Move {
        from: square_to_cozy(mv.from()),
        to: square_to_cozy(mv.raw_to()),
        promotion: mv.promotion().map(|kind| KINDS[kind.index()]),
    })
}

/// The move of a move of cozy-chess, if it is pseudolegal in the position.
pub(crate) fn move_from_cozy(
    mv: cozy_chess::Move,
    position: &Position,
    rules: &Rules,
) -> Option<Move> {
    let moves = position.moves(rules, crate::movegen::MoveSelection::PSEUDOLEGAL);
    moves.iter().copied().find(|&ours| move_to_cozy(ours) == Some(mv))
}

/// The position as a board of cozy-chess.
pub(crate) fn to_cozy(
    position: &Position,
    rules: &Rules,
) -> Result<cozy_chess::Board, NotRepresentable> {
    let mut builder = cozy_chess::BoardBuilder::empty();
    for square in position.occupied() {
        if let Some(Piece { color, kind }) = position.piece_at(square) {
            *builder.square_mut(square_to_cozy(square)) =
                Some((KINDS[kind.index()], color_to_cozy(color)));
        }
    }
    builder.side_to_move = color_to_cozy(position.side());
    for color in Color::ALL {
        let file = |side| {
            let file = rules.rook(color, side).file() as usize;
            position.castling().has(color, side).then(|| cozy_chess::File::index(file))
        };
        let rights = builder.castle_rights_mut(color_to_cozy(color));
        rights.short = file(CastlingSide::King);
        rights.long = file(CastlingSide::Queen);
    }
    builder.en_passant = crate::movegen::en_passant(position).map(|(to, _)| square_to_cozy(to));
    builder.halfmove_clock = position.half_moves().min(100) as u8;
    builder.fullmove_number = position.full_moves().clamp(1, 65535) as u16;
    builder.build().map_err(|_| NotRepresentable)
}

/// The position and the rules of a board of cozy-chess.
pub(crate) fn from_cozy(board: &cozy_chess::Board) -> (Position, Rules) {
    let mut position = Position::empty();
    let mut rules = Rules::STANDARD;
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        for kind in Kind::ALL {
            for square in board.colored_pieces(color_to_cozy(color), KINDS[kind.index()]) {
                position.put(square_from_cozy(square), Some(Piece { color, kind }));
            }
        }
        let theirs = board.castle_rights(color_to_cozy(color));
        for (side, file) in [(CastlingSide::King, theirs.short), (CastlingSide::Queen, theirs.long)]
        {
            if let Some(file) = file {
                let rook = Square::at(file as u8, color.back_rank());
                rights = rights.with(CastlingRights::of(color, side));
                let standard = position.king(color).is_some_and(|king| king.file() == 4);
                if rook != Rules::STANDARD.rook(color, side) || !standard {
                    rules.chess960 = true;
                    rules.variant = Variant::Chess960;
                    position.state |= crate::position::state::ODD_CASTLING;
                }
                rules.rooks[color.index() * 2 + side as usize] = rook;
            }
        }
    }
    position.set_side(match board.side_to_move() {
        cozy_chess::Color::White => Color::White,
        cozy_chess::Color::Black => Color::Black,
    });
    position.set_castling(rights);
    let ep_rank = position.side().relative_rank(5);
    position.set_ep(board.en_passant().map(|file| Square::at(file as u8, ep_rank)));
    position.set_half_moves(u32::from(board.halfmove_clock()));
    position.set_full_moves(u32::from(board.fullmove_number()));
    (position, rules)
}
