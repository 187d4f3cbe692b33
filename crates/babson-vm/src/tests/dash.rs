//! Dash filters (`docs/src/language/dash.md`): squares of moves, values and parameters, on small
//! games.

use babson_lang::Dialect;

use super::{comments, run_as};
use crate::RunOptions;

const CASTLE: &[u8] =
    b"[Event \"CASTLE\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. d3 Bg4 \
6. h3 Qd7 7. hxg4 O-O-O 8. Kh1 *\n";
/// Ids 0 to 7 are the main line, 8 and 9 are 1...Kg6 2.a8=N.
const PROMO: &[u8] =
    b"[Event \"PROMO\"]\n[FEN \"8/P6k/8/8/4p3/8/3P2KP/8 w - - 0 1\"]\n[Result \"*\"]\n\n\
1. d4 exd3 (1... Kg6 2. a8=N) 2. a8=Q d2 3. Qf3 d1=N 4. Qxd1 *\n";
const NULL: &[u8] = b"[Event \"NULL\"]\n[Result \"*\"]\n\n1. e4 -- 2. d4 d5 3. exd5 *\n";

fn options() -> RunOptions {
    RunOptions { cql6_output: true, ..RunOptions::default() }
}

/// The positions that match, variations included.
fn matches(pgn: &[u8], filter: &str) -> Vec<u32> {
    let query = format!("cql(variations) {filter}");
    let outcome = run_as(&query, pgn, Dialect::CQL6, &options());
    assert_eq!(outcome.error, None, "{filter}");
    outcome.positions
}

/// What the filter prints as at one position.
fn value_as(pgn: &[u8], at: u32, filter: &str, dialect: Dialect) -> String {
    let query = format!("cql(variations) positionid=={at} message quiet({filter})");
    let outcome = run_as(&query, pgn, dialect, &options());
    assert_eq!(outcome.error, None, "{filter}");
    let text = String::from_utf8(outcome.messages).expect("messages are text");
    text.trim_end().to_owned()
}

fn value(pgn: &[u8], at: u32, filter: &str) -> String {
    value_as(pgn, at, filter, Dialect::CQL6)
}

/// The comments that a query leaves, the match comments left out.
fn left(pgn: &[u8], filter: &str) -> Vec<(u32, String)> {
    let query = format!("cql(variations quiet) {filter}");
    let options = RunOptions::default();
    comments(&run_as(&query, pgn, Dialect::CQLI, &options))
}

#[test]
fn white_space_decides_what_belongs_to_a_dash() {
    for (filter, expected) in [
        ("K--g1", vec![6]),
        ("K --g1", vec![6]),
        ("K-- g1", vec![6, 14]),
        ("K -- g1", (0..=14).collect()),
        ("k--g1", vec![]),
        ("k --g1", vec![6]),
        ("K|N--f3|g1", vec![2, 6]),
        ("K | N--f3 | g1", vec![2, 6]),
        ("N attacks f3--f3", vec![2]),
        ("~n--f3", vec![2]),
        ("~N--f3", vec![]),
        // `:` binds tighter: the knights of the next position.
        ("n--c6", vec![3]),
        ("child:n--c6", vec![]),
        ("currentposition : --f3", vec![2]),
        ("――f3", vec![2]),
        ("-- or check", (0..=14).collect()),
        ("--or check", (0..=14).collect()),
        ("n-- and --c6", vec![3]),
        ("not --", vec![15]),
        ("if --f3 then n else false", vec![2]),
        ("N--(ply)>2", vec![2]),
        ("N--(ply)>3", vec![]),
        ("up 1 g2--f3", vec![]),
        ("down 1 g2--f3", vec![2]),
    ] {
        assert_eq!(matches(CASTLE, filter), expected, "{filter}");
    }
}

