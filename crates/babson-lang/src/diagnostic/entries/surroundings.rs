//! Limits, imports and the surroundings of the query.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::QueryTooLong,
        explanation: "Places in a query are numbers of 32 bits, so a query has less than 4 GiB.",
        example: Example::Elsewhere("a query of 4 GiB"),
        mended: None,
    },
    CodeEntry {
        code: Code::NestedTooDeep,
        explanation: "Brackets, filters and calls of functions are nested too deep. Split the \
                       query with variables.",
        example: Example::Elsewhere("a filter in 300 pairs of braces"),
        mended: None,
    },
    CodeEntry {
        code: Code::TooManyFilters,
        explanation: "With its functions inserted, the query has too many filters.",
        example: Example::Elsewhere("functions that call each other many times"),
        mended: None,
    },
    CodeEntry {
        code: Code::TooManyOperators,
        explanation: "A chain of operators is too long. Split it with parentheses or variables.",
        example: Example::Elsewhere("a sum of 1000 numbers"),
        mended: None,
    },
    CodeEntry {
        code: Code::TooAmbiguous,
        explanation: "Several operators can be read in two ways, such as a `-` between filters, \
                       and too many combinations would have to be tried. Write parentheses around \
                       the operands.",
        example: Example::Elsewhere("a query with thousands of `-` that can be read in two ways"),
        mended: None,
    },
    CodeEntry {
        code: Code::TooManyCopies,
        explanation: "Transforms make a copy of their operand for each image, and those of nested \
                       transforms multiply. Remove a transform, or make its operand smaller.",
        example: Example::Query("shift { Kd4 shift { qd4 shift { Rd4 shift rd4 } } }"),
        mended: Some("shift { Kd4 qd4 Rd4 rd4 }"),
    },
    CodeEntry {
        code: Code::TooManyRegisters,
        explanation: "The compiled query needs more registers than the machine has. Split it into \
                       several queries.",
        example: Example::Elsewhere("a query with more than 65,535 variables"),
        mended: None,
    },
    CodeEntry {
        code: Code::ImportNotFound,
        explanation: "No file of this name is in the folder of the importing file or in the \
                       folders of the search path, and the built-in library does not have it. \
                       Correct the name, or add a folder.",
        example: Example::Elsewhere("`import \"nosuch\"`"),
        mended: None,
    },
    CodeEntry {
        code: Code::ImportCycle,
        explanation: "A file imports a file that imports the first one again. Put what both need \
                       into a third file.",
        example: Example::Elsewhere("a file `a.cql` with `import \"a\"`"),
        mended: None,
    },
    CodeEntry {
        code: Code::TooManyImports,
        explanation: "The query imports too many files, or too long ones.",
        example: Example::Elsewhere("a query that imports more than 100 files"),
        mended: None,
    },
    CodeEntry {
        code: Code::ImportedHeader,
        explanation: "An imported file consists of functions and has no header. Only the query has \
                       one.",
        example: Example::Elsewhere("the import of a file with `cql(silent)`"),
        mended: None,
    },
    CodeEntry {
        code: Code::ImportedFilter,
        explanation: "An imported file consists of functions. Put its filters into a function and \
                       call it in the query.",
        example: Example::Elsewhere("the import of a file with the filter `mate`"),
        mended: None,
    },
    CodeEntry {
        code: Code::NestedImport,
        explanation: "`import` stands alone among the filters of the query, not inside of another \
                       filter. Write it at the beginning.",
        example: Example::Query(r#"{ import "motifs" }"#),
        mended: None,
    },
    CodeEntry {
        code: Code::NeedsVariations,
        explanation: "The filter looks at variations, and the query visits only the main line. \
                       Write `cql(variations)`, or choose that variations are visited.",
        example: Example::Elsewhere("`hhdb mainline` in a query without `cql(variations)`"),
        mended: None,
    },
    CodeEntry {
        code: Code::FailedFilter,
        explanation: "While the search ran, a filter could not go on: it exceeded a limit, or a \
                       program or file failed. The game is skipped, or the run ends.",
        example: Example::Elsewhere("a `while` that never ends"),
        mended: None,
    },
    CodeEntry {
        code: Code::ForbiddenAccess,
        explanation: "The caller allows the query to see nothing but the games, and this filter or \
                       header opens a file or starts a program.",
        example: Example::Elsewhere("`writefile` in a query that may not open files"),
        mended: None,
    },
    CodeEntry {
        code: Code::UnreadableFile,
        explanation: "A file that the query names cannot be read, or its content does not fit. The \
                       message tells why.",
        example: Example::Elsewhere("`similarposition` with a file that does not exist"),
        mended: None,
    },
    CodeEntry {
        code: Code::NotAnInput,
        explanation: "The header of the query names an input that is not a database of games. The \
                       name of a database has a known extension.",
        example: Example::Elsewhere("`cql(input games.doc)`"),
        mended: None,
    },
    CodeEntry {
        code: Code::NotAnOutput,
        explanation: "The header of the query names an output that cannot be written. Its \
                       extension tells the format.",
        example: Example::Elsewhere("`cql(output games.txt)`"),
        mended: None,
    },
];
