//! `convert --to modern`: a CQL 3 query and its modern form find the same games.

use std::path::Path;
use std::sync::LazyLock;

use babson::cql3::to_modern;
use babson::pgn::{Games, Needs, Reader};
use babson::{Dialect, Query};
use proptest::prelude::*;

fn corpus(file: &str) -> Vec<u8> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    std::fs::read(corpus.join(file)).expect("a file of the corpus")
}

/// Games with variations, FEN starts, promotions, null moves.
static GAMES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut games = corpus("games/special.pgn");
    for (file, count) in [("games/studies.pgn", 20), ("games/masters-2k.pgn", 4)] {
        // Long trees and nested sequences take long.
        for (_, game) in Games::new(&corpus(file)).filter(|(_, game)| game.len() < 1500).take(count)
        {
            games.extend_from_slice(game);
            games.extend_from_slice(b"\n\n");
        }
    }
    games
});

/// The numbers of the games that match, and where they are marked; nothing where the limit of steps
/// was reached.
fn games(query: &str, pgn: &[u8]) -> Vec<(u64, Option<Vec<u32>>)> {
    let text = query;
    let query = Query::builder(text).dialect(Dialect::CQL6).compile();
    let query = query.unwrap_or_else(|error| panic!("{text}\n{error}"));
    let mut matcher = query.matcher();
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for ((_, game), number) in Games::new(pgn).zip(1..) {
        match matcher.run_as(&reader.read(game, Needs::ALL), number) {
            // A long game may have more steps than a nest of sequences is given.
            Err(error) => {
                assert_eq!(error.filter, "limit", "{error:?}\n{text}");
                found.push((number, None));
            }
            Ok(Some(hit)) => {
                let marks = hit.comments().iter().filter(|(_, text)| *text == b"MATCH");
                let mut marks: Vec<u32> = marks.map(|(id, _)| id).collect();
                marks.sort_unstable();
                found.push((number, Some(marks)));
            }
            Ok(None) => {}
        }
    }
    found
}

#[test]
fn golden_queries_find_the_same_in_modern_form() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let text = std::fs::read_to_string(corpus.join("goldens/cql3.jsonl")).expect("cql3.jsonl");
    let (mut converted, mut refused) = (0, Vec::new());
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let word = |key: &str| case[key].as_str().unwrap_or_default();
        match to_modern(word("query")).map(|modern| modern.query) {
            Ok(modern) => {
                converted += 1;
                let pgn = std::fs::read(corpus.join("games").join(word("pgn"))).expect("games");
                let range = case["games"].as_array();
                let expected: Vec<u64> = case["expect_games"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(serde_json::Value::as_u64)
                    .collect();
                let mut found: Vec<u64> =
                    games(&modern, &pgn).iter().map(|(game, _)| *game).collect();
                if let Some([lo, hi]) = range.map(Vec::as_slice) {
                    let (lo, hi) = (lo.as_u64().unwrap_or(1), hi.as_u64().unwrap_or(u64::MAX));
                    found.retain(|game| (lo..=hi).contains(game));
                }
                assert_eq!(found, expected, "{}\n{}\n{modern}", word("id"), word("query"));
            }
            Err(errors) => refused.push(format!(
                "{}: {}",
                word("id"),
                errors.first().map_or("", |error| error.message.as_str())
            )),
        }
    }
    refused.sort();
    insta::assert_snapshot!(format!("{converted} converted\n{}", refused.join("\n")));
}

