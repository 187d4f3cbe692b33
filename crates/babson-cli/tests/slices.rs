//! `plan`, `scan --slice`, `merge` and `--resume`: the contract for shells and clusters.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn babson(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.current_dir(folder).args(words).env_remove("BABSON_CONFIG").output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The folder of a database of 2,000 games and a query.
fn bench() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games/masters-2k.pgn");
    fs::copy(root, folder.path().join("games.pgn")).unwrap();
    let query = "cql(matchstring \"found\") mate message(gamenumber lastgamenumber) sort #A";
    fs::write(folder.path().join("mate.cql"), query).unwrap();
    folder
}

/// A part or an output never replaces a database or a query.
#[test]
fn no_file_has_two_roles() {
    let bench = bench();
    let folder = bench.path();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "2"]));
    let slice = plan.lines().next().unwrap();
    let [games, query] = ["games.pgn", "mate.cql"].map(|name| fs::read(folder.join(name)).unwrap());
    for words in [
        &["scan", "--slice", slice, "mate.cql", "-o", "games.pgn"][..],
        &["scan", "--slice", slice, "mate.cql", "-o", "mate.cql"],
        &["-i", "games.pgn", "-o", "games.pgn", "--resume", "kept", "mate.cql"],
    ] {
        assert_eq!(babson(folder, words).status.code(), Some(2), "{words:?}");
        assert!(fs::read(folder.join("games.pgn")).unwrap() == games);
        assert!(fs::read(folder.join("mate.cql")).unwrap() == query);
    }
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        stdout(&babson(folder, &["scan", "--slice", slice, "mate.cql", "-o", &part]));
    }
    let merged = babson(folder, &["merge", "0.part", "1.part", "-o", "games.pgn"]);
    assert_eq!(merged.status.code(), Some(2));
    assert!(fs::read(folder.join("games.pgn")).unwrap() == games);
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Searches `games.pgn` in two slices, with these words. The parts are `0.part` and `1.part`.
fn scan_two(folder: &Path, words: &[&str]) {
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "2"]));
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        let scan = ["scan", "--slice", slice, "-o", &part];
        stdout(&babson(folder, &[&scan[..], words].concat()));
    }
}

/// Neither the query in the parts nor the options of `scan` decide where `merge` writes.
#[test]
fn only_its_command_line_names_what_merge_writes() {
    let bench = bench();
    let folder = bench.path();
    let mut games = fs::read(folder.join("games.pgn")).unwrap();
    games.extend_from_slice(b"\n[Event \"damaged\"]\n\n1. e4 e5 2. Kxx *\n");
    fs::write(folder.join("games.pgn"), &games).unwrap();
    fs::write(folder.join("header.cql"), "cql(output theirs.pgn) mate").unwrap();
    let words = ["-i", "games.pgn", "--rejects", "whole.pgn", "--count", "header.cql"];
    let count = stdout(&babson(folder, &words));
    scan_two(folder, &["--rejects", "theirs.pgn", "header.cql"]);
    let before = names(folder);
    let merge = ["merge", "0.part", "1.part"];
    let refused = |words: &[&str], told: &str| {
        let output = babson(folder, &[&merge[..], words].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(told), "{error}");
        assert_eq!(names(folder), before);
    };
    refused(&["--rejects", "ours.pgn"], "name an output with -o FILE");
    refused(&["-o", "ours.pgn"], "searched with --rejects theirs.pgn");
    let merged = babson(folder, &[&merge[..], &["--count", "--rejects", "ours.pgn"]].concat());
    assert_eq!(stdout(&merged), count);
    let rejected = fs::read(folder.join("ours.pgn")).unwrap();
    assert!(!rejected.is_empty() && rejected == fs::read(folder.join("whole.pgn")).unwrap());
    assert!(!folder.join("theirs.pgn").exists());
    fs::remove_file(folder.join("ours.pgn")).unwrap();
    scan_two(folder, &["header.cql"]);
    refused(&["--count", "--rejects", "ours.pgn"], "searched without it");
}

