//! Results and slices that are refused, and panics.

use super::*;

#[test]
fn results_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let (settings, jobs) = (settings(1, None), [job("mate")]);
    let slices = plan(&inputs, 5, 1, true).unwrap();
    assert_eq!(slices.len(), 5);
    let all = || results(&slices, &jobs, &settings);
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let refused = |results: Vec<SliceResult>| {
        let tasks = tasks(&jobs, true, &out);
        let error = merge(results, tasks, &settings, &mut crate::Silent).unwrap_err();
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
        error.to_string()
    };
    let mut missing = all();
    missing.remove(1);
    let (told, from_zero) = (refused(missing), "of the plan; slices are numbered from 0");
    assert_eq!(told, format!("slice 1: its part is missing (line 2 {from_zero})"));
    let mut missing = all();
    for index in [4, 3, 1] {
        missing.remove(index);
    }
    let told = format!("slices 1,3-4: their parts are missing (lines 2,4-5 {from_zero})");
    assert_eq!(refused(missing), told);
    let mut doubled = all();
    doubled.extend(results(&slices[2..3], &jobs, &settings));
    assert_eq!(refused(doubled), "part 2: it is of slice 2, and so is part 2");
    let mut foreign = all();
    foreign[3] = results(&plan(&inputs, 9, 1, true).unwrap()[3..4], &jobs, &settings).remove(0);
    assert_eq!(refused(foreign), "part 3: it is of another plan than part 0");
    // The first part is the odd one.
    let mut foreign = all();
    foreign[0] = results(&plan(&inputs, 9, 1, true).unwrap()[..1], &jobs, &settings).remove(0);
    assert_eq!(refused(foreign), "part 0: it is of another plan than part 1");
    let mut other_query = all();
    other_query[0] = results(&slices[..1], &[job("check")], &settings).remove(0);
    let told = "part 0: it was searched with another query or other options than part 1";
    assert_eq!(refused(other_query), told);
    let mut other_query = all();
    other_query[3] = results(&slices[3..4], &[job("check")], &settings).remove(0);
    let told = "part 3: it was searched with another query or other options than part 0";
    assert_eq!(refused(other_query), told);
    let other_queries = results(&slices, &[job("check")], &settings);
    assert_eq!(
        refused(other_queries),
        "part 0: it was searched with another query or other options"
    );
    assert_eq!(refused(Vec::new()), "there are no parts to merge");
}

/// Only games in order can tell in which game the dictionaries exceed their limit, so the merge
/// refuses what may exceed it.
#[test]
fn dictionaries_beyond_their_limit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let mut job = job("dictionary D initial D[gamenumber] = 1");
    job.options.kept_entries = 1000;
    let settings = settings(1, None);
    let slices = plan(&inputs, 3, 1, true).unwrap();
    let results = results(&slices, std::slice::from_ref(&job), &settings);
    let error = merge(results, vec![Task::new(job)], &settings, &mut crate::Silent).unwrap_err();
    assert!(
        matches!(&error, Error::DictionaryLimit) && error.to_string().contains("may grow"),
        "{error}"
    );
}

