//! Evaluates prefilters on boards.

use std::ops::Range;

use babson_chess::movegen::move_bound;
use babson_chess::{Color, Kind, Position, Square, SquareSet, attacks, processor};
use babson_lang::hir::{ComparisonOperator, Directions};
use babson_pgn::Node;

use super::scan::{Column, First, ROW, Row, Scan, wide};
use super::sums::Weights;
use super::{BoardPattern, BoardSet, BoardTest, CountTest, Prefilter, attack};
use crate::analysis::relate;
use crate::filters::pawns;

/// The positions of a game that a query sees.
#[derive(Clone, Copy)]
pub(crate) struct Boards<'g> {
    pub(crate) positions: &'g [Position],
    /// Their nodes.
    pub(crate) nodes: &'g [Node],
}

impl<'g> Boards<'g> {
    /// The positions after the moves from one.
    fn next(self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.end_of(at);
        let first = Some(at + 1).filter(|&next| next < end);
        std::iter::successors(first, move |&next| Some(self.end_of(next)).filter(|&n| n < end))
    }

    /// The index after the last position that follows one.
    #[inline]
    fn end_of(self, at: usize) -> usize {
        let end = self.nodes.get(at).map_or(0, |node| node.subtree_end as usize);
        end.min(self.positions.len())
    }
}

impl Prefilter {
    /// The first of the positions in `range` where the filter may match; the end of the range if
    /// there is none.
    #[inline]
    pub(crate) fn next(&self, boards: Boards<'_>, range: Range<usize>) -> usize {
        let Range { start: from, end } = range;
        if self.looks_ahead {
            return self.next_ahead(boards, range);
        }
        match self.tests.split_first() {
            Some((first, others)) => {
                first.scan(First { positions: boards.positions, from, end, others })
            }
            None => from,
        }
    }

    /// Where the filter may match among the boards from `start` on, as bits.
    pub(super) fn row(&self, boards: Boards<'_>, start: usize, among: u64) -> u64 {
        let mut left = among;
        for test in &self.tests {
            if left == 0 {
                break;
            }
            left = test.row(boards, start, left);
        }
        left
    }

    /// Whether the filter may match at this position.
    #[inline]
    pub(crate) fn holds(&self, boards: Boards<'_>, at: usize) -> bool {
        match self.looks_ahead {
            true => self.holds_ahead(boards, at),
            false => self.holds_on(&boards.positions[at]),
        }
    }

    /// Whether the tests hold on a board, without those that look ahead.
    #[inline]
    fn holds_on(&self, board: &Position) -> bool {
        self.tests.iter().all(|test| test.holds(board))
    }
}

/// Tests that look ahead. Out of line: few prefilters have them.
impl Prefilter {
    #[inline(never)]
    fn next_ahead(&self, boards: Boards<'_>, mut range: Range<usize>) -> usize {
        let end = range.end.max(range.start);
        range.find(|&at| self.holds_ahead(boards, at)).unwrap_or(end)
    }

    #[inline(never)]
    fn holds_ahead(&self, boards: Boards<'_>, at: usize) -> bool {
        let board = &boards.positions[at];
        self.tests.iter().all(|test| {
            if let BoardTest::Next(prefilter) = test {
                boards.next(at).any(|next| prefilter.holds(boards, next))
            } else if let BoardTest::Any(prefilters) = test {
                prefilters.iter().any(|prefilter| prefilter.holds(boards, at))
            } else {
                test.holds(board)
            }
        })
    }
}

impl BoardTest {
    /// Where the test holds among the boards from `start` on, as bits.
    fn row(&self, boards: Boards<'_>, start: usize, among: u64) -> u64 {
        match self {
            BoardTest::Any(prefilters) => {
                let (mut found, mut left) = (0, among);
                for prefilter in prefilters {
                    let row = prefilter.row(boards, start, left);
                    found |= row;
                    left &= !row;
                }
                found
            }
            BoardTest::Next(prefilter) => {
                let follows = |index: &Square| {
                    let at = start + index.index();
                    boards.next(at).any(|next| prefilter.holds(boards, next))
                };
                let found = SquareSet(among).into_iter().filter(follows);
                found.fold(0, |row, index| row | 1 << index.index())
            }
            BoardTest::Check(_)
            | BoardTest::SideToMove(_)
            | BoardTest::Count { .. }
            | BoardTest::Compare { .. }
            | BoardTest::Attacks { .. }
            | BoardTest::Attacked { .. }
            | BoardTest::Ray { .. }
            | BoardTest::Sum { .. }
            | BoardTest::Moves { .. }
            | BoardTest::Pattern(_) => {
                let positions = boards.positions.get(start..).unwrap_or_default();
                self.row_alone(Row { positions, among })
            }
        }
    }

