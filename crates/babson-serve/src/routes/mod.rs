//! The routes of the calls, and what happens to each request before and after.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{ALLOW, HeaderValue};
use axum::http::{HeaderMap, Request, Response, Uri};
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get, post};
use babson_api::{ApiError, ErrorCode, TextCall};
use futures_util::FutureExt as _;
use tower_service::Service as _;

use crate::call::Call;
use crate::respond::{ErrorResponse, json, protect, read_body, typed};
use crate::state::ServerState;
use crate::{guard, page};

/// The document that describes the calls.
const OPENAPI: &str = include_str!("../../openapi.json");

type Shared = State<Arc<ServerState>>;
type Answer = Result<Response<Body>, ErrorResponse>;

/// The routes of all calls. Any other path is a file of the page.
pub(crate) fn router(state: Arc<ServerState>) -> Router {
    let routes = Call::all().fold(Router::new(), |router, call| {
        router.route(&call.path(), handler(call).fallback(wrong_method))
    });
    routes.fallback(file).with_state(state)
}

/// What answers a call.
fn handler(call: Call) -> MethodRouter<Arc<ServerState>> {
    match call {
        Call::Databases => get(databases),
        Call::Search => post(search),
        Call::Group => post(group),
        Call::Text(call) => {
            post(move |State(state): Shared, request: Request<Body>| text(call, state, request))
        }
        Call::Why => post(why),
        Call::Game => get(game),
        Call::OpenApi => get(openapi),
        Call::Health => get(health),
        Call::Metrics => get(metrics),
    }
}

async fn databases(State(state): Shared) -> Answer {
    let answer = serde_json::to_string(&state.databases.answer());
    answer.map(json).map_err(|error| ErrorResponse(state.internal(&error.to_string())))
}

async fn search(State(state): Shared, request: Request<Body>) -> Answer {
    Ok(crate::search::search(state, request).await?)
}

async fn group(State(state): Shared, request: Request<Body>) -> Answer {
    Ok(crate::group::group(state, request).await?)
}

async fn why(State(state): Shared, request: Request<Body>) -> Answer {
    Ok(crate::game::why(state, request).await?)
}

async fn game(State(state): Shared, path: Result<Path<(String, String)>, PathRejection>) -> Answer {
    let Path((name, number)) = path.map_err(|_| {
        ApiError::new(ErrorCode::Database, "the name of the database is not a text in UTF-8")
    })?;
    Ok(crate::game::game(state, &name, &number).await?)
}

async fn openapi() -> Response<Body> {
    json(OPENAPI.to_owned())
}

async fn health(State(state): Shared) -> Answer {
    match state.is_ending() {
        true => Err(ApiError::new(ErrorCode::Ending, "the server ends").into()),
        false => Ok(typed("text/plain; charset=utf-8", Body::from("ok\n"))),
    }
}

async fn metrics(State(state): Shared) -> Response<Body> {
    let text = state.metrics.text(&state.jobs);
    typed("text/plain; version=0.0.4; charset=utf-8", Body::from(text))
}

/// Answers a call that needs nothing but its body.
async fn text(call: TextCall, state: Arc<ServerState>, request: Request<Body>) -> Answer {
    let body = read_body(&state.config, request).await?;
    Ok(state.short(move |_| call.answer(&body)).await.map(json)?)
}

async fn wrong_method(uri: Uri) -> Response<Body> {
    let is_post = Call::of_path(uri.path()).is_some_and(Call::is_post);
    let allowed = if is_post { "POST" } else { "GET, HEAD" };
    let message = format!("the call takes the method {allowed}");
    let mut response = ErrorResponse(ApiError::new(ErrorCode::Method, message)).into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

async fn file(uri: Uri, headers: HeaderMap) -> Answer {
    Ok(page::file(uri.path(), &headers)?)
}

/// Answers a request. Its connection may be one of a stranger.
pub(crate) async fn answer(
    state: Arc<ServerState>,
    mut router: Router,
    request: Request<Body>,
) -> Response<Body> {
    let began = Instant::now();
    let call = Call::of_path(request.uri().path());
    let config = &state.config;
    let checked = guard::check_source(config, request.uri(), request.headers());
    let checked = checked.and_then(|()| match call {
        Some(call) if !call.is_guarded() => Ok(()),
        None if !request.uri().path().starts_with("/api/") => Ok(()),
        Some(_) | None => guard::check_token(config, request.headers()),
    });
    let mut response = match checked {
        Ok(()) => {
            let answered = AssertUnwindSafe(router.call(request)).catch_unwind().await;
            match answered {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => ErrorResponse(state.internal("a panic")).into_response(),
            }
        }
        Err(error) => ErrorResponse(error).into_response(),
    };
    protect(&mut response);
    let name = call.map_or("page", Call::name);
    state.metrics.count_request(name, response.status().as_u16(), began.elapsed());
    response
}

#[cfg(test)]
mod tests;
