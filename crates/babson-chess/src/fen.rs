//! Reading and writing FEN. The reader accepts common deviations from the standard (PGN 16.1).

use std::fmt::Write;

use crate::{
    CastlingRights, CastlingSide, Color, Kind, Piece, Position, Rules, Square, SquareSet, Variant,
    limits::{MAX_COUNTER, MAX_EXCERPT_CHARS},
};

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenErrorKind {
    /// The text is empty or only whitespace.
    #[error("the FEN is empty")]
    Empty,
    /// The placement does not have eight ranks.
    #[error("the board has {0} rank{s}, not 8", s = if *.0 == 1 { "" } else { "s" })]
    Ranks(usize),
    /// A rank does not have eight squares.
    #[error("rank {rank} has {files} squares, not 8")]
    Files {
        /// 1 to 8.
        rank: u8,
        /// How many squares there are.
        files: u32,
    },
    /// A character of the placement is not a piece letter or a digit from 1 to 8.
    #[error("{0:?} is not a piece")]
    Piece(char),
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is {0:?}, neither w nor b")]
    Side(String),
    /// The castling field holds a character other than `KQkq`, a file or `-`.
    #[error("{0:?} is not a castling right")]
    Castling(char),
    /// The en passant field is not a square of the third or sixth rank.
    #[error("{0:?} is not an en passant square")]
    EnPassant(String),
    /// A counter is not a number below ten million.
    #[error("{0:?} is not a counter")]
    Counter(String),
    /// A pocket does not end, has a character that is not a piece letter, or has more pieces of a
    /// kind than a pocket holds.
    #[error("{0:?} is not a pocket")]
    Pocket(String),
    /// The counters of Three-Check are not two numbers from 0 to 3.
    #[error("{0:?} is not a pair of check counters")]
    Checks(String),
    /// There is text after the last field.
    #[error("unexpected {0:?} after the last field")]
    Trailing(String),
}

/// What is wrong with a FEN, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} (at byte {offset})")]
pub struct FenError {
    /// What is wrong.
    pub kind: FenErrorKind,
    /// The byte offset in the text at which it was found.
    pub offset: usize,
}

/// Reads a FEN. The board may have any arrangement of pieces. Missing fields have their usual
/// values (White to move, no castling, no en passant square, 0, 1).
///
/// Castling letters may be `KQkq`, as in FEN and X-FEN, or the files of the rooks, as in
/// Shredder-FEN; rights without a king and a rook in place are dropped. If the castling field is
/// impossible in standard chess, [`Rules::chess960`] is set.
///
/// ```
/// use babson_chess::{fen, Color};
/// let (position, rules) = fen::parse("4k3/8/8/8/8/8/8/4K2R b K").unwrap();
/// assert_eq!(position.side(), Color::Black);
/// assert_eq!(fen::write(&position, &rules), "4k3/8/8/8/8/8/8/4K2R b K - 0 1");
/// assert!(fen::parse("4k3/8/9/8/8/8/8/4K2R").is_err());
/// ```
pub fn parse(text: &str) -> Result<(Position, Rules), FenError> {
    read(text, Variant::Standard)
}

/// The position of a FEN, without the [`Rules`] that [`parse`] gives with it.
///
/// ```
/// let position: babson_chess::Position = "8/8/8/8/8/8/8/K1k5 b".parse().unwrap();
/// assert_eq!(position.occupied().len(), 2);
/// ```
impl std::str::FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        parse(text).map(|(position, _)| position)
    }
}

