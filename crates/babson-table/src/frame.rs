//! The frame of an Arrow file: where its footer and blocks are. All ranges are checked here, since
//! the library of Arrow panics on some that are wrong.

use std::ops::Range;

use arrow_buffer::Buffer;
use arrow_ipc::{
    Block, CompressionType, Endianness, Footer, Message, MessageHeader, MetadataVersion,
    RecordBatch, Schema, root_as_footer, root_as_message,
};

use crate::checksums::{BlockSums, Checksums, of_footer};
use crate::error::TableError;
use crate::other_formats;
use crate::schema::{VERSION, keys};

/// What an Arrow file begins with, padded to its alignment, and ends with.
pub(crate) const MAGIC: &[u8; 6] = b"ARROW1";
/// The marker before the length of a message; the end of the messages has the length 0.
const CONTINUATION: [u8; 4] = [0xff; 4];
pub(crate) const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
/// The length of the footer and the magic, at the end.
const TRAILER: usize = 10;

/// A block: a dictionary or a batch.
#[derive(Clone, Debug)]
pub(crate) struct BlockFrame {
    pub(crate) metadata: Range<usize>,
    pub(crate) body: Range<usize>,
    pub(crate) sums: BlockSums,
}

/// The frame of a table.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The bytes before the first block, and their checksum.
    pub(crate) head: Range<usize>,
    pub(crate) head_sum: u32,
    pub(crate) dictionaries: Vec<BlockFrame>,
    pub(crate) batches: Vec<BlockFrame>,
    /// The marker of the end of the messages.
    pub(crate) end: Range<usize>,
}

/// The range of the footer.
pub(crate) fn footer_range(bytes: &[u8]) -> Result<Range<usize>, TableError> {
    if !bytes.starts_with(MAGIC) {
        return Err(other_formats::error_of(bytes));
    }
    if bytes.len() < 2 * TRAILER || !bytes.ends_with(MAGIC) {
        return Err(TableError::Cut);
    }
    let end = bytes.len() - TRAILER;
    let length = i32::from_le_bytes([bytes[end], bytes[end + 1], bytes[end + 2], bytes[end + 3]]);
    let start = usize::try_from(length).ok().and_then(|length| end.checked_sub(length));
    match start {
        Some(start) if start >= TRAILER && length > 0 => Ok(start..end),
        _ => Err(TableError::damaged("the length of its footer is wrong")),
    }
}

/// Reads the footer and tests it against its checksum.
pub(crate) fn footer(bytes: &[u8]) -> Result<(Footer<'_>, Checksums), TableError> {
    let unreadable = || TableError::damaged("its footer cannot be read");
    let footer = root_as_footer(bytes).map_err(|_| unreadable())?;
    let schema = footer.schema().ok_or_else(unreadable)?;
    check_version(schema)?;
    let metadata = footer.custom_metadata().into_iter().flatten();
    let sums = metadata
        .filter(|pair| pair.key() == Some(keys::CHECKSUMS))
        .find_map(|pair| pair.value())
        .ok_or(TableError::damaged("its footer has no checksums"))?;
    let dictionaries = footer.dictionaries().map_or(0, |blocks| blocks.len());
    let columns = schema.fields().map_or(0, |fields| fields.len());
    let (own, checksums) = Checksums::read(sums, dictionaries, columns)
        .ok_or(TableError::damaged("its checksums cannot be read"))?;
    if of_footer(bytes, digits(bytes, sums)) != own {
        return Err(TableError::damaged("its footer does not have its checksum"));
    }
    if schema.endianness() != Endianness::Little || footer.version() != MetadataVersion::V5 {
        return Err(TableError::damaged("it has another format of Arrow"));
    }
    Ok((footer, checksums))
}

/// The digits of the checksums of rows, if a table has them.
pub(crate) fn row_digits<'a>(footer: &Footer<'a>) -> Option<&'a str> {
    let metadata = footer.custom_metadata().into_iter().flatten();
    metadata.filter(|pair| pair.key() == Some(keys::ROW_CHECKSUMS)).find_map(|pair| pair.value())
}

/// Fails unless the metadata of the schema has the version of the schema that this program reads.
fn check_version(schema: Schema<'_>) -> Result<(), TableError> {
    let find = |key| {
        let metadata = schema.custom_metadata().into_iter().flatten();
        metadata.filter(|pair| pair.key() == Some(key)).find_map(|pair| pair.value())
    };
    match find(keys::VERSION) {
        Some(found) => check_known_version(found, find(keys::WRITER)),
        None => Err(TableError::Foreign(format!("its metadata lacks {}", keys::VERSION))),
    }
}

/// Fails unless `found` is the version of the schema that this program reads. `writer` is the
/// program that wrote the table, for the message.
pub(crate) fn check_known_version(found: &str, writer: Option<&str>) -> Result<(), TableError> {
    match found.parse::<u32>() {
        Ok(VERSION) => Ok(()),
        Ok(_) => Err(TableError::Version {
            found: found.to_owned(),
            known: VERSION,
            writer: writer.unwrap_or("unknown").to_owned(),
        }),
        Err(_) => Err(TableError::damaged(format_args!("its version is {found:?}"))),
    }
}

/// Returns true if another program may have written these bytes. They are a stream of Arrow, or a
/// file of Arrow whose footer has no metadata: a table of this crate has its checksums there. The
/// columns are not examined.
pub(crate) fn is_rewritten(bytes: &[u8]) -> bool {
    if other_formats::is_stream(bytes) {
        return true;
    }
    let footer = footer_range(bytes).ok().and_then(|range| root_as_footer(&bytes[range]).ok());
    footer.is_some_and(|footer| footer.custom_metadata().is_none_or(|all| all.is_empty()))
}

