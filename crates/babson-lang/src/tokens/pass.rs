//! Pass 2, left to right, with a stack of frames: one per open bracket. The numbers of rules are those of the grammar
//! notes, section 1.

mod brackets;
mod numbers;
mod operands;
mod regions;
mod simple;
mod words;

use std::collections::HashSet;

use super::Spanned;
use super::brackets::Pair;
use super::names::Names;
use super::token::Tok;
use crate::diagnostic::Span;
use crate::dialect::Dialect;
use crate::keywords::{Keyword, Origin};
use crate::lexer::{Lex, Lexeme};
use regions::{DashState, Region};

/// A construct that is open in a frame.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// An `if` without `else` yet: index of its token.
    If(usize),
    Path,
}

struct Frame {
    /// A list where strings are items of their own.
    message: bool,
    /// A `///` filter, which ends with its line.
    line_comment: bool,
    bracket: bool,
    path_group: bool,
    opens: Vec<Open>,
    paths: usize,
    region: Region,
    dash: DashState,
    /// `imagine`s whose `:` is still to come.
    imagines: u32,
    /// After the `piece` of an `imagine`: its `-->` is still to come.
    placing: bool,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            message: false,
            line_comment: false,
            bracket: false,
            path_group: false,
            opens: Vec::new(),
            paths: 0,
            region: Region::None,
            dash: DashState::None,
            imagines: 0,
            placing: false,
        }
    }
}

pub(super) struct Pass<'s, 'a> {
    source: &'s str,
    lexemes: &'a [Lexeme],
    pairs: &'a [Pair],
    names: &'a Names<'s>,
    dialect: Dialect,
    vetoes: &'a HashSet<Span>,
    out: Vec<Spanned<'s>>,
    /// For a token that closes a bracket: index of the opening token.
    opener: Vec<usize>,
    open_tokens: Vec<usize>,
    frames: Vec<Frame>,
    /// Ranges may still take this many bounds.
    bounds: u8,
    /// Directly after `find` and its parameters.
    in_find: bool,
    /// The dash state before the lexeme at hand.
    dash_before: DashState,
    /// The lexeme at hand begins an operand of `move` or `pin`, or stands behind a prefix filter there.
    operand_due: bool,
    /// The lexeme at hand is a `:` inside an operand of `move` or `pin`.
    operand_colon: bool,
}

impl<'s, 'a> Pass<'s, 'a> {
    pub(super) fn new(
        source: &'s str,
        lexemes: &'a [Lexeme],
        pairs: &'a [Pair],
        names: &'a Names<'s>,
        dialect: Dialect,
        vetoes: &'a HashSet<Span>,
    ) -> Pass<'s, 'a> {
        Pass {
            source,
            lexemes,
            pairs,
            names,
            dialect,
            vetoes,
            out: Vec::with_capacity(lexemes.len() + 8),
            opener: Vec::new(),
            open_tokens: Vec::new(),
            frames: vec![Frame::new()],
            bounds: 0,
            in_find: false,
            dash_before: DashState::None,
            operand_due: false,
            operand_colon: false,
        }
    }

