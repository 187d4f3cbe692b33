//! How many versions of a filter, or of a list of CQL 3, a transform makes.

use babson_lang::keywords::{Keyword, KeywordClass};

/// What a filter is evaluated for that a transform makes several versions of.
pub(crate) fn in_versions(versions: u32) -> String {
    format!("in up to {versions} versions")
}

/// How far a shift moves to one side and to the other, and not at all.
pub(crate) const SHIFTS: u32 = 15;

/// How many versions of its filter a transform makes at most.
pub(crate) fn versions(transform: Keyword) -> Option<u32> {
    let rows = [
        (Keyword::Flip, 8),
        (Keyword::FlipColor, 2),
        (Keyword::FlipHorizontal, 2),
        (Keyword::FlipVertical, 2),
        (Keyword::Rotate45, 8),
        (Keyword::Rotate90, 4),
        (Keyword::Shift, SHIFTS * SHIFTS),
        (Keyword::ShiftHorizontal, SHIFTS),
        (Keyword::ShiftVertical, SHIFTS),
    ];
    debug_assert!(rows.iter().all(|(word, _)| word.class() == KeywordClass::Transform));
    rows.into_iter().find(|(word, _)| *word == transform).map(|(_, versions)| versions)
}
