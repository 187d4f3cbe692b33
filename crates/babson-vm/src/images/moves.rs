//! The tests of `move` and of dashes: tables of the operands, for the move that they look at.

use babson_lang::hir::{Expr, MoveFilter};

use super::chains::here;
use super::derive::{ImageDerivation, all, each, next};
use super::{ImageTable, ImageTest, MoveTest};
use crate::need::{CONTENTS, MoveKind, MoveNeed, Need, superset};

impl ImageDerivation<'_> {
    pub(super) fn moves(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let moves =
            each(column, |need| if let Need::Move(found) = need { Some(found) } else { None });
        let Some(moves) = moves else {
            return ImageTest::Nothing;
        };
        let step = self.step(&moves);
        let is_dash = |found: &&&MoveNeed<'_>| matches!(found.kind, MoveKind::Dash(_));
        if moves.iter().any(|found| found.previous) || !moves.iter().all(|m| is_dash(&m)) {
            return step;
        }
        let targets: Vec<&Need<'_>> = moves.iter().map(|found| &*found.after).collect();
        let after = self.deeper(false, |this| this.test(&targets));
        here(all([step, next(after)]))
    }

    /// The test of the move itself.
    pub(super) fn step(&mut self, moves: &[&MoveNeed<'_>]) -> ImageTest {
        let Some(first) = moves.first() else {
            return ImageTest::Nothing;
        };
        if moves.iter().any(|found| found.previous != first.previous) {
            return ImageTest::Nothing;
        }
        let filters = moves.iter().map(|found| match found.kind {
            MoveKind::Filter(filter) => Some(filter),
            MoveKind::Dash(_) => None,
        });
        let dashes = moves.iter().map(|found| match found.kind {
            MoveKind::Dash(dash) => Some(dash),
            MoveKind::Filter(_) => None,
        });
        if let Some(filters) = filters.collect::<Option<Vec<_>>>() {
            return match filters.iter().all(|filter| !filter.source.is_generated()) {
                true => self.played(&filters, first.previous),
                false => {
                    let operands: Vec<&Need<'_>> =
                        moves.iter().map(|found| &*found.operands).collect();
                    self.test(&operands)
                }
            };
        }
        let Some(dashes) = dashes.collect::<Option<Vec<_>>>() else {
            return ImageTest::Nothing;
        };
        let left: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.left.as_ref()).collect();
        let right: Vec<Option<&Expr>> = dashes.iter().map(|dash| dash.right.as_ref()).collect();
        let (from, right) = (self.operand(&left), self.operand(&right));
        let capture = dashes.iter().all(|dash| dash.capture);
        let plain = dashes.iter().all(|dash| !dash.capture);
        let mut test = MoveTest {
            from,
            to: None,
            capture: None,
            tied: true,
            previous: first.previous,
            rook: plain,
        };
        if capture {
            test.capture = right;
        } else if plain {
            test.to = right;
        }
        ImageTest::Move(Box::new(test))
    }

    fn played(&mut self, filters: &[&MoveFilter], previous: bool) -> ImageTest {
        let mut table = |pick: fn(&MoveFilter) -> &Option<Expr>| {
            let sets: Vec<Option<&Expr>> = filters.iter().map(|m| pick(m).as_ref()).collect();
            self.operand(&sets)
        };
        let (from, to, capture) =
            (table(|found| &found.from), table(|found| &found.to), table(|found| &found.capture));
        let tied = self.tied;
        ImageTest::Move(Box::new(MoveTest { from, to, capture, tied, previous, rook: false }))
    }

    /// The table of an operand of a move. A missing operand matches all squares.
    fn operand(&mut self, sets: &[Option<&Expr>]) -> Option<ImageTable> {
        let masks: Vec<_> = sets.iter().map(|set| set.map_or([!0; CONTENTS], superset)).collect();
        self.table(&masks)
    }
}
