//! Boards that are not the board of a node: imagined ones (`imagine`, `move … : f`) and saved ones
//! (`saveposition`): `docs/src/language/imaginary.md`.
//!
//! The boards around which filters look lie on a stack, each with what made it of the one below;
//! leaving one takes it off. A saved board stays until the end of the game, under an id of its
//! own above those of the nodes.

use babson_chess::{CastlingRights, CastlingSide, Kind, KingThreats, Rules, VariantEnd};
use babson_chess::{Color, PieceIds, Position, Square, SquareSet};
use babson_lang::hir::{Side, VariantEnding};
use bumpalo::collections::Vec as Bumped;

use super::arena::Arena;
use super::follow::{LAST_ID, follow_ids, follow_promoted, swapped};
use super::mutation::Mutation;
use super::{Board, Here, Run, Stop, push};
use crate::compile::{Alteration, ImagineSpec};
use crate::op::{Id, Pc, Place, Register};

/// Where filters look: enough to find the board again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    node: u32,
    id: u32,
    view: u32,
    /// Boards on the stack.
    levels: u32,
}

/// An imagined board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) board: Position,
    /// What it was made of.
    pub(super) base: Spot,
    ply: i32,
    pub(super) number: i32,
    /// Index of its first mutation.
    pub(super) first: usize,
    /// Found when they are asked for.
    ids: Option<PieceIds>,
    promoted: Option<SquareSet>,
    stamp: u64,
}

/// A board that `saveposition` keeps.
#[derive(Clone, Copy, Debug)]
struct SavedBoard {
    node: u32,
    board: Position,
    ply: i32,
    number: i32,
    ids: PieceIds,
    promoted: SquareSet,
}

/// The boards of a game that are not the board of a node.
pub(super) struct Imagined<'m> {
    pub(super) levels: Bumped<'m, Level>,
    /// Of all levels, one after the other.
    pub(super) mutations: Bumped<'m, Mutation>,
    /// The moves that running speculations have still to try.
    pub(super) candidates: Bumped<'m, super::speculate::Candidate>,
    saved: Bumped<'m, SavedBoard>,
    /// Number of boards that were made: each has a stamp of its own.
    boards: u64,
    /// At each node, where pieces stand that were pawns; made as far as it is asked for.
    promoted: Bumped<'m, SquareSet>,
    /// What attacks the kings, by color, on the board that was last asked about each; empty until
    /// then.
    threats: &'m mut [BoardThreats],
}

/// What attacks a king on one board.
#[derive(Clone, Copy, Debug)]
struct BoardThreats {
    /// The stamp of the board.
    stamp: u64,
    found: Option<KingThreats>,
}

/// The stamp of no board.
const NO_STAMP: u64 = u64::MAX;

impl Default for BoardThreats {
    fn default() -> BoardThreats {
        BoardThreats { stamp: NO_STAMP, found: None }
    }
}

impl Spot {
    /// The spot as two registers hold it, to look there again while its board is on the stack.
    pub(super) fn packed(self) -> [u64; 2] {
        [u64::from(self.node) << 32 | u64::from(self.id), u64::from(self.view)]
    }

    pub(super) fn unpacked([place, view]: [u64; 2]) -> Spot {
        Spot { node: (place >> 32) as u32, id: place as u32, view: view as u32, levels: 0 }
    }

    /// Number of the imagined board, from 1; 0 for a real one.
    pub(super) fn view(self) -> u32 {
        self.view
    }
}

impl<'m> Imagined<'m> {
    pub(super) fn new(arena: Arena<'m>) -> Imagined<'m> {
        Imagined {
            levels: arena.list(),
            mutations: arena.list(),
            candidates: arena.list(),
            saved: arena.list(),
            boards: 0,
            promoted: arena.list(),
            threats: &mut [],
        }
    }
}

/// Stamps of imagined boards begin here, those of saved ones at half of it; below are the nodes'.
const STAMPS: u64 = 1 << 33;

impl<'g> Run<'_, 'g> {
    /// Whether filters look at a node's own board.
    #[inline]
    pub(super) fn is_own(&self) -> bool {
        matches!(self.here.board, Board::Own(_))
    }

