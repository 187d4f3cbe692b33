//! The law of slices: any slicing gives what one scan gives.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Any slicing, in any order of the results, gives what one scan gives.
    #[test]
    fn slices_give_what_one_scan_gives(
        picks in proptest::collection::vec(0..QUERIES.len(), 0..4),
        flags: (bool, bool, bool),
        count in 1..12usize,
        threads in 1..4usize,
        mapped: bool,
        order in proptest::collection::vec(0..100usize, 14),
        limit in proptest::option::of(0..30u64),
        top in proptest::option::of(1..30u64),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let inputs = put_inputs(folder.path());
        let (writes, rejects, cql6) = flags;
        let jobs = jobs_of(&picks, cql6, limit, top);
        let whole = run_whole(&inputs, &jobs, writes, rejects);
        let cut = run_slices(&inputs, &jobs, (writes, rejects), (count, threads, mapped), &order);
        prop_assert!(cut == whole, "{picks:?}: {:#?}\n{:#?}", cut.jobs, whole.jobs);
    }
}

/// A program that writes too much stops its query only if it was asked in a game that counts: not
/// by another thread or slice after the end that a limit sets.
#[cfg(unix)]
#[test]
fn programs_of_games_that_do_not_count_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // With more inputs, a thread would go on to ask its program in games that do not count.
    let inputs = &put_inputs(folder.path())[..3];
    // Wrong from game 200 on, which shows when the program is closed.
    let script = "while read x; do echo a; last=$x; done; [ $last -lt 200 ] || echo b";
    let query = format!("mate commandpipe(\"sh -c '{script}'\" str(gamenumber)) == \"a\"");
    let host = crate::SystemHost::new();
    // With this limit the last game that counts is the last with a request: another one after it
    // would be the game of the failure.
    let mates = tasks(&[job("mate")], false, folder.path());
    let mates = scan(inputs, mates, &settings(2, None), &mut Record::default()).unwrap();
    let mates = mates.queries[0].matches;
    for (limit, stops) in [(Some(2), false), (Some(mates), true), (None, true)] {
        let mut job = job(&query);
        job.options.host = std::sync::Arc::new(host.clone());
        job.limit = limit;
        let jobs = [job, self::job("mate")];
        let mut runs = Vec::new();
        for threads in [1, 3] {
            let out = tempfile::tempdir().unwrap();
            let mut record = Record::default();
            let tasks = tasks(&jobs, true, out.path());
            let summary = scan(inputs, tasks, &settings(threads, None), &mut record).unwrap();
            assert_eq!(summary.queries[0].stopped.is_some(), stops, "{limit:?} {threads}");
            runs.push(everything(summary, record, out.path()));
            runs.push(run_slices(inputs, &jobs, (true, false), (5, threads, true), &[3, 1]));
        }
        for run in &runs {
            assert!(*run == runs[0], "{limit:?}: {:#?}\n{:#?}", run.shown(), runs[0].shown());
        }
    }
}

#[test]
fn a_query_in_order_runs_as_one_slice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(50)).unwrap();
    let inputs = [Input::File(path)];
    let query = "cqlbegin { message(\"b\") } persistent total += 1 total < 20 message(total) mate \
                 cqlend { message(total) }";
    let jobs = [job(query)];
    let slices = plan(&inputs, 3, 1, true).unwrap();
    let refused = scan_slice(&slices[0], jobs.to_vec(), &settings(1, None), "", Vec::new());
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("a plan of one slice"), "{refused}");
    let whole = run_whole(&inputs, &jobs, true, false);
    assert!(!whole.record.0.is_empty());
    assert_eq!(run_slices(&inputs, &jobs, (true, false), (1, 3, true), &[]), whole);
}

