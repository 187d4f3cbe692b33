//! The pass itself: from left to right over the lexemes, with a stack of frames, one per open
//! bracket. The rules are in
//! docs/src/language/reading.md#tokens-that-depend-on-their-surroundings.

mod brackets;
mod keywords;
mod numbers;
mod open_filters;
mod operands;
mod parameters;
mod symbols;
mod virtual_brackets;

use std::collections::HashSet;

use super::SpannedTerminal;
use super::brackets::BracketPair;
use super::name_table::NameTable;
use super::terminal::Terminal;
use crate::diagnostic::Span;
use crate::dialect::Dialect;
use crate::keywords::{Keyword, KeywordOrigin};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind};
use crate::speculation::{Choice, ChoiceKind};
use open_filters::{DashState, OpenFilter, Region};

/// The state inside one pair of brackets.
struct BracketFrame {
    /// The brackets of a message list, in which a string is an item.
    message: bool,
    /// A `///` filter, which ends with its line.
    line_comment: bool,
    /// The brackets of an index or a slice.
    bracket: bool,
    /// The parentheses of a group of constituents of `path`.
    path_group: bool,
    /// The filters that expect further operands, outermost first.
    opens: Vec<OpenFilter>,
    /// The number of `path` filters among them.
    paths: usize,
    /// The region while no filter is open.
    region: Region,
    /// The number of `imagine` filters whose `:` has not been read.
    imagines: u32,
    /// The `-->` of a `piece` of `imagine` has not been read.
    placing: bool,
}

impl BracketFrame {
    fn new() -> BracketFrame {
        BracketFrame {
            message: false,
            line_comment: false,
            bracket: false,
            path_group: false,
            opens: Vec::new(),
            paths: 0,
            region: Region::None,
            imagines: 0,
            placing: false,
        }
    }

    fn has_open_if(&self) -> bool {
        self.opens.iter().any(|open| matches!(open, OpenFilter::If { .. }))
    }
}

/// The range that a token can be part of, as in `up 1 3 K` or `find 2 all F`.
#[derive(Clone, Copy, Default)]
struct RangeContext {
    /// The number of bounds that the range can still take.
    bounds: u8,
    /// The previous token is `find` or a parameter of it.
    in_find: bool,
}

impl RangeContext {
    /// After a keyword that takes a range.
    const BEGIN: RangeContext = RangeContext { bounds: 2, in_find: false };
    /// After `find`, whose other parameters can precede its range.
    const FIND: RangeContext = RangeContext { bounds: 2, in_find: true };

    fn after_bound(self) -> RangeContext {
        RangeContext { bounds: self.bounds.saturating_sub(1), ..self }
    }
}

/// The state of the pass. Methods that read the lexeme at `i` return the index of the next one to
/// read; `at` is the end of the lexeme before `i`.
pub(super) struct TokenPass<'s, 'a> {
    source: &'s str,
    lexemes: &'a [Lexeme],
    pairs: &'a [BracketPair],
    names: &'a NameTable<'s>,
    dialect: Dialect,
    second: &'a HashSet<Choice>,
    /// The tokens so far.
    out: Vec<SpannedTerminal<'s>>,
    /// For each token that closes a bracket, the index of the opening token; else `usize::MAX`.
    opener: Vec<usize>,
    /// The indices of the tokens that open brackets which are not closed.
    open_tokens: Vec<usize>,
    /// One per open bracket and `///` filter, outermost first, after one for the text itself.
    frames: Vec<BracketFrame>,
    /// The range that the next token can be part of.
    range: RangeContext,
    /// Whether the current lexeme follows a dash.
    dash_state: DashState,
    /// The last filter that can take a search string is an item of a message list.
    is_item: bool,
    /// The current lexeme is a `:` inside the operand of a parameter.
    operand_colon: bool,
}

impl<'s, 'a> TokenPass<'s, 'a> {
    pub(super) fn new(
        source: &'s str,
        lexemes: &'a [Lexeme],
        pairs: &'a [BracketPair],
        names: &'a NameTable<'s>,
        dialect: Dialect,
        second: &'a HashSet<Choice>,
    ) -> TokenPass<'s, 'a> {
        TokenPass {
            source,
            lexemes,
            pairs,
            names,
            dialect,
            second,
            out: Vec::with_capacity(lexemes.len() + 8),
            opener: Vec::new(),
            open_tokens: Vec::new(),
            frames: vec![BracketFrame::new()],
            range: RangeContext::default(),
            dash_state: DashState::None,
            is_item: false,
            operand_colon: false,
        }
    }

