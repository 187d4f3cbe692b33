//! Compiles filters that change or write something.

use babson_lang::hir::{DictId, Expr, OutputFilter, StateFilter};

use super::builder::Builder;
use crate::op::{Id, Label, MissingKey, Op, OptionalRegister};

impl Builder {
    /// A change of a variable or of a dictionary.
    pub(super) fn change_state(&mut self, filter: &StateFilter, fail: Label) {
        match filter {
            StateFilter::Assign { var, value, .. } if self.defer_text(*var, value) => {}
            StateFilter::Assign { var, value, if_any } => {
                let src = self.temp();
                self.value(value, src, fail);
                if *if_any {
                    self.emit(Op::TestSet { set: src, fail });
                }
                let var = self.var(*var);
                self.emit(Op::Store { var, src });
            }
            StateFilter::Update { var, op, value } => {
                let src = self.temp();
                self.value(value, src, fail);
                let (var, fail) = (self.var(*var), fail);
                self.emit(Op::Update { var, src, op: *op, fail });
            }
            StateFilter::BindPiece { var, set } => {
                let from = self.temp();
                self.set(set, from);
                let (var, fail) = (self.var(*var), fail);
                self.emit(Op::BindPiece { var, set: from, fail });
            }
            StateFilter::Unbind(var) => {
                let var = self.var(*var);
                self.emit(Op::Unbind { var });
            }
            StateFilter::Store { dictionary, key, op, value, from_zero } => {
                let key = self.key(key, fail);
                let src = self.temp();
                self.value(value, src, fail);
                let dictionary = Id::new(dictionary.0 as usize);
                let declared = &self.dictionaries[dictionary];
                let missing = MissingKey::of(declared, *op, *from_zero);
                self.emit(Op::StoreKey { key, value: src, dictionary, op: *op, missing, fail });
            }
            StateFilter::Erase { dictionary, key } => self.erase(*dictionary, key.as_deref()),
            StateFilter::AssignSlice { var, single, from, to, value } => {
                let text = self.temp();
                self.value(value, text, fail);
                let from = self.optional(from.as_deref(), fail);
                let to = self.optional(to.as_deref(), fail);
                let var = self.var(*var);
                self.emit(Op::RequireBound { var });
                self.emit(Op::Splice { var, from, to, value: text, single: *single, fail });
            }
        }
    }

    /// A filter that writes something.
    pub(super) fn output(&mut self, filter: &OutputFilter, fail: Label) {
        match filter {
            OutputFilter::Comment(parts) => {
                let text = self.temp();
                self.text(parts, text);
                self.emit(Op::Comment { text });
            }
            OutputFilter::Field { name, parts } => self.field(name, parts),
            OutputFilter::Message { quiet, parts } => {
                let text = self.temp();
                self.text(parts, text);
                self.emit(Op::Message { text, quiet: *quiet });
            }
            OutputFilter::SetTag { name, value } => {
                let text = self.temp();
                self.value(value, text, fail);
                let name = self.name(name);
                self.emit(Op::SetTag { name, text });
            }
            OutputFilter::RemoveTag(name) => {
                let name = self.name(name);
                self.emit(Op::RemoveTag { name });
            }
            OutputFilter::WriteFile { name, text } => {
                self.uses_files = true;
                let first = self.pair(name, text, fail);
                self.emit(Op::WriteFile { name: first, text: first + 1 });
            }
        }
    }

    /// `unbind D[k]`, `unbind D`: a key without value is not there.
    fn erase(&mut self, dictionary: DictId, key: Option<&Expr>) {
        let dictionary = Id::new(dictionary.0 as usize);
        let Some(key) = key else {
            return self.emit(Op::Erase { key: OptionalRegister::NONE, dictionary });
        };
        let at = self.temp();
        let missing = self.label();
        let done = self.label();
        self.value(key, at, missing);
        self.emit(Op::Erase { key: at.into(), dictionary });
        self.jump(done);
        self.bind(missing);
        self.bind(done);
    }
}
