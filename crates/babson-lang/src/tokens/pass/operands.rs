//! What can begin, end or continue an operand.

use super::Pass;
use crate::keywords::Keyword;
use crate::lexer::Lex;
use crate::tokens::token::Tok;

impl Pass<'_, '_> {
    /// Can the previous token end an operand?
    pub(super) fn prev_ends(&self) -> bool {
        let Some(tok) = self.prev() else { return false };
        matches!(
            tok,
            Tok::Name(_)
                | Tok::Int(_)
                | Tok::Str(_)
                | Tok::Designator(_)
                | Tok::Dot
                | Tok::Empty
                | Tok::Identity
                | Tok::Group(_)
                | Tok::GroupIndex(_)
                | Tok::NamedGroup(..)
                | Tok::Result(_)
                | Tok::RParen
                | Tok::RBrace
                | Tok::RBracket
                | Tok::Nullary(_)
                | Tok::Searchable(_)
                | Tok::Search(_)
                | Tok::Coloured(_)
                | Tok::Colour(_)
                | Tok::Hhdb
                | Tok::Pin
                | Tok::Move
                | Tok::MoveFlag(_)
                | Tok::PathEnd
                | Tok::LineCommentEnd
                | Tok::DashFree(_)
                | Tok::DashLeft(_)
        )
    }

    /// Can the lexeme start an operand?
    pub(super) fn starts(&self, i: usize) -> bool {
        let Some(kind) = self.kind(i) else {
            return false;
        };
        match kind {
            Lex::Word => {
                let word = self.text(i);
                match self.keyword(word) {
                    Some(
                        Keyword::Or
                        | Keyword::And
                        | Keyword::In
                        | Keyword::Attacks
                        | Keyword::AttackedBy
                        | Keyword::Then
                        | Keyword::Else
                        | Keyword::Cql,
                    ) => false,
                    None => word != "attacked",
                    _ => true,
                }
            }
            Lex::Designator
            | Lex::PieceVar
            | Lex::Int
            | Lex::Result
            | Lex::CastleShort
            | Lex::CastleLong
            | Lex::Str
            | Lex::Escape
            | Lex::Group
            | Lex::GroupIndex
            | Lex::NamedGroup
            | Lex::ForAll
            | Lex::Tilde
            | Lex::Hash
            | Lex::Dot
            | Lex::Empty
            | Lex::Identity
            | Lex::LParen
            | Lex::LBrace
            | Lex::PathSymbol
            | Lex::CurrentSymbol
            | Lex::FlipSymbol
            | Lex::FlipColorSymbol => true,
            _ => false,
        }
    }

    pub(super) fn is_binary(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Eq
                | Lex::Ne
                | Lex::Lt
                | Lex::Le
                | Lex::Gt
                | Lex::Ge
                | Lex::Before
                | Lex::BeforeOrSame
                | Lex::After
                | Lex::AfterOrSame
                | Lex::Minus
                | Lex::Slash
                | Lex::Percent
                | Lex::Union
                | Lex::Intersect
                | Lex::Colon,
            ) => true,
            Some(Lex::Word) => matches!(self.text(i), "or" | "and" | "in"),
            _ => false,
        }
    }

    /// Is the lexeme an operator after which an operand continues the same expression?
    pub(super) fn continues(&self, i: usize) -> bool {
        match self.kind(i) {
            Some(
                Lex::Union
                | Lex::Intersect
                | Lex::ShotLeft
                | Lex::ShotRight
                | Lex::Colon
                | Lex::LBracket
                | Lex::Tilde,
            ) => true,
            Some(Lex::Word) => matches!(
                self.text(i),
                "attacks" | "attack" | "attackedby" | "attacked" | "by"
            ),
            _ => false,
        }
    }
}
