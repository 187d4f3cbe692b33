//! A compiled query.

use std::sync::{Arc, OnceLock};

use babson_chess::VariantNames;
use babson_lang::hir::{self, Header};
use babson_lang::sema::AnalyzedQuery;
use babson_lang::{Diagnostic, Dialect, QuerySpans};
use babson_pgn::{Game, Layout, Needs, Reader};
use babson_vm::{
    CompileOptions, Explanation, GameDependence, Hit, Outcome, ProfiledFilter, Program, RunOptions,
    Sharing, StopSignal, TraceRefusal, Tracing,
};

use crate::settings::QuerySettings;

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

#[derive(Clone, Debug)]
pub(crate) struct QueryData {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) parts: QuerySpans,
    pub(crate) program: Program,
    pub(crate) settings: QuerySettings,
    /// What it is compiled from.
    pub(crate) analysis: Arc<AnalyzedQuery>,
    /// The program that gives values, compiled on first use.
    pub(crate) valued: LazyProgram,
    /// The program that leaves traces, compiled on first use.
    pub(crate) traced: LazyProgram,
}

/// A program that is compiled on first use, once for all handles of the query.
pub(crate) type LazyProgram = Arc<OnceLock<Result<Program, Vec<Diagnostic>>>>;

impl Query {
    pub(crate) fn new(data: QueryData) -> Query {
        Query { inner: Arc::new(data) }
    }

    /// The same query, whose runs also stop by this signal: [`evaluate`](Query::evaluate),
    /// [`trace`](Query::trace), [`why`](Query::why), a [matcher](Query::matcher), a
    /// [search](Query::search), a scan. It costs little: nothing is compiled again.
    ///
    /// ```
    /// use babson::{CancelToken, Position, Query, StopSignal};
    ///
    /// let query = Query::compile("while (true) true")?;
    /// let token = CancelToken::default();
    /// // From another thread, perhaps.
    /// token.cancel();
    /// let stop = StopSignal { cancel: Some(token), ..StopSignal::default() };
    /// let error = query.with_stop(stop).evaluate(&Position::start()).unwrap_err();
    /// assert_eq!(error.to_string(), "the run was canceled");
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    #[must_use]
    pub fn with_stop(&self, signal: StopSignal) -> Query {
        let mut data = QueryData::clone(&self.inner);
        let options = &mut data.settings.options;
        options.stop = signal.or(&options.stop);
        Query::new(data)
    }

