//! The pass itself: from left to right over the lexemes. [`Cursor`] looks ahead, [`Output`] has the
//! tokens so far, and [`Context`] what they leave open. The rules are in
//! docs/src/language/reading.md#tokens-that-depend-on-their-surroundings.

mod brackets;
mod context;
mod cursor;
mod keywords;
mod numbers;
mod open_filters;
mod operand_starts;
mod output;
mod parameters;
mod symbols;

use super::SpannedTerminal;
use super::terminal::Terminal;
use crate::choice::ChoiceKind;
use crate::lexer::{LexemeClass, Spacing};
use context::Context;
pub(crate) use cursor::Cursor;
use output::Output;

/// The state of the pass. Methods that read the lexeme at `i` return the index of the next one to
/// read; `at` is the end of the lexeme before `i`.
struct TokenPass<'s, 'a> {
    cursor: Cursor<'s, 'a>,
    context: Context,
    output: Output<'s>,
}

/// Makes the terminals of the lexemes.
pub(crate) fn tokens<'s>(cursor: Cursor<'s, '_>) -> Vec<SpannedTerminal<'s>> {
    let output = Output::with_capacity(cursor.lexemes.len() + 8);
    let mut pass = TokenPass { cursor, context: Context::default(), output };
    let mut i = 0;
    while i < cursor.lexemes.len() {
        i = pass.step(i);
    }
    let end = cursor.source.len() as u32;
    while pass.context.top().line_comment {
        pass.end_line_comment(end);
    }
    pass.close_all(end);
    pass.output.into_tokens()
}

impl<'s> TokenPass<'s, '_> {
    /// Pushes one token for the lexemes i..j; returns j.
    fn take(&mut self, i: usize, j: usize, tok: Terminal<'s>) -> usize {
        let last = j.saturating_sub(1).max(i).min(self.cursor.lexemes.len() - 1);
        let span = self.cursor.lexemes[i].span.to(self.cursor.lexemes[last].span);
        if matches!(tok, Terminal::Searchable(_) | Terminal::Hhdb(_)) {
            self.context.is_item = self.begins_item();
        }
        self.open_filters_of(&tok, j);
        self.output.push(span, tok);
        j
    }

    /// Whether an item of a message list begins here.
    fn begins_item(&mut self) -> bool {
        let top = self.context.top();
        top.message
            && top.opens.is_empty()
            && (self.output.prev_ends()
                || matches!(self.output.prev(), Some(Terminal::Call | Terminal::LineComment)))
    }

    /// Reads the lexeme at `i`, after it has ended the filters that cannot go on with it.
    fn step(&mut self, i: usize) -> usize {
        let lexeme = self.cursor.lexemes[i];
        let at = i.checked_sub(1).map_or(lexeme.span.start, |p| self.cursor.lexemes[p].span.end);
        if lexeme.spacing >= Spacing::LineEnd && self.context.top().line_comment {
            self.end_line_comment(at);
        }
        if lexeme.spacing == Spacing::EmptyLine {
            self.close_paths(at);
        }
        let dash = lexeme.kind.class() == LexemeClass::Dash;
        if self.context.top().paths > 0 && !dash && self.cursor.second(ChoiceKind::PathOperator, i)
        {
            self.end_path(at);
        }
        self.complete_filters(i, at);
        self.open_virtual_brackets(i);
        let range = std::mem::take(&mut self.context.range);
        self.lexeme(i, at, range)
    }

    /// Whether the `(` at `i` begins the arguments of a function that the query declares.
    fn after_function(&self, i: usize) -> bool {
        let Some(Terminal::Name(name)) = self.output.prev() else {
            return false;
        };
        self.cursor.names.is_function(name)
            || self.cursor.is_adjacent(i) && !self.cursor.names.is_bound(name)
    }

    /// Whether the previous token is the name of a dictionary.
    fn after_dictionary(&self) -> bool {
        matches!(self.output.prev(), Some(Terminal::Name(name)) if self.cursor.names.is_dictionary(name))
    }
}
