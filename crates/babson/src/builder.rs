//! The options with which a query is compiled.

use std::fmt::Write as _;
use std::sync::Arc;

use babson_chess::VariantNames;
use babson_lang::diagnostic::Code;
use babson_lang::hir::OutsideAccess;
use babson_lang::imports::{ImportFiles, LibraryOnly, ResolvedQuery, resolve};
use babson_lang::{Diagnostic, Dialect, QuerySpans, Span, text};
use babson_pgn::Layout;
use babson_vm::{Host, ParseError, RefusingHost, RunOptions, analyze_resolved};

use crate::limits::{UNTRUSTED_MEMORY, UNTRUSTED_STEPS, UNTRUSTED_TIME};
use crate::settings::QuerySettings;
use crate::typed::TypedQuery;
use crate::{CompileError, Query};

/// Compiles a query with more options than its text: [`Query::builder`].
///
/// ```
/// use babson::{Position, Query, Value};
///
/// let query = Query::builder("#P + extra").name("pawns.cql").variable("extra", 3).compile()?;
/// assert_eq!(query.evaluate(&Position::start())?, Value::Number(11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "it does nothing until it is compiled"]
pub struct QueryBuilder {
    text: String,
    parts: QuerySpans,
    name: String,
    dialect: Option<Dialect>,
    variables: Vec<(String, VariableValue)>,
    like: Option<String>,
    imports: Arc<dyn ImportFiles>,
    /// Whether a filter that opens a file or starts a program is an error.
    refuses_access: bool,
    settings: QuerySettings,
}

/// The value of a variable that is set before the query: [`QueryBuilder::variable`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableValue {
    /// A number.
    Number(i32),
    /// A string.
    Text(String),
}

impl From<i32> for VariableValue {
    fn from(number: i32) -> VariableValue {
        VariableValue::Number(number)
    }
}

impl From<&str> for VariableValue {
    fn from(text: &str) -> VariableValue {
        VariableValue::Text(text.to_owned())
    }
}

impl From<String> for VariableValue {
    fn from(text: String) -> VariableValue {
        VariableValue::Text(text)
    }
}

impl Query {
    /// Compiles a query in the dialect that its header or first line names, otherwise in the
    /// dialect of CQLi. [`Query::builder`] has more options.
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
}

impl QueryBuilder {
    fn new(text: String) -> QueryBuilder {
        QueryBuilder {
            parts: QuerySpans::whole(&text),
            text,
            name: String::new(),
            dialect: None,
            variables: Vec::new(),
            like: None,
            imports: Arc::new(LibraryOnly),
            refuses_access: false,
            settings: QuerySettings::default(),
        }
    }

    /// Reads the query in this dialect, whatever dialect it names.
    pub fn dialect(mut self, dialect: Dialect) -> QueryBuilder {
        self.dialect = Some(dialect);
        self
    }

    /// Sets the name in messages, for instance the name of its file.
    pub fn name(mut self, name: impl Into<String>) -> QueryBuilder {
        self.name = name.into();
        self
    }

    /// Sets a variable at each position before the query and the filters of its parts, as the
    /// assignment `name = value` would. The query may assign it again.
    pub fn variable(
        mut self,
        name: impl Into<String>,
        value: impl Into<VariableValue>,
    ) -> QueryBuilder {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Keeps only the matching position of each game that is most similar to the position of a FEN,
    /// and sorts the matches by the key `like`, the most similar one first. The FEN may have only
    /// its first field. With an empty query all positions are compared.
    ///
    /// The similarity is a number from 0 to 1000. The book describes it:
    /// `docs/src/command-line.md#positions-like-a-fen`.
    ///
    /// ```
    /// use babson::Query;
    ///
    /// let query = Query::builder("").like("8/8/8/8/4k3/8/4P3/4K3").compile()?;
    /// let games = &b"[FEN \"8/8/4k3/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Ke5 2. e3 Ke4 *"[..];
    /// let found = query.search(games).next().unwrap()?;
    /// assert_eq!(found.positions.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn like(mut self, fen: impl Into<String>) -> QueryBuilder {
        self.like = Some(fen.into());
        self
    }

