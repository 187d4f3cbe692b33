//! Dictionaries (docs/src/language/dictionaries.md#dictionaries).

use super::scope::Binding;
use super::{ErrorReported, ExprResult, OpenResult, Sema, assign};
use crate::ast::{self, AssignOp, Ident, TypeName, levels};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{DictId, Dictionary, Expr, ExprKind, JoinRule, StateFilter, Type};
use crate::keywords::Keyword;

/// A declared dictionary. Its types may not be known yet.
#[derive(Debug)]
pub(super) struct DictionaryDraft {
    name: String,
    pub(super) key: Option<Type>,
    value: Option<Type>,
    local: bool,
    join_rule: Option<JoinRule>,
}

impl DictionaryDraft {
    /// Adds what another declaration says. An error names what the two disagree on.
    fn join(&mut self, other: DictionaryDraft) -> Result<(), &'static str> {
        if self.local != other.local {
            return Err("another lifetime");
        }
        if !agree(other.key, self.key) || !agree(other.value, self.value) {
            return Err("other types");
        }
        if !agree(other.join_rule, self.join_rule) {
            return Err("another rule");
        }
        self.key = self.key.or(other.key);
        self.value = self.value.or(other.value);
        self.join_rule = self.join_rule.or(other.join_rule);
        Ok(())
    }

    /// The final dictionary. If nothing is stored in it, its types do not matter.
    pub(super) fn finish(self) -> Dictionary {
        Dictionary {
            name: self.name,
            key: self.key.unwrap_or(Type::String),
            value: self.value.unwrap_or(Type::Number),
            local: self.local,
            join_rule: self.join_rule,
        }
    }
}

fn type_of(name: TypeName) -> Type {
    match name {
        TypeName::Int => Type::Number,
        TypeName::Str => Type::String,
        TypeName::Set => Type::Set,
        TypeName::Position => Type::Position,
    }
}

/// Whether two declarations agree. A declaration that omits the type agrees with any.
fn agree<T: PartialEq>(new: Option<T>, old: Option<T>) -> bool {
    new.is_none() || old.is_none() || new == old
}

/// Notes the type of a key or of a value, which the first one decides.
fn store_type(
    known: &mut Option<Type>,
    local: bool,
    what: &str,
    stored: &Expr,
) -> Result<(), Diagnostic> {
    let (ty, span) = (stored.ty, stored.span);
    match *known {
        _ if ty == Type::Bool => return Err(Diagnostic::value_needed(span, "a dictionary")),
        Some(old) if old != ty => {
            let (old, new) = (old.with_article(), ty.with_article());
            let message = format!("a {what} of this dictionary is {old}, not {new}");
            return Err(Diagnostic::new(Code::WrongEntryType, span, message));
        }
        _ if ty == Type::Position && !local => return Err(Diagnostic::stored_position(span)),
        _ => *known = Some(ty),
    }
    Ok(())
}

impl<'a> Sema<'a> {
    /// The dictionary that the expression names or declares.
    pub(super) fn named_dictionary(
        &mut self,
        e: &ast::Expr,
    ) -> Result<Option<DictId>, ErrorReported> {
        let ast::ExprKind::Dictionary { storage, types, merge, name } = &e.kind else {
            return Ok(self.bare_dictionary(e));
        };
        let span = e.span;
        if storage.has(Keyword::Atomic) {
            return Err(self.error(Code::WrongStorage, span, "a dictionary cannot be `atomic`"));
        }
        let (key, value) = types.map(|(key, value)| (type_of(key), type_of(value))).unzip();
        // The grammar allows a rule only after types.
        let rule = merge.as_ref().zip(value);
        let join_rule = rule.map(|(rule, value)| self.join_rule(rule, value));
        let join_rule = join_rule.transpose()?;
        self.dictionary_end = Some((name.name.clone(), span.end)).filter(|_| types.is_some());
        let local = storage.has(Keyword::Local);
        let draft = DictionaryDraft { name: name.name.clone(), key, value, local, join_rule };
        match self.lookup(&name.name) {
            Some(Binding::Dictionary(id)) => {
                if let Err(other) = self.dictionaries[id.0 as usize].join(draft) {
                    let message = format!("`{}` was declared with {other}", name.name);
                    return Err(self.error(Code::ChangedDictionary, name.span, message));
                }
                Ok(Some(id))
            }
            Some(known) => {
                let is = known.described();
                let error = Diagnostic::wrong_kind(name.span, &name.name, is, "a dictionary");
                Err(self.report(error))
            }
            None => {
                if [key, value].contains(&Some(Type::Position)) && !local {
                    return Err(self.report(Diagnostic::stored_position(span)));
                }
                let id = DictId(self.dictionaries.len() as u32);
                self.dictionaries.push(draft);
                self.bind_global(&name.name, Binding::Dictionary(id));
                Ok(Some(id))
            }
        }
    }

