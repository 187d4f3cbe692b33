//! The stack of open filters.
//!
//! Some tokens depend on where an operand ends: which `if` an `else` belongs to, whether `to` is a
//! parameter of `move`, whether `(` begins the target of a dash. The pass keeps a stack of the
//! filters that expect further operands. A lexeme that cannot continue the operand before it
//! completes filters from the top of the stack.
//!
//! The numbers are the levels of docs/src/language/reading.md#operators.

use super::TokenPass;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::LexemeKind;
use crate::tokens::terminal::Terminal;

/// Binds tighter than any operator.
const PRIMARY: u8 = 14;

/// A filter that is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OpenFilter {
    /// A prefix filter that expects `due` operands, each with operators of at least level `floor`.
    Prefix { due: u8, floor: u8, within: Option<OperandContext> },
    /// An `if` whose `else` has not been read: the index of its token, and the number of operands
    /// that it expects.
    If { token: usize, due: u8, within: Option<OperandContext> },
    /// A `path`, and whether it can take further parameters.
    Path { params: bool },
    /// A `line`, and whether it can take further parameters.
    Line { params: bool },
    /// A `move`: whether a parameter expects its operand, and whether `legal`, `pseudolegal` or
    /// `reverse` has been read.
    Move { operand: bool, legal: bool },
    /// A `pin`, and whether a parameter expects its operand.
    Pin { operand: bool },
    /// An `imagine` before its `:`.
    Imagine,
    /// The right operand of a dash, or its promotion.
    Dash,
    /// Virtual brackets around a prefix filter, and whether they are an operand of `move` or `pin`.
    Operand { of_move: bool },
}

/// What a prefix filter is an operand of, if this decides how its own operand is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OperandContext {
    /// A tight prefix filter that is an operand of a dash.
    Dash,
    /// A tight prefix filter that is an operand of `move` or `pin`.
    Move,
    /// A prefix filter in virtual brackets that are an operand of `move` or `pin`.
    Enclosed,
}

/// Constructs whose parameters are keywords only inside them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    None,
    Move { legal: bool },
    Pin,
    Path,
    Line,
    Header,
}

/// Whether a lexeme follows a dash.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DashState {
    None,
    /// It follows a dash without a right operand.
    Bare,
    /// It follows the right operand or the promotion of a dash.
    Operand,
}

impl TokenPass<'_, '_> {
    /// The region of the innermost open filter.
    pub(super) fn region(&mut self) -> Region {
        match self.top().opens.last() {
            None => self.top().region,
            Some(&OpenFilter::Move { operand: false, legal }) => Region::Move { legal },
            Some(OpenFilter::Pin { operand: false }) => Region::Pin,
            Some(OpenFilter::Path { params: true }) => Region::Path,
            Some(OpenFilter::Line { params: true }) => Region::Line,
            Some(_) => Region::None,
        }
    }

    pub(super) fn open_filter(&mut self, open: OpenFilter) {
        self.top().opens.push(open);
    }

    /// Replaces the innermost open filter.
    pub(super) fn set_open(&mut self, open: OpenFilter) {
        self.top().opens.pop();
        self.top().opens.push(open);
    }

    /// What the operand that begins here is an operand of, directly or through tight prefix
    /// filters.
    fn within(&mut self) -> Option<OperandContext> {
        match self.top().opens.last()? {
            OpenFilter::Prefix { within, .. } => *within,
            OpenFilter::Dash => Some(OperandContext::Dash),
            OpenFilter::Move { operand: true, .. } | OpenFilter::Pin { operand: true } => {
                Some(OperandContext::Move)
            }
            OpenFilter::Operand { of_move: true } => Some(OperandContext::Enclosed),
            OpenFilter::If { within, .. } => *within,
            OpenFilter::Move { .. } | OpenFilter::Pin { .. } | OpenFilter::Operand { .. } => None,
            OpenFilter::Path { .. } | OpenFilter::Line { .. } | OpenFilter::Imagine => None,
        }
    }

