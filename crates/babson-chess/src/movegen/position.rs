//! The methods of a position that generate, count and test moves.

use std::ops::ControlFlow;

use super::{MoveList, MoveSelection, each, groups};
use crate::{Move, Position, Rules, SquareSet, variants};

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
        groups(self, rules, MoveSelection::LEGAL, &mut |_| ControlFlow::Break(())).is_break()
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
