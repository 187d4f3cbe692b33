//! Times the replay: `replay FILE [ROUNDS] [all|main|tags|count]`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "an example reads a file, measures and prints"
)]

use std::time::Instant;

use babson_pgn::{Games, Needs, Reader, count_games};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let rounds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(3);
    let mode = arguments.next().unwrap_or_default();
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return eprintln!("{path}: {error}"),
    };
    let needs = match mode.as_str() {
        "all" => Needs::ALL,
        "tags" => Needs::TAGS,
        _ => Needs::MAIN_LINE,
    };
    for _ in 0..rounds {
        let begin = Instant::now();
        let (mut games, mut moves, mut checks, mut damages) = (0u64, 0u64, 0u64, 0u64);
        if mode == "count" {
            games = count_games(&bytes);
        } else {
            let mut reader = Reader::new();
            for (_, text) in Games::new(&bytes) {
                let game = reader.read(text, needs);
                games += 1;
                moves += u64::from(game.len() - 1);
                checks +=
                    game.positions().iter().filter(|position| position.in_check()).count() as u64;
                for damage in game.damages() {
                    damages += 1;
                    if damages <= 20 {
                        let text = String::from_utf8_lossy(game.damaged_text(damage)).into_owned();
                        eprintln!("game {games}: {}: {:.60}", damage.reason, text);
                    }
                }
            }
        }
        let time = begin.elapsed().as_secs_f64();
        println!(
            "{games} games, {moves} moves, {checks} checks, {damages} damages, {:.3} s, {:.2} ns a move",
            time,
            time * 1e9 / moves.max(1) as f64
        );
    }
}
