//! Writing words and spaces on lines of limited width.

use super::short_word::ShortWord;
use crate::limits::MAX_REST;
use crate::scan::is_lead;
use crate::tags::is_name_byte;

/// A writer of words and spaces that breaks lines.
///
/// A space is written before the next word, so that it can be dropped until then.
pub(super) struct LineWriter<'o> {
    out: &'o mut Vec<u8>,
    /// The bytes after the last line end.
    column: usize,
    width: usize,
    space: bool,
    /// The start of the text that this writer writes, if spaces at line ends are dropped.
    trimmed_from: Option<usize>,
}

impl<'o> LineWriter<'o> {
    /// A writer that appends to `out`. `spaces_at_line_ends`: keeps them, as CQL 6.2 does.
    pub(super) fn new(
        out: &'o mut Vec<u8>,
        width: usize,
        spaces_at_line_ends: bool,
    ) -> LineWriter<'o> {
        LineWriter {
            trimmed_from: (!spaces_at_line_ends).then_some(out.len()),
            out,
            column: 0,
            width,
            space: false,
        }
    }

    /// Ends the line, after a space that was asked for.
    pub(super) fn line_end(&mut self) {
        self.flush();
        self.break_line();
    }

    #[inline(never)]
    fn break_line(&mut self) {
        if let Some(from) = self.trimmed_from {
            let is_space = |byte: &u8| byte.is_ascii_whitespace() && *byte != b'\n';
            while self.out.len() > from && self.out.last().is_some_and(is_space) {
                self.out.pop();
            }
        }
        self.out.push(b'\n');
        self.column = 0;
    }

    /// Writes a word, on a new line if the current line has no room for it.
    pub(super) fn word(&mut self, word: &[u8]) {
        if self.trimmed_from.is_some() && may_begin_tag(word) {
            // At the beginning of a line the word could begin a game.
            if std::mem::take(&mut self.space) {
                self.raw(b" ");
            }
            return self.raw(word);
        }
        self.begin(word.len());
        self.out.extend_from_slice(word);
    }

    /// Writes a word of several parts that cannot begin a tag.
    #[inline(always)]
    pub(super) fn short<const PARTS: usize>(&mut self, parts: [ShortWord; PARTS]) {
        let len = parts.iter().map(|part| part.len()).sum();
        if self.fits(len) {
            if std::mem::take(&mut self.space) {
                self.out.push(b' ');
                self.column += 1;
            }
            self.column += len;
        } else {
            self.begin(len);
        }
        for part in parts {
            part.append_to(self.out);
        }
    }

    /// Whether the current line has room for `len` bytes of text, after a pending space.
    #[inline(always)]
    pub(super) fn fits(&self, len: usize) -> bool {
        self.column + usize::from(self.space) + len <= self.width
    }

    /// Calls `fill` with the rest of the current line, which may take only a part of a long line. A
    /// space must be [pending](LineWriter::has_space).
    #[inline(always)]
    pub(super) fn fill<T>(&mut self, fill: impl FnOnce(&mut LineRest<'_>) -> T) -> T {
        let begin = self.out.len();
        let room = self.width.saturating_sub(self.column).min(MAX_REST);
        self.out.resize(begin + room + LineRest::MARGIN, 0);
        let mut rest = LineRest { bytes: &mut self.out[begin..], len: 0, room };
        let result = fill(&mut rest);
        let len = rest.len;
        self.out.truncate(begin + len);
        self.column += len;
        result
    }

    /// Whether a space is written before the next word.
    pub(super) fn has_space(&self) -> bool {
        self.space
    }

    /// Makes room for a word of `len` bytes. Begins a new line if the current line has no room.
    #[inline(never)]
    fn begin(&mut self, len: usize) {
        self.flush();
        if self.column + len > self.width && self.column > 0 {
            self.break_line();
        }
        self.column += len;
    }

    /// Writes a word on the current line.
    pub(super) fn raw(&mut self, word: &[u8]) {
        self.flush();
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Adds a space before the next word.
    pub(super) fn space(&mut self) {
        self.flush();
        self.space = true;
    }

    /// Drops the space before the next word.
    pub(super) fn drop_space(&mut self) {
        self.space = false;
    }

    #[inline]
    fn flush(&mut self) {
        if !std::mem::take(&mut self.space) {
            return;
        }
        if self.column + 1 > self.width {
            self.break_line();
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    /// Writes the words of a text with its spaces and line ends.
    pub(super) fn text(&mut self, text: &[u8]) {
        let mut from = 0;
        for (at, &byte) in text.iter().enumerate() {
            if byte == b' ' || byte == b'\n' {
                if at > from {
                    self.word(&text[from..at]);
                }
                let tag = || self.trimmed_from.is_some() && may_begin_tag(&text[at + 1..]);
                if byte == b' ' || tag() {
                    self.space()
                } else {
                    self.line_end()
                }
                from = at + 1;
            }
        }
        if from < text.len() {
            self.word(&text[from..]);
        }
    }
}

/// The rest of a line, for short words, each after a space. Its bytes are there before they are
/// written, so that a word takes no more than two stores and the sum of two lengths.
pub(super) struct LineRest<'l> {
    /// The rest of the line, and a margin after it.
    bytes: &'l mut [u8],
    /// The number of bytes that are written.
    len: usize,
    room: usize,
}

impl LineRest<'_> {
    /// What is copied beyond the end of a word is at most this long.
    const MARGIN: usize = 8;

    /// Writes a space and a word of two parts that cannot begin a tag, the first one of at most
    /// seven bytes. Returns false, without writing it, if the line is too short for it.
    #[inline(always)]
    pub(super) fn push(&mut self, first: ShortWord, second: ShortWord) -> bool {
        let first = ShortWord::SPACE.then(first);
        let end = self.len + first.len() + second.len();
        if end > self.room {
            return false;
        }
        first.store(self.bytes, self.len);
        second.store(self.bytes, self.len + first.len());
        self.len = end;
        true
    }
}

/// Whether the text could be read as a tag if it began a line.
fn may_begin_tag(text: &[u8]) -> bool {
    let text = &text[text.iter().take_while(|&&byte| is_lead(byte)).count()..];
    let Some(name) = text.strip_prefix(b"[") else {
        return false;
    };
    let rest = name.iter().find(|&&byte| !is_name_byte(byte));
    rest.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'"'))
}
