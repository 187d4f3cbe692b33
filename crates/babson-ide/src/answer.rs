//! The answers.

use babson_lang::Span;
use babson_lang::diagnostic::Edit;
use babson_lang::text::TokenClass;
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

/// A place in the query or in a file that it imports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct FileSpan {
    /// The file: its [key](babson_lang::imports::FoundFile::key), or `<motifs>` for a file of the
    /// library. `None` is the query itself.
    pub file: Option<String>,
    /// The bytes of its text.
    pub span: Span,
}

impl FileSpan {
    /// A place in a file, or in the query.
    pub fn new(file: Option<String>, span: Span) -> FileSpan {
        FileSpan { file, span }
    }
}

/// Where a name is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Definition {
    /// The name that was asked about, in bytes of the query.
    pub origin: Span,
    /// Where it is declared.
    pub target: FileSpan,
}

/// A place that names something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// The place of the name.
    pub place: FileSpan,
    /// What the place does with it.
    pub kind: ReferenceKind,
}

/// What a place does with a name. serde writes it in lowercase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    /// It declares the name.
    Declaration,
    /// It changes the value.
    Write,
    /// It uses the value.
    Read,
}

/// A replacement in the query or in a file that it imports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileEdit {
    /// The file, as in [`FileSpan`].
    pub file: Option<String>,
    /// The bytes that are replaced.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
}

/// Why a name cannot get another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenameRefusal {
    /// The place has no name.
    NoName,
    /// Nothing declares the name.
    Undeclared,
    /// The built-in library declares it.
    Library,
    /// The new name is a keyword or a designator, or has other characters than letters, digits,
    /// `_` and `$`.
    NotAName,
    /// The query would mean something else: it has the new name already.
    Collision,
}

impl std::fmt::Display for RenameRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RenameRefusal::NoName => {
                "only variables, functions, dictionaries and parameters can be renamed"
            }
            RenameRefusal::Undeclared => {
                "neither the query nor a file that it imports declares this name"
            }
            RenameRefusal::Library => {
                "the built-in library declares this name, and its files cannot be changed"
            }
            RenameRefusal::NotAName => {
                "the new name must consist of letters, digits, `_` and `$`, and be neither a \
                 keyword nor a piece designator such as `Ra`"
            }
            RenameRefusal::Collision => {
                "the query uses the new name already, and would mean something else"
            }
        })
    }
}

impl std::error::Error for RenameRefusal {}

/// A token with what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MeaningToken {
    /// The bytes of the token. A comment or a string may span several lines.
    pub span: Span,
    /// What it means.
    pub meaning: TokenMeaning,
    /// Whether it declares the name that it is.
    pub is_declaration: bool,
    /// Whether it changes what the name stands for.
    pub is_write: bool,
}

/// What a token means. serde writes it in lowercase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenMeaning {
    /// A filter, a parameter, or an operator that is a word.
    Keyword,
    /// A comment.
    Comment,
    /// A string, or the name of a file in the header.
    String,
    /// A number or a result.
    Number,
    /// A designator of pieces or squares.
    Piece,
    /// An operator or a bracket.
    Operator,
    /// A variable.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A function.
    Function,
    /// A dictionary.
    Dictionary,
}

impl TokenMeaning {
    /// All meanings, in the order of their declaration.
    pub const ALL: [TokenMeaning; 10] = [
        TokenMeaning::Keyword,
        TokenMeaning::Comment,
        TokenMeaning::String,
        TokenMeaning::Number,
        TokenMeaning::Piece,
        TokenMeaning::Operator,
        TokenMeaning::Variable,
        TokenMeaning::Parameter,
        TokenMeaning::Function,
        TokenMeaning::Dictionary,
    ];

    /// The meaning of the tokens of a class.
    pub(crate) fn of_class(class: TokenClass) -> TokenMeaning {
        match class {
            TokenClass::Comment => TokenMeaning::Comment,
            TokenClass::String => TokenMeaning::String,
            TokenClass::Number => TokenMeaning::Number,
            TokenClass::Keyword => TokenMeaning::Keyword,
            TokenClass::Name => TokenMeaning::Variable,
            TokenClass::Piece => TokenMeaning::Piece,
            TokenClass::Symbol => TokenMeaning::Operator,
        }
    }
}

/// A part of the text that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fold {
    /// The bytes of the part, from its first character to its last one.
    pub span: Span,
    /// What it is.
    pub kind: FoldKind,
}

/// What a [`Fold`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FoldKind {
    /// Brackets with what they enclose.
    Region,
    /// Comments.
    Comment,
}

/// Something that the query declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Its type, or its parameters.
    pub detail: String,
    /// The whole declaration.
    pub place: Span,
    /// The name in it.
    pub name_place: Span,
    /// What is declared in it.
    pub children: Vec<Symbol>,
}

/// What a [`Symbol`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// An imported file.
    Import,
    /// A position list of CQL 3.
    List,
    /// A function.
    Function,
    /// A parameter of a function.
    Parameter,
    /// A variable.
    Variable,
    /// A dictionary.
    Dictionary,
    /// A key by which the query sorts.
    SortKey,
}

/// What an editor shows in the text that is not written there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct InlayHint {
    /// Where it stands, in bytes.
    pub offset: u32,
    /// What it says.
    pub label: String,
    /// What it tells.
    pub kind: HintKind,
    /// A sentence about it.
    pub help: String,
}

/// What an [`InlayHint`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HintKind {
    /// The type of the variable before it.
    Type,
    /// That the filter is evaluated for several things.
    Iteration,
    /// That two filters must both match.
    And,
}

/// The parameters of what is written at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Signature {
    /// The whole form, such as `fork(attackers targets)`.
    pub label: String,
    /// What it means, in Markdown.
    pub doc: Option<String>,
    /// The places of the parameters in the label, in bytes.
    pub parameters: Vec<Span>,
    /// The index of the parameter at the place, if it is one.
    pub active: Option<usize>,
}

/// A change of the query that an author may choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Action {
    /// What it does, in a few words.
    pub title: String,
    /// What it is for.
    pub kind: ActionKind,
    /// Its edits of the query, in the order of the text.
    pub edits: Vec<Edit>,
}

/// What an [`Action`] is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// It makes a function of a part of the query.
    Extract,
    /// It writes a value in place of a variable.
    Inline,
    /// It writes the query, or a part of it, in another form.
    Rewrite,
}
