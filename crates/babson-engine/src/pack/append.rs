//! Appending games to a table.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson_input::{FileNumber, Input, InputError, OpenInput, OpenTable};
use babson_pgn::GameHash;
use babson_table::{Column, ColumnSet, Compression, TableError};

use super::{PackMerger, PackSummary, PackedTable, claimed};
use crate::destination::Destination;
use crate::equal_games::SeenGames;
use crate::error::{Error, OutputRefusal};
use crate::observer::Observer;
use crate::output::resolved;
use crate::table_output::TableOutput;
use crate::task::Settings;

/// Appends the games of all inputs to a game table. The result is the table that [`pack`] makes of
/// the games of the table and of the inputs together, byte for byte. But the old games are copied
/// as they are in the file: none of them is played again.
///
/// The new table is written to a temporary file in the same folder and replaces the old one when
/// it is complete and on the disk. So whenever the run ends, by whatever cause, there is a whole
/// table: the old one or the new one. A search that has opened the old table goes on with it.
///
/// The table keeps its compression, unless `compression` is another one: then all of it is
/// compressed anew. With [`Settings::unique`], a game that is equal to one of the table, or to an
/// earlier one of the inputs, is left out. If no game is left, the table stays as it is.
///
/// ```
/// use babson_engine::{Compression, Input, Settings, Silent, append, pack};
///
/// let folder = tempfile::tempdir()?;
/// let (games, table) = (folder.path().join("games.pgn"), folder.path().join("games.arrow"));
/// std::fs::write(&games, "[White \"Adams\"]\n\n1. e4 e5 *\n")?;
/// let inputs = Input::expand(&games)?;
/// pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent)?;
/// let summary = append(&inputs, &table, None, &Settings::default(), &mut Silent)?;
/// assert_eq!((summary.games, summary.appended, summary.equal_games), (2, 1, 1));
/// let mut unique = Settings::default();
/// unique.unique = true;
/// let summary = append(&inputs, &table, None, &unique, &mut Silent)?;
/// assert_eq!((summary.games, summary.appended, summary.equal_games), (2, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`pack`]: super::pack
///
/// # Errors
/// As [`pack`](super::pack); the table does not exist, cannot be read or is not one of this
/// program; it has more columns than a table of games; or another process appends to it.
pub fn append(
    inputs: &[Input],
    table: &Path,
    compression: Option<Compression>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<PackSummary, Error> {
    Error::catch(|| append_uncaught(inputs, table, compression, settings, observer))
}

fn append_uncaught(
    inputs: &[Input],
    table: &Path,
    compression: Option<Compression>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<PackSummary, Error> {
    let destination = Destination::File(table.to_owned());
    let own_files = claimed(inputs, &destination, settings)?;
    let base = BaseTable::open(table, settings.mapped)?;
    let old = base.open.table();
    let kept = old.compression().map_err(|source| base.damaged(source))?;
    let output = TableOutput::after(own_files.create(&destination)?, &destination, old)?;
    let seen = base.seen()?;
    let merger = PackMerger::new(output, seen, settings.unique, observer);
    let PackedTable { table: packed, summary } = merger.pack(inputs, settings)?;
    let compression = compression.unwrap_or(kept);
    if summary.appended == 0 && compression == kept {
        let bytes = fs::metadata(table).map_or(0, |data| data.len());
        return Ok(PackSummary { games: old.len(), bytes, ..summary });
    }
    let (mut output, size) = packed.finish(compression)?;
    output.sync()?;
    base.close()?;
    output.finish()?;
    Ok(PackSummary { games: size.games, bytes: size.bytes, ..summary })
}

/// A table that is appended to. It is locked as long as this value lives.
struct BaseTable {
    /// The name as it was given, and the file that it stands for.
    name: String,
    path: PathBuf,
    /// `None` where files cannot be locked.
    lock: Option<File>,
    open: Arc<OpenTable>,
}

impl BaseTable {
    /// Opens and locks the table.
    fn open(table: &Path, mapped: bool) -> Result<BaseTable, Error> {
        let name = table.display().to_string();
        let read = |source| Error::read(name.clone(), source);
        let path = resolved(table).map_err(read)?;
        if !fs::metadata(&path).map_err(read)?.is_file() {
            return Err(read(io::Error::other("it is not a file")));
        }
        let lock = loop {
            let file = File::open(&path).map_err(read)?;
            match file.try_lock() {
                // Before the lock, the process that had it may have replaced the table.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => break Some(file),
                Err(TryLockError::WouldBlock) => {
                    return Err(refused(&name, OutputRefusal::GrowingTable));
                }
                // Some file systems have no locks; others refuse one of a file that is only read.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    break None;
                }
                Err(TryLockError::Error(error)) => return Err(read(error)),
            }
        };
        let open = match Input::File(table.to_owned()).open(mapped)? {
            OpenInput::Table(open) => open,
            OpenInput::Mapped(_) | OpenInput::Stream { .. } => {
                let source = TableError::NotArrow;
                return Err(InputError::Table { path: name, source }.into());
            }
        };
        Ok(BaseTable { name, path, lock, open })
    }

    fn damaged(&self, source: TableError) -> Error {
        InputError::Table { path: self.name.clone(), source }.into()
    }

    /// The games of the table, by the hashes that it has.
    fn seen(&self) -> Result<SeenGames, Error> {
        let table = self.open.table();
        let mut seen = SeenGames::default();
        for index in 0..table.batches() {
            let batch = table.batch(index, ColumnSet::of(&[Column::HASH]));
            let batch = batch.map_err(|source| self.damaged(source))?;
            for &hash in batch.hashes() {
                seen.insert(GameHash(hash));
            }
        }
        Ok(seen)
    }

    /// Closes the table, which is about to be replaced.
    ///
    /// # Errors
    /// Another program has changed or replaced it since it was opened.
    fn close(&self) -> Result<(), Error> {
        self.open.check_unchanged()?;
        match self.lock.as_ref().is_none_or(|lock| is_at(lock, &self.path)) {
            true => Ok(()),
            false => Err(refused(&self.name, OutputRefusal::ReplacedTable)),
        }
    }
}

fn refused(name: &str, reason: OutputRefusal) -> Error {
    Error::OutputRefused { path: name.to_owned(), reason }
}

/// Whether an open file still has its name.
fn is_at(open: &File, path: &Path) -> bool {
    FileNumber::of(path) == FileNumber::of_open(open)
}
