//! The names in a query of CQL 3: the tags of `:forany`, and the sums of `:accumulate`.

use std::collections::{HashMap, HashSet};

use babson_lang::Span;
use babson_lang::diagnostic::{Edit, Fix};
use babson_lang::text::TokenClass;

use super::keyword_of;
use crate::answer::{Definition, FileEdit, FileSpan, Reference, ReferenceKind, RenameRefusal};
use crate::source::{Source, SourceToken, span};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cql3NameKind {
    /// Pieces that `:forany` names.
    Tag,
    /// A number that `:accumulate` counts in the list of the match list that has this bracket.
    Sum { list: Option<usize> },
}

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) kind: Cql3NameKind,
    /// The name alone, without quotes, `$` and squares.
    pub(super) place: Span,
    /// The index of its token.
    pub(super) at: usize,
    pub(super) role: ReferenceKind,
}

impl Name<'_> {
    /// Whether both mean the same.
    pub(super) fn is_same(&self, other: &Name<'_>) -> bool {
        self.text == other.text && self.kind == other.kind
    }
}

/// The names of a query, in the order of the text.
pub(super) fn names<'t>(source: &Source<'t>) -> Vec<Name<'t>> {
    let mut found: Vec<Name<'t>> = Vec::new();
    let lists = outer_lists(source);
    // Nothing declares a sum but the first place that adds to it.
    let mut sums: HashSet<(&str, Cql3NameKind)> = HashSet::new();
    for (at, token) in source.tokens.iter().enumerate() {
        if let Some(tag) = tag_of(token) {
            let (kind, role) = (Cql3NameKind::Tag, ReferenceKind::Read);
            found.push(Name { text: tag.text(source.text), kind, place: tag, at, role });
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| keyword_of(&source.tokens[before]));
        let sum = || Cql3NameKind::Sum { list: lists[at] };
        let (kind, role) = match before {
            Some("forany") => (Cql3NameKind::Tag, ReferenceKind::Declaration),
            Some("tagmatch") => (Cql3NameKind::Tag, ReferenceKind::Read),
            Some("accumulate") => (sum(), ReferenceKind::Write),
            Some("sumrange") => (sum(), ReferenceKind::Read),
            Some(_) | None => continue,
        };
        let Some(place) = written_name(token) else { continue };
        let text = place.text(source.text);
        let role = match role {
            ReferenceKind::Write if sums.insert((text, kind)) => ReferenceKind::Declaration,
            ReferenceKind::Declaration | ReferenceKind::Read | ReferenceKind::Write => role,
        };
        found.push(Name { text, kind, place, at, role });
    }
    found
}

/// The tag of a designator: `rook` in `$rook[a1]`.
fn tag_of(token: &SourceToken<'_>) -> Option<Span> {
    let rest = token.text.strip_prefix('$')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let start = token.span.start as usize + 1;
    (end > 0).then(|| span(start, start + end))
}

/// The place of a name that a keyword takes, which may be in quotes.
pub(super) fn written_name(token: &SourceToken<'_>) -> Option<Span> {
    if token.class == TokenClass::Symbol || token.class == TokenClass::Keyword {
        return None;
    }
    let inner = token.text.trim_start_matches('"');
    let start = token.span.start as usize + (token.text.len() - inner.len());
    let place = span(start, start + inner.trim_end_matches('"').len());
    (place.start < place.end).then_some(place)
}

/// The brackets of the lists of the match list that the tokens are in.
fn outer_lists(source: &Source<'_>) -> Vec<Option<usize>> {
    let mut lists: Vec<Option<usize>> = Vec::with_capacity(source.tokens.len());
    for at in 0..source.tokens.len() {
        let list = source.opening(at).and_then(|open| {
            // The bracket of the match list is in no other one.
            lists[open].or_else(|| source.opening(open).map(|_| open))
        });
        lists.push(list);
    }
    lists
}

/// The name at an offset; the offset may be at its end.
pub(super) fn name_at<'t>(source: &Source<'t>, offset: usize) -> Option<Name<'t>> {
    let holds =
        |one: &Name<'_>| one.place.start as usize <= offset && offset <= one.place.end as usize;
    names(source).into_iter().find(holds)
}

/// The places that mean the same as the name at an offset.
fn same_names<'t>(source: &Source<'t>, offset: usize) -> Vec<Name<'t>> {
    let Some(here) = name_at(source, offset) else { return Vec::new() };
    let mut found = names(source);
    found.retain(|one| one.is_same(&here));
    found
}

/// Where the name at an offset is declared.
pub(crate) fn definition(source: &Source<'_>, offset: usize) -> Option<Definition> {
    let here = name_at(source, offset)?;
    let same = same_names(source, offset);
    let declared = same.iter().find(|one| one.role == ReferenceKind::Declaration)?;
    Some(Definition { origin: here.place, target: FileSpan::new(None, declared.place) })
}

/// The places that mean the same as the name at an offset.
pub(crate) fn references(source: &Source<'_>, offset: usize) -> Vec<Reference> {
    let reference =
        |one: Name<'_>| Reference { place: FileSpan::new(None, one.place), kind: one.role };
    same_names(source, offset).into_iter().map(reference).collect()
}

/// The name at an offset that can have another name.
pub(crate) fn renamed_place(source: &Source<'_>, offset: usize) -> Option<Span> {
    definition(source, offset).map(|found| found.origin)
}

/// The edits that give the name at an offset another name.
///
/// # Errors
/// The place has no name, the new name cannot be one, or the query would change its meaning.
pub(crate) fn rename(
    source: &Source<'_>,
    offset: usize,
    name: &str,
) -> Result<Vec<FileEdit>, RenameRefusal> {
    let here = name_at(source, offset).ok_or(RenameRefusal::NoName)?;
    if renamed_place(source, offset).is_none() {
        return Err(RenameRefusal::Undeclared);
    }
    let is_sum = here.kind != Cql3NameKind::Tag;
    let is_letter = |c: char| c.is_ascii_alphanumeric() || is_sum && c == '_';
    if name.is_empty() || !name.chars().all(is_letter) {
        return Err(RenameRefusal::NotAName);
    }
    let same = same_names(source, offset);
    let edits: Vec<Edit> = same.iter().map(|one| Edit::new(one.place, name)).collect();
    let fix = Fix::edit("", edits.clone());
    let renamed = fix.apply(source.text).ok_or(RenameRefusal::NoName)?;
    if !means_the_same(source, &Source::in_dialect(&renamed, source.dialect)) {
        return Err(RenameRefusal::Collision);
    }
    let edit = |edit: Edit| FileEdit { file: None, span: edit.span, text: edit.text };
    Ok(edits.into_iter().map(edit).collect())
}

/// Whether the names of a query are the same in another one, and nothing is wrong that was right.
fn means_the_same(before: &Source<'_>, after: &Source<'_>) -> bool {
    let groups = |source: &Source<'_>| -> Vec<usize> {
        let mut first: HashMap<(&str, Cql3NameKind), usize> = HashMap::new();
        let all = names(source);
        let all = all.iter().enumerate();
        all.map(|(at, one)| *first.entry((one.text, one.kind)).or_insert(at)).collect()
    };
    let errors = |source: &Source<'_>| {
        babson_cql3::analyze(source.text, source.dialect).map_or_else(|errors| errors.len(), |_| 0)
    };
    groups(before) == groups(after) && errors(after) <= errors(before)
}
