//! A depth-first search in the order of preference, with its own stack.
//!
//! How a state at a node was reached matters only through variables, since the moves that count are
//! those in focus between start and node. So if the constituents change no variable, each pair of a
//! state and a node is tried once.

use super::super::memo::Memo;
use super::super::{Run, Stop, push};
use super::focus::InFocus;
use super::{AtomicValue, PathEnd};
use crate::limits::MAX_UNRECORDED_POINTS;
use crate::op::{EntryPoint, Id, PathSpec, PathState, Pc, StepSpec};

/// Where the search stands.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct SearchPoint {
    state: u32,
    node: u32,
    /// Moves counted so far.
    count: i32,
    /// Index of the last turn of a loop that can match without a move.
    turns: u32,
}

impl SearchPoint {
    /// The point of a search whose constituents ask neither for the number of moves nor for loops.
    pub(super) fn at(state: u32, node: u32) -> SearchPoint {
        SearchPoint { state, node, count: 0, turns: NO_TURN }
    }
}

/// A task of the search.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) enum PathTask {
    /// The rest of the constituents at a node. `mark` is the length of the log before.
    Run { point: SearchPoint, mark: usize },
    /// The targets of a step at the tail of its move, and then the rest.
    Arrive { step: u32, parts: u64, point: SearchPoint, mark: usize },
    /// The atomic variables get the values back that were saved here.
    Restore { at: usize, last: bool },
}

/// A move that a step can take: the position after it, the parts of it that fit, and the length of
/// the log before its targets.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct FittingMove {
    pub(super) tail: u32,
    pub(super) parts: u64,
    mark: usize,
}

/// The beginning of a loop's turn: loop, node, and the turn before.
pub(in crate::machine) type LoopTurn = (u32, u32, u32);

const NO_TURN: u32 = u32::MAX;

struct PathSearch<'s> {
    pc: Pc,
    spec: &'s PathSpec,
    focus: &'s InFocus,
    start: u32,
    /// Length of the log at the beginning.
    base: usize,
    memo: Memo,
    tried: u32,
    ends: Vec<PathEnd>,
}

impl Run<'_, '_> {
    /// Returns the best end and, if the filter keeps all best, the ends that tie with it.
    pub(super) fn search_path(
        &mut self,
        pc: Pc,
        index: Id<PathSpec>,
        spec: &PathSpec,
        focus: &InFocus,
    ) -> Result<Vec<PathEnd>, Stop> {
        // A path inside a path pushes its tasks above the tasks of the outer path.
        let bottom = self.state.path_tasks.len();
        let (saved, turns) = (self.state.saved_atomics.len(), self.state.loop_turns.len());
        let memo = self.program.code.lines.len() + index.index();
        let mut search = PathSearch {
            pc,
            spec,
            focus,
            start: self.here.node,
            base: self.state.log.len(),
            memo: std::mem::take(&mut self.state.carryover.memos[memo]),
            tried: 0,
            ends: Vec::new(),
        };
        self.add_path_task(PathTask::Run {
            point: SearchPoint { state: spec.start, node: search.start, count: 0, turns: NO_TURN },
            mark: search.base,
        });
        while self.state.path_tasks.len() > bottom
            && let Some(task) = self.state.path_tasks.pop()
        {
            self.step(pc)?;
            if self.try_task(&mut search, task)? {
                break;
            }
        }
        self.state.path_tasks.truncate(bottom);
        self.state.saved_atomics.truncate(saved);
        self.state.loop_turns.truncate(turns);
        self.state.carryover.memos[memo] = search.memo;
        Ok(search.ends)
    }

    /// Whether the search is over.
    fn try_task(&mut self, search: &mut PathSearch<'_>, task: PathTask) -> Result<bool, Stop> {
        let undo = !self.context.options.always_comment;
        match task {
            PathTask::Restore { at, last } => {
                let count = self.program.code.atomics.len();
                let values: Vec<AtomicValue> = self.state.saved_atomics[at..at + count].to_vec();
                self.set_atomics(&values);
                if last {
                    self.state.saved_atomics.truncate(at);
                }
                Ok(false)
            }
            PathTask::Run { point, mark } => {
                if undo {
                    self.state.log.truncate(mark);
                }
                self.run_states(search, point)
            }
            PathTask::Arrive { step, parts, point, mark } => {
                if undo {
                    self.state.log.truncate(mark);
                }
                if !self.reaches_targets(search.spec, step, parts, point)? {
                    return Ok(false);
                }
                self.run_states(search, point)
            }
        }
    }

