//! Tables that instructions refer to, and the numbers of their entries.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// The number of an entry of a [`Table`].
pub(crate) struct Id<T>(u32, PhantomData<fn() -> T>);

impl<T> Id<T> {
    pub(crate) fn new(index: usize) -> Id<T> {
        Id(index as u32, PhantomData)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Id<T> {}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl<T> fmt::Display for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// Entries that are referred to by number.
#[derive(Clone, Debug)]
pub(crate) struct Table<T>(Vec<T>);

impl<T> Table<T> {
    /// Adds an entry; its number.
    pub(crate) fn push(&mut self, entry: T) -> Id<T> {
        self.0.push(entry);
        Id::new(self.0.len() - 1)
    }

    /// The number of the entry that fits, or else of one that is added.
    pub(crate) fn find_or_push(
        &mut self,
        fits: impl FnMut(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> Id<T> {
        match self.0.iter().position(fits) {
            Some(known) => Id::new(known),
            None => self.push(make()),
        }
    }

    /// The number that the next entry gets.
    pub(crate) fn next_id(&self) -> Id<T> {
        Id::new(self.0.len())
    }

    /// `count` entries in a row.
    pub(crate) fn run(&self, first: Id<T>, count: usize) -> &[T] {
        &self.0[first.index()..first.index() + count]
    }
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(Vec::new())
    }
}

impl<T> From<Vec<T>> for Table<T> {
    fn from(entries: Vec<T>) -> Table<T> {
        Table(entries)
    }
}

impl<T> Deref for Table<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> Index<Id<T>> for Table<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Table<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.0[id.index()]
    }
}

impl<'t, T> IntoIterator for &'t Table<T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
