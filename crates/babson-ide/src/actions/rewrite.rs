//! The query in another form.

use babson_lang::diagnostic::Edit;
use babson_lang::hir::Query;
use babson_lang::text::{Spelling, convert};

use super::sound::{are_equal, typed};
use crate::analysis::Analysis;
use crate::answer::{Action, ActionKind};
use crate::options::Options;
use crate::source::span;

/// The spellings in ASCII and in Unicode, if they differ from the text.
pub(super) fn spellings(analysis: &Analysis<'_>, before: &Query, options: &Options) -> Vec<Action> {
    let text = analysis.source.text;
    let spellings =
        [(Spelling::Ascii, "write it in ASCII"), (Spelling::Unicode, "write it with symbols")];
    let converted = spellings.into_iter().filter_map(|(spelling, title)| {
        let new = convert(text, spelling, analysis.source.dialect).ok()?;
        let is_sound = || typed(&new, options).is_some_and(|after| are_equal(before, &after));
        (new != text && is_sound()).then(|| whole(text, new, title))
    });
    converted.collect()
}

/// The modern form of a query of CQL 3.
pub(super) fn to_modern(text: &str, options: &Options) -> Option<Action> {
    if !babson_lang::cql3::begins_query(text) {
        return None;
    }
    let modern = babson_cql3::to_modern(text).ok()?;
    typed(&modern.query, options)?;
    Some(whole(text, modern.query, "convert to modern CQL"))
}

/// Replaces the whole text, but for what is equal at both ends.
fn whole(text: &str, new: String, title: &str) -> Action {
    let before = text.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    let before = crate::source::border(text, before);
    let rest = text.len().min(new.len()) - before;
    let after = text.bytes().rev().zip(new.bytes().rev());
    let mut after = after.take(rest).take_while(|(one, other)| one == other).count();
    while !text.is_char_boundary(text.len() - after) {
        after -= 1;
    }
    let inserted = new.get(before..new.len() - after).unwrap_or_default();
    let edits = vec![Edit::new(span(before, text.len() - after), inserted)];
    Action { title: title.to_owned(), kind: ActionKind::Rewrite, edits }
}
