//! Whether the conditions on a game decide that a query matches there, so that the game need not be
//! searched.

use babson_lang::hir::{ComparisonOperator, Condition, Query};
use babson_pgn::GameFlags;

use super::derive::GuardDerivation;
use super::rows::bits;
use super::tags::TagTest;
use super::{GameSet, GameTest, SumTest};
use crate::limits::MAX_GUARD_ALTERNATIVES;
use crate::need::{Need, PlyUnit, Trace};

/// Games in which the facts or the columns of tags may tell something else than the machine sees.
/// So may the result of a game without a termination marker.
const UNDECIDED: GameFlags = GameFlags(
    GameFlags::ODD_MOVE.0
        | GameFlags::VARIATIONS.0
        | GameFlags::DAMAGE.0
        | GameFlags::VARIANT.0
        | GameFlags::RECODED_TAGS.0
        | GameFlags::ODD_RATINGS.0,
);

/// The greatest balance that a condition may name to be decided; the columns saturate beyond.
const MAX_DECIDED_BALANCE: i64 = 100;

/// What follows for the positions of a game from the tests of a need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// Nothing.
    None,
    /// Some position meets the need exactly if the tests hold.
    Somewhere,
    /// Each position meets it if the tests hold, and none if not.
    Everywhere,
}

impl super::GameGuard {
    /// Returns true if the guard finds matches without a search: a game that it lets through
    /// matches if [`GameGuard::decided`] keeps it.
    ///
    /// [`GameGuard::decided`]: super::GameGuard::decided
    pub fn decides(&self) -> bool {
        self.decides
    }

    /// Clears the bits of the games that have to be searched although the guard
    /// [decides](super::GameGuard::decides): games of a variant, games with variations, damage, odd
    /// moves or odd tags, and games without a termination marker. `flags` are the
    /// [flags](super::FactColumns::flags) of all rows.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_pgn::GameFlags;
    /// use babson_vm::{Program, RunOptions};
    ///
    /// let analysis = analyze("mate", Dialect::CQLI).unwrap();
    /// let program = Program::compile(&analysis.query).unwrap();
    /// let guard = program.game_guard(&RunOptions::default()).unwrap();
    /// assert!(guard.decides());
    /// let mated = GameFlags::MATE | GameFlags::RESULT;
    /// let mut rows = [0b11];
    /// guard.decided(&[mated.0, (mated | GameFlags::VARIATIONS).0], &mut rows);
    /// assert_eq!(rows, [0b01]);
    /// ```
    pub fn decided(&self, flags: &[u32], rows: &mut [u64]) {
        let is_decided = |flags: &u32| {
            let flags = GameFlags(*flags);
            flags.has(GameFlags::RESULT) && !flags.has_any(UNDECIDED)
        };
        let mut chunks = flags.chunks(64);
        for word in rows {
            let flags = chunks.next().unwrap_or_default();
            // Few games pass most guards.
            if *word != 0 {
                *word &= bits(flags.iter().map(is_decided));
            }
        }
    }
}

/// Whether each number of squares but zero meets the need.
fn asks_for_any(need: &Need<'_>) -> bool {
    use ComparisonOperator::{Greater, GreaterEqual, NotEqual};
    matches!(
        need,
        Need::Count { relation: Greater | NotEqual, value: 0, .. }
            | Need::Count { relation: GreaterEqual, value: 1, .. }
    )
}

