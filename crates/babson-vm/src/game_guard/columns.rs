//! Evaluates conditions on columns, 64 games at a time.

use babson_pgn::GameFlags;
use serde::{Deserialize, Serialize};

use super::eval::{balance, may_relate};
use super::rows::{ColumnRow, FactColumns, TouchedColumns, bits, passing};
use super::{GameGuard, GameSet, GameTest, KEPT_ALWAYS, SumTest};

/// Games of a word.
const BLOCK: usize = 64;

/// The rows of one condition of a guard: bit `i` of word `w` is row `64 * w + i`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionRows {
    /// The rows for which it holds.
    pub passed: Vec<u64>,
    /// The rows for which it and all conditions before it hold.
    pub left: Vec<u64>,
}

/// Up to 64 rows of columns.
struct RowBlock<'c> {
    columns: &'c FactColumns<'c>,
    first: usize,
}

impl GameGuard {
    /// Clears the bits of the games that the guard rules out: bit `i` of word `w` is the game in
    /// row `64 * w + i`. `left` gets for each of [`GameGuard::conditions`] how many games it left,
    /// of those that the conditions before it had left; the counts are added.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_vm::{FactColumns, Program, RunOptions};
    ///
    /// let analysis = analyze("Qh7", Dialect::CQLI).unwrap();
    /// let program = Program::compile(&analysis.query).unwrap();
    /// let guard = program.game_guard(&RunOptions::default()).unwrap();
    /// assert_eq!(guard.touched().footprint, 1 << 4);
    ///
    /// let white_queen = [1 << 3, 1 << 3 | 1 << 55, 1 << 3];
    /// let mut columns = FactColumns { flags: &[0; 3], ..FactColumns::default() };
    /// columns.footprint[4] = &white_queen;
    /// let (mut rows, mut left) = ([0b111], [0]);
    /// guard.select(&columns, &mut rows, &mut left);
    /// assert_eq!((rows, left), ([0b010], [1]));
    /// ```
    pub fn select(&self, columns: &FactColumns<'_>, rows: &mut [u64], left: &mut [u64]) {
        if self.tests.is_empty() {
            return;
        }
        for (number, word) in rows.iter_mut().enumerate() {
            let block = RowBlock { columns, first: number * BLOCK };
            let kept = block.flagged(KEPT_ALWAYS) & *word;
            let mut live = *word & !kept;
            for (index, test) in self.tests.iter().enumerate() {
                if live != 0 {
                    live = test.word(&block, live);
                }
                if let Some(left) = left.get_mut(index) {
                    *left += u64::from((live | kept).count_ones());
                }
            }
            *word = live | kept;
        }
    }

    /// Tests each of [`GameGuard::conditions`] on all of the rows. The rows that the last condition
    /// leaves are the rows that [`GameGuard::select`] leaves. `select` is faster: it does not test
    /// a row any further after a condition has ruled it out.
    pub fn select_each(&self, columns: &FactColumns<'_>, rows: &[u64]) -> Vec<ConditionRows> {
        let mut left = rows.to_vec();
        let condition = |test: &GameTest| {
            let mut passed = Vec::with_capacity(rows.len());
            for (number, (&rows, left)) in rows.iter().zip(&mut left).enumerate() {
                let block = RowBlock { columns, first: number * BLOCK };
                let kept = block.flagged(KEPT_ALWAYS) & rows;
                let word = test.word(&block, rows) | kept;
                passed.push(word);
                *left &= word;
            }
            ConditionRows { passed, left: left.clone() }
        };
        self.tests.iter().map(condition).collect()
    }
}

impl GameTest {
    /// Returns the live rows for which the test holds.
    fn word(&self, block: &RowBlock<'_>, live: u64) -> u64 {
        match self {
            GameTest::Flags(flags) => live & block.flagged(*flags),
            GameTest::Some(set) => live & block.occupied(set),
            GameTest::Tag { number, unless, .. } => {
                let passing = passing(block.columns, *number, block.first / BLOCK);
                live & (passing | block.flagged(*unless))
            }
            GameTest::Balance { factor, relation, value } => {
                let columns = block.columns;
                let rows = block.rows(columns.least_balance).iter();
                let rows = rows.zip(block.rows(columns.greatest_balance));
                live & bits(rows.map(|(&least, &greatest)| {
                    let (low, high) = balance((least, greatest), *factor);
                    may_relate(*relation, low, high, *value)
                }))
            }
            GameTest::Sum(sum) => live & sum.word(block, live),
            GameTest::Any(lists) => lists.iter().fold(0, |found, list| {
                // Rows that one list admits need no other.
                found | list.iter().fold(live & !found, |left, test| test.word(block, left))
            }),
            GameTest::Covers(..)
            | GameTest::Attacks { .. }
            | GameTest::Attacked { .. }
            | GameTest::Ray { .. }
            | GameTest::Pattern(_)
            | GameTest::Plies { .. }
            | GameTest::Checks(_)
            | GameTest::CheckSequence(_)
            | GameTest::Moves { .. } => block.each(live, |row| self.holds(&row)),
        }
    }

