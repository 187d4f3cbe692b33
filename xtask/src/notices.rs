//! The licenses of all that is linked into a program: whoever passes the program on has to pass
//! them on, too.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::metadata;
use crate::tools::{available, output};

/// The name of the file with them, in every package that has one.
pub(crate) const NAME: &str = "THIRD-PARTY-LICENSES.txt";
/// Where a crate of ours has the licenses of the scripts in it, which `cargo xtask page` writes.
const OF_SCRIPTS: &str = "page/dist/licenses-of-scripts.txt";
/// How the name of a file with a license or a notice begins.
const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "copyright"];

/// The license of musl, which is in a program without shared libraries.
const MUSL: &str = "\
Copyright © 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
\"Software\"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";

/// What is built of packages: the command, or a module for another language.
pub(crate) struct Product<'p> {
    /// How the text names it.
    pub(crate) title: &'p str,
    /// The crate that is built.
    pub(crate) package: &'p str,
    /// Its features, separated by commas.
    pub(crate) features: &'p str,
    /// The platform, as rustc names it; without it, all that any platform links.
    pub(crate) target: Option<&'p str>,
}

impl Product<'_> {
    /// The licenses of the packages in it, one after another.
    ///
    /// # Errors
    /// Cargo fails, or a package names no license.
    pub(crate) fn notices(&self, root: &Path) -> io::Result<String> {
        let manifest = format!("crates/{}/Cargo.toml", self.package);
        let mut options = vec!["--features", self.features, "--manifest-path", &manifest];
        options.extend(self.target.iter().flat_map(|target| ["--filter-platform", target]));
        let metadata = metadata::of(root, &options)?;
        let mut list = String::new();
        let mut texts = BTreeSet::new();
        for package in metadata.linked_into(self.package) {
            let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
            if package.source.is_none() {
                texts.extend(of_scripts(&package.name, folder)?);
                continue;
            }
            let Some(license) = &package.license else {
                return Err(Error::other(format!("{} names no license", package.name)));
            };
            let _ = writeln!(list, "- {} {}: {license}", package.name, package.version);
            for path in license_files(folder)? {
                let text = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
                let name = path.file_name().unwrap_or_default().display();
                let heading = format!("{} {}: {name}", package.name, package.version);
                // By their texts, so that packages with the same text stand together.
                texts.insert((text.trim().to_owned(), heading));
            }
        }
        texts.extend(self.target.and_then(of_c_library));
        texts.extend(available(of_standard_library()?)?);
        let texts: Vec<(String, String)> = texts.into_iter().collect();
        let mut notices = format!(
            "{} is made of these packages, besides its own, and of the standard library of Rust\n\
             (MIT OR Apache-2.0, with other packages in it). Their licenses follow.\n{list}",
            self.title
        );
        for same in texts.chunk_by(|a, b| a.0 == b.0) {
            let _ = writeln!(notices, "\n{}", "=".repeat(80));
            for (_, heading) in same {
                let _ = writeln!(notices, "{heading}");
            }
            let _ = writeln!(notices, "\n{}", same[0].0);
        }
        Ok(notices)
    }
}

/// The license of the library of C that is linked into programs for a platform, with its heading.
fn of_c_library(target: &str) -> Option<(String, String)> {
    let is_static = target.ends_with("-musl");
    is_static.then(|| (MUSL.trim().to_owned(), "musl, the library of C".to_owned()))
}

/// The licenses of the standard library and of the packages in it, with their heading, or why they
/// cannot be had: only the compilers that rustup installs bring them.
fn of_standard_library() -> io::Result<Result<(String, String), String>> {
    let folder = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let path = Path::new(folder.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    Ok(match fs::read_to_string(&path) {
        Ok(page) => Ok((text_of(&page), "The standard library of Rust".to_owned())),
        Err(error) => Err(format!(
            "the licenses of the standard library of Rust, which come with a compiler that rustup \
             has installed: {}",
            crate::about(&path, &error)
        )),
    })
}

/// The text of a page without its tags, and with at most one empty line between lines.
fn text_of(page: &str) -> String {
    let mut text = String::new();
    for part in page.split('<') {
        // Before the first `<` there is no tag.
        text.push_str(part.split_once('>').map_or(part, |(_tag, text)| text));
    }
    let entities =
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    for (entity, character) in entities {
        text = text.replace(entity, character);
    }
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines.join("\n").trim().to_owned()
}

/// The licenses of the scripts in a crate of ours, with their heading.
fn of_scripts(name: &str, folder: &Path) -> io::Result<Option<(String, String)>> {
    let path = folder.join(OF_SCRIPTS);
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
    Ok(Some((text.trim().to_owned(), format!("The scripts in {name}"))))
}

/// The files of a package that are licenses or notices, in the order of their names.
fn license_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| crate::about(folder, &error))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licenses_are_found_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["LICENSE-MIT", "COPYING", "NOTICE.txt", "README.md", "unlicensed.rs"] {
            fs::write(folder.path().join(name), "text").unwrap();
        }
        fs::create_dir(folder.path().join("licenses")).unwrap();
        let found = license_files(folder.path()).unwrap();
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["COPYING", "LICENSE-MIT", "NOTICE.txt"]);
    }

    #[test]
    fn a_static_program_has_the_license_of_its_library() {
        let (text, heading) = of_c_library("x86_64-unknown-linux-musl").unwrap();
        assert!(heading.starts_with("musl") && text.starts_with("Copyright"), "{heading}: {text}");
        assert_eq!(of_c_library("x86_64-unknown-linux-gnu"), None);
    }

    #[test]
    fn the_text_of_a_page_has_no_tags() {
        let page = "<h3>cc</h3>\n  \n\n<p><b>By:</b> <a href=\"x\">A &#60;a@b.c&#62;</a></p>\n";
        assert_eq!(text_of(page), "cc\n\nBy: A <a@b.c>");
    }

    #[test]
    fn scripts_of_our_crates_have_licenses() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
        for name in ["babson-report", "babson-serve"] {
            let (text, heading) = of_scripts(name, &crates.join(name)).unwrap().unwrap();
            assert!(heading.ends_with(name));
            assert!(text.contains("preact") && text.contains("MIT License"), "{name}: {text}");
        }
        assert_eq!(of_scripts("babson-chess", &crates.join("babson-chess")).unwrap(), None);
    }
}
