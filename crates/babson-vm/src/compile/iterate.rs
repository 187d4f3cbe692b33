//! Loops and `find`.

use babson_lang::hir::{Bound, DictId, Expr, FindFilter, FindMode, NumberRange, VarId};

use super::builder::{Builder, PieceLoop};
use crate::op::{FindSpec, Id, Label, Op, Register};
use crate::prefilter::Prefilter;

/// A loop over the squares of a set, or the pieces on them.
#[derive(Clone, Copy)]
pub(super) struct Iteration<'e> {
    pub(super) var: VarId,
    pub(super) set: &'e Expr,
    pub(super) body: &'e Expr,
    pub(super) pieces: bool,
}

impl Builder {
    /// `while (c) f`
    pub(super) fn while_loop(&mut self, condition: &Expr, body: &Expr) {
        let (again, done) = (self.label(), self.label());
        self.bind(again);
        self.emit(Op::Step {});
        self.test_with_dialect_rollback(condition, done);
        self.test_with_dialect_rollback(body, again);
        self.jump(again);
        self.bind(done);
    }

    /// `loop f`: until f fails, once at least.
    pub(super) fn loop_filter(&mut self, body: &Expr, fail: Label) {
        let again = self.label();
        let matched = self.constant(0);
        self.bind(again);
        self.emit(Op::Step {});
        let ended = self.label();
        self.test_with_dialect_rollback(body, ended);
        self.emit(Op::Const { dst: matched, value: 1 });
        self.jump(again);
        self.bind(ended);
        self.emit(Op::TestSet { set: matched, fail });
    }

    /// The loop over the keys of a dictionary.
    pub(super) fn for_keys(&mut self, var: VarId, dictionary: DictId, body: &Expr) {
        let (again, done) = (self.label(), self.label());
        let var = self.var(var);
        let walk = self.constant(0);
        self.emit(Op::RequireUnbound { var });
        self.bind(again);
        self.emit(Op::NextKey { walk, var, dictionary: Id::new(dictionary.0 as usize), done });
        self.test_with_dialect_rollback(body, again);
        self.jump(again);
        self.bind(done);
        self.emit(Op::Unbind { var });
    }

    /// `square x in S f`, `piece x in S f`: the squares for which f matched.
    pub(super) fn for_each(&mut self, each: Iteration<'_>, dst: Register) {
        let Iteration { var, set, body, pieces } = each;
        let var = self.var(var);
        // The register after `current` is for the stamp of the board.
        let state = self.temps(4);
        let (left, current, sum) = (state, state + 1, state + 3);
        let (again, done) = (self.label(), self.label());
        self.set(set, left);
        self.emit(Op::RequireUnbound { var });
        self.emit(Op::Const { dst: sum, value: 0 });
        let known = self.require_for_body(body, done);
        let before = self.hold_for_body(each.var, body, Some(done));
        self.bind(again);
        self.next_square(pieces, left, current, var, done);
        self.in_loop(pieces, var, current, |this| this.test_with_rollback(body, again));
        self.forget_held(before);
        self.forget_known(known);
        self.emit(Op::Or { dst: sum, a: sum, b: current });
        self.jump(again);
        self.bind(done);
        self.emit(Op::Unbind { var });
        self.emit(Op::Copy { dst, src: sum });
    }

    /// The same with `all`.
    pub(super) fn for_all(&mut self, each: Iteration<'_>, comments: bool, fail: Label) {
        let Iteration { var, set, body, pieces } = each;
        let var = self.var(var);
        self.with_rollback(comments, fail, |this, fail| {
            // The last is for the stamp of the board.
            let state = this.temps(3);
            let (again, done, failed) = (this.label(), this.label(), this.label());
            this.set(set, state);
            this.emit(Op::RequireUnbound { var });
            let before = this.hold_for_body(each.var, body, None);
            this.bind(again);
            this.next_square(pieces, state, state + 1, var, done);
            this.in_loop(pieces, var, state + 1, |this| this.test(body, failed));
            this.forget_held(before);
            this.jump(again);
            this.bind(failed);
            this.emit(Op::Unbind { var });
            this.jump(fail);
            this.bind(done);
            this.emit(Op::Unbind { var });
        });
    }

    /// Runs `f` for the body of a loop over squares, or pieces.
    fn in_loop(
        &mut self,
        pieces: bool,
        var: Register,
        current: Register,
        f: impl FnOnce(&mut Self),
    ) {
        let around = self.piece_loops.len();
        if pieces {
            self.piece_loops.push(PieceLoop { var, current });
        }
        f(self);
        self.piece_loops.truncate(around);
    }

