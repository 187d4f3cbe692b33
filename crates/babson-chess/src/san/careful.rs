//! The careful path: every spelling of evaluation-and-output.md, section 9.

use crate::movegen::{self, Wanted};
use crate::{CastlingSide, Kind, Move, Position, Rules, SanError, Square, SquareSet};

use super::Read;

/// Reads one move in any accepted spelling: SAN with or without capture sign, `=`, check signs
/// and glued suffixes; long notation (`Nb8-c6`, `e2e4`); pawn captures by files (`ed`); UCI;
/// castling with letters or zeros; drops (`N@f3`); null moves.
pub fn read(position: &Position, rules: &Rules, token: &[u8]) -> Result<Read, SanError> {
    if is_null(token) {
        // A side without its one king has no null move (cqli.md, section 11).
        return match position.king(position.side()) {
            Some(_) => Ok(Read { mv: Move::NULL, without_right: false }),
            None => Err(SanError::IllegalMove),
        };
    }
    if token.contains(&b'@') {
        let mv = drop(token).ok_or(SanError::Unreadable)?;
        return match position.is_legal(mv, rules) {
            true => Ok(Read { mv, without_right: false }),
            false => Err(SanError::IllegalMove),
        };
    }
    let core = Core::of(token).ok_or(SanError::Unreadable)?;
    match core.bytes() {
        b"OO" | b"oo" | b"00" => castle(position, rules, CastlingSide::King),
        b"OOO" | b"ooo" | b"000" => castle(position, rules, CastlingSide::Queen),
        bytes => {
            let text = Text::of(bytes).ok_or(SanError::Unreadable)?;
            let mv = text.find(position, rules)?;
            Ok(Read { mv, without_right: false })
        }
    }
}

fn is_null(token: &[u8]) -> bool {
    let end = token.iter().rposition(|byte| !b"+#!?".contains(byte)).map_or(0, |last| last + 1);
    matches!(&token[..end], b"--" | b"Z0" | b"z0" | b"null" | b"NULL" | b"@@@@" | b"0000")
}

/// A man from the pocket: `N@f3`, a pawn with or without its letter.
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

fn castle(position: &Position, rules: &Rules, side: CastlingSide) -> Result<Read, SanError> {
    let us = position.side();
    if let Some(mv) = movegen::castling_move(position, rules, us, side) {
        return Ok(Read { mv, without_right: false });
    }
    let chess = rules.variant.is_chess();
    if chess && !position.castling().has(us, side) && movegen::castling_path_ok(position, us, side)
    {
        let rank = us.back_rank();
        let corner = Square::at(if side == CastlingSide::King { 7 } else { 0 }, rank);
        return Ok(Read { mv: Move::castling(Square::at(4, rank), corner), without_right: true });
    }
    Err(SanError::IllegalMove)
}

/// What is left of a token without suffixes, capture and promotion signs.
struct Core {
    bytes: [u8; 8],
    len: usize,
}

impl Core {
    fn of(token: &[u8]) -> Option<Core> {
        // Check signs and suffixes end the move: `e4+/=`, `Bc4!!+-`, `e4$1`.
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
        let mut core = Core { bytes: [0; 8], len: 0 };
        for &byte in rest {
            if !matches!(byte, b'x' | b'X' | b':' | b'-' | b'=' | b'(' | b')' | b'/') {
                *core.bytes.get_mut(core.len)? = byte;
                core.len += 1;
            }
        }
        // A novelty or diagram sign that is glued to the move.
        if core.len > 2 && core.bytes[core.len - 1] == b'D' {
            core.len -= 1;
        }
        Some(core)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// What a token says.
struct Text {
    kind: Option<Kind>,
    from: SquareSet,
    to: SquareSet,
    /// The origin's file is given.
    file: bool,
    /// The origin is a whole square.
    full: bool,
    /// A pawn's capture by files alone, as `ed`.
    by_files: bool,
    promotion: Option<Kind>,
    /// The last letter is an upper-case N, which may mean 'novelty'.
    novelty: bool,
}

impl Text {
    fn of(mut bytes: &[u8]) -> Option<Text> {
        let mut text = Text {
            kind: None,
            from: SquareSet::ALL,
            to: SquareSet::EMPTY,
            file: false,
            full: false,
            by_files: false,
            promotion: None,
            novelty: false,
        };
        if let [letter @ (b'K' | b'Q' | b'R' | b'B' | b'N' | b'P'), rest @ ..] = bytes {
            text.kind = Kind::from_letter(*letter);
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
                text.promotion = Kind::from_letter(*letter);
                text.novelty = *letter == b'N';
                bytes = head;
            }
        }
        let file = |byte: u8| (b'a'..=b'h').contains(&byte).then(|| byte - b'a');
        let rank = |byte: u8| (b'1'..=b'8').contains(&byte).then(|| byte - b'1');
        let origin = match *bytes {
            [ref origin @ .., f, r] if rank(r).is_some() => {
                text.to = SquareSet::of(Square::at(file(f)?, rank(r)?));
                origin
            }
            [ref origin @ .., f] if matches!(text.kind, None | Some(Kind::Pawn)) => {
                text.to = SquareSet::file(file(f)?);
                text.by_files = true;
                origin
            }
            _ => return None,
        };
        if text.by_files && origin.len() != 1 || origin.len() > 3 {
            return None;
        }
        let (mut files, mut ranks) = (0, 0);
        for &byte in origin {
            if let Some(file) = file(byte) {
                text.from &= SquareSet::file(file);
                files += 1;
            } else {
                text.from &= SquareSet::rank(rank(byte)?);
                ranks += 1;
            }
        }
        text.file = files > 0;
        text.full = files == 1 && ranks == 1;
        Some(text)
    }

    fn find(&self, position: &Position, rules: &Rules) -> Result<Move, SanError> {
        let us = position.side();
        let mut from = position.color(us) & self.from;
        // Without a letter it is a pawn, unless the whole origin is given, as in UCI.
        if self.kind.is_some() || !self.full {
            from &= position.kind(self.kind.unwrap_or(Kind::Pawn));
        }
        // A pawn that captures says from where: of all spellings, none leaves the file out.
        let push = !self.file && matches!(self.kind, None | Some(Kind::Pawn));
        let to = self.to;
        let mut found = Found::default();
        let mut castling = None;
        movegen::each(position, rules, Wanted { legal: true, from, to }, &mut |mv| {
            if mv.is_castling() {
                castling = Some(mv);
            } else if self.by_files && mv.from().file() == mv.to().file() {
                // `ee` is no capture.
            } else if push && mv.from().file() != mv.to().file() {
                // `d5` is none either.
            } else if mv.promotion() == self.promotion || self.novelty && mv.promotion().is_none() {
                found.add(mv);
            }
        });
        // UCI castling: the king's move, or the king 'takes' its own rook.
        if self.full && found.count == 0 && self.promotion.is_none() {
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
        found.result()
    }
}

/// The candidates so far.
#[derive(Default)]
struct Found {
    first: Option<Move>,
    count: u32,
}

impl Found {
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
