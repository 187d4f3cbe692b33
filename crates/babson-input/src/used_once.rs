//! A reader or writer of the caller, which one scan can use.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A named value that can be taken once. Clones share the value.
pub struct UsedOnce<T: ?Sized> {
    name: Arc<str>,
    /// `None` if it was taken.
    value: Arc<Mutex<Option<Box<T>>>>,
}

impl<T: ?Sized> UsedOnce<T> {
    /// A value that was not taken yet, with its name in messages.
    pub fn new(name: String, value: Box<T>) -> UsedOnce<T> {
        UsedOnce { name: name.into(), value: Arc::new(Mutex::new(Some(value))) }
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value, if it was not taken before.
    pub fn take(&self) -> Option<Box<T>> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T: ?Sized> Clone for UsedOnce<T> {
    fn clone(&self) -> UsedOnce<T> {
        UsedOnce { name: Arc::clone(&self.name), value: Arc::clone(&self.value) }
    }
}

/// The name alone.
impl<T: ?Sized> fmt::Debug for UsedOnce<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsedOnce").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Clones are equal.
impl<T: ?Sized> PartialEq for UsedOnce<T> {
    fn eq(&self, other: &UsedOnce<T>) -> bool {
        Arc::ptr_eq(&self.value, &other.value)
    }
}

impl<T: ?Sized> Eq for UsedOnce<T> {}