    fn prefix(&mut self, due: u8, floor: u8) {
        let within = self.within();
        let within = within.filter(|&within| floor >= 11 || within == OperandContext::Enclosed);
        self.open_filter(OpenFilter::Prefix { due, floor, within });
    }

    /// Opens the filters that begin with a token; `j` is the index of the next lexeme.
    pub(super) fn opens(&mut self, tok: &Terminal<'_>, j: usize) {
        match tok {
            Terminal::Direction(_) if self.in_ray() => {}
            Terminal::Direction(_) | Terminal::Tight(_) | Terminal::Neg => self.prefix(1, 13),
            Terminal::Position => self.prefix(1, 12),
            Terminal::Tilde => self.prefix(1, 11),
            Terminal::Focus(_) => self.prefix(1, 8),
            Terminal::Width7(_) => self.prefix(1, 7),
            Terminal::Width5(_) => self.prefix(1, 5),
            Terminal::Not => self.prefix(1, 3),
            Terminal::Transform(_) | Terminal::Width1(_) | Terminal::SeqMax => self.prefix(1, 1),
            Terminal::Find | Terminal::Sort | Terminal::Echo | Terminal::While => self.prefix(1, 1),
            Terminal::Print(_) => {
                let list = j + usize::from(self.text(j) == "quiet");
                if self.kind(list) != Some(LexemeKind::LParen) {
                    self.prefix(1, 1);
                }
            }
            Terminal::Piece if self.kind(j + 1) == Some(LexemeKind::Assign) => {}
            Terminal::Square | Terminal::Piece | Terminal::LoopWord(_) => self.prefix(2, 1),
            Terminal::Element if !self.in_loop_head() => self.prefix(2, 1),
            Terminal::In if matches!(self.prev(), Some(Terminal::PieceVar(_))) => self.prefix(2, 1),
            Terminal::Assign | Terminal::OpAssign(_) => {
                let floor = match (self.prev2(), self.prev()) {
                    (_, Some(Terminal::RBracket)) => 1,
                    (Some(Terminal::Piece), _) | (_, Some(Terminal::PieceVar(_))) => 7,
                    _ => 5,
                };
                self.prefix(1, floor);
            }
            Terminal::DashRight(_) | Terminal::DashBoth(_) | Terminal::Promote => {
                self.open_filter(OpenFilter::Dash)
            }
            Terminal::If => {
                let (token, due) = (self.out.len(), 2);
                let within = self.within().filter(|&within| within == OperandContext::Enclosed);
                self.open_filter(OpenFilter::If { token, due, within });
            }
            Terminal::Imagine => self.open_filter(OpenFilter::Imagine),
            Terminal::ImagineColon => {
                let at = self.out.last().map_or(0, |token| token.2);
                if self.top().opens.contains(&OpenFilter::Imagine) {
                    while self.top().opens.last() != Some(&OpenFilter::Imagine) {
                        self.end_filter(at);
                    }
                    self.top().opens.pop();
                }
                self.prefix(1, 7);
            }
            Terminal::Chain(_) => {
                if let Some(OpenFilter::Line { params }) = self.top().opens.last_mut() {
                    *params = false;
                }
            }
            _ => {}
        }
    }

