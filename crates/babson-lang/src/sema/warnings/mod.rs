//! Warnings of filters that are correct and probably mean something else.
//!
//! A number or a string as a condition matches every position. If a comparison was probably meant,
//! the author is warned before the scan.

mod always;
mod beside;
mod comparisons;
mod correction;
mod errors;
mod game_moves;
mod never;
mod refusals;
mod resets;
mod unread;

use std::collections::{HashMap, HashSet};

use super::demand::{self, LastOfBraces};
use crate::ast::{self, Arithmetic, ComparisonOperator, ExprKind as Ast, InfixOp, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::dialect::Dialect;
use crate::hir::{self, BinaryFilter, Demand, Expr, ExprKind, Type, UnaryFilter};
use crate::keywords::Keyword;
use crate::limits::{MAX_ERRORS, MAX_MOVES_TEXT};
use always::{always, first_operand};
use beside::beside;
use comparisons::comparisons;
use correction::{BareValue, Corrections, is_filter};
pub(crate) use correction::{between, is_digits};
pub(super) use errors::explain;
pub(crate) use errors::tag_filter;
use game_moves::GameMoves;
use never::{alternatives, never};
pub(super) use refusals::refusals;
pub(super) use resets::resets;
pub(super) use unread::unread;

/// The warnings for a query without errors.
pub(super) fn warnings(text: &str, query: &ast::Query, typed: &mut hir::Query) -> Vec<Diagnostic> {
    let mut bare = bare_values(typed);
    let mut found = Vec::new();
    query.items.iter().for_each(|item| sides_of_fens(item, &mut found));
    lone_ratings(&query.items, text, &mut found);
    if !bare.is_empty() {
        query.items.iter().for_each(|item| unwrap_values(&mut bare, item));
        let corrections = Corrections { text, vars: &typed.vars };
        let mut finder = BareValueFinder { corrections, bare, found };
        finder.items(&query.items);
        found = finder.found;
    }
    found.sort_by_key(|warning| warning.span);
    found
}

/// Reports each `elo` among the filters of the query that nothing compares. A value after it has a
/// warning of its own.
fn lone_ratings(items: &[ast::Expr], text: &str, found: &mut Vec<Diagnostic>) {
    for (at, item) in items.iter().enumerate() {
        let next = items.get(at + 1).map(|next| &next.kind);
        let has_value = matches!(next, Some(Ast::Int(_) | Ast::Str(_)));
        if found.len() >= MAX_ERRORS {
            return;
        }
        if is_filter(item, Keyword::Elo) && !has_value {
            let help = format!("to compare it, write `{} >= 2500`", item.span.text(text));
            found.push(lone_rating(item, text).with_help(help));
        } else if let Ast::Infix {
            level: PrecedenceLevel::Or | PrecedenceLevel::And,
            first,
            rest,
        } = &item.kind
        {
            let operands: Vec<&ast::Expr> =
                std::iter::once(&**first).chain(rest.iter().map(|tail| &tail.right)).collect();
            found.extend(operands.windows(2).filter_map(|pair| shared_bound(pair, text)));
        }
    }
}

fn lone_rating(rating: &ast::Expr, text: &str) -> Diagnostic {
    let written = rating.span.text(text);
    let message =
        format!("`{written}` is a number: as a filter it matches every game with a rating");
    Diagnostic::new(Code::ConstantFilter, rating.span, message)
}

/// `elo white and elo black > 2500`: the first rating is not compared with the number.
fn shared_bound(pair: &[&ast::Expr], text: &str) -> Option<Diagnostic> {
    let [rating, compared] = pair else { return None };
    let Ast::Relation { left, op, right, .. } = &compared.kind else { return None };
    let is_pair = is_filter(rating, Keyword::Elo) && is_filter(left, Keyword::Elo);
    let number = right.span.text(text);
    let (written, op) = (rating.span.text(text), op.name());
    (is_pair && matches!(right.kind, Ast::Int(_))).then(|| {
        let help = Help::write(rating.span, format!("{written} {op} {number}"));
        lone_rating(rating, text).with_help(help)
    })
}

/// The warnings of filters that hold in every position or in none, of filters that are read apart
/// from the filter before them, and of comparisons of something else than was meant. Places that
/// `others` are about are not reported again.
pub(super) fn holds(
    text: &str,
    tree: &ast::Query,
    query: &hir::Query,
    dialect: Dialect,
    others: &[Diagnostic],
) -> Vec<Diagnostic> {
    let contains = |outer: Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let mut found = beside(text, &tree.items);
    let mut constant = always(text, &tree.items, dialect.bare_values);
    constant.retain(|one| {
        let is_inside = |other: &Diagnostic| contains(other.span, one.span);
        !others.iter().chain(&found).any(is_inside)
    });
    found.extend(constant);
    found.extend(comparisons(text, &tree.items));
    found.extend(alternatives(text, query));
    let never = never(text, query);
    found.extend(never.filter(|one| !found.iter().any(|other| contains(one.span, other.span))));
    found
}

/// Reports each `fen "… w - -"`, which compares the placement alone.
fn sides_of_fens(e: &ast::Expr, found: &mut Vec<Diagnostic>) {
    if let Ast::Filter(filter) = &e.kind
        && filter.keyword == Keyword::Fen
        && let Some(fen) = filter.text()
    {
        let filter = match fen.value.split_ascii_whitespace().nth(1) {
            Some("w") => Some("wtm"),
            Some("b") => Some("btm"),
            Some(_) | None => None,
        };
        found.extend(filter.filter(|_| found.len() < MAX_ERRORS).map(|filter| {
            let message = "`fen` compares the placement of the pieces alone, not the side to move";
            let end = Span::new(fen.span.end, fen.span.end);
            let help = Help::from(format!("to compare the side to move too, add `{filter}`"))
                .with(Fix::replace(end, format!(" {filter}")));
            Diagnostic::new(Code::UncomparedSide, fen.span, message).with_help(help)
        }));
    }
    e.kind.for_each_child(&mut |child| sides_of_fens(child, found));
}

/// The spans and types of the values that are used as conditions. A value in the body of a function
/// is one of them only if no call uses it as a value.
fn bare_values(typed: &mut hir::Query) -> HashMap<Span, Type> {
    let vars = std::mem::take(&mut typed.vars);
    let mut bare = HashMap::new();
    let mut used = HashSet::new();
    demand::walk(typed, LastOfBraces::Condition, &mut |e, context| {
        if is_value(e, &vars) {
            match context.demand {
                Demand::Match => {
                    bare.insert(e.span, e.ty);
                }
                Demand::Value => {
                    used.insert(e.span);
                }
            }
        }
    });
    typed.vars = vars;
    bare.retain(|span, _| !used.contains(span));
    bare
}

/// Moves the types of values in parentheses or braces to the spans inside them. A typed filter has
/// the span with parentheses and braces, a filter of the tree without.
fn unwrap_values(bare: &mut HashMap<Span, Type>, e: &ast::Expr) {
    let inside = if let Ast::Block(items) = &e.kind {
        items.first().filter(|_| items.len() == 1)
    } else if let Ast::Paren(inner) = &e.kind {
        Some(&**inner)
    } else {
        None
    };
    if let Some(inside) = inside
        && let Some(ty) = bare.remove(&e.span)
    {
        bare.insert(inside.span, ty);
    }
    e.kind.for_each_child(&mut |child| unwrap_values(bare, child));
}

/// Whether it is a number or a string, arithmetic with nothing else in it, or a variable that holds
/// one of them.
fn is_value(e: &Expr, vars: &[hir::Var]) -> bool {
    if let ExprKind::Var(var) = &e.kind {
        let var = vars.get(var.0 as usize);
        var.is_some_and(|var| matches!(var.ty, Type::Number | Type::String))
    } else {
        is_constant(e)
    }
}

fn is_constant(e: &Expr) -> bool {
    if let ExprKind::Arithmetic(_, a, b) | ExprKind::Binary(BinaryFilter::Concat, a, b) = &e.kind {
        is_constant(a) && is_constant(b)
    } else if let ExprKind::Unary(UnaryFilter::Negate, a) = &e.kind {
        is_constant(a)
    } else {
        matches!(e.kind, ExprKind::Number(_) | ExprKind::Text(_))
    }
}

/// The filter before a bare value.
#[derive(Clone, Copy)]
enum PrecedingFilter<'a> {
    Nothing,
    /// A filter of the same list.
    Filter(&'a ast::Expr),
    /// An operand of the same `or` or `and`.
    Operand(&'a ast::Expr),
}

struct BareValueFinder<'a> {
    corrections: Corrections<'a>,
    bare: HashMap<Span, Type>,
    found: Vec<Diagnostic>,
}

impl<'a> BareValueFinder<'a> {
    /// Checks the filters of a list.
    fn items(&mut self, items: &'a [ast::Expr]) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let before = at.checked_sub(1).map(|at| &items[at]);
            let follows_a_line = before.is_some_and(|e| matches!(e.kind, Ast::Line { .. }));
            if let Some(moves) = self.game_moves(&items[at..]) {
                at += moves;
                continue;
            }
            if let Some(before) = before
                && self.decimal(before, &items[at..])
            {
                at += 2;
                continue;
            }
            if let Some(before) = before
                && self.dotted_range(before, &items[at..])
            {
                at += 3;
                continue;
            }
            at += match before.and_then(|before| self.several(before, &items[at..])) {
                Some(several) => several,
                None if follows_a_line && self.repetition(item) => 1,
                None => {
                    self.filter(
                        item,
                        before.map_or(PrecedingFilter::Nothing, PrecedingFilter::Filter),
                    );
                    1
                }
            };
        }
    }

    /// Reports `1. e4 e5`, which was meant as moves of a game, and returns the number of its items.
    fn game_moves(&mut self, items: &'a [ast::Expr]) -> Option<usize> {
        let [number, dot, ..] = items else { return None };
        let is_number = self.is_bare_integer(number) && matches!(dot.kind, Ast::AnySquare);
        if !is_number || number.span.end != dot.span.start {
            return None;
        }
        // The text after the list may be a bracket that touches its last item.
        let whole = number.span.to(items.last()?.span).text(self.corrections.text);
        let end = whole.char_indices().nth(MAX_MOVES_TEXT).map_or(whole.len(), |(at, _)| at);
        let GameMoves { path, end } = GameMoves::read(&whole[..end])?;
        let end = number.span.start + u32::try_from(end).ok()?;
        let count = items.iter().take_while(|item| item.span.end <= end).count();
        let span = number.span.to(items.get(count.checked_sub(1)?)?.span);
        let message = "moves of a game are not filters: these are a number and sets of squares, \
                       which match every position";
        let help = Help::from(format!("games that begin with these moves: `{path}`"))
            .with(Fix::replace(span, path));
        self.found.push(Diagnostic::new(Code::MovesAsFilters, span, message).with_help(help));
        Some(count)
    }

    /// Reports `1.5` at the end of a filter, which is a number, a set and another number.
    fn decimal(&mut self, before: &'a ast::Expr, items: &[ast::Expr]) -> bool {
        let [dot, fraction, ..] = items else { return false };
        let fraction = first_operand(fraction);
        let Some(whole) = correction::right_edges(before).pop() else { return false };
        let is_number = matches!(
            (&whole.kind, &dot.kind, &fraction.kind),
            (Ast::Int(_), Ast::AnySquare, Ast::Int(_))
        );
        let touches = whole.span.end == dot.span.start && dot.span.end == fraction.span.start;
        if !is_number || !touches || correction::right_edges(before).len() < 2 {
            return false;
        }
        let place = whole.span.to(fraction.span);
        let written = self.source(place);
        let message =
            format!("`{written}` is not a number: numbers are whole, and `.` is any square");
        let warning = Diagnostic::new(Code::ConstantFilter, place, message);
        let is_evaluation = matches!(&before.kind, Ast::Relation { left, .. }
            if is_filter(left, Keyword::Evaluation));
        let centipawns = is_evaluation.then(|| centipawns(written)).flatten();
        self.found.push(
            warning.with_help(match centipawns {
                Some(number) => Help::write(place, &*number)
                    .worded(format!("`eval` counts centipawns: write `{number}`")),
                None => Help::from("write a whole number"),
            }),
        );
        true
    }

    /// Reports `year == 1920..1930`, whose dots are sets.
    fn dotted_range(&mut self, before: &'a ast::Expr, items: &[ast::Expr]) -> bool {
        let [one, two, high, ..] = items else { return false };
        let high = first_operand(high);
        let Ast::Relation { left, op: ComparisonOperator::Equal, right: low, .. } = &before.kind
        else {
            return false;
        };
        let are_dots = matches!((&one.kind, &two.kind), (Ast::AnySquare, Ast::AnySquare));
        let are_numbers = matches!((&low.kind, &high.kind), (Ast::Int(_), Ast::Int(_)));
        let touches = one.span.end == two.span.start && two.span.end == high.span.start;
        if !are_dots || !are_numbers || !touches {
            return false;
        }
        let written = self.source(one.span.to(high.span));
        let message = format!("`{written}` is not a range: `.` is any square");
        let (place, subject) = (left.span.to(high.span), self.source(left.span));
        let help = between(place, subject, self.source(low.span), self.source(high.span));
        let place = one.span.to(high.span);
        self.found.push(Diagnostic::new(Code::ConstantFilter, place, message).with_help(help));
        true
    }

    /// Reports several items that were probably meant as one operand of the filter before them, and
    /// returns their number.
    fn several(&mut self, before: &'a ast::Expr, items: &'a [ast::Expr]) -> Option<usize> {
        let [first, second, ..] = items else {
            return None;
        };
        if !self.is_bare_integer(first) {
            return None;
        }
        // The lexer reads a date as five items.
        let touching = items.windows(2).take(8).take_while(|pair| {
            pair[0].span.end == pair[1].span.start
                && matches!(pair[1].kind, Ast::Int(_) | Ast::AnySquare)
        });
        let (count, value) = match touching.count() {
            0 if self.is_bare_integer(second) => {
                (2, BareValue::Range(self.source(first.span), self.source(second.span)))
            }
            0 => return None,
            // `1920.05.01`
            more => {
                let whole = first.span.to(items.get(more)?.span);
                (more + 1, BareValue::Number(self.source(whole)))
            }
        };
        let span = first.span.to(items.get(count - 1)?.span);
        let help = self.corrections.after_filter(before, &value, span);
        // Two numbers that no correction joins are reported one by one.
        if help.is_none() && matches!(value, BareValue::Range(..)) {
            return None;
        }
        let written = self.source(span);
        let message = match value {
            BareValue::Range(..) => {
                format!("`{written}` are numbers: as filters they match every position")
            }
            BareValue::Number(_) | BareValue::Text(_) | BareValue::StringExpression(_) => {
                format!("`{written}` is several filters, not a text")
            }
        };
        let warning = Diagnostic::new(Code::ConstantFilter, span, message);
        self.found.push(match help {
            Some(help) => warning.with_help(help),
            None => warning,
        });
        Some(count)
    }

    /// Reports `{3 100}` where a repetition was probably meant.
    fn repetition(&mut self, e: &ast::Expr) -> bool {
        let Ast::Block(items) = &e.kind else {
            return false;
        };
        let meant = match items.as_slice() {
            [count] if self.is_bare_integer(count) => self.source(count.span).to_owned(),
            [least, most] if self.is_bare_integer(least) && self.is_bare_integer(most) => {
                format!("{},{}", self.source(least.span), self.source(most.span))
            }
            _ => return false,
        };
        let written = self.source(e.span);
        let message = format!("`{written}` is a filter, which matches every position");
        let repetition = format!("{{{meant}}}");
        let help = format!("a repetition is written without whitespace: `{repetition}`");
        // With the whitespace before it.
        let before = self.corrections.text.get(..e.span.start as usize).unwrap_or_default();
        let place = Span::new(before.trim_end().len() as u32, e.span.end);
        let help = Help::from(help).with(Fix::replace(place, repetition));
        self.found.push(Diagnostic::new(Code::FilterAsRepetition, e.span, message).with_help(help));
        true
    }

    /// Checks a filter and its operands.
    fn filter(&mut self, e: &'a ast::Expr, before: PrecedingFilter<'a>) {
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        if let Some(ty) = self.bare_type(e) {
            self.bare(e, ty, before);
            return;
        }
        if let Ast::Block(items)
        | Ast::Function { body: items, .. }
        | Ast::Hook { body: items, .. } = &e.kind
        {
            self.items(items);
        } else if let Ast::Infix {
            level: PrecedenceLevel::Or | PrecedenceLevel::And,
            first,
            rest,
        } = &e.kind
        {
            self.filter(first, before);
            let mut left: &ast::Expr = first;
            for tail in rest {
                let is_value = self.bare_type(left).is_some();
                self.filter(
                    &tail.right,
                    if is_value { before } else { PrecedingFilter::Operand(left) },
                );
                left = if is_value { left } else { &tail.right };
            }
        } else {
            let is_path = matches!(e.kind, Ast::Path { .. });
            e.kind.for_each_child(&mut |child| {
                let is_first = child.span.start == e.span.start;
                if !is_path || !self.repetition(child) {
                    self.filter(child, if is_first { before } else { PrecedingFilter::Nothing });
                }
            });
        }
    }

    /// Reports a value that is used as a condition.
    fn bare(&mut self, e: &ast::Expr, ty: Type, before: PrecedingFilter<'_>) {
        let written = self.source(e.span);
        let is_text = ty == Type::String;
        let value = if let Ast::Str(text) = &inner(e).kind {
            BareValue::Text(text)
        } else if let Some((low, high)) = difference(e) {
            BareValue::Range(self.source(low), self.source(high))
        } else if is_text {
            BareValue::StringExpression(written)
        } else {
            BareValue::Number(written)
        };
        let help = match before {
            PrecedingFilter::Nothing => None,
            PrecedingFilter::Filter(before) => {
                self.corrections.after_filter(before, &value, e.span)
            }
            PrecedingFilter::Operand(before) => {
                self.corrections.after_operand(before, &value, e.span)
            }
        };
        let is_variable = matches!(inner(e).kind, Ast::Name(_));
        let (message, help) = match (is_variable, help) {
            // Variables are often conditions on purpose.
            (true, None) => return,
            (true, Some(help)) => (
                format!("`{written}` is a variable: as a filter it matches whatever it holds"),
                help,
            ),
            (false, help) => {
                let what = if is_text { "string" } else { "number" };
                let help =
                    help.unwrap_or_else(|| correction::general_help(written, is_text, e.span));
                (format!("`{written}` is a {what}: as a filter it matches every position"), help)
            }
        };
        self.found.push(Diagnostic::new(Code::ConstantFilter, e.span, message).with_help(help));
    }

    fn bare_type(&self, e: &ast::Expr) -> Option<Type> {
        let e = inner(e);
        let is_value = matches!(
            e.kind,
            Ast::Int(_)
                | Ast::Str(_)
                | Ast::Name(_)
                | Ast::Negate(_)
                | Ast::Infix { level: PrecedenceLevel::Sum | PrecedenceLevel::Product, .. }
        );
        if is_value { self.bare.get(&e.span).copied() } else { None }
    }

    fn is_bare_integer(&self, e: &ast::Expr) -> bool {
        matches!(e.kind, Ast::Int(_)) && self.bare.contains_key(&e.span)
    }

    fn source(&self, span: Span) -> &'a str {
        span.text(self.corrections.text)
    }
}

/// The number of centipawns in a number of pawns with a point: 150 in `1.5`.
fn centipawns(pawns: &str) -> Option<String> {
    let (whole, fraction) = pawns.split_once('.')?;
    let hundredths = format!("{fraction:0<2}");
    let number = format!("{whole}{}", hundredths.get(..2)?);
    number.parse::<i32>().ok().map(|number| number.to_string())
}

/// `1920-1930`: the spans of the two numbers.
fn difference(e: &ast::Expr) -> Option<(Span, Span)> {
    let Ast::Infix { level: PrecedenceLevel::Sum, first, rest } = &inner(e).kind else {
        return None;
    };
    let [ast::InfixOperand { op: InfixOp::Arithmetic(Arithmetic::Subtract), right, .. }] =
        rest.as_slice()
    else {
        return None;
    };
    let (Ast::Int(low), Ast::Int(high)) = (&first.kind, &right.kind) else {
        return None;
    };
    (low < high).then_some((first.span, right.span))
}

/// The expression inside parentheses.
fn inner(e: &ast::Expr) -> &ast::Expr {
    if let Ast::Paren(e) = &e.kind { inner(e) } else { e }
}
