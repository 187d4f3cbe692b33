//! All ways to run a query agree: a search, a scan, a matcher in a loop.

use std::ops::ControlFlow;
use std::path::Path;

use babson::files::InputError;
use babson::pgn::{Games, Needs, Reader};
use babson::{Event, Hit, Input, Match, Matcher, Query, Scan, Search, SearchError, Task};

const fn is_shared<T: Send + Sync + Clone>() {}
const fn is_sent<T: Send>() {}
const _: () = is_shared::<Query>();
const _: () = is_sent::<Matcher<'static>>();
const _: () = is_sent::<Search<'static, &'static [u8]>>();

fn corpus(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name);
    std::fs::read(path).unwrap()
}

/// The first half of a megabyte of the demo database, to the end of a game.
fn games() -> Vec<u8> {
    let mut games = corpus("masters-2k.pgn");
    let end = babson::pgn::find_boundary(&games, 400_000).unwrap();
    games.truncate(end);
    games
}

const QUERIES: [&str; 9] = [
    "mate",
    "cql(gamenumber 20 300 variations) check comment(\"here\")",
    "cql(matchcount 3 5) Q attacks k",
    "sort \"pieces\" #[Aa] mate",
    "sort min \"year\" year sort max \"pieces\" #a terminal #Q == 1",
    "persistent $n += 1 result 1-0 $n % 7 == 0",
    "line --> check --> check --> check",
    "player \"Ka\"",
    "flip {K attacks a8 comment(K)}",
];

fn by_matcher(query: &Query, games: &[u8]) -> Vec<Match> {
    let mut matcher = query.matcher();
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for (offset, text) in Games::new(games) {
        let game = reader.read(text, Needs::ALL);
        if let Some(hit) = matcher.run(&game).unwrap() {
            let mut row = hit.row();
            row.origin.offset = offset as u64;
            found.push(row);
        }
    }
    found
}

fn by_scan(query: &Query, games: &[u8], threads: usize) -> Vec<Match> {
    let scan = Scan::of([Input::bytes("", games)]).query(query).threads(threads);
    let mut scan = scan.start().unwrap();
    let mut found = Vec::new();
    for event in scan.by_ref() {
        if let Event::Match { hit, .. } = event {
            found.push(hit);
        }
    }
    scan.finish().unwrap();
    found
}

#[test]
fn all_ways_to_run_a_query_agree() {
    let games = games();
    for text in QUERIES {
        let query = Query::compile(text).unwrap();
        let search = query.search(games.as_slice()).sorted(false);
        let found: Vec<Match> = search.map(Result::unwrap).collect();
        assert!(!found.is_empty(), "{text}");
        assert_eq!(by_matcher(&query, &games), found, "{text}");
        for threads in [1, 3] {
            assert_eq!(by_scan(&query, &games, threads), found, "{text}");
        }
    }
}

