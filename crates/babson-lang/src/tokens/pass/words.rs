//! Words: keywords by class, words of regions, names (rules 14 to 23).

use super::super::token::Tok;
use super::{Open, Pass, Region};
use crate::ast::{BoundKind, InfixOp, TypeName};
use crate::keywords::{Class, Keyword, Origin};
use crate::lexer::Lex;

impl<'s> Pass<'s, '_> {
    pub(super) fn path(&mut self, i: usize) -> usize {
        self.open_filter(Open::Path { params: true });
        self.top().paths += 1;
        self.take(i, i + 1, Tok::Path)
    }

    pub(super) fn focus(&mut self, i: usize) -> usize {
        if self.region() != Region::Path {
            return self.take(i, i + 1, Tok::Reserved);
        }
        let capture = matches!(self.text(i + 1), "capture" | "captures");
        self.take(i, i + 1 + usize::from(capture), Tok::Focus(capture))
    }

    pub(super) fn name(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let name = self.text(i);
        let span = self.lexemes[i].span;
        let region = self.region();
        let bound = if bounds > 0 {
            self.names.may_be_number(name)
                && !self.vetoes.contains(&span)
                && (self.starts(i + 1) || self.kind(i + 1) == Some(Lex::Backward))
                && !(self.kind(i + 1) == Some(Lex::LParen)
                    && self.tied(i + 1)
                    && !self.names.is_bound(name))
        } else if matches!(region, Region::Path | Region::Line) {
            let after = matches!(
                self.prev(),
                Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
            );
            let free_dash =
                matches!(self.kind(i + 1), Some(Lex::Dash | Lex::Capture)) && !self.tied(i + 1);
            let fits = match region {
                Region::Path => {
                    self.starts(i + 1) || free_dash || self.kind(i + 1) == Some(Lex::FocusSymbol)
                }
                _ => {
                    matches!(self.kind(i + 1), Some(Lex::Forward | Lex::Backward))
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
            return self.take(i, i + 1, Tok::Bound(BoundKind::Name(name.to_string())));
        }
        self.take(i, i + 1, Tok::Name(name))
    }

    /// The word `dialect` of the header and the name after it.
    fn header_dialect(&mut self, i: usize) -> usize {
        match self.kind(i + 1) {
            Some(Lex::Word | Lex::Str) => {
                let name = self.text(i + 1).trim_matches('"');
                self.take(i, i + 2, Tok::HeaderDialect(name))
            }
            _ => self.take(i, i + 1, Tok::HeaderDialect("")),
        }
    }

    pub(super) fn word(&mut self, i: usize, bounds: u8, in_find: bool) -> usize {
        let word = self.text(i);
        if word == "attacked" && self.text(i + 1) == "by" {
            return self.take(i, i + 2, Tok::Attacks(InfixOp::AttackedBy));
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
            Class::Nullary => self.nullary(keyword),
            Class::Direction => {
                self.bounds = 2;
                one(Tok::Direction(keyword))
            }
            Class::Transform => {
                // These two take no range: a number after them is their operand.
                let ranged = !matches!(keyword, Keyword::NoTransform | Keyword::ReverseColor);
                self.bounds = if ranged { 2 } else { 0 };
                one(Tok::Transform(keyword))
            }
            Class::Width1 => one(Tok::Width1(keyword)),
            Class::Width5 => one(Tok::Width5(keyword)),
            Class::Width7 => one(Tok::Width7(keyword)),
            Class::Tight => one(Tok::Tight(keyword)),
            Class::List => {
                let paren = self.kind(i + 1) == Some(Lex::LParen);
                let after_sort = matches!(
                    (self.prev2(), self.prev()),
                    (_, Some(Tok::Sort)) | (Some(Tok::Sort), Some(Tok::Quiet))
                );
                match keyword {
                    Keyword::Child if !paren => one(Tok::Nullary(keyword)),
                    Keyword::MakeSquare if !paren => one(Tok::Width5(keyword)),
                    Keyword::Min | Keyword::Max if !paren && after_sort => {
                        one(Tok::SortDir(keyword == Keyword::Min))
                    }
                    _ => one(Tok::List(keyword)),
                }
            }
            Class::Print => one(Tok::Print(keyword)),
            Class::Search => one(Tok::Searchable(keyword)),
            Class::Coloured => one(Tok::Coloured(keyword)),
            Class::Text => one(Tok::Text(keyword)),
            Class::Special => return self.special(i, keyword, bounds, in_find),
            Class::Reserved => None,
        };
        match tok {
            Some(tok) => self.take(i, i + 1, tok),
            None => self.reserved(i),
        }
    }

    /// A word without a meaning here: a name if the dialect allows, else an error.
    pub(super) fn reserved(&mut self, i: usize) -> usize {
        let word = self.text(i);
        let firm = match Keyword::from_word(word).map(Keyword::origin) {
            Some(Origin::Both) => true,
            Some(Origin::Cql6) => !self.dialect.contextual_keywords,
            _ => false,
        };
        let tok = if firm { Tok::Reserved } else { Tok::Name(word) };
        self.take(i, i + 1, tok)
    }

    pub(super) fn nullary(&mut self, keyword: Keyword) -> Option<Tok<'s>> {
        let colour = matches!(keyword, Keyword::White | Keyword::Black);
        if colour && matches!(self.prev(), Some(Tok::Coloured(_))) {
            return Some(Tok::Colour(keyword));
        }
        Some(Tok::Nullary(keyword))
    }

    /// The words of `imagine` up to its `:`. In the sets of its changes `piece` may begin a loop
    /// and `sidetomove` may be a number.
    fn imagine_word(&mut self, i: usize, keyword: Keyword) -> Option<Tok<'s>> {
        let colour = |word: &str| matches!(word, "white" | "black" | "reverse");
        if self.top().imagines == 0 {
            return None;
        }
        match keyword {
            Keyword::Piece => {
                let name = i + 1 + usize::from(self.text(i + 1) == "all");
                let binds = matches!(self.kind(name + 1), Some(Lex::Element | Lex::Assign))
                    || self.text(name + 1) == "in";
                if binds && self.kind(name) == Some(Lex::Word) {
                    return None;
                }
                self.top().placing = true;
                Some(Tok::ImaginePiece)
            }
            Keyword::Swap => Some(Tok::ImagineSwap),
            Keyword::SideToMove
                if colour(self.text(i + 1))
                    || self.prev_ends()
                    || matches!(self.prev(), Some(Tok::Imagine)) =>
            {
                Some(Tok::ImagineSide)
            }
            Keyword::White | Keyword::Black | Keyword::Reverse
                if matches!(self.prev(), Some(Tok::ImagineSide)) =>
            {
                Some(Tok::ImagineColour(keyword))
            }
            _ => None,
        }
    }

    /// Words that have a kind of their own in the region of the frame.
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
                self.set_open(Open::Move { operand: takes, legal });
                let tok = if takes {
                    Tok::MoveOperand(keyword)
                } else if keyword == Keyword::Comment {
                    self.top().opens.pop();
                    Tok::MoveComment
                } else {
                    Tok::MoveFlag(keyword)
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Pin if matches!(keyword, Keyword::From | Keyword::To | Keyword::Through) => {
                self.set_open(Open::Pin { operand: true });
                Some(self.take(i, i + 1, Tok::PinWord(keyword)))
            }
            Region::Path | Region::Line => {
                let after_parameter = matches!(
                    self.prev(),
                    Some(Tok::Path | Tok::Line | Tok::SeqFlag(_) | Tok::Bound(_) | Tok::Count)
                ) || self.after_seq_operand();
                let tok = match keyword {
                    Keyword::FirstMatch
                    | Keyword::KeepAllBest
                    | Keyword::LastPosition
                    | Keyword::NestBan
                    | Keyword::PiecePath
                    | Keyword::Quiet
                    | Keyword::SingleColor
                    | Keyword::Verbose => Tok::SeqFlag(keyword),
                    Keyword::Primary | Keyword::Secondary
                        if after_parameter || region == Region::Line =>
                    {
                        Tok::SeqFlag(keyword)
                    }
                    Keyword::Count => Tok::Count,
                    Keyword::Focus => return Some(self.focus(i)),
                    Keyword::Max
                        if region == Region::Path
                            && (after_parameter || self.kind(i + 1) != Some(Lex::LParen)) =>
                    {
                        Tok::SeqMax
                    }
                    Keyword::Title => Tok::SeqTitle,
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            Region::Header => {
                let tok = match keyword {
                    Keyword::Variations | Keyword::Quiet | Keyword::Silent => {
                        Tok::HeaderFlag(keyword)
                    }
                    Keyword::GameNumber | Keyword::MatchCount => Tok::HeaderRange(keyword),
                    Keyword::Sort if self.text(i + 1) == "matchcount" => {
                        return Some(self.take(i, i + 2, Tok::HeaderRange(keyword)));
                    }
                    Keyword::Result => Tok::HeaderResult,
                    Keyword::MatchString => Tok::HeaderText,
                    // Without quotes the lexer has made one lexeme of the word and the name.
                    Keyword::Input | Keyword::Output => {
                        let is_input = keyword == Keyword::Input;
                        if self.kind(i + 1) != Some(Lex::Str) {
                            return Some(self.take(i, i + 1, Tok::HeaderFile(is_input, "")));
                        }
                        let file = self.text(i + 1).trim_matches('"');
                        return Some(self.take(i, i + 2, Tok::HeaderFile(is_input, file)));
                    }
                    _ => return None,
                };
                Some(self.take(i, i + 1, tok))
            }
            _ => None,
        }
    }

    /// Whether one token, or a pair of brackets, is all that stands behind `title`, `max` or
    /// `focus`.
    fn after_seq_operand(&self) -> bool {
        let Some(last) = self.out.len().checked_sub(1) else {
            return false;
        };
        let operand = match self.opener[last] {
            usize::MAX => last,
            open => open,
        };
        let word = operand.checked_sub(1).map(|i| &self.out[i].1);
        matches!(word, Some(Tok::SeqTitle | Tok::SeqMax | Tok::Focus(_)))
    }

    pub(super) fn special(
        &mut self,
        i: usize,
        keyword: Keyword,
        bounds: u8,
        in_find: bool,
    ) -> usize {
        let tok = match keyword {
            Keyword::Or => Tok::Or,
            Keyword::And => Tok::And,
            Keyword::In => Tok::In,
            Keyword::Not => Tok::Not,
            Keyword::Attacks => Tok::Attacks(InfixOp::Attacks),
            Keyword::AttackedBy => Tok::Attacks(InfixOp::AttackedBy),
            Keyword::Atomic | Keyword::Persistent | Keyword::Local => Tok::Storage(keyword),
            Keyword::All => {
                self.in_find = in_find;
                self.bounds = if in_find { 2 } else { 0 };
                Tok::All
            }
            Keyword::Quiet => {
                if matches!(self.prev(), Some(Tok::Storage(_))) {
                    Tok::Storage(keyword)
                } else {
                    self.in_find = in_find;
                    self.bounds = if in_find { 2 } else { bounds };
                    Tok::Quiet
                }
            }
            Keyword::Count if bounds > 0 => {
                self.in_find = in_find;
                Tok::Count
            }
            Keyword::Find => {
                self.in_find = true;
                self.bounds = 2;
                Tok::Find
            }
            Keyword::ConsecutiveMoves => {
                self.bounds = 2;
                Tok::ConsecutiveMoves
            }
            Keyword::Line => {
                self.open_filter(Open::Line { params: true });
                Tok::Line
            }
            Keyword::Path => return self.path(i),
            Keyword::Move => {
                self.open_filter(Open::Move {
                    operand: false,
                    legal: false,
                });
                Tok::Move
            }
            Keyword::Pin => {
                self.open_filter(Open::Pin { operand: false });
                Tok::Pin
            }
            Keyword::Imagine => {
                self.top().imagines += 1;
                Tok::Imagine
            }
            Keyword::If => Tok::If,
            Keyword::Then => Tok::Then,
            Keyword::Else => Tok::Else,
            Keyword::While => Tok::While,
            Keyword::Square => Tok::Square,
            Keyword::Piece => Tok::Piece,
            Keyword::Key | Keyword::String
                // A designator there is a mistake that the grammar reports.
                if matches!(self.kind(i + 1), Some(Lex::Word | Lex::Designator))
                    && (self.text(i + 2) == "in" || self.kind(i + 2) == Some(Lex::Element)) =>
            {
                Tok::LoopWord(keyword)
            }
            Keyword::Echo => Tok::Echo,
            Keyword::Sort => Tok::Sort,
            Keyword::Function => Tok::Function,
            Keyword::Dictionary => return self.dictionary(i),
            Keyword::Unbind => Tok::Unbind,
            Keyword::IsBound => Tok::IsBound(false),
            Keyword::IsUnbound => Tok::IsBound(true),
            Keyword::CqlBegin => Tok::Hook(false),
            Keyword::CqlEnd => Tok::Hook(true),
            Keyword::Position if self.sum_follows(i + 1) => Tok::Width5(keyword),
            Keyword::Position => Tok::Position,
            Keyword::Result => Tok::ResultIs,
            Keyword::Legal | Keyword::PseudoLegal | Keyword::Previous | Keyword::CountMoves => {
                let mut words = vec![keyword];
                let mut j = i + 1;
                while let Some(word) = self.dash_word(j) {
                    words.push(word);
                    j += 1;
                }
                return self.take(i, j, Tok::DashPrefix(words));
            }
            Keyword::Xray => Tok::Ray(true),
            Keyword::Ray => {
                let attack = matches!(self.text(i + 1), "attack" | "attacks");
                return self.take(i, i + 1 + usize::from(attack), Tok::Ray(attack));
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
                return self.take(i, j, Tok::Similar(no_sort, no_transform));
            }
            Keyword::Cql if i == 0 => Tok::Cql,
            _ => return self.reserved(i),
        };
        self.take(i, i + 1, tok)
    }

    /// A word that goes before a dash.
    fn dash_word(&self, i: usize) -> Option<Keyword> {
        if self.kind(i) != Some(Lex::Word) {
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
        self.take(i, i + 1, Tok::Dictionary);
        let type_name = |word: &str| match word {
            "int" => Some(TypeName::Int),
            "str" | "string" => Some(TypeName::Str),
            "set" => Some(TypeName::Set),
            "position" => Some(TypeName::Position),
            _ => None,
        };
        let types = (type_name(self.text(i + 1)), type_name(self.text(i + 3)));
        let (true, (Some(key), Some(value))) = (self.kind(i + 2) == Some(Lex::Forward), types)
        else {
            return i + 1;
        };
        self.take(i + 1, i + 2, Tok::Type(key));
        self.take(i + 2, i + 3, Tok::Gives);
        self.take(i + 3, i + 4, Tok::Type(value));
        let merge = self.kind(i + 4) == Some(Lex::LParen)
            && self.kind(i + 5) == Some(Lex::Word)
            && self.kind(i + 6) == Some(Lex::RParen);
        if merge {
            let name = self.text(i + 5);
            self.take(i + 4, i + 7, Tok::Merge(name));
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
        } else if matches!(self.kind(j), Some(Lex::Word | Lex::Str | Lex::Designator)) {
            let gbr = self.text(j) == "gbr";
            j += 1;
            if gbr && matches!(self.text(j), "material" | "pieces" | "pawns" | "kings") {
                j += 1;
            }
        }
        self.take(i, j, Tok::Hhdb)
    }
}
