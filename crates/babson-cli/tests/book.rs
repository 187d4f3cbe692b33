//! Runs the examples of the book and of the README with the real command.
//!
//! - In a `console` block, each line that begins with `$ babson` is run. The lines after it, up to
//!   the next `$`, are compared with standard output followed by standard error. `$ head -N FILE`
//!   and `$ cat FILE` show a file that an example wrote; other commands are not run. A line `...`
//!   stands for any lines. Times and thread counts may differ.
//! - A `sh` block with `babson` in it is run by a shell, and has to succeed.
//! - A block `cql,NAME` is a query that the commands of the page use. It is written to the folder
//!   as NAME.
//! - After a `cql` block, a paragraph that begins with `⇒` states its result in the form of
//!   [`StatedResult`]. The query is run on that database of `corpus/games`.
//! - A block `sh,NAME` is a program that the queries of the page use. It is written to the folder
//!   as NAME, and so is a block `toml,NAME`.
//! - A line `QUERY ⇒ ANSWER` of a `cql,values` block states the result of a query on the game of
//!   the last `pgn` or `fen` block before it, with variations and in the dialect `cqli`.
//!   [`AnswerForm`] has the forms of answers. The values are stated for the first position; with
//!   `cql,values,at-7`, for position 7.
//! - A `board` block shows a position that the last `cql` block found: a caption, the board as
//!   `babson position` draws it, and the FEN. An empty block stands for the first position.
//!
//! All blocks of a page share one folder, with the `corpus` of the repository and the programs of
//! `docs/examples`. With `BABSON_BLESS=1` the outputs in the pages are rewritten: read the
//! difference before you commit it.

#![cfg(unix)] // the scratch folder shows the corpus by a symbolic link

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use babson::Dialect;

mod evaluate;
mod other_programs;
mod parallel;
mod recipes;
use evaluate::Case;

