//! Lists the files of the page, so that they are in the binary.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=page/dist");
    let root = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("page/dist");
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    let mut list = "&[\n".to_owned();
    for name in names {
        let path = folder.join(&name);
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.to_string_lossy());
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").unwrap_or_default();
    fs::write(Path::new(&out).join("page_files.rs"), list)
}
