//! The lines of the answer of a search, on their way from the search to the client.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use babson::CancelToken;
use bytes::Bytes;
use futures_util::Stream;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use crate::limits::{CANCEL_INTERVAL, LINES_BLOCK, MAX_WAITING_BLOCKS};

/// The client went away, or takes the lines too slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody takes the lines any more")]
pub(crate) struct ClosedStream;

/// Takes the lines of a search. It waits for a client that takes them slowly.
pub(crate) struct LineWriter {
    block: Vec<u8>,
    sender: Sender<Bytes>,
    runtime: Handle,
    token: CancelToken,
    /// How long it waits for the client, in all: a client that takes its lines slowly holds the
    /// place of another search.
    patience: Duration,
}

/// The lines as the body of an answer. The search is cancelled when it is dropped.
pub(crate) struct LineStream {
    blocks: Receiver<Bytes>,
    token: CancelToken,
}

/// The two ends of the lines of a search that this token cancels.
pub(crate) fn lines(token: CancelToken, patience: Duration) -> (LineWriter, LineStream) {
    let (sender, blocks) = channel(MAX_WAITING_BLOCKS);
    let (runtime, block) = (Handle::current(), Vec::new());
    let writer = LineWriter { block, sender, runtime, token: token.clone(), patience };
    (writer, LineStream { blocks, token })
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
        let began = Instant::now();
        let permit = loop {
            let waited = began.elapsed();
            if self.token.is_cancelled() || waited >= self.patience {
                return Err(ClosedStream);
            }
            let step = CANCEL_INTERVAL.min(self.patience.saturating_sub(waited));
            match self.runtime.block_on(async { timeout(step, self.sender.reserve()).await }) {
                Ok(permit) => break permit.map_err(|_| ClosedStream)?,
                Err(_) => continue,
            }
        };
        permit.send(block);
        self.patience = self.patience.saturating_sub(began.elapsed());
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks that a writer gets rid of while nobody takes them.
    fn sent(token: &CancelToken, patience: Duration) -> usize {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build().unwrap();
        let _inside = runtime.enter();
        let (mut writer, stream) = lines(token.clone(), patience);
        let block = vec![b'x'; LINES_BLOCK];
        let sent = (0..100).take_while(|_| writer.push(&block).is_ok()).count();
        assert!(writer.patience <= patience);
        drop(stream);
        assert!(token.is_cancelled());
        sent
    }

    #[test]
    fn a_client_that_takes_nothing_gets_no_more_than_waits() {
        assert_eq!(sent(&CancelToken::default(), Duration::from_millis(1)), MAX_WAITING_BLOCKS);
    }

    #[test]
    fn a_search_that_is_cancelled_does_not_wait() {
        let token = CancelToken::default();
        token.cancel();
        assert_eq!(sent(&token, Duration::from_secs(3600)), MAX_WAITING_BLOCKS);
    }
}
