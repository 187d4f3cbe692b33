//! Functions, which are inlined at each call
//! (docs/src/language/variables.md#variables-and-functions).

use std::collections::HashMap;

use super::scope::{Binding, BindingTime, only_in_babson};
use super::{ErrorReported, ExprResult, Sema, all_of};
use crate::ast::{self, ExprKind as Ast, Ident};
use crate::diagnostic::{Code, Diagnostic, Help, Remedy, Span, quoted};
use crate::hir::{ExprKind, StateFilter, Type};
use crate::keywords::Keyword;
use crate::limits::MAX_CALLS;
use crate::suggest;

/// Functions of other languages, and the words that stand before an operand in parentheses instead.
const FOREIGN: [(&[&str], &str); 2] =
    [(&["print", "println", "printf", "echo"], "message"), (&["len", "length", "sizeof"], "#")];

/// The definition of a function.
#[derive(Debug)]
pub(super) struct FunctionDefinition<'a> {
    params: &'a [Ident],
    body: &'a [ast::Expr],
    /// The scope of the definition, in which the names of the body are looked up.
    scope: usize,
    /// The body can assign to names of enclosing scopes that were bound before this time.
    shared_before: BindingTime,
    /// If names are global, the bindings of the parameters of enclosing functions at the
    /// definition.
    enclosing_parameters: HashMap<String, Binding>,
    /// The place of the name in the definition.
    name: Span,
    span: Span,
}

impl<'a> Sema<'a> {
    pub(super) fn function(
        &mut self,
        name: &Ident,
        params: &'a [Ident],
        body: &'a [ast::Expr],
        span: Span,
    ) -> ExprResult {
        let known = if self.dialect.local_scopes {
            self.lookup_declared_here(&name.name)
        } else {
            self.lookup(&name.name)
        };
        let enclosing_parameters = self.visible_parameters();
        match known {
            // The definition is in the body of a function that is inlined again.
            Some(Binding::Function(old)) if self.functions[old].span == span => {
                self.functions[old].enclosing_parameters = enclosing_parameters;
            }
            Some(Binding::Poisoned) | None => {
                let id = self.functions.len();
                self.binding_functions |= body.iter().any(|e| self.binds_names(e));
                self.note_reserved_name(name);
                self.bind(&name.name, Binding::Function(id));
                self.functions.push(FunctionDefinition {
                    params,
                    body,
                    scope: self.current_scope(),
                    shared_before: self.binding_time + 1,
                    enclosing_parameters,
                    name: name.span,
                    span,
                });
            }
            Some(known) => {
                let mut error = Diagnostic::new(
                    Code::AlreadyDefined,
                    name.span,
                    format!("`{}` is already defined", name.name),
                );
                if let Binding::Function(first) = known {
                    error = error.with_related(self.functions[first].name, "the first definition");
                }
                return Err(self.report(error));
            }
        }
        Ok(self.bool(true, span))
    }

    pub(super) fn call(&mut self, name: &Ident, args: &'a [ast::Expr], span: Span) -> ExprResult {
        let id = self.called_function(name)?;
        let FunctionDefinition { params, ref enclosing_parameters, .. } = self.functions[id];
        let mut names = enclosing_parameters.clone();
        if params.len() != args.len() {
            // An argument such as `K -1` may be two.
            self.closed_all(args)?;
            let wanted =
                format!("{} argument{}", params.len(), if params.len() == 1 { "" } else { "s" });
            return Err(self.wrong_count(span, &name.name, &wanted, args.len()));
        }
        if self.calls.contains(&id) {
            return Err(self.error(
                Code::RecursiveFunction,
                name.span,
                format!("`{}` calls itself: a function cannot be recursive", name.name),
            ));
        }
        if self.calls.len() >= MAX_CALLS {
            let error = Diagnostic::nested_too_deep(name.span, "function calls are", MAX_CALLS);
            return Err(self.report(error));
        }
        let args = params.iter().zip(args).map(|(param, arg)| self.argument(name, param, arg));
        let args = all_of(args)?;
        let mut steps = Vec::with_capacity(args.len() + 1);
        for (param, (binding, step)) in params.iter().zip(args) {
            names.insert(param.name.clone(), binding);
            steps.extend(step);
        }
        steps.push(self.inlined_body(id, names, span)?);
        Ok(self.sequence(steps, span))
    }

