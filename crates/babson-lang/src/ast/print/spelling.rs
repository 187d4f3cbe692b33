//! Prints designators, ranges and flags.

use crate::ast::*;
use crate::literals::square_names;

/// The spelling of a designator with the fewest pieces; squares are listed individually.
pub fn designator(d: &DesignatorLiteral) -> String {
    let mut out = String::new();
    if d.has_pieces {
        out = d.pieces.to_string();
    }
    if d.has_squares {
        let squares = square_names(d.squares);
        if squares.len() == 1 {
            out.push_str(&squares[0])
        } else {
            out.push_str(&format!("[{}]", squares.join(",")))
        }
    }
    out
}

pub(super) fn range_text(range: &RangeParam) -> String {
    let bound = |b: &RangeBound| match &b.kind {
        RangeBoundKind::Int(n) => n.to_string(),
        RangeBoundKind::Name(name) => name.clone(),
    };
    match range {
        RangeParam::Count(_) => " count".to_string(),
        RangeParam::Bounds { lo, hi: None } => format!(" {}", bound(lo)),
        RangeParam::Bounds { lo, hi: Some(hi) } => format!(" {} {}", bound(lo), bound(hi)),
    }
}

pub(super) fn repeat(r: &Wildcard) -> String {
    match r.max {
        Some(max) => format!(" {{{},{max}}}", r.min),
        None => format!(" {{{},}}", r.min),
    }
}

pub(super) fn storage_text(s: &Storage) -> String {
    let order = [Keyword::Atomic, Keyword::Persistent, Keyword::Quiet, Keyword::Local];
    order.iter().filter(|word| s.has(**word)).flat_map(|word| [word.name(), " "]).collect()
}

/// The words that are set, with the separator before each.
pub(crate) fn flags(separator: &str, words: &[(bool, &str)]) -> String {
    words.iter().filter(|word| word.0).flat_map(|word| [separator, word.1]).collect()
}
