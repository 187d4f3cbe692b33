//! Comments.

use super::Reader;
use crate::arena::CommentRange;
use crate::damage::DamageReason;
use crate::limits::MAX_ANNOTATIONS;
use crate::needs::Needs;

impl Reader {
    /// Stores the range of a comment. `placed`: it belongs to the node; otherwise it is before the
    /// first move of a variation and waits for that move.
    pub(super) fn comment(
        &mut self,
        node: u32,
        placed: bool,
        start: usize,
        end: usize,
        needs: Needs,
    ) {
        if !needs.comments {
            self.arena.whole = false;
            return;
        }
        if self.arena.comments.len() + self.before.len() >= MAX_ANNOTATIONS {
            return self.damage(start, end, DamageReason::TooManyAnnotations, true);
        }
        if placed {
            let (start, end) = (start as u32, end as u32);
            self.arena.comments.push(CommentRange { node, start, end, before: false });
        } else {
            self.before.push((start, end));
        }
    }
}
