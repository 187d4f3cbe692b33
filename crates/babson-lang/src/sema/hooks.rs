//! `cqlbegin { … }` and `cqlend { … }`, which run before the first and after the last game.

use super::{ErrorReported, ExprResult, Sema};
use crate::ast;
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{Content, Expr, ExprKind, Type, Var};

impl<'a> Sema<'a> {
    pub(super) fn hook(&mut self, end: bool, body: &'a [ast::Expr], span: Span) -> ExprResult {
        let word = if end { "cqlend" } else { "cqlbegin" };
        if self.depth > 1 {
            let message = format!("`{word}` stands among the filters of the query, not inside one");
            return Err(self.error(span, message));
        }
        let filters = self.closed_all(body)?;
        let wrong: Vec<Span> =
            filters.iter().filter_map(|filter| outside(filter, &self.vars)).collect();
        for &span in &wrong {
            let message = format!("this needs a game or a position, and there is none in `{word}`");
            let help = match end {
                true => "keep what the games have in a persistent variable or a dictionary",
                false => "what the games have is not known before the first one",
            };
            self.report(Diagnostic::error(span, message).with_help(help));
        }
        if !wrong.is_empty() {
            return Err(ErrorReported);
        }
        if end { &mut self.end } else { &mut self.begin }.extend(filters);
        Ok(self.bool(true, span))
    }
}

/// The span of the first filter in the expression that needs a game or a position.
fn outside(e: &Expr, vars: &[Var]) -> Option<Span> {
    let fits = match &e.kind {
        ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Squares(_)
        | ExprKind::Arithmetic(..)
        | ExprKind::Equal(..)
        | ExprKind::Extreme { .. }
        | ExprKind::Sequence(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::If { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop(_)
        | ExprKind::Direction { .. }
        | ExprKind::ForSquares { .. }
        | ExprKind::ForKeys { .. }
        | ExprKind::Unbind(_)
        | ExprKind::IsBound(_)
        | ExprKind::Update { .. }
        | ExprKind::Lookup { .. }
        | ExprKind::Store { .. }
        | ExprKind::Erase { .. }
        | ExprKind::DictionaryLen(_)
        | ExprKind::CharAt { .. }
        | ExprKind::Slice { .. }
        | ExprKind::AssignSlice { .. }
        | ExprKind::Match { .. }
        | ExprKind::ForMatches { .. }
        | ExprKind::Group(_)
        | ExprKind::GroupIndex(_)
        | ExprKind::Orbit { .. }
        | ExprKind::NoTransform(_)
        | ExprKind::CurrentTransform(_)
        | ExprKind::Message { .. }
        | ExprKind::Str(_)
        | ExprKind::WriteFile { .. }
        | ExprKind::CommandPipe { .. }
        | ExprKind::Assert(_) => true,
        ExprKind::Var(var) | ExprKind::Assign { var, .. } => {
            let ty = vars.get(var.0 as usize).map(|var| var.ty);
            !matches!(ty, Some(Type::Position | Type::Piece))
        }
        // A designator of any content is a constant set.
        ExprKind::Designator(designator) => designator.content == Content::ANY,
        ExprKind::Compare(_, a, _) => a.ty != Type::Position,
        ExprKind::Condition(which) => !which.signature().needs_game,
        ExprKind::Quantity(which) => !which.signature().needs_game,
        ExprKind::Unary(which, _) => !which.signature().needs_game,
        ExprKind::Binary(which, ..) => !which.signature().needs_game,
        ExprKind::With { .. }
        | ExprKind::Ray { .. }
        | ExprKind::Pin { .. }
        | ExprKind::FenPattern(_)
        | ExprKind::ForPieces { .. }
        | ExprKind::BindPiece { .. }
        | ExprKind::SimilarPosition
        | ExprKind::Move(_)
        | ExprKind::SpeculativeMove(_)
        | ExprKind::Imagine { .. }
        | ExprKind::Dash(_)
        | ExprKind::Find(_)
        | ExprKind::Line(_)
        | ExprKind::Echo(_)
        | ExprKind::ConsecutiveMoves(_)
        | ExprKind::Path(_)
        | ExprKind::Sort { .. }
        | ExprKind::Comment(_)
        | ExprKind::Field { .. }
        | ExprKind::SetTag { .. }
        | ExprKind::RemoveTag(_)
        | ExprKind::HasNag(_)
        | ExprKind::GameLists(_)
        | ExprKind::PositionSequence(_)
        | ExprKind::Pairs(_)
        | ExprKind::Recurrence(_) => false,
    };
    if !fits {
        return Some(e.span);
    }
    let mut found = None;
    e.for_each_operand(&mut |operand| found = found.or_else(|| outside(operand, vars)));
    found
}
