//! Necessary conditions of a query on a whole game.
//!
//! Most queries match in few games, and what they need at some position shows in a few facts about
//! a game: a piece on a square needs a footprint there, `#Q > 1` needs the greatest number of
//! queens, `mate` needs a flag. A guard holds the conditions on [`GameFacts`] without which a query
//! neither matches in a game nor does anything else there. It is derived from what the filters
//! [`Need`], as [`crate::prefilter`] is for a position. What `find`, `line`, `path`, dashes and
//! `move` need at some position is a condition of the game, too. How often it is needed, and which
//! checks follow each other, is counted in the moves and checks of games without variations.

mod columns;
mod compare;
mod counts;
mod decide;
mod derive;
mod eval;
mod moves;
mod reach;
mod rows;
mod set;
mod tags;
mod text;

use babson_lang::hir::{ComparisonOperator, Directions, Query};
use babson_pgn::{GameFacts, GameFlags};

use crate::analysis::{Analysis, Pattern};
use crate::need::Need;
pub use columns::ConditionRows;
use counts::MoveCondition;
use derive::GuardDerivation;
use rows::Row;
pub use rows::{FactColumns, TouchedColumns};
use set::GameSet;
pub use tags::{TagColumn, TagTest};

/// Conditions on a whole game. Where one of them fails, the query does not match and has no other
/// effect.
///
/// They are only necessary: [`Machine::run`](crate::Machine::run) decides. A search that is skipped
/// takes no steps and makes no text, so it cannot reach the limits of
/// [`RunOptions::steps`](crate::RunOptions::steps) and
/// [`RunOptions::memory`](crate::RunOptions::memory) either.
///
/// ```
/// use babson_lang::{Dialect, analyze};
/// use babson_pgn::{GameFacts, Needs, Reader};
/// use babson_vm::{Program, RunOptions};
///
/// let analysis = analyze("#Q > 1 find mate", Dialect::CQLI).unwrap();
/// let program = Program::compile(&analysis.query).unwrap();
/// let guard = program.game_guard(&RunOptions::default()).unwrap();
/// let conditions: Vec<_> = guard.conditions().collect();
/// assert_eq!(conditions, ["mate", "#Q > 1"]);
///
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. f3 e5 2. g4 Qh4# 0-1", Needs::ALL);
/// assert!(!guard.may_match(&GameFacts::of(&game)));
/// ```
#[derive(Debug, Default)]
pub struct GameGuard {
    /// All must hold, the cheapest first.
    tests: Vec<GameTest>,
    /// Parallel to `tests`: what `explain` calls them.
    texts: Vec<String>,
    tag_tests: Vec<TagTest>,
    touched: TouchedColumns,
    /// Whether a game that passes the tests matches, unless its flags are odd.
    decides: bool,
}

/// One condition on the facts of a game.
#[derive(Clone, Debug, PartialEq)]
enum GameTest {
    /// One of the flags is set.
    Flags(GameFlags),
    /// A square of the set is there on some board.
    Some(GameSet),
    /// Each of the squares belonged to the set on some board.
    Covers(GameSet, u64),
    /// On some board, a sum of numbers of squares, each times a factor, compares like this.
    Sum(SumTest),
    /// On some board, the balance of the material times `factor` compares like this.
    Balance { factor: i32, relation: ComparisonOperator, value: i64 },
    /// On some board, at least `least` squares of `from` hold a piece that attacks a square of
    /// `to`.
    Attacks { from: GameSet, to: GameSet, least: u32 },
    /// On some board, the pieces of `by` together attack at least `least` squares of `targets`.
    Attacked { targets: GameSet, by: GameSet, least: u32 },
    /// The sets lie on one line, in their order. With `slider` the first has a piece that moves
    /// along the line.
    Ray { sets: Vec<GameSet>, directions: Directions, slider: bool },
    /// The tag test of this number holds, or one of the flags is set.
    Tag { number: usize, unless: GameFlags, text: String },
    /// A pattern holds on the footprints.
    Pattern(Box<Pattern>),
    /// At least this many positions are in check.
    Checks(u32),
    /// A sequence of checks begins at some position of the main line: for each bit `n` of the mask,
    /// the position `n` plies later is in check. The lowest bit is set.
    CheckSequence(u64),
    /// The main line has at least this number of plies, or one of the flags is set.
    Plies { least: u32, unless: GameFlags },
    /// At least `least` moves may fit a filter.
    Moves { test: Box<MoveCondition>, least: u32 },
    /// All tests of one of the lists hold; no list is empty.
    Any(Vec<Vec<GameTest>>),
}

