use std::io::{self, Cursor};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, DictionaryArray, LargeListArray, RecordBatch,
    StringViewArray, UInt8Array, UInt32Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::DataType;
use babson_pgn::{CodedGame, Game, GameFacts, GameFlags, Games, Needs, Reader};
use bytes::Bytes;

use crate::rewritten::NEEDED;
use crate::*;

const FILES: [&str; 10] = [
    "special.pgn",
    "studies.pgn",
    "odd-positions.pgn",
    "odd-tags.pgn",
    "variants/random-atomic.pgn",
    "variants/random-crazyhouse.pgn",
    "variants/random-antichess.pgn",
    "variants/random-chess960.pgn",
    "cqli-games.pgn",
    "masters-2k.pgn",
];

fn corpus(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of all games of a text, in parts of `part` games.
fn rows(source: &str, pgn: &[u8], part: usize) -> Vec<Rows> {
    let mut reader = Reader::new();
    let games: Vec<_> = Games::new(pgn).collect();
    let (mut number, mut line) = (0, 1);
    let part_rows = |part: &[(usize, &[u8])]| {
        let mut rows = Rows::default();
        for (offset, text) in part {
            number += 1;
            line += 10;
            let game = reader.read(text, Needs::ALL);
            let (offset, length) = (*offset as u64, game.text().len() as u64);
            rows.add(&game, GameOrigin { input: source, number, offset, length, line });
        }
        rows
    };
    games.chunks(part).map(part_rows).collect()
}

fn table_of(rows: &[Rows], compression: Compression) -> Vec<u8> {
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "babson test");
    for rows in rows {
        writer.append(rows).unwrap();
    }
    let mut file = Vec::new();
    let size = writer.finish(&mut file, compression).unwrap();
    assert_eq!(size.bytes, file.len() as u64);
    file
}

fn pack(pgn: &[u8]) -> Vec<u8> {
    table_of(&rows("a.pgn", pgn, 100), Compression::None)
}

fn open(file: &[u8]) -> Result<Table, TableError> {
    Table::open(Bytes::copy_from_slice(file))
}

/// Everything that a writer or a query sees of a game.
fn assert_same(found: &Game<'_>, expected: &Game<'_>, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    assert_eq!(found.positions(), expected.positions(), "{text}");
    assert_eq!(found.nodes(), expected.nodes(), "{text}");
    assert_eq!(found.rules(), expected.rules(), "{text}");
    assert!(found.tags().eq(expected.tags()), "{text}");
    assert_eq!(found.result_tag(), expected.result_tag(), "{text}");
    assert_eq!(found.has_result(), expected.has_result(), "{text}");
    assert_eq!(found.result(), expected.result(), "{text}");
    assert_eq!(found.damages(), expected.damages(), "{text}");
    assert_eq!(found.has_start(), expected.has_start(), "{text}");
    assert_eq!(found.is_whole(), expected.is_whole(), "{text}");
    for id in 0..expected.len() {
        assert_eq!(found.comment(id), expected.comment(id), "{text}");
        assert!(found.nags(id).eq(expected.nags(id)), "{text}");
    }
}

