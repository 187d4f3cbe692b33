//! The merge: takes the results of the chunks in game order, writes outputs and reports events.

use babson_vm::Sharing;

use crate::destination::{Destination, SplitRules};
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::job::{Job, Sink};
use crate::limits::MAX_GAMES_AT_LIMIT;
use crate::match_text::TextMark;
use crate::output::{Output, Outputs};
use crate::report::{JobSummary, Observer, Progress, Summary};
use crate::sink;
use crate::split::Split;
use crate::spool::Spool;
use crate::worker::{BlockResult, ChunkResult, JobResult, LimitStreak, RejectedText, Remark};

/// Takes results in game order, writes outputs, counts, and calls the observer.
pub(crate) struct Merger<'m> {
    jobs: &'m [Job],
    writers: Vec<JobWriter>,
    own: OwnFiles,
    rejects: Option<Output>,
    observer: &'m mut dyn Observer,
    /// Whether the reader of the messages has gone away.
    messages_closed: bool,
    pub(crate) summary: Summary,
    matches: u64,
    bytes: u64,
    input_bytes: u64,
}

/// The outputs of one job and its counters.
struct JobWriter {
    /// One output for each sink.
    targets: Vec<SinkOutput>,
    spool: Option<Spool>,
    /// Whether the job has ended: no further game counts for it.
    ended: bool,
    /// Number of the last game that counts.
    last_game: Option<u64>,
    /// How many games of earlier batches were evaluated.
    evaluated: u64,
    /// The last games in a row that reached the limit of steps.
    streak: LimitStreak,
}

/// Where the texts of one sink are written.
enum SinkOutput {
    /// Nowhere, in a dry run.
    Discard,
    One(Output),
    /// Many files, with the index of the sink's name among the names of a match.
    Many(Box<Split>, usize),
}

impl SinkOutput {
    /// Whether the output is a pipe whose reader has gone away.
    fn is_closed(&self) -> bool {
        match self {
            SinkOutput::One(output) => output.is_closed(),
            SinkOutput::Discard | SinkOutput::Many(..) => false,
        }
    }

    /// Writes a slice of the text of a match. `first` tells whether it is the first slice.
    fn write(
        &mut self,
        names: &[String],
        text: &[u8],
        first: bool,
        own: &mut OwnFiles,
    ) -> Result<(), Error> {
        match self {
            SinkOutput::Discard => Ok(()),
            SinkOutput::One(output) => output.write(text),
            SinkOutput::Many(split, index) => match names.get(*index) {
                Some(name) => split.write(name, text, first, own),
                None => Ok(()),
            },
        }
    }
}

/// Creates the outputs of a job and writes their heads.
fn targets(job: &Job, rules: SplitRules) -> Result<Vec<SinkOutput>, Error> {
    let mut targets = Vec::new();
    let mut patterns = 0;
    for job_sink in &job.sinks {
        let head = sink::head(job_sink.format, job);
        targets.push(match &job_sink.destination {
            Destination::Split { append, .. } => {
                let tail = sink::tail(job_sink.format);
                let split = Split::new(rules, *append, head, tail);
                patterns += 1;
                SinkOutput::Many(Box::new(split), patterns - 1)
            }
            _ if rules.dry_run => SinkOutput::Discard,
            destination @ (Destination::File(_) | Destination::Append(_) | Destination::Stdout) => {
                let mut output = Output::create(destination)?;
                if !output.continues() {
                    output.write(head.as_bytes())?;
                }
                SinkOutput::One(output)
            }
        });
    }
    Ok(targets)
}

