//! Finds the filter that was probably meant by a value beside another filter.

use super::inner;
use crate::ast::{Expr, ExprKind as Ast, PrecedenceLevel, RelOp};
use crate::hir::{self, Type};
use crate::keywords::Keyword;
use crate::sema::filters::type_of;

/// A value in the syntax of the query.
#[derive(Clone, Copy, Debug)]
pub(super) enum BareValue<'a> {
    /// A number, or arithmetic.
    Number(&'a str),
    /// Two numbers.
    Range(&'a str, &'a str),
    /// A string, without its quotes.
    Text(&'a str),
    /// An expression of strings.
    Strings(&'a str),
}

/// Finds corrections in a query.
pub(super) struct Corrections<'a> {
    pub(super) text: &'a str,
    pub(super) vars: &'a [hir::Var],
}

impl Corrections<'_> {
    /// The correction of a value after the filter `before`.
    pub(super) fn after(&self, before: &Expr, value: &BareValue<'_>) -> Option<String> {
        let edges = right_edges(before);
        edges.iter().enumerate().find_map(|(at, edge)| {
            let takes_a_range = !edges[at + 1..].iter().any(|inner| self.is_counted(inner));
            self.after_edge(edge, value, takes_a_range)
        })
    }

    /// The correction of a value after `or` or `and`, with the filter `before` as the other
    /// operand.
    pub(super) fn beside(&self, before: &Expr, value: &BareValue<'_>) -> Option<String> {
        right_edges(before).into_iter().find_map(|edge| {
            if let (Ast::Tag { keyword, color, search: Some(_) }, BareValue::Text(text)) =
                (&edge.kind, value)
            {
                return Some(format!("write `{}`", searched(*keyword, *color, text)));
            }
            let Ast::Relation { left, op, .. } = &edge.kind else {
                return None;
            };
            let is_simple = right_edges(left).len() == 1 || self.is_counted(left);
            (is_simple && self.fits(left, value.ty()))
                .then(|| format!("write `{}`", compared(self.source(left), *op, value)))
        })
    }

    fn after_edge(&self, e: &Expr, value: &BareValue<'_>, takes_a_range: bool) -> Option<String> {
        let written = self.source(e);
        if let Ast::Find { range: None, all: false, back: false, quiet: false, .. }
        | Ast::Direction { range: None, .. }
        | Ast::Transform { range: None, .. } = &e.kind
        {
            let most = if matches!(e.kind, Ast::Direction { .. }) { 7 } else { 64 };
            let range = takes_a_range.then(|| ordered(value, most)).flatten()?;
            return with_range(written, &range);
        }
        if let (Ast::Nullary(side @ (Keyword::White | Keyword::Black)), BareValue::Text(text)) =
            (&e.kind, value)
        {
            let query = searched(Keyword::Player, Some(*side), text);
            return Some(format!("a player is named by `{query}`"));
        }
        if let Ast::Tag { keyword, color, search } = &e.kind
            && is_searched(*keyword)
        {
            match (value, search) {
                (BareValue::Number(text), None) if is_written(text) => {
                    let query = searched(*keyword, *color, text);
                    return Some(format!("`{}` is a string: write `{query}`", keyword.name()));
                }
                (BareValue::Range(..), None) if *keyword == Keyword::Date => {
                    return within(Keyword::Year.name(), value);
                }
                (BareValue::Text(text), Some(_)) => {
                    let other = searched(*keyword, *color, text);
                    return Some(format!("another text is another filter: `{written} or {other}`"));
                }
                (
                    BareValue::Number(_)
                    | BareValue::Range(..)
                    | BareValue::Text(_)
                    | BareValue::Strings(_),
                    None | Some(_),
                ) => {}
            }
        }
        let op = comparison(e);
        let query = match value {
            BareValue::Text(text) if is_number(text) && self.fits(e, Type::Number) => {
                compared(written, op, &BareValue::Number(text))
            }
            BareValue::Number(text) if is_written(text) && is_tag(e) => {
                compared(written, op, &BareValue::Text(text))
            }
            // `1920.05.01` is not a number.
            BareValue::Number(text) if text.contains('.') => return None,
            BareValue::Range(..) if self.fits(e, Type::Number) => return within(written, value),
            BareValue::Number(_)
            | BareValue::Text(_)
            | BareValue::Strings(_)
            | BareValue::Range(..) => {
                self.fits(e, value.ty()).then(|| compared(written, op, value))?
            }
        };
        Some(format!("to compare the two, write `{query}`"))
    }

    /// Whether a filter can be compared with a value of the type.
    pub(super) fn fits(&self, e: &Expr, ty: Type) -> bool {
        let is_number = match ty {
            Type::Number => true,
            Type::String => false,
            Type::Bool | Type::Set | Type::Position | Type::Piece => return false,
        };
        if let Ast::Nullary(word) = &e.kind {
            type_of(*word) == Some(ty)
        } else if let Ast::Name(name) = &e.kind {
            self.variable_type(name) == Some(ty)
        } else if let Ast::Tag { keyword, search, .. } = &e.kind {
            search.is_none() && (*keyword == Keyword::Elo) == is_number
        } else if let Ast::Infix {
            level: PrecedenceLevel::Sum | PrecedenceLevel::Product,
            first,
            ..
        } = &e.kind
        {
            is_number && self.fits(first, ty)
        } else if is_number {
            matches!(
                e.kind,
                Ast::Designator(_)
                    | Ast::AnySquare
                    | Ast::Infix {
                        level: PrecedenceLevel::Attacks
                            | PrecedenceLevel::Union
                            | PrecedenceLevel::Intersection,
                        ..
                    }
                    | Ast::Prefix {
                        keyword: Keyword::Power | Keyword::Size | Keyword::Rank | Keyword::File,
                        ..
                    }
            )
        } else {
            let is_name = matches!(
                e.kind,
                Ast::Prefix { keyword: Keyword::TypeName | Keyword::PieceName, .. }
            );
            is_name || is_tag(e)
        }
    }

    /// Whether the filter is usually compared with a number, unlike a set.
    fn is_counted(&self, e: &Expr) -> bool {
        let is_set = matches!(
            e.kind,
            Ast::Designator(_)
                | Ast::AnySquare
                | Ast::Infix {
                    level: PrecedenceLevel::Attacks
                        | PrecedenceLevel::Union
                        | PrecedenceLevel::Intersection,
                    ..
                }
        );
        !is_set && self.fits(e, Type::Number)
    }

    fn variable_type(&self, name: &str) -> Option<Type> {
        let mut known = self.vars.iter().filter(|var| var.name == name);
        known.next().map(|var| var.ty).filter(|ty| matches!(ty, Type::Number | Type::String))
    }

    pub(super) fn source(&self, e: &Expr) -> &str {
        e.span.text(self.text)
    }
}

