//! Damaged tables are refused, or read up to the damage, without a panic.

use super::*;

#[test]
fn damage_is_refused() {
    let pgn = corpus("special.pgn");
    survive(&pack(&pgn), 101);
}

/// Somebody may give a damaged table the right checksums.
#[test]
fn wrong_offsets_do_not_panic() {
    let pgn = corpus("special.pgn");
    let file = pack(&pgn);
    let table = open(&file).unwrap();
    let mut checked = 0;
    for range in table.metadata_ranges() {
        for place in range.step_by(3) {
            for change in [1, 0x40, 0x80, 0xff] {
                let mut bytes = file.clone();
                bytes[place] ^= change;
                let near = table.with_bytes(bytes.clone());
                checked += read_table(&near);
                if change == 1 {
                    checked += read_table(&near.with_source(Arc::new(afar::Afar::of(&bytes))));
                }
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

/// Returns how often rows were read alone and had their checksums.
pub(super) fn read_table(table: &Table) -> usize {
    let mut checked = 0;
    for column in Column::all() {
        let _ = table.texts(column);
    }
    for index in 0..table.batches() {
        let read_rows = |batch: &Batch| {
            for row in 0..batch.len() {
                batch.game_text(row);
            }
        };
        if let Ok(batch) = table.batch(index, ColumnSet::ALL) {
            read_rows(&batch);
        }
        if let Ok(batch) = table.batch_of_rows(index, ColumnSet::ALL)
            && table.check_rows(&batch, 0..batch.len()).is_ok()
        {
            checked += 1;
            read_rows(&batch);
        }
        if let Ok(batch) = table.batch_rows(index, ColumnSet::GAME, &[1 << 3, 0, 1 << 63]) {
            checked += 1;
            for row in (0..64.min(batch.len())).chain(128..192.min(batch.len())) {
                batch.game_text(row);
            }
        }
    }
    checked
}

/// A byte of a column matters for whoever reads the column, and for nobody else.
fn damage_of_columns_is_found(file: &[u8], step: usize) {
    let table = open(file).unwrap();
    for (number, column) in Column::all().enumerate() {
        let other = Column::all().nth((number + 1) % schema::COLUMNS.len()).unwrap();
        let range = table.column_range(0, column);
        for place in range.clone().step_by(step).chain([range.end - 1]) {
            let mut damaged = file.to_vec();
            damaged[place] ^= 0x10;
            let table = open(&damaged).unwrap();
            let error = table.batch(0, ColumnSet::of(&[column])).unwrap_err().to_string();
            let expected = format!("the column {} does not have its checksum", column.name());
            assert!(error.starts_with("the table is damaged: batch 1 (rows 1 to "), "{error}");
            assert!(error.ends_with(&expected), "{error}");
            assert!(table.batch(0, ColumnSet::of(&[other])).is_ok());
            assert!(table.verify().is_err());
        }
    }
}

#[test]
fn damage_of_a_column_is_found_when_it_is_read() {
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    damage_of_columns_is_found(&table_of(&rows, Compression::None), 64);
    if cfg!(feature = "zstd") {
        damage_of_columns_is_found(&table_of(&rows, Compression::Zstd), 31);
    }
}

/// A byte of a row matters for whoever reads the row, and for few others.
#[test]
fn damage_of_rows_is_found_when_they_are_read() {
    let file = table_of(&rows("a.pgn", &corpus("masters-2k.pgn"), 100), Compression::None);
    let columns = ColumnSet::of(&[Column::TAGS, Column::MOVETEXT, Column::MOVES]);
    let sound = open(&file).unwrap().batch(0, columns).unwrap();
    let (mut before_rows, mut in_rows) = (0, 0);
    for column in [Column::TAGS, Column::MOVES] {
        for place in open(&file).unwrap().column_range(0, column).step_by(19_997) {
            let mut damaged = file.clone();
            damaged[place] ^= 0x10;
            let table = open(&damaged).unwrap();
            assert!(table.verify().is_err());
            let Ok(batch) = table.batch_of_rows(0, columns) else {
                before_rows += 1;
                continue;
            };
            in_rows += 1;
            let expected = format!("the column {} does not have its checksum", column.name());
            let error = table.check_rows(&batch, 0..batch.len()).unwrap_err().to_string();
            assert!(error.ends_with(&expected), "{error}");
            let differs = |row: &usize| {
                let same = batch.tags(*row) == sound.tags(*row);
                !same || batch.moves(*row) != sound.moves(*row)
            };
            let row = (0..batch.len()).find(differs).unwrap();
            assert!(table.check_rows(&batch, [row]).is_err());
            let is_refused = |row: &usize| table.check_rows(&batch, [*row]).is_err();
            assert_eq!((0..batch.len()).step_by(64).filter(is_refused).count(), 1);
        }
    }
    assert!(before_rows > 0 && in_rows > 20, "{before_rows} {in_rows}");
}

/// A column of a compressed table is tested as a whole.
#[test]
fn compressed_rows_have_no_checksums() {
    if cfg!(not(feature = "zstd")) {
        return;
    }
    let mut file = table_of(&rows("a.pgn", &corpus("special.pgn"), 100), Compression::Zstd);
    let table = open(&file).unwrap();
    let batch = table.batch_of_rows(0, ColumnSet::GAME).unwrap();
    table.check_rows(&batch, 0..batch.len()).unwrap();
    let place = table.column_range(0, Column::TAGS).end - 9;
    file[place] ^= 1;
    assert!(open(&file).unwrap().batch_of_rows(0, ColumnSet::GAME).is_err());
}

/// The texts of a column have a checksum of their own.
#[test]
fn damage_of_texts_is_found_when_they_are_read() {
    let file = pack(b"[White \"Alekhine\"]\n[Black \"Bogoljubow\"]\n\n1. d4 *");
    let places = file.windows(8).enumerate().filter(|(_, bytes)| *bytes == b"Alekhine");
    // In the dictionary and in the tag section.
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    assert_eq!(places.len(), 2);
    let mut damaged = file.clone();
    damaged[places[0]] = b'B';
    let table = open(&damaged).unwrap();
    let error = table.texts(Column::WHITE).unwrap_err().to_string();
    assert_eq!(error, "the table is damaged: the texts of white: they do not have their checksum");
    assert!(table.texts(Column::BLACK).is_ok());
}
