//! Retro-analysis, compared with published verdicts and with games that were played forward.

use super::Random;
use super::goldens::{field, golden};
use crate::retro::{self, Unreachability, reverse};
use crate::{Color, Kind, Position, Rules, Square, fen};

/// Whether the line has the field.
fn has(line: &str, name: &str) -> bool {
    line.contains(&format!("\"{name}\": "))
}

/// The board and the side to move, as the golden rows write positions.
fn key(position: &Position) -> String {
    let mut text = String::new();
    fen::write_board(position, &mut text);
    text + if position.side() == Color::White { " w" } else { " b" }
}

#[test]
fn legality_has_the_printed_texts() {
    let mut texts = 0;
    for line in golden("retro").lines() {
        let (position, _) = fen::parse(field(line, "fen")).expect("FEN");
        let legality = retro::legality(&position);
        assert_eq!(retro::is_legal(&position), legality.is_legal(), "{line}");
        assert_eq!(legality.is_legal(), field(line, "legal") == "true", "{line}");
        if has(line, "legal_text") {
            assert_eq!(legality.to_string(), field(line, "legal_text"), "{line}");
            texts += 1;
        }
    }
    assert_eq!(texts, 182);
}

#[test]
fn predecessors_are_those_of_the_golden_rows() {
    for line in golden("reverse").lines() {
        let (position, _) = fen::parse(field(line, "fen")).expect("FEN");
        let mut found: Vec<_> =
            reverse::legal(&position).iter().map(|mv| key(&mv.predecessor(&position))).collect();
        found.sort();
        let list = line.split("\"predecessors\": [").nth(1).expect("list");
        let list = list.split(']').next().expect("end of list");
        let expected: Vec<_> = list.split('"').filter(|text| text.contains('/')).collect();
        assert_eq!(found, expected, "{line}");
        assert_eq!(reverse::has_legal(&position), !found.is_empty(), "{line}");
    }
}

/// Calls `f` with the positions of random games from the initial array.
fn random_play(seed: u64, games: usize, mut f: impl FnMut(&Position)) {
    let mut random = Random(seed);
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..160 {
            f(&position);
            let moves = position.legal_moves(&Rules::STANDARD);
            if moves.is_empty() {
                break;
            }
            position = position.make(moves[random.below(moves.len())], &Rules::STANDARD);
        }
    }
}

#[test]
fn every_move_can_be_taken_back_and_every_retraction_played() {
    let rules = Rules::STANDARD;
    let (mut seen, mut random) = (0, Random(5));
    random_play(11, 12, |position| {
        let moves = position.legal_moves(&rules);
        if moves.is_empty() {
            return;
        }
        let mv = moves[random.below(moves.len())];
        let after = position.make(mv, &rules);
        let back = reverse::legal(&after);
        assert!(
            back.iter().any(|back| {
                let before = back.predecessor(&after);
                before.same_placement(position)
                    && before.side() == position.side()
                    && before.full_moves() == position.full_moves()
                    && (back.from, back.to) == (mv.from(), mv.to())
                    && (!mv.is_en_passant() || before.ep() == position.ep())
            }),
            "{mv} from {position:?}"
        );
        for mv in &back {
            let before = mv.predecessor(&after);
            let played = before
                .legal_moves(&rules)
                .iter()
                .filter(|forward| before.make(**forward, &rules).same_placement(&after))
                .count();
            assert_eq!(played, 1, "{mv} to {before:?}");
            seen += 1;
        }
    });
    assert_eq!(seen, 225_724);
}

#[test]
fn retractions_come_in_order_with_their_texts() {
    let (position, _) = fen::parse("1Q6/8/3P4/8/7k/8/2K5/8 b").expect("FEN");
    let texts: Vec<_> = reverse::legal(&position).iter().map(|mv| mv.notation(&position)).collect();
    let at = |text: &str| texts.iter().position(|found| found == text).expect(text);
    let order = [
        "~Kb1c2",
        "~Kd3c2",
        "~Kb1x(P)c2",
        "~Kb1x(N)c2",
        "~Kb1x(Q)c2",
        "~Kc1x(P)c2",
        "~Pd5d6",
        "~Pc5x(P)d6",
        "~Pc5x(Q)d6",
        "~Pe5x(P)d6",
        "~Qb1b8",
        "~Pb7b8=Q",
        "~Qa7x(N)b8",
        "~Pa7x(N)b8=Q",
    ]
    .map(at);
    assert!(order.is_sorted(), "{texts:?}");
    let passed = texts.iter().filter(|text| *text == "~Pe5x(P)d6").count();
    assert_eq!(passed, 2, "plain and en passant");
    assert!(!texts.contains(&"~Qb1x(P)b8".to_owned()));
}

