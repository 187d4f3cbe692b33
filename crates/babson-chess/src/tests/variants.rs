//! The variants: games that were played and written elsewhere, and random play.

use super::Random;
use crate::movegen::MoveSelection;
use crate::{
    Color, FenError, Kind, Move, Numbering, Piece, PieceIds, Position, Rules, SanError, Square,
    Variant, VariantEnd, fen, san,
};

const PLAYED: [Variant; 10] = [
    Variant::Atomic,
    Variant::Crazyhouse,
    Variant::Antichess,
    Variant::Suicide,
    Variant::Losers,
    Variant::Horde,
    Variant::KingOfTheHill,
    Variant::RacingKings,
    Variant::ThreeCheck,
    Variant::Chess960,
];

fn parse(variant: Variant, text: &str) -> (Position, Rules) {
    fen::parse_variant(text, variant).expect(text)
}

fn end(variant: Variant, text: &str) -> Option<VariantEnd> {
    let (position, rules) = parse(variant, text);
    let end = position.variant_end(&rules);
    assert!(end.is_none() || !position.has_legal_move(&rules), "{text}");
    end
}

const WHITE_WINS: Option<VariantEnd> = Some(VariantEnd::Win(Color::White));
const BLACK_WINS: Option<VariantEnd> = Some(VariantEnd::Win(Color::Black));

/// A move of four letters.
fn plain(text: &str) -> Move {
    let (from, to) = text.split_at(2);
    Move::normal(from.parse().expect(text), to.parse().expect(text))
}

fn uci(position: &Position, rules: &Rules) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves(rules).iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

/// The value of a tag line.
fn tag<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix('[')?.strip_prefix(name)?;
    rest.strip_prefix(" \"")?.strip_suffix("\"]")
}

#[test]
fn games_are_written_as_they_were_read() {
    let mut moves = 0;
    for name in
        ["antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"]
    {
        let file =
            format!("{}/../../corpus/games/variants/random-{name}.pgn", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&file).expect(&file);
        let (mut position, mut rules) = (Position::start(), Rules::STANDARD);
        for line in text.lines() {
            if let Some(name) = tag(line, "Variant") {
                let variant = Variant::parse(name).expect(name);
                (position, rules) = (variant.start(), Rules::STANDARD.with_variant(variant));
            } else if let Some(text) = tag(line, "FEN") {
                (position, rules) = parse(rules.variant, text);
                assert_eq!(fen::write(&position, &rules), text);
            } else if !line.starts_with('[') {
                for token in line.split_whitespace() {
                    if token.ends_with('.') || matches!(token, "*" | "1-0" | "0-1" | "1/2-1/2") {
                        continue;
                    }
                    let before = position;
                    let read = san::play(&before, &rules, token.as_bytes(), &mut position)
                        .unwrap_or_else(|error| panic!("{name}: {token}: {error}"));
                    assert_eq!(san::write(&before, &rules, read.mv), token, "{name}");
                    moves += 1;
                }
            }
        }
    }
    assert_eq!(moves, 1_367);
}

#[test]
fn random_play_is_consistent() {
    let mut random = Random(77);
    for variant in PLAYED {
        let rules = Rules::STANDARD.with_variant(variant);
        for _ in 0..6 {
            let mut position = variant.start();
            let mut ids = PieceIds::new(&position, Numbering::A1);
            for _ in 0..120 {
                let text = fen::write(&position, &rules);
                let (again, _) = parse(variant, &text);
                assert_eq!(again, position, "{text}");
                assert_eq!(again.mirrored().mirrored(), position, "{text}");
                let moves = position.legal_moves(&rules);
                assert_eq!(position.count_legal(&rules) as usize, moves.len(), "{text}");
                let pseudolegal = position.count_moves(&rules, MoveSelection::PSEUDOLEGAL);
                assert!(position.may_have_moves(pseudolegal), "{text}");
                assert_eq!(position.has_legal_move(&rules), !moves.is_empty(), "{text}");
                let pseudo = position.moves(&rules, MoveSelection::PSEUDOLEGAL);
                assert!(moves.iter().all(|mv| pseudo.contains(mv)), "{text}");
                for square in crate::Square::all() {
                    let occupied = position.occupied().contains(square);
                    assert_eq!(ids.id_at(square).is_some(), occupied, "{text} {square}");
                }
                if moves.is_empty() {
                    break;
                }
                assert!(moves.iter().all(|&mv| position.is_legal(mv, &rules)));
                let mv = moves[random.below(moves.len())];
                let token = san::write(&position, &rules, mv);
                let read = san::parse(&position, &rules, token.as_bytes());
                assert_eq!(read, Ok(mv), "{token} in {text}");
                position = position.make(mv, &rules);
                ids.play(mv, &position);
            }
        }
    }
}

