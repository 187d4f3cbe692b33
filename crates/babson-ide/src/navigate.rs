//! Where names are declared and used, and another name for one.

use std::collections::HashMap;

use babson_lang::Span;
use babson_lang::diagnostic::{Edit, Fix};
use babson_lang::imports::{library_key, library_name, library_text};
use babson_lang::keywords::Keyword;
use babson_lang::text::{TokenClass, is_variable_name};

use crate::analysis::Analysis;
use crate::answer::{Definition, FileEdit, FileSpan, Reference, ReferenceKind, RenameRefusal};
use crate::cql3;
use crate::name_index::{Binding, BindingKind, NameIndex, Occurrence, Role};
use crate::options::Options;
use crate::source::{Source, border};

/// Where the name at an offset is declared, or the file that an `import` names. `None` if there is
/// no name, or nothing declares it.
///
/// ```
/// use babson_ide::{Options, definition};
///
/// let text = "function twice(x) { x * 2 } twice(ply) > 40";
/// let found = definition(text, 30, &Options::default()).unwrap();
/// assert_eq!(found.target.span.text(text), "twice");
/// assert_eq!(found.target.file, None);
/// ```
pub fn definition(text: &str, offset: usize, options: &Options) -> Option<Definition> {
    let source = Source::new(text, options)?;
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::definition(&source, offset);
    }
    let analysis = Analysis::of(source, options)?;
    if let Some(found) = imported_file(&analysis, offset, options) {
        return Some(found);
    }
    let here = analysis.names.at(offset).filter(|one| analysis.is_own(one.place))?;
    let place = analysis.names.bindings[here.binding].place?;
    Some(Definition { origin: here.place, target: analysis.file_span(place) })
}

/// The file that the string of an `import` names.
fn imported_file(analysis: &Analysis<'_>, offset: usize, options: &Options) -> Option<Definition> {
    let source = &analysis.source;
    let at = source.token_at(offset)?;
    let token = source.tokens[at];
    let before = source.tokens.get(at.checked_sub(1)?)?;
    if token.class != TokenClass::String || before.keyword() != Some(Keyword::Import) {
        return None;
    }
    let name = token.text.trim_matches('"');
    let found = options.imports.find(name, None).ok().flatten().map(|found| found.key);
    let key = found.or_else(|| library_text(name).map(|_| library_key(name)))?;
    let target = FileSpan { file: Some(key), span: Span::new(0, 0) };
    Some(Definition { origin: token.span, target })
}

/// The places that mean the same as the name at an offset, in the query and the files that it
/// imports, in the order of the text. Empty if there is no name.
///
/// ```
/// use babson_ide::{Options, references};
///
/// let text = "x = #Q x > 1 square x in R x attacks k";
/// let places = references(text, 7, &Options::default());
/// let starts: Vec<u32> = places.iter().map(|one| one.place.span.start).collect();
/// assert_eq!(starts, [0, 7]);
/// ```
pub fn references(text: &str, offset: usize, options: &Options) -> Vec<Reference> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::references(&source, offset);
    }
    let Some(analysis) = Analysis::of(source, options) else { return Vec::new() };
    let Some(here) = analysis.names.at(offset) else { return Vec::new() };
    if !analysis.is_own(here.place) {
        return Vec::new();
    }
    references_to_binding(&analysis, here.binding)
}

/// The places of a query, without its files, that mean what is declared at a place of a file that
/// it imports.
pub fn references_to(text: &str, target: &FileSpan, options: &Options) -> Vec<Reference> {
    let Some(analysis) = Analysis::new(text, options) else { return Vec::new() };
    let Some(binding) = declared_at(&analysis, target) else { return Vec::new() };
    let mut found = references_to_binding(&analysis, binding);
    found.retain(|one| one.place.file.is_none());
    found
}

/// What is declared at a place of a file.
fn declared_at(analysis: &Analysis<'_>, target: &FileSpan) -> Option<usize> {
    let is_it = |one: &Binding| one.place.is_some_and(|place| analysis.file_span(place) == *target);
    analysis.names.bindings.iter().position(is_it)
}

fn references_to_binding(analysis: &Analysis<'_>, binding: usize) -> Vec<Reference> {
    let reference = |role| match role {
        Role::Declaration => ReferenceKind::Declaration,
        Role::Write => ReferenceKind::Write,
        Role::Read => ReferenceKind::Read,
    };
    let places = analysis.names.of(binding);
    places
        .map(|one| Reference { place: analysis.file_span(one.place), kind: reference(one.role) })
        .collect()
}

/// The name at an offset that can have another name, if there is one.
pub fn renamed_place(text: &str, offset: usize, options: &Options) -> Option<Span> {
    let source = Source::new(text, options)?;
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::renamed_place(&source, offset);
    }
    let analysis = Analysis::of(source, options)?;
    let here = analysis.names.at(offset)?;
    let declared = analysis.names.bindings[here.binding].place?;
    let is_ours = !is_in_library(&analysis.file_span(declared));
    (analysis.is_own(here.place) && is_ours).then_some(here.place)
}

