//! `cargo xtask goldens` and `cargo xtask queries`: bring `corpus/goldens` up to date.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Error};
use std::path::Path;
use std::process::Command;

use crate::about;

/// Copies topics from `source` to `corpus/goldens`: each topic that is already there, and the
/// topics in `more`.
///
/// Only files with golden cases move: every line is a JSON object with an `"id"`. A topic that
/// `source` lacks stays as it is, and is named, so that nothing disappears unseen.
pub(crate) fn refresh(root: &Path, source: &Path, more: &[&str]) -> io::Result<()> {
    let target = root.join("corpus/goldens");
    let mut topics: BTreeSet<String> = more.iter().map(|topic| (*topic).to_string()).collect();
    for entry in fs::read_dir(&target).map_err(|error| about(&target, &error))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl")
            && let Some(stem) = path.file_stem()
        {
            topics.insert(stem.to_string_lossy().into_owned());
        }
    }
    for topic in topics {
        let from = source.join(format!("{topic}.jsonl"));
        let to = target.join(format!("{topic}.jsonl"));
        if !from.is_file() {
            println!("{topic}: not in {}, left alone", source.display());
            continue;
        }
        let new = fs::read_to_string(&from).map_err(|error| about(&from, &error))?;
        let is_object = |line: &str| {
            line.trim().is_empty() || (line.starts_with('{') && line.trim_end().ends_with('}'))
        };
        if let Some(at) = new.lines().position(|line| !is_object(line)) {
            return Err(Error::other(format!("{}:{}: not a JSON object", from.display(), at + 1)));
        }
        let old = fs::read_to_string(&to).unwrap_or_default();
        if old == new {
            println!("{topic}: unchanged");
        } else {
            fs::write(&to, &new).map_err(|error| about(&to, &error))?;
            println!("{topic}: {} lines, {} before", new.lines().count(), old.lines().count());
        }
    }
    Ok(())
}

/// Runs every query of the corpus on three databases and rewrites `queries.txt`. Where the old file
/// says `-` the query is too slow for a test on that database, and stays so.
///
/// Read the difference before committing it: the file is a record of what is right, not of what
/// happens.
pub(crate) fn count_queries(root: &Path) -> io::Result<()> {
    let binary = crate::bench_table::release_binary(root)?;
    let folder = root.join("corpus/queries");
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(&folder).map_err(|error| about(&folder, &error))? {
        if let Some(name) = entry?.file_name().to_string_lossy().strip_suffix(".cql") {
            names.insert(name.to_string());
        }
    }
    let to = root.join("corpus/goldens/queries.txt");
    let old = fs::read_to_string(&to).map_err(|error| about(&to, &error))?;
    let mut text = String::from(
        "# Query, games found in masters-2k.pgn, studies.pgn, cqli-games.pgn; `-` where it is too slow for a test.\n",
    );
    for name in names {
        text += &name;
        let mut known = old
            .lines()
            .map(str::split_whitespace)
            .find_map(|mut words| (words.next() == Some(&name)).then_some(words));
        for database in ["masters-2k.pgn", "studies.pgn", "cqli-games.pgn"] {
            if known.as_mut().and_then(Iterator::next) == Some("-") {
                text += " -";
                continue;
            }
            let output = Command::new(&binary)
                .arg("--count")
                .arg("-i")
                .arg(root.join("corpus/games").join(database))
                .arg(folder.join(format!("{name}.cql")))
                .output()?;
            let stdout = String::from_utf8_lossy(&output.stdout);
            let count = stdout.lines().rev().find_map(|line| line.trim().parse::<u64>().ok());
            let (true, Some(count)) = (output.status.success(), count) else {
                let reason = String::from_utf8_lossy(&output.stderr).into_owned();
                return Err(Error::other(format!("{name} on {database}: {reason}")));
            };
            text += &format!(" {count}");
        }
        text.push('\n');
    }
    print!("{text}");
    fs::write(&to, text).map_err(|error| about(&to, &error))
}
