//! Strings, printed values and messages.

use std::io::Write as _;

use babson_chess::{Color, SquareSet};
use babson_lang::hir::{CommentLevel, Type};

use super::{Run, extend};
use crate::filters::strings::{self, Unit};
use crate::filters::text;
use crate::op::{Id, TextSegment};
use crate::packed::{fits_text, pack_text};

impl Run<'_, '_> {
    pub(super) fn unit(&self) -> Unit {
        if self.program.dialect.unicode_strings { Unit::Character } else { Unit::Byte }
    }

    /// Charges for finding a character by its number, which takes no work for bytes.
    pub(super) fn pay_units(&mut self, text: u64) {
        if self.unit() == Unit::Byte {
            return;
        }
        if self.state.bytes(text).is_ascii() {
            self.state.pay_text(text);
        } else {
            self.state.pay_singly(text);
        }
    }

    /// A part of a string, without a copy.
    pub(super) fn part(&self, whole: u64, range: std::ops::Range<usize>) -> u64 {
        pack_text((whole >> 32) as usize + range.start, range.len())
    }

    pub(super) fn concat(&mut self, a: u64, b: u64) -> u64 {
        let (len_a, len_b) = (a as u32 as usize, b as u32 as usize);
        let (start_a, start_b) = ((a >> 32) as usize, (b >> 32) as usize);
        // A string that ends where the arena ends is extended in place.
        let at_end = start_a + len_a == self.state.text.len() && len_a > 0;
        let more = if at_end { len_b } else { len_a + len_b };
        self.state.pay(more);
        let fits = fits_text(self.state.text.len(), more);
        if !fits || self.state.text.try_reserve(more).is_err() {
            return self.state.overflow();
        }
        let mut append = |start: usize, len: usize| {
            let from = self.state.text.len();
            self.state.text.resize(from + len, 0);
            self.state.text.copy_within(start..start + len, from);
        };
        let start = if at_end {
            start_a
        } else {
            append(start_a, len_a);
            usize::MAX
        };
        append(start_b, len_b);
        let start = if at_end { start } else { self.state.text.len() - len_a - len_b };
        pack_text(start, len_a + len_b)
    }

    pub(super) fn char_at(&mut self, whole: u64, index: i32) -> Option<u64> {
        self.pay_units(whole);
        let range = strings::char_range(self.state.bytes(whole), index, self.unit())?;
        Some(self.part(whole, range))
    }

    pub(super) fn slice(&mut self, whole: u64, from: Option<i32>, to: Option<i32>) -> u64 {
        self.pay_units(whole);
        let range = strings::slice_range(self.state.bytes(whole), from, to, self.unit());
        self.part(whole, range)
    }

    /// A string after `x[i] = s`; none if the index is out of range.
    pub(super) fn splice(
        &mut self,
        old: u64,
        from: Option<i32>,
        to: Option<i32>,
        value: u64,
        single: bool,
    ) -> Option<u64> {
        self.state.pay_text(old);
        let mut text = self.state.bytes(old).to_vec();
        let value = self.state.bytes(value);
        if single {
            if !strings::assign_at(&mut text, from.unwrap_or(0), value, self.unit()) {
                return None;
            }
        } else {
            strings::assign_slice(&mut text, from, to, value, self.unit());
        }
        Some(self.state.intern(&text))
    }

    pub(super) fn text_end(&mut self) -> u64 {
        let start = self.state.scratch_starts.pop().unwrap_or(0);
        self.text_from(start)
    }

    /// A text of parts that need no evaluation.
    #[inline(never)]
    pub(super) fn text_of(&mut self, first: Id<TextSegment>, len: u16) -> u64 {
        let program = self.program;
        let start = self.state.carryover.scratch.len();
        for part in program.code.parts.run(first, usize::from(len)) {
            match *part {
                TextSegment::Constant(text) => self.append_text(text.0),
                TextSegment::Variable { var, ty, unbound } => {
                    if self.state.bound[var.index()] {
                        self.append(self.state.registers[var], ty);
                    } else {
                        self.append_text(unbound.0);
                    }
                }
            }
        }
        self.text_from(start)
    }