    /// The first move of the game from here; there is none from an imagined or saved board.
    #[inline]
    pub(super) fn first_move(&self) -> Option<u32> {
        match self.here.board {
            Board::Own(_) => self.first_child(self.here.node),
            Board::Other(_) => None,
        }
    }

    /// The node whose move led here, as far as there is such a move.
    #[inline]
    pub(super) fn last_move(&self) -> Option<u32> {
        (self.here.node != 0 && self.is_own()).then_some(self.here.node)
    }

    fn saved(&self, id: u32) -> Option<&SavedBoard> {
        let index = (id as usize).checked_sub(self.nodes.len())?;
        self.state.imagined.saved.get(index)
    }

    /// The node of a position: of a saved one that over which it was imagined.
    #[inline]
    pub(super) fn node_of(&self, id: u32) -> u32 {
        if (id as usize) < self.nodes.len() {
            return id;
        }
        self.saved(id).map_or(0, |saved| saved.node)
    }

    /// The board of a position.
    pub(super) fn board_of(&self, id: u32) -> &Position {
        match self.saved(id) {
            Some(saved) => &saved.board,
            None => &self.positions[self.node_of(id) as usize],
        }
    }

    /// Whether there is a position of this id.
    pub(super) fn is_position(&self, id: i32) -> bool {
        let count = self.nodes.len() + self.state.imagined.saved.len();
        usize::try_from(id).is_ok_and(|id| id < count)
    }

