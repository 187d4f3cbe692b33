//! Filters without operands that have a value.

use super::{Award, Participants, Side};

/// A filter without operands that has a value where it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Quantity {
    // Numbers.
    /// `sidetomove`: 1 or -1
    SideSign,
    /// `white`: 1, `black`: -1; `flipcolor` swaps them
    SideValue(Side),
    Ply,
    MoveNumber,
    Depth,
    PositionId,
    GameNumber,
    LastGameNumber,
    Elo(Option<Side>),
    Year,
    HalfMoveClock,
    /// `clk`: seconds on the clock of the player who moved, from the comment
    Clock,
    /// `eval`: centipawns from the view of White, from the comment
    Evaluation,
    /// The least game number of the file of `similarposition` that gave the latest match.
    SubmissionGame,
    /// `hhdb prize` and its like: matches also where it has no value, see
    /// [`super::Condition::HasAward`].
    Award(Award),
    // Sets.
    /// `from` of the previous move; castling gives the squares of king and rook.
    LastFrom,
    /// `to` of the previous move, likewise.
    LastTo,
    EnPassantSquare,
    PassedPawns,
    ConnectedPawns,
    IsolatedPawns,
    DoubledPawns,
    Participants(Participants),
    /// `promotedpieces`: where pieces stand that were pawns
    PromotedPieces,
    // Texts.
    Tag(BuiltInTag),
    Fen,
    StandardFen,
    /// `currentfen`: with all that the variant needs
    CurrentFen,
    ZobristKey,
    OriginalComment,
    /// `san`: the move that led to the position
    San,
    CurrentMutation,
    /// `legalposition` as an argument of `str`, `comment`, `message`.
    LegalText,
    /// `reachableposition` likewise.
    ReachableText,
    /// `variant`: its name
    Variant,
    // Positions.
    SavePosition,
    CurrentPosition,
    Parent,
    InitialPosition,
    // Of several types.
    /// `hhdb KEY`
    Hhdb(HhdbValue),
    /// `pathcount` and its like
    Path(PathStatus),
}

impl Quantity {
    /// The side that it names, which `flipcolor` swaps.
    pub fn side(mut self) -> Option<Side> {
        self.side_mut().copied()
    }

    /// As [`Quantity::side`], with the right to change it.
    pub(crate) fn side_mut(&mut self) -> Option<&mut Side> {
        match self {
            Quantity::SideValue(side) => Some(side),
            Quantity::Elo(side) | Quantity::Tag(BuiltInTag::Player(side)) => side.as_mut(),
            Quantity::Tag(
                BuiltInTag::Event
                | BuiltInTag::Site
                | BuiltInTag::Date
                | BuiltInTag::EventDate
                | BuiltInTag::Eco,
            )
            | Quantity::SideSign
            | Quantity::Ply
            | Quantity::MoveNumber
            | Quantity::Depth
            | Quantity::PositionId
            | Quantity::GameNumber
            | Quantity::LastGameNumber
            | Quantity::Year
            | Quantity::HalfMoveClock
            | Quantity::Clock
            | Quantity::Evaluation
            | Quantity::SubmissionGame
            | Quantity::Award(_)
            | Quantity::LastFrom
            | Quantity::LastTo
            | Quantity::EnPassantSquare
            | Quantity::PassedPawns
            | Quantity::ConnectedPawns
            | Quantity::IsolatedPawns
            | Quantity::DoubledPawns
            | Quantity::Participants(_)
            | Quantity::PromotedPieces
            | Quantity::Fen
            | Quantity::StandardFen
            | Quantity::CurrentFen
            | Quantity::ZobristKey
            | Quantity::OriginalComment
            | Quantity::San
            | Quantity::CurrentMutation
            | Quantity::LegalText
            | Quantity::ReachableText
            | Quantity::Variant
            | Quantity::SavePosition
            | Quantity::CurrentPosition
            | Quantity::Parent
            | Quantity::InitialPosition
            | Quantity::Hhdb(_)
            | Quantity::Path(_) => None,
        }
    }
}

/// The tags that are filters of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum BuiltInTag {
    /// Of one side, or of both in one text.
    Player(Option<Side>),
    Event,
    Site,
    Date,
    EventDate,
    Eco,
}

/// What is asked of a `path`: of the innermost around the filter, else of the last of the game.
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
