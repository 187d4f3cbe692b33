//! `babson help [TOPIC...]`: a command, an option, a word of the language, another word for one, or
//! the code of a diagnostic; then the options, pages, headings and recipes that mention the topic.

use std::collections::HashSet;

use babson::command::{MAX_HELP_ENTRIES, function_page, rows, signature, words_of_language};
use babson::diagnostic::Code;
use babson::imports::library_function;
use babson::text::{self, Entry};

use super::diagnostic_page::{diagnostic_page, unknown_code};
use crate::cookbook::Recipe;
use crate::failure::Failure;
use crate::options::{self, CommandId, CommandLine, CommandSpec};
use crate::other_words::{mentions_all, other_word, words};
use crate::terminal;

/// Prints the help of the search, or of all that the topic names.
pub(crate) fn help(line: &CommandLine) -> Result<u8, Failure> {
    let topic = line.texts()?.join(" ");
    let page = match topic.as_str() {
        "" => options::page(CommandSpec::of(CommandId::Search)),
        topic => topic_page(topic).ok_or_else(|| Failure::Usage(unknown(topic)))?,
    };
    terminal::print_text(&page)
}

/// Everything that the topic means: `check` is a command and a filter. Pages and headings of the
/// book follow, and recipes if the topic is not a name.
pub(super) fn topic_page(topic: &str) -> Option<String> {
    // As a message has it: `error[E0201]`.
    let code = topic.split_once('[').map_or(topic, |(_, code)| code.trim_end_matches(']'));
    if let Ok(code) = code.parse::<Code>() {
        return Some(diagnostic_page(code));
    }
    let mut parts: Vec<String> = Vec::new();
    parts.extend(CommandSpec::titled(topic).map(options::page));
    parts.extend(options::options_named(topic.trim_start_matches('-')));
    // `--top` is an option, `-->` a word of the language.
    if !topic.starts_with("--") || !topic.contains(|c: char| c.is_ascii_alphanumeric()) {
        parts.extend(words_of_language(topic));
    }
    if !parts.is_empty() {
        parts.extend(titles(topic));
        return Some(parts.join("\n"));
    }
    // `smothered mate` is `smotheredmate`.
    if let Some(function) = library_function(&topic.replace(' ', "")) {
        parts.push(function_page(&function));
    } else if let Some(synonym) = text::synonyms::find(topic) {
        parts.push(format!("{topic}: {synonym}\n"));
        parts.extend(words_of_query(synonym.query));
    }
    parts.extend(mentions(topic, parts.is_empty()));
    if parts.is_empty() { None } else { Some(parts.join("\n")) }
}

/// The entries of the book for the words of the language that a query has: for the words together,
/// as in `move promote`, or else for each of them.
fn words_of_query(query: &str) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for word in query.split(|letter: char| !letter.is_ascii_lowercase()) {
        let is_new = word.len() > 1 && !words.contains(&word);
        if is_new && !text::entries_of(word).is_empty() {
            words.push(word);
        }
    }
    if let Some(together) = words_of_language(&words.join(" ")) {
        return Some(together);
    }
    let mut out = String::new();
    let mut entries: Vec<Entry> = Vec::new();
    for word in &words {
        out.extend(signature(word));
        let of_word =
            text::entries_of(word).into_iter().take((MAX_HELP_ENTRIES / words.len()).max(1));
        for entry in of_word {
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
    }
    out.push_str(&rows(entries));
    if out.is_empty() { None } else { Some(out) }
}

/// The list of the pages of the book: a line for each, with `- [` and a link.
const PAGES: &str = babson_book::SUMMARY.text;

/// The page of the book on the command line.
const COMMAND_LINE: &str = babson_book::COMMAND_LINE.text;

/// The pages, headings and recipes that mention the topic, or another word for the same, after the
/// options if they are wanted; or else the recipes that mention it in their explanation.
fn mentions(topic: &str, with_options: bool) -> Option<String> {
    let of = |topic: &str| mentions_of(topic, with_options);
    of(topic).or_else(|| of(other_word(topic)?)).or_else(|| recipes(&Recipe::of_topic(topic)))
}

fn mentions_of(topic: &str, with_options: bool) -> Option<String> {
    let has_word = |text: &str| words(text).any(|other| other.eq_ignore_ascii_case(topic));
    let mut out = if with_options { options::options_that(has_word) } else { String::new() };
    out.extend(titles(topic));
    out.extend(recipes(&Recipe::named(topic)));
    if out.is_empty() { None } else { Some(out) }
}

