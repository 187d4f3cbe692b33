//! Filters that are evaluated once a game or once a position.

use babson_lang::Dialect;
use babson_pgn::{Games, Needs, Reader};
use proptest::prelude::*;

use super::{LINE, messages, profiled, run_as, run_program};
use crate::{GameContext, Machine, Outcome, Program, RunOptions};

/// Games whose tags differ in what the filters ask for.
const GAMES: &str = "[Event \"A\"]\n[White \"Carlsen, M\"]\n[Black \"Anand\"]\n[Date \"2014.11.08\"]\n[WhiteElo \"2863\"]\n[ECO \"B01\"]\n\n\
1. e4 d5 2. exd5 Qxd5 3. Nc3 (3. Nf3 Bg4) 3... Qa5 {main} 4. d4 Nf6 1-0\n\n\
[Event \"1.p B\"]\n[White \"Horowitz\"]\n[Black \"(c) Carlsen\"]\n[Date \"1901.??.??\"]\n\n\
1. f3 {<cook>} e5 2. g4 Qh4# 0-1\n\n\
[White \"?\"]\n[FEN \"4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=Q+ Kd7 2. O-O Ke6 1/2-1/2\n";

fn analyze(query: &str, dialect: Dialect) -> babson_lang::hir::Query {
    let analysis = crate::analyze(query, dialect);
    analysis.unwrap_or_else(|errors| panic!("{query}: {errors:?}")).query
}

/// What a query does in each of the games.
fn outcomes(program: &Program, always_comment: bool) -> Vec<Outcome> {
    let options = RunOptions { variations: Some(true), always_comment, ..RunOptions::default() };
    let needs = program.needs().union(Needs::ALL);
    let mut machine = Machine::new(program.clone());
    let mut reader = Reader::new();
    let run = |(number, (_, text)): (u64, (usize, &[u8]))| {
        let context = GameContext { number, last_number: Some(3), options: &options };
        let can_match = {
            let (head, _) = reader.read_if(text, needs, |_| false);
            machine.can_match(&head, &context)
        };
        let game = reader.read(text, needs);
        let outcome = machine.run(&game, &context).unwrap().clone();
        assert!(can_match || !outcome.matched && outcome.messages.is_empty());
        outcome
    };
    (1..).zip(Games::new(GAMES.as_bytes())).map(run).collect()
}

/// Compares the outcomes with a profiled program, which evaluates each filter every time it is
/// reached.
fn check(query: &str, dialect: Dialect) {
    let typed = analyze(query, dialect);
    let plain = profiled(&typed).expect("small");
    let program = Program::compile(&typed).expect("small");
    for always_comment in [false, true] {
        let (expected, found) =
            (outcomes(&plain, always_comment), outcomes(&program, always_comment));
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{query}");
    }
}

