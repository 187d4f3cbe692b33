//! Pass 2, left to right, with a stack of frames: one per open bracket. The numbers of rules are
//! those of the grammar notes, section 1.

mod brackets;
mod numbers;
mod open;
mod operands;
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
use open::{AfterDash, Open, Region};

struct Frame {
    /// A list where strings are items of their own.
    message: bool,
    /// A `///` filter, which ends with its line.
    line_comment: bool,
    bracket: bool,
    path_group: bool,
    /// The filters that wait for operands, outermost first.
    opens: Vec<Open>,
    paths: usize,
    /// Where no filter is open.
    region: Region,
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
            imagines: 0,
            placing: false,
        }
    }

    fn ifs_open(&self) -> bool {
        self.opens.iter().any(|open| matches!(open, Open::If { .. }))
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
    /// What stands before the lexeme at hand with regard to a dash.
    after_dash: AfterDash,
    /// The last filter that may take a search string is itself an item of a message list.
    is_item: bool,
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
            after_dash: AfterDash::None,
            is_item: false,
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
        self.close_all(end);
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
        if matches!(tok, Tok::Searchable(_) | Tok::Coloured(_) | Tok::Hhdb) {
            self.is_item = self.begins_item();
        }
        self.opens(&tok, j);
        self.push(span, tok);
        j
    }

    /// Is the lexeme a guess of ours that was wrong?
    fn is_veto(&self, i: usize) -> bool {
        self.lexemes.get(i).is_some_and(|lexeme| self.vetoes.contains(&lexeme.span))
    }

    /// Does an item of a message list begin here?
    fn begins_item(&mut self) -> bool {
        let top = self.top();
        top.message
            && top.opens.is_empty()
            && (self.prev_ends() || matches!(self.prev(), Some(Tok::Call | Tok::LineComment)))
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
        if contextual && self.names.is_bound(word) { None } else { Some(keyword) }
    }

    // ---- One step.

    fn step(&mut self, i: usize) -> usize {
        let lexeme = self.lexemes[i];
        let at = i.checked_sub(1).map_or(lexeme.span.start, |p| self.lexemes[p].span.end);
        if lexeme.newline && self.top().line_comment {
            self.end_line_comment(at);
        }
        if lexeme.blank {
            self.close_paths(at);
        }
        let dash = matches!(lexeme.kind, Lex::Dash | Lex::Capture);
        if self.top().paths > 0 && !dash && self.vetoes.contains(&lexeme.span.before()) {
            self.end_path(at);
        }
        self.complete(i, at);
        self.enclose(i);
        let bounds = std::mem::take(&mut self.bounds);
        let in_find = std::mem::take(&mut self.in_find);
        match lexeme.kind {
            Lex::Word => self.word(i, bounds, in_find),
            Lex::LParen => self.open_paren(i),
            Lex::LBrace => self.open(i, Tok::LBrace, Frame::new()),
            Lex::LBracket => self.open(i, Tok::LBracket, Frame { bracket: true, ..Frame::new() }),
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
                self.take(i, i + 1, Tok::Chain(lexeme.kind == Lex::Backward))
            }
            Lex::Dash | Lex::Capture => self.dash(i),
            _ => self.simple(i),
        }
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
    digits
        .bytes()
        .fold(0i32, |n, b| n.wrapping_mul(10).wrapping_add(i32::from(b.wrapping_sub(b'0'))))
}
