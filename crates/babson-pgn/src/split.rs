//! Cutting a file into games.
//!
//! A game boundary depends only on the lines around it, not on the state of a parser. So a file can
//! be cut anywhere, and an unterminated comment does not hide the next game.
//!
//! A line that begins with a tag pair is a *tag line*. Empty lines, comments, escaped lines and
//! broken tags are *neutral*. A tag line begins a game if the last line before it that is not
//! neutral has anything but tags on it, if there is no such line, or if the tag is `[Event` and
//! there is an empty line before it.

use std::ops::Range;

use babson_chess::processor;
use memchr::memchr;

use crate::early_result::may_hold_two;
use crate::scan::{
    Braces, is_lead, is_line_end, is_whitespace, line_end, line_ends, line_start, next_line,
    variation_end,
};
use crate::split_text::TextFacts;
use crate::tags::{TagForm, TagScanner, plain_tag, skip_section, skip_usual};
use crate::token::{PgnLexer, PgnToken};

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineKind {
    /// A tag line.
    Tags {
        /// Whether the name of its first tag is `Event`.
        event: bool,
        /// Whether there are only tags and comments on it.
        alone: bool,
    },
    /// An empty line, a comment, an escaped line or a broken tag.
    Neutral,
    /// Any other line.
    Other,
}

/// The kind and the end of the line that begins at `start`.
#[inline]
fn classify(bytes: &[u8], start: usize) -> (LineKind, usize) {
    if bytes.get(start) == Some(&b'[')
        && let Some(tag) = plain_tag(bytes, start)
    {
        let event = tag.has_name(bytes, start, b"Event");
        return (LineKind::Tags { event, alone: true }, tag.end);
    }
    classify_odd(bytes, start)
}

#[cold]
fn classify_odd(bytes: &[u8], start: usize) -> (LineKind, usize) {
    let end = line_end(bytes, start);
    let mut scanner = TagScanner::new(&bytes[..end], start);
    match scanner.next() {
        None if scanner.at == end => return (LineKind::Neutral, end),
        None => return (LineKind::Other, end),
        Some(_) => {}
    }
    // Scan again with the whole text: a value may continue after a carriage return.
    let mut scanner = TagScanner::new(bytes, start);
    let Some(tag) = scanner.next().filter(|tag| tag.form != TagForm::Broken) else {
        return (LineKind::Neutral, end);
    };
    let event = tag.name == b"Event";
    while scanner.next_on_line().is_some() {}
    let end = line_end(bytes, scanner.at);
    let alone = scanner.at == end;
    (LineKind::Tags { event, alone }, end)
}

/// The start of the line of `last`. A carriage return in a tag value does not end the line.
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

/// Whether the line that begins at `start` is a tag line.
#[cfg(test)]
pub(crate) fn line_of_tags(bytes: &[u8], start: usize) -> bool {
    matches!(classify(bytes, start).0, LineKind::Tags { .. })
}

/// Whether the tag line at `start` begins a game.
fn begins_game(bytes: &[u8], start: usize, event: bool) -> bool {
    let mut at = start;
    loop {
        let Some(last) = bytes[..at].iter().rposition(|&byte| !is_whitespace(byte)) else {
            return true;
        };
        if event && line_ends(&bytes[last..at]) > 1 {
            return true;
        }
        at = tag_line_start(bytes, last);
        match classify(bytes, at).0 {
            LineKind::Tags { alone, .. } => return !alone,
            LineKind::Other => return true,
            LineKind::Neutral => {}
        }
    }
}

/// The offset of the first game boundary at or after `from`. A game begins at the start of its
/// first tag line. The function reads the lines before `from` as far as necessary.
///
/// Text before the first tag of a file has no boundary; [`Games`] decides whether it is a game.
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
        let LineKind::Tags { event, .. } = classify(bytes, lead).0 else {
            continue;
        };
        if begins_game(bytes, lead, event) {
            return Some(lead);
        }
        at = skip_tag_lines(bytes, lead).max(at);
    }
}

/// The offset of the first line after the consecutive tag lines from `at`. Of these only the first
/// can begin a game.
fn skip_tag_lines(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let (line, end) = classify(bytes, at);
        let LineKind::Tags { alone, .. } = line else {
            return at;
        };
        at = next_line(bytes, end);
        if !alone || bytes.get(at) != Some(&b'[') {
            return at;
        }
    }
}

/// An iterator over the games of a chunk: the offset in the chunk and the text of each game.
///
/// The chunk must begin at a boundary or at the start of a file. Text before the first tag is a
/// game if it has moves. Move text after a result is a game of its own.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    /// The start of the next game.
    at: usize,
    /// The end of the segment between two boundaries that contains `at`.
    end: usize,
    /// The comments of that segment.
    braces: Braces,
    /// Whether there is no NUL byte.
    no_nul: bool,
    /// What is known of the last game.
    facts: TextFacts,
}

