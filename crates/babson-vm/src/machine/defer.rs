//! Texts that are made only when they are read (see `compile::defer`).

use super::Run;
use super::imagine::Spot;
use crate::op::{Id, Register, TextSegment};

/// What the second register of a text holds after it was made, in place of the depth.
const MADE: u64 = u64::MAX;

impl Run<'_, '_> {
    /// Notes in two registers the view in which the text of the variable is to be made.
    #[inline]
    pub(super) fn defer_text(&mut self, var: Register, place: Register) {
        let [first, second] = self.spot().packed();
        self.state.registers[place] = first;
        self.state.registers[place + 1] = second;
        self.state.bound[var.index()] = true;
    }

    /// Makes the text of the variable, unless it is made already.
    pub(super) fn make_text(
        &mut self,
        var: Register,
        place: Register,
        first: Id<TextSegment>,
        len: u16,
    ) {
        let noted = [self.state.registers[place], self.state.registers[place + 1]];
        if noted[1] == MADE {
            return;
        }
        let here = self.here;
        self.here = self.at_spot(Spot::unpacked(noted));
        let text = self.text_of(first, len);
        self.here = here;
        self.state.registers[var] = text;
        self.state.registers[place + 1] = MADE;
    }
}