#[test]
fn every_example_of_the_book_does_what_the_page_says() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root");
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs/src", "docs/src/cookbook", "docs/src/language"] {
        let mut chapters: Vec<PathBuf> = fs::read_dir(root.join(folder))
            .expect("a folder of the book")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
        chapters.sort();
        pages.extend(chapters);
    }
    let studies = evaluate::studies(&root.join("corpus"));

    let examples = AtomicUsize::new(0);
    let failures = parallel::failures(&pages, |page| {
        let mut failures = Vec::new();
        examples.fetch_add(check_page(&root, page, &studies, &mut failures), Ordering::Relaxed);
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n\n")) }
    });
    let examples = examples.into_inner();
    assert!(examples > 500, "only {examples} examples found");
    assert!(
        failures.is_empty(),
        "the examples of {} pages are wrong:\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

/// Runs the examples of one page and returns their number.
fn check_page(root: &Path, page: &Path, studies: &[Vec<u8>], failures: &mut Vec<String>) -> usize {
    let bless = std::env::var_os("BABSON_BLESS").is_some();
    let text = fs::read_to_string(page).expect("a page is text");
    let folder = tempfile::tempdir().expect("a scratch folder");
    std::os::unix::fs::symlink(root.join("corpus"), folder.path().join("corpus")).expect("a link");
    for example in fs::read_dir(root.join("docs/examples")).expect("docs/examples") {
        let example = example.expect("an entry");
        let copy = folder.path().join(example.file_name());
        std::os::unix::fs::symlink(example.path(), copy).expect("a link");
    }

    let mut written = String::with_capacity(text.len());
    let mut examples = 0;
    let mut game = Vec::new();
    // What the last query of a `cql` block found.
    let mut rows = String::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        written += line;
        written.push('\n');
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let mut block = Vec::new();
        let mut query = None;
        while let Some((_, line)) = lines.next_if(|(_, line)| *line != "```") {
            block.push(line);
        }
        let place = format!("{}:{}", page.strip_prefix(root).unwrap_or(page).display(), number + 1);
        match info {
            "console" => {
                examples += 1;
                let real = run_console(folder.path(), &block, &place, failures);
                written += &if bless { real } else { block.join("\n") + "\n" };
            }
            cql if recipes::is_query(cql) => {
                examples += 1;
                let text = block.join("\n");
                if let Some((_, name)) = cql.split_once(',') {
                    fs::write(folder.path().join(name), text.clone() + "\n").expect("a query");
                }
                written += &(text.clone() + "\n");
                query = Some((place, text));
            }
            "sh" if has_command(&block) => {
                examples += 1;
                if let Err(reason) = run_script(folder.path(), &block.join("\n")) {
                    failures.push(format!("{place}: {reason}"));
                }
                written += &(block.join("\n") + "\n");
            }
            "board" => {
                examples += 1;
                let shown = block.join("\n") + "\n";
                let real = recipes::diagram(&rows, &block, |fen| draw(folder.path(), fen))
                    .unwrap_or_else(|reason| format!("{reason}\n"));
                if real != shown {
                    failures.push(format!("{place}: the page shows\n{shown}really:\n{real}"));
                }
                written += if bless { &real } else { &shown };
            }
            program if program.starts_with("sh,") => {
                let path = folder.path().join(&program["sh,".len()..]);
                write_program(&path, &(block.join("\n") + "\n"));
                written += &(block.join("\n") + "\n");
            }
            settings if settings.starts_with("toml,") => {
                let path = folder.path().join(&settings["toml,".len()..]);
                fs::write(path, block.join("\n") + "\n").expect("a file of settings");
                written += &(block.join("\n") + "\n");
            }
            values if values.starts_with("cql,values") => {
                let id = values
                    .strip_prefix("cql,values,at-")
                    .map_or(0, |id| id.parse().expect("cql,values,at-NUMBER"));
                for (line, text) in (number + 2..).zip(&block) {
                    let Some((query, expected)) = text.split_once('⇒') else {
                        failures.push(format!("{place}: not QUERY ⇒ ANSWER: {text}"));
                        continue;
                    };
                    examples += 1;
                    let expected = expected.trim();
                    let real = AnswerForm::of(expected).give(query.trim(), &game, id, studies);
                    if real == expected {
                        written += text;
                    } else {
                        failures.push(format!("{place}, line {line}: {text}\n   really {real}"));
                        written += &format!("{query}⇒ {}", if bless { &real } else { expected });
                    }
                    written.push('\n');
                }
            }
            other => {
                if let "pgn" | "fen" = other {
                    game = match other {
                        "pgn" => (block.join("\n") + "\n").into_bytes(),
                        _ => evaluate::set_up(block[0]),
                    };
                }
                written += &(block.join("\n") + "\n");
            }
        }
        // Skips the closing fence, which looks like an opening one.
        if let Some((_, fence)) = lines.next() {
            written += fence;
            written.push('\n');
        }
        let Some((place, query)) = query else {
            continue;
        };
        while lines.next_if(|(_, line)| line.is_empty()).is_some() {
            written.push('\n');
        }
        let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with("⇒ ")) else {
            failures.push(format!("{place}: a line `⇒ …` should state the result"));
            continue;
        };
        let Some(stated) = StatedResult::parse(line) else {
            failures.push(format!("{place}: not `⇒ 1 game, 2 positions of `FILE``…: {line}"));
            continue;
        };
        let real = match query.contains("python3") && !has_python() {
            true => {
                eprintln!("{place}: not run, python3 is not on this machine");
                line.to_owned()
            }
            false => {
                let real;
                (real, rows) = stated.run(folder.path(), &query);
                real
            }
        };
        if real != line {
            failures.push(format!("{place}:\n{query}\nthe page says:\n{line}\nreally:\n{real}"));
        }
        written += if bless { &real } else { line };
        written.push('\n');
    }
    if bless && written != text {
        fs::write(page, written).expect("the page can be written");
    }
    examples
}

