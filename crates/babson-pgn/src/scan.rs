//! Finding the ends of lines, comments and variations, in linear time; classes of bytes.

use memchr::{memchr, memchr2, memrchr2};

use crate::limits::MAX_OPEN_BRACKETS;

/// Whether the byte is whitespace or another control character.
#[inline]
pub(crate) fn is_whitespace(byte: u8) -> bool {
    byte <= b' '
}

/// Whether a line may have the byte before its first `[`: whitespace, or a byte above 127, as in a
/// byte-order mark.
#[inline]
pub(crate) fn is_lead(byte: u8) -> bool {
    is_whitespace(byte) && !is_line_end(byte) || byte >= 0x80
}

/// The ends of comments in one text.
///
/// Comments nest. A comment whose braces are not balanced ends at its first `}`. The unbalanced
/// opening braces are found once for each text, so that the time is linear.
#[derive(Clone, Debug, Default)]
pub(crate) struct Braces {
    /// The offsets of unbalanced opening braces.
    unmatched: Vec<usize>,
    /// Whether `unmatched` is filled in.
    known: bool,
    /// Whether there are too many unbalanced braces: then each nested comment ends at its first
    /// `}`.
    overflow: bool,
}

impl Braces {
    pub(crate) fn clear(&mut self) {
        self.unmatched.clear();
        self.overflow = false;
        self.known = false;
    }

    /// The offset of the `}` that ends the comment whose `{` is at `open`.
    pub(crate) fn close(&mut self, text: &[u8], open: usize) -> Option<usize> {
        let body = open + 1;
        let first = body + memchr2(b'{', b'}', text.get(body..)?)?;
        if text[first] == b'}' {
            return Some(first);
        }
        self.close_nested(text, open)
    }

    #[cold]
    fn close_nested(&mut self, text: &[u8], open: usize) -> Option<usize> {
        if !self.overflow && (!self.known || self.unmatched.binary_search(&open).is_err()) {
            let mut depth = 0usize;
            let mut at = open;
            while let Some(step) = memchr2(b'{', b'}', &text[at..]) {
                let here = at + step;
                if text[here] == b'{' {
                    depth += 1;
                } else {
                    depth -= 1;
                    if depth == 0 {
                        return Some(here);
                    }
                }
                at = here + 1;
            }
            self.find_unmatched(text, open);
        }
        memchr(b'}', &text[open..]).map(|step| open + step)
    }

    fn find_unmatched(&mut self, text: &[u8], from: usize) {
        self.known = true;
        self.unmatched.clear();
        let mut at = from;
        while let Some(step) = memchr2(b'{', b'}', &text[at..]) {
            let here = at + step;
            if text[here] == b'{' {
                if self.unmatched.len() >= MAX_OPEN_BRACKETS {
                    self.unmatched.clear();
                    self.overflow = true;
                    return;
                }
                self.unmatched.push(here);
            } else {
                self.unmatched.pop();
            }
            at = here + 1;
        }
    }
}

/// Whether the byte ends a line: a line feed or a carriage return.
#[inline]
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The end of the line of `at`: the offset of its line end, or the end of the text.
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr2(b'\n', b'\r', rest)).map_or(text.len(), |step| at + step)
}

/// A carriage return inside a tag value does not end the value, unless a line end or a line that
/// begins with `[` follows. If a value continues after the line end at `end`: the end of the line
/// after it.
pub(crate) fn value_goes_on(text: &[u8], end: usize) -> Option<usize> {
    let rest = text.get(end..)?.strip_prefix(b"\r")?;
    let next = rest.iter().find(|&&byte| !is_lead(byte))?;
    (*next != b'[' && !is_line_end(*next)).then(|| line_end(text, end + 1))
}

/// The start of the line after the one that ends at `end`.
#[inline]
pub(crate) fn next_line(text: &[u8], end: usize) -> usize {
    match text.get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([_, ..]) => end + 1,
        _ => end,
    }
}

/// The start of the line of `at`.
pub(crate) fn line_start(text: &[u8], at: usize) -> usize {
    memrchr2(b'\n', b'\r', &text[..at]).map_or(0, |end| end + 1)
}

/// The number of line ends.
pub(crate) fn line_ends(text: &[u8]) -> usize {
    let ends = |(at, &byte): (usize, &u8)| match byte {
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        byte => byte == b'\n',
    };
    text.iter().enumerate().filter(|&byte| ends(byte)).count()
}

