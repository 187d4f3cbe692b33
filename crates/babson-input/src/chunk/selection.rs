//! Which games of a table are read: those that the guard of some query lets through.

use std::ops::Range;
use std::sync::OnceLock;

use babson_table::{Batch, Column, ColumnSet, Table, TableError, Texts};
use babson_vm::{ConditionRows, FactColumns, GameGuard, TagColumn, TagTest, TouchedColumns};

use super::Guards;

/// What the guards of some queries ask of a table, for a program that reads its batches itself. It
/// keeps the answers of the tests of tags, so each table has its own.
///
/// ```
/// use babson_input::chunk::GuardColumns;
/// use babson_input::{Input, OpenInput};
/// use babson_vm::{Dialect, Program, RunOptions};
///
/// # use babson_pgn::{Needs, Reader};
/// # use babson_table::{Compression, GameOrigin, Rows, TableWriter};
/// # let mut rows = Rows::default();
/// # for text in ["1. f3 e5 2. g4 Qh4# 0-1", "1. d4 *"] {
/// #     let origin = GameOrigin { input: "a.pgn", number: 1, offset: 0, length: 0, line: 1 };
/// #     rows.add(&Reader::new().read(text.as_bytes(), Needs::ALL), origin);
/// # }
/// # let mut writer = TableWriter::new(std::io::Cursor::new(Vec::new()), "example");
/// # writer.append(&rows)?;
/// # let mut file = Vec::new();
/// # writer.finish(&mut file, Compression::None)?;
/// # let input = Input::bytes("a.arrow", file);
/// let OpenInput::Table(open) = input.open(true)? else { return Ok(()) };
/// let table = open.table();
/// let program = Program::parse("mate", Dialect::CQLI)?;
/// let guards = [program.game_guard(&RunOptions::default())];
/// let columns = GuardColumns::of(&guards);
/// let batch = table.batch(0, columns.columns())?;
/// let selection = columns.select(&guards, &[], table, &batch, &(0..batch.len()))?;
/// assert_eq!(selection.selected, [0b01]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GuardColumns {
    touched: TouchedColumns,
    columns: ColumnSet,
    /// For each guard, what its tag tests say of the texts of their columns.
    answers: Vec<Vec<Answers>>,
}

/// Which rows are read, and which are decided: bit `i` of word `w` is row `64 * w + i` of them.
#[derive(Debug)]
pub struct Selection {
    /// Those in which a query may match or do anything else, by the guards of all queries.
    pub selected: Vec<u64>,
    /// For each query those that match and need not be read; no words if its guard decides nothing.
    pub decided: Vec<Vec<u64>>,
}

/// The answers of a tag test, once a game was tested.
type Answers = OnceLock<Result<TagAnswers, TableError>>;

/// Columns of lists, by row.
#[derive(Default)]
struct ListColumns<'b> {
    moves: Vec<Option<&'b [u16]>>,
    checks: Vec<&'b [u64]>,
}

/// What a tag test says of the texts of a column.
#[derive(Clone, Debug)]
struct TagAnswers {
    /// Whether a game without such a tag may match.
    absent: bool,
    /// A bit for each numbered text.
    texts: Vec<u64>,
    /// The number of these texts.
    len: usize,
}

impl GuardColumns {
    /// What these guards ask.
    pub fn of(guards: &Guards<'_>) -> GuardColumns {
        let mut touched = TouchedColumns::default();
        let mut columns = ColumnSet::of(&[Column::FLAGS]);
        let mut answers = Vec::new();
        for &guard in guards {
            touched = guard.map_or(touched, |guard| union(touched, guard.touched()));
            let tests = guard.map_or(&[][..], GameGuard::tag_tests);
            columns = tests.iter().fold(columns, |set, test| set.with(column_of(test.column())));
            answers.push(tests.iter().map(|_| OnceLock::new()).collect());
        }
        let columns = columns.union(columns_of(touched));
        GuardColumns { touched, columns, answers }
    }

    /// The columns that [`select`](GuardColumns::select) reads.
    pub fn columns(&self) -> ColumnSet {
        self.columns
    }