/// The forms of an answer in a `cql,values` block.
enum AnswerForm {
    /// `12 games` or `12 games, 15 with variations`: the number of matching games of
    /// `studies.pgn`. The flag tells whether it is the second form.
    Games(bool),
    /// `at 3 5`, the ids of the matching positions, or `nowhere`.
    At,
    /// `says a / b`: the messages.
    Says,
    /// `notes 3=a / 5=b`: the comments, with the ids of their positions.
    Notes,
    /// `yes`, `no`, or a value as `message` prints it. A filter without a value gives `no`.
    Value,
}

impl AnswerForm {
    fn of(text: &str) -> AnswerForm {
        let mut words = text.split_whitespace();
        match (words.next(), words.next()) {
            (_, Some("game" | "games" | "games,")) => {
                AnswerForm::Games(text.contains("with variations"))
            }
            (Some("at"), _) | (Some("nowhere"), None) => AnswerForm::At,
            (Some("says"), _) => AnswerForm::Says,
            (Some("notes"), _) => AnswerForm::Notes,
            _ => AnswerForm::Value,
        }
    }

    /// The result of the query in this form.
    fn give(&self, query: &str, game: &[u8], id: u32, studies: &[Vec<u8>]) -> String {
        let case = Case {
            dialect: Dialect::CQLI,
            variations: true,
            game,
            id,
            expression: query,
            expected: match self {
                AnswerForm::Games(_) => "COUNTS",
                AnswerForm::At => "IDS",
                AnswerForm::Says => "SAYS",
                AnswerForm::Notes => "NOTES",
                AnswerForm::Value => "",
            },
        };
        let given = evaluate::answer(&case, studies);
        let words: Vec<&str> = given.split(' ').collect();
        match (self, &words[..]) {
            (AnswerForm::Games(false), ["COUNTS", "1", _]) => "1 game".to_owned(),
            (AnswerForm::Games(false), ["COUNTS", main, _]) => format!("{main} games"),
            (AnswerForm::Games(true), ["COUNTS", main, all]) => {
                format!("{main} games, {all} with variations")
            }
            (AnswerForm::At, ["IDS"]) => "nowhere".to_owned(),
            (AnswerForm::At, ["IDS", ids @ ..]) => format!("at {}", ids.join(" ")),
            (AnswerForm::Says, ["SAYS", rest @ ..]) => format!("says {}", rest.join(" ")),
            (AnswerForm::Notes, ["NOTES", rest @ ..]) => format!("notes {}", rest.join(" ")),
            (AnswerForm::Value, ["<true>"]) => "yes".to_owned(),
            (AnswerForm::Value, ["<false>"]) => "no".to_owned(),
            _ => given.trim().to_owned(),
        }
    }
}

/// Runs the commands of a block. Returns the block with the real outputs.
fn run_console(folder: &Path, block: &[&str], place: &str, failures: &mut Vec<String>) -> String {
    let mut real = String::new();
    let mut lines = block.iter().peekable();
    while let Some(line) = lines.next() {
        real += line;
        real.push('\n');
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push(*line);
        }
        let Some(got) = line.strip_prefix("$ ").and_then(|command| run_command(folder, command))
        else {
            // The command is not run.
            real.extend(expected.iter().flat_map(|line| [line, "\n"]));
            continue;
        };
        let got: Vec<&str> = got.lines().collect();
        // If only the times differ, the page keeps its text.
        if expected.contains(&"...") || same(&expected, &got) {
            real.extend(expected.iter().flat_map(|line| [line, "\n"]));
        } else {
            real.extend(got.iter().flat_map(|line| [line, "\n"]));
        }
        if !same(&expected, &got) {
            failures.push(format!(
                "{place}: {line}\nthe page has:\n{}\nthe command printed:\n{}",
                expected.join("\n"),
                got.join("\n")
            ));
        }
    }
    real
}

/// The output of a command, or `None` if this test does not run it.
fn run_command(folder: &Path, command: &str) -> Option<String> {
    let words = split_words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["babson", ref arguments @ ..] => {
            let output = babson(folder, arguments);
            Some(
                String::from_utf8_lossy(&output.stdout).into_owned()
                    + &String::from_utf8_lossy(&output.stderr),
            )
        }
        ["head", count, file] => {
            let count = count.trim_start_matches(['-', 'n']).parse().expect("head -N FILE");
            let text = read(&folder.join(file));
            Some(text.lines().take(count).flat_map(|line| [line, "\n"]).collect())
        }
        ["cat", file] => Some(read(&folder.join(file))),
        ["wc", "-l", file] => {
            Some(format!("{} {file}\n", read(&folder.join(file)).lines().count()))
        }
        _ => None,
    }
}

