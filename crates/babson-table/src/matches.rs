//! The columns of matches, which the table of a search has after those of the games.

use std::sync::Arc;

use arrow_array::builder::{
    Int32Builder, ListBuilder, PrimitiveBuilder, StringBuilder, UInt32Builder,
};
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, Int32Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Field};
use serde::{Deserialize, Serialize};

use crate::schema::{MATCH_COLUMNS, TextForm, field_of};

/// The match of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The number of the game, from 1 over all inputs of the search.
    pub game: u64,
    /// The matching positions.
    pub positions: Vec<PositionRow>,
    /// The comments that the query added, each with the id of its position.
    pub comments: Vec<(u32, String)>,
    /// The values that `field` recorded.
    pub fields: Vec<FieldRow>,
    /// The tags that the query set, each with its value; without one it was removed.
    pub tags: Vec<(String, Option<String>)>,
    /// The values of the sort keys; `None` if a key was never bound.
    pub sort: Vec<Option<SortCell>>,
}

/// A matching position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRow {
    /// Its id.
    pub id: u32,
    /// Plies from the initial position.
    pub ply: u32,
    /// The move before it with its number; empty for the initial position.
    pub mv: String,
    /// The move that was played in it, with its number; empty for the last position.
    pub next: String,
    /// Its FEN.
    pub fen: String,
}

/// A value that `field` recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRow {
    /// The id of its position.
    pub id: u32,
    /// The name of the field.
    pub name: String,
    /// The value, a number in decimal digits.
    pub value: String,
}

/// The value of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortCell {
    /// A number.
    Number(i32),
    /// A text.
    Text(String),
}

/// What the values of a sort key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortType {
    /// Numbers.
    Number,
    /// Texts.
    Text,
}

/// The query of a table of matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchQuery {
    /// Its name.
    pub name: String,
    /// Its sort keys, the most significant first.
    pub sorts: Vec<(String, SortType)>,
}

impl MatchRow {
    /// The comments of the query at a position.
    fn comment(&self, position: u32) -> Option<String> {
        // They are in the order of their positions, and there can be many of both.
        let first = self.comments.partition_point(|(id, _)| *id < position);
        let comments = self.comments[first..].iter().take_while(|(id, _)| *id == position);
        let comments: Vec<&str> = comments.map(|(_, text)| text.as_str()).collect();
        (!comments.is_empty()).then(|| comments.join("; "))
    }

    /// The bytes of the columns of the match.
    pub(crate) fn bytes(&self) -> usize {
        let positions = self.positions.iter();
        let positions = positions.map(|row| 24 + row.mv.len() + row.next.len() + row.fen.len());
        let comments = self.comments.iter().map(|(_, text)| 8 + text.len());
        let tags = self
            .tags
            .iter()
            .map(|(name, value)| 8 + name.len() + value.as_ref().map_or(0, String::len));
        let sort = self.sort.iter().flatten().map(|cell| match cell {
            SortCell::Number(_) => 4,
            SortCell::Text(text) => 4 + text.len(),
        });
        let fields = self.fields.iter().map(|field| 12 + field.name.len() + field.value.len());
        positions.chain(comments).chain(fields).chain(tags).chain(sort).sum()
    }
}

/// The fields of the columns of a query.
pub(crate) fn fields(query: &MatchQuery) -> Vec<Field> {
    let own = MATCH_COLUMNS.iter().map(|info| field_of(info, TextForm::Numbered));
    let mut fields: Vec<Field> = own.collect();
    for (name, sort_type) in &query.sorts {
        let name = unused_name(&fields, &format!("sort_{name}"));
        let data_type = match sort_type {
            SortType::Number => DataType::Int32,
            SortType::Text => DataType::Utf8,
        };
        fields.push(Field::new(name, data_type, true));
    }
    fields
}

/// The name, or the name with a number after it if a column has the name already.
fn unused_name(fields: &[Field], name: &str) -> String {
    let is_used = |name: &str| fields.iter().any(|field| field.name() == name);
    let mut unused = name.to_owned();
    let mut count = 1;
    while is_used(&unused) {
        count += 1;
        unused = format!("{name}_{count}");
    }
    unused
}

