//! Babson for embedders: compile a query of CQL, the Chess Query Language, and run it on games.
//!
//! ```text
//! text ── Query::compile ──> Query ── Query::search ──> Match, Match, …
//! ```
//!
//! ```
//! let query = babson::Query::compile("mate")?;
//! let games = b"[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Zukertort\"]\n\n1. d4 *\n";
//! for found in query.search(games) {
//!     println!("game {} matches at {:?}", found.number, found.positions);
//! }
//! # Ok::<(), babson::CompileError>(())
//! ```
//!
//! [`Query::search`] is for games in memory. [`engine::scan`] searches files on several threads and
//! writes outputs; it needs the feature `engine`, which is on by default. Without it the crate is
//! pure: it uses no files, threads or clocks, and builds for WebAssembly. The features `gzip` and
//! `zstd`, which are on by default, read compressed inputs.
//!
//! Begin to read with [`Query`]. The crates below are reexported as [`chess`], [`pgn`], [`lang`],
//! [`vm`] and [`engine`]; each says in its first lines how it works and where to begin.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

#![forbid(unsafe_code)]
// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod evaluate;

pub use evaluate::Evaluator;

pub use babson_chess::Position;
pub use babson_lang::{Diagnostic, Dialect};
pub use babson_pgn::Game;
pub use babson_vm::{
    CompileOptions, PositionValue, RunOptions, RuntimeError, SortValue, Trace, TraceEntry, Value,
    Verdict,
};

pub use babson_chess as chess;
#[cfg(feature = "engine")]
pub use babson_engine as engine;
pub use babson_lang as lang;
pub use babson_pgn as pgn;
pub use babson_vm as vm;

use std::sync::{Arc, OnceLock};

use babson_lang::hir;
use babson_lang::sema::AnalyzedQuery;
use babson_pgn::{Games, Needs, Reader};
use babson_vm::{GameContext, Machine, Program};

/// The errors of a query, at least one, each with its span in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// All errors.
    pub diagnostics: Vec<Diagnostic>,
}

impl std::fmt::Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{diagnostic} (at byte {})", diagnostic.span.start)?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

impl From<Vec<Diagnostic>> for CompileError {
    fn from(diagnostics: Vec<Diagnostic>) -> CompileError {
        CompileError { diagnostics }
    }
}

/// A compiled query.
#[derive(Debug)]
pub struct Query {
    program: Program,
    options: RunOptions,
    warnings: Vec<Diagnostic>,
    /// What it is compiled from.
    typed: hir::Query,
    dialect: Dialect,
    /// The program that gives values, once one was asked.
    valued: OnceLock<Result<Program, Vec<Diagnostic>>>,
}

impl Query {
    /// Compiles a query in the dialect that its header or first line names, otherwise in that of
    /// CQLi.
    ///
    /// # Errors
    /// All errors of the query.
    pub fn compile(text: &str) -> Result<Query, CompileError> {
        if let Some(dialect) = babson_lang::declared_dialect(text)? {
            return Query::compile_as(text, dialect);
        }
        let analysis = babson_lang::analyze(text, Dialect::CQLI)?;
        let options = CompileOptions::default();
        let mut query = Query::from_analysis(&analysis, Dialect::CQLI, &options)?;
        query.warnings.splice(0..0, analysis.warnings);
        Ok(query)
    }

    /// Compiles a query in this dialect, whatever dialect it names.
    ///
    /// # Errors
    /// All errors of the query.
    pub fn compile_as(text: &str, dialect: Dialect) -> Result<Query, CompileError> {
        Query::compile_with(text, dialect, &CompileOptions::default())
    }

    /// As [`Query::compile_as`], with other options: `similarposition` needs a host that reads its
    /// file. The host also serves the query when it is run, unless [`Query::with_options`] names
    /// another.
    ///
    /// # Errors
    /// All errors of the query.
    pub fn compile_with(
        text: &str,
        dialect: Dialect,
        options: &CompileOptions,
    ) -> Result<Query, CompileError> {
        let analysis = babson_lang::analyze(text, dialect)?;
        Query::from_analysis(&analysis, dialect, options)
    }

    fn from_analysis(
        analysis: &AnalyzedQuery,
        dialect: Dialect,
        options: &CompileOptions,
    ) -> Result<Query, CompileError> {
        Ok(Query {
            program: Program::compile_with(&analysis.query, dialect, options)?,
            options: RunOptions { host: Arc::clone(&options.host), ..RunOptions::default() },
            warnings: analysis.advice.clone(),
            typed: analysis.query.clone(),
            dialect,
            valued: OnceLock::new(),
        })
    }

    /// The same query with other options. By default a query that reaches outside of the games is
    /// [refused](vm::RefusingHost) that.
    #[must_use]
    pub fn with_options(mut self, options: RunOptions) -> Query {
        self.options = options;
        self
    }

