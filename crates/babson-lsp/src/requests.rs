//! Which function answers which request.

use lsp_server::Request;
use lsp_types::Url;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentDiagnosticRequest,
    DocumentHighlightRequest, DocumentSymbolRequest, FoldingRangeRequest, Formatting,
    GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest, RangeFormatting,
    References, Rename, Request as LspRequest, SelectionRangeRequest, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest, WorkspaceSymbolRequest,
};
use serde_json::Value;

use crate::failure::Failure;
use crate::snapshot::Snapshot;
use crate::workspace::Work;
use crate::{actions, diagnostics, lens, navigate, structure, writing};

/// Answers a request. A request about many files asks between them whether it is cancelled, and
/// tells which are not searched.
type Answer = fn(&Snapshot, Value, &Work<'_>) -> Result<Value, Failure>;

/// A request that the server answers.
#[derive(Clone, Copy)]
pub(crate) struct RequestKind {
    pub(crate) method: &'static str,
    pub(crate) answer: Answer,
    /// Whether an answer about an older text would be wrong: edits, and what is drawn at places. An
    /// older list of completions is still good.
    pub(crate) is_of_version: bool,
    /// Whether it is about many files, so that others must not wait for it.
    pub(crate) is_long: bool,
}

/// Rows of [`REQUESTS`]: the request, its function, whether an older answer is wrong, and
/// `long` if it is about many files.
macro_rules! requests {
    ($($kind:ty => $answer:path, $is_of_version:literal $($long:ident)?;)*) => {
        &[$(RequestKind {
            method: <$kind as LspRequest>::METHOD,
            answer: requests!(@answer $kind, $answer $(, $long)?),
            is_of_version: $is_of_version,
            is_long: requests!(@is_long $($long)?),
        }),*]
    };
    (@answer $kind:ty, $answer:path) => {
        |snapshot, params, _| answered::<$kind>(params, |params| $answer(snapshot, params))
    };
    (@answer $kind:ty, $answer:path, long) => {
        |snapshot, params, work| {
            answered::<$kind>(params, |params| $answer(snapshot, params, work))
        }
    };
    (@is_long) => { false };
    (@is_long long) => { true };
}

/// The requests that a snapshot answers.
const REQUESTS: &[RequestKind] = requests! {
    HoverRequest => writing::hover, false;
    Completion => writing::completion, false;
    SignatureHelpRequest => writing::signature_help, false;
    GotoDefinition => navigate::definition, false;
    InlayHintRequest => writing::inlay_hints, true;
    Formatting => writing::formatting, true;
    RangeFormatting => writing::range_formatting, true;
    References => navigate::references, true long;
    DocumentHighlightRequest => navigate::highlight, true;
    PrepareRenameRequest => navigate::prepare_rename, true;
    Rename => navigate::rename, true long;
    SemanticTokensFullRequest => structure::tokens, true;
    SemanticTokensRangeRequest => structure::tokens_of_range, true;
    FoldingRangeRequest => structure::folding, true;
    SelectionRangeRequest => structure::selection, true;
    DocumentSymbolRequest => structure::symbols, true;
    WorkspaceSymbolRequest => structure::workspace_symbols, false long;
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
    params: Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, Failure>,
) -> Result<Value, Failure> {
    let wrong = |error: serde_json::Error| {
        Failure::Params(format!("the parameters of {} are wrong: {error}", R::METHOD))
    };
    let result = answer(serde_json::from_value(params).map_err(wrong)?)?;
    serde_json::to_value(result).map_err(|error| Failure::Internal(error.to_string()))
}
