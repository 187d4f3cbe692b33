//! Names and scopes.
//!
//! In CQL 6.2 all names are global, in the order of the text. With `local_scopes`
//! (docs/src/language/dialects.md#dialects) the body of an iteration or of a function has its own
//! scope, which holds the names that are first assigned there. In the body of a function this
//! includes the names that the caller assigns between the definition and the call: an assignment in
//! the body makes another variable, unless the body has read the caller's before, as in `n = n +
//! 1`. So a name means one thing in one body. The variables of a body have no value at the
//! beginning of a run of the body. The parameters of a function are always in a scope of their own.

use std::collections::{HashMap, HashSet};

use super::differences::DialectSwitch;
use super::{ErrorReported, ExprResult, Sema, flow};
use crate::ast::{self, Ident};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{DictId, Expr, ExprKind, Type, UnaryFilter, Var, VarId};
use crate::keywords::{Keyword, KeywordOrigin};
use crate::suggest;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    Var(VarId),
    Dictionary(DictId),
    /// Index into the functions of the pass.
    Function(usize),
    /// Its first assignment was wrong. Uses of the name are not reported.
    Poisoned,
}

impl Binding {
    /// The variable, if the name is one.
    fn var(self) -> Option<VarId> {
        if let Binding::Var(var) = self { Some(var) } else { None }
    }
}

/// The time at which a name was bound, as a count of bindings.
pub(super) type BindingTime = u32;

/// A name's meaning and the time at which it got it.
#[derive(Clone, Copy, Debug)]
struct NameBinding {
    binding: Binding,
    /// 0 for the names with which the scope was opened.
    since: BindingTime,
}

/// The names of one region of the text.
#[derive(Debug)]
pub(super) struct NameScope {
    names: HashMap<String, NameBinding>,
    /// The scope in which other names are looked up.
    parent: Option<usize>,
    /// Assignments in this scope reach names of enclosing scopes that are older than this.
    shares: BindingTime,
    /// Whether first assignments declare names here, not in an enclosing scope.
    declares: bool,
}

impl NameScope {
    pub(super) fn global() -> NameScope {
        NameScope { names: HashMap::new(), parent: None, shares: BindingTime::MAX, declares: true }
    }
}

/// Variable ids from here on stand for an `isbound` of a name that was not known yet.
const PENDING: u32 = 1 << 31;

/// An `isbound NAME` before NAME was assigned. It is resolved at the end of the query.
#[derive(Debug)]
pub(super) struct PendingIsBound {
    name: String,
    span: Span,
}

