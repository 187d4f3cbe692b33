//! Sequences with repetitions (`line`, `path`) as automata: states with edges in order of
//! preference.

use crate::limits::MAX_AUTOMATON_STATES;

/// The maximum that the front end gives `{n,}` and `*`.
const UNBOUNDED: u32 = 100_000;

/// A fragment of a sequence.
#[derive(Clone, Debug)]
pub(super) enum SequenceNode {
    /// A filter or a move, by the number that the caller gives it, and whether it moves on to
    /// another position.
    Leaf(usize, bool),
    Chain(Vec<SequenceNode>),
    Repeat(Box<SequenceNode>, u32, u32),
}

impl SequenceNode {
    /// Whether a part may come more than once, so that a search may go far.
    pub(super) fn repeats(&self) -> bool {
        match self {
            SequenceNode::Leaf(..) => false,
            SequenceNode::Chain(parts) => parts.iter().any(SequenceNode::repeats),
            SequenceNode::Repeat(inner, _, max) => *max > 1 || inner.repeats(),
        }
    }

    /// Whether it can match without moving on.
    fn may_stand_still(&self) -> bool {
        match self {
            SequenceNode::Leaf(_, moves) => !moves,
            SequenceNode::Chain(parts) => parts.iter().all(SequenceNode::may_stand_still),
            SequenceNode::Repeat(inner, min, _) => *min == 0 || inner.may_stand_still(),
        }
    }
}

/// A state of the automaton.
#[derive(Clone, Copy, Debug)]
pub(super) enum SequenceState {
    Match {
        leaf: usize,
        next: usize,
    },
    /// Two edges; the first is preferred.
    Split(usize, usize),
    /// The beginning and the end of a turn of a loop that may match without moving on. A turn that
    /// did not move ends the loop.
    Enter {
        slot: u32,
        next: usize,
    },
    Back {
        slot: u32,
        again: usize,
        leave: usize,
    },
    Accept,
}

/// An automaton. Its first state is the accepting one.
#[derive(Default)]
pub(super) struct Automaton {
    pub(super) states: Vec<SequenceState>,
    pub(super) entry: usize,
    slots: u32,
}

impl Automaton {
    /// The automaton of a whole sequence; `None` if it would be too large.
    pub(super) fn of(sequence: &SequenceNode) -> Option<Automaton> {
        let mut automaton = Automaton::default();
        let accept = automaton.add(SequenceState::Accept);
        automaton.entry = automaton.build(sequence, accept);
        (automaton.states.len() <= MAX_AUTOMATON_STATES).then_some(automaton)
    }

    fn add(&mut self, state: SequenceState) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// States for the fragment followed by `next`; returns the entry.
    fn build(&mut self, node: &SequenceNode, next: usize) -> usize {
        if self.states.len() > MAX_AUTOMATON_STATES {
            return next;
        }
        match node {
            SequenceNode::Leaf(leaf, _) => self.add(SequenceState::Match { leaf: *leaf, next }),
            SequenceNode::Chain(parts) => {
                parts.iter().rev().fold(next, |next, part| self.build(part, next))
            }
            SequenceNode::Repeat(inner, min, max) => {
                let mut entry = next;
                if *max >= UNBOUNDED {
                    entry = self.build_loop(inner, next);
                } else {
                    for _ in *min..*max {
                        let body = self.build(inner, entry);
                        entry = self.add(SequenceState::Split(next, body));
                    }
                }
                for _ in 0..*min {
                    entry = self.build(inner, entry);
                }
                entry
            }
        }
    }

    fn build_loop(&mut self, inner: &SequenceNode, next: usize) -> usize {
        // To leave is preferred to another turn.
        let split = self.add(SequenceState::Split(next, next));
        let body = if inner.may_stand_still() {
            let slot = self.slots;
            self.slots += 1;
            let back = self.add(SequenceState::Back { slot, again: split, leave: next });
            let body = self.build(inner, back);
            self.add(SequenceState::Enter { slot, next: body })
        } else {
            self.build(inner, split)
        };
        self.states[split] = SequenceState::Split(next, body);
        split
    }

    /// The states of leaves that are reachable without passing a leaf, in order of preference, and
    /// whether the end is reachable.
    pub(super) fn closure(&self, from: usize) -> (Vec<usize>, bool) {
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![from];
        let (mut order, mut accepts) = (Vec::new(), false);
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            match self.states[state] {
                SequenceState::Match { .. } => order.push(state),
                SequenceState::Split(first, second) => stack.extend([second, first]),
                SequenceState::Enter { next, .. } => stack.push(next),
                SequenceState::Back { again, leave, .. } => stack.extend([leave, again]),
                SequenceState::Accept => accepts = true,
            }
        }
        (order, accepts)
    }
}