    /// Selects the rows that are read. If `decides` is set for a query, a row is not read for it
    /// where its guard already decides that it matches. `guards` are the guards that this was made
    /// of, and `batch` has at least its [columns](GuardColumns::columns).
    ///
    /// # Errors
    /// The texts of the table are damaged.
    pub fn select(
        &self,
        guards: &Guards<'_>,
        decides: &[bool],
        table: &Table,
        batch: &Batch,
        rows: &Range<usize>,
    ) -> Result<Selection, TableError> {
        let lists = self.lists(batch, rows);
        let facts = self.facts(batch, rows, &lists);
        let all = bits((0..rows.len()).map(|_| true));
        let mut any = vec![0; all.len()];
        let mut decided = vec![Vec::new(); guards.len()];
        let decides = decides.iter().copied().chain(std::iter::repeat(false));
        let queries = guards.iter().zip(&self.answers).zip(&mut decided).zip(decides);
        for (((guard, answers), decided), decides) in queries {
            let mut selected = all.clone();
            if let Some(guard) = guard {
                let passing = passing(guard, answers, table, batch, rows)?;
                let tags: Vec<&[u64]> = passing.iter().map(Vec::as_slice).collect();
                let facts = FactColumns { tags: &tags, ..facts };
                guard.select(&facts, &mut selected, &mut []);
            }
            if let Some(guard) = guard.filter(|_| decides) {
                decided.clone_from(&selected);
                guard.decided(facts.flags, decided);
                leave_open(guard, answers, batch, rows, decided);
                selected.iter_mut().zip(&*decided).for_each(|(left, decided)| *left &= !decided);
            }
            any.iter_mut().zip(selected).for_each(|(any, selected)| *any |= selected);
        }
        Ok(Selection { selected: any, decided })
    }

    /// For each condition of the guard of a query, the rows for which it holds.
    ///
    /// # Errors
    /// As [`select`](GuardColumns::select).
    pub(super) fn select_each(
        &self,
        guards: &Guards<'_>,
        query: usize,
        table: &Table,
        batch: &Batch,
        rows: &Range<usize>,
    ) -> Result<Vec<ConditionRows>, TableError> {
        let (Some(Some(guard)), Some(answers)) = (guards.get(query), self.answers.get(query))
        else {
            return Ok(Vec::new());
        };
        let lists = self.lists(batch, rows);
        let passing = passing(guard, answers, table, batch, rows)?;
        let tags: Vec<&[u64]> = passing.iter().map(Vec::as_slice).collect();
        let facts = FactColumns { tags: &tags, ..self.facts(batch, rows, &lists) };
        Ok(guard.select_each(&facts, &bits((0..rows.len()).map(|_| true))))
    }

    /// The lists of the games, as far as they are touched.
    fn lists<'b>(&self, batch: &'b Batch, rows: &Range<usize>) -> ListColumns<'b> {
        let mut lists = ListColumns::default();
        if self.touched.moves {
            lists.moves = batch.move_lists(rows.clone()).collect();
        }
        if self.touched.checks {
            lists.checks = batch.check_lists(rows.clone()).collect();
        }
        lists
    }

    /// The facts of the games, as far as they are touched.
    fn facts<'b>(
        &self,
        batch: &'b Batch,
        rows: &Range<usize>,
        lists: &'b ListColumns<'b>,
    ) -> FactColumns<'b> {
        let TouchedColumns { footprint, most, least, balance, plies, .. } = self.touched;
        let mut facts = FactColumns {
            flags: &batch.flags()[rows.clone()],
            moves: &lists.moves,
            checks: &lists.checks,
            ..FactColumns::default()
        };
        for piece in 0..12 {
            let has = |mask: u16| mask >> piece & 1 != 0;
            if has(footprint) {
                facts.footprint[piece] = &batch.footprint(piece)[rows.clone()];
            }
            if has(most) {
                facts.most[piece] = &batch.most(piece)[rows.clone()];
            }
            if has(least) {
                facts.least[piece] = &batch.least(piece)[rows.clone()];
            }
        }
        if balance {
            facts.least_balance = &batch.least_balance()[rows.clone()];
            facts.greatest_balance = &batch.greatest_balance()[rows.clone()];
        }
        if plies {
            facts.plies = &batch.plies()[rows.clone()];
        }
        facts
    }
}

impl TagAnswers {
    fn of(test: &TagTest, texts: &Texts) -> TagAnswers {
        let passes = texts.iter().map(|text| test.matches(Some(text.as_bytes())));
        TagAnswers { absent: test.matches(None), texts: bits(passes), len: texts.len() }
    }

