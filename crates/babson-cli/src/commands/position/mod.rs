//! `babson position FEN`: draws one position and evaluates a query on it.

use std::fmt::Write as _;
use std::io::{BufRead, Write as _};

use babson::chess::{Color, FenError, Position, Rules, SquareSet, fen};
use babson::pgn::DamageReason;
use babson::{Matcher, Query, RuntimeError, Value};

use crate::config::{ColorChoice, CommandConfig, RunConfig};
use crate::console::failed_filter;
use crate::failure::Failure;
use crate::options::CommandLine;
use crate::render;
use crate::source::QuerySource;
use crate::terminal;
use crate::{project, query};

use past::PastQuestions;

mod board;
mod past;

/// The questions about each position.
struct PositionRequest<'f> {
    json: bool,
    /// Whether each line of standard input is a position, and has its answer on standard output.
    by_line: bool,
    past: PastQuestions,
    value: Option<Evaluator<'f>>,
}

/// Prints one position, or a JSON object for each line of input.
pub(crate) fn position(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let CommandConfig { json, legal, reachable, reverse, .. } = config.run.command;
    let past = PastQuestions { legal, reachable, reverse };
    let text = line.texts()?.first().copied().unwrap_or_default();
    let filters = match config.run.reading.has_query() {
        true => Some(Filters::new(&config.run)?),
        false => None,
    };
    let by_line = text == "-";
    let value = filters.as_ref().map(Evaluator::new);
    let mut asked = PositionRequest { json, by_line, past, value };
    let mut code = 0;
    if !by_line {
        code = match asked.answer(text)? {
            PositionOutcome::Printed => 0,
            PositionOutcome::RunTimeError => 1,
            PositionOutcome::NoPosition => 2,
        };
        return Ok(code.max(asked.close()));
    }
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
        // A line that is not UTF-8 is not a FEN, which its own error says.
        let line = String::from_utf8_lossy(&line);
        // Also an empty line gets its answer: a program may write a line and wait for one.
        code = code.max(match asked.answer(line.trim())? {
            PositionOutcome::Printed => 0,
            PositionOutcome::RunTimeError => 1,
            // The error is in the input, not on the command line.
            PositionOutcome::NoPosition => 3,
        });
    }
    Ok(code.max(asked.close()))
}

/// The outcome for one position.
enum PositionOutcome {
    Printed,
    /// The query ended with a run-time error.
    RunTimeError,
    /// The FEN cannot be read.
    NoPosition,
}

impl PositionRequest<'_> {
    /// Closes the pipes to other programs and returns the exit code.
    fn close(self) -> u8 {
        let closed = self.value.map_or(Ok(()), Evaluator::close);
        u8::from(closed.is_err())
    }

    /// Prints the answers for one position.
    fn answer(&mut self, asked: &str) -> Result<PositionOutcome, Failure> {
        let read = match asked.trim() {
            "startpos" => Ok((Position::start(), Rules::STANDARD)),
            text => fen::parse(&text.replace('"', "")),
        };
        let (position, rules) = match read {
            Ok(read) => read,
            Err(error) => return self.no_position(asked, &error),
        };
        let value = self.value.as_mut().map(|value| value.of(&position, &rules));
        let out = if self.json {
            self.json(asked, &position, value.as_ref())
        } else {
            self.plain(&position, &rules, value.as_ref())
        };
        terminal::print_text(&out)?;
        Ok(match value {
            Some(Err(_)) => PositionOutcome::RunTimeError,
            _ => PositionOutcome::Printed,
        })
    }

    /// Says that the FEN cannot be read.
    fn no_position(&self, asked: &str, error: &FenError) -> Result<PositionOutcome, Failure> {
        let reason = format!("{}: {error}", DamageReason::BadFen);
        if self.json {
            let (fen, reason) = (json_text(asked), json_text(&reason));
            terminal::print_text(&format!("{{\"fen\": {fen}, \"error\": {reason}}}\n"))?;
        } else if self.by_line {
            terminal::print_text(&format!("{reason}: {asked}\n"))?;
        } else {
            terminal::error_line(&format!("babson: {reason}: {asked}"));
        }
        Ok(PositionOutcome::NoPosition)
    }

    fn json(&self, asked: &str, position: &Position, value: Option<&Evaluation>) -> String {
        let mut out = format!("{{\"fen\": {}", json_text(asked));
        for finding in self.past.findings(position) {
            let (name, holds) = (finding.name, finding.holds);
            let text = json_text(&finding.text);
            let _ = write!(out, ", \"{name}\": {holds}, \"{name}_text\": {text}");
        }
        if self.past.reverse {
            let all = past::predecessors(position);
            let all: Vec<String> = all.iter().map(|before| json_text(before)).collect();
            let _ = write!(out, ", \"predecessors\": [{}]", all.join(", "));
        }
        match value {
            None => {}
            Some(Ok(found)) => {
                // Standard output has only objects.
                let messages = terminal::for_stderr(found.messages.as_bytes());
                let _ = std::io::stderr().write_all(&messages);
                let value = found.value.as_deref().map_or("null".to_owned(), json_text);
                let _ = write!(out, ", \"value\": {value}");
            }
            Some(Err(error)) => {
                let _ = write!(out, ", \"value\": null, \"error\": {}", json_text(error));
            }
        }
        out + "}\n"
    }

    fn plain(&self, position: &Position, rules: &Rules, value: Option<&Evaluation>) -> String {
        let findings = self.past.findings(position);
        let named = match value {
            Some(Ok(found)) => found.squares,
            Some(Err(_)) | None => SquareSet::EMPTY,
        };
        let mut out = board::drawn(position, past::at_fault(&findings) | named);
        let side = match position.side() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let text = fen::write(position, rules);
        let _ = writeln!(out, "\n{side} to move\n{text}");
        past::describe(&findings, &mut out);
        if self.past.reverse {
            let all = past::predecessors(position);
            let _ = writeln!(out, "predecessors: {}", all.len());
            for before in all {
                let _ = writeln!(out, "  {before}");
            }
        }
        match value {
            None => {}
            Some(Ok(found)) => {
                out.push_str(&found.messages);
                let value = found.value.as_deref().unwrap_or("none, it does not match");
                let _ = writeln!(out, "value: {value}");
            }
            Some(Err(_)) => out.push_str("value: none, a run-time error\n"),
        }
        out
    }
}

