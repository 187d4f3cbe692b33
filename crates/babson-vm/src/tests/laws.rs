//! Random queries on random games: every program of a query has the same outcomes. See
//! docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law, game, query};
use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::{profiled, run_program};
use crate::{CompileOptions, GameContext, Machine, Program, RunLimit, RunOptions};

/// The steps of a game: what takes more is not compared, since programs take different steps.
const STEPS: u64 = 20_000;

/// A program as it is searched with, one that counts each filter and skips none, one that leaves a
/// trace and keeps to the order of the text, and one without tests of positions: all have the same
/// outcome. No game that the guard rules out matches.
#[test]
fn query_and_game() {
    let least = [("match", 80), ("match of images", 1), ("no match", 250)];
    check_law!("query_and_game", 800, least, |bytes| {
        let mut choices = Choices::new(bytes);
        let dialect = choices.choose(&[Dialect::CQLI, Dialect::CQL6]);
        let variations = choices.choose(&[Some(true), Some(false), None]);
        let always_comment = choices.one_in(4);
        let query = query(&mut choices);
        let game = game(&mut choices.endless());
        let Ok(typed) = crate::analyze(&query, dialect) else { return "no query" };
        let typed = typed.query;
        let options = RunOptions {
            steps: STEPS,
            variations,
            always_comment,
            ..RunOptions::in_dialect(dialect)
        };
        let Ok(plain) = profiled(&typed) else { return "too large" };
        let expected = run_program(&plain, game.as_bytes(), &options);
        let limit = expected.error.as_ref().and_then(|error| error.limit);
        if limit == Some(RunLimit::Steps) {
            return "too many steps";
        }
        let program = Program::compile(&typed).expect("as small as the other");
        let traced = CompileOptions { trace: true, ..CompileOptions::default() };
        let traced = Program::compile_with(&typed, &traced);
        let untested = Program::without_conditions(&typed).expect("as small as the other");
        let programs = [Some(&program), traced.as_ref().ok(), Some(&untested)];
        for (program, name) in programs.into_iter().zip(["optimized", "traced", "untested"]) {
            let Some(program) = program else { continue };
            let options = RunOptions { steps: 20 * STEPS, ..options.clone() };
            let found = run_program(program, game.as_bytes(), &options);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{name}: {query}\n{game}");
        }
        let mut machine = Machine::new(program.clone());
        let mut reader = Reader::new();
        let needs = program.needs_with(&options).union(Needs::ALL);
        let context = GameContext { number: 1, last_number: None, options: &options };
        let (head, _) = reader.read_if(game.as_bytes(), needs, |_| false);
        let can_match = machine.can_match(&head, &context);
        assert!(can_match || !expected.matched && expected.messages.is_empty(), "{query}\n{game}");
        match (expected.matched, program.parts().code.images.is_empty()) {
            (true, false) => "match of images",
            (true, true) => "match",
            (false, false) => "no match of images",
            (false, true) => "no match",
        }
    });
}
