//! The observed results of the specification, one line each in `corpus/goldens/language.txt`, run
//! through the library.
//!
//! The file states the number of its lines with results after `# cases:`.
//!
//! A line is `[READING] FIXTURE[@ID] | EXPRESSION | EXPECTED`. The reading is `cqli`, `both`
//! (dialects), or `main` (without variations); left out it is CQL 6.2 with variations. The fixture
//! is a game of `fixtures.pgn` by its tag Fixture, or `fen:` and a position. `ID` is the position
//! at which the expression is evaluated, 0 if left out. In an expression `⏎` stands for a line end,
//! `␉ ␋ ␌ ␍` for the control characters that they depict. What can be expected:
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

use babson::Dialect;
use babson::pgn::Games;

mod evaluate;
use evaluate::{Case, answer, studies};

mod parallel;
use parallel::failures;

/// One line of the file.
struct Line<'t> {
    number: usize,
    dialect: Dialect,
    variations: bool,
    fixture: &'t str,
    expression: String,
    expected: &'t str,
}

/// The games of the two databases, by the value of their Fixture tag and in file order.
struct Fixtures {
    by_event: HashMap<String, Vec<u8>>,
    studies: Vec<Vec<u8>>,
}

#[test]
fn the_language_does_what_was_observed() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let text = std::fs::read_to_string(corpus.join("goldens/language.txt")).expect("language.txt");
    let mut cases = parse(&text);
    let count = text.lines().find_map(|line| line.strip_prefix("# cases: "));
    let count = count.and_then(|count| count.parse().ok());
    assert_eq!(Some(cases.len()), count, "a case is lost or new: the file states their number");
    // Queries with `commandpipe` start programs of Unix.
    cases.retain(|case| cfg!(unix) || !case.expression.starts_with("commandpipe"));
    let fixtures = Fixtures::load(&corpus);

    let failures = failures(&cases, |case| {
        let got = fixtures.evaluate(case);
        if got == case.expected {
            return Ok(());
        }
        Err(format!(
            "line {}: {} | {}\n   expected {}\n   got      {got}",
            case.number, case.fixture, case.expression, case.expected
        ))
    });
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

fn parse(text: &str) -> Vec<Line<'_>> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parts = line
            .split_once(" | ")
            .and_then(|(fixture, rest)| Some((fixture, rest.rsplit_once(" |")?)));
        let Some((fixture, (expression, expected))) = parts else {
            panic!("line {} is not FIXTURE | EXPRESSION | EXPECTED: {line}", index + 1);
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
            cases.push(Line {
                number: index + 1,
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
        let path = corpus.join("goldens/fixtures.pgn");
        let fixtures =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut by_event = HashMap::new();
        for (_, game) in Games::new(&fixtures) {
            let text = String::from_utf8_lossy(game);
            let event = text
                .split_once("[Fixture \"")
                .and_then(|(_, rest)| rest.split_once('"'))
                .map(|(event, _)| event.to_owned())
                .expect("every fixture has a tag Fixture");
            assert!(by_event.insert(event, game.to_vec()).is_none(), "fixture twice");
        }
        Fixtures { by_event, studies: studies(corpus) }
    }

    fn evaluate(&self, line: &Line<'_>) -> String {
        let (fixture, id) = match line.fixture.split_once('@') {
            Some((fixture, id)) => (fixture, id.parse().expect("an id after the @")),
            None => (line.fixture, 0),
        };
        let set_up;
        let game: &[u8] = if let Some(fen) = fixture.strip_prefix("fen:") {
            set_up = evaluate::set_up(fen);
            &set_up
        } else if line.expected.starts_with("COUNTS") {
            b""
        } else {
            self.by_event
                .get(fixture)
                .unwrap_or_else(|| panic!("line {}: no fixture {fixture}", line.number))
        };
        let case = Case {
            dialect: line.dialect,
            variations: line.variations,
            game,
            id,
            expression: &line.expression,
            expected: line.expected,
        };
        answer(&case, &self.studies)
    }
}