/// A query that reaches nothing else gives the same with the option as without.
#[test]
fn a_merge_may_be_secure() {
    let bench = bench();
    let folder = bench.path();
    scan_two(folder, &["mate.cql"]);
    for out in [&["-o", "a.pgn"][..], &["-o", "b.pgn", "--secure"]] {
        stdout(&babson(folder, &[&["merge", "0.part", "1.part"], out].concat()));
    }
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(!read("a.pgn").is_empty() && read("a.pgn") == read("b.pgn"));
}

/// The default options that a run over everything reads are read by `merge`, too.
#[test]
fn a_merge_has_the_default_options() {
    let bench = bench();
    let folder = bench.path();
    fs::write(folder.join("config"), "--secure\n--pgnlinewidth=40\n").unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command.current_dir(folder).args(words).env("BABSON_CONFIG", folder.join("config"));
        command.output().unwrap()
    };
    stdout(&run(&["-i", "games.pgn", "-o", "w.pgn", "mate.cql"]));
    scan_two(folder, &["mate.cql"]);
    stdout(&run(&["merge", "0.part", "1.part", "-o", "m.pgn"]));
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("m.pgn") == read("w.pgn"));
    fs::write(folder.join("header.cql"), "cql(output theirs.pgn) mate").unwrap();
    scan_two(folder, &["header.cql"]);
    let output = run(&["merge", "0.part", "1.part", "-o", "x.pgn"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("forbidden by --secure"));
}

/// The part goes to standard output, without its name. When the reader goes away, the search ends
/// as other searches do.
#[test]
fn a_part_may_go_to_standard_output() {
    let bench = bench();
    let folder = bench.path();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "1"]));
    let words = |out| ["scan", "--slice", &plan, "--cql", "true", "-o", out].map(str::to_owned);
    stdout(&babson(folder, &words("0.part").each_ref().map(String::as_str)));
    let before = names(folder);
    for out in ["-", "stdout", "/dev/stdout"] {
        if out.starts_with('/') && cfg!(not(unix)) {
            continue;
        }
        let output = babson(folder, &words(out).each_ref().map(String::as_str));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout == fs::read(folder.join("0.part")).unwrap(), "{out}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
            .current_dir(folder)
            .args(words(out))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*error), (Some(0), ""), "{out}");
        assert_eq!(names(folder), before, "{out}");
    }
}

