//! The bytes of a remote file in order.

use std::io::{self, Read};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt as _;

use super::connection::{Answer, Connection};
use super::failure::{Failure, FailureKind};
use super::patience::Patience;
use super::remote_file::{Contents, RemoteFile};

/// Reads a remote file from an offset on. If the connection is lost, it goes on there with another
/// one. The next piece comes while the last one is read.
pub(super) struct RemoteText {
    file: RemoteFile,
    at: u64,
    piece: Bytes,
    /// The rest of an answer with its next piece, once it has come.
    next: Option<mpsc::Receiver<Result<Piece, Failure>>>,
    /// How often it was asked without a byte in between.
    attempts: usize,
    /// Once a connection was asked.
    patience: Option<Patience>,
}

/// A piece of an answer, and the rest of the answer; no piece at its end.
type Piece = (Option<Bytes>, Answer);

impl RemoteText {
    pub(super) fn new(file: RemoteFile, offset: u64) -> RemoteText {
        let piece = Bytes::new();
        RemoteText { file, at: offset, piece, next: None, attempts: 0, patience: None }
    }

    /// The next piece. Empty at the end of the file.
    fn next_piece(&mut self) -> Result<Bytes, Failure> {
        let contents = self.file.contents()?;
        let connection = self.file.connection()?;
        loop {
            let left = contents.version.length.saturating_sub(self.at);
            if left == 0 {
                return Ok(Bytes::new());
            }
            match self.receive(&connection, &contents) {
                Ok((Some(piece), rest)) => {
                    connection.count(piece.len());
                    if piece.len() as u64 > left {
                        return Err(Failure::odd());
                    }
                    self.at += piece.len() as u64;
                    self.next = Some(connection.start(next_of(rest)));
                    if !piece.is_empty() {
                        self.attempts = 0;
                        return Ok(piece);
                    }
                }
                // The server has sent fewer bytes than it said.
                Ok((None, _)) => self.wait(Failure::short())?,
                Err(failure) => self.wait(failure)?,
            }
        }
    }

    /// Receives the next piece, of a new answer if there is none. The time that it takes is the
    /// time of the server: this program may be slow.
    fn receive(
        &mut self,
        connection: &Arc<Connection>,
        contents: &Contents,
    ) -> Result<Piece, Failure> {
        let begun = Instant::now();
        let left = self.patience(connection).left();
        let received = match self.next.take() {
            Some(next) => next.recv_timeout(left),
            None if left.is_zero() => Err(RecvTimeoutError::Timeout),
            // The library has limits of its own until an answer begins, and says what was wrong.
            None => {
                let answer = self.ask(connection, contents)?;
                answer.recv().map_err(|_| RecvTimeoutError::Disconnected)
            }
        };
        let received = received.unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => Failure::slow(),
                RecvTimeoutError::Disconnected => connection.ended(),
            })
        });
        let bytes = match &received {
            Ok((Some(piece), _)) => piece.len(),
            Ok((None, _)) | Err(_) => 0,
        };
        self.patience(connection).spend(begun.elapsed(), bytes);
        received
    }

    /// Asks for the rest of the file.
    fn ask(
        &self,
        connection: &Arc<Connection>,
        contents: &Contents,
    ) -> Result<mpsc::Receiver<Result<Piece, Failure>>, Failure> {
        let range = (self.at > 0).then_some(self.at..contents.version.length);
        if range.is_some() && !contents.has_ranges {
            let message = "the connection was lost, and the server does not give the rest of the \
                           file alone";
            return Err(Failure::new(FailureKind::NoRanges, message));
        }
        let (asking, expected) = (Arc::clone(connection), contents.version.clone());
        Ok(connection.start(async move {
            let answer = asking.ask(range).await?;
            match answer.version == expected {
                true => next_of(answer).await,
                false => Err(Failure::changed()),
            }
        }))
    }

    fn patience(&mut self, connection: &Connection) -> &mut Patience {
        self.patience.get_or_insert_with(|| Patience::new(connection.silence()))
    }

    /// Waits before it asks again.
    ///
    /// # Errors
    /// It was asked too often, or asking does not help: for this reason.
    fn wait(&mut self, failure: Failure) -> Result<(), Failure> {
        let is_renewed = |patience: &mut Patience| {
            // Another connection may be faster.
            failure.kind != FailureKind::Slow || patience.renew()
        };
        if !failure.may_pass(self.attempts) || !self.patience.as_mut().is_none_or(is_renewed) {
            return Err(failure);
        }
        let delay = Duration::from_millis(100 << self.attempts);
        std::thread::sleep(delay);
        if let Some(patience) = &mut self.patience {
            patience.spend(delay, 0);
        }
        self.attempts += 1;
        Ok(())
    }
}

/// The next piece of an answer.
async fn next_of(mut answer: Answer) -> Result<Piece, Failure> {
    let piece = answer.bytes.next().await.transpose();
    let piece = piece.map_err(|error| Failure::of_answer(&error))?;
    Ok((piece, answer))
}

impl Read for RemoteText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() && !buffer.is_empty() {
            let piece = self.next_piece();
            self.piece = piece.map_err(|failure| self.file.note(failure).into_error())?;
        }
        let part = self.piece.split_to(buffer.len().min(self.piece.len()));
        buffer[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}
