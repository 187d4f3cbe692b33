//! What a node consists of: its operands, the names and the range that it has in itself, and the
//! attributes that a transform changes.
//!
//! Each walk over the HIR uses these functions, which follow the rows of the table of nodes and of
//! the types that stand in them. The names, the range and the attribute of a node come first, then
//! its operands in textual order, except that the parameters of `path` and `move` come in the order
//! of evaluation.

use std::convert::Infallible;

use super::{
    Alignment, BoardChange, Condition, ConsecutiveMoves, Dash, DashFilter, Designator,
    DictionaryUse, Directions, EchoFilter, Expr, ExprKind, FenPattern, FindFilter, FindMode, Focus,
    GameList, GameLists, LineConstituent, LineConstituentKind, LineFilter, MoveFilter, NameUse,
    NumberRange, OrbitResult, OutputFilter, PathConstituent, PathConstituentKind, PathFilter,
    PositionSequence, Promotion, Property, SetFilter, SpeculativeMove, SquarePairs, StateFilter,
    Type, UnaryFilter, Uncompared, VariableUse, node_table, type_of_branches,
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
    /// The node always makes this use of the operand, however the node itself is used.
    Fixed(Demand),
    /// The result of the operand is the result of the node, so both are used in the same way.
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

/// A field that a transform can change.
trait Transformable {
    fn attribute(&mut self) -> Option<Attribute<'_>>;
}

macro_rules! transformable {
    ($($ty:ty, $field:ident => $attribute:expr;)*) => {$(
        impl Transformable for $ty {
            fn attribute(&mut self) -> Option<Attribute<'_>> {
                let $field = self;
                $attribute
            }
        }
    )*};
}

transformable! {
    Designator, designator => Some(Attribute::Designator(designator));
    FenPattern, pattern => Some(Attribute::FenPattern(pattern));
    Uncompared<String>, name => Some(Attribute::TransformName(&mut name.0));
    Directions, directions => Some(Attribute::Directions(directions));
    Condition, which => which.color_part().map(Attribute::Colors);
    Property, which => which.color_part().map(Attribute::Colors);
    Alignment, alignment => match alignment {
        Alignment::Ray { directions, .. } => Some(Attribute::Directions(directions)),
        Alignment::Pin(_) => None,
    };
}

/// The role of the copies of an orbit.
fn role_of_copies(result: &OrbitResult) -> Role {
    match result {
        OrbitResult::Union | OrbitResult::Max => Role::Tail,
        OrbitResult::Any | OrbitResult::Count(_) => CONDITION,
    }
}

/// The role of the branches of an `if`.
fn role_of_branches(then: &Expr, otherwise: &Option<Box<Expr>>) -> Role {
    if type_of_branches(then, otherwise) == Type::Bool { CONDITION } else { Role::Tail }
}

/// A component with shared access.
type SharedComponent<'e> = Component<&'e Expr, Infallible>;

/// A component with exclusive access.
type MutComponent<'e> = Component<&'e mut Expr, Attribute<'e>>;

/// Makes two traits: for fields with operands, and for what has parts of any kind. `$($mut)?` is
/// `mut` or nothing.
macro_rules! define_traits {
    (
        $Operands:ident $operands:ident $Parts:ident $parts:ident $component:ty $(, $mut:tt)?
    ) => {
        trait $Operands {
            fn $operands(&$($mut)? self, role: Role, visit: &mut dyn FnMut($component));
        }

        // With the components made here, the frames of the recursion over a query stay small.
        impl $Operands for Expr {
            fn $operands(&$($mut)? self, role: Role, visit: &mut dyn FnMut($component)) {
                visit(Component::Operand(self, role));
            }
        }

        impl<T: $Operands> $Operands for Box<T> {
            fn $operands(&$($mut)? self, role: Role, visit: &mut dyn FnMut($component)) {
                (**self).$operands(role, visit);
            }
        }

        impl<T: $Operands> $Operands for Option<T> {
            fn $operands(&$($mut)? self, role: Role, visit: &mut dyn FnMut($component)) {
                self.into_iter().for_each(|operand| operand.$operands(role, visit));
            }
        }

        impl<T: $Operands> $Operands for Vec<T> {
            fn $operands(&$($mut)? self, role: Role, visit: &mut dyn FnMut($component)) {
                self.into_iter().for_each(|operand| operand.$operands(role, visit));
            }
        }

        trait $Parts {
            fn $parts(&$($mut)? self, visit: &mut dyn FnMut($component));
        }

        impl<T: $Parts> $Parts for Option<T> {
            fn $parts(&$($mut)? self, visit: &mut dyn FnMut($component)) {
                self.into_iter().for_each(|part| part.$parts(visit));
            }
        }

        impl<T: $Parts> $Parts for Vec<T> {
            fn $parts(&$($mut)? self, visit: &mut dyn FnMut($component)) {
                self.into_iter().for_each(|part| part.$parts(visit));
            }
        }

        impl $Parts for NumberRange {
            fn $parts(&$($mut)? self, visit: &mut dyn FnMut($component)) {
                visit(Component::Range(*self));
            }
        }

        impl $Parts for NameUse {
            fn $parts(&$($mut)? self, visit: &mut dyn FnMut($component)) {
                visit(Component::Name(*self));
            }
        }
    };
}