    pub(super) fn run(mut self) -> Vec<SpannedTerminal<'s>> {
        let mut i = 0;
        while i < self.lexemes.len() {
            i = self.step(i);
        }
        let end = self.source.len() as u32;
        while self.top().line_comment {
            self.end_line_comment(end);
        }
        self.close_all(end);
        self.out
    }

    fn top(&mut self) -> &mut BracketFrame {
        if self.frames.is_empty() {
            self.frames.push(BracketFrame::new());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn text(&self, i: usize) -> &'s str {
        self.lexemes.get(i).map_or("", |l| l.span.text(self.source))
    }

    fn kind(&self, i: usize) -> Option<LexemeKind> {
        self.lexemes.get(i).map(|l| l.kind)
    }

    fn class(&self, i: usize) -> Option<LexemeClass> {
        self.kind(i).map(LexemeKind::class)
    }

    fn is_adjacent(&self, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|l| l.adjacent)
    }

    fn prev(&self) -> Option<&Terminal<'s>> {
        self.out.last().map(|t| &t.1)
    }

    fn prev2(&self) -> Option<&Terminal<'s>> {
        self.out.len().checked_sub(2).map(|i| &self.out[i].1)
    }

    fn push(&mut self, span: Span, tok: Terminal<'s>) {
        self.out.push((span.start, tok, span.end));
        self.opener.push(usize::MAX);
    }

    /// Pushes one token for the lexemes i..j; returns j.
    fn take(&mut self, i: usize, j: usize, tok: Terminal<'s>) -> usize {
        let last = j.saturating_sub(1).max(i).min(self.lexemes.len() - 1);
        let span = self.lexemes[i].span.to(self.lexemes[last].span);
        if matches!(tok, Terminal::Searchable(_) | Terminal::Hhdb(_)) {
            self.is_item = self.begins_item();
        }
        self.open_filters_of(&tok, j);
        self.push(span, tok);
        j
    }

    /// Whether the lexeme, if it is a choice of this kind, gets the second reading.
    fn second(&self, kind: ChoiceKind, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|lexeme| self.second.contains(&kind.at(lexeme.span)))
    }

    /// Whether an item of a message list begins here.
    fn begins_item(&mut self) -> bool {
        let top = self.top();
        top.message
            && top.opens.is_empty()
            && (self.prev_ends()
                || matches!(self.prev(), Some(Terminal::Call | Terminal::LineComment)))
    }

    /// Whether the next token belongs to a `path`, perhaps as an operand inside it.
    fn path_level(&mut self) -> bool {
        let top = self.top();
        top.paths > 0 || top.path_group
    }

    /// The keyword with this spelling, unless the query uses the word as a name
    /// (docs/src/language/reading.md#keywords-and-names).
    fn keyword(&self, word: &str) -> Option<Keyword> {
        let keyword = Keyword::from_word(word)?;
        let contextual = match keyword.origin() {
            KeywordOrigin::Both => false,
            KeywordOrigin::Cqli => true,
            KeywordOrigin::Babson if !self.dialect.own_words => return None,
            KeywordOrigin::Babson => true,
            KeywordOrigin::Cql6 => self.dialect.contextual_keywords,
        };
        if contextual && self.names.is_bound(word) { None } else { Some(keyword) }
    }

    /// Reads the lexeme at `i`, after it has ended the filters that cannot go on with it.
    fn step(&mut self, i: usize) -> usize {
        let lexeme = self.lexemes[i];
        let at = i.checked_sub(1).map_or(lexeme.span.start, |p| self.lexemes[p].span.end);
        if lexeme.newline && self.top().line_comment {
            self.end_line_comment(at);
        }
        if lexeme.empty_line {
            self.close_paths(at);
        }
        let dash = lexeme.kind.class() == LexemeClass::Dash;
        if self.top().paths > 0 && !dash && self.second(ChoiceKind::PathOperator, i) {
            self.end_path(at);
        }
        self.complete_filters(i, at);
        self.open_virtual_brackets(i);
        let range = std::mem::take(&mut self.range);
        self.lexeme(i, at, range)
    }

    /// Whether the `(` at `i` begins the arguments of a function that the query declares.
    fn after_function(&self, i: usize) -> bool {
        let Some(Terminal::Name(name)) = self.prev() else {
            return false;
        };
        self.names.is_function(name) || self.is_adjacent(i) && !self.names.is_bound(name)
    }

    /// Whether the previous token is the name of a dictionary.
    fn after_dictionary(&self) -> bool {
        matches!(self.prev(), Some(Terminal::Name(name)) if self.names.is_dictionary(name))
    }
}
