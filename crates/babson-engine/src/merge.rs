//! Putting the chunks' results in order again, and handing them on.

use babson_vm::Sharing;

use crate::error::Error;
use crate::identity::OwnFiles;
use crate::job::{Job, Sink};
use crate::output::{Destination, Output, Outputs};
use crate::report::{JobSummary, Observer, Progress, Summary};
use crate::sink;
use crate::split::{Split, SplitRules};
use crate::spool::Spool;
use crate::text::Mark;
use crate::worker::{Block, Found, FoundByJob, LimitRow, MAX_GAMES_AT_LIMIT, Rejected, Remark};

/// Takes results in the order of the chunks; writes, counts, tells.
pub(crate) struct Merger<'m> {
    jobs: &'m [Job],
    writers: Vec<Writer>,
    own: OwnFiles,
    rejects: Option<Output>,
    observer: &'m mut dyn Observer,
    /// Nobody reads messages any more.
    is_unheard: bool,
    pub(crate) summary: Summary,
    matches: u64,
    input_bytes: u64,
}

/// What becomes of the matches of one job.
struct Writer {
    /// One for each sink.
    targets: Vec<Target>,
    spool: Option<Spool>,
    /// No further game counts for this job.
    ended: bool,
    /// Number of the last game that counts.
    last_game: Option<u64>,
    /// How many games were evaluated in the parts before, and those at the limit of steps.
    evaluated: u64,
    row: LimitRow,
}

/// Where the texts of one sink go.
enum Target {
    /// In a dry run: nowhere.
    Nothing,
    One(Output),
    /// With the index of its names among those of a match.
    Many(Box<Split>, usize),
}

impl Target {
    /// Whether it is a pipe whose reader has gone away.
    fn is_closed(&self) -> bool {
        match self {
            Target::One(output) => output.is_closed(),
            Target::Nothing | Target::Many(..) => false,
        }
    }

    /// Writes a piece of the text of a match: its first one, or one that follows.
    fn write(
        &mut self,
        names: &[String],
        text: &[u8],
        first: bool,
        own: &mut OwnFiles,
    ) -> Result<(), Error> {
        match self {
            Target::Nothing => Ok(()),
            Target::One(output) => output.write(text),
            Target::Many(split, index) => match names.get(*index) {
                Some(name) => split.write(name, text, first, own),
                None => Ok(()),
            },
        }
    }
}

