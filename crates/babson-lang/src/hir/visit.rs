//! What a node consists of: its operands, the names and the range that it has in itself, and the
//! attributes that a transform changes.
//!
//! Each walk over the HIR uses these functions, which list all kinds of expressions once. A new
//! kind does not compile until it has an arm here.

use std::convert::Infallible;

use super::{
    Alignment, BoardChange, Dash, Designator, DictId, DictionaryUse, Directions, Expr, ExprKind,
    FenPattern, FindMode, Focus, LineConstituent, LineConstituentKind, MoveFilter, NameUse,
    NumberRange, OrbitResult, PathConstituent, PathConstituentKind, Promotion, Type, UnaryFilter,
    VarId, VariableUse,
};
use crate::filters::ColorPart;

/// A component of a node. `E` is a reference to an operand, `A` an attribute.
pub(crate) enum Component<E, A> {
    /// An operand, and the use that the node makes of it.
    Operand(E, Role),
    /// A name that the node itself has.
    Name(NameUse),
    /// Its range. The bounds may be variables, which are not operands.
    Range(NumberRange),
    /// What a transform can change in the node itself.
    Attribute(A),
    /// The operands after it are evaluated at the moves of a `path`.
    PathMoves,
}

/// The use that is made of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Only whether it matches is used.
    Match,
    /// Its value is used.
    Value,
}

/// The use that a node makes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The same, whatever use is made of the node.
    Fixed(Demand),
    /// Its result is the result of the node, so it has the use that is made of the node.
    Tail,
}

const CONDITION: Role = Role::Fixed(Demand::Match);
const VALUE: Role = Role::Fixed(Demand::Value);