impl<'a> Games<'a> {
    /// The games of these bytes.
    pub fn new(bytes: &'a [u8]) -> Games<'a> {
        let first = find_boundary(bytes, 0).unwrap_or(bytes.len());
        let at = if holds_moves(&bytes[..first], 0, &mut Braces::default()) { 0 } else { first };
        let (braces, facts) = (Braces::default(), TextFacts::default());
        Games { bytes, at, end: first, braces, no_nul: memchr(0, bytes).is_none(), facts }
    }

    /// What is known of the text of the last game.
    pub fn facts(&self) -> TextFacts {
        self.facts
    }

    /// Reads the tag section at the start of a segment, and finds the end of the segment. Returns
    /// the offset of its move text from the start, if the tags are [usual](TextFacts::moves).
    fn segment(&mut self) -> usize {
        let usual_end = skip_usual(self.bytes, self.at);
        let goes_on = usual_end == self.at || self.bytes.get(usual_end) == Some(&b'[');
        let tags_end = if goes_on { skip_tag_lines(self.bytes, self.at) } else { usual_end };
        self.end = find_boundary(self.bytes, tags_end).unwrap_or(self.bytes.len());
        self.braces.clear();
        let rest = &self.bytes[tags_end..self.end];
        let space = rest.iter().take_while(|&&byte| is_whitespace(byte)).count();
        // Other bytes may belong to the tag section.
        let begins_moves =
            |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'[' | b';' | b'%');
        let is_usual = !goes_on && rest.get(space).is_some_and(begins_moves);
        if is_usual { tags_end + space - self.at } else { 0 }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let moves = if start == self.end { self.segment() } else { 0 };
        let text = &self.bytes[..self.end];
        let one_result = !may_hold_two(&text[start + moves..]);
        let moves = moves.try_into().unwrap_or(0);
        self.facts = TextFacts { moves, one_result, no_nul: self.no_nul };
        self.at = if one_result { self.end } else { game_end(text, start, &mut self.braces) };
        Some((start, &self.bytes[start..self.at]))
    }
}

/// The number of line ends in a range of a text: of line feeds, and of carriage returns without a
/// line feed after them. It does not depend on how the text is cut into ranges.
///
/// ```
/// use babson_pgn::count_lines;
/// assert_eq!(count_lines(b"1. e4\r\n1... e5\r2. Nf3\n", 0..22), 3);
/// ```
pub fn count_lines(text: &[u8], range: Range<usize>) -> u64 {
    processor::dispatch(
        #[inline(always)]
        || count_lines_here(text, range),
    )
}

/// [`count_lines`] for the processor of the caller.
#[inline(always)]
fn count_lines_here(text: &[u8], range: Range<usize>) -> u64 {
    /// Bytes that are counted together. Their sum fits in a byte, and the compiler turns the loop
    /// over them into a few vector instructions.
    const BLOCK: usize = 128;
    let (begin, end) = (range.start, range.end);
    let piece = text.get(range).unwrap_or_default();
    let Some((&last, before_last)) = piece.split_last() else { return 0 };
    // Without branches: half of the files have a carriage return on each line.
    let is_end = |byte: u8, next: u8| {
        u8::from(byte == b'\n') | u8::from(byte == b'\r') & u8::from(next != b'\n')
    };
    let mut count = u64::from(is_end(last, text.get(end).copied().unwrap_or_default()));
    let followers = text.get(begin + 1..end).unwrap_or_default();
    let (blocks, rest) = before_last.as_chunks::<BLOCK>();
    let (next_blocks, next_rest) = followers.as_chunks::<BLOCK>();
    for (bytes, next) in blocks.iter().zip(next_blocks) {
        let ends = bytes.iter().zip(next).map(|(&byte, &next)| is_end(byte, next));
        count += u64::from(ends.fold(0, u8::wrapping_add));
    }
    let ends = rest.iter().zip(next_rest).map(|(&byte, &next)| u64::from(is_end(byte, next)));
    count + ends.sum::<u64>()
}

/// The number of games that [`Games`] finds.
pub fn count_games(bytes: &[u8]) -> u64 {
    Games::new(bytes).count() as u64
}