/// A part whose checksums are right, but whose numbers are not, is an error that names it. Sums of
/// its numbers do not overflow.
#[test]
fn numbers_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let games = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"y\"]\n\n1. e4 Kxx *\n\n";
    std::fs::write(&path, games.repeat(2000)).unwrap();
    let settings = settings(1, None);
    // Every second game is an error: it reaches the limit of steps.
    let mut job = job("initial x = 0 while (x < (gamenumber % 2) * 1000) x += 1 message(x)");
    job.options.steps = 500;
    let slices = plan(&[Input::File(path)], 2, 1, true).unwrap();
    let merged = |craft: &dyn Fn(&mut SliceResult, &mut PartFrame)| {
        let results = slices.iter().map(|slice| {
            let mut bytes = Vec::new();
            scan_slice(slice, vec![job.clone()], &settings, "", &mut bytes).unwrap();
            let mut result = SliceResult::read("", Cursor::new(bytes)).unwrap();
            let mut frames = Vec::new();
            while let Ok(mut frame) = result.next() {
                craft(&mut result, &mut frame);
                frames.push(frame);
            }
            let mut bytes = Vec::new();
            let mut writer = PartWriter::new(&mut bytes, result.head).unwrap();
            let end = frames.pop_if(|frame| matches!(frame, PartFrame::Complete(_)));
            frames.iter().for_each(|frame| writer.write(frame).unwrap());
            if let Some(PartFrame::Complete(totals)) = end {
                writer.finish(totals).unwrap();
            }
            let name = format!("part {}", slice.index);
            SliceResult::read(name, Cursor::new(bytes)).unwrap()
        });
        merge(results.collect(), vec![Task::new(job.clone())], &settings, &mut crate::Silent)
    };
    assert_eq!(merged(&|_, _| {}).unwrap().queries[0].matches, 2000);
    let refused = |craft: &dyn Fn(&mut SliceResult, &mut PartFrame)| {
        let error = merged(craft).unwrap_err();
        let is_named = |name: &str| name.starts_with("part ");
        assert!(matches!(&error, Error::SliceResult { name, .. } if is_named(name)), "{error:?}");
    };
    let crafts: [fn(&mut StoredBatch); 11] = [
        |batch| batch.games = u64::MAX,
        |batch| batch.first_game = u64::MAX,
        |batch| batch.first_game -= 1,
        |batch| batch.bytes = u64::MAX - 1,
        |batch| batch.input_bytes = u64::MAX - 1,
        |batch| batch.jobs[0].log.evaluated = u64::MAX,
        |batch| batch.jobs[0].log.evaluated = batch.games + 1,
        |batch| batch.jobs[0].log.errors[0].before = u64::MAX,
        |batch| batch.jobs[0].log.errors[0].game = u64::MAX,
        |batch| batch.jobs[0].matches[0].game = u64::MAX,
        |batch| batch.jobs[0].matches[0].input = usize::MAX,
    ];
    for craft in crafts {
        refused(&|_, frame| {
            if let PartFrame::Batch(batch) = frame {
                craft(batch);
            }
        });
    }
    let crafts: [fn(&mut Slice); 7] = [
        |slice| slice.games = u64::MAX,
        |slice| slice.first_game = 0,
        |slice| slice.first_game += 1,
        |slice| slice.last_game = u64::MAX,
        |slice| slice.ranges.clear(),
        |slice| slice.ranges[0].first_line = u64::MAX,
        |slice| slice.ranges[0].input_length = u64::MAX,
    ];
    for craft in crafts {
        // With its checksum, too, as somebody forges it who knows how it is computed.
        let edits: [&dyn Fn(Slice) -> Slice; 2] = [&|slice| slice, &Slice::sealed];
        for edit in edits {
            refused(&|result, _| {
                let mut slice = result.slice().clone();
                craft(&mut slice);
                result.head.slice = edit(slice);
            });
            let mut slice = slices[1].clone();
            craft(&mut slice);
            let slice = edit(slice);
            let searched = scan_slice(&slice, vec![job.clone()], &settings, "", Vec::new());
            assert!(matches!(searched, Err(Error::Slice { .. })), "{slice:?}");
        }
    }
}

/// An edit whose numbers still fit together would give other numbers of games or lines.
#[test]
fn an_edited_slice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let (settings, job) = (settings(1, None), job("mate"));
    let slices = plan(&inputs, 3, 1, true).unwrap();
    let edits: [fn(&mut Slice); 5] = [
        |slice| slice.ranges[0].first_line += 1,
        |slice| slice.ranges[0].first_game -= 1,
        |slice| slice.first_game += 1,
        |slice| slice.last_game += 1,
        |slice| slice.plan.push('0'),
    ];
    for edit in edits {
        let mut slice = slices[1].clone();
        edit(&mut slice);
        let error = scan_slice(&slice, vec![job.clone()], &settings, "", Vec::new()).unwrap_err();
        assert!(error.to_string().contains("does not have its checksum"), "{error}");
        let mut results = results(&slices, std::slice::from_ref(&job), &settings);
        edit(&mut results[1].head.slice);
        let error = merge(results, vec![Task::new(job.clone())], &settings, &mut crate::Silent);
        assert!(matches!(error, Err(Error::SliceResult { .. })), "{slice:?}");
    }
    let line = serde_json::to_string(&slices[1]).unwrap();
    assert_eq!(serde_json::from_str::<Slice>(&line).unwrap(), slices[1]);
    for (member, other) in [("\"last_game\"", "\"last\""), ("\"member\"", "\"membr\"")] {
        assert!(line.contains(member), "{line}");
        assert!(serde_json::from_str::<Slice>(&line.replace(member, other)).is_err(), "{other}");
    }
    let longer = line.replacen('{', "{\"comment\":1,", 1);
    assert!(serde_json::from_str::<Slice>(&longer).is_err());
}

