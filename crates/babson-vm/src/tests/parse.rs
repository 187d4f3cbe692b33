//! From text to a program, as an embedder does it.

use std::error::Error;
use std::sync::Arc;

use babson_chess::{Variant, VariantNames};
use babson_lang::diagnostic::Code;
use babson_lang::imports::{FoundFile, ImportFiles};

use super::host::MemoryHost;
use crate::{CompileOptions, Dialect, Machine, ParseError, Program, RunOptions};

fn error(text: &str) -> ParseError {
    Program::parse(text, Dialect::CQLI).expect_err(text)
}

/// A file for each name that is a function of itself.
#[derive(Debug)]
struct Functions;

impl ImportFiles for Functions {
    fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
        let text = match name {
            "typo" => "// a typo\nfunction typo(X) { X attaks k }".to_owned(),
            "motifs" => return Ok(None),
            "secret" => return Err("`secret` is forbidden".to_owned()),
            name => format!("function {name}(X) {{ #X == 1 }}"),
        };
        Ok(Some(FoundFile::new(name, format!("{name}.cql"), text)))
    }
}

fn importing(text: &str) -> Result<Program, ParseError> {
    let options = CompileOptions { imports: Arc::new(Functions), ..CompileOptions::default() };
    Program::parse_with(text, Dialect::CQLI, &options)
}

#[test]
fn imports_are_resolved_or_named() {
    assert!(Program::parse("import \"motifs\" smotheredmate()", Dialect::CQLI).is_ok());
    assert!(importing("import \"lone\" import \"motifs\" lone(Q) smotheredmate()").is_ok());
    let none = error("mate\nimport \"lone\" lone(Q)");
    assert_eq!(none.diagnostics.len(), 1);
    assert_eq!(none.diagnostics[0].code, Code::ImportNotFound);
    assert!(none.to_string().starts_with("2:8: no file `lone` was found"), "{none}");
    let forbidden = importing("import \"secret\" lone(Q)").unwrap_err();
    assert_eq!(forbidden.to_string(), "1:8: `secret` is forbidden");
}

#[test]
fn an_error_in_an_imported_file_has_its_place_there() {
    let error = importing("import \"typo\" mate typo(R) chekc").unwrap_err();
    let text = "typo.cql:2:22: unknown name `attaks`\n1:28: unknown name `chekc`";
    assert_eq!(error.to_string(), text);
    let located = error.located().next().unwrap();
    assert_eq!((located.file, located.line, located.column), (Some("typo.cql"), 2, 22));
    assert_eq!(located.diagnostic.span.text(&error.text), "attaks");
}

#[test]
fn an_error_tells_all_diagnostics() {
    let errors = error("A attacks 3\n  #K == \"x\"");
    let lines = errors.to_string();
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines[0].starts_with("1:3: `attacks` cannot join"), "{errors}");
    assert!(lines[1].starts_with("2:6: `==` cannot join"), "{errors}");
    assert_eq!((lines.len(), errors.diagnostics.len()), (2, 2));
    assert_eq!(format!("{errors:?}"), errors.to_string());
    let boxed: Box<dyn Error + Send + Sync> = Box::new(errors.clone());
    assert_eq!(boxed.to_string(), errors.to_string());
    let json = serde_json::to_string(&errors).unwrap();
    assert_eq!(serde_json::from_str::<ParseError>(&json).unwrap(), errors);
    // A column is a character.
    assert!(error("\"é\" chekc").to_string().starts_with("1:5: "));
}

#[test]
fn the_text_may_be_a_query_of_cql_3() {
    let program = Program::parse("(match (position :mate))", Dialect::CQL6).unwrap();
    assert!(Machine::new(program).run_text(b"1. f3 e5 2. g4 Qh4#").unwrap().is_some());
    assert!(error("(match\n(position :mat))").to_string().starts_with("2:11: unknown keyword"));
    assert_eq!(error("(position :mate)").diagnostics[0].code, Code::BarePositionList);
    assert_eq!(error("cql() (match (position :mate))").diagnostics[0].code, Code::AddedToCql3);
}

#[test]
fn a_query_that_demands_variations_must_visit_them() {
    let refused = error("true hhdb mainline");
    assert_eq!(refused.diagnostics[0].code, Code::NeedsVariations);
    assert_eq!(refused.to_string(), "1:6: this filter needs variations");
    assert!(Program::parse("cql(variations) hhdb mainline", Dialect::CQLI).is_ok());
}

/// A host that does not have the file is an error of the text, as is the default host.
#[test]
fn the_file_of_similarposition_is_read_by_the_host() {
    let text = "mate similarposition \"a.pgn\"";
    assert_eq!(error(text).to_string(), "1:22: similarposition is not allowed here");
    let with = |files: &[(&str, &str)]| {
        let options = CompileOptions { host: MemoryHost::of(files), ..CompileOptions::default() };
        Program::parse_with(text, Dialect::CQLI, &options)
    };
    assert!(with(&[]).is_err());
    let fen = "[FEN \"8/8/8/8/8/3k4/8/3K4 w - - 0 1\"]\n\n*\n";
    assert_eq!(with(&[("a.pgn", fen)]).unwrap().submission(), Some(("a.pgn", 1)));
}

/// Added names of variants work both in the query and in the games that the machine reads.
#[test]
fn variants_may_have_other_names() {
    let text = "variant \"shakmaty\"";
    let pgn = b"[Variant \"Shakmaty\"]\n\n1. e4 *";
    assert!(Program::parse(text, Dialect::CQLI).is_err());
    let mut variants = VariantNames::default();
    variants.add("shakmaty", Variant::Standard).unwrap();
    let options = CompileOptions { variants, ..CompileOptions::default() };
    let program = Program::parse_with(text, Dialect::CQLI, &options).unwrap();
    assert!(Machine::new(program).run_text(pgn).unwrap().is_some());
}

/// In CQL 6.2 the sort header is the last comment of the initial position.
#[test]
fn the_dialect_decides_the_order_of_comments() {
    for (dialect, headers) in [(Dialect::CQLI, 1), (Dialect::CQL6, 0)] {
        let program = Program::parse("cql() sort \"n\" gamenumber", dialect).unwrap();
        let mut machine = Machine::new(program);
        assert_eq!(machine.run_text(b"1. e4 *").unwrap().unwrap().outcome().headers, headers);
        assert_eq!(RunOptions::in_dialect(dialect).cql6_output, headers == 0);
    }
}
