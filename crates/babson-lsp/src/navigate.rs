//! Where names are declared and used, over files.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

use babson::Span;
use babson_ide::{FileEdit, FileSpan, ReferenceKind};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, LocationLink, PrepareRenameResponse, Range, ReferenceParams,
    RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit,
};

use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::failure::Failure;
use crate::files::{open_document, path_of, real_path, uri_of};
use crate::positions::LineIndex;
use crate::snapshot::{OpenDocument, Snapshot};
use crate::workspace::{LeftOut, Work, each_query, named};

/// Finds the ranges of places in files, and reads each file once.
struct Ranges<'s> {
    snapshot: &'s Snapshot,
    uri: Url,
    read: Vec<(String, Url, Document)>,
}

impl<'s> Ranges<'s> {
    fn new(snapshot: &'s Snapshot, uri: &Url) -> Ranges<'s> {
        Ranges { snapshot, uri: uri.clone(), read: Vec::new() }
    }

    /// The document and the range of a place; `None` if its file cannot be shown.
    fn of(&mut self, file: Option<&str>, span: Span) -> Option<(Url, Range)> {
        let encoding = self.snapshot.client.encoding;
        if let (None, Some(open)) = (file, self.snapshot.documents.get(&self.uri)) {
            return Some((self.uri.clone(), open.range(span, encoding)));
        }
        // The query is a file that no editor has open.
        let path = path_of(&self.uri);
        let key = file.or_else(|| path.as_deref().and_then(Path::to_str))?;
        if !self.read.iter().any(|(known, ..)| known == key) {
            let (uri, document) = self.document(key)?;
            self.read.push((key.to_owned(), uri, document));
        }
        let (_, uri, document) = self.read.iter().find(|(known, ..)| known == key)?;
        Some((uri.clone(), document.range(span, encoding)))
    }

    /// An imported file, as it is in the editor if it is open there.
    fn document(&self, key: &str) -> Option<(Url, Document)> {
        let uri = uri_of(key)?;
        let path = path_of(&uri)?;
        if let Some((uri, open)) = open_document(&self.snapshot.documents, &path) {
            return Some((uri.clone(), Document::clone(open)));
        }
        let text = std::fs::read_to_string(path).ok()?;
        // Imports are read without a byte-order mark, and so are their places.
        let text = text.trim_start_matches('\u{feff}').to_owned();
        Some((uri, Document::new(0, text)))
    }
}

/// Answers `textDocument/definition`.
pub(crate) fn definition(
    snapshot: &Snapshot,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let place = params.text_document_position_params;
    let open = snapshot.document(&place.text_document.uri)?;
    let offset = open.offset(place.position);
    let Some(found) = babson_ide::definition(open.text(), offset, &open.options()) else {
        return Ok(None);
    };
    let FileSpan { file, span, .. } = &found.target;
    let target = Ranges::new(snapshot, open.uri).of(file.as_deref(), *span);
    Ok(target.map(|(uri, range)| match snapshot.client.links_definitions {
        true => GotoDefinitionResponse::Link(vec![LocationLink {
            origin_selection_range: Some(open.range(found.origin)),
            target_uri: uri,
            target_range: range,
            target_selection_range: range,
        }]),
        false => GotoDefinitionResponse::Scalar(Location::new(uri, range)),
    }))
}

/// Answers `textDocument/references`: finds the name in the query, in the files that it imports,
/// and in the files of the workspace that import its declaration.
pub(crate) fn references(
    snapshot: &Snapshot,
    params: ReferenceParams,
    work: &Work<'_>,
) -> Result<Option<Vec<Location>>, Failure> {
    let place = params.text_document_position;
    let open = snapshot.document(&place.text_document.uri)?;
    let mut found = all_references(open, open.offset(place.position), work)?;
    if !params.context.include_declaration {
        found.retain(|(_, kind)| *kind != ReferenceKind::Declaration);
    }
    Ok(Some(found.into_iter().map(|(location, _)| location).collect()))
}

fn all_references(
    open: OpenDocument<'_>,
    offset: usize,
    work: &Work<'_>,
) -> Result<Vec<(Location, ReferenceKind)>, Failure> {
    let snapshot = open.snapshot;
    let own = babson_ide::references(open.text(), offset, &open.options());
    let mut ranges = Ranges::new(snapshot, open.uri);
    let mut found: Vec<(Location, ReferenceKind)> = Vec::new();
    for one in &own {
        if let Some((uri, range)) = ranges.of(one.place.file.as_deref(), one.place.span) {
            found.push((Location::new(uri, range), one.kind));
        }
    }
    let declaration = own.iter().find(|one| one.kind == ReferenceKind::Declaration);
    let Some(declaration) = declaration else { return Ok(found) };
    // A file that the query imports has its places already.
    let known: HashSet<Url> = found.iter().map(|(location, _)| location.uri.clone()).collect();
    let Some(target) = as_imported(open.uri, &declaration.place) else { return Ok(found) };
    let missing = each_importer(open, work, &mut |uri, text| {
        if known.contains(uri) {
            return Ok(());
        }
        let options = snapshot.options(uri, text);
        let lines = LineIndex::new(text);
        for one in babson_ide::references_to(text, &target, &options) {
            let range = lines.range(text, one.place.span, snapshot.client.encoding);
            found.push((Location::new(uri.clone(), range), one.kind));
        }
        Ok(())
    })?;
    // A name that no other file can have is not looked for in vain.
    if !missing.is_empty() && babson_ide::is_shared(open.text(), offset, &open.options()) {
        work.log_left_out(snapshot, &missing);
    }
    Ok(found)
}

/// The place that a query which imports the file finds for a declaration; `None` if the document
/// with the declaration is not a file.
fn as_imported(uri: &Url, declaration: &FileSpan) -> Option<FileSpan> {
    let key = match &declaration.file {
        Some(key) => key.clone(),
        None => real_path(uri)?.to_str()?.to_owned(),
    };
    Some(FileSpan::new(Some(key), declaration.span))
}

/// Calls `see` for each other query of the workspace that may import something, as
/// [`each_query`] does.
fn each_importer(
    open: OpenDocument<'_>,
    work: &Work<'_>,
    see: &mut dyn FnMut(&Url, &str) -> Result<(), Failure>,
) -> Result<Vec<LeftOut>, Failure> {
    each_query(open.snapshot, work, &mut |uri, text| {
        if uri != open.uri && text.contains("import") {
            see(uri, text)?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Answers `textDocument/documentHighlight`.
pub(crate) fn highlight(
    snapshot: &Snapshot,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let place = params.text_document_position_params;
    let open = snapshot.document(&place.text_document.uri)?;
    let found = babson_ide::references(open.text(), open.offset(place.position), &open.options());
    let own = found.into_iter().filter(|one| one.place.file.is_none());
    let highlights = own.map(|one| DocumentHighlight {
        range: open.range(one.place.span),
        kind: Some(match one.kind {
            ReferenceKind::Declaration | ReferenceKind::Write => DocumentHighlightKind::WRITE,
            ReferenceKind::Read => DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(highlights.collect()))
}

/// Answers `textDocument/prepareRename`.
pub(crate) fn prepare_rename(
    snapshot: &Snapshot,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Failure> {
    let open = snapshot.document(&params.text_document.uri)?;
    let offset = open.offset(params.position);
    let found = babson_ide::renamed_place(open.text(), offset, &open.options());
    Ok(found.map(|span| PrepareRenameResponse::Range(open.range(span))))
}

/// Answers `textDocument/rename`, also in the files of the workspace that import the name. Each of
/// them keeps its meaning, too.
pub(crate) fn rename(
    snapshot: &Snapshot,
    params: RenameParams,
    work: &Work<'_>,
) -> Result<Option<WorkspaceEdit>, Failure> {
    let place = params.text_document_position;
    let open = snapshot.document(&place.text_document.uri)?;
    let (text, offset, options) = (open.text(), open.offset(place.position), open.options());
    let own = babson_ide::rename(text, offset, &params.new_name, &options)
        .map_err(|why| Failure::Refused(why.to_string()))?;
    let mut all = Edits { snapshot, all: BTreeMap::new() };
    all.add(open.uri, own)?;
    let references = babson_ide::references(text, offset, &options);
    let declaration = references.iter().find(|one| one.kind == ReferenceKind::Declaration);
    let target = declaration.and_then(|one| as_imported(open.uri, &one.place));
    if let Some(target) = target {
        let missing = each_importer(open, work, &mut |uri, text| {
            let options = snapshot.options(uri, text);
            let edits = babson_ide::rename_imported(text, &target, &params.new_name, &options);
            let edits = edits.map_err(|why| {
                let path = path_of(uri).unwrap_or_else(|| uri.as_str().into());
                Failure::Refused(format!("{}: {why}", snapshot.shown(&path)))
            })?;
            all.add(uri, edits)
        })?;
        if !missing.is_empty() && babson_ide::is_shared(text, offset, &options) {
            let missing = named(snapshot, &missing);
            return Err(Failure::Refused(format!(
                "the name may be used where it cannot be looked for: {missing}"
            )));
        }
    }
    let edits = all.all.into_iter().map(|(uri, edits)| (uri, edits.into_values().collect()));
    Ok(Some(workspace_edit(snapshot, edits.collect())))
}

/// The edits of several queries, each once: by the files, and by where they begin and end.
struct Edits<'s> {
    snapshot: &'s Snapshot,
    all: BTreeMap<Url, BTreeMap<[u32; 4], TextEdit>>,
}

impl Edits<'_> {
    /// Adds the edits of a query and of its files.
    ///
    /// # Errors
    /// A file cannot be read: a rename that leaves it out changes what it means.
    fn add(&mut self, uri: &Url, edits: Vec<FileEdit>) -> Result<(), Failure> {
        let mut ranges = Ranges::new(self.snapshot, uri);
        for edit in edits {
            let Some((uri, range)) = ranges.of(edit.file.as_deref(), edit.span) else {
                let file = edit.file.as_deref().unwrap_or(uri.as_str());
                let file = self.snapshot.shown(Path::new(file));
                return Err(Failure::Refused(format!("the file {file} cannot be changed")));
            };
            let Range { start, end } = range;
            let place = [start.line, start.character, end.line, end.character];
            let new = TextEdit { range, new_text: edit.text };
            self.all.entry(uri).or_default().entry(place).or_insert(new);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::fs;
    use std::sync::Arc;

    use babson::imports::{FoundFile, ImportFiles};
    use babson_ide::Options;
    use lsp_types::WorkspaceSymbolParams;
    use serde_json::{Value, json};

    use super::*;
    use crate::limits::MAX_WORKSPACE_SYMBOLS;
    use crate::structure;

    /// A folder of eight queries: one is open, and the others import it.
    fn workspace() -> (tempfile::TempDir, Snapshot, Url) {
        let folder = tempfile::tempdir().unwrap();
        let path = dunce::canonicalize(folder.path()).unwrap();
        let mine = "function twice(num) { num * 2 }\n";
        fs::write(path.join("mine.cql"), mine).unwrap();
        for number in 1..8 {
            fs::write(path.join(format!("{number}.cql")), "import \"mine\" twice(3) > 4\n")
                .unwrap();
        }
        let uri = Url::from_file_path(path.join("mine.cql")).unwrap();
        let mut snapshot = Snapshot::of_folders(vec![path]);
        snapshot.documents.insert(uri.clone(), Document::new(1, mine.to_owned()));
        (folder, snapshot, uri)
    }

    #[test]
    fn what_is_not_searched_is_logged() {
        let (folder, snapshot, uri) = workspace();
        fs::write(folder.path().join("bad.cql"), [0xff, 0xfe]).unwrap();
        let logged = RefCell::new(Vec::new());
        let work = Work { is_cancelled: &|| false, log: &|text| logged.borrow_mut().push(text) };
        let params = json!({
            "textDocument": {"uri": uri},
            "position": {"line": 0, "character": 10},
            "context": {"includeDeclaration": true},
        });
        let found = super::references(&snapshot, serde_json::from_value(params).unwrap(), &work);
        assert_eq!(found.unwrap().unwrap().len(), 8);
        let params: WorkspaceSymbolParams = serde_json::from_value(json!({"query": ""})).unwrap();
        structure::workspace_symbols(&snapshot, params, &work).unwrap();
        assert_eq!(*logged.borrow(), ["not searched: bad.cql (not UTF-8)"; 2]);
    }

    #[test]
    fn symbols_that_are_not_shown_are_logged() {
        let (folder, snapshot, _) = workspace();
        let most = MAX_WORKSPACE_SYMBOLS;
        let names: String = (0..=most).map(|number| format!("name{number} = 1\n")).collect();
        fs::write(folder.path().join("8.cql"), names).unwrap();
        fs::write(folder.path().join("9.cql"), [0xff, 0xfe]).unwrap();
        let logged = RefCell::new(Vec::new());
        let work = Work { is_cancelled: &|| false, log: &|text| logged.borrow_mut().push(text) };
        let params: WorkspaceSymbolParams =
            serde_json::from_value(json!({"query": "name"})).unwrap();
        let found = structure::workspace_symbols(&snapshot, params, &work).unwrap();
        assert_eq!(serde_json::to_value(found).unwrap().as_array().map(Vec::len), Some(most));
        // The search ends before the next file.
        let expected = format!("more than {most} names fit `name`: the first {most} are shown");
        assert_eq!(*logged.borrow(), [expected]);
    }

    /// Finds a file that the editor does not find.
    #[derive(Debug)]
    struct Gone;

    impl ImportFiles for Gone {
        fn find(&self, _: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
            let text = "function twice(num) { num * 2 }";
            Ok(Some(FoundFile::new("/no/such/file.cql", "file.cql", text)))
        }
    }

    #[test]
    fn an_edit_of_a_file_that_cannot_be_read_is_refused() {
        let (_folder, snapshot, uri) = workspace();
        let options = {
            let mut options = Options::default();
            options.imports = Arc::new(Gone);
            options
        };
        let text = "import \"file\" twice(3) > 4";
        let found = babson_ide::rename(text, text.find("twice").unwrap(), "double", &options);
        let (of_files, own): (Vec<FileEdit>, Vec<FileEdit>) =
            found.unwrap().into_iter().partition(|edit| edit.file.is_some());
        assert_eq!((own.len(), of_files.len()), (1, 1));
        let mut edits = Edits { snapshot: &snapshot, all: BTreeMap::new() };
        // The place of a file that two queries import counts once.
        edits.add(&uri, own.clone()).unwrap();
        edits.add(&uri, own).unwrap();
        assert_eq!(edits.all[&uri].len(), 1);
        let why = "the file /no/such/file.cql cannot be changed".to_owned();
        assert_eq!(edits.add(&uri, of_files), Err(Failure::Refused(why)));
    }

    /// Answers a request until it is cancelled.
    type Request<'r> = dyn Fn(&Work<'_>) -> Result<Value, Failure> + 'r;

    /// A request that is cancelled while it is answered ends before the next query.
    #[test]
    fn requests_about_many_files_can_be_cancelled() {
        let (_folder, snapshot, uri) = workspace();
        let place = json!({
            "textDocument": {"uri": uri},
            "position": {"line": 0, "character": 10},
            "context": {"includeDeclaration": true},
            "newName": "double",
            "query": "twice",
        });
        let references = |work: &Work<'_>| {
            let params: ReferenceParams = serde_json::from_value(place.clone()).unwrap();
            super::references(&snapshot, params, work)
                .map(|found| serde_json::to_value(found).unwrap())
        };
        let rename = |work: &Work<'_>| {
            let params: RenameParams = serde_json::from_value(place.clone()).unwrap();
            super::rename(&snapshot, params, work).map(|found| serde_json::to_value(found).unwrap())
        };
        let symbols = |work: &Work<'_>| {
            let params: WorkspaceSymbolParams = serde_json::from_value(place.clone()).unwrap();
            structure::workspace_symbols(&snapshot, params, work)
                .map(|found| serde_json::to_value(found).unwrap())
        };
        let requests: [&Request<'_>; 3] = [&references, &rename, &symbols];
        for request in requests {
            let asked = Cell::new(0);
            let cancelled_at = |step: u32| {
                asked.set(0);
                let is_cancelled = || {
                    asked.set(asked.get() + 1);
                    asked.get() >= step
                };
                request(&Work { is_cancelled: &is_cancelled, log: &|text| panic!("{text}") })
            };
            assert!(cancelled_at(u32::MAX).is_ok());
            // The open document, and each of the files.
            assert_eq!(asked.get(), 9);
            for step in 1..=9 {
                assert!(matches!(cancelled_at(step), Err(Failure::Cancelled)));
                assert_eq!(asked.get(), step);
            }
        }
        let work = Work { is_cancelled: &|| false, log: &|text| panic!("{text}") };
        assert_eq!(references(&work).unwrap().as_array().map(Vec::len), Some(8));
        let changes = rename(&work).unwrap()["changes"].clone();
        assert_eq!(changes.as_object().map(serde_json::Map::len), Some(8));
        assert_eq!(symbols(&work).unwrap().as_array().map(Vec::len), Some(1));
    }
}
