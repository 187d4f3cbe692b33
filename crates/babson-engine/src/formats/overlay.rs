//! An output of several queries that has each game once, with what all of them add to it.

use babson_chess::SquareSet;
use babson_pgn::Game;
use babson_vm::Outcome;

use super::{marks, pgn};
use crate::job::Job;
use crate::pattern::NamePattern;
use crate::query_tag;
use crate::sink::MatchedGame;

/// What a query adds to a game that it matches.
#[derive(Debug)]
pub(crate) struct OverlayPart {
    /// The number of the game over all inputs.
    pub(crate) game: u64,
    outcome: Outcome,
    /// The squares that its filters name at the matching positions, with their ids, if they are
    /// marked.
    squares: Vec<(u32, SquareSet)>,
}

/// A game that at least one query matches.
#[derive(Debug)]
pub(crate) struct OverlayGame {
    /// Its number over all inputs.
    pub(crate) game: u64,
    /// Its text, from which it is written anew if one of the jobs has ended before it; empty if
    /// only one matches it.
    pub(crate) text: Vec<u8>,
    /// The jobs that match it.
    pub(crate) jobs: Vec<usize>,
    /// As it is written if all of these count; none in the merge of slices.
    pub(crate) written: Option<OverlayText>,
}

/// A game as it is written.
#[derive(Debug, Default)]
pub(crate) struct OverlayText {
    pub(crate) bytes: Vec<u8>,
    /// The name of its file for each overlaid output; none for one that is not split.
    pub(crate) names: Vec<Option<String>>,
}

impl OverlayPart {
    pub(crate) fn of(matched: &MatchedGame<'_>) -> OverlayPart {
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
        OverlayPart { game: matched.number, outcome, squares }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let comments = self.outcome.comments.iter().map(|(_, text)| 32 + text.len());
        let tags = self.outcome.tags.iter().map(|(name, value)| 48 + name.len() + value.len());
        comments.chain(tags).sum::<usize>()
            + 4 * (self.outcome.positions.len() + self.outcome.removed_comments.len())
            + self.outcome.removed_tags.iter().map(String::len).sum::<usize>()
            + 16 * self.squares.len()
    }
}

impl OverlayGame {
    /// The number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let names =
            |text: &OverlayText| text.names.iter().flatten().map(String::len).sum::<usize>();
        let written = self.written.as_ref().map_or(0, |text| text.bytes.len() + names(text));
        self.text.len() + written
    }
}

/// The text of a game with what these jobs add to it, each given by its index, in their order. The
/// game is written as those of the first job are. `patterns` has the names of the files of each
/// overlaid output, if there are many.
pub(crate) fn write(
    game: &Game<'_>,
    jobs: &[Job],
    parts: &[(usize, &OverlayPart)],
    patterns: &[Option<NamePattern>],
) -> OverlayText {
    let Some((first, (_, part))) = jobs.first().zip(parts.first()) else {
        return OverlayText::default();
    };
    let outcome = merged(game, jobs, parts);
    let mut text = OverlayText::default();
    let fill = |pattern: &Option<NamePattern>| {
        pattern.as_ref().map(|pattern| pattern.fill(game, &outcome, first))
    };
    text.names = patterns.iter().map(fill).collect();
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

/// What these jobs add to a game together. The comments name their queries; of tags that several
/// set the last counts.
fn merged(game: &Game<'_>, jobs: &[Job], parts: &[(usize, &OverlayPart)]) -> Outcome {
    let mut outcome = Outcome { matched: true, ..Outcome::default() };
    let mut others = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for &(index, OverlayPart { outcome: added, .. }) in parts {
        let Some(job) = jobs.get(index) else { continue };
        names.push(&job.title);
        let comments = added.comments.iter();
        let mut labeled = comments.map(|(id, text)| (*id, labeled(job, text)));
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

/// A comment with the name of its query. That of a position that matches is only the name.
fn labeled(job: &Job, text: &[u8]) -> Vec<u8> {
    match job.program.match_string(&job.options).as_bytes() == text {
        true => job.title.clone().into_bytes(),
        false => [job.title.as_bytes(), b": ", text].concat(),
    }
}

/// The squares that the jobs name at each position, ascending by position, with their jobs.
fn marked_squares(parts: &[(usize, &OverlayPart)]) -> Vec<(u32, Vec<(usize, SquareSet)>)> {
    let mut all: std::collections::BTreeMap<u32, Vec<(usize, SquareSet)>> = Default::default();
    for (job, part) in parts {
        for &(position, squares) in &part.squares {
            all.entry(position).or_default().push((*job, squares));
        }
    }
    all.into_iter().collect()
}
