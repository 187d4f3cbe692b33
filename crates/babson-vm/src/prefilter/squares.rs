//! Sets of squares that can be computed from the bitboards of a position.

use babson_chess::{Color, Kind, Position, SquareSet};
use babson_lang::hir::{Content, Designator, Expr, SetShape};

use super::scan::Column;
use crate::analysis::Analysis;
use crate::filters::pawns;
use crate::need::{self, CONTENTS, superset_of_pieces};

/// An expression for a set of squares of a board.
#[derive(Debug, PartialEq)]
pub(super) enum BoardSet {
    Constant(u64),
    /// One kind of piece of a color.
    Piece {
        color: Color,
        kind: Kind,
        squares: u64,
    },
    /// One kind of piece of either color.
    Kind {
        kind: Kind,
        squares: u64,
    },
    /// All pieces of a color.
    Color {
        color: Color,
        squares: u64,
    },
    /// All pieces.
    Occupied(u64),
    /// Several pieces of a color: a mask for each kind.
    Kinds {
        color: Color,
        masks: [u64; 6],
    },
    Content(Box<ContentMasks>),
    PassedPawns,
    And(Box<[BoardSet; 2]>),
    Or(Box<[BoardSet; 2]>),
}

/// Any content: for each color a mask for each kind, so that the set is computed without branches.
#[derive(Debug, PartialEq)]
pub(super) struct ContentMasks {
    pub(super) colors: [[u64; 6]; 2],
    pub(super) empty: u64,
    pub(super) squares: u64,
}

/// The set of an expression, if bitboards give it exactly.
pub(super) fn squares(expr: &Expr) -> Option<BoardSet> {
    match SetShape::of(expr) {
        SetShape::Designator(found) => Some(designator(found)),
        SetShape::Squares(found) => Some(BoardSet::Constant(found)),
        SetShape::Same(inner) => squares(inner),
        SetShape::PassedPawns => Some(BoardSet::PassedPawns),
        SetShape::Intersection(a, b) => Some(squares(a)?.and(squares(b)?)),
        SetShape::Union(a, b) => Some(squares(a)?.or(squares(b)?)),
        SetShape::Light(inner) => Some(squares(inner)?.within(SquareSet::LIGHT.0)),
        SetShape::Dark(inner) => Some(squares(inner)?.within(!SquareSet::LIGHT.0)),
        SetShape::UnionOf(_) if need::is_exact(expr) => Some(of_masks(need::superset(expr))),
        SetShape::UnionOf(_)
        | SetShape::Among(_)
        | SetShape::AmongMoved(_)
        | SetShape::PieceOf(_)
        | SetShape::Other => None,
    }
}

/// A set that contains all squares of the expression's value, if one is known that is smaller than
/// the board.
pub(super) fn superset(expr: &Expr, analysis: &Analysis) -> Option<BoardSet> {
    squares(expr).or_else(|| {
        // The piece of a variable keeps its color.
        let masks = superset_of_pieces(expr, &|var| analysis.colors_of(var));
        Some(of_masks(masks)).filter(|set| *set != BoardSet::Constant(!0))
    })
}

/// The squares of a mask for each content.
fn of_masks(masks: [u64; CONTENTS]) -> BoardSet {
    let mut parts: Vec<Designator> = Vec::new();
    for (content, squares) in masks.into_iter().enumerate().filter(|(_, squares)| *squares != 0) {
        match parts.iter_mut().find(|part| part.squares == squares) {
            Some(part) => part.content.0 |= 1 << content,
            None => parts.push(Designator { squares, content: Content(1 << content) }),
        }
    }
    let sets = parts.into_iter().map(designator);
    sets.reduce(BoardSet::or).unwrap_or(BoardSet::Constant(0))
}

pub(super) fn designator(found: Designator) -> BoardSet {
    let squares = found.squares;
    let content = found.content.0 & Content::ANY.0;
    if content == Content::ANY.0 {
        return BoardSet::Constant(squares);
    }
    if content == Content::WHITE.0 | Content::BLACK.0 {
        return BoardSet::Occupied(squares);
    }
    let kind = |kind: &Kind| content == 0x41 << kind.index();
    if let Some(kind) = Kind::ALL.into_iter().find(kind) {
        return BoardSet::Kind { kind, squares };
    }
    for (color, all) in [(Color::White, Content::WHITE.0), (Color::Black, Content::BLACK.0)] {
        if content == all {
            return BoardSet::Color { color, squares };
        }
        for kind in Kind::ALL {
            if content == 1 << (color.index() * 6 + kind.index()) {
                return BoardSet::Piece { color, kind, squares };
            }
        }
    }
    let several = |color: Color, all: u16| {
        let mask = |kind: usize| content >> (color.index() * 6 + kind) & 1;
        (content & !all == 0).then(|| BoardSet::Kinds {
            color,
            masks: std::array::from_fn(|kind| if mask(kind) != 0 { squares } else { 0 }),
        })
    };
    let one_color = several(Color::White, Content::WHITE.0);
    if let Some(found) = one_color.or_else(|| several(Color::Black, Content::BLACK.0)) {
        return found;
    }
    let mask = |bit: usize| if content >> bit & 1 != 0 { !0 } else { 0 };
    BoardSet::Content(Box::new(ContentMasks {
        colors: [0, 6].map(|first| std::array::from_fn(|kind| mask(first + kind))),
        empty: mask(12),
        squares,
    }))
}

