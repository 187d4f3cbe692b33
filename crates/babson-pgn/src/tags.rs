//! The tag section, read lazily, and the normal forms of tag values.

use memchr::memchr2;

pub mod cql6;
pub mod normal;

/// The tag section at the beginning of a game's text.
pub fn section(text: &[u8]) -> Tags<'_> {
    Tags { text, at: 0 }
}

/// Iterator over the tags of a game: name and value, as they stand in the file.
#[derive(Clone, Debug)]
pub struct Tags<'a> {
    text: &'a [u8],
    at: usize,
}

/// One tag as the section's scanner sees it.
pub(crate) struct RawTag<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) value: &'a [u8],
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) well_formed: bool,
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

/// Skips white space and bytes above 127 (byte-order marks).
pub(crate) fn skip_blank(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| byte > b' ' && byte < 0x80)
        .unwrap_or(rest.len())
}

fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| byte != b' ' && byte != b'\t')
        .unwrap_or(rest.len())
}

/// The tag whose `[` stands at `open`.
pub(crate) fn tag_at(text: &[u8], open: usize) -> RawTag<'_> {
    let line_end = crate::scan::line_end(text, open);
    let name_start = skip_space(&text[..line_end], open + 1);
    let line = &text[..line_end];
    let name_len = line[name_start..]
        .iter()
        .take_while(|&&byte| is_name_byte(byte))
        .count();
    let name = &line[name_start..name_start + name_len];
    let quote = skip_space(line, name_start + name_len);
    let broken = |end: usize, value| RawTag {
        name,
        value,
        start: open,
        end,
        well_formed: false,
    };
    if line.get(quote) != Some(&b'"') || name.is_empty() {
        let value = line[(name_start + name_len).min(line.len())..].trim_ascii();
        return broken(line_end, value.strip_suffix(b"]").unwrap_or(value));
    }
    let body = quote + 1;
    let mut last = None;
    for at in memchr::memchr_iter(b'"', &line[body..]).map(|step| body + step) {
        last = Some(at);
        if line[at - 1] == b'\\' && at > body {
            continue;
        }
        let close = skip_space(line, at + 1);
        if line.get(close) == Some(&b']') {
            let next = skip_space(line, close + 1);
            if matches!(line.get(next), None | Some(b'\r' | b'[' | b';' | b'%')) {
                let value = &line[body..at];
                return RawTag {
                    name,
                    value,
                    start: open,
                    end: close + 1,
                    well_formed: true,
                };
            }
        }
    }
    match last {
        // From the first quote to the last one of the line; the rest is ignored.
        Some(at) => {
            let well_formed = line.get(skip_space(line, at + 1)) == Some(&b']');
            RawTag {
                name,
                value: &line[body..at],
                start: open,
                end: line_end,
                well_formed,
            }
        }
        None => broken(line_end, line[body..].trim_ascii_end()),
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        loop {
            self.at = skip_blank(self.text, self.at);
            if self.text.get(self.at) != Some(&b'[') {
                return None;
            }
            let tag = tag_at(self.text, self.at);
            self.at = tag.end.max(self.at + 1);
            if !tag.name.is_empty() {
                return Some((tag.name, tag.value));
            }
        }
    }
}

/// Walks over the tag section: calls `seen` with every tag that may be of interest (any whose
/// line is not a plain `[Name "value"]` or whose name begins with F or V), returns its end.
pub(crate) fn skip_section<'a>(text: &'a [u8], mut seen: impl FnMut(RawTag<'a>)) -> usize {
    let mut at = 0;
    loop {
        let start = at;
        at = match text.get(at) {
            Some(b'[') => at,
            _ => skip_blank(text, at),
        };
        if text.get(at) != Some(&b'[') {
            return start;
        }
        let rest = &text[at + 1..];
        let end = memchr2(b'\n', b'[', rest).unwrap_or(rest.len());
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        let plain = rest.get(end) != Some(&b'[')
            && line.ends_with(b"\"]")
            && !matches!(line[0], b'F' | b'V')
            && is_plain(line);
        if plain {
            at += 1 + end + 1;
            at = at.min(text.len());
        } else {
            let tag = tag_at(text, at);
            at = tag.end.max(at + 1);
            seen(tag);
        }
    }
}

/// Whether the line (after its `[`) has a name and a quote where they should be.
fn is_plain(line: &[u8]) -> bool {
    let name = line.iter().take_while(|&&byte| is_name_byte(byte)).count();
    name > 0
        && line.get(name) == Some(&b' ')
        && line.get(name + 1) == Some(&b'"')
        && line.len() > name + 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(String, String)> {
        let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        section(text.as_bytes())
            .map(|(name, value)| (string(name), string(value)))
            .collect()
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
        assert_eq!(
            all("\u{feff}[A \"the \"big\" one\"]")[0].1,
            "the \"big\" one"
        );
        assert_eq!(all("[A \"x\" rest]\n[B \"\"]")[0].1, "x");
        assert_eq!(all("[A \"cut\n[B \"2\"]").len(), 2);
        assert_eq!(all("[Empty \"\"]")[0], ("Empty".into(), String::new()));
    }

    #[test]
    fn skipping_and_cutting_agree() {
        let text = b"[Event \"a\"]\n[FEN \"f\"]\r\n\n[X \"1\"] [Y \"2\"]\n[Broken\n\n1. e4";
        let mut names = Vec::new();
        let end = skip_section(text, |tag| names.push((tag.name, tag.well_formed)));
        assert_eq!(text[end..].trim_ascii_start(), b"1. e4");
        assert_eq!(
            names,
            [(&b"FEN"[..], true), (b"X", true), (b"Broken", false)]
        );
    }
}
