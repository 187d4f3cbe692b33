//! `puremate`, `modelmate`, `idealmate` and the three for stalemate
//! (`docs/src/language/mates.md#who-takes-part`).

use babson_chess::attacks as table;
use babson_chess::{CastlingRights, Color, Kind, Square, SquareSet};
use babson_lang::hir::{Directions, Participants, PinValue};

use super::Contents;
use super::attacks::{attackers_to, attacks};
use super::between::between;
use super::legal6::{Moves, PairMoveKind};
use super::pin::pin;
use super::ray::ray;

/// What the board alone does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The side to move: the one that is mated or stalemated.
    pub turn: Color,
    /// The square that the previous move, a double push, crossed.
    pub en_passant: Option<Square>,
    /// Whether the game goes on from here (a null move, say): then it is not a stalemate.
    pub has_children: bool,
}

/// Returns the participants of the mate or stalemate. Empty if the condition fails.
///
/// `no_moves` returns whether the side to move has no legal move. It is called only if the cheaper
/// conditions hold.
pub fn participants(
    contents: &Contents,
    which: Participants,
    situation: Situation,
    no_moves: impl FnOnce() -> bool,
) -> SquareSet {
    let Some(scene) = Scene::new(contents, situation) else {
        return SquareSet::EMPTY;
    };
    use Participants::*;
    let is_mate = matches!(which, PureMate | ModelMate | IdealMate);
    let holds = if is_mate {
        scene.is_pure_mate()
    } else {
        !situation.has_children && scene.is_pure_stalemate()
    };
    if !holds || !no_moves() {
        return SquareSet::EMPTY;
    }
    let value = if is_mate { scene.mate_participants() } else { scene.stalemate_participants() };
    let mater = scene.mater;
    let must = match which {
        PureMate | PureStalemate => SquareSet::EMPTY,
        ModelMate | ModelStalemate => {
            let exempt = contents.pieces(mater, Kind::King) | contents.pieces(mater, Kind::Pawn);
            contents.color(mater) - exempt
        }
        IdealMate => contents.occupied(),
        IdealStalemate => contents.color(mater),
    };
    if must.is_subset(value) { value } else { SquareSet::EMPTY }
}

/// The words of section 14 for a mated king of either color.
struct Scene<'a> {
    contents: &'a Contents,
    situation: Situation,
    mated: Color,
    mater: Color,
    king: Square,
    /// F: the squares adjacent to the king.
    field: SquareSet,
    /// C: the pieces that give check.
    checkers: SquareSet,
}

impl<'a> Scene<'a> {
    fn new(contents: &'a Contents, situation: Situation) -> Option<Scene<'a>> {
        let mated = situation.turn;
        let mater = mated.not();
        let king = contents.king(mated)?;
        let checkers = attackers_to(contents, king, contents.occupied()) & contents.color(mater);
        let field = table::king(king);
        Some(Scene { contents, situation, mated, mater, king, field, checkers })
    }

    fn pinned(&self) -> SquareSet {
        let kings = self.contents.kind(Kind::King);
        pin(self.contents, SquareSet::ALL, SquareSet::ALL, kings, PinValue::Through)
    }

    /// G: how many pieces guard the square, if only through the mated king.
    fn guards(&self, square: Square, occupied: SquareSet) -> u32 {
        (attackers_to(self.contents, square, occupied) & self.contents.color(self.mater)).len()
    }

    fn pseudolegal(&self) -> Moves<'a, Contents> {
        let en_passant = self.situation.en_passant;
        Moves::new(self.contents, self.mated, CastlingRights::default(), en_passant, false)
    }

    fn is_pure_mate(&self) -> bool {
        if self.checkers.is_empty() {
            return false;
        }
        // A slider that gives check also guards what lies right behind the king.
        let occupied = self.contents.occupied() - self.king.into();
        let own = self.contents.color(self.mated);
        let one_checker = !self.checkers.is_many();
        for square in self.field - own {
            if self.guards(square, occupied) != 1 {
                return false;
            }
        }
        for square in self.field & own {
            let fits = match self.guards(square, occupied) {
                0 => true,
                1 => one_checker && self.only_held_by_pin(square),
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        one_checker || self.each_check_needed()
    }

    /// Whether the piece beside its king could parry the check but for a pin.
    fn only_held_by_pin(&self, square: Square) -> bool {
        let parry = self.checkers | between(self.checkers, self.king.into());
        let moves = self.pseudolegal();
        self.pinned().contains(square)
            && (moves.targets(square).intersects(parry)
                || !moves.for_each_special(square.into(), SquareSet::ALL, |found| {
                    !matches!(found.kind, PairMoveKind::EnPassant(_))
                }))
    }

    /// Whether, of several checks, the others could be parried without each.
    fn each_check_needed(&self) -> bool {
        let king = self.contents.pieces(self.mated, Kind::King);
        let free = self.contents.color(self.mated) - king - self.pinned();
        self.checkers.iter().all(|checker| {
            let others = self.checkers - checker.into();
            let parry = others | between(others, self.king.into());
            !attacks(self.contents, free, parry).is_empty()
        })
    }

    /// `from -> x -> to` for a piece x.
    fn stands_between(&self, from: SquareSet, piece: Square, to: SquareSet) -> bool {
        !ray(self.contents, Directions(0xff), true, true, &[from, piece.into(), to]).is_empty()
    }

    fn mate_participants(&self) -> SquareSet {
        let contents = self.contents;
        let (own, enemies) = (contents.color(self.mated), contents.color(self.mater));
        let enemy_king = contents.pieces(self.mater, Kind::King);
        let one_checker = !self.checkers.is_many();
        // R: where a move of the mated side would refute the mate.
        let refuting =
            enemy_king | self.checkers | between(self.checkers, SquareSet::of(self.king));
        let refuters = self.pseudolegal().origins(own, refuting);

        let mut value = self.checkers | attacks(contents, enemies, self.field);
        value |= self.pinned() & enemies;
        if one_checker {
            let king = SquareSet::of(self.king);
            value |= pin(contents, enemies, refuters, king, PinValue::From);
            for piece in enemies - value {
                if self.stands_between(refuters, piece, refuting) {
                    value.insert(piece);
                }
            }
        }
        value |= SquareSet::of(self.king) | (self.field & own);
        for piece in own - value {
            if self.stands_between(own, piece, enemy_king)
                || one_checker && self.stands_between(own, piece, refuting)
            {
                value.insert(piece);
            }
        }
        value
    }

    fn is_pure_stalemate(&self) -> bool {
        let contents = self.contents;
        let own = contents.color(self.mated);
        let occupied = contents.occupied();
        let pinned = self.pinned();
        self.checkers.is_empty()
            && self.field.iter().all(|square| {
                let free = own.contains(square) && !pinned.contains(square);
                self.guards(square, occupied) == if free { 0 } else { 1 }
            })
    }

    fn stalemate_participants(&self) -> SquareSet {
        let contents = self.contents;
        let enemies = contents.color(self.mater);
        let kings = contents.kind(Kind::King);
        let pinning = pin(contents, enemies, SquareSet::ALL, kings, PinValue::From);
        let guarding = attacks(contents, enemies, self.field);
        (self.pinned() & enemies) | pinning | guarding | contents.color(self.mated)
    }
}
