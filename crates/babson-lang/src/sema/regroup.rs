//! Regrouping (grammar notes, section 3A): operators that do not fit what stands at their left move
//! outwards.
//!
//! The grammar gives a prefix filter the longest argument. Typing goes from the left; the first
//! operator whose left operand has the wrong type ends the argument, and what follows is a [`Tail`]
//! that is offered to the innermost enclosing prefix filter, then to the next, as far as the levels
//! of language.md 5.1 allow. Binary operators are nothing else than tails of their first operand.

use std::collections::VecDeque;

use super::dash::untied;
use super::operators::{Unjoined, joins};
use super::strings::not_sliced;
use super::types::{mismatched, with_article};
use super::{Open, Reported, Sema, Typed};
use crate::ast::{self, InfixOp, RelOp};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Type};

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Infix(InfixOp),
    Rel(RelOp),
    In,
    With,
    Match,
    /// `[…]` after a string: an index or a slice.
    Index,
    /// `->`, `<-` (true).
    Arrow(bool),
    /// A dash whose left operand it is.
    Dash,
}

impl Op {
    /// The level of language.md 5.1; a greater one binds tighter.
    pub(super) fn level(self) -> u8 {
        match self {
            Op::Infix(op) => level(op.level()),
            Op::In => 3,
            Op::Rel(_) => 4,
            Op::Dash => 7,
            Op::Arrow(_) => 8,
            Op::Match | Op::Index => 12,
            Op::With => 13,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Op::Infix(op) => op.name(),
            Op::Rel(op) => op.name(),
            Op::In => "in",
            Op::With => ":",
            Op::Match => "~~",
            Op::Index => "[…]",
            Op::Arrow(false) => "->",
            Op::Arrow(true) => "<-",
            Op::Dash => "--",
        }
    }

    /// The least level of what may stand at its right.
    fn right_level(self) -> u8 {
        match self {
            Op::Infix(op) => level(op.level()) + 1,
            Op::In | Op::Rel(_) => 4,
            Op::Dash => 8,
            Op::Arrow(_) => 9,
            Op::Match | Op::Index | Op::With => 13,
        }
    }

    pub(super) fn is_arithmetic(self) -> bool {
        use InfixOp::{Add, Div, Mul, Rem, Sub};
        matches!(self, Op::Infix(Add | Sub | Mul | Div | Rem))
    }

    /// Can a value of this type stand at its left?
    fn fits(self, left: Type) -> bool {
        match self {
            Op::Infix(op) => match op {
                InfixOp::Or | InfixOp::And => true,
                InfixOp::Add => matches!(left, Type::Number | Type::String),
                InfixOp::Sub | InfixOp::Mul | InfixOp::Div | InfixOp::Rem => left == Type::Number,
                InfixOp::Intersect => matches!(left, Type::Set | Type::Position),
                InfixOp::Union | InfixOp::Attacks | InfixOp::AttackedBy => left == Type::Set,
            },
            Op::In => matches!(left, Type::Set | Type::String),
            Op::Rel(_) => matches!(left, Type::Set | Type::Number | Type::String | Type::Position),
            Op::With => left == Type::Position,
            Op::Match | Op::Index => left == Type::String,
            Op::Arrow(_) | Op::Dash => left == Type::Set,
        }
    }
}

/// The number of a level in language.md 5.1.
pub(super) fn level(level: ast::Level) -> u8 {
    match level {
        ast::Level::Or => 1,
        ast::Level::And => 2,
        ast::Level::Sum => 5,
        ast::Level::Product => 6,
        ast::Level::Union => 9,
        ast::Level::Intersection => 10,
        ast::Level::Attacks => 11,
    }
}

/// An operator and its right operand, waiting for a left one.
#[derive(Debug)]
pub(super) struct Tail<'a> {
    pub(super) op: Op,
    pub(super) span: Span,
    pub(super) right: Right<'a>,
}