impl BareValue<'_> {
    fn ty(&self) -> Type {
        match self {
            BareValue::Number(_) | BareValue::Range(..) => Type::Number,
            BareValue::Text(_) | BareValue::Strings(_) => Type::String,
        }
    }
}

/// The help for a value whose meaning is not clear.
pub(super) fn in_general(written: &str, is_text: bool) -> String {
    if is_text {
        return format!("`comment({written})` writes it, `==` and `~~` compare strings");
    }
    let is_year = written.len() == 4 && is_number(written) && matches!(&written[..1], "1" | "2");
    let subject = if is_year { "year" } else { "ply" };
    format!("compare it with something, as in `{subject} == {written}`")
}

/// The filter and the filters at its right end, outermost first.
pub(super) fn right_edges(e: &Expr) -> Vec<&Expr> {
    let mut edges = vec![e];
    let mut edge = Some(e);
    while let Some(e) = edge.take() {
        e.kind.for_each_child(&mut |child| {
            if child.span.end == e.span.end {
                edge = Some(child);
            }
        });
        edges.extend(edge);
    }
    edges
}

/// `player white "Carlsen"`
pub(super) fn searched(keyword: Keyword, color: Option<Keyword>, text: &str) -> String {
    match color {
        Some(color) => format!("{} {} \"{text}\"", keyword.name(), color.name()),
        None => format!("{} \"{text}\"", keyword.name()),
    }
}

/// Whether the filter takes a search string.
pub(super) fn is_searched(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Player
            | Keyword::Event
            | Keyword::Site
            | Keyword::Date
            | Keyword::EventDate
            | Keyword::Eco
            | Keyword::OriginalComment
    )
}

/// `year == 1920`
pub(super) fn compared(left: &str, op: RelOp, value: &BareValue<'_>) -> String {
    let op = op.name();
    match value {
        BareValue::Number(value) | BareValue::Strings(value) => format!("{left} {op} {value}"),
        BareValue::Range(low, high) => format!("{left} {op} {low}-{high}"),
        BareValue::Text(text) => format!("{left} {op} \"{text}\""),
    }
}

/// `1920 <= year <= 1930`
fn within(subject: &str, value: &BareValue<'_>) -> Option<String> {
    let BareValue::Range(low, high) = value else {
        return None;
    };
    let (low, high) = match (low.parse::<i32>(), high.parse::<i32>()) {
        (Ok(one), Ok(other)) if one > other => (high, low),
        _ => (low, high),
    };
    Some(format!("to compare with both, write `{low} <= {subject} <= {high}`"))
}

/// `find 3 mate`
fn with_range(written: &str, range: &str) -> Option<String> {
    let word = written.split_whitespace().next()?;
    let rest = written.get(word.len()..)?;
    let is_one_line = !written.contains(['\n', '\r']);
    is_one_line.then(|| format!("a range stands after the word: `{word} {range}{rest}`"))
}

/// `tag "Round"`
fn is_tag(e: &Expr) -> bool {
    matches!(e.kind, Ast::KeywordText { keyword: Keyword::Tag, .. })
}

/// The comparison that a number after a filter probably means. For a rating it is `>=`.
fn comparison(e: &Expr) -> RelOp {
    let is_rating = matches!(inner(e).kind, Ast::Tag { keyword: Keyword::Elo, .. });
    if is_rating { RelOp::Ge } else { RelOp::Eq }
}

/// A range in the syntax after a keyword, if it is between 1 and `most`.
fn ordered(value: &BareValue<'_>, most: i32) -> Option<String> {
    let number = |text: &str| text.parse::<i32>().ok().filter(|n| (1..=most).contains(n));
    match value {
        BareValue::Number(text) => number(text).map(|n| n.to_string()),
        BareValue::Range(low, high) => {
            let (low, high) = (number(low)?, number(high)?);
            Some(format!("{} {}", low.min(high), low.max(high)))
        }
        BareValue::Text(_) | BareValue::Strings(_) => None,
    }
}

/// Whether the text is a number in the syntax of a query.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text has only digits and dots, as years and dates do.
fn is_written(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
