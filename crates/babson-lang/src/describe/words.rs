//! The filters of the table in words: conditions as sentences, properties as nouns.

use crate::hir::{
    Award, AwardKind, BuiltInTag, CastlingKind, Color, Condition, GameResult, HhdbCondition,
    HhdbValue, Participants, PathStatus, Property, VariantEnding,
};

pub(super) fn color(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn castling(kind: CastlingKind) -> &'static str {
    match kind {
        CastlingKind::KingSide => "castling to the king side",
        CastlingKind::QueenSide => "castling to the queen side",
        CastlingKind::Either => "castling",
    }
}

/// What a move that castles does.
pub(super) fn castles(kind: CastlingKind) -> &'static str {
    match kind {
        CastlingKind::KingSide => "castles to the king side",
        CastlingKind::QueenSide => "castles to the queen side",
        CastlingKind::Either => "castles",
    }
}

pub(super) fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "White won the game",
        GameResult::BlackWins => "Black won the game",
        GameResult::Draw => "the game was drawn",
    }
}

/// A condition as a sentence.
pub(super) fn condition(which: Condition) -> String {
    match which {
        Condition::Check => "the side to move is in check".into(),
        Condition::Initial => "the position is the first of the game".into(),
        Condition::Mate => "the side to move is checkmated".into(),
        Condition::Stalemate => "the side to move is stalemated, and no move follows".into(),
        Condition::LegalPosition => "the position is legal in itself".into(),
        Condition::ReachablePosition => "no proof is found that the position is unreachable".into(),
        Condition::Terminal => "no move follows the position".into(),
        Condition::Mainline => "the position is on the main line".into(),
        Condition::Variation => "the position is in a variation".into(),
        Condition::VirtualMainline => {
            "no variation of White and no null move leads to the position".into()
        }
        Condition::Try => "exactly one variation of White leads to the position".into(),
        Condition::Primary => "the move that led here was the main continuation".into(),
        Condition::Secondary => "the move that led here was the first move of a variation".into(),
        Condition::NullMove => "the move that led here was a null move".into(),
        Condition::EnPassant => "the move that led here was an en passant capture".into(),
        Condition::RemoveComment => {
            "the comment of the input is left out of the output (this always holds)".into()
        }
        Condition::SideToMove(side) => format!("{} is to move", color(side)),
        Condition::VariantEnd(ending) => match ending {
            VariantEnding::Win => "the side to move has won by the rules of the variant".into(),
            VariantEnding::Loss => "the side to move has lost by the rules of the variant".into(),
            VariantEnding::Draw => "the game is drawn by the rules of the variant".into(),
            VariantEnding::Any => "the game has ended by the rules of the variant".into(),
        },
        Condition::Castling(kind) => format!("the move that led here was {}", castling(kind)),
        Condition::IsVariant(variant) => {
            format!("the game is a game of the variant {}", variant.name())
        }
        Condition::Result(which) => result(which).into(),
        Condition::Hhdb(key) => match key {
            HhdbCondition::Cooked => "the database marks the study as cooked".into(),
            HhdbCondition::Mainline => {
                "the position is on the main line by the marks of the database".into()
            }
            HhdbCondition::Variation => {
                "the position is not on the main line by the marks of the database".into()
            }
        },
        Condition::HasAward(which) => format!("the study has {}", award(which)),
        Condition::Abort => "the run ends here with an error".into(),
        Condition::BareValue => {
            "the run ends here with an error, because of an unused value".into()
        }
    }
}

