//! Constructs that open and close: brackets, `///` filters and `path`, whose end is a virtual
//! token.

use super::super::brackets::is_wild;
use super::super::terminal::Terminal;
use super::TokenPass;
use super::context::{BracketFrame, DashState, Region};
use super::open_filters::OpenFilter;
use crate::diagnostic::Span;

impl<'s> TokenPass<'s, '_> {
    pub(super) fn open(&mut self, i: usize, tok: Terminal<'s>, frame: BracketFrame) -> usize {
        self.output.open();
        self.take(i, i + 1, tok);
        self.context.enter(frame);
        i + 1
    }

    pub(super) fn close(&mut self, i: usize, tok: Terminal<'s>, at: u32) -> usize {
        while self.context.top().line_comment {
            self.end_line_comment(at);
        }
        self.close_all(at);
        self.context.leave();
        self.take(i, i + 1, tok);
        self.output.close();
        i + 1
    }

    pub(super) fn open_paren(&mut self, i: usize) -> usize {
        let pair = self.cursor.pairs[i];
        let after_wild = is_wild(self.cursor.lexemes.get(pair.mate + 1));
        let path_level = self.context.path_level();
        let prev = self.output.prev().cloned();
        if self.after_function(i) {
            return self.open(i, Terminal::Call, BracketFrame::default());
        }
        let is_header = matches!(prev, Some(Terminal::Cql));
        let begins_message = matches!(prev, Some(Terminal::Print(_) | Terminal::FinalList(_)))
            || matches!(
                (self.output.prev2(), &prev),
                (Some(Terminal::Print(_)), Some(Terminal::Flag(_)))
            );
        let begins_list = matches!(prev, Some(Terminal::List(_) | Terminal::Ray(_)))
            || matches!(prev, Some(Terminal::Flag(_))) && self.output.in_ray();
        if is_header || begins_message || begins_list {
            let region = if is_header { Region::Header } else { Region::None };
            let frame = BracketFrame { message: begins_message, region, ..BracketFrame::default() };
            return self.open(i, Terminal::Call, frame);
        }
        if path_level && (pair.has_dash || after_wild) && self.begins_constituent() {
            if let Some(OpenFilter::Path { params }) = self.context.top().opens.last_mut() {
                *params = false;
            }
            return self.open(
                i,
                Terminal::PathGroup,
                BracketFrame { path_group: true, ..BracketFrame::default() },
            );
        }
        if self.context.dash_state != DashState::None {
            // In a path, the parentheses can be the first operand of a binary filter.
            if self.cursor.is_adjacent(i) && !(path_level && self.cursor.is_binary(pair.mate + 1)) {
                return self.open(i, Terminal::Target, BracketFrame::default());
            }
            if !path_level {
                return self.open(i, Terminal::LooseTarget, BracketFrame::default());
            }
        }
        if matches!(prev, Some(Terminal::Chain(_) | Terminal::LineGroup)) && pair.has_chain {
            return self.open(i, Terminal::LineGroup, BracketFrame::default());
        }
        self.open(i, Terminal::LParen, BracketFrame::default())
    }

    pub(super) fn end_line_comment(&mut self, at: u32) {
        self.close_all(at);
        self.output.push(Span::new(at, at), Terminal::LineCommentEnd);
        self.context.leave();
    }

    /// Ends the innermost path of the frame and the open filters inside it.
    pub(super) fn end_path(&mut self, at: u32) {
        let paths = self.context.top().paths;
        while self.context.top().paths == paths && !self.context.top().opens.is_empty() {
            self.end_filter(at);
        }
    }

    /// Ends all paths of the frame.
    pub(super) fn close_paths(&mut self, at: u32) {
        while self.context.top().paths > 0 && !self.context.top().opens.is_empty() {
            self.end_path(at);
        }
    }

    /// Ends all open filters of the frame.
    pub(super) fn close_all(&mut self, at: u32) {
        while !self.context.top().opens.is_empty() {
            self.end_filter(at);
        }
    }

    /// Whether a constituent of a path can begin here.
    fn begins_constituent(&mut self) -> bool {
        let top = self.context.top();
        let level = match top.opens.last() {
            None => top.path_group,
            Some(open) => matches!(open, OpenFilter::Path { .. }),
        };
        level && !self.output.after_operator()
    }
}
