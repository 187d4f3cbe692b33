//! The query in another form.

use babson_lang::diagnostic::Edit;
use babson_lang::hir::Query;
use babson_lang::text::{Spelling, convert};

use super::sound::{are_equal, typed};
use crate::analysis::Analysis;
use crate::answer::{Action, ActionKind};
use crate::options::Options;

/// The spellings in ASCII and in Unicode, if they differ from the text.
pub(super) fn spellings(analysis: &Analysis<'_>, before: &Query, options: &Options) -> Vec<Action> {
    let text = analysis.source.text;
    let spellings =
        [(Spelling::Ascii, "write it in ASCII"), (Spelling::Unicode, "write it with symbols")];
    let converted = spellings.into_iter().filter_map(|(spelling, title)| {
        let new = convert(text, spelling, analysis.source.dialect).ok()?;
        let is_sound = || typed(&new, options).is_some_and(|after| are_equal(before, &after));
        (new != text && is_sound()).then(|| whole(text, &new, title))
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
    Some(whole(text, &modern.query, "convert to modern CQL"))
}

/// Makes the new text of the whole one.
fn whole(text: &str, new: &str, title: &str) -> Action {
    let edits = vec![Edit::between(text, new)];
    Action { title: title.to_owned(), kind: ActionKind::Rewrite, edits }
}
