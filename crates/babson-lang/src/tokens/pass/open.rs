//! Which filters are open.
//!
//! Some tokens depend on where an operand ends: which `if` an `else` belongs to, whether a `to` is
//! still a parameter of `move`, whether a `(` is the target of a dash. So the pass keeps a stack of
//! the filters that wait for operands, and completes them when a lexeme cannot continue the operand
//! before it, as a recursive-descent parser would.

use super::Pass;
use crate::keywords::{Class, Keyword};
use crate::lexer::Lex;
use crate::tokens::token::Tok;

/// Tighter than any operator.
const PRIMARY: u8 = 14;

/// A filter that is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Open {
    /// A prefix filter that waits for `due` operands, with operators of level `floor` and tighter.
    Prefix { due: u8, floor: u8, within: Option<Within> },
    /// An `if` without `else` so far: the index of its token, and the operands it waits for.
    If { token: usize, due: u8, within: Option<Within> },
    /// A `path`; are parameters still possible?
    Path { params: bool },
    /// A `line`; are parameters still possible?
    Line { params: bool },
    /// A `move`: does a parameter wait for its operand, was `legal`, `pseudolegal` or `reverse`
    /// there?
    Move { operand: bool, legal: bool },
    /// A `pin`: does a parameter wait for its operand?
    Pin { operand: bool },
    /// An `imagine` before its `:`.
    Imagine,
    /// The operand at the right of a dash, or its promotion.
    Dash,
    /// The brackets around a prefix filter where only something closed can stand; are they an
    /// operand of `move`?
    Operand { of_move: bool },
}

/// What a prefix filter stands in, where that decides how its operand is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Within {
    /// A tight one as an operand of a dash.
    Dash,
    /// A tight one as an operand of `move` or `pin`.
    Move,
    /// Any one in brackets that are an operand of `move` or `pin`.
    Enclosed,
}

/// Where parameter words have kinds of their own.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    None,
    Move { legal: bool },
    Pin,
    Path,
    Line,
    Header,
}

/// What stands before a lexeme with regard to a dash.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AfterDash {
    None,
    /// A dash that touches nothing at its right.
    Bare,
    /// A dash with an operand or a promotion.
    Operand,
}

impl Pass<'_, '_> {
    /// The region of the innermost open filter.
    pub(super) fn region(&mut self) -> Region {
        match self.top().opens.last() {
            None => self.top().region,
            Some(&Open::Move { operand: false, legal }) => Region::Move { legal },
            Some(Open::Pin { operand: false }) => Region::Pin,
            Some(Open::Path { params: true }) => Region::Path,
            Some(Open::Line { params: true }) => Region::Line,
            Some(_) => Region::None,
        }
    }

    pub(super) fn open_filter(&mut self, open: Open) {
        self.top().opens.push(open);
    }

    /// Replaces the innermost open filter.
    pub(super) fn set_open(&mut self, open: Open) {
        self.top().opens.pop();
        self.top().opens.push(open);
    }

    /// What the operand that begins here is an operand of, through tight prefix filters.
    fn within(&mut self) -> Option<Within> {
        match self.top().opens.last()? {
            Open::Prefix { within, .. } => *within,
            Open::Dash => Some(Within::Dash),
            Open::Move { operand: true, .. } | Open::Pin { operand: true } => Some(Within::Move),
            Open::Operand { of_move: true } => Some(Within::Enclosed),
            Open::If { within, .. } => *within,
            Open::Move { .. } | Open::Pin { .. } | Open::Operand { .. } => None,
            Open::Path { .. } | Open::Line { .. } | Open::Imagine => None,
        }
    }

    fn prefix(&mut self, due: u8, floor: u8) {
        let within = self.within();
        let within = within.filter(|&within| floor >= 11 || within == Within::Enclosed);
        self.open_filter(Open::Prefix { due, floor, within });
    }

