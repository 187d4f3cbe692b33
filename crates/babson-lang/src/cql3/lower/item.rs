//! Single items of a position list.

use super::{Lowering, and, bool, compare, number, or, set, within};
use crate::cql3::tree::{
    Designator, Flag, Item, List, MovePart, NumberKind, Pieces, Range, RayKind, RelationFlag,
    RelationItem,
};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    Arithmetic, Binary, Content, Directions, Expr, ExprKind, Move, Nullary, OtherSide, PairKind,
    Pairs, Recurrence, Relation, Scope, Side, Steps, Type, Unary,
};

impl Lowering {
    /// Appends what the item asks for. `pattern` holds the squares of the list's designators.
    pub(super) fn item(
        &mut self,
        item: &Item,
        pattern: u64,
        span: Span,
        filters: &mut Vec<Expr>,
    ) -> Result<(), Diagnostic> {
        let filter = match item {
            Item::Designator(designator) => self.designator(designator, span),
            Item::Flag(flag) => match self.flag(*flag, span) {
                Some(filter) => filter,
                None => return Ok(()),
            },
            Item::PieceCount(designator, range) => {
                within(self.count(designator, span), *range, (0, 64))
            }
            Item::Power { difference, pieces, range } => {
                self.power(*difference, pieces, *range, span)
            }
            Item::AttackCount { attackers, targets, range } => {
                self.pairs(PairKind::Attack, [attackers, targets], *range, span)
            }
            Item::Ray { kind, sets, range } => {
                let kind = PairKind::Ray {
                    directions: directions(*kind),
                    attack: *kind == RayKind::Attack,
                };
                self.pairs(kind, sets, *range, span)
            }
            Item::Move(part, designator) => self.next_move(*part, designator, span),
            Item::Number(kind, range) => numbers(*kind, *range, span),
            Item::Result(result) => bool(ExprKind::Nullary(Nullary::Result(*result)), span),
            Item::Logic { or: any, lists } => self.logic(*any, lists, span)?,
            Item::Sequence { gapped, lists } => {
                let mut steps = Vec::new();
                for list in lists {
                    steps.push(self.list(list)?);
                }
                self.steps(*gapped, steps, span)
            }
            Item::Relation(items) => relation(items, pattern, span),
            Item::TagMatch(tag, designator) => {
                let piece = Designator { pieces: Pieces::Tag(tag.clone()), squares: !0 };
                let (a, b) = (self.designator(&piece, span), self.designator(designator, span));
                set(ExprKind::Binary(Binary::Intersection, Box::new(a), Box::new(b)), span)
            }
            // These are about the list (or the game) as a whole.
            Item::MatchCount { .. } | Item::Accumulate(_) | Item::SumRange(..) => {
                return Ok(());
            }
        };
        filters.push(filter);
        Ok(())
    }

    fn flag(&self, flag: Flag, span: Span) -> Option<Expr> {
        let nullary = |which| Some(bool(ExprKind::Nullary(which), span));
        match flag {
            Flag::Mate => nullary(Nullary::Mate),
            Flag::Stalemate => nullary(Nullary::Stalemate),
            Flag::Wtm => nullary(Nullary::SideToMove(Side::White)),
            Flag::Btm => nullary(Nullary::SideToMove(Side::Black)),
            Flag::Initial => nullary(Nullary::Initial),
            Flag::Terminal => nullary(Nullary::Terminal),
            Flag::Check => nullary(Nullary::Check),
            Flag::NoCheck => {
                let check = bool(ExprKind::Nullary(Nullary::Check), span);
                Some(bool(ExprKind::Not(Box::new(check)), span))
            }
            Flag::EnPassant => Some(move_filter(None, None, true, None, span)),
            Flag::NoEnPassant => {
                let en_passant = move_filter(None, None, true, None, span);
                let other = bool(ExprKind::Not(Box::new(en_passant)), span);
                Some(and(move_filter(None, None, false, None, span), other))
            }
            Flag::Variations
            | Flag::VariationsOnly
            | Flag::MarkAll
            | Flag::NoAnnotate
            | Flag::Not
            | Flag::Transform(_) => None,
        }
    }

