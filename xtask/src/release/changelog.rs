//! The version of a release: the manifests, the changelog and the tag agree.

use std::fs;
use std::io::{self, Error};
use std::path::Path;
use std::process::Command;

use super::links::with_addresses;
use super::{Outcome, Release};
use crate::source;

/// The version without a release yet.
const UNRELEASED: &str = "Unreleased";

/// What stands for addresses that the project does not have yet. Their parts are apart, so that
/// this file is none of those with them.
const PLACEHOLDERS: [&str; 2] = [concat!("example.org", "/babson"), concat!("@", "example.org>")];

/// Checks that the changelog describes the version, that all manifests have it, and, unless it is a
/// dry run, that the tag of the version is the commit that is here, without changes, and that all
/// addresses of the project are real.
pub(super) fn check(release: &Release) -> io::Result<Outcome> {
    let path = release.root.join("CHANGELOG.md");
    let changelog = fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
    let section = section(&changelog, &release.version, release.dry_run).map_err(Error::other)?;
    for (name, version) in versions(&release.root)? {
        if version != release.version {
            let expected = &release.version;
            return Err(Error::other(format!("{name} has the version {version}, not {expected}")));
        }
    }
    let notes = release.out.join("release-notes.txt");
    let text = format!("{}\n", section.text.trim());
    fs::write(notes, with_addresses(&text, env!("CARGO_PKG_REPOSITORY"), &release.version))?;
    let placeholders = with_placeholders(&release.root)?;
    if !release.dry_run {
        if let [first, rest @ ..] = placeholders.as_slice() {
            return Err(Error::other(format!(
                "{first} and {} more files have a placeholder for an address of the project \
                 ({}): nothing can be published with it",
                rest.len(),
                PLACEHOLDERS.join(", ")
            )));
        }
        let tag = format!("v{}", release.version);
        let of_tag = source::git(&release.root, &["rev-parse", &format!("{tag}^{{commit}}")])?;
        if of_tag != source::commit(&release.root)? {
            return Err(Error::other(format!("the tag {tag} is another commit")));
        }
        if source::has_changes(&release.root)? {
            return Err(Error::other("the working tree has changes without a commit"));
        }
    }
    let items = section.text.lines().filter(|line| line.starts_with("- ")).count();
    let mut text = format!("{}: {items} changes under {}", release.version, section.heading);
    if !placeholders.is_empty() {
        let files = placeholders.len();
        text.push_str(&format!("; not to be published, as {files} files have placeholders"));
    }
    Ok(Outcome::Done(text))
}

/// The files of the commit that have one of the [`PLACEHOLDERS`].
fn with_placeholders(root: &Path) -> io::Result<Vec<String>> {
    let mut search = Command::new("git");
    search.args(["grep", "--files-with-matches", "--fixed-strings"]);
    search.args(PLACEHOLDERS.iter().flat_map(|text| ["-e", text])).current_dir(root);
    let found = search.output().map_err(|error| Error::other(format!("git grep: {error}")))?;
    // With 1 it says that there is none.
    if !found.status.success() && found.status.code() != Some(1) {
        let told = String::from_utf8_lossy(&found.stderr);
        return Err(Error::other(format!("git grep: {}", told.trim())));
    }
    Ok(String::from_utf8_lossy(&found.stdout).lines().map(str::to_owned).collect())
}

/// The part of the changelog about a version.
#[derive(Debug, PartialEq, Eq)]
struct Section<'c> {
    heading: &'c str,
    text: &'c str,
}

/// Finds the changes of a version: the first section, which is `## VERSION - YYYY-MM-DD`. For a
/// trial, a section `## Unreleased` will do.
fn section<'c>(changelog: &'c str, version: &str, trial: bool) -> Result<Section<'c>, String> {
    let (_, rest) = changelog.split_once("\n## ").ok_or("CHANGELOG.md has no section")?;
    let rest = rest.split("\n## ").next().unwrap_or(rest);
    let (heading, text) = rest.split_once('\n').unwrap_or((rest, ""));
    let section = Section { heading: heading.trim(), text };
    let is_date = |text: &str| {
        let mut parts = text.split('-').map(|part| (part.len(), part.parse::<u16>().is_ok()));
        parts.by_ref().take(3).eq([(4, true), (2, true), (2, true)]) && parts.next().is_none()
    };
    let is_right = match section.heading.split_once(" - ") {
        Some((number, date)) => number == version && is_date(date),
        None => trial && section.heading == UNRELEASED,
    };
    if !is_right {
        return Err(format!(
            "the first section of CHANGELOG.md is `## {heading}`, not `## {version} - YYYY-MM-DD`"
        ));
    }
    if !text.lines().any(|line| line.starts_with("- ")) {
        return Err(format!("the section `## {heading}` of CHANGELOG.md names no change"));
    }
    Ok(section)
}

