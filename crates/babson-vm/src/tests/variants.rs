//! Variants: their names, ends, moves and drops as filters see them
//! (`docs/src/language/positions.md#variants`).

use babson_chess::{Rules, Variant, fen};
use babson_lang::Dialect;
use babson_pgn::{Games, Needs, Reader};

use super::run_as;
use crate::{Outcome, RunOptions};

fn at(query: &str, variant: &str, fen: &str, moves: &str) -> Outcome {
    let fen = match fen {
        "" => String::new(),
        fen => format!("[FEN \"{fen}\"]\n"),
    };
    let pgn = format!("[Variant \"{variant}\"]\n{fen}\n{moves} *\n");
    let outcome = run_as(query, pgn.as_bytes(), Dialect::CQLI, &RunOptions::default());
    assert_eq!(outcome.error, None);
    outcome
}

/// What a value prints at the initial position.
fn value(expression: &str, variant: &str, fen: &str) -> String {
    let query = format!("initial message quiet ({expression})");
    let text = at(&query, variant, fen, "").messages;
    String::from_utf8(text).unwrap().trim_end().to_owned()
}

#[test]
fn ends_as_the_side_to_move_sees_them() {
    // variant, board, moves, which ends hold where: win, loss, draw
    let games: &[(&str, &str, &str, [&[u32]; 3])] = &[
        ("Atomic", "", "1. Nf3 f6 2. Nd4 a6 3. Ne6 a5 4. Nxd8#", [&[], &[7], &[]]),
        ("KOTH", "8/8/2k5/8/8/3K4/8/8 w - - 0 1", "1. Ke4", [&[], &[1], &[]]),
        ("3 check", "4k3/8/8/8/8/8/8/3QK3 w - - 1+3 0 1", "1. Qd7#", [&[], &[1], &[]]),
        ("Race", "8/7K/8/8/8/8/k7/8 w - - 0 1", "1. Kh8", [&[], &[1], &[]]),
        ("horde chess", "4k3/8/8/8/8/8/4q3/4P3 b - - 0 1", "1... Qxe1", [&[], &[1], &[]]),
        ("Antichess", "8/8/8/8/8/8/1p6/R7 b - - 0 1", "1... bxa1=Q", [&[1], &[], &[]]),
        ("Suicide", "7n/8/8/p7/P7/8/8/8 w - - 0 1", "", [&[0], &[], &[]]),
        ("Suicide", "8/8/8/p7/P7/8/8/8 w - - 0 1", "", [&[], &[], &[0]]),
        ("Give away", "7n/8/8/p7/P7/8/8/8 w - - 0 1", "", [&[0], &[], &[]]),
        ("Losers", "4k1q1/8/8/8/8/8/8/K7 w - - 0 1", "", [&[0], &[], &[]]),
        // Mate is not an end that the variant adds.
        ("Crazyhouse", "", "1. f3 e5 2. g4 Qh4", [&[], &[], &[]]),
        ("Standard", "", "1. f3 e5 2. g4 Qh4#", [&[], &[], &[]]),
        ("Fischerandom", "", "1. f3 e5 2. g4 Qh4#", [&[], &[], &[]]),
    ];
    for (variant, fen, moves, ends) in games {
        let mut any = Vec::new();
        for (filter, wanted) in ["variantwin", "variantloss", "variantdraw"].iter().zip(ends) {
            let found = at(filter, variant, fen, moves).positions;
            assert_eq!(found, *wanted, "{filter} in {variant} {fen}");
            any.extend(found);
        }
        assert_eq!(at("variantend", variant, fen, moves).positions, any, "{variant}");
    }
    // Atomic: without its king the side to move has lost, and nobody moves.
    for board in ["8/8/8/8/8/8/8/4R3 w", "8/8/8/8/8/8/8/4R3 b", "4k3/8/8/8/8/8/8/4R3 w"] {
        let ends = "str(variantwin variantloss variantdraw (move legal count))";
        let wanted = "<false><true><false>0";
        assert_eq!(value(ends, "Atomic", &format!("{board} - - 0 1")), wanted, "{board}");
    }
    // In an imagined position too, where no move of the game leads.
    let gone = "imagine piece _ --> K|k : variantloss";
    assert_eq!(value(gone, "Atomic", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "<true>");
    let hill = "8/8/2k5/8/8/3K4/8/8 w - - 0 1";
    assert_eq!(value("move legal count : variantloss", "KOTH", hill), "2");
    assert_eq!(value("move legal to [d4,e4] count : variantend", "Standard", hill), "0");
}

#[test]
fn the_name_of_the_variant() {
    for (tag, name) in [
        ("Chess", "Standard"),
        ("fischerANDOM", "Chess960"),
        ("ATOM", "Atomic"),
        ("zh", "Crazyhouse"),
        ("antichess", "Giveaway"),
        ("Suicide Chess", "Suicide"),
        ("LOSERS", "Losers"),
        ("Horde", "Horde"),
        ("kingOfTheHill", "King of the Hill"),
        ("RacingKings", "Racing Kings"),
        ("3-Check", "Three-Check"),
    ] {
        assert_eq!(value("variant", tag, ""), name);
        for other in ["standard", "KOTH", "house", "race", "Three Check Chess"] {
            let query = format!("initial variant \"{other}\"");
            let same = Variant::parse(other) == Variant::parse(tag);
            assert_eq!(at(&query, tag, "", "").matched, same, "{other} in {tag}");
        }
    }
}

#[test]
fn drops() {
    let moves = "1. e4 d5 2. exd5 Qxd5 3. P@d4 P@e4";
    let query = |filter: &str| at(filter, "Crazyhouse", "", moves).positions;
    assert_eq!(query("move drop"), [4, 5]);
    assert_eq!(query("move drop to d4"), [4]);
    assert_eq!(query("move previous drop"), [5, 6]);
    // A pawn each: ranks 2 to 7 have 48 squares.
    let query = "ply == 4 message quiet (move legal drop count \" \" move legal drop to e8)";
    let outcome = at(query, "Crazyhouse", "", moves);
    assert_eq!(String::from_utf8(outcome.messages).unwrap(), "33 <false>\n");
    // A drop may mate.
    let smothered = "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1";
    assert_eq!(value("move to . legal drop : mate", "Crazyhouse", smothered), "f7");
    assert_eq!(value("move legal drop count", "Standard", ""), "0");
}

#[test]
fn generated_moves_follow_the_variant() {
    for (variant, fen, count) in [
        // Captures are compulsory.
        ("Antichess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "1"),
        ("Losers", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "1"),
        ("Standard", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "7"),
        // No move gives check.
        ("Racing Kings", "8/8/8/8/8/k7/8/K6R w - - 0 1", "13"),
        // The pawns of the first rank go two squares.
        ("Horde", "4k3/8/8/8/8/8/8/P7 w - - 0 1", "2"),
        // It is over.
        ("KOTH", "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "0"),
    ] {
        assert_eq!(value("move legal count", variant, fen), count, "{variant}");
    }
    // Kings that touch give no check: what would be illegal in chess.
    let touching = "8/8/8/8/8/3k4/4K3/4q3 w - - 0 1";
    assert_eq!(value("check", "Atomic", touching), "<false>");
    assert_eq!(value("check", "Standard", touching), "<true>");
}

/// Compares the FENs of every game in `corpus/games/variants` with the FENs that another program
/// wrote (`fens.txt`), and reads them back.
#[test]
fn fens_of_variants() {
    let folder = format!("{}/../../corpus/games/variants", env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect(name);
    let expected = read("fens.txt");
    let mut expected = expected.lines().peekable();
    let mut positions = 0;
    while let Some(name) = expected.peek().and_then(|line| line.split(' ').next()) {
        let text = read(name);
        for (game, (_, bytes)) in (1..).zip(Games::new(text.as_bytes())) {
            let query = "message quiet (ply \"\t\" currentfen \"\t\" standardfen)";
            let outcome = run_as(query, bytes, Dialect::CQLI, &RunOptions::default());
            let printed = String::from_utf8(outcome.messages).unwrap();
            let mut reader = Reader::new();
            let replayed = reader.read(bytes, Needs::MAIN_LINE);
            assert_eq!(printed.lines().count(), replayed.positions().len());
            for (line, position) in printed.lines().zip(replayed.positions()) {
                let [ply, current, standard] = line.split('\t').collect::<Vec<_>>()[..] else {
                    panic!("{line}");
                };
                let place = format!("{name} {game} {ply}");
                if let Some(line) = expected.next_if(|line| line.split('\t').next() == Some(&place))
                {
                    assert_eq!(line, format!("{place}\t{current}\t{standard}"));
                }
                let (back, rules) = fen::parse_variant(current, replayed.rules().variant).unwrap();
                assert_eq!(back, *position, "{place}");
                assert_eq!(fen::write(&back, &rules), current, "{place}");
                let plain = fen::parse(standard).expect(standard);
                assert_eq!(fen::write(&plain.0, &Rules::STANDARD), standard, "{place}");
                positions += 1;
            }
        }
    }
    assert_eq!(expected.next(), None);
    assert_eq!(positions, 2_407);
}

#[test]
fn fens_of_imaginary_positions_and_dialects() {
    let house = "4k3/1Q~6/8/8/8/8/8/4K3[Np] w - - 0 1";
    let plain = "4k3/1Q6/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(value("currentfen", "Crazyhouse", house), house);
    assert_eq!(value("standardfen", "Crazyhouse", house), plain);
    assert_eq!(value("fen", "Crazyhouse", house), plain);
    assert_eq!(
        value("{imagine piece Q --> e4 : currentfen}", "Crazyhouse", house),
        "4k3/1Q~6/8/8/4Q3/8/8/4K3[Np] w - - 0 1"
    );
    let checks = "4k3/8/8/8/8/8/8/3QK3 w - - 1+3 0 1";
    assert_eq!(value("currentfen", "3 check", checks), checks);
    assert_eq!(value("standardfen", "3 check", checks), "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    // An inner rook may castle, not the outer one; Shredder's letters are read too.
    for (shredder, current, standard) in [
        (
            "1k6/8/8/8/8/8/8/2R1K1RR w CG - 0 1",
            "1k6/8/8/8/8/8/8/2R1K1RR w GQ - 0 1",
            "1k6/8/8/8/8/8/8/2R1K1RR w KQ - 0 1",
        ),
        (
            "rr2k1r1/8/8/8/8/8/8/RR2K2R w HBgb - 0 1",
            "rr2k1r1/8/8/8/8/8/8/RR2K2R w KBkb - 0 1",
            "rr2k1r1/8/8/8/8/8/8/RR2K2R w KQkq - 0 1",
        ),
    ] {
        assert_eq!(value("currentfen", "Chess960", shredder), current);
        assert_eq!(value("currentfen", "Chess960", current), current);
        assert_eq!(value("standardfen", "Chess960", shredder), standard);
    }
}

/// `~` marks a promoted piece of Crazyhouse, and a swapped piece keeps its identity.
#[test]
fn promoted_men_of_the_fen_are_known_and_swapped() {
    let board = "r3k2Q~/8/8/8/8/8/8/R3K2R[] b KQq - 0 1";
    for (expression, wanted) in [
        ("promotedpieces", "h8"),
        (
            "imagine swap h8 h7 : str(promotedpieces currentfen)",
            "h7r3k3/7Q~/8/8/8/8/8/R3K2R[] b KQq - 0 1",
        ),
        (
            "imagine swap h8 a8 : str(promotedpieces currentfen)",
            "a8Q~3k2r/8/8/8/8/8/8/R3K2R[] b KQ - 0 1",
        ),
        (
            "imagine swap h8 a1 swap a1 d4 : str(promotedpieces currentfen)",
            "d4r3k2R/8/8/8/3Q~4/8/8/4K2R[] b Kq - 0 1",
        ),
        // Another one is put there, or nothing.
        (
            "imagine piece Q --> h8 : str(promotedpieces currentfen)",
            "[]r3k2Q/8/8/8/8/8/8/R3K2R[] b KQq - 0 1",
        ),
        ("imagine piece _ --> h8 : promotedpieces", "[]"),
        ("imagine sidetomove white : move to . legal from h8 : h7 & promotedpieces", "h7"),
    ] {
        assert_eq!(value(expression, "Crazyhouse", board), wanted, "{expression}");
    }
    // Captured, it is a pawn again: neither promoted nor marked.
    let found = at(
        "message quiet(promotedpieces currentfen)",
        "Crazyhouse",
        "7Q~/r7/3k4/8/8/8/8/4K3[] w - - 0 1",
        "1. Qh7 Rxh7",
    );
    assert_eq!(
        String::from_utf8_lossy(&found.messages),
        "h87Q~/r7/3k4/8/8/8/8/4K3[] w - - 0 1\n".to_owned()
            + "h78/r6Q~/3k4/8/8/8/8/4K3[] b - - 1 1\n"
            + "[]8/7r/3k4/8/8/8/8/4K3[p] w - - 0 2\n"
    );
}
