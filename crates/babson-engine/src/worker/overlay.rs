//! The games that are written once for all queries.

use babson_chess::VariantNames;
use babson_pgn::{Needs, Reader};
use babson_vm::run::GameText;

use super::results::ChunkResult;
use super::{Plan, Worker};
use crate::formats::overlay::{self, OverlayGame, OverlayPart, OverlayText};

impl Worker<'_> {
    /// Adds the game of this number to those that are written once, if a job matches it.
    pub(super) fn overlay_game(
        &mut self,
        text: &GameText<'_>,
        number: u64,
        results: &mut ChunkResult,
    ) {
        let plan = self.plan;
        let of_game = |part: &&OverlayPart| part.game == number;
        let last = results.jobs.iter().map(|job| job.overlay.last().filter(of_game));
        let parts: Vec<(usize, &OverlayPart)> =
            last.enumerate().filter_map(|(job, part)| Some((job, part?))).collect();
        if parts.is_empty() {
            return;
        }
        self.writer.write_error_comments(false);
        // A match was found in these moves, so they can be played.
        let Ok(whole) = text.read(&mut self.writer, needs(plan)) else { return };
        let written = overlay::write(&whole, &plan.jobs, &parts, &plan.overlay_patterns);
        let kept = if parts.len() > 1 { text.pgn(&whole) } else { Vec::new() };
        let jobs = parts.iter().map(|(job, _)| *job).collect();
        let game = OverlayGame { game: number, text: kept, jobs, written: Some(written) };
        results.held += game.bytes();
        results.overlay.push(game);
    }
}

/// What is read of a game that is written once.
fn needs(plan: &Plan) -> Needs {
    plan.jobs.first().map_or(Needs::ALL, |job| job.program.output_needs())
}

/// Writes games again, when fewer jobs count for them than matched them.
pub(crate) struct OverlayRewriter(Reader);

impl OverlayRewriter {
    pub(crate) fn new(variants: &VariantNames) -> OverlayRewriter {
        OverlayRewriter(Reader::new().with_variants(variants.clone()))
    }

    /// The text of the game with what these jobs add to it.
    pub(crate) fn write(
        &mut self,
        plan: &Plan,
        game: &OverlayGame,
        parts: &[(usize, &OverlayPart)],
    ) -> OverlayText {
        let whole = self.0.read(&game.text, needs(plan));
        overlay::write(&whole, &plan.jobs, parts, &plan.overlay_patterns)
    }
}
