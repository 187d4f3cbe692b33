//! The law of the bytes of a table: see docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law, damage};

use super::damage::read_table;
use super::*;

/// A few games of each kind, in small batches: a table with all columns in use.
#[allow(clippy::disallowed_types, reason = "a law is a plain function and cannot be given them")]
static TABLES: std::sync::LazyLock<Vec<Vec<u8>>> = std::sync::LazyLock::new(|| {
    let special = corpus("special.pgn");
    let few: Vec<u8> =
        Games::new(&special).take(7).flat_map(|(_, game)| game.iter().copied()).collect();
    let mut tables = vec![
        table_of(&rows("a.pgn", &few, 3), Compression::None),
        table_of(&rows("a.pgn", b"", 3), Compression::None),
    ];
    if cfg!(feature = "zstd") {
        tables.push(table_of(&rows("a.pgn", &few, 3), Compression::Zstd));
    }
    tables
});

/// A damaged table is refused, or it is read without a panic. What passes all checksums is what the
/// writer wrote.
#[test]
fn table_bytes() {
    check_law!("table_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let sound = choices.choose(&TABLES);
        let damaged = damage(&sound, &mut choices);
        let Ok(table) = open(&damaged) else { return };
        if table.verify().is_ok() {
            assert!(damaged == sound, "damage without an error");
        }
        read_table(&table);
    });
}

/// Somebody who damages a table may give it the right checksums. Then what is wrong is an error, or
/// the table is read, without a panic.
#[test]
fn mended_table_bytes() {
    check_law!("mended_table_bytes", 800, |bytes| {
        let mut choices = Choices::new(bytes);
        let sound = choices.choose(&TABLES);
        let table = open(&sound).unwrap();
        let ranges = table.metadata_ranges();
        let mut bytes = sound;
        for _ in 0..1 + choices.below(4) {
            // The metadata of a block decide how its columns are read.
            let range = match choices.below(3) {
                block if block < 2 && !ranges.is_empty() => choices.choose(&ranges),
                _ => 0..bytes.len(),
            };
            let at = range.start + choices.below(range.len());
            bytes[at] = match choices.below(3) {
                0 => bytes[at] ^ 1 << choices.below(8),
                1 => choices.byte(),
                _ => choices.choose(&[0, 0x7f, 0x80, 0xff]),
            };
        }
        read_table(&table.with_bytes(bytes));
    });
}
