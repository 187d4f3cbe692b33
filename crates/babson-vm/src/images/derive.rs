//! Turns what the images of a filter need into tests of all images.
//!
//! All images are walked at the same time. A *column* is the list of the needs at one place in all
//! images. A column of needs of different kinds gives no test.

use babson_lang::hir::{Color, ComparisonOperator, Condition, Content, Designator, Expr, ExprKind};

use super::{ImageTable, ImageTest, Images};
use crate::analysis::{Analysis, conjuncts, least_passing};
use crate::limits::{MAX_IMAGE_ALTERNATIVES, MAX_IMAGE_DEPTH};
use crate::need::{
    CONTENTS, Elsewhere, Need, PositionRange, is_exact, of_content, superset, union,
};
use crate::prefilter::Prefilter;

pub(super) struct ImageDerivation<'a> {
    analysis: &'a Analysis,
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
        images: &[Expr],
        tied: bool,
        analysis: &Analysis,
        budget: &mut usize,
    ) -> Option<Images> {
        let len = images.len();
        let needs: Vec<Need<'_>> = images.iter().map(|image| Need::of([image], analysis)).collect();
        let mut derivation = ImageDerivation {
            analysis,
            budget,
            len,
            owners: (0..len).collect(),
            tables: 0,
            depth: 0,
            tied,
        };
        let test = derivation.test(&needs.iter().collect::<Vec<_>>());
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

/// The results of `pick` for the need of each image, if it has one for all.
pub(super) fn each<'n, 'e: 'n, T>(
    column: &[&'n Need<'e>],
    pick: impl Fn(&'n Need<'e>) -> Option<T>,
) -> Option<Vec<T>> {
    column.iter().map(|need| pick(need)).collect()
}

/// The columns of lists that have one length.
fn columns<T: Copy>(lists: &[Vec<T>]) -> Option<Vec<Vec<T>>> {
    let len = lists.first()?.len();
    if lists.iter().any(|list| list.len() != len) {
        return None;
    }
    Some((0..len).map(|place| lists.iter().map(|list| list[place]).collect()).collect())
}

