//! The unfinished files of a scan, and how they are undone.
//!
//! A ledger lists them (`entries`). Outputs get their names together (`pending`). If the disk is
//! full, a folder has been removed or the outputs are abandoned meanwhile, each file is restored to
//! what it was before (`completion`), step by step (`step`). What the system refuses to remove or
//! to restore is kept for a message (`cleanup`).

mod cleanup;
mod completion;
mod entries;
mod pending;
mod step;
#[cfg(test)]
mod tests;

pub use cleanup::CleanupError;
pub use entries::{AbandonedOutputs, Ledger};
pub(crate) use pending::{Pending, complete};
