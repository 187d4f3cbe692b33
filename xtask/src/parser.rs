//! Writes the parsers of the front ends, which lalrpop generates from the grammars.
//!
//! The parsers are checked in, so that a program that depends on Babson need not build lalrpop.

use std::io::{self, Error};
use std::path::Path;

/// The folders of the grammars.
const GRAMMARS: [&str; 2] = ["crates/babson-lang/src", "crates/babson-cql3/src"];
/// The folder of a parser, inside the folder of its grammar.
const GENERATED: &str = "generated";

/// Writes all parsers.
///
/// # Errors
/// A grammar does not compile, or a parser cannot be written.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    GRAMMARS
        .iter()
        .map(|folder| root.join(folder))
        .try_for_each(|grammar| generate(&grammar, &grammar.join(GENERATED)))
}

/// Generates the parser of the grammar in a folder.
fn generate(grammars: &Path, out: &Path) -> io::Result<()> {
    lalrpop::Configuration::new()
        .set_in_dir(grammars)
        .set_out_dir(out)
        .force_build(true)
        .process()
        .map_err(|error| Error::other(format!("a grammar does not compile: {error}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_parsers_are_those_of_the_grammars() {
        for folder in GRAMMARS {
            let grammar = crate::root().join(folder);
            let generated = tempfile::tempdir().expect("a folder");
            generate(&grammar, generated.path()).expect("the grammar compiles");
            let read =
                |folder: &Path| fs::read_to_string(folder.join("grammar.rs")).expect("a parser");
            let is_new = read(generated.path()) == read(&grammar.join(GENERATED));
            assert!(is_new, "the parser of {folder} is old: run cargo xtask parser");
        }
    }
}
