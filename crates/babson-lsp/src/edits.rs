//! Edits for the client.

use std::collections::HashMap;

use babson::diagnostic::Edit;
use lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    Url, WorkspaceEdit,
};

use crate::snapshot::{OpenDocument, Snapshot};

/// The edits of a document.
pub(crate) fn text_edits(open: OpenDocument<'_>, edits: &[Edit]) -> Vec<TextEdit> {
    let edit = |edit: &Edit| TextEdit { range: open.range(edit.span), new_text: edit.text.clone() };
    edits.iter().map(edit).collect()
}

/// The edits of several documents as one change, which names the version of open ones.
pub(crate) fn workspace_edit(
    snapshot: &Snapshot,
    edits: Vec<(Url, Vec<TextEdit>)>,
) -> WorkspaceEdit {
    if !snapshot.client.has_document_changes {
        let changes: HashMap<Url, Vec<TextEdit>> = edits.into_iter().collect();
        return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
    }
    let documents = edits.into_iter().map(|(uri, edits)| {
        let version = snapshot.documents.get(&uri).map(|document| document.version);
        TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        }
    });
    let changes = DocumentChanges::Edits(documents.collect());
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}
