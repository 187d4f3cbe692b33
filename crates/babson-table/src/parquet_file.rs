//! Writing tables as Parquet files, for the tools of data lakes. Such a file has the columns of a
//! table, but neither its checksums nor batches that can be read in place.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::ArrowWriter;
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::compression::{Compression, ZSTD_LEVEL};
use crate::error::WriteError;
use crate::limits::MAX_GROUP_ROWS;

/// A Parquet file that is being written.
pub(crate) struct ParquetFile<W: Write + Send> {
    writer: ArrowWriter<W>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Writes the head of the file.
    pub(crate) fn new(
        out: W,
        schema: &SchemaRef,
        program: &str,
        compression: Compression,
    ) -> Result<ParquetFile<W>, WriteError> {
        let codec = match compression {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL).map_err(error_of)?),
        };
        let properties = WriterProperties::builder()
            .set_created_by(program.to_owned())
            .set_compression(codec)
            .set_max_row_group_row_count(Some(MAX_GROUP_ROWS))
            .build();
        let writer = ArrowWriter::try_new(out, schema.clone(), Some(properties));
        Ok(ParquetFile { writer: writer.map_err(error_of)? })
    }

    /// Writes a batch.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.writer.write(batch).map_err(error_of)
    }

    /// Writes the footer. Returns the length of the file.
    pub(crate) fn finish(mut self) -> Result<u64, WriteError> {
        self.writer.finish().map_err(error_of)?;
        let bytes = self.writer.bytes_written() as u64;
        self.writer.inner_mut().flush()?;
        Ok(bytes)
    }
}

fn error_of(error: ParquetError) -> WriteError {
    // The other kinds are words about a bug; which ones there are differs between versions.
    let ParquetError::External(source) = error else {
        return WriteError::Arrow(error.to_string());
    };
    match source.downcast::<io::Error>() {
        Ok(error) => WriteError::Io(*error),
        Err(source) => WriteError::Arrow(source.to_string()),
    }
}
