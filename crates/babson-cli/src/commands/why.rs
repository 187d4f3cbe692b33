//! `babson why DB QUERY [-g N]`: what held and what failed in one game.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use babson::matches::MatchedPosition;
use babson::why::{FirstFailure, GameWhy, Trace, TraceEntry, Verdict, WhyError};
use babson::{Error, Event, Input, Observer, Query};
use babson_api::{WhyAnswer, filter_text};

use crate::config::{OptionClass, ReadingOptions, SearchConfig};
use crate::console::{BrokenInputs, damage_words, failed_filter};
use crate::failure::Failure;
use crate::limits::{MAX_SHOWN_FILTER, MAX_SHOWN_FILTERS, MAX_SHOWN_MATCHES};
use crate::options::{CommandLine, OptionId, ParsedOption, config_of};
use crate::query::{self, QueryFile};
use crate::render;
use crate::run::name_hints;
use crate::run::summary::NO_GAME_0;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::terminal;

/// Prints why a query matches in a game or does not.
pub(crate) fn why(line: &CommandLine) -> Result<u8, Failure> {
    let (databases, words): (Vec<OsString>, Vec<OsString>) =
        line.operands.iter().cloned().partition(|word| word == "-");
    let mut options = line.options.clone();
    options.extend(databases.into_iter().map(ParsedOption::input));
    let config = config_of(&options)?;
    // The options that choose games choose the game, and are not explained.
    let reading = config.run.reading.with_filters(|class| class != OptionClass::GameChoice);
    let mut queries = QueryFile::of_words(&words, &reading)?;
    let [file] = queries.as_mut_slice() else {
        return Err(Failure::Usage(line.command.usage()));
    };
    file.load(&config.run.reading);
    let ply = config.run.command.ply;
    let source = file.source(&reading)?;
    let query = compiled(&source, &config)?;
    render::print(&source, query.warnings(), config.run.reading.color);
    let takes_unique = line.command.takes(OptionId::Unique);
    let header = query.header().input.as_ref();
    let inputs = config.open_inputs(header, takes_unique, std::slice::from_ref(file))?;
    crate::signals::record_inputs(&inputs);
    let mut broken = BrokenInputs::default();
    let game = match config.inputs.range {
        Some((low, high)) if low == high && choosing(&config).filters.is_empty() => {
            ChosenGame { number: low, note: "" }
        }
        Some(_) | None => chosen_game(file, &config, &inputs, &mut broken)?,
    };
    let found = match query.why(inputs, game.number, ply) {
        Ok(found) => found,
        // The game has no such ply: the option is wrong, not the query.
        Err(error @ WhyError::NoSuchPly { .. }) => {
            return Err(Failure::Usage(format!("--ply: {error}")));
        }
        Err(WhyError::NoSuchGame { game: 0 }) => {
            return Err(Failure::Usage(format!("-g 0: {NO_GAME_0}")));
        }
        Err(WhyError::NoSuchGame { game }) => {
            return Err(Failure::Usage(format!("-g {game}: the inputs have fewer games")));
        }
        Err(WhyError::Runtime(error)) => {
            let shown =
                render::diagnostic(&source, &failed_filter(&error), config.run.reading.color);
            terminal::diagnostic_line(&shown);
            return Ok(1);
        }
        Err(WhyError::Scan(error)) => return Err(broken.failure(error)),
        Err(error) => return Err(Failure::Run(error.to_string())),
    };
    if config.run.command.json {
        return terminal::print_text(&json(found, &source)?);
    }
    terminal::print_text(&format!("{}{}", game.note, text(&found, &source)))
}

/// The game that is shown.
struct ChosenGame {
    number: u64,
    /// A line that says why it is shown, if it does not match.
    note: &'static str,
}

/// The game that the options choose: the first that matches, otherwise the first of their games.
fn chosen_game(
    file: &QueryFile,
    config: &SearchConfig,
    inputs: &[Input],
    broken: &mut BrokenInputs,
) -> Result<ChosenGame, Failure> {
    if inputs.contains(&Input::Stdin) {
        let why = "the game is looked for before it is shown, and stdin can be read only once";
        return Err(Failure::Usage(format!("{why}: name the game with -g N")));
    }
    let mut first = |query: &Query| -> Result<Option<u64>, Failure> {
        let mut first = FirstMatch { game: None, broken };
        let scan = config.scan(inputs.to_vec()).task(config.task(query).limit(1));
        let scanned = scan.observe(&mut first);
        let FirstMatch { game, broken } = first;
        scanned.map(|_| game).map_err(|error| broken.failure(error))
    };
    let query = compiled(&file.source(&config.run.reading)?, config)?;
    if let Some(number) = first(&query)? {
        return Ok(ChosenGame { number, note: "" });
    }
    name_hints::tell(config, &[query], inputs);
    let choosing = choosing(config);
    if choosing.filters.is_empty() {
        let number = config.inputs.range.map_or(1, |(low, _)| low.max(1));
        return Ok(ChosenGame { number, note: "no game matches; this is the first one\n" });
    }
    let alone = QueryFile::default();
    match first(&compiled(&alone.source(&choosing)?, config)?)? {
        Some(number) => {
            let note = "none of the chosen games matches; this is the first of them\n";
            Ok(ChosenGame { number, note })
        }
        None => {
            let names = query::of_options(&choosing.filters);
            let names = names.trim_matches(['<', '>']);
            Err(Failure::Usage(format!("no game is chosen by {names}")))
        }
    }
}

