//! Imagined and saved boards (`docs/src/language/imaginary.md`).

use babson_lang::Dialect;
use babson_pgn::{Needs, Reader};

use super::{LINE, comments, run_as};
use crate::{GameContext, Machine, Outcome, Program, RunOptions};

const RETRACTOR: &[u8] =
    b"[SetUp \"1\"]\n[FEN \"1B5r/5pp1/1p6/7p/p2P2N1/2Pn4/PP6/R4K1k b - - 0 1\"]\n\n*\n";

fn game(query: &str, pgn: &[u8]) -> Outcome {
    run_as(query, pgn, Dialect::CQLI, &RunOptions::default())
}

/// What the query prints at the initial position of a game that begins with the FEN.
fn at(fen: &str, values: &str) -> String {
    let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
    messages(&format!("initial message quiet({values})"), pgn.as_bytes())
}

fn messages(query: &str, pgn: &[u8]) -> String {
    let outcome = game(query, pgn);
    assert_eq!(outcome.error, None, "{query}");
    String::from_utf8(outcome.messages).expect("messages are text").trim_end().replace('\n', " | ")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_target_reaches_to_arithmetic_and_comparison() {
    let value = "{imagine piece q --> d4 : q attacks A & P} \" \" \
        {move legal count : check == 0} \" \" \
        {1 + imagine sidetomove black : move legal count - imagine sidetomove white : move legal count} \" \" \
        {imagine piece q --> d4 : not A attacks q}";
    assert_eq!(at(START, value), "[] 0 1 <true>");
}

/// A move that does not give check is skipped if the filter needs a check. The double negation
/// hides the need.
#[test]
fn moves_without_check_are_skipped() {
    let run = |query: &str, steps: u64| {
        let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
        let program = Program::compile(&query).unwrap();
        let options = RunOptions { steps, ..RunOptions::default() };
        let mut reader = Reader::new();
        let game = reader.read(LINE, program.needs_with(&options).union(Needs::MAIN_LINE));
        let mut machine = Machine::new(program);
        let context = GameContext { number: 1, last_number: None, options: &options };
        let outcome = machine.run(&game, &context).unwrap();
        (outcome.positions.clone(), outcome.error.is_some(), machine.steps_taken)
    };
    for (filter, hidden) in [("check", "not not check"), ("{mate}", "{not not mate}")] {
        for way in [
            "move legal",
            "move legal from A",
            "move",
            "move legal count > 1",
            "move legal all",
            "not move legal",
        ] {
            let range = if way.ends_with("> 1") { " > 1" } else { "" };
            let way = way.trim_end_matches(" > 1");
            let [short, long] =
                [filter, hidden].map(|filter| format!("{{{way} : {filter}}}{range}"));
            for steps in [RunOptions::default().steps, 97] {
                assert_eq!(run(&short, steps), run(&long, steps), "{short} {long} {steps}");
            }
        }
    }
    assert_eq!(run("move legal : check", 1 << 20).0, [4, 6, 14, 16, 18]);
}

#[test]
fn changes_take_any_set() {
    for (value, wanted) in [
        ("imagine piece Q --> P & a-d2 : Q", "[d1,a2,b2,c2,d2]"),
        ("imagine piece Q --> N attacks f3 : Q", "[d1,g1]"),
        ("imagine piece Q --> e4 | e5 : #Q == 3", "3"),
        ("imagine piece _ --> flip a1 : A & a-h1", "[b1,c1,d1,e1,f1,g1]"),
        ("imagine piece Q --> move to . from N legal : Q", "[d1,a3,c3,f3,h3]"),
        ("imagine piece Q --> piece $p in N {$p attacks d2} : Q", "[b1,d1]"),
        ("imagine piece Q --> if sidetomove == 1 then a3 else a6 : Q", "[d1,a3]"),
        ("imagine swap e1 & K k & e8 sidetomove black : str(K k btm)", "e8e1<true>"),
        ("imagine swap makesquare \"e1\" flip d1 & Q : str(K Q)", "d1e1"),
    ] {
        assert_eq!(at(START, value), wanted, "{value}");
    }
}

#[test]
fn boards_are_not_taken_for_each_other() {
    // The sets of one board were kept for the next where both lay at the same place in memory.
    let value = "{imagine piece q --> d4 : P attackedby q} \" \" {imagine piece q --> e4 : P attackedby q} \" \" \
        {imagine piece q --> d4 : imagine piece _ --> q : P attackedby q} \" \" P attackedby q";
    assert_eq!(at(START, value), "[b2,d2,f2] [c2,e2,g2] [] []");
}

#[test]
fn results_are_those_of_the_moves_that_matched() {
    let fen = "7k/8/8/8/8/8/R7/K7 w - - 0 1";
    let value = "{move from . legal : check} \" \" {move to . legal : check} \" \" {move legal count : check} \" \" \
        {move legal all : btm} \" \" {move legal count all : btm} \" \" {move legal count all : check} \" \" \
        {move legal from k all : false} \" \" {move count all legal from k : false}";
    assert_eq!(at(fen, value), "a2 [h2,a8] 2 <true> 15 <false> <true> 0");
}

#[test]
fn moves_of_the_game_are_made_only_from_its_positions() {
    let query = "cql(variations) ply==7 depth==0 message quiet({move : ply} \" \" {move to . : true} \" \" \
        {move legal : move : true} \" \" {imagine sidetomove white : move : true} \" \" \
        {imagine piece _ --> q : move previous from .} \" \" {imagine piece _ --> q : -- } \" \" \
        {s = imagine piece _ --> q : saveposition s : move : true})";
    assert_eq!(messages(query, LINE), "<true> [d5,f6,e7] <false> <false> <false> <false> <false>");
}

#[test]
fn trees_look_at_the_game_and_comments_go_there() {
    let query = "cql(quiet) ply==2 move legal from K : { comment(currentmutation \" \" ply \" \" movenumber \" \" \
        {parent : positionid} \" \" {child : positionid} \" \" positionid \" \" terminal) }";
    let found = comments(&game(query, LINE));
    assert_eq!(found, [(2, "2.Ke2 3 2 1 3 2 <false>".to_owned())]);
}

#[test]
fn comments_of_a_move_that_fails_are_taken_back() {
    let query = "cql(quiet) ply==0 move legal from N : { comment(currentmutation) check }";
    assert_eq!(comments(&game(query, LINE)), []);
    let query = "cql(quiet) ply==0 move legal from Nb1 : { comment(currentmutation) a3 & N }";
    assert_eq!(comments(&game(query, LINE)), [(0, "1.Na3".to_owned())]);
    // All moves must match for `all`, or nothing stays.
    let query = "cql(quiet) ply==0 move legal all from Nb1 : { comment(currentmutation) a3 & N }";
    assert_eq!(comments(&game(query, LINE)), []);
}

#[test]
fn a_body_that_changes_a_variable_runs_for_every_move() {
    // The change of a part of a string was not taken for one, so the first move ended the search.
    for (change, wanted) in
        [("x += \"z\"", "azzzzzzzzzzzzzzzzzzzz"), ("x[0:1] = \"zz\"", "zzzzzzzzzzzzzzzzzzzzz")]
    {
        let query = format!("initial x = \"a\" move legal : {{ {change} }} message quiet(x)");
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{START}\"]\n\n*\n");
        assert_eq!(messages(&query, pgn.as_bytes()), wanted, "{change}");
    }
}

