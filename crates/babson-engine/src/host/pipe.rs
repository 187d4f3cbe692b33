//! Conversations with programs, for `commandpipe` (docs/src/command-pipe.md).
//!
//! A program has two threads. One writes requests, so that a program that does not read cannot
//! block the machine. The other reads answers, so that waiting for one can time out.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::time::{Duration, Instant};

use babson_vm::{MAX_PIPE_ANSWER, Pipe, PipeError};

use super::children::{Children, has_ended};
use crate::limits::{MAX_PIPE_EXIT_TIME, MIN_PIPE_SILENCE};

/// What the thread that reads answers hands on.
type Line = Result<Vec<u8>, ReadError>;

/// Why no further answer can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadError {
    Ended,
    /// It ended within a line, which is not an answer.
    Unfinished,
    TooLong,
    Unasked,
}

/// A running program.
#[derive(Debug)]
pub(super) struct ProcessPipe {
    children: Arc<Children>,
    child: Child,
    /// How long it may take to answer; zero for any time.
    timeout: Duration,
    /// `None` after the last request: then the input of the program ends.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<Line>,
    /// Whether it has answered and was quiet then.
    settled: bool,
}

impl ProcessPipe {
    pub(super) fn start(
        words: &[String],
        timeout: Duration,
        children: &Arc<Children>,
    ) -> io::Result<ProcessPipe> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = children.start(&mut command)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (request, requests) = mpsc::channel();
        let (answer, answers) = mpsc::sync_channel(1);
        let pipe = ProcessPipe {
            children: Arc::clone(children),
            child,
            timeout,
            requests: Some(request),
            answers,
            settled: false,
        };
        // From here on dropping the pipe ends the program.
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        std::thread::Builder::new().spawn(move || write_requests(stdin, &requests))?;
        std::thread::Builder::new().spawn(move || read_answers(stdout, &answer))?;
        Ok(pipe)
    }

    /// Sends a line and waits for one.
    fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, PipeError> {
        match self.answers.try_recv() {
            Ok(Ok(_)) => return Err(PipeError::Unasked),
            Ok(Err(error)) => return Err(self.failure(error)),
            Err(TryRecvError::Disconnected) => return Err(self.failure(ReadError::Ended)),
            Err(TryRecvError::Empty) => {}
        }
        let mut line = request.to_vec();
        line.push(b'\n');
        let sent = self.requests.as_ref().is_some_and(|out| out.send(line).is_ok());
        if !sent {
            return Err(self.failure(ReadError::Ended));
        }
        let wait = if self.timeout.is_zero() { Duration::MAX } else { self.timeout };
        let answer = match self.answers.recv_timeout(wait) {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Err(self.failure(error)),
            Err(RecvTimeoutError::Timeout) => return Err(PipeError::Late(self.timeout)),
            Err(RecvTimeoutError::Disconnected) => return Err(self.failure(ReadError::Ended)),
        };
        if !self.settled {
            self.listen(MIN_PIPE_SILENCE)?;
            self.settled = true;
        }
        Ok(answer)
    }

    /// The error for the machine. Ends a program that has ended its output, since its status says
    /// more than that.
    fn failure(&mut self, error: ReadError) -> PipeError {
        match error {
            ReadError::Ended | ReadError::Unfinished => {
                let status = self.end(MAX_PIPE_EXIT_TIME);
                PipeError::Ended(status.map(|status| status.to_string()))
            }
            ReadError::TooLong => PipeError::TooLong,
            ReadError::Unasked => PipeError::Unasked,
        }
    }

    /// Listens for extra output: an error if the program writes anything before it ends or the time
    /// is over.
    fn listen(&self, time: Duration) -> Result<(), PipeError> {
        match self.answers.recv_timeout(time) {
            // The next request, if there is one, finds that it has ended.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)
            | Ok(Err(ReadError::Ended)) => Ok(()),
            Ok(_) => Err(PipeError::Unasked),
        }
    }

    /// Ends and reaps the program; kills it if it does not end in that time. None if it was ended
    /// before.
    fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.requests.take()?;
        let began = Instant::now();
        while !has_ended(&mut self.child) && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.children.end(&mut self.child)
    }
}

impl Pipe for ProcessPipe {
    fn ask(&mut self, request: &[u8]) -> Result<Vec<u8>, PipeError> {
        let answer = self.exchange(request);
        if answer.is_err() {
            self.end(Duration::ZERO);
        }
        answer
    }

    fn close(&mut self) -> Result<(), PipeError> {
        let Some(requests) = self.requests.take() else {
            return Ok(());
        };
        // The end of its input tells the program to end.
        drop(requests);
        let heard = self.listen(MAX_PIPE_EXIT_TIME);
        self.children.end(&mut self.child);
        heard
    }
}

impl Drop for ProcessPipe {
    fn drop(&mut self) {
        // Has an effect only if the conversation was neither closed nor failed.
        self.end(MAX_PIPE_EXIT_TIME);
    }
}

fn write_requests(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        // The reader tells that the program is gone.
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn read_answers(stdout: ChildStdout, answers: &SyncSender<Line>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let limit = MAX_PIPE_ANSWER as u64 + 2;
        let read = stdout.by_ref().take(limit).read_until(b'\n', &mut line);
        let ended = line.pop_if(|byte| *byte == b'\n').is_some();
        line.pop_if(|byte| ended && *byte == b'\r');
        let answer = match read {
            _ if line.len() > MAX_PIPE_ANSWER => Err(ReadError::TooLong),
            // More than one line has come for a request.
            Ok(_) if ended && !stdout.buffer().is_empty() => Err(ReadError::Unasked),
            Ok(_) if ended => Ok(line),
            // The program has closed its output.
            Ok(_) if line.is_empty() => Err(ReadError::Ended),
            Ok(_) => Err(ReadError::Unfinished),
            Err(_) => Err(ReadError::Ended),
        };
        let last = answer.is_err();
        if answers.send(answer).is_err() || last {
            return;
        }
    }
}
