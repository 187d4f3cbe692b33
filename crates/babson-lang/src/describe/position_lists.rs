//! The filters that only CQL 3 has.

use super::outline::{Item, from_to};
use super::{Describer, board};
use crate::hir::{
    Content, GameLists, MarkMode, NodeSelection, PositionSequence, Recurrence, RecurrenceSide,
    SquarePairKind, SquarePairs,
};

/// A number, or an interval.
fn interval((least, greatest): (i32, i32)) -> String {
    match least == greatest {
        true => format!("exactly {least}"),
        false => from_to(least.into(), greatest.into()),
    }
}

fn nodes(nodes: NodeSelection) -> &'static str {
    match nodes {
        NodeSelection::MainLine => "of the main line",
        NodeSelection::All => "of the main line or a variation",
        NodeSelection::Variations => "of a variation",
    }
}

impl Describer<'_> {
    pub(super) fn game_lists(&mut self, lists: &GameLists) -> Item {
        let mut parts = Vec::new();
        for list in &lists.lists {
            let count = match list.count {
                None => "there is a position".to_owned(),
                Some(range) => format!("there are {} positions", interval(range)),
            };
            let marked = match list.mark {
                MarkMode::None => ", which is not marked,",
                MarkMode::First => "",
                MarkMode::All => ", all marked,",
            };
            let text = format!("{count} {}{marked} at which:", nodes(list.nodes));
            parts.push(Item::with_parts(text, self.body_of(&list.body)));
            if let Some((bodies, range)) = &list.counted {
                let text = match bodies.len() {
                    1 => format!("there are {} positions at which:", interval(*range)),
                    versions => format!(
                        "for this, or for one of {} other versions of it, there are {} positions \
                         at which:",
                        versions - 1,
                        interval(*range)
                    ),
                };
                let first = bodies.first().map(|body| self.body_of(body)).unwrap_or_default();
                parts.push(Item::with_parts(text, first));
            }
        }
        let tags: Vec<String> = lists
            .tags
            .iter()
            .map(|tag| format!("{} {}", self.piece(tag.content), self.var(tag.var)))
            .collect();
        if tags.is_empty() {
            return match <[Item; 1]>::try_from(parts) {
                Ok([only]) => only,
                Err(parts) => Item { text: "all of these hold:".to_owned(), parts },
            };
        }
        let where_ = match lists.tags_in_variations {
            true => "in the game or a variation",
            false => "in the game",
        };
        let text = format!("for at least one {} that appears {where_}:", tags.join(" and one "));
        Item { text, parts }
    }

    fn piece(&self, content: Content) -> String {
        let name = board::content(content);
        name.strip_prefix("a ").unwrap_or(&name).to_owned()
    }

    pub(super) fn position_sequence(&mut self, steps: &PositionSequence) -> Item {
        let mut parts = Vec::new();
        for (index, filter) in steps.filters.iter().enumerate() {
            let place = match (index, steps.gapped) {
                (0, _) => "at this position:",
                (_, false) => "at the next position:",
                (_, true) => "at a later position:",
            };
            parts.push(Item::with_parts(place, self.body_of(filter)));
        }
        let line = if steps.main_line { " of the main line" } else { "" };
        Item { text: format!("these hold at positions{line}, one after the other:"), parts }
    }

    pub(super) fn pairs(&mut self, pairs: &SquarePairs) -> Item {
        let range = interval(pairs.range);
        let sets: Vec<String> = pairs.sets.iter().map(|set| self.noun(set)).collect();
        Item::plain(match pairs.kind {
            SquarePairKind::Attack => {
                format!(
                    "the number of attacks, counted in pairs, by {} is {range}",
                    sets.join(" on ")
                )
            }
            SquarePairKind::Ray { directions, attack } => {
                let attacking = if attack { ", by pieces that move that way," } else { "" };
                format!(
                    "the number of lines {}{attacking} that go along {} is {range}",
                    board::directions(directions),
                    sets.join(", then ")
                )
            }
        })
    }

    pub(super) fn recurrence(&mut self, found: &Recurrence) -> String {
        let mut text = format!("another position {} resembles this one", nodes(found.nodes));
        let mut add = |part: String| text.push_str(&format!("; {part}"));
        match found.side {
            RecurrenceSide::Same => add("the same side is to move".to_owned()),
            RecurrenceSide::Changed => add("the other side is to move".to_owned()),
            RecurrenceSide::Any => {}
        }
        if found.pattern {
            let squares = board::squares_by_name(found.squares, "and");
            add(format!("{squares} are compared"));
        }
        if found.flip {
            add("it may be turned and mirrored".to_owned());
        }
        if found.shift {
            add("it may be shifted".to_owned());
        }
        for range in &found.same {
            add(format!("the number of unchanged pieces is {}", interval(*range)));
        }
        for range in &found.different {
            add(format!("the number of different squares is {}", interval(*range)));
        }
        for (what, (pieces, range)) in [("missing there", found.missing), ("new there", found.new)]
        {
            let pieces = board::all(&pieces);
            add(format!("of {pieces}, {} are {what}", interval(range)));
        }
        text
    }
}
