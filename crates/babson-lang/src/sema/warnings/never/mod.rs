//! Conditions that no position meets together, so that the query matches nothing: `wtm btm`,
//! `mate and stalemate`, `P == 65`.
//!
//! The check is small and certain. It knows the sides, checks and mates, numbers that are compared
//! with constants, the contents of single squares, the squares of the kings, results, and that a
//! tried move is not a move of the game. What it does not know may hold.

mod interval;
mod report;

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    BinaryFilter, Bound, Color, ComparisonOperator, Condition, Content, Designator, Expr, ExprKind,
    FindMode, MoveFilter, MoveResult, MoveSource, OrbitResult, OutputFilter, Property, Query, Type,
    UnaryFilter,
};
use crate::limits::MAX_ERRORS;
use interval::{Interval, limits};

/// The warning for a query that matches nothing, if the check finds out.
pub(super) fn never(text: &str, query: &Query) -> Option<Diagnostic> {
    let named = Surroundings::of(query);
    let place = Place { tried: false, chess: !named.variants };
    let mut facts = Facts::new(place, named.sets_tags);
    let contradiction = query.body.iter().find_map(|filter| facts.add(filter).err())?;
    Some(contradiction.diagnostic(text))
}

/// The warnings for alternatives that always hold together: `wtm or btm`, `check or not check`.
/// Only filters that must match are looked at.
pub(super) fn alternatives(text: &str, query: &Query) -> Vec<Diagnostic> {
    let named = Surroundings::of(query);
    let mut found = Vec::new();
    for filter in &query.body {
        add_alternatives(filter, named.sets_tags, &mut found);
    }
    found.truncate(MAX_ERRORS);
    found.into_iter().map(|span| report::one_always_holds(text, span)).collect()
}

/// Adds the places of such alternatives among the filters that must match if this one does.
fn add_alternatives(e: &Expr, sets_tags: bool, found: &mut Vec<Span>) {
    if let ExprKind::Sequence(list) = &e.kind {
        list.iter().for_each(|filter| add_alternatives(filter, sets_tags, found));
    } else if let ExprKind::And(a, b) = &e.kind {
        add_alternatives(a, sets_tags, found);
        add_alternatives(b, sets_tags, found);
    } else if let ExprKind::Or(..) = &e.kind {
        // Nothing is left if none of them holds.
        let mut facts = Facts::new(Place { tried: false, chess: false }, sets_tags);
        let none = facts.add_not(e, FactSource { span: e.span, exact: true });
        let reason = none.err().map(|contradiction| contradiction.reason);
        if matches!(reason, Some(Reason::With { .. } | Reason::WithSeveral)) {
            found.push(e.span);
        }
    }
}

/// What the query names that decides on what the check may assume.
#[derive(Default)]
struct Surroundings {
    /// Variants, or the rules for positions: games of other kinds are meant.
    variants: bool,
    /// It changes tags, so that two filters of one tag may differ.
    sets_tags: bool,
}

impl Surroundings {
    fn of(query: &Query) -> Surroundings {
        let mut named = Surroundings::default();
        for filter in query.body.iter().chain(&query.begin).chain(&query.end) {
            named.visit(filter);
        }
        named
    }

    fn visit(&mut self, e: &Expr) {
        self.variants |= matches!(
            e.kind,
            ExprKind::Condition(
                Condition::IsVariant(_)
                    | Condition::VariantEnd(_)
                    | Condition::LegalPosition
                    | Condition::ReachablePosition
            ) | ExprKind::Property(
                Property::Variant | Property::LegalText | Property::ReachableText
            )
        );
        self.sets_tags |= matches!(
            e.kind,
            ExprKind::Output(OutputFilter::SetTag { .. })
                | ExprKind::Output(OutputFilter::RemoveTag(_))
        );
        e.for_each_operand(&mut |operand| self.visit(operand));
    }
}

/// The kind of board that filters look at.
#[derive(Clone, Copy)]
struct Place {
    /// After `move … :` or `imagine … :`, where no moves are played.
    tried: bool,
    /// A game of chess can reach the board, if the games are games of chess.
    chess: bool,
}

/// What the filters of a list say of one position.
struct Facts<'q> {
    place: Place,
    sets_tags: bool,
    conditions: HashMap<Condition, ConditionFact>,
    /// The values of numbers, and for a set the number of its squares.
    numbers: HashMap<&'q Expr, Interval>,
    /// What may stand on single squares.
    contents: HashMap<u64, Choice>,
    /// The squares on which the kings of White and of Black may be in a game of chess.
    kings: [Choice; 2],
}

