//! Outputs that are many files, through the command.

mod common;

use std::fs;
use std::path::Path;

use common::{babson, text};
use tempfile::TempDir;

/// A folder `work` with these games, inside a folder that nobody may write to.
fn bench(games: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("work")).unwrap();
    fs::write(folder.path().join("work/g.pgn"), games).unwrap();
    folder
}

/// All files below a folder with their sizes, by name.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path.display().to_string()),
        }
    }
    found.sort();
    found
}

fn names(folder: &TempDir) -> Vec<String> {
    let slashed = |name: String| name.replace(std::path::MAIN_SEPARATOR, "/");
    let root = slashed(format!("{}/", folder.path().display()));
    files(folder.path()).into_iter().map(|name| slashed(name).replacen(&root, "", 1)).collect()
}

const GAMES: &str = "[Event \"one\"]\n[ECO \"B90\"]\n\n1. e4 c5 2. Nf3 *\n\n\
    [Event \"two\"]\n[ECO \"C20\"]\n\n1. e4 e5 *\n\n\
    [Event \"three\"]\n[ECO \"B90\"]\n\n1. e4 *\n\n\
    [Event \"four\"]\n\n1. d4 *\n";

#[test]
fn games_go_to_the_files_of_their_tags() {
    let folder = bench(GAMES);
    let work = folder.path().join("work");
    let words = ["-i", "g.pgn", "-o", "{tag:ECO}.pgn", "--cql", "initial", "--quiet"];
    for most in ["1", "100"] {
        let mut words = words.to_vec();
        words.extend(["--maxopenoutputfiles", most]);
        let output = babson(&work, &words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("to {tag:ECO}.pgn (3 files)"));
        let written = |name: &str| fs::read_to_string(work.join(name)).unwrap();
        let events = |name: &str| written(name).matches("[Event").count();
        assert_eq!([events("B90.pgn"), events("C20.pgn"), events("none.pgn")], [2, 1, 1]);
        let b90 = written("B90.pgn");
        assert!(b90.find("one").unwrap() < b90.find("three").unwrap());
    }
    assert_eq!(names(&folder), ["work/B90.pgn", "work/C20.pgn", "work/g.pgn", "work/none.pgn"]);
    // They grow, or are kept.
    let output = babson(&work, &["-i", "g.pgn", "--append", "{tag:ECO}.pgn", "--cql", "initial"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let b90 = fs::read_to_string(work.join("B90.pgn")).unwrap();
    assert_eq!(b90.matches("[Event").count(), 4);
    let mut words = words.to_vec();
    words.push("--noclobber");
    let output = babson(&work, &words);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("cannot write B90.pgn: it exists (`--noclobber`: "));
    assert_eq!(fs::read_to_string(work.join("B90.pgn")).unwrap(), b90);
}

#[test]
fn games_go_to_the_files_of_what_the_query_found() {
    let folder = bench(GAMES);
    let work = folder.path().join("work");
    let query = r#"initial sort "plies" {find all true} settag("Side" if movenumber == 1 then "w" else "b")"#;
    let output = babson(
        &work,
        &[
            "-i",
            "g.pgn",
            "-o",
            "out/{tag:Side}/{sort:plies}.pgn",
            "--createdirectories",
            "--cql",
            query,
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        names(&folder),
        ["work/g.pgn", "work/out/w/2.pgn", "work/out/w/3.pgn", "work/out/w/4.pgn"]
    );
    let page = ["-i", "g.pgn", "-o", "{tag:ECO}.html", "-o", "{tag:ECO}.csv", "--cql", "initial"];
    assert_eq!(babson(&work, &page).status.code(), Some(0));
    let html = fs::read_to_string(work.join("C20.html")).unwrap();
    assert!(html.starts_with("<!") && html.trim_end().ends_with("</html>"));
    let csv = fs::read_to_string(work.join("C20.csv")).unwrap();
    assert_eq!(csv.lines().count(), 2);
}

#[test]
fn any_number_of_threads_gives_the_same_files() {
    let folder = bench("");
    let work = folder.path().join("work");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
    let mut runs = Vec::new();
    for threads in ["1", "3"] {
        let out = format!("{threads}/{{tag:ECO}}-{{tag:Result}}.pgn");
        let output = babson(
            &work,
            &[
                "-i",
                games,
                "-o",
                &out,
                "--createdirectories",
                "--threads",
                threads,
                "--maxopenoutputfiles",
                "7",
                "--cql",
                "sort \"n\" {find all check}",
            ],
        );
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let root = work.join(threads);
        let found: Vec<(String, Vec<u8>)> = files(&root)
            .into_iter()
            .map(|name| (name.replace(root.to_str().unwrap(), ""), fs::read(&name).unwrap()))
            .collect();
        assert_eq!(found.len(), 673);
        runs.push(found);
    }
    assert!(runs[0] == runs[1]);
}

#[test]
fn no_tag_leads_out_of_the_folder() {
    let mut games = String::new();
    for name in [
        "../up",
        "..",
        "/etc/passwd",
        "a/b",
        ".hidden",
        "\\\\\\\\host",
        "%2e%2e",
        "C:",
        "~",
        "x\u{0}y",
    ] {
        games += &format!("[Event \"{name}\"]\n\n1. e4 *\n\n");
    }
    let folder = bench(&games);
    let work = folder.path().join("work");
    fs::create_dir(work.join("out")).unwrap();
    let output = babson(
        &work,
        &[
            "-i",
            "g.pgn",
            "-o",
            "out/{tag:Event}/{tag:Event}.pgn",
            "--createdirectories",
            "--cql",
            "initial",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let all = names(&folder);
    assert_eq!(all.len(), 10, "{all:?}");
    for name in all.iter().filter(|name| *name != "work/g.pgn") {
        assert!(name.starts_with("work/out/"), "{name}");
        assert_eq!(name.matches('/').count(), 3, "{name}");
        assert!(!name.contains("/."), "{name}");
    }
}

#[test]
fn a_dry_run_names_and_makes_nothing() {
    let folder = bench(GAMES);
    let work = folder.path().join("work");
    let words = [
        "-i",
        "g.pgn",
        "-o",
        "new/{tag:ECO}.pgn",
        "-o",
        "all.pgn",
        "--dryrun",
        "--createdirectories",
        "--cql",
        "initial",
    ];
    let output = babson(&work, &words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "all.pgn\nnew/B90.pgn (2)\nnew/C20.pgn (1)\nnew/none.pgn (1)\n"
    );
    assert_eq!(names(&folder), ["work/g.pgn"]);
    assert!(!work.join("new").exists());
}

#[test]
fn mistakes_leave_nothing() {
    let folder = bench(GAMES);
    let work = folder.path().join("work");
    for (code, output, wanted) in [
        (2, "{eco}.pgn", "`{eco}` is not a placeholder"),
        (2, "{tag:ECO.pgn", "an unmatched brace"),
        (2, "{sort:x}.pgn", "no sort key called x; it has none"),
        (2, "{tag:ECO}", "an output ends in"),
        (
            3,
            "no/{tag:ECO}.pgn",
            "cannot write no/B90.pgn: its folder does not exist (`--createdirectories`: ",
        ),
        (
            3,
            "no/x.csv",
            "cannot write no/x.csv: its folder does not exist (`--createdirectories`: ",
        ),
    ] {
        let output = babson(&work, &["-i", "g.pgn", "-o", output, "--cql", "initial"]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{shown}");
        assert!(shown.contains(wanted), "{shown}");
        assert_eq!(names(&folder), ["work/g.pgn"]);
    }
    fs::rename(work.join("g.pgn"), work.join("B90.pgn")).unwrap();
    let output = babson(&work, &["-i", "B90.pgn", "-o", "{tag:ECO}.pgn", "--cql", "initial"]);
    let shown = text(&output.stderr);
    assert!(shown.contains("B90.pgn is both an output and the input B90.pgn"), "{shown}");
    let words = ["-i", "B90.pgn", "-o", "C20.pgn", "-o", "{tag:ECO}.pgn", "--cql", "eco \"C20\""];
    let shown = text(&babson(&work, &words).stderr);
    assert!(shown.contains("C20.pgn is both an output and the output C20.pgn"), "{shown}");
    assert_eq!(names(&folder), ["work/B90.pgn"]);
}
