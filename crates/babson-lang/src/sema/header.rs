//! The parameters of `cql(…)` (docs/src/language/header.md#the-header). The parser has rejected
//! repeated ones.

use crate::ast::{self, HeaderKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{CommentLevel, FileName, Header};

/// The typed header.
pub(super) fn lower(header: &ast::Header) -> Header {
    let mut out = Header::default();
    for param in &header.params {
        match &param.kind {
            HeaderKind::Input(file) => out.input = Some(named(file, param)),
            HeaderKind::Output(file) => out.output = Some(named(file, param)),
            // The caller has chosen the dialect already.
            HeaderKind::Dialect(_) => {}
            HeaderKind::Variations => out.variations = true,
            HeaderKind::MatchCount(lo, hi) => out.match_count = Some((*lo, *hi)),
            HeaderKind::SortMatchCount(lo, hi) => {
                out.match_count = Some((*lo, *hi));
                out.sort_match_count = true;
            }
            HeaderKind::GameNumber(lo, hi) => out.game_number = Some((*lo, *hi)),
            HeaderKind::Result(r) => out.result = Some(*r),
            HeaderKind::MatchString(text) => out.match_string = Some(text.clone()),
            // The first of the two wins.
            HeaderKind::Quiet | HeaderKind::Silent if out.comment_level != CommentLevel::Normal => {
            }
            HeaderKind::Quiet => out.comment_level = CommentLevel::Quiet,
            HeaderKind::Silent => out.comment_level = CommentLevel::Silent,
        }
    }
    out
}

/// The warnings for ranges that contain nothing, so that no game matches.
pub(super) fn empty_ranges(header: &ast::Header) -> Vec<Diagnostic> {
    let is_empty = |param: &&ast::HeaderParam| match param.kind {
        HeaderKind::MatchCount(low, high)
        | HeaderKind::SortMatchCount(low, high)
        | HeaderKind::GameNumber(low, high) => high < low,
        HeaderKind::Input(_)
        | HeaderKind::Output(_)
        | HeaderKind::Dialect(_)
        | HeaderKind::Variations
        | HeaderKind::Result(_)
        | HeaderKind::MatchString(_)
        | HeaderKind::Quiet
        | HeaderKind::Silent => false,
    };
    let empty = header.params.iter().filter(is_empty);
    empty
        .map(|param| {
            let message = "this range is empty, so no game matches: the second number is smaller";
            Diagnostic::new(Code::EmptyHeaderRange, param.span, message)
        })
        .collect()
}

fn named(file: &str, param: &ast::HeaderParam) -> FileName {
    FileName { name: file.to_owned(), any_ending: false, span: param.span }
}
