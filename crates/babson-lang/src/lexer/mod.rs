//! The lexer: divides the text into lexemes, independent of context
//! (docs/src/language/reading.md#lexemes). The longest match wins.
//!
//! logos has no look-ahead. [`lex`] checks the character after a result literal or `o-o` and, if
//! the match was too long, restarts the lexer after a shorter lexeme.

mod class;
mod designator;
mod errors;
mod lists;
mod values;

use crate::ast::{Arithmetic, AssignOp, ComparisonOperator, DesignatorLiteral, GameResult};
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::keywords::Keyword;
pub(crate) use class::LexemeClass;
pub(crate) use designator::split as split_designator;
use errors::ErrorList;
pub(crate) use errors::LexicalError;
use logos::Logos;
pub(crate) use values::{EscapeText, RepeatRange, piece_variable, unquoted};

/// The kinds of lexemes, with the values of literals and operators.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
#[logos(error = LexicalError)]
pub(crate) enum LexemeKind {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", priority = 4)]
    Word,
    #[regex(r"(([KQRBNPkqrbnpAa_]|\[[KQRBNPkqrbnpAa_]+\])(([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\])?)|([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\]", |lexer| designator::parse(lexer.slice()), priority = 9)]
    #[regex(r"(([♔-♟△▲□◭])+|\[[♔-♟△▲□◭]+\])(([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\])?", |lexer| designator::parse(lexer.slice()), priority = 9)]
    Designator(DesignatorLiteral),
    #[regex(r"(\[Aa\]|◭)[A-Za-z_$][A-Za-z0-9_$]*", priority = 5)]
    PieceVar,
    #[regex(r"[0-9]+", |lexer| values::int(lexer.slice()))]
    Int(i32),
    #[token("1-0", |_| GameResult::WhiteWins)]
    #[token("0-1", |_| GameResult::BlackWins)]
    #[token("1/2-1/2", |_| GameResult::Draw)]
    Result(GameResult),
    #[regex(r"\{[0-9]+(,[0-9]*)?\}", |lexer| values::repeat(lexer.slice()))]
    #[regex(r"\{,[0-9]+\}", |lexer| values::repeat(lexer.slice()))]
    #[token("{*}", |_| RepeatRange::ANY)]
    #[token("{+}", |_| RepeatRange::SOME)]
    #[token("{,}", |_| Err(LexicalError::UnboundedRepeat))]
    Repeat(RepeatRange),
    #[token("o-o")]
    #[token("o-o-o")]
    Castle,
    #[regex(r#""[^"\n]*""#)]
    #[regex(r#""[^"\n]*"#, values::open_string)]
    Str,
    #[token(r"\n", |_| EscapeText("\n"), priority = 9)]
    #[token(r"\r", |_| EscapeText("\r"), priority = 9)]
    #[token(r"\t", |_| EscapeText("\t"), priority = 9)]
    #[token(r"\\", |_| EscapeText("\\"), priority = 9)]
    #[token("\\\"", |_| EscapeText("\""), priority = 9)]
    #[regex(r"\\[A-Za-z_$][A-Za-z0-9_$]*", |_| Err(LexicalError::UnknownEscape), priority = 3)]
    Escape(EscapeText),
    #[regex(r"\\[0-9][0-9]?", |lexer| values::group(lexer.slice()))]
    Group(u8),
    #[regex(r"\\-[0-9]+", |lexer| values::group(lexer.slice()))]
    GroupIndex(u8),
    #[regex(r"\\-?\{[A-Za-z_][A-Za-z0-9_]*\}")]
    NamedGroup,
    /// `input F` or `output F` of the header with an unquoted file name, joined by [`lex`].
    FileWord,
    #[regex(r"//([^/\n][^\n]*)?", allow_greedy = true)]
    #[regex(r"////[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    #[regex(r"/\*([^*]|\*+[^*/])*\**", values::open_comment, priority = 3)]
    Comment,
    #[regex(r";[^\n]*", allow_greedy = true)]
    Semicolon,
    #[token("///")]
    LineComment,
    #[token("--")]
    #[token("――")]
    Dash,
    #[token("[x]", priority = 20)]
    #[token("×")]
    Capture,
    #[token("-->")]
    Forward,
    #[token("<--")]
    Backward,
    /// `->`, or `<-` if true.
    #[token("->", |_| false)]
    #[token("→", |_| false)]
    #[token("<-", |_| true)]
    #[token("←", |_| true)]
    Shot(bool),
    #[token("[element]")]
    #[token("∊")]
    Element,
    #[token("[forall]")]
    #[token("∀")]
    ForAll,
    #[token("~~")]
    Match,
    #[token("==", |_| ComparisonOperator::Equal)]
    #[token("!=", |_| ComparisonOperator::NotEqual)]
    #[token("≠", |_| ComparisonOperator::NotEqual)]
    #[token("<=", |_| ComparisonOperator::LessEqual)]
    #[token("≤", |_| ComparisonOperator::LessEqual)]
    #[token(">=", |_| ComparisonOperator::GreaterEqual)]
    #[token("≥", |_| ComparisonOperator::GreaterEqual)]
    #[token("<", |_| ComparisonOperator::Less)]
    #[token(">", |_| ComparisonOperator::Greater)]
    #[token("[<]", |_| ComparisonOperator::Ancestor)]
    #[token("≺", |_| ComparisonOperator::Ancestor)]
    #[token("[<=]", |_| ComparisonOperator::AncestorOrSame)]
    #[token("≼", |_| ComparisonOperator::AncestorOrSame)]
    #[token("[>]", |_| ComparisonOperator::Descendant)]
    #[token("≻", |_| ComparisonOperator::Descendant)]
    #[token("[>=]", |_| ComparisonOperator::DescendantOrSame)]
    #[token("≽", |_| ComparisonOperator::DescendantOrSame)]
    Rel(ComparisonOperator),
    #[token("=")]
    Assign,
    #[token("=?", |_| AssignOp::SetIfAny)]
    #[token("+=", |_| AssignOp::Arithmetic(Arithmetic::Add))]
    #[token("-=", |_| AssignOp::Arithmetic(Arithmetic::Subtract))]
    #[token("*=", |_| AssignOp::Arithmetic(Arithmetic::Multiply))]
    #[token("/=", |_| AssignOp::Arithmetic(Arithmetic::Divide))]
    #[token("%=", |_| AssignOp::Arithmetic(Arithmetic::Remainder))]
    #[token("|=", |_| AssignOp::Union)]
    #[token("∪=", |_| AssignOp::Union)]
    #[token("&=", |_| AssignOp::Intersect)]
    #[token("∩=", |_| AssignOp::Intersect)]
    OpAssign(AssignOp),
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("?")]
    Question,
    #[token("|")]
    #[token("∪")]
    Union,
    #[token("&")]
    #[token("∩")]
    Intersect,
    #[token("~")]
    Tilde,
    #[token("#")]
    Hash,
    #[token(":")]
    Colon,
    #[token(".")]
    #[token("▦")]
    Dot,
    #[token("[]")]
    Empty,
    #[token("`")]
    Identity,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    /// A symbol that stands for a keyword.
    #[token("⊢", |_| Keyword::Path)]
    #[token("◎", |_| Keyword::Focus)]
    #[token("∙", |_| Keyword::CurrentPosition)]
    #[token("✵", |_| Keyword::Flip)]
    #[token("⬓", |_| Keyword::FlipColor)]
    KeywordSymbol(Keyword),
}

