//! `babson why DB QUERY -g N`: what held and what failed in one game.

use std::ffi::OsString;
use std::fmt::Write as _;

use babson::{FirstFailure, GameWhy, MatchedPosition, TraceEntry, Verdict};

use crate::console::failed_filter;
use crate::failure::Failure;
use crate::limits::{MAX_SHOWN_FILTER, MAX_SHOWN_FILTERS, MAX_SHOWN_MATCHES};
use crate::options::{CommandLine, OptionId};
use crate::query::{self, QueryFile};
use crate::render;
use crate::search_config::SearchConfig;
use crate::source::QuerySource;
use crate::terminal;

/// Prints why a query matches in a game or does not.
pub(crate) fn why(line: &CommandLine) -> Result<u8, Failure> {
    let mut config = SearchConfig::new(&line.options)?;
    let (databases, words): (Vec<OsString>, Vec<OsString>) =
        line.operands.iter().cloned().partition(|word| word == "-");
    databases.into_iter().for_each(|name| config.add_input(name));
    let queries = QueryFile::of_words(&words, &line.options)?;
    let [file] = queries.as_slice() else {
        return Err(Failure::Usage(line.command.usage()));
    };
    let number = game_number(line)?;
    let ply = line.option(OptionId::Ply).map(|ply| ply.word().parse().unwrap_or(u32::MAX));
    let source = file.source(&line.options)?;
    let typed = query::analyze(&source, &config.reading, |builder| config.build(builder));
    let query = typed.and_then(query::compile).map_err(|diagnostics| {
        render::print(&source, &diagnostics, config.reading.color);
        Failure::Query
    })?;
    let inputs = config.inputs(query.header().input.as_ref())?;
    crate::signals::record_inputs(&inputs);
    let found = match query.why(inputs, number, ply)? {
        Some(Ok(found)) => found,
        Some(Err(error)) => {
            let shown = render::diagnostic(&source, &failed_filter(&error), config.reading.color);
            terminal::diagnostic_line(&shown);
            return Ok(1);
        }
        None => {
            return Err(Failure::Usage(format!("-g {number}: the inputs have fewer games")));
        }
    };
    if line.has(OptionId::Json) {
        return terminal::print_text(&json(&found, &source)?);
    }
    terminal::print_text(&text(&found, &source))
}

/// The number of the game.
fn game_number(line: &CommandLine) -> Result<u64, Failure> {
    match line.option(OptionId::Range).map(|option| option.range()) {
        Some((low, high)) if low == high && low > 0 => Ok(low as u64),
        Some(_) => Err(Failure::Usage("why looks at one game: -g N".to_owned())),
        None => Err(Failure::Usage(format!("which game? -g N; {}", line.command.usage()))),
    }
}

/// The answer as JSON: that of the library, with the texts of the filters.
fn json(found: &GameWhy, source: &QuerySource) -> Result<String, Failure> {
    let fail = |error: serde_json::Error| Failure::Io(error.to_string());
    let mut value = serde_json::to_value(found).map_err(fail)?;
    let texts = found.why.trace.entries.iter().map(|entry| short(source, entry));
    value["filters"] = texts.collect();
    Ok(format!("{value}\n"))
}

/// The answer in at most a screen of text.
fn text(found: &GameWhy, source: &QuerySource) -> String {
    let GameWhy { game, why, .. } = found;
    let tag = |name| game.tag(name).filter(|value| !value.is_empty()).unwrap_or("?");
    let mut out = format!(
        "game {} of {}: {} - {}, {} {}, {}, {} plies\n",
        game.origin.number,
        game.origin.input,
        tag("White"),
        tag("Black"),
        tag("Event"),
        tag("Date"),
        tag("Result"),
        found.plies
    );
    out.push_str(&verdict(found));
    let shown = position(found, why.trace.position);
    let what = match (why.trace.matched, why.matches.is_empty()) {
        (true, _) => "a match",
        (false, true) => "the nearest position",
        (false, false) => "no match",
    };
    let _ = writeln!(out, "\n{what}: {}\n{}", place(shown), shown.map_or("", |at| at.fen.as_str()));
    for (index, entry) in why.trace.entries.iter().enumerate().take(MAX_SHOWN_FILTERS) {
        let failed = why.failed == u32::try_from(index).ok();
        let sign = match entry.verdict() {
            Verdict::Matched => "yes",
            Verdict::Failed => "no",
            Verdict::Unevaluated => "-",
        };
        let indent = "  ".repeat(entry.depth as usize);
        let _ = write!(
            out,
            "{} {sign:<4}{indent}{}",
            if failed { ">" } else { " " },
            short(source, entry)
        );
        out.push_str(&value(found, entry));
        out.push('\n');
    }
    let more = why.trace.entries.len().saturating_sub(MAX_SHOWN_FILTERS);
    if more > 0 {
        let _ = writeln!(out, "  … {more} more filters: --json has them all");
    }
    out.push_str(&failures(found, source));
    out
}

