//! The limits of the front end, with their reasons.
//!
//! Each limit bounds work or memory, so that no text makes the front end hang or overflow the
//! stack. [`Steps`] counts the work; the tests of growth compare it with [`MAX_STEPS_A_BYTE`].
//!
//! The constants at the end are not limits but estimates of work in steps.
//!
//! [`Steps`]: crate::Steps

/// Steps of the lexer, the parser and the type checker per byte of a query. Ordinary queries take
/// two to five. Copies under transforms ([`MAX_COPIED`]) and inlined functions ([`MAX_NODES`]) have
/// separate limits, because a short query can make many.
pub const MAX_STEPS_A_BYTE: usize = 64;

/// Steps per byte after which the parser tries no further readings of ambiguous tokens. Each costs
/// a pass over the text, and an ordinary query needs few.
pub(crate) const MAX_READING_STEPS_A_BYTE: usize = 32;

/// Steps that the readings of ambiguous tokens can always take, however short the query is.
pub(crate) const MIN_READING_STEPS: usize = 200_000;

/// Rounds in which the parser changes the reading of one token. Later rounds change a token before
/// every error at once, so that a query with many of them needs few rounds.
pub(crate) const MAX_SINGLE_READINGS: usize = 16;

/// Nodes in all copies that the transforms of a query make, including duplicates and those that
/// leave the board. This is half a second of work, or 60 times `shift shift` of one piece; a query
/// beyond it is probably a mistake.
pub const MAX_COPIED: usize = 8_000_000;

/// Nodes of the HIR, including inlined functions and the copies under transforms.
pub const MAX_NODES: usize = 2_000_000;

/// Fixes of one query that are tested. Each test takes up to [`MAX_FOLLOWED_FIXES`] analyses.
pub(crate) const MAX_TESTED_FIXES: usize = 64;

/// Analyses of a query that follow one of its fixes and the fixes after it. Few mistakes are behind
/// another one, and all mistakes of a statement are fixed together.
pub(crate) const MAX_FOLLOWED_FIXES: usize = 16;

/// Steps after which no more fixes of a query are tested: some tenths of a second. A query of 200
/// lines takes some ten thousand steps.
pub(crate) const MAX_FIX_STEPS: usize = 4_000_000;

/// Bytes of a query whose fixes are tested.
pub(crate) const MAX_FIXED_TEXT: usize = 1 << 18;

/// The depth of the AST. All recursion over the tree fits the stack of a plain thread, which has 2
/// MiB (8 MiB for the main thread of a command, 1 MiB for WebAssembly, whose builds are optimized).
/// On x86-64, the deepest queries use up to 1828 KiB in a build without optimization (`path` in
/// `path`, 22 KiB for the three levels of each), and 928 KiB in a release (`between`, 3.7 KiB a
/// level). An ignored test of babson-vm, `the_stack_of_the_deepest_queries`, measures them.
/// Queries that people write are less than 30 deep.
pub const MAX_DEPTH: u16 = 250;

/// The depth of the HIR, including inlined functions. It is a little more than [`MAX_DEPTH`], and
/// bounded by the same stack.
pub(crate) const MAX_TYPED_DEPTH: usize = 270;

/// Open brackets. Their content would exceed [`MAX_DEPTH`].
pub(crate) const MAX_NESTING: usize = 250;

/// Nested groups of a regular expression, whose parser is recursive.
pub(crate) const MAX_PATTERN_DEPTH: usize = 100;

/// Operators of one level in sequence. The HIR nests to the left, and a longer chain would be too
/// deep to compile.
pub(crate) const MAX_CHAIN: usize = 250;

/// Nested inlined calls.
pub(crate) const MAX_CALLS: usize = 100;

/// Errors reported for one query; more would not help the author.
pub(crate) const MAX_ERRORS: usize = 50;

/// The bounds of a repetition in `path`, in `line` or in a regular expression. CQL 6.2 has the same
/// limit.
pub(crate) const MAX_REPEAT: u32 = 100_000;

/// The bound of the range `count`, which is -100000 to 100000 as in CQL 6.2.
pub(crate) const MAX_COUNT: i32 = 100_000;

