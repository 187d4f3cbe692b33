//! `supply`: what we depend on. Licenses, origins and versions of packages, those that nothing
//! uses, and a build without a network.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::source::Checkout;
use crate::tools::{available, cargo, find_cargo_tool, output, run};

/// The crates that are workspaces of their own.
const OWN_WORKSPACES: [&str; 2] =
    ["crates/babson-datafusion/Cargo.toml", "crates/babson-python/Cargo.toml"];

/// Checks licenses, origins and versions by `deny.toml`, and that each dependency is used. Where a
/// tool is missing it says so; with `CI=true` that is an error.
///
/// # Errors
/// A rule is broken.
pub(crate) fn check(root: &Path) -> io::Result<()> {
    if available(find_cargo_tool("deny"))?.is_some() {
        deny(root, &["bans", "licenses", "sources"])?;
    }
    if available(find_cargo_tool("machete"))?.is_some() {
        // The folder of the peers is theirs, and target has copies.
        let mut machete = cargo();
        machete.args(["machete", "crates", "docs", "benches", "xtask"]);
        run(machete.current_dir(root))?;
    }
    Ok(())
}

/// Compares the versions in the lock files with the known vulnerabilities of RustSec, which are
/// fetched from its repository.
///
/// # Errors
/// cargo-deny is missing, there is no network, or a version is vulnerable.
pub(crate) fn advisories(root: &Path) -> io::Result<()> {
    find_cargo_tool("deny").map_err(Error::other)?;
    deny(root, &["advisories"])
}

/// Runs checks of cargo-deny on each workspace.
fn deny(root: &Path, checks: &[&str]) -> io::Result<()> {
    let configuration = root.join("deny.toml");
    for manifest in ["Cargo.toml"].iter().chain(&OWN_WORKSPACES) {
        println!("{manifest}:");
        let mut deny = cargo();
        deny.args(["deny", "--locked", "--manifest-path", manifest, "--config"]);
        deny.arg(&configuration).args(["check", "--hide-inclusion-graph"]).args(checks);
        run(deny.current_dir(root))?;
    }
    Ok(())
}

/// Builds a copy of the commit with the sources of all dependencies beside it, without a network
/// and without the sources that cargo keeps at home, as a distribution does.
///
/// # Errors
/// A source is missing, or the build fails.
pub(crate) fn vendor(root: &Path) -> io::Result<()> {
    let copy = Checkout::of(root)?;
    let sources = vendor_into(&copy)?;
    let empty = copy.beside("home");
    fs::create_dir(&empty)?;
    let build = |options: &[&str]| {
        let mut build = cargo();
        build.args(["build", "--locked", "--offline", "--package", "babson-cli"]).args(options);
        build.env("CARGO_HOME", &empty).env("CARGO_TARGET_DIR", copy.beside("out"));
        run(build.current_dir(copy.root()))
    };
    build(&["--features", "parquet,remote"])?;
    let program = copy.beside("out").join(format!("debug/babson{}", std::env::consts::EXE_SUFFIX));
    let told = output(Command::new(program).arg("--version"))?;
    let packages = fs::read_dir(sources)?.count();
    println!("ok: {} is built offline of {packages} packages in vendor", told.trim());
    Ok(())
}

/// Puts the sources of all dependencies into a copy, where cargo takes them in place of crates.io.
/// Returns their folder.
///
/// # Errors
/// A source is missing.
pub(crate) fn vendor_into(copy: &Checkout) -> io::Result<PathBuf> {
    let mut vendor = cargo();
    vendor.args(["vendor", "--locked", "--versioned-dirs"]);
    let configuration = output(vendor.current_dir(copy.root()))?;
    let file = copy.root().join(".cargo/config.toml");
    let own = fs::read_to_string(&file).map_err(|error| crate::about(&file, &error))?;
    fs::write(&file, format!("{own}\n{configuration}"))?;
    Ok(copy.root().join("vendor"))
}
