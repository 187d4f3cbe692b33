//! The frame of an Arrow file: where its footer and blocks are. All ranges are checked here, since
//! the library of Arrow panics on some that are wrong.

use std::ops::Range;

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
pub(crate) const CONTINUATION: [u8; 4] = [0xff; 4];
pub(crate) const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
/// The length of the footer and the magic, at the end.
const TRAILER: usize = 10;

/// A block: a dictionary or a batch.
#[derive(Clone, Debug)]
pub(crate) struct BlockFrame {
    pub(crate) metadata: Range<u64>,
    pub(crate) body: Range<u64>,
    pub(crate) sums: BlockSums,
}

/// The frame of a table.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The bytes before the first block, and their checksum.
    pub(crate) head: Range<u64>,
    pub(crate) head_sum: u32,
    pub(crate) dictionaries: Vec<BlockFrame>,
    pub(crate) batches: Vec<BlockFrame>,
    /// The marker of the end of the messages.
    pub(crate) end: Range<u64>,
}

/// The range of the footer of a file that is in memory.
pub(crate) fn footer_range(bytes: &[u8]) -> Result<Range<usize>, TableError> {
    let tail = &bytes[bytes.len().saturating_sub(TRAILER)..];
    let range = footer_place(bytes, tail, bytes.len() as u64)?;
    // It is within the bytes.
    Ok(range.start as usize..range.end as usize)
}

/// The range of the footer of a file of this length, given the first and the last bytes of the
/// file: as many as it has, but at least as many as a signature and a trailer have.
pub(crate) fn footer_place(
    first: &[u8],
    last: &[u8],
    length: u64,
) -> Result<Range<u64>, TableError> {
    if !first.starts_with(MAGIC) {
        return Err(other_formats::error_of(first));
    }
    let trailer = last.last_chunk::<TRAILER>().filter(|trailer| trailer.ends_with(MAGIC));
    let (Some(trailer), true) = (trailer, length >= 2 * TRAILER as u64) else {
        return Err(TableError::Cut);
    };
    let end = length - TRAILER as u64;
    let footer = i32::from_le_bytes([trailer[0], trailer[1], trailer[2], trailer[3]]);
    let start = u64::try_from(footer).ok().and_then(|length| end.checked_sub(length));
    match start {
        Some(start) if start >= TRAILER as u64 && footer > 0 => Ok(start..end),
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
    footer_range(bytes).is_ok_and(|range| is_rewritten_footer(&bytes[range]))
}

/// Returns true if this is the footer of a file that another program may have written: it has no
/// metadata.
pub(crate) fn is_rewritten_footer(bytes: &[u8]) -> bool {
    let footer = root_as_footer(bytes);
    footer.is_ok_and(|footer| footer.custom_metadata().is_none_or(|all| all.is_empty()))
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
        footer_start: u64,
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
        let end = footer_start.saturating_sub(END.len() as u64);
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

fn block_frame(block: &Block, sums: BlockSums, limit: u64) -> Option<BlockFrame> {
    let start = u64::try_from(block.offset()).ok()?;
    let middle = start.checked_add(u64::try_from(block.metaDataLength()).ok()?)?;
    let end = middle.checked_add(u64::try_from(block.bodyLength()).ok()?)?;
    let least = END.len() as u64;
    let inside = start >= least && middle - start > least && end <= limit;
    inside.then_some(BlockFrame { metadata: start..middle, body: middle..end, sums })
}

impl BlockFrame {
    /// Tests the metadata of the block against its checksum, and returns the message in it.
    fn message<'a>(&self, metadata: &'a [u8]) -> Result<Message<'a>, TableError> {
        if crc32fast::hash(metadata) != self.sums.metadata {
            return Err(TableError::damaged("its metadata do not have their checksum"));
        }
        let message = root_as_message(message_bytes(metadata))
            .map_err(|_| TableError::damaged("its metadata cannot be read"))?;
        let body = u64::try_from(message.bodyLength()).ok();
        if body != Some(self.body.end - self.body.start) || message.version() != MetadataVersion::V5
        {
            return Err(TableError::damaged("its metadata do not fit it"));
        }
        Ok(message)
    }

    /// The record batch in the metadata of the block, or of the dictionary with this id.
    pub(crate) fn record_batch<'a>(
        &self,
        metadata: &'a [u8],
        dictionary: Option<i64>,
    ) -> Result<RecordBatch<'a>, TableError> {
        let batch = batch_of(&self.message(metadata)?, dictionary);
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
}

/// The record batch of a message, or of the dictionary with this id; `None` if the message is of
/// another kind.
pub(crate) fn batch_of<'a>(
    message: &Message<'a>,
    dictionary: Option<i64>,
) -> Option<RecordBatch<'a>> {
    let header = message.header_type();
    match dictionary {
        None if header == MessageHeader::RecordBatch => message.header_as_record_batch(),
        Some(id) if header == MessageHeader::DictionaryBatch => message
            .header_as_dictionary_batch()
            .filter(|dictionary| dictionary.id() == id && !dictionary.isDelta())
            .and_then(|dictionary| dictionary.data()),
        None | Some(_) => None,
    }
}

/// The message in the metadata of a block: after the marker and the length.
pub(crate) fn message_bytes(metadata: &[u8]) -> &[u8] {
    let prefix = if metadata.starts_with(&CONTINUATION) { 8 } else { 4 };
    metadata.get(prefix..).unwrap_or_default()
}

/// The range of the body of the first message.
pub(crate) fn next_message(bytes: &[u8]) -> Option<Range<usize>> {
    let length = bytes.get(4..8)?.first_chunk::<4>()?;
    let middle = 8usize.checked_add(usize::try_from(i32::from_le_bytes(*length)).ok()?)?;
    let message = root_as_message(bytes.get(8..middle)?).ok()?;
    let end = middle.checked_add(usize::try_from(message.bodyLength()).ok()?)?;
    bytes.get(middle..end)?;
    Some(middle..end)
}

/// Cuts the messages of a writer into metadata and bodies.
pub(crate) fn messages(bytes: &[u8]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut messages = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let body = next_message(&bytes[at..])?;
        let (middle, end) = (at + body.start, at + body.end);
        messages.push((at..middle, middle..end));
        at = end;
    }
    Some(messages)
}
