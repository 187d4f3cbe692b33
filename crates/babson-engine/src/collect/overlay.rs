//! An output of several queries that has each game once, with what all of them add to it.

use babson_chess::SquareSet;
use babson_pgn::{Game, Needs, Reader};
use babson_vm::Outcome;

use super::{
    AnyBatch, ByQuery, Collect, CollectContext, Counted, Fill, Filled, MatchNeeds, Readers,
    SearchedGame, TextGame, batch_of, finished, flush,
};
use crate::error::Error;
use crate::formats::{FileSink, marks, pgn};
use crate::job::Job;
use crate::output::Unpublished;
use crate::pattern::NamePattern;
use crate::query_tag;
use crate::sink::{MatchedGame, Sink, TextSlice, named};
use crate::summary::Summary;

/// Writes each game that a query matches once, with what all queries add to it.
pub(crate) struct OverlayCollector<'p> {
    writer: OverlayWriter<'p>,
    sinks: Vec<FileSink>,
    /// Reads games again, when fewer queries count for them than matched them.
    reader: Reader,
}

/// Writes games with what queries add to them.
#[derive(Clone)]
struct OverlayWriter<'p> {
    jobs: &'p [Job],
    /// For each output the names of its files, if there are many.
    patterns: Vec<Option<NamePattern>>,
}

/// Gathers the matches on one thread.
struct OverlayWorker<'p> {
    writer: OverlayWriter<'p>,
    batch: OverlayBatch,
}

/// The matches of some games.
#[derive(Default)]
struct OverlayBatch {
    /// What each query adds to the games that it matches.
    parts: ByQuery<Vec<OverlayNotes>>,
    games: Vec<OverlayGame>,
}

/// What a query adds to a game that it matches.
#[derive(Debug)]
struct OverlayNotes {
    /// The number of the game over all inputs.
    game: u64,
    outcome: Outcome,
    /// The squares that its filters name at the matching positions, with their ids, if they are
    /// marked.
    squares: Vec<(u32, SquareSet)>,
}

/// A game that at least one query matches.
#[derive(Debug)]
struct OverlayGame {
    /// Its number over all inputs.
    game: u64,
    /// Its text, from which it is written anew if one of the jobs has ended before it; empty if
    /// only one matches it.
    text: Vec<u8>,
    /// The jobs that match it.
    jobs: Vec<usize>,
    /// As it is written if all of these count; none in the merge of slices.
    written: Option<OverlayText>,
}

/// A game as it is written.
#[derive(Debug, Default)]
struct OverlayText {
    bytes: Vec<u8>,
    /// The name of its file for each overlaid output; none for one that is not split.
    names: Vec<Option<String>>,
}

impl<'p> OverlayCollector<'p> {
    /// The collector of outputs that have begun.
    pub(crate) fn new(
        context: &CollectContext<'_, 'p>,
        sinks: Vec<FileSink>,
    ) -> OverlayCollector<'p> {
        let patterns = sinks.iter().map(|sink| sink.destination().pattern().cloned()).collect();
        let writer = OverlayWriter { jobs: context.jobs, patterns };
        let reader = Reader::new().with_variants(context.variants.clone());
        OverlayCollector { writer, sinks, reader }
    }
}

