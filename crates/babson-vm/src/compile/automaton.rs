//! Sequences with repetitions (`line`, `path`) as automata: states with edges in order of
//! preference.

use crate::limits::MAX_AUTOMATON_STATES;

/// `{n,}` and `*` have this as maximum.
const UNBOUNDED: u32 = 100_000;

/// A fragment of a sequence.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// What the caller numbers so; `true` if it moves on to another position.
    Leaf(usize, bool),
    Chain(Vec<Node>),
    Repeat(Box<Node>, u32, u32),
}

impl Node {
    /// Whether it can match without moving on.
    fn may_stand_still(&self) -> bool {
        match self {
            Node::Leaf(_, moves) => !moves,
            Node::Chain(parts) => parts.iter().all(Node::may_stand_still),
            Node::Repeat(inner, min, _) => *min == 0 || inner.may_stand_still(),
        }
    }
}

/// A state of the automaton.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    Match {
        leaf: usize,
        next: usize,
    },
    /// The first before the second.
    Split(usize, usize),
    /// Begin and end of a loop's turn that may stand still: then it is left.
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
    pub(super) states: Vec<State>,
    pub(super) entry: usize,
    slots: u32,
}

impl Automaton {
    /// The automaton of a whole sequence; `None` if it would be too large.
    pub(super) fn of(sequence: &Node) -> Option<Automaton> {
        let mut automaton = Automaton::default();
        let accept = automaton.add(State::Accept);
        automaton.entry = automaton.build(sequence, accept);
        (automaton.states.len() <= MAX_AUTOMATON_STATES).then_some(automaton)
    }

    fn add(&mut self, state: State) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// States for the fragment followed by `next`; returns the entry.
    fn build(&mut self, node: &Node, next: usize) -> usize {
        if self.states.len() > MAX_AUTOMATON_STATES {
            return next;
        }
        match node {
            Node::Leaf(leaf, _) => self.add(State::Match { leaf: *leaf, next }),
            Node::Chain(parts) => {
                parts.iter().rev().fold(next, |next, part| self.build(part, next))
            }
            Node::Repeat(inner, min, max) => {
                let mut entry = next;
                if *max >= UNBOUNDED {
                    entry = self.build_loop(inner, next);
                } else {
                    for _ in *min..*max {
                        let body = self.build(inner, entry);
                        entry = self.add(State::Split(next, body));
                    }
                }
                for _ in 0..*min {
                    entry = self.build(inner, entry);
                }
                entry
            }
        }
    }

    fn build_loop(&mut self, inner: &Node, next: usize) -> usize {
        // Leaving comes before going round again.
        let split = self.add(State::Split(next, next));
        let body = if inner.may_stand_still() {
            let slot = self.slots;
            self.slots += 1;
            let back = self.add(State::Back { slot, again: split, leave: next });
            let body = self.build(inner, back);
            self.add(State::Enter { slot, next: body })
        } else {
            self.build(inner, split)
        };
        self.states[split] = State::Split(next, body);
        split
    }

    /// The leaves' states reachable without one, in order, and whether the end is.
    pub(super) fn closure(&self, from: usize) -> (Vec<usize>, bool) {
        let mut seen = std::collections::HashSet::new();
        let mut stack = vec![from];
        let (mut order, mut accepts) = (Vec::new(), false);
        while let Some(state) = stack.pop() {
            if !seen.insert(state) {
                continue;
            }
            match self.states[state] {
                State::Match { .. } => order.push(state),
                State::Split(first, second) => stack.extend([second, first]),
                State::Enter { next, .. } => stack.push(next),
                State::Back { again, leave, .. } => stack.extend([leave, again]),
                State::Accept => accepts = true,
            }
        }
        (order, accepts)
    }
}
