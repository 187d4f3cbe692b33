//! The text of a game that is too long to be read, for the output of damaged games.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;

use crate::error::{InputError, LONG_FILE};
use crate::input::MappedFile;

/// The text of a game that is too long to be read.
#[derive(Clone, Debug)]
pub enum LongText {
    /// A part of a mapped file.
    Mapped(Arc<MappedFile>, Range<usize>),
    /// A temporary file without a name, and its length without whitespace at the end.
    File(Arc<File>, u64),
}

impl LongText {
    /// Calls `take` with slices of the text, without the whitespace at its end.
    ///
    /// # Errors
    /// The text cannot be read, its file has changed, or `take` fails.
    pub fn read<E: From<InputError>>(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (file, length) = match self {
            LongText::Mapped(map, range) => {
                let text = map.get(range.clone()).unwrap_or_default();
                take(text.trim_ascii_end())?;
                return Ok(map.watch.check()?);
            }
            LongText::File(file, length) => (file, *length),
        };
        let fail = |source| InputError::Read { path: LONG_FILE.to_owned(), source };
        let mut file = file.as_ref();
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        let mut text = file.take(length);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match text.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => take(&buffer[..read])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fail(error).into()),
            }
        }
    }
}

/// A file in which the text of a long game is collected.
pub struct LongFile {
    file: File,
    length: u64,
    /// The length without the whitespace at the end.
    trimmed: u64,
}

impl LongFile {
    /// An empty file.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn new() -> Result<LongFile, InputError> {
        let file = tempfile::tempfile().map_err(|source| InputError::LongText { source })?;
        Ok(LongFile { file, length: 0, trimmed: 0 })
    }

    /// Adds a piece of the text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, text: &[u8]) -> Result<(), InputError> {
        self.file.write_all(text).map_err(|source| InputError::LongText { source })?;
        match text.trim_ascii_end().len() {
            0 => {}
            trimmed => self.trimmed = self.length + trimmed as u64,
        }
        self.length += text.len() as u64;
        Ok(())
    }

    /// The text that was added.
    pub fn text(self) -> LongText {
        LongText::File(Arc::new(self.file), self.trimmed)
    }
}
