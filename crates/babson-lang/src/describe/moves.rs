//! Moves: `move`, dashes, speculative moves and imagined boards.

use super::outline::{Item, list};
use super::{Describer, board, words};
use crate::hir::{
    BoardChange, Color, Content, Dash, DashFilter, Designator, Expr, ExprKind, MoveFilter,
    MoveResult, MoveSource, Promotion, SpeculativeMove, Type,
};

/// The moves that are looked at: one of them, and all.
fn moves_of(source: MoveSource) -> (&'static str, &'static str) {
    match source {
        MoveSource::Played => ("a next move of the game", "the next moves of the game"),
        MoveSource::Previous => ("a move that led here", "the move that led here"),
        MoveSource::Legal => ("a legal move", "the legal moves"),
        MoveSource::Pseudolegal => (
            "a legal move or one that leaves the king in check",
            "the legal moves and those that leave the king in check",
        ),
        MoveSource::LegalReverse => {
            ("a legal move that may have led here", "the legal moves that may have led here")
        }
        MoveSource::PseudolegalReverse => (
            "a legal move that may have led here, or one that left the king in check",
            "the moves that may have led here, also those that left the king in check",
        ),
    }
}

impl Describer<'_> {
    /// `move …` as a condition.
    pub(super) fn move_clause(&mut self, filter: &MoveFilter) -> Item {
        let (sentence, noun) = moves_of(filter.source);
        let moved = self.moved(filter);
        let text = match filter.result {
            MoveResult::Count => {
                format!(
                    "the number of {}{} is counted (this always holds)",
                    bare(noun),
                    that(moved.as_deref())
                )
            }
            MoveResult::Bool | MoveResult::From | MoveResult::To | MoveResult::Capture => {
                match (moved, filter.source.is_generated()) {
                    (Some(moved), true) => format!("there is {sentence}: {moved}"),
                    (Some(moved), false) if filter.source == MoveSource::Played => {
                        format!("the next move: {moved}")
                    }
                    (Some(moved), false) => format!("the move that led here: {moved}"),
                    (None, true) => format!("there is {sentence}"),
                    (None, false) if filter.source == MoveSource::Played => {
                        "a move follows the position".to_owned()
                    }
                    (None, false) => "a move led here".to_owned(),
                }
            }
        };
        let written = filter.comment.as_deref().map(|parts| self.printed(parts));
        let written = written
            .map_or(String::new(), |parts| format!("; the comment {parts} is written after it"));
        Item::plain(format!("{text}{written}"))
    }

    /// The value of `move …`.
    pub(super) fn move_value(&mut self, filter: &MoveFilter) -> String {
        let (_, noun) = moves_of(filter.source);
        let moved = self.moved(filter);
        let that = that(moved.as_deref());
        let what = match filter.result {
            MoveResult::From => "the squares from which the pieces start in",
            MoveResult::To => "the squares on which the pieces arrive in",
            MoveResult::Capture => "the squares of the captured pieces in",
            MoveResult::Count => return format!("the number of {}{that}", bare(noun)),
            MoveResult::Bool => return format!("{noun}{that}"),
        };
        format!("({what} {noun}{that})")
    }

    /// What a move does: `a white pawn moves to a8, promotes to a queen`.
    fn moved(&mut self, filter: &MoveFilter) -> Option<String> {
        let mut verbs = Vec::new();
        if let Some(to) = &filter.to {
            let to = self.square_of(to);
            verbs.push(format!("moves to {to}"));
        }
        if let Some(captured) = &filter.capture {
            let captured = self.captured(captured);
            verbs.push(format!("captures {captured}"));
        }
        if let Some(square) = &filter.en_passant_square {
            let square = self.square_of(square);
            verbs.push(format!("captures the pawn on {square} en passant"));
        }
        if filter.en_passant {
            verbs.push("captures en passant".to_owned());
        }
        if let Some(kinds) = filter.promote {
            verbs.push(format!("promotes to a {}", board::kinds_of(kinds)));
        }
        if let Some(kind) = filter.castle {
            verbs.push(words::castles(kind).to_owned());
        }
        for (is, verb) in [
            (filter.drop, "comes from the pocket"),
            (filter.null, "passes (a null move)"),
            (filter.primary, "follows the main continuation"),
            (filter.secondary, "begins a variation"),
        ] {
            if is {
                verbs.push(verb.to_owned());
            }
        }
        let from = filter.from.as_ref().map(|from| self.mover(from));
        match (from, verbs.is_empty()) {
            (None, true) => None,
            (Some(from), true) => Some(format!("{from} moves")),
            (from, false) => {
                let subject = match (filter.null, filter.castle) {
                    (true, _) => "the side to move",
                    (false, Some(_)) => "a king",
                    (false, None) => "a piece",
                };
                let subject = from.unwrap_or_else(|| subject.to_owned());
                Some(format!("{subject} {}", list(&verbs, "and")))
            }
        }
    }

    /// What moves: `a white rook`, `a piece on h7`.
    fn mover(&mut self, set: &Expr) -> String {
        match board::fixed(set) {
            Some(u64::MAX) => "a piece".to_owned(),
            Some(squares) => format!("a piece on {}", board::squares_by_name(squares, "or")),
            None => self.one(set),
        }
    }

    /// Where a move ends: `h7`, `the square of a black rook`, `an empty square`.
    fn square_of(&mut self, set: &Expr) -> String {
        if let Some(squares) = board::fixed(set) {
            return board::one_square(squares);
        }
        if let ExprKind::Designator(designator) = &set.kind {
            return square_of_designator(designator);
        }
        let one = self.one(set);
        if one.starts_with("a square") { one } else { format!("a square of {}", self.noun(set)) }
    }

    /// What a move captures: `a black rook`, `a piece on h7`.
    fn captured(&mut self, set: &Expr) -> String {
        match board::fixed(set) {
            Some(u64::MAX) => return "a piece".to_owned(),
            Some(squares) => {
                return format!("a piece on {}", board::squares_by_name(squares, "or"));
            }
            None => {}
        }
        if let ExprKind::Designator(designator) = &set.kind
            && holds_a_piece(designator)
        {
            return board::one(designator);
        }
        format!("a piece on a square of {}", self.noun(set))
    }

    /// What a dash does: `a white queen moves to h7`.
    pub(super) fn dashed(&mut self, dash: &Dash) -> String {
        let moved = self.dashed_between(dash);
        match self.dashed_promotion(dash) {
            Some(kind) => format!("{moved} and promotes to a {kind}"),
            None => moved,
        }
    }

    /// What it does, apart from a promotion.
    fn dashed_between(&mut self, dash: &Dash) -> String {
        let from = dash.left.as_ref().map(|left| self.mover(left));
        let from = from.unwrap_or_else(|| "a piece".to_owned());
        match (&dash.right, dash.capture) {
            (None, false) => format!("{from} moves"),
            (None, true) => format!("{from} captures"),
            (Some(right), false) => format!("{from} moves to {}", self.square_of(right)),
            (Some(right), true) => format!("{from} captures {}", self.captured(right)),
        }
    }

    /// The kind to which it promotes.
    fn dashed_promotion(&mut self, dash: &Dash) -> Option<String> {
        Some(match dash.promotion.as_ref()? {
            Promotion::Kinds(kinds) => board::kinds_of(*kinds),
            Promotion::Text(letters) => format!("kind that {} names", self.noun(letters)),
        })
    }

    /// A dash as a condition.
    pub(super) fn dash_clause(&mut self, filter: &DashFilter) -> Item {
        let dashed = self.dashed(&filter.dash);
        let which = if filter.previous { "the move that led here" } else { "the next move" };
        let text = match filter.count {
            true => format!("the number of such moves has a value: {which}: {dashed}"),
            false => format!("{which}: {dashed}"),
        };
        match &filter.target {
            Some(target) => {
                let target = self.body_of(target);
                Item::with_parts(format!("{text}; after it:"), target)
            }
            None => Item::plain(text),
        }
    }

    /// The value of a dash.
    pub(super) fn dash_value(&mut self, filter: &DashFilter) -> String {
        let DashFilter { dash, previous, count, target } = filter;
        let which = if *previous { "the moves that led here" } else { "the next moves" };
        let Some(target) = target else {
            let dashed = self.dashed(dash);
            return self.note(|_, name| {
                Item::plain(match (count, previous) {
                    (true, _) => {
                        format!("{name} is the number of moves among {which} in which {dashed}")
                    }
                    (false, true) => {
                        format!("{name} is whether in the move that led here {dashed}")
                    }
                    (false, false) => format!("{name} is whether in a next move {dashed}"),
                })
            });
        };
        if *count {
            let dashed = self.dashed(dash);
            return self.note(|this, name| {
                let text = format!(
                    "{name} is the number of moves among {which} in which {dashed} and after which:"
                );
                Item::with_parts(text, this.body_of(target))
            });
        }
        let is_set = target.ty == Type::Set;
        let may_be_empty = is_set && !self.query.dialect.dash_values_match;
        let condition = match (is_set, may_be_empty) {
            (true, true) => ", even if this set is empty",
            (true, false) => ", which must not be empty",
            (false, _) => "",
        };
        if *previous {
            let dashed = self.dashed(dash);
            return self.note(|this, name| {
                let value = this.noun(target);
                Item::plain(format!(
                    "{name} is {value}{condition}, if in the move that led here {dashed}"
                ))
            });
        }
        if !may_be_empty {
            let dashed = self.dashed(dash);
            return self.note(|this, name| {
                let value = this.noun(target);
                let that = if is_set { "this set is not empty" } else { "there is this value" };
                Item::plain(format!(
                    "{name} is {value}, after the first of the next moves in which {dashed} and \
                     after which {that}"
                ))
            });
        }
        // Only the first move between the squares counts, whatever it promotes to.
        let moved = self.dashed_between(dash);
        let promotion = self.dashed_promotion(dash);
        self.note(|this, name| {
            let value = this.noun(target);
            let unless = promotion.map_or(String::new(), |kind| {
                format!("; it has no value if this move does not promote to a {kind}")
            });
            Item::plain(format!(
                "{name} is {value}{condition}, after the first of the next moves in which \
                 {moved}{unless}"
            ))
        })
    }

    /// `move … : F` as a condition.
    pub(super) fn speculation_clause(&mut self, filter: &SpeculativeMove) -> Item {
        let (sentence, noun) = moves_of(filter.moves.source);
        let moved = self.moved(&filter.moves);
        let place = place_of(filter.moves.source);
        let text = match (filter.all, filter.moves.result) {
            (true, MoveResult::Count) => format!(
                "{place} each of {noun}{}, whose number is the value:",
                that(moved.as_deref())
            ),
            (true, _) => format!("{place} each of {noun}{}:", that(moved.as_deref())),
            (false, MoveResult::Count) => format!(
                "the number is counted (this always holds) of {noun}{}, {place} which:",
                that(moved.as_deref())
            ),
            (false, _) => match moved {
                Some(moved) => format!("there is {sentence} ({moved}), {place} which:"),
                None => format!("there is {sentence}, {place} which:"),
            },
        };
        Item::with_parts(text, self.body_of(&filter.body))
    }

    /// The value of `move … : F`.
    pub(super) fn speculation_value(&mut self, filter: &SpeculativeMove) -> String {
        let (_, noun) = moves_of(filter.moves.source);
        let moved = self.moved(&filter.moves);
        let place = place_of(filter.moves.source);
        let what = match filter.moves.result {
            MoveResult::From => "the set of the squares from which the pieces start in",
            MoveResult::To => "the set of the squares on which the pieces arrive in",
            MoveResult::Capture => "the set of the squares of the captured pieces in",
            MoveResult::Count | MoveResult::Bool => "the number of",
        };
        self.note(|this, name| {
            let that = that(moved.as_deref());
            let all = if filter.all { " all" } else { "" };
            let text = match filter.all {
                true => format!(
                    "{name} is {what}{all} {}{that}, if {place} each of them this holds:",
                    bare(noun)
                ),
                false => format!("{name} is {what} {}{that}, {place} which:", bare(noun)),
            };
            Item::with_parts(text, this.body_of(&filter.body))
        })
    }

    /// The changes of an imagined board.
    pub(super) fn changes(&mut self, changes: &[BoardChange]) -> String {
        let mut all = Vec::new();
        for change in changes {
            all.push(match change {
                BoardChange::Place { content, to } => {
                    let content = board::content(*content);
                    match board::fixed(to) {
                        Some(squares) if squares.is_power_of_two() => {
                            format!("{content} stood on {}", board::all_squares(squares))
                        }
                        Some(_) | None => {
                            format!("{content} stood on each square of {}", self.noun(to))
                        }
                    }
                }
                BoardChange::Swap(one, other) => {
                    let (one, other) = (self.noun(one), self.noun(other));
                    format!("the contents of {one} and of {other} were exchanged")
                }
                BoardChange::SideToMove(None) => "the other side were to move".to_owned(),
                BoardChange::SideToMove(Some(Color::White)) => "White were to move".to_owned(),
                BoardChange::SideToMove(Some(Color::Black)) => "Black were to move".to_owned(),
            });
        }
        list(&all, "and then")
    }
}

/// The noun after `the number of`.
fn bare(noun: &str) -> &str {
    noun.strip_prefix("the ").unwrap_or(noun)
}

/// ` in which a rook moves to d4`.
fn that(moved: Option<&str>) -> String {
    moved.map_or(String::new(), |moved| format!(" in which {moved}"))
}

/// Whether what follows is seen after the move, or before one that is taken back.
fn place_of(source: MoveSource) -> &'static str {
    if source.is_reverse() { "before" } else { "after" }
}

/// Whether a designator has only squares with a piece.
fn holds_a_piece(designator: &Designator) -> bool {
    designator.content.0 & Content::EMPTY.0 == 0
}

fn square_of_designator(designator: &Designator) -> String {
    match designator.content {
        Content::EMPTY => board::one(designator),
        _ => format!("the square of {}", board::one(designator)),
    }
}
