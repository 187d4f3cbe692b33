//! How games end that do not end as chess does.

use std::ops::ControlFlow;

use crate::movegen::Wanted;
use crate::{Color, Kind, Position, Rules, SquareSet, Variant, attacks};

/// A game's end by its variant's own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariantEnd {
    /// The colour has won.
    Win(Color),
    /// Nobody has won.
    Draw,
}

/// d4, e4, d5, e5.
const HILL: SquareSet = SquareSet(0x0000_0018_1800_0000);

impl Position {
    /// Whether and how the variant's own rule ends the game here. Mate, stalemate and draws of
    /// chess are no such ends, and standard chess and Chess960 have none.
    ///
    /// ```
    /// use babson_chess::{fen, Color, Variant, VariantEnd};
    /// let (position, rules) = fen::parse_variant("8/8/2k5/8/4K3/8/8/8 b", Variant::KingOfTheHill).unwrap();
    /// assert_eq!(position.variant_end(&rules), Some(VariantEnd::Win(Color::White)));
    /// assert_eq!(position.count_legal(&rules), 0);
    /// ```
    pub fn variant_end(&self, rules: &Rules) -> Option<VariantEnd> {
        if rules.variant.is_chess() {
            return None;
        }
        let end = self.end_on_board(rules);
        if end.is_some() {
            return end;
        }
        let us = self.side();
        match rules.variant {
            // Who cannot move has won, mated or not.
            Variant::Antichess | Variant::Losers => {
                (!self.has_legal_move(rules)).then_some(VariantEnd::Win(us))
            }
            Variant::Suicide if !self.has_legal_move(rules) => {
                let [white, black] = Color::ALL.map(|color| self.color(color).len());
                Some(match white.cmp(&black) {
                    std::cmp::Ordering::Less => VariantEnd::Win(Color::White),
                    std::cmp::Ordering::Equal => VariantEnd::Draw,
                    std::cmp::Ordering::Greater => VariantEnd::Win(Color::Black),
                })
            }
            _ => None,
        }
    }

    /// The ends that forbid every move: those that do not ask whether there is one.
    pub(super) fn end_on_board(&self, rules: &Rules) -> Option<VariantEnd> {
        let kings = self.kind(Kind::King);
        // If both have done it, the side that moved last was the first to profit.
        let wins = |reached: [bool; 2]| match reached {
            [false, false] => None,
            [true, false] => Some(VariantEnd::Win(Color::White)),
            [false, true] => Some(VariantEnd::Win(Color::Black)),
            [true, true] => Some(VariantEnd::Win(self.side().not())),
        };
        let draws = |reached: [bool; 2]| match reached {
            [true, true] => Some(VariantEnd::Draw),
            _ => wins(reached),
        };
        match rules.variant {
            Variant::Atomic => {
                wins(Color::ALL.map(|color| (kings & self.color(color.not())).is_empty()))
            }
            Variant::KingOfTheHill => {
                wins(Color::ALL.map(|color| (kings & self.color(color)).intersects(HILL)))
            }
            Variant::ThreeCheck => wins(Color::ALL.map(|color| self.checks_left(color) == 0)),
            Variant::Horde => draws(Color::ALL.map(|color| self.color(color.not()).is_empty())),
            Variant::Antichess | Variant::Suicide => {
                draws(Color::ALL.map(|color| self.color(color).is_empty()))
            }
            Variant::Losers => draws(Color::ALL.map(|color| {
                let men = self.color(color);
                men.is_subset(kings) && !men.is_many()
            })),
            Variant::RacingKings => {
                let goal = SquareSet::rank(7);
                let arrived = Color::ALL.map(|color| (kings & self.color(color)).intersects(goal));
                // White moves first: Black may draw level.
                match arrived {
                    [true, false] if self.side() == Color::Black && self.can_arrive(rules) => None,
                    _ => draws(arrived),
                }
            }
            Variant::Standard | Variant::Chess960 | Variant::Crazyhouse => None,
        }
    }

    /// Whether Black's king can step on the last rank.
    fn can_arrive(&self, rules: &Rules) -> bool {
        let kings = self.pieces(Color::Black, Kind::King);
        let reach = kings.iter().map(attacks::king);
        let to = reach.fold(SquareSet::rank(7), |to, reach| to & reach);
        let wanted = Wanted { legal: true, from: kings, to };
        !to.is_empty()
            && super::moves::unended(self, rules, wanted, &mut |_| ControlFlow::Break(()))
                .is_break()
    }
}
