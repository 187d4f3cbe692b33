//! The files of the built-in library as files that an editor can show, and what commands write.

use std::fs;
use std::path::PathBuf;

use babson::imports::library_text;

/// The folder of the user's cache for Babson, if the user has one.
fn cache() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let folder = match set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")) {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir()?.join(".cache"),
    };
    folder.is_absolute().then(|| folder.join("babson"))
}

/// The path of a file of the library, which is written if it is not there; `None` if there is no
/// such file or it cannot be written.
pub(crate) fn written(name: &str) -> Option<PathBuf> {
    let text = library_text(name)?;
    write(&format!("library/{}/{name}.cql", env!("CARGO_PKG_VERSION")), text)
}

/// Writes a file of the cache, unless it has this text; `None` if it cannot be written.
pub(crate) fn write(name: &str, text: &str) -> Option<PathBuf> {
    let path = cache()?.join(name);
    if fs::read_to_string(&path).is_ok_and(|known| known == text) {
        return Some(path);
    }
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, text).ok()?;
    Some(path)
}
