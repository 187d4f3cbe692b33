//! The trace of an evaluation.

use babson_chess::{SquareSet, fen};
use babson_lang::Dialect;
use babson_lang::hir::{Expr, ExprKind, OutputFilter, Query, StateFilter};
use babson_pgn::{Game, Needs, Reader};

use super::LINE;
use crate::{CompileOptions, GameContext, Machine, Program, RunOptions, RuntimeError};
use crate::{Trace, TraceEntry, Value, Verdict, Why};

fn program(query: &str) -> Program {
    let analysis = crate::analyze(query, Dialect::CQLI);
    let query = analysis.unwrap_or_else(|errors| panic!("{query}: {errors:?}")).query;
    let options = CompileOptions { trace: true, ..CompileOptions::default() };
    Program::compile_with(&query, &options).expect("the query is small")
}

fn trace_of(query: &str, game: &Game<'_>, position: u32) -> Result<Trace, RuntimeError> {
    let program = program(query);
    let context = GameContext { number: 1, last_number: None, options: &RunOptions::default() };
    Machine::new(program.clone()).trace(game, &context, position)
}

fn on_line(query: &str, position: u32) -> Result<Trace, RuntimeError> {
    let mut reader = Reader::new();
    let needs = Needs { piece_ids: true, ..Needs::MAIN_LINE };
    trace_of(query, &reader.read(LINE, needs), position)
}

fn on_board(query: &str, board: &str) -> Trace {
    let (position, rules) = fen::parse(board).expect("a FEN");
    let mut reader = Reader::new();
    let game = reader.one_position(&position, &rules, Needs { piece_ids: true, ..Needs::TAGS });
    trace_of(query, &game, 0).expect("no run-time error")
}

/// The entry of the filter with this text.
fn entry<'t>(trace: &'t Trace, query: &str, filter: &str) -> &'t TraceEntry {
    let found = trace.entries.iter().find(|entry| entry.span.text(query) == filter);
    found.unwrap_or_else(|| panic!("{filter}: {trace}"))
}

fn squares(names: &str) -> Option<Value> {
    let set = names.split(' ').map(|name| SquareSet::of(name.parse().expect("a square")));
    Some(Value::Set(set.fold(SquareSet::EMPTY, |all, one| all | one)))
}

const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const ROOKS: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

#[test]
fn conditions_have_verdicts() {
    let trace = on_board("mate", MATED);
    assert!(trace.matched);
    assert_eq!(trace.to_string(), "Mate: yes\n");
    let trace = on_board("mate", ROOKS);
    assert!(!trace.matched);
    assert_eq!(trace.to_string(), "Mate: no\n");
    let trace = on_board("not check", MATED);
    assert_eq!(trace.to_string(), "Not: no\n  Check: yes\n");
    let query = "check or mate or stalemate";
    let trace = on_board(query, MATED);
    assert_eq!(entry(&trace, query, "check").verdict(), Verdict::Matched);
    assert_eq!(entry(&trace, query, "stalemate").verdict(), Verdict::Unevaluated);
    let trace = on_board(query, ROOKS);
    assert!(trace.entries.iter().all(|entry| entry.verdict() == Verdict::Failed));
}

#[test]
fn filters_have_their_values() {
    let query = "#Q == 2";
    let trace = on_board(query, MATED);
    assert_eq!(entry(&trace, query, "#Q").value, Some(Value::Number(1)));
    assert_eq!(entry(&trace, query, "Q").value, squares("g7"));
    assert_eq!(entry(&trace, query, query).verdict(), Verdict::Failed);
    let query = "R attacks a8";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, query).value, squares("a1"));
    assert_eq!(entry(&trace, query, "R").value, squares("a1 h1"));
    // An empty set has a value and does not match.
    let trace = on_board("Q", ROOKS);
    let [only] = trace.entries.as_slice() else { panic!("{trace}") };
    assert_eq!(
        (only.value.clone(), only.verdict()),
        (Some(Value::Set(SquareSet::EMPTY)), Verdict::Failed)
    );
    let query = "n | R";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, "n").verdict(), Verdict::Failed);
    assert_eq!(entry(&trace, query, "R").verdict(), Verdict::Matched);
    let query = "\"a\" + str(#R)";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, query).value, Some(Value::Text(b"a2".to_vec())));
    let query = "piece $x in R colortype $x == 4";
    assert!(on_board(query, ROOKS).matched);
}

