//! The keywords and symbols of the language as data, and those that a query uses. The coverage
//! table checks with them that each has a test and an entry in the book.

use crate::cql3;
use crate::dialect::Dialect;
use crate::keywords::{ALIASES, HEADER, Keyword, KeywordClass};
use crate::lexer::{Lexeme, LexemeKind, lex, split_designator};
use crate::parameters::{self, ParamForm};
use crate::symbols::{PUNCTUATION, SYMBOLS};
use crate::tokens::NameTable;

/// A keyword or a symbol of the language.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Term {
    /// The spelling. Where a part of a symbol varies, this is an example: `{n}` or `\1`.
    pub text: String,
    /// Whether it is a parameter of the header `cql(…)`.
    pub header: bool,
}

/// All terms of the language, each once: keywords with their aliases, symbols, parameters of the
/// header, and the keywords of CQL 3 with their colons.
///
/// ```
/// let terms = babson_lang::vocabulary::terms();
/// assert!(terms.iter().any(|term| term.text == "stalemate" && !term.header));
/// assert!(terms.iter().any(|term| term.text == "matchcount" && term.header));
/// assert!(terms.iter().any(|term| term.text == "⊢"));
/// ```
pub fn terms() -> Vec<Term> {
    let term = |text: &str, header| Term { text: text.to_string(), header };
    let mut terms: Vec<Term> = Keyword::ALL
        .iter()
        .filter(|keyword| !is_of_header_only(**keyword))
        .map(|keyword| term(keyword.name(), false))
        .chain(ALIASES.iter().map(|&(alias, _)| term(alias, false)))
        .chain(
            SYMBOLS.iter().flat_map(|&(ascii, symbol)| [term(ascii, false), term(symbol, false)]),
        )
        .chain(PUNCTUATION.iter().map(|&sign| term(sign, false)))
        .chain(cql3::KEYWORDS.iter().map(|name| term(&format!(":{name}"), false)))
        .chain(HEADER.iter().map(|keyword| term(keyword.name(), true)))
        .collect();
    terms.sort();
    terms.dedup();
    terms
}

/// Whether a keyword is reserved without being a filter, so that a query that uses it is an error.
pub fn is_reserved_only(term: &Term) -> bool {
    let keyword = Keyword::from_word(&term.text).filter(|_| !term.header);
    // `attacked` is reserved alone, but `attacked by` is an operator.
    keyword.is_some_and(|keyword| {
        keyword.class() == KeywordClass::Reserved && keyword != Keyword::Attacked
    })
}

/// Whether the keyword is a parameter of the header and nothing else.
fn is_of_header_only(keyword: Keyword) -> bool {
    matches!(keyword.class(), KeywordClass::Parameter | KeywordClass::Reserved)
        && HEADER.contains(&keyword)
}

/// The parameters of the header, `cql(…)`.
///
/// ```
/// use babson_lang::vocabulary::header_parameters;
/// assert!(header_parameters().iter().any(|word| word.name() == "matchcount"));
/// ```
pub fn header_parameters() -> &'static [Keyword] {
    HEADER
}

/// The words that can be added to the parameters of a filter that has these already: not those that
/// one of them excludes, nor those that can stand only once. Empty for a filter without parameters.
///
/// ```
/// use babson_lang::keywords::Keyword;
/// use babson_lang::vocabulary::further_parameters;
///
/// let names = |present: &[Keyword]| -> Vec<&str> {
///     further_parameters(Keyword::Pin, present).into_iter().map(Keyword::name).collect()
/// };
/// assert_eq!(names(&[]), ["from", "through", "to"]);
/// assert_eq!(names(&[Keyword::From]), ["through", "to"]);
/// ```
pub fn further_parameters(filter: Keyword, present: &[Keyword]) -> Vec<Keyword> {
    parameters::further(filter, present)
}

/// What follows the word of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterForm {
    /// Nothing.
    Flag,
    /// One operand or more.
    Operand,
    /// Filters in parentheses. The parameter is the last one.
    Arguments,
}

/// What follows the word, if it is a parameter of the filter.
///
/// ```
/// use babson_lang::keywords::Keyword;
/// use babson_lang::vocabulary::{ParameterForm, parameter_form};
///
/// let form = |word| parameter_form(Keyword::Move, word);
/// assert_eq!(form(Keyword::From), Some(ParameterForm::Operand));
/// assert_eq!(form(Keyword::Legal), Some(ParameterForm::Flag));
/// assert_eq!(form(Keyword::Mate), None);
/// ```
pub fn parameter_form(filter: Keyword, word: Keyword) -> Option<ParameterForm> {
    Some(match parameters::form(filter, word)? {
        ParamForm::Flag => ParameterForm::Flag,
        ParamForm::Operand => ParameterForm::Operand,
        ParamForm::Arguments => ParameterForm::Arguments,
    })
}

