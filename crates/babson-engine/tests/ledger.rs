//! Two scans at once in one process: each has its own unfinished outputs.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

use babson_engine::{
    Destination, Error, Event, FileFormat, FileSink, Input, Job, Ledger, NamePattern, Observer,
    Settings, Summary, Task, scan,
};
use babson_lang::{Dialect, analyze};

/// Two games, then one that is damaged.
const GAMES: &[u8] = b"[Event \"a\"]\n[ECO \"B90\"]\n\n1. e4 e5 *\n\n\
    [Event \"b\"]\n[ECO \"C20\"]\n\n1. d4 d5 *\n\n[Event \"c\"]\n\n1. e4 e9 *\n";

/// Lets the other thread act while all outputs of a scan are unfinished.
struct Meeting {
    barrier: Arc<Barrier>,
    held: bool,
}

impl Observer for Meeting {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Progress(progress) = event
            && progress.games > 0
            && !self.held
        {
            self.held = true;
            self.barrier.wait();
            self.barrier.wait();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// Writes to a new file, to one that is there, to the end of one that is there, and to a file for
/// each opening.
fn run(folder: &Path, ledger: Ledger, barrier: Arc<Barrier>) -> Result<Summary, Error> {
    let path = |name: &str| folder.join(name);
    let pattern = NamePattern::parse(&path("{tag:ECO}.pgn").display().to_string()).unwrap();
    let destinations = [
        Destination::File(path("new.pgn")),
        Destination::File(path("replaced.pgn")),
        Destination::Append(path("extended.pgn")),
        Destination::Split { pattern, append: false },
    ];
    let query = analyze("cql() ply == 1", Dialect::CQLI).unwrap();
    let job = Job::new(&query.query).unwrap();
    let sinks = destinations.into_iter().map(|at| FileSink::new(FileFormat::Pgn, at));
    let task = sinks.fold(Task::new(job), Task::sink);
    let mut settings = Settings::default();
    settings.threads = 1;
    settings.rejects = Some(Destination::File(path("rejects.pgn")));
    settings.ledger = ledger;
    let games = Input::bytes("games", GAMES);
    scan(&[games], vec![task], &settings, &mut Meeting { barrier, held: false })
}

/// The names in a folder, with the contents of the files that were there before.
fn contents(folder: &Path) -> (Vec<String>, [String; 2]) {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let text = |name| fs::read_to_string(folder.join(name)).unwrap();
    (names, [text("replaced.pgn"), text("extended.pgn")])
}

#[test]
fn a_scan_that_is_abandoned_does_not_touch_another() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for folder in &folders {
        fs::write(folder.path().join("replaced.pgn"), "old\n").unwrap();
        fs::write(folder.path().join("extended.pgn"), "old\n").unwrap();
    }
    let ledgers = [(); 2].map(|()| Ledger::default());
    let barrier = Arc::new(Barrier::new(3));
    let [abandoned, other] = thread::scope(|scope| {
        let scans = [0, 1].map(|index| {
            let (folder, ledger) = (folders[index].path(), ledgers[index].clone());
            let barrier = Arc::clone(&barrier);
            scope.spawn(move || run(folder, ledger, barrier))
        });
        barrier.wait();
        for folder in &folders {
            let unfinished = contents(folder.path()).0;
            assert!(unfinished.len() > 6, "{unfinished:?}");
        }
        drop(ledgers[0].abandon());
        barrier.wait();
        scans.map(|scan| scan.join().unwrap())
    });
    let error = abandoned.unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
    let old = || "old\n".to_owned();
    let (names, texts) = contents(folders[0].path());
    assert_eq!(names, ["extended.pgn", "replaced.pgn"]);
    assert_eq!(texts, [old(), old()]);
    assert_eq!(other.unwrap().damaged, 1);
    let (names, texts) = contents(folders[1].path());
    let expected = ["B90.pgn", "C20.pgn", "extended.pgn", "new.pgn", "rejects.pgn", "replaced.pgn"];
    assert_eq!(names[..2], expected[..2]);
    assert!(expected.iter().all(|name| names.iter().any(|found| found == name)), "{names:?}");
    assert!(names.iter().all(|name| !name.ends_with(".tmp")), "{names:?}");
    assert!(texts[0].starts_with("[Event \"a\"]"), "{}", texts[0]);
    assert!(texts[1].starts_with("old\n") && texts[1].len() > 4, "{}", texts[1]);
    // An abandoned ledger stays so.
    let again = run(folders[0].path(), ledgers[0].clone(), Arc::new(Barrier::new(1)));
    assert!(again.unwrap_err().to_string().contains("abandoned"));
}
