//! Filters that are read apart from the filter before them, to which they were meant to belong:
//! `move promote Q check` asks whether the side to move is in check before it moves.

use super::inner;
use crate::ast::{self, ExprKind as Ast, Filter, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::keywords::Keyword;
use crate::limits::MAX_ERRORS;

/// Reports such filters, wherever they are in the query.
pub(super) fn beside(text: &str, items: &[ast::Expr]) -> Vec<Diagnostic> {
    let mut finder = NeighborFinder { text, found: Vec::new() };
    finder.items(items);
    finder.found
}

struct NeighborFinder<'t> {
    text: &'t str,
    found: Vec<Diagnostic>,
}

impl NeighborFinder<'_> {
    fn items(&mut self, items: &[ast::Expr]) {
        for pair in items.windows(2) {
            self.pair(&pair[0], &pair[1]);
        }
        items.iter().for_each(|item| self.filter(item));
    }

    fn filter(&mut self, e: &ast::Expr) {
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        if let Ast::Block(items)
        | Ast::Function { body: items, .. }
        | Ast::Hook { body: items, .. } = &e.kind
        {
            self.items(items);
            return;
        }
        if let Ast::Infix { level: PrecedenceLevel::And, first, rest } = &e.kind {
            let mut before: &ast::Expr = first;
            for tail in rest {
                self.pair(before, &tail.right);
                before = &tail.right;
            }
        }
        e.kind.for_each_child(&mut |child| self.filter(child));
    }

    /// Checks two filters that follow each other and must both match.
    fn pair(&mut self, before: &ast::Expr, after: &ast::Expr) {
        let Ast::Filter(filter) = &before.kind else {
            return;
        };
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        let both = before.span.to(after.span);
        let warning = if moves_elsewhere(filter) && is_about_a_side(after) {
            self.tested_before(before.span, after.span)
        } else if filter.keyword == Keyword::Pin && filter.is_plain() && is_piece(after) {
            let name = after.span.text(self.text);
            let message = format!("`pin` and `{name}` are two filters: `pin` alone is any pin");
            let help = format!(
                "the pinned piece is `pin through {name}`, the pinning one `pin from {name}`"
            );
            Diagnostic::new(Code::TwoFilters, both, message).with_help(help)
        } else if filter.keyword == Keyword::Move && filter.is_plain() {
            let Some(help) = self.move_help(after) else { return };
            let name = after.span.text(self.text);
            let message = format!("`move` and `{name}` are two filters: `move` alone is any move");
            Diagnostic::new(Code::TwoFilters, both, message).with_help(help)
        } else {
            return;
        };
        self.found.push(warning);
    }

    /// `move promote Q check`
    fn tested_before(&self, before: Span, after: Span) -> Diagnostic {
        let (filter, word) = (before.text(self.text), after.text(self.text));
        let message = format!("`{word}` is tested before the move");
        Diagnostic::new(Code::TestedBeforeMove, after, message)
            .with_help(format!("to test it after the move, write `{filter} : {word}`"))
    }

    /// The move that is probably meant by a designator after `move`.
    fn move_help(&self, after: &ast::Expr) -> Option<String> {
        let Ast::Designator(literal) = &inner(after).kind else {
            return None;
        };
        let name = after.span.text(self.text);
        Some(match (literal.has_pieces, literal.has_squares) {
            (true, true) => {
                let pieces = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
                let pieces = pieces.get(..1).filter(|_| literal.pieces.0.count_ones() == 1)?;
                let squares = &name[1..];
                format!("a move of a piece to a square is `move from {pieces} to {squares}`")
            }
            (true, false) => format!("a move of a piece is `move from {name}`"),
            (false, _) => format!("a move to a square is `move to {name}`"),
        })
    }
}

/// Whether it is `move` with a parameter that says what the move does, of a piece that is not said
/// to be the king, which may leave a check.
fn moves_elsewhere(filter: &Filter) -> bool {
    const DEEDS: [Keyword; 6] = [
        Keyword::Promote,
        Keyword::Capture,
        Keyword::To,
        Keyword::Castle,
        Keyword::CastleShort,
        Keyword::CastleLong,
    ];
    filter.keyword == Keyword::Move
        && DEEDS.iter().any(|&word| filter.has(word))
        && !filter.has(Keyword::Previous)
        && !filter.has(Keyword::From)
}

/// Whether it is `check`, `mate` or `stalemate`.
fn is_about_a_side(e: &ast::Expr) -> bool {
    matches!(inner(e).keyword(), Some(Keyword::Check | Keyword::Mate | Keyword::Stalemate))
}

fn is_piece(e: &ast::Expr) -> bool {
    matches!(&inner(e).kind, Ast::Designator(literal) if literal.has_pieces)
}
