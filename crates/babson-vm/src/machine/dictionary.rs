//! Values that outlive the text arena: persistent variables and dictionaries.

use std::hash::{Hash, Hasher};

use hashbrown::Equivalent;
use smallvec::SmallVec;

use babson_lang::hir::{Type, Update};

use super::entries::Entries;
use super::{Run, State, Stop};
use crate::filters::numbers;
use crate::filters::text;
use crate::op::R;

/// A value that owns what it needs. The order is that of iteration over keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Datum {
    Number(i32),
    Set(u64),
    /// Short texts, such as position keys and names of squares, need no memory of their own.
    Text(SmallVec<[u8; 24]>),
    Position(u32),
}

/// A key that is looked up: its text still stands where the query made it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key<'t> {
    Number(i32),
    Set(u64),
    Text(&'t [u8]),
    Position(u32),
}

impl<'t> Key<'t> {
    /// The key that a register holds, given the text arena.
    fn new(arena: &'t [u8], word: u64, ty: Type) -> Key<'t> {
        match ty {
            Type::Set => Key::Set(word),
            Type::String => Key::Text(super::unpack_text(arena, word)),
            Type::Position => Key::Position(word as u32),
            _ => Key::Number(word as u32 as i32),
        }
    }
}

// The keys of a dictionary have one type, so that no more than the value need be hashed.
impl Hash for Key<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match *self {
            Key::Number(number) => state.write_i32(number),
            Key::Set(set) => state.write_u64(set),
            Key::Text(text) => state.write(text),
            Key::Position(id) => state.write_u32(id),
        }
    }
}

impl Hash for Datum {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Equivalent<Datum> for Key<'_> {
    #[inline]
    fn equivalent(&self, datum: &Datum) -> bool {
        match (self, datum) {
            (Key::Number(a), Datum::Number(b)) => a == b,
            (Key::Set(a), Datum::Set(b)) => a == b,
            (Key::Text(a), Datum::Text(b)) => *a == b.as_slice(),
            (Key::Position(a), Datum::Position(b)) => a == b,
            _ => false,
        }
    }
}

impl From<&Key<'_>> for Datum {
    fn from(key: &Key<'_>) -> Datum {
        match *key {
            Key::Number(number) => Datum::Number(number),
            Key::Set(set) => Datum::Set(set),
            Key::Text(text) => Datum::Text(SmallVec::from_slice(text)),
            Key::Position(id) => Datum::Position(id),
        }
    }
}

impl Datum {
    pub(super) fn key(&self) -> Key<'_> {
        match self {
            Datum::Number(number) => Key::Number(*number),
            Datum::Set(set) => Key::Set(*set),
            Datum::Text(text) => Key::Text(text),
            Datum::Position(id) => Key::Position(*id),
        }
    }
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
        Datum::from(&Key::new(&self.text, word, ty))
    }
}

impl Run<'_, '_> {
    /// The entries, and the key in a register.
    fn entries(&mut self, dictionary: u16, key: R) -> (&mut Entries, Key<'_>) {
        let index = usize::from(dictionary);
        let ty = self.program.code.dictionaries[index].key;
        let word = self.state.registers[usize::from(key)];
        let entries = &mut self.state.kept.dictionaries[index];
        (entries, Key::new(&self.state.text, word, ty))
    }

    pub(super) fn lookup(&mut self, dictionary: u16, key: R) -> Option<u64> {
        let (entries, key) = self.entries(dictionary, key);
        Some(match entries.get(key)? {
            Datum::Number(number) => u64::from(*number as u32),
            other => {
                let datum = other.clone();
                self.state.word(&datum)
            }
        })
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
        let value = self
            .state
            .datum(self.state.registers[usize::from(value)], ty);
        let limit = self.context.options.memory;
        let (entries, key) = self.entries(dictionary, key);
        let Some(op) = op else {
            entries.insert(key, value);
            return Ok(true);
        };
        let mut failure = None;
        let stored = entries.update(key, |old| {
            let zero = match &value {
                Datum::Text(_) => Datum::Text(SmallVec::new()),
                Datum::Set(_) => Datum::Set(0),
                _ => Datum::Number(0),
            };
            let old = match old {
                Some(old) => old,
                None if from_zero => &zero,
                None => {
                    failure = Some(("dictionary", "the dictionary has no such key to update"));
                    return None;
                }
            };
            match (op, old, value) {
                (Update::Number(op), Datum::Number(a), Datum::Number(b)) => {
                    numbers::arithmetic(op, *a, b).map(Datum::Number)
                }
                (Update::Union, Datum::Set(a), Datum::Set(b)) => Some(Datum::Set(a | b)),
                (Update::Intersection, Datum::Set(a), Datum::Set(b)) => Some(Datum::Set(a & b)),
                (Update::Append, Datum::Text(a), Datum::Text(b)) => {
                    if a.len() + b.len() > limit {
                        failure = Some(("limit", "the query made too much text"));
                        return None;
                    }
                    let mut text = a.clone();
                    text.extend_from_slice(&b);
                    Some(Datum::Text(text))
                }
                (_, _, value) => Some(value),
            }
        });
        match failure {
            Some((filter, message)) => self.stop(pc, filter, message.to_owned(), false),
            None => Ok(stored),
        }
    }

    pub(super) fn erase(&mut self, dictionary: u16, key: R) {
        if key == crate::op::NONE {
            self.state.kept.dictionaries[usize::from(dictionary)].clear();
        } else {
            let (entries, key) = self.entries(dictionary, key);
            entries.remove(key);
        }
    }

    /// The next key after the one that `cursor` remembers, or the first.
    pub(super) fn next_key(&mut self, dictionary: u16, cursor: R) -> Option<u64> {
        let cursor = usize::from(cursor);
        let index = usize::from(dictionary);
        let ty = self.program.code.dictionaries[index].key;
        let last = match self.state.registers[cursor] {
            0 => None,
            _ => Some(self.state.datum(self.state.registers[cursor + 1], ty)),
        };
        let entries = &mut self.state.kept.dictionaries[index];
        let key = entries.next_key(last.as_ref())?.clone();
        let word = self.state.word(&key);
        self.state.registers[cursor] = 1;
        self.state.registers[cursor + 1] = word;
        Some(word)
    }
}
