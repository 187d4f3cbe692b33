//! `check-editor`: the extension for VS Code and the server behind it.
//!
//! The grammar is compared with the lexer on every query of the repository, the extension is
//! packed, and a client speaks to the server over its standard input and output.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::grammars::EXTENSION;
use crate::source;
use crate::tokens;
use crate::tools::{available, debug_binary, find_browser, find_node, npm_install, run};

/// Where the pictures of the view are written.
const OUT: &str = "target/check-editor";
/// The extension, packed.
const PACKED: &str = "target/editors/babson.vsix";

/// Checks the types, the grammar and the view of the extension, packs it, and speaks with the
/// server. Where node is missing it says so; with `CI=true` that is an error.
///
/// # Errors
/// A check fails.
pub(crate) fn check(root: &Path) -> io::Result<()> {
    if available(find_node())?.is_none() {
        return Ok(());
    }
    let package = root.join(EXTENSION);
    npm_install(&package)?;
    let node = |script: &str| {
        let mut command = Command::new("node");
        command.arg(script).current_dir(&package);
        command
    };
    let compiler = "node_modules/typescript/bin/tsc";
    run(node(compiler).arg("--noEmit"))?;
    run(node(compiler).args(["--noEmit", "--project", "view"]))?;
    run(&mut node("tests/units.mjs"))?;

    let tokens = tokens::write(root)?;
    run(node("tests/lexer.mjs").arg(&tokens))?;
    run(node("tests/book.mjs").arg(&tokens))?;
    run(&mut node("tests/syntax.mjs"))?;
    run(&mut node("tests/markdown.mjs"))?;

    run(&mut node("build.mjs"))?;
    run(&mut node("tests/extension.mjs"))?;
    let packed = root.join(PACKED);
    if let Some(folder) = packed.parent() {
        fs::create_dir_all(folder)?;
    }
    pack(root, &packed, source::time(root)?)?;
    if let Some(browser) = available(find_browser())? {
        run(node("tests/view.mjs").arg(root.join(OUT)).env("CHROMIUM", browser))?;
    }
    run(node("tests/client.mjs").arg(debug_binary(root, &[])?))
}

/// Packs the extension, which has been built, as it is published. Its files have a time in seconds
/// since 1970.
///
/// # Errors
/// The program of VS Code for it fails.
pub(crate) fn pack(root: &Path, packed: &Path, time: u64) -> io::Result<()> {
    let mut pack = Command::new("node");
    pack.arg("node_modules/@vscode/vsce/vsce").current_dir(root.join(EXTENSION));
    // The bundle has what it depends on; the licenses are inside.
    pack.args(["package", "--no-dependencies", "--skip-license", "--out"]).arg(packed);
    // The archive has the times of the place where it is made.
    pack.env("SOURCE_DATE_EPOCH", time.to_string()).env("TZ", "UTC");
    run(&mut pack)
}
