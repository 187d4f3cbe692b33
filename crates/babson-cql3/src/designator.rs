//! The meaning of piece designators. The lexer has checked their form.

use babson_lang::hir::Content;

use crate::tree::{Cql3Designator, Pieces};

/// The designator that the text of a designator token means.
pub(super) fn decode(atom: &str) -> Cql3Designator {
    let (pieces, squares) = match split(atom) {
        Some(parts) => parts,
        // `[Re8]` means `Re8` (docs/src/language/cql3.md#points-that-the-manual-leaves-open).
        None => {
            let inner = atom.trim_start_matches('[');
            split(inner.strip_suffix(']').unwrap_or(inner)).unwrap_or((Pieces::Kinds(NONE), ""))
        }
    };
    Cql3Designator { pieces, squares: self::squares(squares) }
}

const NONE: Content = Content(0);

/// The pieces, and the text of the square part.
fn split(atom: &str) -> Option<(Pieces, &str)> {
    if let Some(rest) = atom.strip_prefix('$') {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        return Some((Pieces::Tag(rest[..end].to_owned()), &rest[end..]));
    }
    if let Some(rest) = atom.strip_prefix('[') {
        let (set, rest) = rest.split_once(']')?;
        let mut content = 0;
        for c in set.chars() {
            content |= kinds(c)?.0;
        }
        return Some((Pieces::Kinds(Content(content)), rest));
    }
    let first = atom.chars().next()?;
    Some((Pieces::Kinds(kinds(first)?), &atom[first.len_utf8()..]))
}

/// The pieces that a letter means.
fn kinds(c: char) -> Option<Content> {
    Some(match c {
        '.' => Content::EMPTY,
        'A' => Content::WHITE,
        'a' => Content::BLACK,
        'M' => Content(1 << 3 | 1 << 4),
        'm' => Content((1 << 3 | 1 << 4) << 6),
        'I' => Content(1 << 1 | 1 << 2),
        'i' => Content((1 << 1 | 1 << 2) << 6),
        'U' => Content(Content::WHITE.0 | Content::BLACK.0),
        '?' => Content::ANY,
        c => Content::of_letter(u8::try_from(c).ok()?)?,
    })
}

/// The squares of a square part, or all squares if it is empty.
fn squares(text: &str) -> u64 {
    if text.is_empty() {
        return !0;
    }
    let list = text.trim_start_matches('[').trim_end_matches(']');
    list.split(',').map(part).fold(0, |all, part| all | part)
}

/// `FILES RANKS`
fn part(text: &str) -> u64 {
    let rank_at = text
        .char_indices()
        .skip(1)
        .find(|&(i, c)| c.is_ascii_digit() || c == '?' && !text[..i].ends_with('-'));
    let Some((at, _)) = rank_at else { return 0 };
    let (files, ranks) = (axis(&text[..at], b'a'), axis(&text[at..], b'1'));
    let mut squares = 0;
    for rank in ranks {
        for file in files.clone() {
            squares |= 1 << (rank * 8 + file);
        }
    }
    squares
}

/// The coordinates that `?`, one character, or two with `-` between them name. A reversed range is
/// the same range (docs/src/language/cql3.md#points-that-the-manual-leaves-open).
fn axis(text: &str, first: u8) -> std::ops::RangeInclusive<u32> {
    let coordinate = |b: u8| u32::from(b.wrapping_sub(first)).min(7);
    match text.as_bytes() {
        [b'?'] => 0..=7,
        [one] => coordinate(*one)..=coordinate(*one),
        [a, b'-', b] => {
            let (a, b) = (coordinate(*a), coordinate(*b));
            a.min(b)..=a.max(b)
        }
        _ => 0..=7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(list: &str) -> u64 {
        list.split_whitespace()
            .map(|name| {
                let b = name.as_bytes();
                1u64 << (u32::from(b[1] - b'1') * 8 + u32::from(b[0] - b'a'))
            })
            .sum()
    }

    #[test]
    fn square_parts_of_all_forms() {
        for (atom, squares) in [
            ("Ra2", "a2"),
            ("R[a-c1]", "a1 b1 c1"),
            ("R[c-a1]", "a1 b1 c1"),
            ("R[b3-5]", "b3 b4 b5"),
            ("R[f-h6-8]", "f6 g6 h6 f7 g7 h7 f8 g8 h8"),
            ("R[a1,c4]", "a1 c4"),
            ("Qa?", "a1 a2 a3 a4 a5 a6 a7 a8"),
            ("??1", "a1 b1 c1 d1 e1 f1 g1 h1"),
            ("?b?", "b1 b2 b3 b4 b5 b6 b7 b8"),
            ("Aa-h1", "a1 b1 c1 d1 e1 f1 g1 h1"),
            ("[Re8]", "e8"),
            ("$rook[a1]", "a1"),
            ("B[]", ""),
        ] {
            assert_eq!(decode(atom).squares, named(squares), "{atom}");
        }
        assert_eq!(decode("R").squares, !0);
        assert_eq!(decode("$rook").squares, !0);
        assert_eq!(decode("k[?4-8]").squares, !0 << 24);
    }

    #[test]
    fn piece_parts_of_all_forms() {
        let content = |atom| match decode(atom).pieces {
            Pieces::Kinds(content) => content.0,
            Pieces::Tag(tag) => panic!("a tag: {tag}"),
        };
        assert_eq!(content("K"), 1 << 5);
        assert_eq!(content("p"), 1 << 6);
        assert_eq!(content("bb3"), 1 << 8);
        assert_eq!(content("[Rb]d1"), 1 << 3 | 1 << 8);
        assert_eq!(content("[aQBNPK.]a3"), !(1 << 3) & 0x1fff);
        assert_eq!(content("Id3"), 0b110);
        assert_eq!(content("m"), 0b1_1000 << 6);
        assert_eq!(content("U"), 0xfff);
        assert_eq!(content("?d4"), 0x1fff);
        assert_eq!(content(".d4"), 1 << 12);
        assert_eq!(content("[]"), 0);
        assert_eq!(decode("$rook[a1]").pieces, Pieces::Tag("rook".into()));
    }
}
