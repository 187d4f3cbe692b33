//! The call `explain`: what a query searches, and how.

use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::limits::MAX_CODE_LINES;
use crate::query::{DialectName, RequestQuery};

/// The body of `explain`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExplainRequest {
    /// The query.
    pub query: String,
    /// Its dialect, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// The answer of `explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExplainAnswer {
    /// The query in English sentences. A line that begins with `-`, perhaps after spaces, is a part
    /// of the sentence above it that is indented less.
    pub sentences: Vec<String>,
    /// What the optimizer did, the number of threads, and what is read of a game: a line each.
    pub conditions: Vec<String>,
    /// The bytecode, an instruction a line.
    pub code: Vec<String>,
}

/// What a query searches, in sentences, and how.
///
/// # Errors
/// The query has errors.
pub fn explain(request: &ExplainRequest) -> Result<ExplainAnswer, ApiError> {
    let source = RequestQuery::new(&request.query, request.dialect)?;
    let query = source.compile(|builder| builder.options(|run| run.variations = Some(true)))?;
    let mut code = query.explanation().bytecode;
    if code.len() > MAX_CODE_LINES {
        let more = code.len() - MAX_CODE_LINES;
        code.truncate(MAX_CODE_LINES);
        code.push(format!("… and {more} more lines"));
    }
    let conditions = query.conditions();
    Ok(ExplainAnswer {
        sentences: query.sentences(),
        conditions: conditions.lines().map(str::to_owned).collect(),
        code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_explained() {
        let explain = |query: &str| {
            super::explain(&ExplainRequest { query: query.to_owned(), dialect: None })
        };
        let answer = explain("check #Q > 1").unwrap();
        assert_eq!(answer.sentences[2], "- there is more than 1 white queen");
        assert!(!answer.conditions.is_empty() && !answer.code.is_empty());
        // A query that needs variations is explained, too.
        assert!(explain("hhdb mainline").is_ok());
        assert!(explain("chekc").is_err());
    }
}
