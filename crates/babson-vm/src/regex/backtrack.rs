//! A backtracking matcher with the order and the rules of ECMAScript
//! (`docs/src/language/patterns.md`).
//!
//! The pattern becomes a small program. Choices and changes of groups go onto an explicit stack, so
//! that neither a long text nor a deep pattern overflows the stack of the thread. Every instruction
//! takes fuel, and so does every loop within one.

use babson_lang::pattern::{CharacterClass, Pattern, PatternNode, Repetition, Unit};

use super::{Fuel, FuelExhaustion, Groups};
use crate::limits::MAX_BACKTRACK_STACK;

#[derive(Clone, Debug)]
enum Instruction {
    Class(CharacterClass),
    Start,
    End,
    WordBoundary(bool),
    /// Stores the place in a slot.
    Save(usize),
    /// Continues at the first instruction, after backtracking at the second.
    Split(usize, usize),
    Jump(usize),
    Back(u32),
    /// The instructions up to `end` must match here, or must not. The place does not change.
    Ahead {
        positive: bool,
        end: usize,
    },
    /// Sets a counter of turns to 0.
    Zero(usize),
    /// Decides on another turn.
    Loop(Box<Loop>),
    /// The end of a turn.
    EndLoopTurn {
        counter: usize,
        min: u32,
        turn: usize,
    },
    Match,
}

/// A loop. The slot after the counter holds the place where the turn began.
#[derive(Clone, Debug)]
struct Loop {
    counter: usize,
    min: u32,
    max: Option<u32>,
    greedy: bool,
    /// Slots of the groups inside.
    groups: std::ops::Range<usize>,
    exit: usize,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Backtracker {
    unit: Unit,
    code: Vec<Instruction>,
    groups: usize,
    slots: usize,
    /// Begins with `^`: only the first place is tried.
    anchored: bool,
}

/// How many slots are set, frames are moved or bytes are compared in the time of one instruction.
const REPETITIONS_A_STEP: u64 = 8;

/// A slot without a value.
const UNSET: usize = usize::MAX;

enum BacktrackFrame {
    /// Another alternative: its instruction and its place.
    Choice(usize, usize),
    /// The old value of a slot.
    Undo(usize, usize),
}

struct BacktrackState<'t, 'f> {
    text: &'t [u8],
    slots: Vec<usize>,
    stack: Vec<BacktrackFrame>,
    fuel: &'t mut Fuel<'f>,
}

impl BacktrackState<'_, '_> {
    fn set(&mut self, slot: usize, value: usize) {
        self.stack.push(BacktrackFrame::Undo(slot, self.slots[slot]));
        self.slots[slot] = value;
    }

    /// Takes fuel for this many repetitions of a loop within an instruction.
    fn pay(&mut self, repetitions: usize) {
        self.fuel.left.pay(repetitions as u64 / REPETITIONS_A_STEP);
        self.fuel.count_work(repetitions);
    }
}

impl Backtracker {
    pub(super) fn new(pattern: &Pattern) -> Backtracker {
        let groups = pattern.groups as usize + 1;
        let mut backtracker = Backtracker {
            unit: pattern.unit,
            code: Vec::new(),
            groups,
            slots: 2 * groups,
            anchored: false,
        };
        backtracker.compile(&pattern.node);
        backtracker.code.push(Instruction::Match);
        backtracker.anchored = matches!(backtracker.code[0], Instruction::Start);
        backtracker
    }

