//! Cutting a file into games.
//!
//! A boundary is a property of neighbouring lines, never of parser state (architecture.md,
//! decision 11): a line with a well-formed tag pair begins a game if the last non-blank line
//! before it holds no tag pair, or if it is an `[Event` line after a blank line. So an
//! unterminated comment cannot swallow the next game, and a file can be cut anywhere.

use memchr::{memchr, memchr2, memchr3, memrchr};

use crate::scan::{Braces, line_end, variation_end};
use crate::tags::{is_name_byte, skip_section};
use crate::token::{Lexer, Token, result_at};

/// What a line is to the splitter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Event,
    Tag,
    Other,
}

/// Classifies the line that begins at `start`: bytes above 127 and blanks before `[` do not count.
fn classify(bytes: &[u8], start: usize) -> Line {
    let rest = &bytes[start..];
    let lead = if rest.first() == Some(&b'[') {
        0
    } else {
        lead(rest)
    };
    if rest.get(lead) != Some(&b'[') {
        return Line::Other;
    }
    let line = &rest[lead + 1..line_end(rest, lead)];
    let lead = line.iter().take_while(|&&byte| byte == b' ').count();
    let line = &line[lead..];
    let name_len = line.iter().take_while(|&&byte| is_name_byte(byte)).count();
    let after = match &line[name_len..] {
        [b' ', after @ ..] if after.first() == Some(&b'"') => after,
        after => after.trim_ascii_start(),
    };
    let Some(value) = after.strip_prefix(b"\"") else {
        return Line::Other;
    };
    if name_len == 0 || !ends_value(value) {
        return Line::Other;
    }
    if &line[..name_len] == b"Event" {
        Line::Event
    } else {
        Line::Tag
    }
}

fn lead(rest: &[u8]) -> usize {
    rest.iter()
        .take_while(|&&byte| byte >= 0x80 || byte == b' ' || byte == b'\t')
        .count()
}

/// Whether there is a quote with a closing bracket after it.
fn ends_value(value: &[u8]) -> bool {
    if value.ends_with(b"\"]\r") || value.ends_with(b"\"]") {
        return true;
    }
    let trimmed = value.trim_ascii_end();
    if let Some(inner) = trimmed.strip_suffix(b"]")
        && inner.trim_ascii_end().ends_with(b"\"")
    {
        return true;
    }
    memchr::memchr_iter(b'"', value)
        .any(|quote| value[quote + 1..].trim_ascii_start().starts_with(b"]"))
}

/// Whether a game begins with the tag line at `start`, judged by the lines before it.
fn begins_game(bytes: &[u8], start: usize, kind: Line) -> bool {
    let before = &bytes[..start];
    let Some(last) = before.iter().rposition(|&byte| !byte.is_ascii_whitespace()) else {
        return true;
    };
    let blank_line = before[last..].iter().filter(|&&byte| byte == b'\n').count() > 1;
    if kind == Line::Event && blank_line {
        return true;
    }
    let line = memrchr(b'\n', &before[..last]).map_or(0, |newline| newline + 1);
    classify(bytes, line) == Line::Other
}

/// The offset of the first game start at or after `from`, looking back at preceding lines as far
/// as needed. A game starts at the beginning of its first tag line.
///
/// Text before the first tag of a file is no part of any game start; [`Games`] looks at it.
///
/// ```
/// use babson_pgn::find_boundary;
/// let file = b"[A \"1\"]\n[B \"2\"]\n\n1. e4 *\n[A \"3\"]\n\n*";
/// assert_eq!(find_boundary(file, 0), Some(0));
/// assert_eq!(find_boundary(file, 1), Some(25)); // not the second tag of the first game
/// assert_eq!(find_boundary(file, 26), None);
/// ```
pub fn find_boundary(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let bracket = at + memchr(b'[', bytes.get(at..)?)?;
        at = bracket + 1;
        let lead = bytes[..bracket]
            .iter()
            .rposition(|&byte| byte < 0x80 && byte != b' ' && byte != b'\t')
            .map_or(0, |last| last + 1);
        let starts_line = lead == 0 || bytes[lead - 1] == b'\n';
        if !starts_line || lead < from {
            continue;
        }
        let kind = classify(bytes, lead);
        if kind == Line::Other {
            continue;
        }
        if begins_game(bytes, lead, kind) {
            return Some(lead);
        }
        at = skip_tag_lines(bytes, lead);
    }
}

/// The offset of the first line after the tag lines that begin at `at` and follow each other
/// without blank lines: none of them can begin a game.
fn skip_tag_lines(bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = (line_end(bytes, at) + 1).min(bytes.len());
        if bytes.get(at) != Some(&b'[') || classify(bytes, at) == Line::Other {
            return at;
        }
    }
}

