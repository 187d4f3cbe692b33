//! A game table that is being written to an output.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use babson_input::InputError;
use babson_table::{Compression, MatchQuery, Rows, Table, TableSize, TableWriter, WriteError};
use babson_vm::StopSignal;

use crate::destination::Destination;
use crate::error::{Error, OutputRefusal};
use crate::output::{Output, resolved};

/// The program, as the metadata of a table names it.
const PROGRAM: &str = concat!("babson ", env!("CARGO_PKG_VERSION"));

/// A table that is being written. Rows wait in a temporary file without a name.
pub(crate) struct TableOutput {
    output: Output,
    writer: TableWriter<File>,
    format: TableFormat,
}

/// The format of the file of a table.
#[derive(Clone, Copy)]
enum TableFormat {
    Arrow,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl TableFormat {
    /// The format of a destination, by its name.
    fn of(destination: &Destination) -> Result<TableFormat, Error> {
        match has_parquet_name(destination) {
            false => Ok(TableFormat::Arrow),
            #[cfg(feature = "parquet")]
            true => Ok(TableFormat::Parquet),
            #[cfg(not(feature = "parquet"))]
            true => {
                let reason = OutputRefusal::NoParquet;
                Err(Error::OutputRefused { path: destination.name(), reason })
            }
        }
    }
}

fn has_parquet_name(destination: &Destination) -> bool {
    let extension = Path::new(&destination.name()).extension().map(OsStr::to_owned);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

impl TableOutput {
    /// A table that is written to an output of this destination.
    pub(crate) fn new(output: Output, destination: &Destination) -> Result<TableOutput, Error> {
        let format = TableFormat::of(destination)?;
        let spool = spool(destination).map_err(|source| Error::write(output.name(), source))?;
        Ok(TableOutput { output, writer: TableWriter::new(spool, PROGRAM), format })
    }

    /// A table that begins with the games of another one.
    pub(crate) fn after(
        output: Output,
        destination: &Destination,
        table: &Table,
    ) -> Result<TableOutput, Error> {
        let spool = spool(destination).map_err(|source| Error::write(output.name(), source))?;
        let writer = TableWriter::after(table, spool, PROGRAM);
        let writer = writer.map_err(|error| write_error(output.name(), error))?;
        Ok(TableOutput { output, writer, format: TableFormat::Arrow })
    }

    /// The table of the matches of a query.
    pub(crate) fn with_query(self, query: MatchQuery) -> TableOutput {
        TableOutput { writer: self.writer.with_query(query), ..self }
    }

    /// Appends rows.
    pub(crate) fn append(&mut self, rows: &Rows) -> Result<(), Error> {
        self.writer.append(rows).map_err(|error| write_error(self.output.name(), error))
    }

    /// Appends some of the rows.
    pub(crate) fn append_range(&mut self, rows: &Rows, range: Range<usize>) -> Result<(), Error> {
        let appended = self.writer.append_range(rows, range);
        appended.map_err(|error| write_error(self.output.name(), error))
    }

    /// Whether nobody reads the output.
    pub(crate) fn is_closed(&self) -> bool {
        self.output.is_closed()
    }

    /// Writes the table, unless it is to stop. The output is still to be completed.
    pub(crate) fn finish(
        self,
        compression: Compression,
        stop: &StopSignal,
    ) -> Result<(Output, TableSize), Error> {
        let TableOutput { mut output, writer, format } = self;
        let mut out = OutputWriter { output: &mut output, stop, error: None };
        let size = match format {
            TableFormat::Arrow => writer.finish(&mut out, compression),
            #[cfg(feature = "parquet")]
            TableFormat::Parquet => writer.finish_parquet(&mut out, compression),
        };
        let size = match (out.error, size) {
            (Some(error), _) => return Err(error),
            (None, size) => size.map_err(|error| write_error(output.name(), error))?,
        };
        Ok((output, size))
    }
}

/// A temporary file without a name in the folder of the table, which has room for the table.
fn spool(destination: &Destination) -> io::Result<File> {
    let target = match destination {
        Destination::File(path) | Destination::Append(path) => resolved(path)?,
        Destination::Split { .. } | Destination::Stdout | Destination::Writer(_) => {
            return tempfile::tempfile();
        }
    };
    let folder = target.parent().map(|folder| match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    });
    match folder.filter(|folder| folder.is_dir()) {
        // A device has no room.
        Some(folder) if !folder.starts_with("/dev") => tempfile::tempfile_in(folder),
        Some(_) | None => tempfile::tempfile(),
    }
}

fn write_error(name: &str, error: WriteError) -> Error {
    let refused = |reason| Error::OutputRefused { path: name.to_owned(), reason };
    match error {
        WriteError::Io(source) => Error::write(name, source),
        WriteError::Base(source) => InputError::Table { path: name.to_owned(), source }.into(),
        WriteError::OtherColumns => refused(OutputRefusal::OtherColumns),
        WriteError::Rewritten => refused(OutputRefusal::RewrittenTable),
        error @ (WriteError::Compression | WriteError::Arrow(_) | WriteError::TooLong(_)) => {
            Error::Write { path: name.to_owned(), source: io::Error::other(error) }
        }
    }
}

/// An output as a writer. Keeps the error of the output.
struct OutputWriter<'o> {
    output: &'o mut Output,
    stop: &'o StopSignal,
    error: Option<Error>,
}

impl OutputWriter<'_> {
    fn keep(&mut self, result: Result<(), Error>) -> io::Result<()> {
        result.map_err(|error| {
            self.error = Some(error);
            io::Error::other("the table could not be written")
        })
    }
}

impl Write for OutputWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match self.stop.stopped() {
            Some(stopped) => Err(stopped.into()),
            None => self.output.write(bytes),
        };
        self.keep(written).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.output.flush();
        self.keep(flushed)
    }
}
