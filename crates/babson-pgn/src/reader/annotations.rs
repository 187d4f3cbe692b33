//! Comments and glyphs.

use super::arena::CommentRange;
use super::{Needs, Reader};
use crate::damage::Reason;

/// The number of comments, and of glyphs, that one game may have.
pub(super) const MAX_ANNOTATIONS: usize = 1 << 22;

impl Reader {
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
            return self.damage(start, end, Reason::TooManyAnnotations, true);
        }
        if placed {
            let (start, end) = (start as u32, end as u32);
            self.arena.comments.push(CommentRange { node, start, end, before: false });
        } else {
            self.before.push((start, end));
        }
    }
}