/// Whether a file of this text, which may be only its beginning, is not PGN: it has text, and
/// neither a tag pair nor a move, such as a page, JSON or random bytes. A file of whitespace is not
/// wrong, as an empty one.
///
/// ```
/// use babson_pgn::is_not_pgn;
///
/// assert!(is_not_pgn(b"<html>not found</html>") && is_not_pgn(br#"{"white": "Adams"}"#));
/// assert!(is_not_pgn(b"Footnotes: * and **"));
/// assert!(!is_not_pgn(b"Games of the club\n\n1. e4 e5 *") && !is_not_pgn(b"\n"));
/// assert!(!is_not_pgn(b"e4 e5") && !is_not_pgn(b"*") && !is_not_pgn(b"{a comment} 1-0"));
/// ```
pub fn is_not_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    !text.trim_ascii().is_empty() && find_boundary(text, 0).is_none() && !is_movetext(text)
}

/// Whether text without tags has a move as [`holds_moves`] finds it, or is a result. Unlike there,
/// a result counts only if all words are words of PGN: random bytes have asterisks.
fn is_movetext(text: &[u8]) -> bool {
    let mut braces = Braces::default();
    let mut lexer = PgnLexer::new(text, 0);
    let (mut expected, mut is_clean, mut has_result) = (true, true, false);
    while let Some(token) = lexer.next(&mut braces) {
        match token {
            PgnToken::Move if expected => return true,
            PgnToken::Result(_) => has_result = true,
            PgnToken::Comment | PgnToken::Nothing | PgnToken::Nag(_) => {}
            PgnToken::Number => expected |= lexer.slice().ends_with(b"."),
            PgnToken::Open => {
                lexer.at = variation_end(text, lexer.start, &mut braces)
                    .map_or(text.len(), |close| close + 1);
            }
            PgnToken::OpenComment => break,
            PgnToken::Move | PgnToken::Close | PgnToken::StrayBrace | PgnToken::Unknown => {
                (expected, is_clean) = (false, false);
            }
        }
    }
    has_result && is_clean
}

/// What is wrong with a file that [is not PGN](is_not_pgn), in a sentence.
pub const NOT_PGN: &str = "it is not PGN: it has neither a tag pair nor a move";

/// The end of the game that begins at `start`, in text without another boundary: the end of the
/// text, unless moves follow a result.
#[cold]
fn game_end(text: &[u8], start: usize, braces: &mut Braces) -> usize {
    let mut lexer = PgnLexer::new(text, start + skip_section(&text[start..], |_| ()));
    end_of_moves(&mut lexer, braces);
    rest_of_game(text, lexer.at, braces)
}

/// Moves the lexer after the first result outside variations, or to the end of the text.
fn end_of_moves(lexer: &mut PgnLexer<'_>, braces: &mut Braces) {
    while let Some(token) = lexer.next(braces) {
        match token {
            PgnToken::Result(_) => return,
            PgnToken::Open => {
                lexer.at = variation_end(lexer.text, lexer.start, braces)
                    .map_or(lexer.text.len(), |close| close + 1);
            }
            PgnToken::Comment
            | PgnToken::OpenComment
            | PgnToken::Close
            | PgnToken::StrayBrace
            | PgnToken::Nag(_)
            | PgnToken::Move
            | PgnToken::Number
            | PgnToken::Nothing
            | PgnToken::Unknown => {}
        }
    }
}

/// The end of the game whose result ends at `after`. Comments after the result belong to the game,
/// and so does all other text if it has no moves.
pub(crate) fn rest_of_game(text: &[u8], after: usize, braces: &mut Braces) -> usize {
    let mut lexer = PgnLexer::new(text, after);
    loop {
        match lexer.next(braces) {
            Some(PgnToken::Comment | PgnToken::Nag(_)) => {}
            None | Some(PgnToken::OpenComment) => return text.len(),
            Some(_) => break,
        }
    }
    let start = lexer.start;
    if holds_moves(text, start, braces) { start } else { text.len() }
}

/// Whether text without tags is a game: its first word is a move or a result, or somewhere a move
/// follows a move number with a dot. The text begins at `from`. `braces` must belong to the whole
/// `text`; calls that share it take linear time together.
fn holds_moves(text: &[u8], from: usize, braces: &mut Braces) -> bool {
    let mut lexer = PgnLexer::new(text, from);
    let mut expected = true;
    while let Some(token) = lexer.next(braces) {
        match token {
            PgnToken::Result(_) => return true,
            PgnToken::Move if expected => return true,
            PgnToken::Comment | PgnToken::Nothing => {}
            PgnToken::Number => {
                // In prose a number without a dot is not a move number.
                expected |= lexer.slice().ends_with(b".");
            }
            PgnToken::Open => {
                lexer.at =
                    variation_end(text, lexer.start, braces).map_or(text.len(), |close| close + 1);
            }
            PgnToken::OpenComment => return false,
            PgnToken::Move
            | PgnToken::Close
            | PgnToken::StrayBrace
            | PgnToken::Nag(_)
            | PgnToken::Unknown => expected = false,
        }
    }
    false
}
