//! The scopes of TextMate for the words and symbols of the language. Themes color by them.

use std::collections::BTreeMap;

use babson_lang::keywords::{Keyword, KeywordClass, SpecialKeyword};
use babson_lang::symbols::SYMBOLS;

/// The words by their scope.
pub(super) fn words_by_scope() -> BTreeMap<&'static str, Vec<String>> {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for word in super::words() {
        // `o-o` is a literal.
        let Some(keyword) = Keyword::from_word(&word).filter(|_| !word.contains('-')) else {
            continue;
        };
        groups.entry(scope(keyword)).or_default().push(word);
    }
    groups
}

/// The scope of a keyword, without the name of the language at its end.
fn scope(keyword: Keyword) -> &'static str {
    match keyword.class() {
        KeywordClass::Nullary if matches!(keyword, Keyword::True | Keyword::False) => {
            "constant.language"
        }
        KeywordClass::Nullary
        | KeywordClass::Prefix(_)
        | KeywordClass::List
        | KeywordClass::Search
        | KeywordClass::Colored => "support.function",
        // `import` and `tag` take a string.
        KeywordClass::Text if keyword == Keyword::Import => "keyword.control.import",
        KeywordClass::Text => "support.function",
        KeywordClass::Direction(_) => "support.constant.direction",
        KeywordClass::Transform => "keyword.other.transform",
        KeywordClass::Parameter => "storage.modifier",
        // `attacked by` is an operator.
        KeywordClass::Reserved if keyword == Keyword::Attacked => "keyword.operator.word",
        KeywordClass::Reserved => "keyword.other.reserved",
        KeywordClass::Special(special) => scope_of_special(special),
    }
}

/// The scope of a keyword with a production of its own.
fn scope_of_special(special: SpecialKeyword) -> &'static str {
    use SpecialKeyword as S;
    match special {
        S::And | S::AttackedBy | S::Attacks | S::In | S::Not | S::Or => "keyword.operator.word",
        S::Else | S::If | S::Then | S::While => "keyword.control",
        S::Dictionary | S::Function | S::Local | S::Persistent => "storage.type",
        S::Cql | S::CqlBegin | S::CqlEnd => "keyword.control.directive",
        S::Legal | S::PseudoLegal | S::Quiet => "storage.modifier",
        S::All
        | S::Atomic
        | S::Comment
        | S::ConsecutiveMoves
        | S::Count
        | S::CountMoves
        | S::Echo
        | S::Find
        | S::Hhdb
        | S::Imagine
        | S::IsBound
        | S::IsUnbound
        | S::Key
        | S::Line
        | S::Message
        | S::Move
        | S::Path
        | S::Piece
        | S::Pin
        | S::Position
        | S::Previous
        | S::Ray
        | S::Result
        | S::SimilarPosition
        | S::Sort
        | S::Square
        | S::Str
        | S::String
        | S::Unbind
        | S::Xray => "keyword.other",
    }
}

/// The symbols by their scope, in ASCII, and in the order in which they have to be tried.
const OPERATORS: [(&str, &[&str]); 10] = [
    ("keyword.operator.chain", &["-->", "<--"]),
    ("keyword.operator.ancestry", &["[<=]", "[>=]", "[<]", "[>]"]),
    ("keyword.operator.dash", &["[x]", "--"]),
    ("keyword.operator.arrow", &["->", "<-"]),
    ("keyword.operator.comparison", &["==", "!=", "<=", ">=", "~~", "<", ">"]),
    ("keyword.operator.assignment", &["=?", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "="]),
    ("keyword.operator.set", &["[element]", "[forall]", "&", "|", "~", "#"]),
    ("keyword.operator.arithmetic", &["+", "-", "*", "/", "%"]),
    ("keyword.operator.quantifier", &["?"]),
    ("keyword.operator", &[":", "`"]),
];

/// The symbols that stand for a keyword, with their keyword.
pub(super) fn keyword_symbols() -> impl Iterator<Item = (&'static str, Keyword)> {
    SYMBOLS.iter().filter_map(|&(ascii, symbol)| Some((symbol, Keyword::from_word(ascii)?)))
}

/// Each scope of symbols with a regular expression of them, in the order in which they have to be
/// tried.
pub(super) fn symbols_by_scope() -> Vec<(&'static str, String)> {
    let spellings = |ascii: &'static str| {
        let symbol = SYMBOLS.iter().find(|pair| pair.0 == ascii).map(|pair| pair.1);
        [Some(ascii), symbol].into_iter().flatten().map(escaped)
    };
    let operators = OPERATORS.iter().map(|&(scope, symbols)| {
        let all: Vec<String> = symbols.iter().copied().flat_map(spellings).collect();
        (scope, all.join("|"))
    });
    let keywords = keyword_symbols().map(|(symbol, keyword)| (scope(keyword), escaped(symbol)));
    // A Unicode symbol with `=` after it is longer than the symbol alone.
    operators.chain(keywords).collect()
}

/// The text as a regular expression.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if letter.is_ascii_punctuation() && !"-<>=!&~#:`/%_".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use babson_lang::symbols::PUNCTUATION;

    #[test]
    fn every_symbol_has_a_scope() {
        let operators: Vec<&str> = OPERATORS.iter().flat_map(|group| group.1).copied().collect();
        let is_piece =
            |ascii: &str| ascii == "." || ascii == "[Aa]" || "KQRBNPkqrbnpAa_".contains(ascii);
        // Rules of their own: comments, repetitions, brackets, escapes, results and castling.
        let others =
            ["///", "{n}", "{*}", "{+}", "{", "}", "[]", "1-0", "0-1", "1/2-1/2", "o-o", "o-o-o"];
        let ascii = SYMBOLS.iter().map(|pair| pair.0).chain(PUNCTUATION.iter().copied());
        for symbol in ascii {
            let has_scope = operators.contains(&symbol)
                || is_piece(symbol)
                || symbol.starts_with('\\')
                || others.contains(&symbol)
                || Keyword::from_word(symbol).is_some();
            assert!(has_scope, "{symbol}");
        }
    }

    #[test]
    fn every_word_has_a_scope() {
        let groups = words_by_scope();
        let count: usize = groups.values().map(Vec::len).sum();
        assert_eq!(count + 2, super::super::words().len(), "all but the two castling moves");
        assert!(groups["support.function"].contains(&"hascomment".to_owned()));
        assert!(groups["storage.modifier"].contains(&"keepallbest".to_owned()));
    }

    #[test]
    fn a_longer_symbol_is_tried_before_its_beginning() {
        let operators: Vec<&str> = OPERATORS.iter().flat_map(|group| group.1).copied().collect();
        for (at, symbol) in operators.iter().enumerate() {
            let later = operators[at + 1..].iter().find(|later| later.starts_with(symbol));
            assert_eq!(later, None, "{symbol} hides it");
        }
    }
}
