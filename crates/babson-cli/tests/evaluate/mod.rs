//! Evaluates an expression of the language through the library and says what came out, in the words
//! of `language.rs`.

use std::path::Path;
use std::sync::Arc;

use babson::engine::SystemHost;
use babson::lang::Dialect;
use babson::pgn::{Game, Games, Needs, Reader};
use babson::vm::{GameContext, Machine, Outcome, Program, RunOptions};

/// What every query here may look at.
const EVERYTHING: Needs = Needs { piece_ids: true, ..Needs::ALL };

/// An expression, where it is evaluated, and what should come out.
pub(crate) struct Case<'t> {
    pub(crate) dialect: Dialect,
    pub(crate) variations: bool,
    pub(crate) game: &'t [u8],
    /// The position at which the expression is evaluated.
    pub(crate) id: u32,
    pub(crate) expression: &'t str,
    pub(crate) expected: &'t str,
}

/// The games of `studies.pgn`.
pub(crate) fn studies(corpus: &Path) -> Vec<Vec<u8>> {
    let path = corpus.join("games/studies.pgn");
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Games::new(&text).map(|(_, game)| game.to_vec()).collect()
}

/// A game without moves that begins with a position.
pub(crate) fn set_up(fen: &str) -> Vec<u8> {
    format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n").into_bytes()
}

/// What the case gives, written as what its expectation is.
pub(crate) fn answer(case: &Case<'_>, studies: &[Vec<u8>]) -> String {
    let expression = case.expression;
    let (kind, _) = case.expected.split_once(' ').unwrap_or((case.expected, ""));
    if kind == "COUNTS" {
        return counts(case, studies);
    }
    let (game, id) = (case.game, case.id);
    let query = match kind {
        "IDS" | "SAYS" | "NOTES" | "ERROR" | "OK" => expression.to_owned(),
        "MATCH" | "NOMATCH" => format!("positionid=={id} {{\n{expression}\n}}"),
        _ => format!("positionid=={id} message quiet({expression}\n)"),
    };
    let query = if query.starts_with("cql(") { query } else { format!("cql()\n{query}") };
    let program = match (compile(&query, case.dialect), kind) {
        (Ok(_), "ERROR" | "OK") => return "OK".to_owned(),
        (Err(_), "ERROR" | "FAIL") => return kind.to_owned(),
        (Ok(program), _) => program,
        (Err(message), _) => return message,
    };
    let mut machine = Machine::new(&program);
    let mut reader = Reader::new();
    let outcome = run(
        &mut machine,
        &reader.read(game, Needs { variations: case.variations, ..EVERYTHING }),
        1,
        case.variations,
    );
    match (&outcome.error, kind) {
        (Some(_), "ABORT" | "FAIL") => return kind.to_owned(),
        (None, "ABORT" | "FAIL") => return "no abort".to_owned(),
        (Some(error), _) => return format!("abort: {error}"),
        (None, _) => {}
    }
    let messages = String::from_utf8_lossy(&outcome.messages);
    match kind {
        "MATCH" | "NOMATCH" if outcome.positions.contains(&id) => "MATCH".to_owned(),
        "MATCH" | "NOMATCH" => "NOMATCH".to_owned(),
        "IDS" => outcome.positions.iter().fold("IDS".to_owned(), |text, id| format!("{text} {id}")),
        "SAYS" => {
            let lines: Vec<&str> = messages.lines().collect();
            format!("SAYS {}", lines.join(" / "))
        }
        "NOTES" => {
            let notes: Vec<String> = outcome
                .comments
                .iter()
                .map(|(id, text)| format!("{id}={}", String::from_utf8_lossy(text)))
                .collect();
            format!("NOTES {}", notes.join(" / ")).trim_end().to_owned()
        }
        _ => messages.strip_suffix('\n').unwrap_or(&messages).replace('\n', "⏎"),
    }
}

fn counts(case: &Case<'_>, studies: &[Vec<u8>]) -> String {
    let (expression, expected) = (case.expression, case.expected);
    let program = match compile(&format!("cql()\n{expression}"), case.dialect) {
        Ok(program) => program,
        Err(message) => return message,
    };
    let mut counts = "COUNTS".to_owned();
    for variations in [false, true] {
        let mut machine = Machine::new(&program);
        let mut reader = Reader::new();
        let needs = Needs { variations, ..program.needs() };
        let (mut games, mut positions) = (0, 0);
        for (number, game) in (1..).zip(studies) {
            let game = reader.read(game, needs);
            let outcome = run(&mut machine, &game, number, variations);
            if let Some(error) = &outcome.error {
                return format!("abort: {error}");
            }
            games += usize::from(outcome.matched);
            positions += outcome.positions.len();
        }
        counts += &if expected.contains('/') {
            format!(" {games}/{positions}")
        } else {
            format!(" {games}")
        };
    }
    counts
}

fn compile(query: &str, dialect: Dialect) -> Result<Program, String> {
    let refused = |errors: Vec<babson::lang::Diagnostic>| format!("refused: {}", errors[0]);
    let analysis = babson::lang::analyze(query, dialect).map_err(refused)?;
    Program::compile(&analysis.query, dialect).map_err(refused)
}

fn run<'m>(
    machine: &'m mut Machine<'_>,
    game: &Game<'_>,
    number: u64,
    variations: bool,
) -> &'m Outcome {
    let options = RunOptions {
        cql6_output: true,
        header: false,
        variations: Some(variations),
        host: Arc::new(SystemHost::new()),
        ..RunOptions::default()
    };
    let context = GameContext { number, last_number: None, options: &options };
    machine.run(game, &context)
}
