//! The careful path, which reads every spelling of a move.

use crate::movegen::{self, MoveSelection};
use crate::{CastlingSide, Kind, Move, Position, Rules, SanError, Square, SquareSet};

use super::ParsedMove;

/// Reads one move in any accepted spelling: SAN (PGN 8.2.3) with or without `x`, `=`, `+` or `#`
/// and glued suffixes; long notation (`Nb8-c6`, `e2e4`); pawn captures by files (`ed`); UCI;
/// castling with letters or zeros; drops (`N@f3`); null moves.
pub fn read(position: &Position, rules: &Rules, token: &[u8]) -> Result<ParsedMove, SanError> {
    if is_null(token) {
        // A side without exactly one king has no null move
        // (docs/src/language/odd-positions.md#no-king).
        return match position.king(position.side()) {
            Some(_) => Ok(ParsedMove { mv: Move::NULL, without_right: false }),
            None => Err(SanError::IllegalMove),
        };
    }
    if token.contains(&b'@') {
        let mv = drop(token).ok_or(SanError::Unreadable)?;
        return match position.is_legal(mv, rules) {
            true => Ok(ParsedMove { mv, without_right: false }),
            false => Err(SanError::IllegalMove),
        };
    }
    let core = MoveCore::of(token).ok_or(SanError::Unreadable)?;
    match core.bytes() {
        b"OO" | b"oo" | b"00" => castle(position, rules, CastlingSide::King),
        b"OOO" | b"ooo" | b"000" => castle(position, rules, CastlingSide::Queen),
        bytes => {
            let fields = SanFields::of(bytes).ok_or(SanError::Unreadable)?;
            let mv = fields.find(position, rules)?;
            Ok(ParsedMove { mv, without_right: false })
        }
    }
}

fn is_null(token: &[u8]) -> bool {
    let end = token.iter().rposition(|byte| !b"+#!?".contains(byte)).map_or(0, |last| last + 1);
    matches!(&token[..end], b"--" | b"Z0" | b"z0" | b"null" | b"NULL" | b"@@@@" | b"0000")
}

/// Reads a drop: `N@f3`. The letter of a pawn may be missing.
fn drop(token: &[u8]) -> Option<Move> {
    let at = token.iter().position(|&byte| byte == b'@')?;
    let (letter, [_, rest @ ..]) = token.split_at(at) else {
        return None;
    };
    let kind = match letter {
        [] => Kind::Pawn,
        &[letter] => Kind::from_letter(letter).filter(|&kind| kind != Kind::King)?,
        _ => return None,
    };
    let (square, suffix) = rest.split_at_checked(2)?;
    let square = std::str::from_utf8(square).ok()?.parse().ok()?;
    let plain = suffix.iter().all(|byte| b"+#!?".contains(byte));
    plain.then(|| Move::drop(kind, square))
}

fn castle(position: &Position, rules: &Rules, side: CastlingSide) -> Result<ParsedMove, SanError> {
    let us = position.side();
    if let Some(mv) = movegen::castling_move(position, rules, us, side) {
        return Ok(ParsedMove { mv, without_right: false });
    }
    let chess = rules.variant.is_chess();
    if chess && !position.castling().has(us, side) && movegen::castling_path_ok(position, us, side)
    {
        let rank = us.back_rank();
        let corner = Square::at(if side == CastlingSide::King { 7 } else { 0 }, rank);
        return Ok(ParsedMove {
            mv: Move::castling(Square::at(4, rank), corner),
            without_right: true,
        });
    }
    Err(SanError::IllegalMove)
}

/// The letters and digits of a token, without suffixes and the symbols for captures and promotions.
struct MoveCore {
    bytes: [u8; 8],
    len: usize,
}

