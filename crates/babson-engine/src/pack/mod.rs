//! Packing: the games of the inputs become a game table.
//!
//! ```text
//! Input ── chunk, Packer ──> PackedChunk ── TableWriter ──> spool ──> table
//!          (n threads)              (in game order)
//! ```

mod append;
mod check;
mod in_order;
mod lock;
mod packer;

#[cfg(test)]
mod append_tests;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::ops::Range;
use std::path::Path;

pub use append::append;
pub use babson_table::Compression;
pub use check::check_table;

use babson_input::Input;
use babson_input::chunk::{Cutter, chunk_size};
use babson_table::TableSize;

use crate::destination::Destination;
use crate::drive::{ChunkQueue, UnreadInput};
use crate::equal_games::SeenGames;
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::observer::{Observer, tell};
use crate::output::Output;
use crate::scan::own_files;
use crate::table_output::TableOutput;
use crate::task::Settings;
use babson_vm::{Event, Progress, StopSignal};
use in_order::in_order;
use lock::{TableLock, open_while_replaced};
use packer::{PackRemark, PackedChunk, Packer};

/// The result of packing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackSummary {
    /// The games of the table.
    pub games: u64,
    /// Of them, the games that were appended to the table; all games if the table is new.
    pub appended: u64,
    /// The damaged games of the inputs. They are in the table with their text, except games that
    /// are too long to be read, and games of a damaged table whose moves cannot be played.
    pub damaged: u64,
    /// Of the damaged games, those that are not in the table.
    pub left_out: u64,
    /// The inputs that are tables which another program has written anew.
    pub rewritten_tables: u64,
    /// The games that are equal to an earlier one, with the same players, date and moves: see
    /// [`Settings::unique`]. With it they are not in the table, and their damage is not reported.
    pub equal_games: u64,
    /// The length of the table in bytes.
    pub bytes: u64,
    /// Threads that read games.
    pub threads: usize,
}

