//! Cutting a file into games.
//!
//! A boundary is a property of neighboring lines, never of parser state: a line that begins with a
//! tag pair begins a game if the last line before it that says something is not one of tags alone,
//! or if it is an `[Event` line after a blank line. Blank lines, comments, escaped lines and broken
//! tags say nothing. So an unterminated comment cannot swallow the next game, and a file can be cut
//! anywhere.

use memchr::{memchr, memchr2, memchr3};

use crate::scan::{Braces, is_line_end, line_end, line_ends, line_start, next_line, variation_end};
use crate::tags::{Form, Scanner, is_blank, is_lead, plain_tag, skip_section};
use crate::token::{Lexer, Token, result_at};

/// What a line is to the splitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It begins with a tag pair.
    Tags {
        /// Of the name `Event`.
        event: bool,
        /// Nothing but tags and comments stands on it.
        alone: bool,
    },
    /// It says nothing: it is blank, a comment, or a tag that is broken.
    Silent,
    Other,
}

/// Classifies the line that begins at `start`; also returns where it ends.
#[inline]
fn classify(bytes: &[u8], start: usize) -> (Line, usize) {
    if bytes.get(start) == Some(&b'[')
        && let Some(tag) = plain_tag(bytes, start)
    {
        let event = tag.has_name(bytes, start, b"Event");
        return (Line::Tags { event, alone: true }, tag.end);
    }
    classify_odd(bytes, start)
}

#[cold]
fn classify_odd(bytes: &[u8], start: usize) -> (Line, usize) {
    let end = line_end(bytes, start);
    let mut scanner = Scanner::new(&bytes[..end], start);
    match scanner.next() {
        None if scanner.at == end => return (Line::Silent, end),
        None => return (Line::Other, end),
        Some(_) => {}
    }
    // The same with all of the text: a value may go on after a carriage return.
    let mut scanner = Scanner::new(bytes, start);
    let Some(tag) = scanner.next().filter(|tag| tag.form != Form::Broken) else {
        return (Line::Silent, end);
    };
    let event = tag.name == b"Event";
    while scanner.next_on_line().is_some() {}
    let end = line_end(bytes, scanner.at);
    let alone = scanner.at == end;
    (Line::Tags { event, alone }, end)
}

/// Where the line begins that `last` lies in. A carriage return in a tag's value ends none.
fn tag_line_start(bytes: &[u8], last: usize) -> usize {
    let start = line_start(bytes, last);
    let mut at = start;
    let quoted = bytes[start..=last].contains(&b'"');
    while at > 0 && bytes[at - 1] == b'\r' && quoted {
        at = line_start(bytes, at - 1);
        let lead = bytes[at..].iter().take_while(|&&byte| is_lead(byte)).count();
        match bytes.get(at + lead) {
            Some(b'[') if classify(bytes, at).1 > start => return at,
            Some(b'[' | b'\r') => return start,
            _ => {}
        }
    }
    start
}

/// Whether the line that begins at `start` begins with a tag pair.
#[cfg(test)]
pub(crate) fn line_of_tags(bytes: &[u8], start: usize) -> bool {
    matches!(classify(bytes, start).0, Line::Tags { .. })
}

/// Whether a game begins with the line of tags at `start`, judged by the lines before it.
fn begins_game(bytes: &[u8], start: usize, event: bool) -> bool {
    let mut at = start;
    loop {
        let Some(last) = bytes[..at].iter().rposition(|&byte| !is_blank(byte)) else {
            return true;
        };
        if event && line_ends(&bytes[last..at]) > 1 {
            return true;
        }
        at = tag_line_start(bytes, last);
        match classify(bytes, at).0 {
            Line::Tags { alone, .. } => return !alone,
            Line::Other => return true,
            Line::Silent => {}
        }
    }
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
        let lead =
            bytes[..bracket].iter().rposition(|&byte| !is_lead(byte)).map_or(0, |last| last + 1);
        let starts_line = lead == 0 || is_line_end(bytes[lead - 1]);
        if !starts_line || lead < from {
            continue;
        }
        let Line::Tags { event, .. } = classify(bytes, lead).0 else {
            continue;
        };
        if begins_game(bytes, lead, event) {
            return Some(lead);
        }
        at = skip_tag_lines(bytes, lead).max(at);
    }
}

/// The offset of the first line after the lines of tags that begin at `at` and follow each other
/// directly: none of them can begin a game but the first.
fn skip_tag_lines(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let (line, end) = classify(bytes, at);
        let Line::Tags { alone, .. } = line else {
            return at;
        };
        at = next_line(bytes, end);
        if !alone || bytes.get(at) != Some(&b'[') {
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
        let at = if holds_moves(&bytes[..first], 0, &mut Braces::default()) { 0 } else { first };
        Games { bytes, at, end: first, braces: Braces::default() }
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
    if holds_moves(text, start, braces) { start } else { text.len() }
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
