//! The positions that the loop over a game visits.

use std::fmt;

use babson_lang::hir::Condition;
use babson_pgn::Needs;

use crate::need::{Link, Need, PlyUnit};

/// Bounds of a number, both included.
type Bounds = (i32, i32);

const ANY: Bounds = (i32::MIN, i32::MAX);

/// The positions at which the query can match, or do anything else. They meet all of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VisitPlan {
    /// Whether they have no child.
    pub(crate) terminal: bool,
    pub(crate) plies: Bounds,
    pub(crate) move_numbers: Bounds,
    pub(crate) ids: Bounds,
}

impl VisitPlan {
    pub(crate) const ALL: VisitPlan =
        VisitPlan { terminal: false, plies: ANY, move_numbers: ANY, ids: ANY };
    const FIRST: VisitPlan = VisitPlan { plies: (0, 0), ..VisitPlan::ALL };

    /// The positions that meet a need.
    pub(crate) fn of(need: &Need<'_>) -> VisitPlan {
        match need {
            Need::Condition(Condition::Initial) => VisitPlan::FIRST,
            Need::Condition(Condition::Terminal) => VisitPlan { terminal: true, ..VisitPlan::ALL },
            Need::Ply { unit, first, last } => {
                let bounds = (*first, *last);
                match unit {
                    PlyUnit::Ply => VisitPlan { plies: bounds, ..VisitPlan::ALL },
                    PlyUnit::MoveNumber => VisitPlan { move_numbers: bounds, ..VisitPlan::ALL },
                    PlyUnit::PositionId => VisitPlan { ids: bounds, ..VisitPlan::ALL },
                }
            }
            Need::All(list) => list.iter().map(VisitPlan::of).fold(VisitPlan::ALL, VisitPlan::and),
            Need::Any(list) => {
                list.iter().map(VisitPlan::of).reduce(VisitPlan::or).unwrap_or(VisitPlan::ALL)
            }
            Need::Chain(chain) => match chain.links().first() {
                Some(Link::Here(need)) => VisitPlan::of(need),
                Some(Link::Step(_) | Link::Next | Link::Gap) | None => VisitPlan::ALL,
            },
            Need::Unknown
            | Need::Never
            | Need::Condition(_)
            | Need::NotCheck
            | Need::Glyph
            | Need::Tags(..)
            | Need::Count { .. }
            | Need::Sum(_)
            | Need::Attacks { .. }
            | Need::Attacked { .. }
            | Need::Ray { .. }
            | Need::Covers(_)
            | Need::Pattern(..)
            | Need::Moves { .. }
            | Need::Move(_)
            | Need::Elsewhere(_)
            | Need::InGame(_) => VisitPlan::ALL,
        }
    }

    /// Whether only the initial position is visited.
    pub(crate) fn is_first(&self) -> bool {
        self.plies.1 == 0 || self.ids.1 == 0
    }

    /// Whether the initial position is visited in each game.
    pub(crate) fn has_first(&self) -> bool {
        !self.terminal
            && self.plies.0 <= 0
            && self.ids.0 <= 0
            && self.move_numbers.0 == i32::MIN
            && [self.plies.1, self.ids.1].into_iter().all(|last| last >= 0)
            && self.move_numbers.1 == i32::MAX
    }

    /// The last ply of a main line at which a position may be visited: 0 if no position is, and
    /// [`Needs::ALL_PLIES`] without a bound.
    pub(crate) fn last_ply(&self) -> u32 {
        let bounds = [self.plies, self.move_numbers, self.ids];
        if bounds.iter().any(|(first, last)| first > last) {
            return 0;
        }
        // A FEN may give the number 0 to the first move. In the main line the id is the ply.
        let last_of_move = i64::from(self.move_numbers.1).saturating_mul(2) + 1;
        let last_plies = [
            (self.plies.1, i64::from(self.plies.1)),
            (self.move_numbers.1, last_of_move),
            (self.ids.1, i64::from(self.ids.1)),
        ];
        let last = last_plies.into_iter().filter(|bound| bound.0 < i32::MAX).map(|bound| bound.1);
        last.min().map_or(Needs::ALL_PLIES, |last| u32::try_from(last.max(0)).unwrap_or(u32::MAX))
    }

    fn and(self, other: VisitPlan) -> VisitPlan {
        let both = |a: Bounds, b: Bounds| (a.0.max(b.0), a.1.min(b.1));
        VisitPlan { terminal: self.terminal || other.terminal, ..self.zip(other, both) }
    }

    fn or(self, other: VisitPlan) -> VisitPlan {
        let hull = |a: Bounds, b: Bounds| (a.0.min(b.0), a.1.max(b.1));
        VisitPlan { terminal: self.terminal && other.terminal, ..self.zip(other, hull) }
    }

    fn zip(self, other: VisitPlan, join: fn(Bounds, Bounds) -> Bounds) -> VisitPlan {
        VisitPlan {
            terminal: false,
            plies: join(self.plies, other.plies),
            move_numbers: join(self.move_numbers, other.move_numbers),
            ids: join(self.ids, other.ids),
        }
    }
}

/// What `explain` says of the positions; nothing if all are visited.
impl fmt::Display for VisitPlan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if [self.plies, self.move_numbers, self.ids].iter().any(|(first, last)| first > last) {
            return out.write_str("visits no position");
        }
        if self.is_first() {
            return out.write_str("visits only the initial position");
        }
        let mut separator = "visits only positions with ";
        if self.terminal {
            out.write_str("visits only terminal positions")?;
            separator = " with ";
        }
        let numbers =
            [("ply", self.plies), ("movenumber", self.move_numbers), ("positionid", self.ids)];
        for (name, (first, last)) in numbers {
            if (first, last) == ANY {
                continue;
            }
            out.write_str(separator)?;
            separator = " and ";
            match (first, last) {
                (i32::MIN, last) => write!(out, "{name} <= {last}")?,
                (first, i32::MAX) => write!(out, "{name} >= {first}")?,
                (first, last) if first == last => write!(out, "{name} == {first}")?,
                (first, last) => write!(out, "{name} from {first} to {last}")?,
            }
        }
        Ok(())
    }
}
