//! What cargo knows of packages: `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::tools::{cargo, output};

/// The packages of a workspace, and how they use each other.
#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    /// Missing where the dependencies were not wanted.
    resolve: Option<Resolve>,
}

/// A package.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The licenses as SPDX writes them.
    pub(crate) license: Option<String>,
    #[serde(default)]
    pub(crate) authors: Vec<String>,
    /// Where it comes from; nothing for a package of the repository.
    pub(crate) source: Option<String>,
    pub(crate) manifest_path: PathBuf,
    /// The registries that it may go to; nothing for any.
    publish: Option<Vec<String>>,
}

impl Package {
    /// Whether it may be published.
    pub(crate) fn is_published(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Debug, Deserialize)]
struct DependencyKind {
    /// `dev` or `build`; nothing for a dependency of the program itself.
    kind: Option<String>,
}

impl Metadata {
    /// The packages whose code is in the program of a package, in the order of their names.
    pub(crate) fn linked_into(&self, name: &str) -> Vec<&Package> {
        let by_id: BTreeMap<&str, &Package> =
            self.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let nodes = self.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let nodes: BTreeMap<&str, &Node> = nodes.map(|node| (node.id.as_str(), node)).collect();
        let root = self.packages.iter().find(|package| package.name == name);
        let mut open: Vec<&str> = root.map(|package| package.id.as_str()).into_iter().collect();
        let mut linked = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !linked.insert(id) {
                continue;
            }
            let used = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let is_linked = |dependency: &&Dependency| {
                dependency.dep_kinds.iter().any(|kind| kind.kind.is_none())
            };
            open.extend(used.filter(is_linked).map(|dependency| dependency.pkg.as_str()));
        }
        let mut packages: Vec<&Package> =
            linked.into_iter().filter_map(|id| by_id.get(id).copied()).collect();
        packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        packages
    }
}

/// Asks cargo about the workspace of a folder.
///
/// # Errors
/// Cargo fails.
pub(crate) fn of(root: &Path, options: &[&str]) -> io::Result<Metadata> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1", "--locked"]).args(options);
    let text = output(command.current_dir(root))?;
    serde_json::from_str(&text).map_err(|error| Error::other(format!("cargo metadata: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_program_links_is_found() {
        let package = |name: &str, publish: &str| {
            format!(
                r#"{{"id": "{name}", "name": "{name}", "version": "1.0.0", "license": "MIT",
                "source": null, "manifest_path": "/{name}/Cargo.toml", "publish": {publish}}}"#
            )
        };
        let packages = [
            package("a", "null"),
            package("b", "[]"),
            package("c", "null"),
            package("d", "[\"own\"]"),
        ];
        let text = format!(
            r#"{{"packages": [{}], "resolve": {{"nodes": [
            {{"id": "a", "deps": [
                {{"pkg": "b", "dep_kinds": [{{"kind": "dev"}}, {{"kind": null}}]}},
                {{"pkg": "c", "dep_kinds": [{{"kind": "build"}}]}}]}},
            {{"id": "b", "deps": [{{"pkg": "d", "dep_kinds": [{{"kind": null}}]}}]}},
            {{"id": "c", "deps": []}}, {{"id": "d", "deps": []}}]}}}}"#,
            packages.join(",")
        );
        let metadata: Metadata = serde_json::from_str(&text).unwrap();
        let linked = metadata.linked_into("a");
        let names: Vec<&str> = linked.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "d"]);
        let published = metadata.packages.iter().filter(|package| package.is_published());
        let names: Vec<&str> = published.map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["a", "c", "d"]);
        assert!(metadata.linked_into("unknown").is_empty());
    }
}
