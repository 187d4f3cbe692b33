//! The keywords of the language, one row for each: its spelling, its class, the engines that
//! reserve it, and the plain filter that it names, if it names one. The row of the filter itself is
//! its [`Signature`](crate::hir::Signature).

use crate::hir::{
    BinaryFilter, CastlingKind, Condition, HhdbCondition, Participants, PathStatus, PlainFilter,
    Quantity, Side, UnaryFilter, VariantEnding,
};

/// The syntactic class of a keyword. The token pass maps each class to one terminal of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordClass {
    /// A filter without an argument: `check`.
    Nullary,
    /// A direction: `up 1 K`, or a parameter of `ray`.
    Direction,
    /// A transform: `flip count K`.
    Transform,
    /// A prefix filter with an operand of level 1: `assert F`
    /// (docs/src/language/reading.md#prefix-filters).
    Width1,
    /// A prefix filter with an operand of level 5: `abs N`.
    Width5,
    /// A prefix filter with an operand of level 7: `power S`.
    Width7,
    /// A prefix filter with an operand of level 13: `light S`.
    Tight,
    /// A filter that takes a list in parentheses: `between(S T)`.
    List,
    /// A string filter that a search string can follow: `event "X"`.
    Search,
    /// `player` and `elo`: a color and, for `player`, a search string can follow.
    Colored,
    /// A keyword that a string follows: `tag "X"`.
    Text,
    /// A keyword with a production of its own.
    Special(SpecialKeyword),
    /// A parameter, such as `legal` after `move`, that is not a filter anywhere else.
    Parameter,
    /// Reserved, but not a filter.
    Reserved,
}

/// The value of [`Keyword::filter`] for a row.
macro_rules! plain_filter {
    () => {
        None
    };
    ($filter:expr) => {
        Some($filter.into())
    };
}

macro_rules! keywords {
    (
        special {
            $($special:ident $special_name:literal $special_origin:ident $(= $special_filter:expr)?;)*
        }
        $($variant:ident $name:literal $class:ident $origin:ident $(= $filter:expr)?;)*
    ) => {
        /// A word of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs)] // each variant is its own spelling
        pub enum Keyword { $($variant,)* $($special,)* }

        /// A keyword with a production of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs)] // each variant is its own spelling
        pub enum SpecialKeyword { $($special,)* }

        impl Keyword {
            /// All keywords.
            pub const ALL: &[Keyword] = &[$(Keyword::$variant,)* $(Keyword::$special,)*];

            /// The main spelling.
            pub fn name(self) -> &'static str {
                match self {
                    $(Keyword::$variant => $name,)*
                    $(Keyword::$special => $special_name,)*
                }
            }

            /// The syntactic class.
            pub fn class(self) -> KeywordClass {
                match self {
                    $(Keyword::$variant => KeywordClass::$class,)*
                    $(Keyword::$special => KeywordClass::Special(SpecialKeyword::$special),)*
                }
            }

            /// Which engines reserve the keyword.
            pub fn origin(self) -> KeywordOrigin {
                match self {
                    $(Keyword::$variant => KeywordOrigin::$origin,)*
                    $(Keyword::$special => KeywordOrigin::$special_origin,)*
                }
            }

            /// The plain filter that the keyword names, if it names one.
            pub(crate) fn filter(self) -> Option<PlainFilter> {
                match self {
                    $(Keyword::$variant => plain_filter!($($filter)?),)*
                    $(Keyword::$special => plain_filter!($($special_filter)?),)*
                }
            }

            /// The keyword with this spelling, including aliases.
            pub(crate) fn from_word(word: &str) -> Option<Keyword> {
                match word {
                    $($name => Some(Keyword::$variant),)*
                    $($special_name => Some(Keyword::$special),)*
                    _ => ALIASES
                        .iter()
                        .find(|(alias, _)| *alias == word)
                        .map(|&(_, keyword)| keyword),
                }
            }
        }
    };
}

