//! The TextMate grammar of the language, for VS Code and the editors and sites that read such
//! grammars.
//!
//! It colors what can be known without a parser. It is exact about lexemes: a check compares it
//! with the lexer on every query of the repository.

use serde_json::{Value, json};

use super::patterns::{
    CASTLING, END, ESCAPE, GROUP, LINE_COMMENT, REPEAT, RESULT, WORD, cql3_designator,
    piece_variable, pieces, squares,
};
use super::scopes::{escaped, symbols_by_scope, words_by_scope};

/// The grammar.
pub(super) fn grammar() -> Value {
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "CQL",
        "scopeName": "source.cql",
        "fileTypes": ["cql"],
        "comment": "Written by `cargo xtask grammars` from the tables of the language. Do not edit.",
        "patterns": [
            include("cql3"),
            include("header"),
            include("lexemes"),
        ],
        "repository": {
            "lexemes": { "patterns": [
                include("comments"), include("strings"), include("literals"),
                include("declarations"), include("hhdb"), include("words"), include("designators"),
                include("numbers"), include("names"), include("operators"), include("brackets"),
            ] },
            "comments": { "patterns": comments() },
            "strings": { "patterns": strings() },
            "literals": { "patterns": literals() },
            "designators": { "patterns": designators() },
            "numbers": { "match": "[0-9]+", "name": "constant.numeric.cql" },
            "declarations": { "patterns": declarations() },
            "hhdb": hhdb(),
            "words": { "patterns": words() },
            "names": { "patterns": names() },
            "operators": { "patterns": operators() },
            "brackets": { "patterns": brackets() },
            "header": header(),
            "cql3": cql3(),
            "cql3-comment": semicolon_comment(),
            "cql3-list": cql3_list(),
            "cql3-items": { "patterns": cql3_items() },
        },
    })
}

/// A reference to a rule of the repository.
fn include(rule: &str) -> Value {
    json!({ "include": format!("#{rule}") })
}

/// A rule of a pattern and a scope.
fn rule(scope: &str, pattern: impl Into<String>) -> Value {
    json!({ "name": format!("{scope}.cql"), "match": pattern.into() })
}

/// Scopes of groups, in the order of the groups.
fn groups(scopes: &[&str]) -> Value {
    let numbered = scopes.iter().enumerate();
    let group = |(at, scope): (usize, &&str)| {
        ((at + 1).to_string(), json!({ "name": format!("{scope}.cql") }))
    };
    Value::Object(numbered.map(group).collect())
}

fn comments() -> Vec<Value> {
    vec![
        rule("comment.line.double-slash", LINE_COMMENT),
        json!({
            "name": "comment.block.cql",
            "begin": r"/\*",
            "end": r"\*/",
        }),
        semicolon_comment(),
        // It begins a comment of the output, whose text is filters.
        rule("keyword.other.comment", "///"),
    ]
}

fn semicolon_comment() -> Value {
    rule("comment.line.semicolon", ";.*")
}

fn strings() -> Vec<Value> {
    vec![
        json!({
            "name": "string.quoted.double.cql",
            "begin": "\"",
            "end": "\"|$",
        }),
        rule("constant.character.escape", ESCAPE),
        rule("constant.other.group", GROUP),
    ]
}

fn literals() -> Vec<Value> {
    vec![
        rule("constant.language.result", RESULT),
        rule("constant.language.castling", CASTLING),
        rule("keyword.operator.quantifier", REPEAT),
    ]
}

fn designators() -> Vec<Value> {
    let (pieces, squares) = (pieces(), squares());
    let captures = groups(&["support.type.piece", "constant.other.square"]);
    vec![
        rule("variable.other.piece", piece_variable()),
        // `a-h1` is a range, and not the piece `a`.
        json!({
            "name": "support.type.designator.cql",
            "match": format!("{squares}{END}"),
            "captures": { "0": { "name": "constant.other.square.cql" } },
        }),
        json!({
            "name": "support.type.designator.cql",
            "match": format!("({pieces})({squares})?{END}"),
            "captures": captures,
        }),
        rule("support.type.designator", r"\.|▦|\[\]"),
    ]
}

fn declarations() -> Vec<Value> {
    vec![
        json!({
            "match": format!(r"\b(function)\s+({WORD})"),
            "captures": groups(&["storage.type", "entity.name.function"]),
        }),
        json!({
            // The types of keys and values, and how values are merged, can stand before the name.
            "match": format!(
                r"\b(dictionary)\s+(?:([a-z]+)\s*(-->)\s*([a-z]+)\s*(?:(\()\s*([a-z]+)\s*(\))\s*|\s))?({WORD})"
            ),
            "captures": groups(&[
                "storage.type",
                "storage.type.value",
                "keyword.operator.chain",
                "storage.type.value",
                "punctuation.parenthesis",
                "storage.modifier",
                "punctuation.parenthesis",
                "entity.name.type.dictionary",
            ]),
        }),
    ]
}

