//! The events of a batch in the order of the games, so that they do not depend on how the inputs
//! were cut.

use std::ops::Range;

use babson_vm::RuntimeError;

use crate::worker::Remark;

/// Something that is reported of a game.
pub(super) struct BatchEvent {
    pub(super) game: u64,
    /// The last of the games, if it is of several.
    pub(super) last: u64,
    /// The job; after all jobs what concerns the game itself.
    pub(super) job: usize,
    pub(super) kind: EventKind,
}

pub(super) enum EventKind {
    Error(RuntimeError),
    /// The range of the lines in the messages of the job.
    Messages(Range<usize>),
    /// The next match of the job.
    Match,
    /// The remarks on the game, as a range of the remarks of the batch.
    Remarks(Range<usize>),
}

/// The events of a batch.
#[derive(Default)]
pub(super) struct BatchEvents {
    events: Vec<BatchEvent>,
    /// The messages of each job.
    pub(super) messages: Vec<Vec<u8>>,
}

impl BatchEvents {
    pub(super) fn push(&mut self, game: u64, job: usize, kind: EventKind) {
        self.events.push(BatchEvent { game, last: game, job, kind });
    }

    /// Adds the remarks of the batch.
    pub(super) fn push_remarks(&mut self, remarks: &[Remark]) {
        let mut begin = 0;
        for of_game in remarks.chunk_by(|a, b| a.report.game == b.report.game) {
            let range = begin..begin + of_game.len();
            begin = range.end;
            let game = of_game.first().map_or(0, |remark| remark.report.game);
            self.push(game, usize::MAX, EventKind::Remarks(range));
        }
    }

    /// Adds the messages of a job up to the game `last`. For each game with messages, `ends` has
    /// its number and the end of its messages.
    pub(super) fn push_messages(&mut self, job: usize, ends: &[(u64, usize)], last: u64) {
        let mut begin = 0;
        for &(game, end) in ends.iter().take_while(|(game, _)| *game <= last) {
            self.push(game, job, EventKind::Messages(begin..end));
            begin = end;
        }
    }

    /// The events in order. With `joins`, the messages of a job with nothing between them are one
    /// event.
    pub(super) fn in_order(&mut self, joins: bool) -> Vec<BatchEvent> {
        let mut events = std::mem::take(&mut self.events);
        // Stable: the events of a job in a game stay in their order.
        events.sort_by_key(|event| (event.game, event.job));
        let mut joined: Vec<BatchEvent> = Vec::with_capacity(events.len());
        for event in events {
            if joins
                && let Some(BatchEvent { job, last, kind: EventKind::Messages(before), .. }) =
                    joined.last_mut()
                && let EventKind::Messages(range) = &event.kind
                && *job == event.job
                && before.end == range.start
            {
                (before.end, *last) = (range.end, event.game);
                continue;
            }
            joined.push(event);
        }
        joined
    }
}
