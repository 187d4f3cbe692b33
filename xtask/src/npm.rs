//! The package of npm: the library as WebAssembly, for browsers and for node.

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::notices::{self, Product};
use crate::tools::{NPM, run};
use crate::wasm;

/// Where the package is made.
pub(crate) const PACKAGE: &str = "target/npm/babson";
/// What the package has from the module.
const MODULE: [&str; 4] =
    ["babson_wasm.js", "babson_wasm.d.ts", "babson_wasm_bg.wasm", "babson_wasm_bg.wasm.d.ts"];
/// What it has from the crate, and from the repository.
const OWN: [&str; 4] = [
    "crates/babson-wasm/npm/node.js",
    "crates/babson-wasm/npm/README.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];
/// The page of the book about it. Its first program is tested.
const PAGE: &str = "docs/src/wasm.md";
/// The compiler that checks the types, and the types of node.
const TYPES: [&str; 2] = ["typescript@5", "@types/node@20"];

/// Writes the package of a module that is built for browsers. Returns its folder.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn write(root: &Path, module: &Path) -> io::Result<PathBuf> {
    let package = root.join(PACKAGE);
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    fs::create_dir_all(&package)?;
    let of_module = MODULE.iter().map(|name| module.join(name));
    for path in of_module.chain(OWN.iter().map(|name| root.join(name))) {
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, package.join(name)).map_err(|error| crate::about(&path, &error))?;
    }
    let product = Product {
        title: "The npm package babson",
        package: "babson-wasm",
        features: "",
        target: Some(wasm::TARGET),
    };
    fs::write(package.join(notices::NAME), product.notices(root)?)?;
    fs::write(package.join("package.json"), manifest())?;
    println!("{PACKAGE}: the package of npm");
    Ok(package)
}

/// The file `package.json`. Of its `exports`, node and TypeScript take the first one that fits, so
/// their order matters.
fn manifest() -> String {
    let (version, repository) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    format!(
        r#"{{
  "name": "babson",
  "version": "{version}",
  "description": "Search chess games with CQL, the Chess Query Language",
  "keywords": ["chess", "cql", "pgn", "wasm"],
  "license": "MIT OR Apache-2.0",
  "repository": "{repository}",
  "type": "module",
  "engines": {{ "node": ">=20" }},
  "types": "./babson_wasm.d.ts",
  "exports": {{
    ".": {{
      "types": "./babson_wasm.d.ts",
      "node": "./node.js",
      "default": "./babson_wasm.js"
    }},
    "./babson_wasm_bg.wasm": "./babson_wasm_bg.wasm"
  }}
}}
"#
    )
}

/// Packs the package into a folder. Returns the path of the archive.
///
/// # Errors
/// npm fails.
pub(crate) fn pack(package: &Path, folder: &Path) -> io::Result<PathBuf> {
    let mut pack = Command::new(NPM);
    run(pack.args(["pack", "--silent", "--pack-destination"]).arg(folder).arg(package))?;
    Ok(folder.join(format!("babson-{}.tgz", env!("CARGO_PKG_VERSION"))))
}

/// Packs the package, installs it into an empty folder, runs the program of the book there, and
/// checks the types of the programs of the book.
///
/// # Errors
/// A program fails, or a type is wrong.
pub(crate) fn check(root: &Path, package: &Path) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let packed = pack(package, folder.path())?;
    let names = write_programs(root, folder.path())?;
    install(folder.path(), &packed, &TYPES)?;
    search_installed(root, folder.path(), "mate #Q == 1")?;
    let count = names.len();
    let mut types = Command::new("node");
    types.current_dir(folder.path()).arg("node_modules/typescript/bin/tsc").args(names);
    types.args(["--noEmit", "--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false"]);
    types.args(["--target", "es2022", "--module", "nodenext", "--lib", "es2023,webworker"]);
    types.arg("--skipLibCheck");
    run(&mut types)?;
    println!("ok: the package of npm, its {count} programs and their types");
    Ok(())
}

/// Installs the packed package into an empty folder, without a network, and runs the program of the
/// book there: the last line that it prints, which says how many games match.
///
/// # Errors
/// The package cannot be installed, or the program fails.
pub(crate) fn try_installed(
    root: &Path,
    folder: &Path,
    packed: &Path,
    query: &str,
) -> io::Result<String> {
    write_programs(root, folder)?;
    install(folder, packed, &["--offline"])?;
    search_installed(root, folder, query)
}

/// Installs the packed package into a folder.
fn install(folder: &Path, packed: &Path, more: &[&str]) -> io::Result<()> {
    let options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run(Command::new(NPM).current_dir(folder).args(options).arg(packed).args(more))
}

/// Writes the programs of the page into a folder. Returns their names.
fn write_programs(root: &Path, folder: &Path) -> io::Result<Vec<String>> {
    let page = fs::read_to_string(root.join(PAGE))?;
    let mut names = Vec::new();
    for (number, program) in programs(&page).iter().enumerate() {
        let name = format!("program{number}.mjs");
        fs::write(folder.join(&name), program)?;
        names.push(name);
    }
    Ok(names)
}

/// Runs the first program of the page on the demo database. Returns the last line that it prints.
fn search_installed(root: &Path, folder: &Path, query: &str) -> io::Result<String> {
    let games = root.join("corpus/games/masters-2k.pgn");
    let mut node = Command::new("node");
    let output = node.current_dir(folder).arg("program0.mjs").arg(games).arg(query).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let last = told.trim_end().lines().last().unwrap_or_default();
    if !output.status.success() || !last.ends_with(" of 2000 games match") {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("the program of {PAGE} says: {told}{errors}")));
    }
    Ok(last.to_owned())
}

/// The programs of a page of the book.
fn programs(page: &str) -> Vec<&str> {
    let mut blocks = page.split("\n```js\n");
    // What is before the first one.
    blocks.next();
    blocks.filter_map(|block| block.split_once("```")).map(|(program, _)| program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_what_fits_before_the_rest() {
        let text = manifest();
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["exports"]["."]["node"], "./node.js");
        let exports = &text[text.find(r#"".": {"#).unwrap()..];
        let places =
            [r#""types""#, r#""node""#, r#""default""#].map(|key| exports.find(key).unwrap());
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn the_programs_of_a_page_are_its_blocks() {
        let page = "text\n\n```js\none();\n```\n\n```sh\nls\n```\n\n```js\ntwo();\n```\n";
        assert_eq!(programs(page), ["one();\n", "two();\n"]);
        assert!(programs("text").is_empty());
    }

    #[test]
    fn the_page_has_a_program_of_some_lines() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PAGE);
        let page = fs::read_to_string(page).unwrap();
        let lines = programs(&page).first().unwrap().lines().count();
        assert!((10..30).contains(&lines), "{lines} lines");
    }
}
