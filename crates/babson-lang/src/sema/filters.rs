//! Filters without operands, prefix filters, directions, rays and pins.

use super::expression::without_operators;
use super::pending::PendingOperators;
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, Filter, Param, StringLiteral, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::filters::PlainFilter;
use crate::hir::{
    Alignment, BinaryFilter, Bound, Color, Designator, Directions, Expr, ExprKind, NumberRange,
    PinValue, Property, SetFilter, Type, UnaryFilter,
};
use crate::keywords::{Keyword, KeywordClass, SpecialKeyword};
use crate::parameters;

/// The distances of a direction without a range.
const DISTANCES: NumberRange = NumberRange { min: Bound::Const(1), max: Bound::Const(7) };

/// The parameters of `pin`, in the order of the sets of [`Alignment::Pin`].
const PIN_SETS: [(Keyword, PinValue); 3] = [
    (Keyword::From, PinValue::From),
    (Keyword::Through, PinValue::Through),
    (Keyword::To, PinValue::To),
];

/// The side that `white` and `black` name.
pub(super) fn side(keyword: Keyword) -> Option<Color> {
    let Some(PlainFilter::Property(Property::SideValue(side))) = keyword.filter() else {
        return None;
    };
    Some(side)
}

/// The level of the operand of a prefix filter. One with a production of its own, as `position 3`
/// and `makesquare "e4"`, reads its operand as `abs` does.
fn operand_level(class: KeywordClass) -> u8 {
    match class {
        KeywordClass::Prefix(operand) => levels::of_operand(operand),
        KeywordClass::List | KeywordClass::Special(_) => levels::VALUE,
        KeywordClass::Direction(_)
        | KeywordClass::Nullary
        | KeywordClass::Transform
        | KeywordClass::Search
        | KeywordClass::Colored
        | KeywordClass::Text
        | KeywordClass::Parameter
        | KeywordClass::Reserved => levels::TIGHT,
    }
}

impl<'a> Sema<'a> {
    /// A filter with a keyword.
    pub(super) fn filter(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        self.check_parameters(filter)?;
        let keyword = filter.keyword;
        let typed = match keyword.class() {
            KeywordClass::Special(special) => return self.special_filter(special, filter, span),
            KeywordClass::Direction(directions) => return self.direction(directions, filter, span),
            KeywordClass::Transform => return self.transform(filter, span),
            KeywordClass::Search | KeywordClass::Colored => self.tag_filter(filter, span),
            KeywordClass::Text => self.keyword_text(filter, span),
            KeywordClass::List if filter.list => self.list(filter, span),
            KeywordClass::Prefix(_)
            | KeywordClass::List
            | KeywordClass::Nullary
            | KeywordClass::Parameter
            | KeywordClass::Reserved => match &filter.args[..] {
                [arg] => return self.prefix(keyword, arg, span),
                _ => self.keyword(keyword, span),
            },
        };
        without_operators(typed)
    }

