//! The commands other than the search: a module each. Their rows are in `options/table.rs`.

mod check;
mod completions;
mod convert;
mod cookbook;
mod diagnostic_page;
mod explain;
mod fmt;
mod help;
mod manual;
mod merge;
mod pack;
mod perft;
mod plan;
mod position;
mod profile;
mod scan;
mod serve;
mod why;

pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use convert::{convert, convert_flags};
pub(crate) use cookbook::cookbook;
pub(crate) use explain::explain;
pub(crate) use fmt::fmt;
pub(crate) use help::help;
pub(crate) use manual::man;
pub(crate) use merge::merge;
pub(crate) use pack::pack;
pub(crate) use perft::perft;
pub(crate) use plan::plan;
pub(crate) use position::position;
pub(crate) use profile::profile;
pub(crate) use scan::scan;
pub(crate) use serve::serve;
pub(crate) use why::why;
