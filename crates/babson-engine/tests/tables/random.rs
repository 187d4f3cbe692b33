//! Random queries find the same in a table as in its PGN.

use std::path::Path;

use babson_lang::Dialect;
use babson_pgn::Games;
use proptest::prelude::*;

use super::{assert_same, corpus, job, pack, search_job};

/// Conditions on one position or on the whole game.
fn leaf() -> impl Strategy<Value = String> {
    let square = || "[a-h][1-8]";
    let piece = || "[KQRBNPkqrbnpAa_]";
    let compared = || prop::sample::select(vec!["<", "<=", "==", "!=", ">=", ">"]);
    let word = prop::sample::select(vec![
        "check",
        "mate",
        "stalemate",
        "wtm",
        "btm",
        "initial",
        "terminal",
        "variation",
        "mainline",
        "enpassant",
        "castle",
        "o-o",
        "o-o-o",
        "passedpawns",
        "doubledpawns",
        "move promote [QRBN]",
        "move promote N",
        "move null",
        "move previous capture A",
        "primary",
        "secondary",
        "pin",
        "[RQ] attacks k",
        "k attackedby [Nb]",
        "ray (R . k)",
        "result 1-0",
        "result 1/2-1/2",
        "player \"a\"",
        "player white \"Al\"",
        "event \"o\"",
        "site \"e\"",
        "eco \"C\"",
        "elo > 2300",
        "elo white < 2500",
        "year < 1925",
        "date ~~ \"19..\"",
        "variant",
        "originalcomment \"e\"",
        "true",
        "false",
    ]);
    let moves = prop::sample::select(vec!["--", "[x]", "previous --", "legal --"]);
    prop_oneof![
        4 => word.prop_map(str::to_owned),
        3 => (piece(), square()).prop_map(|(piece, square)| format!("{piece}{square}")),
        1 => (piece(), piece(), "[a-d][1-4]").prop_map(|(one, two, at)| format!("[{one}{two}]{at}")),
        3 => (piece(), compared(), 0..10)
            .prop_map(|(piece, compared, number)| format!("#{piece} {compared} {number}")),
        1 => (piece(), piece(), compared())
            .prop_map(|(one, two, compared)| format!("#{one} {compared} #{two}")),
        // Sums that wrap around, and some that are only near to it.
        1 => (piece(), compared(), 0..12, 0..12).prop_map(|(piece, compared, below, other)| {
            let [below, other] = [i32::MAX - below, i32::MAX - other];
            format!("#{piece} + {below} {compared} {other}")
        }),
        1 => (piece(), compared(), 0..40)
            .prop_map(|(piece, compared, number)| format!("power {piece} {compared} {number}")),
        1 => (compared(), -9..10)
            .prop_map(|(compared, number)| format!("power A - power a {compared} {number}")),
        1 => (compared(), 0..90).prop_map(|(compared, number)| format!("ply {compared} {number}")),
        2 => (moves, piece(), square()).prop_map(|(dash, piece, square)| match dash.split_once(' ') {
            Some((word, dash)) => format!("{word} {piece}{dash}{square}"),
            None => format!("{piece}{dash}{square}"),
        }),
        1 => (piece(), square())
            .prop_map(|(piece, square)| format!("move from {piece} to {square}")),
        1 => (piece(), square())
            .prop_map(|(piece, square)| format!("move from {square} capture {piece}")),
    ]
}

/// Filters over other filters. `#` and `%` stand for these.
const FRAMES: &[&str] = &[
    "not {#}",
    "({#} or {%})",
    "({#} and {%})",
    "{#} {%}",
    "find {#}",
    "find <-- {#}",
    "not find {#}",
    "find 2 4 {#}",
    "find 0 1 {#}",
    "find all {#} == 0",
    "find all {#} > 2",
    "flipcolor {#}",
    "flip {#}",
    "shift {#}",
    "shifthorizontal {#}",
    "reversecolor {#}",
    "line --> {#} --> {%}",
    "line --> {#}* --> {%}",
    "line <-- {#} <-- {%}",
    "line --> {#} --> {%}? --> .",
    "path {#} -- {%}",
    "path -- {#}? --({%})",
    "--({#})",
    "previous --({#})",
    "parent:{#}",
    "child:{#}",
    "initialposition:{#}",
    "if {#} then {%}",
    "if {#} then {%} else check",
    "square all x in A { {#} or x attacks a }",
    "piece x in [Qr] { {#} find { x attacks k } }",
    "imagine piece Q --> [Nn] : {#}",
    "imagine sidetomove reverse : {#}",
    "move legal : {#}",
    "move pseudolegal : {#}",
    "move legal reverse : {#}",
    "move legal null : {#}",
    "consecutivemoves 2 (initialposition currentposition)",
    "echo (s t) { {#} {%} }",
    "(isbound y or {#})",
    "{ y = 0 while (y < 2) { y += 1 {#} } }",
    "notransform {#}",
    "try {#}",
];

