//! Values that outlive the text arena: persistent variables and dictionaries.

use std::collections::Bound;

use babson_lang::hir::{Type, Update};

use super::{Run, State, Stop};
use crate::filters::numbers;
use crate::filters::text;
use crate::op::R;

/// A value that owns what it needs. The order is that of iteration over keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    Number(i32),
    Set(u64),
    Text(Box<[u8]>),
    Position(u32),
}

impl std::fmt::Display for Datum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Datum::Number(number) => write!(f, "{number}"),
            Datum::Set(set) => {
                let mut out = Vec::new();
                text::set(&mut out, babson_chess::SquareSet(*set));
                f.write_str(&String::from_utf8_lossy(&out))
            }
            Datum::Text(text) => write!(f, "\"{}\"", String::from_utf8_lossy(text)),
            Datum::Position(id) => write!(f, "{id}"),
        }
    }
}

impl State<'_> {
    /// The register's word for a value.
    pub(super) fn word(&mut self, datum: &Datum) -> u64 {
        match datum {
            Datum::Number(number) => u64::from(*number as u32),
            Datum::Set(set) => *set,
            Datum::Position(id) => u64::from(*id),
            Datum::Text(text) => self.intern(text),
        }
    }

    pub(super) fn datum(&self, word: u64, ty: Type) -> Datum {
        match ty {
            Type::Set => Datum::Set(word),
            Type::String => Datum::Text(self.bytes(word).into()),
            Type::Position => Datum::Position(word as u32),
            _ => Datum::Number(word as u32 as i32),
        }
    }
}

impl Run<'_, '_> {
    fn key(&self, dictionary: u16, key: R) -> Datum {
        let ty = self.program.code.dictionaries[usize::from(dictionary)].key;
        self.state.datum(self.state.registers[usize::from(key)], ty)
    }

    pub(super) fn lookup(&mut self, dictionary: u16, key: R) -> Option<u64> {
        let key = self.key(dictionary, key);
        let entries = std::mem::take(&mut self.state.kept.dictionaries[usize::from(dictionary)]);
        let word = entries.get(&key).map(|datum| self.state.word(datum));
        self.state.kept.dictionaries[usize::from(dictionary)] = entries;
        word
    }

    /// Whether a value was stored.
    pub(super) fn store_key(
        &mut self,
        pc: usize,
        dictionary: u16,
        key: R,
        value: R,
        op: Option<Update>,
        from_zero: bool,
    ) -> Result<bool, Stop> {
        let ty = self.program.code.dictionaries[usize::from(dictionary)].value;
        let key = self.key(dictionary, key);
        let value = self
            .state
            .datum(self.state.registers[usize::from(value)], ty);
        let entries = &mut self.state.kept.dictionaries[usize::from(dictionary)];
        let Some(op) = op else {
            entries.insert(key, value);
            return Ok(true);
        };
        let old = match entries.get(&key) {
            Some(old) => old.clone(),
            None if from_zero => match value {
                Datum::Text(_) => Datum::Text(Box::default()),
                Datum::Set(_) => Datum::Set(0),
                _ => Datum::Number(0),
            },
            None => {
                let message = "the dictionary has no such key to update".to_owned();
                return self.stop(pc, "dictionary", message, false);
            }
        };
        let new = match (op, old, value) {
            (Update::Number(op), Datum::Number(a), Datum::Number(b)) => {
                match numbers::arithmetic(op, a, b) {
                    Some(number) => Datum::Number(number),
                    None => return Ok(false),
                }
            }
            (Update::Union, Datum::Set(a), Datum::Set(b)) => Datum::Set(a | b),
            (Update::Intersection, Datum::Set(a), Datum::Set(b)) => Datum::Set(a & b),
            (Update::Append, Datum::Text(a), Datum::Text(b)) => {
                if a.len() + b.len() > self.context.options.memory {
                    let message = "the query made too much text".to_owned();
                    return self.stop(pc, "limit", message, false);
                }
                Datum::Text([a, b].concat().into())
            }
            (_, _, value) => value,
        };
        entries.insert(key, new);
        Ok(true)
    }

    pub(super) fn erase(&mut self, dictionary: u16, key: R) {
        if key == crate::op::NONE {
            self.state.kept.dictionaries[usize::from(dictionary)].clear();
        } else {
            let key = self.key(dictionary, key);
            self.state.kept.dictionaries[usize::from(dictionary)].remove(&key);
        }
    }

    /// The next key after the one that `cursor` remembers, or the first.
    pub(super) fn next_key(&mut self, dictionary: u16, cursor: R) -> Option<u64> {
        let cursor = usize::from(cursor);
        let index = usize::from(dictionary);
        let ty = self.program.code.dictionaries[index].key;
        let from = match self.state.registers[cursor] {
            0 => Bound::Unbounded,
            _ => Bound::Excluded(self.state.datum(self.state.registers[cursor + 1], ty)),
        };
        let entries = &self.state.kept.dictionaries[index];
        let key = entries.range((from, Bound::Unbounded)).next()?.0.clone();
        let word = self.state.word(&key);
        self.state.registers[cursor] = 1;
        self.state.registers[cursor + 1] = word;
        Some(word)
    }
}