/// A condition on a sum. No sum of numbers up to 64 leaves the 32-bit integers.
#[derive(Clone, Debug, PartialEq)]
struct SumTest {
    terms: Vec<(i32, GameSet)>,
    relation: ComparisonOperator,
    value: i32,
}

impl GameGuard {
    /// The conditions of a query whose body needs this. They have no texts yet.
    pub(crate) fn of(need: &Need<'_>, query: &Query, analysis: &Analysis) -> GameGuard {
        let mut derivation = GuardDerivation::new(analysis, query.dialect);
        let mut tests = derivation.conditions(need);
        tests.extend(query.header.result.map(|result| derivation.result(result)));
        let decides = !tests.is_empty() && derivation.decides(need, query);
        let tag_tests = derivation.tag_tests;
        tests.sort_by_key(GameTest::cost);
        let mut touched = TouchedColumns { flags: !tests.is_empty(), ..TouchedColumns::default() };
        tests.iter().for_each(|test| test.touch(&mut touched));
        GameGuard { tests, texts: Vec::new(), tag_tests, touched, decides }
    }

    /// Whether it has no conditions.
    pub(crate) fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Whether the query may match in a game with these facts, or do anything else there. Its tags,
    /// and its moves and checks in their order, may be any.
    pub fn may_match(&self, facts: &GameFacts) -> bool {
        self.tests.is_empty()
            || facts.flags().has(KEPT_ALWAYS)
            || self.tests.iter().all(|test| test.holds(facts))
    }

    /// Returns the tests of tags that the conditions refer to. The caller runs them for
    /// [`GameGuard::select`] and puts their results into [`FactColumns::tags`].
    pub fn tag_tests(&self) -> &[TagTest] {
        &self.tag_tests
    }

    /// Returns the columns that [`GameGuard::select`] reads, besides the results of the tag tests.
    pub fn touched(&self) -> TouchedColumns {
        self.touched
    }

    /// The conditions in the terms of the language, in the order in which they are tested.
    pub fn conditions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }
}

impl GameTest {
    /// Returns the cost of the test. A conjunction runs its cheapest tests first.
    fn cost(&self) -> usize {
        match self {
            GameTest::Flags(_) | GameTest::Tag { .. } => 1,
            GameTest::Balance { .. } | GameTest::Plies { .. } => 2,
            GameTest::Some(set) => 2 + set.pieces.len(),
            GameTest::Covers(set, _) => 10 + set.pieces.len(),
            GameTest::Sum(sum) => {
                10 + sum.terms.iter().map(|term| 2 * term.1.pieces.len()).sum::<usize>()
            }
            GameTest::Checks(_) => 15,
            GameTest::CheckSequence(_) => 20,
            GameTest::Pattern(pattern) => 30 + pattern.single.len(),
            GameTest::Ray { sets, .. } => 60 + 20 * sets.len(),
            GameTest::Attacks { from: a, to: b, .. }
            | GameTest::Attacked { targets: a, by: b, .. } => {
                40 + 10 * (a.pieces.len() + b.pieces.len())
            }
            GameTest::Moves { .. } => 300,
            GameTest::Any(lists) => 2 + lists.iter().flatten().map(GameTest::cost).sum::<usize>(),
        }
    }
}

impl std::fmt::Display for GameGuard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.texts.join(", "))
    }
}

/// The facts of a game with this flag may differ from what the query sees: a damaged game may be
/// read in several ways.
const KEPT_ALWAYS: GameFlags = GameFlags::DAMAGE;
