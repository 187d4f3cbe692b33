//! Queries: from text to program, and nine workloads over the demo database.
//!
//! Each benchmark asserts its answer, so that a fast mistake is not a success.

use std::fs;
use std::hint::black_box;

use babson::{Dialect, Query};
use babson_benches::{masters, root};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Workloads, and the games of `masters-2k.pgn` that each finds.
const WORKLOADS: [(&str, Dialect, usize); 9] = [
    ("W01-mate", Dialect::CQL6, 32),
    ("W03-material", Dialect::CQL6, 221),
    ("W04-attacks", Dialect::CQL6, 85),
    ("W05-passers", Dialect::CQL6, 98),
    ("W06-shift", Dialect::CQL6, 3),
    ("W09-find-all", Dialect::CQL6, 18),
    ("W10-legal-moves", Dialect::CQL6, 9),
    ("W16-sort", Dialect::CQL6, 82),
    ("D1-threefold", Dialect::CQLI, 43),
];

fn text_of(name: &str) -> String {
    let path = root().join(format!("benches/workloads/{name}.cql"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compiled(text: &str, dialect: Dialect) -> Query {
    Query::builder(text).dialect(dialect).compile().expect("a good query")
}

fn compile(criterion: &mut Criterion) {
    let mut texts = Vec::new();
    for entry in fs::read_dir(root().join("corpus/queries")).expect("corpus/queries") {
        let path = entry.expect("an entry").path();
        texts.push(fs::read_to_string(&path).expect("a query is text"));
    }
    let mut group = criterion.benchmark_group("compile");
    group.bench_function("parse the corpus' queries", |bench| {
        bench.iter(|| {
            for text in &texts {
                babson_lang::parse(black_box(text), Dialect::CQLI).expect("a good query");
            }
        });
    });
    let long = fs::read_to_string(root().join("benches/check-200.cql")).expect("check-200.cql");
    group.bench_function("check a query of 200 lines", |bench| {
        bench.iter(|| {
            babson_lang::analyze(black_box(&long), Dialect::CQLI).expect("a good query");
        });
    });
    group.bench_function("compile the corpus' queries", |bench| {
        bench.iter(|| {
            for text in &texts {
                Query::compile(black_box(text)).expect("a good query");
            }
        });
    });
    group.finish();

    let shift = text_of("W06-shift");
    criterion.bench_function("compile a pattern in 225 places", |bench| {
        bench.iter(|| compiled(black_box(&shift), Dialect::CQL6));
    });
}

fn workloads(criterion: &mut Criterion) {
    let pgn = masters();
    let mut group = criterion.benchmark_group("workloads");
    group.throughput(Throughput::Elements(159_867));
    group.sample_size(20);
    for (name, dialect, games) in WORKLOADS {
        let query = compiled(&text_of(name), dialect);
        group.bench_function(BenchmarkId::from_parameter(name), |bench| {
            bench.iter(|| assert_eq!(query.search(pgn.as_slice()).count(), games));
        });
    }
    group.finish();
}

criterion_group!(benches, compile, workloads);
criterion_main!(benches);
