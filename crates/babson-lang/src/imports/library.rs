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

/// The [key](super::FoundFile::key) of a file of the library, by its name with or without `.cql`,
/// whether the library has the file or not. No path has angle brackets around it.
///
/// ```
/// use babson_lang::imports::{library_key, library_name};
///
/// assert_eq!(library_key("motifs.cql"), "<motifs>");
/// assert_eq!(library_name("<motifs>"), Some("motifs"));
/// assert_eq!(library_name("/home/me/motifs.cql"), None);
/// ```
pub fn library_key(name: &str) -> String {
    format!("<{}>", name.strip_suffix(".cql").unwrap_or(name))
}

/// The name of the file of the library that has this key; `None` for the key of any other file.
pub fn library_name(key: &str) -> Option<&str> {
    key.strip_prefix('<')?.strip_suffix('>')
}

/// A function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LibraryFunction {
    /// The file that has it: what `import` names.
    pub file: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The names of its parameters, with spaces between them.
    pub parameters: &'static str,
    /// Its text, with the comment before it.
    pub text: &'static str,
}

/// All functions of the library. In its files an empty line separates one from the next.
pub fn library_functions() -> impl Iterator<Item = LibraryFunction> {
    let paragraphs =
        LIBRARY.iter().flat_map(|&(file, text)| text.split("\n\n").map(move |text| (file, text)));
    paragraphs.filter_map(|(file, text)| {
        let text = text.trim_end();
        let head = text.lines().find_map(|line| line.strip_prefix("function "))?;
        let (name, rest) = head.split_once('(')?;
        let (parameters, _) = rest.split_once(')')?;
        Some(LibraryFunction { file, name, parameters, text })
    })
}

/// The function of the library with this name.
///
/// ```
/// let fork = babson_lang::imports::library_function("fork").unwrap();
/// assert_eq!((fork.file, fork.parameters), ("motifs", "attackers targets"));
/// ```
pub fn library_function(name: &str) -> Option<LibraryFunction> {
    library_functions().find(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_listed() {
        let heads = LIBRARY.iter().flat_map(|(_, text)| text.lines());
        let heads: Vec<&str> = heads.filter_map(|line| line.strip_prefix("function ")).collect();
        let listed: Vec<String> = library_functions()
            .map(|function| format!("{}({}) {{", function.name, function.parameters))
            .collect();
        assert_eq!(listed, heads);
        assert!(library_functions().all(|function| function.text.contains("// ")));
    }
}
