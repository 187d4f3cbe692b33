//! Filters under transforms: finding the images that may match takes nothing from the result.

use babson_lang::Dialect;
use proptest::prelude::*;

use super::{LINE, run_program};
use crate::images::ImageTest;
use crate::{Outcome, Program, RunLimit, RunOptions};

const TREE: &[u8] =
    b"[Event \"TREE\"]\n\n1. e4 d5 (1... c5 2. Nf3 (2. Bb5 Qa5 (2... a6 3. Ba4 b5 4. Bb3) 3. c3) 2... d6) \
2. exd5 Qxd5 3. Nc3 Qxg2 (3... Qe5+ 4. Be2 Qxe2+ (4... Bg4 5. d4) 5. Qxe2) 4. Bxg2 h5 5. Nf3 h4 6. O-O h3 \
7. Re1 hxg2 8. Kxg2 Rxh2+ 9. Nxh2 Bh3+ 10. Kg1 c5 11. d4 cxd4 12. Nb5 d3 13. Nc7+ Kd8 14. Nxa8 dxc2 \
15. Qd8+ Kxd8 16. b4 a5 17. b5 a4 18. b6 a3 19. b7 c1=Q 20. bxc8=N Qxe1# *\n";

const STUDY: &[u8] =
    b"[Event \"STUDY\"]\n[SetUp \"1\"]\n[FEN \"8/1k6/8/8/3q4/8/6P1/K7 b - - 0 1\"]\n\n1... Kb6 2. Ka2 \
Qb4 (2... Qa4+ 3. Kb1 Qb3+ (3... Qd1+ 4. Ka2 Qd2+ 5. Kb3 Qd3+) 4. Kc1 Qc3+ 5. Kd1 Qd3+ 6. Ke1) 3. g4 Qa4+ \
4. Kb2 Qb4+ 5. Ka2 Qc3 6. g5 Qb3+ 7. Ka1 Qb4 8. g6 Qa3+ 9. Kb1 Kc5 10. g7 Kd4 11. g8=Q Ke5 *\n";

const STAIRCASE: &str = "(position :movefrom Qa2) (position :check) (position :movefrom Qb2) \
(position :check) (position :movefrom Qb3) (position :check) (position :movefrom Qc3)";

