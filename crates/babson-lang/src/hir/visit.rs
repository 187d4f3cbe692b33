//! What a node consists of: its operands, the names and the range that it has in itself, and the
//! attributes that a transform changes.
//!
//! Each walk over the HIR uses these functions, which list all kinds of expressions once. A new
//! kind does not compile until it has an arm here.

use std::convert::Infallible;

use super::{
    Alignment, BoardChange, Dash, Designator, DictId, DictionaryUse, Directions, Expr, ExprKind,
    FindMode, Focus, GameResult, LineConstituent, LineConstituentKind, MoveFilter, NameUse,
    NumberRange, OrbitResult, PathConstituent, PathConstituentKind, Promotion, Side, TransformName,
    Type, UnaryFilter, VarId, VariableUse,
};
use crate::filters::ColorPart;

/// A part of a node. `E` is a reference to an operand, `A` an attribute.
pub(crate) enum Part<E, A> {
    /// An operand, and the use that the node makes of it.
    Operand(E, Role),
    /// A name that the node itself has.
    Name(NameUse),
    /// Its range. The bounds may be variables, which are not operands.
    Range(NumberRange),
    /// What a transform can change in the node itself.
    Attribute(A),
}

/// The use that a node makes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Only whether it matches.
    Condition,
    /// Its value.
    Value,
    /// Its result is the result of the node.
    Result,
}

