//! The names of a tag section, numbered in their order.

use std::collections::HashMap;

/// With more names than this, a hash table finds a name. Nearly all games have fewer tags, and to
/// compare all of them takes less time than to hash one name.
const MAX_COMPARED: usize = 24;

/// Names, each once, with their indices in the order in which they were inserted.
#[derive(Clone, Debug, Default)]
pub(super) struct NameIndex<'a> {
    names: Vec<&'a [u8]>,
    /// The index of each name, if there are more than [`MAX_COMPARED`].
    indices: HashMap<&'a [u8], usize>,
}

impl<'a> NameIndex<'a> {
    /// Adds a name, unless it is there. Returns whether it was added.
    pub(super) fn insert(&mut self, name: &'a [u8]) -> bool {
        if self.get(name).is_some() {
            return false;
        }
        let index = self.names.len();
        self.names.push(name);
        match index {
            0..MAX_COMPARED => {}
            MAX_COMPARED => self.indices.extend(self.names.iter().copied().zip(0..)),
            _ => _ = self.indices.insert(name, index),
        }
        true
    }

    /// The index of a name.
    pub(super) fn get(&self, name: &[u8]) -> Option<usize> {
        match self.names.len() > MAX_COMPARED {
            true => self.indices.get(name).copied(),
            false => self.names.iter().position(|known| *known == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_names_have_their_indices() {
        let names: Vec<String> = (0..3 * MAX_COMPARED).map(|number| number.to_string()).collect();
        let mut index = NameIndex::default();
        for (count, name) in names.iter().enumerate() {
            assert_eq!(index.get(name.as_bytes()), None);
            assert!(index.insert(name.as_bytes()));
            assert!(!index.insert(name.as_bytes()));
            for (known, name) in names[..=count].iter().enumerate() {
                assert_eq!(index.get(name.as_bytes()), Some(known));
            }
        }
    }
}
