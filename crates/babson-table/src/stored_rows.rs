//! Rows of a table that go into another table as they are: no game is replayed.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Int8Type, Int16Type, Int32Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};

use crate::batch::{Batch, Texts};
use crate::error::TableError;
use crate::read::Table;
use crate::rows::{Lists, Rows};
use crate::schema::Column;

/// The distinct texts of all columns of a table: what its rows need beside their batch.
#[derive(Clone, Debug)]
pub struct AllTexts([Texts; 9]);

impl AllTexts {
    /// The texts of a table.
    ///
    /// # Errors
    /// They are damaged.
    pub fn of(table: &Table) -> Result<AllTexts, TableError> {
        let [a, b, c, d, e, f, g, h, i] = Column::TEXTS.map(|column| table.texts(column));
        Ok(AllTexts([a?, b?, c?, d?, e?, f?, g?, h?, i?]))
    }

    /// The texts of each column of [`Column::TEXTS`], in the same order.
    pub(crate) fn columns(&self) -> &[Texts; 9] {
        &self.0
    }
}

impl Rows {
    /// Appends rows of a table with the facts that it has. The batch must have all columns:
    /// [`ColumnSet::ALL`](crate::ColumnSet::ALL).
    ///
    /// # Errors
    /// The number of a text is wrong. The rows must not be used any more.
    ///
    /// # Panics
    /// If `rows` ends after the last row of the batch, or the batch lacks a column.
    pub fn append_stored(
        &mut self,
        batch: &Batch,
        texts: &AllTexts,
        rows: Range<usize>,
    ) -> Result<(), TableError> {
        let stored = StoredRows { batch, rows };
        for ((into, column), texts) in self.texts.iter_mut().zip(Column::TEXTS).zip(&texts.0) {
            stored.texts(column, texts, into)?;
        }
        stored.numbers::<UInt64Type>(Column::NUMBER, &mut self.number);
        stored.numbers::<UInt64Type>(Column::OFFSET, &mut self.offset);
        stored.numbers::<UInt32Type>(Column::LENGTH, &mut self.length);
        stored.numbers::<UInt64Type>(Column::LINE, &mut self.line);
        for (into, column) in self.elos.iter_mut().zip([Column::WHITE_ELO, Column::BLACK_ELO]) {
            stored.optional::<Int16Type>(column, into);
        }
        stored.optional::<Date32Type>(Column::DATE, &mut self.dates);
        stored.optional::<Int16Type>(Column::YEAR, &mut self.years);
        stored.optional::<UInt8Type>(Column::MONTH, &mut self.months);
        stored.bytes(Column::FEN_TAG, &mut self.fen);
        stored.bytes(Column::VARIANT, &mut self.variant);
        stored.bytes(Column::TAGS, &mut self.tags);
        stored.bytes(Column::MOVETEXT, &mut self.movetext);
        stored.numbers::<UInt16Type>(Column::PLIES, &mut self.plies);
        stored.lists::<UInt16Type>(Column::MOVES, &mut self.moves);
        stored.lists::<UInt64Type>(Column::CHECKS, &mut self.checks);
        stored.numbers::<UInt32Type>(Column::FLAGS, &mut self.flags);
        stored.numbers::<Int8Type>(Column::BALANCE_MIN, &mut self.balance_min);
        stored.numbers::<Int8Type>(Column::BALANCE_MAX, &mut self.balance_max);
        for piece in 0..12 {
            stored.numbers::<UInt64Type>(Column::footprint(piece), &mut self.footprint[piece]);
            stored.numbers::<UInt8Type>(Column::most(piece), &mut self.most[piece]);
            stored.numbers::<UInt8Type>(Column::least(piece), &mut self.least[piece]);
        }
        stored.numbers::<UInt64Type>(Column::HASH, &mut self.hash);
        Ok(())
    }
}

/// Rows of a batch. Each method appends a column of them.
struct StoredRows<'b> {
    batch: &'b Batch,
    rows: Range<usize>,
}

impl StoredRows<'_> {
    fn numbers<T: ArrowPrimitiveType>(&self, column: Column, into: &mut Vec<T::Native>) {
        let numbers = self.batch.array(column).as_primitive::<T>();
        into.extend_from_slice(&numbers.values()[self.rows.clone()]);
    }

    fn optional<T: ArrowPrimitiveType>(&self, column: Column, into: &mut Vec<Option<T::Native>>) {
        let numbers = self.batch.array(column).as_primitive::<T>();
        let number = |row| numbers.is_valid(row).then(|| numbers.value(row));
        into.extend(self.rows.clone().map(number));
    }

    fn texts(&self, column: Column, texts: &Texts, into: &mut Lists<u8>) -> Result<(), TableError> {
        let Some(numbers) = self.batch.array(column).as_primitive_opt::<Int32Type>() else {
            self.bytes(column, into);
            return Ok(());
        };
        for row in self.rows.clone() {
            let number = numbers.is_valid(row).then(|| usize::try_from(numbers.value(row)));
            let text = number.map(|number| number.ok().and_then(|number| texts.get(number)));
            let no_text =
                || TableError::damaged(format_args!("{} has a number of no text", column.name()));
            let text = text.map(|text| text.ok_or_else(no_text)).transpose()?;
            into.push(text.map(str::as_bytes));
        }
        Ok(())
    }

    /// A column of bytes, or of texts that are not numbered.
    fn bytes(&self, column: Column, into: &mut Lists<u8>) {
        let array = self.batch.array(column);
        if let Some(texts) = array.as_string_opt::<i32>() {
            self.items(array, texts.value_offsets(), texts.value_data(), into);
        } else {
            let bytes = array.as_binary::<i32>();
            self.items(array, bytes.value_offsets(), bytes.value_data(), into);
        }
    }

    fn lists<T: ArrowPrimitiveType>(&self, column: Column, into: &mut Lists<T::Native>) {
        let array = self.batch.array(column);
        let lists = array.as_list::<i32>();
        let items = lists.values().as_primitive::<T>().values();
        self.items(array, lists.value_offsets(), items, into);
    }

    fn items<T: Copy>(&self, array: &ArrayRef, offsets: &[i32], items: &[T], into: &mut Lists<T>) {
        if array.null_count() > 0 {
            for row in self.rows.clone() {
                let place = offsets[row] as usize..offsets[row + 1] as usize;
                into.push(array.is_valid(row).then(|| &items[place]));
            }
            return;
        }
        let offsets = &offsets[self.rows.start..=self.rows.end];
        let (start, base) = (offsets[0] as usize, into.items.len());
        into.items.extend_from_slice(&items[start..offsets[self.rows.len()] as usize]);
        into.ends.extend(offsets[1..].iter().map(|&end| end as usize - start + base));
        into.valid.extend(self.rows.clone().map(|_| true));
    }
}
