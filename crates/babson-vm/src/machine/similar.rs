//! `similarposition`: `docs/src/language/similarposition.md`.

use super::{Run, Stop};
use crate::op::Pc;

impl Run<'_, '_> {
    /// Whether the board is similar to one of the file. Names each game that has it in a comment.
    pub(super) fn similar_position(&mut self, pc: Pc) -> Result<bool, Stop> {
        let program = self.program;
        let Some(similar) = &program.code.similar else {
            return Ok(false);
        };
        let mut least = None;
        for source in similar.sources(&self.here.board) {
            least = Some(least.map_or(source.game, |least: u32| least.min(source.game)));
            if self.comments_itself(false) {
                let text = similar.describe(source);
                let text = self.state.intern(text.as_bytes());
                self.comment_at(self.here.node, text);
            }
        }
        self.state.submission = least;
        self.check_memory(pc)?;
        Ok(least.is_some())
    }
}
