//! Squares and pieces in words.

use babson_lang::hir::{Content, square_names};

/// The squares of a mask, as a reader lists them.
pub(crate) fn list(mask: u64) -> String {
    let names = square_names(mask);
    match names.len() {
        0 => "no square".to_owned(),
        64 => "all squares".to_owned(),
        count => {
            let noun = if count == 1 { "square" } else { "squares" };
            format!("{count} {noun}: {}", names.join(" "))
        }
    }
}

/// The names of the pieces, in the order of [`Content::LETTERS`].
const PIECES: [&str; 13] = [
    "white pawns",
    "white knights",
    "white bishops",
    "white rooks",
    "white queens",
    "the white king",
    "black pawns",
    "black knights",
    "black bishops",
    "black rooks",
    "black queens",
    "the black king",
    "empty squares",
];

/// The contents of squares in words.
pub(crate) fn pieces(content: Content) -> String {
    if content == Content::ANY {
        return "any square".to_owned();
    }
    let mut left = content.0;
    let mut names = Vec::new();
    let groups = [
        (Content::WHITE.0 | Content::BLACK.0, "any piece"),
        (Content::WHITE.0, "any white piece"),
        (Content::BLACK.0, "any black piece"),
    ];
    for (all, name) in groups {
        if left & all == all {
            names.push(name);
            left &= !all;
        }
    }
    for (bit, name) in PIECES.iter().enumerate() {
        if left >> bit & 1 == 1 {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The designators of pieces that a completion offers where a set is expected.
pub(crate) const DESIGNATORS: [(&str, &str); 16] = [
    ("K", "the white king"),
    ("Q", "the white queens"),
    ("R", "the white rooks"),
    ("B", "the white bishops"),
    ("N", "the white knights"),
    ("P", "the white pawns"),
    ("A", "all white pieces"),
    ("k", "the black king"),
    ("q", "the black queens"),
    ("r", "the black rooks"),
    ("b", "the black bishops"),
    ("n", "the black knights"),
    ("p", "the black pawns"),
    ("a", "all black pieces"),
    ("_", "the empty squares"),
    (".", "all squares"),
];
