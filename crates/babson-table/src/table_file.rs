//! The file of a table: blocks that Arrow's library encodes, blocks of another table as they are,
//! and a footer of our own, which lists both.

use std::io::{self, Write};
use std::mem;
use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_ipc::convert::{IpcSchemaEncoder, metadata_to_fb};
use arrow_ipc::writer::{DictionaryTracker, FileWriter, IpcWriteOptions};
use arrow_ipc::{Block, FooterBuilder, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{Metadata, Schema, SchemaRef};
use flatbuffers::FlatBufferBuilder;

use crate::checksums::{BlockSums, Checksums, FOOTER_DIGITS, of_footer};
use crate::error::WriteError;
use crate::frame::{BlockFrame, END, MAGIC, digits, messages};
use crate::layout::Layout;
use crate::row_sums;
use crate::schema::{keys, numbered_schema};

/// A file of Arrow, to which checksums are added on its way to `out`.
pub(crate) struct TableFile<W> {
    /// Encodes blocks to memory. After each step, these bytes are moved to `out`. It is never
    /// finished, since its footer would list only the blocks that it has encoded.
    encoder: FileWriter<Vec<u8>>,
    schema: SchemaRef,
    out: W,
    /// Where the columns of a batch are.
    layout: Layout,
    head_sum: u32,
    dictionaries: Vec<FileBlock>,
    batches: Vec<FileBlock>,
    /// The digits of the checksums of rows; `None` if the table has none.
    row_sums: Option<String>,
    bytes: u64,
}

/// A block that was written: its place, for the footer, and its checksums.
struct FileBlock {
    place: Block,
    sums: BlockSums,
}

impl<W: Write> TableFile<W> {
    /// Writes the head of the file. `has_row_sums`: with checksums of rows, which only a table
    /// without compression can have.
    pub(crate) fn new(
        out: W,
        schema: &SchemaRef,
        options: IpcWriteOptions,
        has_row_sums: bool,
    ) -> Result<TableFile<W>, WriteError> {
        let encoder = FileWriter::try_new_with_options(Vec::new(), schema, options)?;
        let batches = numbered_schema(schema);
        let layout = Layout::of_batches(&batches)
            .map_err(|name| WriteError::Arrow(format!("the column {name} has an unknown type")))?;
        let mut table = TableFile {
            encoder,
            schema: schema.clone(),
            out,
            layout,
            head_sum: 0,
            dictionaries: Vec::new(),
            batches: Vec::new(),
            row_sums: has_row_sums.then(String::new),
            bytes: 0,
        };
        let head = mem::take(table.encoder.get_mut());
        table.head_sum = crc32fast::hash(&head);
        table.put(&head)?;
        Ok(table)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Writes the dictionaries of the columns of an empty batch. All batches must have the same.
    pub(crate) fn write_dictionaries(&mut self, empty: &RecordBatch) -> Result<(), WriteError> {
        // The encoder writes dictionaries with the first batch. This one is left out.
        self.encoder.write(empty)?;
        self.put_encoded(empty, true)
    }

    /// Writes a batch, after the dictionaries.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.encoder.write(batch)?;
        self.put_encoded(batch, false)
    }

    /// Writes the batch of another table as it is there. Damage in it does not spread: its
    /// checksums are not computed again; `row_digits` has the checksums of its rows. The columns
    /// must have the same types and dictionaries.
    pub(crate) fn copy(
        &mut self,
        [metadata, body]: [&[u8]; 2],
        frame: &BlockFrame,
        row_digits: Option<&str>,
    ) -> Result<(), WriteError> {
        match (&mut self.row_sums, row_digits) {
            (Some(all), Some(digits)) => all.push_str(digits),
            // A table has the checksums of all rows or of none.
            (Some(_), None) => self.row_sums = None,
            (None, _) => {}
        }
        let block = self.put_block(metadata, body, frame.sums.clone())?;
        self.batches.push(block);
        Ok(())
    }

    /// Writes the blocks that the encoder has made of a batch, or only the dictionaries.
    fn put_encoded(
        &mut self,
        batch: &RecordBatch,
        only_dictionaries: bool,
    ) -> Result<(), WriteError> {
        let bytes = mem::take(self.encoder.get_mut());
        let unknown = || WriteError::Arrow("a message has an unknown form".to_owned());
        for (metadata, body) in messages(&bytes).ok_or_else(unknown)? {
            let message = root_as_message(&bytes[metadata.start + 8..metadata.end]);
            let message = message.map_err(|error| WriteError::Arrow(error.to_string()))?;
            let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
            let is_dictionary = dictionary.is_some();
            if only_dictionaries && !is_dictionary {
                continue;
            }
            let header = dictionary.or_else(|| message.header_as_record_batch());
            let header = header.ok_or_else(unknown)?;
            let (metadata, body) = (&bytes[metadata], &bytes[body]);
            let ranges = match is_dictionary {
                true => Layout::of_texts().ranges(&header, body.len() as u64),
                false => self.layout.ranges(&header, body.len() as u64),
            };
            let ranges = ranges.map_err(|reason| WriteError::Arrow(reason.to_owned()))?;
            // The ranges are within the body.
            let part = |range: &Range<u64>| &body[range.start as usize..range.end as usize];
            if let Some(digits) = self.row_sums.as_mut().filter(|_| !is_dictionary) {
                for column in row_sums::COLUMNS {
                    let index = column.index();
                    let items = self.layout.buffers(&header, index).last().flatten();
                    let head = ranges[index].start..items.ok_or_else(unknown)?.start;
                    row_sums::append(digits, part(&head), batch.column(index));
                }
            }
            let sums = BlockSums {
                rows: u32::try_from(header.length()).map_err(|_| unknown())?,
                metadata: crc32fast::hash(metadata),
                columns: ranges.iter().map(|range| crc32fast::hash(part(range))).collect(),
            };
            let block = self.put_block(metadata, body, sums)?;
            match is_dictionary {
                true => self.dictionaries.push(block),
                false => self.batches.push(block),
            }
        }
        Ok(())
    }

    fn put_block(
        &mut self,
        metadata: &[u8],
        body: &[u8],
        sums: BlockSums,
    ) -> Result<FileBlock, WriteError> {
        let too_large = || WriteError::Arrow("a block is too large".to_owned());
        let place = Block::new(
            i64::try_from(self.bytes).map_err(|_| too_large())?,
            i32::try_from(metadata.len()).map_err(|_| too_large())?,
            i64::try_from(body.len()).map_err(|_| too_large())?,
        );
        self.put(metadata)?;
        self.put(body)?;
        Ok(FileBlock { place, sums })
    }

    /// Writes the footer. Returns the length of the file.
    pub(crate) fn finish(mut self) -> Result<u64, WriteError> {
        let dictionaries = self.dictionaries.iter();
        let blocks = dictionaries.chain(&self.batches).map(|block| block.sums.clone());
        let sums = Checksums { head: self.head_sum, blocks: blocks.collect() }.text();
        let mut footer = self.footer(&sums);
        let at = {
            let read =
                root_as_footer(&footer).map_err(|error| WriteError::Arrow(error.to_string()))?;
            let metadata = read.custom_metadata().into_iter().flatten();
            let sums = metadata
                .filter(|pair| pair.key() == Some(keys::CHECKSUMS))
                .find_map(|pair| pair.value());
            let at = sums.map(|sums| digits(&footer, sums));
            at.ok_or_else(|| WriteError::Arrow("the checksums are missing".to_owned()))?
        };
        let sum = format!("{:08x}", of_footer(&footer, at));
        footer[at..at + FOOTER_DIGITS].copy_from_slice(sum.as_bytes());
        let length = i32::try_from(footer.len())
            .map_err(|_| WriteError::Arrow("the footer is too long".to_owned()))?;
        self.put(&END)?;
        self.put(&footer)?;
        self.put(&length.to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()?;
        Ok(self.bytes)
    }

    /// The footer with these checksums.
    fn footer(&self, sums: &str) -> Vec<u8> {
        let places = |blocks: &[FileBlock]| blocks.iter().map(|block| block.place).collect();
        let places: [Vec<Block>; 2] = [places(&self.dictionaries), places(&self.batches)];
        let mut builder = FlatBufferBuilder::new();
        let dictionaries = builder.create_vector(&places[0]);
        let batches = builder.create_vector(&places[1]);
        let schema: &Schema = &self.schema;
        // It numbers the dictionaries as the encoder does: in the order of their columns.
        let schema = IpcSchemaEncoder::new()
            .with_dictionary_tracker(&mut DictionaryTracker::new(true))
            .schema_to_fb_offset(&mut builder, schema);
        let mut metadata = Metadata::from_iter([(keys::CHECKSUMS.to_owned(), sums.to_owned())]);
        if let Some(digits) = &self.row_sums {
            metadata.insert(keys::ROW_CHECKSUMS.to_owned(), digits.clone());
        }
        let metadata = metadata_to_fb(&mut builder, &metadata);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        footer.add_custom_metadata(metadata);
        let footer = footer.finish();
        builder.finish(footer, None);
        builder.finished_data().to_vec()
    }
}
