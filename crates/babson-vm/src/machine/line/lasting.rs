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
        self.begin_line(spec, from)?;
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
                } else {
                    self.begin_line(spec, pair)?;
                }
                continue;
            }
            if !(spec.first_match && frame.best.exists())
                && let Some(tie) = self.next_tie(spec, frame.tie)
            {
                self.step(pc)?;
                self.state.neighbors.truncate(frame.first);
                self.try_filter(spec, top, tie)?;
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

    /// Begins a frame, and evaluates its filter.
    fn begin_line(&mut self, spec: &LineSpec, (state, node): (u32, u32)) -> Result<(), Stop> {
        let first = self.state.neighbors.len();
        let frame = LineFrame {
            state,
            node,
            tie: NO_TIE,
            first,
            neighbor: first,
            end: first,
            next: 0,
            best: NO_WAY,
        };
        if !push(&mut self.state.line_frames, frame) {
            self.state.overflow();
            return Ok(());
        }
        let top = self.state.line_frames.len() - 1;
        let tied = spec.states[state as usize].tied && !self.context.options.no_linearize;
        if !tied || !self.has_children(node) {
            return self.try_filter(spec, top, NO_TIE);
        }
        match self.admitted(spec, self.first_child(node)) {
            Some(tie) => self.try_filter(spec, top, tie),
            None => Ok(()),
        }
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

    /// Evaluates the filter of a frame, for one child if there is a tie. If it matches, lists the
    /// neighbors.
    fn try_filter(&mut self, spec: &LineSpec, frame: usize, tie: u32) -> Result<(), Stop> {
        let LineFrame { state, node, .. } = self.state.line_frames[frame];
        let state = &spec.states[state as usize];
        self.here = self.at(node);
        self.tie = tie;
        let matched = self.call(state.entry)?;
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
        Ok(())
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
