//! The entries of a dictionary: found by hashing, walked over in the order of their keys.

use std::sync::Arc;

use hashbrown::hash_map::Entry;
use hashbrown::{DefaultHashBuilder, HashMap};

use babson_lang::hir::Type;
use serde::{Deserialize, Serialize};

use super::datum::{Datum, Key, Text, joined, of_key};
use crate::code::SharingRule;
use crate::limits::MAX_RETAINED_MEMORY;

/// Slots of a hash table for each entry, just after it has grown.
const SLOTS_PER_ENTRY: usize = 2;

/// What a key or a value holds beyond its own size, in bytes.
pub(in crate::machine) trait Heap {
    fn heap(&self) -> usize;
}

impl Heap for u64 {
    #[inline]
    fn heap(&self) -> usize {
        0
    }
}

impl Heap for Text {
    #[inline]
    fn heap(&self) -> usize {
        if self.spilled() { self.capacity() } else { 0 }
    }
}

/// Bytes of a hash table for each entry.
const fn slot_bytes<K, V>() -> usize {
    SLOTS_PER_ENTRY * (size_of::<(K, V)>() + 1)
}

/// Bytes that an entry takes. The text of the key counts twice: it is in the order as well.
#[inline]
fn cost<K: Heap, V: Heap>(key: &K, value: &V) -> usize {
    slot_bytes::<K, V>() + 2 * key.heap() + value.heap()
}

/// Keys and values. Few queries iterate over a dictionary, so the keys are sorted when a loop
/// begins. The order is kept until a key is added or removed.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Table<V> {
    keys: Type,
    /// By [`Key::Word`] and by [`Key::Text`].
    words: HashMap<u64, V>,
    texts: HashMap<Text, V>,
    /// All keys in order, and perhaps removed ones. Shared with the loops over it: a change during
    /// a loop makes a copy.
    order: Option<Arc<Vec<Datum>>>,
    /// Whether keys were removed that are still in the order.
    removed: bool,
    /// Whether it was emptied since it was made.
    emptied: bool,
    /// Bytes that the entries take, without the order.
    entry_bytes: usize,
    /// Steps of work on the order that are not charged yet.
    work: u64,
}

impl<V: Default + Heap> Table<V> {
    fn new(keys: Type) -> Table<V> {
        Table {
            keys,
            words: HashMap::new(),
            texts: HashMap::new(),
            order: None,
            removed: false,
            emptied: false,
            entry_bytes: 0,
            work: 0,
        }
    }

    /// Bytes that the table takes.
    #[inline]
    fn bytes(&self) -> usize {
        let order = self.order.as_ref().map_or(0, |order| order.len());
        self.entry_bytes + order * size_of::<Datum>()
    }

    fn len(&self) -> usize {
        self.words.len() + self.texts.len()
    }

    #[inline]
    pub(super) fn get(&self, key: Key<'_>) -> Option<&V> {
        match key {
            Key::Word(word) => self.words.get(&word),
            Key::Text(text) => self.texts.get(text),
        }
    }

    /// Changes the value of a key; the value of a new key begins empty. `change` gets the value and
    /// whether the key was there. It returns whether to store the value, and so does this function.
    #[inline]
    pub(super) fn update(
        &mut self,
        key: Key<'_>,
        change: impl FnOnce(&mut V, bool) -> bool,
    ) -> bool {
        let entry_bytes = &mut self.entry_bytes;
        let stored = match key {
            Key::Word(word) => change_entry(self.words.entry(word), entry_bytes, change),
            Key::Text(text) => {
                change_entry(self.texts.entry(Text::from_slice(text)), entry_bytes, change)
            }
        };
        if stored && self.order.is_some() {
            self.put_in_order(key);
        }
        stored
    }

