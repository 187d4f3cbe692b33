use std::ops::Range;

use babson_vm::run::MAX_GAME;

use super::*;

/// The white players and the places of the games, or the reports of those that cannot be read.
fn told(input: &Input) -> Vec<String> {
    let mut reader = Reader::new();
    let tell = |game: Result<InputGame, InputError>| match game {
        Ok(game) => match game.read(&mut reader, Needs::ALL) {
            Ok(read) => {
                let Origin { input, number, offset, .. } = game.origin();
                let (plies, line) = (read.main_line_len() - 1, game.line());
                let white = String::from_utf8_lossy(read.tag(b"White").unwrap_or_default());
                format!("{}: {white} {plies} {input} {number} {offset} {line}", game.number())
            }
            Err(damage) => damage.to_string(),
        },
        Err(error) => error.to_string(),
    };
    input.games().map(tell).collect()
}

const GAMES: &[u8] = b"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 d5 *\n";
const TOLD: [&str; 2] = ["1: Ann 1 a.pgn 1 0 1", "2: Bob 2 a.pgn 2 24 5"];

#[test]
fn the_games_of_a_text() {
    assert_eq!(told(&Input::bytes("a.pgn", GAMES)), TOLD);
    assert_eq!(told(&Input::reader("a.pgn", GAMES)), TOLD);
    let [error] = &told(&Input::bytes("a.pgn", *b"no games"))[..] else { panic!("one error") };
    assert!(error.starts_with("cannot read a.pgn: "), "{error}");
}

#[test]
fn an_overlong_game_is_told_when_it_is_read() {
    let mut text = b"[White \"Ann\"]\n\n1. e4 {".to_vec();
    text.resize(MAX_GAME + 10, b'x');
    text.extend_from_slice(b"} *\n\n[White \"Bob\"]\n\n1. d4 d5 *\n");
    let told = told(&Input::bytes("a.pgn", text));
    assert!(told.len() == 2 && told[0].starts_with("a.pgn:1: game 1: "), "{told:?}");
    assert!(told[1].starts_with("2: Bob 2 a.pgn 2 "), "{told:?}");
}

#[cfg(feature = "gzip")]
#[test]
fn a_compressed_input_that_ends_early_gives_its_games_first() {
    use std::io::Write;

    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(GAMES).unwrap();
    let whole = encoder.finish().unwrap();
    assert_eq!(told(&Input::bytes("a.pgn", whole.clone())), TOLD);
    let told = told(&Input::bytes("a.pgn", &whole[..whole.len() - 8]));
    assert!(told.len() == 3 && told[..1] == TOLD[..1], "{told:?}");
    assert!(told[2].starts_with("cannot decompress a.pgn: "), "{told:?}");
}

/// A table of [`GAMES`].
#[cfg(feature = "table")]
fn table() -> Vec<u8> {
    use babson_table::{Compression, GameOrigin, Rows, TableWriter};

    let mut writer = TableWriter::new(std::io::Cursor::new(Vec::new()), "test");
    let (mut reader, mut rows) = (Reader::new(), Rows::default());
    for game in Input::bytes("a.pgn", GAMES).games().map(Result::unwrap) {
        let (at, line) = (game.origin(), game.line());
        let read = game.read(&mut reader, Needs::ALL).unwrap();
        let origin = GameOrigin {
            input: "a.pgn",
            number: at.number,
            offset: at.offset,
            length: read.text().len() as u64,
            line,
        };
        rows.add(&read, origin);
    }
    writer.append(&rows).unwrap();
    let mut table = Vec::new();
    writer.finish(&mut table, Compression::None).unwrap();
    table
}

#[cfg(feature = "table")]
#[test]
fn the_games_of_a_table_keep_their_places() {
    assert_eq!(told(&Input::bytes("games.arrow", table())), TOLD);
}

/// The last game that is wanted may be any number. The chunk begins within the table.
#[cfg(feature = "table")]
#[test]
fn rows_end_at_the_last_game_that_is_wanted() {
    let inputs = [Input::bytes("games.arrow", table())];
    for last in [0, u64::MAX - 1, u64::MAX] {
        let mut cutter = Cutter::new(&inputs, 1).with_ranges(vec![Range { start: 1, end: 2 }]);
        let cut = cutter.next().unwrap().map_err(|error| error.error).unwrap();
        let mut chunk = Chunk::of(cut, &RowChoice::All).unwrap();
        chunk.start.game = 0;
        chunk.end_at(last);
        assert_eq!(chunk.games(), 1, "{last}");
    }
}
