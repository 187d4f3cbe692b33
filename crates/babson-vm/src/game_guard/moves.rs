//! What moves need: `move`, dashes, the steps of `path`.

use babson_chess::Kind;
use babson_lang::hir::{Content, Dash, Expr, MoveFilter, Promotion};
use babson_pgn::GameFlags;

use super::derive::{GuardDerivation, castling, join};
use super::{GameSet, GameTest};
use crate::need::{CONTENTS, MoveKind, MoveNeed};

impl GuardDerivation<'_> {
    pub(super) fn moves(&mut self, found: &MoveNeed<'_>) -> Vec<GameTest> {
        let mut tests = self.conditions(&found.operands);
        let own = match found.kind {
            MoveKind::Filter(filter) => self.played(filter),
            MoveKind::Dash(dash) => self.dash(dash),
        };
        join(&mut tests, own);
        join(&mut tests, self.conditions(&found.after));
        tests
    }

    fn played(&self, filter: &MoveFilter) -> Vec<GameTest> {
        let mut tests = Vec::new();
        if filter.source.is_generated() {
            return tests;
        }
        let MoveFilter { from, to, capture, en_passant_square, .. } = filter;
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

    fn dash(&self, dash: &Dash) -> Vec<GameTest> {
        let mut tests = Vec::new();
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
