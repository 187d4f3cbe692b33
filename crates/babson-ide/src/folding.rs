//! The parts of a query that an editor can fold.

use crate::answer::{Fold, FoldKind};
use crate::options::Options;
use crate::source::{Source, span, stands_alone};

/// The brackets and comments that span several lines, the outer ones first. Comments to the end of
/// the line that stand on lines one after another are one part.
///
/// ```
/// use babson_ide::{FoldKind, Options, folds};
///
/// let text = "// one\n// two\nflip {\n  mate\n}\n";
/// let found = folds(text, &Options::default());
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].kind, FoldKind::Comment);
/// assert_eq!(found[1].span.text(text), "{\n  mate\n}");
/// ```
pub fn folds(text: &str, options: &Options) -> Vec<Fold> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    let mut found = Vec::new();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let is_long = |start: usize, end: usize| {
        let next = ends.partition_point(|&at| at < start);
        ends.get(next).is_some_and(|&at| at < end)
    };
    for at in 0..source.tokens.len() {
        let Some(closing) = source.closing(at) else { continue };
        let (start, end) = (source.tokens[at].span.start, source.tokens[closing].span.end);
        if is_long(start as usize, end as usize) {
            found.push(Fold { span: span(start as usize, end as usize), kind: FoldKind::Region });
        }
    }
    let mut comments = source.comments.iter().peekable();
    while let Some(&first) = comments.next() {
        let mut end = first.end;
        // Only comments that stand alone on their lines belong together.
        while let Some(next) = comments.peek()
            && let Some(between) = text.get(end as usize..next.start as usize)
            && between.trim().is_empty()
            && between.matches('\n').count() == 1
            && stands_alone(text, first.start as usize)
        {
            end = next.end;
            comments.next();
        }
        if is_long(first.start as usize, end as usize) {
            let span = span(first.start as usize, end as usize);
            found.push(Fold { span, kind: FoldKind::Comment });
        }
    }
    found.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    found
}
