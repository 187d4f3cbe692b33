//! The build of the command for a release: the same bytes on each machine.
//!
//! The paths of the machine do not reach the binary: those of the repository, of the sources of
//! dependencies and of the standard library get names that are the same everywhere.

use std::io;
use std::path::{Path, PathBuf};

use crate::tools::{cargo, cargo_home, run, sysroot};

/// The features of the published command: all that a user might look for.
pub(super) const FEATURES: &str = "parquet,remote";

/// Builds the command of a copy of the repository for a platform. Returns its path.
///
/// # Errors
/// The build fails.
pub(super) fn command(root: &Path, out: &Path, target: &str, time: u64) -> io::Result<PathBuf> {
    let mut flags = path_flags(root)?;
    if target.ends_with("-windows-msvc") {
        // Windows may lack the library of C that the program would load.
        flags.extend(["-C".to_owned(), "target-feature=+crt-static".to_owned()]);
        // The linker would write the time.
        flags.extend(["-C".to_owned(), "link-arg=/Brepro".to_owned()]);
    }
    let mut build = cargo();
    build.args(["build", "--locked", "--release", "--package", "babson-cli"]);
    build.args(["--features", FEATURES, "--target", target, "--target-dir"]).arg(out);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    build.env("CARGO_INCREMENTAL", "0").env("SOURCE_DATE_EPOCH", time.to_string());
    if !target.ends_with("-windows-msvc") {
        build.env("CFLAGS", renamed("-ffile-prefix-map", root)?.join(" "));
    }
    run(build.current_dir(root))?;
    let suffix = if target.contains("-windows-") { ".exe" } else { "" };
    Ok(out.join(target).join("release").join(format!("babson{suffix}")))
}

/// The options of rustc that keep the paths of this machine out of a program.
pub(super) fn path_flags(root: &Path) -> io::Result<Vec<String>> {
    renamed("--remap-path-prefix", root)
}

/// An option of a compiler for each path that it shall write by another name.
fn renamed(option: &str, root: &Path) -> io::Result<Vec<String>> {
    let names = path_names(root)?;
    Ok(names.iter().map(|(path, name)| format!("{option}={}={name}", path.display())).collect())
}

/// The paths of this machine that a compiler may write into a program, with their names there.
fn path_names(root: &Path) -> io::Result<[(PathBuf, &'static str); 3]> {
    Ok([(root.to_owned(), "/babson"), (cargo_home()?, "/cargo"), (sysroot(root)?, "/rust")])
}
