//! Slices of game tables.

use std::sync::LazyLock;

use babson_pgn::{Games, Needs, Reader, count_lines};
use babson_table::{Compression, GameOrigin, Rows, TableWriter};

use super::*;

/// Returns a table of the games of these PGN files, with `batch` games in each batch.
fn table(files: &[&Path], batch: usize, compression: Compression) -> Vec<u8> {
    let mut reader = Reader::new();
    let mut writer = TableWriter::new(Cursor::new(Vec::new()), "test");
    let mut rows = Rows::default();
    for path in files {
        let (text, source) = (std::fs::read(path).unwrap(), path.to_str().unwrap());
        for ((offset, game), number) in Games::new(&text).zip(1..) {
            let line = 1 + count_lines(&text, 0..offset);
            let game = reader.read(game, Needs::ALL);
            let (offset, length) = (offset as u64, game.text().len() as u64);
            rows.add(&game, GameOrigin { input: source, number, offset, length, line });
            if rows.len() == batch {
                writer.append(&rows).unwrap();
                rows = Rows::default();
            }
        }
    }
    writer.append(&rows).unwrap();
    let mut file = Vec::new();
    writer.finish(&mut file, compression).unwrap();
    file
}

/// Databases of all kinds, and three tables: one with batches of 77 games, one with a single
/// compressed batch, and one without games.
struct Mixed {
    folder: tempfile::TempDir,
    inputs: Vec<Input>,
}

impl Mixed {
    fn new() -> Mixed {
        let folder = tempfile::tempdir().unwrap();
        let mut inputs = put_inputs(folder.path());
        let path = |name: &str| folder.path().join(name);
        let special = path("special.pgn");
        std::fs::write(&special, corpus("special.pgn")).unwrap();
        let put = |name: &str, table: Vec<u8>| {
            std::fs::write(path(name), table).unwrap();
            Input::File(path(name))
        };
        let (a, b) = (path("a.pgn"), path("b.pgn"));
        let several = table(&[&b, &a], 77, Compression::None);
        inputs.insert(1, put("several.arrow", several));
        inputs.insert(0, put("packed.arrow", table(&[&special], usize::MAX, Compression::Zstd)));
        inputs.push(put("empty.arrow", table(&[], 1, Compression::None)));
        Mixed { folder, inputs }
    }
}

static MIXED: LazyLock<Mixed> = LazyLock::new(Mixed::new);

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Any slicing of tables, alone or among other databases, gives what one scan gives.
    #[test]
    fn slices_of_tables_give_what_one_scan_gives(
        picks in proptest::collection::vec(0..QUERIES.len(), 0..3),
        flags: (bool, bool, bool),
        inputs in proptest::sample::subsequence((0..8).collect::<Vec<usize>>(), 1..8),
        count in 1..40usize,
        threads in 1..4usize,
        mapped: bool,
        resumes: bool,
        order in proptest::collection::vec(0..100usize, 40),
        limit in proptest::option::of(0..30u64),
    ) {
        let inputs: Vec<Input> = inputs.iter().map(|&at| MIXED.inputs[at].clone()).collect();
        let (writes, rejects, cql6) = flags;
        let jobs = jobs_of(&picks, cql6, limit, limit.map(|limit| limit + 1));
        let whole = run_whole(&inputs, &jobs, writes, rejects);
        let cut = run_slices(&inputs, &jobs, (writes, rejects), (count, threads, mapped), &order);
        prop_assert!(cut == whole, "{picks:?}: {:#?}\n{:#?}", cut.jobs, whole.jobs);
        if resumes {
            let (kept, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let rejects = rejects.then(|| out.path().join("rejects.pgn"));
            let settings = Settings { mapped, ..settings(threads, rejects) };
            let (tasks, mut record) = (tasks(&jobs, writes, out.path()), Record::default());
            let resumed = scan_resumed(&inputs, tasks, &settings, kept.path(), &mut record);
            let summary = resumed.unwrap().publish().unwrap();
            prop_assert!(everything(summary, record, out.path()) == whole, "{picks:?}");
        }
    }
}