    /// Adds the columns that the test reads.
    pub(super) fn touch(&self, touched: &mut TouchedColumns) {
        match self {
            GameTest::Flags(_) | GameTest::Tag { .. } => {}
            GameTest::Some(set) | GameTest::Covers(set, _) => squares(set, touched),
            GameTest::Sum(sum) => sum.terms.iter().for_each(|(_, set)| counts(set, touched)),
            GameTest::Balance { .. } => touched.balance = true,
            GameTest::Attacks { from: a, to: b, .. }
            | GameTest::Attacked { targets: a, by: b, .. } => {
                squares(a, touched);
                squares(b, touched);
                a.pieces.iter().for_each(|part| touched.most |= 1 << part.0);
            }
            GameTest::Ray { sets, .. } => sets.iter().for_each(|set| squares(set, touched)),
            GameTest::Pattern(pattern) => {
                let all = pattern.contents.iter().fold(0, |all, content| all | content.0);
                touched.footprint |= all & 0xfff;
            }
            GameTest::Plies { .. } => touched.plies = true,
            GameTest::Checks(_) | GameTest::CheckSequence(_) => touched.checks = true,
            GameTest::Moves { .. } => touched.moves = true,
            GameTest::Any(lists) => {
                lists.iter().flatten().for_each(|test| test.touch(touched));
            }
        }
    }
}

/// The columns that [`GameSet::squares`] reads.
fn squares(set: &GameSet, touched: &mut TouchedColumns) {
    set.pieces.iter().for_each(|part| touched.footprint |= 1 << part.0);
}

/// The columns that [`GameSet::most`] and [`GameSet::least`] read.
fn counts(set: &GameSet, touched: &mut TouchedColumns) {
    for &(piece, mask) in &set.pieces {
        touched.most |= 1 << piece;
        touched.least |= 1 << piece;
        touched.footprint |= if mask == !0 { 0 } else { 1 << piece };
    }
}

impl SumTest {
    fn word(&self, block: &RowBlock<'_>, live: u64) -> u64 {
        // A single number of whole kinds needs sums of small columns only.
        if let [(1, set)] = &self.terms[..]
            && let Some(pieces) = set.whole_pieces()
        {
            let (mut low, mut high) = ([0u8; BLOCK], [0u8; BLOCK]);
            for piece in pieces {
                block.add(&block.columns.least, piece, &mut low);
                block.add(&block.columns.most, piece, &mut high);
            }
            return live
                & bits(low.into_iter().zip(high).map(|(low, high)| {
                    let high = u32::from(high).min(set.size());
                    may_relate(self.relation, low.into(), high.into(), self.value.into())
                }));
        }
        block.each(live, |row| self.holds(&row))
    }
}

impl<'c> RowBlock<'c> {
    /// The rows of a column.
    fn rows<T>(&self, column: &'c [T]) -> &'c [T] {
        let rest = column.get(self.first..).unwrap_or_default();
        rest.get(..BLOCK).unwrap_or(rest)
    }

    /// The rows that have one of the flags.
    fn flagged(&self, any: GameFlags) -> u64 {
        let rows = self.rows(self.columns.flags);
        // Most flags are rare.
        match rows.iter().fold(0, |all, flags| all | flags) & any.0 {
            0 => 0,
            any => bits(rows.iter().map(|flags| flags & any != 0)),
        }
    }

    /// The rows in which a square ever belonged to the set.
    fn occupied(&self, set: &GameSet) -> u64 {
        let mut sums = [set.empty; BLOCK];
        for &(piece, mask) in &set.pieces {
            let column = self.columns.footprint.get(usize::from(piece)).copied();
            let rows = self.rows(column.unwrap_or_default());
            for (sum, squares) in sums.iter_mut().zip(rows) {
                *sum |= squares & mask;
            }
        }
        bits(sums.into_iter().map(|sum| sum != 0))
    }

    /// Adds a column of counts, none above 64.
    fn add(&self, columns: &[&'c [u8]; 12], piece: u8, sums: &mut [u8; BLOCK]) {
        let column = columns.get(usize::from(piece)).copied().unwrap_or_default();
        for (sum, count) in sums.iter_mut().zip(self.rows(column)) {
            *sum = sum.saturating_add(*count);
        }
    }

    /// Returns the live rows for which the condition holds.
    fn each(&self, live: u64, holds: impl Fn(ColumnRow<'c>) -> bool) -> u64 {
        let (mut found, mut left) = (0, live);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let row = ColumnRow { columns: self.columns, index: self.first + bit };
            found |= u64::from(holds(row)) << bit;
        }
        found
    }
}
