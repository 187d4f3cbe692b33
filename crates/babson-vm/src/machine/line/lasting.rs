//! A `line` whose constituents depend on the node only: its continuations are found once a game.

use super::super::continuation::{Continuation, NO_WAY};
use super::super::{NO_TIE, Run, Stop, push};
use crate::op::{Id, LineSpec, Pc};

/// A state at a node whose continuation is being found.
#[derive(Clone, Copy)]
pub(in crate::machine) struct LineFrame {
    state: u32,
    node: u32,
    /// The child to which a tied filter belongs.
    tie: u32,
    /// Where its neighbors begin in the list of all frames, the one that is looked at, and their
    /// end.
    first: usize,
    neighbor: usize,
    end: usize,
    /// Which of the next states is looked at.
    next: usize,
    best: Continuation,
}

impl Run<'_, '_> {
    /// The best continuation of the states that may match the first position.
    pub(super) fn lasting_line(
        &mut self,
        pc: Pc,
        index: Id<LineSpec>,
        spec: &LineSpec,
    ) -> Result<Continuation, Stop> {
        let start = self.here.node;
        let mut best = NO_WAY;
        for &state in &spec.start {
            self.step(pc)?;
            let found = match self.continuation(index.index(), state, start) {
                Some(found) => found,
                None => self.find_line(pc, index, spec, (state, start))?,
            };
            best.improve(found);
            if spec.first_match && best.exists() {
                break;
            }
        }
        Ok(best)
    }

    /// Finds the continuation of a state at a node, and of all that it goes on to.
    fn find_line(
        &mut self,
        pc: Pc,
        index: Id<LineSpec>,
        spec: &LineSpec,
        from: (u32, u32),
    ) -> Result<Continuation, Stop> {
        // The frames of a nested search lie above the frames of the outer one.
        let bottom = self.state.line_frames.len();
        self.begin_line(index, spec, from)?;
        let mut found = NO_WAY;
        while self.state.line_frames.len() > bottom
            && let Some(&frame) = self.state.line_frames.last()
        {
            let top = self.state.line_frames.len() - 1;
            let states = &spec.states[frame.state as usize].next;
            if frame.neighbor < frame.end {
                let pair = (states[frame.next], self.state.neighbors[frame.neighbor]);
                self.step(pc)?;
                if let Some(way) = self.continuation(index.index(), pair.0, pair.1) {
                    self.line_goes_on(spec, top, way);
                } else if !self.begin_line(index, spec, pair)? {
                    self.line_goes_on(spec, top, NO_WAY);
                }
                continue;
            }
            if !(spec.first_match && frame.best.exists())
                && let Some(tie) = self.next_tie(spec, frame.tie)
            {
                self.step(pc)?;
                self.state.neighbors.truncate(frame.first);
                let matched = self.line_matches(spec, (frame.state, frame.node), tie)?;
                self.list_ways(spec, top, tie, matched);
                continue;
            }
            self.state.neighbors.truncate(frame.first);
            self.state.line_frames.pop();
            self.keep_continuation(index.index(), (frame.state, frame.node), frame.best);
            found = frame.best;
            if top > bottom {
                self.line_goes_on(spec, top - 1, found);
            }
        }
        Ok(found)
    }

    /// Evaluates the filter of a state at a node. Begins a frame and returns true if the line may
    /// go on from there; at most nodes the filter does not match.
    fn begin_line(
        &mut self,
        index: Id<LineSpec>,
        spec: &LineSpec,
        (state, node): (u32, u32),
    ) -> Result<bool, Stop> {
        let tied = spec.states[state as usize].tied && !self.context.options.no_linearize;
        let mut begins = true;
        let mut tie = NO_TIE;
        if tied && self.has_children(node) {
            match self.admitted(spec, self.first_child(node)) {
                Some(child) => tie = child,
                None => begins = false,
            }
        }
        let matched = begins && self.line_matches(spec, (state, node), tie)?;
        if !matched && self.next_tie(spec, tie).is_none() {
            self.keep_continuation(index.index(), (state, node), NO_WAY);
            return Ok(false);
        }
        let first = self.state.neighbors.len();
        let frame = LineFrame {
            state,
            node,
            tie,
            first,
            neighbor: first,
            end: first,
            next: 0,
            best: NO_WAY,
        };
        if !push(&mut self.state.line_frames, frame) {
            self.state.overflow();
            return Ok(false);
        }
        let top = self.state.line_frames.len() - 1;
        self.list_ways(spec, top, tie, matched);
        Ok(true)
    }

    /// The next child to which a tied filter belongs.
    fn next_tie(&self, spec: &LineSpec, tie: u32) -> Option<u32> {
        if tie == NO_TIE {
            return None;
        }
        self.admitted(spec, self.next_sibling(tie))
    }

    /// The first of the child and its later siblings that the line may go on to.
    fn admitted(&self, spec: &LineSpec, mut child: Option<u32>) -> Option<u32> {
        while let Some(node) = child
            && !self.admits(spec, node)
        {
            child = self.next_sibling(node);
        }
        child
    }

    /// Evaluates the filter of a state at a node, for one child if there is a tie.
    fn line_matches(
        &mut self,
        spec: &LineSpec,
        (state, node): (u32, u32),
        tie: u32,
    ) -> Result<bool, Stop> {
        self.here = self.at(node);
        self.tie = tie;
        self.call(spec.states[state as usize].entry)
    }

    /// Lists the neighbors at which a frame goes on if its filter has `matched`.
    fn list_ways(&mut self, spec: &LineSpec, frame: usize, tie: u32, matched: bool) {
        let LineFrame { state, node, .. } = self.state.line_frames[frame];
        let state = &spec.states[state as usize];
        let first = self.state.neighbors.len();
        let mut ends = false;
        if matched && state.accepts {
            self.state.line_frames[frame].best.improve(Continuation::ending(1, 1, node));
            ends = spec.first_match;
        }
        if matched && !ends && !state.next.is_empty() {
            self.list_neighbors(spec, node, tie, node);
        }
        let end = self.state.neighbors.len();
        let frame = &mut self.state.line_frames[frame];
        (frame.tie, frame.next, frame.neighbor, frame.end) = (tie, 0, first, end);
    }

    /// Tells a frame how its next state at its neighbor goes on, and turns to the following one.
    fn line_goes_on(&mut self, spec: &LineSpec, frame: usize, way: Continuation) {
        let frame = &mut self.state.line_frames[frame];
        if let Some(end) = way.end() {
            let len = way.len + 1;
            frame.best.improve(Continuation::ending(len, len, end));
        }
        frame.next += 1;
        if frame.next == spec.states[frame.state as usize].next.len() {
            (frame.next, frame.neighbor) = (0, frame.neighbor + 1);
        }
        if spec.first_match && frame.best.exists() {
            frame.neighbor = frame.end;
        }
    }
}
