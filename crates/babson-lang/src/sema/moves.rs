//! The `move` filter (docs/src/language/moves.md#moves).

use super::designators::kinds;
use super::pending::PendingOperators;
use super::types::mismatched;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, MoveParam};
use crate::diagnostic::{Code, Diagnostic, Span, quoted};
use crate::hir::{ExprKind, MoveFilter, MoveResult, MoveSource, Promotion, Type};
use crate::keywords::Keyword;
use crate::speculation::ChoiceKind;

/// The value of a `move` by its first parameter.
const RESULTS: [(Keyword, MoveResult); 3] = [
    (Keyword::From, MoveResult::From),
    (Keyword::To, MoveResult::To),
    (Keyword::Capture, MoveResult::Capture),
];

impl<'a> Sema<'a> {
    pub(super) fn move_filter(&mut self, params: &'a [MoveParam], span: Span) -> OpenResult<'a> {
        let (m, _, pending) = self.move_params(params, span, None)?;
        let ty = match m.result {
            MoveResult::Bool => Type::Bool,
            MoveResult::Count => Type::Number,
            MoveResult::From | MoveResult::To | MoveResult::Capture => Type::Set,
        };
        Ok((self.node(ExprKind::Move(Box::new(m)), ty, span), pending))
    }

    /// The parameters, whether `all` is one of them, and the pending operators of the last operand.
    /// `colon` is the `:` after them, if there is a filter to evaluate after each move.
    pub(super) fn move_params(
        &mut self,
        params: &'a [MoveParam],
        span: Span,
        colon: Option<Span>,
    ) -> Result<(MoveFilter, bool, PendingOperators<'a>), ErrorReported> {
        let tried = colon.is_some();
        let first = params.first().and_then(|param| param.keyword.find_in(&RESULTS));
        let result = first.unwrap_or(MoveResult::Bool);
        let mut pending = PendingOperators::new();
        let mut m = MoveFilter { result, ..MoveFilter::played() };
        let (mut count, mut all, mut reverse) = (None, false, None);
        for (i, param) in params.iter().enumerate() {
            if i > 0 && params[i - 1].keyword == Keyword::Comment {
                return Err(self.error(
                    Code::MisplacedParameter,
                    params[i - 1].span,
                    "`comment` must be the last parameter of `move`",
                ));
            }
            if param.keyword == Keyword::Count {
                count = Some(param.span);
            } else if param.keyword == Keyword::Reverse {
                reverse = Some(param.span);
            } else if param.keyword == Keyword::All {
                if !tried {
                    return Err(self.without_target(param.span));
                }
                self.flag(&mut all, param)?;
            } else {
                let last = i + 1 == params.len();
                pending = self.move_param(&mut m, param, last, colon)?;
            }
        }
        if let Some(span) = reverse {
            m.source = match m.source {
                MoveSource::Played | MoveSource::Legal => MoveSource::LegalReverse,
                MoveSource::Pseudolegal => MoveSource::PseudolegalReverse,
                MoveSource::Previous
                | MoveSource::LegalReverse
                | MoveSource::PseudolegalReverse => {
                    return Err(self.report(Diagnostic::excluding(
                        span,
                        "`reverse`",
                        "`previous`",
                    )));
                }
            };
        }
        self.check_move(&m, params, count.filter(|_| !tried), span, tried)?;
        if count.is_some() {
            m.result = MoveResult::Count;
        } else if all {
            m.result = MoveResult::Bool;
        }
        Ok((m, all, pending))
    }

    fn move_param(
        &mut self,
        m: &mut MoveFilter,
        param: &'a MoveParam,
        last: bool,
        colon: Option<Span>,
    ) -> Result<PendingOperators<'a>, ErrorReported> {
        let word = param.keyword.name();
        let mut pending = PendingOperators::new();
        #[expect(clippy::wildcard_enum_match_arm, reason = "another keyword is reported")]
        match param.keyword {
            Keyword::From | Keyword::To | Keyword::Capture | Keyword::EnPassantSquare => {
                let [set] = &param.args[..] else {
                    let message = format!("`{word}` needs a set of squares");
                    return Err(self.error(Code::WrongOperand, param.span, message));
                };
                let (set, rest) = self.move_operand(set, word, last, colon)?;
                pending = rest;
                let slot = if param.keyword == Keyword::From {
                    &mut m.from
                } else if param.keyword == Keyword::To {
                    &mut m.to
                } else if param.keyword == Keyword::Capture {
                    &mut m.capture
                } else {
                    &mut m.en_passant_square
                };
                // A second `capture` replaces the first. Other parameters must not be repeated.
                if slot.is_some() && param.keyword != Keyword::Capture {
                    return Err(self.twice(param));
                }
                *slot = Some(set);
            }
            Keyword::Promote => {
                if m.promote.is_some() {
                    return Err(self.twice(param));
                }
                let arg = param.args.first().map(|arg| &arg.kind);
                let pieces = if let Some(Ast::Designator(d)) = arg {
                    kinds(d)
                } else if let Some(Ast::AnySquare) = arg {
                    Some(Promotion::ANY)
                } else {
                    None
                };
                if pieces.is_none() {
                    let error = Diagnostic::not_promotion_pieces(param.span);
                    return Err(self.report(error.with_help("as in `promote Q` or `promote [RN]`")));
                }
                m.promote = pieces;
            }
            Keyword::CastleShort | Keyword::CastleLong | Keyword::Castle => {
                if m.castle.is_some() {
                    let is_other = |word: &Keyword| word.castling_kind() == m.castle;
                    let words = [Keyword::CastleShort, Keyword::CastleLong, Keyword::Castle];
                    let other = words.into_iter().find(is_other).unwrap_or(param.keyword);
                    return Err(self.second(param, other));
                }
                m.castle = param.keyword.castling_kind();
            }
            Keyword::EnPassant => self.flag(&mut m.en_passant, param)?,
            Keyword::Null => self.flag(&mut m.null, param)?,
            Keyword::Primary => self.flag(&mut m.primary, param)?,
            Keyword::Secondary => self.flag(&mut m.secondary, param)?,
            Keyword::Previous | Keyword::Legal | Keyword::PseudoLegal => {
                let other = match m.source {
                    MoveSource::Played => None,
                    MoveSource::Previous => Some(Keyword::Previous),
                    MoveSource::Legal | MoveSource::LegalReverse => Some(Keyword::Legal),
                    MoveSource::Pseudolegal | MoveSource::PseudolegalReverse => {
                        Some(Keyword::PseudoLegal)
                    }
                };
                if let Some(other) = other {
                    return Err(self.second(param, other));
                }
                m.source = if param.keyword == Keyword::Previous {
                    MoveSource::Previous
                } else if param.keyword == Keyword::Legal {
                    MoveSource::Legal
                } else {
                    MoveSource::Pseudolegal
                };
            }
            Keyword::Comment => {
                let mut parts = Vec::with_capacity(param.args.len());
                for arg in &param.args {
                    parts.push(self.part(arg)?);
                }
                m.comment = Some(parts);
            }
            Keyword::Drop => self.flag(&mut m.drop, param)?,
            _ => {
                let error = Diagnostic::not_a_parameter(param.span, &quoted(word), "move");
                return Err(self.report(error));
            }
        }
        Ok(pending)
    }

