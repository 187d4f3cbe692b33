//! Texts, sorts and dialects.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::MalformedPattern,
        explanation: "The text after `~~` is not a regular expression. The message shows the \
                       place: most often a bracket is not closed, or there is nothing to repeat \
                       before `*`.",
        example: Example::Query(r#"event ~~ "a(""#),
        mended: Some(r#"event ~~ "a""#),
    },
    CodeEntry {
        code: Code::NotALiteral,
        explanation: "This text is part of the query itself, such as the name of a tag, so it is \
                       written in quotes and cannot be computed.",
        example: Example::Query("removetag(event)"),
        mended: Some(r#"removetag("Event")"#),
    },
    CodeEntry {
        code: Code::NagOutOfRange,
        explanation: "Annotation glyphs (NAG) are numbered from `$1` to `$255`.",
        example: Example::Query(r#"originalcomment "$0""#),
        mended: Some(r#"originalcomment "$1""#),
    },
    CodeEntry {
        code: Code::UnknownVariant,
        explanation: "The text is not the name of a chess variant that is known. The page on tags \
                       in the book lists the names; a caller can add others.",
        example: Example::Query(r#"variant "Bonk""#),
        mended: Some(r#"variant "Crazyhouse""#),
    },
    CodeEntry {
        code: Code::PatternAsText,
        explanation: "The text after the filter of a tag is searched as it is. A regular \
                       expression follows `~~`.",
        example: Example::Query(r#"event "a[bc]""#),
        mended: Some(r#"event ~~ "a[bc]""#),
    },
    CodeEntry {
        code: Code::MalformedFen,
        explanation: "The text is not a FEN, or a pattern of one. It has eight ranks of eight \
                       squares, separated by `/`.",
        example: Example::Query(r#"fen "8/8""#),
        mended: Some(r#"fen "8/8/8/8/8/8/8/K6k""#),
    },
    CodeEntry {
        code: Code::ReservedTag,
        explanation: "In the dialect `cql6` the tags with a filter of their own, such as the \
                       ratings, are read by that filter, and the tags that the output writes itself \
                       cannot be set.",
        example: Example::Cql6(r#"tag "WhiteElo" == "2000""#),
        mended: Some("elo white == 2000"),
    },
    CodeEntry {
        code: Code::MalformedName,
        explanation: "The name of a tag has up to 60 letters, digits and `_`, and does not begin \
                       with `_`. The name of a field is one line, not empty and not too long.",
        example: Example::Query(r#"settag("_" "x")"#),
        mended: Some(r#"settag("Study" "x")"#),
    },
    CodeEntry {
        code: Code::WrongExtension,
        explanation: "The filter works only with files of one kind: `writefile` writes `.cqo` and \
                       `.cql`, and `similarposition` reads `.pgn`.",
        example: Example::Query(r#"writefile("a.txt" "x")"#),
        mended: Some(r#"writefile("a.cqo" "x")"#),
    },
    CodeEntry {
        code: Code::MalformedCommand,
        explanation: "The command of `commandpipe` is the name of a program and its arguments, \
                       separated by spaces. Single quotes group words, and each has a closing \
                       quote.",
        example: Example::Query(r#"commandpipe("" "x")"#),
        mended: Some(r#"commandpipe("cat" "x")"#),
    },
    CodeEntry {
        code: Code::ConstantSort,
        explanation: "The value is the same in each game, so it sorts nothing. Sort by a filter \
                       with a value, such as `#A` or `ply`.",
        example: Example::Query("sort 3"),
        mended: Some("sort ply"),
    },
    CodeEntry {
        code: Code::ConflictingSort,
        explanation: "Sorts with the same description are one key, so they have the same type and \
                       the same direction. Give them different descriptions.",
        example: Example::Query(r#"sort min "x" ply sort max "x" ply"#),
        mended: Some(r#"sort min "x" ply sort max "y" ply"#),
    },
    CodeEntry {
        code: Code::EchoInSort,
        explanation: "The value of an `echo` is the greatest one of all other positions, so it \
                       does not fit a sort that prefers the least value. Sort by the greatest \
                       value.",
        example: Example::Query(r#"sort min "x" echo (s t) ply"#),
        mended: Some(r#"sort max "x" echo (s t) ply"#),
    },
    CodeEntry {
        code: Code::DifferentSimilarPositions,
        explanation: "A query reads one file of positions once, so all its `similarposition` \
                       filters name the same file and the same maps.",
        example: Example::Query(r#"similarposition "a.pgn" similarposition "b.pgn""#),
        mended: Some(r#"similarposition "a.pgn" similarposition "a.pgn""#),
    },
    CodeEntry {
        code: Code::UncomparedSide,
        explanation: "`fen` compares where the pieces are, and skips the other fields of its text. \
                       The side to move is a filter of its own, `wtm` or `btm`.",
        example: Example::Query(r#"fen "8/8/8/8/8/8/8/K6k w - - 0 1""#),
        mended: Some(r#"fen "8/8/8/8/8/8/8/K6k" wtm"#),
    },
    CodeEntry {
        code: Code::UnknownDialect,
        explanation: "A query is written in the dialect `cqli` or `cql6`.",
        example: Example::Query("cql(dialect cql9) mate"),
        mended: Some("cql(dialect cqli) mate"),
    },
    CodeEntry {
        code: Code::ConflictingDialects,
        explanation: "The header and the first line of the query name different dialects. Remove \
                       one of the two.",
        example: Example::Query("// babson: dialect cqli\ncql(dialect cql6) mate"),
        mended: Some("// babson: dialect cql6\ncql(dialect cql6) mate"),
    },
    CodeEntry {
        code: Code::WordOfBabson,
        explanation: "Only Babson has this filter, and the dialect `cql6` reads queries as CQL 6.2 \
                       does. Choose the dialect `cqli`.",
        example: Example::Cql6("clk > 10"),
        mended: None,
    },
    CodeEntry {
        code: Code::DialectDifference,
        explanation: "CQL 6.2 and CQLi read this filter differently. Babson reads it as CQLi does \
                       unless the query or the caller chooses the dialect `cql6`. Naming the \
                       dialect in the header silences the warning.",
        example: Example::Query("movenumber > 20"),
        mended: Some("cql(dialect cqli) movenumber > 20"),
    },
];
