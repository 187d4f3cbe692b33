//! Legal and pseudolegal moves on any board.
//!
//! Generation hands out *groups*: an origin and a set of targets. Lists, counts and tests are
//! made of these, so counting needs no list and a test can stop early.

use std::ops::ControlFlow;

use crate::{
    CastlingRights, CastlingSide, Color, Direction, Kind, Move, Position, Rules, Square, SquareSet,
    attacks, variants,
};

/// Moves of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What moves.
    pub kind: Kind,
    /// The origin; meaningless in drops.
    pub from: Square,
    /// The targets, in castling those of [`Move::raw_to`].
    pub to: SquareSet,
    /// What is special about all of these moves.
    pub special: Special,
}

/// What is special about a group of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// Nothing, but a pawn's moves to its last rank promote.
    None,
    /// En passant capture.
    EnPassant,
    /// Castling.
    Castling,
    /// Nothing, but a pawn may become a king as well (Antichess, Suicide).
    Common,
    /// The man comes from the pocket (Crazyhouse).
    Drop,
}

impl Group {
    /// The number of moves; each promotion piece counts.
    #[inline]
    pub fn count(&self) -> u32 {
        let promotions = match self.kind {
            Kind::Pawn => (self.to & SquareSet::BACK_RANKS).len(),
            _ => 0,
        };
        let choices = if self.special == Special::Common {
            4
        } else {
            3
        };
        self.to.len() + choices * promotions
    }

    /// The move to one of the targets; of promotions the queen's.
    #[inline]
    pub fn mv(&self, to: Square) -> Move {
        match self.special {
            Special::EnPassant => Move::en_passant(self.from, to),
            Special::Castling => Move::castling(self.from, to),
            Special::Drop => Move::drop(self.kind, to),
            Special::None | Special::Common => {
                if self.kind == Kind::Pawn && SquareSet::BACK_RANKS.contains(to) {
                    Move::promoting(self.from, to, Kind::Queen)
                } else {
                    Move::normal(self.from, to)
                }
            }
        }
    }

    /// Hands out the moves, promotions queen first.
    #[inline]
    pub fn each(&self, f: &mut impl FnMut(Move)) {
        for to in self.to {
            let mv = self.mv(to);
            f(mv);
            if mv.promotion().is_some() {
                for kind in &Kind::PROMOTIONS[1..] {
                    f(mv.with_promotion(*kind));
                }
                if self.special == Special::Common {
                    f(mv.with_promotion(Kind::King));
                }
            }
        }
    }
}

/// A list of moves that lives on the stack; only boards with more than 256 moves need the heap.
#[derive(Clone, Debug)]
pub struct MoveList {
    len: usize,
    inline: [Move; 256],
    spilled: Vec<Move>,
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList {
            len: 0,
            inline: [Move::NULL; 256],
            spilled: Vec::new(),
        }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.inline.get_mut(self.len) {
            *slot = mv;
        } else {
            if self.spilled.is_empty() {
                self.spilled.extend_from_slice(&self.inline);
            }
            self.spilled.push(mv);
        }
        self.len += 1;
    }

    /// The moves in the order of generation.
    pub fn as_slice(&self) -> &[Move] {
        if self.len <= 256 {
            &self.inline[..self.len]
        } else {
            &self.spilled
        }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

/// Which moves to generate.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Only moves that do not leave the side's single king attacked.
    pub legal: bool,
    /// Only moves of pieces on these squares; drops only if these are all squares.
    pub from: SquareSet,
    /// Only moves to these squares ([`Move::to`]; in castling the king's target).
    pub to: SquareSet,
}

impl Wanted {
    /// All legal moves.
    pub const LEGAL: Wanted = Wanted {
        legal: true,
        from: SquareSet::ALL,
        to: SquareSet::ALL,
    };
    /// All pseudolegal moves: the same without the king test for moves and en passant captures,
    /// and without the duty to capture.
    pub const PSEUDOLEGAL: Wanted = Wanted {
        legal: false,
        from: SquareSet::ALL,
        to: SquareSet::ALL,
    };
}

/// Hands out the groups of wanted moves of the side to move until `f` breaks.
///
/// The null move is never generated. When the variant's rule has ended the game there are none.
#[inline]
pub fn groups(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    f: &mut impl FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if rules.variant.is_chess() {
        chess_groups(position, rules, wanted, f)
    } else {
        variants::groups(position, rules, wanted, f)
    }
}

