//! The formats and the sinks of files: PGN, EPD, JSON, cells, tables, groups, and pages whose text
//! another crate makes.

mod epd;
pub(crate) mod file;
mod format;
pub(crate) mod groups;
mod items;
mod jsonl;
pub(crate) mod marks;
mod nonmatching;
pub(crate) mod pgn;
mod room;
mod shared;
mod split;
#[cfg(feature = "table")]
mod table;
#[cfg(not(feature = "table"))]
#[path = "no_table.rs"]
mod table;
mod text;

pub(crate) use file::FileSink;
pub use format::FileFormat;
pub(crate) use format::FileText;
pub use nonmatching::NonmatchingSink;
pub use shared::SharedSink;
pub use text::TextSink;
