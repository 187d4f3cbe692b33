//! The spelling of directions, squares and pieces.

use crate::hir::*;
use crate::literals::square_names;

/// The name of a node without operands to show, in words: `Attacked by`, `Side to move white`.
pub(super) fn name(which: impl std::fmt::Debug) -> String {
    let debug = format!("{which:?}").replace("Some(", "(").replace("(None)", "");
    let mut words = String::new();
    for letter in debug.chars() {
        match letter {
            ')' => {}
            '(' | ',' | ' ' if words.ends_with(' ') => {}
            '(' | ',' => words.push(' '),
            letter if letter.is_ascii_uppercase() && !words.is_empty() => {
                if !words.ends_with(' ') {
                    words.push(' ');
                }
                words.push(letter.to_ascii_lowercase());
            }
            letter => words.push(letter),
        }
    }
    words.trim_end().to_owned()
}

/// What the header says, beyond the usual.
pub(super) fn header(header: &Header) -> String {
    let mut parts = Vec::new();
    for (word, file) in [("input", &header.input), ("output", &header.output)] {
        if let Some(file) = file {
            parts.push(format!("{word} {:?}", file.name));
        }
    }
    if header.variations {
        parts.push("variations".to_owned());
    }
    if header.sort_match_count {
        parts.push("sort matchcount".to_owned());
    }
    for (word, range) in [("matchcount", header.match_count), ("gamenumber", header.game_number)] {
        if let Some((lo, hi)) = range {
            parts.push(format!("{word} {lo} {hi}"));
        }
    }
    if let Some(result) = header.result {
        parts.push(format!("result {}", name(result).to_lowercase()));
    }
    if let Some(text) = &header.match_string {
        parts.push(format!("matchstring {text:?}"));
    }
    match header.comment_level {
        CommentLevel::Normal => {}
        CommentLevel::Quiet => parts.push("quiet".to_owned()),
        CommentLevel::Silent => parts.push("silent".to_owned()),
    }
    format!("header: {}", parts.join(", "))
}

pub(super) fn compass(directions: Directions) -> String {
    const NAMES: [&str; 8] =
        ["up", "northeast", "right", "southeast", "down", "southwest", "left", "northwest"];
    if directions.0 == 0xff {
        return "any".into();
    }
    let names = NAMES.iter().enumerate().filter(|(i, _)| directions.0 >> i & 1 == 1);
    names.map(|(_, name)| *name).collect::<Vec<_>>().join("+")
}

impl std::fmt::Display for Directions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&compass(*self))
    }
}

pub(super) fn letters(content: Content) -> String {
    match content {
        Content::ANY => "any".into(),
        _ => content.to_string(),
    }
}

pub(super) fn squares(mask: u64) -> String {
    match mask {
        0 => "[]".into(),
        u64::MAX => ".".into(),
        _ => {
            let names = square_names(mask);
            if names.len() > 16 {
                format!("[{} squares {mask:#x}]", names.len())
            } else {
                format!("[{}]", names.join(","))
            }
        }
    }
}

pub(super) fn designator(d: &Designator) -> String {
    match (d.squares, d.content) {
        (u64::MAX, content) => letters(content),
        (mask, Content::ANY) => squares(mask),
        (mask, content) => format!("{}{}", letters(content), squares(mask)),
    }
}
