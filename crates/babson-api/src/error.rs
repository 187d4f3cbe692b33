//! The error of a call.

use babson::Diagnostic;
use babson::diagnostic::{Code, ReportedDiagnostic};
use serde::Serialize;

/// Why a call has no answer. As JSON it has a code, a message for people, and if the query is
/// wrong, its diagnostics.
///
/// ```
/// use babson_api::{ApiError, ErrorAnswer, ErrorCode};
///
/// let error = ApiError::new(ErrorCode::Database, "there is no database `m`");
/// assert_eq!(error.code.status(), 404);
/// let json = serde_json::to_string(&ErrorAnswer { error }).unwrap();
/// assert_eq!(json, r#"{"error":{"code":"database","message":"there is no database `m`"}}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ApiError {
    /// The kind of error.
    pub code: ErrorCode,
    /// One sentence without a period at the end. It names no file of the server.
    pub message: String,
    /// What is wrong with the query.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<ReportedDiagnostic>,
}

/// The body of an answer that is an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorAnswer {
    /// The error.
    pub error: ApiError,
}

/// The kind of an [`ApiError`]. serde writes it in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The body is not what the call takes.
    Request,
    /// The query has an error.
    Query,
    /// A run-time error ended the query.
    Runtime,
    /// The server wants a token, and the request has none or another one.
    Token,
    /// The query wants what it may not do: read a file, start a program.
    Refused,
    /// The request names another host than the server: the answer could be read by a page of a
    /// stranger.
    Host,
    /// The request comes from a page of another server.
    Origin,
    /// The database does not exist.
    Database,
    /// The database has no such game, or the game no such ply.
    Game,
    /// Neither a call nor a file has this path.
    Path,
    /// The call takes another method.
    Method,
    /// The body came too slowly.
    Slow,
    /// The body is too long.
    Large,
    /// Too many requests run or wait.
    Busy,
    /// The work took longer than it may.
    Timeout,
    /// The file of a database has changed or disappeared since the server opened it.
    Changed,
    /// A database cannot be read.
    Unreadable,
    /// The server ends.
    Ending,
    /// A bug in Babson ended this request.
    Internal,
}

impl ErrorCode {
    /// The status of the answer in HTTP.
    pub fn status(self) -> u16 {
        match self {
            ErrorCode::Request | ErrorCode::Query | ErrorCode::Runtime => 400,
            ErrorCode::Token => 401,
            ErrorCode::Refused | ErrorCode::Host | ErrorCode::Origin => 403,
            ErrorCode::Database | ErrorCode::Game | ErrorCode::Path => 404,
            ErrorCode::Method => 405,
            ErrorCode::Slow => 408,
            ErrorCode::Large => 413,
            ErrorCode::Busy => 429,
            ErrorCode::Internal => 500,
            ErrorCode::Timeout | ErrorCode::Changed | ErrorCode::Unreadable | ErrorCode::Ending => {
                503
            }
        }
    }
}

impl ApiError {
    /// An error without diagnostics.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), diagnostics: Vec::new() }
    }

    /// The error of a query with these errors, and as they are reported.
    pub(crate) fn of_query(errors: &[Diagnostic], reported: Vec<ReportedDiagnostic>) -> ApiError {
        let is_refused = errors.iter().any(|error| error.code == Code::ForbiddenAccess);
        let code = if is_refused { ErrorCode::Refused } else { ErrorCode::Query };
        let message = errors.first().map_or("the query has an error", |error| &error.message);
        ApiError { diagnostics: reported, ..ApiError::new(code, message) }
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
