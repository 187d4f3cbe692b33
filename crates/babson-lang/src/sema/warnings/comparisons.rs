//! Comparisons that do not compare what was probably meant: `year > 1920 < 1930` compares the two
//! numbers, and the dates of PGN are not written `1999-04-05`.

use super::correction::right_edges;
use super::inner;
use crate::ast::{ComparisonOperator, Expr, ExprKind as Ast};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::hir::Type;
use crate::keywords::Keyword;
use crate::limits::{MAX_ERRORS, MAX_QUOTED};

/// Reports such comparisons, wherever they are in the query.
pub(super) fn comparisons(text: &str, items: &[Expr]) -> Vec<Diagnostic> {
    let mut finder = ComparisonFinder { text, found: Vec::new() };
    items.iter().for_each(|item| finder.visit(item));
    finder.found
}

struct ComparisonFinder<'t> {
    text: &'t str,
    found: Vec<Diagnostic>,
}

impl ComparisonFinder<'_> {
    fn visit(&mut self, e: &Expr) {
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        if let Ast::Relation { left, op, right, .. } = &e.kind {
            self.found.extend(self.constants(left, *op, right));
            let right = if let Ast::Relation { left, .. } = &right.kind { left } else { right };
            for (date, literal) in [(left, right), (right, left)] {
                if is_date(date)
                    && let Ast::Str(written) = &literal.kind
                {
                    self.found.extend(unusual_date(written, literal.span));
                }
            }
        } else if let Ast::Filter(filter) = &e.kind
            && matches!(filter.keyword, Keyword::Date | Keyword::EventDate)
            && let Some(searched) = filter.text()
            && !is_part_of_date(&searched.value)
        {
            self.found.extend(unusual_date(&searched.value, searched.span));
        }
        e.kind.for_each_child(&mut |child| self.visit(child));
    }

    /// `year > 1920 < 1930`, where `subject` is the left operand and `rest` is the right one.
    fn constants(&self, subject: &Expr, op: ComparisonOperator, rest: &Expr) -> Option<Diagnostic> {
        let Ast::Relation { left, op: second, right, .. } = &rest.kind else { return None };
        let (Ast::Int(one), Ast::Int(other)) = (&left.kind, &right.kind) else { return None };
        if !holds(*second, *one, *other) {
            return None;
        }
        let message = format!("`{}` always holds", rest.span.text(self.text));
        let compares_both = op != ComparisonOperator::NotEqual;
        let help = match self.compared_number(subject).filter(|_| compares_both) {
            Some(number) => {
                let (mirrored, second) = (op.mirrored().name(), second.name());
                let subject = number.text(self.text);
                let query = format!("{one} {mirrored} {subject} {second} {other}");
                Help::from(format!("to compare with both, write `{query}`"))
                    .with(Fix::replace(number.to(rest.span), query))
            }
            None => Help::from(
                "to compare with both, write the value between the numbers: `1920 < year < 1930`",
            ),
        };
        Some(Diagnostic::new(Code::AlwaysHolds, rest.span, message).with_help(help))
    }

    /// The place of the number at the right end of an operand, if the number is sure.
    fn compared_number(&self, e: &Expr) -> Option<Span> {
        let is_number = |edge: &&Expr| {
            let Ast::Filter(filter) = &edge.kind else { return false };
            filter.keyword.ty() == Some(Type::Number)
        };
        let is_whole = matches!(e.kind, Ast::Name(_) | Ast::Designator(_));
        let number = if is_whole { Some(e) } else { right_edges(e).into_iter().find(is_number) };
        let span = number?.span;
        let written = span.text(self.text);
        (written.len() <= MAX_QUOTED && !written.contains('\n')).then_some(span)
    }
}

/// Whether two numbers are in this relation. A comparison with `!=` has no value to compare.
fn holds(op: ComparisonOperator, one: i32, other: i32) -> bool {
    match op {
        ComparisonOperator::Equal => one == other,
        ComparisonOperator::Less => one < other,
        ComparisonOperator::LessEqual => one <= other,
        ComparisonOperator::Greater => one > other,
        ComparisonOperator::GreaterEqual => one >= other,
        ComparisonOperator::NotEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => false,
    }
}

/// `date` or `eventdate` without a text of its own.
fn is_date(e: &Expr) -> bool {
    matches!(
        &inner(e).kind,
        Ast::Filter(filter)
            if matches!(filter.keyword, Keyword::Date | Keyword::EventDate)
                && filter.text().is_none()
    )
}

/// The warning for a text that looks like a date, if it is not written as dates of PGN are.
fn unusual_date(written: &str, span: Span) -> Option<Diagnostic> {
    let parts: Vec<&str> = written.trim().split(['-', '/', '.']).collect();
    let is_part = |part: &&str| !part.is_empty() && part.chars().all(is_digit);
    let has_year = parts.iter().any(|part| part.len() == 4);
    let is_date = parts.len() == 3 || parts.len() == 2 && has_year;
    let is_usual = fits_date(written, 0) && matches!(written.len(), 7 | 10);
    if !is_date || !parts.iter().all(is_part) || is_usual {
        return None;
    }
    let help = match corrected(&parts, !written.contains(['-', '/'])) {
        Some(date) => Help::write(span, format!("\"{date}\"")),
        None => "the year comes first, then the month and the day, with two digits each".into(),
    };
    let message = "the dates of PGN are written `1999.04.05`";
    Some(Diagnostic::new(Code::UnusualDate, span, message).with_help(help))
}

/// Whether a date of PGN can have the text in it.
fn is_part_of_date(written: &str) -> bool {
    (0..DATE.len()).any(|from| fits_date(written, from))
}

/// Whether a date of PGN can have the text at this place.
fn fits_date(written: &str, from: usize) -> bool {
    let shape = DATE.get(from..).unwrap_or_default();
    let fits = |(one, other)| one == other || is_digit(one) && is_digit(other);
    written.len() <= shape.len() && written.chars().zip(shape.chars()).all(fits)
}

/// A date of PGN that is not known.
const DATE: &str = "????.??.??";

/// Whether the character stands for a digit in a date.
fn is_digit(character: char) -> bool {
    character.is_ascii_digit() || character == '?'
}

/// The date as PGN writes it, if its parts are clear. With dots the day stands before the month.
fn corrected(parts: &[&str], has_dots: bool) -> Option<String> {
    let at_most = |part: &str, most: u32| part.parse().map_or(part.len() <= 2, |n: u32| n <= most);
    let is_year = |part: &str| part.len() == 4;
    let (is_month, is_day) = (|part: &str| at_most(part, 12), |part: &str| at_most(part, 31));
    let two = |part: &str| format!("{:0>2}", if part == "?" { "??" } else { part });
    match *parts {
        [year, month] | [month, year] if is_year(year) && is_month(month) => {
            Some(format!("{year}.{}", two(month)))
        }
        [year, month, day] if is_year(year) && is_month(month) && is_day(day) => {
            Some(format!("{year}.{}.{}", two(month), two(day)))
        }
        [one, other, year] if is_year(year) => {
            let is_day_first = is_day(one) && is_month(other);
            let is_month_first = is_month(one) && is_day(other);
            match (is_day_first, is_month_first) {
                (true, true) if !has_dots && one != other => None,
                (true, _) => Some(format!("{year}.{}.{}", two(other), two(one))),
                (false, true) => Some(format!("{year}.{}.{}", two(one), two(other))),
                (false, false) => None,
            }
        }
        _ => None,
    }
}
