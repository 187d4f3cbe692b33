//! The keys of the Heijden database that the machine evaluates (`docs/src/language/hhdb.md`).

use babson_lang::hir::{Award, BuiltInTag, Color, HhdbCondition, HhdbValue};

use super::Run;
use crate::filters::hhdb::{self, EventAward};
use crate::filters::strings;
use crate::filters::tourney::{self, Tourney};

impl Run<'_, '_> {
    /// The award of the game, if it is one that the filter asks for.
    pub(super) fn award(&self, wanted: &Award) -> Option<EventAward> {
        let event = self.built_in_tag(BuiltInTag::Event)?;
        EventAward::read(&event).filter(|found| found.fits(wanted))
    }

    /// The keys that match or not.
    pub(super) fn hhdb_condition(&mut self, key: HhdbCondition) -> bool {
        match key {
            HhdbCondition::Cooked => *self
                .state
                .cooked
                .get_or_insert_with(|| strings::find(b"<cook", self.game.text()).is_some()),
            HhdbCondition::Mainline => !self.is_side_line(),
            HhdbCondition::Variation => self.is_side_line(),
        }
    }

    /// The keys with a value.
    pub(super) fn hhdb_value(&mut self, key: HhdbValue) -> Option<u64> {
        let event = || self.built_in_tag(BuiltInTag::Event);
        let black = || self.built_in_tag(BuiltInTag::Player(Some(Color::Black)));
        let first_comment = || self.game.comment(0);
        let tourney = || event().map(|event| Tourney::read(&event));
        let number = |value: i32| u64::from(value as u32);
        let years = || tourney().and_then(|tourney| tourney.years);
        let text = match key {
            HhdbValue::EgDiagram => {
                return Some(number(hhdb::eg_diagram(&first_comment()?)?));
            }
            HhdbValue::TourneyEdition => return Some(number(tourney()?.edition?)),
            HhdbValue::TourneyYear => return Some(number(years()?.first)),
            HhdbValue::TourneyYearEnd => return Some(number(years()?.last?)),
            HhdbValue::TourneyYearPart => years()?.part?,
            HhdbValue::TourneyName => Some(tourney()?.name).filter(|name| !name.is_empty())?,
            HhdbValue::Distinction => tourney::distinction(&event()?)?.to_vec(),
            HhdbValue::Composer => self.composer()?,
            HhdbValue::Diagram => hhdb::diagram(&event()?)?.to_vec(),
            HhdbValue::Gbr => hhdb::gbr(&black()?)?.to_vec(),
            HhdbValue::Stipulation => hhdb::stipulation(&first_comment()?)?.to_vec(),
            HhdbValue::Search => {
                let white = self.built_in_tag(BuiltInTag::Player(Some(Color::White)));
                let mut parts: Vec<Vec<u8>> =
                    [event(), white, black()].into_iter().map(Option::unwrap_or_default).collect();
                parts.extend(first_comment().map(|text| text.into_owned()));
                parts.join(&b'\n')
            }
        };
        Some(self.state.intern(&text))
    }

    fn composer(&self) -> Option<Vec<u8>> {
        let black = self.built_in_tag(BuiltInTag::Player(Some(Color::Black)));
        let many = black.is_some_and(|black| strings::find(b"MC", &black).is_some());
        if many && let Some(comment) = self.game.comment(0) {
            let end = comment.iter().position(|&byte| byte == b'.');
            return Some(comment[..end.unwrap_or(comment.len())].to_vec());
        }
        let mut white = self.built_in_tag(BuiltInTag::Player(Some(Color::White)))?;
        if white.ends_with(b" NN") {
            white.truncate(white.len() - 3);
        }
        Some(white)
    }

    /// Whether the line to the current position has an alternative that is not marked as the main
    /// line.
    fn is_side_line(&self) -> bool {
        let mut at = self.here.node;
        while at != 0 {
            let marked = |comment: &[u8]| strings::find(b"<main>", comment).is_some();
            if self.is_secondary(at) && !self.game.comment(at).is_some_and(|text| marked(&text)) {
                return true;
            }
            at = self.nodes[at as usize].parent;
        }
        false
    }
}
