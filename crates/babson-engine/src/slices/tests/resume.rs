//! Scans that can be resumed, and their folder.

use super::*;

/// Ends the scan once it has searched more games than this number.
struct Interrupted(u64);

impl Observer for Interrupted {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Progress(progress) = event
            && progress.games > self.0
        {
            return Err(Error::ClosedPipe);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// A scan that is interrupted goes on with the slices that are not finished, also if a part is
/// damaged, and gives what one scan gives.
#[test]
fn a_scan_goes_on_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job(QUERIES[1]), job(QUERIES[4])];
    let whole = run_whole(&inputs, &jobs, true, false);
    let kept = folder.path().join("kept");
    let out = tempfile::tempdir().unwrap();
    let settings = settings(2, None);
    let scan = |observer: &mut dyn Observer| {
        let tasks = tasks(&jobs, true, out.path());
        scan_resumed(&inputs, tasks, &settings, &kept, observer)
    };
    // In the third of the slices.
    let slices = plan(&inputs, 3, 1, true).unwrap();
    assert!(matches!(scan(&mut Interrupted(slices[2].first_game)), Err(Error::ClosedPipe)));
    let finished: Vec<_> =
        std::fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(finished.len(), 2);
    let written = |path: &Path| std::fs::metadata(path).unwrap().modified().unwrap();
    let first = written(&finished[0]);
    let damaged = std::fs::read(&finished[1]).unwrap();
    std::fs::write(&finished[1], &damaged[..damaged.len() - 1]).unwrap();
    let mut record = Record::default();
    let resumed = scan(&mut record).unwrap();
    assert_eq!(written(&finished[0]), first);
    assert_eq!(resumed.parts.paths().len(), slices.len());
    let summary = resumed.publish().unwrap();
    assert!(!kept.exists());
    assert_eq!(everything(summary, record, out.path()), whole);
}

/// Ends the scan when it has searched one slice that was missing and begins the next.
struct KilledAfterSlice<'p> {
    kept: &'p Path,
    slices: usize,
    parts: usize,
    messages: usize,
}

impl KilledAfterSlice<'_> {
    fn parts(kept: &Path) -> usize {
        let names = std::fs::read_dir(kept).into_iter().flatten();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".part") && !name.starts_with('.')).count()
    }
}

impl Observer for KilledAfterSlice<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        self.messages += usize::from(matches!(event, Event::Message { .. }));
        if let Event::Progress(_) = event {
            let parts = KilledAfterSlice::parts(self.kept);
            if parts > self.parts && parts < self.slices {
                return Err(Error::ClosedPipe);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// A scan that is killed after each slice ends with as many starts as there are slices: each start
/// searches what is missing, and only the last one merges the parts.
#[test]
fn a_scan_that_is_killed_after_each_slice_ends() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job(QUERIES[1]), job("mate message(ply)")];
    let whole = run_whole(&inputs, &jobs, true, false);
    let kept = folder.path().join("kept");
    let out = tempfile::tempdir().unwrap();
    let scan = |observer: &mut dyn Observer| {
        let tasks = tasks(&jobs, true, out.path());
        scan_resumed(&inputs, tasks, &settings(1, None), &kept, observer)
    };
    let slices = plan(&inputs, 3, 1, true).unwrap().len();
    for start in 0..slices {
        let parts = KilledAfterSlice::parts(&kept);
        assert_eq!(parts, start);
        let mut killed = KilledAfterSlice { kept: &kept, slices, parts, messages: 0 };
        let ended = scan(&mut killed).is_ok();
        assert_eq!((ended, killed.messages > 0), (start + 1 == slices, ended));
    }
    // Damage between the ends of a part is found by the merge.
    let part = std::fs::read_dir(&kept).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let mut record = Record::default();
    let summary = scan(&mut record).unwrap().publish().unwrap();
    assert_eq!(everything(summary, record, out.path()), whole);
}