    /// Whether the name before an `∊` follows `square`, `piece` or `key`.
    fn in_loop_head(&self) -> bool {
        let before = |n: usize| self.out.len().checked_sub(n).map(|i| &self.out[i].1);
        let word = |tok: Option<&Terminal<'_>>| {
            matches!(tok, Some(Terminal::Square | Terminal::Piece | Terminal::LoopWord(_)))
        };
        word(before(2)) || matches!(before(2), Some(Terminal::All)) && word(before(3))
    }

    /// Whether the previous token ends an operand. The parentheses of `while` and `echo` are not
    /// operands.
    fn operand_ended(&self) -> bool {
        if !self.prev_ends() {
            return matches!(self.prev(), Some(Terminal::Wild(..)));
        }
        if !matches!(self.prev(), Some(Terminal::RParen)) {
            return true;
        }
        let open = self.opener.last().copied().unwrap_or(usize::MAX);
        let before = |n: usize| open.checked_sub(n).and_then(|i| self.out.get(i)).map(|t| &t.1);
        let head = matches!(
            (before(2), before(1)),
            (_, Some(Terminal::Echo | Terminal::While))
                | (Some(Terminal::Echo), Some(Terminal::Quiet))
                | (Some(Terminal::Function), Some(Terminal::Name(_)))
        );
        !head
    }

    /// How tightly the lexeme at `i` binds to the operand before it: the level of its operator,
    /// [`PRIMARY`] if it continues a primary, 0 if it begins another filter.
    fn binds(&mut self, i: usize) -> u8 {
        let Some(kind) = self.kind(i) else { return 0 };
        match kind {
            LexemeKind::Word => match self.text(i) {
                "or" => 1,
                "and" => 2,
                "in" => 3,
                "attacked" if self.text(i + 1) == "by" => 11,
                word => match self.keyword(word) {
                    Some(Keyword::Attacks | Keyword::AttackedBy) => 11,
                    Some(Keyword::White | Keyword::Black)
                        if matches!(self.prev(), Some(Terminal::Colored(_))) =>
                    {
                        PRIMARY
                    }
                    _ => 0,
                },
            },
            LexemeKind::Eq
            | LexemeKind::Ne
            | LexemeKind::Lt
            | LexemeKind::Le
            | LexemeKind::Gt
            | LexemeKind::Ge => 4,
            LexemeKind::Before
            | LexemeKind::BeforeOrSame
            | LexemeKind::After
            | LexemeKind::AfterOrSame => 4,
            LexemeKind::Plus if !self.wildcard_here(i) => 5,
            LexemeKind::Minus if !self.minus_starts(i) => 5,
            LexemeKind::Star if !self.wildcard_here(i) => 6,
            LexemeKind::Slash | LexemeKind::Percent => 6,
            LexemeKind::Dash | LexemeKind::Capture if self.is_key(i) => PRIMARY,
            LexemeKind::Dash | LexemeKind::Capture if self.left_tied(i) => 7,
            LexemeKind::ShotLeft | LexemeKind::ShotRight => 8,
            LexemeKind::Union => 9,
            LexemeKind::Intersect => 10,
            LexemeKind::Match | LexemeKind::LBracket => 12,
            LexemeKind::Colon if self.top().bracket || self.top().imagines > 0 => 0,
            LexemeKind::Colon => 13,
            LexemeKind::LParen if self.after_function(i) => PRIMARY,
            LexemeKind::Str if self.is_search(i) => PRIMARY,
            LexemeKind::Element => PRIMARY,
            LexemeKind::Assign
                if self.is_adjacent(i) && self.within() == Some(OperandContext::Dash) =>
            {
                0
            }
            kind if kind.assigns() => match self.prev() {
                Some(Terminal::Name(_) | Terminal::PieceVar(_) | Terminal::RBracket) => PRIMARY,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Completes the filters whose last operand ends before the lexeme at `i`. `at` is the end of
    /// the previous lexeme.
    pub(super) fn complete(&mut self, i: usize, at: u32) {
        self.dash_state = match self.prev() {
            Some(Terminal::DashFree(_) | Terminal::DashLeft(_)) => DashState::Bare,
            _ => DashState::None,
        };
        self.operand_colon = false;
        let kind = self.kind(i);
        let adjacent = self.is_adjacent(i);
        let tail = adjacent && matches!(kind, Some(LexemeKind::LParen | LexemeKind::Assign));
        if !self.operand_ended() || tail && self.dash_state == DashState::Bare {
            return;
        }
        let level = self.binds(i);
        if level == PRIMARY {
            return;
        }
        // A `:` after an operand of `move` or `pin` belongs to the whole filter, unless it follows
        // a position.
        let mut colon = false;
        if kind == Some(LexemeKind::Colon) && !self.top().bracket {
            let within = self.within().filter(|&within| within != OperandContext::Dash);
            if within.is_some() && (self.position_ends() || self.is_veto(i)) {
                self.operand_colon = within == Some(OperandContext::Move);
                return;
            }
            colon = within.is_some();
        }
        // Whether the previous token ends a step of a path.
        let mut step = match self.prev() {
            Some(Terminal::DashFree(_) | Terminal::DashLeft(_) | Terminal::Wild(..)) => true,
            Some(Terminal::RParen) => self.closes(|tok| matches!(tok, Terminal::PathGroup)),
            _ => false,
        };
        while let Some(&open) = self.top().opens.last() {
            match open {
                OpenFilter::Prefix { due, floor, within } => {
                    if level >= floor && !(colon && within.is_some()) {
                        return;
                    }
                    if due > 1 {
                        let due = due - 1;
                        return self.set_open(OpenFilter::Prefix { due, floor, within });
                    }
                }
                OpenFilter::If { within, .. } if level > 0 && !(colon && within.is_some()) => {
                    return;
                }
                OpenFilter::If { token, due, within } if due > 1 => {
                    let due = due - 1;
                    return self.set_open(OpenFilter::If { token, due, within });
                }
                OpenFilter::If { token, .. } => {
                    if self.is_word(i, Keyword::Else) {
                        self.out[token].1 = Terminal::IfElse;
                        self.top().opens.pop();
                        return self.prefix(1, 1);
                    }
                }
                OpenFilter::Path { .. } => {
                    let branch = self.is_word(i, Keyword::Then) || self.is_word(i, Keyword::Else);
                    if !(branch && self.has_open_if() || step && level > 0) {
                        return;
                    }
                    // The value of the path is the left operand of the operator.
                    step = false;
                    self.end_filter(at);
                    continue;
                }
                OpenFilter::Line { params } => {
                    let wild = matches!(self.prev(), Some(Terminal::Wild(..)));
                    if params || level > 0 && !wild || self.continues_line(i) {
                        return;
                    }
                }
                OpenFilter::Move { operand, legal } => {
                    if operand && level >= 12 && !colon {
                        return;
                    }
                    if self.is_move_parameter(i, legal) {
                        return self.set_open(OpenFilter::Move { operand: false, legal });
                    }
                }
                OpenFilter::Pin { operand } => {
                    if operand && level >= 12 && !colon {
                        return;
                    }
                    if self.is_pin_parameter(i) {
                        return self.set_open(OpenFilter::Pin { operand: false });
                    }
                }
                OpenFilter::Imagine => return,
                OpenFilter::Dash => {
                    if level >= 8 {
                        return;
                    }
                    step = true;
                    if matches!(kind, Some(LexemeKind::LParen | LexemeKind::Assign)) {
                        self.dash_state = DashState::Operand;
                        if adjacent {
                            self.top().opens.pop();
                            return;
                        }
                    }
                }
                OpenFilter::Operand { .. } => {}
            }
            self.end_filter(at);
            // Outside of `move`, its `:` is an ordinary operator.
            colon &= !matches!(open, OpenFilter::Move { .. } | OpenFilter::Pin { .. });
        }
    }

    /// Pops the innermost open filter and pushes its end token, if it has one.
    pub(super) fn end_filter(&mut self, at: u32) {
        let span = crate::diagnostic::Span::new(at, at);
        match self.top().opens.pop() {
            Some(OpenFilter::Path { .. }) => {
                self.top().paths -= 1;
                self.push(span, Terminal::PathEnd);
            }
            Some(OpenFilter::Operand { .. }) => self.push(span, Terminal::OperandEnd),
            _ => {}
        }
    }

    /// Whether the previous token closes brackets whose opening token satisfies `opener`.
    pub(super) fn closes(&self, opener: impl Fn(&Terminal<'_>) -> bool) -> bool {
        let open = self.opener.last().and_then(|&open| self.out.get(open));
        open.is_some_and(|token| opener(&token.1))
    }

    fn has_open_if(&mut self) -> bool {
        self.top().ifs_open()
    }

    fn continues_line(&mut self, i: usize) -> bool {
        match self.kind(i) {
            Some(LexemeKind::Forward | LexemeKind::Backward) => true,
            Some(LexemeKind::Plus | LexemeKind::Star) => self.wildcard_here(i),
            Some(
                LexemeKind::Question
                | LexemeKind::Repeat
                | LexemeKind::RepeatStar
                | LexemeKind::RepeatPlus,
            ) => true,
            _ => false,
        }
    }

    fn is_word(&self, i: usize, keyword: Keyword) -> bool {
        self.kind(i) == Some(LexemeKind::Word) && self.keyword(self.text(i)) == Some(keyword)
    }

    fn is_move_parameter(&self, i: usize, legal: bool) -> bool {
        match self.kind(i) {
            Some(LexemeKind::CastleLong | LexemeKind::CastleShort) => true,
            Some(LexemeKind::Word) => self
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
            Keyword::Previous => {
                !matches!(self.kind(i + 1), Some(LexemeKind::Dash | LexemeKind::Capture))
            }
            Keyword::Comment => self.kind(i + 1) == Some(LexemeKind::LParen) && !legal,
            _ => false,
        }
    }

    /// Opens virtual brackets around a prefix filter that begins here as an operand of a dash, of
    /// `move` or of `pin`.
    pub(super) fn enclose(&mut self, i: usize) {
        let of_move = match self.within() {
            Some(OperandContext::Dash) => false,
            Some(OperandContext::Move) => true,
            Some(OperandContext::Enclosed) | None => return,
        };
        if self.prev_ends() || !self.starts_prefix(i, of_move) {
            return;
        }
        let start = self.lexemes[i].span.start;
        self.push(crate::diagnostic::Span::new(start, start), Terminal::OperandOpen);
        self.open_filter(OpenFilter::Operand { of_move });
    }

    /// Whether a filter begins here that the grammar accepts as such an operand only in brackets.
    fn starts_prefix(&self, i: usize, of_move: bool) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            LexemeKind::PieceVar
            | LexemeKind::ForAll
            | LexemeKind::Hash
            | LexemeKind::FlipSymbol
            | LexemeKind::FlipColorSymbol => true,
            LexemeKind::PathSymbol | LexemeKind::Tilde => of_move,
            LexemeKind::Word => {
                let next = self.kind(i + 1);
                let Some(keyword) = self.keyword(self.text(i)) else {
                    let assigns = next.is_some_and(LexemeKind::assigns);
                    return next == Some(LexemeKind::Element)
                        || assigns
                            && !(next == Some(LexemeKind::Assign) && self.is_adjacent(i + 1));
                };
                match keyword.class() {
                    KeywordClass::Transform
                    | KeywordClass::Width1
                    | KeywordClass::Width5
                    | KeywordClass::Width7 => true,
                    KeywordClass::Print => {
                        let list = i + 1 + usize::from(self.text(i + 1) == "quiet");
                        self.kind(list) != Some(LexemeKind::LParen)
                    }
                    KeywordClass::List => {
                        keyword == Keyword::MakeSquare && next != Some(LexemeKind::LParen)
                    }
                    KeywordClass::Special => match keyword {
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
                    KeywordClass::Nullary
                    | KeywordClass::Direction
                    | KeywordClass::Tight
                    | KeywordClass::Search
                    | KeywordClass::Colored
                    | KeywordClass::Text
                    | KeywordClass::Reserved => false,
                }
            }
            _ => false,
        }
    }
}
