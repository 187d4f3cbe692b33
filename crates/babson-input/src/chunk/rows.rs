//! Chunks of game tables.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use babson_pgn::{CodedGame, GameFlags, GameHash, SplitText, count_lines};
use babson_table::{Batch, Column, ColumnSet, Rows, StoredGame, TableError};
use babson_vm::ConditionRows;
use babson_vm::run::GameText;
use crc32fast::Hasher;

use super::selection::{GuardColumns, Selection};
use super::{Guards, RowChoice, RowName};
use crate::error::InputError;
use crate::input::OpenTable;
use crate::limits::MAX_ROWS;

/// A table that is searched.
#[derive(Debug)]
struct SearchedTable {
    open: Arc<OpenTable>,
    /// What the guards of the search ask of it.
    guards: OnceLock<GuardColumns>,
}

/// Rows of a table that are not decoded yet.
#[derive(Clone, Debug)]
pub(crate) struct CutRows {
    table: Arc<SearchedTable>,
    batch: usize,
    columns: Arc<BatchColumns>,
    rows: Range<usize>,
    /// Whether a range of a slice begins with them.
    begins_range: bool,
}

/// The columns of a batch, which are read as wholes for the first chunk that needs them.
#[derive(Debug, Default)]
struct BatchColumns {
    /// The columns that the guards of queries test.
    guards: LazyBatch,
    /// The columns from which games are read.
    games: LazyBatch,
    /// The hashes of the games.
    hashes: LazyBatch,
}

/// Columns, or what is wrong with them, once they were read.
type LazyBatch = OnceLock<Result<Batch, TableError>>;

/// The rows of a chunk.
pub struct ChunkRows {
    table: Arc<SearchedTable>,
    batch: usize,
    rows: Range<usize>,
    /// A bit for each row: whether a query may match there or do anything else.
    selected: Vec<u64>,
    /// For each query a bit for each row: whether the guard has decided that it matches; no words
    /// if the guard decides nothing.
    decided: Vec<Vec<u64>>,
    /// The columns of the games; none if no row is read.
    games: Option<Batch>,
    columns: Arc<BatchColumns>,
    /// Whether a table begins with them that another program has written anew.
    begins_rewritten: bool,
}

/// A row of a chunk.
pub struct TableRow<'r> {
    table: &'r OpenTable,
    games: &'r Batch,
    index: usize,
}

/// Cuts a range of the rows of a table into chunks.
pub(super) struct RowCutter {
    table: Arc<SearchedTable>,
    batch: usize,
    columns: Arc<BatchColumns>,
    row: u64,
    end: u64,
    /// Whether a range of a slice begins with the next row.
    begins_range: bool,
}

impl RowCutter {
    pub(super) fn new(open: Arc<OpenTable>, rows: Range<u64>) -> RowCutter {
        let end = rows.end.min(open.rows());
        let table = Arc::new(SearchedTable { open, guards: OnceLock::new() });
        let (batch, row, begins_range) = (0, rows.start, true);
        RowCutter { table, batch, columns: Arc::default(), row, end, begins_range }
    }

    /// The share of the file before the next row, in bytes.
    pub(super) fn offset(&self) -> u64 {
        self.table.open.share(self.row)
    }

    /// The next rows, up to the first one whose share of the file begins at `cut` or after it.
    pub(super) fn next(&mut self, cut: Option<u64>) -> Option<CutRows> {
        let cut = cut.map(|offset| self.table.open.row_at(offset)).filter(|row| *row > self.row);
        let table = &self.table.open.table;
        while self.batch < table.batches() && self.row < self.end {
            let (first, last) = (table.first_row(self.batch), table.first_row(self.batch + 1));
            if self.row < last {
                let end = last.min(self.end).min(self.row + MAX_ROWS as u64);
                let end = cut.map_or(end, |cut| cut.min(end));
                let rows = (self.row - first) as usize..(end - first) as usize;
                let begins_range = std::mem::replace(&mut self.begins_range, cut == Some(end));
                self.row = end;
                let (table, columns) = (Arc::clone(&self.table), Arc::clone(&self.columns));
                return Some(CutRows { table, batch: self.batch, columns, rows, begins_range });
            }
            self.batch += 1;
            self.columns = Arc::default();
        }
        None
    }
}

