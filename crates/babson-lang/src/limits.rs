//! What the front end refuses to go beyond, and why.
//!
//! Every limit bounds work or memory, so that no text makes the front end hang or run out of stack.
//! [`Steps`] counts the work; the tests of growth hold it against [`MAX_STEPS_A_BYTE`].
//!
//! [`Steps`]: crate::Steps

/// The work for a byte of a query, in steps of the lexer, the parser and the typing pass. Ordinary
/// queries take two to five. Copies under transforms ([`MAX_COPIED`]) and inlined functions
/// ([`MAX_NODES`]) have limits of their own, since a short query may well make many.
pub const MAX_STEPS_A_BYTE: usize = 64;

/// Steps a byte after which no further reading of ambiguous tokens is tried. Each costs a pass over
/// the text, and a query that people write needs few.
pub(crate) const MAX_READING_STEPS_A_BYTE: usize = 32;

/// Steps that may go into the readings of ambiguous tokens however short the query is.
pub(crate) const MIN_READING_STEPS: usize = 200_000;

/// So many ambiguous tokens are read the other way one by one, each where the error before it shows
/// that it must be. What follows is read the other way at all errors of a pass at once, so that the
/// passes are few.
pub(crate) const MAX_SINGLE_READINGS: usize = 16;

/// Nodes in all copies that the transforms of a query make, equal ones and those that leave the
/// board included: a query beyond it is a mistake, not a theme. It is half a second of work, and 60
/// `shift shift` of one piece.
pub const MAX_COPIED: usize = 8_000_000;

/// Nodes of the typed tree, inlined functions and the copies under transforms included.
pub const MAX_NODES: usize = 2_000_000;

/// Nodes of the typed tree of a CQL 3 query. Its lists are looked for one by one, so that more of
/// them are of use.
pub(crate) const MAX_CQL3_NODES: usize = 4_000_000;

/// Trees deeper than this are refused, so that recursion over them, dropping included, is safe on a
/// small stack.
pub const MAX_DEPTH: u16 = 400;

/// The nesting of the typed tree, inlined functions included.
pub(crate) const MAX_TYPED_DEPTH: usize = 600;

/// Open brackets. What is in more of them would be too deep anyway.
pub(crate) const MAX_NESTING: usize = 400;

/// The number of images of a CQL 3 list that a conversion to a modern query writes out. All shifts
/// of a pattern that stays on the board are fewer.
pub(crate) const MAX_MODERN_IMAGES: usize = 256;

/// The length in bytes of a modern query that a conversion writes. Nobody would read a longer one.
pub(crate) const MAX_MODERN_BYTES: usize = 1 << 18;

/// Queries of at most this depth are typed on the stack of the caller, deeper ones on the stack of
/// a new thread.
pub(crate) const MAX_SHALLOW_DEPTH: usize = 60;

/// Open parentheses of a CQL 3 query, so that every walk over its tree can be recursive.
pub(crate) const MAX_CQL3_DEPTH: usize = 400;

/// Groups in groups of a regular expression, whose parser is recursive.
pub(crate) const MAX_PATTERN_DEPTH: usize = 100;

/// Operators of one level in a row. The typed tree nests to the left, and a longer chain would be
/// too deep for the machine.
pub(crate) const MAX_CHAIN: usize = 400;

/// Calls inlined in each other.
pub(crate) const MAX_CALLS: usize = 100;

/// Errors reported of one query: nobody reads more.
pub(crate) const MAX_ERRORS: usize = 50;

/// The least and greatest number of times that a constituent of `path` or `line`, or a part of a
/// regular expression, can be asked to repeat: CQL 6.2 has the same limit.
pub(crate) const MAX_REPEAT: u32 = 100_000;

/// The length of a chain of `or` or `and` above which it becomes a balanced tree, which does not
/// nest deeply.
pub(crate) const MAX_UNBALANCED_CHAIN: usize = 32;

/// The length of the name of a tag that `tag` and `settag` accept, as in CQL 6.2.
pub(crate) const MAX_TAG_NAME: usize = 60;