    /// Where the test holds on the boards of a row, each looked at alone, as bits.
    fn row_alone(&self, row: Row<'_>) -> u64 {
        let dense = row.dense();
        if let BoardTest::Attacked { targets, by, least } = self
            && by.has_kinds_of_sliders()
            && let Some(boards) = dense
        {
            attack::row_attacked(boards, targets, by, *least) & row.among
        } else if let BoardTest::Moves { least } = self
            && let Some(boards) = dense
        {
            row_may_move(boards, row.among, *least)
        } else {
            self.scan(row)
        }
    }

    /// What the scan finds with this test. What a test that looks ahead needs is not tested.
    fn scan<S: Scan>(&self, scan: S) -> S::Found {
        match self {
            BoardTest::Check(true) => scan.run(Position::in_check),
            BoardTest::Check(false) => scan.run(|board| !board.in_check()),
            BoardTest::SideToMove(color) => scan.run(|board| board.side() == *color),
            BoardTest::Count { set, test } => match *set {
                BoardSet::Piece { color, kind, squares } => {
                    test.scan(scan, |board| board.pieces(color, kind) & SquareSet(squares))
                }
                BoardSet::Kind { kind, squares } => {
                    test.scan(scan, |board| board.kind(kind) & SquareSet(squares))
                }
                BoardSet::Color { color, squares } => {
                    test.scan(scan, |board| board.color(color) & SquareSet(squares))
                }
                BoardSet::And(_) => match set.passed_of_color() {
                    Some((color, squares)) => test.scan(
                        scan,
                        #[inline(always)]
                        |board| {
                            let own = board.pieces(color, Kind::Pawn) & squares;
                            let enemies = board.pieces(color.not(), Kind::Pawn);
                            pawns::passed_against(color, own, enemies)
                        },
                    ),
                    None => test.scan(scan, |board| set.of(board)),
                },
                BoardSet::Constant(_)
                | BoardSet::Occupied(_)
                | BoardSet::Kinds { .. }
                | BoardSet::Content(_)
                | BoardSet::PassedPawns
                | BoardSet::Or(_) => test.scan(scan, |board| set.of(board)),
            },
            BoardTest::Compare { a, b, relation } => {
                let relation = *relation;
                scan.count(
                    #[inline(always)]
                    |board| relate(relation, a.of(board).len() as i32, b.of(board).len() as i32),
                )
            }
            BoardTest::Attacks { from, to, least } => attack::scan_attacks(scan, from, to, *least),
            BoardTest::Attacked { targets, by, least } => {
                attack::scan_attacked(scan, targets, by, *least)
            }
            BoardTest::Ray { sets, directions, slider: false } => {
                align::<false, S>(scan, sets, *directions)
            }
            BoardTest::Ray { sets, directions, slider: true } => {
                align::<true, S>(scan, sets, *directions)
            }
            BoardTest::Sum { terms, relation, value } => {
                let (relation, value) = (*relation, *value);
                match Weights::of(terms) {
                    Some(weights) => scan.count(
                        #[inline(always)]
                        |board| relate(relation, weights.sum(board), value),
                    ),
                    None => scan.count(
                        #[inline(always)]
                        |board| relate(relation, sum(terms, board), value),
                    ),
                }
            }
            BoardTest::Moves { least } => {
                let least = *least;
                scan.count(
                    #[inline(always)]
                    |board| may_move(board, least),
                )
            }
            BoardTest::Pattern(pattern) => scan.count(
                #[inline(always)]
                |board| shows(board, pattern),
            ),
            BoardTest::Next(_) => scan.run(|board| self.holds(board)),
            BoardTest::Any(prefilters) => {
                scan.run(|board| prefilters.iter().any(|prefilter| prefilter.holds_on(board)))
            }
        }
    }