/// Queries with many images that differ in what each kind of condition looks at.
fn queries() -> Vec<String> {
    let modern = [
        "shift flipcolor {Na1 attacks rb3}",
        "shift {Pa2 not pb3 btm}",
        "flip shift {#[Aa]a-b1-2 == 0 K}",
        "flip shift count {Kb1 #P > 2} > 1",
        "flipcolor flip {wtm Kg1 ray(R k)}",
        "flip flipcolor shift line --> move from Qd1 --> check",
        "flip flipcolor shift line --> Qd4 --> .* --> check",
        "flip flipcolor shift line --> {Ka1 wtm}+ --> Kb1",
        "flip shift flipcolor line <-- Qd1 <-- kd8",
        "flip shift flipcolor line singlecolor --> Ka1 --> Kb1",
        "cql(variations) shift flip flipcolor path Qd4-- --(check)",
        "cql(variations) shift flipcolor path focus Qd1 Qd1-- {kd8}",
        "cql(variations) shift flip path --* Kb1[x]a",
        "shift flipcolor find {Nc7 kd8}",
        "shift find <-- {Pb4 pa5}",
        "flip shift flipcolor Kb1--c1(qc3)",
        "cql(variations) shift flipcolor {move from Ke1 to _g1 comment(\"castles\")}",
        // The second move of its position.
        "cql(variations) shift flipcolor flip {move from Bf1 comment(\"bishop\")}",
        "shift flip flipcolor {Ka1 or find {Kb1 q}}",
        "flip shift flipcolor {Kb3 shift {Nc7 kd8}}",
        "flip shift {find all {Kb1} > 2}",
        "shift flip {move previous from qd4 to Qd1}",
        "shift flip {[Rr]a1 previous --a1 check}",
        "shift flip move legal from Ra1 to ka4",
        "shift flipcolor {square x in Kb1 x attacks qa1 q}",
        "flipcolor shift {q comment(\"c\") shift {Ka1 or Kb2}}",
        "flipcolor shift {message(\"q\") shift flip {Ka-b1 q} wtm}",
        "not shift flip {Ka1 qb3 not Pc1}",
        "flip shift flipcolor echo (s t) in all {sidetomove == s:sidetomove Ka1 Qb3}",
        "flip flipcolor fen \"8/8/8/4q3/8/8/8/1K6\"",
        "shift flipcolor {pin from Qa1 through Pb2 to kc3}",
    ];
    let old = [
        format!("(position :shift :flip :flipcolor :sequence ({STAIRCASE}))"),
        format!("(position :shift :flip :flipcolor :gappedsequence ({STAIRCASE}))"),
        "(position Pa4 Pa5 Nd4 Nd5 :shift :flip)".to_owned(),
        "(position :moveto [Aa]d4 :pretransformmatchcount 2 1000 :shift)".to_owned(),
        "(position Qd4 :markall :pretransformmatchcount 0 :shift)".to_owned(),
        "(position Pd2 :piececount [pP][d3-7] 0 :piececount p[c3-7,e3-7] 0 :shift :flipcolor :accumulate w \
:sumrange w 1 8 :markall)"
            .to_owned(),
        "(position Nd4 kf3 :attackcount A .d5 1 3 :shift :flip :not :markall)".to_owned(),
        "(position :variations :wtm :moveto .d4 :or ((position :ray ([qr] .d4 K)) (position :check)) \
:shift :markall :sequence ((position) (position :attackcount A Ad4 0)))"
            .to_owned(),
        "(position :variationsonly Kb1 :shift :flip :markall :gappedsequence ((position :movefrom Kb1) \
(position :check) (position Kd1)))"
            .to_owned(),
        "(position Qa2 :shift :relation (:pattern :shift))".to_owned(),
        "(position :shift :flip Kb1 :sequence ((position :movefrom Kb1 :flip) (position kb6 :shift :flip)))"
            .to_owned(),
    ];
    let old = old.iter().map(|list| format!("(match {list})"));
    modern.iter().map(|query| (*query).to_owned()).chain(old).collect()
}

/// The query's outcomes on the games, as the optimizer has it and with every image evaluated.
fn both_ways(query: &str, steps: u64) -> Option<Vec<[Outcome; 2]>> {
    let analysis = crate::analyze(query, Dialect::CQLI).ok()?;
    let options = RunOptions { steps, ..RunOptions::default() };
    let narrowed = Program::compile(&analysis.query).ok()?;
    let plain = Program::without_conditions(&analysis.query).ok()?;
    let outcomes = [LINE, TREE, STUDY]
        .map(|pgn| [&narrowed, &plain].map(|program| run_program(program, pgn, &options)));
    Some(outcomes.to_vec())
}

#[track_caller]
fn check(query: &str) {
    check_within(query, RunOptions::default().steps);
}

#[track_caller]
fn check_within(query: &str, steps: u64) {
    for [narrowed, plain] in both_ways(query, steps).unwrap_or_default() {
        // What is ruled out takes no steps, so only the plain way may take too many.
        if plain.error.as_ref().and_then(|error| error.limit) != Some(RunLimit::Steps) {
            assert_eq!(format!("{narrowed:?}"), format!("{plain:?}"), "{query}");
        }
    }
}

/// Where only the way without tests of images reaches the limit, the outcomes are not compared.
#[test]
fn images_that_are_ruled_out_may_keep_a_query_within_its_steps() {
    let query = "(match (position :and ((position :shift :gappedsequence ((position) (position) \
                 (position :movefrom Kb3))) (position :and ((position :moveto Ka1)))) :shift :flip \
                 :markall :variations))";
    let steps = 1 << 20;
    let reached = |outcome: &Outcome| outcome.error.is_some();
    let outcomes = both_ways(query, steps).unwrap();
    assert!(outcomes.iter().any(|[narrowed, plain]| !reached(narrowed) && reached(plain)));
    check_within(query, steps);
}