/// The opposite of a condition that has a short one.
pub(super) fn opposite(which: Condition) -> Option<String> {
    let text = condition(which);
    let shorter = [
        ("no move follows", "a move follows"),
        ("no proof is found that", "there is a proof that"),
        (" is ", " is not "),
        (" was ", " was not "),
    ];
    match which {
        Condition::RemoveComment
        | Condition::Abort
        | Condition::BareValue
        | Condition::VirtualMainline
        | Condition::Try
        | Condition::VariantEnd(_)
        | Condition::Result(_)
        | Condition::IsVariant(_)
        | Condition::HasAward(_)
        | Condition::Hhdb(_)
        | Condition::Stalemate => None,
        Condition::Check
        | Condition::Initial
        | Condition::Mate
        | Condition::LegalPosition
        | Condition::ReachablePosition
        | Condition::Terminal
        | Condition::Mainline
        | Condition::Variation
        | Condition::Primary
        | Condition::Secondary
        | Condition::NullMove
        | Condition::EnPassant
        | Condition::SideToMove(_)
        | Condition::Castling(_) => {
            let found = shorter.iter().find(|(from, _)| text.contains(from));
            found.map(|(from, to)| text.replacen(from, to, 1))
        }
    }
}

fn award(award: Award) -> String {
    let kind = match award.kind {
        None => "award",
        Some(AwardKind::Prize) => "prize",
        Some(AwardKind::HonorableMention) => "honorable mention",
        Some(AwardKind::Commendation) => "commendation",
    };
    match award.special {
        Some(true) => format!("a special {kind}"),
        Some(false) => format!("a {kind} that is not special"),
        None if kind.starts_with(['a', 'h']) => format!("an {kind}"),
        None => format!("a {kind}"),
    }
}

fn side_of(side: Option<Color>, noun: &str) -> String {
    match side {
        Some(side) => format!("the {noun} of {}", color(side)),
        None => format!("the greater {noun} of the two players"),
    }
}