/// Whether the query matches, and where.
fn verdict(found: &GameWhy) -> String {
    let GameWhy { why, matched, .. } = found;
    let count = why.matches.len();
    let mut out = match count {
        0 => format!("the query matches at none of {} positions\n", why.positions),
        _ => {
            let shown = why.matches.iter().take(MAX_SHOWN_MATCHES);
            let places: Vec<String> = shown.map(|&id| place(position(found, id))).collect();
            let more = if count > MAX_SHOWN_MATCHES { ", …" } else { "" };
            let noun = if why.positions == 1 { "position" } else { "positions" };
            format!(
                "the query matches at {count} of {} {noun}: {}{more}\n",
                why.positions,
                places.join(", ")
            )
        }
    };
    match (count > 0, matched) {
        (true, false) => out.push_str(
            "but a search does not find the game: the header of the query or an option asks for \
             another result, number of games or number of matching positions\n",
        ),
        (false, true) => out.push_str("a search finds the game as a whole\n"),
        (true, true) | (false, false) => {}
    }
    if found.shares {
        out.push_str("values that games share have their first values here\n");
    }
    out
}

/// The filters that failed first, with the number of their positions.
fn failures(found: &GameWhy, source: &QuerySource) -> String {
    let why = &found.why;
    if why.failures.is_empty() || why.positions == 1 {
        return String::new();
    }
    let mut all: Vec<&FirstFailure> = why.failures.iter().collect();
    all.sort_by_key(|failure| failure.entry);
    let mut out = "\npositions  the filter that fails first\n".to_owned();
    for failure in all.iter().take(MAX_SHOWN_MATCHES) {
        let Some(entry) = why.trace.entries.get(failure.entry as usize) else { continue };
        let from = place(position(found, failure.first));
        let _ = writeln!(out, "{:>9}  {} (first: {from})", failure.positions, short(source, entry));
    }
    if all.len() > MAX_SHOWN_MATCHES {
        let _ = writeln!(out, "        …  {} more", all.len() - MAX_SHOWN_MATCHES);
    }
    out
}

/// The value of a filter, and how often it matched if it was evaluated several times.
fn value(found: &GameWhy, entry: &TraceEntry) -> String {
    let mut out = String::new();
    if let Some(value) = &entry.value {
        let _ = write!(out, "  = {}", cut(&value.to_string()));
    }
    if let Some(id) = entry.elsewhere {
        match position(found, id) {
            Some(at) => {
                let _ = write!(out, " after {}", place(Some(at)));
            }
            None => out.push_str(" at another position"),
        }
    }
    if entry.evaluated > 1 {
        let _ = write!(out, "  ({} of {} times)", entry.matched, entry.evaluated);
    }
    out
}

fn position(found: &GameWhy, id: u32) -> Option<&MatchedPosition> {
    found.game.positions.iter().find(|position| position.id == id)
}

/// A position in a few words.
fn place(position: Option<&MatchedPosition>) -> String {
    match position {
        Some(position) if position.mv.is_empty() => "the initial position".to_owned(),
        Some(position) => format!("{} (ply {})", position.mv, position.ply),
        None => "?".to_owned(),
    }
}

/// The text of a filter on one line.
fn short(source: &QuerySource, entry: &TraceEntry) -> String {
    let excerpt = source.excerpt(entry.span);
    let words = excerpt.text.get(excerpt.range.clone()).unwrap_or_default();
    cut(&words.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_SHOWN_FILTER) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
