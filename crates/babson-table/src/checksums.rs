//! The checksums of a table, which stand in its footer as hexadecimal digits: that of the footer
//! itself, with zeros for these digits; that of the bytes before the first block; and for each
//! block, dictionaries first, its number of rows and the checksums of its metadata and its body.
//!
//! Arrow has no checksums of its own, and a wrong offset in its metadata makes other bytes a
//! column.

/// The checksums of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockSums {
    /// The number of rows; of a dictionary, its number of values.
    pub(crate) rows: u32,
    pub(crate) metadata: u32,
    pub(crate) body: u32,
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
        let zero = [0, self.head];
        let blocks = self.blocks.iter().flat_map(|block| [block.rows, block.metadata, block.body]);
        zero.into_iter().chain(blocks).map(|number| format!("{number:08x}")).collect()
    }

    /// Reads a text. The first value is the checksum of the footer.
    pub(crate) fn read(text: &str) -> Option<(u32, Checksums)> {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let number = |digits: &[u8; 8]| u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        let numbers: Vec<u32> = words.iter().map(number).collect::<Option<_>>()?;
        let [footer, head, blocks @ ..] = &numbers[..] else { return None };
        let (blocks, odd) = blocks.as_chunks::<3>();
        if !odd.is_empty() || !rest.is_empty() {
            return None;
        }
        let blocks =
            blocks.iter().map(|&[rows, metadata, body]| BlockSums { rows, metadata, body });
        Some((*footer, Checksums { head: *head, blocks: blocks.collect() }))
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