impl<'m> Merger<'m> {
    pub(crate) fn new(
        jobs: &'m [Job],
        rules: SplitRules,
        own: OwnFiles,
        rejects: Option<Output>,
        observer: &'m mut dyn Observer,
    ) -> Result<Merger<'m>, Error> {
        let mut writers = Vec::new();
        for job in jobs {
            writers.push(JobWriter {
                targets: targets(job, rules)?,
                spool: job.sorts().then(Spool::default),
                ended: false,
                last_game: None,
                evaluated: 0,
                streak: LimitStreak::default(),
            });
        }
        let summary = Summary {
            jobs: jobs.iter().map(|_| JobSummary::default()).collect(),
            ..Summary::default()
        };
        Ok(Merger {
            jobs,
            writers,
            own,
            rejects,
            observer,
            messages_closed: false,
            summary,
            matches: 0,
            bytes: 0,
            input_bytes: 0,
        })
    }

    /// Whether all jobs have ended.
    pub(crate) fn is_done(&self) -> bool {
        self.writers.iter().all(|writer| writer.ended)
    }

    /// Whether a job has not ended.
    pub(crate) fn runs(&self, job: usize) -> bool {
        !self.writers[job].ended
    }

    /// Returns an error if all remaining output would go to pipes whose readers have gone away.
    fn check_readers(&self) -> Result<(), Error> {
        let is_unread = |(job, writer): (&Job, &JobWriter)| {
            let is_read_later = job.program.sharing() != Sharing::Nothing;
            let any_is_closed =
                self.messages_closed || writer.targets.iter().any(SinkOutput::is_closed);
            let all_are_closed = writer.targets.iter().all(SinkOutput::is_closed);
            any_is_closed && all_are_closed && !is_read_later
        };
        let is_rejecting = self.rejects.as_ref().is_some_and(|rejects| !rejects.is_closed());
        let mut jobs = self.jobs.iter().zip(&self.writers);
        if !is_rejecting && !self.jobs.is_empty() && jobs.all(is_unread) {
            return Err(Error::ClosedPipe);
        }
        Ok(())
    }

    /// Passes messages to the observer until their reader goes away.
    fn message(&mut self, job: usize, lines: &[u8]) -> Result<(), Error> {
        if self.messages_closed {
            return Ok(());
        }
        match self.observer.message(job, lines) {
            Err(Error::ClosedPipe) => {
                self.messages_closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Takes the next batch of results.
    pub(crate) fn take(&mut self, mut chunk: ChunkResult) -> Result<(), Error> {
        for (index, results) in std::mem::take(&mut chunk.jobs).into_iter().enumerate() {
            self.take_job(index, results)?;
        }
        // Games after the last one that counts may have been read, but are not reported: the
        // reports must not depend on how the file was cut.
        let last = if self.is_done() {
            self.writers.iter().map(|writer| writer.last_game.unwrap_or(0)).max()
        } else {
            None
        };
        let counted = last.map_or(chunk.games, |last| {
            (last + 1).saturating_sub(chunk.first_game).min(chunk.games)
        });
        self.summary.games += counted;
        self.bytes += chunk.bytes;
        self.input_bytes += chunk.input_bytes;
        for remark in counted_remarks(&chunk, counted, &self.writers) {
            let Remark { report, rejected, .. } = remark;
            if remark.note {
                self.observer.noted(report);
            } else {
                self.summary.damaged += 1;
                self.observer.damaged(report);
                if let Some((rejects, rejected)) = self.rejects.as_mut().zip(rejected.as_ref()) {
                    match rejected {
                        RejectedText::Range(range) => {
                            rejects.write(chunk.rejects.get(range.clone()).unwrap_or_default())?;
                        }
                        RejectedText::Long(text) => text.read(|bytes| rejects.write(bytes))?,
                    }
                    rejects.write(b"\n\n")?;
                }
            }
        }
        self.observer.progress(Progress {
            games: self.summary.games,
            bytes: self.bytes,
            input_bytes: self.input_bytes,
            matches: self.matches,
        });
        self.check_readers()
    }

    /// Takes the results of `cqlbegin` or `cqlend` of the queries.
    pub(crate) fn take_blocks(&mut self, blocks: Vec<BlockResult>) -> Result<(), Error> {
        for (index, block) in blocks.into_iter().enumerate() {
            if self.summary.jobs[index].stopped.is_some() {
                continue;
            }
            if !block.messages.is_empty() {
                self.message(index, &block.messages)?;
            }
            if let Some(error) = &block.error {
                self.observer.runtime_error(index, 0, error);
                self.summary.jobs[index].stopped =
                    Some(Error::Stopped { game: 0, message: error.message.clone() });
                let writer = &mut self.writers[index];
                writer.ended = true;
                writer.last_game.get_or_insert(0);
            }
        }
        Ok(())
    }

    fn take_job(&mut self, index: usize, results: JobResult) -> Result<(), Error> {
        let job = &self.jobs[index];
        let writer = &mut self.writers[index];
        let summary = &mut self.summary.jobs[index];
        summary.seconds += results.seconds;
        if writer.ended {
            return Ok(());
        }
        let mut taken = results.matches.len();
        let mut last = u64::MAX;
        if let Some(limit) = job.limit {
            let remaining = limit.saturating_sub(summary.matches);
            if taken as u64 >= remaining {
                taken = remaining as usize;
                last = taken.checked_sub(1).map_or(0, |at| results.matches[at].game);
                writer.ended = true;
            }
        }
        for failure in results.errors {
            let (game, mut error) = (failure.game, failure.error);
            if game > last {
                break;
            }
            if error.out_of_steps && writer.streak.add(writer.evaluated + failure.before) {
                error.fatal = true;
                error.message += &format!(" by {MAX_GAMES_AT_LIMIT} games in a row");
            }
            self.observer.runtime_error(index, game, &error);
            if error.fatal {
                summary.stopped = Some(Error::Stopped { game, message: error.message });
                writer.ended = true;
                last = game;
                taken = results.matches.partition_point(|game_match| game_match.game < last);
                break;
            }
            summary.failed_games += 1;
        }
        writer.evaluated += results.evaluated;
        if writer.ended {
            writer.last_game = Some(last);
        }
        let messages = results.message_ends.partition_point(|(game, _)| *game <= last);
        if let Some((_, end)) = messages.checked_sub(1).and_then(|at| results.message_ends.get(at))
        {
            self.message(index, &results.messages[..*end])?;
        }
        let summary = &mut self.summary.jobs[index];
        let writer = &mut self.writers[index];
        let matches = &results.matches[..taken];
        summary.matches += taken as u64;
        self.matches += taken as u64;
        for game_match in matches {
            summary.positions += game_match.positions;
            self.observer.matched(index, game_match.game);
        }
        let mut begins = vec![TextMark::default(); results.texts.len()];
        for game_match in results.matches.into_iter().take(taken) {
            let texts = results.texts.iter().zip(&begins).zip(&game_match.ends);
            let texts = texts.map(|((text, begin), end)| text.slices(*begin, *end));
            match &mut writer.spool {
                Some(spool) => spool
                    .push(game_match.game, game_match.keys, game_match.names, texts)
                    .map_err(|source| Error::write("the file of matches to sort", source))?,
                None => {
                    for (target, text) in writer.targets.iter_mut().zip(texts) {
                        for (index, slice) in text.enumerate() {
                            target.write(&game_match.names, slice, index == 0, &mut self.own)?;
                        }
                    }
                }
            }
            begins = game_match.ends.into_vec();
        }
        let to_stdout = |sink: &Sink| sink.destination == Destination::Stdout;
        if taken > 0 && writer.spool.is_none() && job.sinks.iter().any(to_stdout) {
            for target in &mut writer.targets {
                if let SinkOutput::One(output) = target {
                    output.flush()?;
                }
            }
        }
        Ok(())
    }

    /// Writes sorted matches and the tails of the outputs, which are then ready to be completed.
    pub(crate) fn finish(mut self) -> Result<(Summary, Outputs), Error> {
        let mut outputs = Outputs::default();
        let jobs = self.jobs.iter().zip(self.writers);
        for ((job, writer), summary) in jobs.zip(&mut self.summary.jobs) {
            if summary.stopped.is_some() {
                continue;
            }
            let mut targets = writer.targets;
            if let Some(mut spool) = writer.spool {
                spool
                    .entries
                    .sort_by(|a, b| job.compare(&a.keys, &b.keys).then(a.game.cmp(&b.game)));
                let own = &mut self.own;
                spool
                    .drain(|names, sink, text, first| match targets.get_mut(sink) {
                        Some(target) => {
                            let written = target.write(names, text, first, own);
                            written.map_err(DrainError::Engine)
                        }
                        None => Ok(()),
                    })
                    .map_err(|error| match error {
                        DrainError::Engine(error) => error,
                        DrainError::Spool(source) => {
                            Error::Read { path: "the file of matches to sort".to_owned(), source }
                        }
                    })?;
            }
            for (target, job_sink) in targets.into_iter().zip(&job.sinks) {
                match target {
                    SinkOutput::Discard => {}
                    SinkOutput::One(mut output) => {
                        output.write(sink::tail(job_sink.format).as_bytes())?;
                        outputs.add(output)?;
                    }
                    SinkOutput::Many(split, _) => {
                        summary.files.extend(split.finish(&mut outputs)?);
                    }
                }
            }
        }
        if let Some(rejects) = self.rejects.take() {
            outputs.add(rejects)?;
        }
        Ok((self.summary, outputs))
    }
}

/// The remarks to report on the first `games` games of a chunk: for each game at most one damage
/// and one note, the first that concerns a job for which the game counts.
fn counted_remarks<'c>(
    chunk: &'c ChunkResult,
    games: u64,
    writers: &[JobWriter],
) -> Vec<&'c Remark> {
    let counts = |remark: &Remark| {
        let game = remark.report.game;
        let counts_for = |job: &usize| writers[*job].last_game.is_none_or(|last| game <= last);
        let jobs = remark.jobs.as_ref();
        game < chunk.first_game + games && jobs.is_none_or(|jobs| jobs.iter().any(counts_for))
    };
    let mut counted = Vec::new();
    for game_remarks in chunk.remarks.chunk_by(|a, b| a.report.game == b.report.game) {
        let is_outranked = |remark: &Remark| {
            let others = game_remarks.iter().filter(|other| other.note == remark.note);
            others.filter(|other| other.rank < remark.rank).any(counts)
        };
        counted
            .extend(game_remarks.iter().filter(|remark| counts(remark) && !is_outranked(remark)));
    }
    counted
}

/// An error of either side of [`Spool::drain`].
enum DrainError {
    Engine(Error),
    Spool(std::io::Error),
}

impl From<std::io::Error> for DrainError {
    fn from(error: std::io::Error) -> DrainError {
        DrainError::Spool(error)
    }
}

#[cfg(test)]
mod tests;
