//! What the book says of a word.

use babson_lang::diagnostic::Code;
use babson_lang::imports::{LibraryFunction, library_function};
use babson_lang::reference::{Entry, entries_of, signature_of};

use crate::limits::MAX_HELP_ENTRIES;

/// What the book says of a word of the language, such as `attacks` or `move promote`, of a function
/// of the library, or of the [code](Code) of a diagnostic. `None` if it is none of them.
///
/// ```
/// use babson::text::help;
///
/// assert!(help("mate").unwrap().contains("is in check and has no legal move"));
/// assert!(help("smotheredmate").unwrap().contains("import \"motifs\""));
/// assert!(help("E0201").unwrap().starts_with("E0201: "));
/// assert_eq!(help("nosuchword"), None);
/// ```
pub fn help(word: &str) -> Option<String> {
    if let Ok(code) = word.parse::<Code>() {
        return Some(format!("{code}: {}\n\n{}\n", code.title(), code.entry().explanation));
    }
    words_of_language(word).or_else(|| library_function(word).as_ref().map(function_page))
}

/// The entries of the book, page by page. Of several words, the entries with a form that begins
/// with them.
pub fn words_of_language(topic: &str) -> Option<String> {
    let word = topic.split(' ').next().unwrap_or(topic);
    let mut entries = entries_of(word);
    if word != topic {
        let begins = |form: &str| {
            let rest = form.strip_prefix(topic);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        };
        entries.retain(|entry| entry.forms.split('`').skip(1).step_by(2).any(begins));
    }
    let more = entries.len().saturating_sub(MAX_HELP_ENTRIES);
    entries.truncate(MAX_HELP_ENTRIES);
    let mut out = signature(topic).unwrap_or_default() + &rows(entries);
    if more > 0 {
        out.push_str(&format!("… and {more} more entries of the book\n"));
    }
    if out.is_empty() { None } else { Some(out) }
}

/// The line with the types of a plain filter.
pub fn signature(word: &str) -> Option<String> {
    signature_of(word).map(|line| format!("{word}: {line}\n"))
}

/// The rows of entries, page by page.
pub fn rows(entries: Vec<Entry>) -> String {
    let mut out = String::new();
    let mut page = "";
    for entry in entries {
        if page != entry.page {
            page = entry.page;
            out.push_str(&format!("In the language ({}, {page}):\n", entry.title));
        }
        out.push_str(&format!("  {}\n      {}\n", entry.forms, entry.meaning));
    }
    out
}

/// A function of the library: how it is called, and its text.
pub fn function_page(function: &LibraryFunction) -> String {
    let LibraryFunction { file, name, parameters, text, .. } = function;
    format!(
        "{name}({parameters}): a function of the library, after import \"{file}\"  \
         (docs/src/language/library.md)\n\n{text}\n"
    )
}
