//! `babson position FEN`: one position, drawn, and what a query says about it.

use std::fmt::Write as _;
use std::io::{BufRead, Write as _};

use babson_chess::{Color, VariantNames, fen};
use babson_lang::Dialect;
use babson_pgn::{Game, Needs, Reader, Reason};
use babson_vm::{GameContext, Machine, Program, RunOptions};

use crate::compose::Source;
use crate::failure::Failure;
use crate::options::{self, Given, Id};
use crate::query;
use crate::render::{self, Color as Colors};

use past::Past;

mod board;
mod past;

const USAGE: &str = "usage: babson position FEN [--cql FILTERS] [--legal] [--reachable] [--reverse] [--json]; \
                     the FEN is one word (in quotes), or - for one a line of the input";

/// What is asked about each position.
struct Asked {
    json: bool,
    past: Past,
    value: Option<Verdict>,
}

/// Prints one position, or one JSON object (and one line of input) a position.
pub(crate) fn position(words: &[String]) -> Result<u8, Failure> {
    let mut rest = Vec::new();
    let (mut json, mut past) = (false, Past::default());
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            "--json" | "-json" => json = true,
            "--legal" | "-legal" => past.legal = true,
            "--reachable" | "-reachable" => past.reachable = true,
            "--reverse" | "-reverse" => past.reverse = true,
            _ => rest.push(word.clone()),
        }
    }
    let (given, fens) = options::parse(rest).map_err(Failure::Usage)?;
    let mut dialect = Dialect::default();
    let mut color = Colors::Auto;
    let mut run = RunOptions::default();
    for option in &given {
        match option.id {
            Id::Dialect => dialect = query::dialect(option.word())?,
            Id::Color => color = Colors::parse(option.word()).map_err(Failure::Usage)?,
            Id::Steps => run.steps = option.word().parse().unwrap_or(u64::MAX),
            Id::Cql => {}
            _ => {
                return Err(Failure::Usage(format!(
                    "babson position has no option --{}",
                    option.name
                )));
            }
        }
    }
    let [text] = fens.as_slice() else {
        return Err(Failure::Usage(USAGE.to_owned()));
    };
    let filters: Vec<Given> = given
        .into_iter()
        .filter(|option| option.id == Id::Cql)
        .collect();
    let mut asked = Asked {
        json,
        past,
        value: match filters.as_slice() {
            [] => None,
            filters => Some(Verdict::of_options(filters, dialect, color)?),
        },
    };
    let mut failed = false;
    if text != "-" {
        failed |= !asked.answer(text, &run)?;
        return Ok(u8::from(failed));
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
        if !line.trim().is_empty() {
            failed |= !asked.answer(line.trim(), &run)?;
        }
    }
    Ok(u8::from(failed))
}

impl Asked {
    /// Prints all there is to say about a position; whether it could be read.
    fn answer(&mut self, asked: &str, run: &RunOptions) -> Result<bool, Failure> {
        let text = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n*\n", asked.replace('"', ""));
        let mut reader = Reader::new();
        let needs = Needs {
            piece_ids: true,
            ..Needs::ALL
        };
        let game = reader.read(text.as_bytes(), needs);
        let reason = match game.damage() {
            Some(damage) => Some(damage.reason),
            // In a game such a tag would be none.
            None if asked.trim_matches(['"', ' ']).is_empty() => Some(Reason::BadFen),
            None => None,
        };
        if let Some(reason) = reason {
            let reason = match fen::parse(asked) {
                Err(error) => format!("{reason}: {error}"),
                Ok(_) => reason.to_string(),
            };
            if self.json {
                let (fen, reason) = (json_text(asked), json_text(&reason));
                crate::console_text(&format!("{{\"fen\": {fen}, \"error\": {reason}}}\n"))?;
            } else {
                let _ = writeln!(std::io::stderr(), "babson: {reason}: {asked}");
            }
            return Ok(false);
        }
        let out = if self.json {
            self.json(asked, &game, run)
        } else {
            self.plain(&game, run)
        };
        crate::console_text(&out)?;
        Ok(true)
    }

    fn json(&mut self, asked: &str, game: &Game<'_>, run: &RunOptions) -> String {
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
        if let Some(value) = &mut self.value {
            let value = match value.of(game, run) {
                (true, text) => json_text(&text),
                (false, _) => "null".to_owned(),
            };
            let _ = write!(out, ", \"value\": {value}");
        }
        out + "}\n"
    }

    fn plain(&mut self, game: &Game<'_>, run: &RunOptions) -> String {
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
        if let Some(value) = &mut self.value {
            let _ = match value.of(game, run) {
                (true, text) => writeln!(out, "value: {text}"),
                (false, _) => writeln!(out, "value: none, it does not match"),
            };
        }
        out
    }
}

/// A filter: whether it matches, and the text of its value.
struct Verdict {
    holds: Question,
    text: Question,
}

impl Verdict {
    fn of_options(filters: &[Given], dialect: Dialect, color: Colors) -> Result<Verdict, Failure> {
        let source = Source::new("<options>", String::new(), filters).map_err(Failure::Usage)?;
        let holds = Question::new(&source, dialect, color)?;
        let text = match filters {
            [only] => format!("message quiet ({}\n)", only.word()),
            _ => format!("message quiet ({{{}}})", source.text),
        };
        let text = Source::new("<options>", text, &[]).map_err(Failure::Usage)?;
        Ok(Verdict {
            holds,
            text: Question::new(&text, dialect, color)?,
        })
    }

    fn of(&mut self, game: &Game<'_>, run: &RunOptions) -> (bool, String) {
        let holds = self.holds.run(game, run).0;
        (holds, self.text.lines(game, run).join("\n"))
    }
}

/// A compiled query and the machine that runs it.
struct Question {
    program: Program,
    machine: Machine,
}

impl Question {
    fn new(source: &Source, dialect: Dialect, color: Colors) -> Result<Question, Failure> {
        let compiled = query::understand(source, dialect, &VariantNames::default())
            .and_then(|understood| Program::compile(&understood.query, dialect));
        let program = compiled.map_err(|diagnostics| {
            render::print(source, &diagnostics, color);
            Failure::Query
        })?;
        Ok(Question {
            machine: Machine::new(&program),
            program,
        })
    }

    /// Whether the position matches, and what was printed.
    fn run(&mut self, game: &Game<'_>, run: &RunOptions) -> (bool, Vec<u8>) {
        let context = GameContext {
            number: 1,
            last_number: Some(1),
            options: run,
        };
        let outcome = self.machine.run(&self.program, game, &context);
        if let Some(error) = &outcome.error {
            let _ = writeln!(std::io::stderr(), "babson: {}: {error}", error.filter);
        }
        (outcome.matched, outcome.messages.clone())
    }

    fn lines(&mut self, game: &Game<'_>, run: &RunOptions) -> Vec<String> {
        let (_, printed) = self.run(game, run);
        String::from_utf8_lossy(&printed)
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
