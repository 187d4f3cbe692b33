//! `path`: its constituents become the states of an automaton, its filters blocks of code.

use babson_lang::hir::{
    Dash, Expr, ExprKind, Focus, PathConstituent, PathConstituentKind, PathFilter, PathStatus,
    Property,
};

use super::automaton::{Automaton, SequenceNode, SequenceState};
use super::builder::Builder;
use crate::op::{
    EntryPoint, FocusSpec, Id, Label, Op, OptionalRegister, PathSpec, PathState, Register, StepSpec,
};

/// A leaf of the automaton.
enum PathLeaf<'e> {
    Step(&'e Dash, &'e [Expr]),
    Holder(&'e Expr),
}

fn chain<'e>(list: &'e [PathConstituent], leaves: &mut Vec<PathLeaf<'e>>) -> SequenceNode {
    let parts = list
        .iter()
        .map(|part| {
            let inner = match &part.kind {
                PathConstituentKind::Step { dash, targets } => {
                    leaves.push(PathLeaf::Step(dash, targets));
                    SequenceNode::Leaf(leaves.len() - 1, true)
                }
                PathConstituentKind::Holder(filter) => {
                    leaves.push(PathLeaf::Holder(filter));
                    SequenceNode::Leaf(leaves.len() - 1, false)
                }
                PathConstituentKind::Chain(parts) => chain(parts, leaves),
            };
            match part.repeat {
                Some((min, max)) => SequenceNode::Repeat(Box::new(inner), min, max),
                None => inner,
            }
        })
        .collect();
    SequenceNode::Chain(parts)
}

impl PathLeaf<'_> {
    fn for_each(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            PathLeaf::Step(dash, targets) => {
                dash.operands().for_each(&mut *visit);
                targets.iter().for_each(visit);
            }
            PathLeaf::Holder(filter) => visit(filter),
        }
    }
}

/// A compiled [`PathLeaf`].
#[derive(Clone, Copy)]
enum CompiledLeaf {
    /// The number of the step.
    Step(u32),
    Holder(Id<EntryPoint>),
}

/// Whether the filter asks for the best end so far, which depends on the order of the search.
fn asks_for_best(expr: &Expr) -> bool {
    expr.any(&|e| matches!(e.kind, ExprKind::Property(Property::Path(PathStatus::LastPosition))))
}

impl Builder {
    pub(super) fn path(&mut self, path: &PathFilter, dst: Register, fail: Label) {
        let mut leaves = Vec::new();
        let tree = chain(&path.constituents, &mut leaves);
        let Some(automaton) = Automaton::of(&tree) else {
            self.too_large = true;
            return;
        };
        let (mut state, mut comments, mut asks) = (false, false, false);
        let mut look = |expr: &Expr| {
            let effects = self.effects(expr);
            state |= effects.state;
            comments |= effects.comments;
            asks |= asks_for_best(expr);
        };
        leaves.iter().for_each(|leaf| leaf.for_each(&mut look));
        path.max.iter().for_each(look);
        comments |= path.writes();
        let memo = !state && !asks;
        // A short search takes less time than to keep what it finds.
        let lasting = memo && tree.repeats() && self.path_lasts(path, &automaton, &leaves);
        self.with_rollback(comments, fail, |this, fail| {
            let (min, max) = match path.range {
                Some(range) => (this.bound(range.min).into(), this.bound(range.max).into()),
                None => (OptionalRegister::NONE, OptionalRegister::NONE),
            };
            // These registers are in use while the blocks run, so they are taken first.
            let focus = match &path.focus {
                None => FocusSpec::All,
                Some(Focus::SideToMove) => FocusSpec::SideToMove,
                Some(Focus::Pieces { set, capture }) => {
                    let dst = this.temp();
                    this.elsewhere(|this| this.set(set, dst));
                    FocusSpec::Pieces { set: dst, capture: *capture }
                }
            };
            let spec = this.elsewhere(|this| PathSpec {
                memo,
                lasting,
                changes_state: state,
                ..this.path_spec(path, focus, &automaton, &leaves)
            });
            let spec = this.paths.push(spec);
            this.emit(Op::Path { spec, dst, min, max, fail });
        });
    }

