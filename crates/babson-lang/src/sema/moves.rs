//! The `move` filter (docs/src/language/moves.md#moves).

use super::designators::kinds;
use super::pending::PendingOperators;
use super::types::mismatched;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{Filter, Param, levels};
use crate::choice::ChoiceKind;
use crate::diagnostic::{Code, Diagnostic, Remedy, Span, quoted};
use crate::hir::{Expr, ExprKind, MoveFilter, MoveResult, MoveSource, Type};
use crate::keywords::Keyword;

/// The value of a `move` by its first parameter.
const RESULTS: [(Keyword, MoveResult); 3] = [
    (Keyword::From, MoveResult::From),
    (Keyword::To, MoveResult::To),
    (Keyword::Capture, MoveResult::Capture),
];

impl<'a> Sema<'a> {
    pub(super) fn move_filter(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let (m, pending) = self.move_params(filter, span, None)?;
        Ok((self.node(ExprKind::Move(Box::new(m)), span), pending))
    }

    /// The parameters, and the pending operators of the last operand. `colon` is the `:` after
    /// them, if there is a filter to evaluate after each move.
    pub(super) fn move_params(
        &mut self,
        filter: &'a Filter,
        span: Span,
        colon: Option<Span>,
    ) -> Result<(MoveFilter, PendingOperators<'a>), ErrorReported> {
        let tried = colon.is_some();
        if let Some(all) = filter.param(Keyword::All).filter(|_| !tried) {
            let error = Diagnostic::missing(all.span, "move all", "`:` and a filter");
            return Err(self.report(error.with_help("as in `move all … : check`")));
        }
        let first = filter.params.first().and_then(Param::word);
        let result = first.and_then(|word| word.find_in(&RESULTS)).unwrap_or(MoveResult::Bool);
        let mut pending = PendingOperators::new();
        let mut m = MoveFilter { result, source: source(filter), ..MoveFilter::default() };
        for (i, param) in filter.params.iter().enumerate() {
            let last = i + 1 == filter.params.len();
            pending = self.move_param(&mut m, param, last, colon)?;
        }
        self.check_move(&m, filter, span, tried)?;
        if filter.has(Keyword::Count) {
            m.result = MoveResult::Count;
        } else if filter.has(Keyword::All) {
            m.result = MoveResult::Bool;
        }
        Ok((m, pending))
    }

    fn move_param(
        &mut self,
        m: &mut MoveFilter,
        param: &'a Param,
        last: bool,
        colon: Option<Span>,
    ) -> Result<PendingOperators<'a>, ErrorReported> {
        let Some(word) = param.word() else {
            return Ok(PendingOperators::new());
        };
        #[expect(clippy::wildcard_enum_match_arm, reason = "the table has the other keywords")]
        match word {
            Keyword::From => return self.move_operand(&mut m.from, param, word, last, colon),
            Keyword::To => return self.move_operand(&mut m.to, param, word, last, colon),
            Keyword::Capture => return self.move_operand(&mut m.capture, param, word, last, colon),
            Keyword::EnPassantSquare => {
                return self.move_operand(&mut m.en_passant_square, param, word, last, colon);
            }
            Keyword::Promote => {
                m.promote = param.values().first().and_then(kinds);
                if m.promote.is_none() {
                    let error = Diagnostic::not_promotion_pieces(param.span);
                    return Err(self.report(error.with_help("as in `promote Q` or `promote [RN]`")));
                }
            }
            Keyword::CastleShort | Keyword::CastleLong | Keyword::Castle => {
                m.castle = word.castling_kind();
            }
            Keyword::EnPassant => m.en_passant = true,
            Keyword::Null => m.null = true,
            Keyword::Primary => m.primary = true,
            Keyword::Secondary => m.secondary = true,
            Keyword::Drop => m.drop = true,
            Keyword::Comment => {
                let mut parts = Vec::with_capacity(param.values().len());
                for arg in param.values() {
                    parts.push(self.part(arg)?);
                }
                m.comment = Some(parts);
            }
            _ => {}
        }
        Ok(PendingOperators::new())
    }

    /// Types the operand of a parameter. If it is the last one, operators can be pending after it.
    /// A position before a `:` is only the beginning of an operand.
    pub(super) fn move_operand(
        &mut self,
        slot: &mut Option<Expr>,
        param: &'a Param,
        word: Keyword,
        last: bool,
        colon: Option<Span>,
    ) -> Result<PendingOperators<'a>, ErrorReported> {
        let [set] = param.values() else {
            let message = format!("`{}` needs a set of squares", word.name());
            return Err(self.error(Code::WrongOperand, param.span, message));
        };
        let (set, mut pending) = self.open_at(set, levels::TIGHT)?;
        let set = if last && colon.is_none() {
            set
        } else {
            self.finish((set, std::mem::take(&mut pending)))?
        };
        match colon {
            Some(colon) if last && set.ty == Type::Position => {
                let error = mismatched(&set, Type::Set.with_article(), word.name());
                Err(self.reject(ChoiceKind::OperandColon.at(colon), error))
            }
            _ => {
                *slot = Some(self.expect(set, Type::Set, word.name())?);
                Ok(pending)
            }
        }
    }

    /// Reports combinations that depend on the `:` after the parameters or on the dialect.
    fn check_move(
        &mut self,
        m: &MoveFilter,
        filter: &Filter,
        span: Span,
        tried: bool,
    ) -> Result<(), ErrorReported> {
        let generated = m.source.is_generated();
        let reverse = m.source.is_reverse();
        let place = |word| filter.param(word).map_or(span, |param| param.span);
        if filter.has(Keyword::Count) && !tried && !generated {
            let span = place(Keyword::Count);
            let error = Diagnostic::missing(span, "count", "`legal` or `pseudolegal`");
            return Err(self.report(error));
        }
        let source = if m.source == MoveSource::Legal { "`legal`" } else { "`pseudolegal`" };
        // The legal moves of CQL 6.2 do not include a null move, and a promotion of each kind is
        // the same move.
        let of_62 = generated && !reverse && !tried && !self.dialect.true_rights;
        for (is_given, word) in [(m.promote.is_some(), Keyword::Promote), (m.null, Keyword::Null)] {
            if is_given && of_62 {
                let error = Diagnostic::excluding(place(word), &quoted(word.name()), source);
                let help = "the dialect `cqli` has it; of the moves that were played, CQL 6.2 has \
                            `move promote R` and `move null`";
                return Err(self.report(error.with_help(help).with_remedy(Remedy::Dialect)));
            }
        }
        if tried && m.comment.is_some() {
            let error = Diagnostic::excluding(place(Keyword::Comment), "`comment`", "`:`");
            return Err(self.report(error.with_help("put it after the `:`")));
        }
        Ok(())
    }
}

/// The moves that `move` looks at.
fn source(filter: &Filter) -> MoveSource {
    let reverse = filter.has(Keyword::Reverse);
    if filter.has(Keyword::PseudoLegal) {
        if reverse { MoveSource::PseudolegalReverse } else { MoveSource::Pseudolegal }
    } else if reverse {
        MoveSource::LegalReverse
    } else if filter.has(Keyword::Legal) {
        MoveSource::Legal
    } else if filter.has(Keyword::Previous) {
        MoveSource::Previous
    } else {
        MoveSource::Played
    }
}
