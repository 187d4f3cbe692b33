//! The sources as prose: every citation leads somewhere, comments keep to the width of the code,
//! the phrases that CONTRIBUTING.md replaces by plain ones do not come back, and those that pack a
//! thought into a few words are few.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

/// Columns of a line of comment, as `max_width` of `.rustfmt.toml` for code.
const WIDTH: usize = 100;

/// A file of the repository that people wrote.
struct SourceFile {
    /// Relative to the root of the repository.
    path: PathBuf,
    text: String,
}

impl SourceFile {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| extensions.contains(&extension))
    }

    /// The lines with their numbers, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Every text that people wrote: not the games, not what tests or tools generate.
fn sources() -> Vec<SourceFile> {
    const EXTENSIONS: [&str; 6] = ["rs", "lalrpop", "md", "toml", "sh", "cql"];
    const GENERATED: [&str; 6] =
        ["target", "snapshots", "goldens", "data", "generated", "node_modules"];
    let root = root();
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository can be read") {
            let path = entry.expect("an entry of the repository can be read").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if !name.starts_with('.') && !GENERATED.contains(&name) {
                    folders.push(path);
                }
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                // Some queries of the corpus are in Latin-1 on purpose.
                let text = String::from_utf8_lossy(&fs::read(&path).expect("a source can be read"))
                    .into_owned();
                let path = path.strip_prefix(&root).expect("found below the root").to_path_buf();
                sources.push(SourceFile { path, text });
            }
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(sources.len() > 400, "only {} sources found", sources.len());
    sources
}

/// Fails with the list of `faults`, if there are any.
fn expect_none(rule: &str, faults: &[String]) {
    let mut report = String::new();
    for fault in faults {
        writeln!(report, "  {fault}").expect("a string takes every write");
    }
    assert!(faults.is_empty(), "{} times: {rule}\n{report}", faults.len());
}

#[test]
fn comments_keep_to_the_width_of_the_code() {
    let mut faults = Vec::new();
    for source in sources().iter().filter(|source| source.has_extension(&["rs", "lalrpop"])) {
        // Examples and tables break where they must.
        let mut in_example = false;
        for (number, line) in source.lines() {
            let Some(comment) = line.trim_start().strip_prefix("//") else {
                in_example = false;
                continue;
            };
            let comment = comment.trim_start_matches(['/', '!', ' ']);
            in_example ^= comment.starts_with("```");
            let breaks = !in_example && !comment.starts_with('|') && !line.contains("://");
            if breaks && line.chars().count() > WIDTH {
                faults.push(format!("{}:{number}", source.path.display()));
            }
        }
    }
    expect_none("a line of comment is wider than the code", &faults);
}

/// The anchor that mdBook and GitHub give a heading.
fn anchor(heading: &str) -> String {
    let mut anchor = String::new();
    for c in heading.trim().chars() {
        match c {
            ' ' => anchor.push('-'),
            '-' | '_' => anchor.push(c),
            c if c.is_alphanumeric() => anchor.extend(c.to_lowercase()),
            _ => {}
        }
    }
    anchor
}

/// The anchors of every page, by its path.
fn anchors(sources: &[SourceFile]) -> BTreeMap<&Path, BTreeSet<String>> {
    let mut pages = BTreeMap::new();
    for page in sources.iter().filter(|source| source.has_extension(&["md"])) {
        let mut in_block = false;
        let mut anchors = BTreeSet::new();
        for line in page.text.lines() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            } else if !in_block && line.starts_with('#') {
                anchors.insert(anchor(line.trim_start_matches('#')));
            }
        }
        pages.insert(page.path.as_path(), anchors);
    }
    pages
}

/// `path` with its `.` and `..` taken away.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(part),
        }
    }
    normal
}

