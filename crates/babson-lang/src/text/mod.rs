//! Queries as texts: pieces with their classes, the two spellings, one style.

mod convert;
mod format;

pub use convert::{Spelling, convert};
pub use format::format;

use crate::cql3;
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::keywords::Keyword;
use crate::lexer::{Lex, Lexeme, lex_with_comments};

/// What a piece of a query's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `// …`, `/* … */`, and `; …` where that is one.
    Comment,
    /// A text in quotes, or a file name of the header.
    String,
    /// A number, a result, a repetition, a group of a pattern.
    Number,
    /// A word of the language.
    Keyword,
    /// A name of the query's own.
    Name,
    /// Men and squares: `Ra1`, `♖`, `.`.
    Piece,
    /// Any other sign.
    Sign,
}

impl Class {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Comment => "comment",
            Class::String => "string",
            Class::Number => "number",
            Class::Keyword => "keyword",
            Class::Name => "name",
            Class::Piece => "piece",
            Class::Sign => "sign",
        }
    }
}

/// A piece of a query's text; between the pieces is white space only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub class: Class,
}

/// The places of the comments of a query, sound or not; whatever begins one in some dialect.
///
/// ```
/// use babson_lang::text;
/// let source = "mate ; a\ncheck /* b */ ?";
/// let texts: Vec<&str> = text::comments(source).iter().map(|span| span.text(source)).collect();
/// assert_eq!(texts, ["; a", "/* b */"]);
/// ```
pub fn comments(source: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    // What is wrong besides is said when the query is read.
    drop(lex_with_comments(source, Dialect::CQL6, &mut comments));
    comments
}

/// Cuts a query into pieces, comments included.
///
/// # Errors
/// All lexical errors.
///
/// ```
/// use babson_lang::{Dialect, text};
/// let source = "mate // the end";
/// let classes: Vec<&str> = text::pieces(source, Dialect::CQLI)
///     .unwrap()
///     .iter()
///     .map(|piece| piece.class.name())
///     .collect();
/// assert_eq!(classes, ["keyword", "comment"]);
/// ```
pub fn pieces(source: &str, dialect: Dialect) -> Result<Vec<Piece>, Vec<Diagnostic>> {
    let lexemes = lexemes(source, dialect)?;
    Ok(lexemes
        .iter()
        .map(|lexeme| Piece { span: lexeme.span, class: class(lexeme, source) })
        .collect())
}

/// All lexemes with the comments among them. A query of CQL 3 has none of this language.
fn lexemes(source: &str, dialect: Dialect) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    if cql3::begins_query(source) {
        let start = source.find('(').unwrap_or(0) as u32;
        return Err(vec![
            Diagnostic::error(
                Span::new(start, start + 1),
                "a query of CQL 3 has no symbols and no style",
            )
            .with_help("`babson check` and `babson explain` read it"),
        ]);
    }
    let mut comments = Vec::new();
    let mut all = lex_with_comments(source, dialect, &mut comments)?;
    all.extend(comments.into_iter().map(|span| Lexeme {
        kind: Lex::Comment,
        span,
        tied: false,
        newline: false,
        blank: false,
    }));
    all.sort_by_key(|lexeme| lexeme.span.start);
    Ok(all)
}

fn class(lexeme: &Lexeme, source: &str) -> Class {
    match lexeme.kind {
        Lex::Comment | Lex::BadComment | Lex::Semicolon => Class::Comment,
        Lex::Str | Lex::BadStr | Lex::Escape | Lex::BadEscape | Lex::FileWord => Class::String,
        Lex::Int
        | Lex::Result
        | Lex::Repeat
        | Lex::RepeatStar
        | Lex::RepeatPlus
        | Lex::BadRepeat
        | Lex::Group
        | Lex::GroupIndex
        | Lex::NamedGroup => Class::Number,
        Lex::Designator | Lex::PieceVar | Lex::Dot | Lex::Empty => Class::Piece,
        Lex::PathSymbol
        | Lex::FocusSymbol
        | Lex::CurrentSymbol
        | Lex::FlipSymbol
        | Lex::FlipColorSymbol
        | Lex::LineComment => Class::Keyword,
        Lex::Word => {
            let word = lexeme.span.text(source);
            if word == "cql" || Keyword::from_word(word).is_some() {
                Class::Keyword
            } else {
                Class::Name
            }
        }
        _ => Class::Sign,
    }
}
