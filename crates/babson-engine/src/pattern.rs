//! File names with places that every game fills in: `out/{tag:ECO}.pgn`.

use std::borrow::Cow;

use babson_pgn::Game;
use babson_vm::{Outcome, SortValue};

use crate::job::Job;
use crate::sink::place;

/// The longest text that a game puts into a name, in bytes.
const LONGEST: usize = 60;

/// What stands in a name where a game has nothing to put there.
const NOTHING: &str = "none";

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The value of a tag as it is written: after `settag` and `removetag`.
    Tag(String),
    /// The value of the query's sort key of that name.
    Sort(String),
}

/// A name of an output with places in it: games with different names go to different files.
///
/// What a game puts into a place is letters, digits and a few signs, never a separator of folders
/// nor a name that begins with a dot: whatever stands in a tag, the file lies where the pattern
/// says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    text: String,
    parts: Vec<Part>,
}

impl NamePattern {
    /// The pattern of a name. `{{` and `}}` stand for braces.
    ///
    /// # Errors
    /// What is wrong with a place.
    ///
    /// ```
    /// use babson_engine::NamePattern;
    /// assert_eq!(NamePattern::parse("out/{tag:ECO}.pgn").unwrap().plain(), None);
    /// assert_eq!(NamePattern::parse("{{x}}.pgn").unwrap().plain(), Some("{x}.pgn"));
    /// assert!(NamePattern::parse("{eco}.pgn").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<NamePattern, String> {
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            plain.push_str(before);
            if brace.starts_with("{{") || brace.starts_with("}}") {
                plain.push_str(&brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let Some((place, after)) = brace.strip_prefix('{').and_then(|b| b.split_once('}'))
            else {
                return Err("a brace without its partner (`{{` and `}}` are plain ones)".to_owned());
            };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(match place.split_once(':') {
                Some(("tag", name)) if !name.is_empty() => Part::Tag(name.to_owned()),
                Some(("sort", name)) if !name.is_empty() => Part::Sort(name.to_owned()),
                _ => {
                    return Err(format!(
                        "`{{{place}}}` is no place: there are {{tag:NAME}} and {{sort:NAME}}"
                    ));
                }
            });
            rest = after;
        }
        plain.push_str(rest);
        parts.push(Part::Text(plain));
        let text = text.to_owned();
        Ok(NamePattern { text, parts })
    }

    /// The name of the one file, if there is no place in it that a game fills in.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(name)] => Some(name),
            _ => None,
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the sort keys that it asks for.
    pub fn sort_keys(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Sort(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The name of a matching game's file.
    pub(crate) fn fill(&self, game: &Game<'_>, outcome: &Outcome, job: &Job) -> String {
        let mut name = String::new();
        for part in &self.parts {
            let value = match part {
                Part::Text(text) => {
                    name.push_str(text);
                    continue;
                }
                Part::Tag(tag) if outcome.removed_tags.contains(tag) => Cow::Borrowed(""),
                Part::Tag(tag) => place::tag(game, outcome, tag),
                Part::Sort(key) => {
                    let mut keys = job.program.sorts().iter().zip(&outcome.sort);
                    match keys.find(|(known, _)| known.name == *key) {
                        Some((_, Some(SortValue::Number(number)))) => number.to_string().into(),
                        Some((_, Some(SortValue::Text(text)))) => {
                            place::text(text).into_owned().into()
                        }
                        _ => Cow::Borrowed(""),
                    }
                }
            };
            push_harmless(&mut name, &value);
        }
        name
    }
}

/// Adds a text from outside to the name of a file: what could lead to another folder, hide the
/// file or mean something to a system becomes `_`.
fn push_harmless(name: &mut String, value: &str) {
    let start = name.len();
    for letter in value.trim().chars() {
        if name.len() - start + letter.len_utf8() > LONGEST {
            break;
        }
        let at_start = name.len() == start;
        let harmless = letter.is_alphanumeric()
            || matches!(letter, '-' | '_' | '+' | ',' | '=' | '(' | ')' | '\'' | ' ')
            || letter == '.' && !at_start;
        name.push(if harmless { letter } else { '_' });
    }
    // Windows drops these at the end of a name.
    while name.len() > start && name.ends_with([' ', '.']) {
        name.pop();
    }
    let device = |text: &str| {
        let stem = text.split('.').next().unwrap_or(text).trim().to_ascii_lowercase();
        let numbered = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
            || numbered.is_some_and(|rest| rest.chars().count() == 1)
    };
    if name.len() == start {
        name.push_str(NOTHING);
    } else if device(&name[start..]) {
        name.insert(start, '_');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn harmless(value: &str) -> String {
        let mut name = String::new();
        push_harmless(&mut name, value);
        name
    }

    #[test]
    fn what_a_game_puts_into_a_name() {
        for (value, name) in [
            ("B90", "B90"),
            ("", "none"),
            ("  ", "none"),
            ("../../etc/passwd", "_._.._etc_passwd"),
            ("..", "_"),
            (".", "_"),
            ("/", "_"),
            ("a\\b:c*?\"<>|\0\n", "a_b_c_______"),
            ("1/2-1/2", "1_2-1_2"),
            ("Tal, Mikhail", "Tal, Mikhail"),
            ("Müller", "Müller"),
            ("trailing. .", "trailing"),
            ("NUL", "_NUL"),
            ("com1.x", "_com1.x"),
            ("comet", "comet"),
            ("~root", "_root"),
            ("-rf", "-rf"),
        ] {
            assert_eq!(harmless(value), name, "{value:?}");
        }
        assert_eq!(harmless(&"é".repeat(100)).len(), LONGEST);
    }

    #[test]
    fn patterns() {
        let parts = |text: &str| NamePattern::parse(text).map(|pattern| pattern.parts);
        let text = |text: &str| Part::Text(text.to_owned());
        assert_eq!(parts("a/b.pgn"), Ok(vec![text("a/b.pgn")]));
        assert_eq!(parts("{{a}}/b}}.pgn"), Ok(vec![text("{a}/b}.pgn")]));
        assert_eq!(
            parts("a{{{tag:X}}}-{sort:a b}.pgn"),
            Ok(vec![
                text("a{"),
                Part::Tag("X".to_owned()),
                text("}-"),
                Part::Sort("a b".to_owned()),
                text(".pgn")
            ])
        );
        for wrong in ["{", "a}b", "{tag:x", "{x}", "{}", "{tag:}", "{sort:}"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_value_leaves_its_folder(value in any::<String>(), before in "[a-z]{0,3}") {
            let mut name = format!("out/{before}");
            push_harmless(&mut name, &value);
            let added = &name["out/".len()..];
            prop_assert!(!added.contains(['/', '\\', '\0', ':']));
            prop_assert!(!added.starts_with('.') && !added.is_empty());
            prop_assert!(added.len() <= before.len() + LONGEST + 1);
        }
    }
}