impl CutRows {
    /// The bytes of the file that the rows stand for.
    pub(super) fn length(&self) -> u64 {
        let first = self.table.open.table.first_row(self.batch);
        let (start, end) = (first + self.rows.start as u64, first + self.rows.end as u64);
        self.table.open.share(end) - self.table.open.share(start)
    }

    /// Adds the bytes of the rows to a checksum: of the columns of their batch as much as the rows
    /// are of the batch. Where a range of a slice begins, the texts that rows have numbers of come
    /// first. So the chunks of a range have together all that its games are made of. Of a table on
    /// a server these are the checksums in its footer, since its bytes would all have to be read.
    pub(super) fn hash(&self, hasher: &mut Hasher) {
        let table = &self.table.open.table;
        if self.begins_range {
            table.dictionary_identities().for_each(|texts| hasher.update(&texts));
        }
        let bytes = table.batch_identity(self.batch);
        let rows = table.first_row(self.batch + 1) - table.first_row(self.batch);
        let at =
            |row: usize| (bytes.len() as u128 * row as u128 / u128::from(rows.max(1))) as usize;
        hasher.update(&bytes[at(self.rows.start)..at(self.rows.end)]);
    }

    /// Reads the chosen rows.
    ///
    /// # Errors
    /// The table is damaged.
    pub(super) fn read(self, choice: &RowChoice<'_>) -> Result<ChunkRows, InputError> {
        let CutRows { table, columns, rows, .. } = &self;
        let (mut selected, mut decided, mut games) = (Vec::new(), Vec::new(), None);
        match choice {
            RowChoice::None => {}
            RowChoice::Guarded { guards: each, .. } | RowChoice::AllGuarded(each) => {
                let guards = table.guards.get_or_init(|| GuardColumns::of(each));
                let batch = columns.guards.get_or_init(|| {
                    let columns = guards.columns();
                    table.open.table.read_ahead(self.batch, columns)?;
                    table.open.table.batch(self.batch, columns)
                });
                let batch = batch.as_ref().map_err(|source| self.damaged(source))?;
                let (decides, writes) = match choice {
                    RowChoice::Guarded { decides, writes, .. } => (&decides[..], &writes[..]),
                    RowChoice::None
                    | RowChoice::AllGuarded(_)
                    | RowChoice::All
                    | RowChoice::Stored => (&[][..], &[][..]),
                };
                Selection { selected, decided } = guards
                    .select(each, decides, &table.open.table, batch, rows)
                    .map_err(|source| table.open.damaged(source))?;
                for (decided, _) in decided.iter().zip(writes).filter(|(_, writes)| **writes) {
                    selected.iter_mut().zip(decided).for_each(|(all, decided)| *all |= decided);
                }
            }
            RowChoice::All | RowChoice::Stored => selected = vec![!0; rows.len().div_ceil(64)],
        }
        let reads_all = matches!(choice, RowChoice::AllGuarded(_));
        if reads_all || selected.iter().any(|word| *word != 0) {
            games = Some(match choice {
                RowChoice::Stored => self.batch(&columns.games, ColumnSet::ALL)?.clone(),
                RowChoice::All | RowChoice::AllGuarded(_) => self.games(None)?,
                RowChoice::None | RowChoice::Guarded { .. } => self.games(Some(&selected))?,
            });
        }
        let is_first = table.open.table.first_row(self.batch) + rows.start as u64 == 0;
        let begins_rewritten = is_first && table.open.table.is_rewritten();
        let CutRows { table, batch, columns, rows, .. } = self;
        Ok(ChunkRows { table, batch, rows, selected, decided, games, columns, begins_rewritten })
    }

    /// The columns of the games of the selected rows; all if there is no word for them. Of a table
    /// in memory, they are read once for the batch, the other threads that need them wait, and the
    /// selected rows are tested. Of a table on a server, only the games of these rows are read.
    fn games(&self, selected: Option<&[u64]>) -> Result<Batch, InputError> {
        let CutRows { table, batch, columns, rows, .. } = self;
        let table = &table.open.table;
        let damaged = |source| self.damaged(&source);
        if let Some(words) = selected.filter(|_| !table.is_in_memory()) {
            let words = shifted(words, rows.start);
            return table.batch_rows(*batch, GAME_COLUMNS, &words).map_err(damaged);
        }
        let games = columns.games.get_or_init(|| table.batch_of_rows(*batch, GAME_COLUMNS));
        let games = games.clone().map_err(damaged)?;
        let checked = match selected {
            None => table.check_rows(&games, rows.clone()),
            Some(words) => {
                let next = |from| next_bit(words, from).filter(|row| *row < rows.len());
                let read = std::iter::successors(next(0), |row| next(row + 1));
                table.check_rows(&games, read.map(|row| rows.start + row))
            }
        };
        checked.map_err(damaged)?;
        Ok(games)
    }

