//! What moves need: `move`, dashes, `path`.

use babson_chess::Kind;
use babson_lang::hir::{
    Content, Dash, DashFilter, Expr, Focus, MoveFilter, MoveResult, NumberRange, PathConstituent,
    PathConstituentKind, PathFilter, Promotion,
};
use babson_pgn::GameFlags;

use super::derive::{GuardDerivation, castling, join};
use super::{GameSet, GameTest};
use crate::images::CONTENTS;

impl GuardDerivation<'_> {
    pub(super) fn move_filter(&mut self, filter: &MoveFilter) -> Vec<GameTest> {
        let MoveFilter { from, to, capture, en_passant_square, .. } = filter;
        let sets = [from, to, capture, en_passant_square].into_iter().flatten();
        let counts = filter.result == MoveResult::Count;
        if counts || filter.source.is_reverse() || !sets.clone().all(|set| self.is_quiet(set)) {
            return Vec::new();
        }
        let mut tests = Vec::new();
        if filter.source.is_generated() {
            for set in [from, to].into_iter().flatten() {
                join(&mut tests, self.some(set));
            }
            return tests;
        }
        for set in sets {
            join(&mut tests, self.some(set));
        }
        let flags = [
            (filter.castle.is_some(), filter.castle.map_or(GameFlags::default(), castling)),
            (filter.promote.is_some(), promotions(filter.promote.unwrap_or(0))),
            (filter.en_passant || en_passant_square.is_some(), GameFlags::EN_PASSANT),
            (filter.null || filter.drop, GameFlags::ODD_MOVE),
            (filter.secondary, GameFlags::VARIATIONS),
        ];
        let asked = flags.into_iter().filter(|flag| flag.0);
        join(&mut tests, asked.map(|flag| GameTest::Flags(flag.1)).collect());
        join(&mut tests, self.moved(from.as_ref(), to.as_ref(), false));
        join(&mut tests, self.moved(from.as_ref(), capture.as_ref(), true));
        tests
    }

    pub(super) fn dash_filter(&mut self, filter: &DashFilter) -> Vec<GameTest> {
        if filter.count || !filter.dash.operands().all(|operand| self.is_quiet(operand)) {
            return Vec::new();
        }
        let mut tests = self.dash(&filter.dash);
        if let Some(target) = &filter.target {
            join(&mut tests, self.conjunction([target]));
        }
        tests
    }

    fn dash(&mut self, dash: &Dash) -> Vec<GameTest> {
        let mut tests = Vec::new();
        for set in [&dash.left, &dash.right].into_iter().flatten() {
            join(&mut tests, self.some(set));
        }
        if let Some(Promotion::Kinds(kinds)) = dash.promotion {
            join(&mut tests, vec![GameTest::Flags(promotions(kinds))]);
        }
        join(&mut tests, self.moved(dash.left.as_ref(), dash.right.as_ref(), dash.capture));
        tests
    }

    /// After a move from one set to the other, a piece of the first stands on a square of the
    /// second, or what a pawn promoted to. With `capture`, the second set is about the captured
    /// piece. In some variants the piece explodes or comes from nowhere.
    fn moved(&self, from: Option<&Expr>, to: Option<&Expr>, capture: bool) -> Vec<GameTest> {
        let Some(to) = to.map(|to| self.set(to)) else {
            return Vec::new();
        };
        let squares = to.pieces.iter().fold(to.empty, |sum, part| sum | part.1);
        if squares == !0 {
            return Vec::new();
        }
        let contents = from.map_or(Content::ANY.0, |from| {
            self.set(from).pieces.iter().fold(0, |sum, part| sum | 1 << part.0)
        });
        let mut masks = [0; CONTENTS];
        for (piece, mask) in masks.iter_mut().take(12).enumerate() {
            let is_white = piece < 6;
            let (pawn, last_rank) = if is_white { (0, 0xff << 56) } else { (6, 0xff) };
            if contents >> piece & 1 != 0 {
                *mask = squares;
            } else if contents >> pawn & 1 != 0 {
                *mask = squares & last_rank;
            }
        }
        let set = GameSet::of_masks(masks, false);
        // The test of the second set itself may say as much.
        let is_implied = to.empty == 0
            && to.pieces.iter().all(|&(piece, mask)| mask & !masks[usize::from(piece)] == 0);
        if set.is_anywhere() || is_implied {
            return Vec::new();
        }
        let exceptions =
            GameFlags::VARIANT | if capture { GameFlags::EN_PASSANT } else { GameFlags::default() };
        vec![GameTest::Any(vec![vec![GameTest::Some(set)], vec![GameTest::Flags(exceptions)]])]
    }

    pub(super) fn path(&mut self, path: &PathFilter) -> Vec<GameTest> {
        let mut tests = Vec::new();
        if !path.range.is_none_or(NumberRange::is_constant) {
            return tests;
        }
        if let Some(Focus::Pieces { set, .. }) = &path.focus {
            if !self.is_quiet(set) {
                return tests;
            }
            tests = self.some(set);
        }
        self.constituents(&path.constituents, &mut tests);
        tests
    }

    /// The constituents of a path that must match. Returns whether what follows is a condition,
    /// too.
    fn constituents(&mut self, list: &[PathConstituent], tests: &mut Vec<GameTest>) -> bool {
        for constituent in list {
            let required = constituent.repeat.is_none_or(|(min, _)| min > 0);
            let mut ignored = Vec::new();
            let tests = if required { &mut *tests } else { &mut ignored };
            let goes_on = match &constituent.kind {
                PathConstituentKind::Holder(filter) => {
                    join(tests, self.conjunction([&**filter]));
                    self.is_quiet(filter)
                }
                PathConstituentKind::Chain(inner) => self.constituents(inner, tests),
                PathConstituentKind::Step { dash, targets } => self.step(dash, targets, tests),
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    fn step(&mut self, dash: &Dash, targets: &[Expr], tests: &mut Vec<GameTest>) -> bool {
        if !dash.operands().all(|operand| self.is_quiet(operand)) {
            return false;
        }
        join(tests, self.dash(dash));
        join(tests, self.conjunction(targets));
        targets.iter().all(|target| self.is_quiet(target))
    }
}

/// The flags of promotions to the kinds of a bit set.
fn promotions(kinds: u8) -> GameFlags {
    let all = [
        (Kind::Knight, GameFlags::KNIGHT_PROMOTION),
        (Kind::Bishop, GameFlags::BISHOP_PROMOTION),
        (Kind::Rook, GameFlags::ROOK_PROMOTION),
        (Kind::Queen, GameFlags::QUEEN_PROMOTION),
        (Kind::Pawn, GameFlags::ODD_MOVE),
        (Kind::King, GameFlags::ODD_MOVE),
    ];
    let chosen = all.into_iter().filter(|(kind, _)| kinds >> kind.index() & 1 != 0);
    chosen.fold(GameFlags::default(), |sum, (_, flags)| sum | flags)
}
