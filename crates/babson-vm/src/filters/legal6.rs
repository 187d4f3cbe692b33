//! The moves that CQL 6.2 calls legal and pseudolegal.
//!
//! They are pairs of squares: the four promotions of one pawn move are one move. Castling depends
//! on geometry and [`home_rights`](super::fen::home_rights), en passant on the previous move. The
//! FEN of the game matters for neither.

use babson_chess::attacks as table;
use babson_chess::{
    CastlingRights, CastlingSide, Color, Direction, Kind, Square, SquareSet, processor,
};
use babson_lang::hir::CastlingKind;

use super::PieceSets;
use super::attacks::{attackers_to, king_steps, knight_steps, pawn_attacks};

/// A move as a pair of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairMove {
    /// The origin; the king's in castling.
    pub from: Square,
    /// The target; the king's in castling.
    pub to: Square,
    /// What is special about it.
    pub kind: PairMoveKind,
}

/// What is special about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairMoveKind {
    /// A move or capture, or all four promotions of a pawn.
    Normal,
    /// An en passant capture, with the square of the captured pawn.
    EnPassant(Square),
    /// O-O
    KingSide,
    /// O-O-O
    QueenSide,
}

impl PairMoveKind {
    /// Whether this is castling to the side asked for.
    pub fn is_castling(self, side: CastlingKind) -> bool {
        match self {
            PairMoveKind::KingSide => side != CastlingKind::QueenSide,
            PairMoveKind::QueenSide => side != CastlingKind::KingSide,
            PairMoveKind::Normal | PairMoveKind::EnPassant(_) => false,
        }
    }
}

/// The legal or pseudolegal moves of one side. To make it searches for checks and pins; then each
/// question takes a few lookups for each piece.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a, B> {
    board: &'a B,
    turn: Color,
    /// The king that must not be attacked; none for pseudolegal moves.
    king: Option<Square>,
    /// The squares to which a piece other than the king may move: all, or those that end a check.
    targets: SquareSet,
    pinned: SquareSet,
    /// The square that the pawn crossed and the pawn to capture.
    en_passant: Option<(Square, Square)>,
    castling: CastlingRights,
}

