//! The numbers of what a query has several of.

/// Index into [`Query::vars`](super::Query::vars).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// Index into [`Query::dictionaries`](super::Query::dictionaries).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DictId(pub u32);

/// Index into [`Query::sorts`](super::Query::sorts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub u32);

/// Number of a `line` or `path` with `nestban`, for its marks of the game. They are numbered once
/// the whole tree is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NestBanId(pub u32);

/// Number of a `consecutivemoves`, for its best runs of the game. They are numbered once the whole
/// tree is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveRunId(pub u32);

/// Number of a node, below [`Query::nodes`](super::Query::nodes). Nodes are numbered once the whole
/// tree is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);
