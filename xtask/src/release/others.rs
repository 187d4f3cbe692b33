//! What other tasks build: the Python package, the package of npm, the extension for VS Code.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Outcome, Release, build, files, name_of};
use crate::npm;
use crate::tools::{NPM, find_node, missing, run};

/// Builds the wheel by `cargo xtask wheel`, which tests it, too.
pub(super) fn wheel(release: &Release) -> io::Result<Outcome> {
    if let Err(reason) = crate::python::find_python() {
        return missing(reason).map(Outcome::Skipped);
    }
    let mut wheel = release.xtask("wheel")?;
    run(wheel.env("CARGO_ENCODED_RUSTFLAGS", build::path_flags(&release.root)?.join("\x1f")))?;
    let wheel = only_file(&release.root.join("target/wheels"), "whl")?;
    copy(release, &wheel, &name_of(&wheel))
}

/// Builds the package of npm by `cargo xtask wasm`, which tests it, too, and packs it.
pub(super) fn npm(release: &Release) -> io::Result<Outcome> {
    if let Err(reason) = find_node() {
        return missing(reason).map(Outcome::Skipped);
    }
    run(&mut release.xtask("wasm")?)?;
    let mut pack = Command::new(NPM);
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&release.out);
    run(pack.arg(release.root.join(npm::PACKAGE)))?;
    let name = format!("babson-{}.tgz", release.version);
    let bytes = fs::metadata(release.out.join(&name))?.len();
    Ok(Outcome::Done(format!("{name}, {}", super::size(bytes))))
}

/// Packs the extension by `cargo xtask check-editor`, which tests it, too.
pub(super) fn vsix(release: &Release) -> io::Result<Outcome> {
    if let Err(reason) = find_node() {
        return missing(reason).map(Outcome::Skipped);
    }
    run(&mut release.xtask("check-editor")?)?;
    let packed = release.root.join("target/editors/babson.vsix");
    copy(release, &packed, &format!("babson-vscode-{}.vsix", release.version))
}

/// The only file of a folder with an ending.
fn only_file(folder: &Path, ending: &str) -> io::Result<PathBuf> {
    let mut found = files(folder)?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    match found.pop() {
        Some(path) if found.is_empty() => Ok(path),
        _ => Err(Error::other(format!("{} has not one file .{ending}", folder.display()))),
    }
}

/// Copies a file that a task has made into the release.
fn copy(release: &Release, path: &Path, name: &str) -> io::Result<Outcome> {
    let bytes = fs::read(path).map_err(|error| crate::about(path, &error))?;
    release.write(name, &bytes).map(Outcome::Done)
}
