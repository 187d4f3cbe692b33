//! What some filters of the table choose between.

use babson_chess::Color;

use super::signature::{Signature, filter, of_tags};
use crate::dialect::DialectSwitch;
use crate::effects::Constancy;
use crate::literals::GameResult;
use crate::types::Type::{self, Number, Position, String};

/// An award in the Event tag of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Award {
    /// Which; `None` is any.
    pub kind: Option<AwardKind>,
    /// Whether it must be a special one, or must not.
    pub special: Option<bool>,
    /// The greater of the ranks is the value.
    pub max: bool,
    /// The value is the place in the order of `hhdb sort`, as for `hhdb sortable`.
    pub sort: bool,
}

/// The awards, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs)]
pub enum AwardKind {
    Prize,
    HonorableMention,
    Commendation,
}

/// A kind of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum CastlingKind {
    KingSide,
    QueenSide,
    Either,
}

/// The filters of mates and stalemates whose value is the set of participants
/// (docs/src/language/mates.md#who-takes-part).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Participants {
    PureMate,
    ModelMate,
    IdealMate,
    PureStalemate,
    ModelStalemate,
    IdealStalemate,
}

/// The tags that are filters of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum BuiltInTag {
    /// Of one side, or of both in one text.
    Player(Option<Color>),
    Event,
    Site,
    Date,
    EventDate,
    Eco,
}

/// What a filter reads from a `path`: inside a path from the innermost one, outside from the last
/// path that matched in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStatus {
    /// `pathcount`: its moves so far
    Count,
    /// `pathcountunfocused`: the moves that it skipped up to the current position
    CountUnfocused,
    /// `pathstart`
    Start,
    /// `pathlastposition`: inside a path the end of the best so far
    LastPosition,
}

/// The keys of the Heijden database that match or not and combine no other filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum HhdbCondition {
    Cooked,
    Mainline,
    Variation,
}

/// The keys of the Heijden database that have a value and combine no other filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum HhdbValue {
    // Texts.
    Composer,
    Diagram,
    Gbr,
    Search,
    Stipulation,
    Distinction,
    TourneyName,
    TourneyYearPart,
    // Numbers.
    EgDiagram,
    TourneyEdition,
    TourneyYear,
    TourneyYearEnd,
}

/// How a variant's own rule ends the game, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum VariantEnding {
    Win,
    Loss,
    Draw,
    Any,
}

impl BuiltInTag {
    pub(super) const fn signature(self) -> Signature {
        match self {
            BuiltInTag::Player(None) => of_tags(String).always().differs(DialectSwitch::RawTags),
            BuiltInTag::Player(Some(_))
            | BuiltInTag::Event
            | BuiltInTag::Site
            | BuiltInTag::Eco => of_tags(String).differs(DialectSwitch::RawTags),
            BuiltInTag::Date | BuiltInTag::EventDate => of_tags(String),
        }
    }
}

impl PathStatus {
    pub(super) const fn signature(self) -> Signature {
        let ty = match self {
            PathStatus::Count | PathStatus::CountUnfocused => Number,
            PathStatus::Start | PathStatus::LastPosition => Position,
        };
        filter(ty, 4).looks_anywhere()
    }
}

impl HhdbCondition {
    pub(super) const fn signature(self) -> Signature {
        let row = filter(Type::Bool, 200).with_comments();
        match self {
            HhdbCondition::Cooked => row.lasts(Constancy::Game),
            HhdbCondition::Mainline | HhdbCondition::Variation => row.lasts(Constancy::Position),
        }
    }
}

impl HhdbValue {
    pub(super) const fn signature(self) -> Signature {
        let (ty, in_comments) = match self {
            HhdbValue::Diagram
            | HhdbValue::Gbr
            | HhdbValue::Distinction
            | HhdbValue::TourneyName
            | HhdbValue::TourneyYearPart => (String, false),
            HhdbValue::Composer | HhdbValue::Search | HhdbValue::Stipulation => (String, true),
            HhdbValue::TourneyEdition | HhdbValue::TourneyYear | HhdbValue::TourneyYearEnd => {
                (Number, false)
            }
            HhdbValue::EgDiagram => (Number, true),
        };
        let row = match in_comments {
            true => filter(ty, 200).lasts(Constancy::Game),
            false => of_tags(ty),
        };
        row.with_comments()
    }
}

/// The part of a filter that changes if the colors are swapped.
pub(crate) enum ColorPart<'f> {
    Side(&'f mut Color),
    Result(&'f mut GameResult),
}

impl ColorPart<'_> {
    /// Exchanges White and Black.
    pub(crate) fn swap(self) {
        match self {
            ColorPart::Side(side) => *side = side.not(),
            ColorPart::Result(result) => *result = result.swap_colors(),
        }
    }

    /// Whether it is Black, or its win.
    pub(crate) fn is_black(&self) -> bool {
        match self {
            ColorPart::Side(side) => **side == Color::Black,
            ColorPart::Result(result) => **result == GameResult::BlackWins,
        }
    }
}

/// What a filter of the table may hold.
pub(crate) trait Payload {
    fn color_part(&mut self) -> Option<ColorPart<'_>> {
        None
    }
}

impl Payload for Color {
    fn color_part(&mut self) -> Option<ColorPart<'_>> {
        Some(ColorPart::Side(self))
    }
}

impl Payload for Option<Color> {
    fn color_part(&mut self) -> Option<ColorPart<'_>> {
        self.as_mut().map(ColorPart::Side)
    }
}

impl Payload for GameResult {
    fn color_part(&mut self) -> Option<ColorPart<'_>> {
        Some(ColorPart::Result(self))
    }
}

impl Payload for BuiltInTag {
    fn color_part(&mut self) -> Option<ColorPart<'_>> {
        match self {
            BuiltInTag::Player(side) => side.color_part(),
            BuiltInTag::Event
            | BuiltInTag::Site
            | BuiltInTag::Date
            | BuiltInTag::EventDate
            | BuiltInTag::Eco => None,
        }
    }
}

macro_rules! without_colors {
    ($($payload:ty)*) => {
        $(impl Payload for $payload {})*
    };
}

without_colors! {
    Award CastlingKind HhdbCondition HhdbValue Participants PathStatus VariantEnding
    babson_chess::Variant
}
