//! The summary of a run: its last lines and `summary.csv`.

use std::path::{Path, PathBuf};

use babson::event::{BrokenInput, InputFailure};
use babson::scan::{ConditionStats, FatalError, GuardStats, QuerySummary};
use babson::sink::{Destination, Output, safe_csv};
use babson::{Error, Input, Summary};

use crate::config::SearchConfig;
use crate::failure::{BROKEN_INPUT, Failure};
use crate::input_names::is_parquet_name;
use crate::plural::plural;
use crate::query::QueryFile;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::terminal;

/// `58 matches of 253 games in 0.059 seconds using 2 threads to mate.pgn`. In the form of CQL 6.2,
/// which scripts read, the nouns are always plural: `1 matches of 1 games`. `chosen` says which
/// matches are written, `others` which games that do not match.
pub(super) fn line(
    summary: &Summary,
    job: &QuerySummary,
    (cql6, chosen, others): (bool, String, String),
    seconds: f64,
    outputs: &[String],
) -> String {
    let to = match outputs {
        [] => String::new(),
        outputs => format!("{chosen} to {}", outputs.join(", ")),
    };
    let files = match job.files.len() {
        0 => String::new(),
        many => format!(" ({})", plural(many as u64, "file", "files")),
    };
    format!(
        "{} of {} in {} seconds using {}{to}{files}{others}\n",
        plural(job.matches, if cql6 { "matches" } else { "match" }, "matches"),
        plural(summary.games, if cql6 { "games" } else { "game" }, "games"),
        three_digits(seconds),
        plural(summary.threads as u64, "thread", "threads"),
    )
}

/// Prints a line for each output that has no room for all matching games.
pub(super) fn tell_left_out(job: &QuerySummary) {
    for (name, games) in &job.left_out {
        let noun = if *games == 1 { "game" } else { "games" };
        terminal::error_line(&format!(
            "babson: {} has no room for the last {games} matching {noun}; another format has \
             them all, and so have several pages, -o '{{tag:ECO}}.html' for instance",
            name.shown()
        ));
    }
}

/// The lines after the summary: persistent variables, dictionaries, with `--stats` the number of
/// games whose moves were not read and what the game guard did, and lines for programs. `query` is
/// the name of a query of several.
pub(super) fn kept(job: &QuerySummary, config: &SearchConfig, query: Option<&str>) -> String {
    let mut text = String::new();
    let dictionaries: &[String] =
        if config.run.console.show_dictionaries { &job.dictionaries } else { &[] };
    for line in job.persistents.iter().chain(dictionaries) {
        text.push_str(line);
        text.push('\n');
    }
    if let Some(stats) = &job.guard {
        text.push_str(&unread_moves(job.unread_moves, query));
        text.push_str(&guard(stats, query));
    }
    if config.run.console.gui {
        text.push_str(&format!("<CqlGuiVariable> numbermatches {}\n", job.matches));
    }
    text
}

/// With `--stats`, what was read over the network of the inputs that are URLs, if there are any.
pub(super) fn traffic(config: &SearchConfig, inputs: &[Input]) -> String {
    let (mut files, mut all, mut bytes, mut requests) = (0, 0, 0, 0);
    for input in inputs {
        if let Input::Remote(file) = input {
            let traffic = file.traffic();
            files += 1;
            all += input.size().unwrap_or_default();
            bytes += traffic.bytes;
            requests += traffic.requests;
        }
    }
    if files == 0 || !config.run.console.stats {
        return String::new();
    }
    format!(
        "read over the network: {bytes} bytes of {} with {all} bytes, in {}\n",
        plural(files, "file", "files"),
        plural(requests, "request", "requests")
    )
}

/// The games whose moves were not read, or not to the end, if there are any.
fn unread_moves(games: u64, query: Option<&str>) -> String {
    let of_query = query.map_or_else(String::new, |query| format!(" for {query}"));
    match games {
        0 => String::new(),
        _ => format!(
            "the moves of {} were not read{of_query}, or not to the end, so damage there is not \
             reported\n",
            plural(games, "game", "games")
        ),
    }
}

