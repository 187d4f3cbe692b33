//! What each name of a query means: where it is declared, and every place that uses it.
//!
//! The walk follows the scopes of the type checker
//! (docs/src/language/variables.md#variables-and-functions): the body of a loop or of a function
//! holds the names that are first assigned there, and in the dialect `cql6` all names but the
//! parameters of functions are global.

use std::collections::HashMap;

use babson_lang::ast::{AssignOp, Expr, ExprKind, Filter, Ident, LoopKind, ParamKind, Query};
use babson_lang::ast::{RangeBound, RangeBoundKind, RangeParam, Storage};
use babson_lang::hir::Type;
use babson_lang::keywords::Keyword;
use babson_lang::{Dialect, Span};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindingKind {
    /// A variable that the query assigns.
    Variable,
    /// The variable of a loop or of `echo`.
    Loop,
    /// A parameter of a function.
    Parameter,
    /// A function.
    Function,
    /// A dictionary.
    Dictionary,
}

/// A meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) kind: BindingKind,
    /// Where it is declared; `None` if only uses of the name are there.
    pub(crate) place: Option<Span>,
    /// Its type, if the way in which it is declared tells.
    pub(crate) ty: Option<Type>,
    /// Whether it is known in the whole query, and so in the functions after it.
    pub(crate) is_global: bool,
    /// The value that it first gets.
    pub(crate) value: Option<Span>,
    /// The filter that declares it, as a whole: an assignment, a function, a loop.
    pub(crate) statement: Option<Span>,
    /// The names of the parameters of a function.
    pub(crate) parameters: Vec<String>,
}

/// What a place does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Declaration,
    Write,
    Read,
}

/// A place where a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) place: Span,
    /// The index of its [`Binding`].
    pub(crate) binding: usize,
    pub(crate) role: Role,
}

/// The names of a query with the files that it imports.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameIndex {
    pub(crate) bindings: Vec<Binding>,
    /// In the order of their places.
    pub(crate) occurrences: Vec<Occurrence>,
}

impl NameIndex {
    /// The names of a tree, which was read from this text.
    pub(crate) fn new(query: &Query, text: &str, dialect: Dialect) -> NameIndex {
        let local = dialect.local_scopes;
        let global = NameScope { names: HashMap::new(), kind: ScopeKind::Global };
        let mut walk =
            Walk { text, local, scopes: vec![global], bindings: Vec::new(), found: Vec::new() };
        query.items.iter().for_each(|item| walk.read(item));
        walk.finish()
    }

    /// The place around an offset, or directly before it.
    pub(crate) fn at(&self, offset: usize) -> Option<Occurrence> {
        let holds = |one: &&Occurrence| {
            one.place.start as usize <= offset && offset <= one.place.end as usize
        };
        let after = self.occurrences.partition_point(|one| one.place.start as usize <= offset);
        self.occurrences[..after].iter().rev().take(2).find(holds).copied()
    }

    /// The places of a binding.
    pub(crate) fn of(&self, binding: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |one| one.binding == binding)
    }
}

/// What a scope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    Global,
    Function,
    /// A loop or `echo`.
    Body,
}

struct NameScope<'q> {
    names: HashMap<&'q str, usize>,
    kind: ScopeKind,
}

/// A binding while the walk goes on.
struct Draft {
    binding: Binding,
    /// The binding that it turned out to be.
    same_as: Option<usize>,
    /// Whether a body of a function used the name before anything declared it.
    is_open: bool,
}

struct Walk<'q> {
    text: &'q str,
    /// Whether bodies have scopes of their own.
    local: bool,
    scopes: Vec<NameScope<'q>>,
    bindings: Vec<Draft>,
    found: Vec<Occurrence>,
}

