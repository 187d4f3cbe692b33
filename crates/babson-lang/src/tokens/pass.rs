//! Pass 2, left to right, with a stack of frames: one per open bracket.

use super::brackets::{Pair, is_wild};
use super::names::Names;
use super::token::Tok;
use super::{Spanned, Tokens, designator, repeat};
use crate::ast::{AssignOp, BoundKind, GameResult, InfixOp, RelOp, TypeName};
use crate::diagnostic::Span;
use crate::dialect::Dialect;
use crate::keywords::{Class, Keyword, Origin};
use crate::lexer::{Lex, Lexeme};

/// A construct that is open in a frame.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// An `if` without `else` yet: index of its token.
    If(usize),
    Path,
}

/// Where parameter words have kinds of their own.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    None,
    /// Waiting for an operand? Seen `legal` or `pseudolegal`?
    Move { operand: bool, legal: bool },
    Pin { operand: bool },
    Imagine,
    Path,
    Line,
    Header,
}

/// Where we are with regard to a dash filter.
#[derive(Clone, Copy, PartialEq)]
enum DashState {
    None,
    /// A dash that touches nothing at its right.
    Bare,
    NeedsOperand,
    AfterOperand,
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
        }
    }
}

pub(super) struct Pass<'s, 'a> {
    source: &'s str,
    lexemes: &'a [Lexeme],
    pairs: &'a [Pair],
    names: &'a Names<'s>,
    dialect: Dialect,
    vetoes: &'a [Span],
    out: Vec<Spanned<'s>>,
    /// For a token that closes a bracket: index of the opening token.
    opener: Vec<usize>,
    open_tokens: Vec<usize>,
    frames: Vec<Frame>,
    minus_guesses: Vec<Span>,
    /// Ranges may still take this many bounds.
    bounds: u8,
    /// Directly after `find` and its parameters.
    in_find: bool,
    /// The dash state before the lexeme at hand.
    dash_before: DashState,
}

