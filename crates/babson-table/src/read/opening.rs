//! Opening a table: its footer, and what the footer says of its columns and batches.

use std::ops::Range;
use std::sync::Arc;

use arrow_ipc::convert::try_fb_to_schema;
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;

use super::Table;
use super::columns::{other_bytes, read_all};
use crate::error::TableError;
use crate::frame::{CONTINUATION, Frame, footer, footer_place, is_rewritten_footer, row_digits};
use crate::layout::Layout;
use crate::row_sums::RowSums;
use crate::schema::{Column, TextForm, field, keys, numbered_schema};
use crate::source::TableSource;

/// The first bytes of a file that tell its format.
const BEGINNING: u64 = 64;

impl Table {
    /// Opens a table that this crate has written. `ending` is how many of the last bytes of the
    /// file are read to find the footer.
    pub(crate) fn open_packed(
        source: Arc<dyn TableSource>,
        ending: u64,
    ) -> Result<Table, TableError> {
        let length = source.length();
        let [head, tail] = [0..length.min(BEGINNING), length.saturating_sub(ending)..length];
        let [first, last] = Table::ends(&*source, head, tail.clone())?;
        let range = footer_place(&first, &last, length).map_err(|error| {
            match source.is_in_memory() || !first.starts_with(&CONTINUATION) {
                true => error,
                false => TableError::RewrittenAfar,
            }
        })?;
        let bytes = match range.start.checked_sub(tail.start) {
            // The footer is within the last bytes.
            Some(start) => last.slice(start as usize..(range.end - tail.start) as usize),
            None => {
                let mut bytes = read_all(&*source, std::slice::from_ref(&range))?;
                bytes.pop().unwrap_or_default()
            }
        };
        let (footer, checksums) = footer(&bytes).map_err(|error| {
            match source.is_in_memory() || !is_rewritten_footer(&bytes) {
                true => error,
                false => TableError::RewrittenAfar,
            }
        })?;
        let frame = Frame::of(&footer, checksums, range.start)?;
        let schema = footer.schema().ok_or(TableError::damaged("it has no schema"))?;
        let schema = try_fb_to_schema(schema)
            .map_err(|_| TableError::damaged("the types of its columns cannot be read"))?;
        let forms = forms(&schema)?;
        let mut first_rows = vec![0];
        let mut rows = 0;
        for batch in &frame.batches {
            rows += u64::from(batch.sums.rows);
            first_rows.push(rows);
        }
        let games = schema.metadata().get(keys::GAMES).and_then(|games| games.parse().ok());
        if games != Some(rows) {
            return Err(TableError::damaged("the number of its games is wrong"));
        }
        let dictionaries = forms.iter().filter(|form| **form == TextForm::Numbered).count();
        // Dictionaries are written with the first batch. Other columns may have more.
        if !frame.batches.is_empty() && frame.dictionaries.len() < dictionaries {
            return Err(TableError::damaged("a dictionary is missing"));
        }
        let schema_of_batches = numbered_schema(&schema);
        let layout = Layout::of_batches(&schema_of_batches).map_err(|name| {
            TableError::Foreign(format!("tables have no columns of the type of {name}"))
        })?;
        let is_numbered =
            |field: &&Arc<Field>| matches!(field.data_type(), DataType::Dictionary(..));
        let numbered = schema.fields().iter().filter(is_numbered);
        let numbered = numbered.map(|field| field.name().clone()).collect();
        let writer = schema.metadata().get(keys::WRITER).map_or("", |writer| writer.as_str());
        let writer = writer.into();
        let digits = row_digits(&footer).map(|digits| bytes.slice_ref(digits.as_bytes()));
        let row_sums = digits.map(|digits| {
            let sums = RowSums::of(digits, frame.batches.iter().map(|batch| batch.sums.rows));
            sums.map(Arc::new).ok_or(TableError::damaged("its checksums of rows cannot be read"))
        });
        let mut table = Table {
            row_sums: row_sums.transpose()?,
            source,
            frame: Arc::new(frame),
            schema: Arc::new(schema_of_batches),
            layout: Arc::new(layout),
            numbered,
            forms,
            first_rows: first_rows.into(),
            writer,
            results: Arc::default(),
            rewritten: false,
        };
        table.results = table.texts(Column::RESULT)?.results();
        Ok(table)
    }

    /// The first and the last bytes of a file.
    fn ends(
        source: &dyn TableSource,
        head: Range<u64>,
        tail: Range<u64>,
    ) -> Result<[Bytes; 2], TableError> {
        let ends = read_all(source, &[head, tail])?;
        ends.try_into().map_err(|_| other_bytes())
    }
}

/// Returns the form of each column of texts. Fails if the schema does not begin with the columns of
/// a table. Further columns may follow them.
fn forms(schema: &Schema) -> Result<[TextForm; 9], TableError> {
    let mut forms = [TextForm::Numbered; 9];
    let mut texts = forms.iter_mut();
    for (at, column) in Column::all().enumerate() {
        let own = schema.fields().get(at);
        let fits = |form| own.is_some_and(|own| **own == field(column, form));
        let is_text = Column::TEXTS.contains(&column);
        let form = if is_text && fits(TextForm::Numbered) {
            TextForm::Numbered
        } else if fits(TextForm::Plain) {
            TextForm::Plain
        } else {
            let name = column.name();
            return Err(TableError::Foreign(format!("its column {} is not {name}", at + 1)));
        };
        if is_text && let Some(next) = texts.next() {
            *next = form;
        }
    }
    Ok(forms)
}
