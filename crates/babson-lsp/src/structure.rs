//! The structure of a query: tokens, folding, selection, the outline.

use std::ops::ControlFlow;

use babson::Span;
use babson_ide::{FoldKind, MeaningToken, Symbol, SymbolKind, TokenMeaning};
use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Location, SelectionRange, SelectionRangeParams, SemanticToken,
    SemanticTokens, SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult,
    SemanticTokensResult, SymbolInformation, Url, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};

use crate::failure::Failure;
use crate::files::path_of;
use crate::limits::MAX_WORKSPACE_SYMBOLS;
use crate::positions::{LineIndex, number};
use crate::snapshot::{OpenDocument, Snapshot};
use crate::workspace::{Work, each_query};

/// Answers `textDocument/semanticTokens/full`.
pub(crate) fn tokens(
    snapshot: &Snapshot,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokensResult>, Failure> {
    let tokens = tokens_in(snapshot, &params.text_document.uri, None)?;
    Ok(Some(SemanticTokensResult::Tokens(tokens)))
}

/// Answers `textDocument/semanticTokens/range`.
pub(crate) fn tokens_of_range(
    snapshot: &Snapshot,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, Failure> {
    let tokens = tokens_in(snapshot, &params.text_document.uri, Some(params.range))?;
    Ok(Some(SemanticTokensRangeResult::Tokens(tokens)))
}

fn tokens_in(
    snapshot: &Snapshot,
    uri: &Url,
    range: Option<lsp_types::Range>,
) -> Result<SemanticTokens, Failure> {
    let open = snapshot.document(uri)?;
    let part = range.map(|range| open.span(range));
    let touches =
        |span: Span| part.is_none_or(|part| part.start <= span.end && span.start <= part.end);
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for token in babson_ide::tokens(open.text(), &open.options()) {
        let is_known = snapshot.client.augments_syntax && !is_name(token.meaning);
        if is_known || !touches(token.span) {
            continue;
        }
        for piece in lines_of(open.text(), token.span) {
            let place = open.position(piece.start);
            let length = number(snapshot.client.encoding.length(piece.text(open.text())));
            if length == 0 {
                continue;
            }
            let before = if place.line == line { column } else { 0 };
            data.push(SemanticToken {
                delta_line: place.line - line,
                delta_start: place.character - before,
                length,
                token_type: index_of(token.meaning),
                token_modifiers_bitset: modifiers(&token),
            });
            (line, column) = (place.line, place.character);
        }
    }
    Ok(SemanticTokens { result_id: None, data })
}

/// Whether only the query as a whole tells the meaning.
fn is_name(meaning: TokenMeaning) -> bool {
    matches!(
        meaning,
        TokenMeaning::Variable
            | TokenMeaning::Parameter
            | TokenMeaning::Function
            | TokenMeaning::Dictionary
    )
}

/// The parts of a token on each of its lines, without the ends of the lines: not every client takes
/// tokens of several lines.
fn lines_of(text: &str, token: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut at = token.start;
    for line in token.text(text).split_inclusive(['\n', '\r']) {
        let content = number(line.trim_end_matches(['\n', '\r']).len());
        parts.push(Span::new(at, at + content));
        at += number(line.len());
    }
    parts
}

/// The index of a meaning in the legend.
fn index_of(meaning: TokenMeaning) -> u32 {
    number(TokenMeaning::ALL.iter().position(|&one| one == meaning).unwrap_or_default())
}

fn modifiers(token: &MeaningToken) -> u32 {
    u32::from(token.is_declaration) | u32::from(token.is_write) << 1
}

/// Answers `textDocument/foldingRange`.
pub(crate) fn folding(
    snapshot: &Snapshot,
    params: FoldingRangeParams,
) -> Result<Option<Vec<FoldingRange>>, Failure> {
    let open = snapshot.document(&params.text_document.uri)?;
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for fold in babson_ide::folds(open.text(), &open.options()) {
        let range = open.range(fold.span);
        // The line of the closing bracket stays visible.
        let last = match fold.kind {
            FoldKind::Region => range.end.line.saturating_sub(1),
            FoldKind::Comment => range.end.line,
        };
        if last <= range.start.line {
            continue;
        }
        ranges.push(FoldingRange {
            start_line: range.start.line,
            end_line: last,
            kind: (fold.kind == FoldKind::Comment).then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        });
    }
    // Of brackets that open on one line, the first counts.
    ranges.dedup_by_key(|range| range.start_line);
    Ok(Some(ranges))
}

/// Answers `textDocument/selectionRange`.
pub(crate) fn selection(
    snapshot: &Snapshot,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>, Failure> {
    let open = snapshot.document(&params.text_document.uri)?;
    let offsets: Vec<usize> =
        params.positions.iter().map(|&position| open.offset(position)).collect();
    let found = babson_ide::selections(open.text(), &offsets, &open.options());
    let of = |(position, parts): (lsp_types::Position, Vec<Span>)| {
        let mut outer: Option<Box<SelectionRange>> = None;
        for part in parts.into_iter().rev() {
            let range = open.range(part);
            outer = Some(Box::new(SelectionRange { range, parent: outer }));
        }
        let empty = lsp_types::Range::new(position, position);
        outer.map_or(SelectionRange { range: empty, parent: None }, |outer| *outer)
    };
    Ok(Some(params.positions.into_iter().zip(found).map(of).collect()))
}

/// Answers `textDocument/documentSymbol`.
pub(crate) fn symbols(
    snapshot: &Snapshot,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>, Failure> {
    let open = snapshot.document(&params.text_document.uri)?;
    let found = babson_ide::symbols(open.text(), &open.options());
    if snapshot.client.nests_symbols {
        let nested = found.into_iter().map(|one| nested(open, one)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut flat = Vec::new();
    for one in found {
        flatten(open, one, None, &mut flat);
    }
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

/// Answers `workspace/symbol`: the functions, dictionaries and variables of all queries whose names
/// have the letters of the query in their order, in any case.
#[expect(deprecated, reason = "the type has a deprecated field")]
pub(crate) fn workspace_symbols(
    snapshot: &Snapshot,
    params: WorkspaceSymbolParams,
    work: &Work<'_>,
) -> Result<Option<WorkspaceSymbolResponse>, Failure> {
    let mut found: Vec<SymbolInformation> = Vec::new();
    let missing = each_query(snapshot, work, &mut |uri, text| {
        let lines = LineIndex::new(text);
        for symbol in babson_ide::symbols(text, &snapshot.options(uri, text)) {
            let is_name = match symbol.kind {
                SymbolKind::Function | SymbolKind::Dictionary | SymbolKind::Variable => true,
                SymbolKind::Import
                | SymbolKind::List
                | SymbolKind::Parameter
                | SymbolKind::SortKey => false,
            };
            if is_name && has_letters(&symbol.name, &params.query) {
                if found.len() == MAX_WORKSPACE_SYMBOLS {
                    let most = MAX_WORKSPACE_SYMBOLS;
                    (work.log)(format!(
                        "more than {most} names fit `{}`: the first {most} are shown",
                        params.query
                    ));
                    return Ok(ControlFlow::Break(()));
                }
                let range = lines.range(text, symbol.name_place, snapshot.client.encoding);
                found.push(SymbolInformation {
                    name: symbol.name,
                    kind: kind(symbol.kind),
                    tags: None,
                    deprecated: None,
                    location: Location::new(uri.clone(), range),
                    container_name: path_of(uri).map(|path| snapshot.shown(&path)),
                });
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    work.log_left_out(snapshot, &missing);
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}

/// Whether a name has these letters in their order, with any others between them.
fn has_letters(name: &str, letters: &str) -> bool {
    let mut rest = name.chars();
    let same = |one: char, other: char| one.eq_ignore_ascii_case(&other);
    letters.chars().all(|letter| rest.any(|next| same(next, letter)))
}

fn kind(kind: SymbolKind) -> lsp_types::SymbolKind {
    match kind {
        SymbolKind::Import => lsp_types::SymbolKind::MODULE,
        SymbolKind::List => lsp_types::SymbolKind::ARRAY,
        SymbolKind::Function => lsp_types::SymbolKind::FUNCTION,
        SymbolKind::Dictionary => lsp_types::SymbolKind::STRUCT,
        SymbolKind::SortKey => lsp_types::SymbolKind::KEY,
        SymbolKind::Parameter | SymbolKind::Variable => lsp_types::SymbolKind::VARIABLE,
    }
}

#[expect(deprecated, reason = "the type has a deprecated field")]
fn nested(open: OpenDocument<'_>, symbol: Symbol) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> =
        symbol.children.into_iter().map(|child| nested(open, child)).collect();
    DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail).filter(|detail| !detail.is_empty()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: open.range(symbol.place),
        selection_range: open.range(symbol.name_place),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

#[expect(deprecated, reason = "the type has a deprecated field")]
fn flatten(
    open: OpenDocument<'_>,
    symbol: Symbol,
    container: Option<&str>,
    flat: &mut Vec<SymbolInformation>,
) {
    flat.push(SymbolInformation {
        name: symbol.name.clone(),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(open.uri.clone(), open.range(symbol.place)),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flatten(open, child, Some(&symbol.name), flat);
    }
}
