//! What is told of a game that is damaged, and where it stands.

use babson_pgn::Game;

use crate::chunk;

/// How many bytes of offending text are shown.
pub(super) const SHOWN: usize = 80;

/// The worst damage of a game, or its first note, and how many others it has.
pub(super) struct Seen {
    pub(super) start: usize,
    pub(super) reason: String,
    pub(super) shown: Vec<u8>,
    pub(super) more: usize,
    pub(super) note: bool,
    /// As in [`Remark`].
    pub(super) jobs: Option<Vec<usize>>,
}

/// Adds the damage that a reading of the game found: a reading for all jobs, or one for some. Of
/// all readings the first that counts is reported, so nothing is added after one for all jobs.
pub(super) fn see(seen: &mut Vec<Seen>, game: &Game<'_>, jobs: Option<&[usize]>) {
    if game.damages().is_empty() {
        return;
    }
    let notes = || game.damages().iter().filter(|damage| damage.reason.is_note());
    for (worst, count, note) in [
        (game.damage(), game.damages().len() - notes().count(), false),
        (notes().next(), notes().count(), true),
    ] {
        let Some(worst) = worst else { continue };
        if seen.iter().any(|seen| seen.note == note && seen.jobs.is_none()) {
            continue;
        }
        let shown = game.damaged_text(worst);
        seen.push(Seen {
            start: worst.start,
            reason: worst.reason.to_string(),
            shown: shown[..shown.len().min(SHOWN)].to_vec(),
            more: count - 1,
            note,
            jobs: jobs.map(<[usize]>::to_vec),
        });
    }
}

/// Counts lines from one place of a chunk to a later one.
pub(super) struct Lines {
    pub(super) offset: usize,
    pub(super) line: u64,
}

impl Lines {
    pub(super) fn at(&mut self, text: &[u8], offset: usize) -> u64 {
        // Damages of one chunk are asked for in order, but for a game that is read twice.
        if let Some(passed) = text.get(self.offset..offset) {
            self.line += chunk::lines(passed);
            self.offset = offset;
        }
        self.line
    }
}
