//! Instructions about variables and dictionaries.

use babson_chess::SquareSet;
use babson_lang::hir::{Dictionary, Update};

use super::SLOW_OP_STEPS;
use super::registers::number;
use crate::filters::numbers;
use crate::machine::{Run, Stop};
use crate::op::{Id, MissingKey, OptionalRegister, Pc, Register, TextSegment};

#[inline(always)]
pub(super) fn load(run: &mut Run<'_, '_>, at: Pc, var: Register) -> Result<u64, Stop> {
    require_bound(run, at, var)?;
    Ok(run.state.registers[var])
}

#[inline(always)]
pub(super) fn store(run: &mut Run<'_, '_>, var: Register, value: u64) {
    run.state.registers[var] = value;
    run.state.bound[var.index()] = true;
}

#[inline(always)]
pub(super) fn update(
    run: &mut Run<'_, '_>,
    at: Pc,
    var: Register,
    operand: u64,
    op: Update,
) -> Result<bool, Stop> {
    require_bound(run, at, var)?;
    let old = run.state.registers[var];
    let new = match op {
        Update::Number(op) => numbers::arithmetic(op, number(old), number(operand))
            .map(|value| u64::from(value as u32)),
        Update::Append => Some(run.concat(old, operand)),
        Update::Union => Some(old | operand),
        Update::Intersection => Some(old & operand),
    };
    if let Some(new) = new {
        run.state.registers[var] = new;
    }
    run.check_memory(at)?;
    Ok(new.is_some())
}

#[inline(always)]
pub(super) fn defer_text(run: &mut Run<'_, '_>, var: Register, place: Register) {
    run.defer_text(var, place);
}

#[inline(never)]
pub(super) fn make_text(
    run: &mut Run<'_, '_>,
    at: Pc,
    var: Register,
    place: Register,
    first: Id<TextSegment>,
    len: u16,
) -> Result<(), Stop> {
    run.make_text(var, place, first, len);
    run.check_memory(at)
}

#[inline(always)]
pub(super) fn unbind(run: &mut Run<'_, '_>, var: Register) {
    run.state.bound[var.index()] = false;
}

#[inline(always)]
pub(super) fn is_bound(run: &mut Run<'_, '_>, var: Register) -> bool {
    run.state.bound[var.index()]
}

#[inline(always)]
pub(super) fn require_unbound(run: &mut Run<'_, '_>, at: Pc, var: Register) -> Result<(), Stop> {
    if is_bound(run, var) {
        let name = &run.program.code.vars[var.index()].name;
        let message = format!("the loop variable {name} is already bound");
        return run.stop(at, "loop", message, false);
    }
    Ok(())
}

#[inline(always)]
pub(super) fn require_bound(run: &mut Run<'_, '_>, at: Pc, var: Register) -> Result<(), Stop> {
    if is_bound(run, var) { Ok(()) } else { run.unbound(at, var) }
}

#[inline(always)]
pub(super) fn bind_piece(run: &mut Run<'_, '_>, var: Register, set: u64) -> bool {
    match run.piece_on(set) {
        Some(piece) => {
            store(run, var, piece);
            true
        }
        None => false,
    }
}

#[inline(always)]
pub(super) fn piece_number(_: &mut Run<'_, '_>, piece: u64) -> u64 {
    piece
}

#[inline(always)]
pub(super) fn piece_square(run: &mut Run<'_, '_>, at: Pc, var: Register) -> Result<u64, Stop> {
    let piece = load(run, at, var)? as u8;
    Ok(run.square_of(piece).map_or(0, |square| SquareSet::of(square).0))
}

#[inline(always)]
pub(super) fn lookup(
    run: &mut Run<'_, '_>,
    at: Pc,
    key: OptionalRegister,
    dictionary: Id<Dictionary>,
) -> Result<Option<u64>, Stop> {
    let value = run.lookup(dictionary, key);
    run.check_memory(at)?;
    Ok(value)
}

#[inline(always)]
pub(super) fn store_key(
    run: &mut Run<'_, '_>,
    at: Pc,
    key: OptionalRegister,
    value: u64,
    dictionary: Id<Dictionary>,
    op: Option<Update>,
    missing: MissingKey,
) -> Result<bool, Stop> {
    run.charge(at, SLOW_OP_STEPS)?;
    run.store_key(at, dictionary, key, value, op, missing)
}

#[inline(always)]
pub(super) fn erase(
    run: &mut Run<'_, '_>,
    at: Pc,
    key: OptionalRegister,
    dictionary: Id<Dictionary>,
) -> Result<(), Stop> {
    run.erase(at, dictionary, key)
}

#[inline(always)]
pub(super) fn entries(run: &mut Run<'_, '_>, dictionary: Id<Dictionary>) -> u64 {
    run.state.carryover.dictionaries[dictionary.index()].len() as u64
}

#[inline(always)]
pub(super) fn next_key(
    run: &mut Run<'_, '_>,
    at: Pc,
    key_loop: Register,
    var: Register,
    dictionary: Id<Dictionary>,
) -> Result<bool, Stop> {
    run.step(at)?;
    let key = run.next_key(at, dictionary, key_loop)?;
    if let Some(key) = key {
        store(run, var, key);
    }
    run.check_memory(at)?;
    Ok(key.is_some())
}
