//! The limits of the crate, each with its reason.
//!
//! The limits of a game that the command line may change are in [`RunOptions`](crate::RunOptions).

/// Variables of a query. The other of the 65,535 registers hold intermediate values.
pub(crate) const MAX_VARIABLES: usize = 60_000;

/// States of the automaton of a `line` or a `path`. Nested repetitions multiply, so that a short
/// query can ask for any number; one that goes beyond it is refused.
pub(crate) const MAX_AUTOMATON_STATES: usize = 200_000;

/// The least cost, in nanoseconds, of a filter whose outcome is stored for a position. To evaluate
/// a cheaper one again costs no more than to look up its outcome.
pub(crate) const MIN_ONCE_COST: u32 = 60;

/// Alternatives of a prefilter, which has to be cheap. More are left to the machine.
pub(crate) const MAX_PREFILTER_ALTERNATIVES: usize = 8;

/// The least number of moves that a prefilter tests: most positions have twenty moves, so a test
/// for fewer would cost more than it saves.
pub(crate) const MIN_PREFILTER_MOVES: u32 = 24;

/// Alternatives of a condition on games. More are left to the machine.
pub(crate) const MAX_GUARD_ALTERNATIVES: usize = 16;

/// Positions of a sequence of checks that is tested as a whole: the bits of its mask.
pub(crate) const MAX_CHECK_SEQUENCE: usize = 64;

/// Sequences of checks that are derived from a line. Each is a test of every game.
pub(crate) const MAX_CHECK_SEQUENCES: usize = 8;

/// Steps of the backtracker for a value of a tag. A value that takes more rules out no game.
pub(crate) const MAX_GUARD_FUEL: u64 = 20_000;

/// Conditions on games that are derived from a query. They are tested on every game.
pub(crate) const MAX_GUARD_TESTS: usize = 256;

/// Links of a chain, as a `line` has, that a prefilter follows. Each is a level of the recursion of
/// the prefilter, and hardly any position is followed by 64 that meet a link each.
pub(crate) const MAX_PREFILTER_LINKS: usize = 64;

/// Targets for which a prefilter looks up the attackers. More are left to the machine.
pub(crate) const MAX_PREFILTER_TARGETS: u32 = 3;

/// The least number of images for which the compiler makes tables. Fewer are evaluated one by one.
pub(crate) const MIN_TABLE_IMAGES: usize = 9;

/// Words of all tables of the images of a program (16 MiB). Tests beyond it get no table: then more
/// images are evaluated one by one.
pub(crate) const MAX_IMAGE_TABLE_WORDS: usize = 1 << 21;

/// Positions in sequence that the tables of images cover. Bounds the recursion of the machine.
pub(crate) const MAX_IMAGE_DEPTH: usize = 32;

/// Alternatives of an image that get tables of their own. More of them share one table, which rules
/// out fewer images.
pub(crate) const MAX_IMAGE_ALTERNATIVES: usize = 16;

/// Patterns of a query whose full automata are built, to learn whether they are small: a few
/// milliseconds each, at worst. Further ones count as large.
pub(crate) const MAX_TRIED_PATTERNS: usize = 32;

/// Bytes that a compiled pattern of the `regex` crate may take. Larger ones go to the backtracker.
pub(crate) const MAX_REGEX_BYTES: usize = 1 << 20;

/// Bytes of the states that a lazy automaton of the `regex` crate keeps: more than all states of a
/// small automaton, and little enough for many patterns at a time.
pub(crate) const MAX_LAZY_DFA_BYTES: usize = 1 << 20;

/// Bytes of all states of an automaton that counts as small: the crate builds each state only once.
pub(crate) const MAX_SMALL_DFA_BYTES: usize = 1 << 17;

/// The weight up to which any pattern has a small automaton.
pub(crate) const MAX_SMALL_WEIGHT: u64 = 8;

/// Entries of the backtracker's stack (24 MiB). A search that needs more is given up.
pub(crate) const MAX_BACKTRACK_STACK: usize = 1 << 20;

/// Instructions that `explain` prints. Transforms make thousands that are alike.
pub(crate) const MAX_EXPLAINED_INSTRUCTIONS: usize = 1_000;

/// Entries of each table that `explain` prints.
pub(crate) const MAX_EXPLAINED_ENTRIES: usize = 100;

/// Default of [`RunOptions::kept_entries`](crate::RunOptions::kept_entries): 4 GiB, or what the
/// address space can hold. It is room for some hundred million positions by their hash keys; a run
/// that needs more would soon take all the memory of the machine.
pub const DEFAULT_KEPT_ENTRIES: usize = if usize::BITS > 32 { 4 << 30 } else { 1 << 30 };

/// Words of all tables of images for ranges of positions of a game (16 MiB). A table that would
/// go beyond it is not made: then more images are evaluated one by one.
pub(crate) const MAX_RANGE_TABLE_WORDS: usize = 1 << 21;

