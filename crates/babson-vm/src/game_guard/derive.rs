//! Derives the conditions of a game from those of its positions.
//!
//! [`GuardDerivation::need`] gives the conditions of a filter: if one of them fails, the filter
//! neither matches at any position of the game nor does anything else there. This holds for filters
//! that look at the own boards of the game. So the derivation enters neither `imagine` nor
//! speculative moves nor filters on other positions.

use babson_lang::dialect::Dialect;
use babson_lang::hir::{
    BinaryFilter, Bound, CastlingKind, ComparisonOperator, Condition, Content, Designator,
    Directions, Expr, ExprKind, FindFilter, FindMode, LineConstituent, LineConstituentKind,
    NumberRange, OrbitResult, Type, UnaryFilter,
};
use babson_pgn::GameFlags;

use super::counts::contains_checks;
use super::{GameSet, GameTest, TagTest};
use crate::analysis::{Analysis, Pattern, Shape, conjuncts};
use crate::images::is_exact;
use crate::limits::{MAX_GUARD_ALTERNATIVES, MAX_GUARD_TESTS};

/// Derives the conditions of filters.
pub(super) struct GuardDerivation<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) dialect: Dialect,
    /// The tests of tags that were derived.
    pub(super) tag_tests: Vec<TagTest>,
    /// How many more tests may be derived.
    budget: usize,
}

