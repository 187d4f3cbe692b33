//! Filters that are read apart from the filter before them, to which they were meant to belong:
//! `move promote Q check` asks whether the side to move is in check before it moves.

use super::inner;
use crate::ast::{self, Content, ExprKind as Ast, Filter, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::keywords::Keyword;
use crate::limits::{MAX_ERRORS, MAX_REPEATED};

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
        for (at, pair) in items.windows(2).enumerate() {
            match self.move_to(&items[at..]) {
                Some(warning) if self.found.len() < MAX_ERRORS => self.found.push(warning),
                Some(_) | None => self.pair(&pair[0], &pair[1]),
            }
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

    /// `move e2 to e4`, `move N to f3`: `to` belongs to `move` only after `from e2`.
    fn move_to(&self, items: &[ast::Expr]) -> Option<Diagnostic> {
        let [word, from, to, target, ..] = items else { return None };
        let Ast::Filter(filter) = &word.kind else { return None };
        let is_plain_move = filter.keyword == Keyword::Move && filter.is_plain();
        let are_sets =
            matches!((&from.kind, &target.kind), (Ast::Designator(_), Ast::Designator(_)));
        if !is_plain_move || !are_sets || to.keyword() != Some(Keyword::To) {
            return None;
        }
        let whole = word.span.to(target.span);
        let [from, target] = [from, target].map(|set| set.span.text(self.text));
        let query = format!("move from {from} to {target}");
        let message = format!("`move`, `{from}`, `to` and `{target}` are four filters");
        let help = Help::write(whole, query);
        Some(Diagnostic::new(Code::TwoFilters, whole, message).with_help(help))
    }

    /// Checks two filters that follow each other and must both match.
    fn pair(&mut self, before: &ast::Expr, after: &ast::Expr) {
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        // `mate move from N`
        if ends_game(before)
            && let Ast::Filter(filter) = &after.kind
            && leads_on(filter)
        {
            self.found.push(self.tested_before(after.span, before.span));
            return;
        }
        let Ast::Filter(filter) = &before.kind else {
            return;
        };
        let both = before.span.to(after.span);
        let warning = if ends_game(after) && leads_on(filter)
            || is_check(after) && leads_on(filter) && moves_elsewhere(filter)
        {
            self.tested_before(before.span, after.span)
        } else if filter.keyword == Keyword::Pin && filter.is_plain() && is_piece(after) {
            let name = after.span.text(self.text);
            let message = format!("`pin` and `{name}` are two filters: `pin` alone is any pin");
            let help = format!(
                "the pinned piece is `pin through {name}`, the pinning one `pin from {name}`"
            );
            let help = Help::from(help)
                .with(Fix::replace(both, format!("pin through {name}")))
                .with(Fix::replace(both, format!("pin from {name}")));
            Diagnostic::new(Code::TwoFilters, both, message).with_help(help)
        } else if filter.keyword == Keyword::Move && filter.is_plain() {
            let Some(help) = self.move_help(after, both) else { return };
            let name = after.span.text(self.text);
            let message = format!("`move` and `{name}` are two filters: `move` alone is any move");
            Diagnostic::new(Code::TwoFilters, both, message).with_help(help)
        } else {
            return;
        };
        self.found.push(warning);
    }

    /// `move promote Q check`
    fn tested_before(&self, filter: Span, condition: Span) -> Diagnostic {
        let both = filter.to(condition);
        let (filter, word) = (filter.text(self.text), condition.text(self.text));
        let message = format!("`{word}` is tested before the move");
        let is_short = filter.len() <= MAX_REPEATED && !filter.contains('\n');
        let help = match is_short {
            true => {
                let query = format!("{filter} : {word}");
                Help::from(format!("to test it after the move, write `{query}`"))
                    .with(Fix::replace(both, query))
            }
            false => "to test it after the move, write it after `move …` and a colon".into(),
        };
        Diagnostic::new(Code::TestedBeforeMove, condition, message).with_help(help)
    }

    /// The move that is probably meant by a designator after `move`, in the place of both.
    fn move_help(&self, after: &ast::Expr, both: Span) -> Option<Help> {
        let Ast::Designator(literal) = &inner(after).kind else {
            return None;
        };
        let name = after.span.text(self.text);
        let (what, query) = match (literal.has_pieces, literal.has_squares) {
            // `_` and `_e4` are empty squares.
            _ if literal.pieces == Content::EMPTY => {
                ("a move to an empty square", format!("move to {name}"))
            }
            (true, true) => {
                let pieces = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
                let pieces = pieces.get(..1).filter(|_| literal.pieces.0.count_ones() == 1)?;
                let squares = &name[1..];
                ("a move of a piece to a square", format!("move from {pieces} to {squares}"))
            }
            (true, false) => ("a move of a piece", format!("move from {name}")),
            (false, _) => ("a move to a square", format!("move to {name}")),
        };
        Some(Help::from(format!("{what} is `{query}`")).with(Fix::replace(both, query)))
    }
}

/// Whether it is `move` for a move that follows the position. `:` can follow it.
fn leads_on(filter: &Filter) -> bool {
    const OTHERS: [Keyword; 5] =
        [Keyword::Previous, Keyword::PseudoLegal, Keyword::Null, Keyword::Count, Keyword::Comment];
    filter.keyword == Keyword::Move && !OTHERS.iter().any(|&word| filter.has(word))
}

/// Whether the move has a parameter that says what it does, of a piece that is not said to be the
/// king, which may leave a check.
fn moves_elsewhere(filter: &Filter) -> bool {
    const DEEDS: [Keyword; 6] = [
        Keyword::Promote,
        Keyword::Capture,
        Keyword::To,
        Keyword::Castle,
        Keyword::CastleShort,
        Keyword::CastleLong,
    ];
    DEEDS.iter().any(|&word| filter.has(word)) && !filter.has(Keyword::From)
}

fn is_check(e: &ast::Expr) -> bool {
    inner(e).keyword() == Some(Keyword::Check)
}

/// Whether it is `mate` or `stalemate`, after which there are no moves.
fn ends_game(e: &ast::Expr) -> bool {
    matches!(inner(e).keyword(), Some(Keyword::Mate | Keyword::Stalemate))
}

fn is_piece(e: &ast::Expr) -> bool {
    matches!(&inner(e).kind, Ast::Designator(literal) if literal.has_pieces)
}