/// Compares the rows of a table with the games that were packed.
fn compare(file: &[u8], pgn: &[u8]) -> [usize; 2] {
    let table = open(file).unwrap();
    table.verify().unwrap();
    let (mut reader, mut other) = (Reader::new(), Reader::new());
    let mut games = Games::new(pgn).enumerate();
    let mut kinds = [0, 0];
    let texts = |column| table.texts(column).unwrap();
    let (input, white) = (texts(Column::INPUT), texts(Column::WHITE));
    for index in 0..table.batches() {
        let batch = table.batch(index, ColumnSet::ALL).unwrap();
        for row in 0..batch.len() {
            let (number, (offset, text)) = games.next().unwrap();
            assert_eq!(batch.first_row() + row as u64, number as u64);
            assert_eq!(batch.text(Column::INPUT, row, &input), Some("a.pgn"));
            assert_eq!(batch.number()[row], number as u64 + 1);
            assert_eq!(batch.offset()[row], offset as u64);
            assert_eq!(batch.line()[row], 11 + 10 * number as u64);
            assert_eq!(batch.length()[row] as usize, text.len());
            let game = reader.read(text, Needs::ALL);
            let name = game.tag(b"White").map(babson_pgn::tags::decode);
            assert_eq!(batch.text(Column::WHITE, row, &white), name.as_deref());
            let facts = GameFacts::of(&game);
            assert_eq!(GameFlags(batch.flags()[row]), facts.flags);
            assert_eq!(batch.least_balance()[row], facts.least_balance);
            assert_eq!(batch.greatest_balance()[row], facts.greatest_balance);
            for piece in 0..12 {
                assert_eq!(batch.footprint(piece)[row], facts.footprint[piece].0);
                assert_eq!(batch.most(piece)[row], facts.most[piece]);
                assert_eq!(batch.least(piece)[row], facts.least[piece]);
            }
            assert_eq!(u32::from(batch.plies()[row]) + 1, game.main_line_len());
            for id in 0..game.main_line_len() as usize {
                let word = batch.checks(row).get(id / 64).copied().unwrap_or_default();
                assert_eq!(word >> (id % 64) & 1 != 0, game.positions()[id].in_check());
            }
            match batch.game_text(row) {
                StoredGame::Coded(coded) => {
                    kinds[0] += 1;
                    assert!(text.starts_with(coded.tags));
                    let (found, _) = other.replay_if(&coded, Needs::ALL, |_| true).unwrap();
                    assert_same(&found, &game, text);
                }
                StoredGame::Text { tags, movetext } => {
                    kinds[1] += 1;
                    let stored = [tags, movetext].concat();
                    assert_eq!(stored, text);
                    assert_same(&other.read(&stored, Needs::ALL), &game, text);
                }
            }
        }
        let rows = batch.len() / 3..batch.len();
        assert!(batch.move_lists(rows.clone()).eq(rows.clone().map(|row| batch.moves(row))));
        assert!(batch.check_lists(rows.clone()).eq(rows.map(|row| batch.checks(row))));
    }
    assert!(games.next().is_none());
    kinds
}

#[test]
fn games_of_the_corpus_come_back() {
    for name in FILES {
        let pgn = corpus(name);
        let [coded, text] = compare(&pack(&pgn), &pgn);
        match name {
            "masters-2k.pgn" => assert!(coded > 1900 && text < 5, "{coded} {text}"),
            "studies.pgn" => assert!(coded > 0 && text > 0, "{coded} {text}"),
            _ => {}
        }
    }
}