/// The targets of a job's sinks, begun.
fn targets(job: &Job, rules: SplitRules) -> Result<Vec<Target>, Error> {
    let mut targets = Vec::new();
    let mut patterns = 0;
    for wanted in &job.sinks {
        let head = sink::head(wanted.format, job);
        targets.push(match &wanted.destination {
            Destination::Split { append, .. } => {
                let tail = sink::tail(wanted.format);
                let split = Split::new(rules, *append, head, tail);
                patterns += 1;
                Target::Many(Box::new(split), patterns - 1)
            }
            _ if rules.dry_run => Target::Nothing,
            destination => {
                let mut output = Output::create(destination)?;
                if !output.continues() {
                    output.write(head.as_bytes())?;
                }
                Target::One(output)
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
            writers.push(Writer {
                targets: targets(job, rules)?,
                spool: job.sorts().then(Spool::default),
                ended: false,
                last_game: None,
                evaluated: 0,
                row: LimitRow::default(),
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
            is_unheard: false,
            summary,
            matches: 0,
            input_bytes: 0,
        })
    }

    /// Whether no further game counts.
    pub(crate) fn is_done(&self) -> bool {
        self.writers.iter().all(|writer| writer.ended)
    }

    /// Whether games still count for a job.
    pub(crate) fn runs(&self, job: usize) -> bool {
        !self.writers[job].ended
    }

    /// An error if nothing that is still to come would reach anybody: all of it goes to pipes whose
    /// readers have gone away.
    fn check_readers(&self) -> Result<(), Error> {
        let is_unread = |(job, writer): (&Job, &Writer)| {
            let is_read_later = job.program.sharing() != Sharing::Nothing;
            let any_is_closed = self.is_unheard || writer.targets.iter().any(Target::is_closed);
            let all_are_closed = writer.targets.iter().all(Target::is_closed);
            any_is_closed && all_are_closed && !is_read_later
        };
        let is_rejecting = self.rejects.as_ref().is_some_and(|rejects| !rejects.is_closed());
        if !is_rejecting && self.jobs.iter().zip(&self.writers).all(is_unread) {
            return Err(Error::ClosedPipe);
        }
        Ok(())
    }

    /// Hands messages on, until nobody reads them.
    fn message(&mut self, job: usize, lines: &[u8]) -> Result<(), Error> {
        if self.is_unheard {
            return Ok(());
        }
        match self.observer.message(job, lines) {
            Err(Error::ClosedPipe) => {
                self.is_unheard = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Takes the results of the next part.
    pub(crate) fn take(&mut self, mut found: Found) -> Result<(), Error> {
        for (index, results) in std::mem::take(&mut found.jobs).into_iter().enumerate() {
            self.take_job(index, results)?;
        }
        // Games that were read but lie behind the last one that counts are not reported: what is
        // told must not depend on how the file was cut.
        let last = if self.is_done() {
            self.writers.iter().map(|writer| writer.last_game.unwrap_or(0)).max()
        } else {
            None
        };
        let counted = last.map_or(found.games, |last| {
            (last + 1).saturating_sub(found.first_game).min(found.games)
        });
        self.summary.games += counted;
        self.summary.bytes += found.bytes;
        self.input_bytes += found.input_bytes;
        for remark in counted_remarks(&found, counted, &self.writers) {
            let Remark { report, rejected, .. } = remark;
            if remark.note {
                self.observer.noted(report);
            } else {
                self.summary.damaged += 1;
                self.observer.damaged(report);
                if let Some((rejects, rejected)) = self.rejects.as_mut().zip(rejected.as_ref()) {
                    match rejected {
                        Rejected::Text(place) => {
                            rejects.write(found.rejects.get(place.clone()).unwrap_or_default())?;
                        }
                        Rejected::Long(text) => text.read(|piece| rejects.write(piece))?,
                    }
                    rejects.write(b"\n\n")?;
                }
            }
        }
        self.observer.progress(Progress {
            games: self.summary.games,
            bytes: self.summary.bytes,
            input_bytes: self.input_bytes,
            matches: self.matches,
        });
        self.check_readers()
    }

    /// Takes what the queries did before the first game or after the last one.
    pub(crate) fn take_blocks(&mut self, blocks: Vec<Block>) -> Result<(), Error> {
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

    fn take_job(&mut self, index: usize, results: FoundByJob) -> Result<(), Error> {
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
            let open = limit.saturating_sub(summary.matches);
            if taken as u64 >= open {
                taken = open as usize;
                last = taken.checked_sub(1).map_or(0, |at| results.matches[at].game);
                writer.ended = true;
            }
        }
        for failure in results.errors {
            let (game, mut error) = (failure.game, failure.error);
            if game > last {
                break;
            }
            if error.out_of_steps && writer.row.add(writer.evaluated + failure.before) {
                error.fatal = true;
                error.message += &format!(" by {MAX_GAMES_AT_LIMIT} games in a row");
            }
            self.observer.runtime_error(index, game, &error);
            if error.fatal {
                summary.stopped = Some(Error::Stopped { game, message: error.message });
                writer.ended = true;
                last = game;
                taken = results.matches.partition_point(|found| found.game < last);
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
        for found in matches {
            summary.positions += found.positions;
            self.observer.matched(index, found.game);
        }
        let mut begins = vec![Mark::default(); results.texts.len()];
        for found in results.matches.into_iter().take(taken) {
            let texts = results.texts.iter().zip(&begins).zip(&found.ends);
            let texts = texts.map(|((text, begin), end)| text.pieces(*begin, *end));
            match &mut writer.spool {
                Some(spool) => spool
                    .push(found.game, found.keys, found.names, texts)
                    .map_err(|source| Error::write("the file of matches to sort", source))?,
                None => {
                    for (target, text) in writer.targets.iter_mut().zip(texts) {
                        for (index, piece) in text.enumerate() {
                            target.write(&found.names, piece, index == 0, &mut self.own)?;
                        }
                    }
                }
            }
            begins = found.ends.into_vec();
        }
        let to_stdout = |sink: &Sink| sink.destination == Destination::Stdout;
        if taken > 0 && writer.spool.is_none() && job.sinks.iter().any(to_stdout) {
            for target in &mut writer.targets {
                if let Target::One(output) = target {
                    output.flush()?;
                }
            }
        }
        Ok(())
    }

    /// Sorts what is to be sorted and ends the outputs, which are then only to be completed.
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
                            written.map_err(Drain::Engine)
                        }
                        None => Ok(()),
                    })
                    .map_err(|error| match error {
                        Drain::Engine(error) => error,
                        Drain::Spool(source) => {
                            Error::Read { path: "the file of matches to sort".to_owned(), source }
                        }
                    })?;
            }
            for (target, wanted) in targets.into_iter().zip(&job.sinks) {
                match target {
                    Target::Nothing => {}
                    Target::One(mut output) => {
                        output.write(sink::tail(wanted.format).as_bytes())?;
                        outputs.add(output)?;
                    }
                    Target::Many(split, _) => {
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

/// The remarks on the first games that are to be told: one damage and one note of a game.
fn counted_remarks<'f>(found: &'f Found, games: u64, writers: &[Writer]) -> Vec<&'f Remark> {
    let counts = |remark: &Remark| {
        let game = remark.report.game;
        let counts_for = |job: &usize| writers[*job].last_game.is_none_or(|last| game <= last);
        let jobs = remark.jobs.as_ref();
        game < found.first_game + games && jobs.is_none_or(|jobs| jobs.iter().any(counts_for))
    };
    let mut counted = Vec::new();
    for of_game in found.remarks.chunk_by(|a, b| a.report.game == b.report.game) {
        let is_outranked = |remark: &Remark| {
            let others = of_game.iter().filter(|other| other.note == remark.note);
            others.filter(|other| other.rank < remark.rank).any(counts)
        };
        counted.extend(of_game.iter().filter(|remark| counts(remark) && !is_outranked(remark)));
    }
    counted
}

/// An error of either side of [`Spool::drain`].
enum Drain {
    Engine(Error),
    Spool(std::io::Error),
}

impl From<std::io::Error> for Drain {
    fn from(error: std::io::Error) -> Drain {
        Drain::Spool(error)
    }
}
