//! What a query reaches outside of the games.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::{LINE, profiled, run_as};
use crate::{
    CompileOptions, GameContext, Host, HostError, MAX_PIPE_ANSWER, Machine, Outcome, Pipe,
    PipeError, Program, RunLimit, RunOptions,
};

/// Files in memory. Those whose names begin with `locked` cannot be read or written.
#[derive(Debug, Default)]
pub(super) struct MemoryHost {
    files: Mutex<HashMap<String, Vec<u8>>>,
    /// How often a file was read.
    reads: AtomicU32,
}

impl MemoryHost {
    pub(super) fn of(files: &[(&str, &str)]) -> Arc<MemoryHost> {
        let host = MemoryHost::default();
        for (name, text) in files {
            host.write_file(name, text.as_bytes(), false).expect("it is not locked");
        }
        Arc::new(host)
    }

    fn text(&self, name: &str) -> String {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&files[name]).into_owned()
    }
}

impl Host for MemoryHost {
    fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let text = files.get(name).ok_or(io::Error::from(ErrorKind::NotFound))?;
        if text.len() > limit {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it is too large").into());
        }
        Ok(text.clone())
    }

    fn write_file(&self, name: &str, text: &[u8], append: bool) -> Result<(), HostError> {
        if name.starts_with("locked") {
            return Err(io::Error::other("it is locked").into());
        }
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.entry(name.to_owned()).or_default();
        if !append {
            file.clear();
        }
        file.extend_from_slice(text);
        Ok(())
    }
}

/// The options of a run with a memory of these files.
fn options(files: &[(&str, &str)]) -> RunOptions {
    RunOptions { host: MemoryHost::of(files), ..RunOptions::default() }
}

fn run(query: &str, options: &RunOptions) -> Outcome {
    run_as(query, LINE, Dialect::CQLI, options)
}

fn error(query: &str, options: &RunOptions) -> String {
    let error = run(query, options).error.expect(query);
    assert!(error.fatal, "{query}: {error:?}");
    error.message
}

