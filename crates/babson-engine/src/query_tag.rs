//! The tag that names the query of a game.

use babson_vm::Outcome;

/// The name of the tag.
const QUERY_TAG: &str = "Query";

/// The outcome with a tag that names the query, or the queries.
pub(crate) fn named(outcome: &Outcome, title: &str) -> Outcome {
    let mut outcome = outcome.clone();
    let name = title.replace('\\', "\\\\").replace('"', "\\\"");
    outcome.tags.retain(|tag| tag.0 != QUERY_TAG);
    outcome.removed_tags.retain(|tag| tag != QUERY_TAG);
    outcome.tags.push((QUERY_TAG.to_owned(), name.into_bytes()));
    outcome
}
