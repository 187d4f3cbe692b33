//! The columns of a game table in SQL.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, DictionaryArray, StructArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Int32Type, Schema, SchemaRef};
use babson_input::{InputError, OpenTable};
use babson_table::schema::ColumnType;
use babson_table::{Batch, Column, ColumnSet};
use datafusion::error::{DataFusionError, Result};

use crate::bridge;
use crate::games::WHOLE_FIELDS;

/// An open table, and what is known of it.
#[derive(Debug)]
pub(crate) struct TableData {
    pub(crate) open: Arc<OpenTable>,
    pub(crate) name: String,
    pub(crate) schema: SchemaRef,
    /// By column of the schema.
    columns: Vec<SqlColumn>,
}

/// A column of SQL.
#[derive(Debug)]
enum SqlColumn {
    /// A column of the file.
    Plain(Column),
    /// A column of the file with the numbers of these texts.
    Numbered(Column, ArrayRef),
    /// The whole game.
    Game(Arc<SqlColumn>),
}

impl TableData {
    /// What is known of an open table.
    ///
    /// # Errors
    /// Its texts are damaged.
    pub(crate) fn new(open: Arc<OpenTable>, name: String) -> Result<TableData> {
        let (mut fields, mut columns) = (Vec::new(), Vec::new());
        for column in Column::all().filter(|column| *column != Column::MOVETEXT) {
            let (field, own) = match column == Column::MOVES {
                true => {
                    let result = Arc::new(SqlColumn::of(&open, Column::RESULT)?);
                    let game = SqlColumn::Game(result);
                    (Field::new(column.name(), game.game_type()?, false), game)
                }
                false => {
                    let own = SqlColumn::of(&open, column)?;
                    (own.field(column)?, own)
                }
            };
            fields.push(field);
            columns.push(own);
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(TableData { open, name, schema, columns })
    }

    /// The columns of the file that these columns of the schema are made of.
    pub(crate) fn file_columns(&self, indices: &[usize]) -> ColumnSet {
        indices.iter().fold(ColumnSet::EMPTY, |set, &index| match &self.columns[index] {
            SqlColumn::Plain(column) | SqlColumn::Numbered(column, _) => set.with(*column),
            SqlColumn::Game(_) => set.union(ColumnSet::GAME),
        })
    }

    /// A column of the schema, for all rows of a batch with its [file
    /// columns](TableData::file_columns).
    pub(crate) fn array(&self, index: usize, batch: &Batch) -> Result<ArrayRef> {
        self.columns[index].array(batch)
    }
}

impl SqlColumn {
    fn of(open: &OpenTable, column: Column) -> Result<SqlColumn> {
        if column.info().column_type != ColumnType::Text {
            return Ok(SqlColumn::Plain(column));
        }
        let texts = open.table().texts(column);
        let texts = texts.map_err(|source| external(open.damaged(source)))?;
        Ok(match texts.is_numbered() {
            true => SqlColumn::Numbered(column, bridge::array(&**texts.array())?),
            false => SqlColumn::Plain(column),
        })
    }

    fn field(&self, column: Column) -> Result<Field> {
        Ok(bridge::field(column, matches!(self, SqlColumn::Numbered(..)))?)
    }

    /// The type of whole games, if this is the column of them.
    fn game_type(&self) -> Result<DataType> {
        let SqlColumn::Game(result) = self else { return Ok(DataType::Null) };
        let number = Field::new("number", DataType::UInt64, false);
        let field = |name: &str, column| Ok(bridge::field(column, false)?.with_name(name));
        let fields = [
            Ok(number),
            field("tags", Column::TAGS),
            field("movetext", Column::MOVETEXT),
            field("codes", Column::MOVES),
            field("checks", Column::CHECKS),
            field("flags", Column::FLAGS),
            result.field(Column::RESULT),
        ];
        let fields = fields.into_iter().collect::<Result<Vec<Field>>>()?;
        debug_assert!(fields.iter().map(|field| field.name().as_str()).eq(WHOLE_FIELDS));
        Ok(DataType::Struct(fields.into()))
    }

    fn array(&self, batch: &Batch) -> Result<ArrayRef> {
        match self {
            SqlColumn::Plain(column) => Ok(bridge::array(batch.array(*column))?),
            SqlColumn::Numbered(column, texts) => {
                let numbers = bridge::array(batch.array(*column))?;
                let numbers = numbers.as_primitive::<Int32Type>().clone();
                Ok(Arc::new(DictionaryArray::try_new(numbers, Arc::clone(texts))?))
            }
            SqlColumn::Game(result) => self.games(batch, result),
        }
    }

    /// The whole games of a batch.
    fn games(&self, batch: &Batch, result: &SqlColumn) -> Result<ArrayRef> {
        let DataType::Struct(fields) = self.game_type()? else {
            return Err(DataFusionError::Internal("the games are not structs".to_owned()));
        };
        let first = batch.first_row() + 1;
        let numbers = UInt64Array::from_iter_values(first..first + batch.len() as u64);
        let array = |column| Ok(bridge::array(batch.array(column))?);
        let arrays = [
            Ok(Arc::new(numbers) as ArrayRef),
            array(Column::TAGS),
            array(Column::MOVETEXT),
            array(Column::MOVES),
            array(Column::CHECKS),
            array(Column::FLAGS),
            result.array(batch),
        ];
        let arrays = arrays.into_iter().collect::<Result<Vec<ArrayRef>>>()?;
        Ok(Arc::new(StructArray::try_new(fields, arrays, None)?))
    }
}

/// An error of the inputs.
pub(crate) fn external(error: InputError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
