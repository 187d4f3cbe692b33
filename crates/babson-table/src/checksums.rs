//! The checksums of a table, which stand in its footer as hexadecimal digits: that of the footer
//! itself, with zeros for these digits; that of the bytes before the first block; and for each
//! block, dictionaries first, its number of rows, the checksum of its metadata and those of its
//! columns. A dictionary is one column.
//!
//! Arrow has no checksums of its own, and a wrong offset in its metadata makes other bytes a
//! column.

/// The checksums of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlockSums {
    /// The number of rows; of a dictionary, its number of values.
    pub(crate) rows: u32,
    pub(crate) metadata: u32,
    /// Those of the bytes of each column: see [`Layout::ranges`](crate::layout::Layout::ranges).
    pub(crate) columns: Box<[u32]>,
}

/// All checksums but that of the footer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checksums {
    /// That of the bytes before the first block.
    pub(crate) head: u32,
    pub(crate) blocks: Vec<BlockSums>,
}

/// The digits of the checksum of the footer, at the beginning.
pub(crate) const FOOTER_DIGITS: usize = 8;

impl Checksums {
    /// The text, with zeros for the checksum of the footer.
    pub(crate) fn text(&self) -> String {
        let blocks = self.blocks.iter().flat_map(|block| {
            [block.rows, block.metadata].into_iter().chain(block.columns.iter().copied())
        });
        [0, self.head].into_iter().chain(blocks).map(|number| format!("{number:08x}")).collect()
    }

    /// Reads the text of a table with so many dictionaries, and so many columns in a batch. The
    /// first value is the checksum of the footer.
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

/// The checksum of a footer whose own checksum has its digits at `at`.
pub(crate) fn of_footer(footer: &[u8], at: usize) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&footer[..at]);
    hasher.update(&[b'0'; FOOTER_DIGITS]);
    hasher.update(&footer[at + FOOTER_DIGITS..]);
    hasher.finalize()
}
