//! However a run ends, for every kind of output: each file is complete, or is as it was before the
//! run.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::TempDir;

mod signals;

/// A kind of output.
struct Kind {
    words: &'static [&'static str],
    /// Games go to standard output.
    is_stdout: bool,
}

const fn kind(words: &'static [&'static str]) -> Kind {
    Kind { words, is_stdout: false }
}

/// Every kind of output, beside another one.
const KINDS: &[Kind] = &[
    kind(&["-o", "out/a.pgn", "-o", "out/new.pgn", "query"]),
    kind(&["-o", "out/old.pgn", "-o", "out/new.pgn", "query"]),
    kind(&["-o", "out/a.jsonl", "-o", "out/old.pgn", "query"]),
    kind(&["-o", "out/a.csv", "-o", "out/old.pgn", "query"]),
    kind(&["-o", "out/a.epd", "-o", "out/old.pgn", "query"]),
    kind(&["-o", "out/a.html", "-o", "out/old.pgn", "query"]),
    kind(&["-o", "out/a.pgn", "-o", "out/a.csv", "sorted"]),
    kind(&["--append", "out/old.pgn", "-o", "out/new.pgn", "query"]),
    kind(&["--append", "out/old.csv", "--append", "out/new.csv", "query"]),
    kind(&["--append", "out/old.jsonl", "-o", "out/new.epd", "sorted"]),
    kind(&["-o", "out/{tag:Event}.pgn", "-o", "out/new.pgn", "query"]),
    kind(&["-o", "out/{tag:Event}.csv", "--maxopenoutputfiles", "1", "query"]),
    kind(&["--append", "out/{tag:Event}.pgn", "-o", "out/new.pgn", "query"]),
    kind(&[
        "-o",
        "out/made/{tag:Event}.html",
        "--createdirectories",
        "-o",
        "out/old.pgn",
        "sorted",
    ]),
    kind(&["--count", "--rejects", "out/old.pgn", "query"]),
    kind(&["-o", "out/a.pgn", "--rejects", "out/rejects.pgn", "query"]),
    kind(&["-o", "out", "query", "sorted"]),
    kind(&["-o", "out/a.csv", "-o", "out/{query}.jsonl", "--nosort", "query", "sorted"]),
    kind(&["-guipgnstdout", "--rejects", "out/rejects.pgn", "query"]),
    Kind { words: &["-o", "-", "-o", "out/old.pgn", "query"], is_stdout: true },
    Kind { words: &["-o", "-", "--append", "out/old.pgn", "sorted"], is_stdout: true },
];

/// The row of headings that a `.csv` has.
const HEADINGS: &str = "game,input,number,id,ply,move,next,fen,comment,white,black,white_elo,\
                        black_elo,result,event,site,round,date,year,month,eco,offset\n";

impl Kind {
    fn has_rejects(&self) -> bool {
        self.words.contains(&"--rejects")
    }

