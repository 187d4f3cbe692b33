//! The tag section. The splitter, the reader, the writer and the filters all use the scanner of
//! this module.
//!
//! A tag section consists of tag pairs, `[Name "value"]`, one or several on a line; of empty lines;
//! of comments, from `;` to the end of the line (PGN 5); and of lines that `%` escapes (PGN 6).
//! Anything else is move text and ends the section, even on the line of a tag. A line ends with a
//! line feed, a carriage return, or both.

use std::borrow::Cow;

use memchr::memchr3;

use crate::limits::MAX_ESCAPED_ENDS;
use crate::scan::{
    in_first_column, is_lead, is_line_end, is_whitespace, line_end, next_line, value_goes_on,
};

pub mod cql6;
mod names;
pub mod normal;

/// The tag section at the beginning of a game's text.
pub fn section(text: &[u8]) -> Tags<'_> {
    Tags(TagScanner::new(text, 0))
}

/// The number of bytes of the tag section at the beginning of a game's text. The move text follows.
pub fn section_len(text: &[u8]) -> usize {
    skip_section(text, |_| ())
}

/// Text of a file. Bytes that are not UTF-8 are read as Latin-1, the encoding of PGN.
///
/// ```
/// use babson_pgn::tags::decode;
/// assert_eq!(decode("Müller".as_bytes()), decode(b"M\xfcller"));
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The text that the value of a tag stands for: decoded, and without the backslashes before quotes
/// and backslashes (PGN 7). Any other backslash is text.
///
/// ```
/// use babson_pgn::tags::value_text;
/// assert_eq!(value_text(br#"the \"Immortal\" \\o/"#), r#"the "Immortal" \o/"#);
/// ```
pub fn value_text(value: &[u8]) -> Cow<'_, str> {
    let text = decode(value);
    if !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '"' | '\\'));
        plain.push(escaped.unwrap_or(letter));
    }
    Cow::Owned(plain)
}

/// An iterator over the tags of a game: name and value, unchanged.
#[derive(Clone, Debug)]
pub struct Tags<'a>(TagScanner<'a>);

impl<'a> Iterator for Tags<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        self.0.find(|tag| !tag.name.is_empty()).map(|tag| (tag.name, tag.value))
    }
}

/// One tag of the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawTag<'a> {
    /// Empty if the tag has no name.
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: TagForm,
}

/// The form of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagForm {
    /// Well formed.
    Sound,
    /// The value contains a carriage return or a `"]` that may be its end.
    Doubtful,
    /// The name, a quote or the bracket is missing. Such a tag extends to the end of its line, and
    /// does not begin a game.
    Broken,
}

#[inline]
pub(crate) fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[usize::from(byte)]
}

static NAME_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let known = b'_' == byte || b'+' == byte || b'#' == byte || b'=' == byte;
        let known = known || b':' == byte || b'-' == byte || b'.' == byte;
        table[byte as usize] = known || byte.is_ascii_alphanumeric();
        byte += 1;
    }
    table
};

/// The number of spaces and tabs at the beginning.
fn spaces(text: &[u8]) -> usize {
    let space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text.iter().take_while(space).count()
}

/// A scanner of a tag section.
#[derive(Clone, Debug)]
pub(crate) struct TagScanner<'a> {
    text: &'a [u8],
    /// The end of the scanned part of the section.
    pub(crate) at: usize,
    /// Whether there is no tag before `at` on its line.
    line_start: bool,
    /// The end of the line of the last unusual tag.
    line_end: usize,
}

