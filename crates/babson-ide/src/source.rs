//! The text of a query with its tokens, and what is understood of it.

use babson_lang::cql3::begins_query;
use babson_lang::imports::{ResolvedQuery, resolve};
use babson_lang::keywords::Keyword;
use babson_lang::text::{TokenClass, tokens_around_errors};
use babson_lang::{Dialect, QuerySpans, Span, Understanding, declared_dialect, understand};

use crate::limits::{MAX_HINT, MAX_OPEN_BRACKETS, MAX_READ_TEXT};
use crate::options::Options;

/// A token of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceToken<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    pub(crate) class: TokenClass,
    /// Whether it joins its operands to one expression.
    pub(crate) is_operator: bool,
}

impl SourceToken<'_> {
    /// The keyword that it is, if it is one.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        match self.class == TokenClass::Keyword {
            true => Keyword::from_word(self.text),
            false => None,
        }
    }

    /// Whether an offset is in it: behind its first byte, and before its end.
    pub(crate) fn holds(&self, offset: usize) -> bool {
        (self.span.start as usize) < offset && offset < self.span.end as usize
    }

    /// Whether it is a string without its closing quote.
    pub(crate) fn is_open_string(&self) -> bool {
        self.class == TokenClass::String
            && self.text.starts_with('"')
            && (self.text.len() < 2 || !self.text.ends_with('"'))
    }
}

/// Where the brackets of a query open and close, whatever their kinds, by the indexes of tokens.
struct Brackets {
    openings: Vec<Option<usize>>,
    depths: Vec<usize>,
    closings: Vec<Option<usize>>,
}

impl Brackets {
    fn of(tokens: &[SourceToken<'_>]) -> Brackets {
        let mut open: Vec<usize> = Vec::new();
        let (mut openings, mut depths) = (Vec::new(), Vec::new());
        let mut closings = vec![None; tokens.len()];
        for (at, token) in tokens.iter().enumerate() {
            openings.push(open.last().copied());
            depths.push(open.len());
            match token.text {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    if let Some(opening) = open.pop() {
                        closings[opening] = Some(at);
                    }
                }
                _ => {}
            }
        }
        openings.push(open.last().copied());
        depths.push(open.len());
        Brackets { openings, depths, closings }
    }
}

/// A query and a place in it.
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) dialect: Dialect,
    /// Whether it is a query of CQL 3.
    pub(crate) is_cql3: bool,
    /// The tokens without comments.
    pub(crate) tokens: Vec<SourceToken<'t>>,
    brackets: Brackets,
    /// The comments.
    pub(crate) comments: Vec<Span>,
}

