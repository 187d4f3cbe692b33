//! The limits of the package, each with its reason.

use std::time::Duration;

/// How often a call that waits asks Python for signals. Ctrl-C is to end it within 100 ms.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(25);

/// How long a call that was ended waits for work with outputs, so that with [`SIGNAL_INTERVAL`] it
/// is less than 100 ms. The work may wait for the disk, which takes longer.
pub(crate) const END_TIME: Duration = Duration::from_millis(40);

/// How often a scan tells its progress: as often as somebody looks.
pub(crate) const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// How long a query may take on one board before it is moved to a thread of its own, so that
/// signals are heard. A thread costs more than most queries take.
pub(crate) const INLINE_TIME: Duration = Duration::from_millis(15);

/// Rows of a record batch: enough that a batch costs little, few enough that they fit a cache.
pub(crate) const BATCH_ROWS: usize = 8192;

/// Matches that go to Python together. The first one of a slow search does not wait for others.
pub(crate) const MATCHES_TOGETHER: usize = 32;

/// Groups of matches or batches that wait for Python. A search that is faster waits.
pub(crate) const WAITING_GROUPS: usize = 4;

/// Bytes that one call of `read` of a file object gets at most.
pub(crate) const READ_BYTES: usize = 1 << 16;

/// Cards of a table in a notebook: more of them only make the notebook slow.
pub(crate) const CARDS: usize = 50;

/// The height of a frame of a notebook in pixels: a board with its caption.
pub(crate) const FRAME_HEIGHT: u32 = 560;
