//! A scan in several processes: `slices QUERY INPUT OUTPUT`. Each process searches a slice of the
//! input and writes its result, and the first one merges the results to what one scan would write.

use std::{env, fs::File, process::Command};

use babson::slices::SliceResult;
use babson::{FileSink, Query, Scan, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [query, input, output, slice @ ..] = words.as_slice() else {
        return Err("usage: slices QUERY INPUT OUTPUT".into());
    };
    let task = Task::new(&Query::compile(query)?).sink(FileSink::pgn(output));
    let scan = Scan::open([input])?.task(task).threads(1);
    if let [slice] = slice {
        return Ok(scan.slice(&serde_json::from_str(slice)?, File::create(output)?)?);
    }
    let (mut children, mut results) = (Vec::new(), Vec::new());
    for slice in scan.plan(4)? {
        let part = format!("{output}.{}", slice.index);
        let words = [query, input, &part, &serde_json::to_string(&slice)?];
        children.push((Command::new(env::current_exe()?).args(words).spawn()?, part));
    }
    for (child, part) in &mut children {
        child.wait()?;
        results.push(SliceResult::open(part)?);
    }
    scan.merge(results)?;
    children.iter().try_for_each(|(_, part)| Ok(std::fs::remove_file(part)?))
}
