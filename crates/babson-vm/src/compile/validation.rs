//! What holds for all code: every register, label and number of an entry that an instruction or a
//! table has is in its range.

use crate::analysis::Pattern;
use crate::code::{Code, Operand, TableEntry};
use crate::op::{
    Alteration, ConsecutiveMovesSpec, CountedBody, DashOperand, DashSpec, EntryPoint, FindSpec,
    FocusSpec, GameListSpec, GameListsSpec, Id, ImagesSpec, ImagineSpec, LineSpec, LineState,
    MoveSpec, OnceSpec, Op, OptionalRegister, PairsSpec, PathSpec, PathState, Pc, Place,
    PromotionTest, Register, StepSpec, StepsSpec, TextConstant, TextSegment,
};
use crate::packed::text_range;

/// The first instruction or entry of a table that names something beyond the end.
pub(super) fn fault(code: &Code) -> Option<String> {
    let op = code.ops.iter().enumerate().find(|(_, op)| !op_is_valid(**op, code));
    let op = op.map(|(at, op)| format!("instruction {at}: {op:?}"));
    op.or_else(|| fault_in_tables(code))
}

fn op_is_valid(op: Op, code: &Code) -> bool {
    let mut valid = true;
    op.for_each_operand(|operand| {
        valid &= match operand {
            Operand::Writes(register) | Operand::Reads(register) => code.has_register(register),
            Operand::State(first, count) => code.has_registers(first, count),
            Operand::Variable(var) => code.has_variable(var),
            Operand::Label(label) => code.has_pc(label),
            Operand::Index(index, len) => index < len(code),
            Operand::First(index, len) => index <= len(code),
            Operand::Immediate => true,
        };
    });
    valid
}

fn fault_in_tables(code: &Code) -> Option<String> {
    fn table<T: Validate>(name: &str, code: &Code, entries: &[T]) -> Option<String> {
        let index = entries.iter().position(|entry| !entry.is_valid(code))?;
        Some(format!("{name} {index}"))
    }
    let required = [code.tags_required, code.game_required, code.begin, code.end];
    if !required.into_iter().flatten().all(|entry| code.has_entry(entry)) {
        return Some("an entry point".to_owned());
    }
    if !code.atomics.iter().all(|var| code.has_variable(*var)) {
        return Some("an atomic variable".to_owned());
    }
    table("entry point", code, &code.entries)
        .or_else(|| table("pattern", code, &code.patterns))
        .or_else(|| table("filter evaluated once", code, &code.once))
        .or_else(|| table("images", code, &code.images))
        .or_else(|| table("move", code, &code.moves))
        .or_else(|| table("imagine", code, &code.imagined))
        .or_else(|| table("part", code, &code.parts))
        .or_else(|| table("dash", code, &code.dashes))
        .or_else(|| table("find", code, &code.finds))
        .or_else(|| table("line", code, &code.lines))
        .or_else(|| table("path", code, &code.paths))
        .or_else(|| table("consecutivemoves", code, &code.runs))
        .or_else(|| table("position lists", code, &code.game_lists))
        .or_else(|| table("sequence", code, &code.steps))
        .or_else(|| table("pairs", code, &code.pairs))
}

impl Code {
    fn has_register(&self, register: Register) -> bool {
        register.index() < self.registers
    }

    fn has_registers(&self, first: Register, count: u16) -> bool {
        first.index() + usize::from(count) <= self.registers
    }

    fn has_optional(&self, register: OptionalRegister) -> bool {
        register.get().is_none_or(|register| self.has_register(register))
    }

    fn has_variable(&self, var: Register) -> bool {
        var.index() < self.vars.len()
    }

    fn has_pc(&self, pc: Pc) -> bool {
        pc.index() < self.ops.len()
    }

    fn has_entry(&self, entry: Id<EntryPoint>) -> bool {
        entry.index() < self.entries.len()
    }

    fn has<T: TableEntry>(&self, id: Id<T>) -> bool {
        id.index() < T::table(self).len()
    }

    fn has_text(&self, text: TextConstant) -> bool {
        self.text.get(text_range(text.0)).is_some()
    }

    fn has_place(&self, place: Place) -> bool {
        match place {
            Place::Set(register) => self.has_register(register),
            Place::Piece(var) => self.has_variable(var),
            Place::LoopPiece { var, current } => {
                self.has_variable(var) && self.has_registers(current, 2)
            }
        }
    }

    fn has_nest_ban(&self, ban: Option<u32>) -> bool {
        ban.is_none_or(|ban| (ban as usize) < self.nest_bans)
    }
}

