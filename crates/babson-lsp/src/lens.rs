//! What stands above a query: its matches in the workspace's database, and its explanation.

use lsp_types::{CodeLens, CodeLensParams, Command};
use serde_json::json;

use crate::commands::{EXPLAIN, RUN};
use crate::failure::Failure;
use crate::run::databases_of;
use crate::snapshot::Snapshot;

/// Answers `textDocument/codeLens`.
pub(crate) fn lenses(
    snapshot: &Snapshot,
    params: CodeLensParams,
) -> Result<Option<Vec<CodeLens>>, Failure> {
    let uri = params.text_document.uri;
    let open = snapshot.document(&uri)?;
    // Above the first filter, not above the comments before it.
    let tokens = babson_ide::tokens(open.text(), &open.options());
    let first = tokens.iter().find(|token| token.meaning != babson_ide::TokenMeaning::Comment);
    let Some(first) = first else { return Ok(Some(Vec::new())) };
    let range = open.range(first.span);
    let known = snapshot.runs.get(&uri).filter(|run| run.text == open.text());
    let title = match known {
        Some(run) => run.summary(),
        None => match databases_of(snapshot, &uri, open.text()).as_deref() {
            Ok([database, ..]) => format!("Run on {}", snapshot.shown(database)),
            Ok([]) => "Run (set babson.database)".to_owned(),
            // A click says why it is not run.
            Err(_) => "Run".to_owned(),
        },
    };
    let lens = |title: String, command: &str| CodeLens {
        range,
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![json!(uri.as_str())]),
        }),
        data: None,
    };
    Ok(Some(vec![lens(title, RUN), lens("Explain".to_owned(), EXPLAIN)]))
}
