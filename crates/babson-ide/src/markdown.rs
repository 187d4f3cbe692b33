//! Texts in Markdown.

use babson_lang::reference::Entry;

use crate::options::Options;

/// Code in a block of its own.
pub(crate) fn code(text: &str) -> String {
    format!("```cql\n{text}\n```")
}

/// The forms of an entry with their meaning.
pub(crate) fn described(entry: &Entry) -> String {
    format!("{}: {}", entry.forms, entry.meaning)
}

/// The meaning of some entries, and where the book says more.
pub(crate) fn entries_shown(entries: &[&Entry], options: &Options) -> Option<String> {
    let first = entries.first()?;
    let lines: Vec<String> = entries.iter().map(|entry| described(entry)).collect();
    Some(format!("{}\n\n{}", lines.join("\n\n"), options.link(first.title, first.page)))
}