    /// The place of a position of the game or a saved one.
    pub(super) fn at_position(&self, id: u32) -> Here<'g> {
        match self.saved(id) {
            Some(saved) => Here {
                node: saved.node,
                id,
                view: 0,
                stamp: STAMPS / 2 + u64::from(id),
                board: Board::Other(saved.board),
            },
            None => self.at(self.node_of(id)),
        }
    }

    pub(super) fn spot(&self) -> Spot {
        Spot {
            node: self.here.node,
            id: self.here.id,
            view: self.here.view,
            levels: self.state.imagined.levels.len() as u32,
        }
    }

    /// Before the place changes: [`Run::leave`] comes back here.
    pub(super) fn enter(&mut self) {
        let spot = self.spot();
        if !push(&mut self.state.outer, spot) {
            self.state.overflow();
        }
    }

    pub(super) fn leave(&mut self) {
        let Some(spot) = self.state.outer.pop() else {
            return;
        };
        let imagined = &mut self.state.imagined;
        if let Some(level) = imagined.levels.get(spot.levels as usize) {
            imagined.mutations.truncate(level.first);
            imagined.levels.truncate(spot.levels as usize);
        }
        self.here = self.at_spot(spot);
    }

    pub(super) fn at_spot(&self, spot: Spot) -> Here<'g> {
        match spot.view {
            0 => self.at_position(spot.id),
            view => self.at_level(spot, view),
        }
    }

    fn at_level(&self, spot: Spot, view: u32) -> Here<'g> {
        let level = &self.state.imagined.levels[view as usize - 1];
        Here {
            node: spot.node,
            id: spot.id,
            view,
            stamp: level.stamp,
            board: Board::Other(level.board),
        }
    }

    /// Looks at a board made of the present one by a move.
    pub(super) fn enter_board(&mut self, board: Position, ply: i32, number: i32, by: Mutation) {
        let first = self.state.imagined.mutations.len();
        self.note_mutation(by);
        self.enter_level(board, ply, number, first);
    }

    /// Looks at a board made of the present one by the mutations from `first` on.
    fn enter_level(&mut self, board: Position, ply: i32, number: i32, first: usize) {
        let base = self.spot();
        self.enter();
        let imagined = &mut self.state.imagined;
        imagined.boards += 1;
        let stamp = STAMPS + imagined.boards;
        let level = Level { board, base, ply, number, first, ids: None, promoted: None, stamp };
        if !push(&mut imagined.levels, level) {
            self.state.overflow();
            return;
        }
        self.here.view = imagined.levels.len() as u32;
        self.here.stamp = stamp;
        self.here.board = Board::Other(board);
    }

    fn note_mutation(&mut self, mutation: Mutation) {
        if !push(&mut self.state.imagined.mutations, mutation) {
            self.state.overflow();
        }
    }

    /// `imagine` with its first changes; false where its filter fails, and nothing was entered.
    #[inline(never)]
    pub(super) fn imagine(&mut self, spec: Id<ImagineSpec>) -> bool {
        let program = self.program;
        let spec = &program.code.imagined[spec];
        if spec.check && !self.comes_to_check(&spec.changes) {
            return false;
        }
        let mut board = *self.here.board;
        let first = self.state.imagined.mutations.len();
        let mut changed = false;
        for &change in &spec.changes {
            changed |= self.alter(&mut board, change);
        }
        if changed {
            board.refresh();
        }
        let (ply, number) = (self.ply(), self.number());
        self.enter_level(board, ply, number, first);
        true
    }

    /// Whether the side to move is in check after the changes: only where the pieces stand is
    /// looked at.
    fn comes_to_check(&mut self, changes: &[Alteration]) -> bool {
        if let Some(check) = self.exchange_gives_check(changes) {
            return check;
        }
        let mut board = *self.here.board;
        for change in changes {
            match *change {
                Alteration::Place(place, piece) => {
                    for square in self.squares_at(place) {
                        board.put(square, piece);
                    }
                }
                Alteration::Swap([one, other]) => {
                    let (one, other) = (self.squares_at(one), self.squares_at(other));
                    if let (Some(a), Some(b)) = (one.single(), other.single()) {
                        board.exchange(a, b);
                    }
                }
                Alteration::Turn(side) => board.turn(side_after(board.side(), side)),
            }
        }
        board.is_attacked_king(board.side())
    }

    /// [`Run::comes_to_check`] without a changed board, where the changes are one exchange of two
    /// pieces and who is to move.
    fn exchange_gives_check(&mut self, changes: &[Alteration]) -> Option<bool> {
        let mut side = self.here.board.side();
        let mut exchange = None;
        for change in changes {
            match *change {
                Alteration::Swap(places) if exchange.is_none() => exchange = Some(places),
                Alteration::Turn(to) => side = side_after(side, to),
                Alteration::Swap(_) | Alteration::Place(..) => return None,
            }
        }
        let [a, b] = exchange?;
        let (a, b) = (self.squares_at(a).single()?, self.squares_at(b).single()?);
        let threats = &mut self.state.imagined.threats;
        if threats.is_empty() {
            *threats = self.state.arena.slice(2, BoardThreats::default());
        }
        let known = &mut threats[side.index()];
        if known.stamp != self.here.stamp {
            let found = self.here.board.king_threats(side);
            *known = BoardThreats { stamp: self.here.stamp, found };
        }
        known.found.as_ref()?.after_exchange(&self.here.board, a, b)
    }

    /// Changes the board that was entered last.
    pub(super) fn change(&mut self, change: Alteration) {
        let mut board = *self.here.board;
        if !self.alter(&mut board, change) {
            return;
        }
        board.refresh();
        let imagined = &mut self.state.imagined;
        let Some(level) = imagined.levels.last_mut() else {
            return;
        };
        imagined.boards += 1;
        level.stamp = STAMPS + imagined.boards;
        (level.ids, level.promoted) = (None, None);
        level.board = board;
        self.here.stamp = level.stamp;
        self.here.board = Board::Other(board);
    }

    /// Changes a board, but for what [`Position::refresh`] does, and notes the mutation; false if
    /// there was nothing to change.
    fn alter(&mut self, board: &mut Position, change: Alteration) -> bool {
        let turn = board.side();
        let touched = match change {
            Alteration::Place(place, piece) => {
                let squares = self.squares_at(place);
                let mut joined = false;
                for square in squares {
                    let old = board.piece_at(square);
                    if old.is_none() && piece.is_none() {
                        continue;
                    }
                    let mutation = Mutation::Place { square, new: piece, old, joined };
                    joined = true;
                    self.note_mutation(mutation);
                    board.put(square, piece);
                }
                if !joined {
                    return false;
                }
                squares
            }
            Alteration::Swap(places) => {
                let [one, other] = places;
                let (one, other) = (self.squares_at(one), self.squares_at(other));
                let (Some(a), Some(b)) = (one.single(), other.single()) else {
                    return false;
                };
                let (on_a, on_b) = (board.piece_at(a), board.piece_at(b));
                if a == b || on_a.is_none() && on_b.is_none() {
                    return false;
                }
                let mutation = Mutation::Swap([(a, on_a), (b, on_b)]);
                self.note_mutation(mutation);
                let marked = swapped(board.promoted(), a, b);
                board.exchange(a, b);
                board.set_promoted(marked);
                one | other
            }
            Alteration::Turn(side) => {
                let new = side_after(turn, side);
                if new == turn {
                    return false;
                }
                self.note_mutation(Mutation::Side(new));
                board.turn(new);
                SquareSet::EMPTY
            }
        };
        if let Some(passed) = board.ep() {
            let pawn = Square::at(passed.file(), turn.relative_rank(4));
            if board.side() != turn || touched.contains(passed) || touched.contains(pawn) {
                board.set_ep(None);
            }
        }
        let rights = board.castling();
        if rights != CastlingRights::NONE {
            let left = true_rights(board, self.game.rules());
            if left != rights {
                board.set_castling(left);
            }
        }
        true
    }

    /// The squares as they are here.
    #[inline(always)]
    fn squares_at(&mut self, place: Place) -> SquareSet {
        match place {
            Place::Set(register) => SquareSet(self.state.registers[register]),
            Place::Piece(var) => self.squares_of_piece(var),
            Place::LoopPiece { var, current } => {
                let piece = self.state.registers[var] as u8;
                // All identities after `LAST_ID` are equal.
                if self.state.registers[current + 1] == self.here.stamp && piece < LAST_ID {
                    SquareSet(self.state.registers[current])
                } else {
                    self.squares_of_piece(var)
                }
            }
        }
    }

    #[inline(never)]
    fn squares_of_piece(&mut self, var: Register) -> SquareSet {
        let piece = self.state.registers[var] as u8;
        let square = self.square_of(piece);
        square.map_or(SquareSet::EMPTY, SquareSet::of)
    }

    /// `ply` here: moves made from the initial position.
    pub(super) fn ply(&self) -> i32 {
        if self.is_own() {
            return i32::from(self.nodes[self.here.node as usize].ply);
        }
        match self.here.view {
            0 => self.saved(self.here.id).map_or(0, |saved| saved.ply),
            view => self.state.imagined.levels[view as usize - 1].ply,
        }
    }

    /// `movenumber` here.
    pub(super) fn number(&self) -> i32 {
        match self.here.view {
            0 => self.number_of(self.here.id),
            view => self.state.imagined.levels[view as usize - 1].number,
        }
    }

    /// `movenumber` at a position of the game or a saved one.
    pub(super) fn number_of(&self, id: u32) -> i32 {
        match self.saved(id) {
            Some(saved) => saved.number,
            None => self.move_number(self.node_of(id)),
        }
    }

    /// `saveposition`: the id of what is looked at.
    pub(super) fn save_position(&mut self, pc: Pc) -> Result<u32, Stop> {
        if self.here.view == 0 {
            return Ok(self.here.id);
        }
        let count = self.state.imagined.saved.len();
        let id = self.nodes.len() + count;
        if (count + 1) * size_of::<SavedBoard>() > self.state.memory || id > i32::MAX as usize {
            let message = "the query saved too many positions".to_owned();
            return self.stop(pc, "saveposition", message, false);
        }
        let saved = SavedBoard {
            node: self.here.node,
            board: *self.here.board,
            ply: self.ply(),
            number: self.number(),
            ids: *self.piece_ids(),
            promoted: self.promoted_pieces(),
        };
        if !push(&mut self.state.imagined.saved, saved) {
            return self.out_of_memory(pc);
        }
        Ok(id as u32)
    }

    /// The identities on an imagined or saved board.
    pub(super) fn other_ids(&mut self) -> &PieceIds {
        match self.here.view {
            0 => {
                let index = self.here.id as usize - self.nodes.len();
                &self.state.imagined.saved[index].ids
            }
            view => {
                self.find_ids(view);
                let level = &mut self.state.imagined.levels[view as usize - 1];
                level.ids.get_or_insert(NO_IDS)
            }
        }
    }

    fn ids_of(&mut self, spot: Spot) -> PieceIds {
        if spot.view > 0 {
            self.find_ids(spot.view);
            return self.state.imagined.levels[spot.view as usize - 1].ids.unwrap_or(NO_IDS);
        }
        match self.saved(spot.id) {
            Some(saved) => saved.ids,
            None => *self.ids_of_node(spot.id),
        }
    }

    fn find_ids(&mut self, view: u32) {
        let index = view as usize - 1;
        let level = self.state.imagined.levels[index];
        if level.ids.is_some() {
            return;
        }
        let mut ids = self.ids_of(level.base);
        let count = self.positions[0].occupied().len() as u8;
        for mutation in self.mutations_of(index) {
            follow_ids(&mut ids, mutation, &level.board, count);
        }
        self.state.imagined.levels[index].ids = Some(ids);
    }

    /// The mutations of a level.
    pub(super) fn mutations_of(&self, index: usize) -> &[Mutation] {
        let imagined = &self.state.imagined;
        let first = imagined.levels[index].first;
        let end = match imagined.levels.get(index + 1) {
            Some(next) => next.first,
            None => imagined.mutations.len(),
        };
        &imagined.mutations[first..end]
    }

    /// What an imagined board was made of, and the number of a move made there.
    pub(super) fn base_of(&self, level: &Level) -> (&Position, i32) {
        match level.base.view {
            0 => (self.board_of(level.base.id), self.number_of(level.base.id)),
            view => {
                let base = &self.state.imagined.levels[view as usize - 1];
                (&base.board, base.number)
            }
        }
    }

    /// `promotedpieces`
    pub(super) fn promoted_pieces(&mut self) -> SquareSet {
        let spot = self.spot();
        self.promoted_of(spot)
    }

    fn promoted_of(&mut self, spot: Spot) -> SquareSet {
        if spot.view == 0 {
            return match self.saved(spot.id) {
                Some(saved) => saved.promoted,
                None => self.promoted_at(spot.id),
            };
        }
        let index = spot.view as usize - 1;
        let level = self.state.imagined.levels[index];
        if let Some(known) = level.promoted {
            return known;
        }
        let mut promoted = self.promoted_of(level.base);
        for mutation in self.mutations_of(index) {
            promoted = follow_promoted(promoted, mutation, &level.board);
        }
        self.state.imagined.levels[index].promoted = Some(promoted);
        promoted
    }

    fn promoted_at(&mut self, node: u32) -> SquareSet {
        let list = &mut self.state.imagined.promoted;
        if list.is_empty() {
            *list = self.state.arena.sized_list(self.nodes.len());
            // What the FEN marks (Crazyhouse).
            list.push(self.positions[0].promoted());
        }
        for at in list.len()..=node as usize {
            let found = &self.nodes[at];
            let mutation = Mutation::Move(found.mv);
            let before = list[found.parent as usize];
            list.push(follow_promoted(before, &mutation, &self.positions[at]));
        }
        list[node as usize]
    }

    /// `variantwin` and its like.
    pub(super) fn ends_by_variant(&self, wanted: VariantEnding) -> bool {
        let board = &*self.here.board;
        let Some(end) = board.variant_end(self.game.rules()) else {
            return false;
        };
        match (wanted, end) {
            (VariantEnding::Any, _) => true,
            (VariantEnding::Win, VariantEnd::Win(color)) => color == board.side(),
            (VariantEnding::Loss, VariantEnd::Win(color)) => color != board.side(),
            (VariantEnding::Draw, end) => !matches!(end, VariantEnd::Win(_)),
            _ => false,
        }
    }
}

const NO_IDS: PieceIds = PieceIds::EMPTY;

/// The side to move after `sidetomove`.
fn side_after(turn: Color, side: Option<Side>) -> Color {
    match side {
        Some(Side::White) => Color::White,
        Some(Side::Black) => Color::Black,
        None => turn.not(),
    }
}

/// The castling rights that are left where king and rook still stand at home.
fn true_rights(board: &Position, rules: &Rules) -> CastlingRights {
    let mut rights = board.castling();
    for color in Color::ALL {
        let home = SquareSet::rank(color.back_rank());
        let home = if rules.chess960 { home } else { home & SquareSet::file(4) };
        let king = board.pieces(color, Kind::King).intersects(home);
        for side in CastlingSide::ALL {
            let rook = rules.rook(color, side);
            if !king || !board.pieces(color, Kind::Rook).contains(rook) {
                rights = rights.without(CastlingRights::of(color, side));
            }
        }
    }
    rights
}
