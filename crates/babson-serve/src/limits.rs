//! The limits of the server, each with its reason. Most can be changed by [`ServeLimits`].

use std::time::Duration;

/// The limits of a server. [`ServeLimits::default`] has the values of the command.
///
/// ```
/// let limits = babson_serve::ServeLimits::default();
/// assert_eq!((limits.waiting, limits.body), (256, 256 << 10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServeLimits {
    /// Searches that wait for one that runs to end. More would wait longer than a person does.
    pub waiting: usize,
    /// Bytes of the body of a request.
    pub body: usize,
    /// Connections at once. It is less if the system allows fewer open files.
    pub connections: usize,
    /// The time in which a client sends the head of a request, also of the next one.
    pub head_time: Duration,
    /// The time in which a client sends a body.
    pub body_time: Duration,
    /// The time in which a client takes more of an answer. A search waits as long for its client,
    /// in all.
    pub write_time: Duration,
    /// The time that running searches have to end after a signal.
    pub grace: Duration,
}

impl Default for ServeLimits {
    fn default() -> ServeLimits {
        ServeLimits {
            waiting: 256,
            body: babson_api::MAX_BODY,
            connections: 4096,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            grace: Duration::from_secs(20),
        }
    }
}

/// Seconds that a search may take if nobody says otherwise: `mate` in some millions of games on one
/// core.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Matches that a search may find if nobody says otherwise. The list of the page shows as many.
pub const DEFAULT_MAX_MATCHES: u64 = 100_000;

/// Open files that are not connections: databases, the standard streams, the files of the runtime.
pub(crate) const OTHER_FILES: u64 = 128;

/// Bytes of lines that are sent together.
pub(crate) const LINES_BLOCK: usize = 32 << 10;

/// Blocks of lines that wait for a client.
pub(crate) const MAX_WAITING_BLOCKS: usize = 8;

/// How often a search that waits for its client asks whether it is cancelled.
pub(crate) const CANCEL_INTERVAL: Duration = Duration::from_millis(100);

/// The least time between two lines of progress.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Names of databases in the error of a name that does not exist: about two lines.
pub(crate) const MAX_TOLD_NAMES: usize = 10;

/// Bytes of the head of a request. A browser sends about one thousand.
pub(crate) const MAX_HEAD: usize = 32 << 10;

/// The time that searches have to notice that they are cancelled: they look after each game, and
/// within long ones.
pub(crate) const END_TIME: Duration = Duration::from_secs(2);

/// How often the end of the server looks whether searches run.
pub(crate) const CANCEL_STEP: Duration = Duration::from_millis(5);

/// The time that the last lines of cancelled searches have to reach their clients.
pub(crate) const LAST_WRITES: Duration = Duration::from_millis(200);

/// The pause after the system refuses a connection, perhaps because too many files are open.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
