//! Conditions that no position meets together, so that the query matches nothing: `wtm btm`,
//! `mate and stalemate`, `P == 65`.
//!
//! The check is small and certain. It knows the sides, checks and mates, numbers that are compared
//! with constants, the contents of single squares, and that a tried move is not a move of the
//! game. What it does not know may hold.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    BinaryFilter, Bound, Color, ComparisonOperator, Condition, Content, Designator, Expr, ExprKind,
    FindMode, MoveFilter, MoveResult, MoveSource, OrbitResult, Quantity, Query, Type, UnaryFilter,
};
use crate::limits::MAX_QUOTED;

/// The warning for a query that matches nothing, if the check finds out.
pub(super) fn never(text: &str, query: &Query) -> Option<Diagnostic> {
    let named = Surroundings::of(query);
    let place = Place { tried: false, chess: !named.variants };
    let mut facts = Facts::new(place, named.sets_tags);
    let contradiction = query.body.iter().find_map(|filter| facts.add(filter).err())?;
    Some(contradiction.diagnostic(text))
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
            ) | ExprKind::Quantity(
                Quantity::Variant | Quantity::LegalText | Quantity::ReachableText
            )
        );
        self.sets_tags |= matches!(e.kind, ExprKind::SetTag { .. } | ExprKind::RemoveTag(_));
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
    conditions: HashMap<Condition, (bool, Span)>,
    /// The values of numbers, and for a set the number of its squares.
    numbers: HashMap<&'q Expr, Interval>,
    /// What may stand on single squares.
    contents: HashMap<u64, (Content, Span)>,
}

/// Why the filters hold in no position.
struct Contradiction {
    span: Span,
    reason: Reason,
}

enum Reason {
    /// Together with the filter at this place.
    With(Span),
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
        if let ExprKind::Not(operand) = &e.kind {
            return self.add_not(operand, e.span);
        }
        if let ExprKind::Condition(condition) = e.kind {
            return self.condition(condition, true, e.span);
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
            return self.number(e, ComparisonOperator::Greater, 0, e.span);
        }
        self.part(e)
    }

    /// Adds what follows if the filter does not match. `span` is that of the whole.
    fn add_not(&mut self, e: &'q Expr, span: Span) -> Result<(), Contradiction> {
        if let ExprKind::Not(operand) = &e.kind {
            self.add(operand)
        } else if let ExprKind::Condition(condition) = e.kind {
            self.condition(condition, false, span)
        } else if is_set(e) {
            self.number(e, ComparisonOperator::Equal, 0, span)
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
        holds: bool,
        span: Span,
    ) -> Result<(), Contradiction> {
        if matches!(condition, Condition::Result(_)) && self.sets_tags
            || condition.signature().traits.effects.state
        {
            return Ok(());
        }
        // Black is to move if White is not.
        if condition == Condition::SideToMove(Color::Black) {
            return self.condition(Condition::SideToMove(Color::White), !holds, span);
        }
        if holds && matches!(condition, Condition::Mate | Condition::Stalemate) {
            self.condition(Condition::Check, condition == Condition::Mate, span)?;
        }
        let (known, before) = *self.conditions.entry(condition).or_insert((holds, span));
        if known == holds {
            return Ok(());
        }
        Err(Contradiction { span, reason: Reason::With(before) })
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
            }
        }
        let [left, right] = values;
        if let Some(constant) = constant(right) {
            self.number(left, relation, constant, span)
        } else if let Some(constant) = constant(left) {
            self.number(right, mirrored(relation), constant, span)
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
        span: Span,
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
        if self.is_fixed(subject) {
            self.numbers.entry(subject).or_insert(bounds).limit(limits, span)
        } else {
            { bounds }.limit(limits, span)
        }
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
            ExprKind::Quantity(
                Quantity::Ply
                | Quantity::MoveNumber
                | Quantity::Depth
                | Quantity::GameNumber
                | Quantity::HalfMoveClock
                | Quantity::SideSign,
            ) => true,
            ExprKind::Quantity(Quantity::Year | Quantity::Elo(Some(_))) => !self.sets_tags,
            _ => false,
        }
    }

    fn content(&mut self, designator: Designator, span: Span) -> Result<(), Contradiction> {
        if !designator.squares.is_power_of_two() {
            return Ok(());
        }
        let entry = self.contents.entry(designator.squares);
        let (known, before) = entry.or_insert((designator.content, span));
        let both = Content(known.0 & designator.content.0);
        if both.0 == 0 && designator.content.0 != 0 {
            return Err(Contradiction { span, reason: Reason::With(*before) });
        }
        if both != *known {
            (*known, *before) = (both, span);
        }
        Ok(())
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
    } else if let ExprKind::Quantity(Quantity::SideValue(color)) = e.kind {
        Some(if color == Color::White { 1 } else { -1 })
    } else {
        None
    }
}

/// The relation with exchanged operands.
fn mirrored(relation: ComparisonOperator) -> ComparisonOperator {
    match relation {
        ComparisonOperator::Less => ComparisonOperator::Greater,
        ComparisonOperator::LessEqual => ComparisonOperator::GreaterEqual,
        ComparisonOperator::Greater => ComparisonOperator::Less,
        ComparisonOperator::GreaterEqual => ComparisonOperator::LessEqual,
        ComparisonOperator::Ancestor => ComparisonOperator::Descendant,
        ComparisonOperator::AncestorOrSame => ComparisonOperator::DescendantOrSame,
        ComparisonOperator::Descendant => ComparisonOperator::Ancestor,
        ComparisonOperator::DescendantOrSame => ComparisonOperator::AncestorOrSame,
        ComparisonOperator::Equal | ComparisonOperator::NotEqual => relation,
    }
}

