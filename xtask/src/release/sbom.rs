//! The list of all that the command is built of (SBOM), as CycloneDX writes it.

use std::fs;
use std::io;

use super::{Outcome, Release, build};
use crate::source::Checkout;
use crate::tools::{cargo, find_cargo_tool, missing, run};

/// Writes the list of the commit for the platform.
pub(super) fn write(release: &Release) -> io::Result<Outcome> {
    if let Err(reason) = find_cargo_tool("cyclonedx") {
        return missing(reason).map(Outcome::Skipped);
    }
    // It writes beside each manifest, so it works on a copy.
    let copy = Checkout::of(&release.root)?;
    let manifest = copy.root().join("crates/babson-cli/Cargo.toml");
    let mut list = cargo();
    list.args(["cyclonedx", "--format", "json", "--spec-version", "1.5", "--features"]);
    list.args([build::FEATURES, "--target", &release.target, "--manifest-path"]).arg(&manifest);
    list.env("SOURCE_DATE_EPOCH", release.time.to_string()).current_dir(copy.root());
    run(&mut list)?;
    let written = manifest.with_file_name("babson-cli.cdx.json");
    let list = fs::read_to_string(&written).map_err(|error| crate::about(&written, &error))?;
    // The folder of the copy is another one each time.
    let list = list.replace(&copy.root().display().to_string(), "/babson");
    let name = format!("{}.cdx.json", release.archive_name());
    release.write(&name, list.as_bytes()).map(Outcome::Done)
}
