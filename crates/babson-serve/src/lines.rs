//! The lines of the answer of a search, on their way from the search to the client.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use babson::CancelToken;
use bytes::Bytes;
use futures_util::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout_at;

use crate::limits::{LINES_BLOCK, MAX_WAITING_BLOCKS};

/// The client went away, or takes the lines too slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody takes the lines any more")]
pub(crate) struct ClosedStream;

/// Takes the lines of a search. It waits for a client that takes them slowly.
pub(crate) struct LineWriter {
    block: Vec<u8>,
    sender: Sender<Bytes>,
    runtime: Handle,
    /// How long it waits for the client.
    until: Instant,
}

/// The lines as the body of an answer. The search is cancelled when it is dropped.
pub(crate) struct LineStream {
    blocks: Receiver<Bytes>,
    token: CancelToken,
}

/// The two ends of the lines of a search that this token cancels.
pub(crate) fn lines(token: CancelToken, until: Instant) -> (LineWriter, LineStream) {
    let (sender, blocks) = channel(MAX_WAITING_BLOCKS);
    let runtime = Handle::current();
    (LineWriter { block: Vec::new(), sender, runtime, until }, LineStream { blocks, token })
}

impl LineWriter {
    /// Takes a line with its end.
    ///
    /// # Errors
    /// Nobody takes the lines any more.
    pub(crate) fn push(&mut self, line: &[u8]) -> Result<(), ClosedStream> {
        self.block.extend_from_slice(line);
        if self.block.len() < LINES_BLOCK { Ok(()) } else { self.flush() }
    }

    /// Sends the lines so far.
    ///
    /// # Errors
    /// Nobody takes the lines any more.
    pub(crate) fn flush(&mut self) -> Result<(), ClosedStream> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = Bytes::from(std::mem::take(&mut self.block));
        let block = match self.sender.try_send(block) {
            Ok(()) => return Ok(()),
            Err(error) => error.into_inner(),
        };
        let sent = self.runtime.block_on(timeout_at(self.until.into(), self.sender.send(block)));
        sent.map_err(|_| ClosedStream)?.map_err(|_| ClosedStream)
    }
}

impl Stream for LineStream {
    type Item = Result<Bytes, ClosedStream>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.blocks.poll_recv(context).map(|block| block.map(Ok))
    }
}

impl Drop for LineStream {
    fn drop(&mut self) {
        self.token.cancel();
    }
}
