//! Searches whose filters depend on the node only, and so are found once a game.

use babson_lang::Dialect;
use babson_lang::hir::CommentLevel;
use babson_pgn::{Games, Needs, Reader};
use proptest::prelude::*;

use super::{LINE, profiled};
use crate::{GameContext, Machine, Outcome, Program, RunLimit, RunOptions};

/// Games with variations, captures, promotions and checks.
const GAMES: &str = "[Event \"TREE\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4) 3. d4 cxd4) \
(1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 a6 *\n\n\
[Event \"PROMO\"]\n[FEN \"8/P6k/8/8/4p3/8/3P2KP/8 w - - 0 1\"]\n\n\
1. d4 exd3 (1... Kg6 2. a8=N) 2. a8=Q d2 3. Qf3 d1=N 4. Qxd1 *\n\n\
[Event \"MATE\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// What a query does in each game.
fn outcomes(program: &Program, options: &RunOptions) -> Vec<Outcome> {
    let needs = program.needs_with(options).union(Needs::ALL);
    let mut machine = Machine::new(program.clone());
    let mut reader = Reader::new();
    let games = [LINE].into_iter().chain(Games::new(GAMES.as_bytes()).map(|game| game.1));
    let run = |(number, text): (u64, &[u8])| {
        let context = GameContext { number, last_number: Some(4), options };
        machine.run(&reader.read(text, needs), &context).unwrap().clone()
    };
    (1..).zip(games).map(run).collect()
}

/// A profiled program searches anew each time. It may need more steps.
fn check(query: &str, dialect: Dialect) {
    let typed = babson_lang::analyze(query, dialect).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let Ok(plain) = profiled(&typed.query) else { return };
    let program = Program::compile(&typed.query).expect("as small as the other");
    let all = RunOptions { steps: 400_000, ..RunOptions::in_dialect(dialect) };
    for options in [
        RunOptions { variations: Some(true), ..all.clone() },
        RunOptions { variations: Some(false), always_comment: true, ..all.clone() },
        RunOptions { variations: Some(true), comment_level: CommentLevel::Quiet, ..all },
    ] {
        let (expected, found) = (outcomes(&plain, &options), outcomes(&program, &options));
        for (expected, found) in expected.into_iter().zip(found) {
            let limit = |outcome: &Outcome| outcome.error.as_ref().and_then(|error| error.limit);
            if limit(&expected) != Some(RunLimit::Steps) {
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{query}");
            }
        }
    }
}

