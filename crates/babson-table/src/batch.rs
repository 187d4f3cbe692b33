//! A batch of a table: the columns of some thousand games.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrayRef, Int32Array, StringArray};
use babson_pgn::{CodedGame, GameFlags, GameResult};

use crate::schema::Column;

/// Some columns of a batch, by row. The slices are parts of the table.
///
/// # Panics
/// The methods panic if the batch was read without their column, and if the row is not less than
/// [`len`](Batch::len).
#[derive(Clone, Debug)]
pub struct Batch {
    pub(crate) rows: usize,
    /// The index in the table of the first row.
    pub(crate) first: u64,
    /// By column.
    pub(crate) arrays: Vec<Option<ArrayRef>>,
    pub(crate) results: Results,
}

/// The termination marker that each text of [`Column::RESULT`] is, by the number of the text.
pub(crate) type Results = Arc<[Option<GameResult>]>;

/// The termination marker with a text.
fn result_of(text: &str) -> Option<GameResult> {
    const RESULTS: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
    RESULTS.into_iter().find(|result| result.text() == text)
}

/// The distinct texts of a column. Empty if the texts of the column are not numbered.
#[derive(Clone, Debug)]
pub struct Texts {
    pub(crate) values: Arc<StringArray>,
    pub(crate) numbered: bool,
}

impl Texts {
    /// Whether the column has numbers of texts. Otherwise it has the texts themselves.
    pub fn is_numbered(&self) -> bool {
        self.numbered
    }

    /// The number of distinct texts.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text with this number. A damaged table may have numbers of no text.
    pub fn get(&self, number: usize) -> Option<&str> {
        (number < self.values.len()).then(|| self.values.value(number))
    }

    /// The texts by number, as Arrow has them.
    pub fn array(&self) -> &Arc<StringArray> {
        &self.values
    }

    /// The termination marker that each of them is.
    pub(crate) fn results(&self) -> Results {
        self.iter().map(result_of).collect()
    }

    /// The texts by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.values.len()).map(|number| self.values.value(number))
    }
}

/// The numbers of texts, by row.
#[derive(Clone, Copy, Debug)]
pub struct TextNumbers<'b> {
    numbers: &'b Int32Array,
}

impl<'b> TextNumbers<'b> {
    /// The number of the text of a row; `None` if the game has no such text.
    pub fn get(&self, row: usize) -> Option<usize> {
        let number = self.numbers.is_valid(row).then(|| self.numbers.value(row))?;
        // A damaged table may have any number: this one has no text.
        Some(usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// The numbers as the table has them. What stands in rows without a text is not specified.
    pub fn values(&self) -> &'b [i32] {
        self.numbers.values()
    }

    /// Whether every row has a text.
    pub fn all_valid(&self) -> bool {
        self.numbers.null_count() == 0
    }
}

/// A game as a table has it.
#[derive(Clone, Copy, Debug)]
pub enum StoredGame<'b> {
    /// Its tags and moves: [`Reader::replay_if`](babson_pgn::Reader::replay_if) gives it back.
    Coded(CodedGame<'b>),
    /// Its text, in two parts that follow each other.
    Text {
        /// The tag section.
        tags: &'b [u8],
        /// The rest.
        movetext: &'b [u8],
    },
}

impl Batch {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The index in the table of the first row.
    pub fn first_row(&self) -> u64 {
        self.first
    }

    /// The column as Arrow has it, of the type of its [field](Column::field). Numbered texts are
    /// their numbers: the keys of a dictionary whose values are [`Texts::array`].
    ///
    /// # Panics
    /// If the column was not read.
    pub fn array(&self, column: Column) -> &ArrayRef {
        let array = self.arrays[column.index()].as_ref();
        array.unwrap_or_else(|| panic!("the column {} was not read", column.name()))
    }

    fn numbers<T: ArrowPrimitiveType>(&self, column: Column) -> &[T::Native] {
        self.array(column).as_primitive::<T>().values()
    }

