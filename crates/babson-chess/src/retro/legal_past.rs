//! Whether the position before a retraction is legal. For most retractions the test needs no board.

use super::reverse_move::{ReverseMove, ReverseSpecial};
use crate::{Color, Kind, Position, Square, SquareSet, attacks};

/// The ranks of the initial array.
const OUTER_RANKS: SquareSet = SquareSet(0xffff_0000_0000_ffff);

/// What the position after the last move tells about the legality of the one before.
pub(super) struct LegalPast {
    material: Material,
    /// The side that made the move.
    us: Color,
    /// The king of the side to move, which must not be attacked before the move.
    king: Square,
    /// The pieces that attack it now.
    checkers: SquareSet,
    /// Whether every position before needs a full test.
    doubtful: bool,
}

impl LegalPast {
    /// `None` if no position before is legal.
    pub(super) fn of(position: &Position) -> Option<LegalPast> {
        let (us, them) = (position.side().not(), position.side());
        let [ours, king] = [position.king(us)?, position.king(them)?];
        let occupied = position.occupied();
        if position.kind(Kind::Pawn).intersects(SquareSet::BACK_RANKS) {
            return None;
        }
        // The position before may be the initial array, where Black cannot be to move.
        let initial = us == Color::Black && (occupied & OUTER_RANKS).len() >= 31;
        // In some variants a king may be left attacked.
        let attacked = !position.attackers_of(them, ours, occupied).is_empty();
        Some(LegalPast {
            material: Material::of(position),
            us,
            king,
            checkers: position.attackers_of(us, king, occupied),
            doubtful: initial || attacked,
        })
    }

    /// Whether promotions explain the numbers of pieces before the move.
    pub(super) fn explains_pieces(&self, mv: ReverseMove) -> bool {
        self.material.allows(mv)
    }

    /// Whether the position before the move needs a full test. Before any other move, at most one
    /// piece attacks the king of the side that moves: the captured piece, or one whose line the
    /// moved piece closed.
    pub(super) fn is_doubtful(&self, mv: ReverseMove) -> bool {
        self.doubtful || mv.kind == Kind::King || mv.special == ReverseSpecial::EnPassant
    }

    /// The origins from which the moved piece of the kind, now on `to`, left the king of the side
    /// to move unattacked before its move. `occupied`: the other squares that were occupied then;
    /// `to` is among them if there was a capture. All squares for a king, whose retractions get the
    /// full test.
    pub(super) fn origins(
        &self,
        position: &Position,
        kind: Kind,
        to: Square,
        occupied: SquareSet,
    ) -> SquareSet {
        if kind == Kind::King {
            return SquareSet::ALL;
        }
        let others = match occupied.contains(to) {
            true => self.checkers,
            false => position.attackers_of(self.us, self.king, occupied),
        };
        // Each other attacker must be a slider whose line the move opened.
        let closing = (others - SquareSet::of(to))
            .iter()
            .fold(SquareSet::ALL, |set, other| set & attacks::between(self.king, other));
        closing - attacks::of(kind, self.us.not(), self.king, occupied)
    }
}

/// Which captures and promotions explain the numbers of pieces: before a legal retraction neither
/// color has more extra pieces than missing pawns, whatever the color of the squares of its bishops
/// (`docs/src/retro.md#retractions`).
struct Material {
    /// Whether the pieces of the side to move are explained if nothing was captured.
    theirs: bool,
    /// Bit by kind: whether they are explained if a piece of this kind was captured.
    captures: u8,
    /// Whether the pieces of the other side are explained if the last move was not a promotion.
    ours: bool,
    /// Bit by kind: whether they are explained if the last move was a promotion to this kind.
    promotions: u8,
}

impl Material {
    fn of(position: &Position) -> Material {
        let them = position.side();
        let theirs = PieceCounts::of(position, them);
        let ours = PieceCounts::of(position, them.not());
        Material {
            theirs: theirs.unexplained <= 0,
            captures: theirs.kinds(PieceCounts::with),
            ours: ours.unexplained <= 0,
            promotions: ours.kinds(PieceCounts::before_promotion),
        }
    }

    /// Whether promotions explain the numbers of pieces before the move.
    fn allows(&self, mv: ReverseMove) -> bool {
        let theirs = match mv.captured {
            Some(kind) => self.captures >> kind.index() & 1 != 0,
            None => self.theirs,
        };
        let ours = match mv.special {
            ReverseSpecial::Promotion(kind) => self.promotions >> kind.index() & 1 != 0,
            ReverseSpecial::None | ReverseSpecial::EnPassant | ReverseSpecial::Castling(_) => {
                self.ours
            }
        };
        theirs && ours
    }
}

/// The numbers of the pieces of a color.
struct PieceCounts {
    /// By kind; kings are not counted.
    pieces: [u32; 6],
    /// The number of extra pieces minus the number of missing pawns. Promotions explain the pieces
    /// if it is not positive; then there are at most eight pawns and, with the king, sixteen
    /// pieces.
    unexplained: i32,
}

