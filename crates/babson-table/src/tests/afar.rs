//! Tables whose bytes are not in memory: what is read of them, and that it is the same.

use std::ops::Range;

use super::*;

/// A file far away, which tells of the ranges that are read.
#[derive(Debug)]
pub(super) struct Afar {
    bytes: Bytes,
    read: mpsc::Sender<Range<u64>>,
    /// The number of bytes that are missing at the end of each part.
    short: usize,
}

impl Afar {
    /// A file; nobody asks what is read of it.
    pub(super) fn of(file: &[u8]) -> Afar {
        Afar { bytes: Bytes::copy_from_slice(file), read: mpsc::channel().0, short: 0 }
    }
}

impl TableSource for Afar {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
        ranges.iter().for_each(|range| drop(self.read.send(range.clone())));
        let mut parts = self.bytes.read_ranges(ranges)?;
        parts.iter_mut().for_each(|part| part.truncate(part.len().saturating_sub(self.short)));
        Ok(parts)
    }
}

fn afar(file: &[u8]) -> (Result<Table, TableError>, mpsc::Receiver<Range<u64>>) {
    let (read, ranges) = mpsc::channel();
    let bytes = Bytes::copy_from_slice(file);
    (Table::open_source(Arc::new(Afar { bytes, read, short: 0 })), ranges)
}

/// The number of bytes that were read since the last call.
fn bytes_read(ranges: &mpsc::Receiver<Range<u64>>) -> u64 {
    ranges.try_iter().map(|range| range.end - range.start).sum()
}

/// Bits of the rows of a batch, every `step`th one.
fn some_rows(batch: &Batch, step: usize) -> Vec<u64> {
    let mut rows = vec![0; batch.len().div_ceil(64)];
    (0..batch.len()).step_by(step).for_each(|row| rows[row / 64] |= 1 << (row % 64));
    rows
}

#[test]
fn a_table_far_away_is_the_same() {
    for name in ["special.pgn", "masters-2k.pgn"] {
        let rows = rows("a.pgn", &corpus(name), 700);
        for compression in [Compression::None, Compression::Zstd] {
            if compression == Compression::Zstd && !cfg!(feature = "zstd") {
                continue;
            }
            let file = table_of(&rows, compression);
            let near = open(&file).unwrap();
            let far = afar(&file).0.unwrap();
            far.verify().unwrap();
            assert_eq!((far.len(), far.writer()), (near.len(), near.writer()));
            assert!(near.is_in_memory() && !far.is_in_memory());
            for column in Column::TEXTS {
                let [near, far] = [&near, &far].map(|table| table.texts(column).unwrap());
                assert!(near.iter().eq(far.iter()));
            }
            for index in 0..near.batches() {
                let all = near.batch(index, ColumnSet::ALL).unwrap();
                far.read_ahead(index, ColumnSet::ALL).unwrap();
                let other = far.batch(index, ColumnSet::ALL).unwrap();
                assert!(all.arrays.iter().zip(&other.arrays).all(|(one, other)| one == other));
                for step in [1, 5, 90, 9999] {
                    let chosen = some_rows(&all, step);
                    let some = far.batch_rows(index, ColumnSet::ALL, &chosen).unwrap();
                    for row in (0..all.len()).step_by(step) {
                        assert_eq!(all.tags(row), some.tags(row));
                        assert_eq!(all.moves(row), some.moves(row));
                        assert_eq!(all.checks(row), some.checks(row));
                        assert_eq!(all.movetext(row), some.movetext(row));
                        assert_eq!(all.line()[row], some.line()[row]);
                    }
                }
            }
        }
    }
}

#[test]
fn only_the_requested_columns_are_read() {
    let file = table_of(&rows("a.pgn", &corpus("masters-2k.pgn"), 700), Compression::None);
    let (table, ranges) = afar(&file);
    let table = table.unwrap();
    let rows = table.len();
    // The ends of the file, where the footer is, and the texts of the results.
    assert!(bytes_read(&ranges) < crate::limits::MAX_TAIL_BYTES + (6 << 10));
    let batch = table.batch(0, ColumnSet::of(&[Column::FLAGS])).unwrap();
    let metadata = table.metadata_ranges().pop().unwrap();
    assert_eq!(bytes_read(&ranges), (metadata.len() as u64) + (4 * rows).next_multiple_of(64));
    // What says where the rows are is a tenth of the table, the rows themselves are next to
    // nothing.
    table.batch_rows(0, ColumnSet::GAME, &some_rows(&batch, 1000)).unwrap();
    let read = bytes_read(&ranges);
    assert!(read < 60 * rows, "{read}");
    table.batch(0, ColumnSet::GAME).unwrap();
    assert!(bytes_read(&ranges) > 200 * rows);
    table.read_ahead(0, ColumnSet::of(&[Column::FLAGS, Column::PLIES])).unwrap();
    assert_eq!(ranges.try_iter().count(), 3);
}

/// The error of a column of the first batch that does not have its checksum.
fn wrong_sum(table: &Table, column: Column) -> TableError {
    let reason = format!("the column {} does not have its checksum", column.name());
    let batch = format!("batch 1 (rows 1 to {})", table.first_row(1));
    TableError::Damaged(reason).within(batch)
}

/// Turns bits of a byte of a table. Returns the table in memory and far away.
fn damaged(file: &[u8], place: usize, bits: u8) -> [Table; 2] {
    let mut damaged = file.to_vec();
    damaged[place] ^= bits;
    [open(&damaged).unwrap(), afar(&damaged).0.unwrap()]
}