/// How the game guard of a query chose games of tables.
fn guard(stats: &GuardStats, query: Option<&str>) -> String {
    let GuardStats { games, conditions, .. } = stats;
    let of_query = query.map_or_else(String::new, |query| format!(" of {}", query.shown()));
    let title = format!("game guard{of_query}");
    match (games, &conditions[..]) {
        (0, _) => format!("{title}: not used, because no game of a table was searched\n"),
        (1, []) => format!("{title}: no condition, so the game of a table was searched\n"),
        (_, []) => format!("{title}: no condition, so all {games} games of tables were searched\n"),
        (_, conditions) => {
            let width = games.to_string().len().max("passed".len());
            let games = plural(*games, "game of a table", "games of tables");
            let mut text = format!("{title}, {games}:\n");
            text.push_str(&format!("  {:>width$}  {:>width$}  condition\n", "passed", "left"));
            for ConditionStats { condition, passed, left, .. } in conditions {
                text.push_str(&format!("  {passed:width$}  {left:width$}  {condition}\n"));
            }
            text
        }
    }
}

/// A number with three significant digits.
pub(crate) fn three_digits(number: f64) -> String {
    let magnitude = number.max(1e-4).log10().floor() as i32;
    let decimals = (2 - magnitude).clamp(0, 6) as usize;
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The lines about damaged games, and about how many of the `inputs` could not be read to their
/// ends, if there are any.
pub(crate) fn damaged(summary: &Summary, inputs: usize) -> String {
    let searched = damaged_games(summary.damaged - summary.left_out, "searched up to the damage");
    // One that is not PGN was read whole.
    let is_cut = |input: &&BrokenInput| input.failure != InputFailure::NotPgn;
    let broken = match summary.broken_inputs.iter().filter(is_cut).count() {
        0 => String::new(),
        broken => format!(
            "{broken} of {} could not be read whole\n",
            plural(inputs as u64, "input", "inputs")
        ),
    };
    searched + &damaged_games(summary.left_out, "left out") + &broken
}

/// Tells of tables that another program has written anew.
pub(super) fn tell_rewritten(summary: &Summary) {
    for table in &summary.rewritten_tables {
        let what = match is_parquet_name(Path::new(table)) {
            true => "this is a Parquet file, without checksums",
            false => "another program has written this table anew, without checksums",
        };
        let table = table.shown();
        terminal::error_line(&format!(
            "babson: {table}: {what}, so its games were replayed; babson pack {table} -o NEW.arrow \
             makes a table that opens faster"
        ));
    }
}

/// The line about games that were left out because each is equal to an earlier one, if there are
/// any.
pub(crate) fn equal_games(number: u64) -> String {
    match number {
        0 => String::new(),
        1 => "1 game equal to an earlier one, left out\n".to_owned(),
        many => format!("{many} games equal to earlier ones, left out\n"),
    }
}

/// The message about `-g 0`.
pub(crate) const NO_GAME_0: &str = "no game has the number 0: games are numbered from 1";

/// The line of a run without a game to search: its inputs have none, or none with a number of `-g`.
/// The messages about broken inputs, which may have more games, are already printed.
pub(super) fn without_games(config: &SearchConfig, summary: &Summary) -> String {
    match config.inputs.range {
        _ if !summary.broken_inputs.is_empty() => String::new(),
        Some((_, 0)) => format!("{NO_GAME_0}\n"),
        _ if summary.games == 0 => "no input has a game\n".to_owned(),
        Some((first, _)) if first > summary.games => {
            let games = plural(summary.games, "game", "games");
            format!("no game has a number from {first} on: the inputs have {games}\n")
        }
        Some(_) | None => String::new(),
    }
}

/// Whether games may be missing: an input could not be read, or no input has a game and one is not
/// PGN. A file that is not PGN among others with games gets only a message.
pub(crate) fn has_lost_games(summary: &Summary) -> bool {
    let is_lost = |input: &BrokenInput| match input.failure {
        InputFailure::NotPgn => summary.games == 0,
        InputFailure::Read | InputFailure::Decompress | InputFailure::Table | _ => true,
    };
    summary.broken_inputs.iter().any(is_lost)
}

/// The exit code of a run, given whether a query failed and whether a game matched.
pub(super) fn exit_code(
    config: &SearchConfig,
    summary: &Summary,
    failed: bool,
    matched: bool,
) -> u8 {
    match has_lost_games(summary) {
        false => config.exit_code(failed, matched),
        true => BROKEN_INPUT,
    }
}

/// A line with a number of damaged games and what happened to them; empty for the number 0.
pub(crate) fn damaged_games(number: u64, fate: &str) -> String {
    match number {
        0 => String::new(),
        1 => format!("1 damaged game, {fate}\n"),
        many => format!("{many} damaged games, {fate}\n"),
    }
}

/// The end of a run that its query has ended.
///
/// # Errors
/// That of the query, unless an input could not be read to its end, which has another exit code.
pub(super) fn stopped(stopped: FatalError, summary: &Summary) -> Result<u8, Failure> {
    let failure = Failure::from(Error::from(stopped));
    if !has_lost_games(summary) {
        return Err(failure);
    }
    terminal::report_failure(&failure);
    Ok(BROKEN_INPUT)
}

/// The line about games with run-time errors, if there are any.
pub(super) fn failed(games: u64) -> String {
    match games {
        0 => String::new(),
        1 => "1 game skipped after a run-time error\n".to_owned(),
        many => format!("{many} games skipped after run-time errors\n"),
    }
}

/// A line of `summary.csv`.
pub(super) struct SummaryRow {
    pub(super) query: String,
    pub(super) status: String,
    /// Index of the job, if the query could be compiled.
    pub(super) job: Option<usize>,
    /// Whether the query ended before the last game.
    is_stopped: bool,
    games: u64,
    positions: u64,
    seconds: f64,
}

impl SummaryRow {
    pub(super) fn new(file: &QueryFile) -> SummaryRow {
        SummaryRow {
            query: file.title(),
            status: SummaryRow::OK.to_owned(),
            job: None,
            is_stopped: false,
            games: 0,
            positions: 0,
            seconds: 0.0,
        }
    }

    /// The status of a query without errors.
    pub(super) const OK: &str = "ok";

    /// What went wrong, in one line; nothing if all went well.
    fn error(&self) -> &str {
        let error = self.status.lines().next().unwrap_or_default();
        if self.status == SummaryRow::OK { "" } else { error }
    }

    /// Whether the query has numbers: it could be compiled, and did not end the run.
    fn is_counted(&self) -> bool {
        self.job.is_some() && !self.is_stopped
    }

    /// Takes the numbers of a finished job.
    pub(super) fn take(&mut self, job: &QuerySummary) {
        self.games = job.matches;
        self.positions = job.positions;
        self.seconds = job.seconds;
        self.is_stopped = job.stopped.is_some();
        if let Some(stopped) = &job.stopped {
            self.status = format!("error: {stopped}");
        } else if job.failed_games > 0 {
            self.status = format!("run-time errors in {} games", job.failed_games);
        }
    }
}

/// The table of several queries on the terminal: games, positions and errors of each.
pub(super) fn table(rows: &[SummaryRow]) -> String {
    let cells = |row: &SummaryRow| {
        let number =
            |number: u64| if row.is_counted() { number.to_string() } else { "-".to_owned() };
        let query = row.query.shown();
        [query, number(row.games), number(row.positions), row.error().shown()]
    };
    let head = ["query", "games", "positions", "errors"].map(str::to_owned);
    let has_errors = rows.iter().any(|row| !row.error().is_empty());
    let mut all = vec![head];
    all.extend(rows.iter().map(cells));
    if !has_errors {
        all[0][3].clear();
    }
    let [names, games, positions, _] = widths(&all);
    let line = |[name, count, places, error]: &[String; 4]| {
        let line = format!("{name:names$}  {count:>games$}  {places:>positions$}  {error}");
        line.trim_end().to_owned() + "\n"
    };
    all.iter().map(line).collect()
}

/// The names of the queries with their numbers of games, for `--count`.
pub(super) fn counts(rows: &[SummaryRow]) -> String {
    let games = |row: &SummaryRow| {
        if row.is_counted() { row.games.to_string() } else { "-".to_owned() }
    };
    let all: Vec<[String; 2]> = rows.iter().map(|row| [row.query.shown(), games(row)]).collect();
    let [names, numbers] = widths(&all);
    let line = |[name, number]: &[String; 2]| format!("{name:names$}  {number:>numbers$}\n");
    all.iter().map(line).collect()
}

/// The widths of the columns of a table, in letters.
fn widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    std::array::from_fn(|column| width(column).unwrap_or_default())
}

