//! The HIR: the typed, explicit form of a query, from which the bytecode compiler starts.
//!
//! Everything that the text of a query leaves implicit is a node here: conversions, default
//! parameters, iteration. Names are resolved to ids, functions are inlined at each call, and
//! transforms are expanded to an [`ExprKind::Orbit`] of distinct copies. A node matches or does
//! not. A node of a type other than Boolean also has a value if it matches. A set always has a
//! value, which may be empty.
//!
//! Begin with [`Query`] and [`ExprKind`].

mod condition;
mod cql3;
mod dash;
mod equality;
mod expr;
mod filter;
mod path;
mod print;
mod quantity;
mod query;
pub mod transform;
mod visit;

pub use crate::literals::{Content, GameResult};
pub use condition::{Condition, HhdbCondition};
pub use cql3::{
    GameList, GameLists, Mark, OtherSide, PairKind, Pairs, PieceTag, Recurrence, Scope, Steps,
};
pub use dash::{Dash, DashFilter, Promotion};
pub use equality::TransformName;
pub use expr::{
    Change, ConsecutiveMoves, Constituent, ConstituentKind, Echo, Expr, ExprKind, Find, FindMode,
    Line, Move, Part, Speculation,
};
pub use filter::{
    Arithmetic, Award, AwardKind, Binary, Bound, Castle, Designator, Directions, Join, MoveResult,
    MoveSource, Participants, PinValue, Range, Relation, Side, Unary, Update, VariantEnding,
};
pub use path::{Focus, Path, PathPart, PathPartKind};
pub use print::print;
pub use quantity::{BuiltInTag, HhdbValue, PathStatus, Quantity};
pub use query::{
    DictId, Dictionary, FileName, Header, Level, Merge, NestBanId, NodeId, Query, RunId, Similar,
    SortId, SortKey, Type, Var, VarId,
};
pub use visit::{DictionaryUse, Name, VariableUse};
