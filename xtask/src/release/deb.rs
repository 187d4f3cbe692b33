//! The package of Debian, which cargo-deb makes of the files of the archive.

use std::fs;
use std::io::{self, Error};
use std::path::Path;
use std::process::Command;

use super::archive::Member;
use super::{Outcome, Release, command, name_of};
use crate::tools::{cargo, find_cargo_tool, missing, run};

/// Where the files of the package are, beside the program: `[package.metadata.deb]` of
/// `babson-cli` names them there.
const STAGE: &str = "deb";

/// Writes `babson_VERSION-1_ARCHITECTURE.deb`.
pub(super) fn package(release: &Release) -> io::Result<Outcome> {
    if !release.target.contains("-linux-") {
        return Ok(Outcome::Skipped(format!("{} is not a Linux", release.target)));
    }
    let found = find_cargo_tool("deb").and_then(|()| {
        let dpkg = Command::new("dpkg").arg("--version").output();
        dpkg.map(|_| ()).map_err(|_| "there is no dpkg, which cargo-deb needs".to_owned())
    });
    if let Err(reason) = found {
        return missing(reason).map(Outcome::Skipped);
    }
    let program = command::program(release)?;
    let stage = program.with_file_name(STAGE);
    write_files(&stage, &command::members(release, &program)?)?;
    let out = release.out.join("deb");
    let mut deb = cargo();
    deb.args(["deb", "--package", "babson-cli", "--no-build", "--no-strip", "--locked"]);
    deb.args(["--target", &release.target, "--output"]).arg(&out);
    deb.env("CARGO_TARGET_DIR", command::build_folder(&release.root));
    deb.env("SOURCE_DATE_EPOCH", release.time.to_string());
    run(deb.current_dir(&release.root))?;
    let written = super::files(&out)?;
    let [path] = written.as_slice() else {
        return Err(Error::other(format!("cargo-deb has written {} files", written.len())));
    };
    let text = release.write(&name_of(path), &fs::read(path)?)?;
    fs::remove_dir_all(out)?;
    Ok(Outcome::Done(text))
}

/// Writes the files below a folder that has nothing else.
fn write_files(folder: &Path, members: &[Member]) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    for member in members {
        let path = folder.join(&member.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &member.bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    /// The package has both licenses, and the archive has each file that it takes.
    #[test]
    fn the_archive_has_each_file_of_the_package() {
        let manifest = include_str!("../../../crates/babson-cli/Cargo.toml");
        let manifest: toml::Table = manifest.parse().unwrap();
        let deb = &manifest["package"]["metadata"]["deb"];
        assert!(deb["license-file"][0].as_str().unwrap().ends_with("/LICENSE-MIT"));
        let taken: Vec<&str> =
            deb["assets"].as_array().unwrap().iter().map(|it| it[0].as_str().unwrap()).collect();
        let staged = taken.iter().filter_map(|path| path.strip_prefix("target/release/deb/"));
        for path in staged {
            let path = path.strip_suffix('*').unwrap_or(path);
            let is_known = path == "man/babson.1"
                || super::command::documents()
                    .any(|(_, to)| to == path || (path.ends_with('/') && to.starts_with(path)))
                || super::command::COMPLETIONS
                    .iter()
                    .any(|(shell, name)| format!("completions/{shell}/{name}") == path);
            assert!(is_known, "{path}");
        }
        assert!(taken.contains(&"target/release/deb/LICENSE-APACHE"));
    }
}
