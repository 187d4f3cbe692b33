//! CQL in SQL: the functions and the game tables of Babson for Apache DataFusion.
//!
//! [`register`] gives a session four functions. Their first argument are games, the second is the
//! text of a query, which must be a constant:
//!
//! | function | result |
//! | --- | --- |
//! | `cql(games, query)` | whether the query matches in the game, a `BOOLEAN` |
//! | `cql_count(games, query)` | the number of positions at which it matches, a `BIGINT` |
//! | `cql_value(games, query)` | the value of its last filter at the first of them; null if none |
//! | `cql_error(games, query)` | what is wrong with the game or with the query in it; null if nothing |
//!
//! A value is a `BIGINT`, a `BOOLEAN` or a text by the type of the filter, an error a text.
//!
//! The games are the column `moves` of a [`BabsonTable`], a list of the codes of moves, or PGN. A
//! third argument is the FEN that the game of codes or text starts from; without it, or if it is
//! null, the game starts from the initial array, or from the tag `FEN` of its text.
//!
//! A result is null if the game is null or cannot be read, or if the query ended there with an
//! error that does not end a search; `cql_error` tells the reason. Of damaged text what is before
//! the damage is searched, as by the command.
//!
//! ```
//! use babson_datafusion::register;
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let context = SessionContext::new();
//! register(&context);
//! let sql = "SELECT cql_count('1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0', 'check') AS checks";
//! let batches = context.sql(sql).await?.collect().await?;
//! datafusion::assert_batches_eq!(
//!     ["+--------+", "| checks |", "+--------+", "| 1      |", "+--------+"],
//!     &batches
//! );
//! # Ok(())
//! # }
//! ```
//!
//! `docs/src/datafusion.md` in the repository is the page of the book.
//!
//! The glossary, `docs/src/glossary.md` in the repository, explains the terms.

#![deny(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::match_wildcard_for_single_variants, clippy::undocumented_unsafe_blocks)]

// The only place where the two versions of Arrow meet.
#[allow(unsafe_code)]
mod bridge;
mod columns;
mod evaluator;
mod exec;
mod function;
mod games;
mod limits;
mod partition;
mod plan;
mod query;
mod query_function;
mod render;
mod results;
mod table;

use datafusion::prelude::SessionContext;

pub use function::functions;
pub use table::BabsonTable;

/// Makes the functions `cql`, `cql_count`, `cql_value` and `cql_error` known to a session.
pub fn register(context: &SessionContext) {
    for function in functions() {
        context.register_udf(function);
    }
}