/// What several filters leave of the bits of a set: of the squares of a king, or of the pieces on a
/// square.
struct Choice {
    left: u64,
    /// The bits that each filter leaves.
    filters: Vec<(u64, Span)>,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { left: u64::MAX, filters: Vec::new() }
    }
}

impl Choice {
    /// Adds a filter that leaves these bits. If none is left now, the error has the first filter
    /// before it that has none in common with it, if there is one.
    fn limit(&mut self, bits: u64, span: Span) -> Result<(), Option<Span>> {
        let is_possible = self.left != 0 && bits != 0;
        self.left &= bits;
        if is_possible && self.left == 0 {
            let other = self.filters.iter().find(|filter| filter.0 & bits == 0);
            return Err(other.map(|filter| filter.1));
        }
        self.filters.push((bits, span));
        Ok(())
    }
}

/// The filter that a fact follows from.
#[derive(Clone, Copy)]
struct FactSource {
    span: Span,
    /// The filter says nothing else.
    exact: bool,
}

/// Whether a condition holds.
#[derive(Clone, Copy)]
struct ConditionFact {
    holds: bool,
    source: FactSource,
}

/// Why the filters hold in no position.
struct Contradiction {
    span: Span,
    reason: Reason,
}

enum Reason {
    /// Together with the filter at this place. One of the two always holds if they are opposites.
    With { other: Span, opposite: bool },
    /// The set has no squares on any board.
    EmptySet,
    /// Together with several filters before it: no piece is left for a square.
    WithSeveral,
    /// Together with the filter at this place, or with several before it: a side has one king in
    /// games of chess.
    OneKing(Option<Span>),
    /// The number has these bounds.
    Bounds((i32, i32)),
    /// The number has these bounds in games of chess.
    ChessBounds((i32, i32)),
    /// There are no played moves.
    TriedMove,
}

