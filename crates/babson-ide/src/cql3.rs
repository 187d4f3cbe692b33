//! The answers for queries of CQL 3.

use babson_lang::Span;
use babson_lang::cql3::KEYWORDS;
use babson_lang::hir::{Content, Expr, ExprKind, GameResult};

use crate::answer::{Hover, Item, ItemKind, MeaningToken, TokenMeaning};
use crate::markdown::{code, described, entries_shown};
use crate::options::Options;
use crate::source::{Source, span};
use crate::squares;

/// What can be written at an offset.
pub(crate) fn complete(source: &Source<'_>, offset: usize, options: &Options) -> Vec<Item> {
    let tokens = tokens(source.text);
    if tokens.iter().any(|token| token.kind.is_text() && token.holds(offset)) {
        return Vec::new();
    }
    let word = tokens.iter().find(|token| token.start < offset && offset <= token.end);
    let word = word.filter(|token| token.kind == TokenKind::Word);
    let (start, end) = word.map_or((offset, offset), |word| (word.start, word.end));
    let prefix = source.text.get(start..offset).unwrap_or("").to_ascii_lowercase();
    let before = tokens.iter().rfind(|token| token.end <= start);
    let before = before.map_or("", |token| &source.text[token.start..token.end]);
    let place = span(start, end);
    let item = |label: String, kind, doc| {
        let insert = label.clone();
        Item { label, kind, insert, doc, span: place }
    };
    if before == ":result" {
        let results = GameResult::ALL.into_iter().map(|result| result.name().to_owned());
        let fitting = results.filter(|result| result.starts_with(&prefix));
        return fitting.map(|result| item(result, ItemKind::Value, None)).collect();
    }
    let book = options.entries();
    let keywords = KEYWORDS.iter().map(|name| format!(":{name}"));
    let fitting = keywords.filter(|word| {
        word.starts_with(&prefix) || !prefix.is_empty() && word[1..].starts_with(&prefix)
    });
    let keyword = |word: String| {
        let doc = book.of(&word).map(described);
        item(word, ItemKind::Keyword, doc)
    };
    fitting.map(keyword).collect()
}

/// What is known about an offset.
pub(crate) fn hover(source: &Source<'_>, offset: usize, options: &Options) -> Option<Hover> {
    let tokens = tokens(source.text);
    let token = tokens.iter().find(|token| token.start <= offset && offset < token.end)?;
    if token.kind != TokenKind::Word {
        return None;
    }
    let place = span(token.start, token.end);
    let text = place.text(source.text);
    let analysis = babson_cql3::analyze(source.text, source.dialect).ok();
    let mut innermost: Option<Expr> = None;
    for filter in analysis.iter().flat_map(|analysis| &analysis.query.body) {
        find(filter, place, &mut innermost);
    }
    let mut parts = Vec::new();
    if let Some(e) = innermost.filter(|e| e.span == place) {
        parts.push(code(&format!("{text}: {}", e.ty.name())));
        if let ExprKind::Designator(designator) = &e.kind
            && designator.content != Content::default()
        {
            let pieces = squares::pieces(designator.content);
            parts.push(format!("{pieces} on {}", squares::list(designator.squares)));
        }
    }
    if text.starts_with(':') {
        let book = options.entries();
        parts.extend(book.of(text).and_then(|entry| entries_shown(&[entry], options)));
    }
    (!parts.is_empty()).then(|| Hover { span: place, markdown: parts.join("\n\n") })
}

/// Finds the smallest node around a place.
fn find(e: &Expr, place: Span, found: &mut Option<Expr>) {
    let holds = e.span.start <= place.start && place.end <= e.span.end;
    let length = |e: &Expr| e.span.end - e.span.start;
    if holds && found.as_ref().is_none_or(|other| length(e) <= length(other)) {
        *found = Some(e.clone());
    }
    e.for_each_operand(&mut |operand| find(operand, place, found));
}

/// The tokens of a query of CQL 3 with what they mean. A word with a colon is a keyword, any other
/// word a designator or a name.
pub(crate) fn meaning_tokens(text: &str) -> Vec<MeaningToken> {
    let meaning = |token: &Token| match token.kind {
        TokenKind::Comment => TokenMeaning::Comment,
        TokenKind::String => TokenMeaning::String,
        TokenKind::Parenthesis => TokenMeaning::Operator,
        TokenKind::Word => {
            let word = &text[token.start..token.end];
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            let is_keyword = word.starts_with(':') || matches!(word, "match" | "position");
            match (is_keyword, is_number) {
                (true, _) => TokenMeaning::Keyword,
                (false, true) => TokenMeaning::Number,
                (false, false) => TokenMeaning::Piece,
            }
        }
    };
    let all = tokens(text).into_iter().map(|token| MeaningToken {
        span: span(token.start, token.end),
        meaning: meaning(&token),
        is_declaration: false,
        is_write: false,
    });
    all.collect()
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Comment,
    String,
    Word,
    Parenthesis,
}

impl TokenKind {
    /// Whether anything can be written in it.
    fn is_text(self) -> bool {
        matches!(self, TokenKind::Comment | TokenKind::String)
    }
}

/// A token of a text that may have errors.
#[derive(Clone, Copy, Debug)]
struct Token {
    start: usize,
    end: usize,
    kind: TokenKind,
    /// Whether its end is the end of the line or of the text, not a sign of its own.
    is_open: bool,
}

impl Token {
    /// Whether an offset is in it.
    fn holds(&self, offset: usize) -> bool {
        self.start < offset && (offset < self.end || self.is_open && offset == self.end)
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |kind, found: Option<usize>, sign: usize| {
            let end = found.map_or(rest.len(), |end| end + sign);
            (kind, end, found.is_none() || sign == 0)
        };
        let (kind, length, is_open) = match first {
            ';' => length(TokenKind::Comment, rest.find(['\r', '\n']), 0),
            '"' => length(TokenKind::String, rest[1..].find('"').map(|end| end + 1), 1),
            '(' | ')' => (TokenKind::Parenthesis, 1, false),
            _ if first.is_whitespace() || first == '\u{1a}' || first == '\u{feff}' => {
                at += first.len_utf8();
                continue;
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"');
                length(TokenKind::Word, rest.find(is_end), 0)
            }
        };
        tokens.push(Token { start: at, end: at + length, kind, is_open });
        at += length;
    }
    tokens
}
