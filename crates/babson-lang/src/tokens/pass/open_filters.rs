//! The stack of open filters.
//!
//! Some tokens depend on where an operand ends: which `if` an `else` belongs to, whether `to` is a
//! parameter of `move`, whether `(` begins the target of a dash. The pass keeps a stack of the
//! filters that expect further operands. Before each lexeme, it ends those filters on the top of
//! the stack whose last operand the lexeme does not continue.
//!
//! In `if not ply > 3 mate`, the stack is `if`, which expects two operands, and `not`, which
//! expects one. The `>` binds more tightly than `not`, so the operand of `not` goes on. `mate` does
//! not continue an operand: it ends `not`, and with it the condition of `if`, which then expects
//! one operand.
//!
//! The levels are those of docs/src/language/reading.md#operators.

use super::TokenPass;
use crate::diagnostic::Span;
use crate::keywords::Keyword;
use crate::lexer::{LexemeClass, LexemeKind};
use crate::speculation::ChoiceKind;
use crate::tokens::terminal::{Terminal, TerminalRole};

/// The level of what continues a primary expression. It is tighter than any operator.
const PRIMARY: u8 = 14;

/// A filter that is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OpenFilter {
    /// A prefix filter that expects `operands`, each with operators of at least `level`.
    Prefix { operands: u8, level: u8, context: Option<OperandContext> },
    /// An `if` whose `else` has not been read: the index of its token, and the number of operands
    /// that it expects.
    If { token: usize, operands: u8, context: Option<OperandContext> },
    /// A `path`, and whether it can take further parameters.
    Path { params: bool },
    /// A `line`, and whether it can take further parameters.
    Line { params: bool },
    /// A filter that ends with its parameters: whether one expects its operand, and whether
    /// `legal`, `pseudolegal` or `reverse` has been read.
    Parameters { of: Keyword, operand: bool, legal: bool },
    /// An `imagine` before its `:`.
    Imagine,
    /// The right operand of a dash, or its promotion.
    Dash,
    /// Virtual brackets around a prefix filter, and whether they are the operand of a parameter.
    Operand { of_parameter: bool },
}

/// What a prefix filter is an operand of, if this decides how its own operand is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OperandContext {
    /// A tight prefix filter that is an operand of a dash.
    Dash,
    /// A tight prefix filter that is the operand of a parameter.
    Parameter,
    /// A prefix filter in virtual brackets that are the operand of a parameter.
    Enclosed,
}

/// A lexeme that follows an operand.
struct Boundary {
    /// Its index.
    i: usize,
    /// How tightly it binds to the operand, as [`TokenPass::binding_level`] returns it.
    level: u8,
    /// It is a `:` that ends the parameters, so it does not continue their operands.
    ends_parameters: bool,
    /// The operand ends a step of a path.
    after_step: bool,
}