/// When all queries have ended, by a limit or by an error, no later slice is searched.
#[test]
fn a_scan_that_can_be_resumed_ends_with_its_queries() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let limited = Job { limit: Some(3), ..job("mate") };
    for jobs in [vec![limited], vec![job("assert gamenumber < 77 mate"), job("assert false")]] {
        let whole = run_whole(&inputs, &jobs, true, false);
        let (kept, out) = (folder.path().join("kept"), tempfile::tempdir().unwrap());
        let scan = |observer: &mut dyn Observer| {
            let tasks = tasks(&jobs, true, out.path());
            let resumed = scan_resumed(&inputs, tasks, &settings(2, None), &kept, observer);
            let resumed = resumed.unwrap();
            let searched = resumed.parts.paths().iter().map(|path| path.exists());
            assert_eq!(searched.collect::<Vec<_>>(), [true, false, false]);
            resumed
        };
        drop(scan(&mut crate::Silent));
        // The part that is kept tells that the queries have ended.
        let mut record = Record::default();
        let resumed = scan(&mut record);
        let summary = resumed.publish().unwrap();
        assert!(!kept.exists());
        assert_eq!(everything(summary, record, out.path()), whole);
    }
}

/// The search of a slice ends with an error that ends all its queries.
#[test]
fn a_slice_ends_with_its_queries() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let slice = plan(&inputs, 1, 1, true).unwrap().remove(0);
    let jobs = vec![job("assert gamenumber < 77 mate")];
    let mut games = 0;
    let mut observer = |event: Event| {
        if let Event::Progress(progress) = event {
            games = progress.games;
        }
        Ok(ControlFlow::Continue(()))
    };
    let mut events = OwnEvents(&mut observer);
    scan_observed(&slice, jobs, &settings(1, None), "", Vec::new(), &mut events).unwrap();
    assert!((77..slice.games).contains(&games), "{games} of {}", slice.games);
}

/// The observer learns once of threads that do not start, and the summary counts those that search.
#[test]
fn a_resumed_scan_tells_of_threads_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept");
    let jobs = [job("mate")];
    let resume = |inputs: &[Input], observer: &mut dyn Observer| {
        scan_resumed(
            inputs,
            tasks(&jobs, false, folder.path()),
            &settings(4, None),
            &kept,
            observer,
        )
    };
    // Of a small file there is one slice, and no thread is needed to plan it.
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(50)).unwrap();
    let one = [Input::File(path)];
    for (allowed, used, expected) in [(4, 4, vec![]), (3, 3, vec![(3, 4)]), (1, 1, vec![(1, 4)])] {
        let mut told = ThreadRecorder::default();
        let summary = refusal::after(allowed, || resume(&one, &mut told)).unwrap().publish();
        assert_eq!((summary.unwrap().threads, told.0), (used, expected), "{allowed}");
    }
    let mut told = ThreadRecorder::default();
    let refused = refusal::after(0, || resume(&one, &mut told)).err();
    assert!(matches!(refused, Some(Error::Threads { .. })) && told.0.is_empty());
    // All but the first of several slices are searched with fewer threads.
    struct Refusing(ThreadRecorder, usize);
    impl Observer for Refusing {
        fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
            if let Event::Progress(_) = event {
                self.1 += 1;
                refusal::allow(2);
            }
            self.0.event(event)
        }

        fn takes_matches(&self) -> bool {
            false
        }
    }
    let inputs = put_inputs(folder.path());
    let mut observer = Refusing(ThreadRecorder::default(), 0);
    let resumed = refusal::after(usize::MAX, || resume(&inputs, &mut observer)).unwrap();
    let slices = resumed.parts.paths().len();
    assert!(slices > 2 && observer.1 >= slices);
    assert_eq!((resumed.summary.threads, observer.0.0), (4, vec![(2, 4)]));
    // If all parts are there, none is needed.
    let mut told = ThreadRecorder::default();
    let again = refusal::after(9, || resume(&inputs, &mut told)).unwrap();
    assert_eq!((again.summary.threads, told.0), (1, vec![]));
}

/// A slice that is searched alone tells of threads that do not start.
#[test]
fn a_slice_tells_of_threads_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let slice = plan(&put_inputs(folder.path()), 1, 1, true).unwrap().remove(0);
    let part = PartDestination::File(folder.path().join("0.part"));
    for (allowed, expected) in [(4, vec![]), (3, vec![(3, 4)])] {
        let mut told = ThreadRecorder::default();
        let settings = settings(4, None);
        let jobs = vec![job("mate")];
        refusal::after(allowed, || scan_slice_to(&slice, jobs, &settings, "", &part, &mut told))
            .unwrap();
        assert_eq!(told.0, expected);
    }
}

