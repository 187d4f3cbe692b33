//! Babson's report: one self-contained HTML page that shows a query, and a board with the marks of
//! its filters for each matching position.
//!
//! ```text
//! ReportQuery ── head ──> style, query ──┐
//! ReportGame ── append ─> a line of JSON ┼──> page
//! ReportTotals ── tail ─> script ────────┘
//! ```
//!
//! The page holds its games as data, a line of JSON for each. A script draws the boards when they
//! come into view, so a page with ten thousand matches opens at once. The page is the same for the
//! same games and query: it has no date and no duration.
//!
//! The crate is pure: it appends to strings and buffers, and builds for WebAssembly. A page is the
//! [`head`], the games, and the [`tail`]:
//!
//! ```
//! use babson_lang::{Dialect, QuerySpans, QueryText, analyze};
//! use babson_pgn::{Needs, Reader};
//! use babson_report::{ReportGame, ReportQuery, ReportTotals, append, head, tail};
//! use babson_vm::{CompileOptions, GameContext, Machine, Program, RunOptions, Tracing};
//!
//! let text = "q attacks K";
//! let query = analyze(text, Dialect::CQLI).unwrap().query;
//! let program = Program::compile(&query).unwrap();
//! let trace = CompileOptions { trace: true, ..CompileOptions::default() };
//! let traced = Program::compile_with(&query, &trace).unwrap();
//! let options = RunOptions::default();
//! let shown = ReportQuery {
//!     title: "Queen checks",
//!     text: Some(&QueryText {
//!         text: text.to_owned(),
//!         parts: QuerySpans::whole(text),
//!         dialect: Dialect::CQLI,
//!     }),
//!     program: &program,
//!     options: &options,
//!     tracing: &Tracing::On(traced.clone()),
//! };
//! let mut page = head(&shown).into_bytes();
//!
//! let mut reader = Reader::new();
//! let game = reader.read(b"1. f3 e5 2. g4 Qh4# 0-1\n", Needs::ALL);
//! let context = GameContext { number: 1, last_number: None, options: &options };
//! let outcome = Machine::new(program.clone()).run(&game, &context).unwrap().clone();
//! let traces = Machine::new(traced).traces(&game, &context, &outcome.positions).unwrap();
//! let matched = ReportGame {
//!     game: &game,
//!     outcome: &outcome,
//!     traces: &traces,
//!     number: 1,
//!     input: "games.pgn",
//!     input_number: 1,
//! };
//! append(&shown, &matched, &mut page);
//! page.extend(tail(&ReportTotals { searched: 1, written: 1, left_out: 0 }).into_bytes());
//!
//! let page = String::from_utf8(page).unwrap();
//! assert!(page.contains("<title>Queen checks</title>"));
//! assert!(page.contains("1 game searched, 1 match."));
//! ```
//!
//! With the feature `engine`, a report is the output of a scan: `sink` makes the sink of its file.
//!
//! Begin to read with [`head`] (module `page`) and [`append`] (module `data`), then
//! `page/src/report/main.tsx`, the script that reads the data. The modules beside it in `page/src`
//! are components without a source of data: board, moves, marks, trace. The page of `babson serve`
//! uses them, too. `cargo xtask page` builds `page/dist`.
//!
//! The glossary, `docs/src/glossary.md` in the repository, explains the terms.

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod data;
#[cfg(feature = "engine")]
mod format;
mod limits;
mod markup;
mod page;
mod query;

pub use data::{ReportGame, append};
#[cfg(feature = "engine")]
pub use format::{Report, sink, sink_of};
pub use limits::{MAX_BYTES, MAX_GAMES};
pub use page::{PageLayout, ReportTotals, head, head_of, query_element, tail};
pub use query::ReportQuery;