    /// The name in messages, if it has one.
    pub fn name(&self) -> Option<&str> {
        Some(self.inner.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// The parts of its text.
    pub fn spans(&self) -> &QuerySpans {
        &self.inner.parts
    }

    /// The dialect in which it was read.
    pub fn dialect(&self) -> Dialect {
        self.inner.analysis.query.dialect
    }

    /// What its header says.
    pub fn header(&self) -> &Header {
        self.inner.program.header()
    }

    /// Warnings: constructs that probably mean something else.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.inner.analysis.warnings
    }

    /// Where CQL 6.2 would read the query differently. Empty if the query is read as CQL 6.2 does.
    pub fn differences(&self) -> &[Diagnostic] {
        &self.inner.analysis.differences
    }

    /// The names of the keys by which its matches are sorted, the most significant first.
    pub fn sort_keys(&self) -> impl Iterator<Item = &str> {
        self.inner.program.sorts().iter().map(|key| key.name.as_str())
    }

    /// The names of its sort keys and fields, which can be
    /// [columns](babson_engine::Columns) of an output.
    #[cfg(feature = "engine")]
    pub fn column_names(&self) -> babson_engine::ColumnNames {
        babson_engine::ColumnNames::of([&self.inner.program])
    }

    /// Returns the reason if a scan must search the games on one thread and in their order: a game
    /// may read what earlier games left in variables, dictionaries or files. One such query makes
    /// the whole scan run on one thread.
    ///
    /// ```
    /// # use babson::Query;
    /// let first_game = "initial persistent Seen += 1 Seen == 1";
    /// assert!(Query::compile(first_game)?.needs_order().is_some());
    /// assert_eq!(Query::compile("mate")?.needs_order(), None);
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn needs_order(&self) -> Option<&GameDependence> {
        match self.inner.program.sharing() {
            Sharing::InOrder(reason) => Some(reason),
            Sharing::Nothing | Sharing::Joined => None,
        }
    }

    /// The file that `similarposition` compares with, and how many games were read from it.
    pub fn submission(&self) -> Option<(&str, usize)> {
        self.inner.program.submission()
    }

    /// What the query searches, in English sentences, one in each line. Lines that begin with `-`,
    /// perhaps after spaces, are parts of the sentence above them that is indented less.
    ///
    /// ```
    /// let query = babson::Query::compile("check #Q > 1")?;
    /// let sentences = query.sentences();
    /// assert_eq!(sentences[0], "Games with a position at which all of these hold:");
    /// assert_eq!(sentences[2], "- there is more than 1 white queen");
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn sentences(&self) -> Vec<String> {
        babson_lang::describe::sentences(self.typed())
    }

    /// What the optimizer did, the number of threads, and what is read of a game.
    pub fn conditions(&self) -> String {
        self.inner.program.conditions()
    }

    /// The typed tree, what the optimizer did, and the bytecode. `babson explain` has an option to
    /// print them after the sentences.
    pub fn explain(&self) -> String {
        self.inner.program.explain()
    }

    /// What [`Query::explain`] gives, in parts.
    pub fn explanation(&self) -> Explanation {
        self.inner.program.explanation()
    }

    /// The filters that are counted; none unless the query was built with
    /// [`QueryBuilder::profile`](crate::QueryBuilder::profile).
    pub fn profiled(&self) -> &[ProfiledFilter] {
        self.inner.program.profiled()
    }

    /// The options of its runs.
    pub fn options(&self) -> &RunOptions {
        &self.inner.settings.options
    }

    pub(crate) fn variants(&self) -> &VariantNames {
        &self.inner.settings.variants
    }

    pub(crate) fn typed(&self) -> &hir::Query {
        &self.inner.analysis.query
    }

    pub(crate) fn program(&self) -> &Program {
        &self.inner.program
    }

    /// What a [reader](babson_pgn::Reader) of games must read for this query.
    pub fn needs(&self) -> Needs {
        self.inner.program.needs_with(self.options())
    }

    /// A reader of games for the runs of the query.
    pub(crate) fn reader(&self) -> Reader {
        self.inner.program.reader(self.options())
    }

    /// The match of a game that was read as a whole.
    pub(crate) fn hit<'m>(&'m self, game: Game<'m>, outcome: &'m Outcome, number: u64) -> Hit<'m> {
        let hit = Hit::new(self.program(), self.options(), game, outcome, number);
        hit.with_layout(self.layout())
    }

    /// Whether variations are visited.
    pub fn variations(&self) -> bool {
        self.inner.program.visits_variations(self.options())
    }

    /// The layout in which its matches are written as PGN: the layout of its dialect, unless it was
    /// built with another one.
    pub fn layout(&self) -> Layout {
        self.inner.settings.layout.unwrap_or_else(|| self.options().layout())
    }

    /// The program with values.
    pub(crate) fn valued(&self) -> Result<&Program, &[Diagnostic]> {
        if self.inner.settings.values {
            return Ok(&self.inner.program);
        }
        let options = CompileOptions { value: true, ..CompileOptions::default() };
        let valued = self.inner.valued.get_or_init(|| self.compile_again(options));
        valued.as_ref().map_err(Vec::as_slice)
    }

    /// The program that leaves traces.
    pub(crate) fn traced(&self) -> Result<&Program, &[Diagnostic]> {
        let options = CompileOptions { trace: true, ..CompileOptions::default() };
        let traced = self.inner.traced.get_or_init(|| self.compile_again(options));
        traced.as_ref().map_err(Vec::as_slice)
    }

    /// How a scan traces its filters.
    pub(crate) fn tracing(&self) -> Tracing {
        Tracing::of(self.program(), self.traced().cloned())
    }

    /// Why reports and the marks of PGN outputs cannot show what its filters do; `None` if they
    /// can. Both evaluate the matching games a second time, which is not possible if a game depends
    /// on what earlier games left, or if the query reads or writes files.
    ///
    /// ```
    /// use babson::Query;
    ///
    /// assert_eq!(Query::compile("mate")?.untraceable(), None);
    /// let query = Query::compile("persistent $n += 1 $n < 4")?;
    /// assert!(query.untraceable().is_some());
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn untraceable(&self) -> Option<TraceRefusal> {
        match self.tracing() {
            Tracing::Impossible(why) => Some(why),
            Tracing::On(_) | Tracing::Off => None,
        }
    }

    fn compile_again(&self, options: CompileOptions) -> Result<Program, Vec<Diagnostic>> {
        let (variants, host) = (self.variants().clone(), Arc::clone(&self.options().host));
        let options = CompileOptions { variants, host, ..options };
        Program::compile_with(self.typed(), &options)
    }
}
