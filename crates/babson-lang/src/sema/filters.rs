//! Filters without operands, prefix filters, directions, rays and pins.

use super::pending::PendingOperators;
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, PinParam};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    BinaryFilter, Bound, Designator, Directions, Expr, ExprKind, NumberRange, PinValue, Quantity,
    Side, Type, UnaryFilter,
};
use crate::keywords::Keyword;
use crate::nullary::{CONDITIONS, QUANTITIES};

/// The distances of a direction without a range.
const DISTANCES: NumberRange = NumberRange { min: Bound::Const(1), max: Bound::Const(7) };

/// The bits of the direction words (see [`Directions`]).
const DIRECTIONS: [(Keyword, u8); 15] = [
    (Keyword::Up, 1),
    (Keyword::NorthEast, 1 << 1),
    (Keyword::Right, 1 << 2),
    (Keyword::SouthEast, 1 << 3),
    (Keyword::Down, 1 << 4),
    (Keyword::SouthWest, 1 << 5),
    (Keyword::Left, 1 << 6),
    (Keyword::NorthWest, 1 << 7),
    (Keyword::Vertical, 1 | 1 << 4),
    (Keyword::Horizontal, 1 << 2 | 1 << 6),
    (Keyword::Orthogonal, 0b0101_0101),
    (Keyword::Diagonal, 0b1010_1010),
    (Keyword::MainDiagonal, 1 << 1 | 1 << 5),
    (Keyword::OffDiagonal, 1 << 3 | 1 << 7),
    (Keyword::AnyDirection, 0xff),
];

/// The directions of a direction word.
pub(super) fn directions(keyword: Keyword) -> Directions {
    Directions(keyword.find_in(&DIRECTIONS).unwrap_or(0xff))
}

/// The side that `white` and `black` name.
pub(super) fn side(keyword: Keyword) -> Option<Side> {
    keyword.find_in(&[(Keyword::White, Side::White), (Keyword::Black, Side::Black)])
}

/// The prefix filters with one operand: the filter, the level of the operand and its type, and the
/// type of the value.
const PREFIX_FILTERS: [(Keyword, (UnaryFilter, u8, Type, Type)); 19] = [
    (Keyword::PieceId, (UnaryFilter::PieceId, 7, Type::Set, Type::Number)),
    (Keyword::MakeSquare, (UnaryFilter::MakeSquareText, 5, Type::String, Type::Set)),
    (Keyword::Abs, (UnaryFilter::Abs, 5, Type::Number, Type::Number)),
    (Keyword::Sqrt, (UnaryFilter::Sqrt, 5, Type::Number, Type::Number)),
    (Keyword::Int, (UnaryFilter::Int, 5, Type::String, Type::Number)),
    (Keyword::ReadFile, (UnaryFilter::ReadFile, 5, Type::String, Type::String)),
    (Keyword::ColorType, (UnaryFilter::ColorType, 7, Type::Set, Type::Number)),
    (Keyword::Type, (UnaryFilter::Type, 7, Type::Set, Type::Number)),
    (Keyword::Power, (UnaryFilter::Power, 7, Type::Set, Type::Number)),
    (Keyword::File, (UnaryFilter::File, 7, Type::Set, Type::Number)),
    (Keyword::Rank, (UnaryFilter::Rank, 7, Type::Set, Type::Number)),
    (Keyword::TypeName, (UnaryFilter::TypeName, 7, Type::Set, Type::String)),
    (Keyword::PieceName, (UnaryFilter::PieceName, 7, Type::Set, Type::String)),
    (Keyword::Lowercase, (UnaryFilter::Lowercase, 7, Type::String, Type::String)),
    (Keyword::Uppercase, (UnaryFilter::Uppercase, 7, Type::String, Type::String)),
    (Keyword::Light, (UnaryFilter::Light, 13, Type::Set, Type::Set)),
    (Keyword::Dark, (UnaryFilter::Dark, 13, Type::Set, Type::Set)),
    (Keyword::Position, (UnaryFilter::PositionAt, 5, Type::Number, Type::Position)),
    (Keyword::Child, (UnaryFilter::Child, 5, Type::Number, Type::Position)),
];