impl<'a> TagScanner<'a> {
    /// A scanner that begins at `at`, the start of a line.
    pub(crate) fn new(text: &'a [u8], at: usize) -> TagScanner<'a> {
        TagScanner { text, at, line_start: true, line_end: 0 }
    }

    /// The tag whose `[` is at the current offset.
    fn tag(&mut self) -> RawTag<'a> {
        let (text, open) = (self.text, self.at);
        let usual = plain_tag(text, open).map(|plain| RawTag {
            name: &text[open + 1..plain.name_end],
            value: &text[plain.name_end + 2..plain.end - 2],
            start: open,
            end: plain.end,
            form: TagForm::Sound,
        });
        usual.or_else(|| tag_before_others(text, open)).unwrap_or_else(|| {
            // Finds the end of the line once for all tags on it.
            if self.line_end <= open {
                self.line_end = line_end(text, open);
            }
            unusual_tag(text, open, self.line_end)
        })
    }

    /// The next tag on the current line.
    pub(crate) fn next_on_line(&mut self) -> Option<RawTag<'a>> {
        let end = self
            .text
            .get(self.at..)?
            .iter()
            .position(|&byte| !is_whitespace(byte) || is_line_end(byte));
        self.at = end.map_or(self.text.len(), |step| self.at + step);
        if self.text.get(self.at).is_none_or(|&byte| is_line_end(byte)) {
            return None;
        }
        if matches!(self.text[self.at], b';' | b'%') {
            self.at = line_end(self.text, self.at);
            return None;
        }
        (self.text[self.at] == b'[').then(|| self.next())?
    }
}

impl<'a> Iterator for TagScanner<'a> {
    type Item = RawTag<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawTag<'a>> {
        let text = self.text;
        loop {
            match *text.get(self.at)? {
                b'[' => {
                    let tag = self.tag();
                    self.at = tag.end;
                    self.line_start = false;
                    return Some(tag);
                }
                byte if is_whitespace(byte) => {
                    self.at += 1;
                    self.line_start |= is_line_end(byte);
                }
                b';' => self.at = line_end(text, self.at),
                // `%` after a tag on its line cannot be move text.
                b'%' if !self.line_start || in_first_column(text, self.at) => {
                    self.at = line_end(text, self.at);
                }
                byte if self.line_start && is_lead(byte) => {
                    let rest = &text[self.at..];
                    let lead = rest.iter().take_while(|&&byte| is_lead(byte)).count();
                    if rest.get(lead) != Some(&b'[') {
                        return None;
                    }
                    self.at += lead;
                }
                _ => return None,
            }
        }
    }
}

/// The tag whose `[` is at `open`, if its value ends with its first quote. Reads nothing after the
/// tag, so that a line of many tags takes linear time.
fn tag_before_others(text: &[u8], open: usize) -> Option<RawTag<'_>> {
    let rest = &text[open + 1..];
    let name = rest.iter().take_while(|&&byte| is_name_byte(byte)).count();
    let value = rest[name..].strip_prefix(b" \"")?;
    let quote = memchr3(b'"', b'\n', b'\r', value)?;
    let after = value[quote..].strip_prefix(b"\"]")?;
    let escaped = quote > 0 && value[quote - 1] == b'\\';
    (name > 0 && !escaped && may_follow(after)).then(|| RawTag {
        name: &rest[..name],
        value: &value[..quote],
        start: open,
        end: open + 1 + name + 2 + quote + 2,
        form: TagForm::Sound,
    })
}

/// A well-formed tag that is the only one on its line: `[Name "value"]`.
#[derive(Clone, Copy)]
pub(crate) struct PlainTag {
    name_end: usize,
    pub(crate) end: usize,
}

impl PlainTag {
    /// Whether the tag has this name.
    #[inline(always)]
    pub(crate) fn has_name(self, text: &[u8], open: usize, name: &[u8]) -> bool {
        text.get(open + 1..self.name_end) == Some(name)
    }
}

