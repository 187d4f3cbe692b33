use std::io::{self, Read};
use std::ops::ControlFlow;

use babson_vm::run::{GameStream, MAX_GAME};

use super::*;
use crate::Event;

const GAMES: &[u8] = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";

/// Gives a text in small pieces and then fails.
struct Failing<'t> {
    text: &'t [u8],
    step: usize,
    fails: bool,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text.is_empty() && self.fails {
            return Err(io::Error::other("the line went dead"));
        }
        let step = self.step.min(buffer.len());
        self.text.by_ref().take(step as u64).read(buffer)
    }
}

fn query(text: &str) -> Query {
    Query::compile(text).unwrap()
}

fn numbers(text: &str, games: &[u8]) -> Vec<Result<u64, String>> {
    let query = query(text);
    let items = query.search(games);
    items.map(|item| item.map(|hit| hit.game).map_err(|error| error.to_string())).collect()
}

#[test]
fn an_error_that_ends_the_run_ends_the_search() {
    let found = numbers("assert gamenumber<2", GAMES);
    assert_eq!(found[0], Ok(1));
    assert!(found[1].as_ref().unwrap_err().starts_with("game 2: the assertion"), "{found:?}");
    assert_eq!(found.len(), 2);
    let found = numbers("cqlbegin { assert false } true", GAMES);
    assert!(found.len() == 1 && found[0].is_err(), "{found:?}");
    let found = numbers("cqlend { assert false } true", GAMES);
    assert!(found.len() == 3 && found[2].is_err(), "{found:?}");
}

#[test]
fn an_error_of_a_game_is_an_item() {
    let endless = "while (gamenumber == 1) {true}";
    let query = Query::builder(endless).steps(1000).compile().unwrap();
    let mut search = query.search(GAMES);
    let Some(Err(SearchError::Runtime { game: Some(1), error })) = search.next() else {
        panic!("no error")
    };
    assert!(!error.fatal);
    assert_eq!(search.next().unwrap().unwrap().game, 2);
    assert!(search.next().is_none());
    let counts = search.counts();
    assert_eq!((counts.games, counts.matches, counts.failed), (2, 1, 1));
}

#[test]
fn a_query_without_end_stops_after_some_games() {
    let query = Query::builder("while (true) {true}").steps(100).compile().unwrap();
    let games = GAMES.repeat(50);
    let last = query.search(games.as_slice()).last().unwrap().unwrap_err();
    assert!(last.to_string().ends_with("by 20 games in a row"), "{last}");
    let SearchError::Runtime { game: Some(20), error } = last else { panic!("{last}") };
    assert!(error.fatal);
}

#[test]
fn a_reader_that_fails_midway_loses_no_game() {
    for step in [1, 7, 1000] {
        let query = query("true");
        let items: Vec<_> = query.search(Failing { text: GAMES, step, fails: true }).collect();
        let games: Vec<_> =
            items.iter().flatten().map(|hit| (hit.game, hit.origin.offset)).collect();
        assert_eq!(games, [(1, 0), (2, 22)]);
        let error = items[2].as_ref().unwrap_err();
        assert_eq!(error.to_string(), "cannot read after game 2: the line went dead");
        assert_eq!(items.len(), 3);
    }
}

/// A game is searched when the next one begins.
#[test]
fn a_live_stream_is_searched_as_it_comes() {
    let mut reader = Failing { text: GAMES, step: 36, fails: true };
    let mut stream = GameStream::new(&mut reader);
    assert_eq!(stream.next_game().unwrap().map(|game| game.text.len()), Some(22));
    // The second game was not read to its end.
    assert_eq!(reader.text.len(), GAMES.len() - 36);
    let query = query("true");
    let mut search = query.search(Failing { text: GAMES, step: 36, fails: true });
    assert_eq!(search.next().unwrap().unwrap().game, 1);
}

#[test]
fn the_header_counts() {
    let games = GAMES.repeat(3);
    assert_eq!(numbers("cql(gamenumber 3 5) Pd4", &games), [Ok(4)]);
    let query = query("cql(gamenumber 3 5) true");
    let mut search = query.search(games.as_slice());
    assert_eq!(search.by_ref().count(), 3);
    assert_eq!(search.counts().games, 5);
    assert_eq!(numbers("cql(matchcount 2 10) true", GAMES), [Ok(1), Ok(2)]);
    assert_eq!(numbers("cql(matchcount 3 10) true", GAMES), []);
}

#[test]
fn sorted_matches_come_at_the_end() {
    let query = query("sort gamenumber initial message quiet(gamenumber) true");
    let games = GAMES.repeat(2);
    let search = || query.search(games.as_slice());
    let of = |search: Search<'_, _>| -> Vec<u64> { search.map(|hit| hit.unwrap().game).collect() };
    assert_eq!(of(search()), [4, 3, 2, 1]);
    assert_eq!(of(search().limit(3)), [3, 2, 1]);
    assert_eq!(of(search().sorted(false)), [1, 2, 3, 4]);
    assert!(of(search().limit(0)).is_empty());
}

/// The matches that the iterator has found before are not lost.
#[test]
fn hits_leave_the_sorted_matches_to_the_iterator() {
    let query = query("sort gamenumber initial true");
    let games = GAMES.repeat(2);
    let mut search = query.search(games.as_slice());
    assert_eq!(search.next().unwrap().unwrap().game, 4);
    let flow = search.for_each_hit(|_| ControlFlow::Break(()));
    assert!(flow.is_continue());
    assert_eq!(search.map(|hit| hit.unwrap().game).collect::<Vec<_>>(), [3, 2, 1]);
}

