//! The header.

use super::Builder;
use crate::ast::*;

impl<'s> Builder<'s> {
    pub(crate) fn header(&mut self, params: Vec<HeaderParam>, l: u32, r: u32) -> Header {
        for (i, param) in params.iter().enumerate() {
            let repeatable = matches!(
                param.kind,
                HeaderKind::Variations | HeaderKind::Quiet | HeaderKind::Silent
            );
            let is_count = |p: &HeaderParam| {
                matches!(
                    p.kind,
                    HeaderKind::MatchCount(..) | HeaderKind::SortMatchCount(..)
                )
            };
            let same = |p: &HeaderParam| {
                std::mem::discriminant(&p.kind) == std::mem::discriminant(&param.kind)
                    || is_count(p) && is_count(param)
            };
            if !repeatable && params[..i].iter().any(same) {
                self.error(param.span, "this parameter is written twice");
            }
        }
        Header {
            params,
            span: Span::new(l, r),
        }
    }

    pub(crate) fn header_file(&mut self, input: bool, file: &str, l: u32, r: u32) -> HeaderParam {
        let span = Span::new(l, r);
        if file.is_empty() {
            let word = if input { "input" } else { "output" };
            self.error(span, format!("`{word}` needs the name of a file"));
        }
        let kind = if input {
            HeaderKind::Input(file.to_string())
        } else {
            HeaderKind::Output(file.to_string())
        };
        HeaderParam { kind, span }
    }

    pub(crate) fn header_flag(&mut self, keyword: Keyword, l: u32, r: u32) -> HeaderParam {
        let kind = match keyword {
            Keyword::Quiet => HeaderKind::Quiet,
            Keyword::Silent => HeaderKind::Silent,
            _ => HeaderKind::Variations,
        };
        HeaderParam {
            kind,
            span: Span::new(l, r),
        }
    }

    pub(crate) fn header_range(
        &mut self,
        keyword: Keyword,
        lo: i32,
        hi: i32,
        l: u32,
        r: u32,
    ) -> HeaderParam {
        let span = Span::new(l, r);
        if hi < lo {
            self.error(span, "this range is empty: the second number is smaller");
        }
        let kind = match keyword {
            Keyword::GameNumber => HeaderKind::GameNumber(lo, hi),
            Keyword::Sort => HeaderKind::SortMatchCount(lo, hi),
            _ => HeaderKind::MatchCount(lo, hi),
        };
        HeaderParam { kind, span }
    }
}