    fn next_square(
        &mut self,
        pieces: bool,
        set: Register,
        current: Register,
        var: Register,
        done: Label,
    ) {
        self.emit(if pieces {
            Op::ForPiece { set, current, var, done }
        } else {
            Op::ForSquare { set, current, var, done }
        });
    }

    pub(super) fn find(&mut self, find: &FindFilter, dst: Register, fail: Label) {
        let quiet = find.quiet;
        let backward = find.backward;
        let comments = !quiet || self.effects(&find.body).comments;
        self.with_dialect_rollback(comments, fail, |this, fail| {
            // next id, end, count, number of hits of outer searches
            let state = this.temps(4);
            let (again, done, none) = (this.label(), this.label(), this.label());
            this.emit(Op::Const { dst: state + 2, value: 0 });
            let known = this.require_for_body(&find.body, none);
            if quiet && find.mode != FindMode::First && this.is_known(&find.body) {
                let count = state + 2;
                this.emit(Op::CountNodes { dst: count, backward });
                this.forget_known(known);
                this.bind(none);
                this.in_range(count, Self::find_range(find.mode), fail);
                return this.emit(Op::Copy { dst, src: count });
            }
            if this.find_once(find, dst, (known, none), fail) {
                return;
            }
            this.emit(Op::FindStart { state, backward });
            this.bind(again);
            let prefilter = this.prefilter(&find.body);
            this.emit(Op::FindNext { state, backward, prefilter, done });
            let is_decided = prefilter.is_some() && Prefilter::decides(&find.body, &this.analysis);
            if !is_decided || this.is_profiled() {
                this.elsewhere(|this| this.test_with_dialect_rollback(&find.body, again));
            }
            this.forget_known(known);
            if find.mode == FindMode::First {
                let found = this.label();
                this.emit(Op::FindFound { dst, quiet });
                this.jump(found);
                this.bind(done);
                this.bind(none);
                this.jump(fail);
                this.bind(found);
            } else {
                let range = Self::find_range(find.mode);
                this.emit(Op::FindHit { state, quiet });
                if let Bound::Const(most) = range.max
                    && most < i32::MAX
                    && this.effects(&find.body).is_pure()
                    && !this.is_profiled()
                {
                    // One position more than the range allows decides.
                    let over = this.label();
                    this.emit(Op::FindLimit { state, most, over });
                    this.jump(again);
                    this.bind(over);
                    this.emit(Op::Leave {});
                    if !quiet {
                        this.emit(Op::FindEnd { state, unnumbered: true });
                    }
                    this.jump(fail);
                } else {
                    this.jump(again);
                }
                this.bind(done);
                if !quiet && !this.dialect.failed_comments_vanish {
                    // The comments of the filter stay, but it finds nothing to number.
                    let (outside, inside) = (this.label(), this.label());
                    this.in_range(state + 2, range, outside);
                    this.jump(inside);
                    this.bind(outside);
                    this.emit(Op::FindEnd { state, unnumbered: true });
                    this.jump(fail);
                    this.bind(inside);
                }
                if !quiet {
                    this.emit(Op::FindEnd { state, unnumbered: false });
                }
                this.bind(none);
                this.in_range(state + 2, range, fail);
                this.emit(Op::Copy { dst, src: state + 2 });
            }
        });
    }

    /// Emits the instruction of a `find` whose filter depends on the node only. `known` is the
    /// number of matches that were known before, and the code goes to `none` where nothing can be
    /// found. Returns `false` if the filter depends on more, or if the search begins once a game.
    fn find_once(
        &mut self,
        find: &FindFilter,
        dst: Register,
        (known, none): (usize, Label),
        fail: Label,
    ) -> bool {
        let range = match (find.mode, Self::find_range(find.mode)) {
            (FindMode::First, _) => None,
            (_, NumberRange { min: Bound::Const(min), max: Bound::Const(max) }) => Some((min, max)),
            (FindMode::All | FindMode::Range(_), _) => return false,
        };
        if !self.outcomes_last([&find.body]) {
            return false;
        }
        let prefilter = self.prefilter(&find.body);
        let over = self.label();
        self.jump(over);
        let entry = self.elsewhere(|this| {
            this.block("filter of a find", |this, failed| this.test(&find.body, failed))
        });
        self.bind(over);
        self.forget_known(known);
        let (quiet, backward) = (find.quiet, find.backward);
        let spec = self.finds.push(FindSpec { entry, prefilter, backward, quiet, range });
        self.emit(Op::FindOnce { spec, dst, fail });
        let done = self.label();
        self.jump(done);
        self.bind(none);
        if range.is_some_and(|(min, max)| (min..=max).contains(&0)) {
            self.emit(Op::Const { dst, value: 0 });
        } else {
            self.jump(fail);
        }
        self.bind(done);
        true
    }
}
