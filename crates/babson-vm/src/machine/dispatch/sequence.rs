//! Instructions that go to other positions: moves, sequences, imagined boards.

use super::reg;
use crate::compile::Alteration;
use crate::machine::once::OnceResult;
use crate::machine::{Run, Stop};
use crate::op::{NONE, Op, R};

impl Run<'_, '_> {
    /// One such instruction. Returns where evaluation goes on, if not behind it.
    #[inline(never)]
    pub(super) fn sequence(&mut self, at: usize, op: Op) -> Result<Option<u32>, Stop> {
        match op {
            Op::OncePosition { dst, index, fail } => match self.once_at_position(index)? {
                OnceResult::Match(value) => reg!(self, dst) = value,
                OnceResult::Fail => return Ok(Some(fail)),
            },
            Op::CountNodes { dst, backward } => {
                reg!(self, dst) = u64::from(self.nodes_to_find(backward));
            }
            Op::EchoStart { state, source } => self.echo_start(state, source),
            Op::EchoNext { state, target, in_all, done } => {
                self.step(at)?;
                if !self.echo_next(state, target, in_all) {
                    return Ok(Some(done));
                }
            }
            Op::EchoHit { state, value, source, target, quiet, best_only } => {
                self.echo_hit(state, value, (source, target), quiet, best_only);
                self.check_memory(at)?;
            }
            Op::EchoStop { state } => reg!(self, state) = self.nodes.len() as u64,
            Op::ConsecutiveMoves { dst, operands, spec, fail } => {
                match self.consecutive_moves(at, operands, spec)? {
                    Some(value) => reg!(self, dst) = value,
                    None => return Ok(Some(fail)),
                }
            }
            Op::ImagesStart { spec, cursor, done } => {
                reg!(self, cursor) = 0;
                if !self.images_start(at, spec)? {
                    return Ok(Some(done));
                }
            }
            Op::NextImage { spec, cursor, done } => {
                let Some(image) = self.next_image(spec, reg!(self, cursor)) else {
                    return Ok(Some(done));
                };
                reg!(self, cursor) = image + 1;
                let entries = &self.program.code.images[spec as usize].entries;
                return Ok(entries.get(image as usize).copied().or(Some(done)));
            }
            Op::Move { spec, fail } => {
                if !self.move_filter(spec) {
                    return Ok(Some(fail));
                }
            }
            Op::MoveStart { spec, cursor } => self.move_begin(spec, cursor),
            Op::MoveNext { spec, cursor, done } => match self.move_next(spec, cursor) {
                Some(node) => {
                    self.enter();
                    self.here = self.at(node);
                }
                None => return Ok(Some(done)),
            },
            Op::Speculate { spec, cursor } => self.speculate(spec, cursor),
            Op::SpeculateNext { cursor, done } => {
                if !self.speculate_next(at, cursor)? {
                    return Ok(Some(done));
                }
            }
            Op::SpeculateHit { spec, cursor } => self.speculate_hit(spec, cursor),
            Op::SpeculateEnd { cursor } => self.speculate_end(cursor),
            Op::Place { place, piece } => self.change(Alteration::Place(place, piece)),
            Op::Swap { places } => self.change(Alteration::Swap(places)),
            Op::Turn { side } => self.change(Alteration::Turn(side)),
            Op::Dash { spec, dst, previous, count, fail } => match self.dash(spec, previous, count)
            {
                Some(value) => reg!(self, dst) = value,
                None => return Ok(Some(fail)),
            },
            Op::DashNext { spec, cursor, previous, done } => {
                match self.dash_next(spec, cursor, previous) {
                    Some(node) => {
                        self.enter();
                        self.here = self.at(node);
                    }
                    None => return Ok(Some(done)),
                }
            }
            Op::OwnSquares { dst, parts, to } => {
                let parts = reg!(self, parts);
                reg!(self, dst) =
                    if to { self.own_destinations(parts) } else { self.own_origins(parts) };
            }
            Op::PromotionKinds { dst, text } => {
                let letters = self.state.bytes(reg!(self, text));
                let kinds = babson_lang::hir::Promotion::kinds(letters);
                reg!(self, dst) = u64::from(kinds);
            }
            Op::Line { spec, dst, min, max, fail } => {
                let number = |register: R| reg!(self, register) as u32 as i32;
                let range = (number(min), number(max));
                match self.line(at, spec, range)? {
                    Some(value) => reg!(self, dst) = value,
                    None => return Ok(Some(fail)),
                }
            }
            Op::Path { spec, dst, min, max, fail } => {
                let number = |register: R| reg!(self, register) as u32 as i32;
                let range = (min != NONE).then(|| (number(min), number(max)));
                match self.path(at, spec, range)? {
                    Some(value) => reg!(self, dst) = value,
                    None => return Ok(Some(fail)),
                }
            }
            Op::GameLists { spec, fail } => {
                if !self.game_lists(at, spec)? {
                    return Ok(Some(fail));
                }
            }
            Op::Steps { spec, fail } => {
                if !self.steps(at, spec)? {
                    return Ok(Some(fail));
                }
            }
            Op::Pairs { spec, fail } => {
                if !self.pairs(spec) {
                    return Ok(Some(fail));
                }
            }
            Op::Recurrence { spec, fail } => {
                if !self.recurrence(at, spec)? {
                    return Ok(Some(fail));
                }
            }
            other => return self.text(at, other),
        }
        Ok(None)
    }
}
