//! The chess core and the replay: what every query pays for.
//!
//! Each benchmark asserts its answer, so that a fast mistake is not a success.

use std::hint::black_box;

use babson_benches::masters;
use babson_chess::{MoveCode, Position, Rules, fen, perft, san};
use babson_pgn::{CodedGame, Games, Needs, Reader};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Moves of the main lines of the demo database, as shakmaty counts them too.
const MOVES: u64 = 159_867;

fn replay(criterion: &mut Criterion) {
    let pgn = masters();
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(MOVES));
    for (name, needs) in [
        ("main line", Needs::MAIN_LINE),
        ("with piece ids", Needs { piece_ids: true, ..Needs::MAIN_LINE }),
        ("everything but piece ids", Needs::ALL),
    ] {
        let mut reader = Reader::new();
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let mut moves = 0;
                for (_, text) in Games::new(&pgn) {
                    moves += u64::from(reader.read(text, needs).main_line_len()) - 1;
                }
                assert_eq!(moves, MOVES);
            });
        });
    }
    let mut reader = Reader::new();
    group.bench_function("main line, mate test", |bench| {
        bench.iter(|| {
            let mut mates = 0;
            for (_, text) in Games::new(&pgn) {
                let game = reader.read(text, Needs::MAIN_LINE);
                let rules = game.rules();
                mates += u32::from(game.positions().iter().any(|position| position.is_mate(rules)));
            }
            assert_eq!(mates, 32);
        });
    });
    let games = move_codes(&pgn);
    let mut reader = Reader::new();
    group.bench_function("main line, from the codes of a table", |bench| {
        bench.iter(|| {
            let mut moves = 0;
            for (codes, checks) in &games {
                let game =
                    CodedGame { tags: b"", usual_start: true, moves: codes, checks, result: None };
                let (game, _) = reader.replay_if(&game, Needs::MAIN_LINE, |_| true).expect("moves");
                moves += u64::from(game.main_line_len()) - 1;
            }
            assert_eq!(moves, MOVES);
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("split");
    group.throughput(Throughput::Bytes(pgn.len() as u64));
    group.bench_function("game boundaries", |bench| {
        bench.iter(|| assert_eq!(Games::new(black_box(&pgn)).count(), 2000));
    });
    group.finish();
}

/// The codes of the moves of each game, and its checks.
fn move_codes(pgn: &[u8]) -> Vec<(Vec<u16>, Vec<u64>)> {
    let mut reader = Reader::new();
    let games = Games::new(pgn).map(|(_, text)| {
        let game = reader.read(text, Needs::MAIN_LINE);
        let moves = game.nodes()[1..].iter().zip(game.positions());
        let codes = moves.map(|(node, before)| MoveCode::of(node.mv, before).expect("chess").0);
        let mut checks = vec![0; game.positions().len().div_ceil(64)];
        for (id, position) in game.positions().iter().enumerate() {
            checks[id / 64] |= u64::from(position.in_check()) << (id % 64);
        }
        (codes.collect(), checks)
    });
    games.collect()
}

/// Every position of the first games.
fn some_positions() -> Vec<Position> {
    let pgn = masters();
    let mut reader = Reader::new();
    let mut positions = Vec::new();
    for (_, text) in Games::new(&pgn).take(100) {
        positions.extend_from_slice(reader.read(text, Needs::MAIN_LINE).positions());
    }
    positions
}

fn move_generation(criterion: &mut Criterion) {
    let rules = Rules::STANDARD;
    let positions = some_positions();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let listed: usize =
        positions.iter().map(|position| position.legal_moves(&rules).as_slice().len()).sum();
    group.bench_function("list of legal moves", |bench| {
        bench.iter(|| {
            let moves: usize = positions
                .iter()
                .map(|position| position.legal_moves(&rules).as_slice().len())
                .sum();
            assert_eq!(moves, listed);
        });
    });
    group.bench_function("number of legal moves", |bench| {
        bench.iter(|| {
            let moves: usize =
                positions.iter().map(|position| position.count_legal(&rules) as usize).sum();
            assert_eq!(moves, listed);
        });
    });
    group.bench_function("is there a legal move", |bench| {
        bench.iter(|| positions.iter().filter(|position| position.has_legal_move(&rules)).count());
    });
    group.finish();

    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let (position, rules) = fen::parse(kiwipete).expect("a good FEN");
    criterion.bench_function("perft 3 of a busy middlegame", |bench| {
        bench.iter(|| assert_eq!(perft::perft(black_box(&position), &rules, 3), 97_862));
    });
}

fn notation(criterion: &mut Criterion) {
    let rules = Rules::STANDARD;
    // What a game holds: each position with the move that was played, and the SAN of that.
    let pgn = masters();
    let mut reader = Reader::new();
    let mut played = Vec::new();
    for (_, text) in Games::new(&pgn).take(100) {
        let game = reader.read(text, Needs::MAIN_LINE);
        for id in 1..game.main_line_len() {
            let before = *game.position(id - 1);
            let mv = game.node(id).mv;
            played.push((before, mv, san::write(&before, &rules, mv)));
        }
    }
    let mut group = criterion.benchmark_group("san");
    group.throughput(Throughput::Elements(played.len() as u64));
    group.bench_function("parse", |bench| {
        bench.iter(|| {
            for (before, mv, text) in &played {
                assert_eq!(san::parse(before, &rules, text.as_bytes()), Ok(*mv));
            }
        });
    });
    group.bench_function("play", |bench| {
        let mut next = Position::empty();
        bench.iter(|| {
            for (before, mv, text) in &played {
                let read =
                    san::play(before, &rules, text.as_bytes(), &mut next).expect("a legal move");
                assert_eq!(read.mv, *mv);
            }
        });
    });
    group.bench_function("write", |bench| {
        bench.iter(|| {
            for (before, mv, _) in &played {
                let next = before.make(*mv, &rules);
                black_box(san::write_between(before, &next, &rules, *mv));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, replay, move_generation, notation);
criterion_main!(benches);
