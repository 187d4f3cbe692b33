//! `san`, `clk` and `eval`: the last move as text, and the commands of its comment.

use super::*;

const COMMENTED: &[u8] = b"{[%eval 0.2] [%clk 0:05:00]} 1. e4 {[%eval 0.3] [%clk 0:04:59]} e5 \
    {no command} 2. Nf3 $1 {a} {[%clk\n0:04:00.9]} (2. f4 {[%eval #-4]} exf4 {[%clk 0:00:01]}) *";

fn values(query: &str) -> Vec<(u32, String)> {
    let query = format!("cql(quiet variations) {query}");
    let outcome = run_as(&query, COMMENTED, Dialect::CQLI, &RunOptions::default());
    assert_eq!(outcome.error, None);
    outcome.comments.iter().map(|(at, text)| (at, String::from_utf8_lossy(text).into())).collect()
}

#[test]
fn values_of_all_positions() {
    let all = |expect: &[(u32, &str)]| -> Vec<(u32, String)> {
        expect.iter().map(|(at, text)| (*at, (*text).to_owned())).collect()
    };
    let moves = [(1, "e4"), (2, "e5"), (3, "Nf3"), (4, "f4"), (5, "exf4")];
    assert_eq!(values("san comment(san)"), all(&moves));
    assert_eq!(values("clk comment(clk)"), all(&[(1, "299"), (3, "240"), (5, "1")]));
    assert_eq!(values("eval comment(eval)"), all(&[(0, "20"), (1, "30"), (4, "-99996")]));
}

/// The three are of the node of the game, whatever the board.
#[test]
fn an_imagined_board_has_the_values_of_the_position_around_it() {
    for body in ["imagine piece _ --> p :", "imagine sidetomove reverse :", "move legal from a7 :"]
    {
        let query = format!("cql() ply==1 {body} {{san==\"e4\" clk==299 eval==30}}");
        assert_eq!(run_on(&query, COMMENTED), [1], "{query}");
    }
    // Elsewhere in the game it is another move.
    assert_eq!(run_on("ply==1 find {san==\"e5\"}", COMMENTED), [1]);
    assert_eq!(run_on("ply==2 parent:clk==299 not clk", COMMENTED), [2]);
}

fn run_on(query: &str, pgn: &[u8]) -> Vec<u32> {
    let outcome = run_as(query, pgn, Dialect::CQLI, &RunOptions::default());
    assert_eq!(outcome.error, None, "{query}");
    outcome.positions
}

#[test]
fn drops_and_null_moves_have_a_text() {
    assert_eq!(run_on("san == \"--\"", b"1. e4 -- 2. d4 *"), [2]);
    let house = b"[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. P@d5 *";
    assert_eq!(run_on("san == \"@d5\" or san == \"P@d5\"", house), [7]);
}
