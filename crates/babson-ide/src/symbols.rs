//! The outline of a query.

use babson_lang::Span;
use babson_lang::ast::{Expr, ExprKind};
use babson_lang::hir::Type;
use babson_lang::keywords::Keyword;

use crate::analysis::Analysis;
use crate::answer::{Symbol, SymbolKind};
use crate::cql3;
use crate::limits::MAX_NESTED;
use crate::name_index::{Binding, BindingKind};
use crate::options::Options;
use crate::source::Source;
use crate::types;

/// What the query declares, in the order of the text: imports, functions with their variables,
/// dictionaries, variables, and the keys by which it sorts. For a query of CQL 3: its tags, its
/// sums and its position lists.
///
/// ```
/// use babson_ide::{Options, SymbolKind, symbols};
///
/// let text = "function f(arg) { own = arg own > 1 } x = #Q f(x)";
/// let found = symbols(text, &Options::default());
/// let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
/// assert_eq!(names, ["f", "x"]);
/// assert_eq!((found[0].detail.as_str(), found[0].children[1].name.as_str()), ("(arg)", "own"));
/// assert_eq!((found[1].kind, found[1].detail.as_str()), (SymbolKind::Variable, "number"));
/// ```
pub fn symbols(text: &str, options: &Options) -> Vec<Symbol> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    if source.is_cql3 {
        return nested(cql3::symbols(&source));
    }
    let Some(analysis) = Analysis::of(source, options) else { return Vec::new() };
    let mut all: Vec<Symbol> = Vec::new();
    for item in analysis.known.tree.iter().flat_map(|tree| &tree.items) {
        if analysis.is_own(item.span) {
            of_filter(item, &mut all);
        }
    }
    for (binding, ty) in analysis.names.bindings.iter().zip(types::of_bindings(&analysis)) {
        if let Some(place) = binding.place.filter(|&place| analysis.is_own(place)) {
            all.push(of_binding(&analysis, binding, ty, place));
        }
    }
    all.sort_by_key(|one| (one.place.start, std::cmp::Reverse(one.place.end)));
    nested(all)
}

/// The imports and sort keys, which no name stands for.
fn of_filter(e: &Expr, all: &mut Vec<Symbol>) {
    if let ExprKind::Filter(filter) = &e.kind
        && let Some(value) = filter.text()
    {
        let kind = if filter.keyword == Keyword::Import {
            Some(SymbolKind::Import)
        } else {
            (filter.keyword == Keyword::Sort).then_some(SymbolKind::SortKey)
        };
        if let Some(kind) = kind.filter(|_| !value.value.is_empty()) {
            all.push(Symbol {
                name: value.value.clone(),
                kind,
                detail: filter.keyword.name().to_owned(),
                place: e.span,
                name_place: value.span,
                children: Vec::new(),
            });
        }
    }
    e.kind.for_each_child(&mut |child| of_filter(child, all));
}

fn of_binding(analysis: &Analysis<'_>, binding: &Binding, ty: Option<Type>, place: Span) -> Symbol {
    let ty = || ty.map_or_else(String::new, |ty| ty.name().to_owned());
    let (kind, detail) = match binding.kind {
        BindingKind::Function => {
            (SymbolKind::Function, format!("({})", binding.parameters.join(" ")))
        }
        BindingKind::Dictionary => (SymbolKind::Dictionary, dictionary_types(analysis, binding)),
        BindingKind::Variable | BindingKind::Loop => (SymbolKind::Variable, ty()),
        BindingKind::Parameter => (SymbolKind::Parameter, ty()),
    };
    let is_whole = binding.kind != BindingKind::Parameter && binding.kind != BindingKind::Loop;
    let statement = binding.statement.filter(|_| is_whole);
    Symbol {
        name: binding.name.clone(),
        kind,
        detail,
        place: statement.map_or(place, |statement| statement.to(place)),
        name_place: place,
        children: Vec::new(),
    }
}

fn dictionary_types(analysis: &Analysis<'_>, binding: &Binding) -> String {
    let mut all = analysis.known.dictionaries.iter();
    let found = all.find(|one| one.name == binding.name);
    found.map_or_else(String::new, |one| format!("{} --> {}", one.key.name(), one.value.name()))
}

/// The symbols with those within them as their children. Those within very many are left out.
fn nested(all: Vec<Symbol>) -> Vec<Symbol> {
    let mut open: Vec<Symbol> = Vec::new();
    let mut roots: Vec<Symbol> = Vec::new();
    let close = |open: &mut Vec<Symbol>, roots: &mut Vec<Symbol>| {
        if let Some(done) = open.pop() {
            match open.last_mut() {
                Some(parent) => parent.children.push(done),
                None => roots.push(done),
            }
        }
    };
    for symbol in all {
        // Only functions and lists hold others: an assignment in an assignment is not a part of it.
        while open.last().is_some_and(|outer| {
            let holds = matches!(outer.kind, SymbolKind::Function | SymbolKind::List);
            !holds || outer.place.to(symbol.place) != outer.place
        }) {
            close(&mut open, &mut roots);
        }
        if open.len() < MAX_NESTED {
            open.push(symbol);
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}
