//! The events of a scan on the console: messages, damages, run-time errors, progress.

use std::io::{IsTerminal, Write};
use std::mem;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use babson::diagnostic::Code;
use babson::event::{BrokenInput, DamagedGame, InputFailure, Progress};
use babson::host::DEFAULT_PIPE_TIMEOUT;
use babson::run::{DEFAULT_STEPS, RunLimit};
use babson::{Diagnostic, Error, Event, Match, Observer, RuntimeError};

use crate::config::ColorChoice;
use crate::failure::{Failure, consequence, failed_input};
use crate::limits::MAX_SHOWN_REPORTS;
use crate::render;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::terminal;

/// The observer of the command.
pub(crate) struct Console<'c> {
    /// Whether standard output is used for games or a number, so that everything else goes to
    /// standard error.
    pub(crate) all_to_stderr: bool,
    pub(crate) color: ColorChoice,
    pub(crate) progress: bool,
    pub(crate) show_matches: bool,
    /// Whether the games are packed, not searched: then there are no matches, and no output of
    /// damaged games.
    pub(crate) packs: bool,
    /// Games between two lines of progress where standard error is not a terminal; `None` for no
    /// such lines.
    pub(crate) increment: Option<u64>,
    /// Bytes of all inputs on the disk, if all are files.
    pub(crate) total: Option<u64>,
    /// The text of each job's query.
    pub(crate) sources: Vec<&'c QuerySource>,
    /// The message for the time when the first games are searched.
    pub(crate) opening: Option<&'static str>,
    began: Instant,
    drawn: Option<Instant>,
    terminal: bool,
    printed: u64,
    damaged: u64,
    damages: InputDamages,
    noted: u64,
    errors: u64,
    /// Whether games were searched.
    searched: bool,
    /// The names of the inputs that could not be read to their ends.
    broken: Vec<String>,
}

impl<'c> Console<'c> {
    pub(crate) fn new(sources: Vec<&'c QuerySource>) -> Console<'c> {
        Console {
            all_to_stderr: false,
            color: ColorChoice::Auto,
            progress: true,
            show_matches: false,
            packs: false,
            increment: None,
            total: None,
            sources,
            opening: None,
            began: Instant::now(),
            drawn: None,
            terminal: std::io::stderr().is_terminal(),
            printed: 0,
            damaged: 0,
            damages: InputDamages::default(),
            noted: 0,
            errors: 0,
            searched: false,
            broken: Vec::new(),
        }
    }

    /// The failure of a run with an error. The message about a broken input was already printed
    /// when its turn came.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        if failed_input(&error).is_none() {
            return error.into();
        }
        match self.has_told(&error) {
            true => {
                let inputs = if self.broken.len() == 1 { "the input" } else { "the inputs" };
                Failure::Io(format!("no game of {inputs} could be read: no output is written"))
            }
            false => {
                let clause = consequence(self.damaged_of(&error));
                let told = Failure::from(error);
                Failure::Io(format!("{}{clause}", told.message().unwrap_or_default()))
            }
        }
    }

    /// Whether the error belongs to an input that was reported when its turn came.
    pub(crate) fn has_told(&self, error: &Error) -> bool {
        failed_input(error).is_some_and(|input| self.broken.contains(input))
    }

    /// The games of an input that were reported as damaged before an error of it ended the run.
    pub(crate) fn damaged_of(&self, error: &Error) -> u64 {
        match failed_input(error) == Some(&self.damages.input) {
            true => self.damages.games,
            false => 0,
        }
    }

    /// Whether games were searched, according to the progress.
    pub(crate) fn has_searched(&self) -> bool {
        self.searched
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Prints text for people, on standard output or standard error.
    pub(crate) fn print(&self, text: &[u8]) -> std::io::Result<()> {
        if text.is_empty() {
            // Nothing is lost, even if standard output is closed.
            Ok(())
        } else if self.all_to_stderr {
            // A failed write to standard error is ignored.
            let _ = std::io::stderr().write_all(&terminal::for_stderr(text));
            Ok(())
        } else {
            let mut stdout = terminal::stdout()?;
            stdout.write_all(&terminal::for_stdout(text))?;
            stdout.flush()
        }
    }

    /// Prints a line on standard error.
    pub(crate) fn tell(&mut self, line: &str) {
        self.clear_bar();
        terminal::error_line(line);
    }

    fn clear_bar(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    /// Clears the progress bar and reports how many events were not printed.
    pub(crate) fn finish(&mut self) {
        self.clear_bar();
        if self.damaged > MAX_SHOWN_REPORTS {
            let more = self.damaged - MAX_SHOWN_REPORTS;
            let hint = if self.packs { "" } else { " (--rejects FILE.pgn collects all)" };
            self.tell(&format!("… and {more} more damaged games{hint}"));
        }
        if self.noted > MAX_SHOWN_REPORTS {
            let more = self.noted - MAX_SHOWN_REPORTS;
            self.tell(&format!("… and {more} more games with notes"));
        }
        if self.errors > MAX_SHOWN_REPORTS {
            let more = self.errors - MAX_SHOWN_REPORTS;
            self.tell(&format!("… and {more} more games with run-time errors"));
        }
    }

    fn draw_bar(&mut self, progress: Progress) {
        let due = self.drawn.is_none_or(|last| last.elapsed() > Duration::from_millis(100));
        if !due || self.seconds() < 0.2 {
            return;
        }
        let mut line = bar(progress, self.total, self.seconds().max(1e-3));
        if !self.packs {
            line.push_str(&format!(", {} matches", progress.matches));
        }
        let size = terminal_size::terminal_size_of(std::io::stderr());
        let columns = size.map_or(80, |(terminal_size::Width(columns), _)| usize::from(columns));
        cut_to(&mut line, columns);
        let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
        self.drawn = Some(Instant::now());
    }
}

/// An observer that prints only the messages about inputs that cannot be read whole.
#[derive(Default)]
pub(crate) struct BrokenInputs {
    /// The names of the inputs whose message was printed.
    told: Vec<String>,
}

impl BrokenInputs {
    /// The failure of a run with an error. A message about an input is not printed twice.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        match failed_input(&error).is_some_and(|input| self.told.contains(input)) {
            true => Failure::Told,
            false => error.into(),
        }
    }
}

