//! Options and inputs that do not go together: each is done right or refused with a sentence.

use crate::bench::Bench;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.put("check.cql", b"cql() check");
    bench.put("sorted.cql", b"cql() mate sort \"plies\" ply");
    bench.put("other.cql", b"cql() check sort \"plies\" ply");
    bench
}

/// Parts of games of several queries: a shared output of PGN or EPD has them with the names of the
/// queries, other formats are refused.
#[test]
fn parts_of_games_of_several_queries() {
    let bench = bench();
    let base = ["games.pgn", "mate", "check", "--fragment"];
    bench.expect(0, &[&base[..], &["-o", "all.pgn"]].concat());
    let all = bench.text("all.pgn");
    let names: Vec<&str> = all.lines().filter(|line| line.starts_with("[Query")).collect();
    let (mate, check) = ("[Query \"mate\"]", "[Query \"check\"]");
    assert_eq!(names, [mate, check, mate, check]);
    assert_eq!(all.matches("[FEN ").count(), 4);
    bench.expect(0, &[&base[..], &["2", "-o", "all.epd"]].concat());
    assert_eq!(bench.text("all.epd").matches(" query \"").count(), 4);
    for output in [&["-o", "all.csv"][..], &["-o", "all.jsonl"], &["-o", "{query}.csv"]] {
        let (_, stderr) = bench.expect(2, &[&base[..], output].concat());
        assert!(stderr.contains("parts of games are written as .pgn or .epd"), "{stderr}");
    }
    let (_, stderr) = bench.expect(2, &[&base[..], &["-o", "out/", "--format", "csv"]].concat());
    assert!(stderr.contains("out/mate.csv: parts of games"), "{stderr}");
}

/// The best games of several queries: each has an order of its own, so a shared output is refused.
#[test]
fn the_best_games_of_several_queries() {
    let bench = bench();
    let base = ["games.pgn", "sorted", "other", "--top", "1"];
    for output in ["all.csv", "all.pgn", "-"] {
        let (_, stderr) = bench.expect(2, &[&base[..], &["-o", output]].concat());
        assert!(stderr.contains("--top writes the best games of each query"), "{stderr}");
    }
    bench.expect(0, &[&base[..], &["-o", "{query}.csv"]].concat());
    for query in ["sorted", "other"] {
        assert_eq!(bench.text(&format!("{query}.csv")).lines().count(), 2);
    }
    let nosort = [&base[..], &["-o", "all.csv", "--nosort"]].concat();
    let (_, stderr) = bench.expect(2, &nosort);
    assert!(stderr.contains("--top and --nosort exclude each other"), "{stderr}");
}

/// A folder that contains itself is read once.
#[cfg(unix)]
#[test]
fn a_folder_in_itself() {
    let bench = bench();
    std::fs::create_dir(bench.path("base")).unwrap();
    bench.put("base/games.pgn", &bench.get("games.pgn"));
    std::os::unix::fs::symlink(".", bench.path("base/self")).unwrap();
    std::os::unix::fs::symlink("../base", bench.path("base/again")).unwrap();
    let (stdout, stderr) = bench.expect(0, &["-i", "base", "--count", "mate"]);
    assert_eq!(stdout, "2\n");
    assert!(stderr.contains("2 matches of 3 games"), "{stderr}");
}

#[test]
fn imports_that_do_not_end_or_do_not_exist() {
    let bench = bench();
    bench.put("a.cql", b"import \"b.cql\" mate");
    bench.put("b.cql", b"import \"a.cql\" function f() {1}");
    bench.put("missing.cql", b"import \"none.cql\" mate");
    let (_, stderr) = bench.expect(1, &["games.pgn", "--count", "a"]);
    assert!(stderr.contains("imports itself: b.cql"), "{stderr}");
    let (_, stderr) = bench.expect(1, &["games.pgn", "--count", "missing"]);
    assert!(stderr.contains("no file `none.cql` was found to import"), "{stderr}");
    assert!(stderr.contains("missing.cql:1:8"), "{stderr}");
}
