//! Regular expressions.

use babson_lang::hir::{Expr, ExprKind};
use babson_lang::pattern;

use super::builder::Builder;
use crate::limits::MAX_TRIED_PATTERNS;
use crate::op::{Label, Op, RegexOperand, Register};
use crate::regex::Matcher;

impl Builder {
    /// `s ~~ p`
    pub(super) fn match_value(
        &mut self,
        subject: &Expr,
        pattern: &Expr,
        dst: Register,
        fail: Label,
    ) {
        let text = self.temp();
        self.value(subject, text, fail);
        let pattern = self.pattern(pattern, fail);
        self.emit(Op::Match { dst, text, pattern, fail });
    }

    /// `while (s ~~ p) f`
    pub(super) fn for_matches(&mut self, list: [&Expr; 3], fail: Label) {
        let [subject, pattern, body] = list;
        // The text, and where the next search begins.
        let cursor = self.temps(2);
        self.value(subject, cursor, fail);
        let pattern = self.pattern(pattern, fail);
        self.emit(Op::Const { dst: cursor + 1, value: 0 });
        let (again, done) = (self.label(), self.label());
        self.bind(again);
        let to = done;
        self.emit(Op::MatchNext { cursor, pattern, done: to });
        self.test_with_dialect_rollback(body, again);
        self.jump(again);
        self.bind(done);
    }

    fn pattern(&mut self, pattern: &Expr, fail: Label) -> RegexOperand {
        if let ExprKind::Text(text) = &pattern.kind
            && let Some(index) = self.regex(text)
        {
            return RegexOperand::Literal(index);
        }
        let at = self.temp();
        self.value(pattern, at, fail);
        RegexOperand::Register(at)
    }

    fn regex(&mut self, text: &[u8]) -> Option<u16> {
        let known = self.regexes.iter().position(|(other, _)| **other == *text);
        let index = match known {
            Some(index) => index,
            None => {
                let pattern = pattern::parse(text, self.unit).ok()?;
                let matcher = if self.regexes.len() < MAX_TRIED_PATTERNS {
                    Matcher::new(&pattern)
                } else {
                    Matcher::at_run_time(&pattern)
                };
                self.regexes.push((text.into(), matcher));
                self.regexes.len() - 1
            }
        };
        u16::try_from(index).ok()
    }
}