    fn compile(&mut self, node: &PatternNode) {
        match node {
            PatternNode::Empty => {}
            PatternNode::Class(class) => self.code.push(Instruction::Class(class.clone())),
            PatternNode::Start => self.code.push(Instruction::Start),
            PatternNode::End => self.code.push(Instruction::End),
            PatternNode::WordBoundary(wanted) => self.code.push(Instruction::WordBoundary(*wanted)),
            PatternNode::Back(group) => self.code.push(Instruction::Back(*group)),
            PatternNode::Group(number, inner) => {
                let slot = 2 * *number as usize;
                self.code.push(Instruction::Save(slot));
                self.compile(inner);
                self.code.push(Instruction::Save(slot + 1));
            }
            PatternNode::Ahead(positive, inner) => {
                let at = self.code.len();
                self.code.push(Instruction::Match);
                self.compile(inner);
                self.code.push(Instruction::Match);
                self.code[at] = Instruction::Ahead { positive: *positive, end: self.code.len() };
            }
            PatternNode::Repeat(repeat) => self.repeat(repeat),
            PatternNode::Concat(list) => {
                for node in list {
                    self.compile(node);
                }
            }
            PatternNode::Alternatives(list) => {
                let mut jumps = Vec::new();
                for (index, node) in list.iter().enumerate() {
                    if index + 1 == list.len() {
                        self.compile(node);
                        break;
                    }
                    let split = self.code.len();
                    self.code.push(Instruction::Match);
                    self.compile(node);
                    jumps.push(self.code.len());
                    self.code.push(Instruction::Match);
                    self.code[split] = Instruction::Split(split + 1, self.code.len());
                }
                let end = self.code.len();
                for jump in jumps {
                    self.code[jump] = Instruction::Jump(end);
                }
            }
        }
    }

    fn repeat(&mut self, repeat: &Repetition) {
        let counter = self.slots;
        self.slots += 2;
        self.code.push(Instruction::Zero(counter));
        let turn = self.code.len();
        self.code.push(Instruction::Match);
        self.compile(&repeat.node);
        self.code.push(Instruction::EndLoopTurn { counter, min: repeat.min, turn });
        let (first, end) = repeat.groups;
        self.code[turn] = Instruction::Loop(Box::new(Loop {
            counter,
            min: repeat.min,
            max: repeat.max,
            greedy: repeat.greedy,
            groups: 2 * first as usize..2 * end as usize,
            exit: self.code.len(),
        }));
    }

    /// The most repetitions of a loop over slots.
    #[cfg(test)]
    pub(super) fn longest_loop(&self) -> usize {
        self.slots
    }

    pub(super) fn find(
        &self,
        text: &[u8],
        from: usize,
        groups: &mut Groups,
        fuel: &mut Fuel<'_>,
    ) -> Result<(), FuelExhaustion> {
        let (slots, stack) = (vec![UNSET; self.slots], Vec::new());
        let mut state = BacktrackState { text, slots, stack, fuel };
        let mut start = from;
        loop {
            if start > text.len() || self.anchored && start > 0 {
                return Ok(());
            }
            state.stack.clear();
            state.pay(self.slots);
            state.slots.fill(UNSET);
            match self.run(0, start, &mut state) {
                Err(FuelExhaustion) => return Err(FuelExhaustion),
                Ok(None) => {}
                Ok(Some(end)) => {
                    state.slots[0] = start;
                    state.slots[1] = end;
                    groups.extend(state.slots[..2 * self.groups].chunks_exact(2).map(|pair| {
                        let whole = pair[0] != UNSET && pair[1] != UNSET;
                        whole.then(|| pair[0]..pair[1])
                    }));
                    return Ok(());
                }
            }
            let rest = text.get(start..).unwrap_or_default();
            start += self.unit.next(rest).map_or(1, |(_, len)| len);
        }
    }