fn filter() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "player \"Carlsen\"",
        "player white ~~ \"[A-C].*n\"",
        "year > 1950",
        "elo",
        "date == \"1901.??.??\"",
        "eco",
        "event \"A\"",
        "tag \"ECO\"",
        "tag \"ECO\" != \"B01\"",
        "result 1-0",
        "gamenumber == 2",
        "hhdb \"(c)\"",
        "hhdb cooked",
        "hhdb prize",
        "not originalcomment",
        "fen ~~ \"[KQ]\"",
        "fen in \"abc\"",
        "#fen > 40",
        "\"q\" in fen",
        "originalcomment ~~ \"m\"",
        "if elo 3 else year",
        "max(elo year 7) > 1000",
        "str(event year) ~~ \"2\"",
        "#player > 12",
        "check",
        "wtm",
        "P attacks p",
        "ply > 3",
        "mate",
        "comment(player fen)",
        "message(year)",
        "message quiet(fen)",
        "x=year",
        "settag(\"Opening\" event)",
        "sort \"s\" elo",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(4, 12, 3, |inner| {
        let one = prop::sample::select(vec![
            "not {@}",
            "find {@}",
            "find quiet {@}",
            "find all {@}",
            "find quiet all {@}",
            "find <-- {@}",
            "find quiet <-- all {@}",
            "find quiet 2 9 {@}",
            "find quiet 0 {@}",
            "echo quiet (s t) {@}",
            "echo (s t) in all {@}",
            "square y in [d4,e5] {@}",
            "piece $y in [Kk] {@}",
            "square all y in K {@}",
            "line --> {@} --> .*",
            "path {@} --",
            "flipcolor {@}",
            "flip {K @}",
            "reversecolor {@}",
            "parent:{@}",
            "#A > 3 {@}",
            "1:{@}",
        ]);
        let two = prop::sample::select(vec![
            "{@} or {%}",
            "{@} and {%}",
            "{@ %}",
            "{% mate @}",
            "if {@} then {%}",
            "if {%} then {@} else {wtm}",
            "find quiet all {@ %}",
            "find quiet all {check % @}",
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
    fn what_is_kept_is_what_another_evaluation_would_give(one in filter(), other in filter()) {
        let query = format!("{one} {{{other}}}");
        // Names of loop variables may come twice, and tags be set in a loop.
        prop_assume!(crate::analyze(&query, Dialect::CQL6).is_ok());
        check(&query, Dialect::CQL6);
    }
}

#[test]
fn boards_that_are_no_nodes_own_are_looked_at_anew() {
    for query in [
        "message quiet(fen) imagine sidetomove reverse : message quiet(fen) true",
        "{move legal count : fen ~~ \" b \"} > 3 message quiet(fen)",
        "x = saveposition imagine sidetomove reverse : {x:message quiet(currentfen) message quiet(currentfen)}",
        "find quiet all {imagine sidetomove reverse : fen ~~ \" b \"} > 2",
        "reachableposition {imagine piece K --> a3 : reachableposition} or true message quiet(ply)",
    ] {
        check(query, Dialect::CQLI);
    }
}

#[test]
fn a_count_of_games_that_may_be_none() {
    check("cql(matchcount 0) player \"Carlsen\" mate", Dialect::CQL6);
    check("cql(matchcount 0 2) result 1-0", Dialect::CQL6);
}

/// The steps that a query takes in a game of 25 positions, to the next power of two.
fn steps(query: &str) -> u64 {
    let program = Program::compile(&analyze(query, Dialect::CQL6)).expect("small");
    let takes = |steps: &u64| {
        let options = RunOptions { steps: *steps, ..RunOptions::default() };
        run_program(&program, LINE, &options).error.is_none()
    };
    let all = std::iter::successors(Some(1u64), |steps| Some(steps * 2));
    all.take(40).find(takes).expect("it ends")
}

#[test]
fn a_filter_is_evaluated_once_a_game_or_a_position() {
    // 19 positions, and 190 times a search comes to one. To read a tag takes 8 steps.
    assert!(steps("find quiet all {check player \"a\" or ply>30}") < 512);
    assert!(steps("echo quiet (x y) in all {year > 1900}") < 64);
    assert!(steps("x=0 find quiet all {x+=1 event ~~ \"L.*E\"}") < 512);
    // A search through all bytes of a text takes steps, too.
    assert!(steps("x=0 find quiet all {x+=1 fen ~~ \"[xyz]+$\"}") < 2048);
}

#[test]
fn explain_says_what_is_evaluated_once() {
    let notes = |query: &str| {
        let typed = analyze(query, Dialect::CQL6);
        Program::compile(&typed).expect("small").explanation().optimizer
    };
    assert_eq!(
        notes("player \"a\" result 1-0 fen ~~ \"K\""),
        [
            "conjunction at byte 11 sorted by cost",
            "evaluated once per game: filter at byte 11",
            "evaluated once per game: filter at byte 0",
            "evaluated once per position: filter at byte 22",
            "tag prefilter: code at 6",
            "game prefilter: code at 9",
            "game guard: result 1-0, (\"a\" in player white or \"a\" in player black)",
        ]
    );
    // One evaluation is all there is.
    assert_eq!(
        notes("initial player \"a\""),
        [
            "visits only the initial position",
            "game guard: (\"a\" in player white or \"a\" in player black)",
            "game guard decides: a game that passes matches, unless it has variations, damage or a variant",
        ]
    );
}

#[test]
fn explain_says_which_positions_are_visited() {
    let visits = |query: &str| {
        let typed = analyze(query, Dialect::CQL6);
        let notes = Program::compile(&typed).expect("small").explanation().optimizer;
        notes.into_iter().find(|note| note.starts_with("visits ")).unwrap_or_default()
    };
    for (query, note) in [
        ("ply == 0 check", "visits only the initial position"),
        ("check positionid < 1", "visits only the initial position"),
        ("terminal 80 <= ply", "visits only terminal positions with ply >= 80"),
        ("10 < ply < 20", "visits only positions with ply from 11 to 19"),
        ("movenumber == 7", "visits only positions with movenumber == 7"),
        ("ply > 3 or ply < 9 or wtm", ""),
        ("ply == 3 or ply == 9", "visits only positions with ply from 3 to 9"),
        ("line --> {ply > 3 check} --> btm", "visits only positions with ply >= 4"),
        ("line <-- ply > 3 <-- ply < 2", "visits only positions with ply >= 4"),
        ("line --> wtm --> ply > 3", ""),
        ("ply > 3 ply < 2", "visits no position"),
        ("find ply > 3", ""),
        ("not ply > 3", ""),
        ("message(\"m\") ply > 3", ""),
        ("ply != 3", ""),
        ("ply > 2147483647", ""),
    ] {
        assert_eq!(visits(query), note, "{query}");
    }
}

#[test]
fn positions_of_other_plies_are_not_visited() {
    let game = b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 7\"]\n\n\
        7...Kd8 8. Kd1 (8. Kf1 Ke8 9. Kg1 Kf8) Ke8 9. Ke1 *";
    let positions = |query: &str, dialect| {
        let options = RunOptions { variations: Some(true), ..RunOptions::default() };
        run_as(query, game, dialect, &options).positions
    };
    for (query, found) in [
        ("ply == 2", vec![2, 5]),
        ("ply >= 4", vec![4, 7, 8]),
        ("movenumber == 8", vec![1, 2, 5]),
        ("movenumber < 8", vec![0]),
        ("positionid > 6", vec![7, 8]),
    ] {
        assert_eq!(positions(query, Dialect::CQLI), found, "{query}");
    }
    assert_eq!(positions("movenumber == 2", Dialect::CQL6), [1, 2, 5]);
    // LINE has 25 positions. Each that is visited takes steps.
    assert!(steps("ply + 1 < 99 x=0 while (x<9) x+=1") >= 256);
    assert!(steps("ply < 2 x=0 while (x<9) x+=1") <= 32);
}

#[test]
fn explain_shows_the_prefilter() {
    let prefilter = |query: &str| {
        let typed = analyze(query, Dialect::CQL6);
        let notes = Program::compile(&typed).expect("small").explanation().optimizer;
        notes.into_iter().find(|note| note.starts_with("prefilter: ")).expect("a prefilter")
    };
    assert_eq!(prefilter("check #Q > 1"), "prefilter: check, #Q > 1");
    assert_eq!(prefilter("btm not ka1-8 R"), "prefilter: btm, #ka1-8 == 0, #R > 0");
    assert_eq!(prefilter("[BN] attacks k"), "prefilter: [NB] attacks k");
    assert_eq!(prefilter("#(A attacks k) > 1"), "prefilter: #(A attacks k) >= 2");
    assert_eq!(prefilter("(#Q == 2 and wtm) or b"), "prefilter: (wtm and #Q == 2 or #b > 0)");
    assert_eq!(prefilter("power R - power r >= 5"), "prefilter: 5 * #R + -5 * #r >= 5");
    assert_eq!(prefilter("#(passedpawns & P) > #p"), "prefilter: #(passedpawns & P) > #p");
    assert_eq!(prefilter("ray up (R Q k)"), "prefilter: ray up (R Q k)");
}

#[test]
fn a_search_for_what_holds_everywhere_counts_positions() {
    let counts = |direction: &str| {
        messages(&format!(
            "cql() ply>15 message quiet({{find quiet {direction} all event == \"LINE\"}})"
        ))
    };
    assert_eq!(counts(""), "3\n2\n1\n");
    assert_eq!(counts("<--"), "17\n18\n19\n");
}

/// The outcomes at positions are kept apart from the text that a game may make.
#[test]
fn outcomes_at_positions_take_no_memory_of_the_text() {
    let game = format!("[Event \"a\"]\n\n{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(500));
    let filters: Vec<String> =
        (0..300).map(|number| format!("not fen ~~ \"[xyz]+{number}$\"")).collect();
    let options = RunOptions { memory: 1 << 18, ..RunOptions::default() };
    let query = format!("cql() {} false", filters.join(" "));
    let outcome = super::run_as(&query, game.as_bytes(), Dialect::CQL6, &options);
    assert_eq!(outcome.error, None);
}

/// A test before the positions that reaches a limit decides nothing and leaves nothing behind.
#[test]
fn a_test_at_the_limit_of_steps_leaves_no_trace() {
    // To search the event is too much, but only a position with a mate gets so far.
    let query = "cql() mate event ~~ \"y$\"";
    let program = Program::compile(&analyze(query, Dialect::CQL6)).expect("small");
    let notes = program.explanation().optimizer;
    assert!(notes.iter().any(|note| note.starts_with("tag prefilter")), "{notes:?}");
    let options = RunOptions { steps: 200, ..RunOptions::default() };
    let error = |moves: &str| {
        let game = format!("[Event \"{}\"]\n\n{moves} *\n", "x".repeat(10_000));
        let outcome = run_program(&program, game.as_bytes(), &options);
        assert!(!outcome.matched);
        outcome.error.map(|error| (error.filter.into_owned(), error.position))
    };
    assert_eq!(error("1. f3 e5 2. g4 d5"), None);
    // Where a position does, the error is its own.
    assert_eq!(error("1. f3 e5 2. g4 Qh4#"), Some(("limit".to_owned(), 4)));
}

/// A test whose text does not fit into the memory leaves no trace either.
#[test]
fn a_test_at_the_limit_of_memory_leaves_no_trace() {
    // The lists of a game may take some megabytes more than its text.
    let game = format!("[Event \"{}\"]\n\n1. e4 e5 *\n", "x".repeat(5 << 20));
    let options = RunOptions { memory: 0, ..RunOptions::default() };
    let run = |query: &str| {
        let program = Program::compile(&analyze(query, Dialect::CQL6));
        let program = program.expect("small");
        let notes = program.explanation().optimizer;
        assert!(notes.iter().any(|note| note.starts_with("tag prefilter")), "{notes:?}");
        run_program(&program, game.as_bytes(), &options)
    };
    // The tag is too long, but no position gets as far as to ask for it.
    let outcome = run("ply > 5 find quiet {event ~~ \"y$\" ply > 1}");
    assert_eq!((outcome.error, outcome.matched), (None, false));
    // Where a position does, the error is its own.
    let outcome = run("ply > 1 find quiet {event ~~ \"y$\" ply > 1}");
    assert_eq!(
        outcome.error.as_ref().map(|error| (&*error.filter, error.position)),
        Some(("limit", 2))
    );
}

/// The moves of a game are not read for a query that never matches, unless something happens before
/// it fails.
#[test]
fn a_query_that_never_matches_reads_no_moves() {
    for (query, reads) in [
        ("false", false),
        ("mate false", false),
        ("player \"Carlsen\" and false", false),
        ("find false", false),
        ("true", true),
        ("false or mate", true),
        ("mate message(ply) false", true),
        ("cql(matchcount 0 5) false", true),
    ] {
        let program = Program::compile(&analyze(query, Dialect::CQLI)).unwrap();
        let (mut machine, options) = (Machine::new(program.clone()), RunOptions::default());
        let context = GameContext { number: 1, last_number: None, options: &options };
        let mut reader = Reader::new();
        let (head, _) = reader.read_if(GAMES.as_bytes(), Needs::ALL, |_| false);
        assert_eq!(machine.can_match(&head, &context), reads, "{query}");
    }
}
