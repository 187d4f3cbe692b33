//! Naive references over random boards.

use babson_chess::attacks as table;
use babson_chess::{CastlingRights, Color, Direction, Kind, Square, SquareSet};
use babson_lang::hir::{CastlingKind, Content, Designator, Directions, Participants, PinValue};
use proptest::prelude::*;

use super::super::contents::content_squares;
use super::super::fixture::{any_board, any_set, board, position};
use super::super::legal6::{Moves, PairMoveKind};
use super::super::*;

fn stepped(square: Square, direction: Direction, distance: i8) -> Option<Square> {
    let (files, ranks) = direction.delta();
    square.offset(files * distance, ranks * distance)
}

/// Tries consuming and passing over by backtracking; appends what a walk collects.
fn walk(
    contents: &Contents,
    at: Square,
    direction: Direction,
    rest: &[SquareSet],
    collected: &mut SquareSet,
) {
    let Some(next) = stepped(at, direction, 1) else {
        return;
    };
    let Some((&sought, later)) = rest.split_first() else {
        return;
    };
    let (member, empty) = (sought.contains(next), contents.at(next).is_none());
    if later.is_empty() {
        if member {
            collected.insert(next);
        }
    } else if member {
        walk(contents, next, direction, later, collected);
    }
    if empty {
        walk(contents, next, direction, rest, collected);
    }
}

fn naive_ray(
    contents: &Contents,
    directions: Directions,
    attack: bool,
    first: bool,
    sets: &[SquareSet],
) -> SquareSet {
    let mut value = SquareSet::EMPTY;
    for start in sets[0] {
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let fits = match contents.at(start).map(|piece| piece.kind) {
                Some(Kind::Queen) => true,
                Some(Kind::Rook) => number % 2 == 0,
                Some(Kind::Bishop) => number % 2 == 1,
                _ => false,
            };
            if directions.0 >> number & 1 == 0 || attack && !fits {
                continue;
            }
            let mut collected = SquareSet::EMPTY;
            walk(contents, start, direction, &sets[1..], &mut collected);
            value |= match first {
                true if collected.is_empty() => SquareSet::EMPTY,
                true => start.into(),
                false => collected,
            };
        }
    }
    value
}

fn naive_pin(
    contents: &Contents,
    [from, through, to]: [SquareSet; 3],
    value: PinValue,
) -> SquareSet {
    let mut found = SquareSet::EMPTY;
    for pinning in from {
        let Some(slider) = contents.at(pinning) else {
            continue;
        };
        let (rook, bishop) = (table::rook_rays(pinning), table::bishop_rays(pinning));
        let line = match slider.kind {
            Kind::Rook => rook,
            Kind::Bishop => bishop,
            Kind::Queen => rook | bishop,
            Kind::Pawn | Kind::Knight | Kind::King => continue,
        };
        for target in to & line {
            let blockers = table::between(pinning, target) & contents.occupied();
            let Some(pinned) = blockers.single() else {
                continue;
            };
            let other =
                |square| contents.at(square).is_some_and(|piece| piece.color != slider.color);
            if through.contains(pinned)
                && other(pinned)
                && (contents.at(target).is_none() || other(target))
            {
                found.insert(match value {
                    PinValue::From => pinning,
                    PinValue::Through => pinned,
                    PinValue::To => target,
                });
            }
        }
    }
    found
}

/// All moves by trying all pairs of squares and making the move on a copy of the board.
fn naive_moves(
    contents: &Contents,
    turn: Color,
    ep: Option<Square>,
    legal: bool,
) -> Vec<(Square, Square)> {
    let mut found = Vec::new();
    let forward: i8 = if turn == Color::White { 1 } else { -1 };
    for from in contents.color(turn) {
        let piece = contents.at(from).unwrap();
        for to in Square::all() {
            let target = contents.at(to);
            if target.is_some_and(|piece| piece.color == turn) {
                continue;
            }
            let victim = ep.filter(|&passed| passed == to).and_then(|_| to.offset(0, -forward));
            let strikes = attacks::from_square(contents, from).contains(to);
            let en_passant =
                piece.kind == Kind::Pawn && strikes && target.is_none() && victim.is_some();
            let reached = if piece.kind == Kind::Pawn {
                let step = from.offset(0, forward).filter(|&square| contents.at(square).is_none());
                let second = turn.relative_rank(1) == from.rank();
                let double = step.and_then(|square| square.offset(0, forward)).filter(|_| second);
                let push = target.is_none() && (step == Some(to) || double == Some(to));
                push || strikes && target.is_some() || en_passant
            } else {
                strikes
            };
            if !reached {
                continue;
            }
            let mut pieces: Vec<_> =
                Square::all().filter_map(|square| Some((square, contents.at(square)?))).collect();
            pieces.retain(|&(square, _)| square != from && !(en_passant && Some(square) == victim));
            pieces.push((to, piece));
            let after = Contents::from_pieces(pieces);
            let royal = contents.king(turn).is_some();
            if !(legal && royal && attacks::in_check(&after, turn)) {
                found.push((from, to));
            }
        }
    }
    found
}

