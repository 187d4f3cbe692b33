//! Each rule of the token pass with an example
//! (docs/src/language/reading.md#tokens-that-depend-on-their-surroundings).

use std::collections::HashSet;

use super::terminal::Terminal;
use super::{Cursor, NameTable, match_brackets, tokens};
use crate::diagnostic::Span;
use crate::dialect::Dialect;
use crate::lexer::lex;

/// Rules, each with a query and its terminals.
const RULES: [(&str, &str, &str); 41] = [
    (
        "a `(` after a function begins its arguments",
        "function f(x){x} f (3)",
        r#"Function Name("f") Call Name("x") RParen LBrace Name("x") RBrace Name("f") Call Int(3) RParen"#,
    ),
    (
        "a `(` after a keyword with a list begins the list",
        "between (a1 h8)",
        "List(Between) Call a1 h8 RParen",
    ),
    (
        "a `(` that touches a dash begins its target",
        "--(check)",
        "DashFree(false) Target Nullary(Check) RParen",
    ),
    (
        "a `(` in the place of a target is an error",
        "-- (check)",
        "DashFree(false) LooseTarget Nullary(Check) RParen",
    ),
    (
        "a `(` in `path` with a dash in it begins a group",
        "path (-- check)",
        "Path PathGroup DashFree(false) Nullary(Check) RParen PathEnd",
    ),
    (
        "a `(` in `line` with an arrow in it begins a group",
        "line --> (check --> mate)",
        "Line Chain(false) LineGroup Nullary(Check) Chain(false) Nullary(Mate) RParen",
    ),
    ("any other `(` groups one filter", "(check)", "LParen Nullary(Check) RParen"),
    (
        "`+` and `*` are wildcards before a closing bracket or the end",
        "{ line --> check + }",
        "LBrace Line Chain(false) Nullary(Check) Wild(1, None) RBrace",
    ),
    (
        "`+` and `*` are wildcards in `path`",
        "path -- *",
        "Path DashFree(false) Wild(0, None) PathEnd",
    ),
    (
        "`-` is an operator after an operand",
        "ply -1",
        "Nullary(Ply) Operator(Infix(Arithmetic(Subtract))) Int(1)",
    ),
    ("`-` is a sign elsewhere", "not -1", "Not Neg Int(1)"),
    ("`-` after the header is a sign", "cql() -1", "Cql Call RParen Neg Int(1)"),
    (
        "a dash has the operands that touch it",
        "K--g1 K-- --g1 --",
        "K DashBoth(false) g1 K DashLeft(false) DashRight(false) g1 DashFree(false)",
    ),
    (
        "`=` that touches the operand of a dash is a promotion",
        "--a8=Q",
        "DashRight(false) a8 Promote Q",
    ),
    (
        "`[x]` after a dictionary is a key",
        "dictionary D D[x]",
        r#"Dictionary Name("D") Name("D") LBracket Name("x") RBracket"#,
    ),
    ("`[x]` elsewhere is a capture", "K[x]", "K DashLeft(true)"),
    (
        "`<--` after `find` is its direction",
        "find <-- check",
        "Prefix(One, Find) Backward Nullary(Check)",
    ),
    (
        "`-->` after `piece` of `imagine` is its target",
        "imagine piece K --> a1 : check",
        "Imagine ImaginePiece K Gives a1 ImagineColon Nullary(Check)",
    ),
    (
        "`:` in brackets divides a slice",
        r#""ab"[1:2]"#,
        r#"Str("ab") LBracket Int(1) SliceColon Int(2) RBracket"#,
    ),
    (
        "`:` after a position in an operand of `move` belongs to it",
        "move from parent:K",
        "Move FinalOperand(From) Nullary(Parent) OperandColon K",
    ),
    (
        "`:` after other operands of `move` ends them",
        "move from K:check",
        "Move FinalOperand(From) K Colon Nullary(Check)",
    ),
    (
        "a string after `event` is the text that it searches for",
        r#"event "E""#,
        r#"Searchable(Event) Search("E")"#,
    ),
    (
        "a string after a filter in a message is an item",
        r#"message(event "E")"#,
        r#"Print(Message) Call Searchable(Event) Str("E") RParen"#,
    ),
    (
        "a string after `sort` is its description",
        r#"sort min "a" ply"#,
        r#"Prefix(One, Sort) Flag(Min) SortText("a") Nullary(Ply)"#,
    ),
    (
        "a `path` ends at an empty line",
        "path -- check\n\nmate",
        "Path DashFree(false) Nullary(Check) PathEnd Nullary(Mate)",
    ),
    (
        "a `path` ends before the `then` of an earlier `if`",
        "if path -- then mate",
        "If Path DashFree(false) PathEnd Then Nullary(Mate)",
    ),
    (
        "a `path` ends before an operator after a step",
        "path --K > 3",
        "Path DashRight(false) K PathEnd Operator(Rel(Greater)) Int(3)",
    ),
    (
        "an `else` belongs to the last `if` without one",
        "if check if mate ply else 3",
        "If Nullary(Check) IfElse Nullary(Mate) Nullary(Ply) Else Int(3)",
    ),
    (
        "numbers after a direction are a range",
        "up 1 2 K",
        "Prefix(Tight, Up) Bound(Int(1)) Bound(Int(2)) K",
    ),
    (
        "flags of a filter stand before or after its range",
        "find quiet 2 all check",
        "Prefix(One, Find) Flag(Quiet) Bound(Int(2)) Flag(All) Nullary(Check)",
    ),
    (
        "a word that is not a flag of the filter begins its operand",
        "flip all",
        "Prefix(One, Flip) All",
    ),
    (
        "a name after a direction is a range if an operand follows",
        "x=1 up x K",
        r#"Name("x") Assign Int(1) Prefix(Tight, Up) Bound(Name("x")) K"#,
    ),
    (
        "a name before an operator is an operand",
        "x=1 up x & K",
        r#"Name("x") Assign Int(1) Prefix(Tight, Up) Name("x") Operator(Infix(Intersect)) K"#,
    ),
    (
        "a prefix filter after a dash has virtual brackets",
        "K--flip a1",
        "K DashBoth(false) OperandOpen Prefix(One, Flip) a1 OperandEnd",
    ),
    (
        "words are parameters of `move` after an operand of it",
        "move from K to g5",
        "Move FinalOperand(From) K FinalOperand(To) g5",
    ),
    (
        "an assigned word is a name in the whole query",
        "try=3 try",
        r#"Name("try") Assign Int(3) Name("try")"#,
    ),
    (
        "words after `path` are its parameters",
        "path quiet max ply --",
        "Path Flag(Quiet) SeqMax Nullary(Ply) DashFree(false) PathEnd",
    ),
    (
        "words in the header are its parameters",
        "cql(input a.pgn quiet) mate",
        r#"Cql Call HeaderFile(true, "a.pgn") HeaderFlag(Quiet) RParen Nullary(Mate)"#,
    ),
    (
        "`///` ends with its line",
        "///\"x\" ply\nmate",
        r#"LineComment Str("x") Nullary(Ply) LineCommentEnd Nullary(Mate)"#,
    ),
    ("`attacked by` is one operator", "K attacked by q", "K Operator(Infix(AttackedBy)) q"),
    (
        "the types of a dictionary are not filters",
        "dictionary int --> str D",
        r#"Dictionary Type(Int) Gives Type(Str) Name("D")"#,
    ),
];

/// The terminals of a query.
fn terminals(source: &str) -> String {
    let dialect = Dialect::CQLI;
    let lexemes = lex(source, dialect).expect(source);
    let pairs = match_brackets(source, &lexemes).expect(source);
    let names = NameTable::collect(source, &lexemes, dialect);
    let second = HashSet::new();
    let (lexemes, pairs, names, second) = (&lexemes[..], &pairs[..], &names, &second);
    let list = tokens(Cursor { source, lexemes, pairs, names, dialect, second });
    let shown = list.iter().map(|(start, token, end)| {
        let is_designator = matches!(token, Terminal::Designator(_));
        let text = Span::new(*start, *end).text(source);
        if is_designator { text.to_owned() } else { format!("{token:?}") }
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn rules() {
    for (rule, query, expected) in RULES {
        assert_eq!(terminals(query), expected, "{rule}: {query}");
    }
}
