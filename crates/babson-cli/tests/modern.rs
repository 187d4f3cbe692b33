//! `convert --to modern`: a CQL 3 query and its modern form find the same games.

use std::path::Path;

use babson_lang::Dialect;
use babson_lang::cql3::to_modern;
use babson_pgn::{Games, Reader};
use babson_vm::{GameContext, Machine, Program, RunOptions};

/// The numbers of the games that match.
fn games(query: &str, pgn: &[u8]) -> Vec<u64> {
    let analysis = babson_lang::sema::analyse(query, Dialect::CQL6)
        .unwrap_or_else(|errors| panic!("{query}\n{errors:#?}"));
    let program = Program::compile(&analysis.query, Dialect::CQL6).expect("small");
    let mut machine = Machine::new(&program);
    let mut reader = Reader::new();
    let options = RunOptions::default();
    let range = program.header().game_number;
    let mut found = Vec::new();
    for ((_, text), number) in Games::new(pgn).zip(1..) {
        let in_range = range.is_none_or(|(lo, hi)| (lo..=hi).contains(&(number as i32)));
        let game = reader.read(text, program.needs());
        let context = GameContext {
            number,
            last_number: None,
            options: &options,
        };
        if in_range && machine.run(&program, &game, &context).matched {
            found.push(number);
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
        match to_modern(word("query")) {
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
                let mut found = games(&modern, &pgn);
                if let Some([lo, hi]) = range.map(Vec::as_slice) {
                    let (lo, hi) = (lo.as_u64().unwrap_or(1), hi.as_u64().unwrap_or(u64::MAX));
                    found.retain(|game| (lo..=hi).contains(game));
                }
                assert_eq!(
                    found,
                    expected,
                    "{}\n{}\n{modern}",
                    word("id"),
                    word("query")
                );
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

/// A query and its modern form.
#[test]
fn the_modern_form_is_readable() {
    let old = "(match :pgn heijden.pgn :output out.pgn :player costeff :result 1-0 :year 1934 2000\n\
               (position :wtm :moveto .d4 :check :or ((position :rayorthogonal ([qr] .d4 K))\n\
               (position :attackcount A k[a-c1-8] 0)) :flipcolor :markall))";
    insta::assert_snapshot!(to_modern(old).unwrap_or_else(|errors| format!("{errors:#?}")));
    let tags = "(match :forany rook [rR] (position $rook[a1]) (position $rook[h8]))";
    insta::assert_snapshot!(to_modern(tags).unwrap_or_else(|errors| format!("{errors:#?}")));
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
        assert!(
            code == 0 || stderr.contains("is a query of CQL 3"),
            "{stderr}"
        );
    }
}
