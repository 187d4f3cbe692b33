//! What a query reaches outside of the games.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, PoisonError};

use babson_lang::Dialect;

use super::{LINE, run_as};
use crate::{CompileOptions, Host, HostError, Machine, Outcome, Program, RunOptions};

/// Files in memory. Those whose names begin with `locked` cannot be read or written.
#[derive(Debug, Default)]
pub(super) struct MemoryHost {
    files: Mutex<HashMap<String, Vec<u8>>>,
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
    // The rules for names are those of the language and hold for any host.
    assert!(error(r#"readfile ("a" + ".txt")"#, &plain).contains("must end in"));
}

/// The first text of a run replaces a file, the others are appended.
#[test]
fn the_host_writes_files() {
    let host = MemoryHost::of(&[("a.cqo", "old")]);
    let options = RunOptions { host: host.clone(), ..RunOptions::default() };
    let query = r#"cqlbegin { writefile("a.cqo" "1") writefile("b.cql" "2") writefile("a.cqo" "3") }
        true"#;
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    let program = Program::compile(&analysis.query, Dialect::CQLI).expect(query);
    let mut machine = Machine::new(&program);
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
    for (query, filter) in
        [(r#"readfile "a.cqo""#, "readfile"), (r#"writefile("a.cqo" "1")"#, "writefile")]
    {
        assert_eq!(error(query, &plain), format!("{filter} is not allowed here"));
    }
    let analysis = babson_lang::analyze(r#"similarposition "a.pgn""#, Dialect::CQLI).unwrap();
    let compile = |options: &CompileOptions| {
        let errors = Program::compile_with(&analysis.query, Dialect::CQLI, options).unwrap_err();
        errors[0].message.clone()
    };
    assert_eq!(compile(&CompileOptions::default()), "similarposition is not allowed here");
    let empty = CompileOptions { host: MemoryHost::of(&[]), ..CompileOptions::default() };
    assert_eq!(compile(&empty), "cannot read a.pgn: entity not found");
}
