//! The sink of files and standard output.

use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "table")]
use babson_table::Compression;

use super::room::Room;
#[cfg(not(feature = "table"))]
use super::table::Compression;
use super::table::MatchTable;
use super::{FileFormat, Format, Sink, SinkContext, SinkReport, SinkResult, TextSlice};
use crate::destination::Destination;
use crate::output::{Output, Outputs};
use crate::split::Split;

/// Writes matches to a file, to many files, or to standard output.
///
/// ```
/// use babson_engine::{Destination, FileFormat, FileSink, Sink};
///
/// let sink = FileSink::new(FileFormat::Csv, Destination::File("mates.csv".into()));
/// assert_eq!(sink.name(), "mates.csv");
/// assert!(FileSink::at("mates.xyz").is_none());
/// ```
pub struct FileSink {
    format: FileFormat,
    destination: Destination,
    /// How a game table is compressed.
    compression: Compression,
    target: Target,
}

/// Where the text goes.
enum Target {
    /// Nowhere: before the scan has begun, and in a dry run.
    Nowhere,
    One(Output, Room),
    Many(Box<Split>),
    /// A game table.
    Table(Box<MatchTable>),
}

impl FileSink {
    /// A sink that writes matches in this format. Nothing is created before the scan begins.
    pub fn new(format: FileFormat, destination: Destination) -> FileSink {
        let compression = Compression::None;
        FileSink { format, destination, compression, target: Target::Nowhere }
    }

    /// The same sink, whose game table is compressed so. Other formats are not compressed.
    #[cfg(feature = "table")]
    #[must_use]
    pub fn with_compression(self, compression: Compression) -> FileSink {
        FileSink { compression, ..self }
    }

    /// The sink of a file, with the format of its extension; `None` for an unknown extension.
    pub fn at(path: impl Into<PathBuf>) -> Option<FileSink> {
        let path = path.into();
        let format = FileFormat::of_name(&path.to_string_lossy())?;
        Some(FileSink::new(format, Destination::File(path)))
    }

    /// A sink that writes the annotated games to a PGN file.
    pub fn pgn(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Pgn, Destination::File(path.into()))
    }

    /// A sink that writes a JSON object for each match.
    pub fn jsonl(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Jsonl, Destination::File(path.into()))
    }

    /// A sink that writes a row of CSV for each matching position.
    pub fn csv(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Csv, Destination::File(path.into()))
    }

    /// A sink that writes a line of EPD for each matching position.
    pub fn epd(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Epd, Destination::File(path.into()))
    }

    /// A sink that writes a report: a page with a board for each matching position. It has room for
    /// 20,000 games.
    pub fn html(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Html, Destination::File(path.into()))
    }

    /// A sink that writes a game table of the matching games, an Arrow file.
    pub fn arrow(path: impl Into<PathBuf>) -> FileSink {
        FileSink::new(FileFormat::Arrow, Destination::File(path.into()))
    }

    /// The format.
    pub fn file_format(&self) -> FileFormat {
        self.format
    }

    /// Where matches are written.
    pub fn target(&self) -> &Destination {
        &self.destination
    }
}

impl Sink for FileSink {
    fn name(&self) -> String {
        self.destination.name()
    }

    fn format(&self) -> Option<Arc<dyn Format>> {
        Some(Arc::new(self.format))
    }

    fn destination(&self) -> Option<&Destination> {
        Some(&self.destination)
    }

    fn begin(&mut self, context: &SinkContext<'_>) -> SinkResult {
        if self.format == FileFormat::Arrow && !context.split.dry_run {
            let table = MatchTable::begin(&self.destination, self.compression, context)?;
            self.target = Target::Table(Box::new(table));
            return Ok(());
        }
        let head = self.format.head(context.job);
        self.target = match &self.destination {
            Destination::Split { append, .. } => {
                let own = Arc::clone(&context.own);
                Target::Many(Box::new(Split::new(context.split, *append, self.format, head, own)))
            }
            Destination::File(_) | Destination::Append(_) | Destination::Stdout
                if context.split.dry_run =>
            {
                Target::Nowhere
            }
            destination @ (Destination::File(_) | Destination::Append(_) | Destination::Stdout) => {
                let mut output = context.create(destination)?;
                if !output.continues() {
                    output.write(head.as_bytes())?;
                }
                Target::One(output, Room::of(self.format))
            }
        };
        Ok(())
    }

    fn write_text(&mut self, slice: TextSlice<'_>) -> SinkResult {
        match (&mut self.target, slice.file) {
            (Target::Nowhere, _) => {}
            (Target::One(output, room), _) => {
                if room.takes(&slice) {
                    output.write(slice.bytes)?;
                }
            }
            (Target::Many(split), Some(name)) => split.write(name, &slice)?,
            (Target::Many(_), None) => {}
            (Target::Table(table), _) => table.write(slice)?,
        }
        Ok(())
    }

    /// Only standard output is flushed: the files appear at the end.
    fn flush(&mut self) -> SinkResult {
        match &mut self.target {
            Target::One(output, _) if self.destination == Destination::Stdout => output.flush()?,
            Target::One(..) | Target::Many(_) | Target::Table(_) | Target::Nowhere => {}
        }
        Ok(())
    }

    fn is_closed(&self) -> bool {
        match &self.target {
            Target::One(output, _) => output.is_closed(),
            Target::Table(table) => table.is_closed(),
            Target::Nowhere | Target::Many(_) => false,
        }
    }

    fn finish(self: Box<Self>, outputs: &mut Outputs, searched: u64) -> SinkResult<SinkReport> {
        match self.target {
            Target::Nowhere => Ok(SinkReport::default()),
            Target::One(mut output, room) => {
                let totals = room.totals(searched);
                output.write(self.format.tail(&totals).as_bytes())?;
                outputs.add(output)?;
                Ok(SinkReport { files: Vec::new(), left_out: totals.left_out })
            }
            Target::Many(split) => Ok(split.finish(outputs, searched)?),
            Target::Table(table) => {
                outputs.add(table.finish()?)?;
                Ok(SinkReport::default())
            }
        }
    }
}

impl From<FileSink> for Box<dyn Sink> {
    fn from(sink: FileSink) -> Box<dyn Sink> {
        Box::new(sink)
    }
}
