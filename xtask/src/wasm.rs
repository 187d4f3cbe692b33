//! `wasm`: the library as WebAssembly, for the playground and as a package of npm.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::npm;
use crate::tools::{NPM, cargo, debug_binary, run};

/// The target of the compiler, with the features that all browsers have since 2023.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
const FLAGS: &str = "-C target-feature=+simd128";
/// Where the module is made, as browsers load it.
pub(crate) const MODULE: &str = "target/wasm/web";
/// Where the tools are installed.
const TOOLS: &str = "target/tools";
/// The version of wasm-opt, which the package of npm `binaryen` has.
const BINARYEN: &str = "132.0.0";
/// What wasm-opt may use: what the compiler does by itself, and SIMD.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Builds the module and the package, and tests them in node against the command.
///
/// # Errors
/// A tool is missing, the build fails, or a test fails.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    let mut build = cargo();
    build.args(["build", "--locked", "--profile", "wasm", "--package", "babson-wasm"]);
    build.args(["--target", TARGET]).env("RUSTFLAGS", FLAGS).current_dir(root);
    run(&mut build)?;
    let bindgen = bindgen(root)?;
    let module = root.join("target").join(TARGET).join("wasm/babson_wasm.wasm");
    let optimizer = optimizer(root)?;
    let out = root.join(MODULE);
    let mut bind = Command::new(&bindgen);
    bind.args(["--target", "web", "--out-dir"]).arg(&out).arg(&module);
    run(&mut bind)?;
    let bound = out.join("babson_wasm_bg.wasm");
    let small = out.join("optimized.wasm");
    let mut optimize = Command::new("node");
    optimize.arg(&optimizer).arg("-O3").args(FEATURES).arg(&bound).arg("-o").arg(&small);
    run(&mut optimize)?;
    fs::rename(small, bound)?;
    let package = npm::write(root, &out)?;
    let babson = debug_binary(root, &[])?;
    let mut test = Command::new("node");
    test.arg("crates/babson-wasm/tests/run.mjs").arg(&package).arg(babson).current_dir(root);
    run(&mut test)?;
    npm::check(root, &package)
}

/// The program `wasm-bindgen`, which has to have the version of the library.
fn bindgen(root: &Path) -> io::Result<PathBuf> {
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    let version = locked_version(&lock, "wasm-bindgen")
        .ok_or_else(|| Error::other("Cargo.lock has no wasm-bindgen"))?;
    let suffix = std::env::consts::EXE_SUFFIX;
    let program = root.join(TOOLS).join(format!("bin/wasm-bindgen{suffix}"));
    let shown = Command::new(&program).arg("--version").output();
    let is_there = shown.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1) == Some(version)
    });
    if is_there {
        return Ok(program);
    }
    let install = |locked: &[&str]| {
        let mut install = cargo();
        install.args(["install", "--root"]).arg(root.join(TOOLS)).args(locked);
        run(install.args(["wasm-bindgen-cli", "--version", version]))
    };
    // A mirror of the registry may lack what the lock file names.
    install(&["--locked"]).or_else(|_| install(&[]))?;
    Ok(program)
}

/// The version of a package in the text of a lock file.
fn locked_version<'l>(lock: &'l str, package: &str) -> Option<&'l str> {
    let (_, entry) = lock.split_once(&format!("name = \"{package}\"\n"))?;
    entry.strip_prefix("version = \"")?.split('"').next()
}

/// The program `wasm-opt`, as a script of node.
fn optimizer(root: &Path) -> io::Result<PathBuf> {
    let folder = root.join(TOOLS).join("binaryen");
    let script = folder.join("node_modules/binaryen/bin/wasm-opt");
    let manifest = folder.join("node_modules/binaryen/package.json");
    let is_there = fs::read_to_string(manifest)
        .is_ok_and(|text| text.contains(&format!("\"version\": \"{BINARYEN}\"")));
    if !is_there {
        fs::create_dir_all(&folder)?;
        let mut install = Command::new(NPM);
        install.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]);
        run(install.arg(&folder).arg(format!("binaryen@{BINARYEN}")))?;
    }
    Ok(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_package_is_that_of_the_lock_file() {
        let lock = "[[package]]\nname = \"a-b\"\nversion = \"1.2\"\n\n[[package]]\nname = \"a\"\nversion = \"0.3\"\n";
        assert_eq!(locked_version(lock, "a"), Some("0.3"));
        assert_eq!(locked_version(lock, "b"), None);
    }
}
