//! Pieces, squares and directions in words.

use super::outline::list;
use crate::hir::{Content, Designator, Directions, Expr, ExprKind};
use crate::limits::MAX_LISTED_SQUARES;
use crate::literals::square_names;

const KINDS: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
const ALL_KINDS: u16 = 0x3f;

/// How a designator is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `white rook or bishop`
    One,
    /// `white rooks and bishops`
    Several,
}

impl Form {
    fn noun(self, noun: &str) -> String {
        match self {
            Form::One => noun.to_owned(),
            Form::Several => format!("{noun}s"),
        }
    }

    fn conjunction(self) -> &'static str {
        match self {
            Form::One => "or",
            Form::Several => "and",
        }
    }
}

/// The kinds of a color: `rook or queen`, `piece`, `piece other than a king`.
fn kinds(kinds: u16, form: Form) -> String {
    let names = |bits: u16| {
        KINDS.iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1).map(|(_, name)| *name)
    };
    if kinds == ALL_KINDS {
        return form.noun("piece");
    }
    if kinds.count_ones() >= 4 {
        let others: Vec<String> =
            names(ALL_KINDS & !kinds).map(|name| format!("a {name}")).collect();
        return format!("{} other than {}", form.noun("piece"), list(&others, "or"));
    }
    let names: Vec<String> = names(kinds).map(|name| form.noun(name)).collect();
    list(&names, form.conjunction())
}

/// The pieces without the squares. Never of any content.
fn pieces(content: Content, form: Form) -> String {
    let (white, black) = (content.0 & ALL_KINDS, content.0 >> 6 & ALL_KINDS);
    let empty = content.0 & Content::EMPTY.0 != 0;
    let mut groups = Vec::new();
    if white == black && white != 0 {
        let kinds = kinds(white, form);
        groups.push(match white == ALL_KINDS {
            true => kinds,
            false => format!("{kinds} of either color"),
        });
    } else {
        if white != 0 {
            groups.push(format!("white {}", kinds(white, form)));
        }
        if black != 0 {
            groups.push(format!("black {}", kinds(black, form)));
        }
    }
    if empty {
        groups.push(form.noun("empty square"));
    }
    list(&groups, form.conjunction())
}

/// The squares after a piece: ` on e4`; nothing for the whole board.
fn place(squares: u64, form: Form) -> String {
    match squares {
        u64::MAX => String::new(),
        _ => format!(" on {}", squares_by_name(squares, form.conjunction())),
    }
}

/// The squares by their names: `e4`, `d4, d5 or e5`, `the 7th rank`.
pub(super) fn squares_by_name(squares: u64, last: &str) -> String {
    const ORDINALS: [&str; 8] = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];
    const RANK: u64 = 0xff;
    const FILE: u64 = 0x0101_0101_0101_0101;
    const DARK: u64 = 0xaa55_aa55_aa55_aa55;
    let ranks: Vec<usize> = (0..8).filter(|rank| squares >> (8 * rank) & RANK == RANK).collect();
    let files: Vec<usize> = (0..8).filter(|file| squares >> file & FILE == FILE).collect();
    if squares == 0 {
        return "no square".to_owned();
    }
    if squares == DARK || squares == !DARK {
        let color = if squares == DARK { "dark" } else { "light" };
        return if last == "or" {
            format!("a {color} square")
        } else {
            format!("the {color} squares")
        };
    }
    if ranks.iter().fold(0, |all, rank| all | RANK << (8 * rank)) == squares {
        let names: Vec<String> = ranks.iter().map(|&rank| ORDINALS[rank].to_owned()).collect();
        return format!("the {} rank{}", list(&names, last), several(&ranks, last));
    }
    if files.iter().fold(0, |all, file| all | FILE << file) == squares {
        let names: Vec<String> =
            files.iter().map(|&file| char::from(b'a' + file as u8).to_string()).collect();
        return format!("the {} file{}", list(&names, last), several(&files, last));
    }
    if (!squares).count_ones() as usize <= MAX_LISTED_SQUARES {
        return format!("any square except {}", list(&square_names(!squares), "and"));
    }
    if squares.count_ones() as usize <= MAX_LISTED_SQUARES {
        return list(&square_names(squares), last);
    }
    list(&rectangles(squares), last)
}

