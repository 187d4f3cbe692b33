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

/// Adds what a reading of the game came upon: one for all queries, or the one for a job's output.
/// Of all readings one tells, and not that for an output if a query's own has something to tell.
pub(super) fn see(seen: &mut Vec<Seen>, game: &Game<'_>, job: Option<usize>) {
    if game.damages().is_empty() {
        return;
    }
    let notes = || game.damages().iter().filter(|damage| damage.reason.is_note());
    for (worst, count, note) in [
        (game.damage(), game.damages().len() - notes().count(), false),
        (notes().next(), notes().count(), true),
    ] {
        let Some(worst) = worst else { continue };
        let known = seen.iter().position(|seen| seen.note == note);
        if let Some(known) = known {
            match (&mut seen[known].jobs, job) {
                (None, _) => continue,
                (Some(jobs), Some(job)) => {
                    jobs.push(job);
                    continue;
                }
                (Some(_), None) => {
                    seen.remove(known);
                }
            }
        }
        let shown = game.damaged_text(worst);
        seen.push(Seen {
            start: worst.start,
            reason: worst.reason.to_string(),
            shown: shown[..shown.len().min(SHOWN)].to_vec(),
            more: count - 1,
            note,
            jobs: job.map(|job| vec![job]),
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
