//! What filters need: conditions change no outcome, and a fact of games is one of positions.

use std::collections::HashSet;

use babson_lang::Dialect;

use super::game_guard::{RULES, games_of, queries};
use super::run_program;
use crate::analysis::{Analysis, Loops};
use crate::game_guard::GameGuard;
use crate::need::{Need, Part, PartKind};
use crate::prefilter::Prefilter;
use crate::{Outcome, Program, RunLimit, RunOptions};

/// Random numbers, always the same.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Filters within filters, out of those for which there is a rule.
pub(super) fn combined(random: &mut Random, depth: usize) -> String {
    let (leaf, _) = RULES[random.below(RULES.len())];
    if depth == 0 {
        return leaf.strip_prefix("cql(result 1/2-1/2) ").unwrap_or(leaf).to_owned();
    }
    let depths = [random.below(depth), random.below(depth)];
    let [a, b] = depths.map(|depth| combined(random, depth));
    match random.below(22) {
        0 => format!("{{{a}}} or {{{b}}}"),
        1 => format!("not {{{a}}}"),
        2 => format!("find {{{a}}}"),
        3 => format!("find quiet {{{a}}} {{{b}}}"),
        4 => format!("line --> {{{a}}} --> {{{b}}}"),
        5 => format!("line quiet --> {{{a}}} --> {{{b}}}"),
        6 => format!("line quiet --> {{{a}}}? --> ({{{b}}} --> .){{2}}"),
        7 => format!("line <-- {{{a}}} <-- {{{b}}}"),
        8 => format!("line quiet singlecolor --> {{{a}}} --> {{{b}}}"),
        9 => format!("path -- {{{a}}} --({{{b}}})"),
        10 => format!("path quiet -- {{{a}}} -- {{{b}}}"),
        11 => format!("path {{{a}}} (--({{{b}}}))? --"),
        12 => format!("flip {{{a}}}"),
        13 => format!("flipcolor {{{a} {b}}}"),
        14 => format!("shift {{{a}}}"),
        15 => format!("--({{{a}}})"),
        16 => format!("echo quiet (s t) {{{a}}}"),
        17 => format!("square s in [Aa] {{s {a}}}"),
        18 => format!("sort \"n\" {{{a}}}"),
        19 => format!("{{{a}}} comment(\"c\") {{{b}}}"),
        20 => format!("find quiet 2 9 {{{a}}}"),
        _ => format!("{a} {b}"),
    }
}

fn is_limited(outcome: &Outcome) -> bool {
    outcome.error.as_ref().is_some_and(|error| error.limit == Some(RunLimit::Steps))
}

/// Compares the outcomes of a query with its conditions and without them. Returns whether it has
/// conditions on positions.
fn compare(query: &str, dialect: Dialect, games: &[&[u8]]) -> bool {
    let Ok(analysis) = babson_lang::analyze(query, dialect) else {
        return false;
    };
    let (Ok(program), Ok(plain)) =
        (Program::compile(&analysis.query), Program::without_conditions(&analysis.query))
    else {
        return false;
    };
    for (number, game) in games.iter().enumerate() {
        let options = RunOptions {
            variations: [None, Some(true)][number % 2],
            always_comment: number % 4 == 3,
            steps: 200_000,
            ..RunOptions::default()
        };
        let (found, expected) =
            (run_program(&program, game, &options), run_program(&plain, game, &options));
        if is_limited(&found) || is_limited(&expected) {
            continue;
        }
        let text = String::from_utf8_lossy(game);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{query}\n{text}");
    }
    program.parts().code.prefilter.is_some()
}

pub(super) fn sample_games() -> Vec<Vec<u8>> {
    let mut games: Vec<Vec<u8>> = Vec::new();
    let files = [("masters-2k.pgn", 40), ("studies.pgn", 20), ("special.pgn", 20)];
    for (file, most) in files {
        games.extend(games_of(file, most).into_iter().map(|sample| sample.text().to_vec()));
    }
    games.push(super::LINE.to_vec());
    games
}