/// Names are bytes on Linux; other systems may refuse such names.
#[cfg(target_os = "linux")]
#[test]
fn a_part_keeps_names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let bench = bench();
    let folder = bench.path();
    let name =
        |ending: &str| OsStr::from_bytes(&[b"M\xfcller", ending.as_bytes()].concat()).to_owned();
    fs::rename(folder.join("mate.cql"), folder.join(name(".cql"))).unwrap();
    fs::write(folder.join("other.cql"), "stalemate").unwrap();
    let run = |words: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command.current_dir(folder).args(words).env_remove("BABSON_CONFIG").output().unwrap()
    };
    let (query, rejects) = (name(".cql"), name(".pgn"));
    let word = OsStr::new;
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "1"]));
    let scan = [word("scan"), word("--slice"), word(&plan), word("-o"), word("0.part")];
    let queries = [&*query, word("other.cql")];
    stdout(&run(&[&scan[..], &queries, &[word("--rejects"), &rejects]].concat()));
    let refused = run(&[word("merge"), word("0.part"), word("-o"), word("out/")]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--rejects M\u{fffd}ller.pgn"));
    let merge =
        [word("merge"), word("0.part"), word("-o"), word("out/"), word("--rejects"), &rejects];
    assert_eq!(run(&merge).status.code(), Some(0));
    let files: Vec<_> =
        fs::read_dir(folder.join("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(files.contains(&name(".pgn")), "{files:?}");
}

/// A limit ends the run, and the folder is removed with what a killed run has left in it.
#[cfg(unix)]
#[test]
fn a_resumed_run_ends_at_the_limit_and_cleans_its_folder() {
    let bench = bench();
    let folder = bench.path();
    let words = ["-i", "games.pgn", "--limit", "3", "--cql", "mate message(gamenumber)"];
    let whole = stdout(&babson(folder, &[&words[..], &["-o", "w.pgn"]].concat()));
    fs::create_dir(folder.join("kept")).unwrap();
    fs::write(folder.join("kept/.01234567-89abcdef-0.part.1-0.tmp"), "babson part 1\n").unwrap();
    let resumed = ["-o", "r.pgn", "--resume", "kept"];
    let resumed = stdout(&babson(folder, &[&words[..], &resumed].concat()));
    assert_eq!(without_time(&resumed), without_time(&whole));
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("w.pgn") == read("r.pgn"));
    assert!(!folder.join("kept").exists());
}

/// The time and the threads of a summary line are left out.
fn without_time(text: &str) -> String {
    text.lines()
        .map(|line| line.split(" in ").next().unwrap_or_default().to_owned() + "\n")
        .collect()
}

#[test]
fn parts_merge_to_the_bytes_of_one_run() {
    let bench = bench();
    let folder = bench.path();
    let whole = ["-i", "games.pgn", "--flipcolor", "-o", "w.pgn", "-o", "w.csv", "mate.cql"];
    let whole = stdout(&babson(folder, &whole));
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "5"]));
    assert_eq!(plan.lines().count(), 5);
    let read = ["plan", "games.pgn", "--slices", "5", "--no-mmap"];
    assert_eq!(stdout(&babson(folder, &read)), plan);
    let mut parts = Vec::new();
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        let words = ["scan", "--slice", slice, "--flipcolor", "mate.cql", "-o", part.as_str()];
        assert_eq!(stdout(&babson(folder, &words)), format!("{part}\n"));
        parts.push(part);
    }
    // The parts hold the query.
    fs::remove_file(folder.join("mate.cql")).unwrap();
    parts.reverse();
    let outputs = ["-o", "m.pgn", "-o", "m.csv"];
    let words: Vec<&str> =
        ["merge"].into_iter().chain(parts.iter().map(String::as_str)).chain(outputs).collect();
    let merged = stdout(&babson(folder, &words));
    assert_eq!(without_time(&merged), without_time(&whole));
    for ending in ["pgn", "csv"] {
        let read = |name: &str| fs::read(folder.join(format!("{name}.{ending}"))).unwrap();
        assert!(!read("m").is_empty());
        assert!(read("m") == read("w"), "{ending}");
    }
    // An output may not be a part, and a part that is missing or damaged is named.
    let refused = |words: &[&str], code: i32, told: &str| {
        let output = babson(folder, words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(told), "{error}");
        assert!(!folder.join("x.pgn").exists());
    };
    refused(
        &["merge", "0.part", "1.part", "-o", "x.pgn"],
        3,
        "slices 2-4: their parts are missing (lines 3-5 of ",
    );
    fs::write(folder.join("4.part"), &fs::read(folder.join("4.part")).unwrap()[1..]).unwrap();
    let mut all = words.clone();
    all.truncate(6);
    all.extend(["-o", "x.pgn"]);
    refused(&all, 3, "4.part: it is not a part");
    refused(&["merge", "mate.cql"], 3, "mate.cql");
}

#[test]
fn a_slice_may_come_from_standard_input() {
    let bench = bench();
    let folder = bench.path();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "1"]));
    let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(folder)
        .args(["scan", "--slice", "-", "--cql", "mate", "-o", "0.part"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(plan.as_bytes()).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), "0.part\n");
    assert_eq!(stdout(&babson(folder, &["merge", "0.part", "--count"])).trim(), "32");
}

