//! Matches that wait to be sorted.
//!
//! Long text waits in a temporary file without a name, so that memory stays small even if all games
//! match. Only the keys stay in memory.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use crate::limits::MAX_SPOOL_MEMORY;
use crate::sink::TextSlice;

/// Bytes of text that are read back at a time.
const BLOCK: usize = 1 << 16;

/// One match: where its texts are.
#[derive(Debug)]
pub(super) struct SpoolEntry {
    /// Offset of its text in the spool.
    at: u64,
    /// Lengths of the texts, one for each sink.
    lengths: Box<[usize]>,
    /// For each sink the name of its file, if there are many.
    names: Box<[Option<String>]>,
}

/// A slice of the text of a match.
pub(super) struct SpooledSlice<'t> {
    pub(super) text: TextSlice<'t>,
    /// Whether it is the last slice of its text.
    pub(super) last: bool,
}

impl SpoolEntry {
    /// Where its text begins.
    pub(super) fn place(&self) -> u64 {
        self.at
    }

    /// The bytes of its texts.
    pub(super) fn bytes(&self) -> u64 {
        self.lengths.iter().map(|&length| length as u64).sum()
    }
}

/// The texts of matches.
#[derive(Default)]
pub(super) struct Spool {
    memory: Vec<u8>,
    /// Holds the text that comes before `memory`.
    file: Option<File>,
    spilled: u64,
}