    #[cold]
    fn put_in_order(&mut self, key: Key<'_>) {
        let key = match key {
            Key::Word(word) => of_key(word, self.keys),
            Key::Text(text) => Datum::Text(Text::from_slice(text)),
        };
        if let Some(order) = &mut self.order
            && let Err(place) = order.binary_search(&key)
        {
            // Shared with a loop: then it is copied.
            let copied = if Arc::get_mut(order).is_none() { order.len() } else { 0 };
            let moved = (order.len() - place) / MOVED_KEYS_PER_STEP;
            self.work += (copied + moved) as u64;
            Arc::make_mut(order).insert(place, key);
        }
    }

    fn remove(&mut self, key: Key<'_>) {
        self.removed = true;
        let freed = match key {
            Key::Word(word) => self.words.remove_entry(&word).map(|(k, v)| cost(&k, &v)),
            Key::Text(text) => self.texts.remove_entry(text).map(|(k, v)| cost(&k, &v)),
        };
        self.entry_bytes -= freed.unwrap_or(0);
    }

    fn clear(&mut self) {
        // A small table keeps its slots for the next entries. To empty all slots of a large one
        // takes long.
        if self.entry_bytes <= MAX_RETAINED_MEMORY {
            self.words.clear();
            self.texts.clear();
        } else {
            self.words = HashMap::new();
            self.texts = HashMap::new();
        }
        self.entry_bytes = 0;
        self.order = None;
        self.emptied = true;
    }

    /// The present keys, in order.
    fn keys(&mut self) -> Arc<Vec<Datum>> {
        let order = match self.order.take() {
            Some(mut order) => {
                if self.removed {
                    self.work += order.len() as u64;
                    let is_there = |key: &Datum| self.get(key.key()).is_some();
                    Arc::make_mut(&mut order).retain(is_there);
                }
                order
            }
            None => {
                self.work += (SORT_STEPS * self.len()) as u64;
                let mut keys: Vec<Datum> = self.iter().map(|(key, _)| key).collect();
                keys.sort_unstable();
                Arc::new(keys)
            }
        };
        self.removed = false;
        self.order = Some(Arc::clone(&order));
        order
    }

    fn into_entries(self) -> impl Iterator<Item = (Datum, V)> {
        let keys = self.keys;
        let words = self.words.into_iter();
        let texts = self.texts.into_iter();
        words
            .map(move |(word, value)| (of_key(word, keys), value))
            .chain(texts.map(|(text, value)| (Datum::Text(text), value)))
    }

    /// All entries, in no order.
    fn iter(&self) -> impl Iterator<Item = (Datum, &V)> {
        let words = self.words.iter();
        let texts = self.texts.iter();
        words
            .map(|(word, value)| (of_key(*word, self.keys), value))
            .chain(texts.map(|(text, value)| (Datum::Text(text.clone()), value)))
    }
}

/// Steps for each key that sorting all keys takes.
const SORT_STEPS: usize = 4;
/// Keys of the order that are moved in the time of one step.
const MOVED_KEYS_PER_STEP: usize = 8;

#[inline]
fn change_entry<K: std::hash::Hash + Heap, V: Default + Heap>(
    entry: Entry<'_, K, V, DefaultHashBuilder>,
    entry_bytes: &mut usize,
    change: impl FnOnce(&mut V, bool) -> bool,
) -> bool {
    match entry {
        Entry::Occupied(mut entry) => {
            let value = entry.get_mut();
            let old = value.heap();
            let stored = change(value, true);
            *entry_bytes = *entry_bytes + value.heap() - old;
            stored
        }
        Entry::Vacant(entry) => {
            let mut value = V::default();
            let stored = change(&mut value, false);
            if stored {
                *entry_bytes += cost(entry.key(), &value);
                entry.insert(value);
            }
            stored
        }
    }
}

/// Entries whose values are words of registers: numbers, sets or positions.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Words {
    table: Table<u64>,
    /// What the values are.
    ty: Type,
    /// The entry that was stored last: most queries look at it next.
    last: Option<(u64, u64)>,
}

impl Words {
    #[inline]
    pub(super) fn get(&self, key: Key<'_>) -> Option<u64> {
        match (key, self.last) {
            (Key::Word(word), Some((last, value))) if word == last => Some(value),
            _ => self.table.get(key).copied(),
        }
    }

