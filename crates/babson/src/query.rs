//! A compiled query.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use babson_chess::{Position, Rules};
use babson_lang::{Diagnostic, Dialect, hir};
use babson_pgn::{Layout, Needs};
use babson_vm::{CompileOptions, Program, RunOptions, RuntimeError, Value};

use crate::{CompileError, Matcher, QueryBuilder, Search};

/// A compiled query. A clone is a handle of the same query, so it is cheap to clone and to share
/// between threads.
///
/// ```
/// use babson::Query;
///
/// let query = Query::compile("mate")?;
/// let games = "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Zukertort\"]\n\n1. d4 *\n";
/// for hit in query.search(games.as_bytes()) {
///     let hit = hit?;
///     assert_eq!((hit.game, hit.tag("White")), (1, Some("Adams")));
///     assert_eq!(hit.positions[0].mv, "2...Qh4#");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    inner: Arc<QueryData>,
}

#[derive(Debug)]
pub(crate) struct QueryData {
    pub(crate) name: String,
    pub(crate) program: Arc<Program>,
    pub(crate) options: RunOptions,
    pub(crate) warnings: Vec<Diagnostic>,
    /// What it is compiled from.
    pub(crate) typed: hir::Query,
    pub(crate) dialect: Dialect,
    pub(crate) variants: babson_chess::VariantNames,
    /// The program that gives values, once one was asked.
    pub(crate) valued: OnceLock<Result<Program, Vec<Diagnostic>>>,
    /// The program that leaves traces, once one was asked.
    pub(crate) traced: OnceLock<Result<Program, Vec<Diagnostic>>>,
}

impl Query {
    /// Compiles a query in the dialect that its header or first line names, otherwise in that of
    /// CQLi. [`Query::builder`] has more options.
    ///
    /// # Errors
    /// All errors of the query.
    pub fn compile(text: &str) -> Result<Query, CompileError> {
        Query::builder(text).compile()
    }

    /// A builder of a query with more options than its text.
    pub fn builder(text: impl Into<String>) -> QueryBuilder {
        QueryBuilder::new(text.into())
    }

    pub(crate) fn new(data: QueryData) -> Query {
        Query { inner: Arc::new(data) }
    }

    pub(crate) fn data(&self) -> &QueryData {
        &self.inner
    }

    /// The name in messages; empty if it has none.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The dialect in which it was read.
    pub fn dialect(&self) -> Dialect {
        self.inner.dialect
    }

    /// Warnings: where CQL 6.2 would read the query differently, unless a dialect was named, and
    /// constructs that probably mean something else.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.inner.warnings
    }

    /// The typed tree, what the optimizer did, and the bytecode, as `babson explain` prints them.
    pub fn explain(&self) -> String {
        self.inner.program.explain()
    }

    /// The options of its runs.
    pub fn options(&self) -> &RunOptions {
        &self.inner.options
    }

    /// The typed tree.
    pub fn typed(&self) -> &hir::Query {
        &self.inner.typed
    }

    /// The compiled program.
    pub fn program(&self) -> &Arc<Program> {
        &self.inner.program
    }

    /// What a [reader](babson_pgn::Reader) of games must read for this query.
    pub fn needs(&self) -> Needs {
        Needs { variations: self.variations(), ..self.inner.program.needs() }
    }

    /// What a reader must read so that a match can be written.
    pub(crate) fn whole_needs(&self) -> Needs {
        Needs { usual_start: self.inner.program.needs().usual_start, ..Needs::ALL }
    }

    /// Whether variations are visited.
    pub fn variations(&self) -> bool {
        let header = self.inner.program.header();
        self.inner.options.variations.unwrap_or(header.variations)
    }

    /// The layout in which its matches are written as PGN: that of its dialect.
    pub fn layout(&self) -> Layout {
        if self.inner.options.cql6_output { Layout::CQL6 } else { Layout::CQLI }
    }

    /// The value of the query's last filter at a position of standard chess; `Value::Bool(true)` if
    /// the filter is a condition, `Value::Bool(false)` if the query does not match there.
    /// [`Matcher::evaluate`] is faster for many positions and knows the rules of variants.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation.
    ///
    /// ```
    /// use babson::{Position, Query, Value};
    ///
    /// let start = Position::start();
    /// assert_eq!(Query::compile("#P")?.evaluate(&start)?, Value::Number(8));
    /// assert_eq!(Query::compile("wtm")?.evaluate(&start)?, Value::Bool(true));
    /// assert_eq!(Query::compile("wtm K attacks a")?.evaluate(&start)?, Value::Bool(false));
    /// let board: Position = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse()?;
    /// assert_eq!(Query::compile("R")?.evaluate(&board)?.to_string(), "[a1,h1]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&self, position: &Position) -> Result<Value, RuntimeError> {
        self.matcher().evaluate(position, &Rules::STANDARD)
    }

    /// A matcher: what one thread needs to run the query on games and positions. The first call
    /// compiles the query again, for its values.
    pub fn matcher(&self) -> Matcher<'_> {
        Matcher::new(self)
    }

    /// Searches the games of a PGN text, one after another, on the calling thread. The reader may
    /// be anything: a file, a socket, standard input, bytes in memory. It is read in pieces, and a
    /// game is searched when the next one begins.
    ///
    /// The text must not be compressed; a `Scan` also reads compressed inputs.
    pub fn search<R: Read>(&self, reader: R) -> Search<'_, R> {
        Search::new(self, reader)
    }

    /// The program with values.
    pub(crate) fn valued(&self) -> &Result<Program, Vec<Diagnostic>> {
        let options = CompileOptions { value: true, ..CompileOptions::default() };
        self.inner.valued.get_or_init(|| self.compile_again(options))
    }

    /// The program that leaves traces.
    pub(crate) fn traced(&self) -> &Result<Program, Vec<Diagnostic>> {
        let options = CompileOptions { trace: true, ..CompileOptions::default() };
        self.inner.traced.get_or_init(|| self.compile_again(options))
    }

    fn compile_again(&self, options: CompileOptions) -> Result<Program, Vec<Diagnostic>> {
        let QueryData { typed, dialect, options: run, .. } = self.data();
        let options = CompileOptions { host: run.host.clone(), ..options };
        Program::compile_with(typed, *dialect, &options)
    }
}
