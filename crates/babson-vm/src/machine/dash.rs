//! Moves that fit a dash: `--`, `[x]`, the steps of `path`.

use super::Run;
use crate::filters::contents::content_squares;
use crate::op::{DashOperand, DashSpec, Id, PromotionTest, Register};

/// The moving piece; in castling the king.
pub(super) const MOVER: u64 = 1;
/// The rook of a castling move.
pub(super) const ROOK: u64 = 2;

impl Run<'_, '_> {
    /// The parts that fit of the move that led to `tail`, which must not be the initial position: 0
    /// if none fits. The operands must be in their registers, evaluated at the position before the
    /// move.
    ///
    /// Only castling has more than one part.
    #[inline]
    pub(super) fn fitting(&self, dash: &DashSpec, tail: u32) -> u64 {
        let mv = self.nodes[tail as usize].mv;
        let kinds = match dash.promotes {
            PromotionTest::Unasked => 0,
            PromotionTest::Kinds(kinds) => u64::from(kinds),
            PromotionTest::Register(register) => self.state.registers[register],
        };
        if dash.promotes != PromotionTest::Unasked
            && mv.promotion().is_none_or(|kind| kinds >> kind.index() & 1 == 0)
        {
            return 0;
        }
        let fits = |from: u64, to: u64| {
            self.is_in(dash.left, from, tail) && self.is_in(dash.right, to, tail)
        };
        if dash.capture {
            let captured = self.capture(tail).0;
            return u64::from(captured != 0 && fits(self.origin(tail).0, captured));
        }
        let mut parts = if fits(self.origin(tail).0, self.destination(tail).0) { MOVER } else { 0 };
        if let (Some(from), Some(to)) = (mv.rook_from(), mv.rook_to())
            && fits(1 << from.index(), 1 << to.index())
        {
            parts |= ROOK;
        }
        parts
    }

    /// Whether the square was in the operand before the move to `tail`.
    #[inline]
    fn is_in(&self, operand: DashOperand, square: u64, tail: u32) -> bool {
        match operand {
            DashOperand::Any => true,
            DashOperand::Squares(squares) => squares & square != 0,
            DashOperand::Designator { squares, content } => {
                let head = &self.positions[self.nodes[tail as usize].parent as usize];
                squares & square != 0 && content_squares(head, content) & square != 0
            }
            DashOperand::Register(register) => self.state.registers[register] & square != 0,
        }
    }

    /// `from` in the target of a dash: the origins of the parts that fit.
    pub(super) fn own_origins(&self, parts: u64) -> u64 {
        let node = self.here.node;
        let mut squares = 0;
        if parts & MOVER != 0 {
            squares |= self.origin(node).0;
        }
        if parts & ROOK != 0 {
            squares |= (self.origins(node) - self.origin(node)).0;
        }
        squares
    }

    /// `to` in the target of a dash: the destinations of the parts that fit.
    pub(super) fn own_destinations(&self, parts: u64) -> u64 {
        let node = self.here.node;
        let mut squares = 0;
        if parts & MOVER != 0 {
            squares |= self.destination(node).0;
        }
        if parts & ROOK != 0 {
            squares |= (self.destinations(node) - self.destination(node)).0;
        }
        squares
    }

    /// A dash without a target: with `count` the number of moves that fit, else whether one fits.
    pub(super) fn dash(&self, spec: Id<DashSpec>, previous: bool, count: bool) -> Option<u64> {
        let dash = &self.program.code.dashes[spec];
        if previous {
            let node = self.last_move()?;
            return (self.fitting(dash, node) != 0).then_some(1);
        }
        let mut total = 0;
        let mut next = self.first_move();
        while let Some(tail) = next {
            if self.fitting(dash, tail) != 0 {
                if !count {
                    return Some(1);
                }
                total += 1;
            }
            next = self.next_sibling(tail);
        }
        count.then_some(total)
    }

    /// The tail of the next move that fits. The register `cursor` holds the last tail + 1, 0 at the
    /// beginning; the next register the parts that fit.
    pub(super) fn dash_next(
        &mut self,
        spec: Id<DashSpec>,
        cursor: Register,
        previous: bool,
    ) -> Option<u32> {
        let dash = &self.program.code.dashes[spec];
        let at = self.state.registers[cursor] as u32;
        let mut next = match (previous, at) {
            (true, 0) => self.last_move(),
            (true, _) => None,
            (false, 0) => self.first_move(),
            (false, last) => self.next_sibling(last - 1),
        };
        while let Some(tail) = next {
            let parts = self.fitting(dash, tail);
            if parts != 0 {
                self.state.registers[cursor] = u64::from(tail) + 1;
                self.state.registers[cursor + 1] = parts;
                return Some(tail);
            }
            next = if previous { None } else { self.next_sibling(tail) };
        }
        None
    }
}
