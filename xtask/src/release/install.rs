//! Each package of a release is installed as its users install it, into an empty folder with an
//! empty home, and gives there what the README promises.

use std::fs;
use std::io::{self, BufReader, Cursor, Error, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;

use super::{Outcome, Release, build, checksums, crates, files, name_of};
use crate::source::{self, Checkout};
use crate::tools::{cargo, output, run};
use crate::{npm, python, supply};

/// It promises what the query finds in the games.
const README: &str = "README.md";
const GAMES: &str = "corpus/games/masters-2k.pgn";
const QUERY: &str = "corpus/queries/queen-sacrifice.cql";
/// A query for the program of the book about npm, which takes it as a word.
const MATES: &str = "mate";

/// Installs the packages that the steps before have written, and runs them.
pub(super) fn check(release: &Release) -> io::Result<Outcome> {
    let promise = promise(&fs::read_to_string(release.root.join(README))?)?;
    let mut done = Vec::new();
    for path in files(&release.out)? {
        let name = name_of(&path);
        let folder = tempfile::tempdir()?;
        if name.ends_with(".tar.gz") || name.ends_with(".zip") {
            let program = unpack(&path, folder.path())?;
            try_command(release, &program, &promise)?;
            done.push("archive");
        } else if name.ends_with(".deb") {
            run(Command::new("dpkg-deb").arg("--extract").arg(&path).arg(folder.path()))?;
            try_command(release, &folder.path().join("usr/bin/babson"), &promise)?;
            done.push("deb");
        } else if name.ends_with(".whl") {
            let [games, query] = [GAMES, QUERY].map(|path| release.root.join(path));
            let count = python::count_installed(folder.path(), &path, &games, &query)?;
            expect(&name, &format!("{count} matches of 2000 games"), &promise)?;
            done.push("wheel");
        } else if name.ends_with(".tgz") {
            let told = npm::try_installed(&release.root, folder.path(), &path, MATES)?;
            println!("{name}: {told}");
            done.push("npm");
        }
    }
    if published_are_packed(release)? {
        let sources = Checkout::of(&release.root)?;
        let program = install_crates(release, &sources)?;
        try_command(release, &program, &promise)?;
        done.push("crates");
    }
    match done.is_empty() {
        true => Err(Error::other("no step before has written a package")),
        false => Ok(Outcome::Done(done.join(", "))),
    }
}

/// What the README says that its query finds: `4 matches of 2000 games`.
fn promise(readme: &str) -> io::Result<String> {
    let (_, rest) = readme
        .split_once(&format!("$ babson -i {GAMES} -o matches.pgn {QUERY}\n"))
        .ok_or_else(|| Error::other(format!("{README} has no search of the demo database")))?;
    let line = rest.lines().next().unwrap_or_default();
    Ok(line.split(" in ").next().unwrap_or(line).to_owned())
}

/// Fails unless a program has found what the README says.
fn expect(name: &str, told: &str, promise: &str) -> io::Result<()> {
    match told.starts_with(promise) {
        true => Ok(()),
        false => Err(Error::other(format!("{name} says {told:?}, and the README {promise:?}"))),
    }
}

/// Runs the query of the README by a program, in an empty folder and with an empty home.
fn try_command(release: &Release, program: &Path, promise: &str) -> io::Result<()> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(program);
    command.env("HOME", home.path()).env_remove("BABSON_CONFIG").current_dir(home.path());
    command.arg("-i").arg(release.root.join(GAMES)).args(["-o", "matches.pgn"]);
    let told = output(command.arg(release.root.join(QUERY)))?;
    println!("{}: {}", program.display(), told.trim());
    expect(&program.display().to_string(), &told, promise)?;
    let written = fs::read_to_string(home.path().join("matches.pgn"))?;
    let games = written.lines().filter(|line| line.starts_with("[Event ")).count();
    expect("matches.pgn", &format!("{games} matches of 2000 games"), promise)
}

/// Unpacks an archive of the command, of any platform. Returns the path of the program.
fn unpack(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let bytes = fs::read(path)?;
    let name = name_of(path);
    // The folder in it has the name of the archive.
    if let Some(name) = name.strip_suffix(".zip") {
        zip::ZipArchive::new(Cursor::new(bytes))?.extract(folder).map_err(Error::other)?;
        return Ok(folder.join(name).join("babson.exe"));
    }
    unpack_tar(&bytes, folder)?;
    Ok(folder.join(name.strip_suffix(".tar.gz").unwrap_or(&name)).join("babson"))
}

