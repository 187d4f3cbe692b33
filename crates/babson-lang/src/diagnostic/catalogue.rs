//! The codes of diagnostics: one row for each kind of mistake.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Severity;
use super::entry::CodeEntry;

/// Makes the enum of the codes from its table.
macro_rules! codes {
    ($($variant:ident $code:literal $title:literal)*) => {
        /// The stable code of a kind of mistake: `E0201`, or `W0301` for a warning.
        ///
        /// A code never changes its meaning, and the code of a mistake that can no longer occur is
        /// not used again. The first two digits are the area: 00 characters, 01 grammar, 02 names,
        /// 03 operands, 04 parameters, 05 `line` and `path`, 06 moves, 07 variables, dictionaries
        /// and functions, 08 transforms, 09 texts and sorts, 10 dialects, 11 CQL 3, 12 limits: of
        /// the size of a query (errors), and of what its filters can match (warnings), 13 what
        /// depends on others: imported files (errors), and what CQL 6.2 reads or refuses otherwise
        /// (warnings), 14 the surroundings of a query. serde writes the code as a string.
        ///
        /// ```
        /// use babson_lang::diagnostic::Code;
        /// use babson_lang::{Dialect, Severity, analyze};
        ///
        /// let errors = analyze("check mat", Dialect::CQLI).unwrap_err();
        /// assert_eq!(errors[0].code, Code::UnknownName);
        /// assert_eq!(errors[0].code.to_string(), "E0201");
        /// assert_eq!(errors[0].code.severity(), Severity::Error);
        /// assert_eq!("e0201".parse(), Ok(Code::UnknownName));
        /// ```
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!($code, ": ", $title, ".")]
                #[serde(rename = $code)]
                $variant,
            )*
        }

        impl Code {
            /// All codes in order.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The code: a letter and four digits.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code,)* }
            }

            /// The kind of mistake in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)* }
            }
        }
    };
}