impl<'q> Walk<'q> {
    fn read(&mut self, e: &'q Expr) {
        if let ExprKind::Name(name) = &e.kind {
            self.use_name(name, self.own_place(name, e.span), Role::Read);
        } else if let ExprKind::Call { name, args } = &e.kind {
            self.use_ident(name, Role::Read);
            args.iter().for_each(|arg| self.read(arg));
        } else if let ExprKind::Function { name, params, body, .. } = &e.kind {
            self.function(name, params, body, e.span);
        } else if let ExprKind::Assign { storage, name, op, value, .. } = &e.kind {
            self.read(value);
            self.assign(name, storage, *op, value, e.span);
        } else if let ExprKind::AssignPiece { name, value } = &e.kind {
            self.read(value);
            self.declare_or_write(name, None, e.span);
            self.has_type(name, Type::Piece);
        } else if let ExprKind::AssignIndex { place, value, .. } = &e.kind {
            self.read(value);
            self.assigned_place(place);
        } else if let ExprKind::ForEach { kind, name, set, body, .. } = &e.kind {
            self.read(set);
            self.for_each(*kind, name, body, e.span);
        } else if let ExprKind::Dictionary { name, .. } = &e.kind {
            self.dictionary(name, e.span);
        } else if let ExprKind::Unbind { name, key } = &e.kind {
            self.use_ident(name, Role::Write);
            key.iter().for_each(|key| self.read(key));
        } else if let ExprKind::IsBound { name, .. } = &e.kind {
            self.use_ident(name, Role::Read);
        } else if let ExprKind::Filter(filter) = &e.kind {
            self.filter(filter, e);
        } else {
            if let ExprKind::Path { head, .. } | ExprKind::Line { head, .. } = &e.kind {
                self.ranges(head);
            }
            e.kind.for_each_child(&mut |child| self.read(child));
        }
    }

    fn filter(&mut self, filter: &'q Filter, e: &'q Expr) {
        self.ranges(filter);
        if filter.keyword == Keyword::Echo {
            return self.echo(filter, e.span);
        }
        if filter.keyword == Keyword::ConsecutiveMoves {
            filter.names().for_each(|name| self.use_ident(name, Role::Read));
        }
        e.kind.for_each_child(&mut |child| self.read(child));
    }

    /// The variables that are bounds of ranges.
    fn ranges(&mut self, filter: &'q Filter) {
        for param in &filter.params {
            if let ParamKind::Range(RangeParam::Bounds { lo, hi }) = &param.kind {
                [Some(lo), hi.as_ref()].into_iter().flatten().for_each(|bound| self.bound(bound));
            }
        }
    }

    fn bound(&mut self, bound: &'q RangeBound) {
        if let RangeBoundKind::Name(name) = &bound.kind {
            self.use_name(name, self.own_place(name, bound.span), Role::Read);
        }
    }

    /// `echo (x y) F`: an outer variable of a position keeps its meaning only in the dialect
    /// without scopes.
    fn echo(&mut self, filter: &'q Filter, statement: Span) {
        if self.local {
            self.push(ScopeKind::Body);
        }
        for name in filter.names() {
            self.declare(name, BindingKind::Loop, None, statement);
            self.has_type(name, Type::Position);
        }
        filter.params.iter().flat_map(|param| param.values()).for_each(|value| self.read(value));
        filter.args.iter().for_each(|arg| self.read(arg));
        if self.local {
            self.scopes.pop();
        }
    }

    fn for_each(&mut self, kind: LoopKind, name: &'q Ident, body: &'q Expr, statement: Span) {
        let ty = match kind {
            LoopKind::Square => Some(Type::Set),
            LoopKind::Piece => Some(Type::Piece),
            LoopKind::String => Some(Type::String),
            // The set or the dictionary decides.
            LoopKind::Key | LoopKind::Element => None,
        };
        if self.local {
            self.push(ScopeKind::Body);
            self.declare(name, BindingKind::Loop, None, statement);
        } else {
            self.declare_or_write(name, None, statement);
        }
        if let Some(ty) = ty {
            self.has_type(name, ty);
        }
        self.read(body);
        if self.local {
            self.scopes.pop();
        }
    }

    fn function(
        &mut self,
        name: &'q Ident,
        params: &'q [Ident],
        body: &'q [Expr],
        statement: Span,
    ) {
        let function = self.declare(name, BindingKind::Function, None, statement);
        self.bindings[function].binding.parameters =
            params.iter().map(|param| param.name.clone()).collect();
        self.push(ScopeKind::Function);
        for param in params {
            self.declare(param, BindingKind::Parameter, None, statement);
        }
        body.iter().for_each(|e| self.read(e));
        self.scopes.pop();
    }

    fn dictionary(&mut self, name: &'q Ident, statement: Span) {
        // A dictionary is known in the whole query, wherever it is declared.
        let binding = self.add(name, BindingKind::Dictionary, None, statement);
        self.scopes[0].names.insert(&name.name, binding);
        self.occur(self.own_place(&name.name, name.span), binding, Role::Declaration);
    }