fn unpack_tar(bytes: &[u8], folder: &Path) -> io::Result<()> {
    tar::Archive::new(GzDecoder::new(BufReader::new(bytes))).unpack(folder)
}

/// Whether the step `crates` has written the packages of all crates, from this commit.
fn published_are_packed(release: &Release) -> io::Result<bool> {
    let commit = source::commit(&release.root)?;
    for name in crates::published(release)? {
        let path = crates::packed(release, &name);
        if !path.is_file() || commit_of(&fs::read(path)?)?.is_none_or(|packed| packed != commit) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The commit that a package was made from, as cargo writes it there.
fn commit_of(package: &[u8]) -> io::Result<Option<String>> {
    for entry in tar::Archive::new(GzDecoder::new(package)).entries()? {
        let entry = entry?;
        if entry.path()?.ends_with(".cargo_vcs_info.json") {
            let info: Value = serde_json::from_reader(entry).map_err(Error::other)?;
            return Ok(info["git"]["sha1"].as_str().map(str::to_owned));
        }
    }
    Ok(None)
}

/// Installs the command by `cargo install`, without a network: a folder stands for crates.io, in
/// which the packages of our crates are beside the sources of all others. Returns its path.
fn install_crates(release: &Release, sources: &Checkout) -> io::Result<PathBuf> {
    let registry = supply::vendor_into(sources)?;
    for name in crates::published(release)? {
        let bytes = fs::read(crates::packed(release, &name))?;
        unpack_tar(&bytes, &registry)?;
        // As cargo vendor writes it; no file of the folder has been changed.
        let folder = registry.join(format!("{name}-{}", release.version));
        let checksum = format!(r#"{{"files":{{}},"package":"{}"}}"#, checksums::of(&bytes));
        fs::File::create(folder.join(".cargo-checksum.json"))?.write_all(checksum.as_bytes())?;
    }
    let (home, installed) = (sources.beside("home"), sources.beside("installed"));
    fs::create_dir(&home)?;
    // `cargo install` reads no other configuration.
    let folder = registry.display().to_string();
    let configuration = format!(
        "[source.crates-io]\nreplace-with = \"folder\"\n\n[source.folder]\ndirectory = {folder:?}\n"
    );
    fs::write(home.join("config.toml"), configuration)?;
    let mut install = cargo();
    // The release has been built by other steps; here it is about the sources.
    install.args(["install", "babson-cli", "--debug", "--locked", "--offline"]);
    install.args(["--version", &release.version, "--features", build::FEATURES]);
    install.arg("--root").arg(&installed).current_dir(sources.root());
    install.env("CARGO_HOME", &home).env("CARGO_TARGET_DIR", sources.beside("out"));
    run(install.env("CARGO_PROFILE_DEV_DEBUG", "0"))?;
    Ok(installed.join("bin").join(format!("babson{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::super::archive::{Member, tar_gz, zip};
    use super::*;

    #[test]
    fn a_package_names_its_commit() {
        let mut tar =
            tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), Default::default()));
        let text = br#"{"git": {"sha1": "1a2b"}, "path_in_vcs": "crates/babson"}"#;
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        tar.append_data(&mut header, "babson-0.1.0/.cargo_vcs_info.json", &text[..]).unwrap();
        let package = tar.into_inner().unwrap().finish().unwrap();
        assert_eq!(commit_of(&package).unwrap().as_deref(), Some("1a2b"));
        assert!(commit_of(b"no archive").is_err());
    }

    #[test]
    fn archives_are_unpacked_whatever_their_platform() {
        let folder = tempfile::tempdir().unwrap();
        for (name, ending, program) in
            [("linux", "tar.gz", "babson"), ("windows", "zip", "babson.exe")]
        {
            let members = [Member::file(program, "program")];
            let bytes = match ending {
                "zip" => zip(name, &members).unwrap(),
                _ => tar_gz(name, &members, 0).unwrap(),
            };
            let path = folder.path().join(format!("{name}.{ending}"));
            fs::write(&path, bytes).unwrap();
            let program = unpack(&path, folder.path()).unwrap();
            assert_eq!(fs::read_to_string(program).unwrap(), "program");
        }
    }

    #[test]
    fn the_promise_is_that_of_the_readme() {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(README);
        let promise = promise(&fs::read_to_string(readme).unwrap()).unwrap();
        assert!(promise.ends_with(" matches of 2000 games"), "{promise}");
        expect("a", &format!("{promise} in 0.02 seconds"), &promise).unwrap();
        assert!(expect("a", "0 matches of 2000 games", &promise).is_err());
        assert!(super::promise("# Babson\n").is_err());
    }
}