/// An attribute of a node that a transform can change.
pub(crate) enum Attribute<'e> {
    Designator(&'e mut Designator),
    FenPattern(&'e mut FenPattern),
    /// The names that `currenttransform` prints.
    TransformName(&'e mut String),
    Directions(&'e mut Directions),
    /// A side or a result.
    Colors(ColorPart<'e>),
    BoardChanges(&'e mut [BoardChange]),
    /// The name of the tag of `tag "White"`.
    TagName(&'e mut Box<[u8]>),
    /// `light` or `dark`.
    SquareColor(&'e mut UnaryFilter),
}

impl<'e> Attribute<'e> {
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
        OrbitResult::Union | OrbitResult::Max => Role::Tail,
        OrbitResult::Any | OrbitResult::Count(_) => CONDITION,
    }
}

fn variable(var: VarId, how: VariableUse) -> NameUse {
    NameUse::Variable(var, how)
}

fn dictionary(dictionary: DictId, how: DictionaryUse) -> NameUse {
    NameUse::Dictionary(dictionary, how)
}

/// Makes the functions that call `visit` with each component of an expression, of the constituents
/// of `line` and `path`, and of a dash. The names, the range and the attribute of a node are first,
/// then its operands in textual order, except that the parameters of `path` and `move` come in the
/// order of evaluation.
///
/// One list of arms serves shared and exclusive access: `$($mut)?` is `mut` or nothing, and
/// `$attribute` makes a component of an attribute, or nothing.
macro_rules! visitor {
    (
        $components:ident $operand:ident $name:ident $line:ident $path:ident $dash:ident $sets:ident
        $attribute:ident $component:ty $(, $mut:tt)?
    ) => {
        #[allow(unused_variables, reason = "with shared access nothing is made of attributes")]
        fn $components(e: &$($mut)? Expr, visit: &mut dyn FnMut($component)) {
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
                | ExprKind::Likeness
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
                    $attribute!(visit, Some(Attribute::TransformName(&mut name.0)));
                }
                ExprKind::Condition(which) => {
                    $attribute!(visit, which.color_part().map(Attribute::Colors));
                }
                ExprKind::Property(which) => {
                    $attribute!(visit, which.color_part().map(Attribute::Colors));
                }
                ExprKind::Var(var) => $name(visit, variable(*var, Variable::Read)),
                ExprKind::Unbind(var) => $name(visit, variable(*var, Variable::Unbind)),
                ExprKind::IsBound(var) => $name(visit, variable(*var, Variable::Test)),
                ExprKind::DictionaryLen(dict) => $name(visit, dictionary(*dict, Dictionary::Read)),
                ExprKind::ConsecutiveMoves(moves) => {
                    $name(visit, variable(moves.left, Variable::Read));
                    $name(visit, variable(moves.right, Variable::Read));
                    moves.range.into_iter().for_each(|range| visit(Component::Range(range)));
                }
                ExprKind::Unary(filter, a) => {
                    $attribute!(visit, Attribute::of_unary(filter, &mut a.kind));
                    operand!(VALUE, a);
                }
                ExprKind::Not(a) | ExprKind::Loop(a) | ExprKind::Assert(a) => {
                    operand!(CONDITION, a);
                }
                ExprKind::NoTransform(a) => operand!(Role::Tail, a),
                ExprKind::Direction { directions, range, set } => {
                    visit(Component::Range(*range));
                    $attribute!(visit, Some(Attribute::Directions(directions)));
                    operand!(VALUE, set);
                }
                ExprKind::Aligned(alignment, sets) => {
                    if let Alignment::Ray { directions, .. } = alignment {
                        $attribute!(visit, Some(Attribute::Directions(directions)));
                    }
                    operands!(VALUE, sets);
                }
                ExprKind::BindPiece { var, set } => {
                    $name(visit, variable(*var, Variable::BindPiece));
                    operand!(VALUE, set);
                }
                ExprKind::Assign { var, value, .. } => {
                    $name(visit, variable(*var, Variable::Assign));
                    operand!(VALUE, value);
                }
                ExprKind::Update { var, op, value } => {
                    $name(visit, variable(*var, Variable::Update(*op)));
                    operand!(VALUE, value);
                }
                ExprKind::AssignSlice { var, from, to, value, .. } => {
                    $name(visit, variable(*var, Variable::Splice));
                    operands!(VALUE, from);
                    operands!(VALUE, to);
                    operand!(VALUE, value);
                }
                ExprKind::Lookup { dictionary: dict, key } => {
                    $name(visit, dictionary(*dict, Dictionary::Read));
                    operand!(VALUE, key);
                }
                ExprKind::Store { dictionary: dict, key, op, value, from_zero } => {
                    let store = Dictionary::Store { op: *op, from_zero: *from_zero };
                    $name(visit, dictionary(*dict, store));
                    operand!(VALUE, key);
                    operand!(VALUE, value);
                }
                ExprKind::Erase { dictionary: dict, key } => {
                    $name(visit, dictionary(*dict, Dictionary::Erase));
                    operands!(VALUE, key);
                }
                ExprKind::ForSquares { var, set, body, .. }
                | ExprKind::ForPieces { var, set, body, .. } => {
                    $name(visit, variable(*var, Variable::Loop));
                    operand!(VALUE, set);
                    operand!(CONDITION, body);
                }
                ExprKind::ForKeys { var, dictionary: dict, body } => {
                    $name(visit, variable(*var, Variable::Loop));
                    $name(visit, dictionary(*dict, Dictionary::Read));
                    operand!(CONDITION, body);
                }
                ExprKind::Sort { value: a, .. }
                | ExprKind::SetTag { value: a, .. }
                | ExprKind::CommandPipe { request: a, .. } => operand!(VALUE, a),
                ExprKind::Binary(_, a, b)
                | ExprKind::Arithmetic(_, a, b)
                | ExprKind::Compare(_, a, b)
                | ExprKind::Equal(a, b)
                | ExprKind::CharAt { text: a, index: b }
                | ExprKind::WriteFile { name: a, text: b }
                | ExprKind::Match { subject: a, pattern: b } => {
                    operand!(VALUE, a);
                    operand!(VALUE, b);
                }
                ExprKind::And(a, b)
                | ExprKind::Or(a, b)
                | ExprKind::While { condition: a, body: b } => {
                    operand!(CONDITION, a);
                    operand!(CONDITION, b);
                }
                ExprKind::With { position, body } => {
                    operand!(VALUE, position);
                    operand!(Role::Tail, body);
                }
                ExprKind::Extreme { operands: list, .. }
                | ExprKind::Comment(list)
                | ExprKind::Field { parts: list, .. }
                | ExprKind::Message { parts: list, .. }
                | ExprKind::Str(list) => operands!(VALUE, list),
                ExprKind::Sequence(list) => {
                    let last = list.len().saturating_sub(1);
                    for (i, filter) in list.into_iter().enumerate() {
                        operand!(if i == last { Role::Tail } else { CONDITION }, filter);
                    }
                }
                ExprKind::Orbit { elements, result, .. } => {
                    if let OrbitResult::Count(range) = result {
                        visit(Component::Range(*range));
                    }
                    operands!(role_of_copies(result), elements);
                }
                ExprKind::If { condition, then, otherwise } => {
                    operand!(CONDITION, condition);
                    let role = if ty == Type::Bool { CONDITION } else { Role::Tail };
                    operand!(role, then);
                    operands!(role, otherwise);
                }
                ExprKind::ForMatches { subject, pattern, body } => {
                    operand!(VALUE, subject);
                    operand!(VALUE, pattern);
                    operand!(CONDITION, body);
                }
                ExprKind::Slice { text, from, to } => {
                    operand!(VALUE, text);
                    operands!(VALUE, from);
                    operands!(VALUE, to);
                }
                ExprKind::Move(filter) => {
                    $sets(filter, visit);
                    operands!(VALUE, (&$($mut)? filter.comment).into_iter().flatten());
                }
                ExprKind::SpeculativeMove(speculative) => {
                    $sets(&$($mut)? speculative.moves, visit);
                    operand!(CONDITION, &$($mut)? speculative.body);
                }
                ExprKind::Imagine { changes, body } => {
                    $attribute!(visit, Some(Attribute::BoardChanges(changes)));
                    for change in changes {
                        match change {
                            BoardChange::Place { to, .. } => operand!(VALUE, to),
                            BoardChange::Swap(one, other) => {
                                operand!(VALUE, one);
                                operand!(VALUE, other);
                            }
                            BoardChange::SideToMove(_) => {}
                        }
                    }
                    operand!(Role::Tail, body);
                }
                ExprKind::Dash(filter) => {
                    let filter = &$($mut)? **filter;
                    $dash(&$($mut)? filter.dash, visit);
                    // With `countmoves`, the value is the number of moves.
                    let role = if filter.count { CONDITION } else { Role::Tail };
                    operands!(role, &$($mut)? filter.target);
                }
                ExprKind::Find(find) => {
                    if let FindMode::Range(range) = find.mode {
                        visit(Component::Range(range));
                    }
                    operand!(CONDITION, &$($mut)? find.body);
                }
                ExprKind::Echo(echo) => {
                    $name(visit, variable(echo.source, Variable::Loop));
                    $name(visit, variable(echo.target, Variable::Loop));
                    let role = if ty == Type::Number { Role::Tail } else { CONDITION };
                    operand!(role, &$($mut)? echo.body);
                }
                ExprKind::Line(line) => {
                    line.range.into_iter().for_each(|range| visit(Component::Range(range)));
                    $line(&$($mut)? line.constituents, visit);
                }
                ExprKind::Path(path) => {
                    let path = &$($mut)? **path;
                    path.range.into_iter().for_each(|range| visit(Component::Range(range)));
                    if let Some(Focus::Pieces { set, .. }) = &$($mut)? path.focus {
                        operand!(VALUE, set);
                    }
                    operands!(VALUE, &$($mut)? path.max);
                    visit(Component::PathMoves);
                    $path(&$($mut)? path.constituents, visit);
                }
                ExprKind::GameLists(lists) => {
                    for list in &$($mut)? lists.lists {
                        operand!(CONDITION, &$($mut)? list.body);
                        if let Some((bodies, _)) = &$($mut)? list.counted {
                            operands!(CONDITION, bodies);
                        }
                    }
                }
                ExprKind::PositionSequence(steps) => {
                    operands!(CONDITION, &$($mut)? steps.filters);
                }
                ExprKind::Pairs(pairs) => operands!(VALUE, &$($mut)? pairs.sets),
            }
        }

        // With the components made here, the frames of the recursion over a query stay small.
        fn $operand(visit: &mut dyn FnMut($component), role: Role, operand: &$($mut)? Expr) {
            visit(Component::Operand(operand, role));
        }

        fn $name(visit: &mut dyn FnMut($component), name: NameUse) {
            visit(Component::Name(name));
        }

        fn $line(constituents: &$($mut)? [LineConstituent], visit: &mut dyn FnMut($component)) {
            for constituent in constituents {
                match &$($mut)? constituent.kind {
                    LineConstituentKind::Filter(filter) => {
                        $operand(visit, CONDITION, filter);
                    }
                    LineConstituentKind::Group(group) => $line(group, visit),
                }
            }
        }

        fn $path(constituents: &$($mut)? [PathConstituent], visit: &mut dyn FnMut($component)) {
            for constituent in constituents {
                match &$($mut)? constituent.kind {
                    PathConstituentKind::Step { dash, targets } => {
                        $dash(dash, visit);
                        for target in targets {
                            $operand(visit, CONDITION, target);
                        }
                    }
                    PathConstituentKind::Holder(filter) => {
                        $operand(visit, CONDITION, filter);
                    }
                    PathConstituentKind::Chain(parts) => $path(parts, visit),
                }
            }
        }

        fn $sets(filter: &$($mut)? MoveFilter, visit: &mut dyn FnMut($component)) {
            let sets = [
                &$($mut)? filter.from,
                &$($mut)? filter.to,
                &$($mut)? filter.capture,
                &$($mut)? filter.en_passant_square,
            ];
            for set in sets.into_iter().flatten() {
                $operand(visit, VALUE, set);
            }
        }

        fn $dash(dash: &$($mut)? Dash, visit: &mut dyn FnMut($component)) {
            let sets = (&$($mut)? dash.left).into_iter().chain(&$($mut)? dash.right);
            for operand in sets {
                $operand(visit, VALUE, operand);
            }
            if let Some(Promotion::Text(text)) = &$($mut)? dash.promotion {
                $operand(visit, VALUE, text);
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
            $visit(Component::Attribute(attribute));
        }
    };
}

visitor! { components operand name line path dash sets no_attribute Component<&Expr, Infallible> }
visitor! {
    components_mut operand_mut name_mut line_mut path_mut dash_mut sets_mut attribute
    Component<&mut Expr, Attribute<'_>>, mut
}

impl Expr {
    /// Calls `visit` with each operand, in textual order; the parameters of `path` and `move` come
    /// in the order in which they are evaluated.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        components(self, &mut |component| {
            if let Component::Operand(operand, _) = component {
                visit(operand);
            }
        });
    }

    /// Does the same as [`Expr::for_each_operand`], mutably.
    pub fn for_each_operand_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        components_mut(self, &mut |component| {
            if let Component::Operand(operand, _) = component {
                visit(operand);
            }
        });
    }

    /// Calls `visit` with each component.
    pub(crate) fn for_each_component_mut(
        &mut self,
        visit: &mut dyn FnMut(Component<&mut Expr, Attribute<'_>>),
    ) {
        components_mut(self, visit);
    }

    /// Calls `visit` with each name that the node itself has. The names of its operands and of the
    /// bounds of its range are not among them.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(NameUse)) {
        components(self, &mut |component| {
            if let Component::Name(name) = component {
                visit(name);
            }
        });
    }

    /// The range of a node that has one. Its bounds may be variables, which are not operands.
    pub fn range(&self) -> Option<NumberRange> {
        let mut found = None;
        components(self, &mut |component| {
            if let Component::Range(range) = component {
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
