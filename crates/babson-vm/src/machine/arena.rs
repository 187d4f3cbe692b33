//! The memory of one game: everything that its evaluation needs and the next game does not.

use bumpalo::Bump;
use bumpalo::collections::Vec as Bumped;

use crate::limits::MAX_RETAINED_MEMORY;

/// Hands out the memory of a game. The next game takes over all of it at once.
///
/// A limit bounds what the query may take: [`push`] and [`extend`] respect it. Lists that the game
/// itself bounds come from the methods of this type, which add what they take to the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arena<'m>(&'m Bump);

impl<'m> Arena<'m> {
    /// The emptied arena of a machine, without a limit.
    pub(super) fn renewed(bump: &'m mut Bump) -> Arena<'m> {
        if bump.allocated_bytes() > MAX_RETAINED_MEMORY {
            *bump = Bump::new();
        } else {
            bump.reset();
        }
        bump.set_allocation_limit(None);
        Arena(bump)
    }

    /// Allows the query to take this number of bytes from now on.
    pub(super) fn limit(self, bytes: usize) {
        let used = self.0.allocated_bytes();
        self.0.set_allocation_limit(Some(used.saturating_add(bytes)));
    }

    /// An empty list that grows within the limit.
    pub(super) fn list<T>(self) -> Bumped<'m, T> {
        Bumped::new_in(self.0)
    }

    /// An empty list with room for `capacity` items, which do not count toward the limit.
    pub(super) fn sized_list<T>(self, capacity: usize) -> Bumped<'m, T> {
        self.beyond_limit(|bump| Bumped::with_capacity_in(capacity, bump))
    }

    /// A list of `len` items, which do not count toward the limit.
    pub(super) fn filled_list<T>(self, len: usize, item: impl Fn(Arena<'m>) -> T) -> Bumped<'m, T> {
        if len == 0 {
            return self.list();
        }
        let mut list = self.sized_list(len);
        list.extend(std::iter::repeat_with(|| item(self)).take(len));
        list
    }

    /// A slice of equal items, which do not count toward the limit.
    pub(super) fn slice<T: Copy>(self, len: usize, item: T) -> &'m mut [T] {
        if len == 0 {
            return &mut [];
        }
        self.beyond_limit(|bump| bump.alloc_slice_fill_copy(len, item))
    }

    /// A value that does not count toward the limit.
    pub(super) fn value<T>(self, value: T) -> &'m mut T {
        self.beyond_limit(|bump| bump.alloc(value))
    }

    fn beyond_limit<T>(self, take: impl FnOnce(&'m Bump) -> T) -> T {
        let bump = self.0;
        let Some(limit) = bump.allocation_limit() else { return take(bump) };
        let before = bump.allocated_bytes();
        bump.set_allocation_limit(None);
        let taken = take(bump);
        let grown = bump.allocated_bytes() - before;
        bump.set_allocation_limit(Some(limit.saturating_add(grown)));
        taken
    }
}

/// Adds an item to a list. Returns whether there was memory for it.
#[inline]
pub(super) fn push<T>(list: &mut Bumped<'_, T>, item: T) -> bool {
    if list.len() == list.capacity() && list.try_reserve(1).is_err() {
        return false;
    }
    list.push(item);
    true
}

/// Adds items to a list. Returns whether there was memory for them.
#[inline]
pub(super) fn extend<T: Copy>(list: &mut Bumped<'_, T>, items: &[T]) -> bool {
    let fits = list.try_reserve(items.len()).is_ok();
    if fits {
        list.extend_from_slice_copy(items);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_binds_the_query_alone() {
        let mut bump = Bump::new();
        let arena = Arena::renewed(&mut bump);
        arena.limit(1 << 10);
        let mut list = arena.list();
        assert!(!extend(&mut list, &[7_u64; 1 << 12]));
        let taken = (0..1 << 12).take_while(|_| push(&mut list, 7_u64)).count();
        assert!((1..1 << 12).contains(&taken));
        assert_eq!(arena.slice(1 << 12, 7_u64).len(), 1 << 12);
        assert_eq!(arena.filled_list(1 << 16, |_| 7_u64).len(), 1 << 16);
    }

    #[test]
    fn a_large_arena_is_given_back() {
        let mut bump = Bump::new();
        for (bytes, retained) in [(MAX_RETAINED_MEMORY / 4, true), (MAX_RETAINED_MEMORY + 1, false)]
        {
            Arena::renewed(&mut bump).slice(bytes, 0_u8);
            assert!(bump.allocated_bytes() >= bytes);
            Arena::renewed(&mut bump);
            assert_eq!(bump.allocated_bytes() > 0, retained);
            assert!(bump.allocated_bytes() <= MAX_RETAINED_MEMORY);
        }
    }
}