/// `for_each_hit` finds the same matches as the rows of an unsorted search, in the same order.
#[test]
fn hits_are_the_matches_of_a_search() {
    let games = games();
    for text in QUERIES {
        let query = Query::compile(text).unwrap();
        let search = || query.search(games.as_slice()).name("games").limit(20);
        let rows: Vec<Match> = search().sorted(false).map(Result::unwrap).collect();
        let (mut found, mut other) = (Vec::new(), search());
        let flow = other.for_each_hit(|hit| match hit {
            Ok(hit) => {
                found.push((hit.row(), hit.number(), hit.positions().len(), hit.game().len()));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        assert!(flow.is_continue());
        assert_eq!(
            found.iter().map(|hit| &hit.0).collect::<Vec<_>>(),
            rows.iter().collect::<Vec<_>>()
        );
        assert!(found.iter().all(|(row, number, positions, _)| {
            (row.game, row.positions.len()) == (*number, *positions)
        }));
        assert_eq!(other.counts().matches, rows.len() as u64);
    }
    // Errors come between the matches; a break ends the search, which can go on.
    let query = Query::builder("while (gamenumber % 3 == 2) {true}").steps(1000);
    let query = query.compile().unwrap();
    let mut search = query.search(games.as_slice()).limit(20);
    let mut seen = Vec::new();
    let flow = search.for_each_hit(|item: Result<Hit<'_>, SearchError>| {
        seen.push(item.map(|hit| hit.number()).map_err(|error| error.to_string()));
        if seen.len() == 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(flow.is_break());
    assert!(search.next().unwrap().is_err());
    let oks: Vec<bool> = seen.iter().map(Result::is_ok).collect();
    assert_eq!(oks, [true, false, true, true], "{seen:?}");
}

/// Sinks get sorted matches, as a search does.
#[test]
fn sorted_matches_agree() {
    let games = games();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.jsonl");
    for text in QUERIES {
        let query = Query::compile(text).unwrap();
        let found: Vec<Match> =
            query.search(games.as_slice()).limit(5).map(Result::unwrap).collect();
        let task = Task::new(&query).limit(5).sink(babson::FileSink::jsonl(&out));
        Scan::of([Input::bytes("", games.as_slice())]).task(task).run().unwrap();
        let lines = std::fs::read_to_string(&out).unwrap();
        let rows: Vec<Match> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows, found, "{text}");
    }
}

fn compressed(games: &[u8], format: &str) -> Vec<u8> {
    use std::io::Write;

    match format {
        "gz" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(games).unwrap();
            encoder.finish().unwrap()
        }
        "bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), Default::default());
            encoder.write_all(games).unwrap();
            encoder.finish().unwrap()
        }
        "xz" => {
            let options = lzma_rust2::XzOptions::with_preset(1);
            let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
            encoder.write_all(games).unwrap();
            encoder.finish().unwrap()
        }
        "zst" => zstd::encode_all(games, 1).unwrap(),
        other => panic!("{other}"),
    }
}

/// Whole, cut, and followed by a second stream, however few bytes the reader gives.
#[test]
fn compressed_games_agree() {
    let mut games = games();
    let end = babson::pgn::find_boundary(&games, 40_000).unwrap();
    games.truncate(end);
    let query = Query::compile("check").unwrap();
    let searched = |bytes: &[u8], step: usize| {
        let reader = Slow { text: bytes, step };
        let found: Vec<_> = query.search(reader).map(|hit| hit.map_err(|_| ())).collect();
        found
    };
    let plain = searched(&games, 4096);
    assert!(plain.len() > 10 && plain.iter().all(Result::is_ok));
    for format in ["gz", "bz2", "xz", "zst"] {
        let whole = compressed(&games, format);
        for step in [1, 13, 4096] {
            assert_eq!(searched(&whole, step), plain, "{format}");
        }
        let second = compressed(b"[White \"last\"]\n\n1. e4 f6 2. Nc3 g5 3. Qh5# 1-0\n", format);
        let more = searched(&[&whole[..], &second].concat(), 4096);
        assert_eq!(more.len(), plain.len() + 1, "{format}");
        let cut = &whole[..whole.len() - 9];
        let mut scan = Scan::of([Input::bytes("", cut)]).query(&query).start().unwrap();
        let before: Vec<_> = scan
            .by_ref()
            .filter_map(|event| match event {
                Event::Match { hit, .. } => Some(Ok(hit)),
                _ => None,
            })
            .collect();
        match scan.finish() {
            Ok(summary) => assert_eq!(summary.broken_inputs.len(), 1, "{format}"),
            // Not one game can be read.
            Err(babson::Error::Input(InputError::Decompress { .. })) => {
                assert!(before.is_empty(), "{format}")
            }
            Err(error) => panic!("{format}: {error}"),
        }
        let mut found = searched(cut, 13);
        assert_eq!(found.pop(), Some(Err(())), "{format}");
        assert_eq!(found, before, "{format}");
    }
    for (name, bytes) in [("a zip archive", &b"PK\x03\x04"[..]), ("an Arrow file", b"ARROW1\0\0")] {
        let error = query.search(bytes).next().unwrap().unwrap_err().to_string();
        assert!(
            error.contains(name) && error.ends_with("babson::Scan reads such files"),
            "{error}"
        );
    }
}

/// In the outputs of CQL 6.2, damaged text is a comment, whoever has read the game.
#[test]
fn damaged_games_of_cql_6_agree() {
    let games = b"[White \"a\"]\n\n1. e4 e5 {x} 2. Ke5 Nf6 *\n";
    for text in ["true", "originalcomment \"Ke5\"", "originalcomment \"x\" #p"] {
        let query = Query::builder(text).dialect(babson::Dialect::CQL6).compile().unwrap();
        let mut found = Vec::new();
        let flow = query.search(&games[..]).for_each_hit(|hit| {
            found.push(hit.map(|hit| hit.pgn()).map_err(|error| error.to_string()));
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue());
        for needs in [Needs::TAGS, Needs::ALL] {
            let (mut matcher, mut reader) = (query.matcher(), Reader::new());
            let hit = matcher.run(&reader.read(games, needs)).unwrap();
            let pgn: Vec<_> = hit.map(|hit| Ok(hit.pgn())).into_iter().collect();
            assert_eq!(pgn, found, "{text}");
        }
    }
}

/// A reader may give as few bytes at a time as it likes.
#[test]
fn damage_agrees() {
    let mut games = b"\xef\xbb\xbf1. e4 Ke5 *\n\n".to_vec();
    games.extend(corpus("masters-2k.pgn").into_iter().take(30_000));
    games.extend(
        b"\n\n[Event \"x\"]\r\n\r\n1. e4 {open\n\n[Event \"y\"]\n\n1. O-O 0-1 1. d4 d6 *\n",
    );
    check_damage(&games, 3);
    // Lines that end otherwise.
    check_damage(b"[White \"a\"]\r\n\r\r1. e4 e4 *\n", 1);
    let ends: [&[u8]; 3] = [b"\n", b"\r\n", b"\r"];
    let lines = games.split(|&byte| byte == b'\n').enumerate();
    let mixed: Vec<u8> =
        lines.flat_map(|(at, line)| [line, ends[at / 5 % 3]]).flatten().copied().collect();
    check_damage(&mixed, 3);
    let returns: Vec<u8> =
        games.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    check_damage(&returns, 1);
}

fn check_damage(games: &[u8], least: usize) {
    for text in [
        "cql(variations) check or Pd4",
        "cql(variations) message \"seen\" check or Pd4",
        "cql(variations) check assert gamenumber != 7",
    ] {
        // The last one ends at the seventh game.
        let least = if text.contains("assert") { 1 } else { least };
        check_damage_of(&Query::compile(text).unwrap(), games, least);
    }
}

/// The events, with the messages that follow one another joined: how many games one such event has
/// depends on the chunks of the scan.
fn joined(events: impl Iterator<Item = Event>) -> Vec<Event> {
    let mut all: Vec<Event> = Vec::new();
    for event in events {
        if let (Some(Event::Message { lines, .. }), Event::Message { lines: more, .. }) =
            (all.last_mut(), &event)
        {
            lines.extend_from_slice(more);
        } else {
            all.push(event);
        }
    }
    all
}

fn check_damage_of(query: &Query, games: &[u8], least: usize) {
    let name = "stream";
    let mut scan = Scan::of([Input::bytes(name, games)]).query(query).start().unwrap();
    let wanted = joined(scan.by_ref().filter(|event| !matches!(event, Event::Progress(_))));
    scan.finish().unwrap();
    let is_damage = |event: &&Event| matches!(event, Event::Damaged(_) | Event::Noted(_));
    assert!(wanted.iter().filter(is_damage).count() >= least);
    for step in [1, 13, 4096] {
        let reader = Slow { text: games, step };
        let search = query.search(reader).name(name);
        assert_eq!(joined(search.events().map(Result::unwrap)), wanted, "{step}");
    }
}

struct Slow<'t> {
    text: &'t [u8],
    step: usize,
}

impl std::io::Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let end = self.step.min(buffer.len());
        self.text.read(&mut buffer[..end])
    }
}

#[test]
fn two_matchers_at_once() {
    let games = games();
    let query = Query::compile("persistent $n += 1 mate").unwrap();
    let wanted = by_matcher(&query, &games);
    std::thread::scope(|scope| {
        let threads = [0; 2].map(|_| scope.spawn(|| by_matcher(&query.clone(), &games)));
        for thread in threads {
            assert_eq!(thread.join().unwrap(), wanted);
        }
    });
}

#[test]
fn a_summary_is_json() {
    let query = Query::compile("assert gamenumber < 2").unwrap();
    let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(3);
    let summary = Scan::of([Input::bytes("", games.as_bytes())]).query(&query).run().unwrap();
    let json = serde_json::to_string(&summary).unwrap();
    assert!(json.contains(r#""stopped":{"game":2,"message":"the assertion"#), "{json}");
    assert_eq!(serde_json::from_str::<babson::Summary>(&json).unwrap(), summary);
}
