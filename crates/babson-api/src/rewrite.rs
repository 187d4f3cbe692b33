//! The calls `format` and `convert`: a query in another form.

use babson::diagnostic::ReportedDiagnostic;
use babson::text::{self, Spelling};
use babson::{Diagnostic, cql3};
use serde::{Deserialize, Serialize};

use crate::query::{DialectName, RequestQuery};
use crate::{ApiError, ErrorCode};

/// The body of `format`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FormatRequest {
    /// The query.
    pub query: String,
    /// Its dialect, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// The body of `convert`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ConvertRequest {
    /// The query.
    pub query: String,
    /// The form that it gets.
    pub to: ConvertTarget,
    /// Its dialect, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// The form that a query gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ConvertTarget {
    /// Modern CQL, of a query of CQL 3.
    Modern,
    /// The spelling in ASCII.
    Ascii,
    /// The spelling with the symbols of Unicode.
    Unicode,
}

/// The answer of `format` and `convert`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TextAnswer {
    /// The query in its other form.
    pub text: String,
    /// Where the modern form of a query of CQL 3 marks other positions. The places are in the old
    /// query.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ReportedDiagnostic>,
}

/// The query in the format of the formatter.
///
/// # Errors
/// The query does not parse.
pub fn format(request: &FormatRequest) -> Result<TextAnswer, ApiError> {
    let query = RequestQuery::new(&request.query, request.dialect)?;
    answer(&query, text::format(query.own_text(), query.dialect()))
}

/// The query in another form.
///
/// # Errors
/// The query has errors or no such form.
pub fn convert(request: &ConvertRequest) -> Result<TextAnswer, ApiError> {
    let query = RequestQuery::new(&request.query, request.dialect)?;
    let spelling = match request.to {
        ConvertTarget::Modern => return modern(&query),
        ConvertTarget::Ascii => Spelling::Ascii,
        ConvertTarget::Unicode => Spelling::Unicode,
    };
    answer(&query, text::convert(query.own_text(), spelling, query.dialect()))
}

fn modern(query: &RequestQuery) -> Result<TextAnswer, ApiError> {
    if !query.is_cql3() {
        let message = "it is not a query of CQL 3: only those have a modern form";
        return Err(ApiError::new(ErrorCode::Query, message));
    }
    let modern = cql3::to_modern(query.own_text()).map_err(|errors| query.own_error(errors))?;
    let changes = query.report(query.shifted(modern.changes)).diagnostics;
    Ok(TextAnswer { text: modern.query, changes })
}

fn answer(
    query: &RequestQuery,
    text: Result<String, Vec<Diagnostic>>,
) -> Result<TextAnswer, ApiError> {
    let text = text.map_err(|errors| query.own_error(errors))?;
    Ok(TextAnswer { text, changes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(query: &str, to: ConvertTarget) -> Result<TextAnswer, ApiError> {
        convert(&ConvertRequest { query: query.to_owned(), to, dialect: None })
    }

    #[test]
    fn a_query_gets_other_forms() {
        let request = FormatRequest { query: "flip{K==a1}".to_owned(), dialect: None };
        assert_eq!(format(&request).unwrap().text, "flip { K == a1 }\n");
        assert_eq!(to("R->k", ConvertTarget::Unicode).unwrap().text, "♖→♚");
        assert_eq!(to("♖→♚", ConvertTarget::Ascii).unwrap().text, "R->k");
        let modern = to("(match (position :mate))", ConvertTarget::Modern).unwrap();
        assert!(modern.text.contains("mate"), "{modern:?}");
        let error = to("mate", ConvertTarget::Modern).unwrap_err();
        assert!(error.message.contains("CQL 3"), "{error}");
        let error = format(&FormatRequest { query: "{mate".to_owned(), dialect: None });
        assert!(!error.unwrap_err().diagnostics.is_empty());
    }
}
