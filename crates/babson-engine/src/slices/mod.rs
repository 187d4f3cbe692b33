//! Slices: a scan in pieces, on threads, processes or machines of a cluster, and the merge of their
//! results.
//!
//! ```text
//! inputs ── plan ──> Slice, … ── scan_slice ──> SliceResult, … ── merge ──> Sink, Summary
//! ```
//!
//! A slice is a range of bytes of an input, or of each of several consecutive ones, that begins and
//! ends at game boundaries; of a game table, a range of rows. Its result holds all that the search
//! found: the matching games with the outcomes of the queries, messages, damage, and changes to
//! persistent variables and dictionaries. [`merge`] writes from the results of all slices what one
//! scan over everything would write, byte for byte.
//!
//! A part is the file of a result.

mod batch;
mod checksum;
mod folder;
mod merge;
mod part_file;
mod plan;
mod resume;
mod search;
mod slice;

#[cfg(test)]
mod tests;

pub use folder::KeptParts;
pub use merge::{merge, merge_unpublished};
pub use part_file::SliceResult;
pub use plan::{plan, plan_observed};
pub use resume::{ResumedScan, scan_resumed, scan_slice_to};
pub use search::scan_slice;
pub use slice::{InputRange, Slice};