#[test]
fn pseudolegal_retractions_may_come_from_illegal_positions() {
    let (position, _) = fen::parse("4r2k/8/8/8/4n3/8/8/4K3 w").expect("FEN");
    let pseudo = reverse::pseudolegal(&position);
    let legal = reverse::legal(&position);
    assert!(legal.iter().all(|mv| pseudo.contains(mv)));
    assert_eq!((pseudo.len(), legal.len()), (108, 100));
    let (odd, _) = fen::parse("8/8/8/8/8/8/8/R6r b").expect("FEN");
    assert!(reverse::legal(&odd).is_empty());
    assert!(!reverse::pseudolegal(&odd).is_empty());
}

#[test]
fn verdicts_have_the_printed_texts() {
    let mut texts = 0;
    for line in golden("retro").lines() {
        let (position, _) = fen::parse(field(line, "fen")).expect("FEN");
        let verdict = retro::analyze(&position);
        let text = verdict.to_string();
        let expected = field(line, "reachable") == "true";
        assert_eq!(verdict.is_reachable(), expected, "{line}\n{text}");
        assert_eq!(retro::is_reachable(&position), expected, "{line}");
        if has(line, "text") {
            assert_eq!(text, field(line, "text"), "{line}");
            texts += 1;
        } else if has(line, "likely_text") {
            assert_eq!(text, field(line, "likely_text"), "{line}");
        }
        if let Some(list) = line.split("\"contains_any\": [").nth(1) {
            let list = list.split("\"]").next().expect("end of list");
            let mut any = list.split('"').filter(|reason| reason.len() > 2);
            assert!(any.any(|reason| text.contains(reason)), "{line}\n{text}");
        }
    }
    assert_eq!(texts, 153);
}

#[test]
fn what_was_played_is_reachable() {
    let check = |position: &Position| {
        let verdict = retro::analyze(position);
        assert!(verdict.is_reachable(), "{position:?}: {verdict}");
        assert!(retro::is_reachable(position), "{position:?}");
    };
    random_play(91, 25, check);
    eager_play(17, 25, check);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
    let text = std::fs::read_to_string(file).expect(file);
    let mut position = Position::start();
    let mut seen = 0;
    for line in text.lines().take(12_000) {
        if line.starts_with('[') {
            position = Position::start();
            continue;
        }
        for token in line.split_whitespace() {
            let token = token.rsplit('.').next().unwrap_or(token);
            let before = position;
            if crate::san::play(&before, &Rules::STANDARD, token.as_bytes(), &mut position).is_ok()
            {
                check(&position);
                seen += 1;
            } else {
                position = before;
            }
        }
    }
    assert_eq!(seen, 50_942);
}

/// [`random_play`] with longer games, in which pawn moves, captures and promotions are likelier.
fn eager_play(seed: u64, games: usize, f: impl Fn(&Position)) {
    let mut random = Random(seed);
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..300 {
            f(&position);
            let moves = position.legal_moves(&Rules::STANDARD);
            let pawns = position.kind(crate::Kind::Pawn);
            let eager: Vec<_> = moves
                .iter()
                .filter(|mv| pawns.contains(mv.from()) || position.occupied().contains(mv.raw_to()))
                .collect();
            let mv = match random.below(3) {
                0 if !eager.is_empty() => *eager[random.below(eager.len())],
                _ if moves.is_empty() => break,
                _ => moves[random.below(moves.len())],
            };
            position = position.make(mv, &Rules::STANDARD);
        }
    }
}

#[test]
fn colors_do_not_matter() {
    let count = |position: &Position| {
        let reasons = retro::analyze(position).reasons;
        // Only White begins.
        let symmetric =
            |reason: &&Unreachability| !matches!(reason, Unreachability::ColorParity(_));
        reasons.iter().filter(symmetric).count()
    };
    for line in golden("retro").lines() {
        let (position, _) = fen::parse(field(line, "fen")).expect("FEN");
        let mirrored = position.mirrored();
        if !mirrored.same_placement(&Position::start()) {
            assert_eq!(count(&position), count(&mirrored), "{line}");
        }
    }
}

/// The one reason against the position.
fn only_reason(text: &str) -> String {
    let (position, _) = fen::parse(text).expect(text);
    let verdict = retro::analyze(&position);
    assert_eq!(verdict.is_reachable(), retro::is_reachable(&position), "{text}");
    match verdict.reasons.as_slice() {
        [] => String::new(),
        [reason] => reason.to_string(),
        more => panic!("{more:?}"),
    }
}

#[test]
fn pawns_pass_each_other_by_captures_only() {
    let reason = "Pawns (squares e4, e5) cannot have passed each other with White only missing";
    assert_eq!(
        only_reason("rnbqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR w"),
        format!("{reason} 0 pieces and Black 0")
    );
    assert_eq!(
        only_reason("r1bqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKB1R w"),
        format!("{reason} 1 piece and Black 1")
    );
    for reachable in [
        // White's pawn went by way of another file; Black's did; White's came from the d-file.
        "r1bqkb1r/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR w",
        "r1bqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKB2 w",
        "r1bqkbnr/pppp1ppp/8/4P3/4p3/8/PPP1PPPP/RNBQKBNR w",
    ] {
        assert_eq!(only_reason(reachable), "", "{reachable}");
    }
    // The two pawns have not passed each other.
    assert_eq!(only_reason("rnbqkbnr/pppp1ppp/4p3/4P3/8/8/PPPP1PPP/RNBQKBNR w"), "");
}

