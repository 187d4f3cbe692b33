//! The golden cases of `corpus/goldens`, run through the real command.
//!
//! Every line of a `.jsonl` file there with a query and an expectation is one case: the messages
//! that the engine of its dialect prints (`expect`), the PGN that CQL 6.2 wrote (`expect_pgn`), the
//! games that match (`expect_games`), or the comments that a query makes in a game of its own
//! (`expect_comments`). Files with other kinds of data (perft counts, positions) belong to the
//! crates that read them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

mod listed;
mod parallel;
use listed::names_all_files;
use parallel::failures;

/// One line of a golden file.
struct Case {
    id: String,
    data: Value,
}

/// What a run of the command left behind.
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

#[test]
fn every_golden_case_is_right() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let cases = load(&corpus.join("goldens"));
    assert_eq!(cases.len(), 1562, "a golden case is lost or new");

    let failures = failures(&cases, |case| {
        right(case, &corpus).map_err(|reason| format!("{}: {reason}", case.id))
    });
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// `queries.txt` says of every query of the corpus how many games of three databases it finds, and
/// so does the gallery of the book, with the first line of the query.
#[test]
fn every_query_of_the_corpus_finds_what_it_found() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let text = fs::read_to_string(corpus.join("goldens/queries.txt")).expect("queries.txt");
    let gallery = corpus.join("..").join("docs/src/gallery.md");
    let gallery = fs::read_to_string(gallery).expect("the gallery");
    let mut listed = BTreeSet::new();
    let mut failures = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, masters, studies, cqli] = words[..] else {
            panic!("a line of queries.txt is NAME MASTERS STUDIES CQLI-GAMES, not {line:?}");
        };
        listed.insert(format!("{name}.cql"));
        let query = fs::read_to_string(corpus.join("queries").join(format!("{name}.cql")));
        let query = query.expect(name);
        let idea = query.lines().next().and_then(|line| line.strip_prefix("// "));
        let row = format!(
            "| `{name}` | {} | {masters} | {studies} | {cqli} |",
            idea.expect("the first line of a query says what it looks for")
        );
        if !gallery.lines().any(|line| line == row) {
            failures.push(format!("docs/src/gallery.md lacks: {row}"));
        }
        for (database, expect) in
            [("masters-2k.pgn", masters), ("studies.pgn", studies), ("cqli-games.pgn", cqli)]
        {
            if expect == "-" {
                continue;
            }
            let output = Command::new(env!("CARGO_BIN_EXE_babson"))
                .arg("--count")
                .arg("-i")
                .arg(corpus.join("games").join(database))
                .arg(corpus.join("queries").join(format!("{name}.cql")))
                .stdin(Stdio::null())
                .output()
                .expect("the command starts");
            let stdout = String::from_utf8_lossy(&output.stdout);
            let counted = stdout.lines().any(|line| line.trim() == expect);
            if !output.status.success() || !counted {
                let stderr = String::from_utf8_lossy(&output.stderr);
                failures.push(format!(
                    "{name} in {database}: expected {expect}, got {}; {}",
                    clip(stdout.trim(), 200),
                    clip(stderr.trim(), 300)
                ));
            }
        }
    }
    names_all_files("queries.txt", &listed, &corpus.join("queries"));
    let rows = gallery.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), listed.len(), "rows of docs/src/gallery.md");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn load(folder: &Path) -> Vec<Case> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("corpus/goldens")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a golden file is text");
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let data: Value = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), number + 1));
            let has = |key: &str| data.get(key).is_some();
            let runs = has("query")
                && if has("pgn") {
                    has("expect") || has("expect_pgn") || has("expect_games")
                } else {
                    has("expect_comments")
                };
            if runs {
                cases.push(Case { id: text_of(&data, "id"), data });
            }
        }
    }
    cases
}

/// The database of a case: whole ones stand in `games`, cuts of them in `games/slices`.
fn database(corpus: &Path, name: &str) -> PathBuf {
    let whole = corpus.join("games").join(name);
    if whole.exists() { whole } else { corpus.join("games/slices").join(name) }
}

