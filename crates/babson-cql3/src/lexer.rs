//! The lexer of CQL 3: parentheses, keywords and atoms.

use logos::Logos;

use crate::form::AtomKind;
use babson_lang::cql3::{KEYWORDS, keyword as named};
use babson_lang::diagnostic::{Code, Diagnostic, Span};
use babson_lang::hir::GameResult;
use babson_lang::nearest_of;
use babson_lang::text::TokenClass;

/// A lexeme. The regular expressions alone decide its kind.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
// \x1A ends a file in DOS.
#[logos(skip r"[ \t\r\n\x0B\x0C\x1A\u{FEFF}]+")]
#[logos(skip(r";[^\r\n]*", allow_greedy = true))]
enum Cql3Lexeme {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[regex(r":[^ \t\r\n\x0B\x0C\x1A();]*")]
    Keyword,
    #[regex(r"-?[0-9]+", priority = 20)]
    Int,
    #[token("1-0", |_| GameResult::WhiteWins, priority = 30)]
    #[token("0-1", |_| GameResult::BlackWins, priority = 30)]
    #[regex("1/2-1/2|1/2", |_| GameResult::Draw, priority = 30)]
    Result(GameResult),
    #[regex(r"([KQRBNPkqrbnp.AaMmIiU?]|\[[KQRBNPkqrbnp.AaMmIiU?]*\])(\[\]|\[([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?)(,([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?))*\]|([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?))?", priority = 40)]
    #[regex(r"\$[A-Za-z0-9]+(\[\]|\[([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?)(,([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?))*\])?", priority = 40)]
    #[regex(r"\[[KQRBNPkqrbnp.AaMmIiU?](\[([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?)(,([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?))*\]|([a-h](-[a-h])?|\?)([1-8](-[1-8])?|\?))\]", priority = 35)]
    Designator,
    #[regex(r#""[^"]*""#, priority = 50)]
    Text,
    #[regex(r#""[^"]*"#, priority = 5)]
    BadText,
    #[regex(r#"[^ \t\r\n\x0B\x0C\x1A\u{FEFF}();:"][^ \t\r\n\x0B\x0C\x1A();]*"#, priority = 2)]
    Atom,
}

/// A token of the grammar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cql3Token<'s> {
    /// `(match`
    Match,
    /// `(position`
    Position,
    Open,
    Close,
    /// With its text, without the quotes around it.
    Atom(AtomKind, &'s str),
    /// The name of a keyword, without the colon.
    Keyword(&'static str),
}

/// The comments of a query without their leading semicolons, each with the offset of its first
/// semicolon.
pub(super) fn comments(text: &str) -> Vec<(u32, &str)> {
    let mut comments = Vec::new();
    let mut end = 0;
    let tokens = Cql3Lexeme::lexer(text).spanned().map(|(_, range)| range);
    for token in tokens.chain(std::iter::once(text.len()..text.len())) {
        let mut gap = end..token.start;
        end = token.end;
        while let Some(at) = text.get(gap.clone()).and_then(|space| space.find(';')) {
            let start = gap.start + at;
            let rest = text.get(start..gap.end).unwrap_or_default();
            let comment = rest.split(['\n', '\r']).next().unwrap_or_default();
            gap.start = start + comment.len();
            comments.push((start as u32, comment.trim_start_matches(';')));
        }
    }
    comments
}

/// Divides a query into tokens, comments included, whatever is wrong with it: for editors, whose
/// queries are being written. A string without its closing quote goes up to the end of the text.
///
/// ```
/// use babson_lang::text::TokenClass;
///
/// let text = "(match (position Ra1 :mate ; the end";
/// let tokens = babson_cql3::tokens(text);
/// let shown: Vec<&str> = tokens.iter().map(|(span, _)| span.text(text)).collect();
/// assert_eq!(shown, ["(", "match", "(", "position", "Ra1", ":mate", "; the end"]);
/// assert_eq!(tokens[4].1, TokenClass::Piece);
/// ```
pub fn tokens(text: &str) -> Vec<(Span, TokenClass)> {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut all: Vec<(Span, TokenClass)> = Vec::new();
    for (start, _) in comments(text) {
        let comment = &text[start as usize..];
        let length = comment.find(['\n', '\r']).unwrap_or(comment.len());
        all.push((Span::new(start, start + offset(length)), TokenClass::Comment));
    }
    let mut is_opened = false;
    for (lexeme, range) in Cql3Lexeme::lexer(text).spanned() {
        let is_head = is_opened && matches!(&text[range.clone()], "match" | "position");
        is_opened = lexeme == Ok(Cql3Lexeme::Open);
        let class = match lexeme {
            _ if is_head => TokenClass::Keyword,
            Ok(Cql3Lexeme::Open | Cql3Lexeme::Close) | Err(()) => TokenClass::Symbol,
            Ok(Cql3Lexeme::Keyword) => TokenClass::Keyword,
            Ok(Cql3Lexeme::Int | Cql3Lexeme::Result(_)) => TokenClass::Number,
            Ok(Cql3Lexeme::Designator) => TokenClass::Piece,
            Ok(Cql3Lexeme::Text | Cql3Lexeme::BadText) => TokenClass::String,
            Ok(Cql3Lexeme::Atom) => TokenClass::Name,
        };
        all.push((Span::new(offset(range.start), offset(range.end)), class));
    }
    all.sort_unstable_by_key(|(span, _)| *span);
    all
}

pub(crate) type SpannedToken<'s> = (u32, Cql3Token<'s>, u32);

