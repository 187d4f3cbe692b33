//! The value of a query at a position.

use babson_chess::{Color, SquareSet, fen};
use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::{LINE, run_program};
use crate::{CompileOptions, GameContext, Machine, Outcome, PositionValue};
use crate::{Program, RunOptions, Value};

fn program(query: &str) -> Program {
    let analysis = crate::analyze(query, Dialect::CQLI);
    let query = analysis.unwrap_or_else(|errors| panic!("{query}: {errors:?}")).query;
    let options = CompileOptions { value: true, ..CompileOptions::default() };
    Program::compile_with(&query, &options).expect("the query is small")
}

fn outcome(query: &str) -> Outcome {
    run_program(&program(query), LINE, &RunOptions::default())
}

/// The values at the positions of [`LINE`] that match.
fn values(query: &str) -> Vec<(u32, Value)> {
    let Outcome { error, positions, values, .. } = outcome(query);
    assert_eq!((error, positions.len()), (None, values.len()), "{query}");
    positions.into_iter().zip(values).collect()
}

/// The text of the value on a board; none if the query does not match there.
fn text_on(board: &str, query: &str) -> Option<String> {
    let (program, (position, rules)) = (program(query), fen::parse(board).expect("a FEN"));
    let mut reader = Reader::new();
    let game = reader.one_position(&position, &rules, Needs { piece_ids: true, ..Needs::TAGS });
    let context = GameContext { number: 1, last_number: None, options: &RunOptions::default() };
    let mut machine = Machine::new(program.clone());
    let outcome = machine.run(&game, &context).unwrap();
    assert_eq!(outcome.error, None, "{query}");
    outcome.values.first().map(Value::to_string)
}

#[test]
fn each_match_has_the_value_of_the_last_filter() {
    assert_eq!(values("check"), [5, 7, 15, 17].map(|id| (id, Value::Bool(true))));
    let numbers = [(5, 15), (7, 15), (15, 15), (17, 15)];
    assert_eq!(values("check #a"), numbers.map(|(id, n)| (id, Value::Number(n))));
    // An empty set does not match.
    let queen = "h5".parse().map(SquareSet::of).expect("a square");
    assert_eq!(values("Q & a-h5"), [(3, Value::Set(queen)), (4, Value::Set(queen))]);
    let texts = [(5, "5x"), (7, "7x"), (15, "15x"), (17, "17x")];
    let texts = texts.map(|(id, text)| (id, Value::Text(text.into())));
    assert_eq!(values("check x = str(ply \"x\") x"), texts);
    let parent = PositionValue { id: 4, move_number: 3, side: Color::White, in_main_line: true };
    assert_eq!(values("ply == 5 parent"), [(5, Value::Position(parent))]);
}

#[test]
fn the_values_are_those_of_the_program_without_them() {
    for query in ["check", "check #a", "{check} {A attacks k}", "A attacks k", "move legal check"] {
        let analysis = crate::analyze(query, Dialect::CQLI).expect("the query is sound");
        let plain = Program::compile(&analysis.query).expect("small");
        let plain = run_program(&plain, LINE, &RunOptions::default());
        assert_eq!(plain.values, [], "{query}");
        assert!(plain.matched);
        assert_eq!(plain.positions, outcome(query).positions, "{query}");
    }
}

/// A special prize is an award, so `hhdb prize` matches. But its number counts only ordinary
/// prizes.
#[test]
fn an_award_may_match_without_a_value() {
    let game = b"[Event \"sp.p Ellerman-120 MT\"]\n\n*\n";
    let run = |query: &str, trace: bool| {
        let query = crate::analyze(query, Dialect::CQLI).expect("a good query").query;
        let options = CompileOptions { value: !trace, trace, ..CompileOptions::default() };
        let program = Program::compile_with(&query, &options).expect("small");
        run_program(&program, game, &RunOptions::default())
    };
    for query in [
        "hhdb prize",
        "{hhdb prize}",
        "flip {hhdb prize}",
        "if check then 3 else hhdb prize",
        "function f() {hhdb prize} f()",
    ] {
        let outcome = run(query, false);
        assert_eq!(
            (outcome.matched, &outcome.values[..]),
            (true, &[Value::Bool(true)][..]),
            "{query}"
        );
        assert!(run(query, true).matched, "{query}");
    }
    for (query, matched) in [("hhdb prize > 0", false), ("hhdb special prize == 1", true)] {
        assert_eq!([run(query, false).matched, run(query, true).matched], [matched; 2], "{query}");
    }
    assert_eq!(run("hhdb special prize == 1", false).values, [Value::Number(1)]);
}

/// As operands of `str`, these filters have another value than as a condition.
#[test]
fn a_value_is_what_str_prints() {
    let board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for query in ["piece $x = K $x", "piece $x = k $x", "legalposition", "reachableposition"] {
        let (filters, last) = query.rsplit_once(' ').unwrap_or(("", query));
        let printed = text_on(board, &format!("{filters} str({last})"));
        assert_eq!(text_on(board, query), printed, "{query}");
        assert_ne!(printed.as_deref(), Some("<true>"), "{query}");
    }
    assert_eq!(text_on(board, "piece $x = K $x").as_deref(), Some("Ke1"));
    assert_eq!(text_on(board, "legalposition").as_deref(), Some("<Legal position>"));
    assert_eq!(text_on(board, "not legalposition"), None);
    let both_in_check = "4k2R/8/8/8/7r/8/8/7K w - - 0 1";
    assert_eq!(text_on(both_in_check, "legalposition"), None);
    assert_eq!(text_on(board, "[QN]"), None);
}

#[test]
fn the_positions_of_a_query_of_cql_3_have_values() {
    let found = values("(match (position :check))");
    assert!(!found.is_empty());
    assert!(found.iter().all(|(_, value)| *value == Value::Bool(true)));
}

#[test]
fn an_error_leaves_no_values() {
    let found = outcome("if ply > 3 $x = 1 / 0 $y = str(\"a\") $y");
    assert!(found.error.is_some() || found.positions.len() == found.values.len());
    let found = outcome("assert ply < 3 #a");
    assert!(found.error.is_some());
    assert_eq!((found.positions, found.values), (vec![], vec![]));
}

/// The outcome has a copy of the text for each position.
#[test]
fn texts_of_values_count_as_memory() {
    let query = "if initial { $x = \"0123456789\" $n = 0 while ($n < 10) { $x += $x $n += 1 } } $x";
    let run = |memory| {
        let options = RunOptions { memory, ..RunOptions::default() };
        run_program(&program(query), LINE, &options)
    };
    assert_eq!(run(1 << 20).error, None);
    assert_eq!(run(50_000).error.as_ref().map(|error| &*error.filter), Some("limit"));
}
