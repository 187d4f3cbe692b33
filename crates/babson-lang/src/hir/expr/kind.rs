//! The kinds of nodes, with the type of each and what it does by itself.

use super::node_table;
use crate::dialect::DialectSwitch;
use crate::filters::filter;
use crate::hir::Type::{Bool, Number, Position, Set};
use crate::hir::*;

/// A filter whose outcome may change with each evaluation.
const PLAIN: Signature = filter(Bool, 2);

/// A function of its operands.
const DERIVED: Signature = PLAIN.lasts(Constancy::Query).anywhere();

/// A loop that may never end.
const LOOP: Signature = PLAIN.may_fail().repeats(16).anywhere();

/// A loop over the elements of a set.
const FOR_EACH: Signature = PLAIN.searches().repeats(16);

/// A filter that looks at other nodes, in steps that are limited.
const SEARCH: Signature = PLAIN.searches().looks_anywhere();

/// A filter that changes something that outlives it.
const CHANGE: Signature = PLAIN.changes_state().may_fail();

/// Whether a position is among the values that a list prints.
fn prints_position(parts: &[Expr]) -> bool {
    parts.iter().any(|part| part.ty == Position)
}

/// What a search for moves costs.
fn cost_of_moves(source: MoveSource) -> u32 {
    match source {
        MoveSource::Played | MoveSource::Previous => 8,
        MoveSource::Legal | MoveSource::Pseudolegal => 60,
        MoveSource::LegalReverse | MoveSource::PseudolegalReverse => 4000,
    }
}

/// The type of the last of some nodes.
fn last_type(list: &[Expr]) -> Type {
    list.last().map_or(Bool, |last| last.ty)
}

/// The type of an `if` with these branches.
pub(in crate::hir) fn type_of_branches(then: &Expr, otherwise: &Option<Box<Expr>>) -> Type {
    match otherwise {
        Some(otherwise) if otherwise.ty == then.ty => then.ty,
        Some(_) | None => Bool,
    }
}

/// The type of `line` and `path`.
pub(crate) fn type_of_sequence(last_position: bool) -> Type {
    if last_position { Position } else { Number }
}

/// The type of a comparison of a value of this kind.
fn type_of_comparison(relation: ComparisonOperator, left: &Expr) -> Type {
    let is_condition = relation == ComparisonOperator::NotEqual || left.ty == Set;
    if is_condition { Bool } else { left.ty }
}

/// What a row says, or that no condition is known.
macro_rules! or_other {
    ($Shape:ident) => {
        $Shape::Other
    };
    ($Shape:ident $shape:expr) => {
        $shape
    };
}

macro_rules! define_kinds {
    (
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
    ) => {$(
        $(#[$kind_doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $Kind {$(
            $(#[$doc])*
            $name $(($($tty),*))? $({$($(#[$fdoc])* $sf: $sty),*})?,
        )*}

        #[allow(unused_variables, reason = "most rows need few of the fields")]
        impl $Kind {
            /// Returns what the row of the kind says. The row cannot say what depends on the whole
            /// query: whether a variable may be unbound or hold text, whether the variable of a
            /// loop may be bound, and whether the query uses a group of a regular expression.
            ///
            /// `declared` is the type of a variable, or of the values of a dictionary, which their
            /// declaration decides. The type of any other node follows from its operands and
            /// parameters.
            pub(super) fn signature(&self, $declared: Type) -> Signature {
                match self {$(
                    $Kind::$name $(($($tf),*))? $({$($sf),*})? => $signature,
                )*}
            }

            /// The conditions that follow from a match.
            pub(in crate::hir) fn shape(&self) -> Shape<'_> {
                match self {$(
                    $Kind::$name $(($($tf),*))? $({$($sf),*})? => or_other!(Shape $($shape)?),
                )*}
            }

            /// Where the squares of its value can lie.
            pub(in crate::hir) fn set_shape(&self) -> SetShape<'_> {
                match self {$(
                    $Kind::$name $(($($tf),*))? $({$($sf),*})? => or_other!(SetShape $($squares)?),
                )*}
            }
        }
    )*};
}

node_table!(define_kinds);

impl ExprKind {
    /// What it does by itself.
    pub fn traits(&self) -> Traits {
        self.signature(Bool).traits
    }
}