    /// Runs from an instruction to the next `Match`. Returns the place where that was reached.
    fn run(
        &self,
        entry: usize,
        start: usize,
        state: &mut BacktrackState<'_, '_>,
    ) -> Result<Option<usize>, FuelExhaustion> {
        let base = state.stack.len();
        let (mut pc, mut at) = (entry, start);
        loop {
            if !state.fuel.take() || state.stack.len() > MAX_BACKTRACK_STACK {
                state.fuel.left.clear();
                return Err(FuelExhaustion);
            }
            let mut fits = true;
            let here = pc;
            pc += 1;
            match &self.code[here] {
                Instruction::Match => return Ok(Some(at)),
                Instruction::Class(class) => {
                    match self.unit.next(state.text.get(at..).unwrap_or_default()) {
                        Some((unit, len)) if class.contains(unit) => at += len,
                        _ => fits = false,
                    }
                }
                Instruction::Start => fits = at == 0,
                Instruction::End => fits = at == state.text.len(),
                Instruction::WordBoundary(wanted) => {
                    let is_word = |at: Option<usize>| {
                        let byte = at.and_then(|at| state.text.get(at));
                        byte.is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_')
                    };
                    let boundary = is_word(at.checked_sub(1)) != is_word(Some(at));
                    fits = boundary == *wanted;
                }
                Instruction::Save(slot) => state.set(*slot, at),
                Instruction::Jump(to) => pc = *to,
                Instruction::Split(first, second) => {
                    state.stack.push(BacktrackFrame::Choice(*second, at));
                    pc = *first;
                }
                Instruction::Back(group) => {
                    let slot = 2 * *group as usize;
                    let (from, to) = (state.slots[slot], state.slots[slot + 1]);
                    // A group that took no part matches the empty text.
                    if from != UNSET && to != UNSET {
                        state.pay(to.saturating_sub(from));
                        let group_text = state.text.get(from..to).unwrap_or_default();
                        fits =
                            state.text.get(at..).is_some_and(|rest| rest.starts_with(group_text));
                        if fits {
                            at += group_text.len();
                        }
                    }
                }
                Instruction::Ahead { positive, end } => {
                    let bottom = state.stack.len();
                    let found = self.run(here + 1, at, state)?.is_some();
                    if found && *positive {
                        // Its groups stay; its other alternatives are not tried.
                        let frames = state.stack.split_off(bottom);
                        state.pay(frames.len());
                        let undo =
                            |frame: &BacktrackFrame| matches!(frame, BacktrackFrame::Undo(..));
                        state.stack.extend(frames.into_iter().filter(undo));
                    } else {
                        Self::unwind(state, bottom);
                    }
                    fits = found == *positive;
                    pc = *end;
                }
                Instruction::Zero(counter) => state.set(*counter, 0),
                Instruction::Loop(turn) => {
                    let done = state.slots[turn.counter] as u64;
                    let must = done < u64::from(turn.min);
                    let may = turn.max.is_none_or(|max| done < u64::from(max));
                    if !must && !may {
                        pc = turn.exit;
                    } else if !must && !turn.greedy {
                        // Another turn begins at its own instruction, so that it is set up there.
                        state.stack.push(BacktrackFrame::Choice(here, at | LAZY));
                        pc = turn.exit;
                    } else {
                        if !must {
                            state.stack.push(BacktrackFrame::Choice(turn.exit, at));
                        }
                        self.begin(turn, at, state);
                    }
                }
                Instruction::EndLoopTurn { counter, min, turn } => {
                    let done = state.slots[*counter];
                    // A turn beyond those that must be, and with nothing in it, leads nowhere.
                    if done as u64 >= u64::from(*min) && state.slots[counter + 1] == at {
                        fits = false;
                    } else {
                        state.set(*counter, done + 1);
                        pc = *turn;
                    }
                }
            }
            if fits {
                continue;
            }
            loop {
                if state.stack.len() <= base {
                    return Ok(None);
                }
                match state.stack.pop() {
                    Some(BacktrackFrame::Undo(slot, value)) => state.slots[slot] = value,
                    Some(BacktrackFrame::Choice(next, place)) if place & LAZY != 0 => {
                        at = place & !LAZY;
                        if let Instruction::Loop(turn) = &self.code[next] {
                            self.begin(turn, at, state);
                        }
                        pc = next + 1;
                        break;
                    }
                    Some(BacktrackFrame::Choice(next, place)) => {
                        (pc, at) = (next, place);
                        break;
                    }
                    None => return Ok(None),
                }
            }
        }
    }

    /// Sets up another turn.
    fn begin(&self, turn: &Loop, at: usize, state: &mut BacktrackState<'_, '_>) {
        state.set(turn.counter + 1, at);
        state.pay(turn.groups.len());
        for slot in turn.groups.clone() {
            if state.slots[slot] != UNSET {
                state.set(slot, UNSET);
            }
        }
    }

    fn unwind(state: &mut BacktrackState<'_, '_>, bottom: usize) {
        while state.stack.len() > bottom {
            if let Some(BacktrackFrame::Undo(slot, value)) = state.stack.pop() {
                state.slots[slot] = value;
            }
        }
    }
}

/// Marks the place of a choice that takes another turn of a lazy loop.
const LAZY: usize = 1 << (usize::BITS - 1);