#[test]
fn variables_keep_what_a_failing_target_gave_them() {
    let query = "initial num = 0 {move legal : { num += 1 false }} or true message quiet(num)";
    assert_eq!(messages(query, LINE), "20");
}

#[test]
fn mutations_print_as_their_page_says() {
    let value = "\"[\" currentmutation \"] \" {imagine piece R --> d5 : currentmutation} \" \" \
        {imagine piece q --> [c7,d7] sidetomove black : currentmutation} \" \" \
        {imagine piece _ --> d1 : currentmutation} \" \" {imagine piece _ --> d4 : currentmutation} \"|\" \
        {imagine swap Nb1 h8 : currentmutation} \" \" {imagine swap Nb1 e4 : currentmutation} \" \" \
        {imagine sidetomove white : currentmutation} \"|\" {imagine sidetomove reverse : currentmutation}";
    assert_eq!(
        at(START, value),
        "[] <R@d5> <q@c7xp><q@d7xp> <&btm> <_@d1xQ> |<Nb1^rh8> <Nb1^_e4> |<&btm>"
    );
    let value = "{t = \"\" {move legal from e8 : move legal to d8 : { t = currentmutation }} or true t} \" \" \
        {move legal null : move legal null : { t = currentmutation } t}";
    let query = format!("t = \"\" initial message quiet({value})");
    let pgn = b"[SetUp \"1\"]\n[FEN \"3k4/8/8/8/8/8/8/R3K3 b Q - 0 7\"]\n\n*\n";
    assert_eq!(messages(&query, pgn), " 7...-- 8.--");
}

