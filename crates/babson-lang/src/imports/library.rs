//! The built-in library: files of functions that every query can import.

/// The files of the library, each with its name and its text.
pub const LIBRARY: [(&str, &str); 1] = [("motifs", include_str!("motifs.cql"))];

/// The text of a file of the library, by its name with or without `.cql`.
///
/// ```
/// assert!(babson_lang::imports::library_text("motifs").is_some());
/// assert!(babson_lang::imports::library_text("nosuch").is_none());
/// ```
pub fn library_text(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".cql").unwrap_or(name);
    LIBRARY.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}