impl<'a> Sema<'a> {
    /// A keyword without operands.
    pub(super) fn keyword(&mut self, keyword: Keyword, span: Span) -> ExprResult {
        if let Some(which) = keyword.find_in(&CONDITIONS) {
            return Ok(self.condition(which, span));
        }
        if let Some(which) = keyword.find_in(&QUANTITIES) {
            return Ok(self.quantity(which, span));
        }
        if let Some(side) = side(keyword) {
            return Ok(self.quantity(Quantity::SideValue(side), span));
        }
        // `extension` never matches (docs/src/language/index.md#text).
        let constants =
            [(Keyword::True, true), (Keyword::False, false), (Keyword::Extension, false)];
        if let Some(value) = keyword.find_in(&constants) {
            return Ok(self.bool(value, span));
        }
        if keyword == Keyword::Child {
            let first = self.node(ExprKind::Number(0), Type::Number, span);
            return Ok(self.unary(UnaryFilter::Child, first, Type::Position, span));
        }
        if keyword == Keyword::CurrentTransform {
            let kind = ExprKind::CurrentTransform(Default::default());
            return Ok(self.node(kind, Type::String, span));
        }
        Err(self.unsupported(span, keyword.name()))
    }

    /// The operand of a prefix filter (docs/src/language/reading.md#prefix-filters). `level` is the
    /// level of the operand.
    fn operand(
        &mut self,
        keyword: Keyword,
        arg: &'a ast::Expr,
        level: u8,
        ty: Type,
    ) -> OpenResult<'a> {
        let (arg, pending) = self.open_at(arg, level)?;
        Ok((self.expect(arg, ty, keyword.name())?, pending))
    }

    pub(super) fn prefix(
        &mut self,
        keyword: Keyword,
        arg: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        if keyword == Keyword::Size {
            return self.size(arg, span);
        }
        if keyword == Keyword::Assert {
            return self.assert(arg, span);
        }
        if keyword == Keyword::Loop {
            let (body, pending) = self.open_at(arg, 1)?;
            return Ok((self.node(ExprKind::Loop(Box::new(body)), Type::Bool, span), pending));
        }
        if keyword == Keyword::Ascii {
            return self.ascii(arg, span);
        }
        if keyword == Keyword::PieceId
            && let Some(var) = self.bare_piece(arg)
        {
            let piece = self.node(ExprKind::Var(var), Type::Piece, arg.span);
            let id = self.unary(UnaryFilter::PieceId, piece, Type::Number, span);
            return Ok((id, PendingOperators::new()));
        }
        let Some((filter, level, from, to)) = keyword.find_in(&PREFIX_FILTERS) else {
            return Err(self.unsupported(span, keyword.name()));
        };
        let (arg, pending) = self.operand(keyword, arg, level, from)?;
        Ok((self.unary(filter, arg, to, span), pending))
    }

    /// `ascii`: the code of a character, or the character of a code.
    fn ascii(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (arg, pending) = self.open_at(arg, 5)?;
        let (filter, ty) = match arg.ty {
            Type::String => (UnaryFilter::AsciiCode, Type::Number),
            Type::Number => (UnaryFilter::AsciiChar, Type::String),
            Type::Bool | Type::Set | Type::Position | Type::Piece => {
                return Err(self.mismatch(&arg, "a string or a number", "ascii"));
            }
        };
        Ok((self.unary(filter, arg, ty, span), pending))
    }

    /// `#`: the number of squares of a set, characters of a string or entries of a dictionary.
    fn size(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        if let Some(dictionary) = self.bare_dictionary(arg) {
            return Ok((
                self.node(ExprKind::DictionaryLen(dictionary), Type::Number, span),
                PendingOperators::new(),
            ));
        }
        let (arg, pending) = self.open_at(arg, 7)?;
        let which = match arg.ty {
            Type::Set => UnaryFilter::Count,
            Type::String => UnaryFilter::Length,
            Type::Bool | Type::Number | Type::Position | Type::Piece => {
                return Err(self.mismatch(&arg, "a set of squares, a string or a dictionary", "#"));
            }
        };
        Ok((self.unary(which, arg, Type::Number, span), pending))
    }

    /// `assert f`. For a variable it tests whether the variable has a value.
    fn assert(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (tested, pending) = self.open_at(arg, 1)?;
        let mut inner = &tested;
        if let ExprKind::Unary(UnaryFilter::PieceSquare, piece) = &tested.kind {
            inner = piece;
        }
        let tested = if let ExprKind::Var(var) = inner.kind {
            self.node(ExprKind::IsBound(var), Type::Bool, arg.span)
        } else {
            tested
        };
        Ok((self.node(ExprKind::Assert(Box::new(tested)), Type::Bool, span), pending))
    }

    pub(super) fn direction(
        &mut self,
        keyword: Keyword,
        range: Option<&ast::RangeParam>,
        arg: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let range = self.range(range)?.unwrap_or(DISTANCES);
        if let (Bound::Const(min), Bound::Const(max)) = (range.min, range.max)
            && (min > max || min < -7 || max > 7)
        {
            let error = Diagnostic::error(
                span,
                format!("`{}` cannot go from {min} to {max} squares", keyword.name()),
            );
            return Err(
                self.report(error.with_help("distances are -7 to 7, the smaller one first"))
            );
        }
        let (set, pending) = self.operand(keyword, arg, 13, Type::Set)?;
        let kind =
            ExprKind::Direction { directions: directions(keyword), range, set: Box::new(set) };
        Ok((self.node(kind, Type::Set, span), pending))
    }

    pub(super) fn ray(
        &mut self,
        xray: bool,
        words: &[(Keyword, Span)],
        sets: &'a [ast::Expr],
        span: Span,
    ) -> ExprResult {
        let name = if xray { "xray" } else { "ray" };
        let mut all = 0;
        for &(word, span) in words {
            let bits = directions(word).0;
            if all & bits != 0 {
                return Err(self.error(span, format!("`{}` repeats a direction", word.name())));
            }
            all |= bits;
        }
        if sets.len() < 2 {
            return Err(self.wrong_count(span, name, "two sets or more", sets.len()));
        }
        let mut typed = Vec::with_capacity(sets.len());
        for set in self.closed_all(sets)? {
            typed.push(self.expect(set, Type::Set, name)?);
        }
        let directions = Directions(if all == 0 { 0xff } else { all });
        Ok(self.node(
            ExprKind::Ray { directions, attack: xray, first: false, sets: typed },
            Type::Set,
            span,
        ))
    }

    /// `pin …`. `colon` is the `:` after it, if there is one.
    pub(super) fn pin(
        &mut self,
        params: &'a [PinParam],
        span: Span,
        colon: Option<Span>,
    ) -> OpenResult<'a> {
        let mut pending = PendingOperators::new();
        let (mut from, mut through, mut to) = (None, None, None);
        let values = [(Keyword::From, PinValue::From), (Keyword::To, PinValue::To)];
        let first = params.first().and_then(|param| param.keyword.find_in(&values));
        let value = first.unwrap_or(PinValue::Through);
        for (i, param) in params.iter().enumerate() {
            let name = param.keyword.name();
            let last = i + 1 == params.len();
            let (set, rest) = self.move_operand(&param.set, name, last, colon)?;
            pending = rest;
            let slot = if param.keyword == Keyword::From {
                &mut from
            } else if param.keyword == Keyword::Through {
                &mut through
            } else {
                &mut to
            };
            if slot.replace(set).is_some() {
                return Err(self.error(param.set.span, format!("`pin` has two `{name}`")));
            }
        }
        let kings = Designator { squares: !0, content: crate::hir::Content(1 << 5 | 1 << 11) };
        let mut or_else = |set: Option<Expr>, kind: ExprKind| {
            Box::new(set.unwrap_or_else(|| self.node(kind, Type::Set, span)))
        };
        let kind = ExprKind::Pin {
            from: or_else(from, ExprKind::Squares(!0)),
            through: or_else(through, ExprKind::Squares(!0)),
            to: or_else(to, ExprKind::Designator(kings)),
            value,
        };
        Ok((self.node(kind, Type::Set, span), pending))
    }

    /// Two arguments of the same type.
    pub(super) fn pair(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        ty: Type,
        span: Span,
    ) -> Result<(Expr, Expr), ErrorReported> {
        if args.len() != 2 {
            return Err(self.wrong_count(span, keyword.name(), "two arguments", args.len()));
        }
        let mut typed = self.closed_all(args)?.into_iter();
        let (Some(left), Some(right)) = (typed.next(), typed.next()) else {
            return Err(ErrorReported);
        };
        Ok((self.expect(left, ty, keyword.name())?, self.expect(right, ty, keyword.name())?))
    }

    /// A filter with two arguments in parentheses.
    pub(super) fn binary_call(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        which: BinaryFilter,
        (from, to): (Type, Type),
        span: Span,
    ) -> ExprResult {
        let (left, right) = self.pair(keyword, args, from, span)?;
        Ok(self.binary(which, left, right, to, span))
    }
}
