//! `echo`: pairs the current position with each other one. `consecutivemoves`: the longest run of
//! moves that two lines of the game have in common (`docs/src/language/echo.md`).

use babson_chess::Square;
use babson_lang::hir::CommentLevel;
use bumpalo::collections::Vec as Bumped;

use super::{LogEntry, Run, Stop, logged_at, push};
use crate::op::{ConsecutiveMovesSpec, Id, Pc, Register};

/// A run of equal moves: its length and the positions after its last move.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonRun {
    len: u32,
    ends: [u32; 2],
    /// The filter, for the names of the variables.
    spec: Id<ConsecutiveMovesSpec>,
}

/// Lists for finding the longest common run. Each search reuses the lists of the last one.
pub(super) struct RunLists<'m> {
    /// For each position of the game: origin, destination and piece of the move that led to it.
    keys: Bumped<'m, u32>,
    /// The keys of the moves of both lines, and the positions after them.
    moves: [Bumped<'m, (u32, u32)>; 2],
    row: Bumped<'m, u32>,
}

impl<'m> Run<'m, '_> {
    /// Registers: next id, the current position, matches, greatest value.
    pub(super) fn echo_start(&mut self, state: Register, source: Register) {
        let node = self.here.node;
        self.enter();
        for (word, index) in [0, u64::from(node), 0, 0].into_iter().zip(0..) {
            self.state.registers[state + index] = word;
        }
        self.state.registers[source] = u64::from(node);
        self.state.bound[source.index()] = true;
    }

    /// Goes to the next position; false when there is none.
    pub(super) fn echo_next(&mut self, state: Register, target: Register, in_all: bool) -> bool {
        let mut next = self.state.registers[state];
        if next == self.state.registers[state + 1] && !in_all {
            next += 1;
        }
        if next >= self.nodes.len() as u64 {
            self.leave();
            return false;
        }
        self.state.registers[state] = next + 1;
        self.here = self.at(next as u32);
        self.state.registers[target] = next;
        self.state.bound[target.index()] = true;
        true
    }

    /// Handles a match of the body at the current position.
    pub(super) fn echo_hit(
        &mut self,
        state: Register,
        value: Option<u64>,
        (source, target): (Register, Register),
        quiet: bool,
        best_only: bool,
    ) {
        let first = self.state.registers[state + 2] == 0;
        self.state.registers[state + 2] += 1;
        let mut better = first;
        if let Some(new) = value {
            better |= new as u32 as i32 > self.state.registers[state + 3] as u32 as i32;
            if better {
                self.state.registers[state + 3] = new;
            }
        }
        if best_only && !self.context.options.always_comment {
            let here = logged_at(self.state.registers[state + 5]);
            if better {
                let begin = logged_at(self.state.registers[state + 4]).min(here);
                self.state.log.drain(begin..here);
            } else {
                self.state.log.truncate(here);
                return;
            }
        }
        if self.comments_itself(quiet) {
            let x = self.state.registers[state + 1] as u32;
            self.comment_pair(x, self.here.node, source, target);
        }
    }

    fn comment_pair(&mut self, x: u32, y: u32, source: Register, target: Register) {
        let ancestor = self.common_ancestor(x, y);
        if ancestor != x && ancestor != y {
            let text = self.state.intern(b"LCA");
            self.comment_at(ancestor, text);
        }
        for (node, var) in [(x, source), (y, target)] {
            let name = &self.program.code.vars[var.index()].name;
            let text = self.state.intern(name.as_bytes());
            self.comment_at(node, text);
        }
        for (at, arrow, other) in [(y, "-->", x), (x, "<--", y)] {
            let mut text = arrow.as_bytes().to_vec();
            self.print_position(&mut text, other);
            let text = self.state.intern(&text);
            self.comment_at(at, text);
        }
    }

    /// The length of the longest common run, if it is in the range.
    pub(super) fn consecutive_moves(
        &mut self,
        pc: Pc,
        operands: Register,
        spec: Id<ConsecutiveMovesSpec>,
    ) -> Result<Option<u64>, Stop> {
        let &[x, y, min, max] = self.state.registers.run(operands, 4) else {
            return Ok(None);
        };
        let (x, y) = (self.node_of(x as u32), self.node_of(y as u32));
        let ancestor = self.common_ancestor(x, y);
        if ancestor == x || ancestor == y {
            return Ok(None);
        }
        let lists = match self.state.run_lists.take() {
            Some(lists) => lists,
            None => self.state.arena.value(self.run_lists()),
        };
        let found = self.longest_run(pc, ancestor, [x, y], lists);
        self.state.run_lists = Some(lists);
        let (len, ends) = found?;
        let range = min as u32 as i32..=max as u32 as i32;
        if len == 0 || !range.contains(&(len as i32)) {
            return Ok(None);
        }
        let run = CommonRun { len, ends, spec };
        let filter = &self.program.code.runs[spec];
        if self.comments_itself(filter.quiet) {
            let keep_all = self.context.options.keep_all_best;
            let best = &mut self.state.common_runs[filter.key as usize];
            let old = best.first().map_or(0, |best| best.len);
            if len > old {
                best.clear();
            }
            if (len > old || keep_all && len == old) && !push(best, run) {
                self.state.overflow();
            }
        }
        Ok(Some(u64::from(len)))
    }

    fn run_lists(&self) -> RunLists<'m> {
        let (arena, nodes) = (self.state.arena, self.nodes.len());
        let mut keys = arena.sized_list(nodes);
        keys.extend((0..nodes as u32).map(|node| self.move_key(node)));
        let moves = [arena.sized_list(nodes), arena.sized_list(nodes)];
        RunLists { keys, moves, row: arena.sized_list(nodes + 1) }
    }

    /// Length and ends of the longest common run of the two lines from an ancestor; the first of
    /// several of the same length.
    fn longest_run(
        &mut self,
        pc: Pc,
        ancestor: u32,
        ends: [u32; 2],
        lists: &mut RunLists<'_>,
    ) -> Result<(u32, [u32; 2]), Stop> {
        for (moves, end) in lists.moves.iter_mut().zip(ends) {
            moves.clear();
            let mut at = end;
            while at != ancestor {
                moves.push((lists.keys[at as usize], at));
                at = self.nodes[at as usize].parent;
            }
            moves.reverse();
        }
        let [left, right] = &lists.moves;
        let row = &mut lists.row;
        row.clear();
        // Entry j is the length of the run that ends with move j of the right line and this one of
        // the left.
        row.resize(right.len() + 1, 0);
        let mut best = (0, ends);
        for &(key, node) in left {
            self.step(pc)?;
            let mut longest = 0;
            for (j, &(other, _)) in right.iter().enumerate().rev() {
                let len = if key == other { row[j] + 1 } else { 0 };
                row[j + 1] = len;
                longest = longest.max(len);
            }
            if longest > best.0
                && let Some(j) = row[1..].iter().position(|&len| len == longest)
            {
                best = (longest, [node, right[j].1]);
            }
        }
        Ok(best)
    }

    fn move_key(&self, node: u32) -> u32 {
        let before = &self.positions[self.nodes[node as usize].parent as usize];
        let from = self.origin(node).single();
        let to = self.destination(node).single();
        let piece = from.and_then(|square| before.piece_at(square));
        // A null move of a side without a king has no squares: it gets number 64.
        let number = |square: Option<Square>| square.map_or(64, |square| square.index() as u32);
        let piece = piece.map_or(0, |piece| piece.letter() as u32);
        number(from) << 16 | number(to) << 8 | piece
    }

    /// Numbers the moves of the best runs.
    pub(super) fn comment_runs(&mut self, all: &mut Vec<LogEntry>) {
        if self.comment_level != CommentLevel::Normal {
            return;
        }
        for key in 0..self.state.common_runs.len() {
            for index in 0..self.state.common_runs[key].len() {
                let run = self.state.common_runs[key][index];
                let spec = self.program.code.runs[run.spec];
                for (end, var) in run.ends.into_iter().zip([spec.left, spec.right]) {
                    let name = &self.program.code.vars[var.index()].name;
                    let mut node = end;
                    for number in (1..=run.len).rev() {
                        let text = format!("{name}-move[{number}]");
                        let text = self.state.intern(text.as_bytes());
                        all.push(LogEntry::comment(node, text));
                        node = self.nodes[node as usize].parent;
                    }
                }
            }
        }
    }
}
