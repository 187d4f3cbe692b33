//! The room of an output: a page that is opened as a whole must not grow without bound.

use super::FileFormat;
use crate::limits::{MAX_REPORT_BYTES, MAX_REPORT_GAMES};
use crate::sink::{OutputTotals, TextSlice};

/// What an output still has room for, and what it has left out.
#[derive(Debug)]
pub(crate) struct Room {
    games: u64,
    bytes: usize,
    written: u64,
    left_out: u64,
}

impl Room {
    /// The room of a file in this format.
    pub(crate) fn of(format: FileFormat) -> Room {
        let (games, bytes) = match format {
            FileFormat::Html => (MAX_REPORT_GAMES, MAX_REPORT_BYTES),
            FileFormat::Pgn
            | FileFormat::Jsonl
            | FileFormat::Json
            | FileFormat::Csv
            | FileFormat::Tsv
            | FileFormat::Epd
            | FileFormat::Arrow
            | FileFormat::Text => (u64::MAX, usize::MAX),
        };
        Room { games, bytes, written: 0, left_out: 0 }
    }

    /// Whether a slice of the text of a match is written. After the first match that is left out,
    /// all others are, so the output has the first ones.
    pub(crate) fn takes(&mut self, slice: &TextSlice<'_>) -> bool {
        if slice.first {
            let fits = self.left_out == 0 && self.games > 0 && slice.bytes.len() <= self.bytes;
            self.games = self.games.saturating_sub(1);
            self.written += u64::from(fits);
            self.left_out += u64::from(!fits);
        }
        let takes = self.left_out == 0;
        if takes {
            self.bytes = self.bytes.saturating_sub(slice.bytes.len());
        }
        takes
    }

    /// What is in the output, after a search of so many games.
    pub(crate) fn totals(&self, searched: u64) -> OutputTotals {
        OutputTotals { searched, written: self.written, left_out: self.left_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(bytes: &[u8], first: bool) -> TextSlice<'_> {
        TextSlice { file: None, bytes, first }
    }

    #[test]
    fn a_full_output_takes_no_more() {
        let mut room = Room { games: 9, bytes: 5, written: 0, left_out: 0 };
        let taken: Vec<bool> = [(&b"abc"[..], true), (b"d", false), (b"ef", true), (b"g", false)]
            .iter()
            .chain(&[(&b"h"[..], true)])
            .map(|(bytes, first)| room.takes(&slice(bytes, *first)))
            .collect();
        assert_eq!(taken, [true, true, false, false, false]);
        let totals = OutputTotals { searched: 7, written: 1, left_out: 2 };
        assert_eq!(room.totals(7), totals);
        let mut room = Room { games: 2, bytes: 100, written: 0, left_out: 0 };
        let taken: Vec<bool> = (0..4).map(|_| room.takes(&slice(b"a", true))).collect();
        assert_eq!(taken, [true, true, false, false]);
        let mut room = Room::of(FileFormat::Csv);
        assert!((0..100_000).all(|_| room.takes(&slice(b"a", true))));
    }
}