codes! {
    // 00: characters and words
    UnknownCharacter "E0001" "a character without a meaning"
    UnclosedString "E0002" "a string that does not end"
    UnclosedComment "E0003" "a comment that does not end"
    UnknownEscape "E0004" "an unknown string between backslashes"
    HtmlEntity "E0005" "an HTML entity instead of a character"
    SemicolonComment "E0006" "a comment that begins with `;`"
    MalformedDesignator "E0007" "a malformed piece designator"
    SplitSquares "E0008" "the squares of a designator in two brackets"
    TouchingDesignator "E0009" "a designator that touches the next word"
    EmptyRange "E0010" "a range that contains nothing"
    MalformedRepetition "E0011" "a malformed repetition"
    NumberTooLarge "E0012" "a number that is too large"
    NotUtf8 "E0013" "a query that is not UTF-8"
    ForeignComment "E0014" "a comment in the form of another language"

    // 01: grammar
    UnexpectedToken "E0101" "a word in the wrong place"
    UnclosedBracket "E0102" "a bracket that is never closed"
    UnmatchedBracket "E0103" "a closing bracket without its opening bracket"
    DetachedTarget "E0104" "a target that does not touch its dash"
    MissingDash "E0105" "a word that needs a dash after it"
    MissingOperand "E0106" "a comparison without a left operand"
    CompoundCondition "E0107" "two filters as the condition of `if`"
    DesignatorAsName "E0108" "a piece designator as a name"
    AssignedFilter "E0109" "an assignment to a filter"
    ComparedResult "E0110" "a comparison of `result`"
    EmptyQuery "E0111" "a query without filters"
    MisplacedHeader "E0112" "a header where only filters are allowed"
    MixedArrows "E0113" "arrows in two directions"
    FenAsQuery "E0160" "a FEN in the place of a query"
    JsonAsQuery "E0161" "JSON in the place of a query"
    SqlAsQuery "E0162" "SQL in the place of a query"
    MovesAsQuery "E0163" "moves of a game in the place of a query"

    // 02: names
    UnknownName "E0201" "an unknown name"
    UnknownFunction "E0202" "an unknown function"
    NotAFilter "E0203" "a word that is not a filter"
    UncalledName "E0204" "a function or rule without parentheses"
    AlreadyDefined "E0205" "a function with the name of something else"
    WrongKindOfName "E0206" "a name of another kind"
    DuplicateArgumentName "E0207" "two arguments of a function with one name"
    ReusedLoopVariable "E0208" "a loop variable that is used already"
    UnknownGroup "E0209" "an unknown group of a regular expression"
    InvalidVariableName "E0210" "a variable with an impossible name"

    // 03: operands
    WrongOperand "E0301" "an operand of the wrong type"
    ConditionAsValue "E0302" "a condition where a value is needed"
    UnjoinableOperands "E0303" "operands that the operator cannot join"
    MisplacedOperator "E0304" "an operator that cannot follow its left operand"
    WrongNumberOfArguments "E0305" "a wrong number of arguments"
    NotIndexable "E0306" "an index or slice of the wrong value"
    NotANumericVariable "E0307" "a bound of a range that is not a number"
    SameVariables "E0308" "two different variables are needed"
    ConstantFilter "W0301" "a value that is used as a filter"
    FilterAsRepetition "W0302" "a repetition with whitespace"
    MovesAsFilters "W0303" "moves of a game as filters"

    // 04: parameters
    DuplicateParameter "E0401" "a parameter that is written twice"
    UnknownParameter "E0402" "a word that is not a parameter of the filter"
    ExcludingParameters "E0403" "parameters that cannot be combined"
    MissingParameter "E0404" "a missing parameter"
    MisplacedParameter "E0405" "a parameter in the wrong place"
    DistanceOutOfRange "E0406" "an impossible distance on the board"
    RepeatedDirection "E0407" "a direction that occurs twice"
    UnknownHhdbKey "E0408" "an unknown key of `hhdb`"

    // 05: line and path
    EmptyPath "E0501" "a `path` without constituents"
    UnrepeatableConstituent "E0502" "a repetition of a filter in `path`"
    NotAConstituent "E0503" "a filter that cannot be a constituent"
    EmptyRepetition "E0504" "a repetition of what can be empty"
    RepetitionAfterPlus "E0505" "a repetition after `+`"

    // 06: moves
    NotPromotionPieces "E0601" "a promotion to something other than pieces"
    MisplacedDashPrefix "E0602" "words that cannot stand before a dash"
    LegalDash "E0603" "a `legal` dash with what only a played move has"
    NotOnePiece "E0604" "`imagine` with several kinds of pieces"

    // 07: variables, dictionaries and functions
    WrongStorage "E0701" "a lifetime that the variable cannot have"
    ChangedDictionary "E0702" "two declarations of a dictionary that differ"
    StoredPosition "E0703" "positions in a dictionary that is not local"
    UnknownMergeRule "E0704" "an unknown rule for merging values"
    WrongEntryType "E0705" "a key or value of another type"
    UnknownEntryType "E0706" "an unknown type of keys or values"
    EmptyDictionary "E0707" "a loop over a dictionary that is still empty"
    NotALoopSource "E0708" "a loop over something else"
    ChangedType "E0709" "a variable that changes its type"
    NotAssignable "E0710" "an assignment to something other than a name"
    SliceUpdate "E0711" "an update of a part of a string"
    RecursiveFunction "E0712" "a function that calls itself"
    NestedHook "E0713" "`cqlbegin` or `cqlend` inside of a filter"
    NoPosition "E0714" "a filter that needs a game, where there is none"
    ResetCounter "W0701" "a counter that is set at each position"
    UnreadVariable "W0702" "a variable that nothing reads, with the name of a tag or filter"

    // 08: transforms
    UnknownTransform "E0801" "a word that is not a transform"
    UntransformableFilter "E0802" "a filter that cannot be transformed"

    // 09: texts and sorts
    MalformedPattern "E0901" "a malformed regular expression"
    NotALiteral "E0902" "a text that must be written in quotes"
    NagOutOfRange "E0903" "a NAG that does not exist"
    UnknownVariant "E0904" "an unknown chess variant"
    PatternAsText "E0905" "a regular expression as plain text"
    MalformedFen "E0906" "a malformed FEN pattern"
    ReservedTag "E0907" "a tag that its name cannot read or set"
    MalformedName "E0908" "a malformed name of a tag or field"
    WrongExtension "E0909" "a file with the wrong extension"
    MalformedCommand "E0910" "a malformed command line"
    ConstantSort "E0911" "a sort by a fixed number"
    ConflictingSort "E0912" "two sorts with one description"
    EchoInSort "E0913" "an `echo` in `sort min`"
    DifferentSimilarPositions "E0914" "two different `similarposition` filters"
    UncomparedSide "W0901" "a `fen` with a side to move, which is not compared"
    UnusualDate "W0902" "a date that is not written as in PGN"

    // 10: dialects
    UnknownDialect "E1001" "an unknown dialect"
    ConflictingDialects "E1002" "two different dialects"
    WordOfBabson "E1003" "a word that the dialect does not have"
    DialectDifference "W1001" "a filter that CQL 6.2 reads differently"

    // 11: CQL 3
    UnknownCql3Keyword "E1101" "an unknown keyword of CQL 3"
    UnknownList "E1102" "an unknown list of CQL 3"
    UnknownResult "E1103" "an unknown result"
    EmptyMatchList "E1104" "a match list without a position list"
    BarePositionList "E1105" "a position list outside of a match list"
    DuplicateTag "E1106" "a tag that is declared twice"
    UnknownTag "E1107" "a tag that is not declared"
    MalformedCql3Name "E1108" "a malformed name of a tag or sum"
    TagForPieces "E1109" "a tag where pieces are needed"
    DuplicateSequence "E1110" "two sequences in one position list"
    NestedMatchCount "E1111" "a count of matches in a nested list"
    NoModernForm "E1112" "a query of CQL 3 without a modern form"
    AddedToCql3 "E1113" "filters or variables added to a query of CQL 3"
    IneffectiveKeyword "W1101" "a keyword without effect"
    UnpredictableSum "W1102" "a sum that is hard to predict"
    EmptySum "W1103" "a sum that is always 0"
    EmptyCql3Range "W1104" "a range of CQL 3 that contains nothing"
    ModernDifference "W1105" "a modern query that differs from the original"

    // 12: limits of the size of a query (E), and of what its filters can match (W)
    QueryTooLong "E1201" "a query that is too long"
    NestedTooDeep "E1202" "a query that is nested too deep"
    TooManyFilters "E1203" "a query with too many filters"
    TooManyOperators "E1204" "too many operators in a row"
    TooAmbiguous "E1205" "a query that can be read in too many ways"
    TooManyCopies "E1206" "transforms that make too many copies"
    TooManyRegisters "E1207" "a query that is too large for the machine"
    AlwaysHolds "W1201" "a filter that holds in every position"
    NeverHolds "W1202" "filters that no position matches"
    NeverInChess "W1203" "a number of pieces that no game of chess has"
    TestedBeforeMove "W1204" "a condition that is tested before the move"
    TwoFilters "W1205" "two filters that were probably meant as one"

    // 13: imported files (E), and what CQL 6.2 reads or refuses otherwise (W)
    ImportNotFound "E1301" "a file to import that was not found"
    ImportCycle "E1302" "a file that imports itself"
    TooManyImports "E1303" "too many imported files"
    ImportedHeader "E1304" "an imported file with a header"
    ImportedFilter "E1305" "an imported file with filters"
    NestedImport "E1306" "an `import` inside of a filter"
    UncalledFunctionError "W1301" "an error in the body of a function that is never called"
    EmptyHeaderRange "W1302" "a range of the header that contains nothing"
    RefusedByCql6 "W1303" "a query that CQL 6.2 refuses"

    // 14: the surroundings of the query
    NeedsVariations "E1401" "a filter that needs variations"
    FailedFilter "E1402" "a filter that failed during the search"
    ForbiddenAccess "E1403" "a file or program that the query must not use"
    UnreadableFile "E1404" "a file of the query that cannot be used"
    NotAnInput "E1405" "a header that names an input of another kind"
    NotAnOutput "E1406" "a header that names an output of another kind"
}

