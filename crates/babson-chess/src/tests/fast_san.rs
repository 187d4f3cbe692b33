//! The fast path of SAN, against a definition of the tokens that it reads.

use super::Random;
use crate::{Color, Kind, Move, MoveList, Piece, Position, Rules, Square, SquareSet, san};

const PIECES: [(char, Kind); 5] = [
    ('N', Kind::Knight),
    ('B', Kind::Bishop),
    ('R', Kind::Rook),
    ('Q', Kind::Queen),
    ('K', Kind::King),
];

/// The files and ranks by their names, and all squares without a name.
fn hints() -> Vec<(String, SquareSet)> {
    let mut hints = vec![(String::new(), SquareSet::ALL)];
    for i in 0..8 {
        hints.push((char::from(b'a' + i).into(), SquareSet::file(i)));
        hints.push((char::from(b'1' + i).into(), SquareSet::rank(i)));
    }
    hints
}

/// The move of a piece if it alone can reach the target, and if the move is legal.
fn piece_move(
    position: &Position,
    legal: &MoveList,
    origins: SquareSet,
    kind: Kind,
    to: Square,
) -> Option<Move> {
    let from = origins & position.pieces(position.side(), kind) & attackers(position, to);
    let mv = Move::normal(from.single()?, to);
    legal.contains(&mv).then_some(mv)
}

fn attackers(position: &Position, to: Square) -> SquareSet {
    position.attackers_to(to, position.occupied())
}

/// The legal move of a pawn from the file, except promotions and en passant.
fn pawn_move(position: &Position, legal: &MoveList, file: u8, to: Square) -> Option<Move> {
    let is_it = |mv: &&Move| {
        let is_pawn = position.kind(Kind::Pawn).contains(mv.from());
        is_pawn && **mv == Move::normal(mv.from(), to) && mv.from().file() == file
    };
    legal.iter().find(is_it).copied()
}

/// Boards with one king a side and many sliders, so that pins and discovered checks are frequent.
fn random_board(random: &mut Random) -> Option<Position> {
    let mut position = Position::empty();
    for _ in 0..random.below(24) {
        let kind = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let kind = kind[random.below(5)];
        let square = if kind == Kind::Pawn { 8 + random.below(48) } else { random.below(64) };
        let square = Square::from_index(square);
        position.put(square, Some(Piece::new(Color::ALL[random.below(2)], kind)));
    }
    let kings = [random.below(64), random.below(64)].map(Square::from_index);
    for (color, square) in Color::ALL.into_iter().zip(kings) {
        position.put(square, Some(Piece::new(color, Kind::King)));
    }
    position.set_half_moves(5);
    position.set_side(Color::ALL[random.below(2)]);
    position.is_ordinary().then_some(position)
}

/// Every token of a move that is not castling, with any hint of file or rank.
#[test]
fn the_fast_path_reads_its_tokens_and_no_others() {
    let rules = Rules::STANDARD;
    let hints = hints();
    let mut random = Random(41);
    let (mut read, mut illegal, mut discovered, mut doubled) = (0, 0, 0, 0);
    let mut next = Position::empty();
    let mut position = Position::start();
    for turn in 0..400 {
        let legal = position.legal_moves(&rules);
        let mut check = |token: String, expected: Option<Move>| {
            let token = token + ["", "+", "#"][random.below(3)];
            let found = san::step(&position, token.as_bytes(), &mut next);
            assert_eq!(found, expected, "{token} in {position:?}");
            let Some(mv) = found else { return };
            let made = position.make(mv, &rules);
            assert_eq!((next, next.state), (made, made.state), "{token} in {position:?}");
            assert_eq!(san::parse(&position, &rules, token.as_bytes()), Ok(mv), "{token}");
            read += 1;
            discovered += usize::from(next.in_check() && !next.checkers().contains(mv.to()));
            doubled += usize::from(next.checkers().is_many());
        };
        for to in Square::all() {
            for (letter, kind) in PIECES {
                for (hint, origins) in &hints {
                    let expected = piece_move(&position, &legal, *origins, kind, to);
                    check(format!("{letter}{hint}{to}"), expected);
                    check(format!("{letter}{hint}x{to}"), expected);
                }
                for from in position.pieces(position.side(), kind) {
                    let expected = piece_move(&position, &legal, from.into(), kind, to);
                    check(format!("{letter}{from}{to}"), expected);
                    check(format!("{letter}{from}x{to}"), expected);
                }
                let alone = position.pieces(position.side(), kind) & attackers(&position, to);
                let mv = alone.single().map(|from| Move::normal(from, to));
                illegal += usize::from(mv.is_some_and(|mv| !legal.contains(&mv)));
            }
            let is_free = !position.occupied().contains(to);
            check(to.to_string(), pawn_move(&position, &legal, to.file(), to).filter(|_| is_free));
            for file in 0..8 {
                let expected = pawn_move(&position, &legal, file, to).filter(|_| !is_free);
                check(format!("{}x{to}", char::from(b'a' + file)), expected);
            }
        }
        // A random board, or one that moves make of the board before.
        let end = legal.is_empty() || turn % 2 == 0;
        position = if end {
            std::iter::repeat_with(|| random_board(&mut random)).flatten().next().unwrap()
        } else {
            let mut made = position;
            for _ in 0..1 + random.below(3) {
                let moves = made.legal_moves(&rules);
                let moves: Vec<_> = moves.iter().filter(|mv| mv.promotion().is_none()).collect();
                let Some(mv) = moves.get(random.below(moves.len())) else { break };
                made = made.make(**mv, &rules);
            }
            made
        };
    }
    assert!(read > 10_000, "{read}");
    assert!(illegal > 1_000, "{illegal}");
    assert!(discovered > 100, "{discovered}");
    assert!(doubled > 10, "{doubled}");
}

/// What follows the token in the word does not matter.
#[test]
fn a_token_ends_where_its_length_says() {
    const BYTES: &[u8] = b"NBRQKabcdefgh12345678xO0-+# ";
    let mut random = Random(43);
    let (mut next, mut after) = (Position::empty(), Position::empty());
    let mut read = 0;
    for _ in 0..300 {
        let position = match random.below(2) {
            0 => Position::start(),
            _ => random_board(&mut random).unwrap_or_default(),
        };
        for _ in 0..1_000 {
            let mut bytes = [0; 8].map(|_: u8| BYTES[random.below(BYTES.len())]);
            bytes[0] = b"NBRQKabcdefghO"[random.below(14)];
            let word = u64::from_le_bytes(bytes);
            for len in 0..=8 {
                let found = san::step_word(&position, word, len, &mut next);
                let alone = san::step(&position, &bytes[..len], &mut after);
                assert_eq!(found, alone, "{len} of {bytes:?} in {position:?}");
                if found.is_some() {
                    assert_eq!((next, next.state), (after, after.state));
                    read += 1;
                }
            }
        }
    }
    assert!(read > 100, "{read}");
}
