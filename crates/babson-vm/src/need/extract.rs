//! The rules: what each kind of filter needs.
//!
//! Where the conditions of a filter fail, the filter neither matches nor leaves a trace. So a
//! conjunction has the conditions of its filters in order, up to and including the first filter
//! that leaves a trace. If that trace is only comments, the conditions of later filters still hold
//! for the game as a whole. The rules hold for filters that look at the own boards of the game. So
//! they enter neither `imagine` nor speculative moves nor filters on other positions.

use babson_lang::hir::{
    BinaryFilter, Bound, ComparisonOperator, Condition, Constancy, Expr, ExprKind, FindFilter,
    FindMode, MoveFilter, MoveResult, MoveSource, NumberRange, OrbitResult, SetFilter, Shape,
    StateFilter, Type, UnaryFilter,
};

use super::trace::Trace;
use super::{Elsewhere, MoveKind, MoveNeed, Need, PositionRange, is_exact};
use crate::analysis::{Analysis, Pattern, conjuncts, least_passing};
use crate::limits::MIN_PREFILTER_MOVES;

/// The rules, for the filters of one query.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) analysis: &'a Analysis,
}

impl<'e> Need<'e> {
    /// What a conjunction of filters needs.
    pub(crate) fn of(list: impl IntoIterator<Item = &'e Expr>, analysis: &Analysis) -> Need<'e> {
        Rules { analysis }.conjunction(list)
    }
}

/// Needs in the order of evaluation, each as far as the filters before it allow.
pub(super) struct InOrder<'e> {
    needs: Vec<Need<'e>>,
    trace: Trace,
}

impl<'e> InOrder<'e> {
    pub(super) fn new() -> InOrder<'e> {
        InOrder { needs: Vec::new(), trace: Trace::Nothing }
    }

    /// Adds the need of a filter that leaves this trace.
    pub(super) fn push(&mut self, need: Need<'e>, trace: Trace) {
        match self.trace {
            Trace::Nothing => self.needs.push(need),
            Trace::Comments => self.needs.push(need.in_game()),
            Trace::Visible => {}
        }
        self.trace = self.trace.max(trace);
    }

    pub(super) fn finish(self) -> Need<'e> {
        Need::all(self.needs)
    }

    pub(super) fn is_over(&self) -> bool {
        self.trace == Trace::Visible
    }
}

