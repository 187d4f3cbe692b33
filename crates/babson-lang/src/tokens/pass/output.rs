//! The tokens so far, and what they are to the next one.

use super::super::SpannedTerminal;
use crate::diagnostic::Span;
use crate::keywords::Keyword;
use crate::tokens::terminal::{Terminal, TerminalRole};

/// The tokens so far.
pub(super) struct Output<'s> {
    tokens: Vec<SpannedTerminal<'s>>,
    /// For each token that closes a bracket, the index of the opening token.
    opener: Vec<Option<usize>>,
    /// The indices of the tokens that open brackets which are not closed.
    open_tokens: Vec<usize>,
}

impl<'s> Output<'s> {
    pub(super) fn with_capacity(tokens: usize) -> Output<'s> {
        Output {
            tokens: Vec::with_capacity(tokens),
            opener: Vec::with_capacity(tokens),
            open_tokens: Vec::new(),
        }
    }

    pub(super) fn into_tokens(self) -> Vec<SpannedTerminal<'s>> {
        self.tokens
    }

    /// The number of tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The end of the last token.
    pub(super) fn end(&self) -> u32 {
        self.tokens.last().map_or(0, |token| token.2)
    }

    /// Replaces a token.
    pub(super) fn replace(&mut self, index: usize, tok: Terminal<'s>) {
        if let Some(token) = self.tokens.get_mut(index) {
            token.1 = tok;
        }
    }

    /// Notes that the next token opens a bracket.
    pub(super) fn open(&mut self) {
        self.open_tokens.push(self.tokens.len());
    }

    /// Notes that the last token closes the innermost bracket.
    pub(super) fn close(&mut self) {
        if let (Some(last), Some(open)) = (self.opener.last_mut(), self.open_tokens.pop()) {
            *last = Some(open);
        }
    }

    /// The token `n` before the bracket that the previous token closes.
    fn before_brackets(&self, n: usize) -> Option<&Terminal<'s>> {
        let open = self.opener.last().copied().flatten()?;
        self.tokens.get(open.checked_sub(n)?).map(|token| &token.1)
    }

    /// The index of the first token of the operand that ends here: a token or a pair of brackets.
    fn operand_start(&self) -> Option<usize> {
        let last = self.tokens.len().checked_sub(1)?;
        Some(self.opener[last].unwrap_or(last))
    }

    /// The previous token.
    pub(super) fn prev(&self) -> Option<&Terminal<'s>> {
        self.tokens.last().map(|t| &t.1)
    }

    /// The token before the previous one.
    pub(super) fn prev2(&self) -> Option<&Terminal<'s>> {
        self.tokens.len().checked_sub(2).map(|i| &self.tokens[i].1)
    }

    /// Adds a token.
    pub(super) fn push(&mut self, span: Span, tok: Terminal<'s>) {
        self.tokens.push((span.start, tok, span.end));
        self.opener.push(None);
    }

    /// Whether the previous token can end an operand.
    pub(super) fn prev_ends(&self) -> bool {
        self.prev().is_some_and(Terminal::ends_operand)
    }

    /// Whether the previous token closes brackets whose opening token satisfies `opener`.
    pub(super) fn closes(&self, opener: impl Fn(&Terminal<'_>) -> bool) -> bool {
        self.before_brackets(0).is_some_and(opener)
    }

    /// Whether the operand that ends here is a position, independent of the names in it.
    pub(super) fn position_ends(&self) -> bool {
        let Some(start) = self.operand_start() else {
            return false;
        };
        let is_call = matches!(self.tokens[start].1, Terminal::Call);
        let first = start.saturating_sub(usize::from(is_call));
        let before = first.checked_sub(1).map(|i| &self.tokens[i].1);
        matches!(before, Some(Terminal::Position))
            || matches!(
                self.tokens[first].1,
                Terminal::Nullary(
                    Keyword::CurrentPosition
                        | Keyword::Parent
                        | Keyword::Child
                        | Keyword::InitialPosition
                ) | Terminal::List(Keyword::Child | Keyword::Lca)
            )
    }

    /// Whether only directions separate this place from a `ray` or `xray`.
    pub(super) fn in_ray(&self) -> bool {
        let is_flag = |token: &SpannedTerminal<'_>| matches!(token.1, Terminal::Flag(_));
        let before = self.tokens.iter().rev().find(|token| !is_flag(token));
        matches!(before, Some((_, Terminal::Ray(_), _)))
    }

    /// Whether the previous token is a binary operator.
    pub(super) fn after_operator(&self) -> bool {
        self.prev().is_some_and(|token| token.role() == TerminalRole::BinaryOperator)
    }

    /// Whether the name before an `∊` follows `square`, `piece` or `key`.
    pub(super) fn in_loop_head(&self) -> bool {
        let before = |n: usize| self.tokens.len().checked_sub(n).map(|i| &self.tokens[i].1);
        let word = |tok: Option<&Terminal<'_>>| {
            matches!(tok, Some(Terminal::Square | Terminal::Piece | Terminal::LoopWord(_)))
        };
        word(before(2)) || matches!(before(2), Some(Terminal::All)) && word(before(3))
    }

    /// Whether the previous token ends an operand. The parentheses of `while` and `echo` are not
    /// operands.
    pub(super) fn operand_ended(&self) -> bool {
        if !self.prev_ends() {
            return matches!(self.prev(), Some(Terminal::Wild(..)));
        }
        if !matches!(self.prev(), Some(Terminal::RParen)) {
            return true;
        }
        let head = matches!(
            (self.before_brackets(2), self.before_brackets(1)),
            (_, Some(Terminal::Echo | Terminal::While))
                | (Some(Terminal::Echo), Some(Terminal::Flag(_)))
                | (Some(Terminal::Function), Some(Terminal::Name(_)))
        );
        !head
    }

    /// Whether the previous token is the `)` of `cql(…)`, which does not end an operand.
    pub(super) fn after_header(&self) -> bool {
        matches!(self.before_brackets(1), Some(Terminal::Cql))
    }

    /// Whether the previous tokens are `title`, `max` or `focus` and an operand of one token or one
    /// pair of brackets.
    pub(super) fn after_seq_operand(&self) -> bool {
        let before = self.operand_start().and_then(|start| start.checked_sub(1));
        let word = before.map(|i| &self.tokens[i].1);
        matches!(word, Some(Terminal::SeqTitle | Terminal::SeqMax | Terminal::Focus(_)))
    }

    /// Whether the previous token is `sort`, or a parameter directly after it.
    pub(super) fn after_sort(&self) -> bool {
        matches!(
            (self.prev2(), self.prev()),
            (_, Some(Terminal::Prefix(_, Keyword::Sort)))
                | (Some(Terminal::Prefix(_, Keyword::Sort)), Some(Terminal::Flag(_)))
        )
    }

    /// Whether the previous token is `result`, as a filter or in the header.
    pub(super) fn after_result(&self) -> bool {
        matches!(self.prev(), Some(Terminal::ResultIs | Terminal::HeaderResult))
    }

    /// Whether the previous token is `player` or `elo`.
    pub(super) fn after_colored(&self) -> bool {
        matches!(self.prev(), Some(Terminal::Searchable(Keyword::Player | Keyword::Elo)))
    }
}
