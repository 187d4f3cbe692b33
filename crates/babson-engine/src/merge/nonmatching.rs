//! The output of the games that no query matches.

use std::sync::{Arc, Mutex};

use crate::destination::SplitRules;
use crate::error::Error;
use crate::formats::{FileSink, NonmatchingOutput};
use crate::identity::OwnFiles;
use crate::match_text::TextMark;
use crate::output::Outputs;
use crate::sink::{Sink, SinkReport, TextSlice, named};
use crate::worker::NonmatchingGames;

/// Writes the games that no query matches.
pub(super) struct NonmatchingWriter(FileSink);

impl NonmatchingWriter {
    pub(super) fn begin(
        output: &NonmatchingOutput,
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> Result<NonmatchingWriter, Error> {
        output.begin(split, own).map(NonmatchingWriter)
    }

    /// Whether nobody reads the output.
    pub(super) fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Writes the games before the game `last`, and returns their number. A job ends with a game
    /// that it matched or failed on; another search of the same game may have found neither.
    pub(super) fn write(
        &mut self,
        found: &NonmatchingGames,
        last: Option<u64>,
    ) -> Result<u64, Error> {
        let NonmatchingWriter(sink) = self;
        let mut begin = TextMark::default();
        let mut written = 0;
        for game in &found.games {
            if last.is_some_and(|last| game.game >= last) {
                break;
            }
            let file = game.name.as_deref();
            for (slice, bytes) in found.text.slices(begin, game.end).enumerate() {
                let result = sink.write_text(TextSlice { file, bytes, first: slice == 0 });
                result.map_err(|error| named(|| sink.name(), error))?;
            }
            begin = game.end;
            written += 1;
        }
        if written > 0 {
            sink.flush().map_err(|error| named(|| sink.name(), error))?;
        }
        Ok(written)
    }

    /// Ends the output.
    pub(super) fn finish(self, outputs: &mut Outputs, searched: u64) -> Result<SinkReport, Error> {
        let name = self.0.name();
        let report = Box::new(self.0).finish(outputs, searched);
        report.map_err(|error| named(|| name, error))
    }
}