impl Spool {
    /// Adds a match with the slices of its text for each sink.
    pub(super) fn push<'t>(
        &mut self,
        names: Box<[Option<String>]>,
        texts: impl Iterator<Item = impl IntoIterator<Item = &'t [u8]>>,
    ) -> io::Result<SpoolEntry> {
        let at = self.spilled + self.memory.len() as u64;
        let spilled = self.spilled;
        let mut lengths = Vec::new();
        for slices in texts {
            let mut length = 0;
            for slice in slices {
                length += slice.len();
                self.append(slice)?;
            }
            lengths.push(length);
        }
        self.end_match(spilled)?;
        Ok(SpoolEntry { at, lengths: lengths.into(), names })
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        self.memory.extend_from_slice(text);
        if self.memory.len() > MAX_SPOOL_MEMORY {
            self.spill()?;
        }
        Ok(())
    }

    /// Ends a match. `spilled` is the number of bytes that were in the file before it: the text of
    /// a match is either all in the file or all in memory.
    fn end_match(&mut self, spilled: u64) -> io::Result<()> {
        if self.spilled > spilled {
            self.spill()?;
        }
        Ok(())
    }

    /// Whether most of the text is not among the `needed` bytes, and takes more room than may be
    /// held in memory.
    pub(super) fn has_waste(&self, needed: u64) -> bool {
        let waste = (self.spilled + self.memory.len() as u64).saturating_sub(needed);
        waste > needed.saturating_add(MAX_SPOOL_MEMORY as u64)
    }

    /// Copies the texts of these matches to another spool, where the entries then are.
    pub(super) fn copy<'e>(
        mut self,
        entries: impl Iterator<Item = &'e mut SpoolEntry>,
        to: &mut Spool,
    ) -> io::Result<()> {
        let mut block = vec![0; BLOCK];
        let mut reader = self.reader();
        for entry in entries {
            let (at, spilled) = (to.spilled + to.memory.len() as u64, to.spilled);
            self.read(&mut reader, &mut block, entry, |_, slice| to.append(slice.text.bytes))?;
            to.end_match(spilled)?;
            entry.at = at;
        }
        Ok(())
    }

    fn reader(&mut self) -> Option<BufReader<File>> {
        self.file.take().map(|file| BufReader::with_capacity(1 << 14, file))
    }

    fn spill(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.memory)?;
            self.spilled += self.memory.len() as u64;
            self.memory.clear();
        }
        Ok(())
    }

    /// Calls `write` with the index of a sink and a slice of its text, for the texts of these
    /// entries in their order.
    pub(super) fn drain<'e, E: From<io::Error>>(
        mut self,
        entries: impl IntoIterator<Item = &'e SpoolEntry>,
        mut write: impl FnMut(usize, SpooledSlice<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut block = vec![0; BLOCK];
        let mut reader = self.reader();
        entries
            .into_iter()
            .try_for_each(|entry| self.read(&mut reader, &mut block, entry, &mut write))
    }

    /// Calls `write` with the texts of an entry. `reader` reads the file, and `block` has room for
    /// a slice of it.
    fn read<E: From<io::Error>>(
        &self,
        reader: &mut Option<BufReader<File>>,
        block: &mut [u8],
        entry: &SpoolEntry,
        mut write: impl FnMut(usize, SpooledSlice<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut at = entry.at;
        let mut from_file = reader.as_mut().filter(|_| entry.at < self.spilled);
        if let Some(reader) = &mut from_file {
            reader.seek(SeekFrom::Start(at)).map_err(E::from)?;
        }
        for (sink, &length) in entry.lengths.iter().enumerate() {
            let mut left = length;
            let mut first = true;
            while first || left > 0 {
                let taken = left.min(BLOCK);
                let slice = match &mut from_file {
                    Some(reader) => {
                        let slice = block.get_mut(..taken).unwrap_or_default();
                        reader.read_exact(slice).map_err(E::from)?;
                        &*slice
                    }
                    None => {
                        let begin = (at - self.spilled) as usize;
                        self.memory.get(begin..begin + taken).unwrap_or_default()
                    }
                };
                left -= taken;
                let file = entry.names.get(sink).and_then(Option::as_deref);
                let text = TextSlice { file, bytes: slice, first };
                write(sink, SpooledSlice { text, last: left == 0 })?;
                at += taken as u64;
                first = false;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_in_any_order_also_from_the_file() {
        let mut spool = Spool::default();
        let text = |game: u64| vec![b'a' + (game % 26) as u8; 1_000_000 + game as usize];
        let mut entries = Vec::new();
        for game in 0..40 {
            let (one, two) = (text(game), b"line\n");
            let texts = [one.chunks(300_000), two.chunks(300_000)];
            entries.push(spool.push(Box::default(), texts.into_iter()).unwrap());
        }
        assert!(spool.spilled > 0 && !spool.memory.is_empty());
        entries.reverse();
        // A copy has the same texts.
        let mut copy = Spool::default();
        let places: Vec<u64> = entries.iter().map(SpoolEntry::place).collect();
        spool.copy(entries.iter_mut(), &mut copy).unwrap();
        let spool = copy;
        assert!(entries.iter().zip(&places).all(|(entry, place)| entry.place() != *place));
        let mut expected = (0..40u64).rev();
        let mut lines = 0;
        let mut long = Vec::new();
        spool
            .drain(
                &entries,
                |sink,
                 SpooledSlice { text: TextSlice { bytes, first, .. }, last }|
                 -> io::Result<()> {
                    assert_eq!(last, bytes.len() < BLOCK);
                    assert!(bytes.len() <= BLOCK);
                    if sink == 0 {
                        assert_eq!(first, long.is_empty());
                        long.extend_from_slice(bytes);
                    } else {
                        assert_eq!(std::mem::take(&mut long), text(expected.next().unwrap()));
                        assert_eq!(bytes, b"line\n");
                        lines += 1;
                    }
                    Ok(())
                },
            )
            .unwrap();
        assert_eq!((lines, expected.next()), (40, None));
    }

    /// The text of a match that is longer than the memory goes to the file as a whole.
    #[test]
    fn a_match_may_be_longer_than_the_memory() {
        let mut spool = Spool::default();
        let megabyte = vec![b'x'; 1 << 20];
        let mut entries = Vec::new();
        for _ in 0..2 {
            let texts = [[&megabyte[..]; 40], [&b"y"[..]; 40]].into_iter();
            let texts = texts.map(|pieces| pieces.into_iter());
            entries.push(spool.push(Box::default(), texts).unwrap());
            assert!(spool.memory.capacity() <= 2 * MAX_SPOOL_MEMORY && spool.memory.is_empty());
        }
        let mut lengths = [[0; 2]; 2];
        let mut game = 0;
        spool
            .drain(
                &entries,
                |sink,
                 SpooledSlice { text: TextSlice { bytes, first, .. }, .. }|
                 -> io::Result<()> {
                    game += usize::from(sink == 0 && first);
                    lengths[game - 1][sink] += bytes.len();
                    Ok(())
                },
            )
            .unwrap();
        assert_eq!(lengths, [[40 << 20, 40]; 2]);
    }
}