    fn list<T: ArrowPrimitiveType>(&self, column: Column, row: usize) -> Option<&[T::Native]> {
        let list = self.array(column).as_list::<i32>();
        let (start, end) = (list.value_offsets()[row], list.value_offsets()[row + 1]);
        let values = list.values().as_primitive::<T>().values();
        list.is_valid(row).then(|| &values[start as usize..end as usize])
    }

    fn lists<T: ArrowPrimitiveType>(
        &self,
        column: Column,
        rows: Range<usize>,
    ) -> impl Iterator<Item = Option<&[T::Native]>> {
        let list = self.array(column).as_list::<i32>();
        let values = list.values().as_primitive::<T>().values();
        let nulls = list.nulls().filter(|nulls| nulls.null_count() > 0);
        let starts = &list.value_offsets()[rows.start..rows.end];
        let ends = &list.value_offsets()[rows.start + 1..rows.end + 1];
        let lists = starts.iter().zip(ends).zip(rows);
        lists.map(move |((&start, &end), row)| {
            let valid = nulls.is_none_or(|nulls| nulls.is_valid(row));
            valid.then(|| &values[start as usize..end as usize])
        })
    }

    fn bytes(&self, column: Column, row: usize) -> Option<&[u8]> {
        let bytes = self.array(column).as_binary::<i32>();
        bytes.is_valid(row).then(|| bytes.value(row))
    }

    /// For each row, the squares on which the piece stands at any node. `piece` is its
    /// [`Piece::index`](babson_chess::Piece::index).
    pub fn footprint(&self, piece: usize) -> &[u64] {
        self.numbers::<UInt64Type>(Column::footprint(piece))
    }

    /// For each row, the greatest number of the piece at any node. `piece` is its
    /// [`Piece::index`](babson_chess::Piece::index).
    pub fn most(&self, piece: usize) -> &[u8] {
        self.numbers::<UInt8Type>(Column::most(piece))
    }

    /// For each row, the least number of the piece at any node. `piece` is its
    /// [`Piece::index`](babson_chess::Piece::index).
    pub fn least(&self, piece: usize) -> &[u8] {
        self.numbers::<UInt8Type>(Column::least(piece))
    }

    /// The flags: see [`GameFlags`].
    pub fn flags(&self) -> &[u32] {
        self.numbers::<UInt32Type>(Column::FLAGS)
    }

    /// The least material balance.
    pub fn least_balance(&self) -> &[i8] {
        self.numbers::<Int8Type>(Column::BALANCE_MIN)
    }

    /// The greatest material balance.
    pub fn greatest_balance(&self) -> &[i8] {
        self.numbers::<Int8Type>(Column::BALANCE_MAX)
    }

    /// The number of moves of the main line.
    pub fn plies(&self) -> &[u16] {
        self.numbers::<UInt16Type>(Column::PLIES)
    }

    /// The numbers of the games in their inputs.
    pub fn number(&self) -> &[u64] {
        self.numbers::<UInt64Type>(Column::NUMBER)
    }

    /// The offsets of the games in their inputs.
    pub fn offset(&self) -> &[u64] {
        self.numbers::<UInt64Type>(Column::OFFSET)
    }

    /// The lengths of the texts of the games.
    pub fn length(&self) -> &[u32] {
        self.numbers::<UInt32Type>(Column::LENGTH)
    }

    /// The lines of the inputs that the games begin on.
    pub fn line(&self) -> &[u64] {
        self.numbers::<UInt64Type>(Column::LINE)
    }

    /// For each row, the number that equal games share: see [`GameHash`](babson_pgn::GameHash).
    pub fn hashes(&self) -> &[u64] {
        self.numbers::<UInt64Type>(Column::HASH)
    }

    /// The ratings of a player, for [`Column::WHITE_ELO`] or [`Column::BLACK_ELO`]. What stands in
    /// rows without a rating is not specified: see [`present`](Batch::present).
    pub fn elos(&self, column: Column) -> &[i16] {
        self.numbers::<Int16Type>(column)
    }