#[test]
fn conditions_change_no_outcome() {
    let games = sample_games();
    let long = std::env::var_os("BABSON_LONG").is_some();
    let mut random = Random(1);
    let mut all: Vec<(String, Dialect)> = RULES
        .iter()
        .map(|(query, _)| ((*query).to_owned(), Dialect::CQLI))
        .chain(queries().into_iter().step_by(if long { 1 } else { 5 }))
        .collect();
    for number in 0..if long { 60_000 } else { 2_000 } {
        let dialect = [Dialect::CQLI, Dialect::CQL6][number % 2];
        let depth = 1 + random.below(3);
        all.push((combined(&mut random, depth), dialect));
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let conditional = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some((query, dialect)) = all.get(number) else { break };
                    // Each query gets other games.
                    let step = if long { 9 } else { 19 };
                    let chosen: Vec<&[u8]> =
                        games.iter().skip(number % step).step_by(step).map(Vec::as_slice).collect();
                    if compare(query, *dialect, &chosen) {
                        conditional.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let conditional = conditional.into_inner();
    assert!(conditional > 1_000, "only {conditional} queries have conditions on positions");
}

/// Calls `f` with each need that is not made of others, of the filter and of the positions that it
/// goes on to.
fn for_each_atom<'n, 'e>(need: &'n Need<'e>, f: &mut dyn FnMut(&'n Need<'e>)) {
    fn parts<'n, 'e>(list: &'n [Part<'e>], f: &mut dyn FnMut(&'n Need<'e>)) {
        for part in list {
            match &part.kind {
                PartKind::Filter(need) => for_each_atom(need, f),
                PartKind::Step(step) => {
                    for_each_atom(&step.operands, f);
                    for_each_atom(&step.after, f);
                }
                PartKind::Group(list) => parts(list, f),
            }
        }
    }
    match need {
        Need::All(list) | Need::Any(list) => list.iter().for_each(|need| for_each_atom(need, f)),
        Need::InGame(need) => for_each_atom(need, f),
        Need::Chain(chain) => parts(&chain.parts, f),
        Need::Elsewhere(search) => for_each_atom(&search.body, f),
        Need::Move(found) => {
            for_each_atom(&found.operands, f);
            for_each_atom(&found.after, f);
            f(need);
        }
        Need::Unknown
        | Need::Never
        | Need::Condition(_)
        | Need::NotCheck
        | Need::Glyph
        | Need::Tags(..)
        | Need::Count { .. }
        | Need::Sum(_)
        | Need::Attacks { .. }
        | Need::Attacked { .. }
        | Need::Ray { .. }
        | Need::Covers(_)
        | Need::Pattern(..)
        | Need::Moves { .. }
        | Need::Ply { .. } => f(need),
    }
}

#[test]
fn a_fact_of_games_is_one_of_positions() {
    let mut random = Random(2);
    let mut all: Vec<(String, Dialect)> =
        RULES.iter().map(|(query, _)| ((*query).to_owned(), Dialect::CQLI)).collect();
    all.extend(queries());
    for _ in 0..2_000 {
        all.push((combined(&mut random, 2), Dialect::CQLI));
    }
    let (mut both, mut only_games) = (0, 0);
    let mut faults = Vec::new();
    for (text, dialect) in all {
        let Ok(analyzed) = babson_lang::analyze(&text, dialect) else { continue };
        let mut query = analyzed.query;
        // The result of the header is a condition of its own.
        query.header.result = None;
        let analysis = Analysis::new(&query, Loops::of(&query.body), HashSet::new());
        let need = Need::of(&query.body, &analysis);
        for_each_atom(&need, &mut |atom| {
            if GameGuard::of(atom, &query, &analysis).is_empty() {
                return;
            }
            let tested = Prefilter::of_need(atom, &analysis).is_some();
            both += usize::from(tested);
            only_games += usize::from(!tested);
            if !tested && atom.only_of_games().is_none() {
                faults.push(format!("{text}\n{atom:?}"));
            }
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(both > 5_000 && only_games > 500, "{both} {only_games}");
}

/// The instructions of a query, without the loop over the positions.
fn instructions(query: &str) -> usize {
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
    Program::compile(&analysis.query).expect(query).parts().code.ops.len() - 3
}

#[test]
fn a_filter_that_the_prefilter_decides_is_not_evaluated_again() {
    for query in [
        "check",
        "not check",
        "wtm",
        "not btm",
        "Pe4",
        "not Q",
        "#Q > 1 #q > 1",
        "#N - #n == 3",
        "power A > power a",
        "light B",
        "#(passedpawns & P) > 2",
        "check or Q",
        "{wtm Qh7} or {btm qh2}",
        "flipcolor {Q check}",
        "shift {Nd4 ne5}",
        "fen \"8/8/8/8/8/8/8/K6k\"",
    ] {
        assert_eq!(instructions(query), 0, "{query}");
    }
    for query in [
        "mate",
        "ply == 3",
        "Q attacks k",
        "pin from Q through n to k",
        "find Q",
        "check or mate",
        "not {check Q}",
        "Q comment(\"x\")",
        "message quiet(\"x\") Q",
        "square x in Q {x & h7}",
        "player \"A\"",
        "--(check)",
    ] {
        assert_ne!(instructions(query), 0, "{query}");
    }
    // Only the filters up to the first one that leaves something are in the prefilter.
    assert_eq!(instructions("Q comment(\"x\") R"), instructions("comment(\"x\") R"));
}

/// The conditions of positions that follow each other.
#[test]
fn a_prefilter_looks_ahead() {
    for (query, prefilter) in [
        ("path -- check --(mate)", "--(check --(check))"),
        ("line quiet --> wtm --> check --> Q", "wtm, --(check --(#Q > 0))"),
        ("line quiet --> wtm --> check? --> Q", "wtm"),
        ("line quiet <-- wtm <-- check", "wtm"),
        ("Q--h7(check)", "wtm, #Q > 0, --(check)"),
        ("pin from Q through n to k", "attack ray any (Q n k)"),
        (
            "light B",
            "#B[b1,d1,f1,h1,a2,c2,e2,g2,b3,d3,f3,h3,a4,c4,e4,g4,b5,d5,f5,h5,a6,c6,e6,g6,b7,d7,f7,h7,a8,c8,e8,g8] > 0",
        ),
        ("between(Q k)", "#Q > 0, #k > 0"),
    ] {
        let analysis = babson_lang::analyze(query, Dialect::CQLI).expect(query);
        let program = Program::compile(&analysis.query).expect(query);
        let note = format!("prefilter: {prefilter}");
        let notes = program.explanation().optimizer;
        assert!(notes.contains(&note), "{query}: {notes:?}");
    }
}

/// A difference that may wrap around gives no condition: the machine compares the two numbers.
#[test]
fn large_factors_are_compared_as_the_machine_does() {
    for query in [
        "30000000 * #[A_] > 0 - 30000000 * #[a_]",
        "30000000 * #[A_] - 30000000 * #[a_] < 30000000 * #[Aa]",
        "2000000000 > 0 - 30000000 * #[Aa]",
    ] {
        let analysis = crate::analyze(query, Dialect::CQLI).unwrap();
        let program = Program::compile(&analysis.query).unwrap();
        let plain = Program::without_conditions(&analysis.query).unwrap();
        let positions =
            |program| run_program(program, super::LINE, &RunOptions::default()).positions;
        assert_eq!(positions(&program), positions(&plain), "{query}");
    }
}

/// A constituent that says something is evaluated even if no piece is in focus.
#[test]
fn a_path_without_a_piece_in_focus_says_what_it_says() {
    let query = r#"initial path focus Qa1 ({message("hi") false} --)"#;
    let program = Program::parse(query, Dialect::CQLI).unwrap();
    let outcome = run_program(&program, super::LINE, &RunOptions::default());
    assert!(outcome.messages.ends_with(b": hi\n"));
}
