//! The room that is left in an output.

use crate::sink::{OutputRoom, OutputTotals, TextSlice};

/// What an output still has room for, and what it has left out.
#[derive(Debug)]
pub(crate) struct Room {
    left: OutputRoom,
    written: u64,
    left_out: u64,
}

impl Room {
    /// The room of an output that is empty.
    pub(crate) fn new(left: OutputRoom) -> Room {
        Room { left, written: 0, left_out: 0 }
    }

    /// Whether a slice of the text of a match is written. After the first match that is left out,
    /// all others are, so the output has the first ones.
    pub(crate) fn takes(&mut self, slice: &TextSlice<'_>) -> bool {
        if slice.first {
            let OutputRoom { games, bytes } = self.left;
            let fits = self.left_out == 0 && games > 0 && slice.bytes.len() <= bytes;
            self.left.games = games.saturating_sub(1);
            self.written += u64::from(fits);
            self.left_out += u64::from(!fits);
        }
        let takes = self.left_out == 0;
        if takes {
            self.left.bytes = self.left.bytes.saturating_sub(slice.bytes.len());
        }
        takes
    }

    /// The totals of the output, after a search of this number of games.
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
        let mut room = Room::new(OutputRoom { games: 9, bytes: 5 });
        let taken: Vec<bool> = [(&b"abc"[..], true), (b"d", false), (b"ef", true), (b"g", false)]
            .iter()
            .chain(&[(&b"h"[..], true)])
            .map(|(bytes, first)| room.takes(&slice(bytes, *first)))
            .collect();
        assert_eq!(taken, [true, true, false, false, false]);
        let totals = OutputTotals { searched: 7, written: 1, left_out: 2 };
        assert_eq!(room.totals(7), totals);
        let mut room = Room::new(OutputRoom { games: 2, bytes: 100 });
        let taken: Vec<bool> = (0..4).map(|_| room.takes(&slice(b"a", true))).collect();
        assert_eq!(taken, [true, true, false, false]);
        let mut room = Room::new(OutputRoom::UNLIMITED);
        assert!((0..100_000).all(|_| room.takes(&slice(b"a", true))));
    }
}
