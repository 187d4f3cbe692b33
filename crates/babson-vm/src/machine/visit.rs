//! The loop over the positions of a game, as far as its instructions do not do it themselves.

use std::ops::Range;

use babson_chess::{Color, Position};
use babson_pgn::{Game, Node};

use super::nodes::first_move_number;
use super::sorting::Nearest;
use super::{Machine, Run, Stop};
use crate::GameContext;
use crate::op::{Id, Pc};
use crate::optimize::VisitPlan;
use crate::prefilter::{Boards, Candidates, Prefilter};
use crate::program::ProgramData;

/// How far the loop over the positions of a game is.
#[derive(Default)]
pub(super) struct Visits {
    /// The position to look at next, and the end of the range.
    next: u32,
    end: u32,
    /// The next positions that pass the prefilter, if all positions are visited.
    candidates: Candidates,
    /// The length of the log before the first position, and before the current one.
    first_mark: usize,
    mark: usize,
    /// The most similar match so far, with `--like`.
    best: Option<Nearest>,
    /// The matches that are less similar to the position of `--like` than another.
    pub(super) surpassed: usize,
    /// Whether the last position that was visited matched.
    pub(super) matched: bool,
}

/// The nodes and positions of the game that the query sees.
#[inline]
pub(super) fn visible<'g>(
    game: &Game<'g>,
    program: &ProgramData,
    context: &GameContext<'_>,
) -> (&'g [Node], &'g [Position]) {
    let variations = context.options.variations.unwrap_or(program.query.header.variations);
    let len = if variations { game.len() } else { game.main_line_len() }.max(1) as usize;
    (&game.nodes()[..len], &game.positions()[..len])
}

/// The positions of a game at which the query can match, as far as their ids tell.
pub(super) fn visited(
    program: &ProgramData,
    game: &Game<'_>,
    positions: &[Position],
) -> Range<u32> {
    let len = positions.len() as u32;
    let plan = &program.code.visit;
    if *plan == VisitPlan::ALL {
        return 0..len;
    }
    let (mut first, mut last) = wide(plan.plies);
    let (low, high) = wide(plan.move_numbers);
    let start = &positions[0];
    let number = i64::from(first_move_number(program, start));
    let black_first = i64::from(start.side() == Color::Black);
    // The ply at which the move of this number begins.
    let ply = |wanted: i64| 2 * (wanted - number) - black_first;
    (first, last) = (first.max(ply(low)), last.min(ply(high + 1) - 1));
    if len > game.main_line_len() && last > 0 {
        // An id in a variation may be above its ply, and never below it.
        last = i64::MAX;
    }
    let (low, high) = wide(plan.ids);
    let inside = |number: i64| number.clamp(0, i64::from(len)) as u32;
    let end = inside(last.min(high).saturating_add(1));
    inside(first.max(low)).min(end)..end
}

fn wide((first, last): (i32, i32)) -> (i64, i64) {
    (i64::from(first), i64::from(last))
}

impl Machine {
    /// The first positions of a game that pass the prefilter of the query, if the game cannot match
    /// without one and no test of the game comes first.
    pub(super) fn first_candidates(
        &self,
        game: &Game<'_>,
        context: &GameContext<'_>,
        admitted: bool,
    ) -> Option<Candidates> {
        let program = self.program.parts();
        let code = &program.code;
        let prefilter = &code.prefilters[code.prefilter?];
        let is_tested = program.query.header.result.is_some()
            || code.tags_required.is_some() && !admitted
            || code.game_required.is_some();
        if is_tested || program.matches_by_count(context.options, false, 0) {
            return None;
        }
        if code.visit.terminal {
            return None;
        }
        let (nodes, positions) = visible(game, program, context);
        let Range { start, end } = visited(program, game, positions);
        let mut candidates = Candidates::from(start as usize);
        candidates.fill(prefilter, Boards { positions, nodes }, end as usize);
        Some(candidates)
    }