/// The slices of a table are rows that follow each other, whether it is mapped or read.
#[test]
fn a_table_is_cut_into_rows() {
    let inputs = &MIXED.inputs[2..3];
    let rows = crate::count(inputs, 1, true).unwrap();
    for count in [1, 2, 7, 40, 300, usize::MAX] {
        let slices = plan(inputs, count, 2, true).unwrap();
        assert_eq!(plan(inputs, count, 1, false).unwrap(), slices);
        let mut next = 0;
        for slice in &slices {
            let [range] = slice.ranges.as_slice() else { panic!("{slice:?}") };
            assert_eq!((range.begin, range.rows, slice.first_game), (next, Some(rows), next + 1));
            assert!(slice.is_sound());
            next = range.end.unwrap();
            assert_eq!(next - range.begin, slice.games);
        }
        assert_eq!(next, rows);
        assert_eq!(slices.len() as u64, (count as u64).min(rows));
        // Of about the same length.
        let [least, most] =
            [slices.iter().map(|s| s.games).min(), slices.iter().map(|s| s.games).max()];
        assert!(most.unwrap() - least.unwrap() <= 1, "{least:?} {most:?}");
    }
}

/// Small tables share a slice with other databases, and one slice has all.
#[test]
fn a_slice_reaches_over_tables() {
    let slices = plan(&MIXED.inputs, 1, 1, true).unwrap();
    let [slice] = slices.as_slice() else { panic!("{slices:?}") };
    assert_eq!(slice.ranges.len(), 8);
    let rows: Vec<bool> = slice.ranges.iter().map(|range| range.rows.is_some()).collect();
    assert_eq!(rows, [true, false, true, false, false, false, false, true]);
}

/// A byte of a table that was changed after the plan is found by the search of the slice whose rows
/// it concerns, also by one that ends early. A byte of a text that rows have numbers of concerns
/// all slices.
#[test]
fn a_changed_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.arrow");
    let source = MIXED.folder.path().join("a.pgn");
    let sound = table(&[&source], 50, Compression::None);
    std::fs::write(&path, &sound).unwrap();
    let slices = plan(&[Input::File(path.clone())], 3, 1, true).unwrap();
    let find = |text: &[u8]| {
        let mut windows = sound.windows(text.len());
        windows.position(|window| window == text).unwrap()
    };
    // The moves of the first game, with its tags; and a name of a player.
    let tags = Games::new(&std::fs::read(&source).unwrap()).next().unwrap().1[..40].to_vec();
    let name = find(b"Alekhine, Alexander");
    for (at, concerned) in [(find(&tags), vec![0]), (name, vec![0, 1, 2])] {
        let mut edited = sound.clone();
        edited[at + 12] ^= 1;
        std::fs::write(&path, &edited).unwrap();
        for (threads, mapped) in [(1, true), (2, false)] {
            let settings = Settings { mapped, ..settings(threads, None) };
            for job in [job("mate"), Job { limit: Some(0), ..job("mate") }] {
                let refused: Vec<usize> = slices
                    .iter()
                    .filter_map(|slice| {
                        let job = vec![job.clone()];
                        let error =
                            scan_slice(slice, job, &settings, "", Vec::new()).err()?.to_string();
                        // A column has a checksum, too, whoever reads it.
                        let is_damage = error.contains("the table is damaged");
                        let is_change = error.contains("it was changed since it was planned");
                        assert!(is_change || is_damage, "{error}");
                        Some(slice.index)
                    })
                    .collect();
                assert!(concerned.iter().all(|slice| refused.contains(slice)), "{refused:?}");
            }
        }
    }
}

/// Numbers of rows that the table does not have are an error, not a panic.
#[test]
fn rows_that_do_not_fit_are_refused() {
    let slice = plan(&MIXED.inputs[2..3], 3, 1, true).unwrap().remove(1);
    let crafts: [fn(&mut InputRange); 5] = [
        |range| range.rows = None,
        |range| range.rows = Some(0),
        |range| range.rows = Some(u64::MAX),
        |range| range.end = range.rows,
        |range| range.begin -= 1,
    ];
    for craft in crafts {
        for mapped in [true, false] {
            let mut slice = slice.clone();
            craft(&mut slice.ranges[0]);
            let settings = Settings { mapped, ..settings(2, None) };
            let searched = scan_slice(&slice, vec![job("mate")], &settings, "", Vec::new());
            assert!(matches!(searched, Err(Error::Slice { .. })), "{slice:?} {searched:?}");
        }
    }
    // A text is not a table.
    let mut slice = plan(&MIXED.inputs[1..2], 3, 1, true).unwrap().remove(1);
    slice.ranges[0].rows = Some(100_000);
    let searched = scan_slice(&slice, vec![job("mate")], &settings(2, None), "", Vec::new());
    assert!(matches!(searched, Err(Error::Slice { .. })), "{searched:?}");
}
