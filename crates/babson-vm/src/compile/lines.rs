//! `line`: its constituents become the states of an automaton, each with a block of code.

use babson_lang::hir::{
    Bound, Expr, LineConstituent, LineConstituentKind, LineFilter, NumberRange,
};

use super::automaton::{Automaton, SequenceNode, SequenceState};
use super::builder::Builder;
use crate::op::{EntryPoint, Id, Label, LineSpec, LineState, Op, Register};

fn chain<'e>(list: &'e [LineConstituent], filters: &mut Vec<&'e Expr>) -> SequenceNode {
    let parts =
        list.iter()
            .map(|constituent| {
                let inner = match &constituent.kind {
                    LineConstituentKind::Filter(filter) => {
                        filters.push(filter);
                        SequenceNode::Leaf(filters.len() - 1, true)
                    }
                    LineConstituentKind::Group(group) => chain(group, filters),
                };
                constituent.repeats.iter().fold(inner, |inner, &(min, max)| {
                    SequenceNode::Repeat(Box::new(inner), min, max)
                })
            })
            .collect();
    SequenceNode::Chain(parts)
}

impl Builder {
    pub(super) fn line(&mut self, line: &LineFilter, dst: Register, fail: Label) {
        let mut filters = Vec::new();
        let tree = chain(&line.constituents, &mut filters);
        let Some(automaton) = Automaton::of(&tree) else {
            self.too_large = true;
            return;
        };

        let memo = !filters.iter().any(|filter| self.effects(filter).state);
        let comments = !line.quiet || filters.iter().any(|filter| self.effects(filter).comments);
        self.with_rollback(comments, fail, |this, fail| {
            let range = line
                .range
                .unwrap_or(NumberRange { min: Bound::Const(1), max: Bound::Const(i32::MAX) });
            let (min, max) = (this.bound(range.min), this.bound(range.max));
            // The constituents run while the mark and the bounds are alive, so they are compiled
            // after those have their registers.
            let blocks = this.blocks("filter of a line", &filters, line.backward);
            let lasting = memo && this.outcomes_last(filters.iter().copied());
            let spec = Self::line_spec(line, &automaton, &filters, &blocks);
            let spec = this.lines.push(LineSpec { memo, lasting, ..spec });
            this.emit(Op::Line { spec, dst, min, max, fail });
        });
    }

    fn line_spec(
        line: &LineFilter,
        automaton: &Automaton,
        filters: &[&Expr],
        blocks: &[Id<EntryPoint>],
    ) -> LineSpec {
        let number: std::collections::HashMap<usize, u32> = automaton
            .states
            .iter()
            .enumerate()
            .filter(|(_, state)| matches!(state, SequenceState::Match { .. }))
            .zip(0..)
            .map(|((index, _), number)| (index, number))
            .collect();
        let numbers =
            |list: Vec<usize>| list.iter().filter_map(|s| number.get(s).copied()).collect();
        let states = automaton
            .states
            .iter()
            .filter_map(|state| {
                let SequenceState::Match { leaf, next } = *state else {
                    return None;
                };
                let (next, accepts) = automaton.closure(next);
                let tied = !line.backward && Self::is_tied(filters[leaf]);
                Some(LineState { entry: blocks[leaf], tied, next: numbers(next), accepts })
            })
            .collect();
        LineSpec {
            start: numbers(automaton.closure(automaton.entry).0),
            states,
            quiet: line.quiet,
            backward: line.backward,
            single_color: line.single_color,
            primary: line.primary,
            secondary: line.secondary,
            first_match: line.first_match,
            last_position: line.last_position,
            nest_ban: line.nest_ban.map(|id| id.0),
            memo: false,
            lasting: false,
        }
    }

    /// Whether the outcomes of filters at a node may be found once a game: the filters depend on
    /// nothing else, and the current filter, which searches them, begins more than once a game.
    pub(super) fn outcomes_last<'e>(&self, filters: impl IntoIterator<Item = &'e Expr>) -> bool {
        !self.begins_once
            && !self.is_profiled()
            && filters.into_iter().all(|filter| self.analysis.depends_on_node_only(filter))
    }

    /// Emits the code of each filter, and a jump around all of it. Returns the entries.
    pub(super) fn blocks(
        &mut self,
        name: &'static str,
        filters: &[&Expr],
        backward: bool,
    ) -> Vec<Id<EntryPoint>> {
        let over = self.label();
        self.jump(over);
        let (tie, owner) = (self.in_tie, self.owner.take());
        let mut entries = Vec::with_capacity(filters.len());
        for filter in filters {
            self.in_tie = !backward;
            let failed = self.label();
            entries.push(self.entry(name));
            self.test_with_rollback(filter, failed);
            self.emit(Op::Return { matched: true });
            self.bind(failed);
            self.emit(Op::Return { matched: false });
        }
        (self.in_tie, self.owner) = (tie, owner);
        self.bind(over);
        entries
    }
}
