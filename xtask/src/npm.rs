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

/// Packs the package, installs it into an empty folder, runs the program of the book there, and
/// checks the types of the programs of the book.
///
/// # Errors
/// A program fails, or a type is wrong.
pub(crate) fn check(root: &Path, package: &Path) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let npm = || {
        let mut npm = Command::new(NPM);
        npm.current_dir(folder.path());
        npm
    };
    run(npm().args(["pack", "--silent", "--pack-destination"]).arg(folder.path()).arg(package))?;
    let packed = format!("./babson-{}.tgz", env!("CARGO_PKG_VERSION"));
    let options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run(npm().args(options).arg(packed).args(TYPES))?;
    let page = fs::read_to_string(root.join(PAGE))?;
    let programs = programs(&page);
    let mut names = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let name = format!("program{number}.mjs");
        fs::write(folder.path().join(&name), program)?;
        names.push(name);
    }
    let first = names.first().ok_or_else(|| Error::other(format!("{PAGE} has no program")))?;
    let games = root.join("corpus/games/masters-2k.pgn");
    let mut node = Command::new("node");
    node.current_dir(folder.path()).arg(first).arg(games).arg("mate #Q == 1");
    let output = node.output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !told.trim_end().ends_with(" of 2000 games match") {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("the program of {PAGE} says: {told}{errors}")));
    }
    let mut types = Command::new("node");
    types.current_dir(folder.path()).arg("node_modules/typescript/bin/tsc").args(names);
    types.args(["--noEmit", "--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false"]);
    types.args(["--target", "es2022", "--module", "nodenext", "--lib", "es2023,webworker"]);
    types.arg("--skipLibCheck");
    run(&mut types)?;
    println!("ok: the package of npm, its {} programs and their types", programs.len());
    Ok(())
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
