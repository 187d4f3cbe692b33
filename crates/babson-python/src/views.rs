//! What a notebook shows: the pages of `babson-report` in frames.

use std::fmt::Write as _;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use babson::chess::{Position, Rules};
use babson::matches::Outcome;
use babson::pgn::{Game, Needs, Reader};
use babson::report::{ReportGame, ReportQuery, ReportTotals, append, head, query_element, tail};
use babson::scan::Job;
use babson::why::Trace;
use babson::{Match, Query};

use crate::cells::{TableCell, cell};
use crate::limits::{CARDS, FRAME_HEIGHT};

/// The text of a query in colors.
pub(crate) fn of_query(query: &Query) -> String {
    let job = Job::from(query);
    query_element(&ReportQuery::of(&job))
}

/// A match: the boards of its positions with the moves of the game.
pub(crate) fn of_match(query: &Query, row: &Match, pgn: &[u8]) -> String {
    let mut reader = Reader::new();
    let game = reader.read(pgn, Needs::ALL);
    let mut outcome = Outcome { matched: true, ..Outcome::default() };
    outcome.positions = row.positions.iter().map(|position| position.id).collect();
    let comments = row.comments.iter();
    outcome.comments.extend(comments.map(|comment| (comment.id, comment.text.as_bytes().to_vec())));
    let job = Job::from(query);
    let mut matcher = query.matcher();
    let mut traces = Vec::new();
    if query.untraceable().is_none() {
        let ids = outcome.positions.iter();
        // A game that cannot be traced has no marks.
        traces = ids.map_while(|id| matcher.trace_as(&game, row.game, *id).ok()).collect();
    }
    if traces.len() < outcome.positions.len() {
        traces.clear();
    }
    let shown = ReportGame {
        game: &game,
        outcome: &outcome,
        traces: &traces,
        number: row.game,
        input: &row.origin.input,
        input_number: row.origin.number,
    };
    frame("Match", &page(&ReportQuery::of(&job), &[shown]))
}

/// What the filters of a query do on a board.
pub(crate) fn of_trace(query: &Query, board: &(Position, Rules), trace: &Trace) -> String {
    let mut reader = Reader::new();
    let game = reader.one_position(&board.0, &board.1, Needs::ALL);
    let outcome = Outcome { matched: true, positions: vec![0], ..Outcome::default() };
    let job = Job::from(query);
    let shown = ReportGame {
        game: &game,
        outcome: &outcome,
        traces: std::slice::from_ref(trace),
        number: 1,
        input: "",
        input_number: 1,
    };
    frame("Trace", &page(&ReportQuery::of(&job), &[shown]))
}

/// A whole page.
fn page(query: &ReportQuery<'_>, games: &[ReportGame<'_>]) -> String {
    let mut out = head(query).into_bytes();
    games.iter().for_each(|game| append(query, game, &mut out));
    let written = games.len() as u64;
    out.extend(tail(&ReportTotals { searched: written, written, left_out: 0 }).into_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// A page in a frame of its own, so that it and the notebook cannot change each other.
fn frame(title: &str, page: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe title=\"{title}\" sandbox=\"allow-scripts\" srcdoc=\"{page}\" \
         style=\"width:100%;height:{FRAME_HEIGHT}px;border:0\"></iframe>"
    )
}

/// A table: cards with boards if its rows have positions, otherwise rows of cells.
pub(crate) fn of_table(schema: &SchemaRef, batches: &[RecordBatch]) -> String {
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let shown = if schema.index_of("fen").is_ok() { cards(batches) } else { None };
    let shown = shown.unwrap_or_else(|| cells(schema, batches));
    let more = rows.saturating_sub(CARDS);
    match more {
        0 => shown,
        _ => format!("{shown}<p>The first {CARDS} of {rows} rows.</p>"),
    }
}

/// A card for each of the first rows: a board, the players and the move before it.
fn cards(batches: &[RecordBatch]) -> Option<String> {
    let query = Query::compile("true").ok()?;
    let mut texts = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows().min(CARDS - texts.len()) {
            texts.push(position_game(batch, row));
        }
    }
    let mut readers: Vec<Reader> = texts.iter().map(|_| Reader::new()).collect();
    let games: Vec<Game<'_>> = readers
        .iter_mut()
        .zip(&texts)
        .map(|(reader, (text, ..))| reader.read(text.as_bytes(), Needs::ALL))
        .collect();
    let outcome = Outcome { matched: true, positions: vec![0], ..Outcome::default() };
    let cards: Vec<ReportGame<'_>> = games
        .iter()
        .zip(&texts)
        .map(|(game, (_, input, number))| ReportGame {
            game,
            outcome: &outcome,
            traces: &[],
            number: *number,
            input,
            input_number: *number,
        })
        .collect();
    let mut job = Job::from(&query);
    job.title = "Positions".to_owned();
    job.text = None;
    Some(frame("Positions", &page(&ReportQuery::of(&job), &cards)))
}

/// A game of one position, from a row with the column `fen`; its input, and its number.
fn position_game(batch: &RecordBatch, row: usize) -> (String, String, u64) {
    let schema = batch.schema();
    let (mut text, mut input, mut number) = (String::new(), String::new(), row as u64 + 1);
    for (field, column) in schema.fields().iter().zip(batch.columns()) {
        let value = match cell(column, row) {
            TableCell::Text(value) => value,
            TableCell::Integer(game) if field.name() == "game" => {
                number = game.unsigned_abs();
                continue;
            }
            _ => continue,
        };
        let tag = match field.name().as_str() {
            "fen" => "FEN",
            "white" => "White",
            "black" => "Black",
            "event" => "Event",
            "site" => "Site",
            "result" => "Result",
            "input" => {
                value.clone_into(&mut input);
                continue;
            }
            _ => continue,
        };
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    text.push_str("\n*\n");
    (text, input, number)
}

/// The first rows as a table of HTML.
fn cells(schema: &SchemaRef, batches: &[RecordBatch]) -> String {
    let mut out = "<table><thead><tr>".to_owned();
    for field in schema.fields() {
        let _ = write!(out, "<th>{}</th>", escaped(field.name()));
    }
    out.push_str("</tr></thead><tbody>");
    let rows = batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)));
    for (batch, row) in rows.take(CARDS) {
        out.push_str("<tr>");
        for column in batch.columns() {
            out.push_str("<td>");
            let _ = match cell(column, row) {
                TableCell::None(_) => Ok(()),
                TableCell::Integer(number) => write!(out, "{number}"),
                TableCell::Unsigned(number) => write!(out, "{number}"),
                TableCell::Float(number) => write!(out, "{number}"),
                TableCell::Text(text) => write!(out, "{}", escaped(text)),
            };
            out.push_str("</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