    fn assign(
        &mut self,
        name: &'q Ident,
        storage: &Storage,
        op: AssignOp,
        value: &'q Expr,
        statement: Span,
    ) {
        let is_update = !matches!(op, AssignOp::Set | AssignOp::SetIfAny);
        if is_update && !storage.has(Keyword::Persistent) {
            return self.use_ident(name, Role::Write);
        }
        self.declare_or_write(name, Some(value.span), statement);
    }

    /// The base of `D[k] = v` and of `s[1:2] = t`, and the indexes.
    fn assigned_place(&mut self, place: &'q Expr) {
        if let ExprKind::Index { base, .. } | ExprKind::Slice { base, .. } = &place.kind
            && let ExprKind::Name(name) = &base.kind
        {
            self.use_name(name, self.own_place(name, base.span), Role::Write);
            let mut is_base = true;
            place.kind.for_each_child(&mut |child| {
                if !std::mem::take(&mut is_base) {
                    self.read(child);
                }
            });
            return;
        }
        self.read(place);
    }

    /// An assignment: it declares the name, or changes what is known under the name.
    fn declare_or_write(&mut self, name: &'q Ident, value: Option<Span>, statement: Span) {
        match self.lookup(&name.name) {
            None => {
                self.declare(name, BindingKind::Variable, value, statement);
            }
            Some(known) => {
                let place = self.own_place(&name.name, name.span);
                let draft = &mut self.bindings[known];
                let is_first = draft.binding.place.is_none();
                if is_first {
                    draft.binding.place = Some(place);
                    draft.binding.value = value;
                    draft.binding.statement = Some(statement);
                }
                let role = if is_first { Role::Declaration } else { Role::Write };
                self.occur(place, known, role);
            }
        }
    }

    /// Notes the type of what a name stands for here.
    fn has_type(&mut self, name: &Ident, ty: Type) {
        if let Some(known) = self.lookup(&name.name) {
            self.bindings[known].binding.ty = Some(ty);
        }
    }

    /// Declares a name in the innermost scope that can hold it.
    fn declare(
        &mut self,
        name: &'q Ident,
        kind: BindingKind,
        value: Option<Span>,
        statement: Span,
    ) -> usize {
        let binding = self.add(name, kind, value, statement);
        let holds = |scope: &&mut NameScope<'_>| {
            self.local || kind == BindingKind::Parameter || scope.kind == ScopeKind::Global
        };
        if let Some(scope) = self.scopes.iter_mut().rev().find(holds) {
            scope.names.insert(&name.name, binding);
        }
        self.occur(self.own_place(&name.name, name.span), binding, Role::Declaration);
        binding
    }

    fn add(
        &mut self,
        name: &Ident,
        kind: BindingKind,
        value: Option<Span>,
        statement: Span,
    ) -> usize {
        let binding = Binding {
            name: name.name.clone(),
            kind,
            place: Some(self.own_place(&name.name, name.span)),
            ty: None,
            is_global: self.is_global(kind),
            value,
            statement: Some(statement),
            parameters: Vec::new(),
        };
        self.bindings.push(Draft { binding, same_as: None, is_open: false });
        self.bindings.len() - 1
    }

    /// Whether a name that is declared here is known in the whole query.
    fn is_global(&self, kind: BindingKind) -> bool {
        let is_local = matches!(kind, BindingKind::Loop | BindingKind::Parameter);
        self.scopes.len() == 1 && !is_local || !self.local && kind != BindingKind::Parameter
    }

    fn use_ident(&mut self, name: &'q Ident, role: Role) {
        self.use_name(&name.name, self.own_place(&name.name, name.span), role);
    }

    fn use_name(&mut self, name: &'q str, place: Span, role: Role) {
        let binding = self.lookup(name).unwrap_or_else(|| self.open(name));
        self.occur(place, binding, role);
    }

    /// A name that nothing has declared yet: the body of a function may use what the query assigns
    /// later, and in one body a name has one meaning.
    fn open(&mut self, name: &'q str) -> usize {
        let binding = Binding {
            name: name.to_owned(),
            kind: BindingKind::Variable,
            place: None,
            ty: None,
            is_global: self.is_global(BindingKind::Variable),
            value: None,
            statement: None,
            parameters: Vec::new(),
        };
        self.bindings.push(Draft { binding, same_as: None, is_open: true });
        let index = self.bindings.len() - 1;
        let is_holder = |scope: &&mut NameScope<'_>| scope.kind != ScopeKind::Body;
        if let Some(scope) = self.scopes.iter_mut().rev().find(is_holder) {
            scope.names.insert(name, index);
        }
        index
    }

    fn lookup(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name).copied())
    }

    fn push(&mut self, kind: ScopeKind) {
        self.scopes.push(NameScope { names: HashMap::new(), kind });
    }

    fn occur(&mut self, place: Span, binding: usize, role: Role) {
        self.found.push(Occurrence { place, binding, role });
    }

    /// The place of the name itself: in `[Aa]x` it is the last letter.
    fn own_place(&self, name: &str, place: Span) -> Span {
        let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
        match place.text(self.text).ends_with(name) {
            true => Span::new(place.end.saturating_sub(length), place.end),
            false => place,
        }
    }

    /// Resolves the names that were used before they were declared.
    fn finish(mut self) -> NameIndex {
        let global = self.scopes.swap_remove(0).names;
        for (index, draft) in self.bindings.iter_mut().enumerate() {
            if draft.is_open {
                let later = global.get(draft.binding.name.as_str()).copied();
                draft.same_as = later.filter(|&later| later != index);
            }
        }
        let mut occurrences = self.found;
        for one in &mut occurrences {
            one.binding = self.bindings[one.binding].same_as.unwrap_or(one.binding);
        }
        occurrences.sort_by_key(|one| (one.place.start, one.place.end));
        let bindings = self.bindings.into_iter().map(|draft| draft.binding).collect();
        NameIndex { bindings, occurrences }
    }
}

