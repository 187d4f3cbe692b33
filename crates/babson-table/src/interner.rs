//! Numbering of distinct texts.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::limits::{MAX_DISTINCT, MAX_DISTINCT_BYTES};

/// The distinct texts of a column, in the order of their first appearance.
#[derive(Default)]
pub(crate) struct Interner {
    pub(crate) bytes: Vec<u8>,
    /// Where each text ends in `bytes`; it begins where the one before ends.
    pub(crate) ends: Vec<i32>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Interner {
    /// The number of a text.
    pub(crate) fn number(&mut self, text: &[u8]) -> i32 {
        let Interner { bytes, ends, numbers, hasher } = self;
        let hash = hasher.hash_one(text);
        if let Some(&number) = numbers.find(hash, |&number| get(bytes, ends, number) == text) {
            return number as i32;
        }
        let number = ends.len() as u32;
        bytes.extend_from_slice(text);
        ends.push(bytes.len() as i32);
        let rehash = |&number: &u32| hasher.hash_one(get(bytes, ends, number));
        numbers.insert_unique(hash, number, rehash);
        number as i32
    }

    /// Returns true if the column has more texts, or more bytes of texts, than a dictionary may
    /// have. The writer then makes it a column of plain texts.
    pub(crate) fn is_full(&self) -> bool {
        self.ends.len() > MAX_DISTINCT || self.bytes.len() > MAX_DISTINCT_BYTES
    }

    /// Keeps the texts and forgets how to find their numbers.
    pub(crate) fn close(&mut self) {
        self.numbers = HashTable::new();
    }
}

fn get<'a>(bytes: &'a [u8], ends: &[i32], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] as usize };
    &bytes[start..ends[number] as usize]
}