/// [`parse`] with the fields that the variant adds.
fn read(text: &str, variant: Variant) -> Result<(Position, Rules), FenError> {
    let mut position = Position::empty();
    position.set_variant(variant);
    let mut rules = Rules::STANDARD;
    let mut fields = Fields { text, at: 0 };
    let fail = |offset, kind| Err(FenError { kind, offset });

    let Some((at, board)) = fields.next() else {
        return fail(0, FenErrorKind::Empty);
    };
    parse_board(at, board, variant, &mut position)?;
    if let Some((at, side)) = fields.next() {
        match side {
            "w" | "W" => {}
            "b" | "B" => position.set_side(Color::Black),
            _ => return fail(at, FenErrorKind::Side(excerpt(side))),
        }
    }
    if let Some((at, castling)) = fields.next() {
        parse_castling(at, castling, &mut position, &mut rules)?;
    }
    if let Some((at, ep)) = fields.next()
        && !ep.bytes().all(|byte| byte == b'-')
    {
        match ep.to_ascii_lowercase().parse::<Square>() {
            Ok(square) if matches!(square.rank(), 2 | 5) => position.set_ep(Some(square)),
            _ => return fail(at, FenErrorKind::EnPassant(excerpt(ep))),
        }
    }
    let mut checks = |fields: &mut Fields<'_>| {
        let mut after = Fields { ..*fields };
        match after.next() {
            Some((at, text)) if variant == Variant::ThreeCheck && text.contains('+') => {
                *fields = after;
                parse_checks(at, text, &mut position)
            }
            _ => Ok(()),
        }
    };
    checks(&mut fields)?;
    let counter = |fields: &mut Fields<'_>, default| match fields.next() {
        None | Some((_, "-")) => Ok(default),
        Some((at, number)) => match number.parse::<u32>() {
            Ok(number) if number <= MAX_COUNTER => Ok(number),
            _ => Err(FenError { kind: FenErrorKind::Counter(excerpt(number)), offset: at }),
        },
    };
    let clocks = [counter(&mut fields, 0)?, counter(&mut fields, 1)?];
    checks(&mut fields)?;
    position.set_half_moves(clocks[0]);
    position.set_full_moves(clocks[1]);
    if let Some((at, rest)) = fields.next() {
        return fail(at, FenErrorKind::Trailing(excerpt(rest)));
    }
    position.refresh();
    Ok((position, rules))
}

/// [`parse`] for a variant, with the fields that the variant adds:
///
/// * Crazyhouse: the pocket, `[Qn]` after the board or as a ninth rank, and `~` after a promoted
///   piece;
/// * Three-Check: the counters, `3+1` for the checks left or `+0+2` for the checks given, before or
///   after the clocks.
///
/// For [`Variant::Standard`] castling rights are dropped unless the king stands on the e-file and
/// the rook in the corner. Antichess and Suicide have no castling rights.
///
/// ```
/// use babson_chess::{fen, Color, Kind, Variant};
/// let text = "4k3/1Q~6/8/8/8/8/8/4K3[Np] w - - 0 1";
/// let (position, rules) = fen::parse_variant(text, Variant::Crazyhouse).unwrap();
/// assert_eq!(position.pocket(Color::White, Kind::Knight), 1);
/// assert_eq!(fen::write(&position, &rules), text);
/// ```
pub fn parse_variant(text: &str, variant: Variant) -> Result<(Position, Rules), FenError> {
    let (mut position, rules) = read(text, variant)?;
    if matches!(variant, Variant::Antichess | Variant::Suicide) {
        position.set_castling(CastlingRights::NONE);
        return Ok((position, Rules::STANDARD.with_variant(variant)));
    }
    if variant == Variant::Standard && rules.chess960 {
        let standard = |color: Color, side| {
            position.castling().has(color, side)
                && rules.rook(color, side) == Rules::STANDARD.rook(color, side)
                && position.king(color).is_some_and(|king| king.file() == 4)
        };
        let mut rights = CastlingRights::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if standard(color, side) {
                    rights = rights.with(CastlingRights::of(color, side));
                }
            }
        }
        position.state &= !crate::position::state::ODD_CASTLING;
        position.set_castling(rights);
        return Ok((position, Rules::STANDARD));
    }
    Ok((position, rules.with_variant(variant)))
}

/// The fields of a FEN and their byte offsets.
struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + (rest.len() - rest.trim_start().len());
        let field = self.text.get(start..)?.split_whitespace().next()?;
        self.at = start + field.len();
        Some((start, field))
    }
}

/// The beginning of a wrong field.
fn excerpt(text: &str) -> String {
    text.chars().take(MAX_EXCERPT_CHARS).collect()
}