#[test]
fn damaged_games_are_reported() {
    let games = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e4\nKe4 e5 *\n";
    let query = query("Pe4");
    let mut search = query.search(&games[..]).name("live");
    assert_eq!(search.by_ref().map(|hit| hit.unwrap().game).collect::<Vec<_>>(), [1, 2]);
    let [damaged] = search.damaged() else { panic!("{:?}", search.damaged()) };
    assert_eq!((damaged.line, damaged.game, damaged.text.as_slice()), (8, 2, &b"Ke4"[..]));
    assert!(damaged.to_string().starts_with("live:8: game 2: "), "{damaged}");
    let events: Vec<Event> = query.search(&games[..]).events().map(Result::unwrap).collect();
    let kinds: Vec<_> = events.iter().map(|event| matches!(event, Event::Damaged(_))).collect();
    assert_eq!(kinds, [false, false, true]);
}

#[test]
fn messages_are_events() {
    let query = query(
        "cqlbegin {message \"a\"} cqlend {message \"z\"} initial message quiet(gamenumber) false",
    );
    let events = query.search(GAMES).events().map(Result::unwrap);
    let lines = events.map(|event| {
        let Event::Message { lines, .. } = event else { panic!("{event:?}") };
        String::from_utf8(lines).unwrap()
    });
    assert_eq!(lines.collect::<Vec<_>>(), ["a\n", "1\n", "2\n", "z\n"]);
}

#[test]
fn the_number_of_the_last_game_is_not_known() {
    let query = query("gamenumber == lastgamenumber");
    let error = query.search(GAMES).next().unwrap().unwrap_err();
    assert!(matches!(error, SearchError::UnknownLastNumber), "{error}");
    let mut search = query.search(GAMES).last_number(2);
    assert_eq!(search.next().unwrap().unwrap().game, 2);
}

/// Every format of the table, also if the reader gives few bytes at a time.
#[test]
fn what_is_not_text_is_refused() {
    let mut tar = vec![b'a'; 600];
    tar[257..262].copy_from_slice(b"ustar");
    let with_games = [&tar[..], b"\n\n", GAMES].concat();
    #[cfg(not(feature = "engine"))]
    for (first, told) in [
        (&b"\x1f\x8b\x08\x00\x00"[..], "compressed with gzip: babson::Scan reads"),
        (b"\x28\xb5\x2f\xfd", "compressed with zstd: babson::Scan reads"),
        (b"BZh91AY&SY", "compressed with bzip2: babson::Scan reads"),
        (b"\xfd7zXZ\0", "compressed with xz: babson::Scan reads"),
    ] {
        let error = query("true").search(first).next().unwrap().unwrap_err();
        assert!(error.to_string().contains(&format!("the text is {told}")), "{error}");
    }
    for (first, told) in [
        (&b"PK\x03\x04\n\n[Event \"a\"]\n"[..], "a zip archive: babson::Scan reads"),
        (b"ARROW1\0\0", "an Arrow file, as game tables are: babson::Scan reads"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        (b"\xff\xfe[\0", "UTF-16, not UTF-8"),
        (&with_games, "a tar archive"),
    ] {
        for step in [1, 7, usize::MAX] {
            let query = query("true");
            let mut search = query.search(Failing { text: first, step, fails: false });
            let error = search.next().unwrap().unwrap_err();
            assert!(error.to_string().contains(&format!("the text is {told}")), "{error}");
            assert!(search.next().is_none());
        }
    }
}

#[test]
fn a_text_without_games_is_refused() {
    assert_eq!(numbers("true", b""), []);
    assert_eq!(numbers("true", b"\n \n"), []);
    for text in [&b"\x28"[..], b"<html>not found</html>", b"{\"white\": \"Adams\"}", b"Prose.\n"] {
        let query = query("true");
        let mut search = query.search(text);
        let error = search.next().unwrap().unwrap_err();
        assert!(error.to_string().contains("it is not PGN: it has neither a tag"), "{error}");
        assert!(search.next().is_none());
    }
}

#[test]
fn a_game_that_is_too_long_is_skipped() {
    let words = " word\n".repeat(MAX_GAME / 6 + 10);
    let long = ["[Event \"b\"]\n\n{", &words, "} *\n\n"].concat();
    for step in [1 << 16, usize::MAX] {
        let games = [GAMES, long.as_bytes(), GAMES, long.as_bytes()].concat();
        let query = query("true");
        let mut search = query.search(Failing { text: &games, step, fails: false });
        let found: Vec<_> = search.by_ref().map(|hit| hit.unwrap()).collect();
        let found: Vec<_> = found.iter().map(|hit| (hit.game, hit.origin.offset)).collect();
        let after = (GAMES.len() + long.len()) as u64;
        assert_eq!(found, [(1, 0), (2, 22), (4, after), (5, after + 22)]);
        let damaged: Vec<_> = search.damaged().iter().map(|game| (game.game, game.line)).collect();
        let lines = (MAX_GAME / 6 + 10) as u64;
        assert_eq!(damaged, [(3, 8), (6, 8 + lines + 4 + 7)]);
    }
}
