//! The licenses of all that is linked into the command: whoever passes the program on has to pass
//! them on, too.

use std::fmt::Write;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use super::{Release, build, files, name_of};
use crate::metadata::{self, Package};

/// How the name of a file with a license or a notice begins.
const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "copyright"];

/// The licenses of the packages, one after another.
///
/// # Errors
/// A package names no license.
pub(super) fn text(release: &Release) -> io::Result<String> {
    let features =
        ["--features", build::FEATURES, "--manifest-path", "crates/babson-cli/Cargo.toml"];
    let platform = ["--filter-platform", release.target.as_str()];
    let metadata = metadata::of(&release.root, &[features.as_slice(), &platform].concat())?;
    let mut text = String::from(
        "The command babson is made of these packages, besides its own. Their licenses follow.\n",
    );
    let foreign = metadata.linked_into("babson-cli").into_iter();
    let foreign: Vec<&Package> = foreign.filter(|package| package.source.is_some()).collect();
    let mut texts = Vec::new();
    for package in foreign {
        let Some(license) = &package.license else {
            return Err(Error::other(format!("{} names no license", package.name)));
        };
        let _ = writeln!(text, "- {} {}: {license}", package.name, package.version);
        let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
        for path in license_files(folder)? {
            let license = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
            let heading = format!("{} {}: {}", package.name, package.version, name_of(&path));
            texts.push((heading, license.trim().to_owned()));
        }
    }
    // Packages with the same text stand together.
    texts.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
    for same in texts.chunk_by(|a, b| a.1 == b.1) {
        let _ = writeln!(text, "\n{}", "=".repeat(80));
        for (heading, _) in same {
            let _ = writeln!(text, "{heading}");
        }
        let _ = writeln!(text, "\n{}", same[0].1);
    }
    Ok(text)
}

/// The files of a package that are licenses or notices.
fn license_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_license = |path: &PathBuf| {
        let name = name_of(path).to_lowercase();
        BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    };
    Ok(files(folder)?.into_iter().filter(is_license).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["LICENSE-MIT", "COPYING", "NOTICE.txt", "README.md", "unlicensed.rs"] {
            fs::write(folder.path().join(name), "text").unwrap();
        }
        let found: Vec<String> =
            license_files(folder.path()).unwrap().iter().map(|path| name_of(path)).collect();
        assert_eq!(found, ["COPYING", "LICENSE-MIT", "NOTICE.txt"]);
    }
}
