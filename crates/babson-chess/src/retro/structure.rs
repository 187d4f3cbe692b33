//! The structure of a position: the pawns, the number of pieces of each kind, and some pieces on
//! the first two ranks of each side. It decides whether the arguments on the board refute the
//! position. Positions that are a few moves apart often have the same structure, so the answers for
//! some structures are remembered.

use super::cages;
use super::camp::{Camp, between};
use crate::limits::MAX_REMEMBERED_STRUCTURES;
use crate::{Color, Kind, Position, SquareSet};

/// The properties of a position that the arguments on the board use. The position must be legal,
/// except that there may be too many pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Structure {
    pawns: [u64; 2],
    /// The number of pieces of each color and kind. Bishops on light and on dark squares are
    /// counted separately.
    material: u64,
    /// The squares of relevant pieces on ranks 1, 2, 7 and 8: bishops, rooks, queens, kings, and
    /// then all relevant pieces of White. Knights are never relevant.
    outer: [u32; 5],
    /// Whether rule 11 refutes the position; it can only if all pieces are on the board.
    wrong_parity: bool,
}

impl Structure {
    /// The structure of a position with one king for each side.
    pub(super) fn of(position: &Position, last: &mut RelevantSquares) -> Structure {
        let mut material = 0;
        for color in Color::ALL {
            let bishops = position.pieces(color, Kind::Bishop);
            for pieces in [
                position.pieces(color, Kind::Knight),
                bishops & SquareSet::LIGHT,
                bishops & SquareSet::DARK,
                position.pieces(color, Kind::Rook),
                position.pieces(color, Kind::Queen),
            ] {
                // There are fewer than 64 pieces without the kings.
                material = material << 6 | count(pieces);
            }
        }
        let [white, black] = [Color::White, Color::Black];
        let mut structure = Structure {
            pawns: [position.pieces(white, Kind::Pawn).0, position.pieces(black, Kind::Pawn).0],
            material,
            outer: [0; 5],
            wrong_parity: position.occupied().len() >= 32
                && cages::wrong_parity(
                    position,
                    &Color::ALL.map(|color| Camp::new(position, color)),
                ),
        };
        let squares = last.of(position);
        let outer = |set: u64| set as u32 & 0xffff | (set >> 32) as u32 & 0xffff_0000;
        let kinds = [Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];
        for (index, kind) in kinds.into_iter().enumerate() {
            let pieces = (position.kind(kind) & squares[kind.index()]).0;
            structure.outer[index] = outer(pieces);
            structure.outer[4] |= outer(pieces & position.color(white).0);
        }
        structure
    }

    fn slot(&self) -> usize {
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        let [bishops, rooks, queens, kings, white] = self.outer;
        let mut hash = 0u64;
        for word in [
            self.pawns[0],
            self.pawns[1],
            self.material,
            pair(bishops, rooks),
            pair(queens, kings),
            u64::from(white) | u64::from(self.wrong_parity) << 32,
        ] {
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash >> 52) as usize % MAX_REMEMBERED_STRUCTURES
    }
}

/// The number of squares. For small sets this is faster than [`SquareSet::len`] on processors
/// without an instruction that counts bits.
fn count(set: SquareSet) -> u64 {
    let (mut rest, mut count) = (set.0, 0);
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    count
}

/// The pawns of a position and, by kind, the squares on which pieces are relevant to some argument.
/// They depend on the pawns: each argument is about pieces behind pawns that never moved. The sets
/// may be larger than necessary. Without pawns no square is relevant.
#[derive(Clone, Debug, Default)]
pub(super) struct RelevantSquares {
    pawns: [u64; 2],
    squares: [SquareSet; 6],
}

impl RelevantSquares {
    /// The squares for a position. Consecutive positions mostly have the same pawns.
    pub(super) fn of(&mut self, position: &Position) -> [SquareSet; 6] {
        let pawns = Color::ALL.map(|color| position.pieces(color, Kind::Pawn).0);
        if self.pawns != pawns {
            *self = RelevantSquares { pawns, squares: relevant_behind(pawns) };
        }
        self.squares
    }
}

