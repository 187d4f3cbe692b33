//! Variables, dictionaries, functions and transforms.

use super::{CodeEntry, Example};
use crate::diagnostic::Code;

pub(super) const ENTRIES: &[CodeEntry] = &[
    CodeEntry {
        code: Code::WrongStorage,
        explanation: "Each kind of variable has its own lifetimes: only dictionaries are `local`, \
                       a variable is `persistent` from its first assignment on, positions and \
                       pieces belong to one game and cannot be `persistent`, and only ordinary \
                       variables are `atomic`.",
        example: Example::Query("persistent x = currentposition"),
        mended: Some("x = currentposition"),
    },
    CodeEntry {
        code: Code::ChangedDictionary,
        explanation: "A dictionary may be declared again, but with the same types, the same rule \
                       and the same lifetime.",
        example: Example::Query("dictionary int --> int D dictionary str --> int D"),
        mended: Some("dictionary int --> int D dictionary int --> int D"),
    },
    CodeEntry {
        code: Code::StoredPosition,
        explanation: "Positions belong to one game, and a dictionary outlives it. Only a `local` \
                       dictionary, which is empty at the beginning of each game, can hold them.",
        example: Example::Query("dictionary D D[currentposition] = 2"),
        mended: Some("local dictionary D D[currentposition] = 2"),
    },
    CodeEntry {
        code: Code::UnknownMergeRule,
        explanation: "The rule in parentheses says how two values under one key are merged: `sum`, \
                       `min` or `max` for numbers and strings, `union` or `intersection` for sets.",
        example: Example::Query("dictionary str --> int (avg) D"),
        mended: Some("dictionary str --> int (sum) D"),
    },
    CodeEntry {
        code: Code::WrongEntryType,
        explanation: "The first use of a dictionary, or its declaration, decides the types of its \
                       keys and values. This key or value has another type.",
        example: Example::Query(r#"dictionary D D[1] = 2 D["a"]"#),
        mended: Some("dictionary D D[1] = 2 D[3]"),
    },
    CodeEntry {
        code: Code::UnknownEntryType,
        explanation: "The keys and values of a dictionary are of type `int`, `str`, `set` or \
                       `position`.",
        example: Example::Query("dictionary int --> bool D"),
        mended: Some("dictionary int --> int D"),
    },
    CodeEntry {
        code: Code::EmptyDictionary,
        explanation: "The loop stands before the first use that decides the type of the keys. \
                       Declare the dictionary with types, or write the loop after the assignments.",
        example: Example::Query("dictionary D key x in D check"),
        mended: Some("dictionary str --> int D key x in D check"),
    },
    CodeEntry {
        code: Code::NotALoopSource,
        explanation: "A loop over keys needs the name of a dictionary, and `string` one whose keys \
                       are strings. `all` belongs to loops over squares and pieces.",
        example: Example::Query("key x in A check"),
        mended: Some("square x in A check"),
    },
    CodeEntry {
        code: Code::ChangedType,
        explanation: "The first assignment decides the type of a variable for the whole query. Use \
                       another variable.",
        example: Example::Query(r#"x = 3 x = "a""#),
        mended: Some(r#"x = 3 y = "a""#),
    },
    CodeEntry {
        code: Code::NotAssignable,
        explanation: "On the left of `=` there is the name of a variable, an entry of a \
                       dictionary, or a part of a string variable.",
        example: Example::Query(r#"x = "a" lowercase(x)[1] = "b""#),
        mended: Some(r#"x = "ab" x[1] = "b""#),
    },
    CodeEntry {
        code: Code::SliceUpdate,
        explanation: "A part of a string is assigned with `=`. Operators such as `+=` work on \
                       whole variables only.",
        example: Example::Query(r#"x = "ab" x[1] += "c""#),
        mended: Some(r#"x = "ab" x[1] = "c""#),
    },
    CodeEntry {
        code: Code::RecursiveFunction,
        explanation: "A function is a text that is inserted where it is called, so it cannot call \
                       itself, directly or through another function. Use `while` or `find`.",
        example: Example::Query("function f() { f() } f()"),
        mended: Some("function f() { check } f()"),
    },
    CodeEntry {
        code: Code::NestedHook,
        explanation: "`cqlbegin` and `cqlend` belong to the whole query: they stand among its \
                       filters, not inside of braces or other filters.",
        example: Example::Query("if check { cqlend { message(1) } }"),
        mended: Some("check cqlend { message(1) }"),
    },
    CodeEntry {
        code: Code::NoPosition,
        explanation: "`cqlbegin` runs before the first game and `cqlend` after the last one, so their \
                       filters cannot look at a game or a position. Only variables, dictionaries \
                       and texts can be used there.",
        example: Example::Query("mate cqlend { message(ply) }"),
        mended: Some("persistent x = ply cqlend { message(x) }"),
    },
    CodeEntry {
        code: Code::ResetCounter,
        explanation: "The query is evaluated at each position, and so is the assignment: it undoes \
                       what the update counted before. Put it into `cqlbegin`, which runs once \
                       before the first game, or leave it out: a persistent variable begins with \
                       0, `\"\"` or the empty set.",
        example: Example::Query("persistent mates = 0 mate mates += 1"),
        mended: Some("cqlbegin { persistent mates = 0 } mate mates += 1"),
    },
    CodeEntry {
        code: Code::UnknownTransform,
        explanation: "The word is not one of the transforms, such as `flip`, `shift` or \
                       `flipcolor`.",
        example: Example::Elsewhere("the word `mirror` as a transform around the whole query"),
        mended: None,
    },
    CodeEntry {
        code: Code::UntransformableFilter,
        explanation: "The transform cannot turn this filter: `rotate45` turns directions but not \
                       squares, and `similarposition` has its own maps.",
        example: Example::Query("rotate45 a1"),
        mended: Some("rotate90 a1"),
    },
];
