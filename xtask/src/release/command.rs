//! The archive of the command.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::{Member, tar_gz, zip};
use super::links::with_addresses;
use super::{Outcome, Release, build};
use crate::notices::{self, Product};
use crate::tools::output;

/// The files of the repository that the archive has, with their folders there. The README is the
/// one of the command: the other one begins with a clone of the repository.
const DOCUMENTS: [(&str, &str); 4] = [
    ("CHANGELOG.md", "doc/"),
    ("LICENSE-APACHE", ""),
    ("LICENSE-MIT", ""),
    ("crates/babson-cli/README.md", "doc/"),
];

/// By the paths in the repository, the paths of [`DOCUMENTS`] in the archive.
pub(super) fn documents() -> impl Iterator<Item = (&'static str, String)> {
    DOCUMENTS.iter().map(|(from, folder)| {
        let (_, name) = from.rsplit_once('/').unwrap_or(("", from));
        (*from, format!("{folder}{name}"))
    })
}

/// The shells, with the names under which they look for a script of completions.
pub(super) const COMPLETIONS: [(&str, &str); 4] =
    [("bash", "babson"), ("zsh", "_babson"), ("fish", "babson.fish"), ("powershell", "babson.ps1")];

/// Builds the command and writes its archive: `.zip` for Windows, `.tar.gz` elsewhere.
pub(super) fn archive(release: &Release) -> io::Result<Outcome> {
    let program = program(release)?;
    let members = members(release, &program)?;
    let folder = release.archive_name();
    let written = match release.target.contains("-windows-") {
        true => release.write(&format!("{folder}.zip"), &zip(&folder, &members)?)?,
        false => {
            release.write(&format!("{folder}.tar.gz"), &tar_gz(&folder, &members, release.time)?)?
        }
    };
    let bytes = fs::metadata(&program)?.len();
    Ok(Outcome::Done(format!("{written}; the program alone: {}", super::size(bytes))))
}

/// Where the command of a release is built.
pub(super) fn build_folder(root: &Path) -> PathBuf {
    root.join("target/release-build")
}

/// Builds the command. Returns its path.
pub(super) fn program(release: &Release) -> io::Result<PathBuf> {
    build::command(&release.root, &build_folder(&release.root), &release.target, release.time)
}

/// The files that are installed with the command, the program among them.
pub(super) fn members(release: &Release, program: &Path) -> io::Result<Vec<Member>> {
    let told = output(Command::new(program).arg("--version"))?;
    if !told.contains(&release.version) {
        return Err(Error::other(format!("{} says {:?}", program.display(), told.trim())));
    }
    let mut members =
        vec![Member { path: super::name_of(program), is_program: true, bytes: fs::read(program)? }];
    members.push(Member::file("man/babson.1", output(Command::new(program).arg("man"))?));
    for (shell, name) in COMPLETIONS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        members.push(Member::file(&format!("completions/{shell}/{name}"), script));
    }
    for (from, to) in documents() {
        let path = release.root.join(from);
        let text = fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
        let text = with_addresses(&text, env!("CARGO_PKG_REPOSITORY"), &release.version);
        members.push(Member::file(&to, text));
    }
    let notices = notices(&release.root, &release.target)?;
    members.push(Member::file(&format!("doc/{}", notices::NAME), notices));
    Ok(members)
}

/// The licenses of all that is linked into the command.
pub(crate) fn notices(root: &Path, target: &str) -> io::Result<String> {
    let product = Product {
        title: "The command babson",
        package: "babson-cli",
        features: build::FEATURES,
        target: Some(target),
    };
    product.notices(root)
}
