//! The HIR: the typed, explicit form of a query, from which the bytecode compiler starts.
//!
//! Everything that the text of a query leaves implicit is a node here: conversions, default
//! parameters, iteration. Names are resolved to ids, functions are inlined at each call, and
//! transforms are expanded to an [`ExprKind::Orbit`] of distinct copies. A node matches or does
//! not. A node of a type other than Boolean also has a value if it matches. A set always has a
//! value, which may be empty.
//!
//! Begin with [`Query`] and [`ExprKind`].

mod access;
mod cql3;
mod dash;
mod effects;
mod equality;
mod expr;
mod filter;
mod name_use;
mod path;
mod print;
mod query;
mod traits;
pub mod transform;
mod visit;

pub use babson_chess::Color;

pub use crate::ast::{Arithmetic, ComparisonOperator};
pub use crate::filters::{
    BinaryFilter, BuiltInTag, Condition, HhdbCondition, HhdbValue, PathStatus, Quantity, Signature,
    UnaryFilter, VariantEnding,
};
pub use crate::literals::{Content, GameResult};
pub use access::OutsideAccess;
pub use cql3::{
    GameList, GameLists, MarkMode, NodeSelection, PieceTag, PositionSequence, Recurrence,
    RecurrenceSide, SquarePairKind, SquarePairs,
};
pub use dash::{Dash, DashFilter, Promotion};
pub use effects::{Constancy, Effects};
pub use equality::Uncompared;
pub use expr::{
    BoardChange, ConsecutiveMoves, EchoFilter, Expr, ExprKind, FindFilter, FindMode,
    LineConstituent, LineConstituentKind, LineFilter, MoveFilter, SpeculativeMove,
};
pub use filter::{
    Alignment, Award, AwardKind, Bound, CastlingKind, Designator, Directions, FenPattern,
    MoveResult, MoveSource, NumberRange, OrbitResult, Participants, PinValue, Update,
};
pub use name_use::{DictionaryUse, NameUse, VariableUse};
pub use path::{Focus, PathConstituent, PathConstituentKind, PathFilter};
pub use print::{label, print};
pub use query::{
    CommentLevel, DictId, Dictionary, FileName, Header, JoinRule, Like, MoveRunId, NestBanId,
    NodeId, Query, SimilarPositionFile, SortId, SortKey, Type, Var, VarId,
};
pub use traits::Traits;
pub(crate) use traits::type_of_sequence;
pub(crate) use visit::{Component, Demand, Role};
