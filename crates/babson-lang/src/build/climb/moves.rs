//! Dashes, and the filters that end with their parameters: `move`, `pin` and `imagine`.

use super::{COMPLETE, Climb, Climbed, Edge, Failed, OPERAND};
use crate::ast::*;
use crate::build::part::{Head, Part, PartKind};
use crate::keywords::OperandLevel;

/// The terminals with which a change of `imagine` begins.
const CHANGES: &[&str] = &["imaginepiece", "swap", "imagineside"];

impl Climb<'_, '_, '_> {
    /// The right operand, promotion and target of a dash. Also returns whether the dash is closed:
    /// it does not end in its right operand.
    pub(super) fn dash(
        &mut self,
        capture: bool,
        op_span: Span,
        left: Option<Box<Expr>>,
        has_right: bool,
    ) -> Result<(Expr, bool), Failed> {
        let right =
            if has_right { Some(self.arg(levels::DASH_OPERAND, Edge::Tight)?) } else { None };
        let mut closed = !has_right;
        let mut tail = (None, Vec::new());
        if self.take(|part| matches!(part, PartKind::Promotion)).is_some() {
            tail.0 = Some(self.single()?);
            closed = true;
        }
        if let Some(Part { kind: PartKind::Target(targets), .. }) =
            self.next_if(|part| matches!(part, PartKind::Target(_)))
        {
            tail.1 = targets;
            closed = true;
        }
        Ok((self.b.dash(capture, op_span, left, right, tail), closed))
    }

    /// A dash without a left operand.
    pub(super) fn free_dash(&mut self, capture: bool, has_right: bool, span: Span) -> Climbed {
        let (dash, _) = self.dash(capture, span, None, has_right)?;
        Ok((dash, levels::SET - 1))
    }

    /// A dash after `legal` and similar keywords.
    pub(super) fn dash_words(&mut self, words: Vec<Keyword>, span: Span, edge: Edge) -> Climbed {
        let (left, capture, has_right, op_span) =
            match self.head(|head| matches!(head, Head::Dash { .. })) {
                Some((Head::Dash { capture, right }, op_span)) => (None, capture, right, op_span),
                _ if !self.begins_operand(Edge::Tight) => {
                    return Err(self.unexpected(&[OPERAND, &["dash", "dashright"]]));
                }
                _ => {
                    let left = self.arg(levels::DASH_OPERAND, Edge::Tight)?;
                    match self.next_if(|part| matches!(part, PartKind::Dash { .. })) {
                        Some(Part { kind: PartKind::Dash { capture, right }, span }) => {
                            (Some(left), capture, right, span)
                        }
                        _ => {
                            return Err(self.unexpected(&[&["dashleft", "dashboth"]]));
                        }
                    }
                }
            };
        let (dash, closed) = self.dash(capture, op_span, left, has_right)?;
        let filter = self.b.dash_prefix((words, span), dash);
        if closed { self.indexed(filter, edge) } else { Ok((filter, levels::SET - 1)) }
    }

    /// The parameters of `move` or `pin`.
    fn final_params(&mut self) -> Result<Vec<Param>, Failed> {
        let is_param =
            |part: &PartKind| matches!(part, PartKind::FinalOperand(_) | PartKind::FinalParam(_));
        let mut params = Vec::new();
        loop {
            match self.next_if(is_param) {
                Some(Part { kind: PartKind::FinalParam(param), .. }) => params.push(param),
                Some(Part { kind: PartKind::FinalOperand(word), span }) => {
                    let operand = self.parameter_operand()?;
                    params.push(Param::operands(word, vec![operand], self.from(span)));
                }
                _ => return Ok(params),
            }
        }
    }

    pub(super) fn pin(&mut self, span: Span) -> Climbed {
        let params = self.final_params()?;
        Ok((self.b.filter(Keyword::Pin, params, self.from(span)), COMPLETE))
    }

    /// `move`, which is also a filter without `:`.
    pub(super) fn move_filter(&mut self, span: Span, edge: Edge) -> Climbed {
        let params = self.final_params()?;
        let filter = self.b.filter(Keyword::Move, params, self.from(span));
        let is_colon = |part: &PartKind| matches!(part, PartKind::Operator(BinaryOp::With));
        if edge != Edge::Tight
            && let Some(colon) = self.take(is_colon)
        {
            let body = self.arg(levels::SET, edge)?;
            return Ok((self.b.with(filter, colon, body), levels::SET - 1));
        }
        Ok((filter, levels::TIGHT - 1))
    }

    /// The operand of a parameter of `move`, `pin` or `imagine`. A `:` after it belongs to the
    /// whole filter, unless the token pass makes it a part of the operand.
    fn parameter_operand(&mut self) -> Result<Expr, Failed> {
        if self.depth >= MAX_DEPTH {
            return Ok(*self.arg(COMPLETE, Edge::Tight)?);
        }
        self.depth += 1;
        let operand = self.tight_operand();
        self.depth -= 1;
        operand
    }

    fn tight_operand(&mut self) -> Result<Expr, Failed> {
        let is_tight = |head: &Head| {
            matches!(
                head,
                Head::Position
                    | Head::Complement
                    | Head::Prefix(OperandLevel::Tight | OperandLevel::Five, _)
            )
        };
        let operand = match self.head(is_tight) {
            Some((Head::Complement, span)) => {
                let arg = self.parameter_operand()?.boxed();
                return Ok(self.b.node(ExprKind::Complement(arg), self.from(span)));
            }
            Some((Head::Prefix(_, keyword), span)) => {
                let params = self.params();
                let arg = self.parameter_operand()?;
                return Ok(self.b.prefix(keyword, params, arg, self.from(span)));
            }
            Some((_, span)) => self.position(span)?.0,
            None => {
                let operand = self.single()?;
                self.postfix(operand)?
            }
        };
        let Some(colon) = self.take(|part| matches!(part, PartKind::OperandColon)) else {
            return Ok(operand);
        };
        let right = self.parameter_operand()?.boxed();
        Ok(self.b.with(operand, colon, right))
    }

    pub(super) fn imagine(&mut self, span: Span, edge: Edge) -> Climbed {
        let mut changes = Vec::new();
        while let Some(change) = self.change()? {
            changes.push(change);
        }
        if changes.is_empty() {
            return Err(self.unexpected(&[CHANGES]));
        }
        let filter = self.b.filter(Keyword::Imagine, changes, self.from(span));
        let Some(colon) = self.take(|part| matches!(part, PartKind::ImagineColon)) else {
            return Err(self.unexpected(&[CHANGES, &["imagine:"]]));
        };
        let body = self.arg(levels::SET, edge)?;
        Ok((self.b.with(filter, colon, body), levels::SET - 1))
    }

    /// A change of `imagine`.
    fn change(&mut self) -> Result<Option<Param>, Failed> {
        if let Some(span) = self.take(|part| matches!(part, PartKind::ImaginePiece)) {
            let piece = self.parameter_operand()?;
            if self.take(|part| matches!(part, PartKind::Gives)).is_none() {
                return Err(self.unexpected(&[&["gives"]]));
            }
            let target = self.arg(levels::FILTER, Edge::NoLine)?;
            let values = vec![piece, *target];
            return Ok(Some(Param::operands(Keyword::Piece, values, self.from(span))));
        }
        if let Some(span) = self.take(|part| matches!(part, PartKind::Swap)) {
            let first = self.arg(levels::FILTER, Edge::NoLine)?;
            self.complete = false;
            let second = self.arg(levels::FILTER, Edge::NoLine)?;
            let values = vec![*first, *second];
            return Ok(Some(Param::operands(Keyword::Swap, values, self.from(span))));
        }
        let Some(span) = self.take(|part| matches!(part, PartKind::ImagineSide)) else {
            return Ok(None);
        };
        match self.next_if(|part| matches!(part, PartKind::ImagineColor(_))) {
            Some(Part { kind: PartKind::ImagineColor(color), span: place }) => {
                let values = vec![self.b.filter(color, vec![], place)];
                Ok(Some(Param::operands(Keyword::SideToMove, values, self.from(span))))
            }
            _ => Err(self.unexpected(&[&["imaginecolor"]])),
        }
    }
}