define_traits! { Operands operands Parts parts SharedComponent<'_> }
define_traits! { OperandsMut operands_mut PartsMut parts_mut MutComponent<'_>, mut }

macro_rules! no_attribute {
    ($visit:ident $attribute:expr) => {};
}

macro_rules! attribute {
    ($visit:ident $attribute:expr) => {
        if let Some(attribute) = $attribute {
            $visit(Component::Attribute(attribute));
        }
    };
}

/// Calls `visit` with the components of a field, by its role. `$m` has the names of the methods of
/// the traits, of the macro for attributes, and of `visit`.
macro_rules! visit_field {
    ($m:tt $f:ident) => {};
    ($m:tt $f:ident flag) => {};
    ($m:tt $f:ident value) => { visit_field!($m $f role(VALUE)) };
    ($m:tt $f:ident condition) => { visit_field!($m $f role(CONDITION)) };
    ($m:tt $f:ident tail) => { visit_field!($m $f role(Role::Tail)) };
    ($m:tt $f:ident variable($how:expr)) => { visit_field!($m $f name(Variable, $how)) };
    ($m:tt $f:ident dictionary($how:expr)) => { visit_field!($m $f name(Dictionary, $how)) };
    ($m:tt $f:ident attribute) => { visit_field!($m $f attribute(Transformable::attribute($f))) };
    (($operands:ident $p:ident $a:ident $visit:ident) $f:ident role($role:expr)) => {
        $f.$operands($role, $visit)
    };
    (($operands:ident $p:ident $a:ident $visit:ident) $f:ident block) => {
        let last = $f.len().saturating_sub(1);
        for (i, filter) in $f.into_iter().enumerate() {
            filter.$operands(if i == last { Role::Tail } else { CONDITION }, $visit);
        }
    };
    (($o:ident $parts:ident $a:ident $visit:ident) $f:ident name($kind:ident, $how:expr)) => {
        NameUse::$kind(*$f, $how).$parts($visit)
    };
    (($o:ident $parts:ident $a:ident $visit:ident) $f:ident parts) => {
        $f.$parts($visit)
    };
    (($o:ident $parts:ident $a:ident $visit:ident) $f:ident path_moves) => {
        $visit(Component::PathMoves);
        $f.$parts($visit)
    };
    (($o:ident $parts:ident $attribute:ident $visit:ident) $f:ident changes) => {
        $attribute!($visit Some(Attribute::BoardChanges($f)));
        $f.$parts($visit)
    };
    (($o:ident $p:ident $attribute:ident $visit:ident) $f:ident attribute($change:expr)) => {
        $attribute!($visit $change)
    };
}

/// Implements one of the traits for types with parts: the fields of each pattern, with their roles.
macro_rules! implement_parts {
    (
        ($Parts:ident $operands:ident $parts:ident $attribute:ident
            $arguments:tt $this:ident $visit:ident)
        $($Type:ty {$(
            $pattern:pat => $($field:ident $(as $role:ident $(($($of:tt)*))?)?),*;
        )*})*
    ) => {$(
        impl $Parts for $Type {
            #[allow(unused_variables, reason = "fields without a role are only data")]
            fn $parts $arguments {
                match $this {$(
                    $pattern => {$(
                        visit_field!(
                            ($operands $parts $attribute $visit) $field $($role $(($($of)*))?)?
                        );
                    )*}
                )*}
            }
        }
    )*};
}

/// Calls a macro with the types that have parts and stand in nodes.
macro_rules! composites {
    ($m:tt) => {
        implement_parts! {
            $m
            MoveFilter {
                MoveFilter { from, to, capture, en_passant_square, comment, .. } =>
                    from as value, to as value, capture as value, en_passant_square as value,
                    comment as value;
            }
            SpeculativeMove {
                SpeculativeMove { moves, body, .. } => moves as parts, body as condition;
            }
            BoardChange {
                BoardChange::Place { to, .. } => to as value;
                BoardChange::Swap(one, other) => one as value, other as value;
                BoardChange::SideToMove(_) => ;
            }
            Dash {
                Dash { left, right, promotion, .. } =>
                    left as value, right as value, promotion as parts;
            }
            Promotion {
                Promotion::Text(text) => text as value;
                Promotion::Kinds(_) => ;
            }
            DashFilter {
                // With `countmoves`, the value is the number of moves.
                DashFilter { dash, count: true, target, .. } =>
                    dash as parts, target as condition;
                DashFilter { dash, count: false, target, .. } => dash as parts, target as tail;
            }
            FindFilter {
                FindFilter { mode, body, .. } => mode as parts, body as condition;
            }
            FindMode {
                FindMode::Range(range) => range as parts;
                FindMode::First | FindMode::All => ;
            }
            EchoFilter {
                EchoFilter { source, target, body, .. } =>
                    source as variable(VariableUse::Loop), target as variable(VariableUse::Loop),
                    body as role(if body.ty == Type::Number { Role::Tail } else { CONDITION });
            }
            ConsecutiveMoves {
                ConsecutiveMoves { left, right, range, .. } =>
                    left as variable(VariableUse::Read), right as variable(VariableUse::Read),
                    range as parts;
            }
            LineFilter {
                LineFilter { range, constituents, .. } => range as parts, constituents as parts;
            }
            LineConstituent {
                LineConstituent { kind, .. } => kind as parts;
            }
            LineConstituentKind {
                LineConstituentKind::Filter(filter) => filter as condition;
                LineConstituentKind::Group(group) => group as parts;
            }
            PathFilter {
                PathFilter { range, focus, max, constituents, .. } =>
                    range as parts, focus as parts, max as value, constituents as path_moves;
            }
            Focus {
                Focus::Pieces { set, .. } => set as value;
                Focus::SideToMove => ;
            }
            PathConstituent {
                PathConstituent { kind, .. } => kind as parts;
            }
            PathConstituentKind {
                PathConstituentKind::Step { dash, targets } => dash as parts, targets as condition;
                PathConstituentKind::Holder(filter) => filter as condition;
                PathConstituentKind::Chain(parts) => parts as parts;
            }
            OrbitResult {
                OrbitResult::Count(range) => range as parts;
                OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => ;
            }
            GameLists {
                GameLists { lists, .. } => lists as parts;
            }
            GameList {
                GameList { body, counted: Some((bodies, _)), .. } =>
                    body as condition, bodies as condition;
                GameList { body, counted: None, .. } => body as condition;
            }
            PositionSequence {
                PositionSequence { filters, .. } => filters as condition;
            }
            SquarePairs {
                SquarePairs { sets, .. } => sets as value;
            }
        }
    };
}

macro_rules! implement_kinds {
    (
        $m:tt
        context($declared:ident $query:ident)
        $(
            $(#[$kind_doc:meta])*
            enum $Kind:ident {$(
                $(#[$doc:meta])*
                $name:ident
                    $(($( $tf:ident: $tty:ty $(as $trole:ident $(($($targ:tt)*))?)? ),* $(,)?))?
                    $({$(
                        $(#[$fdoc:meta])*
                        $sf:ident: $sty:ty $(as $srole:ident $(($($sarg:tt)*))?)?
                    ),* $(,)?})?
                    = $signature:expr, $label:literal $(($($extra:expr),*))?
                    $(, shape $shape:expr)? $(, squares $squares:expr)?;
            )*})*
    ) => {
        implement_parts! {
            $m
            $($Kind {$(
                $Kind::$name $(($($tf),*))? $({$($sf),*})? =>
                    $($($tf $(as $trole $(($($targ)*))?)?),*)?
                    $($($sf $(as $srole $(($($sarg)*))?)?),*)?;
            )*})*
        }
    };
}

macro_rules! shared_parts {
    ($with:ident $($rows:tt)*) => {
        $with! {
            (Parts operands parts no_attribute
                (&self, visit: &mut dyn FnMut(SharedComponent<'_>)) self visit)
            $($rows)*
        }
    };
}

macro_rules! mut_parts {
    ($with:ident $($rows:tt)*) => {
        $with! {
            (PartsMut operands_mut parts_mut attribute
                (&mut self, visit: &mut dyn FnMut(MutComponent<'_>)) self visit)
            $($rows)*
        }
    };
}

shared_parts!(composites);
mut_parts!(composites);
node_table!(shared_parts implement_kinds);
node_table!(mut_parts implement_kinds);

impl Expr {
    /// Calls `visit` with each operand, in textual order; the parameters of `path` and `move` come
    /// in the order in which they are evaluated.
    pub fn for_each_operand(&self, visit: &mut dyn FnMut(&Expr)) {
        self.kind.parts(&mut |component| {
            if let Component::Operand(operand, _) = component {
                visit(operand);
            }
        });
    }

    /// Does the same as [`Expr::for_each_operand`], mutably.
    pub fn for_each_operand_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.kind.parts_mut(&mut |component| {
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
        self.kind.parts_mut(visit);
    }

    /// Calls `visit` with each name that the node itself has. The names of its operands and of the
    /// bounds of its range are not among them.
    pub fn for_each_name(&self, visit: &mut dyn FnMut(NameUse)) {
        self.kind.parts(&mut |component| {
            if let Component::Name(name) = component {
                visit(name);
            }
        });
    }

    /// The range of a node that has one. Its bounds may be variables, which are not operands.
    pub fn range(&self) -> Option<NumberRange> {
        let mut found = None;
        self.kind.parts(&mut |component| {
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
