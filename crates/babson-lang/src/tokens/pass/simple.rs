//! Lexemes that are no words (rules 7, 11, 13, 15).

use super::super::token::Tok;
use super::super::{designator, repeat};
use super::{AfterDash, Frame, Pass, Region};
use crate::ast::{AssignOp, GameResult, InfixOp, RelOp};
use crate::diagnostic::Span;
use crate::keywords::Keyword;
use crate::lexer::Lex;
use crate::sema::nag;

impl<'s> Pass<'s, '_> {
    pub(super) fn wildcard_here(&mut self, i: usize) -> bool {
        if self.path_level() {
            return true;
        }
        match self.lexemes.get(i + 1) {
            None => true,
            Some(next) => matches!(
                next.kind,
                Lex::RBrace
                    | Lex::RParen
                    | Lex::Forward
                    | Lex::Backward
                    | Lex::Repeat
                    | Lex::RepeatStar
                    | Lex::RepeatPlus
                    | Lex::Question
                    | Lex::Plus
                    | Lex::Star
            ),
        }
    }

    pub(super) fn simple(&mut self, i: usize) -> usize {
        let text = self.text(i);
        let promotes = self.tied(i) && self.after_dash != AfterDash::None;
        let kind = self.lexemes[i].kind;
        let tok = match kind {
            Lex::Designator if text.starts_with('[') && self.tied(i) && self.after_dictionary() => {
                Tok::Reserved
            }
            Lex::Designator => {
                Tok::Designator(designator::parse(text).unwrap_or(crate::ast::Designator {
                    pieces: crate::ast::Content::ANY,
                    squares: u64::MAX,
                    has_pieces: false,
                    has_squares: false,
                }))
            }
            Lex::PieceVar => Tok::PieceVar(text),
            Lex::Result
                if matches!(self.prev(), Some(Tok::ResultIs | Tok::HeaderResult))
                    || self.dialect.bare_results =>
            {
                Tok::Result(GameResult::of_name(text).unwrap_or(GameResult::Draw))
            }
            Lex::Result => Tok::Reserved,
            Lex::Repeat => {
                let (min, max) = repeat(text).unwrap_or((0, None));
                Tok::Wild(min, max)
            }
            Lex::RepeatStar => Tok::Wild(0, None),
            Lex::RepeatPlus => Tok::Wild(1, None),
            Lex::Question => Tok::Wild(0, Some(1)),
            Lex::Plus if self.wildcard_here(i) => Tok::Wild(1, None),
            Lex::Star if self.wildcard_here(i) => Tok::Wild(0, None),
            Lex::CastleShort | Lex::CastleLong => {
                let keyword = if self.lexemes[i].kind == Lex::CastleLong {
                    Keyword::CastleLong
                } else {
                    Keyword::CastleShort
                };
                match self.region() {
                    Region::Move { .. } => Tok::MoveFlag(keyword),
                    _ => Tok::Nullary(keyword),
                }
            }
            Lex::Str => {
                let search = self.is_search(i);
                self.string(unquoted(text), search)
            }
            Lex::Escape => Tok::Str(match text {
                "\\n" => "\n",
                "\\r" => "\r",
                "\\t" => "\t",
                "\\\\" => "\\",
                _ => "\"",
            }),
            Lex::Group => Tok::Group(text.trim_start_matches('\\').parse().unwrap_or(u8::MAX)),
            Lex::GroupIndex => {
                Tok::GroupIndex(text.trim_start_matches("\\-").parse().unwrap_or(u8::MAX))
            }
            Lex::NamedGroup => {
                let inner = text.split_once('{').map_or("", |(_, t)| t.trim_end_matches('}'));
                Tok::NamedGroup(inner, text.starts_with("\\-"))
            }
            Lex::FileWord => {
                let (word, file) = text.split_once([' ', '\t', '\r', '\n']).unwrap_or((text, ""));
                Tok::HeaderFile(word == "input", file.trim())
            }
            Lex::LineComment => {
                self.take(i, i + 1, Tok::LineComment);
                self.frames.push(Frame { message: true, line_comment: true, ..Frame::new() });
                return i + 1;
            }
            Lex::ShotRight => Tok::Shot(false),
            Lex::ShotLeft => Tok::Shot(true),
            Lex::Element => Tok::Element,
            Lex::ForAll => Tok::ForAll,
            Lex::Match => Tok::Match,
            Lex::Eq => Tok::Rel(RelOp::Eq),
            Lex::Ne => Tok::Rel(RelOp::Ne),
            Lex::Le => Tok::Rel(RelOp::Le),
            Lex::Ge => Tok::Rel(RelOp::Ge),
            Lex::Lt => Tok::Rel(RelOp::Lt),
            Lex::Gt => Tok::Rel(RelOp::Gt),
            Lex::Before => Tok::Rel(RelOp::Before),
            Lex::BeforeOrSame => Tok::Rel(RelOp::BeforeOrSame),
            Lex::After => Tok::Rel(RelOp::After),
            Lex::AfterOrSame => Tok::Rel(RelOp::AfterOrSame),
            Lex::Assign if promotes => Tok::Promote,
            Lex::Assign => Tok::Assign,
            Lex::AssignIfAny => Tok::OpAssign(AssignOp::SetIfAny),
            Lex::AddAssign => Tok::OpAssign(AssignOp::Add),
            Lex::SubAssign => Tok::OpAssign(AssignOp::Sub),
            Lex::MulAssign => Tok::OpAssign(AssignOp::Mul),
            Lex::DivAssign => Tok::OpAssign(AssignOp::Div),
            Lex::RemAssign => Tok::OpAssign(AssignOp::Rem),
            Lex::UnionAssign => Tok::OpAssign(AssignOp::Union),
            Lex::InterAssign => Tok::OpAssign(AssignOp::Intersect),
            Lex::Plus => Tok::Add(InfixOp::Add),
            Lex::Star => Tok::Mul(InfixOp::Mul),
            Lex::Slash => Tok::Mul(InfixOp::Div),
            Lex::Percent => Tok::Mul(InfixOp::Rem),
            Lex::Union => Tok::Union,
            Lex::Intersect => Tok::Intersect,
            Lex::Tilde => Tok::Tilde,
            Lex::Hash => Tok::Width7(Keyword::Size),
            Lex::Colon if self.operand_colon && !self.top().bracket => Tok::OperandColon,
            Lex::Colon if self.top().imagines > 0 => {
                self.top().imagines -= 1;
                Tok::ImagineColon
            }
            Lex::Colon if self.top().bracket => Tok::SliceColon,
            Lex::Colon => Tok::Colon,
            Lex::Dot => Tok::Dot,
            Lex::Empty => Tok::Empty,
            Lex::Identity => Tok::Identity,
            Lex::PathSymbol => return self.path(i),
            Lex::FocusSymbol => return self.focus(i),
            Lex::CurrentSymbol => Tok::Nullary(Keyword::CurrentPosition),
            Lex::FlipSymbol | Lex::FlipColorSymbol => {
                self.bounds = 2;
                let flip = self.lexemes[i].kind == Lex::FlipSymbol;
                Tok::Transform(if flip { Keyword::Flip } else { Keyword::FlipColor })
            }
            _ => Tok::Reserved,
        };
        self.take(i, i + 1, tok)
    }

    fn string(&mut self, inner: &'s str, search: bool) -> Tok<'s> {
        if matches!(self.prev(), Some(Tok::ResultIs | Tok::HeaderResult))
            && let Some(result) = GameResult::of_name(inner)
        {
            return Tok::Result(result);
        }
        let after_sort = matches!(
            (self.prev2(), self.prev()),
            (_, Some(Tok::Sort | Tok::SortDir(_))) | (Some(Tok::Sort), Some(Tok::Quiet))
        );
        if after_sort {
            return Tok::SortText(inner);
        }
        if search {
            return Tok::Search(inner);
        }
        Tok::Str(inner)
    }

    /// Is the string at `i` what the filter before it searches for? A filter that is an item of a
    /// message list is printed, and so is the string after it; but a NAG is always asked for.
    pub(super) fn is_search(&mut self, i: usize) -> bool {
        let inner = unquoted(self.text(i));
        let comment = matches!(self.prev(), Some(Tok::Searchable(Keyword::OriginalComment)));
        if self.kind(i) != Some(Lex::Str) || inner.is_empty() {
            return false;
        }
        if self.is_veto(i) && self.top().message {
            return false;
        }
        self.searchable() && (!self.is_item || comment && nag(inner).is_some())
    }

    /// May a search string follow the previous token?
    fn searchable(&self) -> bool {
        match self.prev() {
            Some(Tok::Searchable(_) | Tok::Coloured(Keyword::Player)) => true,
            Some(Tok::Colour(_)) => matches!(self.prev2(), Some(Tok::Coloured(Keyword::Player))),
            Some(Tok::Hhdb) => {
                let last = self.out.last().map_or("", |t| Span::new(t.0, t.2).text(self.source));
                let key = last.split_whitespace().nth(1).unwrap_or("");
                matches!(
                    key,
                    "composer"
                        | "firstcomment"
                        | "gbr"
                        | "search"
                        | "stipulation"
                        | "diagram"
                        | "distinction"
                        | "tourney_name"
                        | "tourney_year_part"
                )
            }
            _ => false,
        }
    }
}

/// The text of a string literal.
fn unquoted(literal: &str) -> &str {
    let inner = literal.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    inner.unwrap_or("")
}
