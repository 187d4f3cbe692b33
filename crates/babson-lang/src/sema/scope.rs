//! Names and what they stand for.
//!
//! In 6.2 all names are global, in the order of the text. Under `local_scopes` (dialects.md) the
//! body of an iteration or of a function has a scope of its own for what is first assigned there.
//! For a function that is what nobody assigned before its definition: of a name that the caller
//! assigns between definition and call, an assignment in the body makes another variable, unless
//! the body has read the caller's before, as in `n = n + 1`: a name means one thing in one body.
//! Variables of a body have no value when a run of it begins. A function's parameters are always in
//! a scope of their own: they stand for what the caller wrote.

use std::collections::{HashMap, HashSet};

use super::differences::Switch;
use super::{Reported, Sema, Typed, flow};
use crate::ast::{self, Ident};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{DictId, Expr, ExprKind, Type, Unary, Var, VarId};
use crate::keywords::{Keyword, Origin};
use crate::suggest;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    Var(VarId),
    Dictionary(DictId),
    /// Index into the functions of the pass.
    Function(usize),
    /// Its first assignment was wrong; whatever uses it is not.
    Poisoned,
}

/// When a name got its meaning: a count of all such events.
pub(super) type Moment = u32;

/// A name's meaning.
#[derive(Clone, Copy, Debug)]
struct Named {
    binding: Binding,
    /// 0 for what the scope had when it was opened.
    since: Moment,
}

/// Names of one region of the text.
#[derive(Debug)]
pub(super) struct Scope {
    names: HashMap<String, Named>,
    /// Where names are looked up that are not here.
    parent: Option<usize>,
    /// Assignments in here reach the names around it that are older than this.
    shares: Moment,
    /// Do first assignments land here? Otherwise in the nearest enclosing scope where they do.
    declares: bool,
}

impl Scope {
    pub(super) fn global() -> Scope {
        Scope { names: HashMap::new(), parent: None, shares: Moment::MAX, declares: true }
    }
}

/// Variables with numbers from here on are questions about names that were not known when they were
/// asked.
const PENDING: u32 = 1 << 31;

/// `isbound NAME` before NAME was assigned: answered at the end.
#[derive(Debug)]
pub(super) struct PendingIsBound {
    name: String,
    span: Span,
}

