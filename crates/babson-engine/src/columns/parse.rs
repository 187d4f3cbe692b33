//! The text of a list of columns.

use babson_lang::hir::Type;
use babson_lang::{Dialect, analyze, nearest_of};

use super::schema::{COLUMN_FORMS, named, names};
use super::{Column, Columns};
use crate::error::ColumnsError;
use crate::limits::MAX_FILTER_NAME;

/// The columns, for messages.
pub(crate) fn all() -> String {
    let mut names: Vec<&str> = names().chain(COLUMN_FORMS.iter().map(|form| form.name)).collect();
    let last = names.pop().unwrap_or_default();
    format!("{} and {last}", names.join(", "))
}

/// Parses a list.
pub(super) fn columns(text: &str) -> Result<Columns, ColumnsError> {
    let mut columns = Columns { columns: Vec::new() };
    let mut rest = text;
    loop {
        let (name, after) = name(rest)?;
        let word = match name.suffix {
            None | Some("") => name.word,
            Some(suffix) => return Err(ColumnsError::AfterQuote { rest: suffix.to_owned() }),
        };
        let (heading, column) = column(&word)?;
        let is_same = columns.columns.iter().any(|other| other.column == column);
        if is_same && columns.headings().any(|other| other == heading) {
            return Err(ColumnsError::Repeated { word });
        }
        columns.push(heading, column);
        match after {
            Some(after) => rest = after,
            None => return Ok(columns),
        }
    }
}

/// A name of a list.
pub(crate) struct ListedName<'t> {
    pub(crate) word: String,
    /// What comes between the closing quote of the name and the next comma, if it has quotes.
    pub(crate) suffix: Option<&'t str>,
}

/// The first name of a list, and what follows the comma after it. A part of a name may be in
/// quotes: `sort:"a, b"`.
pub(crate) fn name(text: &str) -> Result<(ListedName<'_>, Option<&str>), ColumnsError> {
    let mut word = String::new();
    let Some((before, mut quoted)) =
        text.split_once('"').filter(|(before, _)| !before.contains(','))
    else {
        let (word, after) = match text.split_once(',') {
            Some((word, after)) => (word, Some(after)),
            None => (text, None),
        };
        return Ok((ListedName { word: word.trim().to_owned(), suffix: None }, after));
    };
    word.push_str(before.trim_start());
    loop {
        let (inner, after) = quoted.split_once('"').ok_or(ColumnsError::OpenQuote)?;
        word.push_str(inner);
        match after.strip_prefix('"') {
            Some(after) => {
                word.push('"');
                quoted = after;
            }
            None => {
                let (between, after) = match after.split_once(',') {
                    Some((between, after)) => (between, Some(after)),
                    None => (after, None),
                };
                return Ok((ListedName { word, suffix: Some(between.trim()) }, after));
            }
        }
    }
}

/// The column of a name, and its heading.
pub(crate) fn column(word: &str) -> Result<(&str, Column), ColumnsError> {
    let lower = word.to_ascii_lowercase();
    if let Some(column) = named(&lower) {
        return Ok((word, column));
    }
    match word.split_once(':').map(|(kind, name)| (kind.to_ascii_lowercase(), name)) {
        _ if word.is_empty() => Err(ColumnsError::NoName { columns: all() }),
        Some((kind, name)) if kind == "tag" && !name.is_empty() => {
            Ok((name, Column::Tag(name.to_owned().into())))
        }
        Some((kind, name)) if kind == "eco" && matches!(name, "1" | "2" | "3") => {
            Ok((word, Column::EcoPrefix(name.parse().unwrap_or(1))))
        }
        Some((kind, name)) if kind == "sort" && !name.is_empty() => {
            Ok((name, Column::Sort(name.to_owned())))
        }
        Some((kind, name)) if kind == "field" && !name.is_empty() => {
            Ok((name, Column::Field(name.to_owned())))
        }
        Some(_) | None => Err(ColumnsError::Unknown {
            word: word.to_owned(),
            near: near(word, &lower),
            columns: all(),
        }),
    }
}

