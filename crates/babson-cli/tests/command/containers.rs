//! Every container, sound and damaged, through every way of reading: each tells what happened, and
//! none loses games in silence.
//!
//! The outcomes are in `snapshots`: a line for each container, damage and outcome, with the ways
//! that have this outcome.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Output, Stdio};

use babson::{Input, Query, Scan};

use crate::archives::{bzip2, xz, zip};
use crate::bench::{Bench, gzip_members};
use crate::broken_inputs::games;

/// The games of each container.
const GAMES: u64 = 60;

/// A file in which the games are.
struct Container {
    what: &'static str,
    extension: &'static str,
    bytes: Vec<u8>,
}

/// What is wrong with a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    Whole,
    /// The second half is missing.
    Cut,
    /// A bit of the first byte is wrong.
    FirstByte,
    /// It is named `.pgn`, or `.pgn.gz` if it is a PGN file.
    WrongName,
    /// Both.
    FirstByteAndName,
}

const DAMAGES: [Damage; 5] =
    [Damage::Whole, Damage::Cut, Damage::FirstByte, Damage::WrongName, Damage::FirstByteAndName];

/// How a container is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Operand,
    Option,
    Folder,
    /// As a member of a zip archive.
    Member,
    Stdin,
    Pack,
    Plan,
    /// The slice of a plan that was made before the damage, and the merge.
    Slice,
    Resume,
    Why,
    /// `why` without the number of a game, which takes the first match.
    WhyFirst,
    Profile,
    /// `Input::bytes` in a `Scan`.
    Bytes,
    /// `Query::search`.
    Search,
}

const WAYS: [Way; 14] = [
    Way::Operand,
    Way::Option,
    Way::Folder,
    Way::Member,
    Way::Stdin,
    Way::Pack,
    Way::Plan,
    Way::Slice,
    Way::Resume,
    Way::Why,
    Way::WhyFirst,
    Way::Profile,
    Way::Bytes,
    Way::Search,
];

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    /// The exit code; of the library 3 for an error or a broken input.
    code: i32,
    /// The games that were read; none if nothing tells.
    games: Option<u64>,
    /// The first message.
    message: String,
}

impl Outcome {
    /// The outcome without the place of the container `name`, and without advice after a semicolon.
    fn plain(self, name: &str) -> Outcome {
        let plain = self.message.trim_start_matches("babson: ").replace("<stdin>", name);
        let plain = plain.replace("db.zip/", "").replace("db/", "").replace("db\\", "");
        let plain = plain.split("; ").next().unwrap_or_default().to_owned();
        Outcome { message: plain, ..self }
    }
}

