//! Actions for operators.

use super::{AstBuilder, Spanned};
use crate::ast::*;
use crate::diagnostic::{Code, Diagnostic};

impl<'s> AstBuilder<'s, '_> {
    /// An operator between two operands.
    pub(super) fn operator(
        &mut self,
        left: Expr,
        op: BinaryOp,
        op_span: Span,
        right: Box<Expr>,
    ) -> Expr {
        match op {
            BinaryOp::Infix(op) => self.infix(left, (op, op_span), *right),
            BinaryOp::Rel(op) => self.binary(left, right, |left, right| ExprKind::Relation {
                left,
                op,
                op_span,
                right,
            }),
            BinaryOp::In => {
                self.binary(left, right, |left, right| ExprKind::In { left, op_span, right })
            }
            BinaryOp::With => self.with(left, op_span, right),
            BinaryOp::Match => self.matches(left, op_span, *right),
            BinaryOp::Arrow(back) => self.arrow(left, back, op_span, *right),
            BinaryOp::Index | BinaryOp::Dash => left,
        }
    }

    pub(crate) fn infix(
        &mut self,
        left: Expr,
        (op, op_span): Spanned<InfixOp>,
        right: Expr,
    ) -> Expr {
        let span = left.span.to(right.span);
        let level = op.level();
        let tail = |right| InfixOperand { op, op_span, right };
        let is_chain = matches!(&left.kind, ExprKind::Infix { level: same, .. } if *same == level);
        if is_chain && let ExprKind::Infix { first, mut rest, .. } = left.kind {
            let depth = left.depth.max(right.depth.saturating_add(1));
            rest.push(tail(right));
            return self.checked(Expr {
                kind: ExprKind::Infix { level, first, rest },
                span,
                depth,
            });
        }
        let kind = ExprKind::Infix { level, first: left.boxed(), rest: vec![tail(right)] };
        self.node(kind, span)
    }

    /// An operator with two operands.
    pub(crate) fn binary(
        &mut self,
        left: Expr,
        right: Box<Expr>,
        kind: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
    ) -> Expr {
        let span = left.span.to(right.span);
        self.node(kind(left.boxed(), right), span)
    }

    pub(crate) fn with(&mut self, left: Expr, op_span: Span, right: Box<Expr>) -> Expr {
        self.binary(left, right, |left, right| ExprKind::With { left, op_span, right })
    }

    pub(crate) fn matches(&mut self, subject: Expr, op_span: Span, pattern: Expr) -> Expr {
        self.binary(subject, pattern.boxed(), |subject, pattern| ExprKind::Match {
            subject,
            op_span,
            pattern,
        })
    }

    pub(crate) fn arrow(&mut self, left: Expr, back: bool, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        if let ExprKind::Arrows { back: same, mut parts, mut op_spans } = left.kind {
            if same != back {
                self.errors.push(
                    Diagnostic::new(
                        Code::MixedArrows,
                        op_span,
                        "`->` and `<-` cannot be mixed in one chain",
                    )
                    .with_help("use parentheses"),
                );
            }
            // The depth of a long chain is not computed anew for each arrow.
            let depth = left.depth.max(right.depth.saturating_add(1));
            parts.push(right);
            op_spans.push(op_span);
            return self.checked(Expr {
                kind: ExprKind::Arrows { back, parts, op_spans },
                span,
                depth,
            });
        }
        let (parts, op_spans) = (vec![left, right], vec![op_span]);
        self.node(ExprKind::Arrows { back, parts, op_spans }, span)
    }

    pub(crate) fn index(&mut self, base: Expr, index: Expr, r: u32) -> Expr {
        let span = Span::new(base.span.start, r);
        self.node(ExprKind::Index { base: base.boxed(), index: index.boxed() }, span)
    }

    pub(crate) fn slice(
        &mut self,
        base: Expr,
        from: Option<Expr>,
        to: Option<Expr>,
        r: u32,
    ) -> Expr {
        let span = Span::new(base.span.start, r);
        let (from, to) = (from.map(Expr::boxed), to.map(Expr::boxed));
        self.node(ExprKind::Slice { base: base.boxed(), from, to }, span)
    }

    /// Unary minus; the negation of a literal is a literal.
    pub(crate) fn negate(&mut self, e: Expr, span: Span) -> Expr {
        if let ExprKind::Int(n @ 0..) = e.kind {
            return self.node(ExprKind::Int(n.wrapping_neg()), span);
        }
        self.node(ExprKind::Negate(e.boxed()), span)
    }

    pub(crate) fn dash(
        &mut self,
        capture: bool,
        op_span: Span,
        left: Option<Box<Expr>>,
        right: Option<Box<Expr>>,
        (promotion, targets): (Option<Expr>, Vec<Expr>),
    ) -> Expr {
        let mut span = op_span;
        for e in
            left.as_deref().into_iter().chain(right.as_deref()).chain(&promotion).chain(&targets)
        {
            span = span.to(e.span);
        }
        if !targets.is_empty() {
            // The span of a dash includes the `)` of its target.
            let rest = self.source.get(span.end as usize..).unwrap_or("");
            let spaces = rest.len() - rest.trim_start().len();
            if rest[spaces..].starts_with(')') {
                span.end += spaces as u32 + 1;
            }
        }
        let dash =
            Dash { capture, op_span, left, right, promotion: promotion.map(Expr::boxed), targets };
        self.node(ExprKind::Dash(dash), span)
    }

    pub(crate) fn dash_prefix(
        &mut self,
        (words, word_span): Spanned<Vec<Keyword>>,
        dash: Expr,
    ) -> Expr {
        let span = word_span.to(dash.span);
        let arg = dash.boxed();
        self.node(ExprKind::DashPrefix { words, arg }, span)
    }
}