impl<'q> Facts<'q> {
    fn new(place: Place, sets_tags: bool) -> Facts<'q> {
        Facts {
            place,
            sets_tags,
            conditions: HashMap::new(),
            numbers: HashMap::new(),
            contents: HashMap::new(),
            kings: [Choice::default(), Choice::default()],
        }
    }

    /// Adds what follows if the filter matches.
    fn add(&mut self, e: &'q Expr) -> Result<(), Contradiction> {
        if let ExprKind::Sequence(list) = &e.kind {
            return list.iter().try_for_each(|filter| self.add(filter));
        }
        if let ExprKind::And(a, b) = &e.kind {
            self.add(a)?;
            return self.add(b);
        }
        if let ExprKind::NoTransform(operand) = &e.kind {
            return self.add(operand);
        }
        let source = FactSource { span: e.span, exact: true };
        if let ExprKind::Not(operand) = &e.kind {
            return self.add_not(operand, source);
        }
        if let ExprKind::Condition(condition) = e.kind {
            return self.condition(condition, ConditionFact { holds: true, source });
        }
        if let ExprKind::Compare(relation, left, right) = &e.kind
            && left.ty == Type::Number
        {
            return self.comparison(*relation, left, right, e.span);
        }
        if let ExprKind::Move(filter) = &e.kind {
            return self.played_move(filter, e.span);
        }
        if let ExprKind::Designator(designator) = e.kind {
            self.content(designator, e.span)?;
        }
        if is_set(e) {
            return self.number(e, ComparisonOperator::Greater, 0, source);
        }
        self.part(e)
    }

    /// Adds what follows if the filter does not match. `source` is the negation.
    fn add_not(&mut self, e: &'q Expr, source: FactSource) -> Result<(), Contradiction> {
        if let ExprKind::Not(operand) = &e.kind {
            self.add(operand)
        } else if let ExprKind::Or(a, b) = &e.kind {
            let part = FactSource { exact: false, ..source };
            self.add_not(a, part)?;
            self.add_not(b, part)
        } else if let ExprKind::Condition(condition) = e.kind {
            self.condition(condition, ConditionFact { holds: false, source })
        } else if is_set(e) {
            self.number(e, ComparisonOperator::Equal, 0, source)
        } else {
            Ok(())
        }
    }

    /// A filter that matches only if filters inside of it match at some position.
    fn part(&self, e: &'q Expr) -> Result<(), Contradiction> {
        let inside = |place: Place, filter: &'q Expr| Facts::new(place, self.sets_tags).add(filter);
        let here = self.place;
        if let ExprKind::Or(a, b) = &e.kind {
            inside(here, a).or_else(|one| inside(here, b).map_err(|other| one.or(other)))
        } else if let ExprKind::Orbit { elements, result, .. } = &e.kind
            && needs_an_element(result)
        {
            let mut found = None;
            for element in elements {
                match inside(here, element) {
                    Ok(()) => return Ok(()),
                    Err(one) => {
                        found = Some(match found {
                            Some(other) => Contradiction::or(other, one),
                            None => one,
                        });
                    }
                }
            }
            found.map_or(Ok(()), Err)
        } else if let ExprKind::Find(find) = &e.kind
            && needs_a_position(find.mode)
        {
            inside(Place { tried: false, ..here }, &find.body)
        } else if let ExprKind::With { body, .. } = &e.kind {
            // The position may be an imagined one that was saved.
            inside(Place { tried: false, chess: false }, body)
        } else if let ExprKind::Imagine { body, .. } = &e.kind {
            inside(Place { tried: true, chess: false }, body)
        } else if let ExprKind::SpeculativeMove(tried) = &e.kind
            && !tried.all
            && tried.moves.result != MoveResult::Count
        {
            let is_rule = matches!(tried.moves.source, MoveSource::Played | MoveSource::Legal);
            inside(Place { tried: true, chess: here.chess && is_rule }, &tried.body)
        } else {
            Ok(())
        }
    }

    fn condition(
        &mut self,
        condition: Condition,
        fact: ConditionFact,
    ) -> Result<(), Contradiction> {
        let ConditionFact { holds, source } = fact;
        if matches!(condition, Condition::Result(_)) && self.sets_tags
            || condition.signature().traits.effects.state
        {
            return Ok(());
        }
        // Black is to move if White is not.
        if condition == Condition::SideToMove(Color::Black) {
            let white = ConditionFact { holds: !holds, ..fact };
            return self.condition(Condition::SideToMove(Color::White), white);
        }
        if holds && matches!(condition, Condition::Mate | Condition::Stalemate) {
            let holds = condition == Condition::Mate;
            let source = FactSource { exact: false, ..source };
            self.condition(Condition::Check, ConditionFact { holds, source })?;
        }
        // A game has one result.
        if holds && matches!(condition, Condition::Result(_)) {
            let is_another = |(known, fact): &(&Condition, &ConditionFact)| {
                fact.holds && matches!(known, Condition::Result(_)) && **known != condition
            };
            if let Some((_, other)) = self.conditions.iter().find(is_another) {
                let reason = Reason::With { other: other.source.span, opposite: false };
                return Err(Contradiction { span: source.span, reason });
            }
        }
        let known = *self.conditions.entry(condition).or_insert(fact);
        if known.holds == holds {
            return Ok(());
        }
        let opposite = source.exact && known.source.exact;
        let reason = Reason::With { other: known.source.span, opposite };
        Err(Contradiction { span: source.span, reason })
    }

    /// `left relation right` between numbers.
    fn comparison(
        &mut self,
        relation: ComparisonOperator,
        left: &'q Expr,
        right: &'q Expr,
        span: Span,
    ) -> Result<(), Contradiction> {
        // `!=` also matches where one side has no value.
        if relation == ComparisonOperator::NotEqual {
            return Ok(());
        }
        // `1 < x < 3` compares 1 with the value of `x < 3`, which is x.
        let mut values = [left, right];
        // A chain says more than this comparison.
        let mut exact = true;
        for value in &mut values {
            if let ExprKind::Compare(inner, a, b) = &value.kind
                && a.ty == Type::Number
            {
                // It looks at the comparisons in this one, too.
                self.comparison(*inner, a, b, value.span)?;
            }
            while let ExprKind::Compare(_, a, _) = &value.kind
                && a.ty == Type::Number
            {
                *value = a;
                exact = false;
            }
        }
        let source = FactSource { span, exact };
        let [left, right] = values;
        if let Some(constant) = constant(right) {
            self.number(left, relation, constant, source)
        } else if let Some(constant) = constant(left) {
            self.number(right, relation.mirrored(), constant, source)
        } else {
            Ok(())
        }
    }

    /// A number, or the number of squares of a set, in relation to a constant.
    fn number(
        &mut self,
        e: &'q Expr,
        relation: ComparisonOperator,
        constant: i32,
        source: FactSource,
    ) -> Result<(), Contradiction> {
        // `#S` and S have one entry.
        let subject = if let ExprKind::Unary(UnaryFilter::Count, set) = &e.kind { set } else { e };
        // An empty set that is written out is meant so.
        let (Some(limits), false) =
            (limits(relation, constant), matches!(subject.kind, ExprKind::Squares(0)))
        else {
            return Ok(());
        };
        let bounds = Interval::of(subject, self.place.chess);
        let limited = if self.is_fixed(subject) {
            self.numbers.entry(subject).or_insert(bounds).limit(limits, source)
        } else {
            { bounds }.limit(limits, source)
        };
        limited.map_err(|one| match one.reason {
            Reason::Bounds((0, 0)) if subject.ty == Type::Set => {
                Contradiction { reason: Reason::EmptySet, ..one }
            }
            Reason::With { .. }
            | Reason::WithSeveral
            | Reason::EmptySet
            | Reason::OneKing(_)
            | Reason::Bounds(_)
            | Reason::ChessBounds(_)
            | Reason::TriedMove => one,
        })
    }

    /// Whether the number or set has the same value wherever it stands in a list.
    #[expect(clippy::wildcard_enum_match_arm, reason = "others may change")]
    fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Designator(_) | ExprKind::Squares(_) => true,
            ExprKind::Unary(
                UnaryFilter::Complement
                | UnaryFilter::Light
                | UnaryFilter::Dark
                | UnaryFilter::Power,
                set,
            ) => self.is_fixed(set),
            ExprKind::Binary(
                BinaryFilter::Union
                | BinaryFilter::Intersection
                | BinaryFilter::Attacks
                | BinaryFilter::AttackedBy,
                a,
                b,
            ) => self.is_fixed(a) && self.is_fixed(b),
            ExprKind::Property(
                Property::Ply
                | Property::MoveNumber
                | Property::Depth
                | Property::GameNumber
                | Property::HalfMoveClock
                | Property::SideSign,
            ) => true,
            ExprKind::Property(Property::Year | Property::Elo(Some(_))) => !self.sets_tags,
            _ => false,
        }
    }

    fn content(&mut self, designator: Designator, span: Span) -> Result<(), Contradiction> {
        self.king(designator, span)?;
        if !designator.squares.is_power_of_two() {
            return Ok(());
        }
        let pieces = self.contents.entry(designator.squares).or_default();
        pieces.limit(designator.content.0.into(), span).map_err(|other| {
            let with = |other| Reason::With { other, opposite: false };
            Contradiction { span, reason: other.map_or(Reason::WithSeveral, with) }
        })
    }

    /// The king of a side is on one square.
    fn king(&mut self, designator: Designator, span: Span) -> Result<(), Contradiction> {
        const KINGS: [Content; 2] = [Content(1 << 5), Content(1 << 11)];
        let side = KINGS.iter().position(|king| *king == designator.content);
        let Some(side) = side.filter(|_| self.place.chess) else { return Ok(()) };
        let is_placed = self.kings[side].limit(designator.squares, span);
        is_placed.map_err(|other| Contradiction { span, reason: Reason::OneKing(other) })
    }

    fn played_move(&self, filter: &MoveFilter, span: Span) -> Result<(), Contradiction> {
        let is_played = matches!(filter.source, MoveSource::Played | MoveSource::Previous);
        if self.place.tried && is_played && filter.result != MoveResult::Count {
            return Err(Contradiction { span, reason: Reason::TriedMove });
        }
        Ok(())
    }
}