proptest! {
    #[test]
    fn designator_is_a_square_by_square_test(contents in any_board(), squares: u64, bits in 0u16..0x2000) {
        let value = designator(&contents, Designator { squares, content: Content(bits) });
        for square in Square::all() {
            let expected = squares >> square.index() & 1 != 0
                && bits >> contents.bit_at(square) & 1 != 0;
            prop_assert_eq!(value.contains(square), expected);
        }
        let found = content_squares(&position(&contents), bits) & squares;
        prop_assert_eq!(found, value.0);
    }

    #[test]
    fn attacks_by_pairs(contents in any_board(), from in any_set(), to in any_set()) {
        let mut attacking = SquareSet::EMPTY;
        let mut attacked = SquareSet::EMPTY;
        let mut map = SquareSet::EMPTY;
        for square in from {
            let reach = attacks::from_square(&contents, square);
            let piece = contents.at(square);
            prop_assert_eq!(reach, piece.map_or(SquareSet::EMPTY, |piece| {
                table::of(piece.kind, piece.color, square, contents.occupied())
            }));
            map |= reach;
            let (alone, hits) = (SquareSet::of(square), reach.intersects(to));
            let expected = if hits { alone } else { SquareSet::EMPTY };
            prop_assert_eq!(attacks::attacks(&contents, alone, to), expected);
            prop_assert_eq!(attacks::attacked_by(&contents, to, alone), reach & to);
            attacked |= reach & to;
            if reach.intersects(to) {
                attacking.insert(square);
            }
        }
        prop_assert_eq!(attacks::attacks(&contents, from, to), attacking);
        prop_assert_eq!(attacks::attacked_by(&contents, to, from), attacked);
        prop_assert_eq!(attacks::map(&contents, from), map);
        for square in to {
            let attackers = attacks::attackers_to(&contents, square, contents.occupied());
            prop_assert_eq!(attackers & from, attacks::attacks(&contents, from, square.into()));
            let hit = if attackers.intersects(from) { square.into() } else { SquareSet::EMPTY };
            prop_assert_eq!(attacks::attacked_by(&contents, square.into(), from), hit);
        }
        let position = position(&contents);
        prop_assert_eq!(attacks::attacks(&position, from, to), attacking);
        prop_assert_eq!(attacks::attacked_by(&position, to, from), attacked);
    }

    #[test]
    fn rays_by_backtracking(
        contents in any_board(),
        bits: u8,
        attack: bool,
        first: bool,
        sets in proptest::collection::vec(any_set(), 2..6),
    ) {
        let directions = Directions(bits);
        prop_assert_eq!(
            ray::ray(&contents, directions, attack, first, &sets),
            naive_ray(&contents, directions, attack, first, &sets)
        );
    }

    #[test]
    fn pins_by_pairs(contents in any_board(), from in any_set(), through in any_set(), to in any_set()) {
        for value in [PinValue::From, PinValue::Through, PinValue::To] {
            prop_assert_eq!(
                pin::pin(&contents, from, through, to, value),
                naive_pin(&contents, [from, through, to], value)
            );
        }
    }

    #[test]
    fn directions_by_offsets(set in any_set(), bits: u8, min in -9i32..10, max in -9i32..10) {
        let mut expected = SquareSet::EMPTY;
        for square in set {
            for (number, direction) in Direction::ALL.into_iter().enumerate() {
                for distance in min.max(-7)..=max.min(7) {
                    let reached = stepped(square, direction, distance as i8);
                    if let Some(reached) = reached && bits >> number & 1 != 0 {
                        expected.insert(reached);
                    }
                }
            }
        }
        let value = direction::direction(set, Directions(bits), min, max);
        if min > max || min < -7 || max > 7 {
            prop_assert_eq!(value, Err(direction::BadDistances));
        } else {
            prop_assert_eq!(value, Ok(expected));
        }
    }

    #[test]
    fn between_by_pairs(a in any_set(), b in any_set()) {
        let mut expected = SquareSet::EMPTY;
        for one in a {
            for other in b {
                expected |= table::between(one, other);
            }
        }
        prop_assert_eq!(between::between(a, b), expected);
    }

    #[test]
    fn pawn_sets_by_pairs(contents in any_board()) {
        for square in contents.kind(Kind::Pawn) {
            let color = contents.at(square).unwrap().color;
            let own = contents.pieces(color, Kind::Pawn) - square.into();
            let enemies = contents.pieces(color.not(), Kind::Pawn);
            let beside = |other: Square| square.file().abs_diff(other.file());
            let stopped = enemies.iter().any(|other| {
                let ahead = color.relative_rank(other.rank()) > color.relative_rank(square.rank());
                beside(other) <= 1 && ahead
            });
            prop_assert_eq!(pawns::passed(&contents).contains(square), !stopped);
            let connected = own.iter().any(|other| beside(other) == 1);
            prop_assert_eq!(pawns::connected(&contents).contains(square), connected);
            prop_assert_eq!(pawns::isolated(&contents).contains(square), !connected);
            let doubled = own.iter().any(|other| beside(other) == 0);
            prop_assert_eq!(pawns::doubled(&contents).contains(square), doubled);
        }
    }

    #[test]
    fn moves_by_making_them(contents in any_board(), black: bool, passed in proptest::option::of(0u8..8)) {
        let turn = if black { Color::Black } else { Color::White };
        let rank = if black { 2 } else { 5 };
        let passed = passed.map(|file| Square::at(file, rank)).filter(|&square| {
            let victim = Square::at(square.file(), if black { 3 } else { 4 });
            contents.at(square).is_none()
                && contents.pieces(turn.not(), Kind::Pawn).contains(victim)
        });
        for legal in [false, true] {
            let moves = Moves::new(&contents, turn, CastlingRights::default(), passed, legal);
            let mut found = Vec::new();
            moves.for_each(SquareSet::ALL, SquareSet::ALL, |one| {
                found.push((one.from, one.to));
                true
            });
            found.sort_unstable();
            let expected = naive_moves(&contents, turn, passed, legal);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(moves.count(SquareSet::ALL, SquareSet::ALL) as usize, found.len());
            prop_assert_eq!(moves.is_empty(), found.is_empty());
            let origins: SquareSet = found.iter().map(|pair| pair.0).collect();
            let targets: SquareSet = found.iter().map(|pair| pair.1).collect();
            prop_assert_eq!(moves.origins(SquareSet::ALL, SquareSet::ALL), origins);
            prop_assert_eq!(moves.destinations(SquareSet::ALL, SquareSet::ALL), targets);
        }
    }

    #[test]
    fn participants_of_any_board(contents in any_board(), black: bool) {
        use Participants::*;
        let turn = if black { Color::Black } else { Color::White };
        let situation = participants::Situation { turn, en_passant: None, has_children: false };
        for which in [PureMate, ModelMate, IdealMate, PureStalemate, ModelStalemate, IdealStalemate] {
            let value = participants::participants(&contents, which, situation, || true);
            prop_assert!(value.is_subset(contents.occupied()));
        }
    }
}