/// A table is cut into slices as its games are, with the same outputs. So is a database beside it.
#[test]
fn tables_are_cut_into_slices() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    fs::copy(folder.join("games.pgn"), folder.join("more.pgn")).unwrap();
    let outputs = |name: &str| [format!("{name}.pgn"), format!("{name}.jsonl")];
    let search = |name: &str, inputs: &[&str], more: &[&str]| {
        let [pgn, jsonl] = outputs(name);
        let inputs = inputs.iter().flat_map(|input| ["-i", input]).collect::<Vec<_>>();
        let words = [&inputs[..], &["-o", &pgn, "-o", &jsonl, "mate.cql"], more].concat();
        without_time(&stdout(&babson(folder, &words)))
    };
    let whole = search("whole", &["games.pgn", "more.pgn"], &[]);
    let tables = ["games.arrow", "more.pgn"];
    let resumed = search("resumed", &tables, &["--resume", "kept"]);
    let plan = [&["plan"], &tables[..], &["--slices", "5"]].concat();
    let mut parts = Vec::new();
    for (index, slice) in stdout(&babson(folder, &plan)).lines().enumerate() {
        parts.push(format!("{index}.part"));
        let words = ["scan", "--slice", slice, "mate.cql", "-o", parts[index].as_str()];
        stdout(&babson(folder, &words));
    }
    assert_eq!(parts.len(), 5);
    let [pgn, jsonl] = outputs("merged");
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let merge = [&["merge"], &parts[..], &["-o", &pgn, "-o", &jsonl]].concat();
    let merged = without_time(&stdout(&babson(folder, &merge)));
    for (name, told) in [("resumed", resumed), ("merged", merged)] {
        assert_eq!(told.replace(name, "whole"), whole);
        for (file, expected) in outputs(name).into_iter().zip(outputs("whole")) {
            let read = |name: &str| fs::read(folder.join(name)).unwrap();
            assert!(!read(&file).is_empty());
            assert!(read(&file) == read(&expected), "{file}");
        }
    }
}

/// A file that cannot be cut, or is not the one that was cut, is a failure of the input.
#[test]
fn a_slice_of_another_file_is_a_failure_of_input() {
    let bench = bench();
    let folder = bench.path();
    let games = fs::read_to_string(folder.join("games.pgn")).unwrap();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "2"]));
    let slice = plan.lines().next().unwrap();
    let numbers = slice.replace("\"index\":0", "\"index\":7");
    let output = babson(folder, &["plan", "games.pgn", "mate.cql"]);
    let told = "babson: mate.cql: an input ends in .pgn, .txt, .gz, .zst, .xz, .bz2, .zip, \
                .arrow or .feather\n";
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.as_str()), (Some(2), told));
    fs::write(folder.join("other.pgn"), games.replace('N', "R")).unwrap();
    let other = slice.replace("games.pgn", "other.pgn");
    for (words, told) in [
        (
            &["scan", "--slice", &other, "-o", "x.part", "mate.cql"][..],
            "other.pgn: the slice does not have its checksum: it was edited, or another version",
        ),
        (
            &["scan", "--slice", &numbers, "-o", "x.part", "mate.cql"],
            "games.pgn: it is not a slice",
        ),
        (&["plan", "-"], "<stdin>: only files can be cut into slices"),
        (
            &["-i", "-", "--resume", "st", "-o", "r.jsonl", "--cql", "mate"],
            "<stdin>: only files can be cut into slices",
        ),
    ] {
        let output = babson_reading(folder, words, &games);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.starts_with(&format!("babson: {told}")), "{error}");
    }
    assert!(!folder.join("x.part").exists() && !folder.join("r.jsonl").exists());
}

/// A folder of parts that is a file is refused by name, and the file stays as it was.
#[test]
fn a_folder_of_parts_is_a_folder() {
    let bench = bench();
    let folder = bench.path();
    let query = fs::read(folder.join("mate.cql")).unwrap();
    let words = ["-i", "games.pgn", "--count", "--resume", "mate.cql", "--cql", "mate"];
    let output = babson(folder, &words);
    let error = String::from_utf8(output.stderr).unwrap();
    let told = "babson: cannot write mate.cql: it is not a folder\n";
    assert_eq!((output.status.code(), error.as_str()), (Some(3), told));
    assert_eq!(fs::read(folder.join("mate.cql")).unwrap(), query);
}

