//! What an editor selects around a place, one step after another.

use std::iter::successors;

use babson_lang::Span;
use babson_lang::ast::Expr;

use crate::analysis::Analysis;
use crate::limits::{MAX_NESTED, MAX_OPEN_BRACKETS};
use crate::options::Options;
use crate::source::{Source, border, span};

/// The parts of the query around an offset, the smallest first: the token, the expressions around
/// it, what brackets enclose, with and without them, and the whole query. Of very many parts the
/// smallest count.
///
/// ```
/// use babson_ide::{Options, selection};
///
/// let text = "flip { R attacks k }";
/// let found = selection(text, 8, &Options::default());
/// let texts: Vec<&str> = found.iter().map(|span| span.text(text)).collect();
/// assert_eq!(texts, ["R", "R attacks k", "{ R attacks k }", "flip { R attacks k }"]);
/// ```
pub fn selection(text: &str, offset: usize, options: &Options) -> Vec<Span> {
    selections(text, &[offset], options).pop().unwrap_or_default()
}

/// The parts of the query around each of these offsets, as [`selection`] gives them. The query is
/// read once.
///
/// ```
/// use babson_ide::{Options, selection, selections};
///
/// let (text, options) = ("flip { R attacks k }", Options::default());
/// let found = selections(text, &[8, 18], &options);
/// assert_eq!(found, [selection(text, 8, &options), selection(text, 18, &options)]);
/// ```
pub fn selections(text: &str, offsets: &[usize], options: &Options) -> Vec<Vec<Span>> {
    let Some(source) = Source::new(text, options) else {
        return vec![vec![span(0, text.len())]; offsets.len()];
    };
    let tree = Analysis::new(text, options).and_then(|analysis| analysis.known.tree);
    let items = tree.as_ref().map_or(&[][..], |tree| &tree.items);
    offsets.iter().map(|&offset| around_offset(&source, items, border(text, offset))).collect()
}

/// The parts around an offset of a query with these filters.
fn around_offset(source: &Source<'_>, items: &[Expr], offset: usize) -> Vec<Span> {
    let text = source.text;
    let whole = span(0, text.len());
    let mut parts = vec![whole];
    parts.extend(source.comment_at(offset));
    if let Some(at) = source.token_at(offset) {
        parts.push(source.tokens[at].span);
        let around = successors(Some(at), |&at| source.opening(at));
        // The token itself may be a bracket.
        for at in around.take(MAX_OPEN_BRACKETS + 1) {
            if let Some(closing) = source.closing(at) {
                let (open, close) = (source.tokens[at].span, source.tokens[closing].span);
                parts.push(open.to(close));
                parts.push(trimmed(text, Span::new(open.end, close.start)));
            }
        }
    }
    items.iter().for_each(|item| around(item, offset, &mut parts));
    let holds = |part: &Span| {
        let (start, end) = (part.start as usize, part.end as usize);
        start <= offset && offset <= end && start < end && end <= text.len()
    };
    parts.retain(holds);
    parts.sort_by_key(|part| (part.end - part.start, part.start));
    // Of two parts that overlap, the smaller one counts.
    let mut found: Vec<Span> = Vec::new();
    for part in parts {
        let is_outer = |inner: &Span| part != *inner && part.to(*inner) == part;
        if found.last().is_none_or(is_outer) {
            found.push(part);
        }
    }
    if found.is_empty() || found.len() > MAX_NESTED {
        found.truncate(MAX_NESTED - 1);
        found.push(whole);
    }
    found
}

/// The expressions around an offset.
fn around(e: &Expr, offset: usize, parts: &mut Vec<Span>) {
    if e.span.start as usize <= offset && offset <= e.span.end as usize {
        parts.push(e.span);
        e.kind.for_each_child(&mut |child| around(child, offset, parts));
    }
}

/// The part without the whitespace at its ends.
fn trimmed(text: &str, part: Span) -> Span {
    let inner = part.text(text);
    let start = part.start as usize + (inner.len() - inner.trim_start().len());
    span(start, start + inner.trim().len())
}