impl<'a> GuardDerivation<'a> {
    pub(super) fn new(analysis: &'a Analysis, dialect: Dialect) -> GuardDerivation<'a> {
        GuardDerivation { analysis, dialect, tag_tests: Vec::new(), budget: MAX_GUARD_TESTS }
    }

    /// The conditions of a conjunction: those of its filters up to the first with an effect.
    pub(super) fn conjunction<'e>(
        &mut self,
        list: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<GameTest> {
        let mut filters = Vec::new();
        conjuncts(list, &mut filters);
        let mut tests = Vec::new();
        for filter in filters {
            join(&mut tests, self.need(filter));
            if !self.is_quiet(filter) {
                break;
            }
        }
        tests
    }

    /// The conditions of a filter.
    pub(super) fn need(&mut self, expr: &Expr) -> Vec<GameTest> {
        if self.budget == 0 {
            return Vec::new();
        }
        let tests = self.need_of_shape(expr);
        self.budget = self.budget.saturating_sub(tests.len());
        tests
    }

    fn need_of_shape(&mut self, expr: &Expr) -> Vec<GameTest> {
        if self.is_quiet(expr) {
            let tests = self.tags(expr);
            if !tests.is_empty() {
                return tests;
            }
        }
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
                | OrbitResult::Count(_) => Vec::new(),
            },
            Shape::Move(filter) => self.move_filter(filter),
            Shape::Dash(filter) => self.dash_filter(filter),
            Shape::Line(line) if line.range.is_none_or(NumberRange::is_constant) => {
                let mut tests = Vec::new();
                self.line(&line.constituents, &mut tests);
                join(&mut tests, self.checks_of_line(line));
                tests
            }
            Shape::Path(path) => self.path(path),
            Shape::Find(find) => self.find(find),
            Shape::Steps(steps) => self.steps(&steps.filters),
            // A position without a value has no sort key.
            Shape::Sort(value) if value.ty != Type::Set => self.need(value),
            Shape::Compare(relation, a, b) => {
                let mut tests = self.valued(relation, a, b);
                if self.is_quiet(expr) {
                    join(&mut tests, self.comparison(relation, a, b));
                }
                tests
            }
            Shape::ForEach(set) => self.for_each(expr, set),
            Shape::Condition(which) => of_condition(which),
            Shape::Not(inner) if self.is_quiet(expr) => match inner.ty {
                Type::Set => self.absent(inner),
                Type::Bool | Type::Number | Type::String | Type::Position | Type::Piece => {
                    Vec::new()
                }
            },
            Shape::Fen(parts) => parts.iter().filter_map(covers).collect(),
            Shape::Pairs(pairs) if self.is_quiet(expr) && pairs.range.0 >= 1 => {
                self.each(&pairs.sets)
            }
            Shape::Other => self.other(expr),
            Shape::Line(_) | Shape::Not(_) | Shape::Pairs(_) | Shape::Sort(_) | Shape::Echo(_) => {
                Vec::new()
            }
        }
    }

    fn find(&mut self, find: &FindFilter) -> Vec<GameTest> {
        let least = least_number(find.mode);
        if least == 0 {
            return Vec::new();
        }
        let mut tests = self.conjunction([&find.body]);
        join(&mut tests, self.counted(&find.body, least));
        tests
    }

    /// The filters of a sequence of positions, up to the first one that is not quiet.
    fn steps(&mut self, filters: &[Expr]) -> Vec<GameTest> {
        let mut tests = Vec::new();
        for filter in filters {
            join(&mut tests, self.conjunction([filter]));
            if !self.is_quiet(filter) {
                break;
            }
        }
        tests
    }

    fn other(&mut self, expr: &Expr) -> Vec<GameTest> {
        if let ExprKind::Bool(false) = expr.kind {
            return vec![GameTest::Flags(GameFlags::default())];
        }
        if let ExprKind::HasNag(_) = expr.kind {
            return vec![GameTest::Flags(GameFlags::GLYPHS)];
        }
        if let ExprKind::Assign { value, if_any: false, .. } = &expr.kind
            && value.ty != Type::Set
            && may_lack_value(value)
        {
            return self.need(value);
        }
        if expr.ty == Type::Set && self.is_quiet(expr) { self.some(expr) } else { Vec::new() }
    }

    /// One of the filters matches.
    fn any<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Vec<GameTest> {
        let lists: Vec<_> = list.into_iter().map(|each| self.conjunction([each])).collect();
        one_of(lists)
    }

    /// One of the images of a transform matches.
    fn orbit(&mut self, elements: &[Expr]) -> Vec<GameTest> {
        if let Some(pattern) = Pattern::of(elements) {
            return vec![GameTest::Pattern(Box::new(pattern))];
        }
        if elements.len() > MAX_GUARD_ALTERNATIVES {
            return Vec::new();
        }
        self.any(elements)
    }

    /// The constituents of a line that must match. Returns whether what follows is a condition,
    /// too.
    fn line(&mut self, list: &[LineConstituent], tests: &mut Vec<GameTest>) -> bool {
        for constituent in list {
            let required = constituent.repeats.iter().all(|repeat| repeat.0 > 0);
            let mut ignored = Vec::new();
            let tests = if required { &mut *tests } else { &mut ignored };
            let goes_on = match &constituent.kind {
                LineConstituentKind::Filter(filter) => {
                    if required {
                        join(tests, self.conjunction([&**filter]));
                    }
                    self.is_quiet(filter)
                }
                LineConstituentKind::Group(inner) => self.line(inner, tests),
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// `square x in S f`, `piece x in S f`: the set is not empty and the body matches.
    fn for_each(&mut self, expr: &Expr, set: &Expr) -> Vec<GameTest> {
        let (ExprKind::ForSquares { var, body, .. } | ExprKind::ForPieces { var, body, .. }) =
            &expr.kind
        else {
            return Vec::new();
        };
        if !self.is_quiet(set) || !self.is_bound_once(*var, body) {
            return Vec::new();
        }
        let mut tests = self.some(set);
        join(&mut tests, self.conjunction([&**body]));
        tests
    }

    /// Both operands of a comparison have a value.
    fn valued(&mut self, relation: ComparisonOperator, a: &Expr, b: &Expr) -> Vec<GameTest> {
        let mut tests = Vec::new();
        // For `!=` a missing value is unequal. A set always has a value.
        if relation == ComparisonOperator::NotEqual || a.ty == Type::Set {
            return tests;
        }
        for operand in [a, b] {
            if may_lack_value(operand) {
                join(&mut tests, self.need(operand));
            }
            if !self.is_quiet(operand) {
                break;
            }
        }
        tests
    }

    /// All sets have a square on some board.
    fn each<'e>(&mut self, sets: impl IntoIterator<Item = &'e Expr>) -> Vec<GameTest> {
        let mut tests = Vec::new();
        for set in sets {
            join(&mut tests, self.some(set));
        }
        tests
    }

    /// The set has a square on some board.
    pub(super) fn some(&mut self, set: &Expr) -> Vec<GameTest> {
        let mut tests = self.operands(set, 1);
        let set = self.set(set);
        // The other tests imply that of the first set of an attack.
        let is_implied = |test: &GameTest| match test {
            GameTest::Attacks { from: first, .. } | GameTest::Attacked { targets: first, .. } => {
                first.is_within(&set)
            }
            GameTest::Ray { sets, .. } => sets.iter().any(|part| part.is_within(&set)),
            GameTest::Flags(_)
            | GameTest::Some(_)
            | GameTest::Covers(..)
            | GameTest::Sum(_)
            | GameTest::Balance { .. }
            | GameTest::Tag { .. }
            | GameTest::Pattern(_)
            | GameTest::Checks(_)
            | GameTest::CheckSequence(_)
            | GameTest::Moves { .. }
            | GameTest::Any(_) => false,
        };
        if !set.is_anywhere() && !tests.iter().any(is_implied) {
            join(&mut tests, vec![GameTest::Some(set)]);
        }
        tests
    }

    /// What the operands of a set need for so many squares, besides the squares of its own value.
    pub(super) fn operands(&mut self, set: &Expr, least: u32) -> Vec<GameTest> {
        if is_exact(set) {
            return Vec::new();
        }
        if let ExprKind::Binary(op, a, b) = &set.kind {
            return self.binary(*op, a, b, least);
        }
        if let ExprKind::Aligned(alignment, sets) = &set.kind {
            return self.ray(sets.iter(), alignment.directions(), alignment.is_attack());
        }
        if let ExprKind::NoTransform(inner) = &set.kind {
            return self.operands(inner, least);
        }
        if let ExprKind::Direction { set, .. }
        | ExprKind::Unary(UnaryFilter::Light | UnaryFilter::Dark, set) = &set.kind
        {
            return self.some(set);
        }
        if let ExprKind::Orbit { elements, result: OrbitResult::Union, .. } = &set.kind
            && elements.len() <= MAX_GUARD_ALTERNATIVES
        {
            return one_of(elements.iter().map(|element| self.some(element)).collect());
        }
        if let ExprKind::Sequence(_)
        | ExprKind::Move(_)
        | ExprKind::ForSquares { all: false, .. }
        | ExprKind::ForPieces { all: false, .. } = &set.kind
        {
            return self.need(set);
        }
        Vec::new()
    }

    fn binary(&mut self, op: BinaryFilter, a: &Expr, b: &Expr, least: u32) -> Vec<GameTest> {
        let test = match op {
            BinaryFilter::Attacks => {
                GameTest::Attacks { from: self.set(a), to: self.set(b), least }
            }
            BinaryFilter::AttackedBy => {
                GameTest::Attacked { targets: self.set(a), by: self.set(b), least }
            }
            BinaryFilter::Intersection | BinaryFilter::Between => return self.each([a, b]),
            BinaryFilter::Union => return one_of(vec![self.some(a), self.some(b)]),
            BinaryFilter::Subset
            | BinaryFilter::SameContent
            | BinaryFilter::Lca
            | BinaryFilter::Distance
            | BinaryFilter::AncestorOf
            | BinaryFilter::DescendantOf
            | BinaryFilter::Concat
            | BinaryFilter::Substring
            | BinaryFilter::IndexOf
            | BinaryFilter::MakeSquare => return Vec::new(),
        };
        let mut tests = self.operands(a, 1);
        join(&mut tests, self.operands(b, 1));
        tests.push(test);
        tests
    }

    /// The sets lie on a line in this order.
    fn ray<'e>(
        &mut self,
        sets: impl Iterator<Item = &'e Expr> + Clone,
        directions: Directions,
        slider: bool,
    ) -> Vec<GameTest> {
        let line = sets.clone().map(|set| self.set(set)).collect();
        let mut tests = Vec::new();
        for set in sets {
            join(&mut tests, self.operands(set, 1));
        }
        tests.push(GameTest::Ray { sets: line, directions, slider });
        tests
    }

    /// A set that contains the value of the expression on each board.
    pub(super) fn set(&self, expr: &Expr) -> GameSet {
        GameSet::of(expr, self.analysis)
    }
}