/// Runs the command with this standard input.
fn babson_reading(folder: &Path, words: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.current_dir(folder).args(words).env_remove("BABSON_CONFIG");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    // The command may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A mistake in the slice or in the name of the part is reported, and nothing is written.
#[test]
fn mistakes_of_a_scan() {
    let bench = bench();
    let folder = bench.path();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "3"]));
    let lines: Vec<&str> = plan.lines().collect();
    let before = fs::read_dir(folder).unwrap().count();
    let hint = "; give the text of one line of the plan, --slice \"$(sed -n 1p plan.jsonl)\"\n";
    for (slice, part, told) in [
        ("plan.jsonl", "0.part", "--slice: 'plan.jsonl' is not a slice"),
        ("3", "0.part", "--slice: '3' is not a slice"),
        ("", "0.part", "--slice: the slice is empty"),
        (plan.as_str(), "0.part", "--slice: there are 3 lines"),
        ("-", "0.part", "--slice: there are 3 lines"),
        ("{}", "0.part", "--slice: it is not a line of babson plan: missing field `plan`"),
        (lines[0], "found.pgn", "-o found.pgn: a part is not a file of matches"),
        (lines[0], "found.CSV", "-o found.CSV: a part is not a file of matches"),
    ] {
        let words = ["scan", "--slice", slice, "-o", part, "--cql", "mate"];
        let output = babson_reading(folder, &words, &plan);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{slice}: {error}");
        assert!(error.starts_with(&format!("babson: {told}")), "{slice}: {error}");
        assert_eq!(error.ends_with(hint), part == "0.part", "{slice}: {error}");
    }
    for (words, told) in [
        (&["--slice", lines[0]][..], "scan needs `--output PART`: "),
        (&["-o", "0.part"], "scan needs `--slice JSON`: "),
        (&["--slice", lines[0], "-o", "0.part", "-o", "1.part"], "--output is given twice: "),
        (&["--slice", lines[0], "--slice", lines[1], "-o", "0.part"], "--slice is given twice: "),
    ] {
        let output = babson(folder, &[&["scan"], words, &["mate.cql"]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with(&format!("babson: {told}")), "{error}");
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), before);
}