/// Every flipped bit, every missing end and every longer end is found, and no output is written.
#[test]
fn a_damaged_part_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(3)).unwrap();
    let (settings, job) = (settings(1, None), job("mate"));
    let slice = plan(&[Input::File(path)], 1, 1, true).unwrap().remove(0);
    let mut bytes = Vec::new();
    scan_slice(&slice, vec![job.clone()], &settings, "", &mut bytes).unwrap();
    let merged = |bytes: Vec<u8>| {
        let result = SliceResult::read("the part", Cursor::new(bytes))?;
        merge(vec![result], vec![Task::new(job.clone())], &settings, &mut crate::Silent)
    };
    assert_eq!(merged(bytes.clone()).unwrap().queries[0].matches, 3);
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        let longer = [&bytes[..], &bytes[..=at]].concat();
        for wrong in [flipped, bytes[..at].to_vec(), longer] {
            let error = merged(wrong).unwrap_err();
            assert!(
                matches!(&error, Error::SliceResult { name, .. } if name == "the part"),
                "{at} {error}"
            );
        }
    }
}

/// A panic of a sink, a format or a writer is an error, and no output gets its name.
#[test]
fn a_panic_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job("mate")];
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let panicked = |result: Result<(), Error>| {
        let error = result.unwrap_err();
        assert!(matches!(&error, Error::Panicked(why) if why.contains("poisoned")), "{error}");
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
    };
    struct PoisonedWriter;
    impl Write for PoisonedWriter {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            panic!("poisoned")
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for threads in [1, 3] {
        let settings = settings(threads, None);
        let slices = plan(&inputs, 4, threads, true).unwrap();
        panicked(scan_slice(&slices[0], jobs.to_vec(), &settings, "", PoisonedWriter));
        // The fourth game of the second input is a mate.
        let mate = crate::count(&inputs[..1], 1, true).unwrap() + 4;
        for poison in [PoisonedSink(mate, 1000), PoisonedSink(0, 40)] {
            let tasks = || {
                let mut tasks = tasks(&jobs, true, &out);
                tasks[0].sinks.push(Box::new(poison));
                tasks
            };
            let results = results(&slices, &jobs, &settings);
            panicked(merge(results, tasks(), &settings, &mut crate::Silent).map(drop));
            let kept = folder.path().join("kept");
            let resumed = scan_resumed(&inputs, tasks(), &settings, &kept, &mut crate::Silent);
            panicked(resumed.map(drop));
        }
    }
}

#[test]
fn a_slice_of_another_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 *\n\n").repeat(100);
    std::fs::write(&path, game("x")).unwrap();
    let slices = plan(&[Input::File(path.clone())], 2, 1, true).unwrap();
    for text in [game("y"), game("xx")] {
        std::fs::write(&path, text).unwrap();
        let error = scan_slice(&slices[1], vec![job("mate")], &settings(1, None), "", Vec::new());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("not the file that was cut"), "{error}");
    }
}

