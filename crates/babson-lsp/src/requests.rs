//! Which function answers which request.

use lsp_server::Request;
use lsp_types::Url;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentDiagnosticRequest,
    DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest, Formatting,
    GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, RangeFormatting,
    References, Rename, Request as LspRequest, SelectionRangeRequest, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest,
};
use serde_json::Value;

use crate::failure::Failure;
use crate::snapshot::Snapshot;
use crate::{actions, diagnostics, lens, navigate, structure, writing};

/// Answers a request.
type Answer = fn(&Snapshot, Value) -> Result<Value, Failure>;

/// A request that the server answers.
#[derive(Clone, Copy)]
pub(crate) struct RequestKind {
    pub(crate) method: &'static str,
    pub(crate) answer: Answer,
    /// Whether an answer about an older text would be wrong: edits, and what is drawn at places. An
    /// older list of completions is still good.
    pub(crate) is_of_version: bool,
}

/// A row of [`REQUESTS`]: the request, its function, and whether an older answer is wrong.
macro_rules! requests {
    ($($kind:ty => $answer:path, $is_of_version:literal;)*) => {
        &[$(RequestKind {
            method: <$kind as LspRequest>::METHOD,
            answer: |snapshot, params| answered::<$kind>(snapshot, params, $answer),
            is_of_version: $is_of_version,
        }),*]
    };
}

/// The requests about documents.
const REQUESTS: &[RequestKind] = requests! {
    HoverRequest => writing::hover, false;
    Completion => writing::completion, false;
    SignatureHelpRequest => writing::signature_help, false;
    GotoDefinition => navigate::definition, false;
    InlayHintRequest => writing::inlay_hints, true;
    Formatting => writing::formatting, true;
    RangeFormatting => writing::range_formatting, true;
    References => navigate::references, true;
    DocumentHighlightRequest => navigate::highlight, true;
    PrepareRenameRequest => navigate::prepare_rename, true;
    Rename => navigate::rename, true;
    SemanticTokensFullRequest => structure::tokens, true;
    SemanticTokensRangeRequest => structure::tokens_of_range, true;
    FoldingRangeRequest => structure::folding, true;
    SelectionRangeRequest => structure::selection, true;
    DocumentSymbolRequest => structure::symbols, true;
    CodeActionRequest => actions::actions, true;
    CodeLensRequest => lens::lenses, true;
    DocumentDiagnosticRequest => diagnostics::pull, true;
};

/// The kind of a request, if the server has it.
pub(crate) fn kind_of(method: &str) -> Option<RequestKind> {
    REQUESTS.iter().find(|kind| kind.method == method).copied()
}

/// The document that a request is about.
pub(crate) fn document_of(request: &Request) -> Option<Url> {
    let uri = request.params.get("textDocument")?.get("uri")?.as_str()?;
    Url::parse(uri).ok()
}

fn answered<R: LspRequest>(
    snapshot: &Snapshot,
    params: Value,
    answer: fn(&Snapshot, R::Params) -> Result<R::Result, Failure>,
) -> Result<Value, Failure> {
    let wrong = |error: serde_json::Error| {
        Failure::Params(format!("the parameters of {} are wrong: {error}", R::METHOD))
    };
    let result = answer(snapshot, serde_json::from_value(params).map_err(wrong)?)?;
    serde_json::to_value(result).map_err(|error| Failure::Internal(error.to_string()))
}
