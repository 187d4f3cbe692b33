//! `line` and `path`: sequences of positions and of moves.

use super::Describer;
use super::outline::{Item, from_to, plural};
use crate::hir::{
    Focus, LineConstituent, LineConstituentKind, LineFilter, PathConstituent, PathConstituentKind,
    PathFilter,
};
use crate::limits::MAX_COUNT;

/// `zero or more positions`, `2 to 4 moves`: how often a part of a sequence occurs.
fn counted((least, greatest): (u32, u32), one: &str, several: &str) -> String {
    let is_open = greatest >= MAX_COUNT as u32;
    let noun = |number: u32| plural(number.into(), one, several);
    match (least, greatest) {
        (0, _) if is_open => format!("zero or more {several}"),
        (1, _) if is_open => format!("one or more {several}"),
        (least, _) if is_open => format!("no fewer than {least} {several}"),
        (0, 1) => format!("zero or one {one}"),
        (least, greatest) if least == greatest => format!("{least} {}", noun(least)),
        (least, greatest) => {
            format!("{} {several}", from_to(least.into(), greatest.into()))
        }
    }
}

/// Whether a repetition needs words: once is what a part without one says.
fn is_said(range: &(u32, u32)) -> bool {
    *range != (1, 1)
}

fn times(range: (u32, u32)) -> String {
    counted(range, "time", "times")
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
        Item { text: format!("{text}:"), parts: self.line_parts(&line.constituents, true) }
    }

    /// The parts of a sequence of positions, each after the one before it.
    fn line_parts(&mut self, constituents: &[LineConstituent], is_whole: bool) -> Vec<Item> {
        let mut parts = Vec::new();
        // Whether the part before may be several positions.
        let mut is_after_several = false;
        for (index, constituent) in constituents.iter().enumerate() {
            let then = if index > 0 { "then " } else { "" };
            let mut repeats = constituent.repeats.iter().copied().filter(is_said);
            let first = repeats.next();
            let more: String =
                repeats.map(|range| format!(", and all this {}", times(range))).collect();
            parts.push(match &constituent.kind {
                LineConstituentKind::Filter(filter) => {
                    let place = match first {
                        None if index == 0 && is_whole => "the first position".to_owned(),
                        None if index == 0 => "its first position".to_owned(),
                        None if is_after_several => "the position after them".to_owned(),
                        None => "the next position".to_owned(),
                        Some(range) => counted(range, "position", "positions"),
                    };
                    is_after_several = first.is_some();
                    Item::with_parts(format!("{then}at {place}{more}:"), self.body_of(filter))
                }
                LineConstituentKind::Group(group) => {
                    is_after_several = true;
                    let first = first.map(|range| format!(", {}", times(range)));
                    let text = format!("{then}this sequence{}{more}:", first.unwrap_or_default());
                    Item { text, parts: self.line_parts(group, false) }
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
                let captures =
                    if *capture { " and of the moves that capture one of them" } else { "" };
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
            let repeat = constituent.repeat.filter(is_said);
            let often = repeat.map_or(String::new(), |range| format!(", {}", times(range)));
            parts.push(match &constituent.kind {
                PathConstituentKind::Step { dash, targets } => {
                    let dashed = self.dashed(dash);
                    let (text, after) = match repeat {
                        None => (format!("a move: {dashed}"), "after it"),
                        Some(range) => {
                            let moves = counted(range, "move", "moves");
                            (format!("{moves}, in each of them {dashed}"), "after each of them")
                        }
                    };
                    match targets.as_slice() {
                        [] => Item::plain(text),
                        targets => {
                            let targets = self.conditions(targets);
                            Item::with_parts(format!("{text}; {after}:"), targets)
                        }
                    }
                }
                PathConstituentKind::Holder(filter) => {
                    let text = format!("at the position that is reached{often}:");
                    Item::with_parts(text, self.body_of(filter))
                }
                PathConstituentKind::Chain(chain) => {
                    Item { text: format!("these moves{often}:"), parts: self.path_parts(chain) }
                }
            });
        }
        parts
    }
}