    /// What a token opens; the next lexeme is that at `j`.
    pub(super) fn opens(&mut self, tok: &Tok<'_>, j: usize) {
        match tok {
            Tok::Direction(_) if self.in_ray() => {}
            Tok::Direction(_) | Tok::Tight(_) | Tok::Neg => self.prefix(1, 13),
            Tok::Position => self.prefix(1, 12),
            Tok::Tilde => self.prefix(1, 11),
            Tok::Focus(_) => self.prefix(1, 8),
            Tok::Width7(_) => self.prefix(1, 7),
            Tok::Width5(_) => self.prefix(1, 5),
            Tok::Not => self.prefix(1, 3),
            Tok::Transform(_) | Tok::Width1(_) | Tok::SeqMax => self.prefix(1, 1),
            Tok::Find | Tok::Sort | Tok::Echo | Tok::While => self.prefix(1, 1),
            Tok::Print(_) => {
                let list = j + usize::from(self.text(j) == "quiet");
                if self.kind(list) != Some(Lex::LParen) {
                    self.prefix(1, 1);
                }
            }
            Tok::Piece if self.kind(j + 1) == Some(Lex::Assign) => {}
            Tok::Square | Tok::Piece | Tok::LoopWord(_) => self.prefix(2, 1),
            Tok::Element if !self.in_loop_head() => self.prefix(2, 1),
            Tok::In if matches!(self.prev(), Some(Tok::PieceVar(_))) => self.prefix(2, 1),
            Tok::Assign | Tok::OpAssign(_) => {
                let floor = match (self.prev2(), self.prev()) {
                    (_, Some(Tok::RBracket)) => 1,
                    (Some(Tok::Piece), _) | (_, Some(Tok::PieceVar(_))) => 7,
                    _ => 5,
                };
                self.prefix(1, floor);
            }
            Tok::DashRight(_) | Tok::DashBoth(_) | Tok::Promote => self.open_filter(Open::Dash),
            Tok::If => {
                let (token, due) = (self.out.len(), 2);
                let within = self.within().filter(|&within| within == Within::Enclosed);
                self.open_filter(Open::If { token, due, within });
            }
            Tok::Imagine => self.open_filter(Open::Imagine),
            Tok::ImagineColon => {
                let at = self.out.last().map_or(0, |token| token.2);
                if self.top().opens.contains(&Open::Imagine) {
                    while self.top().opens.last() != Some(&Open::Imagine) {
                        self.end_filter(at);
                    }
                    self.top().opens.pop();
                }
                self.prefix(1, 7);
            }
            Tok::Chain(_) => {
                if let Some(Open::Line { params }) = self.top().opens.last_mut() {
                    *params = false;
                }
            }
            _ => {}
        }
    }

