//! The options with which a query is compiled.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use babson_chess::VariantNames;
use babson_lang::sema::{self, AnalyzedQuery};
use babson_lang::{Diagnostic, Dialect, QueryParts, Span, cql3, text};
use babson_vm::{CompileOptions, Host, Program, RunOptions};

use crate::query::QueryData;
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
    name: String,
    dialect: Option<Dialect>,
    variables: Vec<(String, VariableValue)>,
    options: RunOptions,
    variants: VariantNames,
}

/// The value of a variable that is set before the query: [`QueryBuilder::variable`].
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl QueryBuilder {
    pub(crate) fn new(text: String) -> QueryBuilder {
        QueryBuilder {
            text,
            name: String::new(),
            dialect: None,
            variables: Vec::new(),
            options: RunOptions::default(),
            variants: VariantNames::default(),
        }
    }

    /// Reads the query in this dialect, whatever dialect it names.
    pub fn dialect(mut self, dialect: Dialect) -> QueryBuilder {
        self.dialect = Some(dialect);
        self
    }

    /// The name in messages, for instance that of its file.
    pub fn name(mut self, name: impl Into<String>) -> QueryBuilder {
        self.name = name.into();
        self
    }

    /// Sets a variable at each position before the query, as the assignment `name = value` would.
    /// The query may assign it again.
    pub fn variable(
        mut self,
        name: impl Into<String>,
        value: impl Into<VariableValue>,
    ) -> QueryBuilder {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The options of its runs.
    pub fn options(mut self, options: RunOptions) -> QueryBuilder {
        self.options = options;
        self
    }

    /// What the query reaches outside of the games, when it is compiled and when it is run. By
    /// default it is [refused](crate::vm::RefusingHost).
    pub fn host(mut self, host: Arc<dyn Host>) -> QueryBuilder {
        self.options.host = host;
        self
    }

    /// The names that variants may have in the query and in games.
    pub fn variants(mut self, names: VariantNames) -> QueryBuilder {
        self.variants = names;
        self
    }

    /// Compiles the query.
    ///
    /// # Errors
    /// All errors of the query.
    pub fn compile(self) -> Result<Query, CompileError> {
        let query_end = self.text.len();
        let (text, parts) = match self.with_variables() {
            Ok(source) => source,
            Err(error) => return Err(CompileError::new(&self.name, &self.text, vec![error])),
        };
        let QueryBuilder { name, dialect, mut options, variants, .. } = self;
        let fail = |errors| CompileError::new(&name, &text, errors);
        let query_text = &text[..query_end];
        let declared = match dialect {
            Some(dialect) => Some(dialect),
            None => babson_lang::declared_dialect(query_text).map_err(fail)?,
        };
        let dialect = declared.unwrap_or_default();
        let analysis = analyze(query_text, &text, &parts, dialect, &variants).map_err(fail)?;
        let AnalyzedQuery { query: typed, mut warnings, advice } = analysis;
        if declared.is_some() {
            warnings.clear();
        }
        warnings.extend(advice);
        options.cql6_output |= !dialect.separate_comments;
        let compile_options =
            CompileOptions { host: Arc::clone(&options.host), ..CompileOptions::default() };
        let program =
            Arc::new(Program::compile_with(&typed, dialect, &compile_options).map_err(fail)?);
        let variations = options.variations.unwrap_or(program.header().variations);
        if let Some(span) = program.requires_variations().filter(|_| !variations) {
            let error = Diagnostic::error(span, "this filter needs variations");
            return Err(fail(vec![error.with_help("visit them with `cql(variations)`")]));
        }
        Ok(Query::new(QueryData {
            name,
            program,
            options,
            warnings,
            typed,
            dialect,
            variants,
            valued: OnceLock::new(),
            traced: OnceLock::new(),
        }))
    }

    /// The text of the query and after it, so that its spans need no conversion, the assignments.
    fn with_variables(&self) -> Result<(String, QueryParts), Diagnostic> {
        let mut source = self.text.clone();
        let mut parts = QueryParts::whole(&source);
        for (name, value) in &self.variables {
            if !text::is_variable_name(name) {
                let message = format!("`{name}` is not the name of a variable");
                return Err(Diagnostic::error(Span::default(), message));
            }
            source.push('\n');
            let start = source.len();
            // Writing to a string cannot fail.
            let _ = match value {
                VariableValue::Number(number) => write!(source, "{name} = {number}"),
                VariableValue::Text(value) => write!(source, "{name} = {}", text::string(value)),
            };
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            parts.filters.push(Span::new(offset(start), offset(source.len())));
        }
        Ok((source, parts))
    }
}

fn analyze(
    query: &str,
    text: &str,
    parts: &QueryParts,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    if !cql3::begins_query(query) {
        return sema::analyze_parts(text, parts, dialect, variants);
    }
    if parts.filters.is_empty() {
        return cql3::analyze(query);
    }
    let message = "a query of CQL 3 has no variables that could be set";
    Err(vec![Diagnostic::error(Span::default(), message)])
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
        assert_eq!(error.name(), "");
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
    fn the_dialect_decides() {
        let text = "cql() ; a remark, in CQL 6.2 only\nmate";
        assert!(Query::compile(text).is_err());
        let query = Query::builder(text).dialect(Dialect::CQL6).compile().unwrap();
        assert!(query.dialect() == Dialect::CQL6 && query.options().cql6_output);
        let warned = Query::compile("#A - 1 > 3 \"x\"").unwrap();
        assert!(!warned.warnings().is_empty());
    }

    #[test]
    fn a_query_that_needs_variations() {
        let error = Query::compile("hhdb mainline").unwrap_err();
        assert!(error.to_string().contains("needs variations"), "{error}");
        let options = RunOptions { variations: Some(true), ..RunOptions::default() };
        assert!(Query::builder("hhdb mainline").options(options).compile().is_ok());
    }
}
