//! `--exit-status`: a script tells from the exit code whether a game matched.

use crate::bench::Bench;

const NONE: &[u8] = b"cql() #K == 7";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.put("none.cql", NONE);
    bench.put("longest.cql", b"cql() terminal sort \"moves\" movenumber");
    bench.put("unsorted.cql", b"cql() #K == 7 sort \"moves\" movenumber");
    bench.put("broken.cql", b"cql() frobnicate (");
    bench.put("ends.cql", b"cql() assert gamenumber < 2");
    bench
}

#[test]
fn a_match_none_or_an_error() {
    let bench = bench();
    bench.put("damaged.pgn", b"[Event \"a\"]\n\n1. e4 e5 2. Ke7 *\n");
    for (code, words) in [
        (0, &["-o", "out.pgn", "mate"][..]),
        (1, &["-o", "out.pgn", "none"]),
        (0, &["--count", "mate"]),
        (1, &["--count", "none"]),
        (0, &["--count", "--first", "all"]),
        (1, &["--count", "--first", "none"]),
        (0, &["-o", "out.pgn", "--top", "1", "longest"]),
        (1, &["-o", "out.pgn", "--top", "1", "unsorted"]),
        (1, &["--count", "-g", "2", "mate"]),
        (0, &["--count", "-g", "1", "mate"]),
        (1, &["--count", "--player", "Nobody", "mate"]),
        (1, &["--cql", "#K == 7"]),
        (0, &["--cql", "mate"]),
        // Any of several queries.
        (0, &["--count", "none", "mate"]),
        (1, &["--count", "none", "unsorted"]),
        (0, &["-o", "out/", "none", "mate"]),
        (1, &["-o", "all.csv", "--nosort", "none", "unsorted"]),
        // An error wins.
        (2, &["--count", "broken"]),
        (2, &["--count", "ends"]),
        (2, &["--count", "mate", "broken"]),
        (2, &["--count", "mate", "ends"]),
        (2, &["--count", "--steps", "1", "--cql", "loop while (true) {1}"]),
        (2, &["--count", "--nothing", "mate"]),
        (2, &["-o", "out.pgn", "--top", "1", "mate"]),
        (3, &["-i", "missing.pgn", "--count", "mate"]),
        // Without a search there is nothing to match.
        (0, &["-o", "out.pgn", "--dryrun", "none"]),
        (1, &["-o", "{tag:Event}.pgn", "--dryrun", "none"]),
        (0, &["-o", "{tag:Event}.pgn", "--dryrun", "mate"]),
        (0, &["--parse", "mate"]),
        (2, &["--parse", "broken"]),
    ] {
        bench.expect(code, &[&["-i", "games.pgn", "--exit-status"], words].concat());
    }
    // A damaged game is not an error, as without the option.
    bench.expect(1, &["-i", "damaged.pgn", "--exit-status", "--count", "mate"]);
    bench.expect(0, &["-i", "damaged.pgn", "--exit-status", "--count", "all"]);
    // Without the option the codes are as ever.
    bench.expect(0, &["-i", "games.pgn", "--count", "none"]);
    bench.expect(1, &["-i", "games.pgn", "--count", "mate", "broken"]);
}

/// The matches of slices are known when they are merged.
#[test]
fn slices() {
    let bench = bench();
    for (code, query) in [(0, "mate"), (1, "none")] {
        let (plan, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
        let slice = plan.lines().next().unwrap();
        bench.expect(0, &["scan", "--slice", slice, "-o", "0.part", query]);
        bench.expect(code, &["merge", "0.part", "--count", "--exit-status"]);
        bench.expect(0, &["merge", "0.part", "--count"]);
        let words =
            ["-i", "games.pgn", "--resume", "kept", "-o", "out.pgn", "--exit-status", query];
        bench.expect(code, &words);
        let words = ["scan", "--slice", slice, "-o", "1.part", "--exit-status", query];
        let (_, stderr) = bench.expect(2, &words);
        assert!(stderr.contains("merge"), "{stderr}");
    }
    bench.expect(3, &["merge", "missing.part", "--count", "--exit-status"]);
}
