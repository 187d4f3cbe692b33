//! Instructions with effects: comments, messages, tags, sort keys, files, commands.

use babson_lang::hir::Type;

use super::SLOW_OP_STEPS;
use crate::machine::state::{LogEntry, LogKind};
use crate::machine::{Run, Stop};
use crate::op::{Id, Pc};

#[inline(always)]
pub(super) fn mark(run: &mut Run<'_, '_>) -> u64 {
    run.state.mark()
}

#[inline(always)]
pub(super) fn rollback(run: &mut Run<'_, '_>, mark: u64, text: bool) {
    if !run.context.options.always_comment {
        run.state.roll_back(mark, text);
    }
}

#[inline(never)]
pub(super) fn sort(run: &mut Run<'_, '_>, key: u16, value: u64, mark: u64, text: bool) {
    run.sort(key, value, mark, text);
}

#[inline(never)]
pub(super) fn comment(run: &mut Run<'_, '_>, at: Pc, text: u64) -> Result<(), Stop> {
    run.check_memory(at)?;
    run.comment_at(run.here.node, text);
    Ok(())
}

#[inline(never)]
pub(super) fn field(
    run: &mut Run<'_, '_>,
    at: Pc,
    name: Id<String>,
    value: u64,
    ty: Type,
) -> Result<(), Stop> {
    run.check_memory(at)?;
    let kind = LogKind::Field { name, ty };
    run.state.log_entry(LogEntry { node: run.here.node, kind, text: value });
    Ok(())
}

#[inline(never)]
pub(super) fn message(run: &mut Run<'_, '_>, at: Pc, text: u64, quiet: bool) -> Result<(), Stop> {
    run.charge(at, SLOW_OP_STEPS)?;
    run.message(text, quiet);
    if run.outcome.messages.len() > run.state.memory {
        return run.out_of_memory(at);
    }
    Ok(())
}

#[inline(never)]
pub(super) fn set_tag(run: &mut Run<'_, '_>, name: Id<String>, text: u64) {
    run.set_tag(name, text);
}

#[inline(never)]
pub(super) fn remove_tag(run: &mut Run<'_, '_>, name: Id<String>) {
    run.remove_tag(name);
}

#[inline(never)]
pub(super) fn write_file(run: &mut Run<'_, '_>, at: Pc, name: u64, text: u64) -> Result<(), Stop> {
    run.write_file(at, name, text)
}

#[inline(never)]
pub(super) fn command_pipe(
    run: &mut Run<'_, '_>,
    at: Pc,
    request: u64,
    pipe: Id<Box<[String]>>,
) -> Result<Option<u64>, Stop> {
    run.command_pipe(at, pipe, request)
}
