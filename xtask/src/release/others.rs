//! What other tasks build: the Python package, the package of npm, the extension for VS Code.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Outcome, Release, build, files, name_of};
use crate::tools::{find_node, missing, run};
use crate::{editor, npm};

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
    let package = release.root.join(npm::PACKAGE);
    packed_twice(release, &format!("babson-{}.tgz", release.version), |folder| {
        npm::pack(&package, folder)
    })
}

/// Packs the extension by `cargo xtask check-editor`, which tests it, too.
pub(super) fn vsix(release: &Release) -> io::Result<Outcome> {
    if let Err(reason) = find_node() {
        return missing(reason).map(Outcome::Skipped);
    }
    run(&mut release.xtask("check-editor")?)?;
    packed_twice(release, &format!("babson-vscode-{}.vsix", release.version), |folder| {
        let path = folder.join("babson.vsix");
        editor::pack(&release.root, &path, release.time).map(|()| path)
    })
}

/// Packs what has been built two times, two seconds apart, into a file of the release: both
/// have to be equal.
fn packed_twice(
    release: &Release,
    name: &str,
    pack: impl Fn(&Path) -> io::Result<PathBuf>,
) -> io::Result<Outcome> {
    let packed = || -> io::Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let path = pack(folder.path())?;
        fs::read(&path).map_err(|error| crate::about(&path, &error))
    };
    let first = packed()?;
    // The time that an archive of zip has is exact to two seconds.
    std::thread::sleep(Duration::from_secs(2));
    match first == packed()? {
        true => Ok(Outcome::Done(format!("{}, packed twice", release.write(name, &first)?))),
        false => Err(Error::other(format!("{name} differs when it is packed again"))),
    }
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
