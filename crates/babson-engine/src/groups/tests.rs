use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};

use babson_lang::{Dialect, analyze};

use super::counter::TooManyGroups;
use super::*;
use crate::{
    Destination, FileFormat, FileSink, GroupSink, Input, Settings, SharedSink, Silent, Sink,
    SinkResult, Task, TextSlice, scan,
};

fn headings(list: &str) -> Result<Vec<String>, String> {
    let groups = GroupKeys::parse(list).map_err(|error| error.to_string())?;
    Ok(groups.headings().map(str::to_owned).collect())
}

fn job(query: &str) -> Job {
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap()
}

#[test]
fn lists() {
    for (list, parsed) in [
        ("year", vec!["year"]),
        ("ECO:1, Player,tag:Opening", vec!["ECO:1", "Player", "Opening"]),
        ("whiteelo/100,whiteelo,movenumber/10", vec!["whiteelo/100", "whiteelo", "movenumber/10"]),
        // The headings of the counters are theirs alone.
        ("tag:games,sort:share,white", vec!["tag:games", "sort:share", "white"]),
        ("\"sort:a, b\",sort:a/b", vec!["a, b", "a/b"]),
        ("tag:player,Player", vec!["tag:player", "Player"]),
        ("player,tag:Player", vec!["player", "tag:Player"]),
        ("tag:move,move,tag:Next,next", vec!["tag:move", "move", "tag:Next", "next"]),
        // A suffix in quotes belongs to the name.
        ("\"sort:pts/2\",sort:pts/2", vec!["pts/2", "sort:pts/2"]),
        ("sort:\"a, b\"/2 ,round/5,tag:Plies/10", vec!["a, b/2", "round/5", "Plies/10"]),
    ] {
        let parsed: Vec<String> = parsed.into_iter().map(str::to_owned).collect();
        assert_eq!(headings(list), Ok(parsed), "{list}");
    }
}

#[test]
fn the_keys_of_groups_are_those_of_the_schema() {
    for key in crate::GROUP_KEYS {
        assert_eq!(headings(key.name), Ok(vec![key.name.to_owned()]));
        let of_tag = headings(&format!("tag:{},{}", key.name, key.name));
        assert_eq!(of_tag, Ok(vec![format!("tag:{}", key.name), key.name.to_owned()]));
    }
}

#[test]
fn lists_with_errors() {
    for (list, part) in [
        ("", "the name of a key is missing; the keys are player, game,"),
        ("year,", "the name of a key is missing"),
        ("yaer", "'yaer' is not a key; did you mean year? the keys are player, game,"),
        ("players", "did you mean player?"),
        ("plyer", "did you mean player?"),
        ("Opening", "did you mean eco, or tag:Opening if the games have it?"),
        ("opening", "did you mean eco, or tag:Opening if the games have it?"),
        ("eco2", "did you mean eco:2?"),
        ("materialkey", "did you mean field:materialkey, with field("),
        ("eco:4", "'eco:4' is not a key; did you mean eco:1, eco:2 or eco:3?"),
        ("eco:", "did you mean eco:1, eco:2 or eco:3?"),
        ("eco:N", "did you mean eco:1, eco:2 or eco:3?"),
        ("tag", "did you mean tag:NAME, for instance tag:Opening?"),
        ("sort:", "did you mean sort:NAME, with the name of a sort of the query?"),
        ("tags:Opening", "did you mean tag:Opening?"),
        ("feild:points", "did you mean field:points?"),
        ("year/0", "'year/0': a whole number from 1 on stands after the slash, as in year/10"),
        ("ply/x", "'ply/x': a whole number from 1 on stands after the slash, as in ply/10"),
        ("white_elo/", "as in white_elo/10"),
        ("next/0", "next/0: the values of next are not numbers"),
        ("eco/x", "eco/x: the values of eco are not numbers"),
        ("year,eco,year", "the key year is named twice"),
        ("year/10,year/010", "the key year/010 is named twice"),
        ("\"year", "a quote is never closed"),
        ("\"year\"/0", "'/0' comes after the quotes of a name"),
        ("\"year\"a/2", "'a/2' comes after the quotes of a name"),
        ("Player/10", "Player/10: the values of Player are not numbers, and /N rounds numbers"),
        ("year,white/10", "the values of white are not numbers"),
        ("tag:Result/2", "the values of tag:Result are not numbers"),
        ("date/2", "the values of date are not numbers"),
        ("query/5", "the values of query are not numbers"),
        ("eco:1/5", "the values of eco:1 are not numbers"),
        ("next.san/5", "the values of next.san are not numbers"),
    ] {
        let error = headings(list).unwrap_err();
        let error = error.replace("?; the keys", "? the keys");
        assert!(error.contains(part), "{list}: {error}");
    }
    let error = headings("x").unwrap_err();
    assert!(error.ends_with("with /N a number is rounded down to a multiple of N"), "{error}");
}

