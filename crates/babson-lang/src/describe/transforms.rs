//! Transforms: the versions of a filter, as clauses and nouns.

use super::Describer;
use super::outline::Item;
use crate::hir::transform::{OrbitSource, Transform};
use crate::hir::{Expr, OrbitResult};
use crate::limits::MAX_DESCRIBED_COPIES;

/// The versions of a filter under a transform.
pub(super) struct Versions<'e> {
    /// How they come from the filter.
    pub(super) phrase: String,
    /// The filter as it is written, or the versions themselves.
    filters: Vec<&'e Expr>,
    /// Whether it is the filter as it is written.
    is_one: bool,
    /// How many versions are not shown.
    more: usize,
}

impl Versions<'_> {
    /// A sentence about the versions.
    pub(super) fn sentence(&self, text: String, describer: &mut Describer<'_>) -> Item {
        match self.is_one {
            true => Item::with_parts(text, describer.body_of(self.filters[0])),
            false => Item::with_actions(text, self.parts(describer)),
        }
    }

    fn parts(&self, describer: &mut Describer<'_>) -> Vec<Item> {
        let mut parts: Vec<Item> =
            self.filters.iter().map(|filter| describer.clause(filter)).collect();
        if self.more > 0 {
            parts.push(Item::plain(format!("… or one of {} more versions", self.more)));
        }
        parts
    }
}

impl Describer<'_> {
    /// A transform as a condition.
    pub(super) fn orbit_clause(
        &mut self,
        filter: &Expr,
        elements: &[Expr],
        result: OrbitResult,
        source: &OrbitSource,
    ) -> Item {
        let versions = self.versions(elements, source);
        match (result, filter.ty) {
            (OrbitResult::Count(range), _) => {
                let count = self.range(range).unwrap_or_else(|| "any number".to_owned());
                let text = format!("in {count} of the versions, {}:", versions.phrase);
                versions.sentence(text, self)
            }
            (OrbitResult::Union | OrbitResult::Max | OrbitResult::Any, _) => {
                versions.sentence(format!("{}:", versions.phrase), self)
            }
        }
    }

    /// How the versions of a filter come from it.
    pub(super) fn versions<'e>(
        &mut self,
        elements: &'e [Expr],
        source: &'e OrbitSource,
    ) -> Versions<'e> {
        if let Some(operand) = source.operand() {
            let phrase = under(source.transforms(), elements.len());
            return Versions { phrase, filters: vec![operand], is_one: true, more: 0 };
        }
        let shown = elements.len().min(MAX_DESCRIBED_COPIES);
        Versions {
            phrase: "at least one of these versions holds".to_owned(),
            filters: elements[..shown].iter().collect(),
            is_one: false,
            more: elements.len() - shown,
        }
    }

    /// The value of a transform.
    pub(super) fn orbit(
        &mut self,
        elements: &[Expr],
        result: OrbitResult,
        source: &OrbitSource,
    ) -> String {
        let versions = self.versions(elements, source);
        if let OrbitResult::Count(range) = result {
            let range = self.range(range).map_or(String::new(), |range| format!(", {range},"));
            return self.note(|this, name| {
                let text = format!(
                    "{name} is the number{range} of versions, {}, in which:",
                    versions.phrase
                );
                versions.sentence(text, this)
            });
        }
        let joined = match result {
            OrbitResult::Union => "all squares",
            OrbitResult::Max => "the greatest value",
            OrbitResult::Any | OrbitResult::Count(_) => "the value",
        };
        match source.operand() {
            Some(operand) => {
                let operand = self.noun(operand);
                format!("({joined} of {operand}, {})", versions.phrase)
            }
            None => {
                let nouns: Vec<String> =
                    versions.filters.iter().map(|filter| self.noun(filter)).collect();
                let more = match versions.more {
                    0 => String::new(),
                    more => format!(" and {more} more versions"),
                };
                format!("({joined} of {}{more})", nouns.join(", "))
            }
        }
    }
}

/// What transforms do with a filter.
fn under(transforms: &[Transform], versions: usize) -> String {
    let names: Vec<&str> = transforms
        .iter()
        .map(|transform| match transform {
            Transform::FlipVertical => "mirrored left to right",
            Transform::FlipHorizontal => "mirrored top to bottom",
            Transform::Flip => "turned or mirrored in any way",
            Transform::Rotate90 => "turned by a quarter, a half or three quarters",
            Transform::Rotate45 => "with its directions turned by any number of eighths",
            Transform::FlipColor => "with the colors exchanged and the ranks mirrored",
            Transform::Shift => "shifted by any number of files and ranks",
            Transform::ShiftHorizontal => "shifted by any number of files",
            Transform::ShiftVertical => "shifted by any number of ranks",
            Transform::ReverseColor => "only with the colors exchanged and the ranks mirrored",
        })
        .collect();
    let how = names.join(", then perhaps ");
    match (transforms, versions) {
        ([Transform::ReverseColor], _) => {
            "with the colors exchanged and the ranks mirrored".to_owned()
        }
        (_, 1) => format!("as it stands (it is the same {how})"),
        _ => format!("as it stands or {how}"),
    }
}