/// [`groups`] by the rules of chess, whatever the variant.
#[inline]
pub(crate) fn chess_groups(
    position: &Position,
    rules: &Rules,
    wanted: Wanted,
    f: &mut impl FnMut(Group) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match (position.side(), wanted.legal) {
        (Color::White, true) => Generator::<0, true>::new(position, wanted).run(rules, f),
        (Color::Black, true) => Generator::<1, true>::new(position, wanted).run(rules, f),
        (Color::White, false) => Generator::<0, false>::new(position, wanted).run(rules, f),
        (Color::Black, false) => Generator::<1, false>::new(position, wanted).run(rules, f),
    }
}

struct Generator<'a, const SIDE: u8, const LEGAL: bool> {
    position: &'a Position,
    wanted: Wanted,
    occupied: SquareSet,
    own: SquareSet,
    enemy: SquareSet,
    /// The royal king; none if there are several, or if legality does not matter.
    king: Option<Square>,
    /// Where a piece other than the king must go: everywhere, or to answer a check.
    evasions: SquareSet,
    pinned: SquareSet,
}

impl<'a, const SIDE: u8, const LEGAL: bool> Generator<'a, SIDE, LEGAL> {
    const US: Color = if SIDE == 0 {
        Color::White
    } else {
        Color::Black
    };
    const THEM: Color = if SIDE == 0 {
        Color::Black
    } else {
        Color::White
    };

    #[inline]
    fn new(position: &'a Position, wanted: Wanted) -> Self {
        let occupied = position.occupied();
        let mut generator = Generator {
            position,
            wanted,
            occupied,
            own: position.color(Self::US),
            enemy: position.color(Self::THEM),
            king: None,
            evasions: SquareSet::ALL,
            pinned: SquareSet::EMPTY,
        };
        if LEGAL && let Some(king) = position.king(Self::US) {
            generator.king = Some(king);
            let checkers = if position.in_check() {
                position.attackers_of(Self::THEM, king, occupied)
            } else {
                SquareSet::EMPTY
            };
            if let Some(checker) = checkers.first() {
                generator.evasions = if checkers.is_many() {
                    SquareSet::EMPTY
                } else {
                    attacks::between(king, checker) | checker.into()
                };
            }
            generator.pinned = position.pinned(Self::US);
        }
        generator
    }

    #[inline]
    fn run(&self, rules: &Rules, f: &mut impl FnMut(Group) -> ControlFlow<()>) -> ControlFlow<()> {
        self.king_moves(f)?;
        if !self.evasions.is_empty() {
            self.pieces(f)?;
            self.pawns(f)?;
        }
        self.castling(rules, f)
    }

    /// Targets that are left of a piece's if it does not move off a pin.
    #[inline(always)]
    fn unpinned(&self, from: Square, to: SquareSet) -> SquareSet {
        match self.king {
            Some(king) if LEGAL && self.pinned.contains(from) => to & attacks::line(king, from),
            _ => to,
        }
    }

    #[inline(always)]
    fn emit(
        &self,
        kind: Kind,
        from: Square,
        to: SquareSet,
        f: &mut impl FnMut(Group) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let to = to & self.wanted.to;
        if to.is_empty() {
            return ControlFlow::Continue(());
        }
        f(Group {
            kind,
            from,
            to,
            special: Special::None,
        })
    }

