//! The token pass: from lexemes to the terminals of the grammar.
//!
//! The grammar is context-free. Where the meaning of a lexeme depends on unbounded context at its
//! left or on whitespace, this pass gives it a terminal of its own. The rules are in
//! docs/src/language/reading.md#tokens-that-depend-on-their-surroundings.

mod brackets;
mod name_table;
mod pass;
pub(crate) mod terminal;

use std::collections::HashSet;

use crate::dialect::Dialect;
use crate::lexer::Lexeme;
use crate::speculation::Choice;
pub(crate) use brackets::{BracketPair, match_brackets};
pub(crate) use name_table::NameTable;
use terminal::Terminal;

/// A terminal between the offsets of its first and last byte, as lalrpop takes it.
pub(crate) type SpannedTerminal<'s> = (u32, Terminal<'s>, u32);

/// Runs the pass. `second` are the choices whose tokens get the second reading
/// (docs/src/language/reading.md#tokens-with-two-readings). The text ends with `source`.
pub(crate) fn tokens<'s>(
    source: &'s str,
    lexemes: &[Lexeme],
    pairs: &[BracketPair],
    names: &NameTable<'s>,
    dialect: Dialect,
    second: &HashSet<Choice>,
) -> Vec<SpannedTerminal<'s>> {
    pass::TokenPass::new(source, lexemes, pairs, names, dialect, second).run()
}
