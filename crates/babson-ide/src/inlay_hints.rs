//! What the text leaves implicit: types, iteration, `and`.

use babson_lang::Span;
use babson_lang::ast::{Expr, ExprKind, LoopKind};
use babson_lang::keywords::Keyword;

use crate::analysis::Analysis;
use crate::answer::{HintKind, InlayHint};
use crate::cql3;
use crate::name_index::BindingKind;
use crate::options::Options;
use crate::source::{Source, first_word, shortened};
use crate::transforms::{in_versions, versions};
use crate::types;

/// What the text between two offsets leaves implicit, in its order: the types of variables where
/// they are declared, the iteration of transforms and of loops without a keyword, and the `and`
/// between filters on one line. In a query of CQL 3 only the transforms leave something implicit.
///
/// ```
/// use babson_ide::{Options, inlay_hints};
/// use babson_lang::Span;
///
/// let text = "x = #Q flip check";
/// let whole = Span::new(0, text.len() as u32);
/// let hints = inlay_hints(text, whole, &Options::default());
/// let shown: Vec<(u32, &str)> =
///     hints.iter().map(|hint| (hint.offset, hint.label.as_str())).collect();
/// assert_eq!(shown, [(1, ": number"), (6, "and"), (11, "in up to 8 versions")]);
/// ```
pub fn inlay_hints(text: &str, range: Span, options: &Options) -> Vec<InlayHint> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    if source.is_cql3 {
        return cql3::inlay_hints(&source, range);
    }
    let Some(analysis) = Analysis::of(source, options) else { return Vec::new() };
    let mut found = Vec::new();
    variable_types(&analysis, &mut found);
    let items = analysis.known.tree.iter().flat_map(|tree| &tree.items);
    let own: Vec<&Expr> = items.filter(|item| analysis.is_own(item.span)).collect();
    conjunction(text, &own, &mut found);
    own.iter().for_each(|item| of_filter(&analysis, item, &mut found));
    found.retain(|hint| range.start <= hint.offset && hint.offset <= range.end);
    found.sort_by_key(|hint| hint.offset);
    found
}

fn variable_types(analysis: &Analysis<'_>, found: &mut Vec<InlayHint>) {
    for (binding, ty) in analysis.names.bindings.iter().zip(types::of_bindings(analysis)) {
        let has_type = matches!(
            binding.kind,
            BindingKind::Variable | BindingKind::Loop | BindingKind::Parameter
        );
        if let Some(place) = binding.place.filter(|&place| has_type && analysis.is_own(place))
            && let Some(ty) = ty
        {
            let (label, name) = (format!(": {}", ty.name()), &binding.name);
            let help = format!("`{name}` is a {}", ty.name());
            found.push(InlayHint { offset: place.end, label, kind: HintKind::Type, help });
        }
    }
}

/// The `and` between filters of a list, where they stand on one line.
fn conjunction(text: &str, filters: &[&Expr], found: &mut Vec<InlayHint>) {
    for pair in filters.windows(2) {
        let [first, second] = pair else { continue };
        let between = Span::new(first.span.end, second.span.start.max(first.span.end)).text(text);
        let is_filter = |e: &Expr| {
            let is_definition = matches!(
                e.kind,
                ExprKind::Function { .. }
                    | ExprKind::Dictionary { .. }
                    | ExprKind::Hook { .. }
                    | ExprKind::Error
            );
            let is_import = matches!(&e.kind, ExprKind::Filter(f) if f.keyword == Keyword::Import);
            !is_definition && !is_import
        };
        let is_plain = !between.is_empty() && between.chars().all(|c| c == ' ' || c == '\t');
        if is_plain && is_filter(first) && is_filter(second) {
            found.push(InlayHint {
                offset: first.span.end,
                label: "and".to_owned(),
                kind: HintKind::And,
                help: "filters one after another must all match".to_owned(),
            });
        }
    }
}

fn of_filter(analysis: &Analysis<'_>, e: &Expr, found: &mut Vec<InlayHint>) {
    let text = analysis.source.text;
    if let ExprKind::Block(items) | ExprKind::Hook { body: items, .. } = &e.kind {
        conjunction(text, &items.iter().collect::<Vec<_>>(), found);
    } else if let ExprKind::Function { body, .. } = &e.kind {
        conjunction(text, &body.iter().collect::<Vec<_>>(), found);
    } else if let ExprKind::ForEach { kind, all, set, .. } = &e.kind {
        element_loop(analysis, e, *kind, *all, set.span, found);
    } else if let ExprKind::Filter(filter) = &e.kind {
        of_keyword(text, e, filter.keyword, found);
    }
    e.kind.for_each_child(&mut |child| of_filter(analysis, child, found));
}

/// A loop that a symbol writes: `x ∊ S F`, `[Aa]x ∊ S F`.
fn element_loop(
    analysis: &Analysis<'_>,
    e: &Expr,
    kind: LoopKind,
    all: bool,
    set: Span,
    found: &mut Vec<InlayHint>,
) {
    let text = analysis.source.text;
    let begins_with_word =
        |word: &str| e.span.text(text).get(..word.len()).is_some_and(|start| start == word);
    let element = match kind {
        LoopKind::Piece if begins_with_word("piece") => return,
        LoopKind::Square | LoopKind::Key | LoopKind::String => return,
        LoopKind::Piece => "piece",
        // The name of a dictionary alone has no type.
        LoopKind::Element if analysis.known.type_at(set).is_some() => "square",
        LoopKind::Element => "key",
    };
    let source = shortened(set.text(text));
    let quantity = if all { "every" } else { "each" };
    found.push(InlayHint {
        offset: set.end,
        label: format!("for {quantity} {element} of {source}"),
        kind: HintKind::Iteration,
        help: format!("the filter after it is evaluated for {quantity} {element} of {source}"),
    });
}

/// A filter that is evaluated for several versions, pieces or positions.
fn of_keyword(text: &str, e: &Expr, keyword: Keyword, found: &mut Vec<InlayHint>) {
    let Some(label) = iteration_of(keyword) else { return };
    let help = format!("`{}` is evaluated {label}; equal ones count once", keyword.name());
    let offset = first_word(text, e.span).end;
    found.push(InlayHint { offset, label, kind: HintKind::Iteration, help });
}

/// What a filter is evaluated for, if its word does not say it.
fn iteration_of(keyword: Keyword) -> Option<String> {
    match keyword == Keyword::Echo {
        true => Some("for each pair of positions".to_owned()),
        false => versions(keyword).map(in_versions),
    }
}