/// A right operand, typed or not yet.
#[derive(Debug)]
pub(super) enum Right<'a> {
    Ast(&'a ast::Expr),
    Typed(Box<Expr>),
    /// The ends of a slice.
    Slice(Option<&'a ast::Expr>, Option<&'a ast::Expr>),
    /// The dash filter whose left operand is waited for.
    Dash(&'a ast::Dash),
}

impl<'a> Sema<'a> {
    /// An expression with all that binds at least as tight as `floor`.
    pub(super) fn open_at(&mut self, e: &'a ast::Expr, floor: u8) -> Open<'a> {
        let (typed, tails) = self.open(e)?;
        if tails.is_empty() { Ok((typed, tails)) } else { self.settle(typed, tails, floor, false) }
    }

    /// Applies the waiting operators from the left, as long as they fit and bind at least as tight
    /// as `floor`. With `absorb`, the left operand is a prefix filter that may take more into its
    /// argument (`#"a" + "b"`).
    pub(super) fn settle(
        &mut self,
        mut left: Expr,
        mut tails: VecDeque<Tail<'a>>,
        floor: u8,
        absorb: bool,
    ) -> Open<'a> {
        while let Some(tail) = tails.front() {
            let fits = tail.op.fits(left.ty) || absorb && tail.op.is_arithmetic();
            if tail.op.level() < floor || !fits {
                break;
            }
            let Some(Tail { op, span, right }) = tails.pop_front() else {
                break;
            };
            let (right, inner) = match right {
                Right::Typed(right) => (*right, VecDeque::new()),
                Right::Ast(pattern) if op == Op::Match => {
                    left = self.matches(left, pattern)?;
                    continue;
                }
                Right::Ast(index) if op == Op::Index => {
                    left = self.char_at(left, index)?;
                    continue;
                }
                Right::Slice(from, to) => {
                    left = self.slice_of(left, from, to)?;
                    continue;
                }
                Right::Ast(part) if matches!(op, Op::Arrow(_)) => {
                    left = self.chain(left, op, part, &mut tails)?;
                    continue;
                }
                Right::Dash(dash) => {
                    let (both, inner) = self.dash_after(left, dash)?;
                    left = both;
                    for tail in inner.into_iter().rev() {
                        tails.push_front(tail);
                    }
                    continue;
                }
                Right::Ast(right) => {
                    self.depth += tails.len();
                    let open = self.open_at(right, op.right_level());
                    self.depth -= tails.len();
                    open?
                }
            };
            for tail in inner.into_iter().rev() {
                tails.push_front(tail);
            }
            match self.combine(left, op, right, absorb)? {
                Ok(both) => left = both,
                Err(unjoined) => {
                    let (old, right) = *unjoined;
                    left = old;
                    tails.push_front(Tail { op, span, right: Right::Typed(Box::new(right)) });
                    break;
                }
            }
        }
        Ok((left, tails))
    }

    /// The end of an expression: what is left over now is an error, or a `-` that begins a filter
    /// of its own.
    pub(super) fn finish(&mut self, (typed, tails): (Expr, VecDeque<Tail<'a>>)) -> Typed {
        if tails.is_empty() {
            return Ok(typed);
        }
        let (typed, tails) = self.settle(typed, tails, 0, false)?;
        let Some(tail) = tails.front() else {
            return Ok(typed);
        };
        let reported = self.left_over(&typed, tail);
        if self.veto.is_none() || !self.counts() {
            return Err(reported);
        }
        // Read the other way the expression ends here, and the rest is another one: it is looked at
        // for more of the kind, unless it gives names a meaning, which may depend on how it is
        // read.
        let mut rest: Vec<&ast::Expr> = Vec::new();
        for tail in &tails {
            match &tail.right {
                Right::Ast(right) => rest.push(right),
                Right::Typed(_) => {}
                Right::Slice(from, to) => rest.extend(from.iter().chain(to)),
                Right::Dash(dash) => {
                    rest.extend(dash.right.as_deref());
                    rest.extend(&dash.targets);
                }
            }
        }
        if rest.iter().any(|right| self.gives_meaning(right)) {
            return Err(reported);
        }
        self.vetoes.extend(self.veto.take());
        for right in rest {
            // What is wrong in there is said in the next round.
            drop(self.closed(right));
        }
        Ok(typed)
    }

    fn left_over(&mut self, left: &Expr, tail: &Tail<'a>) -> Reported {
        let error = unfit(left, tail);
        if tail.op == Op::Infix(InfixOp::Sub) {
            return self.request_veto(tail.span, error);
        }
        match &tail.right {
            Right::Typed(right) => self.report_search(right, error),
            Right::Ast(_) | Right::Slice(..) | Right::Dash(_) => self.report(error),
        }
    }

    /// The end of an expression on the own level of a `path`: an operator that is left over and
    /// fits the value of the path ends it, and a dash is the next step.
    pub(super) fn finish_in_path(
        &mut self,
        (typed, tails): (Expr, VecDeque<Tail<'a>>),
        path: Type,
    ) -> Typed {
        let (typed, tails) = self.settle(typed, tails, 0, false)?;
        let Some(tail) = tails.into_iter().next() else {
            return Ok(typed);
        };
        let minus = tail.op == Op::Infix(InfixOp::Sub);
        if !minus && (tail.op == Op::Dash || tail.op.fits(path)) {
            return Err(self.request_veto(tail.span.before(), unfit(&typed, &tail)));
        }
        Err(self.left_over(&typed, &tail))
    }

    /// Moves `op right` into the argument of a prefix filter that took too little.
    pub(super) fn absorb(
        &mut self,
        left: Expr,
        op: InfixOp,
        right: Expr,
    ) -> Result<Expr, Unjoined> {
        let Expr { kind, ty, span, .. } = left;
        let whole = span.to(right.span);
        let kind = match kind {
            ExprKind::Unary(which, arg) if joins(op, arg.ty, right.ty) => {
                let arg = self.compute(op, *arg, right)?;
                ExprKind::Unary(which, Box::new(arg))
            }
            kind => return Err(Box::new((Expr::new(kind, ty, span), right))),
        };
        let span = whole;
        Ok(Expr::new(kind, ty, span))
    }
}

/// What is said of an operator that fits nothing before it.
fn unfit(left: &Expr, tail: &Tail<'_>) -> Diagnostic {
    let name = tail.op.name();
    match tail.op {
        Op::Match => return mismatched(left, with_article(Type::String), name),
        Op::Arrow(_) => return mismatched(left, with_article(Type::Set), name),
        Op::Index => return not_sliced(left),
        Op::Dash => return untied(left, "left", tail.span),
        Op::Infix(_) | Op::Rel(_) | Op::In | Op::With => {}
    }
    let error = match &tail.right {
        Right::Typed(right) if tail.op.fits(left.ty) => Diagnostic::error(
            tail.span,
            format!(
                "`{name}` cannot join {} and {}",
                with_article(left.ty),
                with_article(right.ty)
            ),
        )
        .with_label(format!("{} at its left", with_article(left.ty))),
        _ => Diagnostic::error(
            tail.span,
            format!("`{name}` cannot follow {}", with_article(left.ty)),
        ),
    };
    if left.ty == Type::Set && tail.op.is_arithmetic() {
        error.with_help("count the squares with `#` to do arithmetic")
    } else if let (Type::Set, Op::Rel(_)) = (left.ty, tail.op) {
        error.with_help("`#` counts the squares of a set, `in` tests whether it is part of another")
    } else if tail.op == Op::With {
        error.with_help("`:` needs a position at its left")
    } else {
        error
    }
}

/// Does this filter take part of a sum or product as its argument, so that it can take more of it?
pub(super) fn can_absorb(e: &ast::Expr) -> bool {
    match &e.kind {
        // Its argument is in parentheses.
        ast::ExprKind::Prefix { keyword, .. } => *keyword != ast::Keyword::Child,
        ast::ExprKind::Infix { first, .. } => can_absorb(first),
        _ => false,
    }
}