impl<'s, 'a> Pass<'s, 'a> {
    pub(super) fn new(
        source: &'s str,
        lexemes: &'a [Lexeme],
        pairs: &'a [Pair],
        names: &'a Names<'s>,
        dialect: Dialect,
        vetoes: &'a [Span],
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
            minus_guesses: Vec::new(),
            bounds: 0,
            in_find: false,
            dash_before: DashState::None,
        }
    }

    pub(super) fn run(mut self) -> Tokens<'s> {
        let mut i = 0;
        while i < self.lexemes.len() {
            i = self.step(i);
        }
        let end = self.source.len() as u32;
        while self.top().line_comment {
            self.end_line_comment(end);
        }
        self.close_paths(end, usize::MAX);
        Tokens { list: self.out, minus_guesses: self.minus_guesses }
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
        if contextual && self.names.is_bound(word) { None } else { Some(keyword) }
    }

    /// Can the previous token end an operand?
    fn prev_ends(&self) -> bool {
        let Some(tok) = self.prev() else { return false };
        matches!(
            tok,
            Tok::Name(_) | Tok::Int(_) | Tok::Str(_) | Tok::Designator(_) | Tok::Dot | Tok::Empty | Tok::Identity
                | Tok::Group(_) | Tok::GroupIndex(_) | Tok::NamedGroup(..) | Tok::Result(_) | Tok::RParen | Tok::RBrace
                | Tok::RBracket | Tok::Nullary(_) | Tok::Searchable(_) | Tok::Search(_) | Tok::Coloured(_)
                | Tok::Colour(_) | Tok::Hhdb | Tok::Pin | Tok::Move | Tok::MoveFlag(_) | Tok::PathEnd
                | Tok::LineCommentEnd | Tok::DashFree(_) | Tok::DashLeft(_)
        )
    }

    /// Can the lexeme start an operand?
    fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else { return false };
        match kind {
            Lex::Word => {
                let word = self.text(i);
                match self.keyword(word) {
                    Some(
                        Keyword::Or | Keyword::And | Keyword::In | Keyword::Attacks | Keyword::AttackedBy | Keyword::Then
                        | Keyword::Else | Keyword::Cql,
                    ) => false,
                    None => word != "attacked",
                    _ => true,
                }
            }
            Lex::Designator | Lex::PieceVar | Lex::Int | Lex::Result | Lex::CastleShort | Lex::CastleLong | Lex::Str
            | Lex::Escape | Lex::Group | Lex::GroupIndex | Lex::NamedGroup | Lex::ForAll | Lex::Tilde | Lex::Hash
            | Lex::Dot | Lex::Empty | Lex::Identity | Lex::LParen | Lex::LBrace | Lex::PathSymbol | Lex::CurrentSymbol
            | Lex::FlipSymbol | Lex::FlipColorSymbol => true,
            _ => false,
        }
    }

    // ---- Paths, line comments.

    fn end_line_comment(&mut self, at: u32) {
        self.close_paths(at, usize::MAX);
        self.push(Span::new(at, at), Tok::LineCommentEnd);
        self.frames.pop();
    }

    /// Ends the paths on top of the frame's open constructs, at most `limit`.
    fn close_paths(&mut self, at: u32, limit: usize) {
        let mut closed = 0;
        // Skip finished `if`s that stand above a path: they end with it.
        while closed < limit && self.top().paths > 0 {
            match self.top().opens.pop() {
                Some(Open::Path) => {
                    self.top().paths -= 1;
                    self.top().region = Region::None;
                    self.top().dash = DashState::None;
                    self.push(Span::new(at, at), Tok::PathEnd);
                    closed += 1;
                }
                Some(Open::If(_)) => {}
                None => break,
            }
        }
    }

    /// Before `then` or `else`: ends the paths that are newer than the `if` it belongs to.
    fn close_paths_after_if(&mut self, at: u32) {
        let Some(position) = self.top().opens.iter().rposition(|o| matches!(o, Open::If(_))) else { return };
        let newer = self.top().opens.len() - position - 1;
        self.close_paths(at, newer);
    }

    // ---- One step.

    fn step(&mut self, i: usize) -> usize {
        let lexeme = self.lexemes[i];
        let at = i.checked_sub(1).map_or(lexeme.span.start, |p| self.lexemes[p].span.end);
        if lexeme.newline && self.top().line_comment {
            self.end_line_comment(at);
        }
        if lexeme.blank {
            self.close_paths(at, usize::MAX);
        }
        if matches!(self.prev(), Some(Tok::Wild(..))) && self.is_binary(i) && self.top().paths > 0 {
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
            Lex::Forward | Lex::Backward => {
                if self.top().region == Region::Line {
                    self.top().region = Region::None;
                }
                let tok = match self.top().region {
                    Region::Imagine if lexeme.kind == Lex::Forward => Tok::Gives,
                    _ => Tok::Chain(lexeme.kind == Lex::Backward),
                };
                self.take(i, i + 1, tok)
            }
            Lex::Dash | Lex::Capture => self.dash(i),
            _ => self.simple(i),
        }
    }

    fn is_binary(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Eq | Lex::Ne | Lex::Lt | Lex::Le | Lex::Gt | Lex::Ge | Lex::Before | Lex::BeforeOrSame | Lex::After
                | Lex::AfterOrSame | Lex::Minus | Lex::Slash | Lex::Percent | Lex::Union | Lex::Intersect | Lex::Colon,
            ) => true,
            Some(Lex::Word) => matches!(self.text(i), "or" | "and" | "in"),
            _ => false,
        }
    }

    /// Is the lexeme an operator after which an operand continues the same expression?
    fn continues(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(Lex::Union | Lex::Intersect | Lex::ShotLeft | Lex::ShotRight | Lex::Colon | Lex::LBracket | Lex::Tilde) => true,
            Some(Lex::Word) => matches!(self.text(i), "attacks" | "attack" | "attackedby" | "attacked" | "by"),
            _ => false,
        }
    }

    /// Rules 3 and 4: what this lexeme does to the dash state and the regions.
    fn upkeep(&mut self, i: usize) {
        let kind = self.lexemes[i].kind;
        let tied = self.tied(i);
        match self.top().dash {
            DashState::Bare => {
                if !(tied && matches!(kind, Lex::LParen | Lex::Assign)) {
                    self.top().dash = DashState::None;
                }
            }
            DashState::AfterOperand => {
                if self.continues(i) {
                    self.top().dash =
                        if kind == Lex::LBracket { DashState::AfterOperand } else { DashState::NeedsOperand };
                } else if !(tied && matches!(kind, Lex::LParen | Lex::Assign)) {
                    self.top().dash = DashState::None;
                }
            }
            DashState::NeedsOperand => {
                let prefix = match kind {
                    Lex::Tilde => true,
                    Lex::Word => matches!(
                        self.keyword(self.text(i)).map(Keyword::class),
                        Some(Class::Direction | Class::Tight)
                    ) || self.text(i) == "by",
                    Lex::Int | Lex::Minus => true,
                    _ => false,
                };
                if !prefix {
                    self.top().dash = DashState::AfterOperand;
                }
            }
            DashState::None => {}
        }
        let word = if kind == Lex::Word { self.text(i) } else { "" };
        let keyword = if kind == Lex::Word { self.keyword(word) } else { None };
        let prefix = kind == Lex::Tilde
            || matches!(keyword.map(Keyword::class), Some(Class::Direction | Class::Tight))
            || matches!(self.prev(), Some(Tok::Direction(_) | Tok::Bound(_))) && matches!(kind, Lex::Int | Lex::Minus);
        let region = self.top().region;
        let next = match region {
            Region::Move { operand: true, legal } => Region::Move { operand: prefix, legal },
            Region::Pin { operand: true } => Region::Pin { operand: prefix },
            Region::Move { operand: false, .. } => {
                let parameter = kind == Lex::CastleLong
                    || kind == Lex::CastleShort
                    || keyword.is_some_and(|k| self.is_move_word(k, i, region));
                let postfix = matches!(kind, Lex::LBracket | Lex::Match) || kind == Lex::LParen && self.after_function(i);
                if parameter || postfix { region } else { Region::None }
            }
            Region::Pin { operand: false } => {
                let parameter = matches!(keyword, Some(Keyword::From | Keyword::To | Keyword::Through));
                let postfix = matches!(kind, Lex::LBracket | Lex::Match) || kind == Lex::LParen && self.after_function(i);
                if parameter || postfix { region } else { Region::None }
            }
            Region::Imagine if kind == Lex::Colon => Region::None,
            Region::Path if matches!(kind, Lex::Dash | Lex::Capture) => Region::None,
            _ => region,
        };
        self.top().region = next;
    }

    fn is_move_word(&self, keyword: Keyword, i: usize, region: Region) -> bool {
        match keyword {
            Keyword::From | Keyword::To | Keyword::Capture | Keyword::Promote | Keyword::EnPassantSquare
            | Keyword::EnPassant | Keyword::Castle | Keyword::Null | Keyword::Primary | Keyword::Secondary
            | Keyword::Legal | Keyword::PseudoLegal | Keyword::Count | Keyword::All | Keyword::Reverse
            | Keyword::Drop => true,
            Keyword::Previous => !matches!(self.kind(i + 1), Some(Lex::Dash | Lex::Capture)),
            Keyword::Comment => {
                self.kind(i + 1) == Some(Lex::LParen) && matches!(region, Region::Move { legal: false, .. })
            }
            _ => false,
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

    // ---- Brackets.

    fn open(&mut self, i: usize, tok: Tok<'s>, frame: Frame) -> usize {
        self.open_tokens.push(self.out.len());
        self.take(i, i + 1, tok);
        self.frames.push(frame);
        i + 1
    }

    fn close(&mut self, i: usize, tok: Tok<'s>, at: u32) -> usize {
        while self.top().line_comment {
            self.end_line_comment(at);
        }
        self.close_paths(at, usize::MAX);
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        let opener = self.open_tokens.pop().unwrap_or(usize::MAX);
        self.take(i, i + 1, tok);
        if let Some(last) = self.opener.last_mut() {
            *last = opener;
        }
        i + 1
    }

    fn open_paren(&mut self, i: usize) -> usize {
        let dash = self.dash_before;
        let pair = self.pairs[i];
        let after_wild = is_wild(self.lexemes.get(pair.mate + 1));
        let path_level = self.path_level();
        let prev = self.prev().cloned();
        if self.after_function(i) {
            return self.open(i, Tok::Call, Frame::new());
        }
        match prev {
            Some(Tok::List(_) | Tok::Ray(_) | Tok::MoveComment | Tok::Cql) => {
                let header = matches!(prev, Some(Tok::Cql));
                let message = matches!(prev, Some(Tok::MoveComment));
                let region = if header { Region::Header } else { Region::None };
                return self.open(i, Tok::Call, Frame { message, region, ..Frame::new() });
            }
            Some(Tok::Print(_)) => return self.open(i, Tok::Call, Frame { message: true, ..Frame::new() }),
            Some(Tok::Quiet) if matches!(self.prev2(), Some(Tok::Print(_))) => {
                return self.open(i, Tok::Call, Frame { message: true, ..Frame::new() });
            }
            Some(Tok::Direction(_)) => {
                let ray = self.out.iter().rposition(|t| !matches!(t.1, Tok::Direction(_)));
                if ray.is_some_and(|r| matches!(self.out[r].1, Tok::Ray(_))) {
                    return self.open(i, Tok::Call, Frame::new());
                }
            }
            _ => {}
        }
        if path_level && (pair.has_dash || after_wild) {
            if self.top().region == Region::Path {
                self.top().region = Region::None;
            }
            return self.open(i, Tok::PathGroup, Frame { path_group: true, ..Frame::new() });
        }
        if self.tied(i) && matches!(dash, DashState::AfterOperand | DashState::Bare) {
            self.top().dash = DashState::None;
            return self.open(i, Tok::Target, Frame::new());
        }
        if matches!(prev, Some(Tok::Chain(_) | Tok::LineGroup)) && pair.has_chain {
            return self.open(i, Tok::LineGroup, Frame::new());
        }
        self.open(i, Tok::LParen, Frame::new())
    }

    // ---- Numbers and ranges.

    /// Is a bound allowed here?
    fn bound_here(&mut self, bounds: u8) -> bool {
        if bounds > 0 {
            return true;
        }
        match self.top().region {
            Region::Path | Region::Line => {
                self.prev_ends()
                    || matches!(
                        self.prev(),
                        Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
                    )
            }
            _ => false,
        }
    }

    fn arithmetic_follows(&self, i: usize) -> bool {
        matches!(
            self.kind(i),
            Some(
                Lex::Plus | Lex::Minus | Lex::Star | Lex::Slash | Lex::Percent | Lex::Eq | Lex::Ne | Lex::Lt | Lex::Le
                    | Lex::Gt | Lex::Ge
            )
        )
    }

    fn int(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let value = wrap(self.text(i));
        // A second bound may be negative: `up 0 -1`.
        let negative = self.kind(i + 1) == Some(Lex::Minus) && self.kind(i + 2) == Some(Lex::Int) && bounds == 2;
        if self.bound_here(bounds) && (negative || !self.arithmetic_follows(i + 1)) {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            return self.take(i, i + 1, Tok::Bound(BoundKind::Int(value)));
        }
        self.take(i, i + 1, Tok::Int(value))
    }

    fn minus(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let region = self.top().region;
        let seq = matches!(region, Region::Path | Region::Line) && !self.prev_ends() && self.bound_here(0);
        if (bounds > 0 || seq) && self.kind(i + 1) == Some(Lex::Int) && !self.arithmetic_follows(i + 2) {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            let value = wrap(self.text(i + 1)).wrapping_neg();
            return self.take(i, i + 2, Tok::Bound(BoundKind::Int(value)));
        }
        let span = self.lexemes[i].span;
        let tok = if !self.prev_ends() {
            Tok::Neg
        } else if matches!(self.prev(), Some(Tok::Str(_))) {
            Tok::Neg
        } else if matches!(self.prev(), Some(Tok::Designator(_) | Tok::Dot | Tok::Empty)) && !self.numeric_prefix() {
            Tok::Neg
        } else if self.vetoes.contains(&span) {
            Tok::Neg
        } else {
            if !matches!(self.prev(), Some(Tok::Int(_))) {
                self.minus_guesses.push(span);
            }
            Tok::Add(InfixOp::Sub)
        };
        self.take(i, i + 1, tok)
    }

    /// Rule 8: is the set expression that ends with the previous token governed by a numeric prefix?
    fn numeric_prefix(&self) -> bool {
        let mut i = self.out.len();
        loop {
            // Over one operand, to the left.
            let Some(last) = i.checked_sub(1) else { return false };
            i = match &self.out[last].1 {
                Tok::RParen | Tok::RBrace | Tok::RBracket => {
                    let open = self.opener[last];
                    if open == usize::MAX {
                        return false;
                    }
                    let named = matches!(self.out[open].1, Tok::Call | Tok::LBracket);
                    if named { open.saturating_sub(1) } else { open }
                }
                _ => last,
            };
            // Over its prefixes.
            loop {
                let Some(last) = i.checked_sub(1) else { return false };
                match &self.out[last].1 {
                    Tok::Width7(k) => return !matches!(k, Keyword::Lowercase | Keyword::Uppercase),
                    Tok::DashPrefix(Keyword::CountMoves) => return true,
                    Tok::Direction(_) | Tok::Bound(_) | Tok::Count | Tok::Tight(_) | Tok::Tilde | Tok::DashFree(_)
                    | Tok::DashRight(_) | Tok::DashPrefix(_) => i = last,
                    _ => break,
                }
            }
            let Some(last) = i.checked_sub(1) else { return false };
            match &self.out[last].1 {
                Tok::Union | Tok::Intersect | Tok::Attacks(_) | Tok::Shot(_) | Tok::Colon | Tok::DashLeft(_)
                | Tok::DashBoth(_) => i = last,
                _ => return false,
            }
        }
    }

    // ---- Dashes.

    fn dash(&mut self, i: usize) -> usize {
        let capture = self.lexemes[i].kind == Lex::Capture;
        if capture && self.tied(i) && self.text(i) == "[x]" {
            if let Some(Tok::Name(name)) = self.prev() {
                if self.names.is_dictionary(name) {
                    let s = self.lexemes[i].span.start;
                    self.push(Span::new(s, s + 1), Tok::LBracket);
                    self.push(Span::new(s + 1, s + 2), Tok::Name("x"));
                    self.push(Span::new(s + 2, s + 3), Tok::RBracket);
                    return i + 1;
                }
            }
        }
        let left = self.tied(i) && self.prev_ends();
        let right = self.tied(i + 1) && self.starts(i + 1) && self.kind(i + 1) != Some(Lex::LParen);
        self.top().dash = if right { DashState::NeedsOperand } else { DashState::Bare };
        let tok = match (left, right) {
            (false, false) => Tok::DashFree(capture),
            (true, false) => Tok::DashLeft(capture),
            (false, true) => Tok::DashRight(capture),
            (true, true) => Tok::DashBoth(capture),
        };
        self.take(i, i + 1, tok)
    }

    // ---- Everything else that is no word.

    fn wildcard_here(&mut self, i: usize) -> bool {
        if self.path_level() {
            return true;
        }
        match self.lexemes.get(i + 1) {
            None => true,
            Some(next) => matches!(
                next.kind,
                Lex::RBrace | Lex::RParen | Lex::Forward | Lex::Backward | Lex::Repeat | Lex::RepeatStar | Lex::RepeatPlus
                    | Lex::Question | Lex::Plus | Lex::Star
            ),
        }
    }

    fn simple(&mut self, i: usize) -> usize {
        let text = self.text(i);
        let dash_ready = self.tied(i) && matches!(self.dash_before, DashState::AfterOperand | DashState::Bare);
        let kind = self.lexemes[i].kind;
        let tok = match kind {
            Lex::Designator => Tok::Designator(designator::parse(text).unwrap_or(crate::ast::Designator {
                pieces: crate::ast::Content::ANY,
                squares: u64::MAX,
                has_pieces: false,
                has_squares: false,
            })),
            Lex::PieceVar => Tok::PieceVar(text),
            Lex::Result if matches!(self.prev(), Some(Tok::ResultIs | Tok::HeaderResult)) || self.dialect.bare_results => {
                Tok::Result(result(text).unwrap_or(GameResult::Draw))
            }
            Lex::Result => Tok::Reserved,
            Lex::Repeat => {
                let (min, max) = repeat(text).unwrap_or((0, None));
                Tok::Wild(min, max)
            }
            Lex::RepeatStar => Tok::Wild(0, None),
            Lex::RepeatPlus => Tok::Wild(1, None),
            Lex::Question => Tok::Wild(0, Some(1)),
            Lex::Plus if self.wildcard_here(i) => Tok::Wild(1, None),
            Lex::Star if self.wildcard_here(i) => Tok::Wild(0, None),
            Lex::CastleShort | Lex::CastleLong => {
                let keyword = if self.lexemes[i].kind == Lex::CastleLong { Keyword::CastleLong } else { Keyword::CastleShort };
                match self.top().region {
                    Region::Move { operand: false, .. } => Tok::MoveFlag(keyword),
                    _ => Tok::Nullary(keyword),
                }
            }
            Lex::Str => {
                let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or("");
                self.string(inner)
            }
            Lex::Escape => Tok::Str(match text {
                "\\n" => "\n",
                "\\r" => "\r",
                "\\t" => "\t",
                "\\\\" => "\\",
                _ => "\"",
            }),
            Lex::Group => Tok::Group(text.trim_start_matches('\\').parse().unwrap_or(u8::MAX)),
            Lex::GroupIndex => Tok::GroupIndex(text.trim_start_matches("\\-").parse().unwrap_or(u8::MAX)),
            Lex::NamedGroup => {
                let inner = text.split_once('{').map_or("", |(_, t)| t.trim_end_matches('}'));
                Tok::NamedGroup(inner, text.starts_with("\\-"))
            }
            Lex::FileWord => {
                let (word, file) = text.split_once([' ', '\t', '\r', '\n']).unwrap_or((text, ""));
                Tok::HeaderFile(word == "input", file.trim())
            }
            Lex::LineComment => {
                self.take(i, i + 1, Tok::LineComment);
                self.frames.push(Frame { message: true, line_comment: true, ..Frame::new() });
                return i + 1;
            }
            Lex::ShotRight => Tok::Shot(false),
            Lex::ShotLeft => Tok::Shot(true),
            Lex::Element => Tok::Element,
            Lex::ForAll => Tok::ForAll,
            Lex::Match => Tok::Match,
            Lex::Eq => Tok::Rel(RelOp::Eq),
            Lex::Ne => Tok::Rel(RelOp::Ne),
            Lex::Le => Tok::Rel(RelOp::Le),
            Lex::Ge => Tok::Rel(RelOp::Ge),
            Lex::Lt => Tok::Rel(RelOp::Lt),
            Lex::Gt => Tok::Rel(RelOp::Gt),
            Lex::Before => Tok::Rel(RelOp::Before),
            Lex::BeforeOrSame => Tok::Rel(RelOp::BeforeOrSame),
            Lex::After => Tok::Rel(RelOp::After),
            Lex::AfterOrSame => Tok::Rel(RelOp::AfterOrSame),
            Lex::Assign if dash_ready => {
                self.top().dash = DashState::NeedsOperand;
                Tok::Promote
            }
            Lex::Assign => Tok::Assign,
            Lex::AssignIfAny => Tok::OpAssign(AssignOp::SetIfAny),
            Lex::AddAssign => Tok::OpAssign(AssignOp::Add),
            Lex::SubAssign => Tok::OpAssign(AssignOp::Sub),
            Lex::MulAssign => Tok::OpAssign(AssignOp::Mul),
            Lex::DivAssign => Tok::OpAssign(AssignOp::Div),
            Lex::RemAssign => Tok::OpAssign(AssignOp::Rem),
            Lex::UnionAssign => Tok::OpAssign(AssignOp::Union),
            Lex::InterAssign => Tok::OpAssign(AssignOp::Intersect),
            Lex::Plus => Tok::Add(InfixOp::Add),
            Lex::Star => Tok::Mul(InfixOp::Mul),
            Lex::Slash => Tok::Mul(InfixOp::Div),
            Lex::Percent => Tok::Mul(InfixOp::Rem),
            Lex::Union => Tok::Union,
            Lex::Intersect => Tok::Intersect,
            Lex::Tilde => Tok::Tilde,
            Lex::Hash => Tok::Width7(Keyword::Size),
            Lex::Colon if self.top().bracket => Tok::SliceColon,
            Lex::Colon => Tok::Colon,
            Lex::Dot => Tok::Dot,
            Lex::Empty => Tok::Empty,
            Lex::Identity => Tok::Identity,
            Lex::PathSymbol => return self.path(i),
            Lex::FocusSymbol => return self.focus(i),
            Lex::CurrentSymbol => Tok::Nullary(Keyword::CurrentPosition),
            Lex::FlipSymbol | Lex::FlipColorSymbol => {
                self.bounds = 2;
                let flip = self.lexemes[i].kind == Lex::FlipSymbol;
                Tok::Transform(if flip { Keyword::Flip } else { Keyword::FlipColor })
            }
            _ => Tok::Reserved,
        };
        self.take(i, i + 1, tok)
    }

    fn string(&mut self, inner: &'s str) -> Tok<'s> {
        if matches!(self.prev(), Some(Tok::ResultIs | Tok::HeaderResult)) {
            if let Some(result) = result(inner) {
                return Tok::Result(result);
            }
        }
        let after_sort = match (self.prev2(), self.prev()) {
            (_, Some(Tok::Sort | Tok::SortDir(_))) => true,
            (Some(Tok::Sort), Some(Tok::Quiet)) => true,
            _ => false,
        };
        if after_sort {
            return Tok::SortText(inner);
        }
        let searchable = match self.prev() {
            Some(Tok::Searchable(_) | Tok::Coloured(Keyword::Player)) => true,
            Some(Tok::Colour(_)) => matches!(self.prev2(), Some(Tok::Coloured(Keyword::Player))),
            Some(Tok::Hhdb) => {
                let last = self.out.last().map_or("", |t| Span::new(t.0, t.2).text(self.source));
                let key = last.split_whitespace().nth(1).unwrap_or("");
                matches!(key, "composer" | "firstcomment" | "gbr" | "search" | "stipulation" | "diagram")
            }
            _ => false,
        };
        if searchable && !inner.is_empty() && !self.top().message {
            return Tok::Search(inner);
        }
        Tok::Str(inner)
    }

    // ---- Words.

    fn path(&mut self, i: usize) -> usize {
        self.top().opens.push(Open::Path);
        self.top().paths += 1;
        self.top().region = Region::Path;
        self.take(i, i + 1, Tok::Path)
    }

    fn focus(&mut self, i: usize) -> usize {
        if self.top().region != Region::Path {
            return self.take(i, i + 1, Tok::Reserved);
        }
        let capture = matches!(self.text(i + 1), "capture" | "captures");
        self.take(i, i + 1 + usize::from(capture), Tok::Focus(capture))
    }

    fn name(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let name = self.text(i);
        let span = self.lexemes[i].span;
        let region = self.top().region;
        let bound = if bounds > 0 {
            self.names.may_be_number(name)
                && !self.vetoes.contains(&span)
                && (self.starts(i + 1) || self.kind(i + 1) == Some(Lex::Backward))
                && !(self.kind(i + 1) == Some(Lex::LParen) && self.tied(i + 1) && !self.names.is_bound(name))
        } else if matches!(region, Region::Path | Region::Line) {
            let after = matches!(
                self.prev(),
                Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
            );
            let free_dash = matches!(self.kind(i + 1), Some(Lex::Dash | Lex::Capture)) && !self.tied(i + 1);
            let fits = match region {
                Region::Path => self.starts(i + 1) || free_dash,
                _ => matches!(self.kind(i + 1), Some(Lex::Forward | Lex::Backward)) || self.starts(i + 1),
            };
            after && fits && self.names.may_be_number(name) && !self.vetoes.contains(&span)
        } else {
            false
        };
        if bound {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            return self.take(i, i + 1, Tok::Bound(BoundKind::Name(name.to_string())));
        }
        self.take(i, i + 1, Tok::Name(name))
    }

    fn word(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let word = self.text(i);
        if word == "attacked" && self.text(i + 1) == "by" {
            return self.take(i, i + 2, Tok::Attacks(InfixOp::AttackedBy));
        }
        let Some(keyword) = self.keyword(word) else { return self.name(i, bounds, in_find) };
        if let Some(next) = self.region_word(i, keyword) {
            return next;
        }
        let one = |tok| Some(tok);
        let tok = match keyword.class() {
            Class::Nullary => self.nullary(keyword),
            Class::Direction => {
                self.bounds = 2;
                one(Tok::Direction(keyword))
            }
            Class::Transform => {
                self.bounds = 2;
                one(Tok::Transform(keyword))
            }
            Class::Width1 => one(Tok::Width1(keyword)),
            Class::Width5 => one(Tok::Width5(keyword)),
            Class::Width7 => one(Tok::Width7(keyword)),
            Class::Tight => one(Tok::Tight(keyword)),
            Class::List => {
                let paren = self.kind(i + 1) == Some(Lex::LParen);
                let after_sort = match (self.prev2(), self.prev()) {
                    (_, Some(Tok::Sort)) | (Some(Tok::Sort), Some(Tok::Quiet)) => true,
                    _ => false,
                };
                match keyword {
                    Keyword::Child if !paren => one(Tok::Nullary(keyword)),
                    Keyword::MakeSquare if !paren => one(Tok::Width5(keyword)),
                    Keyword::Min | Keyword::Max if !paren && after_sort => one(Tok::SortDir(keyword == Keyword::Min)),
                    _ => one(Tok::List(keyword)),
                }
            }
            Class::Print => match keyword {
                Keyword::Str if self.kind(i + 1) != Some(Lex::LParen) => one(Tok::StrPrefix),
                _ => one(Tok::Print(keyword)),
            },
            Class::Search => one(Tok::Searchable(keyword)),
            Class::Coloured => one(Tok::Coloured(keyword)),
            Class::Text => one(Tok::Text(keyword)),
            Class::Special => return self.special(i, keyword, bounds, in_find),
            Class::Reserved => None,
        };
        match tok {
            Some(tok) => self.take(i, i + 1, tok),
            None => self.reserved(i),
        }
    }

    /// A word without a meaning here: a name if the dialect allows, else an error.
    fn reserved(&mut self, i: usize) -> usize {
        let word = self.text(i);
        let firm = match Keyword::from_word(word).map(Keyword::origin) {
            Some(Origin::Both) => true,
            Some(Origin::Cql6) => !self.dialect.contextual_keywords,
            _ => false,
        };
        let tok = if firm { Tok::Reserved } else { Tok::Name(word) };
        self.take(i, i + 1, tok)
    }

    fn nullary(&mut self, keyword: Keyword) -> Option<Tok<'s>> {
        let colour = matches!(keyword, Keyword::White | Keyword::Black);
        if colour && matches!(self.prev(), Some(Tok::Coloured(_))) {
            return Some(Tok::Colour(keyword));
        }
        Some(Tok::Nullary(keyword))
    }

    /// Words that have a kind of their own in the region of the frame.
    fn region_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        let region = self.top().region;
        match region {
            Region::Move { operand: false, legal } => {
                if !self.is_move_word(keyword, i, region) {
                    return None;
                }
                let takes = matches!(
                    keyword,
                    Keyword::From | Keyword::To | Keyword::Capture | Keyword::Promote | Keyword::EnPassantSquare
                );
                let legal = legal || matches!(keyword, Keyword::Legal | Keyword::PseudoLegal | Keyword::Reverse);
                self.top().region = Region::Move { operand: takes, legal };
                let tok = if takes {
                    Tok::MoveOperand(keyword)
                } else if keyword == Keyword::Comment {
                    self.top().region = Region::None;
                    Tok::MoveComment
                } else {
                    Tok::MoveFlag(keyword)
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Pin { operand: false } if matches!(keyword, Keyword::From | Keyword::To | Keyword::Through) => {
                self.top().region = Region::Pin { operand: true };
                Some(self.take(i, i + 1, Tok::PinWord(keyword)))
            }
            Region::Imagine => match keyword {
                Keyword::Piece => Some(self.take(i, i + 1, Tok::ImaginePiece)),
                Keyword::Swap => Some(self.take(i, i + 1, Tok::ImagineSwap)),
                Keyword::SideToMove => Some(self.take(i, i + 1, Tok::ImagineSide)),
                Keyword::White | Keyword::Black | Keyword::Reverse if matches!(self.prev(), Some(Tok::ImagineSide)) => {
                    Some(self.take(i, i + 1, Tok::ImagineColour(keyword)))
                }
                _ => None,
            },
            Region::Path | Region::Line => {
                let after_parameter = matches!(
                    self.prev(),
                    Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
                );
                let tok = match keyword {
                    Keyword::FirstMatch | Keyword::KeepAllBest | Keyword::LastPosition | Keyword::NestBan
                    | Keyword::PiecePath | Keyword::Quiet | Keyword::SingleColor | Keyword::Verbose => Tok::SeqFlag(keyword),
                    Keyword::Primary | Keyword::Secondary if after_parameter || region == Region::Line => Tok::SeqFlag(keyword),
                    Keyword::Count => Tok::Count,
                    Keyword::Focus => return Some(self.focus(i)),
                    Keyword::Max if region == Region::Path && (after_parameter || self.kind(i + 1) != Some(Lex::LParen)) => {
                        Tok::SeqMax
                    }
                    Keyword::Title => Tok::SeqTitle,
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Header => {
                let tok = match keyword {
                    Keyword::Variations | Keyword::Quiet | Keyword::Silent => Tok::HeaderFlag(keyword),
                    Keyword::GameNumber | Keyword::MatchCount => Tok::HeaderRange(keyword),
                    Keyword::Sort if self.text(i + 1) == "matchcount" => {
                        return Some(self.take(i, i + 2, Tok::HeaderRange(keyword)));
                    }
                    Keyword::Result => Tok::HeaderResult,
                    Keyword::MatchString => Tok::HeaderText,
                    Keyword::Input | Keyword::Output if self.kind(i + 1) == Some(Lex::Str) => {
                        let file = self.text(i + 1).trim_matches('"');
                        return Some(self.take(i, i + 2, Tok::HeaderFile(keyword == Keyword::Input, file)));
                    }
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            _ => None,
        }
    }

    fn special(&mut self, i: usize, keyword: Keyword, bounds: u8, in_find: bool) -> usize {
        let span = self.lexemes[i].span;
        let tok = match keyword {
            Keyword::Or => Tok::Or,
            Keyword::And => Tok::And,
            Keyword::In => Tok::In,
            Keyword::Not => Tok::Not,
            Keyword::Attacks => Tok::Attacks(InfixOp::Attacks),
            Keyword::AttackedBy => Tok::Attacks(InfixOp::AttackedBy),
            Keyword::Atomic | Keyword::Persistent | Keyword::Local => Tok::Storage(keyword),
            Keyword::All => {
                self.in_find = in_find;
                self.bounds = if in_find { 2 } else { 0 };
                Tok::All
            }
            Keyword::Quiet => {
                if matches!(self.prev(), Some(Tok::Storage(_))) {
                    Tok::Storage(keyword)
                } else {
                    self.in_find = in_find;
                    self.bounds = if in_find { 2 } else { bounds };
                    Tok::Quiet
                }
            }
            Keyword::Count if bounds > 0 => {
                self.in_find = in_find;
                Tok::Count
            }
            Keyword::Find => {
                self.in_find = true;
                self.bounds = 2;
                Tok::Find
            }
            Keyword::ConsecutiveMoves => {
                self.bounds = 2;
                Tok::ConsecutiveMoves
            }
            Keyword::Line => {
                self.top().region = Region::Line;
                Tok::Line
            }
            Keyword::Path => return self.path(i),
            Keyword::Move => {
                self.top().region = Region::Move { operand: false, legal: false };
                Tok::Move
            }
            Keyword::Pin => {
                self.top().region = Region::Pin { operand: false };
                Tok::Pin
            }
            Keyword::Imagine => {
                self.top().region = Region::Imagine;
                Tok::Imagine
            }
            Keyword::If => {
                let index = self.out.len();
                self.top().opens.push(Open::If(index));
                Tok::If
            }
            Keyword::Then => {
                self.close_paths_after_if(span.start);
                Tok::Then
            }
            Keyword::Else => {
                self.close_paths_after_if(span.start);
                if let Some(Open::If(index)) = self.top().opens.last().copied() {
                    self.top().opens.pop();
                    self.out[index].1 = Tok::IfElse;
                }
                Tok::Else
            }
            Keyword::While => Tok::While,
            Keyword::Square => Tok::Square,
            Keyword::Piece => Tok::Piece,
            Keyword::Key | Keyword::String
                if self.kind(i + 1) == Some(Lex::Word)
                    && (self.text(i + 2) == "in" || self.kind(i + 2) == Some(Lex::Element)) =>
            {
                Tok::LoopWord(keyword)
            }
            Keyword::Echo => Tok::Echo,
            Keyword::Sort => Tok::Sort,
            Keyword::Function => Tok::Function,
            Keyword::Dictionary => return self.dictionary(i),
            Keyword::Unbind => Tok::Unbind,
            Keyword::IsBound => Tok::IsBound(false),
            Keyword::IsUnbound => Tok::IsBound(true),
            Keyword::CqlBegin => Tok::Hook(false),
            Keyword::CqlEnd => Tok::Hook(true),
            Keyword::Position => Tok::Position,
            Keyword::Result => Tok::ResultIs,
            Keyword::Legal | Keyword::PseudoLegal | Keyword::Previous | Keyword::CountMoves => Tok::DashPrefix(keyword),
            Keyword::Xray => Tok::Ray(true),
            Keyword::Ray => {
                let attack = matches!(self.text(i + 1), "attack" | "attacks");
                return self.take(i, i + 1 + usize::from(attack), Tok::Ray(attack));
            }
            Keyword::Hhdb => return self.hhdb(i),
            Keyword::SimilarPosition => {
                let (mut no_sort, mut no_transform, mut j) = (false, false, i + 1);
                loop {
                    match self.text(j) {
                        "nosort" => no_sort = true,
                        "notransform" => no_transform = true,
                        _ => break,
                    }
                    j += 1;
                }
                return self.take(i, j, Tok::Similar(no_sort, no_transform));
            }
            Keyword::Cql if i == 0 => Tok::Cql,
            _ => return self.reserved(i),
        };
        self.take(i, i + 1, tok)
    }

    fn dictionary(&mut self, i: usize) -> usize {
        self.take(i, i + 1, Tok::Dictionary);
        let type_name = |word: &str| match word {
            "int" => Some(TypeName::Int),
            "str" | "string" => Some(TypeName::Str),
            "set" => Some(TypeName::Set),
            "position" => Some(TypeName::Position),
            _ => None,
        };
        let types = (type_name(self.text(i + 1)), type_name(self.text(i + 3)));
        let (true, (Some(key), Some(value))) = (self.kind(i + 2) == Some(Lex::Forward), types) else { return i + 1 };
        self.take(i + 1, i + 2, Tok::Type(key));
        self.take(i + 2, i + 3, Tok::Gives);
        self.take(i + 3, i + 4, Tok::Type(value));
        let merge = self.kind(i + 4) == Some(Lex::LParen)
            && self.kind(i + 5) == Some(Lex::Word)
            && self.kind(i + 6) == Some(Lex::RParen);
        if merge {
            let name = self.text(i + 5);
            self.take(i + 4, i + 7, Tok::Merge(name));
            return i + 7;
        }
        i + 4
    }

    fn hhdb(&mut self, i: usize) -> usize {
        let award = |word: &str| {
            matches!(
                word,
                "max" | "special" | "nonspecial" | "sort" | "sortable" | "award" | "prize" | "hm" | "commendation"
            )
        };
        let mut j = i + 1;
        if award(self.text(j)) {
            while award(self.text(j)) {
                j += 1;
            }
        } else if matches!(self.kind(j), Some(Lex::Word | Lex::Str | Lex::Designator)) {
            let gbr = self.text(j) == "gbr";
            j += 1;
            if gbr && matches!(self.text(j), "material" | "pieces" | "pawns" | "kings") {
                j += 1;
            }
        }
        self.take(i, j, Tok::Hhdb)
    }
}

/// An integer literal modulo 2^32 (language.md 2.6).
fn wrap(digits: &str) -> i32 {
    digits.bytes().fold(0i32, |n, b| n.wrapping_mul(10).wrapping_add(i32::from(b.wrapping_sub(b'0'))))
}

fn result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::WhiteWins),
        "0-1" => Some(GameResult::BlackWins),
        "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}