    /// These columns of the batch. The other threads that need them wait.
    fn batch<'b>(&self, batch: &'b LazyBatch, columns: ColumnSet) -> Result<&'b Batch, InputError> {
        let batch = batch.get_or_init(|| self.table.open.table.batch(self.batch, columns));
        batch.as_ref().map_err(|source| self.damaged(source))
    }

    fn damaged(&self, source: &TableError) -> InputError {
        self.table.open.damaged(source.clone())
    }
}

/// Bits that are moved to higher places.
fn shifted(words: &[u64], by: usize) -> Vec<u64> {
    let (first, bits) = (by / 64, by % 64);
    let mut moved = vec![0; first + words.len() + 1];
    for (index, word) in words.iter().enumerate() {
        moved[first + index] |= word << bits;
        if bits > 0 {
            moved[first + index + 1] |= word >> (64 - bits);
        }
    }
    moved
}

/// The columns of the games that are read.
const GAME_COLUMNS: ColumnSet = ColumnSet::GAME.union(ColumnSet::of(&[
    Column::INPUT,
    Column::NUMBER,
    Column::OFFSET,
    Column::LENGTH,
    Column::LINE,
]));

impl ChunkRows {
    /// The number of games.
    pub fn games(&self) -> usize {
        self.rows.len()
    }

    /// The name of the table that begins with these rows, if another program has written it anew.
    pub fn rewritten_table(&self) -> Option<&str> {
        self.begins_rewritten.then_some(self.table.open.name.as_str())
    }

    /// Leaves out the games from this index on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.rows.end = self.rows.end.min(self.rows.start.saturating_add(len));
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        self.table.open.check_unchanged()
    }

    /// For each condition of the guard of a query, the games for which it holds; none if the rows
    /// were not chosen by these guards.
    pub fn guard_rows(
        &self,
        each: &Guards<'_>,
        query: usize,
        games: Range<usize>,
    ) -> Option<Vec<ConditionRows>> {
        let guards = self.table.guards.get()?;
        let batch = self.columns.guards.get()?.as_ref().ok()?;
        let rows = self.rows.start + games.start..self.rows.start + games.end;
        // All that can be damaged here was read when the rows were selected.
        guards.select_each(each, query, &self.table.open.table, batch, &rows).ok()
    }

    /// The hashes of the games, by which equal games are found.
    ///
    /// # Errors
    /// The table is damaged.
    pub fn hashes(&self) -> Result<Vec<GameHash>, InputError> {
        let open = &self.table.open;
        let batch = self
            .columns
            .hashes
            .get_or_init(|| open.table.batch(self.batch, ColumnSet::of(&[Column::HASH])));
        let batch = batch.as_ref().map_err(|source| open.damaged(source.clone()))?;
        Ok(batch.hashes()[self.rows.clone()].iter().copied().map(GameHash).collect())
    }

    /// Appends games to the rows of another table, with the facts that this one has. The rows must
    /// have been read with [`RowChoice::Stored`].
    ///
    /// # Errors
    /// The texts of the table are damaged.
    pub fn append_to(&self, into: &mut Rows, games: Range<usize>) -> Result<(), InputError> {
        let Some(batch) = &self.games else { return Ok(()) };
        let rows = self.rows.start + games.start..self.rows.start + games.end;
        let open = &self.table.open;
        let texts = open.texts()?;
        into.append_stored(batch, texts, rows).map_err(|source| open.damaged(source))
    }

    /// The index of the first selected row from this one on, or else the number of rows.
    pub fn next_selected(&self, from: usize) -> usize {
        next_bit(&self.selected, from).map_or(self.games(), |next| next.min(self.games()))
    }

    /// The first row from this one on in which a query matches by the decision of its guard.
    pub fn next_decided(&self, query: usize, from: usize) -> Option<usize> {
        next_bit(self.decided.get(query)?, from).filter(|row| *row < self.games())
    }

    /// Whether a query matches in this row by the decision of its guard.
    pub fn is_decided(&self, query: usize, row: usize) -> bool {
        let words = self.decided.get(query).map_or(&[][..], Vec::as_slice);
        words.get(row / 64).is_some_and(|word| word >> (row % 64) & 1 != 0)
    }

    /// The row; none if it is not selected.
    pub fn row(&self, index: usize) -> Option<TableRow<'_>> {
        let word = self.selected.get(index / 64)?;
        self.any_row(index).filter(|_| word >> (index % 64) & 1 != 0)
    }

    /// The row, selected or not; none if it was not read.
    pub fn any_row(&self, index: usize) -> Option<TableRow<'_>> {
        let games = self.games.as_ref().filter(|_| index < self.games())?;
        Some(TableRow { table: &self.table.open, games, index: self.rows.start + index })
    }
}