#[test]
fn moves_are_taken_back_and_made_again() {
    let query = "cql(quiet) move legal reverse : move legal : { mate comment(currentmutation) }";
    let texts: Vec<String> =
        comments(&game(query, RETRACTOR)).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["1.~Pa7x(B)b8=B 1.a8=Q#", "1.~Pa7x(B)b8=B 1.a8=B#"]);
    // Taken back by Black, the number goes down.
    let value = "{t = \"\" move legal reverse from h8 : { t = str(currentmutation \" \" ply \" \" movenumber) } or true t}";
    let query = format!("t = \"\" initial message quiet({value})");
    let pgn = b"[SetUp \"1\"]\n[FEN \"7k/6pp/8/8/8/8/8/K7 w - - 0 5\"]\n\n*\n";
    assert_eq!(messages(&query, pgn), "");
    let query = query.replace("from h8", "to h8");
    assert_eq!(messages(&query, pgn), "4...~Kg8x(Q)h8 -1 4");
}

#[test]
fn plain_reverse_moves_have_the_values_of_others() {
    let fen = "k7/8/8/8/8/P7/8/7K b - - 0 5";
    let value = "{move legal reverse count to P} \" \" {move from . legal reverse to P} \" \" \
        {move to . reverse} \" \" {move capture . reverse to P} \" \" {move reverse to k} \" \" \
        {move pseudolegal reverse count to P}";
    assert_eq!(at(fen, value), "6 [a2,b2] [h1,a3] a3 <false> 6");
}

#[test]
fn generated_moves_know_what_they_capture() {
    let fen = "4k3/8/8/2pP4/8/8/7r/R2QK3 w - c6 0 5";
    let value = "{move legal capture .} \" \" {move capture . pseudolegal} \" \" \
        {move legal count capture p} \" \" {move from . legal capture r} \" \" {move legal count capture p : check}";
    assert_eq!(at(fen, value), "<true> c5 1 [] 0");
}

#[test]
fn identities_follow_what_is_imagined() {
    let query = "initial piece $q = Q piece $n = Nb1 message quiet({imagine swap $q k : str($q)} \" \" \
        {imagine piece Q --> d1 : str($q)} \" \" {imagine piece Q --> d1 : pieceid d1} \" \" \
        {imagine piece Q --> d1 : imagine piece R --> a3 : pieceid a3} \" \" \
        {x = [] move legal from $n : { x |= $n } x} \" \" {s = imagine swap $n e4 : saveposition s : str($n)} \" \" $q)";
    assert_eq!(messages(query, LINE), "Qe8 [absent] 33 34 [a3,c3] Ne4 Qd1");
}

