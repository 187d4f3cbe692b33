//! The methods of a position that generate, count and test moves.

use std::ops::ControlFlow;

use super::bound::{MAX_LEAPS, move_bound};
use super::{MoveList, MoveSelection, each, groups};
use crate::{Kind, Move, Position, Rules, SquareSet, attacks, variants};

impl Position {
    /// The legal moves as a list.
    pub fn legal_moves(&self, rules: &Rules) -> MoveList {
        self.moves(rules, MoveSelection::LEGAL)
    }

    /// The selected moves as a list.
    pub fn moves(&self, rules: &Rules, selection: MoveSelection) -> MoveList {
        let mut list = MoveList::new();
        each(self, rules, selection, &mut |mv| list.push(mv));
        list
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self, rules: &Rules) -> bool {
        // Most checks are answered by a step of the king, for which pins need not be found.
        rules.variant.is_chess() && self.has_king_step()
            || groups(self, rules, MoveSelection::LEGAL, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Whether the side to move has exactly one king, and it can step to a square that is not
    /// attacked.
    fn has_king_step(&self) -> bool {
        let us = self.side();
        let Some(king) = self.king(us) else { return false };
        let without_king = self.occupied() - king.into();
        let steps = attacks::king(king) - self.color(us);
        steps.iter().any(|to| self.attackers_of(us.not(), to, without_king).is_empty())
    }

    /// The number of legal moves; the four promotions of a pawn count as four.
    pub fn count_legal(&self, rules: &Rules) -> u32 {
        self.count_moves(rules, MoveSelection::LEGAL)
    }

    /// The number of selected moves; the four promotions of a pawn count as four.
    pub fn count_moves(&self, rules: &Rules, selection: MoveSelection) -> u32 {
        let mut count = 0;
        let _ = groups(self, rules, selection, &mut |group| {
            count += group.count();
            ControlFlow::Continue(())
        });
        count
    }

    /// Returns false only if the side to move has fewer than `least` moves, legal or pseudolegal,
    /// by the rules of any variant. Checks, pins and the conditions of castling are not tested, so
    /// it takes a fraction of the time of a count.
    ///
    /// ```
    /// use babson_chess::{Position, Rules};
    /// let start = Position::start();
    /// assert!(start.may_have_moves(20) && !start.may_have_moves(25));
    /// ```
    #[inline(always)]
    pub fn may_have_moves(&self, least: u32) -> bool {
        // Pieces may be dropped, or the variant has something else that is not tested here.
        if self.has_variant_state() {
            return true;
        }
        let us = self.side();
        let bound = move_bound(&self.kinds, self.color(us), self.color(us.not()), us);
        bound >= least && bound - self.excess_leaps() >= least
    }

    /// How many moves [`move_bound`] counts for knights and kings of the side to move that have
    /// their own pieces or the edge of the board in their way.
    #[inline(always)]
    pub fn excess_leaps(&self) -> u32 {
        let us = self.side();
        let own = self.color(us);
        let blocked = |targets: SquareSet| MAX_LEAPS - (targets - own).len();
        let [knights, kings] = [Kind::Knight, Kind::King].map(|kind| own & self.kind(kind));
        knights.into_iter().map(|from| blocked(attacks::knight(from))).sum::<u32>()
            + kings.into_iter().map(|from| blocked(attacks::king(from))).sum::<u32>()
    }

    /// Whether the move is a legal move. A null move is not.
    pub fn is_legal(&self, mv: Move, rules: &Rules) -> bool {
        let from = match mv.dropped() {
            Some(_) => SquareSet::ALL,
            None => mv.from().into(),
        };
        let selection = MoveSelection { legal: true, from, to: mv.to().into() };
        let mut found = false;
        each(self, rules, selection, &mut |other| found |= other == mv);
        found
    }

    /// Whether the side to move is in check and has no legal move. A check is not a mate only
    /// because the rule of a variant has ended the game.
    #[inline]
    pub fn is_mate(&self, rules: &Rules) -> bool {
        if !rules.variant.is_chess() {
            return variants::is_mate(self, rules);
        }
        self.in_check() && !self.has_legal_move(rules)
    }

    /// Whether the side to move is not in check and has no legal move, and the rule of the variant
    /// has not ended the game.
    #[inline]
    pub fn is_stalemate(&self, rules: &Rules) -> bool {
        !self.in_check() && !self.has_legal_move(rules) && !variants::is_over(self, rules)
    }
}
