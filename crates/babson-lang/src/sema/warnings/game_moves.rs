//! Moves of a game that are written as filters: `1. e4 e5` means `initial path P--e4 p--e5`.

use crate::limits::MAX_NAMED_MOVES;

/// The moves at the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GameMoves {
    /// A filter that finds the games that begin with them.
    pub(super) path: String,
    /// Where the last one ends in the text, in bytes.
    pub(super) end: usize,
}

impl GameMoves {
    /// Reads the moves of a game from its first one, up to the first other word. Only moves whose
    /// piece and destination are named are taken; `None` if there is none.
    pub(super) fn read(text: &str) -> Option<GameMoves> {
        let mut moves = GameMoves { path: String::new(), end: 0 };
        let mut ply = 0;
        let mut at = 0;
        for word in text.split_whitespace() {
            // `split_whitespace` gives no places.
            let begin = at + text[at..].find(word)?;
            at = begin + word.len();
            let number = move_number(word);
            match number.ply {
                Some(1) if ply == 0 => {
                    moves.path.push_str(" --");
                    ply = 1;
                }
                Some(named) if named != ply => break,
                Some(_) | None => {}
            }
            if number.rest.is_empty() && number.ply.is_some() {
                continue;
            }
            let Some((piece, square)) = named_move(number.rest) else { break };
            if ply < MAX_NAMED_MOVES {
                let piece = if ply % 2 == 0 { piece } else { piece.to_ascii_lowercase() };
                moves.path.push_str(&format!(" {piece}--{square}"));
            }
            ply += 1;
            moves.end = at;
        }
        moves.path.insert_str(0, "initial path");
        (moves.end > 0).then_some(moves)
    }
}

/// A word of PGN, and the number of a move at its beginning.
struct NumberedWord<'t> {
    /// The number of plies before the move; `None` if the word has no number.
    ply: Option<usize>,
    /// What follows the number.
    rest: &'t str,
}

/// Splits the move number off a word: `1.` means White's first move, `1...` Black's first move.
fn move_number(word: &str) -> NumberedWord<'_> {
    let unnumbered = NumberedWord { ply: None, rest: word };
    let after = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = after.trim_start_matches('.');
    let dots = after.len() - rest.len();
    let number = word[..word.len() - after.len()].parse::<usize>();
    match number.ok().and_then(|number| number.checked_sub(1)?.checked_mul(2)) {
        Some(ply) if dots > 0 => NumberedWord { ply: Some(ply + usize::from(dots > 1)), rest },
        Some(_) | None => unnumbered,
    }
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
    use super::GameMoves;

    #[test]
    fn moves_become_a_path() {
        for (moves, path, rest) in [
            ("1. e4 e5", "P--e4 p--e5", ""),
            ("1.e4 e5 2.Nf3 Nc6 3. Bb5 mate", "P--e4 p--e5 N--f3 n--c6 B--b5", " mate"),
            ("1. e4 e5 mate 2500", "P--e4 p--e5", " mate 2500"),
            ("1. d4 d5 2. cxd5", "P--d4 p--d5", " 2. cxd5"),
            ("1. e4! 1... c5\n2. Nf3", "P--e4 p--c5 N--f3", ""),
            ("1... c5 2. Nf3", "-- p--c5 N--f3", ""),
            ("1...c5", "-- p--c5", ""),
            ("1. e4 3. e5", "P--e4", " 3. e5"),
            ("1. e4 e5 2 d4", "P--e4 p--e5", " 2 d4"),
        ] {
            let found = GameMoves::read(moves).unwrap();
            assert_eq!(found.path, format!("initial path {path}"), "{moves}");
            assert_eq!(&moves[found.end..], rest, "{moves}");
        }
        let long = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6";
        let found = GameMoves::read(long).unwrap();
        assert_eq!((found.path.matches("--").count(), found.end), (12, long.len()));
        for other in ["2. Nf3", "2... Nc6", "0. e4", "1. mate", "1. é4", "1.", "1..."] {
            assert_eq!(GameMoves::read(other), None, "{other}");
        }
    }
}
