//! The lexer: divides the text into lexemes, independent of context
//! (docs/src/language/reading.md#lexemes). The longest match wins.
//!
//! logos has no look-ahead. [`lex`] checks the character after a result literal or `o-o` and, if
//! the match was too long, restarts the lexer after a shorter lexeme.

mod class;
pub(crate) mod designator;
mod repeat;

use crate::diagnostic::{Code, Diagnostic, Remedy, Span};
use crate::dialect::Dialect;
use crate::limits::MAX_ERRORS;
pub(crate) use class::{InvalidLexeme, LexemeClass};
use logos::Logos;
pub(crate) use repeat::repeat;

/// The kinds of lexemes.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{FEFF}]+")]
pub(crate) enum LexemeKind {
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*", priority = 4)]
    Word,
    #[regex(r"(([KQRBNPkqrbnpAa_]|\[[KQRBNPkqrbnpAa_]+\])(([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\])?)|([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\]", priority = 9)]
    #[regex(r"(([♔-♟△▲□◭])+|\[[♔-♟△▲□◭]+\])(([a-h](-[a-h])?[1-8](-[1-8])?)|\[[a-h](-[a-h])?[1-8](-[1-8])?(,[a-h](-[a-h])?[1-8](-[1-8])?)*\])?", priority = 9)]
    Designator,
    #[regex(r"(\[Aa\]|◭)[A-Za-z_$][A-Za-z0-9_$]*", priority = 5)]
    PieceVar,
    #[regex(r"[0-9]+")]
    Int,
    #[token("1-0")]
    #[token("0-1")]
    #[token("1/2-1/2")]
    Result,
    #[regex(r"\{[0-9]+(,[0-9]*)?\}")]
    #[regex(r"\{,[0-9]+\}")]
    Repeat,
    #[token("{*}")]
    RepeatStar,
    #[token("{+}")]
    RepeatPlus,
    #[token("{,}")]
    BadRepeat,
    #[token("o-o")]
    CastleShort,
    #[token("o-o-o")]
    CastleLong,
    #[regex(r#""[^"\n]*""#)]
    Str,
    #[regex(r#""[^"\n]*"#)]
    BadStr,
    #[regex(r#"\\[nrt\\"]"#, priority = 9)]
    Escape,
    #[regex(r"\\[A-Za-z_$][A-Za-z0-9_$]*", priority = 3)]
    BadEscape,
    #[regex(r"\\[0-9][0-9]?")]
    Group,
    #[regex(r"\\-[0-9]+")]
    GroupIndex,
    #[regex(r"\\-?\{[A-Za-z_][A-Za-z0-9_]*\}")]
    NamedGroup,
    /// `input F` or `output F` of the header with an unquoted file name, joined by [`lex`].
    FileWord,
    #[regex(r"//([^/\n][^\n]*)?", allow_greedy = true)]
    #[regex(r"////[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"/\*([^*]|\*+[^*/])*\**", priority = 3)]
    BadComment,
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
    #[token("->")]
    #[token("→")]
    ShotRight,
    #[token("<-")]
    #[token("←")]
    ShotLeft,
    #[token("[element]")]
    #[token("∊")]
    Element,
    #[token("[forall]")]
    #[token("∀")]
    ForAll,
    #[token("~~")]
    Match,
    #[token("==")]
    Eq,
    #[token("!=")]
    #[token("≠")]
    Ne,
    #[token("<=")]
    #[token("≤")]
    Le,
    #[token(">=")]
    #[token("≥")]
    Ge,
    #[token("<")]
    Lt,
    #[token(">")]
    Gt,
    #[token("[<]")]
    #[token("≺")]
    Before,
    #[token("[<=]")]
    #[token("≼")]
    BeforeOrSame,
    #[token("[>]")]
    #[token("≻")]
    After,
    #[token("[>=]")]
    #[token("≽")]
    AfterOrSame,
    #[token("=")]
    Assign,
    #[token("=?")]
    AssignIfAny,
    #[token("+=")]
    AddAssign,
    #[token("-=")]
    SubAssign,
    #[token("*=")]
    MulAssign,
    #[token("/=")]
    DivAssign,
    #[token("%=")]
    RemAssign,
    #[token("|=")]
    #[token("∪=")]
    UnionAssign,
    #[token("&=")]
    #[token("∩=")]
    InterAssign,
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
    #[token("⊢")]
    PathSymbol,
    #[token("◎")]
    FocusSymbol,
    #[token("∙")]
    CurrentSymbol,
    #[token("✵")]
    FlipSymbol,
    #[token("⬓")]
    FlipColorSymbol,
}

