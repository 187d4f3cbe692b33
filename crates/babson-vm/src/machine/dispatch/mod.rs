//! The loop over instructions. It has those of boards, values and variables itself, and those of
//! `find`, of which a query runs as many; the others, which do more, stand beside it, so that they
//! cost it no registers.

mod sequence;
mod text;

use babson_chess::{Square, SquareSet};
use babson_lang::hir::{Directions, Relation, Update};

use super::once::OnceResult;
use super::{Run, Stop, push};
use crate::filters::contents::{content_squares, piece_squares};
use crate::filters::{self, numbers};
use crate::op::{Op, R};

/// What prints, grows a dictionary or reads the texts of a study takes as long as this many turns
/// of a loop.
pub(super) const COSTLY: u64 = 20;

macro_rules! reg {
    ($run:expr, $register:expr) => {
        $run.state.registers[usize::from($register)]
    };
}

use reg;

/// Whether the relation holds between two numbers; those of positions do not.
#[inline(always)]
fn holds(relation: Relation, a: i32, b: i32) -> bool {
    match relation {
        Relation::Equal => a == b,
        Relation::NotEqual => a != b,
        Relation::Less => a < b,
        Relation::LessEqual => a <= b,
        Relation::Greater => a > b,
        Relation::GreaterEqual => a >= b,
        Relation::Ancestor
        | Relation::AncestorOrSame
        | Relation::Descendant
        | Relation::DescendantOrSame => false,
    }
}