impl GuardDerivation<'_> {
    /// Whether a game matches a query if it passes the tests of its need. Without them nothing is
    /// decided.
    pub(super) fn decides(&mut self, need: &Need<'_>, query: &Query) -> bool {
        self.is_complete()
            && Trace::of_all(&query.body, self.analysis) == Trace::Nothing
            && self.decision(need) != Decision::None
    }

    fn decision(&mut self, need: &Need<'_>) -> Decision {
        match need {
            Need::Never => Decision::Everywhere,
            // Each game has such a position.
            Need::Condition(Condition::Initial | Condition::Terminal) => Decision::Somewhere,
            Need::Condition(_) | Need::Count { .. } | Need::Sum(_) => match &self.tests(need)[..] {
                // The test of a square says that there is one, not how many there are.
                [GameTest::Some(_)] if !asks_for_any(need) => Decision::None,
                [test] if test.is_exact() => Decision::Somewhere,
                [] | [_] | [_, _, ..] => Decision::None,
            },
            // A game without variations has a position of each ply up to its last one.
            Need::Ply { unit: PlyUnit::Ply, first, last } if first <= last && *last >= 0 => {
                Decision::Somewhere
            }
            Need::Tags(filter, others) => match &self.tags(filter)[..] {
                [] => self.decision(others),
                tests if tests.iter().all(|test| self.is_exact_tag(test)) => Decision::Everywhere,
                [_, ..] => Decision::None,
            },
            // Two needs may be met at two positions, unless one of them depends on none.
            Need::All(list) => list.iter().fold(Decision::Everywhere, |all, need| {
                match (all, self.decision(need)) {
                    (Decision::Everywhere, other) | (other, Decision::Everywhere) => other,
                    (
                        Decision::None | Decision::Somewhere,
                        Decision::None | Decision::Somewhere,
                    ) => Decision::None,
                }
            }),
            Need::Any(list) if (1..=MAX_GUARD_ALTERNATIVES).contains(&list.len()) => {
                let first = self.decision(&list[0]);
                list[1..].iter().fold(first, |any, need| match (any, self.decision(need)) {
                    (Decision::None, _) | (_, Decision::None) => Decision::None,
                    (Decision::Everywhere, Decision::Everywhere) => Decision::Everywhere,
                    (Decision::Somewhere, _) | (_, Decision::Somewhere) => Decision::Somewhere,
                })
            }
            Need::Unknown
            | Need::NotCheck
            | Need::Glyph
            | Need::Attacks { .. }
            | Need::Attacked { .. }
            | Need::Ray { .. }
            | Need::Covers(_)
            | Need::Pattern(..)
            | Need::Moves { .. }
            | Need::Ply { .. }
            | Need::Move(_)
            | Need::Chain(_)
            | Need::Elsewhere(_)
            | Need::Any(_)
            | Need::InGame(_) => Decision::None,
        }
    }

    /// Whether a test of tags holds exactly if the filter matches.
    fn is_exact_tag(&self, test: &GameTest) -> bool {
        let exact = |test: &GameTest| {
            let GameTest::Tag { number, .. } = test else { return None };
            self.tag_tests.get(*number).filter(|test| test.is_exact())
        };
        let GameTest::Any(lists) = test else { return exact(test).is_some() };
        lists.iter().all(|list| match &list[..] {
            [test] => exact(test).is_some_and(TagTest::is_exact_of_either),
            [] | [_, ..] => false,
        })
    }
}

impl GameTest {
    /// Whether the test holds exactly if it holds on some board of the game.
    fn is_exact(&self) -> bool {
        match self {
            GameTest::Flags(_) => true,
            GameTest::Some(set) => set.is_exact_of_pieces(),
            GameTest::Sum(SumTest { terms, .. }) => match &terms[..] {
                // A move changes the number of pieces of a kind by one at most: all numbers between
                // the least and the greatest occur.
                [(1 | -1, set)] => set.whole_pieces().is_some_and(|pieces| pieces.count() == 1),
                [] | [_] | [_, _, ..] => false,
            },
            GameTest::Balance { factor, relation, value } => {
                let greatest = MAX_DECIDED_BALANCE * i64::from(*factor).abs();
                let has_one_bound = match relation {
                    ComparisonOperator::Less
                    | ComparisonOperator::LessEqual
                    | ComparisonOperator::Greater
                    | ComparisonOperator::GreaterEqual => true,
                    ComparisonOperator::Equal
                    | ComparisonOperator::NotEqual
                    | ComparisonOperator::Ancestor
                    | ComparisonOperator::AncestorOrSame
                    | ComparisonOperator::Descendant
                    | ComparisonOperator::DescendantOrSame => false,
                };
                has_one_bound && value.abs() <= greatest
            }
            GameTest::Covers(..)
            | GameTest::Attacks { .. }
            | GameTest::Attacked { .. }
            | GameTest::Ray { .. }
            | GameTest::Tag { .. }
            | GameTest::Pattern(_)
            | GameTest::Plies { .. }
            | GameTest::Checks(_)
            | GameTest::CheckSequence(_)
            | GameTest::Moves { .. }
            | GameTest::Any(_) => false,
        }
    }
}

impl GameSet {
    /// Whether a square that held one of the pieces on some board belonged to the set there, and
    /// empty squares never belong to it.
    fn is_exact_of_pieces(&self) -> bool {
        self.is_exact() && self.empty == 0
    }
}