/// A change between the edges of a slice is found when its text is searched, mapped or read, by one
/// thread or several, and by a search that ends early; only of a compressed file not then.
#[test]
fn a_changed_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    const GAME: &str = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let text = GAME.repeat(10_000);
    // Of the same length, with a move that is not legal in one game, or another number of games.
    let edits = [("Qh4#", "Qh5#"), ("[Event", "{Event")];
    fn compressed(text: &str) -> Vec<u8> {
        // Not compressed, so the length stays; in two members, so that the edges stay, too.
        let member = |text: &str| {
            let none = flate2::Compression::none();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), none);
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        [member(text), member(&GAME.repeat(200))].concat()
    }
    fn plain(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }
    for (name, form) in [("a.pgn", plain as fn(&str) -> Vec<u8>), ("a.pgn.gz", compressed)] {
        let path = folder.path().join(name);
        std::fs::write(&path, form(&text)).unwrap();
        let slice = plan(&[Input::File(path.clone())], 1, 1, true).unwrap().remove(0);
        for (from, to) in edits {
            let middle = text.len() / 2;
            let edited = [&text[..middle], &text[middle..].replacen(from, to, 1)].concat();
            std::fs::write(&path, form(&edited)).unwrap();
            for (threads, mapped) in [(1, true), (1, false), (3, true), (3, false)] {
                let settings = Settings { mapped, ..settings(threads, None) };
                let search = |job: Job| {
                    let result = scan_slice(&slice, vec![job], &settings, "", Vec::new());
                    result.map_err(|error| error.to_string())
                };
                let changed = format!(
                    "{}: it was changed since it was planned, with the same length: make a new plan",
                    path.display()
                );
                assert_eq!(search(job("mate")).unwrap_err(), changed);
                let ends = if name == "a.pgn" { Err(changed) } else { Ok(()) };
                assert_eq!(search(Job { limit: Some(3), ..job("mate") }), ends);
                assert_eq!(search(Job { range: Some((1, 3)), ..job("mate") }), ends);
            }
        }
    }
}

/// The games of a slice are as many as it says, whatever is in its line.
#[test]
fn a_slice_with_another_number_of_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    for slice in plan(&inputs, 3, 1, true).unwrap() {
        for games in [slice.games - 1, slice.games + 1] {
            let wrong = Slice { games, last_game: slice.last_game + 1, ..slice.clone() }.sealed();
            let error = scan_slice(&wrong, vec![job("mate")], &settings(1, None), "", Vec::new());
            let told = format!(
                "{}: slice {}, which begins in this file, has {} games, but says that it has \
                 {games}: make a new plan",
                slice.ranges[0].input, slice.index, slice.games
            );
            assert_eq!(error.unwrap_err().to_string(), told);
        }
    }
}

#[test]
fn a_slice_without_ranges_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut slice = plan(&put_inputs(folder.path()), 3, 1, true).unwrap().remove(2);
    slice.ranges.clear();
    let error = scan_slice(&slice, vec![job("mate")], &settings(1, None), "", Vec::new());
    let told = "slice 2: it has no ranges, so it names no file to search: give a whole line of the \
                plan";
    assert_eq!(error.unwrap_err().to_string(), told);
}

/// Whether parts belong to a query depends on what its host reads, and on no other file.
#[test]
fn the_host_reads_the_files_of_a_fingerprint() {
    #[derive(Debug)]
    struct OneFile(&'static str);
    impl Host for OneFile {
        fn read_file(&self, _: &str, limit: usize) -> Result<Vec<u8>, HostError> {
            let long = || std::io::Error::from(std::io::ErrorKind::FileTooLarge);
            if self.0.len() > limit { Err(long().into()) } else { Ok(self.0.into()) }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let query = format!("mate readfile {path:?}");
    let mark = |host: Arc<dyn Host>, memory: usize| {
        let mut job = job(&query);
        (job.options.host, job.options.memory) = (host, memory);
        fingerprint(&[job], &settings(1, None))
    };
    let refusing = || mark(Arc::new(RefusingHost), 9);
    let refused = refusing();
    let system = || mark(Arc::new(crate::SystemHost::new()), 9);
    let missing = system();
    std::fs::write(&path, "Morphy").unwrap();
    assert_eq!(refusing(), refused);
    assert_ne!(system(), missing);
    assert_ne!(system(), refused);
    let of = |text: &'static str| mark(Arc::new(OneFile(text)), 9);
    assert_eq!(of("Morphy"), system());
    assert_ne!(of("Anderssen"), of("Morphy"));
    // Both are too long to be read.
    assert_eq!(of("Capablanca"), of("Alekhine, A."));
}