/// The parenthesis with which the text begins and the word after it.
fn head<'s>(lexer: &mut logos::Lexer<'s, Cql3Lexeme>) -> Option<(&'s str, Span)> {
    if lexer.next() != Some(Ok(Cql3Lexeme::Open)) {
        return None;
    }
    let start = lexer.span().start;
    lexer.next();
    let offset = |at: usize| u32::try_from(at).ok();
    Some((lexer.slice(), Span::new(offset(start)?, offset(lexer.span().end)?)))
}

/// The span of `(position` at the beginning, if the next token is one of CQL 3.
pub(super) fn lone_position(text: &str) -> Option<Span> {
    let mut lexer = Cql3Lexeme::lexer(text);
    let (word, span) = head(&mut lexer)?;
    let is_item = matches!(
        lexer.next(),
        Some(Ok(Cql3Lexeme::Keyword | Cql3Lexeme::Designator | Cql3Lexeme::Close))
    );
    (word.eq_ignore_ascii_case("position") && is_item).then_some(span)
}

/// The span of the first `(match` before a `(position`, wherever it is.
pub(super) fn inner_match(text: &str) -> Option<Span> {
    let mut last: [(&str, usize); 3] = [("", 0); 3];
    for (_, range) in Cql3Lexeme::lexer(text).spanned() {
        let word = &text[range.clone()];
        if let [("(", start), ("match", end), ("(", _)] = last
            && word == "position"
        {
            return Some(Span::new(start as u32, end as u32));
        }
        let [_, second, third] = last;
        last = [second, third, (word, if word == "(" { range.start } else { range.end })];
    }
    None
}

/// All tokens, or the errors of all malformed ones.
pub(super) fn lex(text: &str) -> Result<Vec<SpannedToken<'_>>, Vec<Diagnostic>> {
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Diagnostic::query_too_long()]);
    }
    let mut tokens: Vec<SpannedToken<'_>> = Vec::with_capacity(text.len() / 4);
    let mut errors = Vec::new();
    let mut lexer = Cql3Lexeme::lexer(text);
    while let Some(found) = lexer.next() {
        let (slice, range) = (lexer.slice(), lexer.span());
        let span = Span::new(range.start as u32, range.end as u32);
        let head = match slice {
            "match" => Some(Cql3Token::Match),
            "position" => Some(Cql3Token::Position),
            _ => None,
        };
        if let Some(head) = head
            && let Some(last) = tokens.last_mut()
            && last.1 == Cql3Token::Open
        {
            *last = (last.0, head, span.end);
            continue;
        }
        let token = found.map_err(|()| {
            let message = format!("`{slice}` has no meaning here");
            Diagnostic::new(Code::UnknownCharacter, span, message)
        });
        match token.and_then(|lexeme| lexeme.token(slice, span)) {
            Ok(token) => tokens.push((span.start, token, span.end)),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(tokens) } else { Err(errors) }
}