    /// Reads the text as several parts: transforms around all filters, filters before the query,
    /// and the query. Each part is read by itself, so a bracket, a string or a comment ends with
    /// its part. The spans of diagnostics refer to the whole text.
    ///
    /// ```
    /// use babson::compile::QuerySpans;
    /// use babson::{Position, Query, Span, Value};
    ///
    /// let (filter, query) = (Span::new(0, 3), Span::new(4, 14));
    /// let parts = QuerySpans { filters: vec![filter], query, ..QuerySpans::default() };
    /// let query = Query::builder("btm cql() mate").spans(parts).compile()?;
    /// assert_eq!(query.evaluate(&Position::start())?, Value::Bool(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spans(mut self, parts: QuerySpans) -> QueryBuilder {
        self.parts = parts;
        self
    }

    /// Sets what finds the files that the query imports, for instance
    /// [`ImportFolders`](crate::imports::ImportFolders). Without it a query can import only the
    /// built-in library. If the [parts](QueryBuilder::spans) of a query have imports, they are
    /// already resolved.
    ///
    /// ```
    /// use babson::Query;
    ///
    /// let query = Query::compile("import \"motifs\" smotheredmate()")?;
    /// let games = &b"1. e4 e5 2. Ne2 Nc6 3. g3 Nd4 4. Nbc3 Nf3# *"[..];
    /// assert_eq!(query.search(games).count(), 1);
    /// assert!(Query::compile("import \"nosuch\" mate").is_err());
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn imports(mut self, files: Arc<dyn ImportFiles>) -> QueryBuilder {
        self.imports = files;
        self
    }

    /// Changes the options of its runs.
    pub fn options(mut self, change: impl FnOnce(&mut RunOptions)) -> QueryBuilder {
        change(&mut self.settings.options);
        self
    }

    /// Sets the evaluation steps that one game may take: see [`RunOptions::steps`].
    pub fn steps(mut self, steps: u64) -> QueryBuilder {
        self.settings.options.steps = steps;
        self
    }

    /// Sets options for the query of a stranger. It is an error if the query reads or writes files
    /// or starts programs; it may import the built-in library only; a game may take 5 million steps
    /// and 16 MiB, all games together 16 MiB of dictionary entries and 10 seconds. The files that
    /// its header names are not opened: only the command does that.
    ///
    /// A setting after this call overrides these, so the limits can be changed.
    ///
    /// ```
    /// use babson::{Query, SearchError, Stopped};
    ///
    /// let error = Query::builder("readfile \"/etc/passwd.cqo\"").untrusted().compile().unwrap_err();
    /// assert!(error.to_string().contains("`readfile` is forbidden"), "{error}");
    ///
    /// let endless = Query::builder("while (true) true").untrusted();
    /// let query = endless.steps(u64::MAX).options(|run| {
    ///     run.timeout = Some(std::time::Duration::from_millis(5));
    /// });
    /// let error = query.compile()?.search(&b"1. e4 *"[..]).next().unwrap().unwrap_err();
    /// assert!(matches!(error, SearchError::Stopped { stopped: Stopped::Deadline, .. }));
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn untrusted(mut self) -> QueryBuilder {
        self.refuses_access = true;
        self.imports = Arc::new(LibraryOnly);
        let options = &mut self.settings.options;
        options.host = Arc::new(RefusingHost);
        options.steps = UNTRUSTED_STEPS;
        (options.memory, options.kept_entries) = (UNTRUSTED_MEMORY, UNTRUSTED_MEMORY);
        options.timeout = Some(UNTRUSTED_TIME);
        self
    }

    /// Sets what serves the files and programs that the query names, when it is compiled and when
    /// it is run. By default all of them are [refused](crate::host::RefusingHost).
    pub fn host(mut self, host: Arc<dyn Host>) -> QueryBuilder {
        self.settings.options.host = host;
        self
    }

    /// Sets the names that variants may have in the query and in games.
    pub fn variants(mut self, names: VariantNames) -> QueryBuilder {
        self.settings.variants = names;
        self
    }

    /// Sets the layout in which its matches are written as PGN, instead of the layout of its
    /// dialect. See also [`TypedQuery::layout`].
    pub fn layout(mut self, layout: Layout) -> QueryBuilder {
        self.settings.layout = Some(layout);
        self
    }

    /// Also sorts the matches by their number of matching positions, as `sort matchcount` in the
    /// header does.
    pub fn sort_match_count(mut self, sort: bool) -> QueryBuilder {
        self.settings.sort_match_count = sort;
        self
    }

    /// Compiles the query so that a [`Matcher`](crate::Matcher) can give its values. Without this
    /// call, the first matcher compiles the query a second time. With it, a search or a scan is
    /// slower.
    pub fn values(mut self, values: bool) -> QueryBuilder {
        self.settings.values = values;
        self
    }

    /// Counts the evaluations, matches and time of each filter: the
    /// [profile](babson_vm::Counter) of a scan's summary has a counter for each of
    /// [`Query::profiled`]. No filter is skipped, so searches are slower.
    pub fn profile(mut self, profile: bool) -> QueryBuilder {
        self.settings.profile = profile;
        self
    }

    /// Parses and type-checks the query, so that a program can inspect it before it is compiled.
    ///
    /// # Errors
    /// All errors of the text.
    pub fn analyze(self) -> Result<TypedQuery, CompileError> {
        let fail = |text: &str, files, errors| {
            CompileError::new(&self.name, ParseError::new(text.to_owned(), files, errors))
        };
        let (text, parts) =
            self.with_additions().map_err(|error| fail(&self.text, Vec::new(), vec![error]))?;
        let declared = match self.dialect {
            Some(dialect) => Some(dialect),
            None => {
                let query = parts.query;
                babson_lang::declared_dialect(query.text(&text)).map_err(|errors| {
                    let errors = errors.into_iter().map(|error| error.shifted(query.start));
                    fail(&text, Vec::new(), errors.collect())
                })?
            }
        };
        let dialect = declared.unwrap_or_default();
        let resolved = match parts.imports.is_empty() {
            true => resolve(&text, &parts, dialect, &*self.imports),
            false => ResolvedQuery { text, parts, ..ResolvedQuery::default() },
        };
        let analysis = analyze_resolved(&resolved, dialect, &self.settings.variants);
        let ResolvedQuery { text, parts, files, .. } = resolved;
        let fail = |errors| fail(&text, files.clone(), errors);
        let mut analysis = analysis.map_err(fail)?;
        if self.refuses_access {
            let forbidden = |access: OutsideAccess| {
                let text = format!("`{}` is forbidden in an untrusted query", access.filter);
                Diagnostic::new(Code::ForbiddenAccess, access.span, text)
            };
            let errors: Vec<_> =
                analysis.query.outside_access().into_iter().map(forbidden).collect();
            if !errors.is_empty() {
                return Err(fail(errors));
            }
        }
        analysis.query.header.sort_match_count |= self.settings.sort_match_count;
        let QueryBuilder { name, mut settings, .. } = self;
        settings.options.cql6_output |= RunOptions::in_dialect(dialect).cql6_output;
        Ok(TypedQuery { name, text, parts, files, analysis, settings })
    }

    /// Compiles the query.
    ///
    /// # Errors
    /// All errors of the query; also if it needs variations and neither its header nor the options
    /// visit them, or is too large for the machine (65,535 registers), or if the host cannot read
    /// the file of `similarposition`.
    pub fn compile(self) -> Result<Query, CompileError> {
        self.analyze()?.compile()
    }

    /// The text of the query and after it, so that its spans need no conversion, the assignments
    /// and the FEN.
    fn with_additions(&self) -> Result<(String, QuerySpans), Diagnostic> {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let mut source = self.text.clone();
        let mut assignments = Vec::new();
        for (name, value) in &self.variables {
            if !text::is_variable_name(name) {
                let message = format!("`{name}` is not the name of a variable");
                return Err(Diagnostic::new(Code::InvalidVariableName, Span::default(), message));
            }
            source.push('\n');
            let start = source.len();
            // Writing to a string cannot fail.
            let _ = match value {
                VariableValue::Number(number) => write!(source, "{name} = {number}"),
                VariableValue::Text(value) => write!(source, "{name} = {}", text::string(value)),
            };
            assignments.push(Span::new(offset(start), offset(source.len())));
        }
        let mut parts = self.parts.clone();
        parts.filters.splice(0..0, assignments);
        if let Some(fen) = &self.like {
            source.push('\n');
            let start = source.len();
            source.push_str(fen);
            parts.like = Some(Span::new(offset(start), offset(source.len())));
        }
        Ok((source, parts))
    }
}