    /// A filter whose keyword has a production of its own.
    fn special_filter(
        &mut self,
        special: SpecialKeyword,
        filter: &'a Filter,
        span: Span,
    ) -> OpenResult<'a> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the grammar has no others")]
        match special {
            SpecialKeyword::Move => self.move_filter(filter, span),
            SpecialKeyword::Pin => self.pin(filter, span, None),
            SpecialKeyword::Find => self.find(filter, span),
            SpecialKeyword::Sort => self.sort(filter, span),
            SpecialKeyword::Echo => self.echo(filter, span),
            SpecialKeyword::Comment | SpecialKeyword::Message | SpecialKeyword::Str => {
                self.print(filter, span)
            }
            SpecialKeyword::Position => {
                let arg = self.operand(filter, span)?;
                self.prefix(filter.keyword, arg, span)
            }
            SpecialKeyword::Ray | SpecialKeyword::Xray => without_operators(self.ray(filter, span)),
            SpecialKeyword::ConsecutiveMoves => {
                without_operators(self.consecutive_moves(filter, span))
            }
            SpecialKeyword::Hhdb => without_operators(self.hhdb(filter, span)),
            SpecialKeyword::SimilarPosition => {
                without_operators(self.similar_position(filter, span))
            }
            _ => Err(self.not_a_filter(span, filter.keyword)),
        }
    }

    /// Reports the errors in the parameters of a filter.
    pub(super) fn check_parameters(&mut self, filter: &Filter) -> Result<(), ErrorReported> {
        self.report_all(parameters::check(filter))
    }

    pub(super) fn report_all(&mut self, errors: Vec<Diagnostic>) -> Result<(), ErrorReported> {
        let mut reported = Ok(());
        for error in errors {
            reported = Err(self.report(error));
        }
        reported
    }

    /// The operand of a prefix filter.
    pub(super) fn operand(
        &mut self,
        filter: &'a Filter,
        span: Span,
    ) -> Result<&'a ast::Expr, ErrorReported> {
        filter.args.first().ok_or_else(|| self.not_a_filter(span, filter.keyword))
    }

    /// The string after the keyword.
    pub(super) fn text_of<'f>(
        &mut self,
        filter: &'f Filter,
        span: Span,
    ) -> Result<&'f StringLiteral, ErrorReported> {
        filter.text().ok_or_else(|| self.not_a_filter(span, filter.keyword))
    }

    /// A keyword without operands.
    pub(super) fn keyword(&mut self, keyword: Keyword, span: Span) -> ExprResult {
        match keyword.filter() {
            Some(PlainFilter::Constant(value)) => return Ok(self.bool(value, span)),
            Some(PlainFilter::Condition(which)) => return Ok(self.condition(which, span)),
            Some(PlainFilter::Property(which)) => return Ok(self.property(which, span)),
            Some(PlainFilter::Unary(_) | PlainFilter::Binary(_)) | None => {}
        }
        if keyword == Keyword::Child {
            let first = self.node(ExprKind::Number(0), span);
            return Ok(self.unary(UnaryFilter::Child, first, span));
        }
        if keyword == Keyword::CurrentTransform {
            let kind = ExprKind::CurrentTransform(Default::default());
            return Ok(self.node(kind, span));
        }
        Err(self.not_a_filter(span, keyword))
    }

    /// An operand, of a type if there is one that it must have.
    fn expect_operand(&mut self, arg: Expr, ty: Option<Type>, filter: &str) -> ExprResult {
        match ty {
            Some(ty) => self.expect(arg, ty, filter),
            None => Ok(arg),
        }
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
            let (body, pending) = self.open_at(arg, levels::FILTER)?;
            return Ok((self.node(ExprKind::Loop(Box::new(body)), span), pending));
        }
        if keyword == Keyword::Ascii {
            return self.ascii(arg, span);
        }
        if keyword == Keyword::PieceId
            && let Some(piece) = self.bare_piece(arg)
        {
            let id = self.unary(UnaryFilter::PieceId, piece, span);
            return Ok((id, PendingOperators::new()));
        }
        let Some(PlainFilter::Unary(filter)) = keyword.filter() else {
            return Err(self.not_a_filter(span, keyword));
        };
        self.unary_filter(filter, operand_level(keyword.class()), arg, span)
    }

    /// A prefix filter whose operand has operators of this level or tighter ones.
    pub(super) fn unary_filter(
        &mut self,
        filter: UnaryFilter,
        level: u8,
        arg: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let (arg, pending) = self.open_at(arg, level)?;
        let arg = self.expect_operand(arg, filter.signature().operands, filter.name())?;
        Ok((self.unary(filter, arg, span), pending))
    }

    /// `ascii`: the code of a character, or the character of a code.
    fn ascii(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (arg, pending) = self.open_at(arg, levels::VALUE)?;
        let filter = match arg.ty {
            Type::String => UnaryFilter::AsciiCode,
            Type::Number => UnaryFilter::AsciiChar,
            Type::Bool | Type::Set | Type::Position | Type::Piece => {
                return Err(self.mismatch(&arg, "a string or a number", "ascii"));
            }
        };
        Ok((self.unary(filter, arg, span), pending))
    }

    /// `#`: the number of squares of a set, characters of a string or entries of a dictionary.
    fn size(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        if let Some(dictionary) = self.bare_dictionary(arg) {
            return Ok((
                self.node(ExprKind::DictionaryLen(dictionary), span),
                PendingOperators::new(),
            ));
        }
        let (arg, pending) = self.open_at(arg, levels::SET)?;
        let which = match arg.ty {
            Type::Set => UnaryFilter::Count,
            Type::String => UnaryFilter::Length,
            Type::Bool | Type::Number | Type::Position | Type::Piece => {
                return Err(self.mismatch(&arg, "a set of squares, a string or a dictionary", "#"));
            }
        };
        Ok((self.unary(which, arg, span), pending))
    }

    /// `assert f`. For a variable it tests whether the variable has a value.
    fn assert(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (tested, pending) = self.open_at(arg, levels::FILTER)?;
        let mut inner = &tested;
        if let ExprKind::Unary(UnaryFilter::PieceSquare, piece) = &tested.kind {
            inner = piece;
        }
        let tested = if let ExprKind::Var(var) = inner.kind {
            self.node(ExprKind::IsBound(var), arg.span)
        } else {
            tested
        };
        Ok((self.node(ExprKind::Assert(Box::new(tested)), span), pending))
    }

    fn direction(
        &mut self,
        directions: Directions,
        filter: &'a Filter,
        span: Span,
    ) -> OpenResult<'a> {
        let keyword = filter.keyword;
        let arg = self.operand(filter, span)?;
        let range = self.range(filter.range())?.unwrap_or(DISTANCES);
        if let (Bound::Const(min), Bound::Const(max)) = (range.min, range.max)
            && !range.is_distance()
        {
            let error = Diagnostic::new(
                Code::DistanceOutOfRange,
                span,
                format!("`{}` cannot go from {min} to {max} squares", keyword.name()),
            );
            return Err(
                self.report(error.with_help("distances are -7 to 7, the smaller one first"))
            );
        }
        let (set, pending) = self.open_at(arg, levels::TIGHT)?;
        let set = self.expect(set, Type::Set, keyword.name())?;
        let filter = SetFilter::Direction { directions, range, set: Box::new(set) };
        Ok((self.node(ExprKind::Set(filter), span), pending))
    }

    pub(super) fn ray(&mut self, filter: &'a Filter, span: Span) -> ExprResult {
        let name = filter.keyword.name();
        let sets = &filter.args[..];
        let mut all = 0;
        for param in &filter.params {
            let Some(word) = param.word() else {
                continue;
            };
            let KeywordClass::Direction(directions) = word.class() else {
                continue;
            };
            if all & directions.0 != 0 {
                let message = format!("`{}` repeats a direction", word.name());
                return Err(self.error(Code::RepeatedDirection, param.span, message));
            }
            all |= directions.0;
        }
        if sets.len() < 2 {
            return Err(self.wrong_count(span, name, "two sets or more", sets.len()));
        }
        let mut typed = Vec::with_capacity(sets.len());
        for set in self.closed_all(sets)? {
            typed.push(self.expect(set, Type::Set, name)?);
        }
        let directions = if all == 0 { Directions::ALL } else { Directions(all) };
        let attack = filter.keyword == Keyword::Xray;
        let ray = Alignment::Ray { directions, attack, first: false };
        Ok(self.node(ExprKind::Set(SetFilter::Aligned(ray, typed)), span))
    }

    /// `pin …`. `colon` is the `:` after it, if there is one.
    pub(super) fn pin(
        &mut self,
        filter: &'a Filter,
        span: Span,
        colon: Option<Span>,
    ) -> OpenResult<'a> {
        let mut pending = PendingOperators::new();
        let mut sets: [Option<Expr>; 3] = Default::default();
        let first = filter.params.first().and_then(Param::word);
        let value = first.and_then(|word| word.find_in(&PIN_SETS)).unwrap_or(PinValue::Through);
        for (i, param) in filter.params.iter().enumerate() {
            let last = i + 1 == filter.params.len();
            if let Some(word) = param.word()
                && let Some(set) = word.find_in(&PIN_SETS)
            {
                let slot = &mut sets[set as usize];
                pending = self.move_operand(slot, param, word, last, colon)?;
            }
        }
        let kings = Designator { squares: !0, content: crate::hir::Content(1 << 5 | 1 << 11) };
        let any = [ExprKind::Squares(!0), ExprKind::Squares(!0), ExprKind::Designator(kings)];
        let sets = sets.into_iter().zip(any);
        let sets = sets.map(|(set, any)| set.unwrap_or_else(|| self.node(any, span))).collect();
        let filter = SetFilter::Aligned(Alignment::Pin(value), sets);
        Ok((self.node(ExprKind::Set(filter), span), pending))
    }

    /// Two arguments of the same type, if there is one that they must have.
    pub(super) fn pair(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        ty: Option<Type>,
        span: Span,
    ) -> Result<(Expr, Expr), ErrorReported> {
        let args: &[_; 2] = self.arguments(keyword, args, "two arguments", span)?;
        let typed = <[Expr; 2]>::try_from(self.closed_all(args)?);
        let [left, right] = typed.map_err(|_| ErrorReported)?;
        let name = keyword.name();
        Ok((self.expect_operand(left, ty, name)?, self.expect_operand(right, ty, name)?))
    }

    /// A filter with two arguments in parentheses.
    pub(super) fn binary_call(
        &mut self,
        keyword: Keyword,
        args: &'a [ast::Expr],
        which: BinaryFilter,
        span: Span,
    ) -> ExprResult {
        let (left, right) = self.pair(keyword, args, which.signature().operands, span)?;
        Ok(self.binary(which, left, right, span))
    }
}
