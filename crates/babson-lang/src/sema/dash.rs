//! Dash filters (moves-and-sequences.md 6).

use super::designators::kinds;
use super::scope::Binding;
use super::{Reported, Sema, Typed};
use crate::ast::{self, ExprKind as Ast};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    Castle, Dash, DashFilter, Expr, ExprKind, Move, MoveResult, MoveSource, Promotion, Type,
};
use crate::keywords::Keyword;

impl<'a> Sema<'a> {
    /// What a dash asks of a move: all of it but the target.
    pub(super) fn dash_operands(&mut self, dash: &'a ast::Dash) -> Result<Dash, Reported> {
        let left = self.dash_operand(dash, dash.left.as_deref(), "left");
        let right = self.dash_operand(dash, dash.right.as_deref(), "right");
        let promotion = match &dash.promotion {
            Some(promotion) => self.promotion(promotion).map(Some),
            None => Ok(None),
        };
        Ok(Dash {
            capture: dash.capture,
            left: left?,
            right: right?,
            promotion: promotion?,
        })
    }

    fn dash_operand(
        &mut self,
        dash: &ast::Dash,
        operand: Option<&'a ast::Expr>,
        side: &str,
    ) -> Result<Option<Expr>, Reported> {
        let Some(operand) = operand else {
            return Ok(None);
        };
        let indexed = dash.capture && side == "left";
        let sign = sign(dash);
        if indexed && self.is_indexable(rightmost(operand)) {
            let error = Diagnostic::error(
                operand.span,
                format!("what touches `{sign}` at its left must be a set of squares"),
            );
            return Err(self.request_veto(dash.op_span, error));
        }
        let open = self.open_at(operand, 8)?;
        let operand = self.finish(open)?;
        if operand.ty == Type::Set {
            return Ok(Some(operand));
        }
        let error = Diagnostic::error(
            operand.span,
            format!(
                "what touches `{sign}` at its {side} must be a set of squares, but this is {}",
                super::types::with_article(operand.ty)
            ),
        );
        let error = error.with_help(format!(
            "a filter of its own needs a blank between it and `{sign}`"
        ));
        Err(if indexed && operand.ty == Type::String {
            self.request_veto(dash.op_span, error)
        } else {
            self.report(error)
        })
    }

    /// Is it the name of a dictionary or of a string, so that a `[x]` behind it is no capture?
    fn is_indexable(&self, e: &ast::Expr) -> bool {
        let Ast::Name(name) = &e.kind else {
            return false;
        };
        match self.lookup(name) {
            Some(Binding::Dictionary(_)) => true,
            Some(Binding::Var(var)) => self.vars[var.0 as usize].ty == Type::String,
            _ => false,
        }
    }

    fn promotion(&mut self, promotion: &'a ast::Expr) -> Result<Promotion, Reported> {
        let wrong = |span| {
            Diagnostic::error(
                span,
                "a promotion needs a piece designator without squares, `.` or a string",
            )
            .with_help("as in `--=Q`, `--=[RN]` or `--=\"qn\"`")
        };
        match &promotion.kind {
            Ast::Designator(designator) => match kinds(designator) {
                Some(kinds) => Ok(Promotion::Kinds(kinds)),
                None => Err(self.report(wrong(promotion.span))),
            },
            Ast::AnySquare => Ok(Promotion::Kinds(Promotion::ANY)),
            _ => {
                let text = self.closed(promotion)?;
                match (&text.kind, text.ty) {
                    (ExprKind::Text(letters), _) => Ok(Promotion::Kinds(Promotion::kinds(letters))),
                    (_, Type::String) => Ok(Promotion::Text(text)),
                    _ => Err(self.report(wrong(promotion.span))),
                }
            }
        }
    }

    pub(super) fn dash_prefix(
        &mut self,
        words: &[Keyword],
        arg: &'a ast::Expr,
        span: Span,
    ) -> Typed {
        match &arg.kind {
            Ast::Dash(dash) => self.dash_filter(dash, words, span),
            _ => {
                let word = words.last().copied().unwrap_or(Keyword::Legal);
                let name = word.name();
                let generated = matches!(word, Keyword::Legal | Keyword::PseudoLegal);
                let what = match generated {
                    true => "`--`",
                    false => "a dash or a capture",
                };
                let help = match &arg.kind {
                    Ast::Nullary(
                        castle @ (Keyword::CastleShort | Keyword::CastleLong | Keyword::Castle),
                    ) => format!("write `{name} --({})`", castle.name()),
                    _ => format!("as in `{name} --`"),
                };
                let error = Diagnostic::error(arg.span, format!("`{name}` needs {what} behind it"));
                Err(self.report(error.with_help(help)))
            }
        }
    }

