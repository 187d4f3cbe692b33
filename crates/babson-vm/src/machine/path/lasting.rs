//! A `path` whose constituents depend on the node only: its continuations are found once a game.

use babson_chess::Color;

use super::super::continuation::{Continuation, NO_WAY};
use super::super::{Run, Stop, push};
use super::focus::InFocus;
use super::search::{FittingMove, SearchPoint};
use crate::op::{Id, PathSpec, PathState, Pc};

/// A state at a node whose continuation is being found.
#[derive(Clone, Copy)]
pub(in crate::machine) struct LastingFrame {
    state: u32,
    node: u32,
    /// Which of its ways on is looked at: a state of a split, or a move in the list.
    next: usize,
    /// Where its moves begin and end in the list of all frames.
    first: usize,
    end: usize,
    best: Continuation,
}

/// A search for continuations.
struct LastingSearch<'s> {
    pc: Pc,
    spec: &'s PathSpec,
    focus: &'s InFocus,
    start: u32,
}

impl LastingSearch<'_> {
    /// The number of a state among those that have continuations, which depend on the side whose
    /// moves count.
    fn number(&self, state: u32) -> u32 {
        match self.focus {
            InFocus::Side(Color::Black) => state + self.spec.states.len() as u32,
            InFocus::Side(Color::White) | InFocus::All | InFocus::Pieces { .. } => state,
        }
    }

    /// Returns true if the continuation from this state and node is the same for each start of a
    /// path. At the start itself, that is true only of a state that begins with a move, since a
    /// path must have a move. Only at the start, moves out of focus are not skipped. That changes
    /// nothing here: from a board of the game, each first move is a move of the side in focus, and
    /// a path from any other board does not use this table.
    fn lasts(&self, state: u32, node: u32) -> bool {
        node != self.start || matches!(self.spec.states[state as usize], PathState::Step { .. })
    }
}

impl Run<'_, '_> {
    /// The best way from the current position on; `None` if the table of continuations would be too
    /// large.
    pub(super) fn lasting_path(
        &mut self,
        pc: Pc,
        index: Id<PathSpec>,
        spec: &PathSpec,
        focus: &InFocus,
    ) -> Result<Option<Continuation>, Stop> {
        let filter = self.program.code.lines.len() + index.index();
        let sides = if matches!(focus, InFocus::Side(_)) { 2 } else { 1 };
        if !self.prepare_continuations(filter, sides * spec.states.len()) {
            return Ok(None);
        }
        let start = self.here.node;
        let search = LastingSearch { pc, spec, focus, start };
        self.step(pc)?;
        if search.lasts(spec.start, start)
            && let Some(found) = self.continuation(filter, search.number(spec.start), start)
        {
            return Ok(Some(found));
        }
        // The frames of a path inside a path lie above the frames of the outer one.
        let bottom = self.state.path_frames.len();
        self.begin_path(&search, spec.start, start)?;
        let mut found = NO_WAY;
        while self.state.path_frames.len() > bottom
            && let Some(&frame) = self.state.path_frames.last()
        {
            if let Some((state, node)) = self.next_way(&search, frame)? {
                let known = match search.lasts(state, node) {
                    true => self.continuation(filter, search.number(state), node),
                    false => None,
                };
                match known {
                    Some(way) => self.path_goes_on(&search, way),
                    None => self.begin_path(&search, state, node)?,
                }
                continue;
            }
            self.state.fitting_moves.truncate(frame.first);
            self.state.path_frames.pop();
            found = frame.best;
            if search.lasts(frame.state, frame.node) {
                let pair = (search.number(frame.state), frame.node);
                self.keep_continuation(filter, pair, found);
            }
            if self.state.path_frames.len() > bottom {
                self.path_goes_on(&search, found);
            }
        }
        Ok(Some(found))
    }

    /// Begins a frame: evaluates its filter, or finds its moves.
    fn begin_path(
        &mut self,
        search: &LastingSearch<'_>,
        state: u32,
        node: u32,
    ) -> Result<(), Stop> {
        let first = self.state.fitting_moves.len();
        let mut frame = LastingFrame { state, node, next: 0, first, end: first, best: NO_WAY };
        let point = SearchPoint::at(state, node);
        match search.spec.states[state as usize] {
            PathState::Accept => {
                if node != search.start
                    && let Some(value) = self.value_at_end(search.spec, point)?
                {
                    frame.best = Continuation::ending(value, 0, node);
                }
            }
            PathState::Holder { entry, .. } => {
                frame.end = first + usize::from(self.evaluate_in_path(entry, point)?);
            }
            PathState::Split(..) => frame.end = first + 2,
            PathState::Step { step, .. } => {
                self.list_moves(search.pc, search.spec, search.focus, (step, point, search.start))?;
                frame.end = self.state.fitting_moves.len();
            }
            // No path with such a loop gets here.
            PathState::Enter { .. } | PathState::Back { .. } => {}
        }
        frame.next = first;
        if !push(&mut self.state.path_frames, frame) {
            self.state.overflow();
            // Ends the search, which would take the same way again.
            return self.step(search.pc);
        }
        Ok(())
    }

    /// The next state and node that the last frame goes on to.
    fn next_way(
        &mut self,
        search: &LastingSearch<'_>,
        frame: LastingFrame,
    ) -> Result<Option<(u32, u32)>, Stop> {
        let mut at = frame.next;
        while at < frame.end {
            match search.spec.states[frame.state as usize] {
                PathState::Holder { next, .. } => return Ok(Some((next, frame.node))),
                PathState::Split(state, _) if at == frame.first => {
                    return Ok(Some((state, frame.node)));
                }
                PathState::Split(_, state) => {
                    self.step(search.pc)?;
                    return Ok(Some((state, frame.node)));
                }
                PathState::Step { step, next } => {
                    self.step(search.pc)?;
                    let FittingMove { tail, parts, .. } = self.state.fitting_moves[at];
                    let point = SearchPoint::at(next, tail);
                    if self.reaches_targets(search.spec, step, parts, point)? {
                        return Ok(Some((next, tail)));
                    }
                    at += 1;
                    if let Some(last) = self.state.path_frames.last_mut() {
                        last.next = at;
                    }
                }
                PathState::Enter { .. } | PathState::Back { .. } | PathState::Accept => break,
            }
        }
        Ok(None)
    }

    /// Tells the last frame how the way that it looks at goes on, and turns to the following one.
    fn path_goes_on(&mut self, search: &LastingSearch<'_>, way: Continuation) {
        let Some(frame) = self.state.path_frames.last_mut() else { return };
        let moves = matches!(search.spec.states[frame.state as usize], PathState::Step { .. });
        if let Some(end) = way.end() {
            let len = way.len + i32::from(moves);
            // Without `max` the value is the length.
            let value = if search.spec.max.is_some() { way.value } else { len };
            frame.best.improve(Continuation::ending(value, len, end));
        }
        frame.next += 1;
        if search.spec.first_match && frame.best.exists() {
            frame.next = frame.end;
        }
    }
}
