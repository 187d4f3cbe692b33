//! The limits of the front end of CQL 3, with their reasons.

/// Nodes of the HIR of a query. Modern CQL has a lower limit; this one can be higher, because the
/// machine searches the lists one at a time.
pub(crate) const MAX_NODES: usize = 4_000_000;

/// The number of images of a list that a conversion to a modern query writes out. All shifts
/// of a pattern that stays on the board are fewer.
pub(crate) const MAX_MODERN_IMAGES: usize = 256;

/// The length in bytes of a modern query that a conversion writes. Nobody would read a longer one.
pub(crate) const MAX_MODERN_BYTES: usize = 1 << 18;

/// Open parentheses of a query, so that recursion over its tree is safe. Each list in a list
/// has two. The deepest queries use 1336 KiB of stack in a build without optimization, 8.7 KiB a
/// list, and 364 KiB in a release.
pub(crate) const MAX_DEPTH: usize = 300;

/// The upper end of a range of `find` that has none in CQL 3. No game has more positions.
pub(crate) const MAX_POSITIONS: i32 = 1_000_000;
