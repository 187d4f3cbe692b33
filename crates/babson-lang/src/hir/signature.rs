//! The table of the plain filters: those without operands, and those of one or two operands whose
//! value is a function of them. Each has one row, which says all that other modules need to know of
//! the filter by itself: its types, its effects and cost, and how CQL 6.2 differs.

use super::{
    BinaryFilter, BuiltInTag, Condition, Constancy, HhdbCondition, HhdbValue, PathStatus, Quantity,
    Traits, Type, UnaryFilter,
};
use crate::dialect::DialectSwitch;

/// The row of a plain filter. Nothing in it depends on the operands.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The type of its operands, if it has any. `pieceid` also takes a piece.
    pub operands: Option<Type>,
    /// The type of its value. A condition has type Boolean.
    pub ty: Type,
    /// What it does besides.
    pub traits: Traits,
}

/// A filter of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainFilter {
    /// `true`, `false`
    Constant(bool),
    /// Without operands and without a value.
    Condition(Condition),
    /// Without operands, with a value.
    Quantity(Quantity),
    /// With one operand.
    Unary(UnaryFilter),
    /// With two operands.
    Binary(BinaryFilter),
}

macro_rules! plain_filter_from {
    ($($variant:ident $kind:ty;)*) => {
        $(impl From<$kind> for PlainFilter {
            fn from(filter: $kind) -> PlainFilter {
                PlainFilter::$variant(filter)
            }
        })*
    };
}

plain_filter_from! {
    Constant bool;
    Condition Condition;
    Quantity Quantity;
    Unary UnaryFilter;
    Binary BinaryFilter;
}

/// A filter of the board or the context.
const fn filter(ty: Type, cost: u32) -> Signature {
    Signature { operands: None, ty, traits: Traits::of_filter(cost) }
}

/// A text or a number of the tags.
const fn of_tags(ty: Type) -> Signature {
    filter(ty, 200).lasts(Constancy::Tags)
}

/// A function of its operands alone.
const fn function(operands: Type, ty: Type) -> Signature {
    filter(ty, 2).of(operands).lasts(Constancy::Query).anywhere()
}

/// A function of two operands alone.
const fn function_of_two(operands: Type, ty: Type) -> Signature {
    filter(ty, 20).of(operands).lasts(Constancy::Query).anywhere()
}

impl Signature {
    const fn of(mut self, operands: Type) -> Signature {
        self.operands = Some(operands);
        self
    }
}

/// The methods of [`Traits`] that rows use.
macro_rules! traits_of_rows {
    ($($method:ident($($argument:ident: $ty:ty)?);)*) => {
        impl Signature {
            $(const fn $method(mut self $(, $argument: $ty)?) -> Signature {
                self.traits = self.traits.$method($($argument)?);
                self
            })*
        }
    };
}

