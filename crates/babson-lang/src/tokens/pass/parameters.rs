//! Parameters: words that are keywords only inside a construct.

use super::super::terminal::{HeaderRangeKind, Terminal};
use super::TokenPass;
use super::context::Region;
use super::open_filters::OpenFilter;
use crate::ast::HeaderKind;
use crate::keywords::Keyword;
use crate::lexer::{LexemeKind, unquoted};
use crate::parameters::{self, ParamForm};

/// The parameters of the header that are one word before their values.
const HEADER_WORDS: [(Keyword, Terminal<'static>); 7] = [
    (Keyword::Variations, Terminal::HeaderFlag(HeaderKind::Variations)),
    (Keyword::Quiet, Terminal::HeaderFlag(HeaderKind::Quiet)),
    (Keyword::Silent, Terminal::HeaderFlag(HeaderKind::Silent)),
    (Keyword::GameNumber, Terminal::HeaderRange(HeaderRangeKind::GameNumber)),
    (Keyword::MatchCount, Terminal::HeaderRange(HeaderRangeKind::MatchCount)),
    (Keyword::Result, Terminal::HeaderResult),
    (Keyword::MatchString, Terminal::HeaderText),
];

impl<'s> TokenPass<'s, '_> {
    /// A parameter of the current region: the index of the lexeme after it.
    pub(super) fn region_word(&mut self, i: usize, keyword: Keyword) -> Option<usize> {
        match self.context.region() {
            Region::Parameters { of, legal } => self.parameter_word(i, keyword, of, legal),
            Region::Path => self.sequence_word(i, keyword, true),
            Region::Line => self.sequence_word(i, keyword, false),
            Region::Header => self.header_word(i, keyword),
            Region::None => None,
        }
    }

    /// A parameter of a filter that ends with them. `legal`: see [`OpenFilter::Parameters`].
    fn parameter_word(
        &mut self,
        i: usize,
        keyword: Keyword,
        of: Keyword,
        legal: bool,
    ) -> Option<usize> {
        let form = self.cursor.parameter_form(i, keyword, of, legal)?;
        let operand = form == ParamForm::Operand;
        let legal =
            legal || matches!(keyword, Keyword::Legal | Keyword::PseudoLegal | Keyword::Reverse);
        self.context.set_open(OpenFilter::Parameters { of, operand, legal });
        let tok = match form {
            ParamForm::Flag => Terminal::FinalFlag(keyword),
            ParamForm::Operand => Terminal::FinalOperand(keyword),
            ParamForm::Arguments => {
                self.context.top().opens.pop();
                Terminal::FinalList(keyword)
            }
        };
        Some(self.take(i, i + 1, tok))
    }

    /// A parameter of `path` or `line`.
    fn sequence_word(&mut self, i: usize, keyword: Keyword, of_path: bool) -> Option<usize> {
        let after_parameter = self.output.prev().is_some_and(Terminal::precedes_sequence_parameter)
            || self.output.after_seq_operand();
        // Elsewhere in a `path` these are filters.
        let is_filter =
            matches!(keyword, Keyword::Primary | Keyword::Secondary) && !after_parameter && of_path;
        let is_flag = [Keyword::Path, Keyword::Line]
            .into_iter()
            .any(|of| parameters::form(of, keyword) == Some(ParamForm::Flag));
        let is_max = keyword == Keyword::Max
            && of_path
            && (after_parameter || self.cursor.kind(i + 1) != Some(LexemeKind::LParen));
        let tok = if is_flag && !is_filter {
            Terminal::Flag(keyword)
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
        if keyword == Keyword::Sort && self.cursor.text(i + 1) == "matchcount" {
            let kind = HeaderRangeKind::SortMatchCount;
            return Some(self.take(i, i + 2, Terminal::HeaderRange(kind)));
        }
        if matches!(keyword, Keyword::Input | Keyword::Output) {
            // The lexer joins the word and an unquoted name into one lexeme.
            let is_input = keyword == Keyword::Input;
            if self.cursor.kind(i + 1) != Some(LexemeKind::Str) {
                return Some(self.take(i, i + 1, Terminal::HeaderFile(is_input, "")));
            }
            let file = unquoted(self.cursor.text(i + 1));
            return Some(self.take(i, i + 2, Terminal::HeaderFile(is_input, file)));
        }
        let (_, tok) = HEADER_WORDS.iter().find(|(word, _)| *word == keyword)?;
        Some(self.take(i, i + 1, tok.clone()))
    }

    /// `focus` or its symbol, perhaps with `capture`.
    pub(super) fn focus(&mut self, i: usize) -> usize {
        if self.context.region() != Region::Path {
            return self.take(i, i + 1, Terminal::Reserved);
        }
        let capture = matches!(self.cursor.text(i + 1), "capture" | "captures");
        self.take(i, i + 1 + usize::from(capture), Terminal::Focus(capture))
    }

    /// The word `dialect` of the header and the name after it.
    pub(super) fn header_dialect(&mut self, i: usize) -> usize {
        if !matches!(self.cursor.kind(i + 1), Some(LexemeKind::Word | LexemeKind::Str)) {
            return self.take(i, i + 1, Terminal::HeaderDialect(""));
        }
        let name = unquoted(self.cursor.text(i + 1));
        self.take(i, i + 2, Terminal::HeaderDialect(name))
    }

    /// A keyword of `imagine` before its `:`. Inside the sets of its changes, `piece` can begin a
    /// loop and `sidetomove` can be a number.
    pub(super) fn imagine_word(&mut self, i: usize, keyword: Keyword) -> Option<Terminal<'s>> {
        let color = |word: &str| matches!(word, "white" | "black" | "reverse");
        if self.context.top().imagines == 0 {
            return None;
        }
        let prev = self.output.prev();
        if keyword == Keyword::Piece {
            let name = i + 1 + usize::from(self.cursor.text(i + 1) == "all");
            let binds = matches!(
                self.cursor.kind(name + 1),
                Some(LexemeKind::Element | LexemeKind::Assign)
            ) || self.cursor.text(name + 1) == "in";
            if binds && self.cursor.kind(name) == Some(LexemeKind::Word) {
                return None;
            }
            self.context.top().placing = true;
            return Some(Terminal::ImaginePiece);
        }
        if keyword == Keyword::Swap {
            return Some(Terminal::ImagineSwap);
        }
        if keyword == Keyword::SideToMove {
            let is_change = color(self.cursor.text(i + 1))
                || self.output.prev_ends()
                || matches!(prev, Some(Terminal::Imagine));
            return is_change.then_some(Terminal::ImagineSide);
        }
        let is_color = matches!(keyword, Keyword::White | Keyword::Black | Keyword::Reverse)
            && matches!(prev, Some(Terminal::ImagineSide));
        is_color.then_some(Terminal::ImagineColor(keyword))
    }
}