    /// The rule, such as `(sum)`.
    fn join_rule(&mut self, rule: &Ident, value: Type) -> Result<JoinRule, ErrorReported> {
        let found = JoinRule::parse(&rule.name);
        if let Some(found) = found.filter(|found| found.fits(value)) {
            return Ok(found);
        }
        let a_value = value.with_article();
        let message = match found {
            Some(_) => format!("`{}` does not merge a value that is {a_value}", rule.name),
            None => format!("`{}` is not a rule for merging values", rule.name),
        };
        let fitting: Vec<String> =
            JoinRule::of(value).map(|rule| format!("`{}`", rule.name())).collect();
        let help = if fitting.is_empty() {
            format!("there is no rule for a value that is {a_value}: leave it out")
        } else {
            format!("for a value that is {a_value}: {}", fitting.join(", "))
        };
        Err(self
            .report(Diagnostic::new(Code::UnknownMergeRule, rule.span, message).with_help(help)))
    }

    /// A key of a dictionary. The first use decides the type.
    pub(super) fn key(&mut self, dictionary: DictId, key: &'a ast::Expr) -> ExprResult {
        let key = self.closed(key)?;
        let draft = &mut self.dictionaries[dictionary.0 as usize];
        let checked = store_type(&mut draft.key, draft.local, "key", &key);
        checked.map_err(|error| self.report(error))?;
        Ok(key)
    }

    /// `D[k]`: the value, if the text stores one before. Otherwise only whether the key exists.
    pub(super) fn entry(
        &mut self,
        dictionary: DictId,
        key: &'a ast::Expr,
        span: Span,
    ) -> ExprResult {
        let key = Box::new(self.key(dictionary, key)?);
        let ty = self.dictionaries[dictionary.0 as usize].value.unwrap_or(Type::Bool);
        Ok(self.declared(ExprKind::Lookup { dictionary, key }, ty, span))
    }

    pub(super) fn store_entry(
        &mut self,
        dictionary: DictId,
        key: &'a ast::Expr,
        op: AssignOp,
        op_span: Span,
        value: &'a ast::Expr,
        span: Span,
    ) -> OpenResult<'a> {
        let key = Box::new(self.key(dictionary, key)?);
        let (value, pending) = self.open_at(value, levels::FILTER)?;
        let draft = &mut self.dictionaries[dictionary.0 as usize];
        let checked = store_type(&mut draft.value, draft.local, "value", &value);
        checked.map_err(|error| self.report(error))?;
        let update = assign::update(op, value.ty);
        if op != AssignOp::Set && update.is_none() {
            let message = format!("`{}` does not work on {}", op.name(), value.ty.with_article());
            return Err(self.error(Code::UnjoinableOperands, op_span, message));
        }
        let from_zero = self.dialect.missing_keys_start_empty;
        let kind = ExprKind::State(StateFilter::Store {
            dictionary,
            key,
            op: update,
            value: Box::new(value),
            from_zero,
        });
        Ok((self.node(kind, span), pending))
    }
}
