//! Finds the query that was probably meant by a number or a string beside a filter: `year 1920`
//! means `year == 1920`, `find mate 3` means `find 3 mate`.

use super::inner;
use crate::ast::{ComparisonOperator, Expr, ExprKind as Ast, Filter, Param, PrecedenceLevel};
use crate::diagnostic::{Fix, Help, Span};
use crate::hir::{self, Type};
use crate::keywords::{Keyword, KeywordClass};
use crate::parameters;

/// A number or a string that is used as a filter, as the query spells it.
#[derive(Clone, Copy, Debug)]
pub(super) enum BareValue<'a> {
    /// A number, or arithmetic.
    Number(&'a str),
    /// Two numbers.
    Range(&'a str, &'a str),
    /// The content of a string literal.
    Text(&'a str),
    /// Another expression whose value is a string.
    StringExpression(&'a str),
}

/// Finds corrections in a query.
pub(super) struct Corrections<'a> {
    /// The text of the query.
    pub(super) text: &'a str,
    /// The variables of the query, if their types are known.
    pub(super) vars: &'a [hir::Var],
}

impl Corrections<'_> {
    /// The correction of a value that follows the filter `before`. `place` is the place of the
    /// value.
    ///
    /// The value can belong to any filter that ends where `before` ends: in `flip elo white 2500`,
    /// to `elo white`. The outermost filter that fits gets it.
    pub(super) fn after_filter(
        &self,
        before: &Expr,
        value: &BareValue<'_>,
        place: Span,
    ) -> Option<Help> {
        let edges = right_edges(before);
        edges.iter().enumerate().find_map(|(at, filter)| {
            // In `flip elo white 2500` the number is not the range of `flip`.
            let has_number_inside = edges[at + 1..].iter().any(|inner| self.is_number(inner));
            let whole = filter.span.to(place);
            if has_range_parameter(filter) {
                let takes_range = !has_number_inside;
                return takes_range.then(|| self.range_parameter(filter, value, whole)).flatten();
            }
            search_correction(filter, self.source(filter), value, whole)
                .or_else(|| self.comparison(filter, value, whole))
        })
    }

    /// The correction of a value that is an operand of `or` or `and`, where `before` is the operand
    /// before it: `elo white > 2500 or 2600`. `place` is the place of the value.
    pub(super) fn after_operand(
        &self,
        before: &Expr,
        value: &BareValue<'_>,
        place: Span,
    ) -> Option<Help> {
        right_edges(before).into_iter().find_map(|edge| {
            if let Ast::Filter(filter) = &edge.kind
                && is_searched(filter.keyword)
                && filter.text().is_some()
                && let BareValue::Text(text) = value
            {
                return Some(Help::write(place, with_search(filter, text)));
            }
            let Ast::Relation { left, op, .. } = &edge.kind else {
                return None;
            };
            let is_simple = right_edges(left).len() == 1 || self.is_number(left);
            (is_simple && self.can_have_type(left, value.ty()))
                .then(|| Help::write(place, comparison_text(self.source(left), *op, value)))
        })
    }

    /// `find 3 mate` for `find mate 3`.
    fn range_parameter(&self, filter: &Expr, value: &BareValue<'_>, whole: Span) -> Option<Help> {
        // The greatest distance on a board, or more images and matches than are ever meant.
        let is_direction =
            |filter: &Filter| matches!(filter.keyword.class(), KeywordClass::Direction(_));
        let max = if matches!(&filter.kind, Ast::Filter(filter) if is_direction(filter)) {
            7
        } else {
            64
        };
        let range = range_text(value, max)?;
        let written = self.source(filter);
        let word = written.split_whitespace().next()?;
        let rest = written.get(word.len()..)?;
        let is_one_line = !written.contains(['\n', '\r']);
        let query = format!("{word} {range}{rest}");
        let help = Help::from(format!("a range stands after the word: `{query}`"));
        is_one_line.then(|| help.with(Fix::replace(whole, query)))
    }

    /// `year == 1920` for `year 1920`.
    fn comparison(&self, filter: &Expr, value: &BareValue<'_>, whole: Span) -> Option<Help> {
        let written = self.source(filter);
        let op = probable_comparison(filter);
        let query = match value {
            BareValue::Text(text)
                if is_digits(text) && self.can_have_type(filter, Type::Number) =>
            {
                comparison_text(written, op, &BareValue::Number(text))
            }
            // As `event "x"` searches for a part of the tag.
            BareValue::Text(text) if is_filter(filter, Keyword::Tag) => {
                let query = format!("\"{text}\" in {written}");
                let help = Help::from(format!("to search the tag, write `{query}`"));
                return Some(help.with(Fix::replace(whole, query)));
            }
            BareValue::Number(text) if is_date(text) && is_filter(filter, Keyword::Tag) => {
                comparison_text(written, op, &BareValue::Text(text))
            }
            // `1920.05.01` is not a number.
            BareValue::Number(text) if text.contains('.') => return None,
            BareValue::Range(low, high) if self.can_have_type(filter, Type::Number) => {
                return Some(between(whole, written, low, high));
            }
            BareValue::Number(_)
            | BareValue::Text(_)
            | BareValue::StringExpression(_)
            | BareValue::Range(..) => {
                if !self.can_have_type(filter, value.ty()) {
                    return None;
                }
                comparison_text(written, op, value)
            }
        };
        let help = Help::from(format!("to compare the two, write `{query}`"));
        Some(help.with(Fix::replace(whole, query)))
    }

    /// Whether the filter can be compared with a value of the type, Number or String: a set counts
    /// as a number.
    pub(super) fn can_have_type(&self, e: &Expr, ty: Type) -> bool {
        let is_number = ty == Type::Number;
        if let Ast::Filter(filter) = &e.kind {
            can_filter_have_type(filter, ty)
        } else if let Ast::Name(name) = &e.kind {
            self.variable_type(name) == Some(ty)
        } else if let Ast::Infix {
            level: PrecedenceLevel::Sum | PrecedenceLevel::Product,
            first,
            ..
        } = &e.kind
        {
            is_number && self.can_have_type(first, ty)
        } else {
            is_number && is_set(e)
        }
    }

    /// Whether the filter is a number. A set, which can be compared with one, is not.
    fn is_number(&self, e: &Expr) -> bool {
        !is_set(e) && self.can_have_type(e, Type::Number)
    }

    /// The type of a variable that holds a number or a string.
    fn variable_type(&self, name: &str) -> Option<Type> {
        let mut known = self.vars.iter().filter(|var| var.name == name);
        known.next().map(|var| var.ty).filter(|ty| matches!(ty, Type::Number | Type::String))
    }

    /// The text of an expression.
    pub(super) fn source(&self, e: &Expr) -> &str {
        e.span.text(self.text)
    }
}