impl BoardSet {
    fn and(self, other: BoardSet) -> BoardSet {
        match (self, other) {
            (BoardSet::Constant(mask), other) | (other, BoardSet::Constant(mask)) => {
                other.within(mask)
            }
            (a, b) => BoardSet::And(Box::new([a, b])),
        }
    }

    fn or(self, other: BoardSet) -> BoardSet {
        BoardSet::Or(Box::new([self, other]))
    }

    /// Returns the set of its squares that are in the mask.
    fn within(mut self, mask: u64) -> BoardSet {
        match &mut self {
            BoardSet::Constant(squares)
            | BoardSet::Occupied(squares)
            | BoardSet::Piece { squares, .. }
            | BoardSet::Kind { squares, .. }
            | BoardSet::Color { squares, .. } => *squares &= mask,
            BoardSet::Content(masks) => masks.squares &= mask,
            BoardSet::Kinds { masks, .. } => masks.iter_mut().for_each(|kind| *kind &= mask),
            BoardSet::PassedPawns | BoardSet::And(_) | BoardSet::Or(_) => {
                return BoardSet::And(Box::new([self, BoardSet::Constant(mask)]));
            }
        }
        self
    }

    /// Returns the set of its squares that hold a piece of this kind; none if there are never any.
    pub(super) fn only(self, kind: Kind) -> Option<BoardSet> {
        let all = BoardSet::Kind { kind, squares: !0 };
        match self {
            BoardSet::Constant(squares) | BoardSet::Occupied(squares) => {
                Some(BoardSet::Kind { kind, squares })
            }
            BoardSet::Color { color, squares } => Some(BoardSet::Piece { color, kind, squares }),
            BoardSet::Piece { kind: own, .. } | BoardSet::Kind { kind: own, .. } => {
                (own == kind).then_some(self)
            }
            BoardSet::Kinds { color, masks } => {
                let squares = masks[kind.index()];
                (squares != 0).then_some(BoardSet::Piece { color, kind, squares })
            }
            BoardSet::Content(masks) => {
                let [white, black] = masks.colors.map(|kinds| kinds[kind.index()] & masks.squares);
                let piece = |color, squares| BoardSet::Piece { color, kind, squares };
                match (white, black) {
                    (0, 0) => None,
                    (squares, 0) => Some(piece(Color::White, squares)),
                    (0, squares) => Some(piece(Color::Black, squares)),
                    (white, black) if white == black => {
                        Some(BoardSet::Kind { kind, squares: white })
                    }
                    (white, black) => {
                        Some(piece(Color::White, white).or(piece(Color::Black, black)))
                    }
                }
            }
            BoardSet::PassedPawns | BoardSet::And(_) | BoardSet::Or(_) => Some(self.and(all)),
        }
    }

    /// Whether the set is all pieces, or all of a color, which is empty on hardly any board.
    pub(super) fn is_any_piece(&self) -> bool {
        matches!(self, BoardSet::Occupied(squares) | BoardSet::Color { squares, .. } if *squares == !0)
    }

    /// The color of its pieces, and a mask for each kind, if it has pieces of one color.
    pub(super) fn masks_of_color(&self) -> Option<(Color, [u64; 6])> {
        match self {
            BoardSet::Piece { color, kind, squares } => {
                let mut masks = [0; 6];
                masks[kind.index()] = *squares;
                Some((*color, masks))
            }
            BoardSet::Color { color, squares } => Some((*color, [*squares; 6])),
            BoardSet::Kinds { color, masks } => Some((*color, *masks)),
            BoardSet::Constant(_)
            | BoardSet::Kind { .. }
            | BoardSet::Occupied(_)
            | BoardSet::Content(_)
            | BoardSet::PassedPawns
            | BoardSet::And(_)
            | BoardSet::Or(_) => None,
        }
    }

    /// The color and squares of pawns if the set is the passed ones among them.
    pub(super) fn passed_of_color(&self) -> Option<(Color, SquareSet)> {
        if let BoardSet::And(pair) = self
            && let [BoardSet::PassedPawns, other] | [other, BoardSet::PassedPawns] = &**pair
            && let &BoardSet::Piece { color, kind: Kind::Pawn, squares } = other
        {
            return Some((color, SquareSet(squares)));
        }
        None
    }