/// A lexeme and the whitespace before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) kind: LexemeKind,
    pub(crate) span: Span,
    /// Nothing separates it from the previous lexeme.
    pub(crate) adjacent: bool,
    /// A line end separates it from the previous lexeme.
    pub(crate) newline: bool,
    /// An empty line separates it from the previous lexeme
    /// (docs/src/language/reading.md#whitespace).
    pub(crate) empty_line: bool,
}

/// The error for a `;` in a dialect in which it does not start a comment.
fn semicolon(source: &str, at: u32) -> Diagnostic {
    let before = source.get(..at as usize).unwrap_or("");
    let entities = [("&amp", "&"), ("&lt", "<"), ("&gt", ">"), ("&quot", "\"")];
    let entity = entities.iter().find(|(entity, _)| before.ends_with(entity));
    match entity {
        Some((entity, symbol)) => Diagnostic::new(
            Code::HtmlEntity,
            Span::new(at - entity.len() as u32, at + 1),
            format!("`{entity};` is the HTML entity for `{symbol}`"),
        )
        .with_help(format!("write `{symbol}`")),
        None => Diagnostic::new(
            Code::SemicolonComment,
            Span::new(at, at + 1),
            "`;` does not start a comment",
        )
        .with_help("write `//` (or choose the dialect `cql6`)")
        .with_remedy(Remedy::Dialect),
    }
}

/// Returns all lexemes without comments.
///
/// # Errors
/// All lexical errors.
pub(crate) fn lex(source: &str, dialect: Dialect) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    lex_with_comments(source, dialect, &mut Vec::new())
}

