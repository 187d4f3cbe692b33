//! Operators (docs/src/language/reading.md#operators) and the prefixes `not`, `~` and `-`.

use super::pending::{
    BinaryOp, PendingOperator, PendingOperators, RightOperand, can_absorb, prepend,
};
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{self, ExprKind as Ast, InfixOp, levels};
use crate::diagnostic::{Code, Span};
use crate::filters::PlainFilter;
use crate::hir::{
    Alignment, BinaryFilter, ComparisonOperator, Content, Designator, Directions, Expr, ExprKind,
    Property, SetFilter, Type, UnaryFilter,
};
use crate::keywords::Keyword;
use crate::limits::{MAX_CHAIN, MAX_UNBALANCED_CHAIN};

/// The operands of an operator that does not fit them.
pub(super) type OperandPair = Box<(Expr, Expr)>;

impl<'a> Sema<'a> {
    pub(super) fn infix(
        &mut self,
        of: ast::PrecedenceLevel,
        first: &'a ast::Expr,
        rest: &'a [ast::InfixOperand],
    ) -> OpenResult<'a> {
        if rest.len() > MAX_UNBALANCED_CHAIN
            && matches!(of, ast::PrecedenceLevel::Or | ast::PrecedenceLevel::And)
        {
            return Ok((self.long_chain(of, first, rest)?, PendingOperators::new()));
        }
        if rest.len() > MAX_CHAIN {
            let span = rest[MAX_CHAIN].op_span;
            return Err(self.error(
                Code::TooManyOperators,
                span,
                format!("more than {MAX_CHAIN} operators in a row"),
            ));
        }
        let floor = of as u8;
        // The typed tree nests to the left, so the first operand is the deepest.
        self.depth += rest.len();
        let first_open = self.open_at(first, floor + 1);
        self.depth -= rest.len();
        let (left, mut pending) = first_open?;
        pending.extend(rest.iter().map(|tail| {
            let right = RightOperand::Ast(&tail.right);
            PendingOperator::new(BinaryOp::Infix(tail.op), tail.op_span, right)
        }));
        self.apply_pending(left, pending, floor, can_absorb(first))
    }

    /// A long chain of `or` or `and` as a balanced tree with the same order of evaluation.
    fn long_chain(
        &mut self,
        of: ast::PrecedenceLevel,
        first: &'a ast::Expr,
        rest: &'a [ast::InfixOperand],
    ) -> ExprResult {
        let mut operands = Vec::with_capacity(rest.len() + 1);
        let mut failed = false;
        for operand in [first].into_iter().chain(rest.iter().map(|tail| &tail.right)) {
            match self.closed(operand) {
                Ok(operand) => operands.push(operand),
                Err(ErrorReported) => failed = true,
            }
            self.continue_after_rejection(operand);
            // After an error typing stops. After a rejected reading it goes on, to find more.
            if failed && (self.rejections.stop() || !self.rejections.went_on() || self.overflow) {
                return Err(ErrorReported);
            }
        }
        if failed {
            return Err(ErrorReported);
        }
        while operands.len() > 1 {
            let mut halved = Vec::with_capacity(operands.len().div_ceil(2));
            let mut operands_left = operands.into_iter();
            while let Some(left) = operands_left.next() {
                halved.push(match operands_left.next() {
                    Some(right) => self.logic(of == ast::PrecedenceLevel::Or, left, right),
                    None => left,
                });
            }
            operands = halved;
        }
        operands.pop().ok_or(ErrorReported)
    }

    /// `left or right`, or `left and right`.
    pub(super) fn logic(&mut self, or: bool, left: Expr, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if or { ExprKind::Or(left, right) } else { ExprKind::And(left, right) };
        self.node(kind, span)
    }

    pub(super) fn with(
        &mut self,
        left: &'a ast::Expr,
        span: Span,
        right: &'a ast::Expr,
    ) -> OpenResult<'a> {
        if let Ast::Filter(filter) = &left.kind {
            self.check_parameters(filter)?;
            if filter.keyword == Keyword::Move {
                return self.speculate(filter, left.span, span, right);
            }
            if filter.keyword == Keyword::Imagine {
                return self.imagine(filter, left.span, right);
            }
            if filter.keyword == Keyword::Pin {
                self.pin(filter, left.span, Some(span))?;
            }
        }
        if let Ast::Filter(filter) = &left.kind
            && filter.keyword == Keyword::Position
        {
            return self.position_with(filter, left.span, span, right);
        }
        let (left, mut pending) = self.open_at(left, BinaryOp::With.level() + 1)?;
        let floor = self.with_body(&mut pending, span, right)?;
        self.apply_pending(left, pending, floor, false)
    }

    /// Adds `: right` to the pending operators, and returns the least level of what it adds. An
    /// index binds less tightly than `:`, so the one of `parent : "abc"[ply:]` follows the `:`.
    fn with_body(
        &mut self,
        pending: &mut PendingOperators<'a>,
        span: Span,
        right: &'a ast::Expr,
    ) -> Result<u8, ErrorReported> {
        let mut body = right;
        let mut indices = Vec::new();
        loop {
            let (base, index) = if let Ast::Index { base, index } = &body.kind {
                (base, RightOperand::Ast(index))
            } else if let Ast::Slice { base, from, to } = &body.kind {
                (base, RightOperand::Slice(from.as_deref(), to.as_deref()))
            } else {
                break;
            };
            // The brackets of an entry of a dictionary belong to its name.
            if !self.is_string_to_index(base) {
                break;
            }
            indices.push(PendingOperator::new(BinaryOp::Index, body.span, index));
            body = base;
        }
        let floor = if indices.is_empty() { BinaryOp::With } else { BinaryOp::Index }.level();
        let right = RightOperand::Ast(body);
        pending.push_back(PendingOperator::new(BinaryOp::With, span, right));
        pending.extend(indices.into_iter().rev());
        Ok(floor)
    }

    /// Whether `[…]` after the expression is an index of a string, and not an entry of a
    /// dictionary.
    fn is_string_to_index(&self, base: &ast::Expr) -> bool {
        if let Ast::Name(name) = &base.kind {
            self.lookup(name).is_some() && self.bare_dictionary(base).is_none()
        } else {
            !matches!(base.kind, Ast::Dictionary { .. })
        }
    }

    /// `position N : f`. The `:` belongs to `N` if that is a position, as in
    /// `position parent:positionid`.
    fn position_with(
        &mut self,
        filter: &'a ast::Filter,
        span: Span,
        colon: Span,
        right: &'a ast::Expr,
    ) -> OpenResult<'a> {
        let operand = self.operand(filter, span)?;
        let (mut number, mut pending) = self.open_at(operand, BinaryOp::With.level())?;
        let takes_colon = number.ty == Type::Position;
        if takes_colon {
            let floor = self.with_body(&mut pending, colon, right)?;
            (number, pending) = self.apply_pending(number, pending, floor, false)?;
        }
        let number = self.expect(number, Type::Number, filter.keyword.name())?;
        let Some(PlainFilter::Unary(which)) = filter.keyword.filter() else {
            return Err(self.not_a_filter(span, filter.keyword));
        };
        let position = self.unary(which, number, span);
        if takes_colon {
            return Ok((position, pending));
        }
        let floor = self.with_body(&mut pending, colon, right)?;
        self.apply_pending(position, pending, floor, false)
    }

    /// An operator after its left operand.
    pub(super) fn operation(
        &mut self,
        left: &'a ast::Expr,
        op: BinaryOp,
        span: Span,
        right: RightOperand<'a>,
    ) -> OpenResult<'a> {
        let (left, mut pending) = self.open_at(left, op.level() + 1)?;
        pending.push_back(PendingOperator::new(op, span, right));
        self.apply_pending(left, pending, op.level(), false)
    }

    /// The operation, if its operands fit. With `absorb`, the left operand is a prefix filter that
    /// may extend its operand.
    pub(super) fn combine(
        &mut self,
        left: Expr,
        op: BinaryOp,
        right: Expr,
        absorb: bool,
    ) -> Result<Expr, OperandPair> {
        let span = left.span.to(right.span);
        if left.ty == right.ty
            && let Some(filter) = op.filter_of(left.ty)
        {
            return Ok(self.binary(filter, left, right, span));
        }
        match op {
            BinaryOp::Infix(InfixOp::Or) => Ok(self.logic(true, left, right)),
            BinaryOp::Infix(InfixOp::And) => Ok(self.logic(false, left, right)),
            BinaryOp::Infix(InfixOp::Arithmetic(op))
                if (left.ty, right.ty) == (Type::Number, Type::Number) =>
            {
                let kind = ExprKind::Arithmetic(op, Box::new(left), Box::new(right));
                Ok(self.node(kind, span))
            }
            BinaryOp::Infix(InfixOp::Arithmetic(_)) if absorb => self.absorb(left, op, right),
            BinaryOp::Rel(op) => self.compare(op, left, right),
            BinaryOp::With => {
                let kind = ExprKind::With { position: Box::new(left), body: Box::new(right) };
                Ok(self.node(kind, span))
            }
            // `apply_pending` handles the last four itself.
            BinaryOp::Infix(
                InfixOp::Arithmetic(_)
                | InfixOp::Union
                | InfixOp::Intersect
                | InfixOp::Attacks
                | InfixOp::AttackedBy,
            )
            | BinaryOp::In
            | BinaryOp::Match
            | BinaryOp::Index
            | BinaryOp::Arrow(_)
            | BinaryOp::Dash => Err(Box::new((left, right))),
        }
    }

    /// A comparison. A set beside a number is counted.
    fn compare(
        &mut self,
        op: ComparisonOperator,
        left: Expr,
        right: Expr,
    ) -> Result<Expr, OperandPair> {
        let tree = op.compares_positions();
        let equality = matches!(op, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
        let (left, right) = match (left.ty, right.ty) {
            (Type::Position, Type::Position) => (left, right),
            _ if tree => return Err(Box::new((left, right))),
            (Type::Set, Type::Set) if equality => (left, right),
            (Type::Number, Type::Number) | (Type::String, Type::String) => (left, right),
            (Type::Set, Type::Number) => (self.count(left), right),
            (Type::Number, Type::Set) => {
                let right = self.count(right);
                (left, right)
            }
            _ => return Err(Box::new((left, right))),
        };
        let span = left.span.to(right.span);
        Ok(self.node(ExprKind::Compare(op, Box::new(left), Box::new(right)), span))
    }

    /// The number of squares of a set that is compared with a number.
    pub(super) fn count(&mut self, set: Expr) -> Expr {
        let span = set.span;
        self.unary(UnaryFilter::Count, set, span)
    }

    pub(super) fn not(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (arg, pending) = self.open_at(arg, levels::NEGATED)?;
        Ok((self.node(ExprKind::Not(Box::new(arg)), span), pending))
    }

    pub(super) fn negate(&mut self, arg: &'a ast::Expr, span: Span) -> OpenResult<'a> {
        let (mut negated, pending) =
            self.unary_filter(UnaryFilter::Negate, levels::TIGHT, arg, span)?;
        if let ExprKind::Unary(_, arg) = &negated.kind
            && let ExprKind::Number(n) = arg.kind
        {
            negated.kind = ExprKind::Number(n.wrapping_neg());
        }
        Ok((negated, pending))
    }

    /// `S -> T`, `T <- S` and longer chains.
    pub(super) fn arrows(
        &mut self,
        back: bool,
        parts: &'a [ast::Expr],
        op_spans: &[Span],
    ) -> OpenResult<'a> {
        let Some((first, rest)) = parts.split_first() else {
            return Err(ErrorReported);
        };
        let (left, mut pending) = self.open_at(first, BinaryOp::Arrow(back).right_level())?;
        pending.extend(rest.iter().zip(op_spans).map(|(part, &span)| {
            PendingOperator::new(BinaryOp::Arrow(back), span, RightOperand::Ast(part))
        }));
        self.apply_pending(left, pending, BinaryOp::Arrow(back).level(), false)
    }

    /// Joins all pending arrows of one direction into one filter.
    pub(super) fn chain(
        &mut self,
        left: Expr,
        op: BinaryOp,
        mut part: &'a ast::Expr,
        pending: &mut PendingOperators<'a>,
    ) -> ExprResult {
        let mut sets = vec![left];
        loop {
            let (set, inner) = self.open_at(part, op.right_level())?;
            sets.push(self.expect(set, Type::Set, op.name())?);
            prepend(pending, inner);
            match pending.front() {
                Some(PendingOperator { op: next, right: RightOperand::Ast(right), .. })
                    if *next == op =>
                {
                    part = right
                }
                _ => break,
            }
            pending.pop_front();
        }
        Ok(self.attack_chain(op == BinaryOp::Arrow(true), sets))
    }

    fn attack_chain(&mut self, back: bool, mut sets: Vec<Expr>) -> Expr {
        let span = match (sets.first(), sets.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        };
        if let [_, _] = sets[..]
            && let (Some(right), Some(left)) = (sets.pop(), sets.pop())
        {
            let op = if back { BinaryFilter::AttackedBy } else { BinaryFilter::Attacks };
            return self.binary(op, left, right, span);
        }
        if back {
            sets.reverse();
        }
        if matches!(sets.first().map(|set| &set.kind), Some(ExprKind::Property(Property::LastFrom)))
        {
            return self.crossing(&sets, !back, span);
        }
        let ray = Alignment::Ray { directions: Directions::ALL, attack: true, first: !back };
        self.node(ExprKind::Set(SetFilter::Aligned(ray, sets)), span)
    }

    /// `from -> x -> to`: a chain that begins at the square that the last move left stands for the
    /// piece that moved, although the square is empty. So it finds the moves of bishops, rooks and
    /// queens that cross x.
    fn crossing(&mut self, sets: &[Expr], first: bool, span: Span) -> Expr {
        // Pieces as in [`Content`]: bishop 2, rook 3, queen 4.
        let lines = [(0b0101_0101, 1 << 3 | 1 << 4), (0b1010_1010, 1 << 2 | 1 << 4)];
        let [straight, diagonal] = lines.map(|(directions, kinds)| {
            let movers = Designator { squares: !0, content: Content(kinds | kinds << 6) };
            let to = self.node(ExprKind::Property(Property::LastTo), span);
            let movers = self.node(ExprKind::Designator(movers), span);
            let condition = self.binary(BinaryFilter::Intersection, to, movers, span);
            let directions = Directions(directions);
            let ray = Alignment::Ray { directions, attack: false, first };
            let ray = ExprKind::Set(SetFilter::Aligned(ray, sets.to_vec()));
            let kind = ExprKind::If {
                condition: Box::new(condition),
                then: Box::new(self.node(ray, span)),
                otherwise: Some(Box::new(self.node(ExprKind::Squares(0), span))),
            };
            self.node(kind, span)
        });
        self.binary(BinaryFilter::Union, straight, diagonal, span)
    }
}
