//! File names with placeholders that each game fills in: `out/{tag:ECO}.pgn`.

use std::borrow::Cow;

use babson_pgn::Game;
use babson_pgn::tags::decode;
use babson_vm::{Outcome, SortValue, tag_value};

use crate::file_name::is_device;
use crate::job::Job;
use crate::limits::MAX_PLACEHOLDER_VALUE;

/// The value of a placeholder for which the game has none.
const NO_VALUE: &str = "none";

/// Literal text or a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternSegment {
    Text(String),
    /// The value of a tag as it is written, after `settag` and `removetag`.
    Tag(String),
    /// The value of the sort key of this name.
    Sort(String),
    /// The name of the query.
    Query,
}

/// The name of an output with placeholders: games with different names go to different files.
///
/// The value of a placeholder consists of letters, digits and some punctuation. It never has a path
/// separator and never begins with a dot. So whatever the tags of a game are, the file is in the
/// folder that the pattern names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    text: String,
    parts: Vec<PatternSegment>,
}

impl NamePattern {
    /// Parses a pattern. `{{` and `}}` stand for braces.
    ///
    /// # Errors
    /// What is wrong with a placeholder.
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
            let Some((placeholder, after)) =
                brace.strip_prefix('{').and_then(|b| b.split_once('}'))
            else {
                return Err("an unmatched brace (write `{{` or `}}` for a literal one)".to_owned());
            };
            if !plain.is_empty() {
                parts.push(PatternSegment::Text(std::mem::take(&mut plain)));
            }
            parts.push(match placeholder.split_once(':') {
                Some(("tag", name)) if !name.is_empty() => PatternSegment::Tag(name.to_owned()),
                Some(("sort", name)) if !name.is_empty() => PatternSegment::Sort(name.to_owned()),
                None if placeholder == "query" => PatternSegment::Query,
                _ => {
                    return Err(format!(
                        "`{{{placeholder}}}` is not a placeholder: there are {{query}}, \
                         {{tag:NAME}} and {{sort:NAME}}"
                    ));
                }
            });
            rest = after;
        }
        plain.push_str(rest);
        parts.push(PatternSegment::Text(plain));
        let text = text.to_owned();
        Ok(NamePattern { text, parts })
    }

    /// The name of the file, if the pattern has no placeholder.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [PatternSegment::Text(name)] => Some(name),
            _ => None,
        }
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the sort keys that occur in it.
    pub fn sort_keys(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            PatternSegment::Sort(name) => Some(name.as_str()),
            PatternSegment::Text(_) | PatternSegment::Tag(_) | PatternSegment::Query => None,
        })
    }

    /// Whether the name of the query is a part of it, so that each query has files of its own.
    pub fn names_query(&self) -> bool {
        self.parts.contains(&PatternSegment::Query)
    }

    /// The pattern with the name of the query in it.
    ///
    /// ```
    /// use babson_engine::NamePattern;
    /// let pattern = NamePattern::parse("out/{query}.csv").unwrap();
    /// assert_eq!(pattern.for_query("pins/1").plain(), Some("out/pins_1.csv"));
    /// ```
    #[must_use]
    pub fn for_query(&self, query: &str) -> NamePattern {
        let mut parts: Vec<PatternSegment> = Vec::new();
        let mut plain = String::new();
        for part in &self.parts {
            match part {
                PatternSegment::Text(text) => plain.push_str(text),
                PatternSegment::Query => push_sanitized(&mut plain, query),
                PatternSegment::Tag(_) | PatternSegment::Sort(_) => {
                    if !plain.is_empty() {
                        parts.push(PatternSegment::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(part.clone());
                }
            }
        }
        parts.push(PatternSegment::Text(plain));
        NamePattern { text: self.text.replace("{query}", query), parts }
    }

    /// The name of the file of a matching game.
    pub(crate) fn fill(&self, game: &Game<'_>, outcome: &Outcome, job: &Job) -> String {
        let mut name = String::new();
        for part in &self.parts {
            let value = match part {
                PatternSegment::Text(text) => {
                    name.push_str(text);
                    continue;
                }
                PatternSegment::Tag(tag) => tag_value(game, outcome, tag),
                PatternSegment::Query => Cow::Borrowed(job.title.as_str()),
                PatternSegment::Sort(key) => {
                    let mut keys = job.program.sorts().iter().zip(&outcome.sort);
                    match keys.find(|(known, _)| known.name == *key) {
                        Some((_, Some(SortValue::Number(number)))) => number.to_string().into(),
                        Some((_, Some(SortValue::Text(text)))) => decode(text).into_owned().into(),
                        _ => Cow::Borrowed(""),
                    }
                }
            };
            push_sanitized(&mut name, &value);
        }
        name
    }
}

/// Appends a value to the name of a file. Characters that could lead to another folder, hide the
/// file or have a meaning for an operating system become `_`.
fn push_sanitized(name: &mut String, value: &str) {
    let start = name.len();
    for letter in value.trim().chars() {
        if name.len() - start + letter.len_utf8() > MAX_PLACEHOLDER_VALUE {
            break;
        }
        let at_start = name.len() == start;
        let is_allowed = letter.is_alphanumeric()
            || matches!(letter, '-' | '_' | '+' | ',' | '=' | '(' | ')' | '\'' | ' ')
            || letter == '.' && !at_start;
        name.push(if is_allowed { letter } else { '_' });
    }
    // Windows drops these at the end of a name.
    while name.len() > start && name.ends_with([' ', '.']) {
        name.pop();
    }
    if name.len() == start {
        name.push_str(NO_VALUE);
    } else if is_device(&name[start..]) {
        name.insert(start, '_');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sanitized(value: &str) -> String {
        let mut name = String::new();
        push_sanitized(&mut name, value);
        name
    }

    #[test]
    fn values_are_sanitized() {
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
            assert_eq!(sanitized(value), name, "{value:?}");
        }
        assert_eq!(sanitized(&"é".repeat(100)).len(), MAX_PLACEHOLDER_VALUE);
    }

    #[test]
    fn patterns() {
        let parts = |text: &str| NamePattern::parse(text).map(|pattern| pattern.parts);
        let text = |text: &str| PatternSegment::Text(text.to_owned());
        assert_eq!(parts("a/b.pgn"), Ok(vec![text("a/b.pgn")]));
        assert_eq!(parts("{{a}}/b}}.pgn"), Ok(vec![text("{a}/b}.pgn")]));
        assert_eq!(
            parts("a{{{tag:X}}}-{sort:a b}.pgn"),
            Ok(vec![
                text("a{"),
                PatternSegment::Tag("X".to_owned()),
                text("}-"),
                PatternSegment::Sort("a b".to_owned()),
                text(".pgn")
            ])
        );
        assert_eq!(parts("{query}"), Ok(vec![PatternSegment::Query, text("")]));
        let pattern =
            NamePattern::parse("{query}/{tag:ECO}-{query}.csv").unwrap().for_query("a{b}");
        let (eco, rest) = (PatternSegment::Tag("ECO".to_owned()), text("-a_b_.csv"));
        assert_eq!(pattern.parts, [text("a_b_/"), eco, rest]);
        assert!(!pattern.names_query());
        for wrong in ["{", "{query:x}", "a}b", "{tag:x", "{x}", "{}", "{tag:}", "{sort:}"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_value_leads_to_another_folder(value in any::<String>(), before in "[a-z]{0,3}") {
            let mut name = format!("out/{before}");
            push_sanitized(&mut name, &value);
            let added = &name["out/".len()..];
            prop_assert!(!added.contains(['/', '\\', '\0', ':']));
            prop_assert!(!added.starts_with('.') && !added.is_empty());
            prop_assert!(added.len() <= before.len() + MAX_PLACEHOLDER_VALUE + 1);
        }
    }
}
