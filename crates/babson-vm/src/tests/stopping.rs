//! Runs that are stopped from outside.

use std::sync::Arc;
use std::time::Instant;

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::LINE;
use crate::{
    CancelToken, GameContext, Host, HostError, Machine, Outcome, Program, RunError, RunOptions,
    StopSignal, Stopped,
};

/// Cancels the run when a query reads a file. The file has a text on which a regular expression is
/// slow.
#[derive(Debug)]
struct CancelingHost(CancelToken);

impl Host for CancelingHost {
    fn read_file(&self, _name: &str, _limit: usize) -> Result<Vec<u8>, HostError> {
        self.0.cancel();
        Ok(b"a".repeat(5_000))
    }
}

/// Options with the greatest step limit. In practice, an endless query ends only when it is
/// stopped.
fn endless() -> RunOptions {
    let token = CancelToken::default();
    RunOptions {
        host: Arc::new(CancelingHost(token.clone())),
        stop: StopSignal { cancel: Some(token), deadline: None },
        steps: u64::MAX,
        ..RunOptions::default()
    }
}

fn run(query: &str, options: &RunOptions) -> Result<Outcome, RunError> {
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query).expect(query);
    let mut reader = Reader::new();
    let game = reader.read(LINE, program.needs().union(Needs::MAIN_LINE));
    let mut machine = Machine::new(program);
    let context = GameContext { number: 1, last_number: None, options };
    let result = machine.run(&game, &context).cloned();
    // A machine whose run was stopped can run again.
    let usual = RunOptions::default();
    let again = machine.run(&game, &GameContext { options: &usual, ..context });
    assert!(again.is_ok_and(|outcome| outcome.error.is_some()), "{query}");
    result
}

#[test]
fn a_token_stops_a_query_that_never_ends() {
    for query in [
        "readfile \"a.cqo\" while (true) true",
        "readfile \"a.cqo\" x=0 while (x==0) { find all check }",
        "s = readfile \"a.cqo\" s ~~ \"(a*)*\\1b\"",
        "s = readfile \"a.cqo\" while (true) { t = s + s }",
    ] {
        assert_eq!(run(query, &endless()), Err(RunError::Stopped(Stopped::Cancelled)), "{query}");
    }
}

#[test]
fn a_deadline_that_has_passed_stops_each_game() {
    let now = StopSignal { cancel: None, deadline: Some(Instant::now()) };
    let options = RunOptions { stop: now, ..RunOptions::default() };
    let query = "readfile \"a.cqo\" mate";
    assert_eq!(run(query, &options), Err(RunError::Stopped(Stopped::Deadline)));
}

#[test]
fn a_block_that_is_stopped_ends_the_run() {
    let query = "cqlbegin { s = readfile \"a.cqo\" while (true) true } mate";
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query).expect(query);
    let mut machine = Machine::new(program);
    let error = machine.begin(&endless(), None).error.clone().expect("it is stopped");
    assert!(error.fatal && error.message.contains("canceled"), "{error:?}");
}
