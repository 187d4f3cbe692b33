mod afar;
mod damage;
mod games;
mod growth;
mod laws;
#[cfg(feature = "parquet")]
mod parquet_files;
mod rewritten;

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
use babson_pgn::{CodedGame, Game, GameFacts, GameFlags, GameHash, Games, Needs, Reader};
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

/// A writer with these rows.
fn writer_of(rows: &[Rows]) -> TableWriter<Cursor<Vec<u8>>> {
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "babson test");
    for rows in rows {
        writer.append(rows).unwrap();
    }
    writer
}

fn table_of(rows: &[Rows], compression: Compression) -> Vec<u8> {
    let writer = writer_of(rows);
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
            assert_eq!(batch.hashes()[row], GameHash::of(&game).0);
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
        assert!(error.contains("reads version 4") && error.contains(writer), "{error}");
    }
}

/// A disk with room for some bytes.
struct Full {
    room: usize,
    written: Vec<u8>,
}

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.room.min(bytes.len());
        self.room -= room;
        self.written.extend_from_slice(&bytes[..room]);
        if room == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(room) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let length = table_of(&rows, Compression::None).len();
    for room in (0..length).step_by(1000) {
        let mut writer = TableWriter::new(Cursor::new(Vec::new()), "");
        writer.append(&rows[0]).unwrap();
        let out = Full { room, written: Vec::new() };
        let error = writer.finish(out, Compression::None).unwrap_err();
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