#[test]
fn the_schema() {
    let table = open(&pack(b"1. e4 *")).unwrap();
    let forms = [schema::TextForm::Numbered; 9];
    let schema = schema::schema(&forms, 1, table.writer(), None);
    let fields = schema.fields().iter().map(|field| {
        let null = if field.is_nullable() { " or null" } else { "" };
        format!("{}: {}{null}", field.name(), field.data_type())
    });
    let metadata = schema.metadata().iter().map(|(key, value)| format!("{key} = {value}"));
    let text: Vec<String> = metadata.chain(fields).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn columns_have_their_names() {
    for (column, name) in [
        (Column::INPUT, "input"),
        (Column::LINE, "line"),
        (Column::ECO, "eco"),
        (Column::DATE_TAG, "date_tag"),
        (Column::DATE, "date"),
        (Column::YEAR, "year"),
        (Column::MONTH, "month"),
        (Column::FEN_TAG, "fen_tag"),
        (Column::VARIANT, "variant"),
        (Column::PLIES, "plies"),
        (Column::MOVETEXT, "movetext"),
        (Column::BALANCE_MAX, "balance_max"),
        (Column::footprint(0), "white_pawn"),
        (Column::footprint(11), "black_king"),
        (Column::most(4), "white_queen_max"),
        (Column::least(6), "black_pawn_min"),
    ] {
        assert_eq!(column.name(), name);
    }
    for (bit, info) in schema::FLAGS.into_iter().enumerate() {
        assert_eq!(info.flag.0, 1 << bit);
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_parts() {
    let pgn = corpus("studies.pgn");
    let expected = pack(&pgn);
    for part in [1, 7, 1000] {
        assert!(table_of(&rows("a.pgn", &pgn, part), Compression::None) == expected);
    }
}

#[test]
fn a_table_without_games() {
    let table = open(&pack(b"")).unwrap();
    table.verify().unwrap();
    assert_eq!((table.len(), table.batches()), (0, 0));
    assert!(table.texts(Column::WHITE).unwrap().is_empty());
}

#[test]
fn several_batches() {
    let game = b"[White \"A\"]\n\n1. e4 e5 *\n\n";
    let pgn = game.repeat(MAX_BATCH_ROWS + 5);
    let file = pack(&pgn);
    let table = open(&file).unwrap();
    assert_eq!((table.batches(), table.first_row(1)), (2, MAX_BATCH_ROWS as u64));
    assert_eq!(compare(&file, &pgn), [MAX_BATCH_ROWS + 5, 0]);
}

#[test]
fn long_games_end_a_batch() {
    let comment = format!("{{{}}}", "x".repeat(20 << 20));
    let pgn = format!("1. e4 {comment} *\n\n").repeat(5);
    let file = pack(pgn.as_bytes());
    assert_eq!(open(&file).unwrap().batches(), 2);
    assert_eq!(compare(&file, pgn.as_bytes()), [0, 5]);
}

#[test]
fn a_column_of_many_distinct_texts_is_plain() {
    let mut rows = Rows::default();
    let mut reader = Reader::new();
    let games = limits::MAX_DISTINCT + MAX_BATCH_ROWS + 10;
    let mut names = Vec::new();
    for number in 0..games {
        names.push(format!("Game {number}"));
        let text = format!("[Event \"E\"]\n[Site \"{}\"]\n\n*", names[number]);
        let game = reader.read(text.as_bytes(), Needs::ALL);
        let origin = GameOrigin { input: "a.pgn", number: 1, offset: 0, length: 0, line: 1 };
        rows.add(&game, origin);
    }
    let file = table_of(&[rows], Compression::None);
    let table = open(&file).unwrap();
    let texts = table.texts(Column::SITE).unwrap();
    assert!(!texts.is_numbered() && table.texts(Column::EVENT).unwrap().is_numbered());
    let mut names = names.iter();
    for index in 0..table.batches() {
        let batch = table.batch(index, ColumnSet::of(&[Column::SITE, Column::WHITE])).unwrap();
        for row in 0..batch.len() {
            let text = batch.text(Column::SITE, row, &texts);
            assert_eq!(text, names.next().map(String::as_str));
        }
    }
    table.verify().unwrap();
}

#[test]
fn tags_that_are_not_there() {
    let pgn =
        b"[Event \"\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n[White \"M\xfcller\"]\n\n1. e4";
    let table = open(&pack(pgn)).unwrap();
    let batch = table.batch(0, ColumnSet::ALL).unwrap();
    let text = |column| {
        let texts = table.texts(column).unwrap();
        batch.text(column, 0, &texts).map(str::to_owned)
    };
    assert_eq!(text(Column::EVENT).as_deref(), Some(""));
    assert_eq!(text(Column::SITE), None);
    assert_eq!(text(Column::WHITE).as_deref(), Some("Müller"));
    assert_eq!(text(Column::RESULT).as_deref(), Some("*"));
    assert_eq!(batch.result(0), None);
    assert_eq!(
        (batch.elo(Column::WHITE_ELO, 0), batch.elo(Column::BLACK_ELO, 0)),
        (Some(2100), None)
    );
    assert!(GameFlags(batch.flags()[0]).has(GameFlags::RECODED_TAGS));
}

#[cfg(feature = "zstd")]
#[test]
fn compressed_tables_hold_the_same() {
    let pgn = corpus("masters-2k.pgn");
    let rows = rows("a.pgn", &pgn, 100);
    let file = table_of(&rows, Compression::Zstd);
    assert!(file.len() * 2 < table_of(&rows, Compression::None).len());
    compare(&file, &pgn);
    let odd = self::rows("a.pgn", &corpus("special.pgn"), 100);
    survive(&table_of(&odd, Compression::Zstd), 101);
}

#[cfg(not(feature = "zstd"))]
#[test]
fn compression_needs_the_feature() {
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "");
    writer.append(&Rows::default()).unwrap();
    assert!(writer.finish(Vec::new(), Compression::Zstd).is_err());
}

/// Reads all of a damaged table. Returns whether it was refused.
fn read_all(file: Vec<u8>) -> bool {
    let Ok(table) = Table::open(file.into()) else {
        return true;
    };
    // Damage may make it a table that another program has written, and the error says so.
    let mut refused = table.is_rewritten() || table.verify().is_err();
    let mut reader = Reader::new();
    for index in 0..table.batches() {
        let Ok(batch) = table.batch(index, ColumnSet::ALL) else {
            refused = true;
            continue;
        };
        for row in 0..batch.len() {
            for column in [Column::WHITE, Column::RESULT] {
                if let Ok(texts) = table.texts(column) {
                    batch.text(column, row, &texts);
                }
            }
            if let StoredGame::Coded(coded) = batch.game_text(row) {
                let _ = reader.replay_if(&coded, Needs::ALL, |_| true);
            }
        }
    }
    refused
}

/// Cuts a table, and turns bits of it: it is always refused by `verify`, without a panic.
fn survive(file: &[u8], step: usize) {
    for end in (0..file.len()).step_by(4096).chain(file.len() - 200..file.len()) {
        let error = open(&file[..end]).err();
        let expected = if end < 6 { TableError::NotArrow } else { TableError::Cut };
        assert_eq!(error, Some(expected), "cut at {end}");
    }
    let footer = frame::footer_range(file).unwrap();
    let mut places: Vec<usize> = (0..file.len()).step_by(step).collect();
    places.extend(footer.clone().step_by(17).chain(footer.end..file.len()));
    let table = open(file).unwrap();
    for block in table.metadata_ranges() {
        places.extend(block.step_by(41));
    }
    for (trial, place) in places.into_iter().enumerate() {
        let mut damaged = file.to_vec();
        damaged[place] ^= [1, 0x80, 0xff, 0x10][trial % 4];
        assert!(read_all(damaged), "byte {place} does not matter");
    }
}

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
    for range in table.metadata_ranges() {
        for place in range.step_by(3) {
            for change in [1, 0x40, 0x80, 0xff] {
                let mut bytes = file.clone();
                bytes[place] ^= change;
                read_table(&table.with_bytes(bytes));
            }
        }
    }
}

fn read_table(table: &Table) {
    for column in Column::all() {
        let _ = table.texts(column);
    }
    for index in 0..table.batches() {
        if let Ok(batch) = table.batch(index, ColumnSet::ALL) {
            for row in 0..batch.len() {
                batch.game_text(row);
            }
        }
    }
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

/// A file of Arrow with the columns and metadata of a table, as another program writes it.
fn written_anew(file: &[u8], metadata: bool, stream: bool) -> Vec<u8> {
    let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(file), None).unwrap();
    let mut schema = reader.schema().as_ref().clone();
    if !metadata {
        schema.metadata.clear();
    }
    let batches = reader.map(|batch| {
        let columns = batch.unwrap().columns().to_vec();
        arrow_array::RecordBatch::try_new(schema.clone().into(), columns).unwrap()
    });
    if stream {
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
        batches.for_each(|batch| writer.write(&batch).unwrap());
        return writer.into_inner().unwrap();
    }
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    batches.for_each(|batch| writer.write(&batch).unwrap());
    writer.into_inner().unwrap()
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(open(b"[Event \"?\"]\n\n1. e4 *").err(), Some(TableError::NotArrow));
    assert_eq!(open(b"").err(), Some(TableError::NotArrow));
    let table = pack(b"1. e4 *");
    let stream = written_anew(&table, true, true);
    for (bytes, format) in
        [(&b"PAR1\x15\x04"[..], "a Parquet file"), (b"FEA1\0\0\0\0", "a Feather file of version 1")]
    {
        assert_eq!(open(bytes).err(), Some(TableError::OtherFormat(format)));
    }
    for cut in 0..stream.len() {
        assert!(open(&stream[..cut]).is_err(), "cut at {cut}");
    }
    assert_eq!(open(&stream[..20]).err(), Some(TableError::NotArrow));
    let field = arrow_schema::Field::new("a", arrow_schema::DataType::Int32, true);
    let schema = arrow_schema::Schema::new(vec![field]);
    let mut foreign = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    foreign.finish().unwrap();
    let foreign = foreign.into_inner().unwrap();
    assert!(matches!(open(&foreign), Err(TableError::Foreign(_))));
    let mut foreign = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
    foreign.finish().unwrap();
    let foreign = foreign.into_inner().unwrap();
    assert!(matches!(open(&foreign), Err(TableError::Foreign(_))));
}

/// A column with the types that Polars writes.
fn as_polars(array: &ArrayRef) -> ArrayRef {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let keys: UInt32Array = dictionary
            .keys()
            .as_primitive::<Int32Type>()
            .iter()
            .map(|key| key.map(|key| key as u32))
            .collect();
        let texts: StringViewArray = dictionary.values().as_string::<i32>().iter().collect();
        return Arc::new(DictionaryArray::try_new(keys, Arc::new(texts)).unwrap());
    }
    if let Some(bytes) = array.as_binary_opt::<i32>() {
        return Arc::new(bytes.iter().collect::<BinaryViewArray>());
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Arc::new(texts.iter().collect::<StringViewArray>());
    }
    let Some(list) = array.as_list_opt::<i32>() else { return array.clone() };
    let DataType::List(field) = list.data_type() else { unreachable!() };
    let (field, ends) = (field.clone(), list.offsets().iter().map(|&end| i64::from(end)));
    let offsets = OffsetBuffer::new(ends.collect());
    Arc::new(LargeListArray::new(field, offsets, list.values().clone(), list.nulls().cloned()))
}