/// The first bit from this one on that is set; bit `i` of word `w` has the number `64 * w + i`.
fn next_bit(words: &[u64], from: usize) -> Option<usize> {
    let mut words = words.iter().zip((0..).step_by(64)).skip(from / 64);
    let (word, first) = words.next()?;
    let rest = std::iter::once((word >> (from % 64) << (from % 64), first));
    let mut words = rest.chain(words.map(|(word, first)| (*word, first)));
    words.find_map(|(word, first)| (word != 0).then(|| first + word.trailing_zeros() as usize))
}

/// The game of a row of a batch that was read with [`ColumnSet::GAME`]. `joined` has room for the
/// text of a game whose tags and moves are stored apart.
pub fn game_text<'t>(batch: &'t Batch, row: usize, joined: &'t mut Vec<u8>) -> GameText<'t> {
    match batch.game_text(row) {
        StoredGame::Coded(coded) => GameText::Coded(coded),
        StoredGame::Text { tags, movetext } => {
            joined.clear();
            joined.extend_from_slice(tags);
            joined.extend_from_slice(movetext);
            GameText::Pgn(SplitText::new(joined))
        }
    }
}

impl<'r> TableRow<'r> {
    /// The game. `joined` has room for the text of a game whose tags and moves are stored apart.
    pub fn game<'t>(&self, joined: &'t mut Vec<u8>) -> GameText<'t>
    where
        'r: 't,
    {
        game_text(self.games, self.index, joined)
    }

    /// The tags and the codes of the moves, if the game is stored so.
    pub fn coded(&self) -> Option<CodedGame<'r>> {
        match self.games.game_text(self.index) {
            StoredGame::Coded(coded) => Some(coded),
            StoredGame::Text { .. } => None,
        }
    }

    /// The line of its file on which this offset in the text of the game is. Codes of moves have no
    /// lines.
    pub fn line_at(&self, game: &GameText<'_>, offset: usize) -> u64 {
        match game {
            GameText::Coded(_) => self.line(),
            GameText::Pgn(text) => self.line().saturating_add(count_lines(text.text(), 0..offset)),
        }
    }

    /// What happens in the game.
    pub fn flags(&self) -> GameFlags {
        GameFlags(self.games.flags()[self.index])
    }

    /// The row in messages.
    pub fn name(&self) -> RowName<'r> {
        let number = self.games.first_row() + self.index as u64 + 1;
        RowName { table: &self.table.name, number }
    }

    /// The name of the PGN file that the game comes from.
    pub fn input(&self) -> &'r str {
        let OpenTable { inputs, name, .. } = self.table;
        self.games.text(Column::INPUT, self.index, inputs).unwrap_or(name)
    }

    /// The number of the game in its file.
    pub fn number(&self) -> u64 {
        self.games.number()[self.index]
    }

    /// The offset of the game in its file.
    pub fn offset(&self) -> u64 {
        self.games.offset()[self.index]
    }

    /// The length of the text of the game in its file.
    pub fn length(&self) -> u64 {
        u64::from(self.games.length()[self.index])
    }

    /// The line of its file on which the game begins.
    pub fn line(&self) -> u64 {
        self.games.line()[self.index]
    }
}
