//! The law of the bytes of a part: see docs/src/testing.md#laws.

use std::sync::LazyLock;

use babson_arbitrary::{Choices, check_law, damage};

use super::*;
use crate::slices::part_file::mended;

/// What is merged.
struct Plan {
    /// Keeps the input.
    _folder: tempfile::TempDir,
    jobs: Vec<Job>,
    /// The parts of two slices.
    parts: Vec<Vec<u8>>,
    merged: Everything,
}

static PLAN: LazyLock<Plan> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let games = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"y\"]\n\n1. e4 Kxx *\n\n";
    std::fs::write(&path, games.repeat(6)).unwrap();
    let inputs = [Input::File(path)];
    let jobs = vec![job("mate sort \"n\" gamenumber message(gamenumber)"), job("true")];
    let parts: Vec<Vec<u8>> = plan(&inputs, 2, 1, true)
        .unwrap()
        .iter()
        .map(|slice| {
            let mut part = Vec::new();
            scan_slice(slice, jobs.clone(), &settings(1, None), "note", &mut part).unwrap();
            part
        })
        .collect();
    let merged = merged_of(&parts, &jobs).unwrap();
    Plan { _folder: folder, jobs, parts, merged }
});

fn merged_of(parts: &[Vec<u8>], jobs: &[Job]) -> Result<Everything, Error> {
    let folder = tempfile::tempdir().unwrap();
    let results = parts.iter().map(|part| SliceResult::read("part", Cursor::new(part.clone())));
    let results: Vec<SliceResult> = results.collect::<Result<_, Error>>()?;
    let mut record = Record::default();
    let tasks = tasks(jobs, true, folder.path());
    let merged = merge(results, tasks, &settings(1, None), &mut record);
    match merged {
        Ok(summary) => Ok(everything(summary, record, folder.path())),
        Err(error) => {
            let left = std::fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(left, 0, "a file is left after {error}");
            Err(error)
        }
    }
}

/// A damaged part is refused, and nothing is written. Somebody may give it the right checksums:
/// then it is refused or merged, without a panic.
#[test]
fn part_bytes() {
    check_law!("part_bytes", 250, |bytes| {
        let mut choices = Choices::new(bytes);
        let mut parts = PLAN.parts.clone();
        let at = choices.below(parts.len());
        let has_sums = choices.one_in(2);
        let damaged = damage(&parts[at], &mut choices);
        parts[at] = if has_sums { mended(&damaged) } else { damaged };
        let is_sound = parts == PLAN.parts;
        match merged_of(&parts, &PLAN.jobs) {
            Ok(merged) => assert!(has_sums || merged == PLAN.merged),
            Err(error) => assert!(!is_sound && !error.to_string().is_empty(), "{error}"),
        }
    });
}
