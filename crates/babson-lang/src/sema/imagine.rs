//! Imagined boards: `move … : f` and `imagine … : f`
//! (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves).

use super::filters::side;
use super::{ErrorReported, OpenResult, Sema, all_of};
use crate::ast::{self, ExprKind as Ast, Filter, Param, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{BoardChange, Content, ExprKind, MoveSource, SpeculativeMove, Type};
use crate::keywords::Keyword;

impl<'a> Sema<'a> {
    /// `move PARAMS : f`
    pub(super) fn speculate(
        &mut self,
        filter: &'a Filter,
        span: Span,
        colon: Span,
        body: &'a ast::Expr,
    ) -> OpenResult<'a> {
        let (moves, _) = self.move_params(filter, span, Some(colon))?;
        let all = filter.has(Keyword::All);
        if moves.source == MoveSource::Previous {
            let error = Diagnostic::excluding(span, "`previous`", "`:`");
            return Err(self.report(error.with_help("write `parent : …`")));
        }
        let (body, pending) = self.open_at(body, levels::SET)?;
        let span = span.to(body.span);
        let kind = ExprKind::SpeculativeMove(Box::new(SpeculativeMove { moves, all, body }));
        Ok((self.node(kind, span), pending))
    }

    /// `imagine SPEC… : f`
    pub(super) fn imagine(
        &mut self,
        filter: &'a Filter,
        span: Span,
        body: &'a ast::Expr,
    ) -> OpenResult<'a> {
        let changes = all_of(filter.params.iter().map(|param| self.change(param)));
        let (body, pending) = self.open_at(body, levels::SET)?;
        let changes = changes?;
        let span = span.to(body.span);
        let body = Box::new(body);
        Ok((self.node(ExprKind::Imagine { changes, body }, span), pending))
    }

    fn change(&mut self, param: &'a Param) -> Result<BoardChange, ErrorReported> {
        let mut set = |e: &'a ast::Expr, word: &str| self.closed_as(e, Type::Set, word);
        Ok(match (param.word(), param.values()) {
            (Some(Keyword::Piece), [piece, to]) => {
                let to = set(to, "-->")?;
                BoardChange::Place { content: self.one_piece(piece)?, to }
            }
            (Some(Keyword::Swap), [one, other]) => {
                BoardChange::Swap(set(one, "swap")?, set(other, "swap")?)
            }
            (_, values) => {
                let color = values.first().and_then(ast::Expr::keyword);
                BoardChange::SideToMove(color.and_then(side))
            }
        })
    }

    /// The content that a designator of one piece names.
    fn one_piece(&mut self, piece: &ast::Expr) -> Result<Content, ErrorReported> {
        if let Ast::Designator(d) = &piece.kind
            && d.has_pieces
            && !d.has_squares
            && d.pieces.0.count_ones() == 1
        {
            return Ok(d.pieces);
        }
        let error = Diagnostic::new(
            Code::NotOnePiece,
            piece.span,
            "`imagine piece` places one kind of piece of one color",
        );
        let help = "as in `imagine piece Q --> d4`; `_` empties squares";
        Err(self.report(error.with_help(help)))
    }
}