    pub(super) fn run(mut self) -> Vec<Spanned<'s>> {
        let mut i = 0;
        while i < self.lexemes.len() {
            i = self.step(i);
        }
        let end = self.source.len() as u32;
        while self.top().line_comment {
            self.end_line_comment(end);
        }
        self.close_paths(end, usize::MAX);
        self.out
    }

    // ---- Helpers.

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new());
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn text(&self, i: usize) -> &'s str {
        self.lexemes.get(i).map_or("", |l| l.span.text(self.source))
    }

    fn kind(&self, i: usize) -> Option<Lex> {
        self.lexemes.get(i).map(|l| l.kind)
    }

    fn tied(&self, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|l| l.tied)
    }

    fn prev(&self) -> Option<&Tok<'s>> {
        self.out.last().map(|t| &t.1)
    }

    fn prev2(&self) -> Option<&Tok<'s>> {
        self.out.len().checked_sub(2).map(|i| &self.out[i].1)
    }

    fn push(&mut self, span: Span, tok: Tok<'s>) {
        self.out.push((span.start, tok, span.end));
        self.opener.push(usize::MAX);
    }

    /// Pushes one token for the lexemes i..j; returns j.
    fn take(&mut self, i: usize, j: usize, tok: Tok<'s>) -> usize {
        let last = j.saturating_sub(1).max(i).min(self.lexemes.len() - 1);
        let span = self.lexemes[i].span.to(self.lexemes[last].span);
        self.push(span, tok);
        j
    }

    fn path_level(&mut self) -> bool {
        let top = self.top();
        top.paths > 0 || top.path_group
    }

    /// The keyword of a word, unless the query uses it as a name.
    fn keyword(&self, word: &str) -> Option<Keyword> {
        let keyword = Keyword::from_word(word)?;
        let contextual = match keyword.origin() {
            Origin::Both => false,
            Origin::Cqli => true,
            Origin::Cql6 => self.dialect.contextual_keywords,
        };
        if contextual && self.names.is_bound(word) {
            None
        } else {
            Some(keyword)
        }
    }

    // ---- One step.

    fn step(&mut self, i: usize) -> usize {
        let lexeme = self.lexemes[i];
        let at = i
            .checked_sub(1)
            .map_or(lexeme.span.start, |p| self.lexemes[p].span.end);
        if lexeme.newline && self.top().line_comment {
            self.end_line_comment(at);
        }
        if lexeme.blank {
            self.close_paths(at, usize::MAX);
        }
        if self.top().paths > 0 && self.is_binary(i) && self.step_ends(i) {
            self.close_paths(at, 1);
        }
        self.dash_before = self.top().dash;
        self.upkeep(i);
        let bounds = std::mem::take(&mut self.bounds);
        let in_find = std::mem::take(&mut self.in_find);
        match lexeme.kind {
            Lex::Word => self.word(i, bounds, in_find),
            Lex::LParen => self.open_paren(i),
            Lex::LBrace => self.open(i, Tok::LBrace, Frame::new()),
            Lex::LBracket => self.open(
                i,
                Tok::LBracket,
                Frame {
                    bracket: true,
                    ..Frame::new()
                },
            ),
            Lex::RParen => self.close(i, Tok::RParen, at),
            Lex::RBrace => self.close(i, Tok::RBrace, at),
            Lex::RBracket => self.close(i, Tok::RBracket, at),
            Lex::Int => self.int(i, bounds, in_find),
            Lex::Minus => self.minus(i, bounds, in_find),
            Lex::Backward if in_find => {
                self.in_find = true;
                self.bounds = 2;
                self.take(i, i + 1, Tok::FindBack)
            }
            Lex::Forward if std::mem::take(&mut self.top().placing) => {
                self.take(i, i + 1, Tok::Gives)
            }
            Lex::Forward | Lex::Backward => {
                if self.top().region == Region::Line {
                    self.top().region = Region::None;
                }
                self.take(i, i + 1, Tok::Chain(lexeme.kind == Lex::Backward))
            }
            Lex::Dash | Lex::Capture => self.dash(i),
            _ => self.simple(i),
        }
    }

    /// Does a constituent of a path that has no target end before the lexeme? A binary operator there belongs to
    /// nothing of the path, so that the path ends (moves-and-sequences.md 7.3).
    fn step_ends(&mut self, i: usize) -> bool {
        let dash = match self.top().dash {
            DashState::Bare => true,
            DashState::AfterOperand => !self.continues(i),
            DashState::None | DashState::NeedsOperand => {
                matches!(self.prev2(), Some(Tok::Promote))
                    && matches!(self.prev(), Some(Tok::Designator(_) | Tok::Dot))
            }
        };
        let group = matches!(self.prev(), Some(Tok::RParen))
            && self
                .opener
                .last()
                .and_then(|&open| self.out.get(open))
                .is_some_and(|open| matches!(open.1, Tok::PathGroup));
        dash || group || matches!(self.prev(), Some(Tok::Wild(..)))
    }

    /// Is the `(` at i that of a call of a user's function?
    fn after_function(&self, i: usize) -> bool {
        match self.prev() {
            Some(Tok::Name(name)) => {
                self.names.is_function(name) || self.tied(i) && !self.names.is_bound(name)
            }
            _ => false,
        }
    }

    fn after_dictionary(&self) -> bool {
        matches!(self.prev(), Some(Tok::Name(name)) if self.names.is_dictionary(name))
    }
}

/// An integer literal modulo 2^32 (language.md 2.6).
fn wrap(digits: &str) -> i32 {
    digits.bytes().fold(0i32, |n, b| {
        n.wrapping_mul(10)
            .wrapping_add(i32::from(b.wrapping_sub(b'0')))
    })
}
