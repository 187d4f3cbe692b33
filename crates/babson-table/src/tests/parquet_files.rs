//! Tables as Parquet files.

use std::collections::BTreeSet;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::*;

fn parquet_of(rows: &[Rows], compression: Compression) -> Vec<u8> {
    let writer = writer_of(rows);
    let mut file = Vec::new();
    let size = writer.finish_parquet(&mut file, compression).unwrap();
    assert_eq!(size.bytes, file.len() as u64);
    file
}

/// The games come back, and the table in memory is the one that the games give.
#[test]
fn games_come_back() {
    let mut compressions = vec![Compression::None];
    compressions.extend(cfg!(feature = "zstd").then_some(Compression::Zstd));
    for name in FILES {
        let pgn = corpus(name);
        let rows = rows("a.pgn", &pgn, 100);
        for &compression in &compressions {
            let file = parquet_of(&rows, compression);
            assert!(open(&file).unwrap().is_rewritten());
            compare(&file, &pgn);
        }
    }
}

/// Other programs see the columns of a table, with the same types.
#[test]
fn the_columns_are_those_of_a_table() {
    let rows = rows("a.pgn", &corpus("studies.pgn"), 100);
    let table = Cursor::new(table_of(&rows, Compression::None));
    let mut table = arrow_ipc::reader::FileReader::try_new(table, None).unwrap();
    let file = parquet_of(&rows, Compression::None);
    let file = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file)).unwrap();
    assert_eq!(file.schema().fields(), table.schema().fields());
    let games = rows.iter().map(Rows::len).sum::<usize>().to_string();
    assert_eq!(file.schema().metadata().get("babson.table.games"), Some(&games));
    let first = file.with_batch_size(MAX_BATCH_ROWS).build().unwrap().next().unwrap().unwrap();
    let expected = table.next().unwrap().unwrap();
    for column in Column::all() {
        let name = column.name();
        let [own, other] = [&first, &expected].map(|batch| {
            let array = batch.column(column.index());
            (0..array.len()).map(|row| array.is_null(row)).collect::<Vec<_>>()
        });
        assert_eq!(own, other, "{name}");
    }
    let tags =
        |batch: &RecordBatch| batch.column_by_name("tags").unwrap().as_binary::<i32>().clone();
    assert_eq!(tags(&first), tags(&expected));
}

#[test]
fn a_longer_table_is_written() {
    let pgn = b"[White \"A\"]\n\n1. e4 *\n\n".repeat(MAX_BATCH_ROWS + 20);
    let rows = rows("a.pgn", &pgn, usize::MAX);
    let table = open(&table_of(&rows, Compression::None)).unwrap();
    let mut writer = TableWriter::after(&table, Cursor::new(Vec::new()), "babson test").unwrap();
    writer.append(&rows[0]).unwrap();
    let mut file = Vec::new();
    writer.finish_parquet(&mut file, Compression::None).unwrap();
    assert_eq!(open(&file).unwrap().len(), 2 * table.len());
}

/// Whatever is wrong in a file is an error, not a panic.
#[test]
fn damaged_files_are_refused_or_played() {
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let file = parquet_of(&rows, Compression::None);
    for end in (0..file.len()).step_by(file.len() / 50) {
        assert!(open(&file[..end]).is_err(), "cut at {end}");
    }
    let mut outcomes = BTreeSet::new();
    let places = (4..file.len()).step_by(file.len() / 150).chain(file.len() - 3000..file.len());
    for (trial, place) in places.enumerate().filter(|(trial, _)| trial % 7 == 0 || *trial < 150) {
        let mut damaged = file.clone();
        damaged[place] ^= [1, 0x80, 0xff, 0x10][trial % 4];
        outcomes.insert(Table::open(damaged.into()).is_ok());
    }
    assert!(outcomes.contains(&false));
}

#[test]
fn files_of_other_columns_are_refused() {
    let field = arrow_schema::Field::new("movetext", DataType::Utf8, true);
    let schema = Arc::new(arrow_schema::Schema::new(vec![field]));
    let writer = parquet::arrow::arrow_writer::ArrowWriter::try_new(Vec::new(), schema, None);
    let file = writer.unwrap().into_inner().unwrap();
    let error = open(&file).unwrap_err();
    assert!(matches!(error, TableError::Foreign(_)), "{error}");
}

#[test]
fn a_full_disk_is_an_error() {
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let length = parquet_of(&rows, Compression::None).len();
    for room in (0..length).step_by(length / 20) {
        let out = Full { room, written: Vec::new() };
        let error = writer_of(&rows).finish_parquet(out, Compression::None).unwrap_err();
        assert!(matches!(error, WriteError::Io(_)), "{error}");
    }
}