#[test]
fn promoted_pieces_follow_too() {
    let fen = "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1";
    let value = "promotedpieces \" \" {x = [] move legal from P : { x |= promotedpieces } x} \" \" \
        {x = [] move legal promote Q : move legal : { x |= promotedpieces } x} \" \" \
        {x = [] move legal promote R to c8 : imagine swap c8 e5 : { x |= promotedpieces } x} \" \" \
        {x = [] move legal promote R to c8 : imagine piece R --> c8 : { x |= promotedpieces } x}";
    let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
    let query = format!("x = [] initial message quiet({value})");
    assert_eq!(messages(&query, pgn.as_bytes()), "[] [c8,d8] [c8,d8] e5 []");
}

#[test]
fn saved_positions_are_real() {
    let query = "ply==2 one = currentposition move legal to e2 : { one = saveposition } \
        here = saveposition x = one : positionid message quiet({here : positionid} \" \" {x > 18} \" \" \
        {position x : ply} \" \" {one : movenumber} \" \" {one : btm} \" \" {one : currentmutation} \"|\" \
        {one : move legal to e2 : currentmutation} \" \" {one == here} \" \" {one : {saveposition : positionid} == x} \" \" \
        {one[>]initialposition} \" \" {distance(one initialposition)} \" \" {lca(one here) : positionid} \" \" one)";
    assert_eq!(
        messages(query, LINE),
        "2 22 3 2 <true> |<false> <false> 22 move 2(btm)[22] 2 2 move 2(btm)[22]"
    );
}

#[test]
fn saved_positions_end_with_their_game_and_with_memory() {
    let query =
        "initial move legal : { one = saveposition } position 19 : ply == 1 not position 39 : true";
    assert!(game(query, LINE).matched);
    let options = RunOptions { memory: 1 << 12, ..RunOptions::default() };
    let query = "num = 0 move legal : move legal : { one = saveposition num += 1 }";
    let outcome = run_as(query, LINE, Dialect::CQLI, &options);
    let error = outcome.error.expect("memory is used up");
    assert_eq!(error.filter, "saveposition");
}

#[test]
fn steps_are_bounded() {
    let options = RunOptions { steps: 10_000, ..RunOptions::default() };
    let query = "num = 0 move legal : move legal : move legal : move legal : num += 1";
    let outcome = run_as(query, LINE, Dialect::CQLI, &options);
    assert_eq!(outcome.error.as_ref().map(|error| &*error.filter), Some("limit"));
}

#[test]
fn nesting_is_bounded_by_the_query() {
    let deep = "imagine sidetomove reverse : ".repeat(100);
    let query = format!("initial {deep} message quiet(currentmutation)");
    let text = messages(&query, LINE);
    assert_eq!(text.matches("<&").count(), 100);
    let deep = "imagine sidetomove reverse : ".repeat(5000);
    assert!(babson_lang::analyze(&format!("{deep} check"), Dialect::CQLI).is_err());
}

#[test]
fn rights_and_en_passant_go_with_their_pieces() {
    let fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
    let value = "{imagine piece _ --> h1 : standardfen} \" \" {imagine swap K e2 : standardfen} \" \" \
        {imagine piece q --> d5 : standardfen} \" \" {imagine sidetomove black : standardfen} \" \" \
        {imagine piece n --> b4 : move legal enpassant} \" \" {imagine piece n --> d6 : move legal enpassant}";
    let expected = "r3k2r/8/8/3pP3/8/8/8/R3K3 w Qkq d6 0 1 r3k2r/8/8/3pP3/8/8/4K3/R6R w kq d6 0 1 \
        r3k2r/8/8/3qP3/8/8/8/R3K2R w KQkq - 0 1 r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1 <true> <false>";
    assert_eq!(at(fen, value), expected);
}

