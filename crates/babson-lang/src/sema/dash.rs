//! Dash filters (docs/src/language/dash.md#dash-filters).

use super::designators::kinds;
use super::pending::{BinaryOp, PendingOperator, PendingOperators, RightOperand};
use super::scope::Binding;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, levels};
use crate::choice::ChoiceKind;
use crate::diagnostic::{Code, Diagnostic, Span, quoted};
use crate::hir::{
    Dash, DashFilter, Expr, ExprKind, MoveFilter, MoveResult, MoveSource, Promotion, Type,
};
use crate::keywords::{Keyword, KeywordClass};

impl<'a> Sema<'a> {
    /// Checks the operands of a dash, but not its target. If neither a promotion nor a target
    /// follows the right operand, also returns the operators that are pending after this operand.
    fn dash_operands(
        &mut self,
        dash: &'a ast::Dash,
        left: Option<Expr>,
    ) -> Result<(Dash, PendingOperators<'a>), ErrorReported> {
        let mut pending = PendingOperators::new();
        let right = match dash.right.as_deref() {
            None => Ok(None),
            Some(right) => self.open_at(right, levels::DASH_OPERAND).and_then(|(right, rest)| {
                let last = dash.promotion.is_none() && dash.targets.is_empty();
                let right = if last {
                    pending = rest;
                    right
                } else {
                    self.finish((right, rest))?
                };
                if right.ty == Type::Set {
                    return Ok(Some(right));
                }
                Err(self.report(dash_operand_error(&right, "right", dash.capture)))
            }),
        };
        let promotion = dash.promotion.as_ref().map(|promotion| self.promotion(promotion));
        let (right, promotion) = (right?, promotion.transpose()?);
        let operands = Dash { capture: dash.capture, left, right, promotion };
        Ok((operands, pending))
    }

    /// Opens the left operand of a dash, if it has one.
    fn open_left(
        &mut self,
        dash: &'a ast::Dash,
    ) -> Result<Option<(Expr, PendingOperators<'a>)>, ErrorReported> {
        let Some(left) = dash.left.as_deref() else {
            return Ok(None);
        };
        if dash.capture && self.is_indexable(rightmost(left)) {
            let message = "what touches `[x]` on its left must be a set of squares";
            let error = Diagnostic::new(Code::WrongOperand, left.span, message);
            return Err(self.reject(ChoiceKind::Capture.at(dash.op_span), error));
        }
        self.open_at(left, levels::DASH_OPERAND).map(Some)
    }

    /// The left operand of a dash after a keyword, which cannot belong to another filter.
    fn left_operand(&mut self, dash: &'a ast::Dash) -> Result<Option<Expr>, ErrorReported> {
        let Some(open) = self.open_left(dash)? else {
            return Ok(None);
        };
        let left = self.finish(open)?;
        if left.ty == Type::Set {
            return Ok(Some(left));
        }
        let error = dash_operand_error(&left, "left", dash.capture);
        if dash.capture && left.ty == Type::String {
            return Err(self.reject(ChoiceKind::Capture.at(dash.op_span), error));
        }
        Err(self.report(error))
    }

    /// The operands of a step of a `path`. A filter that touches the dash at its left and is not a
    /// set is another constituent.
    pub(super) fn step_operands(&mut self, dash: &'a ast::Dash) -> Result<Dash, ErrorReported> {
        let left = match self.open_left(dash)? {
            Some((left, pending)) if left.ty != Type::Set || !pending.is_empty() => {
                let error = dash_operand_error(&left, "left", dash.capture);
                return Err(self.reject(ChoiceKind::LeftOperand.at(dash.op_span), error));
            }
            open => open.map(|(left, _)| left),
        };
        let (operands, pending) = self.dash_operands(dash, left)?;
        match pending.front() {
            None => Ok(operands),
            Some(tail) => {
                let error = Diagnostic::new(
                    Code::MisplacedOperator,
                    tail.span,
                    format!("`{}` cannot follow a step of a `path`", tail.op.name()),
                );
                Err(self.reject(tail.path_choice(), error))
            }
        }
    }