/// Keys of the position and of the game together, and two keys of the position.
#[test]
fn a_group_has_the_keys_of_one_position() {
    let keys = |query: &str, list: &str| {
        let rows: Vec<String> = lines(&table(query, list))[1..].to_vec();
        let key = |row: String| row.split(' ').take(2).collect::<Vec<_>>().join(" ");
        rows.into_iter().map(key).collect::<Vec<_>>()
    };
    assert_eq!(
        keys("ply <= 1", "next,decade"),
        [
            "c5 (none)",
            "d4 (none)",
            "d5 (none)",
            "e4 (none)",
            "e4 1990",
            "e5 1990",
            "e5 2000",
            "f3 2000"
        ]
    );
    assert_eq!(keys("ply == 1", "move,next"), ["d4 d5", "e4 c5", "e4 e5", "f3 e5"]);
}

#[test]
fn names_are_those_of_the_query() {
    let names = ColumnNames::of([&job("sort \"moves\" ply field(\"f\" ply)").program]);
    GroupKeys::parse("sort:moves/10,field:f").unwrap().check(&names).unwrap();
    let names_slash = ColumnNames::of([&job("sort \"moves/2\" ply").program]);
    GroupKeys::parse("\"sort:moves/2\"").unwrap().check(&names_slash).unwrap();
    GroupKeys::parse("sort:\"moves/2\"/10").unwrap().check(&names_slash).unwrap();
    let error = |list| GroupKeys::parse(list).unwrap().check(&names).unwrap_err().to_string();
    assert_eq!(
        error("sort:move"),
        "no query has a sort key called move; did you mean moves? there is moves"
    );
    assert_eq!(error("field:g"), "no query has a field called g; there is f");
}

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"1999.05.01\"]\n[ECO \"C50\"]\n\
    [WhiteElo \"2250\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
    [White \"Bob\"]\n[Black \"Ann\"]\n[Date \"2001.??.??\"]\n[ECO \"A00\"]\n[WhiteElo \"2190\"]\n\n\
    1. f3 e5 2. g4 Qh4# 0-1\n\n\
    [White \"Bob\"]\n[Black \"Bob\"]\n[Date \"????.??.??\"]\n[ECO \"A40\"]\n[WhiteElo \"-\"]\n\n\
    1. d4 (1. e4) 1... d5 1/2-1/2\n\n\
    1. e4 c5 *\n";

/// The table of the groups of a query.
fn table(query: &str, list: &str) -> GroupTable {
    grouped(job(query), GAMES, list)
}

fn grouped(job: Job, games: &str, list: &str) -> GroupTable {
    let (sender, receiver) = std::sync::mpsc::channel();
    let sink = GroupSink::new(GroupKeys::parse(list).unwrap(), move |table| {
        sender.send(table).unwrap();
    });
    let task = Task::new(job).sink(sink);
    let games = Input::bytes("games.pgn", games.as_bytes().to_vec());
    scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
    receiver.recv().unwrap()
}

/// The lines of a table without the spaces that align them.
fn lines(table: &GroupTable) -> Vec<String> {
    let text = table.to_string();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn keys_of_games() {
    let found = lines(&table("initial", "eco:1"));
    assert_eq!(
        found,
        [
            "eco:1 games positions won drawn lost other score performance share",
            "A 2 2 0 1 1 0 25.0 - 50.0",
            "(none) 1 1 0 0 0 1 - - 25.0",
            "C 1 1 1 0 0 0 100.0 - 25.0",
        ]
    );
    // The order of time, not of the number of games.
    let keys = |list| -> Vec<Vec<GroupValue>> {
        table("initial", list).rows().iter().map(|row| row.keys.clone()).collect()
    };
    let (number, text) = (GroupValue::Number, |text: &str| GroupValue::Text(text.to_owned()));
    assert_eq!(keys("year"), [[GroupValue::None], [number(1999)], [number(2001)]]);
    assert_eq!(keys("decade"), [[GroupValue::None], [number(1990)], [number(2000)]]);
    assert_eq!(keys("month"), [[GroupValue::None], [number(5)]]);
    assert_eq!(keys("date"), [[GroupValue::None], [text("1999-05-01")]]);
    assert_eq!(keys("white_elo/100"), [[GroupValue::None], [number(2100)], [number(2200)]]);
    let both = keys("decade,result");
    assert_eq!(both[2..4], [[number(1990), text("1-0")], [number(2000), text("0-1")]]);
    assert_eq!(keys("eco:2,file").len(), 4);
}

#[test]
fn performances() {
    let game = |white: &str, black: &str, result: &str| {
        format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n1. e4 {result}\n\n")
    };
    let games = [
        game("2400", "2300", "1-0"),
        game("2400", "2401", "1/2-1/2"),
        // They do not count: no rating of Black, or no result.
        game("2400", "?", "0-1"),
        game("2400", "2000", "*"),
    ];
    let table = grouped(job("initial"), &games.concat(), "next");
    assert_eq!(lines(&table)[1..], ["e4 4 4 1 1 1 1 50.0 2544 100.0"]);
    assert_eq!(table.rows()[0].performance(), Some(2351 + 193));
}

#[test]
fn moves_are_groups_without_their_numbers() {
    let games = "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. d4 1-0\n\n1. e4 e5 2. d4 0-1\n\n1. e4 e5 *\n";
    let found = lines(&grouped(job("wtm Pe4 pe5 Ng1"), games, "next"));
    // A game counts once for each move that it has: the first one for two.
    assert_eq!(
        found,
        [
            "next games positions won drawn lost other score performance share",
            "d4 2 2 1 0 1 0 50.0 - 66.7",
            "(none) 1 1 0 0 0 1 - - 33.3",
            "Nf3 1 1 1 0 0 0 100.0 - 33.3",
        ]
    );
    let found = lines(&grouped(job("ply == 1"), games, "MOVE"));
    assert_eq!(found[1..], ["e4 3 3 1 0 1 1 50.0 - 100.0"]);
    let error = GroupKeys::parse("next,next.san").unwrap_err().to_string();
    assert!(error == "the key next.san is named twice", "{error}");
}

#[test]
fn a_game_counts_for_both_players() {
    assert_eq!(
        lines(&table("initial", "player"))[1..],
        [
            "Bob 3 3 0 1 2 0 16.7 1450 75.0",
            "Ann 2 2 2 0 0 0 100.0 2990 50.0",
            "(none) 1 1 0 0 0 1 - - 25.0"
        ]
    );
    // A key of the position beside it.
    assert_eq!(
        lines(&table("mate", "player,san"))[1..],
        [
            "Ann Qh4# 1 1 1 0 0 0 100.0 2990 50.0",
            "Ann Qxf7# 1 1 1 0 0 0 100.0 - 50.0",
            "Bob Qh4# 1 1 0 0 1 0 0.0 - 50.0",
            "Bob Qxf7# 1 1 0 0 1 0 0.0 1450 50.0",
        ]
    );
}

/// A game that a player won against the same name is not a win of this name.
#[test]
fn players_of_the_same_name() {
    let tags = "[White \"Ann\"]\n[Black \"Ann\"]\n\n1. e4 ";
    let results = ["1-0", "0-1", "0-1", "1/2-1/2", "*"];
    let games: String = results.iter().map(|result| format!("{tags}{result}\n\n")).collect();
    let found = lines(&grouped(job("initial"), &games, "player"));
    assert_eq!(found[1..], ["Ann 5 5 0 1 0 4 50.0 - 100.0"]);
    let found = lines(&grouped(job("initial"), &games, "white"));
    assert_eq!(found[1..], ["Ann 5 5 1 1 2 1 37.5 - 100.0"]);
}

/// A game counts once in each group, with all of its positions there.
#[test]
fn keys_of_positions() {
    let found = lines(&table("ply > 0", "side"));
    assert_eq!(found[1..], ["black 4 8 1 1 1 1 50.0 - 100.0", "white 4 7 1 1 1 1 50.0 - 100.0"]);
    let found = lines(&table("initial", "next.san"));
    assert_eq!(found[1..3], ["e4 2 2 1 0 0 1 100.0 - 50.0", "d4 1 1 0 1 0 0 50.0 - 25.0"]);
    let query = "ply == 1 {{Pd4 or Pe4} field(\"center\" \"yes\")} or ply == 1";
    let found = lines(&table(query, "field:center"));
    assert_eq!(found[1..], ["yes 3 3 1 1 0 1 75.0 - 75.0", "(none) 1 1 0 0 1 0 0.0 - 25.0"]);
    let found = lines(&table("cql(variations) ply == 1", "san"));
    assert_eq!(
        found[1..],
        ["e4 3 3 1 1 0 1 75.0 - 75.0", "d4 1 1 0 1 0 0 50.0 - 25.0", "f3 1 1 0 0 1 0 0.0 - 25.0",]
    );
    let found = lines(&table("terminal sort \"plies\" ply", "sort:plies/5"));
    assert_eq!(found[1..], ["0 3 3 0 1 1 1 25.0 - 75.0", "5 1 1 1 0 0 0 100.0 - 25.0"]);
}

#[test]
fn options_of_the_job_hold() {
    let limited = Job { limit: Some(2), ..job("initial") };
    let found = lines(&grouped(limited, GAMES, "result"));
    assert_eq!(found[1..], ["0-1 1 1 0 0 1 0 0.0 - 50.0", "1-0 1 1 1 0 0 0 100.0 - 50.0"]);
    let best =
        Job { choice: Some(crate::job::MatchChoice::Top(1)), ..job("terminal sort \"plies\" ply") };
    assert_eq!(lines(&grouped(best, GAMES, "result"))[1..], ["1-0 1 1 1 0 0 0 100.0 - 100.0"]);
    let tags = job("initial settag(\"Result\" \"1-0\") removetag(\"ECO\")");
    assert_eq!(lines(&grouped(tags, GAMES, "eco"))[1..], ["(none) 4 4 4 0 0 0 100.0 - 100.0"]);
}

/// The files of a query with these names and keys.
fn written(queries: &[&str], list: &str, threads: usize) -> [String; 3] {
    let folder = tempfile::tempdir().unwrap();
    let formats = [FileFormat::Text, FileFormat::Csv, FileFormat::Jsonl];
    let path = |format: FileFormat| folder.path().join("out").with_extension(format.extension());
    let shared = formats.map(|format| {
        let output = SharedSink::new(format, Destination::File(path(format)));
        output.with_groups(GroupKeys::parse(list).unwrap())
    });
    let settings = Settings { shared: shared.to_vec(), threads, ..Settings::default() };
    let task = |query: &&str| Task::new(Job { title: (*query).to_owned(), ..job(query) });
    let games = Input::bytes("games.pgn", GAMES.as_bytes().repeat(2000));
    let tasks = queries.iter().map(task).collect();
    scan(&[games], tasks, &settings, &mut Silent).unwrap();
    formats.map(|format| std::fs::read_to_string(path(format)).unwrap())
}

/// With a sort, too: groups have an order of their own.
#[test]
fn outputs_of_several_queries() {
    let queries = ["mate", "sort \"n\" ply == 1"];
    let [text, csv, json] = written(&queries, "result", 1);
    let expected = "\
query            result   games  positions   won  drawn  lost  other  score  performance  share
mate             0-1       2000       2000     0      0  2000      0    0.0 -    50.0
mate             1-0       2000       2000  2000      0     0      0  100.0 -    50.0
sort \"n\" ply == 1  *         2000       2000     0      0     0   2000      - -    25.0
";
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(joined(&text).starts_with(&joined(expected)), "{text}");
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(
        rows[0],
        "query,result,games,positions,won,drawn,lost,other,score,performance,share"
    );
    assert_eq!(rows[1], "mate,0-1,2000,2000,0,0,2000,0,0.0,,50.0");
    assert_eq!(rows[3], "\"sort \"\"n\"\" ply == 1\",*,2000,2000,0,0,0,2000,,,25.0");
    let row: serde_json::Value = serde_json::from_str(json.lines().nth(2).unwrap()).unwrap();
    assert_eq!((&row["score"], &row["games"]), (&serde_json::Value::Null, &2000.into()));
    assert_eq!(row["share"], 25.0);
    for threads in [2, 5] {
        assert_eq!(written(&queries, "result", threads), [text.clone(), csv.clone(), json.clone()]);
    }
}

/// The first column is the query, whatever a key is called.
#[test]
fn a_key_with_the_heading_of_the_query() {
    let [_, csv, _] = written(&["mate"], "tag:query,year,tag:\"tag:query\"", 1);
    let head = csv.lines().next().unwrap();
    assert!(head.starts_with("query,tag:query,year,tag:tag:query,games,"), "{head}");
    let [_, csv, _] = written(&["mate"], "tag:move,move,next", 1);
    let head = csv.lines().next().unwrap();
    assert!(head.starts_with("query,tag:move,move,next,games,"), "{head}");
}

#[test]
fn numbers_and_missing_values_keep_their_type() {
    let [_, csv, json] = written(&["initial"], "year,black", 2);
    let first = "{\"query\": \"initial\", \"year\": null, \"black\": null, \"games\": 2000, ";
    assert!(json.starts_with(first), "{json}");
    assert!(json.contains("\"year\": 1999, \"black\": \"Bob\", \"games\": 2000, "), "{json}");
    assert!(csv.contains("\ninitial,,,2000,"), "{csv}");
}

/// As many groups as the limit, and one more.
#[test]
fn the_number_of_groups_is_limited() {
    let groups = GroupKeys::parse("ply").unwrap();
    let count = |max_groups: usize, max_bytes: usize| {
        let mut counter = GroupCounter::new(groups.clone()).with_limits(max_groups, max_bytes);
        for ply in 0..100_i64 {
            // A game without a title, with one group: a draw, no rating, one position, a number.
            let mut record = vec![2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0];
            record.extend_from_slice(&1_u64.to_le_bytes());
            record.extend_from_slice(&9_u64.to_le_bytes());
            record.push(1);
            record.extend_from_slice(&(ply % 50).to_le_bytes());
            counter.take(&record[..7], true)?;
            counter.take(&record[7..], false)?;
        }
        counter.finish()
    };
    let table = count(50, 450).unwrap();
    assert_eq!(table.rows().len(), 50);
    assert!(table.rows().iter().all(|row| (row.games(), row.drawn) == (2, 2)));
    assert_eq!(count(49, 450), Err(TooManyGroups::Groups(49)));
    assert_eq!(count(50, 449), Err(TooManyGroups::Bytes(449)));
}

#[test]
fn a_long_text_is_cut() {
    let games = format!("[Event \"{}é\"]\n\n1. e4 *\n\n", "x".repeat(999)).repeat(2);
    let table = grouped(job("initial"), &games, "event");
    let expected = GroupValue::Text("x".repeat(999) + "…");
    assert_eq!(table.rows().iter().map(|row| &row.keys[0]).collect::<Vec<_>>(), [&expected]);
    assert_eq!(table.rows()[0].games(), 2);
}

/// What a game has once is not held for each of its positions.
#[test]
fn keys_of_the_game_are_held_once() {
    /// The number of bytes by which the positions of a match are counted.
    struct HeldBytes(GroupKeys);

    impl Format for HeldBytes {
        fn needs(&self, job: &Job) -> Needs {
            GroupFormat(self.0.clone()).needs(job)
        }

        fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
            let counts = record::count_positions(&self.0, matched);
            let held: usize = counts.keys().map(Vec::len).sum();
            out.bytes().extend_from_slice(&(held as u64).to_le_bytes());
            Omitted::default()
        }
    }

    struct Receiver(Arc<HeldBytes>, mpsc::Sender<u64>);

    impl Sink for Receiver {
        fn name(&self) -> String {
            "the number of bytes".to_owned()
        }

        fn format(&self) -> Option<Arc<dyn Format>> {
            Some(self.0.clone())
        }

        fn write_text(&mut self, slice: TextSlice<'_>) -> SinkResult<ControlFlow<()>> {
            self.1.send(u64::from_le_bytes(slice.bytes.try_into()?))?;
            Ok(ControlFlow::Continue(()))
        }
    }

    let knights = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(50);
    let games = format!("[White \"{}\"]\n\n{knights}1-0\n", "x".repeat(2000));
    let held = |list: &str| {
        let (sender, receiver) = mpsc::channel();
        let format = Arc::new(HeldBytes(GroupKeys::parse(list).unwrap()));
        let task = Task::new(job("true")).sink(Receiver(format, sender));
        let games = Input::bytes("games.pgn", games.as_bytes().to_vec());
        scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap();
        receiver.recv().unwrap()
    };
    assert_eq!(held("white,player,event"), 0);
    // Two texts of five letters, each with its kind and length.
    assert_eq!(held("side"), 2 * (1 + 8 + 5));
    assert_eq!(held("white,side,player,event"), held("side"));
}

/// Keys of the game and of the positions in any order.
#[test]
fn values_are_in_the_order_of_the_keys() {
    let row = |list: &str| -> Vec<GroupValue> {
        let table = table("ply == 1 Pf3", list);
        assert_eq!(table.rows().len(), 1, "{list}");
        table.rows()[0].keys.clone()
    };
    let (number, text) = (GroupValue::Number, |text: &str| GroupValue::Text(text.to_owned()));
    let expected = [text("Bob"), text("f3"), number(2001), number(0), text("CQL"), number(1)];
    assert_eq!(row("white,san,year,ply/2,comment,ply"), expected);
    assert_eq!(row("ply,white")[..], [number(1), text("Bob")]);
    let found = lines(&table("ply == 1 Pf3", "side,player,san,eco"));
    let score = ["1 1 0 0 1 0 0.0 - 100.0", "1 1 1 0 0 0 100.0 2990 100.0"];
    let names = ["black Ann f3 A00", "black Bob f3 A00"];
    assert_eq!(found[1], format!("{} {}", names[0], score[1]));
    assert_eq!(found[2], format!("{} {}", names[1], score[0]));
}

/// A name in two lines would break the table, and an escape the terminal.
#[test]
fn a_row_of_text_is_one_line() {
    let games = "[White \"A\u{1b}[31m\tB\"]\n\n1. e4 *\n";
    let text = grouped(job("initial"), games, "white").to_string();
    assert!(text.contains("\nA [31m B  "), "{text}");
}

#[test]
fn outputs_that_cannot_have_groups() {
    let groups = || GroupKeys::parse("year").unwrap();
    let append = |path: &str| FileSink::new(FileFormat::Csv, Destination::Append(path.into()));
    for (sink, part) in [
        (FileSink::pgn("x.pgn").with_groups(groups()), "its format has no groups"),
        (FileSink::new(FileFormat::Text, Destination::Stdout), "no key of groups is named"),
        (append("x.csv").with_groups(groups()), "cannot be appended"),
        (
            FileSink::csv("x.csv").with_groups(GroupKeys::parse("sort:x").unwrap()),
            "no query has a sort key called x",
        ),
    ] {
        let task = Task::new(job("mate")).sink(sink);
        let games = Input::bytes("games", *b"1. e4 *");
        let error = scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}
