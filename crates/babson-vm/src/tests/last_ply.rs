//! The last ply that a query needs: a game that is read no further has the same outcome.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::needs::{Random, combined, sample_games};
use crate::{GameContext, Machine, Program, RunOptions};

fn last_ply(query: &str) -> u32 {
    Program::parse(query, Dialect::CQLI).unwrap().needs().last_ply
}

#[test]
fn a_query_needs_the_positions_that_it_looks_at() {
    const ALL: u32 = Needs::ALL_PLIES;
    for (query, expected) in [
        ("check", ALL),
        ("ply <= 20 check", 20),
        ("check ply < 20", 19),
        ("ply == 3 or ply == 17", 17),
        ("ply == 3 or check", ALL),
        ("ply == 3 ply == 5", 0),
        ("ply < 0", 0),
        ("movenumber <= 10 check", 21),
        ("positionid == 5", 5),
        ("initial", 0),
        ("initial movenumber == 1", 0),
        ("false", ALL),
        // What may be said of a position that does not match.
        ("message quiet(\"x\") ply < 20", ALL),
        ("ply < 20 message quiet(ply)", 19),
        // The moves from the position, and those before it.
        ("ply < 20 terminal", 20),
        ("initial terminal", 1),
        ("ply < 20 stalemate", 20),
        ("ply < 20 move from Q", 20),
        ("ply < 20 move previous from Q", 19),
        ("ply < 20 move legal from Q", 19),
        ("ply < 20 move legal from Q : terminal", 20),
        ("ply < 20 move from Q : terminal", 21),
        ("ply < 20 Q--e4", 20),
        ("ply < 20 --(--(check))", 21),
        ("ply < 20 parent:check", 19),
        ("ply < 20 child:child:check", 21),
        ("ply < 20 child:parent:terminal", 21),
        ("ply < 20 flip {Qd4 child:terminal}", 21),
        ("ply < 20 if check then child:check else true", 20),
        ("ply < 20 find <-- check", 19),
        ("ply < 20 line <-- check <-- Q", 20),
        ("ply < 20 comment(currentposition)", 19),
        ("ply < 20 originalcomment \"x\"", 20),
        // Any position of the game.
        ("ply < 20 find check", ALL),
        ("ply < 20 line --> check", ALL),
        ("ply < 20 path -- check", ALL),
        ("ply < 20 position 40:check", ALL),
        ("ply < 20 x=currentposition x:check", ALL),
        ("ply < 20 echo (s t) {distance(s t) == 9}", ALL),
        // The ids of variations follow the ids of the main line.
        ("cql(variations) ply < 20", ALL),
        ("cql(variations) initial", 0),
    ] {
        assert_eq!(last_ply(query), expected, "{query}");
    }
    let program = Program::parse("ply < 20", Dialect::CQLI).unwrap();
    let options = RunOptions { variations: Some(true), ..RunOptions::default() };
    assert_eq!(program.needs_with(&options), Needs { variations: true, ..Needs::MAIN_LINE });
}

/// Filters that look around a position.
const LOOKS: [&str; 34] = [
    "terminal",
    "not terminal",
    "stalemate",
    "purestalemate",
    "child",
    "child:check",
    "child:child:terminal",
    "not child:not terminal",
    "parent:terminal",
    "parent:child:child",
    "move to .",
    "not move from Q",
    "move count > 0",
    "move legal from [QR] : terminal",
    "move from . : terminal",
    "imagine Qe4 : terminal",
    "--",
    "--(terminal)",
    "not --(--)",
    "find <-- 2 9 check",
    "line <-- . <-- check",
    "originalcomment \"a\"",
    "piece x = Q { x attacks k }",
    "comment(child) str(currentposition fen)",
    "hhdb cooked",
    "not hhdb cooked",
    "hhdb prize",
    "hhdb \"(c)\"",
    "originalcomment \"!\"",
    "not originalcomment \"$1\"",
    "x=currentposition x:terminal",
    "x=child x:not terminal",
    "x=parent sort \"x\" {x:positionid}",
    "x=currentposition find <-- {x:check}",
];

/// Bounds of the positions.
const BOUNDS: [&str; 10] = [
    "ply <= 6",
    "ply < 19",
    "ply == 12",
    "ply == 3 or ply == 17",
    "movenumber <= 4",
    "movenumber == 6 wtm",
    "positionid <= 9",
    "initial",
    "3 <= ply <= 5",
    "initial or ply == 2",
];

#[test]
fn no_later_position_decides() {
    let (games, mut random) = (sample_games(), Random(7));
    let long = std::env::var_os("BABSON_LONG").is_some();
    let (mut reader, mut whole_reader) = (Reader::new(), Reader::new());
    let (mut cut, mut matched) = (0, 0);
    // How often a game was cut before such a filter.
    let mut cut_looks = [0; LOOKS.len()];
    for number in 0..if long { 40_000 } else { 1_500 } {
        let dialect = [Dialect::CQLI, Dialect::CQL6][number % 2];
        let bound = BOUNDS[random.below(BOUNDS.len())];
        let look_number = random.below(LOOKS.len());
        let look = LOOKS[look_number];
        let query = match random.below(5) {
            0 => format!("{bound} {look}"),
            1 => format!("{bound} {}", combined(&mut random, 1)),
            2 => format!("{{{bound}}} {{{}}} {look}", combined(&mut random, 2)),
            3 => format!("{look} {{{bound}}} {}", combined(&mut random, 1)),
            _ => format!("{{{bound}}} {{{look} or {}}}", combined(&mut random, 1)),
        };
        let Ok(analyzed) = babson_lang::analyze(&query, dialect) else { continue };
        let Ok(program) = Program::compile(&analyzed.query) else { continue };
        let options = RunOptions {
            always_comment: number % 7 == 0,
            cql6_output: number % 3 == 0,
            steps: 200_000,
            ..RunOptions::default()
        };
        let needs = program.needs_with(&options);
        if needs.last_ply == Needs::ALL_PLIES {
            continue;
        }
        for game in games.iter().skip(number % 13).step_by(13) {
            let context = GameContext { number: 1, last_number: None, options: &options };
            reader.write_error_comments(options.cql6_output);
            whole_reader.write_error_comments(options.cql6_output);
            let whole = whole_reader.read(game, needs.union(Needs::MAIN_LINE));
            let read = reader.read(game, needs);
            let mut machine = Machine::new(program.clone());
            let expected = machine.run(&whole, &context).unwrap().clone();
            let mut machine = Machine::new(program.clone());
            let found = machine.run(&read, &context).unwrap();
            let text = String::from_utf8_lossy(game);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{query}\n{text}");
            cut += u32::from(read.is_cut());
            cut_looks[look_number] += u32::from(read.is_cut());
            matched += u32::from(found.matched);
        }
    }
    assert!(cut > 2_000 && matched > 500, "{cut} games were cut, {matched} matched");
    for (look, cut) in LOOKS.iter().zip(cut_looks) {
        // A variable may have any position of the game, and few games are cut before it.
        assert!(cut > 0 || look.starts_with("x="), "{look}");
    }
}
