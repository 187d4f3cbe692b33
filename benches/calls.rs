//! The cost of a call of the library: compile a query, evaluate it on a board, run it on a game.
//! Reading that game is measured too, for comparison.

use std::hint::black_box;

use babson::chess::{Position, Rules};
use babson::pgn::{Games, Needs, Reader};
use babson::{Query, Value};
use babson_benches::masters;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BOARD: &str = "r3k2r/ppp2ppp/2n5/1B1qp3/3P4/2N2N2/PPP2PPP/R3K2R w KQkq - 0 1";
const QUERIES: [(&str, &str); 3] =
    [("mate", "mate"), ("pin", "pin through n"), ("power", "power A - power a")];

fn calls(criterion: &mut Criterion) {
    let board: Position = BOARD.parse().expect("a good FEN");
    let games = masters();
    let (_, text) = Games::new(&games).nth(9).expect("a game");
    let mut reader = Reader::new();
    criterion.bench_function("call/read", |bench| {
        bench.iter(|| assert_eq!(reader.read(black_box(text), Needs::ALL).len(), 50));
    });
    for (name, query) in QUERIES {
        criterion.bench_function(&format!("call/compile/{name}"), |bench| {
            bench.iter(|| Query::compile(black_box(query)).expect("a good query"));
        });
        let query = Query::compile(query).expect("a good query");
        criterion.bench_function(&format!("call/matcher/{name}"), |bench| {
            bench.iter(|| black_box(query.matcher()));
        });
        let mut matcher = query.matcher();
        criterion.bench_function(&format!("call/evaluate/{name}"), |bench| {
            bench.iter(|| {
                let value = matcher.evaluate(black_box(&board), &Rules::STANDARD);
                assert_ne!(value, Ok(Value::Number(0)));
            });
        });
        let mut reader = Reader::new();
        let game = reader.read(text, Needs::ALL);
        let mut group = criterion.benchmark_group("call/game");
        group.throughput(Throughput::Elements(game.len().into()));
        group.bench_function(name, |bench| {
            bench.iter(|| matcher.run(black_box(&game)).expect("no error").is_some());
        });
        group.finish();
    }
}

criterion_group!(benches, calls);
criterion_main!(benches);
