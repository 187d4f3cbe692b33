//! The hint after a search for a text in a tag that the games have with other capitals.

use crate::bench::{Bench, corpus};

#[test]
fn a_name_with_other_capitals() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let hint = "babson: no player's name contains 'alekhine', but 1660 games have 'Alekhine': \
                capitals and small letters differ\n";
    bench.put("white.cql", b"cql() player white \"alekhine\"");
    bench.put("none.cql", b"cql() #K == 7");
    for words in [
        &["--player", "alekhine", "--count", "--cql", "mate"][..],
        &["--count", "--cql", "player \"alekhine\" mate"],
        &["--threads", "1", "--cql", "player ~~ \"alekhine\""],
        &["-o", "out/", "--player", "alekhine", "mate", "none"],
    ] {
        let (_, stderr) = bench.expect(0, &[&["-i", &games], words].concat());
        assert_eq!(stderr.matches("capitals").count(), 1, "{words:?} {stderr}");
        assert!(stderr.contains(hint), "{words:?} {stderr}");
    }
    let (_, stderr) = bench.expect(0, &["-i", &games, "-o", "out/", "white", "none"]);
    assert!(stderr.contains("games have 'Alekhine'") && !stderr.contains("1660"), "{stderr}");
    // Something was found, the name is right, no name is like it, or nothing but results is shown.
    for words in [
        &["--player", "alekhine", "--count", "-q", "--cql", "mate"][..],
        &["--player", "Alekhine", "--count", "--cql", "#K == 7"],
        &["--player", "Nobody", "--count", "--cql", "mate"],
        &["--count", "--cql", "mate or player \"alekhine\""],
        &["--count", "mate", "white"],
        // Not all games were searched.
        &["-g", "1", "3", "--player", "alekhine", "--count", "--cql", "#K == 7"],
    ] {
        let (_, stderr) = bench.expect(0, &[&["-i", &games], words].concat());
        assert!(!stderr.contains("capitals"), "{words:?} {stderr}");
    }
}

#[test]
fn a_name_with_the_first_name_first() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    for name in ["Alexander Alekhine", "alexander alekhine"] {
        let hint = format!(
            "babson: no player's name contains '{name}', but 1653 games have 'Alekhine, Alexander': \
             the last name stands first\n"
        );
        let (_, stderr) =
            bench.expect(0, &["-i", &games, "--count", "--player", name, "--cql", "mate"]);
        assert!(stderr.contains(&hint), "{stderr}");
        let query = format!("player \"{name}\"");
        let (_, stderr) = bench.expect(0, &["why", &games, "--cql", &query]);
        assert!(stderr.contains(&hint), "{stderr}");
    }
    let (_, stderr) = bench.expect(2, &["why", &games, "--player", "alekhine", "--cql", "mate"]);
    assert!(stderr.contains("but 1660 games have 'Alekhine'"), "{stderr}");
}

/// A reordered name is not contained in the name of the games.
#[test]
fn a_whole_name_with_the_first_name_first() {
    let bench = Bench::new();
    let game = "[White \"Berg, Jan van der\"]\n\n1. e4 *\n\n";
    let query = "player == \"Jan van der Berg\"";
    for (games, have) in [(1, "1 game has"), (2, "2 games have")] {
        bench.put("b.pgn", game.repeat(games).as_bytes());
        let (_, stderr) = bench.expect(0, &["-i", "b.pgn", "--count", "--cql", query]);
        let hint = format!(
            "babson: no player's name is 'Jan van der Berg', but {have} 'Berg, Jan van der': the \
             last name stands first\n"
        );
        assert!(stderr.contains(&hint), "{stderr}");
    }
}

/// `|` separates alternatives only in a regular expression.
#[test]
fn alternatives_in_a_text() {
    let bench = Bench::new();
    for (query, filter) in [
        ("player \"Adams|Bird\"", "player"),
        ("player white \"Adams|Bird\" mate", "player"),
        ("event \"Adams|Bird\"", "event"),
        ("\"Adams|Bird\" in tag \"Annotator\"", "tag \"Annotator\""),
    ] {
        let (_, stderr) = bench.expect(0, &["-i", "games.pgn", "--count", "--cql", query]);
        let hint = format!(
            "babson: the text 'Adams|Bird' is not a regular expression: `{filter} ~~ \
             \"Adams|Bird\"` looks for its alternatives\n"
        );
        assert!(stderr.contains(&hint), "{query}\n{stderr}");
        assert_eq!(stderr.matches("regular expression").count(), 1, "{query}\n{stderr}");
    }
    for query in ["player ~~ \"Nobody|None\"", "initial or player \"Adams|Bird\""] {
        let (_, stderr) = bench.expect(0, &["-i", "games.pgn", "--count", "--cql", query]);
        assert!(!stderr.contains("regular expression"), "{query}\n{stderr}");
    }
}

#[test]
fn a_text_of_another_tag_with_other_capitals() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    for (words, hint) in [
        (&["--cql", "site \"london\""][..], "no site contains 'london', but "),
        (&["--site", "london", "--cql", "mate"], "no site contains 'london', but "),
        (&["--event", "hastings", "--cql", "true"], "no event contains 'hastings', but "),
        (&["--cql", "eco \"c8\""], "no ECO code contains 'c8', but "),
        (&["--cql", "\"b\" in tag \"ECO\""], "no ECO code contains 'b', but "),
        (&["--cql", "site == \"london\""], "no site is 'london', but "),
    ] {
        let (_, stderr) = bench.expect(0, &[&["-i", &games, "--count"], words].concat());
        assert!(stderr.contains(hint), "{words:?} {stderr}");
        assert_eq!(stderr.matches("but ").count(), 1, "{words:?} {stderr}");
    }
    for query in ["site \"London\" #K == 7", "eco \"C8\" #K == 7", "site \"Atlantis\"", "eco \"\""]
    {
        let (_, stderr) = bench.expect(0, &["-i", &games, "--count", "--cql", query]);
        assert!(!stderr.contains("but "), "{query} {stderr}");
    }
}
