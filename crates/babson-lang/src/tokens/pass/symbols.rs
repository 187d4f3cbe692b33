//! Lexemes that are not words: designators, literals and symbols.

use super::super::terminal::Terminal;
use super::TokenPass;
use super::context::{BracketFrame, DashState, RangeContext};
use crate::ast::{GameResult, InfixOp};
use crate::hhdb;
use crate::keywords::Keyword;
use crate::lexer::{LexemeClass, LexemeKind, Repetition, piece_variable, unquoted};
use crate::literals::nag_number;
use crate::parameters;
use crate::speculation::ChoiceKind;

impl<'s> TokenPass<'s, '_> {
    /// Whether a `+` or `*` at `i` is a wildcard.
    pub(super) fn wildcard_here(&mut self, i: usize) -> bool {
        if self.context.path_level() {
            return true;
        }
        self.cursor.kind(i + 1).is_none_or(|next| {
            next.may_be_wildcard()
                || next.class() == LexemeClass::Chain
                || matches!(next, LexemeKind::RBrace | LexemeKind::RParen)
        })
    }

    /// Makes a token of the lexeme at `i`.
    pub(super) fn lexeme(&mut self, i: usize, at: u32, range: RangeContext) -> usize {
        let text = self.cursor.text(i);
        let promotes = self.cursor.is_adjacent(i) && self.context.dash_state != DashState::None;
        let kind = self.cursor.lexemes[i].kind;
        let tok = match kind {
            LexemeKind::Word | LexemeKind::Castle => {
                return self.word(i, range);
            }
            LexemeKind::LParen => return self.open_paren(i),
            LexemeKind::LBrace => return self.open(i, Terminal::LBrace, BracketFrame::default()),
            LexemeKind::LBracket => {
                let frame = BracketFrame { bracket: true, ..BracketFrame::default() };
                return self.open(i, Terminal::LBracket, frame);
            }
            LexemeKind::RParen => return self.close(i, Terminal::RParen, at),
            LexemeKind::RBrace => return self.close(i, Terminal::RBrace, at),
            LexemeKind::RBracket => return self.close(i, Terminal::RBracket, at),
            LexemeKind::Int(value) => return self.int(i, value, range),
            LexemeKind::Minus => return self.minus(i, range),
            LexemeKind::Dash | LexemeKind::Capture => return self.dash(i),
            LexemeKind::Backward if range.in_find => {
                self.context.range = RangeContext::FIND;
                Terminal::Backward
            }
            LexemeKind::Forward if std::mem::take(&mut self.context.top().placing) => {
                Terminal::Gives
            }
            LexemeKind::Forward => Terminal::Chain(false),
            LexemeKind::Backward => Terminal::Chain(true),
            LexemeKind::Designator(_)
                if text.starts_with('[')
                    && self.cursor.is_adjacent(i)
                    && self.after_dictionary() =>
            {
                Terminal::Reserved
            }
            LexemeKind::Designator(value) => Terminal::Designator(value),
            LexemeKind::PieceVar => Terminal::PieceVar(piece_variable(text)),
            LexemeKind::Result(result)
                if matches!(
                    self.output.prev(),
                    Some(Terminal::ResultIs | Terminal::HeaderResult)
                ) || self.cursor.dialect.bare_results =>
            {
                Terminal::Result(result)
            }
            LexemeKind::Result(_) => Terminal::Reserved,
            LexemeKind::Repeat(Repetition { min, max }) => Terminal::Wild(min, max),
            LexemeKind::Question => Terminal::Wild(0, Some(1)),
            LexemeKind::Plus if self.wildcard_here(i) => Terminal::Wild(1, None),
            LexemeKind::Star if self.wildcard_here(i) => Terminal::Wild(0, None),
            LexemeKind::Str => {
                let search = self.is_search(i);
                self.string(unquoted(text), search)
            }
            LexemeKind::Escape(escape) => Terminal::Str(escape.0),
            LexemeKind::Group(number) => Terminal::Group(number),
            LexemeKind::GroupIndex(number) => Terminal::GroupIndex(number),
            LexemeKind::NamedGroup => {
                let inner = text.split_once('{').map_or("", |(_, t)| t.trim_end_matches('}'));
                Terminal::NamedGroup(inner, text.starts_with("\\-"))
            }
            LexemeKind::FileWord => {
                let (word, file) = text.split_once([' ', '\t', '\r', '\n']).unwrap_or((text, ""));
                Terminal::HeaderFile(word == "input", file.trim())
            }
            LexemeKind::LineComment => {
                self.take(i, i + 1, Terminal::LineComment);
                self.context.enter(BracketFrame {
                    message: true,
                    line_comment: true,
                    ..BracketFrame::default()
                });
                return i + 1;
            }
            LexemeKind::Shot(left) => Terminal::Shot(left),
            LexemeKind::Element => Terminal::Element,
            LexemeKind::ForAll => Terminal::ForAll,
            LexemeKind::Match => Terminal::Match,
            LexemeKind::Rel(op) => Terminal::Rel(op),
            LexemeKind::Assign if promotes => Terminal::Promote,
            LexemeKind::Assign => Terminal::Assign,
            LexemeKind::OpAssign(op) => Terminal::OpAssign(op),
            LexemeKind::Plus => Terminal::Add(InfixOp::Add),
            LexemeKind::Star => Terminal::Mul(InfixOp::Mul),
            LexemeKind::Slash => Terminal::Mul(InfixOp::Div),
            LexemeKind::Percent => Terminal::Mul(InfixOp::Rem),
            LexemeKind::Union => Terminal::Union,
            LexemeKind::Intersect => Terminal::Intersect,
            LexemeKind::Tilde => Terminal::Tilde,
            LexemeKind::Hash => Terminal::Width7(Keyword::Size),
            LexemeKind::Colon if self.context.operand_colon && !self.context.top().bracket => {
                Terminal::OperandColon
            }
            LexemeKind::Colon if self.context.top().imagines > 0 => {
                self.context.top().imagines -= 1;
                Terminal::ImagineColon
            }
            LexemeKind::Colon if self.context.top().bracket => Terminal::SliceColon,
            LexemeKind::Colon => Terminal::Colon,
            LexemeKind::Dot => Terminal::Dot,
            LexemeKind::Empty => Terminal::Empty,
            LexemeKind::Identity => Terminal::Identity,
            LexemeKind::PathSymbol => return self.path(i),
            LexemeKind::FocusSymbol => return self.focus(i),
            LexemeKind::CurrentSymbol => Terminal::Nullary(Keyword::CurrentPosition),
            LexemeKind::FlipSymbol | LexemeKind::FlipColorSymbol => {
                self.context.range = RangeContext::BEGIN;
                let flip = self.cursor.lexemes[i].kind == LexemeKind::FlipSymbol;
                Terminal::Width1(if flip { Keyword::Flip } else { Keyword::FlipColor })
            }
            // `lex` returns none of these.
            LexemeKind::Comment | LexemeKind::Semicolon => Terminal::Reserved,
        };
        self.take(i, i + 1, tok)
    }

    fn string(&mut self, inner: &'s str, search: bool) -> Terminal<'s> {
        if matches!(self.output.prev(), Some(Terminal::ResultIs | Terminal::HeaderResult))
            && let Some(result) = GameResult::of_name(inner)
        {
            return Terminal::Result(result);
        }
        let after_sort = matches!(
            (self.output.prev2(), self.output.prev()),
            (
                _,
                Some(Terminal::Width1(Keyword::Sort) | Terminal::Flag(Keyword::Min | Keyword::Max))
            ) | (Some(Terminal::Width1(Keyword::Sort)), Some(Terminal::Flag(_)))
        );
        if after_sort {
            return Terminal::SortText(inner);
        }
        if search {
            return Terminal::Search(inner);
        }
        Terminal::Str(inner)
    }

    /// Whether the filter before the string at `i` searches for it. A filter that is an item of a
    /// message list is printed, and the string after it is the next item, unless it is a NAG.
    pub(super) fn is_search(&mut self, i: usize) -> bool {
        let inner = unquoted(self.cursor.text(i));
        let comment =
            matches!(self.output.prev(), Some(Terminal::Searchable(Keyword::OriginalComment)));
        if self.cursor.kind(i) != Some(LexemeKind::Str) || inner.is_empty() {
            return false;
        }
        if self.cursor.second(ChoiceKind::SearchText, i) && self.context.top().message {
            return false;
        }
        self.searchable() && (!self.context.is_item || comment && nag_number(inner).is_some())
    }

    /// Whether a search string can follow the previous token.
    fn searchable(&self) -> bool {
        let prev = self.output.prev();
        if matches!(prev, Some(Terminal::Color(_))) {
            return matches!(self.output.prev2(), Some(Terminal::Searchable(Keyword::Player)));
        }
        if let Some(Terminal::Hhdb(key)) = prev {
            let key = key.first().map(|key| key.span.text(self.cursor.source));
            return key.and_then(hhdb::text_of).is_some();
        }
        matches!(prev, Some(Terminal::Searchable(keyword)) if parameters::takes_text(*keyword))
    }
}
