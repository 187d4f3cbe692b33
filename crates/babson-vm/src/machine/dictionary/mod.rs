//! Dictionaries: entries that are looked up, stored and walked over.

mod datum;
mod entries;
pub(super) mod hexadecimal;

use std::sync::Arc;

use babson_lang::hir::{Dictionary, Type, Update};

pub(super) use datum::{Datum, Text};
pub(super) use entries::{Entries, EntryData};

use super::{Run, State, Stop};
use crate::filters::numbers;
use crate::op::{Id, MissingKey, OptionalRegister, Pc, Register};
use crate::units::in_units;
use datum::Key;

/// A loop over the keys of a dictionary as they were when it began.
pub(super) struct KeyLoop {
    keys: Arc<Vec<Datum>>,
    /// How many of them it has visited.
    done: usize,
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

    /// The value in a register.
    pub(super) fn datum(&self, word: u64, ty: Type) -> Datum {
        match ty {
            Type::String => Datum::Text(Text::from_slice(self.bytes(word))),
            Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece => {
                Datum::of_word(word, ty)
            }
        }
    }
}

impl Run<'_, '_> {
    /// The entries, and the key in a register.
    #[inline(always)]
    fn entries(
        &mut self,
        dictionary: Id<Dictionary>,
        key: OptionalRegister,
    ) -> (&mut Entries, Key<'_>) {
        let index = dictionary.index();
        let key = match key.get() {
            None => Key::Word(self.zobrist_key()),
            Some(register) => {
                let ty = self.program.code.dictionaries[dictionary].key;
                let word = self.state.registers[register];
                if ty == Type::String {
                    self.state.pay_text(word);
                }
                Key::new(&self.state.text, word, ty)
            }
        };
        (&mut self.state.carryover.dictionaries[index], key)
    }

    #[inline]
    pub(super) fn lookup(
        &mut self,
        dictionary: Id<Dictionary>,
        key: OptionalRegister,
    ) -> Option<u64> {
        let (entries, key) = self.entries(dictionary, key);
        match entries {
            Entries::Words(words) => words.get(key),
            Entries::Texts(table) => {
                let text = table.get(key)?.clone();
                Some(self.state.intern(&text))
            }
        }
    }

    /// Whether a value was stored.
    #[inline]
    pub(super) fn store_key(
        &mut self,
        pc: Pc,
        dictionary: Id<Dictionary>,
        register: OptionalRegister,
        value: u64,
        op: Option<Update>,
        if_missing: MissingKey,
    ) -> Result<bool, Stop> {
        let mut missing = false;
        let (entries, key) = self.entries(dictionary, register);
        let before = entries.bytes();
        let stored = match entries {
            Entries::Words(words) => words.update(key, |entry, known| {
                let joined = match op {
                    None => Some(value),
                    Some(op) if known => join(op, *entry, value),
                    Some(op) => match if_missing {
                        MissingKey::Error => {
                            missing = true;
                            None
                        }
                        MissingKey::Empty => join(op, *entry, value),
                        MissingKey::Operand => Some(value),
                    },
                };
                *entry = joined.unwrap_or(*entry);
                joined.is_some()
            }),
            Entries::Texts(_) => {
                return self.store_text(pc, dictionary, register, value, op.is_some(), if_missing);
            }
        };
        if missing {
            return self.missing_key(pc);
        }
        self.changed(pc, dictionary, before)?;
        Ok(stored)
    }

    /// Accounts for a change of a dictionary that took `before` bytes.
    #[inline]
    fn changed(&mut self, pc: Pc, dictionary: Id<Dictionary>, before: usize) -> Result<(), Stop> {
        let entries = &mut self.state.carryover.dictionaries[dictionary.index()];
        let (after, work) = (entries.bytes(), entries.take_work());
        self.state.pay_steps(work);
        if after == before {
            return Ok(());
        }
        // Neither is more than the address space.
        self.state.entries += after as isize - before as isize;
        if !self.program.code.dictionaries[dictionary].local {
            let bytes = &mut self.state.carryover.entry_bytes;
            bytes.now = bytes.now + after - before;
            bytes.peak = bytes.peak.max(bytes.now);
            if bytes.now > self.context.options.kept_entries {
                return self.too_many_entries(pc);
            }
        }
        self.check_memory(pc)
    }

