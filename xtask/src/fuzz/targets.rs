//! The targets: every test that is made by `check_law!`.

/// A law that can be fuzzed.
#[derive(Debug)]
pub(crate) struct Target {
    /// The name of the law, of its corpus, and of the test function.
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
    /// Where the test is.
    pub(crate) place: Place,
}

/// A binary of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The unit tests, in this file of the package.
    Unit(&'static str),
    /// The integration test of this name, in this file of the package.
    Integration(&'static str, &'static str),
    /// The unit tests of the program, in this file of the package.
    Program(&'static str),
}

impl Place {
    /// The file with the test.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Place::Unit(file) | Place::Integration(_, file) | Place::Program(file) => file,
        }
    }
}

const LAWS: Place = Place::Integration("laws", "tests/laws.rs");
const PROPERTIES: Place = Place::Unit("src/properties.rs");
const TABLES: Place = Place::Integration("tables", "tests/tables/random.rs");
const REGEX: Place = Place::Unit("src/regex/mod.rs");
const TABLE_BYTES: Place = Place::Unit("src/tests/laws.rs");

const fn target(name: &'static str, package: &'static str, place: Place) -> Target {
    Target { name, package, place }
}

/// In the order in which they are fuzzed.
pub(crate) const TARGETS: &[Target] = &[
    target("query_text", "babson-lang", LAWS),
    target("query_words", "babson-lang", LAWS),
    target("query_grammar", "babson-lang", LAWS),
    target("query_and_game", "babson-vm", Place::Unit("src/tests/laws.rs")),
    target("query_and_table", "babson-engine", TABLES),
    target("query_and_corpus", "babson-engine", TABLES),
    target("regex_engines", "babson-vm", REGEX),
    target("regex_text", "babson-vm", REGEX),
    target("pgn_text", "babson-pgn", PROPERTIES),
    target("pgn_parts", "babson-pgn", PROPERTIES),
    target("pgn_games", "babson-pgn", PROPERTIES),
    target("fen_text", "babson-chess", LAWS),
    target("fen_words", "babson-chess", LAWS),
    target("played_positions", "babson-chess", LAWS),
    target("table_bytes", "babson-table", TABLE_BYTES),
    target("mended_table_bytes", "babson-table", TABLE_BYTES),
    target("stream_bytes", "babson-input", LAWS),
    target("archive_bytes", "babson-input", LAWS),
    target("part_bytes", "babson-engine", Place::Unit("src/slices/tests/part_bytes.rs")),
    target("project_text", "babson-project", LAWS),
    target("project_words", "babson-project", LAWS),
    target("command_lines", "babson-cli", Place::Program("src/options/tests.rs")),
    target("api_text", "babson-api", LAWS),
    target("api_bodies", "babson-api", LAWS),
    target("lsp_messages", "babson-lsp", Place::Unit("src/tests.rs")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Every law of the sources is a target, in the file that the table names, and the page of the
    /// book lists it.
    #[test]
    fn every_law_is_a_target() {
        let root = crate::root();
        let mut laws = BTreeSet::new();
        let mut folders = vec![root.join("crates")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let is_built = ["target", "node_modules"].iter().any(|name| path.ends_with(name));
                if path.is_dir() && !is_built {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    laws.extend(laws_of(&path));
                }
            }
        }
        let known = TARGETS.iter().map(|target| {
            let file = root.join("crates").join(target.package).join(target.place.file());
            (target.name.to_owned(), file)
        });
        assert_eq!(laws, known.collect());
        let page = fs::read_to_string(root.join("docs/src/testing.md")).unwrap();
        for target in TARGETS {
            assert!(page.contains(&format!("`{}`", target.name)), "{}", target.name);
        }
    }

    /// The names of the laws in a source that tests them.
    fn laws_of(path: &Path) -> Vec<(String, PathBuf)> {
        let text = fs::read_to_string(path).unwrap();
        // The documentation of the macro is an example.
        let calls = text.split("\n").filter(|line| !line.starts_with("///"));
        let names = calls.filter_map(|line| line.split_once("check_law!(\"")?.1.split('"').next());
        names.map(|name| (name.to_owned(), path.to_owned())).collect()
    }
}
