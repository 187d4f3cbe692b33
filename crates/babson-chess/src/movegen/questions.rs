//! What a position tells about its moves.

use std::ops::ControlFlow;

use super::{MoveList, Wanted, each, groups};
use crate::{Move, Position, Rules, SquareSet, variants};

impl Position {
    /// The legal moves as a list.
    pub fn legal_moves(&self, rules: &Rules) -> MoveList {
        self.moves(rules, Wanted::LEGAL)
    }

    /// The wanted moves as a list.
    pub fn moves(&self, rules: &Rules, wanted: Wanted) -> MoveList {
        let mut list = MoveList::new();
        each(self, rules, wanted, &mut |mv| list.push(mv));
        list
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self, rules: &Rules) -> bool {
        groups(self, rules, Wanted::LEGAL, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// The number of legal moves; the four promotions of a pawn count as four.
    pub fn count_legal(&self, rules: &Rules) -> u32 {
        self.count_moves(rules, Wanted::LEGAL)
    }

    /// The number of wanted moves; the four promotions of a pawn count as four.
    pub fn count_moves(&self, rules: &Rules, wanted: Wanted) -> u32 {
        let mut count = 0;
        let _ = groups(self, rules, wanted, &mut |group| {
            count += group.count();
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the move is among the legal moves. Null moves are not.
    pub fn is_legal(&self, mv: Move, rules: &Rules) -> bool {
        self.is_among(mv, rules, true)
    }

    /// Whether the move is among the pseudolegal moves. Null moves are not.
    pub fn is_pseudolegal(&self, mv: Move, rules: &Rules) -> bool {
        self.is_among(mv, rules, false)
    }

    fn is_among(&self, mv: Move, rules: &Rules, legal: bool) -> bool {
        let from = match mv.dropped() {
            Some(_) => SquareSet::ALL,
            None => mv.from().into(),
        };
        let wanted = Wanted { legal, from, to: mv.to().into() };
        let mut found = false;
        each(self, rules, wanted, &mut |other| found |= other == mv);
        found
    }

    /// Whether the side to move is in check and has no legal move. That a variant's own rule has
    /// ended the game does not make a check a mate.
    #[inline]
    pub fn is_mate(&self, rules: &Rules) -> bool {
        if !rules.variant.is_chess() {
            return variants::is_mate(self, rules);
        }
        self.in_check() && !self.has_legal_move(rules)
    }

    /// Whether the side to move is not in check and has no legal move, though no rule of the
    /// variant has ended the game on the board.
    #[inline]
    pub fn is_stalemate(&self, rules: &Rules) -> bool {
        !self.in_check() && !self.has_legal_move(rules) && !variants::is_over(self, rules)
    }
}
