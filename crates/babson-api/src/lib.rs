//! The calls of the page as data: the bodies of requests, the answers, and the functions that make
//! an answer of a body.
//!
//! ```text
//! body (JSON) ── TextCall::answer ──> answer (JSON) or ApiError
//! ```
//!
//! `babson serve` and the WebAssembly of the playground use this crate, so that the page gets the
//! same answers from both. The crate is pure: it has no files, threads or clock. Whoever answers a
//! search finds the games and passes what was found to [`SearchLine`], [`GameAnswer`] and
//! [`WhyAnswer`].
//!
//! ```
//! use babson_api::TextCall;
//!
//! let answer = TextCall::Check.answer(r#"{"query": "mate adn check"}"#)?;
//! assert!(answer.contains(r#""code":"E0201""#) && answer.contains(r#""span":[5,8]"#), "{answer}");
//! let error = TextCall::Check.answer(r#"{"qery": "mate"}"#).unwrap_err();
//! assert_eq!(error.code.status(), 400);
//! # Ok::<(), babson_api::ApiError>(())
//! ```
//!
//! A query is always a query of a stranger: it reaches no files and no programs, whatever it says.
//! The book describes the calls (`docs/src/serve.md#the-api`).
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod body;
mod call;
mod check;
mod error;
mod explain;
mod game;
mod group;
mod ide;
mod limits;
mod query;
mod rewrite;
#[cfg(feature = "engine")]
mod scan;
mod search;
mod why;

pub use body::body;
pub use call::TextCall;
pub use check::{CheckRequest, check};
pub use error::{ApiError, ErrorAnswer, ErrorCode};
pub use explain::{ExplainAnswer, ExplainRequest, explain};
pub use game::{GameAnswer, MoveAnswer, check_game, game_query};
pub use group::{GroupAnswer, GroupCell, GroupRequest};
pub use ide::{
    CompleteAnswer, CompleteItem, CompleteRequest, HoverAnswer, HoverRequest, complete, hover,
};
pub use limits::{MAX_BODY, MAX_CODE_LINES, MAX_TOLD_ERRORS};
pub use query::{DialectName, RequestQuery};
pub use rewrite::{ConvertRequest, ConvertTarget, FormatRequest, TextAnswer, convert, format};
#[cfg(feature = "engine")]
pub use scan::{GroupCount, GroupSearch, scanned_game};
pub use search::{
    DamagedLine, LimitOwner, MatchLine, MessageLine, ProgressLine, RowLine, SearchLine,
    SearchRequest, StopReason, SummaryLine, file_name, ignored_files, name_list, untold_errors,
};
pub use why::{WhyAnswer, WhyRequest, filter_text};
