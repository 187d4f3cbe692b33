//! Filters of a query that hold in every position: `e4` is a set of squares, which is not empty.

use super::correction::right_edges;
use super::game_moves::GameMoves;
use super::{correction, inner};
use crate::ast::{self, Content, ExprKind as Ast, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::hir::Color;
use crate::keywords::Keyword;
use crate::lexer::is_designator;
use crate::limits::{MAX_ERRORS, MAX_MOVES_TEXT};

/// Reports the filters of a query that hold in every position.
///
/// Only the filters that decide on the match are looked at. Inside of `line`, `path` or a loop, `.`
/// is a usual way to write any position. `numbers` tells whether `white` and `black`, which are
/// numbers, are conditions in the dialect.
pub(super) fn always(text: &str, items: &[ast::Expr], numbers: bool) -> Vec<Diagnostic> {
    let mut finder = ConstantFinder { text, numbers, found: Vec::new() };
    finder.items(items);
    finder.found
}

struct ConstantFinder<'t> {
    text: &'t str,
    numbers: bool,
    found: Vec<Diagnostic>,
}

impl ConstantFinder<'_> {
    /// Checks a list of filters.
    fn items(&mut self, items: &[ast::Expr]) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += match self.moves(&items[at..]) {
                Some((count, warning)) => {
                    self.found.extend(warning.filter(|_| self.found.len() < MAX_ERRORS));
                    count
                }
                None => {
                    let before = at.checked_sub(1).and_then(|before| items.get(before));
                    match before.and_then(|before| self.apart(before, first_operand(item))) {
                        Some(warning) => self.found.push(warning),
                        None => self.filter(item),
                    }
                    1
                }
            };
        }
    }

    /// The number of items that are written as moves of a game, `e4 e5 Nf3`, and a warning if one
    /// of several holds in every position.
    fn moves(&self, items: &[ast::Expr]) -> Option<(usize, Option<Diagnostic>)> {
        let begin = items.first()?.span;
        let is_near = |item: &&ast::Expr| item.span.end <= begin.end + MAX_MOVES_TEXT as u32;
        let named = items.iter().take_while(|item| is_named_move(item)).take_while(is_near);
        let end = named.last()?.span;
        let GameMoves { path, end } = GameMoves::read(begin.to(end).text(self.text))?;
        let end = begin.start + u32::try_from(end).ok()?;
        let count = items.iter().take_while(|item| item.span.end <= end).count();
        let moves = &items[..count];
        let Some(constant) = moves.iter().find(|item| is_constant_set(item)) else {
            return Some((count, None));
        };
        let [first, .., last] = moves else {
            return None;
        };
        let name = constant.span.text(self.text);
        let message = "moves of a game are not filters: these are sets of squares";
        let warning = Diagnostic::new(Code::MovesAsFilters, first.span.to(last.span), message)
            .with_help(
                Help::from(format!("games that begin with these moves: `{path}`"))
                    .with(Fix::replace(first.span.to(last.span), path)),
            )
            .with_label(format!("`{name}` holds in every position"));
        Some((count, Some(warning)))
    }

    /// `Q h7`, `find Q h7`: squares after a piece to which they were probably meant to belong.
    fn apart(&self, before: &ast::Expr, squares: &ast::Expr) -> Option<Diagnostic> {
        let Ast::Designator(two) = &squares.kind else {
            return None;
        };
        let pieces = last_operand(before)?;
        let Ast::Designator(one) = &pieces.kind else {
            return None;
        };
        let is_pair = one.has_pieces && !one.has_squares && !two.has_pieces;
        let between = self.text.get(pieces.span.end as usize..squares.span.start as usize)?;
        let name = squares.span.text(self.text);
        let both = format!("{}{name}", pieces.span.text(self.text));
        let is_meant = is_pair && between.bytes().all(|byte| byte == b' ') && is_designator(&both);
        is_meant.then(|| {
            let message =
                format!("`{name}` is a set of squares: as a filter it holds in every position");
            Diagnostic::new(Code::AlwaysHolds, squares.span, message).with_help(
                Help::from(format!("did you mean `{both}`, without a space?"))
                    .with(Fix::replace(pieces.span.to(squares.span), both)),
            )
        })
    }

    /// Checks a filter and the filters that its match depends on.
    fn filter(&mut self, e: &ast::Expr) {
        if self.found.len() >= MAX_ERRORS {
            return;
        }
        let e = inner(e);
        if let Ast::Block(items) = &e.kind {
            self.items(items);
        } else if let Ast::Not(operand) = &e.kind {
            self.filter(operand);
        } else if let Ast::Infix {
            level: PrecedenceLevel::Or | PrecedenceLevel::And,
            first,
            rest,
        } = &e.kind
        {
            self.filter(first);
            rest.iter().for_each(|tail| self.filter(&tail.right));
        } else if let Ast::Filter(filter) = &e.kind
            && filter.keyword == Keyword::Find
        {
            filter.args.iter().for_each(|operand| self.filter(operand));
        } else {
            self.constant(e);
        }
    }

    /// Reports the filter if it holds in every position.
    fn constant(&mut self, e: &ast::Expr) {
        let name = e.span.text(self.text);
        if let Some(color) = self.color(e)
            && let Some(warning) = self.to_move(e.span, color)
        {
            self.found.push(warning);
            return;
        }
        if let Some(place) = self.dotted(e.span) {
            self.found.extend(place);
            return;
        }
        let (what, help) = match (set_help(e, name), self.color(e)) {
            (Some(help), _) => ("a set of squares", help),
            (None, Some(Color::White)) => ("the number 1", color_help(e.span, "wtm", 'A', name)),
            (None, Some(Color::Black)) => ("the number -1", color_help(e.span, "btm", 'a', name)),
            (None, None) => return,
        };
        let message = format!("`{name}` is {what}: as a filter it holds in every position");
        self.found.push(Diagnostic::new(Code::AlwaysHolds, e.span, message).with_help(help));
    }

    /// `N.f3`: a piece, `.` and squares. The warning stands at the `.`; its other part has none.
    fn dotted(&self, place: Span) -> Option<Option<Diagnostic>> {
        let is_word = |letter: char| letter.is_ascii_alphanumeric();
        let dot = match place.text(self.text) {
            "." => place,
            _ => Span::new(place.start.checked_sub(1)?, place.start),
        };
        let before = self.text.get(..dot.start as usize)?;
        let piece = before.rsplit(|letter| !is_word(letter)).next()?;
        let after = self.text.get(dot.end as usize..)?;
        let squares = after.split(|letter| !is_word(letter) && letter != '-').next()?;
        let query = format!("{piece}{squares}");
        let is_meant = dot.text(self.text) == "."
            && piece.len() == 1
            && squares.len() >= 2
            && is_designator(&query);
        is_meant.then(|| {
            let end = dot.end + squares.len() as u32;
            let whole = Span::new(dot.start - piece.len() as u32, end);
            let message = format!("`{}` is three filters", whole.text(self.text));
            let help = Help::from(format!("the squares touch the piece: write `{query}`"));
            let help = help.with(Fix::replace(dot, ""));
            let warning = Diagnostic::new(Code::AlwaysHolds, dot, message).with_help(help);
            (dot == place).then_some(warning)
        })
    }

    /// `white to move`: three filters.
    fn to_move(&self, place: Span, color: Color) -> Option<Diagnostic> {
        let rest = self.text.get(place.end as usize..)?;
        let after = rest.trim_start().strip_prefix("to")?.trim_start().strip_prefix("move")?;
        let end = (self.text.len() - after.len()) as u32;
        let whole = Span::new(place.start, end);
        let written = whole.text(self.text);
        let turn = if color == Color::White { "wtm" } else { "btm" };
        let is_one_line = !written.contains('\n') && written.split(' ').count() == 3;
        let ends = !after.starts_with(|letter: char| letter.is_ascii_alphanumeric());
        (is_one_line && ends).then(|| {
            let message = format!("`{written}` is three filters, a color and squares of moves");
            let help = Help::write(whole, turn).worded(format!("the side to move is `{turn}`"));
            Diagnostic::new(Code::AlwaysHolds, whole, message).with_help(help)
        })
    }

    /// The color, if the filter is `white` or `black` and no name in quotes follows, which has a
    /// warning of its own.
    fn color(&self, e: &ast::Expr) -> Option<Color> {
        let rest = self.text.get(e.span.end as usize..)?;
        if !self.numbers || rest.trim_start().starts_with('"') {
            return None;
        }
        let word = correction::color(e)?;
        Some(if word == Keyword::White { Color::White } else { Color::Black })
    }
}

