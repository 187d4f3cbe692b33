//! Sets of squares that the position's bitboards give.

use babson_chess::{Color, Kind, Position, SquareSet};
use babson_lang::hir::{Content, Designator, Expr};

use crate::analysis::{Analysis, SetShape};
use crate::filters::pawns;

/// A set of squares, as the board has it.
#[derive(Debug, PartialEq)]
pub(super) enum Squares {
    Constant(u64),
    /// One coloured piece.
    Piece {
        color: Color,
        kind: Kind,
        squares: u64,
    },
    /// One kind of piece of either colour.
    Kind {
        kind: Kind,
        squares: u64,
    },
    /// All pieces of a colour.
    Color {
        color: Color,
        squares: u64,
    },
    /// All pieces.
    Occupied(u64),
    /// Several pieces of a colour: a mask for each kind.
    Kinds {
        color: Color,
        masks: [u64; 6],
    },
    Content(Box<Masks>),
    PassedPawns,
    And(Box<[Squares; 2]>),
    Or(Box<[Squares; 2]>),
}

/// Any content, without branches: a mask of the kinds of each color that count.
#[derive(Debug, PartialEq)]
pub(super) struct Masks {
    pub(super) colors: [[u64; 6]; 2],
    pub(super) empty: u64,
    pub(super) squares: u64,
}

/// The set of an expression, if its value is no more than that.
pub(super) fn squares(expr: &Expr) -> Option<Squares> {
    match SetShape::of(expr) {
        SetShape::Designator(found) => Some(designator(found)),
        SetShape::Squares(found) => Some(Squares::Constant(found)),
        SetShape::Same(inner) => squares(inner),
        SetShape::PassedPawns => Some(Squares::PassedPawns),
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

/// A set that has all squares of the expression's value, if one that is smaller than the board is
/// known.
pub(super) fn superset(expr: &Expr, analysis: &Analysis) -> Option<Squares> {
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

pub(super) fn designator(found: Designator) -> Squares {
    let squares = found.squares;
    let content = found.content.0 & Content::ANY.0;
    if content == Content::ANY.0 {
        return Squares::Constant(squares);
    }
    if content == Content::WHITE.0 | Content::BLACK.0 {
        return Squares::Occupied(squares);
    }
    let kind = |kind: &Kind| content == 0x41 << kind.index();
    if let Some(kind) = Kind::ALL.into_iter().find(kind) {
        return Squares::Kind { kind, squares };
    }
    for (color, all) in [(Color::White, Content::WHITE.0), (Color::Black, Content::BLACK.0)] {
        if content == all {
            return Squares::Color { color, squares };
        }
        for kind in Kind::ALL {
            if content == 1 << (color.index() * 6 + kind.index()) {
                return Squares::Piece { color, kind, squares };
            }
        }
    }
    let several = |color: Color, all: u16| {
        let mask = |kind: usize| content >> (color.index() * 6 + kind) & 1;
        (content & !all == 0).then(|| Squares::Kinds {
            color,
            masks: std::array::from_fn(|kind| if mask(kind) != 0 { squares } else { 0 }),
        })
    };
    let one_color = several(Color::White, Content::WHITE.0);
    if let Some(found) = one_color.or_else(|| several(Color::Black, Content::BLACK.0)) {
        return found;
    }
    let mask = |bit: usize| if content >> bit & 1 != 0 { !0 } else { 0 };
    Squares::Content(Box::new(Masks {
        colors: [0, 6].map(|first| std::array::from_fn(|kind| mask(first + kind))),
        empty: mask(12),
        squares,
    }))
}

impl Squares {
    fn and(self, other: Squares) -> Squares {
        match (self, other) {
            (Squares::Constant(mask), other) | (other, Squares::Constant(mask)) => {
                other.within(mask)
            }
            (a, b) => Squares::And(Box::new([a, b])),
        }
    }

    fn or(self, other: Squares) -> Squares {
        Squares::Or(Box::new([self, other]))
    }

    /// Those of the squares that are in the mask.
    fn within(mut self, mask: u64) -> Squares {
        match &mut self {
            Squares::Constant(squares)
            | Squares::Occupied(squares)
            | Squares::Piece { squares, .. }
            | Squares::Kind { squares, .. }
            | Squares::Color { squares, .. } => *squares &= mask,
            Squares::Content(masks) => masks.squares &= mask,
            Squares::Kinds { masks, .. } => masks.iter_mut().for_each(|kind| *kind &= mask),
            Squares::PassedPawns | Squares::And(_) | Squares::Or(_) => {
                return Squares::And(Box::new([self, Squares::Constant(mask)]));
            }
        }
        self
    }

    /// Whether nearly every board has such a square.
    pub(super) fn is_any_piece(&self) -> bool {
        *self == Squares::Occupied(!0)
    }

    #[inline(always)]
    pub(super) fn of(&self, board: &Position) -> SquareSet {
        if let Squares::Piece { color, kind, squares } = self {
            board.pieces(*color, *kind) & SquareSet(*squares)
        } else {
            self.others_of(board)
        }
    }

    /// As [`Squares::of`]. Out of line: few sets are more than one kind of piece.
    #[inline(never)]
    fn others_of(&self, board: &Position) -> SquareSet {
        match self {
            Squares::Constant(squares) => SquareSet(*squares),
            Squares::Piece { color, kind, squares } => {
                board.pieces(*color, *kind) & SquareSet(*squares)
            }
            Squares::Kinds { color, masks } => {
                let kinds = Kind::ALL.into_iter().zip(masks);
                let all = kinds.fold(0, |sum, (kind, mask)| sum | board.kind(kind).0 & mask);
                board.color(*color) & SquareSet(all)
            }
            Squares::Kind { kind, squares } => board.kind(*kind) & SquareSet(*squares),
            Squares::Color { color, squares } => board.color(*color) & SquareSet(*squares),
            Squares::Occupied(squares) => board.occupied() & SquareSet(*squares),
            Squares::Content(masks) => masks.of(board),
            Squares::PassedPawns => pawns::passed_among(
                board.pieces(Color::White, Kind::Pawn),
                board.pieces(Color::Black, Kind::Pawn),
            ),
            Squares::And(pair) => pair[0].of(board) & pair[1].of(board),
            Squares::Or(pair) => pair[0].of(board) | pair[1].of(board),
        }
    }

    pub(super) fn cost(&self) -> u32 {
        match self {
            Squares::Constant(_) => 0,
            Squares::Piece { .. }
            | Squares::Kind { .. }
            | Squares::Color { .. }
            | Squares::Occupied(_) => 1,
            Squares::Kinds { .. } => 3,
            Squares::Content(_) => 5,
            Squares::PassedPawns => 8,
            Squares::And(pair) | Squares::Or(pair) => 1 + pair[0].cost() + pair[1].cost(),
        }
    }
}

impl Masks {
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
