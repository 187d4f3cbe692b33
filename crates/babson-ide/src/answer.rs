//! The answers.

use babson_lang::Span;
use serde::Serialize;

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Item {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// The text to insert. The texts of snippets and functions have places for the cursor,
    /// `${1:…}`, as editors have them; any other text is inserted as it is.
    pub insert: String,
    /// What it means, in Markdown.
    pub doc: Option<String>,
    /// What the text replaces: the word at the place, in bytes.
    pub span: Span,
}

/// What an [`Item`] is. serde writes it in lowercase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ItemKind {
    /// A filter, or an operator that is a word.
    Keyword,
    /// A parameter of the filter before it, or of the header.
    Parameter,
    /// A variable in scope.
    Variable,
    /// A function in scope, or one of the library, whose `import` is inserted with it.
    Function,
    /// A dictionary in scope.
    Dictionary,
    /// A constant: a designator, a result, a tag, a key, a file of the library.
    Value,
    /// A construct with places to fill in.
    Snippet,
    /// A word of chess that the language does not have, with what it has for it.
    Synonym,
}

impl ItemKind {
    /// The name, as serde writes it.
    pub const fn name(self) -> &'static str {
        match self {
            ItemKind::Keyword => "keyword",
            ItemKind::Parameter => "parameter",
            ItemKind::Variable => "variable",
            ItemKind::Function => "function",
            ItemKind::Dictionary => "dictionary",
            ItemKind::Value => "value",
            ItemKind::Snippet => "snippet",
            ItemKind::Synonym => "synonym",
        }
    }
}

/// What is known about a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Hover {
    /// What it is about, in bytes.
    pub span: Span,
    /// The text, in Markdown.
    pub markdown: String,
}