/// A comment names a page of the book by its path from the root of the repository, and a heading
/// by its anchor: `docs/src/language/path.md#where-a-filter-is-evaluated`. A page names another by
/// its path from its own folder.
#[test]
fn every_citation_leads_to_a_page_and_a_heading() {
    let sources = sources();
    let pages = anchors(&sources);
    let citation =
        Regex::new(r"(?-u)([\w./-]*\w\.md)(?:#([\w-]+))?").expect("the pattern is right");
    let own_heading = Regex::new(r"(?-u)\]\(#([\w-]+)\)").expect("the pattern is right");
    let mut faults = Vec::new();
    for source in &sources {
        let folder = source.path.parent().unwrap_or(Path::new(""));
        for (number, line) in source.lines() {
            // A page elsewhere, as of a crate, is not ours to check.
            if line.contains("://") {
                continue;
            }
            let place = format!("{}:{number}", source.path.display());
            for found in citation.captures_iter(line) {
                let page = Path::new(&found[1]);
                let candidates = [page.to_path_buf(), normalized(&folder.join(page))];
                match candidates.iter().find_map(|page| pages.get(page.as_path())) {
                    None => faults.push(format!("{place}: no page `{}`", &found[1])),
                    Some(anchors) => {
                        if let Some(heading) = found.get(2)
                            && !anchors.contains(heading.as_str())
                        {
                            faults.push(format!("{place}: no heading `{}`", &found[0]));
                        }
                    }
                }
            }
            if source.has_extension(&["md"]) {
                for found in own_heading.captures_iter(line) {
                    if !pages[source.path.as_path()].contains(&found[1]) {
                        faults.push(format!("{place}: no heading `#{}`", &found[1]));
                    }
                }
            }
        }
    }
    expect_none("a citation leads nowhere", &faults);
}

/// What CONTRIBUTING.md says to write otherwise: a pattern, and what stands in its place.
const PHRASES: [(&str, &str); 9] = [
    (r"(?i-u)\b(?:is|are|was|were|be) no\b", "is not a"),
    (r"(?i-u)\bblanks?\b", "whitespace, space"),
    (r"(?i-u)\bsigns\b", "punctuation, symbols"),
    (r"(?-u)\bmen\b", "pieces"),
    (r"(?i-u)\b(?:may|can|must) be but\b", "may be only"),
    (r"(?i-u)\ball the same\b", "still"),
    (r"(?i-u)\bpassed over\b", "skipped"),
    (r"(?i-u)\bof which\b", "say who does what"),
    (r"(?i-u)\bfor who\b", "say who does what"),
];

#[test]
fn phrases_that_must_be_translated_are_gone() {
    let phrases = PHRASES.map(|(pattern, plain)| (Regex::new(pattern).expect("a pattern"), plain));
    // "There is no X", "is no longer" and "is no more than" are plain English, and `[:blank:]` is a
    // class of POSIX.
    let plain = Regex::new(r"b\x22blank\x22|\[:blank:\]|(?i-u)\bthere (?:is|are|was|were|can be|may be|will be|must be) no\b|\b(?:is|are|was|were|be) no (?:longer|more|less|fewer|better|worse)\b").expect("a pattern");
    let mut faults = Vec::new();
    for source in &sources() {
        if source.path == Path::new("xtask/tests/sources.rs")
            || source.path == Path::new("CONTRIBUTING.md")
        {
            continue;
        }
        for (number, line) in source.lines() {
            let line = plain.replace_all(line, "");
            for (phrase, instead) in &phrases {
                if let Some(found) = phrase.find(&line) {
                    faults.push(format!(
                        "{}:{number}: \"{}\": {instead}",
                        source.path.display(),
                        found.as_str()
                    ));
                }
            }
        }
    }
    expect_none("a phrase is not plain English", &faults);
}

/// Phrases that pack a thought into a few words, all together. The number may only fall.
const MAX_PACKED_PHRASES: usize = 50;

#[test]
fn packed_phrases_are_few() {
    let phrase = Regex::new(r"(?i-u)\b(?:that of|those of|so many|is asked|is told)\b");
    let phrase = phrase.expect("a pattern");
    let mut found = BTreeMap::new();
    for source in sources().iter().filter(|source| source.has_extension(&["rs", "md"])) {
        let name = source.path.as_path();
        if ["xtask/tests/sources.rs", "CHANGELOG.md"].iter().any(|other| name == Path::new(other)) {
            continue;
        }
        let count = phrase.find_iter(&source.text).count();
        if count > 0 {
            found.insert(name.to_owned(), count);
        }
    }
    let all: usize = found.values().sum();
    assert!(all <= MAX_PACKED_PHRASES, "{all} packed phrases: say who does what\n{found:#?}");
}

