//! The token pass: from lexemes to the terminals of the grammar.
//!
//! The grammar is context-free. Where the meaning of a lexeme depends on unbounded context at its
//! left or on whitespace, this pass gives it a terminal of its own. The rules are in
//! docs/src/language/reading.md#tokens-that-depend-on-their-surroundings.

mod balance;
mod brackets;
mod name_table;
mod pass;
pub(crate) mod terminal;
#[cfg(test)]
mod tests;

pub(crate) use balance::balanced;
pub(crate) use brackets::{BracketPair, match_brackets};
pub(crate) use name_table::NameTable;
pub(crate) use pass::{Cursor, tokens};
use terminal::Terminal;

/// A terminal between the offsets of its first and last byte, as lalrpop takes it.
pub(crate) type SpannedTerminal<'s> = (u32, Terminal<'s>, u32);