#[cfg(test)]
mod tests {
    use babson_chess::Position;

    use super::*;
    use crate::Value;

    fn value(builder: QueryBuilder) -> Value {
        builder.compile().unwrap().evaluate(&Position::start()).unwrap()
    }

    #[test]
    fn variables_are_set_before_the_query() {
        assert_eq!(value(Query::builder("x * 2").variable("x", -3)), Value::Number(-6));
        assert_eq!(
            value(Query::builder("x += 1 x").variable("x", i32::MIN)),
            Value::Number(-i32::MAX)
        );
        let text = "a \"b\"\nc\\";
        let query = Query::builder("x + y").variable("x", text).variable("y", String::new());
        assert_eq!(value(query), Value::Text(text.as_bytes().to_vec()));
        // The filters before the query have them too.
        let parts = QuerySpans {
            filters: vec![Span::new(0, 5)],
            query: Span::new(6, 11),
            ..QuerySpans::default()
        };
        let query = Query::builder("x > 4 x + 1").spans(parts).variable("x", 5);
        assert_eq!(value(query), Value::Number(6));
        // A header and a comment without an end of line.
        let query = Query::builder("cql(quiet) x - 1 > 3 // a").variable("x", 5);
        assert_eq!(value(query), Value::Number(4));
        let twice = Query::builder("x").variable("x", 1).variable("x", 2);
        assert_eq!(value(twice), Value::Number(2));
    }

