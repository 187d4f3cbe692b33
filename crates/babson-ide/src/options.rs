//! What an editor knows besides the text.

use std::collections::BTreeMap;
use std::sync::Arc;

use babson_chess::VariantNames;
use babson_lang::Dialect;
use babson_lang::diagnostic::book_page;
use babson_lang::imports::{ImportFiles, LibraryOnly};

use crate::book::Book;

/// What an editor knows besides the text of the query.
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Arc;
///
/// use babson_ide::{Options, complete};
///
/// let mut options = Options::default();
/// let modes = vec!["blitz".to_owned(), "rapid".to_owned()];
/// options.tags = Arc::new(BTreeMap::from([("Mode".to_owned(), modes)]));
/// let text = "tag \"Mo";
/// let items = complete(text, text.len(), &options);
/// assert_eq!(items[0].label, "Mode");
/// let text = "tag \"Mode\" == \"";
/// assert_eq!(complete(text, text.len(), &options)[1].label, "rapid");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The dialect. `None` is the one that the query declares, or else the default.
    pub dialect: Option<Dialect>,
    /// The names of the tags of the database, each with its values if they are few. The usual names
    /// are known.
    pub tags: Arc<BTreeMap<String, Vec<String>>>,
    /// What finds the files that the query imports. The built-in library is always found.
    pub imports: Arc<dyn ImportFiles>,
    /// Further names for the variants of `variant "X"`.
    pub variants: VariantNames,
    /// Where the book is read, such as `https://example.org/book`, without a slash at the end: a
    /// link to a page of the language is this and `/language/mates.html`. `None` names the pages by
    /// their files in the repository.
    pub book: Option<String>,
    /// What the book says of the words of the language. Without it, each call that needs the book
    /// reads it.
    pub words: Option<WordBook>,
}

/// What the book says of the words of the language. Reading it takes longer than any answer, so a
/// program that asks often reads it once. A copy is cheap.
///
/// ```
/// use babson_ide::{Options, WordBook, hover};
///
/// let mut options = Options::default();
/// options.words = Some(WordBook::read());
/// assert_eq!(hover("mate", 0, &options), hover("mate", 0, &Options::default()));
/// ```
#[derive(Clone, Debug)]
pub struct WordBook(Arc<Book>);

impl WordBook {
    /// Reads the pages of the book.
    pub fn read() -> WordBook {
        WordBook(Arc::new(Book::read()))
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialect: None,
            tags: Arc::default(),
            imports: Arc::new(LibraryOnly),
            variants: VariantNames::default(),
            book: None,
            words: None,
        }
    }
}

impl Options {
    /// The entries of the book.
    pub(crate) fn entries(&self) -> Arc<Book> {
        let words = self.words.clone().unwrap_or_else(WordBook::read);
        words.0
    }

    /// A link to a page of the book, given by its file in the repository, in Markdown.
    pub(crate) fn link(&self, title: &str, page: &str) -> String {
        match (&self.book, page.strip_prefix("docs/src/")) {
            (Some(book), Some(path)) => format!("[{title}]({})", book_page(book, path)),
            _ => format!("{title} (`{page}`)"),
        }
    }
}