/// The offset in the footer of the digits of its own checksum.
pub(crate) fn digits(footer: &[u8], sums: &str) -> usize {
    sums.as_ptr() as usize - footer.as_ptr() as usize
}

impl Frame {
    /// The blocks that a footer lists. They must follow each other without a gap.
    pub(crate) fn of(
        footer: &Footer<'_>,
        checksums: Checksums,
        footer_start: usize,
    ) -> Result<Frame, TableError> {
        let dictionaries = footer.dictionaries().into_iter().flatten();
        let batches = footer.recordBatches().into_iter().flatten();
        let count = footer.dictionaries().map_or(0, |blocks| blocks.len());
        let mut blocks = Vec::new();
        let mut at = None;
        let mut sums = checksums.blocks.into_iter();
        // Dictionaries are written with the first batch, before it.
        for block in dictionaries.chain(batches) {
            let sums = sums.next().ok_or(TableError::damaged("a block has no checksum"))?;
            let frame = block_frame(block, sums, footer_start)
                .filter(|frame| at.is_none_or(|at| at == frame.metadata.start))
                .ok_or(TableError::damaged("the offsets of its blocks are wrong"))?;
            at = Some(frame.body.end);
            blocks.push(frame);
        }
        if sums.next().is_some() {
            return Err(TableError::damaged("a block is missing"));
        }
        let end = footer_start.saturating_sub(END.len());
        let first = blocks.first().map_or(end, |block| block.metadata.start);
        if at.unwrap_or(end) != end {
            return Err(TableError::damaged("there is a gap before its footer"));
        }
        let batches = blocks.split_off(count.min(blocks.len()));
        Ok(Frame {
            head: 0..first,
            head_sum: checksums.head,
            dictionaries: blocks,
            batches,
            end: end..footer_start,
        })
    }
}

fn block_frame(block: &Block, sums: BlockSums, limit: usize) -> Option<BlockFrame> {
    let start = usize::try_from(block.offset()).ok()?;
    let middle = start.checked_add(usize::try_from(block.metaDataLength()).ok()?)?;
    let end = middle.checked_add(usize::try_from(block.bodyLength()).ok()?)?;
    let inside = start >= END.len() && middle - start > END.len() && end <= limit;
    inside.then_some(BlockFrame { metadata: start..middle, body: middle..end, sums })
}

impl BlockFrame {
    /// Tests the metadata of the block against its checksum, and returns the message in it.
    fn message<'a>(&self, table: &'a [u8]) -> Result<Message<'a>, TableError> {
        let metadata = &table[self.metadata.clone()];
        if crc32fast::hash(metadata) != self.sums.metadata {
            return Err(TableError::damaged("its metadata do not have their checksum"));
        }
        let message = root_as_message(message_bytes(metadata))
            .map_err(|_| TableError::damaged("its metadata cannot be read"))?;
        let body = usize::try_from(message.bodyLength()).ok();
        if body != Some(self.body.len()) || message.version() != MetadataVersion::V5 {
            return Err(TableError::damaged("its metadata do not fit it"));
        }
        Ok(message)
    }

    /// The record batch of the block, or of the dictionary with this id.
    pub(crate) fn record_batch<'a>(
        &self,
        table: &'a [u8],
        dictionary: Option<i64>,
    ) -> Result<RecordBatch<'a>, TableError> {
        let message = self.message(table)?;
        let header = message.header_type();
        let batch = match dictionary {
            None if header == MessageHeader::RecordBatch => message.header_as_record_batch(),
            Some(id) if header == MessageHeader::DictionaryBatch => message
                .header_as_dictionary_batch()
                .filter(|dictionary| dictionary.id() == id && !dictionary.isDelta())
                .and_then(|dictionary| dictionary.data()),
            None | Some(_) => None,
        };
        let batch = batch.ok_or(TableError::damaged("it is a block of another kind"))?;
        if u32::try_from(batch.length()) != Ok(self.sums.rows) {
            return Err(TableError::damaged("it has another number of rows"));
        }
        match batch.compression().map(|compression| compression.codec()) {
            None => Ok(batch),
            Some(CompressionType::ZSTD) if cfg!(feature = "zstd") => Ok(batch),
            Some(CompressionType::ZSTD) => Err(TableError::Compressed),
            Some(_) => Err(TableError::damaged("it is compressed, but not with zstd")),
        }
    }

    /// The body of the block, without a copy.
    pub(crate) fn body(&self, table: &Buffer) -> Buffer {
        table.slice_with_length(self.body.start, self.body.len())
    }
}

/// The message in the metadata of a block: after the marker and the length.
pub(crate) fn message_bytes(metadata: &[u8]) -> &[u8] {
    let prefix = if metadata.starts_with(&CONTINUATION) { 8 } else { 4 };
    metadata.get(prefix..).unwrap_or_default()
}

/// Cuts the messages of a writer into metadata and bodies.
pub(crate) fn messages(bytes: &[u8]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut messages = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes.get(at + 4..at + 8)?.first_chunk::<4>()?;
        let middle = at + 8 + usize::try_from(i32::from_le_bytes(*length)).ok()?;
        let message = root_as_message(bytes.get(at + 8..middle)?).ok()?;
        let end = middle + usize::try_from(message.bodyLength()).ok()?;
        bytes.get(middle..end)?;
        messages.push((at..middle, middle..end));
        at = end;
    }
    Some(messages)
}
