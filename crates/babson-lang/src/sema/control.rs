//! Loops and conditions (docs/src/language/control.md#iteration-and-control).

use super::scope::Binding;
use super::{ErrorReported, OpenResult, Sema};
use crate::ast::{self, Ident, LoopKind, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::DialectSwitch;
use crate::hir::{DictId, Expr, ExprKind, Type, VarId};

impl<'a> Sema<'a> {
    pub(super) fn if_then_else(
        &mut self,
        condition: &'a ast::Expr,
        then: &'a ast::Expr,
        otherwise: Option<&'a ast::Expr>,
        span: Span,
    ) -> OpenResult<'a> {
        let condition = self.closed(condition);
        let (then, otherwise, pending) = match otherwise {
            None => {
                let (then, pending) = self.open_at(then, levels::FILTER)?;
                (then, None, pending)
            }
            Some(otherwise) => {
                let then = self.closed(then);
                let (otherwise, pending) = self.open_at(otherwise, levels::FILTER)?;
                (then?, Some(otherwise), pending)
            }
        };
        // The filter has a value if both alternatives have the same type.
        let kind = ExprKind::If {
            condition: Box::new(condition?),
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        };
        Ok((self.node(kind, span), pending))
    }

    pub(super) fn while_loop(
        &mut self,
        condition: &'a ast::Expr,
        body: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let grouped = matches!(
            condition.kind,
            ast::ExprKind::Paren(_) | ast::ExprKind::Block(_) | ast::ExprKind::Call { .. }
        );
        let condition = match self.closed(condition) {
            Ok(Expr { kind: ExprKind::Match { subject, pattern }, .. }) if !grouped => {
                return self.for_matches(subject, pattern, body, span);
            }
            condition => condition,
        };
        let (body, pending) = self.open_at(body, levels::FILTER)?;
        let kind = ExprKind::While { condition: Box::new(condition?), body: Box::new(body) };
        Ok((self.node(kind, span), pending))
    }

    pub(super) fn for_each(
        &mut self,
        kind: LoopKind,
        all: bool,
        name: &Ident,
        set: &'a ast::Expr,
        body: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        if matches!(kind, LoopKind::Element | LoopKind::Key | LoopKind::String)
            && let Some(dictionary) = self.bare_dictionary(set)
        {
            return self.for_keys(kind, all, name, dictionary, body, span);
        }
        let (word, ty) = match kind {
            LoopKind::Piece => ("piece … in", Type::Piece),
            LoopKind::Square => ("square … in", Type::Set),
            LoopKind::Element => ("∊", Type::Set),
            LoopKind::Key | LoopKind::String => {
                return Err(self.error(
                    Code::NotALoopSource,
                    set.span,
                    "this loop needs the name of a dictionary",
                ));
            }
        };
        let open = self.open_at(set, levels::SET)?;
        let set = self.finish(open)?;
        let set = Box::new(self.expect(set, Type::Set, word)?);
        let (var, body, pending) = self.body(name, ty, body)?;
        let body = Box::new(body);
        let kind = if kind == LoopKind::Piece {
            ExprKind::ForPieces { var, set, body, all }
        } else {
            ExprKind::ForSquares { var, set, body, all }
        };
        Ok((self.node(kind, span), pending))
    }

    fn for_keys(
        &mut self,
        kind: LoopKind,
        all: bool,
        name: &Ident,
        dictionary: DictId,
        body: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        if all {
            return Err(self.error(
                Code::NotALoopSource,
                span,
                "`all` is for loops over squares and pieces",
            ));
        }
        let Some(ty) = self.dictionaries[dictionary.0 as usize].key else {
            return Err(self.error(
                Code::EmptyDictionary,
                span,
                "the dictionary is used before anything is stored in it",
            ));
        };
        if kind == LoopKind::String && ty != Type::String {
            return Err(self.error(
                Code::NotALoopSource,
                span,
                format!("a key of this dictionary is {}", ty.with_article()),
            ));
        }
        let (var, body, pending) = self.body(name, ty, body)?;
        let kind = ExprKind::ForKeys { var, dictionary, body: Box::new(body) };
        Ok((self.node(kind, span), pending))
    }

    /// Types the variable and the body of a loop.
    fn body(
        &mut self,
        name: &Ident,
        ty: Type,
        body: &'a ast::Expr,
    ) -> Result<(VarId, Expr, super::PendingOperators<'a>), ErrorReported> {
        self.note_reserved_name(name);
        let local = self.dialect.local_scopes;
        if local && self.lookup(&name.name).is_some() {
            self.differences.add(DialectSwitch::LocalScopes, name.span);
        }
        let existing = match self.lookup_assigned(&name.name) {
            Some(Binding::Var(var)) if self.type_of(var) == ty => Some(var),
            Some(Binding::Poisoned) | None => None,
            // The name has another meaning: a scope shadows it, without one it is an error.
            Some(_) if local => None,
            Some(_) => Some(self.assigned_variable(name, ty)?),
        };
        let var = existing.unwrap_or_else(|| self.new_var(&name.name, ty));
        // CQL 6.2 reports this at run time, if at all.
        if local && self.loops.contains(&var) {
            let message = format!("`{}` is the variable of a loop around this one", name.name);
            let error = Diagnostic::new(Code::ReusedLoopVariable, name.span, message);
            return Err(self.report(error.with_help("choose another name for one of the two")));
        }
        if local && self.assigned.contains(&var) {
            let message = format!("the loop variable `{}` has a value already", name.name);
            let error = Diagnostic::new(Code::ReusedLoopVariable, name.span, message);
            let help = format!("choose another name, or write `unbind {}` before", name.name);
            return Err(self.report(error.with_help(help)));
        }
        if !local && existing.is_none() {
            self.bind(&name.name, Binding::Var(var));
        }
        self.loops.push(var);
        let open = self.open_body(body, [(name, var)]);
        self.loops.pop();
        let (body, pending) = open?;
        Ok((var, body, pending))
    }
}
