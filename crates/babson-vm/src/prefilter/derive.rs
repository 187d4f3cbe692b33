//! Turns what a filter needs into tests of boards.

use babson_chess::{Color, SquareSet};
use babson_lang::hir::{ComparisonOperator, Condition, Content, Designator, Expr, ExprKind};

use super::squares::{BoardSet, designator, squares, superset};
use super::{BoardPattern, BoardTest, CountTest, Prefilter};
use crate::analysis::{Analysis, Pattern, conjuncts, least_passing};
use crate::limits::{MAX_PREFILTER_ALTERNATIVES, MAX_PREFILTER_LINKS};
use crate::need::{Chain, ChainForm, Link, MoveKind, MoveNeed, Need, SetTerm, SumNeed};

impl Prefilter {
    /// The tests of a need, and whether they are the need itself.
    pub(super) fn all(need: &Need<'_>, analysis: &Analysis) -> (Prefilter, bool) {
        let mut tests = Vec::new();
        let exact = add(need, analysis, &mut tests);
        (Prefilter::sorted(tests), exact)
    }

    fn sorted(mut tests: Vec<BoardTest>) -> Prefilter {
        tests.sort_by_key(BoardTest::cost);
        let looks_ahead = tests.iter().any(|test| match test {
            BoardTest::Next(_) => true,
            BoardTest::Any(prefilters) => prefilters.iter().any(|one| one.looks_ahead),
            BoardTest::Check(_)
            | BoardTest::SideToMove(_)
            | BoardTest::Count { .. }
            | BoardTest::Compare { .. }
            | BoardTest::Attacks { .. }
            | BoardTest::Attacked { .. }
            | BoardTest::Ray { .. }
            | BoardTest::Sum { .. }
            | BoardTest::Moves { .. }
            | BoardTest::Pattern(_) => false,
        });
        Prefilter { tests, looks_ahead }
    }
}

/// Adds a test, unless it is there already.
fn push(out: &mut Vec<BoardTest>, test: BoardTest) {
    if !out.contains(&test) && !out.iter().any(|known| implies(known, &test)) {
        out.retain(|known| !implies(&test, known));
        out.push(test);
    }
}

/// Whether the second test holds where the first does, as far as that is plain to see: a set that
/// is an intersection has no more squares than its parts.
fn implies(first: &BoardTest, second: &BoardTest) -> bool {
    if let BoardTest::Count { set: BoardSet::And(parts), test } = first
        && let BoardTest::Count { set, test: CountTest::Some } = second
    {
        return !test.holds(SquareSet::EMPTY) && parts.contains(set);
    }
    false
}

