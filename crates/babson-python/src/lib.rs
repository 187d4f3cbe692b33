//! The Python package `babson`: queries of CQL, the Chess Query Language, over games of chess.
//!
//! ```text
//! query ──> board, value, trace         one board
//!      ├──> matches                      the iterator of a search
//!      ├──> scan ── rows, table          many queries, tables of Arrow, files, numbers
//!      └──> batches ── game_text         games in the batches of other engines
//! ```
//!
//! `work` runs what may take long on a thread of its own, so that Python hears signals; `run` is a
//! scan as such work. `capsules` is the border of Arrow. The files of `python/babson` are the rest
//! of the package: exceptions, types, and what Python reads of the stubs.
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

mod batches;
mod board;
mod capsules;
mod cells;
mod errors;
mod game_text;
mod inputs;
mod limits;
mod matches;
mod numbers;
mod options;
mod query;
mod rows;
mod run;
mod scan;
mod spans;
mod table;
mod text;
mod trace;
mod value;
mod views;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package `babson`.
#[pymodule]
mod _babson {
    #[pymodule_export]
    use crate::batches::{PyBatchSearch, search_batches};
    #[pymodule_export]
    use crate::matches::{PyMatch, PyMatchedPosition, PyMatches};
    #[pymodule_export]
    use crate::query::{_compile_again, PyQuery, compile};
    #[pymodule_export]
    use crate::scan::{PyBatches, PyScan, scan};
    #[pymodule_export]
    use crate::table::{PyBatch, PyTable};
    #[pymodule_export]
    use crate::text::{convert, format, help, pack, to_modern};
    #[pymodule_export]
    use crate::trace::{PyTrace, PyTraceEntry, PyWhy};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
