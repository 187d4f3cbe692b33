//! Guards of whole games: a game that a guard rules out is one where the query finds nothing and
//! does nothing.

mod counts;
mod rules;

pub(super) use rules::RULES;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use babson_chess::{MoveCode, Position};
use babson_lang::Dialect;
use babson_pgn::tags::{decode, normal};
use babson_pgn::{Game, GameFacts, Games, Needs, Node, Reader};

use crate::{
    FactColumns, GameContext, GameGuard, Machine, Program, RunLimit, RunOptions, TagColumn, TagTest,
};

/// A game and its facts.
pub(super) struct Sample {
    text: Vec<u8>,
    facts: GameFacts,
    tags: Tags,
    /// The number of plies of the main line.
    plies: u16,
    /// The codes of the moves of the main line, if each has one.
    moves: Option<Vec<u16>>,
    /// A bit for each position of the main line: in check.
    checks: Vec<u64>,
}

impl Sample {
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// The columns of the tags, as a table has them.
#[derive(Default)]
struct Tags {
    texts: Vec<(TagColumn, String)>,
    ratings: Vec<(TagColumn, i32)>,
}

impl Tags {
    fn of(game: &Game<'_>) -> Tags {
        let texts = [
            (TagColumn::Event, game.tag(b"Event")),
            (TagColumn::Site, game.tag(b"Site")),
            (TagColumn::Date, game.tag(b"Date")),
            (TagColumn::White, game.tag(b"White")),
            (TagColumn::Black, game.tag(b"Black")),
            (TagColumn::Eco, game.tag(b"ECO")),
            (TagColumn::Result, Some(game.result_tag())),
        ];
        let ratings = [
            (TagColumn::WhiteElo, game.tag(b"WhiteElo")),
            (TagColumn::BlackElo, game.tag(b"BlackElo")),
        ];
        let rating = |value: &[u8]| normal::elo(value).and_then(|elo| i32::try_from(elo).ok());
        Tags {
            texts: texts
                .into_iter()
                .filter_map(|(column, value)| Some((column, decode(value?).into_owned())))
                .collect(),
            ratings: ratings
                .into_iter()
                .filter_map(|(column, value)| Some((column, rating(value?)?)))
                .collect(),
        }
    }