impl Sema<'_> {
    /// What the name stands for here.
    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        let mut at = Some(self.scopes.len() - 1);
        while let Some(scope) = at.map(|i| &self.scopes[i]) {
            if let Some(named) = scope.names.get(name) {
                return Some(named.binding);
            }
            at = scope.parent;
        }
        None
    }

    /// What an assignment to the name writes to, if that is there already. In the body of a
    /// function a younger name of the caller is out of reach.
    pub(super) fn assignable(&self, name: &str) -> Option<Binding> {
        let mut at = Some(self.scopes.len() - 1);
        let mut shares = Moment::MAX;
        while let Some(scope) = at.map(|i| &self.scopes[i]) {
            if let Some(named) = scope.names.get(name)
                && named.since < shares
            {
                return Some(named.binding);
            }
            shares = shares.min(scope.shares);
            at = scope.parent;
        }
        None
    }

    /// Notes the use of a variable: a body that has used one of the caller's goes on to mean that
    /// one.
    pub(super) fn reach(&mut self, name: &str) {
        let mut at = Some(self.scopes.len() - 1);
        let mut hiding = None;
        while let Some((index, scope)) = at.map(|index| (index, &self.scopes[index])) {
            if let Some(named) = scope.names.get(name) {
                let binding = named.binding;
                if let Some(body) =
                    hiding.filter(|body: &usize| named.since >= self.scopes[*body].shares)
                {
                    let named = Named { binding, since: 0 };
                    self.scopes[body].names.insert(name.to_string(), named);
                }
                return;
            }
            // The outermost body between the use and the name: what it shares, those in it do as
            // well.
            if hiding.is_none_or(|body: usize| scope.shares <= self.scopes[body].shares) {
                hiding = Some(index);
            }
            at = scope.parent;
        }
    }

    /// Notes a first assignment to a name that 6.2 would take for the one around the body.
    pub(super) fn note_hidden(&mut self, name: &Ident) {
        if self.assignable(&name.name).is_none() && self.lookup(&name.name).is_some() {
            self.differences.add(Switch::LocalScopes, name.span);
        }
    }

    /// Does the scope in which a first assignment would land know the name?
    pub(super) fn known_here(&self, name: &str) -> Option<Binding> {
        let named = self.scopes[self.home()].names.get(name);
        named.map(|named| named.binding)
    }

    fn home(&self) -> usize {
        let mut at = self.scopes.len() - 1;
        while let (false, Some(parent)) = (self.scopes[at].declares, self.scopes[at].parent) {
            at = parent;
        }
        at
    }

    /// Gives a name its meaning.
    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        self.bind_in(self.home(), name, binding);
    }

    fn bind_in(&mut self, scope: usize, name: &str, binding: Binding) {
        self.moment += 1;
        let since = self.moment;
        let named = Named { binding, since };
        self.scopes[scope].names.insert(name.to_string(), named);
    }

    /// Gives a name its meaning in the whole query.
    pub(super) fn bind_global(&mut self, name: &str, binding: Binding) {
        self.bind_in(0, name, binding);
    }

    /// The scope that is open now.
    pub(super) fn current_scope(&self) -> usize {
        self.scopes.len() - 1
    }

    /// What the parameters stand for that can be named here, if every other name is global.
    pub(super) fn parameters_around(&self) -> HashMap<String, Binding> {
        match &self.scopes[self.current_scope()] {
            scope if scope.declares => HashMap::new(),
            scope => {
                scope.names.iter().map(|(name, named)| (name.clone(), named.binding)).collect()
            }
        }
    }

    /// Opens the scope of a body; `names` are its own from the start. Its assignments reach the
    /// names around it that are older than `shares`.
    pub(super) fn push_scope(
        &mut self,
        parent: usize,
        names: HashMap<String, Binding>,
        shares: Moment,
    ) {
        let declares = self.dialect.local_scopes;
        let names = names.into_iter().map(|(name, binding)| {
            let named = Named { binding, since: 0 };
            (name, named)
        });
        self.scopes.push(Scope {
            names: names.collect(),
            parent: Some(parent),
            shares: if declares { shares } else { Moment::MAX },
            declares,
        });
    }

    /// Closes the scope of a body; the variables that it declared, which a run of the body has for
    /// itself.
    pub(super) fn pop_scope(&mut self) -> Vec<VarId> {
        if self.scopes.len() == 1 || !self.scopes.last().is_some_and(|scope| scope.declares) {
            self.scopes.truncate(self.scopes.len().saturating_sub(1).max(1));
            return Vec::new();
        }
        let Some(scope) = self.scopes.pop() else {
            return Vec::new();
        };
        let own = scope.names.values().filter(|named| named.since > 0);
        let mut own: Vec<VarId> = own
            .filter_map(|named| match named.binding {
                Binding::Var(var) if self.vars[var.0 as usize].persistent.is_none() => Some(var),
                _ => None,
            })
            .collect();
        own.sort_unstable_by_key(|var| var.0);
        self.gone.extend(scope.names.into_keys());
        own
    }

    /// A body whose own variables have no value when a run of it begins, where that could be seen.
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
            self.differences.add(Switch::LocalScopes, span);
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

    /// A new variable without a name in scope.
    pub(super) fn new_var(&mut self, name: &str, ty: Type) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var { name: name.to_string(), ty, persistent: None, atomic: false });
        id
    }

    /// The variable that an assignment writes to, made if it is the first: it must have the type.
    pub(super) fn target(&mut self, name: &Ident, ty: Type) -> Result<VarId, Reported> {
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
    pub(super) fn variable(&mut self, name: &Ident) -> Result<VarId, Reported> {
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
            Some(Binding::Poisoned) => Err(Reported),
            None => Err(self.unknown(&name.name, name.span)),
        }
    }

    /// Marks the name of a wrong assignment, so that its uses are not reported.
    pub(super) fn poison(&mut self, name: &Ident) {
        if self.assignable(&name.name).is_none() {
            self.bind(&name.name, Binding::Poisoned);
        }
    }

    /// What is assigned to the name, which is poisoned if that is wrong.
    pub(super) fn or_poison<T>(
        &mut self,
        name: &Ident,
        typed: Result<T, Reported>,
    ) -> Result<T, Reported> {
        if typed.is_err() {
            self.poison(name);
        }
        typed
    }

    /// The names that are assigned inside a construct that was not typed: their later use is no
    /// error.
    pub(super) fn poison_inside(&mut self, e: &ast::Expr) {
        match &e.kind {
            ast::ExprKind::Assign { name, .. }
            | ast::ExprKind::AssignPiece { name, .. }
            | ast::ExprKind::Dictionary { name, .. } => {
                self.poison(name);
            }
            _ => {}
        }
        e.kind.for_each_child(&mut |child| self.poison_inside(child));
    }

    /// A name that CQL 6.2 reserves is one of the differences between the dialects.
    pub(super) fn note_name(&mut self, name: &Ident) {
        if Keyword::from_word(&name.name).is_some_and(|word| word.origin() == Origin::Cql6) {
            self.differences.add(Switch::ContextualKeywords, name.span);
        }
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &str, span: Span) -> Reported {
        if let Some(word) = Keyword::from_word(name) {
            return self.out_of_place(word, name, span);
        }
        if let Some((rule, end)) = &self.dictionary_end
            && span.start.wrapping_sub(*end) <= 2
            && crate::hir::Merge::parse(rule).is_some()
        {
            let place = Span::new(end.saturating_sub(rule.len() as u32), *end);
            let message =
                format!("`{rule}` is how a dictionary is merged, and stands in parentheses");
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
        if self.gone.contains(name) {
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

    /// Reports a word of the language where it means nothing, in a query that does not take it for
    /// a name.
    fn out_of_place(&mut self, word: Keyword, name: &str, span: Span) -> Reported {
        let error = Diagnostic::error(span, format!("`{name}` is no filter"));
        let help = crate::expected::reserved(word).unwrap_or_else(|| {
            "the word means nothing here; a query that assigns it has it as a name".to_string()
        });
        self.report(error.with_help(help))
    }

    pub(super) fn name(&mut self, name: &str, span: Span) -> Typed {
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
            Some(Binding::Poisoned) => return Err(Reported),
            None => return Err(self.unknown(name, span)),
        };
        let ty = self.vars[var.0 as usize].ty;
        let node = self.node(ExprKind::Var(var), ty, span);
        Ok(if ty == Type::Piece {
            self.unary(Unary::PieceSquare, node, Type::Set, span)
        } else {
            node
        })
    }

    /// The variable, when the expression is nothing but the name of a piece variable.
    pub(super) fn bare_piece(&self, e: &ast::Expr) -> Option<VarId> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        match self.lookup(name) {
            Some(Binding::Var(var)) if self.vars[var.0 as usize].ty == Type::Piece => Some(var),
            _ => None,
        }
    }

    /// The dictionary, when the expression is nothing but its name.
    pub(super) fn bare_dictionary(&self, e: &ast::Expr) -> Option<DictId> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        match self.lookup(name) {
            Some(Binding::Dictionary(dictionary)) => Some(dictionary),
            _ => None,
        }
    }

    /// `isbound x`, `isunbound x`: any name will do.
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

    /// Answers what was asked about names before they were assigned.
    pub(super) fn resolve_isbound(&mut self, parts: [&mut Vec<Expr>; 3]) {
        if self.isbound.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.isbound);
        for question in &pending {
            // Only a body knows the name, and not yet at this place.
            if self.gone.contains(&question.name)
                && !self.scopes[0].names.contains_key(&question.name)
            {
                self.differences.add(Switch::LocalScopes, question.span);
            }
        }
        let answers: Vec<ExprKind> = pending
            .into_iter()
            .map(|pending| {
                let named = self.scopes[0].names.get(&pending.name);
                match named.map(|named| named.binding) {
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

/// How messages call a variable of a type.
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
