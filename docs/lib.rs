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
        Page { path: concat!("docs/src/", $name), text: include_str!(concat!("src/", $name)) }
    };
}

/// The list of all pages: a line for each, with `- [` and a link.
pub const SUMMARY: Page = page!("SUMMARY.md");

/// The page on the command line.
pub const COMMAND_LINE: Page = page!("command-line.md");

/// The catalogue of diagnostics: a section for each code.
pub const DIAGNOSTICS: Page = page!("diagnostics.md");

/// The list of the recipes of the cookbook.
pub const COOKBOOK_INDEX: Page = page!("cookbook/index.md");

/// The pages of the cookbook, in the order of the list of recipes.
pub const COOKBOOK: &[Page] = &[
    page!("cookbook/games.md"),
    page!("cookbook/mates.md"),
    page!("cookbook/sacrifices.md"),
    page!("cookbook/endings.md"),
    page!("cookbook/structures.md"),
    page!("cookbook/maneuvers.md"),
    page!("cookbook/statistics.md"),
    page!("cookbook/studies.md"),
    page!("cookbook/puzzles.md"),
    page!("cookbook/databases.md"),
];

/// The pages of the language. The index, which lists the terms of the others, is last.
pub const LANGUAGE: &[Page] = &[
    page!("language/reading.md"),
    page!("language/header.md"),
    page!("language/positions.md"),
    page!("language/pieces.md"),
    page!("language/attacks.md"),
    page!("language/moves.md"),
    page!("language/dash.md"),
    page!("language/path.md"),
    page!("language/line.md"),
    page!("language/find.md"),
    page!("language/echo.md"),
    page!("language/sort.md"),
    page!("language/comments.md"),
    page!("language/clock.md"),
    page!("language/tags.md"),
    page!("language/strings.md"),
    page!("language/patterns.md"),
    page!("language/numbers.md"),
    page!("language/variables.md"),
    page!("language/library.md"),
    page!("language/control.md"),
    page!("language/dictionaries.md"),
    page!("language/transforms.md"),
    page!("language/mates.md"),
    page!("language/hhdb.md"),
    page!("language/similarposition.md"),
    page!("language/tree.md"),
    page!("language/files.md"),
    page!("language/imaginary.md"),
    page!("language/odd-positions.md"),
    page!("language/cql3.md"),
    page!("language/dialects.md"),
    page!("language/index.md"),
];
