//! `commandpipe`: conversations with programs (docs/src/command-pipe.md).
//!
//! Each machine has a conversation for each command. The [`Host`](crate::Host) holds it.

use babson_lang::Span;
use serde::{Deserialize, Serialize};

use super::{Machine, Run, Stop};
use crate::limits::{MAX_PIPE_ANSWER, MAX_PIPE_FAILURES};
use crate::op::{Id, Pc};
use crate::{HostError, Pipe, PipeError, RunLimit, RuntimeError};

/// The filter, as errors name it.
const FILTER: &str = "commandpipe";

/// The state of one command of a machine.
#[derive(Debug, Default)]
pub(super) struct PipeSlot {
    pipe: Option<Box<dyn Pipe>>,
    /// Since the last answer.
    failures: u32,
    /// The filter that asked last, and in which game.
    span: Span,
    game: u64,
}

/// A program has written more than its answers: see [`Machine::close_each_pipe`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PipeFailure {
    /// The number of the game of its last request; `None` for `cqlbegin` and `cqlend`.
    #[serde(with = "number_or_zero")]
    pub game: Option<u64>,
    /// The error, which is fatal.
    pub error: RuntimeError,
}

/// The number of a game in the parts of slices: 0 for none.
mod number_or_zero {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        game: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        game.unwrap_or(0).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        source: D,
    ) -> Result<Option<u64>, D::Error> {
        u64::deserialize(source).map(|game| Some(game).filter(|game| *game > 0))
    }
}

/// Whether earlier answers may have been wrong.
fn is_fatal(error: &PipeError) -> bool {
    match error {
        PipeError::Unasked => true,
        PipeError::Ended(_) | PipeError::Late(_) | PipeError::TooLong => false,
    }
}

/// The limit that a run may be given more of, if the error is one.
fn limit(error: &PipeError) -> Option<RunLimit> {
    match error {
        PipeError::Late(_) => Some(RunLimit::AnswerTime),
        PipeError::Ended(_) | PipeError::TooLong | PipeError::Unasked => None,
    }
}

/// What is wrong with an answer as a text.
fn fault(answer: &[u8]) -> Option<&'static str> {
    if answer.contains(&0) {
        Some("its answer holds a NUL")
    } else if std::str::from_utf8(answer).is_err() {
        Some("its answer is not UTF-8")
    } else {
        None
    }
}

impl Machine {
    /// Ends the conversations of the `commandpipe` filters, after the last game of this machine. It
    /// is a fatal error if a program has written more than its answers, since it is unknown which
    /// answer belonged to which request.
    pub fn close_pipes(&mut self) -> Option<RuntimeError> {
        self.close_each_pipe().into_iter().next().map(|failure| failure.error)
    }

    /// As [`close_pipes`](Machine::close_pipes), with the error of each program. If this machine
    /// has run games after the last one that counts, an error of a program that was asked in such a
    /// game does not count either.
    pub fn close_each_pipe(&mut self) -> Vec<PipeFailure> {
        let mut failures = Vec::new();
        for (command, slot) in self.program.parts().code.pipes.iter().zip(&mut self.carryover.pipes)
        {
            let Some(mut pipe) = slot.pipe.take() else {
                continue;
            };
            if let Err(failure) = pipe.close() {
                let error = RuntimeError {
                    filter: FILTER.into(),
                    span: slot.span,
                    position: 0,
                    message: format!("{:?}: {failure}", command.join(" ")),
                    fatal: true,
                    limit: limit(&failure),
                };
                failures.push(PipeFailure { game: (slot.game > 0).then_some(slot.game), error });
            }
        }
        failures
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
        // The program may write files.
        self.forget_files();
        let slot = &mut self.state.carryover.pipes[pipe.index()];
        slot.span = program.code.span(pc);
        slot.game = self.context.number;
        let pipe = match &mut slot.pipe {
            Some(pipe) => pipe,
            empty => match self.context.options.host.start_program(command) {
                Ok(pipe) => empty.insert(pipe),
                Err(HostError::Refused) => return self.refused(pc, FILTER),
                Err(HostError::Failed(error)) => {
                    let message = format!("cannot start {shown:?}: {error}");
                    return self.stop(pc, FILTER, message, true);
                }
            },
        };
        let answer = match pipe.ask(&request) {
            Ok(answer) if answer.len() > MAX_PIPE_ANSWER => Err(PipeError::TooLong),
            answer => answer,
        };
        let (message, fatal, limit) = match answer {
            Ok(answer) => match fault(&answer) {
                None => {
                    slot.failures = 0;
                    if answer.is_empty() {
                        return Ok(None);
                    }
                    let text = self.state.intern(&answer);
                    self.check_memory(pc)?;
                    return Ok(Some(text));
                }
                Some(fault) => (fault.to_owned(), false, None),
            },
            Err(error) => (error.to_string(), is_fatal(&error), limit(&error)),
        };
        slot.pipe = None;
        slot.failures += 1;
        let fatal = fatal || slot.failures >= MAX_PIPE_FAILURES;
        let stopped = self.stop(pc, FILTER, format!("{shown:?}: {message}"), fatal);
        if let Some(error) = &mut self.state.error {
            error.limit = limit;
        }
        stopped
    }
}
