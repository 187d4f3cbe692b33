//! The tests of `move` and of dashes: tables of the operands, for the move that they look at.

use babson_lang::hir::{Dash, Expr, MoveFilter, MoveResult, MoveSource};

use super::derive::{ImageColumn, ImageDerivation, all, each, next};
use super::sets::superset;
use super::{CONTENTS, ImageTable, ImageTest, MoveTest};
use crate::analysis::Shape;

impl ImageDerivation<'_> {
    pub(super) fn moves(&mut self, column: &[&Expr]) -> ImageTest {
        let moves =
            each(column, |expr| if let Shape::Move(found) = expr { Some(found) } else { None });
        let moves = moves.filter(|all| all.iter().all(|one| one.result != MoveResult::Count));
        let Some((first, moves)) = moves.as_ref().and_then(|all| Some((all.first()?, all))) else {
            return ImageTest::Nothing;
        };
        if moves.iter().any(|found| found.source != first.source) {
            return ImageTest::Nothing;
        }
        let (source, tied) = (first.source, self.tied);
        if source.is_reverse() {
            return ImageTest::Nothing;
        }
        if source.is_generated() {
            let from: Option<ImageColumn<'_>> =
                moves.iter().map(|found| found.from.as_ref()).collect();
            let to: Option<ImageColumn<'_>> = moves.iter().map(|found| found.to.as_ref()).collect();
            let mut tests = Vec::new();
            for sets in [from, to].into_iter().flatten() {
                tests.push(self.some(&sets));
            }
            return all(tests);
        }
        let mut table = |pick: fn(&MoveFilter) -> &Option<Expr>| {
            let sets: Vec<Option<&Expr>> = moves.iter().map(|m| pick(m).as_ref()).collect();
            self.operand(&sets)
        };
        let test = MoveTest {
            from: table(|found| &found.from),
            to: table(|found| &found.to),
            capture: table(|found| &found.capture),
            tied,
            previous: source == MoveSource::Previous,
            rook: false,
        };
        ImageTest::Move(Box::new(test))
    }

    /// The table of an operand of a move. A missing operand matches all squares.
    fn operand(&mut self, sets: &[Option<&Expr>]) -> Option<ImageTable> {
        let masks: Vec<_> = sets.iter().map(|set| set.map_or([!0; CONTENTS], superset)).collect();
        self.table(&masks)
    }

    pub(super) fn dashes(&mut self, column: &[&Expr]) -> ImageTest {
        let filters =
            each(column, |expr| if let Shape::Dash(filter) = expr { Some(filter) } else { None });
        let Some(filters) = filters.filter(|all| all.iter().all(|filter| !filter.count)) else {
            return ImageTest::Nothing;
        };
        let previous = filters.iter().any(|filter| filter.previous);
        if previous && !filters.iter().all(|filter| filter.previous) {
            return ImageTest::Nothing;
        }
        let dashes: Vec<&Dash> = filters.iter().map(|filter| &filter.dash).collect();
        let step = self.dash(&dashes, previous);
        if previous {
            return step;
        }
        let targets: Option<ImageColumn<'_>> =
            filters.iter().map(|filter| filter.target.as_ref()).collect();
        let after = match targets {
            Some(targets) => self.deeper(false, |this| this.test(&targets)),
            None => ImageTest::Nothing,
        };
        ImageTest::Here(Box::new(all([step, next(after)])))
    }

    /// The test of a dash on the followed move.
    pub(super) fn dash(&mut self, dashes: &[&Dash], previous: bool) -> ImageTest {
        let left: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.left.as_ref()).collect();
        let right: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.right.as_ref()).collect();
        let (from, right) = (self.operand(&left), self.operand(&right));
        let capture = dashes.iter().all(|dash| dash.capture);
        let plain = dashes.iter().all(|dash| !dash.capture);
        let mut test =
            MoveTest { from, to: None, capture: None, tied: true, previous, rook: plain };
        if capture {
            test.capture = right;
        } else if plain {
            test.to = right;
        }
        ImageTest::Move(Box::new(test))
    }
}