#[cfg(test)]
mod tests {
    use babson_lang::{QuerySpans, understand};

    use super::*;

    /// The text with the number of its binding after each name, and `!` where it is declared, `=`
    /// where it is written.
    fn shown(text: &str, dialect: Dialect) -> String {
        let known = understand(text, &QuerySpans::whole(text), dialect, &Default::default());
        let index = NameIndex::new(&known.tree.expect("a tree"), text, dialect);
        let (mut out, mut done) = (String::new(), 0);
        // The numbers count the first occurrences.
        let mut numbers: Vec<usize> = Vec::new();
        for one in &index.occurrences {
            if !numbers.contains(&one.binding) {
                numbers.push(one.binding);
            }
            let number = numbers.iter().position(|&known| known == one.binding).unwrap();
            let end = one.place.end as usize;
            let mark = match one.role {
                Role::Declaration => "!",
                Role::Write => "=",
                Role::Read => "",
            };
            out += &format!("{}‹{number}{mark}›", &text[done..end]);
            done = end;
        }
        out + &text[done..]
    }

    #[test]
    fn names_are_resolved() {
        for (text, expected) in [
            ("x = 1 x += 2 x > 2", "x‹0!› = 1 x‹0=› += 2 x‹0› > 2"),
            (
                "square s in R { y = s y attacks k } y = 3",
                "square s‹0!› in R { y‹1!› = s‹0› y‹1› attacks k } y‹2!› = 3",
            ),
            (
                "function f(arg) { own = arg own > later } later = 2 f(later)",
                "function f‹0!›(arg‹1!›) { own‹2!› = arg‹1› own‹2› > later‹3› } later‹3!› = 2 \
                 f‹0›(later‹3›)",
            ),
            (
                "function f() { num = 5 } num = 1 f() num > 2",
                "function f‹0!›() { num‹1!› = 5 } num‹2!› = 1 f‹0›() num‹2› > 2",
            ),
            (
                "num = 1 function f() { num = 5 } f()",
                "num‹0!› = 1 function f‹1!›() { num‹0=› = 5 } f‹1›()",
            ),
            (
                "dictionary D D[\"a\"] = 1 D[\"a\"] > 0",
                "dictionary D‹0!› D‹0=›[\"a\"] = 1 D‹0›[\"a\"] > 0",
            ),
            ("[Aa]x = a1 x attacks k", "[Aa]x‹0!› = a1 x‹0› attacks k"),
            ("echo (s t) { s [<] t }", "echo (s‹0!› t‹1!›) { s‹0› [<] t‹1› }"),
            ("num = 3 find num 9 check", "num‹0!› = 3 find num‹0› 9 check"),
            ("isbound y y = 3 unbind y", "isbound y‹0› y‹0!› = 3 unbind y‹0=›"),
        ] {
            assert_eq!(shown(text, Dialect::CQLI), expected, "{text}");
        }
    }

    #[test]
    fn all_names_are_global_in_cql6() {
        let text = "square s in R { y = s y attacks k } y > 3";
        let expected = "square s‹0!› in R { y‹1!› = s‹0› y‹1› attacks k } y‹1› > 3";
        assert_eq!(shown(text, Dialect::CQL6), expected);
    }
}