fn several(lines: &[usize], last: &str) -> &'static str {
    if lines.len() > 1 && last == "and" { "s" } else { "" }
}

/// The squares as rectangles between two corners, which do not overlap.
fn rectangles(squares: u64) -> Vec<String> {
    let name = |file: usize, rank: usize| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
    let mut left = squares;
    let mut found = Vec::new();
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let (file, rank) = (first % 8, first / 8);
        let width = (file..8).take_while(|f| left >> (8 * rank + f) & 1 == 1).count();
        let row = ((1_u64 << width) - 1) << file;
        let height = (rank..8).take_while(|r| left >> (8 * r) & row == row).count();
        for r in rank..rank + height {
            left &= !(row << (8 * r));
        }
        let (last_file, last_rank) = (file + width - 1, rank + height - 1);
        found.push(match (width, height) {
            (1, 1) => name(file, rank),
            (1, _) | (_, 1) => format!("{} to {}", name(file, rank), name(last_file, last_rank)),
            _ => {
                format!("the rectangle from {} to {}", name(file, rank), name(last_file, last_rank))
            }
        });
    }
    found
}

/// `a white rook on the 7th rank`, `an empty square`, `d4`.
pub(super) fn one(designator: &Designator) -> String {
    let Designator { squares, content } = *designator;
    match (squares, content) {
        (_, Content::ANY) => one_square(squares),
        (0, _) => "a piece on no square".to_owned(),
        _ => {
            let pieces = pieces(content, Form::One);
            let article = if pieces.starts_with("empty") { "an" } else { "a" };
            format!("{article} {pieces}{}", place(squares, Form::One))
        }
    }
}

/// The same without the article, for `no …`.
pub(super) fn one_bare(designator: &Designator) -> Option<String> {
    let Designator { squares, content } = *designator;
    (content != Content::ANY && squares != 0)
        .then(|| format!("{}{}", pieces(content, Form::One), place(squares, Form::One)))
}

/// One of some squares: `e4`, `one of d4, d5 and e5`, `a square`.
pub(super) fn one_square(squares: u64) -> String {
    match squares {
        0 => "a square of the empty set".to_owned(),
        u64::MAX => "a square".to_owned(),
        _ if squares.is_power_of_two() => squares_by_name(squares, "or"),
        _ => format!("a square on {}", squares_by_name(squares, "or"))
            .replace("a square on a ", "a ")
            .replace("a square on any square", "any square"),
    }
}

/// `the white rooks and bishops on d4 and d5`, `the squares d4 and d5`.
pub(super) fn all(designator: &Designator) -> String {
    let Designator { squares, content } = *designator;
    match content {
        Content::ANY => all_squares(squares),
        _ if squares == 0 => "the empty set".to_owned(),
        _ => format!("the {}{}", pieces(content, Form::Several), place(squares, Form::Several)),
    }
}

/// A fixed set of squares.
pub(super) fn all_squares(squares: u64) -> String {
    match squares {
        0 => "the empty set".to_owned(),
        u64::MAX => "all squares".to_owned(),
        _ if squares.is_power_of_two() => squares_by_name(squares, "and"),
        _ => {
            let names = squares_by_name(squares, "and");
            match names.starts_with("the ") || names.starts_with("any ") {
                true => format!("the squares of {}", names.replace("any square", "the board")),
                false => format!("the squares {names}"),
            }
        }
    }
}

/// `there are exactly 2 white rooks`: the designator after a number.
pub(super) fn counted(designator: &Designator, count: i64) -> String {
    let Designator { squares, content } = *designator;
    let form = if count == 1 { Form::One } else { Form::Several };
    match content {
        Content::ANY => format!("{} of {}", form.noun("square"), all_squares(squares)),
        _ if squares == 0 => format!("{} of the empty set", form.noun("piece")),
        // The squares are those on which each piece may be.
        _ => format!("{}{}", pieces(content, form), place(squares, Form::One)),
    }
}