#[test]
fn operands() {
    for (filter, expected) in [
        ("R--", vec![6]),
        ("R--f1", vec![6]),
        ("[RK]--[f1,g1]", vec![6]),
        ("R--g1", vec![]),
        ("K--f1", vec![]),
        ("h1--", vec![6]),
        ("--f1", vec![6]),
        ("r--d8", vec![13]),
        ("r--c8", vec![]),
        ("k--c8", vec![13]),
        ("[x]", vec![12]),
        ("P[x]b", vec![12]),
        ("P×b", vec![12]),
        ("△×g4", vec![12]),
        ("h3--b", vec![12]),
        ("P--_", vec![0, 8, 10]),
        ("--[]", vec![]),
        // What a variable holds, and a set that must be computed at the head.
        ("x=g1|h2 x--", vec![2, 10, 14]),
        ("x=g1 x--f3", vec![2]),
        ("piece x=N & g1 x--", vec![2]),
        ("A attacks f7--", vec![]),
        ("N|Q attacks e5--", vec![2]),
        ("k attacks d8--", vec![13]),
        ("flip --a8", vec![14]),
        ("(K)--", vec![6, 14]),
        ("{check K}--", vec![]),
    ] {
        assert_eq!(matches(CASTLE, filter), expected, "{filter}");
    }
    for (filter, expected) in [
        ("p[x]P", vec![1]),
        ("p[x]d4", vec![1]),
        ("p[x]d3", vec![]),
        ("p--d3", vec![1]),
        ("p--P", vec![]),
        ("Q[x]n", vec![6]),
        ("[x][pn]", vec![6]),
        ("[x]", vec![1, 6]),
    ] {
        assert_eq!(matches(PROMO, filter), expected, "{filter}");
    }
    for (filter, expected) in [
        ("k--", vec![1]),
        ("k--k", vec![1]),
        ("--e8", vec![1]),
        ("k[x]", vec![]),
        ("[x]", vec![4]),
        ("--(nullmove)", vec![1]),
        ("previous k--", vec![2]),
        ("r--", vec![]),
    ] {
        assert_eq!(matches(NULL, filter), expected, "{filter}");
    }
    assert_eq!(value(NULL, 1, "--(from)"), "e8");
}

#[test]
fn promotions() {
    for (filter, expected) in [
        ("--=Q", vec![2]),
        ("--=q", vec![2]),
        ("--=N", vec![5, 8]),
        ("P--=N", vec![8]),
        ("p--=N", vec![5]),
        ("--=A", vec![2, 5, 8]),
        ("--=.", vec![2, 5, 8]),
        ("--=[RB]", vec![]),
        ("--a8=[QN]", vec![2, 8]),
        ("P--a8=Q", vec![2]),
        ("--f3=Q", vec![]),
        ("--=\"qn\"", vec![2, 5, 8]),
        ("--=\"N\"", vec![5, 8]),
        ("--=\"\"", vec![2, 5, 8]),
        ("--=\".\"", vec![2, 5, 8]),
        ("--=(\"q\")", vec![2]),
        ("x=\"Q\" --=x", vec![2]),
        // The string is evaluated before the move: White to move promotes to a queen, Black to a
        // knight.
        ("--={if wtm then \"q\" else \"n\"}", vec![2, 5]),
        ("y=a8 --y=Q", vec![2]),
        ("y=a8 P--y=N(btm)", vec![8]),
        ("--=A(N)", vec![8]),
        ("[x]=A", vec![]),
        ("previous --=A", vec![3, 6, 9]),
        ("flipcolor --=Q", vec![2]),
        ("flipcolor P--=N", vec![5, 8]),
        ("flipcolor p--d1=N", vec![5]),
    ] {
        assert_eq!(matches(PROMO, filter), expected, "{filter}");
    }
}

#[test]
fn values_are_those_of_the_first_fitting_move_whose_target_matches() {
    let tails = ["1", "2", "3", "4", "5", "6", "7", "<false>", "3", "<false>"];
    for (at, expected) in (0..).zip(tails) {
        assert_eq!(value(PROMO, at, "--(ply)"), expected);
    }
    for (at, filter, expected) in [
        (0, "--(currentposition)", "move 1(btm)"),
        (1, "--(currentposition)", "move 2(wtm)"),
        (1, "--(variation currentposition)", "move 2(wtm)[8]"),
        (7, "--(currentposition)", "<false>"),
        (0, "--(str(\"hi\" ply))", "hi1"),
        (1, "--(secondary from)", "h7"),
        (1, "--(primary from)", "e4"),
        (1, "k--(to)", "g6"),
        (1, "--(k & g6)", "g6"),
        (7, "--(from)", "[]"),
        (0, "--(check)", "<false>"),
        (0, "--(btm)", "<true>"),
        (0, "--=A(ply)", "<false>"),
        (2, "--=A(ply)", "3"),
        (1, "--(enpassant enpassantsquare)", "d4"),
        (1, "--(enpassantsquare)", "d4"),
        (0, "--(--(--(ply)))", "3"),
        (1, "--(--=N(ply))", "3"),
        (1, "#--(from)", "1"),
        (7, "#--(from)", "0"),
        (0, "--(ply) + 1", "2"),
        (0, "--(ply)*2", "2"),
        // The value of an `if` in the target; a set that is empty at the first tail.
        (1, "--(K attacks [g3,h3])", "g2"),
        (1, "--(d3)", "d3"),
        (1, "--(p & d3)", "d3"),
        (1, "--(k & h7)", "h7"),
        (1, "--(k attacks f5)", "g6"),
    ] {
        let dialect = Dialect { dash_values_match: true, ..Dialect::CQL6 };
        assert_eq!(value_as(PROMO, at, filter, dialect), expected, "{filter} at {at}");
    }
    // In CQL 6.2 the set comes from the first move between the squares.
    assert_eq!(value(PROMO, 1, "--(secondary from)"), "[]");
    assert_eq!(matches(PROMO, "x=--(from) x==g2"), [] as [u32; 0]);
    assert_eq!(matches(PROMO, "x=k--(from) x==h7"), [1]);
}