#[test]
fn spans_include_parentheses_and_braces() {
    for query in ["(K) & [Rr]", "K & (r)", "{K} & r", "#(K | (k)) == (3)", "(1 + 2) * (3) == 9"] {
        let trace = on_board(query, ROOKS);
        assert_eq!(trace.entries[0].span.text(query), query, "{trace}");
    }
    let query = "(K) & [Rr]";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, "(K)").value, squares("e1"));
}

/// Pure filters are evaluated in the order of the text, and the first that fails ends it.
#[test]
fn filters_after_a_failed_one_are_not_evaluated() {
    let query = "reachableposition check #R == 2 wtm";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, "reachableposition").evaluated, 1);
    assert_eq!(entry(&trace, query, "check").verdict(), Verdict::Failed);
    for after in ["#R == 2", "wtm"] {
        let entry = entry(&trace, query, after);
        assert_eq!(
            (entry.verdict(), entry.evaluated, &entry.value),
            (Verdict::Unevaluated, 0, &None)
        );
    }
    let game = "[Result \"1-0\"]\n\n1. e4 e5 1-0";
    let mut reader = Reader::new();
    let game = reader.read(game.as_bytes(), Needs::MAIN_LINE);
    let query = "result 0-1 terminal";
    let trace = trace_of(query, &game, 2).expect("no error");
    assert_eq!(entry(&trace, query, "result 0-1").verdict(), Verdict::Failed);
}

