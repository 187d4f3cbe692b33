//! The Unicode symbols of the language and their ASCII spellings
//! (docs/src/language/reading.md#lexemes).

/// Pairs of ASCII spelling and Unicode symbol.
pub const SYMBOLS: &[(&str, &str)] = &[
    ("K", "♔"),
    ("Q", "♕"),
    ("R", "♖"),
    ("B", "♗"),
    ("N", "♘"),
    ("P", "♙"),
    ("k", "♚"),
    ("q", "♛"),
    ("r", "♜"),
    ("b", "♝"),
    ("n", "♞"),
    ("p", "♟"),
    ("A", "△"),
    ("a", "▲"),
    ("[Aa]", "◭"),
    ("_", "□"),
    (".", "▦"),
    ("[x]", "×"),
    ("--", "――"),
    ("path", "⊢"),
    ("focus", "◎"),
    ("currentposition", "∙"),
    ("flip", "✵"),
    ("flipcolor", "⬓"),
    ("&", "∩"),
    ("|", "∪"),
    ("&=", "∩="),
    ("|=", "∪="),
    ("<=", "≤"),
    (">=", "≥"),
    ("!=", "≠"),
    ("->", "→"),
    ("<-", "←"),
    ("[element]", "∊"),
    ("[forall]", "∀"),
    ("[<]", "≺"),
    ("[>]", "≻"),
    ("[<=]", "≼"),
    ("[>=]", "≽"),
];

/// The punctuation that has only one spelling. Where a part varies, this is an example.
pub const PUNCTUATION: &[&str] = &[
    "///", "-->", "<--", "{n}", "{*}", "{+}", "~~", "~", "==", "<", ">", "=", "=?", "+=", "-=",
    "*=", "/=", "%=", "+", "-", "*", "/", "%", "?", "#", ":", "{", "}", "[]", "`", r"\1", r"\-1",
    r"\{name}", r"\n", r"\r", r"\t", r"\\", r#"\""#, "1-0", "0-1", "1/2-1/2", "o-o", "o-o-o",
];

/// The symbol for an ASCII spelling.
pub(crate) fn to_symbol(ascii: &str) -> Option<&'static str> {
    SYMBOLS.iter().find(|(a, _)| *a == ascii).map(|(_, s)| *s)
}

/// The ASCII spelling of a symbol.
pub(crate) fn to_ascii(symbol: &str) -> Option<&'static str> {
    SYMBOLS.iter().find(|(_, s)| *s == symbol).map(|(a, _)| *a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_spelling_has_one_symbol_and_back() {
        for &(ascii, symbol) in SYMBOLS {
            assert_eq!(to_symbol(ascii), Some(symbol));
            assert_eq!(to_ascii(symbol), Some(ascii));
        }
    }
}
