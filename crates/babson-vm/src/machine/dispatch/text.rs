//! Instructions of strings.

use babson_lang::hir::Type;

use super::registers::number;
use crate::machine::board::TAG_STEPS;
use crate::machine::{Run, Stop, push};
use crate::op::{Id, Pc, RegexOperand, Register, TextSegment};

#[inline(never)]
pub(super) fn in_text(run: &mut Run<'_, '_>, part: u64, whole: u64) -> bool {
    run.holds_text(part, whole)
}

#[inline(never)]
pub(super) fn tag(run: &mut Run<'_, '_>, name: Id<String>) -> Option<u64> {
    run.state.pay_steps(TAG_STEPS);
    let text = run.tag(&run.program.code.names[name])?;
    Some(run.state.intern(&text))
}

#[inline(never)]
pub(super) fn char_at(run: &mut Run<'_, '_>, text: u64, index: u64) -> Option<u64> {
    run.char_at(text, number(index))
}

#[inline(never)]
pub(super) fn slice(run: &mut Run<'_, '_>, text: u64, from: Option<u64>, to: Option<u64>) -> u64 {
    run.slice(text, from.map(number), to.map(number))
}

#[inline(never)]
pub(super) fn splice(
    run: &mut Run<'_, '_>,
    at: Pc,
    var: Register,
    from: Option<u64>,
    to: Option<u64>,
    value: u64,
    single: bool,
) -> Result<bool, Stop> {
    let old = run.state.registers[var];
    let Some(text) = run.splice(old, from.map(number), to.map(number), value, single) else {
        return Ok(false);
    };
    run.state.registers[var] = text;
    run.check_memory(at)?;
    Ok(true)
}

#[inline(never)]
pub(super) fn regex_match(
    run: &mut Run<'_, '_>,
    at: Pc,
    text: u64,
    pattern: RegexOperand,
) -> Result<Option<u64>, Stop> {
    let found = run.find_match(at, text, 0, pattern)?;
    Ok(found.map(|found| run.part(text, found)))
}

#[inline(never)]
pub(super) fn next_match(
    run: &mut Run<'_, '_>,
    at: Pc,
    cursor: Register,
    pattern: RegexOperand,
) -> Result<bool, Stop> {
    run.step(at)?;
    run.next_match(at, cursor, pattern)
}

#[inline(never)]
pub(super) fn group(run: &mut Run<'_, '_>, at: Pc, number: u8) -> Result<Option<u64>, Stop> {
    let range = run.group(at, number)?;
    Ok(range.map(|range| run.part(run.state.group_text, range)))
}

#[inline(never)]
pub(super) fn group_index(run: &mut Run<'_, '_>, at: Pc, number: u8) -> Result<Option<u64>, Stop> {
    let range = run.group(at, number)?;
    Ok(range.map(|range| run.group_index(range)))
}

#[inline(always)]
pub(super) fn parts(
    run: &mut Run<'_, '_>,
    at: Pc,
    first: Id<TextSegment>,
    len: u16,
) -> Result<u64, Stop> {
    let text = run.text_of(first, len);
    run.check_memory(at)?;
    Ok(text)
}

#[inline(never)]
pub(super) fn text_start(run: &mut Run<'_, '_>) {
    let start = run.state.carryover.scratch.len();
    if !push(&mut run.state.scratch_starts, start) {
        run.state.overflow();
    }
}

#[inline(never)]
pub(super) fn append(run: &mut Run<'_, '_>, value: u64, ty: Type) {
    run.append(value, ty);
}

#[inline(never)]
pub(super) fn append_text(run: &mut Run<'_, '_>, value: u64) {
    run.append_text(value);
}

#[inline(never)]
pub(super) fn text_end(run: &mut Run<'_, '_>, at: Pc) -> Result<u64, Stop> {
    let text = run.text_end();
    run.check_memory(at)?;
    Ok(text)
}