/// `hhdb` and the words after it.
fn hhdb() -> Value {
    let parts: Vec<&str> = babson_lang::hhdb_parts().collect();
    let parts = parts.join("|");
    json!({
        "match": format!(r"(?<![A-Za-z0-9_$])(hhdb)\s+((?:(?:[0-9]+|{parts}){END}\s+)*[a-z_]+{END})"),
        "captures": {
            "1": { "name": "keyword.other.cql" },
            "2": { "patterns": [
                include("numbers"),
                rule("support.constant.hhdb", format!("(?:{parts}){END}")),
                include("words"),
                rule("support.constant.hhdb", "[a-z_]+"),
            ] },
        },
    })
}

fn words() -> Vec<Value> {
    let groups = words_by_scope().into_iter();
    groups
        .map(|(scope, words)| {
            rule(scope, format!("(?<![A-Za-z0-9_$])(?:{}){END}", words.join("|")))
        })
        .collect()
}

fn names() -> Vec<Value> {
    vec![rule("entity.name.function", format!(r"{WORD}(?=\()")), rule("variable.other", WORD)]
}

fn operators() -> Vec<Value> {
    symbols_by_scope().into_iter().map(|(scope, pattern)| rule(scope, pattern)).collect()
}

fn brackets() -> Vec<Value> {
    vec![
        rule("punctuation.parenthesis", r"[()]"),
        rule("punctuation.brace", r"[{}]"),
        rule("punctuation.bracket", r"[\[\]]"),
    ]
}

/// `cql(…)`.
fn header() -> Value {
    json!({
        "begin": r"\b(cql)\s*(\()",
        "beginCaptures": groups(&["keyword.control.directive", "punctuation.parenthesis"]),
        "end": r"\)",
        "endCaptures": { "0": { "name": "punctuation.parenthesis.cql" } },
        "patterns": [
            // An unquoted name of a file can look like anything else.
            {
                "match": r#"\b(input|output)\s+(?!/\*|//\s)([^\s()<>"]+)"#,
                "captures": groups(&["storage.modifier", "string.unquoted.file"]),
            },
            {
                "match": format!(r"\b(dialect)\s+({WORD})"),
                "captures": groups(&["storage.modifier", "constant.language.dialect"]),
            },
            include("comments"),
            include("strings"),
            include("literals"),
            rule("storage.modifier", format!(
                "(?<![A-Za-z0-9_$])(?:{}){END}",
                babson_lang::vocabulary::header_parameters()
                    .iter()
                    .map(|parameter| escaped(parameter.name()))
                    .collect::<Vec<_>>()
                    .join("|"),
            )),
            include("numbers"),
            include("words"),
            include("names"),
        ],
    })
}

/// A query of CQL 3. Only its first words tell; in the modern language a variable `match` in
/// parentheses looks the same only at the end of its line.
fn cql3() -> Value {
    json!({
        "name": "meta.cql3.cql",
        "begin": r"(\()\s*(match)(?=\s*(?:$|[(:;)]))",
        "beginCaptures": groups(&["punctuation.parenthesis", "keyword.control.directive"]),
        "end": r"\)",
        "endCaptures": { "0": { "name": "punctuation.parenthesis.cql" } },
        "patterns": [include("cql3-items")],
    })
}

/// A list in parentheses of CQL 3.
fn cql3_list() -> Value {
    json!({
        "begin": r"(\()\s*(?:(match|position)(?![^\s();]))?",
        "beginCaptures": groups(&["punctuation.parenthesis", "keyword.control.directive"]),
        "end": r"\)",
        "endCaptures": { "0": { "name": "punctuation.parenthesis.cql" } },
        "patterns": [include("cql3-items")],
    })
}

fn cql3_items() -> Vec<Value> {
    let keywords = babson_lang::cql3::KEYWORDS.join("|");
    vec![
        include("cql3-comment"),
        include("cql3-list"),
        rule("support.function.keyword", format!(r":(?:{keywords})(?![^\s();])")),
        rule("invalid.illegal.keyword", r":[^\s();]*"),
        // A string of CQL 3 can have line ends.
        json!({ "name": "string.quoted.double.cql", "begin": "\"", "end": "\"" }),
        rule("constant.language.result", r"(?:1-0|0-1|1/2-1/2|1/2)(?![^\s();])"),
        rule("constant.numeric", r"-?[0-9]+(?![^\s();])"),
        rule("support.type.designator", cql3_designator()),
        rule("string.unquoted.atom", r#"[^\s();:"][^\s();]*"#),
    ]
}