    fn count(&self, designator: &Designator, span: Span) -> Expr {
        let pieces = self.designator(designator, span);
        number(ExprKind::Unary(Unary::Count, Box::new(pieces)), span)
    }

    fn power(&self, difference: bool, pieces: &Designator, range: Range, span: Span) -> Expr {
        let power = |set: Expr| number(ExprKind::Unary(Unary::Power, Box::new(set)), span);
        if !difference {
            let value = power(self.designator(pieces, span));
            return within(value, range, (0, i32::MAX));
        }
        let of = |side: Content| {
            let all = self.designator(pieces, span);
            let side = crate::hir::Designator { squares: !0, content: side };
            let side = set(ExprKind::Designator(side), span);
            power(set(ExprKind::Binary(Binary::Intersection, Box::new(all), Box::new(side)), span))
        };
        let value = ExprKind::Arithmetic(
            Arithmetic::Subtract,
            Box::new(of(Content::WHITE)),
            Box::new(of(Content::BLACK)),
        );
        within(number(value, span), range, (i32::MIN, i32::MAX))
    }

    fn pairs<'d>(
        &self,
        kind: PairKind,
        sets: impl IntoIterator<Item = &'d Designator>,
        range: Range,
        span: Span,
    ) -> Expr {
        let sets = sets.into_iter().map(|set| self.designator(set, span));
        let pairs = Pairs { kind, sets: sets.collect(), range: (range.lo, range.hi) };
        bool(ExprKind::Pairs(Box::new(pairs)), span)
    }

    fn next_move(&self, part: MovePart, designator: &Designator, span: Span) -> Expr {
        let squares = self.designator(designator, span);
        match part {
            MovePart::From => {
                return real_move(move_filter(Some(squares), None, false, None, span));
            }
            MovePart::To => return real_move(move_filter(None, Some(squares), false, None, span)),
            MovePart::Promote => {}
        }
        let to =
            || (designator.squares != !0).then(|| set(ExprKind::Squares(designator.squares), span));
        let Pieces::Kinds(content) = designator.pieces else {
            // The tagged piece is the one that promotes.
            let tagged = Designator { squares: !0, ..designator.clone() };
            let from = self.designator(&tagged, span);
            return move_filter(Some(from), to(), false, Some(0x3f), span);
        };
        let white = (content.0 & 0x3f) as u8;
        let black = (content.0 >> 6 & 0x3f) as u8;
        let by = |side: Side, kinds: u8| {
            let mover = bool(ExprKind::Nullary(Nullary::SideToMove(side)), span);
            and(mover, move_filter(None, to(), false, Some(kinds), span))
        };
        match (white, black) {
            _ if white == black => move_filter(None, to(), false, Some(white), span),
            (white, 0) => by(Side::White, white),
            (0, black) => by(Side::Black, black),
            (white, black) => or(by(Side::White, white), by(Side::Black, black)),
        }
    }

    fn logic(&mut self, any: bool, lists: &[List], span: Span) -> Result<Expr, Diagnostic> {
        let mut all = Vec::new();
        for list in lists {
            all.push(self.list(list)?);
        }
        Ok(if any {
            let none = bool(ExprKind::Bool(false), span);
            all.into_iter().rev().reduce(|rest, list| or(list, rest)).unwrap_or(none)
        } else {
            bool(ExprKind::Sequence(all), span)
        })
    }

    pub(super) fn steps(&self, gapped: bool, filters: Vec<Expr>, span: Span) -> Expr {
        if filters.is_empty() {
            return bool(ExprKind::Bool(true), span);
        }
        let steps = Steps { gapped, main_line: self.main_line, filters };
        bool(ExprKind::Steps(Box::new(steps)), span)
    }
}

/// A filter about the next move.
fn move_filter(
    from: Option<Expr>,
    to: Option<Expr>,
    en_passant: bool,
    promote: Option<u8>,
    span: Span,
) -> Expr {
    let filter = Move { from, to, promote, en_passant, ..Move::played() };
    bool(ExprKind::Move(Box::new(filter)), span)
}

