//! Tables of matches, read by Arrow's own reader.

use std::io::Cursor;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::FileReader;
use babson_pgn::{Needs, Reader};

use super::*;
use crate::{Compression, FieldRow, GameOrigin, PositionRow, Rows, Table, TableWriter};

fn query() -> MatchQuery {
    let sorts = [("n", SortType::Number), ("n", SortType::Text), ("n_2", SortType::Number)];
    let sorts = sorts.map(|(name, sort_type)| (name.to_owned(), sort_type));
    MatchQuery { name: "a.cql".to_owned(), sorts: sorts.into() }
}

fn matches() -> [MatchRow; 2] {
    let position = |id, mv: &str| PositionRow {
        id,
        ply: id + 1,
        mv: mv.to_owned(),
        next: String::new(),
        fen: format!("fen {id}"),
    };
    let tag = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    let field =
        |id, name: &str, value: &str| FieldRow { id, name: name.into(), value: value.into() };
    [
        MatchRow {
            game: 7,
            positions: vec![position(0, ""), position(3, "2.Nf3")],
            comments: vec![(3, "CQL".to_owned()), (3, "é".to_owned())],
            fields: vec![field(0, "a", "-4"), field(3, "a", "é")],
            tags: vec![tag("A", Some("")), tag("B", None)],
            sort: vec![Some(SortCell::Number(-4)), Some(SortCell::Text("x".to_owned())), None],
        },
        MatchRow { game: 9, ..MatchRow::default() },
    ]
}

fn write(query: MatchQuery, matches: &[MatchRow], compression: Compression) -> Vec<u8> {
    let mut reader = Reader::new();
    let mut rows = Rows::default();
    for hit in matches {
        let text = b"[White \"A\"]\n\n1. e4 e5 *";
        let origin =
            GameOrigin { input: "a.pgn", number: hit.game, offset: 5, length: 24, line: 2 };
        rows.add_match(&reader.read(text, Needs::ALL), origin, hit.clone());
    }
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "test").with_query(query);
    writer.append(&rows).unwrap();
    let mut file = Vec::new();
    writer.finish(&mut file, compression).unwrap();
    file
}

fn read(file: &[u8]) -> RecordBatch {
    let mut reader = FileReader::try_new(Cursor::new(file), None).unwrap();
    reader.next().unwrap().unwrap()
}

/// The texts of a row of a list; a null is `None`.
fn texts(batch: &RecordBatch, name: &str, row: usize) -> Vec<Option<String>> {
    let list = batch.column_by_name(name).unwrap().as_list::<i32>().value(row);
    list.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn other_programs_read_the_columns_of_matches() {
    let file = write(query(), &matches(), Compression::None);
    let batch = read(&file);
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let ids = |name| column(name).as_list::<i32>().value(0).as_primitive::<UInt32Type>().clone();
    assert_eq!(column("game").as_primitive::<UInt64Type>().values(), &[7, 9]);
    assert_eq!(ids("id").values(), &[0, 3]);
    assert_eq!(ids("ply").values(), &[1, 4]);
    assert_eq!(ids("match_comment_ids").values(), &[3, 3]);
    assert_eq!(ids("match_field_ids").values(), &[0, 3]);
    let some = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
    for (name, expected) in [
        ("move", [None, Some("2.Nf3".to_owned())]),
        ("next", [None, None]),
        ("fen", some(["fen 0", "fen 3"])),
        ("comment", [None, Some("CQL; é".to_owned())]),
        ("match_comments", some(["CQL", "é"])),
        ("match_field_names", some(["a", "a"])),
        ("match_field_values", some(["-4", "é"])),
        ("match_tag_names", some(["A", "B"])),
        ("match_tag_values", [Some(String::new()), None]),
    ] {
        assert_eq!(texts(&batch, name, 0), expected, "{name}");
        assert!(texts(&batch, name, 1).is_empty(), "{name}");
    }
    let names = column("query").as_dictionary::<Int32Type>();
    let names = names.downcast_dict::<StringArray>().unwrap();
    assert!(names.into_iter().eq([Some("a.cql"); 2]));
    // Names of sort keys need not differ.
    assert_eq!(column("sort_n").as_primitive::<Int32Type>().iter().next(), Some(Some(-4)));
    assert_eq!(column("sort_n_2").as_string::<i32>().value(0), "x");
    assert_eq!(column("sort_n_2_2").null_count(), 2);
}

#[test]
fn a_table_of_matches_is_a_table() {
    for compression in [Compression::None, Compression::Zstd] {
        if compression == Compression::Zstd && cfg!(not(feature = "zstd")) {
            continue;
        }
        let table = Table::open(write(query(), &matches(), compression).into()).unwrap();
        table.verify().unwrap();
        assert_eq!(table.len(), 2);
        let batch = table.batch(0, crate::ColumnSet::ALL).unwrap();
        assert_eq!((batch.number(), batch.length()), (&[7, 9][..], &[24, 24][..]));
    }
    let empty = Table::open(write(query(), &[], Compression::None).into()).unwrap();
    empty.verify().unwrap();
    assert!(empty.is_empty());
}

/// Long columns of matches end a batch, so that their offsets fit.
#[test]
fn long_matches_end_a_batch() {
    let position = PositionRow { fen: "x".repeat(1 << 20), ..PositionRow::default() };
    let hit = MatchRow { positions: vec![position; 20], ..MatchRow::default() };
    let file = write(MatchQuery::default(), &vec![hit; 5], Compression::None);
    assert_eq!(Table::open(file.into()).unwrap().batches(), 2);
}
