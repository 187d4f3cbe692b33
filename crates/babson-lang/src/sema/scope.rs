//! Names and scopes.
//!
//! In CQL 6.2 all names are global, in the order of the text. With `local_scopes`
//! (docs/src/language/dialects.md#dialects) the body of an iteration or of a function has a scope
//! of its own, which holds the names that are first assigned there. The parameters of a function
//! always have a scope of their own.
//!
//! The body of a function is typed at each call, and a caller may have bound more names since the
//! definition. An assignment in the body does not reach them: it makes another variable, which
//! shadows the caller's. The exception is a body that has read the variable before, as in `n = n +
//! 1`: a name has one meaning in one body. So each binding has a [`BindingTime`], and each scope
//! knows the time before which names are shared with it.
//!
//! The variables of a body have no value when a run of the body begins.

use std::collections::{HashMap, HashSet};

use super::{ErrorReported, ExprResult, OpenResult, Sema, designators, flow};
use crate::ast::{self, Ident, levels};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Remedy, Span};
use crate::dialect::DialectSwitch;
use crate::hir::{DictId, Expr, ExprKind, Query, StateFilter, Type, UnaryFilter, Var, VarId};
use crate::keywords::{Keyword, KeywordOrigin};
use crate::suggest;

/// The help for a name that is like no other.
pub(super) const UNASSIGNED: &str = "a variable must be assigned before it is used";

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

    /// The dictionary, if the name is one.
    fn dictionary(self) -> Option<DictId> {
        if let Binding::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The test of `isbound`.
    fn bound_test(self) -> ExprKind {
        match self {
            Binding::Var(var) => ExprKind::IsBound(var),
            Binding::Dictionary(_) | Binding::Function(_) => ExprKind::Bool(true),
            Binding::Poisoned => ExprKind::Bool(false),
        }
    }

    /// What the name is, in messages.
    pub(super) fn described(self) -> &'static str {
        match self {
            Binding::Var(_) | Binding::Poisoned => "a variable",
            Binding::Dictionary(_) => "a dictionary",
            Binding::Function(_) => "a function",
        }
    }
}

/// The time at which a name was bound, as a count of bindings.
pub(super) type BindingTime = u32;

/// The meaning of a name and the time at which the name was bound.
#[derive(Clone, Copy, Debug)]
struct NameBinding {
    binding: Binding,
    /// 0 for a name that the scope knows without declaring it, such as a parameter.
    bound_at: BindingTime,
}

/// The names of one region of the text.
#[derive(Debug)]
pub(super) struct NameScope {
    names: HashMap<String, NameBinding>,
    /// The index of the enclosing scope, in which other names are looked up.
    parent: Option<usize>,
    /// Assignments in this scope reach names of enclosing scopes that were bound before this time.
    shared_before: BindingTime,
    /// Whether first assignments declare names here, not in an enclosing scope.
    declares: bool,
}

impl NameScope {
    pub(super) fn global() -> NameScope {
        NameScope {
            names: HashMap::new(),
            parent: None,
            shared_before: BindingTime::MAX,
            declares: true,
        }
    }
}

/// The first of the variable ids that stand for an `isbound` of a name without a binding. The id
/// less this is an index into the pending ones.
const FIRST_PENDING: u32 = 1 << 31;

/// An `isbound NAME` before NAME was bound. It is resolved at the end of the query.
#[derive(Debug)]
pub(super) struct PendingIsBound {
    name: String,
    span: Span,
}

impl<'a> Sema<'a> {
    /// The current scope and those around it with their indices, innermost first.
    fn enclosing_scopes(&self) -> impl Iterator<Item = (usize, &NameScope)> {
        std::iter::successors(Some(self.current_scope()), |&index| self.scopes[index].parent)
            .map(|index| (index, &self.scopes[index]))
    }

