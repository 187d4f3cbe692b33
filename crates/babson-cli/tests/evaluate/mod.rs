//! Evaluates an expression of the language through the library and says what came out, in the words
//! of `language.rs`.

use std::path::Path;
use std::sync::Arc;

use babson::host::SystemHost;
use babson::pgn::{Games, Needs, Reader};
use babson::{Dialect, Query, RunOptions};

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
    let query = match (compile(&query, case.dialect, case.variations), kind) {
        (Ok(_), "ERROR" | "OK") => return "OK".to_owned(),
        (Err(_), "ERROR" | "FAIL") => return kind.to_owned(),
        (Ok(query), _) => query,
        (Err(message), _) => return message,
    };
    let mut matcher = query.matcher();
    let mut reader = Reader::new();
    let (mut positions, mut comments) = (Vec::new(), Vec::new());
    match (matcher.run(&reader.read(game, Needs::ALL)), kind) {
        (Err(_), "ABORT" | "FAIL") => return kind.to_owned(),
        (Ok(_), "ABORT" | "FAIL") => return "no abort".to_owned(),
        (Err(error), _) => return format!("abort: {error}"),
        (Ok(hit), _) => {
            if let Some(hit) = hit {
                positions.extend(hit.positions());
                comments.extend(hit.comments().iter().map(|(id, text)| (id, text.to_vec())));
            }
        }
    }
    let messages = String::from_utf8_lossy(matcher.messages());
    match kind {
        "MATCH" | "NOMATCH" if positions.contains(&id) => "MATCH".to_owned(),
        "MATCH" | "NOMATCH" => "NOMATCH".to_owned(),
        "IDS" => positions.iter().fold("IDS".to_owned(), |text, id| format!("{text} {id}")),
        "SAYS" => {
            let lines: Vec<&str> = messages.lines().collect();
            format!("SAYS {}", lines.join(" / "))
        }
        "NOTES" => {
            let notes: Vec<String> = comments
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
    let mut counts = "COUNTS".to_owned();
    for variations in [false, true] {
        let query = match compile(&format!("cql()\n{expression}"), case.dialect, variations) {
            Ok(query) => query,
            Err(message) => return message,
        };
        let mut matcher = query.matcher();
        let mut reader = Reader::new();
        let (mut games, mut positions) = (0, 0);
        for game in studies {
            match matcher.run(&reader.read(game, Needs::ALL)) {
                Ok(Some(hit)) => {
                    games += 1;
                    positions += hit.positions().len();
                }
                Ok(None) => {}
                Err(error) => return format!("abort: {error}"),
            }
        }
        counts += &if expected.contains('/') {
            format!(" {games}/{positions}")
        } else {
            format!(" {games}")
        };
    }
    counts
}

fn compile(query: &str, dialect: Dialect, variations: bool) -> Result<Query, String> {
    let set = |options: &mut RunOptions| {
        options.cql6_output = true;
        options.header = false;
        options.variations = Some(variations);
        options.host = Arc::new(SystemHost::new());
    };
    let query = Query::builder(query).dialect(dialect).options(set).compile();
    query.map_err(|error| format!("refused: {}", error.diagnostics()[0]))
}
