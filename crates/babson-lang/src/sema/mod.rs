//! The type check: resolves names and lowers the AST ([`crate::ast`]) to the HIR ([`crate::hir`]).
//!
//! `lower` checks one tree. The parser gives each prefix filter the longest operand, and
//! `regroup` moves operators that do not fit outwards
//! (docs/src/language/reading.md#operators-that-do-not-fit). If a token has the wrong reading,
//! the result is a rejected choice, and `speculation` parses the text again with the other
//! reading (docs/src/language/reading.md#tokens-with-two-readings).
//!
//! To read on: `query` types a whole query, `expression` finds the module for each kind of
//! expression.

mod assign;
mod bare_values;
mod blocks;
mod control;
mod dash;
mod demand;
pub(crate) mod designators;
mod dictionaries;
mod differences;
mod echo;
mod expression;
mod filters;
mod flow;
mod functions;
mod header;
mod hhdb;
mod hooks;
mod imagine;
mod lesson;
mod lists;
mod moves;
mod nodes;
mod operators;
mod path;
mod patterns;
mod pending;
mod query;
mod regroup;
mod scope;
mod sequences;
mod similar;
mod strings;
mod tags;
mod transforms;
mod types;
pub(crate) mod warnings;

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use babson_chess::VariantNames;

use crate::ast;
use crate::choice::{Choice, Rejections};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{self, Expr, Type};
use crate::keywords::Keyword;
use crate::steps::Steps;
pub(crate) use differences::switches_of;
use functions::FunctionDefinition;
pub(crate) use lesson::{Lesson, learn};
use pending::PendingOperators;
pub(crate) use query::lower;
use scope::{NameScope, PendingIsBound};

/// A query without errors.
#[derive(Clone, Debug)]
pub struct AnalyzedQuery {
    /// The query, ready to be compiled.
    pub query: hir::Query,
    /// Warnings where CQL 6.2 reads the query differently, one for each field of [`Dialect`] that
    /// matters to the query. They are for an author who compares the dialects, and empty unless the
    /// query was read as in CQLi.
    pub differences: Vec<Diagnostic>,
    /// Warnings of filters that are correct and probably mean something else. In dialects in which
    /// a number or a string as a filter ends the run, there is none about such a filter.
    pub warnings: Vec<Diagnostic>,
}

/// Proof that an error was reported. What depends on the wrong expression reports nothing more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorReported;

/// A typed expression.
type ExprResult = Result<Expr, ErrorReported>;
/// A typed expression and the operators after it that did not fit it.
type OpenResult<'a> = Result<(Expr, PendingOperators<'a>), ErrorReported>;

/// The values, if none is an error. All of them are made, so that all errors are reported.
fn all_of<T>(
    results: impl Iterator<Item = Result<T, ErrorReported>>,
) -> Result<Vec<T>, ErrorReported> {
    let mut values = Vec::with_capacity(results.size_hint().0);
    let mut failed = false;
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(ErrorReported) => failed = true,
        }
    }
    if failed { Err(ErrorReported) } else { Ok(values) }
}

/// The state of the type check.
struct Sema<'a> {
    dialect: Dialect,
    /// The names that `variant "X"` may use.
    variants: &'a VariantNames,
    /// The typed query so far.
    query: hir::Query,
    dictionaries: Vec<dictionaries::DictionaryDraft>,
    /// The sort keys by name.
    sort_ids: HashMap<String, hir::SortId>,
    /// The number of sort keys without a description.
    unnamed_sorts: u32,
    functions: Vec<FunctionDefinition<'a>>,
    /// Whether the body of some function binds names.
    binding_functions: bool,
    /// The name of the last dictionary declared with types, and the offset at which its declaration
    /// ends.
    dictionary_end: Option<(String, u32)>,
    /// The variables of the enclosing loops, outermost first.
    loops: Vec<hir::VarId>,
    /// The variables that filters at the top level have certainly assigned so far.
    assigned: HashSet<hir::VarId>,
    /// The functions being inlined, outermost first.
    calls: Vec<usize>,
    scopes: Vec<NameScope>,
    /// The number of times that a name was bound.
    binding_time: scope::BindingTime,
    isbound: Vec<PendingIsBound>,
    errors: Vec<Diagnostic>,
    /// Differences between the dialects that the HIR does not show.
    differences: differences::Differences,
    /// Names of scopes that are closed.
    closed_names: HashSet<String>,
    /// The named groups of the regular expressions so far, with their numbers.
    group_names: HashMap<String, u32>,
    rejections: Rejections,
    nodes: usize,
    steps: Steps,
    depth: usize,
    /// Whether the query was reported as too large or too deep.
    overflow: bool,
    /// If what is learned of a query with errors is wanted, the types of its expressions.
    types: Option<HashMap<Span, Type>>,
}

