//! A table that is appended to is the table of all games.

use super::*;

/// The table with more rows.
fn after(table: &[u8], rows: &[Rows], compression: Compression) -> Result<Vec<u8>, WriteError> {
    let table = open(table)?;
    let mut writer = TableWriter::after(&table, Cursor::new(Vec::new()), "babson test")?;
    for rows in rows {
        writer.append(rows)?;
    }
    let mut file = Vec::new();
    let size = writer.finish(&mut file, compression)?;
    assert_eq!(size.bytes, file.len() as u64);
    Ok(file)
}

/// Games with names that come back and new ones, some with comments.
fn many_games(games: usize) -> Vec<u8> {
    let game = |number: usize| {
        let (white, black) = (number % 700, number % 33);
        let comment = if number.is_multiple_of(5) { "{text} " } else { "" };
        format!("[White \"W{white}\"]\n[Black \"B{black}\"]\n\n1. e4 {comment}e5 *\n\n")
    };
    (0..games).map(game).collect::<String>().into_bytes()
}

/// The rows before and after a number of rows.
fn split(rows: &Rows, at: usize) -> [Rows; 2] {
    let mut parts = [Rows::default(), Rows::default()];
    parts[0].append(rows, 0, at);
    parts[1].append(rows, at, rows.len());
    parts
}

#[test]
fn the_bytes_are_those_of_all_games() {
    let games = 2 * MAX_BATCH_ROWS + 300;
    let rows = &rows("a.pgn", &many_games(games), games)[0];
    let expected = table_of(std::slice::from_ref(rows), Compression::None);
    for at in [0, 1, MAX_BATCH_ROWS - 1, MAX_BATCH_ROWS, MAX_BATCH_ROWS + 7, 2 * MAX_BATCH_ROWS + 1]
    {
        let [first, second] = split(rows, at);
        let table = table_of(&[first], Compression::None);
        assert!(after(&table, &[second], Compression::None).unwrap() == expected, "after {at}");
    }
    open(&expected).unwrap().verify().unwrap();
    assert!(after(&expected, &[], Compression::None).unwrap() == expected);
}

/// All kinds of games and texts, one file after the other.
#[test]
fn tables_grow_file_by_file() {
    let mut table = table_of(&[], Compression::None);
    let mut all: Vec<Rows> = Vec::new();
    for name in FILES {
        let rows = rows(name, &corpus(name), 1000);
        table = after(&table, &rows, Compression::None).unwrap();
        all.extend(rows);
        assert!(table == table_of(&all, Compression::None), "{name}");
    }
}

#[cfg(feature = "zstd")]
#[test]
fn the_compression_may_change() {
    let games = 2 * MAX_BATCH_ROWS + 300;
    let rows = &rows("a.pgn", &many_games(games), games)[0];
    let [first, second] = split(rows, MAX_BATCH_ROWS + 7);
    let second = [second];
    let of_all = |compression| table_of(std::slice::from_ref(rows), compression);
    for old in [Compression::None, Compression::Zstd] {
        let table = table_of(std::slice::from_ref(&first), old);
        assert_eq!(open(&table).unwrap().compression(), Ok(old));
        for new in [Compression::None, Compression::Zstd] {
            assert!(after(&table, &second, new).unwrap() == of_all(new), "{old:?} {new:?}");
        }
    }
}

/// A column gets more texts than can be numbered: then all batches are written anew.
#[test]
fn a_column_of_names_becomes_plain() {
    let length = 1 << 20;
    let site = |number: usize| format!("{number:0>4}{}", "x".repeat(length - 4));
    let game = |number: usize| {
        format!("[Event \"E\"]\n[Site \"{}\"]\n[White \"W{number}\"]\n\n1. e4 *\n\n", site(number))
    };
    let distinct = limits::MAX_DISTINCT_BYTES / length - 1;
    let numbers = (0..40).map(|number| number % distinct).chain(distinct..distinct + 3);
    let pgn: Vec<String> = numbers.map(game).collect();
    let rows = |games: &[String]| rows("a.pgn", games.concat().as_bytes(), 1000);
    let table = table_of(&rows(&pgn[..40]), Compression::None);
    {
        let table = open(&table).unwrap();
        assert!(table.batches() > 1 && table.texts(Column::SITE).unwrap().is_numbered());
    }
    let all = self::rows("a.pgn", pgn.concat().as_bytes(), 1000).remove(0);
    let [_, new] = split(&all, 40);
    let longer = after(&table, &[new], Compression::None).unwrap();
    assert!(longer == table_of(&[all], Compression::None));
    let longer = open(&longer).unwrap();
    assert!(!longer.texts(Column::SITE).unwrap().is_numbered());
    assert!(longer.texts(Column::WHITE).unwrap().is_numbered());
    longer.verify().unwrap();
}