    /// Does what is left of a run on a game without candidates.
    pub(super) fn pass_over(&mut self) {
        self.outcome.clear();
        self.carryover.start_game(self.program.parts());
        self.stopped = None;
        #[cfg(test)]
        {
            self.steps_taken = 0;
        }
    }
}

impl Run<'_, '_> {
    /// Sets out to visit these positions. `candidates` are the first of them that pass the
    /// prefilter, if these were looked for.
    pub(super) fn start_visits(&mut self, visited: Range<u32>, candidates: Option<Candidates>) {
        let Range { start: next, end } = visited;
        let mark = self.state.log.len();
        self.visits = Visits {
            next,
            end,
            first_mark: mark,
            mark,
            candidates: candidates.unwrap_or_else(|| Candidates::from(next as usize)),
            best: self.visits.best.take().or_else(|| self.best_match()),
            ..Visits::default()
        };
    }

    /// Goes to the next position at which the query may match; whether there is one.
    #[inline(always)]
    pub(super) fn visit(&mut self, pc: Pc, prefilter: Option<Id<Prefilter>>) -> Result<bool, Stop> {
        // What is there now is left by a position that did not match.
        if self.state.log.len() != self.visits.mark && !self.context.options.always_comment {
            self.state.log.truncate(self.visits.mark);
        }
        if self.state.full {
            return self.out_of_memory(pc);
        }
        let index = self.candidate(prefilter);
        if index >= self.visits.end {
            return Ok(false);
        }
        self.visits.next = index + 1;
        self.visits.mark = self.state.log.len();
        self.here = self.at(index);
        Ok(true)
    }

    /// The next position at which the query may match, or the end.
    #[inline(always)]
    fn candidate(&mut self, prefilter: Option<Id<Prefilter>>) -> u32 {
        let (next, end) = (self.visits.next, self.visits.end);
        let code = &self.program.code;
        let prefilter = prefilter.and_then(|prefilter| code.prefilters.get(prefilter.index()));
        match prefilter {
            _ if code.visit.terminal => self.terminal_candidate(prefilter),
            Some(prefilter) => {
                let boards = self.boards();
                self.visits.candidates.take(prefilter, boards, end as usize) as u32
            }
            None => next,
        }
    }

    /// The next terminal position at which the query may match, or the end.
    #[inline(never)]
    fn terminal_candidate(&self, prefilter: Option<&Prefilter>) -> u32 {
        let Visits { next, end, .. } = self.visits;
        // The main line comes before all variations, and only its last position is terminal.
        let first = self.game.main_line_len().saturating_sub(1);
        let holds = |index| prefilter.is_none_or(|it| it.holds(self.boards(), index));
        (next.max(first)..end)
            .find(|&index| !self.has_children(index) && holds(index as usize))
            .unwrap_or(end)
    }

    /// Records that the position matches; whether the search ends with it.
    pub(super) fn match_here(&mut self, pc: Pc) -> Result<bool, Stop> {
        if self.state.full {
            return self.out_of_memory(pc);
        }
        self.visits.matched = true;
        if self.program.code.game_lists.is_empty() {
            self.record_value()?;
            self.add_match();
        } else {
            // The lists of a CQL 3 query mark the positions.
            self.lists_matched = true;
            self.match_marks();
        }
        self.visits.mark = self.state.log.len();
        Ok(self.context.options.first_match)
    }

    fn add_match(&mut self) {
        let Some(mut best) = self.visits.best.take() else {
            self.outcome.positions.push(self.here.node);
            return self.match_comment();
        };
        self.visits.matched = self.improves(&mut best);
        self.visits.best = Some(best);
        if self.visits.matched {
            let logged = self.visits.first_mark..self.visits.mark;
            self.visits.surpassed += self.forget_matches(logged);
            self.outcome.positions.push(self.here.node);
            self.match_comment();
        } else {
            self.visits.surpassed += 1;
            self.outcome.values.truncate(self.outcome.positions.len());
            if !self.context.options.always_comment {
                self.state.log.truncate(self.visits.mark);
            }
        }
    }
}
