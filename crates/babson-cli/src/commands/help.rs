//! `babson help [TOPIC]`: a command, an option, a word of the language or the code of a diagnostic;
//! or else the options, pages, headings and recipes that mention the word.

use std::ops::RangeInclusive;

use babson::diagnostic::Code;
use babson::imports::{LibraryFunction, library_function};
use babson::text;

use super::diagnostic_page::{diagnostic_page, unknown_code};
use crate::cookbook::Recipe;
use crate::failure::Failure;
use crate::options::{self, CommandId, CommandLine, CommandSpec};
use crate::terminal;

/// Prints the help of the search, or of all that the topic names.
pub(crate) fn help(line: &CommandLine) -> Result<u8, Failure> {
    let page = match line.texts()?.first() {
        None => options::page(CommandSpec::of(CommandId::Search)),
        Some(topic) => topic_page(topic).ok_or_else(|| Failure::Usage(unknown(topic)))?,
    };
    terminal::print_text(&page)
}

/// Everything that the word means: `check` is a command and a filter.
fn topic_page(topic: &str) -> Option<String> {
    // As a message has it: `error[E0201]`.
    let code = topic.split_once('[').map_or(topic, |(_, code)| code.trim_end_matches(']'));
    if let Ok(code) = code.parse::<Code>() {
        return Some(diagnostic_page(code));
    }
    let mut parts: Vec<String> = Vec::new();
    parts.extend(CommandSpec::named(topic).map(options::page));
    parts.extend(options::options_named(topic.trim_start_matches('-')));
    // `--top` is an option, `-->` a word of the language.
    if !topic.starts_with("--") || !topic.contains(|c: char| c.is_ascii_alphanumeric()) {
        parts.extend(word_of_language(topic));
    }
    if let Some(function) = library_function(topic) {
        parts.push(function_page(&function));
        parts.extend(mentions(topic));
    }
    if parts.is_empty() {
        parts.extend(text::synonyms::find(topic).map(|synonym| format!("{topic}: {synonym}\n")));
    }
    if parts.is_empty() {
        parts.extend(mentions(topic));
    }
    if parts.is_empty() { None } else { Some(parts.join("\n")) }
}

/// A function of the library: how it is called, and its text.
fn function_page(function: &LibraryFunction) -> String {
    let LibraryFunction { file, name, parameters, text } = function;
    format!(
        "{name}({parameters}): a function of the library, after import \"{file}\"  \
         (docs/src/language/library.md)\n\n{text}\n"
    )
}

/// The list of the pages of the book: a line for each, with `- [` and a link.
const PAGES: &str = include_str!("../../../../docs/src/SUMMARY.md");

/// The page of the book on the command line.
const COMMAND_LINE: &str = include_str!("../../../../docs/src/command-line.md");

/// Words that no option, page, heading or recipe mentions, and a word that is mentioned where the
/// answer is.
const OTHER_WORDS: [(&[&str], &str); 10] = [
    (&["7z", "rar", "tar", "unzip"], "archives"),
    (&["truncated", "corrupt", "corrupted"], "broken"),
    (&["dict", "hashmap"], "dictionaries"),
    (&["sacrifice", "combination"], "sacrifices"),
    (&["excel", "xlsx", "calc", "libreoffice"], "csv"),
    (&["novelty", "novelties", "tn"], "leave"),
    (&["duplicate", "duplicates", "dedupe", "doubles"], "twice"),
    (&["bzip2", "gzip"], "bz2"),
    (&["exitcode", "errorlevel", "returncode"], "exit"),
    (&["cluster", "slurm", "spark"], "slices"),
];

/// The command that prints what the book has on a word that is not a word of the language: recipes
/// with the word, unless there are more than a few, or what has another word for the same.
pub(crate) fn command_for(word: &str) -> Option<String> {
    const FEW: RangeInclusive<usize> = 1..=6;
    // Shorter words are names of variables.
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    if FEW.contains(&Recipe::of_topic(word).len()) {
        return Some(format!("babson cookbook {word}"));
    }
    mentioned_for(word).map(|_| format!("babson help {word}"))
}

/// The word that is mentioned where the answer to one of [`OTHER_WORDS`] is.
fn mentioned_for(word: &str) -> Option<&'static str> {
    let is_other = |words: &[&str]| words.iter().any(|other| other.eq_ignore_ascii_case(word));
    OTHER_WORDS.iter().find(|(words, _)| is_other(words)).map(|(_, mentioned)| *mentioned)
}

/// The options, the pages of the book, the headings of the page on the command line and the recipes
/// of the cookbook that mention the word, or another word for the same.
fn mentions(word: &str) -> Option<String> {
    mentions_of(word).or_else(|| mentions_of(mentioned_for(word)?))
}

fn mentions_of(word: &str) -> Option<String> {
    let has_word = |text: &str| {
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        words.any(|other| other.eq_ignore_ascii_case(word))
    };
    let mut out = options::options_that(has_word);
    let pages = PAGES.lines().filter_map(|line| {
        let (title, page) = line.trim_start().strip_prefix("- [")?.split_once("](")?;
        Some((title, page.strip_suffix(')')?))
    });
    for (title, page) in pages.filter(|(title, _)| has_word(title)) {
        out.push_str(&format!("{title}  (docs/src/{page})\n"));
    }
    let headings = COMMAND_LINE.lines().filter_map(|line| {
        let title = line.trim_start_matches('#').strip_prefix(' ')?;
        (line.starts_with("##") && has_word(title)).then_some(title)
    });
    for title in headings {
        let anchor = title.to_lowercase().replace(' ', "-");
        out.push_str(&format!("{title}  (docs/src/command-line.md#{anchor})\n"));
    }
    let recipes: Vec<Recipe> = Recipe::all().filter(|recipe| has_word(recipe.question)).collect();
    match recipes.as_slice() {
        [recipe] => out.push_str(&recipe.text()),
        recipes => {
            for Recipe { number, question, .. } in recipes {
                out.push_str(&format!("{question}  (babson cookbook {number})\n"));
            }
        }
    }
    if out.is_empty() { None } else { Some(out) }
}

/// The entries of the book, page by page.
fn word_of_language(word: &str) -> Option<String> {
    const MOST: usize = 6;
    let entries = text::entries_of(word);
    let more = entries.len().saturating_sub(MOST);
    let mut out = String::new();
    if let Some(line) = text::signature_of(word) {
        out.push_str(&format!("{word}: {line}\n"));
    }
    let mut page = "";
    for entry in entries.into_iter().take(MOST) {
        if page != entry.page {
            page = entry.page;
            out.push_str(&format!("In the language ({}, {page}):\n", entry.title));
        }
        out.push_str(&format!("  {}\n      {}\n", entry.forms, entry.meaning));
    }
    if more > 0 {
        out.push_str(&format!("… and {more} more entries of the book\n"));
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

    #[test]
    fn other_words_are_mentioned_nowhere_else() {
        for (words, mentioned) in OTHER_WORDS {
            let page = mentions_of(mentioned);
            assert!(page.is_some(), "{mentioned}");
            for word in words {
                assert_eq!(mentions_of(word), None, "{word}");
                assert_eq!(topic_page(word), page, "{word}");
            }
        }
    }
}
