//! The lexer of move text, which accepts common deviations from the standard (PGN 8.2).

use crate::result::GameResult;
use crate::scan::{Braces, in_first_column, line_end};

/// A token of move text. Its bytes are `start..end` of the [`PgnLexer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PgnToken {
    /// A comment `{…}`; its range is the text between the braces.
    Comment,
    /// A comment without an end; its range extends to the end of the text.
    OpenComment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `}`
    StrayBrace,
    /// A numeric annotation glyph, also as a symbol such as `!`; `$0` means none.
    Nag(u8),
    /// A move, without `+`, `#` and annotations.
    Move,
    /// A termination marker.
    Result(GameResult),
    /// A move number with its dots.
    Number,
    /// A token without meaning, such as `+` or `e.p.`.
    Nothing,
    /// Anything else.
    Unknown,
}

/// A lexer of move text.
#[derive(Debug)]
pub(crate) struct PgnLexer<'a> {
    pub(crate) text: &'a [u8],
    /// Where the search for the next token begins.
    pub(crate) at: usize,
    /// Where the last token begins.
    pub(crate) start: usize,
    /// Where the last token ends.
    pub(crate) end: usize,
}

fn is_separator(byte: u8) -> bool {
    byte <= b' ' || byte == b','
}

/// Whether a word ends before this byte.
fn ends_word(byte: Option<&u8>) -> bool {
    byte.is_none_or(|&byte| is_separator(byte) || matches!(byte, b'{' | b'}' | b'(' | b')' | b';'))
}

/// The symbols for glyphs, longest first.
const SUFFIXES: &[(&[u8], u8)] = &[
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"!!", 3),
    (b"??", 4),
    (b"!?", 5),
    (b"?!", 6),
    (b"+=", 14),
    (b"=+", 15),
    (b"+-", 18),
    (b"-+", 19),
    (b"!", 1),
    (b"?", 2),
    (b"=", 10),
    (b"~", 13),
];

const RESULTS: &[(&[u8], GameResult)] = &[
    (b"1/2-1/2", GameResult::Draw),
    (b"1/2:1/2", GameResult::Draw),
    (b"1-0", GameResult::WhiteWins),
    (b"0-1", GameResult::BlackWins),
    (b"1:0", GameResult::WhiteWins),
    (b"0:1", GameResult::BlackWins),
    (b"1/2", GameResult::Draw),
    (b"*", GameResult::Unknown),
    ("½-½".as_bytes(), GameResult::Draw),
];

const CASTLING: &[&[u8]] =
    &[b"O-O-O", b"o-o-o", b"0-0-0", b"O-O", b"o-o", b"0-0", b"000", b"00", b"OOO", b"OO"];

/// The termination marker at the beginning of `rest`, if a word ends after it.
pub(crate) fn result_at(rest: &[u8]) -> Option<(GameResult, usize)> {
    // A quick test that nearly every text fails.
    if !matches!(rest.first(), Some(b'0' | b'1' | b'*' | 0xC2)) {
        return None;
    }
    RESULTS
        .iter()
        .find(|(text, _)| {
            rest.starts_with(text)
                && (text[0] == b'*' || ends_word(rest.get(text.len())) || rest[text.len()] == b'[')
        })
        .map(|&(text, result)| (result, text.len()))
}

/// The length of the null move at the beginning of `rest`; 0 if there is none.
fn null_length(rest: &[u8]) -> usize {
    let nulls = [&b"--"[..], b"Z0", b"null", b"@@@@", b"0000"];
    let stands = |null: &&[u8]| {
        rest.starts_with(null)
            && !rest.get(null.len()).is_some_and(u8::is_ascii_alphanumeric)
            && !is_numbered(null, rest)
    };
    nulls.into_iter().find(stands).map_or(0, <[u8]>::len)
}

/// Whether zeros at the beginning of `rest` are a move number, since a dot follows them.
fn is_numbered(zeros: &[u8], rest: &[u8]) -> bool {
    rest.get(zeros.len()) == Some(&b'.') && zeros.iter().all(|zero| *zero == b'0')
}

/// Whether `rest` begins with a move.
pub(crate) fn begins_with_move(rest: &[u8]) -> bool {
    null_length(rest) > 0 || move_length(rest) > 0
}