/// The options that choose games, as a query of their own.
fn choosing(config: &SearchConfig) -> ReadingOptions {
    config.run.reading.with_filters(|class| class == OptionClass::GameChoice)
}

/// An observer that keeps the number of the first match.
struct FirstMatch<'b> {
    game: Option<u64>,
    broken: &'b mut BrokenInputs,
}

impl Observer for FirstMatch<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Matched { game, .. } = event {
            self.game.get_or_insert(game);
        }
        self.broken.event(event)
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// The query of a text; its errors are printed.
fn compiled(source: &QuerySource, config: &SearchConfig) -> Result<Query, Failure> {
    let typed = query::analyze(source, &config.run.reading, |builder| config.build(builder));
    typed.and_then(query::compile).map_err(|diagnostics| {
        render::print(source, &diagnostics, config.run.reading.color);
        Failure::Query
    })
}

/// The answer as JSON, in the form of the calls of the server.
fn json(found: GameWhy, source: &QuerySource) -> Result<String, Failure> {
    let answer = WhyAnswer::new(found, |entry| short(source, entry));
    let json = serde_json::to_string(&answer).map_err(|error| Failure::Io(error.to_string()))?;
    Ok(json + "\n")
}

/// The answer in at most a screen of text.
fn text(found: &GameWhy, source: &QuerySource) -> String {
    let GameWhy { game, why, .. } = found;
    let tag = |name| game.tag(name).filter(|value| !value.is_empty()).unwrap_or("?").shown();
    let mut out = format!(
        "game {} of {}: {} - {}, {} {}, {}, {} plies\n",
        game.origin.number,
        game.origin.input.shown(),
        tag("White"),
        tag("Black"),
        tag("Event"),
        tag("Date"),
        tag("Result"),
        found.plies
    );
    if let Some(damage) = &found.damage {
        let _ = writeln!(
            out,
            "the game is damaged at line {} of its input ({}); what follows there is not evaluated",
            damage.line,
            damage_words(damage)
        );
    }
    out.push_str(&verdict(found));
    let shown = position(found, why.trace.position);
    let what = match (why.trace.matched, why.matches.is_empty()) {
        (true, _) => "a match",
        (false, true) => "the nearest position",
        (false, false) => "no match",
    };
    let _ = writeln!(out, "\n{what}: {}\n{}", place(shown), shown.map_or("", |at| at.fen.as_str()));
    let shown = shown_filters(&why.trace, why.failed);
    let mut folded = 0;
    for (index, entry) in why.trace.entries.iter().enumerate() {
        if !shown[index] {
            folded += 1;
            continue;
        }
        fold(&mut out, std::mem::take(&mut folded));
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
    fold(&mut out, folded);
    if shown.contains(&false) {
        out.push_str("  (--json has all filters)\n");
    }
    out.push_str(&failures(found, source));
    out
}

/// Returns which filters are shown: the filter that failed first, the filters that contain it, and
/// then, from the start, as many more as a screen has room for.
fn shown_filters(trace: &Trace, failed: Option<u32>) -> Vec<bool> {
    let mut shown = vec![false; trace.entries.len()];
    let mut depth = u32::MAX;
    let up_to_failed = failed.map_or(0, |failed| failed as usize + 1);
    for (index, entry) in trace.entries.iter().enumerate().take(up_to_failed).rev() {
        if entry.depth < depth {
            shown[index] = true;
            depth = entry.depth;
        }
    }
    let room = MAX_SHOWN_FILTERS.saturating_sub(shown.iter().filter(|shown| **shown).count());
    shown.iter_mut().filter(|shown| !**shown).take(room).for_each(|shown| *shown = true);
    shown
}

/// A line that stands for filters that are not shown.
fn fold(out: &mut String, filters: usize) {
    if filters > 0 {
        let noun = if filters == 1 { "filter" } else { "filters" };
        let _ = writeln!(out, "  … {filters} more {noun}");
    }
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
    filter_text(excerpt.text.get(excerpt.range.clone()).unwrap_or_default())
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_SHOWN_FILTER) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
