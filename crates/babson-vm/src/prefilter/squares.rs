//! Sets of squares that can be computed from the bitboards of a position.

use babson_chess::{Color, Kind, Position, SquareSet};
use babson_lang::hir::{Content, Designator, Expr};

use crate::analysis::{Analysis, SetShape};
use crate::filters::pawns;

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
        SetShape::UnionOf(_)
        | SetShape::Light(_)
        | SetShape::Dark(_)
        | SetShape::Among(_)
        | SetShape::AmongMoved(_)
        | SetShape::PieceOf(_)
        | SetShape::Other => None,
    }
}

/// A set that contains all squares of the expression's value, if one is known that is smaller than
/// the board.
pub(super) fn superset(expr: &Expr, analysis: &Analysis) -> Option<BoardSet> {
    if let Some(exact) = squares(expr) {
        return Some(exact);
    }
    match SetShape::of(expr) {
        SetShape::Same(inner) => superset(inner, analysis),
        SetShape::PieceOf(var) => {
            Some(designator(Designator { squares: !0, content: analysis.colors_of(var)? }))
        }
        SetShape::Intersection(a, b) => match (superset(a, analysis), superset(b, analysis)) {
            (Some(a), Some(b)) => Some(a.and(b)),
            (a, b) => a.or(b),
        },
        SetShape::Union(a, b) => Some(superset(a, analysis)?.or(superset(b, analysis)?)),
        SetShape::Among(set) => superset(set, analysis),
        SetShape::Designator(_)
        | SetShape::Squares(_)
        | SetShape::PassedPawns
        | SetShape::UnionOf(_)
        | SetShape::Light(_)
        | SetShape::Dark(_)
        | SetShape::AmongMoved(_)
        | SetShape::Other => None,
    }
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

    /// Those of the squares that are in the mask.
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

    /// Whether the set is all pieces, which is empty on hardly any board.
    pub(super) fn is_any_piece(&self) -> bool {
        *self == BoardSet::Occupied(!0)
    }

    #[inline(always)]
    pub(super) fn of(&self, board: &Position) -> SquareSet {
        if let BoardSet::Piece { color, kind, squares } = self {
            board.pieces(*color, *kind) & SquareSet(*squares)
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
            BoardSet::PassedPawns => pawns::passed_among(
                board.pieces(Color::White, Kind::Pawn),
                board.pieces(Color::Black, Kind::Pawn),
            ),
            BoardSet::And(pair) => pair[0].of(board) & pair[1].of(board),
            BoardSet::Or(pair) => pair[0].of(board) | pair[1].of(board),
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
