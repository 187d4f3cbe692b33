//! The limits of the server, with their reasons.

use std::time::Duration;

/// Threads that answer requests. An answer takes a few milliseconds, and a client has few requests
/// open at once.
pub(crate) const WORKERS: usize = 2;

/// Threads that answer requests about many files, which take seconds: those about one document do
/// not wait for them.
pub(crate) const LONG_WORKERS: usize = 1;

/// The stack of these threads: a query may nest as deeply as the front end allows, which takes most
/// of the stack of a plain thread in a build without optimization.
pub(crate) const STACK: usize = 16 << 20;

/// The time after which the server looks whether its parent still runs. A client that dies mostly
/// closes standard input, which the server sees at once.
pub(crate) const PARENT_INTERVAL: Duration = Duration::from_secs(5);

/// The time without a change after which the client asks for the diagnostics of other documents
/// again: longer than the pause between two letters.
pub(crate) const QUIET_INTERVAL: Duration = Duration::from_millis(400);

/// Bytes of the headers of a message. Clients send one or two short ones.
pub(crate) const MAX_HEADER: u64 = 4096;

/// Bytes of the body of a message. A document that gets answers is much shorter, and one that is
/// longer is opened, too.
pub(crate) const MAX_MESSAGE: u64 = 64 << 20;

/// Files of the workspace in which references are searched.
pub(crate) const MAX_WORKSPACE_FILES: usize = 2000;

/// Entries of folders that are read for them: a home folder is not searched to its end.
pub(crate) const MAX_FOLDER_ENTRIES: usize = 50_000;

/// Bytes of such a file.
pub(crate) const MAX_FILE: usize = 1 << 20;

/// Symbols that an answer about the workspace has: a person who sees more writes another letter.
pub(crate) const MAX_WORKSPACE_SYMBOLS: usize = 200;

/// Entries of all folders that are read for the names of files after `import`: they are read at
/// each letter of the name.
pub(crate) const MAX_IMPORT_ENTRIES: usize = 5000;

/// Names that are offered after `import`: as many as a completion shows.
pub(crate) const MAX_IMPORT_NAMES: usize = babson_ide::limits::MAX_ITEMS;

/// Games of a database in which the names of tags are read: the first ones have nearly all names.
pub(crate) const MAX_TAG_GAMES: u64 = 1000;

/// The time that this reading takes at most: a database may lie on a slow disk.
pub(crate) const MAX_TAG_TIME: Duration = Duration::from_secs(20);

/// Names of tags that are kept for a database.
pub(crate) const MAX_TAG_NAMES: usize = 200;

/// Values of a tag that are offered: a tag with more has values that nobody looks for in a list.
pub(crate) const MAX_TAG_VALUES: usize = 40;

/// Bytes of a name or a value that is offered.
pub(crate) const MAX_TAG_TEXT: usize = 80;

/// Databases whose tags are kept at once.
pub(crate) const MAX_DATABASES_WITH_TAGS: usize = 16;

/// Matches that an answer of `babson.run` has, unless the setting `babson.limit` has another
/// number. All are counted.
pub(crate) const DEFAULT_MATCHES: usize = 200;

/// Messages of a search that a client shows which does not show answers itself: a window has room
/// for a few lines. The answer has more.
pub(crate) const MAX_SHOWN_MESSAGES: usize = 5;

/// The time between two messages about the progress of a search.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Rounds in which certain fixes are applied: one fix can make room for another.
pub(crate) const MAX_FIX_ROUNDS: usize = 16;
