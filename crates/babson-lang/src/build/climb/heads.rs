//! What an expression begins with.

use super::{COMPLETE, Climb, Climbed, Edge, FILTER, OPERAND, OPERATOR};
use crate::ast::*;
use crate::build::part::{Head, PartKind};
use crate::keywords::OperandLevel;

/// Whether an expression with this edge can begin with the head.
fn is_allowed(head: &Head, edge: Edge) -> bool {
    match head {
        Head::Line => edge == Edge::Any,
        Head::Prefix(level, _) => *level == OperandLevel::Tight || edge != Edge::Tight,
        Head::Storage(_)
        | Head::Not
        | Head::Echo(..)
        | Head::If(_)
        | Head::While(_)
        | Head::Loop(..)
        | Head::AssignPiece(_)
        | Head::Dash { .. }
        | Head::DashWords(_)
        | Head::Imagine => edge != Edge::Tight,
        Head::Name(_)
        | Head::Primary(_)
        | Head::Closed(_)
        | Head::Dictionary(..)
        | Head::Unbind(_)
        | Head::Print(_)
        | Head::Negate
        | Head::Complement
        | Head::Position
        | Head::Move
        | Head::Pin
        | Head::Error => true,
    }
}

impl Climb<'_, '_, '_> {
    /// Whether an operand with this edge begins here.
    pub(super) fn begins_operand(&mut self, edge: Edge) -> bool {
        matches!(self.peek(), Some(PartKind::Head(head)) if is_allowed(head, edge))
    }

    /// Reads an operand: a head with its operands, or a primary expression. A function reads each
    /// kind: without optimization, a frame has room for the values of all arms, and these frames
    /// nest.
    pub(super) fn operand(&mut self, edge: Edge) -> Climbed {
        // The operand before it could go on.
        let operators = if self.complete { OPERATOR } else { &[] };
        let Some((head, span)) = self.head(|head| is_allowed(head, edge)) else {
            let operand = if edge == Edge::Tight { OPERAND } else { FILTER };
            return Err(self.unexpected(&[operand, operators]));
        };
        match head {
            Head::Name(name) => self.name(name, edge),
            Head::Primary(e) => self.indexed(e, edge),
            Head::Closed(e) => Ok((e, COMPLETE)),
            Head::Error => Ok((Expr::new(ExprKind::Error, span), COMPLETE)),
            Head::Dictionary(types, name) => self.dictionary(vec![], types, name, span),
            Head::Unbind(name) => self.unbind(name, span),
            Head::Storage(word) => self.stored(word, span, edge),
            Head::Prefix(level, keyword) => {
                self.prefix(keyword, levels::of_operand(level), span, edge)
            }
            Head::Print(keyword) => self.print(keyword, span, edge),
            Head::Negate => self.negate(span, edge),
            Head::Not => self.unary(levels::NEGATED, span, edge, ExprKind::Not),
            Head::Complement => self.unary(levels::COMPLEMENT, span, edge, ExprKind::Complement),
            Head::Position => self.position(span),
            Head::Echo(params, x, y) => self.echo(params, [x, y], span, edge),
            Head::If(has_else) => self.if_else(has_else, span, edge),
            Head::While(condition) => self.while_loop(condition, span, edge),
            Head::Loop(kind, all, name) => self.each(kind, all, name, span, edge),
            Head::AssignPiece(name) => self.assign_piece(name, span, edge),
            Head::Dash { capture, right } => self.free_dash(capture, right, span),
            Head::DashWords(words) => self.dash_words(words, span, edge),
            Head::Move => self.move_filter(span, edge),
            Head::Pin => self.pin(span),
            Head::Imagine => self.imagine(span, edge),
            Head::Line => self.line(span),
        }
    }

    /// A head with one operand of this level.
    fn unary(
        &mut self,
        level: u8,
        span: Span,
        edge: Edge,
        kind: impl FnOnce(Box<Expr>) -> ExprKind,
    ) -> Climbed {
        let arg = self.arg(level, edge)?;
        Ok((self.b.node(kind(arg), self.from(span)), level - 1))
    }

    fn negate(&mut self, span: Span, edge: Edge) -> Climbed {
        let arg = self.arg(levels::TIGHT, edge)?;
        Ok((self.b.negate(*arg, self.from(span)), levels::TIGHT - 1))
    }

    fn prefix(&mut self, keyword: Keyword, level: u8, span: Span, edge: Edge) -> Climbed {
        let params = self.params();
        let arg = self.arg(level, edge)?;
        Ok((self.b.prefix(keyword, params, *arg, self.from(span)), level - 1))
    }

    fn print(&mut self, keyword: Keyword, span: Span, edge: Edge) -> Climbed {
        let params = match self.list(keyword, span) {
            Ok(list) => return self.indexed(list, edge),
            Err(params) => params,
        };
        if edge == Edge::Tight {
            return Err(self.unexpected(&[&["call("]]));
        }
        let arg = self.arg(levels::FILTER, edge)?;
        Ok((self.b.prefix(keyword, params, *arg, self.from(span)), levels::FILTER - 1))
    }

    fn echo(&mut self, params: Vec<Param>, names: [Param; 2], span: Span, edge: Edge) -> Climbed {
        let mut all = None;
        if let Some(word) = self.take(|part| matches!(part, PartKind::Operator(BinaryOp::In))) {
            if self.take(|part| matches!(part, PartKind::All)).is_none() {
                return Err(self.unexpected(&[&["all"]]));
            }
            all = Some(Param::new(ParamKind::Flag(Keyword::All), self.from(word)));
        }
        let arg = self.arg(levels::FILTER, edge)?;
        Ok((self.b.echo(params, names, all, *arg, self.from(span)), levels::FILTER - 1))
    }

    fn if_else(&mut self, has_else: bool, span: Span, edge: Edge) -> Climbed {
        let condition = self.arg(levels::FILTER, Edge::Any)?;
        self.take(|part| matches!(part, PartKind::Then));
        self.complete = false;
        let then = self.arg(levels::FILTER, if has_else { Edge::Any } else { edge })?;
        let mut otherwise = None;
        if has_else {
            if self.take(|part| matches!(part, PartKind::Else)).is_none() {
                return Err(self.unexpected(&[OPERATOR, &["else"]]));
            }
            otherwise = Some(self.arg(levels::FILTER, edge)?);
        }
        Ok((self.b.if_else(condition, then, otherwise, self.from(span)), levels::FILTER - 1))
    }

    fn while_loop(&mut self, condition: Expr, span: Span, edge: Edge) -> Climbed {
        let condition = condition.boxed();
        self.unary(levels::FILTER, span, edge, |body| ExprKind::While { condition, body })
    }

    fn each(&mut self, kind: LoopKind, all: bool, name: Ident, span: Span, edge: Edge) -> Climbed {
        let set = self.arg(levels::SET, Edge::NoLine)?;
        let body = self.arg(levels::FILTER, edge)?;
        Ok((self.b.each(kind, all, name, set, body, self.from(span)), levels::FILTER - 1))
    }

    fn assign_piece(&mut self, name: Ident, span: Span, edge: Edge) -> Climbed {
        self.unary(levels::SET, span, edge, |value| ExprKind::AssignPiece { name, value })
    }
}