/// The tag whose `[` is at `open`, if it is a plain tag, as nearly all are.
#[inline(always)]
pub(crate) fn plain_tag(text: &[u8], open: usize) -> Option<PlainTag> {
    let mut at = open + 1;
    while is_name_byte(*text.get(at)?) {
        at += 1;
    }
    let name_end = at;
    let [b' ', b'"', value @ ..] = &text[name_end..] else {
        return None;
    };
    let quote = memchr3(b'"', b'\n', b'\r', value)?;
    let ends = match &value[quote..] {
        [b'"', b']'] | [b'"', b']', b'\n' | b'\r', ..] => true,
        [..] => false,
    };
    let escaped = quote > 0 && value[quote - 1] == b'\\';
    if !ends || escaped || name_end == open + 1 {
        return None;
    }
    let end = name_end + 2 + quote + 2;
    Some(PlainTag { name_end, end })
}

/// The tag whose `[` is at `open`, of any form.
#[cold]
fn unusual_tag(text: &[u8], open: usize, line_end: usize) -> RawTag<'_> {
    let line = &text[..line_end];
    let name_start = open + 1 + spaces(&line[open + 1..]);
    let name = line[name_start..].iter().take_while(|&&byte| is_name_byte(byte));
    let name_end = name_start + name.count();
    let tag = |value, end, form| RawTag {
        name: &line[name_start..name_end],
        value,
        start: open,
        end,
        form,
    };
    let quote = name_end + spaces(&line[name_end..]);
    if name_end > name_start && line.get(quote) == Some(&b'"') {
        let beyond = || value_end_beyond(text, line_end);
        if let Some((at, end, form)) = value_end(line, quote + 1).or_else(beyond) {
            let value = &text[quote + 1..at];
            let form = if value.contains(&b'\r') { TagForm::Doubtful } else { form };
            return tag(value, end, form);
        }
    }
    // The tag is broken. Its value is the part of the line that was probably meant as the value.
    let value = match memchr::memchr(b'"', &line[name_end..]).map(|step| name_end + step + 1) {
        None => {
            let value = line[name_end..].trim_ascii();
            value.strip_suffix(b"]").unwrap_or(value)
        }
        Some(body) => {
            let end = value_end(line, body).map(|end| end.0);
            match end.or(memchr::memrchr(b'"', &line[body..]).map(|step| body + step)) {
                Some(end) => &line[body..end],
                None => line[body..].trim_ascii_end(),
            }
        }
    };
    tag(value, line.len(), TagForm::Broken)
}

/// [`value_end`] of a value with carriage returns; the first one is at `end`.
fn value_end_beyond(text: &[u8], mut end: usize) -> Option<(usize, usize, TagForm)> {
    while let Some(next) = value_goes_on(text, end) {
        if let Some(found) = value_end(&text[..next], end + 1) {
            return Some(found);
        }
        end = next;
    }
    None
}

/// The end of the value that begins at `body`, the end of its tag, and the form. The value ends at
/// the first unescaped `"]` before the end of the line, another tag, a comment or move text; if
/// there is none, at the first unescaped `"]`, and otherwise at an escaped one.
fn value_end(line: &[u8], body: usize) -> Option<(usize, usize, TagForm)> {
    let mut ends = ValueEnds::default();
    let mut escaped_ends = ValueEnds::default();
    let mut escaped = 0;
    for at in memchr::memchr_iter(b'"', &line[body..]).map(|step| body + step) {
        let close = at + 1 + spaces(&line[at + 1..]);
        if line.get(close) != Some(&b']') {
            continue;
        }
        let slashes = line[body..at].iter().rev().take_while(|&&byte| byte == b'\\');
        if slashes.count() % 2 == 1 {
            escaped_ends.add(line, (at, close + 1));
            escaped += 1;
            if escaped > MAX_ESCAPED_ENDS {
                break;
            }
        } else if ends.add(line, (at, close + 1)) {
            break;
        }
    }
    ends.best().or(escaped_ends.best())
}

/// The possible ends of a value: the offset of the quote, and the end of the tag.
#[derive(Default)]
struct ValueEnds {
    first: Option<(usize, usize)>,
    /// The first end before text that may come after a tag.
    fitting: Option<(usize, usize)>,
}