/// A position list at random: patterns on the edge and off it, moves, counts, transforms, nested
/// lists.
fn list(depth: u32) -> BoxedStrategy<String> {
    let designator = proptest::sample::select(vec![
        "Pd2", "pd7", "Kg1", "R", "[Rr]a1", "Q[a-h1]", "n", "kh8", "A[a1,h8]", ".d4", "U", "P",
        "[]", "Bc3",
    ]);
    let range =
        prop_oneof![Just(""), Just(" 0"), Just(" 1"), Just(" 2 5"), Just(" 0 3"), Just(" 5 2")];
    let number = prop_oneof![Just(" 0"), Just(" 3 30"), Just(" -2 4")];
    let word = proptest::sample::select(vec![
        ":wtm",
        ":btm",
        ":check",
        ":nocheck",
        ":mate",
        ":initial",
        ":terminal",
        ":enpassant",
        ":noenpassant",
    ]);
    let transform = proptest::sample::select(vec![
        ":flip",
        ":flipcolor",
        ":fliphorizontal",
        ":flipvertical",
        ":flipdiagonal",
        ":shifthorizontal",
        ":shiftvertical",
        ":shiftmaindiagonal",
        ":shift",
    ]);
    let part = proptest::sample::select(vec![":movefrom", ":moveto", ":promote"]);
    let ray = proptest::sample::select(vec![":ray", ":rayattack", ":rayvertical", ":raydiagonal"]);
    let leaf = prop_oneof![
        3 => designator.clone().prop_map(str::to_owned),
        2 => word.prop_map(str::to_owned),
        2 => (part, designator.clone()).prop_map(|(part, d)| format!("{part} {d}")),
        1 => (designator.clone(), range.clone()).prop_map(|(d, r)| format!(":piececount {d}{r}")),
        1 => (designator.clone(), designator.clone(), range.clone())
            .prop_map(|(a, b, r)| format!(":attackcount {a} {b}{r}")),
        1 => (ray, designator.clone(), designator.clone(), range)
            .prop_map(|(ray, a, b, r)| format!("{ray} ({a} {b}){r}")),
        1 => (designator, number).prop_map(|(d, r)| format!(":powerdifference {d}{r}")),
        2 => transform.prop_map(str::to_owned),
        1 => Just(":not".to_owned()),
    ];
    let nested = match depth {
        0 => return joined(proptest::collection::vec(leaf, 1..3).boxed()),
        depth => proptest::collection::vec(list(depth - 1), 1..3),
    };
    let logic = proptest::sample::select(vec![":and", ":or", ":sequence", ":gappedsequence"]);
    let item = prop_oneof![
        5 => leaf,
        1 => (logic, nested).prop_map(|(logic, lists)| format!("{logic} ({})", lists.join(" "))),
    ];
    joined(proptest::collection::vec(item, 1..4).boxed())
}

fn joined(items: BoxedStrategy<Vec<String>>) -> BoxedStrategy<String> {
    items.prop_map(|items| format!("(position {})", items.join(" "))).boxed()
}

/// A query of one or two lists, with counts and flags.
fn query() -> impl Strategy<Value = String> {
    let flags = proptest::sample::select(vec![
        "",
        "",
        " :markall",
        " :noannotate",
        " :variations",
        " :variationsonly",
        " :matchcount 2 9",
        " :matchcount 0 1",
        " :matchcount 15 1",
        " :matchcount -3 -1",
        " :pretransformmatchcount 2 5",
        " :pretransformmatchcount 0 1",
        " :markall :variations",
    ]);
    let top = (list(2), flags)
        .prop_map(|(list, flags)| format!("{}{flags})", list.strip_suffix(')').unwrap_or(&list)));
    proptest::collection::vec(top, 1..3).prop_map(|lists| format!("(match {})", lists.join("\n  ")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 100, ..ProptestConfig::with_cases(200) })]

    /// The modern form compiles and finds the same games, and marks the same positions unless it
    /// says otherwise.
    #[test]
    fn the_modern_form_finds_the_same_games(old in query()) {
        if let Ok(modern) = to_modern(&old) {
            let (mut here, mut there) = (games(&old, &GAMES), games(&modern.query, &GAMES));
            let unknown: Vec<u64> = here
                .iter()
                .chain(&there)
                .filter(|(_, marks)| marks.is_none())
                .map(|(game, _)| *game)
                .collect();
            for found in [&mut here, &mut there] {
                found.retain(|(game, _)| !unknown.contains(game));
                if !modern.changes.is_empty() {
                    found.iter_mut().for_each(|(_, marks)| *marks = None);
                }
            }
            prop_assert_eq!(here, there, "{}\n{}", old, modern.query);
        }
    }
}

/// CQL 3 transforms a list before the lists in it, a modern transform acts after those inside.
#[test]
fn transforms_keep_their_order() {
    for old in [
        "(match (position :and ((position :powerdifference [Rr]a1 3 30 :shifthorizontal)) :flip))",
        "(match (position Rc3 :and ((position Qd4 :flip)) :shift))",
        "(match (position :terminal k[e1-8] :and ((position Q[d1-8] :shifthorizontal)) :shifthorizontal))",
        "(match (position k[e-h1-8] :and ((position Pe5 :flipdiagonal)) :flipvertical))",
        // One alternative can match while a shift has moved the other one off the board.
        "(match (position :or ((position Pd2) (position Bc3)) :shifthorizontal))",
    ] {
        let modern = to_modern(old).expect("a modern form").query;
        let numbers = |query| games(query, &GAMES).into_iter().map(|(game, _)| game);
        assert!(numbers(old).eq(numbers(&modern)), "{old}\n{modern}");
    }
}

