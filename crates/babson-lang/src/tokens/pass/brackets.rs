//! What opens and closes: brackets, `///` filters, and `path`, whose end is a token that nobody
//! writes (rules 1, 2, 5).

use super::super::brackets::is_wild;
use super::super::token::Tok;
use super::{AfterDash, Frame, Open, Pass, Region};
use crate::diagnostic::Span;

impl<'s> Pass<'s, '_> {
    pub(super) fn open(&mut self, i: usize, tok: Tok<'s>, frame: Frame) -> usize {
        self.open_tokens.push(self.out.len());
        self.take(i, i + 1, tok);
        self.frames.push(frame);
        i + 1
    }

    pub(super) fn close(&mut self, i: usize, tok: Tok<'s>, at: u32) -> usize {
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
            return self.open(i, Tok::Call, Frame::new());
        }
        match prev {
            Some(Tok::List(_) | Tok::Ray(_) | Tok::MoveComment | Tok::Cql) => {
                let header = matches!(prev, Some(Tok::Cql));
                let message = matches!(prev, Some(Tok::MoveComment));
                let region = if header { Region::Header } else { Region::None };
                return self.open(i, Tok::Call, Frame { message, region, ..Frame::new() });
            }
            Some(Tok::Print(_)) => {
                return self.open(i, Tok::Call, Frame { message: true, ..Frame::new() });
            }
            Some(Tok::Quiet) if matches!(self.prev2(), Some(Tok::Print(_))) => {
                return self.open(i, Tok::Call, Frame { message: true, ..Frame::new() });
            }
            Some(Tok::Direction(_)) if self.in_ray() => {
                return self.open(i, Tok::Call, Frame::new());
            }
            _ => {}
        }
        if path_level && (pair.has_dash || after_wild) && self.begins_constituent() {
            if let Some(Open::Path { params }) = self.top().opens.last_mut() {
                *params = false;
            }
            return self.open(i, Tok::PathGroup, Frame { path_group: true, ..Frame::new() });
        }
        if self.after_dash != AfterDash::None {
            // In a path the parentheses may be but the first operand of the target.
            if self.tied(i) && !(path_level && self.is_binary(pair.mate + 1)) {
                return self.open(i, Tok::Target, Frame::new());
            }
            if !path_level {
                return self.open(i, Tok::LooseTarget, Frame::new());
            }
        }
        if matches!(prev, Some(Tok::Chain(_) | Tok::LineGroup)) && pair.has_chain {
            return self.open(i, Tok::LineGroup, Frame::new());
        }
        self.open(i, Tok::LParen, Frame::new())
    }

    pub(super) fn end_line_comment(&mut self, at: u32) {
        self.close_all(at);
        self.push(Span::new(at, at), Tok::LineCommentEnd);
        self.frames.pop();
    }

    /// Ends the innermost path of the frame, and what is open in it.
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

    /// Ends all that is open in the frame.
    pub(super) fn close_all(&mut self, at: u32) {
        while !self.top().opens.is_empty() {
            self.end_filter(at);
        }
    }

    /// Can a constituent of a path begin here?
    fn begins_constituent(&mut self) -> bool {
        let top = self.top();
        let level = match top.opens.last() {
            None => top.path_group,
            Some(open) => matches!(open, Open::Path { .. }),
        };
        level && !self.after_operator()
    }
}
