//! Lowers the items of a position list.

use babson_lang::diagnostic::{Diagnostic, Span};
use babson_lang::hir::{
    Arithmetic, BinaryFilter, Color, ComparisonOperator, Condition, Content, Expr, ExprKind,
    MoveFilter, NodeSelection, PositionSequence, Promotion, Property, Recurrence, RecurrenceSide,
    SquarePairKind, SquarePairs, UnaryFilter,
};

use super::Lowering;
use super::nodes::{
    self, ALL_NUMBERS, and, binary, bool, compare, condition, not, number, or, property, unary,
    within,
};
use crate::tree::{
    Cql3Designator, MovePart, NumberKind, Pieces, PositionFlag, PositionItem, RelationItem,
    ValueRange,
};

impl Lowering {
    /// The filter of the item, if it is one. `pattern` is the set of squares of the list's
    /// designators.
    pub(super) fn item(
        &mut self,
        item: &PositionItem,
        pattern: u64,
        span: Span,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(Some(match item {
            PositionItem::Designator(designator) => self.designator(designator, span),
            PositionItem::Condition(which) => condition(*which, span),
            PositionItem::Flag(flag) => return Ok(self.flag(*flag, span)),
            PositionItem::PieceCount(designator, range) => {
                let count = unary(UnaryFilter::Count, self.designator(designator, span));
                within(count, *range, (0, 64))
            }
            PositionItem::Power { difference, pieces, range } => {
                self.power(*difference, pieces, *range, span)
            }
            PositionItem::AttackCount { attackers, targets, range } => {
                self.pairs(SquarePairKind::Attack, [attackers, targets], *range, span)
            }
            &PositionItem::Ray { directions, attack, ref sets, range } => {
                let kind = SquarePairKind::Ray { directions, attack };
                self.pairs(kind, sets, range, span)
            }
            PositionItem::Move(part, designator) => self.move_part(*part, designator, span),
            PositionItem::Number(kind, range) => numbers(*kind, *range, span),
            PositionItem::Logic { or: any, lists } => {
                let lists = self.lists(lists)?;
                if *any {
                    let any = lists.into_iter().rev().reduce(|rest, list| or(list, rest));
                    any.unwrap_or_else(|| bool(false, span))
                } else {
                    Expr::new(ExprKind::Sequence(lists), span)
                }
            }
            PositionItem::Sequence { gapped, lists } => {
                let steps = self.lists(lists)?;
                self.steps(*gapped, steps, span)
            }
            PositionItem::Relation(items) => relation(items, pattern, span),
            PositionItem::TagMatch(tag, designator) => {
                let piece = Cql3Designator { pieces: Pieces::Tag(tag.clone()), squares: !0 };
                let (a, b) = (self.designator(&piece, span), self.designator(designator, span));
                binary(BinaryFilter::Intersection, a, b, span)
            }
            // These belong to the list or the game as a whole.
            PositionItem::MatchCount { .. }
            | PositionItem::Accumulate(_)
            | PositionItem::SumRange(..) => return Ok(None),
        }))
    }

    fn flag(&self, flag: PositionFlag, span: Span) -> Option<Expr> {
        let en_passant =
            || next_move(MoveFilter { en_passant: true, ..MoveFilter::default() }, span);
        match flag {
            PositionFlag::NoCheck => Some(not(condition(Condition::Check, span))),
            PositionFlag::EnPassant => Some(en_passant()),
            PositionFlag::NoEnPassant => {
                Some(and(next_move(MoveFilter::default(), span), not(en_passant())))
            }
            PositionFlag::Variations
            | PositionFlag::VariationsOnly
            | PositionFlag::MarkAll
            | PositionFlag::NoAnnotate
            | PositionFlag::Not
            | PositionFlag::Transform(_) => None,
        }
    }

    fn power(
        &self,
        difference: bool,
        pieces: &Cql3Designator,
        range: ValueRange,
        span: Span,
    ) -> Expr {
        let pieces = || self.designator(pieces, span);
        if !difference {
            return within(unary(UnaryFilter::Power, pieces()), range, (0, i32::MAX));
        }
        let of = |side: Content| {
            let side = nodes::pieces(!0, side, span);
            let pieces = binary(BinaryFilter::Intersection, pieces(), side, span);
            Box::new(unary(UnaryFilter::Power, pieces))
        };
        let value =
            ExprKind::Arithmetic(Arithmetic::Subtract, of(Content::WHITE), of(Content::BLACK));
        within(Expr::new(value, span), range, ALL_NUMBERS)
    }