traits_of_rows! {
    lasts(constancy: Constancy);
    in_tree();
    may_fail();
    changes_state();
    with_comments();
    anywhere();
    always();
    differs(switch: DialectSwitch);
    opens(filter: &'static str);
}

impl Condition {
    /// Its row of the table of filters.
    pub const fn signature(self) -> Signature {
        const fn condition(cost: u32) -> Signature {
            filter(Type::Bool, cost)
        }
        match self {
            Condition::Check | Condition::SideToMove(_) | Condition::Initial => condition(1),
            Condition::Mate => condition(2),
            Condition::Stalemate => condition(8).in_tree(),
            Condition::LegalPosition => condition(60).lasts(Constancy::Position),
            Condition::ReachablePosition => condition(700).lasts(Constancy::Position),
            Condition::VariantEnd(_) => condition(4),
            Condition::Terminal | Condition::Mainline | Condition::Variation => {
                condition(1).in_tree()
            }
            Condition::VirtualMainline | Condition::Try => condition(100).in_tree(),
            Condition::Primary
            | Condition::Secondary
            | Condition::NullMove
            | Condition::Castling(_)
            | Condition::EnPassant => condition(4).in_tree(),
            Condition::IsVariant(_) => condition(4).lasts(Constancy::Tags),
            Condition::Result(_) => condition(4).lasts(Constancy::Game),
            Condition::Hhdb(HhdbCondition::Cooked) => {
                condition(200).lasts(Constancy::Game).with_comments()
            }
            Condition::Hhdb(HhdbCondition::Mainline | HhdbCondition::Variation) => {
                condition(200).lasts(Constancy::Position).in_tree().with_comments()
            }
            Condition::HasAward(_) => of_tags(Type::Bool),
            Condition::RemoveComment => condition(4).changes_state(),
            Condition::Abort | Condition::BareValue => {
                condition(4).changes_state().may_fail().anywhere()
            }
        }
    }
}

impl Quantity {
    /// Its row of the table of filters.
    pub const fn signature(self) -> Signature {
        use Type::{Number, Position, Set, String};
        match self {
            Quantity::SideSign => filter(Number, 4).always(),
            Quantity::SideValue(_) => filter(Number, 4).lasts(Constancy::Query).anywhere().always(),
            Quantity::Ply => filter(Number, 1),
            Quantity::MoveNumber => filter(Number, 4).in_tree().differs(DialectSwitch::MoveNumber),
            Quantity::Depth => filter(Number, 1).in_tree(),
            Quantity::PositionId => filter(Number, 4).always(),
            Quantity::GameNumber => filter(Number, 4).lasts(Constancy::Tags),
            Quantity::LastGameNumber => {
                filter(Number, 4).lasts(Constancy::Tags).may_fail().anywhere().always()
            }
            Quantity::Elo(_) => of_tags(Number).differs(DialectSwitch::RawTags),
            Quantity::Year | Quantity::Award(_) => of_tags(Number),
            Quantity::HalfMoveClock | Quantity::SubmissionGame => filter(Number, 4).in_tree(),
            Quantity::Clock | Quantity::Evaluation => {
                filter(Number, 200).lasts(Constancy::Position).in_tree().with_comments()
            }
            Quantity::LastFrom
            | Quantity::LastTo
            | Quantity::EnPassantSquare
            | Quantity::PromotedPieces => filter(Set, 4).in_tree(),
            Quantity::PassedPawns
            | Quantity::ConnectedPawns
            | Quantity::IsolatedPawns
            | Quantity::DoubledPawns => filter(Set, 4),
            Quantity::Participants(_) => filter(Set, 50).in_tree(),
            Quantity::Tag(BuiltInTag::Player(None)) => {
                of_tags(String).always().differs(DialectSwitch::RawTags)
            }
            Quantity::Tag(
                BuiltInTag::Player(Some(_))
                | BuiltInTag::Event
                | BuiltInTag::Site
                | BuiltInTag::Eco,
            ) => of_tags(String).differs(DialectSwitch::RawTags),
            Quantity::Tag(BuiltInTag::Date | BuiltInTag::EventDate) | Quantity::Variant => {
                of_tags(String)
            }
            Quantity::StandardFen | Quantity::CurrentFen | Quantity::LegalText => {
                filter(String, 200).lasts(Constancy::Position)
            }
            Quantity::ReachableText => filter(String, 3_000).lasts(Constancy::Position),
            Quantity::Fen => filter(String, 200).lasts(Constancy::Position).in_tree().always(),
            Quantity::ZobristKey | Quantity::San => {
                filter(String, 200).lasts(Constancy::Position).in_tree()
            }
            Quantity::OriginalComment => {
                filter(String, 200).lasts(Constancy::Position).in_tree().with_comments()
            }
            Quantity::CurrentMutation => filter(String, 200),
            Quantity::SavePosition => filter(Position, 4).changes_state().may_fail(),
            Quantity::CurrentPosition | Quantity::Parent | Quantity::InitialPosition => {
                filter(Position, 4).in_tree()
            }
            Quantity::Hhdb(key) => key.signature(),
            Quantity::Path(PathStatus::Count | PathStatus::CountUnfocused) => {
                filter(Number, 4).in_tree()
            }
            Quantity::Path(PathStatus::Start | PathStatus::LastPosition) => {
                filter(Position, 4).in_tree()
            }
        }
    }

    /// The type of its value.
    pub const fn ty(self) -> Type {
        self.signature().ty
    }
}

impl HhdbValue {
    const fn signature(self) -> Signature {
        let (ty, in_comments) = match self {
            HhdbValue::Diagram
            | HhdbValue::Gbr
            | HhdbValue::Distinction
            | HhdbValue::TourneyName
            | HhdbValue::TourneyYearPart => (Type::String, false),
            HhdbValue::Composer | HhdbValue::Search | HhdbValue::Stipulation => {
                (Type::String, true)
            }
            HhdbValue::TourneyEdition | HhdbValue::TourneyYear | HhdbValue::TourneyYearEnd => {
                (Type::Number, false)
            }
            HhdbValue::EgDiagram => (Type::Number, true),
        };
        let row = match in_comments {
            true => filter(ty, 200).lasts(Constancy::Game).in_tree(),
            false => of_tags(ty),
        };
        row.with_comments()
    }
}

impl UnaryFilter {
    /// Its row of the table of filters.
    pub const fn signature(self) -> Signature {
        use Type::{Number, Piece, Position, Set, String};
        match self {
            UnaryFilter::Complement | UnaryFilter::Light | UnaryFilter::Dark => function(Set, Set),
            UnaryFilter::Count | UnaryFilter::Rank | UnaryFilter::File => function(Set, Number),
            UnaryFilter::Power | UnaryFilter::ColorType => filter(Number, 2).of(Set),
            UnaryFilter::Type => filter(Number, 2).of(Set).always(),
            UnaryFilter::PieceId => {
                filter(Number, 2).of(Set).in_tree().differs(DialectSwitch::PieceIds)
            }
            UnaryFilter::TypeName | UnaryFilter::PieceName => filter(String, 2).of(Set).always(),
            UnaryFilter::Negate => function(Number, Number),
            UnaryFilter::Abs | UnaryFilter::Sqrt => function(Number, Number).always(),
            UnaryFilter::Length => {
                function(String, Number).always().differs(DialectSwitch::UnicodeStrings)
            }
            UnaryFilter::Int | UnaryFilter::AsciiCode => function(String, Number),
            UnaryFilter::AsciiChar => function(Number, String),
            UnaryFilter::Lowercase | UnaryFilter::Uppercase => {
                function(String, String).differs(DialectSwitch::UnicodeStrings)
            }
            UnaryFilter::ReadFile => {
                filter(String, 2).of(String).may_fail().anywhere().always().opens("readfile")
            }
            UnaryFilter::MakeSquareText => function(String, Set),
            UnaryFilter::PositionAt | UnaryFilter::Child => {
                filter(Position, 2).of(Number).in_tree()
            }
            UnaryFilter::PieceSquare => filter(Set, 2).of(Piece).in_tree(),
            UnaryFilter::Tag => {
                filter(String, 2).of(String).lasts(Constancy::Tags).differs(DialectSwitch::RawTags)
            }
        }
    }
}

impl BinaryFilter {
    /// Its row of the table of filters.
    pub const fn signature(self) -> Signature {
        use Type::{Bool, Number, Position, Set, String};
        match self {
            BinaryFilter::Intersection | BinaryFilter::Union | BinaryFilter::Between => {
                function_of_two(Set, Set)
            }
            BinaryFilter::Attacks | BinaryFilter::AttackedBy => filter(Set, 20).of(Set),
            BinaryFilter::Subset => function_of_two(Set, Bool),
            BinaryFilter::SameContent => filter(Set, 20).of(Position).always(),
            BinaryFilter::Lca => filter(Position, 20).of(Position).in_tree().always(),
            BinaryFilter::Distance => filter(Number, 20).of(Position).in_tree().always(),
            BinaryFilter::AncestorOf | BinaryFilter::DescendantOf => filter(Bool, 20).of(Position),
            BinaryFilter::Concat => function_of_two(String, String).always(),
            BinaryFilter::Substring => function_of_two(String, Bool),
            BinaryFilter::IndexOf => {
                function_of_two(String, Number).differs(DialectSwitch::UnicodeStrings)
            }
            BinaryFilter::MakeSquare => function_of_two(Number, Set),
        }
    }
}
