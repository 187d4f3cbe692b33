//! Where names are declared and used, over files.

use std::collections::{BTreeMap, HashSet};

use babson::Span;
use babson_ide::{FileSpan, ReferenceKind};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, LocationLink, PrepareRenameResponse, Range, ReferenceParams,
    RenameParams, TextDocumentPositionParams, TextEdit, Url, WorkspaceEdit,
};

use crate::documents::Document;
use crate::edits::workspace_edit;
use crate::failure::Failure;
use crate::files::{path_of, uri_of, workspace_files};
use crate::snapshot::Snapshot;

/// A document at a position.
struct Place<'s> {
    uri: Url,
    document: &'s Document,
    offset: usize,
}

impl<'s> Place<'s> {
    fn new(
        snapshot: &'s Snapshot,
        params: TextDocumentPositionParams,
    ) -> Result<Place<'s>, Failure> {
        let uri = params.text_document.uri;
        let document = snapshot.document(&uri)?;
        let offset = document.offset(params.position, snapshot.client.encoding);
        Ok(Place { uri, document, offset })
    }
}

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
        let Some(key) = file else {
            let document = self.snapshot.documents.get(&self.uri)?;
            return Some((self.uri.clone(), document.range(span, encoding)));
        };
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
        let is_it = |other: &Url| {
            *other == uri
                || path_of(other)
                    .and_then(|path| path.canonicalize().ok())
                    .is_some_and(|path| path.to_str() == Some(key))
        };
        if let Some((uri, open)) = self.snapshot.documents.iter().find(|(other, _)| is_it(other)) {
            return Some((uri.clone(), Document::clone(open)));
        }
        let text = std::fs::read_to_string(path_of(&uri)?).ok()?;
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
    let place = Place::new(snapshot, params.text_document_position_params)?;
    let Place { uri, document, offset } = &place;
    let options = snapshot.options(uri, &document.text);
    let Some(found) = babson_ide::definition(&document.text, *offset, &options) else {
        return Ok(None);
    };
    let FileSpan { file, span, .. } = &found.target;
    let target = Ranges::new(snapshot, uri).of(file.as_deref(), *span);
    Ok(target.map(|(uri, range)| match snapshot.client.links_definitions {
        true => GotoDefinitionResponse::Link(vec![LocationLink {
            origin_selection_range: Some(document.range(found.origin, snapshot.client.encoding)),
            target_uri: uri,
            target_range: range,
            target_selection_range: range,
        }]),
        false => GotoDefinitionResponse::Scalar(Location::new(uri, range)),
    }))
}

/// Answers `textDocument/references`: in the query, in the files that it imports, and in the files
/// of the workspace that import what the name stands for.
pub(crate) fn references(
    snapshot: &Snapshot,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>, Failure> {
    let place = Place::new(snapshot, params.text_document_position)?;
    let mut found = all_references(snapshot, &place);
    if !params.context.include_declaration {
        found.retain(|(_, kind)| *kind != ReferenceKind::Declaration);
    }
    Ok(Some(found.into_iter().map(|(location, _)| location).collect()))
}

fn all_references(snapshot: &Snapshot, place: &Place<'_>) -> Vec<(Location, ReferenceKind)> {
    let Place { uri, document, offset } = place;
    let options = snapshot.options(uri, &document.text);
    let own = babson_ide::references(&document.text, *offset, &options);
    let mut ranges = Ranges::new(snapshot, uri);
    let mut found: Vec<(Location, ReferenceKind)> = Vec::new();
    for one in &own {
        if let Some((uri, range)) = ranges.of(one.place.file.as_deref(), one.place.span) {
            found.push((Location::new(uri, range), one.kind));
        }
    }
    let declaration = own.iter().find(|one| one.kind == ReferenceKind::Declaration);
    let Some(declaration) = declaration else { return found };
    // A file that the query imports has its places already.
    let known: HashSet<Url> = found.iter().map(|(location, _)| location.uri.clone()).collect();
    for (file, target) in importers(snapshot, place, &declaration.place) {
        if known.contains(&file.uri) {
            continue;
        }
        let options = snapshot.options(&file.uri, &file.text);
        let document = Document::new(0, file.text);
        for one in babson_ide::references_to(&document.text, &target, &options) {
            let range = document.range(one.place.span, snapshot.client.encoding);
            found.push((Location::new(file.uri.clone(), range), one.kind));
        }
    }
    found
}

/// The files of the workspace that may import the file of a declaration, and the declaration as
/// they see it.
fn importers(
    snapshot: &Snapshot,
    place: &Place<'_>,
    declaration: &FileSpan,
) -> Vec<(crate::files::WorkspaceFile, FileSpan)> {
    let key = match &declaration.file {
        Some(key) => Some(key.clone()),
        None => path_of(&place.uri)
            .and_then(|path| path.canonicalize().ok())
            .and_then(|path| path.to_str().map(str::to_owned)),
    };
    let Some(key) = key else { return Vec::new() };
    let target = FileSpan::new(Some(key), declaration.span);
    let files = workspace_files(&snapshot.folders, &snapshot.documents).into_iter();
    let others = files.filter(|file| file.uri != place.uri && file.text.contains("import"));
    others.map(|file| (file, target.clone())).collect()
}

/// Answers `textDocument/documentHighlight`.
pub(crate) fn highlight(
    snapshot: &Snapshot,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let place = Place::new(snapshot, params.text_document_position_params)?;
    let Place { uri, document, offset } = &place;
    let options = snapshot.options(uri, &document.text);
    let found = babson_ide::references(&document.text, *offset, &options);
    let own = found.into_iter().filter(|one| one.place.file.is_none());
    let highlights = own.map(|one| DocumentHighlight {
        range: document.range(one.place.span, snapshot.client.encoding),
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
    let Place { uri, document, offset } = Place::new(snapshot, params)?;
    let options = snapshot.options(&uri, &document.text);
    let found = babson_ide::renamed_place(&document.text, offset, &options);
    Ok(found
        .map(|span| PrepareRenameResponse::Range(document.range(span, snapshot.client.encoding))))
}

/// Answers `textDocument/rename`, also in the files of the workspace that import the name.
pub(crate) fn rename(
    snapshot: &Snapshot,
    params: RenameParams,
) -> Result<Option<WorkspaceEdit>, Failure> {
    let place = Place::new(snapshot, params.text_document_position)?;
    let Place { uri, document, offset } = &place;
    let options = snapshot.options(uri, &document.text);
    // The references are the places of its edits, and those in other files.
    babson_ide::rename(&document.text, *offset, &params.new_name, &options)
        .map_err(|why| Failure::Refused(why.to_string()))?;
    let mut all: BTreeMap<Url, Vec<TextEdit>> = BTreeMap::new();
    for (location, _) in all_references(snapshot, &place) {
        let edit = TextEdit { range: location.range, new_text: params.new_name.clone() };
        all.entry(location.uri).or_default().push(edit);
    }
    Ok(Some(workspace_edit(snapshot, all.into_iter().collect())))
}
