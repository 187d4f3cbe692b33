//! Queries as text: tokens for highlighting, conversion between ASCII and Unicode, formatting.

mod convert;
mod format;
mod literal;

pub use convert::{Spelling, convert};
pub use format::format;
pub use literal::{is_variable_name, string};

use crate::cql3;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::keywords::Keyword;
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, Spacing, lex_all, lex_with_comments};

/// The class of a token, for syntax highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// `// …`, `/* … */`, and `; …` in dialects in which it is a comment.
    Comment,
    /// A string literal, or a file name of the header.
    String,
    /// A number, a result, a repetition, or a reference to a group of a regular expression.
    Number,
    /// A keyword.
    Keyword,
    /// A name that the query declares.
    Name,
    /// A designator: `Ra1`, `♖`, `.`.
    Piece,
    /// Any other symbol.
    Symbol,
}

impl TokenClass {
    /// The name of the class.
    pub const fn name(self) -> &'static str {
        match self {
            TokenClass::Comment => "comment",
            TokenClass::String => "string",
            TokenClass::Number => "number",
            TokenClass::Keyword => "keyword",
            TokenClass::Name => "name",
            TokenClass::Piece => "piece",
            TokenClass::Symbol => "symbol",
        }
    }
}

/// A token of a query, comments included; only whitespace separates tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// The place.
    pub span: Span,
    /// The class.
    pub class: TokenClass,
    /// Whether it joins its operands to one expression: an operator between two operands, the `[`
    /// of an index, or a `#` or `~` before its operand.
    pub is_operator: bool,
}

/// The places of the comments of a query, valid or not, in any dialect.
///
/// ```
/// use babson_lang::text;
/// let source = "mate ; a\ncheck /* b */ ?";
/// let texts: Vec<&str> = text::comments(source).iter().map(|span| span.text(source)).collect();
/// assert_eq!(texts, ["; a", "/* b */"]);
/// ```
pub fn comments(source: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    // The errors are reported when the query is parsed.
    drop(lex_with_comments(source, Dialect::CQL6, &mut comments));
    comments
}

/// Divides a query into tokens, comments included.
///
/// # Errors
/// All lexical errors.
///
/// ```
/// use babson_lang::{Dialect, text};
/// let source = "mate // the end";
/// let classes: Vec<&str> = text::tokens(source, Dialect::CQLI)
///     .unwrap()
///     .iter()
///     .map(|token| token.class.name())
///     .collect();
/// assert_eq!(classes, ["keyword", "comment"]);
/// ```
pub fn tokens(source: &str, dialect: Dialect) -> Result<Vec<Token>, Vec<Diagnostic>> {
    let lexemes = lexemes(source, dialect)?;
    Ok(lexemes.iter().map(|lexeme| token(lexeme, source)).collect())
}

/// Divides a text into tokens, comments included, whatever is wrong with it. What is not a token is
/// left out; a string without its closing quote is one, and so is a comment that never ends. A
/// text of CQL 3 is divided as a text of the modern language.
///
/// ```
/// use babson_lang::{Dialect, text};
/// let source = "player \"Tal";
/// let tokens = text::tokens_around_errors(source, Dialect::CQLI);
/// assert_eq!(tokens[1].span.text(source), "\"Tal");
/// ```
pub fn tokens_around_errors(source: &str, dialect: Dialect) -> Vec<Token> {
    let mut comments = Vec::new();
    let (lexemes, errors) = lex_all(source, dialect, &mut comments);
    let open_comment = errors.iter().find(|error| error.code == Code::UnclosedComment);
    let end = u32::try_from(source.len()).unwrap_or(u32::MAX);
    comments.extend(open_comment.map(|error| Span::new(error.span.start, end)));
    let lexemes = lexemes.iter();
    let tokens = lexemes.map(|lexeme| token(lexeme, source));
    let comment = |span| Token { span, class: TokenClass::Comment, is_operator: false };
    let comments = comments.into_iter().map(comment);
    let mut all: Vec<Token> = tokens.chain(comments).collect();
    all.sort_by_key(|token| token.span.start);
    all
}

