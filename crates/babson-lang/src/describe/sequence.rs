//! `line` and `path`: sequences of positions and of moves.

use super::Describer;
use super::outline::Item;
use crate::hir::{
    Focus, LineConstituent, LineConstituentKind, LineFilter, PathConstituent, PathConstituentKind,
    PathFilter,
};
use crate::limits::MAX_COUNT;

/// `zero or more times`, `2 to 4 times`.
fn times((least, greatest): (u32, u32)) -> String {
    let is_open = greatest >= MAX_COUNT as u32;
    match (least, greatest) {
        (0, _) if is_open => "zero or more times".to_owned(),
        (1, _) if is_open => "one or more times".to_owned(),
        (least, _) if is_open => format!("at least {least} times"),
        (0, 1) => "at most once".to_owned(),
        (least, greatest) if least == greatest => {
            format!("{least} time{}", if least == 1 { "" } else { "s" })
        }
        (least, greatest) => format!("{least} to {greatest} times"),
    }
}

impl Describer<'_> {
    /// `line`.
    pub(super) fn line(&mut self, line: &LineFilter) -> Item {
        let way = if line.backward { "backward" } else { "forward" };
        let mut text =
            format!("a sequence of positions that begins here and goes {way}, one after the other");
        let mut add = |part: String| text.push_str(&format!(", {part}"));
        if line.single_color {
            add("only of those with the same side to move".to_owned());
        }
        if line.primary {
            add("only along main continuations".to_owned());
        }
        if line.secondary {
            add("only along variations".to_owned());
        }
        if let Some(range) = line.range.and_then(|range| self.range(range)) {
            let which = if line.first_match { "the first" } else { "the longest" };
            add(format!("where {which} has {range} positions"));
        } else if line.first_match {
            add("where the first one found counts".to_owned());
        }
        if line.nest_ban.is_some() {
            add("not begun within an earlier result".to_owned());
        }
        Item { text: format!("{text}:"), parts: self.line_parts(&line.constituents, line.backward) }
    }

    fn line_parts(&mut self, constituents: &[LineConstituent], backward: bool) -> Vec<Item> {
        let mut parts = Vec::new();
        for (index, constituent) in constituents.iter().enumerate() {
            let place = match (index, backward) {
                (0, _) => "at the first position",
                (_, false) => "at the next position",
                (_, true) => "at the position before it",
            };
            let repeats: Vec<String> =
                constituent.repeats.iter().map(|&range| times(range)).collect();
            let text = match repeats.as_slice() {
                [] => format!("{place}:"),
                repeats => {
                    format!("{}, at one position after the other:", repeats.join(", and this "))
                }
            };
            parts.push(match &constituent.kind {
                LineConstituentKind::Filter(filter) => Item::with_parts(text, self.body_of(filter)),
                LineConstituentKind::Group(group) => {
                    let text = match repeats.as_slice() {
                        [] => "this sequence:".to_owned(),
                        repeats => format!("this sequence, {}:", repeats.join(", and this ")),
                    };
                    Item { text, parts: self.line_parts(group, backward) }
                }
            });
        }
        parts
    }

    /// `path`.
    pub(super) fn path(&mut self, path: &PathFilter) -> Item {
        let mut text = "a sequence of moves that begins here".to_owned();
        match &path.focus {
            Some(Focus::Pieces { set, capture }) => {
                let set = self.noun(set);
                let captures = if *capture { " or capture one of them" } else { "" };
                text.push_str(&format!(
                    ", of the moves of {set} (as they stand here){captures}; other moves are skipped"
                ));
            }
            Some(Focus::SideToMove) => {
                text.push_str(", of the moves of the side to move; other moves are skipped");
            }
            None => {}
        }
        if path.primary {
            text.push_str(", only along main continuations");
        }
        if let Some(max) = &path.max {
            let max = self.bare_noun(max);
            let max = max.strip_prefix("the ").unwrap_or(&max);
            text.push_str(&format!(", where the best one has at its end the greatest {max}"));
        }
        if let Some(range) = path.range.and_then(|range| self.range(range)) {
            let what = match (path.max.is_some(), path.first_match) {
                (true, _) => "this value must be",
                (false, true) => "the number of moves of the first one found must be",
                (false, false) => "the number of moves of the longest one must be",
            };
            text.push_str(&format!(", where {what} {range}"));
        } else if path.first_match {
            text.push_str(", where the first one found counts");
        }
        if path.nest_ban.is_some() {
            text.push_str(", not begun within an earlier result");
        }
        Item { text: format!("{text}:"), parts: self.path_parts(&path.constituents) }
    }

    fn path_parts(&mut self, constituents: &[PathConstituent]) -> Vec<Item> {
        let mut parts = Vec::new();
        for constituent in constituents {
            let repeat = constituent.repeat.map(|range| format!(", {}", times(range)));
            let repeat = repeat.unwrap_or_default();
            parts.push(match &constituent.kind {
                PathConstituentKind::Step { dash, targets } => {
                    let text = format!("a move{repeat}: {}", self.dashed(dash));
                    match targets.as_slice() {
                        [] => Item::plain(text),
                        targets => {
                            let targets = self.conditions(targets);
                            Item::with_parts(format!("{text}; after it:"), targets)
                        }
                    }
                }
                PathConstituentKind::Holder(filter) => {
                    let text = format!("then, without a move{repeat}:");
                    Item::with_parts(text, self.body_of(filter))
                }
                PathConstituentKind::Chain(chain) => {
                    Item { text: format!("these moves{repeat}:"), parts: self.path_parts(chain) }
                }
            });
        }
        parts
    }
}
