//! The filters that reach beyond the games.

use super::{ExprKind, UnaryFilter};

impl ExprKind {
    /// The name of the filter if it opens a file or starts a program; its operands are not looked
    /// at. A caller that runs queries of strangers refuses these filters.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let query = analyze("readfile \"a.txt\"", Dialect::CQLI).unwrap().query;
    /// assert_eq!(query.body[0].kind.outside_access(), Some("readfile"));
    /// ```
    pub fn outside_access(&self) -> Option<&'static str> {
        match self {
            ExprKind::CommandPipe { .. } => Some("commandpipe"),
            ExprKind::WriteFile { .. } => Some("writefile"),
            ExprKind::Unary(UnaryFilter::ReadFile, _) => Some("readfile"),
            ExprKind::SimilarPosition => Some("similarposition"),
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::Quantity(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::Direction { .. }
            | ExprKind::Ray { .. }
            | ExprKind::Pin { .. }
            | ExprKind::FenPattern(_)
            | ExprKind::ForSquares { .. }
            | ExprKind::ForPieces { .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::Match { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::Orbit { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::Move(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::Dash(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Echo(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Path(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => None,
        }
    }
}