/// A property as a noun.
pub(super) fn property(which: Property) -> String {
    match which {
        Property::Ply => "the number of plies since the first position".into(),
        Property::MoveNumber => "the move number".into(),
        Property::Depth => "the number of moves to here that are not main continuations".into(),
        Property::PositionId => "the id of the position".into(),
        Property::GameNumber => "the number of the game".into(),
        Property::LastGameNumber => "the number of the last game".into(),
        Property::Year => "the year of the game".into(),
        Property::HalfMoveClock => "the number of plies since the last capture or pawn move".into(),
        Property::Clock => "the seconds that the player who moved last has left".into(),
        Property::Evaluation => "the evaluation in the comment, in centipawns for White".into(),
        Property::EnPassantSquare => {
            "the square of the pawn that the last move captured en passant".into()
        }
        Property::PromotedPieces => "the squares of promoted pieces".into(),
        Property::PassedPawns => "the passed pawns".into(),
        Property::ConnectedPawns => "the connected pawns".into(),
        Property::IsolatedPawns => "the isolated pawns".into(),
        Property::DoubledPawns => "the doubled pawns".into(),
        Property::Variant => "the variant of the game".into(),
        Property::StandardFen => "the FEN of the position".into(),
        Property::CurrentFen => "the FEN of the position with all that the variant needs".into(),
        Property::Fen => {
            "the FEN of the position, with the castling rights that the moves leave and the \
             counters `0 1`"
                .into()
        }
        Property::ZobristKey => "the Zobrist key of the position".into(),
        Property::San => "the text of the move that led here".into(),
        Property::OriginalComment => "the comment of the input at this position".into(),
        Property::MaterialKey => "the material of both sides as a text".into(),
        Property::CurrentMutation => "the text of the changes of the board".into(),
        Property::SavePosition => "the position, which is stored".into(),
        Property::CurrentPosition => "the current position".into(),
        Property::Parent => "the position before the current one".into(),
        Property::InitialPosition => "the first position of the game".into(),
        Property::SideSign => "the side to move (1 for White, -1 for Black)".into(),
        Property::SideValue(Color::White) => "1 (White)".into(),
        Property::SideValue(Color::Black) => "-1 (Black)".into(),
        Property::Elo(side) => side_of(side, "rating"),
        Property::SubmissionGame => {
            "the least number of a game of the file with a similar position".into()
        }
        Property::Award(which) => {
            let what = if which.sort { "place in the order of awards" } else { "rank" };
            let shared = if which.max { ", the greater one if it is shared" } else { "" };
            format!("the {what} of {}{shared}", award(which))
        }
        Property::LastFrom => "the square from which the last move started".into(),
        Property::LastTo => "the square on which the last move ended".into(),
        Property::Participants(which) => match which {
            Participants::PureMate => "the pieces that take part in a pure mate".into(),
            Participants::ModelMate => "the pieces that take part in a model mate".into(),
            Participants::IdealMate => "the pieces that take part in an ideal mate".into(),
            Participants::PureStalemate => "the pieces that take part in a pure stalemate".into(),
            Participants::ModelStalemate => "the pieces that take part in a model stalemate".into(),
            Participants::IdealStalemate => {
                "the pieces that take part in an ideal stalemate".into()
            }
        },
        Property::Tag(tag) => match tag {
            BuiltInTag::Player(None) => "the name of White or of Black".into(),
            BuiltInTag::Player(Some(side)) => format!("the name of {}", color(side)),
            BuiltInTag::Event => "the event of the game".into(),
            BuiltInTag::Site => "the site of the game".into(),
            BuiltInTag::Date => "the date of the game".into(),
            BuiltInTag::EventDate => "the date of the event".into(),
            BuiltInTag::Eco => "the ECO code of the game".into(),
        },
        Property::LegalText => "the text that says whether the position is legal".into(),
        Property::ReachableText => "the text that says whether the position is reachable".into(),
        Property::Hhdb(key) => match key {
            HhdbValue::Composer => "the composer of the study".into(),
            HhdbValue::Diagram => "the number of the diagram in the tag Event".into(),
            HhdbValue::Gbr => "the GBR code of the study".into(),
            HhdbValue::Search => "the text of the tags and of the first comment".into(),
            HhdbValue::Stipulation => "the stipulation in the first comment".into(),
            HhdbValue::Distinction => "the award as it is written".into(),
            HhdbValue::TourneyName => "the name of the tourney".into(),
            HhdbValue::TourneyYearPart => "the part of the year of the tourney".into(),
            HhdbValue::EgDiagram => "the number of the diagram in EG".into(),
            HhdbValue::TourneyEdition => "the edition of the tourney".into(),
            HhdbValue::TourneyYear => "the year of the tourney".into(),
            HhdbValue::TourneyYearEnd => "the last year of the tourney".into(),
        },
        Property::Path(status) => match status {
            PathStatus::Count => "the number of moves of the path so far".into(),
            PathStatus::CountUnfocused => "the number of moves that the path skipped".into(),
            PathStatus::Start => "the start of the path".into(),
            PathStatus::LastPosition => "the end of the path".into(),
        },
    }
}

/// The sentence that a property has a value other than the empty set, if there is a short one.
pub(super) fn has_property(which: Property) -> Option<&'static str> {
    let kinds = [
        (Property::PassedPawns, "there is a passed pawn"),
        (Property::ConnectedPawns, "there is a connected pawn"),
        (Property::IsolatedPawns, "there is an isolated pawn"),
        (Property::DoubledPawns, "there is a doubled pawn"),
        (Property::PromotedPieces, "there is a promoted piece"),
        (Property::Participants(Participants::PureMate), "the position is a pure mate"),
        (Property::Participants(Participants::ModelMate), "the position is a model mate"),
        (Property::Participants(Participants::IdealMate), "the position is an ideal mate"),
        (Property::Participants(Participants::PureStalemate), "the position is a pure stalemate"),
        (Property::Participants(Participants::ModelStalemate), "the position is a model stalemate"),
        (
            Property::Participants(Participants::IdealStalemate),
            "the position is an ideal stalemate",
        ),
        (Property::Parent, "there is a position before this one"),
        (Property::LastFrom, "the last move started on a square"),
        (Property::LastTo, "the last move ended on a square"),
        (Property::EnPassantSquare, "the last move was an en passant capture"),
    ];
    kinds.iter().find(|(known, _)| *known == which).map(|(_, text)| *text)
}