impl Run<'_, '_> {
    /// Runs the code from `pc` to the next `Return`; whether it matched.
    pub(super) fn execute(&mut self, entry: usize) -> Result<bool, Stop> {
        let program = self.program;
        let code = &program.code;
        let ops = &code.ops[..];
        let mut pc = entry;
        loop {
            let at = pc;
            let op = ops[at];
            pc += 1;
            match op {
                Op::Jump { to } => pc = to as usize,
                Op::Return { matched } => return Ok(matched),
                Op::Step => self.step(at)?,
                Op::Begin { filter } => self.state.kept.clock.begin(filter),
                Op::Matched { filter } => {
                    let parent = code.profiled[filter as usize].parent;
                    self.state.kept.clock.matched(filter, parent);
                }
                Op::OnceGame { dst, index, fail } => {
                    let outcome = match self.state.once[usize::from(index)] {
                        Some(outcome) => outcome,
                        None => self.once_in_game(index)?,
                    };
                    match outcome {
                        OnceResult::Match(value) => reg!(self, dst) = value,
                        OnceResult::Fail => pc = fail as usize,
                    }
                }
                Op::Const { dst, value } => reg!(self, dst) = value,
                Op::Copy { dst, src } => reg!(self, dst) = reg!(self, src),
                Op::Check { fail } => {
                    if !self.here.board.in_check() {
                        pc = fail as usize;
                    }
                }
                Op::Mate { fail } => {
                    if !self.here.board.is_mate(self.game.rules()) {
                        pc = fail as usize;
                    }
                }
                Op::Initial { fail } => {
                    if self.here.node != 0 {
                        pc = fail as usize;
                    }
                }
                Op::Test { which, fail } => {
                    if !self.condition(at, which)? {
                        pc = fail as usize;
                    }
                }
                Op::TestSet { set, fail } => {
                    if reg!(self, set) == 0 {
                        pc = fail as usize;
                    }
                }
                Op::TestDesignator { squares, content, fail } => {
                    if content_squares(&self.here.board, content) & squares == 0 {
                        pc = fail as usize;
                    }
                }
                Op::TestPiece { squares, piece, fail } => {
                    if piece_squares(&self.here.board, piece) & squares == 0 {
                        pc = fail as usize;
                    }
                }
                Op::TestPattern { index, fail } => {
                    let board = &*self.here.board;
                    let pattern = &code.patterns[index as usize];
                    if !pattern.holds(|content| content_squares(board, content.0)) {
                        pc = fail as usize;
                    }
                }
                Op::TestFen { first, len, fail } => {
                    let parts = &code.designators[first as usize..][..usize::from(len)];
                    if !filters::fen::matches(self.contents(), parts) {
                        pc = fail as usize;
                    }
                }
                Op::Similar { fail } => {
                    if !self.similar_position(at)? {
                        pc = fail as usize;
                    }
                }
                Op::HasNag { nag, fail } => {
                    let node = self.here.node;
                    if node == 0 || !self.game.nags(node).any(|other| other == nag) {
                        pc = fail as usize;
                    }
                }
                Op::Designator { dst, squares, content } => {
                    reg!(self, dst) = content_squares(&self.here.board, content) & squares;
                }
                Op::CountDesignator { dst, squares, content } => {
                    let found = content_squares(&self.here.board, content) & squares;
                    reg!(self, dst) = u64::from(found.count_ones());
                }
                Op::Value { dst, which, fail } => match self.quantity(at, which)? {
                    Some(value) => reg!(self, dst) = value,
                    None => pc = fail as usize,
                },
                Op::Unary { dst, a, op, fail } => match self.unary(at, op, reg!(self, a))? {
                    Some(value) => reg!(self, dst) = value,
                    None => pc = fail as usize,
                },
                Op::Binary { dst, a, b, op, fail } => {
                    match self.binary(op, reg!(self, a), reg!(self, b)) {
                        Some(value) => reg!(self, dst) = value,
                        None => pc = fail as usize,
                    }
                    if op == babson_lang::hir::Binary::Concat {
                        self.check_memory(at)?;
                    }
                }
                Op::Arithmetic { dst, a, b, op, fail } => {
                    let (x, y) = (reg!(self, a) as u32 as i32, reg!(self, b) as u32 as i32);
                    match numbers::arithmetic(op, x, y) {
                        Some(value) => reg!(self, dst) = u64::from(value as u32),
                        None => pc = fail as usize,
                    }
                }
                Op::And { dst, a, b } => reg!(self, dst) = reg!(self, a) & reg!(self, b),
                Op::Or { dst, a, b } => reg!(self, dst) = reg!(self, a) | reg!(self, b),
                Op::CompareConst { a, relation, value, fail } => {
                    if !holds(relation, reg!(self, a) as u32 as i32, value) {
                        pc = fail as usize;
                    }
                }
                Op::CompareNumbers { a, b, relation, fail } => {
                    let (a, b) = (reg!(self, a) as u32 as i32, reg!(self, b) as u32 as i32);
                    if !holds(relation, a, b) {
                        pc = fail as usize;
                    }
                }
                Op::Compare { a, b, relation, ty, fail } => {
                    if !self.compare(ty, relation, reg!(self, a), reg!(self, b)) {
                        pc = fail as usize;
                    }
                }
                Op::InRange { a, min, max, fail } => {
                    let number = |register: R| reg!(self, register) as u32 as i32;
                    if !(number(min)..=number(max)).contains(&number(a)) {
                        pc = fail as usize;
                    }
                }
                Op::Direction { dst, set, min, max, directions } => {
                    let (min, max) = (reg!(self, min) as u32 as i32, reg!(self, max) as u32 as i32);
                    let set = SquareSet(reg!(self, set));
                    match filters::direction::direction(set, Directions(directions), min, max) {
                        Ok(squares) => reg!(self, dst) = squares.0,
                        Err(error) => return self.stop(at, "direction", error.to_string(), false),
                    }
                }
                Op::Ray { dst, sets, len, directions, attack, first } => {
                    let directions = Directions(directions);
                    reg!(self, dst) = self.ray(sets, len, directions, attack, first);
                }
                Op::Pin { dst, sets, value } => {
                    let set = |index: u16| SquareSet(reg!(self, sets + index));
                    let (from, through, to) = (set(0), set(1), set(2));
                    let found = filters::pin::pin(self.contents(), from, through, to, value);
                    reg!(self, dst) = found.0;
                }
                Op::Subset { a, b, fail } => {
                    if reg!(self, a) & !reg!(self, b) != 0 {
                        pc = fail as usize;
                    }
                }
                Op::Increment { dst } => reg!(self, dst) += 1,
                Op::PieceSquare { dst, var } => {
                    if !self.state.bound[usize::from(var)] {
                        return self.unbound(at, var);
                    }
                    let piece = reg!(self, var) as u8;
                    let square = self.square_of(piece);
                    reg!(self, dst) = square.map_or(0, |square| SquareSet::of(square).0);
                }
                Op::PieceNumber { dst, piece } => reg!(self, dst) = reg!(self, piece),
                Op::Load { dst, var } => {
                    if !self.state.bound[usize::from(var)] {
                        return self.unbound(at, var);
                    }
                    reg!(self, dst) = reg!(self, var);
                }
                Op::Store { var, src } => {
                    reg!(self, var) = reg!(self, src);
                    self.state.bound[usize::from(var)] = true;
                }
                Op::Update { var, src, op, fail } => {
                    if !self.state.bound[usize::from(var)] {
                        return self.unbound(at, var);
                    }
                    match self.update(op, reg!(self, var), reg!(self, src)) {
                        Some(value) => reg!(self, var) = value,
                        None => pc = fail as usize,
                    }
                    self.check_memory(at)?;
                }
                Op::DeferText { var, place } => self.defer_text(var, place),
                Op::Unbind { var } => self.state.bound[usize::from(var)] = false,
                Op::TestBound { var, fail } => {
                    if !self.state.bound[usize::from(var)] {
                        pc = fail as usize;
                    }
                }
                Op::RequireUnbound { var } => {
                    if self.state.bound[usize::from(var)] {
                        let name = &code.vars[usize::from(var)].name;
                        let message = format!("the loop variable {name} is already bound");
                        return self.stop(at, "loop", message, false);
                    }
                }
                Op::RequireBound { var } => {
                    if !self.state.bound[usize::from(var)] {
                        return self.unbound(at, var);
                    }
                }
                Op::BindPiece { var, set, fail } => match self.piece_on(reg!(self, set)) {
                    Some(piece) => {
                        reg!(self, var) = piece;
                        self.state.bound[usize::from(var)] = true;
                    }
                    None => pc = fail as usize,
                },
                Op::Lookup { dst, key, dictionary, fail } => {
                    match self.lookup(dictionary, key) {
                        Some(value) => reg!(self, dst) = value,
                        None => pc = fail as usize,
                    }
                    self.check_memory(at)?;
                }
                Op::StoreKey { key, value, dictionary, op, missing, fail } => {
                    self.charge(at, COSTLY)?;
                    if !self.store_key(at, dictionary, key, value, op, missing)? {
                        pc = fail as usize;
                    }
                }
                Op::Erase { key, dictionary } => self.erase(at, dictionary, key)?,
                Op::Entries { dst, dictionary } => {
                    let entries = self.state.kept.dictionaries[usize::from(dictionary)].len();
                    reg!(self, dst) = entries as u64;
                }
                Op::NextKey { walk, var, dictionary, done } => {
                    self.step(at)?;
                    match self.next_key(at, dictionary, walk)? {
                        Some(key) => {
                            reg!(self, var) = key;
                            self.state.bound[usize::from(var)] = true;
                        }
                        None => pc = done as usize,
                    }
                    self.check_memory(at)?;
                }
                Op::ForSquare { set, current, var, done } => {
                    let left = reg!(self, set);
                    if left == 0 {
                        pc = done as usize;
                    } else {
                        self.step(at)?;
                        reg!(self, set) = left & (left - 1);
                        reg!(self, current) = left & left.wrapping_neg();
                        reg!(self, var) = left & left.wrapping_neg();
                        self.state.bound[usize::from(var)] = true;
                    }
                }
                Op::ForPiece { set, current, var, done } => {
                    let left = reg!(self, set) & self.here.board.occupied().0;
                    if left == 0 {
                        pc = done as usize;
                    } else {
                        self.step(at)?;
                        reg!(self, set) = left & (left - 1);
                        reg!(self, current) = left & left.wrapping_neg();
                        let square = Square::from_index(left.trailing_zeros() as usize);
                        let id = self.piece_ids().id_at(square).unwrap_or(u8::MAX);
                        reg!(self, current + 1) = self.here.stamp;
                        reg!(self, var) = u64::from(id);
                        self.state.bound[usize::from(var)] = true;
                    }
                }
                Op::Enter { position } => {
                    let id = reg!(self, position) as u32;
                    self.enter();
                    self.here = self.at_position(id);
                }
                Op::EnterParent { fail } => match self.parent(self.here.node) {
                    Some(parent) => {
                        self.enter();
                        self.here = self.at(parent);
                    }
                    None => pc = fail as usize,
                },
                Op::Text { dst, first, len } => {
                    let text = self.text_of(first, len);
                    reg!(self, dst) = text;
                    self.check_memory(at)?;
                }
                Op::Imagine { spec, fail } => {
                    if !self.imagine(spec) {
                        pc = fail as usize;
                    }
                }
                Op::Leave => self.leave(),
                Op::Mark { dst } => reg!(self, dst) = self.state.mark(),
                Op::Rollback { mark, text } => {
                    if !self.context.options.always_comment {
                        self.state.roll_back(reg!(self, mark), text);
                    }
                }
                Op::FindStart { state, backward } => self.find_start(state, backward),
                Op::FindNext { state, backward, guard, done } => {
                    if !self.find_next(at, state, backward, guard)? {
                        pc = done as usize;
                    }
                }
                Op::FindFound { dst, quiet } => {
                    let node = self.here.node;
                    reg!(self, dst) = u64::from(node);
                    if self.comments_itself(quiet) {
                        let text = self.state.intern(b"Found");
                        self.comment_at(node, text);
                    }
                    self.leave();
                }
                Op::FindHit { state, quiet } => {
                    reg!(self, state + 2) += 1;
                    if self.comments_itself(quiet) {
                        let place = self.state.log.len();
                        if !push(&mut self.state.hits, place) {
                            self.state.overflow();
                        }
                        self.comment_at(self.here.node, 0);
                    }
                }
                Op::FindEnd { state } => self.number_hits(reg!(self, state + 3) as usize),
                other => {
                    if let Some(to) = self.sequence(at, other)? {
                        pc = to as usize;
                    }
                }
            }
        }
    }

    #[cold]
    fn unbound(&mut self, pc: usize, var: R) -> Result<bool, Stop> {
        let name = &self.program.code.vars[usize::from(var)].name;
        let message = format!("the variable {name} is unbound");
        self.stop(pc, "variable", message, false)
    }

    fn update(&mut self, op: Update, old: u64, operand: u64) -> Option<u64> {
        match op {
            Update::Number(op) => numbers::arithmetic(op, old as u32 as i32, operand as u32 as i32)
                .map(|value| u64::from(value as u32)),
            Update::Append => Some(self.concat(old, operand)),
            Update::Union => Some(old | operand),
            Update::Intersection => Some(old & operand),
        }
    }
}
