//! Names and types: from the tree of what is written ([`crate::ast`]) to the typed tree
//! ([`crate::hir`]).
//!
//! [`lower`] is the typing pass proper. It takes the longest reading that the grammar made and
//! regroups where types do not fit (`regroup`; grammar notes, section 3A); where a token was
//! guessed wrongly it answers with a veto (3B), and the text is parsed again with that guess
//! reversed. [`analyze`] is the whole way from text.

mod advice;
mod asked;
mod assign;
mod blocks;
mod control;
mod dash;
mod designators;
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
mod lists;
mod moves;
mod nodes;
mod operators;
mod path;
mod patterns;
mod query;
mod regroup;
mod scope;
mod sequences;
mod similar;
mod speculation;
mod strings;
mod tags;
mod transforms;
mod types;
mod values;

#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};

use babson_chess::VariantNames;

use crate::ast;
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{self, Expr};
use crate::steps::Steps;
pub(crate) use filters::type_of;
use functions::Definition;
pub use hhdb::hhdb_parts;
pub use query::lower;
use regroup::Tail;
use scope::{PendingIsBound, Scope};
pub use speculation::analyze_parts;
pub(crate) use speculation::{offsets_of_x, settle};
pub(crate) use tags::nag;

/// A query that passed.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The query, ready to be compiled.
    pub query: hir::Query,
    /// Where CQL 6.2 reads the query differently, one for each switch of [`Dialect`] that the query
    /// meets: for an author who named no dialect. Empty unless the query was read as CQLi does.
    pub warnings: Vec<Diagnostic>,
    /// What is sound and probably means something else, for any author. Empty where CQL 6.2 ends
    /// the run there.
    pub advice: Vec<Diagnostic>,
}

/// Why a tree did not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The tokens at these places were guessed wrongly: a binary `-` that begins a new filter, the
    /// name of a range that is an operand, the `:` of a speculative move that belongs to its
    /// operand. The message says what is wrong if the other reading of the first does not parse
    /// either. Never empty.
    Veto(Vec<Span>, Diagnostic),
    /// The query is wrong.
    Errors(Vec<Diagnostic>),
}

/// An error that was already noted: what it poisons says nothing more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

/// A typed expression.
type Typed = Result<Expr, Reported>;
/// A typed expression and the operators at its right that did not fit it.
type Open<'a> = Result<(Expr, VecDeque<Tail<'a>>), Reported>;

/// The state of the typing pass.
struct Sema<'a> {
    dialect: Dialect,
    /// The names that `variant "X"` may use.
    variants: &'a VariantNames,
    vars: Vec<hir::Var>,
    dictionaries: Vec<dictionaries::Draft>,
    sorts: Vec<hir::SortKey>,
    /// How many of them have no description.
    unnamed_sorts: u32,
    similar: Option<hir::Similar>,
    requires_variations: Option<Span>,
    functions: Vec<Definition<'a>>,
    /// The body of some function gives names a meaning.
    binding_functions: bool,
    /// The name of the last dictionary that was declared with types, and where its declaration
    /// ends.
    dictionary_end: Option<(String, u32)>,
    /// The loop variables of the loops around, outermost first.
    loops: Vec<hir::VarId>,
    /// Variables that filters of the query assigned, each time it comes so far.
    assigned: HashSet<hir::VarId>,
    /// The functions being inlined, outermost first.
    calls: Vec<usize>,
    scopes: Vec<Scope>,
    /// How often a name got a meaning.
    moment: scope::Moment,
    isbound: Vec<PendingIsBound>,
    errors: Vec<Diagnostic>,
    /// Where the dialects differ, as far as the typed tree does not show it.
    differences: differences::Differences,
    /// Names that were known in a body that is over.
    gone: HashSet<String>,
    /// The names of groups in the regular expressions so far.
    group_names: std::collections::HashMap<String, u32>,
    /// The filters of `cqlbegin` and of `cqlend`.
    begin: Vec<Expr>,
    end: Vec<Expr>,
    /// A wrong guess: nothing is typed any more.
    veto: Option<(Span, Diagnostic)>,
    /// Those of parts whose names nothing else can depend on: what stands behind them was typed.
    vetoes: Vec<(Span, Diagnostic)>,
    nodes: usize,
    steps: Steps,
    depth: usize,
    /// The query was found too large or too deep: said once.
    overflow: bool,
}

impl<'a> Sema<'a> {
    fn new(dialect: Dialect, variants: &'a VariantNames) -> Sema<'a> {
        Sema {
            dialect,
            variants,
            vars: Vec::new(),
            dictionaries: Vec::new(),
            sorts: Vec::new(),
            unnamed_sorts: 0,
            similar: None,
            requires_variations: None,
            functions: Vec::new(),
            binding_functions: false,
            dictionary_end: None,
            loops: Vec::new(),
            assigned: HashSet::new(),
            calls: Vec::new(),
            scopes: vec![Scope::global()],
            moment: 0,
            isbound: Vec::new(),
            errors: Vec::new(),
            differences: differences::Differences::default(),
            gone: HashSet::new(),
            group_names: std::collections::HashMap::new(),
            begin: Vec::new(),
            end: Vec::new(),
            veto: None,
            vetoes: Vec::new(),
            nodes: 0,
            steps: Steps::default(),
            depth: 0,
            overflow: false,
        }
    }

    /// Notes an error.
    fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(span, message))
    }

    /// Notes an error with more than a message.
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        // A function that is wrong at each call says so once.
        if !self.errors.contains(&diagnostic) {
            self.errors.push(diagnostic);
        }
        Reported
    }

    /// A construct that is not there yet.
    fn unsupported(&mut self, span: Span, name: &str) -> Reported {
        self.error(span, format!("not supported yet: {name}"))
    }

    /// Asks for another reading of the token at `span`; the first request wins.
    fn request_veto(&mut self, span: Span, error: Diagnostic) -> Reported {
        self.veto.get_or_insert((span, error));
        Reported
    }

    /// Whether a wrong guess is to be turned: an error before the first one stands whatever the
    /// guess.
    fn counts(&self) -> bool {
        self.errors.is_empty() || !self.vetoes.is_empty()
    }

    /// Goes on behind a part with a wrong guess if that gives no name a meaning, so that a query
    /// with many of them is not read once for each.
    fn resume(&mut self, part: &ast::Expr) {
        // An assignment that failed has poisoned its name.
        let part = match &part.kind {
            ast::ExprKind::Assign { value, .. } => value,
            _ => part,
        };
        if self.veto.is_some() && self.counts() && !self.gives_meaning(part) {
            self.vetoes.extend(self.veto.take());
        }
    }

    /// Can what is typed later depend on a name that stands in here?
    fn gives_meaning(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as Ast;
        let mut found = match e.kind {
            Ast::Assign { .. }
            | Ast::AssignIndex { .. }
            | Ast::AssignPiece { .. }
            | Ast::Dictionary { .. }
            | Ast::Function { .. }
            | Ast::ForEach { .. }
            | Ast::Echo { .. }
            | Ast::Match { .. }
            | Ast::Hook { .. } => true,
            Ast::Call { .. } => self.binding_functions,
            _ => false,
        };
        e.kind.for_each_child(&mut |child| found = found || self.gives_meaning(child));
        found
    }
}