    /// The same with one more output.
    fn with(&self, path: &'static str) -> Vec<&'static str> {
        let option = if self.has_rejects() { "-o" } else { "--rejects" };
        // `--count` would leave the output out, and the element has no other one.
        let words = self.words.iter().filter(|word| !["--count", "-guipgnstdout"].contains(word));
        words.copied().chain([option, path]).collect()
    }
}

/// The games of all tests; every seventh is damaged.
fn games() -> Vec<u8> {
    let mut text = String::new();
    for game in 0..700 {
        let last = if game % 7 == 3 { "Ke5" } else { "Qh4#" };
        let event = ["old", "b", "c"][game % 3];
        let _ = write!(
            text,
            "[Event \"{event}\"]\n[Round \"{game}\"]\n\n1. f3 e5 2. g4 {last} 0-1\n\n"
        );
    }
    text.into_bytes()
}

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(bench.path("out")).unwrap();
        for (name, text) in [
            ("query.cql", "btm message(\"here\") ply == 3"),
            ("sorted.cql", "ply == 3 message(\"here\") sort \"game\" (0 - gamenumber)"),
            ("out/old.pgn", "[Event \"old\"]\n\n1. d4 *\n\n"),
            ("out/old.csv", HEADINGS),
            ("out/old.jsonl", "{}\n"),
        ] {
            fs::write(bench.path(name), text).unwrap();
        }
        bench
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The command, which reads the games from a pipe.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command
            .current_dir(self.folder.path())
            .env_remove("BABSON_CONFIG")
            .args(["-i", "-", "--noprogress"])
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// All files below `out`, hidden ones included.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        fn collect(folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, files);
                } else {
                    let name = path.display().to_string();
                    let name = name.rsplit_once("/out/").unwrap().1.to_owned();
                    let mut bytes = fs::read(&path).unwrap();
                    if name == "summary.csv" {
                        // The last column has seconds, which differ from run to run.
                        let text = String::from_utf8(bytes).unwrap();
                        let rows = text.lines().map(|row| row.rsplit_once(',').unwrap().0);
                        bytes = rows.collect::<Vec<_>>().join("\n").into_bytes();
                    }
                    files.insert(name, bytes);
                }
            }
        }
        let mut files = BTreeMap::new();
        collect(&self.path("out"), &mut files);
        files
    }

    /// Waits until the run has begun to write.
    fn wait_for_temporary_files(&self, child: &mut Child) {
        while !self.files().keys().any(|name| name.ends_with(".tmp")) {
            assert!(child.try_wait().unwrap().is_none(), "it ended too early");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }
}

/// Feeds the games, if the command still reads, and waits for its end.
fn feed(mut child: Child, games: &[u8]) -> (ExitStatus, String) {
    // A run that has failed reads no further.
    let _ = child.stdin.take().unwrap().write_all(games);
    end(child)
}

fn end(mut child: Child) -> (ExitStatus, String) {
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    (child.wait().unwrap(), stderr)
}

/// What an undisturbed run leaves.
fn complete(words: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let bench = Bench::new();
    let before = bench.files();
    let mut child = bench.command(words).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&games()).unwrap();
    let (status, stderr) = end(child);
    assert_eq!(status.code(), Some(0), "{words:?}\n{stderr}");
    let after = bench.files();
    assert!(!after.keys().any(|name| name.ends_with(".tmp")), "{words:?}");
    assert_ne!(after, before, "{words:?} writes nothing");
    after
}

#[test]
fn a_signal_leaves_all_as_it_was() {
    let signals = signals::heeded(&[
        ("INT", 2),
        ("TERM", 15),
        ("HUP", 1),
        ("QUIT", 3),
        ("USR1", 10),
        ("ALRM", 14),
    ]);
    for (index, kind) in KINDS.iter().enumerate() {
        let bench = Bench::new();
        let before = bench.files();
        let (name, number) = signals[index % signals.len()];
        let mut child = bench.command(kind.words).stdout(Stdio::null()).spawn().unwrap();
        if kind.words[0] == "-o" && kind.words[1].contains("{tag") && kind.words[2] != "-o" {
            // A split output makes a file at the first match for it, and matches come only when a
            // chunk of the input is full.
            let stdin = child.stdin.as_mut().unwrap();
            stdin.write_all(&games().repeat(12)).unwrap();
            stdin.flush().unwrap();
        }
        bench.wait_for_temporary_files(&mut child);
        let id = child.id().to_string();
        let killed = Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap();
        assert!(killed.success());
        let input = child.stdin.take();
        let (status, stderr) = end(child);
        drop(input);
        assert_eq!(status.signal(), Some(number), "{:?} {name}\n{stderr}", kind.words);
        assert_eq!(bench.files(), before, "{:?} {name}", kind.words);
    }
}

/// A reader of standard output who goes away ends only what goes there, games or messages.
#[test]
fn a_closed_pipe_leaves_complete_files() {
    for kind in KINDS {
        let bench = Bench::new();
        let mut child = bench.command(kind.words).spawn().unwrap();
        drop(child.stdout.take());
        let (status, stderr) = feed(child, &games());
        assert_eq!(status.code(), Some(0), "{:?}\n{stderr}", kind.words);
        assert_eq!(bench.files(), complete(kind.words), "{:?}", kind.words);
    }
}

