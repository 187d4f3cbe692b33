//! The plain filters: filters without operands, and filters whose value depends only on the values
//! of one or two operands.
//!
//! [`table`] has a row for each of them and for each keyword; [`signature`] is what a row says,
//! [`payload`] the choices that some filters have, and [`define`] makes the enums from the rows.

mod define;
mod keyword_class;
mod payload;
mod signature;
mod table;

pub(crate) use keyword_class::KeywordStart;
pub use keyword_class::{KeywordClass, KeywordOrigin, OperandLevel};
pub use payload::{
    Award, AwardKind, BuiltInTag, CastlingKind, HhdbCondition, HhdbValue, Participants, PathStatus,
    VariantEnding,
};
pub(crate) use payload::{ColorPart, Payload};
pub use signature::Signature;
pub(crate) use signature::filter;
pub(crate) use table::ALIASES;
pub use table::{BinaryFilter, Condition, Keyword, Property, SpecialKeyword, UnaryFilter};

use crate::types::Type;

/// A filter of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainFilter {
    /// `true`, `false`
    Constant(bool),
    /// Without operands and without a value.
    Condition(Condition),
    /// Without operands, with a value.
    Property(Property),
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
    Property Property;
    Unary UnaryFilter;
    Binary BinaryFilter;
}

impl Condition {
    /// Exchanges White and Black in what the condition names.
    pub fn swap_colors(&mut self) {
        self.color_part().into_iter().for_each(ColorPart::swap);
    }
}

impl Property {
    /// The type of its value.
    pub const fn ty(self) -> Type {
        self.signature().ty
    }
}

impl Keyword {
    /// The kind of castling that it names.
    pub(crate) fn castling_kind(self) -> Option<CastlingKind> {
        let Some(PlainFilter::Condition(Condition::Castling(kind))) = self.filter() else {
            return None;
        };
        Some(kind)
    }

    /// What the table of filters says of the plain filter that it names: the types of its operands
    /// and of its value. `None` for all other keywords, and for `true` and `false`.
    ///
    /// ```
    /// use babson_lang::hir::Type;
    /// use babson_lang::keywords::Keyword;
    ///
    /// let power = Keyword::from_word("power").and_then(Keyword::signature).unwrap();
    /// assert_eq!((power.operands, power.ty), (Some(Type::Set), Type::Number));
    /// ```
    pub fn signature(self) -> Option<Signature> {
        Some(match self.filter()? {
            PlainFilter::Constant(_) => return None,
            PlainFilter::Condition(which) => which.signature(),
            PlainFilter::Property(which) => which.signature(),
            PlainFilter::Unary(which) => which.signature(),
            PlainFilter::Binary(which) => which.signature(),
        })
    }

    /// The type of a filter without operands, if it has only one type. Constants have none: nobody
    /// compares them.
    pub(crate) fn ty(self) -> Option<Type> {
        match self.filter()? {
            PlainFilter::Condition(_) => Some(Type::Bool),
            PlainFilter::Property(Property::SideValue(_)) | PlainFilter::Constant(_) => None,
            PlainFilter::Property(which) => Some(which.ty()),
            PlainFilter::Unary(_) | PlainFilter::Binary(_) => None,
        }
    }
}