/// Adds the tests of a need. Returns whether they are the need itself, so that a filter that needs
/// no more is decided by them.
fn add(need: &Need<'_>, analysis: &Analysis, out: &mut Vec<BoardTest>) -> bool {
    match need {
        Need::Never => push(out, BoardTest::Any(Vec::new())),
        Need::Condition(Condition::Check) => push(out, BoardTest::Check(true)),
        Need::Condition(Condition::Mate) => {
            push(out, BoardTest::Check(true));
            return false;
        }
        Need::Condition(Condition::SideToMove(side)) => push(out, BoardTest::SideToMove(*side)),
        Need::NotCheck => push(out, BoardTest::Check(false)),
        Need::Count { set, relation, value } => {
            if let Some(set) = squares(set) {
                let test = CountTest::of(*relation, *value);
                let is_always_met = matches!(
                    set,
                    // It is the same on each board.
                    BoardSet::Constant(squares) if test.holds(SquareSet(squares))
                );
                if !is_always_met {
                    push(out, BoardTest::Count { set, test });
                }
            } else {
                let least = least_passing(*relation, *value);
                let test = least.and_then(|least| at_least(superset(set, analysis)?, least));
                test.into_iter().for_each(|test| push(out, test));
                return false;
            }
        }
        Need::Sum(need) => {
            let Some((test, exact)) = sum(need, analysis) else { return false };
            push(out, test);
            return exact;
        }
        Need::Attacks { from, to, least: at } => {
            let test = match (superset(from, analysis), superset(to, analysis)) {
                (Some(from), Some(to)) => Some(BoardTest::Attacks { from, to, least: *at }),
                (from, to) => either_count(from, to, *at),
            };
            test.into_iter().for_each(|test| push(out, test));
            return false;
        }
        Need::Attacked { targets, by, least: at } => {
            let test = match (superset(targets, analysis), superset(by, analysis)) {
                (Some(targets), Some(by)) => Some(BoardTest::Attacked { targets, by, least: *at }),
                (targets, by) => either_count(targets, by, *at),
            };
            test.into_iter().for_each(|test| push(out, test));
            return false;
        }
        Need::Ray { sets, directions, slider } => {
            let sets: Vec<Option<BoardSet>> =
                sets.iter().map(|set| superset(set, analysis)).collect();
            if sets.iter().any(Option::is_some) {
                let any = || BoardSet::Constant(!0);
                let sets = sets.into_iter().map(|set| set.unwrap_or_else(any)).collect();
                push(out, BoardTest::Ray { sets, directions: *directions, slider: *slider });
            }
            return false;
        }
        Need::Covers(parts) => {
            for part in Designator::merged(parts) {
                let content = Content(!part.content.0 & Content::ANY.0);
                if content.0 != 0 {
                    let set = designator(Designator { content, ..part });
                    push(out, BoardTest::Count { set, test: CountTest::None });
                }
            }
        }
        Need::Pattern(elements, pattern) => {
            somewhere(elements).into_iter().for_each(|test| push(out, test));
            if !pattern.is_quick() {
                return false;
            }
            push(out, BoardTest::Pattern(Box::new(BoardPattern::of(pattern))));
        }
        Need::Moves { least } => {
            push(out, BoardTest::Moves { least: *least });
            return false;
        }
        Need::Move(found) if !found.previous => {
            step(found, analysis, out);
            return false;
        }
        Need::Chain(chain) => {
            let links = chain.links();
            let near = &links[..links.len().min(MAX_PREFILTER_LINKS)];
            follow(chain, near, analysis, out);
            return false;
        }
        Need::Tags(_, others) => {
            add(others, analysis, out);
            return false;
        }
        Need::All(list) => {
            let mut exact = true;
            for need in list {
                exact &= add(need, analysis, out);
            }
            return exact;
        }
        Need::Any(list) if list.len() <= MAX_PREFILTER_ALTERNATIVES => {
            return any(list, analysis, out);
        }
        Need::Unknown
        | Need::Condition(_)
        | Need::Glyph
        | Need::Ply { .. }
        | Need::Move(_)
        | Need::Any(_)
        | Need::Elsewhere(_)
        | Need::InGame(_) => return false,
    }
    true
}

