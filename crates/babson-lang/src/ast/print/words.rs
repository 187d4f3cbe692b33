//! What is written as one word or a few.

use crate::ast::*;

/// The spelling of a result.
pub fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1-0",
        GameResult::BlackWins => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// The shortest usual spelling of a designator; squares are listed one by one.
pub fn designator(d: &Designator) -> String {
    let mut out = String::new();
    if d.has_pieces {
        let mut letters = String::new();
        let mut left = d.pieces.0;
        for (mask, letter) in [(Content::WHITE.0, 'A'), (Content::BLACK.0, 'a')] {
            if left & mask == mask {
                letters.push(letter);
                left &= !mask;
            }
        }
        for (bit, &letter) in Content::LETTERS.iter().enumerate() {
            if left >> bit & 1 == 1 {
                letters.push(char::from(letter));
            }
        }
        if letters.len() == 1 {
            out.push_str(&letters)
        } else {
            out = format!("[{letters}]")
        }
    }
    if d.has_squares {
        let squares: Vec<String> = (0..64u8)
            .filter(|&s| d.squares >> s & 1 == 1)
            .map(|s| format!("{}{}", char::from(b'a' + s % 8), s / 8 + 1))
            .collect();
        if squares.len() == 1 {
            out.push_str(&squares[0])
        } else {
            out.push_str(&format!("[{}]", squares.join(",")))
        }
    }
    out
}

pub(super) fn range_text(range: &Option<Range>) -> String {
    let bound = |b: &Bound| match &b.kind {
        BoundKind::Int(n) => n.to_string(),
        BoundKind::Name(name) => name.clone(),
    };
    match range {
        None => String::new(),
        Some(Range::Count(_)) => " count".to_string(),
        Some(Range::Bounds { lo, hi: None }) => format!(" {}", bound(lo)),
        Some(Range::Bounds { lo, hi: Some(hi) }) => format!(" {} {}", bound(lo), bound(hi)),
    }
}

pub(super) fn repeat(r: &Repeat) -> String {
    match r.max {
        Some(max) => format!(" {{{},{max}}}", r.min),
        None => format!(" {{{},}}", r.min),
    }
}

pub(super) fn storage_text(s: &Storage) -> String {
    let words = [
        (s.atomic, "atomic "),
        (s.persistent, "persistent "),
        (s.quiet, "quiet "),
        (s.local, "local "),
    ];
    words.iter().filter(|w| w.0).map(|w| w.1).collect()
}

pub(super) fn flags(words: &[(bool, &str)]) -> String {
    words
        .iter()
        .filter(|w| w.0)
        .map(|w| format!(" {}", w.1))
        .collect()
}

pub(super) fn search_text(search: &Option<Text>) -> String {
    search
        .as_ref()
        .map_or(String::new(), |s| format!(" {:?}", s.value))
}
