//! Instructions of strings, comments, tags and messages.

use super::{COSTLY, reg};
use crate::machine::board::TAG;
use crate::machine::{Run, Stop, push};
use crate::op::Op;

impl Run<'_, '_> {
    /// One such instruction. Returns where evaluation goes on, if not behind it.
    #[inline(never)]
    pub(super) fn text(&mut self, at: usize, op: Op) -> Result<Option<u32>, Stop> {
        match op {
            Op::InText { a, b, fail } => {
                let (a, b) = (reg!(self, a), reg!(self, b));
                if !self.holds_text(a, b) {
                    return Ok(Some(fail));
                }
            }
            Op::MakeText { var, place, first, len } => {
                self.make_text(var, place, first, len);
                self.check_memory(at)?;
            }
            Op::Best { best, value, min, text } => self.best(best, value, min, text),
            Op::Tag { dst, name, fail } => {
                self.state.pay_steps(TAG);
                match self.tag(&self.program.code.names[name as usize]) {
                    Some(text) => reg!(self, dst) = self.state.intern(&text),
                    None => return Ok(Some(fail)),
                }
            }
            Op::CharAt { dst, text, index, fail } => match self.char_at(text, index) {
                Some(value) => reg!(self, dst) = value,
                None => return Ok(Some(fail)),
            },
            Op::Slice { dst, text, from, to } => {
                let value = self.slice(text, from, to);
                reg!(self, dst) = value;
            }
            Op::Splice { var, from, to, value, single, fail } => {
                match self.splice(var, from, to, value, single) {
                    Some(text) => reg!(self, var) = text,
                    None => return Ok(Some(fail)),
                }
                self.check_memory(at)?;
            }
            Op::Match { dst, text, pattern, literal, fail } => {
                let text = reg!(self, text);
                match self.find_match(at, text, 0, pattern, literal)? {
                    Some(found) => reg!(self, dst) = self.part(text, found),
                    None => return Ok(Some(fail)),
                }
            }
            Op::MatchNext { cursor, pattern, literal, done } => {
                self.step(at)?;
                if !self.next_match(at, cursor, pattern, literal)? {
                    return Ok(Some(done));
                }
            }
            Op::Group { dst, number, fail } => match self.group(at, number)? {
                Some(range) => reg!(self, dst) = self.part(self.state.group_text, range),
                None => return Ok(Some(fail)),
            },
            Op::GroupIndex { dst, number, fail } => match self.group(at, number)? {
                Some(range) => reg!(self, dst) = self.group_index(range),
                None => return Ok(Some(fail)),
            },
            Op::Sort { key, value, mark, text } => self.sort(key, value, mark, text),
            Op::Comment { text } => {
                self.check_memory(at)?;
                self.comment_at(self.here.node, reg!(self, text));
            }
            Op::Message { text, quiet } => {
                self.charge(at, COSTLY)?;
                self.message(reg!(self, text), quiet);
                if self.outcome.messages.len() > self.state.memory {
                    return self.out_of_memory(at);
                }
            }
            Op::SetTag { name, text } => self.set_tag(name, reg!(self, text)),
            Op::RemoveTag { name } => self.remove_tag(name),
            Op::WriteFile { name, text } => {
                self.write_file(at, reg!(self, name), reg!(self, text))?;
            }
            Op::CommandPipe { dst, request, pipe, fail } => {
                match self.command_pipe(at, pipe, reg!(self, request))? {
                    Some(answer) => reg!(self, dst) = answer,
                    None => return Ok(Some(fail)),
                }
            }
            Op::AssertFailed => {
                let position = self.here.id;
                let message = format!("the assertion failed at position {position}");
                return self.stop(at, "assert", message, true);
            }
            Op::TextStart => {
                let start = self.state.kept.scratch.len();
                if !push(&mut self.state.scratch_starts, start) {
                    self.state.overflow();
                }
            }
            Op::Append { value, ty } => self.append(reg!(self, value), ty),
            Op::AppendText { value } => self.append_text(reg!(self, value)),
            Op::TextEnd { dst } => {
                let text = self.text_end();
                reg!(self, dst) = text;
                self.check_memory(at)?;
            }
            // The loop hands on what it does not know itself: an instruction without an arm in any
            // of the three would come here.
            other => {
                let message = format!("no such instruction: {other:?}");
                return self.stop(at, "internal", message, true);
            }
        }
        Ok(None)
    }
}
