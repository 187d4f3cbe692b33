//! Words: keywords by class, parameters of regions, and names.

use super::super::terminal::Terminal;
use super::{OpenFilter, Region, TokenPass};
use crate::ast::{InfixOp, RangeBoundKind, TypeName};
use crate::keywords::{Keyword, KeywordClass, KeywordOrigin};
use crate::lexer::LexemeKind;

impl<'s> TokenPass<'s, '_> {
    pub(super) fn path(&mut self, i: usize) -> usize {
        self.open_filter(OpenFilter::Path { params: true });
        self.top().paths += 1;
        self.take(i, i + 1, Terminal::Path)
    }

    pub(super) fn focus(&mut self, i: usize) -> usize {
        if self.region() != Region::Path {
            return self.take(i, i + 1, Terminal::Reserved);
        }
        let capture = matches!(self.text(i + 1), "capture" | "captures");
        self.take(i, i + 1 + usize::from(capture), Terminal::Focus(capture))
    }

    pub(super) fn name(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let name = self.text(i);
        let span = self.lexemes[i].span;
        let region = self.region();
        let bound = if bounds > 0 {
            self.names.may_be_number(name)
                && !self.vetoes.contains(&span)
                && (self.starts(i + 1) || self.kind(i + 1) == Some(LexemeKind::Backward))
                && !(self.kind(i + 1) == Some(LexemeKind::LParen)
                    && self.is_adjacent(i + 1)
                    && !self.names.is_bound(name))
        } else if matches!(region, Region::Path | Region::Line) {
            let after = matches!(
                self.prev(),
                Some(
                    Terminal::Path
                        | Terminal::Line
                        | Terminal::SeqFlag(_)
                        | Terminal::Bound(_)
                        | Terminal::Count
                )
            );
            let free_dash =
                matches!(self.kind(i + 1), Some(LexemeKind::Dash | LexemeKind::Capture))
                    && !self.is_adjacent(i + 1);
            let fits = match region {
                Region::Path => {
                    self.starts(i + 1)
                        || free_dash
                        || self.kind(i + 1) == Some(LexemeKind::FocusSymbol)
                }
                _ => {
                    matches!(self.kind(i + 1), Some(LexemeKind::Forward | LexemeKind::Backward))
                        || self.starts(i + 1)
                }
            };
            after && fits && self.names.may_be_number(name) && !self.vetoes.contains(&span)
        } else {
            false
        };
        if bound {
            self.bounds = bounds.saturating_sub(1);
            self.in_find = in_find;
            return self.take(i, i + 1, Terminal::Bound(RangeBoundKind::Name(name.to_string())));
        }
        self.take(i, i + 1, Terminal::Name(name))
    }

    /// The word `dialect` of the header and the name after it.
    fn header_dialect(&mut self, i: usize) -> usize {
        match self.kind(i + 1) {
            Some(LexemeKind::Word | LexemeKind::Str) => {
                let name = self.text(i + 1).trim_matches('"');
                self.take(i, i + 2, Terminal::HeaderDialect(name))
            }
            _ => self.take(i, i + 1, Terminal::HeaderDialect("")),
        }
    }

    pub(super) fn word(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let word = self.text(i);
        if word == "attacked" && self.text(i + 1) == "by" {
            return self.take(i, i + 2, Terminal::Attacks(InfixOp::AttackedBy));
        }
        let Some(keyword) = self.keyword(word) else {
            if word == "dialect" && self.top().region == Region::Header {
                return self.header_dialect(i);
            }
            return self.name(i, bounds, in_find);
        };
        if let Some(tok) = self.imagine_word(i, keyword) {
            return self.take(i, i + 1, tok);
        }
        if let Some(next) = self.region_word(i, keyword) {
            return next;
        }
        let one = |tok| Some(tok);
        let tok = match keyword.class() {
            KeywordClass::Nullary => self.nullary(keyword),
            KeywordClass::Direction => {
                self.bounds = 2;
                one(Terminal::Direction(keyword))
            }
            KeywordClass::Transform => {
                // These two do not take a range: a number after them is their operand.
                let ranged = !matches!(keyword, Keyword::NoTransform | Keyword::ReverseColor);
                self.bounds = if ranged { 2 } else { 0 };
                one(Terminal::Transform(keyword))
            }
            KeywordClass::Width1 => one(Terminal::Width1(keyword)),
            KeywordClass::Width5 => one(Terminal::Width5(keyword)),
            KeywordClass::Width7 => one(Terminal::Width7(keyword)),
            KeywordClass::Tight => one(Terminal::Tight(keyword)),
            KeywordClass::List => {
                let paren = self.kind(i + 1) == Some(LexemeKind::LParen);
                let after_sort = matches!(
                    (self.prev2(), self.prev()),
                    (_, Some(Terminal::Sort)) | (Some(Terminal::Sort), Some(Terminal::Quiet))
                );
                match keyword {
                    Keyword::Child if !paren => one(Terminal::Nullary(keyword)),
                    Keyword::MakeSquare if !paren => one(Terminal::Width5(keyword)),
                    Keyword::Min | Keyword::Max if !paren && after_sort => {
                        one(Terminal::SortDir(keyword == Keyword::Min))
                    }
                    _ => one(Terminal::List(keyword)),
                }
            }
            KeywordClass::Print => one(Terminal::Print(keyword)),
            KeywordClass::Search => one(Terminal::Searchable(keyword)),
            KeywordClass::Colored => one(Terminal::Colored(keyword)),
            KeywordClass::Text => one(Terminal::Text(keyword)),
            KeywordClass::Special => return self.special(i, keyword, bounds, in_find),
            KeywordClass::Reserved => None,
        };
        match tok {
            Some(tok) => self.take(i, i + 1, tok),
            None => self.reserved(i),
        }
    }

    /// A keyword without a meaning here: a name if the dialect permits it, else an error.
    pub(super) fn reserved(&mut self, i: usize) -> usize {
        let word = self.text(i);
        let firm = match Keyword::from_word(word).map(Keyword::origin) {
            Some(KeywordOrigin::Both) => true,
            Some(KeywordOrigin::Cql6) => !self.dialect.contextual_keywords,
            _ => false,
        };
        let tok = if firm { Terminal::Reserved } else { Terminal::Name(word) };
        self.take(i, i + 1, tok)
    }

    pub(super) fn nullary(&mut self, keyword: Keyword) -> Option<Terminal<'s>> {
        let color = matches!(keyword, Keyword::White | Keyword::Black);
        if color && matches!(self.prev(), Some(Terminal::Colored(_))) {
            return Some(Terminal::Color(keyword));
        }
        Some(Terminal::Nullary(keyword))
    }

    /// A keyword of `imagine` before its `:`. Inside the sets of its changes, `piece` can begin a
    /// loop and `sidetomove` can be a number.
    fn imagine_word(&mut self, i: usize, keyword: Keyword) -> Option<Terminal<'s>> {
        let color = |word: &str| matches!(word, "white" | "black" | "reverse");
        if self.top().imagines == 0 {
            return None;
        }
        match keyword {
            Keyword::Piece => {
                let name = i + 1 + usize::from(self.text(i + 1) == "all");
                let binds =
                    matches!(self.kind(name + 1), Some(LexemeKind::Element | LexemeKind::Assign))
                        || self.text(name + 1) == "in";
                if binds && self.kind(name) == Some(LexemeKind::Word) {
                    return None;
                }
                self.top().placing = true;
                Some(Terminal::ImaginePiece)
            }
            Keyword::Swap => Some(Terminal::ImagineSwap),
            Keyword::SideToMove
                if color(self.text(i + 1))
                    || self.prev_ends()
                    || matches!(self.prev(), Some(Terminal::Imagine)) =>
            {
                Some(Terminal::ImagineSide)
            }
            Keyword::White | Keyword::Black | Keyword::Reverse
                if matches!(self.prev(), Some(Terminal::ImagineSide)) =>
            {
                Some(Terminal::ImagineColor(keyword))
            }
            _ => None,
        }
    }

    /// A parameter of the current region.
    pub(super) fn region_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        let region = self.region();
        match region {
            Region::Move { legal } => {
                if !self.is_move_word(keyword, i, legal) {
                    return None;
                }
                let takes = matches!(
                    keyword,
                    Keyword::From
                        | Keyword::To
                        | Keyword::Capture
                        | Keyword::Promote
                        | Keyword::EnPassantSquare
                );
                let legal = legal
                    || matches!(keyword, Keyword::Legal | Keyword::PseudoLegal | Keyword::Reverse);
                self.set_open(OpenFilter::Move { operand: takes, legal });
                let tok = if takes {
                    Terminal::MoveOperand(keyword)
                } else if keyword == Keyword::Comment {
                    self.top().opens.pop();
                    Terminal::MoveComment
                } else {
                    Terminal::MoveFlag(keyword)
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Pin if matches!(keyword, Keyword::From | Keyword::To | Keyword::Through) => {
                self.set_open(OpenFilter::Pin { operand: true });
                Some(self.take(i, i + 1, Terminal::PinWord(keyword)))
            }
            Region::Path | Region::Line => {
                let after_parameter = matches!(
                    self.prev(),
                    Some(
                        Terminal::Path
                            | Terminal::Line
                            | Terminal::SeqFlag(_)
                            | Terminal::Bound(_)
                            | Terminal::Count
                    )
                ) || self.after_seq_operand();
                let tok = match keyword {
                    Keyword::FirstMatch
                    | Keyword::KeepAllBest
                    | Keyword::LastPosition
                    | Keyword::NestBan
                    | Keyword::PiecePath
                    | Keyword::Quiet
                    | Keyword::SingleColor
                    | Keyword::Verbose => Terminal::SeqFlag(keyword),
                    Keyword::Primary | Keyword::Secondary
                        if after_parameter || region == Region::Line =>
                    {
                        Terminal::SeqFlag(keyword)
                    }
                    Keyword::Count => Terminal::Count,
                    Keyword::Focus => return Some(self.focus(i)),
                    Keyword::Max
                        if region == Region::Path
                            && (after_parameter
                                || self.kind(i + 1) != Some(LexemeKind::LParen)) =>
                    {
                        Terminal::SeqMax
                    }
                    Keyword::Title => Terminal::SeqTitle,
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Header => {
                let tok = match keyword {
                    Keyword::Variations | Keyword::Quiet | Keyword::Silent => {
                        Terminal::HeaderFlag(keyword)
                    }
                    Keyword::GameNumber | Keyword::MatchCount => Terminal::HeaderRange(keyword),
                    Keyword::Sort if self.text(i + 1) == "matchcount" => {
                        return Some(self.take(i, i + 2, Terminal::HeaderRange(keyword)));
                    }
                    Keyword::Result => Terminal::HeaderResult,
                    Keyword::MatchString => Terminal::HeaderText,
                    // The lexer joins the word and an unquoted name into one lexeme.
                    Keyword::Input | Keyword::Output => {
                        let is_input = keyword == Keyword::Input;
                        if self.kind(i + 1) != Some(LexemeKind::Str) {
                            return Some(self.take(i, i + 1, Terminal::HeaderFile(is_input, "")));
                        }
                        let file = self.text(i + 1).trim_matches('"');
                        return Some(self.take(i, i + 2, Terminal::HeaderFile(is_input, file)));
                    }
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            _ => None,
        }
    }

    /// Whether the previous tokens are `title`, `max` or `focus` and an operand of one token or one
    /// pair of brackets.
    fn after_seq_operand(&self) -> bool {
        let Some(last) = self.out.len().checked_sub(1) else {
            return false;
        };
        let operand = match self.opener[last] {
            usize::MAX => last,
            open => open,
        };
        let word = operand.checked_sub(1).map(|i| &self.out[i].1);
        matches!(word, Some(Terminal::SeqTitle | Terminal::SeqMax | Terminal::Focus(_)))
    }

    pub(super) fn special(
        &mut self,
        i: usize,
        keyword: Keyword,
        bounds: u8,
        in_find: bool,
    ) -> usize {
        let tok = match keyword {
            Keyword::Or => Terminal::Or,
            Keyword::And => Terminal::And,
            Keyword::In => Terminal::In,
            Keyword::Not => Terminal::Not,
            Keyword::Attacks => Terminal::Attacks(InfixOp::Attacks),
            Keyword::AttackedBy => Terminal::Attacks(InfixOp::AttackedBy),
            Keyword::Atomic | Keyword::Persistent | Keyword::Local => Terminal::Storage(keyword),
            Keyword::All => {
                self.in_find = in_find;
                self.bounds = if in_find { 2 } else { 0 };
                Terminal::All
            }
            Keyword::Quiet => {
                if matches!(self.prev(), Some(Terminal::Storage(_))) {
                    Terminal::Storage(keyword)
                } else {
                    self.in_find = in_find;
                    self.bounds = if in_find { 2 } else { bounds };
                    Terminal::Quiet
                }
            }
            Keyword::Count if bounds > 0 => {
                self.in_find = in_find;
                Terminal::Count
            }
            Keyword::Find => {
                self.in_find = true;
                self.bounds = 2;
                Terminal::Find
            }
            Keyword::ConsecutiveMoves => {
                self.bounds = 2;
                Terminal::ConsecutiveMoves
            }
            Keyword::Line => {
                self.open_filter(OpenFilter::Line { params: true });
                Terminal::Line
            }
            Keyword::Path => return self.path(i),
            Keyword::Move => {
                self.open_filter(OpenFilter::Move {
                    operand: false,
                    legal: false,
                });
                Terminal::Move
            }
            Keyword::Pin => {
                self.open_filter(OpenFilter::Pin { operand: false });
                Terminal::Pin
            }
            Keyword::Imagine => {
                self.top().imagines += 1;
                Terminal::Imagine
            }
            Keyword::If => Terminal::If,
            Keyword::Then => Terminal::Then,
            Keyword::Else => Terminal::Else,
            Keyword::While => Terminal::While,
            Keyword::Square => Terminal::Square,
            Keyword::Piece => Terminal::Piece,
            Keyword::Key | Keyword::String
                // A designator is an error that the grammar reports.
                if matches!(self.kind(i + 1), Some(LexemeKind::Word | LexemeKind::Designator))
                    && (self.text(i + 2) == "in" || self.kind(i + 2) == Some(LexemeKind::Element)) =>
            {
                Terminal::LoopWord(keyword)
            }
            Keyword::Echo => Terminal::Echo,
            Keyword::Sort => Terminal::Sort,
            Keyword::Function => Terminal::Function,
            Keyword::Dictionary => return self.dictionary(i),
            Keyword::Unbind => Terminal::Unbind,
            Keyword::IsBound => Terminal::IsBound(false),
            Keyword::IsUnbound => Terminal::IsBound(true),
            Keyword::CqlBegin => Terminal::Hook(false),
            Keyword::CqlEnd => Terminal::Hook(true),
            Keyword::Position if self.sum_follows(i + 1) => Terminal::Width5(keyword),
            Keyword::Position => Terminal::Position,
            Keyword::Result => Terminal::ResultIs,
            Keyword::Legal | Keyword::PseudoLegal | Keyword::Previous | Keyword::CountMoves => {
                let mut words = vec![keyword];
                let mut j = i + 1;
                while let Some(word) = self.dash_word(j) {
                    words.push(word);
                    j += 1;
                }
                return self.take(i, j, Terminal::DashPrefix(words));
            }
            Keyword::Xray => Terminal::Ray(true),
            Keyword::Ray => {
                let attack = matches!(self.text(i + 1), "attack" | "attacks");
                return self.take(i, i + 1 + usize::from(attack), Terminal::Ray(attack));
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
                return self.take(i, j, Terminal::Similar(no_sort, no_transform));
            }
            Keyword::Cql if i == 0 => Terminal::Cql,
            _ => return self.reserved(i),
        };
        self.take(i, i + 1, tok)
    }

    /// A keyword that precedes a dash, such as `legal`.
    fn dash_word(&self, i: usize) -> Option<Keyword> {
        if self.kind(i) != Some(LexemeKind::Word) {
            return None;
        }
        self.keyword(self.text(i)).filter(|keyword| {
            matches!(
                keyword,
                Keyword::Legal | Keyword::PseudoLegal | Keyword::Previous | Keyword::CountMoves
            )
        })
    }

    pub(super) fn dictionary(&mut self, i: usize) -> usize {
        self.take(i, i + 1, Terminal::Dictionary);
        let type_name = |word: &str| match word {
            "int" => Some(TypeName::Int),
            "str" | "string" => Some(TypeName::Str),
            "set" => Some(TypeName::Set),
            "position" => Some(TypeName::Position),
            _ => None,
        };
        let types = (type_name(self.text(i + 1)), type_name(self.text(i + 3)));
        let (true, (Some(key), Some(value))) =
            (self.kind(i + 2) == Some(LexemeKind::Forward), types)
        else {
            return i + 1;
        };
        self.take(i + 1, i + 2, Terminal::Type(key));
        self.take(i + 2, i + 3, Terminal::Gives);
        self.take(i + 3, i + 4, Terminal::Type(value));
        let merge = self.kind(i + 4) == Some(LexemeKind::LParen)
            && self.kind(i + 5) == Some(LexemeKind::Word)
            && self.kind(i + 6) == Some(LexemeKind::RParen);
        if merge {
            let name = self.text(i + 5);
            self.take(i + 4, i + 7, Terminal::Merge(name));
            return i + 7;
        }
        i + 4
    }

    pub(super) fn hhdb(&mut self, i: usize) -> usize {
        let award = |word: &str| {
            matches!(
                word,
                "max"
                    | "special"
                    | "nonspecial"
                    | "sort"
                    | "sortable"
                    | "award"
                    | "prize"
                    | "hm"
                    | "commendation"
            )
        };
        let mut j = i + 1;
        if award(self.text(j)) {
            while award(self.text(j)) {
                j += 1;
            }
        } else if matches!(
            self.kind(j),
            Some(LexemeKind::Word | LexemeKind::Str | LexemeKind::Designator)
        ) {
            let gbr = self.text(j) == "gbr";
            j += 1;
            if gbr && matches!(self.text(j), "material" | "pieces" | "pawns" | "kings") {
                j += 1;
            }
        }
        self.take(i, j, Terminal::Hhdb)
    }
}
