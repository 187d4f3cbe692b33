//! The server with real clients over real connections.

mod calls;
mod client;
mod documents;
mod ends;
mod limits;
mod strangers;
