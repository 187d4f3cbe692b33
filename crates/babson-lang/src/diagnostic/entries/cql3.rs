//! Queries of CQL 3.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::UnknownCql3Keyword,
        explanation: "The word after the colon is not a keyword of CQL 3. Keywords are written in \
                       lowercase and in full.",
        example: Example::Cql3("(match (position :chekc))"),
        mended: Some("(match (position :check))"),
    },
    CodeEntry {
        code: Code::UnknownList,
        explanation: "A list of CQL 3 begins with `(match` or `(position`, in lowercase.",
        example: Example::Cql3("(match (postion :check))"),
        mended: Some("(match (position :check))"),
    },
    CodeEntry {
        code: Code::UnknownResult,
        explanation: "A result is `1-0`, `0-1` or `1/2-1/2`.",
        example: Example::Cql3("(match :result draw (position))"),
        mended: Some("(match :result 1/2-1/2 (position))"),
    },
    CodeEntry {
        code: Code::EmptyMatchList,
        explanation: "A query of CQL 3 finds positions that match its position lists, so there \
                       must be at least one. `(position)` matches every position.",
        example: Example::Cql3("(match :result 1-0)"),
        mended: Some("(match :result 1-0 (position))"),
    },
    CodeEntry {
        code: Code::BarePositionList,
        explanation: "In CQL 3 position lists are inside of a match list. Write `(match` before \
                       them and `)` after them.",
        example: Example::Query("(position :mate)"),
        mended: Some("(match (position :mate))"),
    },
    CodeEntry {
        code: Code::DuplicateTag,
        explanation: "Two `:forany` declare a tag with the same name. Rename one.",
        example: Example::Cql3("(match :forany p R :forany p Q (position $p[a1]))"),
        mended: Some("(match :forany p R :forany q Q (position $p[a1] $q[a2]))"),
    },
    CodeEntry {
        code: Code::UnknownTag,
        explanation: "`$name` is a piece that `:forany name` declares in the match list. There is \
                       no such declaration.",
        example: Example::Cql3("(match (position $p[a1]))"),
        mended: Some("(match :forany p R (position $p[a1]))"),
    },
    CodeEntry {
        code: Code::MalformedCql3Name,
        explanation: "The name of a tag has letters and digits, that of a sum also `_`.",
        example: Example::Cql3("(match (position :accumulate a-b))"),
        mended: Some("(match (position :accumulate ab))"),
    },
    CodeEntry {
        code: Code::TagForPieces,
        explanation: "Here CQL 3 takes pieces, not a tag that stands for pieces.",
        example: Example::Cql3("(match :forany p R :forany q $p (position))"),
        mended: Some("(match :forany p R :forany q R (position))"),
    },
    CodeEntry {
        code: Code::DuplicateSequence,
        explanation: "A position list has one `:sequence` or `:gappedsequence`. Combine several \
                       with `:and`.",
        example: Example::Cql3("(match (position :sequence ((position)) :sequence ((position))))"),
        mended: Some(
            "(match (position :and ((position :sequence ((position))) (position :sequence ((position))))))",
        ),
    },
    CodeEntry {
        code: Code::NestedMatchCount,
        explanation: "`:matchcount` and `:pretransformmatchcount` count the matches of a game, so \
                       they belong to a position list directly inside of the match list.",
        example: Example::Cql3("(match (position :and ((position :matchcount 2 3))))"),
        mended: Some("(match (position :matchcount 2 3))"),
    },
    CodeEntry {
        code: Code::NoModernForm,
        explanation: "This part of the query of CQL 3 cannot be written in modern CQL, or can only \
                       be checked and run, not converted. It still runs as it is.",
        example: Example::Conversion("(match (position :relation (:changesidetomove)))"),
        mended: None,
    },
    CodeEntry {
        code: Code::AddedToCql3,
        explanation: "A query of CQL 3 runs as it is: variables, transforms and further filters \
                       can be added only to a modern query. Convert it first.",
        example: Example::Elsewhere("a query of CQL 3 with the filter `mate` added to it"),
        mended: None,
    },
    CodeEntry {
        code: Code::IneffectiveKeyword,
        explanation: "The keyword belongs to a position list directly inside of the match list. In \
                       a nested list it changes nothing.",
        example: Example::Cql3("(match (position :and ((position :markall))))"),
        mended: Some("(match (position :markall :and ((position))))"),
    },
    CodeEntry {
        code: Code::UnpredictableSum,
        explanation: "How often a list under `:not` or in a sequence is tried depends on the \
                       search, and `:accumulate` adds 1 each time.",
        example: Example::Cql3("(match (position :not :accumulate x :sumrange x 1 2))"),
        mended: None,
    },
    CodeEntry {
        code: Code::EmptySum,
        explanation: "`:sumrange` tests a sum to which no `:accumulate` of the same list adds, so \
                       it is always 0. Correct the name.",
        example: Example::Cql3("(match (position :accumulate rooks :sumrange rook 1 2))"),
        mended: Some("(match (position :accumulate rooks :sumrange rooks 1 2))"),
    },
    CodeEntry {
        code: Code::EmptyCql3Range,
        explanation: "The first number of the range is greater than the second, so nothing lies in \
                       it.",
        example: Example::Cql3("(match :year 1999 1990 (position))"),
        mended: Some("(match :year 1990 1999 (position))"),
    },
    CodeEntry {
        code: Code::ModernDifference,
        explanation: "The modern query finds the same positions, but marks them differently.",
        example: Example::Conversion("(match (position :mate))"),
        mended: None,
    },
];
