//! Regular expressions of lexemes, as the lexers of `babson-lang` and `babson-cql3` have them.
//!
//! They use only what JavaScript and Oniguruma, the engine of TextMate grammars, have in common.

use babson_lang::symbols::SYMBOLS;

/// What follows neither a word nor a designator.
pub(super) const END: &str = "(?![A-Za-z0-9_$])";
/// A name or a keyword.
pub(super) const WORD: &str = "[A-Za-z_$][A-Za-z0-9_$]*";
/// A result of a game, unless it is part of a longer run of such characters.
pub(super) const RESULT: &str = "(?<![A-Za-z0-9_$/-])(?:1-0|0-1|1/2-1/2)(?![A-Za-z0-9_$/-])";
/// A castling move.
pub(super) const CASTLING: &str = "(?:o-o-o|o-o)(?![A-Za-z0-9_$])";
/// A number of repetitions.
pub(super) const REPEAT: &str = r"\{(?:[0-9]+(?:,[0-9]*)?|,[0-9]+|\*|\+)\}";
/// A comment to the end of its line: `///` alone is a filter, `////` is a comment.
pub(super) const LINE_COMMENT: &str = "//(?:(?!/)|(?=//)).*";
/// A string of one character outside of quotes.
pub(super) const ESCAPE: &str = r#"\\(?:[\\"]|[nrt](?![A-Za-z0-9_$]))"#;
/// A group of a regular expression, or where it begins: `\1`, `\-1`, `\{name}`.
pub(super) const GROUP: &str = r"\\(?:[0-9][0-9]?|-[0-9]+|-?\{[A-Za-z_][A-Za-z0-9_]*\})";
/// The pieces of a list in ASCII.
const LETTERS: &str = "KQRBNPkqrbnpAa_";

/// The symbols of pieces, and of the square without one, as the content of a character class.
pub(super) fn piece_symbols() -> String {
    let is_piece = |ascii: &str| ascii == "[Aa]" || LETTERS.contains(ascii);
    SYMBOLS.iter().filter(|(ascii, _)| is_piece(ascii)).map(|&(_, symbol)| symbol).collect()
}

/// The pieces of a designator: a piece or a list of pieces.
pub(super) fn pieces() -> String {
    let symbols = piece_symbols();
    format!(r"(?:[{LETTERS}]|\[[{LETTERS}]+\]|[{symbols}]+|\[[{symbols}]+\])")
}

/// The squares of a designator: a square, a range, or a list of them.
pub(super) fn squares() -> String {
    square_list("[a-h](?:-[a-h])?[1-8](?:-[1-8])?")
}

/// One form of a square, or a list of it in brackets.
fn square_list(square: &str) -> String {
    format!(r"(?:{square}|\[{square}(?:,{square})*\])")
}

/// A designator, without a group.
pub(super) fn designator() -> String {
    let (pieces, squares) = (pieces(), squares());
    // `a-h1` is a range, and not the piece `a`.
    format!("(?:{squares}|{pieces}{squares}?){END}")
}

/// The name of a variable for pieces: `◭x`, `[Aa]x`.
pub(super) fn piece_variable() -> String {
    let symbol = SYMBOLS.iter().find(|(ascii, _)| *ascii == "[Aa]").map_or("", |pair| pair.1);
    // `[Aa]a1` is a designator.
    format!(r"(?:\[Aa\]|{symbol})(?!{}{END}){WORD}", squares())
}

/// A designator of CQL 3.
pub(super) fn cql3_designator() -> String {
    const PIECE: &str = "KQRBNPkqrbnp.AaMmIiU?";
    let square = r"(?:[a-h](?:-[a-h])?|\?)(?:[1-8](?:-[1-8])?|\?)";
    let squares = square_list(square);
    format!(
        r"(?:(?:[{PIECE}]|\[[{PIECE}]*\])(?:\[\]|{squares})?|\$[A-Za-z0-9]+(?:\[\]|{squares})?|\[[{PIECE}]{squares}\])(?![^\s();])"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// A pattern that has to match a whole text. The crate `regex` has no look-around.
    fn whole(pattern: &str) -> Regex {
        let plain = pattern.replace(END, "").replace(r"(?![^\s();])", "");
        Regex::new(&format!("^(?:{plain})$")).expect("a pattern")
    }

    #[test]
    fn designators_are_those_of_the_lexer() {
        let designator = whole(&designator());
        for text in ["K", "a1", "Ra-h1-8", "[QR][a1,h-h8]", "♔", "♖♘a1", "[♖♘]a1", "_", "[Aa]a1"]
        {
            assert!(designator.is_match(text), "{text}");
        }
        for text in ["Kx", "a9", "h", "[a1", "♔K", "x1", "."] {
            assert!(!designator.is_match(text), "{text}");
        }
        let cql3 = whole(&cql3_designator());
        for text in ["U[d4,e5]", "[RQ]a-h7", "$ROOK", "M?4", "[Kg1]", ".", "R[]"] {
            assert!(cql3.is_match(text), "{text}");
        }
    }
}
