//! The files of the page.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, ETAG, HeaderValue, IF_NONE_MATCH};
use axum::http::{HeaderMap, Response, StatusCode};
use babson_api::{ApiError, ErrorCode};

use crate::respond::typed;

/// The names of the files and their bytes, as the build script found them.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_files.rs"));

/// The file at a path; `/` is the page itself.
///
/// # Errors
/// The page has no file of this name.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Result<Response<Body>, ApiError> {
    let name = path.strip_prefix('/').unwrap_or(path);
    let name = if name.is_empty() { "index.html" } else { name };
    let found = FILES.iter().find(|(other, _)| *other == name);
    let (name, bytes) = found
        .ok_or_else(|| ApiError::new(ErrorCode::Path, "there is no such call and no such file"))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known =
        headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = typed(content_type(name), Body::from(*bytes));
    if is_known {
        *response.body_mut() = Body::empty();
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    // A browser asks each time whether its copy is the right one.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(ETAG, tag);
    }
    Ok(response)
}

/// The type of a file by its name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "wasm" => "application/wasm",
        "txt" | "pgn" | "cql" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