    /// Warnings: where CQL 6.2 would read the query differently, unless a dialect was named, and
    /// constructs that probably mean something else.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The compiled program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The matching games of a PGN text, one after another, numbered from 1.
    pub fn search<'q>(&'q self, pgn: &'q [u8]) -> Search<'q> {
        let mut machine = Machine::new(&self.program);
        let error = machine.begin(&self.options, None).error.clone();
        let (games, reader) = (Games::new(pgn), Reader::new());
        Search { query: self, games, number: 0, reader, machine, error }
    }
}

/// A game that matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<'g> {
    /// Number of the game, from 1.
    pub number: u64,
    /// Its text.
    pub text: &'g [u8],
    /// Ids of the matching positions, ascending; 0 is the initial position.
    pub positions: Vec<u32>,
    /// The comments that the query added, with their position ids.
    pub comments: Vec<(u32, Vec<u8>)>,
    /// The values of the `sort` filters of the query; `None` for one that was never evaluated.
    pub sort: Vec<Option<SortValue>>,
}

/// Iterator over the matches of a query: [`Query::search`]. A game with a run-time error is
/// skipped. A fatal error ends the search, and [`Search::error`] returns it.
pub struct Search<'q> {
    query: &'q Query,
    games: Games<'q>,
    number: u64,
    reader: Reader,
    machine: Machine<'q>,
    error: Option<RuntimeError>,
}

impl Search<'_> {
    /// The error that ended the search, or an error found after the last game: a program of
    /// `commandpipe` wrote more than its answers.
    pub fn error(&self) -> Option<&RuntimeError> {
        self.error.as_ref()
    }
}

impl<'q> Iterator for Search<'q> {
    type Item = Match<'q>;

    fn next(&mut self) -> Option<Match<'q>> {
        let program = &self.query.program;
        let options = &self.query.options;
        let variations = options.variations.unwrap_or(program.header().variations);
        let needs = Needs { variations, ..program.needs() };
        while self.error.is_none() {
            let Some((_, text)) = self.games.next() else {
                self.error = self.machine.close_pipes();
                return None;
            };
            self.number += 1;
            let game = self.reader.read(text, needs);
            let context = GameContext {
                number: self.number,
                last_number: None,
                options: &self.query.options,
            };
            let outcome = self.machine.run(&game, &context);
            if let Some(error) = outcome.error.as_ref().filter(|error| error.fatal) {
                self.error = Some(error.clone());
                return None;
            }
            if outcome.matched && outcome.error.is_none() {
                return Some(Match {
                    number: self.number,
                    text,
                    positions: outcome.positions.clone(),
                    comments: outcome.comments.clone(),
                    sort: outcome.sort.clone(),
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use babson_engine::SystemHost;

    use super::*;

    const GAMES: &[u8] = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";

    #[test]
    fn an_error_that_ends_the_run_ends_the_search() {
        let query = Query::compile("assert gamenumber<2").unwrap();
        let mut search = query.search(GAMES);
        assert_eq!(search.next().map(|found| found.number), Some(1));
        assert_eq!(search.error(), None);
        assert_eq!((search.next(), search.next()), (None, None));
        assert!(search.error().is_some_and(|error| error.message.contains("assertion")));
        let query = Query::compile("cqlbegin { assert false } true").unwrap();
        let mut search = query.search(GAMES);
        assert_eq!(search.next(), None);
        assert!(search.error().is_some());
    }

    #[test]
    fn similarposition_needs_a_host() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.pgn");
        std::fs::write(&path, GAMES).unwrap();
        let text = format!("similarposition \"{}\"", path.display());
        let error = Query::compile(&text).unwrap_err();
        assert!(error.to_string().starts_with("similarposition is not allowed here"), "{error}");
        let host = Arc::new(SystemHost::new());
        let options = CompileOptions { host, ..CompileOptions::default() };
        let query = Query::compile_with(&text, Dialect::CQLI, &options).unwrap();
        assert_eq!(query.search(GAMES).count(), 2);
    }

    /// The second line comes after the last game.
    #[cfg(unix)]
    #[test]
    fn a_program_that_answers_too_much_is_an_error() {
        let script = "while read x; do echo 1; done; echo 2";
        let query = format!("initial commandpipe(\"sh -c '{script}'\" \"x\")");
        let query = Query::compile(&query).unwrap();
        let mut search = query.search(GAMES);
        assert_eq!(search.by_ref().count(), 0);
        assert!(search.error().unwrap().message.contains("not allowed"), "the default refuses");
        let host = Arc::new(SystemHost::new());
        let query = query.with_options(RunOptions { host, ..RunOptions::default() });
        let mut search = query.search(GAMES);
        assert_eq!(search.by_ref().count(), 2);
        let error = search.error().unwrap();
        assert!(error.message.contains("more than one line"), "{error:?}");
    }
}
