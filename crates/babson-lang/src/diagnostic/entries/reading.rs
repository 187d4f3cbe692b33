//! Characters, words and the grammar.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::UnknownCharacter,
        explanation: "Outside of strings and comments, a query consists of ASCII characters, chess \
                       pieces such as `♔`, and the symbols that stand for operators. Remove the \
                       character, or put the text that contains it in quotes.",
        example: Example::Query("K § k"),
        mended: Some("K k"),
    },
    CodeEntry {
        code: Code::UnclosedString,
        explanation: "A string begins and ends with `\"` on the same line. Write the closing \
                       quote.",
        example: Example::Query(r#"event "Wijk"#),
        mended: Some(r#"event "Wijk""#),
    },
    CodeEntry {
        code: Code::UnclosedComment,
        explanation: "A comment that begins with `/*` ends at the next `*/`. Write `*/` after the \
                       comment.",
        example: Example::Query("mate /* the end"),
        mended: Some("mate /* the end */"),
    },
    CodeEntry {
        code: Code::UnknownEscape,
        explanation: "Outside of quotes a backslash begins one of five short strings: `\\n`, \
                       `\\r`, `\\t`, `\\\\` and `\\\"`. No letter follows it directly. Other texts \
                       are written in quotes, and a backslash in quotes is an ordinary character.",
        example: Example::Query(r"message(\x)"),
        mended: Some(r#"message("x")"#),
    },
    CodeEntry {
        code: Code::HtmlEntity,
        explanation: "The query was copied from the source of a web page, in which `&`, `<`, `>` \
                       and `\"` are written as entities. Write the character itself.",
        example: Example::Query("ply &gt; 40"),
        mended: Some("ply > 40"),
    },
    CodeEntry {
        code: Code::SemicolonComment,
        explanation: "A comment begins with `//`, or is enclosed in `/*` and `*/`. Only the \
                       dialect `cql6` also reads `;` as the beginning of a comment.",
        example: Example::Query("mate ; the end"),
        mended: Some("mate // the end"),
    },
    CodeEntry {
        code: Code::MalformedDesignator,
        explanation: "A piece designator is one piece or several in brackets, then squares: `Ra1`, \
                       `[RQ]a-h1`, `k[a1,h8]`. Each Unicode piece is named once, and the squares go \
                       from `a1` to `h8`.",
        example: Example::Query("[△△]"),
        mended: Some("△"),
    },
    CodeEntry {
        code: Code::SplitSquares,
        explanation: "The squares of a piece designator are written without brackets, `kf-h8`, or \
                       all in one pair of brackets, `k[f8,h8]`. Files in brackets and a rank after \
                       them are not squares.",
        example: Example::Query("k[f-h]8"),
        mended: Some("kf-h8"),
    },
    CodeEntry {
        code: Code::TouchingDesignator,
        explanation: "A piece designator ends before a letter or a digit, so a name cannot begin \
                       with one, and two filters need a space between them. ASCII letters and \
                       Unicode pieces cannot be mixed in one designator.",
        example: Example::Query("♔K"),
        mended: Some("♔ K"),
    },
    CodeEntry {
        code: Code::EmptyRange,
        explanation: "The first bound of a range is greater than the second, so nothing lies in \
                       it. Write the smaller bound first.",
        example: Example::Query("cql(gamenumber 20 10) mate"),
        mended: Some("cql(gamenumber 10 20) mate"),
    },
    CodeEntry {
        code: Code::MalformedRepetition,
        explanation: "A repetition is `{n}`, `{n,}`, `{,m}` or `{n,m}`, and its numbers have a \
                       limit. `*` repeats any number of times.",
        example: Example::Query("line --> check{,}"),
        mended: Some("line --> check*"),
    },
    CodeEntry {
        code: Code::NumberTooLarge,
        explanation: "Numbers of a query have 32 bits: they go from -2147483648 to 2147483647.",
        example: Example::Cql3("(match (position :movenumber 99999999999))"),
        mended: Some("(match (position :movenumber 99))"),
    },
    CodeEntry {
        code: Code::NotUtf8,
        explanation: "A query is a text in UTF-8. An older editor may have saved it in another \
                       encoding. Save it as UTF-8.",
        example: Example::Elsewhere("a file of a query with the byte E9, which is `é` in Latin-1"),
        mended: None,
    },
    CodeEntry {
        code: Code::UnexpectedToken,
        explanation: "The grammar allows something else in this place. The message lists what it \
                       allows; often an operand or a closing bracket is missing before the word.",
        example: Example::Query("{ K & }"),
        mended: Some("{ K & e1 }"),
    },
    CodeEntry {
        code: Code::UnclosedBracket,
        explanation: "Each `(`, `[` and `{` needs its closing bracket. The message shows the \
                       bracket that is still open at the end.",
        example: Example::Query("(K or Q"),
        mended: Some("(K or Q)"),
    },
    CodeEntry {
        code: Code::UnmatchedBracket,
        explanation: "A closing bracket closes the last open bracket, which must be of the same \
                       kind. Remove it, or write the opening bracket.",
        example: Example::Query("{K)"),
        mended: Some("{K}"),
    },
    CodeEntry {
        code: Code::DetachedTarget,
        explanation: "The target of a dash is in parentheses directly after it, as in \
                       `N--f3(check)`. With a space before them, parentheses would be the next \
                       filter, which cannot follow a dash.",
        example: Example::Query("N--f3 (check)"),
        mended: Some("N--f3(check)"),
    },
    CodeEntry {
        code: Code::MissingDash,
        explanation: "`legal`, `pseudolegal`, `previous` and `countmoves` are words before a dash \
                       such as `--` or a capture `[x]`. Write the dash after them.",
        example: Example::Query("legal o-o"),
        mended: Some("legal --(o-o)"),
    },
    CodeEntry {
        code: Code::MissingOperand,
        explanation: "Each comparison has a value on both sides. After `and` and `or` the value on \
                       the left must be written again, and `result` takes its value without an \
                       operator.",
        example: Example::Query("year >= 1920 and <= 1930"),
        mended: Some("year >= 1920 and year <= 1930"),
    },
    CodeEntry {
        code: Code::CompoundCondition,
        explanation: "The condition of `if` is one filter. Two filters need braces; a value is \
                       compared with `==`.",
        example: Example::Query("if year 1920 then check"),
        mended: Some("if year == 1920 then check"),
    },
    CodeEntry {
        code: Code::DesignatorAsName,
        explanation: "Words such as `K`, `n` or `a1` are piece designators and cannot name a \
                       variable, a function or a parameter. Choose a name that is not a designator.",
        example: Example::Query("n = 3"),
        mended: Some("count1 = 3"),
    },
    CodeEntry {
        code: Code::AssignedFilter,
        explanation: "`=` assigns a value to a variable, but the word on its left is a filter. A \
                       comparison is written `==`.",
        example: Example::Query("year = 1920"),
        mended: Some("year == 1920"),
    },
    CodeEntry {
        code: Code::ComparedResult,
        explanation: "`result` is a condition that takes the result after it. It is not a value \
                       that could be compared.",
        example: Example::Query("result == 1-0"),
        mended: Some("result 1-0"),
    },
    CodeEntry {
        code: Code::EmptyQuery,
        explanation: "A query needs at least one filter; a header or comments are not enough. \
                       `true` matches every position.",
        example: Example::Query("// nothing yet"),
        mended: Some("true"),
    },
    CodeEntry {
        code: Code::MisplacedHeader,
        explanation: "`cql(…)` begins a query in a file. Texts that are added to a query, such as \
                       the filters of an option, have no header.",
        example: Example::Elsewhere("the text `cql() mate` as filters that are added to a query"),
        mended: None,
    },
    CodeEntry {
        code: Code::MixedArrows,
        explanation: "The arrows of a chain point the same way: all `->` or all `<-` between sets, \
                       all `-->` or all `<--` in a `line`. Use parentheses, or two filters.",
        example: Example::Query("K -> q <- R"),
        mended: Some("(K -> q) & (q <- R)"),
    },
];
