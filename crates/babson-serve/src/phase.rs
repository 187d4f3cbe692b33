//! The end of a server, from the first signal on.

/// How far the end of a server has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EndPhase {
    /// It serves.
    Serving,
    /// It takes no more requests, and answers those that it has.
    Ending,
    /// It cancels what runs, and waits for no client.
    Cancelling,
}
