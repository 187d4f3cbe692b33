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
mod equality;
mod expr;
mod filter;
mod ids;
mod name_use;
mod print;
mod query;
mod shape;
pub mod transform;
mod visit;

pub use babson_chess::Color;

pub use crate::ast::{Arithmetic, ComparisonOperator};
pub use crate::directions::Directions;
pub use crate::effects::{Constancy, Effects, Errors, Traits};
pub use crate::filters::{
    Award, AwardKind, BinaryFilter, BuiltInTag, CastlingKind, Condition, HhdbCondition, HhdbValue,
    Participants, PathStatus, Property, Signature, UnaryFilter, VariantEnding,
};
pub use crate::literals::{Content, GameResult, square_names};
pub use crate::types::Type;
pub use access::OutsideAccess;
pub use equality::Uncompared;
pub use expr::cql3::{
    GameList, GameLists, MarkMode, NodeSelection, PieceTag, PositionSequence, Recurrence,
    RecurrenceSide, SquarePairKind, SquarePairs,
};
pub use expr::dash::{Dash, DashFilter, Promotion};
pub use expr::path::{Focus, PathConstituent, PathConstituentKind, PathFilter};
pub(crate) use expr::type_of_sequence;
pub use expr::{
    BoardChange, ConsecutiveMoves, EchoFilter, Expr, ExprKind, FindFilter, FindMode,
    LineConstituent, LineConstituentKind, LineFilter, MoveFilter, OutputFilter, SetFilter,
    SpeculativeMove, StateFilter,
};
use expr::{node_table, type_of_branches};
pub use filter::{
    Alignment, Bound, Designator, FenPattern, MoveResult, MoveSource, NumberRange, OrbitResult,
    PinValue, Update,
};
pub use ids::{DictId, MoveRunId, NestBanId, NodeId, SortId, VarId};
pub use name_use::{DictionaryUse, NameUse, VariableUse};
pub use print::{label, print};
pub use query::{
    CommentLevel, Dictionary, FileName, Header, JoinRule, Like, Query, SimilarPositionFile,
    SortKey, Var,
};
pub use shape::{SetShape, Shape};
pub(crate) use visit::{Component, Demand, Role};