/// Whether the text, which has the form of a word, is a designator.
pub(crate) fn is_designator(word: &str) -> bool {
    designator::parse(word).is_ok()
}

/// A lexeme and the whitespace before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) kind: LexemeKind,
    pub(crate) span: Span,
    /// What separates it from the previous lexeme.
    pub(crate) spacing: Spacing,
}

/// What separates a lexeme from the previous one (docs/src/language/reading.md#whitespace).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spacing {
    /// Nothing.
    Touching,
    /// Whitespace or a comment. The first lexeme has at least this.
    Space,
    /// A line end.
    LineEnd,
    /// An empty line.
    EmptyLine,
}

impl Spacing {
    /// That of a text of whitespace.
    pub(crate) fn of(whitespace: &str) -> Spacing {
        match whitespace.bytes().filter(|&byte| byte == b'\n').count() {
            0 if whitespace.is_empty() => Spacing::Touching,
            0 => Spacing::Space,
            1 => Spacing::LineEnd,
            _ => Spacing::EmptyLine,
        }
    }
}

/// Returns all lexemes without comments.
///
/// # Errors
/// All lexical errors.
pub(crate) fn lex(source: &str, dialect: Dialect) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    lex_with_comments(source, dialect, &mut Vec::new())
}

/// The lexemes of a part of a text, without comments and without what is not a lexeme.
pub(crate) fn lex_around_errors(text: &str, place: Span) -> Vec<Lexeme> {
    let mut out = Vec::new();
    let mut reader = LexemeReader::new(place.text(text));
    while let Some((found, span)) = reader.next(&out) {
        if let Ok(kind) = found
            && kind.class() != LexemeClass::Comment
        {
            out.push(Lexeme { kind, span, spacing: Spacing::Space });
        }
    }
    for lexeme in &mut out {
        lexeme.span = lexeme.span.shifted(place.start);
    }
    out
}

/// [`lex`] that also appends the spans of the comments to `comments`.
pub(crate) fn lex_with_comments(
    source: &str,
    dialect: Dialect,
    comments: &mut Vec<Span>,
) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    let (lexemes, errors) = lex_all(source, dialect, comments);
    if errors.is_empty() { Ok(lexemes) } else { Err(errors) }
}

