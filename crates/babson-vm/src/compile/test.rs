//! Compiles filters as tests.

use babson_lang::hir::{
    BinaryFilter, Bound, ComparisonOperator, Condition, Content, Designator, Effects, Errors, Expr,
    ExprKind, FindMode, MoveResult, NumberRange, OrbitResult, Property, Type, UnaryFilter,
};

use super::builder::Builder;
use super::dash::DashResult;
use super::iterate::Iteration;
use super::printed::{PrintedForm, may_lack_value};
use crate::analysis::{Pattern, conjuncts};
use crate::need::Trace;
use crate::op::{ContentBit, Label, Op, Register, SquareMask};
use crate::optimize;
use crate::prefilter::Prefilter;

impl Builder {
    /// Compiles all filters of a list, in order. Adjacent pure filters may be reordered.
    pub(super) fn conjunction(&mut self, list: &[Expr], fail: Label) {
        self.conjunction_then(list, None, fail);
    }

    /// Like [`Builder::conjunction`] for the filters of a query, but leaves out the filters that
    /// its prefilter decides.
    pub(super) fn query(&mut self, list: &[Expr], fail: Label) {
        let mut flat = Vec::new();
        conjuncts(list, &mut flat);
        if self.uses_conditions() {
            let analysis = &self.analysis;
            // The prefilter has the filters up to the first one that leaves something.
            let is_silent = |expr: &&&Expr| Trace::of(expr, analysis) == Trace::Nothing;
            let tested = flat.iter().take_while(is_silent).count();
            let (first, rest) = flat.split_at(tested);
            let left = first.iter().filter(|expr| !Prefilter::decides(expr, analysis));
            flat = left.chain(rest).copied().collect();
        }
        self.filters_then(flat, None, fail);
    }

    /// Like [`Builder::conjunction`], but keeps the value of the last filter, so that filter is not
    /// moved. Returns the register of the value and its type; the register of a `Bool` is unused.
    pub(super) fn conjunction_with_value(
        &mut self,
        list: &[Expr],
        fail: Label,
    ) -> (Register, Type) {
        let dst = self.temp();
        let last = list.split_last().map(|(last, rest)| (last, rest, PrintedForm::of(last)));
        match last {
            Some((last, rest, form)) if form.ty() != Type::Bool && !may_lack_value(last) => {
                self.conjunction_then(rest, Some((last, form, dst)), fail);
                (dst, form.ty())
            }
            Some(_) | None => {
                self.conjunction(list, fail);
                (dst, Type::Bool)
            }
        }
    }

    /// The filters of a list, then a filter with its value.
    fn conjunction_then(
        &mut self,
        list: &[Expr],
        last: Option<(&Expr, PrintedForm, Register)>,
        fail: Label,
    ) {
        let mut flat = Vec::new();
        conjuncts(list, &mut flat);
        self.filters_then(flat, last, fail);
    }

    fn filters_then(
        &mut self,
        mut flat: Vec<&Expr>,
        last: Option<(&Expr, PrintedForm, Register)>,
        fail: Label,
    ) {
        if !self.is_traced() && optimize::reorder(&mut flat, &self.analysis) {
            let span = flat.first().map_or(0, |first| first.span.start);
            self.notes.push(format!("conjunction at byte {span} sorted by cost"));
        }
        let mut all = Effects::default();
        for expr in flat.iter().copied().chain(last.map(|(last, ..)| last)) {
            let effects = self.effects(expr);
            all.comments |= effects.comments;
            all.keeps_text |= effects.keeps_text;
        }
        self.with_rollback(all, fail, |this, fail| {
            for expr in flat {
                this.test(expr, fail);
            }
            if let Some((last, form, dst)) = last {
                this.printed_value(last, form, dst, fail);
            }
        });
    }

