//! The catalogue: filters without operands, prefix filters, directions, rays, pins (language.md
//! 13).

use super::assign::nothing;
use super::{Open, Reported, Sema, Typed};
use crate::ast::{self, PinParam};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    Binary, Bound, Castle, Designator, Directions, Expr, ExprKind, Hhdb, Nullary, Participants,
    PinValue, Range, Side, Type, Unary, VariantEnding,
};
use crate::keywords::Keyword;

/// Distances of a direction without a range.
const DISTANCES: Range = Range { min: Bound::Const(1), max: Bound::Const(7) };

/// The bits of a direction word (see [`Directions`]).
pub(super) fn directions(keyword: Keyword) -> Directions {
    Directions(match keyword {
        Keyword::Up => 1,
        Keyword::NorthEast => 1 << 1,
        Keyword::Right => 1 << 2,
        Keyword::SouthEast => 1 << 3,
        Keyword::Down => 1 << 4,
        Keyword::SouthWest => 1 << 5,
        Keyword::Left => 1 << 6,
        Keyword::NorthWest => 1 << 7,
        Keyword::Vertical => 1 | 1 << 4,
        Keyword::Horizontal => 1 << 2 | 1 << 6,
        Keyword::Orthogonal => 0b0101_0101,
        Keyword::Diagonal => 0b1010_1010,
        Keyword::MainDiagonal => 1 << 1 | 1 << 5,
        Keyword::OffDiagonal => 1 << 3 | 1 << 7,
        _ => 0xff,
    })
}