/// A filter about the next move that a null move does not fit: `move` has it go from the king's
/// square to the king's square, but CQL 3 knows nothing of null moves, so it has no designations.
fn real_move(filter: Expr) -> Expr {
    let span = filter.span;
    let null = Move { null: true, ..Move::played() };
    let null = bool(ExprKind::Move(Box::new(null)), span);
    and(filter, bool(ExprKind::Not(Box::new(null)), span))
}

/// Bits as in [`Directions`].
fn directions(kind: RayKind) -> Directions {
    Directions(match kind {
        RayKind::Any | RayKind::Attack => 0b1111_1111,
        RayKind::Orthogonal => 0b0101_0101,
        RayKind::Diagonal => 0b1010_1010,
        RayKind::Horizontal => 0b0100_0100,
        RayKind::Vertical => 0b0001_0001,
    })
}

fn numbers(kind: NumberKind, range: Range, span: Span) -> Expr {
    let elo = |side| {
        let elo = number(ExprKind::Nullary(Nullary::Elo(Some(side))), span);
        // A zero is no rating (D11).
        let known = compare(Relation::Greater, elo.clone(), 0);
        and(known, within(elo, range, (i32::MIN, i32::MAX)))
    };
    match kind {
        NumberKind::WhiteElo => elo(Side::White),
        NumberKind::BlackElo => elo(Side::Black),
        NumberKind::Elo => or(elo(Side::White), elo(Side::Black)),
        NumberKind::MoveNumber => {
            let constant = |n| Box::new(number(ExprKind::Number(n), span));
            let ply = number(ExprKind::Nullary(Nullary::Ply), span);
            let half = ExprKind::Arithmetic(Arithmetic::Divide, Box::new(ply), constant(2));
            let half = Box::new(number(half, span));
            let value = ExprKind::Arithmetic(Arithmetic::Add, half, constant(1));
            within(number(value, span), range, (i32::MIN, i32::MAX))
        }
    }
}

fn relation(items: &[RelationItem], pattern: u64, span: Span) -> Expr {
    let anything = crate::hir::Designator {
        squares: !0,
        content: Content(Content::WHITE.0 | Content::BLACK.0),
    };
    let mut found = Recurrence {
        scope: Scope::MainLine,
        side: OtherSide::Same,
        squares: !0,
        pattern: false,
        flip: false,
        shift: false,
        same: Vec::new(),
        different: Vec::new(),
        missing: (anything, (0, 0)),
        new: (anything, (0, 0)),
    };
    let mut variations_only = false;
    for item in items {
        match item {
            RelationItem::Flag(flag) => match flag {
                RelationFlag::Pattern => (found.pattern, found.squares) = (true, pattern),
                RelationFlag::Shift => found.shift = true,
                RelationFlag::Flip => found.flip = true,
                RelationFlag::SameSide => found.side = OtherSide::Same,
                RelationFlag::ChangedSide => found.side = OtherSide::Changed,
                RelationFlag::AnySide => found.side = OtherSide::Any,
                RelationFlag::Variations => found.scope = Scope::All,
                RelationFlag::VariationsOnly => variations_only = true,
            },
            RelationItem::Count { different, range } => {
                let counts = if *different { &mut found.different } else { &mut found.same };
                counts.push((range.lo, range.hi));
            }
            RelationItem::Pieces { new, pieces, range } => {
                let Pieces::Kinds(content) = pieces.pieces else {
                    continue;
                };
                let designator = crate::hir::Designator { squares: pieces.squares, content };
                let slot = if *new { &mut found.new } else { &mut found.missing };
                *slot = (designator, (range.lo, range.hi));
            }
        }
    }
    if variations_only {
        found.scope = Scope::Variations;
    }
    bool(ExprKind::Recurrence(Box::new(found)), span)
}

/// A number of hidden use.
pub(super) const NUMBER: Type = Type::Number;
