//! `str`, `comment`, `message`, tags, variables and dictionaries.

use babson_lang::hir::{Condition, Expr, ExprKind, Part, Quantity, Type};

use super::TextPart;
use super::builder::{Builder, Label};
use crate::op::{BOARD_KEY, MissingKey, NONE, Op, R};

impl Builder {
    /// The text of all parts, one after the other, as a string.
    pub(super) fn text(&mut self, parts: &[Part], dst: R) {
        if let [Expr { kind: ExprKind::Text(text), .. }] = parts {
            let value = self.text_constant(text);
            return self.emit(Op::Const { dst, value });
        }
        if let Some((first, len)) = self.plain_parts(parts) {
            return self.emit(Op::Text { dst, first, len });
        }
        self.emit(Op::TextStart);
        for part in parts {
            self.scope(part, |this| this.part(part));
        }
        self.emit(Op::TextEnd { dst });
    }

    /// Where the parts are noted, if all are constants and variables.
    pub(super) fn plain_parts(&mut self, parts: &[Part]) -> Option<(u32, u16)> {
        let is_plain = |part: &Part| matches!(part.kind, ExprKind::Text(_) | ExprKind::Var(_));
        let len = u16::try_from(parts.len()).ok()?;
        if self.is_profiled() || !parts.iter().all(is_plain) {
            return None;
        }
        let first = self.parts.len() as u32;
        for part in parts {
            let part = match &part.kind {
                ExprKind::Text(text) => TextPart::Constant(self.text_constant(text)),
                ExprKind::Var(var) => {
                    self.make_text(*var);
                    let var = self.var(*var);
                    TextPart::Variable { var, ty: part.ty, unbound: self.unbound_text(var) }
                }
                _ => return None,
            };
            self.parts.push(part);
        }
        Some((first, len))
    }

    fn part(&mut self, part: &Part) {
        let (missing, done) = (self.label(), self.label());
        let value = self.temp();
        if let ExprKind::Var(var) = part.kind {
            self.make_text(var);
            let unbound = self.label();
            let (var, fail) = (self.var(var), self.to(unbound));
            self.emit(Op::TestBound { var, fail });
            self.emit(Op::Append { value: var, ty: part.ty });
            self.jump(done);
            self.bind(unbound);
            let constant = self.unbound_text(var);
            self.emit(Op::Const { dst: value, value: constant });
            self.emit(Op::AppendText { value });
            return self.bind(done);
        }
        if part.ty == Type::Bool {
            self.guarded_test(part, missing);
            // `try` stands for `1 == find …` (moves-and-sequences.md 13), so it prints as 1.
            let is_try = matches!(part.kind, ExprKind::Condition(Condition::Try));
            let constant = self.text_constant(if is_try { b"1" } else { b"<true>" });
            self.emit(Op::Const { dst: value, value: constant });
            self.emit(Op::AppendText { value });
        } else {
            self.value(part, value, missing);
            self.emit(Op::Append { value, ty: part.ty });
        }
        self.jump(done);
        self.bind(missing);
        let constant = self.text_constant(b"<false>");
        self.emit(Op::Const { dst: value, value: constant });
        self.emit(Op::AppendText { value });
        self.bind(done);
    }

    fn unbound_text(&mut self, var: R) -> u64 {
        let text = format!("<unbound: {}>", self.var_name(var));
        self.text_constant(text.as_bytes())
    }

    pub(super) fn effect(&mut self, expr: &Expr, fail: Label) {
        match &expr.kind {
            ExprKind::Comment(parts) => {
                let text = self.temp();
                self.text(parts, text);
                self.emit(Op::Comment { text });
            }
            ExprKind::Message { quiet, parts } => {
                let text = self.temp();
                self.text(parts, text);
                self.emit(Op::Message { text, quiet: *quiet });
            }
            ExprKind::SetTag { name, value } => {
                let text = self.temp();
                self.value(value, text, fail);
                let name = self.name(name);
                self.emit(Op::SetTag { name, text });
            }
            ExprKind::RemoveTag(name) => {
                let name = self.name(name);
                self.emit(Op::RemoveTag { name });
            }
            ExprKind::WriteFile { name, text } => {
                self.uses_files = true;
                let first = self.pair(name, text, fail);
                self.emit(Op::WriteFile { name: first, text: first + 1 });
            }
            _ => {}
        }
    }

    /// The register of a dictionary's key.
    pub(super) fn key(&mut self, key: &Expr, fail: Label) -> R {
        if key.kind == ExprKind::Quantity(Quantity::ZobristKey) {
            return BOARD_KEY;
        }
        let at = self.temp();
        self.value(key, at, fail);
        at
    }

    pub(super) fn binding(&mut self, expr: &Expr, fail: Label) {
        match &expr.kind {
            ExprKind::Assign { var, value, .. } if self.defer_text(*var, value) => {}
            ExprKind::Assign { var, value, if_any } => {
                let src = self.temp();
                self.value(value, src, fail);
                if *if_any {
                    let fail = self.to(fail);
                    self.emit(Op::TestSet { set: src, fail });
                }
                let var = self.var(*var);
                self.emit(Op::Store { var, src });
            }
            ExprKind::Update { var, op, value } => {
                let src = self.temp();
                self.value(value, src, fail);
                let (var, fail) = (self.var(*var), self.to(fail));
                self.emit(Op::Update { var, src, op: *op, fail });
            }
            ExprKind::BindPiece { var, set } => {
                let from = self.temp();
                self.set(set, from);
                let (var, fail) = (self.var(*var), self.to(fail));
                self.emit(Op::BindPiece { var, set: from, fail });
            }
            ExprKind::Unbind(var) => {
                let var = self.var(*var);
                self.emit(Op::Unbind { var });
            }
            ExprKind::IsBound(var) => {
                let (var, fail) = (self.var(*var), self.to(fail));
                self.emit(Op::TestBound { var, fail });
            }
            ExprKind::Store { dictionary, key, op, value, from_zero } => {
                let key = self.key(key, fail);
                let src = self.temp();
                self.value(value, src, fail);
                let declared = &self.dictionaries[dictionary.0 as usize];
                let missing = MissingKey::of(declared, *op, *from_zero);
                let (dictionary, fail) = (dictionary.0 as u16, self.to(fail));
                self.emit(Op::StoreKey { key, value: src, dictionary, op: *op, missing, fail });
            }
            ExprKind::Erase { dictionary, key } => {
                let key = match key {
                    Some(key) => {
                        let at = self.temp();
                        let done = self.label();
                        let missing = self.label();
                        self.value(key, at, missing);
                        self.emit(Op::Erase { key: at, dictionary: dictionary.0 as u16 });
                        self.jump(done);
                        self.bind(missing);
                        return self.bind(done);
                    }
                    None => NONE,
                };
                self.emit(Op::Erase { key, dictionary: dictionary.0 as u16 });
            }
            ExprKind::AssignSlice { var, single, from, to, value } => {
                let text = self.temp();
                self.value(value, text, fail);
                let from = self.optional(from.as_deref(), fail);
                let to = self.optional(to.as_deref(), fail);
                let var = self.var(*var);
                self.emit(Op::RequireBound { var });
                let fail = self.to(fail);
                self.emit(Op::Splice { var, from, to, value: text, single: *single, fail });
            }
            _ => {}
        }
    }
}