/// Outcomes of filters that are kept for the positions of a game (16 MiB). A filter whose outcomes
/// would go beyond it is evaluated each time. The tables outlive the game, so that at worst each
/// filter of a query has had a game for itself, and a table of this size.
pub(crate) const MAX_KEPT_OUTCOMES: usize = 1 << 20;

/// Bytes of the file of `similarposition`, which is read into memory (1 GiB). The images of its
/// positions have a limit of 8 million, so this is room for 128 bytes of text a position.
pub(crate) const MAX_SIMILAR_FILE: usize = 1 << 30;

/// Images of the positions of `similarposition` (about 1 GiB). A file for comparison is small; a
/// larger one is refused.
pub(crate) const MAX_SIMILAR_IMAGES: usize = 8_000_000;

/// The most that [`RunOptions::memory`](crate::RunOptions::memory) allows. A register holds the
/// offset and the length of a string in 32 bits each. At most twice as much is made before the
/// next check, and fits as well.
pub(crate) const MAX_MEMORY: usize = 1 << 30;

/// Pairs of a state and a node for which a search has a table of stamps (16 MiB). More are kept in
/// a hash set.
pub(crate) const MAX_MEMO_STAMPS: usize = 1 << 22;

/// Points at which a `path` stands before it records them. Most searches are shorter, and faster
/// without a record.
pub(crate) const MAX_UNRECORDED_POINTS: u32 = 16;

/// Registers in use from which on the body of a loop holds no further values: the rest is left to
/// filters that cannot do without.
pub(crate) const MAX_HOLDING_REGISTERS: usize = 1 << 10;

/// Comments of a position from which on equal ones are found by sorting. Most positions have one or
/// two, which are compared one by one.
pub(crate) const MIN_SORTED_COMMENTS: usize = 16;

/// Tags of a game that are searched one by one. More are looked up in a hash table.
pub(crate) const MAX_LISTED_TAGS: usize = 24;

/// Regular expressions made by a query that a machine keeps. Each may take a few megabytes; when
/// there are more, all are dropped.
pub(crate) const MAX_MADE_MATCHERS: usize = 64;

/// Parts of a regular expression that count as work: no automaton of more parts is built.
pub(crate) const MAX_CHARGED_PARTS: u64 = 20_000;

/// Bytes of an answer of a `commandpipe`, without its end of line: far more than a program says
/// about a position, and little enough to be kept for every thread.
pub const MAX_PIPE_ANSWER: usize = 1 << 16;

/// Failures of a `commandpipe` without an answer between them. Then the run ends: the command does
/// not work.
pub(crate) const MAX_PIPE_FAILURES: u32 = 3;

/// Sets of a `ray` or of the rays of CQL 3: a ray has at most eight squares, and each set needs one
/// of its own.
pub(crate) const MAX_RAY_SETS: usize = 8;

/// The greatest rank of an award that `hhdb sort` tells apart, so that places fit a number.
pub(crate) const MAX_SORTED_RANK: i32 = 9_999;

/// Years from the first to a last one of two digits in the name of a tourney: in `1976/12`, the 12
/// is a part of the year.
pub(crate) const MAX_TOURNEY_YEARS: i32 = 10;

/// Bytes that the arena and each dictionary of a machine retain from one game to the next (4 MiB):
/// more than all but the largest games take. What is larger is freed.
pub(crate) const MAX_RETAINED_MEMORY: usize = 4 << 20;

/// Games in a row that use up their [steps](crate::RunOptions::steps) after which a run ends. Each
/// of them takes about a second, and a query that needs more steps needs them for most games.
pub const MAX_GAMES_AT_LIMIT: u64 = 20;

/// The longest text of a game that is read, in bytes. A longer one is reported and skipped, so that
/// a file that is not PGN cannot fill the memory.
pub const MAX_GAME: usize = 32 << 20;

/// Bytes before a line that [`find_boundary`](babson_pgn::find_boundary) gets of a stream to tell
/// whether the line begins a game. It reads back to the last line that decides, and the tags and
/// comments between games rarely have more bytes.
pub const MAX_LOOK_BACK: usize = 1 << 16;

/// Bytes that are requested from a reader at a time. It may give fewer, which are searched at once.
pub(crate) const READ_SIZE: usize = 1 << 16;

/// Bytes at the end of a buffer in which the start of the last game is looked for first. Most games
/// are shorter.
pub(crate) const LAST_GAME: usize = 4 << 10;

/// Bytes of damaged text that a report shows: about one line of a terminal.
pub(crate) const MAX_SHOWN: usize = 80;

/// Damaged games that a search keeps for its caller. The others are counted.
pub(crate) const MAX_KEPT_DAMAGED: usize = 1000;