fn parse_board(
    offset: usize,
    board: &str,
    variant: Variant,
    position: &mut Position,
) -> Result<(), FenError> {
    let house = variant == Variant::Crazyhouse;
    let mut promoted = SquareSet::EMPTY;
    let mut pocket = None;
    let mut board = board;
    if house {
        // The pocket is in brackets, or it is written as a ninth rank.
        let ninth = board.match_indices('/').nth(7).map(|(at, _)| at);
        if let Some(at) = board.find('[').or(ninth) {
            pocket = Some((offset + at, &board[at..]));
            board = &board[..at];
        }
    }
    let ranks = board.split('/').count();
    // Some programs write a slash after the last rank.
    let board = if ranks == 9 { board.strip_suffix('/').unwrap_or(board) } else { board };
    let ranks = board.split('/').count();
    if ranks != 8 {
        return Err(FenError { kind: FenErrorKind::Ranks(ranks), offset });
    }
    let mut at = offset;
    for (row, text) in board.split('/').enumerate() {
        let rank = 7 - row as u8;
        let mut files = 0u32;
        for (index, letter) in text.char_indices() {
            match letter {
                '1'..='8' => files += letter as u32 - '0' as u32,
                '~' if house && (1..=8).contains(&files) => {
                    promoted.insert(Square::at(files as u8 - 1, rank));
                }
                _ => {
                    let piece = u8::try_from(letter).ok().and_then(Piece::from_letter);
                    let Some(piece) = piece else {
                        let kind = FenErrorKind::Piece(letter);
                        return Err(FenError { kind, offset: at + index });
                    };
                    if files < 8 {
                        position.put(Square::at(files as u8, rank), Some(piece));
                    }
                    files += 1;
                }
            }
        }
        if files != 8 {
            let kind = FenErrorKind::Files { rank: rank + 1, files };
            return Err(FenError { kind, offset: at });
        }
        at += text.len() + 1;
    }
    position.set_promoted(promoted);
    match pocket {
        Some((at, text)) => parse_pocket(at, text, position),
        None => Ok(()),
    }
}

/// Reads a pocket: `[QNp]` or `/QNp`.
fn parse_pocket(offset: usize, text: &str, position: &mut Position) -> Result<(), FenError> {
    let pieces = match text.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']'),
        None => text.strip_prefix('/'),
    };
    let fail = || FenError { kind: FenErrorKind::Pocket(excerpt(text)), offset };
    for letter in pieces.ok_or_else(fail)?.bytes() {
        let piece = Piece::from_letter(letter).filter(|_| letter.is_ascii_alphabetic());
        let Some(Piece { color, kind }) = piece else {
            return if pieces == Some("-") { Ok(()) } else { Err(fail()) };
        };
        let held = position.pocket(color, kind);
        if !position.set_pocket(color, kind, held + 1) {
            return Err(fail());
        }
    }
    Ok(())
}

/// Reads the counters of Three-Check: `3+1` for checks left, `+0+2` for checks given.
fn parse_checks(offset: usize, text: &str, position: &mut Position) -> Result<(), FenError> {
    let (given, counts) = match text.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let count = |text: &str| text.parse().ok().filter(|&count: &u32| count <= 3);
    let both = counts.split_once('+');
    let both = both.and_then(|(white, black)| Some([count(white)?, count(black)?]));
    let Some(both) = both else {
        return Err(FenError { kind: FenErrorKind::Checks(excerpt(text)), offset });
    };
    for (color, count) in Color::ALL.into_iter().zip(both) {
        position.set_checks_left(color, if given { 3 - count } else { count });
    }
    Ok(())
}

fn parse_castling(
    offset: usize,
    field: &str,
    position: &mut Position,
    rules: &mut Rules,
) -> Result<(), FenError> {
    let mut rights = CastlingRights::NONE;
    for (index, letter) in field.char_indices() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = color.back_rank();
        let king = position.king(color).filter(|king| king.rank() == rank);
        let rooks = position.pieces(color, Kind::Rook) & SquareSet::rank(rank);
        let beyond = |side, rook: &Square| {
            king.is_some_and(|king| (*rook > king) == (side == CastlingSide::King))
        };
        let (side, rook) = match letter.to_ascii_lowercase() {
            '-' => continue,
            // X-FEN: the outermost rook on that side of the king.
            'k' => {
                let side = CastlingSide::King;
                (side, rooks.iter().rfind(|rook| beyond(side, rook)))
            }
            'q' => {
                let side = CastlingSide::Queen;
                (side, rooks.iter().find(|rook| beyond(side, rook)))
            }
            file @ 'a'..='h' => {
                let rook = Square::at(file as u8 - b'a', rank);
                let side = match king {
                    Some(king) if rook < king => CastlingSide::Queen,
                    _ => CastlingSide::King,
                };
                (side, Some(rook).filter(|&rook| rooks.contains(rook) && king.is_some()))
            }
            _ => {
                let kind = FenErrorKind::Castling(letter);
                return Err(FenError { kind, offset: offset + index });
            }
        };
        let (Some(king), Some(rook)) = (king, rook) else {
            continue;
        };
        let corner = Rules::STANDARD.rook(color, side);
        if king.file() != 4 || rook != corner {
            // `KQkq` with the king or the rook elsewhere is X-FEN for Chess960; in standard chess
            // it is a mistake, which `parse_variant` drops.
            rules.chess960 = true;
            rules.variant = Variant::Chess960;
            position.state |= crate::position::state::ODD_CASTLING;
        }
        rules.rooks[color.index() * 2 + side as usize] = rook;
        rights = rights.with(CastlingRights::of(color, side));
    }
    position.set_castling(rights);
    Ok(())
}