/// An entry of a table that names registers or entries of other tables.
trait Validate {
    fn is_valid(&self, code: &Code) -> bool;
}

impl Validate for EntryPoint {
    fn is_valid(&self, code: &Code) -> bool {
        code.has_pc(self.pc)
    }
}

impl Validate for Pattern {
    fn is_valid(&self, _: &Code) -> bool {
        let has_content = |index: u8| usize::from(index) < self.contents.len();
        let mut shifted = self.shifted.iter();
        let mut single = self.single.iter().flatten();
        shifted.all(|group| {
            has_content(group.first) && group.rest.iter().all(|part| has_content(part.0))
        }) && single.all(|part| has_content(part.0))
    }
}

impl Validate for OnceSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let OnceSpec { entry, value, text: _ } = *self;
        code.has_entry(entry) && code.has_register(value)
    }
}

impl Validate for ImagesSpec {
    fn is_valid(&self, code: &Code) -> bool {
        self.entries.iter().all(|entry| code.has_entry(*entry))
    }
}

impl Validate for MoveSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let MoveSpec { dst, from, to, capture, en_passant_square, .. } = *self;
        code.has_register(dst)
            && [from, to, capture, en_passant_square].into_iter().all(|set| code.has_optional(set))
    }
}

impl Validate for ImagineSpec {
    fn is_valid(&self, code: &Code) -> bool {
        self.changes.iter().all(|change| match *change {
            Alteration::Place(place, _) => code.has_place(place),
            Alteration::Swap(places) => places.into_iter().all(|place| code.has_place(place)),
            Alteration::Turn(_) => true,
        })
    }
}

impl Validate for TextSegment {
    fn is_valid(&self, code: &Code) -> bool {
        match *self {
            TextSegment::Constant(text) => code.has_text(text),
            TextSegment::Variable { var, ty: _, unbound } => {
                code.has_variable(var) && code.has_text(unbound)
            }
        }
    }
}

impl Validate for DashSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let DashSpec { capture: _, left, right, promotes } = *self;
        let operand = |operand| match operand {
            DashOperand::Any | DashOperand::Squares(_) | DashOperand::Designator { .. } => true,
            DashOperand::Register(register) => code.has_register(register),
        };
        let promotion = match promotes {
            PromotionTest::Unasked | PromotionTest::Kinds(_) => true,
            PromotionTest::Register(register) => code.has_register(register),
        };
        operand(left) && operand(right) && promotion
    }
}

impl Validate for FindSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let FindSpec { entry, prefilter, backward: _, quiet: _, range: _ } = *self;
        code.has_entry(entry) && prefilter.is_none_or(|prefilter| code.has(prefilter))
    }
}

impl Validate for LineSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let have =
            |states: &[u32]| states.iter().all(|&state| (state as usize) < self.states.len());
        let state = |state: &LineState| code.has_entry(state.entry) && have(&state.next);
        have(&self.start) && self.states.iter().all(state) && code.has_nest_ban(self.nest_ban)
    }
}

impl Validate for PathSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let has = |state: u32| (state as usize) < self.states.len();
        let state = |state: &PathState| match *state {
            PathState::Step { step, next } => (step as usize) < self.steps.len() && has(next),
            PathState::Holder { entry, next } => code.has_entry(entry) && has(next),
            PathState::Split(first, second) => has(first) && has(second),
            PathState::Enter { slot: _, next } => has(next),
            PathState::Back { slot: _, again, leave } => has(again) && has(leave),
            PathState::Accept => true,
        };
        let step = |step: &StepSpec| {
            let StepSpec { dash, operands, targets } = *step;
            code.has(dash)
                && [operands, targets].into_iter().flatten().all(|entry| code.has_entry(entry))
        };
        let focus = match self.focus {
            FocusSpec::All | FocusSpec::SideToMove => true,
            FocusSpec::Pieces { set, capture: _ } => code.has_register(set),
        };
        has(self.start)
            && self.states.iter().all(state)
            && self.steps.iter().all(step)
            && focus
            && code.has_register(self.parts)
            && self.max.is_none_or(|(entry, max)| code.has_entry(entry) && code.has_register(max))
            && self.title.is_none_or(|title| code.has_text(title))
            && code.has_nest_ban(self.nest_ban)
    }
}

impl Validate for ConsecutiveMovesSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let ConsecutiveMovesSpec { key, quiet: _, left, right } = *self;
        (key as usize) < code.run_keys && code.has_register(left) && code.has_register(right)
    }
}

impl Validate for GameListsSpec {
    fn is_valid(&self, code: &Code) -> bool {
        let GameListsSpec { tags, tags_in_variations: _, lists } = self;
        tags.iter().all(|tag| code.has_variable(tag.0))
            && lists.iter().all(|list| list.is_valid(code))
    }
}