#[test]
fn the_images_of_a_filter_are_one_entry() {
    let query = "flip {Ra1 Kh8}";
    let trace = on_board(query, "R6k/8/8/8/8/8/8/K7 b - - 0 1");
    assert!(!trace.matched, "{trace}");
    let rook = entry(&trace, query, "Ra1");
    assert!(rook.evaluated > 1 && rook.matched > 0 && rook.matched < rook.evaluated, "{trace}");
    let king = entry(&trace, query, "Kh8");
    assert_eq!(king.verdict(), Verdict::Failed);
    // The label of the entry is the filter as the query writes it, not its first image.
    let trace = on_board("flipcolor k", ROOKS);
    assert!(trace.to_string().contains("k: yes"), "{trace}");
    assert!(!trace.to_string().contains("K: "), "{trace}");
    let query = "shift {pa2 & _}";
    let trace = on_board(query, "8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(entry(&trace, query, "pa2").verdict(), Verdict::Failed);
}

#[test]
fn only_the_evaluation_at_the_position_counts() {
    // `find` looks at the positions from the asked one on.
    let query = "find check";
    let trace = on_line(query, 3).expect("no error");
    assert!(trace.matched);
    let check = entry(&trace, query, "check");
    assert_eq!((check.evaluated, check.matched), (3, 1), "{trace}");
    // Variables have the values that earlier positions gave them.
    let query = "if initial $n = 0 $n += 1 $n == 4";
    let trace = on_line(query, 3).expect("no error");
    assert!(trace.matched, "{trace}");
    assert_eq!(entry(&trace, query, "$n").evaluated, 1);
}

/// The value of a filter is that at the position, even if it was evaluated at others after it.
#[test]
fn values_tell_where_they_are_from() {
    let query = "K find 2 (k attacks .)";
    let trace = on_line(query, 0).expect("no error");
    let king = entry(&trace, query, "k");
    assert_eq!((king.value.clone(), king.elsewhere), (squares("e8"), None), "{trace}");
    assert_eq!(king.squares(), SquareSet::of("e8".parse().unwrap()));
    let trace = on_line("find all {ply > 2 K}", 0).expect("no error");
    let king = entry(&trace, "find all {ply > 2 K}", "K");
    assert!(king.elsewhere.is_some_and(|at| at > 2) && king.squares().is_empty(), "{trace}");
}

/// Verdict and value are of one evaluation, also if a later one fails.
#[test]
fn a_filter_that_matched_has_the_value_of_the_match() {
    // Only the white rook attacks: the last image fails.
    let query = "flipcolor {R attacks k}";
    let trace = on_board(query, "4k3/8/8/8/8/8/8/r3R2K b - - 0 1");
    let inner = entry(&trace, query, "{R attacks k}");
    assert_eq!((inner.matched, inner.value.clone()), (1, squares("e1")), "{trace}");
    // The first position fails, a later one matches.
    let query = "find 1 30 check";
    assert!(on_line(query, 0).expect("no error").matched);
    let query = "find 1 30 Q attacks k";
    let trace = on_line(query, 0).expect("no error");
    let found = entry(&trace, query, "Q attacks k");
    assert!(found.matched > 0 && found.value == squares("f7"), "{trace}");
    assert!(found.elsewhere.is_some(), "{trace}");
    // The first of several matches, and what its operands were then.
    let query = "piece $x in R {$x attacks k}";
    let trace = on_board(query, "4k3/8/8/8/8/8/8/R3R2K b - - 0 1");
    assert_eq!(entry(&trace, query, "{$x attacks k}").value, squares("e1"), "{trace}");
    assert_eq!(entry(&trace, query, "$x").squares(), SquareSet::of("e1".parse().unwrap()));
    // A filter that never matched is empty.
    let query = "flipcolor {Q attacks k}";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, "{Q attacks k}").value, squares_of_nothing(), "{trace}");
}

fn squares_of_nothing() -> Option<Value> {
    Some(Value::Set(SquareSet::EMPTY))
}

/// A text that is taken back with its comments is still shown.
#[test]
fn texts_outlive_a_filter_that_failed() {
    let query = "{comment(\"a\") str(\"ply \" ply) false} or str(\"else \" ply) == \"else 3\"";
    let trace = on_line(query, 3).expect("no error");
    let text = |text: &str| Some(Value::Text(text.into()));
    assert_eq!(entry(&trace, query, "str(\"ply \" ply)").value, text("ply 3"), "{trace}");
    assert_eq!(entry(&trace, query, "str(\"else \" ply)").value, text("else 3"), "{trace}");
}