/// Iterator over the games of a chunk: offset in the chunk and text of each.
///
/// The chunk begins at a boundary, or at the beginning of a file. Text before the first tag is a
/// game if it holds moves; move text after a result is a game of its own.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    /// Where the next game begins.
    at: usize,
    /// Where the segment between two boundaries ends that `at` lies in.
    end: usize,
    /// Comments of that segment.
    braces: Braces,
}

impl<'a> Games<'a> {
    /// The games of these bytes.
    pub fn new(bytes: &'a [u8]) -> Games<'a> {
        let first = find_boundary(bytes, 0).unwrap_or(bytes.len());
        let at = if holds_moves(&bytes[..first], 0, &mut Braces::default()) {
            0
        } else {
            first
        };
        Games {
            bytes,
            at,
            end: first,
            braces: Braces::default(),
        }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        if self.at >= self.bytes.len() {
            return None;
        }
        if self.at == self.end {
            let tags_end = skip_tag_lines(self.bytes, self.at);
            self.end = find_boundary(self.bytes, tags_end).unwrap_or(self.bytes.len());
            self.braces.clear();
        }
        let start = self.at;
        self.at = game_end(&self.bytes[..self.end], start, &mut self.braces);
        Some((start, &self.bytes[start..self.at]))
    }
}

/// The number of games that [`Games`] finds.
pub fn count_games(bytes: &[u8]) -> u64 {
    Games::new(bytes).count() as u64
}

/// The end of the game that begins at `start`, in text without further boundaries: all of it,
/// unless moves follow a result.
fn game_end(text: &[u8], start: usize, braces: &mut Braces) -> usize {
    if !may_hold_two(&text[start..]) {
        return text.len();
    }
    let mut lexer = Lexer::new(text, start + skip_section(&text[start..], |_| ()));
    end_of_moves(&mut lexer, braces);
    rest_of_game(text, lexer.at, braces)
}

/// Moves the lexer behind the first result that is outside variations, or to the text's end.
fn end_of_moves(lexer: &mut Lexer<'_>, braces: &mut Braces) {
    while let Some(token) = lexer.next(braces) {
        match token {
            Token::Result(_) => return,
            Token::Open => {
                lexer.at = variation_end(lexer.text, lexer.start, braces)
                    .map_or(lexer.text.len(), |close| close + 1);
            }
            _ => {}
        }
    }
}

/// Where the game ends whose result ends at `after`: comments after it belong to it, and so does
/// everything else if it holds no moves.
pub(crate) fn rest_of_game(text: &[u8], after: usize, braces: &mut Braces) -> usize {
    let mut lexer = Lexer::new(text, after);
    loop {
        match lexer.next(braces) {
            Some(Token::Comment | Token::Nag(_)) => {}
            None | Some(Token::OpenComment) => return text.len(),
            Some(_) => break,
        }
    }
    let start = lexer.start;
    if holds_moves(text, start, braces) {
        start
    } else {
        text.len()
    }
}

/// A quick look whether a result may stand anywhere but at the end.
pub(crate) fn may_hold_two(segment: &[u8]) -> bool {
    let end = segment.trim_ascii_end().len();
    let early = |at: usize| {
        let starts = [0, 1, 3].iter().filter_map(|back| at.checked_sub(*back));
        starts
            .filter_map(|start| Some(start + result_at(&segment[start..])?.1))
            .any(|result_end| result_end < end)
    };
    let mut at = 0;
    while let Some(step) = memchr3(b'*', b'-', b'/', &segment[at..]) {
        if early(at + step) {
            return true;
        }
        at += step + 1;
    }
    at = 0;
    while let Some(step) = memchr2(b':', 0xBD, &segment[at..]) {
        if early(at + step) {
            return true;
        }
        at += step + 1;
    }
    false
}

/// Whether text without tags is a game: its first word is a move or a result, or somewhere a
/// move follows its number. The text begins at `from`; `braces` are those of all of `text`, so that
/// asking again behind each of many results stays linear.
fn holds_moves(text: &[u8], from: usize, braces: &mut Braces) -> bool {
    let mut lexer = Lexer::new(text, from);
    let mut expected = true;
    while let Some(token) = lexer.next(braces) {
        match token {
            Token::Result(_) => return true,
            Token::Move if expected => return true,
            Token::Comment | Token::Nothing => {}
            Token::Number => {
                // A bare number in prose is none.
                expected |= lexer.slice().ends_with(b".");
            }
            Token::Open => {
                lexer.at =
                    variation_end(text, lexer.start, braces).map_or(text.len(), |close| close + 1);
            }
            Token::OpenComment => return false,
            _ => expected = false,
        }
    }
    false
}