impl PieceCounts {
    fn of(position: &Position, color: Color) -> PieceCounts {
        let mut army = PieceCounts { pieces: [0; 6], unexplained: -8 };
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let pieces = position.pieces(color, kind).len();
            army.pieces[kind.index()] = pieces;
            army.unexplained += pieces.saturating_sub(kind.initial_count()) as i32;
        }
        army.unexplained += position.pieces(color, Kind::Pawn).len() as i32;
        army
    }

    /// Whether promotions still explain the pieces with one more piece of the kind.
    fn with(&self, kind: Kind) -> bool {
        let extra = kind == Kind::Pawn || self.pieces[kind.index()] >= kind.initial_count();
        self.unexplained + i32::from(extra) <= 0
    }

    /// Whether promotions still explain the pieces with one more pawn and one piece of the kind
    /// less.
    fn before_promotion(&self, kind: Kind) -> bool {
        let extra = self.pieces[kind.index()] > kind.initial_count();
        self.unexplained + 1 - i32::from(extra) <= 0
    }

    /// The kinds other than the king that the rule accepts, as bits.
    fn kinds(&self, rule: impl Fn(&PieceCounts, Kind) -> bool) -> u8 {
        let kinds = [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        let kinds = kinds.into_iter().filter(|&kind| rule(self, kind));
        kinds.fold(0, |set, kind| set | 1 << kind.index())
    }
}

#[cfg(test)]
mod tests {
    use crate::retro::structure::tests::boards;
    use crate::retro::{is_legal, reverse};
    use crate::{Color, Kind, Position, Variant, fen};

    /// Whether promotions explain the color's pieces.
    fn explained(position: &Position, color: Color) -> bool {
        let count = |kind| position.pieces(color, kind).len();
        let beyond = |kind, originals| count(kind).saturating_sub(originals);
        let extra = beyond(Kind::Knight, 2)
            + beyond(Kind::Bishop, 2)
            + beyond(Kind::Rook, 2)
            + beyond(Kind::Queen, 1);
        extra + count(Kind::Pawn) <= 8
    }

    /// Checks the legal moves against the pseudolegal ones. Returns the number of both.
    fn check(position: &Position) -> (usize, usize) {
        let all = reverse::pseudolegal(position);
        let mut expected = all.clone();
        expected.retain(|mv| {
            let before = mv.predecessor(position);
            is_legal(&before)
                && explained(&before, Color::White)
                && explained(&before, Color::Black)
        });
        let legal = reverse::legal(position);
        assert_eq!(legal, expected, "{position:?}");
        assert_eq!(reverse::has_legal(position), !legal.is_empty(), "{position:?}");
        let _ = reverse::try_legal(position, &mut |mv, before| {
            let expected = mv.predecessor(position);
            assert_eq!(*before, expected, "{mv} to {position:?}");
            assert_eq!(before.state, expected.state, "{mv} to {position:?}");
            std::ops::ControlFlow::Continue(())
        });
        (legal.len(), all.len())
    }

    /// Checks the moves to the boards of some games after `change`. Returns the number of legal and
    /// of pseudolegal moves.
    fn check_boards(change: impl Fn(&mut Position)) -> (usize, usize) {
        let counts = std::cell::Cell::new((0, 0));
        boards(23, 12, |board| {
            let mut board = *board;
            change(&mut board);
            let (legal, all) = check(&board);
            let (before, of) = counts.get();
            counts.set((before + legal, of + all));
        });
        counts.get()
    }

    #[test]
    fn legal_moves_come_from_legal_positions() {
        assert_eq!(check_boards(|_| {}), (591_084, 807_552));
    }

    /// In Antichess, a king may be left attacked. A board with such a king has retractions, too.
    #[test]
    fn the_rules_of_a_variant_are_kept() {
        let antichess = |board: &mut Position| board.set_variant(Variant::Antichess);
        assert_eq!(check_boards(antichess), (619_911, 854_422));
    }

    #[test]
    fn every_law_is_kept() {
        let legal = |text: &str| {
            let (position, _) = fen::parse(text).expect(text);
            check(&position);
            let moves = reverse::legal(&position);
            moves.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        // The knight did not come from g8: in the initial array White is to move.
        let knight = legal("rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR w");
        assert!(!knight.contains(&"~Ng8f6".to_owned()) && !knight.is_empty(), "{knight:?}");
        let knight = legal("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b");
        assert!(knight.contains(&"~Ng1f3".to_owned()), "{knight:?}");
        // The rook's check was there before any move but its own, and those that closed its line.
        let check = legal("4k3/8/8/8/8/2B5/8/K3R3 b");
        assert!(check.contains(&"~Rd1e1".to_owned()), "{check:?}");
        assert!(check.contains(&"~Be5c3".to_owned()), "{check:?}");
        assert!(!check.contains(&"~Bd2c3".to_owned()), "{check:?}");
        assert!(!check.iter().any(|mv| mv.starts_with("~Re")), "{check:?}");
        // Two checks: the bishop was between.
        let double = legal("4k3/8/8/7B/8/8/8/K3R3 b");
        assert_eq!(double.iter().filter(|mv| !mv.starts_with("~Be2")).count(), 0, "{double:?}");
        assert!(double.contains(&"~Be2h5".to_owned()), "{double:?}");
        // Two pieces can give check at once, three cannot.
        let king = legal("4r2k/8/8/8/7b/8/8/5K2 b");
        assert!(king.contains(&"~Ke1f1".to_owned()), "{king:?}");
        let king = legal("4r2k/8/8/8/7b/5n2/8/5K2 b");
        assert!(!king.contains(&"~Ke1f1".to_owned()), "{king:?}");
        assert!(king.contains(&"~Kg2f1".to_owned()), "{king:?}");
        // Pawns that cannot be there were there before.
        assert!(legal("4k3/8/8/8/8/8/8/P3K1N1 b").is_empty());
        assert!(legal("4k3/8/8/8/8/8/8/6N1 b").is_empty());
        // Sixteen pieces and eight pawns are all.
        let full = legal("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR b");
        assert!(full.iter().all(|mv| !mv.contains('x')), "{full:?}");
        let pieces = legal("4k3/8/8/8/8/1NN5/PPPPPPP1/RNBQKBNR b");
        assert!(pieces.is_empty(), "{pieces:?}");
    }
}