    /// A dash filter with the words before it.
    pub(super) fn dash_filter(
        &mut self,
        dash: &'a ast::Dash,
        words: &[Keyword],
        span: Span,
    ) -> Typed {
        let (count, rest) = match words {
            [Keyword::CountMoves, rest @ ..] => (true, rest),
            _ => (false, words),
        };
        match rest {
            [] => self.played_dash(dash, false, count, span),
            [Keyword::Previous] if !count => self.played_dash(dash, true, false, span),
            [word @ (Keyword::Legal | Keyword::PseudoLegal)] => {
                self.legal_dash(dash, *word, count, span)
            }
            _ => {
                let names: Vec<&str> = words.iter().map(|word| word.name()).collect();
                let error = Diagnostic::error(
                    span,
                    format!("`{}` cannot stand before a dash", names.join(" ")),
                );
                Err(self.report(error.with_help(
                    "what can: `previous`, `legal`, `pseudolegal`, `countmoves`, `countmoves legal`, `countmoves pseudolegal`",
                )))
            }
        }
    }

    fn played_dash(
        &mut self,
        dash: &'a ast::Dash,
        previous: bool,
        count: bool,
        span: Span,
    ) -> Typed {
        let operands = self.dash_operands(dash);
        let targets = self.closed_all(&dash.targets);
        let (operands, targets) = (operands?, targets?);
        let target = match (targets.first(), targets.last()) {
            (Some(first), Some(last)) => {
                let span = first.span.to(last.span);
                Some(self.sequence(targets, span))
            }
            _ => None,
        };
        let ty = match &target {
            _ if count => Type::Number,
            Some(target) => target.ty,
            None => Type::Bool,
        };
        let filter = DashFilter {
            dash: operands,
            previous,
            count,
            target,
        };
        Ok(self.node(ExprKind::Dash(Box::new(filter)), ty, span))
    }

    /// `legal --`: the destinations of `move legal`, or their number.
    fn legal_dash(&mut self, dash: &'a ast::Dash, word: Keyword, count: bool, span: Span) -> Typed {
        let name = word.name();
        if dash.capture {
            let error = Diagnostic::error(
                dash.op_span,
                format!("`{name}` goes with `--` only, not with captures"),
            );
            let help = format!("`move {name} capture …` looks at captures");
            return Err(self.report(error.with_help(help)));
        }
        if let Some(promotion) = &dash.promotion {
            return Err(self.error(
                promotion.span,
                format!("a promotion cannot be combined with `{name}`"),
            ));
        }
        let (mut castle, mut en_passant) = (None, false);
        match &dash.targets[..] {
            [] => {}
            [
                ast::Expr {
                    kind: Ast::Nullary(Keyword::EnPassant),
                    ..
                },
            ] => en_passant = true,
            [
                ast::Expr {
                    kind:
                        Ast::Nullary(
                            side @ (Keyword::CastleShort | Keyword::CastleLong | Keyword::Castle),
                        ),
                    ..
                },
            ] => {
                castle = Some(match side {
                    Keyword::CastleShort => Castle::KingSide,
                    Keyword::CastleLong => Castle::QueenSide,
                    _ => Castle::Either,
                });
            }
            [first, ..] => {
                let error = Diagnostic::error(
                    first.span,
                    format!(
                        "the target of `{name} --` can only be `o-o`, `o-o-o`, `castle` or `enpassant`"
                    ),
                );
                return Err(self.report(
                    error.with_help("the moves are not made, so no filter can look behind them"),
                ));
            }
        }
        let operands = self.dash_operands(dash)?;
        let (result, ty) = if count {
            (MoveResult::Count, Type::Number)
        } else {
            (MoveResult::To, Type::Set)
        };
        let filter = Move {
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
            ..Move::played()
        };
        Ok(self.node(ExprKind::Move(Box::new(filter)), ty, span))
    }
}

/// The operand that ends where an expression ends.
fn rightmost(e: &ast::Expr) -> &ast::Expr {
    match &e.kind {
        Ast::Infix { rest, .. } => rest.last().map_or(e, |tail| rightmost(&tail.right)),
        Ast::With { right, .. } => rightmost(right),
        Ast::Direction { arg, .. } | Ast::Prefix { arg, .. } | Ast::Complement(arg) => {
            rightmost(arg)
        }
        _ => e,
    }
}

/// As it is written in ASCII.
fn sign(dash: &ast::Dash) -> &'static str {
    if dash.capture { "[x]" } else { "--" }
}