    #[test]
    fn spans_of_errors_are_those_of_the_query() {
        let text = "check\n  x attacks 3";
        let error = Query::builder(text).variable("x", "a").compile().unwrap_err();
        assert!(error.to_string().starts_with("2:5: "), "{error}");
        assert_eq!(error.name(), None);
        for (name, query) in
            [("check", "mate"), ("a b", "mate"), ("", "mate"), ("n", "mate"), ("x", "(match )")]
        {
            let error = Query::builder(query).name("q").variable(name, 1).compile().unwrap_err();
            assert!(error.to_string().starts_with("q:1:1: "), "{error}");
        }
        let json = serde_json::to_string(&error).unwrap();
        assert_eq!(serde_json::from_str::<CompileError>(&json).unwrap(), error);
    }

    #[test]
    fn parts_are_read_by_themselves() {
        let text = "flip\nK == a8 // a comment\nbtm\ncql() true ; (";
        let place = |part: &str| {
            let start = text.find(part).unwrap() as u32;
            Span::new(start, start + part.len() as u32)
        };
        let parts = QuerySpans {
            transforms: vec![place("flip")],
            filters: vec![place("K == a8 // a comment"), place("btm")],
            query: place("cql() true ; ("),
            ..QuerySpans::default()
        };
        let builder = Query::builder(text).spans(parts.clone()).dialect(Dialect::CQL6);
        let mut matcher = builder.clone().variable("x", 1).compile().unwrap();
        let board: Position = "7k/8/8/8/8/8/8/K7 b - - 0 1".parse().unwrap();
        assert_ne!(matcher.evaluate(&board).unwrap(), Value::Bool(false));
        matcher = builder.compile().unwrap();
        assert_eq!(matcher.evaluate(&Position::start()).unwrap(), Value::Bool(false));
        // A span counts in the whole text, also in an error about the header of the query.
        let parts = QuerySpans { query: Span::new(5, 12), ..QuerySpans::default() };
        let error = Query::builder("flip\nK === a8").spans(parts).compile().unwrap_err();
        assert!(error.to_string().starts_with("2:"), "{error}");
        let text = "      cql(dialect cql9) mate";
        let parts = QuerySpans { query: Span::new(6, 28), ..QuerySpans::default() };
        let error = Query::builder(text).spans(parts).compile().unwrap_err();
        assert_eq!(error.diagnostics()[0].span.text(text), "dialect cql9");
    }