impl BareValue<'_> {
    fn ty(&self) -> Type {
        match self {
            BareValue::Number(_) | BareValue::Range(..) => Type::Number,
            BareValue::Text(_) | BareValue::StringExpression(_) => Type::String,
        }
    }
}

/// The help for a value that no filter before it explains.
pub(super) fn general_help(written: &str, is_text: bool, place: Span) -> Help {
    if is_text {
        return format!("`comment({written})` writes it, `==` and `~~` compare strings").into();
    }
    if written == "1/2" {
        let help = Help::from("compare it with something; a drawn game is `result 1/2-1/2`");
        return help.with(Fix::replace(place, "result 1/2-1/2"));
    }
    if let "0-0" | "0-0-0" = written {
        let castling = written.replace('0', "o");
        let help = format!("compare it with something; for castling write `{castling}`");
        return Help::from(help).with(Fix::replace(place, castling));
    }
    let is_year = written.len() == 4 && is_digits(written) && matches!(&written[..1], "1" | "2");
    let subject = if is_year { "year" } else { "ply" };
    format!("compare it with something, as in `{subject} == {written}`").into()
}

/// The filter and the filters inside it that end where it ends, outermost first.
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
pub(super) fn search_filter(keyword: Keyword, color: Option<Keyword>, text: &str) -> String {
    match color {
        Some(color) => format!("{} {} \"{text}\"", keyword.name(), color.name()),
        None => format!("{} \"{text}\"", keyword.name()),
    }
}

/// `player white "Carlsen"` for the filter `player white`.
pub(super) fn with_search(filter: &Filter, text: &str) -> String {
    search_filter(filter.keyword, filter.params.first().and_then(Param::word), text)
}

/// The color, if the filter is `white` or `black`.
pub(super) fn color(e: &Expr) -> Option<Keyword> {
    e.keyword().filter(|word| matches!(word, Keyword::White | Keyword::Black))
}

/// The filter, if a search string can follow it.
pub(super) fn searching(e: &Expr) -> Option<&Filter> {
    if let Ast::Filter(filter) = &e.kind
        && takes_search_string(filter.keyword)
    {
        Some(filter)
    } else {
        None
    }
}

/// Whether the expression is a filter with this keyword.
pub(super) fn is_filter(e: &Expr, keyword: Keyword) -> bool {
    matches!(&e.kind, Ast::Filter(filter) if filter.keyword == keyword)
}

/// Whether the filter is a text or a number of the tags or comments.
fn is_searched(keyword: Keyword) -> bool {
    matches!(keyword.class(), KeywordClass::Search | KeywordClass::Colored)
}

