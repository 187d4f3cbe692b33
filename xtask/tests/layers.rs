//! The layers inside the crates: a module imports only from its own layer and from lower ones, as
//! the lists of docs/src/architecture.md#layers name them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The layers of each crate, the highest first, from the blocks of the section `Layers`.
fn layers() -> BTreeMap<String, Vec<Vec<String>>> {
    let page = fs::read_to_string(root().join("docs/src/architecture.md")).expect("the page");
    let (_, section) = page.split_once("\n## Layers\n").expect("the section on layers");
    let section = section.split("\n## ").next().unwrap_or(section);
    let blocks = section.split("```").skip(1).step_by(2);
    let crates = blocks.map(|block| {
        let mut lines = block.lines().skip(1);
        let name = lines.next().expect("the name of a crate").trim().to_owned();
        let layers = lines.map(|line| line.split_whitespace().map(str::to_owned).collect());
        (name, layers.collect())
    });
    crates.collect()
}

/// The sources of a crate without its tests: the module at the top, and the text.
fn sources(source: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                if !["tests", "generated", "snapshots"].contains(&name) {
                    folders.push(path);
                }
            } else if name.ends_with(".rs") && name != "tests.rs" {
                let text = fs::read_to_string(&path).expect("a source");
                let relative = path.strip_prefix(source).expect("found below it").to_owned();
                found.push((relative, without_tests(&text)));
            }
        }
    }
    found
}

/// The text without comments and without what only tests need: modules of tests stand at the end
/// of a file.
fn without_tests(text: &str) -> String {
    let tests =
        Regex::new(r"(?m)^#\[cfg\((all\()?test[^\n]*\]\n[^\n]*(?-u:\b)mod (?-u:\w)+ \{").unwrap();
    let end = tests.find(text).map_or(text.len(), |found| found.start());
    let one =
        Regex::new(r"(?s)#\[cfg\(test\)\](?-u:\s)*(pub(\([^)]*\))? )?(use|mod) [^;]*;").unwrap();
    let comment = Regex::new(r"//[^\n]*").unwrap();
    let text = comment.replace_all(&text[..end], "");
    one.replace_all(&text, "").into_owned()
}

/// The module at the top that a file belongs to; none for the root of the crate.
fn module_of(path: &Path) -> Option<String> {
    let first = path.components().next()?.as_os_str().to_str()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (!["lib", "main"].contains(&module)).then(|| module.to_owned())
}

/// The paths of a `use` tree, without its `use`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree).trim();
        return if path.is_empty() { Vec::new() } else { vec![path.to_owned()] };
    };
    let inner = rest.trim_end().strip_suffix('}').unwrap_or(rest);
    let mut all = Vec::new();
    let (mut depth, mut part) = (0, String::new());
    for letter in inner.chars().chain([',']) {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if letter == ',' && depth == 0 {
            all.extend(paths(&part).into_iter().map(|path| format!("{}{path}", head.trim())));
            part.clear();
        } else {
            part.push(letter);
        }
    }
    all
}

/// The modules at the top of a crate from which the names at its root come.
fn names_of_root(sources: &[(PathBuf, String)]) -> BTreeMap<String, String> {
    let exports = Regex::new(r"(?s)pub(\([^)]*\))?(?-u:\s)+use(?-u:\s)+([^;]*);").unwrap();
    let roots = sources.iter().filter(|(path, _)| module_of(path).is_none());
    let mut names = BTreeMap::new();
    for (_, text) in roots {
        for export in exports.captures_iter(text) {
            for path in paths(&export[2]) {
                let parts: Vec<&str> = path.trim_start_matches("crate::").split("::").collect();
                if let [module, .., name] = parts[..] {
                    names.insert(name.to_owned(), module.to_owned());
                }
            }
        }
    }
    names
}

/// The modules at the top of its crate that a file imports from. A name that a module
/// has, too, is the module.
fn imports(
    text: &str,
    modules: &BTreeSet<String>,
    names: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let uses = Regex::new(r"(?s)(?-u:\b)use(?-u:\s)+crate::([^;]*);").unwrap();
    let inline = Regex::new(r"(?-u:\b)crate::((?-u:\w)+)").unwrap();
    let mut first: Vec<String> = Vec::new();
    for found in uses.captures_iter(text) {
        first.extend(paths(&found[1]));
    }
    let rest = uses.replace_all(text, "");
    first.extend(inline.captures_iter(&rest).map(|found| found[1].to_owned()));
    let module = |path: String| {
        let name = path.split("::").next().unwrap_or(&path).trim();
        let of_root = names.get(name).filter(|_| !modules.contains(name));
        of_root.map_or(name, String::as_str).to_owned()
    };
    first.into_iter().map(module).collect()
}

/// What a crate has against its layers.
fn faults(name: &str, layers: &[Vec<String>]) -> Vec<String> {
    let sources = sources(&root().join("crates").join(name).join("src"));
    let names = names_of_root(&sources);
    let layer_of =
        |module: &str| layers.iter().position(|layer| layer.iter().any(|other| other == module));
    let modules: BTreeSet<String> =
        sources.iter().filter_map(|(path, _)| module_of(path)).collect();
    let mut faults = Vec::new();
    for module in &modules {
        if layer_of(module).is_none() {
            faults.push(format!("{name}: the module {module} has no layer"));
        }
    }
    for module in layers.iter().flatten().filter(|module| !modules.contains(*module)) {
        faults.push(format!("{name}: the module {module} does not exist"));
    }
    for (path, text) in &sources {
        let Some(own) = module_of(path).and_then(|module| layer_of(&module)) else { continue };
        for other in imports(text, &modules, &names) {
            if layer_of(&other).is_some_and(|layer| layer < own) {
                faults.push(format!("{name}: {} imports {other}", path.display()));
            }
        }
    }
    faults
}

#[test]
fn modules_import_from_lower_layers() {
    let layers = layers();
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let name = entry.expect("a crate").file_name().to_string_lossy().into_owned();
        match layers.get(&name) {
            Some(layers) => found.extend(faults(&name, layers)),
            None => found.push(format!("{name}: the crate has no layers")),
        }
    }
    let report = found.join("\n");
    assert!(found.is_empty(), "{} imports against the layers:\n{report}", found.len());
}

#[test]
fn an_import_of_a_higher_layer_is_found() {
    let layers: Vec<Vec<String>> =
        [["error", "scan"], ["pack", "merge"]].map(|layer| layer.map(str::to_owned).into()).into();
    let faults = faults("babson-engine", &layers);
    let told = |text: &str| faults.iter().any(|fault| fault.contains(text));
    assert!(told("merge/mod.rs imports error") && told("the module drive has no layer"));
    assert!(!told("scan/mod.rs imports merge"));
}

#[test]
fn trees_of_imports_are_paths() {
    let tree = "crate::{a::{B, c::D as E}, f}";
    assert_eq!(paths(tree), ["crate::a::B", "crate::a::c::D", "crate::f"]);
    let text = "use crate::a;\n// use crate::b;\n#[cfg(test)]\nuse crate::c;\n\n#[cfg(test)]\nmod tests {\n";
    assert_eq!(without_tests(text).trim(), "use crate::a;");
}
