//! The values that a number may have, and the number of squares of a set.

use babson_chess::Kind;

use super::{Contradiction, FactSource, Reason};
use crate::hir::{
    BinaryFilter, ComparisonOperator, Content, Designator, Expr, ExprKind, Property, Type,
    UnaryFilter,
};

/// The least and the greatest number in this relation to the constant; the first is greater if
/// there is none.
pub(super) fn limits(relation: ComparisonOperator, constant: i32) -> Option<(i64, i64)> {
    let constant = i64::from(constant);
    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
    match relation {
        ComparisonOperator::Equal => Some((constant, constant)),
        ComparisonOperator::Less => Some((least, constant - 1)),
        ComparisonOperator::LessEqual => Some((least, constant)),
        ComparisonOperator::Greater => Some((constant + 1, greatest)),
        ComparisonOperator::GreaterEqual => Some((constant, greatest)),
        ComparisonOperator::NotEqual
        | ComparisonOperator::Ancestor
        | ComparisonOperator::AncestorOrSame
        | ComparisonOperator::Descendant
        | ComparisonOperator::DescendantOrSame => None,
    }
}

/// A filter, and the numbers that it allows: from the first to the second.
#[derive(Clone, Copy)]
struct Limit {
    source: FactSource,
    numbers: (i64, i64),
}

/// The values that a number may have, and where its ends come from.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    least: i64,
    greatest: i64,
    /// The filters that set the ends, if filters did.
    set_by: (Option<Limit>, Option<Limit>),
    /// The ends on every board.
    board: (i32, i32),
    /// The ends before filters changed them: the limits of chess, or of every board.
    natural: (i32, i32),
}

impl Interval {
    pub(super) fn of(e: &Expr, chess: bool) -> Interval {
        let natural = bounds(e, chess);
        let (least, greatest) = (i64::from(natural.0), i64::from(natural.1));
        Interval { least, greatest, set_by: (None, None), board: bounds(e, false), natural }
    }

    /// Removes the numbers outside of the limits.
    pub(super) fn limit(
        &mut self,
        limits: (i64, i64),
        source: FactSource,
    ) -> Result<(), Contradiction> {
        let opposite = if limits.0 > self.greatest { self.set_by.1 } else { self.set_by.0 };
        let limit = Some(Limit { source, numbers: limits });
        if limits.0 > self.least {
            (self.least, self.set_by.0) = (limits.0, limit);
        }
        if limits.1 < self.greatest {
            (self.greatest, self.set_by.1) = (limits.1, limit);
        }
        if self.least <= self.greatest {
            return Ok(());
        }
        let is_off_board = limits.0 > i64::from(self.board.1) || limits.1 < i64::from(self.board.0);
        let reason = match opposite {
            _ if is_off_board => Reason::Bounds(self.board),
            Some(other) => {
                let is_exact = source.exact && other.source.exact;
                let opposite = is_exact && self.is_one_of(other.numbers, limits);
                Reason::With { other: other.source.span, opposite }
            }
            None if self.natural != self.board => Reason::ChessBounds(self.natural),
            None => Reason::Bounds(self.board),
        };
        Err(Contradiction { span: source.span, reason })
    }

    /// Whether each number on every board is within one of these limits, which have no number in
    /// common.
    fn is_one_of(&self, one: (i64, i64), other: (i64, i64)) -> bool {
        let (low, high) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        low.0 <= i64::from(self.board.0) && high.1 >= i64::from(self.board.1) && low.1 + 1 == high.0
    }
}

/// The least and the greatest value of a number, or the number of squares of a set: on every board,
/// or in games of chess.
#[expect(clippy::wildcard_enum_match_arm, reason = "others may have any value")]
fn bounds(e: &Expr, chess: bool) -> (i32, i32) {
    match &e.kind {
        ExprKind::Number(number) => (*number, *number),
        ExprKind::Property(Property::SideSign) => (-1, 1),
        ExprKind::Squares(squares) => (squares.count_ones() as i32, squares.count_ones() as i32),
        ExprKind::Designator(designator) => bounds_of_designator(*designator, chess),
        ExprKind::Unary(UnaryFilter::Complement, set) => {
            let (least, greatest) = bounds(set, chess);
            (64 - greatest, 64 - least)
        }
        ExprKind::Unary(UnaryFilter::Light | UnaryFilter::Dark, set) => {
            (0, bounds(set, chess).1.min(32))
        }
        ExprKind::Binary(BinaryFilter::Union, a, b) => {
            let (a, b) = (bounds(a, chess), bounds(b, chess));
            (a.0.max(b.0), (a.1 + b.1).min(64))
        }
        ExprKind::Binary(BinaryFilter::Intersection, a, b) => {
            if let (ExprKind::Designator(a), ExprKind::Designator(b)) = (&a.kind, &b.kind) {
                let squares = a.squares & b.squares;
                let content = Content(a.content.0 & b.content.0);
                return (0, bounds_of_designator(Designator { squares, content }, chess).1);
            }
            (0, bounds(a, chess).1.min(bounds(b, chess).1))
        }
        ExprKind::Binary(BinaryFilter::Attacks | BinaryFilter::AttackedBy, a, _) => {
            (0, bounds(a, chess).1)
        }
        _ if e.ty == Type::Set => (0, 64),
        _ => (i32::MIN, i32::MAX),
    }
}

fn bounds_of_designator(designator: Designator, chess: bool) -> (i32, i32) {
    let content = designator.content;
    let squares = if content.0 == 0 { 0 } else { designator.squares.count_ones() as i32 };
    if content == Content::ANY {
        return (squares, squares);
    }
    if !chess || content.0 & Content::EMPTY.0 != 0 {
        return (0, squares);
    }
    let (white, black) = (pieces_of_side(content.0 & 0x3f), pieces_of_side(content.0 >> 6 & 0x3f));
    let least = if designator.squares == u64::MAX { white.0 + black.0 } else { 0 };
    (least, squares.min(white.1 + black.1))
}

/// The least and the greatest number of pieces of these kinds (bit 0 pawn … 5 king) that a side has
/// in a game of chess.
fn pieces_of_side(kinds: u16) -> (i32, i32) {
    let is_meant = |kind: Kind| kinds >> kind.index() & 1 == 1;
    let king = i32::from(is_meant(Kind::King));
    let officers = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
    let officers: u32 =
        officers.into_iter().filter(|&kind| is_meant(kind)).map(Kind::initial_count).sum();
    // Each pawn is a pawn, or is promoted to another kind.
    let pawns = if kinds & 0x1f == 0 { 0 } else { Kind::Pawn.initial_count() };
    (king, king + officers as i32 + pawns as i32)
}
