//! Lexemes that are not words: designators, literals and symbols.

use super::super::terminal::Terminal;
use super::TokenPass;
use super::context::{BracketFrame, DashState, RangeContext};
use crate::ast::GameResult;
use crate::choice::ChoiceKind;
use crate::hhdb;
use crate::keywords::{Keyword, OperandLevel};
use crate::lexer::{LexemeClass, LexemeKind, RepeatRange, piece_variable, unquoted};
use crate::literals::nag_number;
use crate::parameters;

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
        let kind = self.cursor.lexemes[i].kind;
        let tok = match kind {
            LexemeKind::Word | LexemeKind::Castle => return self.word(i, range),
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
            LexemeKind::Backward if range.of == Some(Keyword::Find) => {
                self.before(RangeContext::after(Keyword::Find), Terminal::Backward)
            }
            LexemeKind::Forward if std::mem::take(&mut self.context.top().placing) => {
                Terminal::Gives
            }
            LexemeKind::Forward => Terminal::Chain(false),
            LexemeKind::Backward => Terminal::Chain(true),
            LexemeKind::Designator(_) if self.is_malformed_key(i) => Terminal::Reserved,
            LexemeKind::Designator(value) => Terminal::Designator(value),
            LexemeKind::PieceVar => Terminal::PieceVar(piece_variable(text)),
            LexemeKind::Result(result)
                if self.output.after_result() || self.cursor.dialect.bare_results =>
            {
                Terminal::Result(result)
            }
            LexemeKind::Result(_) => Terminal::Reserved,
            LexemeKind::Repeat(RepeatRange { min, max }) => Terminal::Wild(min, max),
            LexemeKind::Question => Terminal::Wild(0, Some(1)),
            LexemeKind::Plus if self.wildcard_here(i) => Terminal::Wild(1, None),
            LexemeKind::Star if self.wildcard_here(i) => Terminal::Wild(0, None),
            LexemeKind::Str => self.string(i),
            LexemeKind::Escape(escape) => Terminal::Str(escape.0),
            LexemeKind::Group(number) => Terminal::Group(number),
            LexemeKind::GroupIndex(number) => Terminal::GroupIndex(number),
            LexemeKind::NamedGroup => named_group(text),
            LexemeKind::FileWord => {
                let (word, file) = text.split_once([' ', '\t', '\r', '\n']).unwrap_or((text, ""));
                Terminal::HeaderFile(word == "input", file.trim())
            }
            LexemeKind::LineComment => return self.line_comment(i),
            LexemeKind::Element => Terminal::Element,
            LexemeKind::ForAll => Terminal::ForAll,
            LexemeKind::Assign if self.promotes(i) => Terminal::Promote,
            LexemeKind::Assign => Terminal::Assign,
            LexemeKind::OpAssign(op) => Terminal::OpAssign(op),
            LexemeKind::Plus
            | LexemeKind::Star
            | LexemeKind::Slash
            | LexemeKind::Percent
            | LexemeKind::Shot(_)
            | LexemeKind::Union
            | LexemeKind::Intersect
            | LexemeKind::Match
            | LexemeKind::Rel(_) => match kind.operator() {
                Some(op) => Terminal::Operator(op),
                None => Terminal::Reserved,
            },
            LexemeKind::Tilde => Terminal::Tilde,
            LexemeKind::Hash => Terminal::Prefix(OperandLevel::Seven, Keyword::Size),
            LexemeKind::Colon => self.colon(),
            LexemeKind::Dot => Terminal::Dot,
            LexemeKind::Empty => Terminal::Empty,
            LexemeKind::Identity => Terminal::Identity,
            LexemeKind::KeywordSymbol(Keyword::Focus) => return self.focus(i),
            LexemeKind::KeywordSymbol(keyword) => return self.keyword(i, keyword, range),
            // `lex` returns none of these.
            LexemeKind::Comment | LexemeKind::Semicolon => Terminal::Reserved,
        };
        self.take(i, i + 1, tok)
    }

    /// Whether the designator at `i` is in the brackets of a key, which it cannot be.
    fn is_malformed_key(&self, i: usize) -> bool {
        self.cursor.text(i).starts_with('[')
            && self.cursor.is_adjacent(i)
            && self.after_dictionary()
    }

    /// Whether the `=` at `i` begins a promotion: it touches the token before it, in a dash.
    fn promotes(&self, i: usize) -> bool {
        self.cursor.is_adjacent(i) && self.context.dash_state != DashState::None
    }

    fn line_comment(&mut self, i: usize) -> usize {
        self.take(i, i + 1, Terminal::LineComment);
        self.context.enter(BracketFrame {
            message: true,
            line_comment: true,
            ..BracketFrame::default()
        });
        i + 1
    }

    fn colon(&mut self) -> Terminal<'s> {
        let is_operand = self.context.operand_colon;
        let frame = self.context.top();
        match (frame.imagines, frame.bracket) {
            (_, false) if is_operand => Terminal::OperandColon,
            (1.., _) => Terminal::ImagineColon,
            (0, true) => Terminal::SliceColon,
            (0, false) => Terminal::Colon,
        }
    }

    /// A string, which can be a result, the description of `sort`, or a search string.
    fn string(&mut self, i: usize) -> Terminal<'s> {
        let search = self.is_search(i);
        let inner = unquoted(self.cursor.text(i));
        if self.output.after_result()
            && let Some(result) = GameResult::of_name(inner)
        {
            return Terminal::Result(result);
        }
        if self.output.after_sort()
            || matches!(self.output.prev(), Some(Terminal::Flag(Keyword::Min | Keyword::Max)))
        {
            return Terminal::SortText(inner);
        }
        if search { Terminal::Search(inner) } else { Terminal::Str(inner) }
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

/// `\{NAME}`, or `\-{NAME}` for the place where the group begins.
fn named_group(text: &str) -> Terminal<'_> {
    let name = text.split_once('{').map_or("", |(_, name)| name.trim_end_matches('}'));
    Terminal::NamedGroup(name, text.starts_with("\\-"))
}
