//! The steps of searches grow with the length of the game, not with its square.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::comments;
use crate::{GameContext, Machine, Outcome, Program, RunLimit, RunOptions};

/// A legal game of this many plies in which a rook gives check at one position in eight.
fn long_game(plies: usize) -> String {
    let moves = ["Rg2", "Kh7", "Rg1", "Kh8", "Rh1+", "Kg7", "Rg1+", "Kh8"];
    let mut text = "[FEN \"7k/8/8/8/8/8/8/K5R1 w - - 0 1\"]\n\n".to_owned();
    for ply in 0..plies {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        // Only the last plies have checks: a list of all checks at each position is long.
        let index = if ply + 64 < plies { ply % 4 } else { ply % 8 };
        text.push_str(moves[index]);
        text.push(if ply % 16 == 15 { '\n' } else { ' ' });
    }
    text.push('*');
    text
}

/// The steps of a query on a game, and its outcome.
fn run(query: &str, text: &str, options: &RunOptions) -> (u64, Outcome) {
    let program = Program::parse(query, Dialect::CQLI).unwrap_or_else(|e| panic!("{query}: {e}"));
    let mut reader = Reader::new();
    let game = reader.read(text.as_bytes(), program.needs_with(options).union(Needs::MAIN_LINE));
    let mut machine = Machine::new(program);
    let context = GameContext { number: 1, last_number: None, options };
    let outcome = machine.run(&game, &context).unwrap().clone();
    (machine.steps_taken, outcome)
}

#[test]
fn searches_grow_with_the_game() {
    let games = [1_000, 2_000, 4_000, 8_000, 16_000].map(long_game);
    let options = RunOptions::default();
    for query in [
        "find 3 check",
        "find 3 check or true",
        "find 1 9 {wtm or check}",
        "find all check",
        "find quiet all wtm",
        "find quiet <-- all check",
        "find mate",
        "find <-- mate or true",
        "find quiet all {find quiet 2 9 check}",
        "line --> check --> . * --> check",
        "line --> . * --> check",
        "line singlecolor --> .*",
        "line <-- . * <-- initial",
        "path -- * check",
        "path singlecolor -- * -- check",
        "path -- check -- * mate",
        "path max {ply} -- *",
        "--(check)",
        "--(find quiet all wtm)",
        "countmoves --(line --> .* --> check) > 0",
        "sort \"n\" {find quiet all wtm}",
        "sort \"n\" {line --> . * --> check}",
    ] {
        let steps = games.each_ref().map(|game| {
            let (steps, outcome) = run(query, game, &options);
            assert_eq!(outcome.error, None, "{query}");
            steps
        });
        for pair in steps.windows(2) {
            assert!(pair[1] * 10 <= pair[0] * 23 + 4_000, "{query}: {steps:?} steps");
        }
    }
}

/// `echo` asks about pairs of positions: it stays within the limit, and says so.
#[test]
fn pairs_of_positions_are_bounded() {
    let options = RunOptions { steps: 1_000_000, ..RunOptions::default() };
    let query = "echo quiet (x y) {x:ply == y:ply}";
    let (_, outcome) = run(query, &long_game(500), &options);
    assert_eq!(outcome.error, None);
    for plies in [2_000, 16_000] {
        let (steps, outcome) = run(query, &long_game(plies), &options);
        let error = outcome.error.expect("too many pairs");
        assert_eq!(error.limit, Some(RunLimit::Steps));
        assert_eq!(error.message, "the evaluation limit of 1000000 steps was reached");
        assert!(steps <= 1_000_000);
    }
}

/// A search whose tables would be too large finds the same.
#[test]
fn a_search_without_room_begins_anew() {
    let game = long_game(16_000);
    // Each takes a table of 16,001 positions.
    let finds =
        (0..80).map(|n| format!("{{find quiet all {{ply >= {}}}}} == {}", 15_000 + n, 1_001 - n));
    let finds: Vec<String> = finds.collect();
    let query = format!(
        "ply < 3 {} find {{ply == 9}} {{find <-- all {{ply < 5}}}} >= 1 find 2 {{ply > 15998}}",
        finds.join(" ")
    );
    let (_, outcome) = run(&query, &game, &RunOptions::default());
    assert_eq!((outcome.error.as_ref(), &outcome.positions[..]), (None, &[0, 1, 2][..]));
    for (node, text) in [(0, "Found 1 of 1"), (9, "Found"), (15_999, "Found 1 of 2")] {
        assert!(comments(&outcome).contains(&(node, text.to_owned())), "{node}: {text}");
    }
}

/// Each comment that `find all` makes is paid for: there are as many as pairs of positions.
#[test]
fn comments_are_paid_for() {
    let plies = 400;
    let all = "not (find all true > 100000)";
    let (steps, _) = run(all, &long_game(plies), &RunOptions::default());
    let pairs = (plies * plies / 2) as u64;
    assert!(steps > pairs, "{steps} steps for {pairs} comments");
}
