//! What a filter needs to match, extracted once from the typed query.
//!
//! [`Need::of`] gives a tree of conditions: if one of them fails, the filter neither matches nor
//! leaves a trace. Its leaves name sets of squares by their expressions, so the tree says nothing
//! about how a condition is tested. Three evaluations do: [`crate::prefilter`] on the boards of a
//! position and of those after it, [`crate::game_guard`] on the facts of a whole game, and
//! [`crate::images`] for all images of a transform at once. A rule about a filter is written here
//! and nowhere else, so no evaluation can lack what another one has.

mod chain;
mod extract;
mod numbers;
mod sets;
mod trace;

use babson_lang::hir::{
    ComparisonOperator, Condition, Dash, Designator, Directions, Expr, MoveFilter,
};

use crate::analysis::Pattern;
pub(crate) use chain::{Chain, ChainForm, Gaps, Link, Part, PartKind};
pub(crate) use extract::has_own_check;
pub(crate) use numbers::{SetTerm, SumNeed};
pub(crate) use sets::{CONTENTS, is_exact, of_content, superset, superset_of_pieces, union};
pub(crate) use trace::Trace;

/// A necessary condition of a filter at a position.
#[derive(Debug, PartialEq)]
pub(crate) enum Need<'e> {
    /// No rule is known. Beside other needs it says that the filter may fail where they are met.
    Unknown,
    /// No position meets it.
    Never,
    Condition(Condition),
    /// The side to move is not in check.
    NotCheck,
    /// The position has a glyph.
    Glyph,
    /// A filter whose outcome the tags of the game decide, and what else it needs.
    Tags(&'e Expr, Box<Need<'e>>),
    /// The number of squares of a set.
    Count {
        set: &'e Expr,
        relation: ComparisonOperator,
        value: i32,
    },
    /// A sum of numbers of squares.
    Sum(SumNeed<'e>),
    /// At least `least` squares of `from` have a piece that attacks a square of `to`.
    Attacks {
        from: &'e Expr,
        to: &'e Expr,
        least: u32,
    },
    /// At least `least` squares of `targets` are attacked by a piece of `by`.
    Attacked {
        targets: &'e Expr,
        by: &'e Expr,
        least: u32,
    },
    /// The sets lie on one line, in their order. With `slider` the first has a piece that moves
    /// along the line.
    Ray {
        sets: &'e [Expr],
        directions: Directions,
        slider: bool,
    },
    /// Each square of each designator has its content.
    Covers(&'e [Designator]),
    /// One of the images of a transform, which are conjunctions of designators.
    Pattern(&'e [Expr], Box<Pattern>),
    /// The side to move has at least this number of pseudolegal moves.
    Moves {
        least: u32,
    },
    /// A number that grows along the main line is in a range, both ends included.
    Ply {
        unit: PlyUnit,
        first: i32,
        last: i32,
    },
    Move(MoveNeed<'e>),
    /// Filters at positions that follow each other.
    Chain(Chain<'e>),
    /// The position itself or another one within range meets the body.
    Elsewhere(Elsewhere<'e>),
    All(Vec<Need<'e>>),
    /// One of the images of a transform, or one side of an `or`.
    Any(Vec<Need<'e>>),
    /// What follows a filter that leaves comments. Without it no position of the game matches, and
    /// nobody sees the comments of such a game. But the comments of a position that does not match
    /// may be kept, so the filters before it are evaluated at each position.
    InGame(Box<Need<'e>>),
}

/// What counts how far a position is from the initial one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlyUnit {
    /// Plies of its own line.
    Ply,
    /// The move number, which the initial position may have from a FEN.
    MoveNumber,
    /// The id of the position.
    PositionId,
}

/// A move, and the sets that it names.
#[derive(Debug, PartialEq)]
pub(crate) struct MoveNeed<'e> {
    pub(crate) kind: MoveKind<'e>,
    /// Whether it is the move that led to the position: then the sets belong to the board before.
    pub(crate) previous: bool,
    /// What its sets need on the board before the move.
    pub(crate) operands: Box<Need<'e>>,
    /// What the position after the move needs.
    pub(crate) after: Box<Need<'e>>,
}

/// The filter that looks at a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MoveKind<'e> {
    Filter(&'e MoveFilter),
    Dash(&'e Dash),
}

/// A search through positions.
#[derive(Debug, PartialEq)]
pub(crate) struct Elsewhere<'e> {
    pub(crate) range: PositionRange,
    /// The least number of positions that meet the body.
    pub(crate) least: u32,
    pub(crate) body: Box<Need<'e>>,
}

/// The positions of a search, besides the current one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PositionRange {
    /// Those after it.
    Later,
    /// Those before it, in its own line.
    Earlier,
    /// All of the game.
    All,
}

impl<'e> Need<'e> {
    /// A conjunction, without nested ones.
    pub(crate) fn all(list: impl IntoIterator<Item = Need<'e>>) -> Need<'e> {
        let mut flat = Vec::new();
        for need in list {
            if let Need::All(inner) = need {
                flat.extend(inner);
            } else {
                flat.push(need);
            }
        }
        match flat.pop() {
            Some(only) if flat.is_empty() => only,
            Some(last) => {
                flat.push(last);
                Need::All(flat)
            }
            None => Need::All(Vec::new()),
        }
    }

    /// Why games are tested for the need, but not positions: none if positions are tested, too.
    #[cfg(test)]
    pub(crate) fn only_of_games(&self) -> Option<&'static str> {
        match self {
            Need::Tags(..) => Some("tags are tested once a game, before its positions"),
            Need::Glyph => Some("the machine looks a glyph up as fast"),
            Need::Condition(_) => Some("the machine looks at the move or the node as fast"),
            Need::Ply { .. } => Some("the loop over the positions begins and ends there"),
            Need::Move(_) => Some("the machine looks at the moves of a position as fast"),
            Need::Elsewhere(_) => Some(
                "a look for other positions takes as long as the search, which has a prefilter",
            ),
            Need::Pattern(_, pattern) if !pattern.is_quick() => {
                Some("the machine tests so many images by tables")
            }
            Need::InGame(_) => Some("the comments of a position that fails may be kept"),
            Need::Count { set, .. } if is_any_piece(set) => {
                Some("hardly any board has fewer such squares")
            }
            Need::Attacks { from: a, to: b, .. } | Need::Attacked { targets: a, by: b, .. }
                if is_any_piece(a) && is_any_piece(b) =>
            {
                Some("on nearly any board a piece attacks some square")
            }
            Need::Unknown
            | Need::Never
            | Need::NotCheck
            | Need::Count { .. }
            | Need::Sum(_)
            | Need::Attacks { .. }
            | Need::Attacked { .. }
            | Need::Ray { .. }
            | Need::Covers(_)
            | Need::Pattern(..)
            | Need::Moves { .. }
            | Need::Chain(_)
            | Need::All(_)
            | Need::Any(_) => None,
        }
    }

    /// The condition of a filter that needs more than this.
    fn and_more(self) -> Need<'e> {
        Need::all([self, Need::Unknown])
    }

    /// The condition for the game only.
    fn in_game(self) -> Need<'e> {
        Need::all([Need::InGame(Box::new(self)), Need::Unknown])
    }
}

/// Whether the squares of all pieces of a color may belong to the set.
#[cfg(test)]
fn is_any_piece(set: &Expr) -> bool {
    let masks = superset(set);
    let is_full = |pieces: &[u64]| pieces.iter().all(|squares| *squares == !0);
    is_full(&masks[..6]) || is_full(&masks[6..12])
}
