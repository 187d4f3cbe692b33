//! `str`, `comment`, `message`, tags, variables and dictionaries.

use babson_lang::hir::{Condition, Expr, ExprKind, Property, Type};

use super::builder::Builder;
use crate::op::{Id, Label, Op, OptionalRegister, Register, TextConstant, TextSegment};

impl Builder {
    /// The text of all parts, one after the other, as a string.
    pub(super) fn text(&mut self, parts: &[Expr], dst: Register) {
        if let [Expr { kind: ExprKind::Text(text), .. }] = parts {
            let text = self.text_constant(text);
            return self.emit(Op::ConstText { dst, text });
        }
        if let Some((first, len)) = self.plain_parts(parts) {
            return self.emit(Op::Text { dst, first, len });
        }
        self.emit(Op::TextStart {});
        for part in parts {
            self.scope(part, |this| this.part(part));
        }
        self.emit(Op::TextEnd { dst });
    }

    /// A number or a string is recorded as it is, and not at all without a value; anything else is
    /// recorded as text.
    pub(super) fn field(&mut self, name: &str, parts: &[Expr]) {
        let name = self.name(name);
        let value = self.temp();
        let [part] = parts else {
            self.text(parts, value);
            return self.emit(Op::Field { name, value, ty: Type::String });
        };
        if !matches!(part.ty, Type::Number | Type::String) {
            self.text(parts, value);
            return self.emit(Op::Field { name, value, ty: Type::String });
        }
        let missing = self.label();
        if let ExprKind::Var(var) = part.kind {
            let (var, fail) = (self.var(var), missing);
            self.emit(Op::TestBound { var, fail });
        }
        self.value(part, value, missing);
        self.emit(Op::Field { name, value, ty: part.ty });
        self.bind(missing);
    }

    /// The entries of the parts, if all are constants and variables.
    pub(super) fn plain_parts(&mut self, parts: &[Expr]) -> Option<(Id<TextSegment>, u16)> {
        let is_plain = |part: &Expr| matches!(part.kind, ExprKind::Text(_) | ExprKind::Var(_));
        let len = u16::try_from(parts.len()).ok()?;
        if self.is_profiled() || !parts.iter().all(is_plain) {
            return None;
        }
        let first = self.parts.next_id();
        for part in parts {
            let part = if let ExprKind::Text(text) = &part.kind {
                TextSegment::Constant(self.text_constant(text))
            } else if let ExprKind::Var(var) = &part.kind {
                self.make_text(*var);
                let var = self.var(*var);
                TextSegment::Variable { var, ty: part.ty, unbound: self.unbound_text(var) }
            } else {
                return None;
            };
            self.parts.push(part);
        }
        Some((first, len))
    }

    fn part(&mut self, part: &Expr) {
        let (missing, done) = (self.label(), self.label());
        let value = self.temp();
        if let ExprKind::Var(var) = part.kind {
            self.make_text(var);
            let unbound = self.label();
            let (var, fail) = (self.var(var), unbound);
            self.emit(Op::TestBound { var, fail });
            self.emit(Op::Append { value: var, ty: part.ty });
            self.jump(done);
            self.bind(unbound);
            let text = self.unbound_text(var);
            self.emit(Op::ConstText { dst: value, text });
            self.emit(Op::AppendText { value });
            return self.bind(done);
        }
        if part.ty == Type::Bool {
            self.test_with_dialect_rollback(part, missing);
            // `try` stands for `1 == find …`, so it prints as 1.
            let is_try = matches!(part.kind, ExprKind::Condition(Condition::Try));
            let text = self.text_constant(if is_try { b"1" } else { b"<true>" });
            self.emit(Op::ConstText { dst: value, text });
            self.emit(Op::AppendText { value });
        } else {
            self.value(part, value, missing);
            self.emit(Op::Append { value, ty: part.ty });
        }
        self.jump(done);
        self.bind(missing);
        let text = self.text_constant(b"<false>");
        self.emit(Op::ConstText { dst: value, text });
        self.emit(Op::AppendText { value });
        self.bind(done);
    }

    fn unbound_text(&mut self, var: Register) -> TextConstant {
        let text = format!("<unbound: {}>", self.var_name(var));
        self.text_constant(text.as_bytes())
    }

    /// Compiles a dictionary's key and returns its register. None for `zobristkey`: the machine
    /// looks up the key of the board without writing it as text.
    pub(super) fn key(&mut self, key: &Expr, fail: Label) -> OptionalRegister {
        if key.kind == ExprKind::Property(Property::ZobristKey) {
            return OptionalRegister::NONE;
        }
        let at = self.temp();
        self.value(key, at, fail);
        at.into()
    }
}