/// The first operand of `and` or `or`, or another filter.
pub(super) fn first_operand(e: &ast::Expr) -> &ast::Expr {
    if let Ast::Infix { level: PrecedenceLevel::Or | PrecedenceLevel::And, first, .. } = &e.kind {
        first
    } else {
        e
    }
}

/// The operand at the end of a filter, or a filter without operands. `move from Q` ends with a
/// parameter.
fn last_operand(e: &ast::Expr) -> Option<&ast::Expr> {
    let edges = right_edges(e);
    let ends_with_parameter = |edge: &&ast::Expr| {
        matches!(&edge.kind, Ast::Filter(filter)
            if filter.params.last().is_some_and(|last| last.span.end == edge.span.end))
    };
    if edges.iter().any(ends_with_parameter) { None } else { edges.last().copied() }
}

/// The help for a color in this place.
fn color_help(place: Span, turn: &str, piece: char, color: &str) -> Help {
    let help = format!(
        "the side to move is `{turn}`, a piece of this color `{piece}`, and a player \
         `player {color} \"…\"`"
    );
    Help::from(help).with(Fix::replace(place, turn)).with(Fix::replace(place, piece.to_string()))
}

/// The help for a set that is not empty on any board; `None` if it may be empty. `_` is empty only
/// on a full board.
fn set_help(e: &ast::Expr, name: &str) -> Option<Help> {
    const PIECES: &str = "a white piece is `A`, a black one `a`, any piece `[Aa]`";
    if matches!(e.kind, Ast::AnySquare) {
        return Some(Help::from(PIECES));
    }
    let Ast::Designator(literal) = &e.kind else {
        return None;
    };
    if literal.pieces == Content::ANY {
        // `[Aa_]e4`
        let squares =
            if literal.has_pieces { name.split_once(']').map(|it| it.1) } else { Some(name) };
        return Some(match squares.filter(|_| literal.has_squares) {
            Some(squares) => {
                let (to, there) = (format!("move to {squares}"), format!("[Aa]{squares}"));
                Help::from(format!("did you mean a move: `{to}`, or a piece there: `{there}`?"))
                    .with(Fix::replace(e.span, to))
                    .with(Fix::replace(e.span, there))
            }
            None => Help::from(PIECES),
        });
    }
    let is_empty = literal.pieces == Content::EMPTY && literal.squares == u64::MAX;
    is_empty.then(|| Help::from("name the square that must be empty: `_e4`"))
}

fn is_constant_set(e: &ast::Expr) -> bool {
    set_help(e, "").is_some()
}

/// Whether the filter is written as a move of a game: a square, or a piece on one square.
fn is_named_move(e: &ast::Expr) -> bool {
    matches!(&e.kind, Ast::Designator(d) if d.has_squares && d.squares.count_ones() == 1)
}