    #[cold]
    fn too_many_entries(&mut self, pc: Pc) -> Result<(), Stop> {
        let message = format!(
            "the dictionaries hold more than {} of entries, the limit of a run",
            in_units(self.context.options.kept_entries)
        );
        self.stop(pc, "limit", message, true)
    }

    /// Stores a string, or appends it.
    fn store_text(
        &mut self,
        pc: Pc,
        dictionary: Id<Dictionary>,
        key: OptionalRegister,
        value: u64,
        append: bool,
        if_missing: MissingKey,
    ) -> Result<bool, Stop> {
        let limit = self.state.memory;
        self.state.pay_text(value);
        let added = Text::from_slice(self.state.bytes(value));
        let (mut missing, mut too_long) = (false, false);
        let (entries, key) = self.entries(dictionary, key);
        let before = entries.bytes();
        if let Entries::Texts(table) = entries {
            table.update(key, |text, known| {
                missing = append && !known && if_missing == MissingKey::Error;
                too_long = append && text.len() + added.len() > limit;
                if missing || too_long {
                    return false;
                }
                if append {
                    text.extend_from_slice(&added);
                } else {
                    *text = added;
                }
                true
            });
        }
        if missing {
            return self.missing_key(pc);
        }
        if too_long {
            return self.out_of_memory(pc);
        }
        self.changed(pc, dictionary, before)?;
        Ok(true)
    }

    #[cold]
    fn missing_key<T>(&mut self, pc: Pc) -> Result<T, Stop> {
        let message = "the dictionary has no entry for this key: store a first value, as in \
                       `if not D[k] then D[k] = 0`";
        self.stop(pc, "dictionary", message.to_owned(), false)
    }

    pub(super) fn erase(
        &mut self,
        pc: Pc,
        dictionary: Id<Dictionary>,
        key: OptionalRegister,
    ) -> Result<(), Stop> {
        let before = if key.is_none() {
            let entries = &mut self.state.carryover.dictionaries[dictionary.index()];
            let before = entries.bytes();
            entries.clear();
            before
        } else {
            let (entries, key) = self.entries(dictionary, key);
            let before = entries.bytes();
            entries.remove(key);
            before
        };
        self.changed(pc, dictionary, before)
    }

    /// The next key of the loop whose number, from 1, is in the register; a new loop if it is 0.
    pub(super) fn next_key(
        &mut self,
        pc: Pc,
        dictionary: Id<Dictionary>,
        key_loop: Register,
    ) -> Result<Option<u64>, Stop> {
        if self.state.registers[key_loop] == 0 {
            let entries = &mut self.state.carryover.dictionaries[dictionary.index()];
            let before = entries.bytes();
            let keys = entries.keys();
            self.state.key_loops.push(KeyLoop { keys, done: 0 });
            self.state.registers[key_loop] = self.state.key_loops.len() as u64;
            self.changed(pc, dictionary, before)?;
        }
        let state = &mut self.state;
        let index = state.registers[key_loop] as usize - 1;
        let Some(key_loop) = state.key_loops.get_mut(index) else {
            return Ok(None);
        };
        let Some(key) = key_loop.keys.get(key_loop.done) else {
            // Loops within this one have ended before it.
            state.key_loops.truncate(index);
            return Ok(None);
        };
        key_loop.done += 1;
        let key = key.clone();
        Ok(Some(state.word(&key)))
    }
}

/// The value of an entry after an update, if it has one.
#[inline]
fn join(op: Update, old: u64, value: u64) -> Option<u64> {
    match op {
        Update::Number(op) => {
            let joined = numbers::arithmetic(op, old as u32 as i32, value as u32 as i32);
            joined.map(|number| u64::from(number as u32))
        }
        Update::Union => Some(old | value),
        Update::Intersection => Some(old & value),
        Update::Append => Some(value),
    }
}
