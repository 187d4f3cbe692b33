//! `path`: the best way of an automaton of moves through the tree
//! (`docs/src/language/path.md`).

mod focus;
mod lasting;
mod report;
mod search;

use babson_lang::hir::PathStatus;

use super::{LogEntry, Run, Stop, extend};
use crate::op::{Id, PathSpec, Pc};
use focus::InFocus;
pub(super) use lasting::LastingFrame;
pub(super) use search::{FittingMove, LoopTurn, PathTask};

/// A path whose constituents are being evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathFrame {
    start: u32,
    /// Moves counted so far.
    count: i32,
    /// The end of the best so far.
    last: Option<u32>,
}

/// A variable's value and whether it is bound.
pub(super) type AtomicValue = (u64, bool);

/// An end that the search keeps.
struct PathEnd {
    /// What is to be greatest.
    value: i32,
    /// The moves counted.
    count: i32,
    node: u32,
    comments: Vec<LogEntry>,
    /// The atomic variables.
    atomics: Vec<AtomicValue>,
}

impl Run<'_, '_> {
    /// The value, if there is a path.
    pub(super) fn path(
        &mut self,
        pc: Pc,
        index: Id<PathSpec>,
        range: Option<(i32, i32)>,
    ) -> Result<Option<u64>, Stop> {
        let program = self.program;
        let spec = &program.code.paths[index];
        if self.is_banned(spec.nest_ban) {
            return Ok(None);
        }
        let focus = self.in_focus(spec.focus);
        if focus.is_empty() && spec.memo {
            return Ok(None);
        }
        let (start, spot, tie) = (self.here.node, self.spot(), self.tie);
        let mark = self.state.log.len();
        let before = self.atomics();
        let frame = PathFrame { start, count: 0, last: None };
        if !super::push(&mut self.state.paths, frame) {
            self.state.overflow();
            return Ok(None);
        }
        self.tie = super::NO_TIE;
        let ends = self.path_ends(pc, index, spec, &focus);
        self.state.paths.pop();
        self.here = self.at_spot(spot);
        self.tie = tie;
        let ends = ends?;
        if !self.context.options.always_comment {
            self.state.log.truncate(mark);
        }
        let best = ends
            .first()
            .filter(|best| range.is_none_or(|(min, max)| min <= best.value && best.value <= max));
        let Some(best) = best else {
            self.set_atomics(&before);
            return Ok(None);
        };
        self.set_atomics(&best.atomics);
        self.keep_comments(&ends);
        if let Some(ban) = spec.nest_ban {
            let low = self.nodes[best.node as usize].parent;
            self.ban(ban, low, start, None);
        }
        self.state.last_path = Some(PathFrame { start, count: best.count, last: Some(best.node) });
        self.report_path(spec, &focus, start, &ends);
        Ok(Some(if spec.last_position {
            u64::from(best.node)
        } else {
            u64::from(best.value as u32)
        }))
    }

    /// Returns the best end and, if the filter keeps all best, the ends that tie with it.
    fn path_ends(
        &mut self,
        pc: Pc,
        index: Id<PathSpec>,
        spec: &PathSpec,
        focus: &InFocus,
    ) -> Result<Vec<PathEnd>, Stop> {
        if spec.lasting
            && self.is_own()
            && let Some(way) = self.lasting_path(pc, index, spec, focus)?
        {
            let end = way.end().map(|node| PathEnd {
                value: way.value,
                count: way.len,
                node,
                comments: Vec::new(),
                atomics: self.atomics(),
            });
            return Ok(end.into_iter().collect());
        }
        self.search_path(pc, index, spec, focus)
    }

    /// Logs the comments that the constituents made on the way to the best ends. Ways that begin
    /// with the same comments share them.
    fn keep_comments(&mut self, ends: &[PathEnd]) {
        if self.context.options.always_comment {
            return;
        }
        let mut last: &[LogEntry] = &[];
        for end in ends {
            let common = last
                .iter()
                .zip(&end.comments)
                .take_while(|(a, b)| (a.node, a.text) == (b.node, b.text))
                .count();
            if !extend(&mut self.state.log, &end.comments[common..]) {
                self.state.overflow();
            }
            last = &end.comments;
        }
    }

    /// The values of the atomic variables.
    fn atomics(&self) -> Vec<AtomicValue> {
        let vars = &self.program.code.atomics;
        vars.iter().map(|&var| (self.state.registers[var], self.state.bound[var.index()])).collect()
    }

    fn set_atomics(&mut self, values: &[AtomicValue]) {
        for (&var, &(value, bound)) in self.program.code.atomics.iter().zip(values) {
            self.state.registers[var] = value;
            self.state.bound[var.index()] = bound;
        }
    }

    /// `pathcount` and similar filters: about the innermost path that is being evaluated, else
    /// about the last one that succeeded.
    pub(super) fn path_status(&self, which: PathStatus) -> Option<u64> {
        let frame = self.state.paths.last().copied().or(self.state.last_path)?;
        match which {
            PathStatus::Count => Some(u64::from(frame.count as u32)),
            PathStatus::Start => Some(u64::from(frame.start)),
            PathStatus::LastPosition => frame.last.map(u64::from),
            PathStatus::CountUnfocused => {
                let ply = |node: u32| i32::from(self.nodes[node as usize].ply);
                let plies = ply(self.here.node) - ply(frame.start);
                Some(u64::from((plies - frame.count) as u32))
            }
        }
    }
}