/// The lexemes of a text, whatever is wrong with it, and the errors. A string without its closing
/// quote is a string; what else is not a lexeme is left out.
pub(crate) fn lex_all(
    source: &str,
    dialect: Dialect,
    comments: &mut Vec<Span>,
) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    if u32::try_from(source.len()).is_err() {
        return (Vec::new(), vec![Diagnostic::query_too_long()]);
    }
    let mut out: Vec<Lexeme> = Vec::with_capacity(source.len() / 4);
    let mut errors = ErrorList::new(source);
    let (mut end, mut spacing) = (0, Spacing::Space);
    let mut reader = LexemeReader::new(source);
    while let Some((found, span)) = reader.next(&out) {
        spacing = spacing.max(Spacing::of(source.get(end..span.start as usize).unwrap_or("")));
        end = span.end as usize;
        let adjacent = spacing == Spacing::Touching;
        match found {
            Err(LexicalError::UnknownCharacter) => {
                errors.push(LexicalError::UnknownCharacter, span);
                spacing = spacing.max(Spacing::Space);
            }
            Err(error) => {
                errors.check_touching(&out, span, adjacent);
                errors.push(error, span);
                if error == LexicalError::OpenString {
                    out.push(Lexeme { kind: LexemeKind::Str, span, spacing });
                }
                spacing = spacing.max(Spacing::Space);
            }
            Ok(kind) if kind.class() == LexemeClass::Comment => {
                spacing = spacing.max(Spacing::Space);
                if kind == LexemeKind::Semicolon && !dialect.semicolon_comments {
                    errors.semicolon(span);
                } else {
                    comments.push(span);
                }
            }
            Ok(kind) => {
                errors.check_touching(&out, span, adjacent);
                out.push(Lexeme { kind, span, spacing });
                spacing = Spacing::Touching;
            }
        }
    }
    errors.check_squares(&out);
    (out, errors.finish())
}

/// The lexer of logos, which is restarted where a match was too long or too short.
struct LexemeReader<'s> {
    source: &'s str,
    lexer: logos::Lexer<'s, LexemeKind>,
    /// The place where the lexer started.
    base: usize,
    /// The number of open parentheses of the header.
    header: u32,
}

impl<'s> LexemeReader<'s> {
    fn new(source: &'s str) -> LexemeReader<'s> {
        LexemeReader { source, lexer: LexemeKind::lexer(source), base: 0, header: 0 }
    }

    /// The next lexeme after these, or the error of a text that is not one.
    fn next(&mut self, before: &[Lexeme]) -> Option<(Result<LexemeKind, LexicalError>, Span)> {
        let found = self.lexer.next()?;
        let (start, whole) =
            (self.base + self.lexer.span().start, self.base + self.lexer.span().end);
        let Ok(kind) = found else {
            return Some((found, Span::new(start as u32, whole as u32)));
        };
        let (mut kind, mut end) = shorten(self.source, kind, start, whole);
        if self.header == 1
            && kind == LexemeKind::Word
            && let Some(name) = file_name(self.source, Span::new(start as u32, end as u32))
        {
            (kind, end) = (LexemeKind::FileWord, name);
        }
        if kind == LexemeKind::LParen && (self.header > 0 || is_header(self.source, before)) {
            self.header += 1;
        } else if kind == LexemeKind::RParen {
            self.header = self.header.saturating_sub(1);
        }
        if end != whole {
            self.base = end;
            self.lexer = LexemeKind::lexer(self.source.get(end..).unwrap_or(""));
        }
        Some((Ok(kind), Span::new(start as u32, end as u32)))
    }
}

/// Whether a `(` after these lexemes begins the header.
fn is_header(source: &str, before: &[Lexeme]) -> bool {
    matches!(before, [only] if only.span.text(source) == "cql")
}

/// The end of the unquoted file name after `input` or `output`: the name extends to the next
/// whitespace, bracket or quote.
pub(crate) fn file_name(source: &str, word: Span) -> Option<usize> {
    if !matches!(word.text(source), "input" | "output") {
        return None;
    }
    let rest = source.get(word.end as usize..)?;
    let name = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let stops = |letter: char| letter.is_ascii_whitespace() || "()<>\"".contains(letter);
    let length = name.find(stops).unwrap_or(name.len());
    let is_comment = name.starts_with("/*") || name.starts_with("// ");
    (name.len() < rest.len() && length > 0 && !is_comment)
        .then(|| source.len() - name.len() + length)
}

/// Shortens a result literal or a castling move that is only part of a run of such characters.
fn shorten(source: &str, kind: LexemeKind, start: usize, end: usize) -> (LexemeKind, usize) {
    let bytes = source.as_bytes();
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$';
    if let LexemeKind::Result(result) = kind {
        let run = |b: &u8| word(b) || *b == b'/' || *b == b'-';
        let before = start.checked_sub(1).and_then(|i| bytes.get(i));
        if bytes.get(end).is_some_and(run) || before.is_some_and(run) {
            let digit = match result {
                GameResult::WhiteWins | GameResult::Draw => 1,
                GameResult::BlackWins => 0,
            };
            return (LexemeKind::Int(digit), start + 1);
        }
    } else if kind == LexemeKind::Castle && bytes.get(end).is_some_and(word) {
        return (LexemeKind::Word, start + 1);
    }
    (kind, end)
}