/// The error for a query of CQL 3.
fn refuse_cql3(source: &str) -> Result<(), Vec<Diagnostic>> {
    let message = "a query of CQL 3 cannot be converted or formatted";
    let help = "it can be checked, explained and run as it is";
    cql3::refuse(source, message, help).map_err(|error| vec![error])
}

/// All lexemes, comments included. A query of CQL 3 is an error.
fn lexemes(source: &str, dialect: Dialect) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    refuse_cql3(source)?;
    let mut comments = Vec::new();
    let mut all = lex_with_comments(source, dialect, &mut comments)?;
    all.extend(comments.into_iter().map(|span| Lexeme {
        kind: LexemeKind::Comment,
        span,
        spacing: Spacing::Space,
    }));
    all.sort_by_key(|lexeme| lexeme.span.start);
    Ok(all)
}

fn token(lexeme: &Lexeme, source: &str) -> Token {
    let is_operator = is_operator(lexeme, source);
    Token { span: lexeme.span, class: class(lexeme, source), is_operator }
}

fn is_operator(lexeme: &Lexeme, source: &str) -> bool {
    match lexeme.kind.class() {
        LexemeClass::Operator(_) | LexemeClass::Dash | LexemeClass::Chain | LexemeClass::Colon => {
            true
        }
        LexemeClass::Prefix | LexemeClass::OpeningBracket => {
            matches!(lexeme.kind, LexemeKind::Tilde | LexemeKind::Hash | LexemeKind::LBracket)
        }
        LexemeClass::Word => matches!(
            Keyword::from_word(lexeme.span.text(source)),
            Some(Keyword::And | Keyword::Or | Keyword::In | Keyword::Attacks | Keyword::AttackedBy)
        ),
        LexemeClass::Operand
        | LexemeClass::ClosingBracket
        | LexemeClass::Assignment
        | LexemeClass::Element
        | LexemeClass::Wildcard
        | LexemeClass::Parameter
        | LexemeClass::LineComment
        | LexemeClass::Comment => false,
    }
}

fn class(lexeme: &Lexeme, source: &str) -> TokenClass {
    match lexeme.kind {
        LexemeKind::Comment | LexemeKind::Semicolon => TokenClass::Comment,
        LexemeKind::Str | LexemeKind::Escape(_) | LexemeKind::FileWord => TokenClass::String,
        LexemeKind::Int(_)
        | LexemeKind::Result(_)
        | LexemeKind::Repeat(_)
        | LexemeKind::Group(_)
        | LexemeKind::GroupIndex(_)
        | LexemeKind::NamedGroup => TokenClass::Number,
        LexemeKind::Designator(_) | LexemeKind::PieceVar | LexemeKind::Dot | LexemeKind::Empty => {
            TokenClass::Piece
        }
        LexemeKind::KeywordSymbol(_) | LexemeKind::LineComment => TokenClass::Keyword,
        LexemeKind::Word => {
            let word = lexeme.span.text(source);
            if word == "cql" || Keyword::from_word(word).is_some() {
                TokenClass::Keyword
            } else {
                TokenClass::Name
            }
        }
        LexemeKind::Castle
        | LexemeKind::Dash
        | LexemeKind::Capture
        | LexemeKind::Forward
        | LexemeKind::Backward
        | LexemeKind::Shot(_)
        | LexemeKind::Element
        | LexemeKind::ForAll
        | LexemeKind::Match
        | LexemeKind::Rel(_)
        | LexemeKind::Assign
        | LexemeKind::OpAssign(_)
        | LexemeKind::Plus
        | LexemeKind::Minus
        | LexemeKind::Star
        | LexemeKind::Slash
        | LexemeKind::Percent
        | LexemeKind::Question
        | LexemeKind::Union
        | LexemeKind::Intersect
        | LexemeKind::Tilde
        | LexemeKind::Hash
        | LexemeKind::Colon
        | LexemeKind::Identity
        | LexemeKind::LParen
        | LexemeKind::RParen
        | LexemeKind::LBrace
        | LexemeKind::RBrace
        | LexemeKind::LBracket
        | LexemeKind::RBracket => TokenClass::Symbol,
    }
}