    /// A dash filter. A left operand that is not a set ends the operand of an enclosing filter.
    pub(super) fn dash(&mut self, dash: &'a ast::Dash) -> OpenResult<'a> {
        let Some((left, mut pending)) = self.open_left(dash)? else {
            return self.played_dash(dash, None, false, false);
        };
        if dash.capture && left.ty == Type::String && pending.is_empty() {
            let error = dash_operand_error(&left, "left", dash.capture);
            return Err(self.reject(ChoiceKind::Capture.at(dash.op_span), error));
        }
        let right = RightOperand::Dash(dash);
        pending.push_back(PendingOperator::new(BinaryOp::Dash, dash.op_span, right));
        self.apply_pending(left, pending, BinaryOp::Dash.level(), false)
    }

    /// Whether the expression is the name of a dictionary or a string, so that a `[x]` after it is
    /// an index.
    fn is_indexable(&self, e: &ast::Expr) -> bool {
        match self.bare_name(e) {
            Some(Binding::Dictionary(_)) => true,
            Some(Binding::Var(var)) => self.type_of(var) == Type::String,
            Some(Binding::Function(_) | Binding::Poisoned) | None => false,
        }
    }

    fn promotion(&mut self, promotion: &'a ast::Expr) -> Result<Promotion, ErrorReported> {
        if let Some(kinds) = kinds(promotion) {
            return Ok(Promotion::Kinds(kinds));
        }
        if !matches!(promotion.kind, Ast::Designator(_)) {
            let text = self.closed(promotion)?;
            if let ExprKind::Text(letters) = &text.kind {
                return Ok(Promotion::Kinds(Promotion::kinds(letters)));
            }
            if text.ty == Type::String {
                return Ok(Promotion::Text(text));
            }
        }
        let error = Diagnostic::not_promotion_pieces(promotion.span);
        Err(self.report(error.with_help("as in `--=Q`, `--=[RN]` or `--=\"qn\"`")))
    }

    pub(super) fn dash_prefix(
        &mut self,
        words: &[Keyword],
        arg: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let Ast::Dash(dash) = &arg.kind else {
            return Err(self.error(Code::MissingDash, arg.span, "this is not a dash"));
        };
        self.dash_filter(dash, words, span)
    }

    /// A dash filter with the keywords before it.
    pub(super) fn dash_filter(
        &mut self,
        dash: &'a ast::Dash,
        words: &[Keyword],
        span: Span,
    ) -> OpenResult<'a> {
        let (count, rest) = match words {
            [Keyword::CountMoves, rest @ ..] => (true, rest),
            _ => (false, words),
        };
        match rest {
            [] | [Keyword::Previous] if rest.is_empty() || !count => {
                let left = self.left_operand(dash);
                self.played_dash(dash, left?, !rest.is_empty(), count)
            }
            [word @ (Keyword::Legal | Keyword::PseudoLegal)] => {
                self.legal_dash(dash, *word, count, span)
            }
            _ => {
                let names: Vec<&str> = words.iter().map(|word| word.name()).collect();
                let error = Diagnostic::new(
                    Code::MisplacedDashPrefix,
                    span,
                    format!("`{}` cannot stand before a dash", names.join(" ")),
                );
                Err(self.report(error.with_help(
                    "what can: `previous`, `legal`, `pseudolegal`, `countmoves`, `countmoves legal`, `countmoves pseudolegal`",
                )))
            }
        }
    }

    /// A dash filter with its typed left operand.
    pub(super) fn played_dash(
        &mut self,
        dash: &'a ast::Dash,
        left: Option<Expr>,
        previous: bool,
        count: bool,
    ) -> OpenResult<'a> {
        let mut span = dash.op_span;
        let parts = [&dash.left, &dash.right, &dash.promotion].into_iter().flatten();
        for part in parts.map(|part| &**part).chain(&dash.targets) {
            span = span.to(part.span);
        }
        let operands = self.dash_operands(dash, left);
        let targets = self.closed_all(&dash.targets);
        let ((operands, pending), targets) = (operands?, targets?);
        let target = match (targets.first(), targets.last()) {
            (Some(first), Some(last)) => {
                let span = first.span.to(last.span);
                Some(self.sequence(targets, span))
            }
            _ => None,
        };
        let filter = DashFilter { dash: operands, previous, count, target };
        Ok((self.node(ExprKind::Dash(Box::new(filter)), span), pending))
    }

    /// `legal --`: the destinations of the legal moves, or their number.
    fn legal_dash(
        &mut self,
        dash: &'a ast::Dash,
        word: Keyword,
        count: bool,
        span: Span,
    ) -> OpenResult<'a> {
        let name = word.name();
        if dash.capture {
            let error = Diagnostic::new(
                Code::LegalDash,
                dash.op_span,
                format!("`{name}` goes with `--` only, not with captures"),
            );
            let help = format!("`move {name} capture …` looks at captures");
            return Err(self.report(error.with_help(help)));
        }
        if let Some(promotion) = &dash.promotion {
            let error = Diagnostic::excluding(promotion.span, "a promotion", &quoted(name));
            return Err(self.report(error));
        }
        let only = if let [target] = &dash.targets[..] { target.keyword() } else { None };
        let castle = only.and_then(Keyword::castling_kind);
        let en_passant = only == Some(Keyword::EnPassant);
        if let [first, ..] = &dash.targets[..]
            && castle.is_none()
            && !en_passant
        {
            let message = format!(
                "the target of `{name} --` can only be `o-o`, `o-o-o`, `castle` or `enpassant`"
            );
            let error = Diagnostic::new(Code::LegalDash, first.span, message);
            return Err(self.report(error.with_help(
                "the moves are not played, so no filter can look at the position after them",
            )));
        }
        let left = self.left_operand(dash)?;
        let (operands, pending) = self.dash_operands(dash, left)?;
        let result = if count { MoveResult::Count } else { MoveResult::To };
        let filter = MoveFilter {
            source: if word == Keyword::Legal {
                MoveSource::Legal
            } else {
                MoveSource::Pseudolegal
            },
            result,
            from: operands.left,
            to: operands.right,
            en_passant,
            castle,
            ..MoveFilter::default()
        };
        Ok((self.node(ExprKind::Move(Box::new(filter)), span), pending))
    }
}

/// The operand at the right end of an expression.
fn rightmost(e: &ast::Expr) -> &ast::Expr {
    if let Ast::Infix { rest, .. } = &e.kind {
        return rest.last().map_or(e, |tail| rightmost(&tail.right));
    }
    if let Ast::With { right: operand, .. } | Ast::Complement(operand) = &e.kind {
        return rightmost(operand);
    }
    if let Ast::Filter(filter) = &e.kind
        && (matches!(filter.keyword.class(), KeywordClass::Direction(_))
            || filter.prefix_operand().is_some())
        && let Some(operand) = filter.args.last()
    {
        return rightmost(operand);
    }
    e
}

/// The error of an operand of a dash that is not a set.
pub(super) fn dash_operand_error(operand: &Expr, side: &str, capture: bool) -> Diagnostic {
    let sign = if capture { "[x]" } else { "--" };
    let error = Diagnostic::new(
        Code::WrongOperand,
        operand.span,
        format!(
            "what touches `{sign}` on its {side} must be a set of squares, but this is {}",
            operand.ty.with_article()
        ),
    );
    error.with_help(format!("a separate filter needs a space between it and `{sign}`"))
}
