//! Chunks of game tables.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use babson_pgn::CodedGame;
use babson_table::{Batch, Column, ColumnSet, StoredGame, Table, TableError, Texts};
use babson_vm::{FactColumns, TouchedColumns};

use crate::error::Error;
use crate::input::Watch;
use crate::limits::MAX_ROWS;
use crate::pack::TableSummary;

/// A table that is searched.
#[derive(Debug)]
pub(crate) struct OpenTable {
    table: Table,
    sources: Texts,
    /// The name of the input.
    name: String,
    /// The size of the file.
    size: u64,
    /// Detects changes of the file.
    watch: Option<Watch>,
}

/// ChunkRows of a table that are not decoded yet.
#[derive(Clone, Debug)]
pub(crate) struct CutRows {
    table: Arc<OpenTable>,
    batch: usize,
    /// The columns of the batch, once a chunk of it was read: they are tested as a whole.
    columns: Arc<OnceLock<Batch>>,
    rows: Range<usize>,
}

/// The rows of a chunk.
pub(crate) struct ChunkRows {
    table: Arc<OpenTable>,
    batch: Batch,
    rows: Range<usize>,
}

/// A game of a row.
pub(crate) enum RowGame<'r> {
    Coded(CodedGame<'r>),
    /// Its text, in two parts.
    Text(&'r [u8], &'r [u8]),
}

impl OpenTable {
    pub(crate) fn open(
        bytes: bytes::Bytes,
        name: &str,
        watch: Option<Watch>,
    ) -> Result<Arc<OpenTable>, Error> {
        let size = bytes.len() as u64;
        let damaged = |source| Error::Table { path: name.to_owned(), source };
        let table = Table::open(bytes).map_err(damaged)?;
        let sources = table.texts(Column::SOURCE).map_err(damaged)?;
        Ok(Arc::new(OpenTable { table, sources, name: name.to_owned(), size, watch }))
    }

    /// Tests all bytes of the table against its checksums, and its columns against each other.
    pub(crate) fn verify(&self) -> Result<TableSummary, Error> {
        self.table.verify().map_err(|source| self.damaged(source))?;
        Ok(TableSummary { games: self.table.len(), writer: self.table.writer().to_owned() })
    }

    fn damaged(&self, source: TableError) -> Error {
        Error::Table { path: self.name.clone(), source }
    }

    /// The number of bytes of the file that rows stand for: their share.
    fn share(&self, rows: u64) -> u64 {
        let games = self.table.len().max(1);
        (u128::from(self.size) * u128::from(rows) / u128::from(games)) as u64
    }
}

/// Cuts a table into rows.
pub(super) struct RowCutter {
    table: Arc<OpenTable>,
    batch: usize,
    columns: Arc<OnceLock<Batch>>,
    row: usize,
}

impl RowCutter {
    pub(super) fn new(table: Arc<OpenTable>) -> RowCutter {
        RowCutter { table, batch: 0, columns: Arc::default(), row: 0 }
    }
}

impl Iterator for RowCutter {
    type Item = CutRows;

    fn next(&mut self) -> Option<CutRows> {
        let table = &self.table.table;
        while self.batch < table.batches() {
            let first = table.first_row(self.batch);
            let len = (table.first_row(self.batch + 1) - first) as usize;
            if self.row < len {
                let end = len.min(self.row + MAX_ROWS);
                let rows = self.row..end;
                self.row = end;
                let (table, columns) = (Arc::clone(&self.table), Arc::clone(&self.columns));
                return Some(CutRows { table, batch: self.batch, columns, rows });
            }
            (self.batch, self.row) = (self.batch + 1, 0);
            self.columns = Arc::default();
        }
        None
    }
}

impl CutRows {
    /// The bytes of the file that the rows stand for.
    pub(super) fn length(&self) -> u64 {
        let first = self.table.table.first_row(self.batch);
        let (start, end) = (first + self.rows.start as u64, first + self.rows.end as u64);
        self.table.share(end) - self.table.share(start)
    }

    /// Reads the rows, with the columns that the guards of queries touch.
    pub(super) fn read(self, touched: TouchedColumns) -> Result<ChunkRows, Error> {
        let batch = match self.columns.get() {
            Some(batch) => batch.clone(),
            None => {
                let batch = self.table.table.batch(self.batch, columns(touched));
                let batch = batch.map_err(|source| self.table.damaged(source))?;
                // Another thread may have been faster: its columns are the same.
                self.columns.get_or_init(|| batch).clone()
            }
        };
        Ok(ChunkRows { table: self.table, batch, rows: self.rows })
    }
}

/// The columns of a search.
fn columns(touched: TouchedColumns) -> ColumnSet {
    let TouchedColumns { footprint, most, least, flags: _, balance } = touched;
    let mut set = ColumnSet::GAME.union(ColumnSet::of(&[
        Column::SOURCE,
        Column::GAME,
        Column::OFFSET,
        Column::LINE,
    ]));
    for piece in 0..12 {
        let has = |mask: u16| mask >> piece & 1 != 0;
        for (touched, column) in [
            (has(footprint), Column::footprint(piece)),
            (has(most), Column::most(piece)),
            (has(least), Column::least(piece)),
            (balance, Column::BALANCE_MIN),
            (balance, Column::BALANCE_MAX),
        ] {
            set = if touched { set.with(column) } else { set };
        }
    }
    set
}

impl ChunkRows {
    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Leaves out the games from this index on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.rows.end = self.rows.end.min(self.rows.start + len);
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        self.table.watch.as_ref().map_or(Ok(()), Watch::check)
    }

    /// The facts of the games, as far as they were read.
    pub(crate) fn facts(&self, touched: TouchedColumns) -> FactColumns<'_> {
        let TouchedColumns { footprint, most, least, flags: _, balance } = touched;
        let (batch, rows) = (&self.batch, &self.rows);
        let mut facts =
            FactColumns { flags: &batch.flags()[rows.clone()], ..FactColumns::default() };
        for piece in 0..12 {
            let has = |mask: u16| mask >> piece & 1 != 0;
            if has(footprint) {
                facts.footprint[piece] = &batch.footprint(piece)[rows.clone()];
            }
            if has(most) {
                facts.most[piece] = &batch.most(piece)[rows.clone()];
            }
            if has(least) {
                facts.least[piece] = &batch.least(piece)[rows.clone()];
            }
        }
        if balance {
            facts.least_balance = &batch.least_balance()[rows.clone()];
            facts.greatest_balance = &batch.greatest_balance()[rows.clone()];
        }
        facts
    }

    /// The game.
    pub(crate) fn game(&self, index: usize) -> RowGame<'_> {
        match self.batch.game_text(self.rows.start + index) {
            StoredGame::Coded(coded) => RowGame::Coded(coded),
            StoredGame::Text { tags, movetext } => RowGame::Text(tags, movetext),
        }
    }

    /// The name of the PGN file that the game comes from.
    pub(crate) fn source(&self, index: usize) -> &str {
        let (row, sources) = (self.rows.start + index, &self.table.sources);
        self.batch.text(Column::SOURCE, row, sources).unwrap_or(&self.table.name)
    }

    /// The number of the game in its file.
    pub(crate) fn number(&self, index: usize) -> u64 {
        self.batch.game()[self.rows.start + index]
    }

    /// The offset of the game in its file.
    pub(crate) fn offset(&self, index: usize) -> u64 {
        self.batch.offset()[self.rows.start + index]
    }

    /// The line of its file on which the game begins.
    pub(crate) fn line(&self, index: usize) -> u64 {
        self.batch.line()[self.rows.start + index]
    }
}