/// The text of the only recipe, or the questions of several.
fn recipes(recipes: &[Recipe]) -> Option<String> {
    match recipes {
        [] => None,
        [recipe] => Some(recipe.text()),
        recipes => {
            let line = |recipe: &Recipe| {
                format!("{}  (babson cookbook {})\n", recipe.question, recipe.number)
            };
            Some(recipes.iter().map(line).collect())
        }
    }
}

/// The pages of the book and the headings of the page on the command line that mention the topic.
fn titles(topic: &str) -> Option<String> {
    let mut out = String::new();
    let pages = PAGES.lines().filter_map(|line| {
        let (title, page) = line.trim_start().strip_prefix("- [")?.split_once("](")?;
        Some((title, page.strip_suffix(')')?))
    });
    for (title, page) in pages.filter(|(title, _)| mentions_all(title, topic)) {
        out.push_str(&format!("{title}  (docs/src/{page})\n"));
    }
    let headings = COMMAND_LINE.lines().filter_map(|line| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?;
        (line.starts_with("##") && mentions_all(title, topic)).then_some(title)
    });
    let mut anchors = HashSet::new();
    for title in headings {
        let anchor = words(title).collect::<Vec<_>>().join("-");
        // A second heading with the same words has the anchor of its section.
        if anchors.insert(anchor.clone()) {
            out.push_str(&format!("{title}  (docs/src/command-line.md#{anchor})\n"));
        }
    }
    if out.is_empty() { None } else { Some(out) }
}

fn unknown(topic: &str) -> String {
    if let Some(line) = unknown_code(topic) {
        return line;
    }
    let what = "is not a command, an option or a word of the language";
    match options::nearest_topic(topic) {
        Some(near) => format!("'{topic}' {what}; did you mean {near}?"),
        None => format!("'{topic}' {what}; see babson --help"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::other_words::OTHER_WORDS;

    /// Each of the parts is in the page of its topic.
    #[test]
    fn a_topic_has_its_filter_recipe_and_page() {
        for (topic, parts) in [
            ("isolated", &["write `isolatedpawns`", "set of squares", "isolated queen's pawn"]),
            ("castling", &["write `castle`", "`move castle`", "mate\ncastle or enpassant"]),
            (
                "promotion",
                &["write `move promote", "`move promote Q`", "find quiet { previous P--=Q }"],
            ),
            ("move promote", &["  `move promote Q`", "to one of these", "either color"]),
            ("double check", &["function doublecheck()", "(Mates, recipe ", "counts the matching"]),
            ("sacrifice", &["docs/src/cookbook/sacrifices.md", "(babson cookbook ", "sacrifice"]),
            (
                "smothered mate",
                &["function smotheredmate", "(Mates, recipe ", "counts the matching"],
            ),
            ("output", &["-o, --output", "(option of scan)", "docs/src/command-line.md#outputs"]),
            ("search", &["usage: babson [", "--limit", "docs/src/command-line.md#the-search"]),
            ("isolani", &["function isolani", "isolated queen's pawn", "flipcolor { Pd4"]),
            (
                "greek gift",
                &["Who sacrificed a bishop on h7", "combinations, recipe ", "the matching"],
            ),
            ("iqp", &["isolated queen's pawn", "flipcolor { Pd4", "recipe "]),
        ] {
            let page = topic_page(topic).unwrap_or_default();
            for part in parts {
                assert!(page.contains(part), "{topic}: {part}\n{page}");
            }
        }
    }

    /// Another word has the page of the word that the book has for it.
    #[test]
    fn other_words_lead_to_the_words_of_the_book() {
        for (words, mentioned) in OTHER_WORDS {
            let expected = mentions_of(mentioned, true);
            assert!(expected.is_some(), "{mentioned}");
            for word in *words {
                assert_eq!(titles(word), None, "{word}");
                let page = topic_page(word);
                let is_function = library_function(&word.replace(' ', "")).is_some();
                if is_function || text::synonyms::find(word).is_some() {
                    let mentions = mentions_of(mentioned, false).expect(mentioned);
                    assert!(page.is_some_and(|page| page.ends_with(&mentions)), "{word}");
                } else {
                    assert_eq!(page, expected, "{word}");
                }
            }
        }
    }

    /// A query of several words has a row for each, and no row twice.
    #[test]
    fn each_word_of_a_synonym_is_explained() {
        for (topic, parts) in [
            ("bishoppair", &["`light S`, `dark S`", "light: its operand", "dark: its operand"][..]),
            ("threefold", &["`dictionary ", "threefold repetition"]),
        ] {
            let page = topic_page(topic).unwrap_or_default();
            for part in parts {
                assert!(page.contains(part), "{topic}: {part}\n{page}");
            }
            assert!(page.matches("`light S`").count() < 2, "{page}");
        }
    }
}
