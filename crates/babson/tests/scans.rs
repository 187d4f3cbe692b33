//! What a scan refuses before it starts, and scans in slices.

use std::io::Cursor;
use std::path::Path;

use babson::chess::{Variant, VariantNames};
use babson::scan::Silent;
use babson::slices::{PartDestination, Slice, SliceResult};
use babson::{Error, FileSink, Input, Query, Scan, Summary, Task};

const GAMES: &str = "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

/// Everything that searches with the queries of a scan.
type Search = (&'static str, fn(Scan, &Slice, &Path) -> Result<(), Error>);

const SEARCHES: [Search; 9] = [
    ("start", |scan, _, _| scan.start()?.finish().map(drop)),
    ("run", |scan, _, _| scan.run().map(drop)),
    ("observe", |scan, _, _| scan.observe(&mut Silent).map(drop)),
    ("run_unpublished", |scan, _, _| scan.run_unpublished(&mut Silent).map(drop)),
    ("resume", |scan, _, folder| scan.resume(&folder.join("kept"), &mut Silent).map(drop)),
    ("slice", |scan, slice, _| scan.slice(slice, Vec::new())),
    ("slice_to", |scan, slice, folder| {
        let part = PartDestination::File(folder.join("0.part"));
        scan.slice_to(slice, "", &part, &mut Silent)
    }),
    // The check is before the merge, which refuses it for another reason.
    ("merge", |scan, _, _| none_to_merge(scan.merge(Vec::new()).map(drop))),
    ("merge_unpublished", |scan, _, _| {
        none_to_merge(scan.merge_unpublished(Vec::new(), &mut Silent).map(drop))
    }),
];

fn none_to_merge(merged: Result<(), Error>) -> Result<(), Error> {
    match merged {
        Err(Error::NoParts) => Ok(()),
        result => result,
    }
}

fn games(folder: &Path) -> Input {
    let path = folder.join("games.pgn");
    std::fs::write(&path, GAMES.repeat(50)).unwrap();
    Input::File(path)
}

/// The errors of all searches of a scan, each with the name of the method.
fn errors(scan: impl Fn(Input) -> Scan) -> Vec<(&'static str, Option<Error>)> {
    let folder = tempfile::tempdir().unwrap();
    let input = games(folder.path());
    let slice = Scan::of([input.clone()]).plan(1).unwrap().remove(0);
    let run =
        |(name, search): Search| (name, search(scan(input.clone()), &slice, folder.path()).err());
    SEARCHES.map(run).into()
}

#[test]
fn a_scan_without_a_query_is_refused_unless_it_is_allowed() {
    for (name, error) in errors(|input| Scan::of([input])) {
        let error = error.expect(name);
        assert!(matches!(error, Error::NoQuery), "{name}: {error:?}");
        assert_eq!(error.to_string(), "the scan has no query");
    }
    for (name, error) in errors(|input| Scan::of([input]).allow_no_query(true)) {
        assert!(error.is_none(), "{name}: {error:?}");
    }
    let query = Query::compile("mate").unwrap();
    for (name, error) in errors(|input| Scan::of([input]).query(&query)) {
        assert!(error.is_none(), "{name}: {error:?}");
    }
}

/// Each game is read once for all queries, so they cannot differ in what its `Variant` tag means.
#[test]
fn queries_of_a_scan_know_the_same_names_of_variants() {
    let named = |name: &str, aliases: &[(&str, Variant)]| {
        let mut names = VariantNames::default();
        aliases.iter().for_each(|&(alias, variant)| names.add(alias, variant).unwrap());
        let query = Query::builder("true").name(name).variants(names.clone()).compile().unwrap();
        (query, names)
    };
    let (one, other) = (("one", Variant::Atomic), ("other", Variant::Horde));
    let (plain, _) = named("", &[]);
    let (atomic, names) = named("a.cql", &[one]);
    let (both, _) = named("b.cql", &[one, other]);
    let (turned, _) = named("c.cql", &[other, one]);
    let refused = |queries: &[&Query], expected: [&str; 2]| {
        let scan = |input| queries.iter().fold(Scan::of([input]), |scan, query| scan.query(query));
        for (method, error) in errors(scan) {
            let error = error.expect(method);
            let Error::VariantNames { one, other } = &error else { panic!("{method}: {error:?}") };
            assert_eq!([one, other], expected, "{method}");
            assert!(error.to_string().contains("know different names of variants"), "{error}");
        }
    };
    refused(&[&plain, &atomic], ["query 0", "query 1 (a.cql)"]);
    refused(&[&atomic, &atomic, &plain], ["query 0 (a.cql)", "query 2"]);
    refused(&[&atomic, &both], ["query 0 (a.cql)", "query 1 (b.cql)"]);
    for (method, error) in errors(|input| Scan::of([input]).query(&both).query(&turned)) {
        assert!(error.is_none(), "{method}: {error:?}");
    }
    // The names in the settings of the scan must agree too, unless there are none.
    let set = |query: &Query| {
        let text = "[Variant \"one\"]\n\n1. e4 *\n";
        let scan = Scan::of([Input::bytes("games", text.as_bytes())]).query(query);
        scan.settings(|settings| settings.variants.clone_from(&names)).run()
    };
    assert_eq!(set(&atomic).unwrap().damaged, 0);
    let error = set(&both).unwrap_err();
    assert!(error.to_string().starts_with("the settings of the scan and query 0 (b.cql)"));
}

/// Games of a variant of a name that the queries know are read with its rules.
#[test]
fn games_may_have_the_names_that_the_queries_know() {
    let mut names = VariantNames::default();
    names.add("boom", Variant::Atomic).unwrap();
    let games = "[Variant \"boom\"]\n\n1. Nf3 f6 2. Ne5 a6 3. Nxd7 *\n";
    let run = |names: VariantNames| -> Summary {
        let query = Query::builder("variant \"Atomic\"").variants(names).compile().unwrap();
        Scan::of([Input::bytes("games", games.as_bytes())])
            .query(&query)
            .query(&query)
            .run()
            .unwrap()
    };
    assert_eq!(run(names).queries[1].matches, 1);
    assert_eq!(run(VariantNames::default()).queries[1].matches, 0);
}

/// One scan searches any number of slices, to memory and to files, and is then merged.
#[test]
fn one_scan_searches_many_slices() {
    let folder = tempfile::tempdir().unwrap();
    let input = games(folder.path());
    let (mates, pawns) = (Query::compile("mate").unwrap(), Query::compile("Pa2").unwrap());
    let out = folder.path().join("out.pgn");
    let scan = || {
        let mates = Task::new(&mates).limit(40).sink(FileSink::pgn(&out));
        Scan::of([input.clone()]).task(mates).task(Task::new(&pawns).limit(40)).threads(2)
    };
    let whole = scan().run().unwrap();
    let expected = std::fs::read(&out).unwrap();
    std::fs::remove_file(&out).unwrap();
    let scan = scan();
    let mut results = Vec::new();
    for slice in scan.plan(5).unwrap() {
        let path = folder.path().join(format!("{}.part", slice.index));
        // A second search of the slice changes nothing.
        for _ in 0..2 {
            let part = PartDestination::File(path.clone());
            scan.slice_to(&slice, "a note", &part, &mut Silent).unwrap();
        }
        let mut bytes = Vec::new();
        scan.slice(&slice, &mut bytes).unwrap();
        let result = match slice.index % 2 {
            0 => SliceResult::open(path).unwrap(),
            _ => SliceResult::read("in memory", Cursor::new(bytes)).unwrap(),
        };
        assert_eq!(result.note(), if slice.index % 2 == 0 { "a note" } else { "" });
        results.push(result);
    }
    assert_eq!(results.len(), 5);
    let merged = scan.merge(results).unwrap();
    let counts = |summary: &Summary| {
        let jobs = summary.queries.iter();
        (summary.games, jobs.map(|job| (job.matches, job.positions)).collect::<Vec<_>>())
    };
    assert_eq!(counts(&merged), counts(&whole));
    assert_eq!(merged.queries[0].matches, 40);
    assert_eq!(std::fs::read(&out).unwrap(), expected);
}
