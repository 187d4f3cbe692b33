//! The limits of a report, each with its reason.

/// The most matching games in a report. A browser opens a page of this size in some seconds, and
/// nobody looks at more games.
pub const MAX_GAMES: u64 = 20_000;

/// Bytes of the data of the games of a report.
pub const MAX_BYTES: usize = 48 << 20;

/// Filters of a query whose verdicts a report has, the first ones. A query that is written by hand
/// rarely has more.
pub(crate) const MAX_FILTERS: usize = 48;

/// Characters of a text value, and of the text of a filter, that a report shows.
pub(crate) const MAX_TEXT: usize = 60;
