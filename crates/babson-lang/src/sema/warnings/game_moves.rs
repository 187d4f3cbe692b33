//! Moves of a game that are written as filters: `1. e4 e5` means `initial path P--e4 p--e5`.

use crate::limits::MAX_NAMED_MOVES;

/// The moves at the beginning of a text, as a filter that finds the games that begin with them.
/// Only moves whose piece and destination are named are taken, up to the first other word; `None`
/// if there is none.
pub(super) fn as_path(text: &str) -> Option<String> {
    let words = text.split_whitespace().flat_map(|word| word.rsplit('.').take(1));
    let words = words.filter(|word| !word.is_empty() && !word.bytes().all(|c| c.is_ascii_digit()));
    let mut path = String::new();
    for (ply, word) in words.take(MAX_NAMED_MOVES).enumerate() {
        let Some((piece, square)) = named_move(word) else { break };
        let piece = if ply % 2 == 0 { piece } else { piece.to_ascii_lowercase() };
        path.push_str(&format!(" {piece}--{square}"));
    }
    (!path.is_empty()).then(|| format!("initial path{path}"))
}

/// The piece and the destination of a move without other details: `e4`, `Nf3`.
fn named_move(word: &str) -> Option<(char, &str)> {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let is_square = |square: &str| {
        let bytes = square.as_bytes();
        matches!(bytes, [b'a'..=b'h', b'1'..=b'8'])
    };
    match word.chars().next()? {
        piece @ ('K' | 'Q' | 'R' | 'B' | 'N') => {
            let square = word.get(1..)?;
            is_square(square).then_some((piece, square))
        }
        _ => is_square(word).then_some(('P', word)),
    }
}

#[cfg(test)]
mod tests {
    use super::as_path;

    #[test]
    fn moves_become_a_path() {
        for (moves, path) in [
            ("1. e4 e5", Some("initial path P--e4 p--e5")),
            ("1.e4 e5 2.Nf3 Nc6 3. Bb5 mate", Some("initial path P--e4 p--e5 N--f3 n--c6 B--b5")),
            ("1. d4 d5 2. cxd5", Some("initial path P--d4 p--d5")),
            ("1. e4! 1... c5", Some("initial path P--e4 p--c5")),
            ("1. mate", None),
            ("1. é4", None),
            ("1.", None),
        ] {
            assert_eq!(as_path(moves).as_deref(), path, "{moves}");
        }
    }
}