/// What an unknown word may mean, as it stands after "did you mean": the column or the tag that it
/// is another name of, else the column of a similar name, else the field for the value of the
/// filter of this name, else the tag of this name if the word has the form of a tag.
fn near(word: &str, lower: &str) -> Option<String> {
    if let Some(column) = OTHER_NAMES.iter().find(|(other, _)| *other == lower) {
        return Some(column.1.to_owned());
    }
    if let Some(tag) = OTHER_TAGS.iter().find(|tag| tag.eq_ignore_ascii_case(word)) {
        return Some(format!("tag:{tag}"));
    }
    if let Some((_, near)) = FORMS.iter().find(|(form, _)| *form == lower) {
        return Some((*near).to_owned());
    }
    if let Some((kind, name)) = word.split_once(':') {
        let kind = kind.trim().to_ascii_lowercase();
        let kinds = FORMS.iter().map(|(form, _)| form.trim_end_matches(':'));
        let kind = if kind == "tags" { "tag" } else { nearest_of(&kind, kinds)? };
        return Some(match (kind, name.trim()) {
            ("eco", _) => "eco:1, eco:2 or eco:3".to_owned(),
            (kind, name) => format!("{kind}:{name}"),
        });
    }
    let similar = nearest_of(lower, names()).map(str::to_owned);
    let other = similar.or_else(|| field_of(lower));
    other.or_else(|| is_tag_name(word).then(|| format!("tag:{word}")))
}

/// Whether a word has the form of a tag of PGN: a capital, then letters, digits and underscores.
fn is_tag_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Words that people try, in lowercase, and the column that they mean.
const OTHER_NAMES: [(&str, &str); 26] = [
    ("opening", "eco, or tag:Opening if the games have it"),
    ("openings", "eco, or tag:Opening if the games have it"),
    ("material", "field:material, with field(\"material\" materialkey) in the query"),
    ("before.san", "san"),
    ("last.san", "san"),
    ("lastmove", "san"),
    ("nextmove", "next"),
    ("next.move", "next"),
    ("elo", "white_elo"),
    ("white.elo", "white_elo"),
    ("black.elo", "black_elo"),
    ("path", "input"),
    ("filename", "input"),
    ("database", "input"),
    ("gamenumber", "game"),
    ("positionid", "id"),
    ("sidetomove", "side"),
    ("turn", "side"),
    ("stm", "side"),
    ("tomove", "side"),
    ("epd", "fen"),
    ("position", "fen"),
    ("board", "fen"),
    ("eco1", "eco:1"),
    ("eco2", "eco:2"),
    ("eco3", "eco:3"),
];

/// Columns whose names go on, and how.
const FORMS: [(&str, &str); 8] = [
    ("tag", "tag:NAME, for instance tag:Opening"),
    ("tag:", "tag:NAME, for instance tag:Opening"),
    ("sort", "sort:NAME, with the name of a sort of the query"),
    ("sort:", "sort:NAME, with the name of a sort of the query"),
    ("field", "field:NAME, with the name of a field of the query"),
    ("field:", "field:NAME, with the name of a field of the query"),
    ("eco:", "eco:1, eco:2 or eco:3"),
    ("eco:n", "eco:1, eco:2 or eco:3"),
];

/// Tags without a short name that databases have.
const OTHER_TAGS: [&str; 20] = [
    "Opening",
    "Variation",
    "SubVariation",
    "NIC",
    "TimeControl",
    "Termination",
    "PlyCount",
    "Annotator",
    "WhiteTitle",
    "BlackTitle",
    "WhiteTeam",
    "BlackTeam",
    "WhiteFideId",
    "BlackFideId",
    "EventDate",
    "EventType",
    "Section",
    "Stage",
    "UTCDate",
    "Variant",
];

/// The column for the value of a filter of this name, and how the query fills it. A condition has
/// no value, and one letter is a piece.
fn field_of(word: &str) -> Option<String> {
    let is_word = (2..=MAX_FILTER_NAME).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_word {
        return None;
    }
    let filter = analyze(word, Dialect::CQLI).ok()?.query;
    let has_value = matches!(filter.body.as_slice(), [value] if value.ty != Type::Bool);
    has_value.then(|| format!("field:{word}, with field(\"{word}\" {word}) in the query"))
}