/// A table of the rows after the first one, as another program writes it.
fn filtered(
    file: &[u8],
    stream: bool,
    change: impl Fn(&str, &ArrayRef) -> Option<ArrayRef>,
) -> Vec<u8> {
    let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(file), None).unwrap();
    let batches: Vec<RecordBatch> = reader
        .map(|batch| {
            let batch = batch.unwrap();
            let batch = batch.slice(1, batch.num_rows() - 1);
            let schema = batch.schema();
            let columns = schema.fields().iter().zip(batch.columns());
            let columns = columns.filter_map(|(field, array)| {
                Some((field.name().clone(), change(field.name(), array)?, true))
            });
            RecordBatch::try_from_iter_with_nullable(columns).unwrap()
        })
        .collect();
    let schema = batches[0].schema();
    if stream {
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        return writer.into_inner().unwrap();
    }
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// Tables that other programs have filtered have the same games as before, and the facts of their
/// moves, whatever the program has made of the other columns.
#[test]
fn tables_that_were_written_anew_are_read() {
    let pgn = [&corpus("special.pgn")[..], b"\n\n", &corpus("studies.pgn")].concat();
    let file = pack(&pgn);
    let whole = open(&file).unwrap().batch(0, ColumnSet::ALL).unwrap();
    let check = |bytes: &[u8]| {
        let table = open(bytes).unwrap();
        assert!(table.is_rewritten());
        table.verify().unwrap();
        let batch = table.batch(0, ColumnSet::ALL).unwrap();
        assert_eq!(batch.len(), whole.len() - 1);
        for row in 0..batch.len() {
            assert_eq!(
                format!("{:?}", batch.game_text(row)),
                format!("{:?}", whole.game_text(row + 1))
            );
        }
        assert_eq!(batch.flags(), &whole.flags()[1..]);
        assert_eq!(batch.footprint(4), &whole.footprint(4)[1..]);
        assert_eq!((batch.number(), batch.line()), (&whole.number()[1..], &whole.line()[1..]));
    };
    for stream in [false, true] {
        check(&filtered(&file, stream, |_, array| Some(array.clone())));
        check(&filtered(&file, stream, |_, array| Some(as_polars(array))));
        // Columns of facts are left out, or wrong.
        check(&filtered(&file, stream, |name, array| match name {
            "white_queen" | "plies" | "event" => None,
            "white_pawn_max" => Some(Arc::new(UInt8Array::from(vec![0; array.len()]))),
            _ => Some(array.clone()),
        }));
    }
    assert!(!open(&file).unwrap().is_rewritten());
}

