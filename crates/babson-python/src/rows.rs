//! The rows of matching positions as record batches.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{Date32Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use babson::SinkResult;
use babson::pgn::tags::normal::{FullDate, full_date};
use babson::scan::Job;
use babson::sink::{Cell, ColumnType, Columns, Format, MatchText, MatchedGame, Omitted, TextSink};

use crate::limits::BATCH_ROWS;
use crate::run::Message;
use crate::work::Messages;

/// The schema of these columns, in the matches of these queries.
pub(crate) fn schema(columns: &Columns, jobs: &[Job]) -> SchemaRef {
    let programs: Vec<_> = jobs.iter().map(|job| &job.program).collect();
    let types = columns.types(&programs);
    let fields = columns.headings().zip(types).map(|(heading, column_type)| {
        let data_type = match column_type {
            ColumnType::Number => DataType::Int64,
            ColumnType::Date => DataType::Date32,
            // A text, or a value that may be one.
            _ => DataType::Utf8,
        };
        Field::new(heading, data_type, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Writes the cells of rows one after another.
struct CellFormat(Columns);

impl Format for CellFormat {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        self.0.for_each_row(matched, |row| {
            for cell in row {
                // Writing to a vector cannot fail.
                let _ = postcard::to_io(cell, &mut *out.bytes());
            }
        });
        Omitted::default()
    }
}

/// Makes record batches of rows.
pub(crate) struct RowBatches {
    columns: Columns,
    schema: SchemaRef,
    builders: Vec<CellBuilder>,
    rows: usize,
    messages: Messages<Message<RecordBatch>>,
}

/// The cells of a column.
enum CellBuilder {
    Number(Int64Builder),
    Date(Date32Builder),
    Text(StringBuilder),
}

impl RowBatches {
    pub(crate) fn new(
        columns: Columns,
        schema: SchemaRef,
        messages: Messages<Message<RecordBatch>>,
    ) -> RowBatches {
        let builders = schema.fields().iter().map(|field| match field.data_type() {
            DataType::Int64 => CellBuilder::Number(Int64Builder::new()),
            DataType::Date32 => CellBuilder::Date(Date32Builder::new()),
            _ => CellBuilder::Text(StringBuilder::new()),
        });
        let builders = builders.collect();
        RowBatches { columns, schema, builders, rows: 0, messages }
    }

    /// The sinks of some queries, whose rows come together.
    pub(crate) fn sinks(self, queries: usize) -> Vec<TextSink> {
        let columns = self.columns.clone();
        let batches = Arc::new(Mutex::new(self));
        let sink = |_| {
            let (format, batches) = (CellFormat(columns.clone()), Arc::clone(&batches));
            TextSink::new("the record batches", format, move |text| {
                batches.lock().unwrap_or_else(PoisonError::into_inner).take(text)
            })
        };
        (0..queries).map(sink).collect()
    }

    /// Takes the rows of a match.
    fn take(&mut self, mut text: &[u8]) -> SinkResult<ControlFlow<()>> {
        while !text.is_empty() {
            for builder in &mut self.builders {
                let (cell, rest) = postcard::take_from_bytes::<Cell<'_>>(text)?;
                builder.push(&cell);
                text = rest;
            }
            self.rows += 1;
            if self.rows == BATCH_ROWS && self.send()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn send(&mut self) -> SinkResult<ControlFlow<()>> {
        self.rows = 0;
        let arrays = self.builders.iter_mut().map(CellBuilder::finish).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)?;
        Ok(match self.messages.send(Message::Found(vec![batch])) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        })
    }
}

impl Drop for RowBatches {
    fn drop(&mut self) {
        if self.rows > 0 {
            // Whether anybody takes them makes no difference any more.
            let _ = self.send();
        }
    }
}

impl CellBuilder {
    fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (CellBuilder::Number(out), Cell::Number(number)) => out.append_value(*number),
            (CellBuilder::Number(out), _) => out.append_null(),
            (CellBuilder::Date(out), Cell::Text(text)) => {
                let date = full_date(text.replace('-', ".").as_bytes());
                out.append_option(date.map(FullDate::days_since_1970));
            }
            (CellBuilder::Date(out), _) => out.append_null(),
            (CellBuilder::Text(out), Cell::Text(text)) => out.append_value(text),
            (CellBuilder::Text(out), Cell::Number(number)) => out.append_value(number.to_string()),
            (CellBuilder::Text(out), _) => out.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            CellBuilder::Number(out) => Arc::new(out.finish()),
            CellBuilder::Date(out) => Arc::new(out.finish()),
            CellBuilder::Text(out) => Arc::new(out.finish()),
        }
    }
}
