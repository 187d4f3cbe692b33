//! `echo` and `consecutivemoves`.

use babson_lang::Dialect;

use super::{comments, run_as};
use crate::{Outcome, RunOptions};

const ECHO: &[u8] =
    b"[Event \"ECHO\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n\
1. Kd2 Kd5 (1... Ke4 2. Ke1 Kd5 3. Kd1 Ke5 4. Kd2 Kd5) 2. Kd3 Ke5 3. e4 Kd6 4. Kd4 *\n";

fn run(query: &str) -> Outcome {
    let options = RunOptions { cql6_output: true, header: false, ..RunOptions::default() };
    run_as(query, ECHO, Dialect::CQL6, &options)
}

fn texts(query: &str) -> Vec<(u32, String)> {
    let outcome = run(query);
    assert_eq!(outcome.error, None, "{query}");
    comments(&outcome)
}

fn messages(query: &str) -> String {
    String::from_utf8(run(query).messages).unwrap()
}

#[test]
fn each_pair_is_commented_at_both_positions_and_at_their_ancestor() {
    let found = texts("cql(variations) echo (x y) {x:K & y:K x:k & y:k wtm x<y}");
    let expect = [
        (1, "LCA"),
        (2, "x"),
        (2, "<--move 5(wtm)[14]"),
        (2, "CQL"),
        (14, "y"),
        (14, "-->move 2(wtm)"),
        (14, "id:14"),
    ];
    assert_eq!(found, expect.map(|(node, text)| (node, text.to_owned())));
    // `quiet` and `cql(quiet)` write nothing but the match.
    assert_eq!(
        texts("cql(variations) echo quiet (x y) {x:K & y:K x:k & y:k wtm x<y}"),
        [(2, "CQL".to_owned())]
    );
}

#[test]
fn the_current_position_takes_part_only_if_asked_for() {
    let same = "{sidetomove==x:sidetomove x & y == .}";
    assert_eq!(run(&format!("cql() echo quiet (x y) {same}")).positions, [0u32; 0]);
    let all = run(&format!("cql() echo quiet (x y) in all {same}"));
    assert_eq!(all.positions.len(), 8);
}

#[test]
fn the_value_is_the_greatest() {
    assert_eq!(messages("cql() initial message quiet({echo (x y) ply})"), "7\n");
    // The greatest may be negative.
    assert_eq!(messages("cql() initial message quiet({echo (x y) 0-ply})"), "-1\n");
    assert_eq!(messages("cql() initial message quiet({echo (x y) {ply>9 ply}})"), "<false>\n");
    assert_eq!(messages("cql() initial message quiet({echo (x y) K})"), "<true>\n");
}

#[test]
fn in_a_sort_the_best_position_alone_is_commented() {
    let found = texts("cql() initial sort \"n\" echo quiet (x y) {comment(\"at\" ply) ply%3}");
    let kept: Vec<_> = found.iter().filter(|(_, text)| text.starts_with("at")).collect();
    assert_eq!(kept, [&(2, "at2".to_owned())]);
    // Elsewhere all are.
    let found = texts("cql(quiet) initial echo quiet (x y) {comment(\"at\" ply) ply%3}");
    assert_eq!(found.len(), 7);
}

#[test]
fn the_variables_are_free_before_and_after() {
    assert!(run("cql() initial echo quiet (x y) true isunbound x isunbound y").matched);
    let outcome = run("cql() x=currentposition echo (x y) true");
    assert!(outcome.error.is_some_and(|error| error.message.contains("already bound")));
}

#[test]
fn common_runs() {
    // After 1.Kd2: Kd5 Kd3 Ke5 … and Ke4 Ke1 Kd5 Kd1 Ke5 Kd2 Kd5.
    let run_of = |x: u32, y: u32| {
        messages(&format!(
            "cql(variations) initial x=position {x} y=position {y} \
             message quiet({{consecutivemoves (x y)}})"
        ))
    };
    assert_eq!(run_of(2, 8), "<false>\n"); // e5-d5 is not e5-e4
    assert_eq!(run_of(7, 14), "1\n"); // e5-d5
    assert_eq!(run_of(1, 14), "<false>\n"); // an ancestor
    let repeats =
        b"[Result \"*\"]\n\n1. Nf3 (1. a3 a6 2. Nf3 Nf6 3. g3 g6 4. h3) 1... Nf6 2. g3 b6 \
3. Bg2 g6 4. h3 *\n";
    let query = |params: &str| {
        format!(
            "cql(variations) initial x=position 7 y=position 14 \
             message quiet({{consecutivemoves {params} (x y)}}) consecutivemoves {params} (x y)"
        )
    };
    let options = RunOptions { cql6_output: true, header: false, ..RunOptions::default() };
    let run = |params: &str| run_as(&query(params), repeats, Dialect::CQL6, &options);
    let outcome = run("");
    assert_eq!(outcome.messages, b"3\n");
    let names = ["x-move[1]", "x-move[2]", "x-move[3]", "y-move[1]", "y-move[2]", "y-move[3]"];
    let nodes = [1, 2, 3, 10, 11, 12];
    let expect: Vec<_> = nodes.into_iter().zip(names.map(str::to_owned)).collect();
    let found = comments(&outcome);
    assert_eq!(found[1..], expect, "the match comment is the first");
    assert_eq!(run("3 5").messages, b"3\n");
    assert_eq!(run("4 5").messages, b"<false>\n");
    assert_eq!(comments(&run("quiet")).len(), 1);
}

#[test]
fn runs_of_other_pieces_are_not_common() {
    // a1-a3 by a rook and by a queen.
    let pgn = b"[FEN \"8/7k/8/8/8/8/1Q6/R3K3 w - - 0 1\"]\n[Result \"*\"]\n\n\
1. Ra3 (1. Rd1 Kh6 2. Qa1 Kh7 3. Qa3) 1... Kh6 *\n";
    let query = "cql(variations) initial x=position 2 y=position 7 \
                 message quiet({consecutivemoves (x y)})";
    let outcome = run_as(query, pgn, Dialect::CQL6, &RunOptions::default());
    assert_eq!(outcome.messages, b"1\n"); // …Kh6 alone
}