/// The line of a damage is a function of the text, whatever the line ends before it and wherever
/// the text is cut.
#[test]
fn lines_of_damage_do_not_depend_on_the_cutting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let (mut text, mut expected) = (String::new(), Vec::new());
    let mut line = 1;
    for game in 0..4000 {
        // Most games end their lines as the one before.
        let end = ["\n", "\r\n", "\r"][game * game / 1000 % 3];
        text +=
            &format!("[Event \"{game}\"]{end}{end}1. e4 {{a comment}}{end}e5 2. Kxx *{end}{end}");
        expected.push(line + 3);
        line += 5;
    }
    std::fs::write(&path, text).unwrap();
    let inputs = [Input::File(path)];
    let jobs = [job("check")];
    let whole = run_whole(&inputs, &jobs, false, false);
    let lines: Vec<u64> = whole.record.0.iter().filter_map(damaged_line).collect();
    assert_eq!(lines, expected);
    for count in [1, 2, 3, 17, 400] {
        assert!(
            run_slices(&inputs, &jobs, (false, false), (count, 2, true), &[]) == whole,
            "{count}"
        );
    }
}

/// The line of a recorded damage.
fn damaged_line(recorded: &Recorded) -> Option<u64> {
    let Recorded::Other(text) = recorded else { return None };
    let (_, after) = text.split_once(" line: ")?;
    after.split_once(',')?.0.parse().ok()
}

/// A plan of one slice has all inputs in it, so a query in order can be searched in any number of
/// inputs, and the search can be resumed.
#[test]
fn a_query_in_order_may_have_several_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = put_inputs(folder.path());
    // An empty one, and the same twice in a row.
    let empty = folder.path().join("empty.pgn");
    std::fs::write(&empty, "").unwrap();
    inputs.insert(0, Input::File(empty));
    inputs.insert(2, inputs[1].clone());
    let query = "cql() persistent total += 1 total % 10 == 1 message(total gamenumber) \
                 comment(total) sort total";
    let mut limited = job("persistent mates += 1 mate");
    limited.limit = Some(40);
    let jobs = [job(query), limited];
    for rejects in [false, true] {
        let whole = run_whole(&inputs, &jobs, true, rejects);
        assert!(!whole.record.0.is_empty());
        assert_eq!(run_slices(&inputs, &jobs, (true, rejects), (1, 3, true), &[]), whole);
        let (kept, out) = (folder.path().join("kept"), tempfile::tempdir().unwrap());
        let settings = settings(2, rejects.then(|| out.path().join("rejects.pgn")));
        let mut record = Record::default();
        let tasks = tasks(&jobs, true, out.path());
        let resumed = scan_resumed(&inputs, tasks, &settings, &kept, &mut record).unwrap();
        assert_eq!(resumed.parts.paths().len(), 1);
        let summary = resumed.publish().unwrap();
        assert_eq!(everything(summary, record, out.path()), whole);
    }
}

/// Any number of threads is a number of threads.
#[test]
fn too_many_threads_are_fewer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n").unwrap();
    let (inputs, job) = ([Input::File(path)], job("mate gamenumber==lastgamenumber"));
    for threads in [0, usize::MAX / 16 + 1, usize::MAX] {
        let settings = settings(threads, None);
        let tasks = vec![Task::new(job.clone())];
        let summary = scan(&inputs, tasks, &settings, &mut crate::Silent).unwrap();
        assert_eq!(summary.queries[0].matches, 1);
        assert_eq!(summary.threads, threads.clamp(1, 256));
        let slice = plan(&inputs, 2, threads, true).unwrap().remove(0);
        scan_slice(&slice, vec![job.clone()], &settings, "", Vec::new()).unwrap();
    }
}

/// A slice and a plan have the same result on the threads that the system starts.
#[test]
fn threads_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(3000)).unwrap();
    let (inputs, job) = ([Input::File(path)], job("mate"));
    let part = |allowed| {
        refusal::after(allowed, || {
            let slice = plan(&inputs, 2, 4, true).unwrap().remove(0);
            let mut part = Vec::new();
            let settings = settings(4, None);
            scan_slice(&slice, vec![job.clone()], &settings, "", &mut part).map(|()| part)
        })
    };
    // The plan shares its work with another thread.
    let whole = part(usize::MAX).unwrap();
    assert_eq!(part(2).unwrap(), whole);
    assert!(matches!(part(0), Err(Error::Threads { .. })));
}