    /// The meaning of the name here.
    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        let known = self.enclosing_scopes().find_map(|(_, scope)| scope.names.get(name));
        known.map(|known| known.binding)
    }

    /// The existing meaning that an assignment to the name would change. `None` if the assignment
    /// would declare the name: the body of a function does not reach a name that the caller bound
    /// after the definition.
    pub(super) fn lookup_assigned(&self, name: &str) -> Option<Binding> {
        let mut shared_before = BindingTime::MAX;
        for (_, scope) in self.enclosing_scopes() {
            if let Some(known) = scope.names.get(name)
                && known.bound_at < shared_before
            {
                return Some(known.binding);
            }
            shared_before = shared_before.min(scope.shared_before);
        }
        None
    }

    /// Records the use of a variable. If a body uses a variable of its caller that its assignments
    /// would not reach, the name means that variable in the rest of the body.
    pub(super) fn note_use(&mut self, name: &str) {
        // The scope between the use and the binding that shares the fewest names.
        let mut strictest: Option<(usize, BindingTime)> = None;
        let mut found = None;
        for (index, scope) in self.enclosing_scopes() {
            if let Some(known) = scope.names.get(name) {
                found = Some(*known);
                break;
            }
            if strictest.is_none_or(|(_, shared_before)| scope.shared_before <= shared_before) {
                strictest = Some((index, scope.shared_before));
            }
        }
        if let (Some(known), Some((body, shared_before))) = (found, strictest)
            && known.bound_at >= shared_before
        {
            let known = NameBinding { binding: known.binding, bound_at: 0 };
            self.scopes[body].names.insert(name.to_string(), known);
        }
    }

    /// The meaning of the name in the scope in which a first assignment would declare it.
    pub(super) fn lookup_declared_here(&self, name: &str) -> Option<Binding> {
        let known = self.scopes[self.declaring_scope()].names.get(name);
        known.map(|known| known.binding)
    }

    /// The index of the scope in which a first assignment declares a name. The global scope always
    /// declares.
    fn declaring_scope(&self) -> usize {
        let declaring = self.enclosing_scopes().find(|(_, scope)| scope.declares);
        declaring.map_or(0, |(index, _)| index)
    }

    /// Binds a name in the scope in which a first assignment declares it.
    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        self.bind_in(self.declaring_scope(), name, binding);
    }

    fn bind_in(&mut self, scope: usize, name: &str, binding: Binding) {
        self.binding_time += 1;
        let known = NameBinding { binding, bound_at: self.binding_time };
        self.scopes[scope].names.insert(name.to_string(), known);
    }

    /// Binds a name in the whole query.
    pub(super) fn bind_global(&mut self, name: &str, binding: Binding) {
        self.bind_in(0, name, binding);
    }

    /// The index of the innermost open scope.
    pub(super) fn current_scope(&self) -> usize {
        self.scopes.len() - 1
    }

    /// The bindings of the parameters that are visible here, if all other names are global.
    /// Otherwise the scopes know them.
    pub(super) fn visible_parameters(&self) -> HashMap<String, Binding> {
        let scope = &self.scopes[self.current_scope()];
        if scope.declares {
            return HashMap::new();
        }
        scope.names.iter().map(|(name, known)| (name.clone(), known.binding)).collect()
    }

    /// Opens the scope of a body with the names `names`. Its assignments reach names of enclosing
    /// scopes that were bound before the time `shared_before`.
    pub(super) fn push_scope(
        &mut self,
        parent: usize,
        names: HashMap<String, Binding>,
        shared_before: BindingTime,
    ) {
        let declares = self.dialect.local_scopes;
        let names = names.into_iter().map(|(name, binding)| {
            let known = NameBinding { binding, bound_at: 0 };
            (name, known)
        });
        self.scopes.push(NameScope {
            names: names.collect(),
            parent: Some(parent),
            shared_before: if declares { shared_before } else { BindingTime::MAX },
            declares,
        });
    }

    /// Closes the scope of a body and returns the variables that it declared, without persistent
    /// ones.
    pub(super) fn pop_scope(&mut self) -> Vec<VarId> {
        let Some(scope) = self.scopes.pop().filter(|scope| scope.declares) else {
            return Vec::new();
        };
        let declared = scope.names.values().filter(|known| known.bound_at > 0);
        let mut own: Vec<VarId> = declared
            .filter_map(|known| known.binding.var())
            .filter(|var| self.query.vars[var.0 as usize].persistent.is_none())
            .collect();
        own.sort_unstable_by_key(|var| var.0);
        self.closed_names.extend(scope.names.into_keys());
        own
    }

    /// Types the operand of a filter that binds these names. With local scopes, it has a scope of
    /// its own.
    pub(super) fn open_body<'n>(
        &mut self,
        body: &'a ast::Expr,
        names: impl IntoIterator<Item = (&'n Ident, VarId)>,
    ) -> OpenResult<'a> {
        let local = self.dialect.local_scopes;
        if local {
            let names = names.into_iter().map(|(name, var)| (name.name.clone(), Binding::Var(var)));
            self.push_scope(self.current_scope(), names.collect(), BindingTime::MAX);
        }
        let open = self.open_at(body, levels::FILTER);
        let own = if local { self.pop_scope() } else { Vec::new() };
        let (body, pending) = open?;
        Ok((self.with_fresh_variables(own, body), pending))
    }

    /// The body with an `unbind` at its beginning for each of its own variables that could
    /// still have a value of an earlier run when the body reads it.
    pub(super) fn with_fresh_variables(&mut self, own: Vec<VarId>, body: Expr) -> Expr {
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
        let span = body.span;
        let mut list: Vec<Expr> = stale
            .into_iter()
            .map(|(var, _)| self.node(ExprKind::State(StateFilter::Unbind(var)), span))
            .collect();
        list.push(body);
        self.node(ExprKind::Sequence(list), span)
    }

    /// The type of a variable.
    pub(super) fn type_of(&self, var: VarId) -> Type {
        self.query.vars[var.0 as usize].ty
    }

    /// Makes a variable. No scope knows its name yet.
    pub(super) fn new_var(&mut self, name: &str, ty: Type) -> VarId {
        let id = VarId(self.query.vars.len() as u32);
        self.query.vars.push(Var { name: name.to_string(), ty, persistent: None, atomic: false });
        id
    }

    /// The variable of an assignment, which must have the type. A first assignment makes the
    /// variable.
    pub(super) fn assigned_variable(
        &mut self,
        name: &Ident,
        ty: Type,
    ) -> Result<VarId, ErrorReported> {
        match self.lookup_assigned(&name.name) {
            None => {
                // In CQL 6.2 it would assign to an outer variable.
                if self.lookup(&name.name).is_some() {
                    self.differences.add(DialectSwitch::LocalScopes, name.span);
                }
                let var = self.new_var(&name.name, ty);
                self.note_reserved_name(name);
                self.bind(&name.name, Binding::Var(var));
                Ok(var)
            }
            Some(_) => {
                let var = self.existing_variable(name)?;
                let old = self.type_of(var);
                if old == ty {
                    return Ok(var);
                }
                let error = Diagnostic::new(
                    Code::ChangedType,
                    name.span,
                    format!(
                        "`{}` is {} and cannot become {}",
                        name.name,
                        variable_of(old),
                        variable_of(ty)
                    ),
                );
                Err(self.report(if old == Type::Piece && ty == Type::Set {
                    let before = Span::new(name.span.start, name.span.start);
                    let help = Help::from(format!("write `piece {} = …`", name.name));
                    error.with_help(help.with(Fix::replace(before, "piece ").certain()))
                } else {
                    error
                }))
            }
        }
    }

    /// An existing variable.
    pub(super) fn existing_variable(&mut self, name: &Ident) -> Result<VarId, ErrorReported> {
        match self.lookup(&name.name) {
            Some(Binding::Var(var)) => {
                self.note_use(&name.name);
                Ok(var)
            }
            Some(Binding::Poisoned) => Err(ErrorReported),
            Some(known @ (Binding::Dictionary(_) | Binding::Function(_))) => {
                let is = known.described();
                Err(self.report(Diagnostic::wrong_kind(name.span, &name.name, is, "a variable")))
            }
            None => Err(self.unknown(&name.name, name.span)),
        }
    }

    /// Marks the name of a wrong assignment, so that its uses are not reported.
    fn poison(&mut self, name: &Ident) {
        if self.lookup_assigned(&name.name).is_none() {
            self.bind(&name.name, Binding::Poisoned);
        }
    }

    /// Poisons the name that a wrong expression assigns.
    pub(super) fn poison_name_of(&mut self, e: &ast::Expr) {
        if let ast::ExprKind::Assign { name, .. } | ast::ExprKind::AssignPiece { name, .. } =
            &e.kind
        {
            self.poison(name);
        }
    }

    /// Poisons the names that a construct without types assigns.
    pub(super) fn poison_names_in(&mut self, e: &ast::Expr) {
        self.poison_name_of(e);
        if let ast::ExprKind::Dictionary { name, .. } = &e.kind {
            self.poison(name);
        }
        e.kind.for_each_child(&mut |child| self.poison_names_in(child));
    }

    /// Records a name that CQL 6.2 reserves as a difference between the dialects.
    pub(super) fn note_reserved_name(&mut self, name: &Ident) {
        if Keyword::from_word(&name.name).is_some_and(|word| word.origin() == KeywordOrigin::Cql6) {
            self.differences.add(DialectSwitch::ContextualKeywords, name.span);
        }
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &str, span: Span) -> ErrorReported {
        if let Some(error) = only_in_babson(name, span) {
            return self.report(error);
        }
        if let Some(word) = Keyword::from_word(name) {
            return self.out_of_place(word, name, span);
        }
        if let Some((rule, end)) = &self.dictionary_end
            && span.start.wrapping_sub(*end) <= 2
            && crate::hir::JoinRule::parse(rule).is_some()
        {
            let place = Span::new(end.saturating_sub(rule.len() as u32), *end);
            let message = format!("`{rule}` is a merge rule of a dictionary and needs parentheses");
            let help = Help::from(format!("write `({rule}) {name}`"))
                .with(Fix::replace(place, format!("({rule})")));
            return self
                .report(Diagnostic::new(Code::UncalledName, place, message).with_help(help));
        }
        let mut error = Diagnostic::unknown_name(span, name);
        if self.closed_names.contains(name) {
            let help = format!(
                "`{name}` is known only in the body that assigned it: assign it before, or choose the dialect `cql6`"
            );
            error = error.with_help(help).with_remedy(Remedy::Dialect);
        } else if let [b'a'..=b'h'] = name.as_bytes() {
            let help = format!(
                "the squares of the file are `{name}1-8`; a variable is assigned before it is used"
            );
            error = error.with_help(help);
        } else if let Some(near) = suggest::nearest(name, self.visible_names().collect()) {
            error = error.with_help(Help::did_you_mean(span, &near));
        } else if let Some(help) = designators::misspelled(name, span) {
            let text = format!("{}; a variable is assigned before it is used", help.text);
            error = error.with_help(help.worded(text));
        } else {
            error = error.with_help(UNASSIGNED);
        }
        self.report(error)
    }

    fn visible_names(&self) -> impl Iterator<Item = &str> {
        self.enclosing_scopes().flat_map(|(_, scope)| scope.names.keys().map(String::as_str))
    }

    /// Reports an unknown name before `[`: unlike a variable, a dictionary is declared.
    pub(super) fn unknown_dictionary(&mut self, name: &str, span: Span) -> ErrorReported {
        if Keyword::from_word(name).is_some() || self.closed_names.contains(name) {
            return self.unknown(name, span);
        }
        let help = match suggest::nearest_of(name, self.visible_names()) {
            Some(near) => Help::did_you_mean(span, near),
            None => format!("declare it first: `dictionary {name}`").into(),
        };
        self.report(Diagnostic::unknown_name(span, name).with_help(help))
    }

    /// Reports a keyword in a place where it has no meaning, in a query that does not use it as a
    /// name.
    fn out_of_place(&mut self, word: Keyword, name: &str, span: Span) -> ErrorReported {
        let error = Diagnostic::not_a_filter(span, name);
        let help = crate::grammar_errors::reserved(word).unwrap_or_else(|| {
            "the word means nothing here; a query that assigns it uses it as a name".to_string()
        });
        self.report(error.with_help(help))
    }

    /// Types a name that is used as a filter.
    pub(super) fn name(&mut self, name: &str, span: Span) -> ExprResult {
        let var = match self.lookup(name) {
            Some(Binding::Var(var)) => {
                self.note_use(name);
                var
            }
            Some(Binding::Dictionary(_)) => return Ok(self.bool(true, span)),
            Some(Binding::Function(_)) => {
                return Err(self.report(
                    Diagnostic::new(
                        Code::UncalledName,
                        span,
                        format!("`{name}` is a function: a call needs parentheses"),
                    )
                    .with_help(
                        Help::from(format!("write `{name}(…)`"))
                            .with(Fix::replace(Span::new(span.end, span.end), "()")),
                    ),
                ));
            }
            Some(Binding::Poisoned) => return Err(ErrorReported),
            None => return Err(self.unknown(name, span)),
        };
        let ty = self.type_of(var);
        let node = self.declared(ExprKind::Var(var), ty, span);
        Ok(if ty == Type::Piece { self.unary(UnaryFilter::PieceSquare, node, span) } else { node })
    }

    /// The meaning of the name, if the expression is only a name.
    pub(super) fn bare_name(&self, e: &ast::Expr) -> Option<Binding> {
        if let ast::ExprKind::Name(name) = &e.kind { self.lookup(name) } else { None }
    }

    /// The value of a piece variable, not its square, if the expression is only its name.
    pub(super) fn bare_piece(&mut self, e: &ast::Expr) -> Option<Expr> {
        let var = self.bare_name(e)?.var()?;
        let is_piece = self.type_of(var) == Type::Piece;
        is_piece.then(|| self.declared(ExprKind::Var(var), Type::Piece, e.span))
    }

    /// The dictionary, if the expression is only its name.
    pub(super) fn bare_dictionary(&self, e: &ast::Expr) -> Option<DictId> {
        self.bare_name(e)?.dictionary()
    }

    /// `isbound x`, `isunbound x`: the name need not be known.
    pub(super) fn is_bound(&mut self, negated: bool, name: &Ident, span: Span) -> ExprResult {
        let kind = match self.lookup(&name.name) {
            Some(known) => known.bound_test(),
            None => {
                let id = VarId(FIRST_PENDING + self.isbound.len() as u32);
                self.isbound.push(PendingIsBound { name: name.name.clone(), span });
                ExprKind::IsBound(id)
            }
        };
        let bound = self.node(kind, span);
        Ok(if negated { self.node(ExprKind::Not(Box::new(bound)), span) } else { bound })
    }

    /// Resolves each `isbound` of a name that was bound later.
    pub(super) fn resolve_isbound(&mut self) {
        if self.isbound.is_empty() {
            return;
        }
        let mut resolved = Vec::with_capacity(self.isbound.len());
        for pending in std::mem::take(&mut self.isbound) {
            let known = self.scopes[0].names.get(&pending.name).map(|known| known.binding);
            // Only a body binds the name, and later in the text.
            if known.is_none() && self.closed_names.contains(&pending.name) {
                self.differences.add(DialectSwitch::LocalScopes, pending.span);
            }
            resolved.push(known.unwrap_or(Binding::Poisoned).bound_test());
        }
        let Query { body, begin, end, .. } = &mut self.query;
        for filter in body.iter_mut().chain(begin).chain(end) {
            replace_pending(filter, &resolved);
        }
    }
}

/// Replaces each pending `isbound` in the expression.
fn replace_pending(e: &mut Expr, resolved: &[ExprKind]) {
    if let ExprKind::IsBound(VarId(id)) = e.kind
        && let Some(kind) = id.checked_sub(FIRST_PENDING).and_then(|i| resolved.get(i as usize))
    {
        e.kind = kind.clone();
    }
    e.for_each_operand_mut(&mut |operand| replace_pending(operand, resolved));
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

/// The error for a word of a query that only Babson has, in a dialect without such words.
pub(super) fn only_in_babson(name: &str, span: Span) -> Option<Diagnostic> {
    Keyword::from_word(name).filter(|word| word.origin() == KeywordOrigin::Babson)?;
    let message = format!("`{name}` is a word of Babson, which the dialect `cql6` does not have");
    let error =
        Diagnostic::new(Code::WordOfBabson, span, message).with_help("choose the dialect `cqli`");
    Some(error.with_remedy(Remedy::Dialect))
}
