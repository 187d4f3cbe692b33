//! Writes the parsers of `babson-lang`, which lalrpop generates from the grammars.
//!
//! They are checked in, so that who depends on Babson need not build lalrpop.

use std::io::{self, Error};
use std::path::Path;

/// The folder of the grammars.
const GRAMMARS: &str = "crates/babson-lang/src";
/// The folder of the parsers, in [`GRAMMARS`].
const GENERATED: &str = "generated";

/// Writes all parsers.
///
/// # Errors
/// A grammar does not compile, or a parser cannot be written.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    let grammars = root.join(GRAMMARS);
    generate(&grammars, &grammars.join(GENERATED))
}

/// Generates the parsers of all grammars of a folder and of the folders in it.
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
        let grammars = crate::root().join(GRAMMARS);
        let generated = tempfile::tempdir().expect("a folder");
        generate(&grammars, generated.path()).expect("the grammars compile");
        for parser in ["grammar.rs", "cql3/grammar.rs"] {
            let read = |path: &Path| fs::read_to_string(path).expect("a parser");
            let new = read(&generated.path().join(parser));
            let old = read(&grammars.join(GENERATED).join(parser));
            assert!(new == old, "{parser} is not of its grammar: run cargo xtask parser");
        }
    }
}