    /// Whether the test holds on a board. What a test that looks ahead needs is not tested.
    ///
    /// The long tests are functions of their own, called last: so this one saves no registers.
    #[inline]
    pub(super) fn holds(&self, board: &Position) -> bool {
        match self {
            BoardTest::Check(wanted) => board.in_check() == *wanted,
            BoardTest::SideToMove(color) => board.side() == *color,
            BoardTest::Count { set, test } => test.holds(set.of(board)),
            BoardTest::Compare { a, b, relation } => compare(board, a, b, *relation),
            BoardTest::Attacks { from, to, least } => attack::attacks(board, from, to, *least),
            BoardTest::Attacked { targets, by, least } => {
                attack::attacked(board, targets, by, *least)
            }
            BoardTest::Ray { sets, directions, slider: false } => {
                aligned::<false>(board, sets, *directions)
            }
            BoardTest::Ray { sets, directions, slider: true } => {
                aligned::<true>(board, sets, *directions)
            }
            BoardTest::Sum { terms, relation, value } => {
                sum_relates(board, terms, *relation, *value)
            }
            BoardTest::Pattern(pattern) => pattern_shows(board, pattern),
            BoardTest::Moves { least } => moves(board, *least),
            BoardTest::Next(_) => true,
            BoardTest::Any(prefilters) => any(board, prefilters),
        }
    }
}

#[inline(never)]
fn compare(board: &Position, a: &BoardSet, b: &BoardSet, relation: ComparisonOperator) -> bool {
    let (a, b) = (a.of(board).len(), b.of(board).len());
    relate(relation, a as i32, b as i32)
}

#[inline(never)]
fn sum_relates(
    board: &Position,
    terms: &[(i32, BoardSet)],
    relation: ComparisonOperator,
    value: i32,
) -> bool {
    let sum = processor::dispatch(
        #[inline(always)]
        || sum(terms, board),
    );
    relate(relation, sum, value)
}

#[inline(never)]
fn pattern_shows(board: &Position, pattern: &BoardPattern) -> bool {
    shows(board, pattern)
}

#[inline(always)]
fn shows(board: &Position, BoardPattern { pattern, sets }: &BoardPattern) -> bool {
    pattern.holds_by(
        #[inline(always)]
        |content| sets.get(usize::from(content)).map_or(0, |set| set.of(board).0),
    )
}

#[inline(never)]
fn moves(board: &Position, least: u32) -> bool {
    may_move(board, least)
}

#[inline(never)]
fn any(board: &Position, prefilters: &[Prefilter]) -> bool {
    prefilters.iter().any(|prefilter| prefilter.holds_on(board))
}

impl CountTest {
    #[inline(always)]
    fn scan<S: Scan>(self, scan: S, set: impl Fn(&Position) -> SquareSet) -> S::Found {
        match self {
            CountTest::None => scan.run(|board| set(board).is_empty()),
            CountTest::Some => scan.run(|board| !set(board).is_empty()),
            CountTest::One => scan.run(|board| set(board).single().is_some()),
            CountTest::Many => scan.run(|board| set(board).is_many()),
            CountTest::Other(relation, value) => scan.count(
                #[inline(always)]
                |board| relate(relation, set(board).len() as i32, value),
            ),
        }
    }

    #[inline]
    pub(super) fn holds(self, set: SquareSet) -> bool {
        match self {
            CountTest::None => set.is_empty(),
            CountTest::Some => !set.is_empty(),
            CountTest::One => set.single().is_some(),
            CountTest::Many => set.is_many(),
            CountTest::Other(relation, value) => relate(relation, set.len() as i32, value),
        }
    }
}

/// [`may_move`] for the boards of a row: among some of them, as bits.
#[inline(never)]
fn row_may_move(boards: &[Position], among: u64, least: u32) -> u64 {
    let mut bounds: Column = [0; ROW];
    let found = wide(
        boards,
        #[inline(always)]
        |index, board| {
            let [white, black] = [board.color(Color::White), board.color(Color::Black)];
            let side = board.side();
            let (own, theirs) = if side == Color::White { (white, black) } else { (black, white) };
            let bound = u64::from(move_bound(board.kinds(), own, theirs, side));
            let bound = if board.has_variant_state() { u64::MAX } else { bound };
            bounds[index] = bound;
            bound >= u64::from(least)
        },
    );
    // How far the bound is too high for knights and kings takes a look at each of them.
    let (mut rest, mut passing) = (found & among, 0);
    while rest != 0 {
        let index = rest.trailing_zeros();
        rest &= rest - 1;
        if let (Some(board), Some(bound)) = (boards.get(index as usize), bounds.get(index as usize))
        {
            let bound = bound - u64::from(board.excess_leaps());
            passing |= u64::from(bound >= u64::from(least)) << index;
        }
    }
    passing
}