/// The filters that are a node without operands.
fn nullary(keyword: Keyword) -> Option<(Nullary, Type)> {
    Some(match keyword {
        Keyword::Check => (Nullary::Check, Type::Bool),
        Keyword::Mate => (Nullary::Mate, Type::Bool),
        Keyword::Stalemate => (Nullary::Stalemate, Type::Bool),
        Keyword::Wtm => (Nullary::SideToMove(Side::White), Type::Bool),
        Keyword::Btm => (Nullary::SideToMove(Side::Black), Type::Bool),
        Keyword::Initial => (Nullary::Initial, Type::Bool),
        Keyword::Terminal => (Nullary::Terminal, Type::Bool),
        Keyword::MainLine => (Nullary::Mainline, Type::Bool),
        Keyword::Variation => (Nullary::Variation, Type::Bool),
        Keyword::VirtualMainLine => (Nullary::VirtualMainline, Type::Bool),
        Keyword::Try => (Nullary::Try, Type::Bool),
        Keyword::Primary => (Nullary::Primary, Type::Bool),
        Keyword::Secondary => (Nullary::Secondary, Type::Bool),
        Keyword::NullMove => (Nullary::NullMove, Type::Bool),
        Keyword::CastleShort => (Nullary::Castling(Castle::KingSide), Type::Bool),
        Keyword::CastleLong => (Nullary::Castling(Castle::QueenSide), Type::Bool),
        Keyword::Castle => (Nullary::Castling(Castle::Either), Type::Bool),
        Keyword::EnPassant => (Nullary::EnPassant, Type::Bool),
        Keyword::RemoveComment => (Nullary::RemoveComment, Type::Bool),
        Keyword::CqlAbort => (Nullary::Abort, Type::Bool),
        Keyword::SideToMove => (Nullary::SideSign, Type::Number),
        Keyword::Ply => (Nullary::Ply, Type::Number),
        Keyword::MoveNumber => (Nullary::MoveNumber, Type::Number),
        Keyword::Depth => (Nullary::Depth, Type::Number),
        Keyword::PositionId => (Nullary::PositionId, Type::Number),
        Keyword::GameNumber => (Nullary::GameNumber, Type::Number),
        Keyword::LastGameNumber => (Nullary::LastGameNumber, Type::Number),
        Keyword::Year => (Nullary::Year, Type::Number),
        Keyword::HalfMoveClock => (Nullary::HalfMoveClock, Type::Number),
        Keyword::From => (Nullary::LastFrom, Type::Set),
        Keyword::To => (Nullary::LastTo, Type::Set),
        Keyword::EnPassantSquare => (Nullary::EnPassantSquare, Type::Set),
        Keyword::PassedPawns => (Nullary::PassedPawns, Type::Set),
        Keyword::ConnectedPawns => (Nullary::ConnectedPawns, Type::Set),
        Keyword::IsolatedPawns => (Nullary::IsolatedPawns, Type::Set),
        Keyword::DoubledPawns => (Nullary::DoubledPawns, Type::Set),
        Keyword::PureMate => (Nullary::Participants(Participants::PureMate), Type::Set),
        Keyword::ModelMate => (Nullary::Participants(Participants::ModelMate), Type::Set),
        Keyword::IdealMate => (Nullary::Participants(Participants::IdealMate), Type::Set),
        Keyword::PureStalemate => (Nullary::Participants(Participants::PureStalemate), Type::Set),
        Keyword::ModelStalemate => (Nullary::Participants(Participants::ModelStalemate), Type::Set),
        Keyword::IdealStalemate => (Nullary::Participants(Participants::IdealStalemate), Type::Set),
        Keyword::CqlHhdbHasCook => (Nullary::Hhdb(Hhdb::Cooked), Type::Bool),
        Keyword::StandardFen => (Nullary::StandardFen, Type::String),
        Keyword::CurrentFen => (Nullary::CurrentFen, Type::String),
        Keyword::CurrentMutation => (Nullary::CurrentMutation, Type::String),
        Keyword::LegalPosition => (Nullary::LegalPosition, Type::Bool),
        Keyword::ReachablePosition => (Nullary::ReachablePosition, Type::Bool),
        Keyword::PromotedPieces => (Nullary::PromotedPieces, Type::Set),
        Keyword::SavePosition => (Nullary::SavePosition, Type::Position),
        Keyword::VariantWin => (Nullary::VariantEnd(VariantEnding::Win), Type::Bool),
        Keyword::VariantLoss => (Nullary::VariantEnd(VariantEnding::Loss), Type::Bool),
        Keyword::VariantDraw => (Nullary::VariantEnd(VariantEnding::Draw), Type::Bool),
        Keyword::VariantEnd => (Nullary::VariantEnd(VariantEnding::Any), Type::Bool),
        Keyword::ZobristKey => (Nullary::ZobristKey, Type::String),
        Keyword::PathCount => (Nullary::PathCount, Type::Number),
        Keyword::PathCountUnfocused => (Nullary::PathCountUnfocused, Type::Number),
        Keyword::PathStart => (Nullary::PathStart, Type::Position),
        Keyword::PathLastPosition => (Nullary::PathLastPosition, Type::Position),
        Keyword::CurrentPosition => (Nullary::CurrentPosition, Type::Position),
        Keyword::Parent => (Nullary::Parent, Type::Position),
        Keyword::InitialPosition => (Nullary::InitialPosition, Type::Position),
        _ => return None,
    })
}

/// The type of a keyword that is a filter alone, if it always has the same.
pub(crate) fn type_of(keyword: Keyword) -> Option<Type> {
    nullary(keyword).map(|(_, ty)| ty)
}

impl<'a> Sema<'a> {
    /// A keyword that stands alone.
    pub(super) fn keyword(&mut self, keyword: Keyword, span: Span) -> Typed {
        if let Some((which, ty)) = nullary(keyword) {
            return Ok(self.nullary(which, ty, span));
        }
        Ok(match keyword {
            Keyword::True => self.bool(true, span),
            // `extension` parses and never matches (language.md 2.7).
            Keyword::False | Keyword::Extension => self.bool(false, span),
            Keyword::White | Keyword::Black => {
                let side = if keyword == Keyword::White { Side::White } else { Side::Black };
                self.nullary(Nullary::SideValue(side), Type::Number, span)
            }
            Keyword::Child => {
                let first = self.node(ExprKind::Number(0), Type::Number, span);
                self.unary(Unary::Child, first, Type::Position, span)
            }
            Keyword::CurrentTransform => {
                self.node(ExprKind::CurrentTransform(Default::default()), Type::String, span)
            }
            _ => return Err(self.unsupported(span, keyword.name())),
        })
    }