impl<'p> Collect<'p> for OverlayCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        let (writer, batch) = (self.writer.clone(), OverlayBatch::default());
        Box::new(OverlayWorker { writer, batch })
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error> {
        let OverlayBatch { parts, mut games } = batch_of(batch);
        games.sort_by_key(|game| game.game);
        games.dedup_by_key(|game| game.game);
        let mut has_written = false;
        for game in &mut games {
            let number = game.game;
            let added = parts.iter().filter_map(|(query, parts)| {
                let at = parts.binary_search_by_key(&number, |part| part.game).ok()?;
                counted.counts(query, number).then(|| (query, &parts[at]))
            });
            let added: Vec<(usize, &OverlayNotes)> = added.collect();
            if added.is_empty() {
                continue;
            }
            has_written = true;
            let counts_for_all = game.jobs.iter().eq(added.iter().map(|(job, _)| job));
            let text = match game.written.take().filter(|_| counts_for_all) {
                Some(text) => text,
                None => {
                    let whole = self.reader.read(&game.text, self.writer.needs());
                    self.writer.write(&whole, &added)
                }
            };
            for (sink, name) in self.sinks.iter_mut().zip(&text.names) {
                let slice = TextSlice { file: name.as_deref(), bytes: &text.bytes, first: true };
                sink.append(slice).map_err(|error| named(|| sink.name(), error))?;
            }
        }
        if has_written { flush(&mut self.sinks) } else { Ok(()) }
    }

    fn readers(&self, _query: usize) -> Readers {
        Readers::of(self.sinks.iter().map(|sink| sink.is_closed()))
    }

    fn finish(
        self: Box<Self>,
        outputs: &mut Unpublished,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        summary.files.extend(finished(self.sinks, outputs, summary.games)?.files);
        Ok(())
    }
}

impl Fill for OverlayWorker<'_> {
    fn needs(&self, query: usize) -> Option<MatchNeeds> {
        let traces = self.writer.jobs.get(query)?.marks;
        Some(MatchNeeds { game: Needs::ALL, traces, comments: true })
    }

    fn wants(&mut self, _query: usize, _outcome: &Outcome, _game: u64) -> bool {
        true
    }

    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(&mut self.batch))
    }

    fn replace(&mut self, batch: &mut AnyBatch, query: usize) {
        let again = std::mem::take(self.batch.parts.of(query));
        if let Some(batch) = batch.downcast_mut::<OverlayBatch>() {
            *batch.parts.of(query) = again;
        }
    }

    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, _: &TextGame<'_>) -> Filled {
        let part = OverlayNotes::of(hit);
        let bytes = part.bytes();
        self.batch.parts.of(query).push(part);
        Filled { bytes, ignored_comments: 0 }
    }

    fn searched(&mut self, game: &mut SearchedGame<'_, '_>) -> usize {
        let SearchedGame { game, reader, .. } = game;
        let OverlayWorker { writer, batch } = self;
        let parts = batch.parts.iter().filter_map(|(query, parts)| {
            let last = parts.last().filter(|part| part.game == game.number);
            Some((query, last?))
        });
        let parts: Vec<(usize, &OverlayNotes)> = parts.collect();
        if parts.is_empty() {
            return 0;
        }
        reader.write_error_comments(false);
        // A match was found in these moves, so they can be played.
        let Ok(whole) = game.text.read(reader, writer.needs()) else { return 0 };
        let written = Some(writer.write(&whole, &parts));
        let text = if parts.len() > 1 { game.text.pgn(&whole) } else { Vec::new() };
        let jobs = parts.iter().map(|(job, _)| *job).collect();
        let game = OverlayGame { game: game.number, text, jobs, written };
        let bytes = game.bytes();
        batch.games.push(game);
        bytes
    }

    fn restored(&mut self, game: u64, text: &[u8]) {
        let (text, jobs) = (text.to_vec(), Vec::new());
        self.batch.games.push(OverlayGame { game, text, jobs, written: None });
    }
}

impl OverlayWriter<'_> {
    /// What is read of a game that is written once.
    fn needs(&self) -> Needs {
        self.jobs.first().map_or(Needs::ALL, |job| job.program.output_needs())
    }

    /// Returns the text of a game with what queries add to it. `parts` gives these queries by their
    /// indexes, in ascending order. The game is written with the options of the first query of the
    /// scan, also if that query does not match it.
    fn write(&self, game: &Game<'_>, parts: &[(usize, &OverlayNotes)]) -> OverlayText {
        let Some((first, (_, part))) = self.jobs.first().zip(parts.first()) else {
            return OverlayText::default();
        };
        let outcome = merged(game, self.jobs, parts);
        let mut text = OverlayText::default();
        let fill = |pattern: &Option<NamePattern>| {
            pattern.as_ref().map(|pattern| pattern.fill(game, &outcome, first))
        };
        text.names = self.patterns.iter().map(fill).collect();
        let matched = MatchedGame {
            game,
            outcome: &outcome,
            traces: &[],
            job: first,
            number: part.game,
            // PGN does not have the place of the game.
            input: "",
            input_number: 0,
            offset: 0,
            length: 0,
            line: 0,
        };
        pgn::append_game(&matched, &mut text.bytes);
        text
    }
}

