//! Names and types: from the tree of what is written ([`crate::ast`]) to the typed tree ([`crate::hir`]).
//!
//! [`lower`] is the typing pass proper. It takes the longest reading that the grammar made and regroups where types do not
//! fit (`regroup`; grammar notes, section 3A); where a token was guessed wrongly it answers with a veto (3B), and
//! the text is parsed again with that guess reversed. [`analyse`] is the whole way from text.

mod assign;
mod control;
mod dash;
mod designators;
mod dictionaries;
mod differences;
mod echo;
mod filters;
mod functions;
mod header;
mod hhdb;
mod imagine;
mod lists;
mod moves;
pub(crate) mod names;
mod operators;
mod path;
mod patterns;
mod regroup;
mod scope;
mod sequences;
mod similar;
mod strings;
mod tags;
mod transforms;
mod types;

#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};

use crate::ast::{self, ExprKind as Ast};
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{self, Expr, ExprKind, Type};
use functions::Definition;
pub use hhdb::hhdb_parts;
use regroup::Tail;
use scope::{PendingIsBound, Scope};

/// A query that passed.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The query, ready to be compiled.
    pub query: hir::Query,
    /// Where CQL 6.2 reads the query differently, one for each switch of [`Dialect`] that the query meets: for an author
    /// who named no dialect. Empty unless the query was read as CQLi does.
    pub warnings: Vec<Diagnostic>,
}

/// Why a tree did not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The token at this place was guessed wrongly: a binary `-` that begins a new filter, or the name of a range that is
    /// an operand. The message says what is wrong if the other reading does not parse either.
    Veto(Span, Diagnostic),
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

/// Bound on the nodes of a query, inlined functions and transforms included.
const MAX_NODES: usize = 2_000_000;
/// Bound on the nesting of expressions, inlined functions included.
const MAX_DEPTH: usize = 600;
/// Queries of at most this depth are typed on the caller's stack.
const SHALLOW: usize = 60;
/// Bytes of stack for deeper ones: an unoptimised build needs about 10 KiB a level.
const STACK: usize = 32 << 20;
/// Bound on the errors reported of one query.
const MAX_ERRORS: usize = 50;

/// Parses and types a query.
///
/// # Errors
/// All errors that were found, in the order of the text.
///
/// ```
/// use babson_lang::{Dialect, sema::analyse};
///
/// let analysis = analyse("cql() mate", Dialect::CQL6).unwrap();
/// assert_eq!(analysis.query.body.len(), 1);
/// assert!(analyse("cql() A + 1", Dialect::CQL6).is_err());
/// ```
pub fn analyse(text: &str, dialect: Dialect) -> Result<Analysis, Vec<Diagnostic>> {
    if crate::cql3::begins_query(text) {
        return crate::cql3::analyse(text);
    }
    let mut vetoes = Vec::new();
    let mut blamed = None;
    loop {
        let query = match crate::parse(text, dialect, &vetoes) {
            Ok(query) => query,
            // The other reading of the last guess is no better: report what was wrong with the first.
            Err(errors) => return Err(blamed.map_or(errors, |error| vec![error])),
        };
        match with_room(&query, || lower(&query, dialect)) {
            Ok(analysis) => return Ok(analysis),
            Err(Failure::Errors(errors)) => return Err(errors),
            Err(Failure::Veto(span, error)) if vetoes.contains(&span) => return Err(vec![error]),
            Err(Failure::Veto(span, error)) => {
                vetoes.push(span);
                blamed = Some(error);
            }
        }
    }
}

/// Runs the typing of a deep query on a stack that suffices for [`MAX_DEPTH`], whatever the caller has left.
fn with_room<T: Send>(query: &ast::Query, work: impl Fn() -> T + Sync) -> T {
    // No function can be in itself, so calls nest no deeper than all items together.
    let depth: usize = query.items.iter().map(|item| usize::from(item.depth)).sum();
    if depth <= SHALLOW {
        return work();
    }
    std::thread::scope(|scope| {
        match std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, &work)
        {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread to be had: the stack there is must do.
            Err(_) => work(),
        }
    })
}