    /// Like [`Table::update`].
    #[inline]
    pub(super) fn update(
        &mut self,
        key: Key<'_>,
        change: impl FnOnce(&mut u64, bool) -> bool,
    ) -> bool {
        let mut stored = 0;
        let changed = self.table.update(key, |value, known| {
            let changed = change(value, known);
            stored = *value;
            changed
        });
        self.last = match key {
            Key::Word(word) => changed.then_some((word, stored)),
            Key::Text(_) => None,
        };
        changed
    }
}

/// The entries of a dictionary, by the type of its values.
#[derive(Clone, Debug)]
pub(in crate::machine) enum Entries {
    Words(Words),
    Texts(Table<Text>),
}

/// Entries as data, to be stored and sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::machine) struct EntryData {
    emptied: bool,
    entries: Vec<(Datum, Datum)>,
}

/// Evaluates an expression on the table of the entries, whichever kind of values it has.
macro_rules! table {
    ($entries:expr, $table:ident => $done:expr) => {
        match $entries {
            Entries::Words(Words { table: $table, .. }) => $done,
            Entries::Texts($table) => $done,
        }
    };
}

impl Entries {
    /// No entries, of keys and values of these types.
    pub(in crate::machine) fn new(keys: Type, values: Type) -> Entries {
        match values {
            Type::String => Entries::Texts(Table::new(keys)),
            ty @ (Type::Bool | Type::Number | Type::Set | Type::Position | Type::Piece) => {
                Entries::Words(Words { table: Table::new(keys), ty, last: None })
            }
        }
    }

    /// Bytes that the entries take.
    #[inline]
    pub(in crate::machine) fn bytes(&self) -> usize {
        table!(self, table => table.bytes())
    }

    /// The steps of work on the order of the keys since the last call.
    #[inline]
    pub(super) fn take_work(&mut self) -> u64 {
        table!(self, table => std::mem::take(&mut table.work))
    }

    pub(in crate::machine) fn len(&self) -> usize {
        table!(self, table => table.len())
    }

    pub(super) fn remove(&mut self, key: Key<'_>) {
        self.forget();
        table!(self, table => table.remove(key));
    }

    pub(in crate::machine) fn clear(&mut self) {
        self.forget();
        table!(self, table => table.clear());
    }

    fn forget(&mut self) {
        if let Entries::Words(words) = self {
            words.last = None;
        }
    }

    /// Joins the entries of a later part of the games, which began with none.
    pub(in crate::machine) fn join(&mut self, later: Entries, rule: SharingRule) {
        if table!(&later, table => table.emptied) {
            self.clear();
        }
        match (self, later) {
            (Entries::Words(words), Entries::Words(later)) => {
                for (key, value) in later.table.into_entries() {
                    words.update(key.key(), |old, known| {
                        *old = if known { joined(rule, *old, value) } else { value };
                        true
                    });
                }
            }
            (Entries::Texts(table), Entries::Texts(later)) => {
                for (key, value) in later.into_entries() {
                    table.update(key.key(), |old, known| {
                        let keep = known
                            && match rule {
                                SharingRule::Min => *old <= value,
                                SharingRule::Max => *old >= value,
                                SharingRule::Fixed
                                | SharingRule::Sum
                                | SharingRule::Union
                                | SharingRule::Intersection
                                | SharingRule::Last => false,
                            };
                        if !keep {
                            *old = value;
                        }
                        true
                    });
                }
            }
            // The same program made both.
            _ => {}
        }
    }

    /// The entries as data: whether they were emptied since they were made, and all of them.
    pub(in crate::machine) fn to_data(&self) -> EntryData {
        EntryData { emptied: table!(self, table => table.emptied), entries: self.sorted() }
    }

