//! `babson position FEN`: draws one position and evaluates a query on it.

use std::fmt::Write as _;
use std::io::{BufRead, Write as _};

use babson_chess::{Color, fen};
use babson_lang::{Diagnostic, cql3};
use babson_pgn::{DamageReason, Game, Needs, Reader};
use babson_vm::{GameContext, Machine, Program, RunOptions, RuntimeError};

use crate::console::limit_help;
use crate::failure::Failure;
use crate::options::{Command, OptionId, ParsedOption};
use crate::query::{self, ReadingOptions};
use crate::render::{self, ColorChoice};
use crate::source::QuerySource;
use crate::terminal;

use past::PastQuestions;

mod board;
mod past;

/// The questions about each position.
struct PositionRequest<'f> {
    json: bool,
    past: PastQuestions,
    value: Option<Evaluator<'f>>,
}

/// Prints one position, or a JSON object for each line of input.
pub(crate) fn position(words: &[String]) -> Result<u8, Failure> {
    let mut rest = Vec::new();
    let (mut json, mut past) = (false, PastQuestions::default());
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            "--json" | "-json" => json = true,
            "--legal" | "-legal" => past.legal = true,
            "--reachable" | "-reachable" => past.reachable = true,
            "--reverse" | "-reverse" => past.reverse = true,
            _ => rest.push(word.clone()),
        }
    }
    let (options, fens) = super::command_line("position", rest)?;
    let mut reading = ReadingOptions::default();
    let mut color = ColorChoice::Auto;
    let mut run = RunOptions::default();
    for option in &options {
        if reading.take(option)? {
            continue;
        }
        if option.id == OptionId::Color {
            color = ColorChoice::parse(option.word()).map_err(Failure::Usage)?;
        } else if option.id == OptionId::Steps {
            run.steps = option.word().parse().unwrap_or(u64::MAX);
        } else if option.id != OptionId::Cql {
            return Err(super::unknown_option("position", option));
        }
    }
    run.host = reading.host();
    run.secure = reading.secure;
    let [text] = fens.as_slice() else {
        return Err(Failure::Usage(format!(
            "{}; the FEN is one word (in quotes); the FEN - reads one FEN from each line of \
             standard input",
            Command::usage("position")
        )));
    };
    let filters: Vec<ParsedOption> =
        options.into_iter().filter(|option| option.id == OptionId::Cql).collect();
    let filters = match filters.as_slice() {
        [] => None,
        options => Some(Filters::of_options(options, &reading, color)?),
    };
    let mut asked = PositionRequest { json, past, value: filters.as_ref().map(Evaluator::new) };
    let mut code = 0;
    if text != "-" {
        code = match asked.answer(text, &run)? {
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
        if !line.trim().is_empty() {
            code = code.max(match asked.answer(line.trim(), &run)? {
                PositionOutcome::Printed => 0,
                PositionOutcome::RunTimeError => 1,
                // The error is in the input, not on the command line.
                PositionOutcome::NoPosition => 3,
            });
        }
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
    fn close(&mut self) -> u8 {
        let closed = self.value.as_mut().map_or(Ok(()), Evaluator::close);
        u8::from(closed.is_err())
    }

    /// Prints the answers for one position.
    fn answer(&mut self, asked: &str, run: &RunOptions) -> Result<PositionOutcome, Failure> {
        let text = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n*\n", asked.replace('"', ""));
        let mut reader = Reader::new();
        let needs = Needs { piece_ids: true, ..Needs::ALL };
        let game = reader.read(text.as_bytes(), needs);
        let reason = match game.damage() {
            Some(damage) => Some(damage.reason),
            // In a game, an empty FEN tag counts as missing.
            None if asked.trim_matches(['"', ' ']).is_empty() => Some(DamageReason::BadFen),
            None => None,
        };
        if let Some(reason) = reason {
            let reason = match fen::parse(asked) {
                Err(error) => format!("{reason}: {error}"),
                Ok(_) => reason.to_string(),
            };
            if self.json {
                let (fen, reason) = (json_text(asked), json_text(&reason));
                terminal::print_text(&format!("{{\"fen\": {fen}, \"error\": {reason}}}\n"))?;
            } else {
                terminal::error_line(&format!("babson: {reason}: {asked}"));
            }
            return Ok(PositionOutcome::NoPosition);
        }
        let verdict = self.value.as_mut();
        let value = verdict.map(|verdict| verdict.of(&game, run));
        let out = if self.json {
            self.json(asked, &game, value.as_ref())
        } else {
            self.plain(&game, value.as_ref())
        };
        terminal::print_text(&out)?;
        Ok(match value {
            Some(Err(_)) => PositionOutcome::RunTimeError,
            _ => PositionOutcome::Printed,
        })
    }

    fn json(&self, asked: &str, game: &Game<'_>, value: Option<&Evaluation>) -> String {
        let mut out = format!("{{\"fen\": {}", json_text(asked));
        for finding in self.past.findings(game.position(0)) {
            let (name, holds) = (finding.name, finding.holds);
            let text = json_text(&finding.text);
            let _ = write!(out, ", \"{name}\": {holds}, \"{name}_text\": {text}");
        }
        if self.past.reverse {
            let all = past::predecessors(game.position(0));
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

    fn plain(&self, game: &Game<'_>, value: Option<&Evaluation>) -> String {
        let findings = self.past.findings(game.position(0));
        let mut out = board::drawn(game.position(0), past::at_fault(&findings));
        let side = match game.position(0).side() {
            Color::White => "White",
            Color::Black => "Black",
        };
        let text = fen::write(game.position(0), game.rules());
        let _ = writeln!(out, "\n{side} to move\n{text}");
        past::describe(&findings, &mut out);
        if self.past.reverse {
            let all = past::predecessors(game.position(0));
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

/// The value of a true condition, as `str` prints it.
const CONDITION: &str = "<true>";

/// The value of the filters, or the run-time error.
type Evaluation = Result<FilterValue, String>;

struct FilterValue {
    /// The whole lines that the filters printed.
    messages: String,
    /// The value of the last filter, as `str` prints it; `None` if the filters do not match.
    value: Option<String>,
}

/// The filters of the command line, compiled twice.
struct Filters {
    source: QuerySource,
    color: ColorChoice,
    /// Tests whether they match.
    holds: Program,
    /// Prints the value of the last filter; `None` for a query of CQL 3, which has no value.
    prints: Option<Program>,
}

impl Filters {
    fn of_options(
        filters: &[ParsedOption],
        reading: &ReadingOptions,
        color: ColorChoice,
    ) -> Result<Filters, Failure> {
        let mut source = QuerySource::new("<options>", "", filters).map_err(Failure::Usage)?;
        let holds = compile(&source, reading, color)?;
        source.parts.prints_value = true;
        let prints = match cql3::begins_query(&source.text) {
            true => None,
            false => Some(compile(&source, reading, color)?),
        };
        Ok(Filters { source, color, holds, prints })
    }

    /// Whether the position matches, and the printed lines. A run-time error is printed at once.
    fn answer(
        &self,
        machine: &mut Machine<'_>,
        game: &Game<'_>,
        run: &RunOptions,
    ) -> Result<(bool, Vec<u8>), String> {
        let context = GameContext { number: 1, last_number: Some(1), options: run };
        let outcome = machine.run(game, &context);
        match &outcome.error {
            None => Ok((outcome.matched, outcome.messages.clone())),
            Some(error) => Err(self.tell(error)),
        }
    }

    /// Prints a run-time error; returns its message.
    fn tell(&self, error: &RuntimeError) -> String {
        let message = format!("{}: {}", error.filter, error.message);
        let mut diagnostic = Diagnostic::error(error.span, message.clone());
        diagnostic.help = limit_help(error);
        terminal::diagnostic_line(&render::diagnostic(&self.source, &diagnostic, self.color));
        message
    }
}

/// Evaluates filters: whether they match, and the text of the value of the last one.
struct Evaluator<'f> {
    filters: &'f Filters,
    holds: Machine<'f>,
    prints: Option<Machine<'f>>,
}

impl<'f> Evaluator<'f> {
    fn new(filters: &'f Filters) -> Evaluator<'f> {
        let holds = Machine::new(&filters.holds);
        let prints = filters.prints.as_ref().map(Machine::new);
        Evaluator { filters, holds, prints }
    }

    fn of(&mut self, game: &Game<'_>, run: &RunOptions) -> Evaluation {
        let Evaluator { filters, holds, prints } = self;
        let (matched, messages) = filters.answer(holds, game, run)?;
        // Both programs run on every position, since their persistent state must stay equal.
        let value = match prints {
            Some(prints) => {
                let (_, printed) = filters.answer(prints, game, run)?;
                // The lines that the filters print are not part of their value.
                let value = printed.strip_prefix(messages.as_slice()).unwrap_or(&printed);
                let value = value.strip_suffix(b"\n").unwrap_or(value);
                String::from_utf8_lossy(value).into_owned()
            }
            None => CONDITION.to_owned(),
        };
        let messages = String::from_utf8_lossy(&messages).into_owned();
        Ok(FilterValue { messages, value: matched.then_some(value) })
    }

    /// Closes the pipes to other programs. An error is printed at once.
    fn close(&mut self) -> Result<(), String> {
        let Evaluator { filters, holds, prints } = self;
        let of_holds = holds.close_pipes();
        let of_prints = prints.as_mut().and_then(Machine::close_pipes);
        // Both programs made the same requests.
        match of_holds.or(of_prints) {
            Some(error) => Err(filters.tell(&error)),
            None => Ok(()),
        }
    }
}

fn compile(
    source: &QuerySource,
    reading: &ReadingOptions,
    color: ColorChoice,
) -> Result<Program, Failure> {
    let compiled = query::analyze(source, reading).and_then(|understood| {
        // Here a lone number or string is written for its value, so no warning is useful.
        let mut advice = understood.advice.clone();
        advice.retain(|warning| warning.span.text(&source.text) != source.text.trim());
        render::print(source, &advice, color);
        query::compile(&understood, reading)
    });
    compiled.map_err(|diagnostics| {
        render::print(source, &diagnostics, color);
        Failure::Query
    })
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
