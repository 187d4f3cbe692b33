//! `babson profile [QUERY] -i FILE`: the cost of every filter of a query.

use std::fmt::Write as _;
use std::time::Duration;

use babson::run::{Counter, ProfiledFilter};

use crate::console::BrokenInputs;
use crate::failure::{BROKEN_INPUT, Failure};
use crate::limits::MAX_SHOWN_FILTER;
use crate::options::{CommandLine, OptionId};
use crate::query::{self, QueryFile};
use crate::render;
use crate::run::summary::{damaged, has_lost_games};
use crate::source::QuerySource;
use crate::terminal;

/// Runs the query on one thread with counters, without outputs.
pub(crate) fn profile(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let queries = QueryFile::of_words(&line.operands, &config.run.reading)?;
    let [file] = queries.as_slice() else {
        return Err(Failure::Usage(line.command.usage()));
    };
    let source = file.source(&config.run.reading)?;
    let compiled =
        query::analyze(&source, &config.run.reading, |builder| config.build(builder).profile(true));
    let query = compiled.and_then(query::compile).map_err(|diagnostics| {
        render::print(&source, &diagnostics, config.run.reading.color);
        Failure::Query
    })?;
    render::print(&source, query.warnings(), config.run.reading.color);
    let takes_unique = line.command.takes(OptionId::Unique);
    let inputs = config.open_inputs(query.header().input.as_ref(), takes_unique, &queries)?;
    crate::signals::record_inputs(&inputs);
    let count = inputs.len();
    let mut broken = BrokenInputs::default();
    let scanned = config.scan(inputs).threads(1).task(config.task(&query)).observe(&mut broken);
    let summary = scanned.map_err(|error| broken.failure(error))?;
    let Some(job_summary) = summary.queries.first() else {
        return Ok(0);
    };
    if let Some(stopped) = &job_summary.stopped {
        return Err(Failure::Run(stopped.to_string()));
    }
    let mut text = table(&source, query.profiled(), &job_summary.profile);
    text.push('\n');
    text.push_str(&damaged(&summary, count));
    let _ = writeln!(
        text,
        "{} of {} games match; one thread, no prefilters; counting adds to the times",
        job_summary.matches, summary.games
    );
    terminal::print_text(&text)?;
    match has_lost_games(&summary) {
        true => Ok(BROKEN_INPUT),
        false => Ok(0),
    }
}

/// One line for each filter, with its operands indented below it.
fn table(source: &QuerySource, filters: &[ProfiledFilter], counters: &[Counter]) -> String {
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
        let excerpt = source.excerpt(filters[index].span);
        let words = excerpt.text.get(excerpt.range.clone()).unwrap_or("");
        let line =
            excerpt.text[..excerpt.range.start.min(excerpt.text.len())].matches('\n').count() + 1;
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
            excerpt.name,
        );
    }
    text
}

/// Source text on one line of limited length.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(MAX_SHOWN_FILTER) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