/// Types a parsed query. It recurses as deep as the query nests; [`analyse`] sees to the stack.
///
/// # Errors
/// See [`Failure`].
pub fn lower(query: &ast::Query, dialect: Dialect) -> Result<Analysis, Failure> {
    let mut sema = Sema::new(dialect);
    let header = query.header.as_ref().map(header::lower).unwrap_or_default();
    let mut body = Vec::with_capacity(query.items.len());
    for item in &query.items {
        if let Ok(filter) = sema.closed(item) {
            body.push(filter);
        }
        if sema.veto.is_some() || sema.errors.len() >= MAX_ERRORS {
            break;
        }
    }
    if query.items.is_empty() {
        let span = query
            .header
            .as_ref()
            .map_or(Span::default(), |header| header.span);
        sema.error(span, "the query has no filter");
    }
    if let Some((span, error)) = sema.veto.take() {
        // An error before the wrongly guessed token stands whatever the guess.
        if sema.errors.is_empty() {
            return Err(Failure::Veto(span, error));
        }
    }
    if !sema.errors.is_empty() {
        return Err(Failure::Errors(sema.errors));
    }
    let (mut begin, mut end) = (
        std::mem::take(&mut sema.begin),
        std::mem::take(&mut sema.end),
    );
    sema.resolve_isbound([&mut body, &mut begin, &mut end]);
    let query = hir::Query {
        header,
        body,
        begin,
        end,
        vars: sema.vars,
        dictionaries: sema
            .dictionaries
            .into_iter()
            .map(dictionaries::Draft::finish)
            .collect(),
        sorts: sema.sorts,
        nest_bans: sema.nest_bans,
        similar: sema.similar,
        runs: sema.runs,
        requires_variations: sema.requires_variations,
    };
    let mut differences = sema.differences;
    let warnings = if dialect == Dialect::CQLI {
        differences.search(&query, &sema.locals);
        differences.warnings()
    } else {
        Vec::new()
    };
    Ok(Analysis { query, warnings })
}

/// The state of the typing pass.
struct Sema<'a> {
    dialect: Dialect,
    vars: Vec<hir::Var>,
    dictionaries: Vec<dictionaries::Draft>,
    sorts: Vec<hir::SortKey>,
    nest_bans: u32,
    similar: Option<hir::Similar>,
    runs: u32,
    requires_variations: Option<Span>,
    functions: Vec<Definition<'a>>,
    /// The functions being inlined, outermost first.
    calls: Vec<usize>,
    scopes: Vec<Scope>,
    isbound: Vec<PendingIsBound>,
    errors: Vec<Diagnostic>,
    /// Where the dialects differ, as far as the typed tree does not show it.
    differences: differences::Differences,
    /// The variables that belong to the body of an iteration or function.
    locals: HashSet<hir::VarId>,
    /// Names that were known in a body that is over.
    gone: HashSet<String>,
    /// The names of groups in the regular expressions so far.
    group_names: std::collections::HashMap<String, u32>,
    /// The filters of `cqlbegin` and of `cqlend`.
    begin: Vec<Expr>,
    end: Vec<Expr>,
    veto: Option<(Span, Diagnostic)>,
    nodes: usize,
    depth: usize,
    /// The query was found too large or too deep: said once.
    overflow: bool,
}

