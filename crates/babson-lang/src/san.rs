//! Moves in standard algebraic notation in the place of filters, as `Qxf7`.

use crate::lexer::is_designator;

/// The help for a move that stands as a filter.
pub(crate) fn played(written: &str) -> String {
    let mut help = format!("for the move that was just played write `san == \"{written}\"`");
    if !written.ends_with(['+', '#']) {
        help.push_str(", with `+` or `#` if it gives check or mate");
    }
    help
}

/// Whether the word is a capture, or a piece with one square as `Nf3`, which is also a designator.
pub(crate) fn is_move(word: &str) -> bool {
    let is_piece =
        matches!(word.as_bytes(), [b'K' | b'Q' | b'R' | b'B' | b'N', b'a'..=b'h', b'1'..=b'8']);
    is_piece && is_designator(word) || Capture::read(word).is_some()
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
        let from = match from.as_bytes() {
            [b'a'..=b'h'] => format!("{from}1-8"),
            [b'1'..=b'8'] => format!("a-h{from}"),
            _ => (*from).to_owned(),
        };
        format!("[{piece}{}]{from}[x]{to}", piece.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    #[test]
    fn captures_become_dashes() {
        for (word, dash) in [
            ("Qxf7", "[Qq][x]f7"),
            ("Nf3xe5", "[Nn]f3[x]e5"),
            ("Raxd5", "[Rr]a1-8[x]d5"),
            ("R1xd5", "[Rr]a-h1[x]d5"),
            ("exd5", "[Pp]e1-8[x]d5"),
            ("e4xd5", "[Pp]e4[x]d5"),
        ] {
            let capture = Capture::read(word).unwrap();
            assert_eq!(capture.dash(), dash);
            assert!(crate::analyze(dash, Dialect::CQL6).is_ok(), "{dash}");
            assert!(is_move(word));
        }
        for other in ["xf7", "Qx", "Qxf9", "Pxe5", "4xd5", "Qxf7x", "qxf7", "Qa1bxf7", "éxd5"] {
            assert_eq!(Capture::read(other), None, "{other}");
        }
        assert!(is_move("Nf3") && !is_move("N") && !is_move("nf3") && !is_move("Pe4"));
    }
}