/// [`RelevantSquares`] for the pawns of White and of Black.
fn relevant_behind(pawns: [u64; 2]) -> [SquareSet; 6] {
    let mut sets = [SquareSet::EMPTY; 6];
    for color in Color::ALL {
        let pawns = pawns[color.index()];
        let pawns = match color {
            Color::White => pawns,
            Color::Black => pawns.swap_bytes(),
        };
        let (home, third) = ((pawns >> 8) as u8, (pawns >> 16) as u8);
        // The relevant squares on the first two ranks of the color, in its view; the low byte is
        // the first rank.
        let mut ranks = [0u16; 4];
        // The files between pawns that never moved.
        let shut = between(home);
        if shut != 0 {
            let closed = u16::from(shut & home);
            ranks[0] = shut.into();
            ranks[1] = closed | u16::from(shut & third) << 8;
            ranks[2] = closed;
            ranks[3] = closed;
            // A rook leaves its corner along the first rank, up to a bishop that bars it, and then
            // along a file without a pawn.
            let open = !(home | third & shut);
            let bishops = shut & 0b0010_0100;
            let way = |near: u8, far: u8, [first, second]: [u8; 2]| {
                if bishops & first != 0 {
                    near
                } else if bishops & second != 0 {
                    far
                } else {
                    0xff
                }
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

/// Structures, each with whether its positions are refuted. It takes memory with the first one.
#[derive(Clone, Debug, Default)]
pub(super) struct Structures(Vec<Option<(Structure, bool)>>);

impl Structures {
    /// The answer for a structure, if it is known.
    pub(super) fn find(&self, structure: &Structure) -> Option<bool> {
        match self.0.get(structure.slot()) {
            Some(Some((known, answer))) if known == structure => Some(*answer),
            Some(Some(_) | None) | None => None,
        }
    }

    /// Remembers the answer, in place of that for another structure.
    pub(super) fn insert(&mut self, structure: Structure, answer: bool) {
        self.0.resize(MAX_REMEMBERED_STRUCTURES, None);
        if let Some(entry) = self.0.get_mut(structure.slot()) {
            *entry = Some((structure, answer));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::retro::{is_legal, legality};
    use crate::tests::Random;
    use crate::{Piece, Rules, Square};

    /// Positions of random games, and boards near them on which two squares were exchanged.
    pub(in crate::retro) fn boards(seed: u64, games: usize, mut check: impl FnMut(&Position)) {
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
    fn without_pawns_no_square_is_relevant() {
        assert_eq!(relevant_behind([0; 2]), [SquareSet::EMPTY; 6]);
    }

    #[test]
    fn irrelevant_pieces_are_not_part_of_the_structure() {
        let structure = |fen: &str| {
            let (position, _) = crate::fen::parse(fen).expect(fen);
            Structure::of(&position, &mut RelevantSquares::default())
        };
        let open = structure("r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 w");
        assert_eq!(open, structure("3r1rk1/5ppp/8/8/4R3/8/5PPP/3R2K1 b"));
        // A confined rook is relevant, and so is a bishop that cannot have come to its square.
        let shut = structure("4k3/8/8/8/8/8/PPPPPPPP/R3K2R w");
        assert_ne!(shut, structure("4k3/8/8/7R/8/8/PPPPPPPP/R3K3 w"));
        // The rook from a1 cannot pass the bishop on f1 and the pawns.
        assert_ne!(
            structure("4k3/8/8/8/8/1P6/P1PPPPP1/R3K3 w"),
            structure("4k3/8/8/8/7R/1P6/P1PPPPP1/4K3 w")
        );
        assert_ne!(
            structure("4k3/8/8/8/8/8/1P1P4/2B1K3 w"),
            structure("4k3/8/8/8/5B2/8/1P1P4/4K3 w")
        );
    }

    #[test]
    fn is_legal_agrees_with_the_reasons() {
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
