//! `--like`: the games with the position that is most similar to a FEN.

use crate::bench::{Bench, corpus};

/// An isolated pawn on d4 in game 2, the same with a pawn more in game 3, and nothing of it in 1.
const GAMES: &[u8] = b"[White \"None\"]\n\n1. Nf3 Nf6 *\n
[White \"Same\"]\n[FEN \"4k3/pp3ppp/4p3/8/8/3P4/PP3PPP/4K3 w - - 0 1\"]\n\n1. Ke2 Ke7 2. d4 Kd6 3. d5 *\n
[White \"More\"]\n[FEN \"4k3/pp3ppp/4p3/8/3P4/2P5/PP3PPP/4K3 w - - 0 1\"]\n\n1. Ke2 Ke7 *\n";
const FEN: &str = "4k3/pp3ppp/4p3/8/3P4/8/PP3PPP/4K3";

#[test]
fn the_most_similar_position_of_each_game_counts() {
    let bench = Bench::new();
    bench.put("g.pgn", GAMES);
    let rows = |more: &[&str]| {
        let columns = ["--format", "csv", "--columns", "white,ply,sort:like"];
        let words = [&["-i", "g.pgn", "-q", "--like", FEN], &columns[..], more].concat();
        bench.expect(0, &words).0.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = rows(&[]);
    // Game 2 is nearest before a king is two steps away.
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all[0].starts_with("Same,3,9") && all[1].starts_with("More,0,9"), "{all:?}");
    assert!(all[2].starts_with("None,"), "{all:?}");
    assert_eq!(rows(&["--top", "2"]), all[..2]);
    assert_eq!(rows(&["--limit", "1"]), all[2..]);
    assert_eq!(rows(&["--threads", "3"]), all);
    assert_eq!(rows(&["--cql", "player white \"None\" or ply > 3"]).len(), 2);
    // Of the matching positions: the query is evaluated first.
    let later = rows(&["--cql", "ply > 0 sort \"moves\" ply"]);
    assert!(later[1].starts_with("More,1,"), "{later:?}");
    // The number of matching positions is the one of the query.
    let counted = rows(&["--matchcount", "6", "--cql", "true"]);
    assert_eq!(counted.len(), 1, "{counted:?}");
    let (found, _) = bench.expect(0, &["-i", "g.pgn", "-q", "--like", FEN, "--format", "pgn"]);
    assert!(found.contains("{like: 9"), "{found}");
    assert_eq!(found.matches("{CQL}").count(), 3, "{found}");
    let words = ["-i", "g.pgn", "-q", "--like", FEN, "--group", "white"];
    assert!(bench.expect(0, &words).0.contains("More"));
}

#[test]
fn slices_are_merged_to_the_same_ranking() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let fen = "8/5pk1/4r1pp/8/4R3/5PP1/4P1KP/8";
    let best = ["-o", "whole.jsonl", "--top", "20", "-q"];
    bench.expect(0, &[&["-i", &games, "--like", fen], &best[..]].concat());
    let (plan, _) = bench.expect(0, &["plan", "--slices", "3", &games]);
    for (slice, part) in plan.lines().zip(["0.part", "1.part", "2.part"]) {
        bench.expect(0, &["scan", "--slice", slice, "--like", fen, "-o", part]);
    }
    let other = ["scan", "--slice", plan.lines().next().unwrap(), "--like", FEN, "-o", "3.part"];
    bench.expect(0, &other);
    let (_, told) = bench.expect(3, &["merge", "3.part", "1.part", "2.part", "-o", "none.jsonl"]);
    assert!(told.contains("another query"), "{told}");
    let merged = ["merge", "0.part", "1.part", "2.part", "-o", "merged.jsonl", "--top", "20"];
    bench.expect(0, &merged);
    assert_eq!(bench.get("merged.jsonl"), bench.get("whole.jsonl"));
}

#[test]
fn mistakes_and_explanations() {
    let bench = Bench::new();
    bench.put("g.pgn", GAMES);
    let (_, told) = bench.expect(1, &["-i", "g.pgn", "--like", "4k3/8/9/8/8/8/8/4K3"]);
    assert!(told.contains("E0906") && told.contains("'9' is not a piece"), "{told}");
    assert!(told.contains("<--like>:1:"), "{told}");
    let twice = ["-i", "g.pgn", "--like", FEN, "--like", FEN];
    let (_, told) = bench.expect(2, &twice);
    assert!(told.contains("--like: the games are sorted by one FEN only"), "{told}");
    let (_, told) =
        bench.expect(1, &["-i", "g.pgn", "--like", FEN, "--cql", "sort min \"like\" ply"]);
    assert!(told.contains("another type or direction"), "{told}");
    let (text, _) = bench.expect(0, &["explain", "--like", FEN, "--cql", "wtm"]);
    let sentence = format!("the greatest value of the similarity to {FEN}, from 0 to 1000");
    assert!(text.contains(&sentence), "{text}");
    let (text, _) = bench.expect(0, &["why", "g.pgn", "-g", "2", "--like", FEN]);
    assert!(text.contains("the query matches at 1 of 6 positions: 2.d4"), "{text}");
    assert!(text.contains(&format!("yes {FEN}  = 975")), "{text}");
}
