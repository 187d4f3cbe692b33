//! The observed results of the specification, one line each in `corpus/goldens/language.txt`, run through the library.
//!
//! A line is `[READING] FIXTURE[@ID] | EXPRESSION | EXPECTED`. The reading is `cqli`, `both` (dialects), or `main` (without
//! variations); left out it is CQL 6.2 with variations. The fixture is a game of `fixtures.pgn` by its tag Fixture, or
//! `fen:` and a position. `ID` is the position at which the expression is evaluated, 0 if left out. In an expression
//! `⏎` stands for a line end, `␉ ␋ ␌ ␍` for the control characters that they depict. What can be expected:
//!
//! | text | meaning |
//! | --- | --- |
//! | `MATCH`, `NOMATCH` | the expression as a condition |
//! | `OK`, `ERROR` | the expression is the whole query and is accepted, refused |
//! | `ABORT` | the evaluation of the game ends with an error |
//! | `FAIL` | one of `ERROR` and `ABORT` |
//! | `IDS 1 2` | the expression is the whole query and matches at these positions |
//! | `SAYS a / b` | the expression is the whole query; these are its messages |
//! | `NOTES 0=a / 1=b` | the expression is the whole query; these are its comments |
//! | `COUNTS 1/2 3/4` | matching games and positions of `studies.pgn`, main line and variations; the positions may be left out |
//! | anything else | what `message quiet(EXPRESSION)` prints |

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use babson_lang::Dialect;
use babson_pgn::{Game, Games, Needs, Reader};
use babson_vm::{GameContext, Machine, Outcome, Program, RunOptions};

/// What every query here may look at.
const EVERYTHING: Needs = Needs {
    piece_ids: true,
    ..Needs::ALL
};

/// One line of the file.
struct Case<'t> {
    line: usize,
    dialect: Dialect,
    variations: bool,
    fixture: &'t str,
    expression: String,
    expected: &'t str,
}

/// The games of the two databases, by the value of their Event tag and in file order.
struct Fixtures {
    by_event: HashMap<String, Vec<u8>>,
    studies: Vec<Vec<u8>>,
}

#[test]
fn the_language_does_what_was_observed() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let text = std::fs::read_to_string(corpus.join("goldens/language.txt")).expect("language.txt");
    let cases = parse(&text);
    assert!(cases.len() > 400, "only {} cases", cases.len());
    let fixtures = Fixtures::load(&corpus);

    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let got = fixtures.evaluate(case);
                    if got != case.expected {
                        failures.lock().expect("no worker panics").push((
                            case.line,
                            format!(
                                "line {}: {} | {}\n   expected {}\n   got      {got}",
                                case.line, case.fixture, case.expression, case.expected
                            ),
                        ));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    let texts: Vec<&str> = failures.iter().map(|(_, text)| text.as_str()).collect();
    assert!(
        texts.is_empty(),
        "{} of {} cases fail:\n{}",
        texts.len(),
        cases.len(),
        texts.join("\n")
    );
}

fn parse(text: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parts = line
            .split_once(" | ")
            .and_then(|(fixture, rest)| Some((fixture, rest.rsplit_once(" |")?)));
        let Some((fixture, (expression, expected))) = parts else {
            panic!(
                "line {} is not FIXTURE | EXPRESSION | EXPECTED: {line}",
                index + 1
            );
        };
        let fixture = fixture.trim();
        let (dialects, variations, fixture): (&[Dialect], bool, &str) =
            match fixture.split_once(' ') {
                Some(("cqli", rest)) => (&[Dialect::CQLI], true, rest),
                Some(("both", rest)) => (&[Dialect::CQLI, Dialect::CQL6], true, rest),
                Some(("main", rest)) => (&[Dialect::CQL6], false, rest),
                _ => (&[Dialect::CQL6], true, fixture),
            };
        for &dialect in dialects {
            cases.push(Case {
                line: index + 1,
                dialect,
                variations,
                fixture,
                expression: unescaped(expression.trim()),
                expected: expected.strip_prefix(' ').unwrap_or(expected),
            });
        }
    }
    cases
}

/// The text with the pictures of control characters replaced by the characters.
fn unescaped(text: &str) -> String {
    text.replace('⏎', "\n")
        .replace('␉', "\t")
        .replace('␋', "\u{b}")
        .replace('␌', "\u{c}")
        .replace('␍', "\r")
}