impl<'a, B: PieceSets> Moves<'a, B> {
    /// The moves of the side to move.
    ///
    /// `en_passant` is the square that the previous move, a double push, crossed; it is ignored
    /// where no enemy pawn stands behind it. With `legal` the own king must not be attacked
    /// afterwards, if the side has exactly one.
    pub fn new(
        board: &'a B,
        turn: Color,
        rights: CastlingRights,
        en_passant: Option<Square>,
        legal: bool,
    ) -> Moves<'a, B> {
        let enemy = turn.not();
        let en_passant = en_passant.and_then(|passed| {
            let back = if turn == Color::White { -1 } else { 1 };
            let victim = passed.offset(0, back)?;
            let fits = !board.occupied().contains(passed)
                && board.pieces(enemy, Kind::Pawn).contains(victim);
            fits.then_some((passed, victim))
        });
        let mut moves = Moves {
            board,
            turn,
            king: if legal { board.king(turn) } else { None },
            targets: SquareSet::ALL,
            pinned: SquareSet::EMPTY,
            en_passant,
            castling: CastlingRights::default(),
        };
        if rights.any(turn) {
            moves.castling = moves.castling_now(rights);
        }
        if let Some(king) = moves.king {
            let occupied = board.occupied();
            let checkers = attackers_to(board, king, occupied) & board.color(enemy);
            if let Some(checker) = checkers.single() {
                moves.targets = table::between(king, checker) | checker.into();
            } else if !checkers.is_empty() {
                moves.targets = SquareSet::EMPTY;
            }
            let snipers = (table::rook_rays(king) & board.orthogonal()
                | table::bishop_rays(king) & board.diagonal())
                & board.color(enemy);
            let own = board.color(turn);
            for sniper in snipers {
                let blockers = table::between(king, sniper) & occupied;
                if !blockers.is_many() {
                    moves.pinned |= blockers & own;
                }
            }
        }
        moves
    }

    /// Returns the rights that can be used now: there is nothing between king and rook, and the
    /// king neither stands on, passes nor reaches an attacked square.
    fn castling_now(&self, rights: CastlingRights) -> CastlingRights {
        let rank = self.turn.back_rank();
        let occupied = self.board.occupied();
        let enemies = self.board.color(self.turn.not());
        let mut usable = CastlingRights::default();
        for (side, mut between, mut passed) in
            [(CastlingSide::King, 5..7, 4..7), (CastlingSide::Queen, 1..4, 2..5)]
        {
            let free = rights.has(self.turn, side)
                && between.all(|file| !occupied.contains(Square::at(file, rank)))
                && passed.all(|file| {
                    !attackers_to(self.board, Square::at(file, rank), occupied).intersects(enemies)
                });
            if free {
                usable = usable.with(CastlingRights::of(self.turn, side));
            }
        }
        usable
    }

    /// The castling moves: king's origin, target and side.
    fn castlings(&self) -> impl Iterator<Item = PairMove> + use<B> {
        let (rights, turn) = (self.castling, self.turn);
        let rank = turn.back_rank();
        [
            (CastlingSide::King, 6, PairMoveKind::KingSide),
            (CastlingSide::Queen, 2, PairMoveKind::QueenSide),
        ]
        .into_iter()
        .filter(move |&(side, _, _)| rights.has(turn, side))
        .map(move |(_, file, kind)| PairMove {
            from: Square::at(4, rank),
            to: Square::at(file, rank),
            kind,
        })
    }

    /// The targets of the piece on the square, without castling and en passant.
    fn normal(&self, kind: Kind, from: Square) -> SquareSet {
        let occupied = self.board.occupied();
        let own = self.board.color(self.turn);
        let reached = match kind {
            Kind::Pawn => {
                let (ahead, second) = match self.turn {
                    Color::White => (Direction::North, 1),
                    Color::Black => (Direction::South, 6),
                };
                let step = SquareSet::of(from).shift(ahead) - occupied;
                let double =
                    if from.rank() == second { step.shift(ahead) } else { SquareSet::EMPTY };
                step | (double - occupied) | (table::pawn(self.turn, from) & (occupied - own))
            }
            Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen | Kind::King => {
                table::of(kind, self.turn, from, occupied) - own
            }
        };
        if kind == Kind::King {
            return self.safe(from, reached);
        }
        let mut allowed = self.targets;
        if self.pinned.contains(from)
            && let Some(king) = self.king
        {
            allowed &= table::line(king, from);
        }
        reached & allowed
    }

    /// Returns the squares of `reached` that the piece can go to. For the king, only those where it
    /// is not attacked.
    fn safe(&self, from: Square, reached: SquareSet) -> SquareSet {
        if self.king != Some(from) {
            return reached;
        }
        let (board, enemy) = (self.board, self.turn.not());
        let of = |kind| board.pieces(enemy, kind);
        let left = reached
            - pawn_attacks(enemy, of(Kind::Pawn))
            - knight_steps(of(Kind::Knight))
            - king_steps(of(Kind::King));
        let occupied = board.occupied() - from.into();
        let enemies = board.color(enemy);
        let (diagonal, orthogonal) = (board.diagonal() & enemies, board.orthogonal() & enemies);
        let is_safe = |to: &Square| {
            !(table::bishop(*to, occupied).intersects(diagonal)
                || table::rook(*to, occupied).intersects(orthogonal))
        };
        left.iter().filter(is_safe).collect()
    }

    /// The pawns that can capture en passant; the move's target and victim.
    fn capturers(&self) -> (SquareSet, Option<(Square, Square)>) {
        let Some((to, victim)) = self.en_passant else {
            return (SquareSet::EMPTY, None);
        };
        let mut pawns = table::pawn(self.turn.not(), to) & self.board.pieces(self.turn, Kind::Pawn);
        if let Some(king) = self.king {
            let enemies = self.board.color(self.turn.not()) - victim.into();
            for from in pawns {
                let occupied = (self.board.occupied() - victim.into() - from.into()) | to.into();
                if attackers_to(self.board, king, occupied).intersects(enemies) {
                    pawns.remove(from);
                }
            }
        }
        (pawns, Some((to, victim)))
    }

    /// All targets of the piece of the side to move on the square.
    pub fn targets(&self, from: Square) -> SquareSet {
        let mut sum = SquareSet::EMPTY;
        self.for_each(from.into(), SquareSet::ALL, |found| {
            sum.insert(found.to);
            true
        });
        sum
    }

    /// Calls `visit` with each move from a square of `from` to one of `to`, by origin's kind, then
    /// square, en passant and castling last, until it returns false. Returns whether it never did.
    pub fn for_each(
        &self,
        from: SquareSet,
        to: SquareSet,
        mut visit: impl FnMut(PairMove) -> bool,
    ) -> bool {
        for kind in Kind::ALL {
            for origin in self.board.pieces(self.turn, kind) & from {
                for target in self.normal(kind, origin) & to {
                    if !visit(PairMove { from: origin, to: target, kind: PairMoveKind::Normal }) {
                        return false;
                    }
                }
            }
        }
        self.for_each_special(from, to, visit)
    }

    /// Like [`Moves::for_each`], for en passant captures and castling alone.
    pub(crate) fn for_each_special(
        &self,
        from: SquareSet,
        to: SquareSet,
        mut visit: impl FnMut(PairMove) -> bool,
    ) -> bool {
        if let (pawns, Some((target, victim))) = self.capturers()
            && to.contains(target)
        {
            for origin in pawns & from {
                let kind = PairMoveKind::EnPassant(victim);
                if !visit(PairMove { from: origin, to: target, kind }) {
                    return false;
                }
            }
        }
        self.castlings()
            .filter(|castling| from.contains(castling.from) && to.contains(castling.to))
            .all(visit)
    }

    /// The number of moves from a square of `from` to one of `to`.
    pub fn count(&self, from: SquareSet, to: SquareSet) -> u32 {
        // A plain x86-64 processor has no instruction that counts bits, and would spend a quarter
        // of the time on counting.
        processor::dispatch(
            #[inline(always)]
            || self.count_sets(from, to),
        )
    }

    #[inline(always)]
    fn count_sets(&self, from: SquareSet, to: SquareSet) -> u32 {
        let board = self.board;
        let (occupied, own) = (board.occupied(), board.color(self.turn));
        let of = |kind| board.pieces(self.turn, kind) & from;
        let free = (to - own) & self.targets;

        // All pawns that are not pinned at once.
        let pawns = of(Kind::Pawn);
        let loose = pawns - self.pinned;
        let (ahead, sides, third) = match self.turn {
            Color::White => (Direction::North, [Direction::NorthEast, Direction::NorthWest], 2),
            Color::Black => (Direction::South, [Direction::SouthEast, Direction::SouthWest], 5),
        };
        let step = loose.shift(ahead) - occupied;
        let double = (step & SquareSet::rank(third)).shift(ahead) - occupied;
        let mut sum = (step & free).len() + (double & free).len();
        for side in sides {
            sum += (loose.shift(side) & occupied & free).len();
        }
        for origin in pawns & self.pinned {
            sum += (self.normal(Kind::Pawn, origin) & to).len();
        }
        // A pinned knight cannot move.
        for origin in of(Kind::Knight) - self.pinned {
            sum += (table::knight(origin) & free).len();
        }
        // The two lookups of a queen have no square in common.
        let (bishops, rooks, queens) = (of(Kind::Bishop), of(Kind::Rook), of(Kind::Queen));
        for origin in (bishops | queens) - self.pinned {
            sum += (table::bishop(origin, occupied) & free).len();
        }
        for origin in (rooks | queens) - self.pinned {
            sum += (table::rook(origin, occupied) & free).len();
        }
        for kind in [Kind::Bishop, Kind::Rook, Kind::Queen] {
            for origin in of(kind) & self.pinned {
                sum += (self.normal(kind, origin) & to).len();
            }
        }
        for origin in of(Kind::King) {
            sum += self.safe(origin, table::king(origin) & (to - own)).len();
        }
        if self.en_passant.is_some() || self.castling != CastlingRights::NONE {
            self.for_each_special(from, to, |_| {
                sum += 1;
                true
            });
        }
        sum
    }

    /// The origins in `from` of the moves to a square of `to`.
    pub fn origins(&self, from: SquareSet, to: SquareSet) -> SquareSet {
        let mut sum = SquareSet::EMPTY;
        for kind in Kind::ALL {
            for origin in self.board.pieces(self.turn, kind) & from {
                if self.normal(kind, origin).intersects(to) {
                    sum.insert(origin);
                }
            }
        }
        self.for_each_special(from, to, |found| {
            sum.insert(found.from);
            true
        });
        sum
    }

    /// The targets in `to` of the moves from a square of `from`.
    pub fn destinations(&self, from: SquareSet, to: SquareSet) -> SquareSet {
        let mut sum = SquareSet::EMPTY;
        for kind in Kind::ALL {
            for origin in self.board.pieces(self.turn, kind) & from {
                sum |= self.normal(kind, origin) & to;
            }
        }
        self.for_each_special(from, to, |found| {
            sum.insert(found.to);
            true
        });
        sum
    }

    /// Whether the side has no move.
    pub fn is_empty(&self) -> bool {
        self.for_each(SquareSet::ALL, SquareSet::ALL, |_| false)
    }
}
