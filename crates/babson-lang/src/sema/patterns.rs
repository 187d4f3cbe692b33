//! Regular expressions: `~~` and the loop over matches
//! (docs/src/language/patterns.md#regular-expressions).

use super::{ExprResult, OpenResult, Sema};
use crate::ast::{self, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Type};
use crate::pattern::{self, Unit};

impl<'a> Sema<'a> {
    /// `s ~~ p`
    pub(super) fn matches(&mut self, subject: Expr, pattern: &'a ast::Expr) -> ExprResult {
        let pattern = self.pattern(pattern)?;
        let span = subject.span.to(pattern.span);
        let (subject, pattern) = (Box::new(subject), Box::new(pattern));
        Ok(self.node(ExprKind::Match { subject, pattern }, span))
    }

    /// `while (s ~~ p) f`
    pub(super) fn for_matches(
        &mut self,
        subject: Box<Expr>,
        pattern: Box<Expr>,
        body: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let (body, pending) = self.open_at(body, levels::FILTER)?;
        let kind = ExprKind::ForMatches { subject, pattern, body: Box::new(body) };
        Ok((self.node(kind, span), pending))
    }

    /// `\{name}`, `\-{name}`: the group with this name in the last literal pattern that has one.
    pub(super) fn named_group(&mut self, name: &str, index: bool, span: Span) -> ExprResult {
        let number = self.group_names.get(name).copied();
        let Some(number) = number.and_then(|number| u8::try_from(number).ok()) else {
            let message = format!("no earlier regular expression has a group `{name}`");
            let help = format!("a group gets its name by `(?<{name}>…)`");
            return Err(
                self.report(Diagnostic::new(Code::UnknownGroup, span, message).with_help(help))
            );
        };
        Ok(if index {
            self.node(ExprKind::GroupIndex(number), span)
        } else {
            self.node(ExprKind::Group(number), span)
        })
    }

    fn pattern(&mut self, pattern: &'a ast::Expr) -> ExprResult {
        let pattern = self.closed_as(pattern, Type::String, "~~")?;
        let ExprKind::Text(text) = &pattern.kind else {
            return Ok(pattern);
        };
        let unit = if self.dialect.unicode_strings { Unit::Character } else { Unit::Byte };
        match pattern::parse(text, unit) {
            Ok(parsed) => {
                for (name, number) in &parsed.names {
                    self.group_names.insert(name.clone(), *number);
                }
                Ok(pattern)
            }
            Err(error) => {
                let place = inside(pattern.span, text.len(), error.at);
                let message = format!("malformed regular expression: {error}");
                Err(self.report(Diagnostic::new(Code::MalformedPattern, place, message)))
            }
        }
    }
}

/// The span of a byte of a string literal. String literals have no escapes.
fn inside(literal: Span, len: usize, at: usize) -> Span {
    if (literal.end - literal.start) as usize != len + 2 {
        return literal;
    }
    let start = literal.start + 1 + at as u32;
    Span::new(start.min(literal.end - 1), (start + 1).min(literal.end))
}