impl Fixtures {
    fn load(corpus: &Path) -> Fixtures {
        let read = |path: &str| {
            std::fs::read(corpus.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let fixtures = read("goldens/fixtures.pgn");
        let mut by_event = HashMap::new();
        for (_, game) in Games::new(&fixtures) {
            let text = String::from_utf8_lossy(game);
            let event = text
                .split_once("[Fixture \"")
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(event, _)| event.to_owned())
                .expect("every fixture has a tag Fixture");
            assert!(
                by_event.insert(event, game.to_vec()).is_none(),
                "fixture twice"
            );
        }
        let studies = read("games/studies.pgn");
        let studies = Games::new(&studies)
            .map(|(_, game)| game.to_vec())
            .collect();
        Fixtures { by_event, studies }
    }

    fn evaluate(&self, case: &Case<'_>) -> String {
        let expression = &case.expression;
        let (kind, _) = case.expected.split_once(' ').unwrap_or((case.expected, ""));
        if kind == "COUNTS" {
            return self.counts(expression, case.expected);
        }
        let (fixture, id) = match case.fixture.split_once('@') {
            Some((fixture, id)) => (fixture, id.parse().expect("an id after the @")),
            None => (case.fixture, 0),
        };
        let set_up;
        let game: &[u8] = if let Some(fen) = fixture.strip_prefix("fen:") {
            set_up = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n").into_bytes();
            &set_up
        } else {
            self.by_event
                .get(fixture)
                .unwrap_or_else(|| panic!("line {}: no fixture {fixture}", case.line))
        };
        let query = match kind {
            "IDS" | "SAYS" | "NOTES" | "ERROR" | "OK" => expression.clone(),
            "MATCH" | "NOMATCH" => format!("positionid=={id} {{\n{expression}\n}}"),
            _ => format!("positionid=={id} message quiet({expression}\n)"),
        };
        let query = if query.starts_with("cql(") {
            query
        } else {
            format!("cql()\n{query}")
        };
        let program = match (compile(&query, case.dialect), kind) {
            (Ok(_), "ERROR" | "OK") => return "OK".to_owned(),
            (Err(_), "ERROR" | "FAIL") => return kind.to_owned(),
            (Ok(program), _) => program,
            (Err(message), _) => return message,
        };
        let mut machine = Machine::new(&program);
        let mut reader = Reader::new();
        let outcome = run(
            &program,
            &mut machine,
            &reader.read(
                game,
                Needs {
                    variations: case.variations,
                    ..EVERYTHING
                },
            ),
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
            "IDS" => outcome
                .positions
                .iter()
                .fold("IDS".to_owned(), |text, id| format!("{text} {id}")),
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
            _ => messages
                .strip_suffix('\n')
                .unwrap_or(&messages)
                .replace('\n', "⏎"),
        }
    }

    fn counts(&self, expression: &str, expected: &str) -> String {
        let program = match compile(&format!("cql()\n{expression}"), Dialect::CQL6) {
            Ok(program) => program,
            Err(message) => return message,
        };
        let mut counts = "COUNTS".to_owned();
        for variations in [false, true] {
            let mut machine = Machine::new(&program);
            let mut reader = Reader::new();
            let needs = Needs {
                variations,
                ..program.needs()
            };
            let (mut games, mut positions) = (0, 0);
            for (number, game) in (1..).zip(&self.studies) {
                let game = reader.read(game, needs);
                let outcome = run(&program, &mut machine, &game, number, variations);
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
}

fn compile(query: &str, dialect: Dialect) -> Result<Program, String> {
    let refused = |errors: Vec<babson_lang::Diagnostic>| format!("refused: {}", errors[0]);
    let analysis = babson_lang::sema::analyse(query, dialect).map_err(refused)?;
    Program::compile(&analysis.query, dialect).map_err(refused)
}

fn run<'m>(
    program: &Program,
    machine: &'m mut Machine,
    game: &Game<'_>,
    number: u64,
    variations: bool,
) -> &'m Outcome {
    let options = RunOptions {
        cql6_output: true,
        header: false,
        variations: Some(variations),
        ..RunOptions::default()
    };
    let context = GameContext {
        number,
        last_number: None,
        options: &options,
    };
    machine.run(program, game, &context)
}
