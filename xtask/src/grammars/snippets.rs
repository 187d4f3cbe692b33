//! The constructs of `babson-ide` as snippets of VS Code.

use std::collections::BTreeMap;

use serde::Serialize;

/// A snippet as VS Code reads it.
#[derive(Serialize)]
pub(super) struct SnippetEntry {
    prefix: String,
    body: Vec<String>,
    description: String,
}

/// The snippets by their names.
pub(super) fn snippets() -> BTreeMap<&'static str, SnippetEntry> {
    babson_ide::snippets()
        .map(|snippet| {
            let entry = SnippetEntry {
                // What one types to find it: the label without what stands for a place.
                prefix: snippet.label.replace('…', "").trim().to_owned(),
                body: snippet.insert.split('\n').map(str::to_owned).collect(),
                description: format!("CQL: {}", snippet.label),
            };
            (snippet.label, entry)
        })
        .collect()
}
