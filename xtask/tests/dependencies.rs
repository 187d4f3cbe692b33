//! What we depend on: each crate has its reason in the book, and its version once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn read(name: &str) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The manifests of our packages by their paths. The peers, which we only measure, are left out.
fn manifests() -> BTreeMap<String, Table> {
    let mut names = vec!["docs/Cargo.toml".to_owned(), "benches/Cargo.toml".to_owned()];
    names.push("xtask/Cargo.toml".to_owned());
    for entry in fs::read_dir(root().join("crates")).expect("the folder of crates") {
        let name = entry.expect("an entry").file_name();
        names.push(format!("crates/{}/Cargo.toml", name.to_string_lossy()));
    }
    let parse = |name: String| {
        let manifest = read(&name).parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, manifest)
    };
    names.into_iter().map(parse).collect()
}

/// The dependencies of a manifest: of the program, of tests, of the build, and for platforms.
fn dependencies(manifest: &Table) -> Vec<(&String, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flatten().filter_map(|(_, target)| target.as_table());
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = [manifest].into_iter().chain(targets);
    tables
        .flat_map(|table| kinds.map(|kind| table.get(kind)))
        .flatten()
        .filter_map(Value::as_table)
        .flatten()
        .collect()
}

/// The versions that the workspace names.
fn workspace_versions() -> BTreeMap<String, String> {
    let manifest: Table = read("Cargo.toml").parse().expect("the manifest of the workspace");
    let all = manifest["workspace"]["dependencies"].as_table().expect("the dependencies");
    all.iter().map(|(name, value)| (name.clone(), version(value))).collect()
}

/// The version of a dependency; empty if it has none.
fn version(value: &Value) -> String {
    let version = value.as_str().or_else(|| value.get("version").and_then(Value::as_str));
    version.unwrap_or_default().to_owned()
}

/// The crates in the first column of the tables of the page.
fn listed() -> Vec<String> {
    let page = read("docs/src/dependencies.md");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let mut names = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(cells.len() == 3 && !cells[2].is_empty(), "a row without a reason: {row}");
        names.extend(cells[0].split('`').skip(1).step_by(2).map(str::to_owned));
    }
    names
}

#[test]
fn each_dependency_has_its_reason() {
    let manifests = manifests();
    let used = manifests.values().flat_map(dependencies).map(|(name, _)| name.clone());
    let used: BTreeSet<String> = used.filter(|name| !name.starts_with("babson")).collect();
    assert!(used.len() > 60, "{used:?}");
    let listed = listed();
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a crate has two rows");
    let missing: Vec<&String> = used.difference(&once).collect();
    assert!(missing.is_empty(), "docs/src/dependencies.md lacks {missing:?}");
    let unused: Vec<&String> = once.difference(&used).collect();
    assert!(unused.is_empty(), "nothing depends on {unused:?}");
}

#[test]
fn each_version_stands_once() {
    let versions = workspace_versions();
    let manifests = manifests();
    for (path, manifest) in &manifests {
        let is_member = !manifest.contains_key("workspace");
        for (name, value) in dependencies(manifest) {
            let is_inherited = value.get("workspace").and_then(Value::as_bool) == Some(true);
            if is_member {
                assert!(is_inherited, "{path}: {name} has a version of its own");
            } else if let Some(expected) = versions.get(name)
                && !name.starts_with("babson")
            {
                // A workspace of its own cannot inherit, but has the same version.
                assert_eq!(&version(value), expected, "{path}: {name}");
            }
        }
    }
    let used = manifests.values().flat_map(dependencies).map(|(name, _)| name);
    let used: BTreeSet<&String> = used.collect();
    let unused: Vec<&String> = versions.keys().filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "no crate uses {unused:?} of the workspace");
}

/// The page of a crate on crates.io says what it is, and its package has the licenses.
#[test]
fn each_published_crate_describes_itself() {
    let mut count = 0;
    for (path, manifest) in manifests() {
        let package = manifest["package"].as_table().expect("a package");
        if package.get("publish").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        count += 1;
        let text = |key: &str| package.get(key).and_then(Value::as_str).unwrap_or_default();
        let list = |key: &str| {
            let list = package.get(key).and_then(Value::as_array);
            list.map(|list| list.len()).unwrap_or_default()
        };
        assert!(text("description").ends_with('.'), "{path}: the description is not a sentence");
        // crates.io takes five of each at most.
        assert!((1..=5).contains(&list("keywords")), "{path}: keywords");
        assert!((1..=5).contains(&list("categories")), "{path}: categories");
        for key in ["license", "repository", "rust-version"] {
            assert!(package.contains_key(key), "{path} has no {key}");
        }
        let folder = Path::new(&path).parent().expect("a folder");
        let of_crate = |name: &str| read(&folder.join(name).display().to_string());
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert_eq!(of_crate(license), read(license), "{path}: {license}");
        }
        let readme = of_crate(concat!("README", ".md"));
        assert!(readme.starts_with(&format!("# {}\n", text("name"))), "{path}: the README");
        if readme.contains("\n```rust\n") {
            let included = concat!("#[cfg(doctest)]\n#[doc = include_str!(\"../README", ".md\")]");
            let is_tested = of_crate("src/lib.rs").contains(included);
            assert!(is_tested, "{path}: the example of the README is not tested");
        }
        if manifest.contains_key("features") {
            let all = manifest["package"].get("metadata").and_then(|all| all.get("docs"));
            let all = all.and_then(|docs| docs.get("rs")).and_then(|rs| rs.get("all-features"));
            assert_eq!(all.and_then(Value::as_bool), Some(true), "{path}: docs.rs");
        }
    }
    assert!(count > 15, "only {count} crates are published");
}
