//! A board drawn in text.

use std::fmt::Write as _;

use babson::chess::{Position, Square, SquareSet};

/// The board with White at the bottom and the marked squares in brackets.
pub(super) fn drawn(position: &Position, marked: SquareSet) -> String {
    // Brackets need room, so the board is wider with them.
    let wide = !marked.is_empty();
    let width = if wide { 24 } else { 17 };
    let line = "─".repeat(width);
    let mut out = format!("  ┌{line}┐\n");
    for rank in (0..8).rev() {
        let _ = write!(out, "{} │", rank + 1);
        for file in 0..8 {
            let square = Square::at(file, rank);
            let symbol = match position.piece_at(square) {
                None => '·',
                Some(piece) => figure(piece.letter()),
            };
            let _ = match (wide, marked.contains(square)) {
                (false, _) => write!(out, " {symbol}"),
                (true, false) => write!(out, " {symbol} "),
                (true, true) => write!(out, "[{symbol}]"),
            };
        }
        out.push_str(if wide { "│\n" } else { " │\n" });
    }
    let _ = writeln!(out, "  └{line}┘");
    out.push_str(match wide {
        false => "    a b c d e f g h\n",
        true => "    a  b  c  d  e  f  g  h\n",
    });
    out
}

/// The figurine of a FEN letter.
fn figure(letter: char) -> char {
    match letter {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        'p' => '♟',
        other => other,
    }
}
