//! Where we are with regard to parameters and dashes (rules 3 and 4).

use super::Pass;
use crate::keywords::{Class, Keyword};
use crate::lexer::Lex;
use crate::tokens::token::Tok;

/// Where parameter words have kinds of their own.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    None,
    /// Waiting for an operand? Seen `legal` or `pseudolegal`?
    Move {
        operand: bool,
        legal: bool,
    },
    Pin {
        operand: bool,
    },
    Path,
    Line,
    Header,
}

/// Where we are with regard to a dash filter.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum DashState {
    None,
    /// A dash that touches nothing at its right.
    Bare,
    NeedsOperand,
    AfterOperand,
}

impl Pass<'_, '_> {
    /// Rules 3 and 4: what this lexeme does to the dash state and the regions.
    pub(super) fn upkeep(&mut self, i: usize) {
        let kind = self.lexemes[i].kind;
        let tied = self.tied(i);
        match self.top().dash {
            DashState::Bare => {
                if !(tied && matches!(kind, Lex::LParen | Lex::Assign)) {
                    self.top().dash = DashState::None;
                }
            }
            DashState::AfterOperand => {
                if self.continues(i) {
                    self.top().dash = if kind == Lex::LBracket {
                        DashState::AfterOperand
                    } else {
                        DashState::NeedsOperand
                    };
                } else if !(tied && matches!(kind, Lex::LParen | Lex::Assign)) {
                    self.top().dash = DashState::None;
                }
            }
            DashState::NeedsOperand => {
                let prefix = match kind {
                    Lex::Tilde => true,
                    Lex::Word => {
                        matches!(
                            self.keyword(self.text(i)).map(Keyword::class),
                            Some(Class::Direction | Class::Tight)
                        ) || self.text(i) == "by"
                    }
                    Lex::Int | Lex::Minus => true,
                    _ => false,
                };
                if !prefix {
                    self.top().dash = DashState::AfterOperand;
                }
            }
            DashState::None => {}
        }
        let word = if kind == Lex::Word { self.text(i) } else { "" };
        let keyword = if kind == Lex::Word {
            self.keyword(word)
        } else {
            None
        };
        let prefix = kind == Lex::Tilde
            || keyword == Some(Keyword::MakeSquare) && self.kind(i + 1) != Some(Lex::LParen)
            || matches!(
                keyword.map(Keyword::class),
                Some(Class::Direction | Class::Tight)
            )
            || matches!(self.prev(), Some(Tok::Direction(_) | Tok::Bound(_)))
                && matches!(kind, Lex::Int | Lex::Minus);
        let region = self.top().region;
        self.operand_due = matches!(
            region,
            Region::Move { operand: true, .. } | Region::Pin { operand: true }
        );
        // A position is no operand of `move`: what `:` asks of it is (moves-and-sequences.md 3).
        self.operand_colon = kind == Lex::Colon
            && matches!(
                region,
                Region::Move { operand: false, .. } | Region::Pin { operand: false }
            )
            && !matches!(self.prev(), Some(Tok::Move | Tok::MoveFlag(_) | Tok::Pin))
            && (self.position_ends() || self.vetoes.contains(&self.lexemes[i].span));
        let next = match region {
            Region::Move {
                operand: true,
                legal,
            } => Region::Move {
                operand: prefix || keyword == Some(Keyword::Position),
                legal,
            },
            Region::Pin { operand: true } => Region::Pin {
                operand: prefix || keyword == Some(Keyword::Position),
            },
            Region::Move { legal, .. } if self.operand_colon => Region::Move {
                operand: true,
                legal,
            },
            Region::Pin { .. } if self.operand_colon => Region::Pin { operand: true },
            Region::Move { operand: false, .. } | Region::Pin { operand: false } => {
                let parameter = match region {
                    Region::Pin { .. } => matches!(
                        keyword,
                        Some(Keyword::From | Keyword::To | Keyword::Through)
                    ),
                    _ => {
                        matches!(kind, Lex::CastleLong | Lex::CastleShort)
                            || keyword.is_some_and(|k| self.is_move_word(k, i, region))
                    }
                };
                let postfix = matches!(kind, Lex::LBracket | Lex::Match)
                    || self.is_key(i)
                    || self.in_ray()
                        && (kind == Lex::LParen
                            || keyword.map(Keyword::class) == Some(Class::Direction))
                    || kind == Lex::LParen
                        && (self.after_function(i) || matches!(self.prev(), Some(Tok::List(_))));
                if parameter || postfix {
                    region
                } else {
                    Region::None
                }
            }
            Region::Path if matches!(kind, Lex::Dash | Lex::Capture) && !self.is_key(i) => {
                Region::None
            }
            _ => region,
        };
        self.top().region = next;
    }

    pub(super) fn is_move_word(&self, keyword: Keyword, i: usize, region: Region) -> bool {
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
            Keyword::Previous => !matches!(self.kind(i + 1), Some(Lex::Dash | Lex::Capture)),
            Keyword::Comment => {
                self.kind(i + 1) == Some(Lex::LParen)
                    && matches!(region, Region::Move { legal: false, .. })
            }
            _ => false,
        }
    }
}
