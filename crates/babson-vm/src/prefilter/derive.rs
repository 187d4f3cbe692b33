//! Derives the prefilter of a filter.

use babson_chess::Color;
use babson_lang::hir::{
    Alignment, Arithmetic, BinaryFilter, ComparisonOperator, Condition, Content, Dash, Designator,
    Expr, ExprKind, Focus, MoveFilter, MoveResult, MoveSource, NumberRange, PathConstituent,
    PathConstituentKind, PathFilter, Type, UnaryFilter,
};

use super::squares::{BoardSet, designator, squares, superset};
use super::{BoardTest, CountTest, Prefilter};
use crate::analysis::{
    Analysis, Pattern, Shape, conjuncts, first_filter, least_passing, power_values,
};
use crate::limits::{MAX_PREFILTER_ALTERNATIVES, MIN_PREFILTER_MOVES};

/// The prefilter of a conjunction: the conditions of its filters up to the first with an effect.
pub(super) fn conjunction<'e>(
    list: impl IntoIterator<Item = &'e Expr>,
    analysis: &Analysis,
) -> Prefilter {
    let mut flat = Vec::new();
    conjuncts(list, &mut flat);
    let mut tests = Vec::new();
    for expr in flat {
        if analysis.effects(expr).is_pure() {
            add(expr, analysis, &mut tests);
            continue;
        }
        match Shape::of(expr) {
            // A position without a value has no sort key.
            Shape::Sort(value) if analysis.effects(value).is_pure() => {
                add(value, analysis, &mut tests);
            }
            Shape::Line(line) => {
                tests.extend(conjunction(first_filter(line), analysis).tests);
            }
            Shape::Path(path) => path_start(path, analysis, &mut tests),
            // All images are evaluated, but none has an effect if all their prefilters fail.
            Shape::AnyOf(elements, _) if elements.len() <= MAX_PREFILTER_ALTERNATIVES => {
                any(elements, analysis, &mut tests);
            }
            Shape::Steps(steps) if !steps.gapped => {
                tests.extend(conjunction(steps.filters.first(), analysis).tests);
            }
            Shape::Conjunction
            | Shape::Or(..)
            | Shape::Not(_)
            | Shape::AnyOf(..)
            | Shape::Condition(_)
            | Shape::Compare(..)
            | Shape::Fen(_)
            | Shape::Pairs(_)
            | Shape::ForEach(_)
            | Shape::Move(_)
            | Shape::Dash(_)
            | Shape::Find(_)
            | Shape::Echo(_)
            | Shape::Steps(_)
            | Shape::Sort(_)
            | Shape::Other => {}
        }
        break;
    }
    tests.sort_by_key(BoardTest::cost);
    Prefilter { tests }
}

/// Adds necessary conditions of a filter without effects.
fn add(expr: &Expr, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    match Shape::of(expr) {
        Shape::Condition(which) => {
            if matches!(which, Condition::Check | Condition::Mate) {
                out.push(BoardTest::Check(true));
            } else if let Condition::SideToMove(side) = which {
                out.push(BoardTest::SideToMove(side));
            }
        }
        Shape::Not(inner) => {
            if inner.kind == ExprKind::Condition(Condition::Check) {
                out.push(BoardTest::Check(false));
            } else if matches!(inner.kind, ExprKind::Designator(_)) {
                out.extend(counted(inner, ComparisonOperator::Equal, 0, analysis));
            }
        }
        Shape::Compare(relation, a, b) => out.extend(comparison(relation, a, b, analysis)),
        Shape::Or(a, b) => any([a, b], analysis, out),
        Shape::AnyOf(elements, _) => match Pattern::of(elements) {
            Some(pattern) => {
                out.extend(somewhere(elements));
                if pattern.is_quick() {
                    out.push(BoardTest::Pattern(Box::new(pattern)));
                }
            }
            None if elements.len() <= MAX_PREFILTER_ALTERNATIVES => any(elements, analysis, out),
            None => {}
        },
        Shape::Move(spec) => moves(spec, analysis, out),
        Shape::Dash(filter) => {
            if !filter.previous && !filter.count {
                dash(&filter.dash, analysis, out);
            }
        }
        Shape::Conjunction
        | Shape::Fen(_)
        | Shape::Pairs(_)
        | Shape::ForEach(_)
        | Shape::Line(_)
        | Shape::Path(_)
        | Shape::Find(_)
        | Shape::Echo(_)
        | Shape::Steps(_)
        | Shape::Sort(_)
        | Shape::Other => {
            if expr.ty == Type::Set {
                out.extend(counted(expr, ComparisonOperator::Greater, 0, analysis));
            }
        }
    }
}

