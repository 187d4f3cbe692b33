//! Turns what the filters of a query need into conditions of a game.
//!
//! A position of the game has to meet each [`Need`], so each gives a condition of the game: if it
//! fails, the query neither matches at any position nor does anything else there.

use babson_lang::dialect::Dialect;
use babson_lang::hir::{CastlingKind, Condition, Content, Designator, Expr};
use babson_pgn::GameFlags;

use super::counts::contains_checks;
use super::{GameSet, GameTest, TagTest};
use crate::analysis::Analysis;
use crate::limits::{MAX_GUARD_ALTERNATIVES, MAX_GUARD_TESTS};
use crate::need::{Chain, ChainForm, Need, Part, PartKind, PlyUnit};

/// Derives the conditions of needs.
pub(super) struct GuardDerivation<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) dialect: Dialect,
    /// The tests of tags that were derived.
    pub(super) tag_tests: Vec<TagTest>,
    /// How many more tests may be derived.
    budget: usize,
}

impl<'a> GuardDerivation<'a> {
    pub(super) fn new(analysis: &'a Analysis, dialect: Dialect) -> GuardDerivation<'a> {
        GuardDerivation { analysis, dialect, tag_tests: Vec::new(), budget: MAX_GUARD_TESTS }
    }

    /// The conditions of a need.
    pub(super) fn conditions(&mut self, need: &Need<'_>) -> Vec<GameTest> {
        if self.budget == 0 {
            return Vec::new();
        }
        let tests = self.tests(need);
        self.budget = self.budget.saturating_sub(tests.len());
        tests
    }

    /// Whether no condition was left out because there were too many.
    pub(super) fn is_complete(&self) -> bool {
        self.budget > 0
    }

    /// The conditions of a need, without regard to their number.
    pub(super) fn tests(&mut self, need: &Need<'_>) -> Vec<GameTest> {
        match need {
            Need::Never => vec![GameTest::Flags(GameFlags::default())],
            Need::Condition(which) => of_condition(*which),
            Need::Glyph => vec![GameTest::Flags(GameFlags::GLYPHS)],
            Need::Tags(filter, others) => {
                let tests = self.tags(filter);
                if tests.is_empty() { self.conditions(others) } else { tests }
            }
            Need::Count { set, relation, value } => self.count(set, *relation, *value),
            Need::Sum(sum) => self.sum(sum),
            Need::Attacks { from, to, least } => {
                let (from, to) = (self.set(from), self.set(to));
                vec![GameTest::Attacks { from, to, least: *least }]
            }
            Need::Attacked { targets, by, least } => {
                let (targets, by) = (self.set(targets), self.set(by));
                vec![GameTest::Attacked { targets, by, least: *least }]
            }
            Need::Ray { sets, directions, slider } => {
                let sets = sets.iter().map(|set| self.set(set)).collect();
                vec![GameTest::Ray { sets, directions: *directions, slider: *slider }]
            }
            Need::Covers(parts) => parts.iter().filter_map(covers).collect(),
            Need::Pattern(_, pattern) => vec![GameTest::Pattern(pattern.clone())],
            Need::Ply { unit, first, .. } => reaches(*unit, *first),
            Need::Move(found) => self.moves(found),
            Need::Chain(chain) => self.chain(chain),
            Need::Elsewhere(search) => {
                let mut tests = self.conditions(&search.body);
                join(&mut tests, self.counted(&search.body, search.least));
                tests
            }
            Need::All(list) => {
                let mut tests = Vec::new();
                for need in list {
                    join(&mut tests, self.conditions(need));
                }
                tests
            }
            Need::Any(list) if list.len() <= MAX_GUARD_ALTERNATIVES => {
                one_of(list.iter().map(|need| self.conditions(need)).collect())
            }
            Need::InGame(need) => self.conditions(need),
            // Facts of a game do not tell.
            Need::Unknown | Need::NotCheck | Need::Moves { .. } | Need::Any(_) => Vec::new(),
        }
    }

    fn chain(&mut self, chain: &Chain<'_>) -> Vec<GameTest> {
        let mut tests = Vec::new();
        self.parts(&chain.parts, &mut tests);
        if chain.form != ChainForm::Moves {
            join(&mut tests, self.checks_of_chain(chain));
        }
        tests
    }

    /// The conditions of the parts that must match.
    fn parts(&mut self, parts: &[Part<'_>], tests: &mut Vec<GameTest>) {
        for part in parts.iter().filter(|part| part.is_required()) {
            match &part.kind {
                PartKind::Filter(need) => join(tests, self.conditions(need)),
                PartKind::Step(step) => join(tests, self.moves(step)),
                PartKind::Group(parts) => self.parts(parts, tests),
            }
        }
    }

    /// A set that contains the value of the expression on each board.
    pub(super) fn set(&self, expr: &Expr) -> GameSet {
        GameSet::of(expr, self.analysis)
    }
}

/// Adds tests, except those that others imply.
pub(super) fn join(tests: &mut Vec<GameTest>, more: Vec<GameTest>) {
    for test in more {
        if !tests.iter().any(|known| implies(known, &test)) {
            tests.retain(|known| !implies(&test, known));
            tests.push(test);
        }
    }
}

/// Whether the second test holds where the first does, as far as that is plain to see.
fn implies(first: &GameTest, second: &GameTest) -> bool {
    match (first, second) {
        (GameTest::Some(inner), GameTest::Some(outer)) => inner.is_within(outer),
        (GameTest::Checks(more), GameTest::Checks(least)) => more >= least,
        (GameTest::Plies { least: more, unless }, GameTest::Plies { least, unless: other }) => {
            unless == other && more >= least
        }
        (GameTest::CheckSequence(mask), GameTest::Checks(least)) => mask.count_ones() >= *least,
        (GameTest::CheckSequence(first), GameTest::CheckSequence(second)) => {
            contains_checks(*first, *second)
        }
        (GameTest::Moves { test, least: more }, GameTest::Moves { test: other, least }) => {
            test == other && more >= least
        }
        (_, _) => first == second,
    }
}

/// All tests of one of the lists hold. What all lists share is a condition of its own.
fn one_of(mut lists: Vec<Vec<GameTest>>) -> Vec<GameTest> {
    let Some((first, others)) = lists.split_first_mut() else {
        return Vec::new();
    };
    let is_shared = |test: &GameTest| others.iter().all(|list| list.contains(test));
    let mut tests: Vec<GameTest> = first.iter().filter(|test| is_shared(test)).cloned().collect();
    for list in &mut lists {
        list.retain(|test| !tests.contains(test));
    }
    if lists.iter().all(|list| !list.is_empty()) {
        tests.push(GameTest::Any(lists));
    }
    tests
}

/// Some position is as far from the initial one as `first`.
fn reaches(unit: PlyUnit, first: i32) -> Vec<GameTest> {
    // A variation may be longer than the main line, and each of its nodes has an id.
    let variations = GameFlags::VARIATIONS;
    let (least, unless) = match unit {
        PlyUnit::Ply | PlyUnit::PositionId => (first, variations),
        PlyUnit::MoveNumber => {
            (first.saturating_sub(1).saturating_mul(2), variations | GameFlags::OWN_START)
        }
    };
    match u32::try_from(least) {
        Ok(least) if least > 0 => vec![GameTest::Plies { least, unless }],
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// Each square of the designator held its content on some board.
fn covers(found: &Designator) -> Option<GameTest> {
    let content = Content(found.content.0 & Content::ANY.0);
    let set = GameSet::of_content(content, found.squares);
    (set.empty == 0).then_some(GameTest::Covers(set, found.squares))
}

fn of_condition(which: Condition) -> Vec<GameTest> {
    let flags = match which {
        Condition::Check => GameFlags::CHECK,
        Condition::Mate => GameFlags::MATE,
        Condition::Stalemate => GameFlags::STALEMATE,
        Condition::Variation | Condition::Secondary => GameFlags::VARIATIONS,
        Condition::NullMove => GameFlags::ODD_MOVE,
        Condition::EnPassant => GameFlags::EN_PASSANT,
        Condition::Castling(side) => castling(side),
        Condition::SideToMove(_)
        | Condition::LegalPosition
        | Condition::ReachablePosition
        | Condition::VariantEnd(_)
        | Condition::Initial
        | Condition::Terminal
        | Condition::Mainline
        | Condition::VirtualMainline
        | Condition::Try
        | Condition::Primary
        | Condition::IsVariant(_)
        | Condition::Result(_)
        | Condition::Hhdb(_)
        | Condition::HasAward(_)
        | Condition::RemoveComment
        | Condition::Abort
        | Condition::BareValue => return Vec::new(),
    };
    vec![GameTest::Flags(flags)]
}

/// The flags of castling.
pub(super) fn castling(side: CastlingKind) -> GameFlags {
    match side {
        CastlingKind::KingSide => GameFlags::KING_SIDE_CASTLING,
        CastlingKind::QueenSide => GameFlags::QUEEN_SIDE_CASTLING,
        CastlingKind::Either => GameFlags::KING_SIDE_CASTLING | GameFlags::QUEEN_SIDE_CASTLING,
    }
}
