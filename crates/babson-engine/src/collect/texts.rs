//! The texts of matches for some outputs.

use std::sync::Arc;

use babson_pgn::Needs;

use super::{Filled, MatchNeeds};
use crate::job::Job;
use crate::match_text::{MatchText, TextMark};
use crate::pattern::NamePattern;
use crate::sink::{Format, MatchedGame, Sink, SinkResult, TextSlice};

/// How matches become what some outputs write.
#[derive(Clone)]
pub(super) struct TextMaker {
    /// The format of each output; `None` for one that takes matches as data.
    formats: Vec<Option<Arc<dyn Format>>>,
    /// For each output the pattern of its files, if there are many; empty if no output has one.
    patterns: Vec<Option<NamePattern>>,
}

/// For each output, the texts of some matches, one after another; empty if it has no format.
#[derive(Default)]
pub(super) struct MatchTexts(Vec<MatchText>);

/// Where the texts of a match are.
pub(super) struct TextPlaces {
    /// For each output, where its text begins and ends in the [`MatchTexts`].
    ranges: Box<[(TextMark, TextMark)]>,
    /// The name of its file for each output that has many; empty if none has.
    pub(super) names: Box<[Option<String>]>,
}

impl TextMaker {
    /// Makes the texts for these outputs.
    pub(super) fn of<'s>(sinks: impl Iterator<Item = &'s dyn Sink> + Clone) -> TextMaker {
        let formats = sinks.clone().map(|sink| sink.format()).collect();
        let pattern = |sink: &dyn Sink| Some(sink.destination()?.pattern()?.clone());
        let mut patterns: Vec<_> = sinks.map(pattern).collect();
        if patterns.iter().all(Option::is_none) {
            patterns.clear();
        }
        TextMaker { formats, patterns }
    }

    /// The format of each output.
    pub(super) fn formats(&self) -> &[Option<Arc<dyn Format>>] {
        &self.formats
    }

    /// Whether an output takes matches as data.
    pub(super) fn needs_data(&self) -> bool {
        self.formats.iter().any(Option::is_none)
    }

    /// What the outputs need of the matches of a query; `None` if there are no outputs.
    pub(super) fn needs(&self, job: &Job) -> Option<MatchNeeds> {
        let needs = |format: &Option<Arc<dyn Format>>| match format {
            None => MatchNeeds { game: Needs::ALL, traces: false, comments: true },
            Some(format) => {
                let (game, traces) = (format.needs(job), format.traces(job));
                let game = if traces { game.union(Needs::ALL) } else { game };
                MatchNeeds { game, traces, comments: format.comments(job) }
            }
        };
        self.formats.iter().map(needs).reduce(MatchNeeds::union)
    }

    /// Appends the texts of a match.
    pub(super) fn append(
        &self,
        hit: &MatchedGame<'_>,
        MatchTexts(texts): &mut MatchTexts,
    ) -> (TextPlaces, Filled) {
        texts.resize_with(self.formats.len(), MatchText::default);
        let mut filled = Filled::default();
        let mut append = |(format, text): (&Option<Arc<dyn Format>>, &mut MatchText)| {
            let (begin, before) = (text.mark(), text.len());
            if let Some(format) = format {
                filled.ignored_comments += format.append(hit, text).ignored_comments;
            }
            filled.bytes += text.len() - before;
            (begin, text.mark())
        };
        let ranges = self.formats.iter().zip(texts).map(&mut append).collect();
        let fill = |pattern: &Option<NamePattern>| {
            pattern.as_ref().map(|pattern| pattern.fill(hit.game, hit.outcome, hit.job))
        };
        let names: Box<[Option<String>]> = self.patterns.iter().map(fill).collect();
        filled.bytes += names.iter().flatten().map(String::len).sum::<usize>();
        (TextPlaces { ranges, names }, filled)
    }
}

impl MatchTexts {
    /// The slices of the text of a match for an output.
    pub(super) fn slices(&self, at: &TextPlaces, output: usize) -> impl Iterator<Item = &[u8]> {
        let (begin, end) = at.ranges[output];
        self.0[output].slices(begin, end)
    }

    /// Hands the slices of the text of a match for an output to `write`, one after another.
    ///
    /// # Errors
    /// The first of `write`.
    pub(super) fn write(
        &self,
        at: &TextPlaces,
        output: usize,
        mut write: impl FnMut(TextSlice<'_>) -> SinkResult,
    ) -> SinkResult {
        let file = at.names.get(output).and_then(Option::as_deref);
        let mut slices = self.slices(at, output).enumerate();
        slices.try_for_each(|(slice, bytes)| write(TextSlice { file, bytes, first: slice == 0 }))
    }
}

#[cfg(test)]
impl MatchTexts {
    /// Appends the text for each of the outputs.
    pub(super) fn add(&mut self, outputs: usize, text: &str) -> TextPlaces {
        self.0.resize_with(outputs, MatchText::default);
        let add = |output: &mut MatchText| {
            let begin = output.mark();
            output.bytes().extend_from_slice(text.as_bytes());
            (begin, output.mark())
        };
        TextPlaces { ranges: self.0.iter_mut().map(add).collect(), names: Box::default() }
    }
}
