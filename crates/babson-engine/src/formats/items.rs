//! The items of an output that is one JSON array: what comes between the matches.

use super::FileFormat;
use crate::sink::TextSlice;

/// Which matches of a file have been written.
#[derive(Debug)]
pub(crate) struct Items {
    is_array: bool,
    /// Whether an item has been written.
    any: bool,
    /// Whether nothing of the last match has been written. A match perhaps has no item.
    begins: bool,
}

impl Items {
    /// The items of a file in this format. Other formats have nothing between matches.
    pub(crate) fn of(format: FileFormat) -> Items {
        Items { is_array: format == FileFormat::Json, any: false, begins: false }
    }

    /// What comes before a slice of the text of a match.
    pub(crate) fn before(&mut self, slice: &TextSlice<'_>) -> &'static str {
        self.begins |= slice.first;
        if !self.is_array || !self.begins || slice.bytes.is_empty() {
            return "";
        }
        self.begins = false;
        if std::mem::replace(&mut self.any, true) { ",\n" } else { "\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: FileFormat, slices: &[(&str, bool)]) -> String {
        let mut items = Items::of(format);
        let mut text = String::new();
        for (bytes, first) in slices {
            let slice = TextSlice { file: None, bytes: bytes.as_bytes(), first: *first };
            text += items.before(&slice);
            text += bytes;
        }
        text
    }

    #[test]
    fn items_have_commas_between_them() {
        let slices = [("a", true), ("b", false), ("", true), ("c", true), ("", true), ("d", false)];
        assert_eq!(text(FileFormat::Json, &slices), "\nab,\nc,\nd");
        assert_eq!(text(FileFormat::Json, &[("", true)]), "");
        assert_eq!(text(FileFormat::Jsonl, &slices), "abcd");
    }
}