#[test]
fn castling_by_geometry() {
    let count = |fen: &str, touched: SquareSet, wanted: PairMoveKind| {
        let (contents, turn) = board(fen);
        let rights = fen::home_rights(&contents, touched);
        let moves = Moves::new(&contents, turn, rights, None, false);
        let mut found = 0;
        moves.for_each(SquareSet::ALL, SquareSet::ALL, |one| {
            found += u32::from(one.kind == wanted);
            true
        });
        found
    };
    let home = "r3k2r/8/8/8/8/8/8/R3K2R w - -";
    assert_eq!(count(home, SquareSet::EMPTY, PairMoveKind::KingSide), 1);
    assert_eq!(count(home, Square::H1.into(), PairMoveKind::KingSide), 0);
    assert_eq!(count(home, Square::H1.into(), PairMoveKind::QueenSide), 1);
    assert_eq!(count(home, Square::E1.into(), PairMoveKind::QueenSide), 0);
    let passed = "r3k2r/8/8/8/8/8/8/R3K1R1 b - -";
    assert_eq!(count(passed, SquareSet::EMPTY, PairMoveKind::KingSide), 0);
    assert_eq!(count(passed, SquareSet::EMPTY, PairMoveKind::QueenSide), 1);
    // The rook may pass an attacked square, the king may not stand in check.
    let b_file = "4k3/8/8/8/8/8/1r6/R3K3 w - -";
    assert_eq!(count(b_file, SquareSet::EMPTY, PairMoveKind::QueenSide), 1);
    let check = "4k3/4r3/8/8/8/8/8/R3K3 w - -";
    assert_eq!(count(check, SquareSet::EMPTY, PairMoveKind::QueenSide), 0);
    let blocked = "4k3/8/8/8/8/8/8/RN2K3 w - -";
    assert_eq!(count(blocked, SquareSet::EMPTY, PairMoveKind::QueenSide), 0);
    assert!(PairMoveKind::KingSide.is_castling(CastlingKind::Either));
    assert!(!PairMoveKind::KingSide.is_castling(CastlingKind::QueenSide));
    assert!(!PairMoveKind::Normal.is_castling(CastlingKind::Either));
}