/// At least one of the filters matches. A condition that all of them share is added once.
fn any<'e>(
    elements: impl IntoIterator<Item = &'e Expr>,
    analysis: &Analysis,
    out: &mut Vec<BoardTest>,
) {
    let mut prefilters: Vec<Prefilter> =
        elements.into_iter().map(|element| conjunction([element], analysis)).collect();
    let Some((first, others)) = prefilters.split_first_mut() else {
        return;
    };
    let mut index = 0;
    while let Some(test) = first.tests.get(index) {
        if others.iter().all(|other| other.tests.contains(test)) {
            let test = first.tests.remove(index);
            for other in &mut *others {
                other.tests.retain(|found| *found != test);
            }
            out.push(test);
        } else {
            index += 1;
        }
    }
    if prefilters.iter().all(|prefilter| !prefilter.tests.is_empty()) {
        out.push(BoardTest::Any(prefilters));
    }
}

/// A condition for each content that all images of a pattern test: it is on one of the squares that
/// the images name.
fn somewhere(elements: &[Expr]) -> Vec<BoardTest> {
    let mut sums: Vec<(Content, u64, usize)> = Vec::new();
    for (number, element) in elements.iter().enumerate() {
        let mut filters = Vec::new();
        conjuncts([element], &mut filters);
        for filter in filters {
            let ExprKind::Designator(found) = filter.kind else {
                continue;
            };
            match sums.iter_mut().find(|sum| sum.0 == found.content) {
                // This image or the one before it tests the content.
                Some(sum) if sum.2 >= number => {
                    sum.1 |= found.squares;
                    sum.2 = number + 1;
                }
                Some(_) => {}
                None if number == 0 => sums.push((found.content, found.squares, 1)),
                None => {}
            }
        }
    }
    sums.retain(|sum| sum.2 == elements.len());
    sums.into_iter()
        .map(|(content, squares, _)| BoardTest::Count {
            set: designator(Designator { squares, content }),
            test: CountTest::Some,
        })
        .collect()
}

/// The sets of a `move` are not empty. Those of the previous move belong to the board before it, so
/// they give no condition.
fn moves(spec: &MoveFilter, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    if spec.source != MoveSource::Played || spec.result == MoveResult::Count {
        return;
    }
    for set in [&spec.from, &spec.to, &spec.capture].into_iter().flatten() {
        out.extend(counted(set, ComparisonOperator::Greater, 0, analysis));
    }
}

/// The conditions of a path at its first position, up to the first effect.
fn path_start(path: &PathFilter, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    if !path.range.is_none_or(NumberRange::is_constant) {
        return;
    }
    if let Some(Focus::Pieces { set, .. }) = &path.focus {
        if !analysis.effects(set).is_pure() {
            return;
        }
        out.extend(counted(set, ComparisonOperator::Greater, 0, analysis));
    }
    constituents_start(&path.constituents, analysis, out);
}

/// The conditions of the holders before the first step, and of the operands of that step.
fn constituents_start(list: &[PathConstituent], analysis: &Analysis, out: &mut Vec<BoardTest>) {
    for constituent in list {
        if constituent.repeat.is_some_and(|(min, _)| min == 0) {
            return;
        }
        match &constituent.kind {
            PathConstituentKind::Holder(filter) => {
                out.extend(conjunction([&**filter], analysis).tests);
                if !analysis.effects(filter).is_pure() {
                    return;
                }
            }
            PathConstituentKind::Chain(inner) => return constituents_start(inner, analysis, out),
            PathConstituentKind::Step { dash: first, .. } => {
                if first.operands().all(|e| analysis.effects(e).is_pure()) {
                    dash(first, analysis, out);
                }
                return;
            }
        }
    }
}

/// The operands of a dash are not empty. If the left operand has pieces of only one color, that
/// side is to move.
fn dash(dash: &Dash, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    for set in [&dash.left, &dash.right].into_iter().flatten() {
        out.extend(counted(set, ComparisonOperator::Greater, 0, analysis));
    }
    if let Some(ExprKind::Designator(found)) = dash.left.as_ref().map(|left| &left.kind) {
        for (color, own) in [(Color::White, Content::WHITE), (Color::Black, Content::BLACK)] {
            if found.content.0 & !own.0 == 0 {
                out.push(BoardTest::SideToMove(color));
            }
        }
    }
}

fn comparison(
    relation: ComparisonOperator,
    a: &Expr,
    b: &Expr,
    analysis: &Analysis,
) -> Option<BoardTest> {
    use ComparisonOperator::*;
    if !matches!(relation, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) {
        return None;
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Unary(UnaryFilter::Count, set), ExprKind::Number(value)) => {
            counted(set, relation, *value, analysis)
        }
        (ExprKind::Move(spec), ExprKind::Number(value)) => move_count(spec, relation, *value),
        (ExprKind::Unary(UnaryFilter::Count, a), ExprKind::Unary(UnaryFilter::Count, b)) => {
            Some(BoardTest::Compare { a: squares(a)?, b: squares(b)?, relation })
        }
        (
            ExprKind::Arithmetic(..) | ExprKind::Unary(UnaryFilter::Power, _),
            ExprKind::Number(value),
        ) => {
            let mut terms = Vec::new();
            sum(a, 1, &mut terms)?;
            Some(BoardTest::Sum { terms, relation, value: *value })
        }
        _ => None,
    }
}