    /// Does the name before an `∊` follow `square`, `piece` or `key`?
    fn in_loop_head(&self) -> bool {
        let before = |n: usize| self.out.len().checked_sub(n).map(|i| &self.out[i].1);
        let word = |tok: Option<&Tok<'_>>| {
            matches!(tok, Some(Tok::Square | Tok::Piece | Tok::LoopWord(_)))
        };
        word(before(2)) || matches!(before(2), Some(Tok::All)) && word(before(3))
    }

    /// Is the previous token the end of an operand? The parentheses of `while` and `echo` are none.
    fn operand_ended(&self) -> bool {
        if !self.prev_ends() {
            return matches!(self.prev(), Some(Tok::Wild(..)));
        }
        if !matches!(self.prev(), Some(Tok::RParen)) {
            return true;
        }
        let open = self.opener.last().copied().unwrap_or(usize::MAX);
        let before = |n: usize| open.checked_sub(n).and_then(|i| self.out.get(i)).map(|t| &t.1);
        let head = matches!(
            (before(2), before(1)),
            (_, Some(Tok::Echo | Tok::While))
                | (Some(Tok::Echo), Some(Tok::Quiet))
                | (Some(Tok::Function), Some(Tok::Name(_)))
        );
        !head
    }

    /// How tight the lexeme at `i` binds to the operand before it: the level of its operator,
    /// [`PRIMARY`] for what belongs to a primary, 0 if it begins something else.
    fn binds(&mut self, i: usize) -> u8 {
        let Some(kind) = self.kind(i) else { return 0 };
        match kind {
            Lex::Word => match self.text(i) {
                "or" => 1,
                "and" => 2,
                "in" => 3,
                "attacked" if self.text(i + 1) == "by" => 11,
                word => match self.keyword(word) {
                    Some(Keyword::Attacks | Keyword::AttackedBy) => 11,
                    Some(Keyword::White | Keyword::Black)
                        if matches!(self.prev(), Some(Tok::Coloured(_))) =>
                    {
                        PRIMARY
                    }
                    _ => 0,
                },
            },
            Lex::Eq | Lex::Ne | Lex::Lt | Lex::Le | Lex::Gt | Lex::Ge => 4,
            Lex::Before | Lex::BeforeOrSame | Lex::After | Lex::AfterOrSame => 4,
            Lex::Plus if !self.wildcard_here(i) => 5,
            Lex::Minus if !self.minus_starts(i) => 5,
            Lex::Star if !self.wildcard_here(i) => 6,
            Lex::Slash | Lex::Percent => 6,
            Lex::Dash | Lex::Capture if self.is_key(i) => PRIMARY,
            Lex::Dash | Lex::Capture if self.left_tied(i) => 7,
            Lex::ShotLeft | Lex::ShotRight => 8,
            Lex::Union => 9,
            Lex::Intersect => 10,
            Lex::Match | Lex::LBracket => 12,
            Lex::Colon if self.top().bracket || self.top().imagines > 0 => 0,
            Lex::Colon => 13,
            Lex::LParen if self.after_function(i) => PRIMARY,
            Lex::Str if self.is_search(i) => PRIMARY,
            Lex::Element => PRIMARY,
            Lex::Assign if self.tied(i) && self.within() == Some(Within::Dash) => 0,
            kind if kind.assigns() => match self.prev() {
                Some(Tok::Name(_) | Tok::PieceVar(_) | Tok::RBracket) => PRIMARY,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Completes the filters whose last operand ends before the lexeme at `i`; `at` is the end of
    /// the text before it.
    pub(super) fn complete(&mut self, i: usize, at: u32) {
        self.after_dash = match self.prev() {
            Some(Tok::DashFree(_) | Tok::DashLeft(_)) => AfterDash::Bare,
            _ => AfterDash::None,
        };
        self.operand_colon = false;
        let kind = self.kind(i);
        let tied = self.tied(i);
        let tail = tied && matches!(kind, Some(Lex::LParen | Lex::Assign));
        if !self.operand_ended() || tail && self.after_dash == AfterDash::Bare {
            return;
        }
        let level = self.binds(i);
        if level == PRIMARY {
            return;
        }
        // A `:` after an operand of `move` or `pin` belongs to the whole, unless a position stands
        // before it.
        let mut colon = false;
        if kind == Some(Lex::Colon) && !self.top().bracket {
            let within = self.within().filter(|&within| within != Within::Dash);
            if within.is_some() && (self.position_ends() || self.is_veto(i)) {
                self.operand_colon = within == Some(Within::Move);
                return;
            }
            colon = within.is_some();
        }
        // A step of a path that no operator continues.
        let mut step = match self.prev() {
            Some(Tok::DashFree(_) | Tok::DashLeft(_) | Tok::Wild(..)) => true,
            Some(Tok::RParen) => self.closes(|tok| matches!(tok, Tok::PathGroup)),
            _ => false,
        };
        while let Some(&open) = self.top().opens.last() {
            match open {
                Open::Prefix { due, floor, within } => {
                    if level >= floor && !(colon && within.is_some()) {
                        return;
                    }
                    if due > 1 {
                        let due = due - 1;
                        return self.set_open(Open::Prefix { due, floor, within });
                    }
                }
                Open::If { within, .. } if level > 0 && !(colon && within.is_some()) => return,
                Open::If { token, due, within } if due > 1 => {
                    let due = due - 1;
                    return self.set_open(Open::If { token, due, within });
                }
                Open::If { token, .. } => {
                    if self.is_word(i, Keyword::Else) {
                        self.out[token].1 = Tok::IfElse;
                        self.top().opens.pop();
                        return self.prefix(1, 1);
                    }
                }
                Open::Path { .. } => {
                    let branch = self.is_word(i, Keyword::Then) || self.is_word(i, Keyword::Else);
                    if !(branch && self.has_open_if() || step && level > 0) {
                        return;
                    }
                    // The value of the path goes on as an operand.
                    step = false;
                    self.end_filter(at);
                    continue;
                }
                Open::Line { params } => {
                    let wild = matches!(self.prev(), Some(Tok::Wild(..)));
                    if params || level > 0 && !wild || self.continues_line(i) {
                        return;
                    }
                }
                Open::Move { operand, legal } => {
                    if operand && level >= 12 && !colon {
                        return;
                    }
                    if self.is_move_parameter(i, legal) {
                        return self.set_open(Open::Move { operand: false, legal });
                    }
                }
                Open::Pin { operand } => {
                    if operand && level >= 12 && !colon {
                        return;
                    }
                    if self.is_pin_parameter(i) {
                        return self.set_open(Open::Pin { operand: false });
                    }
                }
                Open::Imagine => return,
                Open::Dash => {
                    if level >= 8 {
                        return;
                    }
                    step = true;
                    if matches!(kind, Some(Lex::LParen | Lex::Assign)) {
                        self.after_dash = AfterDash::Operand;
                        if tied {
                            self.top().opens.pop();
                            return;
                        }
                    }
                }
                Open::Operand { .. } => {}
            }
            self.end_filter(at);
            // The `:` of `move` is an ordinary one outside.
            colon &= !matches!(open, Open::Move { .. } | Open::Pin { .. });
        }
    }

    /// Takes the innermost open filter off the stack, with the token that ends it.
    pub(super) fn end_filter(&mut self, at: u32) {
        let span = crate::diagnostic::Span::new(at, at);
        match self.top().opens.pop() {
            Some(Open::Path { .. }) => {
                self.top().paths -= 1;
                self.push(span, Tok::PathEnd);
            }
            Some(Open::Operand { .. }) => self.push(span, Tok::OperandEnd),
            _ => {}
        }
    }

    /// Is the previous token the end of a pair of brackets that such a token opened?
    pub(super) fn closes(&self, opener: impl Fn(&Tok<'_>) -> bool) -> bool {
        let open = self.opener.last().and_then(|&open| self.out.get(open));
        open.is_some_and(|token| opener(&token.1))
    }

    fn has_open_if(&mut self) -> bool {
        self.top().ifs_open()
    }

    fn continues_line(&mut self, i: usize) -> bool {
        match self.kind(i) {
            Some(Lex::Forward | Lex::Backward) => true,
            Some(Lex::Plus | Lex::Star) => self.wildcard_here(i),
            Some(Lex::Question | Lex::Repeat | Lex::RepeatStar | Lex::RepeatPlus) => true,
            _ => false,
        }
    }

    fn is_word(&self, i: usize, keyword: Keyword) -> bool {
        self.kind(i) == Some(Lex::Word) && self.keyword(self.text(i)) == Some(keyword)
    }

    fn is_move_parameter(&self, i: usize, legal: bool) -> bool {
        match self.kind(i) {
            Some(Lex::CastleLong | Lex::CastleShort) => true,
            Some(Lex::Word) => self
                .keyword(self.text(i))
                .is_some_and(|keyword| self.is_move_word(keyword, i, legal)),
            _ => false,
        }
    }

    fn is_pin_parameter(&self, i: usize) -> bool {
        let words = [Keyword::From, Keyword::To, Keyword::Through];
        words.into_iter().any(|word| self.is_word(i, word))
    }

    pub(super) fn is_move_word(&self, keyword: Keyword, i: usize, legal: bool) -> bool {
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
            Keyword::Comment => self.kind(i + 1) == Some(Lex::LParen) && !legal,
            _ => false,
        }
    }

    /// Puts brackets around a prefix filter that begins here as an operand of a dash, of `move` or
    /// of `pin`: there it is closed, whatever it takes in.
    pub(super) fn enclose(&mut self, i: usize) {
        let of_move = match self.within() {
            Some(Within::Dash) => false,
            Some(Within::Move) => true,
            Some(Within::Enclosed) | None => return,
        };
        if self.prev_ends() || !self.starts_prefix(i, of_move) {
            return;
        }
        let start = self.lexemes[i].span.start;
        self.push(crate::diagnostic::Span::new(start, start), Tok::OperandOpen);
        self.open_filter(Open::Operand { of_move });
    }

    /// Does a filter begin here that the grammar does not take as such an operand by itself?
    fn starts_prefix(&self, i: usize, of_move: bool) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            Lex::PieceVar | Lex::ForAll | Lex::Hash | Lex::FlipSymbol | Lex::FlipColorSymbol => {
                true
            }
            Lex::PathSymbol | Lex::Tilde => of_move,
            Lex::Word => {
                let next = self.kind(i + 1);
                let Some(keyword) = self.keyword(self.text(i)) else {
                    let assigns = next.is_some_and(Lex::assigns);
                    return next == Some(Lex::Element)
                        || assigns && !(next == Some(Lex::Assign) && self.tied(i + 1));
                };
                match keyword.class() {
                    Class::Transform | Class::Width1 | Class::Width5 | Class::Width7 => true,
                    Class::Print => {
                        let list = i + 1 + usize::from(self.text(i + 1) == "quiet");
                        self.kind(list) != Some(Lex::LParen)
                    }
                    Class::List => keyword == Keyword::MakeSquare && next != Some(Lex::LParen),
                    Class::Special => match keyword {
                        Keyword::Not
                        | Keyword::Find
                        | Keyword::Sort
                        | Keyword::Echo
                        | Keyword::If
                        | Keyword::While
                        | Keyword::Square
                        | Keyword::Piece
                        | Keyword::Key
                        | Keyword::String
                        | Keyword::Imagine
                        | Keyword::Legal
                        | Keyword::PseudoLegal
                        | Keyword::Previous
                        | Keyword::CountMoves
                        | Keyword::Atomic
                        | Keyword::Persistent
                        | Keyword::Local
                        | Keyword::Line => true,
                        Keyword::Position => !of_move && self.sum_follows(i + 1),
                        Keyword::Move
                        | Keyword::Pin
                        | Keyword::Path
                        | Keyword::Unbind
                        | Keyword::Dictionary
                        | Keyword::Function => of_move,
                        _ => false,
                    },
                    Class::Nullary
                    | Class::Direction
                    | Class::Tight
                    | Class::Search
                    | Class::Coloured
                    | Class::Text
                    | Class::Reserved => false,
                }
            }
            _ => false,
        }
    }
}