    /// Falls through if the filter matches, else jumps to `fail`.
    pub(super) fn test(&mut self, expr: &Expr, fail: Label) {
        if self.is_held_match(expr) {
            return;
        }
        if expr.ty == Type::Set
            && let Some(set) = self.held_value(expr)
        {
            return self.emit(Op::TestSet { set, fail });
        }
        self.scope(expr, |this| {
            if this.is_traced()
                && expr.ty != Type::Bool
                && !may_lack_value(expr)
                && !this.may_differ_from_value(expr)
            {
                let dst = this.temp();
                this.value(expr, dst, fail);
                if expr.ty == Type::Set {
                    this.emit(Op::TestSet { set: dst, fail });
                }
            } else if !this.once(expr, None, fail) {
                this.test_kind(expr, fail);
            }
        });
    }

    fn test_kind(&mut self, expr: &Expr, fail: Label) {
        let effects = self.effects(expr);
        let comments = effects.comments;
        match &expr.kind {
            ExprKind::Bool(true) | ExprKind::Number(_) | ExprKind::Text(_) => {}
            ExprKind::Bool(false) => self.jump(fail),
            ExprKind::NoTransform(inner) => self.test(inner, fail),
            ExprKind::Sequence(list) => match self.only_filter(list) {
                Some(only) => self.test(only, fail),
                None => self.conjunction(list, fail),
            },
            ExprKind::And(..) => self.conjunction(std::slice::from_ref(expr), fail),
            ExprKind::Or(a, b) => self.with_rollback(comments, fail, |this, fail| {
                let (second, done) = (this.label(), this.label());
                this.test_with_dialect_rollback(a, second);
                this.jump(done);
                this.bind(second);
                this.test(b, fail);
                this.bind(done);
            }),
            ExprKind::Not(inner) => self.without_comments(effects, fail, |this, fail| {
                let failed = this.label();
                this.test(inner, failed);
                this.jump(fail);
                this.bind(failed);
            }),
            ExprKind::If { condition, then, otherwise } => {
                let (other, done) = (self.label(), self.label());
                self.test_with_dialect_rollback(condition, other);
                self.test(then, fail);
                self.jump(done);
                self.bind(other);
                if let Some(otherwise) = otherwise {
                    self.test(otherwise, fail);
                }
                self.bind(done);
            }
            ExprKind::With { position, body } => {
                self.enter(position, fail);
                self.entered(fail, |this, fail| this.test_with_dialect_rollback(body, fail));
            }
            ExprKind::Condition(which) => self.condition(*which, fail),
            // An award may match without a value.
            ExprKind::Property(Property::Award(award)) => {
                self.condition(Condition::HasAward(*award), fail);
            }
            ExprKind::GameLists(lists) => self.game_lists(lists, fail),
            ExprKind::PositionSequence(steps) => self.steps(steps, fail),
            ExprKind::Pairs(pairs) => self.pairs(pairs, fail),
            ExprKind::Recurrence(found) => self.recurrence(found, fail),
            ExprKind::Designator(designator) => {
                let squares = SquareMask(designator.squares);
                let content = Content(designator.content.0 & Content::ANY.0);
                self.emit(match ContentBit::of(content) {
                    Some(piece) => Op::TestPiece { squares, piece, fail },
                    None => Op::TestDesignator { squares, content, fail },
                });
            }
            ExprKind::Compare(ComparisonOperator::NotEqual, a, b) => {
                // `not` of an `==`, so nothing that the operands write remains.
                self.without_comments(effects, fail, |this, fail| {
                    this.test_different(a, b, fail);
                })
            }
            ExprKind::Compare(relation, a, b) => {
                self.with_rollback(comments, fail, |this, fail| {
                    this.compare(*relation, a, b, fail);
                })
            }
            ExprKind::Equal(a, b) => self.with_rollback(comments, fail, |this, fail| {
                this.test_equal(a, b, fail);
            }),
            ExprKind::Binary(BinaryFilter::Attacks, a, b) => {
                self.with_dialect_rollback(comments, fail, |this, fail| {
                    this.test_attacks(a, b, fail)
                });
            }
            ExprKind::Binary(BinaryFilter::Subset, a, b) => {
                self.with_rollback(comments, fail, |this, fail| {
                    let [a, b] = [a, b].map(|operand| this.operand(operand, fail));
                    this.emit(Op::Subset { a, b, fail });
                });
            }
            ExprKind::Binary(BinaryFilter::Substring, a, b) => {
                self.with_rollback(comments, fail, |this, fail| {
                    let a = this.pair(a, b, fail);
                    this.emit(Op::InText { a, b: a + 1, fail });
                });
            }
            ExprKind::Binary(op, a, b) if expr.ty == Type::Bool => {
                self.with_dialect_rollback(comments, fail, |this, fail| {
                    let a = this.pair(a, b, fail);
                    this.emit(Op::Binary { dst: a, a, b: a + 1, op: *op, fail });
                });
            }
            ExprKind::While { condition, body } => self.while_loop(condition, body),
            ExprKind::Loop(body) => self.loop_filter(body, fail),
            ExprKind::ForKeys { var, dictionary, body } => self.for_keys(*var, *dictionary, body),
            ExprKind::ForMatches { subject, pattern, body } => {
                self.for_matches([&**subject, &**pattern, &**body], fail)
            }
            ExprKind::ForSquares { var, set, body, all: true } => {
                let each = Iteration { var: *var, set, body, pieces: false };
                self.for_all(each, comments, fail);
            }
            ExprKind::ForPieces { var, set, body, all: true } => {
                let each = Iteration { var: *var, set, body, pieces: true };
                self.for_all(each, comments, fail);
            }
            ExprKind::Orbit { elements, result: OrbitResult::Any, .. } => self.any(elements, fail),
            ExprKind::Orbit { elements, result: OrbitResult::Union | OrbitResult::Max, .. }
                if elements.iter().all(|element| self.effects(element).is_pure()) =>
            {
                self.any(elements, fail);
            }
            ExprKind::Move(spec) if spec.result == MoveResult::Bool => {
                self.move_filter(spec, None, fail);
            }
            ExprKind::SpeculativeMove(filter) if expr.ty == Type::Bool => {
                self.speculation(filter, None, fail);
            }
            ExprKind::Imagine { changes, body } => self.imagine_test(changes, body, fail),
            ExprKind::Dash(filter) if expr.ty == Type::Bool || !self.dialect.dash_values_match => {
                self.dash(filter, DashResult::Match, fail);
            }
            ExprKind::Find(find) => {
                let dst = self.temp();
                self.find(find, dst, fail);
            }
            ExprKind::Echo(echo) => {
                let dst = self.temp();
                self.echo(echo, expr.ty, dst, fail);
            }
            ExprKind::FenPattern(pattern) => {
                let first = self.designators.next_id();
                let parts = Designator::merged(&pattern.designators);
                self.designators.extend_from_slice(&parts);
                let len = parts.len() as u16;
                self.emit(Op::TestFen { first, len, fail });
            }
            ExprKind::SimilarPosition => {
                self.emit(Op::Similar { fail });
            }
            ExprKind::HasNag(nag) => {
                self.emit(Op::HasNag { nag: *nag, fail });
            }
            ExprKind::IsBound(var) => {
                let (var, fail) = (self.var(*var), fail);
                self.emit(Op::TestBound { var, fail });
            }
            ExprKind::State(filter) => self.change_state(filter, fail),
            ExprKind::Output(filter) => self.output(filter, fail),
            ExprKind::Assert(inner) => {
                let (failed, done) = (self.label(), self.label());
                if let ExprKind::Var(var) = inner.kind {
                    let (var, fail) = (self.var(var), failed);
                    self.emit(Op::TestBound { var, fail });
                }
                self.test(inner, failed);
                self.jump(done);
                self.bind(failed);
                self.emit(Op::AssertFailed {});
                self.bind(done);
            }
            ExprKind::Var(var) => {
                let (var, dst) = (self.var(*var), self.temp());
                self.emit(Op::Load { dst, var });
                if expr.ty == Type::Set {
                    self.emit(Op::TestSet { set: dst, fail });
                }
            }
            ExprKind::Unary(UnaryFilter::Count, inner) => {
                // A number always matches, but its operand may have effects.
                let dst = self.temp();
                self.set(inner, dst);
            }
            ExprKind::Property(_)
            | ExprKind::Likeness
            | ExprKind::Squares(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Set(_)
            | ExprKind::ForSquares { all: false, .. }
            | ExprKind::ForPieces { all: false, .. }
            | ExprKind::Lookup { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Match { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::Orbit { .. }
            | ExprKind::CurrentTransform(_)
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Dash(_)
            | ExprKind::Line(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Path(_)
            | ExprKind::Sort { .. }
            | ExprKind::Str(_)
            | ExprKind::CommandPipe { .. } => {
                let dst = self.temp();
                if expr.ty == Type::Bool || expr.ty == Type::Set && !self.is_traced() {
                    // A look-up of unknown type only tests whether the key is there. A filter that
                    // has no value need not make the empty set first.
                    self.value_kind(expr, dst, fail);
                } else {
                    self.value(expr, dst, fail);
                }
                if expr.ty == Type::Set {
                    self.emit(Op::TestSet { set: dst, fail });
                }
            }
        }
    }

    fn condition(&mut self, which: Condition, fail: Label) {
        self.emit(if which == Condition::Check {
            Op::Check { fail }
        } else if which == Condition::Mate {
            Op::Mate { fail }
        } else if which == Condition::Initial {
            Op::Initial { fail }
        } else {
            Op::Test { which, fail }
        });
    }

    /// A test whose comments are rolled back when it fails.
    pub(super) fn test_with_rollback(&mut self, expr: &Expr, fail: Label) {
        let effects = self.effects(expr);
        self.with_rollback(effects, fail, |this, fail| this.test(expr, fail));
    }

    /// The same, but in a dialect in which failed filters keep their comments, they stay.
    pub(super) fn test_with_dialect_rollback(&mut self, expr: &Expr, fail: Label) {
        let effects = self.effects(expr);
        self.with_dialect_rollback(effects, fail, |this, fail| this.test(expr, fail));
    }

    /// `==`, `<`, …: the left value stays in the returned register.
    pub(super) fn compare(
        &mut self,
        relation: ComparisonOperator,
        a: &Expr,
        b: &Expr,
        fail: Label,
    ) -> Register {
        let left = if self.effects(b).state {
            let left = self.temp();
            self.value(a, left, fail);
            left
        } else {
            self.operand(a, fail)
        };
        if let (Type::Number, ExprKind::Number(value)) = (a.ty, &b.kind) {
            self.emit(Op::CompareConst { a: left, relation, value: *value, fail });
            return left;
        }
        let right = self.operand(b, fail);
        self.emit(match a.ty {
            Type::Number => Op::CompareNumbers { a: left, b: right, relation, fail },
            Type::Bool | Type::Set | Type::String | Type::Position | Type::Piece => {
                Op::Compare { a: left, b: right, relation, ty: a.ty, fail }
            }
        });
        left
    }

    /// Returns the register that already holds the value of the filter, if the filter is a loop
    /// variable or the identity of its piece.
    pub(super) fn loop_register(&self, expr: &Expr) -> Option<Register> {
        let value = if let ExprKind::Unary(UnaryFilter::PieceId, piece) = &expr.kind
            && piece.ty == Type::Piece
        {
            piece
        } else {
            expr
        };
        if let ExprKind::Var(var) = value.kind
            && !self.is_profiled()
            && self.effects(value).errors == Errors::None
        {
            Some(self.var(var))
        } else {
            None
        }
    }

    /// `A attacks k`
    fn test_attacks(&mut self, a: &Expr, b: &Expr, fail: Label) {
        if let (ExprKind::Designator(a), ExprKind::Designator(b)) = (&a.kind, &b.kind)
            && !self.is_profiled()
        {
            let [a, b] = [a, b].map(|operand| {
                self.designators.find_or_push(|known| known == operand, || *operand)
            });
            return self.emit(Op::TestDesignatorAttacks { a, b, fail });
        }
        let [a, b] = [a, b].map(|operand| self.operand(operand, fail));
        self.emit(Op::TestAttacks { a, b, fail });
    }

    /// `!=`: a missing value counts as unequal.
    fn test_different(&mut self, a: &Expr, b: &Expr, fail: Label) {
        let differ = self.label();
        let first = self.pair(a, b, differ);
        let to = fail;
        let relation = ComparisonOperator::NotEqual;
        self.emit(Op::Compare { a: first, b: first + 1, relation, ty: a.ty, fail: to });
        self.bind(differ);
    }

    fn test_equal(&mut self, a: &Expr, b: &Expr, fail: Label) {
        let valued = |expr: &Expr| !matches!(expr.ty, Type::Bool);
        // Registers: whether each has a value, and the values.
        let state = self.temps(4);
        for (index, expr) in [a, b].into_iter().enumerate() {
            let (missing, done) = (self.label(), self.label());
            let index = index as u16;
            if valued(expr) {
                self.value(expr, state + 2 + index, missing);
            } else {
                self.test_with_rollback(expr, missing);
            }
            self.emit(Op::Const { dst: state + index, value: 1 });
            self.jump(done);
            self.bind(missing);
            self.emit(Op::Const { dst: state + index, value: 0 });
            self.bind(done);
        }
        let to = fail;
        let relation = ComparisonOperator::Equal;
        self.emit(Op::Compare { a: state, b: state + 1, relation, ty: Type::Number, fail: to });
        let done = self.label();
        let finished = done;
        // Two missing values are equal. A set always has a value, so it never equals a missing one.
        self.emit(Op::TestSet { set: state, fail: finished });
        if valued(a) && valued(b) {
            if a.ty == b.ty {
                self.emit(Op::Compare { a: state + 2, b: state + 3, relation, ty: a.ty, fail: to });
            } else {
                self.jump(fail);
            }
        } else if valued(a) != valued(b) {
            self.jump(fail);
        }
        self.bind(done);
    }

    /// One element matches. Without effects the first match decides.
    fn any(&mut self, elements: &[Expr], fail: Label) {
        let effects: Vec<_> = elements.iter().map(|element| self.effects(element)).collect();
        if let Some(pattern) =
            Pattern::of(elements).filter(|pattern| pattern.is_quick() && !self.is_traced())
        {
            self.notes.push(format!(
                "bitboard pattern: {} images in {} tests",
                elements.len(),
                pattern.shifted.len() + pattern.single.len()
            ));
            let pattern = self.patterns.push(pattern);
            return self.emit(Op::TestPattern { pattern, fail });
        }
        if effects.iter().all(|effects| effects.is_pure()) {
            let done = self.label();
            self.each_image(elements, |this, element, next| {
                this.test(element, next);
                this.jump(done);
            });
            self.jump(fail);
            return self.bind(done);
        }
        let matched = self.constant(0);
        self.each_image(elements, |this, element, next| {
            this.test_with_rollback(element, next);
            this.emit(Op::Const { dst: matched, value: 1 });
        });
        self.emit(Op::TestSet { set: matched, fail });
    }

    /// Falls through if the number is in the range.
    pub(super) fn in_range(&mut self, a: Register, range: NumberRange, fail: Label) {
        if let NumberRange { min: Bound::Const(min), max: Bound::Const(max) } = range {
            if min == max {
                let relation = ComparisonOperator::Equal;
                return self.emit(Op::CompareConst { a, relation, value: min, fail });
            }
            if max == i32::MAX {
                let relation = ComparisonOperator::GreaterEqual;
                return self.emit(Op::CompareConst { a, relation, value: min, fail });
            }
        }
        let (min, max) = (self.bound(range.min), self.bound(range.max));
        self.emit(Op::InRange { a, min, max, fail });
    }

    /// The range that a `find` counts in.
    pub(super) fn find_range(mode: FindMode) -> NumberRange {
        match mode {
            FindMode::Range(range) => range,
            FindMode::First | FindMode::All => {
                NumberRange { min: Bound::Const(1), max: Bound::Const(i32::MAX) }
            }
        }
    }
}