    #[test]
    fn a_query_of_cql_3_is_a_part_of_its_own() {
        let text = "(match (position :mate))";
        let parts = |query| QuerySpans { query, ..QuerySpans::default() };
        let shifted = "   ".to_owned() + text;
        let query = Query::builder(shifted).spans(parts(Span::new(3, 27))).analyze().unwrap();
        assert!(query.tree().contains("Mate"), "{}", query.tree());
        let wrong = "   (match (position :mat))";
        let error = Query::builder(wrong).spans(parts(Span::new(3, 26))).compile().unwrap_err();
        assert_eq!(error.diagnostics()[0].span.text(wrong), ":mat");
        let transformed = format!("flip {text}");
        let with = QuerySpans { transforms: vec![Span::new(0, 4)], ..parts(Span::new(5, 29)) };
        assert!(Query::builder(transformed).spans(with).compile().is_err());
        let error = Query::compile("(position :mate)").unwrap_err();
        assert!(error.to_string().contains("must be in a match list"), "{error}");
    }

    #[test]
    fn a_query_is_compiled_as_it_was_asked() {
        let typed =
            Query::builder("movenumber > 20 \"x\"").sort_match_count(true).analyze().unwrap();
        assert!(!typed.warnings().is_empty() && !typed.differences().is_empty());
        let layout = Layout { move_numbers: false, ..Layout::CQLI };
        let query = typed.layout(layout).compile().unwrap();
        assert_eq!((query.layout(), query.profiled()), (layout, &[][..]));
        assert_eq!(query.sort_keys().collect::<Vec<_>>(), ["matchcount"]);
        let query = Query::builder("mate").layout(layout).profile(true).compile().unwrap();
        assert_eq!((query.layout(), query.profiled().len()), (layout, 1));
        // With values, a query is compiled once.
        let query = Query::builder("#P").values(true).compile().unwrap();
        assert!(std::ptr::eq(query.valued().unwrap(), query.program()));
        assert_eq!(query.evaluate(&Position::start()).unwrap(), Value::Number(8));
        assert_eq!(query.search(&b"1. e4 *"[..]).count(), 1);
    }

    #[test]
    fn the_dialect_decides() {
        let text = "cql() ; a remark, in CQL 6.2 only\nmate";
        assert!(Query::compile(text).is_err());
        let query = Query::builder(text).dialect(Dialect::CQL6).compile().unwrap();
        assert!(query.dialect() == Dialect::CQL6 && query.options().cql6_output);
        let warned = Query::compile("movenumber > 20").unwrap();
        assert!(!warned.differences().is_empty() && warned.warnings().is_empty());
        let named = Query::builder("movenumber > 20").dialect(Dialect::CQLI).compile().unwrap();
        assert_eq!(named.differences(), warned.differences());
        let named = Query::builder("movenumber > 20").dialect(Dialect::CQL6).compile().unwrap();
        assert!(named.differences().is_empty());
        // CQL 3 is read alike in all dialects, so its warnings stay if one is named.
        let text = "(match (position :mate :sumrange x 1 2))";
        for builder in [Query::builder(text), Query::builder(text).dialect(Dialect::CQLI)] {
            let typed = builder.analyze().unwrap();
            assert!(!typed.warnings().is_empty() && typed.differences().is_empty());
        }
    }

    #[test]
    fn a_query_that_needs_variations() {
        let error = Query::compile("hhdb mainline").unwrap_err();
        assert!(error.to_string().contains("needs variations"), "{error}");
        assert_eq!(error.diagnostics()[0].remedy, Some(babson_lang::Remedy::Variations));
        let builder = Query::builder("hhdb mainline").steps(7);
        let query = builder.options(|options| options.variations = Some(true)).compile().unwrap();
        assert_eq!(query.options().steps, 7);
    }
}