/// Writes the games of all inputs to a game table. It appears under its name when it is complete.
///
/// A game of a table keeps the place that it was packed from. So a table that is packed again, for
/// instance to be compressed, is the table that its PGN files give, byte for byte, and several
/// tables and PGN files give one table. Columns of matches are left out.
///
/// The memory grows with the number of games only by the hashes by which equal games are found, 9
/// to 18 bytes for each game: rows wait in a temporary file without a name in the folder of the
/// table. Damage is reported as by a scan. The settings of queries and other outputs are not used.
/// [`Settings::stop`] ends the run; then no table is written.
///
/// A table that is replaced is locked meanwhile, so that a run that appends to it is refused, and
/// the new one is on the disk before it gets the name.
///
/// [`Event::BrokenInput`] tells of an input that is not PGN, which has no game. The names of
/// variants are always the usual ones, so that a table does not depend on settings.
///
/// ```
/// use babson_engine::{Compression, Input, Settings, Silent, check_table, pack};
///
/// let folder = tempfile::tempdir()?;
/// let (games, table) = (folder.path().join("games.pgn"), folder.path().join("games.arrow"));
/// std::fs::write(&games, "[White \"Adams\"]\n\n1. e4 e5 *\n")?;
/// let inputs = Input::expand(&games)?;
/// let summary = pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent)?;
/// assert_eq!((summary.games, summary.damaged), (1, 0));
/// assert_eq!(check_table(&table, true)?.games, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An input cannot be read or is the table; an input is not PGN, and no other input has a game; the
/// table cannot be written, or another process of this program writes it. No table is created then,
/// and an existing one is unchanged.
pub fn pack(
    inputs: &[Input],
    table: &Path,
    compression: Compression,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<PackSummary, Error> {
    Error::catch(|| pack_uncaught(inputs, table, compression, settings, observer))
}

fn pack_uncaught(
    inputs: &[Input],
    table: &Path,
    compression: Compression,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<PackSummary, Error> {
    let destination = Destination::File(table.to_owned());
    let own_files = claimed(inputs, &destination, settings)?;
    let old = TableLock::of_replaced(table)?;
    let table = TableOutput::new(own_files.create(&destination)?, &destination)?;
    let merger = PackMerger::new(table, SeenGames::default(), settings, observer);
    let packed = merger.pack(inputs, settings)?;
    let summary = packed.summary;
    let (mut output, size) = packed.finish(compression, &settings.stop)?;
    if old.is_some() {
        // The old file is whole on the disk until the new one is.
        output.sync()?;
    }
    let old = Cell::new(old);
    output.finish_if(&|| {
        old.set(old.take().and_then(open_while_replaced));
        Ok(())
    })?;
    Ok(PackSummary { games: size.games, bytes: size.bytes, ..summary })
}

/// The files of the run, with the table as an output.
fn claimed(inputs: &[Input], table: &Destination, settings: &Settings) -> Result<OwnFiles, Error> {
    let mut own_files = own_files(inputs, &[], settings)?;
    own_files.claim_output(table)?;
    inputs.iter().try_for_each(Input::check)?;
    Ok(own_files)
}

/// A table whose rows are all there, but which is not yet written.
struct PackedTable {
    table: TableOutput,
    /// Without what is known only when the table is written.
    summary: PackSummary,
    /// The games that were read.
    games: u64,
}

impl PackedTable {
    /// Writes the table. The output is still to be completed.
    fn finish(
        self,
        compression: Compression,
        stop: &StopSignal,
    ) -> Result<(Output, TableSize), Error> {
        let finished = self.table.finish(compression, stop);
        finished.map_err(|error| error.after_searching(self.games))
    }
}

/// Takes the packed chunks in their order.
struct PackMerger<'o> {
    table: TableOutput,
    /// Whether equal games are left out.
    unique: bool,
    observer: &'o mut dyn Observer,
    stop: StopSignal,
    summary: PackSummary,
    progress: Progress,
    seen: SeenGames,
    /// The error of the first input that is not PGN.
    first_error: Option<Error>,
}

impl<'o> PackMerger<'o> {
    /// `seen` has the games that are in the table already.
    fn new(
        table: TableOutput,
        seen: SeenGames,
        settings: &Settings,
        observer: &'o mut dyn Observer,
    ) -> PackMerger<'o> {
        PackMerger {
            table,
            unique: settings.unique,
            observer,
            stop: settings.stop.clone(),
            summary: PackSummary::default(),
            progress: Progress::default(),
            seen,
            first_error: None,
        }
    }

    /// Takes the games of all inputs.
    ///
    /// # Errors
    /// An input cannot be read, or is not PGN and no input has a game; the spool cannot be written.
    fn pack(mut self, inputs: &[Input], settings: &Settings) -> Result<PackedTable, Error> {
        let threads = settings.search_threads();
        let cutter = Cutter::new(inputs, chunk_size(Input::total_size(inputs), threads))
            .with_mapping(settings.mapped)
            .with_tested_tables();
        let queue = ChunkQueue::new(cutter, u64::MAX).with_stored_rows();
        let names: Vec<String> = inputs.iter().map(Input::name).collect();
        let mut started = threads;
        let begun = |number| started = number;
        in_order(&queue, threads, || Packer::new(&names), begun, |chunk| self.take(chunk))?;
        if started < threads {
            self.tell(Event::FewerThreads { started, wanted: threads })?;
        }
        if let (0, Some(error)) = (self.progress.games, self.first_error) {
            return Err(error);
        }
        let summary = PackSummary { threads: started, ..self.summary };
        Ok(PackedTable { table: self.table, summary, games: self.progress.games })
    }

    /// Takes the next chunk.
    fn take(&mut self, mut chunk: PackedChunk) -> Result<(), Error> {
        self.summary.rewritten_tables += u64::from(chunk.begins_rewritten);
        if let Some(UnreadInput { report, error }) = chunk.not_pgn.take() {
            self.first_error.get_or_insert(error);
            self.tell(Event::BrokenInput(report))?;
        }
        let mut rows = RowsToKeep::default();
        // The numbers of the games that are left out, in order.
        let mut left_out = Vec::new();
        for (row, &number) in chunk.numbers.iter().enumerate() {
            let is_equal = !self.seen.insert(chunk.rows.hash(row));
            self.summary.equal_games += u64::from(is_equal);
            if is_equal && self.unique {
                left_out.push(number);
            } else {
                self.summary.appended += 1;
                rows.add(row);
            }
        }
        self.report(&chunk.reports, &left_out)?;
        rows.0.into_iter().try_for_each(|rows| self.table.append_range(&chunk.rows, rows))?;
        self.progress.games += chunk.games;
        self.progress.bytes += chunk.bytes;
        self.progress.input_bytes += chunk.input_bytes;
        self.tell(Event::Progress(self.progress))
    }

    /// Tells the observer of an event. A table has all games or is not written.
    ///
    /// # Errors
    /// As [`tell`]; or the run is to stop.
    fn tell(&mut self, event: Event) -> Result<(), Error> {
        let games = self.progress.games;
        if let Some(stopped) = self.stop.stopped() {
            return Err(Error::Stopped { stopped, games });
        }
        tell(self.observer, event, games)
    }

    /// Reports the damage of games, except of those that are left out.
    fn report(&mut self, reports: &[PackRemark], left_out: &[u64]) -> Result<(), Error> {
        for PackRemark { report, note, is_lost } in reports {
            if left_out.binary_search(&report.game).is_ok() {
                continue;
            }
            if *note {
                self.tell(Event::Noted(report.clone()))?;
            } else {
                self.summary.damaged += 1;
                self.summary.left_out += u64::from(*is_lost);
                self.tell(Event::Damaged(report.clone()))?;
            }
        }
        Ok(())
    }
}

/// Rows of a chunk that go into the table, as ranges.
#[derive(Default)]
struct RowsToKeep(Vec<Range<usize>>);

impl RowsToKeep {
    /// Adds a row after the others.
    fn add(&mut self, row: usize) {
        match self.0.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            Some(_) | None => self.0.push(row..row + 1),
        }
    }
}