/// Where nothing but standard output is written, the run ends with its reader.
#[test]
fn a_run_for_a_closed_pipe_ends() {
    let bench = Bench::new();
    let before = bench.files();
    for words in [&["-o", "-", "query"][..], &["-o", "/dev/stdout", "query"]] {
        // Nobody reads the messages, either.
        let mut child = bench.command(words).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let games = games();
        // Without an end: it is the command that stops reading.
        while stdin.write_all(&games).is_ok() {}
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{words:?}");
        assert_eq!(bench.files(), before, "{words:?}");
    }
}

/// The same of other pipes than standard output.
#[test]
fn a_closed_named_pipe_leaves_complete_files() {
    let bench = Bench::new();
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    let words = ["-o", "pipe", "-o", "out/old.pgn", "--rejects", "out/r.pgn", "query"];
    let child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
    drop(fs::File::open(bench.path("pipe")).unwrap());
    let (status, stderr) = feed(child, &games());
    assert_eq!(status.code(), Some(0), "{stderr}");
    assert_eq!(bench.files(), complete(&words[2..]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_all_as_it_was() {
    for kind in KINDS {
        // Another output has no room.
        let bench = Bench::new();
        let before = bench.files();
        let words = kind.with("/dev/full");
        let child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
        let (status, stderr) = feed(child, &games());
        assert!(stderr.contains("cannot write /dev/full: No space left"), "{words:?}\n{stderr}");
        assert_eq!(status.code(), Some(3), "{words:?}");
        assert_eq!(bench.files(), before, "{words:?}");
        // Standard output has none.
        if kind.is_stdout {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let child = bench.command(kind.words).stdout(full).spawn().unwrap();
            let (status, stderr) = feed(child, &games());
            assert!(stderr.contains("cannot write stdout: No space left"), "{stderr}");
            assert_eq!(status.code(), Some(3), "{:?}", kind.words);
            assert_eq!(bench.files(), before, "{:?}", kind.words);
        }
    }
}

/// The size that a file may have is reached: the signal for it does not end the command.
#[test]
fn a_limit_of_size_leaves_all_as_it_was() {
    for kind in KINDS.iter().filter(|kind| !kind.has_rejects()) {
        let bench = Bench::new();
        let before = bench.files();
        let mut words =
            vec!["-c", "ulimit -f 8; exec \"$0\" -i - \"$@\"", env!("CARGO_BIN_EXE_babson")];
        words.extend(kind.words);
        let child = Command::new("sh")
            .current_dir(bench.folder.path())
            .args(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (status, stderr) = feed(child, &games());
        assert_eq!(status.code(), Some(3), "{:?}\n{stderr}", kind.words);
        assert!(stderr.contains("cannot write "), "{stderr}");
        assert_eq!(bench.files(), before, "{:?}", kind.words);
    }
}

/// There is room for what is added, but not behind what is there: it is cut back, and the outputs
/// beside it do not appear.
#[test]
fn a_file_that_cannot_grow_is_cut_back() {
    for words in [
        &["--append", "out/full.pgn", "-o", "out/old.pgn", "query"][..],
        &[
            "--append",
            "out/old.csv",
            "--append",
            "out/full.pgn",
            "--rejects",
            "out/new.pgn",
            "query",
        ],
        &["--append", "out/{tag:Event}.pgn", "-o", "out/a.epd", "query"],
    ] {
        let bench = Bench::new();
        for name in ["full", "b"] {
            fs::write(
                bench.path(&format!("out/{name}.pgn")),
                "% a line that is skipped\n".repeat(16_000),
            )
            .unwrap();
        }
        let before = bench.files();
        // Half a megabyte, in blocks of 512 bytes or of a kilobyte: both are more than the new
        // games have.
        let mut all = vec![
            "-c",
            "ulimit -f 928; [ $(ulimit -f) = 928 ] || exit 9; exec \"$0\" -i - \"$@\"",
            env!("CARGO_BIN_EXE_babson"),
        ];
        all.extend(words);
        let mut shell = Command::new("sh");
        let child = shell
            .current_dir(bench.folder.path())
            .args(&all)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (status, stderr) = feed(child, &games().repeat(5));
        // Where blocks are of a kilobyte there is room.
        if status.code() == Some(0) {
            continue;
        }
        assert!(stderr.contains("cannot write out/"), "{words:?}\n{stderr}");
        assert_eq!(status.code(), Some(3), "{words:?}");
        let after = bench.files();
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&after), names(&before), "{words:?}");
        assert!(after == before, "{words:?}");
    }
}

#[test]
fn a_missing_folder_leaves_all_as_it_was() {
    for kind in KINDS {
        // It is missing from the beginning.
        let bench = Bench::new();
        let before = bench.files();
        let words = kind.with("gone/x.pgn");
        let child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
        let (status, stderr) = feed(child, &games());
        assert!(stderr.contains("cannot write gone/x.pgn"), "{words:?}\n{stderr}");
        assert_eq!(status.code(), Some(3), "{words:?}");
        assert_eq!(bench.files(), before, "{words:?}");
        // It vanishes during the run.
        fs::create_dir(bench.path("gone")).unwrap();
        let mut child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
        let is_begun = || fs::read_dir(bench.path("gone")).unwrap().count() > 0;
        while !is_begun() {
            assert!(child.try_wait().unwrap().is_none(), "{words:?}");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        fs::remove_dir_all(bench.path("gone")).unwrap();
        let (status, stderr) = feed(child, &games());
        assert!(stderr.contains("cannot write gone/x.pgn"), "{words:?}\n{stderr}");
        assert_eq!(status.code(), Some(3), "{words:?}");
        assert_eq!(bench.files(), before, "{words:?}");
    }
}

/// A file that is cut while it is searched, and one that was cut before.
#[cfg(target_os = "linux")]
#[test]
fn a_cut_input_leaves_whole_files() {
    let games = games().repeat(60);
    // Tags that compress badly, so that half of the bytes have some of the games.
    let mut noise = String::new();
    for game in 0..20_000u64 {
        let site = game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let _ = write!(noise, "[Event \"b\"]\n[Site \"{site:x}\"]\n\n1. f3 e5 2. g4 Ke5 0-1\n\n");
    }
    let packed = zstd::encode_all(noise.as_bytes(), 1).unwrap();
    for kind in KINDS {
        let bench = Bench::new();
        let before = bench.files();
        fs::write(bench.path("packed.pgn.zst"), &packed[..packed.len() / 2]).unwrap();
        let words = [&["-i", "packed.pgn.zst"], kind.words].concat();
        let mut child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
        drop(child.stdin.take());
        let (status, stderr) = end(child);
        assert_eq!(status.code(), Some(3), "{words:?}\n{stderr}");
        assert!(stderr.contains("cannot decompress packed.pgn.zst"), "{words:?}\n{stderr}");
        // The files have what was found up to the damage, and are complete.
        let after = bench.files();
        assert!(after != before || kind.is_stdout, "{words:?}");
        assert!(after.keys().all(|name| !name.contains("/.") && !name.starts_with('.')));

        let bench = Bench::new();
        let before = bench.files();
        fs::write(bench.path("cut.sh"), ": > games.pgn\nwhile read line; do echo; done\n").unwrap();
        let cut = "gamenumber > 1 or not commandpipe(\"sh cut.sh\" \"now\") == \"x\"";
        // The mapped file raises a signal; the file that is read ends early.
        for mapping in [&[][..], &["--no-mmap"]] {
            fs::write(bench.path("games.pgn"), &games).unwrap();
            let words = [&["-i", "games.pgn", "-s", "--cql", cut], mapping, kind.words].concat();
            let mut child = bench.command(&words).stdout(Stdio::null()).spawn().unwrap();
            drop(child.stdin.take());
            let (status, stderr) = end(child);
            assert_eq!(status.code(), Some(3), "{words:?}\n{stderr}");
            let told = format!(
                "cannot read games.pgn: it was changed while it was read (it had {} bytes, now it \
                 has 0); no output file is written",
                games.len()
            );
            assert!(stderr.contains(&told), "{words:?}\n{stderr}");
            assert_eq!(bench.files(), before, "{words:?}");
        }
    }
}
