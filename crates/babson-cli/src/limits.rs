//! The limits of the command, with their reasons.

/// Bytes of a query file, or of a query on standard input. Either may be a stream without an end.
/// A query has at most 2 million nodes, so this is room for 32 bytes of text a node.
pub(crate) const MAX_QUERY_FILE: usize = 64 << 20;

/// Bytes of the file of default options. One with every option has a few thousand bytes.
pub(crate) const MAX_CONFIG_FILE: usize = 1 << 20;