/// Whether a script runs `babson`. `cargo run` builds it, which `.ci/run` tests.
fn has_command(block: &[&str]) -> bool {
    block.iter().any(|line| line.split([' ', '(', ';', '|']).any(|word| word == "babson"))
}

/// Runs a script in the folder, with `babson` in the `PATH`, on a database `games.pgn` and an
/// archive `games.zip` of it.
fn run_script(folder: &Path, script: &str) -> Result<(), String> {
    let programs = tempfile::tempdir().expect("a folder");
    let link = programs.path().join("babson");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_babson"), link).expect("a link");
    let games = fs::read(folder.join("corpus/games/masters-2k.pgn")).expect("the corpus");
    if !folder.join("games.pgn").exists() {
        fs::write(folder.join("games.pgn"), &games).expect("a database");
        let file = fs::File::create(folder.join("games.zip")).expect("an archive");
        let mut archive = zip::ZipWriter::new(file);
        archive
            .start_file("games.pgn", zip::write::SimpleFileOptions::default())
            .expect("a member");
        archive.write_all(&games).expect("a member");
        archive.finish().expect("an archive");
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-e", "-c", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.path().display()))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

/// The board of a FEN, as `babson position` draws it.
fn draw(folder: &Path, fen: &str) -> String {
    let output = babson(folder, &["position", fen]);
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().take_while(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

fn read(path: &Path) -> String {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => format!("{}: {error}", path.display()),
    }
}

fn babson(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    // A reader's terminal shows progress as a bar that disappears; here it would be lines.
    if arguments.first().is_some_and(|first| first.starts_with('-')) {
        command.arg("--noprogress");
    }
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().expect("the command starts")
}

/// The stated result of a query:
/// `⇒ 4 games, 9 positions of `studies.pgn` with `--variations`; prints `…`; prints `…``. The
/// text after `with` holds options of the command. The query must print the stated lines in this
/// order, and may print more between them.
struct StatedResult<'t> {
    database: &'t str,
    options: Option<&'t str>,
    prints: Vec<&'t str>,
}

impl<'t> StatedResult<'t> {
    fn parse(line: &'t str) -> Option<StatedResult<'t>> {
        let mut parts = line.split("; prints ");
        let (_, from) = parts.next()?.split_once(" of `")?;
        let (database, options) = match from.split_once("` with `") {
            Some((database, options)) => (database, Some(options)),
            None => (from, None),
        };
        let quoted = |text: &'t str| text.strip_prefix('`')?.strip_suffix('`');
        Some(StatedResult {
            database: database.trim_end_matches('`'),
            options: options.map(|options| options.trim_end_matches('`')),
            prints: parts.map(quoted).collect::<Option<_>>()?,
        })
    }

    /// Runs the query and states its result in the same form, without the lines that it does not
    /// print. The second text has the JSON lines of the games. No file of this run stays in the
    /// folder, where the commands of the page find only what the page writes.
    fn run(&self, folder: &Path, query: &str) -> (String, String) {
        let StatedResult { database, options, ref prints } = *self;
        let [file, found] = ["tested-query.cql", "tested-query.jsonl"];
        if let Err(error) = fs::write(folder.join(file), query.to_owned() + "\n") {
            return (error.to_string(), String::new());
        }
        let input = format!("corpus/games/{database}");
        let mut arguments = vec!["-i", &input, "-o", found];
        let options_of = options.map(split_words).unwrap_or_default();
        arguments.extend(options_of.iter().map(String::as_str));
        arguments.push(file);
        let output = babson(folder, &arguments);
        let rows = read(&folder.join(found));
        // The second one does not exist after an error.
        let _ = [file, found].map(|name| fs::remove_file(folder.join(name)));
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            let reason = stderr.lines().next().unwrap_or_default();
            return (format!("⇒ fails: {reason}"), rows);
        }
        let positions: usize = rows
            .lines()
            .filter_map(|row| row.split_once("\"positions\": ")?.1.split_once("}]"))
            .map(|(list, _)| list.matches("{\"id\": ").count())
            .sum();
        let counted = |count: usize, unit: &str| match count {
            1 => format!("1 {unit}"),
            _ => format!("{count} {unit}s"),
        };
        let mut result = format!(
            "⇒ {}, {} of `{database}`",
            counted(rows.lines().count(), "game"),
            counted(positions, "position")
        );
        if let Some(options) = options {
            result += &format!(" with `{options}`");
        }
        for line in prints {
            if stdout.lines().any(|printed| printed.trim() == *line) {
                result += &format!("; prints `{line}`");
            }
        }
        let last = stdout.lines().map(str::trim).rfind(|line| {
            !line.is_empty() && !line.contains(" of ") && !line.contains(" seconds ")
        });
        if let (true, Some(last)) = (prints.is_empty(), last) {
            result += &format!("; prints `{last}`");
        }
        (result, rows)
    }
}

/// Whether the programs of `docs/examples` can run.
fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// Writes a program of a page, so that a query can start it by its name in the folder.
fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).expect("the program can be written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode can be set");
}

