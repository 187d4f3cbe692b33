//! Parameters, `line` and `path`, moves.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::DuplicateParameter,
        explanation: "The filter has room for one value of this parameter, but the query writes it \
                       twice. Remove one of the two.",
        example: Example::Query("move from a2 from a4"),
        mended: Some("move from [a2,a4]"),
    },
    CodeEntry {
        code: Code::UnknownParameter,
        explanation: "The word is a parameter of other filters, but not of this one. The page of \
                       the filter in the book lists its parameters.",
        example: Example::Query(r#"line title "t" --> check"#),
        mended: Some("line --> check"),
    },
    CodeEntry {
        code: Code::ExcludingParameters,
        explanation: "The two parameters contradict each other, or one already includes the other. \
                       Keep one of them, or write two filters.",
        example: Example::Query("move primary secondary"),
        mended: Some("move primary"),
    },
    CodeEntry {
        code: Code::MissingParameter,
        explanation: "A filter, or one of its parameters, needs another parameter, which the \
                       message names.",
        example: Example::Query("move count"),
        mended: Some("move legal count"),
    },
    CodeEntry {
        code: Code::MisplacedParameter,
        explanation: "The parameters of a filter have a fixed place: those of `path` come before \
                       its constituents, `comment` is the last one of `move`, and `sort` is not the \
                       last word of `hhdb`.",
        example: Example::Query("hhdb prize sort"),
        mended: Some("hhdb sort prize"),
    },
    CodeEntry {
        code: Code::DistanceOutOfRange,
        explanation: "Directions such as `up` take the least and the greatest distance, from -7 to \
                       7, the smaller one first.",
        example: Example::Query("up 2 1 K"),
        mended: Some("up 1 2 K"),
    },
    CodeEntry {
        code: Code::RepeatedDirection,
        explanation: "The directions of a `ray` are different. Some words stand for several: \
                       `vertical` is `up` and `down`.",
        example: Example::Query("ray up vertical (K k)"),
        mended: Some("ray vertical (K k)"),
    },
    CodeEntry {
        code: Code::UnknownHhdbKey,
        explanation: "`hhdb` takes one of the keys of the database of endgame studies by Harold \
                       van der Heijden. The page on `hhdb` in the book lists them.",
        example: Example::Query("hhdb colour"),
        mended: Some("hhdb composer"),
    },
    CodeEntry {
        code: Code::EmptyPath,
        explanation: "A `path` needs at least one constituent: a dash, or a filter to test.",
        example: Example::Query("path firstmatch"),
        mended: Some("path firstmatch --"),
    },
    CodeEntry {
        code: Code::UnrepeatableConstituent,
        explanation: "In a `path`, repetitions such as `*` and `{2}` follow a dash or a group in \
                       parentheses. A filter tests one position and cannot be repeated.",
        example: Example::Query("path check * --"),
        mended: Some("path (-- check)* --"),
    },
    CodeEntry {
        code: Code::NotAConstituent,
        explanation: "A `line` or `path` reads each of its constituents as a filter to test. A \
                       plain number, or a filter that would take the next constituents as its \
                       operands, cannot be one without braces.",
        example: Example::Query("line --> 3"),
        mended: Some("{line --> check} > 3"),
    },
    CodeEntry {
        code: Code::EmptyRepetition,
        explanation: "The constituent can already match no position at all, so its repetition \
                       would never advance. Remove one of the repetitions.",
        example: Example::Query("line --> check**"),
        mended: Some("line --> check*"),
    },
    CodeEntry {
        code: Code::RepetitionAfterPlus,
        explanation: "Only `*` and `?` can follow `+`. Write the repetition once, as `{n,m}`.",
        example: Example::Query("line --> check++"),
        mended: Some("line --> check{2,}"),
    },
    CodeEntry {
        code: Code::NotPromotionPieces,
        explanation: "A promotion names kinds of pieces: a designator without squares such as `Q` \
                       or `[RN]`, or `.` for all. After a dash it can also be a string.",
        example: Example::Query("move promote Ra1"),
        mended: Some("move promote R"),
    },
    CodeEntry {
        code: Code::MisplacedDashPrefix,
        explanation: "Before a dash there may be `previous`, `legal` or `pseudolegal`, and \
                       `countmoves` before the last two. Other combinations mean nothing.",
        example: Example::Query("countmoves previous --"),
        mended: Some("countmoves legal --"),
    },
    CodeEntry {
        code: Code::LegalDash,
        explanation: "`legal --` and `pseudolegal --` find the moves that are possible, without \
                       playing them. So they have no captures `[x]` and no filter about the \
                       position after the move.",
        example: Example::Query("legal --(check)"),
        mended: Some("move legal : check"),
    },
    CodeEntry {
        code: Code::NotOnePiece,
        explanation: "`imagine piece` places one kind of piece of one color on each square of a \
                       set. Write one letter.",
        example: Example::Query("imagine piece [RQ] --> d4 : check"),
        mended: Some("imagine piece Q --> d4 : check"),
    },
];
