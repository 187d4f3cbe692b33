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
//! The page docs/src/language/reading.md#operators lists the levels of the operators.

use super::TokenPass;
use super::context::DashState;
use crate::ast::{BinaryOp, InfixOp, levels};
use crate::choice::ChoiceKind;
use crate::diagnostic::Span;
use crate::keywords::Keyword;
use crate::lexer::{LexemeClass, LexemeKind};
use crate::tokens::terminal::{Terminal, TerminalRole};

/// The level of what continues a primary expression. It is tighter than any operator.
const PRIMARY: u8 = levels::TIGHT + 1;

/// A filter that is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OpenFilter {
    /// A prefix filter that expects `operands`, each with operators of at least `level`. `if_token`
    /// is the index of the token of an `if` whose `else` has not been read.
    Prefix { operands: u8, level: u8, context: Option<OperandContext>, if_token: Option<usize> },
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

impl Boundary {
    /// Whether it continues an operand with operators of at least `level`.
    fn extends(&self, level: u8, context: Option<OperandContext>) -> bool {
        self.level >= level && !(self.ends_parameters && context.is_some())
    }
}

impl TokenPass<'_, '_> {
    /// Opens virtual brackets around a prefix filter that begins here as the operand of a dash or
    /// of a parameter.
    pub(super) fn open_virtual_brackets(&mut self, i: usize) {
        let of_parameter = match self.context.operand_context() {
            Some(OperandContext::Dash) => false,
            Some(OperandContext::Parameter) => true,
            Some(OperandContext::Enclosed) | None => return,
        };
        if self.output.prev_ends() || !self.cursor.starts_prefix(i, of_parameter) {
            return;
        }
        let start = self.cursor.lexemes[i].span.start;
        self.output.push(Span::new(start, start), Terminal::OperandOpen);
        self.context.open_filter(OpenFilter::Operand { of_parameter });
    }

    /// Opens a prefix filter that expects operands of a level.
    fn open_prefix(&mut self, operands: u8, level: u8, if_token: Option<usize>) {
        // Only a tight prefix filter is read as a part of the operand of a dash or of a parameter.
        let is_tight = level >= levels::COMPLEMENT;
        let context = self.context.operand_context();
        let context = context.filter(|&context| is_tight || context == OperandContext::Enclosed);
        self.context.open_filter(OpenFilter::Prefix { operands, level, context, if_token });
    }

    /// Opens the filters that begin with a token; `j` is the index of the next lexeme.
    pub(super) fn open_filters_of(&mut self, tok: &Terminal<'_>, j: usize) {
        match tok.role() {
            TerminalRole::Prefix { operands, level } => {
                if !self.lacks_operands(tok, j) {
                    let if_token = (*tok == Terminal::If).then_some(self.output.len());
                    self.open_prefix(operands, level, if_token);
                }
            }
            TerminalRole::BinaryOperator => {
                // `[Aa]x in S F`
                let binds = matches!(self.output.prev(), Some(Terminal::PieceVar(_)));
                if binds && matches!(tok, Terminal::In) {
                    self.open_prefix(2, levels::FILTER, None);
                }
            }
            TerminalRole::Assignment => {
                let level = self.assigned_level();
                self.open_prefix(1, level, None);
            }
            TerminalRole::DashOperand => self.context.open_filter(OpenFilter::Dash),
            TerminalRole::Imagine => {
                self.context.top().imagines += 1;
                self.context.open_filter(OpenFilter::Imagine);
            }
            TerminalRole::ImagineColon => {
                self.context.top().imagines -= 1;
                let at = self.output.end();
                if self.context.top().opens.contains(&OpenFilter::Imagine) {
                    while self.context.top().opens.last() != Some(&OpenFilter::Imagine) {
                        self.end_filter(at);
                    }
                    self.context.top().opens.pop();
                }
                self.open_prefix(1, levels::SET, None);
            }
            TerminalRole::Path => {
                self.context.top().paths += 1;
                self.context.open_filter(OpenFilter::Path { params: true });
            }
            TerminalRole::Line => self.context.open_filter(OpenFilter::Line { params: true }),
            TerminalRole::Chain => {
                if let Some(OpenFilter::Line { params }) = self.context.top().opens.last_mut() {
                    *params = false;
                }
            }
            TerminalRole::OperandEnd | TerminalRole::Other => {}
        }
    }

