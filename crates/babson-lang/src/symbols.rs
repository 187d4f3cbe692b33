//! The symbols of the language with their ASCII spellings (language.md 2.4).

/// ASCII spelling and symbol, in the order of the table.
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

/// The symbol for an ASCII spelling.
pub fn to_symbol(ascii: &str) -> Option<&'static str> {
    SYMBOLS.iter().find(|(a, _)| *a == ascii).map(|(_, s)| *s)
}

/// The ASCII spelling of a symbol.
pub fn to_ascii(symbol: &str) -> Option<&'static str> {
    SYMBOLS.iter().find(|(_, s)| *s == symbol).map(|(a, _)| *a)
}