    fn pairs<'d>(
        &self,
        kind: SquarePairKind,
        sets: impl IntoIterator<Item = &'d Cql3Designator>,
        range: ValueRange,
        span: Span,
    ) -> Expr {
        let sets = sets.into_iter().map(|set| self.designator(set, span));
        let pairs = SquarePairs { kind, sets: sets.collect(), range: (range.lo, range.hi) };
        Expr::new(ExprKind::Pairs(Box::new(pairs)), span)
    }

    fn move_part(&self, part: MovePart, designator: &Cql3Designator, span: Span) -> Expr {
        let squares = || Some(self.designator(designator, span));
        let default = MoveFilter::default;
        match part {
            MovePart::From => {
                return real_move(next_move(MoveFilter { from: squares(), ..default() }, span));
            }
            MovePart::To => {
                return real_move(next_move(MoveFilter { to: squares(), ..default() }, span));
            }
            MovePart::Promote => {}
        }
        let promotion = |kinds: u8| {
            let to = (designator.squares != !0)
                .then(|| Expr::new(ExprKind::Squares(designator.squares), span));
            MoveFilter { to, promote: Some(kinds), ..default() }
        };
        let Pieces::Kinds(content) = designator.pieces else {
            // The tagged piece must be the one that promotes.
            let tagged = Cql3Designator { squares: !0, ..designator.clone() };
            let from = Some(self.designator(&tagged, span));
            return next_move(MoveFilter { from, ..promotion(Promotion::ANY) }, span);
        };
        let white = (content.0 & 0x3f) as u8;
        let black = (content.0 >> 6 & 0x3f) as u8;
        let by = |side: Color, kinds: u8| {
            let mover = condition(Condition::SideToMove(side), span);
            and(mover, next_move(promotion(kinds), span))
        };
        match (white, black) {
            _ if white == black => next_move(promotion(white), span),
            (white, 0) => by(Color::White, white),
            (0, black) => by(Color::Black, black),
            (white, black) => or(by(Color::White, white), by(Color::Black, black)),
        }
    }

    pub(super) fn steps(&self, gapped: bool, filters: Vec<Expr>, span: Span) -> Expr {
        if filters.is_empty() {
            return bool(true, span);
        }
        let steps = PositionSequence { gapped, main_line: self.main_line, filters };
        Expr::new(ExprKind::PositionSequence(Box::new(steps)), span)
    }
}

/// A filter about the next move.
fn next_move(filter: MoveFilter, span: Span) -> Expr {
    Expr::new(ExprKind::Move(Box::new(filter)), span)
}

/// The filter, for moves other than null moves. To `move`, a null move goes from the king's square
/// to the same square. In CQL 3 it has no squares.
fn real_move(filter: Expr) -> Expr {
    let null = MoveFilter { null: true, ..MoveFilter::default() };
    let null = next_move(null, filter.span);
    and(filter, not(null))
}

fn numbers(kind: NumberKind, range: ValueRange, span: Span) -> Expr {
    let elo = |side| {
        let elo = property(Property::Elo(Some(side)), span);
        // A missing rating and 0 are in no range
        // (docs/src/language/cql3.md#points-that-the-manual-leaves-open).
        let known = compare(ComparisonOperator::Greater, elo.clone(), 0);
        and(known, within(elo, range, ALL_NUMBERS))
    };
    match kind {
        NumberKind::Elo(Some(side)) => elo(side),
        NumberKind::Elo(None) => or(elo(Color::White), elo(Color::Black)),
        NumberKind::MoveNumber => {
            let compute = |op, left, n| {
                let kind = ExprKind::Arithmetic(op, Box::new(left), Box::new(number(n, span)));
                Expr::new(kind, span)
            };
            let half = compute(Arithmetic::Divide, property(Property::Ply, span), 2);
            let value = compute(Arithmetic::Add, half, 1);
            within(value, range, ALL_NUMBERS)
        }
    }
}

fn relation(items: &[RelationItem], pattern: u64, span: Span) -> Expr {
    let anything = babson_lang::hir::Designator {
        squares: !0,
        content: Content(Content::WHITE.0 | Content::BLACK.0),
    };
    let mut recurrence = Recurrence {
        nodes: NodeSelection::MainLine,
        side: RecurrenceSide::Same,
        squares: !0,
        pattern: false,
        flip: false,
        shift: false,
        same: Vec::new(),
        different: Vec::new(),
        missing: (anything, (0, 0)),
        new: (anything, (0, 0)),
    };
    for item in items {
        match item {
            RelationItem::Pattern => (recurrence.pattern, recurrence.squares) = (true, pattern),
            RelationItem::Shift => recurrence.shift = true,
            RelationItem::Flip => recurrence.flip = true,
            RelationItem::Side(side) => recurrence.side = *side,
            // `:variationsonly` is stronger, in any order.
            RelationItem::Nodes(_) if recurrence.nodes == NodeSelection::Variations => {}
            RelationItem::Nodes(nodes) => recurrence.nodes = *nodes,
            RelationItem::Count { different, range } => {
                let counts =
                    if *different { &mut recurrence.different } else { &mut recurrence.same };
                counts.push((range.lo, range.hi));
            }
            RelationItem::Pieces { new, pieces, range } => {
                let Pieces::Kinds(content) = pieces.pieces else {
                    continue;
                };
                let designator = babson_lang::hir::Designator { squares: pieces.squares, content };
                let slot = if *new { &mut recurrence.new } else { &mut recurrence.missing };
                *slot = (designator, (range.lo, range.hi));
            }
        }
    }
    Expr::new(ExprKind::Recurrence(Box::new(recurrence)), span)
}