/// The length of the text at the beginning of `rest` that has the syntax of a move, without `+`,
/// `#` and annotations; 0 if there is none.
pub(crate) fn move_length(rest: &[u8]) -> usize {
    if let Some(castling) = CASTLING.iter().find(|text| rest.starts_with(text)) {
        let length = castling.len();
        let next = rest.get(length).copied().unwrap_or(b' ');
        let glued = next.is_ascii_alphanumeric() && !matches!(next, b'N' | b'D')
            || next == b'-' && !matches!(rest.get(length + 1), Some(b'+' | b'/' | b'-'))
            || is_numbered(castling, rest);
        return if glued { 0 } else { length };
    }
    let byte = |index: usize| rest.get(index).copied().unwrap_or(b' ');
    let is_square_part = |byte: u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8');
    let mut at = 0;
    let piece = matches!(byte(0), b'K' | b'Q' | b'R' | b'B' | b'N' | b'P')
        || matches!(byte(0), b'k' | b'q' | b'r' | b'n' | b'p');
    at += usize::from(piece);
    let body = at;
    loop {
        match byte(at) {
            // The `e` of `e.p.` is not a file.
            b'e' if at > body
                && (byte(at + 1) == b'p' || byte(at + 1) == b'.' && byte(at + 2) == b'p') =>
            {
                break;
            }
            part if is_square_part(part) => at += 1,
            b'x' | b':' | b'-' | b'@' if is_square_part(byte(at + 1)) => at += 1,
            _ => break,
        }
    }
    let parts = rest[body..at].iter().filter(|&&part| is_square_part(part)).count();
    let is_pawn = !piece || matches!(byte(0), b'P' | b'p');
    let last = rest[..at].last().copied().unwrap_or(b' ');
    let well_formed = if last.is_ascii_digit() {
        // The last two parts are the target square.
        parts >= 2 && matches!(rest[at - 2], b'a'..=b'h')
    } else {
        // A pawn capture by files, `ed` or `exd`.
        parts == 2 && is_pawn && !rest[body..at].iter().any(u8::is_ascii_digit)
    };
    if !well_formed || rest[0].is_ascii_digit() {
        return 0;
    }
    if is_pawn {
        let is_piece = |byte: u8| matches!(byte | 32, b'q' | b'r' | b'b' | b'n' | b'k');
        if byte(at) == b'=' && is_piece(byte(at + 1)) {
            at += 2;
        } else if byte(at) == b'='
            && byte(at + 1) == b'('
            && is_piece(byte(at + 2))
            && byte(at + 3) == b')'
        {
            at += 4;
        } else if matches!(rest[at - 1], b'1' | b'8') && is_piece(byte(at)) {
            at += 1;
        }
    }
    // A move does not continue as a longer word; only a letter that is a glyph may follow.
    let next = byte(at);
    let glyph_letter = matches!(next, b'N' | b'D') && !byte(at + 1).is_ascii_alphanumeric();
    let en_passant = next == b'e';
    if next.is_ascii_alphanumeric() && !glyph_letter && !en_passant || next >= 0x80 {
        0
    } else {
        at
    }
}

impl<'a> PgnLexer<'a> {
    pub(crate) fn new(text: &'a [u8], at: usize) -> PgnLexer<'a> {
        PgnLexer { text, at, start: at, end: at }
    }

    /// The bytes of the last token.
    pub(crate) fn slice(&self) -> &'a [u8] {
        &self.text[self.start..self.end]
    }

    fn token(&mut self, length: usize, token: PgnToken) -> Option<PgnToken> {
        self.end = (self.start + length).min(self.text.len());
        self.at = self.end;
        Some(token)
    }

