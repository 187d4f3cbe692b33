//! `path` (docs/src/language/path.md#path).

use super::Expr;
use crate::hir::{Dash, NestBanId, NumberRange};

/// `path`: a sequence of moves from the current position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct PathFilter {
    /// Of the length, or with `max` of its value; tested on the best path only.
    pub range: Option<NumberRange>,
    pub focus: Option<Focus>,
    /// A Number, evaluated at the end: the greatest is best, instead of the longest.
    pub max: Option<Expr>,
    /// Comment at the start, and prefix of what `verbose` writes.
    pub title: Option<Box<[u8]>>,
    pub nest_ban: Option<NestBanId>,
    pub primary: bool,
    pub keep_all_best: bool,
    pub first_match: bool,
    /// Its value is the last position rather than a number.
    pub last_position: bool,
    pub verbose: bool,
    pub piece_path: bool,
    pub quiet: bool,
    pub constituents: Vec<PathConstituent>,
}

/// The moves that count. Other moves are skipped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// The moves of the pieces that are on a set of squares at the start.
    Pieces {
        /// The Set.
        set: Expr,
        /// Whether captures of these pieces count, too.
        capture: bool,
    },
    /// `singlecolor`: the moves of the side to move at the start.
    SideToMove,
}

/// A constituent of `path`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathConstituent {
    /// The kind of the constituent.
    pub kind: PathConstituentKind,
    /// Inclusive counts; `*` is (0, 100000), `+` (1, 100000), `?` (0, 1).
    pub repeat: Option<(u32, u32)>,
}

/// The kind of a constituent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathConstituentKind {
    /// A move and what must match after it.
    Step {
        /// The move.
        dash: Box<Dash>,
        /// The filters at its tail, in order.
        targets: Vec<Expr>,
    },
    /// A filter that the position reached must match.
    Holder(Box<Expr>),
    /// `( … )`
    Chain(Vec<PathConstituent>),
}

impl PathFilter {
    /// Whether it leaves comments.
    pub fn writes(&self) -> bool {
        !self.quiet || self.title.is_some() || self.verbose || self.piece_path || self.keep_all_best
    }

    /// The filters that are evaluated before the search begins.
    pub fn before(&self) -> impl Iterator<Item = &Expr> {
        match &self.focus {
            Some(Focus::Pieces { set, .. }) => Some(set),
            Some(Focus::SideToMove) | None => None,
        }
        .into_iter()
    }
}
