//! The pages for browsers: the script of the report, and the page of `babson serve`.
//!
//! They are checked in as they are built, so that cargo alone builds the command.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Error};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::site;
use crate::tokens;
use crate::tools::{available, debug_binary, find_browser, find_node, npm_install, run};

/// The package of npm that builds both.
const PACKAGE: &str = "crates/babson-serve/page";
/// The page of the server, as it is built.
pub(crate) const DIST: &str = "crates/babson-serve/page/dist";
/// What the playground has beside it, or in its place.
pub(crate) const PLAYGROUND: &str = "crates/babson-serve/page/playground";
/// What is built, and checked in.
const BUILT: [&str; 3] = ["crates/babson-report/page/dist", DIST, PLAYGROUND];
/// The database of the scenes.
const GAMES: &str = "corpus/games/masters-2k.pgn";

/// Builds the scripts and styles of both pages into the folders `dist`.
///
/// # Errors
/// A tool is missing, the types are wrong, or the build fails.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    find_node().map_err(Error::other)?;
    prepare(root)?;
    build(root, root)
}

/// Checks that the built files are as old as their sources, and plays the scenes of the page in a
/// browser. Where node or Chromium is missing it says so; with `CI=true` that is an error.
///
/// # Errors
/// A built file differs from what its sources give, or a scene fails.
pub(crate) fn check(root: &Path) -> io::Result<()> {
    if available(find_node())?.is_none() {
        return Ok(());
    }
    prepare(root)?;
    let fresh = tempfile::tempdir()?;
    build(root, fresh.path())?;
    for folder in BUILT {
        compare(folder, &files(&root.join(folder))?, &files(&fresh.path().join(folder))?)?;
    }
    run(node(root).arg("tests/units.mjs").arg(tokens::write(root)?))?;
    let Some(browser) = available(find_browser())? else {
        return Ok(());
    };
    let server = Server::start(root)?;
    let pictures = root.join("target/check-page");
    let mut scenes = node(root);
    scenes.arg("tests/run.mjs").arg(&pictures).arg(&server.address);
    // The playground takes part where its engine has been built.
    if site::has_engine(root) {
        let playground = pictures.join("files");
        site::playground(root, &playground)?;
        scenes.arg(playground);
    }
    run(scenes.env("CHROMIUM", browser))
}

/// Installs what the lock file names, and checks the types.
fn prepare(root: &Path) -> io::Result<()> {
    npm_install(&root.join(PACKAGE))?;
    run(node(root).args(["node_modules/typescript/bin/tsc", "--noEmit"]))
}

/// Builds into the folders `dist` below another root.
fn build(root: &Path, out: &Path) -> io::Result<()> {
    run(node(root).arg("build.mjs").arg(out))
}

/// A command of node in the package.
fn node(root: &Path) -> Command {
    let mut command = Command::new("node");
    command.current_dir(root.join(PACKAGE));
    command
}

/// The files of a folder by name.
fn files(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| crate::about(folder, &error))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.insert(name, fs::read(&path)?);
    }
    Ok(files)
}

/// Fails if the files of a folder are not the ones that its sources give.
fn compare(
    folder: &str,
    present: &BTreeMap<String, Vec<u8>>,
    fresh: &BTreeMap<String, Vec<u8>>,
) -> io::Result<()> {
    for name in present.keys().chain(fresh.keys()) {
        let what = match (present.get(name), fresh.get(name)) {
            (Some(present), Some(fresh)) if present == fresh => continue,
            (Some(_), Some(_)) => "is not what its sources give",
            (Some(_), None) => "has no source",
            (None, _) => "is missing",
        };
        return Err(Error::other(format!("{folder}/{name} {what}: run cargo xtask page")));
    }
    Ok(())
}

/// A `babson serve` with the games of the scenes; it ends when it is dropped.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Builds the command and starts it on a free port.
    fn start(root: &Path) -> io::Result<Server> {
        let mut command = Command::new(debug_binary(root, &[])?);
        command.args(["serve", GAMES, "--listen", "127.0.0.1:0"]).current_dir(root);
        let mut process = command.stderr(Stdio::piped()).spawn()?;
        let Some(output) = process.stderr.take() else {
            return Err(Error::other("babson serve has no standard error"));
        };
        let mut lines = BufReader::new(output).lines();
        // The first line with an address says where it listens.
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once("http://")?;
            let end = address.find(char::is_whitespace).unwrap_or(address.len());
            Some(format!("http://{}/", address[..end].trim_end_matches('/')))
        });
        // A server whose messages nobody reads would stop at a full pipe.
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| eprintln!("{line}"))
        });
        let server = Server { process, address: address.unwrap_or_default() };
        match server.address.is_empty() {
            true => Err(Error::other("babson serve did not say where it listens")),
            false => Ok(server),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_file_is_found() {
        let files = |names: &[(&str, &str)]| -> BTreeMap<String, Vec<u8>> {
            names
                .iter()
                .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
                .collect()
        };
        let present = files(&[("a.js", "1"), ("b.js", "2")]);
        assert!(compare("dist", &present, &present).is_ok());
        for (fresh, expected) in [
            (files(&[("a.js", "1"), ("b.js", "3")]), "dist/b.js is not what its sources give"),
            (files(&[("a.js", "1")]), "dist/b.js has no source"),
            (files(&[("a.js", "1"), ("b.js", "2"), ("c.js", "")]), "dist/c.js is missing"),
        ] {
            let error = compare("dist", &present, &fresh).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
