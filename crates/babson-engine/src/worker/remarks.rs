//! The damages and notes of a game, and their lines.

use babson_pgn::{Game, ReplayError, count_lines};

use super::game_text::GameText;
use super::results::ReadPurpose;
use crate::limits::{MAX_GAME, MAX_SHOWN};

/// The worst damage of a game, or its first note, and how many others it has.
pub(crate) struct DamageSummary {
    pub(crate) start: usize,
    pub(crate) reason: String,
    pub(crate) shown: Vec<u8>,
    pub(crate) more: usize,
    pub(crate) note: bool,
    /// As in [`Remark`].
    pub(crate) left_out: bool,
    /// As in [`Remark`].
    pub(crate) jobs: Option<Vec<usize>>,
    /// As in [`Remark`].
    pub(crate) purpose: ReadPurpose,
}

impl DamageSummary {
    /// The damage of a game that its input cannot be read to the end of. Other damages of the game
    /// are reported instead.
    pub(super) fn of_torn(text: &GameText<'_>) -> DamageSummary {
        DamageSummary {
            start: text.rejected().len(),
            reason: "the input cannot be read to the end of this game".to_owned(),
            shown: Vec::new(),
            more: 0,
            note: false,
            left_out: false,
            jobs: None,
            purpose: ReadPurpose::Search,
        }
    }

    /// The damage of a game of a table whose moves cannot be played.
    pub(super) fn of_codes(error: &ReplayError) -> DamageSummary {
        DamageSummary {
            start: 0,
            reason: damaged_codes(error),
            shown: Vec::new(),
            more: 0,
            note: false,
            left_out: true,
            jobs: None,
            purpose: ReadPurpose::Search,
        }
    }
}

/// Adds the damages of one reading of the game, for all jobs or for some. The first reading that
/// counts is reported, so nothing is added after one for all jobs.
pub(crate) fn add_damage(
    summaries: &mut Vec<DamageSummary>,
    game: &Game<'_>,
    jobs: Option<&[usize]>,
    purpose: ReadPurpose,
) {
    if game.damages().is_empty() {
        return;
    }
    let notes = || game.damages().iter().filter(|damage| damage.reason.is_note());
    for (worst, count, note) in [
        (game.damage(), game.damages().len() - notes().count(), false),
        (notes().next(), notes().count(), true),
    ] {
        let Some(worst) = worst else { continue };
        if summaries.iter().any(|known| known.note == note && known.jobs.is_none()) {
            continue;
        }
        let shown = game.damaged_text(worst);
        summaries.push(DamageSummary {
            start: worst.start,
            reason: worst.reason.to_string(),
            shown: shown[..shown.len().min(MAX_SHOWN)].to_vec(),
            more: count - 1,
            note,
            left_out: false,
            jobs: jobs.map(<[usize]>::to_vec),
            purpose,
        });
    }
}

/// The reason of the report of a game of a table whose moves cannot be played.
pub(crate) fn damaged_codes(error: &ReplayError) -> String {
    format!("{error}, so it is left out")
}

/// The reason of the report of a game that is too long to be read.
pub(crate) fn overlong_reason() -> String {
    format!("a game of more than {} MiB (is this a PGN file?): skipped", MAX_GAME >> 20)
}

/// Counts lines from one offset of a chunk to a later one.
pub(crate) struct LineCounter {
    pub(crate) offset: usize,
    pub(crate) line: u64,
}

impl LineCounter {
    pub(crate) fn at(&mut self, text: &[u8], offset: usize) -> u64 {
        // The offsets are ascending, except within a game that is read twice.
        if offset > self.offset {
            self.line += count_lines(text, self.offset..offset);
            self.offset = offset;
        }
        self.line
    }
}
