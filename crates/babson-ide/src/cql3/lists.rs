//! The lists of a query of CQL 3: its outline, the parameters of a keyword, and what a list leaves
//! implicit.

use babson_lang::Span;
use babson_lang::keywords::Keyword;
use babson_lang::text::TokenClass;

use super::keyword_of;
use super::tags_and_sums::{Cql3NameKind, names};
use crate::answer::{HintKind, InlayHint, ReferenceKind, Signature, Symbol, SymbolKind};
use crate::book::{forms, places};
use crate::limits::MAX_SIGNATURES;
use crate::markdown::described;
use crate::options::Options;
use crate::source::{Source, SourceToken, shortened};
use crate::transforms::{self, SHIFTS, in_versions};

/// The position lists, each with its tags, sums and lists. Lists in too many others are left out.
pub(crate) fn symbols(source: &Source<'_>) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    for (at, pair) in source.tokens.windows(2).enumerate() {
        let [open, head] = pair else { continue };
        // What shows the lists takes stack for each that is within another one.
        if open.text != "(" || head.text != "position" || source.is_too_deep(at) {
            continue;
        }
        let last = source.closing(at).unwrap_or(source.tokens.len() - 1);
        let place = open.span.to(source.tokens[last].span);
        all.push(Symbol {
            name: without_brackets(place.text(source.text)),
            kind: SymbolKind::List,
            detail: String::new(),
            place,
            name_place: head.span,
            children: Vec::new(),
        });
    }
    for name in names(source).iter().filter(|name| name.role == ReferenceKind::Declaration) {
        let detail = match name.kind {
            Cql3NameKind::Tag => "tag",
            Cql3NameKind::Sum { .. } => "sum",
        };
        all.push(Symbol {
            name: name.text.to_owned(),
            kind: SymbolKind::Variable,
            detail: detail.to_owned(),
            place: name.place,
            name_place: name.place,
            children: Vec::new(),
        });
    }
    all.sort_by_key(|one| (one.place.start, std::cmp::Reverse(one.place.end)));
    all
}

/// A list on one line, without its parentheses.
fn without_brackets(list: &str) -> String {
    let inner = list.strip_prefix('(').unwrap_or(list);
    shortened(inner.strip_suffix(')').unwrap_or(inner))
}

/// The forms of the keyword whose parameters are written at an offset.
pub(crate) fn signature(source: &Source<'_>, offset: usize, options: &Options) -> Vec<Signature> {
    let before = source.tokens.partition_point(|token| (token.span.start as usize) < offset);
    let open = source.opening(before);
    // The values between the keyword and the place, the last one first.
    let mut values: Vec<&SourceToken<'_>> = Vec::new();
    let mut next = before;
    while let Some(at) = next.checked_sub(1).filter(|&at| open.is_none_or(|open| at > open)) {
        let token = &source.tokens[at];
        if let Some(keyword) = keyword_of(token) {
            let is_after = (token.span.end as usize) < offset;
            values.reverse();
            return if is_after { forms_of(keyword, &values, options) } else { Vec::new() };
        }
        // The word at the place is still being written.
        if (token.span.end as usize) < offset || token.text == ")" {
            values.push(token);
        }
        next = match token.text {
            ")" => source.opening(at).unwrap_or(at),
            _ => at,
        };
    }
    // The list of a keyword, such as the designators of `:ray`.
    let keyword = open.and_then(|open| open.checked_sub(1));
    match keyword.and_then(|keyword| keyword_of(&source.tokens[keyword])) {
        Some(keyword) => {
            values.reverse();
            forms_of(keyword, &values, options)
        }
        None => Vec::new(),
    }
}

/// The forms of a keyword that have a parameter after these values.
fn forms_of(keyword: &str, values: &[&SourceToken<'_>], options: &Options) -> Vec<Signature> {
    let word = format!(":{keyword}");
    let book = options.entries();
    let mut found = Vec::new();
    for entry in book.beginning_with(&word) {
        for form in forms(&entry.forms).filter(|form| form.split(' ').next() == Some(&word)) {
            let parameters = places(form);
            let active = active(form, &parameters, values);
            if active < parameters.len() {
                let (label, doc) = (form.to_owned(), Some(described(entry)));
                found.push(Signature { label, doc, parameters, active: Some(active) });
            }
        }
    }
    found.truncate(MAX_SIGNATURES);
    found
}

/// The index of the parameter after these values. A range has one number or two.
fn active(form: &str, parameters: &[Span], values: &[&SourceToken<'_>]) -> usize {
    let (mut active, mut numbers) = (0, 0);
    for value in values {
        let is_range = parameters.get(active).is_some_and(|place| place.text(form) == "R");
        numbers = if is_range && value.class == TokenClass::Number { numbers + 1 } else { 0 };
        if !is_range || numbers == 2 {
            active += 1;
            numbers = 0;
        }
    }
    active
}

/// The versions of a list that its transforms make.
pub(crate) fn inlay_hints(source: &Source<'_>, range: Span) -> Vec<InlayHint> {
    let mut found = Vec::new();
    for (at, token) in source.tokens.iter().enumerate() {
        let Some(keyword) = keyword_of(token) else { continue };
        let Some(versions) = versions(keyword) else { continue };
        // In the list of `:relation` the same words say what the two positions have in common.
        let head = source.opening(at).and_then(|open| source.tokens.get(open + 1));
        let offset = token.span.end;
        if head.is_some_and(|head| head.text == "position")
            && range.start <= offset
            && offset <= range.end
        {
            let label = in_versions(versions);
            let help = format!("the list is tested {label}, and matches if one does");
            found.push(InlayHint { offset, label, kind: HintKind::Iteration, help });
        }
    }
    found
}

/// How many versions of a list a transform makes at most. Modern queries have some of the words.
fn versions(keyword: &str) -> Option<u32> {
    match keyword {
        "flipdiagonal" | "flipoffdiagonal" => Some(2),
        "shiftmaindiagonal" | "shiftoffdiagonal" => Some(SHIFTS),
        // Both diagonals have the list itself.
        "shiftdiagonal" => Some(2 * SHIFTS - 1),
        _ => transforms::versions(Keyword::from_word(keyword)?),
    }
}
