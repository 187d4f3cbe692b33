//! The games that no query matches.

use babson_pgn::{DamageReason, Game};
use babson_vm::run::{DamageSummary, GameAnswer, GameRun, ReadPurpose};
use babson_vm::{Outcome, Sharing, StopSignal};

use super::{
    AnyBatch, Collect, CollectContext, Counted, Fill, Readers, SearchedGame, batch_of, finished,
    flush,
};
use crate::error::Error;
use crate::formats::{FileSink, NonmatchingSink};
use crate::job::Job;
use crate::match_text::{MatchText, TextMark};
use crate::output::Unpublished;
use crate::sink::{Sink, TextSlice, named};
use crate::summary::Summary;

/// Writes the games that no query matches.
pub(crate) struct NonmatchingCollector<'p> {
    games: OtherGames<'p>,
    sink: FileSink,
    written: u64,
}

/// Which games are written, and how.
#[derive(Clone, Copy)]
struct OtherGames<'p> {
    output: &'p NonmatchingSink,
    jobs: &'p [Job],
    last_number: Option<u64>,
    skip_unknown_variants: bool,
    stop: &'p StopSignal,
}

/// Games that no query matches, in order.
#[derive(Default)]
pub(crate) struct NonmatchingGames {
    games: Vec<NonmatchingGame>,
    /// Their texts, one after another.
    text: MatchText,
}

struct NonmatchingGame {
    game: u64,
    /// The end of its text in [`NonmatchingGames::text`].
    end: TextMark,
    /// The name of its file, if there are many.
    name: Option<String>,
}

/// Reads the games that no query matches, and chooses among them.
struct NonmatchingWorker<'p> {
    games: OtherGames<'p>,
    /// The run of the query that chooses among the games.
    chooser: Option<GameRun>,
    found: NonmatchingGames,
}

impl<'p> NonmatchingCollector<'p> {
    /// Creates the output.
    ///
    /// # Errors
    /// It is refused or cannot be created.
    pub(crate) fn begin(
        context: &CollectContext<'_, 'p>,
        output: &'p NonmatchingSink,
    ) -> Result<NonmatchingCollector<'p>, Error> {
        let &CollectContext { jobs, last_number, skip_unknown_variants, stop, .. } = context;
        let games = OtherGames { output, jobs, last_number, skip_unknown_variants, stop };
        let sink = output.begin(context.split, context.own)?;
        Ok(NonmatchingCollector { games, sink, written: 0 })
    }
}

impl<'p> Collect<'p> for NonmatchingCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        let (chooser, found) = (self.games.chooser(), NonmatchingGames::default());
        Box::new(NonmatchingWorker { games: self.games, chooser, found })
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error> {
        let found: NonmatchingGames = batch_of(batch);
        let (sink, mut begin, before) = (&mut self.sink, TextMark::default(), self.written);
        for NonmatchingGame { game, end, name } in &found.games {
            if !counted.is_before_all(*game) {
                break;
            }
            let file = name.as_deref();
            for (slice, bytes) in found.text.slices(begin, *end).enumerate() {
                let result = sink.append(TextSlice { file, bytes, first: slice == 0 });
                result.map_err(|error| named(|| sink.name(), error))?;
            }
            begin = *end;
            self.written += 1;
        }
        if self.written > before { flush(std::slice::from_mut(sink)) } else { Ok(()) }
    }

    fn other_readers(&self) -> Readers {
        Readers::of([self.sink.is_closed()].into_iter())
    }

    fn finish(
        self: Box<Self>,
        outputs: &mut Unpublished,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        summary.nonmatching = self.written;
        // A search that its queries have ended writes nothing.
        if summary.queries.iter().all(|query| query.stopped.is_some()) {
            return Ok(());
        }
        let totals = finished([self.sink], outputs, summary.games)?;
        summary.files.extend(totals.files);
        Ok(())
    }
}

impl Fill for NonmatchingWorker<'_> {
    fn searched(&mut self, game: &mut SearchedGame<'_, '_>) -> usize {
        match (game.matched, self.games.jobs.first()) {
            (false, Some(job)) => self.add(job, game),
            (true, _) | (_, None) => 0,
        }
    }

    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(&mut self.found))
    }
}

impl NonmatchingWorker<'_> {
    /// Adds a game, in the layout of this job. Returns the number of bytes that it takes.
    fn add(&mut self, job: &Job, searched: &mut SearchedGame<'_, '_>) -> usize {
        let SearchedGame { game, reader, damages, line, .. } = searched;
        let (games, number) = (self.games, game.number);
        if games.output.choosing().is_some_and(|job| job.program.sharing() != Sharing::Nothing) {
            // The result must not depend on the games before this one.
            self.chooser = games.chooser();
        }
        let mut needs = job.program.output_needs();
        let mut chooser = self.chooser.as_mut();
        needs = chooser.as_ref().map_or(needs, |run| needs.union(run.needs()));
        reader.write_error_comments(job.options.cql6_output);
        let read = game.text.read_if(reader, needs, |head| {
            chooser.as_mut().is_none_or(|run| run.can_match(head, number))
        });
        let queries = || (0..games.jobs.len()).collect::<Vec<_>>();
        let whole = match read {
            Ok((whole, true)) => whole,
            Ok((_, false)) => return 0,
            Err(error) => {
                let mut damage = DamageSummary::of_codes(&error);
                (damage.queries, damage.purpose) = (Some(queries()), ReadPurpose::Nonmatch);
                damages.push(damage);
                return 0;
            }
        };
        let is_chosen = chooser.is_none_or(|run| run.search(&whole, number) == GameAnswer::Match);
        if games.skip_unknown_variants && has_unknown_variant(&whole) || !is_chosen {
            return 0;
        }
        if !whole.damages().is_empty() {
            damages.add(&whole, Some(&queries()), ReadPurpose::Nonmatch);
        }
        let outcome = Outcome::default();
        let matched = game.origin.matched(&whole, (&outcome, &[]), job, (number, line()));
        let name = games.output.file_name(&matched);
        let found = &mut self.found;
        let before = found.text.len();
        games.output.append(&matched, &mut found.text);
        let bytes = name.as_ref().map_or(0, String::len) + found.text.len() - before;
        found.games.push(NonmatchingGame { game: number, end: found.text.mark(), name });
        bytes
    }
}

/// Whether the rules of a game are not known, so that it may be skipped without a report.
pub(crate) fn has_unknown_variant(game: &Game<'_>) -> bool {
    let mut reasons = game.damages().iter().map(|damage| damage.reason);
    reasons.any(|reason| reason == DamageReason::UnknownVariant)
}

impl<'p> OtherGames<'p> {
    /// The run of the query that chooses among the games, before its first game.
    fn chooser(&self) -> Option<GameRun> {
        let job = self.output.choosing()?;
        let run = GameRun::new(job.program.clone(), job.options.clone());
        Some(run.with_last_number(self.last_number).with_stop(self.stop.clone()))
    }
}

#[cfg(test)]
impl NonmatchingGames {
    /// Adds the text of a game.
    pub(crate) fn add(&mut self, game: u64, text: &str) {
        self.text.bytes().extend_from_slice(text.as_bytes());
        self.games.push(NonmatchingGame { game, end: self.text.mark(), name: None });
    }
}