fn filter() -> impl Strategy<Value = String> {
    leaf().prop_recursive(3, 8, 2, |inner| {
        let frame = prop::sample::select(FRAMES);
        (frame, inner.clone(), inner).prop_map(|(frame, one, two)| {
            frame.replace('#', "\u{1}").replace('%', &two).replace('\u{1}', &one)
        })
    })
}

/// What stands before and after the conditions.
fn query() -> impl Strategy<Value = String> {
    let header = prop::sample::select(vec![
        "",
        "",
        "cql()",
        "cql(variations)",
        "cql(variations)",
        "cql(matchcount 2 9)",
        "cql(matchcount 0 1)",
        "cql(variations matchcount 0)",
        "cql(gamenumber 3 9)",
        "cql(result 1-0)",
        "cql(silent)",
    ]);
    let before = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        "persistent sum += 1",
        "persistent sum += 1 message quiet(sum)",
        "persistent dictionary D D[ply] = 1",
        "message quiet(ply)",
        "cqlend { message(\"end\") }",
    ]);
    let after = prop::sample::select(vec![
        "",
        "",
        "comment(ply)",
        "message(ply)",
        "sort \"n\" #A",
        "sort min \"p\" ply",
        "sort \"w\" player white",
        "settag(\"X\" \"y\") removetag(\"Event\")",
        "sort \"n\" { find all check }",
        "readfile \"nothing\"",
    ]);
    let filters = prop::collection::vec(filter(), 1..3);
    (header, before, filters, after).prop_map(|(header, before, filters, after)| {
        [header, before, &filters.join(" "), after].join(" ").trim().to_owned()
    })
}

/// Odd games, and some of each other database of the corpus.
fn write_games(pgn: &Path) {
    let mut games = std::fs::read(corpus("games/special.pgn")).unwrap();
    for (name, taken) in [
        ("odd-positions.pgn", 12),
        ("studies.pgn", 12),
        ("masters-2k.pgn", 8),
        ("variants/random-crazyhouse.pgn", 1),
        ("variants/random-atomic.pgn", 1),
        ("variants/random-chess960.pgn", 1),
    ] {
        let text = std::fs::read(corpus("games").join(name)).unwrap();
        for (_, game) in Games::new(&text).skip(7).take(taken) {
            games.extend_from_slice(b"\n\n");
            games.extend_from_slice(game.trim_ascii());
        }
    }
    games.push(b'\n');
    std::fs::write(pgn, games).unwrap();
}

/// `PROPTEST_CASES` asks for more of them.
#[test]
fn random_queries_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    write_games(&pgn);
    pack(&pgn, &table, 16);
    let counts = std::cell::Cell::new([0, 0, 0]);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&(query(), any::<bool>()), |(query, cql6)| {
        let dialect = if cql6 { Dialect::CQL6 } else { Dialect::CQLI };
        let [tried, searched, matched] = counts.get();
        counts.set([tried + 1, searched, matched]);
        let Some(mut job) = job(&query, dialect) else { return Ok(()) };
        job.options.steps = 100_000;
        let of_pgn = search_job(&pgn, job.clone(), 1);
        // A game that its facts rule out reaches no limit.
        if of_pgn.contains("limit: Some(Steps)") {
            return Ok(());
        }
        let of_table = search_job(&table, job, 2);
        assert_same(&query, &of_pgn, &of_table);
        let finds = !of_pgn.contains(" 0 matches");
        counts.set([tried + 1, searched + 1, matched + usize::from(finds)]);
        Ok(())
    });
    let [tried, searched, matched] = counts.get();
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(3 * searched > tried && 4 * matched > searched, "{tried} {searched} {matched}");
}

/// A filter that ends in an error needs nothing of what it would evaluate after it.
#[test]
fn an_error_comes_before_the_conditions_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    write_games(&pgn);
    pack(&pgn, &table, 16);
    for (query, fails) in [
        ("echo (s t) {echo (s t) {#Q == 8}}", true),
        ("echo (s t) {echo (t u) {#Q == 8}}", true),
        ("square s in A {echo (s t) {#Q == 8}}", false),
        ("echo (s t) {echo (u v) {#Q == 8}}", false),
    ] {
        let of_pgn = search_job(&pgn, job(query, Dialect::CQLI).unwrap(), 1);
        assert_eq!(!of_pgn.contains(" 0 errors"), fails, "{query}: {of_pgn}");
        assert_same(query, &of_pgn, &search_job(&table, job(query, Dialect::CQLI).unwrap(), 2));
    }
}
