//! The licenses of all that is linked into a program: whoever passes the program on has to pass
//! them on, too.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};

use crate::metadata;
use crate::tools::sysroot;

/// The name of the file with them, in every package that has one.
pub(crate) const NAME: &str = "THIRD-PARTY-LICENSES.txt";
/// Where a crate of ours has the licenses of the scripts in it, which `cargo xtask page` writes.
const OF_SCRIPTS: &str = "page/dist/licenses-of-scripts.txt";
/// How the name of a file with a license or a notice begins.
const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "copyright"];
/// The endings of files with such a name that are code.
const CODE: [&str; 8] = ["rs", "c", "h", "go", "py", "js", "json", "toml"];

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
        let library = StandardLibrary::find(root)?;
        let mut list = String::new();
        let mut texts = BTreeSet::new();
        for package in metadata.linked_into(self.package) {
            let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
            if package.source.is_none() {
                texts.extend(of_scripts(&package.name, folder)?);
                continue;
            }
            let name = format!("{} {}", package.name, package.version);
            let Some(license) = &package.license else {
                return Err(Error::other(format!("{name} names no license")));
            };
            let _ = writeln!(list, "- {name}: {license}");
            let files = license_files(folder)?;
            for path in &files {
                let text = String::from_utf8_lossy(&fs::read(path)?).replace("\r\n", "\n");
                let path = path.strip_prefix(folder).unwrap_or(path).display();
                // By their texts, so that packages with the same text stand together.
                texts.insert((text.trim().to_owned(), format!("{name}: {path}")));
            }
            if files.is_empty() {
                let known = library.licenses_in(license)?;
                if known.is_empty() {
                    return Err(Error::other(format!(
                        "{name} has no text of its license, {license}"
                    )));
                }
                let heading = match package.authors.is_empty() {
                    true => format!("{name}: {license}"),
                    false => format!("{name}, by {}: {license}", package.authors.join(", ")),
                };
                texts.extend(known.into_iter().map(|(_, text)| (text, heading.clone())));
            }
        }
        texts.extend(self.target.and_then(of_c_library));
        texts.extend(library.licenses()?);
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

/// The folder of a compiler that has the licenses of its standard library. The compilers that
/// rustup installs have one.
struct StandardLibrary {
    folder: PathBuf,
}

impl StandardLibrary {
    /// # Errors
    /// The compiler has no such folder.
    fn find(root: &Path) -> io::Result<StandardLibrary> {
        let folder = sysroot(root)?.join("share/doc/rust");
        match folder.join("COPYRIGHT-library.html").is_file() {
            true => Ok(StandardLibrary { folder }),
            false => Err(Error::other(format!(
                "{} has no licenses of the standard library of Rust: use a compiler that rustup has \
                 installed",
                folder.display()
            ))),
        }
    }

    /// The page that says who wrote it, with the texts of the packages in it, and the texts that
    /// the page only names, each with its heading.
    fn licenses(&self) -> io::Result<Vec<(String, String)>> {
        let path = self.folder.join("COPYRIGHT-library.html");
        let page = fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
        let page = text_of(&page);
        let lines = page.lines().filter_map(|line| line.trim().strip_prefix("License: "));
        let named = self.licenses_in(&lines.collect::<Vec<_>>().join(" "))?;
        let title = "The standard library of Rust";
        let named = named.into_iter().map(|(name, text)| (text, format!("{title}: {name}")));
        Ok(named.chain([(page, title.to_owned())]).collect())
    }

    /// The names and texts of the licenses that an expression names by their SPDX identifiers, as
    /// far as the compiler has them.
    fn licenses_in(&self, expression: &str) -> io::Result<Vec<(String, String)>> {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '.' | '+');
        let names: BTreeSet<&str> = expression.split(|letter| !is_part(letter)).collect();
        let mut found = Vec::new();
        for name in names {
            let path = self.folder.join("licenses").join(format!("{name}.txt"));
            if path.is_file() {
                let text =
                    fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
                found.push((name.to_owned(), text.trim().to_owned()));
            }
        }
        Ok(found)
    }
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

/// The files of a package that are licenses or notices, in its folders, too, in the order of their
/// paths.
fn license_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| crate::about(&folder, &error))? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if entry.file_type()?.is_dir() {
                open.push(path);
                continue;
            }
            let is_code =
                path.extension().is_some_and(|ending| CODE.iter().any(|it| ending == *it));
            if !is_code && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
                found.push(path);
            }
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
        fs::create_dir_all(folder.path().join("licenses/zlib")).unwrap();
        let names = ["LICENSE-MIT", "COPYING", "NOTICE.txt", "licenses/zlib/LICENSE.zlib"];
        for name in names.iter().chain(&["README.md", "unlicensed.txt", "license.rs"]) {
            fs::write(folder.path().join(name), "text").unwrap();
        }
        let found = license_files(folder.path()).unwrap();
        let name = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
        let expected = ["COPYING", "LICENSE-MIT", "NOTICE.txt", "licenses/zlib/LICENSE.zlib"];
        assert_eq!(found.iter().map(name).collect::<Vec<_>>(), expected.map(PathBuf::from));
    }

    #[test]
    fn the_standard_library_has_all_texts_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let library = StandardLibrary { folder: folder.path().to_owned() };
        fs::create_dir(folder.path().join("licenses")).unwrap();
        for name in ["MIT", "Apache-2.0", "Unicode-3.0", "ISC"] {
            let path = folder.path().join(format!("licenses/{name}.txt"));
            fs::write(path, format!("text of {name}\n")).unwrap();
        }
        let page =
            "<p>License: Apache-2.0 OR (MIT AND Other)</p>\n<p>\nLicense: Unicode-3.0</p>\nISC";
        fs::write(folder.path().join("COPYRIGHT-library.html"), page).unwrap();
        let licenses = library.licenses().unwrap();
        let texts: Vec<&str> = licenses.iter().map(|(text, _)| text.as_str()).collect();
        let [named @ .., page] = texts.as_slice() else { panic!() };
        assert_eq!(named, ["text of Apache-2.0", "text of MIT", "text of Unicode-3.0"]);
        assert!(page.starts_with("License: Apache-2.0 OR"), "{page}");
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