/// Adds tests, except those that others imply.
pub(super) fn join(tests: &mut Vec<GameTest>, more: Vec<GameTest>) {
    for test in more {
        if !tests.iter().any(|known| implies(known, &test)) {
            tests.retain(|known| !implies(&test, known));
            tests.push(test);
        }
    }
}

/// Whether the second test holds where the first does, as far as that is plain to see.
fn implies(first: &GameTest, second: &GameTest) -> bool {
    match (first, second) {
        (GameTest::Some(inner), GameTest::Some(outer)) => inner.is_within(outer),
        (GameTest::Checks(more), GameTest::Checks(least)) => more >= least,
        (GameTest::CheckSequence(mask), GameTest::Checks(least)) => mask.count_ones() >= *least,
        (GameTest::CheckSequence(first), GameTest::CheckSequence(second)) => {
            contains_checks(*first, *second)
        }
        (GameTest::Moves { test, least: more }, GameTest::Moves { test: other, least }) => {
            test == other && more >= least
        }
        (_, _) => first == second,
    }
}

/// All tests of one of the lists hold. What all lists share is a condition of its own.
fn one_of(mut lists: Vec<Vec<GameTest>>) -> Vec<GameTest> {
    let Some((first, others)) = lists.split_first_mut() else {
        return Vec::new();
    };
    let is_shared = |test: &GameTest| others.iter().all(|list| list.contains(test));
    let mut tests: Vec<GameTest> = first.iter().filter(|test| is_shared(test)).cloned().collect();
    for list in &mut lists {
        list.retain(|test| !tests.contains(test));
    }
    if lists.iter().all(|list| !list.is_empty()) {
        tests.push(GameTest::Any(lists));
    }
    tests
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

/// Each square of the designator held its content on some board.
fn covers(found: &Designator) -> Option<GameTest> {
    let content = Content(found.content.0 & Content::ANY.0);
    let set = GameSet::of_content(content, found.squares);
    (set.empty == 0).then_some(GameTest::Covers(set, found.squares))
}

fn of_condition(which: Condition) -> Vec<GameTest> {
    let flags = match which {
        Condition::Check => GameFlags::CHECK,
        Condition::Mate => GameFlags::MATE,
        Condition::Stalemate => GameFlags::STALEMATE,
        Condition::Variation | Condition::Secondary => GameFlags::VARIATIONS,
        Condition::NullMove => GameFlags::ODD_MOVE,
        Condition::EnPassant => GameFlags::EN_PASSANT,
        Condition::Castling(side) => castling(side),
        Condition::SideToMove(_)
        | Condition::LegalPosition
        | Condition::ReachablePosition
        | Condition::VariantEnd(_)
        | Condition::Initial
        | Condition::Terminal
        | Condition::Mainline
        | Condition::VirtualMainline
        | Condition::Try
        | Condition::Primary
        | Condition::IsVariant(_)
        | Condition::Result(_)
        | Condition::Hhdb(_)
        | Condition::HasAward(_)
        | Condition::RemoveComment
        | Condition::Abort
        | Condition::BareValue => return Vec::new(),
    };
    vec![GameTest::Flags(flags)]
}

/// The flags of castling.
pub(super) fn castling(side: CastlingKind) -> GameFlags {
    match side {
        CastlingKind::KingSide => GameFlags::KING_SIDE_CASTLING,
        CastlingKind::QueenSide => GameFlags::QUEEN_SIDE_CASTLING,
        CastlingKind::Either => GameFlags::KING_SIDE_CASTLING | GameFlags::QUEEN_SIDE_CASTLING,
    }
}