fn right(case: &Case, corpus: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let outcome = run(case, corpus, folder.path())?;
    if outcome.code != Some(0) {
        return Err(format!("exit code {:?}: {}", outcome.code, clip(outcome.stderr.trim(), 300)));
    }
    if case.data.get("expect_comments").is_some() {
        let bytes = fs::read(folder.path().join("out.pgn"))
            .map_err(|error| format!("no output: {error}"))?;
        return same_comments(case, &String::from_utf8_lossy(&bytes));
    }
    if let Some(expect) = case.data.get("expect_games") {
        let text = fs::read_to_string(folder.path().join("out.jsonl"))
            .map_err(|error| format!("no output: {error}"))?;
        return same_games(&text, expect);
    }
    match case.data.get("expect_pgn") {
        Some(expect) => {
            let bytes = fs::read(folder.path().join("out.pgn"))
                .map_err(|error| format!("no output: {error}"))?;
            same_pgn(&String::from_utf8_lossy(&bytes), expect.as_str().unwrap_or_default())
        }
        None => same_messages(case, &outcome.stdout),
    }
}

fn run(case: &Case, corpus: &Path, folder: &Path) -> Result<Outcome, String> {
    let failed = |error: std::io::Error| error.to_string();
    let query = folder.join("query.cql");
    fs::write(&query, text_of(&case.data, "query") + "\n").map_err(failed)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.args(["-s", "-i"]);
    let puzzle = case.data.get("expect_comments").is_some();
    if puzzle {
        let game = folder.join("game.pgn");
        fs::write(&game, game_of(&case.data)).map_err(failed)?;
        command.arg(game);
    } else {
        command.arg(database(corpus, &text_of(&case.data, "pgn")));
    }
    // CQL 3 is known by its first token, and CQLi is the default.
    let dialect = case.data.get("dialect").and_then(Value::as_str);
    let old = dialect == Some("cql3");
    if !old && !puzzle && dialect != Some("cqli") {
        command.args(["--dialect", "cql6"]);
    }
    if let Some([low, high]) = case.data.get("games").and_then(Value::as_array).map(Vec::as_slice) {
        command.args(["-g", &low.to_string(), &high.to_string()]);
    }
    if case.data.get("variations").and_then(Value::as_bool) == Some(true) {
        command.arg("-variations");
    }
    for word in case.data.get("args").and_then(Value::as_array).into_iter().flatten() {
        command.arg(word.as_str().map_or_else(|| word.to_string(), String::from));
    }
    command
        .arg("-o")
        .arg(folder.join(if old { "out.jsonl" } else { "out.pgn" }))
        .arg(&query)
        .current_dir(folder)
        .stdin(Stdio::null());
    // To files: a full pipe would stop the command while this side waits for its end.
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    command
        .stdout(File::create(&stdout).map_err(failed)?)
        .stderr(File::create(&stderr).map_err(failed)?);

    // Queries have limits of steps, so that the command ends.
    let status = command.status().map_err(failed)?;
    let read =
        |path: &Path| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Outcome {
        code: status.code(),
        stdout: read(&stdout).map_err(failed)?,
        stderr: read(&stderr).map_err(failed)?,
    })
}

/// The numbers of the games in the JSON lines.
fn same_games(text: &str, expect: &Value) -> Result<(), String> {
    let mut got = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        got.push(row["game"].clone());
    }
    if Value::from(got.clone()) == *expect {
        return Ok(());
    }
    Err(clip(&format!("expected {expect}, got {got:?}"), 500))
}

