//! Actions for brackets: they climb the run inside. `closing` is the place of the closing bracket.

use super::AstBuilder;
use super::climb::{Climb, Failed};
use super::part::{Head, Part, PartKind, PathItem};
use crate::ast::*;

impl AstBuilder<'_, '_> {
    pub(crate) fn query(&mut self, header: Option<Header>, run: Vec<Part>) -> Query {
        let closing = self.tokens.last().map_or(0, |token| token.2);
        Query { header, items: self.items(run, closing, "error") }
    }

    /// The filters of a list, at least one.
    pub(crate) fn items(&mut self, run: Vec<Part>, closing: u32, closer: &str) -> Vec<Expr> {
        let mut climb = Climb::new(self, run, closing);
        if climb.is_at_end() { vec![climb.one(&[closer])] } else { climb.items(closer) }
    }

    /// The filters of a list, perhaps none.
    pub(crate) fn optional_items(&mut self, run: Vec<Part>, closing: u32) -> Vec<Expr> {
        Climb::new(self, run, closing).items(")")
    }

    /// The only filter in brackets.
    pub(crate) fn one(&mut self, run: Vec<Part>, closing: u32, closers: &[&str]) -> Expr {
        Climb::new(self, run, closing).one(closers)
    }

    pub(crate) fn paren(&mut self, run: Vec<Part>, closing: u32, span: Span) -> Expr {
        let inner = self.one(run, closing, &[")"]).boxed();
        self.node(ExprKind::Paren(inner), span)
    }

    pub(crate) fn block(&mut self, run: Vec<Part>, closing: u32, span: Span) -> Expr {
        let items = self.items(run, closing, "}");
        self.node(ExprKind::Block(items), span)
    }

    pub(crate) fn line_comment(&mut self, run: Vec<Part>, closing: u32, span: Span) -> Expr {
        let items = self.items(run, closing, "lineend");
        self.node(ExprKind::LineComment(items), span)
    }

    pub(crate) fn slice_runs(
        &mut self,
        (from, colon): (Vec<Part>, u32),
        (to, closing): (Vec<Part>, u32),
    ) -> PartKind {
        let mut end = |run: Vec<Part>, closing| {
            (!run.is_empty()).then(|| self.one(run, closing, &["]", "slice:"]))
        };
        let from = end(from, colon);
        PartKind::Slice(from, end(to, closing))
    }

    pub(crate) fn path_group(&mut self, run: Vec<Part>, closing: u32) -> Vec<PathItem> {
        Climb::new(self, run, closing).path_items(")")
    }

    pub(crate) fn path_run(&mut self, run: Vec<Part>, closing: u32, span: Span) -> Expr {
        let items = Climb::new(self, run, closing).path_items("pathend");
        self.path(items, span)
    }

    pub(crate) fn line_group_run(&mut self, run: Vec<Part>, closing: u32) -> PartKind {
        match Climb::new(self, run, closing).line_group() {
            Ok((first, steps)) => PartKind::LineGroup(first, steps),
            Err(Failed) => PartKind::Head(Head::Error),
        }
    }
}
