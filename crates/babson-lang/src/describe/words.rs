//! The filters of the table in words: conditions as sentences, quantities as nouns.

use crate::hir::{
    Award, AwardKind, BuiltInTag, CastlingKind, Color, Condition, GameResult, HhdbCondition,
    HhdbValue, Participants, PathStatus, Quantity, VariantEnding,
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

/// A quantity as a noun.
pub(super) fn quantity(which: Quantity) -> String {
    match which {
        Quantity::Ply => "the number of plies since the first position".into(),
        Quantity::MoveNumber => "the move number".into(),
        Quantity::Depth => "the number of moves to here that are not main continuations".into(),
        Quantity::PositionId => "the id of the position".into(),
        Quantity::GameNumber => "the number of the game".into(),
        Quantity::LastGameNumber => "the number of the last game".into(),
        Quantity::Year => "the year of the game".into(),
        Quantity::HalfMoveClock => "the number of plies since the last capture or pawn move".into(),
        Quantity::Clock => "the seconds that the player who moved last has left".into(),
        Quantity::Evaluation => "the evaluation in the comment, in centipawns for White".into(),
        Quantity::EnPassantSquare => {
            "the square of the pawn that the last move captured en passant".into()
        }
        Quantity::PromotedPieces => "the squares of promoted pieces".into(),
        Quantity::PassedPawns => "the passed pawns".into(),
        Quantity::ConnectedPawns => "the connected pawns".into(),
        Quantity::IsolatedPawns => "the isolated pawns".into(),
        Quantity::DoubledPawns => "the doubled pawns".into(),
        Quantity::Variant => "the variant of the game".into(),
        Quantity::StandardFen => "the FEN of the position".into(),
        Quantity::CurrentFen => "the FEN of the position with all that the variant needs".into(),
        Quantity::Fen => {
            "the FEN of the position, with the castling rights that the moves leave and the \
             counters `0 1`"
                .into()
        }
        Quantity::ZobristKey => "the Zobrist key of the position".into(),
        Quantity::San => "the text of the move that led here".into(),
        Quantity::OriginalComment => "the comment of the input at this position".into(),
        Quantity::MaterialKey => "the material of both sides as a text".into(),
        Quantity::CurrentMutation => "the text of the changes of the board".into(),
        Quantity::SavePosition => "the position, which is stored".into(),
        Quantity::CurrentPosition => "the current position".into(),
        Quantity::Parent => "the position before the current one".into(),
        Quantity::InitialPosition => "the first position of the game".into(),
        Quantity::SideSign => "the side to move (1 for White, -1 for Black)".into(),
        Quantity::SideValue(Color::White) => "1 (White)".into(),
        Quantity::SideValue(Color::Black) => "-1 (Black)".into(),
        Quantity::Elo(side) => side_of(side, "rating"),
        Quantity::SubmissionGame => {
            "the least number of a game of the file with a similar position".into()
        }
        Quantity::Award(which) => {
            let what = if which.sort { "place in the order of awards" } else { "rank" };
            let shared = if which.max { ", the greater one if it is shared" } else { "" };
            format!("the {what} of {}{shared}", award(which))
        }
        Quantity::LastFrom => "the square from which the last move started".into(),
        Quantity::LastTo => "the square on which the last move ended".into(),
        Quantity::Participants(which) => match which {
            Participants::PureMate => "the pieces that take part in a pure mate".into(),
            Participants::ModelMate => "the pieces that take part in a model mate".into(),
            Participants::IdealMate => "the pieces that take part in an ideal mate".into(),
            Participants::PureStalemate => "the pieces that take part in a pure stalemate".into(),
            Participants::ModelStalemate => "the pieces that take part in a model stalemate".into(),
            Participants::IdealStalemate => {
                "the pieces that take part in an ideal stalemate".into()
            }
        },
        Quantity::Tag(tag) => match tag {
            BuiltInTag::Player(None) => "the name of White or of Black".into(),
            BuiltInTag::Player(Some(side)) => format!("the name of {}", color(side)),
            BuiltInTag::Event => "the event of the game".into(),
            BuiltInTag::Site => "the site of the game".into(),
            BuiltInTag::Date => "the date of the game".into(),
            BuiltInTag::EventDate => "the date of the event".into(),
            BuiltInTag::Eco => "the ECO code of the game".into(),
        },
        Quantity::LegalText => "the text that says whether the position is legal".into(),
        Quantity::ReachableText => "the text that says whether the position is reachable".into(),
        Quantity::Hhdb(key) => match key {
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
        Quantity::Path(status) => match status {
            PathStatus::Count => "the number of moves of the path so far".into(),
            PathStatus::CountUnfocused => "the number of moves that the path skipped".into(),
            PathStatus::Start => "the start of the path".into(),
            PathStatus::LastPosition => "the end of the path".into(),
        },
    }
}

/// The sentence that a quantity has a value other than the empty set, if there is a short one.
pub(super) fn has_quantity(which: Quantity) -> Option<&'static str> {
    let kinds = [
        (Quantity::PassedPawns, "there is a passed pawn"),
        (Quantity::ConnectedPawns, "there is a connected pawn"),
        (Quantity::IsolatedPawns, "there is an isolated pawn"),
        (Quantity::DoubledPawns, "there is a doubled pawn"),
        (Quantity::PromotedPieces, "there is a promoted piece"),
        (Quantity::Participants(Participants::PureMate), "the position is a pure mate"),
        (Quantity::Participants(Participants::ModelMate), "the position is a model mate"),
        (Quantity::Participants(Participants::IdealMate), "the position is an ideal mate"),
        (Quantity::Participants(Participants::PureStalemate), "the position is a pure stalemate"),
        (Quantity::Participants(Participants::ModelStalemate), "the position is a model stalemate"),
        (
            Quantity::Participants(Participants::IdealStalemate),
            "the position is an ideal stalemate",
        ),
        (Quantity::Parent, "there is a position before this one"),
        (Quantity::LastFrom, "the last move started on a square"),
        (Quantity::LastTo, "the last move ended on a square"),
        (Quantity::EnPassantSquare, "the last move was an en passant capture"),
    ];
    kinds.iter().find(|(known, _)| *known == which).map(|(_, text)| *text)
}
