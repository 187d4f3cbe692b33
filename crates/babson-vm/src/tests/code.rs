//! Laws of all compiled code, and its disassembly.

use std::path::{Path, PathBuf};

use babson_lang::Dialect;

use super::profiled;
use crate::op::{Op, Pc};
use crate::{CompileOptions, Program};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The texts of all files of a folder whose names end so, in order of their names.
fn texts(folder: &str, ending: &str) -> Vec<String> {
    let folder = std::fs::read_dir(corpus().join(folder)).expect("a folder of the corpus");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).expect("a text")).collect()
}

/// The queries of the corpus and of the golden cases.
fn queries() -> Vec<String> {
    let mut queries = texts("queries", ".cql");
    for cases in texts("goldens", ".jsonl") {
        queries.extend(cases.lines().filter_map(query_of));
    }
    queries
}

/// The query of a golden case: the JSON string after its name.
fn query_of(case: &str) -> Option<String> {
    let (_, rest) = case.split_once("\"query\": \"")?;
    let mut query = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => return Some(query),
            '\\' => match letters.next()? {
                'n' => query.push('\n'),
                't' => query.push('\t'),
                'r' => query.push('\r'),
                'u' => {
                    let code: String = letters.by_ref().take(4).collect();
                    query.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                letter => query.push(letter),
            },
            letter => query.push(letter),
        }
    }
}

/// The programs of a query in each dialect that reads it, also with counters.
fn programs(query: &str) -> Vec<Program> {
    let mut programs = Vec::new();
    for dialect in [Dialect::CQL6, Dialect::CQLI] {
        if let Ok(analysis) = crate::analyze(query, dialect) {
            programs.extend(Program::compile(&analysis.query).ok());
            programs.extend(profiled(&analysis.query).ok());
            // Each filter with its value, and so without the shortcuts of tests.
            let traced = CompileOptions { trace: true, value: true, ..CompileOptions::default() };
            programs.extend(Program::compile_with(&analysis.query, &traced).ok());
        }
    }
    programs
}

fn program(query: &str) -> Program {
    programs(query).swap_remove(0)
}

/// What a program breaks of the laws of jumps.
fn fault(program: &Program) -> Option<String> {
    let ops = &program.parts().code.ops;
    let reached = crate::compile::reachable(ops, &program.parts().code.entries);
    for (at, op) in ops.iter().enumerate() {
        let pc = Pc::new(at);
        let target = op.label().map(|label| (label, ops[label.index()]));
        if let Some((label, Op::Jump { .. })) = target {
            return Some(format!("{at} {op:?} goes to a jump at {label}"));
        }
        if matches!(op, Op::Jump { to } if *to == pc.next()) {
            return Some(format!("{at} {op:?} goes to the next instruction"));
        }
        if !reached[at] {
            return Some(format!("{at} {op:?} is never reached"));
        }
    }
    None
}

#[test]
fn no_jump_leads_to_a_jump_and_all_code_is_reached() {
    let queries = queries();
    let programs: Vec<(&String, Vec<Program>)> =
        queries.iter().map(|query| (query, programs(query))).collect();
    let compiled = programs.iter().filter(|(_, programs)| !programs.is_empty()).count();
    assert!(compiled * 20 > queries.len() * 19, "{compiled} of {} queries", queries.len());
    for (query, programs) in programs {
        for program in programs {
            assert_eq!(fault(&program), None, "{query}\n{}", program.explain());
        }
    }
}

/// The code of a query, as `babson explain` prints it.
fn code(query: &str) -> String {
    let explained = program(query).explain();
    explained.split_once("\nbytecode ").expect("the code").1.to_owned()
}

#[test]
fn code_is_readable() {
    let empty = format!("cql() fen \"{}\"", ["........"; 8].join("/"));
    let queries = [
        ("attacks", "cql() A attacks k not check"),
        ("flip", "cql() flip { [BN]a-c4 attacks k } wtm"),
        ("variables", "cql() x = up 1 K #x > 0 message(\"x\" x)"),
        ("line", "cql() line --> move legal from K to [a1,h8] --> check+"),
        ("path", "cql() path N-- [QR][x][qr] check"),
        ("find", "cql() find all mate piece $p in Q $p attacks k"),
        ("imagine", "cql() imagine piece q --> _ : (imagine sidetomove black : check)"),
        ("once", "cql() find all {event ~~ \"L.*E\" fen ~~ \"^r\" #A > 9}"),
        ("dictionary", "cql() local dictionary D D[\"a\"] = 2 unbind D D[\"a\"] == 2"),
        ("position_lists", "(match :forany x R (position :variations :markall Ra1) (position))"),
        ("counted", "(match (position Ra1 :pretransformmatchcount 2 10 :flipvertical))"),
        ("sequence", "(match (position :check :gappedsequence ((position K) (position))))"),
        ("relation", "(match (position :relation (:changesidetomove :missingpiececount P 1)))"),
        (
            "fen",
            "cql() fen \"k......./......../......../......../......../......../......../.......K\"",
        ),
        ("fen_without_designators", &empty),
    ];
    insta::with_settings!({ omit_expression => true }, {
        for (name, query) in queries {
            insta::assert_snapshot!(name, code(query));
        }
    });
}
