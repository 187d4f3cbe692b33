//! Constructs that open and close: brackets, `///` filters and `path`, whose end is a virtual
//! token.

use super::super::brackets::is_wild;
use super::super::terminal::Terminal;
use super::{BracketFrame, DashState, OpenFilter, Region, TokenPass};
use crate::diagnostic::Span;

impl<'s> TokenPass<'s, '_> {
    pub(super) fn open(&mut self, i: usize, tok: Terminal<'s>, frame: BracketFrame) -> usize {
        self.open_tokens.push(self.out.len());
        self.take(i, i + 1, tok);
        self.frames.push(frame);
        i + 1
    }

    pub(super) fn close(&mut self, i: usize, tok: Terminal<'s>, at: u32) -> usize {
        while self.top().line_comment {
            self.end_line_comment(at);
        }
        self.close_all(at);
        if self.frames.len() > 1 {
            self.frames.pop();
        }
        let opener = self.open_tokens.pop().unwrap_or(usize::MAX);
        self.take(i, i + 1, tok);
        if let Some(last) = self.opener.last_mut() {
            *last = opener;
        }
        i + 1
    }

    pub(super) fn open_paren(&mut self, i: usize) -> usize {
        let pair = self.pairs[i];
        let after_wild = is_wild(self.lexemes.get(pair.mate + 1));
        let path_level = self.path_level();
        let prev = self.prev().cloned();
        if self.after_function(i) {
            return self.open(i, Terminal::Call, BracketFrame::new());
        }
        let is_header = matches!(prev, Some(Terminal::Cql));
        let begins_message = matches!(prev, Some(Terminal::Print(_) | Terminal::FinalList(_)))
            || matches!((self.prev2(), &prev), (Some(Terminal::Print(_)), Some(Terminal::Flag(_))));
        let begins_list = matches!(prev, Some(Terminal::List(_) | Terminal::Ray(_)))
            || matches!(prev, Some(Terminal::Flag(_))) && self.in_ray();
        if is_header || begins_message || begins_list {
            let region = if is_header { Region::Header } else { Region::None };
            let frame = BracketFrame { message: begins_message, region, ..BracketFrame::new() };
            return self.open(i, Terminal::Call, frame);
        }
        if path_level && (pair.has_dash || after_wild) && self.begins_constituent() {
            if let Some(OpenFilter::Path { params }) = self.top().opens.last_mut() {
                *params = false;
            }
            return self.open(
                i,
                Terminal::PathGroup,
                BracketFrame { path_group: true, ..BracketFrame::new() },
            );
        }
        if self.dash_state != DashState::None {
            // In a path, the parentheses can be the first operand of a binary filter.
            if self.is_adjacent(i) && !(path_level && self.is_binary(pair.mate + 1)) {
                return self.open(i, Terminal::Target, BracketFrame::new());
            }
            if !path_level {
                return self.open(i, Terminal::LooseTarget, BracketFrame::new());
            }
        }
        if matches!(prev, Some(Terminal::Chain(_) | Terminal::LineGroup)) && pair.has_chain {
            return self.open(i, Terminal::LineGroup, BracketFrame::new());
        }
        self.open(i, Terminal::LParen, BracketFrame::new())
    }

    pub(super) fn end_line_comment(&mut self, at: u32) {
        self.close_all(at);
        self.push(Span::new(at, at), Terminal::LineCommentEnd);
        self.frames.pop();
    }

    /// Ends the innermost path of the frame and the open filters inside it.
    pub(super) fn end_path(&mut self, at: u32) {
        let paths = self.top().paths;
        while self.top().paths == paths && !self.top().opens.is_empty() {
            self.end_filter(at);
        }
    }

    /// Ends all paths of the frame.
    pub(super) fn close_paths(&mut self, at: u32) {
        while self.top().paths > 0 && !self.top().opens.is_empty() {
            self.end_path(at);
        }
    }

    /// Ends all open filters of the frame.
    pub(super) fn close_all(&mut self, at: u32) {
        while !self.top().opens.is_empty() {
            self.end_filter(at);
        }
    }

    /// Whether a constituent of a path can begin here.
    fn begins_constituent(&mut self) -> bool {
        let top = self.top();
        let level = match top.opens.last() {
            None => top.path_group,
            Some(open) => matches!(open, OpenFilter::Path { .. }),
        };
        level && !self.after_operator()
    }
}