impl OverlayNotes {
    fn of(matched: &MatchedGame<'_>) -> OverlayNotes {
        let squares = match matched.job.marks {
            true => marks::named_squares(matched),
            false => Vec::new(),
        };
        // What is reported elsewhere is not kept a second time.
        let outcome = Outcome {
            values: Vec::new(),
            messages: Vec::new(),
            fields: Vec::new(),
            sort: Vec::new(),
            ..matched.outcome.clone()
        };
        OverlayNotes { game: matched.number, outcome, squares }
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        let tags = self.outcome.tags.iter().map(|(name, value)| 48 + name.len() + value.len());
        tags.sum::<usize>()
            + self.outcome.comments.bytes()
            + 4 * (self.outcome.positions.len() + self.outcome.removed_comments.len())
            + self.outcome.removed_tags.iter().map(String::len).sum::<usize>()
            + 16 * self.squares.len()
    }
}

impl OverlayGame {
    /// The number of bytes held.
    fn bytes(&self) -> usize {
        let names =
            |text: &OverlayText| text.names.iter().flatten().map(String::len).sum::<usize>();
        let written = self.written.as_ref().map_or(0, |text| text.bytes.len() + names(text));
        self.text.len() + written
    }
}

/// What these jobs add to a game together. The comments name their queries; of tags that several
/// set the last counts.
fn merged(game: &Game<'_>, jobs: &[Job], parts: &[(usize, &OverlayNotes)]) -> Outcome {
    let mut outcome = Outcome { matched: true, ..Outcome::default() };
    let mut others = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for &(index, OverlayNotes { outcome: added, .. }) in parts {
        let Some(job) = jobs.get(index) else { continue };
        names.push(&job.title);
        let comments = added.comments.iter();
        let mut labeled = comments.map(|(id, text)| (id, labeled(job, text)));
        outcome.comments.extend(labeled.by_ref().take(added.headers));
        others.extend(labeled);
        outcome.headers += added.headers.min(added.comments.len());
        outcome.positions.extend(&added.positions);
        outcome.removed_comments.extend(&added.removed_comments);
        for tag in &added.removed_tags {
            outcome.tags.retain(|(name, _)| name != tag);
            outcome.removed_tags.push(tag.clone());
        }
        for (name, value) in &added.tags {
            outcome.removed_tags.retain(|tag| tag != name);
            outcome.tags.push((name.clone(), value.clone()));
        }
    }
    outcome.comments.extend(others);
    let marked = marked_squares(parts);
    outcome.comments.extend(marks::overlaid(game, jobs.len(), &marked));
    outcome.positions.sort_unstable();
    outcome.positions.dedup();
    outcome.removed_comments.sort_unstable();
    outcome.removed_comments.dedup();
    query_tag::named(&outcome, &names.join(", "))
}

/// Returns a comment preceded by the name of its query. If the text is only the comment that marks
/// a match, returns only the name.
fn labeled(job: &Job, text: &[u8]) -> Vec<u8> {
    match job.program.match_string(&job.options).as_bytes() == text {
        true => job.title.clone().into_bytes(),
        false => [job.title.as_bytes(), b": ", text].concat(),
    }
}

/// The squares that the jobs name at each position, ascending by position, with their jobs.
fn marked_squares(parts: &[(usize, &OverlayNotes)]) -> Vec<(u32, Vec<(usize, SquareSet)>)> {
    let mut all: std::collections::BTreeMap<u32, Vec<(usize, SquareSet)>> = Default::default();
    for (job, part) in parts {
        for &(position, squares) in &part.squares {
            all.entry(position).or_default().push((*job, squares));
        }
    }
    all.into_iter().collect()
}