    #[inline]
    fn king_moves(&self, f: &mut impl FnMut(Group) -> ControlFlow<()>) -> ControlFlow<()> {
        for from in self.position.pieces(Self::US, Kind::King) & self.wanted.from {
            let mut to = attacks::king(from) & !self.own & self.wanted.to;
            if LEGAL && self.king.is_some() {
                let without = self.occupied - from.into();
                for square in to {
                    if !self
                        .position
                        .attackers_of(Self::THEM, square, without)
                        .is_empty()
                    {
                        to.remove(square);
                    }
                }
            }
            self.emit(Kind::King, from, to, f)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pieces(&self, f: &mut impl FnMut(Group) -> ControlFlow<()>) -> ControlFlow<()> {
        let position = self.position;
        let mask = self.evasions & !self.own;
        // A pinned knight never moves.
        for from in position.pieces(Self::US, Kind::Knight) & (self.wanted.from - self.pinned) {
            self.emit(Kind::Knight, from, attacks::knight(from) & mask, f)?;
        }
        for from in position.pieces(Self::US, Kind::Bishop) & self.wanted.from {
            let to = self.unpinned(from, attacks::bishop(from, self.occupied) & mask);
            self.emit(Kind::Bishop, from, to, f)?;
        }
        for from in position.pieces(Self::US, Kind::Rook) & self.wanted.from {
            let to = self.unpinned(from, attacks::rook(from, self.occupied) & mask);
            self.emit(Kind::Rook, from, to, f)?;
        }
        for from in position.pieces(Self::US, Kind::Queen) & self.wanted.from {
            let to = self.unpinned(from, attacks::queen(from, self.occupied) & mask);
            self.emit(Kind::Queen, from, to, f)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&self, f: &mut impl FnMut(Group) -> ControlFlow<()>) -> ControlFlow<()> {
        let up = if SIDE == 0 {
            Direction::North
        } else {
            Direction::South
        };
        let empty = !self.occupied;
        // A pawn may step twice from its own first or second rank.
        let doubled =
            SquareSet::rank(Self::US.relative_rank(2)) | SquareSet::rank(Self::US.relative_rank(1));
        for from in self.position.pieces(Self::US, Kind::Pawn) & self.wanted.from {
            let once = SquareSet::of(from).shift(up) & empty;
            let twice = (once & doubled).shift(up) & empty;
            let takes = attacks::pawn(Self::US, from) & self.enemy;
            let to = self.unpinned(from, (once | twice | takes) & self.evasions);
            self.emit(Kind::Pawn, from, to, f)?;
        }
        let Some((to, victim)) = en_passant(self.position) else {
            return ControlFlow::Continue(());
        };
        if !self.wanted.to.contains(to) {
            return ControlFlow::Continue(());
        }
        let origins = attacks::pawn(Self::THEM, to) & self.position.pieces(Self::US, Kind::Pawn);
        for from in origins & self.wanted.from {
            if let Some(king) = self.king {
                let after = (self.occupied ^ from.into() ^ victim.into()) | to.into();
                let attackers = self.position.attackers_of(Self::THEM, king, after);
                if !(attackers - victim.into()).is_empty() {
                    continue;
                }
            }
            f(Group {
                kind: Kind::Pawn,
                from,
                to: to.into(),
                special: Special::EnPassant,
            })?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn castling(
        &self,
        rules: &Rules,
        f: &mut impl FnMut(Group) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.position.castling().any(Self::US) {
            return ControlFlow::Continue(());
        }
        for side in CastlingSide::ALL {
            if let Some(mv) = castling_move(self.position, rules, Self::US, side)
                && self.wanted.from.contains(mv.from())
                && self.wanted.to.contains(mv.to())
            {
                let to = mv.raw_to().into();
                f(Group {
                    kind: Kind::King,
                    from: mv.from(),
                    to,
                    special: Special::Castling,
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The en passant target and the pawn to be taken, if the recorded square makes sense for the
/// side to move: empty, the enemy pawn beyond it.
pub fn en_passant(position: &Position) -> Option<(Square, Square)> {
    let to = position.ep()?;
    let us = position.side();
    if to.rank() != us.relative_rank(5) || position.occupied().contains(to) {
        return None;
    }
    let victim = Square::at(to.file(), us.relative_rank(4));
    position
        .pieces(us.not(), Kind::Pawn)
        .contains(victim)
        .then_some((to, victim))
}

/// The castling move of the colour to the side, if the right is recorded and nothing is in its
/// way. Whose turn it is does not matter.
pub fn castling_move(
    position: &Position,
    rules: &Rules,
    color: Color,
    side: CastlingSide,
) -> Option<Move> {
    if position.castling().0 & CastlingRights::of(color, side).0 == 0 {
        return None;
    }
    let king = position.king(color)?;
    let rook = rules.rook(color, side);
    let in_place = king.rank() == color.back_rank()
        && rook.rank() == king.rank()
        && (rules.chess960 || king.file() == 4)
        && (rook > king) == (side == CastlingSide::King)
        && position.pieces(color, Kind::Rook).contains(rook);
    (in_place && path_is_free(position, color, king, rook)).then(|| Move::castling(king, rook))
}

/// Whether CQL 6.2's geometric castling rule holds (moves-and-sequences.md, section 4): king on
/// e1 or e8, a rook of its colour on the corner, nothing between them, the king's square, the
/// passed one and the destination not attacked. Rights are not looked at.
pub fn castling_path_ok(position: &Position, color: Color, side: CastlingSide) -> bool {
    let rank = color.back_rank();
    let corner = Square::at(if side == CastlingSide::King { 7 } else { 0 }, rank);
    let king = Square::at(4, rank);
    position.king(color) == Some(king)
        && position.pieces(color, Kind::Rook).contains(corner)
        && path_is_free(position, color, king, corner)
}

fn path_is_free(position: &Position, color: Color, king: Square, rook: Square) -> bool {
    let mv = Move::castling(king, rook);
    let (Some(king_to), Some(rook_to)) = (mv.king_to(), mv.rook_to()) else {
        return false;
    };
    let king_path = attacks::between(king, king_to) | king_to.into();
    let rook_path = attacks::between(rook, rook_to) | rook_to.into();
    let others = position.occupied() - king.into() - rook.into();
    if others.intersects(king_path | rook_path) {
        return false;
    }
    let attacked = |square, occupied| {
        !position
            .attackers_of(color.not(), square, occupied)
            .is_empty()
    };
    let shelters = position.shelters(color);
    let walk = (attacks::between(king, king_to) | king.into()) - shelters;
    // The rook may have shielded the king's target in Chess960: look there with both in place.
    let without_king = others | rook.into();
    let castled = others | rook_to.into() | king_to.into();
    !walk.iter().any(|square| attacked(square, without_king))
        && (shelters.contains(king_to) || !attacked(king_to, castled))
}

/// Hands out every legal move.
///
/// ```
/// use babson_chess::{movegen, Position, Rules};
/// let mut count = 0;
/// movegen::legal(&Position::start(), &Rules::STANDARD, &mut |_| count += 1);
/// assert_eq!(count, 20);
/// ```
pub fn legal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, Wanted::LEGAL, f);
}

/// Hands out every pseudolegal move.
pub fn pseudolegal(position: &Position, rules: &Rules, f: &mut impl FnMut(Move)) {
    each(position, rules, Wanted::PSEUDOLEGAL, f);
}

/// Hands out the wanted moves.
pub fn each(position: &Position, rules: &Rules, wanted: Wanted, f: &mut impl FnMut(Move)) {
    let _ = groups(position, rules, wanted, &mut |group| {
        group.each(f);
        ControlFlow::Continue(())
    });
}

impl Position {
    /// The legal moves as a list.
    pub fn legal_moves(&self, rules: &Rules) -> MoveList {
        self.moves(rules, Wanted::LEGAL)
    }

    /// The wanted moves as a list.
    pub fn moves(&self, rules: &Rules, wanted: Wanted) -> MoveList {
        let mut list = MoveList::new();
        each(self, rules, wanted, &mut |mv| list.push(mv));
        list
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_legal_move(&self, rules: &Rules) -> bool {
        groups(self, rules, Wanted::LEGAL, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// The number of legal moves; the four promotions of a pawn count as four.
    pub fn count_legal(&self, rules: &Rules) -> u32 {
        self.count_moves(rules, Wanted::LEGAL)
    }

    /// The number of wanted moves; the four promotions of a pawn count as four.
    pub fn count_moves(&self, rules: &Rules, wanted: Wanted) -> u32 {
        let mut count = 0;
        let _ = groups(self, rules, wanted, &mut |group| {
            count += group.count();
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the move is among the legal moves. Null moves are not.
    pub fn is_legal(&self, mv: Move, rules: &Rules) -> bool {
        self.is_among(mv, rules, true)
    }

    /// Whether the move is among the pseudolegal moves. Null moves are not.
    pub fn is_pseudolegal(&self, mv: Move, rules: &Rules) -> bool {
        self.is_among(mv, rules, false)
    }

    fn is_among(&self, mv: Move, rules: &Rules, legal: bool) -> bool {
        let from = match mv.dropped() {
            Some(_) => SquareSet::ALL,
            None => mv.from().into(),
        };
        let wanted = Wanted {
            legal,
            from,
            to: mv.to().into(),
        };
        let mut found = false;
        each(self, rules, wanted, &mut |other| found |= other == mv);
        found
    }

    /// Whether the side to move is in check and has no legal move. That a variant's own rule has
    /// ended the game does not make a check a mate.
    #[inline]
    pub fn is_mate(&self, rules: &Rules) -> bool {
        if !rules.variant.is_chess() {
            return variants::is_mate(self, rules);
        }
        self.in_check() && !self.has_legal_move(rules)
    }

    /// Whether the side to move is not in check and has no legal move, though no rule of the
    /// variant has ended the game on the board.
    #[inline]
    pub fn is_stalemate(&self, rules: &Rules) -> bool {
        !self.in_check() && !self.has_legal_move(rules) && !variants::is_over(self, rules)
    }
}
