//! What speaks against a position's past mostly depends on little of the position: the pawns, how
//! many pieces of each kind there are, and what stands on the two outer ranks of either side.
//! Positions that a few moves separate share that, so what it says is kept.

use std::cell::{Cell, RefCell};

use super::cages;
use super::camp::{Camp, between};
use crate::{Color, Kind, Position, SquareSet};

/// How many answers a thread keeps.
const MAX_ANSWERS: usize = 1 << 12;

/// All that the arguments on the board look at, but for those of the last move, of a position that
/// is legal but for the number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    pawns: [u64; 2],
    /// How many there are of each kind; of bishops, of each colour of squares.
    material: u64,
    /// Ranks 1, 2, 7 and 8: where pieces stand that matter (knights never do), and White's.
    outer: [u32; 5],
    /// The parity of moves speaks against the position; it may where all pieces are on the board.
    odd: bool,
}

impl Structure {
    /// Of a position with one king a side.
    pub(super) fn of(position: &Position) -> Structure {
        let mut material = 0;
        for color in Color::ALL {
            let bishops = position.pieces(color, Kind::Bishop);
            for men in [
                position.pieces(color, Kind::Knight),
                bishops & SquareSet::LIGHT,
                bishops & SquareSet::DARK,
                position.pieces(color, Kind::Rook),
                position.pieces(color, Kind::Queen),
            ] {
                // Without the kings there are less than 64.
                material = material << 6 | count(men);
            }
        }
        let [white, black] = [Color::White, Color::Black];
        let mut structure = Structure {
            pawns: [position.pieces(white, Kind::Pawn).0, position.pieces(black, Kind::Pawn).0],
            material,
            outer: [0; 5],
            odd: position.occupied().len() >= 32
                && cages::wrong_parity(
                    position,
                    &Color::ALL.map(|color| Camp::new(position, color)),
                ),
        };
        let squares = relevant(position);
        let outer = |set: u64| set as u32 & 0xffff | (set >> 32) as u32 & 0xffff_0000;
        let kinds = [Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
        for (index, kind) in kinds.into_iter().enumerate() {
            let pieces = (position.kind(kind) & squares[kind.index()]).0;
            structure.outer[index] = outer(pieces);
            structure.outer[4] |= outer(pieces & position.color(white).0);
        }
        structure
    }

    fn place(&self) -> usize {
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        let [bishops, rooks, queens, kings, white] = self.outer;
        let mut hash = 0u64;
        for word in [
            self.pawns[0],
            self.pawns[1],
            self.material,
            pair(bishops, rooks),
            pair(queens, kings),
            u64::from(white) | u64::from(self.odd) << 32,
        ] {
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash >> 52) as usize % MAX_ANSWERS
    }
}

/// How many squares there are: faster than [`SquareSet::len`] if there are few and the processor
/// may lack an instruction for it.
fn count(set: SquareSet) -> u64 {
    let (mut rest, mut count) = (set.0, 0);
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    count
}

/// The squares on which the pieces of each kind matter, as the pawns have it: each of the arguments
/// is about pieces behind pawns that never moved. More than needed do no harm.
pub(super) fn relevant(position: &Position) -> [SquareSet; 6] {
    let pawns = Color::ALL.map(|color| position.pieces(color, Kind::Pawn).0);
    // Positions that are asked about one after the other mostly have the same pawns.
    RELEVANT.with(|last| {
        let (known, squares) = last.get();
        if known == pawns {
            return squares;
        }
        let squares = relevant_behind(pawns);
        last.set((pawns, squares));
        squares
    })
}

/// The same, for the pawns of White and of Black.
fn relevant_behind(pawns: [u64; 2]) -> [SquareSet; 6] {
    let mut sets = [SquareSet::EMPTY; 6];
    for color in Color::ALL {
        let pawns = pawns[color.index()];
        let pawns = match color {
            Color::White => pawns,
            Color::Black => pawns.swap_bytes(),
        };
        let (home, third) = ((pawns >> 8) as u8, (pawns >> 16) as u8);
        // Of this colour's two ranks: the first in the low byte, as it sees the board.
        let mut ranks = [0u16; 4];
        let shut = between(home);
        if shut != 0 {
            let closed = u16::from(shut & home);
            ranks[0] = shut.into();
            ranks[1] = closed | u16::from(shut & third) << 8;
            ranks[2] = closed;
            ranks[3] = closed;
            // A rook gets out of its corner over the first rank, unless a bishop stands in its
            // way, and a file without a pawn.
            let open = !(home | third & shut);
            let bishops = shut & 0b0010_0100;
            let way = |near: u8, far: u8, [first, second]: [u8; 2]| match bishops {
                _ if bishops & first != 0 => near,
                _ if bishops & second != 0 => far,
                _ => 0xff,
            };
            let ways = [
                way(0b0000_0011, 0b0001_1111, [0b0000_0100, 0b0010_0000]),
                way(0b1100_0000, 0b1111_1000, [0b0010_0000, 0b0000_0100]),
            ];
            if ways.iter().any(|way| way & open == 0) {
                ranks[1] = 0xffff;
            }
            if shut & home & 0b1000 != 0 {
                ranks[2] |= 0xff;
            }
            if home << 1 | home >> 1 == 0xff {
                ranks[3] = 0xffff;
            }
        }
        if home ^ third == 0xff {
            ranks[1] = 0xffff;
        }
        let kinds = [Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
        for (kind, ranks) in kinds.into_iter().zip(ranks) {
            sets[kind.index()] |= SquareSet(match color {
                Color::White => u64::from(ranks),
                Color::Black => u64::from(ranks).swap_bytes(),
            });
        }
    }
    sets
}

thread_local! {
    /// The pawns that were asked about last, and their squares. Without pawns no square matters.
    static RELEVANT: Cell<([u64; 2], [SquareSet; 6])> = const { Cell::new(([0; 2], [SquareSet::EMPTY; 6])) };
    static ANSWERS: RefCell<Vec<Option<(Structure, bool)>>> = const { RefCell::new(Vec::new()) };
}

/// The answer to a question about the structure, if it was asked lately; else that of `find`.
pub(super) fn answer(position: &Position, find: impl FnOnce() -> bool) -> bool {
    let structure = Structure::of(position);
    let place = structure.place();
    let known = ANSWERS.with_borrow(|answers| match answers.get(place) {
        Some(Some((known, answer))) if *known == structure => Some(*answer),
        _ => None,
    });
    if let Some(answer) = known {
        return answer;
    }
    let answer = find();
    ANSWERS.with_borrow_mut(|answers| {
        answers.resize(MAX_ANSWERS, None);
        if let Some(slot) = answers.get_mut(place) {
            *slot = Some((structure, answer));
        }
    });
    answer
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::retro::analysis::refuted_by_men;
    use crate::retro::{is_legal, legality};
    use crate::tests::Random;
    use crate::{Piece, Rules, Square};

    /// Positions of random games, and boards near them on which two squares were exchanged.
    pub(in crate::retro) fn boards(seed: u64, games: usize, check: impl Fn(&Position)) {
        let mut random = Random(seed);
        let mut moves = Vec::new();
        for _ in 0..games {
            let mut position = Position::start();
            for _ in 0..120 {
                let mut board = position;
                check(&board);
                for _ in 0..4 {
                    let [a, b] = [(); 2].map(|()| Square::from_index(random.below(64)));
                    let [one, other] = [board.piece_at(a), board.piece_at(b)];
                    let pawn = |piece: Option<Piece>| piece.is_some_and(|p| p.kind == Kind::Pawn);
                    if !pawn(one) && !pawn(other) {
                        board.put(a, other);
                        board.put(b, one);
                        board.refresh();
                        check(&board);
                    }
                }
                moves.clear();
                moves.extend(position.legal_moves(&Rules::STANDARD).iter().copied());
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                position = position.make(mv, &Rules::STANDARD);
            }
        }
    }

    #[test]
    fn the_structure_decides() {
        let asked = std::cell::Cell::new((0, 0));
        boards(5, 60, |board| {
            let (all, refuted) = asked.get();
            if is_legal(board) {
                let expected = refuted_by_men(board);
                assert_eq!(answer(board, || refuted_by_men(board)), expected, "{board:?}");
                asked.set((all + 1, refuted + u32::from(expected)));
            }
        });
        let (all, refuted) = asked.get();
        assert_eq!((all, refuted), (24_311, 1_079));
    }

    #[test]
    fn without_pawns_no_square_matters() {
        assert_eq!(relevant_behind([0; 2]), [SquareSet::EMPTY; 6]);
    }

    #[test]
    fn positions_that_differ_in_what_does_not_matter_are_one() {
        let structure = |fen: &str| Structure::of(&crate::fen::parse(fen).expect(fen).0);
        let open = structure("r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w");
        assert_eq!(open, structure("3r1rk1/5ppp/8/8/4R3/8/5PPP/3R2K1 b"));
        // A rook that is shut in matters, and a bishop that cannot have come there.
        let shut = structure("4k3/8/8/8/8/8/PPPPPPPP/R3K2R w");
        assert_ne!(shut, structure("4k3/8/8/7R/8/8/PPPPPPPP/R3K3 w"));
        assert_ne!(
            structure("4k3/8/8/8/8/8/1P1P4/2B1K3 w"),
            structure("4k3/8/8/8/5B2/8/1P1P4/4K3 w")
        );
    }

    #[test]
    fn a_position_is_legal_if_nothing_is_said_against_it() {
        boards(8, 20, |board| {
            let mut board = *board;
            for _ in 0..2 {
                assert_eq!(is_legal(&board), legality(&board).is_legal(), "{board:?}");
                board.set_side(board.side().not());
            }
        });
        for fen in [
            "8/8/8/8/8/8/8/8 w",
            "kK1k4/8/8/8/8/8/8/8 w",
            "4k3/8/8/8/8/8/8/P3K3 w",
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w",
            "4k3/8/8/NNNNNNNN/NNNNNNNN/8/8/4K3 w",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b",
            "4k3/8/3N1N2/8/4R3/8/8/4K3 b",
        ] {
            let (board, _) = crate::fen::parse(fen).expect(fen);
            assert!(!is_legal(&board) && !legality(&board).is_legal(), "{fen}");
        }
    }
}
