//! Links of a text that leaves the repository.

/// Returns a text in Markdown with links that do not depend on where it is: a path in the
/// repository becomes the address of this file in the version.
pub(super) fn with_addresses(markdown: &str, repository: &str, version: &str) -> String {
    let mut parts = markdown.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("](");
        let target = part.split(')').next().unwrap_or_default();
        if !target.contains(':') && !target.starts_with('#') {
            text.push_str(&format!("{repository}/blob/v{version}/"));
        }
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::release::command::documents;

    /// Paths are those in the repository, not those beside the document.
    #[test]
    fn documents_in_a_folder_have_no_paths() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for from in documents().map(|(from, _)| from).filter(|from| from.contains('/')) {
            let text = fs::read_to_string(root.join(from)).unwrap();
            assert_eq!(with_addresses(&text, "https://y.org/c", "1.2.0"), text, "{from}");
        }
    }

    #[test]
    fn paths_become_addresses() {
        let text = "A [table](docs/src/tables.md#the-file), [a site](https://x.org) [b](#b)";
        let expected = "A [table](https://y.org/c/blob/v1.2.0/docs/src/tables.md#the-file), \
                        [a site](https://x.org) [b](#b)";
        assert_eq!(with_addresses(text, "https://y.org/c", "1.2.0"), expected);
    }
}