    /// Makes a string of what was written to the scratch since `start`.
    fn text_from(&mut self, start: usize) -> u64 {
        let offset = self.state.text.len();
        let scratch = &mut self.state.carryover.scratch;
        let len = scratch.len() - start;
        let fits = fits_text(offset, len) && extend(&mut self.state.text, &scratch[start..]);
        scratch.truncate(start);
        self.state.pay(len);
        if !fits {
            return self.state.overflow();
        }
        pack_text(offset, len)
    }

    pub(super) fn append_text(&mut self, value: u64) {
        self.state.pay_text(value);
        let (offset, len) = ((value >> 32) as usize, value as u32 as usize);
        let bytes = self.state.text.get(offset..offset + len).unwrap_or_default();
        self.state.carryover.scratch.extend_from_slice(bytes);
    }

    pub(super) fn append(&mut self, value: u64, ty: Type) {
        if ty == Type::Piece
            && let Some(square) = self.square_of(value as u8)
            && let Some(piece) = self.here.board.piece_at(square)
        {
            return text::piece(&mut self.state.carryover.scratch, piece, square);
        }
        let mut out = std::mem::take(&mut self.state.carryover.scratch);
        match ty {
            Type::Number => text::number(&mut out, value as u32 as i32),
            Type::Set => text::set(&mut out, SquareSet(value)),
            Type::Position => self.print_position(&mut out, value as u32),
            Type::Piece => {
                if self.program.dialect.absent_piece_prints {
                    out.extend_from_slice(b"[absent]");
                }
            }
            Type::String => {
                self.state.carryover.scratch = out;
                return self.append_text(value);
            }
            Type::Bool => {}
        }
        self.state.carryover.scratch = out;
    }

    /// Writes `move 3(wtm)`. In a variation adds the id, and a comment with the id at that
    /// position.
    pub(super) fn print_position(&mut self, out: &mut Vec<u8>, id: u32) {
        out.extend_from_slice(b"move ");
        text::number(out, self.number_of(id));
        let white = self.board_of(id).side() == Color::White;
        out.extend_from_slice(if white { b"(wtm)" } else { b"(btm)" });
        let node = self.node_of(id);
        if node != id {
            let _ = write!(out, "[{id}]");
        } else if self.nodes[node as usize].depth > 0 {
            let _ = write!(out, "[{node}]");
            let text = self.state.intern(format!("id:{node}").as_bytes());
            self.comment_at(node, text);
        }
    }

    pub(super) fn comment_at(&mut self, node: u32, text: u64) {
        if self.comment_level != CommentLevel::Silent {
            self.state.log(node, text);
        }
    }

    /// Whether `find`, `line` and similar filters write comments.
    pub(super) fn comments_itself(&self, quiet: bool) -> bool {
        !quiet && self.comment_level == CommentLevel::Normal
    }

    pub(super) fn message(&mut self, text: u64, quiet: bool) {
        self.state.pay_text(text);
        let mut line = Vec::new();
        if !quiet && !self.outside {
            let _ = write!(line, "Game: {} ", self.context.number);
            self.print_position(&mut line, self.here.node);
            line.extend_from_slice(b": ");
        }
        line.extend_from_slice(self.state.bytes(text));
        line.push(b'\n');
        self.outcome.messages.append(&mut line);
    }

    pub(super) fn set_tag(&mut self, name: Id<String>, text: u64) {
        if self.context.options.no_set_tag {
            return;
        }
        self.state.pay_text(text);
        let name = &self.program.code.names[name];
        let value = self.state.bytes(text).to_vec();
        self.outcome.removed_tags.retain(|tag| tag != name);
        match self.outcome.tags.iter_mut().find(|tag| tag.0 == *name) {
            Some(tag) => tag.1 = value,
            None => self.outcome.tags.push((name.clone(), value)),
        }
    }

    pub(super) fn remove_tag(&mut self, name: Id<String>) {
        if self.context.options.no_remove_tag {
            return;
        }
        let name = &self.program.code.names[name];
        self.outcome.tags.retain(|tag| tag.0 != *name);
        if !self.outcome.removed_tags.contains(name) {
            self.outcome.removed_tags.push(name.clone());
        }
    }
}
