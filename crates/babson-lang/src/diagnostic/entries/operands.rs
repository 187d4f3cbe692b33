//! Names and operands.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::UnknownName,
        explanation: "The name is neither a filter nor a variable that was assigned before. A name \
                       that the body of a loop or a function assigns is not known after it. Correct \
                       the spelling, or assign the variable earlier.",
        example: Example::Query("chekc"),
        mended: Some("check"),
    },
    CodeEntry {
        code: Code::UnknownFunction,
        explanation: "A function must be defined with `function` before the call, or imported. \
                       Correct the spelling, or write the definition before the call.",
        example: Example::Query("threats1(K)"),
        mended: Some("function threats1(x) { x attackedby a } threats1(K)"),
    },
    CodeEntry {
        code: Code::NotAFilter,
        explanation: "The word is part of other filters and means nothing alone. The help tells \
                       which filter it belongs to.",
        example: Example::Query("firstmatch"),
        mended: Some("path firstmatch --"),
    },
    CodeEntry {
        code: Code::UncalledName,
        explanation: "The name of a function is followed by its arguments in parentheses, also if \
                       it has none. The rule of a dictionary is in parentheses too.",
        example: Example::Query("function quiet1() { not check } quiet1"),
        mended: Some("function quiet1() { not check } quiet1()"),
    },
    CodeEntry {
        code: Code::AlreadyDefined,
        explanation: "The name of a function is already that of a function, a variable or a \
                       dictionary. Choose another name.",
        example: Example::Query("function f() { check } function f() { mate }"),
        mended: Some("function f() { check } function g() { mate }"),
    },
    CodeEntry {
        code: Code::WrongKindOfName,
        explanation: "Variables, dictionaries and functions share their names, and this name is of \
                       another kind than its use. Choose another name for one of them.",
        example: Example::Query("dictionary D D = 1"),
        mended: Some("dictionary D x = 1"),
    },
    CodeEntry {
        code: Code::DuplicateArgumentName,
        explanation: "Two parameters of a function have the same name, so the body could use only \
                       one of them. Rename one.",
        example: Example::Query("function f(x x) { x }"),
        mended: Some("function f(x y) { x attacks y }"),
    },
    CodeEntry {
        code: Code::ReusedLoopVariable,
        explanation: "A loop assigns its variable anew in each turn, so the variable must not have \
                       a value already and must not be that of an enclosing loop. Choose another \
                       name, or write `unbind` before the loop.",
        example: Example::Query("s = K square s in A { s attacks k }"),
        mended: Some("square s in A { s attacks k }"),
    },
    CodeEntry {
        code: Code::UnknownGroup,
        explanation: "`\\{name}` is the text that a group `(?<name>…)` of an earlier regular \
                       expression matched. No earlier `~~` has a group with this name.",
        example: Example::Query(r"message(\{year})"),
        mended: Some(r#"date ~~ "(?<year>1\d*)" message(\{year})"#),
    },
    CodeEntry {
        code: Code::InvalidVariableName,
        explanation: "A program sets a variable of a query under a name that no query can use: a \
                       keyword, a piece designator, or a text with other characters than letters, \
                       digits and `_`.",
        example: Example::Elsewhere("a call of `QueryBuilder::variable` with the name `K`"),
        mended: None,
    },
    CodeEntry {
        code: Code::WrongOperand,
        explanation: "The filter needs an operand of another type. Sets of squares, numbers, \
                       strings, positions and conditions are different types: `#` counts the \
                       squares of a set, `int` reads a number from a string, and `str` writes a \
                       value as a string.",
        example: Example::Query("light 3"),
        mended: Some("light K"),
    },
    CodeEntry {
        code: Code::ConditionAsValue,
        explanation: "Variables, arguments and dictionaries hold values: numbers, sets of squares, \
                       strings and positions. A condition such as `check` matches or not, and has \
                       no value. `if … then 1 else 0` makes a number of it.",
        example: Example::Query("x = check"),
        mended: Some("x = if check then 1 else 0"),
    },
    CodeEntry {
        code: Code::UnjoinableOperands,
        explanation: "The operator does not work on operands of these types. For example, `&` \
                       joins sets of squares, while conditions are joined by `and`.",
        example: Example::Query(r#"1 == "a""#),
        mended: Some(r#""1" == "a""#),
    },
    CodeEntry {
        code: Code::MisplacedOperator,
        explanation: "The operator does not work on the type of its left operand. `#` makes a \
                       number of a set of squares, and parentheses make an operand of a larger \
                       filter.",
        example: Example::Query("A + 1"),
        mended: Some("#A + 1"),
    },
    CodeEntry {
        code: Code::WrongNumberOfArguments,
        explanation: "The filter or function was given another number of arguments than it takes. \
                       Arguments are separated by whitespace, without commas.",
        example: Example::Query("between(K)"),
        mended: Some("between(K k)"),
    },
    CodeEntry {
        code: Code::NotIndexable,
        explanation: "`[…]` after a value is the index or slice of a string, or an entry of a \
                       dictionary. Other values have no parts, and a dictionary has entries but no \
                       slices.",
        example: Example::Query("K[1]"),
        mended: Some(r#""abc"[1]"#),
    },
    CodeEntry {
        code: Code::NotANumericVariable,
        explanation: "The bounds of a range are numbers or numeric variables. The name is a \
                       variable of another type.",
        example: Example::Query(r#"x = "a" line x 3 --> check"#),
        mended: Some("x = 2 line x 3 --> check"),
    },
    CodeEntry {
        code: Code::SameVariables,
        explanation: "`echo` and `consecutivemoves` compare two positions, so they need two \
                       different variables.",
        example: Example::Query("echo (x x) mate"),
        mended: Some("echo (x y) mate"),
    },
    CodeEntry {
        code: Code::ConstantFilter,
        explanation: "A number or a string as a filter matches every position. Probably an \
                       operator between it and the filter before it is missing, or quotes around a \
                       text of several words.",
        example: Example::Query("year 1920"),
        mended: Some("year == 1920"),
    },
    CodeEntry {
        code: Code::FilterAsRepetition,
        explanation: "Braces with numbers are a repetition only without whitespace. With \
                       whitespace they are a filter, which matches every position.",
        example: Example::Query("path -- {3 5}"),
        mended: Some("path -- {3,5}"),
    },
    CodeEntry {
        code: Code::MovesAsFilters,
        explanation: "A query does not read the notation of games: `1.` and `e4` are a number and \
                       a set of squares, which match every position. The moves of a game are the \
                       dashes of a `path`, which the help shows.",
        example: Example::Query("1. e4 e5"),
        mended: Some("initial path P--e4 p--e5"),
    },
];