fn tar(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut head = vec![0; 512];
    head[..name.len()].copy_from_slice(name.as_bytes());
    head[100..107].copy_from_slice(b"0000644");
    head[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
    head[148..156].fill(b' ');
    head[156] = b'0';
    head[257..263].copy_from_slice(b"ustar\0");
    let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let padding = vec![0; bytes.len().next_multiple_of(512) - bytes.len() + 1024];
    [&head[..], bytes, &padding].concat()
}

fn containers(bench: &Bench) -> Vec<Container> {
    let text = games("a", GAMES as usize / 2);
    bench.put("text.pgn", &text);
    bench.expect(0, &["pack", "text.pgn", "-o", "text.arrow"]);
    let table = bench.get("text.arrow");
    let tar = tar("games.pgn", &text);
    // A stream begins with a mark of continuation and has no name of the format.
    let stream = [b"\xff\xff\xff\xff", &table[12..]].concat();
    let zst = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    [
        ("PGN", ".pgn", text.clone()),
        ("gzip", ".pgn.gz", gzip_members(&[&text])),
        ("zstd", ".pgn.zst", zst(&text)),
        ("bzip2", ".pgn.bz2", bzip2(&text)),
        ("xz", ".pgn.xz", xz(&text)),
        ("zip", ".zip", zip(&[("games.pgn", &text)])),
        ("tar", ".tar", tar.clone()),
        ("tar in gzip", ".tar.gz", gzip_members(&[&tar])),
        ("tar in zstd", ".tar.zst", zst(&tar)),
        ("table", ".arrow", table),
        ("Arrow stream", ".arrow", stream),
    ]
    .map(|(what, extension, bytes)| Container { what, extension, bytes })
    .into()
}

impl Container {
    /// The name and the bytes of the damaged container.
    fn damaged(&self, damage: Damage) -> (String, Vec<u8>) {
        let mut bytes = self.bytes.clone();
        match damage {
            Damage::Cut => bytes.truncate(bytes.len() / 2),
            Damage::FirstByte | Damage::FirstByteAndName => bytes[0] ^= 1,
            Damage::Whole | Damage::WrongName => {}
        }
        let wrong = if self.extension == ".pgn" { ".pgn.gz" } else { ".pgn" };
        let extension = match damage {
            Damage::WrongName | Damage::FirstByteAndName => wrong,
            Damage::Whole | Damage::Cut | Damage::FirstByte => self.extension,
        };
        (format!("x{extension}"), bytes)
    }
}

/// The outcome of a run that prints the number of games.
fn told(output: &Output) -> Outcome {
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(!stderr.contains("panicked"), "{stderr}");
    // Lines about damaged games come first.
    let first = stdout.lines().last().and_then(|line| line.split(' ').next());
    let is_note = |line: &&str| {
        ["no output is named", " seconds using "].iter().all(|note| !line.contains(note))
    };
    let message = stderr.lines().find(is_note);
    Outcome {
        code: output.status.code().unwrap_or(-1),
        games: first.and_then(|word| word.parse().ok()),
        message: message.unwrap_or_default().to_owned(),
    }
}

/// The slices of a plan, or the outcome of one that fails.
fn plan(bench: &Bench, name: &str) -> Result<Vec<String>, Outcome> {
    let output = bench.run(&["plan", name, "--slices", "2"]);
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()),
        false => Err(told(&output)),
    }
}

/// The number of games of a plan.
fn planned(slice: &str) -> Option<u64> {
    serde_json::from_str::<serde_json::Value>(slice).unwrap()["last_game"].as_u64()
}

/// Searches the slices and merges the parts.
fn slices(bench: &Bench, slices: &[String]) -> Outcome {
    let mut words = vec!["merge".to_owned(), "--count".to_owned()];
    for (index, slice) in slices.iter().enumerate() {
        let part = format!("{index}.part");
        let output = bench.run(&["scan", "--slice", slice, "--cql", "initial", "-o", &part]);
        if !output.status.success() {
            return Outcome { games: None, ..told(&output) };
        }
        words.push(part);
    }
    told(&bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>()))
}