    /// An operand of `move` or `pin`, with its pending operators if it is the last one. A position
    /// before a `:` is only the beginning of an operand.
    pub(super) fn move_operand(
        &mut self,
        set: &'a ast::Expr,
        word: &str,
        last: bool,
        colon: Option<Span>,
    ) -> OpenResult<'a> {
        let (set, mut pending) = self.open_at(set, 13)?;
        let set = if last && colon.is_none() {
            set
        } else {
            self.finish((set, std::mem::take(&mut pending)))?
        };
        match colon {
            Some(colon) if last && set.ty == Type::Position => {
                let error = mismatched(&set, Type::Set.with_article(), word);
                Err(self.reject(ChoiceKind::OperandColon.at(colon), error))
            }
            _ => Ok((self.expect(set, Type::Set, word)?, pending)),
        }
    }

    fn flag(&mut self, flag: &mut bool, param: &MoveParam) -> Result<(), ErrorReported> {
        if std::mem::replace(flag, true) { Err(self.twice(param)) } else { Ok(()) }
    }

    /// Reports the second of parameters that exclude each other.
    fn second(&mut self, param: &MoveParam, first: Keyword) -> ErrorReported {
        if param.keyword == first {
            return self.twice(param);
        }
        let (word, first) = (quoted(param.keyword.name()), quoted(first.name()));
        self.report(Diagnostic::excluding(param.span, &word, &first))
    }

    fn twice(&mut self, param: &MoveParam) -> ErrorReported {
        self.report(Diagnostic::duplicate(param.span, &quoted(param.keyword.name())))
    }

    /// Reports combinations of parameters that exclude each other.
    fn check_move(
        &mut self,
        m: &MoveFilter,
        params: &[MoveParam],
        count: Option<Span>,
        span: Span,
        tried: bool,
    ) -> Result<(), ErrorReported> {
        let generated = m.source.is_generated();
        let reverse = m.source.is_reverse();
        if let (Some(span), false) = (count, generated) {
            let error = Diagnostic::missing(span, "count", "`legal` or `pseudolegal`");
            return Err(self.report(error));
        }
        let place = |keyword: Keyword| {
            params.iter().find(|param| param.keyword == keyword).map_or(span, |param| param.span)
        };
        let name = match m.source {
            MoveSource::Legal => Some("legal"),
            MoveSource::Pseudolegal => Some("pseudolegal"),
            MoveSource::LegalReverse | MoveSource::PseudolegalReverse => Some("reverse"),
            MoveSource::Played | MoveSource::Previous => None,
        };
        if let Some(name) = name {
            for (excluded, keyword) in [
                (m.promote.is_some() && !tried && !reverse, Keyword::Promote),
                // The legal moves of CQL 6.2 do not include a null move.
                (m.null && (reverse || !tried && !self.dialect.true_rights), Keyword::Null),
                (m.drop && reverse, Keyword::Drop),
                (m.primary, Keyword::Primary),
                (m.secondary, Keyword::Secondary),
                (m.comment.is_some(), Keyword::Comment),
            ] {
                if excluded {
                    let (span, word) = (place(keyword), quoted(keyword.name()));
                    return Err(self.report(Diagnostic::excluding(span, &word, &quoted(name))));
                }
            }
        }
        if tried && m.comment.is_some() {
            let error = Diagnostic::excluding(place(Keyword::Comment), "`comment`", "`:`");
            return Err(self.report(error.with_help("put it after the `:`")));
        }
        for (both, one, other) in [
            (m.null && m.en_passant, Keyword::Null, Keyword::EnPassant),
            (
                m.en_passant && m.en_passant_square.is_some(),
                Keyword::EnPassant,
                Keyword::EnPassantSquare,
            ),
            (m.null && m.promote.is_some(), Keyword::Null, Keyword::Promote),
            (m.en_passant && m.promote.is_some(), Keyword::EnPassant, Keyword::Promote),
            (m.primary && m.secondary, Keyword::Primary, Keyword::Secondary),
        ] {
            if both {
                let (span, word) = (place(other), quoted(other.name()));
                return Err(self.report(Diagnostic::excluding(span, &word, &quoted(one.name()))));
            }
        }
        Ok(())
    }
}