    /// The index of the function that is called by its name.
    fn called_function(&mut self, name: &Ident) -> Result<usize, ErrorReported> {
        let error = match self.lookup(&name.name) {
            Some(Binding::Function(id)) => return Ok(id),
            Some(Binding::Poisoned) => return Err(ErrorReported),
            Some(known) => {
                let is = known.described();
                Diagnostic::wrong_kind(name.span, &name.name, is, "a function")
            }
            None => self.unknown_function(name),
        };
        Err(self.report(error))
    }

    /// The body of a function, in which the parameters have these bindings.
    fn inlined_body(
        &mut self,
        id: usize,
        parameters: HashMap<String, Binding>,
        call: Span,
    ) -> ExprResult {
        let FunctionDefinition { body, scope, shared_before, .. } = self.functions[id];
        // In CQL 6.2 a body knows the parameters of its own function and of the functions around
        // it, and global names.
        let parent = if self.dialect.local_scopes { scope } else { 0 };
        self.calls.push(id);
        self.push_scope(parent, parameters, shared_before);
        let typed = self.closed_all(body);
        let own = self.pop_scope();
        self.calls.pop();
        let span = body.first().map_or(call, |first| first.span.to(body[body.len() - 1].span));
        let body = self.sequence(typed?, span);
        Ok(self.with_fresh_variables(own, body))
    }

    /// The binding of a parameter, and the assignment of its argument before the body.
    fn argument(
        &mut self,
        function: &Ident,
        parameter: &Ident,
        arg: &'a ast::Expr,
    ) -> Result<(Binding, Option<crate::hir::Expr>), ErrorReported> {
        // A bare name is passed by name.
        if let Ast::Name(name) = &arg.kind {
            return match self.lookup(name) {
                Some(Binding::Poisoned) => Err(ErrorReported),
                Some(binding) => Ok((binding, None)),
                None => Err(self.unknown(name, arg.span)),
            };
        }
        let value = self.closed(arg)?;
        if value.ty == Type::Bool {
            return Err(self.report(Diagnostic::value_needed(value.span, &quoted(&function.name))));
        }
        let var = self.new_var(&parameter.name, value.ty);
        let span = value.span;
        let kind =
            ExprKind::State(StateFilter::Assign { var, value: Box::new(value), if_any: false });
        Ok((Binding::Var(var), Some(self.node(kind, span))))
    }

    fn unknown_function(&mut self, name: &Ident) -> Diagnostic {
        if let Some(error) = only_in_babson(&name.name, name.span) {
            return error;
        }
        let error = Diagnostic::new(
            Code::UnknownFunction,
            name.span,
            format!("unknown function `{}`", name.name),
        );
        if self.closed_names.contains(&name.name) {
            let name = &name.name;
            let help = format!(
                "`{name}` is known only in the body that defined it: define it before, or choose the dialect `cql6`"
            );
            return error.with_help(help).with_remedy(Remedy::Dialect);
        }
        let lower = name.name.to_ascii_lowercase();
        if Keyword::from_word(&lower).is_some() {
            return error.with_help(Help::write(name.span, lower).certain());
        }
        if let Some((_, filter)) = FOREIGN.iter().find(|(words, _)| words.contains(&&*lower)) {
            return error.with_help(Help::write(name.span, *filter));
        }
        match suggest::nearest(&name.name, Vec::new()) {
            Some(near) => error.with_help(Help::did_you_mean(name.span, &near)),
            None => error.with_help("a function must be defined before it is called"),
        }
    }
}
