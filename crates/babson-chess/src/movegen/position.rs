//! The methods of a position that generate, count and test moves.

use std::ops::ControlFlow;

use super::{MoveList, MoveSelection, each, groups};
use crate::{Color, Direction, Kind, Move, Position, Rules, SquareSet, attacks, variants};

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

    /// A number that the moves of the side to move do not exceed, legal or pseudolegal, by the
    /// rules of any variant. Checks, pins and the conditions of castling are not tested, so it
    /// takes a fraction of the time of a count.
    ///
    /// ```
    /// use babson_chess::{Position, Rules};
    /// let start = Position::start();
    /// assert!((20..=24).contains(&start.move_count_bound()));
    /// ```
    #[inline(always)]
    pub fn move_count_bound(&self) -> u32 {
        /// Castling to both sides, and two pawns that capture en passant.
        const SPECIAL_MOVES: u32 = 4;
        // Pieces may be dropped, or the variant has something else that is not tested here.
        if self.extra != 0 {
            return u32::MAX;
        }
        let us = self.side();
        let (occupied, free) = (self.occupied(), !self.color(us));
        let mut sum = SPECIAL_MOVES + self.pawn_move_bound();
        for from in self.pieces(us, Kind::Knight) {
            sum += (attacks::knight(from) & free).len();
        }
        // The two lookups of a queen have no square in common.
        let queens = self.pieces(us, Kind::Queen);
        for from in self.pieces(us, Kind::Bishop) | queens {
            sum += (attacks::bishop(from, occupied) & free).len();
        }
        for from in self.pieces(us, Kind::Rook) | queens {
            sum += (attacks::rook(from, occupied) & free).len();
        }
        for from in self.pieces(us, Kind::King) {
            sum += (attacks::king(from) & free).len();
        }
        sum
    }

    /// [`Position::move_count_bound`] for the pawns alone, without en passant.
    #[inline(always)]
    fn pawn_move_bound(&self) -> u32 {
        // A pawn promotes to one of at most five kinds.
        const MORE_PROMOTIONS: u32 = 4;
        let us = self.side();
        let (ahead, sides) = match us {
            Color::White => (Direction::North, [Direction::NorthEast, Direction::NorthWest]),
            Color::Black => (Direction::South, [Direction::SouthEast, Direction::SouthWest]),
        };
        let pawns = self.pieces(us, Kind::Pawn);
        let doubled = SquareSet::rank(us.relative_rank(1)) | SquareSet::rank(us.relative_rank(2));
        let step = pawns.shift(ahead) - self.occupied();
        let double = (step & doubled).shift(ahead) - self.occupied();
        let [east, west] = sides.map(|side| pawns.shift(side) & self.color(us.not()));
        let mut sum = step.len() + double.len() + east.len() + west.len();
        if (step | east | west).intersects(SquareSet::BACK_RANKS) {
            let promotions = [step, east, west].map(|to| (to & SquareSet::BACK_RANKS).len());
            sum += MORE_PROMOTIONS * promotions.iter().sum::<u32>();
        }
        sum
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