/// The value of the filters, or the run-time error.
type Evaluation = Result<FilterValue, String>;

struct FilterValue {
    /// The whole lines that the filters printed.
    messages: String,
    /// The squares of the last filter, if it is a set or a piece.
    squares: SquareSet,
    /// The value of the last filter, as `str` prints it; `None` if the filters do not match.
    value: Option<String>,
}

/// The filters of the command line.
struct Filters {
    source: QuerySource,
    color: ColorChoice,
    query: Query,
}

impl Filters {
    fn new(run: &RunConfig) -> Result<Filters, Failure> {
        let (reading, color) = (&run.reading, run.reading.color);
        let name = query::of_options(&reading.filters);
        let mut source = QuerySource::new(&name, "", &reading.filters).map_err(Failure::Usage)?;
        source.project = project::of_folder("".as_ref(), reading)?;
        let typed = query::analyze(&source, reading, |builder| {
            builder.values(true).steps(run.options.steps)
        });
        let compiled = typed.and_then(|typed| {
            // Here a lone number or string is written for its value, so no warning is useful.
            let mut warnings = typed.warnings().to_vec();
            warnings.retain(|warning| warning.span.text(&source.text) != source.text.trim());
            render::print(&source, &warnings, color);
            query::compile(typed)
        });
        match compiled {
            Ok(query) => Ok(Filters { source, color, query }),
            Err(diagnostics) => {
                render::print(&source, &diagnostics, color);
                Err(Failure::Query)
            }
        }
    }

    /// Prints a run-time error; returns its message.
    fn tell(&self, error: &RuntimeError) -> String {
        let diagnostic = failed_filter(error);
        terminal::diagnostic_line(&render::diagnostic(&self.source, &diagnostic, self.color));
        diagnostic.message
    }
}

/// Evaluates filters on one position after another.
struct Evaluator<'f> {
    filters: &'f Filters,
    matcher: Matcher<'f>,
}

impl<'f> Evaluator<'f> {
    fn new(filters: &'f Filters) -> Evaluator<'f> {
        Evaluator { filters, matcher: filters.query.matcher() }
    }

    /// The value at the position. A run-time error is printed at once.
    fn of(&mut self, position: &Position, rules: &Rules) -> Evaluation {
        let value = match self.matcher.evaluate(position, rules) {
            Ok(value) => value,
            Err(error) => return Err(self.filters.tell(&error)),
        };
        let squares = value.squares();
        let value = (value != Value::Bool(false)).then(|| value.to_string());
        let messages = String::from_utf8_lossy(self.matcher.messages()).into_owned();
        Ok(FilterValue { messages, squares, value })
    }

    /// Closes the pipes to other programs. An error is printed at once.
    fn close(self) -> Result<(), String> {
        self.matcher.close().map_err(|error| self.filters.tell(&error))
    }
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
