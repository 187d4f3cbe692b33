//! The last pass over the code. Afterwards no jump leads to a jump or to the next instruction, and
//! there is no unreachable code.

use babson_lang::diagnostic::Span;

use crate::op::{EntryPoint, Op, Pc, Table};

/// Simplifies the code; `spans` is parallel to `ops`.
pub(super) fn simplify(ops: &mut Vec<Op>, spans: &mut Vec<Span>, entries: &mut Table<EntryPoint>) {
    loop {
        thread(ops, entries);
        let mut kept = reachable(ops, entries);
        let changed = drop_jumps(ops, &mut kept);
        compact(ops, spans, entries, &kept);
        // A jump that became a `return` may have been the last one to reach its target.
        if !changed {
            return;
        }
    }
}

/// Replaces each label and entry that leads to a jump by the target of the jump.
fn thread(ops: &mut [Op], entries: &mut Table<EntryPoint>) {
    let threaded = |ops: &[Op], mut pc: Pc| {
        // Jumps in a circle are left alone.
        for _ in 0..ops.len() {
            match ops.get(pc.index()) {
                Some(&Op::Jump { to }) => pc = to,
                Some(_) | None => return pc,
            }
        }
        pc
    };
    for at in 0..ops.len() {
        ops[at] = ops[at].relabel(|label| threaded(ops, label));
    }
    for entry in entries.iter_mut() {
        entry.pc = threaded(ops, entry.pc);
    }
}

/// Which instructions can be reached.
pub(crate) fn reachable(ops: &[Op], entries: &Table<EntryPoint>) -> Vec<bool> {
    let mut reached = vec![false; ops.len()];
    let mut next: Vec<Pc> = entries.iter().map(|entry| entry.pc).collect();
    while let Some(pc) = next.pop() {
        let Some(&op) = ops.get(pc.index()) else { continue };
        if !std::mem::replace(&mut reached[pc.index()], true) {
            next.extend(op.label());
            if !op.ends_block() {
                next.push(pc.next());
            }
        }
    }
    reached
}

/// Drops jumps to the next instruction, and replaces other jumps to a `return` by a `return`.
/// Returns whether it replaced any.
fn drop_jumps(ops: &mut [Op], kept: &mut [bool]) -> bool {
    let mut changed = false;
    // The next instruction that is kept.
    let mut following = ops.len();
    for at in (0..ops.len()).rev() {
        if !kept[at] {
            continue;
        }
        if let Op::Jump { to } = ops[at] {
            if to.index() == following {
                kept[at] = false;
                continue;
            }
            if let Some(&Op::Return { matched }) = ops.get(to.index()) {
                ops[at] = Op::Return { matched };
                changed = true;
            }
        }
        following = at;
    }
    changed
}

/// Removes the instructions that are not kept.
fn compact(
    ops: &mut Vec<Op>,
    spans: &mut Vec<Span>,
    entries: &mut Table<EntryPoint>,
    kept: &[bool],
) {
    // The new place of each instruction. A removed instruction gets the place of the next one, so
    // that jumps to it go there.
    let mut moved = Vec::with_capacity(ops.len());
    let mut count = 0;
    for &kept in kept {
        moved.push(Pc::new(count));
        count += usize::from(kept);
    }
    let moved = |pc: Pc| moved.get(pc.index()).copied().unwrap_or(Pc::new(count));
    let mut keep = kept.iter();
    ops.retain(|_| keep.next() == Some(&true));
    let mut keep = kept.iter();
    spans.retain(|_| keep.next() == Some(&true));
    for op in ops {
        *op = op.relabel(moved);
    }
    for entry in entries.iter_mut() {
        entry.pc = moved(entry.pc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simplified(mut ops: Vec<Op>) -> Vec<Op> {
        let mut spans = vec![Span::default(); ops.len()];
        let mut entries = Table::default();
        entries.push(EntryPoint { pc: Pc::new(0), name: "query" });
        simplify(&mut ops, &mut spans, &mut entries);
        assert_eq!(ops.len(), spans.len());
        ops
    }

    fn jump(to: usize) -> Op {
        Op::Jump { to: Pc::new(to) }
    }

    fn check(fail: usize) -> Op {
        Op::Check { fail: Pc::new(fail) }
    }

    fn debug(ops: &[Op]) -> String {
        format!("{ops:#?}")
    }

    const YES: Op = Op::Return { matched: true };
    const NO: Op = Op::Return { matched: false };

    #[test]
    fn tests_skip_jumps() {
        let code = vec![check(2), YES, jump(4), NO, check(5), NO];
        assert_eq!(debug(&simplified(code)), debug(&[check(2), YES, check(3), NO]));
    }

    #[test]
    fn jumps_to_the_next_instruction_are_left_out() {
        assert_eq!(
            debug(&simplified(vec![check(1), jump(2), jump(3), YES])),
            debug(&[check(1), YES])
        );
    }

    #[test]
    fn a_jump_to_a_return_is_one() {
        let code = vec![check(2), jump(4), check(4), NO, YES];
        assert_eq!(debug(&simplified(code)), debug(&[check(2), YES, check(4), NO, YES]));
    }

    #[test]
    fn circles_of_jumps_stay() {
        let code = simplified(vec![check(2), YES, jump(3), jump(2)]);
        assert!(matches!(code[..], [_, _, Op::Jump { .. }, ..]), "{code:?}");
    }
}