fn is_in_library(place: &FileSpan) -> bool {
    place.file.as_deref().and_then(library_name).is_some()
}

/// The edits that give the name at an offset another name, in the query and the files that it
/// imports. Every name means the same after them.
///
/// ```
/// use babson_ide::{Options, rename};
///
/// let text = "x = #Q x > 1";
/// let edits = rename(text, 0, "queens", &Options::default()).unwrap();
/// assert_eq!(edits.len(), 2);
/// assert!(rename("x = 1 y = 2 x > y", 0, "y", &Options::default()).is_err());
/// ```
///
/// # Errors
/// The place has no name, the new name cannot be one, or the query would change its meaning.
pub fn rename(
    text: &str,
    offset: usize,
    name: &str,
    options: &Options,
) -> Result<Vec<FileEdit>, RenameRefusal> {
    let source = Source::new(text, options).ok_or(RenameRefusal::NoName)?;
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::rename(&source, offset, name);
    }
    let analysis = Analysis::of(source, options).ok_or(RenameRefusal::NoName)?;
    let here = analysis.names.at(offset).ok_or(RenameRefusal::NoName)?;
    if !analysis.is_own(here.place) {
        return Err(RenameRefusal::NoName);
    }
    let declared = analysis.names.bindings[here.binding].place;
    if is_in_library(&analysis.file_span(declared.ok_or(RenameRefusal::Undeclared)?)) {
        return Err(RenameRefusal::Library);
    }
    if !is_variable_name(name) {
        return Err(RenameRefusal::NotAName);
    }
    renamed(&analysis, here.binding, name, options)
}

/// Renames a declaration of a file in a query that may import the file: the edits of the query and
/// of all files that it imports. Empty if the query does not know the name. Every name of the query
/// means the same after the edits.
///
/// # Errors
/// Something would mean something else.
pub fn rename_imported(
    text: &str,
    target: &FileSpan,
    name: &str,
    options: &Options,
) -> Result<Vec<FileEdit>, RenameRefusal> {
    let Some(analysis) = Analysis::new(text, options) else { return Ok(Vec::new()) };
    match declared_at(&analysis, target) {
        Some(binding) => renamed(&analysis, binding, name, options),
        None => Ok(Vec::new()),
    }
}

/// Whether a query that imports the file of the name at an offset can know it, or mean something
/// else if it has another name: parameters and variables of loops are only for their bodies.
pub fn is_shared(text: &str, offset: usize, options: &Options) -> bool {
    let Some(analysis) = Analysis::new(text, options) else { return false };
    analysis.names.at(border(text, offset)).is_some_and(|here| {
        let binding = &analysis.names.bindings[here.binding];
        binding.is_global || !matches!(binding.kind, BindingKind::Parameter | BindingKind::Loop)
    })
}

fn renamed(
    analysis: &Analysis<'_>,
    binding: usize,
    name: &str,
    options: &Options,
) -> Result<Vec<FileEdit>, RenameRefusal> {
    let places: Vec<Span> = analysis.names.of(binding).map(|one| one.place).collect();
    let edits: Vec<Edit> = places.iter().map(|&place| Edit::new(place, name)).collect();
    let Some(renamed) = Fix::edit("", edits.clone()).apply(&analysis.text) else {
        return Err(RenameRefusal::NoName);
    };
    if !means_the_same(analysis, &renamed, &edits, options) {
        return Err(RenameRefusal::Collision);
    }
    let edit = |edit: Edit| {
        let FileSpan { file, span } = analysis.file_span(edit.span);
        FileEdit { file, span, text: edit.text }
    };
    Ok(edits.into_iter().map(edit).collect())
}