/// What else has a version of its own: the dependencies between our crates, the workspaces beside
/// the main one, and the extension.
fn versions(root: &Path) -> io::Result<Vec<(&'static str, String)>> {
    let manifests = ["crates/babson-datafusion/Cargo.toml", "crates/babson-python/Cargo.toml"];
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let mut versions: Vec<(&str, String)> =
        own_dependencies(&manifest)?.into_iter().map(|version| ("Cargo.toml", version)).collect();
    for name in manifests {
        let text = fs::read_to_string(root.join(name))?;
        let manifest: toml::Table = text.parse().map_err(Error::other)?;
        let version = manifest.get("package").and_then(|package| package.get("version"));
        let version = version.and_then(toml::Value::as_str).unwrap_or_default();
        versions.push((name, version.to_owned()));
    }
    let name = "crates/babson-lsp/editors/vscode/package.json";
    let text = fs::read_to_string(root.join(name))?;
    let manifest: serde_json::Value = serde_json::from_str(&text).map_err(Error::other)?;
    versions.push((name, manifest["version"].as_str().unwrap_or_default().to_owned()));
    Ok(versions)
}

/// The versions that the crates of the workspace demand of each other. Only the same version fits,
/// since they use what a crate hides from its documentation.
fn own_dependencies(manifest: &str) -> io::Result<Vec<String>> {
    let manifest: toml::Table = manifest.parse().map_err(Error::other)?;
    let workspace = manifest.get("workspace").and_then(toml::Value::as_table);
    let dependencies = workspace.and_then(|it| it.get("dependencies")?.as_table());
    let demanded = dependencies.into_iter().flatten().filter_map(|(name, dependency)| {
        dependency.get("path")?;
        Some((name, dependency.get("version")?.as_str()?))
    });
    demanded
        .map(|(name, version)| match version.strip_prefix('=') {
            Some(version) => Ok(version.to_owned()),
            None => Err(Error::other(format!("Cargo.toml: {name} = {version:?} lacks a `=`"))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_crates_demand_one_version_of_each_other() {
        let manifest = "[workspace.dependencies]\n\
                        a = { path = \"a\", version = \"=1.2.3\" }\nb = { path = \"b\" }\nc = \"1\"\n";
        assert_eq!(own_dependencies(manifest).unwrap(), ["1.2.3"]);
        let error = own_dependencies(&manifest.replace("=1.2.3", "1.2.3")).unwrap_err();
        assert_eq!(error.to_string(), "Cargo.toml: a = \"1.2.3\" lacks a `=`");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let own = own_dependencies(&fs::read_to_string(root.join("Cargo.toml")).unwrap()).unwrap();
        assert!(own.len() > 10 && own.iter().all(|version| version == env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn the_first_section_is_about_the_version() {
        let changelog =
            "# Changelog\n\n## 1.2.0 - 2026-11-28\n\n- This.\n\n## 1.1.0 - 2026-01-01\n\n- That.\n";
        let found = section(changelog, "1.2.0", false).unwrap();
        assert_eq!((found.heading, found.text.trim()), ("1.2.0 - 2026-11-28", "- This."));
        let error = section(changelog, "1.3.0", true).unwrap_err();
        assert!(error.contains("`## 1.2.0 - 2026-11-28`, not `## 1.3.0 - "), "{error}");
    }

    #[test]
    fn a_section_without_date_or_change_is_refused() {
        for heading in ["1.2.0", "1.2.0 - soon", "1.2.0 - 2026-1-2", "1.2.0 - 2026-11-28-1"] {
            let changelog = format!("# Changelog\n\n## {heading}\n\n- This.\n");
            assert!(section(&changelog, "1.2.0", true).is_err(), "{heading}");
        }
        let empty = "# Changelog\n\n## 1.2.0 - 2026-11-28\n\n## 1.1.0 - 2026-01-01\n\n- That.\n";
        assert!(section(empty, "1.2.0", false).unwrap_err().contains("names no change"));
        assert!(section("# Changelog\n", "1.2.0", true).is_err());
    }

    #[test]
    fn placeholders_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let git = |options: &[&str]| source::git(folder.path(), options).unwrap();
        git(&["init", "--quiet"]);
        fs::write(folder.path().join("a.toml"), format!("https://{}/x", PLACEHOLDERS[0])).unwrap();
        fs::write(folder.path().join("b.txt"), "https://example.org/games.pgn").unwrap();
        fs::write(folder.path().join("c.txt"), format!("<us{}", PLACEHOLDERS[1])).unwrap();
        git(&["add", "--all"]);
        assert_eq!(with_placeholders(folder.path()).unwrap(), ["a.toml", "c.txt"]);
        git(&["rm", "--quiet", "--force", "a.toml", "c.txt"]);
        assert!(with_placeholders(folder.path()).unwrap().is_empty());
    }

    #[test]
    fn unreleased_changes_are_enough_for_a_trial_only() {
        let changelog = "# Changelog\n\n## Unreleased\n\n### Added\n\n- This.\n";
        assert_eq!(section(changelog, "1.2.0", true).unwrap().heading, UNRELEASED);
        assert!(section(changelog, "1.2.0", false).is_err());
    }
}