    /// Whether the best way on from a state at a node is the same for each search.
    fn path_lasts(
        &self,
        path: &PathFilter,
        automaton: &Automaton,
        leaves: &[PathLeaf<'_>],
    ) -> bool {
        // What such a loop does depends on where its turn began.
        let may_stand_still = |state: &SequenceState| matches!(state, SequenceState::Enter { .. });
        // Pieces in focus are those on their squares at the start.
        let focuses = matches!(path.focus, Some(Focus::Pieces { .. }));
        let mut last = !path.keep_all_best
            && !focuses
            && !automaton.states.iter().any(may_stand_still)
            && self.outcomes_last(&path.max);
        for leaf in leaves {
            leaf.for_each(&mut |filter| {
                last = last && self.outcomes_last([filter]);
            });
        }
        last
    }

    fn path_spec(
        &mut self,
        path: &PathFilter,
        focus: FocusSpec,
        automaton: &Automaton,
        leaves: &[PathLeaf<'_>],
    ) -> PathSpec {
        let parts = self.temp();
        let max_value = self.temp();
        let over = self.label();
        self.jump(over);
        let max = path.max.as_ref().map(|max| {
            let entry =
                self.block("max of a path", |this, failed| this.value(max, max_value, failed));
            (entry, max_value)
        });
        let mut steps = Vec::new();
        let mut compiled = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            match leaf {
                PathLeaf::Step(dash, targets) => {
                    steps.push(self.step(dash, targets, parts));
                    compiled.push(CompiledLeaf::Step(steps.len() as u32 - 1));
                }
                PathLeaf::Holder(filter) => {
                    let entry = self.block("filter of a path", |this, failed| {
                        this.test_with_rollback(filter, failed);
                    });
                    compiled.push(CompiledLeaf::Holder(entry));
                }
            }
        }
        self.bind(over);
        let states = automaton
            .states
            .iter()
            .map(|state| match *state {
                SequenceState::Match { leaf, next } => match compiled[leaf] {
                    CompiledLeaf::Step(step) => PathState::Step { step, next: next as u32 },
                    CompiledLeaf::Holder(entry) => PathState::Holder { entry, next: next as u32 },
                },
                SequenceState::Split(first, second) => {
                    PathState::Split(first as u32, second as u32)
                }
                SequenceState::Enter { slot, next } => PathState::Enter { slot, next: next as u32 },
                SequenceState::Back { slot, again, leave } => {
                    PathState::Back { slot, again: again as u32, leave: leave as u32 }
                }
                SequenceState::Accept => PathState::Accept,
            })
            .collect();
        PathSpec {
            start: automaton.entry as u32,
            states,
            steps,
            parts,
            focus,
            max,
            title: path.title.as_ref().map(|title| self.text_constant(title)),
            nest_ban: path.nest_ban.map(|id| id.0),
            primary: path.primary,
            keep_all_best: path.keep_all_best,
            first_match: path.first_match,
            last_position: path.last_position,
            verbose: path.verbose,
            piece_path: path.piece_path,
            quiet: path.quiet,
            memo: false,
            lasting: false,
            changes_state: false,
        }
    }

    fn step(&mut self, dash: &Dash, targets: &[Expr], parts: Register) -> StepSpec {
        let mut number = self.dashes.next_id();
        let before = self.here();
        let operands = self.block("operands of a path", |this, _| number = this.dash_spec(dash));
        // Without code for the operands the block has only its two `return`s.
        let evaluates = self.here() > before.next().next();
        let tail = (!targets.is_empty()).then(|| {
            let owner = self.owner.replace(parts);
            let entry = self.block("targets of a path", |this, failed| {
                this.conjunction(targets, failed);
            });
            self.owner = owner;
            entry
        });
        StepSpec { dash: number, operands: evaluates.then_some(operands), targets: tail }
    }

    /// Code that another instruction calls; `f` jumps to its label to say that it does not match.
    pub(super) fn block(
        &mut self,
        name: &'static str,
        f: impl FnOnce(&mut Self, Label),
    ) -> Id<EntryPoint> {
        let failed = self.label();
        let entry = self.entry(name);
        self.with_temps(|this| f(this, failed));
        self.emit(Op::Return { matched: true });
        self.bind(failed);
        self.emit(Op::Return { matched: false });
        entry
    }
}
