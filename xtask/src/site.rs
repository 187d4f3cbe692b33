//! The site: the book, and the playground beside it.
//!
//! It is a folder of files that any server of files can show. Nothing in it asks a server to
//! search.

use std::fs;
use std::io::{self, Error};
use std::path::Path;
use std::process::Command;

use crate::page::{DIST, PLAYGROUND};
use crate::tools::run;
use crate::wasm::MODULE;

/// Where the site is written.
const SITE: &str = "target/site";
/// The files of the engine that the worker loads.
const ENGINE_FILES: [&str; 2] = ["babson_wasm.js", "babson_wasm_bg.wasm"];
/// The database of the playground.
const GAMES: &str = "corpus/games/masters-2k.pgn";
/// The scripts of the book, with the one that links its queries to the playground.
const SCRIPTS: &str = r#"["theme/cql.js", "theme/board.js", "theme/playground.js"]"#;

/// Writes the book and the playground into `target/site`.
///
/// # Errors
/// mdBook or the engine is missing, or a file cannot be written.
pub(crate) fn write(root: &Path) -> io::Result<()> {
    let site = root.join(SITE);
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    let mut book = Command::new("mdbook");
    book.args(["build", "docs", "--dest-dir"]).arg(&site).current_dir(root);
    run(book.env("MDBOOK_OUTPUT__HTML__ADDITIONAL_JS", SCRIPTS)).map_err(|error| {
        Error::other(format!("{error}: the book is built by mdBook, cargo install mdbook"))
    })?;
    playground(root, &site.join("playground"))?;
    println!("{SITE}: the book; {SITE}/playground: the playground");
    Ok(())
}

/// Whether the engine of the playground has been built.
pub(crate) fn has_engine(root: &Path) -> bool {
    ENGINE_FILES.iter().all(|name| root.join(MODULE).join(name).is_file())
}

/// Writes the playground into a folder: the page, the document with the worker in place of the one
/// with the server, the engine, and a database.
pub(crate) fn playground(root: &Path, out: &Path) -> io::Result<()> {
    fs::create_dir_all(out)?;
    for folder in [DIST, PLAYGROUND] {
        for entry in fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            copy(&path, out)?;
        }
    }
    for name in ENGINE_FILES {
        let path = root.join(MODULE).join(name);
        copy(&path, out).map_err(|error| {
            Error::other(format!("{error}: cargo xtask wasm builds the engine"))
        })?;
    }
    copy(&root.join(GAMES), out)
}

/// Copies a file into a folder.
fn copy(path: &Path, folder: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    fs::copy(path, folder.join(name)).map(|_| ()).map_err(|error| crate::about(path, &error))
}