/// The PGN of a case that brings its own game.
fn game_of(data: &Value) -> String {
    let mut tags = vec![("Event".to_string(), "?".to_string())];
    if let Some(fen) = data.get("fen").and_then(Value::as_str) {
        tags.push(("FEN".into(), fen.into()));
        tags.push(("SetUp".into(), "1".into()));
    }
    for more in ["tags", "pgn_tags"] {
        for (name, value) in data.get(more).and_then(Value::as_object).into_iter().flatten() {
            tags.push((name.clone(), value.as_str().unwrap_or_default().to_string()));
        }
    }
    let mut text = String::new();
    for (name, value) in tags {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let moves = data.get("moves").and_then(Value::as_str).unwrap_or("*");
    text + "\n" + moves + "\n"
}

/// The expected comments in their order, with others between them; none that the case forbids.
fn same_comments(case: &Case, pgn: &str) -> Result<(), String> {
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let texts = |key: &str| -> Vec<String> {
        let list = case.data.get(key).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(fold).collect()
    };
    let got: Vec<String> = pgn
        .split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'))
        .map(|(comment, _)| fold(comment))
        .collect();
    let mut rest = got.iter();
    for wanted in texts("expect_comments") {
        if !rest.any(|comment| *comment == wanted) {
            return Err(clip(&format!("no comment {wanted:?} in {got:?}"), 600));
        }
    }
    match texts("absent").iter().find(|text| got.iter().any(|comment| comment.contains(*text))) {
        Some(text) => Err(clip(&format!("{text:?} is in a comment: {got:?}"), 600)),
        None => Ok(()),
    }
}

fn same_messages(case: &Case, stdout: &str) -> Result<(), String> {
    let got: Vec<(u64, &str)> = stdout.lines().filter_map(message).collect();
    let expect: Vec<(u64, &str)> = case.data["expect"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|pair| (pair[0].as_u64().unwrap_or(0), pair[1].as_str().unwrap_or_default()))
        .collect();
    if let Some(at) = (0..got.len().max(expect.len())).find(|&at| got.get(at) != expect.get(at)) {
        let mut reason = format!("line {} of {} (got {} lines): ", at + 1, expect.len(), got.len());
        let _ = write!(reason, "expected {:?}, got {:?}", expect.get(at), got.get(at));
        return Err(clip(&reason, 500));
    }
    for wanted in case.data.get("expect_stdout").and_then(Value::as_array).into_iter().flatten() {
        let wanted = wanted.as_str().unwrap_or_default().trim();
        if !stdout.lines().any(|line| line.trim() == wanted) {
            return Err(format!("stdout lacks the line {wanted:?}"));
        }
    }
    Ok(())
}

/// Game number and text of a line `Game: N move M(wtm)[ID]: TEXT`. `None` for other
/// lines.
fn message(line: &str) -> Option<(u64, &str)> {
    let (game, rest) = line.strip_prefix("Game: ")?.split_once(" move ")?;
    let (place, text) = rest.split_once(": ").or_else(|| Some((rest.strip_suffix(':')?, "")))?;
    let (number, side) = place.split_once('(')?;
    let side = side.split('[').next()?;
    let shaped =
        number.bytes().all(|byte| byte.is_ascii_digit()) && matches!(side, "wtm)" | "btm)");
    shaped.then_some((game.parse().ok()?, text))
}

fn same_pgn(got: &str, expect: &str) -> Result<(), String> {
    let (got, expect) = (folded(got), folded(expect));
    if got == expect {
        return Ok(());
    }
    let at = got.iter().zip(&expect).take_while(|(a, b)| a == b).count();
    let near = |words: &[String]| words[at.saturating_sub(6)..words.len().min(at + 8)].join(" ");
    Err(clip(&format!("the PGN differs: expected …{}…, got …{}…", near(&expect), near(&got)), 600))
}

/// The words of a PGN, with the differences of layout removed: braces and parentheses stand alone,
/// a move number is part of its move.
fn folded(text: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(text.len() + text.len() / 4);
    for letter in text.chars() {
        match letter {
            '{' | '}' | '(' | ')' => {
                spaced.push(' ');
                spaced.push(letter);
                spaced.push(' ');
            }
            _ => spaced.push(letter),
        }
    }
    let mut words: Vec<String> = Vec::new();
    let mut glue = false;
    for word in spaced.split_whitespace() {
        match words.last_mut() {
            Some(last) if glue => last.push_str(word),
            _ => words.push(word.into()),
        }
        let digits = word.trim_end_matches('.');
        glue = digits.len() < word.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit());
    }
    words
}

fn text_of(data: &Value, key: &str) -> String {
    data[key].as_str().unwrap_or_else(|| panic!("a golden case has no text {key:?}: {data}")).into()
}

fn clip(text: &str, length: usize) -> String {
    let text = text.replace('\n', " | ");
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
