//! `babson profile FILE -i DB`: what every filter of a query cost, against the query's source.

use std::fmt::Write as _;
use std::time::Duration;

use babson_engine::{Error, Job, Silent, scan};
use babson_vm::{Counter, ProfiledFilter, Program};

use crate::compose::Source;
use crate::failure::Failure;
use crate::query::{self, QueryFile};
use crate::run::{Wanted, print_errors};

/// Runs the query on one thread, with counters, and writes no matches.
pub(crate) fn profile(words: &[String]) -> Result<u8, Failure> {
    let (given, files) = super::command_line("profile", words.to_vec())?;
    let wanted = Wanted::new(&given)?;
    let mut queries = QueryFile::expand(&files)?;
    if queries.is_empty() && !given.is_empty() {
        queries.push(QueryFile { path: None });
    }
    let [file] = queries.as_slice() else {
        return Err(Failure::Usage("usage: babson profile FILE -i DB".to_owned()));
    };
    let source = file.source(&given)?;
    let compiled = query::understand(&source, &wanted.reading).and_then(|understood| {
        let program = Program::compile_profiled(&understood.query, understood.dialect)?;
        Ok((Job::of_program(program, &understood.query), understood.dialect))
    });
    let (mut job, dialect) = compiled.map_err(|diagnostics| {
        print_errors(&source, &diagnostics, &wanted);
        Failure::Query
    })?;
    wanted.apply(&mut job, dialect);
    let inputs = wanted.inputs(job.program.header().input.as_ref())?;
    let mut settings = wanted.settings();
    settings.threads = 1;
    let jobs = [job];
    let found = scan(&inputs, &jobs, &settings, &mut Silent)?;
    let Some(of_job) = found.jobs.first() else {
        return Ok(0);
    };
    if let Some(stopped @ Error::Stopped { .. }) = &of_job.stopped {
        return Err(Failure::Run(stopped.to_string()));
    }
    let mut text = table(&source, jobs[0].program.profiled(), &of_job.profile);
    let _ = writeln!(
        text,
        "\n{} of {} games match; one thread, no guards; counting costs time of its own",
        of_job.matches, found.games
    );
    crate::console_text(&text)
}

/// A line a filter, operands indented below it.
fn table(source: &Source, filters: &[ProfiledFilter], counters: &[Counter]) -> String {
    let total: Duration = counters.iter().map(|counter| counter.own_time).sum();
    // Operands come after the filter that they belong to.
    let mut inclusive: Vec<Duration> = counters.iter().map(|counter| counter.own_time).collect();
    for (index, filter) in filters.iter().enumerate().rev() {
        if let Some(parent) = filter.parent
            && (parent as usize) < index
        {
            let time = inclusive[index];
            inclusive[parent as usize] += time;
        }
    }
    let mut order: Vec<usize> = (0..filters.len().min(counters.len())).collect();
    order.sort_by_key(|&index| (filters[index].span.start, u32::MAX - filters[index].span.end));
    let mut text =
        format!("{:>12} {:>12} {:>9} {:>6}  filter\n", "evaluations", "matches", "ms", "time");
    for index in order {
        let counter = counters[index];
        let mut depth = 0;
        let mut parent = filters[index].parent;
        while let Some(around) = parent {
            depth += 1;
            parent = filters[around as usize].parent.filter(|next| *next < around);
        }
        let place = source.place(filters[index].span);
        let words = place.text.get(place.range.clone()).unwrap_or("");
        let line = place.text[..place.range.start.min(place.text.len())].matches('\n').count() + 1;
        let share = if total.is_zero() {
            0.0
        } else {
            100.0 * inclusive[index].as_secs_f64() / total.as_secs_f64()
        };
        let _ = writeln!(
            text,
            "{:>12} {:>12} {:>9.1} {share:>5.1}%  {}{}  ({}:{line})",
            counter.evaluations,
            counter.matches,
            1000.0 * inclusive[index].as_secs_f64(),
            "  ".repeat(depth),
            short(words),
            place.name,
        );
    }
    text
}

/// Source text in one line of bounded length.
fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
