//! Imagined boards: `move … : f` and `imagine … : f`
//! (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves).

use super::filters::side;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, ImagineSpec, MoveParam};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    BoardChange, Content, ExprKind, MoveResult, MoveSource, Quantity, SpeculativeMove, Type,
};
use crate::keywords::Keyword;

impl<'a> Sema<'a> {
    /// `move PARAMS : f`
    pub(super) fn speculate(
        &mut self,
        params: &'a [MoveParam],
        span: Span,
        colon: Span,
        body: &'a ast::Expr,
    ) -> OpenResult<'a> {
        let (moves, all, _) = self.move_params(params, span, Some(colon))?;
        if moves.source == MoveSource::Previous {
            let error = Diagnostic::excluding(span, "`previous`", "`:`");
            return Err(self.report(error.with_help("write `parent : …`")));
        }
        let (body, pending) = self.open_at(body, 7)?;
        let ty = match moves.result {
            MoveResult::Bool => Type::Bool,
            MoveResult::Count => Type::Number,
            MoveResult::From | MoveResult::To | MoveResult::Capture => Type::Set,
        };
        let span = span.to(body.span);
        let kind = ExprKind::SpeculativeMove(Box::new(SpeculativeMove { moves, all, body }));
        Ok((self.node(kind, ty, span), pending))
    }

    /// `imagine SPEC… : f`
    pub(super) fn imagine(
        &mut self,
        specs: &'a [ImagineSpec],
        span: Span,
        body: &'a ast::Expr,
    ) -> OpenResult<'a> {
        let mut changes = Vec::with_capacity(specs.len());
        let mut failed = false;
        for spec in specs {
            match self.change(spec) {
                Ok(change) => changes.push(change),
                Err(ErrorReported) => failed = true,
            }
        }
        let (body, pending) = self.open_at(body, 7)?;
        if failed {
            return Err(ErrorReported);
        }
        let (ty, span) = (body.ty, span.to(body.span));
        let body = Box::new(body);
        Ok((self.node(ExprKind::Imagine { changes, body }, ty, span), pending))
    }

    fn change(&mut self, spec: &'a ImagineSpec) -> Result<BoardChange, ErrorReported> {
        let mut set = |e: &'a ast::Expr, word: &str| {
            let set = self.closed(e)?;
            self.expect(set, Type::Set, word)
        };
        Ok(match spec {
            ImagineSpec::Piece { piece, to } => {
                let to = set(to, "-->")?;
                let content = if let Ast::Designator(d) = &piece.kind
                    && d.has_pieces
                    && !d.has_squares
                {
                    d.pieces
                } else {
                    Content::default()
                };
                if content.0.count_ones() != 1 {
                    let error = Diagnostic::new(
                        Code::NotOnePiece,
                        piece.span,
                        "`imagine piece` places one kind of piece of one color",
                    );
                    let help = "as in `imagine piece Q --> d4`; `_` empties squares";
                    return Err(self.report(error.with_help(help)));
                }
                BoardChange::Place { content, to }
            }
            ImagineSpec::Swap(one, other) => {
                BoardChange::Swap(set(one, "swap")?, set(other, "swap")?)
            }
            ImagineSpec::SideToMove(word) => BoardChange::SideToMove(side(*word)),
        })
    }

    /// Reports `move … all` without a filter to evaluate.
    pub(super) fn without_target(&mut self, span: Span) -> ErrorReported {
        let error = Diagnostic::missing(span, "move all", "`:` and a filter");
        self.report(error.with_help("as in `move all … : check`"))
    }

    /// The text that `str`, `comment` and `message` print for an argument that is only
    /// `legalposition` or `reachableposition`.
    pub(super) fn analysis_text(&mut self, arg: &'a ast::Expr) -> Option<crate::hir::Expr> {
        let Ast::Nullary(keyword) = arg.kind else {
            return None;
        };
        let texts = [
            (Keyword::LegalPosition, Quantity::LegalText),
            (Keyword::ReachablePosition, Quantity::ReachableText),
        ];
        Some(self.quantity(keyword.find_in(&texts)?, arg.span))
    }
}
