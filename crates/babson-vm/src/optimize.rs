//! What the compiler may do without changing any result: order of pure conjuncts, positions that
//! need no visit, and patterns that are tested for all their places at once.

use babson_lang::hir::{
    Bound, Condition, ConstituentKind, Content, Designator, Expr, ExprKind, Line, Quantity,
    Relation, Type,
};

use crate::compile::Visit;
use crate::compile::flags::Analysis;
use crate::images::MIN_IMAGES;

/// The filters of a conjunction in evaluation order, nested sequences flattened.
pub(crate) fn conjuncts<'e>(list: impl IntoIterator<Item = &'e Expr>, out: &mut Vec<&'e Expr>) {
    for expr in list {
        match &expr.kind {
            ExprKind::Sequence(inner) => conjuncts(inner, out),
            ExprKind::And(a, b) => conjuncts([&**a, &**b], out),
            ExprKind::NoTransform(inner) => conjuncts([&**inner], out),
            ExprKind::Bool(true) => {}
            _ => out.push(expr),
        }
    }
}

/// Sorts each run of neighbouring pure filters by cost. Returns whether the order changed.
pub(crate) fn reorder(list: &mut [&Expr], analysis: &mut Analysis) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start < list.len() {
        let run = list[start..].iter().take_while(|e| analysis.flags(e).is_pure()).count();
        let part = &mut list[start..start + run];
        // Of those whose outcome will be known the cheapest is asked first.
        let mut cost = |expr: &&Expr| {
            let flags = analysis.flags(expr);
            (flags.cost_again(), flags.cost)
        };
        if !part.is_sorted_by_key(&mut cost) {
            part.sort_by_key(cost);
            changed = true;
        }
        start += run + 1;
    }
    changed
}

/// Which positions must be visited: a filter that holds at few positions decides, if nothing
/// before it could have an effect.
pub(crate) fn visit(list: &[&Expr], analysis: &mut Analysis) -> Visit {
    let mut visit = Visit::All;
    for expr in list {
        match needed(expr) {
            Visit::First => return Visit::First,
            Visit::Terminal => visit = Visit::Terminal,
            _ => {}
        }
        if !analysis.flags(expr).is_pure() {
            break;
        }
    }
    visit
}

/// The only positions at which the filter can match, or do anything else.
fn needed(expr: &Expr) -> Visit {
    match &expr.kind {
        ExprKind::Condition(Condition::Initial) => Visit::First,
        ExprKind::Compare(Relation::Equal, a, b)
            if matches!(a.kind, ExprKind::Quantity(Quantity::Ply | Quantity::PositionId))
                && matches!(b.kind, ExprKind::Number(0)) =>
        {
            Visit::First
        }
        ExprKind::Condition(Condition::Terminal) => Visit::Terminal,
        ExprKind::Line(line) => first_filter(line).map_or(Visit::All, |filter| {
            let mut parts = Vec::new();
            conjuncts([filter], &mut parts);
            parts.first().map_or(Visit::All, |first| needed(first))
        }),
        _ => Visit::All,
    }
}

/// What a line must match at the current position, before anything else happens.
pub(crate) fn first_filter(line: &Line) -> Option<&Expr> {
    let constant = line
        .range
        .is_none_or(|range| matches!((range.min, range.max), (Bound::Const(_), Bound::Const(_))));
    let first = line.constituents.first()?;
    let required = first.repeats.iter().all(|repeat| repeat.0 > 0);
    match &first.kind {
        ConstituentKind::Filter(filter) if constant && required => Some(filter),
        _ => None,
    }
}

/// Several conjunctions of designators, one of which must hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pattern {
    /// The contents that occur.
    pub(crate) contents: Vec<Content>,
    /// Conjunctions that are translations of each other: tested for all places at once.
    pub(crate) shifted: Vec<Shifted>,
    /// The others.
    pub(crate) single: Vec<Vec<(u8, u64)>>,
}

/// Single squares at fixed distances from an anchor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shifted {
    /// The squares of the first designator.
    pub(crate) anchors: u64,
    /// Number of the content of the first designator.
    pub(crate) first: u8,
    /// Content and distance (in square numbers) of each further one.
    pub(crate) rest: Vec<(u8, i8)>,
}

impl Pattern {
    /// The pattern of an orbit, if all its elements are conjunctions of designators.
    pub(crate) fn of(elements: &[Expr]) -> Option<Pattern> {
        if elements.len() < 2 {
            return None;
        }
        let mut pattern = Pattern::default();
        for element in elements {
            let mut list = Vec::new();
            conjuncts([element], &mut list);
            let mut parts = Vec::new();
            for part in list {
                match part.kind {
                    ExprKind::Designator(designator) if part.ty == Type::Set => {
                        parts.push((pattern.content(designator)?, designator.squares));
                    }
                    _ => return None,
                }
            }
            pattern.add(parts)?;
        }
        Some(pattern)
    }

    /// Whether it is tested in fewer steps than there are images of it.
    pub(crate) fn is_quick(&self) -> bool {
        self.single.len() < MIN_IMAGES
    }

    fn content(&mut self, designator: Designator) -> Option<u8> {
        let known = self.contents.iter().position(|&content| content == designator.content);
        let index = known.unwrap_or_else(|| {
            self.contents.push(designator.content);
            self.contents.len() - 1
        });
        u8::try_from(index).ok().filter(|&index| index < 16)
    }

    fn add(&mut self, parts: Vec<(u8, u64)>) -> Option<()> {
        let (&(first, anchor), rest) = parts.split_first()?;
        if parts.iter().any(|part| part.1.count_ones() != 1) {
            self.single.push(parts);
            return Some(());
        }
        let place = |squares: u64| squares.trailing_zeros() as i8;
        let rest: Vec<(u8, i8)> = rest
            .iter()
            .map(|&(content, squares)| (content, place(squares) - place(anchor)))
            .collect();
        let group =
            self.shifted.iter_mut().find(|group| group.first == first && group.rest == rest);
        match group {
            Some(group) => group.anchors |= anchor,
            None => self.shifted.push(Shifted { anchors: anchor, first, rest }),
        }
        Some(())
    }

    /// Whether one of the conjunctions holds, given the squares of a content.
    #[inline]
    pub(crate) fn holds(&self, squares: impl Fn(Content) -> u64) -> bool {
        let mut boards = [0; 16];
        for (board, &content) in boards.iter_mut().zip(&self.contents) {
            *board = squares(content);
        }
        self.shifted.iter().any(|group| {
            let mut anchors = group.anchors & boards[usize::from(group.first & 15)];
            for &(content, distance) in &group.rest {
                if anchors == 0 {
                    break;
                }
                // A distance never wraps: each anchor came from a pattern wholly on the board.
                let board = boards[usize::from(content & 15)];
                anchors &= if distance >= 0 {
                    board >> u32::from(distance.unsigned_abs())
                } else {
                    board << u32::from(distance.unsigned_abs())
                };
            }
            anchors != 0
        }) || self.single.iter().any(|parts| {
            parts.iter().all(|&(content, mask)| boards[usize::from(content & 15)] & mask != 0)
        })
    }
}