/// Filters of searches: most depend on the node only.
fn filter() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "check",
        "wtm",
        "btm",
        "true",
        "mate",
        "terminal",
        "move capture .",
        "move from [Nn]",
        "move secondary",
        "secondary",
        "P attacks p",
        "ply > 3",
        "#A > 14",
        "--(check)",
        "[x]",
        "fen ~~ \" b \"",
        "piece $p in A {$p attacks k}",
        "square y in K {y attacks A}",
        "y0 > 2",
        "comment(\"c\" ply)",
        "parent:check",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 14, 3, |inner| {
        let one = prop::sample::select(vec![
            "not {@}",
            "find {@}",
            "find quiet <-- {@}",
            "find all {@}",
            "find <-- all {@}",
            "find quiet 2 4 {@}",
            "find 0 1 {@}",
            "find <-- 1 2 {@}",
            "line --> {@}+",
            "line --> . * --> {@}",
            "line singlecolor --> . --> {@}*",
            "line firstmatch --> .* --> {@}",
            "line primary --> {@}* --> .",
            "line <-- .* <-- {@}",
            "line nestban --> {@} --> .{1,3}",
            "line 2 4 lastposition --> {@}* --> .",
            "path -- {@} +",
            "path -- * {{@}} --",
            "path singlecolor -- * -- {@}",
            "path firstmatch -- * -- {@}",
            "path primary -- {@} ? --",
            "path max {ply} -- * -- {@}",
            "path nestban verbose -- {@} + --",
            "path focus K -- {@} --",
            "path (A-- {@} a--)+",
            "path keepallbest -- * {{@}}",
            "sort \"s\" {find all {@}}",
            "echo quiet (s t) {t:{@} s < t}",
            "--({@})",
            "flipcolor {find {@}}",
            "square z in A {find quiet 1 2 {{@} z attacks k}}",
        ]);
        let two = prop::sample::select(vec![
            "{@} or {%}",
            "{@ %}",
            "line --> {@} --> .* --> {%}",
            "line --> ({@} --> {%})+",
            "line --> {@}? --> {%}*",
            "path -- {@} * -- {%}",
            "path (-- {@} -- {%})+ --",
            "path {@} -- {%}",
            "find all {@ %}",
            "if {@} then {%}",
        ]);
        prop_oneof![
            (one, inner.clone()).prop_map(|(form, a)| form.replace('@', &a)),
            (two, inner.clone(), inner)
                .prop_map(|(form, a, b)| form.replace('@', &a).replace('%', &b)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_found_once_is_what_each_search_would_find(
        one in filter(),
        other in filter(),
        cql6 in any::<bool>(),
    ) {
        let dialect = if cql6 { Dialect::CQL6 } else { Dialect::CQLI };
        let query = format!("y0=ply {{{one}}} or {{message({{{other}}})}}");
        prop_assume!(babson_lang::analyze(&query, dialect).is_ok());
        check(&query, dialect);
    }
}

#[test]
fn each_form_of_a_search() {
    for query in [
        "find check",
        "find <-- check",
        "message quiet({find all check} \" \" {find <-- all check} \" \" {find 3 check})",
        "message quiet({find 0 1 check} \" \" {find <-- 2 9 wtm} \" \" {find quiet 0 mate})",
        "find all {find check}",
        "find {line --> check --> .* --> check}",
        "line --> check --> .* --> check",
        "message quiet({line --> .*} \" \" {line singlecolor --> .*} \" \" {line --> (wtm --> btm)+})",
        "line --> move to e7 --> . --> .",
        "line secondary --> . --> .",
        "message quiet({path -- *} \" \" {path singlecolor -- *} \" \" {path -- check -- *})",
        "path max {power a} 0 3 -- +",
        "path title \"T\" verbose piecepath singlecolor -- +",
        "path lastposition -- * -- mate",
        "path -- (check)* --",
        "path (-- * wtm)* --",
        "parent:{find all check} imagine sidetomove reverse : {find check}",
        "imagine sidetomove black : {path quiet singlecolor -- *}",
        "imagine sidetomove reverse : {path singlecolor -- + check}",
        "imagine piece _ --> e4 : {line quiet --> {#P>=8}*}",
        "imagine piece _ --> e4 : {line --> {#P>=8} --> .}",
        "square x in A find quiet 1 2 {x attacks k}",
        "square x in A x attacks k",
        "message quiet({square x in A x attacks k} \" \" {square x in k {x attackedby A}})",
        "square x in P square y in a x attacks y",
        "square x in A not {square y in a y attacks x}",
        "{square x in A {x attacks k}} > 1",
        "x=saveposition {find all {position 30:check}} or true",
    ] {
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            if babson_lang::analyze(query, dialect).is_ok() {
                check(query, dialect);
            }
        }
    }
    // More queries, each a JSON string on a line of a file, for a long test.
    if let Some(path) = std::env::var_os("BABSON_RANDOM_QUERIES") {
        let text = std::fs::read_to_string(path).expect("a file of queries");
        let queries = text.lines().filter_map(|line| serde_json::from_str::<String>(line).ok());
        let sound = |query: &String| babson_lang::analyze(query, Dialect::CQL6).is_ok();
        let mut count = 0;
        for query in queries.filter(sound) {
            check(&query, Dialect::CQL6);
            count += 1;
        }
        assert!(count > 0, "no query is sound");
    }
}
