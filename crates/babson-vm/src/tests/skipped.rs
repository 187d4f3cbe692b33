//! Prefilters of positions and games change no result. Each row fails if one of the conditions that
//! make this so is left out.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::{LINE, run_as};
use crate::{GameContext, Machine, Program, RunOptions};

/// The positions that match and the lines that are printed.
fn found(query: &str) -> (Vec<u32>, Vec<String>) {
    let outcome = run_as(query, LINE, Dialect::CQLI, &RunOptions::default());
    assert_eq!(outcome.error, None, "{query}");
    let lines = String::from_utf8_lossy(&outcome.messages).lines().map(str::to_owned).collect();
    (outcome.positions, lines)
}

#[test]
fn filters_with_an_effect_are_evaluated_at_each_position() {
    for (query, printed) in [
        ("message quiet(ply) mate", 0..19),
        ("event \"LINE\" message quiet(ply) player \"nobody\"", 0..19),
        ("path {message quiet(ply) true} Qa8--", 0..19),
        ("path focus (Qa8 & {message quiet(ply) K}) --", 0..19),
        // The last position has no move.
        ("path {message quiet(ply) K}--Qa8", 0..18),
    ] {
        let lines: Vec<String> = printed.map(|ply| ply.to_string()).collect();
        assert_eq!(found(query), (vec![], lines), "{query}");
    }
    let (positions, lines) = found("message quiet(ply) initial");
    assert_eq!((positions, lines.len()), (vec![0], 19));
}

#[test]
fn no_position_that_matches_is_skipped() {
    let all: Vec<u32> = (0..19).collect();
    for (query, positions) in [
        ("ply==5", &[5][..]),
        ("line quiet --> initial? --> check", &[5, 7, 15, 17]),
        ("path quiet Qa8--{0,1} P--", &[0, 14]),
        ("flip 0 {mate comment(\"x\")}", &all),
        // The black king is on f7.
        ("flipcolor Kf2", &[6, 7]),
        // On the board before the move.
        ("move previous from Qh5", &[5]),
        ("previous Qh5[x]f7", &[5]),
        // Zero is a value, too.
        ("countmoves Qa8--", &all),
        ("#A-#a>0", &[5]),
        ("#a-#A<1 #A-#a<1 ply<3", &[0, 1, 2]),
        ("power A > 38", &[0, 1, 2, 3, 4, 5]),
        ("(Qa8 attacks k) | (B attacks k)", &[7, 15, 17]),
        ("find 0 3 player \"nobody\"", &all),
        ("find all {x=1 player \"nobody\"}", &[]),
        ("{find quiet player \"nobody\"} or player \"nobody\"", &[]),
    ] {
        assert_eq!(found(query), (positions.to_vec(), vec![]), "{query}");
    }
}

/// A range with a variable that has no value is an error at the first position. Nothing that the
/// filter needs there may skip it.
#[test]
fn an_unbound_variable_in_a_range_is_an_error() {
    for filter in [
        "line quiet x 5 --> mate",
        "line quiet 1 x --> mate",
        "path quiet x 5 Qa8--",
        "path quiet 1 x Qa8--",
        "find quiet x 3 mate",
        "up x 3 Qa8",
        "flip x 3 mate",
        "flip {line quiet x 5 --> Qa8}",
        "flip {path quiet 1 x Qa8--}",
        // With this many images, the machine uses tables.
        "shift {line quiet x 5 --> {Qa1 Qb1}}",
        "shift {path quiet 1 x {Qa1 Qb1} --}",
    ] {
        let query = format!("cqlbegin {{ persistent x = 1 unbind x }} {filter}");
        let analysis = babson_lang::analyze(&query, Dialect::CQLI).expect(&query);
        let program = Program::compile(&analysis.query).expect(&query);
        let mut machine = Machine::new(program.clone());
        let options = RunOptions::default();
        machine.begin(&options, None);
        let mut reader = Reader::new();
        let game = reader.read(LINE, Needs::ALL);
        let outcome = machine
            .run(&game, &GameContext { number: 1, last_number: None, options: &options })
            .unwrap();
        let error = outcome.error.as_ref().expect(&query);
        assert_eq!(error.message, "the variable x is unbound", "{query}");
        assert_eq!(error.position, 0, "{query}");
    }
}
