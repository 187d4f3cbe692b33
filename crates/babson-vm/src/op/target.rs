//! Where instructions may jump to.

use super::Op;

impl Op {
    /// Where the instruction may jump to.
    pub(crate) fn target(&mut self) -> Option<&mut u32> {
        use Op::*;
        match self {
            Jump { to } => Some(to),
            OnceGame { fail, .. }
            | OncePosition { fail, .. }
            | Check { fail }
            | Mate { fail }
            | Initial { fail }
            | Test { fail, .. }
            | TestSet { fail, .. }
            | TestDesignator { fail, .. }
            | TestPiece { fail, .. }
            | TestPattern { fail, .. }
            | TestFen { fail, .. }
            | HasNag { fail, .. }
            | Similar { fail }
            | Value { fail, .. }
            | Unary { fail, .. }
            | Binary { fail, .. }
            | Arithmetic { fail, .. }
            | CompareConst { fail, .. }
            | Compare { fail, .. }
            | CompareNumbers { fail, .. }
            | InRange { fail, .. }
            | Subset { fail, .. }
            | InText { fail, .. }
            | Tag { fail, .. }
            | CharAt { fail, .. }
            | Splice { fail, .. }
            | Update { fail, .. }
            | TestBound { fail, .. }
            | BindPiece { fail, .. }
            | Lookup { fail, .. }
            | CommandPipe { fail, .. }
            | StoreKey { fail, .. }
            | EnterParent { fail }
            | Imagine { fail, .. }
            | Match { fail, .. }
            | Group { fail, .. }
            | GroupIndex { fail, .. }
            | Move { fail, .. }
            | ConsecutiveMoves { fail, .. }
            | Dash { fail, .. }
            | Line { fail, .. }
            | Path { fail, .. }
            | GameLists { fail, .. }
            | Steps { fail, .. }
            | Pairs { fail, .. }
            | Recurrence { fail, .. } => Some(fail),
            ForSquare { done, .. }
            | ForPiece { done, .. }
            | NextKey { done, .. }
            | FindNext { done, .. }
            | EchoNext { done, .. }
            | MatchNext { done, .. }
            | MoveNext { done, .. }
            | SpeculateNext { done, .. }
            | DashNext { done, .. }
            | ImagesStart { done, .. }
            | NextImage { done, .. } => Some(done),
            _ => None,
        }
    }
}
