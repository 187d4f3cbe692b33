//! Loops over squares and pieces: what does not change with their rounds is made once.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};
use proptest::prelude::*;

use super::{LINE, profiled};
use crate::{GameContext, Machine, Outcome, Program, RunLimit, RunOptions};

/// Captures, a promotion, pins and checks.
const GAMES: [&[u8]; 3] = [
    LINE,
    b"[FEN \"8/P6k/8/8/4p3/8/3P2KP/8 w - - 0 1\"]\n\n\
1. d4 exd3 2. a8=Q d2 3. Qf3 d1=N 4. Qxd1 *",
    b"[FEN \"r3k2r/pb2qppp/2n2n2/1Bb5/4P3/2N2N2/PP2QPPP/R1B2RK1 w kq - 0 1\"]\n\n\
1. e5 Nd5 2. Bg5 f6 3. exf6 Qxe2 4. f7+ Kf8 5. Bxe2 *",
];

fn outcomes(program: &Program, dialect: Dialect, steps: u64) -> Vec<(Outcome, u64)> {
    let options = RunOptions { steps, ..RunOptions::in_dialect(dialect) };
    let mut machine = Machine::new(program.clone());
    let mut reader = Reader::new();
    let run = |text: &[u8]| {
        let game = reader.read(text, program.needs_with(&options).union(Needs::MAIN_LINE));
        let context = GameContext { number: 1, last_number: None, options: &options };
        let outcome = machine.run(&game, &context).unwrap().clone();
        (outcome, machine.steps_taken)
    };
    GAMES.map(run).into()
}

/// A profiled program makes everything in each round.
fn check(query: &str, dialect: Dialect) {
    let typed = babson_lang::analyze(query, dialect).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let Ok(plain) = profiled(&typed.query) else { return };
    let program = Program::compile(&typed.query).expect("as small as the other");
    let (expected, found) =
        (outcomes(&plain, dialect, 20_000), outcomes(&program, dialect, 40_000));
    for ((expected, most), (found, steps)) in expected.into_iter().zip(found) {
        if expected.error.as_ref().and_then(|error| error.limit) == Some(RunLimit::Steps) {
            continue;
        }
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{query}");
        // The searches of a profiled program take other steps.
        if !query.contains("find") {
            assert!(steps <= most, "{steps} steps instead of {most}: {query}");
        }
    }
}

/// Generates sets. The variable `x` belongs to a loop around the set.
fn set() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "A",
        "k",
        "[RBQN]",
        "p",
        "[a-d1-8]",
        "x",
        "x",
        "passedpawns",
        "light a",
        "e4",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let form = prop::sample::select(vec![
            "{(@) attacks (%)}",
            "{(@) attackedby (%)}",
            "{(@) & (%)}",
            "{(@) | (%)}",
            "between((@) (%))",
            "up 1 2 (@)",
            "~ (@)",
            "ray((@) (%))",
            "pin from (@) through (%) to k",
            "square z in (@) {z attacks (%)}",
        ]);
        (inner.clone(), inner, form).prop_map(|(a, b, form)| form.replace('@', &a).replace('%', &b))
    })
}

/// Filters in the body of a loop over `x`.
fn body() -> impl Strategy<Value = String> {
    let form = prop::sample::select(vec![
        "{@}",
        "#(@) > 1",
        "#(@) >= #(%)",
        "(@) == (%)",
        "#k > 0",
        "wtm",
        "comment(\"c\" #(@))",
    ]);
    let leaf = (set(), set(), form).prop_map(|(a, b, form)| form.replace('@', &a).replace('%', &b));
    leaf.prop_recursive(3, 8, 2, |inner| {
        let form = prop::sample::select(vec![
            "{@ %}",
            "{@} or {%}",
            "not {@}",
            "if {@} then {%} else false",
            "square y in a {@ y attacks x %}",
            "square all y in [RQ] {@ y attackedby x}",
            "piece y in A {@ y attacks k}",
            "find {@}",
            "{@ find <-- {%}}",
            "move legal from A : {@}",
            "imagine sidetomove reverse : {@}",
            "echo quiet (s t) in all {t:{@} %}",
            "{@ flipcolor {%}}",
        ]);
        (inner.clone(), inner, form).prop_map(|(a, b, form)| form.replace('@', &a).replace('%', &b))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_held_is_what_each_round_would_make(
        body in body(),
        head in prop::sample::select(vec!["square x in A", "square all x in [QRp]", "piece x in a"]),
        cql6 in any::<bool>(),
    ) {
        let dialect = if cql6 { Dialect::CQL6 } else { Dialect::CQLI };
        let query = format!("message({{{head} {{{body}}}}}) or true");
        prop_assume!(babson_lang::analyze(&query, dialect).is_ok());
        check(&query, dialect);
    }
}

#[test]
fn each_form_of_a_body() {
    for query in [
        "message({square x in A {x attacks k #(B attacks x) > 1}})",
        "message({square x in A {x & [a-h3-8] #(a attacks A) > 1 x attacks a}})",
        "message({piece x in A piece y in a {x attacks y y attackedby A}})",
        "message({square x in a {K attackedby a x attacks P or passedpawns & x}})",
        "square all x in A {#A > 3 x attackedby A}",
        "message({square x in A {A attacks a find {A attacks k x & A}}})",
        "message({square x in A {#(A attackedby a) > 0 move legal from x : #(A attackedby a) > 0}})",
        "message({square x in A {comment(\"c\") #a > 3 x attacks a}})",
        "message({square x in A square y in a {square z in A {z attacks y x attacks y} > 1}})",
    ] {
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            if babson_lang::analyze(query, dialect).is_ok() {
                check(query, dialect);
            }
        }
    }
}

/// A set that no variable decides is made before the loop, or when the first round needs it.
#[test]
fn the_rounds_read_what_is_held() {
    let code = |query: &str| {
        let typed = babson_lang::analyze(query, Dialect::CQLI).expect(query);
        let text = Program::compile(&typed.query).expect(query).explain();
        text.split("\nbytecode ").nth(1).expect("bytecode").to_owned()
    };
    let rounds = |query: &str| {
        let code = code(query);
        let (_, rounds) = code.split_once("next square of").expect(query);
        rounds.split_once("unbind x").expect(query).0.to_owned()
    };
    let quick = rounds("square x in A {x attacks k x attackedby a}");
    assert!(!quick.contains("= k") && !quick.contains("= x\n"), "{quick}");
    let slow = rounds("square x in A {x & light A x attacks (a attackedby A)}");
    assert!(slow.contains("attackedby") && slow.contains("= 0"), "{slow}");
    let decided = rounds("square x in A {#Q > 1 x attacks k}");
    assert!(!decided.contains('Q') && !decided.contains("> 1"), "{decided}");
}
