//! Benchmarks of Babson over its public crates; the recipes are in README.md.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The demo database: 2,000 games, 159,867 moves.
///
/// # Panics
/// If the corpus is not there: a benchmark without its input has nothing to say.
pub fn masters() -> Vec<u8> {
    let path = root().join("corpus/games/masters-2k.pgn");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The code of the book's page on embedding, run as doctests; here, since this package sees the
/// facade as others do.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/embedding.md")]
pub struct Embedding;

/// The code of the book's page on the VM alone.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/vm.md")]
pub struct VmPage;

/// The code of the book's page on retro-analysis.
#[cfg(doctest)]
#[doc = include_str!("../../docs/src/retro.md")]
pub struct RetroPage;

/// The code of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