impl Cql3Lexeme {
    /// The token of a lexeme that is not the word after a parenthesis.
    fn token(self, slice: &str, span: Span) -> Result<Cql3Token<'_>, Diagnostic> {
        match self {
            Cql3Lexeme::Open => Ok(Cql3Token::Open),
            Cql3Lexeme::Close => Ok(Cql3Token::Close),
            Cql3Lexeme::Keyword => keyword(slice, span),
            Cql3Lexeme::Int => match slice.parse() {
                Ok(number) => Ok(Cql3Token::Atom(AtomKind::Int(number), slice)),
                Err(_) => {
                    Err(Diagnostic::new(Code::NumberTooLarge, span, "this number is too large"))
                }
            },
            Cql3Lexeme::Result(result) => Ok(Cql3Token::Atom(AtomKind::Result(result), slice)),
            Cql3Lexeme::Designator => Ok(Cql3Token::Atom(AtomKind::Designator, slice)),
            Cql3Lexeme::Text => Ok(Cql3Token::Atom(AtomKind::Text, slice.trim_matches('"'))),
            Cql3Lexeme::Atom => Ok(Cql3Token::Atom(AtomKind::Other, slice)),
            Cql3Lexeme::BadText => {
                let quote = Span::new(span.start, span.start + 1);
                Err(Diagnostic::new(Code::UnclosedString, quote, "this string does not end"))
            }
        }
    }
}

fn keyword(slice: &str, span: Span) -> Result<Cql3Token<'static>, Diagnostic> {
    let word = &slice[1..];
    if let Some(name) = named(word) {
        return Ok(Cql3Token::Keyword(name));
    }
    let error =
        Diagnostic::new(Code::UnknownCql3Keyword, span, format!("unknown keyword `{slice}`"));
    let lower = word.to_ascii_lowercase();
    let known = || KEYWORDS.iter().copied();
    // `:out` is too far from `:output` to be a misspelling, but it may be an abbreviation.
    let longer = || {
        let longer = known().filter(|name| lower.len() > 1 && name.starts_with(&lower));
        longer.min_by_key(|name| name.len())
    };
    Err(match nearest_of(&lower, known()).or_else(longer) {
        Some(near) => error.with_help(format!("did you mean `:{near}`?")),
        None => error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Cql3Token<'_>> {
        lex(text).unwrap().into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn atoms_end_at_parentheses_and_comments() {
        assert_eq!(
            tokens("(match :pgn a.pgn;x\n(position Ra1)) ; end"),
            [
                Cql3Token::Match,
                Cql3Token::Keyword("pgn"),
                Cql3Token::Atom(AtomKind::Other, "a.pgn"),
                Cql3Token::Position,
                Cql3Token::Atom(AtomKind::Designator, "Ra1"),
                Cql3Token::Close,
                Cql3Token::Close
            ]
        );
    }

    #[test]
    fn designators_numbers_and_names_are_told_apart() {
        use AtomKind::*;
        let text = "R d4 b3 bb3 [Re8] [Kk]e? $rook $rook[a1] -5 1-0 1/2 12x \"a b;(\" ??1";
        let atoms = [
            (Designator, "R"),
            (Other, "d4"),
            (Other, "b3"),
            (Designator, "bb3"),
            (Designator, "[Re8]"),
            (Designator, "[Kk]e?"),
            (Designator, "$rook"),
            (Designator, "$rook[a1]"),
            (Int(-5), "-5"),
            (Result(GameResult::WhiteWins), "1-0"),
            (Result(GameResult::Draw), "1/2"),
            (Other, "12x"),
            (Text, "a b;("),
            (Designator, "??1"),
        ];
        assert_eq!(tokens(text), atoms.map(|(kind, text)| Cql3Token::Atom(kind, text)));
    }

    #[test]
    fn an_unknown_keyword_names_the_nearest() {
        let errors = lex(":markal :Mate").unwrap_err();
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].help.as_deref(), Some("did you mean `:markall`?"));
        assert_eq!(errors[1].help.as_deref(), Some("did you mean `:mate`?"));
    }
}
