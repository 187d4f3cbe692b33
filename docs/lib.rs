//! The book of Babson as data: the pages that its help, its diagnostics and its cookbook are read
//! from, so that they say what the book says. `mdbook build docs` makes a site of all its pages.
//!
//! ```
//! let page = babson_book::LANGUAGE[0];
//! assert_eq!(page.path, "docs/src/language/reading.md");
//! assert!(page.text.starts_with("# "));
//! ```

#![no_std]
#![forbid(unsafe_code)]

/// A page of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The page in the repository, such as `docs/src/language/mates.md`.
    pub path: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

macro_rules! page {
    ($name:literal) => {
        Page {
            path: concat!("docs/src/", $name, ".md"),
            text: include_str!(concat!("src/", $name, ".md")),
        }
    };
}

/// The list of all pages: a line for each, with `- [` and a link.
pub const SUMMARY: Page = page!("SUMMARY");

/// The page on the command line.
pub const COMMAND_LINE: Page = page!("command-line");

/// The catalogue of diagnostics: a section for each code.
pub const DIAGNOSTICS: Page = page!("diagnostics");

/// The list of the recipes of the cookbook.
pub const COOKBOOK_INDEX: Page = page!("cookbook/index");

/// The pages of the cookbook, in the order of the list of recipes.
pub const COOKBOOK: &[Page] = &[
    page!("cookbook/games"),
    page!("cookbook/mates"),
    page!("cookbook/sacrifices"),
    page!("cookbook/endings"),
    page!("cookbook/structures"),
    page!("cookbook/maneuvers"),
    page!("cookbook/statistics"),
    page!("cookbook/studies"),
    page!("cookbook/puzzles"),
    page!("cookbook/databases"),
];

/// The pages of the language. The index, which lists the terms of the others, is last.
pub const LANGUAGE: &[Page] = &[
    page!("language/reading"),
    page!("language/header"),
    page!("language/positions"),
    page!("language/pieces"),
    page!("language/attacks"),
    page!("language/moves"),
    page!("language/dash"),
    page!("language/path"),
    page!("language/line"),
    page!("language/find"),
    page!("language/echo"),
    page!("language/sort"),
    page!("language/comments"),
    page!("language/clock"),
    page!("language/tags"),
    page!("language/strings"),
    page!("language/patterns"),
    page!("language/numbers"),
    page!("language/variables"),
    page!("language/library"),
    page!("language/control"),
    page!("language/dictionaries"),
    page!("language/transforms"),
    page!("language/mates"),
    page!("language/hhdb"),
    page!("language/similarposition"),
    page!("language/tree"),
    page!("language/files"),
    page!("language/imaginary"),
    page!("language/odd-positions"),
    page!("language/cql3"),
    page!("language/dialects"),
    page!("language/index"),
];