/// Whether an orbit matches only if one of its elements does.
fn needs_an_element(result: &OrbitResult) -> bool {
    match result {
        OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => true,
        OrbitResult::Count(range) => matches!(range.min, Bound::Const(min) if min >= 1),
    }
}

/// Whether `find` matches only if it finds a position.
fn needs_a_position(mode: FindMode) -> bool {
    match mode {
        FindMode::First | FindMode::All => true,
        FindMode::Range(range) => matches!(range.min, Bound::Const(min) if min >= 1),
    }
}

/// Whether the filter is a set whose squares the check may count.
fn is_set(e: &Expr) -> bool {
    e.ty == Type::Set
        && matches!(
            e.kind,
            ExprKind::Designator(_)
                | ExprKind::Squares(_)
                | ExprKind::Unary(
                    UnaryFilter::Complement | UnaryFilter::Light | UnaryFilter::Dark,
                    _
                )
                | ExprKind::Binary(
                    BinaryFilter::Union
                        | BinaryFilter::Intersection
                        | BinaryFilter::Attacks
                        | BinaryFilter::AttackedBy,
                    ..
                )
        )
}

/// The value of a number that is the same in all positions.
fn constant(e: &Expr) -> Option<i32> {
    if let ExprKind::Number(number) = e.kind {
        Some(number)
    } else if let ExprKind::Property(Property::SideValue(color)) = e.kind {
        Some(if color == Color::White { 1 } else { -1 })
    } else {
        None
    }
}