#[test]
fn files_are_those_of_the_host() {
    let plain = options(&[("a.cqo", "one\n"), ("b.pgn", "two")]);
    let outcome = run(r#"initial message quiet ((readfile "a.cqo") + readfile "b.pgn")"#, &plain);
    assert_eq!((outcome.error, outcome.messages), (None, b"one\ntwo\n".to_vec()));
    assert_eq!(
        error(r#"readfile "none.cqo""#, &plain),
        r#"cannot read "none.cqo": entity not found"#
    );
    let small = RunOptions { memory: 1000, ..options(&[("a.cqo", &"x".repeat(2000))]) };
    assert_eq!(
        error(r#"readfile "a.cqo""#, &small),
        "cannot read \"a.cqo\": it is too large, the memory that is left to the game"
    );
    // The language sets the rules for file names, so they hold for any host.
    assert!(error(r#"readfile ("a" + ".txt")"#, &plain).contains("must end in"));
}

/// A file that the query names with a constant is read once in a game, unless the query writes
/// files or asks a program, and it counts once for the memory of the game.
#[test]
fn files_are_read_once_in_a_game() {
    let reads = |query: &str, memory: usize| {
        let host =
            MemoryHost::of(&[("a.cqo", &"x".repeat(300)), ("b.cqo", "b"), ("LINE.cqo", "l")]);
        let options = RunOptions { host: host.clone(), memory, ..RunOptions::default() };
        let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
        let program = Program::compile(&analysis.query).expect(query);
        let mut reader = Reader::new();
        let game = reader.read(LINE, program.needs().union(Needs::MAIN_LINE));
        let mut machine = Machine::new(program.clone());
        let mut said = Vec::new();
        for number in 1..=2 {
            let context = GameContext { number, last_number: None, options: &options };
            let outcome = machine.run(&game, &context).unwrap();
            assert_eq!(outcome.error, None, "{query}");
            said.push(outcome.messages.clone());
        }
        (host.reads.load(Ordering::Relaxed), said)
    };
    let (number, said) = reads("message quiet(readfile \"a.cqo\")", 1 << 20);
    assert_eq!((number, said[0].len()), (2, 19 * 301));
    assert_eq!(said[0], said[1]);
    // Little memory is enough. A text that was made between two readings is not the file.
    let text = "{message quiet(readfile \"a.cqo\" ply)} or {str(ply) + \"y\" == \"none\"}";
    assert_eq!(reads("readfile \"a.cqo\" == \"none\" or true", 1000).0, 2);
    assert_eq!(reads(text, 1 << 20).0, 2);
    let query = "ply < 3 message quiet(readfile \"b.cqo\") writefile(\"b.cqo\" str(ply))";
    let (number, said) = reads(query, 1 << 20);
    assert_eq!((number, said[0].as_slice()), (6, &b"b\n0\n01\n"[..]));
    assert_eq!(said[1], b"012\n0120\n01201\n");
    // A name that is not a constant is read wherever it is evaluated.
    assert_eq!(reads("ply < 3 readfile (event + \".cqo\") == \"l\"", 1 << 20).0, 6);
}

/// A query sees what another one wrote before the game.
#[test]
fn files_are_read_anew_in_each_game() {
    let host = MemoryHost::of(&[]);
    let options = RunOptions { host: host.clone(), ..RunOptions::default() };
    let program = |query: &str| {
        let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
        Program::compile(&analysis.query).expect(query)
    };
    let writing = program("initial writefile(\"a.cqo\" str(gamenumber))");
    let reading = program("initial message quiet(readfile \"a.cqo\")");
    let mut reader = Reader::new();
    let needs = writing.needs().union(reading.needs()).union(Needs::MAIN_LINE);
    let game = reader.read(LINE, needs);
    let (mut writer, mut machine) = (Machine::new(writing.clone()), Machine::new(reading.clone()));
    let mut said = Vec::new();
    for number in 1..=3 {
        let context = GameContext { number, last_number: None, options: &options };
        assert_eq!(writer.run(&game, &context).unwrap().error, None);
        said.extend_from_slice(&machine.run(&game, &context).unwrap().messages);
    }
    assert_eq!(said, b"1\n12\n123\n");
}

/// The first text of a run replaces a file, the others are appended.
#[test]
fn the_host_writes_files() {
    let host = MemoryHost::of(&[("a.cqo", "old")]);
    let options = RunOptions { host: host.clone(), ..RunOptions::default() };
    let query = r#"cqlbegin { writefile("a.cqo" "1") writefile("b.cql" "2") writefile("a.cqo" "3") }
        true"#;
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query).expect(query);
    let mut machine = Machine::new(program.clone());
    for written in ["13", "1313"] {
        assert_eq!(machine.begin(&options, None).error, None);
        assert_eq!(host.text("a.cqo"), written);
    }
    assert_eq!(host.text("b.cql"), "22");
    assert_eq!(
        error(r#"writefile("locked.cqo" "1")"#, &options),
        r#"cannot write "locked.cqo": it is locked"#
    );
    assert!(error(r#"writefile("a" + ".pgn" "1")"#, &options).contains("must end in"));
}

/// Unless a host is handed in, nothing is reached.
#[test]
fn the_default_refuses_everything() {
    let plain = RunOptions::default();
    for (query, filter) in [
        (r#"readfile "a.cqo""#, "readfile"),
        (r#"writefile("a.cqo" "1")"#, "writefile"),
        (r#"commandpipe("cat" "x")"#, "commandpipe"),
    ] {
        assert_eq!(error(query, &plain), format!("{filter} is not allowed here"));
    }
    let analysis = babson_lang::analyze(r#"similarposition "a.pgn""#, Dialect::CQLI).unwrap();
    let compile = |options: &CompileOptions| {
        let errors = Program::compile_with(&analysis.query, options).unwrap_err();
        errors[0].message.clone()
    };
    assert_eq!(compile(&CompileOptions::default()), "similarposition is not allowed here");
    let empty = CompileOptions { host: MemoryHost::of(&[]), ..CompileOptions::default() };
    assert_eq!(compile(&empty), "cannot read a.pgn: entity not found");
}

/// A program for tests. It answers a request with the number and the text of the request; some
/// requests make it fail or answer badly. The host counts the programs that run.
#[derive(Debug)]
struct CountingPipe {
    requests: u32,
    running: Arc<AtomicU32>,
}

impl Pipe for CountingPipe {
    fn ask(&mut self, request: &[u8]) -> Result<Vec<u8>, PipeError> {
        self.requests += 1;
        let number = self.requests;
        match request {
            b"end" => Err(PipeError::Ended(Some("as it was told".to_owned()))),
            b"sleep" => Err(PipeError::Late(Duration::from_millis(1500))),
            b"empty" => Ok(Vec::new()),
            b"long" => Ok(vec![b'x'; MAX_PIPE_ANSWER + 1]),
            b"nul" => Ok(vec![0]),
            b"latin" => Ok(vec![0xe9]),
            b"twice" => Err(PipeError::Unasked),
            request => Ok(format!("{number}:{}", String::from_utf8_lossy(request)).into_bytes()),
        }
    }

    fn close(&mut self) -> Result<(), PipeError> {
        if self.requests > 10 { Err(PipeError::Unasked) } else { Ok(()) }
    }
}

impl Drop for CountingPipe {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Starts the program `count` only.
#[derive(Debug, Default)]
struct CountingHost {
    running: Arc<AtomicU32>,
    /// The commands of the programs that were started.
    started: Mutex<Vec<String>>,
}

impl Host for CountingHost {
    fn start_program(&self, command: &[String]) -> Result<Box<dyn Pipe>, HostError> {
        if command[0] != "count" {
            return Err(io::Error::from(ErrorKind::NotFound).into());
        }
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.push(command.join("|"));
        self.running.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(CountingPipe { requests: 0, running: Arc::clone(&self.running) }))
    }

    /// A second goes by between two looks at the clock.
    fn now(&self) -> Duration {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.push("look".to_owned());
        Duration::from_secs(started.len() as u64)
    }
}

#[test]
fn the_host_starts_programs() {
    let host = Arc::new(CountingHost::default());
    let options = RunOptions { host: host.clone(), ..RunOptions::default() };
    let query = r#"ply <= 1 message quiet (commandpipe("count 'a b'" "x"))
        message quiet (commandpipe("count" "y"))"#;
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query).expect(query);
    let mut machine = Machine::new(program.clone());
    for expected in ["1:x\n1:y\n2:x\n2:y\n", "3:x\n3:y\n4:x\n4:y\n"] {
        let mut reader = Reader::new();
        let game = reader.read(LINE, Needs::ALL);
        let context = GameContext { number: 1, last_number: None, options: &options };
        let outcome = machine.run(&game, &context).unwrap();
        assert_eq!(String::from_utf8_lossy(&outcome.messages), expected);
    }
    // One program for each command.
    assert_eq!(*host.started.lock().unwrap(), ["count|a b", "count"]);
    assert_eq!(host.running.load(Ordering::SeqCst), 2);
    assert_eq!(machine.close_pipes(), None);
    assert_eq!(host.running.load(Ordering::SeqCst), 0);
}

#[test]
fn failures_of_programs_are_errors() {
    let failure = |request: &str| {
        let host = Arc::new(CountingHost::default());
        let options = RunOptions { host: host.clone(), ..RunOptions::default() };
        let outcome = run(&format!(r#"initial commandpipe("count" "{request}")"#), &options);
        assert_eq!(host.running.load(Ordering::SeqCst), 0, "{request}");
        let error = outcome.error.expect(request);
        (error.message, error.fatal, error.limit)
    };
    for (request, message, fatal, limit) in [
        ("end", "it ended without an answer (as it was told)", false, None),
        ("sleep", "no answer within 1.5 s", false, Some(RunLimit::AnswerTime)),
        ("long", "its answer has more than 65536 bytes", false, None),
        ("nul", "its answer holds a NUL", false, None),
        ("latin", "its answer is not UTF-8", false, None),
        ("twice", "it wrote more than one line for a request", true, None),
    ] {
        assert_eq!(failure(request), (format!("\"count\": {message}"), fatal, limit));
    }
    let host = Arc::new(CountingHost::default());
    let options = RunOptions { host: host.clone(), ..RunOptions::default() };
    assert!(!run(r#"initial commandpipe("count" "empty")"#, &options).matched);
    let query = r#"initial commandpipe("no such program" "x")"#;
    assert_eq!(error(query, &options), "cannot start \"no such program\": entity not found");
    // What a program writes after its last answer is found in the end.
    let query = r#"ply <= 10 commandpipe("count" "x")"#;
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query).expect(query);
    let mut machine = Machine::new(program.clone());
    let mut reader = Reader::new();
    let game = reader.read(LINE, Needs::ALL);
    let context = GameContext { number: 1, last_number: None, options: &options };
    assert_eq!(machine.run(&game, &context).unwrap().error, None);
    let failures = machine.close_each_pipe();
    assert!(failures.len() == 1 && failures[0].game == Some(1) && failures[0].error.fatal);
    assert_eq!(machine.close_pipes(), None);
}

/// A profile takes its times from the clock of the host.
#[test]
fn the_host_has_the_clock() {
    let analysis = babson_lang::analyze("initial wtm", Dialect::CQLI).unwrap();
    let program = profiled(&analysis.query).unwrap();
    let times = |options: &RunOptions| {
        let mut machine = Machine::new(program.clone());
        let mut reader = Reader::new();
        let game = reader.read(b"*", Needs::ALL);
        machine.run(&game, &GameContext { number: 1, last_number: None, options }).unwrap();
        machine.profile().iter().map(|counter| counter.own_time.as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(times(&RunOptions::default()), [0, 0]);
    let options = RunOptions { host: Arc::<CountingHost>::default(), ..RunOptions::default() };
    assert_eq!(times(&options), [1, 1]);
}

#[test]
fn mistakes_in_commands() {
    let message = |query: &str| {
        let errors = babson_lang::analyze(query, Dialect::CQLI).unwrap_err();
        errors[0].message.clone()
    };
    assert!(message("commandpipe(event \"x\" \"y\")").contains("string literal"));
    assert!(message("commandpipe(\"\" \"x\")").contains("does not name a program"));
    assert!(message("commandpipe(\"a 'b\" \"x\")").contains("not closed"));
    assert!(message("commandpipe(\"a\" 3)").contains("string"));
    assert!(message("commandpipe(\"a\")").contains("a command and a request"));
}