    /// The next token.
    pub(crate) fn next(&mut self, braces: &mut Braces) -> Option<PgnToken> {
        let text = self.text;
        let first = loop {
            let &byte = text.get(self.at)?;
            match byte {
                byte if is_separator(byte) => self.at += 1,
                b';' => self.at = line_end(text, self.at),
                b'%' if in_first_column(text, self.at) => self.at = line_end(text, self.at),
                // A byte-order mark.
                0xEF if text[self.at..].starts_with(b"\xEF\xBB\xBF") => self.at += 3,
                byte => break byte,
            }
        };
        self.start = self.at;
        let rest = &text[self.at..];
        match first {
            b'{' => {
                self.start += 1;
                match braces.close(text, self.at) {
                    Some(close) => {
                        self.end = close;
                        self.at = close + 1;
                        return Some(PgnToken::Comment);
                    }
                    None => return self.token(text.len(), PgnToken::OpenComment),
                }
            }
            b'(' => return self.token(1, PgnToken::Open),
            b')' => return self.token(1, PgnToken::Close),
            b'}' => return self.token(1, PgnToken::StrayBrace),
            b'$' => {
                let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let value = rest[1..=digits]
                    .iter()
                    .fold(0u8, |value, &digit| value.wrapping_mul(10).wrapping_add(digit - b'0'));
                let token = if digits == 0 { PgnToken::Unknown } else { PgnToken::Nag(value) };
                return self.token(1 + digits, token);
            }
            b'.' => {
                let dots = rest.iter().take_while(|&&byte| byte == b'.').count();
                return self.token(dots, PgnToken::Number);
            }
            _ => {}
        }
        let null = null_length(rest);
        if null > 0 {
            return self.token(null, PgnToken::Move);
        }
        if let Some((result, length)) = result_at(rest) {
            return self.token(length, PgnToken::Result(result));
        }
        let length = move_length(rest);
        if length > 0 {
            return self.token(length, PgnToken::Move);
        }
        if first.is_ascii_digit() {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let dots = rest[digits..].iter().take_while(|&&byte| byte == b'.').count();
            let next = rest.get(digits + dots);
            if dots > 0
                || next.is_none_or(|byte| {
                    byte.is_ascii_alphabetic() || !byte.is_ascii_graphic() || ends_word(Some(byte))
                })
            {
                return self.token(digits + dots, PgnToken::Number);
            }
        }
        if rest.starts_with("…".as_bytes()) {
            return self.token("…".len(), PgnToken::Number);
        }
        match first {
            b'+' | b'#' => {
                let double =
                    rest.starts_with(b"++") && !matches!(rest.get(2), Some(b'-' | b'=' | b'/'));
                if double {
                    return self.token(2, PgnToken::Nothing);
                }
                if first == b'#' || rest.starts_with(b"++") {
                    return self.token(1, PgnToken::Nothing);
                }
            }
            b'N' if ends_word(rest.get(1)) => return self.token(1, PgnToken::Nag(146)),
            b'D' if ends_word(rest.get(1)) => return self.token(1, PgnToken::Nag(201)),
            b'e' => {
                for mark in [&b"e.p."[..], b"e.p", b"ep."] {
                    if rest.starts_with(mark) {
                        return self.token(mark.len(), PgnToken::Nothing);
                    }
                }
                if rest.starts_with(b"ep") && !rest.get(2).is_some_and(u8::is_ascii_alphanumeric) {
                    return self.token(2, PgnToken::Nothing);
                }
            }
            _ => {}
        }
        if let Some((suffix, nag)) = SUFFIXES.iter().find(|(suffix, _)| rest.starts_with(suffix)) {
            return self.token(suffix.len(), PgnToken::Nag(*nag));
        }
        if first == b'+' {
            return self.token(1, PgnToken::Nothing);
        }
        let word = rest.iter().skip(1).take_while(|byte| !ends_word(Some(byte))).count();
        self.token(1 + word, PgnToken::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_end_where_their_syntax_does() {
        let moves = [
            ("e4", ""),
            ("e4", "+"),
            ("Nf3", " e5"),
            ("nf3", "!"),
            ("kxe2", ""),
            ("Pe2-e4", ""),
            ("e2e4", ","),
            ("Nb1-d2", ")"),
            ("R1xa3", "#"),
            ("Qh4xe1", "{mate}"),
            ("N:d5", ""),
            ("N@f7", ""),
            ("bxc3", ""),
            ("ed", ""),
            ("exd", " "),
            ("e8=Q", "+"),
            ("e8=k", ""),
            ("e8=(N)", "+"),
            ("e8Q", ""),
            ("axb1n", "#"),
            ("e8", "/Q"),
            // What follows `=` is not a piece.
            ("e8", "=x(b)"),
            ("e8", "=(x)"),
            ("e8", "=(Q"),
            ("exd6", "e.p."),
            ("exd6", "ep"),
            ("exd", "e.p."),
            ("exd", "ep"),
            // `N` and `D` are glyphs.
            ("Nf3", "N"),
            ("Nf3", "D "),
            ("O-O", ""),
            ("O-O-O", "+"),
            ("0-0", "-+"),
            ("O-O", "--"),
            ("O-O", "N"),
        ];
        for (text, rest) in moves {
            let whole = format!("{text}{rest}");
            assert_eq!(move_length(whole.as_bytes()), text.len(), "{whole}");
        }
        let others = [
            "", "e", "N", "Nf", "N3", "Ned", "e9", "i4", "e3d", "e34", "12", "4e", "ex", "e8QQ",
            "Nf3Q", "Nf3Nb", "e4x", "e4\u{e9}", "e4e5x", "O-O-2", "00.", "O-Ox", "1-0", "bishop",
        ];
        for text in others {
            assert_eq!(move_length(text.as_bytes()), 0, "{text}");
        }
    }
}