/// An attribute of a node that a transform can change.
pub(super) enum Attribute<'e> {
    Designator(&'e mut Designator),
    FenPattern(&'e mut [Designator]),
    /// The names that `currenttransform` prints.
    Name(&'e mut TransformName),
    Directions(&'e mut Directions),
    Side(&'e mut Side),
    Result(&'e mut GameResult),
    BoardChanges(&'e mut [BoardChange]),
    /// The name of the tag of `tag "White"`.
    TagName(&'e mut Box<[u8]>),
    /// `light` or `dark`.
    SquareColor(&'e mut UnaryFilter),
}

impl<'e> Attribute<'e> {
    fn of_part(part: ColorPart<'e>) -> Attribute<'e> {
        match part {
            ColorPart::Side(side) => Attribute::Side(side),
            ColorPart::Result(result) => Attribute::Result(result),
        }
    }

    fn of_unary(filter: &'e mut UnaryFilter, operand: &'e mut ExprKind) -> Option<Attribute<'e>> {
        match (&filter, operand) {
            (UnaryFilter::Tag, ExprKind::Text(name)) => Some(Attribute::TagName(name)),
            (UnaryFilter::Light | UnaryFilter::Dark, _) => Some(Attribute::SquareColor(filter)),
            _ => None,
        }
    }
}

/// The role of the copies of an orbit.
fn role_of_copies(result: &OrbitResult) -> Role {
    match result {
        OrbitResult::Union | OrbitResult::Max => Role::Result,
        OrbitResult::Any | OrbitResult::Count(_) => Role::Condition,
    }
}

fn variable(var: VarId, how: VariableUse) -> NameUse {
    NameUse::Variable(var, how)
}

fn dictionary(dictionary: DictId, how: DictionaryUse) -> NameUse {
    NameUse::Dictionary(dictionary, how)
}

/// Makes the functions that call `visit` with each part of an expression, of the constituents of
/// `line` and `path`, and of a dash: a node's names, range and attribute first, then its operands
/// in textual order, except that the parameters of `path` come in the order of evaluation.
///
/// One list of arms serves shared and exclusive access: `$($mut)?` is `mut` or nothing, and
/// `$attribute` makes a part of an attribute, or nothing.
macro_rules! visitor {
    (
        $parts:ident $operand:ident $name:ident $line:ident $path:ident $dash:ident $sets:ident
        $attribute:ident $part:ty $(, $mut:tt)?
    ) => {
        #[allow(unused_variables, reason = "with shared access nothing is made of attributes")]
        fn $parts(e: &$($mut)? Expr, visit: &mut dyn FnMut($part)) {
            use Role::{Condition, Result, Value};
            use {DictionaryUse as Dictionary, VariableUse as Variable};
            macro_rules! operands {
                ($role:expr, $list:expr) => {
                    $list.into_iter().for_each(|operand| $operand(visit, $role, operand))
                };
            }
            macro_rules! operand {
                ($role:expr, $e:expr) => {
                    $operand(visit, $role, $e)
                };
            }
            let ty = e.ty;
            match &$($mut)? e.kind {
                ExprKind::Bool(_)
                | ExprKind::Number(_)
                | ExprKind::Text(_)
                | ExprKind::Squares(_)
                | ExprKind::HasNag(_)
                | ExprKind::RemoveTag(_)
                | ExprKind::SimilarPosition
                | ExprKind::Group(_)
                | ExprKind::GroupIndex(_)
                | ExprKind::Recurrence(_) => {}
                ExprKind::Designator(found) => {
                    $attribute!(visit, Some(Attribute::Designator(found)));
                }
                ExprKind::FenPattern(pattern) => {
                    $attribute!(visit, Some(Attribute::FenPattern(pattern)));
                }
                ExprKind::CurrentTransform(name) => {
                    $attribute!(visit, Some(Attribute::Name(name)));
                }
                ExprKind::Condition(which) => {
                    $attribute!(visit, which.color_part().map(Attribute::of_part));
                }
                ExprKind::Quantity(which) => {
                    $attribute!(visit, which.color_part().map(Attribute::of_part));
                }
                ExprKind::Var(var) => $name(visit, variable(*var, Variable::Read)),
                ExprKind::Unbind(var) => $name(visit, variable(*var, Variable::Unbind)),
                ExprKind::IsBound(var) => $name(visit, variable(*var, Variable::Test)),
                ExprKind::DictionaryLen(dict) => $name(visit, dictionary(*dict, Dictionary::Read)),
                ExprKind::ConsecutiveMoves(moves) => {
                    $name(visit, variable(moves.left, Variable::Read));
                    $name(visit, variable(moves.right, Variable::Read));
                    moves.range.into_iter().for_each(|range| visit(Part::Range(range)));
                }
                ExprKind::Unary(filter, a) => {
                    $attribute!(visit, Attribute::of_unary(filter, &mut a.kind));
                    operand!(Value, a);
                }
                ExprKind::Not(a) | ExprKind::Loop(a) | ExprKind::Assert(a) => {
                    operand!(Condition, a);
                }
                ExprKind::NoTransform(a) => operand!(Result, a),
                ExprKind::Direction { directions, range, set } => {
                    visit(Part::Range(*range));
                    $attribute!(visit, Some(Attribute::Directions(directions)));
                    operand!(Value, set);
                }
                ExprKind::Aligned(alignment, sets) => {
                    if let Alignment::Ray { directions, .. } = alignment {
                        $attribute!(visit, Some(Attribute::Directions(directions)));
                    }
                    operands!(Value, sets);
                }
                ExprKind::BindPiece { var, set } => {
                    $name(visit, variable(*var, Variable::BindPiece));
                    operand!(Value, set);
                }
                ExprKind::Assign { var, value, .. } => {
                    $name(visit, variable(*var, Variable::Assign));
                    operand!(Value, value);
                }
                ExprKind::Update { var, op, value } => {
                    $name(visit, variable(*var, Variable::Update(*op)));
                    operand!(Value, value);
                }
                ExprKind::AssignSlice { var, from, to, value, .. } => {
                    $name(visit, variable(*var, Variable::Splice));
                    operands!(Value, from);
                    operands!(Value, to);
                    operand!(Value, value);
                }
                ExprKind::Lookup { dictionary: dict, key } => {
                    $name(visit, dictionary(*dict, Dictionary::Read));
                    operand!(Value, key);
                }
                ExprKind::Store { dictionary: dict, key, op, value, from_zero } => {
                    let store = Dictionary::Store { op: *op, from_zero: *from_zero };
                    $name(visit, dictionary(*dict, store));
                    operand!(Value, key);
                    operand!(Value, value);
                }
                ExprKind::Erase { dictionary: dict, key } => {
                    $name(visit, dictionary(*dict, Dictionary::Erase));
                    operands!(Value, key);
                }
                ExprKind::ForSquares { var, set, body, .. }
                | ExprKind::ForPieces { var, set, body, .. } => {
                    $name(visit, variable(*var, Variable::Loop));
                    operand!(Value, set);
                    operand!(Condition, body);
                }
                ExprKind::ForKeys { var, dictionary: dict, body } => {
                    $name(visit, variable(*var, Variable::Loop));
                    $name(visit, dictionary(*dict, Dictionary::Read));
                    operand!(Condition, body);
                }
                ExprKind::Sort { value: a, .. }
                | ExprKind::SetTag { value: a, .. }
                | ExprKind::CommandPipe { request: a, .. } => operand!(Value, a),
                ExprKind::Binary(_, a, b)
                | ExprKind::Arithmetic(_, a, b)
                | ExprKind::Compare(_, a, b)
                | ExprKind::Equal(a, b)
                | ExprKind::CharAt { text: a, index: b }
                | ExprKind::WriteFile { name: a, text: b }
                | ExprKind::Match { subject: a, pattern: b } => {
                    operand!(Value, a);
                    operand!(Value, b);
                }
                ExprKind::And(a, b)
                | ExprKind::Or(a, b)
                | ExprKind::While { condition: a, body: b } => {
                    operand!(Condition, a);
                    operand!(Condition, b);
                }
                ExprKind::With { position, body } => {
                    operand!(Value, position);
                    operand!(Result, body);
                }
                ExprKind::Extreme { operands: list, .. }
                | ExprKind::Comment(list)
                | ExprKind::Field { parts: list, .. }
                | ExprKind::Message { parts: list, .. }
                | ExprKind::Str(list) => operands!(Value, list),
                ExprKind::Sequence(list) => {
                    let last = list.len().saturating_sub(1);
                    for (i, filter) in list.into_iter().enumerate() {
                        operand!(if i == last { Result } else { Condition }, filter);
                    }
                }
                ExprKind::Orbit { elements, result, .. } => {
                    if let OrbitResult::Count(range) = result {
                        visit(Part::Range(*range));
                    }
                    operands!(role_of_copies(result), elements);
                }
                ExprKind::If { condition, then, otherwise } => {
                    operand!(Condition, condition);
                    let role = if ty == Type::Bool { Condition } else { Result };
                    operand!(role, then);
                    operands!(role, otherwise);
                }
                ExprKind::ForMatches { subject, pattern, body } => {
                    operand!(Value, subject);
                    operand!(Value, pattern);
                    operand!(Condition, body);
                }
                ExprKind::Slice { text, from, to } => {
                    operand!(Value, text);
                    operands!(Value, from);
                    operands!(Value, to);
                }
                ExprKind::Move(filter) => {
                    operands!(Value, filter.$sets());
                    operands!(Value, (&$($mut)? filter.comment).into_iter().flatten());
                }
                ExprKind::SpeculativeMove(speculative) => {
                    operands!(Value, speculative.moves.$sets());
                    operand!(Condition, &$($mut)? speculative.body);
                }
                ExprKind::Imagine { changes, body } => {
                    $attribute!(visit, Some(Attribute::BoardChanges(changes)));
                    for change in changes {
                        match change {
                            BoardChange::Place { to, .. } => operand!(Value, to),
                            BoardChange::Swap(one, other) => {
                                operand!(Value, one);
                                operand!(Value, other);
                            }
                            BoardChange::SideToMove(_) => {}
                        }
                    }
                    operand!(Result, body);
                }
                ExprKind::Dash(filter) => {
                    let filter = &$($mut)? **filter;
                    $dash(&$($mut)? filter.dash, visit);
                    // With `countmoves`, the value is the number of moves.
                    let role = if filter.count { Condition } else { Result };
                    operands!(role, &$($mut)? filter.target);
                }
                ExprKind::Find(find) => {
                    if let FindMode::Range(range) = find.mode {
                        visit(Part::Range(range));
                    }
                    operand!(Condition, &$($mut)? find.body);
                }
                ExprKind::Echo(echo) => {
                    $name(visit, variable(echo.source, Variable::Loop));
                    $name(visit, variable(echo.target, Variable::Loop));
                    let role = if ty == Type::Number { Result } else { Condition };
                    operand!(role, &$($mut)? echo.body);
                }
                ExprKind::Line(line) => {
                    line.range.into_iter().for_each(|range| visit(Part::Range(range)));
                    $line(&$($mut)? line.constituents, visit);
                }
                ExprKind::Path(path) => {
                    let path = &$($mut)? **path;
                    path.range.into_iter().for_each(|range| visit(Part::Range(range)));
                    if let Some(Focus::Pieces { set, .. }) = &$($mut)? path.focus {
                        operand!(Value, set);
                    }
                    operands!(Value, &$($mut)? path.max);
                    $path(&$($mut)? path.constituents, visit);
                }
                ExprKind::GameLists(lists) => {
                    for list in &$($mut)? lists.lists {
                        operand!(Condition, &$($mut)? list.body);
                        if let Some((bodies, _)) = &$($mut)? list.counted {
                            operands!(Condition, bodies);
                        }
                    }
                }
                ExprKind::PositionSequence(steps) => {
                    operands!(Condition, &$($mut)? steps.filters);
                }
                ExprKind::Pairs(pairs) => operands!(Value, &$($mut)? pairs.sets),
            }
        }

        // With the parts made here, the frames of the recursion over a query stay small.
        fn $operand(visit: &mut dyn FnMut($part), role: Role, operand: &$($mut)? Expr) {
            visit(Part::Operand(operand, role));
        }

        fn $name(visit: &mut dyn FnMut($part), name: NameUse) {
            visit(Part::Name(name));
        }

        fn $line(constituents: &$($mut)? [LineConstituent], visit: &mut dyn FnMut($part)) {
            for constituent in constituents {
                match &$($mut)? constituent.kind {
                    LineConstituentKind::Filter(filter) => {
                        $operand(visit, Role::Condition, filter);
                    }
                    LineConstituentKind::Group(group) => $line(group, visit),
                }
            }
        }

        fn $path(constituents: &$($mut)? [PathConstituent], visit: &mut dyn FnMut($part)) {
            for constituent in constituents {
                match &$($mut)? constituent.kind {
                    PathConstituentKind::Step { dash, targets } => {
                        $dash(dash, visit);
                        for target in targets {
                            $operand(visit, Role::Condition, target);
                        }
                    }
                    PathConstituentKind::Holder(filter) => {
                        $operand(visit, Role::Condition, filter);
                    }
                    PathConstituentKind::Chain(parts) => $path(parts, visit),
                }
            }
        }

        fn $dash(dash: &$($mut)? Dash, visit: &mut dyn FnMut($part)) {
            let sets = (&$($mut)? dash.left).into_iter().chain(&$($mut)? dash.right);
            for operand in sets {
                $operand(visit, Role::Value, operand);
            }
            if let Some(Promotion::Text(text)) = &$($mut)? dash.promotion {
                $operand(visit, Role::Value, text);
            }
        }
    };
}

macro_rules! no_attribute {
    ($visit:ident, $attribute:expr) => {};
}

macro_rules! attribute {
    ($visit:ident, $attribute:expr) => {
        if let Some(attribute) = $attribute {
            $visit(Part::Attribute(attribute));
        }
    };
}

visitor! { parts operand name line path dash sets no_attribute Part<&Expr, Infallible> }
visitor! {
    parts_mut operand_mut name_mut line_mut path_mut dash_mut sets_mut attribute
    Part<&mut Expr, Attribute<'_>>, mut
}

impl Expr {
    /// Calls `visit` with each operand, in textual order.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        parts(self, &mut |part| {
            if let Part::Operand(operand, _) = part {
                visit(operand);
            }
        });
    }

    /// Calls `visit` with each operand and its role, in textual order.
    pub(crate) fn for_each_operand_mut(&mut self, visit: &mut dyn FnMut(&mut Expr, Role)) {
        parts_mut(self, &mut |part| {
            if let Part::Operand(operand, role) = part {
                visit(operand, role);
            }
        });
    }

    /// Calls `visit` with each attribute and each operand.
    pub(super) fn for_each_part_mut(
        &mut self,
        visit: &mut dyn FnMut(Part<&mut Expr, Attribute<'_>>),
    ) {
        parts_mut(self, visit);
    }

    /// Calls `visit` with each name that the node itself has. The names of its operands and of the
    /// bounds of its range are not among them.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(NameUse)) {
        parts(self, &mut |part| {
            if let Part::Name(name) = part {
                visit(name);
            }
        });
    }

    /// The range of a node that has one. Its bounds may be variables, which are not operands.
    pub fn range(&self) -> Option<NumberRange> {
        let mut found = None;
        parts(self, &mut |part| {
            if let Part::Range(range) = part {
                found = Some(range);
            }
        });
        found
    }

    /// Whether this node or one below it passes `test`.
    pub fn any(&self, test: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = test(self);
        self.for_each_operand(&mut |operand| found = found || operand.any(test));
        found
    }
}

impl MoveFilter {
    /// The operands that are sets, in the order of evaluation.
    pub fn sets(&self) -> impl Iterator<Item = &Expr> {
        [&self.from, &self.to, &self.capture, &self.en_passant_square].into_iter().flatten()
    }

    /// The operands that are sets, mutably.
    pub fn sets_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let sets = [&mut self.from, &mut self.to, &mut self.capture, &mut self.en_passant_square];
        sets.into_iter().flatten()
    }
}