impl Way {
    /// Reads the container.
    fn read(self, container: &Container, damage: Damage) -> Outcome {
        let (name, bytes) = container.damaged(damage);
        let bench = Bench::new();
        fs::create_dir(bench.path("db")).unwrap();
        bench.put(&name, &bytes);
        let count = ["--count", "-q", "--cql", "initial"];
        let search = |words: &[&str]| told(&bench.run(&[words, &count].concat()));
        match self {
            Way::Operand => search(&[&name]),
            Way::Option => search(&["-i", &name]),
            Way::Folder => {
                bench.put(&format!("db/{name}"), &bytes);
                search(&["-i", "db"])
            }
            Way::Member => {
                bench.put("db.zip", &zip(&[(&name, &bytes)]));
                search(&["-i", "db.zip"])
            }
            Way::Stdin => {
                let file = fs::File::open(bench.path(&name)).unwrap();
                let mut command = bench.command(&[&["-i", "-"], &count[..]].concat());
                told(&command.stdin(Stdio::from(file)).output().unwrap())
            }
            Way::Pack => told(&bench.run(&["pack", &name, "-o", "t.arrow"])),
            Way::Plan => match plan(&bench, &name) {
                Ok(slices) => Outcome { code: 0, games: planned(&slices[0]), message: "".into() },
                Err(outcome) => outcome,
            },
            Way::Slice => {
                if matches!(damage, Damage::Cut | Damage::FirstByte) {
                    bench.put(&name, &container.bytes);
                }
                let planned = plan(&bench, &name);
                bench.put(&name, &bytes);
                planned.map_or_else(|outcome| outcome, |planned| slices(&bench, &planned))
            }
            Way::Resume => search(&["-i", &name, "--resume", "kept"]),
            Way::Why => {
                let last = GAMES.to_string();
                let words = ["why", "-i", &name, "--cql", "initial", "-g", &last];
                let mut outcome = told(&bench.run(&words));
                outcome.games = (outcome.code == 0).then_some(GAMES);
                outcome
            }
            Way::WhyFirst => {
                let output = bench.run(&["why", "-i", &name, "--cql", "initial"]);
                let shown = String::from_utf8_lossy(&output.stdout);
                let is_first = shown.starts_with("game 1 of ");
                Outcome { games: is_first.then_some(1), ..told(&output) }
            }
            // The last line tells `60 of 60 games`.
            Way::Profile => told(&bench.run(&["profile", "-i", &name, "--cql", "initial"])),
            Way::Bytes => {
                let query = Query::compile("initial").unwrap();
                let scan = Scan::of([Input::bytes(name, bytes)]).query(&query);
                match scan.run() {
                    Ok(summary) => {
                        let broken = summary.broken_inputs.first();
                        let code = if broken.is_some() { 3 } else { 0 };
                        let message = broken.map_or(String::new(), ToString::to_string);
                        Outcome { code, games: Some(summary.games), message }
                    }
                    Err(error) => Outcome { code: 3, games: None, message: error.to_string() },
                }
            }
            Way::Search => {
                let query = Query::compile("initial").unwrap();
                let mut search = query.search(&bytes[..]).name(name);
                let error = search.find_map(Result::err);
                let code = if error.is_some() { 3 } else { 0 };
                let message = error.map_or(String::new(), |error| error.to_string());
                Outcome { code, games: Some(search.counts().games), message }
            }
        }
    }
}

#[test]
fn no_container_loses_games_in_silence() {
    let bench = Bench::new();
    let (mut table, mut wrong) = (String::new(), Vec::new());
    for container in containers(&bench) {
        for damage in DAMAGES {
            let mut outcomes: BTreeMap<Outcome, Vec<Way>> = BTreeMap::new();
            for way in WAYS {
                let outcome = way.read(&container, damage);
                let what = format!("{} {damage:?} {way:?}: {outcome:?}", container.what);
                // A text that was cut off is a text.
                let is_cut_text = container.what == "PGN" && damage == Damage::Cut;
                let is_right = match outcome.code {
                    // The damage may be after the first game.
                    0 if way == Way::WhyFirst => outcome.games == Some(1),
                    0 => outcome.games == Some(GAMES) || is_cut_text,
                    code => code != 1 && outcome.message.len() > 20,
                };
                wrong.extend((!is_right).then_some(what));
                let (name, _) = container.damaged(damage);
                outcomes.entry(outcome.plain(&name)).or_default().push(way);
            }
            for (Outcome { code, games, message }, ways) in outcomes {
                let games = games.map_or("-".to_owned(), |games| games.to_string());
                let head = format!("{} {damage:?} {ways:?}", container.what);
                table.push_str(&format!("{head}: exit {code}, {games} games\n"));
                if !message.is_empty() {
                    table.push_str(&format!("    {message}\n"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // 32-bit x86 writes other tables, so their lines as text are others, too.
    if cfg!(not(target_arch = "x86")) {
        insta::assert_snapshot!(table);
    }
}
