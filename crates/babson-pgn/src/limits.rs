//! The limits of this crate.

/// How many positions a game may have by default. A reader needs about 100 bytes for each, and the
/// longest games with variations have some ten thousand.
pub const MAX_POSITIONS: usize = 1_000_000;

/// How many positions the buffers of a reader may hold before they are shrunk for the next game, so
/// that one huge game does not take its memory until the end.
pub(crate) const MAX_KEPT_POSITIONS: usize = 1 << 16;

/// How many comments, and how many glyphs, a game may have: more than a text of usual size holds,
/// and few enough that the ranges of a hostile one take at most 64 MiB.
pub(crate) const MAX_ANNOTATIONS: usize = 1 << 22;

/// How many damages of a game are reported. After them, only damage that ends the main line is, up
/// to twice this number.
pub(crate) const MAX_REPORTS: usize = 1000;

/// How many opening braces without a partner, or variations, are tracked in one text, so that no
/// input takes unbounded memory: 4 million take at most 64 MiB.
pub(crate) const MAX_OPEN_BRACKETS: usize = 1 << 22;

/// How many escaped ends of a tag value are skipped in the search for an unescaped one. Without a
/// limit, a line of many tags with such ends takes quadratic time.
pub(crate) const MAX_ESCAPED_ENDS: usize = 64;

/// The greatest rating of CQL 6.2. A greater number means this rating.
pub(crate) const MAX_CQL6_RATING: u32 = 4000;

/// The last year of CQL 6.2, which stores a year in eleven bits.
pub(crate) const MAX_CQL6_YEAR: u32 = 2047;

/// CQL 6.2 does not write an added comment with which the text of a position is longer than this.
pub(crate) const MAX_CQL6_COMMENT: usize = 4500;

/// CQL 6.2 marks an added comment as truncated if the text of the position with it is longer than
/// [`MAX_CQL6_COMMENT`] but not longer than this.
pub(crate) const MAX_CQL6_CUT_COMMENT: usize = 4800;

/// The bytes that CQL 6.2 writes of a game by default.
pub(crate) const MAX_CQL6_GAME: usize = 105_000;

/// The half-move clock up to which positions are compared with each other to find repetitions. In
/// the rare games with a greater one this would take a time that grows with its square.
pub(crate) const MAX_COMPARED_CLOCK: u32 = 200;

/// The bytes of a line that the writer makes room for at once: more than a line of usual width has.
pub(crate) const MAX_REST: usize = 256;
