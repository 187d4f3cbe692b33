//! Derives the tests of the images of a filter.
//!
//! All images are walked at the same time. A *column* is the list of the expressions at one place
//! in all images. Where the shapes of the images differ, there is no test.

use babson_lang::hir::{
    BinaryFilter, Color, ComparisonOperator, Condition, Content, Designator, Expr, ExprKind,
    FindFilter, FindMode, OrbitResult, Type, UnaryFilter,
};

use super::sets::{is_exact, of_content, superset, union};
use super::{CONTENTS, ImageTable, ImageTest, Images, PositionRange};
use crate::analysis::{Analysis, Shape, conjuncts};
use crate::limits::{MAX_IMAGE_ALTERNATIVES, MAX_IMAGE_DEPTH};
use crate::prefilter::Prefilter;

/// The expressions at one place in all images. An inner transform gives several for each image.
pub(super) type ImageColumn<'e> = Vec<&'e Expr>;

pub(super) struct ImageDerivation<'a> {
    pub(super) analysis: &'a Analysis,
    /// Words that tables may still take.
    budget: &'a mut usize,
    /// Number of images.
    len: usize,
    /// The image to which each place of the columns belongs.
    owners: Vec<usize>,
    tables: usize,
    depth: usize,
    /// Whether a `move` sees only the followed move.
    pub(super) tied: bool,
}

impl Images {
    /// The tests of the images, if there are any. `tied`: they are evaluated together with a move,
    /// the only one that a `move` sees.
    pub(crate) fn of(
        images: ImageColumn<'_>,
        tied: bool,
        analysis: &Analysis,
        budget: &mut usize,
    ) -> Option<Images> {
        let len = images.len();
        let mut derivation = ImageDerivation {
            analysis,
            budget,
            len,
            owners: (0..len).collect(),
            tables: 0,
            depth: 0,
            tied,
        };
        let test = derivation.test(&images);
        (!test.is_nothing()).then_some(Images { len, test, tables: derivation.tables })
    }
}

/// A conjunction of the tests that are not trivial, the cheapest first.
pub(super) fn all(list: impl IntoIterator<Item = ImageTest>) -> ImageTest {
    let mut flat = Vec::new();
    for test in list {
        if let ImageTest::All(inner) = test {
            flat.extend(inner);
        } else if !test.is_nothing() {
            flat.push(test);
        }
    }
    flat.sort_by_key(ImageTest::cost);
    match flat.len() {
        0 => ImageTest::Nothing,
        1 => flat.remove(0),
        _ => ImageTest::All(flat),
    }
}

fn any(list: Vec<ImageTest>) -> ImageTest {
    if list.iter().any(ImageTest::is_nothing) {
        return ImageTest::Nothing;
    }
    ImageTest::Any(list)
}

/// The results of `pick` for the shape of each image, if it has one for all.
pub(super) fn each<'e, T>(
    column: &[&'e Expr],
    pick: impl Fn(Shape<'e>) -> Option<T>,
) -> Option<Vec<T>> {
    column.iter().map(|expr| pick(Shape::of(expr))).collect()
}

/// The columns of lists that have one length.
fn columns<'e>(lists: &[ImageColumn<'e>]) -> Option<Vec<ImageColumn<'e>>> {
    let len = lists.first()?.len();
    if lists.iter().any(|list| list.len() != len) {
        return None;
    }
    Some((0..len).map(|place| lists.iter().map(|list| list[place]).collect()).collect())
}