/// Whether the filter can be compared with a value of the type.
fn can_filter_have_type(filter: &Filter, ty: Type) -> bool {
    let is_number = ty == Type::Number;
    let keyword = filter.keyword;
    if is_searched(keyword) {
        return filter.text().is_none() && (keyword == Keyword::Elo) == is_number;
    }
    if filter.is_plain() {
        return keyword.ty() == Some(ty);
    }
    if is_number {
        matches!(keyword, Keyword::Power | Keyword::Size | Keyword::Rank | Keyword::File)
    } else {
        matches!(keyword, Keyword::TypeName | Keyword::PieceName | Keyword::Tag)
    }
}

/// Whether a search string can follow the filter.
pub(super) fn takes_search_string(keyword: Keyword) -> bool {
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
pub(super) fn comparison_text(left: &str, op: ComparisonOperator, value: &BareValue<'_>) -> String {
    let op = op.name();
    match value {
        BareValue::Number(value) | BareValue::StringExpression(value) => {
            format!("{left} {op} {value}")
        }
        BareValue::Range(low, high) => format!("{left} {op} {low}-{high}"),
        BareValue::Text(text) => format!("{left} {op} \"{text}\""),
    }
}

/// The correction of a value after a filter that searches for a string, or after a color.
fn search_correction(
    filter: &Expr,
    written: &str,
    value: &BareValue<'_>,
    whole: Span,
) -> Option<Help> {
    if let (Some(color), BareValue::Text(text)) = (color(filter), value) {
        let query = search_filter(Keyword::Player, Some(color), text);
        let help = Help::from(format!("a player is named by `{query}`"));
        return Some(help.with(Fix::replace(whole, query)));
    }
    let filter = searching(filter)?;
    let keyword = filter.keyword;
    let has_text = filter.text().is_some();
    match value {
        BareValue::Number(text) if !has_text && is_date(text) => {
            let query = with_search(filter, text);
            let help = Help::from(format!("`{}` is a string: write `{query}`", keyword.name()));
            Some(help.with(Fix::replace(whole, query)))
        }
        BareValue::Range(low, high) if !has_text && keyword == Keyword::Date => {
            Some(between(whole, Keyword::Year.name(), low, high))
        }
        // `player("Carlsen")`
        BareValue::Text(text) if !has_text => {
            let query = with_search(filter, text);
            let help = format!("a text is searched without parentheses: `{query}`");
            Some(Help::from(help).with(Fix::replace(whole, query)))
        }
        BareValue::Text(text) if has_text => {
            let query = format!("{written} or {}", with_search(filter, text));
            let help = Help::from(format!("another text is another filter: `{query}`"));
            Some(help.with(Fix::replace(whole, query)))
        }
        BareValue::Number(_)
        | BareValue::Range(..)
        | BareValue::Text(_)
        | BareValue::StringExpression(_) => None,
    }
}

/// `1920 <= year <= 1930`, with the lower number first, in this place.
pub(crate) fn between(place: Span, subject: &str, low: &str, high: &str) -> Help {
    let is_swapped = match (low.parse::<i32>(), high.parse::<i32>()) {
        (Ok(one), Ok(other)) => one > other,
        (Err(_), _) | (_, Err(_)) => false,
    };
    let (low, high) = if is_swapped { (high, low) } else { (low, high) };
    let query = format!("{low} <= {subject} <= {high}");
    Help::from(format!("to compare with both, write `{query}`")).with(Fix::replace(place, query))
}

/// Whether the filter can take a range and has no parameter.
fn has_range_parameter(e: &Expr) -> bool {
    let takes_range = |filter: &Filter| {
        filter.params.is_empty()
            && filter.args.len() == 1
            && parameters::takes_range(filter.keyword)
    };
    matches!(&e.kind, Ast::Filter(filter) if takes_range(filter))
}

/// Whether the filter is certainly a set: a designator, or a set operator.
fn is_set(e: &Expr) -> bool {
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
    )
}

/// The comparison that a number after the filter probably means: for a rating it is `>=`.
fn probable_comparison(e: &Expr) -> ComparisonOperator {
    if is_filter(inner(e), Keyword::Elo) {
        ComparisonOperator::GreaterEqual
    } else {
        ComparisonOperator::Equal
    }
}

/// The value as a range after a keyword, if its numbers are between 1 and `max`.
fn range_text(value: &BareValue<'_>, max: i32) -> Option<String> {
    let number = |text: &str| text.parse::<i32>().ok().filter(|n| (1..=max).contains(n));
    match value {
        BareValue::Number(text) => number(text).map(|n| n.to_string()),
        BareValue::Range(low, high) => {
            let (low, high) = (number(low)?, number(high)?);
            Some(format!("{} {}", low.min(high), low.max(high)))
        }
        BareValue::Text(_) | BareValue::StringExpression(_) => None,
    }
}

/// Whether the text consists of at most nine digits, so that it is a number that does not wrap.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text consists of digits and dots, as years and dates do.
fn is_date(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