/// Damage is not given a new checksum.
#[test]
fn damage_is_kept_or_refused() {
    let rows = &rows("a.pgn", &many_games(MAX_BATCH_ROWS + 50), usize::MAX)[0];
    let sound = table_of(std::slice::from_ref(rows), Compression::None);
    let table = open(&sound).unwrap();
    let [first, last] = [0, 1].map(|batch| table.column_range(batch, Column::TAGS).start + 64);
    for (place, is_kept) in [(first, true), (last, false)] {
        let mut damaged = sound.clone();
        damaged[place] ^= 1;
        match after(&damaged, &split(rows, 10)[..1], Compression::None) {
            Ok(longer) => {
                assert!(is_kept);
                let error = open(&longer).unwrap().verify().unwrap_err().to_string();
                assert!(error.contains("batch 1") && error.contains("tags"), "{error}");
            }
            Err(error) => {
                assert!(!is_kept);
                assert!(matches!(error, WriteError::Base(TableError::Damaged(_))), "{error}");
            }
        }
    }
}

#[test]
fn other_tables_are_not_appended_to() {
    let rows = rows("a.pgn", b"1. e4 *", 10);
    let mut found = Rows::default();
    let origin = GameOrigin { input: "a.pgn", number: 1, offset: 0, length: 7, line: 1 };
    let hit = MatchRow { game: 1, ..MatchRow::default() };
    found.add_match(&Reader::new().read(b"1. e4 *", Needs::ALL), origin, hit);
    let query = MatchQuery { name: "mate".to_owned(), sorts: Vec::new() };
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "babson test").with_query(query);
    writer.append(&found).unwrap();
    let mut table = Vec::new();
    writer.finish(&mut table, Compression::None).unwrap();
    assert!(matches!(after(&table, &rows, Compression::None), Err(WriteError::OtherColumns)));
    let anew = rewritten::written_anew(&pack(b"1. e4 *"), true, false);
    assert!(matches!(after(&anew, &rows, Compression::None), Err(WriteError::Rewritten)));
}

/// What was written before an error is never taken for a table.
#[test]
fn a_growing_table_that_is_cut_is_refused() {
    let rows = rows("a.pgn", &corpus("special.pgn"), 100);
    let table = open(&pack(&many_games(MAX_BATCH_ROWS + 50))).unwrap();
    let longer = |room: usize| {
        let mut writer = TableWriter::after(&table, Cursor::new(Vec::new()), "").unwrap();
        writer.append(&rows[0]).unwrap();
        let mut out = Full { room, written: Vec::new() };
        let size = writer.finish(&mut out, Compression::None);
        (size, out.written)
    };
    let (size, file) = longer(usize::MAX);
    assert_eq!(size.unwrap().bytes, file.len() as u64);
    for room in (0..file.len()).step_by(file.len() / 29).chain([file.len() - 1]) {
        let (error, cut) = longer(room);
        assert!(matches!(error, Err(WriteError::Io(_))), "{error:?}");
        assert!(cut == file[..room] && open(&cut).is_err());
    }
}

/// The column of hashes has the hash of each game.
#[test]
fn equal_games_have_one_hash() {
    let pgn = b"[White \"A\"]\n\n1. e4 e5 *\n\n[White \"A\"]\n\n1. e2e4 {x} e5 1-0\n\n1. d4 *\n\n";
    let table = open(&pack(pgn)).unwrap();
    let batch = table.batch(0, ColumnSet::of(&[Column::HASH])).unwrap();
    let mut reader = Reader::new();
    let games = Games::new(pgn);
    let hashes = games.map(|(_, text)| GameHash::of(&reader.read(text, Needs::ALL)).0);
    assert!(batch.hashes().iter().copied().eq(hashes));
    assert!(batch.hashes()[0] == batch.hashes()[1] && batch.hashes()[1] != batch.hashes()[2]);
}
