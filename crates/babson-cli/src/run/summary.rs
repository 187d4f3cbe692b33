//! The summary of a run: its last lines and `summary.csv`.

use std::path::{Path, PathBuf};

use babson::sink::{Destination, Output, plain_cell};
use babson::{ConditionStats, GuardStats, JobSummary, Summary};

use crate::failure::Failure;
use crate::query::QueryFile;
use crate::search_config::SearchConfig;
use crate::signals;

/// `58 matches of 253 games in 0.059 seconds using 2 threads to mate.pgn`. In the form of CQL 6.2,
/// which scripts read, the nouns are always plural: `1 matches of 1 games`.
pub(super) fn line(
    summary: &Summary,
    job: &JobSummary,
    cql6: bool,
    seconds: f64,
    outputs: &[String],
) -> String {
    let plural = |number: u64, one: &str, many: &str| {
        format!("{number} {}", if number == 1 { one } else { many })
    };
    let to = if outputs.is_empty() { String::new() } else { format!(" to {}", outputs.join(", ")) };
    let files = match job.files.len() {
        0 => String::new(),
        many => format!(" ({})", plural(many as u64, "file", "files")),
    };
    format!(
        "{} of {} in {} seconds using {}{to}{files}\n",
        plural(job.matches, if cql6 { "matches" } else { "match" }, "matches"),
        plural(summary.games, if cql6 { "games" } else { "game" }, "games"),
        three_digits(seconds),
        plural(summary.threads as u64, "thread", "threads"),
    )
}

/// The lines after the summary: persistent variables, dictionaries and lines for programs.
pub(super) fn kept(job: &JobSummary, config: &SearchConfig) -> String {
    let mut text = String::new();
    let dictionaries: &[String] = if config.show_dictionaries { &job.dictionaries } else { &[] };
    for line in job.persistents.iter().chain(dictionaries) {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str(&job.guard.as_ref().map_or_else(String::new, guard));
    if config.gui {
        text.push_str(&format!("<CqlGuiVariable> numbermatches {}\n", job.matches));
    }
    text
}

/// How the conditions of a query on whole games chose games of tables.
fn guard(stats: &GuardStats) -> String {
    let GuardStats { games, conditions, .. } = stats;
    match (games, &conditions[..]) {
        (0, _) => "no game of a table, so conditions on whole games were not used\n".to_owned(),
        (_, []) => format!("{games} games of tables, no condition on whole games: all searched\n"),
        (_, conditions) => {
            let mut text = format!("{games} games of tables: passed, left, condition\n");
            let width = games.to_string().len();
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

/// The line about damaged games, if there are any.
pub(super) fn damaged(summary: &Summary) -> String {
    match summary.damaged {
        0 => String::new(),
        1 => "1 damaged game, searched up to the damage\n".to_owned(),
        many => format!("{many} damaged games, searched up to the damage\n"),
    }
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
pub(super) struct Row {
    query: String,
    pub(super) status: String,
    /// Index of the job, if the query could be compiled.
    pub(super) job: Option<usize>,
    games: u64,
    positions: u64,
    seconds: f64,
}

impl Row {
    pub(super) fn new(file: &QueryFile) -> Row {
        let status = "ok".to_owned();
        Row { query: file.title(), status, job: None, games: 0, positions: 0, seconds: 0.0 }
    }

    /// Takes the numbers of a finished job.
    pub(super) fn take(&mut self, job: &JobSummary) {
        self.games = job.matches;
        self.positions = job.positions;
        self.seconds = job.seconds;
        if let Some(stopped) = &job.stopped {
            self.status = format!("error: {stopped}");
        } else if job.failed_games > 0 {
            self.status = format!("run-time errors in {} games", job.failed_games);
        }
    }
}

/// The path of the table of several queries.
pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join("summary.csv")
}

/// Writes `summary.csv` into the folder of the outputs, to be completed with them.
pub(super) fn write(folder: &Path, rows: &[Row], plain: bool) -> Result<Output, Failure> {
    let mut output = Output::create(&Destination::File(path(folder)), &signals::system().ledger)?;
    output.write(b"query,status,games,positions,seconds\n")?;
    for row in rows {
        let Row { games, positions, .. } = row;
        let (query, status) = (field(&row.query, plain), field(&row.status, plain));
        let seconds = three_digits(row.seconds);
        output.write(format!("{query},{status},{games},{positions},{seconds}\n").as_bytes())?;
    }
    Ok(output)
}

/// A field of a CSV line, quoted if necessary.
fn field(text: &str, plain: bool) -> String {
    let text = if plain { plain_cell(text) } else { text.into() };
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
    fn fields_are_quoted_when_needed() {
        assert_eq!(field("plain", true), "plain");
        assert_eq!(field("=a", true), "'=a");
        assert_eq!(field("a \"b\", c", false), "\"a \"\"b\"\", c\"");
    }
}
