//! Code actions: the fixes of diagnostics, and changes that an author may choose.

use babson::Diagnostic;
use babson::diagnostic::{Edit, Fix};
use babson_ide::ActionKind;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    WorkspaceEdit,
};

use crate::capabilities::FIX_ALL;
use crate::diagnostics::{DiagnosticPlace, QueryReading};
use crate::edits::{text_edits, workspace_edit};
use crate::failure::Failure;
use crate::limits::MAX_FIX_ROUNDS;
use crate::snapshot::{OpenDocument, Snapshot};

/// Answers `textDocument/codeAction`.
pub(crate) fn actions(
    snapshot: &Snapshot,
    params: CodeActionParams,
) -> Result<Option<CodeActionResponse>, Failure> {
    let uri = params.text_document.uri;
    let open = snapshot.document(&uri)?;
    if !snapshot.client.has_action_literals {
        return Ok(Some(Vec::new()));
    }
    let only = params.context.only;
    let wants = |kind: &CodeActionKind| {
        only.as_ref().is_none_or(|only| only.iter().any(|one| includes(one, kind)))
    };
    let part = open.span(params.range);
    let mut found: Vec<CodeAction> = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        found.extend(fixes(open, part));
    }
    // Only a client that asks for it by name applies all fixes at once.
    if only.is_some() && wants(&FIX_ALL) {
        found.extend(fix_all(open));
    }
    let refactors = [
        CodeActionKind::REFACTOR_EXTRACT,
        CodeActionKind::REFACTOR_INLINE,
        CodeActionKind::REFACTOR_REWRITE,
    ];
    if refactors.iter().any(wants) {
        for action in babson_ide::actions(open.text(), part, &open.options()) {
            let kind = match action.kind {
                ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
                ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
                ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
            };
            if wants(&kind) {
                found.push(CodeAction {
                    title: action.title,
                    kind: Some(kind),
                    edit: Some(document_edit(open, &action.edits)),
                    ..CodeAction::default()
                });
            }
        }
    }
    Ok(Some(found.into_iter().map(CodeActionOrCommand::CodeAction).collect()))
}

/// Whether a kind that the client asks for includes another one: `refactor` has
/// `refactor.extract`.
fn includes(asked: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(asked.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || asked.as_str().is_empty())
}

/// The fixes of the diagnostics at a part of the document.
fn fixes(open: OpenDocument<'_>, part: babson::Span) -> Vec<CodeAction> {
    let reading = QueryReading::of(open);
    let all = reading.check();
    let touches = |one: &Diagnostic| {
        reading.is_own(one.span) && one.span.start <= part.end && part.start <= one.span.end
    };
    // Errors elsewhere count in the test of a fix, but their fixes are not tested.
    let without = |mut one: Diagnostic| {
        if !touches(&one) {
            one.fixes = Box::default();
        }
        one
    };
    let tested = reading.with_sound_fixes(all.into_iter().map(without).collect());
    let place = DiagnosticPlace { open, reading: &reading };
    let mut found = Vec::new();
    for one in tested.iter().filter(|one| touches(one)) {
        for fix in &one.fixes {
            if !fix.edits.iter().all(|edit| reading.is_own(edit.span)) {
                continue;
            }
            found.push(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![place.diagnostic(one)]),
                edit: Some(document_edit(open, &fix.edits)),
                is_preferred: Some(fix.certain),
                ..CodeAction::default()
            });
        }
    }
    found
}

/// All fixes that can mean nothing else, as `babson check --fix` applies them.
fn fix_all(open: OpenDocument<'_>) -> Option<CodeAction> {
    let OpenDocument { snapshot, uri, .. } = open;
    let mut text = open.text().to_owned();
    for _ in 0..MAX_FIX_ROUNDS {
        let reading = QueryReading::new(&text, snapshot.dialect(uri), &snapshot.files(uri));
        let found = reading.with_sound_fixes(reading.check());
        let Some(fixed) = certain(&reading, &found).apply(&text).filter(|fixed| *fixed != text)
        else {
            break;
        };
        text = fixed;
    }
    if text == open.text() {
        return None;
    }
    Some(CodeAction {
        title: "fix all that can mean nothing else".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(document_edit(open, &[Edit::between(open.text(), &text)])),
        ..CodeAction::default()
    })
}

/// The certain fixes of the query itself that do not touch each other, as one.
fn certain(reading: &QueryReading, diagnostics: &[Diagnostic]) -> Fix {
    let is_own = |fix: &&Fix| fix.certain && fix.edits.iter().all(|edit| reading.is_own(edit.span));
    Fix::join(diagnostics.iter().filter_map(|one| one.fixes.iter().find(is_own))).0
}

/// The edits of the document as a change.
fn document_edit(open: OpenDocument<'_>, edits: &[Edit]) -> WorkspaceEdit {
    workspace_edit(open.snapshot, vec![(open.uri.clone(), text_edits(open, edits))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_include_others() {
        let refactor = CodeActionKind::REFACTOR;
        assert!(includes(&refactor, &CodeActionKind::REFACTOR_EXTRACT));
        assert!(includes(&CodeActionKind::EMPTY, &CodeActionKind::QUICKFIX));
        assert!(includes(&CodeActionKind::SOURCE, &FIX_ALL));
        assert!(!includes(&CodeActionKind::REFACTOR_INLINE, &CodeActionKind::REFACTOR_EXTRACT));
    }
}