    /// The entries of keys and values of these types; none if the data are of other types.
    pub(in crate::machine) fn of_data(
        keys: Type,
        values: Type,
        data: EntryData,
    ) -> Option<Entries> {
        let mut entries = Entries::new(keys, values);
        let is_text = keys == Type::String;
        for (key, value) in data.entries {
            if is_text != matches!(key, Datum::Text(_)) {
                return None;
            }
            match (&mut entries, value) {
                (Entries::Words(words), value) => {
                    let value = value.word()?;
                    words.update(key.key(), |old, _| {
                        *old = value;
                        true
                    });
                }
                (Entries::Texts(table), Datum::Text(text)) => {
                    table.update(key.key(), |old, _| {
                        *old = text;
                        true
                    });
                }
                (Entries::Texts(_), Datum::Number(_) | Datum::Set(_) | Datum::Position(_)) => {
                    return None;
                }
            }
        }
        table!(&mut entries, table => table.emptied = data.emptied);
        Some(entries)
    }

    /// The present keys, in order. Later changes do not change the list.
    pub(super) fn keys(&mut self) -> Arc<Vec<Datum>> {
        table!(self, table => table.keys())
    }

    /// All entries in the order of their keys.
    pub(in crate::machine) fn sorted(&self) -> Vec<(Datum, Datum)> {
        let mut entries: Vec<(Datum, Datum)> = match self {
            Entries::Words(Words { table, ty, .. }) => {
                table.iter().map(|(key, value)| (key, Datum::of_word(*value, *ty))).collect()
            }
            Entries::Texts(table) => {
                table.iter().map(|(key, value)| (key, Datum::Text(value.clone()))).collect()
            }
        };
        entries.sort_unstable();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// Keys of every kind that a dictionary of strings tells apart.
    fn text(number: u8) -> Datum {
        let text = match number % 2 {
            0 => format!("{:016x}", u64::from(number) << 55),
            _ => format!("{number:x}"),
        };
        Datum::Text(Text::from_slice(text.as_bytes()))
    }

    proptest! {
        /// As an ordered map, whatever comes and goes; lists of keys stay as they were.
        #[test]
        fn entries_are_an_ordered_map(
            texts: bool,
            steps in proptest::collection::vec((0..6u8, 0..20u8), 0..120)
        ) {
            let ty = if texts { Type::String } else { Type::Number };
            let (mut entries, mut model) = (Entries::new(ty, Type::Set), BTreeMap::new());
            let mut lists: Vec<(Arc<Vec<Datum>>, Vec<Datum>)> = Vec::new();
            for (step, number) in steps {
                let key = if texts { text(number) } else { Datum::Number(i32::from(number) - 10) };
                let Entries::Words(words) = &mut entries else {
                    panic!("sets are words");
                };
                match step {
                    0 | 1 => {
                        let known = model.contains_key(&key);
                        // An odd step is refused.
                        let stored = words.update(key.key(), |value, is_known| {
                            assert_eq!(is_known, known);
                            let stored = step == 0;
                            if stored {
                                *value = u64::from(number);
                            }
                            stored
                        });
                        prop_assert_eq!(stored, step == 0);
                        if stored {
                            model.insert(key, Datum::Set(u64::from(number)));
                        }
                    }
                    2 => {
                        entries.remove(key.key());
                        model.remove(&key);
                    }
                    3 => {
                        // Some loops go on while there are others, some have ended.
                        lists.truncate(usize::from(number));
                        lists.push((entries.keys(), model.keys().cloned().collect()));
                    }
                    4 => {
                        let found = words.get(key.key()).map(Datum::Set);
                        prop_assert_eq!(found.as_ref(), model.get(&key));
                        prop_assert_eq!(entries.len(), model.len());
                    }
                    _ if number == 0 => {
                        entries.clear();
                        model.clear();
                    }
                    _ => {
                        let wanted: Vec<_> = model.clone().into_iter().collect();
                        prop_assert_eq!(entries.sorted(), wanted);
                    }
                }
                if let Entries::Words(Words { table, .. }) = &entries {
                    let words = table.words.len() * slot_bytes::<u64, u64>();
                    let texts = table.texts.len() * slot_bytes::<Text, u64>();
                    prop_assert_eq!(table.entry_bytes, words + texts);
                }
                for (list, wanted) in &lists {
                    prop_assert_eq!(&**list, wanted);
                }
            }
        }
    }
}