#[test]
fn promotions_go_around_pawns_that_stayed_on_their_files() {
    assert_eq!(
        only_reason("rnbqkbnr/8/pppppppp/8/Q7/8/1PPPPPPP/RNBQKBNR w"),
        "White promotions past Black Pawns that never left their files (squares a6, b6, c6, d6, e6, \
         f6, g6, h6) require 1 capture but Black is only missing 0 pieces"
    );
    // With a capture on the b-file the pawn can promote.
    assert_eq!(only_reason("r1bqkbnr/8/pppppppp/8/Q7/8/1PPPPPPP/RNBQKBNR w"), "");
}

#[test]
fn a_bishop_is_captured_on_its_color() {
    assert_eq!(
        only_reason("rnbqkbnr/1ppppppp/8/2p5/8/4P3/PPPP1PPP/RNBQK2R w"),
        "White is missing light-square Bishop but no Black Pawn can have captured on a light square"
    );
    // The bishop of dark squares and the knight were captured on b6 and c5.
    assert_eq!(only_reason("rnbqkbnr/1ppppppp/8/2p5/8/3P4/PPP1PPPP/RN1QKB1R w"), "");
}

#[test]
fn pieces_stay_in_a_closed_area() {
    assert_eq!(
        only_reason("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQNBKR w"),
        "Only Knights can have left or entered the confined White area (squares d1, e1) which is \
         contradicted by pieces on square g1"
    );
    assert_eq!(
        only_reason("rnb1kbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RqBQKBNR w"),
        "Only Knights can have left or entered the confined White area (squares a1, b1) which is \
         contradicted by pieces on square b1"
    );
    // A way out at a2.
    assert_eq!(only_reason("rnb1kbnr/pppp1ppp/8/8/8/P7/1PPPPPPP/RqBQKBNR w"), "");
    // A rook steps aside, to either side.
    assert_eq!(only_reason("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKBR1 b"), "");
    assert_eq!(only_reason("rnbqkb1r/pppppppp/5n2/8/8/2N5/PPPPPPPP/1RBQKBNR b"), "");
    // Mirrored, and with knights only.
    assert!(only_reason("r1bqnbkr/pppppppp/n7/8/8/8/PPPPPPPP/RNBQKB1R w").contains("g8"));
    assert_eq!(only_reason("rnbq1bnr/pppp1ppp/4k3/8/8/4P3/PPPPNPPP/RNBQKB1R w"), "");
    assert_eq!(only_reason("rnbqkb1r/pppp1ppp/8/8/8/4P3/PPPP1PPP/RnBQKBNR w"), "");
}

#[test]
fn the_last_move_was_made_in_a_reachable_position() {
    let (position, _) = fen::parse("rnbqkb1r/pp3Ppp/4pn2/3P4/3N4/8/PPpN1PPP/R1BQKB1R b").unwrap();
    assert!(reverse::has_legal(&position));
    assert_eq!(
        only_reason("rnbqkb1r/pp3Ppp/4pn2/3P4/3N4/8/PPpN1PPP/R1BQKB1R b"),
        "Every possible last move of White was made in an unreachable position"
    );
}

#[test]
fn there_was_a_last_move() {
    assert_eq!(only_reason("kN6/8/1K6/8/8/8/8/8 w"), "Black has no possible last move");
    assert_eq!(only_reason("k7/1N6/1K6/8/8/8/8/8 w"), "");
    assert!(retro::is_reachable(&Position::start()));
}

#[test]
fn both_functions_agree_on_random_boards() {
    // Pieces of the initial array on random squares: many such boards are legal.
    let mut random = Random(41);
    let start = Position::start();
    let mut pieces: Vec<_> =
        start.occupied().iter().filter_map(|square| start.piece_at(square)).collect();
    pieces.sort_by_key(|piece| piece.kind != Kind::King);
    let mut proven = 0;
    for round in 0..6000 {
        for index in 2..32 {
            pieces.swap(index, 2 + random.below(30));
        }
        let mut board = Position::empty();
        for &piece in &pieces[..2 + round % 31] {
            let at = Square::from_index(random.below(64));
            let fits = piece.kind != Kind::Pawn || (1..7).contains(&at.rank());
            if fits && board.piece_at(at).is_none() {
                board.put(at, Some(piece));
            }
        }
        board.refresh();
        let verdict = retro::analyze(&board);
        assert_eq!(verdict.is_reachable(), retro::is_reachable(&board), "{verdict}");
        proven += usize::from(!verdict.is_reachable());
    }
    assert_eq!(proven, 2_826);
}