impl MoveCore {
    fn of(token: &[u8]) -> Option<MoveCore> {
        // A check symbol or a suffix ends the move: `e4+/=`, `Bc4!!+-`, `e4$1`.
        let end = token.iter().position(|byte| b"+#!?$~".contains(byte)).unwrap_or(token.len());
        let mut rest = &token[..end];
        while let [head @ .., b'-' | b'=' | b'/' | b'.'] = rest {
            rest = head;
        }
        if let [head @ .., b'1'..=b'8', b'e' | b'E', b'p' | b'P'] = rest {
            rest = &rest[..head.len() + 1];
        } else if let [head @ .., b'e', b'.', b'p'] = rest {
            rest = head;
        }
        let mut core = MoveCore { bytes: [0; 8], len: 0 };
        for &byte in rest {
            if !matches!(byte, b'x' | b'X' | b':' | b'-' | b'=' | b'(' | b')' | b'/') {
                *core.bytes.get_mut(core.len)? = byte;
                core.len += 1;
            }
        }
        // The symbol for a diagram, glued to the move.
        if core.len > 2 && core.bytes[core.len - 1] == b'D' {
            core.len -= 1;
        }
        Some(core)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The fields of a move in SAN or long notation.
struct SanFields {
    kind: Option<Kind>,
    from: SquareSet,
    to: SquareSet,
    /// Whether the file of the origin is given.
    has_file: bool,
    /// Whether the origin is a square.
    has_square: bool,
    /// Whether this is a pawn capture that gives only files, as `ed`.
    by_files: bool,
    promotion: Option<Kind>,
    /// Whether the promotion letter is `N`, which may also mean 'novelty'.
    maybe_novelty: bool,
}

impl SanFields {
    fn of(mut bytes: &[u8]) -> Option<SanFields> {
        let mut fields = SanFields {
            kind: None,
            from: SquareSet::ALL,
            to: SquareSet::EMPTY,
            has_file: false,
            has_square: false,
            by_files: false,
            promotion: None,
            maybe_novelty: false,
        };
        if let [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest @ ..] = bytes {
            fields.kind = Kind::from_letter(*letter);
            bytes = rest;
        }
        if let [head @ .., letter] = bytes {
            let promotes = match letter {
                b'K' | b'Q' | b'R' | b'B' | b'N' | b'k' | b'q' | b'r' | b'n' => true,
                // `a7a8b` promotes; the b of `ab` is a file.
                b'b' => matches!(head, [.., b'1' | b'8']),
                _ => false,
            };
            if promotes {
                fields.promotion = Kind::from_letter(*letter);
                fields.maybe_novelty = *letter == b'N';
                bytes = head;
            }
        }
        let file = |byte: u8| (b'a'..=b'h').contains(&byte).then(|| byte - b'a');
        let rank = |byte: u8| (b'1'..=b'8').contains(&byte).then(|| byte - b'1');
        let origin = match *bytes {
            [ref origin @ .., f, r] if rank(r).is_some() => {
                fields.to = SquareSet::of(Square::at(file(f)?, rank(r)?));
                origin
            }
            [ref origin @ .., f] if matches!(fields.kind, None | Some(Kind::Pawn)) => {
                fields.to = SquareSet::file(file(f)?);
                fields.by_files = true;
                origin
            }
            _ => return None,
        };
        if fields.by_files && origin.len() != 1 || origin.len() > 3 {
            return None;
        }
        let (mut files, mut ranks) = (0, 0);
        for &byte in origin {
            if let Some(file) = file(byte) {
                fields.from &= SquareSet::file(file);
                files += 1;
            } else {
                fields.from &= SquareSet::rank(rank(byte)?);
                ranks += 1;
            }
        }
        fields.has_file = files > 0;
        fields.has_square = files == 1 && ranks == 1;
        Some(fields)
    }

    fn find(&self, position: &Position, rules: &Rules) -> Result<Move, SanError> {
        let us = position.side();
        let mut from = position.color(us) & self.from;
        // Without a letter the piece is a pawn, unless the origin is a square, as in UCI.
        if self.kind.is_some() || !self.has_square {
            from &= position.kind(self.kind.unwrap_or(Kind::Pawn));
        }
        // Every spelling of a pawn capture gives the file of the origin.
        let push = !self.has_file && matches!(self.kind, None | Some(Kind::Pawn));
        let to = self.to;
        let mut candidates = Candidates::default();
        let mut castling = None;
        movegen::each(position, rules, MoveSelection { legal: true, from, to }, &mut |mv| {
            if mv.is_castling() {
                castling = Some(mv);
            } else if self.by_files && mv.from().file() == mv.to().file() {
                // `ee` is not a capture.
            } else if push && mv.from().file() != mv.to().file() {
                // `d5` is not a capture.
            } else if mv.promotion() == self.promotion
                || self.maybe_novelty && mv.promotion().is_none()
            {
                candidates.add(mv);
            }
        });
        // In UCI castling is a move of the king to its target or to the square of its rook.
        if self.has_square && candidates.count == 0 && self.promotion.is_none() {
            if castling.is_none() {
                castling = CastlingSide::ALL
                    .into_iter()
                    .filter_map(|side| movegen::castling_move(position, rules, us, side))
                    .find(|mv| from.contains(mv.from()) && to.contains(mv.raw_to()));
            }
            if let Some(mv) = castling {
                return Ok(mv);
            }
        }
        candidates.result()
    }
}

/// The moves that fit.
#[derive(Default)]
struct Candidates {
    first: Option<Move>,
    count: u32,
}

impl Candidates {
    fn add(&mut self, mv: Move) {
        self.first = Some(mv);
        self.count += 1;
    }

    fn result(self) -> Result<Move, SanError> {
        match (self.count, self.first) {
            (1, Some(mv)) => Ok(mv),
            (0, _) | (_, None) => Err(SanError::IllegalMove),
            _ => Err(SanError::Ambiguous),
        }
    }
}