#[test]
fn something_is_known_of_the_images_of_each_kind_of_filter() {
    let mut unknown = Vec::new();
    for query in queries() {
        let analysis = crate::analyze(&query, Dialect::CQLI)
            .unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
        let program = Program::compile(&analysis.query).unwrap();
        check(&query);
        if program.parts().code.images.is_empty() {
            unknown.push(query);
        }
    }
    assert_eq!(unknown, [""; 0]);
}

/// What it is for: the images of a sequence take a small part of the steps.
#[test]
fn images_that_cannot_match_take_no_steps() {
    for query in [
        format!("(match (position :shift :flip :flipcolor :sequence ({STAIRCASE})))"),
        format!("(match (position :shift :flip :flipcolor :gappedsequence ({STAIRCASE})))"),
        "(match (position :moveto [Aa]d4 :pretransformmatchcount 12 1000 :shift))".to_owned(),
        "cql() shift flip flipcolor line --> move from Qa2 --> check --> move from Qb2".to_owned(),
        "cql() shift flip path Qa2-- check -- Qb2--".to_owned(),
        "cql() shift flip flipcolor find {Ka1 Qb3 ke4}".to_owned(),
    ] {
        let analysis = crate::analyze(&query, Dialect::CQLI).unwrap();
        let mut program = Program::compile(&analysis.query).unwrap();
        // The steps that the game takes, up to a factor of two.
        let steps = |program: &Program| {
            let enough = |steps: &u64| {
                let options = RunOptions { steps: *steps, ..RunOptions::default() };
                run_program(program, LINE, &options).error.is_none()
            };
            (4..40).map(|power| 1 << power).find(enough).unwrap()
        };
        let narrowed = steps(&program);
        for spec in program.parts_mut().code.tables.images.iter_mut() {
            spec.images.test = ImageTest::Nothing;
        }
        assert!(4 * narrowed <= steps(&program), "{query}: {narrowed}");
    }
}

/// Where no image can pass no set of images is made, and no table of later positions: a game
/// without the steps of a sequence costs a look at each position.
#[test]
fn positions_without_images_take_few_steps() {
    // Many moves of queens and no check.
    const TURNS: u64 = 40;
    let game =
        format!("[Event \"QUIET\"]\n\n1. e4 e5 {}*\n", "Qe2 Qe7 Qd1 Qd8 ".repeat(TURNS as usize));
    for kind in [":sequence", ":gappedsequence"] {
        let query = format!("(match (position :shift :flip :flipcolor {kind} ({STAIRCASE})))");
        let analysis = crate::analyze(&query, Dialect::CQLI).unwrap();
        let program = Program::compile(&analysis.query).unwrap();
        let options = RunOptions { steps: 4 * 4 * TURNS, ..RunOptions::default() };
        let outcome = run_program(&program, game.as_bytes(), &options);
        assert!(outcome.error.is_none(), "{kind}: {:?}", outcome.error);
    }
}

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    prop::sample::select(words).prop_map(str::to_owned)
}

/// A designator near the places where the games' pieces stand.
fn designator() -> impl Strategy<Value = String> + Clone {
    let pieces = one_of(&[
        "K", "Q", "R", "N", "P", "k", "q", "p", "n", "A", "a", "[QR]", "[Aa]", "[Np_]", "_",
    ]);
    let squares =
        one_of(&["a1", "b3", "d1", "e1", "d4", "e5", "h8", "g2", "a1-8", "a-h2", "c-d3-4"]);
    (pieces, squares).prop_map(|(piece, squares)| format!("{piece}{squares}"))
}

