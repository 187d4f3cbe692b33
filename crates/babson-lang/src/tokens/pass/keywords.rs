//! Words: keywords by class, and names.

use super::super::name_table::may_be_name;
use super::super::terminal::Terminal;
use super::TokenPass;
use super::context::{RangeContext, Region};
use super::open_filters::OpenFilter;
use crate::ast::{BinaryOp, Ident, InfixOp, LoopKind, Param, ParamKind, RangeBoundKind, TypeName};
use crate::choice::ChoiceKind;
use crate::hhdb;
use crate::keywords::{Keyword, KeywordClass, OperandLevel, SpecialKeyword};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, unquoted};
use crate::parameters;

impl<'s> TokenPass<'s, '_> {
    /// A name, which can be a bound of a range.
    fn name(&mut self, i: usize, range: RangeContext) -> usize {
        let name = self.cursor.text(i);
        if self.is_bound_name(i, range) {
            self.context.range = range.after_bound();
            return self.take(i, i + 1, Terminal::Bound(RangeBoundKind::Name(name.to_string())));
        }
        self.take(i, i + 1, Terminal::Name(name))
    }

    /// Whether the name at `i` is a bound of a range, if its variable is a number: it stands where
    /// a range can, and an operand follows it.
    fn is_bound_name(&mut self, i: usize, range: RangeContext) -> bool {
        let name = self.cursor.text(i);
        if !self.cursor.names.may_be_number(name) || self.cursor.second(ChoiceKind::Bound, i) {
            return false;
        }
        let next = self.cursor.kind(i + 1);
        if range.bounds > 0 {
            let is_call = next == Some(LexemeKind::LParen)
                && self.cursor.is_adjacent(i + 1)
                && !self.cursor.names.is_bound(name);
            let goes_on = self.cursor.starts_operand(i + 1) || next == Some(LexemeKind::Backward);
            return goes_on && !is_call;
        }
        let region = self.context.region();
        let constituent_follows = match region {
            Region::Path => {
                let free_dash = self.cursor.class(i + 1) == Some(LexemeClass::Dash)
                    && !self.cursor.is_adjacent(i + 1);
                free_dash || next == Some(LexemeKind::KeywordSymbol(Keyword::Focus))
            }
            Region::Line => self.cursor.class(i + 1) == Some(LexemeClass::Chain),
            Region::None | Region::Parameters { .. } | Region::Header => return false,
        };
        // A range of `path` can follow the operand of another parameter, as in `path max 4 n --`.
        let after_operand = region == Region::Path && self.output.prev_ends();
        (constituent_follows || self.cursor.starts_operand(i + 1))
            && (after_operand
                || self.output.prev().is_some_and(Terminal::precedes_sequence_parameter))
    }

    /// A word: a parameter of the current region, another keyword, or a name.
    pub(super) fn word(&mut self, i: usize, range: RangeContext) -> usize {
        let word = self.cursor.text(i);
        if word == "attacked" && self.cursor.text(i + 1) == "by" {
            return self.take(i, i + 2, operator(InfixOp::AttackedBy));
        }
        let Some(keyword) = self.cursor.keyword(word) else {
            if word == "dialect" && self.context.top().region == Region::Header {
                return self.header_dialect(i);
            }
            return self.name(i, range);
        };
        self.keyword(i, keyword, range)
    }

    /// A parameter of the current region, or another keyword.
    pub(super) fn keyword(&mut self, i: usize, keyword: Keyword, range: RangeContext) -> usize {
        if let Some(tok) = self.imagine_word(i, keyword) {
            return self.take(i, i + 1, tok);
        }
        if let Some(next) = self.region_word(i, keyword) {
            return next;
        }
        if let Some(context) = range.after_flag(keyword) {
            let tok = self.before(context, Terminal::Flag(keyword));
            return self.take(i, i + 1, tok);
        }
        let tok = match keyword.class() {
            KeywordClass::Nullary => self.nullary(keyword),
            KeywordClass::Direction(_) if self.output.in_ray() => Terminal::Flag(keyword),
            KeywordClass::Direction(_) => self.prefix(OperandLevel::Tight, keyword),
            KeywordClass::Transform => self.prefix(OperandLevel::One, keyword),
            KeywordClass::Prefix(level) => self.prefix(level, keyword),
            KeywordClass::List => self.list(i, keyword),
            KeywordClass::Search | KeywordClass::Colored => Terminal::Searchable(keyword),
            KeywordClass::Text => Terminal::Text(keyword),
            KeywordClass::Special(special) => return self.special(i, keyword, special, range),
            KeywordClass::Parameter | KeywordClass::Reserved => return self.reserved(i),
        };
        self.take(i, i + 1, tok)
    }

    /// The keyword of a prefix filter, which can have parameters before its operand.
    fn prefix(&mut self, level: OperandLevel, keyword: Keyword) -> Terminal<'s> {
        self.before(RangeContext::after(keyword), Terminal::Prefix(level, keyword))
    }

    /// A token before a range or a flag.
    pub(super) fn before(&mut self, range: RangeContext, tok: Terminal<'s>) -> Terminal<'s> {
        self.context.range = range;
        tok
    }

    /// A keyword that usually has its operands in parentheses.
    fn list(&self, i: usize, keyword: Keyword) -> Terminal<'s> {
        if self.cursor.kind(i + 1) == Some(LexemeKind::LParen) {
            Terminal::List(keyword)
        } else if keyword == Keyword::Child {
            Terminal::Nullary(keyword)
        } else if keyword == Keyword::MakeSquare {
            Terminal::Prefix(OperandLevel::Five, keyword)
        } else if matches!(keyword, Keyword::Min | Keyword::Max) && self.output.after_sort() {
            Terminal::Flag(keyword)
        } else {
            Terminal::List(keyword)
        }
    }

    /// A keyword without a meaning here: a name if the dialect permits it, else an error.
    pub(super) fn reserved(&mut self, i: usize) -> usize {
        let word = self.cursor.text(i);
        let is_name = may_be_name(word, self.cursor.dialect);
        let tok = if is_name { Terminal::Name(word) } else { Terminal::Reserved };
        self.take(i, i + 1, tok)
    }

    /// A keyword without operands. `white` and `black` are the color of a `player` or `elo` before
    /// them.
    fn nullary(&self, keyword: Keyword) -> Terminal<'s> {
        let color = matches!(keyword, Keyword::White | Keyword::Black);
        if color && self.output.after_colored() {
            return Terminal::Color(keyword);
        }
        Terminal::Nullary(keyword)
    }

    /// A keyword with a production of its own.
    fn special(
        &mut self,
        i: usize,
        keyword: Keyword,
        special: SpecialKeyword,
        range: RangeContext,
    ) -> usize {
        let tok = match special {
            SpecialKeyword::Or => operator(InfixOp::Or),
            SpecialKeyword::And => operator(InfixOp::And),
            SpecialKeyword::In => Terminal::In,
            SpecialKeyword::Not => Terminal::Not,
            SpecialKeyword::Attacks => operator(InfixOp::Attacks),
            SpecialKeyword::AttackedBy => operator(InfixOp::AttackedBy),
            SpecialKeyword::Atomic | SpecialKeyword::Persistent | SpecialKeyword::Local => {
                Terminal::Storage(keyword)
            }
            SpecialKeyword::Comment | SpecialKeyword::Message | SpecialKeyword::Str => {
                Terminal::Print(keyword)
            }
            SpecialKeyword::All => Terminal::All,
            SpecialKeyword::Quiet => self.quiet(range),
            SpecialKeyword::Count if range.bounds > 0 => {
                self.before(RangeContext { bounds: 0, ..range }, Terminal::Count)
            }
            SpecialKeyword::Find => self.prefix(OperandLevel::One, keyword),
            SpecialKeyword::ConsecutiveMoves => {
                self.before(RangeContext::after(keyword), Terminal::ConsecutiveMoves)
            }
            SpecialKeyword::Line => Terminal::Line,
            SpecialKeyword::Path => Terminal::Path,
            SpecialKeyword::Move => self.with_parameters(keyword, Terminal::Move),
            SpecialKeyword::Pin => self.with_parameters(keyword, Terminal::Pin),
            SpecialKeyword::Imagine => Terminal::Imagine,
            SpecialKeyword::If => Terminal::If,
            SpecialKeyword::Then => Terminal::Then,
            SpecialKeyword::Else => Terminal::Else,
            SpecialKeyword::While => Terminal::While,
            SpecialKeyword::Square => Terminal::Square,
            SpecialKeyword::Piece => Terminal::Piece,
            SpecialKeyword::Key if self.cursor.is_loop(i) => Terminal::LoopWord(LoopKind::Key),
            SpecialKeyword::String if self.cursor.is_loop(i) => {
                Terminal::LoopWord(LoopKind::String)
            }
            SpecialKeyword::Echo => Terminal::Echo,
            SpecialKeyword::Sort => Terminal::Prefix(OperandLevel::One, keyword),
            SpecialKeyword::Function => Terminal::Function,
            SpecialKeyword::Dictionary => return self.dictionary(i),
            SpecialKeyword::Unbind => Terminal::Unbind,
            SpecialKeyword::IsBound => Terminal::IsBound(false),
            SpecialKeyword::IsUnbound => Terminal::IsBound(true),
            SpecialKeyword::CqlBegin => Terminal::Hook(false),
            SpecialKeyword::CqlEnd => Terminal::Hook(true),
            SpecialKeyword::Position if self.cursor.sum_follows(i + 1) => {
                Terminal::Prefix(OperandLevel::Five, keyword)
            }
            SpecialKeyword::Position => Terminal::Position,
            SpecialKeyword::Result => Terminal::ResultIs,
            SpecialKeyword::Legal
            | SpecialKeyword::PseudoLegal
            | SpecialKeyword::Previous
            | SpecialKeyword::CountMoves => return self.dash_prefix(i, keyword),
            SpecialKeyword::Ray if matches!(self.cursor.text(i + 1), "attack" | "attacks") => {
                return self.take(i, i + 2, Terminal::Ray(Keyword::Xray));
            }
            SpecialKeyword::Ray | SpecialKeyword::Xray => Terminal::Ray(keyword),
            SpecialKeyword::Hhdb => return self.hhdb(i),
            SpecialKeyword::SimilarPosition => return self.similar_position(i),
            SpecialKeyword::Cql if i == 0 => Terminal::Cql,
            SpecialKeyword::Count
            | SpecialKeyword::Key
            | SpecialKeyword::String
            | SpecialKeyword::Cql => return self.reserved(i),
        };
        self.take(i, i + 1, tok)
    }

    /// The token of a filter that ends with its parameters.
    fn with_parameters(&mut self, of: Keyword, tok: Terminal<'s>) -> Terminal<'s> {
        self.context.open_filter(OpenFilter::Parameters { of, operand: false, legal: false });
        tok
    }

    /// `quiet` after `persistent`, or as a parameter.
    fn quiet(&mut self, range: RangeContext) -> Terminal<'s> {
        if matches!(self.output.prev(), Some(Terminal::Storage(_))) {
            return Terminal::Storage(Keyword::Quiet);
        }
        self.before(range, Terminal::Flag(Keyword::Quiet))
    }

    /// The words before a dash, such as `legal`.
    fn dash_prefix(&mut self, i: usize, first: Keyword) -> usize {
        let others = (i + 1..).map_while(|j| self.cursor.dash_word(j));
        let words: Vec<Keyword> = std::iter::once(first).chain(others).collect();
        self.take(i, i + words.len(), Terminal::DashPrefix(words))
    }

    /// `similarposition` with its parameters.
    fn similar_position(&mut self, i: usize) -> usize {
        let mut j = self.take(i, i + 1, Terminal::Similar);
        while let Some(word) = Keyword::from_word(self.cursor.text(j))
            && parameters::form(Keyword::SimilarPosition, word).is_some()
        {
            j = self.take(j, j + 1, Terminal::Flag(word));
        }
        j
    }

    /// `dictionary` with its types and merge strategy, if it has them.
    fn dictionary(&mut self, i: usize) -> usize {
        self.take(i, i + 1, Terminal::Dictionary);
        if self.cursor.kind(i + 2) != Some(LexemeKind::Forward) {
            return i + 1;
        }
        let type_at = |i| TypeName::named(self.cursor.text(i));
        let (Some(key), Some(value)) = (type_at(i + 1), type_at(i + 3)) else {
            return i + 1;
        };
        self.take(i + 1, i + 2, Terminal::Type(key));
        self.take(i + 2, i + 3, Terminal::Gives);
        self.take(i + 3, i + 4, Terminal::Type(value));
        let merge = self.cursor.kind(i + 4) == Some(LexemeKind::LParen)
            && self.cursor.kind(i + 5) == Some(LexemeKind::Word)
            && self.cursor.kind(i + 6) == Some(LexemeKind::RParen);
        if merge {
            let name = self.cursor.text(i + 5);
            self.take(i + 4, i + 7, Terminal::Merge(name));
            return i + 7;
        }
        i + 4
    }

    /// `hhdb` with its key: the words of an award, or one word, and a part after `gbr`.
    fn hhdb(&mut self, i: usize) -> usize {
        let is_award = |word: &str| hhdb::AWARD_WORDS.contains(&word);
        let mut j = i + 1;
        if is_award(self.cursor.text(j)) {
            while is_award(self.cursor.text(j)) {
                j += 1;
            }
        } else if matches!(
            self.cursor.kind(j),
            Some(LexemeKind::Word | LexemeKind::Str | LexemeKind::Designator(_))
        ) {
            let gbr = self.cursor.text(j) == "gbr";
            j += 1;
            if gbr && hhdb::GBR.iter().any(|part| part.0 == self.cursor.text(j)) {
                j += 1;
            }
        }
        let key = self.cursor.lexemes.get(i + 1..j).unwrap_or_default();
        let key = key.iter().map(|&Lexeme { span, .. }| {
            let name = unquoted(span.text(self.cursor.source)).to_string();
            Param::new(ParamKind::Name(Ident { name, span }), span)
        });
        let tok = Terminal::Hhdb(key.collect());
        self.take(i, j, tok)
    }
}

fn operator(op: InfixOp) -> Terminal<'static> {
    Terminal::Operator(BinaryOp::Infix(op))
}
