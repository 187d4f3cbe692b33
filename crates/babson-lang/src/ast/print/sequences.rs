//! Prints the constituents of `path` and `line`.

use std::fmt::Write;

use super::expr::write_expr;
use super::spelling::{range_text, repeat};
use super::{form_in, list};
use crate::ast::*;

pub(super) fn seq_params(out: &mut String, params: &[SeqParam]) {
    for param in params {
        match &param.kind {
            SeqParamKind::Range(range) => out.push_str(&range_text(&Some(range.clone()))),
            SeqParamKind::Focus { capture, set } => {
                form_in(out, if *capture { "focus-capture" } else { "focus" }, [&**set]);
            }
            SeqParamKind::Max(e) => form_in(out, "max", [&**e]),
            SeqParamKind::Title(text) => {
                let _ = write!(out, " (title {:?})", text.value);
            }
            SeqParamKind::Flag(k) => {
                let _ = write!(out, " {}", k.name());
            }
        }
    }
}

pub(super) fn path_parts(out: &mut String, parts: &[PathConstituent]) {
    for part in parts {
        out.push(' ');
        match &part.kind {
            PathConstituentKind::Step { dash, targets } => {
                out.push_str("(step");
                list(out, [&**dash]);
                list(out, targets);
            }
            PathConstituentKind::Holder(e) => {
                out.push_str("(holder");
                list(out, [&**e]);
            }
            PathConstituentKind::Chain(parts) => {
                out.push_str("(chain");
                path_parts(out, parts);
            }
        }
        if let Some(r) = &part.repeat {
            out.push_str(&repeat(r));
        }
        out.push(')');
    }
}

pub(super) fn line_parts(out: &mut String, parts: &[LineConstituent]) {
    for part in parts {
        out.push_str(" (");
        match &part.kind {
            LineConstituentKind::Filter(e) => write_expr(out, e),
            LineConstituentKind::Group(parts) => {
                out.push_str("group");
                line_parts(out, parts);
            }
        }
        for r in &part.repeats {
            out.push_str(&repeat(r));
        }
        out.push(')');
    }
}