/// Whether each name means the same after the edits, and nothing is wrong that was right.
fn means_the_same(before: &Analysis<'_>, renamed: &str, edits: &[Edit], options: &Options) -> bool {
    let Some(parts) = before.parts_after(edits) else { return false };
    let known = babson_lang::understand(renamed, &parts, before.source.dialect, &options.variants);
    let Some(tree) = &known.tree else { return false };
    let after = NameIndex::new(tree, renamed, before.source.dialect);
    // Bindings are numbered by their first occurrences.
    let groups = |index: &NameIndex| -> Vec<(usize, Role)> {
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let of = |one: &Occurrence| {
            let next = numbers.len();
            (*numbers.entry(one.binding).or_insert(next), one.role)
        };
        index.occurrences.iter().map(of).collect()
    };
    known.errors.len() <= before.known.errors.len() && groups(&before.names) == groups(&after)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use babson_lang::imports::{FoundFile, ImportFiles};

    use super::*;

    /// A file of functions that queries can import.
    #[derive(Debug)]
    struct OneFile(&'static str);

    impl ImportFiles for OneFile {
        fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
            Ok((name == "mine").then(|| FoundFile::new("/mine.cql", "mine.cql", self.0)))
        }
    }

    fn options() -> Options {
        let imports = Arc::new(OneFile("function twice(num) { num * 2 }\n"));
        Options { imports, ..Options::default() }
    }

    #[test]
    fn definitions_are_found_in_files() {
        let text = "import \"mine\" twice(ply) > 4 import \"motifs\" smotheredmate()";
        let at = |word: &str| text.find(word).unwrap() + 1;
        let target = |word: &str| definition(text, at(word), &options()).map(|one| one.target);
        let file = |name: &str| Some(name.to_owned());
        let declared = FileSpan { file: file("/mine.cql"), span: Span::new(9, 14) };
        assert_eq!(target("twice"), Some(declared));
        let whole = FileSpan { file: file("/mine.cql"), span: Span::new(0, 0) };
        assert_eq!(target("mine\""), Some(whole));
        assert_eq!(target("motifs\"").and_then(|one| one.file), file("<motifs>"));
        assert_eq!(target("smothered").and_then(|one| one.file), file("<motifs>"));
        assert_eq!(target("> 4"), None);
    }

    #[test]
    fn references_reach_over_files() {
        let text = "import \"mine\" twice(ply) > 4 twice(7) > 3";
        let places = references(text, 15, &options());
        let shown: Vec<(Option<&str>, u32)> =
            places.iter().map(|one| (one.place.file.as_deref(), one.place.span.start)).collect();
        assert_eq!(shown, [(None, 14), (None, 29), (Some("/mine.cql"), 9)]);
        let target = FileSpan { file: Some("/mine.cql".to_owned()), span: Span::new(9, 14) };
        assert_eq!(references_to(text, &target, &options()).len(), 2);
        assert_eq!(references_to("mate", &target, &options()), []);
    }

    #[test]
    fn an_importer_keeps_its_meaning() {
        let target = FileSpan { file: Some("/mine.cql".to_owned()), span: Span::new(9, 14) };
        let renamed = |text: &str| rename_imported(text, &target, "double", &options());
        let edits = renamed("import \"mine\" twice(ply) > 4").unwrap();
        let shown: Vec<(Option<&str>, u32)> =
            edits.iter().map(|one| (one.file.as_deref(), one.span.start)).collect();
        assert_eq!(shown, [(None, 14), (Some("/mine.cql"), 9)]);
        assert_eq!(
            renamed("import \"mine\" double = 3 twice(ply) > double"),
            Err(RenameRefusal::Collision)
        );
        assert_eq!(renamed("double = 3 ply > double"), Ok(Vec::new()));
    }

    #[test]
    fn what_a_body_alone_knows_is_not_shared() {
        let text = "out = 1 function f(inn) { inn > out } square each in R { each attacks k } f(3)";
        let shared = |word: &str| is_shared(text, text.find(word).unwrap(), &options());
        assert!(shared("out") && shared("f("));
        assert!(!shared("inn)") && !shared("each"));
    }

    #[test]
    fn names_change_only_if_nothing_else_does() {
        let renamed = |text: &str, word: &str, name: &str| {
            let edits = rename(text, text.find(word).unwrap(), name, &options())?;
            let own = edits.iter().filter(|edit| edit.file.is_none());
            let own = own.map(|edit| Edit::new(edit.span, edit.text.clone())).collect();
            Ok(Fix::edit("", own).apply(text).unwrap())
        };
        let text = "x = 1 square x in R { x attacks k } x > 0";
        assert_eq!(
            renamed(text, "x", "total").as_deref(),
            Ok("total = 1 square x in R { x attacks k } total > 0")
        );
        assert_eq!(
            renamed("one = 1 two = 2 one > two", "one", "two"),
            Err(RenameRefusal::Collision)
        );
        assert_eq!(renamed("one = 1 one > 0", "one", "mate"), Err(RenameRefusal::NotAName));
        assert_eq!(renamed("one = 1 one > 0", "one", "R"), Err(RenameRefusal::NotAName));
        assert_eq!(renamed("mate", "mate", "one"), Err(RenameRefusal::NoName));
        let library = "import \"motifs\" smotheredmate()";
        assert_eq!(renamed(library, "smothered", "one"), Err(RenameRefusal::Library));
        let imported = "import \"mine\" twice(ply) > 4";
        let edits = rename(imported, 15, "doubled", &options()).unwrap();
        assert_eq!(edits[1].file.as_deref(), Some("/mine.cql"));
        assert_eq!(edits[1].span, Span::new(9, 14));
        // The outer name would be hidden.
        let hidden = "out = 1 square inner in R { inner attacks k out > 0 }";
        assert_eq!(renamed(hidden, "inner", "out"), Err(RenameRefusal::Collision));
        // The symbol and the piece before a name stay.
        assert_eq!(
            renamed("[Aa]x = a1 x attacks k", "x =", "piece1").as_deref(),
            Ok("[Aa]piece1 = a1 piece1 attacks k")
        );
    }
}