/// At least one of the needs is met. A test that all of them share is added once. Returns whether
/// the tests are the need itself.
fn any(list: &[Need<'_>], analysis: &Analysis, out: &mut Vec<BoardTest>) -> bool {
    let (mut prefilters, exact): (Vec<Prefilter>, Vec<bool>) =
        list.iter().map(|need| Prefilter::all(need, analysis)).unzip();
    let exact = exact.into_iter().all(|exact| exact);
    let Some((first, others)) = prefilters.split_first_mut() else {
        push(out, BoardTest::Any(Vec::new()));
        return exact;
    };
    let mut index = 0;
    while let Some(test) = first.tests.get(index) {
        if others.iter().all(|other| other.tests.contains(test)) {
            let test = first.tests.remove(index);
            for other in &mut *others {
                other.tests.retain(|found| *found != test);
            }
            push(out, test);
        } else {
            index += 1;
        }
    }
    if prefilters.iter().all(|prefilter| !prefilter.tests.is_empty()) {
        push(out, BoardTest::Any(prefilters));
    }
    exact
}

/// The tests of the links of a chain from the current position on.
fn follow(
    chain: &Chain<'_>,
    links: &[Link<'_, '_>],
    analysis: &Analysis,
    out: &mut Vec<BoardTest>,
) {
    let Some((first, rest)) = links.split_first() else {
        return;
    };
    let next = |tests: Vec<BoardTest>, out: &mut Vec<BoardTest>| {
        if !tests.is_empty() {
            push(out, BoardTest::Next(Prefilter::sorted(tests)));
        }
    };
    match first {
        Link::Here(need) => {
            add(need, analysis, out);
            follow(chain, rest, analysis, out);
        }
        Link::Step(found) => {
            step_itself(found, analysis, out);
            let mut tests = Vec::new();
            add(&found.after, analysis, &mut tests);
            follow(chain, rest, analysis, &mut tests);
            next(tests, out);
        }
        Link::Next if chain.form != ChainForm::Backward => {
            let mut tests = Vec::new();
            follow(chain, rest, analysis, &mut tests);
            next(tests, out);
        }
        // To look for a position any number of moves away takes as long as the search itself, and
        // few lines go back.
        Link::Next | Link::Gap => {}
    }
}

/// The tests of a move from the position.
fn step(found: &MoveNeed<'_>, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    step_itself(found, analysis, out);
    let (after, _) = Prefilter::all(&found.after, analysis);
    if !after.tests.is_empty() {
        push(out, BoardTest::Next(after));
    }
}

/// Adds the tests of a move itself: its sets are not empty. If the origin of a dash names pieces of
/// only one color, that side is to move.
fn step_itself(found: &MoveNeed<'_>, analysis: &Analysis, out: &mut Vec<BoardTest>) {
    add(&found.operands, analysis, out);
    if let MoveKind::Dash(dash) = found.kind
        && let Some(ExprKind::Designator(found)) = dash.left.as_ref().map(|left| &left.kind)
    {
        for (color, own) in [(Color::White, Content::WHITE), (Color::Black, Content::BLACK)] {
            if found.content.0 & !own.0 == 0 {
                push(out, BoardTest::SideToMove(color));
            }
        }
    }
}

/// A test for each content that all images of a pattern test: it is on one of the squares that the
/// images name.
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

/// A test of a sum of numbers of squares, and whether it is exact. A set that bitboards do not give
/// has from no square to all of a larger set, whichever brings the sum nearer to the relation.
fn sum(need: &SumNeed<'_>, analysis: &Analysis) -> Option<(BoardTest, bool)> {
    let SumNeed { terms, relation, value } = need;
    let is_exact = terms.iter().all(|(_, term)| squares(term.set).is_some());
    let (relation, grows) = match relation {
        relation if is_exact => (*relation, true),
        ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => (*relation, true),
        ComparisonOperator::Equal => (ComparisonOperator::GreaterEqual, true),
        ComparisonOperator::Less | ComparisonOperator::LessEqual => (*relation, false),
        ComparisonOperator::NotEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => return None,
    };
    let mut sets = Vec::with_capacity(terms.len());
    for &(factor, SetTerm { set, kind }) in terms {
        let found = match squares(set) {
            Some(found) => found,
            None if (factor > 0) == grows => superset(set, analysis)?,
            None => continue,
        };
        let found = match kind {
            Some(kind) => found.only(kind),
            None => Some(found),
        };
        sets.extend(found.map(|found| (factor, found)));
    }
    let test = match <[(i32, BoardSet); 2]>::try_from(sets) {
        Ok([(1, a), (-1, b)]) if *value == 0 => BoardTest::Compare { a, b, relation },
        Ok(terms) => BoardTest::Sum { terms: terms.into(), relation, value: *value },
        Err(terms) => BoardTest::Sum { terms, relation, value: *value },
    };
    Some((test, is_exact))
}

impl BoardPattern {
    fn of(pattern: &Pattern) -> BoardPattern {
        let set = |&content: &Content| designator(Designator { content, squares: !0 });
        let sets = pattern.contents.iter().map(set).collect();
        BoardPattern { pattern: pattern.clone(), sets }
    }
}

/// A test for at least this number of squares.
fn at_least(set: BoardSet, least: u32) -> Option<BoardTest> {
    let test = CountTest::of(ComparisonOperator::GreaterEqual, least.try_into().ok()?);
    (least > 1 && set != BoardSet::Occupied(!0) || !set.is_any_piece())
        .then_some(BoardTest::Count { set, test })
}

/// Returns a test of the first set that is known: that `first` has at least `least` squares, or
/// else that `second` has at least one.
fn either_count(
    first: Option<BoardSet>,
    second: Option<BoardSet>,
    least: u32,
) -> Option<BoardTest> {
    match (first, second) {
        (Some(set), _) => at_least(set, least),
        (None, Some(set)) => at_least(set, 1),
        (None, None) => None,
    }
}

impl BoardTest {
    /// Returns the cost of the test. A conjunction runs its cheapest tests first.
    fn cost(&self) -> u32 {
        match self {
            BoardTest::Check(_) | BoardTest::SideToMove(_) => 0,
            BoardTest::Count { set, .. } => set.cost(),
            BoardTest::Compare { a, b, .. } => a.cost() + b.cost(),
            BoardTest::Ray { sets, .. } => 4 + sets.iter().map(BoardSet::cost).sum::<u32>(),
            BoardTest::Pattern(board) => 6 + board.pattern.single.len() as u32,
            BoardTest::Sum { terms, .. } => 2 * terms.len() as u32,
            BoardTest::Attacks { .. } => 12,
            BoardTest::Next(prefilter) => 3 + prefilter.tests.first().map_or(0, BoardTest::cost),
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