    /// Whether the targets of a step match after a move, whose parts that fit are given.
    pub(super) fn reaches_targets(
        &mut self,
        spec: &PathSpec,
        step: u32,
        parts: u64,
        point: SearchPoint,
    ) -> Result<bool, Stop> {
        let Some(entry) = spec.steps[step as usize].targets else { return Ok(true) };
        self.state.registers[spec.parts] = parts;
        self.evaluate_in_path(entry, point)
    }

    /// Goes through the states from here to the next moves.
    fn run_states(
        &mut self,
        search: &mut PathSearch<'_>,
        mut point: SearchPoint,
    ) -> Result<bool, Stop> {
        let spec = search.spec;
        loop {
            match spec.states[point.state as usize] {
                PathState::Split(first, second) => {
                    if !self.is_untried(search, point) {
                        return Ok(false);
                    }
                    let other = SearchPoint { state: second, ..point };
                    let mark = self.state.log.len();
                    self.add_path_task(PathTask::Run { point: other, mark });
                    point.state = first;
                }
                PathState::Holder { entry, next } => {
                    if !self.evaluate_in_path(entry, point)? {
                        return Ok(false);
                    }
                    point.state = next;
                }
                PathState::Enter { slot, next } => {
                    let turn = (slot, point.node, point.turns);
                    point.turns = self.state.loop_turns.len() as u32;
                    if !push(&mut self.state.loop_turns, turn) {
                        self.state.overflow();
                        return Ok(false);
                    }
                    point.state = next;
                }
                PathState::Back { slot, again, leave } => {
                    point.state = if self.moved_since(slot, point) { again } else { leave };
                }
                PathState::Step { step, next } => {
                    if self.is_untried(search, point) {
                        point.state = next;
                        self.expand(search, step, point)?;
                    }
                    return Ok(false);
                }
                PathState::Accept => return self.arrive_at_end(search, point),
            }
        }
    }

    /// Whether this turn of the loop has made a move.
    fn moved_since(&self, slot: u32, point: SearchPoint) -> bool {
        let mut at = point.turns;
        while let Some(&(other, node, before)) = self.state.loop_turns.get(at as usize) {
            if other == slot {
                return node != point.node;
            }
            at = before;
        }
        true
    }

    #[inline]
    fn is_untried(&self, search: &mut PathSearch<'_>, point: SearchPoint) -> bool {
        if !search.spec.memo {
            return true;
        }
        search.tried += 1;
        if search.tried <= MAX_UNRECORDED_POINTS {
            return true;
        }
        if search.tried == MAX_UNRECORDED_POINTS + 1 {
            search.memo.start(search.spec.states.len(), self.nodes.len());
        }
        search.memo.is_new(point.state, point.node)
    }

    /// Makes tasks of the moves that the step may take.
    fn expand(
        &mut self,
        search: &PathSearch<'_>,
        step: u32,
        point: SearchPoint,
    ) -> Result<(), Stop> {
        let saves = search.spec.changes_state && !self.program.code.atomics.is_empty();
        let bottom = self.state.path_tasks.len();
        let saved = self.state.saved_atomics.len();
        let first = self.state.fitting_moves.len();
        self.list_moves(search.pc, search.spec, search.focus, (step, point, search.start))?;
        while self.state.fitting_moves.len() > first
            && let Some(FittingMove { tail, parts, mark }) = self.state.fitting_moves.pop()
        {
            // The last task is the first to be done.
            if saves {
                self.add_path_task(PathTask::Restore { at: saved, last: false });
            }
            let point = SearchPoint { node: tail, count: point.count + 1, ..point };
            self.add_path_task(PathTask::Arrive { step, parts, point, mark });
        }
        if saves && let Some(PathTask::Restore { last, .. }) = self.state.path_tasks.get_mut(bottom)
        {
            *last = true;
            let values = self.atomics();
            if !super::extend(&mut self.state.saved_atomics, &values) {
                self.state.overflow();
            }
        }
        Ok(())
    }