/// Whether the offset is the start of a line, where `%` escapes the line (PGN 6).
pub(crate) fn in_first_column(text: &[u8], at: usize) -> bool {
    at == 0 || is_line_end(text[at - 1])
}

/// The bytes that matter in the search for the end of a variation.
static NESTING: [bool; 256] = {
    let mut table = [false; 256];
    table[b'(' as usize] = true;
    table[b')' as usize] = true;
    table[b'{' as usize] = true;
    table[b';' as usize] = true;
    table[b'%' as usize] = true;
    table
};

/// The next parenthesis outside comments, at or after `at`.
fn next_parenthesis(text: &[u8], mut at: usize, braces: &mut Braces) -> Option<usize> {
    loop {
        at += text.get(at..)?.iter().position(|&byte| NESTING[byte as usize])?;
        match text[at] {
            b'(' | b')' => return Some(at),
            b'{' => at = braces.close(text, at)? + 1,
            b'%' if !in_first_column(text, at) => at += 1,
            _ => at = line_end(text, at),
        }
    }
}

/// The offset of the `)` of the variation whose `(` is at `open`.
pub(crate) fn variation_end(text: &[u8], open: usize, braces: &mut Braces) -> Option<usize> {
    let mut depth = 1usize;
    let mut at = open + 1;
    loop {
        let here = next_parenthesis(text, at, braces)?;
        at = here + 1;
        if text[here] == b'(' {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 {
                return Some(here);
            }
        }
    }
}

/// The ends of all variations of a text. One pass finds them, so that the time is linear also for
/// deeply nested variations.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariationEnds {
    /// By offset, the offsets of each `(` and its `)`; `usize::MAX` if it has none.
    pairs: Vec<(usize, usize)>,
    /// The indices in `pairs` of the variations that are open during the pass.
    open: Vec<usize>,
    /// Whether the pass is done.
    known: bool,
}

impl VariationEnds {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.known = false;
    }

    /// The offset of the `)` of the `(` at `open`. The first call scans the text from there.
    pub(crate) fn close(&mut self, text: &[u8], open: usize, braces: &mut Braces) -> Option<usize> {
        if !self.known {
            self.known = true;
            self.open.clear();
            let mut at = open;
            while let Some(here) = next_parenthesis(text, at, braces) {
                at = here + 1;
                if self.pairs.len() >= MAX_OPEN_BRACKETS {
                    break;
                }
                if text[here] == b'(' {
                    self.open.push(self.pairs.len());
                    self.pairs.push((here, usize::MAX));
                } else if let Some(index) = self.open.pop() {
                    self.pairs[index].1 = here;
                }
            }
        }
        match self.pairs.binary_search_by_key(&open, |pair| pair.0) {
            Ok(index) => Some(self.pairs[index].1).filter(|&close| close != usize::MAX),
            // A variation after the limit counts as one without an end.
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unbalanced_comments_end_at_the_first_brace() {
        let close = |text: &[u8]| Braces::default().close(text, 0);
        assert_eq!(close(b"{a {b} c} d}"), Some(8));
        assert_eq!(close(b"{a {b c} d"), Some(7));
        assert_eq!(close(b"{a"), None);
        let mut braces = Braces::default();
        let text = b"{x { } {a {b} c} e";
        assert_eq!(braces.close(text, 0), Some(5));
        assert_eq!(braces.close(text, 7), Some(15));
    }

    #[test]
    fn after_too_many_open_braces_no_comment_nests() {
        let open = MAX_OPEN_BRACKETS + 1;
        let text = "{".repeat(open) + "{a {b} c}";
        let mut braces = Braces::default();
        assert_eq!(braces.close(text.as_bytes(), open), Some(open + 8));
        assert_eq!(braces.close(text.as_bytes(), 0), Some(open + 5));
        assert_eq!(braces.close(text.as_bytes(), open), Some(open + 5));
    }

    #[test]
    fn variations_see_comments() {
        let text = b"(e4 {)} ; )\n% )\n (d4) )";
        assert_eq!(variation_end(text, 0, &mut Braces::default()), Some(text.len() - 1));
        assert_eq!(
            VariationEnds::default().close(text, 0, &mut Braces::default()),
            Some(text.len() - 1)
        );
        assert_eq!(variation_end(b"(e4 (", 0, &mut Braces::default()), None);
    }
}
