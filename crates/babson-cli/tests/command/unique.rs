//! `--unique`: games that are equal to an earlier one are left out.

use std::fs;

use crate::archives::zip;
use crate::bench::{Bench, GAMES, corpus};

#[test]
fn equal_games_are_left_out_and_counted() {
    let bench = Bench::new();
    let all = corpus("masters-2k.pgn");
    let search = ["-i", &all, "--cql", "mate", "--count"];
    let (once, _) = bench.expect(0, &search);
    let (twice, told) = bench.expect(0, &[&search[..], &["-i", &all]].concat());
    assert_ne!(once, twice);
    let advice = "so its games are searched twice: name it once, or leave out equal games with \
                  --unique\n";
    assert!(told.contains(&format!("{all} is an input twice, {advice}")), "{told}");
    let (found, told) = bench.expect(0, &[&search[..], &["-i", &all, "--unique"]].concat());
    assert_eq!(found, once);
    assert!(told.contains("2000 games equal to earlier ones, left out\n"), "{told}");
    let (_, told) = bench.expect(0, &["pack", &all, &all, "-o", "both.arrow"]);
    let warning = "babson: 2000 of 4000 games are equal to an earlier one (the same players, date \
                   and moves): --unique leaves such games out\n";
    assert_eq!(told, warning);
    let (printed, told) = bench.expect(0, &["pack", &all, &all, "--unique", "-o", "one.arrow"]);
    assert_eq!(told, "");
    let lines = "2000 games equal to earlier ones, left out\n2000 games in ";
    assert!(printed.starts_with(lines), "{printed}");
    bench.expect(0, &["pack", &all, "-o", "plain.arrow"]);
    assert_eq!(bench.get("one.arrow"), bench.get("plain.arrow"));
}

/// A warning names a file that is an input twice, under whatever names, and its games are searched
/// again.
#[test]
fn files_that_are_inputs_twice_are_told() {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    let members = [("a.pgn", GAMES), ("b.pgn", GAMES)];
    for (name, bytes) in [("db/a.pgn", GAMES.to_vec()), ("db/b.zip", zip(&members))] {
        bench.put(name, &bytes);
    }
    let told_of = |inputs: &[&str], more: &[&str]| {
        let inputs = inputs.iter().flat_map(|input| ["-i", *input]);
        let words: Vec<&str> =
            inputs.chain(["--cql", "initial", "--count"]).chain(more.iter().copied()).collect();
        let (found, told) = bench.expect(0, &words);
        let line = told.lines().find(|line| line.contains("input")).map(str::to_owned);
        (found, line.unwrap_or_default())
    };
    let games = told_of(&["db/a.pgn"], &[]).0.trim().parse::<u32>().unwrap();
    let or_unique = ", or leave out equal games with --unique";
    let again = |name: &str, often: &str, advice: &str| {
        format!(
            "babson: {name} is an input {often}, so its games are searched {often}: name it \
             once{advice}"
        )
    };
    for (inputs, more, times, told) in [
        (&["db/a.pgn"][..], &[][..], 1, String::new()),
        (&["db/a.pgn", "db/b.zip"], &[], 3, String::new()),
        (&["db/a.pgn", "./db/../db/a.pgn"], &[], 2, again("./db/../db/a.pgn", "twice", or_unique)),
        (&["db", "db/a.pgn"], &[], 4, again("db/a.pgn", "twice", or_unique)),
        (&["db", "db/b.zip/b.pgn"], &[], 4, again("db/b.zip/b.pgn", "twice", or_unique)),
        (&["db/a.pgn"; 3], &["--resume", "kept"], 3, again("db/a.pgn", "3 times", "")),
        (
            &["db", "db"],
            &[],
            6,
            format!(
                "babson: db/a.pgn and 2 other files are inputs more than once, so their games are \
                 searched again: name each once{or_unique}"
            ),
        ),
        (&["db/a.pgn", "db/a.pgn"], &["--unique"], 1, String::new()),
    ] {
        assert_eq!(told_of(inputs, more), (format!("{}\n", games * times), told), "{inputs:?}");
    }
    let (_, told) = bench.expect(0, &["plan", "db/a.pgn", "db/a.pgn"]);
    assert_eq!(told, again("db/a.pgn", "twice", "") + "\n");
    #[cfg(unix)]
    {
        fs::hard_link(bench.path("db/a.pgn"), bench.path("hard.pgn")).unwrap();
        std::os::unix::fs::symlink("db/a.pgn", bench.path("link.pgn")).unwrap();
        for name in ["hard.pgn", "link.pgn"] {
            let (found, told) = told_of(&["db/a.pgn", name], &[]);
            assert_eq!(told, again(name, "twice", or_unique));
            assert_eq!(found, format!("{}\n", games * 2));
        }
    }
    // Nothing advises an option that the command does not have.
    for command in ["why", "profile"] {
        let words = [command, "-i", "db/a.pgn", "-i", "db/a.pgn", "--cql", "initial"];
        let (_, told) = bench.expect(0, &words);
        assert_eq!(told, again("db/a.pgn", "twice", "") + "\n");
    }
}

#[test]
fn slices_cannot_compare_all_games() {
    let bench = Bench::new();
    let words = ["games.pgn", "mate.cql", "-o", "out.pgn", "--unique", "--resume", "kept"];
    let (_, told) = bench.expect(2, &words);
    assert!(told.contains("--unique compares all games, and --resume searches slices"), "{told}");
    let (_, told) = bench.expect(2, &["pack", "--check", "--unique", "games.arrow"]);
    assert!(told.contains("--check writes no table: it takes no --unique"), "{told}");
}