/// The squares of a set that is the same on every board.
pub(super) fn fixed(set: &Expr) -> Option<u64> {
    if let ExprKind::Squares(squares) = set.kind {
        Some(squares)
    } else if let ExprKind::Designator(Designator { squares, content: Content::ANY }) = set.kind {
        Some(squares)
    } else {
        None
    }
}

/// The kinds of pieces of a set of bits: `queen or rook`.
pub(super) fn kinds_of(bits: u8) -> String {
    match u16::from(bits) & ALL_KINDS {
        0 => "piece of no kind".to_owned(),
        ALL_KINDS => "piece of any kind".to_owned(),
        bits => {
            let names = KINDS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            let names: Vec<String> = names.map(|(_, name)| (*name).to_owned()).collect();
            list(&names, "or")
        }
    }
}

/// The content that a square gets.
pub(super) fn content(content: Content) -> String {
    match content {
        Content::EMPTY => "nothing".to_owned(),
        Content::ANY => "anything".to_owned(),
        _ => format!("a {}", pieces(content, Form::One)),
    }
}

/// `diagonally`, `up or to the right`.
pub(super) fn directions(directions: Directions) -> String {
    const NAMES: [&str; 8] = [
        "up",
        "up and to the right",
        "to the right",
        "down and to the right",
        "down",
        "down and to the left",
        "to the left",
        "up and to the left",
    ];
    match directions {
        Directions::ALL => "in any direction".to_owned(),
        Directions::ORTHOGONAL => "orthogonally".to_owned(),
        Directions::DIAGONAL => "diagonally".to_owned(),
        Directions::HORIZONTAL => "along the rank".to_owned(),
        Directions::VERTICAL => "along the file".to_owned(),
        Directions(bits) => {
            let names = NAMES.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            let names: Vec<String> = names.map(|(_, name)| (*name).to_owned()).collect();
            match names.as_slice() {
                [] => "in no direction".to_owned(),
                _ => list(&names, "or"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn designator(text: &str) -> Designator {
        let query = crate::analyze(text, crate::Dialect::CQLI).expect("a designator").query;
        let [filter] = query.body.as_slice() else { panic!("one filter") };
        let crate::hir::ExprKind::Designator(designator) = filter.kind else {
            panic!("a designator")
        };
        designator
    }

    #[test]
    fn designators_name_their_pieces_and_squares() {
        for (text, one_of, all_of) in [
            ("R", "a white rook", "the white rooks"),
            ("pa-h2", "a black pawn on the 2nd rank", "the black pawns on the 2nd rank"),
            ("[Aa]d4", "a piece on d4", "the pieces on d4"),
            ("[Rr]", "a rook of either color", "the rooks of either color"),
            (
                "[RBq_]",
                "a white bishop or rook, black queen or empty square",
                "the white bishops and rooks, black queens and empty squares",
            ),
            (
                "[QRBN]",
                "a white piece other than a pawn or a king",
                "the white pieces other than a pawn or a king",
            ),
            (
                "Ka-c1-3",
                "a white king on the rectangle from a1 to c3",
                "the white kings on the rectangle from a1 to c3",
            ),
            ("Pa-b1-8", "a white pawn on the a or b file", "the white pawns on the a and b files"),
            ("[d4,d5,e5]", "a square on d4, d5 or e5", "the squares d4, d5 and e5"),
            ("a1", "a1", "a1"),
            ("_", "an empty square", "the empty squares"),
        ] {
            let designator = designator(text);
            assert_eq!((one(&designator).as_str(), all(&designator).as_str()), (one_of, all_of));
        }
    }

    #[test]
    fn rectangles_cover_the_squares_once() {
        assert_eq!(rectangles(0x0000_0000_0003_0f0f), ["the rectangle from a1 to d2", "a3 to b3"]);
        assert_eq!(rectangles(1 | 1 << 63), ["a1", "h8"]);
    }
}