/// The arrays of some matches, in the order of [`fields`]. The name of the query is its number, 0.
pub(crate) fn arrays(query: &MatchQuery, rows: &[MatchRow]) -> Vec<ArrayRef> {
    let ids = |row: &MatchRow| row.positions.iter().map(|position| position.id).collect();
    let plies = |row: &MatchRow| row.positions.iter().map(|position| position.ply).collect();
    let comment_ids = |row: &MatchRow| row.comments.iter().map(|(id, _)| *id).collect();
    let field_ids = |row: &MatchRow| row.fields.iter().map(|field| field.id).collect();
    let mut arrays: Vec<ArrayRef> = vec![
        Arc::new(Int32Array::from(vec![0; rows.len()])),
        Arc::new(rows.iter().map(|row| row.game).collect::<UInt64Array>()),
        numbers(rows, UInt32Builder::new(), ids),
        numbers(rows, UInt32Builder::new(), plies),
        optional_texts(rows, |row| {
            row.positions.iter().map(|position| some_text(position.mv.as_str()))
        }),
        optional_texts(rows, |row| {
            row.positions.iter().map(|position| some_text(position.next.as_str()))
        }),
        texts(rows, |row| row.positions.iter().map(|position| position.fen.as_str())),
        optional_texts(rows, |row| row.positions.iter().map(|position| row.comment(position.id))),
        numbers(rows, UInt32Builder::new(), comment_ids),
        texts(rows, |row| row.comments.iter().map(|(_, text)| text.as_str())),
        numbers(rows, UInt32Builder::new(), field_ids),
        texts(rows, |row| row.fields.iter().map(|field| field.name.as_str())),
        texts(rows, |row| row.fields.iter().map(|field| field.value.as_str())),
        texts(rows, |row| row.tags.iter().map(|(name, _)| name.as_str())),
        optional_texts(rows, |row| row.tags.iter().map(|(_, value)| value.clone())),
    ];
    for (at, (_, sort_type)) in query.sorts.iter().enumerate() {
        let cells = rows.iter().map(|row| row.sort.get(at).and_then(Option::as_ref));
        arrays.push(match sort_type {
            SortType::Number => {
                let mut numbers = Int32Builder::with_capacity(rows.len());
                for cell in cells {
                    numbers.append_option(match cell {
                        Some(SortCell::Number(number)) => Some(*number),
                        Some(SortCell::Text(_)) | None => None,
                    });
                }
                Arc::new(numbers.finish())
            }
            SortType::Text => {
                let text = |cell: Option<&SortCell>| match cell {
                    Some(SortCell::Text(text)) => Some(text.clone()),
                    Some(SortCell::Number(number)) => Some(number.to_string()),
                    None => None,
                };
                Arc::new(cells.map(text).collect::<StringArray>())
            }
        });
    }
    arrays
}

fn numbers<T: ArrowPrimitiveType>(
    rows: &[MatchRow],
    values: PrimitiveBuilder<T>,
    of_row: impl Fn(&MatchRow) -> Vec<T::Native>,
) -> ArrayRef {
    let field = Field::new("item", T::DATA_TYPE, false);
    let mut list = ListBuilder::with_capacity(values, rows.len()).with_field(field);
    for row in rows {
        list.values().append_slice(&of_row(row));
        list.append(true);
    }
    Arc::new(list.finish())
}

fn texts<'r, I: Iterator<Item = &'r str>>(
    rows: &'r [MatchRow],
    of_row: impl Fn(&'r MatchRow) -> I,
) -> ArrayRef {
    let field = Field::new("item", DataType::Utf8, false);
    let builder = ListBuilder::with_capacity(StringBuilder::new(), rows.len());
    let mut list = builder.with_field(field);
    for row in rows {
        of_row(row).for_each(|text| list.values().append_value(text));
        list.append(true);
    }
    Arc::new(list.finish())
}

fn some_text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn optional_texts<'r, T: AsRef<str>, I: Iterator<Item = Option<T>>>(
    rows: &'r [MatchRow],
    of_row: impl Fn(&'r MatchRow) -> I,
) -> ArrayRef {
    let builder = ListBuilder::with_capacity(StringBuilder::new(), rows.len());
    let mut list = builder.with_field(Field::new("item", DataType::Utf8, true));
    for row in rows {
        of_row(row).for_each(|text| list.values().append_option(text));
        list.append(true);
    }
    Arc::new(list.finish())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, UInt32Type, UInt64Type};
    use arrow_array::{Array, RecordBatch};
    use arrow_ipc::reader::FileReader;
    use babson_pgn::{Needs, Reader};

    use super::*;
    use crate::{Compression, GameOrigin, Rows, Table, TableWriter};

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
        let ids =
            |name| column(name).as_list::<i32>().value(0).as_primitive::<UInt32Type>().clone();
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
}
