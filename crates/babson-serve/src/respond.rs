//! Answers with their headers.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue,
    REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use babson_api::{ApiError, ErrorAnswer, ErrorCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::config::ServeConfig;

/// The policy of the page: nothing but its own files, and no code within them.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The error of a call as an answer.
pub(crate) struct ErrorResponse(pub(crate) ApiError);

impl From<ApiError> for ErrorResponse {
    fn from(error: ApiError) -> ErrorResponse {
        ErrorResponse(error)
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response<Body> {
        let ErrorResponse(error) = self;
        let (code, status) = (error.code, error.code.status());
        let body = serde_json::to_string(&ErrorAnswer { error }).unwrap_or_default();
        let mut response = json(body);
        *response.status_mut() =
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        for (of, name, value) in
            [(ErrorCode::Token, WWW_AUTHENTICATE, "Bearer"), (ErrorCode::Busy, RETRY_AFTER, "5")]
        {
            if of == code {
                response.headers_mut().insert(name, HeaderValue::from_static(value));
            }
        }
        response
    }
}

/// An answer in JSON.
pub(crate) fn json(body: String) -> Response<Body> {
    typed("application/json", Body::from(body))
}

/// An answer of a type.
pub(crate) fn typed(content_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// Adds the headers that every answer has.
pub(crate) fn protect(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// Reads the body of a request.
///
/// # Errors
/// It is too long, comes too slowly, ends too early, or is not UTF-8.
pub(crate) async fn read_body(
    config: &ServeConfig,
    request: Request<Body>,
) -> Result<String, ApiError> {
    let most = config.limits.body;
    let large = || {
        let message = format!("the body of a request may have {most} bytes");
        ApiError::new(ErrorCode::Large, message)
    };
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if length
        .and_then(|length| length.parse::<u64>().ok())
        .is_some_and(|length| length > most as u64)
    {
        return Err(large());
    }
    let body = Limited::new(request.into_body(), most).collect();
    let body = match tokio::time::timeout(config.limits.body_time, body).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => return Err(large()),
        Ok(Err(_)) => {
            return Err(ApiError::new(ErrorCode::Request, "the body ends before its length"));
        }
        Err(_) => return Err(slow(config.limits.body_time)),
    };
    let wrong = |_| ApiError::new(ErrorCode::Request, "the body is not UTF-8");
    String::from_utf8(body.into()).map_err(wrong)
}

fn slow(time: Duration) -> ApiError {
    let message = format!("the body of a request must come within {} s", time.as_secs_f64());
    ApiError::new(ErrorCode::Slow, message)
}
