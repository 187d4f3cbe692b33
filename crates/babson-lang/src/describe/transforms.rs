//! Transforms: the versions of a filter, as clauses and nouns.

use super::Describer;
use super::outline::Item;
use crate::hir::transform::{OrbitSource, Transform};
use crate::hir::{Expr, OrbitResult};
use crate::limits::MAX_DESCRIBED_COPIES;

/// The versions of a filter under a transform.
enum Versions<'e> {
    /// The filter as it is written.
    Operand {
        operand: &'e Expr,
        /// How the versions come from it.
        how: String,
    },
    /// The versions themselves, in a transform that another one has copied.
    Listed {
        shown: &'e [Expr],
        /// How many versions are not shown.
        more: usize,
    },
}

impl<'e> Versions<'e> {
    fn new(elements: &'e [Expr], source: &'e OrbitSource) -> Versions<'e> {
        if let Some(operand) = source.operand() {
            return Versions::Operand { operand, how: under(source.transforms(), elements.len()) };
        }
        let shown = &elements[..elements.len().min(MAX_DESCRIBED_COPIES)];
        Versions::Listed { shown, more: elements.len() - shown.len() }
    }
}

impl Describer<'_> {
    /// A transform as a condition.
    pub(super) fn orbit_clause(
        &mut self,
        elements: &[Expr],
        result: OrbitResult,
        source: &OrbitSource,
    ) -> Item {
        let versions = Versions::new(elements, source);
        let count = match result {
            OrbitResult::Count(range) => Some(self.range(range)),
            OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => None,
        };
        match versions {
            Versions::Operand { operand, how } => {
                let text = match count {
                    None => format!("{how}:"),
                    Some(Some(count)) => format!("in {count} of the versions, {how}:"),
                    Some(None) => {
                        format!("this always holds; it counts the versions, {how}, in which:")
                    }
                };
                Item::with_parts(text, self.body_of(operand))
            }
            Versions::Listed { shown, more } => {
                let text = match count {
                    None => "at least one of these versions holds:".to_owned(),
                    Some(Some(count)) => format!("{count} of these versions hold:"),
                    Some(None) => {
                        "this always holds; it counts how many of these versions hold:".to_owned()
                    }
                };
                Item::with_actions(text, self.listed(shown, more))
            }
        }
    }

    /// The value of a transform.
    pub(super) fn orbit(
        &mut self,
        elements: &[Expr],
        result: OrbitResult,
        source: &OrbitSource,
    ) -> String {
        let versions = Versions::new(elements, source);
        let joined = match result {
            OrbitResult::Count(range) => {
                let range = self.range(range).map_or(String::new(), |range| format!(", {range},"));
                return self.note(|this, name| match versions {
                    Versions::Operand { operand, how } => {
                        let text =
                            format!("{name} is the number{range} of versions, {how}, in which:");
                        Item::with_parts(text, this.body_of(operand))
                    }
                    Versions::Listed { shown, more } => {
                        let text = format!("{name} is the number{range} of these that hold:");
                        Item::with_actions(text, this.listed(shown, more))
                    }
                });
            }
            OrbitResult::Union => "all squares",
            OrbitResult::Max => "the greatest value",
            OrbitResult::Any => "the value",
        };
        match versions {
            Versions::Operand { operand, how } => {
                let operand = self.noun(operand);
                format!("({joined} of {operand}, {how})")
            }
            Versions::Listed { shown, more } => {
                let nouns: Vec<String> = shown.iter().map(|filter| self.noun(filter)).collect();
                let more = match more {
                    0 => String::new(),
                    more => format!(" and {more} more versions"),
                };
                format!("({joined} of {}{more})", nouns.join(", "))
            }
        }
    }

    fn listed(&mut self, shown: &[Expr], more: usize) -> Vec<Item> {
        let mut parts: Vec<Item> = shown.iter().map(|filter| self.clause(filter)).collect();
        if more > 0 {
            parts.push(Item::plain(format!("… and {more} more versions")));
        }
        parts
    }
}

/// What transforms do with a filter.
fn under(transforms: &[Transform], versions: usize) -> String {
    let (mut ways, mut may_leave, mut is_reversed) = (Vec::new(), false, false);
    for transform in transforms {
        ways.push(match transform {
            Transform::FlipVertical => "mirrored left to right",
            Transform::FlipHorizontal => "mirrored top to bottom",
            Transform::Flip => "turned or mirrored in any way",
            Transform::Rotate90 => "turned by a quarter, a half or three quarters",
            Transform::Rotate45 => "with its directions turned by any number of eighths",
            Transform::FlipColor => "with the colors exchanged and the ranks mirrored",
            Transform::Shift => "shifted by any number of files and ranks",
            Transform::ShiftHorizontal => "shifted by any number of files",
            Transform::ShiftVertical => "shifted by any number of ranks",
            Transform::ReverseColor => {
                is_reversed = !is_reversed;
                continue;
            }
        });
        may_leave |= matches!(
            transform,
            Transform::Shift | Transform::ShiftHorizontal | Transform::ShiftVertical
        );
    }
    let reversed = "with the colors exchanged and the ranks mirrored";
    let begin = if is_reversed { format!("{reversed}, then ") } else { String::new() };
    let how = ways.join(", then perhaps ");
    match (ways.is_empty(), versions) {
        (true, _) if is_reversed => reversed.to_owned(),
        (true, _) => "as it stands".to_owned(),
        (false, 1) if may_leave => {
            format!("{begin}as it stands ({how}, it would leave the board or be the same)")
        }
        (false, 1) => format!("{begin}as it stands ({how}, it would be the same)"),
        (false, _) => format!("{begin}as it stands or {how}"),
    }
}
