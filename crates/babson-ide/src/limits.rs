//! The limits of the answers, with their reasons.

/// Bytes of a query that gets answers. An editor asks at each keystroke, and no query that a person
/// writes is longer.
pub const MAX_READ_TEXT: usize = 1 << 20;

/// Brackets that are open around a place that gets more than a general answer. The
/// brackets around a place, one inside the other, tell what it expects.
pub(crate) const MAX_OPEN_BRACKETS: usize = 64;

/// Symbols, and selections, that hold each other. Many programs read JSON only up to 128 levels,
/// and a symbol takes two of them.
pub(crate) const MAX_NESTED: usize = 48;

/// Names that a query declares and that are offered. The time to tell them apart grows with their
/// square, and no query that a person writes has as many.
pub(crate) const MAX_DECLARATIONS: usize = 2000;

/// Tokens before a place that can belong to the filter whose parameters it may add. A filter with
/// all of its parameters has fewer.
pub(crate) const MAX_FILTER_TOKENS: usize = 64;

/// Items of a completion. A list with more is not read; the next letter makes it shorter.
pub const MAX_ITEMS: usize = 300;

/// Characters of an expression that a hover repeats: about a line.
pub(crate) const MAX_REPEATED: usize = 80;

/// Entries of the book that a hover shows.
pub(crate) const MAX_ENTRIES: usize = 4;

/// Names that are resolved, one through the other, for the value of a constant.
pub(crate) const MAX_CONSTANTS: usize = 32;

/// Characters of a constant text that a hover shows.
pub(crate) const MAX_SHOWN_TEXT: usize = 200;

/// Keys of a dictionary that a completion offers.
pub(crate) const MAX_KEYS: usize = 100;

/// Characters of a text that an inlay hint repeats: it stands between the words of a line.
pub(crate) const MAX_HINT: usize = 30;

/// Forms of a filter that a signature help shows.
pub(crate) const MAX_SIGNATURES: usize = 8;

/// Bytes of a query for which actions are offered. Each is tested by analyzing the query after it.
pub const MAX_CHANGED_TEXT: usize = 1 << 18;