/// Returns false if the side to move certainly has fewer than `least` moves.
#[inline(always)]
fn may_move(board: &Position, least: u32) -> bool {
    board.may_have_moves(least)
}

/// Without an instruction that counts bits, most of the time is spent on counting.
#[inline(always)]
fn sum(terms: &[(i32, BoardSet)], board: &Position) -> i32 {
    let mut sum: i32 = 0;
    for (factor, set) in terms {
        sum = sum.wrapping_add(factor.wrapping_mul(set.of(board).len() as i32));
    }
    sum
}

/// What the scan finds with [`aligned`].
#[inline(always)]
fn align<const SLIDER: bool, S: Scan>(
    scan: S,
    sets: &[BoardSet],
    directions: Directions,
) -> S::Found {
    // Usually the first and the last are pieces, and none of the first is on a line with the last.
    if let [first, .., last] = sets
        && let &BoardSet::Piece { color, kind, squares } = first
        && let &BoardSet::Piece { color: last_color, kind: last_kind, squares: last_squares } = last
    {
        let is_on_line = |board: &Position| {
            let last = board.pieces(last_color, last_kind) & SquareSet(last_squares);
            let first = board.pieces(color, kind) & SquareSet(squares);
            match last.single() {
                Some(target) => first.intersects(lines_to::<SLIDER>(board, target, directions)),
                None => true,
            }
        };
        return scan.run(
            #[inline(always)]
            |board| is_on_line(board) && aligned_sets::<SLIDER>(board, sets, directions),
        );
    }
    scan.count(|board| aligned_sets::<SLIDER>(board, sets, directions))
}

/// Returns false if a set is empty. If the last set is a single square, returns true only if a
/// square of the first set is on a line with it and each set between has a square between the two.
/// With `SLIDER`, the first has a piece that moves along the line.
#[inline(never)]
fn aligned<const SLIDER: bool>(
    board: &Position,
    sets: &[BoardSet],
    directions: Directions,
) -> bool {
    // Usually the first and the last are pieces, and none of the first is on a line with the last.
    if let [BoardSet::Piece { .. }, .., BoardSet::Piece { .. }] = sets
        && let [first, .., last] = sets
        && let Some(target) = last.of(board).single()
        && !first.of(board).intersects(lines_to::<SLIDER>(board, target, directions))
    {
        return false;
    }
    aligned_sets::<SLIDER>(board, sets, directions)
}

#[inline(never)]
fn aligned_sets<const SLIDER: bool>(
    board: &Position,
    sets: &[BoardSet],
    directions: Directions,
) -> bool {
    let [first, between @ .., last] = sets else {
        return sets.iter().all(|set| !set.of(board).is_empty());
    };
    let (starts, last) = (first.of(board), last.of(board));
    let Some(target) = last.single() else {
        return !starts.is_empty()
            && !last.is_empty()
            && between.iter().all(|set| !set.of(board).is_empty());
    };
    let lines = lines_to::<SLIDER>(board, target, directions);
    (starts & lines).into_iter().any(|start| {
        let passed = attacks::between(start, target);
        between.iter().all(|set| set.of(board).intersects(passed))
    })
}

/// The squares on the lines that lead to the target in one of the directions or its opposite. With
/// `SLIDER`, only those with a piece that moves along the line.
#[inline(always)]
fn lines_to<const SLIDER: bool>(
    board: &Position,
    target: Square,
    directions: Directions,
) -> SquareSet {
    let (mut straight, mut diagonal) = (SquareSet::EMPTY, SquareSet::EMPTY);
    if directions.0 & ORTHOGONAL != 0 {
        straight = attacks::rook_rays(target);
    }
    if directions.0 & !ORTHOGONAL != 0 {
        diagonal = attacks::bishop_rays(target);
    }
    if SLIDER {
        let queens = board.kind(Kind::Queen);
        straight &= board.kind(Kind::Rook) | queens;
        diagonal &= board.kind(Kind::Bishop) | queens;
    }
    straight | diagonal
}

/// The orthogonal directions, which have even numbers.
const ORTHOGONAL: u8 = 0x55;
