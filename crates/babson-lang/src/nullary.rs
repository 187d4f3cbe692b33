//! Filters without operands: what the keywords that name them mean.

use crate::hir::{CastlingKind, Condition, PlainFilter, Quantity, Type};
use crate::keywords::Keyword;

/// The kind of castling that a keyword names.
pub(crate) fn castling_kind(keyword: Keyword) -> Option<CastlingKind> {
    let Some(PlainFilter::Condition(Condition::Castling(kind))) = keyword.filter() else {
        return None;
    };
    Some(kind)
}

/// The type of a keyword that is a filter without operands, if it has only one type. Constants have
/// none: nobody compares them.
pub(crate) fn type_of(keyword: Keyword) -> Option<Type> {
    match keyword.filter()? {
        PlainFilter::Condition(_) => Some(Type::Bool),
        PlainFilter::Quantity(Quantity::SideValue(_)) | PlainFilter::Constant(_) => None,
        PlainFilter::Quantity(which) => Some(which.ty()),
        PlainFilter::Unary(_) | PlainFilter::Binary(_) => None,
    }
}