/// The least and the greatest number in this relation to the constant; the first is greater if
/// there is none.
fn limits(relation: ComparisonOperator, constant: i32) -> Option<(i64, i64)> {
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

/// The values that a number may have, and where its ends come from.
#[derive(Clone, Copy)]
struct Interval {
    least: i64,
    greatest: i64,
    /// The filters that set the ends, if filters did.
    set_by: (Option<Span>, Option<Span>),
    /// The ends on every board.
    board: (i32, i32),
    /// The ends before filters changed them: those of chess, or those of every board.
    natural: (i32, i32),
}

impl Interval {
    fn of(e: &Expr, chess: bool) -> Interval {
        let natural = bounds(e, chess);
        let (least, greatest) = (i64::from(natural.0), i64::from(natural.1));
        Interval { least, greatest, set_by: (None, None), board: bounds(e, false), natural }
    }

    /// Removes the numbers outside of the limits.
    fn limit(&mut self, limits: (i64, i64), span: Span) -> Result<(), Contradiction> {
        let opposite = if limits.0 > self.greatest { self.set_by.1 } else { self.set_by.0 };
        if limits.0 > self.least {
            (self.least, self.set_by.0) = (limits.0, Some(span));
        }
        if limits.1 < self.greatest {
            (self.greatest, self.set_by.1) = (limits.1, Some(span));
        }
        if self.least <= self.greatest {
            return Ok(());
        }
        let is_off_board = limits.0 > i64::from(self.board.1) || limits.1 < i64::from(self.board.0);
        let reason = match opposite {
            _ if is_off_board => Reason::Bounds(self.board),
            Some(other) => Reason::With(other),
            None if self.natural != self.board => Reason::ChessBounds(self.natural),
            None => Reason::Bounds(self.board),
        };
        Err(Contradiction { span, reason })
    }
}

/// The least and the greatest value of a number, or the number of squares of a set: on every board,
/// or in games of chess.
#[expect(clippy::wildcard_enum_match_arm, reason = "others may have any value")]
fn bounds(e: &Expr, chess: bool) -> (i32, i32) {
    match &e.kind {
        ExprKind::Number(number) => (*number, *number),
        ExprKind::Quantity(Quantity::SideSign) => (-1, 1),
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
    let squares = designator.squares.count_ones() as i32;
    let content = designator.content;
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
    /// The pieces of the first position that are not pawns, by kind.
    const OFFICERS: [i32; 6] = [0, 2, 2, 2, 1, 1];
    const PAWNS: i32 = 8;
    let king = i32::from(kinds >> 5 & 1);
    let first: i32 = (0..5).filter(|kind| kinds >> kind & 1 == 1).map(|kind| OFFICERS[kind]).sum();
    // Each pawn is a pawn, or is promoted to another kind.
    let pawns = if kinds & 0x1f == 0 { 0 } else { PAWNS };
    (king, king + first + pawns)
}

impl Contradiction {
    /// The reason to report if both alternatives fail: one that only chess excludes, if there is
    /// one, because it claims less.
    fn or(self, other: Contradiction) -> Contradiction {
        if matches!(other.reason, Reason::ChessBounds(_)) { other } else { self }
    }

    fn diagnostic(&self, text: &str) -> Diagnostic {
        let name = |span: Span| {
            let name = span.text(text);
            let is_short = !name.is_empty() && name.len() <= MAX_QUOTED && !name.contains('\n');
            is_short.then_some(name)
        };
        let this = name(self.span).map_or("the filter".to_owned(), |name| format!("`{name}`"));
        let warning = |code, message| Diagnostic::new(code, self.span, message);
        match self.reason {
            Reason::With(other) if other == self.span => {
                warning(Code::NeverHolds, format!("{this} never holds"))
            }
            Reason::With(other) => {
                let names = name(other).zip(name(self.span));
                let (message, help) = names.map_or(
                    (
                        "the two conditions never hold in the same position".to_owned(),
                        "for one of the two, write `or` between them".to_owned(),
                    ),
                    |(one, two)| {
                        (
                            format!("`{one}` and `{two}` never hold in the same position"),
                            format!("for one of the two, write `{one} or {two}`"),
                        )
                    },
                );
                warning(Code::NeverHolds, message).with_help(help).with_related(other, "this one")
            }
            Reason::Bounds(bounds) => warning(
                Code::NeverHolds,
                format!("{this} never holds: the number is {}", range(bounds)),
            ),
            Reason::ChessBounds(bounds) => warning(
                Code::NeverInChess,
                format!("{this} holds in no game of chess: the number is {}", range(bounds)),
            )
            .with_help("it can hold in a variant, or where a FEN sets up such a position"),
            Reason::TriedMove => warning(
                Code::NeverHolds,
                format!("{this} never holds here: a move that is tried is not played"),
            )
            .with_help(
                "conditions on the move are parameters before the colon: `move legal from P : …`",
            ),
        }
    }
}

fn range((low, high): (i32, i32)) -> String {
    if low == high { format!("always {low}") } else { format!("from {low} to {high}") }
}