impl<'a> Sema<'a> {
    fn new(dialect: Dialect, variants: &'a VariantNames) -> Sema<'a> {
        Sema {
            dialect,
            variants,
            query: hir::Query { dialect, ..hir::Query::default() },
            dictionaries: Vec::new(),
            sort_ids: HashMap::new(),
            unnamed_sorts: 0,
            functions: Vec::new(),
            binding_functions: false,
            dictionary_end: None,
            loops: Vec::new(),
            assigned: HashSet::new(),
            calls: Vec::new(),
            scopes: vec![NameScope::global()],
            binding_time: 0,
            isbound: Vec::new(),
            errors: Vec::new(),
            differences: differences::Differences::default(),
            closed_names: HashSet::new(),
            group_names: HashMap::new(),
            rejections: Rejections::default(),
            nodes: 0,
            steps: Steps::default(),
            depth: 0,
            overflow: false,
            types: None,
        }
    }

    /// Reports an error.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> ErrorReported {
        self.report(Diagnostic::new(code, span, message))
    }

    /// Reports an error that has help, a label or a wording of its own.
    fn report(&mut self, diagnostic: Diagnostic) -> ErrorReported {
        // An error in the body of a function is reported once, not at each call.
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
        ErrorReported
    }

    /// Reports a keyword that is only a part of other filters.
    fn not_a_filter(&mut self, span: Span, keyword: Keyword) -> ErrorReported {
        self.report(Diagnostic::not_a_filter(span, keyword.name()))
    }

    /// Rejects the first reading of a token.
    fn reject(&mut self, choice: Choice, error: Diagnostic) -> ErrorReported {
        self.rejections.reject(choice, error);
        ErrorReported
    }

    /// Whether a rejected reading is to be reversed. After an error it is not, since the error
    /// would remain.
    fn reverses_readings(&self) -> bool {
        self.errors.is_empty() || self.rejections.went_on()
    }

    /// Continues after a part with a rejected reading if that part binds no names, so that one pass
    /// finds many rejected readings.
    fn continue_after_rejection(&mut self, part: &ast::Expr) {
        // An assignment that failed has poisoned its name, so only its value matters.
        let part = if let ast::ExprKind::Assign { value, .. } = &part.kind { value } else { part };
        if self.rejections.stop() && self.reverses_readings() && !self.binds_names(part) {
            self.rejections.go_on();
        }
    }

    /// Whether the expression binds a name that later filters can depend on.
    fn binds_names(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as Ast;
        let mut found = match e.kind {
            Ast::Assign { .. }
            | Ast::AssignIndex { .. }
            | Ast::AssignPiece { .. }
            | Ast::Dictionary { .. }
            | Ast::Function { .. }
            | Ast::ForEach { .. }
            | Ast::Match { .. }
            | Ast::Hook { .. } => true,
            Ast::Call { .. } => self.binding_functions,
            Ast::Filter(ref filter) => filter.keyword == Keyword::Echo,
            Ast::Error
            | Ast::Int(_)
            | Ast::Str(_)
            | Ast::Result(_)
            | Ast::ResultIs(_)
            | Ast::Designator(_)
            | Ast::AnySquare
            | Ast::EmptySet
            | Ast::Identity
            | Ast::Group(_)
            | Ast::GroupIndex(_)
            | Ast::NamedGroup(..)
            | Ast::Name(_)
            | Ast::Paren(_)
            | Ast::Block(_)
            | Ast::Infix { .. }
            | Ast::Relation { .. }
            | Ast::In { .. }
            | Ast::Not(_)
            | Ast::Complement(_)
            | Ast::Negate(_)
            | Ast::Arrows { .. }
            | Ast::With { .. }
            | Ast::Index { .. }
            | Ast::Slice { .. }
            | Ast::Unbind { .. }
            | Ast::IsBound { .. }
            | Ast::DashPrefix { .. }
            | Ast::LineComment(_)
            | Ast::Dash(_)
            | Ast::Path { .. }
            | Ast::Line { .. }
            | Ast::If { .. }
            | Ast::While { .. } => false,
        };
        e.kind.for_each_child(&mut |child| found = found || self.binds_names(child));
        found
    }
}