    fn pass(&self, test: &TagTest) -> bool {
        let column = test.column();
        if let TagColumn::WhiteElo | TagColumn::BlackElo = column {
            let found = self.ratings.iter().find(|rating| rating.0 == column);
            return test.matches_rating(found.map(|rating| rating.1));
        }
        let found = self.texts.iter().find(|text| text.0 == column);
        test.matches(found.map(|text| text.1.as_bytes()))
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The games of a file of the corpus, up to a number.
pub(super) fn games_of(file: &str, most: usize) -> Vec<Sample> {
    let text = fs::read(corpus().join("games").join(file)).expect(file);
    Games::new(&text).take(most).map(|(_, text)| sample(text)).collect()
}

fn sample(text: &[u8]) -> Sample {
    let mut reader = Reader::new();
    let game = reader.read(text, Needs::ALL);
    let (facts, tags) = (GameFacts::of(&game), Tags::of(&game));
    let end = game.main_line_len() as usize;
    let (nodes, positions) = (&game.nodes()[..end], &game.positions()[..end]);
    let code = |(node, before): (&Node, &Position)| Some(MoveCode::of(node.mv, before)?.0);
    let moves = nodes.iter().skip(1).zip(positions).map(code).collect();
    let checks = bits(end, |id| positions[id].in_check());
    let plies = end as u16 - 1;
    Sample { text: text.to_vec(), facts, tags, plies, moves, checks }
}

/// Small files of odd games, and some games of the large ones.
fn samples() -> Vec<Sample> {
    let most = |file: &str| match file {
        "masters-2k.pgn" => limit(60),
        "studies.pgn" => limit(120),
        _ => usize::MAX,
    };
    let mut files = Vec::new();
    for folder in ["", "variants"] {
        let entries = fs::read_dir(corpus().join("games").join(folder)).expect("the games");
        files.extend(entries.filter_map(|entry| {
            let name = entry.expect("an entry").file_name();
            let name = name.to_string_lossy();
            name.ends_with(".pgn").then(|| match folder {
                "" => name.to_string(),
                folder => format!("{folder}/{name}"),
            })
        }));
    }
    files.sort();
    files.iter().flat_map(|file| games_of(file, most(file))).collect()
}

/// All games in a long test, which an environment variable asks for.
fn limit(usual: usize) -> usize {
    if is_long() { usize::MAX } else { usual }
}

fn is_long() -> bool {
    std::env::var_os("BABSON_LONG").is_some()
}

/// The queries of the corpus with their dialects.
pub(super) fn queries() -> Vec<(String, Dialect)> {
    let mut found = Vec::new();
    let goldens = corpus().join("goldens");
    for entry in fs::read_dir(&goldens).expect("the goldens") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        match path.file_name().and_then(|name| name.to_str()) {
            Some("same.txt") => found.extend(
                text.lines()
                    .filter(|line| !line.starts_with('#') && !line.is_empty())
                    .map(|line| (line.replace('⏎', "\n"), Dialect::CQL6)),
            ),
            Some("language.txt") => found.extend(text.lines().flat_map(|line| {
                let query = line.split(" | ").nth(1).unwrap_or_default().replace('⏎', "\n");
                [(query.clone(), Dialect::CQL6), (query, Dialect::CQLI)]
            })),
            Some(name) if name.ends_with(".jsonl") => found.extend(text.lines().filter_map(golden)),
            Some(_) | None => {}
        }
    }
    for folder in ["queries", "seeds"] {
        for entry in fs::read_dir(corpus().join(folder)).expect(folder) {
            let text = fs::read_to_string(entry.expect("an entry").path()).unwrap_or_default();
            found.push((text.clone(), Dialect::CQLI));
            found.push((text, Dialect::CQL6));
        }
    }
    found.extend(RULES.iter().map(|(query, _)| ((*query).to_owned(), Dialect::CQLI)));
    // More queries, one a line, for a long test.
    if let Some(path) = std::env::var_os("BABSON_QUERIES") {
        let text = fs::read_to_string(path).expect("the queries");
        found.extend(text.lines().map(|line| (line.replace('⏎', "\n"), Dialect::CQL6)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn golden(line: &str) -> Option<(String, Dialect)> {
    let data: serde_json::Value = serde_json::from_str(line).ok()?;
    let dialect = match data.get("dialect").and_then(|dialect| dialect.as_str()) {
        Some("cqli") => Dialect::CQLI,
        Some(_) | None => Dialect::CQL6,
    };
    Some((data.get("query")?.as_str()?.to_owned(), dialect))
}

/// Columns of facts that own their memory.
#[derive(Default)]
struct Columns {
    footprint: [Vec<u64>; 12],
    most: [Vec<u8>; 12],
    least: [Vec<u8>; 12],
    flags: Vec<u32>,
    least_balance: Vec<i8>,
    greatest_balance: Vec<i8>,
}

impl Columns {
    fn of(samples: &[Sample]) -> Columns {
        let facts = || samples.iter().map(|sample| &sample.facts);
        Columns {
            footprint: std::array::from_fn(|piece| facts().map(|f| f.footprint[piece].0).collect()),
            most: std::array::from_fn(|piece| facts().map(|f| f.most[piece]).collect()),
            least: std::array::from_fn(|piece| facts().map(|f| f.least[piece]).collect()),
            flags: facts().map(|f| f.flags.0).collect(),
            least_balance: facts().map(|f| f.least_balance).collect(),
            greatest_balance: facts().map(|f| f.greatest_balance).collect(),
        }
    }

    /// The columns that the guard of the program touches; the others are empty.
    fn touched(&self, program: &Program) -> FactColumns<'_> {
        let mut columns = FactColumns::default();
        let Some(guard) = program.game_guard(&options(None)) else {
            return columns;
        };
        let touched = guard.touched();
        for piece in 0..12 {
            let has = |bits: u16| bits >> piece & 1 != 0;
            columns.footprint[piece] =
                if has(touched.footprint) { &self.footprint[piece] } else { &[] };
            columns.most[piece] = if has(touched.most) { &self.most[piece] } else { &[] };
            columns.least[piece] = if has(touched.least) { &self.least[piece] } else { &[] };
        }
        columns.flags = if touched.flags { &self.flags } else { &[] };
        if touched.balance {
            columns.least_balance = &self.least_balance;
            columns.greatest_balance = &self.greatest_balance;
        }
        columns
    }
}

fn options(variations: Option<bool>) -> RunOptions {
    RunOptions { variations, steps: 500_000, ..RunOptions::default() }
}

/// The games of all checks that guards have decided.
static DECIDED: AtomicUsize = AtomicUsize::new(0);

/// Checks the guard of a query on games: where it rules a game out, nothing happens, where it
/// decides, the game matches, and columns give the same rows. Returns how many games it rules out.
fn check(query: &str, dialect: Dialect, samples: &[Sample], columns: &Columns) -> usize {
    let Ok(analysis) = crate::analyze(query, dialect) else {
        return 0;
    };
    let Ok(program) = Program::compile(&analysis.query) else {
        return 0;
    };
    let Some(guard) = program.game_guard(&options(None)) else {
        return 0;
    };
    let columns = columns.touched(&program);
    let passed: Vec<Vec<u64>> = guard
        .tag_tests()
        .iter()
        .map(|test| bits(samples.len(), |row| samples[row].tags.pass(test)))
        .collect();
    let tags: Vec<&[u64]> = passed.iter().map(Vec::as_slice).collect();
    let by_facts = select(guard, &columns, samples.len());
    let moves: Vec<_> = samples.iter().map(|sample| sample.moves.as_deref()).collect();
    let checks: Vec<_> = samples.iter().map(|sample| &sample.checks[..]).collect();
    let plies: Vec<u16> = samples.iter().map(|sample| sample.plies).collect();
    let columns =
        FactColumns { tags: &tags, plies: &plies, moves: &moves, checks: &checks, ..columns };
    let rows = select(guard, &columns, samples.len());

    let mut reader = Reader::new();
    let needs = program.needs().union(Needs::ALL);
    let mut machine = Machine::new(program.clone());
    machine.begin(&options(None), None);
    let mut decided = rows.clone();
    guard.decided(columns.flags, &mut decided);
    let first = |variations| RunOptions { first_match: true, ..options(variations) };
    let decides = program.deciding_guard(&first(None)).is_some();
    let mut ruled_out = 0;
    for (row, sample) in samples.iter().enumerate() {
        let may_match = guard.may_match(&sample.facts);
        let text = || String::from_utf8_lossy(&sample.text).into_owned();
        assert_eq!(has(&by_facts, row), may_match, "{query}\n{}", text());
        let number = row as u64 + 1;
        if decides && has(&decided, row) {
            let options = first([None, Some(true)][row % 2]);
            let context = GameContext { number, last_number: None, options: &options };
            let game = reader.read(&sample.text, needs);
            let outcome = machine.run(&game, &context).unwrap();
            let expected = (true, 1, &None, true);
            let found = (
                outcome.matched,
                outcome.positions.len(),
                &outcome.error,
                outcome.messages.is_empty(),
            );
            assert_eq!(found, expected, "{query}\n{guard}\n{}", text());
            DECIDED.fetch_add(1, Ordering::Relaxed);
        }
        if has(&rows, row) {
            continue;
        }
        ruled_out += 1;
        // Each game in one of two ways.
        let options = options([None, Some(true)][row % 2]);
        let context = GameContext { number, last_number: None, options: &options };
        let before = (machine.persistents(), machine.dictionaries());
        let game = reader.read(&sample.text, needs);
        let outcome = machine.run(&game, &context).unwrap().clone();
        let limited = |error: &crate::RuntimeError| error.limit == Some(RunLimit::Steps);
        let fault = outcome.error.as_ref().filter(|error| !limited(error));
        assert!(
            !outcome.matched && outcome.messages.is_empty() && fault.is_none(),
            "{query}\n{guard}\n{outcome:?}\n{}",
            text()
        );
        assert_eq!((machine.persistents(), machine.dictionaries()), before, "{query}\n{}", text());
    }
    ruled_out
}

fn bits(rows: usize, holds: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut words = vec![0; rows.div_ceil(64)];
    for row in (0..rows).filter(|&row| holds(row)) {
        words[row / 64] |= 1 << (row % 64);
    }
    words
}

fn has(words: &[u64], row: usize) -> bool {
    words[row / 64] >> (row % 64) & 1 != 0
}

/// The rows that the guard leaves.
fn select(guard: &GameGuard, columns: &FactColumns<'_>, len: usize) -> Vec<u64> {
    let mut rows = bits(len, |_| true);
    let mut left = vec![0; guard.conditions().len()];
    guard.select(columns, &mut rows, &mut left);
    let kept: u64 = rows.iter().map(|word| u64::from(word.count_ones())).sum();
    assert_eq!(left.last(), Some(&kept), "{guard}");
    let each = guard.select_each(columns, &bits(len, |_| true));
    let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum();
    assert_eq!(each.iter().map(|rows| count(&rows.left)).collect::<Vec<u64>>(), left, "{guard}");
    assert_eq!(each.last().map(|each| &each.left), Some(&rows), "{guard}");
    for pair in each.windows(2) {
        let both = pair[0].left.iter().zip(&pair[1].passed).map(|(left, passed)| left & passed);
        assert!(both.eq(pair[1].left.iter().copied()), "{guard}");
    }
    rows
}

#[test]
fn nothing_happens_in_a_game_that_is_ruled_out() {
    let samples = samples();
    let columns = Columns::of(&samples);
    let queries = queries();
    let next = AtomicUsize::new(0);
    let counts = std::sync::Mutex::new((0, 0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((query, dialect)) = queries.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let found = check(query, *dialect, &samples, &columns);
                    let mut counts = counts.lock().expect("counts");
                    counts.0 += usize::from(found > 0);
                    counts.1 += found;
                }
            });
        }
    });
    let (guarded, ruled_out) = *counts.lock().expect("counts");
    assert!(guarded > 1_500, "only {guarded} guards rule a game out, {ruled_out} games in all");
    let decided = DECIDED.load(Ordering::Relaxed);
    assert!(decided > 10_000, "guards decide only {decided} games");
}

/// The ratings of many games are tested as one is, also by numbers that no rating can be.
#[test]
fn ratings_are_tested_together_as_one_by_one() {
    let ratings = [i16::MIN, -1, 0, 1, 2699, 2700, 2701, i16::MAX];
    let many: Vec<i16> = ratings.into_iter().cycle().take(70).collect();
    for relation in ["<", "<=", "==", "!=", ">=", ">"] {
        for number in ["2700", "0", "1000000", "-1000000"] {
            for not in ["", "not "] {
                let query = format!("{not}elo white {relation} {number}");
                let program = Program::parse(&query, Dialect::CQLI).unwrap();
                let guard = program.game_guard(&RunOptions::default());
                for test in guard.iter().flat_map(|guard| guard.tag_tests()) {
                    let words = test.matching_ratings(&many);
                    for (row, rating) in many.iter().enumerate() {
                        let passes = words[row / 64] >> (row % 64) & 1 != 0;
                        let alone = test.matches_rating(Some((*rating).into()));
                        assert_eq!(passes, alone, "{query}: {rating}");
                    }
                }
            }
        }
    }
}
