//! Games come back from a table as they were packed.

use super::*;

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
        (batch.elos(Column::WHITE_ELO)[0], batch.present(Column::WHITE_ELO, 0..1)),
        (2100, None)
    );
    assert_eq!(batch.present(Column::BLACK_ELO, 0..1), Some(vec![0]));
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
