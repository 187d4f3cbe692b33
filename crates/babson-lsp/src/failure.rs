//! Why a request has no answer.

use babson::Diagnostic;
use lsp_server::{ErrorCode, ResponseError};

/// The error of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The parameters do not fit the request.
    Params(String),
    /// The request is right, but it cannot be done: the message says why.
    Refused(String),
    /// The client has not sent `initialize` yet.
    TooEarly(String),
    /// The server has no such request.
    Unknown(String),
    /// The client no longer wants the answer.
    Cancelled,
    /// The document has changed since.
    Stale,
    /// A bug in the server.
    Internal(String),
}

impl Failure {
    /// A query with errors cannot be run, formatted and so on: `done` says what.
    pub(crate) fn of_query(done: &str, errors: &[Diagnostic]) -> Failure {
        let first = errors.first().map_or("", |error| error.message.as_str());
        Failure::Refused(format!("the query cannot be {done}: {first}"))
    }

    pub(crate) fn response(self) -> ResponseError {
        let (code, message) = match self {
            Failure::Params(why) => (ErrorCode::InvalidParams, why),
            Failure::Refused(why) => (ErrorCode::RequestFailed, why),
            Failure::TooEarly(method) => {
                (ErrorCode::ServerNotInitialized, format!("`{method}` came before `initialize`"))
            }
            Failure::Unknown(method) => {
                (ErrorCode::MethodNotFound, format!("the server has no request `{method}`"))
            }
            Failure::Cancelled => (ErrorCode::RequestCanceled, "the request was cancelled".into()),
            Failure::Stale => (ErrorCode::ContentModified, "the document has changed".into()),
            Failure::Internal(what) => {
                (ErrorCode::InternalError, format!("a bug in babson lsp: {what}"))
            }
        };
        ResponseError { code: code as i32, message, data: None }
    }
}