/// The length of a chain of `or` or `and` above which it becomes a balanced tree, which does not
/// nest deeply.
pub(crate) const MAX_UNBALANCED_CHAIN: usize = 32;

/// The length of the name of a field, in bytes. It is the head of a column.
pub(crate) const MAX_FIELD_NAME: usize = 100;
/// The length of the name of a tag that `tag` and `settag` accept, as in CQL 6.2.
pub(crate) const MAX_TAG_NAME: usize = 60;

/// Passes of the formatter over a query. One is usual; a second one can indent lines that the first
/// one joins.
pub(crate) const MAX_FORMAT_PASSES: usize = 8;

/// Bytes in which the lexer looks for the `]` after squares in brackets of their own, for a better
/// error. No query has a longer list of squares.
pub(crate) const MAX_BRACKETED_SQUARES: usize = 200;

/// Names of terminals that an error lists as expected; more would hide the message.
pub(crate) const MAX_EXPECTED: usize = 8;

/// Lines of the sentences of a query: more are not read.
pub(crate) const MAX_DESCRIBED_LINES: usize = 1000;

/// Bytes of a sentence and its only part on one line; longer ones are written below each other.
pub(crate) const MAX_JOINED_SENTENCE: usize = 120;

/// Bytes of a noun within a sentence. A longer one gets a name, and its meaning is written below.
/// So a sentence stays short, and the time to make it linear in the query.
pub(crate) const MAX_DESCRIBED_NOUN: usize = 200;

/// The versions of a filter that are described one by one, if the filter itself is not known.
pub(crate) const MAX_DESCRIBED_COPIES: usize = 4;

/// Squares that are named one by one. More are rectangles.
pub(crate) const MAX_LISTED_SQUARES: usize = 8;

/// Copies of a filter under a transform that the typed tree prints; further ones are counted.
pub(crate) const MAX_PRINTED_COPIES: usize = 8;

/// Steps that a grammar error costs: lalrpop tests each of about 130 terminals for whether the
/// parser would accept it there.
pub(crate) const GRAMMAR_ERROR_STEPS: usize = 130;

/// Steps that a copy under a transform costs besides its nodes: its map, and the test for
/// duplicates.
pub(crate) const COPY_STEPS: usize = 8;

/// Characters before a comma that are read to tell whether it stands in a designator: more than the
/// pieces of one with commas between them.
pub(crate) const MAX_LISTED_PIECES: usize = 32;

/// Characters on each side of a comma that are read to tell whether it stands between squares in a
/// designator: more than all squares with commas between them.
pub(crate) const MAX_OPEN_SQUARES: usize = 200;

/// Edits of a fix that several errors share: each of the errors has all of them.
pub(crate) const MAX_SHARED_EDITS: usize = 200;

/// Characters of a time that is read in the place of a number of seconds: `10:00:00`.
pub(crate) const MAX_TIME: usize = 8;

/// Characters of a query that the help of an error repeats in what it writes: about a line.
pub(crate) const MAX_REPEATED: usize = 100;

/// Characters that may be moves of a game, as far as a warning reads them: the named moves and
/// more. It bounds the work where a query has many.
pub(crate) const MAX_MOVES_TEXT: usize = 200;

/// Characters of a filter that a warning quotes in its message. The text of a longer filter is
/// shown at its place alone.
pub(crate) const MAX_QUOTED: usize = 40;

/// Moves that the help of such a warning names. More would not fit on its line.
pub(crate) const MAX_NAMED_MOVES: usize = 12;

/// Open brackets that are closed in a query with errors, so that the rest of it is understood. A
/// query that is being written has one or two, and closing one looks at the text after it.
pub(crate) const MAX_CLOSED_BRACKETS: usize = 16;

/// The places of one bracket that is missing which are tried. Each costs an analysis, and with more
/// of them several are usually right.
pub(crate) const MAX_CLOSING_PLACES: usize = 12;

/// Files that a query imports, each counted once. It bounds the depth of a chain of imports.
pub const MAX_IMPORTS: usize = 100;

/// Bytes of the texts that a query imports. No library of functions is as long.
pub const MAX_IMPORTED_BYTES: usize = 16 << 20;