/// Constructs whose parameters are keywords only inside them.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    None,
    /// Those of a filter that ends with its parameters.
    Parameters {
        of: Keyword,
        legal: bool,
    },
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
            Some(&OpenFilter::Parameters { of, operand: false, legal }) => {
                Region::Parameters { of, legal }
            }
            Some(OpenFilter::Path { params: true }) => Region::Path,
            Some(OpenFilter::Line { params: true }) => Region::Line,
            Some(_) => Region::None,
        }
    }

    /// Pushes an open filter.
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
    pub(super) fn operand_context(&mut self) -> Option<OperandContext> {
        match self.top().opens.last()? {
            OpenFilter::Prefix { context, .. } => *context,
            OpenFilter::Dash => Some(OperandContext::Dash),
            OpenFilter::Parameters { operand: true, .. } => Some(OperandContext::Parameter),
            OpenFilter::Operand { of_parameter: true } => Some(OperandContext::Enclosed),
            OpenFilter::If { context, .. } => *context,
            OpenFilter::Parameters { .. } | OpenFilter::Operand { .. } => None,
            OpenFilter::Path { .. } | OpenFilter::Line { .. } | OpenFilter::Imagine => None,
        }
    }

    /// Opens a prefix filter that expects operands of a level.
    fn open_prefix(&mut self, operands: u8, level: u8) {
        // Only a tight prefix filter is read as a part of the operand of a dash or of a parameter.
        let is_tight = level >= 11;
        let context = self.operand_context();
        let context = context.filter(|&context| is_tight || context == OperandContext::Enclosed);
        self.open_filter(OpenFilter::Prefix { operands, level, context });
    }

    /// Opens the filters that begin with a token; `j` is the index of the next lexeme.
    pub(super) fn open_filters_of(&mut self, tok: &Terminal<'_>, j: usize) {
        match tok.role() {
            TerminalRole::Prefix { operands, level } => {
                if !self.lacks_operands(tok, j) {
                    self.open_prefix(operands, level);
                }
            }
            TerminalRole::BinaryOperator => {
                // `[Aa]x in S F`
                let binds = matches!(self.prev(), Some(Terminal::PieceVar(_)));
                if binds && matches!(tok, Terminal::In) {
                    self.open_prefix(2, 1);
                }
            }
            TerminalRole::Assignment => {
                let level = if matches!(self.prev(), Some(Terminal::RBracket)) {
                    1
                } else if matches!(self.prev2(), Some(Terminal::Piece))
                    || matches!(self.prev(), Some(Terminal::PieceVar(_)))
                {
                    7
                } else {
                    5
                };
                self.open_prefix(1, level);
            }
            TerminalRole::DashOperand => self.open_filter(OpenFilter::Dash),
            TerminalRole::If => {
                let token = self.out.len();
                let context = self.operand_context();
                let context = context.filter(|&context| context == OperandContext::Enclosed);
                self.open_filter(OpenFilter::If { token, operands: 2, context });
            }
            TerminalRole::Imagine => self.open_filter(OpenFilter::Imagine),
            TerminalRole::ImagineColon => {
                let at = self.out.last().map_or(0, |token| token.2);
                if self.top().opens.contains(&OpenFilter::Imagine) {
                    while self.top().opens.last() != Some(&OpenFilter::Imagine) {
                        self.end_filter(at);
                    }
                    self.top().opens.pop();
                }
                self.open_prefix(1, 7);
            }
            TerminalRole::Chain => {
                if let Some(OpenFilter::Line { params }) = self.top().opens.last_mut() {
                    *params = false;
                }
            }
            TerminalRole::OperandEnd | TerminalRole::Other => {}
        }
    }

    /// Whether a token that usually begins a prefix filter does not expect operands here. `j` is
    /// the index of the next lexeme.
    fn lacks_operands(&self, tok: &Terminal<'_>, j: usize) -> bool {
        // For `piece x = S`, the `=` expects the operand.
        let is_assigned = self.kind(j + 1) == Some(LexemeKind::Assign);
        matches!(tok, Terminal::Print(_)) && self.print_list(j)
            || matches!(tok, Terminal::Piece) && is_assigned
            || matches!(tok, Terminal::Element) && self.in_loop_head()
    }

    /// Whether a list in parentheses follows `comment`, `message` or `str`.
    pub(super) fn print_list(&self, j: usize) -> bool {
        let list = j + usize::from(self.text(j) == "quiet");
        self.kind(list) == Some(LexemeKind::LParen)
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
                | (Some(Terminal::Echo), Some(Terminal::Flag(_)))
                | (Some(Terminal::Function), Some(Terminal::Name(_)))
        );
        !head
    }

    /// How tightly the lexeme at `i` binds to the operand before it: the level of its operator,
    /// [`PRIMARY`] if it continues a primary, 0 if it begins another filter.
    fn binding_level(&mut self, i: usize) -> u8 {
        let Some(kind) = self.kind(i) else { return 0 };
        match kind.class() {
            LexemeClass::Word => self.word_binding_level(i),
            LexemeClass::Comparison | LexemeClass::PositionComparison => 4,
            LexemeClass::Sum | LexemeClass::Product
                if kind.may_be_wildcard() && self.wildcard_here(i) =>
            {
                0
            }
            LexemeClass::Sum if kind == LexemeKind::Minus && self.minus_starts(i) => 0,
            LexemeClass::Sum => 5,
            LexemeClass::Product => 6,
            LexemeClass::Dash if self.is_key(i) => PRIMARY,
            LexemeClass::Dash if self.left_tied(i) => 7,
            LexemeClass::Shot => 8,
            LexemeClass::Union => 9,
            LexemeClass::Intersection => 10,
            LexemeClass::Match => 12,
            LexemeClass::OpeningBracket if kind == LexemeKind::LBracket => 12,
            LexemeClass::Colon if self.top().bracket || self.top().imagines > 0 => 0,
            LexemeClass::Colon => 13,
            LexemeClass::OpeningBracket if kind == LexemeKind::LParen && self.after_function(i) => {
                PRIMARY
            }
            LexemeClass::Operand if self.is_search(i) => PRIMARY,
            LexemeClass::Element => PRIMARY,
            LexemeClass::Assignment => {
                let promotes = kind == LexemeKind::Assign
                    && self.is_adjacent(i)
                    && self.operand_context() == Some(OperandContext::Dash);
                let after_place = matches!(
                    self.prev(),
                    Some(Terminal::Name(_) | Terminal::PieceVar(_) | Terminal::RBracket)
                );
                if after_place && !promotes { PRIMARY } else { 0 }
            }
            LexemeClass::Operand
            | LexemeClass::Prefix
            | LexemeClass::OpeningBracket
            | LexemeClass::ClosingBracket
            | LexemeClass::Dash
            | LexemeClass::Chain
            | LexemeClass::Wildcard
            | LexemeClass::Parameter
            | LexemeClass::LineComment
            | LexemeClass::Comment => 0,
        }
    }

    /// Does the same as [`TokenPass::binding_level`] for a word.
    fn word_binding_level(&self, i: usize) -> u8 {
        match self.text(i) {
            "or" => 1,
            "and" => 2,
            "in" => 3,
            "attacked" if self.text(i + 1) == "by" => 11,
            word => {
                let keyword = self.keyword(word);
                let is_color = matches!(keyword, Some(Keyword::White | Keyword::Black))
                    && self.after_colored();
                if matches!(keyword, Some(Keyword::Attacks | Keyword::AttackedBy)) {
                    11
                } else if is_color {
                    PRIMARY
                } else {
                    0
                }
            }
        }
    }

    /// Ends the filters whose last operand ends before the lexeme at `i`.
    pub(super) fn complete_filters(&mut self, i: usize, at: u32) {
        let after_dash = matches!(self.prev(), Some(Terminal::DashFree(_) | Terminal::DashLeft(_)));
        self.dash_state = if after_dash { DashState::Bare } else { DashState::None };
        self.operand_colon = false;
        let is_tail = after_dash && self.is_adjacent(i) && self.may_begin_tail(i);
        if is_tail || !self.operand_ended() {
            return;
        }
        let level = self.binding_level(i);
        if level == PRIMARY {
            return;
        }
        // A `:` after the operand of a parameter belongs to the whole filter, unless it follows
        // a position.
        let mut ends_parameters = false;
        if self.kind(i) == Some(LexemeKind::Colon) && !self.top().bracket {
            let context = self.operand_context();
            let context = context.filter(|&context| context != OperandContext::Dash);
            if context.is_some()
                && (self.position_ends() || self.second(ChoiceKind::OperandColon, i))
            {
                self.operand_colon = context == Some(OperandContext::Parameter);
                return;
            }
            ends_parameters = context.is_some();
        }
        let after_step = after_dash
            || matches!(self.prev(), Some(Terminal::Wild(..)))
            || matches!(self.prev(), Some(Terminal::RParen))
                && self.closes(|tok| matches!(tok, Terminal::PathGroup));
        let mut next = Boundary { i, level, ends_parameters, after_step };
        while let Some(&open) = self.top().opens.last() {
            if !self.ends(open, &mut next) {
                return;
            }
            self.end_filter(at);
            // Outside of the filter, the `:` after its parameters is an ordinary operator.
            if matches!(open, OpenFilter::Parameters { .. }) {
                next.ends_parameters = false;
            }
        }
    }

    /// Whether the innermost open filter ends before the next lexeme. If it goes on, it is updated:
    /// after an operand, it expects one fewer.
    fn ends(&mut self, open: OpenFilter, next: &mut Boundary) -> bool {
        let &mut Boundary { i, level: next_level, ends_parameters, .. } = next;
        match open {
            OpenFilter::Prefix { operands, level, context } => {
                if next_level >= level && !(ends_parameters && context.is_some()) {
                    return false;
                }
                if operands > 1 {
                    let operands = operands - 1;
                    self.set_open(OpenFilter::Prefix { operands, level, context });
                    return false;
                }
                true
            }
            OpenFilter::If { token, operands, context } => {
                if next_level > 0 && !(ends_parameters && context.is_some()) {
                    return false;
                }
                if operands > 1 {
                    let operands = operands - 1;
                    self.set_open(OpenFilter::If { token, operands, context });
                    return false;
                }
                if self.is_word(i, Keyword::Else) {
                    self.out[token].1 = Terminal::IfElse;
                    self.top().opens.pop();
                    self.open_prefix(1, 1);
                    return false;
                }
                true
            }
            OpenFilter::Path { .. } => {
                let is_branch = self.is_word(i, Keyword::Then) || self.is_word(i, Keyword::Else);
                let ends_branch = is_branch && self.top().has_open_if();
                // The value of the path is the left operand of an operator after a step.
                let ends_before_operator = next.after_step && next_level > 0;
                next.after_step = false;
                ends_branch || ends_before_operator
            }
            OpenFilter::Line { params } => {
                let after_wildcard = matches!(self.prev(), Some(Terminal::Wild(..)));
                let is_operator = next_level > 0 && !after_wildcard;
                !params && !is_operator && !self.continues_line(i)
            }
            OpenFilter::Parameters { of, operand, legal } => {
                if operand && next_level >= 12 && !ends_parameters {
                    return false;
                }
                if self.is_parameter(i, of, legal) {
                    self.set_open(OpenFilter::Parameters { of, operand: false, legal });
                    return false;
                }
                true
            }
            // Only its `:` ends it.
            OpenFilter::Imagine => false,
            OpenFilter::Dash => {
                if next_level >= 8 {
                    return false;
                }
                next.after_step = true;
                if self.may_begin_tail(i) {
                    self.dash_state = DashState::Operand;
                    if self.is_adjacent(i) {
                        self.top().opens.pop();
                        return false;
                    }
                }
                true
            }
            OpenFilter::Operand { .. } => true,
        }
    }

    /// Whether the lexeme at `i` can begin the target of a dash, or its promotion.
    fn may_begin_tail(&self, i: usize) -> bool {
        matches!(self.kind(i), Some(LexemeKind::LParen | LexemeKind::Assign))
    }

    /// Pops the innermost open filter and pushes its end token, if it has one.
    pub(super) fn end_filter(&mut self, at: u32) {
        let span = Span::new(at, at);
        match self.top().opens.pop() {
            Some(OpenFilter::Path { .. }) => {
                self.top().paths -= 1;
                self.push(span, Terminal::PathEnd);
            }
            Some(OpenFilter::Operand { .. }) => self.push(span, Terminal::OperandEnd),
            Some(
                OpenFilter::Prefix { .. }
                | OpenFilter::If { .. }
                | OpenFilter::Line { .. }
                | OpenFilter::Parameters { .. }
                | OpenFilter::Imagine
                | OpenFilter::Dash,
            )
            | None => {}
        }
    }

    /// Whether the previous token closes brackets whose opening token satisfies `opener`.
    pub(super) fn closes(&self, opener: impl Fn(&Terminal<'_>) -> bool) -> bool {
        let open = self.opener.last().and_then(|&open| self.out.get(open));
        open.is_some_and(|token| opener(&token.1))
    }

    /// Whether the lexeme at `i` is an arrow or a wildcard of a `line`.
    fn continues_line(&mut self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        matches!(kind.class(), LexemeClass::Chain | LexemeClass::Wildcard)
            || kind.may_be_wildcard() && self.wildcard_here(i)
    }

    /// Whether the lexeme at `i` is this keyword.
    pub(super) fn is_word(&self, i: usize, keyword: Keyword) -> bool {
        self.kind(i) == Some(LexemeKind::Word) && self.keyword(self.text(i)) == Some(keyword)
    }
}