impl Code {
    /// What is wrong, how it is mended, and a query that provokes it.
    ///
    /// ```
    /// use babson_lang::diagnostic::{Code, Example};
    ///
    /// let entry = Code::UnclosedComment.entry();
    /// assert_eq!(entry.example, Example::Query("mate /* the end"));
    /// assert_eq!(entry.mended, Some("mate /* the end */"));
    /// ```
    pub fn entry(self) -> CodeEntry {
        CodeEntry::of(self)
    }

    /// The severity, which the letter of the code tells.
    pub fn severity(self) -> Severity {
        match self.as_str().starts_with('W') {
            true => Severity::Warning,
            false => Severity::Error,
        }
    }

    /// The codes nearest to a text that is not a code: those that share the most digits.
    pub fn near(text: &str) -> Vec<Code> {
        let digits = |text: &str| text.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned();
        let wanted = digits(text);
        let shared = |code: Code| {
            let pairs = code.as_str()[1..].bytes().zip(wanted.bytes());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let most = Code::ALL.iter().map(|&code| shared(code)).max().unwrap_or(0);
        let near = Code::ALL.iter().copied().filter(|&code| most >= 2 && shared(code) == most);
        near.collect()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is not the code of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the code of a diagnostic")]
pub struct UnknownCode;

impl FromStr for Code {
    type Err = UnknownCode;

    /// Reads a code in uppercase or lowercase.
    fn from_str(text: &str) -> Result<Code, UnknownCode> {
        let is_code = |code: &&Code| code.as_str().eq_ignore_ascii_case(text);
        Code::ALL.iter().find(is_code).copied().ok_or(UnknownCode)
    }
}
