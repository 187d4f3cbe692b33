//! The report: one self-contained page that shows the query, and a board with the marks of its
//! filters for each matching position.
//!
//! The page holds its games as data, a line of JSON for each ([`data`]). A script draws the boards
//! when they come into view, so a page with ten thousand matches opens at once. The page is the
//! same for the same games and query: it has no date and no duration.

mod data;
mod markup;
mod page;
mod query;

pub(crate) use data::append;
pub(crate) use page::{head, tail};
