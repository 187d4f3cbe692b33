//! The bytes of a remote file in order.

use std::io::{self, Read};
use std::sync::{Arc, mpsc};

use bytes::Bytes;
use futures_util::StreamExt as _;

use super::connection::{Answer, ended};
use super::failure::{Failure, FailureKind};
use super::remote_file::RemoteFile;

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
}

/// A piece of an answer, and the rest of the answer; no piece at its end.
type Piece = (Option<Bytes>, Answer);

impl RemoteText {
    pub(super) fn new(file: RemoteFile, offset: u64) -> RemoteText {
        RemoteText { file, at: offset, piece: Bytes::new(), next: None, attempts: 0 }
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
            let next = match self.next.take() {
                Some(next) => next,
                None => {
                    let range = (self.at > 0).then_some(self.at..contents.version.length);
                    if range.is_some() && !contents.has_ranges {
                        return Err(Failure::new(
                            FailureKind::NoRanges,
                            "the connection was lost, and the server does not give the rest of the \
                             file alone",
                        ));
                    }
                    let (asking, expected) = (Arc::clone(&connection), contents.version.clone());
                    connection.start(async move {
                        let answer = asking.ask(range).await?;
                        match answer.version == expected {
                            true => next_of(answer).await,
                            false => Err(Failure::changed()),
                        }
                    })
                }
            };
            match next.recv().map_err(|_| ended())? {
                Ok((Some(piece), rest)) => {
                    connection.count(piece.len());
                    if piece.len() as u64 > left {
                        return Err(Failure::odd());
                    }
                    self.attempts = 0;
                    self.at += piece.len() as u64;
                    self.next = Some(connection.start(next_of(rest)));
                    if !piece.is_empty() {
                        return Ok(piece);
                    }
                }
                // The server has sent fewer bytes than it said.
                Ok((None, _)) => self.wait(Failure::short())?,
                Err(failure) => self.wait(failure)?,
            }
        }
    }

    /// Waits before it asks again.
    ///
    /// # Errors
    /// It was asked too often, or asking does not help: for this reason.
    fn wait(&mut self, failure: Failure) -> Result<(), Failure> {
        if !failure.may_pass(self.attempts) {
            return Err(failure);
        }
        std::thread::sleep(std::time::Duration::from_millis(100 << self.attempts));
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
