//! Parameters: words that are keywords only inside a construct.

use super::super::terminal::{HeaderRangeKind, Terminal};
use super::{OpenFilter, Region, TokenPass};
use crate::ast::HeaderKind;
use crate::keywords::Keyword;
use crate::lexer::{LexemeClass, LexemeKind};

impl<'s> TokenPass<'s, '_> {
    /// A parameter of the current region: the index of the lexeme after it.
    pub(super) fn region_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        match self.region() {
            Region::Move { legal } => self.move_word(i, keyword, legal),
            Region::Pin => self.pin_word(i, keyword),
            Region::Path => self.sequence_word(i, keyword, true),
            Region::Line => self.sequence_word(i, keyword, false),
            Region::Header => self.header_word(i, keyword),
            Region::None => None,
        }
    }

    /// A parameter of `move`. `legal`: see [`OpenFilter::Move`].
    fn move_word(&mut self, i: usize, keyword: Keyword, legal: bool) -> Option<usize> {
        if !self.is_move_word(keyword, i, legal) {
            return None;
        }
        let operand = matches!(
            keyword,
            Keyword::From
                | Keyword::To
                | Keyword::Capture
                | Keyword::Promote
                | Keyword::EnPassantSquare
        );
        let legal =
            legal || matches!(keyword, Keyword::Legal | Keyword::PseudoLegal | Keyword::Reverse);
        self.set_open(OpenFilter::Move { operand, legal });
        let tok = if operand {
            Terminal::MoveOperand(keyword)
        } else if keyword == Keyword::Comment {
            self.top().opens.pop();
            Terminal::MoveComment
        } else {
            Terminal::MoveFlag(keyword)
        };
        Some(self.take(i, i + 1, tok))
    }

    /// A parameter of `pin`.
    fn pin_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        if !matches!(keyword, Keyword::From | Keyword::To | Keyword::Through) {
            return None;
        }
        self.set_open(OpenFilter::Pin { operand: true });
        Some(self.take(i, i + 1, Terminal::PinWord(keyword)))
    }

    /// A parameter of `path` or `line`.
    fn sequence_word(&mut self, i: usize, keyword: Keyword, of_path: bool) -> Option<usize> {
        let after_parameter = self.prev().is_some_and(Terminal::precedes_sequence_parameter)
            || self.after_seq_operand();
        let is_flag = matches!(
            keyword,
            Keyword::FirstMatch
                | Keyword::KeepAllBest
                | Keyword::LastPosition
                | Keyword::NestBan
                | Keyword::PiecePath
                | Keyword::Quiet
                | Keyword::SingleColor
                | Keyword::Verbose
        );
        // Elsewhere in a `path` these are filters.
        let is_variation_flag = matches!(keyword, Keyword::Primary | Keyword::Secondary)
            && (after_parameter || !of_path);
        let is_max = keyword == Keyword::Max
            && of_path
            && (after_parameter || self.kind(i + 1) != Some(LexemeKind::LParen));
        let tok = if is_flag || is_variation_flag {
            Terminal::SeqFlag(keyword)
        } else if keyword == Keyword::Count {
            Terminal::Count
        } else if keyword == Keyword::Focus {
            return Some(self.focus(i));
        } else if is_max {
            Terminal::SeqMax
        } else if keyword == Keyword::Title {
            Terminal::SeqTitle
        } else {
            return None;
        };
        Some(self.take(i, i + 1, tok))
    }

    /// A parameter of the header.
    fn header_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        let tok = if keyword == Keyword::Variations {
            Terminal::HeaderFlag(HeaderKind::Variations)
        } else if keyword == Keyword::Quiet {
            Terminal::HeaderFlag(HeaderKind::Quiet)
        } else if keyword == Keyword::Silent {
            Terminal::HeaderFlag(HeaderKind::Silent)
        } else if keyword == Keyword::GameNumber {
            Terminal::HeaderRange(HeaderRangeKind::GameNumber)
        } else if keyword == Keyword::MatchCount {
            Terminal::HeaderRange(HeaderRangeKind::MatchCount)
        } else if keyword == Keyword::Sort && self.text(i + 1) == "matchcount" {
            let kind = HeaderRangeKind::SortMatchCount;
            return Some(self.take(i, i + 2, Terminal::HeaderRange(kind)));
        } else if keyword == Keyword::Result {
            Terminal::HeaderResult
        } else if keyword == Keyword::MatchString {
            Terminal::HeaderText
        } else if matches!(keyword, Keyword::Input | Keyword::Output) {
            // The lexer joins the word and an unquoted name into one lexeme.
            let is_input = keyword == Keyword::Input;
            if self.kind(i + 1) != Some(LexemeKind::Str) {
                return Some(self.take(i, i + 1, Terminal::HeaderFile(is_input, "")));
            }
            let file = self.text(i + 1).trim_matches('"');
            return Some(self.take(i, i + 2, Terminal::HeaderFile(is_input, file)));
        } else {
            return None;
        };
        Some(self.take(i, i + 1, tok))
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

    /// `focus` or its symbol, perhaps with `capture`.
    pub(super) fn focus(&mut self, i: usize) -> usize {
        if self.region() != Region::Path {
            return self.take(i, i + 1, Terminal::Reserved);
        }
        let capture = matches!(self.text(i + 1), "capture" | "captures");
        self.take(i, i + 1 + usize::from(capture), Terminal::Focus(capture))
    }

    /// The word `dialect` of the header and the name after it.
    pub(super) fn header_dialect(&mut self, i: usize) -> usize {
        if !matches!(self.kind(i + 1), Some(LexemeKind::Word | LexemeKind::Str)) {
            return self.take(i, i + 1, Terminal::HeaderDialect(""));
        }
        let name = self.text(i + 1).trim_matches('"');
        self.take(i, i + 2, Terminal::HeaderDialect(name))
    }

    /// A keyword of `imagine` before its `:`. Inside the sets of its changes, `piece` can begin a
    /// loop and `sidetomove` can be a number.
    pub(super) fn imagine_word(&mut self, i: usize, keyword: Keyword) -> Option<Terminal<'s>> {
        let color = |word: &str| matches!(word, "white" | "black" | "reverse");
        if self.top().imagines == 0 {
            return None;
        }
        let prev = self.prev();
        if keyword == Keyword::Piece {
            let name = i + 1 + usize::from(self.text(i + 1) == "all");
            let binds =
                matches!(self.kind(name + 1), Some(LexemeKind::Element | LexemeKind::Assign))
                    || self.text(name + 1) == "in";
            if binds && self.kind(name) == Some(LexemeKind::Word) {
                return None;
            }
            self.top().placing = true;
            return Some(Terminal::ImaginePiece);
        }
        if keyword == Keyword::Swap {
            return Some(Terminal::ImagineSwap);
        }
        if keyword == Keyword::SideToMove {
            let is_change = color(self.text(i + 1))
                || self.prev_ends()
                || matches!(prev, Some(Terminal::Imagine));
            return is_change.then_some(Terminal::ImagineSide);
        }
        let is_color = matches!(keyword, Keyword::White | Keyword::Black | Keyword::Reverse)
            && matches!(prev, Some(Terminal::ImagineSide));
        is_color.then_some(Terminal::ImagineColor(keyword))
    }

    /// Whether the lexeme at `i` is a parameter of `move`.
    pub(super) fn is_move_parameter(&self, i: usize, legal: bool) -> bool {
        let kind = self.kind(i);
        let is_move_word = |keyword| self.is_move_word(keyword, i, legal);
        matches!(kind, Some(LexemeKind::CastleLong | LexemeKind::CastleShort))
            || kind == Some(LexemeKind::Word)
                && self.keyword(self.text(i)).is_some_and(is_move_word)
    }

    /// Whether the lexeme at `i` is a parameter of `pin`.
    pub(super) fn is_pin_parameter(&self, i: usize) -> bool {
        let words = [Keyword::From, Keyword::To, Keyword::Through];
        words.into_iter().any(|word| self.is_word(i, word))
    }

    /// Whether the keyword at `i` is a parameter of a `move`; `legal` as in [`OpenFilter::Move`].
    fn is_move_word(&self, keyword: Keyword, i: usize, legal: bool) -> bool {
        let before_dash = self.class(i + 1) == Some(LexemeClass::Dash);
        let before_paren = self.kind(i + 1) == Some(LexemeKind::LParen);
        keyword == Keyword::Previous && !before_dash
            || keyword == Keyword::Comment && before_paren && !legal
            || matches!(
                keyword,
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
                    | Keyword::Drop
            )
    }
}
