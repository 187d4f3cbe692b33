//! The table of the language: one row for each filter and each keyword.
//!
//! The row of a plain filter has all that other modules need to know of it by itself: how it is
//! written, which engines have it, its node of the HIR, its types, its effects and its cost. What
//! it means is a row of a page of the book, which [`crate::reference`] finds by the keyword.

use babson_chess::Color;

use super::PlainFilter;
use super::define::{color_part, filters, plain_filter};
use super::keyword_class::OperandLevel::{Five, One, Seven, Tight};
use super::keyword_class::{KeywordClass, KeywordOrigin, KeywordStart};
use super::payload::{
    Award, BuiltInTag, CastlingKind, HhdbCondition, HhdbValue, Participants, PathStatus,
    VariantEnding,
};
use super::signature::{Signature, condition, filter, function, function_of_two, of_tags};
use crate::dialect::DialectSwitch;
use crate::directions::Directions;
use crate::effects::Constancy;
use crate::literals::GameResult;
use crate::types::Type::{Bool, Number, Piece, Position, Set, String};

/// Aliases of keywords.
pub(crate) const ALIASES: &[(&str, Keyword)] = &[
    ("attack", Keyword::Attacks),
    ("captures", Keyword::Capture),
    ("curpos", Keyword::CurrentPosition),
    ("currentmove", Keyword::Previous),
    ("dihedral", Keyword::Flip),
    ("flipdihedral", Keyword::Flip),
    ("hascomment", Keyword::OriginalComment),
];