    /// Whether a game may match if its text has this number. In a damaged table a number may not
    /// belong to any text: such a game may match.
    fn get(&self, number: usize) -> bool {
        number >= self.len || self.texts[number / 64] >> (number % 64) & 1 != 0
    }

    /// Whether a text has this number, or the game does not have the tag.
    fn knows(&self, number: Option<usize>) -> bool {
        number.is_none_or(|number| number < self.len)
    }
}

/// For each tag test of a guard, the rows that pass it.
fn passing(
    guard: &GameGuard,
    answers: &[Answers],
    table: &Table,
    batch: &Batch,
    rows: &Range<usize>,
) -> Result<Vec<Vec<u64>>, TableError> {
    let tests = guard.tag_tests().iter().zip(answers);
    tests.map(|(test, answers)| passing_rows(test, answers, table, batch, rows)).collect()
}

/// The rows whose value passes a tag test. Numbered texts are tested once for the whole search.
fn passing_rows(
    test: &TagTest,
    answers: &Answers,
    table: &Table,
    batch: &Batch,
    rows: &Range<usize>,
) -> Result<Vec<u64>, TableError> {
    let column = column_of(test.column());
    let (mut passing, absent) = if let TagColumn::WhiteElo | TagColumn::BlackElo = test.column() {
        (test.matching_ratings(&batch.elos(column)[rows.clone()]), test.matches_rating(None))
    } else if let Some(numbers) = batch.text_numbers(column) {
        let answers = answers.get_or_init(|| Ok(TagAnswers::of(test, &table.texts(column)?)));
        let answers = answers.as_ref().map_err(Clone::clone)?;
        let passes = |number: &i32| answers.get(usize::try_from(*number).unwrap_or(usize::MAX));
        (bits(numbers.values()[rows.clone()].iter().map(passes)), answers.absent)
    } else {
        let absent = test.matches(None);
        let text = |row| batch.plain_text(column, row);
        let passes = |text: &str| test.matches(Some(text.as_bytes()));
        return Ok(bits(rows.clone().map(|row| text(row).map_or(absent, passes))));
    };
    // What was tested in a row without a value is any value.
    let present = batch.present(column, rows.clone()).unwrap_or_default();
    for (word, present) in passing.iter_mut().zip(present) {
        *word = if absent { *word | !present } else { *word & present };
    }
    Ok(passing)
}

/// Removes from `decided` the rows of a damaged table whose number does not belong to any text, so
/// that they are read.
fn leave_open(
    guard: &GameGuard,
    answers: &[Answers],
    batch: &Batch,
    rows: &Range<usize>,
    decided: &mut [u64],
) {
    for (test, answers) in guard.tag_tests().iter().zip(answers) {
        let numbers = batch.text_numbers(column_of(test.column()));
        if let (Some(numbers), Some(Ok(answers))) = (numbers, answers.get()) {
            retain(decided, |row| answers.knows(numbers.get(rows.start + row)));
        }
    }
}

fn column_of(column: TagColumn) -> Column {
    match column {
        TagColumn::Event => Column::EVENT,
        TagColumn::Site => Column::SITE,
        TagColumn::Date => Column::DATE_TAG,
        TagColumn::White => Column::WHITE,
        TagColumn::Black => Column::BLACK,
        TagColumn::Eco => Column::ECO,
        TagColumn::Result => Column::RESULT,
        TagColumn::WhiteElo => Column::WHITE_ELO,
        TagColumn::BlackElo => Column::BLACK_ELO,
    }
}

fn union(all: TouchedColumns, one: TouchedColumns) -> TouchedColumns {
    TouchedColumns {
        footprint: all.footprint | one.footprint,
        most: all.most | one.most,
        least: all.least | one.least,
        flags: all.flags | one.flags,
        balance: all.balance | one.balance,
        plies: all.plies | one.plies,
        checks: all.checks | one.checks,
        moves: all.moves | one.moves,
    }
}

