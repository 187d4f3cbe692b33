//! What is taken back when a filter fails.

use babson_lang::hir::Effects;

/// What is taken back when a filter fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// Nothing: the filter makes no comments.
    Nothing,
    /// Its comments, but not their text, which something else may use.
    Comments,
    /// Its comments and all text that it made.
    CommentsAndText,
}

impl From<bool> for Undo {
    fn from(comments: bool) -> Undo {
        if comments { Undo::Comments } else { Undo::Nothing }
    }
}

impl From<Effects> for Undo {
    fn from(effects: Effects) -> Undo {
        match (effects.comments, effects.keeps_text) {
            (false, _) => Undo::Nothing,
            (true, true) => Undo::Comments,
            (true, false) => Undo::CommentsAndText,
        }
    }
}