    /// The level of the value that is assigned to the place before the operator.
    fn assigned_level(&self) -> u8 {
        if matches!(self.output.prev(), Some(Terminal::RBracket)) {
            levels::FILTER
        } else if matches!(self.output.prev2(), Some(Terminal::Piece))
            || matches!(self.output.prev(), Some(Terminal::PieceVar(_)))
        {
            levels::SET
        } else {
            levels::VALUE
        }
    }

    /// Whether a token that usually begins a prefix filter does not expect operands here. `j` is
    /// the index of the next lexeme.
    fn lacks_operands(&self, tok: &Terminal<'_>, j: usize) -> bool {
        // For `piece x = S`, the `=` expects the operand.
        let is_assigned = self.cursor.kind(j + 1) == Some(LexemeKind::Assign);
        matches!(tok, Terminal::Print(_)) && self.cursor.print_list(j)
            || matches!(tok, Terminal::Piece) && is_assigned
            || matches!(tok, Terminal::Element) && self.output.in_loop_head()
    }

    /// How tightly the lexeme at `i` binds to the operand before it: the level of its operator,
    /// [`PRIMARY`] if it continues a primary, 0 if it begins another filter.
    fn binding_level(&mut self, i: usize) -> u8 {
        let Some(kind) = self.cursor.kind(i) else { return 0 };
        match kind.class() {
            LexemeClass::Word => self.word_binding_level(i),
            LexemeClass::Operator(_) if kind.may_be_wildcard() && self.wildcard_here(i) => 0,
            LexemeClass::Operator(_) if kind == LexemeKind::Minus && self.minus_starts(i) => 0,
            LexemeClass::Operator(op) => op.level(),
            LexemeClass::Dash if self.is_key(i) => PRIMARY,
            LexemeClass::Dash if self.left_tied(i) => BinaryOp::Dash.level(),
            LexemeClass::OpeningBracket if kind == LexemeKind::LBracket => BinaryOp::Index.level(),
            LexemeClass::Colon if self.context.top().bracket || self.context.top().imagines > 0 => {
                0
            }
            LexemeClass::Colon => BinaryOp::With.level(),
            LexemeClass::OpeningBracket if kind == LexemeKind::LParen && self.after_function(i) => {
                PRIMARY
            }
            LexemeClass::Operand if self.is_search(i) => PRIMARY,
            LexemeClass::Element => PRIMARY,
            LexemeClass::Assignment => {
                let promotes = kind == LexemeKind::Assign
                    && self.cursor.is_adjacent(i)
                    && self.context.operand_context() == Some(OperandContext::Dash);
                let after_place = matches!(
                    self.output.prev(),
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
        match self.cursor.text(i) {
            "or" => InfixOp::Or.level() as u8,
            "and" => InfixOp::And.level() as u8,
            "in" => BinaryOp::In.level(),
            "attacked" if self.cursor.text(i + 1) == "by" => InfixOp::AttackedBy.level() as u8,
            word => {
                let keyword = self.cursor.keyword(word);
                let is_color = matches!(keyword, Some(Keyword::White | Keyword::Black))
                    && self.output.after_colored();
                if matches!(keyword, Some(Keyword::Attacks | Keyword::AttackedBy)) {
                    InfixOp::Attacks.level() as u8
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
        let after_dash =
            matches!(self.output.prev(), Some(Terminal::DashFree(_) | Terminal::DashLeft(_)));
        self.context.dash_state = if after_dash { DashState::Bare } else { DashState::None };
        self.context.operand_colon = false;
        let is_tail = after_dash && self.cursor.is_adjacent(i) && self.cursor.may_begin_tail(i);
        if is_tail || !self.output.operand_ended() {
            return;
        }
        let level = self.binding_level(i);
        if level == PRIMARY {
            return;
        }
        // A `:` after the operand of a parameter belongs to the whole filter, unless it follows
        // a position.
        let mut ends_parameters = false;
        if self.cursor.kind(i) == Some(LexemeKind::Colon) && !self.context.top().bracket {
            let context = self.context.operand_context();
            let context = context.filter(|&context| context != OperandContext::Dash);
            if context.is_some()
                && (self.output.position_ends() || self.cursor.second(ChoiceKind::OperandColon, i))
            {
                self.context.operand_colon = context == Some(OperandContext::Parameter);
                return;
            }
            ends_parameters = context.is_some();
        }
        let after_step = after_dash
            || matches!(self.output.prev(), Some(Terminal::Wild(..)))
            || matches!(self.output.prev(), Some(Terminal::RParen))
                && self.output.closes(|tok| matches!(tok, Terminal::PathGroup));
        let mut next = Boundary { i, level, ends_parameters, after_step };
        while let Some(&open) = self.context.top().opens.last() {
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
        match open {
            OpenFilter::Prefix { level, context, .. } if next.extends(level, context) => false,
            OpenFilter::Prefix { operands: operands @ 2.., level, context, if_token } => {
                let operands = operands - 1;
                self.context.set_open(OpenFilter::Prefix { operands, level, context, if_token });
                false
            }
            OpenFilter::Prefix { if_token, .. } => {
                !if_token.is_some_and(|token| self.continues_with_else(token, next.i))
            }
            OpenFilter::Path { .. } => {
                let is_branch = self.cursor.is_word(next.i, Keyword::Then)
                    || self.cursor.is_word(next.i, Keyword::Else);
                let ends_branch = is_branch && self.context.top().has_open_if();
                // The value of the path is the left operand of an operator after a step.
                let ends_before_operator = next.after_step && next.level > 0;
                next.after_step = false;
                ends_branch || ends_before_operator
            }
            OpenFilter::Line { params } => {
                let after_wildcard = matches!(self.output.prev(), Some(Terminal::Wild(..)));
                let is_operator = next.level > 0 && !after_wildcard;
                !params && !is_operator && !self.continues_line(next.i)
            }
            OpenFilter::Parameters { operand: true, .. }
                if next.level >= levels::INDEXED && !next.ends_parameters =>
            {
                false
            }
            OpenFilter::Parameters { of, legal, .. } => {
                let goes_on = self.cursor.is_parameter(next.i, of, legal);
                if goes_on {
                    self.context.set_open(OpenFilter::Parameters { of, operand: false, legal });
                }
                !goes_on
            }
            // Only its `:` ends it.
            OpenFilter::Imagine => false,
            OpenFilter::Dash if next.level >= levels::DASH_OPERAND => false,
            OpenFilter::Dash => {
                next.after_step = true;
                !self.continues_with_tail(next.i)
            }
            OpenFilter::Operand { .. } => true,
        }
    }

    /// Whether the lexeme at `i` is the `else` of the innermost open filter: the `if` at `token`,
    /// which then expects the operand of the `else`.
    fn continues_with_else(&mut self, token: usize, i: usize) -> bool {
        let has_else = self.cursor.is_word(i, Keyword::Else);
        if has_else {
            self.output.replace(token, Terminal::IfElse);
            self.context.top().opens.pop();
            self.open_prefix(1, levels::FILTER, None);
        }
        has_else
    }

    /// Whether the lexeme at `i` continues the innermost open filter, a dash, after its right
    /// operand or its promotion. The operand is no longer open.
    fn continues_with_tail(&mut self, i: usize) -> bool {
        let has_tail = self.cursor.may_begin_tail(i);
        if has_tail {
            self.context.dash_state = DashState::Operand;
        }
        let continues = has_tail && self.cursor.is_adjacent(i);
        if continues {
            self.context.top().opens.pop();
        }
        continues
    }

    /// Pops the innermost open filter and pushes its end token, if it has one.
    pub(super) fn end_filter(&mut self, at: u32) {
        let span = Span::new(at, at);
        match self.context.top().opens.pop() {
            Some(OpenFilter::Path { .. }) => {
                self.context.top().paths -= 1;
                self.output.push(span, Terminal::PathEnd);
            }
            Some(OpenFilter::Operand { .. }) => self.output.push(span, Terminal::OperandEnd),
            Some(
                OpenFilter::Prefix { .. }
                | OpenFilter::Line { .. }
                | OpenFilter::Parameters { .. }
                | OpenFilter::Imagine
                | OpenFilter::Dash,
            )
            | None => {}
        }
    }

    /// Whether the lexeme at `i` is an arrow or a wildcard of a `line`.
    fn continues_line(&mut self, i: usize) -> bool {
        let Some(kind) = self.cursor.kind(i) else {
            return false;
        };
        matches!(kind.class(), LexemeClass::Chain | LexemeClass::Wildcard)
            || kind.may_be_wildcard() && self.wildcard_here(i)
    }
}
