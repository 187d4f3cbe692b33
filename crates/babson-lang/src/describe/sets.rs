//! Filters that make a set of squares of other sets.

use super::outline::Item;
use super::{Describer, board};
use crate::hir::{Alignment, Expr, NumberRange, PinValue, SetFilter};

impl Describer<'_> {
    /// The set that the filter makes.
    pub(super) fn set_noun(&mut self, filter: &SetFilter) -> String {
        match filter {
            SetFilter::Direction { directions, range, set } => {
                let set = self.one(set);
                let range = self.distance(*range);
                format!("the squares {range} {} from {set}", board::directions(*directions))
            }
            SetFilter::Aligned(alignment, sets) => self.aligned(*alignment, sets, false),
        }
    }

    /// One square of the set, if there are words for it. Otherwise it is one of [`set_noun`].
    ///
    /// [`set_noun`]: Describer::set_noun
    pub(super) fn one_of_set(&mut self, filter: &SetFilter) -> Option<String> {
        match filter {
            SetFilter::Direction { directions, range, set } => {
                let set = self.one(set);
                let range = self.distance(*range);
                Some(format!("a square {range} {} from {set}", board::directions(*directions)))
            }
            SetFilter::Aligned(..) => None,
        }
    }

    /// That the set has a square. `expr` is the node of the filter.
    pub(super) fn set_clause(&mut self, expr: &Expr, filter: &SetFilter) -> Item {
        match filter {
            SetFilter::Direction { .. } => self.has_value(expr),
            SetFilter::Aligned(alignment, sets) => {
                Item::plain(self.aligned(*alignment, sets, true))
            }
        }
    }

    /// `3 squares`, `1 to 2 squares`.
    fn distance(&self, range: NumberRange) -> String {
        let (least, greatest) = (self.bound(range.min), self.bound(range.max));
        match (least == greatest, least.as_str()) {
            (true, "1") => "1 square".to_owned(),
            (true, _) => format!("{least} squares"),
            (false, _) => format!("{least} to {greatest} squares"),
        }
    }

    /// A ray or a pin: that there is one, or its value.
    fn aligned(&mut self, alignment: Alignment, sets: &[Expr], exists: bool) -> String {
        let pieces: Vec<String> = sets
            .iter()
            .map(|set| match board::fixed(set) {
                Some(u64::MAX) => "a piece".to_owned(),
                Some(_) | None => self.one(set),
            })
            .collect();
        let (text, value) = match alignment {
            Alignment::Ray { directions, attack, first } => {
                let way = board::directions(directions);
                let attacking = if attack { ", which moves that way" } else { "" };
                let text = match pieces.as_slice() {
                    [from, met @ ..] if !met.is_empty() => {
                        let met = met.join(", then ");
                        format!(
                            "a line that goes {way} from {from}{attacking}, meets {met}, and \
                             nothing else in between"
                        )
                    }
                    [..] => format!("a line that goes {way}"),
                };
                (text, if first { "the first squares" } else { "the last squares" })
            }
            Alignment::Pin(value) => {
                let [from, through, to] = pieces.as_slice() else {
                    return "a pin".to_owned();
                };
                let text = format!("a pin, by {from}, of {through}, to {to}");
                let value = match value {
                    PinValue::From => "the pinning pieces",
                    PinValue::Through => "the pinned pieces",
                    PinValue::To => "the targets",
                };
                (text, value)
            }
        };
        if exists { format!("there is {text}") } else { format!("({value} of {text})") }
    }
}