impl ValueEnds {
    /// Adds an end. Returns whether a fitting end is known; then later ends do not matter.
    fn add(&mut self, line: &[u8], end: (usize, usize)) -> bool {
        self.first.get_or_insert(end);
        if self.fitting.is_none() && may_follow(&line[end.1..]) {
            self.fitting = Some(end);
        }
        self.fitting.is_some()
    }

    fn best(&self) -> Option<(usize, usize, TagForm)> {
        let (at, end) = self.fitting.or(self.first)?;
        let form = if self.first == Some((at, end)) { TagForm::Sound } else { TagForm::Doubtful };
        Some((at, end, form))
    }
}

/// Whether the rest of a line may come after a tag.
fn may_follow(rest: &[u8]) -> bool {
    let rest = &rest[spaces(rest)..];
    match rest.first() {
        None | Some(b'\r' | b'\n' | b'[' | b';' | b'%' | b'{' | b'}' | b'(' | b')') => true,
        Some(b'$' | b'*' | b'.' | b'0'..=b'9') => true,
        Some(_) => crate::token::begins_with_move(rest),
    }
}

/// Skips plain tags, each on its line, whose names do not begin with F or V, as most tags are.
/// Returns the start of the line after them.
pub(crate) fn skip_usual(text: &[u8], mut at: usize) -> usize {
    while let [b'[', first, ..] = text[at..]
        && !matches!(first, b'F' | b'V')
        && let Some(tag) = plain_tag(text, at)
    {
        at = next_line(text, tag.end);
    }
    at
}

/// Scans the tag section. Calls `f` with each tag that is not well formed, or whose name begins
/// with F or V, as `FEN` and `Variant` do. Returns the end of the section.
pub(crate) fn skip_section<'a>(text: &'a [u8], mut f: impl FnMut(RawTag<'a>)) -> usize {
    let mut scanner = TagScanner::new(text, skip_usual(text, 0));
    for tag in scanner.by_ref() {
        if tag.form != TagForm::Sound || matches!(tag.name.first(), Some(b'F' | b'V')) {
            f(tag);
        }
    }
    scanner.at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(String, String)> {
        let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        section(text.as_bytes()).map(|(name, value)| (string(name), string(value))).collect()
    }

    #[test]
    fn tags_on_one_line_are_both_read() {
        let tags = all("[A \"1\"] [B \"2\"]\r\n\n[C \"x \\\"y\\\" z\"]\n1. e4 [D \"no\"]");
        let names: Vec<_> = tags.iter().map(|tag| tag.0.as_str()).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_eq!(tags[1].1, "2");
        assert_eq!(tags[2].1, "x \\\"y\\\" z");
    }

    #[test]
    fn odd_lines() {
        assert_eq!(all("\u{feff}[A \"the \"big\" one\"]")[0].1, "the \"big\" one");
        assert_eq!(all("[A \"x\" rest]\n[B \"\"]")[0].1, "x");
        assert_eq!(all("[A \"cut\n[B \"2\"]").len(), 2);
        assert_eq!(all("[Empty \"\"]")[0], ("Empty".into(), String::new()));
    }

    /// The characters of a symbol (PGN standard, 7), and a dot.
    #[test]
    fn bytes_of_names() {
        for byte in 0..=u8::MAX {
            let is_known = byte.is_ascii_alphanumeric() || b"_+#=:-.".contains(&byte);
            assert_eq!(is_name_byte(byte), is_known, "{byte}");
        }
    }

    #[test]
    fn skipping_and_cutting_agree() {
        let text = b"[Event \"a\"]\n[FEN \"f\"]\r\n\n[X \"1\"] [Y \"2\"]\n[Broken\n\n1. e4";
        let mut names = Vec::new();
        let end = skip_section(text, |tag| names.push((tag.name, tag.form)));
        assert_eq!(text[end..].trim_ascii_start(), b"1. e4");
        assert_eq!(names, [(&b"FEN"[..], TagForm::Sound), (b"Broken", TagForm::Broken)]);
    }
}
