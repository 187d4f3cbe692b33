//! Code actions: the fixes of diagnostics, and changes that an author may choose.

use babson::Diagnostic;
use babson::diagnostic::{Edit, Fix};
use babson_ide::ActionKind;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Url,
};

use crate::capabilities::FIX_ALL;
use crate::diagnostics::{DiagnosticPlace, QueryReading};
use crate::documents::Document;
use crate::edits::{text_edits, workspace_edit};
use crate::failure::Failure;
use crate::limits::MAX_FIX_ROUNDS;
use crate::snapshot::Snapshot;

/// Answers `textDocument/codeAction`.
pub(crate) fn actions(
    snapshot: &Snapshot,
    params: CodeActionParams,
) -> Result<Option<CodeActionResponse>, Failure> {
    let uri = params.text_document.uri;
    let document = snapshot.document(&uri)?;
    if !snapshot.client.has_action_literals {
        return Ok(Some(Vec::new()));
    }
    let only = params.context.only;
    let wants = |kind: &CodeActionKind| {
        only.as_ref().is_none_or(|only| only.iter().any(|one| includes(one, kind)))
    };
    let part = document.span(params.range, snapshot.client.encoding);
    let mut found: Vec<CodeAction> = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        found.extend(fixes(snapshot, &uri, document, part));
    }
    // Only a client that asks for it by name applies all fixes at once.
    if only.is_some() && wants(&FIX_ALL) {
        found.extend(fix_all(snapshot, &uri, document));
    }
    let refactors = [
        CodeActionKind::REFACTOR_EXTRACT,
        CodeActionKind::REFACTOR_INLINE,
        CodeActionKind::REFACTOR_REWRITE,
    ];
    if refactors.iter().any(wants) {
        let options = snapshot.options(&uri, &document.text);
        for action in babson_ide::actions(&document.text, part, &options) {
            let kind = match action.kind {
                ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
                ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
                ActionKind::Rewrite | _ => CodeActionKind::REFACTOR_REWRITE,
            };
            if wants(&kind) {
                let edits = text_edits(snapshot, document, &action.edits);
                found.push(CodeAction {
                    title: action.title,
                    kind: Some(kind),
                    edit: Some(workspace_edit(snapshot, vec![(uri.clone(), edits)])),
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
fn fixes(
    snapshot: &Snapshot,
    uri: &Url,
    document: &Document,
    part: babson::Span,
) -> Vec<CodeAction> {
    let reading = QueryReading::of(snapshot, uri, document);
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
    let place = DiagnosticPlace { snapshot, uri, document, reading: &reading };
    let mut found = Vec::new();
    for one in tested.iter().filter(|one| touches(one)) {
        let is_only = one.fixes.len() == 1;
        for fix in &one.fixes {
            if !fix.edits.iter().all(|edit| reading.is_own(edit.span)) {
                continue;
            }
            let edits = text_edits(snapshot, document, &fix.edits);
            found.push(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![place.diagnostic(one)]),
                edit: Some(workspace_edit(snapshot, vec![(uri.clone(), edits)])),
                is_preferred: Some(fix.certain || is_only),
                ..CodeAction::default()
            });
        }
    }
    found
}

/// All fixes that can mean nothing else, as `babson check --fix` applies them.
fn fix_all(snapshot: &Snapshot, uri: &Url, document: &Document) -> Option<CodeAction> {
    let mut text = document.text.clone();
    for _ in 0..MAX_FIX_ROUNDS {
        let reading = QueryReading::new(&text, snapshot.dialect(uri), &snapshot.files(uri));
        let found = reading.with_sound_fixes(reading.check());
        let Some(fixed) = certain(&reading, &found).apply(&text).filter(|fixed| *fixed != text)
        else {
            break;
        };
        text = fixed;
    }
    if text == document.text {
        return None;
    }
    let edit = changed_part(&document.text, &text);
    let edits = text_edits(snapshot, document, &[edit]);
    Some(CodeAction {
        title: "fix all that can mean nothing else".to_owned(),
        kind: Some(FIX_ALL),
        edit: Some(workspace_edit(snapshot, vec![(uri.clone(), edits)])),
        ..CodeAction::default()
    })
}

/// The certain fixes that do not touch each other, as one.
fn certain(reading: &QueryReading, diagnostics: &[Diagnostic]) -> Fix {
    let mut edits: Vec<Edit> = Vec::new();
    let is_own = |fix: &&Fix| fix.certain && fix.edits.iter().all(|edit| reading.is_own(edit.span));
    for fix in diagnostics.iter().filter_map(|one| one.fixes.iter().find(is_own)) {
        let touches = |edit: &Edit| {
            edits
                .iter()
                .any(|other| edit.span.start <= other.span.end && other.span.start <= edit.span.end)
        };
        if !fix.edits.iter().any(touches) {
            edits.extend_from_slice(&fix.edits);
        }
    }
    Fix::edit("", edits)
}

/// The edit between two texts, without what is equal at both ends.
fn changed_part(old: &str, new: &str) -> Edit {
    let mut start = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(start) {
        start -= 1;
    }
    let rest = old.len().min(new.len()) - start;
    let mut end = old.bytes().rev().zip(new.bytes().rev());
    let mut end = end.by_ref().take(rest).take_while(|(one, other)| one == other).count();
    while !old.is_char_boundary(old.len() - end) {
        end -= 1;
    }
    let number = crate::positions::number;
    let span = babson::Span::new(number(start), number(old.len() - end));
    Edit::new(span, &new[start..new.len() - end])
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

    #[test]
    fn a_change_is_small() {
        for (old, new) in
            [("♔a♔b♔", "♔a♕b♔"), ("aa", "aaa"), ("abc", ""), ("", "x"), ("same", "same")]
        {
            let edit = changed_part(old, new);
            assert_eq!(Fix::edit("", vec![edit]).apply(old).as_deref(), Some(new));
        }
    }
}
