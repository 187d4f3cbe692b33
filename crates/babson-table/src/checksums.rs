//! The checksums of a table. The footer has them as hexadecimal digits, eight for each number, in
//! this order:
//!
//! 1. the checksum of the footer itself, computed with zeros in place of its own eight digits
//! 2. the checksum of the bytes before the first block
//! 3. for each block, dictionaries first: its number of rows, the checksum of its metadata, and the
//!    checksum of each of its columns. A dictionary has one column.
//!
//! Arrow itself has no checksums. Without ours, a wrong offset in its metadata would make a reader
//! take other bytes for a column.

/// The checksums of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockSums {
    /// The number of rows of a batch, or of values of a dictionary.
    pub(crate) rows: u32,
    pub(crate) metadata: u32,
    /// The checksum of the bytes of each column. [`Layout::ranges`](crate::layout::Layout::ranges)
    /// says which bytes these are.
    pub(crate) columns: Box<[u32]>,
}

/// All checksums of a table except the checksum of the footer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checksums {
    /// The checksum of the bytes before the first block.
    pub(crate) head: u32,
    pub(crate) blocks: Vec<BlockSums>,
}

/// The number of digits of the checksum of the footer. They are the first of all digits.
pub(crate) const FOOTER_DIGITS: usize = 8;

impl Checksums {
    /// Returns the digits for the footer, with zeros in place of the checksum of the footer, which
    /// is not known yet.
    pub(crate) fn text(&self) -> String {
        let blocks = self.blocks.iter().flat_map(|block| {
            [block.rows, block.metadata].into_iter().chain(block.columns.iter().copied())
        });
        [0, self.head].into_iter().chain(blocks).map(|number| format!("{number:08x}")).collect()
    }

    /// Reads the digits of a table with this number of dictionaries, and this number of columns in
    /// each batch. Returns the checksum of the footer and the other checksums; `None` if the digits
    /// do not fit these numbers.
    pub(crate) fn read(
        text: &str,
        dictionaries: usize,
        columns: usize,
    ) -> Option<(u32, Checksums)> {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let number = |digits: &[u8; 8]| u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        let numbers: Vec<u32> = words.iter().map(number).collect::<Option<_>>()?;
        let [footer, head, blocks @ ..] = &numbers[..] else { return None };
        let (dictionaries, batches) = blocks.split_at_checked(dictionaries.checked_mul(3)?)?;
        let (dictionaries, batches) =
            (dictionaries.chunks_exact(3), batches.chunks_exact(columns.checked_add(2)?));
        if !rest.is_empty() || !batches.remainder().is_empty() {
            return None;
        }
        let block = |numbers: &[u32]| match numbers {
            [rows, metadata, columns @ ..] => {
                Some(BlockSums { rows: *rows, metadata: *metadata, columns: columns.into() })
            }
            [] | [_] => None,
        };
        let blocks = dictionaries.chain(batches).map(block).collect::<Option<_>>()?;
        Some((*footer, Checksums { head: *head, blocks }))
    }
}

/// Computes the checksum of a footer. The digits of this checksum are at `at`: they count as zeros.
pub(crate) fn of_footer(footer: &[u8], at: usize) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&footer[..at]);
    hasher.update(&[b'0'; FOOTER_DIGITS]);
    hasher.update(&footer[at + FOOTER_DIGITS..]);
    hasher.finalize()
}
