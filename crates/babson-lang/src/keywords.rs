//! The keywords of the language with their classes. A new filter of a known form is one line here.

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

macro_rules! keywords {
    (
        special { $($special:ident $special_name:literal $special_origin:ident;)* }
        $($variant:ident $name:literal $class:ident $origin:ident;)*
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
        Position "position" Both;
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

    // Filters without arguments.
    Black "black" Nullary Both;
    Btm "btm" Nullary Both;
    Castle "castle" Nullary Both;
    Check "check" Nullary Both;
    ConnectedPawns "connectedpawns" Nullary Both;
    Clk "clk" Nullary Babson;
    CqlAbort "cql_abort" Nullary Both;
    CqlHhdbHasCook "cql_hhdbhascook" Nullary Both;
    CurrentFen "currentfen" Nullary Cqli;
    CurrentMutation "currentmutation" Nullary Cqli;
    CurrentPosition "currentposition" Nullary Both;
    CurrentTransform "currenttransform" Nullary Both;
    Depth "depth" Nullary Both;
    DoubledPawns "doubledpawns" Nullary Both;
    EnPassant "enpassant" Nullary Both;
    EnPassantSquare "enpassantsquare" Nullary Both;
    Eval "eval" Nullary Babson;
    Extension "extension" Nullary Cql6;
    False "false" Nullary Both;
    From "from" Nullary Both;
    GameNumber "gamenumber" Nullary Both;
    HalfMoveClock "halfmoveclock" Nullary Cqli;
    IdealMate "idealmate" Nullary Both;
    IdealStalemate "idealstalemate" Nullary Both;
    Initial "initial" Nullary Both;
    InitialPosition "initialposition" Nullary Both;
    IsolatedPawns "isolatedpawns" Nullary Both;
    LastGameNumber "lastgamenumber" Nullary Both;
    LegalPosition "legalposition" Nullary Cqli;
    MainLine "mainline" Nullary Both;
    Mate "mate" Nullary Both;
    ModelMate "modelmate" Nullary Both;
    ModelStalemate "modelstalemate" Nullary Both;
    MoveNumber "movenumber" Nullary Both;
    NullMove "nullmove" Nullary Both;
    CastleLong "o-o-o" Nullary Both;
    CastleShort "o-o" Nullary Both;
    Parent "parent" Nullary Both;
    PassedPawns "passedpawns" Nullary Both;
    PathCount "pathcount" Nullary Both;
    PathCountUnfocused "pathcountunfocused" Nullary Both;
    PathLastPosition "pathlastposition" Nullary Both;
    PathStart "pathstart" Nullary Both;
    Ply "ply" Nullary Both;
    PositionId "positionid" Nullary Both;
    Primary "primary" Nullary Both;
    PromotedPieces "promotedpieces" Nullary Cqli;
    PureMate "puremate" Nullary Both;
    PureStalemate "purestalemate" Nullary Both;
    ReachablePosition "reachableposition" Nullary Cqli;
    RemoveComment "removecomment" Nullary Both;
    San "san" Nullary Babson;
    SavePosition "saveposition" Nullary Cqli;
    Secondary "secondary" Nullary Both;
    SideToMove "sidetomove" Nullary Both;
    Stalemate "stalemate" Nullary Both;
    StandardFen "standardfen" Nullary Cqli;
    Terminal "terminal" Nullary Both;
    To "to" Nullary Both;
    True "true" Nullary Both;
    Try "try" Nullary Cql6;
    VariantDraw "variantdraw" Nullary Cqli;
    VariantEnd "variantend" Nullary Cqli;
    VariantLoss "variantloss" Nullary Cqli;
    VariantWin "variantwin" Nullary Cqli;
    Variation "variation" Nullary Both;
    VirtualMainLine "virtualmainline" Nullary Both;
    White "white" Nullary Both;
    Wtm "wtm" Nullary Both;
    Year "year" Nullary Both;
    ZobristKey "zobristkey" Nullary Cqli;

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

    Abs "abs" Width5 Both;
    Ascii "ascii" Width5 Both;
    Int "int" Width5 Both;
    ReadFile "readfile" Width5 Both;
    Sqrt "sqrt" Width5 Both;

    ColorType "colortype" Width7 Both;
    File "file" Width7 Both;
    Lowercase "lowercase" Width7 Both;
    PieceId "pieceid" Width7 Both;
    PieceName "piecename" Width7 Both;
    Power "power" Width7 Both;
    Rank "rank" Width7 Both;
    // `#F`.
    Size "#" Width7 Both;
    Type "type" Width7 Both;
    TypeName "typename" Width7 Both;
    Uppercase "uppercase" Width7 Both;

    Dark "dark" Tight Both;
    Light "light" Tight Both;

    Ancestor "ancestor" List Both;
    Between "between" List Both;
    Child "child" List Both;
    CommandPipe "commandpipe" List Cqli;
    Descendant "descendant" List Both;
    Distance "distance" List Both;
    Equal "equal" List Both;
    Field "field" List Babson;
    IndexOf "indexof" List Both;
    Lca "lca" List Both;
    MakeSquare "makesquare" List Both;
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
