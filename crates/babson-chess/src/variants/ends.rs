//! The ends of games by the rules of variants.

use std::ops::ControlFlow;

use crate::movegen::MoveSelection;
use crate::{Color, Kind, Position, Rules, SquareSet, Variant, attacks};

/// The end of a game by the rule of its variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariantEnd {
    /// The color has won.
    Win(Color),
    /// The game is drawn.
    Draw,
}

/// d4, e4, d5, e5.
const HILL: SquareSet = SquareSet(0x0000_0018_1800_0000);

impl Position {
    /// The end of the game by the rule of the variant, if this position ends it. Mate, stalemate
    /// and the draws of chess do not count, so standard chess and Chess960 have no such end.
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
            // A side without a move has won, mated or not.
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
            Variant::Suicide
            | Variant::Standard
            | Variant::Chess960
            | Variant::Atomic
            | Variant::Crazyhouse
            | Variant::Horde
            | Variant::KingOfTheHill
            | Variant::RacingKings
            | Variant::ThreeCheck => None,
        }
    }

    /// The ends that the board alone shows, whether or not there are moves. After them no move is
    /// legal.
    pub(super) fn end_on_board(&self, rules: &Rules) -> Option<VariantEnd> {
        let kings = self.kind(Kind::King);
        // If both sides have reached the goal, the side that moved last has won.
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
                let pieces = self.color(color);
                pieces.is_subset(kings) && !pieces.is_many()
            })),
            Variant::RacingKings => {
                let goal = SquareSet::rank(7);
                let arrived = Color::ALL.map(|color| (kings & self.color(color)).intersects(goal));
                // White moves first, so Black may still reach the last rank with the next move.
                match arrived {
                    [true, false] if self.side() == Color::Black && self.can_arrive(rules) => None,
                    _ => draws(arrived),
                }
            }
            Variant::Standard | Variant::Chess960 | Variant::Crazyhouse => None,
        }
    }

    /// Whether the king of Black can move to the last rank.
    fn can_arrive(&self, rules: &Rules) -> bool {
        let kings = self.pieces(Color::Black, Kind::King);
        let reach = kings.iter().map(attacks::king);
        let to = reach.fold(SquareSet::rank(7), |to, reach| to & reach);
        let selection = MoveSelection { legal: true, from: kings, to };
        !to.is_empty()
            && super::moves::groups_before_end(self, rules, selection, &mut |_| {
                ControlFlow::Break(())
            })
            .is_break()
    }
}