/// A query with an error and one that cannot be read do not stop the others: parts merge to what
/// one run gives, errors and exit code among it.
#[test]
fn queries_with_errors_do_not_stop_the_others() {
    let bench = bench();
    let folder = bench.path();
    fs::write(folder.join("wrong.cql"), "mate and nonsense").unwrap();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "3"]));
    for (round, queries) in
        [&["wrong.cql", "missing.cql", "mate.cql"][..], &["wrong.cql", "missing.cql"]]
            .into_iter()
            .enumerate()
    {
        let run = |words: &[&str], queries: &[&str]| {
            let output = babson(folder, &[words, queries].concat());
            let stderr = String::from_utf8(output.stderr).unwrap();
            let errors = ["wrong.cql:1:", "missing.cql: "];
            assert!(errors.iter().all(|error| stderr.contains(error)), "{stderr}");
            let stdout = without_time(&String::from_utf8(output.stdout).unwrap());
            (output.status.code(), stdout, stderr)
        };
        let out = format!("whole{round}/");
        let whole = run(&["-i", "games.pgn", "-o", &out], queries);
        assert_eq!(whole.0, Some(1));
        let mut words = vec!["merge".to_owned()];
        for (index, slice) in plan.lines().enumerate() {
            let part = format!("{round}-{index}.part");
            let words_of_slice = ["scan", "--slice", slice, "-o", &part];
            let (code, printed, _) = run(&words_of_slice, queries);
            // The part is complete.
            assert_eq!((code, printed), (Some(0), part.clone() + "\n"));
            words.push(part);
        }
        let out = format!("merged{round}/");
        words.extend(["-o".to_owned(), out]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let merged = run(&words, &[]);
        let (code, told, errors) = whole;
        assert_eq!(merged, (code, told.replace("whole", "merged"), errors));
        let table = |name: &str| {
            let table = fs::read_to_string(folder.join(name).join("summary.csv")).unwrap();
            table
                .lines()
                .map(|line| line.rsplit_once(',').unwrap().0.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(table(&format!("merged{round}")), table(&format!("whole{round}")));
        assert_eq!(table(&format!("whole{round}")).len(), queries.len() + 1);
    }
}

/// A query in order is searched in one slice of all databases, also if the search can be resumed.
#[test]
fn a_query_in_order_may_have_several_databases() {
    let bench = bench();
    let folder = bench.path();
    fs::copy(folder.join("games.pgn"), folder.join("more.pgn")).unwrap();
    let query = "persistent mates += 1 mate message(mates \" \" gamenumber)";
    fs::write(folder.join("count.cql"), query).unwrap();
    let inputs = ["-i", "games.pgn", "-i", "more.pgn", "count.cql"];
    let run = |words: &[&str]| without_time(&stdout(&babson(folder, words)));
    let whole = run(&[&inputs[..], &["-o", "whole.jsonl"]].concat());
    assert!(whole.contains("64 "), "{whole}");
    let resumed = run(&[&inputs[..], &["-o", "resumed.jsonl", "--resume", "kept"]].concat());
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "more.pgn", "--slices", "1"]));
    run(&["scan", "--slice", plan.trim(), "count.cql", "-o", "0.part"]);
    let merged = run(&["merge", "0.part", "-o", "merged.jsonl"]);
    let read = |name: &str| fs::read(folder.join(format!("{name}.jsonl"))).unwrap();
    for (name, told) in [("resumed", resumed), ("merged", merged)] {
        assert_eq!(told.replace(name, "whole"), whole);
        assert!(read(name) == read("whole"), "{name}");
    }
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "more.pgn", "--slices", "2"]));
    let slice = plan.lines().next().unwrap();
    let refused = babson(folder, &["scan", "--slice", slice, "count.cql", "-o", "1.part"]);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("only in a plan of one slice: "), "{told}");
}

#[test]
fn several_queries_and_resume() {
    let bench = bench();
    let folder = bench.path();
    fs::write(folder.join("stale.cql"), "stalemate").unwrap();
    let run = |more: &[&str]| {
        let words: Vec<&str> = more.iter().copied().chain(["mate.cql", "stale.cql"]).collect();
        without_time(&stdout(&babson(folder, &words)))
    };
    let whole = run(&["-i", "games.pgn", "-o", "whole/"]);
    let resumed = run(&["-i", "games.pgn", "-o", "resumed/", "--resume", "kept"]);
    assert_eq!(resumed.replace("resumed/", "whole/"), whole);
    assert!(!folder.join("kept").exists());
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "2"]));
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        run(&["scan", "--slice", slice, "-o", part.as_str()]);
    }
    stdout(&babson(folder, &["merge", "0.part", "1.part", "-o", "merged/"]));
    for name in ["mate.pgn", "stale.pgn"] {
        let read = |folder_name: &str| fs::read(folder.join(folder_name).join(name)).unwrap();
        assert!(read("whole") == read("resumed") && read("whole") == read("merged"), "{name}");
    }
}

/// A part that cannot be written is named once.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_names_the_part_once() {
    let bench = bench();
    let folder = bench.path();
    let plan = stdout(&babson(folder, &["plan", "games.pgn", "--slices", "1"]));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(folder)
        .args(["scan", "--slice", plan.trim(), "-o", "-", "mate.cql"])
        .stdout(full)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("cannot write stdout: No space left"), "{error}");
    assert_eq!(error.matches("cannot write").count(), 1, "{error}");
}