#[test]
fn from_and_to_belong_to_the_nearest_dash() {
    let moved = |filter: &str| filter.replace('T', "(str(\"from \" from \" to \" to))");
    for (filter, expected) in [
        ("--T", "from [e1,h1] to [f1,g1]"),
        ("[RK]--T", "from [e1,h1] to [f1,g1]"),
        ("R--T", "from h1 to f1"),
        ("K--T", "from e1 to g1"),
        ("--f1T", "from h1 to f1"),
        ("--[f1,g1]T", "from [e1,h1] to [f1,g1]"),
        ("R--g1T", "<false>"),
    ] {
        assert_eq!(value(CASTLE, 6, &moved(filter)), expected, "{filter}");
    }
    assert_eq!(value(CASTLE, 13, "[rk]--(o-o-o str(from \" \" to))"), "[a8,e8] [c8,d8]");
    assert_eq!(value(CASTLE, 7, "from to"), "[e1,h1][f1,g1]");
    for (at, filter, expected) in [
        (6, "R--(#from)", "1"),
        (6, "R--(if true then from else K)", "h1"),
        (6, "R--(square x in from x==h1)", "h1"),
        (6, "R--(flipcolor from)", "h1"),
        // Cut by what changes the current position, and by `sort`.
        (6, "R--(currentposition:from)", "[e1,h1]"),
        (6, "R--(sort \"n\" from)", "2"),
        (6, "R--(--(from))", "d7"),
        (6, "R--(parent:from)", "f8"),
        (6, "R--(find quiet from==[e1,h1])", "move 4(btm)"),
        (6, "R--(find quiet from==h1)", "<false>"),
        (6, "R--({line --> from==[e1,h1]})", "1"),
        (7, "previous R--(from)", "h1"),
        (7, "previous --(to)", "[f1,g1]"),
        (7, "currentmove K--(to)", "g1"),
        // An operand is outside of the target.
        (7, "R--(d6) or to", "<true>"),
    ] {
        assert_eq!(value(CASTLE, at, filter), expected, "{filter} at {at}");
    }
}