/// The crates that share a `clippy.toml`.
const PURE_CRATES: &[&str] = &[
    "babson-chess",
    "babson-pgn",
    "babson-table",
    "babson-lang",
    "babson-cql3",
    "babson-ide",
    "babson-vm",
    "babson-report",
    "babson-api",
];

#[test]
fn the_pure_crates_forbid_the_same() {
    let text = |name: &str| {
        let path = root().join("crates").join(name).join("clippy.toml");
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let expected = text(PURE_CRATES[0]);
    assert!(expected.contains("std::fs::File::open"), "{expected}");
    for name in PURE_CRATES {
        assert_eq!(text(name), expected, "{name}/clippy.toml differs");
    }
}

/// A package is complete: it can be published and built outside of the repository.
#[test]
fn no_source_includes_a_file_of_another_package() {
    let include =
        Regex::new(r#"include(?:_str|_bytes)?!\((?:concat!\()?"([^"]+)""#).expect("a pattern");
    let mut faults = Vec::new();
    let mut count = 0;
    for source in sources().iter().filter(|source| source.has_extension(&["rs"])) {
        let package: PathBuf = match source.path.starts_with("crates") {
            true => source.path.components().take(2).collect(),
            false if source.path.starts_with("docs") => "docs".into(),
            // These are not published.
            false => continue,
        };
        for (number, line) in source.lines() {
            for found in include.captures_iter(line) {
                count += 1;
                let folder = source.path.parent().unwrap_or(Path::new(""));
                let file = normalized(&folder.join(&found[1]));
                if !file.starts_with(&package) {
                    faults.push(format!("{}:{number}: {}", source.path.display(), &found[1]));
                }
            }
        }
    }
    assert!(count > 5, "{count}");
    expect_none("a source includes a file of another package", &faults);
}

/// The crates that programs embed. Only the command has options, so it adds their names to what
/// these report.
const LIBRARY_CRATES: &[&str] = &[
    "babson-chess",
    "babson-pgn",
    "babson-table",
    "babson-lang",
    "babson-cql3",
    "babson-ide",
    "babson-vm",
    "babson-input",
    "babson-engine",
    "babson-report",
    "babson",
];

#[test]
fn no_text_of_a_library_names_an_option() {
    let sources = sources();
    let table = Path::new("crates/babson-cli/src/options/table.rs");
    let table = sources.iter().find(|source| source.path == table).expect("the table of options");
    let row = Regex::new(r"^    opt\([^\[]*\[?[^\[\]]*\]?, &\[([^\]]*)\]").expect("a pattern");
    let name = Regex::new(r#"(?-u)"([a-z0-9-]+)""#).expect("a pattern");
    let mut options = BTreeSet::new();
    for (_, line) in table.lines() {
        if let Some(row) = row.captures(line) {
            options.extend(name.captures_iter(&row[1]).map(|name| name[1].to_owned()));
        }
    }
    assert!(options.len() > 100 && options.contains("dialect"), "{options:?}");
    let word = Regex::new(r"(?-u)--([a-z][a-z0-9-]*)").expect("a pattern");
    let is_test = |path: &Path| {
        path.components()
            .any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")))
    };
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| source.has_extension(&["rs", "lalrpop"])) {
        let folder = |name| Path::new("crates").join(name).join("src");
        if !LIBRARY_CRATES.iter().any(|name| source.path.starts_with(folder(name)))
            || is_test(&source.path)
        {
            continue;
        }
        for (number, line) in source.lines() {
            // The unit tests, which have queries with `--`, end a file.
            if line == "mod tests {" {
                break;
            }
            if line.trim_start().starts_with("//") {
                continue;
            }
            for found in word.captures_iter(line).filter(|found| options.contains(&found[1])) {
                faults.push(format!("{}:{number}: {}", source.path.display(), &found[0]));
            }
        }
    }
    expect_none("a text of a library names an option of the command", &faults);
}
