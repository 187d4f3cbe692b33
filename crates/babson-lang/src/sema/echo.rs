//! `echo` and `consecutivemoves` (docs/src/language/echo.md#echo-and-consecutivemoves).

use super::scope::Binding;
use super::{ErrorReported, ExprResult, OpenResult, Sema};
use crate::ast::{Filter, Ident};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{ConsecutiveMoves, EchoFilter, ExprKind, MoveRunId, Type, VarId};
use crate::keywords::Keyword;

impl<'a> Sema<'a> {
    pub(super) fn echo(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let (arg, [source, target]) = (self.operand(filter, span)?, self.two_names(filter, span)?);
        if source.name == target.name {
            return Err(self.error(
                Code::SameVariables,
                target.span,
                "`echo` needs two different variables",
            ));
        }
        let names = [(source, self.echo_var(source)?), (target, self.echo_var(target)?)];
        let (body, pending) = self.open_body(arg, names)?;
        let [(_, source), (_, target)] = names;
        let quiet = filter.has(Keyword::Quiet);
        let in_all = filter.has(Keyword::All);
        let echo = EchoFilter { quiet, source, target, in_all, body };
        Ok((self.node(ExprKind::Echo(Box::new(echo)), span), pending))
    }

    /// The two variables.
    fn two_names(
        &mut self,
        filter: &'a Filter,
        span: Span,
    ) -> Result<[&'a Ident; 2], ErrorReported> {
        let mut names = filter.names();
        match (names.next(), names.next()) {
            (Some(one), Some(other)) => Ok([one, other]),
            _ => Err(self.not_a_filter(span, filter.keyword)),
        }
    }

    /// A variable of `echo`: an existing position variable, or a new one.
    fn echo_var(&mut self, name: &Ident) -> Result<VarId, ErrorReported> {
        let known = self.lookup_assigned(&name.name);
        let is_position = matches!(known, Some(Binding::Var(var)) if self.is_position(var));
        if self.dialect.local_scopes && !is_position {
            // The scope of the `echo` shadows another meaning of the name.
            return Ok(self.new_var(&name.name, Type::Position));
        }
        self.assigned_variable(name, Type::Position)
    }

    fn is_position(&self, var: VarId) -> bool {
        self.type_of(var) == Type::Position
    }

    pub(super) fn consecutive_moves(&mut self, filter: &'a Filter, span: Span) -> ExprResult {
        let range = self.range(filter.range())?;
        let [left, right] = self.two_names(filter, span)?;
        let [left_var, right_var] = [left, right].map(|name| self.position_variable(name));
        let (left_var, right_var) = (left_var?, right_var?);
        if left_var == right_var {
            let message = "`consecutivemoves` needs two different positions";
            return Err(self.error(Code::SameVariables, right.span, message));
        }
        let moves = ConsecutiveMoves {
            id: MoveRunId::default(),
            quiet: filter.has(Keyword::Quiet),
            range,
            left: left_var,
            right: right_var,
        };
        Ok(self.node(ExprKind::ConsecutiveMoves(moves), span))
    }

    fn position_variable(&mut self, name: &Ident) -> Result<VarId, ErrorReported> {
        let var = self.existing_variable(name)?;
        if self.is_position(var) {
            return Ok(var);
        }
        let ty = self.type_of(var).with_article();
        let error = Diagnostic::new(
            Code::WrongOperand,
            name.span,
            format!("`consecutivemoves` compares positions, but `{}` is {ty}", name.name),
        );
        Err(self.report(error.with_help("`echo (x y)` binds two positions")))
    }
}