/// What the games are made of must fit together.
#[test]
fn tables_that_were_written_wrong_are_refused() {
    let file = pack(b"1. d4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 *\n");
    let error = |change: &dyn Fn(&str, &ArrayRef) -> Option<ArrayRef>| {
        open(&filtered(&file, false, change)).unwrap_err().to_string()
    };
    let zeros = |array: &ArrayRef| -> ArrayRef { Arc::new(UInt8Array::from(vec![0; array.len()])) };
    for (column, told) in [
        ("checks", "row 1: the column checks does not fit the moves"),
        ("moves", "row 1: it has no moves"),
        ("tags", "row 1: a column of bytes has another type"),
    ] {
        let no_lists = |name: &str, array: &ArrayRef| {
            Some(match name == column {
                true if column == "tags" => zeros(array),
                true => arrow_array::new_null_array(array.data_type(), array.len()),
                false => array.clone(),
            })
        };
        let error = error(&no_lists);
        assert!(error.contains(told), "{error}");
    }
    // A column of the games is named, also in a stream. Without most of them it is an Arrow file
    // like any other.
    let without = |name: &str, array: &ArrayRef| {
        (!["movetext", "checks"].contains(&name)).then(|| array.clone())
    };
    let told = "without columns of its games (movetext, checks): write it with these columns";
    for stream in [false, true] {
        let error = open(&filtered(&file, stream, without)).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    let error = error(&|name, array| ["white", "flags"].contains(&name).then(|| array.clone()));
    assert!(error.contains("not a game table: it has no column input"), "{error}");
}

/// Counts the panics of this thread while `run` runs, also those that are caught. Those of other
/// threads are reported as usual.
fn panics_of(run: impl FnOnce()) -> usize {
    let thread = std::thread::current().id();
    let usual = Arc::new(std::panic::take_hook());
    let others = Arc::clone(&usual);
    let (sender, panics) = mpsc::channel();
    std::panic::set_hook(Box::new(move |info| match std::thread::current().id() == thread {
        true => drop(sender.send(())),
        false => others(info),
    }));
    run();
    std::panic::set_hook(Box::new(move |info| usual(info)));
    panics.try_iter().count()
}

/// The library of Arrow does not panic, and so writes nothing to standard error, whatever the
/// metadata of a table says that another program has written.
#[test]
fn damaged_metadata_of_tables_that_were_written_anew_panics_nowhere() {
    let file = pack(&corpus("special.pgn"));
    let needed = |name: &str| NEEDED.iter().any(|column| column.name() == name);
    let arrow = |name: &str, array: &ArrayRef| needed(name).then(|| array.clone());
    let polars = |name: &str, array: &ArrayRef| needed(name).then(|| as_polars(array));
    let mut random = 1u64;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % limit
    };
    for stream in [false, true] {
        for bytes in [filtered(&file, stream, arrow), filtered(&file, stream, polars)] {
            assert!(open(&bytes).unwrap().is_rewritten());
            let metadata = metadata_of(&bytes, stream);
            let mut damaged = bytes.clone();
            let (mut refused, mut tries) = (0, 0);
            let panics = panics_of(|| {
                for _ in 0..1500 {
                    let range = metadata[next(metadata.len())].clone();
                    // Half of the changes are to numbers of eight bytes, as offsets and lengths.
                    let at = range.start + next(range.len() - 8);
                    let at = if next(2) == 0 { at } else { at.next_multiple_of(8) };
                    let width = if at % 8 == 0 { 8 } else { 1 };
                    let place = at..(at + width).min(range.end);
                    match next(4) {
                        0 => damaged[at] ^= 1 << next(8),
                        1 => damaged[place.clone()].fill(0xff),
                        2 => damaged[place.clone()].fill(0x7f),
                        _ => damaged[at] = next(256) as u8,
                    }
                    tries += 1;
                    refused += usize::from(open(&damaged).is_err());
                    damaged[place.clone()].copy_from_slice(&bytes[place]);
                }
            });
            assert_eq!(panics, 0, "stream: {stream}");
            assert!(refused * 10 > tries, "{refused} of {tries}");
        }
    }
}