fn columns_of(touched: TouchedColumns) -> ColumnSet {
    let TouchedColumns { footprint, most, least, flags: _, balance, plies, checks, moves } =
        touched;
    let mut set = ColumnSet::EMPTY;
    let lists = [(plies, Column::PLIES), (checks, Column::CHECKS), (moves, Column::MOVES)];
    for (touched, column) in lists {
        set = if touched { set.with(column) } else { set };
    }
    for piece in 0..12 {
        let has = |mask: u16| mask >> piece & 1 != 0;
        for (touched, column) in [
            (has(footprint), Column::footprint(piece)),
            (has(most), Column::most(piece)),
            (has(least), Column::least(piece)),
            (balance, Column::BALANCE_MIN),
            (balance, Column::BALANCE_MAX),
        ] {
            set = if touched { set.with(column) } else { set };
        }
    }
    set
}

/// A bit for each item.
fn bits(mut items: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut words = vec![0; items.len().div_ceil(64)];
    for word in &mut words {
        let items = items.by_ref().take(64).enumerate();
        *word = items.fold(0, |word, (bit, holds)| word | u64::from(holds) << bit);
    }
    words
}

/// Clears the bits of the rows that do not hold.
fn retain(words: &mut [u64], holds: impl Fn(usize) -> bool) {
    for (index, word) in words.iter_mut().enumerate() {
        let mut left = *word;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            if !holds(64 * index + bit as usize) {
                *word &= !(1 << bit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;

    use babson_pgn::{Needs, Reader};
    use babson_table::{Compression, GameOrigin, Rows, TableWriter};
    use babson_vm::lang::{Dialect, analyze};
    use babson_vm::{Program, RunOptions};

    use super::*;
    use crate::chunk::RowChoice;
    use crate::chunk::rows::RowCutter;
    use crate::error::InputError;
    use crate::input::OpenTable;

    fn table(games: &[&str]) -> Vec<u8> {
        let mut writer = TableWriter::new(Cursor::new(Vec::new()), "test");
        let (mut reader, mut rows) = (Reader::new(), Rows::default());
        for game in games {
            let origin = GameOrigin { input: "a.pgn", number: 1, offset: 0, length: 0, line: 1 };
            rows.add(&reader.read(game.as_bytes(), Needs::ALL), origin);
        }
        writer.append(&rows).unwrap();
        let mut file = Vec::new();
        writer.finish(&mut file, Compression::None).unwrap();
        file
    }

    fn open(table: &[u8]) -> Result<Arc<OpenTable>, InputError> {
        OpenTable::open(Arc::new(bytes::Bytes::copy_from_slice(table)), "a.arrow", None)
    }

    /// The rows that are read for the queries.
    fn selected(table: &[u8], queries: &[(&str, Dialect)]) -> Vec<usize> {
        let options = RunOptions::default();
        let programs: Vec<Program> = queries
            .iter()
            .map(|(query, dialect)| {
                Program::compile(&analyze(query, *dialect).unwrap().query).unwrap()
            })
            .collect();
        let guards = programs.iter().map(|program| program.game_guard(&options)).collect();
        let choice = RowChoice::Guarded { guards, decides: Vec::new(), writes: Vec::new() };
        let table = open(table).unwrap();
        let (mut found, mut before) = (Vec::new(), 0);
        let mut cutter = RowCutter::new(table, 0..u64::MAX);
        while let Some(cut) = cutter.next(None) {
            let rows = cut.read(&choice).unwrap();
            let mut next = rows.next_selected(0);
            while next < rows.games() {
                assert!(rows.row(next).is_some());
                found.push(before + next);
                next = rows.next_selected(next + 1);
            }
            before += rows.games();
        }
        found
    }

    #[test]
    fn games_are_chosen_by_their_tags() {
        let games = [
            "[White \"Carlsen, M\"]\n[WhiteElo \"2850\"]\n[Date \"2019.01.02\"]\n\n1. e4 1-0",
            "[White \"Adams\"]\n[BlackElo \"2700\"]\n[Black \"Carlsen, M\"]\n\n1. d4 0-1",
            "[White \"Adams\"]\n[WhiteElo \"?\"]\n[Result \"1-0\"]\n\n1. e4 c5",
            "[Site \"Oslo\"]\n[Date \"2001\"]\n[WhiteRapid \"2900\"]\n\n1. f3 e5 2. g4 Qh4# 0-1",
            // Not UTF-8 as such: the column has another text.
            "[White \"Damaged (2900)\"]\n[WhiteElo \"29oo\"]\n\n1. e4 e4 *",
        ];
        let table = table(&games);
        for (query, expected) in [
            ("player \"Carlsen\"", &[0, 1, 4][..]),
            ("player white \"Carlsen\"", &[0, 4]),
            ("not player black \"Carlsen\"", &[0, 2, 3, 4]),
            ("player white \"?\"", &[3, 4]),
            ("elo > 2690", &[0, 1, 3, 4]),
            ("elo white < 2690", &[3, 4]),
            ("elo white != 2850", &[1, 2, 3, 4]),
            ("result 1-0", &[0, 2, 4]),
            ("result 1/2-1/2", &[4]),
            ("site ~~ \"Os.*\"", &[3, 4]),
            ("year >= 2002", &[0, 4]),
            ("mate player \"Carlsen\"", &[4]),
            ("mate or player white \"Carlsen\"", &[0, 3, 4]),
            ("mate message quiet(ply) mate", &[3, 4]),
            ("true", &[0, 1, 2, 3, 4]),
            ("find 2 9 {move to d4}", &[4]),
            ("find 2 9 {move from P}", &[2, 3, 4]),
            ("find 2 9 check", &[4]),
            ("line --> mate", &[3, 4]),
            ("line --> check --> mate", &[4]),
        ] {
            assert_eq!(selected(&table, &[(query, Dialect::CQLI)]), expected, "{query}");
        }
        let both = [("mate", Dialect::CQL6), ("player white \"Carlsen\"", Dialect::CQLI)];
        assert_eq!(selected(&table, &both), [0, 3, 4]);
        assert!(selected(&table, &[]).is_empty());
    }

    /// The table does not number the texts of this column, so the text of each row is tested.
    #[test]
    fn plain_texts_are_tested_row_by_row() {
        let mut games: Vec<String> = (0..40)
            .map(|number| format!("[Event \"{number}{}\"]\n\n1. e4 *", "x".repeat(1 << 20)))
            .collect();
        games.push("1. d4 *".to_owned());
        let games: Vec<&str> = games.iter().map(String::as_str).collect();
        let table = table(&games);
        assert!(
            !Table::open(table.clone().into()).unwrap().texts(Column::EVENT).unwrap().is_numbered()
        );
        assert_eq!(selected(&table, &[("event \"17x\"", Dialect::CQLI)]), [17]);
        assert_eq!(selected(&table, &[("not event \"x\"", Dialect::CQLI)]), [40]);
    }

    /// A guard does not decide a game of a damaged table whose tag is not known: it is read.
    #[test]
    fn a_game_with_the_number_of_no_text_is_not_decided() {
        let games = ["[White \"Adams\"]\n\n1. e4 1-0", "[White \"Carlsen\"]\n\n1. d4 0-1"];
        let open = open(&table(&games)).unwrap();
        let query = analyze("player white \"Adams\"", Dialect::CQLI).unwrap().query;
        let program = Program::compile(&query).unwrap();
        let guards = [program.game_guard(&RunOptions::default())];
        let select = |columns: &GuardColumns| {
            let batch = open.table.batch(0, columns.columns()).unwrap();
            let found = columns.select(&guards, &[true], &open.table, &batch, &(0..2)).unwrap();
            (found.selected, found.decided)
        };
        assert_eq!(select(&GuardColumns::of(&guards)), (vec![0], vec![vec![0b01]]));
        let damaged = GuardColumns::of(&guards);
        for answers in &damaged.answers[0] {
            answers.set(Ok(TagAnswers { absent: false, texts: Vec::new(), len: 0 })).unwrap();
        }
        assert_eq!(select(&damaged), (vec![0b11], vec![vec![0]]));
    }

    #[test]
    fn bits_go_on_in_the_next_word() {
        assert_eq!(bits((0..66).map(|row| row > 62)), [1 << 63, 0b11]);
        let mut words = bits((0..130).map(|row| row % 3 == 0));
        retain(&mut words, |row| row % 2 == 0);
        assert_eq!(words, bits((0..130).map(|row| row % 6 == 0)));
    }

    #[test]
    fn a_number_of_no_text_rules_nothing_out() {
        let answers = TagAnswers { absent: false, texts: vec![0b10], len: 2 };
        assert_eq!([0, 1, 2, usize::MAX].map(|n| answers.get(n)), [false, true, true, true]);
        let known = [None, Some(1), Some(2), Some(usize::MAX)].map(|n| answers.knows(n));
        assert_eq!(known, [true, true, false, false]);
    }
}