/// A query and its modern form.
#[test]
fn the_modern_form_is_readable() {
    let old = "(match :pgn heijden.pgn :output out.pgn :player costeff :result 1-0 :year 1934 2000\n\
               (position :wtm :moveto .d4 :check :or ((position :rayorthogonal ([qr] .d4 K))\n\
               (position :attackcount A k[a-c1-8] 0)) :flipcolor :markall))";
    insta::assert_snapshot!(
        to_modern(old).map(|modern| modern.query).unwrap_or_else(|errors| format!("{errors:#?}"))
    );
    let tags = "(match :forany rook [rR] (position $rook[a1]) (position $rook[h8]))";
    insta::assert_snapshot!(
        to_modern(tags).map(|modern| modern.query).unwrap_or_else(|errors| format!("{errors:#?}"))
    );
}

/// A `:not` in variations is about one continuation, a modern `not` about all of them.
#[test]
fn what_would_change_games_is_refused() {
    let old =
        "(match (position :variations :and ((position :initial) (position :movefrom Pe2 :not))))";
    let errors = to_modern(old).expect_err("it has no modern form");
    assert!(errors[0].message.contains("`:not` around a condition on a move"), "{errors:?}");
    for name in ["a\"or\"b", "a\""] {
        let errors = to_modern(&format!("(match :player {name} (position :wtm))"));
        let errors = errors.expect_err("a modern string has no quotes in it");
        assert!(errors[0].message.contains("a text with a quote"), "{errors:?}");
    }
    let line = old.replace(":variations ", "");
    assert_eq!(games(&line, &GAMES), games(&to_modern(&line).expect("on one line").query, &GAMES));
}

#[test]
fn comments_are_kept_and_changed_marks_are_told() {
    let old = "; A theme\n(match ; of two lists\n (position :mate :noannotate) ;; \"first\"\n (position \n ; second\n :check))\n;end";
    let modern = to_modern(old).expect("a modern form");
    insta::assert_snapshot!(modern.query);
    assert!(modern.changes.is_empty(), "{:?}", modern.changes);
    for (flags, changes) in [("", 1), (":markall", 0), (":noannotate", 0), (":matchcount 0 2", 0)] {
        let modern =
            to_modern(&format!("(match (position :check {flags}))")).expect("a modern form");
        assert_eq!(modern.changes.len(), changes, "{flags}");
    }
    let two = to_modern("(match (position :check) (position :mate))").expect("a modern form");
    assert!(two.changes[0].message.contains("gets the word twice"), "{:?}", two.changes);
}

/// Lists that never match, or always, are written so.
#[test]
fn what_never_matches_is_written_as_false() {
    for (list, body) in [
        (":promote []", "false"),
        (":promote [KP]", "false"),
        (":piececount [] 0", "true"),
        ("[] :not", "true"),
        (":matchcount 15 1", "initial\nfalse"),
        (":matchcount -3 -1", "initial\nfalse"),
        (":or ((position []) (position R))", "{\n  {\n    false\n  }\n  or {\n    R\n  }\n}"),
    ] {
        let modern =
            to_modern(&format!("(match (position {list} :noannotate))")).expect("a modern form");
        assert_eq!(modern.query, format!("cql(matchstring \"\")\n{body}\n"), "{list}");
    }
}

/// A slip in a name must not cost the query or the database.
#[test]
fn an_output_that_is_read_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("db.pgn"), "[Event \"?\"]\n\n1. e4 *\n").expect("a database");
    std::fs::write(path("old.cql"), "(match :pgn db.pgn (position :markall))").expect("a query");
    for (output, is_written) in [("old.cql", false), ("./db.pgn", false), ("new.cql", true)] {
        let before = std::fs::read(path(output)).ok();
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["convert", "--to", "modern", "old.cql", "-o", output])
            .current_dir(folder.path())
            .output()
            .expect("the command starts");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.success(), is_written, "{output}: {stderr}");
        assert_eq!(std::fs::read(path(output)).ok() != before, is_written, "{output}");
        assert!(is_written || stderr.contains("would replace"), "{stderr}");
    }
}

#[test]
fn modern_filters_are_not_mixed_with_a_query_of_cql_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let query = folder.path().join("old.cql");
    std::fs::write(&query, "(match (position :mate))").expect("a query");
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games/studies.pgn");
    for (words, code) in [(&["--cql", "check"][..], 2), (&["--flip"], 2), (&[], 0)] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["--count", "-i"])
            .arg(&games)
            .args(words)
            .arg(&query)
            .output()
            .expect("the command starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {stderr}");
        assert!(code == 0 || stderr.contains("is a query of CQL 3"), "{stderr}");
    }
}