impl Rules<'_> {
    pub(super) fn trace(self, expr: &Expr) -> Trace {
        Trace::of(expr, self.analysis)
    }

    pub(super) fn traces<'e>(self, list: impl IntoIterator<Item = &'e Expr>) -> Trace {
        Trace::of_all(list, self.analysis)
    }

    /// The needs of the filters of a conjunction.
    pub(super) fn conjunction<'e>(self, list: impl IntoIterator<Item = &'e Expr>) -> Need<'e> {
        let mut filters = Vec::new();
        conjuncts(list, &mut filters);
        let mut needs = InOrder::new();
        for filter in filters {
            needs.push(self.need(filter), self.trace(filter));
            if needs.is_over() {
                break;
            }
        }
        needs.finish()
    }

    /// What a filter needs, as far as the filters that are evaluated before leave this trace.
    pub(super) fn after<'e>(self, trace: Trace, need: impl FnOnce() -> Need<'e>) -> Need<'e> {
        match trace {
            Trace::Nothing => need(),
            Trace::Comments => need().in_game(),
            Trace::Visible => Need::Unknown,
        }
    }

    /// What a filter needs.
    fn need<'e>(self, expr: &'e Expr) -> Need<'e> {
        let need = self.need_of_shape(expr);
        let is_about_tags = self.analysis.effects(expr).constancy >= Constancy::Game
            && self.trace(expr) == Trace::Nothing;
        if is_about_tags { Need::Tags(expr, Box::new(need)) } else { need }
    }

    fn need_of_shape<'e>(self, expr: &'e Expr) -> Need<'e> {
        match Shape::of(expr) {
            Shape::Conjunction => self.conjunction([expr]),
            Shape::Or(a, b) => self.any([a, b]),
            Shape::AnyOf(elements, result) => match result {
                OrbitResult::Any | OrbitResult::Union | OrbitResult::Max
                    if result == OrbitResult::Any || expr.ty != Type::Bool =>
                {
                    self.orbit(elements)
                }
                OrbitResult::Any
                | OrbitResult::Union
                | OrbitResult::Max
                | OrbitResult::Count(_) => Need::Unknown,
            },
            Shape::Move(filter) => self.move_filter(filter),
            Shape::Dash(filter) => self.dash_filter(filter),
            Shape::Line(line) => self.line(line),
            Shape::Path(path) => self.path(path),
            Shape::Find(find) => self.find(find),
            // Its own error comes before its body.
            Shape::Echo(_) if !self.analysis.finds_unbound(expr) => Need::Unknown,
            Shape::Echo(echo) => self.elsewhere(PositionRange::All, 1, &echo.body),
            Shape::Steps(steps) => self.steps(steps),
            // A position without a value has no sort key.
            Shape::Sort(value) if value.ty != Type::Set => self.need(value).and_more(),
            Shape::Compare(relation, a, b) => {
                let values = self.valued(relation, a, b);
                let compared = self.after(self.trace(expr), || self.comparison(relation, a, b));
                Need::all([values, compared])
            }
            Shape::ForEach(set) => self.for_each(expr, set),
            Shape::Condition(which) => Need::Condition(which),
            Shape::Not(inner) => self.after(self.trace(expr), || self.absent(inner)),
            Shape::Fen(parts) => Need::Covers(parts),
            Shape::Pairs(pairs) if pairs.range.0 >= 1 => {
                self.after(self.trace(expr), || self.each(&pairs.sets).and_more())
            }
            Shape::Other => self.other(expr),
            Shape::Pairs(_) | Shape::Sort(_) => Need::Unknown,
        }
    }

    fn find<'e>(self, find: &'e FindFilter) -> Need<'e> {
        let range = if find.backward { PositionRange::Earlier } else { PositionRange::Later };
        self.elsewhere(range, least_number(find.mode), &find.body)
    }

    fn elsewhere<'e>(self, range: PositionRange, least: u32, body: &'e Expr) -> Need<'e> {
        if least == 0 {
            return Need::Unknown;
        }
        // A position where the body fails may leave something.
        let least = if self.trace(body) == Trace::Visible { 1 } else { least };
        Need::Elsewhere(Elsewhere { range, least, body: Box::new(self.conjunction([body])) })
    }

    fn other<'e>(self, expr: &'e Expr) -> Need<'e> {
        if let ExprKind::Bool(false) = expr.kind {
            return Need::Never;
        }
        if let ExprKind::HasNag(_) = expr.kind {
            return Need::Glyph;
        }
        if let ExprKind::State(StateFilter::Assign { value, if_any: false, .. }) = &expr.kind
            && value.ty != Type::Set
            && may_lack_value(value)
        {
            return self.need(value).and_more();
        }
        if expr.ty != Type::Set {
            return Need::Unknown;
        }
        self.after(self.trace(expr), || self.some(expr))
    }

    /// One of the filters matches.
    fn any<'e>(self, list: impl IntoIterator<Item = &'e Expr>) -> Need<'e> {
        Need::Any(list.into_iter().map(|each| self.conjunction([each])).collect())
    }

    /// One of the images of a transform matches.
    fn orbit<'e>(self, elements: &'e [Expr]) -> Need<'e> {
        match Pattern::of(elements) {
            Some(pattern) => Need::Pattern(elements, Box::new(pattern)),
            None => self.any(elements),
        }
    }

    fn absent<'e>(self, inner: &'e Expr) -> Need<'e> {
        if let ExprKind::Condition(Condition::Check) = inner.kind {
            return Need::NotCheck;
        }
        if let ExprKind::Condition(Condition::SideToMove(side)) = inner.kind {
            return Need::Condition(Condition::SideToMove(!side));
        }
        if inner.ty != Type::Set {
            return Need::Unknown;
        }
        Need::Count { set: inner, relation: ComparisonOperator::Equal, value: 0 }
    }

    /// `square x in S f`, `piece x in S f`: the set is not empty and the body matches, at the same
    /// position.
    fn for_each<'e>(self, expr: &'e Expr, set: &'e Expr) -> Need<'e> {
        let (ExprKind::ForSquares { body, .. } | ExprKind::ForPieces { body, .. }) = &expr.kind
        else {
            return Need::Unknown;
        };
        if !self.analysis.finds_unbound(expr) {
            return Need::Unknown;
        }
        self.after(self.trace(set), || {
            Need::all([self.some(set), self.conjunction([&**body])]).and_more()
        })
    }

    /// Both operands of a comparison have a value.
    fn valued<'e>(self, relation: ComparisonOperator, a: &'e Expr, b: &'e Expr) -> Need<'e> {
        let mut needs = InOrder::new();
        // For `!=` a missing value is unequal. A set always has a value.
        if relation == ComparisonOperator::NotEqual || a.ty == Type::Set {
            return needs.finish();
        }
        for operand in [a, b] {
            let need = if may_lack_value(operand) { self.need(operand) } else { Need::all([]) };
            needs.push(need, self.trace(operand));
        }
        needs.finish()
    }

    /// All sets have a square.
    fn each<'e>(self, sets: impl IntoIterator<Item = &'e Expr>) -> Need<'e> {
        Need::all(sets.into_iter().map(|set| self.some(set)))
    }

    /// The set has a square.
    pub(super) fn some<'e>(self, set: &'e Expr) -> Need<'e> {
        self.counted(set, ComparisonOperator::Greater, 0)
    }

    /// The number of squares of a set compares like this.
    pub(super) fn counted<'e>(
        self,
        set: &'e Expr,
        relation: ComparisonOperator,
        value: i32,
    ) -> Need<'e> {
        if let ExprKind::NoTransform(inner) = &set.kind {
            return self.counted(inner, relation, value);
        }
        let count = Need::Count { set, relation, value };
        let Some(least) = least_passing(relation, value).filter(|_| !is_exact(set)) else {
            return count;
        };
        let operands = self.operands(set, least);
        // Their own condition is on sets that contain the value.
        let is_implied = matches!(
            set.kind,
            ExprKind::Binary(BinaryFilter::Attacks | BinaryFilter::AttackedBy, ..)
                | ExprKind::Set(SetFilter::Aligned(..))
        );
        if is_implied { operands } else { Need::all([operands, count]) }
    }

    /// What the operands of a set need if it has at least this number of squares.
    fn operands<'e>(self, set: &'e Expr, least: u32) -> Need<'e> {
        if let ExprKind::Binary(op, a, b) = &set.kind {
            return self.binary(*op, a, b, least);
        }
        if let ExprKind::Set(SetFilter::Aligned(alignment, sets)) = &set.kind {
            let line = Need::Ray {
                sets,
                directions: alignment.directions(),
                slider: alignment.is_attack(),
            };
            let operands = sets.iter().map(|set| self.inner(set));
            return Need::all(operands.chain([line]));
        }
        if let ExprKind::Set(SetFilter::Direction { set, .. })
        | ExprKind::Unary(UnaryFilter::Light | UnaryFilter::Dark, set) = &set.kind
        {
            return self.some(set);
        }
        if let ExprKind::Orbit { elements, result: OrbitResult::Union, .. } = &set.kind {
            return Need::Any(elements.iter().map(|element| self.some(element)).collect());
        }
        if let ExprKind::Sequence(_)
        | ExprKind::Move(_)
        | ExprKind::ForSquares { all: false, .. }
        | ExprKind::ForPieces { all: false, .. } = &set.kind
        {
            return self.need(set);
        }
        Need::all([])
    }

    /// What the operands of an operand need, whose own squares are named by another condition.
    fn inner<'e>(self, set: &'e Expr) -> Need<'e> {
        if let ExprKind::NoTransform(inner) = &set.kind {
            return self.inner(inner);
        }
        if is_exact(set) { Need::all([]) } else { self.operands(set, 1) }
    }

    fn binary<'e>(self, op: BinaryFilter, a: &'e Expr, b: &'e Expr, least: u32) -> Need<'e> {
        let own = match op {
            BinaryFilter::Attacks => Need::Attacks { from: a, to: b, least },
            BinaryFilter::AttackedBy => Need::Attacked { targets: a, by: b, least },
            BinaryFilter::Intersection | BinaryFilter::Between => return self.each([a, b]),
            BinaryFilter::Union => return Need::Any(vec![self.some(a), self.some(b)]),
            BinaryFilter::Subset
            | BinaryFilter::SameContent
            | BinaryFilter::Lca
            | BinaryFilter::Distance
            | BinaryFilter::AncestorOf
            | BinaryFilter::DescendantOf
            | BinaryFilter::Concat
            | BinaryFilter::Substring
            | BinaryFilter::IndexOf
            | BinaryFilter::MakeSquare => return Need::all([]),
        };
        Need::all([self.inner(a), self.inner(b), own])
    }

    fn move_filter<'e>(self, filter: &'e MoveFilter) -> Need<'e> {
        let MoveFilter { from, to, capture, en_passant_square, .. } = filter;
        if filter.result == MoveResult::Count || filter.source.is_reverse() {
            return Need::Unknown;
        }
        let sets = [from, to, capture, en_passant_square].into_iter().flatten();
        let trace = self.traces(sets.clone());
        let operands = match filter.source.is_generated() {
            true => self.each([from, to].into_iter().flatten()),
            false => self.each(sets),
        };
        self.after(trace, || {
            Need::Move(MoveNeed {
                kind: MoveKind::Filter(filter),
                previous: filter.source == MoveSource::Previous,
                operands: Box::new(operands),
                after: Box::new(Need::Unknown),
            })
        })
    }

    /// A comparison of the number of legal or pseudolegal moves that few positions pass.
    pub(super) fn move_count<'e>(
        self,
        filter: &MoveFilter,
        relation: ComparisonOperator,
        value: i32,
    ) -> Need<'e> {
        let generated = matches!(filter.source, MoveSource::Legal | MoveSource::Pseudolegal);
        if !generated || filter.result != MoveResult::Count || filter.null || filter.drop {
            return Need::Unknown;
        }
        match least_passing(relation, value) {
            Some(least) if least >= MIN_PREFILTER_MOVES => Need::Moves { least },
            Some(_) | None => Need::Unknown,
        }
    }
}

/// A search with fewer positions fails.
fn least_number(mode: FindMode) -> u32 {
    match mode {
        FindMode::First | FindMode::All => 1,
        FindMode::Range(NumberRange { min: Bound::Const(min), max: Bound::Const(_) }) => {
            min.try_into().unwrap_or(0)
        }
        FindMode::Range(_) => 0,
    }
}

/// Whether a position without check fails the need: one of its conditions says so itself.
pub(crate) fn has_own_check(need: &Need<'_>) -> bool {
    if let Need::All(list) = need {
        list.iter().any(has_own_check)
    } else if let Need::InGame(need) | Need::Tags(_, need) = need {
        has_own_check(need)
    } else {
        matches!(need, Need::Condition(Condition::Check | Condition::Mate))
    }
}

/// Whether the filter has a value exactly where it matches, and may not match.
fn may_lack_value(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Sequence(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Path(_)
            | ExprKind::Orbit { result: OrbitResult::Max, .. }
            | ExprKind::Compare(..)
    )
}
