//! Words and blanks on lines of limited width (evaluation-and-output.md section 8.2).

/// Places words and blanks; `column` counts from the last line end.
///
/// A blank is put when the next word comes, so that whoever writes the word may drop it.
pub(super) struct Lines<'o> {
    out: &'o mut Vec<u8>,
    column: usize,
    width: usize,
    blank: bool,
}

impl<'o> Lines<'o> {
    pub(super) fn new(out: &'o mut Vec<u8>, width: usize) -> Lines<'o> {
        Lines {
            out,
            column: 0,
            width,
            blank: false,
        }
    }

    pub(super) fn line_end(&mut self) {
        self.flush();
        self.out.push(b'\n');
        self.column = 0;
    }

    /// Puts a word, on a new line if this one has no room for it.
    pub(super) fn word(&mut self, word: &[u8]) {
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
            self.out.push(b'\n');
            self.column = 0;
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
                if byte == b' ' {
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
