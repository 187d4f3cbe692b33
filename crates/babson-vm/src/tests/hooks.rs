//! `cqlbegin` and `cqlend`.

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::LINE;
use crate::{GameContext, Machine, Program, RunOptions};

/// The messages of the block before, of two games, and of the block after.
fn messages(query: &str) -> [String; 3] {
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    assert_ne!(program.sharing(), crate::Sharing::Nothing);
    let options = RunOptions::default();
    let mut machine = Machine::new(program.clone());
    let text = |outcome: &crate::Outcome| {
        assert_eq!(outcome.error, None);
        String::from_utf8_lossy(&outcome.messages).into_owned()
    };
    let begin = text(machine.begin(&options, None));
    let mut between = String::new();
    let mut reader = Reader::new();
    for number in 1..=2 {
        let game = reader.read(LINE, program.needs().union(Needs::MAIN_LINE));
        let context = GameContext { number, last_number: None, options: &options };
        between += &text(machine.run(&game, &context).unwrap());
    }
    [begin, between, text(machine.end(&options, None))]
}

#[test]
fn blocks_run_once_outside_the_games() {
    let query = "dictionary str --> int (sum) seen persistent total = 5 \
        cqlbegin { seen[\"begin\"] = 1 message(\"begin \" #seen) } \
        cqlend { key $k in seen { message($k \" \" seen[$k]) } message(total) false message(\"never\") } \
        terminal seen[\"terminal\"] += 1 total += 1 false";
    let [begin, between, end] = messages(query);
    assert_eq!((begin.as_str(), between.as_str()), ("begin 1\n", ""));
    assert_eq!(end, "begin 1\nterminal 2\n6\n");
}

#[test]
fn a_block_stands_at_the_top() {
    for query in ["check or cqlend { true }", "{ check cqlbegin { true } }"] {
        let errors = babson_lang::analyze(query, Dialect::CQLI).expect_err(query);
        assert!(format!("{errors:?}").contains("among the filters"), "{query}");
    }
}

#[test]
fn a_block_knows_no_game_and_no_position() {
    for wrong in [
        "message(player white)",
        "message(fen)",
        "message(currentposition)",
        "message(gamenumber)",
        "message(result 1-0)",
        "message(elo white date)",
        "K",
        "mate",
        "x = ply",
        "comment(\"a\")",
        "settag(\"a\" \"b\")",
        "sort \"a\" #K",
        "find mate",
        "move from K",
        "if 1 > 2 check",
        "piece x = K",
        "message(str(power A))",
        "while (not wtm) true",
        "square x in A true",
    ] {
        for block in ["cqlbegin", "cqlend"] {
            let query = format!("{block} {{ {wrong} }} mate");
            let errors = babson_lang::analyze(&query, Dialect::CQLI).expect_err(&query);
            assert!(errors[0].message.contains(block), "{query}: {}", errors[0].message);
        }
    }
    for sound in [
        "persistent x += 1 message(x)",
        "dictionary D D[\"a\"] = 1 key k1 in D message(k1 \" \" D[k1])",
        "x = \"abc\" x[0] == \"a\" message(#x uppercase x x + \"d\")",
        "if lastgamenumber > 3 then message(\"many\") else message(\"few\")",
        "while (\"a1\" ~~ \"(.)\") message(\\1)",
        "square x in . message(x) up 1 a1 message(makesquare(\"a1\"))",
    ] {
        let query = format!("cqlend {{ {sound} }} mate");
        if let Err(errors) = babson_lang::analyze(&query, Dialect::CQLI) {
            panic!("{query}: {}", errors[0].message);
        }
    }
}

#[test]
fn an_error_outside_the_games_ends_the_run() {
    let query = "cqlbegin { assert false } check";
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    let mut machine = Machine::new(program.clone());
    let outcome = machine.begin(&RunOptions::default(), None);
    assert!(outcome.error.as_ref().is_some_and(|error| error.fatal));
}

#[test]
fn blocks_know_the_number_of_games() {
    let query = "cqlbegin { message(lastgamenumber) } cqlend { message(lastgamenumber - 1) } false";
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    let mut machine = Machine::new(program.clone());
    let options = RunOptions::default();
    assert_eq!(machine.begin(&options, Some(7)).messages, b"7\n");
    assert_eq!(machine.end(&options, Some(7)).messages, b"6\n");
}