    /// The operand of a prefix filter of a width (language.md 5.2).
    fn operand(&mut self, keyword: Keyword, arg: &'a ast::Expr, width: u8, ty: Type) -> Open<'a> {
        let (arg, tails) = self.open_at(arg, width)?;
        Ok((self.expect(arg, ty, keyword.name())?, tails))
    }

    pub(super) fn prefix(&mut self, keyword: Keyword, arg: &'a ast::Expr, span: Span) -> Open<'a> {
        let (which, width, from, to) = match keyword {
            Keyword::Size => return self.size(arg, span),
            Keyword::Assert => return self.assert(arg, span),
            Keyword::Loop => {
                let (body, tails) = self.open_at(arg, 1)?;
                return Ok((self.node(ExprKind::Loop(Box::new(body)), Type::Bool, span), tails));
            }
            Keyword::Ascii => {
                let (arg, tails) = self.open_at(arg, 5)?;
                return match arg.ty {
                    Type::String => {
                        Ok((self.unary(Unary::AsciiCode, arg, Type::Number, span), tails))
                    }
                    Type::Number => {
                        Ok((self.unary(Unary::AsciiChar, arg, Type::String, span), tails))
                    }
                    _ => Err(self.mismatch(&arg, "a string or a number", "ascii")),
                };
            }
            Keyword::PieceId => {
                if let Some(var) = self.bare_piece(arg) {
                    let piece = self.node(ExprKind::Var(var), Type::Piece, arg.span);
                    return Ok((self.unary(Unary::PieceId, piece, Type::Number, span), nothing()));
                }
                (Unary::PieceId, 7, Type::Set, Type::Number)
            }
            Keyword::MakeSquare => (Unary::MakeSquareText, 5, Type::String, Type::Set),
            Keyword::Abs => (Unary::Abs, 5, Type::Number, Type::Number),
            Keyword::Sqrt => (Unary::Sqrt, 5, Type::Number, Type::Number),
            Keyword::Int => (Unary::Int, 5, Type::String, Type::Number),
            Keyword::ReadFile => (Unary::ReadFile, 5, Type::String, Type::String),
            Keyword::ColorType => (Unary::ColorType, 7, Type::Set, Type::Number),
            Keyword::Type => (Unary::Type, 7, Type::Set, Type::Number),
            Keyword::Power => (Unary::Power, 7, Type::Set, Type::Number),
            Keyword::File => (Unary::File, 7, Type::Set, Type::Number),
            Keyword::Rank => (Unary::Rank, 7, Type::Set, Type::Number),
            Keyword::TypeName => (Unary::TypeName, 7, Type::Set, Type::String),
            Keyword::PieceName => (Unary::PieceName, 7, Type::Set, Type::String),
            Keyword::Lowercase => (Unary::Lowercase, 7, Type::String, Type::String),
            Keyword::Uppercase => (Unary::Uppercase, 7, Type::String, Type::String),
            Keyword::Light => (Unary::Light, 13, Type::Set, Type::Set),
            Keyword::Dark => (Unary::Dark, 13, Type::Set, Type::Set),
            Keyword::Position => (Unary::PositionAt, 5, Type::Number, Type::Position),
            Keyword::Child => (Unary::Child, 5, Type::Number, Type::Position),
            _ => return Err(self.unsupported(span, keyword.name())),
        };
        let (arg, tails) = self.operand(keyword, arg, width, from)?;
        Ok((self.unary(which, arg, to, span), tails))
    }

    /// `#`: squares of a set, length of a string, entries of a dictionary.
    fn size(&mut self, arg: &'a ast::Expr, span: Span) -> Open<'a> {
        if let Some(dictionary) = self.bare_dictionary(arg) {
            return Ok((
                self.node(ExprKind::DictionaryLen(dictionary), Type::Number, span),
                nothing(),
            ));
        }
        let (arg, tails) = self.open_at(arg, 7)?;
        let which = match arg.ty {
            Type::Set => Unary::Count,
            Type::String => Unary::Length,
            _ => {
                return Err(self.mismatch(&arg, "a set of squares, a string or a dictionary", "#"));
            }
        };
        Ok((self.unary(which, arg, Type::Number, span), tails))
    }

    /// `assert f`; of a variable, that it is bound.
    fn assert(&mut self, arg: &'a ast::Expr, span: Span) -> Open<'a> {
        let (tested, tails) = self.open_at(arg, 1)?;
        let mut inner = &tested;
        if let ExprKind::Unary(Unary::PieceSquare, piece) = &tested.kind {
            inner = piece;
        }
        let tested = match inner.kind {
            ExprKind::Var(var) => self.node(ExprKind::IsBound(var), Type::Bool, arg.span),
            _ => tested,
        };
        Ok((self.node(ExprKind::Assert(Box::new(tested)), Type::Bool, span), tails))
    }

    pub(super) fn direction(
        &mut self,
        keyword: Keyword,
        range: Option<&ast::Range>,
        arg: &'a ast::Expr,
        span: Span,
    ) -> Open<'a> {
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
        let (set, tails) = self.operand(keyword, arg, 13, Type::Set)?;
        let kind =
            ExprKind::Direction { directions: directions(keyword), range, set: Box::new(set) };
        Ok((self.node(kind, Type::Set, span), tails))
    }

    pub(super) fn ray(
        &mut self,
        xray: bool,
        words: &[(Keyword, Span)],
        sets: &'a [ast::Expr],
        span: Span,
    ) -> Typed {
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

    /// `pin …`; `colon` is a `:` behind it.
    pub(super) fn pin(
        &mut self,
        params: &'a [PinParam],
        span: Span,
        colon: Option<Span>,
    ) -> Open<'a> {
        let mut tails = nothing();
        let (mut from, mut through, mut to) = (None, None, None);
        let value = match params.first().map(|param| param.keyword) {
            Some(Keyword::From) => PinValue::From,
            Some(Keyword::To) => PinValue::To,
            _ => PinValue::Through,
        };
        for (i, param) in params.iter().enumerate() {
            let name = param.keyword.name();
            let last = i + 1 == params.len();
            let (set, rest) = self.move_operand(&param.set, name, last, colon)?;
            tails = rest;
            let slot = match param.keyword {
                Keyword::From => &mut from,
                Keyword::Through => &mut through,
                _ => &mut to,
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
        Ok((self.node(kind, Type::Set, span), tails))
    }

    /// Two operands of one type.
    pub(super) fn pair(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        ty: Type,
        span: Span,
    ) -> Result<(Expr, Expr), Reported> {
        if args.len() != 2 {
            return Err(self.wrong_count(span, keyword.name(), "two arguments", args.len()));
        }
        let mut typed = self.closed_all(args)?.into_iter();
        let (Some(left), Some(right)) = (typed.next(), typed.next()) else {
            return Err(Reported);
        };
        Ok((self.expect(left, ty, keyword.name())?, self.expect(right, ty, keyword.name())?))
    }

    /// A filter of two operands in parentheses.
    pub(super) fn binary_call(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        which: Binary,
        (from, to): (Type, Type),
        span: Span,
    ) -> Typed {
        let (left, right) = self.pair(keyword, args, from, span)?;
        Ok(self.binary(which, left, right, to, span))
    }
}