/// Writes a FEN. The en passant square is written after every double step. Castling rights are
/// `KQkq` or, where that would be ambiguous, the file of the rook (X-FEN). The variant of `rules`
/// adds its fields; [`parse_variant`] reads the same position back. [`Rules::STANDARD`] writes only
/// the six fields of the standard, whatever the variant of the position.
///
/// ```
/// use babson_chess::{fen, Rules, Variant};
/// let text = "4k3/1Q~6/8/8/8/8/8/4K3[Np] w - - 0 1";
/// let (position, rules) = fen::parse_variant(text, Variant::Crazyhouse).unwrap();
/// assert_eq!(fen::write(&position, &rules), text);
/// assert_eq!(fen::write(&position, &Rules::STANDARD), "4k3/1Q6/8/8/8/8/8/4K3 w - - 0 1");
/// ```
pub fn write(position: &Position, rules: &Rules) -> String {
    let mut out = String::with_capacity(90);
    match rules.variant {
        Variant::Crazyhouse => {
            write_marked(position, position.promoted(), &mut out);
            write_pockets(position, &mut out);
        }
        Variant::Standard
        | Variant::Chess960
        | Variant::Atomic
        | Variant::Antichess
        | Variant::Suicide
        | Variant::Losers
        | Variant::Horde
        | Variant::KingOfTheHill
        | Variant::RacingKings
        | Variant::ThreeCheck => write_board(position, &mut out),
    }
    out.push_str(if position.side() == Color::White { " w " } else { " b " });
    write_castling(position, rules, &mut out);
    out.push(' ');
    match position.ep() {
        Some(square) => _ = write!(out, "{square}"),
        None => out.push('-'),
    }
    if rules.variant == Variant::ThreeCheck {
        let [white, black] = Color::ALL.map(|color| position.checks_left(color));
        let _ = write!(out, " {white}+{black}");
    }
    let _ = write!(out, " {} {}", position.half_moves(), position.full_moves());
    out
}

/// Writes the pockets of Crazyhouse: `[QNp]`.
fn write_pockets(position: &Position, out: &mut String) {
    out.push('[');
    for color in Color::ALL {
        for kind in Kind::ALL.into_iter().rev() {
            for _ in 0..position.pocket(color, kind) {
                out.push(Piece::new(color, kind).letter());
            }
        }
    }
    out.push(']');
}

/// Writes only the placement field.
pub fn write_board(position: &Position, out: &mut String) {
    write_marked(position, SquareSet::EMPTY, out);
}

/// [`write_board`] with `~` after the pieces on the marked squares.
fn write_marked(position: &Position, marked: SquareSet, out: &mut String) {
    for rank in (0..8).rev() {
        let mut empty = 0u8;
        for file in 0..8 {
            let square = Square::at(file, rank);
            match position.piece_at(square) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        out.push((b'0' + empty) as char);
                    }
                    empty = 0;
                    out.push(piece.letter());
                    if marked.contains(square) {
                        out.push('~');
                    }
                }
            }
        }
        if empty > 0 {
            out.push((b'0' + empty) as char);
        }
        if rank > 0 {
            out.push('/');
        }
    }
}

/// Writes only the castling field: `-` or letters.
fn write_castling(position: &Position, rules: &Rules, out: &mut String) {
    let rights = position.castling();
    if rights == CastlingRights::NONE {
        out.push('-');
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if !rights.has(color, side) {
                continue;
            }
            let rook = rules.rook(color, side);
            let rank = SquareSet::rank(color.back_rank());
            let mut rooks = (position.pieces(color, Kind::Rook) & rank).iter();
            let outermost = match side {
                CastlingSide::King => rooks.next_back(),
                CastlingSide::Queen => rooks.next(),
            };
            let letter = match side {
                _ if rules.chess960 && outermost != Some(rook) => char::from(rook.file_byte()),
                CastlingSide::King => 'k',
                CastlingSide::Queen => 'q',
            };
            out.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Position({})", write(self, &Rules::STANDARD))
    }
}