/// The line after the table: `3 queries, 2000 games in 0.0236 seconds using 2 threads to found/`.
/// `best` is a clause if only some of the matches are written: `, the best 10`, `, 10 at random`.
pub(super) fn last_line(
    summary: &Summary,
    rows: &[SummaryRow],
    seconds: f64,
    (best, outputs, others): (&str, &[String], &str),
) -> String {
    let to = match outputs {
        [] => String::new(),
        outputs => format!("{best} to {}", outputs.join(", ")),
    };
    let of_jobs: usize = summary.queries.iter().map(|job| job.files.len()).sum();
    let files = match of_jobs + summary.files.len() {
        0 => String::new(),
        many => format!(" ({})", plural(many as u64, "file", "files")),
    };
    format!(
        "{}, {} in {} seconds using {}{to}{files}{others}\n",
        plural(rows.len() as u64, "query", "queries"),
        plural(summary.games, "game", "games"),
        three_digits(seconds),
        plural(summary.threads as u64, "thread", "threads"),
    )
}

/// The path of the table of several queries.
pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join("summary.csv")
}

/// Writes `summary.csv` into the folder of the outputs, to be completed with them.
pub(super) fn write(folder: &Path, rows: &[SummaryRow], safe: bool) -> Result<Output, Failure> {
    let mut output = Output::create(&Destination::File(path(folder)), &signals::system().ledger)?;
    output.write(b"query,status,games,positions,seconds\n")?;
    for row in rows {
        let SummaryRow { games, positions, .. } = row;
        let (query, status) = (field(&row.query, safe), field(&row.status, safe));
        let seconds = three_digits(row.seconds);
        output.write(format!("{query},{status},{games},{positions},{seconds}\n").as_bytes())?;
    }
    Ok(output)
}