impl Validate for GameListSpec {
    fn is_valid(&self, code: &Code) -> bool {
        self.body.is_valid(code)
            && self.images.is_none_or(|images| code.has(images))
            && self.counted.iter().all(|(bodies, _)| bodies.iter().all(|body| body.is_valid(code)))
    }
}

impl Validate for CountedBody {
    fn is_valid(&self, code: &Code) -> bool {
        let CountedBody { entry, tied: _, prefilter } = *self;
        code.has_entry(entry) && prefilter.is_none_or(|prefilter| code.has(prefilter))
    }
}

impl Validate for StepsSpec {
    fn is_valid(&self, code: &Code) -> bool {
        self.entries.iter().all(|entry| code.has_entry(*entry))
    }
}

impl Validate for PairsSpec {
    fn is_valid(&self, code: &Code) -> bool {
        code.has_registers(self.first, self.sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str) -> Code {
        let query = babson_lang::analyze(query, babson_lang::Dialect::CQLI);
        let query = query.expect("the query is sound").query;
        let options = crate::CompileOptions::default();
        let code = crate::compile::compile(&query, &options, crate::compile::Conditions::Used)
            .expect("the query is small");
        assert_eq!(fault(&code), None);
        code
    }

    #[test]
    fn operands_beyond_the_end_are_found() {
        let mut code = code("check");
        let beyond = Pc::new(code.ops.len());
        code.ops.push(Op::Check { fail: beyond.next() });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Check")));
        code.ops.pop();
        code.registers = 0;
        code.ops.push(Op::Copy { dst: Register::FIRST, src: Register::FIRST });
        assert!(fault(&code).is_some_and(|fault| fault.contains("Copy")));
    }

    /// The fault of a query's code after a change.
    fn fault_after(query: &str, change: impl FnOnce(&mut Code, Register)) -> Option<String> {
        let mut code = code(query);
        let beyond = Register::new(code.registers).expect("a small program");
        change(&mut code, beyond);
        fault(&code)
    }

    #[test]
    fn registers_beyond_the_end_are_found_in_tables() {
        let found = |fault: Option<String>, name: &str| assert_eq!(fault.as_deref(), Some(name));
        found(
            fault_after("move from K", |code, beyond| code.moves[Id::new(0)].from = beyond.into()),
            "move 0",
        );
        let query = "(up 1 K)--";
        found(
            fault_after(query, |code, beyond| {
                code.dashes[Id::new(0)].left = DashOperand::Register(beyond)
            }),
            "dash 0",
        );
        found(
            fault_after("path K-- check", |code, beyond| code.paths[Id::new(0)].parts = beyond),
            "path 0",
        );
        let query = "path focus (up 1 K) -- --";
        let focus = |code: &mut Code, set| {
            code.paths[Id::new(0)].focus = FocusSpec::Pieces { set, capture: false }
        };
        found(fault_after(query, focus), "path 0");
        let query = "find 1 mate ply>9 find tag \"Event\" ~~ \"a\"";
        found(
            fault_after(query, |code, beyond| code.once[Id::new(0)].value = beyond),
            "filter evaluated once 0",
        );
        let query = "square x in A {message(\"x\" x)}";
        let var = |code: &mut Code, var| {
            let part = code.parts.iter_mut().find_map(|part| match part {
                TextSegment::Variable { var, .. } => Some(var),
                TextSegment::Constant(_) => None,
            });
            *part.expect("a variable") = var;
        };
        assert!(fault_after(query, var).is_some_and(|fault| fault.starts_with("part ")));
    }

    #[test]
    fn labels_and_entries_beyond_the_end_are_found_in_tables() {
        let lines = |code: &mut Code, _| code.lines[Id::new(0)].states[0].next.push(1_000);
        assert_eq!(fault_after("line --> check --> mate", lines).as_deref(), Some("line 0"));
        let entry = |code: &mut Code, _| code.lines[Id::new(0)].states[0].entry = Id::new(1_000);
        assert_eq!(fault_after("line --> check --> mate", entry).as_deref(), Some("line 0"));
        let pc =
            |code: &mut Code, _: Register| code.entries[Id::new(0)].pc = Pc::new(code.ops.len());
        assert_eq!(fault_after("check", pc).as_deref(), Some("entry point 0"));
        let dash = |code: &mut Code, _| code.paths[Id::new(0)].steps[0].dash = Id::new(1_000);
        assert_eq!(fault_after("path K-- check", dash).as_deref(), Some("path 0"));
    }
}