    /// Lists the moves that a step may take at a point of a search from `start`, and their parts
    /// that fit.
    pub(super) fn list_moves(
        &mut self,
        pc: Pc,
        spec: &PathSpec,
        focus: &InFocus,
        (step, point, start): (u32, SearchPoint, u32),
    ) -> Result<(), Stop> {
        let code = &self.program.code;
        let primary = spec.primary;
        let step: &StepSpec = &spec.steps[step as usize];
        let dash = &code.dashes[step.dash];
        let passes = focus.passes() && point.node != start;
        let mut evaluated = u32::MAX;
        let end = self.subtree_end(point.node);
        let mut tail = point.node + 1;
        while tail < end {
            let beyond = self.subtree_end(tail);
            if primary && self.is_secondary(tail) {
                tail = beyond;
                continue;
            }
            let head = self.nodes[tail as usize].parent;
            if focus.asks_for_identities() {
                self.number_pieces(head);
            }
            let focused = self.focused(focus, tail);
            if focused == 0 {
                // After a move that is skipped comes its first child.
                self.step(pc)?;
                tail = if passes { tail + 1 } else { beyond };
                continue;
            }
            if let Some(entry) = step.operands
                && evaluated != head
            {
                let before = SearchPoint { node: head, ..point };
                self.evaluate_in_path(entry, before)?;
                evaluated = head;
            }
            let parts = self.fitting(dash, tail) & focused;
            let mark = self.state.log.len();
            let fitting = FittingMove { tail, parts, mark };
            if parts != 0 && !push(&mut self.state.fitting_moves, fitting) {
                self.state.overflow();
            }
            tail = beyond;
        }
        Ok(())
    }

    /// Handles the end of the constituents at a point; whether the search is over.
    fn arrive_at_end(
        &mut self,
        search: &mut PathSearch<'_>,
        point: SearchPoint,
    ) -> Result<bool, Stop> {
        if point.node == search.start {
            return Ok(false);
        }
        let Some(value) = self.value_at_end(search.spec, point)? else {
            return Ok(false);
        };
        match search.ends.first() {
            Some(best) if value < best.value => return Ok(false),
            Some(best) if value == best.value => {
                // The third and later ways to an end add nothing to the second one.
                let ways = if self.program.dialect.path_ends_are_distinct { 1 } else { 2 };
                let known = search.ends.iter().filter(|end| end.node == point.node).count();
                if !search.spec.keep_all_best || known >= ways {
                    return Ok(false);
                }
            }
            _ => {
                search.ends.clear();
                if let Some(frame) = self.state.paths.last_mut() {
                    frame.last = Some(point.node);
                }
            }
        }
        search.ends.push(PathEnd {
            value,
            count: point.count,
            node: point.node,
            comments: self.state.log[search.base..].to_vec(),
            atomics: self.atomics(),
        });
        Ok(search.spec.first_match)
    }

    /// Returns the value of a path that ends at a point: the value of `max`, or the length if the
    /// path has no `max`. None if `max` does not match.
    pub(super) fn value_at_end(
        &mut self,
        spec: &PathSpec,
        point: SearchPoint,
    ) -> Result<Option<i32>, Stop> {
        let Some((entry, register)) = spec.max else { return Ok(Some(point.count)) };
        let matched = self.evaluate_in_path(entry, point)?;
        Ok(matched.then(|| self.state.registers[register] as u32 as i32))
    }

    /// Runs a block of the path's code at a node.
    #[inline]
    pub(super) fn evaluate_in_path(
        &mut self,
        entry: Id<EntryPoint>,
        point: SearchPoint,
    ) -> Result<bool, Stop> {
        self.here = self.at(point.node);
        if let Some(frame) = self.state.paths.last_mut() {
            frame.count = point.count;
        }
        self.call(entry)
    }

    #[inline]
    fn add_path_task(&mut self, task: PathTask) {
        if !push(&mut self.state.path_tasks, task) {
            self.state.overflow();
        }
    }
}
