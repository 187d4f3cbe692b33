//! Assignments: `x = F`, `x += F`, `piece x = S`, `D[k] = F`, and `unbind`
//! (docs/src/language/variables.md#variables-and-functions).

use super::scope::Binding;
use super::{ExprResult, OpenResult, Sema};
use crate::ast::{self, AssignOp, ExprKind as Ast, Ident, Storage, levels};
use crate::diagnostic::{Code, Diagnostic, Span, quoted};
use crate::hir::{Arithmetic, ExprKind, StateFilter, Type, Update, Var};
use crate::keywords::Keyword;

/// The update that an operator makes to a value of the type, if it can.
pub(super) fn update(op: AssignOp, ty: Type) -> Option<Update> {
    Some(match (op, ty) {
        (AssignOp::Arithmetic(op), Type::Number) => Update::Number(op),
        (AssignOp::Arithmetic(Arithmetic::Add), Type::String) => Update::Append,
        (AssignOp::Union, Type::Set) => Update::Union,
        (AssignOp::Intersect, Type::Set) => Update::Intersection,
        _ => return None,
    })
}

/// Applies the keywords before an assignment, such as `persistent`, to its variable, which may be
/// known from an earlier one.
fn store(var: &mut Var, storage: &Storage, name: &Ident, known: bool) -> Result<(), Diagnostic> {
    let wrong = |message: String| Err(Diagnostic::new(Code::WrongStorage, name.span, message));
    if storage.has(Keyword::Local) {
        return wrong("only dictionaries can be `local`".to_owned());
    }
    if storage.has(Keyword::Atomic) && storage.has(Keyword::Persistent) {
        return Err(Diagnostic::excluding(name.span, "`atomic`", "`persistent`"));
    }
    if storage.has(Keyword::Atomic) {
        if var.ty == Type::Piece || var.persistent.is_some() {
            return wrong("a piece variable or a persistent one cannot be `atomic`".to_owned());
        }
        var.atomic = true;
    }
    if storage.has(Keyword::Persistent) {
        if known && var.persistent.is_none() {
            return wrong(format!("`{}` was assigned before without `persistent`", name.name));
        }
        if matches!(var.ty, Type::Position | Type::Piece) {
            return wrong(format!("{} cannot be `persistent`", var.ty.with_article()));
        }
        let quiet = var.persistent.unwrap_or(false) || storage.has(Keyword::Quiet);
        var.persistent = Some(quiet);
    }
    Ok(())
}

impl<'a> Sema<'a> {
    pub(super) fn assign(
        &mut self,
        storage: &Storage,
        name: &Ident,
        op: AssignOp,
        op_span: Span,
        value: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let (value, pending) = self.open_at(value, levels::VALUE)?;
        if value.ty == Type::Bool {
            let error = Diagnostic::value_needed(value.span, &quoted(&op.name()));
            return Err(self.report(error.with_help(format!(
                "`if … {name} = 1 else {name} = 0` keeps whether it matched",
                name = name.name
            ))));
        }
        let ty = value.ty;
        let known = self.lookup_assigned(&name.name).is_some();
        if op == AssignOp::SetIfAny && ty != Type::Set {
            return Err(self.mismatch(&value, Type::Set.with_article(), "=?"));
        }
        let is_update = !matches!(op, AssignOp::Set | AssignOp::SetIfAny);
        // An update declares only a persistent variable.
        let var = if is_update && (known || !storage.has(Keyword::Persistent)) {
            self.existing_variable(name)?
        } else {
            self.assigned_variable(name, ty)?
        };
        let stored = store(&mut self.query.vars[var.0 as usize], storage, name, known);
        stored.map_err(|error| self.report(error))?;
        let old = self.type_of(var);
        let value = Box::new(value);
        let kind = if !is_update {
            // A set always has a value, so the assignment never fails.
            if op == AssignOp::Set && self.depth == 1 && ty == Type::Set {
                self.assigned.insert(var);
            }
            ExprKind::State(StateFilter::Assign { var, value, if_any: op == AssignOp::SetIfAny })
        } else if let Some(op) = update(op, old).filter(|_| old == ty) {
            ExprKind::State(StateFilter::Update { var, op, value })
        } else {
            let (old, new) = (old.with_article(), ty.with_article());
            let message = format!("`{}` cannot join {old} and {new}", op.name());
            return Err(self.error(Code::UnjoinableOperands, op_span, message));
        };
        Ok((self.node(kind, span), pending))
    }

