//! Positions: lines and columns of the protocol, and bytes of the text.

use babson::Span;
use lsp_types::{Position, PositionEncodingKind, Range};

/// The unit in which the client counts columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The first of the client's units that is UTF-8 or known; UTF-16 is always allowed.
    pub(crate) fn negotiate(offered: &[PositionEncodingKind]) -> Encoding {
        if offered.contains(&PositionEncodingKind::UTF8) {
            return Encoding::Utf8;
        }
        let known = offered.iter().find_map(|kind| match kind.as_str() {
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        });
        known.unwrap_or_default()
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The units of a text.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        }
    }
}

/// Where the lines of a text begin, and how wide its characters are. A line ends with `\n`, `\r\n`
/// or `\r`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineIndex {
    starts: Vec<usize>,
    /// The characters that are not ASCII, in the order of the text. With them a position on a line
    /// of a million characters is found as fast as on a short one.
    wide: Vec<WideChar>,
}

/// A character of several bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WideChar {
    /// The byte after it.
    end: usize,
    /// The units of UTF-16 from the begin of the text to its end.
    utf16: usize,
    /// The characters from the begin of the text to its end.
    chars: usize,
    letter: char,
}

impl WideChar {
    fn units(&self, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => self.end,
            Encoding::Utf16 => self.utf16,
            Encoding::Utf32 => self.chars,
        }
    }
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends = byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at + 1);
            }
        }
        let mut wide: Vec<WideChar> = Vec::new();
        for (at, letter) in text.char_indices().filter(|(_, letter)| !letter.is_ascii()) {
            let before = wide.last().map_or((0, 0, 0), |one| (one.end, one.utf16, one.chars));
            wide.push(WideChar {
                end: at + letter.len_utf8(),
                utf16: before.1 + (at - before.0) + letter.len_utf16(),
                chars: before.2 + (at - before.0) + 1,
                letter,
            });
        }
        LineIndex { starts, wide }
    }

    /// The units from the begin of the text to a byte.
    fn units(&self, offset: usize, encoding: Encoding) -> usize {
        let before = self.wide.partition_point(|one| one.end <= offset);
        match before.checked_sub(1).map(|at| self.wide[at]) {
            Some(last) => last.units(encoding) + (offset - last.end),
            None => offset,
        }
    }

    /// The bytes of a line without its end.
    fn line(&self, text: &str, line: usize) -> std::ops::Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        let next = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text.get(start..next).unwrap_or_default();
        start..start + content.trim_end_matches(['\r', '\n']).len()
    }

    /// The byte of a position. One beyond the end of a line is its end, and one beyond the last
    /// line the end of the text. One within a character is its start.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let line = self.line(text, position.line as usize);
        let wanted = self.units(line.start, encoding).saturating_add(position.character as usize);
        let after = self.wide.partition_point(|one| one.units(encoding) <= wanted);
        let (end, units) = match after.checked_sub(1).map(|at| self.wide[at]) {
            Some(last) => (last.end, last.units(encoding)),
            None => (0, 0),
        };
        let offset = end.saturating_add(wanted - units);
        let next = self.wide.get(after).map(|one| one.end - one.letter.len_utf8());
        offset.min(next.unwrap_or(usize::MAX)).clamp(line.start, line.end)
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let column = self.units(offset, encoding) - self.units(self.starts[line], encoding);
        Position::new(number(line), number(column))
    }

    /// The range of a span.
    pub(crate) fn range(&self, text: &str, span: Span, encoding: Encoding) -> Range {
        let position = |at: u32| self.position(text, at as usize, encoding);
        Range::new(position(span.start), position(span.end.max(span.start)))
    }

    /// The span of a range. The ends of a range that is turned around are exchanged.
    pub(crate) fn span(&self, text: &str, range: Range, encoding: Encoding) -> Span {
        let offset = |position| number(self.offset(text, position, encoding));
        let (start, end) = (offset(range.start), offset(range.end));
        Span::new(start.min(end), start.max(end))
    }
}

pub(crate) fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_client() {
        let text = "♕a1 𝄞x\r\n\rlast";
        let lines = LineIndex::new(text);
        let of = |line, character, encoding| {
            lines.offset(text, Position::new(line, character), encoding)
        };
        // The figurine is one unit of UTF-16, the clef two.
        assert_eq!(of(0, 1, Encoding::Utf16), 3);
        assert_eq!(of(0, 6, Encoding::Utf16), 10);
        assert_eq!(of(0, 5, Encoding::Utf16), 6, "a half of a character is its start");
        assert_eq!(of(0, 5, Encoding::Utf32), 10);
        assert_eq!(of(0, 6, Encoding::Utf8), 6);
        assert_eq!(of(0, 99, Encoding::Utf16), 11, "the end of the line");
        assert_eq!(of(1, 7, Encoding::Utf16), 13);
        assert_eq!(of(2, 2, Encoding::Utf16), 16);
        assert_eq!(of(99, 0, Encoding::Utf16), text.len());
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, _) in text.char_indices().filter(|&(at, _)| at != 12) {
                let position = lines.position(text, offset, encoding);
                assert_eq!(lines.offset(text, position, encoding), offset, "{position:?}");
            }
        }
    }

    #[test]
    fn the_unit_is_negotiated() {
        let kinds = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::negotiate(&kinds), Encoding::Utf8);
        assert_eq!(Encoding::negotiate(&[]), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(&[PositionEncodingKind::UTF32]), Encoding::Utf32);
    }
}
