//! Slices: a scan in pieces, on threads, processes or machines of a cluster, and the merge of their
//! results.
//!
//! ```text
//! inputs ── plan ──> Slice, Slice, … ── scan_slice ──> part, part, … ── merge ──> Sink, Summary
//! ```
//!
//! A slice is a range of bytes of an input that begins and ends at game boundaries. A part holds
//! all that the search of a slice found: the matching games with the outcomes of the queries,
//! messages, damage, and changes to persistent variables and dictionaries. [`merge`] writes from
//! the parts of all slices what one scan over everything would write, byte for byte.

mod batch;
mod file;
mod merge;
mod resume;
mod search;
mod slice;

#[cfg(test)]
mod tests;

pub(crate) use batch::StoredMatch;
pub use file::Part;
pub use merge::{merge, merge_held};
pub use resume::{remove_parts, scan_resumed, scan_slice_to};
pub use search::scan_slice;
pub use slice::{Slice, plan};