    pub(super) fn assign_piece(
        &mut self,
        name: &Ident,
        value: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let (set, pending) = self.open_at(value, levels::SET)?;
        let set = self.expect(set, Type::Set, "piece … =")?;
        let var = self.assigned_variable(name, Type::Piece)?;
        Ok((
            self.node(ExprKind::State(StateFilter::BindPiece { var, set: Box::new(set) }), span),
            pending,
        ))
    }

    /// `D[k] = v`, `s[1] = t`, `s[1:2] = t`.
    pub(super) fn assign_index(
        &mut self,
        place: &'a ast::Expr,
        op: AssignOp,
        op_span: Span,
        value: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let (base, from, to, single) = if let Ast::Index { base, index } = &place.kind {
            (base, Some(&**index), None, true)
        } else if let Ast::Slice { base, from, to } = &place.kind {
            (base, from.as_deref(), to.as_deref(), false)
        } else {
            return Err(self.error(
                Code::NotAssignable,
                place.span,
                "nothing can be assigned to this",
            ));
        };
        if let Some(dictionary) = self.named_dictionary(base)? {
            return match (from, single) {
                (Some(key), true) => self.store_entry(dictionary, key, op, op_span, value, span),
                _ => Err(self.report(Diagnostic::no_slices(place.span))),
            };
        }
        let Ast::Name(name) = &base.kind else {
            return Err(self.error(
                Code::NotAssignable,
                base.span,
                "only parts of variables and entries of dictionaries can be assigned",
            ));
        };
        if single && self.lookup(name).is_none() {
            return Err(self.unknown_dictionary(name, base.span));
        }
        let name = Ident { name: name.clone(), span: base.span };
        let var = self.existing_variable(&name)?;
        if self.type_of(var) != Type::String {
            let ty = self.type_of(var).with_article();
            return Err(self.error(
                Code::NotIndexable,
                base.span,
                format!("`{}` is {ty}; only strings have slices", name.name),
            ));
        }
        if op != AssignOp::Set {
            return Err(self.error(
                Code::SliceUpdate,
                op_span,
                "a slice can only be assigned with `=`",
            ));
        }
        let from = self.bound_of_slice(from)?;
        let to = self.bound_of_slice(to)?;
        let (value, pending) = self.open_at(value, levels::FILTER)?;
        let value = Box::new(self.expect(value, Type::String, "=")?);
        let kind = ExprKind::State(StateFilter::AssignSlice { var, single, from, to, value });
        Ok((self.node(kind, span), pending))
    }

    pub(super) fn unbind(
        &mut self,
        name: &Ident,
        key: Option<&'a ast::Expr>,
        span: Span,
    ) -> ExprResult {
        if let Some(Binding::Dictionary(dictionary)) = self.lookup(&name.name) {
            let key = key.map(|key| self.key(dictionary, key).map(Box::new)).transpose()?;
            return Ok(self.node(ExprKind::State(StateFilter::Erase { dictionary, key }), span));
        }
        let var = self.existing_variable(name)?;
        self.assigned.remove(&var);
        if let Some(key) = key {
            let error = Diagnostic::wrong_kind(key.span, &name.name, "a variable", "a dictionary");
            return Err(self.report(error));
        }
        Ok(self.node(ExprKind::State(StateFilter::Unbind(var)), span))
    }
}