filters! {
    /// A filter without operands and without a value: it matches or not.
    enum Condition {
        Check "check" Nullary Both: condition(1);
        Initial "initial" Nullary Both: condition(1);
        Mate "mate" Nullary Both: condition(2);
        Stalemate "stalemate" Nullary Both: condition(8).looks_ahead(1);
        LegalPosition "legalposition" Nullary Cqli: condition(60).lasts(Constancy::Position);
        ReachablePosition "reachableposition" Nullary Cqli:
            condition(700).lasts(Constancy::Position);
        Terminal "terminal" Nullary Both: condition(1).looks_ahead(1);
        Mainline "mainline" Nullary Both: condition(1);
        Variation "variation" Nullary Both: condition(1);
        VirtualMainline "virtualmainline" Nullary Both: condition(100);
        Try "try" Nullary Cql6: condition(100);
        Primary "primary" Nullary Both: condition(4);
        Secondary "secondary" Nullary Both: condition(4);
        NullMove "nullmove" Nullary Both: condition(4);
        EnPassant "enpassant" Nullary Both: condition(4);
        RemoveComment "removecomment" Nullary Both: condition(4).changes_state();
    } others {
        SideToMove(side: Color) "wtm" "btm": condition(1);
        VariantEnd(ending: VariantEnding) "variantend": condition(4);
        /// Of the previous move.
        Castling(kind: CastlingKind) "castle": condition(4);
        IsVariant(variant: babson_chess::Variant) "variant": condition(4).lasts(Constancy::Tags);
        Result(result: GameResult) "result": condition(4).lasts(Constancy::Game);
        Hhdb(key: HhdbCondition) "hhdb": key.signature();
        /// Whether the game has such an award; its value is [`Property::Award`].
        HasAward(award: Award) "hhdb": of_tags(Bool);
        Abort "cql_abort": condition(4).changes_state().may_fail().anywhere();
        /// A value that the query does not use, which CQL 6.2 takes for a mistake: ends the run.
        BareValue "filter": condition(4).changes_state().may_fail().anywhere();
    }

    /// A filter without operands that has a value where it matches.
    enum Property {
        Ply "ply" Nullary Both: filter(Number, 1);
        MoveNumber "movenumber" Nullary Both:
            filter(Number, 4).differs(DialectSwitch::MoveNumber);
        Depth "depth" Nullary Both: filter(Number, 1);
        PositionId "positionid" Nullary Both: filter(Number, 4).always();
        GameNumber "gamenumber" Nullary Both: filter(Number, 4).lasts(Constancy::Tags);
        LastGameNumber "lastgamenumber" Nullary Both:
            filter(Number, 4).lasts(Constancy::Tags).may_fail().anywhere().always();
        Year "year" Nullary Both: of_tags(Number);
        HalfMoveClock "halfmoveclock" Nullary Cqli: filter(Number, 4);
        /// Seconds on the clock of the player who moved, from the comment.
        Clock "clk" Nullary Babson:
            filter(Number, 200).lasts(Constancy::Position).with_comments();
        /// Centipawns from the view of White, from the comment.
        Evaluation "eval" Nullary Babson:
            filter(Number, 200).lasts(Constancy::Position).with_comments();
        EnPassantSquare "enpassantsquare" Nullary Both: filter(Set, 4);
        /// Where pieces stand that were pawns.
        PromotedPieces "promotedpieces" Nullary Cqli: filter(Set, 4);
        PassedPawns "passedpawns" Nullary Both: filter(Set, 4);
        ConnectedPawns "connectedpawns" Nullary Both: filter(Set, 4);
        IsolatedPawns "isolatedpawns" Nullary Both: filter(Set, 4);
        DoubledPawns "doubledpawns" Nullary Both: filter(Set, 4);
        Variant "variant" Search Cqli: of_tags(String);
        StandardFen "standardfen" Nullary Cqli: filter(String, 200).lasts(Constancy::Position);
        /// With all that the variant needs.
        CurrentFen "currentfen" Nullary Cqli: filter(String, 200).lasts(Constancy::Position);
        Fen "fen" Search Both: filter(String, 200).lasts(Constancy::Position).always();
        ZobristKey "zobristkey" Nullary Cqli:
            filter(String, 200).lasts(Constancy::Position);
        /// The move that led to the position.
        San "san" Nullary Babson: filter(String, 200).lasts(Constancy::Position);
        OriginalComment "originalcomment" Search Both:
            filter(String, 200).lasts(Constancy::Position).with_comments();
        /// The pieces of White and of Black, as names of endgame tables have them: `KRPvKR`.
        MaterialKey "materialkey" Nullary Babson: filter(String, 200).lasts(Constancy::Position);
        CurrentMutation "currentmutation" Nullary Cqli: filter(String, 200);
        SavePosition "saveposition" Nullary Cqli: filter(Position, 4).changes_state().may_fail();
        CurrentPosition "currentposition" Nullary Both: filter(Position, 4);
        Parent "parent" Nullary Both: filter(Position, 4);
        InitialPosition "initialposition" Nullary Both: filter(Position, 4);
    } others {
        /// 1 or -1.
        SideSign "sidetomove": filter(Number, 4).always();
        /// 1 or -1; `flipcolor` swaps them.
        SideValue(side: Color) "white":
            filter(Number, 4).lasts(Constancy::Query).anywhere().always();
        Elo(side: Option<Color>) "elo": of_tags(Number).differs(DialectSwitch::RawTags);
        /// The least game number of the file of `similarposition` that gave the latest match.
        SubmissionGame "similarposition": filter(Number, 4);
        /// `hhdb prize` and its like: matches also where it has no value, see
        /// [`Condition::HasAward`].
        Award(award: Award) "hhdb": of_tags(Number);
        /// The origin of the previous move; for castling the origins of king and rook.
        LastFrom "from": filter(Set, 4);
        /// The target of the previous move; for castling the targets of king and rook.
        LastTo "to": filter(Set, 4);
        Participants(which: Participants) "idealmate": filter(Set, 50).looks_ahead(1);
        Tag(tag: BuiltInTag) "player": tag.signature();
        /// `legalposition` as an argument of `str`, `comment`, `message`.
        LegalText "legalposition": filter(String, 200).lasts(Constancy::Position);
        /// `reachableposition` as an argument of `str`, `comment`, `message`.
        ReachableText "reachableposition": filter(String, 3_000).lasts(Constancy::Position);
        Hhdb(key: HhdbValue) "hhdb": key.signature();
        Path(status: PathStatus) "pathcount": status.signature();
    }

    /// A filter with one operand.
    enum UnaryFilter {
        Light "light" Prefix(Tight) Both: function(Set, Set);
        Dark "dark" Prefix(Tight) Both: function(Set, Set);
        Rank "rank" Prefix(Seven) Both: function(Set, Number);
        File "file" Prefix(Seven) Both: function(Set, Number);
        Power "power" Prefix(Seven) Both: filter(Number, 2).of(Set);
        ColorType "colortype" Prefix(Seven) Both: filter(Number, 2).of(Set);
        Type "type" Prefix(Seven) Both: filter(Number, 2).of(Set).always();
        PieceId "pieceid" Prefix(Seven) Both:
            filter(Number, 2).of(Set).differs(DialectSwitch::PieceIds);
        TypeName "typename" Prefix(Seven) Both: filter(String, 2).of(Set).always();
        PieceName "piecename" Prefix(Seven) Both: filter(String, 2).of(Set).always();
        Abs "abs" Prefix(Five) Both: function(Number, Number).always();
        Sqrt "sqrt" Prefix(Five) Both: function(Number, Number).always();
        Int "int" Prefix(Five) Both: function(String, Number);
        Lowercase "lowercase" Prefix(Seven) Both:
            function(String, String).differs(DialectSwitch::UnicodeStrings);
        Uppercase "uppercase" Prefix(Seven) Both:
            function(String, String).differs(DialectSwitch::UnicodeStrings);
        ReadFile "readfile" Prefix(Five) Both:
            filter(String, 2).of(String).may_fail().anywhere().always().opens("readfile");
        Child "child" List Both: filter(Position, 2).of(Number).looks_ahead(1);
        Tag "tag" Text Both:
            filter(String, 2).of(String).lasts(Constancy::Tags).differs(DialectSwitch::RawTags);
    } others {
        Complement "~": function(Set, Set);
        Count "#": function(Set, Number);
        Negate "-": function(Number, Number);
        Length "#": function(String, Number).always().differs(DialectSwitch::UnicodeStrings);
        AsciiCode "ascii": function(String, Number);
        AsciiChar "ascii": function(Number, String);
        MakeSquareText "makesquare": function(String, Set);
        PositionAt "position": filter(Position, 2).of(Number).looks_anywhere();
        /// The square of a piece, or none.
        PieceSquare "square of": filter(Set, 2).of(Piece);
    }

    /// A filter with two operands.
    enum BinaryFilter {
        Between "between" List Both: function_of_two(Set, Set);
        Lca "lca" List Both: filter(Position, 20).of(Position).always();
        Distance "distance" List Both: filter(Number, 20).of(Position).always();
        IndexOf "indexof" List Both:
            function_of_two(String, Number).differs(DialectSwitch::UnicodeStrings);
    } others {
        Intersection "&": function_of_two(Set, Set);
        Union "|": function_of_two(Set, Set);
        /// The squares of the left that attack a square of the right.
        Attacks "attacks": filter(Set, 20).of(Set);
        /// The squares of the left attacked by a square of the right.
        AttackedBy "attackedby": filter(Set, 20).of(Set);
        Subset "in": function_of_two(Set, Bool);
        SameContent "samecontent": filter(Set, 20).of(Position).always();
        AncestorOf "ancestor of": filter(Bool, 20).of(Position);
        DescendantOf "descendant of": filter(Bool, 20).of(Position);
        Concat "+": function_of_two(String, String).always();
        Substring "in": function_of_two(String, Bool);
        MakeSquare "makesquare": function_of_two(Number, Set);
    }

    keywords {
        // Filters without operands. `extension` never matches (docs/src/language/index.md#text).
        Black "black" Nullary Both = Property::SideValue(Color::Black);
        Btm "btm" Nullary Both = Condition::SideToMove(Color::Black);
        Castle "castle" Nullary Both = Condition::Castling(CastlingKind::Either);
        CqlAbort "cql_abort" Nullary Both = Condition::Abort;
        CqlHhdbHasCook "cql_hhdbhascook" Nullary Both = Condition::Hhdb(HhdbCondition::Cooked);
        CurrentTransform "currenttransform" Nullary Both;
        Extension "extension" Nullary Cql6 = false;
        False "false" Nullary Both = false;
        From "from" Nullary Both = Property::LastFrom;
        IdealMate "idealmate" Nullary Both = Property::Participants(Participants::IdealMate);
        IdealStalemate "idealstalemate" Nullary Both = Property::Participants(Participants::IdealStalemate);
        ModelMate "modelmate" Nullary Both = Property::Participants(Participants::ModelMate);
        ModelStalemate "modelstalemate" Nullary Both = Property::Participants(Participants::ModelStalemate);
        CastleLong "o-o-o" Nullary Both = Condition::Castling(CastlingKind::QueenSide);
        CastleShort "o-o" Nullary Both = Condition::Castling(CastlingKind::KingSide);
        PathCount "pathcount" Nullary Both = Property::Path(PathStatus::Count);
        PathCountUnfocused "pathcountunfocused" Nullary Both = Property::Path(PathStatus::CountUnfocused);
        PathLastPosition "pathlastposition" Nullary Both = Property::Path(PathStatus::LastPosition);
        PathStart "pathstart" Nullary Both = Property::Path(PathStatus::Start);
        PureMate "puremate" Nullary Both = Property::Participants(Participants::PureMate);
        PureStalemate "purestalemate" Nullary Both = Property::Participants(Participants::PureStalemate);
        SideToMove "sidetomove" Nullary Both = Property::SideSign;
        To "to" Nullary Both = Property::LastTo;
        True "true" Nullary Both = true;
        VariantDraw "variantdraw" Nullary Cqli = Condition::VariantEnd(VariantEnding::Draw);
        VariantEnd "variantend" Nullary Cqli = Condition::VariantEnd(VariantEnding::Any);
        VariantLoss "variantloss" Nullary Cqli = Condition::VariantEnd(VariantEnding::Loss);
        VariantWin "variantwin" Nullary Cqli = Condition::VariantEnd(VariantEnding::Win);
        White "white" Nullary Both = Property::SideValue(Color::White);
        Wtm "wtm" Nullary Both = Condition::SideToMove(Color::White);

        AnyDirection "anydirection" Direction(Directions::ALL) Both;
        Diagonal "diagonal" Direction(Directions::DIAGONAL) Both;
        Down "down" Direction(Directions(1 << 4)) Both;
        Horizontal "horizontal" Direction(Directions::HORIZONTAL) Both;
        Left "left" Direction(Directions(1 << 6)) Both;
        MainDiagonal "maindiagonal" Direction(Directions(1 << 1 | 1 << 5)) Both;
        NorthEast "northeast" Direction(Directions(1 << 1)) Both;
        NorthWest "northwest" Direction(Directions(1 << 7)) Both;
        OffDiagonal "offdiagonal" Direction(Directions(1 << 3 | 1 << 7)) Both;
        Orthogonal "orthogonal" Direction(Directions::ORTHOGONAL) Both;
        Right "right" Direction(Directions(1 << 2)) Both;
        SouthEast "southeast" Direction(Directions(1 << 3)) Both;
        SouthWest "southwest" Direction(Directions(1 << 5)) Both;
        Up "up" Direction(Directions(1)) Both;
        Vertical "vertical" Direction(Directions::VERTICAL) Both;

        Flip "flip" Transform Both;
        FlipColor "flipcolor" Transform Both;
        FlipHorizontal "fliphorizontal" Transform Both;
        FlipVertical "flipvertical" Transform Both;
        NoTransform "notransform" Transform Both;
        ReverseColor "reversecolor" Transform Both;
        Rotate45 "rotate45" Transform Both;
        Rotate90 "rotate90" Transform Both;
        Shift "shift" Transform Both;
        ShiftHorizontal "shifthorizontal" Transform Both;
        ShiftVertical "shiftvertical" Transform Both;

        Assert "assert" Prefix(One) Both;
        Loop "loop" Prefix(One) Both;

        Ascii "ascii" Prefix(Five) Both;

        // `#F`.
        Size "#" Prefix(Seven) Both;

        Ancestor "ancestor" List Both = BinaryFilter::AncestorOf;
        CommandPipe "commandpipe" List Cqli;
        Descendant "descendant" List Both = BinaryFilter::DescendantOf;
        Equal "equal" List Both;
        Field "field" List Babson;
        MakeSquare "makesquare" List Both = UnaryFilter::MakeSquareText;
        Max "max" List Both;
        Min "min" List Both;
        RemoveTag "removetag" List Cqli;
        SetTag "settag" List Both;
        WriteFile "writefile" List Both;

        Date "date" Search Both;
        Eco "eco" Search Both;
        Event "event" Search Both;
        EventDate "eventdate" Search Both;
        Site "site" Search Both;

        Elo "elo" Colored Both;
        Player "player" Colored Both;

        CqlAssertVariations "cql_assertvariations" Text Both;
        Import "import" Text Babson;

        By "by" Parameter Cql6;
        Capture "capture" Parameter Both;
        Drop "drop" Parameter Cqli;
        FirstMatch "firstmatch" Parameter Cql6;
        Focus "focus" Parameter Cql6;
        KeepAllBest "keepallbest" Parameter Cql6;
        LastPosition "lastposition" Parameter Cql6;
        MatchCount "matchcount" Parameter Cql6;
        MatchString "matchstring" Parameter Cql6;
        NestBan "nestban" Parameter Cql6;
        NoSort "nosort" Parameter Cql6;
        Null "null" Parameter Cql6;
        PiecePath "piecepath" Parameter Cql6;
        Promote "promote" Parameter Both;
        Reverse "reverse" Parameter Cqli;
        Silent "silent" Parameter Cql6;
        SingleColor "singlecolor" Parameter Cql6;
        Swap "swap" Parameter Cqli;
        Through "through" Parameter Cql6;
        Title "title" Parameter Cql6;
        Variations "variations" Parameter Cql6;
        Verbose "verbose" Parameter Cql6;

        Any "any" Reserved Cql6;
        Arrow "arrow" Reserved Cql6;
        Attacked "attacked" Reserved Both;
        Input "input" Reserved Cql6;
        OldLine "oldline" Reserved Cql6;
        Output "output" Reserved Cql6;
        PathDebug "pathdebug" Reserved Cql6;
        Pgn "pgn" Reserved Cql6;
        Substring "substring" Reserved Cql6;
        Transform "transform" Reserved Cql6;
    }

    special {
        All "all" Closed Both;
        And "and" Nothing Both;
        Atomic "atomic" Prefix Both;
        AttackedBy "attackedby" Nothing Both;
        Attacks "attacks" Nothing Both;
        Comment "comment" Print Both;
        ConsecutiveMoves "consecutivemoves" Closed Both;
        Count "count" Closed Both;
        CountMoves "countmoves" Prefix Both;
        Cql "cql" Nothing Both;
        CqlBegin "cqlbegin" Closed Cqli;
        CqlEnd "cqlend" Closed Cqli;
        Dictionary "dictionary" Parameters Both;
        Echo "echo" Prefix Both;
        Else "else" Nothing Both;
        Find "find" Prefix Both;
        Function "function" Parameters Both;
        Hhdb "hhdb" Closed Both;
        If "if" Prefix Both;
        Imagine "imagine" Prefix Cqli;
        In "in" Nothing Both;
        IsBound "isbound" Closed Both;
        IsUnbound "isunbound" Closed Both;
        Key "key" Prefix Cqli;
        Legal "legal" Prefix Both;
        Line "line" Prefix Both;
        Local "local" Prefix Cql6;
        Message "message" Print Both;
        Move "move" Parameters Both;
        Not "not" Prefix Both;
        Or "or" Nothing Both;
        Path "path" Parameters Both;
        Persistent "persistent" Prefix Both;
        Piece "piece" Prefix Both;
        Pin "pin" Parameters Both;
        Position "position" Position Both = UnaryFilter::PositionAt;
        Previous "previous" Prefix Both;
        PseudoLegal "pseudolegal" Prefix Both;
        Quiet "quiet" Closed Both;
        Ray "ray" Closed Both;
        Result "result" Closed Both;
        SimilarPosition "similarposition" Closed Both;
        Sort "sort" Prefix Both;
        Square "square" Prefix Both;
        Str "str" Print Both;
        // A loop over string keys, `string x in D F`.
        String "string" Prefix Cql6;
        Then "then" Nothing Both;
        Unbind "unbind" Parameters Both;
        While "while" Prefix Both;
        Xray "xray" Closed Both;
    }
}