fn filter() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => designator(),
        1 => one_of(&["check", "wtm", "btm", "move", "true"]),
        2 => designator().prop_map(|set| format!("not {set}")),
        1 => (designator(), one_of(&["> 0", "== 0", "<= 1", ">= 2", "< 1"]))
            .prop_map(|(set, than)| format!("#{set} {than}")),
        1 => (designator(), designator()).prop_map(|(a, b)| format!("({a} attacks {b})")),
        1 => (designator(), designator()).prop_map(|(a, b)| format!("({a} | {b})")),
        2 => designator().prop_map(|set| format!("move from {set}")),
        1 => (designator(), designator()).prop_map(|(a, b)| format!("move from {a} to {b}")),
        1 => (designator(), designator()).prop_map(|(a, b)| format!("({a} -- {b})")),
        1 => designator().prop_map(|set| format!("comment(\"c\" {set})")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let group = inner.clone().prop_map(|f| format!("{{{f}}}"));
        let repeat = one_of(&["", "", "*", "+", "?"]);
        let link = (group.clone(), repeat).prop_map(|(f, repeat)| format!("{f}{repeat}"));
        prop_oneof![
            (group.clone(), group.clone()).prop_map(|(a, b)| format!("{{{a} {b}}}")),
            (group.clone(), group.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
            group.clone().prop_map(|f| format!("not {f}")),
            (
                one_of(&["line -->", "line quiet -->", "line singlecolor -->"]),
                prop::collection::vec(link.clone(), 1..4)
            )
                .prop_map(|(line, links)| format!("({line} {})", links.join(" --> "))),
            prop::collection::vec(link.clone(), 1..3)
                .prop_map(|links| format!("(line <-- {})", links.join(" <-- "))),
            (one_of(&["find", "find <--", "find all", "find quiet"]), group.clone())
                .prop_map(|(find, f)| format!("({find} {f})")),
            (
                one_of(&["path", "path quiet", "path focus K", "path focus [Qq]d1-4"]),
                prop::collection::vec(
                    prop_oneof![
                        designator().prop_map(|set| format!("{set}--")),
                        (designator(), group.clone()).prop_map(|(set, f)| format!("--{set}({f})")),
                        Just("--*".to_owned()),
                        group.clone(),
                    ],
                    1..4
                )
            )
                .prop_map(|(path, parts)| format!("({path} {})", parts.join(" "))),
        ]
    })
}

fn list() -> impl Strategy<Value = String> {
    let item = prop_oneof![
        3 => designator(),
        1 => one_of(&[":check", ":wtm", ":btm", ":nocheck", ":initial", ":not"]),
        2 => designator().prop_map(|set| format!(":movefrom {set}")),
        2 => designator().prop_map(|set| format!(":moveto {set}")),
        1 => (designator(), one_of(&["0", "1 2", "0 1"]))
            .prop_map(|(set, range)| format!(":piececount {set} {range}")),
        1 => (designator(), designator()).prop_map(|(a, b)| format!(":attackcount {a} {b}")),
        1 => one_of(&[":shift", ":flip", ":shifthorizontal"]),
    ];
    // Each of the flags may be given once.
    let items = move |items: Vec<String>| {
        let mut known = Vec::new();
        for item in items {
            if !known.contains(&item) {
                known.push(item);
            }
        }
        known.join(" ").replace('_', ".")
    };
    let leaf = prop::collection::vec(item.clone(), 0..3)
        .prop_map(items)
        .prop_map(|items| format!("(position {items})"));
    leaf.prop_recursive(2, 8, 3, move |inner| {
        (
            prop::collection::vec(item.clone(), 0..3).prop_map(items),
            one_of(&[":and", ":or", ":sequence", ":gappedsequence"]),
            prop::collection::vec(inner, 1..4),
        )
            .prop_map(|(items, word, lists)| {
                format!("(position {items} {word} ({}))", lists.join(" "))
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn images_of_random_filters(
        header in one_of(&["", "cql(variations) "]),
        transforms in one_of(&[
            "shift", "shift flip", "flip flipcolor", "shift flipcolor", "shifthorizontal flip",
            "rotate90 shiftvertical flipcolor", "shift count",
        ]),
        filter in filter(),
    ) {
        check(&format!("{header}{transforms} {{{filter}}}"));
    }

    #[test]
    fn images_of_random_lists(
        transforms in one_of(&[
            ":shift", ":shift :flip", ":flip :flipcolor", ":shiftvertical :flipcolor",
            ":shift :markall", ":shift :flip :markall :variations", ":shift :flipcolor :matchcount 0 3",
            ":shift :pretransformmatchcount 1 3", ":flip :flipcolor :accumulate n :sumrange n 1 2",
        ]),
        list in list(),
    ) {
        let inside = list.strip_suffix(')').unwrap_or(&list);
        check(&format!("(match {inside} {transforms}))"));
    }
}