/// The progress of a scan that can be resumed goes once from the first game to the last, also if a
/// part is there already.
#[test]
fn the_progress_of_a_resumed_scan_never_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job("mate"), Job { limit: Some(30), ..job("check") }];
    let kept = folder.path().join("kept");
    for _ in ["no part is there", "all but one are there"] {
        let mut shown: Vec<Progress> = Vec::new();
        let mut observer = |event: Event| {
            if let Event::Progress(progress) = event {
                shown.push(progress);
            }
            Ok(ControlFlow::Continue(()))
        };
        let tasks = tasks(&jobs, false, folder.path());
        let ResumedScan { summary, parts, .. } =
            scan_resumed(&inputs, tasks, &settings(2, None), &kept, &mut observer).unwrap();
        assert!(shown.len() > 3);
        for pair in shown.windows(2) {
            let [before, after] = [&pair[0], &pair[1]];
            assert!(before.games <= after.games && before.matches <= after.matches, "{pair:?}");
            assert!(before.bytes <= after.bytes && before.input_bytes <= after.input_bytes);
        }
        let last = shown.last().unwrap();
        let matches: u64 = summary.queries.iter().map(|job| job.matches).sum();
        assert_eq!((last.games, last.matches), (summary.games, matches));
        std::fs::remove_file(&parts.paths()[1]).unwrap();
    }
}

/// A scan removes what a killed scan has left in its folder and parts whose input was changed, but
/// nothing that somebody else may need.
#[cfg(unix)]
#[test]
fn a_scan_removes_only_stale_files_of_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let kept = folder.path().join("kept");
    let scan = |inputs: &[Input], query: &str, observer: &mut dyn Observer| {
        let tasks = tasks(&[job(query)], false, folder.path());
        let resumed = scan_resumed(inputs, tasks, &settings(1, None), &kept, observer);
        resumed.map(|resumed| resumed.parts.paths().to_vec())
    };
    let other_inputs = scan(&inputs[..1], "mate", &mut crate::Silent).unwrap();
    let outdated = scan(&inputs[1..2], "mate", &mut crate::Silent).unwrap();
    let other_query = scan(&inputs, "check", &mut crate::Silent).unwrap();
    let put = |name: &str, text: &str| {
        std::fs::write(kept.join(name), text).unwrap();
        kept.join(name)
    };
    let unfinished = [
        put(".01234567-89abcdef-0.part.123-0.tmp", "babson part 1\n#"),
        put(".01234567-89abcdef-12.part.4-5.tmp", ""),
    ];
    let foreign = [
        put(".01234567-89abcdef-1.part.123-0.tmp", "not a part"),
        put(".games.part.123-0.tmp", "babson part 1\n"),
        put("01234567-89abcdef-0.part", "not a part"),
        put("games.part", "babson part 1\n"),
        put("notes", ""),
    ];
    let is_there = |paths: &[PathBuf]| paths.iter().map(|path| path.exists()).collect::<Vec<_>>();
    // Another scan uses the folder.
    let in_use = crate::slices::folder::FolderInUse::enter(&kept, "01234567-01234567").unwrap();
    assert_eq!(is_there(&unfinished), [false; 2]);
    put(".01234567-89abcdef-0.part.123-0.tmp", "babson part 1\n#");
    scan(&inputs, "stalemate", &mut crate::Silent).unwrap();
    assert_eq!(is_there(&unfinished), [true, false]);
    drop(in_use);
    // A change in the middle of the second input, which has the same length.
    let Input::File(path) = &inputs[1] else { panic!() };
    let mut text = std::fs::read(path).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    std::fs::write(path, text).unwrap();
    std::fs::File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
    let current = scan(&inputs, "mate", &mut crate::Silent).unwrap();
    assert_eq!(is_there(&unfinished), [false; 2]);
    assert_eq!(is_there(&foreign), [true; 5]);
    assert_eq!(is_there(&current), [true; 3]);
    assert_eq!(is_there(&other_inputs), [true; 3]);
    assert_eq!(is_there(&outdated), [false]);
    assert_eq!(is_there(&other_query), [true, true, false]);
}

/// A part counts for what it holds, whatever its name.
#[test]
fn a_part_under_the_name_of_another_is_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = &put_inputs(folder.path())[..2];
    let kept = folder.path().join("kept");
    let scan = |query: &str| {
        let tasks = tasks(&[job(query)], false, folder.path());
        let scanned =
            scan_resumed(inputs, tasks, &settings(1, None), &kept, &mut crate::Silent).unwrap();
        (scanned.summary.queries[0].matches, scanned.parts.paths().to_vec())
    };
    let (mates, mate_parts) = scan("mate");
    let (_, stalemate_parts) = scan("stalemate");
    for (mate, stalemate) in mate_parts.iter().zip(&stalemate_parts) {
        std::fs::copy(stalemate, mate).unwrap();
    }
    assert!(mates > 0);
    assert_eq!(scan("mate").0, mates);
}

