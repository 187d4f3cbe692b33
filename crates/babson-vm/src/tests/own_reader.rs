//! Games and positions that the machine reads itself.

use babson_chess::{Position, Rules};

use super::host::MemoryHost;
use crate::{
    CompileOptions, Dialect, GameOrigin, Machine, Program, RunError, RunOptions, RuntimeError,
    Value,
};

fn machine(text: &str) -> Machine {
    Machine::new(Program::parse(text, Dialect::CQLI).unwrap())
}

/// The positions that match in a game.
fn positions(machine: &mut Machine, pgn: &str) -> Vec<u32> {
    let hit = machine.run_text(pgn.as_bytes()).unwrap();
    hit.map_or(Vec::new(), |hit| hit.positions().to_vec())
}

/// Each query needs another part of the game.
#[test]
fn a_game_is_read_with_what_the_query_needs() {
    let pgn = "[White \"Adams\"]\n\n1. f3 {a} e5 2. g4 (2. h3 Qh4+ {b} 3. g3) Qh4# 0-1";
    for (query, expected) in [
        ("mate", &[4][..]),
        ("cql(variations) variation Qh4", &[]),
        ("cql(variations) variation check", &[6]),
        ("originalcomment \"a\"", &[1]),
        ("cql(variations) originalcomment \"b\"", &[6]),
        ("player \"Adams\" initial", &[0]),
    ] {
        assert_eq!(positions(&mut machine(query), pgn), expected, "{query}");
    }
    let visits = RunOptions { variations: Some(true), ..RunOptions::default() };
    let program = Program::parse("variation check", Dialect::CQLI).unwrap();
    assert_eq!(positions(&mut Machine::with_options(program, visits), pgn), [6]);
}

/// A hit has all of its game, whatever the query needs.
#[test]
fn a_hit_is_the_whole_game() {
    let mut machine = machine("sort \"pieces\" #[Aa] mate");
    let pgn = b"[White \"Adams\"]\n\n1. f3 {a} e5 2. g4 (2. h3) Qh4# 0-1\n\n[White \"B\"]\n\n*\n";
    let hit = machine.run_text(pgn).unwrap().unwrap();
    let text = String::from_utf8(hit.pgn()).unwrap();
    assert!(text.contains("{a}") && text.contains("h3") && text.contains("Qh4# {CQL}"), "{text}");
    assert!(text.trim_end().ends_with("0-1") && !text.contains("\"B\""), "{text}");
    let row = hit.row();
    assert_eq!((row.game, row.tag("White"), row.origin.offset), (1, Some("Adams"), 0));
    assert_eq!((row.sort[0].name.as_str(), hit.sort_keys().len()), ("pieces", 1));
    let hit = hit.with_origin(GameOrigin { input: "a.pgn", number: 1, offset: 7 });
    assert_eq!((hit.row().origin.input.as_str(), hit.row().origin.offset), ("a.pgn", 7));
    assert!(hit.game().damages().is_empty());
}

#[test]
fn a_damaged_game_is_searched_to_the_damage() {
    let mut machine = machine("Pe4");
    let hit = machine.run_text(b"1. e4 Ke5 2. d4 *").unwrap().unwrap();
    assert_eq!(hit.positions(), [1]);
    assert_eq!(hit.game().damages()[0].reason.to_string(), "illegal move");
}

#[test]
fn games_are_numbered_in_the_order_of_the_calls() {
    let mut machine = machine("cql(gamenumber 2 3) message quiet(gamenumber) persistent $n += 1");
    for (number, messages) in [(1, ""), (2, "2\n"), (3, "3\n"), (4, "")] {
        let found = machine.run_text(b"*").unwrap().map(|hit| hit.number());
        assert_eq!(found, (2..=3).contains(&number).then_some(number));
        assert_eq!(machine.outcome().messages, messages.as_bytes());
    }
    // A position between them does not count, but variables keep their values.
    assert!(machine.matches(&Position::start()).unwrap());
    assert_eq!(machine.persistents(), ["$n: 3"]);
}

#[test]
fn a_run_time_error_does_not_end_the_machine() {
    let limited = RunOptions { steps: 100, ..RunOptions::default() };
    let program = Program::parse("while (ply < 1) {true}", Dialect::CQLI).unwrap();
    let mut machine = Machine::with_options(program, limited);
    let error = machine.run_text(b"1. e4 *").unwrap_err();
    assert_eq!((error.fatal, error.limit.is_some()), (false, true));
    assert!(machine.matches(&Position::start()).is_err());
    let asserting: RuntimeError = self::machine("assert #Q == 2").run_text(b"*").unwrap_err();
    assert!(asserting.fatal && asserting.filter == "assert", "{asserting:?}");
    let unknown = self::machine("gamenumber == lastgamenumber").run_text(b"*").unwrap_err();
    assert!(unknown.fatal && unknown.filter == "lastgamenumber", "{unknown:?}");
    // One position is the only game.
    let mut last = self::machine("gamenumber == lastgamenumber");
    assert!(last.matches(&Position::start()).unwrap());
}

#[test]
fn a_position_has_a_value_if_the_program_has() {
    let start = Position::start();
    let error = machine("#P").evaluate(&start, &Rules::STANDARD).unwrap_err();
    assert_eq!(error, RuntimeError::from(RunError::NoValues));
    let options = CompileOptions { value: true, ..CompileOptions::default() };
    let value = |text: &str| {
        let program = Program::parse_with(text, Dialect::CQLI, &options).unwrap();
        Machine::new(program).evaluate(&start, &Rules::STANDARD)
    };
    assert_eq!(value("#P"), Ok(Value::Number(8)));
    assert_eq!(value("wtm"), Ok(Value::Bool(true)));
    assert_eq!(value("wtm K attacks a"), Ok(Value::Bool(false)));
    assert!(value("assert #Q == 2 Q").is_err());
}

/// What a query reaches outside of the games is refused, unless the options have a host.
#[test]
fn the_host_is_that_of_the_options() {
    let text = "readfile \"a.cqo\" == \"x\"";
    let error = machine(text).matches(&Position::start()).unwrap_err();
    assert!(error.fatal && error.message == "readfile is not allowed here", "{error:?}");
    let options = RunOptions { host: MemoryHost::of(&[("a.cqo", "x")]), ..RunOptions::default() };
    let program = Program::parse(text, Dialect::CQLI).unwrap();
    assert!(Machine::with_options(program, options).matches(&Position::start()).unwrap());
}