#[test]
fn four_promotions_are_one_move() {
    let (contents, turn) = board("7k/P7/8/8/8/8/8/K7 w - -");
    let moves = Moves::new(&contents, turn, CastlingRights::default(), None, true);
    let pawn: SquareSet = "a7".parse::<Square>().unwrap().into();
    assert_eq!(moves.count(pawn, SquareSet::ALL), 1);
    assert_eq!(moves.count(SquareSet::ALL, SquareSet::ALL), 4);
}

#[test]
fn en_passant_may_uncover_the_king() {
    let (contents, turn) = board("8/8/8/K2pP2r/8/8/8/4k3 w - -");
    let passed: Square = "d6".parse().unwrap();
    let targets = |legal| {
        let moves = Moves::new(&contents, turn, CastlingRights::default(), Some(passed), legal);
        moves.targets("e5".parse().unwrap())
    };
    assert!(targets(false).contains(passed));
    assert!(!targets(true).contains(passed));
}

/// A game with promotions, whose counts CQL 6.2 gave.
#[test]
fn counts_along_a_game() {
    use babson_chess::{Rules, fen as chess_fen, san};
    let rules = Rules::STANDARD;
    let (mut position, _) = chess_fen::parse("8/P6k/8/8/4p3/8/3P2KP/8 w - - 0 1").unwrap();
    let mut counts = [Vec::new(), Vec::new()];
    for mv in "d4 exd3 a8=Q d2 Qf3 d1=N Qxd1".split(' ').map(Some).chain([None]) {
        let contents = Contents::of(&position);
        for (legal, list) in counts.iter_mut().enumerate() {
            let (turn, passed) = (position.side(), position.ep());
            let rights = CastlingRights::NONE;
            let moves = Moves::new(&contents, turn, rights, passed, legal == 1);
            let same = Moves::new(&position, turn, rights, passed, legal == 1);
            assert_eq!(moves.targets(Square::H1), same.targets(Square::H1));
            assert_eq!(
                moves.count(SquareSet::ALL, SquareSet::ALL),
                same.count(SquareSet::ALL, SquareSet::ALL)
            );
            list.push(moves.count(SquareSet::ALL, SquareSet::ALL));
        }
        if let Some(text) = mv {
            let mv = san::parse(&position, &rules, text.as_bytes()).unwrap();
            position = position.make(mv, &rules);
        }
    }
    assert_eq!(counts[1], [11, 7, 10, 4, 28, 6, 30, 5]);
    assert_eq!(counts[0], [12, 7, 10, 6, 28, 6, 31, 5]);
}