impl ImageDerivation<'_> {
    pub(super) fn is_pure(&self, column: &[&Expr]) -> bool {
        column.iter().all(|expr| self.analysis.effects(expr).is_pure())
    }

    /// The test without which a filter neither matches nor has an effect.
    pub(super) fn test(&mut self, column: &[&Expr]) -> ImageTest {
        let lists = column.iter().map(|expr| {
            let mut list = Vec::new();
            conjuncts([*expr], &mut list);
            list
        });
        let lists: Vec<ImageColumn<'_>> = lists.collect();
        let Some(columns) = columns(&lists) else {
            return ImageTest::Nothing;
        };
        self.conjunction(&columns)
    }

    /// The test of a conjunction: that of its filters up to the first with an effect.
    pub(super) fn conjunction(&mut self, columns: &[ImageColumn<'_>]) -> ImageTest {
        let mut tests = Vec::new();
        for column in columns {
            if !self.is_pure(column) {
                tests.push(self.before_effects(column));
                break;
            }
            tests.push(self.single(column));
        }
        all(tests)
    }

    /// The test without which a filter with an effect has none.
    fn before_effects(&mut self, column: &[&Expr]) -> ImageTest {
        let Some(&first) = column.first() else {
            return ImageTest::Nothing;
        };
        match Shape::of(first) {
            Shape::Line(_)
            | Shape::Path(_)
            | Shape::Find(_)
            | Shape::Echo(_)
            | Shape::Steps(_)
            | Shape::Or(..)
            | Shape::AnyOf(..) => self.single(column),
            Shape::Compare(..) => self.compared(column),
            // It makes its comment only if a move matches, after its operands are evaluated.
            Shape::Move(_) | Shape::Dash(_) if self.has_pure_operands(column) => {
                self.single(column)
            }
            // Without squares the body is not evaluated.
            Shape::ForEach(_) => {
                let set = |expr| if let Shape::ForEach(set) = expr { Some(set) } else { None };
                match each(column, set) {
                    Some(sets) if self.is_pure(&sets) => self.some(&sets),
                    Some(_) | None => ImageTest::Nothing,
                }
            }
            // A position without a value has no sort key.
            Shape::Sort(_) => {
                let value = |expr| if let Shape::Sort(value) = expr { Some(value) } else { None };
                match each(column, value) {
                    Some(values) if self.is_pure(&values) => self.test(&values),
                    Some(_) | None => ImageTest::Nothing,
                }
            }
            Shape::Conjunction
            | Shape::Not(_)
            | Shape::Condition(_)
            | Shape::Fen(_)
            | Shape::Pairs(_)
            | Shape::Move(_)
            | Shape::Dash(_)
            | Shape::Other => ImageTest::Nothing,
        }
    }

    /// Whether the operands of moves, which are evaluated first, have no effect.
    fn has_pure_operands(&self, column: &[&Expr]) -> bool {
        column.iter().all(|expr| {
            if let Shape::Move(found) = Shape::of(expr) {
                let sets = [&found.from, &found.to, &found.capture, &found.en_passant_square];
                sets.into_iter().flatten().all(|set| self.analysis.effects(set).is_pure())
            } else if let Shape::Dash(filter) = Shape::of(expr) {
                filter.dash.operands().all(|operand| self.analysis.effects(operand).is_pure())
            } else {
                false
            }
        })
    }

    /// The test of one filter.
    fn single(&mut self, column: &[&Expr]) -> ImageTest {
        let Some((&first, others)) = column.split_first() else {
            return ImageTest::Nothing;
        };
        // A test of the board that is the same for all images is made once.
        let same = || others.iter().all(|other| *other == first);
        match Shape::of(first) {
            Shape::Conjunction => self.test(column),
            Shape::Or(..) => {
                let left = |expr| if let Shape::Or(a, _) = expr { Some(a) } else { None };
                let right = |expr| if let Shape::Or(_, b) = expr { Some(b) } else { None };
                let (Some(a), Some(b)) = (each(column, left), each(column, right)) else {
                    return ImageTest::Nothing;
                };
                let list = vec![self.test(&a), self.test(&b)];
                any(list)
            }
            Shape::AnyOf(..) => self.orbit(column),
            Shape::Line(_) => self.line(column),
            Shape::Path(_) => self.path(column),
            Shape::Find(found) => self.find(column, found),
            Shape::Echo(_) => self.echo(column),
            Shape::Steps(_) => self.steps(column),
            Shape::Move(_) => self.moves(column),
            Shape::Dash(_) => self.dashes(column),
            Shape::Pairs(_) => self.pairs(column),
            Shape::Fen(_) => self.fen(column),
            Shape::Condition(_)
            | Shape::Not(_)
            | Shape::Compare(..)
            | Shape::ForEach(_)
            | Shape::Sort(_)
            | Shape::Other
                if same() =>
            {
                Prefilter::of([first], self.analysis)
                    .map_or(ImageTest::Nothing, ImageTest::Prefilter)
            }
            Shape::Condition(which) => {
                if let Condition::SideToMove(_) = which {
                    self.side_to_move(column)
                } else {
                    ImageTest::Nothing
                }
            }
            Shape::Not(_) => {
                let inner =
                    each(
                        column,
                        |expr| {
                            if let Shape::Not(inner) = expr { Some(inner) } else { None }
                        },
                    );
                inner
                    .filter(|inner| inner.iter().all(|inner| inner.ty == Type::Set))
                    .map_or(ImageTest::Nothing, |inner| self.absent(&inner))
            }
            Shape::Compare(relation, a, b) => {
                if let (ExprKind::Number(value), ExprKind::Unary(UnaryFilter::Count, _)) =
                    (&b.kind, &a.kind)
                {
                    self.counted(column, relation, *value)
                } else {
                    self.compared(column)
                }
            }
            Shape::ForEach(_) | Shape::Sort(_) | Shape::Other => {
                if first.ty == Type::Set {
                    self.some(column)
                } else {
                    ImageTest::Nothing
                }
            }
        }
    }

    /// One of the images of an inner transform.
    fn orbit(&mut self, column: &[&Expr]) -> ImageTest {
        if column.iter().all(|expr| expr.ty == Type::Set && is_exact(expr)) {
            return self.some(column);
        }
        let lists: Option<Vec<ImageColumn<'_>>> = each(column, |expr| {
            if let Shape::AnyOf(elements, _) = expr {
                Some(elements.iter().collect())
            } else {
                None
            }
        });
        let Some(lists) = lists else {
            return ImageTest::Nothing;
        };
        let few = lists.iter().all(|list| list.len() <= MAX_IMAGE_ALTERNATIVES);
        let Some(columns) = columns(&lists).filter(|_| few) else {
            // Each test holds for one of the alternatives.
            let mut owners = Vec::new();
            for (list, owner) in lists.iter().zip(&self.owners) {
                owners.extend(std::iter::repeat_n(*owner, list.len()));
            }
            let outer = std::mem::replace(&mut self.owners, owners);
            let test = self.test(&lists.concat());
            self.owners = outer;
            return test;
        };
        let list = columns.iter().map(|column| self.test(column)).collect();
        any(list)
    }

    /// The set is not empty.
    pub(super) fn some(&mut self, column: &[&Expr]) -> ImageTest {
        let mut tests = Vec::new();
        self.parts(column, &mut tests);
        let masks: Vec<_> = column.iter().map(|expr| superset(expr)).collect();
        tests.extend(self.table(&masks).map(ImageTest::Present));
        all(tests)
    }

    /// The tests of the operands of a set filter, besides that of its own value.
    fn parts(&mut self, column: &[&Expr], out: &mut Vec<ImageTest>) {
        if column.iter().all(|expr| is_exact(expr)) {
            return;
        }
        let lists: Option<Vec<ImageColumn<'_>>> =
            column.iter().map(|expr| set_operands(expr)).collect();
        for column in lists.as_deref().and_then(columns).into_iter().flatten() {
            let test = self.some(&column);
            out.push(test);
        }
    }

    /// The set is empty.
    fn absent(&mut self, column: &[&Expr]) -> ImageTest {
        if !column.iter().all(|expr| is_exact(expr)) {
            return ImageTest::Nothing;
        }
        self.empty(column.iter().map(|expr| superset(expr)))
    }

    /// No square has a content of the masks. Several masks of an image are intersected.
    fn empty(&mut self, masks: impl Iterator<Item = [u64; CONTENTS]>) -> ImageTest {
        let mut joined = vec![[!0; CONTENTS]; self.len];
        for (mask, &owner) in masks.zip(&self.owners) {
            for (sum, squares) in joined[owner].iter_mut().zip(mask) {
                *sum &= squares;
            }
        }
        let owners: Vec<usize> = (0..self.len).collect();
        let table = ImageTable::of(&joined, &owners, self.len, self.budget);
        table.map_or(ImageTest::Nothing, ImageTest::Absent)
    }

    pub(super) fn table(&mut self, masks: &[[u64; CONTENTS]]) -> Option<ImageTable> {
        ImageTable::of(masks, &self.owners, self.len, self.budget)
    }

    /// A condition on the number of squares of a set.
    fn counted(&mut self, column: &[&Expr], relation: ComparisonOperator, value: i32) -> ImageTest {
        let sets = each(column, |expr| {
            if let Shape::Compare(other, a, b) = expr
                && other == relation
                && let ExprKind::Unary(UnaryFilter::Count, set) = &a.kind
                && b.kind == ExprKind::Number(value)
            {
                Some(&**set)
            } else {
                None
            }
        });
        let Some(sets) = sets else {
            return ImageTest::Nothing;
        };
        match (relation, value) {
            (ComparisonOperator::Greater, 0..)
            | (ComparisonOperator::GreaterEqual | ComparisonOperator::Equal, 1..) => {
                self.some(&sets)
            }
            (ComparisonOperator::Equal | ComparisonOperator::LessEqual, 0)
            | (ComparisonOperator::Less, 1) => self.absent(&sets),
            _ => ImageTest::Nothing,
        }
    }

    /// Both operands of a comparison have a value.
    fn compared(&mut self, column: &[&Expr]) -> ImageTest {
        let lists: Option<Vec<ImageColumn<'_>>> = each(column, |expr| {
            // For `!=` a missing value is unequal. A set always has a value.
            if let Shape::Compare(relation, a, b) = expr
                && relation != ComparisonOperator::NotEqual
                && a.ty != Type::Set
            {
                Some(vec![a, b])
            } else {
                None
            }
        });
        let mut tests = Vec::new();
        for column in lists.as_deref().and_then(columns).into_iter().flatten() {
            let asks = |expr: &&Expr| {
                matches!(
                    expr.kind,
                    ExprKind::Sequence(_)
                        | ExprKind::Find(_)
                        | ExprKind::Line(_)
                        | ExprKind::Path(_)
                        | ExprKind::Orbit { result: OrbitResult::Max, .. }
                        | ExprKind::Compare(..)
                )
            };
            if column.iter().all(asks) {
                tests.push(self.test(&column));
            }
            if !self.is_pure(&column) {
                break;
            }
        }
        all(tests)
    }

    /// `:attackcount`, `:ray`
    fn pairs(&mut self, column: &[&Expr]) -> ImageTest {
        let lists: Option<Vec<ImageColumn<'_>>> = each(column, |expr| {
            if let Shape::Pairs(pairs) = expr
                && pairs.range.0 >= 1
            {
                Some(pairs.sets.iter().collect())
            } else {
                None
            }
        });
        let Some(columns) = lists.as_deref().and_then(columns) else {
            return ImageTest::Nothing;
        };
        let tests: Vec<ImageTest> = columns.iter().map(|column| self.some(column)).collect();
        all(tests)
    }

    /// Each designator holds on all its squares: they have no other content.
    fn fen(&mut self, column: &[&Expr]) -> ImageTest {
        let wrong = each(column, |expr| {
            let Shape::Fen(parts) = expr else {
                return None;
            };
            Some(parts.iter().fold([0; CONTENTS], |sum, &Designator { squares, content }| {
                union(sum, of_content(Content(!content.0), squares))
            }))
        });
        wrong.map_or(ImageTest::Nothing, |masks| self.empty(masks.into_iter()))
    }

    fn side_to_move(&self, column: &[&Expr]) -> ImageTest {
        let mut sides = [0, 1].map(|_| vec![0; self.len.div_ceil(64)]);
        for (expr, &image) in column.iter().zip(&self.owners) {
            let needed = if let Shape::Condition(Condition::SideToMove(side)) = Shape::of(expr) {
                [side == Color::White, side == Color::Black]
            } else {
                [true, true]
            };
            for (side, needed) in sides.iter_mut().zip(needed) {
                side[image / 64] |= u64::from(needed) << (image % 64);
            }
        }
        ImageTest::Side(sides)
    }

    fn find(&mut self, column: &[&Expr], first: &FindFilter) -> ImageTest {
        let bodies = each(column, |expr| {
            if let Shape::Find(find) = expr
                && find.backward == first.backward
                && needs_one(find.mode)
            {
                Some(&find.body)
            } else {
                None
            }
        });
        let Some(bodies) = bodies else {
            return ImageTest::Nothing;
        };
        let body = self.deeper(false, |this| this.test(&bodies));
        self.elsewhere(
            body,
            if first.backward { PositionRange::Earlier } else { PositionRange::Later },
        )
    }

    fn echo(&mut self, column: &[&Expr]) -> ImageTest {
        let bodies =
            each(column, |expr| if let Shape::Echo(echo) = expr { Some(&echo.body) } else { None });
        let Some(bodies) = bodies else {
            return ImageTest::Nothing;
        };
        let body = self.deeper(false, |this| this.test(&bodies));
        self.elsewhere(body, PositionRange::All)
    }

    /// Runs `f` for another position, unless the positions are nested too deeply.
    pub(super) fn deeper(
        &mut self,
        tied: bool,
        f: impl FnOnce(&mut Self) -> ImageTest,
    ) -> ImageTest {
        if self.depth == MAX_IMAGE_DEPTH {
            return ImageTest::Nothing;
        }
        let outer = std::mem::replace(&mut self.tied, tied);
        self.depth += 1;
        let test = f(self);
        self.depth -= 1;
        self.tied = outer;
        test
    }

    /// Here or at a position within range.
    pub(super) fn elsewhere(&mut self, test: ImageTest, range: PositionRange) -> ImageTest {
        if test.is_nothing() {
            return test;
        }
        let table = self.tables;
        self.tables += 1;
        ImageTest::Elsewhere { table, range, test: Box::new(test) }
    }
}