impl Observer for BrokenInputs {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        // A command may read its inputs several times.
        if let Event::BrokenInput(input) = event
            && !self.told.contains(&input.input)
        {
            terminal::error_line(&format!("babson: {input}"));
            self.told.push(input.input);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// Cuts a line to fit into a terminal with this number of columns. The last column stays empty,
/// because a character there would begin a new line.
fn cut_to(line: &mut String, columns: usize) {
    let most = columns.saturating_sub(1);
    if let Some((end, _)) = line.char_indices().nth(most) {
        line.truncate(end);
    }
}

/// The progress as one line, with the time left if the `total` is known.
fn bar(progress: Progress, total: Option<u64>, seconds: f64) -> String {
    let rest = match total {
        Some(total) if total > 0 && progress.input_bytes > 0 => {
            let done = progress.input_bytes.min(total) as f64 / total as f64;
            let left = seconds * (1.0 - done) / done;
            let filled = (done * 20.0) as usize;
            let (bar, room) = ("#".repeat(filled), " ".repeat(20 - filled));
            format!("[{bar}{room}] {} left, ", clock(left))
        }
        _ => String::new(),
    };
    format!(
        "{rest}{} games ({:.0}/s, {:.1} MB/s)",
        progress.games,
        progress.games as f64 / seconds,
        progress.bytes as f64 / 1e6 / seconds,
    )
}

/// A time as a clock shows it: `6 s`, `2:05`, `1:15:07`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes}:{:02}", seconds % 60),
        (hours, minutes) => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

/// An error of the evaluation, which one of the filters of the query reported.
pub(crate) fn failed_filter(error: &RuntimeError) -> Diagnostic {
    let message = format!("{}: {}", error.filter, error.message);
    let mut diagnostic = Diagnostic::new(Code::FailedFilter, error.span, message);
    diagnostic.help = limit_help(error);
    diagnostic
}

/// Help for an error that is a limit: the option that raises it.
fn limit_help(error: &RuntimeError) -> Option<String> {
    match error.limit? {
        RunLimit::Steps => Some(format!(
            "`--steps N` allows a game N steps (default {DEFAULT_STEPS}); the query may have an endless loop"
        )),
        RunLimit::AnswerTime => Some(format!(
            "`--pipetimeout N` waits N seconds for an answer (default {}; 0: for ever)",
            DEFAULT_PIPE_TIMEOUT.as_secs()
        )),
        _ => None,
    }
}

/// What is wrong with a damaged game, with the text of the damage.
pub(crate) fn damage_words(game: &DamagedGame) -> String {
    let more = match game.more {
        0 => String::new(),
        1 => " (and 1 more)".to_owned(),
        more => format!(" (and {more} more)"),
    };
    let text = render::printable(&game.text);
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("{}{text}{more}", game.reason)
}

/// A damage or a note as a line.
fn remark(game: &DamagedGame, kind: &str) -> String {
    let DamagedGame { input, line, game: number, .. } = game;
    format!("{}:{line}: game {number}: {kind}{}", input.shown(), damage_words(game))
}

/// The damaged games of the last input that has any.
#[derive(Default)]
struct InputDamages {
    input: String,
    /// The number of the first one, over all inputs.
    first: u64,
    games: u64,
}

impl InputDamages {
    fn add(&mut self, game: &DamagedGame) {
        if self.games == 0 || self.input != game.input {
            *self = InputDamages { input: game.input.clone(), first: game.game, games: 0 };
        }
        self.games += 1;
    }

    /// Returns how many of the damaged games are in a broken input, and resets the count for the
    /// next input.
    fn take(&mut self, broken: &BrokenInput) -> u64 {
        let damages = mem::take(self);
        // Another input may have the same name in messages, and the games of a table may be named
        // by the files that it was made of.
        let begins_in_it =
            damages.first > broken.last_game.unwrap_or(0).saturating_sub(broken.games);
        if begins_in_it && damages.input == broken.input { damages.games } else { 0 }
    }
}

/// The line about an input that could not be read to its end: what would help, and what is not done
/// with it. `damaged` is the number of its games that were reported as damaged.
fn broken_line(input: &BrokenInput, damaged: u64, done: &str) -> String {
    let left_out = match input.games {
        0 => format!("it is not {done}"),
        _ => format!("the rest of it is not {done}"),
    };
    let help = match (input.failure, input.games) {
        (InputFailure::Table, _) => format!(
            " (`babson pack --check {}` tests all of it; get a new copy of the table, or pack \
             its games again)",
            input.input.shown()
        ),
        (InputFailure::Decompress, 1..) => {
            " (it is damaged or was cut off: get a new copy of the file)".to_owned()
        }
        (InputFailure::Decompress, 0) | (InputFailure::Read | InputFailure::NotPgn | _, _) => {
            String::new()
        }
    };
    format!("babson: {input}{}; {left_out}{help}", consequence(damaged))
}

impl Observer for Console<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { lines, .. } => self.message(&lines)?,
            Event::Damaged(game) => self.damaged(&game),
            Event::Noted(game) => self.noted(&game),
            Event::BrokenInput(input) => self.broken_input(input),
            Event::FewerThreads { started, wanted } => self.fewer_threads(started, wanted),
            Event::RuntimeError { query, game, error } => self.runtime_error(query, game, &error),
            Event::Match { hit: Match { game, .. }, .. } | Event::Matched { game, .. } => {
                self.matched(game);
            }
            Event::Progress(progress) => self.progress(progress),
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

impl Console<'_> {
    fn message(&mut self, lines: &[u8]) -> Result<(), Error> {
        self.clear_bar();
        self.print(lines).map_err(|source| {
            if source.kind() == std::io::ErrorKind::BrokenPipe {
                Error::ClosedPipe
            } else {
                Error::Write { path: "stdout".to_owned(), source }
            }
        })
    }

    fn damaged(&mut self, game: &DamagedGame) {
        self.damaged += 1;
        self.damages.add(game);
        if self.damaged > MAX_SHOWN_REPORTS {
            return;
        }
        self.tell(&remark(game, ""));
    }

    fn noted(&mut self, game: &DamagedGame) {
        self.noted += 1;
        if self.noted <= MAX_SHOWN_REPORTS {
            self.tell(&remark(game, "note: "));
        }
    }

    fn broken_input(&mut self, input: BrokenInput) {
        let damaged = self.damages.take(&input);
        let done = if self.packs { "packed" } else { "searched" };
        self.tell(&broken_line(&input, damaged, done));
        self.broken.push(input.input);
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) {
        self.tell(&format!(
            "babson: warning: only {started} of {wanted} threads could be started: a limit of \
             processes or of memory is reached"
        ));
    }

    fn runtime_error(&mut self, query: usize, game: Option<u64>, error: &RuntimeError) {
        self.errors += 1;
        if self.errors > MAX_SHOWN_REPORTS && !error.fatal {
            return;
        }
        let what = if error.fatal { "the run ends" } else { "the game is skipped" };
        let place = match game {
            None => "outside the games".to_owned(),
            Some(game) => format!("game {game}"),
        };
        let mut told = failed_filter(error);
        told.message = format!("{place}: {told} ({what})");
        let text = match self.sources.get(query) {
            Some(source) => render::diagnostic(source, &told, self.color),
            None => told.message,
        };
        self.clear_bar();
        terminal::diagnostic_line(&text);
    }

    fn matched(&mut self, game: u64) {
        if self.show_matches {
            self.tell(&format!("<{game}>"));
        }
    }

    fn progress(&mut self, progress: Progress) {
        self.searched |= progress.games > 0;
        if self.searched
            && let Some(opening) = self.opening.take()
        {
            self.tell(opening);
        }
        if !self.progress {
            return;
        }
        if self.terminal {
            self.draw_bar(progress);
            return;
        }
        let Some(increment) = self.increment else {
            return;
        };
        while self.printed + increment <= progress.games {
            self.printed += increment;
            let _ = writeln!(std::io::stderr(), "[{}]", self.printed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time left depends on the position in the file, also for a compressed input.
    #[test]
    fn the_bar_shows_the_time_left() {
        let mut progress = Progress::default();
        (progress.games, progress.matches) = (500, 7);
        (progress.bytes, progress.input_bytes) = (10_000_000, 1_000_000);
        assert_eq!(
            bar(progress, Some(4_000_000), 2.0),
            "[#####               ] 6 s left, 500 games (250/s, 5.0 MB/s)"
        );
        assert_eq!(bar(progress, None, 2.0), "500 games (250/s, 5.0 MB/s)");
    }

    #[test]
    fn times_are_told_as_clocks_show_them() {
        for (seconds, shown) in [
            (0.2, "0 s"),
            (59.4, "59 s"),
            (59.6, "1:00"),
            (125.0, "2:05"),
            (3599.9, "1:00:00"),
            (4507.0, "1:15:07"),
            (360_000.0, "100:00:00"),
        ] {
            assert_eq!(clock(seconds), shown);
        }
    }

    #[test]
    fn the_damaged_games_of_a_broken_input() {
        let game = |input: &str, game| DamagedGame::new(input, 1, game, "illegal move");
        let mut broken =
            BrokenInput::new("b".to_owned(), InputFailure::Decompress, "damage".into());
        (broken.games, broken.last_game) = (10, Some(20));
        for (games, expected) in [
            (&[][..], 0),
            (&[("a", 3), ("b", 11), ("b", 20)], 2),
            // Of an input before it, of one with the same name, and of a file that a table names.
            (&[("a", 3)], 0),
            (&[("b", 3), ("b", 11)], 0),
            (&[("a", 11)], 0),
        ] {
            let mut damages = InputDamages::default();
            games.iter().for_each(|&(input, number)| damages.add(&game(input, number)));
            assert_eq!(damages.take(&broken), expected, "{games:?}");
            assert_eq!(damages.take(&broken), 0);
        }
    }

    #[test]
    fn a_line_fits_the_terminal() {
        let cut = |line: &str, columns| {
            let mut line = line.to_owned();
            cut_to(&mut line, columns);
            line
        };
        assert_eq!(cut("500 games", 10), "500 games");
        assert_eq!(cut("500 games", 9), "500 game");
        assert_eq!(cut("…é games", 3), "…é");
        assert_eq!(cut("500 games", 0), "");
    }
}
