//! Strings as registers hold them: a place in the text arena and a length in one word.

use std::ops::Range;

/// A string as a register holds it.
pub(crate) fn pack_text(offset: usize, len: usize) -> u64 {
    (offset as u64) << 32 | len as u64
}

/// Returns true if a register can refer to a text of `more` bytes at `offset` in the arena.
pub(crate) fn fits_text(offset: usize, more: usize) -> bool {
    offset.checked_add(more).is_some_and(|end| u32::try_from(end).is_ok())
}

/// The range of the text arena that holds the string of a register.
pub(crate) fn text_range(packed: u64) -> Range<usize> {
    let (offset, len) = ((packed >> 32) as usize, packed as u32 as usize);
    offset..offset + len
}

/// The string that a register holds, given the text arena.
pub(crate) fn unpack_text(arena: &[u8], packed: u64) -> &[u8] {
    arena.get(text_range(packed)).unwrap_or_default()
}
