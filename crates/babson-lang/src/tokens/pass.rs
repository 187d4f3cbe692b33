//! Pass 2, left to right, with a stack of frames: one per open bracket. The numbers of rules are those of the grammar
//! notes, section 1.

mod brackets;
mod numbers;
mod simple;
mod words;

use super::brackets::Pair;
use super::names::Names;
use super::token::Tok;
use super::{Spanned, Tokens};
use crate::ast::GameResult;
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
    Move {
        operand: bool,
        legal: bool,
    },
    Pin {
        operand: bool,
    },
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
        Tokens {
            list: self.out,
            minus_guesses: self.minus_guesses,
        }
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

    /// Can the previous token end an operand?
    fn prev_ends(&self) -> bool {
        let Some(tok) = self.prev() else { return false };
        matches!(
            tok,
            Tok::Name(_)
                | Tok::Int(_)
                | Tok::Str(_)
                | Tok::Designator(_)
                | Tok::Dot
                | Tok::Empty
                | Tok::Identity
                | Tok::Group(_)
                | Tok::GroupIndex(_)
                | Tok::NamedGroup(..)
                | Tok::Result(_)
                | Tok::RParen
                | Tok::RBrace
                | Tok::RBracket
                | Tok::Nullary(_)
                | Tok::Searchable(_)
                | Tok::Search(_)
                | Tok::Coloured(_)
                | Tok::Colour(_)
                | Tok::Hhdb
                | Tok::Pin
                | Tok::Move
                | Tok::MoveFlag(_)
                | Tok::PathEnd
                | Tok::LineCommentEnd
                | Tok::DashFree(_)
                | Tok::DashLeft(_)
        )
    }

    /// Can the lexeme start an operand?
    fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            Lex::Word => {
                let word = self.text(i);
                match self.keyword(word) {
                    Some(
                        Keyword::Or
                        | Keyword::And
                        | Keyword::In
                        | Keyword::Attacks
                        | Keyword::AttackedBy
                        | Keyword::Then
                        | Keyword::Else
                        | Keyword::Cql,
                    ) => false,
                    None => word != "attacked",
                    _ => true,
                }
            }
            Lex::Designator
            | Lex::PieceVar
            | Lex::Int
            | Lex::Result
            | Lex::CastleShort
            | Lex::CastleLong
            | Lex::Str
            | Lex::Escape
            | Lex::Group
            | Lex::GroupIndex
            | Lex::NamedGroup
            | Lex::ForAll
            | Lex::Tilde
            | Lex::Hash
            | Lex::Dot
            | Lex::Empty
            | Lex::Identity
            | Lex::LParen
            | Lex::LBrace
            | Lex::PathSymbol
            | Lex::CurrentSymbol
            | Lex::FlipSymbol
            | Lex::FlipColorSymbol => true,
            _ => false,
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

    fn is_binary(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Eq
                | Lex::Ne
                | Lex::Lt
                | Lex::Le
                | Lex::Gt
                | Lex::Ge
                | Lex::Before
                | Lex::BeforeOrSame
                | Lex::After
                | Lex::AfterOrSame
                | Lex::Minus
                | Lex::Slash
                | Lex::Percent
                | Lex::Union
                | Lex::Intersect
                | Lex::Colon,
            ) => true,
            Some(Lex::Word) => matches!(self.text(i), "or" | "and" | "in"),
            _ => false,
        }
    }

    /// Is the lexeme an operator after which an operand continues the same expression?
    fn continues(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Union
                | Lex::Intersect
                | Lex::ShotLeft
                | Lex::ShotRight
                | Lex::Colon
                | Lex::LBracket
                | Lex::Tilde,
            ) => true,
            Some(Lex::Word) => matches!(
                self.text(i),
                "attacks" | "attack" | "attackedby" | "attacked" | "by"
            ),
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
                    self.top().dash = if kind == Lex::LBracket {
                        DashState::AfterOperand
                    } else {
                        DashState::NeedsOperand
                    };
                } else if !(tied && matches!(kind, Lex::LParen | Lex::Assign)) {
                    self.top().dash = DashState::None;
                }
            }
            DashState::NeedsOperand => {
                let prefix = match kind {
                    Lex::Tilde => true,
                    Lex::Word => {
                        matches!(
                            self.keyword(self.text(i)).map(Keyword::class),
                            Some(Class::Direction | Class::Tight)
                        ) || self.text(i) == "by"
                    }
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
        let keyword = if kind == Lex::Word {
            self.keyword(word)
        } else {
            None
        };
        let prefix = kind == Lex::Tilde
            || matches!(
                keyword.map(Keyword::class),
                Some(Class::Direction | Class::Tight)
            )
            || matches!(self.prev(), Some(Tok::Direction(_) | Tok::Bound(_)))
                && matches!(kind, Lex::Int | Lex::Minus);
        let region = self.top().region;
        let next = match region {
            Region::Move {
                operand: true,
                legal,
            } => Region::Move {
                operand: prefix,
                legal,
            },
            Region::Pin { operand: true } => Region::Pin { operand: prefix },
            Region::Move { operand: false, .. } => {
                let parameter = kind == Lex::CastleLong
                    || kind == Lex::CastleShort
                    || keyword.is_some_and(|k| self.is_move_word(k, i, region));
                let postfix = matches!(kind, Lex::LBracket | Lex::Match)
                    || kind == Lex::LParen && self.after_function(i);
                if parameter || postfix {
                    region
                } else {
                    Region::None
                }
            }
            Region::Pin { operand: false } => {
                let parameter = matches!(
                    keyword,
                    Some(Keyword::From | Keyword::To | Keyword::Through)
                );
                let postfix = matches!(kind, Lex::LBracket | Lex::Match)
                    || kind == Lex::LParen && self.after_function(i);
                if parameter || postfix {
                    region
                } else {
                    Region::None
                }
            }
            Region::Imagine if kind == Lex::Colon => Region::None,
            Region::Path if matches!(kind, Lex::Dash | Lex::Capture) => Region::None,
            _ => region,
        };
        self.top().region = next;
    }

    fn is_move_word(&self, keyword: Keyword, i: usize, region: Region) -> bool {
        match keyword {
            Keyword::From
            | Keyword::To
            | Keyword::Capture
            | Keyword::Promote
            | Keyword::EnPassantSquare
            | Keyword::EnPassant
            | Keyword::Castle
            | Keyword::Null
            | Keyword::Primary
            | Keyword::Secondary
            | Keyword::Legal
            | Keyword::PseudoLegal
            | Keyword::Count
            | Keyword::All
            | Keyword::Reverse
            | Keyword::Drop => true,
            Keyword::Previous => !matches!(self.kind(i + 1), Some(Lex::Dash | Lex::Capture)),
            Keyword::Comment => {
                self.kind(i + 1) == Some(Lex::LParen)
                    && matches!(region, Region::Move { legal: false, .. })
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

fn result(text: &str) -> Option<GameResult> {
    match text {
        "1-0" => Some(GameResult::WhiteWins),
        "0-1" => Some(GameResult::BlackWins),
        "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}