/// Splits a command line at spaces. Quotes `'…'`, `"…"` and comments after `#` are as in a shell.
fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quote, mut inside) = (None, false);
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => (quote, inside) = (Some(letter), true),
            (None, ' ') => {
                if inside {
                    words.push(std::mem::take(&mut word));
                }
                inside = false;
            }
            (None, '#') if !inside => break,
            (None, _) => {
                word.push(letter);
                inside = true;
            }
        }
    }
    if inside {
        words.push(word);
    }
    words
}

/// Whether the outputs are the same except for times, thread counts and the lines that `...` stands
/// for.
fn same(expected: &[&str], got: &[&str]) -> bool {
    match expected.split_first() {
        None => got.is_empty(),
        Some((&"...", rest)) => (0..=got.len()).any(|skipped| same(rest, &got[skipped..])),
        Some((first, rest)) => got
            .split_first()
            .is_some_and(|(line, others)| timeless(first) == timeless(line) && same(rest, others)),
    }
}

/// The line with `S` instead of the number before `seconds` and `N` instead of the number before
/// `threads`, and without spaces at its end.
fn timeless(line: &str) -> String {
    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
    for at in 1..words.len() {
        let number = words[at - 1].starts_with(|first: char| first.is_ascii_digit());
        match words[at] {
            "seconds" | "second" if number => words[at - 1] = "S",
            "threads" | "thread" if number => (words[at - 1], words[at]) = ("N", "threads"),
            // The length of a table; in docs/src/tables.md#the-file.
            "bytes)" if cfg!(target_arch = "x86") => words[at - 1] = "N",
            _ => {}
        }
    }
    words.join(" ")
}

#[test]
fn words_are_split_as_a_shell_would() {
    assert_eq!(
        split_words("babson --cql 'mate  wtm' -o \"a b\" # remark"),
        ["babson", "--cql", "mate  wtm", "-o", "a b"]
    );
    assert_eq!(split_words("a '' b"), ["a", "", "b"]);
}

#[test]
fn times_do_not_count_but_numbers_of_games_do() {
    let page = ["58 matches of 253 games in 0.059 seconds using 1 thread to x.pgn"];
    assert!(same(&page, &["58 matches of 253 games in 1.2 seconds using 16 threads to x.pgn"]));
    assert!(!same(&page, &["57 matches of 253 games in 0.059 seconds using 1 thread to x.pgn"]));
    assert!(same(&["a", "...", "d"], &["a", "b", "c", "d"]));
    assert!(!same(&["a", "...", "d"], &["a", "b", "c"]));
}

