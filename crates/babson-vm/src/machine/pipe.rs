//! `commandpipe`: conversations with long-lived processes (docs/src/command-pipe.md).
//!
//! Each machine has a process for each command, with two threads. One writes requests, so that a
//! process that does not read cannot block the machine. The other reads answers, so that waiting
//! for one can time out. A process leads its own group, which is killed as a whole.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use babson_lang::Span;

use super::{Machine, Run, Stop};
use crate::RuntimeError;
use crate::limits::{MAX_PIPE_ANSWER, MAX_PIPE_EXIT_TIME, MAX_PIPE_FAILURES, MIN_PIPE_SILENCE};
use crate::op::{Id, Pc};

/// The filter, as errors name it.
const FILTER: &str = "commandpipe";

/// An error of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PipeError {
    Ended,
    Unfinished,
    Late(Duration),
    TooLong,
    NotText,
    Nul,
    Unasked,
}

impl PipeError {
    fn message(&self, status: Option<ExitStatus>) -> String {
        match (self, status) {
            (PipeError::Ended | PipeError::Unfinished, Some(status)) => {
                format!("it ended without an answer ({status})")
            }
            (PipeError::Ended | PipeError::Unfinished, None) => {
                "it ended without an answer".to_owned()
            }
            (PipeError::Late(limit), _) => {
                format!("no answer within {} s (--pipetimeout)", limit.as_secs_f64())
            }
            (PipeError::TooLong, _) => format!("its answer has more than {MAX_PIPE_ANSWER} bytes"),
            (PipeError::NotText, _) => "its answer is not UTF-8".to_owned(),
            (PipeError::Nul, _) => "its answer holds a NUL".to_owned(),
            (PipeError::Unasked, _) => "it wrote more than one line for a request".to_owned(),
        }
    }

    /// Whether earlier answers may have been wrong: an extra line shifts all later answers.
    fn is_fatal(&self) -> bool {
        match self {
            PipeError::Unasked => true,
            PipeError::Ended
            | PipeError::Unfinished
            | PipeError::Late(_)
            | PipeError::TooLong
            | PipeError::NotText
            | PipeError::Nul => false,
        }
    }
}

/// The state of one command of a machine.
#[derive(Debug, Default)]
pub(super) struct PipeSlot {
    pipe: Option<Pipe>,
    /// Since the last answer.
    failures: u32,
    /// The filter that asked last.
    span: Span,
}

/// A running process.
#[derive(Debug)]
struct Pipe {
    child: Child,
    /// `None` once nothing more is asked: then the process's input ends.
    requests: Option<Sender<Vec<u8>>>,
    answers: Receiver<Result<Vec<u8>, PipeError>>,
    /// Whether it has answered and was quiet then.
    settled: bool,
}

/// The groups of all running processes. Locked while a process is started or reaped, so that no
/// number in it can belong to another process.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, Vec<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the processes of all `commandpipe` filters, when a signal ends this process. Afterwards
/// none can be started or ended: a thread that tries waits until this process ends.
pub fn kill_pipes() {
    let all = groups();
    for &group in &*all {
        kill_group(group);
    }
    std::mem::forget(all);
}

#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(group).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The group may be gone already.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Whether the process has ended. Does not reap it, so that its number is not used again.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = Pid::from_child(child);
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

impl Pipe {
    fn start(words: &[String]) -> std::io::Result<Pipe> {
        let (program, arguments) = words.split_first().ok_or(std::io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut all = groups();
        let mut child = command.spawn()?;
        all.push(child.id());
        drop(all);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (request, requests) = mpsc::channel();
        let (answer, answers) = mpsc::sync_channel(1);
        let pipe = Pipe { child, requests: Some(request), answers, settled: false };
        // From here on dropping the pipe ends the process.
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        std::thread::Builder::new().spawn(move || write_requests(stdin, &requests))?;
        std::thread::Builder::new().spawn(move || read_answers(stdout, &answer))?;
        Ok(pipe)
    }

    /// Sends a line and waits for one.
    fn ask(&mut self, request: &[u8], limit: Duration) -> Result<Vec<u8>, PipeError> {
        match self.answers.try_recv() {
            Ok(Ok(_)) => return Err(PipeError::Unasked),
            Ok(Err(error)) => return Err(error),
            Err(TryRecvError::Disconnected) => return Err(PipeError::Ended),
            Err(TryRecvError::Empty) => {}
        }
        let mut line = request.to_vec();
        line.push(b'\n');
        let sent = self.requests.as_ref().is_some_and(|out| out.send(line).is_ok());
        if !sent {
            return Err(PipeError::Ended);
        }
        let wait = if limit.is_zero() { Duration::MAX } else { limit };
        let answer = match self.answers.recv_timeout(wait) {
            Ok(answer) => answer?,
            Err(RecvTimeoutError::Timeout) => return Err(PipeError::Late(limit)),
            Err(RecvTimeoutError::Disconnected) => return Err(PipeError::Ended),
        };
        if !self.settled {
            self.listen(MIN_PIPE_SILENCE)?;
            self.settled = true;
        }
        if answer.contains(&0) {
            return Err(PipeError::Nul);
        }
        match std::str::from_utf8(&answer) {
            Ok(_) => Ok(answer),
            Err(_) => Err(PipeError::NotText),
        }
    }

    /// Listens for extra output: an error if the process writes anything before it ends or the time
    /// is over.
    fn listen(&self, time: Duration) -> Result<(), PipeError> {
        match self.answers.recv_timeout(time) {
            // The next request, if there is one, finds that it has ended.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)
            | Ok(Err(PipeError::Ended)) => Ok(()),
            Ok(_) => Err(PipeError::Unasked),
        }
    }

    /// Ends the conversation; an error if the process has written more than its answers.
    fn close(&mut self) -> Result<(), PipeError> {
        self.requests = None;
        let heard = self.listen(MAX_PIPE_EXIT_TIME);
        self.end(Duration::ZERO);
        heard
    }

    /// Ends and reaps the process; kills it if it does not end in that time.
    fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.requests = None;
        let began = Instant::now();
        while !has_ended(&mut self.child) && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(2));
        }
        let mut all = groups();
        let group = self.child.id();
        kill_group(group);
        // Fails if the process has ended already, which is fine.
        let _ = self.child.kill();
        let status = self.child.wait().ok();
        if let Some(index) = all.iter().position(|&other| other == group) {
            all.swap_remove(index);
        }
        status
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // Only a conversation that failed was ended before.
        if self.requests.is_some() {
            self.end(MAX_PIPE_EXIT_TIME);
        }
    }
}