impl<'a> Sema<'a> {
    fn new(dialect: Dialect) -> Sema<'a> {
        Sema {
            dialect,
            vars: Vec::new(),
            dictionaries: Vec::new(),
            sorts: Vec::new(),
            nest_bans: 0,
            similar: None,
            runs: 0,
            requires_variations: None,
            functions: Vec::new(),
            calls: Vec::new(),
            scopes: vec![Scope::global()],
            isbound: Vec::new(),
            errors: Vec::new(),
            differences: differences::Differences::default(),
            locals: HashSet::new(),
            gone: HashSet::new(),
            group_names: std::collections::HashMap::new(),
            begin: Vec::new(),
            end: Vec::new(),
            veto: None,
            nodes: 0,
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

    /// The names that are assigned inside a construct that was not typed: their later use is no error.
    fn poison_inside(&mut self, e: &'a ast::Expr) {
        match &e.kind {
            Ast::Assign { name, .. }
            | Ast::AssignPiece { name, .. }
            | Ast::Dictionary { name, .. } => {
                self.poison(name);
            }
            _ => {}
        }
        e.kind
            .for_each_child(&mut |child| self.poison_inside(child));
    }

    /// Asks for another reading of the token at `span`; the first request wins.
    fn request_veto(&mut self, span: Span, error: Diagnostic) -> Reported {
        self.veto.get_or_insert((span, error));
        Reported
    }

    /// A node of the typed tree.
    fn node(&mut self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        self.nodes += 1;
        Expr { kind, ty, span }
    }

    fn nullary(&mut self, which: hir::Nullary, ty: Type, span: Span) -> Expr {
        self.node(ExprKind::Nullary(which), ty, span)
    }

    fn unary(&mut self, which: hir::Unary, arg: Expr, ty: Type, span: Span) -> Expr {
        self.node(ExprKind::Unary(which, Box::new(arg)), ty, span)
    }

    fn binary(
        &mut self,
        which: hir::Binary,
        left: Expr,
        right: Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        self.node(
            ExprKind::Binary(which, Box::new(left), Box::new(right)),
            ty,
            span,
        )
    }

    fn bool(&mut self, value: bool, span: Span) -> Expr {
        self.node(ExprKind::Bool(value), Type::Bool, span)
    }

    /// An expression where nothing can follow: an item, an argument, the inside of brackets.
    fn closed(&mut self, e: &'a ast::Expr) -> Typed {
        let open = self.open_at(e, 0)?;
        self.finish(open)
    }

    /// Several, all of them looked at even if one is wrong.
    fn closed_all(&mut self, list: &'a [ast::Expr]) -> Result<Vec<Expr>, Reported> {
        let mut typed = Vec::with_capacity(list.len());
        let mut failed = false;
        for e in list {
            match self.closed(e) {
                Ok(e) => typed.push(e),
                Err(Reported) => failed = true,
            }
            if self.veto.is_some() || self.overflow {
                return Err(Reported);
            }
        }
        if failed { Err(Reported) } else { Ok(typed) }
    }

    /// An expression as far as its types fit, with the rest.
    fn open(&mut self, e: &'a ast::Expr) -> Open<'a> {
        if self.overflow || self.veto.is_some() {
            return Err(Reported);
        }
        if self.nodes > MAX_NODES || self.depth > MAX_DEPTH {
            self.overflow = true;
            let what = if self.nodes > MAX_NODES {
                "large"
            } else {
                "deeply nested"
            };
            return Err(self.error(e.span, format!("the query is too {what}")));
        }
        self.depth += 1;
        let open = self.open_kind(e);
        self.depth -= 1;
        if open.is_err() && self.veto.is_none() && !self.overflow {
            match e.kind {
                Ast::With { .. } | Ast::Hook { .. } => {
                    self.poison_inside(e);
                }
                _ => {}
            }
        }
        open
    }

    fn open_kind(&mut self, e: &'a ast::Expr) -> Open<'a> {
        match &e.kind {
            Ast::Infix { level, first, rest } => self.infix(*level, first, rest),
            Ast::Relation {
                left,
                op,
                op_span,
                right,
            } => self.relation(left, *op, *op_span, right),
            Ast::In {
                left,
                op_span,
                right,
            } => self.is_in(left, *op_span, right),
            Ast::With {
                left,
                op_span,
                right,
            } => self.with(left, *op_span, right),
            Ast::Not(arg) => self.not(arg, e.span),
            Ast::Complement(arg) => self.complement(arg, e.span),
            Ast::Negate(arg) => self.negate(arg, e.span),
            Ast::Assign {
                storage,
                name,
                op,
                op_span,
                value,
            } => self.assign(*storage, name, *op, *op_span, value, e.span),
            Ast::AssignIndex {
                place,
                op,
                op_span,
                value,
            } => self.assign_index(place, *op, *op_span, value, e.span),
            Ast::AssignPiece { name, value } => self.assign_piece(name, value, e.span),
            Ast::Prefix { keyword, arg } => self.prefix(*keyword, arg, e.span),
            Ast::Direction {
                keyword,
                range,
                arg,
            } => self.direction(*keyword, range.as_ref(), arg, e.span),
            Ast::Transform {
                keyword,
                range,
                arg,
            } => self.transform(*keyword, range.as_ref(), arg, e.span),
            Ast::Find {
                quiet,
                all,
                back,
                range,
                arg,
            } => self.find(*quiet, *all, *back, range.as_ref(), arg, e.span),
            Ast::Echo {
                quiet,
                source,
                target,
                all,
                arg,
            } => self.echo(*quiet, (source, target), *all, arg, e.span),
            Ast::Sort {
                quiet,
                min,
                description,
                arg,
            } => self.sort(*quiet, *min, description.as_ref(), arg, e.span),
            Ast::Print {
                kind,
                quiet,
                list,
                args,
            } => self.print(*kind, *quiet, *list, args, e.span),
            Ast::ForEach {
                kind,
                all,
                name,
                set,
                body,
            } => self.for_each(*kind, *all, name, set, body, e.span),
            Ast::If {
                condition,
                then,
                otherwise,
            } => self.if_then_else(condition, then, otherwise.as_deref(), e.span),
            Ast::While { condition, body } => self.while_loop(condition, body, e.span),
            _ => self.leaf(e).map(|typed| (typed, VecDeque::new())),
        }
    }

    /// Filters that end where they end.
    fn leaf(&mut self, e: &'a ast::Expr) -> Typed {
        let span = e.span;
        match &e.kind {
            Ast::Error => Err(self.error(span, "this is no filter")),
            Ast::Int(n) => Ok(self.node(ExprKind::Number(*n), Type::Number, span)),
            Ast::Str(text) => Ok(self.text(text, span)),
            Ast::Result(result) => self.bare_result(*result, span),
            Ast::ResultIs(result) => Ok(self.nullary(
                hir::Nullary::Result(header::result(*result)),
                Type::Bool,
                span,
            )),
            Ast::Designator(d) => {
                Ok(self.node(ExprKind::Designator(designators::lower(d)), Type::Set, span))
            }
            Ast::AnySquare => Ok(self.node(ExprKind::Squares(!0), Type::Set, span)),
            Ast::EmptySet => Ok(self.node(ExprKind::Squares(0), Type::Set, span)),
            Ast::Name(name) => self.name(name, span),
            Ast::Call { name, args } => self.call(name, args, span),
            Ast::Paren(inner) => self.closed(inner),
            Ast::Block(items) => self.block(items, span),
            Ast::Arrows { back, parts, .. } => self.arrows(*back, parts, span),
            Ast::Index { base, index } => self.index(base, index, span),
            Ast::Slice { base, from, to } => self.slice(base, from.as_deref(), to.as_deref(), span),
            Ast::Unbind { name, key } => self.unbind(name, key.as_deref(), span),
            Ast::IsBound { negated, name } => Ok(self.is_bound(*negated, name, span)),
            Ast::Dictionary {
                storage,
                types,
                merge,
                name,
            } => self.dictionary(*storage, *types, merge.as_ref(), name, span),
            Ast::Function {
                name, params, body, ..
            } => self.function(name, params, body, span),
            Ast::Nullary(keyword) => self.keyword(*keyword, span),
            Ast::List { keyword, args } => self.list(*keyword, args, span),
            Ast::Tag {
                keyword,
                colour,
                search,
            } => self.tag_filter(*keyword, *colour, search.as_ref(), span),
            Ast::KeywordText { keyword, text } => self.keyword_text(*keyword, text, span),
            Ast::Ray {
                xray,
                directions,
                sets,
            } => self.ray(*xray, directions, sets, span),
            Ast::Pin(params) => self.pin(params, span),
            Ast::Move(params) => self.move_filter(params, span),
            Ast::Line {
                params,
                back,
                parts,
            } => self.line(params, *back, parts, span),
            Ast::Path { params, parts } => self.path(params, parts, span),
            // It changes nothing and takes nothing away.
            Ast::Identity => Ok(self.bool(true, span)),
            Ast::Group(number) => Ok(self.node(ExprKind::Group(*number), Type::String, span)),
            Ast::GroupIndex(number) => {
                Ok(self.node(ExprKind::GroupIndex(*number), Type::Number, span))
            }
            Ast::NamedGroup(name, index) => self.named_group(name, *index, span),
            Ast::Match {
                subject, pattern, ..
            } => self.matches(subject, pattern, span),
            Ast::Hook { end, body } => self.hook(*end, body, span),
            Ast::Dash(dash) => self.dash_filter(dash, &[], span),
            Ast::DashPrefix { words, arg } => self.dash_prefix(words, arg, span),
            Ast::Hhdb { words, search } => self.hhdb(words, search.as_ref(), span),
            Ast::SimilarPosition {
                no_sort,
                no_transform,
                file,
            } => self.similar_position(*no_sort, *no_transform, file, span),
            Ast::Imagine(_) => Err(self.without_target(span, "imagine")),
            Ast::ConsecutiveMoves {
                quiet,
                range,
                left,
                right,
            } => self.consecutive_moves(*quiet, range.as_ref(), left, right, span),
            // The others are in `open_kind`.
            _ => Err(self.error(span, "this is no filter")),
        }
    }

    /// `cqlbegin { … }`, `cqlend { … }`: apart from what is asked of positions.
    fn hook(&mut self, end: bool, body: &'a [ast::Expr], span: Span) -> Typed {
        if self.depth > 1 {
            let word = if end { "cqlend" } else { "cqlbegin" };
            let message = format!("`{word}` stands among the filters of the query, not inside one");
            return Err(self.error(span, message));
        }
        let filters = self.closed_all(body)?;
        if end { &mut self.end } else { &mut self.begin }.extend(filters);
        Ok(self.bool(true, span))
    }

    fn block(&mut self, items: &'a [ast::Expr], span: Span) -> Typed {
        let typed = self.closed_all(items)?;
        Ok(self.sequence(typed, span))
    }

    /// `{ f g … }`; one filter alone stands for itself (language.md 5.3).
    fn sequence(&mut self, mut list: Vec<Expr>, span: Span) -> Expr {
        match list.len() {
            0 => self.bool(true, span),
            1 => list.remove(0),
            _ => {
                let ty = list.last().map_or(Type::Bool, |last| last.ty);
                self.node(ExprKind::Sequence(list), ty, span)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Typed {
        let var = match self.lookup(name) {
            Some(scope::Binding::Var(var)) => var,
            Some(scope::Binding::Dictionary(_)) => return Ok(self.bool(true, span)),
            Some(scope::Binding::Function(_)) => {
                return Err(self.report(
                    Diagnostic::error(
                        span,
                        format!("`{name}` is a function: a call needs parentheses"),
                    )
                    .with_help(format!("write `{name}(…)`")),
                ));
            }
            Some(scope::Binding::Poisoned) => return Err(Reported),
            None => return Err(self.unknown(name, span)),
        };
        let ty = self.vars[var.0 as usize].ty;
        let node = self.node(ExprKind::Var(var), ty, span);
        Ok(if ty == Type::Piece {
            self.unary(hir::Unary::PieceSquare, node, Type::Set, span)
        } else {
            node
        })
    }

    /// The variable, when the expression is nothing but the name of a piece variable.
    fn bare_piece(&self, e: &ast::Expr) -> Option<hir::VarId> {
        let Ast::Name(name) = &e.kind else {
            return None;
        };
        match self.lookup(name) {
            Some(scope::Binding::Var(var)) if self.vars[var.0 as usize].ty == Type::Piece => {
                Some(var)
            }
            _ => None,
        }
    }

    /// The dictionary, when the expression is nothing but its name.
    fn bare_dictionary(&self, e: &ast::Expr) -> Option<hir::DictId> {
        let Ast::Name(name) = &e.kind else {
            return None;
        };
        match self.lookup(name) {
            Some(scope::Binding::Dictionary(dictionary)) => Some(dictionary),
            _ => None,
        }
    }
}
