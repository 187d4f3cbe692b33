//! The entries of a dictionary: found by hashing, walked over in the order of their keys.

use hashbrown::HashMap;
use hashbrown::hash_map::EntryRef;

use super::dictionary::{Datum, Key};

/// Keys and values. Most dictionaries are only looked into, so the order of the keys is made when
/// somebody asks for it, and then kept until a key comes or goes.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    map: HashMap<Datum, Datum>,
    /// All keys in order, and perhaps some that are gone.
    order: Option<Vec<Datum>>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.map.len()
    }

    pub(super) fn get(&self, key: Key<'_>) -> Option<&Datum> {
        self.map.get(&key)
    }

    pub(super) fn insert(&mut self, key: Key<'_>, value: Datum) {
        self.update(key, |_| Some(value));
    }

    /// Stores what `change` makes of the old value; nothing if that is nothing. Returns whether
    /// something was stored.
    pub(super) fn update(
        &mut self,
        key: Key<'_>,
        change: impl FnOnce(Option<&Datum>) -> Option<Datum>,
    ) -> bool {
        match self.map.entry_ref(&key) {
            EntryRef::Occupied(mut entry) => match change(Some(entry.get())) {
                Some(value) => {
                    *entry.get_mut() = value;
                    true
                }
                None => false,
            },
            EntryRef::Vacant(entry) => match change(None) {
                Some(value) => {
                    if let Some(order) = &mut self.order {
                        let key = Datum::from(&key);
                        if let Err(place) = order.binary_search(&key) {
                            order.insert(place, key);
                        }
                    }
                    entry.insert_with_key(Datum::from(&key), value);
                    true
                }
                None => false,
            },
        }
    }

    pub(super) fn remove(&mut self, key: Key<'_>) {
        self.map.remove(&key);
    }

    pub(super) fn clear(&mut self) {
        self.map.clear();
        self.order = None;
    }

    /// The first key, or the first after another.
    pub(super) fn next_key(&mut self, after: Option<&Datum>) -> Option<&Datum> {
        let order = self.order.get_or_insert_with(|| {
            let mut keys: Vec<Datum> = self.map.keys().cloned().collect();
            keys.sort_unstable();
            keys
        });
        let from = after.map_or(0, |after| order.partition_point(|key| key <= after));
        order[from..]
            .iter()
            .find(|key| self.map.contains_key(&key.key()))
    }

    /// All entries in the order of their keys.
    pub(super) fn sorted(&self) -> Vec<(&Datum, &Datum)> {
        let mut entries: Vec<(&Datum, &Datum)> = self.map.iter().collect();
        entries.sort_unstable();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// As an ordered map, whatever comes and goes while it is walked over.
        #[test]
        fn entries_are_an_ordered_map(
            steps in proptest::collection::vec((0..6u8, 0..20i32), 0..120)
        ) {
            let (mut entries, mut model) = (Entries::default(), BTreeMap::new());
            let mut at: Option<Datum> = None;
            for (step, number) in steps {
                let key = Datum::Number(number);
                match step {
                    0 | 1 => {
                        entries.insert(key.key(), Datum::Set(7));
                        model.insert(key, Datum::Set(7));
                    }
                    2 => {
                        entries.remove(key.key());
                        model.remove(&key);
                    }
                    3 => {
                        let next = match &at {
                            Some(at) => model.range(at.clone()..).find(|(key, _)| *key != at),
                            None => model.iter().next(),
                        };
                        let found = entries.next_key(at.as_ref()).cloned();
                        prop_assert_eq!(&found, &next.map(|(key, _)| key.clone()));
                        at = found;
                    }
                    4 => {
                        prop_assert_eq!(entries.get(key.key()), model.get(&key));
                        prop_assert_eq!(entries.len(), model.len());
                    }
                    _ if number == 0 => {
                        entries.clear();
                        model.clear();
                    }
                    _ => {
                        prop_assert_eq!(entries.sorted(), model.iter().collect::<Vec<_>>());
                    }
                }
            }
        }
    }
}