/// A field of a CSV line, quoted if necessary.
fn field(text: &str, safe: bool) -> String {
    let text = if safe { safe_csv(text) } else { text.into() };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_three_digits() {
        for (number, text) in
            [(0.0591, "0.0591"), (12.345, "12.3"), (123.4, "123"), (0.0, "0"), (100.0, "100")]
        {
            assert_eq!(three_digits(number), text);
        }
    }

    #[test]
    fn tables_of_several_queries() {
        let row = |query: &str, status: &str, games| SummaryRow {
            query: query.to_owned(),
            status: status.to_owned(),
            job: (!status.starts_with("error")).then_some(0),
            is_stopped: false,
            games,
            positions: 10 * games,
            seconds: 0.0,
        };
        let mut rows = vec![row("mates", "ok", 7), row("é", "ok", 1234)];
        assert_eq!(counts(&rows), "mates     7\né      1234\n");
        let shown = "query  games  positions\nmates      7         70\né       1234      12340\n";
        assert_eq!(table(&rows), shown);
        rows.push(row("bad", "error: `x`\nhere", 0));
        assert!(table(&rows).starts_with("query  games  positions  errors\nmates "));
        assert!(table(&rows).ends_with("\nbad        -          -  error: `x`\n"));
        assert!(counts(&rows).ends_with("\nbad       -\n"));
    }

    #[test]
    fn fields_are_quoted_when_needed() {
        assert_eq!(field("plain", true), "plain");
        assert_eq!(field("=a", true), "'=a");
        assert_eq!(field("a \"b\", c", false), "\"a \"\"b\"\", c\"");
    }
}
