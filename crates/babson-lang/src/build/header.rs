//! Actions for the header.

use super::AstBuilder;
use crate::ast::*;
use crate::declaration;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::tokens::terminal::HeaderRangeKind;

impl<'s> AstBuilder<'s, '_> {
    pub(crate) fn header(&mut self, params: Vec<HeaderParam>, span: Span) -> Header {
        let mut seen = Vec::new();
        for param in &params {
            let repeatable = matches!(
                param.kind,
                HeaderKind::Variations | HeaderKind::Quiet | HeaderKind::Silent
            );
            // `matchcount` and `sort matchcount` are the same parameter.
            let kind = if let HeaderKind::SortMatchCount(lo, hi) = param.kind {
                &HeaderKind::MatchCount(lo, hi)
            } else {
                &param.kind
            };
            let kind = std::mem::discriminant(kind);
            if repeatable {
                continue;
            }
            if seen.contains(&kind) {
                self.errors.push(Diagnostic::duplicate(param.span, "this parameter"));
            } else {
                seen.push(kind);
            }
        }
        Header { params, span }
    }

    pub(crate) fn header_file(&mut self, input: bool, file: &str, span: Span) -> HeaderParam {
        if file.is_empty() {
            let word = if input { "input" } else { "output" };
            self.errors.push(Diagnostic::missing(span, word, "the name of a file"));
        }
        let kind = if input {
            HeaderKind::Input(file.to_string())
        } else {
            HeaderKind::Output(file.to_string())
        };
        HeaderParam { kind, span }
    }

    /// Reports an unknown name; the parse continues with the default dialect.
    pub(crate) fn header_dialect(&mut self, name: &str, span: Span) -> HeaderParam {
        let named = Dialect::named(name);
        if named.is_none() {
            self.errors.push(declaration::unknown(name, span));
        }
        let kind = HeaderKind::Dialect(named.unwrap_or_default());
        HeaderParam { kind, span }
    }

    pub(crate) fn header_range(
        &mut self,
        kind: HeaderRangeKind,
        lo: i32,
        hi: i32,
        span: Span,
    ) -> HeaderParam {
        let kind = match kind {
            HeaderRangeKind::GameNumber => HeaderKind::GameNumber(lo, hi),
            HeaderRangeKind::MatchCount => HeaderKind::MatchCount(lo, hi),
            HeaderRangeKind::SortMatchCount => HeaderKind::SortMatchCount(lo, hi),
        };
        HeaderParam { kind, span }
    }
}
