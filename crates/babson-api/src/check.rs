//! The call `check`: the diagnostics of a query.

use babson::diagnostic::DiagnosticReport;
use serde::Deserialize;

use crate::query::{DialectName, RequestQuery};

/// The body of `check`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CheckRequest {
    /// The query.
    pub query: String,
    /// Its dialect, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// All errors of a query; or if there is none, its warnings. If the request or the query names a
/// dialect, they include where CQL 6.2 reads the query differently.
pub fn check(request: &CheckRequest) -> DiagnosticReport {
    let query = match RequestQuery::read(&request.query, request.dialect) {
        Ok(query) => query,
        Err((_, report)) => return report,
    };
    // The query is only looked at, so nobody asked to leave variations out.
    let compiled = query.compiled(|builder| builder.options(|run| run.variations = Some(true)));
    query.report(match compiled {
        Ok(compiled) if query.names_dialect => {
            [compiled.differences(), compiled.warnings()].concat()
        }
        Ok(compiled) => compiled.warnings().to_vec(),
        Err(errors) => errors,
    })
}
