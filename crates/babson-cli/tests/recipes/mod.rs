//! The recipes of the cookbook: their diagrams and their parts.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The text of a `board` block: the game and the move, the board, the FEN. The position is the one
/// with the FEN in the last line of `block`, which must be a position that the query found. A
/// block without a FEN gives the first position.
///
/// `rows` are the JSON lines of the query. `draw` gives the lines of a board for a FEN.
pub(crate) fn diagram(
    rows: &str,
    block: &[&str],
    draw: impl Fn(&str) -> String,
) -> Result<String, String> {
    let wanted = block.last().filter(|line| line.contains('/'));
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).map_err(|error| error.to_string())?;
        for position in row["positions"].as_array().into_iter().flatten() {
            let fen = position["fen"].as_str().unwrap_or_default();
            if wanted.is_none_or(|wanted| *wanted == fen) {
                return Ok(format!("{}\n{}{fen}\n", caption(&row, position), draw(fen)));
            }
        }
    }
    Err(match wanted {
        Some(fen) => format!("the query does not find {fen}"),
        None => "the query finds nothing".to_owned(),
    })
}

/// `White – Black, Event, 1921: after 12.Nf3, Black to move`, as far as the game says so.
fn caption(row: &Value, position: &Value) -> String {
    let tag = |name: &str| row["tags"][name].as_str().unwrap_or_default();
    let known = |name: &str| !matches!(tag(name), "" | "?");
    let mut caption = match known("White") || known("Black") {
        true => format!("{} – {}", tag("White").trim(), tag("Black").trim()),
        false => format!("Game {}", row["game"]),
    };
    if known("Event") {
        let _ = write!(caption, ", {}", tag("Event"));
    }
    match tag("Date").split('.').next() {
        Some(year) if year.parse::<u32>().is_ok() => {
            let _ = write!(caption, ", {year}");
        }
        _ => {}
    }
    match position["move"].as_str() {
        Some(played) => {
            let _ = write!(caption, ": after {played}");
        }
        None => caption += ": the first position",
    }
    let black = position["fen"].as_str().is_some_and(|fen| fen.contains(" b "));
    caption + if black { ", Black to move" } else { ", White to move" }
}

/// The page that lists the recipes of the others.
const INDEX: &str = concat!("index", ".md");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/cookbook")
}

/// The pages with recipes.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the cookbook")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !path.ends_with(INDEX))
        .collect();
    pages.sort();
    pages
}

/// Whether a block of this kind has a query: `cql`, or `cql,NAME.cql` for one that is a file, too.
pub(crate) fn is_query(info: &str) -> bool {
    info == "cql" || info.strip_prefix("cql,").is_some_and(|name| name.ends_with(".cql"))
}

/// What a recipe lacks: its question, a query with its result, two sentences, or a diagram.
fn missing_part(recipe: &str) -> Option<&'static str> {
    let mut fence = None;
    let (mut question, mut query, mut result, mut board) = (false, false, false, false);
    let mut prose = String::new();
    for (number, line) in recipe.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            query |= fence.is_none() && is_query(info);
            board |= fence.is_none() && info == "board";
            fence = match fence {
                None => Some(info),
                Some(_) => None,
            };
        } else if number == 0 {
            question = line.ends_with('?');
        } else if fence.is_none() {
            result |= line.starts_with("⇒ ");
            if !line.starts_with("⇒ ") {
                prose += line;
                prose.push('\n');
            }
        }
    }
    let sentences = prose.matches(". ").count() + prose.matches(".\n").count();
    [
        (question, "a question as its heading"),
        (query, "a query in a `cql` block"),
        (result, "a line `⇒ …` with its result"),
        (sentences >= 2, "two sentences that explain it"),
        (board, "a `board` block"),
    ]
    .into_iter()
    .find_map(|(present, part)| (!present).then_some(part))
}

/// Every section of a page of the cookbook is a recipe with all its parts, and the first page of
/// the cookbook names every recipe.
#[test]
fn every_recipe_is_complete_and_listed() {
    let index = fs::read_to_string(folder().join(INDEX)).expect("the first page of the cookbook");
    let mut faults = Vec::new();
    let mut recipes = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).expect("a page is text");
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        for recipe in text.split("\n## ").skip(1) {
            recipes += 1;
            let heading = recipe.lines().next().unwrap_or_default();
            if let Some(part) = missing_part(recipe) {
                faults.push(format!("{name}: {heading}: lacks {part}"));
            }
            let listed = index.lines().any(|line| {
                line.strip_prefix(&format!("- [{heading}]({name}#"))
                    .is_some_and(|rest| rest.ends_with(')'))
            });
            if !listed {
                faults.push(format!("{INDEX}: lacks {heading}, of {name}"));
            }
        }
    }
    let links = index.lines().filter(|line| line.starts_with("- [")).count();
    assert_eq!(links, recipes, "recipes that {INDEX} lists");
    assert!(recipes > 100, "only {recipes} recipes");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_diagram_shows_a_position_that_was_found() {
    let rows = concat!(
        r#"{"game": 7, "positions": [{"id": 0, "fen": "8/8 w - "}, "#,
        r#"{"id": 3, "move": "2.e4", "fen": "8/9 b - "}], "#,
        r#""tags": {"White": "A", "Black": "B", "Event": "?", "Date": "1921.??.??"}}"#,
    );
    let shown = |block: &[&str]| diagram(rows, block, |_| "board\n".to_owned());
    let first = "A – B, 1921: the first position, White to move\nboard\n8/8 w - \n";
    assert_eq!(shown(&[]), Ok(first.to_owned()));
    let second = "A – B, 1921: after 2.e4, Black to move\nboard\n8/9 b - \n";
    assert_eq!(shown(&["other text", "8/9 b - "]), Ok(second.to_owned()));
    assert_eq!(shown(&["8/7 b - "]), Err("the query does not find 8/7 b - ".to_owned()));
}

#[test]
fn an_incomplete_recipe_is_named() {
    let whole = "Q?\n\n```cql\nmate\n```\n\n⇒ 1 game\n\nOne. Two.\n\n```board\n```\n";
    assert_eq!(missing_part(whole), None);
    assert_eq!(missing_part(&whole.replace("Q?", "Q")), Some("a question as its heading"));
    assert_eq!(missing_part(&whole.replace("One. ", "")), Some("two sentences that explain it"));
    assert_eq!(missing_part(&whole.replace("board", "text")), Some("a `board` block"));
}
