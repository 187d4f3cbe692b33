//! The calls `complete` and `hover`: what an editor asks while a query is written.

use babson::Span;
use babson_ide::{ItemKind, Options};
use serde::{Deserialize, Serialize, Serializer};

use crate::query::DialectName;

/// The body of `complete`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CompleteRequest {
    /// The query, which may be half written.
    pub query: String,
    /// The place of the cursor, in bytes of UTF-8.
    pub offset: usize,
    /// The dialect of the query, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// The body of `hover`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HoverRequest {
    /// The query, which may be half written.
    pub query: String,
    /// The place of the pointer, in bytes of UTF-8.
    pub offset: usize,
    /// The dialect of the query, if the query does not name one.
    #[serde(default)]
    pub dialect: Option<DialectName>,
}

/// The answer of `complete`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompleteAnswer {
    /// What fits at the place, the best first.
    pub items: Vec<CompleteItem>,
}

/// Something that fits at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompleteItem {
    /// What a list shows.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// The text to insert. The text of a snippet has places for the cursor, `${1:…}`.
    pub insert: String,
    /// What it means, in Markdown.
    pub doc: Option<String>,
    /// What the text replaces.
    #[serde(serialize_with = "pair")]
    pub span: Span,
}

/// The answer of `hover`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HoverAnswer {
    /// What it is about.
    #[serde(serialize_with = "pair")]
    pub span: Span,
    /// The text, in Markdown.
    pub markdown: String,
}

/// A span as its two ends.
fn pair<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    [span.start, span.end].serialize(serializer)
}

fn options(dialect: Option<DialectName>) -> Options {
    let mut options = Options::default();
    options.dialect = dialect.map(DialectName::dialect);
    options
}

/// What fits at a place of a query.
///
/// ```
/// use babson_api::TextCall;
///
/// let answer = TextCall::Complete.answer(r#"{"query": "stalem", "offset": 6}"#)?;
/// assert!(answer.contains(r#""label":"stalemate","kind":"keyword""#), "{answer}");
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub fn complete(request: &CompleteRequest) -> CompleteAnswer {
    let CompleteRequest { query, offset, dialect } = request;
    let items = babson_ide::complete(query, *offset, &options(*dialect));
    let item = |item: babson_ide::Item| CompleteItem {
        label: item.label,
        kind: item.kind,
        insert: item.insert,
        doc: item.doc,
        span: item.span,
    };
    CompleteAnswer { items: items.into_iter().map(item).collect() }
}

/// What is known about a place of a query; `None` if nothing is.
///
/// ```
/// use babson_api::TextCall;
///
/// let answer = TextCall::Hover.answer(r#"{"query": "stalemate", "offset": 2}"#)?;
/// assert!(answer.starts_with(r#"{"span":[0,9],"markdown":""#), "{answer}");
/// assert_eq!(TextCall::Hover.answer(r#"{"query": "  ", "offset": 99}"#)?, "null");
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub fn hover(request: &HoverRequest) -> Option<HoverAnswer> {
    let HoverRequest { query, offset, dialect } = request;
    let hover = babson_ide::hover(query, *offset, &options(*dialect))?;
    Some(HoverAnswer { span: hover.span, markdown: hover.markdown })
}