#[test]
fn words_before_a_dash() {
    for (filter, expected) in [
        ("previous --", (1..=9).collect()),
        ("previous p[x]P", vec![2]),
        ("currentmove p[x]", vec![2]),
        ("previous --(wtm)", vec![2, 4, 6, 8]),
        // The operands belong to the parent, the target to the current position.
        ("previous k|p--", vec![2, 4, 6, 8]),
        ("previous k attacks g6--", vec![8]),
        ("previous --(k attacks g6)", vec![1, 2, 3, 4, 5, 6, 7]),
        ("countmoves -- > 1", vec![1]),
        ("countmoves --(secondary) == 1", vec![1]),
        ("countmoves -- == 0", vec![7, 9]),
        ("countmoves --=A(N) > 0", vec![8]),
        ("legal p--(enpassant)", vec![1]),
        ("pseudolegal --(enpassant)", vec![1]),
        ("legal --(castle)", vec![]),
    ] {
        assert_eq!(matches(PROMO, filter), expected, "{filter}");
    }
    let counted = |filter: &str, dialect| {
        let values = (0..8).map(|at| value_as(PROMO, at, filter, dialect));
        values.collect::<Vec<_>>().join(",")
    };
    for (filter, expected) in [
        ("countmoves legal --", "11,7,10,4,28,6,30,5"),
        ("countmoves pseudolegal --", "12,7,10,6,28,6,31,5"),
        ("{move legal count}", "11,7,10,4,28,6,30,5"),
        ("countmoves --", "1,2,1,1,1,1,1,0"),
    ] {
        assert_eq!(counted(filter, Dialect::CQL6), expected, "{filter}");
    }
    // Each promotion is a move of its own.
    assert_eq!(value_as(PROMO, 0, "countmoves legal --", Dialect::CQLI), "14");
    assert_eq!(value_as(PROMO, 0, "countmoves legal P--a8", Dialect::CQLI), "4");
    for (at, filter, expected) in [
        (0, "legal P--", "[d3,h3,d4,h4,a8]"),
        (0, "legal --a8", "a8"),
        (0, "legal p--", "[]"),
        (0, "legal --K", "[]"),
        (1, "legal --(enpassant)", "d3"),
        (1, "countmoves legal --(enpassant)", "1"),
        (1, "#legal p--", "2"),
        (0, "previous --(ply)", "<false>"),
        (0, "previous --(from)", "[]"),
    ] {
        assert_eq!(value(PROMO, at, filter), expected, "{filter} at {at}");
    }
    for (at, filter, expected) in [
        (6, "legal --(o-o)", "g1"),
        (6, "legal K--(castle)", "g1"),
        (6, "legal R--(castle)", "[]"),
        (6, "legal R--", "[f1,g1]"),
        (6, "countmoves legal --(castle)", "1"),
        (13, "legal k--(castle)", "c8"),
        (13, "legal --(o-o-o)", "c8"),
    ] {
        assert_eq!(value(CASTLE, at, filter), expected, "{filter} at {at}");
    }
}

#[test]
fn comments_of_a_target_are_smart() {
    let at = |list: &[(u32, &str)]| -> Vec<(u32, String)> {
        list.iter().map(|&(node, text)| (node, text.to_owned())).collect()
    };
    for (filter, expected) in [
        ("--(comment(\"c\") secondary)", at(&[(8, "c")])),
        ("--(secondary comment(\"c\"))", at(&[(8, "c")])),
        // Only the first move that fits.
        ("positionid==1 --(comment(from))", at(&[(2, "e4")])),
        ("not --(comment(\"c\") terminal)", at(&[])),
        ("--(comment(\"c\")) false", at(&[])),
        ("--(comment(\"c\") false) or positionid==3", at(&[])),
        ("countmoves --(comment(\"c\")) == 2", at(&[(2, "c"), (8, "c")])),
        ("countmoves --(comment(\"c\") secondary) == 1", at(&[(8, "c")])),
        (
            "--(--(comment(\"in\") terminal) comment(\"out\"))",
            at(&[(6, "out"), (7, "in"), (8, "out"), (9, "in")]),
        ),
        ("previous --=A(comment(\"p\" to))", at(&[(3, "pa8"), (6, "pd1"), (9, "pa8")])),
        ("x=--(comment(\"c\") secondary from)  x==h7", at(&[(8, "c")])),
    ] {
        assert_eq!(left(PROMO, filter), expected, "{filter}");
    }
}

#[test]
fn transforms_reach_into_dashes() {
    for (at, filter, expected) in [
        (2, "flip count --a8", "1"),
        (2, "flip count --a1", "1"),
        (2, "flip 1 --a8", "1"),
        (0, "flipcolor P--(from)", "d2"),
        (1, "flipcolor P--(from)", "e4"),
        (3, "flipcolor {P--d3(ply)}", "<false>"),
        (0, "flipcolor {p--d5(ply)}", "1"),
        // All translations of d1 are squares; one of them is the origin.
        (0, "shift count d1--", "1"),
        (0, "rotate90 count a7--", "0"),
        (2, "flipvertical {h7--h8(from)}", "a7"),
    ] {
        assert_eq!(value(PROMO, at, filter), expected, "{filter} at {at}");
    }
}

#[test]
fn a_line_does_not_tie_a_dash_to_the_move_it_follows() {
    let end = |constituent: &str| {
        let filter = format!("{{line lastposition --> {constituent} --> . --> .}}");
        value(super::LINE, 7, &filter)
    };
    assert_eq!(end("--e7"), "move 5(btm)");
    assert_eq!(end("move to e7"), "move 5(btm)[22]");
    // What stands in a target belongs to the position behind the move.
    assert_eq!(
        value(super::LINE, 7, "{line lastposition --> --(move to f3) --> . --> .}"),
        "move 5(btm)"
    );
}