/// The terms in a text, in order, without the names that the query declares; empty if the text has
/// a lexical error.
///
/// ```
/// use babson_lang::{Dialect, vocabulary};
/// let used = vocabulary::used("try = A->k  try", Dialect::CQLI);
/// let texts: Vec<&str> = used.iter().map(|term| term.text.as_str()).collect();
/// assert_eq!(texts, ["=", "A", "->", "k"]);
/// ```
pub fn used(query: &str, dialect: Dialect) -> Vec<Term> {
    let Ok(lexemes) = lex(query, dialect) else {
        return Vec::new();
    };
    let names = NameTable::collect(query, &lexemes, dialect);
    let header = header(query, &lexemes);
    let mut terms = Vec::new();
    for (i, lexeme) in lexemes.iter().enumerate() {
        let inside = header.contains(&i);
        let mut add = |text: &str| {
            terms.push(Term { text: text.to_string(), header: inside });
        };
        let text = lexeme.span.text(query);
        let kind = lexeme.kind;
        // What is not in one of these groups is a symbol with one spelling.
        let has_no_term = matches!(
            kind,
            LexemeKind::Int(_)
                | LexemeKind::Str
                | LexemeKind::LParen
                | LexemeKind::RParen
                | LexemeKind::LBracket
                | LexemeKind::RBracket
        );
        if kind == LexemeKind::Word {
            if Keyword::from_word(text).is_some() && !names.is_bound(text) {
                add(text);
            }
        } else if matches!(kind, LexemeKind::Designator(_)) {
            let (pieces, _) = split_designator(text);
            pieces.chars().for_each(|piece| add(piece.encode_utf8(&mut [0; 4])));
            if pieces == "Aa" {
                add("[Aa]");
            }
        } else if kind == LexemeKind::PieceVar {
            add(if text.starts_with('◭') { "◭" } else { "[Aa]" });
        } else if kind == LexemeKind::FileWord {
            add(text.split_whitespace().next().unwrap_or(text));
        } else if matches!(kind, LexemeKind::Repeat(_)) && !matches!(text, "{*}" | "{+}") {
            add("{n}");
        } else if matches!(kind, LexemeKind::Group(_)) {
            add(r"\1");
        } else if matches!(kind, LexemeKind::GroupIndex(_)) {
            add(r"\-1");
        } else if kind == LexemeKind::NamedGroup {
            add(r"\{name}");
        } else if !has_no_term {
            add(text);
        }
    }
    terms
}

/// The keywords in a text of CQL 3, such as `:mate`.
///
/// ```
/// let used = babson_lang::vocabulary::used_in_cql3("(match (position :mate :no))");
/// assert_eq!(used[0].text, ":mate");
/// assert_eq!(used.len(), 1);
/// ```
pub fn used_in_cql3(query: &str) -> Vec<Term> {
    query
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';'))
        .filter(|word| word.strip_prefix(':').and_then(cql3::keyword).is_some())
        .map(|word| Term { text: word.to_string(), header: false })
        .collect()
}

/// The indices of the lexemes between the parentheses of `cql(…)`.
fn header(query: &str, lexemes: &[Lexeme]) -> std::ops::Range<usize> {
    let is = |i: usize, kind| lexemes.get(i).is_some_and(|lexeme: &Lexeme| lexeme.kind == kind);
    if !is(0, LexemeKind::Word)
        || lexemes[0].span.text(query) != "cql"
        || !is(1, LexemeKind::LParen)
    {
        return 0..0;
    }
    let end = lexemes.iter().position(|lexeme| lexeme.kind == LexemeKind::RParen);
    2..end.unwrap_or(lexemes.len()).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(query: &str) -> Vec<String> {
        used(query, Dialect::CQLI)
            .into_iter()
            .map(|term| if term.header { format!("cql({})", term.text) } else { term.text })
            .collect()
    }

    #[test]
    fn terms_are_found_where_they_have_a_meaning() {
        assert_eq!(
            texts("cql(input x.pgn matchcount 2) flip [Aa]a1 & [a1,h8] ♖b2 a2 Kd1"),
            ["cql", "cql(input)", "cql(matchcount)", "flip", "A", "a", "[Aa]", "&", "♖", "K"]
        );
        assert_eq!(texts("key=3 key>2"), ["=", ">"]);
        assert_eq!(texts("key x in D x"), ["key", "in"]);
        assert_eq!(texts("\"mate\" ~~ \"x\" \\1 \\-2 x{2,3}"), ["~~", r"\1", r"\-1", "{n}"]);
        assert_eq!(texts("curpos attack hascomment"), ["curpos", "attack", "hascomment"]);
        assert_eq!(texts("mate ' check"), [""; 0]);
    }

    #[test]
    fn every_symbol_is_one_lexeme_and_one_term() {
        for symbol in PUNCTUATION {
            let example = match *symbol {
                "{n}" => "{2}",
                r"\{name}" => r"\{x}",
                symbol => symbol,
            };
            assert_eq!(texts(example), [*symbol], "{symbol}");
        }
    }
}
