//! Where messages and documents send their readers: the pages of the book.

use super::Code;

/// The address of the book, without a slash at its end.
pub const BOOK: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/book");

/// Returns the address of a page of a book. It is given by its file, in `docs/src` or from the root
/// of the repository, perhaps with an anchor.
///
/// ```
/// use babson_lang::diagnostic::{Code, book_page};
///
/// let page = book_page("https://example.org/book", "language/reading.md#lexemes");
/// assert_eq!(page, "https://example.org/book/language/reading.html#lexemes");
/// let page = book_page("https://example.org/book", &Code::UnknownName.page());
/// assert_eq!(page, "https://example.org/book/diagnostics.html#e0201");
/// ```
pub fn book_page(book: &str, file: &str) -> String {
    let (file, anchor) = match file.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (file, String::new()),
    };
    let file = file.strip_prefix("docs/src/").unwrap_or(file);
    format!("{book}/{}.html{anchor}", file.strip_suffix(".md").unwrap_or(file))
}

impl Code {
    /// Returns the file of its section, from the root of the repository, with the anchor.
    pub fn page(self) -> String {
        let page = babson_book::DIAGNOSTICS.path;
        format!("{page}#{}", self.as_str().to_ascii_lowercase())
    }
}
