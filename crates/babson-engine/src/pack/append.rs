//! Appending games to a table.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use babson_input::{Input, InputError, OpenInput, OpenTable};
use babson_pgn::GameHash;
use babson_table::{Column, ColumnSet, Compression, TableError};

use super::lock::{TableLock, open_while_replaced};
use super::{PackMerger, PackSummary, claimed};
use crate::destination::Destination;
use crate::equal_games::SeenGames;
use crate::error::Error;
use crate::observer::Observer;
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
/// The old table is locked meanwhile: another run of this function, or of [`pack`], is refused. A
/// program that does not ask for the lock may still change or replace the old table. Then the new
/// table is not written, unless that happens between the last look at the old table and the change
/// of the name, which are two system calls.
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
/// program; it has more columns than a table of games; another process of this program writes it,
/// or another program has replaced it meanwhile.
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
    let merger = PackMerger::new(output, seen, settings, observer);
    let packed = merger.pack(inputs, settings)?;
    let summary = packed.summary;
    let compression = compression.unwrap_or(kept);
    if summary.appended == 0 && compression == kept {
        let bytes = fs::metadata(table).map_or(0, |data| data.len());
        return Ok(PackSummary { games: old.len(), bytes, ..summary });
    }
    let (mut output, size) = packed.finish(compression, &settings.stop)?;
    output.sync()?;
    let base = Cell::new(Some(base));
    output.finish_if(&|| {
        let Some(open) = base.take() else { return Ok(()) };
        open.check()?;
        base.set(open_while_replaced(open));
        Ok(())
    })?;
    Ok(PackSummary { games: size.games, bytes: size.bytes, ..summary })
}

/// A table that is appended to.
struct BaseTable {
    lock: TableLock,
    open: Arc<OpenTable>,
}

impl BaseTable {
    /// Opens and locks the table.
    fn open(table: &Path, mapped: bool) -> Result<BaseTable, Error> {
        let lock = TableLock::of(table)?;
        // Windows does not let a file be replaced as long as it is mapped.
        let mapped = mapped && !cfg!(windows);
        let open = match Input::File(table.to_owned()).open(mapped)? {
            OpenInput::Table(open) => open,
            OpenInput::Mapped(_) | OpenInput::Stream { .. } => {
                let (path, source) = (lock.name().to_owned(), TableError::NotArrow);
                return Err(InputError::Table { path, source }.into());
            }
        };
        Ok(BaseTable { lock, open })
    }

    fn damaged(&self, source: TableError) -> Error {
        InputError::Table { path: self.lock.name().to_owned(), source }.into()
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

    /// Checks that the table is as it was when it was opened.
    ///
    /// # Errors
    /// Another program has changed or replaced it.
    fn check(&self) -> Result<(), Error> {
        self.open.check_unchanged()?;
        self.lock.check()
    }
}