impl<'t> Source<'t> {
    /// Reads a query; `None` if it is too long.
    pub(crate) fn new(text: &'t str, options: &Options) -> Option<Source<'t>> {
        if text.len() > MAX_READ_TEXT {
            return None;
        }
        let declared = || declared_dialect(text).ok().flatten();
        let dialect = options.dialect.or_else(declared).unwrap_or_default();
        Some(Source::in_dialect(text, dialect))
    }

    /// Reads a text in a dialect.
    pub(crate) fn in_dialect(text: &'t str, dialect: Dialect) -> Source<'t> {
        let is_cql3 = begins_query(text);
        let all: Vec<(Span, TokenClass, bool)> = if is_cql3 {
            let tokens = babson_cql3::tokens(text).into_iter();
            tokens.map(|(span, class)| (span, class, false)).collect()
        } else {
            let tokens = tokens_around_errors(text, dialect).into_iter();
            tokens.map(|token| (token.span, token.class, token.is_operator)).collect()
        };
        let (mut tokens, mut comments) = (Vec::new(), Vec::new());
        for (span, class, is_operator) in all {
            match class == TokenClass::Comment {
                true => comments.push(span),
                false => {
                    tokens.push(SourceToken { text: span.text(text), span, class, is_operator });
                }
            }
        }
        let brackets = Brackets::of(&tokens);
        Source { text, dialect, is_cql3, tokens, brackets, comments }
    }

    /// The query with the texts of the files that it imports.
    pub(crate) fn resolve(&self, options: &Options) -> ResolvedQuery {
        resolve(self.text, &QuerySpans::whole(self.text), self.dialect, &*options.imports)
    }

    /// What is understood of it and of its files.
    pub(crate) fn understand(&self, query: &ResolvedQuery, options: &Options) -> Understanding {
        understand(&query.text, &query.parts, self.dialect, &options.variants)
    }

    /// The index of the innermost bracket that is open before the token at an index.
    pub(crate) fn opening(&self, at: usize) -> Option<usize> {
        self.brackets.openings.get(at).copied().flatten()
    }

    /// The index of the bracket that closes the one at an index, if one does.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        self.brackets.closings.get(open).copied().flatten()
    }

    /// Whether more brackets are open before the token at an index than are looked at.
    pub(crate) fn is_too_deep(&self, at: usize) -> bool {
        self.brackets.depths.get(at).is_some_and(|&depth| depth > MAX_OPEN_BRACKETS)
    }

    /// The index of the token at an offset. A cursor after a word is at the word.
    pub(crate) fn token_at(&self, offset: usize) -> Option<usize> {
        let after = self.tokens.partition_point(|token| token.span.end as usize <= offset);
        let is_there =
            self.tokens.get(after).is_some_and(|token| token.span.start as usize <= offset);
        let before = after.checked_sub(1).filter(|&at| {
            let token = self.tokens[at];
            token.span.end as usize == offset && token.class != TokenClass::Symbol
        });
        let is_symbol =
            self.tokens.get(after).is_some_and(|token| token.class == TokenClass::Symbol);
        match before {
            Some(before) if !is_there || is_symbol => Some(before),
            _ => is_there.then_some(after),
        }
    }

    /// The comment that an offset is in. A comment up to the end of the line has its end, too.
    pub(crate) fn comment_at(&self, offset: usize) -> Option<Span> {
        let holds = |span: &&Span| {
            let text = span.text(self.text);
            let is_closed = text.starts_with("/*") && text.len() > 3 && text.ends_with("*/");
            let end = span.end as usize;
            (span.start as usize) < offset && (offset < end || offset == end && !is_closed)
        };
        self.comments.iter().find(holds).copied()
    }

    /// The string that an offset is in. A string without its closing quote has its end, too.
    pub(crate) fn string_at(&self, offset: usize) -> Option<usize> {
        self.tokens.iter().position(|token| {
            token.class == TokenClass::String
                && token.text.starts_with('"')
                && (token.holds(offset)
                    || token.is_open_string() && offset == token.span.end as usize)
        })
    }

    /// The word around an offset, up to its letters after it, and what of it stands before.
    pub(crate) fn word_at(&self, offset: usize) -> (Span, &'t str) {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let bytes = self.text.as_bytes();
        let before = bytes[..offset].iter().rev().take_while(|byte| is_word(byte)).count();
        let after = bytes[offset..].iter().take_while(|byte| is_word(byte)).count();
        let start = offset - before;
        (span(start, offset + after), &self.text[start..offset])
    }
}

/// The largest border of a character up to an offset, within the text.
pub(crate) fn border(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A span of two offsets in a text that is not too long for it.
pub(crate) fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

/// The word, or the symbol, with which a filter begins.
pub(crate) fn first_word(text: &str, filter: Span) -> Span {
    let written = filter.text(text);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = written.find(|c: char| !is_letter(c)).unwrap_or(written.len());
    let symbol = written.chars().next().map_or(0, char::len_utf8);
    let start = filter.start as usize;
    span(start, start + if word > 0 { word } else { symbol })
}

/// Whether nothing but whitespace stands before an offset on its line.
pub(crate) fn stands_alone(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
}

/// The begin of a text, on one line: as much of it as an inlay hint repeats.
pub(crate) fn shortened(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(MAX_HINT) {
            return format!("{} …", &line[..end]);
        }
    }
    line
}