/// A comparison of the number of legal or pseudolegal moves that few positions pass.
fn move_count(spec: &MoveFilter, relation: ComparisonOperator, value: i32) -> Option<BoardTest> {
    let generated = matches!(spec.source, MoveSource::Legal | MoveSource::Pseudolegal);
    if !generated || spec.result != MoveResult::Count || spec.null || spec.drop {
        return None;
    }
    let least = least_passing(relation, value)?;
    (least >= MIN_PREFILTER_MOVES).then_some(BoardTest::Moves { least })
}

/// Adds the terms of a sum of counts and powers, each times a factor.
fn sum(expr: &Expr, factor: i32, out: &mut Vec<(i32, BoardSet)>) -> Option<()> {
    if let ExprKind::Arithmetic(Arithmetic::Add, a, b) = &expr.kind {
        sum(a, factor, out)?;
        return sum(b, factor, out);
    }
    if let ExprKind::Arithmetic(Arithmetic::Subtract, a, b) = &expr.kind {
        sum(a, factor, out)?;
        return sum(b, factor.wrapping_neg(), out);
    }
    if let ExprKind::Number(number) = &expr.kind {
        out.push((factor.wrapping_mul(*number), BoardSet::Constant(1)));
        return Some(());
    }
    if let ExprKind::Unary(UnaryFilter::Count, set) = &expr.kind {
        out.push((factor, squares(set)?));
        return Some(());
    }
    let ExprKind::Unary(UnaryFilter::Power, set) = &expr.kind else {
        return None;
    };
    let ExprKind::Designator(found) = set.kind else {
        return None;
    };
    for (kind, value) in power_values() {
        let content = Content(found.content.0 & (65 << kind.index()));
        if content.0 != 0 {
            let set = designator(Designator { content, ..found });
            out.push((factor.wrapping_mul(value), set));
        }
    }
    Some(())
}

/// A condition on the number of squares of a set.
fn counted(
    set: &Expr,
    relation: ComparisonOperator,
    value: i32,
    analysis: &Analysis,
) -> Option<BoardTest> {
    let least = least_passing(relation, value);
    let exact = match (&set.kind, least) {
        (ExprKind::NoTransform(inner), _) => return counted(inner, relation, value, analysis),
        (ExprKind::Binary(BinaryFilter::Attacks, from, to), Some(least)) => {
            attacks(from, to, least)
        }
        (ExprKind::Binary(BinaryFilter::AttackedBy, targets, by), Some(least)) => {
            attacked(targets, by, least)
        }
        (ExprKind::Aligned(Alignment::Ray { directions, .. }, sets), Some(_)) => {
            let sets: Option<_> = sets.iter().map(squares).collect();
            sets.map(|sets| BoardTest::Ray { sets, directions: *directions })
        }
        _ => squares(set).map(|set| BoardTest::Count { set, test: CountTest::of(relation, value) }),
    };
    exact.or_else(|| {
        let test = CountTest::of(ComparisonOperator::GreaterEqual, least?.try_into().ok()?);
        let superset = superset(set, analysis).filter(|set| !set.is_any_piece());
        if let Some(set) = superset {
            return Some(BoardTest::Count { set, test });
        }
        // An attack needs something to attack.
        let ExprKind::Binary(BinaryFilter::Attacks | BinaryFilter::AttackedBy, _, other) =
            &set.kind
        else {
            return None;
        };
        counted(other, ComparisonOperator::Greater, 0, analysis)
    })
}

fn attacks(from: &Expr, to: &Expr, least: u32) -> Option<BoardTest> {
    Some(BoardTest::Attacks { from: squares(from)?, to: squares(to)?, least })
}

fn attacked(targets: &Expr, by: &Expr, least: u32) -> Option<BoardTest> {
    Some(BoardTest::Attacked { targets: squares(targets)?, by: squares(by)?, least })
}

impl BoardTest {
    /// The cost of the test, which orders those of a conjunction.
    fn cost(&self) -> u32 {
        match self {
            BoardTest::Check(_) | BoardTest::SideToMove(_) => 0,
            BoardTest::Count { set, .. } => set.cost(),
            BoardTest::Compare { a, b, .. } => a.cost() + b.cost(),
            BoardTest::Ray { sets, .. } => 4 + sets.iter().map(BoardSet::cost).sum::<u32>(),
            BoardTest::Pattern(pattern) => 6 + pattern.single.len() as u32,
            BoardTest::Sum { terms, .. } => 2 * terms.len() as u32,
            BoardTest::Attacks { .. } => 12,
            BoardTest::Any(prefilters) => {
                let first =
                    |prefilter: &Prefilter| prefilter.tests.first().map_or(0, BoardTest::cost);
                2 + prefilters.iter().map(first).sum::<u32>()
            }
            BoardTest::Attacked { .. } => 30,
            BoardTest::Moves { .. } => 40,
        }
    }
}
