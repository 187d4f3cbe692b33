//! Moves in standard algebraic notation in the place of filters, as `Qxf7`.

use crate::diagnostic::{Fix, Help, Span};
use crate::lexer::is_designator;
use crate::limits::MAX_MOVES_TEXT;

/// The help for a move that stands as a filter at this place.
pub(crate) fn played(written: &str, place: Span) -> Help {
    let query = format!("san == \"{written}\"");
    let mut help = format!("for the move that was just played write `{query}`");
    if !written.ends_with(['+', '#']) {
        help.push_str(", with `+` or `#` if it gives check or mate");
    }
    Help::from(help).with(Fix::replace(place, query))
}

/// Whether the word is a capture, or a piece with one square as `Nf3`, which is also a designator.
pub(crate) fn is_move(word: &str) -> bool {
    let is_piece =
        matches!(word.as_bytes(), [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1'..=b'8']);
    is_piece && is_designator(word) || Capture::read(word).is_some()
}

/// The letters of pieces in German, French and Spanish that are not English, each with the English
/// one and the piece.
const OTHER_LETTERS: [(char, char, &str); 6] = [
    ('S', 'N', "knight"),
    ('C', 'N', "knight"),
    ('L', 'B', "bishop"),
    ('F', 'B', "bishop"),
    ('T', 'R', "rook"),
    ('D', 'Q', "queen"),
];

/// The help for a move at this place with the letter of a piece in another language: `Sf3`, `Txd8`.
pub(crate) fn translated(word: &str, place: Span) -> Option<Help> {
    let first = word.chars().next()?;
    let (_, piece, name) = OTHER_LETTERS.iter().find(|(letter, ..)| *letter == first)?;
    let english = format!("{piece}{}", &word[1..]);
    let letters = format!("a {name} is `{piece}`, not `{first}`");
    if let Some(capture) = Capture::read(&english) {
        let query = capture.dash();
        let help = format!("{letters}: for the move write `{query}`");
        return Some(Help::from(help).with(Fix::replace(place, query)));
    }
    let (from, to) = english.get(1..)?.split_at_checked(english.len().checked_sub(3)?)?;
    // Every other move has the squares of a capture without the `x`.
    Capture::read(&format!("{piece}{from}x{to}"))?;
    let origin = format!("{piece}{}", squares(from));
    let query = format!("move to {to} from {origin}");
    let mut help = format!("{letters}: for the move write `{query}`");
    if from.is_empty() {
        help.push_str(&format!("; `{english}` is a white piece on {to}"));
    }
    Some(Help::from(help).with(Fix::replace(place, query)))
}

/// The `path` for a text that consists of at least two moves: `Bxh7+ Kxh7 Ng5+`. White makes the
/// first one, unless dots after its number say that Black does: `12... Qxh2+ 13. Kf1`.
pub(crate) fn path(text: &str) -> Option<String> {
    if text.len() > MAX_MOVES_TEXT {
        return None;
    }
    let (mut path, mut plies) = (String::from("path"), 0);
    let (mut from_start, mut white_begins) = (false, true);
    for word in text.split_ascii_whitespace() {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let number = &word[..word.len() - rest.len()];
        let (number, word) = match rest.trim_start_matches('.') {
            // `0-0`
            after if after.len() == rest.len() => ("", word),
            after => (number, after),
        };
        if plies == 0 && !number.is_empty() {
            white_begins = !rest.starts_with("...");
            from_start = number == "1" && white_begins;
        }
        if !word.is_empty() {
            let constituent = constituent(word, (plies % 2 == 0) == white_begins)?;
            path.push_str(&format!(" {constituent}"));
            plies += 1;
        }
    }
    let path = if from_start { format!("initial {path}") } else { path };
    (plies >= 2).then_some(path)
}

/// The dash filter for a move of the side.
pub(crate) fn constituent(word: &str, is_white: bool) -> Option<String> {
    let word = word.trim_end_matches(['+', '#', '!', '?']);
    let of_side = |piece: char| if is_white { piece } else { piece.to_ascii_lowercase() };
    match word {
        "O-O" | "0-0" => return Some(format!("{}--(o-o)", of_side('K'))),
        "O-O-O" | "0-0-0" => return Some(format!("{}--(o-o-o)", of_side('K'))),
        _ => {}
    }
    let (word, promotion) = match word.split_once('=') {
        Some((word, piece @ ("Q" | "R" | "B" | "N"))) => (word, format!("={piece}")),
        Some(_) => return None,
        None => (word, String::new()),
    };
    let (capture, dash) = match Capture::read(word) {
        Some(capture) => (capture, "[x]"),
        None => {
            let start = word.len().checked_sub(2).filter(|at| word.is_char_boundary(*at))?;
            let (piece, rest) = match word.chars().next()? {
                piece @ ('K' | 'Q' | 'R' | 'B' | 'N') => (piece, 1),
                _ => ('P', 0),
            };
            let is_square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
            let is_from = |text: &str| {
                matches!(text.as_bytes(), [] | [b'a'..=b'h'] | [b'1'..=b'8']) || is_square(text)
            };
            let (from, to) = (word.get(rest..start)?, &word[start..]);
            if !is_square(to) || !is_from(from) {
                return None;
            }
            (Capture { piece, from, to }, "--")
        }
    };
    let (piece, from) = (of_side(capture.piece), squares(capture.from));
    Some(format!("{piece}{from}{dash}{}{promotion}", capture.to))
}

/// The squares of a file or rank in a designator.
fn squares(from: &str) -> String {
    match from.as_bytes() {
        [b'a'..=b'h'] => format!("{from}1-8"),
        [b'1'..=b'8'] => format!("a-h{from}"),
        _ => from.to_owned(),
    }
}

/// A capture: `Qxf7`, `Nf3xe5`, `exd5`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Capture<'t> {
    /// The letter, `P` for a pawn.
    piece: char,
    /// What is said of the square that the piece leaves: its file, its rank, both or nothing.
    from: &'t str,
    to: &'t str,
}

impl<'t> Capture<'t> {
    /// Reads a word without marks such as `+`.
    pub(crate) fn read(word: &'t str) -> Option<Capture<'t>> {
        let (from, to) = word.split_once('x')?;
        let (piece, from) = match from.chars().next()? {
            piece @ ('K' | 'Q' | 'R' | 'B' | 'N') => (piece, &from[1..]),
            _ => ('P', from),
        };
        let is_from = match from.as_bytes() {
            [] | [b'1'..=b'8'] => piece != 'P',
            [b'a'..=b'h'] => true,
            [b'a'..=b'h', b'1'..=b'8'] => true,
            _ => false,
        };
        let is_to = matches!(to.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
        (is_from && is_to).then_some(Capture { piece, from, to })
    }

    /// The capture by either side as a dash filter.
    pub(crate) fn dash(&self) -> String {
        let Capture { piece, from, to } = self;
        let from = squares(from);
        format!("[{piece}{}]{from}[x]{to}", piece.to_ascii_lowercase())
    }
}
