//! The positions that pass a prefilter, and the games without one.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::any_board::PREFILTERED;
use crate::prefilter::{Boards, Candidates};
use crate::{GameContext, Machine, Program, RunOptions};

/// Rows of boards, a search for the next board, and the test of one board agree: on a line that is
/// longer than a row, and with variations.
#[test]
fn a_row_of_boards_is_the_boards_one_by_one() {
    let shuffle = " Nf3 Nf6 Ng1 Ng8".repeat(24);
    let pgn = format!(
        "1. e4 d5 2. exd5 Qxd5 (2... Nf6 3. Bb5+ (3. d4 Nxd5 4. c4 Nb6) 3... c6) 3. Nc3 Qxg2 \
         4. Bxg2 h5 5. Bxb7 Bxb7 6. f3 Bxf3 7. Qxf3 c5 8. Qxf7+ Kxf7 {shuffle} *"
    );
    let mut reader = Reader::new();
    let game = reader.read(pgn.as_bytes(), Needs::ALL);
    assert!(game.len() > game.main_line_len() && game.main_line_len() > 64);
    let boards = Boards { positions: game.positions(), nodes: game.nodes() };
    let all = boards.positions.len();
    let ahead = ["move from Q capture p", "path -- check --(not check)", "--(check) or #q == 0"];
    let mut passed = 0;
    for filter in PREFILTERED.iter().chain(&ahead) {
        let analysis = babson_lang::analyze(&format!("cql() {filter}"), Dialect::CQLI)
            .or_else(|_| babson_lang::analyze(&format!("cql() {filter}"), Dialect::CQL6))
            .unwrap_or_else(|errors| panic!("{filter}: {errors:?}"));
        let program = Program::compile(&analysis.query).unwrap();
        let code = &program.parts().code;
        let prefilter = &code.prefilters[code.prefilter.unwrap_or_else(|| panic!("{filter}"))];
        let one_by_one: Vec<usize> = (0..all).filter(|&at| prefilter.holds(boards, at)).collect();
        let mut candidates = Candidates::default();
        let in_rows = std::iter::from_fn(|| {
            Some(candidates.take(prefilter, boards, all)).filter(|&found| found < all)
        });
        assert_eq!(in_rows.collect::<Vec<usize>>(), one_by_one, "rows of {filter}");
        let next = |from: &usize| Some(prefilter.next(boards, *from..all)).filter(|&at| at < all);
        let searched = std::iter::successors(next(&0), |found| next(&(found + 1)));
        assert_eq!(searched.collect::<Vec<usize>>(), one_by_one, "search for {filter}");
        passed += one_by_one.len();
    }
    assert!(passed > all);
}

/// A game without a candidate leaves nothing of the game before it: neither an outcome nor local
/// dictionaries. What matches without a position matches there, too.
#[test]
fn a_game_without_candidates_is_passed_over() {
    let mate = b"1. f3 e5 2. g4 Qh4# 0-1";
    let quiet = b"1. e4 e5 2. Nf3 *";
    for (query, matches) in [
        ("cql() check comment(\"here\")", false),
        ("cql() check sort \"pieces\" #A message(\"here\")", false),
        ("cql(matchcount 0) check", true),
        ("cql(matchcount 0 2) check", true),
        ("cql() initial Qh4", false),
    ] {
        let analysis = babson_lang::analyze(query, Dialect::CQLI)
            .unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
        let options = RunOptions::default();
        let program = Program::compile(&analysis.query).unwrap();
        let plain = Program::without_conditions(&analysis.query).unwrap();
        let outcomes = [program, plain].map(|program| {
            let (mut machine, mut reader) = (Machine::new(program.clone()), Reader::new());
            let games = [&mate[..], &quiet[..], &mate[..]].into_iter().zip(1..);
            let outcomes = games.map(|(text, number)| {
                let game = reader.read(text, program.needs_with(&options));
                let context = GameContext { number, last_number: None, options: &options };
                let outcome = machine.run(&game, &context).unwrap();
                (outcome.matched, format!("{outcome:?}"))
            });
            outcomes.collect::<Vec<(bool, String)>>()
        });
        assert_eq!(outcomes[0], outcomes[1], "{query}");
        assert_eq!(outcomes[0][1].0, matches, "{query}");
    }
}
