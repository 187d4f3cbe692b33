//! Piece designators, and the pattern of `fen "…"`.

use crate::ast;
use crate::diagnostic::{Fix, Help, Span};
use crate::hir::{Content, Designator, Promotion};

/// The kinds of pieces of a promotion, of either color: bit 0 is the pawn, bit 5 the king. `None`
/// if it is not a designator of pieces without squares.
pub(super) fn kinds(promotion: &ast::Expr) -> Option<u8> {
    if let ast::ExprKind::AnySquare = promotion.kind {
        return Some(Promotion::ANY);
    }
    let ast::ExprKind::Designator(d) = &promotion.kind else {
        return None;
    };
    let kinds = ((d.pieces.0 | d.pieces.0 >> 6) & 0x3f) as u8;
    (d.has_pieces && !d.has_squares && kinds != 0 && d.pieces.0 & Content::EMPTY.0 == 0)
        .then_some(kinds)
}

/// The help for a name at this place that was probably meant as a piece designator or as a move
/// between two squares: `Nf9`, `RNa4`, `R7`, `e2e4`.
pub(super) fn misspelled(name: &str, place: Span) -> Option<Help> {
    let meant = |what: &str, query: String| {
        let help = Help::from(format!("{what}: `{query}`"));
        Some(help.with(Fix::replace(place, query)))
    };
    let is_file = |file: u8| matches!(file, b'a'..=b'h');
    let is_rank = |rank: u8| matches!(rank, b'1'..=b'8');
    match *name.as_bytes() {
        [piece, rank] if is_piece(piece) && is_rank(rank) => {
            let (piece, rank) = (char::from(piece), char::from(rank));
            return meant("a piece on a rank has the files before it", format!("{piece}a-h{rank}"));
        }
        [piece, file] if piece.is_ascii_uppercase() && is_piece(piece) && is_file(file) => {
            return meant("a piece on a file has the ranks after it", format!("{name}1-8"));
        }
        [a, b, c, d, ref promotion @ ..]
            if is_file(a) && is_rank(b) && is_file(c) && is_rank(d) =>
        {
            let query = match *promotion {
                [] => format!("{}--{}", &name[..2], &name[2..]),
                [piece @ (b'q' | b'r' | b'b' | b'n')] => {
                    let piece = char::from(piece.to_ascii_uppercase());
                    format!("{}--{}={piece}", &name[..2], &name[2..4])
                }
                _ => return None,
            };
            return meant("a move between squares is written with `--`", query);
        }
        _ => {}
    }
    let is_pieces = |text: &str| text.bytes().all(|letter| b"KQRBNPA".contains(&letter));
    if matches!(name.len(), 2..=6) && is_pieces(name) {
        return meant("several pieces stand in brackets", format!("[{name}]"));
    }
    let (pieces, square) = name.split_at_checked(name.len().checked_sub(2)?)?;
    let &[file, rank] = square.as_bytes() else { return None };
    let on_board = is_file(file) && is_rank(rank);
    let is_square = file.is_ascii_lowercase() && rank.is_ascii_digit();
    if !is_square || !is_pieces(pieces) {
        return None;
    }
    match pieces.len() {
        0 if !is_file(file) => None,
        0 | 1 if !on_board => Some("the squares of the board go from `a1` to `h8`".into()),
        2.. if on_board => meant("several pieces stand in brackets", format!("[{pieces}]{square}")),
        _ => None,
    }
}

/// Whether the letter is a piece.
fn is_piece(letter: u8) -> bool {
    b"KQRBNPkqrbnpAa".contains(&letter)
}

/// The designators of the placement field of a FEN, one for each square, so that a transform can
/// move each of them. Besides pieces a square may have `A`, `a`, `_` or `.`
/// (docs/src/language/positions.md#positions-and-boards).
pub(crate) fn fen_pattern(text: &str) -> Result<Vec<Designator>, String> {
    let field = text.split_ascii_whitespace().next().unwrap_or("");
    let mut found: Vec<Designator> = Vec::new();
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != 8 {
        let plural = if rows.len() == 1 { "rank" } else { "ranks" };
        return Err(format!("the placement has {} {plural} instead of 8", rows.len()));
    }
    for (row, rank) in rows.iter().zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.bytes() {
            let (content, width) = match letter {
                b'1'..=b'8' => (Content::EMPTY, u32::from(letter - b'0')),
                b'A' => (Content::WHITE, 1),
                b'a' => (Content::BLACK, 1),
                b'.' => (Content::ANY, 1),
                _ => match Content::of_letter(letter) {
                    Some(content) => (content, 1),
                    None => {
                        return Err(format!(
                            "`{}` is not a piece; `.` is any content of a square, `_` an empty one",
                            char::from(letter).escape_default()
                        ));
                    }
                },
            };
            if file + width > 8 {
                return Err(format!("rank {} has more than 8 squares", rank + 1));
            }
            if content != Content::ANY {
                found.extend(
                    (file..file + width)
                        .map(|file| Designator { squares: 1 << (rank * 8 + file), content }),
                );
            }
            file += width;
        }
        if file != 8 {
            return Err(format!("rank {} has {file} squares instead of 8", rank + 1));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let pattern =
            fen_pattern("....k.../8/......../......../......../......../......../RA..K..a w")
                .unwrap();
        assert_eq!(pattern.len(), 13);
        let merged = Designator::merged(&pattern);
        assert_eq!(merged.len(), 6);
        let of = |content| merged.iter().find(|d| d.content == content).map(|d| d.squares);
        assert_eq!(of(Content::EMPTY), Some(0xff << 48));
        assert_eq!(of(Content::WHITE), Some(2));
        assert_eq!(of(Content::BLACK), Some(0x80));
        assert_eq!(of(Content(1 << 3)), Some(1));
        assert_eq!(of(Content(1 << 11)), Some(1 << 60));
        assert!(fen_pattern("8/8/8/8/8/8/8").is_err());
        assert!(fen_pattern("9/8/8/8/8/8/8/8").is_err());
        assert!(fen_pattern("7x/8/8/8/8/8/8/8").is_err());
        assert!(fen_pattern("7/8/8/8/8/8/8/8").is_err());
    }

    #[test]
    fn the_ranks_of_a_placement_are_counted() {
        for (text, ranks) in [("8", "1 rank"), ("8/8", "2 ranks"), ("8/8/8/8/8/8/8/8/8", "9 ranks")]
        {
            let error = fen_pattern(text).unwrap_err();
            assert_eq!(error, format!("the placement has {ranks} instead of 8"));
        }
        assert!(fen_pattern("8/8/8/8/8/8/8/8").is_ok());
    }
}