impl Sema<'_> {
    /// The meaning of the name here.
    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        let mut at = Some(self.scopes.len() - 1);
        while let Some(scope) = at.map(|i| &self.scopes[i]) {
            if let Some(known) = scope.names.get(name) {
                return Some(known.binding);
            }
            at = scope.parent;
        }
        None
    }

    /// The existing meaning that an assignment to the name would change. The body of a function
    /// does not reach a name that the caller bound after the definition.
    pub(super) fn assignable(&self, name: &str) -> Option<Binding> {
        let mut at = Some(self.scopes.len() - 1);
        let mut shares = BindingTime::MAX;
        while let Some(scope) = at.map(|i| &self.scopes[i]) {
            if let Some(known) = scope.names.get(name)
                && known.since < shares
            {
                return Some(known.binding);
            }
            shares = shares.min(scope.shares);
            at = scope.parent;
        }
        None
    }

    /// Records the use of a variable. If a body has read a variable of its caller, the name means
    /// that variable in the rest of the body.
    pub(super) fn reach(&mut self, name: &str) {
        let mut at = Some(self.scopes.len() - 1);
        let mut hiding = None;
        while let Some((index, scope)) = at.map(|index| (index, &self.scopes[index])) {
            if let Some(known) = scope.names.get(name) {
                let binding = known.binding;
                if let Some(body) =
                    hiding.filter(|body: &usize| known.since >= self.scopes[*body].shares)
                {
                    let known = NameBinding { binding, since: 0 };
                    self.scopes[body].names.insert(name.to_string(), known);
                }
                return;
            }
            // The body between the use and the name that shares the fewest names.
            if hiding.is_none_or(|body: usize| scope.shares <= self.scopes[body].shares) {
                hiding = Some(index);
            }
            at = scope.parent;
        }
    }

    /// Records a first assignment to a name that in CQL 6.2 would assign to an outer variable.
    pub(super) fn note_hidden(&mut self, name: &Ident) {
        if self.assignable(&name.name).is_none() && self.lookup(&name.name).is_some() {
            self.differences.add(DialectSwitch::LocalScopes, name.span);
        }
    }

    /// The meaning of the name in the scope in which a first assignment would declare it.
    pub(super) fn known_here(&self, name: &str) -> Option<Binding> {
        let known = self.scopes[self.home()].names.get(name);
        known.map(|known| known.binding)
    }

    fn home(&self) -> usize {
        let mut at = self.scopes.len() - 1;
        while let (false, Some(parent)) = (self.scopes[at].declares, self.scopes[at].parent) {
            at = parent;
        }
        at
    }

    /// Binds a name.
    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        self.bind_in(self.home(), name, binding);
    }

    fn bind_in(&mut self, scope: usize, name: &str, binding: Binding) {
        self.binding_time += 1;
        let since = self.binding_time;
        let known = NameBinding { binding, since };
        self.scopes[scope].names.insert(name.to_string(), known);
    }

    /// Binds a name in the whole query.
    pub(super) fn bind_global(&mut self, name: &str, binding: Binding) {
        self.bind_in(0, name, binding);
    }

    /// The innermost open scope.
    pub(super) fn current_scope(&self) -> usize {
        self.scopes.len() - 1
    }

    /// The bindings of the parameters that are visible here, if all other names are global.
    pub(super) fn parameters_around(&self) -> HashMap<String, Binding> {
        match &self.scopes[self.current_scope()] {
            scope if scope.declares => HashMap::new(),
            scope => {
                scope.names.iter().map(|(name, known)| (name.clone(), known.binding)).collect()
            }
        }
    }

    /// Opens the scope of a body with the names `names`. Its assignments reach names of enclosing
    /// scopes that are older than `shares`.
    pub(super) fn push_scope(
        &mut self,
        parent: usize,
        names: HashMap<String, Binding>,
        shares: BindingTime,
    ) {
        let declares = self.dialect.local_scopes;
        let names = names.into_iter().map(|(name, binding)| {
            let known = NameBinding { binding, since: 0 };
            (name, known)
        });
        self.scopes.push(NameScope {
            names: names.collect(),
            parent: Some(parent),
            shares: if declares { shares } else { BindingTime::MAX },
            declares,
        });
    }

    /// Closes the scope of a body and returns the variables that it declared.
    pub(super) fn pop_scope(&mut self) -> Vec<VarId> {
        if self.scopes.len() == 1 || !self.scopes.last().is_some_and(|scope| scope.declares) {
            self.scopes.truncate(self.scopes.len().saturating_sub(1).max(1));
            return Vec::new();
        }
        let Some(scope) = self.scopes.pop() else {
            return Vec::new();
        };
        let own = scope.names.values().filter(|known| known.since > 0);
        let mut own: Vec<VarId> = own
            .filter_map(|known| known.binding.var())
            .filter(|var| self.vars[var.0 as usize].persistent.is_none())
            .collect();
        own.sort_unstable_by_key(|var| var.0);
        self.closed_names.extend(scope.names.into_keys());
        own
    }

    /// Unbinds the body's own variables at its beginning, if the body could see a value of an
    /// earlier run.
    pub(super) fn fresh(&mut self, own: Vec<VarId>, body: Expr) -> Expr {
        if own.is_empty() {
            return body;
        }
        let own: HashSet<VarId> = own.into_iter().collect();
        let mut stale = flow::unassigned_reads(&body, &own);
        if stale.is_empty() {
            return body;
        }
        for &(_, span) in &stale {
            self.differences.add(DialectSwitch::LocalScopes, span);
        }
        stale.sort_unstable_by_key(|&(var, _)| var.0);
        stale.dedup_by_key(|&mut (var, _)| var);
        let (ty, span) = (body.ty, body.span);
        let mut list: Vec<Expr> = stale
            .into_iter()
            .map(|(var, _)| self.node(ExprKind::Unbind(var), Type::Bool, span))
            .collect();
        list.push(body);
        self.node(ExprKind::Sequence(list), ty, span)
    }

    /// Makes a variable. No scope knows its name yet.
    pub(super) fn new_var(&mut self, name: &str, ty: Type) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var { name: name.to_string(), ty, persistent: None, atomic: false });
        id
    }

    /// The variable of an assignment, which must have the type. A first assignment makes it.
    pub(super) fn target(&mut self, name: &Ident, ty: Type) -> Result<VarId, ErrorReported> {
        match self.assignable(&name.name) {
            None => {
                self.note_hidden(name);
                let var = self.new_var(&name.name, ty);
                self.note_name(name);
                self.bind(&name.name, Binding::Var(var));
                Ok(var)
            }
            Some(_) => {
                let var = self.variable(name)?;
                let old = self.vars[var.0 as usize].ty;
                if old == ty {
                    return Ok(var);
                }
                let error = Diagnostic::error(
                    name.span,
                    format!(
                        "`{}` is {}, it cannot become {}",
                        name.name,
                        variable_of(old),
                        variable_of(ty)
                    ),
                );
                Err(self.report(if old == Type::Piece && ty == Type::Set {
                    error.with_help(format!("write `piece {} = …`", name.name))
                } else {
                    error
                }))
            }
        }
    }

    /// An existing variable.
    pub(super) fn variable(&mut self, name: &Ident) -> Result<VarId, ErrorReported> {
        match self.lookup(&name.name) {
            Some(Binding::Var(var)) => {
                self.reach(&name.name);
                Ok(var)
            }
            Some(Binding::Dictionary(_)) => {
                Err(self
                    .error(name.span, format!("`{}` is a dictionary, not a variable", name.name)))
            }
            Some(Binding::Function(_)) => {
                Err(self.error(name.span, format!("`{}` is a function, not a variable", name.name)))
            }
            Some(Binding::Poisoned) => Err(ErrorReported),
            None => Err(self.unknown(&name.name, name.span)),
        }
    }

    /// Marks the name of a wrong assignment, so that its uses are not reported.
    pub(super) fn poison(&mut self, name: &Ident) {
        if self.assignable(&name.name).is_none() {
            self.bind(&name.name, Binding::Poisoned);
        }
    }

    /// Returns the value, and poisons the name if the value is wrong.
    pub(super) fn or_poison<T>(
        &mut self,
        name: &Ident,
        typed: Result<T, ErrorReported>,
    ) -> Result<T, ErrorReported> {
        if typed.is_err() {
            self.poison(name);
        }
        typed
    }

    /// Poisons the names that are assigned in a construct that was not typed.
    pub(super) fn poison_inside(&mut self, e: &ast::Expr) {
        if let ast::ExprKind::Assign { name, .. }
        | ast::ExprKind::AssignPiece { name, .. }
        | ast::ExprKind::Dictionary { name, .. } = &e.kind
        {
            self.poison(name);
        }
        e.kind.for_each_child(&mut |child| self.poison_inside(child));
    }

    /// Records a name that CQL 6.2 reserves as a difference between the dialects.
    pub(super) fn note_name(&mut self, name: &Ident) {
        if Keyword::from_word(&name.name).is_some_and(|word| word.origin() == KeywordOrigin::Cql6) {
            self.differences.add(DialectSwitch::ContextualKeywords, name.span);
        }
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &str, span: Span) -> ErrorReported {
        if let Some(word) = Keyword::from_word(name) {
            return self.out_of_place(word, name, span);
        }
        if let Some((rule, end)) = &self.dictionary_end
            && span.start.wrapping_sub(*end) <= 2
            && crate::hir::JoinRule::parse(rule).is_some()
        {
            let place = Span::new(end.saturating_sub(rule.len() as u32), *end);
            let message = format!("`{rule}` is a merge rule of a dictionary and needs parentheses");
            let help = format!("write `({rule}) {name}`");
            return self.report(Diagnostic::error(place, message).with_help(help));
        }
        let mut error = Diagnostic::error(span, format!("unknown name `{name}`"));
        let mut known: Vec<&str> = Vec::new();
        let mut at = Some(self.scopes.len() - 1);
        while let Some(i) = at {
            known.extend(self.scopes[i].names.keys().map(String::as_str));
            at = self.scopes[i].parent;
        }
        if self.closed_names.contains(name) {
            error = error.with_help(format!(
                "`{name}` is known only in the body that assigned it: assign it before, or choose `--dialect cql6`"
            ));
        } else if let Some(near) = suggest::nearest(name, known) {
            error = error.with_help(format!("did you mean `{near}`?"));
        } else {
            error = error.with_help("a variable must be assigned before it is used");
        }
        self.report(error)
    }

    /// Reports a keyword in a place where it has no meaning, in a query that does not use it as a
    /// name.
    fn out_of_place(&mut self, word: Keyword, name: &str, span: Span) -> ErrorReported {
        let error = Diagnostic::error(span, format!("`{name}` is not a filter"));
        let help = crate::grammar_errors::reserved(word).unwrap_or_else(|| {
            "the word means nothing here; a query that assigns it uses it as a name".to_string()
        });
        self.report(error.with_help(help))
    }

    pub(super) fn name(&mut self, name: &str, span: Span) -> ExprResult {
        let var = match self.lookup(name) {
            Some(Binding::Var(var)) => {
                self.reach(name);
                var
            }
            Some(Binding::Dictionary(_)) => return Ok(self.bool(true, span)),
            Some(Binding::Function(_)) => {
                return Err(self.report(
                    Diagnostic::error(
                        span,
                        format!("`{name}` is a function: a call needs parentheses"),
                    )
                    .with_help(format!("write `{name}(…)`")),
                ));
            }
            Some(Binding::Poisoned) => return Err(ErrorReported),
            None => return Err(self.unknown(name, span)),
        };
        let ty = self.vars[var.0 as usize].ty;
        let node = self.node(ExprKind::Var(var), ty, span);
        Ok(if ty == Type::Piece {
            self.unary(UnaryFilter::PieceSquare, node, Type::Set, span)
        } else {
            node
        })
    }

    /// The variable, if the expression is only the name of a piece variable.
    pub(super) fn bare_piece(&self, e: &ast::Expr) -> Option<VarId> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        let var = self.lookup(name)?.var()?;
        (self.vars[var.0 as usize].ty == Type::Piece).then_some(var)
    }

    /// The dictionary, if the expression is only its name.
    pub(super) fn bare_dictionary(&self, e: &ast::Expr) -> Option<DictId> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        let Some(Binding::Dictionary(dictionary)) = self.lookup(name) else {
            return None;
        };
        Some(dictionary)
    }

    /// `isbound x`, `isunbound x`: the name need not be known.
    pub(super) fn is_bound(&mut self, negated: bool, name: &Ident, span: Span) -> Expr {
        let kind = match self.lookup(&name.name) {
            Some(Binding::Var(var)) => ExprKind::IsBound(var),
            Some(Binding::Dictionary(_) | Binding::Function(_)) => ExprKind::Bool(true),
            Some(Binding::Poisoned) => ExprKind::Bool(false),
            None => {
                let id = VarId(PENDING + self.isbound.len() as u32);
                self.isbound.push(PendingIsBound { name: name.name.clone(), span });
                ExprKind::IsBound(id)
            }
        };
        let bound = self.node(kind, Type::Bool, span);
        if negated { self.node(ExprKind::Not(Box::new(bound)), Type::Bool, span) } else { bound }
    }

    /// Resolves each `isbound` of a name that was assigned later.
    pub(super) fn resolve_isbound(&mut self, parts: [&mut Vec<Expr>; 3]) {
        if self.isbound.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.isbound);
        for question in &pending {
            // Only a body binds the name, and later in the text.
            if self.closed_names.contains(&question.name)
                && !self.scopes[0].names.contains_key(&question.name)
            {
                self.differences.add(DialectSwitch::LocalScopes, question.span);
            }
        }
        let answers: Vec<ExprKind> = pending
            .into_iter()
            .map(|pending| {
                let known = self.scopes[0].names.get(&pending.name);
                match known.map(|known| known.binding) {
                    Some(Binding::Var(var)) => ExprKind::IsBound(var),
                    Some(Binding::Dictionary(_) | Binding::Function(_)) => ExprKind::Bool(true),
                    Some(Binding::Poisoned) | None => ExprKind::Bool(false),
                }
            })
            .collect();
        for filter in parts.into_iter().flatten() {
            answer(filter, &answers);
        }
    }
}

fn answer(e: &mut Expr, answers: &[ExprKind]) {
    if let ExprKind::IsBound(VarId(id)) = e.kind
        && let Some(kind) = id.checked_sub(PENDING).and_then(|i| answers.get(i as usize))
    {
        e.kind = kind.clone();
    }
    e.for_each_operand_mut(&mut |operand| answer(operand, answers));
}

/// A variable of the type with its article, for messages.
fn variable_of(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "a condition",
        Type::Number => "a numeric variable",
        Type::Set => "a set variable",
        Type::String => "a string variable",
        Type::Position => "a position variable",
        Type::Piece => "a piece variable",
    }
}
