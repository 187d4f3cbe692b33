//! What the type check learns of a query that may have errors.

use std::collections::HashMap;

use babson_chess::VariantNames;

use super::dictionaries::DictionaryDraft;
use super::{ErrorReported, Sema, header};
use crate::ast;
use crate::choice::CheckFailure;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{Dictionary, Expr, Type, Var};
use crate::steps::Steps;

/// What is known of a query, whether it has errors or not.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    /// The types of the expressions that could be typed, by their places.
    pub(crate) types: HashMap<Span, Type>,
    /// The variables, those for arguments of functions included.
    pub(crate) variables: Vec<Var>,
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Types what can be typed. In the tree, [`ast::ExprKind::Error`] stands for what was not parsed;
/// it is not reported again. The failure is a reading that the types reject.
pub(crate) fn learn(
    tree: &ast::Query,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> (Lesson, Option<CheckFailure>) {
    let mut sema = Sema::new(dialect, variants);
    sema.types = Some(HashMap::new());
    sema.query.header = tree.header.as_ref().map(header::lower).unwrap_or_default();
    // What is wrong is in the errors.
    drop(sema.closed_all(&tree.items));
    steps.typed += sema.steps.typed;
    steps.copied += sema.steps.copied;
    let rejected = match sema.reverses_readings() {
        true => sema.rejections.take(),
        false => None,
    };
    let Sema { query, dictionaries, errors, types, .. } = sema;
    let dictionaries = dictionaries.into_iter().map(DictionaryDraft::finish).collect();
    let types = types.unwrap_or_default();
    (Lesson { types, variables: query.vars, dictionaries, errors }, rejected)
}

impl Sema<'_> {
    /// Notes the type of an expression. Of several nodes at one place, the last one is the
    /// outermost.
    pub(super) fn note_type(&mut self, e: &Expr) {
        if let Some(types) = &mut self.types {
            types.insert(e.span, e.ty);
        }
    }

    /// The error of what was not parsed. The parser has reported it already if it went on after it.
    pub(super) fn not_parsed(&mut self, span: Span) -> ErrorReported {
        match self.types {
            Some(_) => ErrorReported,
            None => self.error(Code::NotAFilter, span, "this is not a filter"),
        }
    }
}
