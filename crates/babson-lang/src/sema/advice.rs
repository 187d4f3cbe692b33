//! Advice: what is sound and probably means something else.
//!
//! A number or a string that stands alone as a filter matches everything. Where a comparison was
//! meant, the author is told before the scan.

use crate::ast::{self, ExprKind as Ast, InfixOp, Level};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{self, Type};
use crate::keywords::Keyword;

/// What is to be said of a query that passed.
pub(super) fn advice(text: &str, query: &ast::Query, typed: &hir::Query) -> Vec<Diagnostic> {
    let mut advisor = Advisor { text, typed, found: Vec::new() };
    advisor.filters(&query.items, true);
    advisor.found.sort_by_key(|warning| warning.span);
    advisor.found
}

struct Advisor<'a> {
    text: &'a str,
    typed: &'a hir::Query,
    found: Vec<Diagnostic>,
}

impl Advisor<'_> {
    /// Filters one after the other; the last is a value unless it is a condition too.
    fn filters(&mut self, items: &[ast::Expr], all: bool) {
        let conditions = items.len() - usize::from(!all && !items.is_empty());
        for (i, item) in items.iter().enumerate() {
            let before = i.checked_sub(1).map(|i| &items[i]);
            if i < conditions {
                self.condition(item, before);
            } else {
                self.inside(item);
            }
            if let (Some(Ast::Line { .. }), Ast::Block(inner)) =
                (before.map(|e| &e.kind), &item.kind)
            {
                self.repetition(inner, item.span);
            }
        }
    }

    /// A filter of which only the match is wanted, and the filter before it.
    fn condition(&mut self, e: &ast::Expr, before: Option<&ast::Expr>) {
        let Some(ty) = constant(e) else {
            self.variable(e, before);
            if let Ast::If { then, otherwise, .. } = &e.kind {
                self.condition(then, None);
                otherwise.iter().for_each(|otherwise| self.condition(otherwise, None));
            }
            self.inside(e);
            return;
        };
        let written = e.span.text(self.text);
        let what = if ty == Type::String { "string" } else { "number" };
        let message = format!("`{written}` is a {what}: as a filter it matches every position");
        let help = self.comparison(written, ty, before).unwrap_or_else(|| match ty {
            Type::String => {
                format!("`comment({written})` writes it, `==` and `~~` compare strings")
            }
            _ => format!("compare it with something, as in `ply == {written}`"),
        });
        self.found.push(Diagnostic::warning(e.span, message).with_help(help));
    }

    /// A variable behind a filter that it was probably meant to be compared with.
    fn variable(&mut self, e: &ast::Expr, before: Option<&ast::Expr>) {
        let (Ast::Name(name), Some(before)) = (&e.kind, before) else {
            return;
        };
        let Some(ty) = self.variable_type(name) else {
            return;
        };
        if !matches!(before.kind, Ast::Tag { search: None, .. } | Ast::Nullary(_)) {
            return;
        }
        let Some(help) = self.comparison(name, ty, Some(before)) else {
            return;
        };
        let message = format!("`{name}` is a variable: as a filter it matches whatever it holds");
        self.found.push(Diagnostic::warning(e.span, message).with_help(help));
    }

    /// What compares the filter before with a value, where it has one of the kind.
    fn comparison(&self, value: &str, ty: Type, before: Option<&ast::Expr>) -> Option<String> {
        let before = before?;
        let written = before.span.text(self.text);
        let word = written.split_whitespace().next().unwrap_or_default();
        let rest = written.get(word.len()..).unwrap_or_default();
        let ranged = ty == Type::Number && !written.contains(['\n', '\r']);
        match &before.kind {
            Ast::Find { range: None, all: false, back: false, quiet: false, .. }
            | Ast::Direction { range: None, .. }
            | Ast::Transform { range: None, .. }
                if ranged =>
            {
                Some(format!("a range stands behind the word: `{word} {value}{rest}`"))
            }
            _ if self.fits(before, ty) => {
                Some(format!("to compare the two, write `{written} == {value}`"))
            }
            _ => None,
        }
    }

    /// Whether a filter can be compared with a value of the type.
    fn fits(&self, e: &ast::Expr, ty: Type) -> bool {
        let number = ty == Type::Number;
        match &e.kind {
            Ast::Designator(_) | Ast::AnySquare => number,
            Ast::Nullary(word) => super::filters::type_of(*word) == Some(ty),
            Ast::Tag { keyword, search: None, .. } => match keyword {
                Keyword::Elo | Keyword::Year => number,
                _ => ty == Type::String,
            },
            Ast::Prefix { keyword, .. } => {
                number
                    && matches!(
                        keyword,
                        Keyword::Power | Keyword::Size | Keyword::Rank | Keyword::File
                    )
            }
            Ast::Name(name) => self.variable_type(name) == Some(ty),
            Ast::Infix { level: Level::Sum | Level::Product, .. } => number,
            Ast::Infix { level: Level::Attacks | Level::Union | Level::Intersection, .. } => number,
            _ => false,
        }
    }

    fn variable_type(&self, name: &str) -> Option<Type> {
        let mut known = self.typed.vars.iter().filter(|var| var.name == name);
        known.next().map(|var| var.ty).filter(|ty| matches!(ty, Type::Number | Type::String))
    }

    /// `{3 100}` behind a `line`.
    fn repetition(&mut self, items: &[ast::Expr], span: Span) {
        let [Ast::Int(least), Ast::Int(most)] =
            items.iter().map(|e| &e.kind).collect::<Vec<_>>()[..]
        else {
            return;
        };
        if let Some(last) = self.found.last_mut().filter(|last| span.to(last.span) == span) {
            last.help = Some(format!("a repetition is written `{{{least},{most}}}`"));
        }
    }

    /// The parts of a filter that are conditions.
    fn inside(&mut self, e: &ast::Expr) {
        match &e.kind {
            Ast::Block(items)
            | Ast::Function { body: items, .. }
            | Ast::Hook { body: items, .. } => {
                self.filters(items, false);
            }
            Ast::Not(arg) | Ast::Find { arg, .. } => self.condition(arg, None),
            Ast::Infix { level: Level::Or | Level::And, first, rest } => {
                self.condition(first, None);
                rest.iter().for_each(|tail| self.condition(&tail.right, None));
            }
            Ast::If { condition, then, otherwise } => {
                self.condition(condition, None);
                self.inside(then);
                otherwise.iter().for_each(|otherwise| self.inside(otherwise));
            }
            Ast::While { condition, body } => {
                self.condition(condition, None);
                self.condition(body, None);
            }
            Ast::ForEach { set, body, .. } => {
                self.inside(set);
                self.condition(body, None);
            }
            _ => e.kind.for_each_child(&mut |child| self.inside(child)),
        }
    }
}

/// The type of a literal, or of arithmetic with nothing else in it.
fn constant(e: &ast::Expr) -> Option<Type> {
    match &e.kind {
        Ast::Int(_) => Some(Type::Number),
        Ast::Str(_) => Some(Type::String),
        Ast::Paren(inner) | Ast::Negate(inner) => constant(inner),
        Ast::Infix { level: Level::Sum | Level::Product, first, rest } => {
            let ty = constant(first)?;
            let arithmetic = |tail: &ast::Tail| {
                constant(&tail.right) == Some(ty) && (ty == Type::Number || tail.op == InfixOp::Add)
            };
            rest.iter().all(arithmetic).then_some(ty)
        }
        _ => None,
    }
}