/// Runs `scan` to its end when the first slice is merged.
#[cfg(unix)]
struct Interleaved<F: FnMut()>(Option<F>);

#[cfg(unix)]
impl<F: FnMut()> Observer for Interleaved<F> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if matches!(event, Event::Message { .. })
            && let Some(mut scan) = self.0.take()
        {
            scan();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// The first of two identical scans that ends leaves the parts to the other one.
#[cfg(unix)]
#[test]
fn two_scans_share_their_parts() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let jobs = [job(QUERIES[1])];
    let whole = run_whole(&inputs, &jobs, true, false);
    let kept = folder.path().join("kept");
    let count = || {
        let names = std::fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_str().unwrap().ends_with(".part")).count()
    };
    let run = |observer: &mut dyn Observer, out: &Path| {
        let tasks = tasks(&jobs, true, out);
        scan_resumed(&inputs, tasks, &settings(1, None), &kept, observer).unwrap()
    };
    let out = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut record = Record::default();
    let mut inner = None;
    let second = || {
        let resumed = run(&mut record, out[1].path());
        assert_eq!(resumed.parts.paths().len(), 3);
        inner = Some(resumed.publish().unwrap());
        // The other scan may need them.
        assert_eq!(count(), 3);
    };
    let first = run(&mut Interleaved(Some(second)), out[0].path());
    assert_eq!(count(), 3);
    first.publish().unwrap();
    assert!(!kept.exists());
    let files = |out: &Path| everything(Summary::default(), Record::default(), out).files;
    assert_eq!(files(out[0].path()), whole.files);
    assert_eq!(everything(inner.unwrap(), record, out[1].path()), whole);
}

/// The parts of a scan that ends while the scan of another query uses the folder are removed by
/// that one when it ends, or by a later scan if it was killed.
#[cfg(unix)]
#[test]
fn the_last_scan_removes_the_parts_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    let kept = folder.path().join("kept");
    let scan = |query: &str, observer: &mut dyn Observer| {
        let tasks = vec![Task::new(job(query))];
        scan_resumed(&inputs, tasks, &settings(1, None), &kept, observer).unwrap()
    };
    let names = || {
        let entries = std::fs::read_dir(&kept).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let parts = || names().iter().filter(|name| name.ends_with(".part")).count();
    let other = || drop(scan("mate", &mut crate::Silent).publish().unwrap());
    let last = scan(QUERIES[1], &mut Interleaved(Some(other)));
    assert_eq!(parts(), 6);
    last.publish().unwrap();
    assert!(!kept.exists());
    // The other scan is killed. Files of somebody else stay.
    let last = scan(QUERIES[1], &mut Interleaved(Some(other)));
    drop(last);
    for (name, text) in [("01234567-89abcdef.done", "not empty"), ("notes.done", "")] {
        std::fs::write(kept.join(name), text).unwrap();
    }
    assert_eq!((parts(), names().len()), (6, 9));
    let again = scan("stalemate", &mut crate::Silent);
    assert_eq!((parts(), names().len()), (6, 8), "{:?}", names());
    again.publish().unwrap();
    assert_eq!((parts(), names().len()), (3, 5), "{:?}", names());
    // A scan that ended may be run again with its parts.
    scan(QUERIES[1], &mut crate::Silent).publish().unwrap();
    assert_eq!((parts(), names().len()), (0, 2), "{:?}", names());
}

/// Scans that come and go in one folder never miss it, nor a part, and nothing is left in the end.
#[cfg(unix)]
#[test]
fn scans_that_end_do_not_disturb_those_that_begin() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = &put_inputs(folder.path())[1..2];
    let kept = folder.path().join("kept");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..30 {
                    let tasks = vec![Task::new(job("mate"))];
                    let resumed =
                        scan_resumed(inputs, tasks, &settings(1, None), &kept, &mut crate::Silent);
                    assert_eq!(resumed.unwrap().publish().unwrap().queries[0].matches, 180);
                }
            });
        }
    });
    assert!(!kept.exists());
}
