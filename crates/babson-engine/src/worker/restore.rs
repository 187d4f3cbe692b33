//! Writing the matches of slices, which were evaluated before.

use babson_pgn::SplitText;
use babson_vm::SharedChangesData;
use babson_vm::run::GameText;

use super::Worker;
use super::job_run::JobRun;
use super::match_writer::FoundMatch;
use super::results::ChunkResult;
use crate::collect::{AnyBatch, InputGame, StoredMatch, TextGame};

impl Worker<'_> {
    /// The number of jobs.
    pub(crate) fn jobs(&self) -> usize {
        self.plan.jobs.len()
    }

    /// Whether the matching games of a job are read again, so that what is found then is reported.
    pub(crate) fn rereads(&self, job: usize) -> bool {
        self.runs[job].matches.rereads()
    }

    /// Results without games.
    pub(crate) fn empty_result(&self) -> ChunkResult {
        ChunkResult::new(self.jobs(), 1)
    }

    /// Writes stored matches of a job to its results, as if they were just found. `first_input` is
    /// the index of the first input of their slice.
    pub(crate) fn restore(
        &mut self,
        job: usize,
        first_input: usize,
        stored: Vec<StoredMatch>,
        result: &mut ChunkResult,
    ) {
        let Worker { plan, runs, writer, fillers, .. } = self;
        let results = &mut result.jobs[job];
        let JobRun { job, run, matches, .. } = &mut runs[job];
        // The messages of a game stand before those about its output.
        let messages = std::mem::take(&mut results.log.messages);
        let ends = std::mem::take(&mut results.log.message_ends);
        let (mut begin, mut ends) = (0, ends.into_iter().peekable());
        writer.write_error_comments(job.options.cql6_output);
        for hit in stored {
            while let Some((game, end)) = ends.next_if(|(game, _)| *game <= hit.game) {
                results.add_messages(game, messages.get(begin..end).unwrap_or_default());
                begin = end;
            }
            let input = plan.input_names.get(first_input + hit.input);
            let origin = InputGame {
                input: first_input + hit.input,
                input_name: hit.source.as_ref().or(input).map_or("", String::as_str),
                row: None,
                number: hit.input_number,
                offset: hit.offset,
                length: hit.length,
                is_torn: false,
            };
            let (outcome, number) = (&hit.outcome, hit.game);
            let (is_wanted, is_needed) = matches.wants(outcome, number, fillers);
            if !is_needed {
                results.add_match(outcome, number, None);
                continue;
            }
            let whole = &writer.read(&hit.text, job.program.output_needs());
            let game = &TextGame { text: GameText::Pgn(SplitText::new(&hit.text)), number, origin };
            let found = FoundMatch { outcome, game, whole, line: hit.line, is_wanted };
            matches.write(found, &run.context(number), fillers, results);
            fillers.restored(number, &hit.text);
        }
        for (game, end) in ends {
            results.add_messages(game, messages.get(begin..end).unwrap_or_default());
            begin = end;
        }
    }

    /// What the collectors have gathered of the matches that were restored.
    pub(crate) fn collected(&mut self) -> Vec<AnyBatch> {
        self.fillers.take()
    }

    /// Joins changes of the persistent state of a job. `None` if the data are of another program;
    /// `Some(false)` if the dictionaries might have grown beyond their limit.
    pub(crate) fn join_data(&mut self, job: usize, data: SharedChangesData) -> Option<bool> {
        let machine = self.runs[job].run.machine_mut();
        let changes = machine.changes_of(data)?;
        if machine.may_overflow(&changes, &self.plan.jobs[job].options) {
            return Some(false);
        }
        machine.join(changes);
        Some(true)
    }
}