/// A test after the followed move.
pub(super) fn next(test: ImageTest) -> ImageTest {
    if test.is_nothing() { test } else { ImageTest::Next(Box::new(test)) }
}

/// The operands of a set filter, if its value is empty when one of them is.
fn set_operands(expr: &Expr) -> Option<ImageColumn<'_>> {
    if let ExprKind::Binary(
        BinaryFilter::Attacks
        | BinaryFilter::AttackedBy
        | BinaryFilter::Between
        | BinaryFilter::Intersection,
        a,
        b,
    ) = &expr.kind
    {
        Some(vec![a, b])
    } else if let ExprKind::Aligned(_, sets) = &expr.kind {
        Some(sets.iter().collect())
    } else if let ExprKind::NoTransform(set)
    | ExprKind::Direction { set, .. }
    | ExprKind::Unary(UnaryFilter::Light | UnaryFilter::Dark, set) = &expr.kind
    {
        Some(vec![set])
    } else {
        None
    }
}

/// Whether a search fails if it finds nothing.
fn needs_one(mode: FindMode) -> bool {
    use babson_lang::hir::{Bound, NumberRange};
    match mode {
        FindMode::First | FindMode::All => true,
        FindMode::Range(NumberRange { min: Bound::Const(min), max: Bound::Const(_) }) => min >= 1,
        FindMode::Range(_) => false,
    }
}