#[test]
fn changes_are_made_one_after_the_other() {
    let value = "{imagine piece Q --> R piece _ --> Q : A} \" \" {imagine piece _ --> Q piece Q --> R : Q} \" \" \
        {imagine swap [Rr] k : currentmutation} \"|\" {imagine swap e4 e5 : currentmutation} \"|\" \
        {imagine piece q --> [] : currentmutation}";
    assert_eq!(at("k7/8/8/8/8/8/8/KQ4R1 w - - 0 1", value), "a1 g1 <Rg1^ka8>||");
}

#[test]
fn transforms_reach_the_specifiers() {
    let value = "{flipcolor { imagine piece R --> e4 sidetomove white : move legal to k }} \" \" \
        {flip { imagine piece Q --> d4 : Q & A attacks a1 }} \" \" {flipcolor move legal from Q : check}";
    assert_eq!(at("4k3/8/8/8/8/8/8/K6Q w - - 0 1", value), "<true> [h1,d4,e4,d5,e5] <true>");
    let value = "{flipcolor { imagine piece R --> d4 : currentmutation == \"<r@d5>\" }}";
    assert_eq!(at("4k3/8/8/8/8/8/8/K6Q w - - 0 1", value), "<true>");
}

#[test]
fn legality_prints_alone_and_is_a_condition_elsewhere() {
    let fen = "4k3/8/8/8/8/8/8/P3K3 w - - 0 1";
    let text = "<Illegal position: Pawn present on Rank 1 (square a1)>";
    assert_eq!(at(fen, "legalposition"), text);
    assert_eq!(
        at(fen, "str(1 legalposition) \" \" {legalposition} \" \" (legalposition)"),
        format!("1{text} <false> <false>")
    );
    assert_eq!(
        at(START, "reachableposition \" \" {imagine sidetomove black : legalposition}"),
        "<Reachable position> <false>"
    );
}

#[test]
fn what_cannot_be_tried_is_refused_with_advice() {
    for (query, said) in [
        ("move previous : check", "parent"),
        ("move all legal", "needs `:`"),
        ("imagine piece Q --> d4", "needs `:`"),
        ("imagine piece [Qq] --> d4 : check", "one kind of piece"),
        ("imagine piece Qd1 --> d4 : check", "one kind of piece"),
        ("move previous reverse", "`reverse` cannot be combined with `previous`"),
        ("move comment(\"x\") : check", "`comment` cannot be combined with `:`"),
        ("variant \"Bughouse\"", "is not a known variant"),
    ] {
        let errors = babson_lang::analyze(query, Dialect::CQLI).expect_err(query);
        let text = format!("{errors:?}");
        assert!(text.contains(said), "{query}: {text}");
    }
}

#[test]
fn a_board_without_check_is_left_out_unseen() {
    let pgn = b"[SetUp \"1\"]\n[FEN \"r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 0\"]\n\n*\n";
    for change in [
        "swap one two",
        "sidetomove reverse swap one two",
        "swap one two sidetomove reverse",
        "piece _ --> one",
        "piece Q --> one sidetomove white swap two K",
        "swap one two swap one k",
        "swap one two piece R --> one sidetomove black",
        "swap k & e8 two",
    ] {
        let count = |test: &str| {
            let query = format!(
                "initial found = 0 \
                 {{piece one in [Aa] {{piece two in [Aa] {{imagine {change} : {{{test} found += 1}}}}}}}} or true \
                 message quiet(found)"
            );
            messages(&query, pgn)
        };
        for test in ["mate", "check", "{check and legalposition}"] {
            let found = count(test);
            assert_eq!(found, count(&format!("ply == 0 {test}")), "{change} {test}");
            assert!(found != "0" || test == "mate", "{change} {test}");
        }
    }
    // The effects of a filter before its `check` still happen.
    let told = "initial seen = 0 passed = 0 \
        imagine piece _ --> a2 : {seen = 1 check passed = 1} or true \
        message quiet(seen \" \" passed)";
    assert_eq!(messages(told, b"*\n"), "1 0");
}
