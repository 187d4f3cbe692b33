//! User functions: inlined at each call (language.md 12).

use std::collections::HashMap;

use super::scope::{Binding, Moment};
use super::{Reported, Sema, Typed};
use crate::ast::{self, ExprKind as Ast, Ident};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{ExprKind, Type};
use crate::limits::MAX_CALLS;
use crate::suggest;

/// A function as it is written.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    params: &'a [Ident],
    body: &'a [ast::Expr],
    /// Where it stands: the names of its body are looked up from there.
    scope: usize,
    /// Names around it that are older than this are its own to assign.
    shares: Moment,
    /// Where names are global, what the parameters of the functions around it stood for at its
    /// definition.
    around: HashMap<String, Binding>,
    span: Span,
}

impl<'a> Sema<'a> {
    pub(super) fn function(
        &mut self,
        name: &Ident,
        params: &'a [Ident],
        body: &'a [ast::Expr],
        span: Span,
    ) -> Typed {
        for (i, param) in params.iter().enumerate() {
            if params[..i].iter().any(|other| other.name == param.name) {
                return Err(
                    self.error(param.span, format!("the parameter `{}` occurs twice", param.name))
                );
            }
        }
        let known = if self.dialect.local_scopes {
            self.known_here(&name.name)
        } else {
            self.lookup(&name.name)
        };
        let around = self.parameters_around();
        match known {
            // A definition inside a function that is inlined again.
            Some(Binding::Function(old)) if self.functions[old].span == span => {
                self.functions[old].around = around;
            }
            Some(Binding::Poisoned) | None => {
                let id = self.functions.len();
                self.binding_functions |= body.iter().any(|e| self.gives_meaning(e));
                self.note_name(name);
                self.bind(&name.name, Binding::Function(id));
                self.functions.push(Definition {
                    params,
                    body,
                    scope: self.current_scope(),
                    shares: self.moment + 1,
                    around,
                    span,
                });
            }
            Some(_) => {
                return Err(self.error(name.span, format!("`{}` is already defined", name.name)));
            }
        }
        Ok(self.bool(true, span))
    }

    pub(super) fn call(&mut self, name: &Ident, args: &'a [ast::Expr], span: Span) -> Typed {
        let id = match self.lookup(&name.name) {
            Some(Binding::Function(id)) => id,
            Some(Binding::Poisoned) => return Err(Reported),
            Some(_) => {
                return Err(self.error(name.span, format!("`{}` is not a function", name.name)));
            }
            None => {
                let error = self.unknown_function(name);
                return Err(self.report(error));
            }
        };
        let Definition { params, body, scope, shares, ref around, .. } = self.functions[id];
        let mut names = around.clone();
        if params.len() != args.len() {
            // One of them may be two: `K -1`.
            self.closed_all(args)?;
            let wanted =
                format!("{} argument{}", params.len(), if params.len() == 1 { "" } else { "s" });
            return Err(self.wrong_count(span, &name.name, &wanted, args.len()));
        }
        if self.calls.contains(&id) {
            return Err(self.error(
                name.span,
                format!("`{}` calls itself: a function cannot be recursive", name.name),
            ));
        }
        if self.calls.len() >= MAX_CALLS {
            return Err(self.error(name.span, "function calls are too deeply nested"));
        }
        let mut steps = Vec::with_capacity(args.len() + 1);
        let mut failed = false;
        for (param, arg) in params.iter().zip(args) {
            match self.argument(&name.name, arg) {
                Ok((binding, step)) => {
                    names.insert(param.name.clone(), binding);
                    steps.extend(step);
                }
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        // In 6.2 a body knows its parameters, those around its definition and all that is global.
        let parent = if self.dialect.local_scopes { scope } else { 0 };
        self.calls.push(id);
        self.push_scope(parent, names, shares);
        let typed = self.closed_all(body);
        let own = self.pop_scope();
        self.calls.pop();
        let body_span = body.first().map_or(span, |first| first.span.to(body[body.len() - 1].span));
        let body = self.sequence(typed?, body_span);
        let body = self.fresh(own, body);
        if steps.is_empty() {
            return Ok(body);
        }
        steps.push(body);
        Ok(self.sequence(steps, span))
    }

    /// An argument: what the parameter stands for, and the assignment to be made before the body.
    fn argument(
        &mut self,
        function: &str,
        arg: &'a ast::Expr,
    ) -> Result<(Binding, Option<crate::hir::Expr>), Reported> {
        // A bare name is passed by name.
        if let Ast::Name(name) = &arg.kind {
            return match self.lookup(name) {
                Some(Binding::Poisoned) => Err(Reported),
                Some(binding) => Ok((binding, None)),
                None => Err(self.unknown(name, arg.span)),
            };
        }
        let value = self.closed(arg)?;
        if value.ty == Type::Bool {
            let error = Diagnostic::error(
                value.span,
                format!("`{function}` needs a value here, but this is a condition"),
            );
            return Err(self.report(error));
        }
        let var = self.new_var("", value.ty);
        let span = value.span;
        let kind = ExprKind::Assign { var, value: Box::new(value), if_any: false };
        Ok((Binding::Var(var), Some(self.node(kind, Type::Bool, span))))
    }

    fn unknown_function(&mut self, name: &Ident) -> Diagnostic {
        let error = Diagnostic::error(name.span, format!("unknown function `{}`", name.name));
        if self.gone.contains(&name.name) {
            let name = &name.name;
            return error.with_help(format!(
                "`{name}` is known only in the body that defined it: define it before, or choose `--dialect cql6`"
            ));
        }
        match suggest::nearest(&name.name, Vec::new()) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("a function must be defined before it is called"),
        }
    }
}
