//! Names, primary expressions, and what follows them: indices, patterns, assigned values.

use super::{COMPLETE, Climb, Climbed, Edge, FILTER, Failed, OPERAND};
use crate::ast::*;
use crate::build::part::{DictionaryTypes, Head, Part, PartKind};

impl Climb<'_, '_, '_> {
    /// A name: a variable, an assignment or a call.
    pub(super) fn name(&mut self, name: Ident, edge: Edge) -> Climbed {
        if edge != Edge::Tight
            && let Some((op, op_span)) = self.assignment()
        {
            return self.assign(vec![], name, op, op_span, edge);
        }
        let e = self.variable_or_call(name);
        self.indexed(e, edge)
    }

    fn variable_or_call(&mut self, name: Ident) -> Expr {
        if let Some((args, span)) = self.args() {
            return self.b.call(name, args, span.end);
        }
        self.assignable = true;
        self.b.node(ExprKind::Name(name.name), name.span)
    }

    /// An operand with the indices and patterns after it, and the value that is assigned to an
    /// entry.
    pub(super) fn indexed(&mut self, e: Expr, edge: Edge) -> Climbed {
        let e = self.postfix(e)?;
        if edge != Edge::Tight
            && matches!(e.kind, ExprKind::Index { .. } | ExprKind::Slice { .. })
            && let Some((op, op_span)) = self.assignment()
        {
            let value = self.arg(levels::FILTER, edge)?;
            let assigned = self.b.binary(e, value, |place, value| ExprKind::AssignIndex {
                place,
                op,
                op_span,
                value,
            });
            return Ok((assigned, levels::FILTER - 1));
        }
        Ok((e, COMPLETE))
    }

    /// The indices and patterns after an operand.
    pub(super) fn postfix(&mut self, mut e: Expr) -> Result<Expr, Failed> {
        let follows = |part: &PartKind| {
            matches!(
                part,
                PartKind::Index(_) | PartKind::Slice(..) | PartKind::Operator(BinaryOp::Match)
            )
        };
        loop {
            let assignable = self.assignable;
            match self.next_if(follows) {
                Some(Part { kind: PartKind::Index(index), span }) => {
                    e = self.b.index(e, index, span.end);
                    self.assignable = true;
                }
                Some(Part { kind: PartKind::Slice(from, to), span }) => {
                    e = self.b.slice(e, from, to, span.end);
                    self.assignable = true;
                }
                Some(Part { span, .. }) => {
                    let pattern = self.single()?;
                    e = self.b.matches(e, span, pattern);
                }
                None => {
                    self.assignable = assignable;
                    return Ok(e);
                }
            }
        }
    }

    /// An operand without operators: a pattern, a promotion.
    pub(super) fn single(&mut self) -> Result<Expr, Failed> {
        let is_single =
            |head: &Head| matches!(head, Head::Name(_) | Head::Primary(_) | Head::Print(_));
        match self.head(is_single) {
            Some((Head::Primary(e), _)) => Ok(e),
            Some((Head::Name(name), _)) => Ok(self.variable_or_call(name)),
            Some((Head::Print(keyword), span)) => {
                self.list(keyword, span).map_err(|_| self.unexpected(&[&["call("]]))
            }
            _ => Err(self.unexpected(&[OPERAND])),
        }
    }

    /// The parameters before an operand or a list.
    pub(super) fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        while let Some(Part { kind: PartKind::Param(param), .. }) =
            self.next_if(|part| matches!(part, PartKind::Param(_)))
        {
            params.push(param);
        }
        params
    }

    fn args(&mut self) -> Option<(Vec<Expr>, Span)> {
        match self.next_if(|part| matches!(part, PartKind::Args(_))) {
            Some(Part { kind: PartKind::Args(args), span }) => Some((args, span)),
            _ => None,
        }
    }

    /// `comment`, `message` or `str` with a list in parentheses, or only the parameters.
    pub(super) fn list(&mut self, keyword: Keyword, span: Span) -> Result<Expr, Vec<Param>> {
        let params = self.params();
        let Some((args, list)) = self.args() else {
            return Err(params);
        };
        if args.is_empty() {
            let closing = Span::new(list.end.saturating_sub(1), list.end);
            self.b.unexpected(closing, FILTER.iter().copied());
        }
        Ok(self.b.list(keyword, params, args, self.from(span)))
    }

    /// `position N`. An operator after it belongs to the position.
    pub(super) fn position(&mut self, span: Span) -> Climbed {
        let number = self.single()?;
        let number = self.postfix(number)?;
        let position = self.b.prefix(Keyword::Position, vec![], number, self.from(span));
        Ok((position, COMPLETE))
    }

    pub(super) fn unbind(&mut self, name: Ident, span: Span) -> Climbed {
        let key = match self.next_if(|part| matches!(part, PartKind::Index(_))) {
            Some(Part { kind: PartKind::Index(key), .. }) => Some(key.boxed()),
            _ => None,
        };
        Ok((self.b.node(ExprKind::Unbind { name, key }, self.from(span)), COMPLETE))
    }

    fn assignment(&mut self) -> Option<(AssignOp, Span)> {
        match self.next_if(|part| matches!(part, PartKind::Assign(_))) {
            Some(Part { kind: PartKind::Assign(op), span }) => Some((op, span)),
            _ => None,
        }
    }

    fn assign(
        &mut self,
        words: Vec<(Keyword, Span)>,
        name: Ident,
        op: AssignOp,
        op_span: Span,
        edge: Edge,
    ) -> Climbed {
        let value = self.arg(levels::VALUE, edge)?;
        Ok((self.b.assign(words, name, op, op_span, value), levels::VALUE - 1))
    }

    /// An assignment or a declaration after `persistent` and similar keywords.
    pub(super) fn stored(&mut self, word: Keyword, start: Span, edge: Edge) -> Climbed {
        let mut words = vec![(word, start)];
        while let Some((Head::Storage(word), span)) =
            self.head(|head| matches!(head, Head::Storage(_)))
        {
            words.push((word, span));
        }
        match self.head(|head| matches!(head, Head::Name(_) | Head::Dictionary(..))) {
            Some((Head::Dictionary(types, name), _)) => self.dictionary(words, types, name, start),
            Some((Head::Name(name), _)) => match self.assignment() {
                Some((op, op_span)) => self.assign(words, name, op, op_span, edge),
                None => Err(self.unexpected(&[&["=", "opassign"]])),
            },
            _ => Err(self.unexpected(&[&["name", "storage", "dictionary"]])),
        }
    }

    /// A declaration, or an entry of the dictionary that is declared.
    pub(super) fn dictionary(
        &mut self,
        words: Vec<(Keyword, Span)>,
        types: Option<DictionaryTypes>,
        name: Ident,
        start: Span,
    ) -> Climbed {
        let declared = self.b.dictionary(words, types, name, self.from(start));
        if matches!(self.peek(), Some(PartKind::Index(_) | PartKind::Slice(..))) {
            return self.indexed(declared, Edge::Any);
        }
        Ok((declared, COMPLETE))
    }
}