/// [`lex`] that also appends the spans of the comments to `comments`.
pub(crate) fn lex_with_comments(
    source: &str,
    dialect: Dialect,
    comments: &mut Vec<Span>,
) -> Result<Vec<Lexeme>, Vec<Diagnostic>> {
    if u32::try_from(source.len()).is_err() {
        return Err(vec![Diagnostic::query_too_long()]);
    }
    let mut out: Vec<Lexeme> = Vec::with_capacity(source.len() / 4);
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut gap = Separator::default();
    let mut base = 0;
    // The number of open parentheses of the header.
    let mut header = 0_u32;
    'again: loop {
        let mut lexer = LexemeKind::lexer(source.get(base..).unwrap_or(""));
        while let Some(found) = lexer.next() {
            let (start, end) = (base + lexer.span().start, base + lexer.span().end);
            let span = Span::new(start as u32, end as u32);
            let Ok(kind) = found else {
                bad_bytes(&mut errors, source, span);
                gap.extend(source, start);
                gap.end = end;
                continue;
            };
            let (kind, end) = shorten(source, kind, start, end);
            let (kind, end) = match file_name(source, Span::new(start as u32, end as u32)) {
                Some(end) if kind == LexemeKind::Word && header == 1 => (LexemeKind::FileWord, end),
                _ => (kind, end),
            };
            if kind == LexemeKind::LParen && (header > 0 || is_header(source, &out)) {
                header += 1;
            } else if kind == LexemeKind::RParen {
                header = header.saturating_sub(1);
            }
            let span = Span::new(start as u32, end as u32);
            gap.extend(source, start);
            gap.end = end;
            if kind.class() == LexemeClass::Comment {
                gap.comment = true;
                if kind == LexemeKind::Semicolon && !dialect.semicolon_comments {
                    errors.push(semicolon(source, span.start));
                } else {
                    comments.push(span);
                }
            } else {
                if let Some(error) = lexical_error(kind, span, source) {
                    errors.push(error);
                }
                let lexeme = Lexeme {
                    kind,
                    span,
                    adjacent: !gap.comment && !gap.space && !out.is_empty(),
                    newline: gap.newline,
                    empty_line: gap.empty_line,
                };
                if let Some(error) = clash(source, &out, lexeme) {
                    errors.push(error);
                }
                out.push(lexeme);
                gap = Separator { end, ..Separator::default() };
            }
            if end != base + lexer.span().end {
                base = end;
                continue 'again;
            }
        }
        break;
    }
    for lexeme in &out {
        if let Some(error) = misplaced_squares(source, lexeme) {
            errors.retain(|other| {
                other.span.end <= error.span.start || other.span.start >= error.span.end
            });
            errors.push(error);
        }
        if errors.len() > MAX_ERRORS {
            break;
        }
    }
    errors.sort_by_key(|error| error.span);
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// The error for squares in separate brackets after a piece, as in `k[f-h]8`.
fn misplaced_squares(source: &str, lexeme: &Lexeme) -> Option<Diagnostic> {
    let after = source.get(lexeme.span.end as usize..)?;
    if lexeme.kind != LexemeKind::Designator || !after.starts_with('[') {
        return None;
    }
    let pieces = lexeme.span.text(source);
    let is_plain = designator::parse(pieces).is_ok_and(|one| !one.has_squares);
    let (length, squares) = designator::squares_in_brackets(after).filter(|_| is_plain)?;
    let span = Span::new(lexeme.span.start, lexeme.span.end + length as u32);
    let message = "the squares of a designator stand in one pair of brackets or without brackets";
    Some(
        Diagnostic::new(Code::SplitSquares, span, message)
            .with_help(format!("write `{pieces}{squares}`")),
    )
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

/// What separates two lexemes.
#[derive(Default)]
struct Separator {
    end: usize,
    comment: bool,
    space: bool,
    newline: bool,
    empty_line: bool,
}

impl Separator {
    /// Adds the whitespace up to `start`.
    fn extend(&mut self, source: &str, start: usize) {
        let gap = source.get(self.end..start).unwrap_or("");
        self.space |= !gap.is_empty();
        let lines = gap.bytes().filter(|&b| b == b'\n').count();
        self.newline |= lines > 0;
        self.empty_line |= lines > 1;
    }
}

/// Shortens a result literal or a castling move that is only part of a run of such characters.
fn shorten(source: &str, kind: LexemeKind, start: usize, end: usize) -> (LexemeKind, usize) {
    let bytes = source.as_bytes();
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$';
    let is_castling = matches!(kind, LexemeKind::CastleShort | LexemeKind::CastleLong);
    if kind == LexemeKind::Result {
        let run = |b: &u8| word(b) || *b == b'/' || *b == b'-';
        let before = start.checked_sub(1).and_then(|i| bytes.get(i));
        if bytes.get(end).is_some_and(run) || before.is_some_and(run) {
            return (LexemeKind::Int, start + 1);
        }
    } else if is_castling && bytes.get(end).is_some_and(word) {
        return (LexemeKind::Word, start + 1);
    }
    (kind, end)
}

/// The error for a lexeme that is wrong in itself.
fn lexical_error(kind: LexemeKind, span: Span, source: &str) -> Option<Diagnostic> {
    let text = span.text(source);
    if let LexemeClass::Invalid(invalid) = kind.class() {
        return Some(match invalid {
            InvalidLexeme::OpenString => {
                Diagnostic::new(Code::UnclosedString, span, "a string must end on its line")
                    .with_label("no closing `\"`")
            }
            InvalidLexeme::OpenComment => {
                let start = Span::new(span.start, span.start + 2);
                Diagnostic::new(Code::UnclosedComment, start, "this comment never ends")
                    .with_help("close it with `*/`")
            }
            InvalidLexeme::Escape => {
                Diagnostic::new(Code::UnknownEscape, span, format!("`{text}` is not a string"))
                    .with_help(
                        "there are `\\n`, `\\r`, `\\t`, `\\\\` and `\\\"`, each followed by a \
                     character that is not a letter",
                    )
            }
            InvalidLexeme::Repeat => {
                Diagnostic::new(Code::MalformedRepetition, span, "`{,}` does not contain a number")
                    .with_help("write `*` for any number")
            }
        });
    }
    let error = if kind == LexemeKind::Designator {
        designator::parse(text).err()
    } else if kind == LexemeKind::Repeat {
        repeat(text).err()
    } else {
        None
    };
    error.map(|(code, message)| Diagnostic::new(code, span, message))
}

/// The error for a lexeme that cannot touch the one before it: a designator ends before a letter or
/// digit, and `h-c` is a decreasing range (docs/src/language/reading.md#lexemes).
fn clash(source: &str, before: &[Lexeme], lexeme: Lexeme) -> Option<Diagnostic> {
    let text = lexeme.span.text(source);
    let last = before.last().filter(|_| lexeme.adjacent)?;
    let file = |text: &str| match text.as_bytes() {
        [file @ b'a'..=b'h'] => Some(*file),
        _ => None,
    };
    let continues_a_word =
        text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    if last.kind == LexemeKind::Designator && continues_a_word {
        let designator = last.span.text(source);
        let message =
            format!("`{text}` cannot follow the piece designator `{designator}` directly");
        return Some(Diagnostic::new(Code::TouchingDesignator, last.span.to(lexeme.span), message).with_help(
            "put a space between two filters; ASCII and Unicode pieces cannot be mixed in one \
             designator",
        ));
    }
    if last.kind == LexemeKind::Minus && last.adjacent {
        let first = before.len().checked_sub(2).map(|i| before[i])?;
        let (low, high) = (file(first.span.text(source))?, file(text)?);
        let range = first.span.to(lexeme.span);
        let message = format!("the range `{}` is empty: it must increase", range.text(source));
        return (low > high).then(|| {
            Diagnostic::new(Code::EmptyRange, range, message)
                .with_help("for a difference of two variables put spaces around the `-`")
        });
    }
    None
}

/// Adds an error for bytes that no lexeme begins with; one error per run of such bytes.
fn bad_bytes(errors: &mut Vec<Diagnostic>, source: &str, span: Span) {
    if let Some(last) = errors.last_mut()
        && last.span.end == span.start
        && last.label.as_deref() == Some("not part of the language")
    {
        last.span.end = span.end;
        return;
    }
    let text = span.text(source);
    let mut error =
        Diagnostic::new(Code::UnknownCharacter, span, format!("`{text}` has no meaning here"))
            .with_label("not part of the language");
    error.help = match text.chars().next() {
        Some('―') => Some("a dash is two of these, `――`, or `--`".to_string()),
        Some('∈') => Some("write `∊` (U+220A) or `[element]`".to_string()),
        Some('\'') => Some("strings are written with `\"`".to_string()),
        Some('\\') => Some(
            "a backslash starts `\\n` and similar strings, or names a group, as in `\\1`"
                .to_string(),
        ),
        Some('–' | '—') => Some("write `-` or `--`".to_string()),
        Some('!') => Some("write `not`, as in `not mate`".to_string()),
        Some(',') => Some("filters stand one after the other, without commas".to_string()),
        Some('“' | '”' | '„') => Some("write plain quotes, `\"`".to_string()),
        _ => None,
    };
    errors.push(error);
}
