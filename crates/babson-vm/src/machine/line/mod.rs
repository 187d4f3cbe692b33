//! `line`: the longest path of an automaton through the game tree.
//!
//! A depth-first search with its own stack, so that long games need no deep recursion. How a state
//! at a node was reached does not matter, since the length is the distance from the start. So if
//! the filters change nothing, each pair of a state and a node is tried once.

mod lasting;

pub(super) use lasting::LineFrame;

use super::{LogEntry, NO_TIE, Run, Stop, extend, push};
use crate::op::{Id, LineSpec, Pc};

/// A state to try at a node.
#[derive(Clone, Copy)]
pub(super) struct LineTask {
    state: u32,
    node: u32,
    /// Positions counted so far, this one included.
    len: i32,
    /// The child to which a tied filter belongs.
    tie: u32,
    /// Length of the log before this position's filter.
    mark: usize,
}

struct BestLine {
    len: i32,
    end: u32,
    comments: Vec<LogEntry>,
}

impl Run<'_, '_> {
    /// The value, if there is a line.
    pub(super) fn line(
        &mut self,
        pc: Pc,
        index: Id<LineSpec>,
        range: (i32, i32),
    ) -> Result<Option<u64>, Stop> {
        let program = self.program;
        let spec = &program.code.lines[index];
        if self.is_banned(spec.nest_ban) {
            return Ok(None);
        }
        let mark = self.state.log.len();
        let (start, spot, tie) = (self.here.node, self.spot(), self.tie);
        let best = self.search(pc, index, spec);
        self.here = self.at_spot(spot);
        self.tie = tie;
        let best = best?;
        self.undo(mark);
        let Some(best) = best else { return Ok(None) };
        if best.len < range.0 || best.len > range.1 {
            return Ok(None);
        }
        if !extend(&mut self.state.log, &best.comments) {
            self.state.overflow();
        }
        if let Some(ban) = spec.nest_ban {
            // The counted positions from start to end, both included; `nestban` goes forward.
            let side = spec.single_color.then(|| self.here.board.side());
            self.ban(ban, best.end, start, side);
        }
        if self.comments_itself(spec.quiet) {
            let mut text = format!("End line of length {} that starts at ", best.len).into_bytes();
            self.print_position(&mut text, start);
            let text = self.state.intern(&text);
            self.comment_at(best.end, text);
            let mut text = b"Start line that ends at ".to_vec();
            self.print_position(&mut text, best.end);
            let text = self.state.intern(&text);
            self.comment_at(start, text);
        }
        Ok(Some(if spec.last_position { u64::from(best.end) } else { best.len as u64 }))
    }