/// The examples of the help are run in a folder with the files that they name.
#[test]
fn the_examples_of_the_help_work() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("base")).expect("a folder");
    for name in ["games.pgn", "base/tal.pgn"] {
        fs::copy(root.join("corpus/games/masters-2k.pgn"), path(name)).expect("a database");
    }
    for name in ["mate.cql", "theme.cql"] {
        fs::write(path(name), "mate\n").expect("a query");
    }
    let mut examples = 0;
    for page in ["-h", "--help"] {
        let help = babson(folder.path(), &[page]);
        let help = String::from_utf8_lossy(&help.stdout).into_owned();
        let lines = help.lines().filter_map(|line| {
            let example = line.strip_prefix("example: ").or(line.strip_prefix("  "))?;
            // Two spaces begin the column with the meaning.
            example.strip_prefix("babson ")?.split("   ").next()
        });
        for line in lines {
            examples += 1;
            let words = split_words(line);
            let output =
                babson(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
            let shown = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !shown.starts_with('0'), "{line}: {shown}");
        }
    }
    assert_eq!(examples, 4);
}

/// A row of the tables of the language stands alone in `babson help WORD`.
#[test]
fn rows_of_the_language_stand_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in fs::read_dir(root.join("docs/src/language")).expect("the language") {
        let page = page.expect("an entry").path();
        let text = fs::read_to_string(&page).expect("a page is text");
        for row in text.lines().filter(|line| line.starts_with("| ")) {
            let meaning = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap_or_default();
            let refers = ["the same;", "the same,", "the same without", "as above"];
            assert!(
                !refers.iter().any(|words| meaning.starts_with(words)),
                "{}: {row}",
                page.display()
            );
        }
    }
}

/// Git ignores the files that a reader of the first pages writes into a clone.
#[test]
fn the_first_pages_leave_a_clone_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let ignored = fs::read_to_string(root.join(".gitignore")).expect(".gitignore");
    let ignored: Vec<&str> = ignored.lines().collect();
    let mut outputs = 0;
    for page in ["README.md", "docs/src/tutorial.md", "docs/src/command-line.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page is text");
        for line in text.lines().filter(|line| line.starts_with("$ babson ")) {
            let words = split_words(line);
            if words.iter().any(|word| word == "--dryrun") {
                continue;
            }
            let names = ["-o", "--nonmatching"];
            let is_output = |pair: &&[String]| names.contains(&pair[0].as_str()) && pair[1] != "-";
            for pair in words.windows(2).filter(is_output) {
                outputs += 1;
                let entry = match pair[1].split_once('/') {
                    Some((folder, _)) => format!("/{folder}/"),
                    None => format!("/{}", pair[1]),
                };
                assert!(ignored.contains(&entry.as_str()), "{page}: {line}: no {entry}");
            }
        }
    }
    assert!(outputs > 3, "only {outputs} outputs");
}

/// Each term occurs once, on one line and in alphabetical order. The page is in the book, and the
/// docs of each library name it.
#[test]
fn the_glossary_is_in_order_and_linked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let page = read(&root.join("docs/src/glossary.md"));
    let (_, table) = page.split_once("| --- | --- |\n").expect("a table");
    let mut terms = Vec::new();
    for line in table.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert!(cells.len() == 2 && cells.iter().all(|cell| !cell.is_empty()), "{line}");
        terms.push(cells[0].to_lowercase());
    }
    assert!(terms.len() > 30, "only {} terms", terms.len());
    assert!(terms.is_sorted_by(|one, two| one < two), "{terms:#?}");
    assert!(read(&root.join("docs/src/SUMMARY.md")).contains(concat!("(glossary", ".md)")));
    let mut libraries = 0;
    for crate_folder in fs::read_dir(root.join("crates")).expect("crates") {
        let library = crate_folder.expect("an entry").path().join("src/lib.rs");
        if library.exists() {
            libraries += 1;
            let text = read(&library);
            let mut docs = text.lines().take_while(|line| line.starts_with("//!"));
            assert!(
                docs.any(|line| line.contains("docs/src/glossary.md")),
                "{}",
                library.display()
            );
        }
    }
    assert!(libraries > 0);
}
