//! The tables against cozy-chess.

use cozy_chess::BitBoard;

use super::*;
use crate::convert::{color_to_cozy, square_to_cozy};
use crate::tests::Random;

#[test]
fn our_leapers_are_those_of_cozy_chess() {
    for square in Square::all() {
        let theirs = square_to_cozy(square);
        assert_eq!(theirs as usize, square.index());
        assert_eq!(knight(square).0, cozy_chess::get_knight_moves(theirs).0);
        assert_eq!(king(square).0, cozy_chess::get_king_moves(theirs).0);
        for color in Color::ALL {
            let attacks = cozy_chess::get_pawn_attacks(theirs, color_to_cozy(color)).0;
            assert_eq!(pawn(color, square).0, attacks);
        }
    }
}

#[test]
fn our_lines_are_those_of_cozy_chess() {
    for a in Square::all() {
        let from = square_to_cozy(a);
        assert_eq!(rook_rays(a).0, cozy_chess::get_rook_rays(from).0);
        assert_eq!(bishop_rays(a).0, cozy_chess::get_bishop_rays(from).0);
        for b in Square::all() {
            let to = square_to_cozy(b);
            assert_eq!(between(a, b).0, cozy_chess::get_between_rays(from, to).0);
            assert_eq!(line(a, b).0, cozy_chess::get_line_rays(from, to).0);
        }
    }
}

/// Every subset of the squares that decide, each with other squares occupied at random.
#[test]
fn our_sliders_are_those_of_cozy_chess() {
    let mut random = Random(7);
    let mut compared = 0;
    for square in Square::all() {
        let theirs = square_to_cozy(square);
        for rays in [rook_rays(square), bishop_rays(square)] {
            for subset in BitBoard(rays.0).iter_subsets() {
                let occupied = BitBoard(subset.0 | random.next() & !rays.0);
                let set = SquareSet(occupied.0);
                let attacks = cozy_chess::get_rook_moves(theirs, occupied).0;
                assert_eq!(rook(square, set).0, attacks, "{square}\n{set}");
                let attacks = cozy_chess::get_bishop_moves(theirs, occupied).0;
                assert_eq!(bishop(square, set).0, attacks, "{square}\n{set}");
                compared += 1;
            }
        }
    }
    // A rook has 14 squares on an empty board, a bishop 7 to 13.
    let bishops: i32 = [(28, 7), (20, 9), (12, 11), (4, 13)].map(|(n, m)| n << m).iter().sum();
    assert_eq!(compared, (64 << 14) + bishops);
}
