//! What helps while a query is written: hover, completion, signatures, hints, formatting.

use babson_ide::{HintKind, ItemKind};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, DocumentFormattingParams, DocumentRangeFormattingParams, Documentation,
    Hover, HoverContents, HoverParams, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams,
    InlayHintTooltip, InsertTextFormat, MarkupContent, MarkupKind, ParameterInformation,
    ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation, TextEdit, Url,
};

use crate::edits::text_edits;
use crate::failure::Failure;
use crate::positions::number;
use crate::snapshot::Snapshot;

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

/// Answers `textDocument/hover`.
pub(crate) fn hover(snapshot: &Snapshot, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let place = params.text_document_position_params;
    let open = snapshot.document(&place.text_document.uri)?;
    let found = babson_ide::hover(open.text(), open.offset(place.position), &open.options());
    Ok(found.map(|found| Hover {
        contents: HoverContents::Markup(markdown(found.markdown)),
        range: Some(open.range(found.span)),
    }))
}

/// Answers `textDocument/completion`.
pub(crate) fn completion(
    snapshot: &Snapshot,
    params: CompletionParams,
) -> Result<Option<CompletionResponse>, Failure> {
    let place = params.text_document_position;
    let open = snapshot.document(&place.text_document.uri)?;
    let mut options = open.options();
    options.tags = snapshot.tags(open.uri);
    let found = babson_ide::complete(open.text(), open.offset(place.position), &options);
    // The client asks for a full list again with the next letter.
    let is_incomplete = found.len() >= babson_ide::limits::MAX_ITEMS;
    let items = found.into_iter().enumerate().map(|(number, item)| {
        let has_places = matches!(item.kind, ItemKind::Snippet | ItemKind::Function)
            && item.insert.contains("${");
        let is_snippet = has_places && snapshot.client.has_snippets;
        let new_text =
            if has_places && !is_snippet { without_places(&item.insert) } else { item.insert };
        CompletionItem {
            label: item.label.clone(),
            kind: Some(kind(item.kind)),
            documentation: item.doc.map(|doc| Documentation::MarkupContent(markdown(doc))),
            // The order of the list is the order of what fits best.
            sort_text: Some(format!("{number:04}")),
            filter_text: Some(item.label),
            insert_text_format: Some(match is_snippet {
                true => InsertTextFormat::SNIPPET,
                false => InsertTextFormat::PLAIN_TEXT,
            }),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: open.range(item.span),
                new_text,
            })),
            ..CompletionItem::default()
        }
    });
    let items = items.collect();
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete, items })))
}

fn kind(kind: ItemKind) -> CompletionItemKind {
    match kind {
        ItemKind::Parameter => CompletionItemKind::PROPERTY,
        ItemKind::Variable => CompletionItemKind::VARIABLE,
        ItemKind::Function => CompletionItemKind::FUNCTION,
        ItemKind::Dictionary => CompletionItemKind::STRUCT,
        ItemKind::Value => CompletionItemKind::VALUE,
        ItemKind::Snippet => CompletionItemKind::SNIPPET,
        ItemKind::Synonym => CompletionItemKind::TEXT,
        ItemKind::Keyword => CompletionItemKind::KEYWORD,
    }
}

/// The text of a snippet with what stands in its places.
fn without_places(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some((before, after)) = rest.split_once("${")
        && let Some((place, after)) = after.split_once('}')
    {
        out += before;
        out += place.split_once(':').map_or("", |(_, text)| text);
        rest = after;
    }
    out + rest
}

/// Answers `textDocument/signatureHelp`.
pub(crate) fn signature_help(
    snapshot: &Snapshot,
    params: SignatureHelpParams,
) -> Result<Option<SignatureHelp>, Failure> {
    let place = params.text_document_position_params;
    let open = snapshot.document(&place.text_document.uri)?;
    let found = babson_ide::signature(open.text(), open.offset(place.position), &open.options());
    let encoding = snapshot.client.encoding;
    let signatures = found.into_iter().map(|one| {
        // The columns of a label are always counted in UTF-16 but for clients that chose UTF-8.
        let column = |at: u32| number(encoding.length(&one.label[..at as usize]));
        let parameters = one.parameters.iter().map(|place| ParameterInformation {
            label: ParameterLabel::LabelOffsets([column(place.start), column(place.end)]),
            documentation: None,
        });
        SignatureInformation {
            parameters: Some(parameters.collect()),
            documentation: one.doc.map(|doc| Documentation::MarkupContent(markdown(doc))),
            active_parameter: one.active.map(number),
            label: one.label,
        }
    });
    let signatures: Vec<SignatureInformation> = signatures.collect();
    let active_parameter = signatures.first().and_then(|one| one.active_parameter);
    Ok((!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter,
    }))
}

/// Answers `textDocument/inlayHint`.
pub(crate) fn inlay_hints(
    snapshot: &Snapshot,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>, Failure> {
    let open = snapshot.document(&params.text_document.uri)?;
    let shown = snapshot.settings.hints;
    let hints = babson_ide::inlay_hints(open.text(), open.span(params.range), &open.options());
    let hints = hints.into_iter().filter(|hint| match hint.kind {
        HintKind::Type => shown.types,
        HintKind::Iteration => shown.iteration,
        HintKind::And => shown.and,
    });
    let hints = hints.map(|hint| InlayHint {
        position: open.position(hint.offset),
        label: InlayHintLabel::String(hint.label),
        kind: (hint.kind == HintKind::Type).then_some(InlayHintKind::TYPE),
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.help)),
        padding_left: Some(hint.kind != HintKind::Type),
        padding_right: Some(false),
        data: None,
    });
    Ok(Some(hints.collect()))
}

/// Answers `textDocument/formatting`.
pub(crate) fn formatting(
    snapshot: &Snapshot,
    params: DocumentFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    formatted(snapshot, &params.text_document.uri, None)
}

/// Answers `textDocument/rangeFormatting`.
pub(crate) fn range_formatting(
    snapshot: &Snapshot,
    params: DocumentRangeFormattingParams,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    formatted(snapshot, &params.text_document.uri, Some(params.range))
}

fn formatted(
    snapshot: &Snapshot,
    uri: &Url,
    range: Option<lsp_types::Range>,
) -> Result<Option<Vec<TextEdit>>, Failure> {
    let open = snapshot.document(uri)?;
    let part = range.map(|range| open.span(range));
    let edits = babson_ide::format(open.text(), part, &open.options())
        .map_err(|errors| Failure::of_query("formatted", &errors))?;
    Ok(Some(text_edits(open, &edits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_without_snippets_gets_their_text() {
        assert_eq!(without_places("pin from ${1:[QRB]} to ${2:k}"), "pin from [QRB] to k");
        assert_eq!(without_places("mate"), "mate");
    }
}
