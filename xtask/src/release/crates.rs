//! The crates: their packages, their documentation, and what changed since the last release.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use super::{Outcome, Release};
use crate::source;
use crate::tools::{cargo, cargo_home, find_cargo_tool, missing, run};

/// The crate whose program has the name of the library `babson`: their pages would go to one
/// folder.
const COMMAND: &str = "babson-cli";

/// Packages each published crate, and builds it from its package with the other packages, as
/// crates.io would give them.
pub(super) fn package(release: &Release) -> io::Result<Outcome> {
    let names = published(release)?;
    let dirty: &[&str] = if release.dry_run { &["--allow-dirty"] } else { &[] };
    let mut package = cargo();
    package.args(["package", "--no-verify", "--locked"]).args(dirty);
    package.args(names.iter().flat_map(|name| ["--package", name]));
    run(package.current_dir(&release.root))?;
    let mut bytes = 0;
    for name in &names {
        let path = packed(release, name);
        bytes += fs::metadata(&path).map_err(|error| crate::about(&path, &error))?.len();
    }
    forget_unpacked(&cargo_home()?.join("registry/src"), &names, &release.version)?;
    let mut publish = cargo();
    publish.args(["publish", "--workspace", "--dry-run", "--locked"]).args(dirty);
    run(publish.current_dir(&release.root))?;
    Ok(Outcome::Done(format!("{} packages, {}", names.len(), super::size(bytes))))
}

/// Removes what cargo has unpacked of our packages, beside the sources of other packages. It would
/// take a package of an earlier commit for this one's, since the version is the same.
fn forget_unpacked(sources: &Path, names: &[String], version: &str) -> io::Result<()> {
    let registries = match fs::read_dir(sources) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        registries => registries.map_err(|error| crate::about(sources, &error))?,
    };
    for registry in registries {
        let registry = registry?;
        // The registry of a folder has no name before its hash; crates.io has one.
        if registry.file_name().to_string_lossy().starts_with('-') {
            for name in names {
                let folder = registry.path().join(format!("{name}-{version}"));
                if folder.exists() {
                    fs::remove_dir_all(&folder).map_err(|error| crate::about(&folder, &error))?;
                }
            }
        }
    }
    Ok(())
}

/// Publishes the crates, in the order in which they use each other. Those that are on crates.io
/// already are left out, so that a publication that has failed half-way can be run again.
pub(super) fn publish(release: &Release) -> io::Result<Outcome> {
    if release.dry_run {
        return Ok(Outcome::Skipped("a dry run publishes nothing".to_owned()));
    }
    let mut missing = Vec::new();
    for name in published(release)? {
        if !is_on_crates_io(&release.root, &name, &release.version)? {
            missing.push(name);
        }
    }
    if missing.is_empty() {
        return Ok(Outcome::Done("all crates are on crates.io already".to_owned()));
    }
    let mut publish = cargo();
    publish.args(["publish", "--locked"]);
    publish.args(missing.iter().flat_map(|name| ["--package", name]));
    run(publish.current_dir(&release.root))?;
    Ok(Outcome::Done(format!("{} crates on crates.io", missing.len())))
}

/// Whether a version of a crate has been published.
fn is_on_crates_io(root: &Path, name: &str, version: &str) -> io::Result<bool> {
    let mut info = cargo();
    info.args(["info", "--quiet", "--registry", "crates-io"]).arg(format!("{name}@{version}"));
    let told = info.current_dir(root).output()?;
    let error = String::from_utf8_lossy(&told.stderr);
    match told.status.success() {
        true => Ok(true),
        false if error.contains("could not find") => Ok(false),
        // Without an answer of the registry nothing is known of the crate.
        false => Err(Error::other(format!("cargo info {name}@{version}: {}", error.trim()))),
    }
}

/// The tag of the last release before the commit that is here.
fn last_release(root: &Path) -> io::Result<String> {
    // A tag such as `v1.0.0-rc.1` is not a release.
    let tags = ["--match", "v*", "--exclude", "*-*"];
    let options = [&["describe", "--tags", "--abbrev=0"][..], &tags, &["HEAD^"]].concat();
    source::git(root, &options)
}

/// Compares the public items of the libraries with the last release.
pub(super) fn semver(release: &Release) -> io::Result<Outcome> {
    let baseline = match &release.baseline {
        Some(baseline) => baseline.clone(),
        None => match last_release(&release.root) {
            Ok(tag) => tag,
            Err(_) => return Ok(Outcome::Skipped("there is no earlier release".to_owned())),
        },
    };
    if let Err(reason) = find_cargo_tool("semver-checks") {
        return missing(reason).map(Outcome::Skipped);
    }
    let mut check = cargo();
    check.args(["semver-checks", "--workspace", "--baseline-rev", &baseline]);
    run(check.current_dir(&release.root))?;
    Ok(Outcome::Done(format!("compared with {baseline}")))
}

/// Builds the documentation of each published crate as docs.rs does, but with the stable compiler.
pub(super) fn docs(release: &Release) -> io::Result<Outcome> {
    let names = published(release)?;
    let (command, libraries): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| *name == COMMAND);
    for packages in [command, libraries] {
        let mut doc = cargo();
        doc.args(["doc", "--no-deps", "--all-features", "--locked"]);
        doc.args(packages.iter().flat_map(|name| ["--package", name.as_str()]));
        doc.env("RUSTDOCFLAGS", "--cfg docsrs -D warnings").env("DOCS_RS", "1");
        run(doc.current_dir(&release.root))?;
    }
    Ok(Outcome::Done(format!("{} crates", names.len())))
}

/// Where cargo writes the package of a crate.
pub(super) fn packed(release: &Release, name: &str) -> PathBuf {
    release.root.join(format!("target/package/{name}-{}.crate", release.version))
}

/// The names of the crates that are published.
pub(super) fn published(release: &Release) -> io::Result<Vec<String>> {
    let metadata = crate::metadata::of(&release.root, &["--no-deps"])?;
    let packages = metadata.packages.into_iter();
    Ok(packages.filter(|package| package.is_published()).map(|package| package.name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_unpacked_packages_are_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let folders =
            ["-1f/babson-vm-0.1.0", "-1f/babson-vm-0.2.0", "crates.io-1f/babson-vm-0.1.0"];
        let folders = folders.map(|name| home.path().join(name));
        folders.iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
        forget_unpacked(home.path(), &["babson-vm".to_owned()], "0.1.0").unwrap();
        assert_eq!(folders.map(|folder| folder.exists()), [false, true, true]);
        forget_unpacked(&home.path().join("none"), &[], "0.1.0").unwrap();
    }

    #[test]
    fn a_candidate_is_not_the_last_release() {
        let folder = tempfile::tempdir().unwrap();
        let git = |options: &[&str]| source::git(folder.path(), options).unwrap();
        let commit = || {
            let author = ["-c", "user.name=a", "-c", "user.email=a", "-c", "commit.gpgsign=false"];
            git(&[&author[..], &["commit", "--allow-empty", "--message", "a"]].concat());
        };
        git(&["init", "--quiet"]);
        commit();
        assert!(last_release(folder.path()).is_err());
        for tag in ["v1.0.0", "v1.1.0-rc.1", "v1.1.0"] {
            commit();
            git(&["tag", tag]);
        }
        assert_eq!(last_release(folder.path()).unwrap(), "v1.0.0");
    }
}