/// The ranges of the metadata of the messages of a file or a stream, and of the footer of a file.
fn metadata_of(bytes: &[u8], stream: bool) -> Vec<std::ops::Range<usize>> {
    if stream {
        let messages = &bytes[..bytes.len() - crate::frame::END.len()];
        let messages = crate::frame::messages(messages).unwrap();
        return messages.into_iter().map(|(metadata, _)| metadata).collect();
    }
    let footer = crate::frame::footer_range(bytes).unwrap();
    let lists = arrow_ipc::root_as_footer(&bytes[footer.clone()]).unwrap();
    let blocks = lists.dictionaries().into_iter().flatten();
    let blocks = blocks.chain(lists.recordBatches().into_iter().flatten());
    let range = |block: &arrow_ipc::Block| {
        let start = block.offset() as usize;
        start..start + block.metaDataLength() as usize
    };
    blocks.map(range).chain([footer]).collect()
}

#[test]
fn tables_of_other_versions_are_refused() {
    for (version, writer) in [("1", "babson 0.1"), ("9", "babson 9")] {
        let field = arrow_schema::Field::new("a", arrow_schema::DataType::Int32, true);
        let metadata = [("babson.table.version", version), ("babson.table.writer", writer)];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let schema = arrow_schema::Schema::new(vec![field])
            .with_metadata(std::collections::HashMap::from(metadata));
        let mut file = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
        file.finish().unwrap();
        let error = open(&file.into_inner().unwrap()).unwrap_err().to_string();
        assert!(error.contains(&format!("version {version} of the schema")), "{error}");
        assert!(error.contains("reads version 3") && error.contains(writer), "{error}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full(usize);
    impl io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let room = self.0.min(bytes.len());
            self.0 -= room;
            if room == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(room) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let length = table_of(&rows, Compression::None).len();
    for room in (0..length).step_by(1000) {
        let mut writer = TableWriter::new(Cursor::new(Vec::new()), "");
        writer.append(&rows[0]).unwrap();
        let error = writer.finish(Full(room), Compression::None).unwrap_err();
        assert!(matches!(error, WriteError::Io(_)), "{error}");
    }
}

/// Any moves and checks can be replayed or are refused.
#[test]
fn any_codes_can_be_replayed() {
    let mut reader = Reader::new();
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut moves = Vec::new();
        for _ in 0..6 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            moves.push((state >> 40) as u16);
        }
        let coded = CodedGame {
            tags: b"",
            usual_start: true,
            moves: &moves,
            checks: &[state],
            result: None,
        };
        let _ = reader.replay_if(&coded, Needs::ALL, |_| true);
    }
}