impl ImageDerivation<'_> {
    /// The test of what each image needs.
    pub(super) fn test(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let Some((&first, others)) = column.split_first() else {
            return ImageTest::Nothing;
        };
        match first {
            Need::All(_) => {
                let lists = each(column, |need| {
                    if let Need::All(list) = need { Some(list.iter().collect()) } else { None }
                });
                let columns = lists.as_deref().and_then(columns).unwrap_or_default();
                all(columns.iter().map(|column| self.test(column)).collect::<Vec<_>>())
            }
            Need::Any(_) => {
                let lists = each(column, |need| {
                    if let Need::Any(list) = need { Some(list.iter().collect()) } else { None }
                });
                lists.map_or(ImageTest::Nothing, |lists| self.alternatives(&lists))
            }
            Need::Pattern(..) => self.patterns(column),
            Need::Move(_) => self.moves(column),
            Need::Chain(_) => self.chain(column),
            Need::Elsewhere(search) => self.search(column, search.range),
            Need::Covers(_) => self.covers(column),
            Need::Tags(..) => {
                let others =
                    each(
                        column,
                        |need| {
                            if let Need::Tags(_, need) = need { Some(&**need) } else { None }
                        },
                    );
                others.map_or(ImageTest::Nothing, |others| self.test(&others))
            }
            // A test of the board that is the same for all images is made once.
            Need::Never
            | Need::Condition(_)
            | Need::NotCheck
            | Need::Count { .. }
            | Need::Sum(_)
            | Need::Attacks { .. }
            | Need::Attacked { .. }
            | Need::Ray { .. }
            | Need::Moves { .. }
                if others.iter().all(|other| *other == first) =>
            {
                Prefilter::of_need(first, self.analysis)
                    .map_or(ImageTest::Nothing, ImageTest::Prefilter)
            }
            Need::Condition(Condition::SideToMove(_)) => self.side_to_move(column),
            Need::Count { relation, value, .. } => self.counted(column, *relation, *value),
            Need::Attacks { .. } | Need::Attacked { .. } | Need::Ray { .. } => {
                self.operands(column)
            }
            Need::Unknown
            | Need::Never
            | Need::Condition(_)
            | Need::NotCheck
            | Need::Sum(_)
            | Need::Moves { .. }
            | Need::Ply { .. }
            | Need::Glyph
            | Need::InGame(_) => ImageTest::Nothing,
        }
    }

    /// One of the alternatives of each image.
    fn alternatives(&mut self, lists: &[Vec<&Need<'_>>]) -> ImageTest {
        let few = lists.iter().all(|list| list.len() <= MAX_IMAGE_ALTERNATIVES);
        if let Some(columns) = columns(lists).filter(|_| few) {
            return any(columns.iter().map(|column| self.test(column)).collect());
        }
        // Each test holds for one of the alternatives.
        let mut owners = Vec::new();
        for (list, owner) in lists.iter().zip(&self.owners) {
            owners.extend(std::iter::repeat_n(*owner, list.len()));
        }
        let outer = std::mem::replace(&mut self.owners, owners);
        let test = self.test(&lists.concat());
        self.owners = outer;
        test
    }

    /// One of the images of an inner transform, which are conjunctions of designators.
    fn patterns(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let lists = each(column, |need| {
            if let Need::Pattern(elements, _) = need { Some(*elements) } else { None }
        });
        let Some(lists) = lists else {
            return ImageTest::Nothing;
        };
        // Alternatives that are single designators are one set.
        let masks: Option<Vec<_>> = lists.iter().map(|elements| union_of(elements)).collect();
        if let Some(masks) = masks {
            return self.table(&masks).map_or(ImageTest::Nothing, ImageTest::Present);
        }
        let analysis = self.analysis;
        let need = |element| Need::of([element], analysis);
        let needs: Vec<Vec<Need<'_>>> =
            lists.iter().map(|&elements| elements.iter().map(need).collect()).collect();
        let lists: Vec<Vec<&Need<'_>>> = needs.iter().map(|list| list.iter().collect()).collect();
        self.alternatives(&lists)
    }

    /// The sets of attacks and rays are not empty.
    fn operands(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let lists: Option<Vec<Vec<&Expr>>> = each(column, |need| {
            if let Need::Attacks { from: a, to: b, .. } | Need::Attacked { targets: a, by: b, .. } =
                need
            {
                Some(vec![*a, *b])
            } else if let Need::Ray { sets, .. } = need {
                Some(sets.iter().collect())
            } else {
                None
            }
        });
        let columns = lists.as_deref().and_then(columns).unwrap_or_default();
        all(columns.iter().map(|sets| self.some(sets)).collect::<Vec<_>>())
    }

    /// The set is not empty.
    fn some(&mut self, sets: &[&Expr]) -> ImageTest {
        let masks: Vec<_> = sets.iter().map(|set| superset(set)).collect();
        self.table(&masks).map_or(ImageTest::Nothing, ImageTest::Present)
    }

    /// The set is empty.
    fn absent(&mut self, sets: &[&Expr]) -> ImageTest {
        if !sets.iter().all(|set| is_exact(set)) {
            return ImageTest::Nothing;
        }
        self.empty(sets.iter().map(|set| superset(set)))
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
    fn counted(
        &mut self,
        column: &[&Need<'_>],
        relation: ComparisonOperator,
        value: i32,
    ) -> ImageTest {
        let sets = each(column, |need| {
            if let Need::Count { set, relation: other, value: number } = need
                && *other == relation
                && *number == value
            {
                Some(*set)
            } else {
                None
            }
        });
        let Some(sets) = sets else {
            return ImageTest::Nothing;
        };
        if least_passing(relation, value).is_some() {
            return self.some(&sets);
        }
        match (relation, value) {
            (ComparisonOperator::Equal | ComparisonOperator::LessEqual, 0)
            | (ComparisonOperator::Less, 1) => self.absent(&sets),
            _ => ImageTest::Nothing,
        }
    }

    /// Each designator holds on all its squares: they have no other content.
    fn covers(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let wrong = each(column, |need| {
            let Need::Covers(parts) = need else {
                return None;
            };
            Some(parts.iter().fold([0; CONTENTS], |sum, &Designator { squares, content }| {
                union(sum, of_content(Content(!content.0), squares))
            }))
        });
        wrong.map_or(ImageTest::Nothing, |masks| self.empty(masks.into_iter()))
    }

    fn side_to_move(&self, column: &[&Need<'_>]) -> ImageTest {
        let mut sides = [0, 1].map(|_| vec![0; self.len.div_ceil(64)]);
        for (need, &image) in column.iter().zip(&self.owners) {
            let needed = if let Need::Condition(Condition::SideToMove(side)) = need {
                [*side == Color::White, *side == Color::Black]
            } else {
                [true, true]
            };
            for (side, needed) in sides.iter_mut().zip(needed) {
                side[image / 64] |= u64::from(needed) << (image % 64);
            }
        }
        ImageTest::Side(sides)
    }

    /// `find` and `echo`.
    fn search(&mut self, column: &[&Need<'_>], range: PositionRange) -> ImageTest {
        let bodies = each(column, |need| {
            if let Need::Elsewhere(Elsewhere { range: other, body, .. }) = need
                && *other == range
            {
                Some(&**body)
            } else {
                None
            }
        });
        let Some(bodies) = bodies else {
            return ImageTest::Nothing;
        };
        let body = self.deeper(false, |this| this.test(&bodies));
        self.elsewhere(body, range)
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

/// The squares of all alternatives, if each is a single designator.
fn union_of(elements: &[Expr]) -> Option<[u64; CONTENTS]> {
    let mut sum = [0; CONTENTS];
    for element in elements {
        let mut filters = Vec::new();
        conjuncts([element], &mut filters);
        let [Expr { kind: ExprKind::Designator(found), .. }] = filters[..] else {
            return None;
        };
        sum = union(sum, of_content(found.content, found.squares));
    }
    Some(sum)
}

/// A test after the followed move.
pub(super) fn next(test: ImageTest) -> ImageTest {
    if test.is_nothing() { test } else { ImageTest::Next(Box::new(test)) }
}