    /// Which rows of a range have something in a column: bit `i` of word `w` is row `64 * w + i` of
    /// the range. `None` if all rows of the batch have.
    pub fn present(&self, column: Column, rows: Range<usize>) -> Option<Vec<u64>> {
        let nulls = self.array(column).nulls().filter(|nulls| nulls.null_count() > 0)?;
        let present = nulls.inner().slice(rows.start, rows.len());
        Some(present.bit_chunks().iter_padded().take(rows.len().div_ceil(64)).collect())
    }

    /// The codes of the moves of the main line; `None` if one of them has no code, or the start of
    /// the game is not one that codes can be played from. See [`MoveCode`](babson_chess::MoveCode).
    pub fn moves(&self, row: usize) -> Option<&[u16]> {
        self.list::<UInt16Type>(Column::MOVES, row)
    }

    /// Like [`moves`](Batch::moves), for each row of a range.
    pub fn move_lists(&self, rows: Range<usize>) -> impl Iterator<Item = Option<&[u16]>> {
        self.lists::<UInt16Type>(Column::MOVES, rows)
    }

    /// A bit for each position of the main line: whether the side to move is in check. Words of
    /// zeros at the end are left out.
    pub fn checks(&self, row: usize) -> &[u64] {
        self.list::<UInt64Type>(Column::CHECKS, row).unwrap_or_default()
    }

    /// Like [`checks`](Batch::checks), for each row of a range.
    pub fn check_lists(&self, rows: Range<usize>) -> impl Iterator<Item = &[u64]> {
        self.lists::<UInt64Type>(Column::CHECKS, rows).map(Option::unwrap_or_default)
    }

    /// The tag section, byte for byte.
    pub fn tags(&self, row: usize) -> &[u8] {
        self.bytes(Column::TAGS, row).unwrap_or_default()
    }

    /// The text after the tag section, byte for byte; `None` if the moves say it all.
    pub fn movetext(&self, row: usize) -> Option<&[u8]> {
        self.bytes(Column::MOVETEXT, row)
    }

    /// The numbers of the texts of a column; `None` if its texts [are not
    /// numbered](Texts::is_numbered).
    pub fn text_numbers(&self, column: Column) -> Option<TextNumbers<'_>> {
        self.array(column).as_primitive_opt::<Int32Type>().map(|numbers| TextNumbers { numbers })
    }

    /// The text of a column in a row; `None` if the game has none. `texts` must be the texts of
    /// the same column: see [`Table::texts`](crate::Table::texts).
    pub fn text<'a>(&'a self, column: Column, row: usize, texts: &'a Texts) -> Option<&'a str> {
        match self.text_numbers(column) {
            Some(numbers) => texts.get(numbers.get(row)?),
            None => self.plain_text(column, row),
        }
    }

    /// The text of a column whose texts are not numbered; `None` if the game has none.
    pub fn plain_text(&self, column: Column, row: usize) -> Option<&str> {
        let plain = self.array(column).as_string::<i32>();
        plain.is_valid(row).then(|| plain.value(row))
    }

    /// The termination marker of a game; `None` if it has none. Reads the flags and the results.
    pub fn result(&self, row: usize) -> Option<GameResult> {
        if !GameFlags(self.flags()[row]).has(GameFlags::RESULT) {
            return None;
        }
        match self.text_numbers(Column::RESULT) {
            Some(numbers) => self.results.get(numbers.get(row)?).copied().flatten(),
            None => result_of(self.plain_text(Column::RESULT, row)?),
        }
    }

    /// The game of a row. Needs the columns of [`ColumnSet::GAME`](crate::ColumnSet::GAME).
    ///
    /// A damaged table may have neither moves nor text: such a game has no moves here.
    pub fn game_text(&self, row: usize) -> StoredGame<'_> {
        const UNUSUAL: GameFlags =
            GameFlags(GameFlags::OWN_START.0 | GameFlags::VARIANT.0 | GameFlags::DAMAGE.0);
        let tags = self.tags(row);
        match self.movetext(row) {
            Some(movetext) => StoredGame::Text { tags, movetext },
            None => StoredGame::Coded(CodedGame {
                tags,
                usual_start: self.flags()[row] & UNUSUAL.0 == 0,
                moves: self.moves(row).unwrap_or_default(),
                checks: self.checks(row),
                result: self.result(row),
            }),
        }
    }
}