#[test]
fn a_dropped_pawn_resets_the_half_moves() {
    let (position, rules) = parse(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[PN] w - - 5 9");
    for (kind, half_moves) in [(Kind::Pawn, 0), (Kind::Knight, 6)] {
        let e4 = Square::at(4, 3);
        let next = position.make(Move::drop(kind, e4), &rules);
        assert_eq!(next.half_moves(), half_moves);
        assert_eq!(next.piece_at(e4), Some(Piece::new(Color::White, kind)));
        assert_eq!(next.pocket(Color::White, kind), 0);
    }
}

/// The counts of other variants are not pockets.
#[test]
fn only_crazyhouse_has_pockets() {
    let (position, _) = parse(Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1");
    assert!(position.has_variant_state());
    for (color, kind) in Color::ALL.into_iter().flat_map(|it| Kind::ALL.map(|kind| (it, kind))) {
        assert_eq!(position.pocket(color, kind), 0);
    }
}

#[test]
fn each_variant_ends_by_its_own_rule() {
    use Variant::*;
    // The side to move has lost its king.
    assert_eq!(end(Atomic, "4k3/8/8/8/8/8/8/4R3 w"), BLACK_WINS);
    assert_eq!(end(Atomic, "4K3/8/8/8/8/8/8/4R3 w"), WHITE_WINS);
    // Wherever the other king is.
    assert_eq!(end(Atomic, "8/8/8/8/8/8/8/4R3 w"), BLACK_WINS);
    assert_eq!(end(Atomic, "8/8/8/8/8/8/8/4R3 b"), WHITE_WINS);
    assert_eq!(end(KingOfTheHill, "4k3/8/8/8/3K4/8/8/8 b"), WHITE_WINS);
    assert_eq!(end(ThreeCheck, "4k3/8/8/8/8/8/8/3K4 b - - 0+3 0 1"), WHITE_WINS);
    assert_eq!(end(ThreeCheck, "4k3/8/8/8/8/8/8/3K4 b - - 0 1 +1+2"), None);
    assert_eq!(end(Horde, "4k3/8/8/8/8/8/8/8 w"), BLACK_WINS);
    assert_eq!(end(Antichess, "8/8/8/8/8/8/8/n7 w"), WHITE_WINS);
    assert_eq!(end(Antichess, "8/8/8/8/p7/P7/8/8 w"), WHITE_WINS);
    assert_eq!(end(Suicide, "8/8/8/8/p7/P7/8/8 w"), Some(VariantEnd::Draw));
    assert_eq!(end(Suicide, "8/8/8/8/p7/P7/8/7n w"), WHITE_WINS);
    assert_eq!(end(Losers, "4k3/8/8/8/8/8/4q3/K7 w"), WHITE_WINS);
    assert_eq!(end(Losers, "7k/6Q1/6K1/8/8/8/q7/8 b"), BLACK_WINS);
    assert_eq!(end(Losers, "4k3/8/8/8/8/8/4q3/N7 w"), None);
    // Black may still draw level, or may not.
    assert_eq!(end(RacingKings, "K7/6k1/8/8/8/8/8/8 b"), None);
    assert_eq!(end(RacingKings, "K7/8/6k1/8/8/8/8/8 b"), WHITE_WINS);
    assert_eq!(end(RacingKings, "K7/6k1/8/8/8/8/8/3R4 w"), WHITE_WINS);
    assert_eq!(end(RacingKings, "K5k1/8/8/8/8/8/8/8 w"), Some(VariantEnd::Draw));
    assert_eq!(end(Crazyhouse, "7k/6Q1/6K1/8/8/8/8/8[] b"), None);
    assert_eq!(end(Standard, "4k3/8/8/8/3K4/8/8/8 b"), None);
}

#[test]
fn the_end_of_a_game_is_not_a_mate() {
    // Black's king is in check from the king that has just reached the hill's other side.
    let (position, rules) = parse(Variant::KingOfTheHill, "4r2k/8/8/8/3K4/8/8/7R b");
    assert!(position.in_check() && !position.is_mate(&rules));
    assert!(!position.is_stalemate(&rules));
    let (position, rules) = parse(Variant::ThreeCheck, "7k/6Q1/6K1/8/8/8/8/8 b - - 0+3 0 1");
    assert!(position.is_mate(&rules) && position.variant_end(&rules) == WHITE_WINS);
}

#[test]
fn atomic_captures_explode() {
    let (position, rules) = parse(Variant::Atomic, "rnb1k2r/pp6/2p5/8/8/8/8/R3K2Q w Qkq");
    let after = position.make(plain("h1h8"), &rules);
    assert_eq!(fen::write(&after, &rules), "rnb1k3/pp6/2p5/8/8/8/8/R3K3 b Qq - 0 1");
    // Pawns beside survive; kings that touch give no check; the own king may not explode.
    let (position, rules) = parse(Variant::Atomic, "8/8/8/8/8/2k5/1pKp4/1q6 w");
    assert!(!position.in_check());
    assert!(!uci(&position, &rules).contains(&"c2b1".to_string()));
    assert!(!uci(&position, &rules).contains(&"c2d2".to_string()));
    let (position, rules) = parse(Variant::Atomic, "3qk3/8/8/8/8/8/8/3RK3 w");
    assert!(san::write(&position, &rules, plain("d1d8")).ends_with('#'));
}

#[test]
fn crazyhouse_keeps_pockets_and_marks() {
    let text = "4k3/8/8/8/8/1n6/1Q~6/4K3[Pq] b - - 0 1";
    let (position, rules) = parse(Variant::Crazyhouse, text);
    let after = position.make(plain("b3a1"), &rules);
    assert_eq!(fen::write(&after, &rules), "4k3/8/8/8/8/8/1Q~6/n3K3[Pq] w - - 1 2");
    let taken = after.make(plain("b2a1"), &rules);
    assert_eq!(fen::write(&taken, &rules), "4k3/8/8/8/8/8/8/Q~3K3[NPq] b - - 0 2");
    let mv = san::parse(&taken, &rules, b"Q@a2").expect("a drop");
    let dropped = taken.make(mv, &rules);
    assert_eq!(dropped.pocket(Color::Black, Kind::Queen), 0);
    let won = dropped.make(plain("a1a2"), &rules);
    assert_eq!(won.pocket(Color::White, Kind::Queen), 1);
    assert_eq!(san::write(&taken, &rules, mv), "Q@a2");
    // A promoted queen goes to the pocket as a pawn.
    let lost = position.make(plain("b3a1"), &rules);
    let lost = lost.make(plain("b2a2"), &rules);
    assert_eq!(lost.promoted(), "a2".parse::<crate::Square>().unwrap().into());
    let (position, rules) = parse(Variant::Crazyhouse, "4k3/8/8/8/8/8/rQ~6/4K3/q b");
    let taken = position.make(plain("a2b2"), &rules);
    assert_eq!(taken.pocket(Color::Black, Kind::Pawn), 1);
    assert_eq!(taken.pocket(Color::Black, Kind::Queen), 1);
    // Against a check a piece is put between; pawns are never put on the last ranks.
    let (position, rules) = parse(Variant::Crazyhouse, "4k3/8/8/8/8/8/5PPP/r5K1[P] w");
    assert!(position.is_mate(&rules));
    let (position, rules) = parse(Variant::Crazyhouse, "4k3/8/8/8/8/8/5PPP/r5K1[N] w");
    assert_eq!(uci(&position, &rules).len(), 5);
    assert_eq!(san::parse(&position, &rules, b"N@a2"), Err(SanError::IllegalMove));
    assert_eq!(san::parse(&position, &rules, b"K@b1"), Err(SanError::Unreadable));
}

#[test]
fn bad_fields_of_variants_are_errors() {
    let error = |variant, text: &str| {
        let error: FenError = fen::parse_variant(text, variant).expect_err(text);
        error.to_string()
    };
    assert_eq!(
        error(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[Nx] w"),
        "\"[Nx]\" is not a pocket (at byte 19)"
    );
    assert_eq!(
        error(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[QQQQ] w"),
        "\"[QQQQ]\" is not a pocket (at byte 19)"
    );
    assert_eq!(
        error(Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 5+1"),
        "\"5+1\" is not a pair of check counters (at byte 26)"
    );
    assert_eq!(
        error(Variant::Standard, "4k3/8/8/8/8/8/8/4K3[] w"),
        "'[' is not a piece (at byte 19)"
    );
}

#[test]
fn names_of_variants_are_known() {
    for variant in PLAYED.into_iter().chain([Variant::Standard]) {
        assert_eq!(Variant::parse(variant.name()), Some(variant));
    }
    assert_eq!(Variant::parse("Fischerandom"), Some(Variant::Chess960));
    assert_eq!(Variant::parse("give AWAY chess"), Some(Variant::Antichess));
}
