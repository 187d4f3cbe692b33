//! Files that are mapped into memory.

use std::fs::File;
use std::io;

use memmap2::Mmap;

use super::watch::Watch;

/// The bytes of a mapped file.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    pub(crate) watch: Watch,
}

impl MappedFile {
    pub(super) fn new(map: Mmap, watch: Watch) -> MappedFile {
        MappedFile { map, watch }
    }
}

impl std::ops::Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

/// Maps a file.
///
/// # Errors
/// The file system or the operating system cannot map it, or the address space is full.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only and private to this process. If another process changes the
    // file, we see other bytes: the reader accepts any bytes, and the watch detects the change. If
    // another process truncates the file, a signal ends this process, as it does every program that
    // maps files. `Input::open` tells callers of it, who can read the file instead.
    let map = unsafe { Mmap::map(file) }?;
    MAPS.with(|maps| maps.set(maps.get() + 1));
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Sequential);
    Ok(map)
}

thread_local! {
    static MAPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many files this thread has mapped, for tests of work that must not map any.
#[doc(hidden)]
pub fn mapped_files() -> usize {
    MAPS.get()
}