    fn search(
        &mut self,
        pc: Pc,
        index: Id<LineSpec>,
        spec: &LineSpec,
    ) -> Result<Option<BestLine>, Stop> {
        let start = self.here.node;
        let base = self.state.log.len();
        // Most searches end at their first filter, so it is tried before any task is made. A filter
        // with effects is not, since it would be evaluated twice.
        if let ([first], true) = (&spec.start[..], spec.memo)
            && !spec.states[*first as usize].tied
            && self.continuation(index.index(), *first, start).is_none()
        {
            self.step(pc)?;
            self.tie = NO_TIE;
            self.here = self.at(start);
            let matched = self.call(spec.states[*first as usize].entry)?;
            if !matched {
                self.undo(base);
                return Ok(None);
            }
            self.state.log.truncate(base);
        }
        if spec.lasting && self.prepare_continuations(index.index(), spec.states.len()) {
            let way = self.lasting_line(pc, index, spec)?;
            let comments = Vec::new();
            return Ok(way.end().map(|end| BestLine { len: way.len, end, comments }));
        }
        // A nested search pushes its tasks above the tasks of the outer search.
        let bottom = self.state.line_tasks.len();
        let mut best: Option<BestLine> = None;
        let mut memo = std::mem::take(&mut self.state.carryover.memos[index.index()]);
        let mut started = false;
        self.push(spec, &spec.start, start, 1, base);
        while self.state.line_tasks.len() > bottom
            && let Some(task) = self.state.line_tasks.pop()
        {
            self.step(pc)?;
            self.undo(task.mark);
            let state = &spec.states[task.state as usize];
            if spec.memo && task.tie == NO_TIE {
                // Most searches end at their first position, which needs no memo.
                if task.node != start && !started {
                    started = true;
                    memo.start(spec.states.len(), self.nodes.len());
                }
                if started && !memo.is_new(task.state, task.node) {
                    continue;
                }
            }
            self.here = self.at(task.node);
            self.tie = task.tie;
            if !self.call(state.entry)? {
                continue;
            }
            let mark = self.state.log.len();
            if state.accepts && best.as_ref().is_none_or(|best| task.len > best.len) {
                // With `always_comment` nothing is undone: they are in the log already.
                let comments = match self.context.options.always_comment {
                    true => Vec::new(),
                    false => self.state.log[base..].to_vec(),
                };
                best = Some(BestLine { len: task.len, end: task.node, comments });
                if spec.first_match {
                    break;
                }
            }
            if state.next.is_empty() {
                continue;
            }
            let listed = self.state.neighbors.len();
            self.list_neighbors(spec, task.node, task.tie, start);
            while self.state.neighbors.len() > listed
                && let Some(node) = self.state.neighbors.pop()
            {
                self.push(spec, &state.next, node, task.len + 1, mark);
            }
        }
        self.state.line_tasks.truncate(bottom);
        self.state.carryover.memos[index.index()] = memo;
        Ok(best)
    }

    /// Takes back the comments made since `mark`, unless the options keep them all.
    fn undo(&mut self, mark: usize) {
        if !self.context.options.always_comment {
            self.state.log.truncate(mark);
        }
    }

    /// Puts the states on the stack, the first one on top.
    fn push(&mut self, spec: &LineSpec, states: &[u32], node: u32, len: i32, mark: usize) {
        for &state in states.iter().rev() {
            let tied = spec.states[state as usize].tied && !self.context.options.no_linearize;
            if tied && self.has_children(node) {
                let from = self.state.line_tasks.len();
                let mut child = self.first_child(node);
                while let Some(tie) = child {
                    // The last constituent leads to no other position, but its move is checked as
                    // well.
                    if self.admits(spec, tie) {
                        self.add_task(LineTask { state, node, len, tie, mark });
                    }
                    child = self.next_sibling(tie);
                }
                self.state.line_tasks[from..].reverse();
            } else {
                self.add_task(LineTask { state, node, len, tie: NO_TIE, mark });
            }
        }
    }

    #[inline]
    fn add_task(&mut self, task: LineTask) {
        if !push(&mut self.state.line_tasks, task) {
            self.state.overflow();
        }
    }

    /// Lists the positions at which the line may continue, main line first.
    fn list_neighbors(&mut self, spec: &LineSpec, node: u32, tie: u32, start: u32) {
        let side = self.positions[start as usize].side();
        if spec.backward {
            let mut next = self.parent(node);
            while let Some(parent) = next {
                if !spec.single_color || self.positions[parent as usize].side() == side {
                    self.add_neighbor(parent);
                    return;
                }
                next = self.parent(parent);
            }
            return;
        }
        let end = if tie == NO_TIE { self.subtree_end(node) } else { self.subtree_end(tie) };
        let mut child = if tie == NO_TIE { node + 1 } else { tie };
        while child < end {
            if !self.admits(spec, child) {
                child = self.subtree_end(child);
            } else if !spec.single_color || self.positions[child as usize].side() == side {
                self.add_neighbor(child);
                child = self.subtree_end(child);
            } else {
                // Skipped: its first child is the next node.
                child += 1;
            }
        }
    }

    /// Whether `primary` or `secondary` lets the line go on to this child.
    fn admits(&self, spec: &LineSpec, child: u32) -> bool {
        let secondary = self.is_secondary(child);
        !(spec.primary && secondary || spec.secondary && !secondary)
    }

    #[inline]
    fn add_neighbor(&mut self, node: u32) {
        if !push(&mut self.state.neighbors, node) {
            self.state.overflow();
        }
    }
}