    #[inline(always)]
    pub(super) fn of(&self, board: &Position) -> SquareSet {
        if let BoardSet::Piece { color, kind, squares } = self {
            board.pieces(*color, *kind) & SquareSet(*squares)
        } else if let BoardSet::Color { color, squares } = self {
            board.color(*color) & SquareSet(*squares)
        } else {
            self.others_of(board)
        }
    }

    /// As [`BoardSet::of`]. Out of line: few sets are more than one kind of piece.
    #[inline(never)]
    fn others_of(&self, board: &Position) -> SquareSet {
        match self {
            BoardSet::Constant(squares) => SquareSet(*squares),
            BoardSet::Piece { color, kind, squares } => {
                board.pieces(*color, *kind) & SquareSet(*squares)
            }
            BoardSet::Kinds { color, masks } => {
                let kinds = Kind::ALL.into_iter().zip(masks);
                let all = kinds.fold(0, |sum, (kind, mask)| sum | board.kind(kind).0 & mask);
                board.color(*color) & SquareSet(all)
            }
            BoardSet::Kind { kind, squares } => board.kind(*kind) & SquareSet(*squares),
            BoardSet::Color { color, squares } => board.color(*color) & SquareSet(*squares),
            BoardSet::Occupied(squares) => board.occupied() & SquareSet(*squares),
            BoardSet::Content(masks) => masks.of(board),
            BoardSet::PassedPawns => passed(board, SquareSet::ALL),
            BoardSet::And(pair) => match &**pair {
                [BoardSet::PassedPawns, other] | [other, BoardSet::PassedPawns] => {
                    passed(board, other.of(board))
                }
                [a, b] => a.of(board) & b.of(board),
            },
            BoardSet::Or(pair) => pair[0].of(board) | pair[1].of(board),
        }
    }

    /// Sets the words of a column to the set on each board.
    pub(super) fn fill(&self, boards: &[Position], column: &mut Column) {
        let words = column.iter_mut().zip(boards);
        match self {
            BoardSet::Constant(squares) => words.for_each(|(word, _)| *word = *squares),
            BoardSet::Color { color, squares } => {
                words.for_each(|(word, board)| *word = board.color(*color).0 & squares);
            }
            BoardSet::Piece { .. }
            | BoardSet::Kind { .. }
            | BoardSet::Occupied(_)
            | BoardSet::Kinds { .. }
            | BoardSet::Content(_)
            | BoardSet::PassedPawns
            | BoardSet::And(_)
            | BoardSet::Or(_) => words.for_each(|(word, board)| *word = self.of(board).0),
        }
    }

    /// Whether the set may have several kinds of pieces that slide.
    pub(super) fn has_kinds_of_sliders(&self) -> bool {
        let several = |masks: &[u64; 6]| {
            let sliders = [Kind::Bishop, Kind::Rook, Kind::Queen];
            sliders.iter().filter(|kind| masks[kind.index()] != 0).count() > 1
        };
        match self {
            BoardSet::Constant(_) | BoardSet::Color { .. } | BoardSet::Occupied(_) => true,
            BoardSet::Piece { .. } | BoardSet::Kind { .. } | BoardSet::PassedPawns => false,
            BoardSet::Kinds { masks, .. } => several(masks),
            BoardSet::Content(masks) => masks.colors.iter().any(several),
            BoardSet::And(pair) => pair.iter().all(BoardSet::has_kinds_of_sliders),
            BoardSet::Or(pair) => pair.iter().any(BoardSet::has_kinds_of_sliders),
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            BoardSet::Constant(_) => 0,
            BoardSet::Piece { .. }
            | BoardSet::Kind { .. }
            | BoardSet::Color { .. }
            | BoardSet::Occupied(_) => 1,
            BoardSet::Kinds { .. } => 3,
            BoardSet::Content(_) => 5,
            BoardSet::PassedPawns => 8,
            BoardSet::And(pair) | BoardSet::Or(pair) => 1 + pair[0].cost() + pair[1].cost(),
        }
    }
}

/// The passed pawns among some squares. Often these have the pawns of only one color.
#[inline]
fn passed(board: &Position, among: SquareSet) -> SquareSet {
    let mut found = SquareSet::EMPTY;
    for color in Color::ALL {
        let own = board.pieces(color, Kind::Pawn) & among;
        if !own.is_empty() {
            let enemies = board.pieces(color.not(), Kind::Pawn);
            found |= pawns::passed_against(color, own, enemies);
        }
    }
    found
}

impl ContentMasks {
    #[inline]
    fn of(&self, board: &Position) -> SquareSet {
        let (mut white, mut black) = (0, 0);
        for kind in Kind::ALL {
            let all = board.kind(kind).0;
            white |= all & self.colors[0][kind.index()];
            black |= all & self.colors[1][kind.index()];
        }
        let found = white & board.color(Color::White).0
            | black & board.color(Color::Black).0
            | !board.occupied().0 & self.empty;
        SquareSet(found & self.squares)
    }
}