#[test]
fn damage_of_columns_far_away_is_found() {
    let file = pack(&corpus("masters-2k.pgn"));
    let near = open(&file).unwrap();
    for (column, place) in [(Column::FLAGS, 100), (Column::MOVES, 70_000), (Column::TAGS, 9000)] {
        let place = near.column_range(0, column).start + place;
        for table in damaged(&file, place, 0x40) {
            let error = table.batch(0, ColumnSet::of(&[column])).unwrap_err();
            assert_eq!(error, wrong_sum(&near, column));
            table.batch(0, ColumnSet::of(&[Column::LINE])).unwrap();
        }
    }
    for range in near.metadata_ranges() {
        let reads = |table: &Table| {
            let texts = Column::TEXTS.into_iter().try_for_each(|column| {
                table.texts(column)?;
                Ok(())
            });
            texts.and_then(|()| table.batch(0, ColumnSet::GAME).map(drop))
        };
        let mut bytes = file.clone();
        bytes[range.start + 20] ^= 1;
        // The texts of the results are read when the table is opened.
        let errors = [open(&bytes), afar(&bytes).0]
            .map(|table| table.and_then(|table| reads(&table)).unwrap_err());
        assert!(errors[0].to_string().ends_with("its metadata do not have their checksum"));
        assert_eq!(errors[0], errors[1]);
    }
}

/// Of a table far away, rows are read and tested with those that share their checksums.
#[test]
fn damage_of_rows_far_away_is_found() {
    let file = pack(&corpus("masters-2k.pgn"));
    let near = open(&file).unwrap();
    let sound = near.batch(0, ColumnSet::GAME).unwrap();
    let groups = sound.len().div_ceil(64);
    let (mut found, mut unread) = (0, 0);
    for column in [Column::TAGS, Column::MOVES] {
        for place in near.items_range(0, column).step_by(9973) {
            let [_, far] = damaged(&file, place, 0x40);
            for group in 0..groups {
                let mut rows = vec![0; groups];
                rows[group] = 1 << 5;
                match far.batch_rows(0, ColumnSet::GAME, &rows) {
                    Ok(batch) => {
                        unread += 1;
                        for row in (64 * group..sound.len()).take(64) {
                            assert_eq!(batch.tags(row), sound.tags(row));
                            assert_eq!(batch.moves(row), sound.moves(row));
                            assert_eq!(batch.checks(row), sound.checks(row));
                        }
                    }
                    Err(error) => {
                        found += 1;
                        assert_eq!(error, wrong_sum(&near, column));
                    }
                }
            }
        }
    }
    // Each byte is in one group.
    assert!(found > 60 && unread == found * (groups - 1), "{found} {unread} {groups}");
    // What says where the rows are, and what is read as a whole.
    let some = some_rows(&sound, 300);
    for column in [Column::TAGS, Column::MOVETEXT, Column::MOVES, Column::CHECKS] {
        let all = near.column_range(0, column);
        let head = all.start..near.items_range(0, column).start;
        let places = if column == Column::CHECKS { all } else { head };
        for place in places.step_by(61) {
            let [_, far] = damaged(&file, place, 0x81);
            let error = far.batch_rows(0, ColumnSet::GAME, &some).unwrap_err();
            let name = column.name();
            let place = format!("the place of a row in the column {name} is wrong");
            let is_place = error.to_string().ends_with(&place);
            assert!(is_place || error == wrong_sum(&near, column), "{error}");
        }
    }
}

/// A table whose rows have no checksums is read as a whole, and tested.
#[test]
fn rows_without_checksums_are_read_with_their_column() {
    if cfg!(not(feature = "zstd")) {
        return;
    }
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let file = table_of(&rows, Compression::Zstd);
    let near = open(&file).unwrap();
    for column in [Column::TAGS, Column::MOVES, Column::CHECKS] {
        let place = near.column_range(0, column).end - 9;
        for table in damaged(&file, place, 1) {
            let error = table.batch_rows(0, ColumnSet::GAME, &[1]).unwrap_err();
            assert_eq!(error, wrong_sum(&near, column));
        }
    }
}

#[test]
fn files_far_away_that_are_not_whole_tables_are_refused() {
    let file = pack(&corpus("special.pgn"));
    for length in [0, 5, 12, 4000, file.len() - 1] {
        let [near, far] = [open(&file[..length]), afar(&file[..length]).0];
        assert_eq!(near.unwrap_err(), far.unwrap_err());
    }
    for short in [1, 60, 1000] {
        let (read, _ranges) = mpsc::channel();
        let source = Afar { bytes: file.clone().into(), read, short };
        let error = Table::open_source(Arc::new(source)).unwrap_err();
        assert!(matches!(error, TableError::Read(_)), "{error}");
    }
    // A stream of Arrow, as another program writes it.
    let schema =
        arrow_schema::Schema::new(vec![schema::field(Column::FLAGS, schema::TextForm::Plain)]);
    let mut stream = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
    stream.finish().unwrap();
    let error = afar(&stream.into_inner().unwrap()).0.unwrap_err();
    assert_eq!(error, TableError::RewrittenAfar);
}

#[test]
fn a_footer_that_is_longer_than_the_first_read_is_read() {
    let file = pack(&corpus("special.pgn"));
    let (read, ranges) = mpsc::channel();
    let source = Afar { bytes: file.into(), read, short: 0 };
    let table = Table::open_packed(Arc::new(source), 100).unwrap();
    table.verify().unwrap();
    let lengths: Vec<u64> = ranges.try_iter().map(|range| range.end - range.start).collect();
    assert!(lengths[..2] == [64, 100] && lengths[2] > 1000, "{lengths:?}");
}
