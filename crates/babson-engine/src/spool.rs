//! Matches that wait to be sorted.
//!
//! Their text waits in a file without a name once it is long, so that memory stays small when all
//! games match; only the keys stay.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use babson_vm::SortValue;

/// How much text is held in memory before the file is used.
const IN_MEMORY: usize = 16 << 20;

/// One match: its keys and where its texts are.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) game: u64,
    pub(crate) keys: Box<[Option<SortValue>]>,
    /// Where its text begins in the spool.
    at: u64,
    /// Lengths of the texts, one for each sink.
    lengths: Box<[usize]>,
    /// The names of its files, one for each output that is many.
    names: Box<[String]>,
}

/// Texts with keys.
#[derive(Default)]
pub(crate) struct Spool {
    pub(crate) entries: Vec<Entry>,
    memory: Vec<u8>,
    /// Holds the text before `memory`.
    file: Option<File>,
    spilled: u64,
}

impl Spool {
    /// Adds a match with its text for each sink.
    pub(crate) fn push<'t>(
        &mut self,
        game: u64,
        keys: Box<[Option<SortValue>]>,
        names: Box<[String]>,
        texts: impl Iterator<Item = &'t [u8]>,
    ) -> io::Result<()> {
        let at = self.spilled + self.memory.len() as u64;
        let mut lengths = Vec::new();
        for text in texts {
            self.memory.extend_from_slice(text);
            lengths.push(text.len());
        }
        self.entries.push(Entry {
            game,
            keys,
            at,
            lengths: lengths.into(),
            names,
        });
        if self.memory.len() > IN_MEMORY {
            self.spill()?;
        }
        Ok(())
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

    /// Hands out the texts of all entries in their present order: names of files, sink and text.
    pub(crate) fn drain<E: From<io::Error>>(
        mut self,
        mut write: impl FnMut(&[String], usize, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut text = Vec::new();
        let mut reader = self
            .file
            .take()
            .map(|file| BufReader::with_capacity(1 << 14, file));
        for entry in &self.entries {
            let length: usize = entry.lengths.iter().sum();
            let mut rest: &[u8] = match &mut reader {
                Some(reader) if entry.at < self.spilled => {
                    reader.seek(SeekFrom::Start(entry.at)).map_err(E::from)?;
                    text.resize(length, 0);
                    reader.read_exact(&mut text).map_err(E::from)?;
                    &text
                }
                _ => {
                    let at = (entry.at - self.spilled) as usize;
                    self.memory.get(at..at + length).unwrap_or_default()
                }
            };
            for (sink, length) in entry.lengths.iter().enumerate() {
                let (head, tail) = rest.split_at((*length).min(rest.len()));
                write(&entry.names, sink, head)?;
                rest = tail;
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
        for game in 0..40 {
            let (one, two) = (text(game), b"line\n");
            spool
                .push(
                    game,
                    Box::new([]),
                    Box::default(),
                    [&one[..], &two[..]].into_iter(),
                )
                .unwrap();
        }
        assert!(spool.spilled > 0 && !spool.memory.is_empty());
        spool.entries.reverse();
        let mut expected = (0..40u64).rev();
        let mut lines = 0;
        spool
            .drain(|_, sink, bytes| -> io::Result<()> {
                if sink == 0 {
                    assert_eq!(bytes, text(expected.next().unwrap()));
                } else {
                    assert_eq!(bytes, b"line\n");
                    lines += 1;
                }
                Ok(())
            })
            .unwrap();
        assert_eq!((lines, expected.next()), (40, None));
    }
}
