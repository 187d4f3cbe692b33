//! What a machine does not go beyond in what it keeps, and why.
//!
//! The limits of a game that the command line may change are in [`RunOptions`](crate::RunOptions).

/// Default of [`RunOptions::kept_entries`](crate::RunOptions::kept_entries): 4 GiB, or what the
/// address space can hold. It is room for some hundred million positions by their hash keys; a run
/// that needs more would soon take all the memory of the machine.
pub const DEFAULT_KEPT_ENTRIES: usize = if usize::BITS > 32 { 4 << 30 } else { 1 << 30 };

/// Words of all tables of images within reach of the nodes of a game (16 MiB). A table that would
/// go beyond it is not made: then more images are evaluated one by one.
pub(crate) const MAX_REACHED_WORDS: usize = 1 << 21;

/// Outcomes of filters that are kept for the positions of a game (16 MiB). A filter whose outcomes
/// would go beyond it is evaluated each time.
pub(crate) const MAX_KEPT_OUTCOMES: usize = 1 << 20;

/// Bytes of the file of `similarposition`, which is read into memory (1 GiB). The images of its
/// positions have a limit of 8 million, so this is room for 128 bytes of text a position.
pub(crate) const MAX_SIMILAR_FILE: usize = 1 << 30;
