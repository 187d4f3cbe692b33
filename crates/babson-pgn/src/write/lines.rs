//! Words and blanks on lines of limited width.

use crate::tags::{is_lead, is_name_byte};

/// Places words and blanks; `column` counts from the last line end.
///
/// A blank is put when the next word comes, so that whoever writes the word may drop it.
pub(super) struct Lines<'o> {
    out: &'o mut Vec<u8>,
    column: usize,
    width: usize,
    blank: bool,
    /// Where the text begins that is written here, if no line of it may end in a blank.
    trimmed_from: Option<usize>,
}

impl<'o> Lines<'o> {
    /// Appends to `out`. CQL 6.2 leaves `blanks_at_line_ends`.
    pub(super) fn new(out: &'o mut Vec<u8>, width: usize, blanks_at_line_ends: bool) -> Lines<'o> {
        Lines {
            trimmed_from: (!blanks_at_line_ends).then_some(out.len()),
            out,
            column: 0,
            width,
            blank: false,
        }
    }

    pub(super) fn line_end(&mut self) {
        self.flush();
        self.break_line();
    }

    fn break_line(&mut self) {
        if let Some(from) = self.trimmed_from {
            let is_blank = |byte: &u8| byte.is_ascii_whitespace() && *byte != b'\n';
            while self.out.len() > from && self.out.last().is_some_and(is_blank) {
                self.out.pop();
            }
        }
        self.out.push(b'\n');
        self.column = 0;
    }

    /// Puts a word, on a new line if this one has no room for it.
    pub(super) fn word(&mut self, word: &[u8]) {
        if self.trimmed_from.is_some() && may_begin_tag(word) {
            // It stays on its line whatever the column, or it would begin a game.
            if std::mem::take(&mut self.blank) {
                self.raw(b" ");
            }
            return self.raw(word);
        }
        self.flush();
        if self.column + word.len() > self.width && self.column > 0 {
            self.line_end();
        }
        self.raw(word);
    }

    /// Puts a word without a look at the column.
    pub(super) fn raw(&mut self, word: &[u8]) {
        self.flush();
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    /// Asks for a blank before the next word.
    pub(super) fn blank(&mut self) {
        self.flush();
        self.blank = true;
    }

    /// Takes back the blank that was asked for last.
    pub(super) fn drop_blank(&mut self) {
        self.blank = false;
    }

    fn flush(&mut self) {
        if !std::mem::take(&mut self.blank) {
            return;
        }
        if self.column + 1 > self.width {
            self.break_line();
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    /// Text with its own blanks and line ends.
    pub(super) fn text(&mut self, text: &[u8]) {
        let mut from = 0;
        for (at, &byte) in text.iter().enumerate() {
            if byte == b' ' || byte == b'\n' {
                if at > from {
                    self.word(&text[from..at]);
                }
                let tag = || self.trimmed_from.is_some() && may_begin_tag(&text[at + 1..]);
                if byte == b' ' || tag() {
                    self.blank()
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

/// Whether text that begins so is taken for a tag at the beginning of a line.
fn may_begin_tag(text: &[u8]) -> bool {
    let text = &text[text.iter().take_while(|&&byte| is_lead(byte)).count()..];
    let Some(name) = text.strip_prefix(b"[") else {
        return false;
    };
    let rest = name.iter().find(|&&byte| !is_name_byte(byte));
    rest.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'"'))
}
