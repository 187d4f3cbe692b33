//! The hint after a search for a player whose name has other capitals.

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