/// Each filter has the value that it has in a query of its own, and the same verdict.
#[test]
fn values_are_those_of_each_filter_alone() {
    const QUERIES: &[&str] = &[
        "R attacks k  #(Q | R) > 1  Q attacks [Kkq]",
        "{wtm K & _ or k attacks P} N | B attacks p",
        "flipcolor {R attacks k}",
        "not {P attacks p}",
        "if check then R else #N + 2 * #B > 3",
        "find 2 (Q attacks k)",
        "find {check and #(. attacks k) > 1}",
        "pin through N to K",
        "up 1 P & down 2 p",
        "P & between(K k)",
        "power A > power a + 1",
        "ray attack (Q . k)",
        "passedpawns & rank 5 == 5",
        "connectedpawns and isolatedpawns",
        "str(\"q\" #q) == \"q1\"",
        "max(#P #p #N) > 7",
        "move to f7 from Q",
        "move legal capture . : check",
        "Q --> f7",
        "light B or dark b",
        "square $x in N { $x attacks P }",
        "$k = k  $k attackedby Q",
        "parent : {Q attacks p}",
        "imagine piece Q --> e7 : Q attacks k",
        "line --> Q --> q",
        "shift { Pa2 & _ }",
        "legalposition #(. attacks f7) > 2",
        "abs(#P - #p) > 0  sqrt(#A) == 3",
        "promotedpieces or enpassantsquare",
        "sort \"k\" (rank K + file k)",
        "comment(\"here\" #A power a)",
    ];
    let mut queries: Vec<String> = QUERIES.iter().map(|query| (*query).to_owned()).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/queries");
    for file in std::fs::read_dir(folder).expect("the queries") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("UTF-8");
        queries.push(text);
    }
    let mut reader = Reader::new();
    let game = reader.read(LINE, Needs { piece_ids: true, ..Needs::MAIN_LINE });
    let mut compared = 0;
    for text in &queries {
        // Some queries of the corpus need more than this game has, such as variations.
        let Ok(analysis) = crate::analyze(text, Dialect::CQLI) else { continue };
        let mut filters = Vec::new();
        for filter in &analysis.query.body {
            evaluated_alone(filter, &mut filters);
        }
        let traces: Vec<Trace> =
            (0..18).map_while(|position| trace_of(text, &game, position).ok()).collect();
        for filter in filters {
            let query = Query { body: vec![filter.clone()], ..analysis.query.clone() };
            let options = CompileOptions { value: true, ..CompileOptions::default() };
            let compiled = Program::compile_with(&query, &options);
            let outcome =
                super::run_program(&compiled.expect("small"), LINE, &RunOptions::default());
            let alone = |position: u32| {
                let at = outcome.positions.iter().position(|&found| found == position)?;
                Some(outcome.values[at].clone())
            };
            for trace in &traces {
                let entry = trace.entries.iter().find(|entry| entry.span == filter.span);
                let Some(entry) = entry.filter(|entry| entry.evaluated > 0) else { continue };
                let place = entry.elsewhere.unwrap_or(trace.position);
                let expected = alone(place);
                let of_nothing = |value: &Value| *value == Value::Set(SquareSet::EMPTY);
                let shown = entry.value.clone().filter(|value| !of_nothing(value));
                let told = format!("{} at {place}\n{trace}", filter.span.text(text));
                match (entry.verdict(), entry.evaluated) {
                    (Verdict::Matched, 1) => assert!(expected.is_some(), "{told}"),
                    (Verdict::Failed, 1) => assert_eq!(expected, None, "{told}"),
                    (Verdict::Matched | Verdict::Failed | Verdict::Unevaluated, _) => {}
                }
                if shown.is_some() {
                    assert_eq!(shown, expected, "{told}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// The filters in this one that have the same value in a query of their own: those on the board of
/// the position that read and change no variable.
fn evaluated_alone(filter: &Expr, found: &mut Vec<Expr>) {
    let has_names = |filter: &Expr| {
        let mut any = false;
        filter.for_each_name(&mut |_| any = true);
        any
    };
    if !filter.any(&has_names) && filter.range().is_none_or(|range| range.is_constant()) {
        found.push(filter.clone());
    }
    let keeps_the_board = matches!(
        filter.kind,
        ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::Set(_)
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
            | ExprKind::State(StateFilter::Assign { .. })
            | ExprKind::Find(_)
            | ExprKind::Sort { .. }
            | ExprKind::Output(OutputFilter::Comment(_))
            | ExprKind::Str(_)
    );
    if keeps_the_board {
        // Of several nodes with one span, the trace has the outermost.
        let inside = filter.span;
        filter.for_each_operand(&mut |operand| {
            if operand.span != inside {
                evaluated_alone(operand, found);
            }
        });
    }
}

/// One evaluation of the game gives the traces of one for each position.
#[test]
fn several_positions_are_traced_at_once() {
    for query in ["if initial $n = 0 $n += 1 $n == 4", "check find 2 check", "#a > 12"] {
        let program = program(query);
        let mut reader = Reader::new();
        let needs = Needs { piece_ids: true, ..Needs::MAIN_LINE };
        let game = reader.read(LINE, needs);
        let options = RunOptions::default();
        let context = GameContext { number: 1, last_number: None, options: &options };
        let mut machine = Machine::new(program.clone());
        let traces = machine.traces(&game, &context, &[0, 3, 4, 9]).expect("no error");
        for trace in traces {
            assert_eq!(on_line(query, trace.position), Ok(trace), "{query}");
        }
        assert_eq!(machine.traces(&game, &context, &[]), Ok(Vec::new()));
    }
}

#[test]
fn imagined_boards_are_traced() {
    let query = "imagine piece Q --> e7 : Q attacks k";
    let trace = on_board(query, ROOKS);
    assert_eq!(entry(&trace, query, "Q attacks k").value, squares("e7"), "{trace}");
}

#[test]
fn errors_are_not_traces() {
    assert_eq!(on_line("check", 400).unwrap_err().filter, "trace");
    let error = on_line("assert ply < 2", 5).unwrap_err();
    assert!(error.fatal && error.position == 2, "{error:?}");
}

#[test]
fn a_trace_is_serialized_and_read_back() {
    let trace = on_board("R attacks a8 check", ROOKS);
    let json = serde_json::to_string(&trace).expect("JSON");
    assert_eq!(serde_json::from_str::<Trace>(&json).expect("a trace"), trace);
    assert!(json.contains(r#""value":{"set":["a1"]}"#), "{json}");
}

/// What a traced program matches is what the same program matches without traces.
#[test]
fn a_traced_program_matches_the_same_positions() {
    for query in [
        "check",
        "#a > 12 move legal capture .",
        "flip {Pa2 or Nf3}",
        "line --> . * --> check",
        "shift Pa2",
        "path -- check",
    ] {
        let plain = super::run_as(query, LINE, Dialect::CQLI, &RunOptions::default());
        for position in 0..18 {
            let matched = on_line(query, position).expect("no error").matched;
            assert_eq!(matched, plain.positions.contains(&position), "{query} {position}");
        }
    }
}

fn why(query: &str, asked: Option<u32>) -> Why {
    let positions = {
        let mut reader = Reader::new();
        reader.read(LINE, Needs::MAIN_LINE).len()
    };
    let traces = (0..positions).map(|position| on_line(query, position).expect("no error"));
    Why::of(traces.collect(), asked).expect("the position")
}

#[test]
fn the_nearest_position_and_the_first_failure() {
    let query = "btm check mate";
    let found = why(query, None);
    assert!(found.matches.is_empty());
    let failed = found.failed.expect("no match");
    let entry = &found.trace.entries[failed as usize];
    assert_eq!((entry.span.text(query), found.trace.matched), ("mate", false), "{found:?}");
    let all: u32 = found.failures.iter().map(|failure| failure.positions).sum();
    assert_eq!(all, found.positions);
    assert_eq!(found.failures[0].first, 0);
    // The asked position, and none that the game lacks.
    let asked = why(query, Some(2));
    assert_eq!((asked.trace.position, asked.failed), (2, Some(0)));
    assert_eq!(Why::of(vec![asked.trace], Some(7)), None);
    // A match is nearest.
    let found = why("check", None);
    assert_eq!((found.matches.first(), found.failed), (Some(&found.trace.position), None));
}

#[test]
fn a_conjunction_ends_at_an_operand() {
    for (query, failed) in [
        ("{wtm K & k mate}", "K & k"),
        ("K attacks k", "K attacks k"),
        ("#Q == 7", "#Q == 7"),
        ("not K", "not K"),
        ("mate or stalemate", "mate or stalemate"),
    ] {
        let trace = on_board(query, ROOKS);
        let entry = &trace.entries[trace.first_failure().expect("no match") as usize];
        assert_eq!(entry.span.text(query), failed, "{trace}");
    }
}
