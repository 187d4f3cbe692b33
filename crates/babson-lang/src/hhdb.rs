//! The words of `hhdb` that decide how the words after them are read
//! (docs/src/language/hhdb.md#the-heijden-database).

use crate::hir::HhdbValue;

/// The words of an award.
pub(crate) const AWARD_WORDS: [&str; 9] =
    ["max", "special", "nonspecial", "sort", "sortable", "award", "prize", "hm", "commendation"];

/// Parts of the GBR code `+0410.01a1h8`: the name, the first and the last character.
pub(crate) const GBR: [(&str, i32, i32); 4] =
    [("material", 1, 8), ("pieces", 1, 5), ("pawns", 6, 8), ("kings", 8, 12)];

/// What a key with a text stands for.
#[derive(Clone, Copy)]
pub(crate) enum HhdbText {
    Value(HhdbValue),
    /// The GBR code or a part of it.
    Gbr,
    /// The comment before the first move.
    FirstComment,
}

/// The text of a key, which a search string can follow.
pub(crate) fn text_of(key: &str) -> Option<HhdbText> {
    Some(match key {
        "composer" => HhdbText::Value(HhdbValue::Composer),
        "diagram" => HhdbText::Value(HhdbValue::Diagram),
        "search" => HhdbText::Value(HhdbValue::Search),
        "stipulation" => HhdbText::Value(HhdbValue::Stipulation),
        "distinction" => HhdbText::Value(HhdbValue::Distinction),
        "tourney_name" => HhdbText::Value(HhdbValue::TourneyName),
        "tourney_year_part" => HhdbText::Value(HhdbValue::TourneyYearPart),
        "gbr" => HhdbText::Gbr,
        "firstcomment" => HhdbText::FirstComment,
        _ => return None,
    })
}

/// The words that follow a key of `hhdb`: the words of an award and the parts of the GBR code.
///
/// ```
/// assert!(babson_lang::hhdb_parts().any(|word| word == "prize"));
/// ```
pub fn hhdb_parts() -> impl Iterator<Item = &'static str> {
    AWARD_WORDS.into_iter().chain(GBR.map(|part| part.0))
}
