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

/// The first of these tables as another program writes it, as a file and as a stream.
#[allow(clippy::disallowed_types, reason = "a law is a plain function and cannot be given them")]
static REWRITTEN: std::sync::LazyLock<Vec<Vec<u8>>> = std::sync::LazyLock::new(|| {
    [false, true].map(|stream| rewritten::written_anew(&TABLES[0], true, stream)).to_vec()
});

/// A damaged table is refused, or what is read of it is what the writer wrote: each column of each
/// batch, and the texts of each column. A table of another program has no checksums: it is refused,
/// or all of its games can be read.
#[test]
fn table_bytes() {
    check_law!("table_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let sound = choices.choose(&[&TABLES[..], &REWRITTEN[..]].concat());
        let damaged = damage(&sound, &mut choices);
        let Ok(table) = open(&damaged) else { return };
        let verified = table.verify();
        read_table(&table);
        if table.is_rewritten() {
            assert_eq!(verified, Ok(()), "it is packed anew in memory");
        } else {
            assert!(verified.is_err() || damaged == sound, "damage without an error");
            has_columns_of(&table, &open(&sound).unwrap());
        }
    });
}

/// Asserts that what can be read of a table is the same in another one.
fn has_columns_of(table: &Table, sound: &Table) {
    for column in Column::all() {
        if let Ok(texts) = table.texts(column) {
            assert!(texts.iter().eq(sound.texts(column).unwrap().iter()), "{}", column.name());
        }
        for index in 0..table.batches() {
            let one = ColumnSet::of(&[column]);
            let Ok(batch) = table.batch(index, one) else { continue };
            let expected = sound.batch(index, one).unwrap();
            assert_eq!(batch.array(column), expected.array(column), "{}", column.name());
        }
    }
}

/// Asserts that all ways to read a table agree: columns alone and together, near and far.
fn all_ways_agree(table: &Table, bytes: &[u8]) {
    let far = table.with_source(Arc::new(afar::Afar::of(bytes)));
    for index in 0..table.batches() {
        let all = table.batch(index, ColumnSet::ALL);
        let mut is_sound = true;
        for column in Column::all() {
            let one = ColumnSet::of(&[column]);
            let (near, far) = (table.batch(index, one), far.batch(index, one));
            is_sound &= near.is_ok();
            match (near, far) {
                (Ok(near), Ok(far)) => {
                    assert_eq!(near.array(column), far.array(column), "{}", column.name());
                    if let Ok(all) = &all {
                        assert_eq!(near.array(column), all.array(column), "{}", column.name());
                    }
                }
                (near, far) => assert_eq!(near.is_ok(), far.is_ok(), "{}", column.name()),
            }
        }
        assert!(all.is_err() || is_sound, "a column that is damaged alone and sound with others");
        // The moves of each row are the moves of a game, or they are refused.
        let mut reader = Reader::new();
        for batch in all.into_iter().chain(table.batch_of_rows(index, ColumnSet::ALL)) {
            for row in 0..batch.len() {
                if let StoredGame::Coded(coded) = batch.game_text(row) {
                    let _ = reader.replay_if(&coded, Needs::ALL, |_| true).map(|_| ());
                }
            }
        }
    }
}

/// Somebody who damages a table may give it the right checksums. Then what is wrong is an error, or
/// the table is read, without a panic, and every way to read it gives the same.
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
        let table = table.with_bytes(bytes.clone());
        read_table(&table);
        all_ways_agree(&table, &bytes);
    });
}