fn write_requests(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    for line in requests {
        // The reader tells that the process is gone.
        if stdin.write_all(&line).is_err() {
            return;
        }
    }
}

fn read_answers(stdout: ChildStdout, answers: &SyncSender<Result<Vec<u8>, PipeError>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let limit = MAX_PIPE_ANSWER as u64 + 2;
        let read = stdout.by_ref().take(limit).read_until(b'\n', &mut line);
        let ended = line.pop_if(|byte| *byte == b'\n').is_some();
        line.pop_if(|byte| ended && *byte == b'\r');
        let answer = match read {
            _ if line.len() > MAX_PIPE_ANSWER => Err(PipeError::TooLong),
            // More than one line has come for a request.
            Ok(_) if ended && !stdout.buffer().is_empty() => Err(PipeError::Unasked),
            Ok(_) if ended => Ok(line),
            // The process has closed its output.
            Ok(_) if line.is_empty() => Err(PipeError::Ended),
            // A line without an end is not an answer.
            Ok(_) => Err(PipeError::Unfinished),
            Err(_) => Err(PipeError::Ended),
        };
        let last = answer.is_err();
        if answers.send(answer).is_err() || last {
            return;
        }
    }
}

impl Machine<'_> {
    /// Ends the conversations of the `commandpipe` filters, after the last game of this machine. It
    /// is a fatal error if a process has written more than its answers, since it is unknown which
    /// answer belonged to which request.
    pub fn close_pipes(&mut self) -> Option<RuntimeError> {
        let mut error = None;
        for (command, slot) in self.program.code.pipes.iter().zip(&mut self.carryover.pipes) {
            let Some(mut pipe) = slot.pipe.take() else {
                continue;
            };
            if let Err(failure) = pipe.close() {
                error.get_or_insert_with(|| RuntimeError {
                    filter: FILTER,
                    span: slot.span,
                    position: 0,
                    message: format!("{:?}: {}", command.join(" "), failure.message(None)),
                    fatal: true,
                    out_of_steps: false,
                });
            }
        }
        error
    }
}

impl Run<'_, '_> {
    /// The answer to a request; none if it is empty.
    pub(super) fn command_pipe(
        &mut self,
        pc: Pc,
        pipe: Id<Box<[String]>>,
        request: u64,
    ) -> Result<Option<u64>, Stop> {
        let options = self.context.options;
        if options.secure {
            let message = "commandpipe is not allowed here".to_owned();
            return self.stop(pc, FILTER, message, true);
        }
        self.step(pc)?;
        self.state.pay_text(request);
        let program = self.program;
        let command = &program.code.pipes[pipe];
        let shown = command.join(" ");
        let request = self.state.bytes(request).to_vec();
        if request.iter().any(|byte| matches!(byte, b'\n' | b'\r' | 0)) {
            let message = format!(
                "the request to {shown:?} is more than one line: {:?}",
                String::from_utf8_lossy(&request)
            );
            return self.stop(pc, FILTER, message, false);
        }
        let slot = &mut self.state.carryover.pipes[pipe.index()];
        slot.span = program.code.span(pc);
        let pipe = match &mut slot.pipe {
            Some(pipe) => pipe,
            empty => match Pipe::start(command) {
                Ok(pipe) => empty.insert(pipe),
                Err(error) => {
                    let message = format!("cannot start {shown:?}: {error}");
                    return self.stop(pc, FILTER, message, true);
                }
            },
        };
        match pipe.ask(&request, options.pipe_timeout) {
            Ok(answer) => {
                slot.failures = 0;
                if answer.is_empty() {
                    return Ok(None);
                }
                let text = self.state.intern(&answer);
                self.check_memory(pc)?;
                Ok(Some(text))
            }
            Err(error) => {
                let patience = match error {
                    // Waits for its status, which says more than the end of its answers.
                    PipeError::Ended | PipeError::Unfinished => MAX_PIPE_EXIT_TIME,
                    PipeError::Late(_)
                    | PipeError::TooLong
                    | PipeError::NotText
                    | PipeError::Nul
                    | PipeError::Unasked => Duration::ZERO,
                };
                let status = pipe.end(patience);
                slot.pipe = None;
                slot.failures += 1;
                let fatal = error.is_fatal() || slot.failures >= MAX_PIPE_FAILURES;
                let message = format!("{shown:?}: {}", error.message(status));
                self.stop(pc, FILTER, message, fatal)
            }
        }
    }
}