impl Keyword {
    /// The entry of this keyword in a table.
    pub(crate) fn find_in<T: Copy>(self, table: &[(Keyword, T)]) -> Option<T> {
        table.iter().find(|(keyword, _)| *keyword == self).map(|&(_, entry)| entry)
    }
}

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

/// The parameters of the header, `cql(…)`.
pub(crate) const HEADER: &[Keyword] = &[
    Keyword::GameNumber,
    Keyword::Input,
    Keyword::MatchCount,
    Keyword::MatchString,
    Keyword::Output,
    Keyword::Quiet,
    Keyword::Result,
    Keyword::Silent,
    Keyword::Sort,
    Keyword::Variations,
];

/// Which engines reserve a keyword (docs/src/language/reading.md#keywords-and-names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordOrigin {
    /// Reserved in both dialects.
    Both,
    /// Reserved by CQL 6.2 only: in the dialect `cqli`, a query that assigns it uses it as a name.
    Cql6,
    /// Known to CQLi only: in both dialects, a query that assigns it uses it as a name.
    Cqli,
    /// Known to Babson only: a query that assigns it uses it as a name, and the dialect `cql6` does
    /// not have it.
    Babson,
}

keywords! {
    special {
        All "all" Both;
        And "and" Both;
        Atomic "atomic" Both;
        AttackedBy "attackedby" Both;
        Attacks "attacks" Both;
        Comment "comment" Both;
        ConsecutiveMoves "consecutivemoves" Both;
        Count "count" Both;
        CountMoves "countmoves" Both;
        Cql "cql" Both;
        CqlBegin "cqlbegin" Cqli;
        CqlEnd "cqlend" Cqli;
        Dictionary "dictionary" Both;
        Echo "echo" Both;
        Else "else" Both;
        Find "find" Both;
        Function "function" Both;
        Hhdb "hhdb" Both;
        If "if" Both;
        Imagine "imagine" Cqli;
        In "in" Both;
        IsBound "isbound" Both;
        IsUnbound "isunbound" Both;
        Key "key" Cqli;
        Legal "legal" Both;
        Line "line" Both;
        Local "local" Cql6;
        Message "message" Both;
        Move "move" Both;
        Not "not" Both;
        Or "or" Both;
        Path "path" Both;
        Persistent "persistent" Both;
        Piece "piece" Both;
        Pin "pin" Both;
        Position "position" Both = UnaryFilter::PositionAt;
        Previous "previous" Both;
        PseudoLegal "pseudolegal" Both;
        Quiet "quiet" Both;
        Ray "ray" Both;
        Result "result" Both;
        SimilarPosition "similarposition" Both;
        Sort "sort" Both;
        Square "square" Both;
        Str "str" Both;
        // A loop over string keys, `string x in D F`.
        String "string" Cql6;
        Then "then" Both;
        Unbind "unbind" Both;
        While "while" Both;
        Xray "xray" Both;
    }

    // Filters without arguments. `extension` never matches (docs/src/language/index.md#text).
    Black "black" Nullary Both = Quantity::SideValue(Side::Black);
    Btm "btm" Nullary Both = Condition::SideToMove(Side::Black);
    Castle "castle" Nullary Both = Condition::Castling(CastlingKind::Either);
    Check "check" Nullary Both = Condition::Check;
    ConnectedPawns "connectedpawns" Nullary Both = Quantity::ConnectedPawns;
    Clk "clk" Nullary Babson = Quantity::Clock;
    CqlAbort "cql_abort" Nullary Both = Condition::Abort;
    CqlHhdbHasCook "cql_hhdbhascook" Nullary Both = Condition::Hhdb(HhdbCondition::Cooked);
    CurrentFen "currentfen" Nullary Cqli = Quantity::CurrentFen;
    CurrentMutation "currentmutation" Nullary Cqli = Quantity::CurrentMutation;
    CurrentPosition "currentposition" Nullary Both = Quantity::CurrentPosition;
    CurrentTransform "currenttransform" Nullary Both;
    Depth "depth" Nullary Both = Quantity::Depth;
    DoubledPawns "doubledpawns" Nullary Both = Quantity::DoubledPawns;
    EnPassant "enpassant" Nullary Both = Condition::EnPassant;
    EnPassantSquare "enpassantsquare" Nullary Both = Quantity::EnPassantSquare;
    Eval "eval" Nullary Babson = Quantity::Evaluation;
    Extension "extension" Nullary Cql6 = false;
    False "false" Nullary Both = false;
    From "from" Nullary Both = Quantity::LastFrom;
    GameNumber "gamenumber" Nullary Both = Quantity::GameNumber;
    HalfMoveClock "halfmoveclock" Nullary Cqli = Quantity::HalfMoveClock;
    IdealMate "idealmate" Nullary Both = Quantity::Participants(Participants::IdealMate);
    IdealStalemate "idealstalemate" Nullary Both = Quantity::Participants(Participants::IdealStalemate);
    Initial "initial" Nullary Both = Condition::Initial;
    InitialPosition "initialposition" Nullary Both = Quantity::InitialPosition;
    IsolatedPawns "isolatedpawns" Nullary Both = Quantity::IsolatedPawns;
    LastGameNumber "lastgamenumber" Nullary Both = Quantity::LastGameNumber;
    LegalPosition "legalposition" Nullary Cqli = Condition::LegalPosition;
    MainLine "mainline" Nullary Both = Condition::Mainline;
    Mate "mate" Nullary Both = Condition::Mate;
    ModelMate "modelmate" Nullary Both = Quantity::Participants(Participants::ModelMate);
    ModelStalemate "modelstalemate" Nullary Both = Quantity::Participants(Participants::ModelStalemate);
    MoveNumber "movenumber" Nullary Both = Quantity::MoveNumber;
    NullMove "nullmove" Nullary Both = Condition::NullMove;
    CastleLong "o-o-o" Nullary Both = Condition::Castling(CastlingKind::QueenSide);
    CastleShort "o-o" Nullary Both = Condition::Castling(CastlingKind::KingSide);
    Parent "parent" Nullary Both = Quantity::Parent;
    PassedPawns "passedpawns" Nullary Both = Quantity::PassedPawns;
    PathCount "pathcount" Nullary Both = Quantity::Path(PathStatus::Count);
    PathCountUnfocused "pathcountunfocused" Nullary Both = Quantity::Path(PathStatus::CountUnfocused);
    PathLastPosition "pathlastposition" Nullary Both = Quantity::Path(PathStatus::LastPosition);
    PathStart "pathstart" Nullary Both = Quantity::Path(PathStatus::Start);
    Ply "ply" Nullary Both = Quantity::Ply;
    PositionId "positionid" Nullary Both = Quantity::PositionId;
    Primary "primary" Nullary Both = Condition::Primary;
    PromotedPieces "promotedpieces" Nullary Cqli = Quantity::PromotedPieces;
    PureMate "puremate" Nullary Both = Quantity::Participants(Participants::PureMate);
    PureStalemate "purestalemate" Nullary Both = Quantity::Participants(Participants::PureStalemate);
    ReachablePosition "reachableposition" Nullary Cqli = Condition::ReachablePosition;
    RemoveComment "removecomment" Nullary Both = Condition::RemoveComment;
    San "san" Nullary Babson = Quantity::San;
    SavePosition "saveposition" Nullary Cqli = Quantity::SavePosition;
    Secondary "secondary" Nullary Both = Condition::Secondary;
    SideToMove "sidetomove" Nullary Both = Quantity::SideSign;
    Stalemate "stalemate" Nullary Both = Condition::Stalemate;
    StandardFen "standardfen" Nullary Cqli = Quantity::StandardFen;
    Terminal "terminal" Nullary Both = Condition::Terminal;
    To "to" Nullary Both = Quantity::LastTo;
    True "true" Nullary Both = true;
    Try "try" Nullary Cql6 = Condition::Try;
    VariantDraw "variantdraw" Nullary Cqli = Condition::VariantEnd(VariantEnding::Draw);
    VariantEnd "variantend" Nullary Cqli = Condition::VariantEnd(VariantEnding::Any);
    VariantLoss "variantloss" Nullary Cqli = Condition::VariantEnd(VariantEnding::Loss);
    VariantWin "variantwin" Nullary Cqli = Condition::VariantEnd(VariantEnding::Win);
    Variation "variation" Nullary Both = Condition::Variation;
    VirtualMainLine "virtualmainline" Nullary Both = Condition::VirtualMainline;
    White "white" Nullary Both = Quantity::SideValue(Side::White);
    Wtm "wtm" Nullary Both = Condition::SideToMove(Side::White);
    Year "year" Nullary Both = Quantity::Year;
    ZobristKey "zobristkey" Nullary Cqli = Quantity::ZobristKey;

    AnyDirection "anydirection" Direction Both;
    Diagonal "diagonal" Direction Both;
    Down "down" Direction Both;
    Horizontal "horizontal" Direction Both;
    Left "left" Direction Both;
    MainDiagonal "maindiagonal" Direction Both;
    NorthEast "northeast" Direction Both;
    NorthWest "northwest" Direction Both;
    OffDiagonal "offdiagonal" Direction Both;
    Orthogonal "orthogonal" Direction Both;
    Right "right" Direction Both;
    SouthEast "southeast" Direction Both;
    SouthWest "southwest" Direction Both;
    Up "up" Direction Both;
    Vertical "vertical" Direction Both;

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

    Assert "assert" Width1 Both;
    Loop "loop" Width1 Both;

    Abs "abs" Width5 Both = UnaryFilter::Abs;
    Ascii "ascii" Width5 Both;
    Int "int" Width5 Both = UnaryFilter::Int;
    ReadFile "readfile" Width5 Both = UnaryFilter::ReadFile;
    Sqrt "sqrt" Width5 Both = UnaryFilter::Sqrt;

    ColorType "colortype" Width7 Both = UnaryFilter::ColorType;
    File "file" Width7 Both = UnaryFilter::File;
    Lowercase "lowercase" Width7 Both = UnaryFilter::Lowercase;
    PieceId "pieceid" Width7 Both = UnaryFilter::PieceId;
    PieceName "piecename" Width7 Both = UnaryFilter::PieceName;
    Power "power" Width7 Both = UnaryFilter::Power;
    Rank "rank" Width7 Both = UnaryFilter::Rank;
    // `#F`.
    Size "#" Width7 Both;
    Type "type" Width7 Both = UnaryFilter::Type;
    TypeName "typename" Width7 Both = UnaryFilter::TypeName;
    Uppercase "uppercase" Width7 Both = UnaryFilter::Uppercase;

    Dark "dark" Tight Both = UnaryFilter::Dark;
    Light "light" Tight Both = UnaryFilter::Light;

    Ancestor "ancestor" List Both = BinaryFilter::AncestorOf;
    Between "between" List Both = BinaryFilter::Between;
    Child "child" List Both = UnaryFilter::Child;
    CommandPipe "commandpipe" List Cqli;
    Descendant "descendant" List Both = BinaryFilter::DescendantOf;
    Distance "distance" List Both = BinaryFilter::Distance;
    Equal "equal" List Both;
    Field "field" List Babson;
    IndexOf "indexof" List Both = BinaryFilter::IndexOf;
    Lca "lca" List Both = BinaryFilter::Lca;
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
    Fen "fen" Search Both;
    OriginalComment "originalcomment" Search Both;
    Site "site" Search Both;
    Variant "variant" Search Cqli;

    Elo "elo" Colored Both;
    Player "player" Colored Both;

    CqlAssertVariations "cql_assertvariations" Text Both;
    Import "import" Text Babson;
    Tag "tag" Text Both;

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
