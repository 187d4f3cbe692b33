//! A game table that is open.

use std::sync::{Arc, OnceLock};

use babson_table::{AllTexts, Column, Table, TableError, TableSource, Texts};

use super::Watch;
use crate::error::InputError;

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableSummary {
    /// The number of its games.
    pub games: u64,
    /// The program that wrote it.
    pub writer: String,
    /// Whether another program has written it anew, so that it has no checksums.
    pub is_rewritten: bool,
}

/// A table that is opened for a search, or to be counted or tested.
#[derive(Debug)]
pub struct OpenTable {
    pub(crate) table: Table,
    /// The names of the files that its games come from.
    pub(crate) inputs: Texts,
    /// The texts of all columns, once they were needed.
    texts: OnceLock<Result<AllTexts, TableError>>,
    /// The name of the input.
    pub(crate) name: String,
    /// The size of the file.
    size: u64,
    /// Detects changes of the file.
    pub(crate) watch: Option<Watch>,
}

impl OpenTable {
    /// Opens a table whose bytes are read where they are, as far as they are needed: see
    /// [`Table::open_source`].
    ///
    /// # Errors
    /// As `Table::open_source`.
    pub fn of_source(
        source: Arc<dyn TableSource>,
        name: &str,
    ) -> Result<Arc<OpenTable>, InputError> {
        OpenTable::open(source, name, None)
    }

    pub(crate) fn open(
        source: Arc<dyn TableSource>,
        name: &str,
        watch: Option<Watch>,
    ) -> Result<Arc<OpenTable>, InputError> {
        let size = source.length();
        let damaged = |source| failure(name, watch.as_ref(), source);
        let table = Table::open_source(source).map_err(damaged)?;
        let inputs = table.texts(Column::INPUT).map_err(damaged)?;
        let (name, texts) = (name.to_owned(), OnceLock::new());
        Ok(Arc::new(OpenTable { table, inputs, texts, name, size, watch }))
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The texts of all columns.
    ///
    /// # Errors
    /// They are damaged.
    pub(crate) fn texts(&self) -> Result<&AllTexts, InputError> {
        let texts = self.texts.get_or_init(|| AllTexts::of(&self.table));
        texts.as_ref().map_err(|source| self.damaged(source.clone()))
    }

    /// Checks that the file has not changed since it was opened.
    ///
    /// # Errors
    /// It has changed.
    pub fn check_unchanged(&self) -> Result<(), InputError> {
        self.watch.as_ref().map_or(Ok(()), Watch::check)
    }

    /// Tests all bytes of the table against its checksums, and its columns against each other.
    ///
    /// # Errors
    /// It is damaged.
    pub fn verify(&self) -> Result<TableSummary, InputError> {
        self.table.verify().map_err(|source| self.damaged(source))?;
        Ok(TableSummary {
            games: self.table.len(),
            writer: self.table.writer().to_owned(),
            is_rewritten: self.table.is_rewritten(),
        })
    }

    /// The error of a table that is damaged, or whose file has changed.
    pub fn damaged(&self, source: TableError) -> InputError {
        failure(&self.name, self.watch.as_ref(), source)
    }

    /// The size of the file in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.table.len()
    }

    /// The first row whose share of the file begins at an offset or after it.
    pub(crate) fn row_at(&self, offset: u64) -> u64 {
        let rows = u128::from(offset) * u128::from(self.rows());
        rows.div_ceil(u128::from(self.size).max(1)) as u64
    }

    /// The number of bytes of the file that rows stand for: their share.
    pub(crate) fn share(&self, rows: u64) -> u64 {
        let games = self.table.len().max(1);
        (u128::from(self.size) * u128::from(rows) / u128::from(games)) as u64
    }
}

/// The error of a table. What was read of a file that has changed is not damage.
fn failure(name: &str, watch: Option<&Watch>, source: TableError) -> InputError {
    match (watch.map(Watch::check), source) {
        (Some(Err(changed)), TableError::Read(_)) => changed,
        (Some(_) | None, source) => InputError::Table { path: name.to_owned(), source },
    }
}
